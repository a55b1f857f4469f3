//! From a schedule of a prepared Program to one of the lowered Program that it comes from.
//!
//! Both Programs are run, one after the other. The first run notes, for each step, where the stepping thread arrives (by the origins of locations) and what
//! everything undetermined was: by the label that it came from (`Site`), or by what held it at first (`Holder`). In the second run, each thread takes steps of
//! the lowered Program until it is where it arrived in the first run. Its way is determined: edges from one location exclude each other, and the
//! undetermined values are those of the first run. What the prepared Program never looked at is anything.
//!
//! Nothing is taken on trust: the result is replayed on the lowered Program like every schedule, and one that misses the error confirms nothing.

use super::{Recorded, Schedule, ScheduleStep, Source, take_step};
use crate::machine::code::{Code, compile_under, var_of};
use crate::machine::oracle::{Ask, Asked, Held, Kept, Oracle};
use crate::machine::state::{Machine, Status, outgoing};
use crate::machine::step::{Blocked, Flow, end_thread, find, take_edge};
use crate::machine::store_buffers::{PendingPlace, commit, committable};
use raddle_ir::{CallerId, EdgeId, Holder, Label, LocId, Part, ProcId, Program, Site, Sort, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

/// Steps of the lowered Program for one step of the prepared one, at most.
const MOST_STEPS: usize = 1_000_000;

/// The schedule of the lowered Program that corresponds to one of the prepared Program; or why there is none.
pub fn lead_back(
    prepared: &Program,
    schedule: &Schedule,
    lowered: &Program,
    stop: &dyn Fn() -> bool,
) -> Result<Schedule, String> {
    let compile = |program| compile_under(program, schedule.memory_model).map_err(|unsupported| unsupported.0);
    let (from, to) = (compile(prepared)?, compile(lowered)?);
    let mut chains = Chains::default();
    let (legs, mut values) = note(&from, schedule, &mut chains)?;
    values.moved = moved_objects(prepared, &mut chains);
    follow(&to, &legs, &values, &mut chains, schedule, stop)
}

/// Sequences of calls, numbered; 0 is the empty one.
#[derive(Default)]
struct Chains {
    longer: FxHashMap<(u32, u32), u32>,
    of_caller: FxHashMap<CallerId, u32>,
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
        frames[..frames.len().saturating_sub(1)].iter().fold(NO_CALLS, |chain, frame| {
            let site = code.edges.get(frame.call as usize).and_then(|edge| {
                code.program.procs[edge.proc as usize].edges[edge.id.index()].labels.first().and_then(Label::site)
            });
            self.extended(chain, site.map_or(NO_LABEL, |site| site.label))
        })
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

fn position(chains: &mut Chains, code: &Code, machine: &Machine, thread: u32) -> Option<Position> {
    let top = machine.top(thread);
    let origin = code.program.procs[top.proc as usize].locations[top.loc as usize].origin.0?;
    let calls = match origin.within {
        Some(_) => chains.of_caller(code.program, origin.within),
        None => chains.of_frames(code, machine, thread),
    };
    Some(Position { calls, proc: origin.proc, loc: origin.loc })
}

/// What one step of the prepared Program comes to.
struct Leg {
    thread: u32,
    /// Threads at their ends that had to end before this step (whoever joins them inside an atomic block lets them go first).
    ended: Vec<u32>,
    /// If it is the first one of the thread: where the process begins. A pass may have left out empty steps before that.
    begins: Option<Position>,
    what: Going,
    /// The values that havocs gave, by calls and label, in their order.
    havocs: FxHashMap<(u32, u32), VecDeque<usize>>,
}

enum Going {
    To(Position),
    /// A pass made the step.
    Nowhere,
    /// The thread ends itself.
    Exit,
    /// The thread comes to the end of its process.
    End,
    Error,
    Commit(Option<Stored>),
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
#[derive(Default)]
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
    havocs: FxHashMap<(u32, u32), VecDeque<usize>>,
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
        self.from.entered(thread, base);
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
        let fresh = std::mem::take(&mut self.fresh);
        let (Label::Havoc { var, site, .. } | Label::Print { var: Some(var), site, .. }, Some(&havoc)) =
            (label, fresh.last())
        else {
            return;
        };
        match site.0 {
            Some(site) => {
                let calls = self.chains.around(code, machine, thread, site);
                self.havocs.entry((calls, site.label)).or_default().push_back(havoc);
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
fn note(code: &Code, schedule: &Schedule, chains: &mut Chains) -> Result<(Vec<Leg>, Values), String> {
    let mut machine = Machine::new(code);
    let mut oracle = Noting {
        recorded: Recorded::new(code, false),
        chains,
        made: Made::default(),
        values: Values::default(),
        from: Travels::default(),
        fresh: Vec::new(),
        havocs: FxHashMap::default(),
        asked: Vec::new(),
        edge: 0,
    };
    let mut legs = Vec::with_capacity(schedule.steps.len());
    let mut begun: FxHashSet<u32> = FxHashSet::default();
    for (number, step) in schedule.steps.iter().enumerate() {
        let thread = step.thread;
        oracle.recorded.begin(&machine, step);
        let place = step.commit.and_then(|at| machine.threads.get(thread as usize)?.pending.get(at as usize));
        let place = place.map(|pending| pending.place);
        let place = place.and_then(|place| oracle.made.of_place(oracle.chains, (code, &machine, thread), place));
        let is_there = machine.threads.get(thread as usize).is_some();
        let begins = match is_there && begun.insert(thread) {
            true => position(oracle.chains, code, &machine, thread),
            false => None,
        };
        let mut is_silent = false;
        if let (Some(id), Some(_)) = (step.edge, machine.threads.get(thread as usize)) {
            let proc = machine.top(thread).proc as usize;
            oracle.edge = code.procs[proc].first_edge + id.0;
            is_silent = code.program.procs[proc].edges.get(id.index()).is_some_and(|edge| edge.is_silent);
        }
        let is_running = |machine: &Machine, other: u32| machine.threads[other as usize].status == Status::Running;
        let running: Vec<u32> =
            (0..machine.threads.len() as u32).filter(|other| is_running(&machine, *other)).collect();
        let flow = take_step(code, &mut machine, step, &mut oracle)
            .map_err(|why| format!("step {number} of the prepared program cannot be taken: {why}"))?;
        oracle.settle(code, &machine);
        oracle.fresh.clear();
        let what = match flow {
            Flow::Error(_) => Going::Error,
            Flow::Done if step.commit.is_some() => Going::Commit(place),
            Flow::Done if step.edge.is_none() => Going::End,
            Flow::Done if machine.threads[thread as usize].status == Status::Ended => Going::Exit,
            Flow::Done if is_silent => Going::Nowhere,
            Flow::Done => match position(oracle.chains, code, &machine, thread) {
                Some(position) => Going::To(position),
                None => return Err(format!("step {number} leads to a location of unknown origin")),
            },
            other => return Err(format!("step {number} of the prepared program cannot be taken: {other:?}")),
        };
        let is_error = matches!(what, Going::Error);
        let ended = running.into_iter().filter(|other| *other != thread && !is_running(&machine, *other)).collect();
        legs.push(Leg { thread, ended, begins, what, havocs: std::mem::take(&mut oracle.havocs) });
        if is_error {
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
    /// The step that is under way.
    step: ScheduleStep,
    /// The havocs of this leg; how many of each label were taken when this step began.
    havocs: FxHashMap<(u32, u32), VecDeque<usize>>,
    taken: Vec<(u32, u32)>,
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
        let value = stored.and_then(|stored| self.values.get(stored, ask.sort.bytes())).unwrap_or(ask.low);
        let value = self.translated(value & raddle_ir::eval::mask(ask.sort.bits().unwrap_or(1)), ask.sort);
        self.step.choices.push(value);
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
        self.from.entered(thread, base);
    }

    fn given(&mut self, var: VarId) -> Option<u128> {
        let labels = self.labels();
        let mut rest = labels.iter().skip(self.label as usize);
        let is_it = |label: &&Label| matches!(label, Label::Havoc { var: of, .. } | Label::Print { var: Some(of), .. } if *of == var);
        let site = rest.find(is_it)?.site()?;
        let key = (self.calls, site.label);
        let taken = self.taken.iter().filter(|of| **of == key).count();
        let havoc = *self.havocs.get(&key)?.get(taken)?;
        self.taken.push(key);
        let value = self.translated(self.values.havocs[havoc]?, self.code.program.var(var).sort);
        self.step.values.push((Source::Havoc(var), value));
        Some(value)
    }

    fn after_label(&mut self, code: &Code, machine: &Machine, thread: u32, label: u32) {
        let first = code.edges[self.edge as usize].first;
        self.label = label.wrapping_sub(first) + 1;
        let of = self.labels().get(label.wrapping_sub(first) as usize).cloned();
        if let Some(of @ Label::Alloc { .. }) = of
            && let Some(address) = self.made.note(self.chains, code, machine, thread, &of)
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
    legs: &[Leg],
    values: &Values,
    chains: &mut Chains,
    schedule: &Schedule,
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
            step: ScheduleStep::default(),
            havocs: FxHashMap::default(),
            taken: Vec::new(),
            calls: NO_CALLS,
            edge: 0,
            label: 0,
            objects,
            from: Travels::default(),
        },
        code,
        result: Schedule { steps: Vec::new(), memory_model: schedule.memory_model },
    };
    for leg in legs {
        if machine.threads.get(leg.thread as usize).is_none() {
            return Err(format!("thread {} is not there", leg.thread));
        }
        run.oracle.havocs = leg.havocs.clone();
        for &other in &leg.ended {
            run.leg(&mut machine, other, &Going::End, stop)?;
        }
        if leg.begins.is_some_and(|begins| position(run.oracle.chains, code, &machine, leg.thread) != Some(begins)) {
            let what = leg.begins.map_or(Going::Nowhere, Going::To);
            run.leg(&mut machine, leg.thread, &what, stop)?;
        }
        run.leg(&mut machine, leg.thread, &leg.what, stop)?;
    }
    Ok(run.result)
}

struct Following<'a> {
    code: &'a Code<'a>,
    oracle: Answering<'a>,
    result: Schedule,
}

impl Following<'_> {
    fn leg(&mut self, machine: &mut Machine, thread: u32, what: &Going, stop: &dyn Fn() -> bool) -> Result<(), String> {
        for steps in 0..MOST_STEPS {
            if steps % 1024 == 1023 && stop() {
                return Err("stopped".into());
            }
            let is_there = match *what {
                Going::Nowhere => true,
                Going::To(to) => steps > 0 && position(self.oracle.chains, self.code, machine, thread) == Some(to),
                Going::Exit => machine.threads[thread as usize].status == Status::Ended,
                Going::End => machine.at_end(self.code, thread),
                Going::Commit(place) => return self.commit(machine, thread, place),
                Going::Error => false,
            };
            if is_there {
                if let Going::End = what {
                    self.end(machine, thread)?;
                }
                return Ok(());
            }
            if machine.threads[thread as usize].status != Status::Running {
                return Err(format!("thread {thread} ends too early"));
            }
            match self.step(machine, thread)? {
                Flow::Error(_) => match what {
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
        self.oracle.calls = self.oracle.chains.of_frames(self.code, machine, thread);
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
        self.oracle.step = ScheduleStep { thread, edge: Some(id), ..ScheduleStep::default() };
        (self.oracle.edge, self.oracle.label) = (edge, 0);
        self.oracle.taken.clear();
        machine.journal.on = true;
        let flow = take_edge(self.code, machine, thread, edge, &mut self.oracle);
        if let Flow::Done | Flow::Error(_) = flow {
            self.take_out_used();
            self.result.steps.push(std::mem::take(&mut self.oracle.step));
        } else {
            machine.undo_to(0);
        }
        machine.journal.on = false;
        machine.journal.entries.clear();
        flow
    }

    /// Havocs that the step has consumed do not come again.
    fn take_out_used(&mut self) {
        for key in self.oracle.taken.drain(..) {
            if let Some(queue) = self.oracle.havocs.get_mut(&key) {
                queue.pop_front();
            }
        }
    }

    fn end(&mut self, machine: &mut Machine, thread: u32) -> Result<(), String> {
        while thread != 0 && !machine.threads[thread as usize].pending.is_empty() {
            self.commit_first(machine, thread)?;
        }
        self.oracle.step = ScheduleStep { thread, ..ScheduleStep::default() };
        match end_thread(self.code, machine, thread, &mut self.oracle) {
            Flow::Done => self.result.steps.push(std::mem::take(&mut self.oracle.step)),
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
        self.result.steps.push(ScheduleStep { thread, commit: Some(at), ..ScheduleStep::default() });
    }

    /// Makes the pending store to a place visible, after those before it that the prepared Program does not have. If none is pending, the place is a part of a
    /// store that was made visible as a whole: the prepared Program has one store for each part.
    fn commit(&mut self, machine: &mut Machine, thread: u32, place: Option<Stored>) -> Result<(), String> {
        let place = place.ok_or("a store to a place of unknown origin")?;
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
