//! The CEGAR loop (thesis 1, section 2.3.3): abstract, check the counterexample, refine, again.

use crate::certify;
use crate::clock::cpu_time;
use crate::config::{CegarConfig, Domain, Granularity, Prune};
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
use crate::{CegarStats, Outcome};
use raddle_interp::{ReplayEnd, StopReason, replay};
use raddle_ir::{LocKind, Procedure, Program};
use raddle_smt::Interrupt;
use std::time::Duration;

pub fn search(
    program: &Program,
    config: &CegarConfig,
    interrupt: &Interrupt,
    stop: &dyn Fn() -> Option<StopReason>,
) -> (Outcome, CegarStats) {
    let mut stats = CegarStats::default();
    let mut model = match Model::new(program) {
        Ok(model) => model,
        Err(unsupported) => return (Outcome::Unsupported(unsupported.what, unsupported.span), stats),
    };
    model.solvers = Solvers::new(interrupt.clone(), config.query_time);
    let mut precision = Precision::default();
    let mut abstractor = Abstractor::new(config, &mut model, &mut precision);
    abstractor.queries = Queries::new(model.solvers.clone());
    abstractor.restart(&mut model, &mut precision);
    let begin = cpu_time();
    let mut outcome = run(program, config, &mut model, &mut precision, &mut abstractor, &mut stats, stop);
    stats.refine_time = cpu_time().saturating_sub(begin + stats.build_time);
    // Here each object has an address of its own.
    if outcome == Outcome::Safe
        && let Some(span) = raddle_analysis::sees_reuse(program)
    {
        outcome = Outcome::Unsupported("a comparison with an address that may have been given out again".into(), span);
    }
    if outcome == Outcome::Safe {
        let begin = cpu_time();
        let (arg, states) = (&abstractor.arg, &abstractor.states);
        match certify::check(&mut model, &precision, arg, states, stop) {
            Ok(questions) => stats.check_questions = questions,
            Err(why) => {
                outcome = match stop() {
                    Some(reason) => stopped(reason),
                    None => Outcome::Unknown("unconfirmed", format!("the proof does not hold: {why}")),
                };
            }
        }
        stats.check_time = cpu_time().saturating_sub(begin);
    }
    if config.want_graph {
        stats.graph = Some(dot::dot(&model, &precision, &abstractor.arg, &abstractor.states));
    }
    stats.nodes = abstractor.arg.live().count() as u64;
    // Of every 64th node it is known what took how long.
    let sampled = abstractor.stats.sampled_successors + abstractor.stats.sampled_covering;
    let share = |part: Duration| part.as_secs_f64() / sampled.as_secs_f64().max(f64::MIN_POSITIVE);
    stats.successor_time = stats.build_time.mul_f64(share(abstractor.stats.sampled_successors));
    stats.covering_time = stats.build_time.mul_f64(share(abstractor.stats.sampled_covering));
    stats.explored_actions = abstractor.stats.explored_actions;
    stats.covered = abstractor.stats.covered;
    stats.statements = abstractor.stats.statements;
    stats.havocs = abstractor.stats.havocs;
    stats.removed = abstractor.stats.removed;
    stats.solver_calls = abstractor.queries.calls;
    stats.cached_calls = abstractor.queries.cached;
    stats.predicates = precision.predicates().len() as u64;
    stats.variables = precision.explicit_vars().count() as u64;
    (outcome, stats)
}

/// Until a verdict; a proof is not checked yet.
pub fn run(
    program: &Program,
    config: &CegarConfig,
    model: &mut Model,
    precision: &mut Precision,
    abstractor: &mut Abstractor,
    stats: &mut CegarStats,
    stop: &dyn Fn() -> Option<StopReason>,
) -> Outcome {
    // A process may begin where its recursion was cut off, if all before that was computed in advance.
    let cut_off = |proc: &Procedure| proc.locations[proc.entry.index()].kind == LocKind::RecursionBound;
    // Counterexamples that no refinement removes, and whether a bound can be reached.
    let (mut stuck, mut bounds): (Vec<NodeId>, bool) = (Vec::new(), program.procs.iter().any(cut_off));
    let mut unconfirmed: Option<String> = None;
    let mut seen = refine::Seen::default();
    loop {
        stats.iterations += 1;
        let begin = cpu_time();
        let built = abstractor.build(model, precision, stop);
        stats.build_time += cpu_time().saturating_sub(begin);
        let target = match built {
            // A predicate may say something about a variable through another one that nothing observes.
            Built::Complete if !stuck.is_empty() && abstractor.give_up_dcoi() => {
                abstractor.restart(model, precision);
                stuck.clear();
                continue;
            }
            Built::Complete if !stuck.is_empty() => {
                let reason = "the same counterexamples come back whatever is tracked";
                return Outcome::Unknown("stuck", reason.into());
            }
            Built::Complete if bounds => {
                let reason = "no violation found, but a recursion goes deeper than it was followed";
                return Outcome::Unknown("bound-reached", reason.into());
            }
            Built::Complete if let Some(why) = unconfirmed => return Outcome::Unknown("unconfirmed", why),
            Built::Complete => return Outcome::Safe,
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
            Built::Unsupported(unsupported) => return Outcome::Unsupported(unsupported.what, unsupported.span),
        };
        let (nodes, actions) = abstractor.arg.path(target);
        let mut path = Path::new(model, &actions);
        let core = match feasibility(model, &mut path) {
            Feasibility::Feasible(mut solver) => {
                if model.action(actions[actions.len() - 1]).goal == Goal::Bound {
                    bounds = true;
                    continue;
                }
                let schedule = schedule(model, &path, &actions, &mut solver);
                let result = replay(program, &schedule);
                match result.end {
                    ReplayEnd::ErrorReached => return Outcome::Unsafe(result.trace, schedule),
                    // The path uses what the model does not know (freed memory, say). There may be others.
                    _ => unconfirmed = Some(format!("a counterexample could not be replayed: {}", result.trace.end)),
                }
                continue;
            }
            Feasibility::Infeasible(core) => core,
            Feasibility::Unknown(why) => return stop().map_or(Outcome::Unknown("solver", why), stopped),
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
                Err((code, why)) => return stop().map_or(Outcome::Unknown(code, why), stopped),
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

fn stopped(reason: StopReason) -> Outcome {
    match reason {
        StopReason::Timeout => Outcome::Unknown("timeout", "out of time".into()),
        StopReason::OutOfMemory => Outcome::Unknown("out-of-memory", "out of memory".into()),
        StopReason::Cancelled => Outcome::Unknown("cancelled", "cancelled".into()),
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
