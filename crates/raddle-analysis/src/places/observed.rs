//! Where a program observes what C leaves open.

use super::flow::{Analysis, Position, follow, is_comparison};
use super::literals::{Literal, may_merge};
use super::offset::Offset;
use super::storage::Lives;
use super::value::{Source, Value};
use crate::points_to::AbstractObject;
use crate::stray::used_address;
use raddle_ir::{BinOp, Expr, ExprId, Label, Object, Program, Sort, Span};
use rustc_hash::FxHashMap;

/// An observation of something that C leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    pub span: Span,
    pub question: Question,
}

/// What is left open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Is storage given out again?
    Reuse,
    /// Is the id of a thread that ended given out again?
    ThreadId,
    /// Are two literals one object?
    Literals,
    /// Which object is lower, and does one begin where the other ends?
    Order,
    /// Which number is an address, or a thread id?
    Number,
    /// The analysis has found no end.
    Unknown,
}

impl Question {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Question::Reuse => "a comparison with an address that may have been given out again",
            Question::ThreadId => "a comparison with a thread id that may have been given out again",
            Question::Literals => "a comparison of literals that may be one object",
            Question::Order => "a comparison that depends on the order of objects in memory",
            Question::Number => "a decision that depends on which number an address is",
            Question::Unknown => "too many addresses to tell what is observed of them",
        }
    }
}

/// What a program observes first (in the order of its text) that C leaves open.
pub fn open_places(program: &Program) -> Option<Open> {
    let unknown = Open { span: program.proc(program.entry).span, question: Question::Unknown };
    follow(program, |analysis| Observer::new(analysis).first()).unwrap_or(Some(unknown))
}

struct Observer<'a> {
    analysis: &'a Analysis<'a>,
    lives: Lives,
}

impl<'a> Observer<'a> {
    fn new(analysis: &'a Analysis<'a>) -> Self {
        Observer { analysis, lives: Lives::new(analysis) }
    }

    fn first(&self) -> Option<Open> {
        let mut first = None;
        self.analysis.for_each_label(|at, label| {
            if first.is_none()
                && let Some(question) = self.label(at, label)
            {
                first = Some(Open { span: self.span(at), question });
            }
        });
        first
    }

    fn span(&self, at: Position) -> Span {
        self.analysis.program.procs[at.0].edges[at.1].span
    }

    /// Is it a step of the library?
    fn is_library(&self, at: Position) -> bool {
        self.analysis.program.is_of_library(self.span(at))
    }

    fn label(&self, at: Position, label: &Label) -> Option<Question> {
        let program = self.analysis.program;
        let pool = &program.pool;
        let mut roots = Vec::new();
        label.for_each_expr(|expr| roots.push(expr));
        let mut tests = Vec::new();
        let mut is_for_property = false;
        pool.for_each_node(&roots, |id, node| {
            is_for_property |= matches!(node, Expr::Var(var) if program.var(var).is_bookkeeping());
            if pool.sort(id) == Sort::Bool && !matches!(node, Expr::Const(_) | Expr::Var(_)) {
                tests.push(node);
            }
        });
        let used = used_as_number(label);
        if tests.is_empty() && used.is_none() || is_for_property {
            return None;
        }
        let values = self.analysis.values(at, &roots);
        let is_number = |value: &Value| value.is_indexed() && !self.is_in_own_table(at, value);
        let by_use = used.is_some_and(|used| is_number(&values[&used])).then_some(Question::Number);
        by_use.or_else(|| tests.iter().find_map(|test| self.test(at, *test, &values)))
    }

    /// The library keeps tables of threads by their ids: what it finds there depends on the thread alone.
    fn is_in_own_table(&self, at: Position, value: &Value) -> bool {
        let is_own =
            |source| self.object(source).is_some_and(|object| self.analysis.program.is_of_library(object.span));
        self.is_library(at)
            && value.stray.is_none()
            && value.of.iter().all(|&(source, _)| !self.analysis.is_object(source) || is_own(source))
    }

    fn test(&self, at: Position, test: Expr, values: &FxHashMap<ExprId, Value>) -> Option<Question> {
        let pool = &self.analysis.program.pool;
        if let Expr::Binary(op, a, b) = test
            && is_comparison(op)
        {
            if pool.sort(a) == Sort::Bool {
                return None;
            }
            return match (op, pool.get(a), pool.as_const(b)) {
                (BinOp::Eq, Expr::Binary(BinOp::BvSub | BinOp::BvXor, x, y), Some(zero)) if zero.bits == 0 => {
                    self.equality(at, &values[&x], &values[&y])
                }
                (BinOp::Eq, ..) if self.is_before_join(at, [a, b]) => None,
                (BinOp::Eq, ..) => self.equality(at, &values[&a], &values[&b]),
                // The library compares places to copy what overlaps; the result is the same.
                _ if self.is_library(at) && !values[&a].is_mixed() && !values[&b].is_mixed() => None,
                _ => self.order(op, &values[&a], &values[&b]),
            };
        }
        let mut open = None;
        test.for_each_operand(|operand| {
            if pool.sort(operand) != Sort::Bool && !values[&operand].of.is_empty() {
                open = Some(Question::Number);
            }
        });
        // The choice is what is tested; what it chooses from is not.
        if let Expr::Ite(..) = test { None } else { open }
    }

    /// Is it the test for a thread that joins itself? What is joined names a thread that is there; the id of another one is undefined.
    fn is_before_join(&self, at: Position, compared: [ExprId; 2]) -> bool {
        let edges = &self.analysis.program.procs[at.0].edges;
        let joins = |label: &Label| matches!(label, Label::Join { handle, .. } if compared.contains(handle));
        let branches = edges.iter().filter(|edge| edge.source == edges[at.1].source);
        { branches }
            .any(|branch| edges.iter().any(|edge| edge.source == branch.target && edge.labels.iter().any(joins)))
    }

    fn equality(&self, at: Position, a: &Value, b: &Value) -> Option<Question> {
        let is_null =
            |value: &Value| value.of.is_empty() && value.stray.is_none() && value.number == Some(Offset::ZERO);
        if a.is_linear() && is_null(b) || b.is_linear() && is_null(a) {
            return self.cancels(at, a).or_else(|| self.cancels(at, b));
        }
        if a.is_mixed() || b.is_mixed() {
            return Some(Question::Number);
        }
        self.with_numbers(a, b)
            .or_else(|| self.with_numbers(b, a))
            .or_else(|| a.places().find_map(|x| b.places().find_map(|y| self.same_place(at, x, y))))
    }

    /// Addresses whose sum or exclusive or is compared with null cancel each other if they are the same. That others do is by chance.
    fn cancels(&self, at: Position, value: &Value) -> Option<Question> {
        if !value.is_mixed() {
            return None;
        }
        let sources = || value.of.iter().map(|one| one.0);
        sources().find_map(|x| sources().find_map(|y| self.same_place(at, (x, Offset::ANY), (y, Offset::ANY))))
    }

    /// May C let two places be the same where engines take them to be different?
    fn same_place(&self, at: Position, (x, at_x): (Source, Offset), (y, at_y): (Source, Offset)) -> Option<Question> {
        let analysis = self.analysis;
        match (analysis.is_object(x), analysis.is_object(y)) {
            // What is passed to the library names a thread that is there.
            (false, false) if self.is_library(at) => return None,
            (false, false) => return self.lives.share_id(x, y).then_some(Question::ThreadId),
            (true, true) => {}
            _ => return Some(Question::Number),
        }
        if self.lives.share(analysis, x, y, at) {
            return Some(Question::Reuse);
        }
        if x == y && self.lives.is_once(x) {
            return None;
        }
        if let (Some(first), Some(second)) = (self.literal(x), self.literal(y))
            && may_merge((&first, at_x), (&second, at_y))
        {
            return Some(Question::Literals);
        }
        if x == y {
            return None;
        }
        let is_past =
            |object: Source, at: Offset| at.exact().is_some_and(|at| at > 0 && Some(at) == analysis.size(object));
        let touch = is_past(x, at_x) && at_y.exact() == Some(0) || is_past(y, at_y) && at_x.exact() == Some(0);
        touch.then_some(Question::Order)
    }

    fn object(&self, source: Source) -> Option<&Object> {
        match self.analysis.objects[source as usize] {
            AbstractObject::Static(id) => Some(&self.analysis.program.objects[id.index()]),
            AbstractObject::Site { .. } => None,
        }
    }

    fn literal(&self, source: Source) -> Option<Literal> {
        let program = self.analysis.program;
        match self.analysis.objects[source as usize] {
            AbstractObject::Static(id) => Literal::of_object(&program.objects[id.index()]),
            AbstractObject::Site { proc, edge, label } => {
                match program.proc(proc).edges[edge.index()].labels[label as usize] {
                    Label::Alloc { var, .. } => {
                        Literal::of_alloc(&program.vars[var.index()].name, self.analysis.size(source))
                    }
                    _ => None,
                }
            }
        }
    }

    /// A comparison of the address in a value with the number in another.
    fn with_numbers(&self, value: &Value, number: &Value) -> Option<Question> {
        let is_open = |(source, _): (Source, Offset)| match self.analysis.is_object(source) {
            true => number.plain && number.of.is_empty() && number.stray.is_none(),
            // Here thread ids are small numbers. None is zero or negative, but for the first.
            false => number.number.is_some_and(|number| number != Offset::ZERO && number != Offset::exactly(-1)),
        };
        value.places().any(is_open).then_some(Question::Number)
    }

    fn order(&self, op: BinOp, a: &Value, b: &Value) -> Option<Question> {
        if a.is_mixed() || b.is_mixed() {
            return Some(Question::Number);
        }
        // With 32 bits, objects may lie in either half of the numbers with a sign, also those that are compared with null. What may be a number as well is taken for one.
        let is_place = |value: &Value| value.number.is_none() && value.places().next().is_some();
        let has_sign = matches!(op, BinOp::SLt | BinOp::SLe) && self.analysis.program.pointer_bits <= 32;
        if has_sign && (is_place(a) || is_place(b)) {
            return Some(Question::Number);
        }
        let is_thread = |value: &Value| value.places().any(|(source, _)| !self.analysis.is_object(source));
        if is_thread(a) || is_thread(b) {
            return Some(Question::Number);
        }
        let differ = a.places().any(|(x, _)| b.places().any(|(y, _)| x != y));
        let numbers = || self.with_numbers(a, b).or_else(|| self.with_numbers(b, a));
        if differ { Some(Question::Order) } else { numbers() }
    }
}

/// What a label uses as a number that decides what it does: an address, a size.
fn used_as_number(label: &Label) -> Option<ExprId> {
    match *label {
        Label::Alloc { size, .. } => Some(size),
        _ => used_address(label),
    }
}
