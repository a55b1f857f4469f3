//! Deadlocks as reachability: a Program in which `Error(Deadlock)` is reached exactly if the given one can come to a state in which it has not ended, and every thread that
//! has not ended waits (for a lock, the end of a thread, or a condition), one at least.
//!
//! Wherever a thread may have to wait there is another way on, in two steps, after which it steps no more:
//! 1. The thread *stops*: it has to wait now. Threads stop in the order of their handles, the newest first, so that there is one way to stop them all.
//! 2. When all threads that have not ended have stopped, nothing changes any more. Then each of them *confirms*, in the same order, that it still has to wait: the step of
//!    another thread may have ended its waiting since it stopped. The last one to confirm is at the error.
//!
//! No other step is guarded, so all others commute as they did. Three shared sets of threads, 64 bits each, are all that is added: who has not ended, who has stopped, who has
//! confirmed. A thread that spins, or that is cut off by an assumption or by undefined behaviour, never stops.
//!
//! "Has to wait now" is said with the labels that there are: `TryAcquire` answers EBUSY exactly where `Acquire` blocks (raddle-ir, `locks.rs`), a join waits for a thread that has
//! not ended, and `Await` for the opposite of its condition. An atomic block that waits does so as a whole: the thread stops before it begins. What the block reads until it
//! waits is read once more by either step; where it does more than read, waiting is a gap. So edges from one location exclude each other, as they do in what is lowered: a
//! thread can stop only where it cannot go on.
//!
//! A Program that never waits is returned as it is: it has no deadlock, and no error.

use raddle_analysis::{AtomicBlocks, atomic_blocks};
use raddle_ir::deadlock_names::{CONFIRMED, JOINED, STOPPED, WAITS_IN};
use raddle_ir::{
    BOOKKEEPING, BinOp, Callee, Const, Edge, EdgeId, ExprId, Gap, GapId, GapKind, Label, LocId, LocKind, Location,
    LockOp, ObjectKind, Order, Origin, Outgoing, Place, ProcId, Procedure, Program, Sort, Span, UnOp, Var, VarId,
    VarKind, Violation,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// One bit for each thread.
const SET_BITS: u8 = 64;
const SET: Sort = Sort::Bits(SET_BITS);
const EBUSY: u128 = 16;

/// Puts the error in, and what leads to it.
pub fn deadlocks(mut program: Program) -> Program {
    let waits = waits(&program);
    if waits.is_empty() {
        return program;
    }
    let blocks = atomic_blocks(&program);
    let sets = Sets {
        alive: shared_set(&mut program, &bookkeeping("threads that have not ended"), 1),
        stopped: shared_set(&mut program, STOPPED, 0),
        confirmed: shared_set(&mut program, CONFIRMED, 0),
    };
    let ways: Vec<(ProcId, Way)> = waits.iter().map(|wait| (wait.proc, way(&program, &blocks, wait))).collect();
    let mut weaver = Weaver { program, sets, locals: FxHashMap::default() };
    for (proc, way) in ways {
        weaver.stop(proc, way);
    }
    weaver.starts();
    weaver.ends();
    weaver.program
}

/// A label at which a thread may have to wait.
struct Wait {
    proc: ProcId,
    edge: EdgeId,
    label: usize,
}

fn waits(program: &Program) -> Vec<Wait> {
    let mut waits = Vec::new();
    for (proc, procedure) in program.procs.iter().enumerate() {
        for (edge, label) in
            procedure.edges.iter().enumerate().flat_map(|(e, edge)| (0..edge.labels.len()).map(move |l| (e, l)))
        {
            if may_wait(&procedure.edges[edge].labels[label]) {
                waits.push(Wait { proc: ProcId(proc as u32), edge: EdgeId(edge as u32), label });
            }
        }
    }
    waits
}

fn may_wait(label: &Label) -> bool {
    match label {
        Label::Lock { op, .. } => attempt(*op).is_some(),
        Label::Join { .. } | Label::Await(_) => true,
        _ => false,
    }
}

/// What answers EBUSY where an operation would have to wait.
fn attempt(op: LockOp) -> Option<LockOp> {
    match op {
        LockOp::Acquire => Some(LockOp::TryAcquire),
        LockOp::AcquireWrite => Some(LockOp::TryAcquireWrite),
        LockOp::AcquireShared => Some(LockOp::TryAcquireShared),
        LockOp::Init(_)
        | LockOp::Destroy
        | LockOp::TryAcquire
        | LockOp::TryAcquireWrite
        | LockOp::TryAcquireShared
        | LockOp::Release => None,
    }
}

/// Where a thread is that has to wait, and what it does from there until it sees that.
struct Way {
    from: LocId,
    span: Span,
    before: Vec<Label>,
    wait: Label,
    /// It does nothing but read, from a place where others may step.
    is_sound: bool,
    /// The edges of an atomic block up to the one that waits, that one included.
    block: Vec<EdgeId>,
}

/// The way to a label: the edge up to there; in an atomic block, the block up to there.
fn way(program: &Program, blocks: &AtomicBlocks, wait: &Wait) -> Way {
    let proc = program.proc(wait.proc);
    let (incoming, outgoing) = (proc.in_edges(), proc.out_edges());
    let edge = &proc.edges[wait.edge.index()];
    let unknown = Way {
        from: edge.source,
        span: edge.span,
        before: edge.labels[..wait.label].to_vec(),
        wait: edge.labels[wait.label].clone(),
        is_sound: false,
        block: vec![],
    };
    if edge.labels.iter().filter(|label| may_wait(label)).count() > 1 {
        return unknown;
    }
    let (mut from, mut before, mut block) = (unknown.from, unknown.before.clone(), vec![wait.edge]);
    while reads_only(&before) && is_determined(proc, &outgoing, from) {
        if !blocks.may_be_inside(wait.proc, from) {
            before = before.into_iter().filter_map(repeated).collect();
            return Way { from, before, is_sound: true, block, ..unknown };
        }
        match (incoming.of(from), outgoing.of(from)) {
            ([edge], [_]) if from != proc.entry && !blocks.may_be_outside(wait.proc, from) => {
                before.splice(0..0, proc.edges[edge.index()].labels.iter().cloned());
                from = proc.edges[edge.index()].source;
                block.insert(0, *edge);
            }
            _ => break,
        }
    }
    unknown
}

/// A thread that does this a second time, while nobody else steps, does the same.
fn reads_only(labels: &[Label]) -> bool {
    labels.iter().all(|label| {
        matches!(
            label,
            Label::AtomicBegin
                | Label::Assign { .. }
                | Label::Load { .. }
                | Label::Self_ { .. }
                | Label::Assume(_)
                | Label::Require { .. }
        )
    })
}

/// The label in a step of its own: what is undefined ends the way as well as what is not so.
fn repeated(label: Label) -> Option<Label> {
    match label {
        Label::AtomicBegin => None,
        Label::Require { cond, .. } => Some(Label::Assume(cond)),
        other => Some(other),
    }
}

/// Conditions alone say which edge is taken: a thread that waits on one has no other.
fn is_determined(proc: &Procedure, outgoing: &Outgoing, at: LocId) -> bool {
    let edges = outgoing.of(at);
    let begins_with_condition =
        |edge: &EdgeId| matches!(proc.edges[edge.index()].labels.first(), Some(Label::Assume(_)));
    edges.len() == 1 || edges.iter().all(begins_with_condition)
}

fn bookkeeping(name: &str) -> String {
    format!("{BOOKKEEPING}{name}")
}

fn shared_set(program: &mut Program, name: &str, initial: u128) -> VarId {
    hidden(program, name, SET, VarKind::Global(Some(Const { sort: SET, bits: initial })))
}

fn hidden(program: &mut Program, name: &str, sort: Sort, kind: VarKind) -> VarId {
    let id = VarId(program.vars.len() as u32);
    if let VarKind::Local(proc) = kind {
        program.procs[proc.index()].locals.push(id);
    }
    program.vars.push(Var {
        name: name.into(),
        sort,
        kind,
        signed: false,
        span: Span::NONE,
        origin: Origin::default(),
    });
    id
}

/// The sets of threads that all threads see.
#[derive(Clone, Copy)]
struct Sets {
    alive: VarId,
    stopped: VarId,
    confirmed: VarId,
}

/// What a procedure knows of them.
#[derive(Clone, Copy)]
struct Locals {
    me: VarId,
    alive: VarId,
    stopped: VarId,
    confirmed: VarId,
    answer: VarId,
    /// For stories: what the thread waits for.
    joined: VarId,
    waits_in: VarId,
}

struct Weaver {
    program: Program,
    sets: Sets,
    locals: FxHashMap<ProcId, Locals>,
}

impl Weaver {
    fn locals(&mut self, proc: ProcId) -> Locals {
        let program = &mut self.program;
        *self.locals.entry(proc).or_insert_with(|| {
            let waits_in = format!("{WAITS_IN}{}", program.proc(proc).name);
            let mut local = |name: &str, sort| hidden(program, name, sort, VarKind::Local(proc));
            Locals {
                me: local(&bookkeeping("own handle"), SET),
                alive: local(&bookkeeping("alive"), SET),
                stopped: local(&bookkeeping("stopped"), SET),
                confirmed: local(&bookkeeping("confirmed"), SET),
                answer: local(&bookkeeping("answer"), Sort::Bits(32)),
                joined: local(JOINED, SET),
                waits_in: local(&waits_in, Sort::Bool),
            }
        })
    }

    fn value(&mut self, var: VarId) -> ExprId {
        self.program.pool.var(var, self.program.var(var).sort)
    }

    fn load(&self, var: VarId, shared: VarId) -> Label {
        Label::Load { var, place: Place::Var(shared), order: Order::SeqCst }
    }

    fn store(&self, shared: VarId, value: ExprId) -> Label {
        Label::Store { place: Place::Var(shared), value, order: Order::SeqCst }
    }

    fn handle(&mut self, handle: ExprId) -> ExprId {
        let pool = &mut self.program.pool;
        match pool.sort(handle).bits() {
            Some(bits) if bits > SET_BITS => pool.extract(SET_BITS - 1, 0, handle),
            _ => pool.zero_ext(SET_BITS, handle),
        }
    }

    /// The set of one thread.
    fn only(&mut self, handle: ExprId) -> ExprId {
        let handle = self.handle(handle);
        let pool = &mut self.program.pool;
        let one = pool.bits(SET_BITS, 1);
        pool.binary(BinOp::Shl, one, handle)
    }

    /// All threads of a set that are newer than the one in `only`.
    fn newer(&mut self, set: ExprId, only: ExprId) -> ExprId {
        let pool = &mut self.program.pool;
        let one = pool.bits(SET_BITS, 1);
        let next = pool.binary(BinOp::Shl, only, one);
        let up_to = pool.binary(BinOp::BvSub, next, one);
        let above = pool.unary(UnOp::BvNot, up_to);
        pool.binary(BinOp::BvAnd, set, above)
    }

    /// The thread has to wait here. The set of threads that have not ended is loaded.
    fn has_to_wait(&mut self, locals: Locals, wait: &Label) -> Vec<Label> {
        match *wait {
            Label::Lock { op, lock, .. } => {
                let answer = self.value(locals.answer);
                let busy = self.program.pool.bits(32, EBUSY);
                let is_busy = self.program.pool.eq(answer, busy);
                let op = attempt(op).unwrap_or(op);
                vec![Label::Lock { op, lock, var: Some(locals.answer) }, Label::Assume(is_busy)]
            }
            Label::Join { handle, .. } => {
                let handle = self.handle(handle);
                let (alive, joined) = (self.value(locals.alive), self.value(locals.joined));
                let other = self.only(joined);
                let pool = &mut self.program.pool;
                let both = pool.binary(BinOp::BvAnd, alive, other);
                let none = pool.bits(SET_BITS, 0);
                vec![Label::Assign { var: locals.joined, value: handle }, Label::Assume(pool.ne(both, none))]
            }
            Label::Await(cond) => {
                let pool = &mut self.program.pool;
                let (yes, waits) = (pool.bool(true), pool.not(cond));
                vec![Label::Assign { var: locals.waits_in, value: yes }, Label::Assume(waits)]
            }
            _ => vec![],
        }
    }

    fn location(&mut self, proc: ProcId, kind: LocKind, span: Span) -> LocId {
        let locations = &mut self.program.procs[proc.index()].locations;
        locations.push(Location { kind, span, origin: Origin::default() });
        LocId(locations.len() as u32 - 1)
    }

    fn edge(&mut self, proc: ProcId, source: LocId, target: LocId, labels: Vec<Label>, span: Span) {
        self.program.procs[proc.index()].edges.push(Edge { source, target, labels, span, is_silent: false });
    }

    fn gap(&mut self, proc: ProcId, span: Span, what: &str) -> LocId {
        let file = self.program.files.get(span.file.0 as usize).map_or("", |file| file);
        let message = format!("{file}:{}: unsupported: {what}\n", span.line);
        let gap = GapId(self.program.gaps.len() as u32);
        self.program.gaps.push(Gap { kind: GapKind::Unsupported, message });
        self.location(proc, LocKind::Gap(gap), span)
    }

    /// The way of a thread that has to wait: it stops and confirms, or nobody knows.
    fn stop(&mut self, proc: ProcId, way: Way) {
        let (span, locals, sets) = (way.span, self.locals(proc), self.sets);
        let waits = self.has_to_wait(locals, &way.wait);
        let look = self.load(locals.alive, sets.alive);
        if !way.is_sound {
            let gap = self.gap(proc, span, "waiting in an atomic block that does more than wait, for `no-deadlock`");
            let labels = way.before.into_iter().chain([look]).chain(waits).collect();
            return self.edge(proc, way.from, gap, labels, span);
        }
        self.wait_as_a_whole(proc, &way.block);
        let [me, alive, stopped, confirmed] =
            [locals.me, locals.alive, locals.stopped, locals.confirmed].map(|var| self.value(var));
        let only = self.only(me);
        let newer = self.newer(alive, only);
        let pool = &mut self.program.pool;
        let all_newer_stopped = pool.eq(stopped, newer);
        let with_me = pool.binary(BinOp::BvOr, stopped, only);
        let all_stopped = pool.eq(stopped, alive);
        let all_newer_confirmed = pool.eq(confirmed, newer);
        let confirmed_with_me = pool.binary(BinOp::BvOr, confirmed, only);
        let is_last = pool.eq(confirmed_with_me, alive);
        let is_not_last = pool.not(is_last);

        let here = self.location(proc, LocKind::Normal, span);
        let forever = self.location(proc, LocKind::Normal, span);
        let load_stopped = self.load(locals.stopped, sets.stopped);
        let load_confirmed = self.load(locals.confirmed, sets.confirmed);
        let mut stop = way.before.clone();
        stop.extend([Label::Self_ { var: locals.me }, look.clone(), load_stopped.clone()]);
        stop.push(Label::Assume(all_newer_stopped));
        stop.extend(waits.iter().cloned());
        stop.push(self.store(sets.stopped, with_me));
        self.edge(proc, way.from, here, stop, span);

        let mut confirm = way.before;
        confirm.extend([look, load_stopped, Label::Assume(all_stopped), load_confirmed]);
        confirm.push(Label::Assume(all_newer_confirmed));
        confirm.extend(waits);
        let mut last = confirm.clone();
        last.extend([Label::Assume(is_last), Label::Error(Violation::Deadlock)]);
        confirm.extend([Label::Assume(is_not_last), self.store(sets.confirmed, confirmed_with_me)]);
        self.edge(proc, here, forever, confirm, span);
        self.edge(proc, here, forever, last, span);
    }

    /// An atomic block that waits does so in its first step: where a thread may stop, it cannot begin the block.
    fn wait_as_a_whole(&mut self, proc: ProcId, block: &[EdgeId]) {
        let edges = &mut self.program.procs[proc.index()].edges;
        if let [first, .., last] = block {
            let labels = block.iter().flat_map(|edge| edges[edge.index()].labels.clone()).collect();
            let (target, span) = (edges[last.index()].target, edges[last.index()].span);
            let source = edges[first.index()].source;
            edges[first.index()] = Edge { source, target, labels, span, is_silent: false };
        }
    }

    /// A thread that is started has not ended.
    fn starts(&mut self) {
        for proc in (0..self.program.procs.len()).map(|proc| ProcId(proc as u32)) {
            for edge in 0..self.program.proc(proc).edges.len() {
                let labels = self.program.proc(proc).edges[edge].labels.iter();
                if let Some(at) = { labels }.position(|label| matches!(label, Label::Start { .. })) {
                    self.start(proc, edge, at);
                }
            }
        }
    }

    fn start(&mut self, proc: ProcId, edge: usize, at: usize) {
        let (locals, sets) = (self.locals(proc), self.sets);
        let old = &self.program.proc(proc).edges[edge];
        let (span, target) = (old.span, old.target);
        let Label::Start { var, .. } = old.labels[at] else { return };
        let (handle, alive) = (self.value(var), self.value(locals.alive));
        let new = self.only(handle);
        let pool = &mut self.program.pool;
        let with_new = pool.binary(BinOp::BvOr, alive, new);
        let has_none = pool.eq(with_new, alive);
        let has_place = pool.not(has_none);
        let noted = [self.load(locals.alive, sets.alive), self.store(sets.alive, with_new)];
        let after = self.location(proc, LocKind::Normal, span);
        let what = format!("more than {SET_BITS} threads, for `no-deadlock`");
        let gap = self.gap(proc, span, &what);
        let old = &mut self.program.procs[proc.index()].edges[edge];
        old.labels.splice(at + 1..at + 1, noted);
        old.target = after;
        self.edge(proc, after, target, vec![Label::Assume(has_place)], span);
        self.edge(proc, after, gap, vec![Label::Assume(has_none)], span);
    }

    /// A thread leaves the set right before it ends: it waits for nothing any more.
    fn ends(&mut self) {
        for proc in (0..self.program.procs.len()).map(|proc| ProcId(proc as u32)) {
            for edge in 0..self.program.proc(proc).edges.len() {
                let labels = self.program.proc(proc).edges[edge].labels.iter();
                if let Some(at) = { labels }.position(|label| matches!(label, Label::ThreadExit { .. })) {
                    let left = self.left(proc);
                    self.program.procs[proc.index()].edges[edge].labels.splice(at..at, left);
                }
            }
        }
        let called = called(&self.program);
        for proc in started(&self.program) {
            match called.contains(&proc) {
                true => self.run_in_wrapper(proc),
                false => self.leave_at_exit(proc),
            }
        }
    }

    fn left(&mut self, proc: ProcId) -> Vec<Label> {
        let (locals, sets) = (self.locals(proc), self.sets);
        let (me, alive) = (self.value(locals.me), self.value(locals.alive));
        let only = self.only(me);
        let others = self.program.pool.unary(UnOp::BvNot, only);
        let without_me = self.program.pool.binary(BinOp::BvAnd, alive, others);
        let load = self.load(locals.alive, sets.alive);
        vec![Label::Self_ { var: locals.me }, load, self.store(sets.alive, without_me)]
    }

    fn leave_at_exit(&mut self, proc: ProcId) {
        let labels = self.left(proc);
        let procedure = self.program.proc(proc);
        let (exit, span) = (procedure.exit, procedure.locations[procedure.exit.index()].span);
        let before = self.location(proc, LocKind::Normal, span);
        for edge in self.program.procs[proc.index()].edges.iter_mut().filter(|edge| edge.target == exit) {
            edge.target = before;
        }
        self.edge(proc, before, exit, labels, span);
    }

    /// A procedure that is called as well returns without ending the thread. As a thread it runs in a procedure around it; where it is started by address, nobody knows.
    fn run_in_wrapper(&mut self, proc: ProcId) {
        let wrapper = self.wrapper(proc);
        for id in (0..self.program.procs.len()).map(|proc| ProcId(proc as u32)) {
            for edge in 0..self.program.proc(id).edges.len() {
                let edge = &mut self.program.procs[id.index()].edges[edge];
                for label in &mut edge.labels {
                    if let Label::Start { callee, .. } = label
                        && *callee == Callee::Proc(proc)
                    {
                        *callee = Callee::Proc(wrapper);
                    }
                }
            }
        }
        self.gap_where_started_by_address(proc);
    }

    fn wrapper(&mut self, proc: ProcId) -> ProcId {
        let around = self.program.proc(proc);
        let (name, span) = (around.name.clone(), around.span);
        let sorts = |vars: &[VarId]| vars.iter().map(|var| self.program.var(*var).sort).collect::<Vec<_>>();
        let (params, result) = (sorts(&around.params), around.result.map(|var| self.program.var(var).sort));
        let id = ProcId(self.program.procs.len() as u32);
        let location = Location { kind: LocKind::Normal, span, origin: Origin::default() };
        self.program.procs.push(Procedure {
            name,
            params: vec![],
            result: None,
            locals: vec![],
            locations: vec![location; 4],
            edges: vec![],
            entry: LocId(0),
            exit: LocId(3),
            span,
        });
        let mut local = |name: &str, sort| hidden(&mut self.program, &bookkeeping(name), sort, VarKind::Local(id));
        let params: Vec<VarId> = params.into_iter().map(|sort| local("argument", sort)).collect();
        let result = result.map(|sort| local("result", sort));
        let args = params.iter().map(|param| self.value(*param)).collect();
        let call = Label::Call { callee: Callee::Proc(proc), args, var: result, site: Origin::default() };
        self.program.procs[id.index()].params = params;
        self.program.procs[id.index()].result = result;
        self.edge(id, LocId(0), LocId(1), vec![], span);
        self.edge(id, LocId(1), LocId(2), vec![call], span);
        let left = self.left(id);
        self.edge(id, LocId(2), LocId(3), left, span);
        id
    }

    fn gap_where_started_by_address(&mut self, started: ProcId) {
        let object = self.program.objects.iter().find(|object| object.kind == ObjectKind::Function(started));
        let Some(function) = object.map(|object| object.address) else { return };
        for proc in (0..self.program.procs.len()).map(|proc| ProcId(proc as u32)) {
            for edge in 0..self.program.proc(proc).edges.len() {
                let old = &self.program.proc(proc).edges[edge];
                let started = old.labels.iter().enumerate().find_map(|(at, label)| match label {
                    Label::Start { callee: Callee::Address(address), .. } => Some((at, *address)),
                    _ => None,
                });
                let Some((at, address)) = started else { continue };
                let (source, span, before) = (old.source, old.span, old.labels[..at].to_vec());
                let what = "a thread that runs a function which is also called, for `no-deadlock`";
                let gap = self.gap(proc, span, what);
                let pool = &mut self.program.pool;
                let function = pool.bits(self.program.pointer_bits, function.into());
                let is_this = pool.eq(address, function);
                let is_other = pool.not(is_this);
                let labels = before.into_iter().chain([Label::Assume(is_this)]).collect();
                self.program.procs[proc.index()].edges[edge].labels.insert(at, Label::Assume(is_other));
                self.edge(proc, source, gap, labels, span);
            }
        }
    }
}

fn labels(program: &Program) -> impl Iterator<Item = &Label> {
    program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels)
}

fn with_address(program: &Program) -> impl Iterator<Item = ProcId> {
    program.objects.iter().filter_map(|object| match object.kind {
        ObjectKind::Function(proc) => Some(proc),
        ObjectKind::Data { .. } => None,
    })
}

/// What may run as a thread that is not the first.
fn started(program: &Program) -> Vec<ProcId> {
    let mut started: Vec<ProcId> = labels(program)
        .filter_map(|label| match label {
            Label::Start { callee: Callee::Proc(proc), .. } => Some(*proc),
            _ => None,
        })
        .collect();
    if labels(program).any(|label| matches!(label, Label::Start { callee: Callee::Address(_), .. })) {
        started.extend(with_address(program));
    }
    started.sort_unstable();
    started.dedup();
    started
}

/// What may be called, and the first process.
fn called(program: &Program) -> FxHashSet<ProcId> {
    let mut called: FxHashSet<ProcId> = [program.entry].into_iter().collect();
    for label in labels(program) {
        match label {
            Label::Call { callee: Callee::Proc(proc), .. } => {
                called.insert(*proc);
            }
            Label::Call { callee: Callee::Address(_), .. } => called.extend(with_address(program)),
            _ => {}
        }
    }
    called
}
