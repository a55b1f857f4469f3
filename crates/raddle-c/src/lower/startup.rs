//! The process that runs first: `main`, or a procedure around it that runs constructors, makes the arguments of `main`, calls it, and runs what is to run at exit.

use super::builder::Builder;
use super::memory_safety::LEAKS;
use super::{Lower, defined};
use crate::error::Result;
use crate::hir::{self, FnId};
use raddle_ir::{
    BinOp, Callee, Const, Edge, Expr, ExprId, HavocReason, Label, LocId, LocKind, Location, Origin, ProcId, Procedure,
    Sort, Span, Var, VarId, VarKind,
};
use rustc_hash::FxHashSet;

impl Lower<'_> {
    /// The process that runs first. Where it is not `main`, `around_main` makes it.
    pub(super) fn entry(&mut self, main: FnId) -> ProcId {
        let proc = self.proc_of(main);
        for id in self.hir.constructors.iter().copied().chain(self.at_exit()) {
            self.proc_of(id);
        }
        let is_plain = self.hir_function(main).params.is_empty() && self.hir.constructors.is_empty();
        let asks_for_leaks = LEAKS.iter().any(|(_, violation)| self.options.counts.has(*violation));
        if is_plain && self.at_exit().is_empty() && !asks_for_leaks { proc } else { self.new_proc(None) }
    }

    /// Functions that run when the program ends, in this order.
    pub(super) fn at_exit(&self) -> Vec<FnId> {
        let destructors = self.hir.destructors.iter().copied();
        // A destructor may register a function, which then runs.
        let again = self.exit_function.filter(|_| !self.hir.destructors.is_empty());
        self.exit_function.into_iter().chain(destructors).chain(again).collect()
    }

    /// `main` is lowered by now, so that arguments that it does not look at need no value.
    pub(super) fn around_main(&mut self, main: FnId, entry: ProcId) -> Result<()> {
        let proc = self.proc_of(main);
        let Some(procedure) = self.procs[proc.index()].as_ref().filter(|_| entry != proc) else { return Ok(()) };
        let mentioned = mentioned(&self.pool, procedure);
        let params: Vec<(VarId, Sort)> = procedure.params.iter().map(|p| (*p, self.vars[p.index()].sort)).collect();
        let uses = |index: usize| params.get(index).is_some_and(|(var, _)| mentioned.contains(var));
        let (uses_count, uses_texts, uses_environment) = (uses(0), uses(1), uses(2));
        let span = self.span(self.hir_function(main).pos);
        let mut around = Around { entry, span, locals: Vec::new(), steps: Vec::new() };
        for id in self.hir.constructors.clone() {
            around.call(self, id, vec![], None);
        }
        let mut args = Vec::new();
        if let Some((_, sort)) = params.first() {
            let argc = around.local(self, "argc", *sort);
            let count = self.pool.var(argc, *sort);
            around.steps.push(self.count_arguments(argc, *sort, uses_count || uses_texts));
            args.push(count);
        }
        for (index, &(_, sort)) in params.iter().enumerate().skip(1) {
            let value = match index {
                1 if uses_texts && self.options.concrete_arguments => self.concrete_argv()?,
                _ => 0,
            };
            let mut arg = self.pool.constant(Const { sort, bits: value.into() });
            let maker = if index == 1 { "__raddle_arguments" } else { "__raddle_environment" };
            let is_any =
                (index == 1 && uses_texts || index == 2 && uses_environment) && !self.options.concrete_arguments;
            if let Some(maker) = defined(self.hir, maker).filter(|_| is_any) {
                let texts = around.local(self, "argv", sort);
                let count = if index == 1 { vec![args[0]] } else { vec![] };
                around.call(self, maker, count, Some(texts));
                arg = self.pool.var(texts, sort);
            }
            args.push(arg);
        }
        let result_sort = self.hir.types.scalar_sort(self.result_type(main));
        let result = result_sort.map(|sort| around.local(self, "status", sort));
        around.call(self, main, args, result);
        let status = match (result, result_sort) {
            (Some(var), Some(sort @ Sort::Bits(32))) => self.pool.var(var, sort),
            _ => self.pool.bits(32, 0),
        };
        for id in self.at_exit() {
            let takes_status = self.exit_function == Some(id);
            around.call(self, id, if takes_status { vec![status] } else { vec![] }, None);
        }
        let mut leaks = Vec::new();
        for (leak, violation) in LEAKS {
            if self.options.counts.has(violation) {
                let var = around.local(self, "leaks", Sort::Bool);
                let answer = self.pool.var(var, Sort::Bool);
                leaks.push((Label::Leaks { var, leak }, answer, self.pool.not(answer), violation));
            }
        }
        let mut procedure = around.procedure(result);
        leaks.into_iter().for_each(|(ask, leaks, is_clean, violation)| {
            ask_at_exit(&mut procedure, ask, [(leaks, Some(Label::Error(violation))), (is_clean, None)]);
        });
        self.procs[entry.index()] = Some(procedure);
        Ok(())
    }

    /// There is one argument at least: the name of the program.
    fn count_arguments(&mut self, argc: VarId, sort: Sort, is_looked_at: bool) -> Vec<Label> {
        if !is_looked_at || self.options.concrete_arguments {
            let one = self.pool.constant(Const { sort, bits: 1 });
            return vec![Label::Assign { var: argc, value: one }];
        }
        let (zero, value) = (self.pool.constant(Const { sort, bits: 0 }), self.pool.var(argc, sort));
        let positive = self.pool.binary(BinOp::SLt, zero, value);
        let havoc = Label::Havoc { var: argc, reason: HavocReason::Input, site: Origin::default() };
        vec![havoc, Label::Assume(positive)]
    }
}

impl Builder<'_, '_> {
    /// A pointer in an argument of the function that verification begins with, to what has no known type. It may be null; it leads to none of the objects that are made as arguments, which
    /// nothing else points to.
    pub(super) fn opaque_argument(&mut self, name: &str, expr: &hir::Expr) -> Result<ExprId> {
        let value = self.input_argument(name, expr)?;
        let end = self.cx.address(self.cx.dynamic_base);
        let is_below = self.cx.pool.binary(BinOp::ULt, value, end);
        self.emit(Label::Assume(is_below));
        Ok(value)
    }

    /// A value of an argument of the function that verification begins with; function pointers are not null.
    pub(super) fn any_argument(&mut self, name: &str, expr: &hir::Expr) -> Result<ExprId> {
        let value = self.input_argument(name, expr)?;
        if self.hir().types.is_pointer(expr.ty) {
            let null = self.cx.address(0);
            let is_null = self.cx.pool.eq(value, null);
            let is_not = self.cx.pool.not(is_null);
            self.emit(Label::Assume(is_not));
        }
        Ok(if self.is_bool(expr.ty) { self.bool_bits(value, 8) } else { value })
    }

    fn input_argument(&mut self, name: &str, expr: &hir::Expr) -> Result<ExprId> {
        let (sort, is_bool) = (self.cx.scalar_sort(expr.ty, expr.pos)?, self.is_bool(expr.ty));
        let signed = self.hir().types.is_signed(expr.ty);
        let var = self.new_local(&format!("argument {name}"), if is_bool { Sort::Bool } else { sort }, signed);
        self.cx.typed.vars.push((var, expr.ty));
        self.emit(Label::Havoc { var, reason: HavocReason::Input, site: Origin::default() });
        Ok(self.var_value(var))
    }
}

/// The procedure around `main` in the making: one step after the other.
struct Around {
    entry: ProcId,
    span: Span,
    locals: Vec<VarId>,
    steps: Vec<Vec<Label>>,
}

impl Around {
    fn local(&mut self, lower: &mut Lower, name: &str, sort: Sort) -> VarId {
        let kind = VarKind::Local(self.entry);
        let (name, span, origin) = (name.into(), self.span, Origin::default());
        let var = lower.add_var(Var { name, sort, kind, signed: true, span, origin });
        self.locals.push(var);
        var
    }

    fn call(&mut self, lower: &mut Lower, id: FnId, args: Vec<ExprId>, var: Option<VarId>) {
        let callee = Callee::Proc(lower.proc_of(id));
        self.steps.push(vec![Label::Call { callee, args, var, site: Origin::default() }]);
    }

    fn procedure(self, result: Option<VarId>) -> Procedure {
        let span = self.span;
        let location = Location { kind: LocKind::Normal, span, origin: Origin::default() };
        let exit = LocId(self.steps.len() as u32 + 1);
        // Lowering puts labels on the first edge of every process.
        let steps = std::iter::once(vec![]).chain(self.steps).enumerate();
        let edges = steps.map(|(i, labels)| {
            let (source, target) = (LocId(i as u32), LocId(i as u32 + 1));
            Edge { source, target, labels, span, is_silent: false }
        });
        Procedure {
            name: "main with arguments".into(),
            params: vec![],
            result,
            locals: self.locals,
            locations: vec![location; exit.index() + 1],
            edges: edges.collect(),
            entry: LocId(0),
            exit,
            span,
        }
    }
}

/// Puts a question behind the end of a procedure; what follows each answer ends the path, or else the procedure.
fn ask_at_exit(procedure: &mut Procedure, ask: Label, answers: [(ExprId, Option<Label>); 2]) {
    let (span, first) = (procedure.span, procedure.exit);
    let location = Location { kind: LocKind::Normal, span, origin: Origin::default() };
    let mut go = |source: LocId, label: Label| {
        procedure.locations.push(location.clone());
        let target = LocId(procedure.locations.len() as u32 - 1);
        procedure.edges.push(Edge { source, target, labels: vec![label], span, is_silent: false });
        target
    };
    let answered = go(first, ask);
    let mut exit = first;
    for (answer, follows) in answers {
        let here = go(answered, Label::Assume(answer));
        match follows {
            Some(label) => drop(go(here, label)),
            None => exit = here,
        }
    }
    procedure.exit = exit;
}

/// The variables that a procedure reads.
fn mentioned(pool: &raddle_ir::ExprPool, procedure: &Procedure) -> FxHashSet<VarId> {
    let exprs: Vec<ExprId> = procedure.edges.iter().flat_map(|e| &e.labels).flat_map(|l| l.exprs()).collect();
    let mut vars = FxHashSet::default();
    pool.for_each_node(&exprs, |_, expr| {
        if let Expr::Var(var) = expr {
            vars.insert(var);
        }
    });
    vars
}
