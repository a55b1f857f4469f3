//! Weakest preconditions along the way of a model: which conditions of a state make it meet an error, or a cube.
//!
//! A block is many ways, merged by `ite`. The model says which way was taken and with which inputs; along it, a literal of the cube becomes a condition of the state before (`x == y + 5` becomes
//! `x == y + 4` where `x` was increased). Conditions that no statement of the program has come from here, as they do in IC3 with implicit abstraction (Cimatti, Griggio, Mover and Tonetta, TACAS 2014) from
//! interpolants. They are literals like others: nothing rests on where they come from.

use super::blocks::State;
use crate::summaries::{Summaries, Values};
use raddle_invariants::system::System;
use raddle_ir::eval::{Evaluated, mask};
use raddle_ir::{BinOp, Expr, ExprId, Sort, UnOp, Value, VarId};
use rustc_hash::FxHashMap;
use std::convert::Infallible;

/// So many conditions of one state.
const MOST: usize = 40;

/// The conditions of a state that the way to a cube (or an error) needs: those of the cube first.
pub fn preconditions(
    system: &mut System,
    of: &Summaries,
    state: &State,
    met: Option<(usize, &[ExprId])>,
) -> Vec<ExprId> {
    let cut = &of.cuts[state.cut];
    let mut along = Along { state, evaluated: Evaluated::default(), known: FxHashMap::default(), found: Vec::new() };
    match met {
        None => {
            along.explain(system, cut.error, true);
            along.explain(system, cut.open, true);
        }
        Some((target, cube)) => {
            let Some(summary) = cut.summaries.iter().find(|summary| summary.target == target) else {
                return Vec::new();
            };
            for &literal in cube {
                let before = after(system, &summary.after, literal);
                along.explain(system, before, true);
            }
            along.explain(system, summary.cond, true);
        }
    }
    along.found
}

/// What a condition after a block says before it.
fn after(system: &mut System, after: &Values, condition: ExprId) -> ExprId {
    system.pool.substitute(condition, &mut |var| after.get(&var).copied())
}

struct Along<'a> {
    state: &'a State,
    evaluated: Evaluated,
    /// What expressions are on this way.
    known: FxHashMap<ExprId, ExprId>,
    found: Vec<ExprId>,
}

impl Along<'_> {
    fn value(&mut self, system: &System, expr: ExprId) -> u128 {
        let state = self.state;
        let mut env = |var: VarId| Ok::<_, Infallible>(Value::Bits(state.value(var).unwrap_or_default()));
        let Ok(value) = self.evaluated.eval(&system.pool, expr, &mut env);
        value.bits()
    }

    /// The comparisons because of which a condition is what it is.
    fn explain(&mut self, system: &mut System, condition: ExprId, is_true: bool) {
        let mut open = vec![(condition, is_true)];
        while let Some((condition, is_true)) = open.pop() {
            if self.found.len() >= MOST || (self.value(system, condition) == 1) != is_true {
                continue;
            }
            match (system.pool.get(condition), is_true) {
                (Expr::Unary(UnOp::Not, a), _) => open.push((a, !is_true)),
                (Expr::Binary(BinOp::And, a, b), true) | (Expr::Binary(BinOp::Or, a, b), false) => {
                    open.extend([(b, is_true), (a, is_true)]);
                }
                // One of them is enough.
                (Expr::Binary(BinOp::And | BinOp::Or, a, b), _) => {
                    let first = (self.value(system, a) == 1) == is_true;
                    open.push((if first { a } else { b }, is_true));
                }
                (Expr::Ite(c, a, b), _) if system.pool.sort(condition) == Sort::Bool => {
                    let first = self.value(system, c) == 1;
                    open.extend([(if first { a } else { b }, is_true), (c, first)]);
                }
                _ => {
                    let condition = self.resolved(system, condition);
                    let condition = on_one_side(system, condition);
                    if !self.found.contains(&condition) && !system.pool.vars(condition).is_empty() {
                        self.found.push(condition);
                    }
                }
            }
        }
    }

    /// An expression without the choices that the way has made.
    fn resolved(&mut self, system: &mut System, root: ExprId) -> ExprId {
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if self.known.contains_key(&id) {
                open.pop();
                continue;
            }
            let expr = system.pool.get(id);
            let done = match expr {
                Expr::Ite(cond, a, b) => {
                    let taken = if self.value(system, cond) == 1 { a } else { b };
                    match self.known.get(&taken) {
                        Some(&done) => done,
                        None => {
                            open.push(taken);
                            continue;
                        }
                    }
                }
                Expr::Var(var) => match self.state.input(var) {
                    Some(value) => {
                        let sort = system.pool.sort(id);
                        raddle_model::number(&mut system.pool, sort, value)
                    }
                    None => id,
                },
                _ => {
                    let mut missing = None;
                    let mapped = expr.map_operands(|operand| match self.known.get(&operand) {
                        Some(&done) => done,
                        None => {
                            missing = Some(operand);
                            operand
                        }
                    });
                    if let Some(operand) = missing {
                        open.push(operand);
                        continue;
                    }
                    let sort = system.pool.sort(id);
                    if mapped == expr { id } else { system.pool.rebuild(mapped, sort) }
                }
            };
            self.known.insert(id, done);
            open.pop();
        }
        self.known[&root]
    }
}

/// An equation with at most one constant summand, so that each relation is met in one form.
fn on_one_side(system: &mut System, condition: ExprId) -> ExprId {
    let pool = &mut system.pool;
    let Expr::Binary(BinOp::Eq, a, b) = pool.get(condition) else { return condition };
    let Sort::Bits(width) = pool.sort(a) else { return condition };
    let split = |id: ExprId| match pool.get(id) {
        Expr::Binary(BinOp::BvAdd, x, y) => match (pool.as_const(x), pool.as_const(y)) {
            (None, Some(c)) => (x, c.bits),
            (Some(c), None) => (y, c.bits),
            _ => (id, 0),
        },
        _ => (id, 0),
    };
    let ((a, c), (b, d)) = (split(a), split(b));
    let ((a, c), (b, d)) = if a <= b { ((a, c), (b, d)) } else { ((b, d), (a, c)) };
    let summand = pool.bits(width, c.wrapping_sub(d) & mask(width));
    let sum = pool.binary(BinOp::BvAdd, a, summand);
    pool.eq(b, sum)
}
