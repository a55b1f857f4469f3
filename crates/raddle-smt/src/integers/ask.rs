//! The conversation with a solver about interpolants over integers, in the dialects of [`Interpolants`].
//!
//! As for bit-vectors (`smtlib/interpolate.rs`), a sequence is made of binary interpolants, each of which takes the place of what comes before it, unless the
//! solver gives whole sequences. One process answers all of them.

use super::terms::{TermId, Terms};
use super::text::{Printer, read};
use super::{Ended, IntegerInterpolator};
use crate::smtlib::process::{Stop, quoted};
use crate::smtlib::sexpr::{SexprId, Sexprs};
use crate::smtlib::{Interpolants, Session};
use crate::solver::{Answer, Why};
use std::fmt::Write;
use std::time::Instant;

pub(super) enum Asked {
    /// The parts can all be true.
    Sat,
    Interpolants(Vec<TermId>),
}

/// A conversation.
struct Talk<'a> {
    with: &'a IntegerInterpolator,
    session: Session,
    printer: Printer,
    deadline: Instant,
}

pub(super) fn ask(
    with: &IntegerInterpolator,
    terms: &mut Terms,
    parts: &[TermId],
    deadline: Instant,
) -> Result<Asked, Ended> {
    let kind = with.found.dialect.features.interpolants;
    let options: &[&str] = if kind == Interpolants::Z3 { &[] } else { &[":produce-interpolants"] };
    // A solver that does not know all logics knows this one.
    let logic = if with.found.dialect.logic == "ALL" { "ALL" } else { "QF_LIA" };
    let mut session = Session::start_in(&with.found, &with.patience, options, logic).map_err(Ended::Error)?;
    if kind == Interpolants::Z3 {
        // Otherwise it prepares for every logic there is each time: half a second for each interpolant.
        session.out.push_str("(set-option :tactic.default_tactic smt)\n");
    }
    let mut talk = Talk { with, session, printer: Printer::default(), deadline };
    let names: Vec<String> = parts.iter().map(|part| talk.printer.term(terms, *part, &mut talk.session.out)).collect();
    if !talk.is_unsat(&names)? {
        return Ok(Asked::Sat);
    }
    if names.len() < 2 {
        return Ok(Asked::Interpolants(Vec::new()));
    }
    if kind == Interpolants::Named {
        return talk.sequence(terms, &names).map(Asked::Interpolants);
    }
    let mut interpolants = Vec::new();
    for (k, name) in names.iter().enumerate().take(names.len() - 1) {
        let before = match interpolants.last() {
            Some(before) => talk.printer.term(terms, *before, &mut talk.session.out),
            None => "true".to_string(),
        };
        let after = names[k + 1..].join(" ");
        interpolants.push(talk.binary(terms, &format!("(and {before} {name})"), &format!("(and true {after})"))?);
    }
    Ok(Asked::Interpolants(interpolants))
}

impl Talk<'_> {
    fn stopped(&self, stop: Stop) -> Ended {
        match stop {
            Stop::Interrupted => Ended::Unknown(Why::Interrupted),
            Stop::Deadline if self.with.budget.time.is_some() => Ended::Unknown(Why::Time),
            Stop::Deadline => self.with.error(format!("no answer within {:?}", self.with.patience.check)),
            Stop::Broken(message) => self.with.error(message),
        }
    }

    fn hear(&mut self) -> Result<(Sexprs, SexprId), Ended> {
        self.session.ask(self.deadline, &self.with.interrupt).map_err(|stop| self.stopped(stop))
    }

    fn check(&mut self) -> Result<bool, Ended> {
        match self.session.ask_check(self.deadline, &self.with.interrupt).map_err(|stop| self.stopped(stop))? {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(why) => Err(Ended::Unknown(why)),
        }
    }

    fn is_unsat(&mut self, formulas: &[String]) -> Result<bool, Ended> {
        self.session.out.push_str("(push 1)\n");
        for formula in formulas {
            let _ = writeln!(self.session.out, "(assert {formula})");
        }
        self.session.out.push_str("(check-sat)\n");
        let answer = self.check();
        self.session.out.push_str("(pop 1)\n");
        answer
    }

    fn read(&self, terms: &mut Terms, sexprs: &Sexprs, id: SexprId) -> Result<TermId, Ended> {
        let understood = read(sexprs, id, terms).and_then(|term| match terms.is_int(term) {
            false => Ok(term),
            true => Err("it is an integer".to_string()),
        });
        understood.map_err(|e| self.with.error(format!("its interpolant is not understood: {e}")))
    }

    fn binary(&mut self, terms: &mut Terms, a: &str, b: &str) -> Result<TermId, Ended> {
        let out = &mut self.session.out;
        match self.with.found.dialect.features.interpolants {
            Interpolants::Z3 => {
                let _ = writeln!(out, "(get-interpolant {a} {b})");
                let (sexprs, id) = self.hear()?;
                match sexprs.atom(id) {
                    Some("sat" | "unknown") => Err(Ended::Unknown(Why::GaveUp)),
                    _ => self.read(terms, &sexprs, id),
                }
            }
            Interpolants::Cvc5 => {
                let _ = writeln!(out, "(push 1)\n(assert {a})\n(get-interpolant interpolant (not {b}))");
                let (sexprs, id) = self.hear()?;
                self.session.out.push_str("(pop 1)\n");
                match (sexprs.list_of(id, "define-fun"), sexprs.atom(id)) {
                    (Some([.., term]), _) => self.read(terms, &sexprs, *term),
                    (_, Some("fail" | "none" | "unknown")) => Err(Ended::Unknown(Why::GaveUp)),
                    (_, said) => {
                        Err(self.with.error(format!("it said {}", quoted(said.unwrap_or("a list").as_bytes()))))
                    }
                }
            }
            _ => {
                let _ = writeln!(out, "(push 1)\n(assert (! {a} :interpolation-group a))");
                let _ = writeln!(out, "(assert (! {b} :interpolation-group b))\n(check-sat)");
                if !self.check()? {
                    return Err(Ended::Unknown(Why::GaveUp));
                }
                self.session.out.push_str("(get-interpolant (a))\n(pop 1)\n");
                let (sexprs, id) = self.hear()?;
                self.read(terms, &sexprs, id)
            }
        }
    }

    /// From a solver that gives whole sequences.
    fn sequence(&mut self, terms: &mut Terms, parts: &[String]) -> Result<Vec<TermId>, Ended> {
        let mut names = String::new();
        for (i, part) in parts.iter().enumerate() {
            let _ = writeln!(self.session.out, "(assert (! {part} :named part{i}))");
            let _ = write!(names, " part{i}");
        }
        self.session.out.push_str("(check-sat)\n");
        if !self.check()? {
            return Err(Ended::Unknown(Why::GaveUp));
        }
        let _ = writeln!(self.session.out, "(get-interpolants{names})");
        let (sexprs, id) = self.hear()?;
        let items = sexprs.items(id);
        if items.len() + 1 != parts.len() {
            return Err(self.with.error(format!("it gave {} interpolants for {} formulas", items.len(), parts.len())));
        }
        items.iter().map(|item| self.read(terms, &sexprs, *item)).collect()
    }
}
