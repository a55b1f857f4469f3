//! Explores all interleavings and all values of inputs, storing each state in full.
//!
//! Depth-first search on an explicit stack. The states are those of `encode`; with partial-order reduction (on by default) only a
//! persistent set of threads is followed from a state, a step goes on through everything of the same thread that no other
//! thread can observe or influence, and atomic blocks are one step.
//!
//! Why the reduction does not hide errors: a set of followed steps is a source set (see `persistent`), and no step is
//! put off for ever: a state whose reduced set leads back to a state on the search stack is expanded fully, so that on every
//! cycle of the reduced graph there is a state from which everything is followed. These are the two conditions of Theorem 2
//! in chapter 3 of Telbisz 2024 (after Abdulla et al. 2017; the stack condition is Peled's 1994). Errors are reached by
//! a thread's own control flow, so the followed executions reach them as well. A failing assumption or a hazard only stops its own
//! thread: the others may go on as if it were just not scheduled any more.
//!
//! States that differ by a permutation of threads are one *class*, and one of them is visited (`symmetry`, `canonical`, `joins`): only whether a state was visited, or is on the stack, is
//! asked of its class.
//!
//! Under a weak memory model a commit is a step as well; all threads and all commits are followed from each state, and of the
//! reduction only what `local_steps` shows right is left.
//!
//! An error is reported only after the execution that leads to it was replayed from the start without any of this.

use crate::address_guess::{AddressGuess, guess_addresses};
use crate::canonical::Classes;
use crate::collapse::Store;
use crate::concretise::Concretiser;
use crate::config::{ExploreConfig, ExploreStats};
use crate::enumerate::Enumerator;
use crate::footprint::{Footprints, depends, footprints};
use crate::local_steps::local_locations;
use crate::persistent::{MOST_THREADS, Situation, next_step, others_future};
use crate::symmetry::{Symmetry, symmetry};
use crate::turns::Turns;
use raddle_engine::{Argument, Budget, Code, Event, Observer, Outcome, Por, Proof, Reason, Stop};
use raddle_interp::Schedule;
use raddle_interp::machine::code::LabelCode;
use raddle_interp::machine::code::{Code as Compiled, Shape, compile_under};
use raddle_interp::machine::state::{Machine, Status};
use raddle_interp::machine::step::{Blocked, Flow, HazardKind, end_thread, run_edge};
use raddle_interp::machine::store_buffers::{PendingPlace, commit, committable};
use raddle_interp::trace::{location_span, show_span};
use raddle_ir::{LocKind, MemoryModel, Program};

/// Explores a Program as it is. A schedule that it returns is one of this Program, and is still to be replayed.
pub fn explore(
    program: &Program,
    memory_model: MemoryModel,
    config: &ExploreConfig,
    budget: &Budget,
    observer: &dyn Observer,
) -> (Outcome, ExploreStats) {
    match compiled(program, memory_model) {
        Ok(code) => explore_compiled(&code, config, budget, observer, &mut || false),
        Err(reason) => (Outcome::Unknown(reason), ExploreStats::default()),
    }
}

/// The Program in the form that is explored and confirmed.
pub fn compiled(program: &Program, memory_model: MemoryModel) -> Result<Compiled<'_>, Reason> {
    compile_under(program, memory_model)
        .map_err(|what| Reason::new(Code::Unsupported, format!("not supported: {}", what.0)))
}

/// The same for a Program that is compiled already. Now and then somebody else has a turn, who may end the search.
pub fn explore_compiled(
    code: &Compiled,
    config: &ExploreConfig,
    budget: &Budget,
    observer: &dyn Observer,
    others_turn: &mut dyn FnMut() -> bool,
) -> (Outcome, ExploreStats) {
    let mut guess = guess_addresses(code, false);
    let mut prints = footprints(code, &guess);
    // Whether memory leaks depends on every step that allocates or frees.
    let asks_for_leaks = code.labels.iter().any(|label| matches!(label, LabelCode::Leaks { .. }));
    let is_reduced = config.por != Por::None && !asks_for_leaks;
    let mut exchanged = which_are_exchanged(code, &guess, config);
    guess.is_strict = exchanged.is_ok();
    let mut search = Search::new(code, &guess, &prints, config, budget, is_reduced, exchanged.as_ref().ok());
    let mut verdict = search.run(observer, others_turn);
    let mut without_reduction = false;
    if matches!(verdict, Ended::Surprise) && code.program.objects.iter().any(|object| object.exposed) {
        drop(search);
        guess = guess_addresses(code, true);
        prints = footprints(code, &guess);
        exchanged = which_are_exchanged(code, &guess, config);
        guess.is_strict = exchanged.is_ok();
        search = Search::new(code, &guess, &prints, config, budget, is_reduced, exchanged.as_ref().ok());
        verdict = search.run(observer, others_turn);
    }
    if matches!(verdict, Ended::Surprise) {
        drop(search);
        without_reduction = true;
        exchanged = Err("off: an access that was not expected");
        search = Search::new(code, &guess, &prints, config, budget, false, None);
        verdict = search.run(observer, others_turn);
    }
    let (states, bytes, stats) = (search.visited, search.bytes(), search.stats.clone());
    // What comes next may need the memory.
    drop(search);
    let outcome = match verdict {
        Ended::Safe => Outcome::Safe(Proof::by(Argument::Exhaustion { states })),
        Ended::Found(schedule) => Outcome::Unsafe(schedule),
        Ended::Unknown(reason) => Outcome::Unknown(reason),
        Ended::Surprise => Outcome::Unknown(Reason::new(Code::InternalError, "the guess about pointers failed twice")),
    };
    let symmetry = exchanged.err().unwrap_or("on");
    let stats = ExploreStats { states, state_bytes: bytes, without_reduction, symmetry, ..stats };
    (outcome, stats)
}

/// What symmetry reduction needs to know, or why there is none.
fn which_are_exchanged(
    code: &Compiled,
    guess: &AddressGuess,
    config: &ExploreConfig,
) -> Result<Symmetry, &'static str> {
    match config.symmetry && config.turns.is_none() {
        true => symmetry(code, guess),
        false => Err("off"),
    }
}

enum Ended {
    Safe,
    Found(Schedule),
    Unknown(Reason),
    /// The guess of `address_guess` was wrong.
    Surprise,
}

/// Why the search ends early.
enum Halted {
    /// A thread reaches the error from the state at the top of the stack; these are its edges (`None`: end of a thread) and answers.
    Error(Vec<Fine>),
    Unsupported(String),
    Surprise,
    Stopped(Stop),
}

/// One edge of a step, with the answers to its questions.
#[derive(Clone, Debug)]
pub struct Fine {
    pub thread: u32,
    pub edge: Option<u32>,
    /// A commit instead of an edge.
    pub commit: Option<PendingPlace>,
    pub answers: Vec<u128>,
}

/// What a thread can do in a state.
#[derive(Clone, Debug, Default)]
struct Expansion {
    successors: Vec<Successor>,
    enabled: bool,
    /// Ways that are not possible now: what they wait for.
    waits: Vec<Blocked>,
    /// A way ended for a reason that another thread's step might remove without that being seen in footprints.
    fragile: bool,
    /// An atomic block was cut into pieces, so whether it can be completed is not known.
    cut: bool,
}

/// A state that a step leads to.
#[derive(Clone, Copy, Debug)]
struct Successor {
    /// Its number; `u32::MAX` if its class was visited, so that it is not stored.
    state: u32,
    /// The number of its class under permutations of threads; without symmetry, that of the state.
    class: u32,
}

struct Entry {
    /// `class` is `u32::MAX` at the bottom of the stack.
    at: Successor,
    next: usize,
    end: usize,
}

const VISITED: u8 = 1;
const ON_STACK: u8 = 2;

/// A step goes on through at most this many edges before a state is stored (infinite loops must meet a stored state).
pub const LONGEST_STEP: u32 = 1000;
/// With more threads than these, memory is looked at before each state.
const LARGE: usize = 64;

const MANY_THREADS: usize = 12;

pub struct Search<'a> {
    pub code: &'a Compiled<'a>,
    pub guess: &'a AddressGuess,
    pub prints: &'a Footprints,
    config: &'a ExploreConfig,
    budget: &'a Budget,
    /// Is partial-order reduction on?
    pub is_reduced: bool,
    /// Which threads may be exchanged, if any may.
    pub symmetry: Option<&'a Symmetry>,
    classes: Option<Classes<'a>>,
    weak: bool,
    /// The locations that are left by local steps only (under a weak memory model).
    local: Vec<bool>,
    pub machine: Machine,
    store: Store,
    pub oracle: Enumerator<'a>,
    /// By class.
    flags: Vec<u8>,
    visited: u64,
    stack: Vec<Entry>,
    pending: Vec<Successor>,
    situation: Situation,
    /// What the other threads may touch during the step at hand.
    pub others: Vec<u64>,
    pub row: Vec<u64>,
    pub fine: Vec<Fine>,
    keep_fine: bool,
    /// Room for the sequences of `arrive`.
    sequence: Vec<u32>,
    pretended: Vec<u32>,
    bound: Option<Reason>,
    /// How many ways to take a step were tried.
    ways: u64,
    stats: ExploreStats,
}

/// How a step of a thread through several edges went.
enum Walk {
    /// To a state that is worth storing.
    Arrived,
    /// The program is over.
    Over,
    NotNow(Blocked),
    Ends(Option<HazardKind>),
    Error,
    Unsupported(String),
}

impl<'a> Search<'a> {
    fn new(
        code: &'a Compiled<'a>,
        guess: &'a AddressGuess,
        prints: &'a Footprints,
        config: &'a ExploreConfig,
        budget: &'a Budget,
        is_reduced: bool,
        symmetry: Option<&'a Symmetry>,
    ) -> Self {
        let weak = code.model != MemoryModel::Sc;
        let mut machine = Machine::new(code);
        machine.most_pending = config.max_pending;
        Search {
            code,
            guess,
            prints,
            config,
            budget,
            is_reduced,
            symmetry,
            classes: symmetry.map(Classes::new),
            weak,
            local: if weak { local_locations(code) } else { Vec::new() },
            machine,
            store: Store::default(),
            oracle: Enumerator::new(code, guess, config.max_choices),
            flags: Vec::new(),
            visited: 0,
            stack: Vec::new(),
            pending: Vec::new(),
            situation: Situation::default(),
            others: Vec::new(),
            row: vec![0; 2 * prints.words],
            fine: Vec::new(),
            keep_fine: false,
            sequence: Vec::new(),
            pretended: Vec::new(),
            bound: None,
            ways: 0,
            stats: ExploreStats::default(),
        }
    }

    fn bytes(&self) -> usize {
        let stored = self.store.bytes() + self.classes.as_ref().map_or(0, Classes::bytes);
        stored + self.flags.capacity() + self.stack.capacity() * 24 + self.pending.capacity() * 8
    }

    fn run(&mut self, observer: &dyn Observer, others_turn: &mut dyn FnMut() -> bool) -> Ended {
        let budget = self.budget;
        let memory = self.config.memory_limit.min(budget.memory() / 10 * 8);
        self.note_new_threads(0);
        self.store.start(self.code, &self.machine);
        self.machine.journal.on = true;
        let first = self.arrive();
        self.pending.push(first);
        self.stack.push(Entry { at: Successor { state: u32::MAX, class: u32::MAX }, next: 0, end: 1 });
        let mut polls = 0u32;
        while let Some(top) = self.stack.last_mut() {
            if top.next == top.end {
                let class = top.at.class;
                self.stack.pop();
                let begin = self.stack.last().map_or(0, |below| below.end);
                self.pending.truncate(begin);
                if class != u32::MAX {
                    self.flags[class as usize] &= !ON_STACK;
                }
                continue;
            }
            let at = self.pending[top.next];
            top.next += 1;
            if self.flags.len() <= at.class as usize {
                let classes = self.classes.as_ref().map_or(self.store.states.len(), Classes::len);
                self.flags.resize(classes, 0);
            }
            if self.flags[at.class as usize] & VISITED != 0 {
                continue;
            }
            polls += 1;
            // States with many threads are large, and each has many successors.
            if polls.is_multiple_of(64) || self.machine.threads.len() > LARGE {
                if let Some(stop) = budget.stop() {
                    return Ended::Unknown(stop.into());
                }
                if others_turn() {
                    return Ended::Unknown(Reason::new(Code::Interrupted, "there is an answer from elsewhere"));
                }
                let is_sampled = self.oracle.incomplete.is_some() && self.visited > self.config.max_sampled_states;
                if is_sampled || self.config.turns.as_ref().is_some_and(|turns| self.visited > turns.most_states) {
                    break;
                }
                if self.bytes() as u64 > memory {
                    return Ended::Unknown(Stop::OutOfMemory.into());
                }
                if polls.is_multiple_of(1 << 17) {
                    observer.event(Event::Explored { states: self.visited });
                }
            }
            match self.expand(at) {
                Ok(()) => {}
                Err(Halted::Surprise) => return Ended::Surprise,
                Err(Halted::Stopped(stop)) => return Ended::Unknown(stop.into()),
                Err(Halted::Unsupported(what)) => {
                    return Ended::Unknown(Reason::new(Code::Unsupported, format!("not supported: {what}")));
                }
                Err(Halted::Error(last)) => return budget.uninterrupted(|| self.schedule(last)),
            }
        }
        if let Some(why) = self.bound.take() {
            return Ended::Unknown(why);
        }
        if let Some(why) = self.oracle.incomplete.take() {
            return Ended::Unknown(why);
        }
        if self.config.turns.is_some() {
            let words = "threads were only looked at in one order";
            return Ended::Unknown(Reason::new(Code::BoundReached, words));
        }
        Ended::Safe
    }

    /// Goes to a state and puts the states that are to be explored from there on the stack.
    fn expand(&mut self, at: Successor) -> Result<(), Halted> {
        self.store.load(self.code, &mut self.machine, at.state);
        self.flags[at.class as usize] |= VISITED | ON_STACK;
        self.visited += 1;
        let begin = self.pending.len();
        self.stack.push(Entry { at, next: begin, end: begin });
        match &self.config.turns {
            Some(turns) => self.expand_turns(turns)?,
            None => self.expand_all()?,
        }
        let end = self.pending.len();
        if let Some(top) = self.stack.last_mut() {
            top.end = end;
        }
        Ok(())
    }

    /// Follows all threads, or a set of them that suffices.
    fn expand_all(&mut self) -> Result<(), Halted> {
        let running: Vec<u32> = match self.machine.atomic {
            Some(owner) => vec![owner],
            None => {
                let threads = self.machine.threads.iter().enumerate();
                threads.filter(|(_, t)| t.status == Status::Running).map(|(i, _)| i as u32).collect()
            }
        };
        if self.weak || !self.is_reduced || running.len() <= 1 || running.len() > MOST_THREADS {
            for thread in running {
                let expansion = self.expand_thread(thread)?;
                self.pending.extend(expansion.successors);
            }
            if self.weak {
                self.expand_commits();
            }
        } else {
            self.expand_reduced()?;
        }
        Ok(())
    }

    /// Follows the threads that have a turn, and those that they wait for.
    fn expand_turns(&mut self, turns: &Turns) -> Result<(), Halted> {
        let mut threads = turns.at_hand(self.code, &self.machine);
        let mut next = 0;
        while let Some(thread) = threads.get(next).copied() {
            next += 1;
            let is_running = self.machine.threads.get(thread as usize).is_some_and(|t| t.status == Status::Running);
            if !is_running || self.machine.atomic.is_some_and(|owner| owner != thread) {
                continue;
            }
            let expansion = self.expand_thread(thread)?;
            self.pending.extend(expansion.successors);
            for needed in expansion.waits.iter().filter_map(|wait| self.needed(thread, wait)) {
                if !threads.contains(&needed) {
                    threads.push(needed);
                }
            }
        }
        Ok(())
    }

    /// The thread that another one waits for.
    fn needed(&self, thread: u32, wait: &Blocked) -> Option<u32> {
        match wait {
            Blocked::Await | Blocked::Pending | Blocked::FullBuffer => None,
            Blocked::Join(other) => Some(*other),
            Blocked::Lock(address) => self.machine.locks.get(*address).other_holder(thread),
        }
    }

    /// Follows every commit that is possible; also of a thread that is stuck, which might just not have got there yet.
    fn expand_commits(&mut self) {
        if self.machine.atomic.is_some() {
            return;
        }
        for thread in 0..self.machine.threads.len() as u32 {
            for at in committable(&self.machine, thread) {
                commit(self.code, &mut self.machine, thread, at);
                self.stats.transitions += 1;
                let successor = self.arrive();
                self.machine.undo_to(0);
                self.pending.push(successor);
            }
        }
    }

    /// Follows the smallest persistent set that closes no cycle; all threads if there is none.
    fn expand_reduced(&mut self) -> Result<(), Halted> {
        let mut situation = std::mem::take(&mut self.situation);
        situation.read(self.code, &mut self.machine, self.prints, self.guess);
        let count = situation.running.len();
        let all = u64::MAX >> (64 - count);
        let words = self.prints.words;
        let mut expansions: Vec<Option<Expansion>> = vec![None; count];
        // With many threads, starting one more is put off: errors are rather found among few.
        let starters = (0..count)
            .filter(|i| count > MANY_THREADS && self.prints.starts_thread(situation.next(words, *i)))
            .fold(0u64, |set, i| set | 1 << i);
        let mut candidates: Vec<u64> = (0..count)
            .map(|i| situation.close(words, 1 << i))
            .map(|set| if set & starters != 0 { all } else { set })
            .collect();
        candidates.sort_unstable_by_key(|set| set.count_ones());
        candidates.dedup();
        let mut chosen = all;
        for candidate in candidates {
            let set = self.complete(&situation, &mut expansions, candidate, all)?;
            if set == all {
                continue;
            }
            let members = (0..count).filter(|i| set >> i & 1 != 0).filter_map(|i| expansions[i].as_ref());
            let mut enabled = false;
            let mut closes_cycle = false;
            for expansion in members {
                enabled |= expansion.enabled;
                closes_cycle |= expansion.successors.iter().any(|s| self.has(s.class, ON_STACK));
            }
            if enabled && !closes_cycle {
                chosen = set;
                break;
            }
        }
        let last = (0..count).filter(|i| starters >> i & 1 != 0);
        for i in (0..count).filter(|i| starters >> i & 1 == 0).chain(last).filter(|i| chosen >> i & 1 != 0) {
            let expansion = match expansions[i].take() {
                Some(expansion) => expansion,
                None => self.expand_thread(situation.running[i])?,
            };
            self.pending.extend(expansion.successors);
        }
        self.situation = situation;
        Ok(())
    }

    /// Expands the threads of a set, and adds those that the ones that cannot step wait for.
    fn complete(
        &mut self,
        situation: &Situation,
        expansions: &mut [Option<Expansion>],
        set: u64,
        all: u64,
    ) -> Result<u64, Halted> {
        let mut set = set;
        let mut done = 0u64;
        while set != all && done != set {
            let i = (set & !done).trailing_zeros() as usize;
            done |= 1 << i;
            let thread = situation.running[i];
            if expansions[i].is_none() {
                expansions[i] = Some(self.expand_thread(thread)?);
            }
            let Some(expansion) = &expansions[i] else { continue };
            if expansion.fragile || expansion.cut {
                return Ok(all);
            }
            for wait in &expansion.waits {
                let needed = self.needed(thread, wait);
                if let Some(at) = needed.and_then(|n| situation.running.iter().position(|r| *r == n)) {
                    set |= situation.close(self.prints.words, 1 << at);
                }
            }
        }
        Ok(set)
    }

    fn has(&self, class: u32, flag: u8) -> bool {
        self.flags.get(class as usize).is_some_and(|flags| flags & flag != 0)
    }

    /// Takes down the state that the machine has come to.
    fn arrive(&mut self) -> Successor {
        if self.classes.is_none() {
            let (state, _) = self.store.record(self.code, &self.machine);
            return Successor { state, class: state };
        }
        let mut sequence = std::mem::take(&mut self.sequence);
        self.store.sequence(self.code, &self.machine, &mut sequence);
        let mark = self.machine.journal.entries.len();
        let awaited = self.pretend();
        let mut pretended = std::mem::take(&mut self.pretended);
        let form = match awaited.is_empty() {
            true => &sequence,
            false => {
                pretended.clone_from(&sequence);
                self.store.follow(self.code, &self.machine, mark, &mut pretended);
                &pretended
            }
        };
        let class = match &mut self.classes {
            Some(classes) => classes.class(self.code, &mut self.machine, &mut self.store, form, &awaited),
            None => u32::MAX,
        };
        self.machine.undo_to(mark);
        self.pretended = pretended;
        let state = if self.has(class, VISITED) {
            self.stats.permuted += u64::from(!self.store.states.contains(&sequence));
            u32::MAX
        } else {
            self.store.states.intern(&sequence).0
        };
        self.sequence = sequence;
        Successor { state, class }
    }

    /// All that a thread can do in the state that the machine is in.
    fn expand_thread(&mut self, thread: u32) -> Result<Expansion, Halted> {
        let mut expansion = Expansion::default();
        self.oracle.begin();
        loop {
            let walk = self.walk(thread, &mut expansion);
            let mut halted = None;
            match walk {
                Walk::Arrived => {
                    self.stats.transitions += 1;
                    let successor = self.arrive();
                    expansion.successors.push(successor);
                    expansion.enabled = true;
                }
                Walk::Over => {
                    self.stats.transitions += 1;
                    expansion.enabled = true;
                }
                Walk::NotNow(blocked) => expansion.waits.push(blocked),
                Walk::Ends(None) => {}
                Walk::Ends(Some(kind)) => {
                    expansion.fragile |= matches!(
                        kind,
                        HazardKind::InvalidRead
                            | HazardKind::InvalidWrite
                            | HazardKind::InvalidFree
                            | HazardKind::JoinMisuse
                    );
                }
                Walk::Error => halted = Some(Halted::Error(std::mem::take(&mut self.fine))),
                Walk::Unsupported(what) => halted = Some(Halted::Unsupported(what)),
            }
            self.machine.undo_to(0);
            self.fine.clear();
            self.oracle.given.clear();
            // Addresses in the common area depend on the order of allocations, which the footprints do not know.
            let relies_on_guess = (self.is_reduced || self.symmetry.is_some()) && !self.weak;
            if (self.oracle.surprised || self.machine.memory.overflowed) && relies_on_guess {
                return Err(Halted::Surprise);
            }
            if let Some(halted) = halted {
                // The edges were perhaps not recorded on the way: walk there once more.
                if !self.keep_fine && matches!(halted, Halted::Error(_)) {
                    self.keep_fine = true;
                    self.oracle.rewind();
                    self.walk(thread, &mut expansion);
                    self.machine.undo_to(0);
                    return Err(Halted::Error(std::mem::take(&mut self.fine)));
                }
                return Err(halted);
            }
            // One step may have very many ways to go, and a state many threads that step.
            self.ways += 1;
            if self.ways.is_multiple_of(32)
                && let Some(stop) = self.budget.stop()
            {
                return Err(Halted::Stopped(stop));
            }
            if !self.oracle.advance() {
                return Ok(expansion);
            }
        }
    }

    /// Lets a thread take one step in the sense of the exploration.
    fn walk(&mut self, thread: u32, expansion: &mut Expansion) -> Walk {
        let (mut edges, before) = (0, self.machine.threads.len());
        if !self.is_reduced {
            return match self.step(thread) {
                Flow::Done => {
                    self.note_bound(thread);
                    self.note_new_threads(before);
                    Walk::Arrived
                }
                flow => self.ended(thread, flow),
            };
        }
        loop {
            match self.step(thread) {
                Flow::Done => {}
                flow => {
                    // It may be in the middle of an atomic block.
                    self.note_bound(thread);
                    return self.ended(thread, flow);
                }
            }
            edges += 1;
            if self.machine.atomic != Some(thread) {
                break;
            }
            if edges > LONGEST_STEP {
                expansion.cut = true;
                return Walk::Arrived;
            }
        }
        match self.go_on(thread, edges, before) {
            Walk::Arrived if thread != 0 && self.may_join() => self.go_on(0, 0, self.machine.threads.len()),
            walk => walk,
        }
    }

    /// Goes on with the same thread as long as nobody else can tell and there is just one way.
    fn go_on(&mut self, thread: u32, mut edges: u32, mut threads: usize) -> Walk {
        let mut known = None;
        while edges < LONGEST_STEP {
            self.note_new_threads(threads);
            threads = self.machine.threads.len();
            if self.machine.threads[thread as usize].status != Status::Running {
                return Walk::Arrived;
            }
            if self.note_bound(thread) {
                self.machine.finish(thread, Status::Stuck, 0);
                return Walk::Arrived;
            }
            if self.weak {
                let top = self.machine.top(thread);
                if !self.local[(self.code.procs[top.proc as usize].first_loc + top.loc) as usize] {
                    return Walk::Arrived;
                }
            } else {
                let now = (self.machine.threads.len(), self.machine.lock_changes);
                if known != Some(now) {
                    known = Some(now);
                    others_future(self.code, &self.machine, self.prints, thread, &mut self.others);
                }
                self.row.fill(0);
                next_step(self.code, &mut self.machine, self.prints, self.guess, thread, &mut self.row);
                let many = self.machine.threads.len() > MANY_THREADS && self.prints.starts_thread(&self.row);
                if many || depends(self.prints.words, &self.row, &self.others) {
                    return Walk::Arrived;
                }
            }
            let mark = self.machine.journal.entries.len();
            let (fine, given) = (self.fine.len(), self.oracle.given.len());
            self.oracle.frozen = true;
            self.oracle.wanted = false;
            let mut flow;
            loop {
                flow = self.only_step(thread);
                edges += 1;
                if flow != Some(Flow::Done) || self.machine.atomic != Some(thread) || edges > LONGEST_STEP {
                    break;
                }
            }
            self.oracle.frozen = false;
            let cut = self.machine.atomic == Some(thread);
            let unclear = self.oracle.wanted || cut;
            match flow {
                Some(Flow::Done) if !unclear => continue,
                Some(Flow::Halt(_)) if !unclear => return Walk::Over,
                Some(Flow::Error(_)) if !self.oracle.wanted => return Walk::Error,
                Some(Flow::Unsupported(what)) if !self.oracle.wanted => return Walk::Unsupported(what),
                _ => {}
            }
            if !self.oracle.wanted {
                self.note_bound(thread);
            }
            self.machine.undo_to(mark);
            self.fine.truncate(fine);
            self.oracle.given.truncate(given);
            if !self.oracle.wanted {
                match flow {
                    // Nothing that others do can change it.
                    Some(Flow::Infeasible) => self.machine.finish(thread, Status::Stuck, 0),
                    Some(Flow::Hazard(kind, what)) if kind != HazardKind::JoinMisuse => {
                        self.note_hazard(thread, &what);
                        self.machine.finish(thread, Status::Stuck, 0);
                    }
                    _ => {}
                }
            }
            return Walk::Arrived;
        }
        self.note_new_threads(threads);
        Walk::Arrived
    }

    fn ended(&mut self, thread: u32, flow: Flow) -> Walk {
        match flow {
            Flow::Done => Walk::Arrived,
            Flow::Blocked(blocked) => {
                if blocked == Blocked::FullBuffer && self.bound.is_none() {
                    let place = show_span(self.code, location_span(self.code, &self.machine, thread));
                    let most = self.config.max_pending;
                    let words = format!("more than {most} stores of a thread are pending at {place}");
                    self.bound = Some(Reason::new(Code::BoundReached, words));
                }
                Walk::NotNow(blocked)
            }
            Flow::Infeasible => Walk::Ends(None),
            Flow::Hazard(kind, what) => {
                self.note_hazard(thread, &what);
                Walk::Ends(Some(kind))
            }
            Flow::Error(_) => Walk::Error,
            Flow::Halt(_) => Walk::Over,
            Flow::Unsupported(what) => Walk::Unsupported(what),
        }
    }

    fn note_hazard(&mut self, thread: u32, what: &str) {
        self.stats.hazards += 1;
        if self.stats.first_hazard.is_none() {
            let place = show_span(self.code, location_span(self.code, &self.machine, thread));
            self.stats.first_hazard = Some(format!("{place}: {what}"));
        }
    }

    /// A thread may begin where the program was cut off.
    fn note_new_threads(&mut self, before: usize) {
        for thread in before..self.machine.threads.len() {
            self.note_bound(thread as u32);
        }
    }

    /// Notes that a thread is where the program was cut off.
    fn note_bound(&mut self, thread: u32) -> bool {
        if self.machine.threads[thread as usize].status != Status::Running {
            return false;
        }
        let top = self.machine.top(thread);
        if !self.code.procs[top.proc as usize].locs[top.loc as usize].cut_off {
            return false;
        }
        let program = self.code.program;
        let location = &program.procs[top.proc as usize].locations[top.loc as usize];
        // No bound removes a gap: it is the better reason.
        let is_final = self.bound.as_ref().is_some_and(|reason| reason.code != Code::BoundReached);
        match location.kind {
            LocKind::Gap(gap) if !is_final => self.bound = Some(Reason::gap(program, gap)),
            _ if self.bound.is_none() => {
                let place = show_span(self.code, location.span);
                let words = format!("the recursion bound was reached at {place}");
                self.bound = Some(Reason::new(Code::BoundReached, words));
            }
            _ => {}
        }
        true
    }

    /// Takes one edge; which one is a question to the oracle where there are several.
    fn step(&mut self, thread: u32) -> Flow {
        let code = self.code;
        let frame = *self.machine.top(thread);
        let location = &code.procs[frame.proc as usize].locs[frame.loc as usize];
        match location.shape {
            Shape::Single(edge) => self.take(thread, edge, 0),
            Shape::Branch { cond, then, otherwise } => {
                let holds = self.machine.eval_narrow(code, thread, cond, &mut self.oracle) != 0;
                self.take(thread, if holds { then } else { otherwise }, 1)
            }
            Shape::Many => {
                let which = self.oracle.answer(location.edges.len() as u32);
                self.take(thread, location.edges[which as usize], 0)
            }
            Shape::Stop => self.stop_step(thread),
        }
    }

    fn stop_step(&mut self, thread: u32) -> Flow {
        if !self.machine.at_end(self.code, thread) {
            return Flow::Infeasible;
        }
        let flow = end_thread(self.code, &mut self.machine, thread, &mut self.oracle);
        self.log(thread, None);
        flow
    }

    fn take(&mut self, thread: u32, edge: u32, skip: u32) -> Flow {
        let flow = run_edge(self.code, &mut self.machine, thread, edge, skip, &mut self.oracle);
        self.log(thread, Some(edge));
        flow
    }

    fn log(&mut self, thread: u32, edge: Option<u32>) {
        if self.keep_fine {
            let answers = std::mem::take(&mut self.oracle.given);
            self.fine.push(Fine { thread, edge, commit: None, answers });
        }
    }

    /// Takes the one edge that can be taken; `None` if there are several.
    pub fn only_step(&mut self, thread: u32) -> Option<Flow> {
        let code = self.code;
        let frame = *self.machine.top(thread);
        let location = &code.procs[frame.proc as usize].locs[frame.loc as usize];
        if !matches!(location.shape, Shape::Many) {
            return Some(self.step(thread));
        }
        let mark = self.machine.journal.entries.len();
        let fine = self.fine.len();
        let mut found: Option<u32> = None;
        let mut blocked = None;
        for edge in &location.edges {
            let flow = self.take(thread, *edge, 0);
            self.machine.undo_to(mark);
            self.fine.truncate(fine);
            match flow {
                Flow::Infeasible => {}
                Flow::Blocked(_) => blocked = Some(flow),
                _ if found.is_some() => return None,
                _ => found = Some(*edge),
            }
        }
        match (found, blocked) {
            (Some(edge), None) => Some(self.take(thread, edge, 0)),
            (Some(_), Some(_)) => None,
            (None, blocked) => Some(blocked.unwrap_or(Flow::Infeasible)),
        }
    }

    /// The execution along the stack and on to the error, with a value for everything.
    fn schedule(&mut self, last: Vec<Fine>) -> Ended {
        let path: Vec<u32> = self.stack.iter().map(|e| e.at.state).filter(|s| *s != u32::MAX).collect();
        let mut concretiser = Concretiser::new(self.code);
        self.keep_fine = true;
        for pair in path.windows(2) {
            let Some(way) = self.find_way(pair[0], pair[1]) else {
                let why = "an error was found, but not the way to it once more";
                return Ended::Unknown(Reason::new(Code::Unconfirmed, why));
            };
            way.into_iter().for_each(|fine| concretiser.take(fine));
        }
        last.into_iter().for_each(|fine| concretiser.take(fine));
        Ended::Found(concretiser.schedule())
    }

    /// The edges by which one state leads to another.
    fn find_way(&mut self, from: u32, to: u32) -> Option<Vec<Fine>> {
        self.store.load(self.code, &mut self.machine, from);
        let threads = self.machine.threads.len() as u32;
        let owner = self.machine.atomic;
        for thread in (0..threads).filter(|_| self.weak && owner.is_none()) {
            for at in committable(&self.machine, thread) {
                let place = self.machine.threads[thread as usize].pending[at as usize].place;
                commit(self.code, &mut self.machine, thread, at);
                let found = self.store.record(self.code, &self.machine).0 == to;
                self.machine.undo_to(0);
                if found {
                    return Some(vec![Fine { thread, edge: None, commit: Some(place), answers: Vec::new() }]);
                }
            }
        }
        let turns = self.config.turns.as_ref();
        let first = turns.map_or(Vec::new(), |turns| turns.at_hand(self.code, &self.machine));
        let rest = (0..threads).filter(|t| !first.contains(t)).collect::<Vec<_>>();
        for thread in first.iter().chain(&rest).copied().filter(|t| owner.is_none_or(|o| o == *t) && *t < threads) {
            if self.machine.threads[thread as usize].status != Status::Running {
                continue;
            }
            self.oracle.begin();
            loop {
                self.fine.clear();
                self.oracle.given.clear();
                let arrived = matches!(self.walk(thread, &mut Expansion::default()), Walk::Arrived);
                let found = arrived && self.store.record(self.code, &self.machine).0 == to;
                self.machine.undo_to(0);
                if found {
                    return Some(std::mem::take(&mut self.fine));
                }
                if !self.oracle.advance() {
                    break;
                }
            }
        }
        None
    }
}
