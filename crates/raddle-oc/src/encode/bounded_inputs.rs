//! Inputs that a question bounds get as many bits as the bounds leave open.
//!
//! Programs assume of their inputs that they are small (`assume(0 <= x && x < 10)`). For the SAT solver, the other bits of `x` are zero by unit propagation, but a product of 32 bits has been made by
//! then, all of whose gates stay. So where the question is a conjunction that bounds `x`, it is asked of a narrow `x'` in its place, extended to the width of `x`, and the circuits are as narrow. That
//! `x` is what was asked of stays a part of the question, so that a model has a value for it.
//!
//! Only questions with products are worth it: sums and comparisons of narrow numbers cost next to nothing.

use crate::symbolic::symbols::Symbols;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, UnOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The narrow variables that there are, by the variable they stand for, their width and whether they have a sign: the next question has the same ones.
#[derive(Default)]
pub struct BoundedInputs {
    known: FxHashMap<(VarId, u8, bool), ExprId>,
}

/// The least and the greatest value, with sign.
type Range = (i128, i128);

impl BoundedInputs {
    /// The question, asked of narrow inputs. It can be true if and only if the question can, and then of the same values.
    pub fn narrowed(&mut self, pool: &mut Symbols, question: ExprId) -> ExprId {
        if !has_products(pool, question) {
            return question;
        }
        let mut narrow: FxHashMap<VarId, ExprId> = FxHashMap::default();
        let mut all = Vec::new();
        let mut ranges: Vec<(VarId, Range)> = ranges(pool, question).into_iter().collect();
        ranges.sort_unstable_by_key(|(var, _)| *var);
        for (var, range) in ranges {
            let Some((sort, bits, is_signed)) = needed(pool, var, range) else { continue };
            let width = sort.bits().unwrap_or(bits);
            let few = *self.known.entry((var, bits, is_signed)).or_insert_with(|| pool.fresh(Sort::Bits(bits)));
            let whole = if is_signed { pool.sign_ext(width, few) } else { pool.zero_ext(width, few) };
            narrow.insert(var, whole);
            let wide = pool.var(var, sort);
            all.push(pool.eq(wide, whole));
        }
        if narrow.is_empty() {
            return question;
        }
        let narrowed = pool.substitute(question, &mut |var| narrow.get(&var).copied());
        all.into_iter().fold(narrowed, |all, same| pool.and(all, same))
    }
}

/// Is anything multiplied or divided by what is no constant?
fn has_products(pool: &ExprPool, question: ExprId) -> bool {
    let mut found = false;
    pool.for_each_node(&[question], |_, expr| {
        found |= matches!(expr, Expr::Binary(BinOp::BvMul | BinOp::BvUDiv | BinOp::BvURem | BinOp::BvSDiv | BinOp::BvSRem, a, b)
            if pool.as_const(a).is_none() && pool.as_const(b).is_none());
    });
    found
}

/// The bits that hold a range, and whether one is the sign; nothing if these are all.
fn needed(pool: &ExprPool, var: VarId, (low, high): Range) -> Option<(Sort, u8, bool)> {
    let sort = pool.find(Expr::Var(var)).map(|var| pool.sort(var))?;
    let Sort::Bits(width) = sort else { return None };
    let size = |number: i128| (128 - number.leading_zeros()) as u8;
    let (bits, is_signed) = if low >= 0 { (size(high), false) } else { (size(high.max(-1 - low)) + 1, true) };
    let bits = bits.max(1);
    (low <= high && bits < width).then_some((sort, bits, is_signed))
}

/// What the parts of a conjunction say of single variables.
fn ranges(pool: &ExprPool, question: ExprId) -> FxHashMap<VarId, Range> {
    let mut ranges: FxHashMap<VarId, Range> = FxHashMap::default();
    let mut open = vec![(question, true)];
    let mut seen = FxHashSet::default();
    while let Some((id, is_true)) = open.pop() {
        if !seen.insert((id, is_true)) {
            continue;
        }
        match pool.get(id) {
            Expr::Unary(UnOp::Not, a) => open.push((a, !is_true)),
            Expr::Binary(BinOp::And, a, b) if is_true => open.extend([(a, true), (b, true)]),
            Expr::Binary(BinOp::Or, a, b) if !is_true => open.extend([(a, false), (b, false)]),
            Expr::Binary(op, a, b) => {
                if let Some((var, (low, high))) = bound(pool, op, a, b, is_true) {
                    let range = ranges.entry(var).or_insert((i128::MIN, i128::MAX));
                    *range = (range.0.max(low), range.1.min(high));
                }
            }
            _ => {}
        }
    }
    // Without the other bound nothing is narrow.
    ranges.retain(|_, (low, high)| *low != i128::MIN && *high != i128::MAX);
    ranges
}

/// What a comparison of a variable with a constant says of it.
fn bound(pool: &ExprPool, op: BinOp, a: ExprId, b: ExprId, is_true: bool) -> Option<(VarId, Range)> {
    let (var, limit, is_left) = match (pool.get(a), pool.get(b)) {
        (Expr::Var(var), Expr::Const(limit)) => (var, limit, true),
        (Expr::Const(limit), Expr::Var(var)) => (var, limit, false),
        _ => return None,
    };
    let Sort::Bits(width @ 1..=64) = limit.sort else { return None };
    let unsigned = limit.bits as i128;
    let half = 1i128 << (width - 1);
    let signed = if unsigned < half { unsigned } else { unsigned - 2 * half };
    let below = |limit: i128| (i128::MIN, limit);
    let above = |limit: i128| (limit, i128::MAX);
    let range = match (op, is_left, is_true) {
        (BinOp::Eq, _, true) => (signed, signed),
        (BinOp::SLe, true, true) | (BinOp::SLt, false, false) => below(signed),
        (BinOp::SLt, true, true) | (BinOp::SLe, false, false) => below(signed - 1),
        (BinOp::SLe, false, true) | (BinOp::SLt, true, false) => above(signed),
        (BinOp::SLt, false, true) | (BinOp::SLe, true, false) => above(signed + 1),
        // What is at most so much without a sign is not negative, if that is less than half of all numbers.
        (BinOp::ULe, true, true) | (BinOp::ULt, false, false) if unsigned < half => (0, unsigned),
        (BinOp::ULt, true, true) | (BinOp::ULe, false, false) if unsigned <= half => (0, unsigned - 1),
        _ => return None,
    };
    Some((var, range))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{ExprPool, Program};
    use raddle_smt::{Answer, NativeSolver, Solver};
    use raddle_testing::Random;

    fn symbols(vars: u8, width: u8) -> (Symbols, Vec<ExprId>) {
        let program = raddle_testing::lowered("int main(void) { return 0; }");
        let mut pool = Symbols::new(&Program { pool: ExprPool::new(), ..program }, false);
        let vars = (0..vars).map(|_| pool.fresh(Sort::Bits(width))).collect();
        (pool, vars)
    }

    fn comparison(pool: &mut Symbols, random: &mut Random, x: ExprId, width: u8) -> ExprId {
        let op = random.pick(&[BinOp::SLe, BinOp::SLt, BinOp::ULe, BinOp::ULt, BinOp::Eq]);
        let limit = pool.bits(width, random.below(1 << width).into());
        let cond = if random.below(2) == 0 { pool.binary(op, x, limit) } else { pool.binary(op, limit, x) };
        if random.below(2) == 0 { pool.not(cond) } else { cond }
    }

    /// The narrow question has an answer if and only if the other one has, and its models are models of the other one.
    #[test]
    fn answers_stay_the_same() {
        let mut random = Random::new(7);
        let mut narrowed = 0;
        for _ in 0..400 {
            let width = 5;
            let (mut pool, vars) = symbols(2, width);
            let product = pool.binary(BinOp::BvMul, vars[0], vars[1]);
            let limit = pool.bits(width, random.below(1 << width).into());
            let mut question = pool.binary(random.pick(&[BinOp::Eq, BinOp::SLt, BinOp::ULt]), product, limit);
            for _ in 0..2 + random.below(4) {
                let x = random.pick(&vars);
                let cond = comparison(&mut pool, &mut random, x, width);
                question = pool.and(question, cond);
            }
            let narrow = BoundedInputs::default().narrowed(&mut pool, question);
            narrowed += u32::from(narrow != question);
            let mut solver = NativeSolver::new();
            let expected = solver.check(&pool, &[question]).expect("no error");
            assert_eq!(solver.check(&pool, &[narrow]), Ok(expected));
            if expected == Answer::Sat {
                assert_eq!(solver.value(&pool, question).map(|value| value.bits()), Ok(1));
            }
        }
        assert!(narrowed > 100, "{narrowed}");
    }
}
