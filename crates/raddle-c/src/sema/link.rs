//! What translation units share: the last word on globals, calls that saw another type than the definition's, and what is used at all.

use super::{Node, Sema, expr};
use crate::error::{Error, Result};
use crate::hir::visit::each_expr_mut;
use crate::hir::{Callee, Expr, ExprKind, FnId, Local, LocalId, Stmt, StmtKind};
use crate::types::{FnType, Type, TypeId};
use fixed::BitSet;

/// What makes the arguments of `main` and what follows formats, if they were asked for: nothing mentions them.
const UNMENTIONED: [&str; 4] = ["__raddle_arguments", "__raddle_environment", "__raddle_formatted", "__raddle_printed"];

mod fixed {
    /// A set of small numbers.
    pub struct BitSet(Vec<bool>);

    impl BitSet {
        pub fn new(size: usize) -> Self {
            BitSet(vec![false; size])
        }

        /// Adds a number; true if it is new.
        pub fn insert(&mut self, index: usize) -> bool {
            !std::mem::replace(&mut self.0[index], true)
        }

        pub fn contains(&self, index: usize) -> bool {
            self.0[index]
        }
    }
}

impl Sema<'_> {
    /// Tentative definitions become definitions.
    pub(super) fn complete_globals(&mut self) -> Result<()> {
        for index in 0..self.globals.len() {
            let (ty, pos) = (self.globals[index].ty, self.globals[index].pos);
            if self.global_info[index].is_declared_weak && !self.globals[index].defined {
                // Its address is null.
                let what = "a weak variable that nobody defines";
                self.global_info[index].error = Some(Error::unsupported(pos, what));
            }
            if !self.globals[index].defined && matches!(self.types.get(ty), Type::Array(_, None)) {
                let what = "an array of unknown length that nobody defines";
                self.global_info[index].error.get_or_insert_with(|| Error::unsupported(pos, what));
            }
            if !self.globals[index].defined || self.types.is_complete(ty) || self.global_info[index].error.is_some() {
                continue;
            }
            match *self.types.get(ty) {
                // As gcc: an array of unknown length has one element.
                Type::Array(element, None) if self.types.is_complete(element) => {
                    self.globals[index].ty = self.types.intern(Type::Array(element, Some(1)));
                }
                _ => {
                    let name = &self.globals[index].name;
                    return Err(Error::invalid(pos, format!("`{name}` has an incomplete type")));
                }
            }
        }
        Ok(())
    }

    /// Drops the bodies of functions that nothing uses and marks such globals; reports what cannot be modelled in the others.
    pub(super) fn drop_unreachable(&mut self, main: Option<FnId>) -> Result<()> {
        let mut functions = BitSet::new(self.functions.len());
        let mut globals = BitSet::new(self.globals.len());
        let mut open: Vec<Node> = match main {
            Some(main) => {
                let around = self.constructors.iter().chain(&self.destructors).map(|(_, id)| *id);
                let makers = UNMENTIONED.map(|name| self.interner.intern(name));
                let makers = makers.iter().filter_map(|name| self.external.get(name).copied());
                std::iter::once(main).chain(around).map(Node::Function).chain(makers).collect()
            }
            None => (0..self.functions.len() as u32).map(|i| Node::Function(FnId(i))).collect(),
        };
        let mut first_error: Option<Error> = None;
        while let Some(node) = open.pop() {
            let (fresh, refs, error) = match node {
                Node::Function(id) => {
                    let info = &self.fn_info[id.index()];
                    (functions.insert(id.index()), &info.refs, &info.error)
                }
                Node::Global(id) => {
                    let info = &self.global_info[id.index()];
                    (globals.insert(id.index()), &info.refs, &info.error)
                }
            };
            if !fresh {
                continue;
            }
            if let Some(error) = error
                && first_error.as_ref().is_none_or(|first| error.pos < first.pos)
            {
                first_error = Some(error.clone());
            }
            open.extend_from_slice(refs);
        }
        if let Some(error) = first_error {
            return Err(error);
        }
        for (index, global) in self.globals.iter_mut().enumerate() {
            global.used = main.is_none() || globals.contains(index);
        }
        for (index, function) in self.functions.iter_mut().enumerate() {
            if !functions.contains(index) && function.body.is_some() {
                function.body = None;
                function.locals.clear();
                function.params.clear();
                function.labels.clear();
            }
        }
        Ok(())
    }

    /// Makes direct calls fit the definitions where they were checked against another declaration.
    pub(super) fn adapt_calls(&mut self) {
        let differs = |sema: &Self, id: usize| {
            let function = &sema.functions[id];
            function.body.is_some()
                && sema.fn_info[id].called_as.iter().any(|ty| *ty != function.ty && !sema.same_call(*ty, function.ty))
        };
        let mut targets = BitSet::new(self.functions.len());
        let mut any = false;
        for id in 0..self.functions.len() {
            if differs(self, id) {
                targets.insert(id);
                any = true;
            }
        }
        if !any {
            return;
        }
        for index in 0..self.functions.len() {
            let Some(mut body) = self.functions[index].body.take() else { continue };
            let mut locals = std::mem::take(&mut self.functions[index].locals);
            each_expr_mut(&mut body, &mut |expr| self.adapt_call(expr, &targets, &mut locals));
            let function = &mut self.functions[index];
            function.body = Some(body);
            function.locals = locals;
        }
    }

    /// Do calls look the same through both types?
    fn same_call(&self, a: TypeId, b: TypeId) -> bool {
        let (Type::Function(a), Type::Function(b)) = (self.types.get(a), self.types.get(b)) else { return false };
        let same = |x: TypeId, y: TypeId| {
            self.types.scalar_sort(x).is_some() && self.types.scalar_sort(x) == self.types.scalar_sort(y)
                || self.types.compatible(x, y, false)
        };
        same(a.result, b.result)
            && a.params.len() == b.params.len()
            && !a.unprototyped
            && a.params.iter().zip(&b.params).all(|(x, y)| same(*x, *y))
    }

    fn adapt_call(&mut self, call: &mut Expr, targets: &BitSet, locals: &mut Vec<Local>) {
        let ExprKind::Call { callee: Callee::Direct(id), args } = &mut call.kind else { return };
        if !targets.contains(id.index()) {
            return;
        }
        let Type::Function(f) = self.types.get(self.functions[id.index()].ty).clone() else { return };
        let pos = call.pos;
        let mut hidden = |ty: TypeId| {
            locals.push(Local { name: String::new(), pos, ty, address_taken: false, align: None });
            let place = expr(ty, pos, ExprKind::Local(LocalId(locals.len() as u32 - 1)));
            expr(ty, pos, ExprKind::Load(Box::new(place)))
        };
        self.adapt_args(&f, args, &mut hidden);
        let (wanted, result) = (call.ty, self.types.value_type(f.result));
        if wanted == result {
            return;
        }
        call.ty = result;
        if self.types.is_scalar(wanted) && self.types.is_scalar(result) || self.types.is_void(wanted) {
            let inner = std::mem::replace(call, expr(wanted, pos, ExprKind::Int(0)));
            call.kind = ExprKind::Convert(Box::new(inner));
        } else if !self.types.compatible(wanted, result, false) {
            let value = hidden(wanted);
            let inner = std::mem::replace(call, expr(wanted, pos, ExprKind::Int(0)));
            *call = garbage(inner, "the result of a call of a function that is defined with another type", value);
        }
    }

    fn adapt_args(&mut self, f: &FnType, args: &mut Vec<Expr>, hidden: &mut impl FnMut(TypeId) -> Expr) {
        for (arg, param) in args.iter_mut().zip(&f.params) {
            let param = self.types.value_type(*param);
            if arg.ty == param || self.types.compatible(arg.ty, param, false) {
                continue;
            }
            let old = std::mem::replace(arg, expr(param, arg.pos, ExprKind::Int(0)));
            let scalars = self.types.is_scalar(old.ty) && self.types.is_scalar(param);
            let mixed = self.types.is_float(old.ty) != self.types.is_float(param)
                && (self.types.is_pointer(old.ty) || self.types.is_pointer(param));
            *arg = match scalars && !mixed {
                true => self.convert(old, param),
                false => garbage(old, "an argument for a parameter that is defined with another type", hidden(param)),
            };
        }
        for param in f.params.iter().skip(args.len()) {
            let param = self.types.value_type(*param);
            args.push(hidden(param));
        }
    }
}

/// An expression whose value is wanted as what it is not: nobody knows what follows.
fn garbage(inner: Expr, what: &str, value: Expr) -> Expr {
    let (ty, pos) = (value.ty, inner.pos);
    let stmt = |kind| Stmt { pos, kind };
    let body = vec![stmt(StmtKind::Expr(inner)), stmt(StmtKind::Gap(what.into()))];
    expr(ty, pos, ExprKind::StmtExpr(body, Some(Box::new(value))))
}
