//! Merges edges that follow each other, so that a thread takes fewer steps.
//!
//! Two edges `e` from `a` to `m` and `f` from `m` become one if `e` is the only way into `m` and `f` the only way
//! out. An edge is one step that other threads do not interrupt; so what is lost is that other threads step while
//! this one stands at `m`. That is no loss in these cases:
//!
//! 1. At `m` the thread is inside an atomic block: nobody else can step there anyway. Since a block as a whole waits
//!    until it can run to its end, it does not matter either whether an `Assume` or a blocking label stands in `e` or
//!    in `f`.
//! 2. `e` touches only locals. Whatever others do between `e` and `f` they can as well do before `e`. If `f` cannot
//!    be taken after `e`, the thread is stuck at `a` instead of `m`, which makes no difference to others. But `f`
//!    must not be one that may block, unless `e` is empty: a choice that is made on `e` (another edge of `a`, a
//!    havoc, the value of an undetermined variable) would not be made for good while the thread waits, and a deadlock
//!    would be lost.
//! 3. `f` touches only locals and cannot fail: no `Assume`, `Await` or `Require`. Then it can as well run right after
//!    `e`, before what the others do. A `Require` or an `Error` is allowed after an `e` that only loads: nobody sees
//!    a load, so what others do between `e` and the end of the path they can do before `e`. (After a store they could
//!    react to it.)
//!
//! A call stays alone on its edge, and nothing comes after `Error`, `Halt` and `ThreadExit`. Arriving at the exit of
//! a process ends the thread, and the program if it is the first one; returning from a procedure ends the life of its automatic objects. Both count as touching
//! something shared: a store and the end of the program, or of the object that it published, must not become one step.
//!
//! Branches are not merged with the load before them (`[load t; assume t]` and `[load t; assume !t]`): it would be
//! sound, since exactly one of the two can be taken at each moment, but a local step costs an engine nothing, and a
//! location whose edges begin with a condition and its opposite is a branch that everyone recognises.

use raddle_analysis::cfg::Cfg;
use raddle_analysis::processes::visible_exits;
use raddle_ir::{Edge, Label, LocId, LocKind, LockOp, Procedure, Program};

/// Merges edges that follow each other.
pub fn merge_edges(mut program: Program) -> Program {
    let visible_exits = visible_exits(&program);
    let calls_keep_depth = program.procs.iter().all(|proc| depths(proc, true).1);
    for (i, proc) in program.procs.iter_mut().enumerate() {
        merge(proc, visible_exits.contains(i), calls_keep_depth);
    }
    program
}

/// How deep in atomic blocks a thread is at least at each location, counted from the entry of the procedure; and
/// whether that is known exactly everywhere, with as many ends as begins on all ways to the exit. If not
/// `calls_keep_depth`, a call may end all blocks.
fn depths(proc: &Procedure, calls_keep_depth: bool) -> (Vec<u32>, bool) {
    const FAR: u32 = u32::MAX;
    let cfg = Cfg::new(proc);
    let mut depth = vec![FAR; proc.locations.len()];
    depth[proc.entry.index()] = 0;
    let mut exact = true;
    let after = |edge: &Edge, mut depth: u32, exact: &mut bool| {
        for label in &edge.labels {
            match label {
                Label::AtomicBegin => depth = depth.saturating_add(1),
                Label::AtomicEnd if depth == 0 => *exact = false,
                Label::AtomicEnd => depth -= 1,
                Label::Call { .. } if !calls_keep_depth => depth = 0,
                _ => {}
            }
        }
        depth
    };
    let mut open = vec![proc.entry];
    while let Some(loc) = open.pop() {
        for id in cfg.leaving(loc) {
            let edge = &proc.edges[id.index()];
            let new = after(edge, depth[loc.index()], &mut exact);
            let old = &mut depth[edge.target.index()];
            if new < *old {
                *old = new;
                open.push(edge.target);
            }
        }
    }
    for edge in proc.edges.iter().filter(|edge| depth[edge.source.index()] != FAR) {
        let end = after(edge, depth[edge.source.index()], &mut exact);
        exact &= end == depth[edge.target.index()] || !raddle_analysis::cfg::falls_through(edge);
    }
    exact &= matches!(depth[proc.exit.index()], 0 | FAR);
    depth.iter_mut().filter(|depth| **depth == FAR).for_each(|depth| *depth = 0);
    (depth, exact)
}

/// What an edge does, as far as merging cares.
#[derive(Clone, Copy, Default)]
struct Deeds {
    is_call: bool,
    /// Nothing comes after it.
    ends: bool,
    /// Touches something that other threads can see or change.
    shared: bool,
    /// Touches shared things in another way than loading.
    writes: bool,
    /// May wait for other threads.
    blocks: bool,
    is_empty: bool,
    /// Assumes or awaits.
    assumes: bool,
    /// Requires, or is an error: may end the path.
    fails: bool,
}

impl Deeds {
    fn of(edge: &Edge, is_visible_exit: bool) -> Deeds {
        let is_empty = edge.labels.is_empty();
        let mut deeds = Deeds { shared: is_visible_exit, writes: is_visible_exit, is_empty, ..Deeds::default() };
        for label in &edge.labels {
            match label {
                Label::Assign { .. } | Label::Havoc { .. } | Label::Self_ { .. } => {}
                Label::Assume(_) => deeds.assumes = true,
                Label::Await(_) => (deeds.assumes, deeds.blocks) = (true, true),
                Label::Require { .. } => deeds.fails = true,
                Label::Error(_) => (deeds.fails, deeds.ends) = (true, true),
                Label::Load { .. } | Label::Valid { .. } | Label::Leaks { .. } => deeds.shared = true,
                Label::Call { .. } => deeds.is_call = true,
                Label::Halt { .. } | Label::ThreadExit { .. } => {
                    (deeds.ends, deeds.shared, deeds.writes) = (true, true, true);
                }
                Label::Join { .. }
                | Label::AtomicBegin
                | Label::Lock { op: LockOp::Acquire | LockOp::AcquireWrite | LockOp::AcquireShared, .. } => {
                    (deeds.blocks, deeds.shared, deeds.writes) = (true, true, true);
                }
                Label::Store { .. }
                | Label::ObjectSize { .. }
                | Label::Alloc { .. }
                | Label::Free { .. }
                | Label::AtomicEnd
                | Label::Fence(_)
                | Label::Start { .. }
                | Label::Lock { .. }
                | Label::Print { .. } => (deeds.shared, deeds.writes) = (true, true),
            }
        }
        deeds
    }

    fn then(self, next: Deeds) -> Deeds {
        Deeds {
            is_call: false,
            ends: next.ends,
            shared: self.shared | next.shared,
            writes: self.writes | next.writes,
            blocks: self.blocks | next.blocks,
            is_empty: self.is_empty & next.is_empty,
            assumes: self.assumes | next.assumes,
            fails: self.fails | next.fails,
        }
    }
}

/// May `second` run in one step with `first`? `depth` is that between them.
fn may_merge(first: Deeds, second: Deeds, depth: u32) -> bool {
    if first.is_call || second.is_call || first.ends {
        false
    } else if depth > 0 {
        true
    } else if !first.shared {
        !second.blocks || first.is_empty
    } else {
        !second.shared && !second.assumes && (!second.fails || !first.writes)
    }
}

fn merge(proc: &mut Procedure, is_exit_visible: bool, calls_keep_depth: bool) {
    let (depth, _) = depths(proc, calls_keep_depth);
    let cfg = Cfg::new(proc);
    // Between two edges: one way in, one way out.
    let is_between = |loc: LocId| {
        loc != proc.entry
            && cfg.arriving(loc).len() == 1
            && cfg.leaving(loc).len() == 1
            && proc.locations[loc.index()].kind == LocKind::Normal
    };
    let deeds_of = |edge: &Edge| Deeds::of(edge, is_exit_visible && edge.target == proc.exit);
    let mut edges: Vec<Option<Edge>> = proc.edges.iter().cloned().map(Some).collect();
    for head in 0..proc.edges.len() {
        let source = proc.edges[head].source;
        // Chains are walked from their first edge on, so that each label moves once.
        if is_between(source) || !cfg.is_reachable(source) {
            continue;
        }
        let mut first = head;
        let mut deeds = deeds_of(&proc.edges[first]);
        let mut end = proc.edges[first].target;
        while is_between(end) {
            let next = cfg.leaving(end)[0].index();
            // A chain cannot come back to its head: that does not start between two edges.
            let next_deeds = deeds_of(&proc.edges[next]);
            end = proc.edges[next].target;
            if may_merge(deeds, next_deeds, depth[proc.edges[next].source.index()]) {
                let added = edges[next].take();
                if let (Some(edge), Some(added)) = (&mut edges[first], added) {
                    // An edge is shown by the place of what others can see of it.
                    if edge.span.is_none() || !deeds.shared && (next_deeds.shared || next_deeds.fails) {
                        edge.span = if added.span.is_none() { edge.span } else { added.span };
                    }
                    edge.labels.extend(added.labels);
                    edge.target = added.target;
                    edge.is_silent &= added.is_silent;
                }
                deeds = deeds.then(next_deeds);
            } else {
                first = next;
                deeds = next_deeds;
            }
        }
    }
    proc.edges = edges.into_iter().flatten().collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::Place;
    use raddle_testing::*;

    /// The labels of the edges that remain of a straight line through these edges.
    fn merged(b: Builder, main: raddle_ir::ProcId, edges: Vec<Vec<Label>>) -> Vec<Vec<Label>> {
        let mut b = b;
        let last = edges.len() as u32 - 1;
        for (i, labels) in edges.into_iter().enumerate() {
            let i = i as u32;
            b.edge(main, i, if i == last { EXIT } else { i + 1 }, labels);
        }
        merge_edges(b.finish()).procs[0].edges.iter().map(|edge| edge.labels.clone()).collect()
    }

    #[test]
    fn local_steps_join_the_access_before_them_and_accesses_stay_apart() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let x = b.local(main, "x", 32);
        let g = b.global("g", 32, Some(0));
        let vx = b.get(x);
        let zero = b.num(32, 0);
        let cond = b.bin(raddle_ir::BinOp::Eq, vx, zero);
        let step = Label::Assign { var: x, value: zero };
        let (load, store) = (load(x, Place::Var(g)), store(Place::Var(g), vx));
        let edges =
            vec![vec![load.clone()], vec![step.clone()], vec![store.clone()], vec![Label::Assume(cond)], vec![]];
        assert_eq!(
            merged(b, main, edges),
            [vec![load, step], vec![store], vec![Label::Assume(cond)]],
            "others must see the store even if the assumption fails"
        );
    }

    #[test]
    fn an_atomic_block_becomes_one_step() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let x = b.local(main, "x", 32);
        let g = b.global("g", 32, Some(0));
        let vx = b.get(x);
        let one = b.num(32, 1);
        let next = b.bin(raddle_ir::BinOp::BvAdd, vx, one);
        let block = vec![
            vec![Label::AtomicBegin],
            vec![load(x, Place::Var(g))],
            vec![store(Place::Var(g), next)],
            vec![Label::AtomicEnd],
        ];
        let flat: Vec<Label> = block.concat();
        let mut edges = block;
        edges.push(vec![store(Place::Var(g), one)]);
        assert_eq!(merged(b, main, edges), [flat, vec![store(Place::Var(g), one)]]);
    }

    #[test]
    fn a_store_and_the_end_of_the_program_stay_two_steps() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let g = b.global("g", 32, Some(0));
        let one = b.num(32, 1);
        let edges = vec![vec![store(Place::Var(g), one)], vec![]];
        assert_eq!(merged(b, main, edges.clone()), edges);
    }

    #[test]
    fn a_choice_stays_apart_from_the_lock_that_may_block() {
        let mut b = Builder::new();
        let main = b.proc("main");
        let x = b.local(main, "x", 64);
        let vx = b.get(x);
        let lock = Label::Lock { op: LockOp::Acquire, lock: vx, var: None };
        let edges = vec![vec![input(x)], vec![lock], vec![]];
        assert_eq!(merged(b, main, edges.clone()), edges);
    }
}
