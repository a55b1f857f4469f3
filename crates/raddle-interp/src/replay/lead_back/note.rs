//! The first run: the prepared Program, along its schedule.

use super::chains::{Chains, position};
use super::legs::{Going, Havoc, Legs};
use super::storage::{At, Came, Made, Travels, Values};
use crate::machine::code::Code;
use crate::machine::oracle::{Ask, Asked, Held, Kept, Oracle};
use crate::machine::state::{Machine, Status};
use crate::machine::step::Flow;
use crate::replay::{Action, Recorded, Schedule, take_step};
use raddle_ir::{Label, VarId};
use rustc_hash::FxHashSet;

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
pub fn note(
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
            (other, _) => {
                return Err(format!("step {number} of the prepared program cannot be taken: {}", other.words()));
            }
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
