use super::lift::lift;
use super::ranges::View;
use super::terms::{Term, TermId, Terms};
use super::text::{Printer, read};
use super::{IntegerInterpolator, beyond_integers, find_integer_solver, translate};
use crate::smtlib::Patience;
use crate::smtlib::sexpr::parse;
use crate::solver::{Effort, Interpolation, Interpolator, SolverError};
use raddle_ir::{BinOp, ExprId, ExprPool, Sort, Value, VarId, eval};
use random::{Formulas, Random, Shape};
use std::convert::Infallible;
use std::time::Duration;

#[path = "../../tests/random/mod.rs"]
mod random;

/// The value of an expression when each variable is what `values` says.
fn evaluated(pool: &ExprPool, expr: ExprId, values: &[u128]) -> u128 {
    let mut env = |var: VarId| -> Result<Value, Infallible> { Ok(Value::Bits(values[var.0 as usize])) };
    let Ok(value) = eval::eval(pool, expr, &mut env);
    value.bits()
}

/// What a term means, over integers. Truth is 1.
fn meaning(pool: &ExprPool, terms: &Terms, root: TermId, values: &[u128]) -> i128 {
    let mut known = vec![0i128; root.index() + 1];
    for id in terms.below(root) {
        let of = |id: TermId| known[id.index()];
        let value = match terms.get(id) {
            Term::Truth(value) => i128::from(value),
            Term::Holds(expr) => evaluated(pool, expr, values) as i128,
            Term::Not(a) => 1 - of(a),
            Term::And(a, b) => of(a) & of(b),
            Term::Or(a, b) => of(a) | of(b),
            Term::Iff(a, b) | Term::Eq(a, b) => i128::from(of(a) == of(b)),
            Term::Le(a, b) => i128::from(of(a) <= of(b)),
            Term::Ite(c, a, b) => of(if of(c) != 0 { a } else { b }),
            Term::Number(value) => value,
            Term::Value(expr, view) => {
                let (width, bits) = (pool.sort(expr).bits().unwrap(), evaluated(pool, expr, values));
                if view == View::Signed { eval::to_signed(width, bits) } else { bits as i128 }
            }
            Term::Add(a, b) => of(a) + of(b),
            Term::Mul(a, b) => of(a) * of(b),
            Term::Div(a, by) => of(a).div_euclid(by),
            Term::Mod(a, by) => of(a).rem_euclid(by),
        };
        if terms.is_int(id) {
            let range = terms.range(id);
            assert!((range.low..=range.high).contains(&value), "{value} is not in {range:?} of {:?}", terms.get(id));
        }
        known[id.index()] = value;
    }
    known[root.index()]
}

const SHAPE: Shape =
    Shape { variable_bits: 200, widths: &[1, 3, 8, 32, 64], floats: &[], array: None, operations: 12, easy: false };

/// Random formulas with some values of their variables each.
fn for_random_formulas(mut f: impl FnMut(&mut ExprPool, ExprId, &[Vec<u128>])) {
    for seed in 0..1500 {
        let mut random = Random(seed);
        let mut formulas = Formulas::new(&mut random, SHAPE);
        let root = formulas.formula();
        let (variables, mut pool) = (formulas.variables.clone(), std::mem::take(&mut formulas.pool));
        drop(formulas);
        let count = variables.iter().map(|(var, _)| var.0 + 1).max().unwrap_or(0) as usize;
        let mut one = || {
            let mut values = vec![0; count];
            for (var, sort) in &variables {
                values[var.0 as usize] = random.bits(sort.bits().unwrap());
            }
            values
        };
        let values: Vec<Vec<u128>> = (0..20).map(|_| one()).collect();
        f(&mut pool, root, &values);
    }
}

#[test]
fn translation_is_exact() {
    let mut exact = 0;
    for_random_formulas(|pool, root, all| {
        let mut translation = translate::translation(pool, &[root]);
        let term = translation.formula(root);
        exact += u32::from(beyond_integers(pool, &translation.terms, &[term]).is_none());
        for values in all {
            let (expected, found) = (evaluated(pool, root, values), meaning(pool, &translation.terms, term, values));
            assert_eq!(found, expected as i128, "{root:?} on {values:?}");
        }
    });
    assert!(exact > 300, "most formulas are more than leaves: {exact}");
}

#[test]
fn lifting_is_exact() {
    let mut lifted = 0;
    for_random_formulas(|pool, root, all| {
        let mut translation = translate::translation(pool, &[root]);
        let term = translation.formula(root);
        let terms = translation.terms;
        let Some(back) = lift(pool, &terms, term) else { return };
        lifted += 1;
        for values in all {
            assert_eq!(evaluated(pool, back, values), evaluated(pool, root, values), "{root:?} on {values:?}");
        }
    });
    assert!(lifted > 1000, "few are too wide: {lifted} are not");
}

#[test]
fn what_is_printed_is_read_again() {
    for_random_formulas(|pool, root, _| {
        let mut translation = translate::translation(pool, &[root]);
        let term = translation.formula(root);
        let mut terms = translation.terms;
        let mut text = String::new();
        let name = Printer::default().term(&terms, term, &mut text);
        // Definitions, as one `let` in the other.
        let mut whole = String::new();
        let mut ends = 0;
        for line in text.lines() {
            let Some(definition) = line.strip_prefix("(define-fun ") else { continue };
            let (name, body) = definition.split_once(" () ").unwrap();
            let body = body.strip_suffix(')').unwrap().split_once(' ').unwrap().1;
            whole += &format!("(let (({name} {body})) ");
            ends += 1;
        }
        whole += &name;
        whole += &")".repeat(ends);
        let (sexprs, id) = parse(&whole).unwrap();
        let again = read(&sexprs, id, &mut terms).unwrap();
        assert_eq!(again, term, "{whole}");
    });
}

fn int(pool: &mut ExprPool, number: u32) -> ExprId {
    pool.var(VarId(number), Sort::Bits(32))
}

#[test]
fn comparisons_stay_in_their_width() {
    let mut pool = ExprPool::new();
    let (x, y) = (int(&mut pool, 0), int(&mut pool, 1));
    let mut terms = Terms::default();
    let (a, b) = (terms.value(x, 32, View::Signed), terms.value(y, 32, View::Signed));
    let minus = terms.scale(b, -1).unwrap();
    let difference = terms.add(a, minus).unwrap();
    let zero = terms.number(0);
    let term = terms.le(difference, zero);
    assert_eq!(lift(&mut pool, &terms, term), Some(pool.binary(BinOp::SLe, x, y)));
    let term = terms.lt(difference, zero);
    assert_eq!(lift(&mut pool, &terms, term), Some(pool.binary(BinOp::SLt, x, y)));
    let odd = terms.rem(minus, 2).unwrap();
    let term = terms.eq(odd, zero);
    let (low, none) = (pool.extract(0, 0, y), pool.bits(1, 0));
    assert_eq!(lift(&mut pool, &terms, term), Some(pool.eq(low, none)));
}

#[test]
fn deep_formulas_do_not_overflow_the_stack() {
    let mut pool = ExprPool::new();
    let (x, y) = (int(&mut pool, 0), int(&mut pool, 1));
    let mut sum = x;
    for i in 0..100_000 {
        let condition = pool.binary(BinOp::SLt, sum, y);
        let one = pool.bits(32, i % 7 + 1);
        let more = pool.binary(BinOp::BvAdd, sum, one);
        sum = pool.ite(condition, more, sum);
    }
    let formula = pool.eq(sum, y);
    let mut translation = translate::translation(&pool, &[formula]);
    let term = translation.formula(formula);
    let mut text = String::new();
    Printer::default().term(&translation.terms, term, &mut text);
    assert!(text.len() < 100_000_000);
}

fn interpolated(pool: &mut ExprPool, parts: &[ExprId]) -> Option<Result<Interpolation, SolverError>> {
    let Some(found) = find_integer_solver() else {
        eprintln!("skipped: no solver that interpolates integers is on PATH");
        return None;
    };
    let mut interpolator = IntegerInterpolator::new(found, Patience::default());
    interpolator.set_effort(Effort { time: Some(Duration::from_secs(60)), conflicts: None });
    Some(interpolator.interpolate(pool, parts))
}

/// `x0 = y0`, both are incremented three times, `x3 != y3`.
#[test]
fn sums_are_interpolated() {
    let mut pool = ExprPool::new();
    let (x, y) = (int(&mut pool, 0), int(&mut pool, 1));
    let mut parts = vec![pool.eq(x, y)];
    let (mut x, mut y) = (x, y);
    for i in 1..=3 {
        let (next_x, next_y, one) = (int(&mut pool, 2 * i), int(&mut pool, 2 * i + 1), pool.bits(32, 1));
        let (more_x, more_y) = (pool.binary(BinOp::BvAdd, x, one), pool.binary(BinOp::BvAdd, y, one));
        let (of_x, of_y) = (pool.eq(next_x, more_x), pool.eq(next_y, more_y));
        parts.push(pool.and(of_x, of_y));
        (x, y) = (next_x, next_y);
    }
    parts.push(pool.ne(x, y));
    let Some(answer) = interpolated(&mut pool, &parts) else { return };
    assert!(matches!(answer, Ok(Interpolation::Interpolants(all)) if all.len() == 4));
}

/// Integers would say that `x + 1 > x`.
#[test]
fn wraps_are_not_forgotten() {
    let mut pool = ExprPool::new();
    let (x, y, one) = (int(&mut pool, 0), int(&mut pool, 1), pool.bits(32, 1));
    let more = pool.binary(BinOp::BvAdd, x, one);
    let parts = [pool.eq(y, more), pool.binary(BinOp::SLt, y, x)];
    let Some(answer) = interpolated(&mut pool, &parts) else { return };
    assert_eq!(answer, Ok(Interpolation::Sat));
}

#[test]
fn what_integers_cannot_say_has_a_name() {
    let mut pool = ExprPool::new();
    let (x, y, z) = (int(&mut pool, 0), int(&mut pool, 1), int(&mut pool, 2));
    let both = pool.binary(BinOp::BvAnd, x, y);
    let parts = [pool.eq(z, both), pool.binary(BinOp::ULt, x, z)];
    let Some(answer) = interpolated(&mut pool, &parts) else { return };
    assert_eq!(answer, Err(SolverError::Unsupported("BvAnd of two values in integers".into())));
}
