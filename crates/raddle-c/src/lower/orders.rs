//! Evaluation in any order: C leaves open in which order operands, arguments and initialisers are evaluated, and calls among them are not interleaved.
//!
//! Where two evaluations in an expression are unsequenced, one is a call and the order can make a difference (`effects`), a plan says which subexpressions
//! are evaluated first, in which orders. Lowering takes any of these orders, keeps the values, and then lowers the expression around them. Without a
//! plan, operands are evaluated from left to right. Orders that are not tried are a gap: nobody proves anything about them. A plain variable that is
//! changed and used unsequenced is undefined behaviour, and no business of this file. `va_arg` counts as a call. So does a statement expression: C does not
//! know it, and compilers evaluate it as a whole, before or after its neighbours.

use super::builder::Builder;
use super::effects::{Addresses, Effects, Escaped, Summaries, of_statement};
use super::{Lower, unordered};
use crate::error::Result;
use crate::hir::visit::{Part, each_statement, in_expr, in_statement, initial_values, operands};
use crate::hir::{Expr, ExprKind, Init, Stmt, StmtKind};
use raddle_ir::{ExprId, GapKind, HavocReason, LocId, Sort, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// More evaluations than this are not permuted.
const MOST_EVENTS: usize = 6;
/// More orders than this are not tried.
const MOST_ORDERS: usize = 8;

/// Where an expression or initialiser is in memory: the typed tree stays where it is.
type Address = usize;

/// Evaluations that are done before the expression around them.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    events: Vec<&'a Expr>,
    /// Each an order of all events; the first is from left to right.
    orders: Vec<Vec<usize>>,
    /// There are orders beyond these.
    is_partial: bool,
}

/// The plans of a function, by what is evaluated.
pub(super) type Plans<'a> = FxHashMap<Address, Rc<Plan<'a>>>;

pub(super) fn address<T>(of: &T) -> Address {
    std::ptr::from_ref(of).addr()
}

/// The plans of a function's body.
pub(super) fn plans<'a>(cx: &Lower<'a>, body: &'a [Stmt]) -> Plans<'a> {
    if !unordered::in_statements(&cx.hir.types, body) {
        return Plans::default();
    }
    let summaries = &cx.summaries();
    let mut addresses = Addresses::default();
    addresses.in_statements(body);
    let mut planner = Planner { summaries, escaped: addresses.locals, plans: Plans::default() };
    planner.statements(body);
    planner.plans
}

struct Planner<'s, 'a> {
    summaries: &'s Summaries<'a>,
    escaped: Escaped,
    plans: Plans<'a>,
}

/// One evaluation among others that it is not sequenced with, but for those that it needs and those that need it.
struct Event<'a> {
    expr: &'a Expr,
    /// One, but for an expression with sequence points in it, which is one event with everything in it.
    pieces: Vec<Piece>,
    /// The event that needs this one first.
    user: Option<usize>,
}

struct Piece {
    effects: Effects,
    /// A call, or what counts as one: nothing is undefined about its order.
    is_call: bool,
}

impl<'a> Planner<'_, 'a> {
    fn statements(&mut self, statements: &'a [Stmt]) {
        for statement in statements {
            if let StmtKind::Local(_, Some(init)) = &statement.kind {
                self.root(address::<Init>(init), initial_values(init).collect());
            } else {
                in_statement(statement, |part| match part {
                    Part::Expr(expr) => self.root(address(expr), vec![expr]),
                    Part::Stmts(statements) => self.statements(statements),
                });
            }
        }
    }

    /// Expressions that are evaluated between two sequence points.
    fn root(&mut self, of: Address, exprs: Vec<&'a Expr>) {
        let mut events = Vec::new();
        for expr in exprs {
            self.collect(expr, &mut events);
        }
        if events.len() > 1
            && let Some(plan) = self.plan(&events)
        {
            self.plans.insert(of, Rc::new(plan));
        }
    }

    /// The events in an expression, operands first.
    fn collect(&mut self, expr: &'a Expr, events: &mut Vec<Event<'a>>) {
        let first = events.len();
        let mut pieces = Vec::new();
        if is_sequenced(expr) {
            self.pieces(expr, &mut pieces);
            self.parts_of_sequence(expr);
        } else {
            operands(expr).into_iter().for_each(|operand| self.collect(operand, events));
            pieces.extend(self.piece(expr));
        }
        if pieces.is_empty() {
            return;
        }
        let this = events.len();
        events[first..].iter_mut().for_each(|event| {
            event.user.get_or_insert(this);
        });
        events.push(Event { expr, pieces, user: None });
    }

    /// What lies between the sequence points of an expression.
    fn parts_of_sequence(&mut self, expr: &'a Expr) {
        in_expr(expr, |part| match part {
            Part::Expr(part) => self.root(address(part), vec![part]),
            Part::Stmts(statements) => self.statements(statements),
        });
    }

    fn piece(&self, expr: &'a Expr) -> Option<Piece> {
        let effects = self.summaries.own(expr);
        let is_call = matches!(expr.kind, ExprKind::Call { .. } | ExprKind::VaArg(_));
        (!effects.is_empty()).then_some(Piece { effects, is_call })
    }

    /// Everything that is evaluated in an expression.
    fn pieces(&self, expr: &'a Expr, pieces: &mut Vec<Piece>) {
        if let ExprKind::StmtExpr(..) = expr.kind {
            let mut effects = Effects::default();
            self.whole(Part::Expr(expr), &mut effects);
            if !effects.is_empty() {
                pieces.push(Piece { effects, is_call: true });
            }
            return;
        }
        operands(expr).into_iter().for_each(|operand| self.pieces(operand, pieces));
        pieces.extend(self.piece(expr));
    }

    /// The same, taken together.
    fn whole(&self, part: Part<'a>, effects: &mut Effects) {
        match part {
            Part::Expr(expr) => {
                effects.add(&self.summaries.own(expr));
                in_expr(expr, |part| self.whole(part, effects));
            }
            Part::Stmts(statements) => {
                for statement in statements {
                    of_statement(statement, effects);
                    in_statement(statement, |part| self.whole(part, effects));
                }
            }
        }
    }

    fn plan(&self, events: &[Event<'a>]) -> Option<Plan<'a>> {
        let mut pairs = Vec::new();
        let mut is_partial = false;
        for second in 1..events.len() {
            for first in (0..second).filter(|&first| !is_needed(events, first, second)) {
                let conflicts = self.conflicts(&events[first], &events[second]);
                if let Some((in_first, in_second)) = conflicts {
                    pairs.push((first, second));
                    // Others could come between two that are in one event.
                    is_partial |= in_first > 1 || in_second > 1;
                }
            }
        }
        if pairs.is_empty() {
            return None;
        }
        let mut kept: Vec<usize> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        kept.sort_unstable();
        kept.dedup();
        let (mut orders, is_complete) = orders(events, &kept, &pairs);
        let events: Vec<&Expr> = kept.iter().map(|&event| events[event].expr).collect();
        if events.iter().any(|event| has_label(event)) {
            // The text of a label is lowered once.
            orders.truncate(1);
            is_partial = true;
        }
        Some(Plan { events, orders, is_partial: is_partial || !is_complete })
    }

    /// How many pieces of either event conflict with the other, if any do.
    fn conflicts(&self, first: &Event, second: &Event) -> Option<(usize, usize)> {
        let conflict = |a: &Piece, b: &Piece| match a.is_call || b.is_call {
            true => self.summaries.conflict(&a.effects, &b.effects, &self.escaped),
            false => self.summaries.conflict_of_order(&a.effects, &b.effects, &self.escaped),
        };
        let count =
            |of: &Event, with: &Event| of.pieces.iter().filter(|a| with.pieces.iter().any(|b| conflict(a, b))).count();
        let counts = (count(first, second), count(second, first));
        (counts.0 > 0).then_some(counts)
    }
}

/// Does one event need another, earlier one?
fn is_needed(events: &[Event], first: usize, second: usize) -> bool {
    std::iter::successors(Some(first), |&event| events[event].user).any(|event| event == second)
}

/// The orders of events that differ for a pair that conflicts, and whether these are all. An event comes after those that it needs.
fn orders(events: &[Event], kept: &[usize], pairs: &[(usize, usize)]) -> (Vec<Vec<usize>>, bool) {
    let forward: Vec<usize> = (0..kept.len()).collect();
    let fits = |order: &[usize], next: usize| {
        let waits = |other: usize| other != next && is_needed(events, kept[other], kept[next]);
        (0..kept.len()).all(|other| order.contains(&other) || !waits(other))
    };
    if kept.len() <= MOST_EVENTS {
        let mut all = Vec::new();
        extend(kept.len(), &mut Vec::new(), &fits, &mut all);
        let mut seen = rustc_hash::FxHashSet::default();
        all.retain(|order: &Vec<usize>| {
            let place = |event: usize| order.iter().position(|&at| kept[at] == event);
            seen.insert(pairs.iter().map(|&(a, b)| place(a) < place(b)).collect::<Vec<bool>>())
        });
        if all.len() <= MOST_ORDERS {
            return (all, true);
        }
    }
    let mut backward: Vec<usize> = Vec::new();
    while let Some(next) = (0..kept.len()).rev().find(|next| !backward.contains(next) && fits(&backward, *next)) {
        backward.push(next);
    }
    (vec![forward, backward], false)
}

/// All ways to go on with an order, the one from left to right first.
fn extend(count: usize, order: &mut Vec<usize>, fits: &impl Fn(&[usize], usize) -> bool, all: &mut Vec<Vec<usize>>) {
    if order.len() == count {
        all.push(order.clone());
    }
    for next in 0..count {
        if !order.contains(&next) && fits(order, next) {
            order.push(next);
            extend(count, order, fits, all);
            order.pop();
        }
    }
}

/// Is there a label in a statement in an expression?
fn has_label(expr: &Expr) -> bool {
    let mut found = false;
    in_expr(expr, |part| match part {
        Part::Expr(expr) => found |= has_label(expr),
        Part::Stmts(statements) => each_statement(statements, &mut |statement| {
            found |= matches!(statement.kind, StmtKind::Label(..));
            in_statement(statement, |part| {
                if let Part::Expr(expr) = part {
                    found |= has_label(expr);
                }
            });
        }),
    });
    found
}

/// Has an expression sequence points of its own, besides those around calls?
pub(super) fn is_sequenced(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::LogAnd(..)
            | ExprKind::LogOr(..)
            | ExprKind::Conditional { .. }
            | ExprKind::Elvis { .. }
            | ExprKind::Comma(..)
            | ExprKind::StmtExpr(..)
    )
}

impl<'a> Builder<'_, 'a> {
    /// The value of an expression, or the address of a record, that a plan evaluated already.
    pub fn evaluated(&self, expr: &Expr) -> Option<ExprId> {
        if self.evaluated.is_empty() {
            return None;
        }
        self.evaluated.get(&address(expr)).copied()
    }

    /// Lowers what has a plan, if it has one: first what is evaluated in any order, then the rest.
    pub fn planned<T, R>(&mut self, of: &T, lower: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        // The condition of a probe has no effects, and nobody steps meanwhile.
        if self.plans.is_empty() || self.is_condition {
            return lower(self);
        }
        let Some(plan) = self.plans.remove(&address(of)) else { return lower(self) };
        let result = self.in_any_order(&plan).and_then(|values| {
            for (event, &value) in plan.events.iter().zip(&values) {
                self.evaluated.insert(address(*event), value);
            }
            lower(self)
        });
        for event in &plan.events {
            self.evaluated.remove(&address(*event));
        }
        self.plans.insert(address(of), plan);
        result
    }

    fn in_any_order(&mut self, plan: &Plan<'a>) -> Result<Vec<ExprId>> {
        let mut kept = Vec::new();
        for event in &plan.events {
            let sort = match self.cx.is_record(event.ty) {
                true => self.cx.pointer_sort(),
                false => self.cx.scalar_sort(event.ty, event.pos)?,
            };
            kept.push(self.temp(sort));
        }
        let after = self.new_location();
        for (index, order) in plan.orders.iter().enumerate() {
            let is_last = index + 1 == plan.orders.len();
            let next = (!is_last || plan.is_partial).then(|| self.maybe_elsewhere());
            self.in_order(&plan.events, order, &kept)?;
            self.jump(after);
            if let Some(next) = next {
                self.here = next;
            }
        }
        if plan.is_partial {
            self.gap(GapKind::Unsupported, "the order of evaluation among so many side effects");
        }
        self.here = after;
        self.close();
        Ok(kept.into_iter().map(|var| self.var_value(var)).collect())
    }

    /// Goes on, or ends at a gap: violations count, proofs do not.
    pub fn perhaps_gap(&mut self, what: &str) {
        let elsewhere = self.maybe_elsewhere();
        let here = std::mem::replace(&mut self.here, elsewhere);
        self.gap(GapKind::Unsupported, what);
        self.here = here;
    }

    /// Goes on here or at another location.
    fn maybe_elsewhere(&mut self) -> LocId {
        let (here, elsewhere) = (self.new_location(), self.new_location());
        let choice = self.any_value(Sort::Bool, HavocReason::UndefinedFunction);
        self.branch(choice, here, elsewhere);
        self.here = here;
        elsewhere
    }

    fn in_order(&mut self, events: &[&'a Expr], order: &[usize], kept: &[VarId]) -> Result<()> {
        for &index in order {
            let event = events[index];
            let value = match &event.kind {
                ExprKind::Load(_) if self.cx.is_record(event.ty) => {
                    let from = self.record_address(event)?;
                    self.kept_record(from, event.ty)?
                }
                _ if self.cx.is_record(event.ty) => self.record_address(event)?,
                _ => self.value(event)?,
            };
            let value = self.fit(value, self.cx.vars[kept[index].index()].sort);
            self.assign(kept[index], value);
            let value = self.var_value(kept[index]);
            self.evaluated.insert(address(event), value);
        }
        for event in events {
            self.evaluated.remove(&address(*event));
        }
        Ok(())
    }
}
