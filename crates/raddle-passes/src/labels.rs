//! What a label reads and defines: the few questions that every pass asks.

use raddle_ir::{Callee, ExprId, Label, LockOp, Place, VarId};

/// Calls `f` for each expression of a label, in the order in which they are written.
pub(crate) fn for_each_expr(label: &Label, mut f: impl FnMut(ExprId)) {
    // The mapping visitor is the only list of the operands; on a copy it serves for reading as well.
    map_exprs(&mut label.clone(), &mut |id| {
        f(id);
        id
    });
}

/// Replaces each expression of a label.
pub(crate) fn map_exprs(label: &mut Label, f: &mut dyn FnMut(ExprId) -> ExprId) {
    fn place(place: &mut Place, f: &mut dyn FnMut(ExprId) -> ExprId) {
        if let Place::Memory(address) = place {
            *address = f(*address);
        }
    }
    fn callee(callee: &mut Callee, f: &mut dyn FnMut(ExprId) -> ExprId) {
        if let Callee::Address(address) = callee {
            *address = f(*address);
        }
    }
    match label {
        Label::Assign { value, .. } | Label::ThreadExit { value } | Label::Halt { status: value } => *value = f(*value),
        Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => *cond = f(*cond),
        Label::Load { place: from, .. } => place(from, f),
        Label::Store { place: to, value, .. } => {
            place(to, f);
            *value = f(*value);
        }
        Label::Alloc { size, .. } => *size = f(*size),
        Label::Free { address } => *address = f(*address),
        Label::Start { callee: what, arg, .. } => {
            callee(what, f);
            *arg = f(*arg);
        }
        Label::Join { handle, .. } => *handle = f(*handle),
        Label::Lock { op, lock, .. } => {
            *lock = f(*lock);
            if let LockOp::Init(kind) = op {
                *kind = f(*kind);
            }
        }
        Label::Call { callee: what, args, .. } => {
            callee(what, f);
            args.iter_mut().for_each(|arg| *arg = f(*arg));
        }
        Label::Print { format, args, .. } => {
            *format = f(*format);
            args.iter_mut().for_each(|arg| *arg = f(*arg));
        }
        Label::Havoc { .. }
        | Label::AtomicBegin
        | Label::AtomicEnd
        | Label::Fence(_)
        | Label::Self_ { .. }
        | Label::Error => {}
    }
}

/// The local variable that a label gives a value to.
pub(crate) fn defined(label: &Label) -> Option<VarId> {
    let mut label = label.clone();
    defined_mut(&mut label).copied()
}

/// The same, to be changed.
pub(crate) fn defined_mut(label: &mut Label) -> Option<&mut VarId> {
    match label {
        Label::Assign { var, .. }
        | Label::Havoc { var, .. }
        | Label::Load { var, .. }
        | Label::Alloc { var, .. }
        | Label::Start { var, .. }
        | Label::Self_ { var } => Some(var),
        Label::Join { var, .. } | Label::Lock { var, .. } | Label::Call { var, .. } | Label::Print { var, .. } => {
            var.as_mut()
        }
        _ => None,
    }
}

/// Nothing of this thread comes after such a label.
pub(crate) fn ends_thread(label: &Label) -> bool {
    matches!(label, Label::Halt { .. } | Label::ThreadExit { .. })
}
