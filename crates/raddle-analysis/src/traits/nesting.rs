//! How the loops of a procedure nest (Tarjan 1974; Havlak 1997), in nearly linear time.
//!
//! A head is the target of an edge from a location that a depth-first search finds below it. Its loop is what reaches the sources of such edges from below the head. Heads are taken from the
//! last found to the first, and a loop is one node for the loops around it. Weak topological orders (`wto.rs`) say more, and cost the size of the procedure for each loop.
//! A loop that is entered elsewhere than at its head has the head that the search found first, as there.

use super::flow::Flow;
use raddle_ir::{LocId, Procedure};

pub(super) struct Nesting {
    /// The head of each loop and the loop around it; those further out come first.
    pub loops: Vec<(LocId, Option<u32>)>,
    /// For each location, the innermost loop that holds it.
    pub innermost: Vec<Option<u32>>,
}

const NEW: u32 = u32::MAX;

pub(super) fn nesting(proc: &Procedure, flow: &Flow) -> Nesting {
    let n = proc.locations.len();
    // Locations by the order in which they are found; what is found from one lies between it and its `last`.
    let (mut number, mut last) = (vec![NEW; n], Vec::new());
    let mut order: Vec<LocId> = Vec::new();
    let mut open = vec![(proc.entry, 0)];
    while let Some((loc, next)) = open.last_mut() {
        let l = loc.index();
        if *next == 0 && number[l] == NEW {
            number[l] = order.len() as u32;
            order.push(*loc);
            last.push(0);
        }
        match flow.leaving(*loc).get(*next) {
            Some(edge) => {
                *next += 1;
                let target = proc.edges[edge.index()].target;
                if number[target.index()] == NEW && flow.falls_through(*edge) {
                    open.push((target, 0));
                }
            }
            None => {
                last[number[l] as usize] = order.len() as u32 - 1;
                open.pop();
            }
        }
    }
    // From here on, locations are their numbers. A location stands for the outermost loop found so far that holds it.
    let mut stands: Vec<u32> = (0..order.len() as u32).collect();
    let mut around = vec![NEW; order.len()];
    let mut is_head = vec![false; order.len()];
    let sources = |of: u32| {
        let edges = flow.arriving(order[of as usize]).iter();
        edges.map(|edge| number[proc.edges[edge.index()].source.index()])
    };
    let mut is_inside = vec![NEW; order.len()];
    for head in (0..order.len() as u32).rev() {
        let is_below = |loc: u32| head <= loc && loc <= last[head as usize];
        let mut inside = Vec::new();
        for source in sources(head).filter(|source| is_below(*source)) {
            is_head[head as usize] = true;
            let source = find(&mut stands, source);
            if source != head && std::mem::replace(&mut is_inside[source as usize], head) != head {
                inside.push(source);
            }
        }
        let mut next = 0;
        while let Some(&loc) = inside.get(next) {
            next += 1;
            for source in sources(loc) {
                let source = find(&mut stands, source);
                if is_below(source)
                    && source != head
                    && std::mem::replace(&mut is_inside[source as usize], head) != head
                {
                    inside.push(source);
                }
            }
        }
        for loc in inside {
            around[loc as usize] = head;
            stands[loc as usize] = head;
        }
    }
    let mut nesting = Nesting { loops: Vec::new(), innermost: vec![None; n] };
    for (at, &loc) in order.iter().enumerate() {
        let outer = (around[at] != NEW).then(|| order[around[at] as usize]);
        let outer = outer.and_then(|head| nesting.innermost[head.index()]);
        nesting.innermost[loc.index()] = outer;
        if is_head[at] {
            nesting.innermost[loc.index()] = Some(nesting.loops.len() as u32);
            nesting.loops.push((loc, outer));
        }
    }
    nesting
}

/// What a location stands for, with the way there made shorter.
fn find(stands: &mut [u32], mut loc: u32) -> u32 {
    while stands[loc as usize] != loc {
        let next = stands[loc as usize];
        stands[loc as usize] = stands[next as usize];
        loc = next;
    }
    loc
}

#[cfg(test)]
mod tests {
    use super::*;
    use fixedbitset::FixedBitSet;
    use raddle_testing::random_program;

    /// On what lowering and a generator make, loops are the components of a weak topological order.
    #[test]
    fn loops_nest_as_in_a_weak_topological_order() {
        let mut nested = 0;
        for seed in 0..200 {
            let program = random_program(seed);
            for proc in &program.procs {
                let flow = Flow::new(proc, FixedBitSet::with_capacity(proc.edges.len()));
                let wto = crate::weak_topological_order(proc, &proc.out_edges());
                let nesting = nesting(proc, &flow);
                nested += nesting.loops.iter().filter(|(_, parent)| parent.is_some()).count();
                let heads = |of: Vec<LocId>| {
                    let mut heads = of;
                    heads.sort_unstable();
                    heads
                };
                assert_eq!(
                    heads(nesting.loops.iter().map(|(head, _)| *head).collect()),
                    heads(wto.components.iter().map(|component| component.head).collect())
                );
                for (i, innermost) in nesting.innermost.iter().enumerate() {
                    let head = innermost.map(|at| nesting.loops[at as usize].0);
                    assert_eq!(head, wto.component[i].map(|at| wto.components[at as usize].head));
                }
            }
        }
        assert!(nested > 0, "the generator makes loops in loops");
    }
}
