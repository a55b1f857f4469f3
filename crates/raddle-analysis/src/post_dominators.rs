//! Immediate post-dominators of the locations of a procedure: where the ways out of a branch meet again, whichever is taken.
//!
//! Dominators of the reversed graph, by iteration over a reverse post-order (Cooper, Harvey and Kennedy). Ways on which control never arrives at the exit (`abort`, a failed
//! assertion) do not count: what follows `if (bad) abort();` is no part of that branch. A procedure that never returns is left at the heads of its endless loops.

use crate::cfg::{Cfg, falls_through, strongly_connected};
use raddle_ir::{Edge, Label, LocId, Procedure};

/// Does the program go on after it?
fn goes_on(edge: &Edge) -> bool {
    falls_through(edge) && !edge.labels.iter().any(|label| matches!(label, Label::Error(_)))
}

/// By location; `None` where there is none: the exit itself, and locations from which control never leaves the procedure.
pub fn post_dominators(proc: &Procedure) -> Vec<Option<LocId>> {
    let cfg = Cfg::new(proc);
    let n = proc.locations.len();
    // The reversed graph, from a root beyond the exit.
    let root = n;
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
    for edge in proc.edges.iter().filter(|edge| goes_on(edge)) {
        before[edge.target.index()].push(edge.source.index());
    }
    before[root].push(proc.exit.index());
    let mut order = post_order(&before, root);
    if !order.contains(&proc.entry.index()) {
        before[root].extend(endless(proc, &cfg, &order));
        order = post_order(&before, root);
    }
    let mut position = vec![usize::MAX; n + 1];
    order.iter().enumerate().for_each(|(at, node)| position[*node] = at);
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
    for (node, sources) in before.iter().enumerate().filter(|(node, _)| position[*node] != usize::MAX) {
        sources.iter().for_each(|source| after[*source].push(node));
    }
    let mut dominator = vec![usize::MAX; n + 1];
    dominator[root] = root;
    let mut changed = true;
    while changed {
        changed = false;
        for node in order.iter().rev().copied().filter(|node| *node != root) {
            let known = after[node].iter().copied().filter(|next| dominator[*next] != usize::MAX);
            let Some(new) = known.reduce(|a, b| meet(&dominator, &position, a, b)) else { continue };
            if dominator[node] != new {
                dominator[node] = new;
                changed = true;
            }
        }
    }
    dominator.truncate(n);
    dominator.into_iter().map(|at| (at < n).then_some(LocId(at as u32))).collect()
}

fn meet(dominator: &[usize], position: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while position[a] < position[b] {
            a = dominator[a];
        }
        while position[b] < position[a] {
            b = dominator[b];
        }
    }
    a
}

/// One location of each component from which control leaves no more.
fn endless(proc: &Procedure, cfg: &Cfg, leaving: &[usize]) -> Vec<usize> {
    let n = proc.locations.len();
    let mut stays = vec![true; n];
    leaving.iter().filter(|node| **node < n).for_each(|node| stays[*node] = false);
    let all: Vec<LocId> = (0..n as u32).map(LocId).filter(|loc| cfg.is_reachable(*loc)).collect();
    let components = strongly_connected(proc, &proc.out_edges(), &all, &stays);
    let is_closed = |locs: &Vec<LocId>| {
        let mut edges = locs.iter().flat_map(|loc| cfg.leaving(*loc)).map(|edge| &proc.edges[edge.index()]);
        locs.iter().all(|loc| stays[loc.index()])
            && !cfg.leaving(locs[0]).is_empty()
            && edges.all(|edge| falls_through(edge) && locs.contains(&edge.target))
    };
    components.into_iter().filter(is_closed).filter_map(|locs| locs.into_iter().min()).map(LocId::index).collect()
}

/// The nodes that can be reached from a root, each after its successors.
fn post_order(next: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut seen = vec![false; next.len()];
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((node, at)) = stack.last_mut() {
        match next[*node].get(*at) {
            Some(successor) => {
                *at += 1;
                if !std::mem::replace(&mut seen[*successor], true) {
                    stack.push((*successor, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wto::tests::procedure;
    use raddle_ir::Violation;

    fn of(locations: u32, edges: &[(u32, u32)]) -> Vec<Option<u32>> {
        meeting(&procedure(locations, edges))
    }

    fn meeting(proc: &Procedure) -> Vec<Option<u32>> {
        post_dominators(proc).into_iter().map(|at| at.map(|loc| loc.0)).collect()
    }

    #[test]
    fn branches_meet_behind_the_diamond() {
        assert_eq!(of(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)]), [Some(3), Some(3), Some(3), Some(4), None]);
    }

    #[test]
    fn a_loop_is_left_at_its_head() {
        assert_eq!(of(4, &[(0, 1), (1, 2), (2, 1), (1, 3)]), [Some(1), Some(3), Some(1), None]);
        // With a `break` in its body.
        assert_eq!(of(5, &[(0, 1), (1, 2), (2, 3), (3, 1), (2, 4), (1, 4)])[..3], [Some(1), Some(4), Some(4)]);
    }

    #[test]
    fn ways_that_end_the_program_do_not_count() {
        let mut proc = procedure(4, &[(0, 1), (0, 2), (1, 2), (2, 3)]);
        assert_eq!(meeting(&proc), [Some(2), Some(2), Some(3), None]);
        proc.edges[2].labels.push(Label::Error(Violation::ErrorCall));
        assert_eq!(meeting(&proc), [Some(2), None, Some(3), None]);
    }

    #[test]
    fn a_procedure_that_never_returns_is_left_in_its_loop() {
        // 1 and 2 go round for ever; 3, the exit, is not reached.
        assert_eq!(of(4, &[(0, 1), (1, 2), (2, 1)]), [Some(1), None, Some(1), None]);
    }
}
