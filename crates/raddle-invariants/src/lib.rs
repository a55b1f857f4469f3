//! Proofs that no enumeration reaches: inductive invariants of programs with any number of threads.
//!
//! The way of the data: `system` makes steps of a prepared Program; `sample` runs it on random inputs, `guess` takes from what was seen whatever may always hold, `houdini` drops what
//! is not inductive by the rule of `invariant.rs`, `refine` adds what counterexamples to induction ask for, and `certify` checks once more what is left. No violation is ever reported from here: a guess that is missing makes no error.

mod backward;
mod certify;
mod config;
mod guess;
mod houdini;
mod invariant;
mod likely_places;
mod refine;
mod sample;
mod suggest;
pub mod system;
mod terms;
mod told;

pub use config::{InvariantsConfig, InvariantsStats, ModularConfig};
pub use suggest::{Extent, Suggestions};

use guess::{Breadth, Pairs};
use houdini::{Guards, Houdini};
use invariant::{Invariant, Scope};
use raddle_engine::{
    Argument, Blocks, Budget, Code, Conclusion, Engine, Event, Facts, Form, Observer, Outcome, Proof, Reason, Task,
    on_large_stack, supports_property,
};
use raddle_ir::{ExprId, LocKind, MemoryModel, ProcId, Program};
use raddle_passes::{Given, InlineOptions, Lbe, given, inline, large_blocks, promote, simplify};
use raddle_smt::Interrupt;
use sample::Samples;
use std::time::Duration;
use system::System;

/// Assertions about one thread at a time.
pub struct Invariants(pub InvariantsConfig);

/// Assertions about two threads at a time.
pub struct Modular(pub ModularConfig);

impl Engine for Invariants {
    fn name(&self) -> &'static str {
        "invariants"
    }

    fn summary(&self) -> &'static str {
        "Inductive invariants of any number of threads, quickly or not at all"
    }

    fn supports(&self, task: &Task) -> Result<(), Reason> {
        supports(task)
    }

    fn form(&self) -> Form {
        form()
    }

    fn run(&self, task: &Task, _: &Facts, budget: &Budget, observer: &dyn Observer) -> Conclusion {
        let rounds = rounds([Pairs::None, Pairs::WithFirst], self.0.steps);
        run(task, &rounds, &budget.share(self.0.time()), observer, true)
    }
}

impl Engine for Modular {
    fn name(&self) -> &'static str {
        "modular"
    }

    fn summary(&self) -> &'static str {
        "Inductive invariants of any number of threads, two at a time"
    }

    fn supports(&self, task: &Task) -> Result<(), Reason> {
        supports(task)
    }

    fn form(&self) -> Form {
        form()
    }

    fn run(&self, task: &Task, _: &Facts, budget: &Budget, observer: &dyn Observer) -> Conclusion {
        let rounds = rounds([Pairs::All; 2], self.0.steps);
        run(task, &rounds, budget, observer, false)
    }
}

/// One attempt: more steps of random executions, and guesses from all that was seen.
struct Round {
    steps: u32,
    breadth: Breadth,
    /// And from what is to be shown.
    backward: bool,
    /// And from counterexamples, about two threads, for so long.
    refine: Duration,
}

/// What is tried, one after another: of which pairs of threads something is guessed at first, and later.
fn rounds([first, later]: [Pairs; 2], steps: u32) -> [Round; 6] {
    let refine = |time| if first == Pairs::All { time } else { Duration::ZERO };
    let none = Duration::ZERO;
    let facts = Breadth { pairs: Pairs::None, guards: false, inherit: false, most: 0 };
    let plain = Breadth { pairs: first, most: 60, ..facts };
    let guarded = Breadth { pairs: later, guards: true, most: 200, ..facts };
    let inherit = Breadth { inherit: true, most: 400, ..guarded };
    [
        Round { steps: 0, breadth: facts, backward: false, refine: none },
        Round { steps: FEW_STEPS, breadth: plain, backward: false, refine: refine(SOON) },
        Round { steps: 4 * FEW_STEPS, breadth: Breadth { most: 20, ..plain }, backward: true, refine: none },
        Round { steps: FEW_STEPS, breadth: guarded, backward: true, refine: none },
        Round { steps, breadth: Breadth { most: 400, ..guarded }, backward: true, refine: none },
        Round { steps: 2 * FEW_STEPS, breadth: inherit, backward: true, refine: refine(LATER) },
    ]
}

/// Enough for programs with few places.
const FEW_STEPS: u32 = 1500;
/// So long a refinement may take, as long as there are other guesses to try, and at last.
const SOON: Duration = Duration::from_millis(400);
const LATER: Duration = Duration::from_secs(10);
/// Inlining may make so many edges: what is larger takes longer to prepare than invariants take to be found, if they are.
const MOST_EDGES: usize = 30_000;
/// So many locks at computed addresses are told apart.
const FEW_LOCKS: usize = 3;

fn supports(task: &Task) -> Result<(), Reason> {
    supports_property(task)?;
    if task.memory_model() != MemoryModel::Sc {
        let words = "invariants are about sequential consistency only (--memory-model sc)";
        return Err(Reason::new(Code::Unsupported, words));
    }
    on_large_stack(|| is_small(task))?
}

fn is_small(task: &Task) -> Result<(), Reason> {
    let simplified = task.prepared(Form::Simplified)?;
    let options = InlineOptions { recursion_bound: 0, max_edges: MOST_EDGES, keep_recursive: false };
    inline(Program::clone(&simplified), &options)?;
    Ok(())
}

fn form() -> Form {
    Form::Blocks(Blocks { recursion_bound: 0, keep_globals: false, sliced: true, cells: false, lbe: Lbe::Seq })
}

/// The Program that steps are made of.
fn program_of(task: &Task, calls: bool) -> Result<(Program, Option<Given>), Reason> {
    let program = task.prepared(form())?;
    if calls && is_cut_off(&program) && !program.starts_threads() {
        let (program, given) = with_calls(task)?;
        return Ok((program, Some(given)));
    }
    Ok((large_blocks(simplify(promote(Program::clone(&program))), Lbe::Full), None))
}

fn run(task: &Task, rounds: &[Round], budget: &Budget, observer: &dyn Observer, calls: bool) -> Conclusion {
    let (program, calls) = match program_of(task, calls) {
        Ok(prepared) => prepared,
        Err(too_large) => return Conclusion::unknown(too_large),
    };
    let locations = program.procs.iter().map(|proc| proc.locations.len()).sum();
    let edges = program.procs.iter().map(|proc| proc.edges.len()).sum();
    observer.event(Event::Prepared { locations, edges });
    let mut stats = InvariantsStats::default();
    let outcome = on_large_stack(|| prove(task, &program, calls, rounds, budget, &mut stats));
    let outcome = match outcome.unwrap_or_else(Outcome::Unknown) {
        // Its own limit is not that of the whole run.
        Outcome::Unknown(Reason { code: Code::Timeout, .. }) if budget.whole_is_over().is_none() => {
            let stuck = || Reason::new(Code::Stuck, "no invariant was found in time (--invariants-time)");
            Outcome::Unknown(gap(&program).unwrap_or_else(stuck))
        }
        other => other,
    };
    Conclusion::new(outcome, &stats)
}

/// Is recursion cut off?
fn is_cut_off(program: &Program) -> bool {
    let mut locations = program.procs.iter().flat_map(|proc| &proc.locations);
    locations.any(|location| location.kind == LocKind::RecursionBound)
}

/// The Program with the calls of recursive procedures. What takes it for granted that nothing is called is left out: globals stay globals, and edges are not merged any further.
fn with_calls(task: &Task) -> Result<(Program, Given), Reason> {
    let simplified = task.prepared(Form::Simplified)?;
    let options = InlineOptions { keep_recursive: true, max_edges: MOST_EDGES, ..InlineOptions::default() };
    let program = inline(Program::clone(&simplified), &options)?;
    Ok(given(simplify(program)))
}

fn prove(
    task: &Task,
    program: &Program,
    calls: Option<Given>,
    rounds: &[Round],
    budget: &Budget,
    stats: &mut InvariantsStats,
) -> Outcome {
    let stop = || budget.stop().is_some();
    let begin = budget.now();
    let facts = match &calls {
        Some(_) => raddle_absint::Facts { pool: program.pool.clone(), at: Vec::new(), given_up: None },
        None => raddle_absint::analyse(program, &raddle_absint::Options::default(), &stop),
    };
    stats.interpret_seconds = budget.since(begin).as_secs_f64();
    let system = match calls {
        Some(given) => System::of_calls(program, facts.pool.clone(), given),
        None => System::new(program, facts.pool.clone(), &[]),
    };
    let mut system = match system {
        Ok(system) => system,
        Err(unsupported) => return Outcome::Unknown(Reason::unsupported(unsupported.what, unsupported.span)),
    };
    let at_entry = |proc: &ProcId| {
        let procedure = program.proc(*proc);
        procedure.locations[procedure.entry.index()].kind.is_cut_off()
    };
    if system.processes().iter().any(at_entry) {
        let bound = || Reason::new(Code::BoundReached, "recursion goes deeper than it is followed");
        return Outcome::Unknown(gap(program).unwrap_or_else(bound));
    }
    let mut terms = terms::terms(&mut system);
    let mut initial = system.initially();
    let mut samples = Samples::default();
    if system.follows_any_lock() {
        sample::sample(&system, &initial, &terms, FEW_STEPS, false, &stop, &mut samples);
        let addresses: Vec<u64> = samples.addresses.iter().copied().collect();
        // Few locks are told apart; of many, one stands for all, and executions that come upon it are rarer.
        if (1..=FEW_LOCKS).contains(&addresses.len()) {
            system = match System::new(program, facts.pool.clone(), &addresses) {
                Ok(system) => system,
                Err(unsupported) => return Outcome::Unknown(Reason::unsupported(unsupported.what, unsupported.span)),
            };
            terms = terms::terms(&mut system);
            initial = system.initially();
        } else {
            sample::sample(&system, &initial, &terms, 10 * FEW_STEPS, false, &stop, &mut samples);
        }
        let addresses = std::mem::take(&mut samples.addresses);
        samples = Samples { addresses, ..Samples::default() };
    }
    let factor = if system.follows_any_lock() { 10 } else { 1 };
    (stats.steps, stats.places) = (system.steps.len(), system.places.len());
    // Where one lock stands for all, little is shown without guards; and to go backwards takes more time than there is, since most steps have several ways.
    let any = system.follows_any_lock();
    let is_tried = |round: &&Round| !any || round.breadth.guards || round.breadth.most == 0;
    let most_steps = rounds.iter().map(|round| round.steps).max().unwrap_or(0);
    let mut learned: Vec<(Scope, ExprId)> = Vec::new();
    for &Round { steps, breadth, backward, refine } in rounds.iter().filter(is_tried) {
        let begin = budget.now();
        sample::sample(&system, &initial, &terms, factor * steps, breadth.inherit, &stop, &mut samples);
        stats.sample_seconds += budget.since(begin).as_secs_f64();
        if samples.violated {
            return Outcome::Unknown(Reason::new(Code::Stuck, "an execution seems to violate the property"));
        }
        let begin = budget.now();
        let mut guesses = guess::guess(&mut system, &terms, &samples, &facts, breadth);
        if backward && !any && system.calls.is_none() {
            backward::strengthen(&mut system, &samples, &mut guesses, &stop);
        }
        learned.iter().for_each(|&(scope, cond)| guesses.add(scope, cond));
        stats.guesses = guesses.len();
        let guards = guess::guards(&mut system, &terms, &samples, breadth);
        let all = if !refine.is_zero() { guesses.clone() } else { Invariant::default() };
        let (mut invariant, mut left) = largest(&mut system, guesses, guards, budget, stats);
        stats.search_seconds += budget.since(begin).as_secs_f64();
        if !refine.is_zero() && !left.is_empty() && !any && system.calls.is_none() {
            // What was not seen is taken for impossible: it is worth to see much.
            let begin = budget.now();
            sample::sample(&system, &initial, &terms, most_steps, false, &stop, &mut samples);
            stats.sample_seconds += budget.since(begin).as_secs_f64();
            let begin = budget.now();
            let share = budget.share(refine);
            let refined = refine::refine(&mut system, &terms, &samples, &all, &invariant, &left, &share);
            stats.questions += refined.questions;
            stats.refined += refined.conds.len();
            if !refined.conds.is_empty() {
                refined.conds.iter().for_each(|&(scope, cond)| invariant.add(scope, cond));
                (invariant, left) = largest(&mut system, invariant, Guards::default(), budget, stats);
                learned.extend(refined.conds.into_iter().filter(|(scope, cond)| invariant.of(*scope).contains(cond)));
            }
            stats.refine_seconds += budget.since(begin).as_secs_f64();
        }
        if let Some(stop) = budget.stop() {
            return Outcome::Unknown(stop.into());
        }
        if !left.is_empty() {
            continue;
        }
        let begin = budget.now();
        let checked = certify::check(&mut system, &invariant, &Interrupt::of(budget));
        stats.check_seconds = budget.since(begin).as_secs_f64();
        return match checked {
            Ok(questions) => {
                stats.check_questions = questions;
                let argument = Argument::Invariant { conjuncts: invariant.len() as u64 };
                let invariants = told::invariants(task.program(), &system, &invariant);
                task.admit(Outcome::Safe(Proof { argument, invariants }))
            }
            Err(why) => Outcome::Unknown(match budget.stop() {
                Some(stop) => stop.into(),
                None => Reason::new(Code::Unconfirmed, format!("the proof does not hold: {why}")),
            }),
        };
    }
    Outcome::Unknown(
        gap(program).unwrap_or_else(|| Reason::new(Code::Stuck, "no invariant was found that excludes a violation")),
    )
}

/// The largest inductive part of guesses, and the steps that violate the property and are not excluded by it.
fn largest(
    system: &mut System,
    guesses: Invariant,
    guards: Guards,
    budget: &Budget,
    stats: &mut InvariantsStats,
) -> (Invariant, Vec<usize>) {
    let mut houdini = Houdini::new(system, guesses, guards, budget);
    let left = if houdini.run() { houdini.violations() } else { Vec::new() };
    stats.questions += houdini.questions;
    stats.kept = houdini.invariant.len();
    (houdini.invariant, left)
}

/// Something in the Program that has no model.
fn gap(program: &Program) -> Option<Reason> {
    let mut locations = program.procs.iter().flat_map(|proc| &proc.locations);
    locations.find_map(|location| match location.kind {
        LocKind::Gap(gap) => Some(Reason::gap(program, gap)),
        _ => None,
    })
}
