//! The walk through a procedure: places of the unrolled graph in the order of their keys, edges, calls.

use crate::symbolic::cells::Cell;
use crate::symbolic::event_graph::{Limit, Step};
use crate::symbolic::guard::Guard;
use crate::symbolic::{
    Activation, Ended, Entry, Executor, Extent, Locals, MOST_NODES, MOST_RECURSION, Open, Run, State,
};
use raddle_ir::is_read_modify_write;
use raddle_ir::{Callee, EdgeId, ExprId, Label, LocId, LocKind, ObjectKind, ProcId, Sort, VarId};
use std::collections::BTreeMap;
use std::rc::Rc;
/// How an iteration of a loop begins.
#[derive(Clone)]
struct Head {
    guard: Guard,
    effects: u64,
    locals: Locals,
    events: u32,
}

/// An iteration whose end is not known statically counts as much as so many of those that are known and have events.
const UNKNOWN_ITERATION: u32 = 4;

impl Executor<'_, '_> {
    /// Runs a procedure to its exit; `None`: no path gets there.
    pub(crate) fn run_proc(
        &mut self,
        proc: ProcId,
        thread: u32,
        locals: Locals,
        state: State,
    ) -> Run<Option<(Locals, State)>> {
        struct Pending {
            loc: LocId,
            /// For each component around: the iteration, and how many of them counted.
            iterations: Vec<(u32, u32)>,
            locals: Locals,
            state: State,
        }
        let flow = self.fixed.flow(proc);
        let procedure = self.fixed.program.proc(proc);
        let activation = Activation { proc, thread };
        // The last iteration of each component in which an exit was decided statically.
        let mut decided = vec![0u32; flow.wto.components.len()];
        // How each component's current iteration began.
        let mut heads: Vec<Option<Head>> = vec![None; flow.wto.components.len()];
        let mut pending: BTreeMap<Vec<u32>, Pending> = BTreeMap::new();
        let key = |loc: LocId, iterations: &[(u32, u32)]| -> Vec<u32> {
            let around = flow.wto.around(loc);
            let mut key = Vec::with_capacity(2 * around.len() + 1);
            for (component, iteration) in around.iter().zip(iterations) {
                let head = flow.wto.components[*component as usize].head;
                key.extend([flow.wto.position[head.index()], iteration.0]);
            }
            // A head comes first in its iteration.
            let is_head = around.last().is_some_and(|c| flow.wto.components[*c as usize].head == loc);
            key.push(if is_head { 0 } else { flow.wto.position[loc.index()] });
            key
        };
        let iterations = vec![(0, 0); flow.wto.around(procedure.entry).len()];
        pending.insert(key(procedure.entry, &iterations), Pending { loc: procedure.entry, iterations, locals, state });
        let mut returned = None;
        while let Some((_, at)) = pending.pop_first() {
            if at.loc == procedure.exit {
                // All ways to the exit come before it; paths that never get there may come after.
                returned = Some((at.locals, at.state));
                continue;
            }
            if procedure.locations[at.loc.index()].kind == LocKind::RecursionBound {
                self.limit(Limit::Recursion(proc), &at.state.guard);
                continue;
            }
            let edges = flow.out.of(at.loc);
            let mut at = at;
            let choices = self.choices(proc, edges, &mut at.locals, &at.state)?;
            let around = flow.wto.around(at.loc);
            if let Some(component) = around.last().copied()
                && flow.wto.components[component as usize].head == at.loc
            {
                heads[component as usize] = Some(Head {
                    guard: at.state.guard.clone(),
                    effects: at.state.effects,
                    locals: Rc::clone(&at.locals),
                    events: self.events_of(thread),
                });
            }
            let Pending { loc, iterations: before, locals, state } = at;
            // The last way on takes the state itself: copies cost as much as all that the path knows.
            let last = choices.iter().rposition(|(_, guard, _)| guard.is_some());
            let mut rest = Some((locals, state));
            for (edge, _, _) in choices.iter().filter(|(_, guard, decided)| guard.is_none() && *decided) {
                for (i, component) in around.iter().enumerate() {
                    if !flow.wto.holds(*component, procedure.edges[edge.index()].target) {
                        decided[*component as usize] = before[i].0 + 1;
                    }
                }
            }
            for (n, (edge, guard, _)) in choices.into_iter().enumerate() {
                let target = procedure.edges[edge.index()].target;
                let Some(guard) = guard else { continue };
                let taken = if last == Some(n) { rest.take() } else { rest.clone() };
                let Some((locals, state)) = taken else { continue };
                let state = State { guard, ..state };
                let Some((locals, state)) = self.run_edge(&activation, edge, locals, state)? else {
                    continue;
                };
                // Where it goes.
                let mut iterations = before.clone();
                let target_around = flow.wto.around(target);
                let common = around.iter().zip(&target_around).take_while(|(a, b)| a == b).count();
                let back = flow.wto.position[target.index()] <= flow.wto.position[loc.index()];
                iterations.truncate(common);
                if back {
                    // To the head of a component that holds the source: another iteration of it.
                    let component = target_around[target_around.len() - 1];
                    let Some(last) = iterations.last_mut() else {
                        return self.unsupported("a loop of an unexpected shape");
                    };
                    // An iteration that only read and changed nothing that is still needed can be left out of any execution. It must have come
                    // through the head: a jump into the loop is not an iteration.
                    let is_idle = heads[component as usize].as_ref().is_some_and(|head| {
                        let live = &flow.live[target.index()];
                        head.effects == state.effects
                            && state.guard.implies(&head.guard)
                            && live.ones().all(|slot| head.locals[slot] == locals[slot])
                    });
                    if is_idle {
                        continue;
                    }
                    let is_decided = decided[component as usize] == last.0 + 1;
                    let has_events =
                        heads[component as usize].as_ref().is_none_or(|h| h.events != self.events_of(thread));
                    let is_cut = is_decided && !has_events && last.0 >= self.knowledge.static_iterations;
                    self.cut_static |= is_cut;
                    last.0 += 1;
                    last.1 += match (is_decided && !is_cut, has_events) {
                        (false, _) => UNKNOWN_ITERATION,
                        (true, true) => 1,
                        (true, false) => 0,
                    };
                    let limit = match is_decided && !is_cut {
                        true => Limit::KnownLoop(proc, target.0),
                        false => Limit::Loop(proc, target.0),
                    };
                    if last.1 > self.bounds.of(limit).saturating_mul(UNKNOWN_ITERATION) {
                        self.limit(limit, &state.guard);
                        continue;
                    }
                }
                iterations.resize(target_around.len(), (0, 0));
                let key = key(target, &iterations);
                let arrived = match pending.remove(&key) {
                    None => Pending { loc: target, iterations, locals, state },
                    Some(other) => {
                        let counted = other.iterations.iter().zip(&iterations).map(|(a, b)| (a.0, a.1.max(b.1)));
                        let iterations = counted.collect();
                        let (locals, state) = self.merge(
                            thread,
                            Some(&flow.live[target.index()]),
                            (other.locals, other.state),
                            (locals, state),
                        )?;
                        Pending { loc: target, iterations, locals, state }
                    }
                };
                pending.insert(key, arrived);
            }
        }
        Ok(returned)
    }

    pub(crate) fn limit(&mut self, limit: Limit, guard: &Guard) {
        self.graph.limits.push((limit, guard.expr));
    }

    /// The guard of each way on from a location; none where the condition is false, and then whether that was found out only here.
    pub(crate) fn choices(
        &mut self,
        proc: ProcId,
        edges: &[EdgeId],
        locals: &mut Locals,
        state: &State,
    ) -> Run<Vec<(EdgeId, Option<Guard>, bool)>> {
        let procedure = self.fixed.program.proc(proc);
        let first_condition = |edge: &EdgeId| match procedure.edges[edge.index()].labels.first() {
            Some(Label::Assume(cond)) => Some(*cond),
            _ => None,
        };
        let mut result = Vec::with_capacity(edges.len());
        for edge in edges {
            let (guard, decided) = match first_condition(edge) {
                None => (state.guard.clone(), false),
                Some(cond) => {
                    let value = self.eval(locals, cond);
                    (state.guard.and(self.pool, value), self.fixed.program.pool.as_const(cond).is_none())
                }
            };
            let is_possible = !guard.is_false(self.pool);
            result.push((*edge, is_possible.then_some(guard), decided));
        }
        // Two edges with complementary conditions exclude each other; otherwise the choice is free.
        let possible: Vec<usize> = (0..result.len()).filter(|i| result[*i].1.is_some()).collect();
        if possible.len() < 2 {
            return Ok(result);
        }
        if let [a, b] = possible[..]
            && let (Some(x), Some(y)) = (first_condition(&edges[a]), first_condition(&edges[b]))
        {
            let (x, y) = (self.eval(locals, x), self.eval(locals, y));
            if self.pool.not(x) == y {
                return Ok(result);
            }
        }
        let mut not_before = self.pool.bool(true);
        for (n, i) in possible.iter().enumerate() {
            let chosen = if n + 1 == possible.len() { not_before } else { self.symbol(Sort::Bool) };
            let this = self.pool.and(not_before, chosen);
            let not = self.pool.not(chosen);
            not_before = self.pool.and(not_before, not);
            if let Some(guard) = &result[*i].1 {
                let guard = guard.and(self.pool, this);
                result[*i].1 = Some(guard);
            }
        }
        Ok(result)
    }

    /// Takes an edge; `None`: the path ends on it.
    pub(crate) fn run_edge(
        &mut self,
        activation: &Activation,
        edge: EdgeId,
        locals: Locals,
        mut state: State,
    ) -> Run<Option<(Locals, State)>> {
        let mut locals = locals;
        let thread = activation.thread;
        let labels = &self.fixed.program.proc(activation.proc).edges[edge.index()].labels;
        self.span = self.fixed.program.proc(activation.proc).edges[edge.index()].span;
        self.labels += labels.len() as u64 + 1;
        if self.labels.is_multiple_of(64) && (self.stop)() {
            return Err(Ended::Stopped);
        }
        if self.labels > self.bounds.most_labels || self.graph.nodes.len() > MOST_NODES {
            self.limit(Limit::Size, &state.guard);
            return Ok(None);
        }
        let mut step = Step {
            edge,
            guard: state.guard.expr,
            node: None,
            havocs: vec![],
            choices: vec![],
            starts: None,
            error: false,
            closes: false,
            buffer: vec![],
        };
        if let [Label::Call { callee, args, var, .. }] = &labels[..] {
            step.node = state.open.as_ref().and_then(|open| open.node);
            return self.call(activation, *callee, args, *var, locals, state, step);
        }
        if state.open.is_none() {
            state.open = Some(Open::default());
        }
        let program = self.fixed.program;
        let ir_edge = &program.proc(activation.proc).edges[edge.index()];
        let is_update = self.is_weak() && is_read_modify_write(program, ir_edge);
        if state.multi && self.model.edge_waits(program, ir_edge) && state.open.as_ref().is_some_and(|o| o.depth == 0) {
            self.wait(thread, &mut state);
        }
        let mut goes_on = true;
        for (i, label) in labels.iter().enumerate() {
            self.direct = is_update || labels[i + 1..].iter().any(|later| self.model.waits(later));
            let site = (activation.proc.0, edge.0, i as u32);
            goes_on = self.label(activation, site, label, &mut locals, &mut state, &mut step)?;
            if state.guard.is_false(self.pool) && !step.error {
                goes_on = false;
            }
            if !goes_on {
                break;
            }
        }
        step.node = step.node.or(state.open.as_ref().and_then(|open| open.node));
        step.guard = state.guard.expr;
        let ends_thread = matches!(labels.last(), Some(Label::ThreadExit { .. }));
        step.closes = step.error || ends_thread || state.open.as_ref().is_none_or(|open| open.depth == 0);
        if goes_on && state.open.as_ref().is_some_and(|open| open.depth == 0) {
            let deferred = state.open.as_mut().map_or(Vec::new(), |open| std::mem::take(&mut open.deferred));
            self.close(&mut state);
            step.buffer = self.issue(thread, &state.guard, deferred);
        }
        if (goes_on || step.error || ends_thread) && !self.pool.is_bool(step.guard, false) {
            self.threads[thread as usize].steps.push(step);
        }
        Ok(goes_on.then_some((locals, state)))
    }

    /// The node of a path ends: its writes become visible.
    pub(crate) fn close(&mut self, state: &mut State) {
        let Some(open) = state.open.take() else { return };
        if let Some(node) = open.node {
            self.close_regions(node, &state.guard.clone(), &open.region_writes);
        }
        let mut cells: Vec<(Cell, Entry)> = open.entries.into_iter().collect();
        cells.sort_unstable_by_key(|(cell, _)| *cell);
        for (cell, entry) in cells {
            let guard = match entry.written {
                Extent::Never => continue,
                Extent::Always => state.guard.clone(),
                Extent::If(cond) => state.guard.and(self.pool, cond),
            };
            let Some(node) = open.node else { continue };
            if !guard.is_false(self.pool) {
                self.write_event(node, cell, guard, entry.value);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(crate) fn call(
        &mut self,
        activation: &Activation,
        callee: Callee,
        args: &[ExprId],
        var: Option<VarId>,
        mut locals: Locals,
        state: State,
        mut step: Step,
    ) -> Run<Option<(Locals, State)>> {
        let args: Vec<ExprId> = args.iter().map(|arg| self.eval(&mut locals, *arg)).collect();
        let mut result: Option<(Locals, State)> = None;
        let span = self.span;
        let callees = self.callees(callee, &mut locals)?;
        let no = self.pool.bool(false);
        let any = callees.iter().fold(no, |any, (_, cond)| self.pool.or(any, *cond));
        step.guard = state.guard.and(self.pool, any).expr;
        self.threads[activation.thread as usize].steps.push(step);
        for (proc, cond) in callees {
            self.span = span;
            let guard = state.guard.and(self.pool, cond);
            if guard.is_false(self.pool) {
                continue;
            }
            let decisions = guard.conjuncts.len();
            let active = self.active.entry(proc).or_default();
            // A recursion whose depth is known statically makes no decision on its way.
            let counted = active.windows(2).filter(|w| w[0] != w[1]).count()
                + usize::from(active.last().is_some_and(|last| *last != decisions));
            let depth = active.len();
            let limit = Limit::Recursion(proc);
            if counted as u32 > self.bounds.of(limit) || depth as u32 > MOST_RECURSION {
                self.limit(if depth as u32 > MOST_RECURSION { Limit::Size } else { limit }, &guard);
                continue;
            }
            active.push(decisions);
            let procedure = self.fixed.program.proc(proc);
            let mut callee_locals = vec![None; procedure.locals.len()];
            for (param, arg) in procedure.params.iter().zip(&args) {
                let sort = self.fixed.program.var(*param).sort;
                callee_locals[self.fixed.slots[param.index()] as usize] = Some(self.resize(*arg, sort));
            }
            let state = State { guard, ..state.clone() };
            let returned = self.run_proc(proc, activation.thread, Rc::new(callee_locals), state)?;
            if let Some(active) = self.active.get_mut(&proc) {
                active.pop();
            }
            let Some((callee_locals, state)) = returned else { continue };
            let mut locals = Rc::clone(&locals);
            if let Some(var) = var {
                let sort = self.fixed.program.var(var).sort;
                let value = procedure.result.and_then(|r| callee_locals[self.fixed.slots[r.index()] as usize]);
                let value = value.map(|value| self.resize(value, sort));
                self.set(&mut locals, var, value);
            }
            result = Some(match result {
                None => (locals, state),
                Some(other) => self.merge(activation.thread, None, other, (locals, state))?,
            });
        }
        self.span = span;
        Ok(result)
    }

    /// The procedures that a callee may be, and when.
    pub(crate) fn callees(&mut self, callee: Callee, locals: &mut Locals) -> Run<Vec<(ProcId, ExprId)>> {
        match callee {
            Callee::Proc(proc) => Ok(vec![(proc, self.pool.bool(true))]),
            Callee::Address(address) => {
                let ir_address = address;
                let address = self.eval(locals, address);
                let program = self.fixed.program;
                let function_at = |at: u64| {
                    program.objects.iter().find_map(|o| match o.kind {
                        ObjectKind::Function(proc) if o.address == at => Some((at, proc)),
                        _ => None,
                    })
                };
                let found: Vec<(u64, ProcId)> = match self.values.of(self.pool, address, &self.knowledge.values) {
                    Some(values) => values.into_iter().filter_map(function_at).collect(),
                    None => {
                        let functions = self.fixed.points_to.functions(program, ir_address);
                        functions.iter().map(|(o, proc)| (program.objects[o.index()].address, *proc)).collect()
                    }
                };
                let bits = program.pointer_bits;
                Ok(found
                    .into_iter()
                    .map(|(at, proc)| {
                        let at = self.pool.bits(bits, at.into());
                        (proc, self.pool.eq(address, at))
                    })
                    .collect())
            }
        }
    }
}
