//! Defines a variable directly instead of through a temporary: `t := …; x := t` becomes `x := …` if nothing else
//! reads that `t`.
//!
//! Lowering makes such temporaries for every load and call. Coalescing them (rather than propagating the copy
//! forward) keeps the name that people know. The two labels must stand on a straight piece of code, and nothing
//! between them may touch `x`.

use raddle_analysis::cfg::Cfg;
use raddle_analysis::reaching::{Origin, Reaching};
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
    let mut reaching = Reaching::new(proc, &cfg);
    let mut vars_of = VarsOf::new();
    let mut uses = Vec::new();
    for i in 0..proc.edges.len() as u32 {
        if cfg.is_reachable(proc.edges[i as usize].source) {
            uses.extend(reaching.uses_on(EdgeId(i), pool, &mut vars_of).into_iter().map(|one| (EdgeId(i), one)));
        }
    }
    let at_exit = proc.result.map(|result| reaching.at(proc.exit, result));
    reaching.finish();
    let mut readers = vec![0u32; reaching.value_count()];
    for value in uses.iter().map(|(_, one)| one.value).chain(at_exit) {
        readers[value.index()] += 1;
    }
    for value in 0..reaching.value_count() as u32 {
        if let Origin::Phi { operands, .. } = reaching.origin(raddle_analysis::reaching::ValueId(value)) {
            operands.iter().for_each(|(_, operand)| readers[operand.index()] += 1);
        }
    }
    let mut touched: FxHashSet<At> = FxHashSet::default();
    let mut found = Vec::new();
    for (edge, one) in uses {
        let copy = (edge, one.label);
        let Label::Assign { var: x, value } = proc.edges[edge.index()].labels[one.label as usize] else { continue };
        let Origin::Label { edge: from, label } = *reaching.origin(one.value) else { continue };
        let definition = (from, label);
        if pool.get(value) == Expr::Var(one.var)
            && x != one.var
            && readers[one.value.index()] == 1
            && !touched.contains(&definition)
            && !touched.contains(&copy)
            && let Some(between) = straight_way_free_of(proc, &cfg, pool, &mut vars_of, definition, copy, x)
        {
            touched.extend([definition, copy]);
            found.push(Pair { definition, copy, x, between });
        }
    }
    found
}

/// The locations between two labels, if control always comes from the first straight to the second, with nothing between that reads or
/// defines `x`.
fn straight_way_free_of(
    proc: &Procedure,
    cfg: &Cfg,
    pool: &ExprPool,
    vars_of: &mut VarsOf,
    first: At,
    second: At,
    x: VarId,
) -> Option<Vec<LocId>> {
    let mut is_free = |labels: &[Label]| {
        labels.iter().all(|label| {
            let mut free = label.written_local() != Some(x);
            label.for_each_expr(|expr| free &= vars_of.get(pool, expr).binary_search(&x).is_err());
            free
        })
    };
    let (mut edge, mut end) = (second.0, second.1 as usize);
    let mut between = Vec::new();
    for _ in 0..REACH {
        let labels = &proc.edges[edge.index()].labels;
        if edge == first.0 && (first.1 as usize) < end {
            return is_free(&labels[first.1 as usize + 1..end]).then_some(between);
        }
        let source = proc.edges[edge.index()].source;
        let ([before], [_]) = (cfg.arriving(source), cfg.leaving(source)) else { return None };
        if source == proc.entry || !is_free(&labels[..end]) {
            return None;
        }
        between.push(source);
        edge = *before;
        end = proc.edges[edge.index()].labels.len();
    }
    None
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
