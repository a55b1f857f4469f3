//! From an assignment to a total order of the nodes, or to the certainty that there is none.
//!
//! After the axioms, the order is settled up to pairs of writes to a cell of which at least one is read: each other write must
//! be ordered before or after a write that is read. Once all these pairs are ordered and no cycle came up, every total order
//! that respects happens-before explains the reads: another write before the read precedes the write that is read
//! (Axiom 2). So the search orders these pairs, guided by an order that is made greedily (and mostly is the answer already), and
//! goes back, on a cycle, to the last choice that took part in it. Deciding this is NP-complete, hence the budget.

use super::check::sees_last_writes;
use super::explain::Explainer;
use super::saturate::{Conflict, Mark, Saturation, Why};
use super::{NodeId, OrderProblem, WriteId};
use raddle_smt::SatLit;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Linearised {
    /// A total order of all nodes in which each read sees the last write before it, the one that the assignment says.
    Order(Vec<NodeId>),
    /// There is none.
    NotSc,
    /// The budget was used up.
    GaveUp,
}

/// A pair of writes that was ordered.
struct Choice {
    first: NodeId,
    then: NodeId,
    mark: Mark,
    /// Earlier choices that exclude the other way; known once that was tried.
    excluded: Option<Vec<u32>>,
}

/// Orders the nodes for a full assignment. The budget is a number of choices.
pub fn linearise(problem: &OrderProblem, truth: &dyn Fn(SatLit) -> bool, budget: u64) -> Linearised {
    let there = |when: Option<SatLit>| when.is_none_or(truth);
    let contradicts = problem.read_froms.iter().any(|rf| {
        truth(rf.lit) && !(there(problem.writes[rf.write.index()].guard) && there(problem.reads[rf.read.index()].guard))
    });
    let mut order = Saturation::new(problem.clone());
    if contradicts || add_all(&mut order, truth).is_err() {
        return Linearised::NotSc;
    }
    let read = |id: usize| !order.holding_of_read[id].is_empty();
    if problem.reads.iter().enumerate().any(|(id, r)| there(r.guard) && !read(id)) {
        return Linearised::NotSc;
    }
    let guess = greedy(&order);
    if sees_last_writes(problem, truth, &guess) {
        return Linearised::Order(guess);
    }
    let result = search(&mut order, &guess, budget);
    if let Linearised::Order(nodes) = &result
        && !sees_last_writes(problem, truth, nodes)
    {
        debug_assert!(false, "the order does not explain the reads");
        return Linearised::GaveUp;
    }
    result
}

fn add_all(order: &mut Saturation, truth: &dyn Fn(SatLit) -> bool) -> Result<(), Conflict> {
    order.add_unconditional()?;
    for i in 0..order.problem.writes.len() {
        if order.problem.writes[i].guard.is_some_and(truth) {
            order.enable(WriteId(i as u32))?;
        }
    }
    for i in 0..order.problem.edges.len() {
        let edge = order.problem.edges[i];
        if let Some(lit) = edge.when.filter(|&lit| truth(lit)) {
            order.add_edge(edge.from, edge.to, Why::Literal(lit))?;
        }
    }
    for i in 0..order.problem.read_froms.len() {
        if truth(order.problem.read_froms[i].lit) {
            order.read_from(i as u32)?;
        }
    }
    Ok(())
}

/// An order that respects happens-before and, while it can, lets no write overwrite what is still to be read.
fn greedy(order: &Saturation) -> Vec<NodeId> {
    let problem = &order.problem;
    let mut done = vec![0u32; problem.chains.len()];
    let mut unread: Vec<usize> = order.holding_of_write.iter().map(Vec::len).collect();
    let mut last: Vec<Option<WriteId>> = vec![None; problem.cells as usize];
    let mut result = Vec::with_capacity(problem.nodes as usize);
    loop {
        let ready = problem.chains.iter().zip(&done).enumerate().filter_map(|(chain, (nodes, &position))| {
            let node = *nodes.get(position as usize)?;
            let free = order.clocks.chains().all(|c| order.clocks.clock(node, c) <= done[c.index()]);
            free.then_some((chain, node))
        });
        let harm = |node: NodeId| {
            let reads = |id: WriteId| {
                order.lookup.reads_at(node).iter().any(|read| {
                    order.holding_of_read[read.index()].iter().any(|&rf| problem.read_froms[rf as usize].write == id)
                })
            };
            let overwrites = |write: WriteId| {
                order.is_enabled(write)
                    && last[problem.writes[write.index()].cell.index()]
                        .is_some_and(|id| unread[id.index()] > usize::from(reads(id)))
            };
            order.lookup.writes_at(node).iter().filter(|&&write| overwrites(write)).count()
        };
        let Some((chain, node)) = ready.min_by_key(|&(chain, node)| (harm(node), chain)) else { return result };
        done[chain] += 1;
        result.push(node);
        for read in order.lookup.reads_at(node) {
            for &rf in &order.holding_of_read[read.index()] {
                unread[problem.read_froms[rf as usize].write.index()] -= 1;
            }
        }
        for &write in order.lookup.writes_at(node).iter().filter(|&&write| order.is_enabled(write)) {
            last[problem.writes[write.index()].cell.index()] = Some(write);
        }
    }
}

/// Writes of a cell that have to be ordered: one that is read, and another one.
fn pairs(order: &Saturation) -> Vec<(NodeId, NodeId)> {
    let mut result = Vec::new();
    for (id, write) in (0..).map(WriteId).zip(&order.problem.writes) {
        if order.holding_of_write[id.index()].is_empty() {
            continue;
        }
        for &(_, other) in order.clocks.chains().flat_map(|chain| order.lookup.writes(write.cell, chain)) {
            if order.is_enabled(other) && other != id {
                result.push((write.node, order.node_of(other)));
            }
        }
    }
    result
}

fn search(order: &mut Saturation, guess: &[NodeId], mut budget: u64) -> Linearised {
    let mut place = vec![0usize; guess.len()];
    for (position, node) in guess.iter().enumerate() {
        place[node.index()] = position;
    }
    let mut pairs = pairs(order);
    pairs.sort_by_key(|&(a, b)| place[a.index()].max(place[b.index()]));
    let mut explainer = Explainer::default();
    let mut choices: Vec<Choice> = Vec::new();
    loop {
        let open = pairs.iter().find(|&&(a, b)| !order.clocks.precedes(a, b) && !order.clocks.precedes(b, a));
        let Some(&(a, b)) = open else {
            return Linearised::Order(greedy(order));
        };
        let (first, then) = if place[a.index()] < place[b.index()] { (a, b) } else { (b, a) };
        choices.push(Choice { first, then, mark: order.mark(), excluded: None });
        // The last choice is to be tried, until one holds.
        loop {
            if budget == 0 {
                return Linearised::GaveUp;
            }
            budget -= 1;
            let number = choices.len() as u32 - 1;
            let choice = &choices[number as usize];
            let Err(conflict) = order.add_edge(choice.first, choice.then, Why::Chosen(number)) else { break };
            let mut blamed = explainer.conflict(order, conflict, 0).choices;
            blamed.retain(|&other| other != number);
            // Both ways of a choice exclude each other by what is blamed: back to the last of that.
            loop {
                let Some(choice) = choices.last_mut() else { return Linearised::NotSc };
                order.undo_to(choice.mark);
                match choice.excluded.take() {
                    None => {
                        choice.excluded = Some(blamed);
                        (choice.first, choice.then) = (choice.then, choice.first);
                        break;
                    }
                    Some(others) => {
                        blamed.extend(others);
                        choices.pop();
                        let last = blamed.iter().max().copied();
                        let Some(last) = last else { return Linearised::NotSc };
                        while choices.len() > last as usize + 1 {
                            choices.pop();
                        }
                        blamed.retain(|&other| other != last);
                    }
                }
            }
        }
    }
}
