//! Leaves out what has no effect: definitions of locals that nothing needs, stores to variables that nothing loads,
//! branches whose sides are the same, and empty edges.
//!
//! A definition is needed if a label with an effect reads it, or a needed definition does (marking from the effects
//! on the graph of `reaching.rs`, so that a counter that only counts itself goes as well). What may go:
//! - `Assign`, `Havoc` and `Self_`: they only define;
//! - a non-atomic `Load` of a variable: it always succeeds. A load from memory may be an invalid access, which ends
//!   the path, so it stays; an atomic one orders other accesses, so it stays;
//! - a `Stack` `Alloc` of constant size: nothing can touch an object whose address nobody has;
//! - the result of a `Call`, `Join`, `Lock` or `Print`, not the label.
//!
//! Loads and stores that go may take part in a data race: whoever asks for races sets `keep_accesses`.

use fixedbitset::FixedBitSet;
use raddle_analysis::cfg::Cfg;
use raddle_analysis::processes::visible_exits;
use raddle_analysis::reaching::{Origin, Reaching, Use, ValueId};
use raddle_ir::{
    EdgeId, ExprPool, Label, Leak, LocId, LocKind, Order, Place, ProcId, Procedure, Program, Storage, Var, VarId,
    VarsOf,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Leaves out what has no effect. With `keep_accesses`, all loads and stores stay.
pub fn dead_code(mut program: Program, keep_accesses: bool) -> Program {
    if !keep_accesses {
        drop_unread_stores(&mut program);
    }
    let visible_exits = visible_exits(&program);
    for (i, proc) in program.procs.iter_mut().enumerate() {
        drop_definitions(proc, &mut program.vars, &program.pool, keep_accesses);
        join_equal_branches(proc, &mut program.pool);
        contract_empty_edges(proc, visible_exits.contains(ProcId(i as u32).index()));
    }
    program
}

/// Drops non-atomic stores to globals and thread-locals that are nowhere loaded.
fn drop_unread_stores(program: &mut Program) {
    let mut loaded: FxHashSet<VarId> = FxHashSet::default();
    let may_hold_pointer = |var: VarId| program.var(var).sort.bits() >= Some(program.pointer_bits);
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        // Whether memory is lost depends on all pointers.
        if let Label::Leaks { leak: Leak::PerhapsLost, .. } = label {
            loaded.extend((0..program.vars.len() as u32).map(VarId).filter(|var| may_hold_pointer(*var)));
        }
        if let Label::Load { place: Place::Var(var), .. } = label {
            loaded.insert(*var);
        }
    }
    for edge in program.procs.iter_mut().flat_map(|proc| &mut proc.edges) {
        edge.labels.retain(|label| match label {
            Label::Store { place: Place::Var(var), order: Order::NonAtomic, .. } if !loaded.contains(var) => {
                program.vars[var.index()].lose_writes();
                false
            }
            _ => true,
        });
    }
}

fn may_go(label: &Label, pool: &ExprPool, keep_accesses: bool) -> bool {
    match label {
        Label::Assign { .. }
        | Label::Havoc { .. }
        | Label::Self_ { .. }
        | Label::Valid { .. }
        | Label::Leaks { .. } => true,
        Label::Load { place: Place::Var(_), order: Order::NonAtomic, .. } => !keep_accesses,
        Label::Alloc { size, storage: Storage::Stack, .. } => pool.as_const(*size).is_some(),
        _ => false,
    }
}

fn drop_definitions(proc: &mut Procedure, vars: &mut [Var], pool: &ExprPool, keep_accesses: bool) {
    let needed = needed_labels(proc, pool, keep_accesses);
    for (i, edge) in proc.edges.iter_mut().enumerate() {
        let mut label_index = 0;
        edge.labels.retain_mut(|label| {
            let is_needed = needed.contains(&(EdgeId(i as u32), label_index));
            label_index += 1;
            if is_needed {
                return true;
            }
            if let Some(var) = label.written_local() {
                vars[var.index()].lose_writes();
            }
            if let Label::Join { var, .. }
            | Label::Lock { var, .. }
            | Label::Call { var, .. }
            | Label::Print { var, .. } = label
            {
                *var = None;
            }
            !may_go(label, pool, keep_accesses)
        });
    }
}

/// The labels that define a value which is needed.
fn needed_labels(proc: &Procedure, pool: &ExprPool, keep_accesses: bool) -> FxHashSet<(EdgeId, u32)> {
    let cfg = Cfg::new(proc);
    let mut reaching = Reaching::new(proc, &cfg);
    let mut vars_of = VarsOf::new();
    let mut open: Vec<ValueId> = Vec::new();
    let mut uses: Vec<Vec<Use>> = Vec::with_capacity(proc.edges.len());
    for (i, edge) in proc.edges.iter().enumerate() {
        if !cfg.is_reachable(edge.source) {
            uses.push(Vec::new());
            continue;
        }
        let on_edge = reaching.uses_on(EdgeId(i as u32), pool, &mut vars_of);
        open.extend(
            on_edge
                .iter()
                .filter(|one| !may_go(&edge.labels[one.label as usize], pool, keep_accesses))
                .map(|one| one.value),
        );
        uses.push(on_edge);
    }
    if let (Some(result), true) = (proc.result, cfg.is_reachable(proc.exit)) {
        open.push(reaching.at(proc.exit, result));
    }
    reaching.finish();
    let mut seen = FixedBitSet::with_capacity(reaching.value_count());
    let mut needed = FxHashSet::default();
    while let Some(value) = open.pop() {
        if seen.put(value.index()) {
            continue;
        }
        match reaching.origin(value) {
            Origin::Entry => {}
            Origin::Phi { operands, .. } => open.extend(operands.iter().map(|(_, operand)| *operand)),
            Origin::Label { edge, label } => {
                needed.insert((*edge, *label));
                let on_edge = &uses[edge.index()];
                let first = on_edge.partition_point(|one| one.label < *label);
                open.extend(on_edge[first..].iter().take_while(|one| one.label == *label).map(|one| one.value));
            }
        }
    }
    needed
}

/// Two edges between the same locations that only assume a condition and its opposite become one empty edge: exactly
/// one of them can be taken at each moment, and it makes no difference which.
fn join_equal_branches(proc: &mut Procedure, pool: &mut ExprPool) {
    let mut waiting: FxHashMap<(LocId, LocId), (usize, raddle_ir::ExprId)> = FxHashMap::default();
    let mut gone = FixedBitSet::with_capacity(proc.edges.len());
    for i in 0..proc.edges.len() {
        let edge = &proc.edges[i];
        let [Label::Assume(cond)] = edge.labels[..] else { continue };
        let ends = (edge.source, edge.target);
        match waiting.get(&ends) {
            Some(&(other, opposite)) if opposite == cond => {
                proc.edges[other].labels.clear();
                gone.insert(i);
                waiting.remove(&ends);
            }
            Some(_) => {}
            None => {
                waiting.insert(ends, (i, pool.not(cond)));
            }
        }
    }
    let mut i = 0;
    proc.edges.retain(|_| {
        i += 1;
        !gone.contains(i - 1)
    });
}

/// Joins the ends of an empty edge that is the only one to leave its source. An empty edge from a location to itself
/// stays: that thread runs for ever. So does one to a visible exit: what happens there (the end of the thread, of the Program, of automatic objects) must not become one
/// step with what comes before.
fn contract_empty_edges(proc: &mut Procedure, is_exit_visible: bool) {
    let mut out_degree = vec![0u32; proc.locations.len()];
    for edge in &proc.edges {
        out_degree[edge.source.index()] += 1;
    }
    let mut parent: Vec<u32> = (0..proc.locations.len() as u32).collect();
    fn find(parent: &mut [u32], loc: LocId) -> LocId {
        let mut at = loc.0;
        while parent[at as usize] != at {
            parent[at as usize] = parent[parent[at as usize] as usize];
            at = parent[at as usize];
        }
        LocId(at)
    }
    let (exit, locations) = (proc.exit, &mut proc.locations);
    proc.edges.retain(|edge| {
        if !edge.labels.is_empty()
            || out_degree[edge.source.index()] != 1
            || locations[edge.source.index()].kind != LocKind::Normal
            || is_exit_visible && edge.target == exit
        {
            return true;
        }
        let (source, target) = (find(&mut parent, edge.source), find(&mut parent, edge.target));
        if source == target {
            return true;
        }
        parent[source.index()] = target.0;
        if locations[target.index()].span.is_none() {
            locations[target.index()].span = locations[source.index()].span;
        }
        false
    });
    for edge in &mut proc.edges {
        edge.source = find(&mut parent, edge.source);
        edge.target = find(&mut parent, edge.target);
    }
    proc.entry = find(&mut parent, proc.entry);
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::BinOp;
    use raddle_testing::*;

    #[test]
    fn a_counter_that_only_counts_itself_goes_and_an_access_that_may_be_invalid_stays() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let (i, p, t) = (b.local(main, "i", 32), b.local(main, "p", 64), b.local(main, "t", 32));
        let g = b.global("g", 32, Some(0));
        let (vi, vp, one) = (b.get(i), b.get(p), b.num(32, 1));
        let next = b.bin(BinOp::BvAdd, vi, one);
        b.edge(main, 0, 1, vec![Label::Assign { var: i, value: one }, load(t, Place::Var(g))]);
        b.edge(main, 1, 1, vec![Label::Assign { var: i, value: next }, input(p), load(t, Place::Memory(vp))]);
        let program = dead_code(b.finish(), false);
        assert_eq!(program.procs[0].edges.len(), 1);
        assert_eq!(program.procs[0].edges[0].labels, [input(p), load(t, Place::Memory(vp))]);
    }

    #[test]
    fn a_store_that_nobody_loads_stays_when_accesses_matter() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let g = b.global("g", 32, Some(0));
        let one = b.num(32, 1);
        b.edge(main, 0, 1, vec![store(Place::Var(g), one)]);
        b.edge(main, 1, EXIT, vec![Label::Error(raddle_ir::Violation::ErrorCall)]);
        let program = b.finish();
        assert_eq!(dead_code(program.clone(), true).procs, program.procs);
        assert_eq!(dead_code(program, false).procs[0].edges.len(), 1);
    }

    #[test]
    fn a_branch_without_consequence_goes_and_an_endless_loop_stays() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let x = b.local(main, "x", 1);
        let (vx, one) = (b.get(x), b.num(1, 1));
        let cond = b.bin(BinOp::Eq, vx, one);
        let not = b.pool().not(cond);
        b.edge(main, 0, 1, vec![Label::Assume(cond)]);
        b.edge(main, 0, 1, vec![Label::Assume(not)]);
        b.edge(main, 1, 2, vec![]);
        b.edge(main, 2, 1, vec![]);
        let program = dead_code(b.finish(), false);
        let [edge] = &program.procs[0].edges[..] else { panic!("{:?}", program.procs[0].edges) };
        assert_eq!((edge.source, edge.target), (program.procs[0].entry, program.procs[0].entry));
    }
}
