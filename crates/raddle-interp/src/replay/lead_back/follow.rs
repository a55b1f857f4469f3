//! The second run: the lowered Program, along the legs of the first.

use super::chains::{Chains, NO_CALLS, is_at};
use super::legs::{Going, Havoc, Legs, of_leg};
use super::storage::{At, Came, Made, Storage, Stored, Travels, Values, object_size, static_objects};
use crate::machine::code::Code;
use crate::machine::oracle::{Ask, Asked, Held, Kept, Oracle};
use crate::machine::state::{Machine, Status, outgoing};
use crate::machine::step::{Blocked, Flow, end_thread, take_edge};
use crate::machine::store_buffers::{PendingPlace, commit, committable};
use crate::replay::{Action, Schedule, ScheduleStep, Source};
use raddle_ir::unknown_result::c_name;
use raddle_ir::{EdgeId, Label, LibraryFunction, Sort, VarId};
use std::collections::BTreeMap;

/// Steps of the lowered Program for one step of the prepared one, at most.
const MOST_STEPS: usize = 1_000_000;
/// Steps without knowing where they lead: altogether, and of one thread before it is another's turn.
const MOST_STEPS_ASTRAY: usize = 20_000;
const TURN: usize = 256;

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
    results: Results,
}

/// Results of library functions of which only bounds are known, by the name of the first such function.
#[derive(Clone, Default)]
pub struct Results {
    /// Nobody knows what it gives.
    pub unknown: Option<String>,
    /// It gives another result than the first run has.
    pub other: Option<String>,
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

    /// The library's result, whatever the first run has.
    fn computed(&mut self, var: VarId, of: LibraryFunction, native: Option<u128>) -> Option<u128> {
        let chosen = self.given(var);
        if chosen.is_some() {
            self.given.pop();
        }
        let name = || c_name(of, self.code.program.var(var).sort);
        match native {
            None => self.results.unknown = self.results.unknown.take().or_else(|| Some(name())),
            Some(_) if chosen.is_none() || chosen == native => {}
            Some(_) => self.results.other = self.results.other.take().or_else(|| Some(name())),
        }
        let value = native.or(chosen).unwrap_or(0);
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

/// Runs the lowered Program along the legs, with the library's results. Where these are others than those of the first run, the legs may not lead to the error; then each
/// thread goes as far as it can, and on from there.
pub fn follow(
    code: &Code,
    legs: &Legs,
    values: &Values,
    chains: &mut Chains,
    stop: &dyn Fn() -> bool,
) -> (Result<Schedule, String>, Results) {
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
            results: Results::default(),
        },
        code,
        steps: Vec::with_capacity(2 * legs.legs.len()),
        is_error: false,
    };
    let followed = run.all(&mut machine, legs, stop);
    let schedule = followed.map(|()| Schedule { steps: run.steps, memory_model: legs.memory_model });
    (schedule, run.oracle.results)
}

struct Following<'a> {
    code: &'a Code<'a>,
    oracle: Answering<'a>,
    steps: Vec<ScheduleStep>,
    /// The error is reached.
    is_error: bool,
}

impl Following<'_> {
    fn all(&mut self, machine: &mut Machine, legs: &Legs, stop: &dyn Fn() -> bool) -> Result<(), String> {
        for number in 0..legs.legs.len() {
            if number % 1024 == 1023 && stop() {
                return Err("stopped".into());
            }
            match self.numbered(machine, legs, number, stop) {
                Err(why) if !self.is_astray() => return Err(why),
                _ if self.is_error => return Ok(()),
                _ => {}
            }
        }
        self.go_on(machine, stop)
    }

    /// May the way be another than that of the first run?
    fn is_astray(&self) -> bool {
        self.oracle.results.other.is_some()
    }

    fn numbered(
        &mut self,
        machine: &mut Machine,
        legs: &Legs,
        number: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), String> {
        let (thread, going) = legs.legs[number];
        if machine.threads.get(thread as usize).is_none() {
            return Err(format!("thread {thread} is not there"));
        }
        if !self.is_astray() {
            self.oracle.havocs.clear();
        }
        self.oracle.havocs.extend(of_leg(&legs.havocs, number));
        for other in of_leg(&legs.ended, number) {
            self.leg(machine, other, Going::End, stop)?;
        }
        if let Some(begins) = of_leg(&legs.begins, number).next()
            && !is_at(begins, self.oracle.chains, self.code, machine, thread)
        {
            self.leg(machine, thread, Going::To(begins), stop)?;
        }
        match going {
            Going::Commit => {
                let place = of_leg(&legs.commits, number).next().ok_or("a store to a place of unknown origin")?;
                self.commit(machine, thread, place)
            }
            _ => self.leg(machine, thread, going, stop),
        }
    }

    /// Lets all threads go on, in turns.
    fn go_on(&mut self, machine: &mut Machine, stop: &dyn Fn() -> bool) -> Result<(), String> {
        let mut left = MOST_STEPS_ASTRAY;
        loop {
            let before = left;
            for thread in 0..machine.threads.len() as u32 {
                if machine.atomic.is_some_and(|owner| owner != thread) {
                    continue;
                }
                let until = left.saturating_sub(TURN);
                while left > until
                    && machine.threads[thread as usize].status == Status::Running
                    && let flow @ (Flow::Done | Flow::Error(_)) = self.step(machine, thread)?
                {
                    left -= 1;
                    if let Flow::Error(_) = flow {
                        return Ok(());
                    }
                }
            }
            if left == before || left == 0 || stop() {
                return Err("the error is not reached".into());
            }
        }
    }

    fn leg(&mut self, machine: &mut Machine, thread: u32, going: Going, stop: &dyn Fn() -> bool) -> Result<(), String> {
        let most = if self.is_astray() { MOST_STEPS_ASTRAY } else { MOST_STEPS };
        for steps in 0..most {
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
            if machine.atomic.is_some_and(|owner| owner != thread) {
                return Err("another thread is in an atomic block".into());
            }
            match self.step(machine, thread)? {
                Flow::Error(_) if matches!(going, Going::Error) || self.is_astray() => {
                    self.is_error = true;
                    return Ok(());
                }
                Flow::Error(_) => return Err("the error is reached too early".into()),
                Flow::Done => {}
                other => return Err(format!("thread {thread} cannot go on: {}", other.words())),
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
        let before = (self.oracle.from.clone(), self.oracle.results.clone());
        machine.journal.on = true;
        let flow = take_edge(self.code, machine, thread, edge, &mut self.oracle);
        if let Flow::Done | Flow::Error(_) = flow {
            self.take_out_used();
            self.push(thread, Action::Edge(id));
        } else {
            machine.undo_to(0);
            (self.oracle.from, self.oracle.results) = before;
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
            other => return Err(format!("thread {thread} cannot end: {}", other.words())),
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
