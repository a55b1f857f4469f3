//! The search: unroll, encode, solve; deepen what was cut off; until there is an answer.
//!
//! For each bound there are two questions. Is an error reached? Then there is an execution, which is put in order and replayed. Is the end of a bound
//! reached? If not, the graph is all of the program, and "no error" holds without any bound; otherwise those loops are deepened whose end can be
//! reached, and no others.

use crate::encode::{Encoded, any_of, encode};
use crate::event_graph::{EventGraph, Limit};
use crate::cells::Knowledge;
use crate::generic_conflicts;
use crate::order::clocks::Clocks;
use crate::order::linearise::{Linearised, linearise};
use crate::order::theory::{OrderOptions, OrderTheory};
use crate::order::{Edge, OrderProblem};
use crate::schedule::schedule;
use crate::simple_conflicts::{self, Conflicts};
use crate::symbolic::{Bounds, Ended, Static, run};
use crate::{ConflictSearch, OcConfig, OcStats, Outcome};
use raddle_interp::{ReplayEnd, StopReason, replay};
use raddle_ir::{ExprId, ExprPool, Program};
use raddle_smt::{Answer, Budget, NativeSolver, SatLit, Solver, Why};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How often a running check asks whether to stop.
const SLICE: Duration = Duration::from_millis(200);
/// Choices when an assignment is put in order.
const LINEARISE_BUDGET: u64 = 20_000;
/// Runs of the symbolic execution until it agrees with what it assumed.
const MOST_RUNS: u32 = 200;

pub type Stop<'a> = &'a dyn Fn() -> Option<StopReason>;

/// An answer that ends everything.
enum Final {
    Is(Outcome),
}

fn stopped(stop: Stop) -> Final {
    let (code, words) = match stop() {
        Some(StopReason::Timeout) => ("timeout", "the time is over"),
        Some(StopReason::OutOfMemory) => ("out-of-memory", "the memory limit is reached"),
        Some(StopReason::Cancelled) | None => ("cancelled", "stopped"),
    };
    Final::Is(Outcome::Unknown(code, words.into()))
}

pub fn search(program: &Program, config: &OcConfig, stop: Stop) -> (Outcome, OcStats) {
    let mut stats = OcStats::default();
    let outcome = match deepen(program, config, stop, &mut stats) {
        Ok(outcome) | Err(Final::Is(outcome)) => outcome,
    };
    (outcome, stats)
}

fn deepen(program: &Program, config: &OcConfig, stop: Stop, stats: &mut OcStats) -> Result<Outcome, Final> {
    let begin = Instant::now();
    let is_enough = || config.enough_after.is_some_and(|time| begin.elapsed() > time);
    // The bound within which there is no error.
    let mut done: Option<u32> = None;
    let mut fixed = Static::new(program);
    let mut pool = program.pool.clone();
    let mut next_symbol = program.vars.len() as u32;
    let mut knowledge = Knowledge { static_iterations: 256, ..Knowledge::default() };
    let mut bounds =
        Bounds { default: config.unroll_start, of: FxHashMap::default(), most_labels: config.most_labels };
    loop {
        let stop_now = || match done {
            Some(_) if is_enough() => Some(StopReason::Timeout),
            _ => stop(),
        };
        let stop: Stop = &stop_now;
        let mut one_bound = || {
            let graph = unroll(&mut fixed, &mut pool, &mut knowledge, &bounds, &mut next_symbol, stop, stats)?;
            stats.bounds += 1;
            stats.nodes = graph.nodes.len() as u64;
            stats.reads = graph.reads.len() as u64;
            stats.writes = graph.writes.len() as u64;
            solve(program, &graph, &mut pool, config, stop, stats)
        };
        let reached = match (one_bound(), done) {
            (Ok(Solved::Unsafe(outcome)), _) => return Ok(outcome),
            (Ok(Solved::Reaches(limits)), _) => limits,
            (Err(_), Some(bound)) if is_enough() => return Ok(Outcome::Bounded(bound)),
            (Err(ended), _) => return Err(ended),
        };
        if reached.is_empty() {
            return Ok(Outcome::Safe);
        }
        let largest = reached.iter().map(|limit| bounds.of(*limit)).max().unwrap_or(0);
        let can_deepen = reached.iter().any(|l| *l != Limit::Size && bounds.of(*l) < config.unroll_end);
        if !can_deepen || is_enough() {
            return Ok(Outcome::Bounded(largest));
        }
        done = Some(largest);
        for limit in reached {
            let deeper = bounds.of(limit).max(1).saturating_mul(2).min(config.unroll_end);
            bounds.of.insert(limit, deeper);
        }
    }
}

/// Runs the symbolic execution until it confirms what it assumed.
fn unroll(
    fixed: &mut Static,
    pool: &mut ExprPool,
    knowledge: &mut Knowledge,
    bounds: &Bounds,
    next_symbol: &mut u32,
    stop: Stop,
    stats: &mut OcStats,
) -> Result<EventGraph, Final> {
    for _ in 0..MOST_RUNS {
        stats.runs += 1;
        match run(fixed, pool, knowledge, bounds, next_symbol, &|| stop().is_some()) {
            Ok(graph) => return Ok(graph),
            Err(Ended::Again) => {}
            Err(Ended::Stopped) => return Err(stopped(stop)),
            Err(Ended::Unsupported(what)) => {
                return Err(Final::Is(Outcome::Unsupported(what.what, what.span)));
            }
        }
        if stop().is_some() {
            return Err(stopped(stop));
        }
    }
    let words = "the symbolic execution does not settle what is shared";
    Err(Final::Is(Outcome::Unknown("stuck", words.into())))
}

enum Solved {
    Unsafe(Outcome),
    /// No error within the bounds; these are reached.
    Reaches(FxHashSet<Limit>),
}

fn solve(
    program: &Program,
    graph: &EventGraph,
    pool: &mut ExprPool,
    config: &OcConfig,
    stop: Stop,
    stats: &mut OcStats,
) -> Result<Solved, Final> {
    let error = any_of(pool, graph.errors.iter().copied());
    let limit = any_of(pool, graph.limits.iter().map(|(_, guard)| *guard));
    let (no_error, no_limit) = (pool.is_bool(error, false), pool.is_bool(limit, false));
    if no_error && no_limit {
        return Ok(Solved::Reaches(FxHashSet::default()));
    }
    let mut solver = NativeSolver::new();
    solver.set_budget(Budget { time: Some(SLICE), ..Budget::default() });
    let Encoded { problem, pruned } = encode(graph, pool, &mut solver).map_err(|_| stopped(stop))?;
    stats.read_froms = problem.read_froms.len() as u64;
    stats.pruned = pruned;
    let conflicts = static_conflicts(&problem, config);
    stats.conflicts_by_kind = conflicts.by_kind;
    conflicts.clauses.iter().for_each(|clause| solver.add_clause(clause));
    let mut session = Session { solver, theory: None, problem, ordered: FxHashSet::default() };
    session.connect(config);
    let solved = session.ask(program, graph, pool, error, limit, config, stop, stats);
    session.count(stats);
    solved
}

fn static_conflicts(problem: &OrderProblem, config: &OcConfig) -> Conflicts {
    let Ok(clocks) = Clocks::of_unconditional(problem) else { return Conflicts::default() };
    let precedes = |a, b| clocks.precedes(a, b);
    let limits = simple_conflicts::Limits::default();
    match config.conflicts {
        ConflictSearch::None => Conflicts::default(),
        ConflictSearch::Simple => simple_conflicts::simple_conflicts(problem, &precedes, limits),
        ConflictSearch::Generic => {
            generic_conflicts::generic_conflicts(problem, &precedes, config.conflict_bound as usize, limits)
        }
    }
}

/// One graph in one solver.
struct Session {
    solver: NativeSolver,
    theory: Option<Rc<RefCell<OrderTheory>>>,
    problem: OrderProblem,
    /// Pairs of writes that have a literal for their order.
    ordered: FxHashSet<(u32, u32)>,
}

impl Session {
    fn connect(&mut self, config: &OcConfig) {
        let options = OrderOptions { decide: config.decide, ..OrderOptions::default() };
        let theory = OrderTheory::new(self.problem.clone(), options);
        let literals = theory.literals();
        let theory = Rc::new(RefCell::new(theory));
        self.solver.connect(Rc::clone(&theory));
        literals.into_iter().for_each(|lit| self.solver.observe(lit));
        self.theory = Some(theory);
    }

    fn count(&mut self, stats: &mut OcStats) {
        let of = self.solver.statistics();
        stats.solver_conflicts += of.conflicts;
        stats.decisions += of.decisions;
        stats.propagations += of.propagations;
        stats.clauses = of.clauses;
        stats.variables = of.variables;
        if let Some(theory) = &self.theory {
            let counts = theory.borrow().counts();
            stats.theory_conflicts += counts.conflicts;
            stats.theory_propagations += counts.propagations;
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn ask(
        &mut self,
        program: &Program,
        graph: &EventGraph,
        pool: &mut ExprPool,
        error: ExprId,
        limit: ExprId,
        config: &OcConfig,
        stop: Stop,
        stats: &mut OcStats,
    ) -> Result<Solved, Final> {
        while self.check(pool, error, stop)? {
            let truth = self.truth();
            let value = |lit: SatLit| truth.get(&lit.0.abs()).is_some_and(|v| *v == (lit.0 > 0));
            match linearise(&self.problem, &value, LINEARISE_BUDGET) {
                Linearised::Order(order) => {
                    let Some(schedule) = schedule(graph, pool, &mut self.solver, &order) else {
                        let words = "a model without an error step";
                        return Ok(Solved::Unsafe(Outcome::Unknown("unconfirmed", words.into())));
                    };
                    let replayed = replay(program, &schedule);
                    return Ok(Solved::Unsafe(match replayed.end {
                        ReplayEnd::ErrorReached => Outcome::Unsafe(replayed.trace, schedule),
                        _ => Outcome::Unknown(
                            "unconfirmed",
                            format!("a counterexample could not be replayed: {}", replayed.trace.end),
                        ),
                    }));
                }
                Linearised::NotSc | Linearised::GaveUp => {
                    stats.not_sc += 1;
                    self.order_writes(&value);
                }
            }
        }
        // No error. Which bounds are reached?
        let mut reached: FxHashSet<Limit> = FxHashSet::default();
        let mut rest = limit;
        while !pool.is_bool(rest, false) && self.check(pool, rest, stop)? {
            for (limit, guard) in &graph.limits {
                if self.solver.value(pool, *guard).is_ok_and(|value| value.bits() != 0) {
                    reached.insert(*limit);
                }
            }
            let others = graph.limits.iter().filter(|(limit, _)| !reached.contains(limit)).map(|(_, guard)| *guard);
            rest = any_of(pool, others.collect::<Vec<_>>());
        }
        let _ = config;
        Ok(Solved::Reaches(reached))
    }

    /// Can the goal be reached?
    fn check(&mut self, pool: &ExprPool, goal: ExprId, stop: Stop) -> Result<bool, Final> {
        if pool.is_bool(goal, false) {
            return Ok(false);
        }
        loop {
            match self.solver.check(pool, &[goal]) {
                Ok(Answer::Sat) => return Ok(true),
                Ok(Answer::Unsat) => return Ok(false),
                Ok(Answer::Unknown(Why::Time | Why::Conflicts)) if stop().is_none() => {}
                Ok(Answer::Unknown(_)) => return Err(stopped(stop)),
                Err(error) => return Err(Final::Is(Outcome::Unknown("solver", error.to_string()))),
            }
        }
    }

    /// The model's values of the variables of the ordering problem.
    fn truth(&mut self) -> FxHashMap<i32, bool> {
        let guards = self.problem.writes.iter().map(|w| w.guard).chain(self.problem.reads.iter().map(|r| r.guard));
        let edges = self.problem.edges.iter().map(|e| e.when);
        let mut lits: Vec<i32> = guards.chain(edges).flatten().map(|lit| lit.0.abs()).collect();
        lits.extend(self.problem.read_froms.iter().map(|rf| rf.lit.0.abs()));
        lits.sort_unstable();
        lits.dedup();
        lits.into_iter().map(|lit| (lit, self.solver.literal_value(SatLit(lit)))).collect()
    }

    /// The second stage (thesis 2, section 5.3): a literal for the order of each pair of writes that are there in a model which is weakly
    /// consistent only.
    fn order_writes(&mut self, value: &dyn Fn(SatLit) -> bool) {
        let clocks = match Clocks::of_unconditional(&self.problem) {
            Ok(clocks) => clocks,
            Err(_) => return,
        };
        let mut new: Vec<Edge> = Vec::new();
        let there = |when: Option<SatLit>| when.is_none_or(value);
        for (i, a) in self.problem.writes.iter().enumerate() {
            for (j, b) in self.problem.writes.iter().enumerate().skip(i + 1) {
                let free = a.cell == b.cell
                    && a.node != b.node
                    && !clocks.precedes(a.node, b.node)
                    && !clocks.precedes(b.node, a.node);
                if !free || !there(a.guard) || !there(b.guard) || !self.ordered.insert((i as u32, j as u32)) {
                    continue;
                }
                let lit = self.solver.fresh_literal();
                new.push(Edge { from: a.node, to: b.node, when: Some(lit) });
                new.push(Edge { from: b.node, to: a.node, when: Some(!lit) });
            }
        }
        if let Some(theory) = &self.theory {
            theory.borrow_mut().add_edges(&new);
        }
        for edge in new.iter().step_by(2) {
            edge.when.iter().for_each(|lit| self.solver.observe(*lit));
        }
        self.problem.edges.extend(new);
    }
}
