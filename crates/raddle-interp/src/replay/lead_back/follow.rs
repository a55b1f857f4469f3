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
use raddle_ir::{EdgeId, Label, Sort, VarId};
use std::collections::BTreeMap;

/// Steps of the lowered Program for one step of the prepared one, at most.
const MOST_STEPS: usize = 1_000_000;

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

/// Runs the lowered Program along the legs.
pub fn follow(
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
