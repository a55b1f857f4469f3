//! The CEGAR loop (thesis 1, section 2.3.3): abstract, check the counterexample, refine, again.

use crate::abstractor::{Abstractor, Built};
use crate::arg::{NodeId, Status};
use crate::config::{CegarConfig, Domain, InitialPrecision, Prune, Refiner};
use crate::model::{Goal, Model};
use crate::path::{Feasibility, Path, feasibility};
use crate::precision::Precision;
use crate::refine::{self, Refinement};
use crate::schedule::schedule;
use crate::{CegarStats, Outcome};
use raddle_interp::{ReplayEnd, StopReason, replay};
use raddle_ir::{Program, VarId};
use std::collections::BTreeSet;

pub fn search(program: &Program, config: &CegarConfig, stop: &dyn Fn() -> Option<StopReason>) -> (Outcome, CegarStats) {
    let mut stats = CegarStats::default();
    let mut model = match Model::new(program) {
        Ok(model) => model,
        Err(unsupported) => return (Outcome::Unsupported(unsupported.what, unsupported.span), stats),
    };
    let mut precision = Precision::default();
    initial_precision(&mut model, config, &mut precision);
    let mut abstractor = Abstractor::new(config, &mut model);
    abstractor.restart(&mut model, &precision);
    let outcome = run(program, config, &mut model, &mut precision, &mut abstractor, &mut stats, stop);
    stats.nodes = abstractor.arg.live().count() as u64;
    stats.explored_actions = abstractor.stats.explored_actions;
    stats.statements = abstractor.stats.statements;
    stats.havocs = abstractor.stats.havocs;
    stats.removed = abstractor.stats.removed;
    stats.solver_calls = abstractor.queries.calls;
    stats.cached_calls = abstractor.queries.cached;
    stats.predicates = precision.predicates().len() as u64;
    stats.variables = precision.explicit_vars().count() as u64;
    (outcome, stats)
}

fn run(
    program: &Program,
    config: &CegarConfig,
    model: &mut Model,
    precision: &mut Precision,
    abstractor: &mut Abstractor,
    stats: &mut CegarStats,
    stop: &dyn Fn() -> Option<StopReason>,
) -> Outcome {
    // Counterexamples that no refinement removes, and bounds that can be reached.
    let (mut stuck, mut bounds): (Vec<NodeId>, bool) = (Vec::new(), false);
    loop {
        stats.iterations += 1;
        let target = match abstractor.build(model, precision, stop) {
            Built::Complete if !stuck.is_empty() => {
                let reason = "the same counterexamples come back whatever is tracked";
                return Outcome::Unknown("stuck", reason.into());
            }
            Built::Complete if bounds => {
                let reason = "no violation found, but a recursion goes deeper than it was followed";
                return Outcome::Unknown("bound-reached", reason.into());
            }
            Built::Complete => return Outcome::Safe,
            Built::Target(target) => target,
            Built::Stopped(reason) => return stopped(reason),
            Built::Unsupported(unsupported) => return Outcome::Unsupported(unsupported.what, unsupported.span),
        };
        let (nodes, actions) = abstractor.arg.path(target);
        let path = Path::new(model, &actions);
        let core = match feasibility(model, &path) {
            Feasibility::Feasible(mut solver) => {
                if model.action(actions[actions.len() - 1]).goal == Goal::Bound {
                    bounds = true;
                    continue;
                }
                let schedule = schedule(model, &path, &actions, &mut solver);
                let result = replay(program, &schedule);
                return match result.end {
                    ReplayEnd::ErrorReached => Outcome::Unsafe(result.trace, schedule),
                    other => Outcome::Unknown("unconfirmed", format!("replaying a counterexample: {other:?}")),
                };
            }
            Feasibility::Infeasible(core) => core,
            Feasibility::Unknown(why) => return Outcome::Unknown("solver", why),
        };
        if let Some(reason) = stop() {
            return stopped(reason);
        }
        let refinement = match (config.domain, config.refiner) {
            (Domain::Expl, _) | (_, Refiner::UnsatCore) => refine::unsat_core(model, &path, &core),
            _ => refine::newton_wp(model, &path, &actions, &core),
        };
        if std::env::var("RADDLE_DEBUG").is_ok() {
            eprintln!("--- iteration {}", stats.iterations);
            for (i, st) in path.statements.iter().enumerate() {
                let mark = if core.contains(&i) { "*" } else { " " };
                eprintln!("{mark} [{}] {}", st.action, crate::show::statement(model, &st.statement));
            }
            for (at, e) in &refinement.predicates {
                eprintln!("   new at {at}: {}", crate::show::expr(model, *e));
            }
        }
        let mentioned = precision.mentioned().clone();
        let changed = adjust(model, precision, &refinement, &|i| abstractor.arg.node(nodes[i as usize]).version);
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
            None => stuck.push(target),
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

/// Adds what a refinement asks for. Returns the first node of the path that would know more now; `None`: no node would.
fn adjust(
    model: &mut Model,
    precision: &mut Precision,
    refinement: &Refinement,
    version_of: &dyn Fn(u32) -> u32,
) -> Option<u32> {
    let mut first: Option<u32> = None;
    let mut asked = |position: u32, since: u32| {
        if version_of(position) < since {
            first = Some(first.map_or(position, |f| f.min(position)));
        }
    };
    for &(position, var) in &refinement.vars {
        // An initial value is known at the root.
        let position = if model.vars.initial(var).is_some() { 0 } else { position + 1 };
        asked(position, precision.add_var(var, None));
    }
    for &(position, predicate) in &refinement.predicates {
        if let Some(since) = precision.add_predicate(&mut model.pool, predicate, None) {
            asked(position, since);
        }
    }
    first
}

fn initial_precision(model: &mut Model, config: &CegarConfig, precision: &mut Precision) {
    let _ = (model, config, precision, InitialPrecision::Empty);
    let _: BTreeSet<VarId> = BTreeSet::new();
    let _ = Status::Waiting;
}
