//! The engines behind `--engine`: how their configurations come from the command line, and what their outcomes mean.

use crate::args::{ConflictsArg, DecideArg, DecisionArg, EngineArg, MemoryModelArg, PorArg, VerifyArgs};
use crate::limits::{Limits, Stop};
use crate::property::Property;
use crate::resources::cpu_time;
use crate::simulate::stop_reason;
use crate::trace_text;
use crate::verify::Verdict;
use raddle_cegar::{Arithmetic, CegarConfig, CegarStats, Coi, Domain, InitialPrecision, Outcome as CegarOutcome};
use raddle_interp::{ExploreConfig, ExploreOutcome, Outcome, Por, StopReason, explore};
use raddle_ir::{MemoryModel, Program};
use raddle_oc::{ConflictSearch, Decide, Decision, MakeSolver, OcConfig, OcStats, Outcome as OcOutcome};
use raddle_smt::smtlib::{FoundSolver, Patience, SmtLibSolver, dialect};
use raddle_smt::{Solver, SolverError};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Runs the engine that was asked for; statistics are one object for each engine that ran.
pub fn run(program: &Program, args: &VerifyArgs, limits: &Limits) -> (Verdict, Value) {
    let mut statistics = json!({});
    let verdict = match args.engine {
        // To explore is to run; orders that nothing can run are beyond it.
        EngineArg::Explore if args.memory_model == MemoryModelArg::Wsc => {
            let reason = "only the engine oc knows weakly consistent orders (--memory-model wsc)";
            Verdict::Unknown("unsupported".into(), reason.into())
        }
        EngineArg::Auto if args.memory_model == MemoryModelArg::Wsc => {
            by_partial_orders(program, args, limits, limits.timeout, &mut statistics)
        }
        EngineArg::Explore => by_exploring(program, args, limits, limits.timeout, &mut statistics),
        EngineArg::Oc => by_partial_orders(program, args, limits, limits.timeout, &mut statistics),
        // The abstraction has one memory that all threads see.
        EngineArg::Cegar if args.memory_model != MemoryModelArg::Sc => {
            let reason = "the engine cegar knows sequential consistency only (--memory-model sc)";
            Verdict::Unknown("unsupported".into(), reason.into())
        }
        EngineArg::Cegar => {
            let config = args.cegar.config(args);
            if config.arithmetic != Arithmetic::Bitvector && config.integer_solver.is_none() {
                let missing =
                    "integer arithmetic needs a solver that interpolates over integers (pip install z3-solver)";
                if config.arithmetic == Arithmetic::Integer {
                    return (Verdict::Unknown("unsupported".into(), missing.into()), statistics);
                }
                if !args.quiet {
                    eprintln!("raddle: {missing}; bit-vectors are used");
                }
            }
            by_abstraction(program, &config, limits, limits.timeout, args.cegar.arg.as_deref(), &mut statistics)
        }
        EngineArg::Auto => in_turn(program, args, limits, &mut statistics),
    };
    (verdict, statistics)
}

/// Exploring answers small programs at once. Then partial orders, if there are threads, then abstraction; and what these leave open is explored to the end.
fn in_turn(program: &Program, args: &VerifyArgs, limits: &Limits, statistics: &mut Value) -> Verdict {
    let has_threads = program.starts_threads();
    let given = args.cegar.config(args);
    // Machines with many states and few inputs: all values, and no refinement.
    let values = CegarConfig {
        domain: Domain::Expl,
        initial: InitialPrecision::AllVars,
        max_enum: 10,
        coi: Coi::None,
        lbe: Domain::Expl.best_lbe(),
        ..given.clone()
    };
    let product = CegarConfig { domain: Domain::ExplPred, ..given.clone() };
    let predicates = CegarConfig { domain: Domain::PredCart, ..given };
    // Percent of the time that is used up when the next one begins.
    let order: Vec<(u32, Turn)> = if has_threads {
        vec![(2, Turn::Explore), (50, Turn::Oc), (80, Turn::Cegar(predicates))]
    } else {
        vec![(3, Turn::Explore), (20, Turn::Cegar(values)), (60, Turn::Cegar(product)), (85, Turn::Cegar(predicates))]
    };
    for (percent, turn) in order {
        let time = (limits.timeout / 100 * percent).max(cpu_time() + Duration::from_millis(300));
        let verdict = match turn {
            Turn::Explore => by_exploring(program, args, limits, time, statistics),
            Turn::Oc => by_partial_orders(program, args, limits, time, statistics),
            Turn::Cegar(_) if args.memory_model != MemoryModelArg::Sc => continue,
            Turn::Cegar(config) => by_abstraction(program, &config, limits, time, None, statistics),
        };
        if !matches!(verdict, Verdict::Unknown(..)) || limits.reason_to_stop().is_some() {
            return verdict;
        }
    }
    by_exploring(program, args, limits, limits.timeout, statistics)
}

/// One of the engines that take their turns.
enum Turn {
    Explore,
    Oc,
    Cegar(CegarConfig),
}

/// Asks the limits, and stops at a share of the time as well, or with half of the memory: others come after it.
fn until(limits: &Limits, time: Duration) -> impl Fn() -> Option<StopReason> + Sync + '_ {
    move || match limits.reason_to_stop() {
        Some(stop) => Some(stop_reason(stop)),
        None => (time < limits.timeout && (cpu_time() > time || limits.is_half_full())).then_some(StopReason::Timeout),
    }
}

fn by_exploring(
    program: &Program,
    args: &VerifyArgs,
    limits: &Limits,
    time: Duration,
    statistics: &mut Value,
) -> Verdict {
    let config = ExploreConfig {
        por: match args.por {
            Some(PorArg::None) => Por::None,
            _ => Por::Persistent,
        },
        max_choices: args.max_choices,
        memory_model: memory_model(args).of_executions(),
        memory_limit: usize::try_from(limits.memory / 10 * 8).unwrap_or(usize::MAX),
        ..ExploreConfig::default()
    };
    let ExploreOutcome { outcome, stats } = explore(program, &config, &until(limits, time));
    statistics["explore"] = json!({
        "states": stats.states,
        "transitions": stats.transitions,
        "hazards": stats.hazards,
        "first_hazard": stats.first_hazard,
        "state_bytes": stats.bytes,
        "without_reduction": stats.without_reduction,
    });
    match outcome {
        Outcome::Safe => Verdict::Holds(format!("{} states explored", stats.states)),
        Outcome::Unsafe(trace, _) => Verdict::Violated(Property::UnreachCall, trace),
        Outcome::Unknown(code, reason) => unknown(code, reason),
    }
}

fn unknown(code: &str, reason: String) -> Verdict {
    match code {
        "cancelled" => Verdict::Unknown(Stop::Interrupted.code().into(), Stop::Interrupted.words().into()),
        _ => Verdict::Unknown(code.into(), reason),
    }
}

fn by_partial_orders(
    program: &Program,
    args: &VerifyArgs,
    limits: &Limits,
    time: Duration,
    statistics: &mut Value,
) -> Verdict {
    let (config, solver) = (oc_config(args, limits), other_solver(args));
    if let (Some(found), Decision::Propagator, false) = (&solver, config.decision, args.quiet) {
        eprintln!("raddle: the native solver is used; {} would be with --oc-decision basic", found.dialect.name);
    }
    let make = || match &solver {
        Some(found) => {
            let solver = SmtLibSolver::new(found.clone(), Patience::default());
            Ok::<Box<dyn Solver>, SolverError>(Box::new(solver))
        }
        None => Err(SolverError::Unsupported("a solver that was not named".into())),
    };
    let make: Option<MakeSolver> = if solver.is_some() { Some(&make) } else { None };
    let (outcome, stats) = raddle_oc::verify(program, &config, make, &until(limits, time));
    statistics["oc"] = oc_statistics(&stats);
    match outcome {
        OcOutcome::Safe => Verdict::Holds(format!("{} events, complete without any bound", stats.reads + stats.writes)),
        OcOutcome::Unsafe(trace, _) => Verdict::Violated(Property::UnreachCall, trace),
        OcOutcome::Bounded(bound) if args.oc.trust_bound => {
            Verdict::Holds(format!("within {bound} iterations of each loop; the bound is trusted"))
        }
        OcOutcome::Bounded(bound) => {
            let reason = format!("no violation within {bound} iterations of each loop, but some loop goes on");
            Verdict::Unknown("bound-reached".into(), reason)
        }
        OcOutcome::Unsupported(what, span) => {
            let place = trace_text::place(program, span);
            Verdict::Unknown("unsupported".into(), format!("{place}: {what}"))
        }
        OcOutcome::Unknown(code, reason) => unknown(code, reason),
    }
}

fn by_abstraction(
    program: &Program,
    config: &CegarConfig,
    limits: &Limits,
    time: Duration,
    graph: Option<&Path>,
    statistics: &mut Value,
) -> Verdict {
    let (outcome, stats) = raddle_cegar::verify(program, config, &until(limits, time));
    statistics["cegar"] = cegar_statistics(&stats);
    if let (Some(path), Some(text)) = (graph, &stats.graph)
        && let Err(error) = std::fs::write(path, text)
    {
        eprintln!("error: cannot write {}: {error}", path.display());
    }
    match outcome {
        CegarOutcome::Safe => {
            Verdict::Holds(format!("{} abstract states, {} refinements", stats.nodes, stats.iterations - 1))
        }
        CegarOutcome::Unsafe(trace, _) => Verdict::Violated(Property::UnreachCall, trace),
        CegarOutcome::Unsupported(what, span) => {
            let place = trace_text::place(program, span);
            Verdict::Unknown("unsupported".into(), format!("{place}: {what}"))
        }
        CegarOutcome::Unknown(code, reason) => unknown(code, reason),
    }
}

fn memory_model(args: &VerifyArgs) -> MemoryModel {
    match args.memory_model {
        MemoryModelArg::Sc => MemoryModel::Sc,
        MemoryModelArg::Wsc => MemoryModel::Wsc,
        MemoryModelArg::Tso => MemoryModel::Tso,
        MemoryModelArg::Pso => MemoryModel::Pso,
    }
}

fn oc_config(args: &VerifyArgs, limits: &Limits) -> OcConfig {
    OcConfig {
        decision: match args.oc.oc_decision {
            DecisionArg::Propagator => Decision::Propagator,
            DecisionArg::Basic => Decision::Basic,
        },
        memory_model: memory_model(args),
        unroll_start: args.oc.oc_unroll_start,
        unroll_end: args.oc.oc_unroll_end.unwrap_or(OcConfig::default().unroll_end),
        conflicts: match args.oc.oc_conflicts {
            ConflictsArg::None => ConflictSearch::None,
            ConflictsArg::Simple => ConflictSearch::Simple,
            ConflictsArg::Generic => ConflictSearch::Generic,
        },
        conflict_bound: args.oc.oc_conflict_bound,
        decide: match args.oc.oc_decide {
            DecideArg::Solver => Decide::Solver,
            DecideArg::Closest => Decide::Closest,
            DecideArg::ProgramOrder => Decide::ProgramOrder,
            DecideArg::Mixed => Decide::Mixed,
        },
        // A trusted bound is worth no more than a small share of the time.
        enough_after: args.oc.trust_bound.then(|| limits.timeout / 40),
        ..OcConfig::default()
    }
}

/// The first solver that was named and is not the one inside.
fn other_solver(args: &VerifyArgs) -> Option<FoundSolver> {
    let choice = args.solvers.solvers.iter().find(|choice| choice.path.is_some())?;
    Some(FoundSolver::at(*dialect(&choice.name)?, choice.path.clone()?))
}

/// The columns of Table 5.1, and the sizes of the last encoding.
fn oc_statistics(stats: &OcStats) -> Value {
    let kinds = stats.conflicts_by_kind;
    json!({
        "bounds": stats.bounds,
        "runs": stats.runs,
        "nodes": stats.nodes,
        "reads": stats.reads,
        "writes": stats.writes,
        "read_froms": stats.read_froms,
        "pruned_read_froms": stats.pruned,
        "variables": stats.variables,
        "clauses": stats.clauses,
        "static_conflicts": {
            "read_froms": kinds.read_froms,
            "write_serialisation": kinds.write_serialisation,
            "from_read": kinds.from_read,
            "read_modify_writes": kinds.read_modify_writes,
            "longer": kinds.longer,
        },
        "refinement_clauses": stats.refinement_clauses,
        "refinements": stats.refinements,
        "theory_conflicts": stats.theory_conflicts,
        "theory_propagations": stats.theory_propagations,
        "solver_seconds": stats.solver_time.as_secs_f64(),
        "static_conflict_seconds": stats.conflict_time.as_secs_f64(),
        "symbolic_seconds": stats.symbolic_time.as_secs_f64(),
        "encoding_seconds": stats.encode_time.as_secs_f64(),
        "conflicts": stats.solver_conflicts,
        "decisions": stats.decisions,
        "propagations": stats.propagations,
        "weakly_consistent_only": stats.not_sc,
    })
}

/// The columns of Tables 3.1 and 4.1, and what else the abstraction did.
fn cegar_statistics(stats: &CegarStats) -> Value {
    let share = |part: u64| part as f64 / stats.statements.max(1) as f64;
    json!({
        "iterations": stats.iterations,
        "nodes": stats.nodes,
        "explored_actions": stats.explored_actions,
        "covered": stats.covered,
        "variables": stats.variables,
        "predicates": stats.predicates,
        "solver_calls": stats.solver_calls,
        "cached_calls": stats.cached_calls,
        "statements": stats.statements,
        "statements_havocked": stats.havocs,
        "statements_removed": stats.removed,
        "share_havocked": share(stats.havocs),
        "share_removed": share(stats.removed),
        "share_simplified": share(stats.havocs + stats.removed),
        "build_seconds": stats.build_time.as_secs_f64(),
        "successor_seconds": stats.successor_time.as_secs_f64(),
        "covering_seconds": stats.covering_time.as_secs_f64(),
        "refine_seconds": stats.refine_time.as_secs_f64(),
        "check_seconds": stats.check_time.as_secs_f64(),
        "check_questions": stats.check_questions,
    })
}
