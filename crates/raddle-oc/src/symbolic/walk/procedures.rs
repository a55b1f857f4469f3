//! The walk through a procedure: loops are unrolled, and paths that meet are merged.
//!
//! A place of the unrolled procedure is a location with the iterations of the components (of the weak topological order) around it. Places are visited in
//! the order of their keys, so that all paths to a place have been merged before it is left.

use crate::symbolic::Run;
use crate::symbolic::code::Flow;
use crate::symbolic::event_graph::Limit;
use crate::symbolic::guard::Guard;
use crate::symbolic::state::{Locals, State};
use crate::symbolic::unsupported;
use crate::symbolic::walk::Executor;
use raddle_ir::{LocId, LocKind, ProcId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An iteration whose end is not known statically counts as much as so many of those that are known and have events.
const UNKNOWN_ITERATION: u32 = 4;

/// For each component around a place: the iteration, and how many of them counted.
type Iterations = Vec<(u32, u32)>;

/// A place that paths have come to.
struct Pending {
    loc: LocId,
    iterations: Iterations,
    locals: Locals,
    state: State,
}

/// How an iteration of a loop begins.
#[derive(Clone)]
struct Head {
    guard: Guard,
    effects: u64,
    locals: Locals,
    events: u32,
}

/// A procedure, as far as it is unrolled.
struct Unrolling {
    proc: ProcId,
    flow: Rc<Flow>,
    /// The last iteration of each component in which an exit was decided statically.
    decided: Vec<u32>,
    /// How each component's current iteration began.
    heads: Vec<Option<Head>>,
    pending: BTreeMap<Vec<u32>, Pending>,
}

impl Unrolling {
    fn key(&self, loc: LocId, iterations: &Iterations) -> Vec<u32> {
        let wto = &self.flow.wto;
        let around = wto.around(loc);
        let mut key = Vec::with_capacity(2 * around.len() + 1);
        for (component, iteration) in around.iter().zip(iterations) {
            let head = wto.components[*component as usize].head;
            key.extend([wto.position[head.index()], iteration.0]);
        }
        // A head comes first in its iteration.
        let is_head = around.last().is_some_and(|c| wto.components[*c as usize].head == loc);
        key.push(if is_head { 0 } else { wto.position[loc.index()] });
        key
    }

    /// If the place is the head of a loop, an iteration begins.
    fn begin_iteration(&mut self, at: &Pending, events: u32) {
        let wto = &self.flow.wto;
        if let Some(component) = wto.around(at.loc).last().copied()
            && wto.components[component as usize].head == at.loc
        {
            self.heads[component as usize] = Some(Head {
                guard: at.state.guard.clone(),
                effects: at.state.effects,
                locals: Rc::clone(&at.locals),
                events,
            });
        }
    }

    /// The way from one location to another is excluded statically: it may be the exit of loops.
    fn exclude(&mut self, from: LocId, iterations: &Iterations, to: LocId) {
        let wto = &self.flow.wto;
        for (component, iteration) in wto.around(from).iter().zip(iterations) {
            if !wto.holds(*component, to) {
                self.decided[*component as usize] = iteration.0 + 1;
            }
        }
    }

    /// Does an iteration only read, and change nothing that is still needed? It can be left out of any execution. It must have come through the head:
    /// a jump into the loop is not an iteration.
    fn is_idle(&self, component: usize, head: LocId, locals: &Locals, state: &State) -> bool {
        self.heads[component].as_ref().is_some_and(|begin| {
            begin.effects == state.effects
                && state.guard.implies(&begin.guard)
                && self.flow.live[head.index()].ones().all(|slot| begin.locals[slot] == locals[slot])
        })
    }
}

impl Executor<'_, '_> {
    /// Runs a procedure to its exit; `None`: no path gets there.
    pub(super) fn run_proc(&mut self, proc: ProcId, locals: Locals, state: State) -> Run<Option<(Locals, State)>> {
        let flow = self.code.flow(proc);
        let procedure = self.program.proc(proc);
        let components = flow.wto.components.len();
        let mut unrolling = Unrolling {
            proc,
            flow: Rc::clone(&flow),
            decided: vec![0; components],
            heads: vec![None; components],
            pending: BTreeMap::new(),
        };
        let iterations = vec![(0, 0); flow.wto.around(procedure.entry).len()];
        let key = unrolling.key(procedure.entry, &iterations);
        unrolling.pending.insert(key, Pending { loc: procedure.entry, iterations, locals, state });
        let mut returned = None;
        while let Some((_, mut at)) = unrolling.pending.pop_first() {
            self.memory.graph.reach(proc, at.loc);
            if at.loc == procedure.exit {
                // All ways to the exit come before it; paths that never get there may come after.
                returned = Some((at.locals, at.state));
                continue;
            }
            let cut_off = match procedure.locations[at.loc.index()].kind {
                LocKind::Normal => None,
                LocKind::RecursionBound => Some(Limit::Recursion(proc)),
                LocKind::Gap(_) => Some(Limit::Gap(proc, at.loc)),
            };
            if let Some(limit) = cut_off {
                self.memory.graph.limit(limit, &at.state.guard);
                continue;
            }
            let choices = self.choices(proc, flow.out.of(at.loc), &mut at.locals, &at.state);
            let values = self.code.take_unassigned();
            unrolling.begin_iteration(&at, self.memory.graph.events_of(at.state.thread));
            let Pending { loc, iterations, locals, state } = at;
            for choice in choices.iter().filter(|choice| choice.guard.is_none() && choice.is_computed) {
                unrolling.exclude(loc, &iterations, procedure.edges[choice.edge.index()].target);
            }
            // The last way on takes the state itself: copies cost as much as all that the path knows.
            let last = choices.iter().rposition(|choice| choice.guard.is_some());
            let mut rest = Some((locals, state));
            for (n, choice) in choices.into_iter().enumerate() {
                let Some(guard) = choice.guard else { continue };
                let taken = if last == Some(n) { rest.take() } else { rest.clone() };
                let Some((locals, state)) = taken else { continue };
                let state = State { guard, ..state };
                if let Some((locals, state)) = self.run_edge(proc, (choice.edge, values.clone()), locals, state)? {
                    let target = procedure.edges[choice.edge.index()].target;
                    self.arrive(&mut unrolling, (loc, &iterations), (target, locals, state))?;
                }
            }
        }
        Ok(returned)
    }

    /// A path has come from one place to another location: which iterations of loops it is in there. It is merged with those that are there already.
    fn arrive(
        &mut self,
        unrolling: &mut Unrolling,
        (from, before): (LocId, &Iterations),
        (target, locals, state): (LocId, Locals, State),
    ) -> Run<()> {
        let flow = Rc::clone(&unrolling.flow);
        let (around, target_around) = (flow.wto.around(from), flow.wto.around(target));
        let common = around.iter().zip(&target_around).take_while(|(a, b)| a == b).count();
        let mut iterations = before[..common].to_vec();
        let is_back = flow.wto.position[target.index()] <= flow.wto.position[from.index()];
        if is_back {
            // To the head of a component that holds the source: another iteration of it.
            let component = target_around[target_around.len() - 1] as usize;
            let Some(iteration) = iterations.last_mut() else {
                return unsupported("a loop of an unexpected shape");
            };
            if unrolling.is_idle(component, target, &locals, &state) {
                return Ok(());
            }
            let is_decided = unrolling.decided[component] == iteration.0 + 1;
            let events = self.memory.graph.events_of(state.thread);
            let has_events = unrolling.heads[component].as_ref().is_none_or(|head| head.events != events);
            let is_cut = is_decided && !has_events && self.memory.assumptions.is_cut_off(iteration.0);
            let is_known = is_decided && !is_cut;
            iteration.0 += 1;
            iteration.1 += match (is_known, has_events) {
                (false, _) => UNKNOWN_ITERATION,
                (true, true) => 1,
                (true, false) => 0,
            };
            let limit = match is_known {
                true => Limit::KnownLoop(unrolling.proc, target.0),
                false => Limit::Loop(unrolling.proc, target.0),
            };
            if iteration.1 > self.bounds.of(limit).saturating_mul(UNKNOWN_ITERATION) {
                self.memory.graph.limit(limit, &state.guard);
                return Ok(());
            }
        }
        iterations.resize(target_around.len(), (0, 0));
        let key = unrolling.key(target, &iterations);
        let arrived = match unrolling.pending.remove(&key) {
            None => Pending { loc: target, iterations, locals, state },
            Some(other) => {
                let counted = other.iterations.iter().zip(&iterations).map(|(a, b)| (a.0, a.1.max(b.1)));
                let iterations = counted.collect();
                let live = Some(&flow.live[target.index()]);
                let (locals, state) = self.memory.merge(live, (other.locals, other.state), (locals, state))?;
                Pending { loc: target, iterations, locals, state }
            }
        };
        unrolling.pending.insert(key, arrived);
        Ok(())
    }
}
