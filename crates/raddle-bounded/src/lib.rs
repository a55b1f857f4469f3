//! Sequential programs, by unrolling: `bmc` looks for errors, `kind` proves by k-induction, `imc` by interpolation.
//!
//! The way of the data: the System of raddle-invariants makes steps of a prepared Program; `summaries` makes large blocks of them, between cut points; `frames` unrolls these; `facts` are
//! what abstract interpretation knows. `kind` and `imc` look for a proof, and `certify` checks it once more, from the steps.
//!
//! Errors that are reached on the way are not reported from here: `bmc` shows them.

mod bmc;
mod certify;
mod conditions;
mod config;
mod facts;
mod frames;
mod imc;
mod kind;
mod pdr;
mod strengthen;
mod suggested;
mod summaries;
mod told;

pub use bmc::Bmc;
pub use config::{BmcConfig, BoundedStats, ImcConfig, ImcForm, KindConfig};

use facts::AtCuts;
use raddle_engine::{
    Argument, Blocks, Budget, Code, Conclusion, Engine, Event, Facts, Form, Invariants, Observer, Outcome, Proof,
    Reason, Task, on_large_stack, supports_property,
};
use raddle_invariants::system::System;
use raddle_ir::{LocKind, Program};
use raddle_passes::{Lbe, large_blocks, promote, simplify};
use raddle_smt::{Interrupt, NativeSolver, Solver, SolverError};
use strengthen::Strengthening;
use suggested::Suggested;
use summaries::Summaries;

/// k-induction.
pub struct Kind(pub KindConfig);

/// Interpolation-based model checking.
pub struct Imc(pub ImcConfig);

impl Engine for Kind {
    fn name(&self) -> &'static str {
        "kind"
    }

    fn summary(&self) -> &'static str {
        "k-induction, for sequential programs"
    }

    fn supports(&self, task: &Task) -> Result<(), Reason> {
        supports(task)
    }

    fn form(&self) -> Form {
        form()
    }

    fn run(&self, task: &Task, _: &Facts, budget: &Budget, observer: &dyn Observer) -> Conclusion {
        run(task, (self.0.facts, self.0.cells), budget, observer, &|search, stats, interrupt| {
            let begin = budget.now();
            let mut solver = NativeSolver::stopped_by(interrupt.clone());
            let Search { system, of, facts, known } = search;
            let mut report = |k| {
                stats.k = k;
                observer.event(unrolled(k, of));
            };
            let stop = || budget.stop().is_some();
            let strengthening = self.0.strengthen.then(|| Strengthening::new(of, Suggested::new(known, &stop)));
            let found = kind::prove(system, of, facts, &mut solver, &self.0, strengthening, &mut report);
            stats.questions += solver.statistics().checks;
            stats.search_seconds = budget.since(begin).as_secs_f64();
            let induction = found?;
            let begin = budget.now();
            let checked = certify::induction(system, of, facts, &induction, interrupt);
            stats.check_seconds = budget.since(begin).as_secs_f64();
            stats.check_questions = checked.map_err(Missing::Check)?;
            let argument = Argument::Induction { k: induction.k as u64, is_complete: induction.is_complete };
            stats.kept = induction.kept.iter().map(Vec::len).sum();
            // That no error follows is no invariant on its own, unless k is 0; and then the facts are why.
            let mut holds = facts.clone();
            holds.iter_mut().zip(induction.kept).for_each(|(all, kept)| all.extend(kept));
            Ok((argument, holds))
        })
    }
}

impl Engine for Imc {
    fn name(&self) -> &'static str {
        "imc"
    }

    fn summary(&self) -> &'static str {
        "Interpolation of unrollings, for sequential programs"
    }

    fn supports(&self, task: &Task) -> Result<(), Reason> {
        supports(task)
    }

    fn form(&self) -> Form {
        form()
    }

    fn run(&self, task: &Task, _: &Facts, budget: &Budget, observer: &dyn Observer) -> Conclusion {
        run(task, (self.0.facts, self.0.cells), budget, observer, &|search, stats, interrupt| {
            let begin = budget.now();
            let mut solver = NativeSolver::stopped_by(interrupt.clone());
            let Search { system, of, facts, known } = search;
            let stop = || budget.stop().is_some();
            let mut report = |k, interpolants| {
                (stats.k, stats.interpolants) = (k, interpolants);
                observer.event(unrolled(k, of));
            };
            let found = imc::prove(
                system,
                of,
                facts,
                &mut solver,
                &self.0,
                (&|| budget.now(), Suggested::new(known, &stop)),
                &mut report,
            );
            stats.questions += solver.statistics().checks;
            stats.search_seconds = budget.since(begin).as_secs_f64();
            let mut invariant = found?;
            let begin = budget.now();
            let checked = certify::invariant(system, of, &invariant, interrupt);
            stats.check_seconds = budget.since(begin).as_secs_f64();
            stats.check_questions = checked.map_err(Missing::Check)?;
            let conjuncts = invariant.iter().map(Vec::len).sum::<usize>() as u64;
            // It holds after at least one block: of the beginning itself nothing was shown.
            if let Some(first) = invariant.first_mut() {
                first.clear();
            }
            Ok((Argument::Interpolation { conjuncts }, invariant))
        })
    }
}

/// Why there is no proof.
#[derive(Debug)]
pub enum Missing {
    /// An error is met after so many blocks.
    Error(usize),
    /// Something is met of which nobody knows what follows.
    Open,
    /// The solver gave no answer.
    Answer,
    /// It depends on what arrays hold, which interpolants do not say.
    Arrays,
    /// k is as large as it may be.
    Depth,
    Solver(SolverError),
    /// The proof does not hold.
    Check(String),
}

impl From<SolverError> for Missing {
    fn from(error: SolverError) -> Missing {
        Missing::Solver(error)
    }
}

/// What a proof is looked for of.
struct Search<'a, 'p> {
    system: &'a mut System<'p>,
    of: &'a Summaries,
    facts: &'a AtCuts,
    /// What abstract interpretation said.
    known: &'a raddle_absint::Facts,
}

/// A proof, and what holds at the cut points.
type Proved = Result<(Argument, AtCuts), Missing>;
type Prove<'a> = dyn Fn(Search, &mut BoundedStats, &Interrupt) -> Proved + Sync + 'a;

fn supports(task: &Task) -> Result<(), Reason> {
    supports_property(task)?;
    match task.program().starts_threads() {
        false => Ok(()),
        true => Err(Reason::new(
            Code::Unsupported,
            "a program that starts threads: bmc, kind and imc are for sequential ones",
        )),
    }
}

/// Abstract interpretation may execute so many labels.
const FEW_STEPS: u64 = 400_000;

const BLOCKS: Blocks = Blocks { recursion_bound: 0, keep_globals: false, sliced: true, cells: false, lbe: Lbe::Seq };

fn form() -> Form {
    Form::Blocks(BLOCKS)
}

fn run(
    task: &Task,
    (with_facts, with_cells): (bool, bool),
    budget: &Budget,
    observer: &dyn Observer,
    prove: &Prove,
) -> Conclusion {
    // An error of the reduced form may be none: then the other one is asked.
    let cells = Form::Blocks(Blocks { cells: true, ..BLOCKS });
    let reduced = if with_cells { task.prepared(cells).ok() } else { None };
    let mut conclusion = None;
    for is_reduced in [true, false] {
        let program = match (is_reduced, &reduced) {
            (true, None) => continue,
            (true, Some(program)) => program.clone(),
            (false, _) => match task.prepared(form()) {
                Ok(program) => program,
                Err(too_large) => return Conclusion::unknown(too_large.into()),
            },
        };
        let program = large_blocks(simplify(promote(Program::clone(&program))), Lbe::Full);
        let locations = program.procs.iter().map(|proc| proc.locations.len()).sum();
        let edges = program.procs.iter().map(|proc| proc.edges.len()).sum();
        observer.event(Event::Prepared { locations, edges });
        let mut stats = BoundedStats::default();
        let form = Searched { program: &program, has_cells: is_reduced };
        let outcome = on_large_stack(|| search(task, form, with_facts, budget, &mut stats, prove));
        let outcome = outcome.unwrap_or_else(Outcome::Unknown);
        let is_done = matches!(outcome, Outcome::Safe(_)) || budget.stop().is_some();
        conclusion = Some(Conclusion::new(outcome, &stats));
        if is_done {
            break;
        }
    }
    conclusion.unwrap_or_else(|| Conclusion::unknown(Reason::new(Code::Stuck, "there is no form of the program")))
}

/// A form of the Program.
struct Searched<'p> {
    program: &'p Program,
    /// It speaks of distinguished cells, which the Program as lowered does not have.
    has_cells: bool,
}

fn search(
    task: &Task,
    Searched { program, has_cells }: Searched,
    with_facts: bool,
    budget: &Budget,
    stats: &mut BoundedStats,
    prove: &Prove,
) -> Outcome {
    let stop = || budget.stop().is_some();
    let stopped = |otherwise: Reason| Outcome::Unknown(budget.stop().map_or(otherwise, Reason::from));
    let begin = budget.now();
    let known = known(program, &stop);
    let mut system = match System::sequential(program, known.pool.clone()) {
        Ok(system) => system,
        Err(unsupported) => return Outcome::Unknown(Reason::unsupported(unsupported.what, unsupported.span)),
    };
    let entry = system.entry(program.entry);
    if program.proc(entry.proc).locations[entry.loc.index()].kind.is_cut_off() {
        return Outcome::Unknown(open(program));
    }
    let unanswered = || Reason::new(Code::Solver, "the solver gave no answer");
    let Some(of) = summaries::summaries(&mut system, &stop) else { return stopped(unanswered()) };
    (stats.cut_points, stats.steps) = (of.cuts.len(), of.steps.len());
    stats.encode_seconds = budget.since(begin).as_secs_f64();
    let begin = budget.now();
    let interrupt = Interrupt::of(budget);
    let mut facts = vec![Vec::new(); of.cuts.len()];
    if with_facts {
        let candidates = facts::candidates(&mut system, &of, &known);
        let mut solver = NativeSolver::stopped_by(interrupt.clone());
        match facts::inductive(&mut system, &of, candidates, &mut solver) {
            Ok(Some(inductive)) => facts = inductive,
            Ok(None) => {}
            Err(error) => return stopped(Reason::new(Code::Solver, error.to_string())),
        }
        stats.questions += solver.statistics().checks;
    }
    stats.facts = facts.iter().map(Vec::len).sum();
    stats.facts_seconds = budget.since(begin).as_secs_f64();
    let found = prove(Search { system: &mut system, of: &of, facts: &facts, known: &known }, stats, &interrupt);
    match found {
        Ok((argument, invariants)) => {
            let invariants = match has_cells {
                true => Invariants::default(),
                false => told::invariants(task.program(), &system, &of, &invariants),
            };
            task.admit(Outcome::Safe(Proof { argument, invariants }))
        }
        Err(Missing::Error(k)) => {
            let words = format!("an error is reached within {} blocks: bmc shows it", k + 1);
            stopped(Reason::new(Code::Stuck, words))
        }
        Err(Missing::Open) => stopped(open(program)),
        Err(Missing::Answer) => stopped(unanswered()),
        Err(Missing::Arrays) => Outcome::Unknown(Reason::new(
            Code::Stuck,
            "it depends on what arrays hold, of which there are no interpolants",
        )),
        Err(Missing::Depth) => {
            Outcome::Unknown(Reason::new(Code::Stuck, "no proof was found within the depth that was asked for"))
        }
        Err(Missing::Solver(error)) => stopped(Reason::new(Code::Solver, error.to_string())),
        Err(Missing::Check(why)) => stopped(Reason::new(Code::Unconfirmed, format!("the proof does not hold: {why}"))),
    }
}

fn unrolled(k: usize, of: &Summaries) -> Event {
    Event::Unrolled { bound: k as u32, events: 0, locations: of.live.len() }
}

/// What abstract interpretation says. Proofs need little of it, so that it may not take long.
fn known(program: &Program, stop: &dyn Fn() -> bool) -> raddle_absint::Facts {
    let options = raddle_absint::Options { most_steps: FEW_STEPS, relational: true };
    let facts = raddle_absint::analyse(program, &options, stop);
    match facts.given_up {
        Some(_) => raddle_absint::analyse(program, &raddle_absint::Options { relational: false, ..options }, stop),
        None => facts,
    }
}

/// Something in the Program that has no model, or goes deeper than it is followed.
fn open(program: &Program) -> Reason {
    let mut locations = program.procs.iter().flat_map(|proc| &proc.locations);
    let gap = locations.find_map(|location| match location.kind {
        LocKind::Gap(gap) => Some(Reason::gap(program, gap)),
        _ => None,
    });
    gap.unwrap_or_else(|| Reason::new(Code::BoundReached, "recursion goes deeper than it is followed"))
}
