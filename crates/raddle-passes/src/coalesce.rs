//! Defines a variable directly instead of through a temporary: `t := …; x := t` becomes `x := …` if nothing else
//! reads that `t`.
//!
//! Lowering makes such temporaries for every load and call. Coalescing them (rather than propagating the copy
//! forward) keeps the name that people know. The two labels must stand on a straight piece of code, and nothing
//! between them may touch `x`.

use raddle_analysis::cfg::Cfg;
use raddle_analysis::liveness::live_among;
use raddle_analysis::{Live, Output};
use raddle_ir::{EdgeId, Expr, ExprPool, Label, LocId, Procedure, Program, Var, VarId, VarsOf};
use rustc_hash::FxHashSet;

/// Defines variables directly instead of through temporaries.
pub fn coalesce(mut program: Program) -> Program {
    for proc in &mut program.procs {
        // A chain of two copies needs two rounds; longer ones do not come up.
        for _ in 0..2 {
            if !coalesce_once(proc, &mut program.vars, &program.pool) {
                break;
            }
        }
    }
    program
}

/// How many edges may lie between the two labels.
const REACH: usize = 4;

type At = (EdgeId, u32);

fn coalesce_once(proc: &mut Procedure, vars: &mut [Var], pool: &ExprPool) -> bool {
    let found = find(proc, pool);
    for Pair { definition, x, between, .. } in &found {
        between.iter().for_each(|loc| proc.locations[loc.index()].lose_exactness());
        let label = &mut proc.edges[definition.0.index()].labels[definition.1 as usize];
        if let Some(var) = label.written_local_mut() {
            vars[var.index()].lose_writes();
            *var = *x;
        }
    }
    let copies: FxHashSet<At> = found.iter().map(|pair| pair.copy).collect();
    for (i, edge) in proc.edges.iter_mut().enumerate() {
        let mut label = 0;
        edge.labels.retain(|_| {
            label += 1;
            !copies.contains(&(EdgeId(i as u32), label - 1))
        });
    }
    !found.is_empty()
}

/// A definition and the only copy of it.
struct Pair {
    definition: At,
    copy: At,
    /// The variable copied to.
    x: VarId,
    /// The locations on the way: `x` has its new value there already.
    between: Vec<LocId>,
}

fn find(proc: &Procedure, pool: &ExprPool) -> Vec<Pair> {
    let cfg = Cfg::new(proc);
    let mut vars_of = VarsOf::new();
    let mut pairs: Vec<(VarId, Pair)> = Vec::new();
    for (i, edge) in proc.edges.iter().enumerate().filter(|(_, edge)| cfg.is_reachable(edge.source)) {
        for (l, label) in edge.labels.iter().enumerate() {
            if let Label::Assign { var: x, value } = *label
                && let Expr::Var(t) = pool.get(value)
                && x != t
                && let copy = (EdgeId(i as u32), l as u32)
                && let Some((definition, between)) = definition(proc, &cfg, pool, &mut vars_of, copy, [t, x])
            {
                pairs.push((t, Pair { definition, copy, x, between }));
            }
        }
    }
    let mut temporaries: Vec<VarId> = pairs.iter().map(|(t, _)| *t).collect();
    temporaries.sort_unstable();
    temporaries.dedup();
    let live = live_among(proc, pool, Output::Read, &temporaries);
    let mut touched: FxHashSet<At> = FxHashSet::default();
    let mut found = Vec::new();
    for (t, pair) in pairs {
        let Pair { definition, copy, .. } = pair;
        if !touched.contains(&definition)
            && !touched.contains(&copy)
            && !is_read_after(proc, pool, &live, &mut vars_of, copy, t)
        {
            touched.extend([definition, copy]);
            found.push(pair);
        }
    }
    found
}

/// Where `t` is defined that a label copies to `x`, and the locations between, if control always comes from there straight to the copy, and nothing between touches `t` or `x`.
fn definition(
    proc: &Procedure,
    cfg: &Cfg,
    pool: &ExprPool,
    vars_of: &mut VarsOf,
    copy: At,
    [t, x]: [VarId; 2],
) -> Option<(At, Vec<LocId>)> {
    let (mut edge, mut end) = (copy.0, copy.1 as usize);
    let mut between = Vec::new();
    for _ in 0..REACH {
        let labels = &proc.edges[edge.index()].labels;
        for (l, label) in labels[..end].iter().enumerate().rev() {
            if label.written_local() == Some(t) {
                return Some(((edge, l as u32), between));
            }
            if label.written_local() == Some(x) || reads(label, pool, vars_of, &[t, x]) {
                return None;
            }
        }
        let source = proc.edges[edge.index()].source;
        let ([before], [_]) = (cfg.arriving(source), cfg.leaving(source)) else { return None };
        if source == proc.entry {
            return None;
        }
        between.push(source);
        edge = *before;
        end = proc.edges[edge.index()].labels.len();
    }
    None
}

fn reads(label: &Label, pool: &ExprPool, vars_of: &mut VarsOf, vars: &[VarId]) -> bool {
    let mut any = false;
    label.for_each_expr(|expr| any |= vars.iter().any(|var| vars_of.get(pool, expr).binary_search(var).is_ok()));
    any
}

/// May the value that a variable has at a label be read behind it?
fn is_read_after(proc: &Procedure, pool: &ExprPool, live: &Live, vars_of: &mut VarsOf, at: At, var: VarId) -> bool {
    let edge = &proc.edges[at.0.index()];
    for label in &edge.labels[at.1 as usize + 1..] {
        if reads(label, pool, vars_of, &[var]) {
            return true;
        }
        if label.written_local() == Some(var) {
            return false;
        }
    }
    live.contains(edge.target, var)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::Place;
    use raddle_testing::*;

    #[test]
    fn a_load_goes_straight_to_its_variable() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (t, x) = (b.local(main, "t", 32), b.local(main, "x", 32));
        let g = b.global("g", 32, None);
        let (vt, vx) = (b.get(t), b.get(x));
        b.edge(main, 0, 1, vec![load(t, Place::Var(g))]);
        b.edge(main, 1, 2, vec![Label::Assign { var: x, value: vt }]);
        b.edge(main, 2, EXIT, vec![Label::Halt { status: vx }]);
        let mut program = b.finish();
        raddle_ir::number_origins(&mut program);
        let program = coalesce(program);
        assert_eq!(program.procs[0].edges[0].labels, [load(x, Place::Var(g))]);
        assert!(program.procs[0].edges[1].labels.is_empty());
        // Between the two, `x` has its value too early.
        let is_exact = |loc: usize| program.procs[0].locations[loc].origin.0.map(|origin| origin.is_exact);
        let [first, between, last] = [0, 1, 2].map(|edge| program.procs[0].edges[edge].source.index()).map(is_exact);
        assert_eq!((first, between, last), (Some(true), Some(false), Some(true)));
    }

    #[test]
    fn the_old_value_of_the_variable_may_still_be_read_in_between() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (t, x) = (b.local(main, "t", 32), b.local(main, "x", 32));
        let g = b.global("g", 32, None);
        let (vt, vx) = (b.get(t), b.get(x));
        b.edge(main, 0, 1, vec![load(t, Place::Var(g))]);
        b.edge(main, 1, 2, vec![store(Place::Var(g), vx), Label::Assign { var: x, value: vt }]);
        let before = b.finish();
        assert_eq!(coalesce(before.clone()).procs, before.procs);
    }
}
