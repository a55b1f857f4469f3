//! What labels mention: their expressions, and the local that they write.

use crate::expr::ExprId;
use crate::origin::{Origin, Site};
use crate::program::{Callee, Edge, HavocReason, Label, LockOp, Place, VarId};

impl Label {
    /// Where it stands in the lowered Program, if it is one that has a number there.
    pub fn site(&self) -> Option<Site> {
        match self {
            Label::Havoc { site, .. }
            | Label::Alloc { site, .. }
            | Label::Call { site, .. }
            | Label::Print { site, .. } => site.0,
            _ => None,
        }
    }

    pub fn site_mut(&mut self) -> Option<&mut Origin<Site>> {
        match self {
            Label::Havoc { site, .. }
            | Label::Alloc { site, .. }
            | Label::Call { site, .. }
            | Label::Print { site, .. } => Some(site),
            _ => None,
        }
    }

    /// Calls `f` for each expression of the label, in a fixed order. Addresses (of places, callees, locks) are expressions too.
    pub fn for_each_expr(&self, mut f: impl FnMut(ExprId)) {
        // One list of what is an expression serves both ways of visiting.
        self.clone_small().for_each_expr_mut(|id| f(*id));
        self.args().iter().for_each(|&id| f(id));
    }

    /// Calls `f` for each expression of the label, which it may replace.
    pub fn for_each_expr_mut(&mut self, mut f: impl FnMut(&mut ExprId)) {
        fn place(place: &mut Place, f: &mut impl FnMut(&mut ExprId)) {
            if let Place::Memory(address) = place {
                f(address);
            }
        }
        fn callee(callee: &mut Callee, f: &mut impl FnMut(&mut ExprId)) {
            if let Callee::Address(address) = callee {
                f(address);
            }
        }
        match self {
            Label::Havoc { reason: HavocReason::Result(result), .. } => result.args.iter_mut().flatten().for_each(f),
            Label::Havoc { .. }
            | Label::AtomicBegin
            | Label::AtomicEnd
            | Label::Fence(_)
            | Label::Self_ { .. }
            | Label::Leaks { .. }
            | Label::Error(_) => {}
            Label::Assign { value, .. } => f(value),
            Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => f(cond),
            Label::Load { place: from, .. } => place(from, &mut f),
            Label::Store { place: to, value, .. } => {
                place(to, &mut f);
                f(value);
            }
            Label::Alloc { size, .. } => f(size),
            Label::ObjectSize { address, .. } | Label::Valid { address, .. } | Label::Free { address, .. } => {
                f(address)
            }
            Label::Start { callee: what, arg, .. } => {
                callee(what, &mut f);
                f(arg);
            }
            Label::Join { handle, .. } => f(handle),
            Label::ThreadExit { value } => f(value),
            Label::Lock { op, lock, .. } => {
                f(lock);
                if let LockOp::Init(kind) = op {
                    f(kind);
                }
            }
            Label::Call { callee: what, args, .. } => {
                callee(what, &mut f);
                args.iter_mut().for_each(f);
            }
            Label::Halt { status } => f(status),
            Label::Print { format, args, .. } => {
                f(format);
                args.iter_mut().for_each(f);
            }
        }
    }

    /// The label without the arguments that live on the heap.
    fn clone_small(&self) -> Label {
        match self {
            Label::Call { callee, var, .. } => {
                Label::Call { callee: *callee, args: Vec::new(), var: *var, site: crate::origin::Origin::default() }
            }
            Label::Print { format, var, site, .. } => {
                Label::Print { format: *format, args: Vec::new(), var: *var, site: *site }
            }
            other => other.clone(),
        }
    }

    /// The arguments of a `Call` or `Print`.
    fn args(&self) -> &[ExprId] {
        match self {
            Label::Call { args, .. } | Label::Print { args, .. } => args,
            _ => &[],
        }
    }

    /// The expressions of the label, in the order of [`Label::for_each_expr`].
    pub fn exprs(&self) -> Vec<ExprId> {
        let mut exprs = Vec::new();
        self.for_each_expr(|id| exprs.push(id));
        exprs
    }

    /// The label with other expressions.
    pub fn map_exprs(&self, mut f: impl FnMut(ExprId) -> ExprId) -> Label {
        let mut label = self.clone();
        label.for_each_expr_mut(|id| *id = f(*id));
        label
    }

    /// The local variable that the label writes.
    pub fn written_local(&self) -> Option<VarId> {
        match self {
            Label::Assign { var, .. }
            | Label::Havoc { var, .. }
            | Label::Load { var, .. }
            | Label::Alloc { var, .. }
            | Label::ObjectSize { var, .. }
            | Label::Valid { var, .. }
            | Label::Leaks { var, .. }
            | Label::Start { var, .. }
            | Label::Self_ { var } => Some(*var),
            Label::Join { var, .. } | Label::Lock { var, .. } | Label::Call { var, .. } | Label::Print { var, .. } => {
                *var
            }
            _ => None,
        }
    }

    /// The same, to replace it.
    pub fn written_local_mut(&mut self) -> Option<&mut VarId> {
        match self {
            Label::Assign { var, .. }
            | Label::Havoc { var, .. }
            | Label::Load { var, .. }
            | Label::Alloc { var, .. }
            | Label::ObjectSize { var, .. }
            | Label::Valid { var, .. }
            | Label::Leaks { var, .. }
            | Label::Start { var, .. }
            | Label::Self_ { var } => Some(var),
            Label::Join { var, .. } | Label::Lock { var, .. } | Label::Call { var, .. } | Label::Print { var, .. } => {
                var.as_mut()
            }
            _ => None,
        }
    }

    /// The place of a `Load` or `Store`.
    pub fn place(&self) -> Option<Place> {
        match self {
            Label::Load { place, .. } | Label::Store { place, .. } => Some(*place),
            _ => None,
        }
    }
}

impl Edge {
    /// Calls `f` for each expression on the edge.
    pub fn for_each_expr(&self, mut f: impl FnMut(ExprId)) {
        self.labels.iter().for_each(|label| label.for_each_expr(&mut f));
    }
}
