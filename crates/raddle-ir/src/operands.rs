//! The operands of expressions: visiting them, replacing them, and what is built on that (variables, substitution).
//!
//! Everything here works on expressions of any depth with a stack of its own, and looks at each shared node once.

use crate::expr::{Expr, ExprId};
use crate::pool::ExprPool;
use crate::program::VarId;
use crate::sort::Sort;
use rustc_hash::{FxHashMap, FxHashSet};

impl Expr {
    /// Calls `f` for each operand, from left to right.
    #[inline]
    pub fn for_each_operand(self, mut f: impl FnMut(ExprId)) {
        match self {
            Expr::Const(_) | Expr::Var(_) => {}
            Expr::Unary(_, a) | Expr::ConstArray { value: a, .. } => f(a),
            Expr::Extract { arg, .. }
            | Expr::ZeroExt { arg, .. }
            | Expr::SignExt { arg, .. }
            | Expr::FToF { arg, .. }
            | Expr::FToS { arg, .. }
            | Expr::FToU { arg, .. }
            | Expr::SToF { arg, .. }
            | Expr::UToF { arg, .. }
            | Expr::BitsToF { arg, .. } => f(arg),
            Expr::Binary(_, a, b) | Expr::Select(a, b) => {
                f(a);
                f(b);
            }
            Expr::Ite(a, b, c) | Expr::Fma(a, b, c) | Expr::Store(a, b, c) => {
                f(a);
                f(b);
                f(c);
            }
        }
    }

    /// The same node with other operands.
    #[inline]
    pub fn map_operands(self, mut f: impl FnMut(ExprId) -> ExprId) -> Expr {
        match self {
            Expr::Const(_) | Expr::Var(_) => self,
            Expr::Unary(op, a) => Expr::Unary(op, f(a)),
            Expr::Binary(op, a, b) => Expr::Binary(op, f(a), f(b)),
            Expr::Ite(c, a, b) => Expr::Ite(f(c), f(a), f(b)),
            Expr::Fma(a, b, c) => Expr::Fma(f(a), f(b), f(c)),
            Expr::Extract { high, low, arg } => Expr::Extract { high, low, arg: f(arg) },
            Expr::ZeroExt { width, arg } => Expr::ZeroExt { width, arg: f(arg) },
            Expr::SignExt { width, arg } => Expr::SignExt { width, arg: f(arg) },
            Expr::FToF { to, arg } => Expr::FToF { to, arg: f(arg) },
            Expr::FToS { width, arg } => Expr::FToS { width, arg: f(arg) },
            Expr::FToU { width, arg } => Expr::FToU { width, arg: f(arg) },
            Expr::SToF { to, arg } => Expr::SToF { to, arg: f(arg) },
            Expr::UToF { to, arg } => Expr::UToF { to, arg: f(arg) },
            Expr::BitsToF { to, arg } => Expr::BitsToF { to, arg: f(arg) },
            Expr::Select(array, index) => Expr::Select(f(array), f(index)),
            Expr::Store(array, index, value) => Expr::Store(f(array), f(index), f(value)),
            Expr::ConstArray { index, value } => Expr::ConstArray { index, value: f(value) },
        }
    }
}

/// The variables of expressions, remembered for each root that was asked for.
#[derive(Default, Clone, Debug)]
pub struct VarsOf {
    known: FxHashMap<ExprId, Box<[VarId]>>,
}

impl VarsOf {
    pub fn new() -> Self {
        Self::default()
    }

    /// The variables that an expression of the pool mentions, each once, in the order of their ids. One `VarsOf` serves one pool.
    pub fn get(&mut self, pool: &ExprPool, id: ExprId) -> &[VarId] {
        self.known.entry(id).or_insert_with(|| pool.vars(id).into())
    }
}

impl ExprPool {
    /// The variables that an expression mentions, each once, in the order of their ids.
    pub fn vars(&self, id: ExprId) -> Vec<VarId> {
        let mut vars = Vec::new();
        self.for_each_node(&[id], |_, expr| {
            if let Expr::Var(var) = expr {
                vars.push(var);
            }
        });
        vars.sort_unstable();
        vars
    }

    /// Calls `f` once for each node below (and with) the given roots, in no particular order.
    pub fn for_each_node(&self, roots: &[ExprId], mut f: impl FnMut(ExprId, Expr)) {
        let mut seen: FxHashSet<ExprId> = roots.iter().copied().collect();
        let mut open: Vec<ExprId> = roots.to_vec();
        if seen.len() < open.len() {
            open = seen.iter().copied().collect();
            open.sort_unstable();
        }
        while let Some(id) = open.pop() {
            let expr = self.get(id);
            f(id, expr);
            expr.for_each_operand(|operand| {
                if seen.insert(operand) {
                    open.push(operand);
                }
            });
        }
    }

    /// Makes a node through the simplifying constructors. The sort is only looked at for a variable.
    pub fn rebuild(&mut self, expr: Expr, sort: Sort) -> ExprId {
        match expr {
            Expr::Const(c) => self.constant(c),
            Expr::Var(var) => self.var(var, sort),
            Expr::Unary(op, a) => self.unary(op, a),
            Expr::Binary(op, a, b) => self.binary(op, a, b),
            Expr::Ite(c, a, b) => self.ite(c, a, b),
            Expr::Fma(a, b, c) => self.fma(a, b, c),
            Expr::Extract { high, low, arg } => self.extract(high, low, arg),
            Expr::ZeroExt { width, arg } => self.zero_ext(width, arg),
            Expr::SignExt { width, arg } => self.sign_ext(width, arg),
            Expr::FToF { to, arg } => self.f_to_f(to, arg),
            Expr::FToS { width, arg } => self.f_to_s(width, arg),
            Expr::FToU { width, arg } => self.f_to_u(width, arg),
            Expr::SToF { to, arg } => self.s_to_f(to, arg),
            Expr::UToF { to, arg } => self.u_to_f(to, arg),
            Expr::BitsToF { to, arg } => self.bits_to_f(to, arg),
            Expr::Select(array, index) => self.select(array, index),
            Expr::Store(array, index, value) => self.store(array, index, value),
            Expr::ConstArray { index, value } => self.const_array(index, value),
        }
    }

    /// The expression with variables replaced at the same time: those for which `replace` gives an expression (of the same sort).
    /// To substitute in many expressions, keep one [`Substitution`].
    pub fn substitute(&mut self, id: ExprId, replace: &mut dyn FnMut(VarId) -> Option<ExprId>) -> ExprId {
        Substitution::default().apply(self, id, replace)
    }
}

/// Remembers what became of the nodes of one pool under one substitution.
#[derive(Default, Clone, Debug)]
pub struct Substitution {
    known: FxHashMap<ExprId, ExprId>,
}

impl Substitution {
    pub fn new() -> Self {
        Self::default()
    }

    /// What was made of an expression before.
    pub fn known(&self, root: ExprId) -> Option<ExprId> {
        self.known.get(&root).copied()
    }

    /// As [`ExprPool::substitute`]. `replace` must answer the same in all calls, and is asked once for each variable.
    pub fn apply(
        &mut self,
        pool: &mut ExprPool,
        root: ExprId,
        replace: &mut dyn FnMut(VarId) -> Option<ExprId>,
    ) -> ExprId {
        let known = &mut self.known;
        if let Some(&done) = known.get(&root) {
            return done;
        }
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            let expr = pool.get(id);
            let mut missing = None;
            let mut changed = false;
            let mapped = expr.map_operands(|operand| match known.get(&operand) {
                Some(&done) => {
                    changed |= done != operand;
                    done
                }
                None => {
                    missing = Some(operand);
                    operand
                }
            });
            if let Some(operand) = missing {
                open.push(operand);
                continue;
            }
            let done = match expr {
                Expr::Var(var) => replace(var).unwrap_or(id),
                _ if changed => {
                    let sort = pool.sort(id);
                    pool.rebuild(mapped, sort)
                }
                _ => id,
            };
            known.insert(id, done);
            open.pop();
        }
        known[&root]
    }
}
