//! From a schedule of a prepared Program to one of the lowered Program that it comes from.
//!
//! Both Programs are run, one after the other. The first run notes, for each step, where the stepping thread arrives (by the origins of locations) and what
//! everything undetermined was: by the label that it came from (`Site`), or by what held it at first (`Holder`). In the second run, each thread takes steps of
//! the lowered Program until it is where it arrived in the first run. Its way is determined: edges from one location exclude each other, and the
//! undetermined values are those of the first run. What the prepared Program never looked at is anything.
//!
//! Nothing is taken on trust: the result is replayed on the lowered Program like every schedule, and one that misses the error confirms nothing.

use super::{Action, Recorded, Schedule, ScheduleStep, Source, take_step};
use crate::machine::code::{Code, var_of};
use crate::machine::oracle::{Ask, Asked, Held, Kept, Oracle};
use crate::machine::state::{Machine, Status, outgoing};
use crate::machine::step::{Blocked, Flow, end_thread, find, take_edge};
use crate::machine::store_buffers::{PendingPlace, commit, committable};
use raddle_ir::{
    CallerId, EdgeId, Holder, Label, LocId, LocOrigin, MemoryModel, Part, ProcId, Program, Site, Sort, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Steps of the lowered Program for one step of the prepared one, at most.
const MOST_STEPS: usize = 1_000_000;

/// The schedule of the lowered Program that corresponds to one of the prepared Program; or why there is none.
pub fn lead_back(
    prepared: &Code,
    schedule: Schedule,
    lowered: &Code,
    stop: &dyn Fn() -> bool,
) -> Result<Schedule, String> {
    let mut chains = Chains::default();
    let (legs, mut values) = note(prepared, &schedule, &mut chains, stop)?;
    // There may be millions of steps, and as many come now.
    drop(schedule);
    values.moved = moved_objects(prepared.program, &mut chains);
    chains.of_threads.clear();
    follow(lowered, legs, &values, &mut chains, stop)
}

/// Sequences of calls, numbered; 0 is the empty one.
#[derive(Default)]
struct Chains {
    longer: FxHashMap<(u32, u32), u32>,
    of_caller: FxHashMap<CallerId, u32>,
    /// For each thread, of the calls that it is in, what is known already: where the frame of the callee begins, and the calls as far as this one.
    of_threads: Vec<Vec<(u32, u32)>>,
}

const NO_CALLS: u32 = 0;
/// Stands for a label that has no number.
const NO_LABEL: u32 = u32::MAX;

impl Chains {
    fn extended(&mut self, chain: u32, call: u32) -> u32 {
        let next = self.longer.len() as u32 + 1;
        *self.longer.entry((chain, call)).or_insert(next)
    }

    /// The calls that inlining replaced.
    fn of_caller(&mut self, program: &Program, caller: Option<CallerId>) -> u32 {
        let mut missing = Vec::new();
        let mut at = caller;
        let mut chain = loop {
            let Some(id) = at else { break NO_CALLS };
            if let Some(chain) = self.of_caller.get(&id) {
                break *chain;
            }
            missing.push(id);
            at = program.callers.get(id.0 as usize).and_then(|caller| caller.within);
        };
        while let Some(id) = missing.pop() {
            let call = program.callers.get(id.0 as usize).map_or(NO_LABEL, |caller| caller.call);
            chain = self.extended(chain, call);
            self.of_caller.insert(id, chain);
        }
        chain
    }

    /// The calls that a thread is in. Inlining leaves no frames, so a Program has calls of one kind only.
    fn of_frames(&mut self, code: &Code, machine: &Machine, thread: u32) -> u32 {
        let frames = &machine.threads[thread as usize].frames;
        if frames.len() < 2 {
            return NO_CALLS;
        }
        let index = thread as usize;
        if self.of_threads.len() <= index {
            self.of_threads.resize_with(index + 1, Vec::new);
        }
        let mut known = std::mem::take(&mut self.of_threads[index]);
        known.truncate(frames.len() - 1);
        let mut chain = known.last().map_or(NO_CALLS, |(_, chain)| *chain);
        for pair in frames[known.len()..].windows(2) {
            let site = code.edges.get(pair[0].call as usize).and_then(|edge| {
                code.program.procs[edge.proc as usize].edges[edge.id.index()].labels.first().and_then(Label::site)
            });
            chain = self.extended(chain, site.map_or(NO_LABEL, |site| site.label));
            known.push((pair[1].base, chain));
        }
        self.of_threads[index] = known;
        chain
    }

    /// A thread has entered a frame: what was known of others there is over.
    fn entered(&mut self, thread: u32, base: u32) {
        if let Some(known) = self.of_threads.get_mut(thread as usize) {
            let kept = known.partition_point(|(of, _)| *of < base);
            known.truncate(kept);
        }
    }

    /// The calls around a label that a thread executes.
    fn around(&mut self, code: &Code, machine: &Machine, thread: u32, site: Site) -> u32 {
        match site.within {
            Some(_) => self.of_caller(code.program, site.within),
            None => self.of_frames(code, machine, thread),
        }
    }
}

/// Where a thread is in the lowered Program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Position {
    calls: u32,
    proc: ProcId,
    loc: LocId,
}

fn origin(code: &Code, machine: &Machine, thread: u32) -> Option<LocOrigin> {
    let top = machine.top(thread);
    code.program.procs[top.proc as usize].locations[top.loc as usize].origin.0
}

fn is_at(position: Position, chains: &mut Chains, code: &Code, machine: &Machine, thread: u32) -> bool {
    // Mostly it is not even there.
    origin(code, machine, thread).is_some_and(|origin| (origin.proc, origin.loc) == (position.proc, position.loc))
        && self::position(chains, code, machine, thread) == Some(position)
}

fn position(chains: &mut Chains, code: &Code, machine: &Machine, thread: u32) -> Option<Position> {
    let origin = origin(code, machine, thread)?;
    let calls = match origin.within {
        Some(_) => chains.of_caller(code.program, origin.within),
        None => chains.of_frames(code, machine, thread),
    };
    Some(Position { calls, proc: origin.proc, loc: origin.loc })
}

/// What the steps of the prepared Program come to, one after the other.
#[derive(Default)]
struct Legs {
    memory_model: MemoryModel,
    /// The thread, and where it goes.
    legs: Vec<(u32, Going)>,
    /// What few legs have, by their numbers, which ascend:
    /// threads at their ends that had to end before (whoever joins them inside an atomic block lets them go before it begins);
    ended: Vec<(usize, u32)>,
    /// where the process begins, if it is the first leg of the thread (a pass may have left out empty steps before that);
    begins: Vec<(usize, Position)>,
    /// the places of stores that become visible, if their origin is known;
    commits: Vec<(usize, Stored)>,
    /// the values that havocs gave, in their order.
    havocs: Vec<(usize, Havoc)>,
}

/// A havoc of the first run.
#[derive(Clone, Copy)]
struct Havoc {
    /// The calls and the label that it comes from.
    site: (u32, u32),
    /// Its number, for `Values::havocs`.
    number: usize,
}

#[derive(Clone, Copy)]
enum Going {
    To(Position),
    /// A pass made the step.
    Nowhere,
    /// The thread ends itself.
    Exit,
    /// The thread comes to the end of its process.
    End,
    Error,
    Commit,
}

/// Those of a leg, from a list that ascends.
fn of_leg<T: Copy>(all: &[(usize, T)], leg: usize) -> impl Iterator<Item = T> {
    let first = all.partition_point(|(of, _)| *of < leg);
    all[first..].iter().take_while(move |(of, _)| *of == leg).map(|(_, what)| *what)
}

/// What holds a value, told in terms of the lowered Program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Storage {
    Var(VarId),
    /// A thread-local variable of a thread.
    Own(u32, VarId),
    Object(u32),
    /// The object that a thread made at an `Alloc` (calls and label), the how manyth time.
    Made {
        thread: u32,
        calls: u32,
        label: u32,
        count: u32,
    },
}

type Stored = (Storage, u64);

/// Objects by the `Alloc` that made them.
#[derive(Default)]
struct Made {
    by_address: FxHashMap<u64, Storage>,
    addresses: FxHashMap<Storage, u64>,
    counts: FxHashMap<(u32, u32, u32), u32>,
}

impl Made {
    /// Notes what a label has made, if it is an `Alloc`.
    fn note(&mut self, chains: &mut Chains, code: &Code, machine: &Machine, thread: u32, label: &Label) -> Option<u64> {
        let Label::Alloc { var, site, .. } = label else { return None };
        let address = local(code, machine, thread, *var)? as u64;
        let site = site.0?;
        let (calls, label) = (chains.around(code, machine, thread, site), site.label);
        let count = self.counts.entry((thread, calls, label)).or_insert(0);
        let storage = Storage::Made { thread, calls, label, count: *count };
        self.by_address.insert(address, storage);
        self.addresses.insert(storage, address);
        *count += 1;
        Some(address)
    }

    fn of_holder(chains: &mut Chains, program: &Program, holder: Holder) -> Storage {
        match holder {
            Holder::Var(var) => Storage::Var(var),
            Holder::Object(object) => Storage::Object(object.0),
            // It runs at most once, in the first thread.
            Holder::Alloc(Site { label, within }) => {
                Storage::Made { thread: 0, calls: chains.of_caller(program, within), label, count: 0 }
            }
        }
    }

    fn of_part(chains: &mut Chains, program: &Program, part: Part) -> Stored {
        (Made::of_holder(chains, program, part.holder), part.offset)
    }

    fn of_var(chains: &mut Chains, program: &Program, thread: u32, var: VarId) -> Option<Stored> {
        let stored = Made::of_part(chains, program, program.var(var).origin.0?);
        Some(match (&program.var(var).kind, stored) {
            (raddle_ir::VarKind::ThreadLocal(_), (Storage::Var(var), offset)) => (Storage::Own(thread, var), offset),
            _ => stored,
        })
    }

    fn of_address(&self, chains: &mut Chains, code: &Code, machine: &Machine, address: u64) -> Option<Stored> {
        let (object, offset) = find(code, machine, address, 1)?;
        match code.program.objects.get(object as usize) {
            Some(of) => Some((Made::of_holder(chains, code.program, of.origin.0?), offset)),
            None => Some((*self.by_address.get(&machine.memory.objects[object as usize].address)?, offset)),
        }
    }

    fn of_place(
        &self,
        chains: &mut Chains,
        (code, machine, thread): (&Code, &Machine, u32),
        place: PendingPlace,
    ) -> Option<Stored> {
        match place {
            PendingPlace::Global(slot) => {
                let var = var_of(&code.globals, slot)?;
                Made::of_var(chains, code.program, thread, var)
            }
            PendingPlace::Bytes { address, .. } => self.of_address(chains, code, machine, address),
        }
    }
}

/// A local of the top frame, if it has a value.
fn local(code: &Code, machine: &Machine, thread: u32, var: VarId) -> Option<u128> {
    let proc = &code.program.procs[machine.top(thread).proc as usize];
    let slot = code.procs[machine.top(thread).proc as usize].slots[proc.locals.iter().position(|l| *l == var)?];
    let at = machine.position(thread, slot.index);
    let is_any = machine.threads[thread as usize].slots.any[at as usize];
    (!is_any).then(|| machine.local(thread, slot.index, slot.sort))
}

/// All that was undetermined.
#[derive(Default)]
struct Values {
    /// What havocs gave, as far as somebody looked.
    havocs: Vec<Option<u128>>,
    /// Bytes that were there at first.
    initial: FxHashMap<Stored, u8>,
    /// Objects that are static in the prepared Program only, by their addresses there: size, and what they are.
    moved: BTreeMap<u64, (u64, Storage)>,
}

impl Values {
    fn put(&mut self, (storage, offset): Stored, bytes: u64, value: u128) {
        for i in 0..bytes.min(16) {
            self.initial.insert((storage, offset + i), (value >> (8 * i)) as u8);
        }
    }

    fn get(&self, (storage, offset): Stored, bytes: u64) -> Option<u128> {
        let byte = |i: u64| self.initial.get(&(storage, offset + i)).copied();
        let known = (0..bytes.min(16)).any(|i| byte(i).is_some());
        known.then(|| (0..bytes.min(16)).map(|i| u128::from(byte(i).unwrap_or(0)) << (8 * i)).sum())
    }
}

/// Where an undetermined value is, while it has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    /// A position in the slots of a thread.
    Slot(u32, u32),
    Global(VarId),
    Own(u32, VarId),
    Memory(u64),
}

/// What an undetermined value comes from.
#[derive(Clone, Copy)]
enum Came {
    /// A havoc of the first run, by its number.
    Havoc(usize),
    /// A local of a thread that nobody assigned.
    Local(u32, VarId),
}

/// What the undetermined values come from that are not where they were at first.
#[derive(Clone, Default)]
struct Travels(FxHashMap<At, Came>);

impl Travels {
    fn of(&mut self, from: Held) -> Came {
        self.0.remove(&At::Slot(from.thread, from.index)).unwrap_or(Came::Local(from.thread, from.var))
    }

    fn moved(&mut self, from: Held, to: (u32, u32)) {
        let came = self.of(from);
        self.0.insert(At::Slot(to.0, to.1), came);
    }

    fn stored(&mut self, code: &Code, from: Held, to: Kept) {
        let to = match to {
            Kept::Global(slot) => var_of(&code.globals, slot).map(At::Global),
            Kept::Own(slot) => var_of(&code.owns, slot).map(|var| At::Own(from.thread, var)),
            Kept::Memory { address, .. } => Some(At::Memory(address)),
        };
        let came = self.of(from);
        if let Some(to) = to {
            self.0.insert(to, came);
        }
    }

    /// What something that gets a value comes from, if it is not where it was at first.
    fn asked(&mut self, code: &Code, ask: &Ask) -> Option<Came> {
        let at = match (ask.asked, ask.var) {
            (Asked::Local { index }, _) => At::Slot(ask.thread, index),
            (Asked::Memory { address, .. }, _) => At::Memory(address),
            (Asked::Shared, Some(var)) => match code.program.var(var).kind {
                raddle_ir::VarKind::ThreadLocal(_) => At::Own(ask.thread, var),
                _ => At::Global(var),
            },
            (Asked::Shared, None) => return None,
        };
        self.0.remove(&at)
    }

    fn entered(&mut self, thread: u32, base: u32) {
        self.0.retain(|at, _| !matches!(at, At::Slot(t, index) if *t == thread && *index >= base));
    }

    /// An address is given out again: what was there before is gone.
    fn made(&mut self, machine: &Machine, address: u64) {
        let end = address + object_size(machine, address);
        self.0.retain(|at, _| !matches!(at, At::Memory(of) if (address..end).contains(of)));
    }
}

/// The oracle of the first run: answers as the schedule says, and notes what undetermined values come from.
struct Noting<'a> {
    recorded: Recorded<'a>,
    chains: &'a mut Chains,
    made: Made,
    values: Values,
    from: Travels,
    /// The havocs of this step that have no label yet: their positions among all.
    fresh: Vec<usize>,
    /// Those that have one.
    havocs: Vec<Havoc>,
    /// Undetermined things that got a value, to be told with the machine at hand.
    asked: Vec<(Ask, u128)>,
    edge: u32,
}

impl Noting<'_> {
    fn settle(&mut self, code: &Code, machine: &Machine) {
        for (ask, value) in std::mem::take(&mut self.asked) {
            let program = code.program;
            let stored = match (ask.asked, ask.var) {
                (Asked::Memory { address, .. }, _) => self.made.of_address(self.chains, code, machine, address),
                (_, Some(var)) => Made::of_var(self.chains, program, ask.thread, var),
                _ => None,
            };
            if let Some(stored) = stored {
                self.values.put(stored, ask.sort.bytes(), value);
            }
        }
    }
}

impl Oracle for Noting<'_> {
    const NARROW: bool = false;
    const NOTES: bool = true;

    fn choose(&mut self, ask: &Ask) -> u128 {
        let value = self.recorded.choose(ask);
        match self.from.asked(self.recorded.code, ask) {
            Some(Came::Havoc(havoc)) => self.values.havocs[havoc] = Some(value),
            Some(Came::Local(thread, var)) => {
                let sort = self.recorded.code.program.var(var).sort;
                let asked = Asked::Local { index: 0 };
                self.asked.push((Ask { thread, asked, var: Some(var), sort, ..*ask }, value));
            }
            None => self.asked.push((*ask, value)),
        }
        value
    }

    fn pick(&mut self, ways: u32) -> u32 {
        self.recorded.pick(ways)
    }

    fn moved(&mut self, from: Held, to: (u32, u32)) {
        self.recorded.moved(from, to);
        self.from.moved(from, to);
    }

    fn stored(&mut self, from: Held, to: Kept) {
        self.from.stored(self.recorded.code, from, to);
    }

    fn has_value(&self, of: Held) -> bool {
        self.recorded.has_value(of)
    }

    fn given(&mut self, var: VarId) -> Option<u128> {
        let value = self.recorded.given(var)?;
        self.fresh.push(self.values.havocs.len());
        self.values.havocs.push(Some(value));
        Some(value)
    }

    fn fresh(&mut self, at: (u32, u32), var: VarId) {
        self.recorded.fresh(at, var);
        self.from.0.insert(At::Slot(at.0, at.1), Came::Havoc(self.values.havocs.len()));
        self.fresh.push(self.values.havocs.len());
        self.values.havocs.push(None);
    }

    fn entered(&mut self, thread: u32, base: u32) {
        self.recorded.entered(thread, base);
        self.chains.entered(thread, base);
        self.from.entered(thread, base);
    }

    fn again(&mut self) {
        self.recorded.again();
        self.fresh.clear();
        self.havocs.clear();
        self.asked.clear();
    }

    fn before_label(&mut self, label: u32) {
        self.recorded.before_label(label);
    }

    fn after_label(&mut self, code: &Code, machine: &Machine, thread: u32, label: u32) {
        self.settle(code, machine);
        let edge = code.edges[self.edge as usize];
        let of = &code.program.procs[edge.proc as usize].edges[edge.id.index()];
        let Some(label) = of.labels.get(label.wrapping_sub(edge.first) as usize) else { return };
        if let Some(address) = self.made.note(self.chains, code, machine, thread, label) {
            self.from.made(machine, address);
        }
        let last = self.fresh.last().copied();
        self.fresh.clear();
        let (Label::Havoc { var, site, .. } | Label::Print { var: Some(var), site, .. }, Some(havoc)) = (label, last)
        else {
            return;
        };
        match site.0 {
            Some(site) => {
                let calls = self.chains.around(code, machine, thread, site);
                self.havocs.push(Havoc { site: (calls, site.label), number: havoc });
            }
            // A pass made it: the variable had any value at first.
            None => {
                let stored = Made::of_var(self.chains, code.program, thread, *var);
                if let (Some(stored), Some(value)) = (stored, self.values.havocs[havoc]) {
                    self.values.put(stored, code.program.var(*var).sort.bytes(), value);
                }
            }
        }
    }
}

/// Runs the prepared Program, and notes what each step comes to.
fn note(
    code: &Code,
    schedule: &Schedule,
    chains: &mut Chains,
    stop: &dyn Fn() -> bool,
) -> Result<(Legs, Values), String> {
    let mut machine = Machine::new(code);
    let mut oracle = Noting {
        recorded: Recorded::new(code),
        chains,
        made: Made::default(),
        values: Values::default(),
        from: Travels::default(),
        fresh: Vec::new(),
        havocs: Vec::new(),
        asked: Vec::new(),
        edge: 0,
    };
    let mut legs = Legs { memory_model: schedule.memory_model, ..Legs::default() };
    legs.legs.reserve_exact(schedule.steps.len());
    // The threads that have taken a step, and those that run.
    let mut begun: FxHashSet<u32> = FxHashSet::default();
    let mut running = vec![true];
    // The leg with which the atomic block began that a thread is in, or else this leg.
    let mut began = 0;
    for (number, step) in schedule.steps.iter().enumerate() {
        if number % 1024 == 1023 && stop() {
            return Err("stopped".into());
        }
        let thread = step.thread;
        if machine.atomic.is_none() {
            began = number;
        }
        oracle.recorded.begin(&machine, step);
        let (mut is_silent, mut joins) = (false, false);
        if let Some(state) = machine.threads.get(thread as usize) {
            if begun.insert(thread)
                && let Some(begins) = position(oracle.chains, code, &machine, thread)
            {
                legs.begins.push((number, begins));
            }
            match step.action {
                Action::Edge(id) => {
                    let proc = machine.top(thread).proc as usize;
                    oracle.edge = code.procs[proc].first_edge + id.0;
                    if let Some(edge) = code.program.procs[proc].edges.get(id.index()) {
                        is_silent = edge.is_silent;
                        joins = edge.labels.iter().any(|label| matches!(label, Label::Join { .. }));
                    }
                }
                Action::Commit(at) => {
                    let place = state.pending.get(at as usize).map(|pending| pending.place);
                    let of = |place| oracle.made.of_place(oracle.chains, (code, &machine, thread), place);
                    legs.commits.extend(place.and_then(of).map(|place| (number, place)));
                }
                Action::End => {}
            }
        }
        let flow = take_step(code, &mut machine, step, &mut oracle)
            .map_err(|why| format!("step {number} of the prepared program cannot be taken: {why}"))?;
        oracle.settle(code, &machine);
        oracle.fresh.clear();
        let going = match (flow, step.action) {
            (Flow::Error(_), _) => Going::Error,
            (Flow::Done, Action::Commit(_)) => Going::Commit,
            (Flow::Done, Action::End) => Going::End,
            (Flow::Done, _) if machine.threads[thread as usize].status == Status::Ended => Going::Exit,
            (Flow::Done, _) if is_silent => Going::Nowhere,
            (Flow::Done, _) => match position(oracle.chains, code, &machine, thread) {
                Some(position) => Going::To(position),
                None => return Err(format!("step {number} leads to a location of unknown origin")),
            },
            (other, _) => return Err(format!("step {number} of the prepared program cannot be taken: {other:?}")),
        };
        running[thread as usize] = machine.threads[thread as usize].status == Status::Running;
        if joins {
            for (other, was_running) in running.iter_mut().enumerate() {
                let is_running = machine.threads[other].status == Status::Running;
                if *was_running && !is_running {
                    legs.ended.push((began, other as u32));
                }
                *was_running = is_running;
            }
        }
        let begun_now = machine.threads[running.len()..].iter().map(|state| state.status == Status::Running);
        running.extend(begun_now);
        legs.legs.push((thread, going));
        legs.havocs.extend(oracle.havocs.drain(..).map(|havoc| (number, havoc)));
        if let Going::Error = going {
            return Ok((legs, oracle.values));
        }
    }
    Err("the schedule of the prepared program does not reach the error".into())
}

/// The oracle of the second run: answers what the first run noted, and records the schedule.
struct Answering<'a> {
    code: &'a Code<'a>,
    values: &'a Values,
    chains: &'a mut Chains,
    made: Made,
    /// What was undetermined in the step that is under way.
    given: Vec<(Source, u128)>,
    /// The havocs of this leg that are left; positions among them of those that the step has taken.
    havocs: Vec<Havoc>,
    taken: Vec<usize>,
    /// The calls that the thread is in, if there are havocs.
    calls: u32,
    edge: u32,
    /// The label that is executed next.
    label: u32,
    /// All memory, by address: the size of each object and what it is.
    objects: BTreeMap<u64, (u64, Storage)>,
    from: Travels,
}

impl Answering<'_> {
    /// A value that is an address in an object which lies elsewhere in the lowered Program is the address there.
    fn translated(&self, value: u128, sort: Sort) -> u128 {
        let is_address = sort == self.code.program.pointer_sort();
        let Some(address) = u64::try_from(value).ok().filter(|_| is_address) else { return value };
        let before = self.values.moved.range(..=address).next_back();
        let holding = before.filter(|(start, (size, _))| address - **start < *size);
        let there = holding.and_then(|(start, (_, storage))| Some((start, self.made.addresses.get(storage)?)));
        there.map_or(value, |(start, there)| u128::from(there + (address - start)))
    }

    fn labels(&self) -> &[Label] {
        let edge = self.code.edges[self.edge as usize];
        &self.code.program.procs[edge.proc as usize].edges[edge.id.index()].labels
    }
}

impl Oracle for Answering<'_> {
    const NARROW: bool = false;
    const NOTES: bool = true;

    fn choose(&mut self, ask: &Ask) -> u128 {
        let program = self.code.program;
        // Havocs have their values from the beginning here, so that it is a local that nobody assigned.
        let came = self.from.asked(self.code, ask);
        let stored = match (ask.asked, ask.var) {
            _ if let Some(Came::Local(thread, var)) = came => Made::of_var(self.chains, program, thread, var),
            (Asked::Memory { address, .. }, _) => {
                let before = self.objects.range(..=address).next_back();
                let holding = before.filter(|(start, (size, _))| address - **start < *size);
                holding.map(|(start, (_, storage))| (*storage, address - start))
            }
            (_, Some(var)) => Made::of_var(self.chains, program, ask.thread, var),
            _ => None,
        };
        let sort = match came {
            Some(Came::Local(_, var)) => program.var(var).sort,
            _ => ask.sort,
        };
        let value = stored.and_then(|stored| self.values.get(stored, sort.bytes())).unwrap_or(ask.low);
        let value = self.translated(ask.fit(value), ask.sort);
        self.given.push((Source::Read, value));
        value
    }

    fn pick(&mut self, _ways: u32) -> u32 {
        0
    }

    fn moved(&mut self, from: Held, to: (u32, u32)) {
        self.from.moved(from, to);
    }

    fn stored(&mut self, from: Held, to: Kept) {
        self.from.stored(self.code, from, to);
    }

    fn fresh(&mut self, at: (u32, u32), _: VarId) {
        self.from.0.remove(&At::Slot(at.0, at.1));
    }

    fn entered(&mut self, thread: u32, base: u32) {
        self.chains.entered(thread, base);
        self.from.entered(thread, base);
    }

    fn given(&mut self, var: VarId) -> Option<u128> {
        let labels = self.labels();
        let mut rest = labels.iter().skip(self.label as usize);
        let is_it = |label: &&Label| matches!(label, Label::Havoc { var: of, .. } | Label::Print { var: Some(of), .. } if *of == var);
        let site = rest.find(is_it)?.site()?;
        let key = (self.calls, site.label);
        let mut left = self.havocs.iter().enumerate().filter(|(at, of)| of.site == key && !self.taken.contains(at));
        let (at, havoc) = left.next()?;
        let value = self.values.havocs[havoc.number];
        self.taken.push(at);
        let value = self.translated(value?, self.code.program.var(var).sort);
        self.given.push((Source::Havoc(var), value));
        Some(value)
    }

    fn after_label(&mut self, code: &Code, machine: &Machine, thread: u32, label: u32) {
        let edge = code.edges[self.edge as usize];
        self.label = label.wrapping_sub(edge.first) + 1;
        let labels = &code.program.procs[edge.proc as usize].edges[edge.id.index()].labels;
        if let Some(of @ Label::Alloc { .. }) = labels.get(label.wrapping_sub(edge.first) as usize)
            && let Some(address) = self.made.note(self.chains, code, machine, thread, of)
        {
            self.from.made(machine, address);
            self.objects.insert(address, (object_size(machine, address), self.made.by_address[&address]));
        }
    }
}

fn object_size(machine: &Machine, address: u64) -> u64 {
    machine.memory.starting_at(address).map_or(0, |id| machine.memory.objects[id as usize].bytes.len() as u64)
}

/// What `globalize` made static.
fn moved_objects(prepared: &Program, chains: &mut Chains) -> BTreeMap<u64, (u64, Storage)> {
    let is_moved = |holder: &Holder| matches!(holder, Holder::Alloc(_));
    let objects = prepared.objects.iter().filter_map(|object| {
        let holder = object.origin.0.filter(is_moved)?;
        Some((object.address, (object.size, Made::of_holder(chains, prepared, holder))))
    });
    objects.collect()
}

fn static_objects(chains: &mut Chains, program: &Program) -> BTreeMap<u64, (u64, Storage)> {
    let objects = program.objects.iter().filter_map(|object| {
        let storage = Made::of_holder(chains, program, object.origin.0?);
        Some((object.address, (object.size, storage)))
    });
    objects.collect()
}

/// Runs the lowered Program along the legs.
fn follow(
    code: &Code,
    legs: Legs,
    values: &Values,
    chains: &mut Chains,
    stop: &dyn Fn() -> bool,
) -> Result<Schedule, String> {
    let mut machine = Machine::new(code);
    let objects = static_objects(chains, code.program);
    let mut run = Following {
        oracle: Answering {
            code,
            values,
            chains,
            made: Made::default(),
            given: Vec::new(),
            havocs: Vec::new(),
            taken: Vec::new(),
            calls: NO_CALLS,
            edge: 0,
            label: 0,
            objects,
            from: Travels::default(),
        },
        code,
        steps: Vec::with_capacity(2 * legs.legs.len()),
    };
    for (number, &(thread, going)) in legs.legs.iter().enumerate() {
        if number % 1024 == 1023 && stop() {
            return Err("stopped".into());
        }
        if machine.threads.get(thread as usize).is_none() {
            return Err(format!("thread {thread} is not there"));
        }
        run.oracle.havocs.clear();
        run.oracle.havocs.extend(of_leg(&legs.havocs, number));
        for other in of_leg(&legs.ended, number) {
            run.leg(&mut machine, other, Going::End, stop)?;
        }
        if let Some(begins) = of_leg(&legs.begins, number).next()
            && !is_at(begins, run.oracle.chains, code, &machine, thread)
        {
            run.leg(&mut machine, thread, Going::To(begins), stop)?;
        }
        match going {
            Going::Commit => {
                let place = of_leg(&legs.commits, number).next().ok_or("a store to a place of unknown origin")?;
                run.commit(&mut machine, thread, place)?;
            }
            _ => run.leg(&mut machine, thread, going, stop)?,
        }
    }
    Ok(Schedule { steps: run.steps, memory_model: legs.memory_model })
}

struct Following<'a> {
    code: &'a Code<'a>,
    oracle: Answering<'a>,
    steps: Vec<ScheduleStep>,
}

impl Following<'_> {
    fn leg(&mut self, machine: &mut Machine, thread: u32, going: Going, stop: &dyn Fn() -> bool) -> Result<(), String> {
        for steps in 0..MOST_STEPS {
            if steps % 1024 == 1023 && stop() {
                return Err("stopped".into());
            }
            let is_there = match going {
                Going::Nowhere => true,
                Going::To(to) => steps > 0 && is_at(to, self.oracle.chains, self.code, machine, thread),
                Going::Exit => machine.threads[thread as usize].status == Status::Ended,
                Going::End => machine.at_end(self.code, thread),
                Going::Commit | Going::Error => false,
            };
            if is_there {
                if let Going::End = going {
                    self.end(machine, thread)?;
                }
                return Ok(());
            }
            if machine.threads[thread as usize].status != Status::Running {
                return Err(format!("thread {thread} ends too early"));
            }
            match self.step(machine, thread)? {
                Flow::Error(_) => match going {
                    Going::Error => return Ok(()),
                    _ => return Err("the error is reached too early".into()),
                },
                Flow::Done => {}
                other => return Err(format!("thread {thread} cannot go on: {other:?}")),
            }
        }
        Err(format!("thread {thread} does not arrive"))
    }

    /// Lets a thread take the one edge that it can take.
    fn step(&mut self, machine: &mut Machine, thread: u32) -> Result<Flow, String> {
        if !self.oracle.havocs.is_empty() {
            self.oracle.calls = self.oracle.chains.of_frames(self.code, machine, thread);
        }
        loop {
            let mut last = Flow::Infeasible;
            for &edge in outgoing(self.code, machine, thread) {
                match self.try_edge(machine, thread, edge) {
                    Flow::Infeasible => {}
                    taken @ (Flow::Done | Flow::Error(_)) => return Ok(taken),
                    other => last = other,
                }
            }
            match last {
                // The thread that it waits for is at its end already.
                Flow::Blocked(Blocked::Join(other)) if other != 0 && machine.at_end(self.code, other) => {
                    self.end(machine, other)?;
                }
                // Stores that the prepared Program does not have.
                Flow::Blocked(Blocked::Pending) => self.commit_first(machine, thread)?,
                other => return Ok(other),
            }
        }
    }

    /// Takes an edge, if it can be taken; otherwise everything is as it was.
    fn try_edge(&mut self, machine: &mut Machine, thread: u32, edge: u32) -> Flow {
        let id: EdgeId = self.code.edges[edge as usize].id;
        (self.oracle.edge, self.oracle.label) = (edge, 0);
        self.oracle.taken.clear();
        self.oracle.given.clear();
        let before = self.oracle.from.clone();
        machine.journal.on = true;
        let flow = take_edge(self.code, machine, thread, edge, &mut self.oracle);
        if let Flow::Done | Flow::Error(_) = flow {
            self.take_out_used();
            self.push(thread, Action::Edge(id));
        } else {
            machine.undo_to(0);
            self.oracle.from = before;
        }
        machine.journal.on = false;
        machine.journal.entries.clear();
        flow
    }

    /// Havocs that the step has consumed do not come again.
    fn take_out_used(&mut self) {
        let mut at = 0;
        self.oracle.havocs.retain(|_| {
            at += 1;
            !self.oracle.taken.contains(&(at - 1))
        });
    }

    fn push(&mut self, thread: u32, action: Action) {
        let values = self.oracle.given.drain(..).collect();
        self.steps.push(ScheduleStep { thread, action, values });
    }

    fn end(&mut self, machine: &mut Machine, thread: u32) -> Result<(), String> {
        while thread != 0 && !machine.threads[thread as usize].pending.is_empty() {
            self.commit_first(machine, thread)?;
        }
        self.oracle.given.clear();
        match end_thread(self.code, machine, thread, &mut self.oracle) {
            Flow::Done => self.push(thread, Action::End),
            other => return Err(format!("thread {thread} cannot end: {other:?}")),
        }
        Ok(())
    }

    fn commit_first(&mut self, machine: &mut Machine, thread: u32) -> Result<(), String> {
        match committable(machine, thread).first() {
            Some(&at) => self.commit_at(machine, thread, at),
            None => return Err(format!("thread {thread} has pending stores that cannot become visible")),
        }
        Ok(())
    }

    fn commit_at(&mut self, machine: &mut Machine, thread: u32, at: u32) {
        commit(self.code, machine, thread, at);
        self.steps.push(ScheduleStep::of(thread, Action::Commit(at)));
    }

    /// Makes the pending store to a place visible, after those before it that the prepared Program does not have. If none is pending, the place is a part of a
    /// store that was made visible as a whole: the prepared Program has one store for each part.
    fn commit(&mut self, machine: &mut Machine, thread: u32, place: Stored) -> Result<(), String> {
        loop {
            let covering: Vec<u32> = (0..machine.threads[thread as usize].pending.len() as u32)
                .filter(|at| self.covers(machine, thread, *at, place))
                .collect();
            if covering.is_empty() {
                return Ok(());
            }
            let can = committable(machine, thread);
            match (can.iter().find(|at| covering.contains(at)), can.first()) {
                (Some(&at), _) => {
                    self.commit_at(machine, thread, at);
                    return Ok(());
                }
                (None, Some(&first)) => self.commit_at(machine, thread, first),
                (None, None) => return Err("the store that becomes visible cannot do so now".into()),
            }
        }
    }

    /// Does a pending store write to a place?
    fn covers(&mut self, machine: &Machine, thread: u32, at: u32, (storage, offset): Stored) -> bool {
        let place = machine.threads[thread as usize].pending[at as usize].place;
        let bytes = match place {
            PendingPlace::Global(_) => 1,
            PendingPlace::Bytes { bytes, .. } => bytes,
        };
        let written = self.oracle.made.of_place(self.oracle.chains, (self.code, machine, thread), place);
        written.is_some_and(|(of, from)| of == storage && (from..from + bytes).contains(&offset))
    }
}
