//! The search: unroll, encode, solve; deepen what was cut off; until there is an answer.
//!
//! For each bound there are two questions. Is an error reached? Then there is an execution, which is put in order and replayed. Is the end of a bound
//! reached? If not, the graph is all of the program, and "no error" holds without any bound; otherwise those loops are deepened whose end can be
//! reached, and no others.

use crate::conflicts::generic_conflicts;
use crate::conflicts::simple_conflicts::{self, Conflicts};
use crate::encode::backend::{Backend, ByFormulas};
use crate::encode::{Encoded, any_of, encode};
use crate::order::clocks::Clocks;
use crate::order::lazy;
use crate::order::linearise::{Linearised, linearise};
use crate::order::theory::{OrderOptions, OrderTheory};
use crate::order::{Edge, OrderProblem};
use crate::schedule::schedule;
use crate::symbolic::cells::Knowledge;
use crate::symbolic::event_graph::{EventGraph, Limit};
use crate::symbolic::{Bounds, Ended, Static, run};
use crate::{ConflictSearch, Decision, MakeSolver, MemoryModel, OcConfig, OcStats, Outcome};
use raddle_interp::{ReplayEnd, StopReason, replay};
use raddle_ir::{ExprId, ExprPool, Program};
use raddle_smt::{Answer, Budget, NativeSolver, SatLit, Why};
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

/// The CPU time of this process so far.
fn cpu_time() -> Duration {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

fn stopped(stop: Stop) -> Outcome {
    let (code, words) = match stop() {
        Some(StopReason::Timeout) => ("timeout", "the time is over"),
        Some(StopReason::OutOfMemory) => ("out-of-memory", "the memory limit is reached"),
        Some(StopReason::Cancelled) | None => ("cancelled", "stopped"),
    };
    Outcome::Unknown(code, words.into())
}

pub fn search(program: &Program, config: &OcConfig, make_solver: Option<MakeSolver>, stop: Stop) -> (Outcome, OcStats) {
    let mut stats = OcStats::default();
    let outcome = match deepen(program, config, make_solver, stop, &mut stats) {
        Ok(outcome) | Err(outcome) => outcome,
    };
    (outcome, stats)
}

fn deepen(
    program: &Program,
    config: &OcConfig,
    make_solver: Option<MakeSolver>,
    stop: Stop,
    stats: &mut OcStats,
) -> Result<Outcome, Outcome> {
    let begin = cpu_time();
    let is_enough = || config.enough_after.is_some_and(|time| cpu_time().saturating_sub(begin) > time);
    // The bound within which there is no error.
    let mut done: Option<u32> = None;
    let mut fixed = Static::new(program);
    let mut pool = program.pool.clone();
    let mut next_symbol = program.vars.len() as u32;
    let mut knowledge = Knowledge { static_iterations: 256, ..Knowledge::default() };
    let mut bounds = Bounds { default: config.unroll_start, of: FxHashMap::default(), most_labels: config.most_labels };
    loop {
        let stop_now = || match done {
            Some(_) if is_enough() => Some(StopReason::Timeout),
            _ => stop(),
        };
        let stop: Stop = &stop_now;
        let mut one_bound = || {
            let begin = Instant::now();
            let graph = unroll(&mut fixed, config, &mut pool, &mut knowledge, &bounds, &mut next_symbol, stop, stats)?;
            stats.symbolic_time += begin.elapsed();
            stats.bounds += 1;
            stats.nodes = graph.nodes.len() as u64;
            stats.reads = graph.reads.len() as u64;
            stats.writes = graph.writes.len() as u64;
            let mut session = Session::new(&graph, &mut pool, &mut next_symbol, config, make_solver, stop, stats)?;
            let solved = session.ask(program, stats);
            session.count(stats);
            solved
        };
        let (reached, astray) = match (one_bound(), done) {
            (Ok(Solved::Unsafe(outcome)), _) => return Ok(outcome),
            (Ok(Solved::Reaches { limits, astray }), _) => (limits, astray),
            (Err(_), Some(bound)) if is_enough() => return Ok(Outcome::Bounded(bound)),
            (Err(ended), _) => return Err(ended),
        };
        // Deeper, there may be an error that needs no stray pointer.
        let can_deepen = reached.iter().any(|l| *l != Limit::Size && bounds.of(*l) < config.unroll_end);
        if let (Some(why), false) = (&astray, can_deepen) {
            return Ok(Outcome::Unknown("unconfirmed", why.clone()));
        }
        if reached.is_empty() {
            // Here each object has an address of its own.
            if let Some(span) = raddle_analysis::sees_reuse(program) {
                let what = "a comparison with an address that may have been given out again";
                return Ok(Outcome::Unsupported(what.into(), span));
            }
            return Ok(Outcome::Safe);
        }
        let largest = reached.iter().map(|limit| bounds.of(*limit)).max().unwrap_or(0);
        // A loop that ends by itself is followed to its end: nobody means its bound by a bound to trust.
        let is_a_bound = astray.is_none() && !reached.iter().any(|limit| matches!(limit, Limit::KnownLoop(..)));
        if !can_deepen || is_a_bound && is_enough() {
            return Ok(Outcome::Bounded(largest));
        }
        done = is_a_bound.then_some(largest);
        for limit in reached {
            let deeper = bounds.of(limit).max(1).saturating_mul(2).min(config.unroll_end);
            bounds.of.insert(limit, deeper);
        }
    }
}

/// Runs the symbolic execution until it confirms what it assumed.
#[allow(clippy::too_many_arguments)]
fn unroll(
    fixed: &mut Static,
    config: &OcConfig,
    pool: &mut ExprPool,
    knowledge: &mut Knowledge,
    bounds: &Bounds,
    next_symbol: &mut u32,
    stop: Stop,
    stats: &mut OcStats,
) -> Result<EventGraph, Outcome> {
    for _ in 0..MOST_RUNS {
        stats.runs += 1;
        match run(fixed, config.memory_model.of_executions(), pool, knowledge, bounds, next_symbol, &|| {
            stop().is_some()
        }) {
            Ok(graph) => return Ok(graph),
            Err(Ended::Again) => {}
            Err(Ended::Stopped) => return Err(stopped(stop)),
            Err(Ended::Unsupported(what)) => {
                return Err(Outcome::Unsupported(what.what, what.span));
            }
        }
        if stop().is_some() {
            return Err(stopped(stop));
        }
    }
    let words = "the symbolic execution does not settle what is shared";
    Err(Outcome::Unknown("stuck", words.into()))
}

enum Solved {
    Unsafe(Outcome),
    /// No error within the bounds; these are reached. An error that needs a stray pointer to lead elsewhere may be there: why it is none.
    Reaches {
        limits: FxHashSet<Limit>,
        astray: Option<String>,
    },
}

fn static_conflicts(problem: &OrderProblem, config: &OcConfig) -> Conflicts {
    let Ok(clocks) = Clocks::of_unconditional(problem) else { return Conflicts::default() };
    let precedes = |a, b| clocks.precedes(a, b);
    // More clauses than a few for each read-from cost more than they save.
    let limits = simple_conflicts::Limits {
        literals: config.conflict_literals as usize * problem.read_froms.len(),
        steps: 2_000_000,
    };
    match config.conflicts {
        ConflictSearch::None => Conflicts::default(),
        ConflictSearch::Simple => simple_conflicts::simple_conflicts(problem, &precedes, limits),
        ConflictSearch::Generic => {
            generic_conflicts::generic_conflicts(problem, &precedes, config.conflict_bound as usize, limits)
        }
    }
}

/// One graph in one solver.
struct Session<'a> {
    graph: &'a EventGraph,
    pool: &'a mut ExprPool,
    symbol: &'a mut u32,
    config: &'a OcConfig,
    stop: Stop<'a>,
    solver: Box<dyn Backend>,
    theory: Option<Rc<RefCell<OrderTheory>>>,
    problem: OrderProblem,
    /// Pairs of writes that have a literal for their order.
    ordered: FxHashSet<(u32, u32)>,
}

impl<'a> Session<'a> {
    fn new(
        graph: &'a EventGraph,
        pool: &'a mut ExprPool,
        symbol: &'a mut u32,
        config: &'a OcConfig,
        make_solver: Option<MakeSolver>,
        stop: Stop<'a>,
        stats: &mut OcStats,
    ) -> Result<Session<'a>, Outcome> {
        let mut solver: Box<dyn Backend> = match (make_solver, config.decision) {
            (Some(make), Decision::Basic) => match make() {
                Ok(solver) => Box::new(ByFormulas::new(solver)),
                Err(error) => return Err(Outcome::Unknown("solver", error.to_string())),
            },
            _ => Box::new(NativeSolver::new()),
        };
        solver.set_budget(Budget { time: Some(SLICE), ..Budget::default() });
        let begin = Instant::now();
        let encoded = encode(graph, pool, symbol, solver.as_mut(), stop).map_err(|_| stopped(stop))?;
        stats.encode_time += begin.elapsed();
        let Encoded { problem, pruned } = encoded;
        stats.read_froms = problem.read_froms.len() as u64;
        stats.pruned = pruned;
        let begin = Instant::now();
        let conflicts = static_conflicts(&problem, config);
        stats.conflict_time += begin.elapsed();
        stats.conflicts_by_kind = conflicts.by_kind;
        conflicts.clauses.iter().for_each(|clause| solver.add_clause(pool, clause));
        let ordered = FxHashSet::default();
        let mut session = Session { graph, pool, symbol, config, stop, solver, theory: None, problem, ordered };
        session.connect();
        Ok(session)
    }

    fn connect(&mut self) {
        let Some(solver) = self.solver.native().filter(|_| self.config.decision == Decision::Propagator) else {
            return;
        };
        let options = OrderOptions { decide: self.config.decide, ..OrderOptions::default() };
        let theory = OrderTheory::new(self.problem.clone(), options);
        let literals = theory.literals();
        let theory = Rc::new(RefCell::new(theory));
        solver.connect(Rc::clone(&theory));
        literals.into_iter().for_each(|lit| solver.observe(lit));
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

    /// Is an error reached? If not, which bounds are?
    fn ask(&mut self, program: &Program, stats: &mut OcStats) -> Result<Solved, Outcome> {
        let error = any_of(self.pool, self.graph.errors.iter().copied());
        let astray = any_of(self.pool, self.graph.strays.iter().copied());
        let on_track = self.pool.not(astray);
        let real = self.pool.and(error, on_track);
        if let Some(outcome) = self.violation(real, program, stats)? {
            return Ok(Solved::Unsafe(outcome));
        }
        let astray = match self.graph.strays.is_empty() {
            true => None,
            false => match self.violation(error, program, stats)? {
                Some(Outcome::Unknown(_, why)) => Some(why),
                Some(found) => return Ok(Solved::Unsafe(found)),
                None => None,
            },
        };
        let mut reached: FxHashSet<Limit> = FxHashSet::default();
        let mut rest = any_of(self.pool, self.graph.limits.iter().map(|(_, guard)| *guard));
        while self.check(rest, stats)? {
            for (limit, guard) in &self.graph.limits {
                if !reached.contains(limit) && self.solver.value(self.pool, *guard) != 0 {
                    reached.insert(*limit);
                }
            }
            let others = self.graph.limits.iter().filter(|(limit, _)| !reached.contains(limit));
            rest = any_of(self.pool, others.map(|(_, guard)| *guard));
        }
        Ok(Solved::Reaches { limits: reached, astray })
    }

    /// An error, replayed, if the goal can be reached; or why it cannot be replayed.
    fn violation(&mut self, goal: ExprId, program: &Program, stats: &mut OcStats) -> Result<Option<Outcome>, Outcome> {
        while self.check(goal, stats)? {
            let value = self.truth();
            match linearise(&self.problem, &value, LINEARISE_BUDGET) {
                Linearised::Order(order) => {
                    let model = self.config.memory_model.of_executions();
                    let Some(schedule) = schedule(self.graph, self.pool, self.solver.as_mut(), &order, model) else {
                        let words = "a model without an error step";
                        return Ok(Some(Outcome::Unknown("unconfirmed", words.into())));
                    };
                    let replayed = replay(program, &schedule);
                    return Ok(Some(match replayed.end {
                        ReplayEnd::ErrorReached => Outcome::Unsafe(replayed.trace, schedule),
                        _ => Outcome::Unknown(
                            "unconfirmed",
                            format!("a counterexample could not be replayed: {}", replayed.trace.end),
                        ),
                    }));
                }
                Linearised::NotSc | Linearised::GaveUp => {
                    stats.not_sc += 1;
                    if self.config.memory_model == MemoryModel::Wsc {
                        let words = "a weakly consistent execution that cannot be put in a total order";
                        return Ok(Some(Outcome::Unknown("unconfirmed", words.into())));
                    }
                    if !self.order_writes(&value) {
                        let words = "an assignment could not be put in order";
                        return Ok(Some(Outcome::Unknown("stuck", words.into())));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Can the goal be reached in an execution that is weakly consistent?
    fn check(&mut self, goal: ExprId, stats: &mut OcStats) -> Result<bool, Outcome> {
        if self.pool.is_bool(goal, false) {
            return Ok(false);
        }
        loop {
            let begin = Instant::now();
            let answer = self.solver.check(self.pool, goal);
            stats.solver_time += begin.elapsed();
            match answer {
                Ok(Answer::Sat) if self.theory.is_none() => {
                    let value = self.truth();
                    let conflicts = lazy::conflicts(&self.problem, &value);
                    if conflicts.is_empty() {
                        return Ok(true);
                    }
                    stats.refinements += 1;
                    stats.refinement_clauses += conflicts.len() as u64;
                    for clause in conflicts {
                        self.solver.add_clause(self.pool, &clause);
                    }
                    if (self.stop)().is_some() {
                        return Err(stopped(self.stop));
                    }
                }
                Ok(Answer::Sat) => return Ok(true),
                Ok(Answer::Unsat) => return Ok(false),
                Ok(Answer::Unknown(Why::Time | Why::Conflicts)) if (self.stop)().is_none() => {}
                Ok(Answer::Unknown(_)) => return Err(stopped(self.stop)),
                Err(error) => return Err(Outcome::Unknown("solver", error.to_string())),
            }
        }
    }

    /// The model's values of the variables of the ordering problem.
    fn truth(&mut self) -> impl Fn(SatLit) -> bool + use<> {
        let guards = self.problem.writes.iter().map(|w| w.guard).chain(self.problem.reads.iter().map(|r| r.guard));
        let edges = self.problem.edges.iter().map(|e| e.when);
        let mut lits: Vec<i32> = guards.chain(edges).flatten().map(|lit| lit.0.abs()).collect();
        lits.extend(self.problem.read_froms.iter().map(|rf| rf.lit.0.abs()));
        lits.sort_unstable();
        lits.dedup();
        let values: FxHashMap<i32, bool> =
            lits.into_iter().map(|lit| (lit, self.solver.literal_value(self.pool, SatLit(lit)))).collect();
        move |lit: SatLit| values.get(&lit.0.abs()).is_some_and(|value| *value == (lit.0 > 0))
    }

    /// The second stage (thesis 2, section 5.3): a literal for the order of each pair of writes that are there in a model which is weakly
    /// consistent only. False: all of them have one.
    fn order_writes(&mut self, value: &dyn Fn(SatLit) -> bool) -> bool {
        let Ok(clocks) = Clocks::of_unconditional(&self.problem) else { return false };
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
                let lit = self.solver.fresh_literal(self.pool, self.symbol);
                new.push(Edge { from: a.node, to: b.node, when: Some(lit) });
                new.push(Edge { from: b.node, to: a.node, when: Some(!lit) });
            }
        }
        if let (Some(theory), Some(solver)) = (&self.theory, self.solver.native()) {
            theory.borrow_mut().add_edges(&new);
            for edge in new.iter().step_by(2) {
                edge.when.iter().for_each(|lit| solver.observe(*lit));
            }
        }
        let is_new = !new.is_empty();
        self.problem.edges.extend(new);
        is_new
    }
}
