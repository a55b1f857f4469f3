//! The [`Solver`] that runs as a process.
//!
//! The assertion stack is kept here. A process is started when a check needs one and brought up to date just before the check; if it dies, is
//! killed for being late or is interrupted, the next check starts a new one and tells it the whole stack. So no failure outlives its
//! call.

use super::FoundSolver;
use super::print::{Printer, check_supported, var_text};
use super::process::{Process, Stop, quoted};
use super::read::read_value;
use super::sexpr::{Sexpr, SexprId, Sexprs, parse};
use crate::solver::{Answer, Effort, Interrupt, Solver, SolverError, Statistics, Why};
use raddle_ir::{ArrayValue, Expr, ExprId, ExprPool, Sort, UnOp, Value, VarId, eval};
use rustc_hash::{FxHashMap, FxHashSet};
use std::convert::Infallible;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long to wait for a solver that no budget limits, and how much to listen to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For the answer to a check.
    pub check: Duration,
    /// For other answers, which take no search.
    pub other: Duration,
    /// The longest answer, in bytes.
    pub longest: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { check: Duration::from_secs(3600), other: Duration::from_secs(60), longest: 256 << 20 }
    }
}

/// How many variables to ask for at once.
const VARIABLES_AT_ONCE: usize = 1000;

/// A solver that runs as a process.
pub struct SmtLibSolver {
    found: FoundSolver,
    patience: Patience,
    interrupt: Interrupt,
    budget: Effort,
    statistics: Statistics,
    /// What is asserted, the base level first.
    levels: Vec<Vec<ExprId>>,
    /// Nodes that the solver can take.
    supported: FxHashSet<ExprId>,
    session: Option<Session>,
    model: Model,
    failed: Vec<ExprId>,
}

enum Model {
    /// There is none: everything is 0.
    None,
    /// The process has one.
    InProcess,
    Known(FxHashMap<VarId, Value>),
}

/// A process and what it has been told.
pub(crate) struct Session {
    process: Process,
    pub(super) printer: Printer,
    /// How many formulas of each level it knows.
    told: Vec<usize>,
    /// Commands that are still to be sent.
    pub(crate) out: String,
    /// The names of assumptions that are no literals, and the level of each.
    assumptions: FxHashMap<ExprId, usize>,
    /// The assumptions of the last check are a level of their own, for solvers that know no other way.
    aside: bool,
    /// It is not to be asked again.
    broken: bool,
}

impl Session {
    pub(super) fn start(found: &FoundSolver, patience: &Patience, options: &[&str]) -> Result<Session, SolverError> {
        Self::start_in(found, patience, options, found.dialect.logic)
    }

    /// For formulas of a logic.
    pub(crate) fn start_in(
        found: &FoundSolver,
        patience: &Patience,
        options: &[&str],
        logic: &str,
    ) -> Result<Session, SolverError> {
        let process = Process::start(&found.path, found.dialect.arguments, patience.longest)
            .map_err(|message| found.error(message))?;
        let mut out = String::from("(set-option :print-success false)\n");
        for option in options {
            let _ = writeln!(out, "(set-option {option} true)");
        }
        let _ = writeln!(out, "(set-logic {logic})");
        Ok(Session {
            process,
            printer: Printer::default(),
            told: vec![0],
            out,
            assumptions: FxHashMap::default(),
            aside: false,
            broken: false,
        })
    }

    fn push(&mut self) {
        self.out.push_str("(push 1)\n");
        self.printer.push();
    }

    fn pop(&mut self) {
        self.out.push_str("(pop 1)\n");
        self.printer.pop();
    }

    fn pop_aside(&mut self) {
        if std::mem::take(&mut self.aside) {
            self.pop();
        }
    }

    pub(super) fn assert(&mut self, pool: &ExprPool, formula: ExprId) {
        let term = self.printer.term(pool, formula, &mut self.out);
        let _ = writeln!(self.out, "(assert {term})");
    }

    /// Tells the process what it does not yet know of the stack.
    fn catch_up(&mut self, pool: &ExprPool, levels: &[Vec<ExprId>]) {
        for (level, formulas) in levels.iter().enumerate() {
            if level == self.told.len() {
                self.push();
                self.told.push(0);
            }
            for formula in &formulas[self.told[level]..] {
                self.assert(pool, *formula);
            }
            self.told[level] = formulas.len();
        }
    }

    /// A literal that stands for an assumption. The name of a formula implies it by an assertion: `define-fun` would be expanded by Z3 in
    /// the answer to `get-unsat-assumptions`, and an equation would make the solver think of it in all later checks.
    fn literal(&mut self, pool: &ExprPool, assumption: ExprId) -> String {
        let variable = |id| matches!(pool.get(id), Expr::Var(_));
        let is_literal = match pool.get(assumption) {
            Expr::Unary(UnOp::Not, a) => variable(a),
            _ => variable(assumption),
        };
        if is_literal {
            // Named or not, a variable prints as itself; its negation is spelled out, since some know only literals here.
            return match pool.get(assumption) {
                Expr::Unary(_, a) => format!("(not {})", self.printer.term(pool, a, &mut self.out)),
                _ => self.printer.term(pool, assumption, &mut self.out),
            };
        }
        let name = format!("p{}", assumption.0);
        if !self.assumptions.contains_key(&assumption) {
            let term = self.printer.term(pool, assumption, &mut self.out);
            let _ = writeln!(self.out, "(declare-fun {name} () Bool)\n(assert (=> {name} {term}))");
            self.assumptions.insert(assumption, self.told.len());
        }
        name
    }

    /// Sends what is to be sent and waits for an answer.
    pub(crate) fn ask(&mut self, deadline: Instant, interrupt: &Interrupt) -> Result<(Sexprs, SexprId), Stop> {
        self.process.write(std::mem::take(&mut self.out));
        loop {
            let answer = self.process.read(deadline, interrupt)?;
            // What a solver says of options and commands that it does not know or need not answer.
            if answer == "success" || answer == "unsupported" {
                continue;
            }
            let (sexprs, id) =
                parse(&answer).map_err(|e| Stop::Broken(format!("it said {} ({e})", quoted(answer.as_bytes()))))?;
            if let Some(message) = sexprs.list_of(id, "error") {
                let said = match message.first().map(|id| sexprs.get(*id)) {
                    Some(Sexpr::Text(text)) => text.trim().to_string(),
                    _ => quoted(answer.as_bytes()),
                };
                return Err(Stop::Broken(said));
            }
            return Ok((sexprs, id));
        }
    }

    /// As `ask`, for `check-sat` and what is like it.
    pub(crate) fn ask_check(&mut self, deadline: Instant, interrupt: &Interrupt) -> Result<Answer, Stop> {
        let (sexprs, id) = self.ask(deadline, interrupt)?;
        match sexprs.atom(id) {
            Some("sat") => Ok(Answer::Sat),
            Some("unsat") => Ok(Answer::Unsat),
            Some("unknown") => Ok(Answer::Unknown(Why::GaveUp)),
            Some("timeout") => Ok(Answer::Unknown(Why::Time)),
            Some(other) => Err(Stop::Broken(format!("it said {}", quoted(other.as_bytes())))),
            None => Err(Stop::Broken("it answered `check-sat` with a list".to_string())),
        }
    }

    fn values(&mut self, deadline: Instant) -> Result<FxHashMap<VarId, Value>, Stop> {
        let variables = self.printer.variables();
        let mut model = FxHashMap::default();
        for some in variables.chunks(VARIABLES_AT_ONCE) {
            self.out.push_str("(get-value (");
            for (var, _) in some {
                self.out.push_str(&var_text(*var));
                self.out.push(' ');
            }
            self.out.push_str("))\n");
            let (sexprs, id) = self.ask(deadline, &Interrupt::new())?;
            let pairs: FxHashMap<&str, SexprId> = sexprs
                .items(id)
                .iter()
                .filter_map(|pair| match sexprs.items(*pair) {
                    [name, value] => Some((sexprs.atom(*name)?, *value)),
                    _ => None,
                })
                .collect();
            for (var, sort) in some {
                let name = var_text(*var);
                let value =
                    *pairs.get(name.as_str()).ok_or_else(|| Stop::Broken(format!("it gave no value of {name}")))?;
                let value = read_value(&sexprs, value, *sort)
                    .map_err(|e| Stop::Broken(format!("the value that it gave of {name} is not understood: {e}")))?;
                model.insert(*var, value);
            }
        }
        Ok(model)
    }

    /// Those of the assumptions that the process says were enough for `unsat`.
    fn unsat_assumptions(
        &mut self,
        assumptions: &[ExprId],
        literals: &[String],
        deadline: Instant,
    ) -> Result<Vec<ExprId>, Stop> {
        self.out.push_str("(get-unsat-assumptions)\n");
        let (sexprs, id) = self.ask(deadline, &Interrupt::new())?;
        let said: FxHashSet<String> = sexprs
            .items(id)
            .iter()
            .filter_map(|item| match sexprs.list_of(*item, "not") {
                Some([name]) => sexprs.atom(*name).map(|name| format!("(not {name})")),
                _ => sexprs.atom(*item).map(str::to_string),
            })
            .collect();
        let failed = assumptions.iter().zip(literals).filter(|(_, literal)| said.contains(*literal)).map(|(id, _)| *id);
        Ok(failed.collect())
    }
}

impl SmtLibSolver {
    /// No process is started before the first check.
    pub fn new(found: FoundSolver, patience: Patience) -> SmtLibSolver {
        SmtLibSolver {
            found,
            patience,
            interrupt: Interrupt::new(),
            budget: Effort::default(),
            statistics: Statistics::default(),
            levels: vec![Vec::new()],
            supported: FxHashSet::default(),
            session: None,
            model: Model::None,
            failed: Vec::new(),
        }
    }

    pub fn found(&self) -> &FoundSolver {
        &self.found
    }

    /// Takes the handle of another solver, so that one stop stops both.
    pub(super) fn share_interrupt(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    fn forget_model(&mut self) {
        self.model = Model::None;
    }

    fn check_formula(&mut self, pool: &ExprPool, formula: ExprId) -> Result<(), SolverError> {
        if !pool.contains(formula) || pool.sort(formula) != Sort::Bool {
            return Err(SolverError::Unsupported("a formula that is not a Bool".to_string()));
        }
        check_supported(pool, formula, &self.found.dialect.features, &mut self.supported)
    }

    fn run_check(
        &mut self,
        session: &mut Session,
        pool: &ExprPool,
        assumptions: &[ExprId],
        deadline: Instant,
    ) -> Result<Answer, Stop> {
        session.pop_aside();
        session.catch_up(pool, &self.levels);
        let features = self.found.dialect.features;
        if !features.unsat_assumptions && !assumptions.is_empty() {
            session.push();
            session.aside = true;
            for assumption in assumptions {
                session.assert(pool, *assumption);
            }
        }
        let literals: Vec<String> = if features.unsat_assumptions {
            assumptions.iter().map(|assumption| session.literal(pool, *assumption)).collect()
        } else {
            Vec::new()
        };
        let command = if literals.is_empty() {
            "(check-sat)\n".to_string()
        } else {
            format!("(check-sat-assuming ({}))\n", literals.join(" "))
        };
        session.out.push_str(&command);
        let answer = session.ask_check(deadline, &self.interrupt)?;
        if answer == Answer::Unsat && !literals.is_empty() {
            let until = Instant::now() + self.patience.other;
            // The answer stands, whatever becomes of this question.
            match session.unsat_assumptions(assumptions, &literals, until) {
                Ok(failed) => self.failed = failed,
                Err(_) => session.broken = true,
            }
        }
        Ok(answer)
    }
}

impl Solver for SmtLibSolver {
    fn assert(&mut self, pool: &ExprPool, formula: ExprId) -> Result<(), SolverError> {
        self.forget_model();
        self.check_formula(pool, formula)?;
        if let Some(level) = self.levels.last_mut() {
            level.push(formula);
        }
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.forget_model();
        self.levels.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.forget_model();
        if self.levels.len() == 1 {
            return Ok(());
        }
        self.levels.pop();
        if let Some(session) = &mut self.session {
            session.pop_aside();
            if session.told.len() > self.levels.len() {
                session.told.pop();
                session.pop();
                let left = session.told.len();
                session.assumptions.retain(|_, level| *level <= left);
            }
        }
        Ok(())
    }

    fn check(&mut self, pool: &ExprPool, assumptions: &[ExprId]) -> Result<Answer, SolverError> {
        self.forget_model();
        self.failed.clear();
        for assumption in assumptions {
            self.check_formula(pool, *assumption)?;
        }
        self.statistics.checks += 1;
        if self.interrupt.is_stopped() {
            return Ok(Answer::Unknown(Why::Interrupted));
        }
        let started = Instant::now();
        // A limit that the clock cannot express is none.
        let deadline = [self.budget.time.unwrap_or(self.patience.check), Duration::from_secs(1 << 30)]
            .into_iter()
            .find_map(|time| started.checked_add(time))
            .unwrap_or(started);
        let mut session = match self.session.take() {
            Some(session) if self.found.dialect.features.incremental => session,
            _ => {
                let mut options = vec![":produce-models"];
                if self.found.dialect.features.unsat_assumptions {
                    options.push(":produce-unsat-assumptions");
                }
                Session::start(&self.found, &self.patience, &options)?
            }
        };
        self.failed = assumptions.to_vec();
        match self.run_check(&mut session, pool, assumptions, deadline) {
            Ok(answer) => {
                if answer == Answer::Sat {
                    self.model = Model::InProcess;
                }
                if answer != Answer::Unsat {
                    self.failed.clear();
                }
                self.session = Some(session).filter(|session| !session.broken);
                Ok(answer)
            }
            Err(stop) => {
                self.failed.clear();
                match stop {
                    Stop::Interrupted => Ok(Answer::Unknown(Why::Interrupted)),
                    Stop::Deadline if self.budget.time.is_some() => Ok(Answer::Unknown(Why::Time)),
                    Stop::Deadline => Err(self.found.error(format!("no answer within {:?}", self.patience.check))),
                    Stop::Broken(message) => Err(self.found.error(message)),
                }
            }
        }
    }

    fn value(&mut self, pool: &ExprPool, expr: ExprId) -> Result<Value, SolverError> {
        if let (Model::InProcess, Some(session)) = (&self.model, &mut self.session) {
            match session.values(Instant::now() + self.patience.other) {
                Ok(values) => self.model = Model::Known(values),
                Err(stop) => {
                    self.session = None;
                    self.model = Model::None;
                    return Err(self.found.error(match stop {
                        Stop::Broken(message) => message,
                        _ => format!("no values within {:?}", self.patience.other),
                    }));
                }
            }
        }
        let zero = |var: VarId| match pool.find(Expr::Var(var)).map(|id| pool.sort(id)) {
            Some(Sort::Array { .. }) => Value::Array(Arc::new(ArrayValue::default())),
            _ => Value::Bits(0),
        };
        let known = match &self.model {
            Model::Known(values) => Some(values),
            _ => None,
        };
        let mut env = |var: VarId| {
            let value = known.and_then(|values| values.get(&var)).cloned();
            Ok::<_, Infallible>(value.unwrap_or_else(|| zero(var)))
        };
        eval::eval(pool, expr, &mut env).map_err(|never| match never {})
    }

    fn failed(&mut self) -> Result<Vec<ExprId>, SolverError> {
        Ok(self.failed.clone())
    }

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn set_effort(&mut self, budget: Effort) {
        self.budget = budget;
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
