//! The kinds of values that stray pointers are told by: what is a number, what the address of an object, what neither; and what an operation makes of its
//! operands' kinds.

use super::{Analysis, Position};
use crate::points_to::may_carry;
use raddle_ir::{BinOp, Expr, ExprId, VarId};
use rustc_hash::FxHashMap;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Constants that are no addresses.
    Number,
    /// An object's address and an offset; or null.
    Pointer,
    Stray,
}

impl Kind {
    /// One or the other.
    pub(super) fn or(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Stray, _) | (_, Kind::Stray) => Kind::Stray,
            (Kind::Pointer, _) | (_, Kind::Pointer) => Kind::Pointer,
            _ => Kind::Number,
        }
    }

    /// The result of an operation that makes numbers of addresses.
    fn mixed(self, other: Kind) -> Kind {
        if (self, other) == (Kind::Number, Kind::Number) { Kind::Number } else { Kind::Stray }
    }

    fn plus(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Pointer, Kind::Pointer) => Kind::Stray,
            (Kind::Pointer, _) | (_, Kind::Pointer) => Kind::Pointer,
            _ => self.mixed(other),
        }
    }

    fn minus(self, other: Kind) -> Kind {
        match (self, other) {
            (_, Kind::Pointer) => Kind::Stray,
            (Kind::Pointer, _) => Kind::Pointer,
            _ => self.mixed(other),
        }
    }
}

impl Analysis<'_> {
    /// The kind of an expression of a label.
    pub(super) fn kind(&self, at: Position, expr: ExprId) -> Kind {
        match self.program.pool.get(expr) {
            Expr::Var(var) => self.kind_of_var(at, expr, var),
            _ => self.kinds(at, &[expr])[&expr],
        }
    }

    /// The kinds of all nodes of some expressions of a label.
    pub(super) fn kinds(&self, at: Position, roots: &[ExprId]) -> FxHashMap<ExprId, Kind> {
        let mut nodes: Vec<(ExprId, Expr)> = Vec::new();
        self.program.pool.for_each_node(roots, |id, node| nodes.push((id, node)));
        // Operands were made before what they are operands of.
        nodes.sort_unstable_by_key(|(id, _)| *id);
        let mut kinds = FxHashMap::default();
        for (id, node) in nodes {
            let kind = self.kind_of_node(at, id, node, &kinds);
            kinds.insert(id, kind);
        }
        kinds
    }

    fn kind_of_var(&self, (proc, edge, label): Position, expr: ExprId, var: VarId) -> Kind {
        if !may_carry(self.program.pool.sort(expr)) {
            return Kind::Number;
        }
        let uses = &self.flows[proc].uses[edge];
        let first = uses.partition_point(|one| (one.label as usize) < label);
        let on_label = uses[first..].iter().take_while(|one| one.label as usize == label);
        let mut kind = Kind::Number;
        for one in on_label.filter(|one| one.var == var) {
            if self.strays.values[proc].contains(one.value.index()) {
                kind = Kind::Stray;
            } else if self.pointers.values[proc].contains(one.value.index()) {
                kind = kind.or(Kind::Pointer);
            }
        }
        kind
    }

    /// The kind of a node whose operands are known.
    fn kind_of_node(&self, at: Position, id: ExprId, node: Expr, kinds: &FxHashMap<ExprId, Kind>) -> Kind {
        let pool = &self.program.pool;
        if !may_carry(pool.sort(id)) {
            return Kind::Number;
        }
        let of = |operand: ExprId| kinds[&operand];
        match node {
            Expr::Const(_) => match self.mentions_object(node) {
                true => Kind::Pointer,
                false => Kind::Number,
            },
            Expr::Var(var) => self.kind_of_var(at, id, var),
            Expr::Ite(_, a, b) => of(a).or(of(b)),
            Expr::Binary(op @ (BinOp::BvAdd | BinOp::BvSub), a, b) => {
                let addends = || [a, b].into_iter().filter_map(|operand| pool.as_const(operand));
                // What is folded into a constant may be minus an address, or lie next to the object that is meant.
                if addends().any(|addend| self.points_to.addresses().subtracted(addend).is_some()) {
                    return Kind::Stray;
                }
                let is_meant = self.mentions_object(node);
                let addend = |operand: ExprId| match is_meant && pool.as_const(operand).is_some() {
                    true => Kind::Pointer,
                    false => of(operand),
                };
                if op == BinOp::BvAdd { addend(a).plus(addend(b)) } else { addend(a).minus(addend(b)) }
            }
            Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } => of(arg),
            Expr::Select(array, _) => of(array),
            Expr::Store(array, _, value) => of(array).or(of(value)),
            Expr::ConstArray { value, .. } => of(value),
            other => {
                let mut all = Kind::Number;
                other.for_each_operand(|operand| all = all.mixed(of(operand)));
                all
            }
        }
    }

    fn mentions_object(&self, node: Expr) -> bool {
        let mut any = false;
        self.points_to.addresses().mentions(&self.program.pool, node, |_| any = true);
        any
    }
}
