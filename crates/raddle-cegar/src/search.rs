//! The CEGAR loop (thesis 1, section 2.3.3): abstract, check the counterexample, refine, again.

use crate::CegarStats;
use crate::certify;
use crate::config::{Arrays, CegarConfig, Domain, Granularity, Prune};
use crate::domains::precision::{Place, Precision};
use crate::domains::queries::Queries;
use crate::graph::abstractor::{Abstractor, Built};
use crate::graph::arg::NodeId;
use crate::graph::dot;
use crate::model::{ActionId, Goal, Model};
use crate::refine::path::{Feasibility, Path, feasibility};
use crate::refine::{self, Refinement};
use crate::schedule::schedule;
use crate::solvers::Solvers;
use crate::unreduced;
use raddle_engine::{
    Argument, Budget, Code, Event, Invariants, Observer, Outcome, Proof, Reason, Schedule, Stop, Task,
};
use raddle_ir::{LocKind, Procedure, Program};
use raddle_smt::Interrupt;
use std::time::Duration;

pub fn search(
    task: &Task,
    program: &Program,
    config: &CegarConfig,
    budget: &Budget,
    observer: &dyn Observer,
) -> (Outcome, CegarStats, Option<String>) {
    let mut stats = CegarStats::default();
    let mut model = match Model::new(program) {
        Ok(model) => model,
        Err(unsupported) => {
            return (Outcome::Unknown(Reason::unsupported(unsupported.what, unsupported.span)), stats, None);
        }
    };
    model.solvers = Solvers::new(Interrupt::of(budget), config.query_time);
    let mut precision = Precision::default();
    let mut abstractor = Abstractor::new(config, &mut model, &mut precision);
    abstractor.queries = Queries::new(model.solvers.clone());
    abstractor.restart(&mut model, &mut precision);
    let begin = budget.now();
    let started = begin;
    let mut done = Loop { task, program, config, budget, observer, build_time: Duration::ZERO, iterations: 0 };
    let result = done.run(&mut model, &mut precision, &mut abstractor);
    let (build_time, iterations) = (done.build_time, done.iterations);
    stats.refine_seconds = budget.since(begin + build_time).as_secs_f64();
    let outcome = match result {
        Ended::Unsafe(schedule) => Outcome::Unsafe(schedule),
        Ended::Unknown(reason) => Outcome::Unknown(reason),
        Ended::Complete => {
            let begin = budget.now();
            let result = proved(&mut model, &precision, &abstractor, budget);
            stats.check_seconds = budget.since(begin).as_secs_f64();
            match result {
                Ok(questions) => {
                    stats.check_questions = questions;
                    let states = abstractor.arg.live().count() as u64;
                    let argument = Argument::Abstraction { states, refinements: iterations - 1 };
                    let took = budget.since(started);
                    let invariants = match config.arrays {
                        Arrays::Exact => unreduced::invariants(&done, &mut model, &mut precision, &abstractor, took),
                        // They speak of cells, which the Program as lowered does not have.
                        Arrays::Cells => Invariants::default(),
                    };
                    task.admit(Outcome::Safe(Proof { argument, invariants }))
                }
                Err(reason) => Outcome::Unknown(reason),
            }
        }
    };
    let graph = config.graph.is_some().then(|| dot::dot(&model, &precision, &abstractor.arg, &abstractor.states));
    stats.iterations = iterations;
    stats.nodes = abstractor.arg.live().count() as u64;
    // Of every 64th node it is known what took how long.
    let sampled = abstractor.stats.sampled_successors + abstractor.stats.sampled_covering;
    let share = |part: Duration| part.as_secs_f64() / sampled.as_secs_f64().max(f64::MIN_POSITIVE);
    stats.build_seconds = build_time.as_secs_f64();
    stats.successor_seconds = stats.build_seconds * share(abstractor.stats.sampled_successors);
    stats.covering_seconds = stats.build_seconds * share(abstractor.stats.sampled_covering);
    stats.explored_actions = abstractor.stats.explored_actions;
    stats.covered = abstractor.stats.covered;
    stats.statements = abstractor.stats.statements;
    stats.statements_havocked = abstractor.stats.havocs;
    stats.statements_removed = abstractor.stats.removed;
    let share = |part: u64| part as f64 / stats.statements.max(1) as f64;
    stats.share_havocked = share(stats.statements_havocked);
    stats.share_removed = share(stats.statements_removed);
    stats.share_simplified = share(stats.statements_havocked + stats.statements_removed);
    stats.solver_calls = abstractor.queries.calls;
    stats.cached_calls = abstractor.queries.cached;
    stats.predicates = precision.predicates().len() as u64;
    stats.variables = precision.explicit_vars().count() as u64;
    (outcome, stats, graph)
}

/// Is a complete graph a proof? It is checked once more; the number of questions that this took.
fn proved(model: &mut Model, precision: &Precision, abstractor: &Abstractor, budget: &Budget) -> Result<u64, Reason> {
    let (arg, states) = (&abstractor.arg, &abstractor.states);
    certify::check(model, precision, arg, states, &|| budget.stop()).map_err(|why| match budget.stop() {
        Some(stop) => stop.into(),
        None => Reason::new(Code::Unconfirmed, format!("the proof does not hold: {why}")),
    })
}

/// How the loop ends.
#[derive(Debug)]
pub enum Ended {
    /// The graph is complete and has no error.
    Complete,
    Unsafe(Schedule),
    Unknown(Reason),
}

/// What the loop needs all the time.
pub struct Loop<'a> {
    pub task: &'a Task,
    /// The form of the task that is abstracted.
    pub program: &'a Program,
    pub config: &'a CegarConfig,
    pub budget: &'a Budget,
    pub observer: &'a dyn Observer,
    /// CPU time for building graphs.
    pub build_time: Duration,
    pub iterations: u64,
}

impl Loop<'_> {
    /// Until a verdict; a proof is not checked yet.
    pub fn run(&mut self, model: &mut Model, precision: &mut Precision, abstractor: &mut Abstractor) -> Ended {
        let (task, program, config, budget) = (self.task, self.program, self.config, self.budget);
        let stop = &|| budget.stop();
        let stopped = |stop: Stop| Ended::Unknown(stop.into());
        let unknown = |code, words: &str| Ended::Unknown(Reason::new(code, words));
        // A process may begin where its recursion was cut off, if all before that was computed in advance.
        let at_entry = |proc: &Procedure| {
            let entry = &proc.locations[proc.entry.index()];
            cut_off(program, entry.kind)
        };
        let mut cut: Option<Reason> = program.procs.iter().filter_map(at_entry).reduce(weightier);
        // Counterexamples that no refinement removes.
        let mut stuck: Vec<NodeId> = Vec::new();
        let mut unconfirmed: Option<Reason> = None;
        let mut seen = refine::Seen::default();
        loop {
            self.iterations += 1;
            let begin = self.budget.now();
            let built = abstractor.build(model, precision, &|nodes| {
                self.observer.event(Event::Built { nodes: nodes as usize });
                budget.stop()
            });
            self.build_time += self.budget.since(begin);
            self.observer.event(Event::Refined {
                iteration: self.iterations,
                variables: precision.explicit_vars().count(),
                predicates: precision.predicates().len(),
            });
            let target = match built {
                // A predicate may say something about a variable through another one that nothing observes.
                Built::Complete if !stuck.is_empty() && abstractor.give_up_dcoi() => {
                    abstractor.restart(model, precision);
                    stuck.clear();
                    continue;
                }
                Built::Complete if !stuck.is_empty() => {
                    let reason = "the same counterexamples come back whatever is tracked";
                    return unknown(Code::Stuck, reason);
                }
                Built::Complete if let Some(reason) = cut => return Ended::Unknown(reason),
                Built::Complete if let Some(reason) = unconfirmed => return Ended::Unknown(reason),
                Built::Complete => return Ended::Complete,
                Built::Target(target) => target,
                Built::Sprawling(vars) => {
                    for var in vars {
                        precision.remove_var(var);
                        seen.sprawling.insert(var);
                    }
                    abstractor.restart(model, precision);
                    stuck.clear();
                    continue;
                }
                Built::Stopped(reason) => return stopped(reason),
                Built::Unsupported(unsupported) => {
                    return Ended::Unknown(Reason::unsupported(unsupported.what, unsupported.span));
                }
            };
            let (nodes, actions) = abstractor.arg.path(target);
            let mut path = Path::new(model, &actions);
            let core = match feasibility(model, &mut path) {
                Feasibility::Feasible(mut solver) => {
                    if let Goal::CutOff(kind) = model.action(actions[actions.len() - 1]).goal {
                        cut = cut.into_iter().chain(cut_off(program, kind)).reduce(weightier);
                        continue;
                    }
                    if config.arrays == Arrays::Cells {
                        let words = "distinguished cells do not tell: the counterexample may rest on an element that they leave open";
                        return unknown(Code::Stuck, words);
                    }
                    let schedule = schedule(model, &path, &actions, &mut solver);
                    match task.confirm(program, schedule, budget) {
                        Ok(schedule) => return Ended::Unsafe(schedule),
                        // The path uses what the model does not know (freed memory, say). There may be others.
                        Err(reason) => unconfirmed = Some(reason),
                    }
                    continue;
                }
                Feasibility::Infeasible(core) => core,
                Feasibility::Unknown(why) => return stop().map_or(unknown(Code::Solver, &why), stopped),
            };
            if let Some(reason) = stop() {
                return stopped(reason);
            }
            let mentioned = precision.mentioned().clone();
            let places = places(model, config, &actions);
            let version_of = |i: u32| abstractor.arg.node(nodes[i as usize]).version;
            let mut changed = None;
            for attempt in 0..refine::ATTEMPTS {
                let refinement = match refine::refine(model, config, &mut seen, &path, &actions, &core, attempt) {
                    Ok(refinement) => refinement,
                    Err(reason) => return stop().map_or(Ended::Unknown(reason), stopped),
                };
                changed = adjust(model, precision, &refinement, &places, &version_of);
                if changed.is_some() {
                    let threads = abstractor.states.threads.shared(abstractor.arg.node(target).threads);
                    for (_, predicate) in refinement.predicates {
                        for copy in refine::copies(model, predicate, &threads) {
                            precision.add_predicate(&mut model.pool, copy, None);
                        }
                    }
                    break;
                }
            }
            if changed.is_none() && config.domain != Domain::Expl {
                let whole = Refinement { predicates: path.whole_memory(model), ..Refinement::default() };
                changed = adjust(model, precision, &whole, &places, &version_of);
            }
            // A refinement that was interrupted asked for less than it could: the counterexample is not stuck.
            if let Some(reason) = stop() {
                return stopped(reason);
            }
            match changed {
                Some(first) => {
                    // What was given up with less knowledge is worth another look.
                    if config.prune == Prune::Full || first == 0 {
                        abstractor.restart(model, precision);
                    } else {
                        abstractor.prune(nodes[first as usize - 1]);
                        abstractor.mentioned(model, precision.mentioned().difference(&mentioned));
                        for node in stuck.drain(..) {
                            abstractor.revisit(node);
                        }
                    }
                    stuck.clear();
                }
                None if config.monitor => stuck.push(target),
                // Without the monitor, the same path is found again, and again.
                None => abstractor.restart(model, precision),
            }
        }
    }
}

/// Where the nodes of a path track what is asked for there: everywhere, or where the thread is that steps next.
fn places(model: &Model, config: &CegarConfig, actions: &[ActionId]) -> Vec<Option<Place>> {
    let source = |action: &ActionId| {
        let action = model.action(*action);
        let edge = &model.program.proc(action.proc).edges[action.edge.index()];
        (config.granularity == Granularity::Local).then_some((action.proc, edge.source))
    };
    actions.iter().map(source).collect()
}

/// Adds what a refinement asks for. Returns the first node of the path that would know more now; `None`: no node would.
fn adjust(
    model: &mut Model,
    precision: &mut Precision,
    refinement: &Refinement,
    places: &[Option<Place>],
    version_of: &dyn Fn(u32) -> u32,
) -> Option<u32> {
    let mut first: Option<u32> = None;
    let mut asked = |position: u32, since: u32| {
        if version_of(position) < since {
            first = Some(first.map_or(position, |f| f.min(position)));
        }
    };
    for &(position, var) in &refinement.vars {
        // Every state knows its locks, and keeps them elsewhere.
        if model.vars.is_lock(var) {
            continue;
        }
        // An initial value is known at the root. From there or from where it is written on, the rest of the path may need it.
        let from = if model.initial_value(var).is_some() { 0 } else { position + 1 };
        for (position, place) in (0..).zip(places).skip(from as usize) {
            asked(position, precision.add_var(var, *place));
        }
    }
    for &(position, predicate) in &refinement.predicates {
        let place = places.get(position as usize).copied().flatten();
        if let Some(since) = precision.add_predicate(&mut model.pool, predicate, place) {
            asked(position, since);
        }
    }
    first
}

/// Why nobody can tell what follows a location.
fn cut_off(program: &Program, kind: LocKind) -> Option<Reason> {
    match kind {
        LocKind::Normal => None,
        LocKind::RecursionBound => {
            let words = "no violation found, but a recursion goes deeper than it was followed";
            Some(Reason::new(Code::BoundReached, words))
        }
        LocKind::Gap(gap) => Some(Reason::gap(program, gap)),
    }
}

/// Of two reasons, one that no deeper look removes.
fn weightier(a: Reason, b: Reason) -> Reason {
    if a.code == Code::BoundReached { b } else { a }
}
