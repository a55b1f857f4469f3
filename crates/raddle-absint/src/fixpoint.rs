//! The abstract states of a process: chaotic iteration along a weak topological order (Bourdoncle 1993), with widening at the heads of its
//! components, then descending rounds, then a check that the result is stable.

use crate::flags::{Parts, partition};
use crate::shape::Shape;
use crate::state::{Pace, State};
use crate::step::Steps;
use crate::thresholds::Thresholds;
use raddle_ir::{LocId, Procedure, VarId};

/// Rounds of a component: joined up to the first, widened to thresholds up to the second, widened up to the third; then what changes is given up.
const JOINED: u32 = 3;
const TO_THRESHOLDS: u32 = 9;
const WIDENED: u32 = 14;
/// The same for the rounds of a component in all.
const MOST_ROUNDS: u32 = 120;
const DESCENDING: u32 = 2;

/// What iteration needs to know of a process.
pub struct Process<'a> {
    pub proc: &'a Procedure,
    pub shape: &'a Shape,
    pub flags: &'a [VarId],
    /// So many states are kept apart at a location.
    pub most_parts: usize,
    pub thresholds: &'a Thresholds,
    /// For each location: may there be other threads?
    pub started: &'a [bool],
    pub initial: State,
}

struct Walk<'a, 'b> {
    of: &'a Process<'a>,
    steps: &'a mut Steps<'b>,
    go_on: &'a dyn Fn(u64) -> bool,
    at: Vec<Parts>,
    after: Vec<Vec<State>>,
    /// How many flags tell states apart at a location.
    length: Vec<usize>,
    rounds: Vec<u32>,
}

/// The states at each location, or `None` if `go_on` (of the number of labels executed) said no.
pub fn fixpoint(of: &Process, steps: &mut Steps, go_on: &dyn Fn(u64) -> bool) -> Option<Vec<Parts>> {
    let mut walk = Walk {
        at: vec![Parts::new(); of.proc.locations.len()],
        after: vec![Vec::new(); of.proc.edges.len()],
        length: vec![of.flags.len(); of.proc.locations.len()],
        rounds: vec![0; of.shape.wto.components.len()],
        of,
        steps,
        go_on,
    };
    let all = of.shape.order.len();
    walk.stabilise(0, all)?;
    if of.shape.wto.components.is_empty() {
        return Some(walk.at);
    }
    for _ in 0..DESCENDING {
        for loc in &of.shape.order {
            let parts = walk.arriving(*loc);
            // What stays as it is keeps its nodes, so that later joins and comparisons are cheap.
            if !is_within(&walk.at[loc.index()], &parts) {
                walk.at[loc.index()] = parts;
                walk.leave(*loc)?;
            }
        }
    }
    // Descending keeps a result stable if steps are monotone; if some are not, iteration goes on from here.
    walk.stabilise(0, all)?;
    Some(walk.at)
}

impl Walk<'_, '_> {
    /// The places of the order from one to another, components until they are stable.
    fn stabilise(&mut self, from: usize, to: usize) -> Option<()> {
        let shape = self.of.shape;
        let mut place = from;
        while place < to {
            let loc = shape.order[place];
            let Some(component) = shape.heads[loc.index()] else {
                self.visit(loc)?;
                place += 1;
                continue;
            };
            let end = shape.end[component as usize];
            let mut round = 0;
            loop {
                let changed = self.visit_head(loc, component, round)?;
                if !changed && round > 0 {
                    break;
                }
                self.stabilise(place + 1, end)?;
                round += 1;
            }
            place = end;
        }
        Some(())
    }

    fn arriving(&mut self, loc: LocId) -> Parts {
        let of = self.of;
        let entry = (loc == of.proc.entry).then(|| of.initial.clone());
        let edges = of.shape.incoming.of(loc);
        let states = edges.iter().flat_map(|edge| &self.after[edge.index()]).cloned();
        partition(of.flags, of.most_parts, &mut self.length[loc.index()], entry.into_iter().chain(states))
    }

    fn visit(&mut self, loc: LocId) -> Option<()> {
        let parts = self.arriving(loc);
        if is_within(&parts, &self.at[loc.index()]) {
            return Some(());
        }
        self.at[loc.index()] = parts;
        self.leave(loc)
    }

    /// Did the head's state grow?
    fn visit_head(&mut self, loc: LocId, component: u32, round: u32) -> Option<bool> {
        let parts = self.arriving(loc);
        if is_within(&parts, &self.at[loc.index()]) {
            return Some(false);
        }
        // Fewer flags may tell the old states apart now.
        let length = &mut self.length[loc.index()];
        let old = std::mem::take(&mut self.at[loc.index()]);
        let mut wide = partition(self.of.flags, self.of.most_parts, length, old.into_values());
        let new = partition(self.of.flags, self.of.most_parts, length, parts.into_values());
        let total = &mut self.rounds[component as usize];
        *total += 1;
        let pace = Pace {
            thresholds: self.of.thresholds,
            flags: self.of.flags,
            late: round >= TO_THRESHOLDS || *total >= MOST_ROUNDS,
            last: round >= WIDENED || *total >= MOST_ROUNDS,
        };
        for (key, state) in new {
            match wide.get_mut(&key) {
                Some(old) if round < JOINED && *total < MOST_ROUNDS => *old = old.join(&state),
                Some(old) => *old = old.widen(&state, &pace),
                None => {
                    wide.insert(key, state);
                }
            }
        }
        let length = &mut self.length[loc.index()];
        self.at[loc.index()] = partition(self.of.flags, self.of.most_parts, length, wide.into_values());
        self.leave(loc)?;
        Some(true)
    }

    /// Takes the states of a location over the edges that leave it.
    fn leave(&mut self, loc: LocId) -> Option<()> {
        let of = self.of;
        for id in of.shape.outgoing.of(loc) {
            let edge = &of.proc.edges[id.index()];
            let started = (of.started[loc.index()], of.started[edge.target.index()]);
            let states = self.at[loc.index()].values();
            self.after[id.index()] = states.flat_map(|state| self.steps.edge(edge, state, started)).collect();
            if !(self.go_on)(self.steps.count) {
                return None;
            }
        }
        Some(())
    }
}

fn is_within(parts: &Parts, of: &Parts) -> bool {
    parts.iter().all(|(key, state)| of.get(key).is_some_and(|other| state.is_within(other)))
}
