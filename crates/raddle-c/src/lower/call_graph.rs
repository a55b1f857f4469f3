//! Who calls whom, by the typed tree: which functions may be left by a jump (`unwind.rs`).
//!
//! A call through a pointer may reach every function whose address is taken.

use crate::hir::{Callee, Expr, ExprKind, FnId, Hir, Init, InitValue, Stmt, StmtKind, Stride};
use rustc_hash::FxHashSet;

/// The functions from which a path of calls leads to one of a set.
pub(super) struct Reaching {
    functions: Vec<bool>,
    /// One of them has its address taken.
    pub by_pointer: bool,
}

impl Reaching {
    pub fn contains(&self, id: FnId) -> bool {
        self.functions[id.index()]
    }
}

/// What one function calls.
#[derive(Default)]
struct Calls {
    direct: Vec<FnId>,
    by_pointer: bool,
}

/// `goals` are functions without a body; `more` are calls that the tree does not show, by the name of a function without a body.
pub(super) fn reaching(hir: &Hir, goals: &[FnId], more: impl Fn(FnId) -> Vec<FnId>) -> Reaching {
    let mut taken: FxHashSet<FnId> = FxHashSet::default();
    let mut calls = Vec::new();
    for (index, function) in hir.functions.iter().enumerate() {
        let mut own = Calls { direct: more(FnId(index as u32)), by_pointer: false };
        for stmt in function.body.iter().flatten() {
            each_expr_of_stmt(stmt, &mut |expr| note(expr, &mut own, &mut taken));
        }
        calls.push(own);
    }
    for init in hir.globals.iter().filter(|global| global.used).filter_map(|global| global.init.as_ref()) {
        each_expr_of_init(init, &mut |expr| note(expr, &mut Calls::default(), &mut taken));
    }
    let mut reaching = Reaching { functions: vec![false; calls.len()], by_pointer: false };
    for goal in goals {
        reaching.functions[goal.index()] = true;
    }
    loop {
        reaching.by_pointer = taken.iter().any(|id| reaching.contains(*id));
        let is_new = |(index, own): &(usize, &Calls)| {
            let reaches = own.direct.iter().any(|id| reaching.contains(*id)) || own.by_pointer && reaching.by_pointer;
            reaches && !reaching.functions[*index]
        };
        let new: Vec<usize> = calls.iter().enumerate().filter(is_new).map(|(index, _)| index).collect();
        if new.is_empty() {
            return reaching;
        }
        for index in new {
            reaching.functions[index] = true;
        }
    }
}

fn note(expr: &Expr, calls: &mut Calls, taken: &mut FxHashSet<FnId>) {
    match &expr.kind {
        ExprKind::Call { callee: Callee::Direct(id), .. } => calls.direct.push(*id),
        ExprKind::Call { callee: Callee::Pointer(_), .. } => calls.by_pointer = true,
        ExprKind::Function(id) => {
            taken.insert(*id);
        }
        _ => {}
    }
}

/// Visits every expression in a statement, outer ones first.
pub(super) fn each_expr_of_stmt<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Expr)) {
    match &stmt.kind {
        StmtKind::Expr(e) | StmtKind::Return(Some(e)) | StmtKind::Cleanup(e) | StmtKind::GotoAddress(e) => {
            each_expr(e, visit);
        }
        StmtKind::Local(_, Some(init)) => each_expr_of_init(init, visit),
        StmtKind::Block(stmts) => stmts.iter().for_each(|s| each_expr_of_stmt(s, visit)),
        StmtKind::If { cond, then, otherwise } => {
            each_expr(cond, visit);
            each_expr_of_stmt(then, visit);
            otherwise.iter().for_each(|s| each_expr_of_stmt(s, visit));
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } | StmtKind::Switch { value: cond, body } => {
            each_expr(cond, visit);
            each_expr_of_stmt(body, visit);
        }
        StmtKind::For { init, cond, step, body } => {
            init.iter().for_each(|s| each_expr_of_stmt(s, visit));
            cond.iter().chain(step).for_each(|e| each_expr(e, visit));
            each_expr_of_stmt(body, visit);
        }
        StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(_, body) => {
            each_expr_of_stmt(body, visit);
        }
        StmtKind::Local(_, None)
        | StmtKind::Return(None)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Gap(_)
        | StmtKind::Barrier(_)
        | StmtKind::Empty => {}
    }
}

fn each_expr_of_init<'a>(init: &'a Init, visit: &mut dyn FnMut(&'a Expr)) {
    for entry in &init.entries {
        if let InitValue::Expr(e) = &entry.value {
            each_expr(e, visit);
        }
    }
}

fn each_expr<'a>(e: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(e);
    match &e.kind {
        ExprKind::Global(_)
        | ExprKind::Local(_)
        | ExprKind::Str(_)
        | ExprKind::Function(_)
        | ExprKind::LabelAddress(..)
        | ExprKind::Int(_)
        | ExprKind::Float(_) => {}
        ExprKind::Deref(a)
        | ExprKind::Load(a)
        | ExprKind::Decay(a)
        | ExprKind::AddrOf(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Convert(a)
        | ExprKind::VaArg(a)
        | ExprKind::Member { base: a, .. } => each_expr(a, visit),
        ExprKind::CompoundLiteral(_, init) => each_expr_of_init(init, visit),
        ExprKind::Elements(elements) => elements.iter().for_each(|e| each_expr(e, visit)),
        ExprKind::Binary(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::Elvis { cond: a, otherwise: b }
        | ExprKind::AssignOp { target: a, value: b, .. } => {
            each_expr(a, visit);
            each_expr(b, visit);
        }
        ExprKind::PtrAdd { pointer: a, index: b, stride, .. }
        | ExprKind::PtrDiff { left: a, right: b, stride }
        | ExprKind::AssignPtrAdd { target: a, index: b, stride, .. } => {
            each_expr(a, visit);
            each_expr(b, visit);
            each_expr_of_stride(stride, visit);
        }
        ExprKind::IncDec { target, stride, .. } => {
            each_expr(target, visit);
            stride.iter().for_each(|stride| each_expr_of_stride(stride, visit));
        }
        ExprKind::Conditional { cond, then, otherwise } => {
            each_expr(cond, visit);
            each_expr(then, visit);
            each_expr(otherwise, visit);
        }
        ExprKind::StmtExpr(stmts, value) => {
            stmts.iter().for_each(|s| each_expr_of_stmt(s, visit));
            value.iter().for_each(|value| each_expr(value, visit));
        }
        ExprKind::Call { callee, args } => {
            if let Callee::Pointer(pointer) = callee {
                each_expr(pointer, visit);
            }
            args.iter().for_each(|a| each_expr(a, visit));
        }
    }
}

fn each_expr_of_stride<'a>(stride: &'a Stride, visit: &mut dyn FnMut(&'a Expr)) {
    if let Stride::Computed(e) = stride {
        each_expr(e, visit);
    }
}
