//! External propagators: a theory that takes part in the SAT solver's search (CaDiCaL's IPASIR-UP).
//!
//! The propagator sees assignments of the literals that it observes as they happen, and can propagate literals (with reasons
//! given only when asked), add clauses, choose decisions, and refuse models. Assignments come in the order of the trail; a
//! backtrack to a level takes back all that was assigned above it.

use crate::cnf::SatLit;
use cadical_sys::ExternalPropagator;
use std::cell::RefCell;
use std::rc::Rc;

/// A theory beside the SAT solver. All clauses, propagations and decisions must be over observed literals.
pub trait Propagator {
    /// These literals became true.
    fn assigned(&mut self, lits: &[SatLit]);

    /// A decision is about to be made.
    fn new_level(&mut self);

    /// All that was assigned above the level is taken back; the levels are counted from 0, where nothing was decided.
    fn backtrack(&mut self, level: usize);

    /// A literal that follows from what is assigned. It is asked again until there is none.
    fn propagate(&mut self) -> Option<SatLit> {
        None
    }

    /// The clause that made `propagate` give the literal: the literal itself and only literals that were false then.
    fn reason(&mut self, lit: SatLit, clause: &mut Vec<SatLit>) {
        clause.push(lit);
    }

    /// Is this assignment of all observed variables fine? If not, `clause` must give a clause that forbids it next.
    fn check_model(&mut self, model: &[SatLit]) -> bool;

    /// A clause to add, if there is one.
    fn clause(&mut self, clause: &mut Vec<SatLit>) -> bool;

    /// The next decision; the SAT solver's own if there is none.
    fn decide(&mut self) -> Option<SatLit> {
        None
    }

    /// May the SAT solver forget the clauses that `clause` and `reason` gave? It may if they can be given again.
    fn forgettable(&self) -> bool {
        false
    }
}

/// Between a `Propagator` and CaDiCaL, which takes clauses literal by literal, each with a 0 at the end.
pub(crate) struct Adapter<P> {
    inner: Rc<RefCell<P>>,
    lits: Vec<SatLit>,
    clause: Vec<SatLit>,
    reason: Option<Vec<SatLit>>,
}

impl<P: Propagator> Adapter<P> {
    pub(crate) fn new(inner: Rc<RefCell<P>>) -> Self {
        Adapter { inner, lits: Vec::new(), clause: Vec::new(), reason: None }
    }
}

impl<P: Propagator> ExternalPropagator for Adapter<P> {
    fn are_reasons_forgettable(&mut self) -> bool {
        self.inner.borrow().forgettable()
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        self.lits.clear();
        self.lits.extend(lits.iter().map(|&lit| SatLit(lit)));
        self.inner.borrow_mut().assigned(&self.lits);
    }

    fn notify_new_decision_level(&mut self) {
        self.inner.borrow_mut().new_level();
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.inner.borrow_mut().backtrack(new_level);
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        self.lits.clear();
        self.lits.extend(model.iter().map(|&lit| SatLit(lit)));
        self.inner.borrow_mut().check_model(&self.lits)
    }

    fn cb_decide(&mut self) -> i32 {
        self.inner.borrow_mut().decide().map_or(0, |lit| lit.0)
    }

    fn cb_propagate(&mut self) -> i32 {
        self.inner.borrow_mut().propagate().map_or(0, |lit| lit.0)
    }

    fn cb_add_reason_clause_lit(&mut self, propagated_lit: i32) -> i32 {
        let reason = self.reason.get_or_insert_with(|| {
            let mut clause = Vec::new();
            self.inner.borrow_mut().reason(SatLit(propagated_lit), &mut clause);
            clause
        });
        match reason.pop() {
            Some(lit) => lit.0,
            None => {
                self.reason = None;
                0
            }
        }
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        self.clause.clear();
        let mut inner = self.inner.borrow_mut();
        *is_forgettable = inner.forgettable();
        inner.clause(&mut self.clause)
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.clause.pop().map_or(0, |lit| lit.0)
    }
}
