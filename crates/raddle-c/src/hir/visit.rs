//! The one walk over the typed tree: what is directly in an expression or in a statement. Whoever walks says only what interests it.
//!
//! Parts come in the order in which lowering evaluates them: the value of an assignment before its target. Both forms, for reading and for changing
//! the tree, come from one text.

use super::{Callee, Expr, ExprKind, Init, InitValue, Stmt, StmtKind, Stride};

/// What is directly in an expression or a statement.
pub enum Part<'a> {
    Expr(&'a Expr),
    Stmts(&'a [Stmt]),
}

/// The same, to be changed.
pub enum PartMut<'a> {
    Expr(&'a mut Expr),
    Stmts(&'a mut [Stmt]),
}

macro_rules! walk {
    ($Part:ident, $one:path, $in_statement:ident, $in_expr:ident, $in_init:ident, $in_stride:ident, ($($mutable:tt)?)) => {
        /// Visits what is directly in a statement.
        pub fn $in_statement<'a>(statement: &'a $($mutable)? Stmt, mut visit: impl FnMut($Part<'a>)) {
            match &$($mutable)? statement.kind {
                StmtKind::Expr(e)
                | StmtKind::Return(Some(e))
                | StmtKind::Cleanup(e)
                | StmtKind::GotoAddress(e)
                | StmtKind::Probe(_, _, Some(e)) => {
                    visit($Part::Expr(e));
                }
                StmtKind::Local(_, Some(init)) => $in_init(init, visit),
                StmtKind::Block(body) => visit($Part::Stmts(body)),
                StmtKind::If { cond, then, otherwise } => {
                    visit($Part::Expr(cond));
                    visit($Part::Stmts($one(then)));
                    if let Some(otherwise) = otherwise {
                        visit($Part::Stmts($one(otherwise)));
                    }
                }
                StmtKind::While { cond, body }
                | StmtKind::DoWhile { body, cond }
                | StmtKind::Switch { value: cond, body } => {
                    visit($Part::Expr(cond));
                    visit($Part::Stmts($one(body)));
                }
                StmtKind::For { init, cond, step, body } => {
                    visit($Part::Stmts(init));
                    for e in [cond, step].into_iter().flatten() {
                        visit($Part::Expr(e));
                    }
                    visit($Part::Stmts($one(body)));
                }
                StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                    visit($Part::Stmts($one(body)));
                }
                StmtKind::Local(_, None)
                | StmtKind::Return(None)
                | StmtKind::Gap(_)
                | StmtKind::Goto(_)
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Barrier(_)
                | StmtKind::Probe(_, _, None)
                | StmtKind::Empty => {}
            }
        }

        /// Visits what is directly in an expression: statements only if it is a statement expression.
        pub fn $in_expr<'a>(expr: &'a $($mutable)? Expr, mut visit: impl FnMut($Part<'a>)) {
            match &$($mutable)? expr.kind {
                ExprKind::Global(_)
                | ExprKind::Local(_)
                | ExprKind::Str(_)
                | ExprKind::Function(_)
                | ExprKind::LabelAddress(..)
                | ExprKind::Int(_)
                | ExprKind::Float(_) => {}
                ExprKind::Deref(inner)
                | ExprKind::Member { base: inner, .. }
                | ExprKind::Load(inner)
                | ExprKind::Decay(inner)
                | ExprKind::AddrOf(inner)
                | ExprKind::Unary(_, inner)
                | ExprKind::Convert(inner)
                | ExprKind::VaArg(inner) => visit($Part::Expr(inner)),
                ExprKind::CompoundLiteral(_, init) => $in_init(init, visit),
                ExprKind::Elements(elements) => {
                    for element in elements {
                        visit($Part::Expr(element));
                    }
                }
                ExprKind::Binary(_, a, b)
                | ExprKind::LogAnd(a, b)
                | ExprKind::LogOr(a, b)
                | ExprKind::Elvis { cond: a, otherwise: b }
                | ExprKind::Comma(a, b)
                | ExprKind::Assign(b, a)
                | ExprKind::AssignOp { target: b, value: a, .. } => {
                    visit($Part::Expr(a));
                    visit($Part::Expr(b));
                }
                ExprKind::PtrAdd { pointer: a, index: b, stride, .. }
                | ExprKind::PtrDiff { left: a, right: b, stride }
                | ExprKind::AssignPtrAdd { target: b, index: a, stride, .. } => {
                    visit($Part::Expr(a));
                    visit($Part::Expr(b));
                    $in_stride(stride, visit);
                }
                ExprKind::IncDec { target, stride, .. } => {
                    visit($Part::Expr(target));
                    if let Some(stride) = stride {
                        $in_stride(stride, visit);
                    }
                }
                ExprKind::Conditional { cond, then, otherwise } => {
                    visit($Part::Expr(cond));
                    visit($Part::Expr(then));
                    visit($Part::Expr(otherwise));
                }
                ExprKind::StmtExpr(body, value) => {
                    visit($Part::Stmts(body));
                    if let Some(value) = value {
                        visit($Part::Expr(value));
                    }
                }
                ExprKind::Call { callee, args } => {
                    if let Callee::Pointer(pointer) = callee {
                        visit($Part::Expr(pointer));
                    }
                    for arg in args {
                        visit($Part::Expr(arg));
                    }
                }
            }
        }

        fn $in_init<'a>(init: &'a $($mutable)? Init, mut visit: impl FnMut($Part<'a>)) {
            for entry in &$($mutable)? init.entries {
                if let InitValue::Expr(e) = &$($mutable)? entry.value {
                    visit($Part::Expr(e));
                }
            }
        }

        fn $in_stride<'a>(stride: &'a $($mutable)? Stride, mut visit: impl FnMut($Part<'a>)) {
            if let Stride::Computed(e) = stride {
                visit($Part::Expr(e));
            }
        }
    };
}

walk!(Part, std::slice::from_ref, in_statement, in_expr, in_init, in_stride, ());
walk!(PartMut, std::slice::from_mut, in_statement_mut, in_expr_mut, in_init_mut, in_stride_mut, (mut));

/// Visits every expression in statements, outer ones first.
pub fn each_expr<'a>(statements: &'a [Stmt], visit: &mut dyn FnMut(&'a Expr)) {
    for statement in statements {
        in_statement(statement, |part| each_expr_of(part, visit));
    }
}

fn each_expr_of<'a>(part: Part<'a>, visit: &mut dyn FnMut(&'a Expr)) {
    match part {
        Part::Expr(expr) => {
            visit(expr);
            in_expr(expr, |part| each_expr_of(part, visit));
        }
        Part::Stmts(statements) => each_expr(statements, visit),
    }
}

/// The same for an initialiser.
pub fn each_expr_of_init<'a>(init: &'a Init, visit: &mut dyn FnMut(&'a Expr)) {
    in_init(init, |part| each_expr_of(part, visit));
}

/// Visits every expression in statements, inner ones first, to change it.
pub fn each_expr_mut(statements: &mut [Stmt], visit: &mut dyn FnMut(&mut Expr)) {
    for statement in statements {
        in_statement_mut(statement, |part| each_expr_of_mut(part, visit));
    }
}

fn each_expr_of_mut(part: PartMut, visit: &mut dyn FnMut(&mut Expr)) {
    match part {
        PartMut::Expr(expr) => {
            in_expr_mut(expr, |part| each_expr_of_mut(part, visit));
            visit(expr);
        }
        PartMut::Stmts(statements) => each_expr_mut(statements, visit),
    }
}

/// Visits every statement outside of expressions, outer ones first.
pub fn each_statement<'a>(statements: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt)) {
    for statement in statements {
        visit(statement);
        in_statement(statement, |part| {
            if let Part::Stmts(statements) = part {
                each_statement(statements, visit);
            }
        });
    }
}

/// The expressions of an initialiser.
pub fn initial_values(init: &Init) -> impl Iterator<Item = &Expr> {
    init.entries.iter().filter_map(|entry| match &entry.value {
        InitValue::Expr(expr) => Some(expr),
        InitValue::Bytes(_) => None,
    })
}

/// The operands of an expression. Statements in it are not among them.
pub fn operands(expr: &Expr) -> Vec<&Expr> {
    let mut operands = Vec::new();
    in_expr(expr, |part| {
        if let Part::Expr(operand) = part {
            operands.push(operand);
        }
    });
    operands
}
