//! Expressions as SMT-LIB 2 terms, with exactly the evaluator's meaning.
//!
//! A term is text, in which shared parts would be repeated: a node that is used more than once gets a name by `define-fun`, as do nodes
//! deep inside a term (some solvers parse by recursion). So the text is linear in the number of nodes. Names are remembered across
//! commands for as long as the solver remembers them: until the level is closed at which they were given.
//!
//! A float is its encoding, a bit-vector; [`super::print_floats`] computes on them.

use super::dialect::Features;
use super::print_floats;
use crate::solver::SolverError;
use raddle_ir::{BinOp, Const, Expr, ExprId, ExprPool, Sort, UnOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// Terms are nested no deeper than this.
const DEEPEST: u32 = 30;

/// Remembers what was named and declared in one process.
#[derive(Default)]
pub struct Printer {
    /// Nodes that have a name (`n` and their id).
    named: FxHashSet<ExprId>,
    /// Nodes that were once printed without a name; the next time they get one.
    printed: FxHashSet<ExprId>,
    declared: FxHashMap<VarId, Sort>,
    /// What each open level has named and declared.
    levels: Vec<Level>,
}

#[derive(Default)]
struct Level {
    named: Vec<ExprId>,
    declared: Vec<VarId>,
}

/// A sort's name. A float is a bit-vector.
pub fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_string(),
        Sort::Bits(n) => format!("(_ BitVec {n})"),
        Sort::Float(f) => format!("(_ BitVec {})", f.bits()),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

/// A bit-vector constant.
pub fn bits_text(width: u32, bits: u128) -> String {
    format!("#b{bits:0w$b}", w = width as usize)
}

fn const_text(c: Const) -> String {
    match c.sort {
        Sort::Bool if c.bits != 0 => "true".to_string(),
        Sort::Bool => "false".to_string(),
        sort => {
            let width = u32::from(sort.bits().unwrap_or(1));
            if width % 4 == 0 { format!("#x{:0w$x}", c.bits, w = width as usize / 4) } else { bits_text(width, c.bits) }
        }
    }
}

pub fn var_text(var: VarId) -> String {
    format!("v{}", var.0)
}

impl Printer {
    /// The variables that are declared, in the order of their ids.
    pub fn variables(&self) -> Vec<(VarId, Sort)> {
        let mut variables: Vec<_> = self.declared.iter().map(|(var, sort)| (*var, *sort)).collect();
        variables.sort_unstable();
        variables
    }

    /// A level was opened.
    pub fn push(&mut self) {
        self.levels.push(Level::default());
    }

    /// A level was closed: the solver has forgotten what it named and declared.
    pub fn pop(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        for id in level.named {
            self.named.remove(&id);
        }
        for var in level.declared {
            self.declared.remove(&var);
        }
    }

    fn name(&mut self, id: ExprId) {
        self.named.insert(id);
        if let Some(level) = self.levels.last_mut() {
            level.named.push(id);
        }
    }

    /// The term of an expression. The declarations and definitions that it needs are added to `out`.
    pub fn term(&mut self, pool: &ExprPool, root: ExprId, out: &mut String) -> String {
        let (order, uses) = self.unnamed(pool, root);
        let mut terms: FxHashMap<ExprId, (String, u32)> = FxHashMap::default();
        for id in order {
            let expr = pool.get(id);
            let sort = pool.sort(id);
            if let Expr::Var(var) = expr {
                if self.declared.insert(var, sort).is_none() {
                    let _ = writeln!(out, "(declare-fun {} () {})", var_text(var), sort_text(sort));
                    if let Some(level) = self.levels.last_mut() {
                        level.declared.push(var);
                    }
                }
                continue;
            }
            let mut deep = 0;
            let mut operands = Vec::new();
            expr.for_each_operand(|operand| {
                let (text, depth) = self.operand(pool, operand, &mut terms);
                deep = deep.max(depth + 1);
                operands.push(text);
            });
            let before = out.len();
            let text = node_text(pool, id, &operands, out);
            // What has definitions of its own is printed once.
            let defines = out.len() > before;
            if defines || uses[&id] > 1 || deep >= DEEPEST || !self.printed.insert(id) {
                let _ = writeln!(out, "(define-fun n{} () {} {text})", id.0, sort_text(sort));
                self.name(id);
            } else {
                terms.insert(id, (text, deep));
            }
        }
        self.operand(pool, root, &mut terms).0
    }

    /// The text of a node that was dealt with, and how deeply it is nested.
    fn operand(&self, pool: &ExprPool, id: ExprId, terms: &mut FxHashMap<ExprId, (String, u32)>) -> (String, u32) {
        match pool.get(id) {
            Expr::Const(c) => (const_text(c), 0),
            Expr::Var(var) => (var_text(var), 0),
            // It is used once, or else it has a name.
            _ => terms.remove(&id).unwrap_or_else(|| (format!("n{}", id.0), 0)),
        }
    }

    /// The nodes below a root that have no name yet, operands first, with the number of times that their text will be used.
    fn unnamed(&self, pool: &ExprPool, root: ExprId) -> (Vec<ExprId>, FxHashMap<ExprId, u32>) {
        let mut order = Vec::new();
        let mut uses: FxHashMap<ExprId, u32> = FxHashMap::default();
        if self.named.contains(&root) {
            return (order, uses);
        }
        uses.insert(root, 1);
        let mut open = vec![(root, false)];
        while let Some((id, below_done)) = open.pop() {
            if below_done {
                order.push(id);
                continue;
            }
            open.push((id, true));
            let expr = pool.get(id);
            let weight = if repeats_operands(expr) { 2 } else { 1 };
            expr.for_each_operand(|operand| {
                let is_const = matches!(pool.get(operand), Expr::Const(_));
                if is_const || self.named.contains(&operand) {
                    return;
                }
                let count = uses.entry(operand).or_insert(0);
                if *count == 0 {
                    open.push((operand, false));
                }
                *count += weight;
            });
        }
        // Operands have smaller ids, so this order also puts a shared node before everything that uses it.
        order.sort_unstable();
        (order, uses)
    }
}

/// Does the text of a node have that of its operands more than once?
fn repeats_operands(expr: Expr) -> bool {
    match expr {
        Expr::Binary(op, ..) => matches!(
            op,
            BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem | BinOp::FEq | BinOp::FLt | BinOp::FLe
        ),
        Expr::Unary(op, _) => !matches!(op, UnOp::Not | UnOp::BvNot | UnOp::BvNeg | UnOp::FToBits),
        Expr::Fma(..) | Expr::FToF { .. } | Expr::FToS { .. } | Expr::FToU { .. } => true,
        _ => false,
    }
}

/// The term of a node that is no leaf, from those of its operands.
fn node_text(pool: &ExprPool, id: ExprId, operands: &[String], out: &mut String) -> String {
    let operand = |i: usize| operands.get(i).map_or("", String::as_str);
    let (a, b, c) = (operand(0), operand(1), operand(2));
    match pool.get(id) {
        // Leaves have no operands, and are not named.
        Expr::Const(c) => const_text(c),
        Expr::Var(var) => var_text(var),
        Expr::Unary(UnOp::Not, _) => format!("(not {a})"),
        Expr::Unary(UnOp::BvNot, _) => format!("(bvnot {a})"),
        Expr::Unary(UnOp::BvNeg, _) => format!("(bvneg {a})"),
        Expr::Unary(UnOp::FToBits, _) | Expr::BitsToF { .. } => a.to_string(),
        Expr::Binary(op, x, _) => match binary_name(op) {
            Some(name) => format!("({name} {a} {b})"),
            None if pool.sort(x).is_bits() => overflow_text(op, u32::from(pool.sort(x).bits().unwrap_or(1)), a, b),
            None => print_floats::node_text(pool, id, operands, out),
        },
        Expr::Ite(..) => format!("(ite {a} {b} {c})"),
        Expr::Extract { high, low, .. } => format!("((_ extract {high} {low}) {a})"),
        Expr::ZeroExt { width, arg } => format!("((_ zero_extend {}) {a})", width - pool.sort(arg).bits().unwrap_or(0)),
        Expr::SignExt { width, arg } => format!("((_ sign_extend {}) {a})", width - pool.sort(arg).bits().unwrap_or(0)),
        Expr::Select(..) => format!("(select {a} {b})"),
        Expr::Store(..) => format!("(store {a} {b} {c})"),
        Expr::ConstArray { .. } => format!("((as const {}) {a})", sort_text(pool.sort(id))),
        _ => print_floats::node_text(pool, id, operands, out),
    }
}

/// The operators that SMT-LIB has as they are.
fn binary_name(op: BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::And => "and",
        BinOp::Or => "or",
        BinOp::Xor => "xor",
        BinOp::Eq => "=",
        BinOp::BvAdd => "bvadd",
        BinOp::BvSub => "bvsub",
        BinOp::BvMul => "bvmul",
        BinOp::BvUDiv => "bvudiv",
        BinOp::BvSDiv => "bvsdiv",
        BinOp::BvURem => "bvurem",
        BinOp::BvSRem => "bvsrem",
        BinOp::BvAnd => "bvand",
        BinOp::BvOr => "bvor",
        BinOp::BvXor => "bvxor",
        BinOp::Shl => "bvshl",
        BinOp::LShr => "bvlshr",
        BinOp::AShr => "bvashr",
        BinOp::ULt => "bvult",
        BinOp::ULe => "bvule",
        BinOp::SLt => "bvslt",
        BinOp::SLe => "bvsle",
        BinOp::Concat => "concat",
        _ => return None,
    })
}

/// Overflow, by computing with enough bits. (SMT-LIB 2.7 has predicates for it, which few solvers know yet.)
fn overflow_text(op: BinOp, n: u32, a: &str, b: &str) -> String {
    let top = n - 1;
    match op {
        BinOp::SAddOverflows | BinOp::SSubOverflows => {
            let name = if op == BinOp::SAddOverflows { "bvadd" } else { "bvsub" };
            let exact = format!("({name} ((_ sign_extend 1) {a}) ((_ sign_extend 1) {b}))");
            format!("(let ((e {exact})) (distinct ((_ extract {n} {n}) e) ((_ extract {top} {top}) e)))")
        }
        BinOp::SMulOverflows => {
            let exact = format!("(bvmul ((_ sign_extend {n}) {a}) ((_ sign_extend {n}) {b}))");
            format!("(let ((e {exact})) (distinct e ((_ sign_extend {n}) ((_ extract {top} 0) e))))")
        }
        _ => {
            let exact = format!("(bvmul ((_ zero_extend {n}) {a}) ((_ zero_extend {n}) {b}))");
            let high = format!("((_ extract {} {n}) {exact})", 2 * n - 1);
            format!("(distinct {high} {})", bits_text(n, 0))
        }
    }
}

/// Can a solver with these features take the expression? `known` holds nodes of which that is known.
pub fn check_supported(
    pool: &ExprPool,
    root: ExprId,
    features: &Features,
    known: &mut FxHashSet<ExprId>,
) -> Result<(), SolverError> {
    let mut open = vec![root];
    let mut fresh = Vec::new();
    while let Some(id) = open.pop() {
        if !known.insert(id) {
            continue;
        }
        fresh.push(id);
        let expr = pool.get(id);
        let lacking = match pool.sort(id) {
            Sort::Bits(_) if !features.bits => Some("bit-vectors".to_string()),
            Sort::Float(_) if !features.bits => Some("floats".to_string()),
            Sort::Array { .. } if !features.arrays => Some("arrays".to_string()),
            _ => match expr {
                Expr::ConstArray { value, .. } if !features.const_arrays_of_terms && pool.as_const(value).is_none() => {
                    Some("ConstArray of a value that is not constant".to_string())
                }
                _ => print_floats::unsupported(pool, id, features),
            },
        };
        if let Some(what) = lacking {
            for id in fresh {
                known.remove(&id);
            }
            return Err(SolverError::Unsupported(what));
        }
        expr.for_each_operand(|operand| open.push(operand));
    }
    Ok(())
}
