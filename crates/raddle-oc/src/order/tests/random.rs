//! Random problems: the assignments that have an order are exactly those that trying all orders finds.

use super::*;
use raddle_testing::Random;
use std::collections::BTreeSet;

fn problem(seed: u64) -> Build {
    let mut random = Random::new(seed + 1);
    let r = &mut random;
    let mut b = Build::default();
    let free: Vec<SatLit> = (0..3).map(|_| b.literal()).collect();
    let some = |r: &mut Random| if r.one_in(2) { free[r.index(3)] } else { !free[r.index(3)] };
    let buffers = r.one_in(4);
    let nodes = 3 + r.index(6);
    for _ in 0..nodes {
        let chain = r.index(3);
        let node = b.node(chain);
        for cell in 0..2 {
            let guard = r.one_in(4).then(|| some(r));
            let kind = r.index(5);
            if kind == 0 || kind == 3 {
                b.read_at(node, cell, guard);
            }
            if kind == 1 || kind == 2 || kind == 3 {
                let guard = if r.one_in(3) { Some(some(r)) } else { guard };
                b.write_at(node, cell, guard);
            }
        }
    }
    b.problem.cells = 2;
    for i in 0..b.problem.reads.len() {
        let read = b.problem.reads[i].clone();
        let mut sources = Vec::new();
        for (id, write) in (0..).map(WriteId).zip(b.problem.writes.clone()) {
            if write.cell != read.cell || (write.node == read.node && !r.one_in(20)) || r.one_in(12) {
                continue;
            }
            let own = buffers && write.node != read.node && r.one_in(3);
            if own {
                b.problem.reads[i].own.push(id);
            }
            let lit = match b.problem.read_froms.last() {
                Some(last) if r.one_in(25) => last.lit,
                _ => b.literal(),
            };
            b.problem.read_froms.push(ReadFrom { lit, write: id, read: ReadId(i as u32), orders: !own });
            b.clauses.extend(write.guard.map(|guard| vec![!lit, guard]));
            b.clauses.extend(read.guard.map(|guard| vec![!lit, guard]));
            sources.push(lit);
        }
        sources.extend(read.guard.map(|guard| !guard));
        b.clauses.push(sources);
    }
    for _ in 0..r.index(3) {
        let (from, to) = (NodeId(r.index(nodes) as u32), NodeId(r.index(nodes) as u32));
        let lit = some(r);
        b.edge(from, to, Some(lit));
        if r.one_in(2) {
            b.edge(to, from, Some(!lit));
        }
    }
    if r.one_in(3) {
        let (from, to) = (NodeId(r.index(nodes) as u32), NodeId(r.index(nodes) as u32));
        b.edge(from, to, None);
    }
    for _ in 0..r.index(4) {
        let mut clause = Vec::new();
        for _ in 0..2 {
            let lit = SatLit(1 + r.index(b.literals as usize) as i32);
            clause.push(if r.one_in(2) { lit } else { !lit });
        }
        b.clauses.push(clause);
    }
    b
}

/// All orders that respect the chains.
fn interleavings(chains: &[Vec<NodeId>], done: &mut Vec<usize>, order: &mut Vec<NodeId>, found: &mut Vec<Vec<NodeId>>) {
    let mut last = true;
    for chain in 0..chains.len() {
        if let Some(&node) = chains[chain].get(done[chain]) {
            last = false;
            done[chain] += 1;
            order.push(node);
            interleavings(chains, done, order, found);
            order.pop();
            done[chain] -= 1;
        }
    }
    if last {
        found.push(order.clone());
    }
}

/// The assignments that some order explains: each order and each choice of the free literals is played through.
fn by_brute_force(b: &Build) -> BTreeSet<Vec<bool>> {
    let problem = &b.problem;
    let mut orders = Vec::new();
    interleavings(&problem.chains, &mut vec![0; problem.chains.len()], &mut Vec::new(), &mut orders);
    let mut found = BTreeSet::new();
    for free in 0..8 {
        let is = |when: When| when.is_none_or(|lit| (free >> (lit.0.abs() - 1) & 1 == 1) == (lit.0 > 0));
        for order in &orders {
            let at = |node: NodeId| order.iter().position(|&other| other == node).unwrap();
            if problem.edges.iter().any(|edge| is(edge.when) && at(edge.from) >= at(edge.to)) {
                continue;
            }
            let sees = |read: &Read| {
                let visible = |id: WriteId, write: &Write| {
                    write.cell == read.cell
                        && is(write.guard)
                        && (at(write.node) < at(read.node) || read.own.contains(&id))
                };
                let writes = (0..).map(WriteId).zip(&problem.writes);
                writes
                    .filter(|&(id, write)| visible(id, write))
                    .max_by_key(|(_, write)| at(write.node))
                    .map(|(id, _)| id)
            };
            let seen: Vec<Option<WriteId>> =
                problem.reads.iter().map(|read| is(read.guard).then(|| sees(read)).flatten()).collect();
            let mut model: Vec<bool> = (0..b.literals).map(|i| i >= 3 || free >> i & 1 == 1).collect();
            for rf in &problem.read_froms {
                let (read, write) = (&problem.reads[rf.read.index()], &problem.writes[rf.write.index()]);
                let right = seen[rf.read.index()] == Some(rf.write) && (!rf.orders || at(write.node) < at(read.node));
                model[rf.lit.0 as usize - 1] &= right;
            }
            let explained = |read: usize| {
                problem.read_froms.iter().any(|rf| rf.read.index() == read && model[rf.lit.0 as usize - 1])
            };
            if (0..problem.reads.len()).all(|read| !is(problem.reads[read].guard) || explained(read))
                && b.clauses.iter().all(|clause| clause.iter().any(|&lit| holds(&model, lit)))
            {
                found.insert(model);
            }
        }
    }
    found
}

fn compare(seed: u64, how: How) -> (usize, usize) {
    let b = problem(seed);
    let expected = by_brute_force(&b);
    let mut models = Models::of(&b, how);
    let mut found = BTreeSet::new();
    let mut only_weak = 0;
    while let Some(model) = models.next(&b.problem) {
        match linearise(&b.problem, &|lit| holds(&model, lit), 10_000) {
            Linearised::Order(_) => {
                assert!(found.insert(model.clone()));
            }
            Linearised::NotSc => only_weak += 1,
            Linearised::GaveUp => panic!("seed {seed}: the budget is enough"),
        }
        let block: Vec<SatLit> =
            (1..).map(SatLit).zip(&model).map(|(lit, &value)| if value { !lit } else { lit }).collect();
        models.add(&block);
    }
    assert_eq!(found, expected, "seed {seed}, {how:?}: {:?}", b.problem);
    (found.len(), only_weak)
}

#[test]
fn exactly_the_assignments_that_have_an_order_are_found() {
    let cases = std::env::var("RADDLE_CASES").ok().and_then(|text| text.parse().ok());
    let cases = cases.unwrap_or(if cfg!(debug_assertions) { 400 } else { 3000 });
    let ways = all_ways();
    let (mut some, mut none, mut only_weak) = (0, 0, 0);
    for seed in 0..cases {
        let (found, weak) = compare(seed, ways[seed as usize % ways.len()]);
        if found > 0 {
            some += 1
        } else {
            none += 1
        }
        only_weak += weak;
    }
    println!("{some} problems with and {none} without an order; {only_weak} assignments only weakly consistent");
    assert!(cases < 100 || (some > cases / 10 && none > cases / 20), "{some} with and {none} without an order");
}

/// Writes and reads of three cells, each read sees a given write, and a few more nodes that order them. Some writes are not there,
/// and some reads have a write of their own in a store buffer. A literal is true if it is positive.
fn outcome(seed: u64) -> Build {
    let mut random = Random::new(seed + 1);
    let r = &mut random;
    let mut b = Build::default();
    // More nodes make more executions to try.
    let more = r.one_in(3);
    let hubs: Vec<NodeId> = (0..2 + r.index(2)).map(|hub| b.node(hub)).collect();
    for cell in 0..2 + if more { 0 } else { r.index(2) as u32 } {
        let (after, before) = (hubs[r.index(hubs.len())], hubs[r.index(hubs.len())]);
        for _ in 0..2 {
            let chain = b.problem.chains.len();
            let other = if r.one_in(6) { 3 + r.index(chain) } else { chain + 1 };
            if more && r.one_in(3) {
                let (node, guard) = (b.node(chain), b.literal());
                b.write_at(node, cell, Some(if r.one_in(2) { guard } else { !guard }));
            }
            let write = b.write(chain, cell);
            let read = if r.one_in(8) { b.update(other, cell).0 } else { b.read(other, cell) };
            if more && r.one_in(3) {
                let (node, guard) = (b.node(other + 1 + r.index(2)), b.literal());
                let own = b.write_at(node, cell, Some(if r.one_in(4) { !guard } else { guard }));
                b.problem.reads[read.index()].own.push(own);
                let write = if r.one_in(2) { own } else { write };
                let lit = b.literal();
                b.problem.read_froms.push(ReadFrom { lit, write, read, orders: write != own });
            } else if more && r.one_in(20) {
                let guard = b.literal();
                b.problem.reads[read.index()].guard = Some(!guard);
            } else {
                b.reads(read, write);
            }
            let (write, read) = (b.problem.writes[write.index()].node, b.problem.reads[read.index()].node);
            if !r.one_in(8) {
                b.edge(write, after, None);
            }
            if !r.one_in(8) {
                b.edge(before, read, None);
            }
        }
    }
    b
}

/// Does some execution, node after node, give each read what it is said to read?
fn executes(problem: &OrderProblem, known: &mut BTreeSet<Vec<u32>>, state: &[u32]) -> bool {
    let chains = problem.chains.len();
    let there = |when: When| when.is_none_or(|lit| lit.0 > 0);
    let done = |node: NodeId| problem.chains.iter().zip(state).any(|(chain, &n)| chain[..n as usize].contains(&node));
    let mut all = true;
    for (chain, nodes) in problem.chains.iter().enumerate() {
        let Some(&node) = nodes.get(state[chain] as usize) else { continue };
        all = false;
        let right = problem.edges.iter().all(|edge| edge.to != node || done(edge.from))
            && problem.read_froms.iter().all(|rf| {
                let read = &problem.reads[rf.read.index()];
                let waits = |own: &&WriteId| {
                    there(problem.writes[own.index()].guard) && !done(problem.writes[own.index()].node)
                };
                let seen = read.own.iter().find(waits).map_or(state[chains + read.cell.index()], |own| own.0 + 1);
                read.node != node || seen == rf.write.0 + 1
            });
        let mut next = state.to_vec();
        next[chain] += 1;
        for (id, write) in (1..).zip(&problem.writes).filter(|(_, write)| write.node == node && there(write.guard)) {
            next[chains + write.cell.index()] = id;
        }
        if right && known.insert(next.clone()) && executes(problem, known, &next) {
            return true;
        }
    }
    all
}

#[test]
fn an_outcome_is_ordered_if_it_can_be() {
    let cases = std::env::var("RADDLE_CASES").ok().and_then(|text| text.parse().ok());
    let cases: u64 = cases.unwrap_or(if cfg!(debug_assertions) { 1000 } else { 5000 });
    let (mut some, mut only_weak) = (0, 0);
    for seed in 0..cases {
        let problem = outcome(seed).problem;
        let result = linearise(&problem, &|lit| lit.0 > 0, 10_000);
        assert_ne!(result, Linearised::GaveUp, "seed {seed}");
        let start = vec![0; problem.chains.len() + problem.cells as usize];
        let ordered = matches!(result, Linearised::Order(_));
        assert_eq!(ordered, executes(&problem, &mut BTreeSet::new(), &start), "seed {seed}: {problem:?}");
        some += u64::from(ordered);
        only_weak += u64::from(!ordered && check::weakly_consistent(&problem, &|lit| lit.0 > 0));
    }
    println!("{some} of {cases} outcomes have an order, and {only_weak} are only weakly consistent");
    assert!(cases < 1000 || (some > 0 && only_weak > 0));
}
