//! Ranges: the least and the greatest number, signed, that a local may be at a location (intervals, Cousot and Cousot 1977).
//!
//! For one procedure, by itself: memory, parameters and results of calls are any number. An operation that may wrap around gives any number. Where a loop goes on and on, a
//! bound is widened to the next number that some condition mentions, or next to one.

use crate::cfg::Cfg;
use raddle_ir::{BinOp, Edge, Expr, ExprId, ExprPool, Label, ProcId, Program, Sort, UnOp, VarId};
use rustc_hash::FxHashMap;

/// From the first number to the second, both included.
pub type Range = (i128, i128);

/// What is known at one place. Of a local that is not there, nothing is.
type State = FxHashMap<VarId, Range>;

/// Larger procedures, and those with more updates of a location on average, are not analysed.
const MOST_EDGES: usize = 10_000;
const MOST_UPDATES: usize = 60;
/// A location that changed so often is widened.
const PATIENCE: u32 = 3;
/// Expressions deeper than this are any number.
const DEEPEST: u32 = 20;

pub struct Ranges {
    /// For each location; `None` cannot be reached.
    at: Vec<Option<State>>,
}

/// Analyses a procedure; `None` if that takes too long.
pub fn ranges(program: &Program, proc: ProcId) -> Option<Ranges> {
    let proc = program.proc(proc);
    if proc.edges.len() > MOST_EDGES {
        return None;
    }
    let cfg = Cfg::new(proc);
    let cycles = cfg.on_cycle(proc);
    let thresholds = thresholds(program, &proc.edges);
    let mut at: Vec<Option<State>> = vec![None; proc.locations.len()];
    let mut changes = vec![0; proc.locations.len()];
    at[proc.entry.index()] = Some(State::default());
    let mut open = std::collections::VecDeque::from([proc.entry]);
    let mut updates = 0;
    while let Some(loc) = open.pop_front() {
        updates += 1;
        if updates > MOST_UPDATES * proc.locations.len() {
            return None;
        }
        for edge in cfg.leaving(loc).iter().map(|id| &proc.edges[id.index()]) {
            let Some(mut state) = at[loc.index()].clone() else { continue };
            if !edge.labels.iter().all(|label| step(program, &mut state, label)) || !crate::cfg::falls_through(edge) {
                continue;
            }
            let target = edge.target.index();
            let joined = match &at[target] {
                None => state,
                Some(before) => {
                    let widens = changes[target] >= PATIENCE && cycles.contains(target);
                    join(program, before, &state, widens.then_some(&thresholds[..]))
                }
            };
            if at[target].as_ref() != Some(&joined) {
                at[target] = Some(joined);
                changes[target] += 1;
                if !open.contains(&edge.target) {
                    open.push_back(edge.target);
                }
            }
        }
    }
    Some(Ranges { at })
}

impl Ranges {
    /// The range of an expression before a label of an edge; `more` knows variables that the procedure does not have.
    pub fn before(
        &self,
        program: &Program,
        edge: &Edge,
        label: usize,
        expr: ExprId,
        more: &dyn Fn(VarId) -> Option<Range>,
    ) -> Option<Range> {
        let mut state = self.at[edge.source.index()].clone()?;
        // A place that cannot be reached: any range will do.
        edge.labels[..label].iter().for_each(|label| {
            step(program, &mut state, label);
        });
        let of_var = |var: VarId| more(var).or_else(|| state.get(&var).copied());
        eval(&program.pool, expr, &of_var, DEEPEST)
    }
}

/// The numbers in conditions and their neighbours, in order.
fn thresholds(program: &Program, edges: &[Edge]) -> Vec<i128> {
    let mut found = Vec::new();
    let conditions = edges.iter().flat_map(|edge| &edge.labels).filter_map(|label| match label {
        Label::Assume(cond) => Some(*cond),
        _ => None,
    });
    let conditions: Vec<ExprId> = conditions.collect();
    program.pool.for_each_node(&conditions, |id, expr| {
        if let (Expr::Const(_), Some(number)) = (expr, constant(&program.pool, id)) {
            found.extend([number - 1, number, number + 1]);
        }
    });
    found.sort_unstable();
    found.dedup();
    found
}

fn constant(pool: &ExprPool, id: ExprId) -> Option<i128> {
    let constant = pool.as_const(id)?;
    let width = width(constant.sort)?;
    Some((constant.bits << (128 - width)) as i128 >> (128 - width))
}

fn width(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bits(width @ 1..=64) => Some(width.into()),
        _ => None,
    }
}

fn all(width: u32) -> Range {
    (-(1 << (width - 1)), (1 << (width - 1)) - 1)
}

/// What holds of all: bounds that move are widened.
fn join(program: &Program, old: &State, new: &State, thresholds: Option<&[i128]>) -> State {
    let mut result = State::default();
    for (&var, &(low, high)) in old {
        let (Some(&(new_low, new_high)), Some(width)) = (new.get(&var), width(program.var(var).sort)) else { continue };
        let (least, greatest) = all(width);
        let mut range = (low.min(new_low), high.max(new_high));
        if let Some(thresholds) = thresholds {
            if range.0 < low {
                range.0 = thresholds.iter().rev().copied().find(|t| *t <= range.0).unwrap_or(least).max(least);
            }
            if range.1 > high {
                range.1 = thresholds.iter().copied().find(|t| *t >= range.1).unwrap_or(greatest).min(greatest);
            }
        }
        if range != (least, greatest) {
            result.insert(var, range);
        }
    }
    result
}

/// Passes a label. Can it be passed?
fn step(program: &Program, state: &mut State, label: &Label) -> bool {
    let pool = &program.pool;
    match label {
        Label::Assign { var, value } => {
            match eval(pool, *value, &|var| state.get(&var).copied(), DEEPEST) {
                Some(range) => state.insert(*var, range),
                None => state.remove(var),
            };
            true
        }
        Label::Assume(cond) | Label::Require { cond, .. } | Label::Await(cond) => {
            assume(pool, state, *cond, true, DEEPEST)
        }
        other => {
            if let Some(var) = other.written_local() {
                state.remove(&var);
            }
            true
        }
    }
}

/// Assumes that a condition holds, or that it does not. Can that be?
fn assume(pool: &ExprPool, state: &mut State, cond: ExprId, holds: bool, fuel: u32) -> bool {
    match (pool.get(cond), holds) {
        _ if fuel == 0 => true,
        _ if pool.is_bool(cond, !holds) => false,
        (Expr::Unary(UnOp::Not, inner), _) => assume(pool, state, inner, !holds, fuel - 1),
        (Expr::Binary(BinOp::And, a, b), true) | (Expr::Binary(BinOp::Or, a, b), false) => {
            assume(pool, state, a, holds, fuel - 1) && assume(pool, state, b, holds, fuel - 1)
        }
        (Expr::Binary(BinOp::SLt, a, b), true) => at_most(pool, state, a, b, 1),
        (Expr::Binary(BinOp::SLe, a, b), true) => at_most(pool, state, a, b, 0),
        (Expr::Binary(BinOp::SLt, a, b), false) => at_most(pool, state, b, a, 0),
        (Expr::Binary(BinOp::SLe, a, b), false) => at_most(pool, state, b, a, 1),
        (Expr::Binary(BinOp::Eq, a, b), true) if width(pool.sort(a)).is_some() => {
            at_most(pool, state, a, b, 0) && at_most(pool, state, b, a, 0)
        }
        _ => true,
    }
}

/// Assumes `a + by <= b`.
fn at_most(pool: &ExprPool, state: &mut State, a: ExprId, b: ExprId, by: i128) -> bool {
    let Some(width) = width(pool.sort(a)) else { return true };
    let range = |state: &State, expr| eval(pool, expr, &|var| state.get(&var).copied(), DEEPEST).unwrap_or(all(width));
    let (of_a, of_b) = (range(state, a), range(state, b));
    for (expr, old, new) in [(a, of_a, (of_a.0, of_a.1.min(of_b.1 - by))), (b, of_b, (of_b.0.max(of_a.0 + by), of_b.1))]
    {
        if new.0 > new.1 {
            return false;
        }
        if let Expr::Var(var) = pool.get(expr)
            && new != old
        {
            state.insert(var, new);
        }
    }
    true
}

/// The range of an expression, if it is less than all numbers of its sort.
fn eval(pool: &ExprPool, expr: ExprId, of_var: &dyn Fn(VarId) -> Option<Range>, fuel: u32) -> Option<Range> {
    let width = width(pool.sort(expr))?;
    if fuel == 0 {
        return None;
    }
    let any = |id: ExprId| self::width(pool.sort(id)).map(all);
    let of = |id: ExprId| eval(pool, id, of_var, fuel - 1).or_else(|| any(id));
    let (least, greatest) = all(width);
    let range = match pool.get(expr) {
        Expr::Const(_) => constant(pool, expr).map(|number| (number, number)),
        Expr::Var(var) => of_var(var),
        Expr::Binary(BinOp::BvAdd, a, b) => of(a).zip(of(b)).map(|(a, b)| (a.0 + b.0, a.1 + b.1)),
        Expr::Binary(BinOp::BvSub, a, b) => of(a).zip(of(b)).map(|(a, b)| (a.0 - b.1, a.1 - b.0)),
        Expr::Unary(UnOp::BvNeg, a) => of(a).map(|a| (-a.1, -a.0)),
        Expr::Binary(BinOp::BvMul, a, b) => {
            let (a, by) = (of(a)?, constant(pool, b)?);
            let (x, y) = (a.0.checked_mul(by)?, a.1.checked_mul(by)?);
            Some((x.min(y), x.max(y)))
        }
        Expr::Binary(BinOp::BvSDiv, a, b) => {
            let (a, by) = (of(a)?, constant(pool, b).filter(|by| *by > 0)?);
            Some((a.0 / by, a.1 / by))
        }
        Expr::Binary(BinOp::BvSRem, a, b) => {
            let (a, by) = (of(a)?, constant(pool, b).filter(|by| *by > 0)?);
            Some((if a.0 < 0 { 1 - by } else { 0 }, if a.1 > 0 { by - 1 } else { 0 }))
        }
        Expr::SignExt { arg, .. } => of(arg),
        Expr::ZeroExt { arg, .. } => {
            let narrow = self::width(pool.sort(arg))?;
            Some(of(arg).filter(|range| range.0 >= 0).unwrap_or((0, (1 << narrow) - 1)))
        }
        Expr::Ite(_, a, b) => of(a).zip(of(b)).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1))),
        _ => None,
    };
    range.filter(|range| *range != (least, greatest) && range.0 >= least && range.1 <= greatest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::parse_text;

    #[test]
    fn a_counter_stays_within_its_loop() {
        let text = "
program pointer_bits 32, dynamic_base 0x40000000, entry main

proc main()
  local i #0: bv32 signed
  local n #1: bv32 signed
  at L0, L1, L2, L3, L4
  entry L0, exit L4
  L0 -> L1: n := havoc input; assume n <s 1000i32; i := 0i32
  L1 -> L2: assume i <s n
  L2 -> L1: i := i + 1i32
  L1 -> L3: assume n <=s i
  L3 -> L4: i := i * 3i32
";
        let program = parse_text(text).unwrap_or_else(|error| panic!("{error}"));
        let found = ranges(&program, ProcId(0)).expect("it is small");
        let i = program.pool.find(Expr::Var(VarId(0))).expect("it is read");
        let at = |edge: usize| found.before(&program, &program.procs[0].edges[edge], 0, i, &|_| None);
        // All locations of a loop are widened, not only its head: bounds are one larger than they need be.
        assert_eq!(at(1), Some((0, 1000)), "before the condition");
        assert_eq!(at(2), Some((0, 999)), "in the loop");
        assert_eq!(at(4), Some((0, 1000)), "after the loop");
    }
}
