//! Interpolants from a solver that runs as a process, in the dialects of [`super::dialect::Interpolants`].
//!
//! Solvers of the `Named` dialect give whole sequences. For the others a sequence is made of binary interpolants, each of which takes the
//! place of what comes before it: `I1` for `A1` against the rest, then `I2` for `I1 ∧ A2` against the rest, and so on, which is inductive by
//! construction. Whatever a solver says, it is checked with the same solver before it is handed out.

use super::FoundSolver;
use super::dialect::{Features, Floats, Interpolants};
use super::print_floats;
use super::process::{Stop, quoted};
use super::read::read_term;
use super::sexpr::{SexprId, Sexprs};
use super::solve::{Patience, Session, SmtLibSolver};
use crate::solver::{Answer, Effort, Interpolation, Interpolator, Interrupt, Solver, SolverError, Why};
use raddle_ir::{Expr, ExprId, ExprPool, Sort, UnOp, VarId};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// An interpolating solver that runs as a process; one for each call.
pub struct SmtLibInterpolator {
    found: FoundSolver,
    patience: Patience,
    interrupt: Interrupt,
    budget: Effort,
}

/// Why there are no interpolants.
enum Ended {
    Unknown(Why),
    Error(SolverError),
}

impl SmtLibInterpolator {
    pub fn new(found: FoundSolver, patience: Patience) -> SmtLibInterpolator {
        SmtLibInterpolator { found, patience, interrupt: Interrupt::new(), budget: Effort::default() }
    }

    fn error(&self, message: impl Into<String>) -> Ended {
        Ended::Error(self.found.error(message))
    }

    fn stopped(&self, stop: Stop) -> Ended {
        match stop {
            Stop::Interrupted => Ended::Unknown(Why::Interrupted),
            Stop::Deadline if self.budget.time.is_some() => Ended::Unknown(Why::Time),
            Stop::Deadline => self.error(format!("no answer within {:?}", self.patience.check)),
            Stop::Broken(message) => self.error(message),
        }
    }

    /// Are these formulas ones that the dialect can interpolate?
    fn check_supported(&self, pool: &ExprPool, parts: &[ExprId]) -> Result<(), SolverError> {
        let dialect = self.found.dialect;
        let unsupported = |what: &str| Err(SolverError::Unsupported(what.to_string()));
        if dialect.features.interpolants == Interpolants::None {
            return unsupported("interpolation");
        }
        let without_floats = Features { floats: Floats::None, ..dialect.features };
        let mut lacking = None;
        pool.for_each_node(parts, |id, _| {
            if dialect.features.interpolants == Interpolants::Z3 && pool.sort(id) != Sort::Bool {
                lacking = Some("interpolation of bit-vectors (Z3's answers are wrong there)".to_string());
            } else if let Some(what) = print_floats::unsupported(pool, id, &without_floats) {
                // The bits of a result are a constant that the interpolant could not mention.
                lacking = Some(format!("interpolation of {what}"));
            }
        });
        lacking.map_or(Ok(()), |what| Err(SolverError::Unsupported(what)))
    }

    /// Can these formulas all be true?
    fn check(
        &self,
        checker: &mut SmtLibSolver,
        pool: &ExprPool,
        formulas: &[ExprId],
        deadline: Instant,
    ) -> Result<bool, Ended> {
        let time = deadline.saturating_duration_since(Instant::now());
        checker.set_effort(Effort { time: Some(time), ..self.budget });
        match checker.check(pool, formulas).map_err(Ended::Error)? {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(why) => Err(Ended::Unknown(why)),
        }
    }

    fn run(&self, pool: &mut ExprPool, parts: &[ExprId]) -> Result<Interpolation, Ended> {
        let time = self.budget.time.unwrap_or(self.patience.check).min(Duration::from_secs(1 << 30));
        let deadline = Instant::now() + time;
        let mut checker = SmtLibSolver::new(self.found.clone(), self.patience);
        checker.share_interrupt(&self.interrupt);
        if self.check(&mut checker, pool, parts, deadline)? {
            return Ok(Interpolation::Sat);
        }
        if parts.len() < 2 {
            return Ok(Interpolation::Interpolants(Vec::new()));
        }
        let interpolants = if self.found.dialect.features.interpolants == Interpolants::Named {
            self.sequence(pool, parts, deadline)?
        } else {
            let mut interpolants = Vec::new();
            let mut before = pool.bool(true);
            for k in 1..parts.len() {
                let a = pool.and(before, parts[k - 1]);
                let b = conjunction(pool, &parts[k..]);
                before = self.binary(pool, a, b, deadline)?;
                interpolants.push(before);
            }
            interpolants
        };
        self.certify(&mut checker, pool, parts, &interpolants, deadline)?;
        Ok(Interpolation::Interpolants(interpolants))
    }

    fn start(&self, options: &[&str]) -> Result<Session, Ended> {
        Session::start(&self.found, &self.patience, options).map_err(Ended::Error)
    }

    /// Asks a solver for the interpolant of two formulas.
    fn binary(&self, pool: &mut ExprPool, a: ExprId, b: ExprId, deadline: Instant) -> Result<ExprId, Ended> {
        let kind = self.found.dialect.features.interpolants;
        let mut session = self.start(if kind == Interpolants::Z3 { &[] } else { &[":produce-interpolants"] })?;
        let first = session.printer.term(pool, a, &mut session.out);
        let second = session.printer.term(pool, b, &mut session.out);
        let out = &mut session.out;
        match kind {
            Interpolants::Z3 => {
                let _ = writeln!(out, "(get-interpolant {first} {second})");
            }
            Interpolants::Cvc5 => {
                let _ = writeln!(out, "(assert {first})\n(get-interpolant interpolant (not {second}))");
            }
            _ => {
                let _ = writeln!(out, "(assert (! {first} :interpolation-group a))");
                let _ = writeln!(out, "(assert (! {second} :interpolation-group b))\n(check-sat)");
                self.expect_unsat(&mut session, deadline)?;
                session.out.push_str("(get-interpolant (a))\n");
            }
        }
        let (sexprs, id) = session.ask(deadline, &self.interrupt).map_err(|stop| self.stopped(stop))?;
        if kind == Interpolants::Cvc5 {
            return match (sexprs.list_of(id, "define-fun"), sexprs.atom(id)) {
                (Some([.., term]), _) => self.read(pool, &sexprs, *term),
                (_, Some("fail" | "none" | "unknown")) => Err(Ended::Unknown(Why::GaveUp)),
                (_, said) => Err(self.error(format!("it said {}", quoted(said.unwrap_or("a list").as_bytes())))),
            };
        }
        self.read(pool, &sexprs, id)
    }

    /// Asks a solver for the interpolants of a sequence.
    fn sequence(&self, pool: &mut ExprPool, parts: &[ExprId], deadline: Instant) -> Result<Vec<ExprId>, Ended> {
        let mut session = self.start(&[":produce-interpolants"])?;
        let mut names = String::new();
        for (i, part) in parts.iter().enumerate() {
            let term = session.printer.term(pool, *part, &mut session.out);
            let _ = writeln!(session.out, "(assert (! {term} :named part{i}))");
            let _ = write!(names, " part{i}");
        }
        session.out.push_str("(check-sat)\n");
        self.expect_unsat(&mut session, deadline)?;
        let _ = writeln!(session.out, "(get-interpolants{names})");
        let (sexprs, id) = session.ask(deadline, &self.interrupt).map_err(|stop| self.stopped(stop))?;
        let items = sexprs.items(id);
        if items.len() != parts.len() - 1 {
            return Err(self.error(format!("it gave {} interpolants for {} formulas", items.len(), parts.len())));
        }
        items.iter().map(|item| self.read(pool, &sexprs, *item)).collect()
    }

    fn expect_unsat(&self, session: &mut Session, deadline: Instant) -> Result<(), Ended> {
        match session.ask_check(deadline, &self.interrupt).map_err(|stop| self.stopped(stop))? {
            Answer::Unsat => Ok(()),
            Answer::Unknown(why) => Err(Ended::Unknown(why)),
            Answer::Sat => Err(self.error("it first said unsat, then sat")),
        }
    }

    fn read(&self, pool: &mut ExprPool, sexprs: &Sexprs, id: SexprId) -> Result<ExprId, Ended> {
        let understood = read_term(sexprs, id, pool, &named).and_then(|term| match pool.sort(term) {
            Sort::Bool => Ok(term),
            other => Err(format!("it has the sort {other}")),
        });
        understood.map_err(|e| self.error(format!("its interpolant is not understood: {e}")))
    }

    /// Checks everything that [`Interpolation::Interpolants`] promises.
    fn certify(
        &self,
        checker: &mut SmtLibSolver,
        pool: &mut ExprPool,
        parts: &[ExprId],
        interpolants: &[ExprId],
        deadline: Instant,
    ) -> Result<(), Ended> {
        let vars =
            |pool: &ExprPool, ids: &[ExprId]| -> BTreeSet<VarId> { ids.iter().flat_map(|id| pool.vars(*id)).collect() };
        let mut before = pool.bool(true);
        for (k, part) in parts.iter().enumerate() {
            let after = interpolants.get(k).copied().unwrap_or_else(|| pool.bool(false));
            let not_after = pool.not(after);
            if self.check(checker, pool, &[before, *part, not_after], deadline)? {
                return Err(self.error("its interpolant does not follow"));
            }
            let (left, right) = (vars(pool, &parts[..=k]), vars(pool, &parts[k + 1..]));
            if !vars(pool, &[after]).iter().all(|var| left.contains(var) && right.contains(var)) {
                return Err(self.error("its interpolant has variables that are not shared"));
            }
            before = after;
        }
        Ok(())
    }
}

fn conjunction(pool: &mut ExprPool, formulas: &[ExprId]) -> ExprId {
    let all = pool.bool(true);
    formulas.iter().fold(all, |so_far, formula| pool.and(so_far, *formula))
}

/// What the printer's names stand for: `v3` for a variable, `n7` for an expression. Where it printed the bits of a float, they are
/// the bits of a float here.
fn named(pool: &mut ExprPool, name: &str) -> Option<ExprId> {
    let (kind, number) = name.split_at_checked(1)?;
    let number: u32 = number.parse().ok()?;
    let id = match kind {
        "v" => pool.find(Expr::Var(VarId(number)))?,
        "n" => Some(ExprId(number)).filter(|id| pool.contains(*id))?,
        _ => return None,
    };
    Some(if pool.sort(id).is_float() { pool.unary(UnOp::FToBits, id) } else { id })
}

impl Interpolator for SmtLibInterpolator {
    fn interpolate(&mut self, pool: &mut ExprPool, parts: &[ExprId]) -> Result<Interpolation, SolverError> {
        self.check_supported(pool, parts)?;
        if self.interrupt.is_stopped() {
            return Ok(Interpolation::Unknown(Why::Interrupted));
        }
        match self.run(pool, parts) {
            Ok(interpolation) => Ok(interpolation),
            Err(Ended::Unknown(why)) => Ok(Interpolation::Unknown(why)),
            Err(Ended::Error(error)) => Err(error),
        }
    }

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn set_effort(&mut self, budget: Effort) {
        self.budget = budget;
    }
}
