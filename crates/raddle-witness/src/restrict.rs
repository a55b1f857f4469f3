//! A Program whose violations are those that a witness leads to.
//!
//! The witness runs alongside the Program: a hidden variable counts the segments that were followed. Wherever the Program passes a place that a waypoint names, the edge looks at the counter:
//! the waypoint that is to be followed moves it on, one that is to be avoided ends the path. An error counts only inside the statement that is the target, when all segments before
//! it were followed. Places of statements and conditions are probes (`raddle_c::probes`); calls are found in the Program, by the closing parenthesis of the call that their result comes from.
//!
//! Edges only get conditions and touch hidden variables, so every execution of this Program is one of the Program without probes. Origins lead from one to the other: a violation is replayed
//! on the latter, as counterexamples always are.
//!
//! Two readings of the format. A waypoint that is to be followed may be taken to bind the first time that its place is passed (`Strict`: what is written down of inputs makes an execution
//! determined), or the first time that its condition holds (`Lenient`). A tool that writes every input means both. `Strict` has fewer executions and is tried first.
//!
//! The other ones are no readings of the format, but guesses at how threads took turns: only the threads of the next waypoint and of the last one touch what is shared, and no input or new thread is left untold (`Narrow`), nor does a thread come by the place of its next waypoint before (`Narrowest`). Where a
//! witness tells every turn, few executions are left. That there is no violation among them means nothing.

use crate::format;
use crate::fragments::fragments;
use crate::plan::{Plan, Seen, Use};
use crate::violation::Places;
use raddle_c::probes::{Moment, Site};
use raddle_ir::{
    BinOp, Callee, Const, Edge, ExprId, HavocReason, Label, LocId, LocKind, Location, Order, Origin, Place, ProcId,
    Program, Sort, Span, Var, VarId, VarKind, Violation, number_origins,
};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    Narrowest,
    Narrow,
    Strict,
    Lenient,
}

impl Reading {
    fn is_narrow(self) -> bool {
        matches!(self, Reading::Narrowest | Reading::Narrow)
    }
}

/// A call on an edge: the position of its label, and what it returns.
#[derive(Clone, Copy)]
struct Call {
    at: usize,
    result: Returns,
}

#[derive(Clone, Copy)]
enum Returns {
    /// In a variable: is it signed?
    Var(VarId, bool),
    Zero,
    None,
}

/// A segment, and the thread in which it is followed, if it says so.
type Current = (u32, Option<u32>);

/// What a followed call needs of its result, and the thread that it makes, if waypoints name it.
type Effect = (ExprId, Option<u32>);

/// What waypoints make of a moment.
#[derive(Default, Clone)]
struct Moves {
    follow: Vec<Current>,
    avoid: Vec<Current>,
}

/// What is left of a Program, and the variable that counts the segments that were followed.
#[derive(Debug)]
pub struct Restricted {
    pub program: Program,
    pub counter: VarId,
}

/// The Program whose violations follow the witness. It has the origins of the Program without probes. Says which waypoints are at no place of the Program, if any.
pub fn restrict(
    mut program: Program,
    sites: &[Site],
    plan: &Plan,
    places: &dyn Places,
    calls: &[(ProcId, LocId, Span)],
    reading: Reading,
) -> Result<Restricted, String> {
    number_origins(&mut program);
    let threads = program.starts_threads();
    if let Some(thread) = plan.uses.iter().filter_map(|of| of.thread).find(|thread| *thread != 0 && !threads) {
        return Err(format!("there is no thread {thread}: the program starts none"));
    }
    let segment = hidden(&mut program, "segment of the witness", VarKind::Global(zero()));
    let target = hidden(&mut program, "inside the target", VarKind::ThreadLocal(zero()));
    let mut weaver = Weaver {
        targets: targets(sites),
        program,
        plan,
        reading,
        threads,
        segment,
        target,
        locals: FxHashMap::default(),
        handles: FxHashMap::default(),
        handle_locals: FxHashMap::default(),
    };
    weaver.calls(places, calls)?;
    weaver.calls_in_target();
    for fragment in fragments(&weaver.program, sites) {
        weaver.probe(&sites[fragment.site], &fragment.edges);
    }
    weaver.errors();
    if reading.is_narrow() {
        weaver.take_turns();
    }
    Ok(Restricted { program: weaver.program, counter: segment })
}

const COUNTER: Sort = Sort::Bits(32);

fn zero() -> Option<Const> {
    Some(Const { sort: COUNTER, bits: 0 })
}

fn hidden(program: &mut Program, name: &str, kind: VarKind) -> VarId {
    let var = Var {
        name: name.into(),
        sort: COUNTER,
        kind: kind.clone(),
        signed: false,
        span: Span::NONE,
        origin: Origin::default(),
    };
    program.vars.push(var);
    let id = VarId(program.vars.len() as u32 - 1);
    if let VarKind::Local(proc) = kind {
        program.procs[proc.index()].locals.push(id);
    }
    id
}

/// The locations of statements that are targets. Lowering makes those of a statement between the probes around it; where a jump leads is made with what it leads to.
fn targets(sites: &[Site]) -> FxHashMap<ProcId, Vec<RangeInclusive<u32>>> {
    let mut targets: FxHashMap<ProcId, Vec<RangeInclusive<u32>>> = FxHashMap::default();
    let mut begun: FxHashMap<usize, &Site> = FxHashMap::default();
    for site in sites {
        match site.moment {
            Moment::Begin => {
                begun.insert(site.probe, site);
            }
            Moment::End => {
                let begin = begun.remove(&site.probe).filter(|begin| begin.proc == site.proc);
                let range = begin.map(|begin| begin.to.0..=site.from.0);
                targets.entry(site.proc).or_default().extend(range);
            }
            _ => {}
        }
    }
    targets
}

/// The hidden locals of a procedure.
#[derive(Clone, Copy)]
struct Locals {
    segment: VarId,
    thread: VarId,
    target: VarId,
}

struct Weaver<'a> {
    program: Program,
    targets: FxHashMap<ProcId, Vec<RangeInclusive<u32>>>,
    plan: &'a Plan,
    reading: Reading,
    threads: bool,
    segment: VarId,
    target: VarId,
    locals: FxHashMap<ProcId, Locals>,
    /// The handles of threads that waypoints name, by their numbers in the witness: in which order handles are given out is up to engines. Where none is noted, threads are
    /// numbered in the order in which they are made.
    handles: FxHashMap<u32, VarId>,
    handle_locals: FxHashMap<(ProcId, u32), VarId>,
}

impl Weaver<'_> {
    fn locals(&mut self, proc: ProcId) -> Locals {
        if let Some(known) = self.locals.get(&proc) {
            return *known;
        }
        let mut local = |name: &str| hidden(&mut self.program, name, VarKind::Local(proc));
        let locals = Locals { segment: local("segment"), thread: local("thread"), target: local("target") };
        self.locals.insert(proc, locals);
        locals
    }

    fn value(&mut self, var: VarId) -> ExprId {
        self.program.pool.var(var, COUNTER)
    }

    /// The threads of some segments; `None`: any thread.
    fn concerned(&self, of: &[Current]) -> Option<Vec<u32>> {
        let mut threads = of.iter().map(|(_, thread)| *thread).collect::<Option<Vec<u32>>>()?;
        threads.sort_unstable();
        threads.dedup();
        Some(threads).filter(|_| self.threads)
    }

    /// Is the thread that runs the one with this number? Its handle was read.
    fn is_own(&mut self, proc: ProcId, thread: u32) -> ExprId {
        let own = self.locals(proc).thread;
        let own = self.value(own);
        let other = match self.handle_local(proc, thread) {
            Some(local) => self.value(local),
            None => self.program.pool.bits(32, thread.into()),
        };
        self.program.pool.eq(own, other)
    }

    fn handle_local(&mut self, proc: ProcId, thread: u32) -> Option<VarId> {
        self.handles.get(&thread)?;
        if let Some(local) = self.handle_locals.get(&(proc, thread)) {
            return Some(*local);
        }
        let local = hidden(&mut self.program, "handle", VarKind::Local(proc));
        self.handle_locals.insert((proc, thread), local);
        Some(local)
    }

    fn is_one_of(&mut self, proc: ProcId, threads: &[u32]) -> ExprId {
        let mut any = self.program.pool.bool(false);
        for thread in threads {
            let is_own = self.is_own(proc, *thread);
            any = self.program.pool.or(any, is_own);
        }
        any
    }

    /// Reads the thread's number, and the handles of those that some segments speak of.
    fn who(&mut self, proc: ProcId, of: &[Current]) -> Vec<Label> {
        if !self.threads {
            return Vec::new();
        }
        let mut labels = vec![Label::Self_ { var: self.locals(proc).thread }];
        let mut threads: Vec<u32> = of.iter().filter_map(|(_, thread)| *thread).collect();
        threads.sort_unstable();
        threads.dedup();
        for thread in threads {
            if let (Some(var), Some(handle)) = (self.handle_local(proc, thread), self.handles.get(&thread)) {
                labels.push(Label::Load { var, place: Place::Var(*handle), order: Order::NonAtomic });
            }
        }
        labels
    }

    /// Reads who runs, and the counter.
    fn look(&mut self, proc: ProcId, of: &[Current]) -> Vec<Label> {
        let mut labels = self.who(proc, of);
        labels.push(self.load_segment(proc));
        labels
    }

    fn load_segment(&mut self, proc: ProcId) -> Label {
        let var = self.locals(proc).segment;
        Label::Load { var, place: Place::Var(self.segment), order: Order::NonAtomic }
    }

    /// The same in threads that some segments concern. Others do not touch the counter.
    fn look_in_own(&mut self, proc: ProcId, of: &[Current]) -> Vec<Label> {
        let mut labels = self.who(proc, of);
        if let Some(threads) = self.concerned(of) {
            labels.push(Label::Assume(self.is_one_of(proc, &threads)));
        }
        labels.push(self.load_segment(proc));
        labels
    }

    /// What the other threads do instead, if there are others.
    fn look_away(&mut self, proc: ProcId, of: &[Current]) -> Option<Vec<Label>> {
        let threads = self.concerned(of)?;
        let mut labels = self.who(proc, of);
        let own = self.is_one_of(proc, &threads);
        labels.push(self.assume_not(own));
        Some(labels)
    }

    /// Is one of these segments current, in its thread? Both were read.
    fn is_current(&mut self, proc: ProcId, of: &[Current]) -> ExprId {
        let segment = self.locals(proc).segment;
        let segment = self.value(segment);
        let mut any = self.program.pool.bool(false);
        let mut of = of.to_vec();
        of.sort_unstable_by_key(|(number, thread)| (*thread, *number));
        of.dedup();
        for run in of.chunk_by(|(a, one), (b, other)| one == other && b - a <= 1) {
            let ((first, thread), (last, _)) = (run[0], run[run.len() - 1]);
            let pool = &mut self.program.pool;
            let (first, last) = (pool.bits(32, first.into()), pool.bits(32, last.into()));
            let mut one = if first == last {
                pool.eq(segment, first)
            } else {
                let above = pool.binary(BinOp::ULe, first, segment);
                let below = pool.binary(BinOp::ULe, segment, last);
                pool.and(above, below)
            };
            if let Some(thread) = thread.filter(|_| self.threads) {
                let is_own = self.is_own(proc, thread);
                one = self.program.pool.and(one, is_own);
            }
            any = self.program.pool.or(any, one);
        }
        any
    }

    /// May a waypoint that could be followed be left for later? Only if following it makes a difference to what is avoided.
    fn may_wait(&self, of: &[Current]) -> bool {
        let next = |number: u32| self.plan.avoiding.get(number as usize + 1) == Some(&true);
        self.reading == Reading::Lenient && of.iter().any(|(number, _)| next(*number))
    }

    /// Moves the counter on if a condition holds.
    fn store_next(&mut self, proc: ProcId, moves: ExprId) -> Label {
        let segment = self.locals(proc).segment;
        let now = self.value(segment);
        let pool = &mut self.program.pool;
        let one = pool.bits(32, 1);
        let next = pool.binary(BinOp::BvAdd, now, one);
        let value = pool.ite(moves, next, now);
        Label::Store { place: Place::Var(self.segment), value, order: Order::NonAtomic }
    }

    fn assume_not(&mut self, cond: ExprId) -> Label {
        Label::Assume(self.program.pool.not(cond))
    }

    // ---- probes ----

    fn probe(&mut self, site: &Site, edges: &[usize]) {
        let proc = site.proc;
        let origin = self.program.proc(proc).locations[site.from.index()].origin;
        for loc in site.inner.clone() {
            self.program.procs[proc.index()].locations[loc as usize].origin = origin;
        }
        let of = self.segments_at(site);
        let away = if of.is_empty() { None } else { self.look_away(proc, &of) };
        let is_atomic = self.threads && site.no.is_some();
        let mut more = Vec::new();
        for &at in edges {
            let edge = self.program.proc(proc).edges[at].clone();
            let leaves = edge.source == site.yes || Some(edge.source) == site.no;
            let mut ways = match edge.source {
                source if source == site.from => vec![Vec::new()],
                _ if leaves => self.ways_out(site, Some(edge.source) == site.no),
                _ => vec![edge.labels.clone()],
            };
            if edge.source == site.from {
                if let Some(labels) = &away {
                    let own = self.concerned(&of).unwrap_or_default();
                    ways[0] = self.who(proc, &of);
                    ways[0].push(Label::Assume(self.is_one_of(proc, &own)));
                    more.push(Edge { target: site.to, labels: labels.clone(), ..edge.clone() });
                }
                if is_atomic {
                    ways[0].push(Label::AtomicBegin);
                }
            }
            for (number, mut labels) in ways.into_iter().enumerate() {
                if leaves && is_atomic {
                    labels.push(Label::AtomicEnd);
                }
                let made = Edge { labels, is_silent: !leaves, ..edge.clone() };
                match number {
                    0 => self.program.procs[proc.index()].edges[at] = made,
                    _ => more.push(made),
                }
            }
        }
        self.program.procs[proc.index()].edges.extend(more);
    }

    /// The segments that speak of a probe.
    fn segments_at(&self, site: &Site) -> Vec<Current> {
        let is_it = |of: &&Use| matches!(of.seen, Seen::Probe(number, _) if number == site.probe);
        self.plan.uses.iter().filter(is_it).map(|of| (of.segment, of.thread)).collect()
    }

    /// The labels of the edges that leave a probe, where its condition holds or where it does not.
    fn ways_out(&mut self, site: &Site, fails: bool) -> Vec<Vec<Label>> {
        if matches!(site.moment, Moment::Begin | Moment::End) {
            return vec![Vec::new()];
        }
        let (passed, missed) = self.moves(site);
        let mut ways = vec![if fails { Vec::new() } else { self.passing(site.proc, &passed) }];
        if !fails && self.may_wait(&passed.follow) {
            ways.push(self.passing(site.proc, &Moves { follow: Vec::new(), ..passed }));
        }
        // A branch that goes the other way, or a condition that does not hold.
        let is_missed = fails || site.no.is_none();
        if is_missed && self.reading != Reading::Lenient && !missed.is_empty() {
            let mut look = self.look(site.proc, &missed);
            let current = self.is_current(site.proc, &missed);
            look.push(self.assume_not(current));
            for way in &mut ways {
                way.splice(0..0, look.clone());
            }
        }
        ways
    }

    /// What waypoints make of it if the probe's condition holds; and those that were to be followed, if it does not or the branch goes elsewhere.
    fn moves(&self, site: &Site) -> (Moves, Vec<Current>) {
        let (mut passed, mut missed) = (Moves::default(), Vec::new());
        for of in &self.plan.uses {
            let Seen::Probe(number, way) = of.seen else { continue };
            if number != site.probe {
                continue;
            }
            let current = (of.segment, of.thread);
            let other = matches!((site.moment, way), (Moment::Branched(is), Some(wanted)) if is != wanted);
            match (of.follows, other) {
                (true, true) => missed.push(current),
                (true, false) => {
                    passed.follow.push(current);
                    passed.avoid.extend(self.too_early(of));
                    if site.no.is_some() {
                        missed.push(current);
                    }
                }
                (false, true) => {}
                (false, false) => passed.avoid.push(current),
            }
        }
        (passed, missed)
    }

    /// In the narrowest reading, a thread does not come by the place of its next waypoint before: the segments since its last one.
    fn too_early(&self, of: &Use) -> impl Iterator<Item = Current> + use<> {
        let (thread, end) = (of.thread, of.segment);
        let own = |other: &&Use| other.thread == thread && other.segment < end && other.follows;
        let begin = match self.reading == Reading::Narrowest && thread.is_some() {
            true => self.plan.uses.iter().filter(own).map(|other| other.segment + 1).max().unwrap_or(0),
            false => end,
        };
        (begin..end).map(move |segment| (segment, thread))
    }

    fn passing(&mut self, proc: ProcId, moves: &Moves) -> Vec<Label> {
        let mut labels = self.look(proc, &[&moves.follow[..], &moves.avoid].concat());
        if !moves.avoid.is_empty() {
            let avoided = self.is_current(proc, &moves.avoid);
            labels.push(self.assume_not(avoided));
        }
        if !moves.follow.is_empty() {
            let followed = self.is_current(proc, &moves.follow);
            labels.push(self.store_next(proc, followed));
        }
        labels
    }

    /// Is a location in a statement that is the target?
    fn is_in_target(&self, proc: ProcId, loc: LocId) -> bool {
        let origin = self.program.proc(proc).locations[loc.index()].origin.0.map_or(loc, |origin| origin.loc);
        self.targets.get(&proc).is_some_and(|ranges| ranges.iter().any(|range| range.contains(&origin.0)))
    }

    /// What a target calls is inside it, whoever calls it; and when the call returns, the thread is where it was before.
    fn calls_in_target(&mut self) {
        for proc in (0..self.program.procs.len() as u32).map(ProcId) {
            for edge in 0..self.program.proc(proc).edges.len() {
                let Edge { source, labels, .. } = &self.program.proc(proc).edges[edge];
                if !matches!(labels[..], [Label::Call { .. }]) || !self.is_in_target(proc, *source) {
                    continue;
                }
                let (kept, inside) = (self.locals(proc).target, Place::Var(self.target));
                let (one, before) = (self.program.pool.bits(32, 1), self.value(kept));
                let (enters, leaves) = (self.edge_before(proc, edge), self.edge_behind(proc, edge));
                let edges = &mut self.program.procs[proc.index()].edges;
                let store = |value| Label::Store { place: inside, value, order: Order::NonAtomic };
                let load = Label::Load { var: kept, place: inside, order: Order::NonAtomic };
                edges[enters].labels = vec![load, store(one)];
                edges[leaves].labels = vec![store(before)];
            }
        }
    }

    /// An error counts inside the target, when all segments before it were followed.
    fn errors(&mut self) {
        for proc in 0..self.program.procs.len() {
            for edge in 0..self.program.procs[proc].edges.len() {
                let is_error = |label: &Label| matches!(label, Label::Error(_));
                let Some(at) = self.program.procs[proc].edges[edge].labels.iter().position(is_error) else { continue };
                let id = ProcId(proc as u32);
                let locals = self.locals(id);
                // A deadlock is at no statement: each thread is at its own.
                let is_deadlock = self.program.procs[proc].edges[edge].labels[at] == Label::Error(Violation::Deadlock);
                let is_inside = is_deadlock || self.is_in_target(id, self.program.proc(id).edges[edge].source);
                let target = self.plan.uses.iter().filter(|of| matches!(of.seen, Seen::Target));
                let target: Vec<_> = target.map(|of| (of.segment, of.thread)).collect();
                let mut labels = self.look_in_own(id, &target);
                if !is_inside {
                    let (var, place) = (locals.target, Place::Var(self.target));
                    labels.push(Label::Load { var, place, order: Order::NonAtomic });
                    let inside = self.value(locals.target);
                    let one = self.program.pool.bits(32, 1);
                    labels.push(Label::Assume(self.program.pool.eq(inside, one)));
                }
                labels.push(Label::Assume(self.is_current(id, &target)));
                self.program.procs[proc].edges[edge].labels.splice(at..at, labels);
            }
        }
    }

    /// Whoever touches what is shared is the thread of the next waypoint or of the last one.
    fn take_turns(&mut self) {
        let Some(threads) = self.plan.turns() else { return };
        let mut allowed: Vec<Current> = (0..).zip(&threads).map(|(at, thread)| (at, Some(*thread))).collect();
        allowed.extend((1..).zip(&threads).map(|(at, thread)| (at, Some(*thread))));
        let is_shared = |label: &Label| {
            matches!(
                label,
                Label::Load { .. }
                    | Label::Store { .. }
                    | Label::Lock { .. }
                    | Label::Start { .. }
                    | Label::AtomicBegin
            )
        };
        for proc in 0..self.program.procs.len() {
            let id = ProcId(proc as u32);
            for edge in 0..self.program.procs[proc].edges.len() {
                if !self.program.procs[proc].edges[edge].labels.iter().any(is_shared) {
                    continue;
                }
                let mut labels = self.look(id, &allowed);
                labels.push(Label::Assume(self.is_current(id, &allowed)));
                self.program.procs[proc].edges[edge].labels.splice(0..0, labels);
            }
        }
    }

    // ---- calls ----

    fn calls(&mut self, places: &dyn Places, noted: &[(ProcId, LocId, Span)]) -> Result<(), String> {
        let is_call = |of: &&Use| matches!(of.seen, Seen::Enter(_) | Seen::Return(..));
        let uses: Vec<(usize, &Use)> = self.plan.uses.iter().enumerate().filter(|(_, of)| is_call(of)).collect();
        let noted: FxHashMap<(ProcId, LocId), Span> =
            noted.iter().map(|(proc, loc, span)| ((*proc, *loc), *span)).collect();
        let made = self.creations(places, &uses);
        let mut found = vec![false; self.plan.uses.len()];
        let mut calls = Vec::new();
        for proc in (0..self.program.procs.len() as u32).map(ProcId) {
            let edges = 0..self.program.proc(proc).edges.len();
            let at = edges.filter_map(|edge| Some((proc, edge, self.call_at(proc, edge, &noted)?)));
            calls.extend(at.map(|(proc, edge, (call, span))| (proc, edge, call, places.locate(span))));
        }
        let all: Vec<format::Location> = calls.iter().filter_map(|(.., place)| place.clone()).collect();
        for (proc, edge, call, place) in calls {
            let mut here = Vec::new();
            for (number, of) in &uses {
                if let (Seen::Enter(spot) | Seen::Return(spot, _), Some(place)) = (&of.seen, &place)
                    && spot.means(place, &all)
                {
                    found[*number] = true;
                    here.push(*of);
                }
            }
            if !here.is_empty() {
                self.call(proc, edge, call, &here, &made)?;
            } else if self.reading.is_narrow() {
                self.hold_back(proc, edge, call);
            }
        }
        for (number, of) in uses {
            if let (false, Seen::Enter(spot) | Seen::Return(spot, _)) = (found[number], &of.seen) {
                let column = spot.column.map_or(String::new(), |column| format!(":{column}"));
                return Err(format!("{}:{}{column}: no call ends here", spot.file, spot.line));
            }
        }
        Ok(())
    }

    /// In a narrow reading, threads are numbered as they are made: one that the witness does not tell of would confuse the numbers.
    fn hold_back(&mut self, proc: ProcId, edge: usize, call: Call) {
        let never = Label::Assume(self.program.pool.bool(false));
        let labels = &mut self.program.procs[proc.index()].edges[edge].labels;
        if let Label::Start { .. } = labels[call.at] {
            labels.insert(call.at, never);
        }
    }

    /// The call on an edge, and where it ends.
    fn call_at(&self, proc: ProcId, edge: usize, noted: &FxHashMap<(ProcId, LocId), Span>) -> Option<(Call, Span)> {
        let Edge { source, labels, .. } = &self.program.proc(proc).edges[edge];
        labels.iter().enumerate().find_map(|(at, label)| match *label {
            Label::Havoc { var, reason: HavocReason::Input, .. } => {
                let of = self.program.var(var);
                Some((Call { at, result: Returns::Var(var, of.signed) }, of.span))
            }
            Label::Start { var, .. } => Some((Call { at, result: Returns::Zero }, self.program.var(var).span)),
            Label::Call { var, callee, .. } => {
                let result = match callee {
                    Callee::Proc(called) => self.program.proc(called).result,
                    Callee::Address(_) => None,
                };
                let is_signed = result.is_some_and(|result| self.program.var(result).signed);
                let result = var.map_or(Returns::None, |var| Returns::Var(var, is_signed));
                Some((Call { at, result }, *noted.get(&(proc, *source))?))
            }
            _ => None,
        })
    }

    /// The edge of a call gives way to one for each result that waypoints speak of, and one for where none is followed. A call of a function is alone on its edge: what is
    /// looked at stands on edges before or behind it.
    fn call(
        &mut self,
        proc: ProcId,
        edge: usize,
        call: Call,
        uses: &[&Use],
        made: &FxHashMap<u32, u32>,
    ) -> Result<(), String> {
        let labels = &self.program.proc(proc).edges[edge].labels;
        if !matches!(labels[call.at], Label::Call { .. }) {
            return self.split(proc, edge, call, uses, made);
        }
        let is_return = |of: &&&Use| matches!(of.seen, Seen::Return(..));
        let returns: Vec<&Use> = uses.iter().filter(is_return).copied().collect();
        let enters: Vec<&Use> = uses.iter().filter(|of| !is_return(of)).copied().collect();
        if !returns.is_empty() {
            let behind = self.edge_behind(proc, edge);
            self.split(proc, behind, Call { at: 0, ..call }, &returns, &FxHashMap::default())?;
        }
        if !enters.is_empty() {
            let before = self.edge_before(proc, edge);
            self.split(proc, before, Call { at: 0, ..call }, &enters, &FxHashMap::default())?;
        }
        Ok(())
    }

    /// Which segments make a thread that waypoints name, and which. Its handle is noted then.
    fn creations(&mut self, places: &dyn Places, uses: &[(usize, &Use)]) -> FxHashMap<u32, u32> {
        let mut made = FxHashMap::default();
        // In a narrow reading, threads are explored as they are made.
        if self.reading.is_narrow() {
            return made;
        }
        let labels = self.program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
        let starts = labels.filter_map(|label| match label {
            Label::Start { var, .. } => places.locate(self.program.var(*var).span),
            _ => None,
        });
        let starts: Vec<_> = starts.collect();
        let named: Vec<u32> = self.plan.uses.iter().filter_map(|of| of.thread).collect();
        let is_creation = |of: &&&Use| {
            of.follows && matches!(&of.seen, Seen::Enter(spot) if starts.iter().any(|start| spot.means(start, &starts)))
        };
        let mut segments: Vec<u32> = uses.iter().map(|(_, of)| of).filter(is_creation).map(|of| of.segment).collect();
        segments.sort_unstable();
        for (segment, thread) in segments.into_iter().zip(1..) {
            if named.contains(&thread) {
                made.insert(segment, thread);
            }
        }
        for thread in made.values() {
            let nobody = Some(Const { sort: COUNTER, bits: u128::from(u32::MAX) });
            let var = hidden(&mut self.program, "handle of a thread", VarKind::Global(nobody));
            self.handles.insert(*thread, var);
        }
        made
    }

    /// Notes the handle of a thread that was just made.
    fn store_handle(&mut self, label: &[Label], makes: Option<u32>) -> Vec<Label> {
        let (Some(Label::Start { var, .. }), Some(thread)) = (label.first(), makes) else { return Vec::new() };
        let Some(handle) = self.handles.get(&thread).copied() else { return Vec::new() };
        let value = self.program.pool.var(*var, self.program.vars[var.index()].sort);
        let value = self.program.pool.extract(31, 0, value);
        vec![Label::Store { place: Place::Var(handle), value, order: Order::NonAtomic }]
    }

    /// An edge without labels between a call and what follows it; the thread is where it was when the call had returned.
    fn edge_behind(&mut self, proc: ProcId, edge: usize) -> usize {
        let procedure = &mut self.program.procs[proc.index()];
        let after = procedure.edges[edge].target;
        let location = Location { kind: LocKind::Normal, ..procedure.locations[after.index()].clone() };
        let between = LocId(procedure.locations.len() as u32);
        procedure.locations.push(location);
        procedure.edges[edge].target = between;
        let span = procedure.edges[edge].span;
        procedure.edges.push(Edge { source: between, target: after, labels: Vec::new(), span, is_silent: true });
        procedure.edges.len() - 1
    }

    fn edge_before(&mut self, proc: ProcId, edge: usize) -> usize {
        let procedure = &mut self.program.procs[proc.index()];
        let before = procedure.edges[edge].source;
        let location = procedure.locations[before.index()].clone();
        let between = LocId(procedure.locations.len() as u32);
        procedure.locations.push(location);
        procedure.edges[edge].source = between;
        let span = procedure.edges[edge].span;
        procedure.edges.push(Edge { source: before, target: between, labels: Vec::new(), span, is_silent: true });
        procedure.edges.len() - 1
    }

    fn split(
        &mut self,
        proc: ProcId,
        edge: usize,
        call: Call,
        uses: &[&Use],
        made: &FxHashMap<u32, u32>,
    ) -> Result<(), String> {
        let before = self.program.proc(proc).edges[edge].clone();
        let (head, rest) = before.labels.split_at(call.at);
        let (label, tail) = rest.split_at(rest.len().min(1));
        let all: Vec<_> = uses.iter().map(|of| (of.segment, of.thread)).collect();
        let look = self.look_in_own(proc, &all);
        let (mut followed, mut avoided) = (Vec::new(), Vec::new());
        // Waypoints with the same condition share an edge.
        let mut by_condition: Vec<(Effect, Vec<Current>)> = Vec::new();
        for of in uses {
            let current = (of.segment, of.thread);
            let holds = self.returned(of, call.result)?;
            if !of.follows {
                let is_current = self.is_current(proc, &[current]);
                let pool = &mut self.program.pool;
                let both = pool.and(is_current, holds);
                avoided.push(Label::Assume(pool.not(both)));
                continue;
            }
            followed.push(current);
            let key = (holds, made.get(&of.segment).copied());
            match by_condition.iter_mut().find(|(known, _)| *known == key) {
                Some((_, of)) => of.push(current),
                None => by_condition.push((key, vec![current])),
            }
        }
        let mut edges = Vec::new();
        for ((holds, makes), of) in by_condition {
            let is_current = self.is_current(proc, &of);
            let here = [head, &look, &[Label::Assume(is_current)], label].concat();
            let yes = self.store_next(proc, is_current);
            let handle = self.store_handle(label, makes);
            edges.push([&here[..], &[Label::Assume(holds)], tail, &handle, &[yes]].concat());
            if self.reading == Reading::Lenient && !self.program.pool.is_bool(holds, true) {
                let fails = self.assume_not(holds);
                edges.push([&here[..], &[fails], tail].concat());
            }
        }
        // In a narrow reading, a witness that tells of inputs and of new threads tells of all of them.
        let is_told = matches!(label, [Label::Start { .. } | Label::Havoc { .. }]);
        let may_be_untold = followed.is_empty() || !is_told || !self.reading.is_narrow();
        if may_be_untold {
            let mut rest = [head, &look].concat();
            if !self.may_wait(&followed) {
                let current = self.is_current(proc, &followed);
                rest.push(self.assume_not(current));
            }
            edges.push([&rest[..], label, tail].concat());
        }
        for labels in &mut edges {
            labels.extend(avoided.clone());
        }
        if let Some(away) = self.look_away(proc, &all).filter(|_| may_be_untold) {
            edges.push([head, &away, label, tail].concat());
        }
        let procedure = &mut self.program.procs[proc.index()];
        for (number, labels) in edges.into_iter().enumerate() {
            let made = Edge { labels, ..before.clone() };
            match number {
                0 => procedure.edges[edge] = made,
                _ => procedure.edges.push(made),
            }
        }
        Ok(())
    }

    /// Does the result fit? Creating a thread returns 0.
    fn returned(&mut self, of: &Use, result: Returns) -> Result<ExprId, String> {
        let Seen::Return(spot, returned) = &of.seen else { return Ok(self.program.pool.bool(true)) };
        let (value, signed) = match result {
            Returns::Var(var, signed) => {
                let sort = self.program.var(var).sort;
                (self.program.pool.var(var, sort), signed)
            }
            Returns::Zero => (self.program.pool.bits(32, 0), true),
            Returns::None => return Err(format!("{}:{}: this call has no result", spot.file, spot.line)),
        };
        let holds = returned.condition(&mut self.program.pool, value, signed);
        holds.ok_or_else(|| format!("{}:{}: the result has no such values", spot.file, spot.line))
    }
}
