//! The search: unroll, encode, solve; deepen what was cut off; until there is an answer.
//!
//! For each bound there are two questions. Is an error reached? Then there is an execution, which is put in order and replayed. Is the end of a bound
//! reached? If not, the graph is all of the program, and "no error" holds without any bound; otherwise those loops are deepened whose end can be
//! reached, and no others.

use crate::conflicts::generic_conflicts;
use crate::conflicts::simple_conflicts::{self, Conflicts};
use crate::encode::backend::{Backend, ByFormulas};
use crate::encode::bounded_inputs::BoundedInputs;
use crate::encode::{Encoded, any_of, encode};
use crate::library_results::stated;
use crate::order::clocks::Clocks;
use crate::order::lazy;
use crate::order::linearise::{Linearised, linearise};
use crate::order::theory::{OrderOptions, OrderTheory};
use crate::order::{Edge, OrderProblem};
use crate::schedule::schedule;
use crate::symbolic::event_graph::{EventGraph, Limit};
use crate::symbolic::symbols::Symbols;
use crate::symbolic::{Bounds, Context, Ended, run};
use crate::{ConflictSearch, Decision, OcConfig, OcStats};
use raddle_engine::{
    Argument, Budget, Code, Event, Facts, Form, Observer, Outcome, Proof, Reason, SafeWithin, Schedule, Stop, Task,
};
use raddle_ir::{ExprId, LocKind, MemoryModel, Program};
use raddle_smt::smtlib::{Patience, SmtLibSolver};
use raddle_smt::{Answer, Effort, Interrupt, NativeSolver, SatLit, Why};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// How often a check asks whether to stop. The native solver is interrupted anyway; but to begin its search anew now and then, with all that it has learned, finds models of hard
/// combinatorial problems sooner.
const SLICE: Duration = Duration::from_millis(200);
/// Choices when an assignment is put in order.
const LINEARISE_BUDGET: u64 = 20_000;
/// So many violations are looked at that may be none with the library's results.
const MOST_ATTEMPTS: u32 = 20;
/// Runs of the symbolic execution until it agrees with what it assumed.
const MOST_RUNS: u32 = 200;

/// No violation was found: why not.
fn stopped(budget: &Budget) -> Reason {
    budget.stop().unwrap_or(Stop::Timeout).into()
}

pub fn search(
    task: &Task,
    config: &OcConfig,
    facts: &Facts,
    budget: &Budget,
    observer: &dyn Observer,
) -> (Outcome, Facts, OcStats) {
    let (mut stats, mut learned) = (OcStats::default(), Facts::default());
    let program = match task.prepared(Form::Simplified) {
        Ok(program) => program,
        Err(too_large) => return (Outcome::Unknown(too_large.into()), learned, stats),
    };
    let run = Search { task, program: &program, config, budget, observer };
    let outcome = run.deepen(facts, &mut learned, &mut stats).unwrap_or_else(Outcome::Unknown);
    (outcome, learned, stats)
}

/// What the search needs all the time.
struct Search<'a> {
    task: &'a Task,
    program: &'a Program,
    config: &'a OcConfig,
    budget: &'a Budget,
    observer: &'a dyn Observer,
}

/// A trusted bound is worth no more than this share of the time.
const TRUSTED_SHARE: u32 = 40;

impl Search<'_> {
    fn deepen(&self, facts: &Facts, learned: &mut Facts, stats: &mut OcStats) -> Result<Outcome, Reason> {
        let Search { program, config, budget, .. } = *self;
        let memory_model = self.task.memory_model();
        let begin = budget.now();
        let enough_after = config.trust_bound.then(|| budget.timeout() / TRUSTED_SHARE);
        let is_enough = || enough_after.is_some_and(|time| budget.since(begin) > time);
        // The bound within which there is no error.
        let mut done: Option<u32> = None;
        let first = config.unroll_start.max(facts.bound(memory_model).unwrap_or(0)).min(config.unroll_end);
        let bounds = Bounds { default: first, of: FxHashMap::default(), most_labels: config.most_labels };
        let mut context = Context::new(program, bounds, config.keep_solver);
        let mut kept: Option<Box<dyn Backend>> = None;
        let mut inputs = BoundedInputs::default();
        loop {
            let budget = match (done, enough_after) {
                (Some(_), Some(time)) => &budget.share(time.saturating_sub(budget.since(begin))),
                _ => budget,
            };
            let mut one_bound = || {
                let begin = budget.now();
                let graph = self.unroll(&mut context, budget, stats)?;
                stats.symbolic_seconds += budget.since(begin).as_secs_f64();
                stats.bounds += 1;
                stats.nodes = graph.nodes.len() as u64;
                stats.reads = graph.reads.len() as u64;
                stats.writes = graph.writes.len() as u64;
                let bound = context.bounds.largest();
                let events = graph.reads.len() + graph.writes.len();
                self.observer.event(Event::Unrolled { bound, events, locations: graph.reached.len() });
                let mut session =
                    Session::new(self, &graph, &mut context.pool, (kept.take(), &mut inputs), budget, stats)?;
                let solved = session.ask(stats);
                session.count(stats);
                kept = session.kept();
                solved
            };
            let (reached, astray) = match (one_bound(), done) {
                (Ok(Solved::Unsafe(schedule)), _) => return Ok(Outcome::Unsafe(schedule)),
                (Ok(Solved::Reaches { limits, astray }), _) => (limits, astray),
                (Err(_), Some(bound)) if is_enough() => return self.bounded(bound, None),
                (Err(ended), _) => return Err(ended),
            };
            let bounds = &mut context.bounds;
            // Deeper, there may be an error that needs no stray pointer.
            let can_deepen = reached.iter().any(|l| l.is_bound() && bounds.of(*l) < config.unroll_end);
            if let (Some(why), false) = (&astray, can_deepen) {
                return Err(why.clone());
            }
            if reached.is_empty() {
                let events = stats.reads + stats.writes;
                return Ok(Outcome::Safe(Proof::by(Argument::Unrolling { events })));
            }
            let largest = reached.iter().map(|limit| bounds.of(*limit)).max().unwrap_or(0);
            // A loop that ends by itself is followed to its end: nobody means its bound by a bound to trust.
            let is_no_bound =
                |limit: &Limit| matches!(limit, Limit::KnownLoop(..) | Limit::Gap(..) | Limit::Targets(..));
            let is_a_bound = astray.is_none() && !reached.iter().any(is_no_bound);
            if !can_deepen || is_a_bound && is_enough() {
                return self.bounded(largest, reached.iter().find(|limit| !limit.is_bound()).copied());
            }
            if astray.is_none() && reached.iter().all(|limit| limit.is_bound()) {
                let bound = reached.iter().map(|limit| bounds.of(*limit)).min().unwrap_or(0);
                let fact = Facts { safe_within: vec![SafeWithin { bound, memory_model }] };
                self.observer.event(Event::Learned(fact.clone()));
                learned.add(fact);
            }
            done = is_a_bound.then_some(largest);
            for limit in reached {
                let deeper = bounds.of(limit).max(1).saturating_mul(2).min(config.unroll_end);
                bounds.of.insert(limit, deeper);
            }
        }
    }

    /// No error within a bound; and perhaps there is something that no bound will show.
    fn bounded(&self, bound: u32, beyond: Option<Limit>) -> Result<Outcome, Reason> {
        let but = match beyond {
            Some(Limit::Gap(proc, at)) => {
                let location = &self.program.proc(proc).locations[at.index()];
                let LocKind::Gap(gap) = location.kind else { unreachable!("that is what the limit says") };
                return Err(Reason::gap(self.program, gap));
            }
            Some(Limit::Targets(at)) => {
                let what = "an access through an undetermined address that has very many possible targets";
                return Err(Reason::unsupported(what, at));
            }
            Some(Limit::HeldLock) => "a lock may be initialised while another thread holds it",
            _ if self.config.trust_bound => {
                return Ok(Outcome::Safe(Proof::by(Argument::TrustedBound { bound })));
            }
            Some(_) => "the program is too large to be unrolled further",
            None => "some loop goes on",
        };
        Err(Reason::new(Code::BoundReached, format!("no violation within {bound} iterations of each loop, but {but}")))
    }

    /// Runs the symbolic execution until it confirms what it assumed.
    fn unroll(&self, context: &mut Context, budget: &Budget, stats: &mut OcStats) -> Result<EventGraph, Reason> {
        let model = self.task.memory_model().of_executions();
        for _ in 0..MOST_RUNS {
            stats.runs += 1;
            let ended = run(context, model, &|| budget.stop().is_some());
            context.pool.come_to(None);
            match ended {
                Ok(graph) => return Ok(graph),
                Err((Ended::Again, _)) => {}
                Err((Ended::Stopped, _)) => return Err(stopped(budget)),
                Err((Ended::Unsupported(what), span)) => return Err(Reason::unsupported(what, span)),
            }
            if budget.stop().is_some() {
                return Err(stopped(budget));
            }
        }
        Err(Reason::new(Code::Stuck, "the symbolic execution does not settle what is shared"))
    }
}

enum Solved {
    Unsafe(Schedule),
    /// No error within the bounds; these are reached. An error that needs a stray pointer to lead elsewhere may be there: why it is none.
    Reaches {
        limits: FxHashSet<Limit>,
        astray: Option<Reason>,
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

/// An answer to the question for a violation.
enum Found {
    Nothing,
    /// A schedule of the Program as lowered, replayed.
    Violation(Schedule),
    /// A violation that cannot be confirmed, and why.
    Unconfirmed(Reason),
}

/// One graph in one solver.
struct Session<'a> {
    search: &'a Search<'a>,
    graph: &'a EventGraph,
    pool: &'a mut Symbols,
    inputs: &'a mut BoundedInputs,
    config: &'a OcConfig,
    budget: &'a Budget,
    solver: Box<dyn Backend>,
    theory: Option<Rc<RefCell<OrderTheory>>>,
    problem: OrderProblem,
    /// Pairs of writes that have a literal for their order.
    ordered: FxHashSet<(u32, u32)>,
}

impl<'a> Session<'a> {
    fn new(
        search: &'a Search<'a>,
        graph: &'a EventGraph,
        pool: &'a mut Symbols,
        (kept, inputs): (Option<Box<dyn Backend>>, &'a mut BoundedInputs),
        budget: &'a Budget,
        stats: &mut OcStats,
    ) -> Result<Session<'a>, Reason> {
        let config = search.config;
        let mut solver: Box<dyn Backend> = match (kept, &config.solver, config.decision) {
            // Without reads nothing was added to it, and nothing will be.
            (Some(kept), ..) if graph.reads.is_empty() => kept,
            (_, Some(found), Decision::Basic) => {
                Box::new(ByFormulas::new(Box::new(SmtLibSolver::new(found.clone(), Patience::default()))))
            }
            _ => Box::new(NativeSolver::stopped_by(Interrupt::of(budget))),
        };
        solver.set_effort(Effort { time: Some(SLICE), ..Effort::default() });
        if graph.reads.is_empty() {
            // A solver whose literals are known by their numbers keeps what it has met from one question to the next.
            let yes = pool.bool(true);
            solver.literal(pool, yes).map_err(|_| stopped(budget))?;
        }
        let begin = budget.now();
        let is_over = || budget.stop().is_some();
        let encoded = encode(graph, pool, solver.as_mut(), &is_over).map_err(|_| stopped(budget))?;
        stats.encoding_seconds += budget.since(begin).as_secs_f64();
        let Encoded { problem, pruned } = encoded;
        stats.read_froms = problem.read_froms.len() as u64;
        stats.pruned_read_froms = pruned;
        let begin = budget.now();
        let conflicts = static_conflicts(&problem, config);
        stats.static_conflict_seconds += budget.since(begin).as_secs_f64();
        stats.static_conflicts = conflicts.by_kind;
        conflicts.clauses.iter().for_each(|clause| solver.add_clause(pool, clause));
        let ordered = FxHashSet::default();
        let mut session =
            Session { search, graph, pool, inputs, config, budget, solver, theory: None, problem, ordered };
        session.connect();
        Ok(session)
    }

    /// The solver, if nothing was added to it that is about this bound only: without reads, all formulas are asked for and none is stated.
    fn kept(self) -> Option<Box<dyn Backend>> {
        (self.config.keep_solver && self.graph.reads.is_empty() && self.theory.is_none()).then_some(self.solver)
    }

    /// Without reads there is nothing to order, and the SAT solver may simplify as it likes.
    fn connect(&mut self) {
        if self.graph.reads.is_empty() {
            return;
        }
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
        stats.conflicts += of.conflicts;
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
    fn ask(&mut self, stats: &mut OcStats) -> Result<Solved, Reason> {
        let error = any_of(self.pool, self.graph.errors.iter().copied());
        let astray = any_of(self.pool, self.graph.strays.iter().copied());
        let on_track = self.pool.not(astray);
        let real = self.pool.and(error, on_track);
        match self.violation(real, stats)? {
            Found::Nothing => {}
            Found::Violation(schedule) => return Ok(Solved::Unsafe(schedule)),
            Found::Unconfirmed(reason) => return Err(reason),
        }
        let astray = match self.graph.strays.is_empty() {
            true => None,
            false => match self.violation(error, stats)? {
                Found::Nothing => None,
                Found::Violation(schedule) => return Ok(Solved::Unsafe(schedule)),
                Found::Unconfirmed(reason) => Some(reason),
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

    /// A violation, confirmed, if the goal can be reached.
    fn violation(&mut self, goal: ExprId, stats: &mut OcStats) -> Result<Found, Reason> {
        let unconfirmed = |code, words: String| Ok(Found::Unconfirmed(Reason::new(code, words)));
        let (mut goal, mut unmodelled, mut attempts) = (goal, None, 0);
        while self.check(goal, stats)? {
            let value = self.truth();
            match linearise(&self.problem, &value, LINEARISE_BUDGET) {
                Linearised::Order(order) => {
                    let model = self.search.task.memory_model().of_executions();
                    let Some(schedule) = schedule(self.graph, self.pool, self.solver.as_mut(), &order, model) else {
                        return unconfirmed(Code::Unconfirmed, "a model without an error step".into());
                    };
                    let reason = match self.search.task.confirm(self.search.program, schedule, self.budget) {
                        Ok(schedule) => return Ok(Found::Violation(schedule)),
                        Err(reason) => reason,
                    };
                    attempts += 1;
                    let stated = stated(&self.graph.results, self.pool, self.solver.as_mut());
                    match stated.filter(|_| reason.code == Code::Unmodelled && attempts < MOST_ATTEMPTS) {
                        Some(stated) => goal = self.pool.and(goal, stated),
                        None => return Ok(Found::Unconfirmed(self.unconfirmed(reason))),
                    }
                    unmodelled = Some(reason);
                }
                Linearised::NotSc | Linearised::GaveUp => {
                    stats.weakly_consistent_only += 1;
                    if self.search.task.memory_model() == MemoryModel::Wsc {
                        let words = "a weakly consistent execution that cannot be put in a total order";
                        return unconfirmed(Code::Unconfirmed, words.into());
                    }
                    if !self.order_writes(&value) {
                        return unconfirmed(Code::Stuck, "an assignment could not be put in order".into());
                    }
                }
            }
        }
        // With the results that were stated there is none, but only bounds of them are known.
        Ok(unmodelled.map_or(Found::Nothing, Found::Unconfirmed))
    }

    /// Why a counterexample cannot be replayed.
    fn unconfirmed(&self, reason: Reason) -> Reason {
        match &self.graph.unstated {
            Some((name, span)) => {
                Reason::unsupported(format!("the table `{name}`, which has very many elements"), *span)
            }
            None => reason,
        }
    }

    /// Can the goal be reached in an execution that is weakly consistent?
    fn check(&mut self, goal: ExprId, stats: &mut OcStats) -> Result<bool, Reason> {
        if self.pool.is_bool(goal, false) {
            return Ok(false);
        }
        let goal = self.inputs.narrowed(self.pool, goal);
        loop {
            let begin = self.budget.now();
            let answer = self.solver.check(self.pool, goal);
            stats.solver_seconds += self.budget.since(begin).as_secs_f64();
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
                    if self.budget.stop().is_some() {
                        return Err(stopped(self.budget));
                    }
                }
                Ok(Answer::Sat) => return Ok(true),
                Ok(Answer::Unsat) => return Ok(false),
                Ok(Answer::Unknown(Why::Time | Why::Conflicts)) if self.budget.stop().is_none() => {}
                Ok(Answer::Unknown(_)) => return Err(stopped(self.budget)),
                Err(error) => return Err(Reason::new(Code::Solver, error.to_string())),
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
                let lit = self.solver.fresh_literal(self.pool);
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
