//! Sets of facts that all hold: taken apart, made into predicates, and freed of a variable.

use crate::config::PredSplit;
use crate::model::as_var;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, UnOp, VarId, eval};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Atoms with more nodes than this are left to later attempts.
const LARGEST_ATOM: usize = 60;

/// Choices within an atom that become several atoms.
const MOST_CHOICES: u32 = 32;

/// Bounds of an eliminated variable that are combined with each other.
const MOST_BOUNDS: usize = 6;

/// Adds the conjuncts of a formula.
pub fn add(pool: &mut ExprPool, facts: &mut Vec<ExprId>, formula: ExprId) {
    let mut open = vec![(formula, true)];
    // Conjunctions may share parts.
    let mut seen: FxHashSet<(ExprId, bool)> = FxHashSet::default();
    while let Some((id, holds)) = open.pop() {
        if !seen.insert((id, holds)) {
            continue;
        }
        match pool.get(id) {
            Expr::Unary(UnOp::Not, a) => open.push((a, !holds)),
            Expr::Binary(BinOp::And, a, b) if holds => open.extend([(a, true), (b, true)]),
            Expr::Binary(BinOp::Or, a, b) if !holds => open.extend([(a, false), (b, false)]),
            _ => {
                let fact = if holds { id } else { pool.not(id) };
                if !pool.is_bool(fact, true) && !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
        }
    }
}

/// Replaces a variable in all facts.
pub fn substitute(pool: &mut ExprPool, facts: &[ExprId], var: VarId, value: ExprId) -> Vec<ExprId> {
    let mut result = Vec::with_capacity(facts.len());
    for &fact in facts {
        if pool.vars(fact).contains(&var) {
            let then = pool.substitute(fact, &mut |v| (v == var).then_some(value));
            add(pool, &mut result, then);
        } else if !result.contains(&fact) {
            result.push(fact);
        }
    }
    result
}

pub fn all(pool: &mut ExprPool, facts: &[ExprId]) -> ExprId {
    let truth = pool.bool(true);
    facts.iter().fold(truth, |all, fact| pool.and(all, *fact))
}

/// Predicates that say what facts say, in pieces of the wanted size.
pub fn split(pool: &mut ExprPool, facts: &[ExprId], split: PredSplit) -> Vec<ExprId> {
    match split {
        PredSplit::Whole => {
            let whole = all(pool, facts);
            if pool.as_const(whole).is_some() { Vec::new() } else { vec![whole] }
        }
        PredSplit::Conjuncts => facts.to_vec(),
        PredSplit::Atoms => {
            let mut atoms = BTreeSet::new();
            for fact in facts {
                atoms_of(pool, *fact, &mut atoms);
            }
            atoms.into_iter().collect()
        }
    }
}

/// The atoms of a formula: what is left when it is taken apart at its connectives, and at choices between values.
pub fn atoms_of(pool: &mut ExprPool, formula: ExprId, atoms: &mut BTreeSet<ExprId>) {
    let mut open = vec![formula];
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    let mut choices = 0;
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match pool.get(id) {
            Expr::Const(_) => {}
            Expr::Unary(UnOp::Not, a) => open.push(a),
            Expr::Binary(BinOp::And | BinOp::Or | BinOp::Xor, a, b) => open.extend([a, b]),
            Expr::Binary(BinOp::Eq, a, b) if pool.sort(a) == Sort::Bool => open.extend([a, b]),
            Expr::Ite(c, a, b) if pool.sort(id) == Sort::Bool => open.extend([c, a, b]),
            Expr::Binary(op, a, b) if choices < MOST_CHOICES && (is_choice(pool, a) || is_choice(pool, b)) => {
                choices += 1;
                let (choice, on_left) = if is_choice(pool, a) { (a, true) } else { (b, false) };
                if let Expr::Ite(c, x, y) = pool.get(choice) {
                    open.push(c);
                    for value in [x, y] {
                        let atom = if on_left { pool.binary(op, value, b) } else { pool.binary(op, a, value) };
                        open.push(atom);
                    }
                }
            }
            _ if size(pool, id) > LARGEST_ATOM => {}
            _ => {
                let atom = solved(pool, id);
                if pool.as_const(atom).is_none() {
                    atoms.insert(atom);
                }
            }
        }
    }
}

fn is_choice(pool: &ExprPool, expr: ExprId) -> bool {
    matches!(pool.get(expr), Expr::Ite(..)) && pool.sort(expr).bits().is_some()
}

/// How many different nodes an expression has, up to a limit.
fn size(pool: &ExprPool, expr: ExprId) -> usize {
    let mut count = 0;
    pool.for_each_node(&[expr], |_, _| count += 1);
    count
}

/// `x + 1 < 5` as `x < 4`: with overflow it is not the same, but it is as good a predicate, and there are fewer of them. Where the
/// constants overflow themselves, the atom stays as it is.
fn solved(pool: &mut ExprPool, atom: ExprId) -> ExprId {
    let Expr::Binary(op @ (BinOp::SLt | BinOp::SLe), a, b) = pool.get(atom) else { return atom };
    let Some(width) = pool.sort(a).bits() else { return atom };
    let offset = |pool: &ExprPool, expr: ExprId| match pool.get(expr) {
        Expr::Binary(BinOp::BvAdd, x, c) => pool.as_const(c).map(|c| (x, c.bits)),
        _ => None,
    };
    let minus = |pool: &mut ExprPool, constant: ExprId, offset: u128| -> Option<ExprId> {
        let from = eval::to_signed(width, pool.as_const(constant)?.bits);
        let result = from.checked_sub(eval::to_signed(width, offset))?;
        let bits = result as u128 & eval::mask(width);
        (eval::to_signed(width, bits) == result).then(|| pool.bits(width, bits))
    };
    if let Some((x, c)) = offset(pool, a)
        && let Some(constant) = minus(pool, b, c)
    {
        return pool.binary(op, x, constant);
    }
    if let Some((x, c)) = offset(pool, b)
        && let Some(constant) = minus(pool, a, c)
    {
        return pool.binary(op, constant, x);
    }
    atom
}

/// Facts that follow and do not mention a variable (existential quantification, or a weaker set): an equation is solved for
/// it, lower bounds meet upper bounds, what else mentions it is dropped.
pub fn eliminate(pool: &mut ExprPool, facts: &[ExprId], var: VarId) -> Vec<ExprId> {
    let (with, mut rest): (Vec<ExprId>, Vec<ExprId>) =
        facts.iter().copied().partition(|fact| pool.vars(*fact).contains(&var));
    if with.is_empty() {
        return rest;
    }
    for (i, &fact) in with.iter().enumerate() {
        if let Some(value) = value_of(pool, fact, var) {
            let mut others = with.clone();
            others.remove(i);
            for fact in substitute(pool, &others, var, value) {
                add(pool, &mut rest, fact);
            }
            return rest;
        }
    }
    // Below and above, whether strictly, whether signed.
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for &fact in &with {
        let (inner, holds) = match pool.get(fact) {
            Expr::Unary(UnOp::Not, a) => (a, false),
            _ => (fact, true),
        };
        let Expr::Binary(op, a, b) = pool.get(inner) else { continue };
        let (is_signed, is_strict) = match op {
            BinOp::SLt => (true, true),
            BinOp::SLe => (true, false),
            BinOp::ULt => (false, true),
            BinOp::ULe => (false, false),
            _ => continue,
        };
        let (a, b, is_strict) = if holds { (a, b, is_strict) } else { (b, a, !is_strict) };
        if as_var(pool, a) == Some(var) && !pool.vars(b).contains(&var) {
            above.push((b, is_strict, is_signed));
        } else if as_var(pool, b) == Some(var) && !pool.vars(a).contains(&var) {
            below.push((a, is_strict, is_signed));
        }
    }
    for &(low, low_strict, low_signed) in below.iter().take(MOST_BOUNDS) {
        for &(high, high_strict, high_signed) in above.iter().take(MOST_BOUNDS) {
            if low_signed == high_signed {
                let op = match (low_signed, low_strict || high_strict) {
                    (true, true) => BinOp::SLt,
                    (true, false) => BinOp::SLe,
                    (false, true) => BinOp::ULt,
                    (false, false) => BinOp::ULe,
                };
                let fact = pool.binary(op, low, high);
                add(pool, &mut rest, fact);
            }
        }
    }
    rest
}

/// The value of a variable that a fact fixes, in terms of others.
pub fn value_of(pool: &mut ExprPool, fact: ExprId, var: VarId) -> Option<ExprId> {
    match pool.get(fact) {
        Expr::Var(v) if v == var => Some(pool.bool(true)),
        Expr::Unary(UnOp::Not, a) if as_var(pool, a) == Some(var) => Some(pool.bool(false)),
        Expr::Binary(BinOp::Eq, a, b) => [(a, b), (b, a)].into_iter().find_map(|(a, b)| {
            if pool.vars(b).contains(&var) {
                return None;
            }
            match pool.get(a) {
                Expr::Var(v) if v == var => Some(b),
                Expr::Binary(op @ (BinOp::BvAdd | BinOp::BvSub), x, y) => {
                    let (x_is, y_is) = (as_var(pool, x) == Some(var), as_var(pool, y) == Some(var));
                    match op {
                        BinOp::BvAdd if x_is && !pool.vars(y).contains(&var) => Some(pool.binary(BinOp::BvSub, b, y)),
                        BinOp::BvAdd if y_is && !pool.vars(x).contains(&var) => Some(pool.binary(BinOp::BvSub, b, x)),
                        BinOp::BvSub if x_is && !pool.vars(y).contains(&var) => Some(pool.binary(BinOp::BvAdd, b, y)),
                        BinOp::BvSub if y_is && !pool.vars(x).contains(&var) => Some(pool.binary(BinOp::BvSub, x, b)),
                        _ => None,
                    }
                }
                _ => None,
            }
        }),
        _ => None,
    }
}
