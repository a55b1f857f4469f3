//! Whether an order, or an assignment, is what it claims to be: plain code that shares nothing with what it checks.

use super::{NodeId, OrderProblem, When, WriteId};
use raddle_smt::SatLit;

type Truth<'a> = &'a dyn Fn(SatLit) -> bool;

fn there(when: When, truth: Truth) -> bool {
    when.is_none_or(truth)
}

/// Is this a total order of all nodes that respects chains and edges, in which each read that is there sees the last write to its cell
/// before it (or in its own store buffer), and exactly the read-froms of what the reads see are true? A node reads before it writes.
pub fn sees_last_writes(problem: &OrderProblem, truth: Truth, order: &[NodeId]) -> bool {
    let mut place = vec![usize::MAX; problem.nodes as usize];
    for (position, node) in order.iter().enumerate() {
        place[node.index()] = position;
    }
    let before = |a: NodeId, b: NodeId| place[a.index()] < place[b.index()];
    if order.len() != place.len() || place.contains(&usize::MAX) {
        return false;
    }
    if problem.chains.iter().any(|chain| chain.windows(2).any(|pair| !before(pair[0], pair[1])))
        || problem.edges.iter().any(|edge| there(edge.when, truth) && !before(edge.from, edge.to))
    {
        return false;
    }
    let mut reads_at = vec![Vec::new(); order.len()];
    let mut writes_at = vec![Vec::new(); order.len()];
    for (i, read) in problem.reads.iter().enumerate() {
        reads_at[read.node.index()].push(i);
    }
    for (i, write) in problem.writes.iter().enumerate().filter(|(_, write)| there(write.guard, truth)) {
        writes_at[write.node.index()].push(WriteId(i as u32));
    }
    let mut last: Vec<Option<WriteId>> = vec![None; problem.cells as usize];
    let mut seen: Vec<Option<WriteId>> = vec![None; problem.reads.len()];
    for node in order {
        for &i in &reads_at[node.index()] {
            let read = &problem.reads[i];
            let own = read.own.iter().copied().filter(|write| there(problem.writes[write.index()].guard, truth));
            seen[i] = last[read.cell.index()]
                .into_iter()
                .chain(own)
                .max_by_key(|write| place[problem.writes[write.index()].node.index()]);
        }
        for &write in &writes_at[node.index()] {
            last[problem.writes[write.index()].cell.index()] = Some(write);
        }
    }
    let mut explained = vec![false; problem.reads.len()];
    for read_from in problem.read_froms.iter().filter(|read_from| truth(read_from.lit)) {
        let read = &problem.reads[read_from.read.index()];
        let write = &problem.writes[read_from.write.index()];
        if !there(read.guard, truth)
            || seen[read_from.read.index()] != Some(read_from.write)
            || (read_from.orders && !before(write.node, read.node))
        {
            return false;
        }
        explained[read_from.read.index()] = true;
    }
    problem.reads.iter().zip(explained).all(|(read, explained)| explained || !there(read.guard, truth))
}

/// Is happens-before acyclic (weak sequential consistency)? Computed as the definition says, on a matrix.
pub fn weakly_consistent(problem: &OrderProblem, truth: Truth) -> bool {
    let nodes = problem.nodes as usize;
    let mut before = vec![vec![false; nodes]; nodes];
    for pair in problem.chains.iter().flat_map(|chain| chain.windows(2)) {
        before[pair[0].index()][pair[1].index()] = true;
    }
    for edge in problem.edges.iter().filter(|edge| there(edge.when, truth)) {
        before[edge.from.index()][edge.to.index()] = true;
    }
    let holding: Vec<_> = problem.read_froms.iter().filter(|read_from| truth(read_from.lit)).collect();
    for read_from in holding.iter().filter(|read_from| read_from.orders) {
        let (w, r) = (&problem.writes[read_from.write.index()], &problem.reads[read_from.read.index()]);
        before[w.node.index()][r.node.index()] = true;
    }
    loop {
        for middle in 0..nodes {
            let after = before[middle].clone();
            for row in before.iter_mut().filter(|row| row[middle]) {
                row.iter_mut().zip(&after).for_each(|(to, &from)| *to |= from);
            }
        }
        let mut changed = false;
        for read_from in &holding {
            let (w, read) = (&problem.writes[read_from.write.index()], &problem.reads[read_from.read.index()]);
            let r = read.node.index();
            for (id, other) in (0..).map(WriteId).zip(&problem.writes) {
                let node = other.node.index();
                if other.cell != read.cell || id == read_from.write || !there(other.guard, truth) {
                    continue;
                }
                if (read.own.contains(&id) || node != r && before[node][r]) && !before[node][w.node.index()] {
                    (before[node][w.node.index()], changed) = (true, true);
                }
                if node != r && before[w.node.index()][node] && !before[r][node] {
                    (before[r][node], changed) = (true, true);
                }
            }
        }
        if !changed {
            return (0..nodes).all(|node| !before[node][node]);
        }
    }
}
