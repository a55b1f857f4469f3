//! Who calls whom, by the typed tree: which functions may be left by a jump (`unwind.rs`).
//!
//! A call through a pointer may reach every function whose address is taken.

use crate::hir::visit::{each_expr, each_expr_of_init};
use crate::hir::{Callee, Expr, ExprKind, FnId, Hir};
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
        if let Some(body) = &function.body {
            each_expr(body, &mut |expr| note(expr, &mut own, &mut taken));
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
