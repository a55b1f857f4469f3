//! What evaluating an expression or calling a function may read and write: enough to say whether two evaluations commute.
//!
//! Memory is divided into parts: by the variable that an access names, by the class of its type, and by the member of a record. An access through a
//! pointer is to any variable whose address is used otherwise than to access it. Types tell parts apart as C's rules for effective types do; characters,
//! unions and whole records are of every type. A function does what its body and all functions that it may call do; what it does to its own locals is
//! nobody's business. Inputs, allocation and output commute.
//!
//! Where there are other threads, what synchronises with them (a lock, a join, an atomic access) commutes with no access to memory that they may
//! see change, and what may end the thread commutes with no write.

use crate::hir::visit::{self, in_expr, in_statement};
use crate::hir::{Callee, Expr, ExprKind, FnId, GlobalId, Hir, LocalId, Stmt, StmtKind};
use crate::library_names;
use crate::types::{RecordId, Type, TypeId};
use raddle_ir::{Sort, Violation, Violations};
use rustc_hash::FxHashSet;

/// The variable that an access names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Root {
    Global(GlobalId),
    /// Of the function at hand.
    Local(LocalId),
    /// Whatever a pointer leads to.
    Pointer,
}

/// A part of memory, as an access tells it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Part {
    root: Root,
    /// `None`: of every type.
    sort: Option<Sort>,
    /// The record and the offset in it.
    member: Option<(RecordId, u64)>,
}

/// What an evaluation does.
#[derive(Clone, Default, Debug)]
pub(super) struct Effects {
    reads: FxHashSet<Part>,
    writes: FxHashSet<Part>,
    /// It synchronises with other threads, which may see the order.
    synchronises: bool,
    /// It may not return: the program or the path ends, or the thread waits for ever.
    ends: bool,
    /// It may not return, and the program goes on elsewhere.
    leaves: bool,
    /// It may violate the property.
    fails: bool,
}

impl Effects {
    pub fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty() && !self.synchronises && !self.may_stop() && !self.fails
    }

    /// Adds what somebody else does; tells whether that was news.
    pub fn add(&mut self, other: &Effects) -> bool {
        let before = (self.size(), self.synchronises, self.ends, self.leaves, self.fails);
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.synchronises |= other.synchronises;
        self.ends |= other.ends;
        self.leaves |= other.leaves;
        self.fails |= other.fails;
        before != (self.size(), self.synchronises, self.ends, self.leaves, self.fails)
    }

    fn may_stop(&self) -> bool {
        self.ends || self.leaves
    }

    fn size(&self) -> usize {
        self.reads.len() + self.writes.len()
    }

    fn access(&mut self, part: Option<Part>, reads: bool, writes: bool) {
        if let Some(part) = part {
            if reads {
                self.reads.insert(part);
            }
            if writes {
                self.writes.insert(part);
            }
        }
    }
}

/// The effects of all functions, and whose addresses are used.
pub(super) struct Summaries<'a> {
    hir: &'a Hir,
    functions: Vec<Effects>,
    /// Of a call through a pointer.
    any_function: Effects,
    /// Functions that pointers may lead to, in order.
    addressed: Vec<FnId>,
    /// Those that pointers of another type may lead to.
    pub converted: Vec<FnId>,
    escaped: FxHashSet<GlobalId>,
    /// By name, in some function.
    written: FxHashSet<GlobalId>,
    pub has_threads: bool,
    /// Something runs after the program's end: a handler, a destructor.
    has_aftermath: bool,
    counts: Violations,
}

/// What one function does itself, and whom it calls.
#[derive(Default)]
struct Body {
    effects: Effects,
    calls: FxHashSet<FnId>,
    calls_pointers: bool,
}

/// The variables of one function whose addresses are used.
pub(super) type Escaped = FxHashSet<LocalId>;

impl<'a> Summaries<'a> {
    pub fn new(hir: &'a Hir, counts: Violations) -> Summaries<'a> {
        let mut this = Summaries {
            hir,
            functions: vec![Effects::default(); hir.functions.len()],
            any_function: Effects::default(),
            addressed: Vec::new(),
            converted: Vec::new(),
            escaped: FxHashSet::default(),
            written: FxHashSet::default(),
            has_threads: false,
            has_aftermath: !hir.destructors.is_empty(),
            counts,
        };
        let mut addresses = Addresses::default();
        for init in hir.globals.iter().filter_map(|global| global.init.as_ref()) {
            visit::initial_values(init).for_each(|expr| addresses.in_expr(expr));
        }
        let mut bodies = Vec::new();
        for function in &hir.functions {
            let mut body = Body::default();
            if let Some(statements) = &function.body {
                this.walk(statements, &mut body);
                addresses.in_statements(statements);
            }
            body.effects.reads.retain(|part| !matches!(part.root, Root::Local(_)));
            body.effects.writes.retain(|part| !matches!(part.root, Root::Local(_)));
            this.written.extend(body.effects.writes.iter().filter_map(|part| match part.root {
                Root::Global(id) => Some(id),
                _ => None,
            }));
            bodies.push(body);
        }
        this.escaped = addresses.globals;
        let mentioned = bodies.iter().flat_map(|body| &body.calls).chain(&addresses.functions);
        for id in mentioned {
            let name = hir.functions[id.index()].name.as_str();
            this.has_threads |= matches!(name, "pthread_create" | "thrd_create" | "__raddle_start" | "__raddle_create");
            this.has_aftermath |= matches!(name, "atexit" | "on_exit" | "at_quick_exit");
        }
        this.addressed = addresses.functions.into_iter().collect();
        this.addressed.sort_unstable();
        let types = &hir.types;
        let from: FxHashSet<TypeId> = addresses.conversions.iter().filter_map(|ty| types.pointee(*ty)).collect();
        let is_converted = |id: &FnId| {
            let ty = hir.functions[id.index()].ty;
            from.iter().any(|from| matches!(types.get(*from), Type::Function(_)) && types.compatible(*from, ty, false))
        };
        this.converted = this.addressed.iter().copied().filter(is_converted).collect();
        this.close(&bodies);
        this
    }

    /// Functions do what those do that they call.
    fn close(&mut self, bodies: &[Body]) {
        for (effects, body) in self.functions.iter_mut().zip(bodies) {
            effects.add(&body.effects);
        }
        let mut is_news = true;
        while is_news {
            is_news = false;
            for id in &self.addressed {
                is_news |= self.any_function.add(&self.functions[id.index()]);
            }
            for (index, body) in bodies.iter().enumerate() {
                let mut effects = std::mem::take(&mut self.functions[index]);
                for callee in body.calls.iter().filter(|callee| callee.index() != index && self.has_body(**callee)) {
                    is_news |= effects.add(&self.functions[callee.index()]);
                }
                if body.calls_pointers {
                    is_news |= effects.add(&self.any_function);
                }
                self.functions[index] = effects;
            }
        }
    }

    /// Everything that statements do.
    fn walk(&self, statements: &'a [Stmt], body: &mut Body) {
        for statement in statements {
            self.walk_statement(statement, body);
            // What follows the error is not reached, unless somebody jumps there.
            if let StmtKind::Expr(Expr { kind: ExprKind::Call { callee: Callee::Direct(id), .. }, .. }) =
                &statement.kind
                && is_error(&self.hir.functions[id.index()].name)
                && !has_label(statements)
            {
                return;
            }
        }
    }

    fn walk_statement(&self, statement: &'a Stmt, body: &mut Body) {
        of_statement(statement, &mut body.effects);
        in_statement(statement, |part| self.walk_part(part, body));
    }

    fn walk_part(&self, part: visit::Part<'a>, body: &mut Body) {
        let expr = match part {
            visit::Part::Expr(expr) => expr,
            visit::Part::Stmts(statements) => return self.walk(statements, body),
        };
        self.direct(expr, &mut body.effects);
        match &expr.kind {
            ExprKind::Call { callee: Callee::Direct(id), .. } => {
                body.calls.insert(*id);
            }
            ExprKind::Call { callee: Callee::Pointer(_), .. } => body.calls_pointers = true,
            _ => {}
        }
        in_expr(expr, |part| self.walk_part(part, body));
    }

    /// Does a call run a body of the function?
    fn has_body(&self, id: FnId) -> bool {
        let function = &self.hir.functions[id.index()];
        function.body.is_some() && !is_error(&function.name)
    }

    /// What an expression does itself, without its operands and without the functions that it calls.
    fn direct(&self, expr: &'a Expr, effects: &mut Effects) {
        let mut access = |lvalue: &Expr, reads: bool, writes: bool| {
            effects.access(self.part(lvalue), reads, writes);
            effects.synchronises |= matches!(self.hir.types.get(lvalue.ty), Type::Atomic(_));
        };
        match &expr.kind {
            ExprKind::Load(lvalue) => access(lvalue, true, false),
            ExprKind::Assign(lvalue, _) => access(lvalue, false, true),
            ExprKind::AssignOp { target, .. }
            | ExprKind::AssignPtrAdd { target, .. }
            | ExprKind::IncDec { target, .. }
            | ExprKind::VaArg(target) => access(target, true, true),
            ExprKind::Call { callee: Callee::Direct(id), args } => self.direct_call(*id, args, effects),
            ExprKind::Call { callee: Callee::Builtin(name), args } => {
                effects.synchronises |= name.contains("_sync_") || name.contains("atomic_");
                effects.ends |= name.ends_with("trap") || name.ends_with("abort") || name.ends_with("unreachable");
                self.through_arguments(args, effects);
            }
            _ => {}
        }
    }

    /// A call of a function by name, as far as its body does not tell.
    fn direct_call(&self, id: FnId, args: &'a [Expr], effects: &mut Effects) {
        let function = &self.hir.functions[id.index()];
        let name = function.name.strip_prefix("__builtin_").unwrap_or(&function.name);
        let is_assertion = name.starts_with("__assert") || name == "assert";
        let is_error = is_error(name) && self.counts.has(Violation::ErrorCall);
        effects.fails |= is_error || is_assertion && self.counts.has(Violation::Assertion);
        effects.ends |= is_assertion && !self.counts.has(Violation::Assertion);
        if function.body.is_some() || is_error || is_assertion {
            return;
        }
        effects.leaves |= super::unwind::is_long_jump(name) || matches!(name, "pthread_exit" | "thrd_exit");
        effects.ends |= function.noreturn || matches!(name, "__VERIFIER_assume" | "assume_abort_if_not" | "abort");
        let name =
            name.strip_prefix("__raddle_own_").or_else(|| name.strip_prefix("__raddle_operator_")).unwrap_or(name);
        let is_ours = name.starts_with("__raddle_") || name.starts_with("__VERIFIER_atomic");
        if is_ours || library_names::is_library(name) {
            let synchronises = is_ours && !is_value(name) || is_synchronisation(name);
            effects.synchronises |= synchronises;
            effects.ends |= synchronises;
            if !is_pure(name) {
                self.through_arguments(args, effects);
            }
        }
    }

    fn through_arguments(&self, args: &[Expr], effects: &mut Effects) {
        for arg in args.iter().filter(|arg| matches!(self.hir.types.get(arg.ty), Type::Pointer(_))) {
            let part = self.pointed_to(arg).map(|(part, _)| Part { sort: None, member: None, ..part });
            effects.access(part, true, true);
        }
    }

    /// What evaluating an expression does, its operands not included.
    pub fn own(&self, expr: &'a Expr) -> Effects {
        let mut effects = Effects::default();
        self.direct(expr, &mut effects);
        match &expr.kind {
            ExprKind::Call { callee: Callee::Direct(id), .. } if self.has_body(*id) => {
                effects.add(&self.functions[id.index()]);
            }
            ExprKind::Call { callee: Callee::Pointer(_), .. } => {
                effects.add(&self.any_function);
            }
            _ => {}
        }
        effects
    }

    /// Can nobody tell how often, in which order and with what a function is called?
    pub fn is_silent(&self, function: &Expr) -> bool {
        let effects = match &function.kind {
            ExprKind::Convert(inner) | ExprKind::Decay(inner) | ExprKind::AddrOf(inner) => {
                return self.is_silent(inner);
            }
            ExprKind::Function(id) => &self.functions[id.index()],
            _ => &self.any_function,
        };
        effects.writes.is_empty() && !effects.synchronises && !effects.ends && !effects.fails
    }

    /// The part of memory that an lvalue denotes; `None` for what nobody can change.
    fn part(&self, lvalue: &Expr) -> Option<Part> {
        let sort = self.hir.types.scalar_sort(lvalue.ty).filter(|sort| sort.bits() != Some(8));
        match &lvalue.kind {
            ExprKind::Global(id) => Some(Part { root: Root::Global(*id), sort, member: None }),
            ExprKind::Local(id) | ExprKind::CompoundLiteral(id, _) => {
                Some(Part { root: Root::Local(*id), sort, member: None })
            }
            ExprKind::Deref(pointer) => {
                let (within, is_any) = self.pointed_to(pointer)?;
                Some(Part { sort: sort.filter(|_| !is_any), ..within })
            }
            ExprKind::Member { base, offset, .. } => {
                let within = self.part(base)?;
                match self.hir.types.get(self.hir.types.strip_atomic(base.ty)) {
                    Type::Record(id) if !self.is_union(base) => {
                        Some(Part { sort, member: Some((*id, *offset)), ..within })
                    }
                    _ => Some(Part { sort: None, member: None, ..within }),
                }
            }
            ExprKind::Str(_) | ExprKind::Function(_) | ExprKind::Call { .. } | ExprKind::VaArg(_) => None,
            _ => Some(Part { root: Root::Pointer, sort, member: None }),
        }
    }

    /// Is an lvalue a union, or a part of one?
    fn is_union(&self, lvalue: &Expr) -> bool {
        let is_union = match self.hir.types.get(self.hir.types.strip_atomic(lvalue.ty)) {
            Type::Record(id) => self.hir.types.records[id.0 as usize].is_union,
            _ => false,
        };
        is_union || matches!(&lvalue.kind, ExprKind::Member { base, .. } if self.is_union(base))
    }

    /// What a pointer leads to, and whether that is of every type, since it lies in a union.
    fn pointed_to(&self, pointer: &Expr) -> Option<(Part, bool)> {
        match &pointer.kind {
            ExprKind::PtrAdd { pointer: inner, .. } => self.pointed_to(inner),
            ExprKind::Convert(inner) => {
                let (part, is_any) = self.pointed_to(inner)?;
                Some((Part { member: None, ..part }, is_any))
            }
            ExprKind::AddrOf(lvalue) | ExprKind::Decay(lvalue) => Some((self.part(lvalue)?, self.is_union(lvalue))),
            _ => Some((Part { root: Root::Pointer, sort: None, member: None }, false)),
        }
    }

    /// Can the order of two evaluations make a difference, one of them in a function that is called?
    pub fn conflict(&self, a: &Effects, b: &Effects, locals: &Escaped) -> bool {
        let overlap = |one: &FxHashSet<Part>, other: &FxHashSet<Part>| {
            one.iter().any(|a| other.iter().any(|b| self.may_overlap(a, b, locals)))
        };
        self.conflict_of_order(a, b, locals)
            || overlap(&a.writes, &b.reads)
            || overlap(&a.writes, &b.writes)
            || overlap(&a.reads, &b.writes)
    }

    /// The same for two evaluations that are no calls: unsequenced accesses of one variable, one of them a write, are undefined.
    pub fn conflict_of_order(&self, a: &Effects, b: &Effects, locals: &Escaped) -> bool {
        let writes_shared = |effects: &Effects| effects.writes.iter().any(|part| self.is_shared(part.root, locals));
        let reads_shared = |effects: &Effects| {
            effects.reads.iter().any(|part| match part.root {
                Root::Global(id) if !self.written.contains(&id) && !self.escaped.contains(&id) => false,
                root => self.is_shared(root, locals),
            })
        };
        let lost = |one: &Effects, other: &Effects| {
            one.may_stop() && other.fails
                || one.leaves && (other.synchronises || !other.writes.is_empty())
                || one.ends && self.has_aftermath && !other.writes.is_empty()
                || one.ends && self.has_threads && writes_shared(other)
        };
        let seen = |one: &Effects, other: &Effects| {
            self.has_threads && one.synchronises && (other.synchronises || reads_shared(other) || writes_shared(other))
        };
        seen(a, b) || seen(b, a) || lost(a, b) || lost(b, a)
    }

    /// May another thread access it?
    fn is_shared(&self, root: Root, locals: &Escaped) -> bool {
        match root {
            Root::Global(id) => !self.hir.globals[id.index()].thread_local || self.escaped.contains(&id),
            Root::Local(id) => locals.contains(&id),
            Root::Pointer => true,
        }
    }

    fn may_overlap(&self, a: &Part, b: &Part, locals: &Escaped) -> bool {
        let is_reachable = |root: Root| match root {
            Root::Global(id) => self.escaped.contains(&id),
            Root::Local(id) => locals.contains(&id),
            Root::Pointer => true,
        };
        let roots = match (a.root, b.root) {
            (Root::Pointer, other) | (other, Root::Pointer) => is_reachable(other),
            (one, other) => one == other,
        };
        let sorts = a.sort.is_none() || b.sort.is_none() || a.sort == b.sort;
        let members = a.member.is_none() || b.member.is_none() || a.member == b.member;
        roots && sorts && members
    }
}

/// Is there something to jump to?
fn has_label(statements: &[Stmt]) -> bool {
    let mut found = false;
    visit::each_statement(statements, &mut |statement| {
        found |= matches!(statement.kind, StmtKind::Label(..) | StmtKind::Case { .. } | StmtKind::Default(_));
    });
    found
}

/// The condition that somebody put a probe before.
fn unprobed(cond: &Expr) -> &Expr {
    match &cond.kind {
        ExprKind::StmtExpr(before, Some(cond)) if before.iter().all(|s| matches!(s.kind, StmtKind::Probe(..))) => cond,
        _ => cond,
    }
}

/// What a statement does itself, without what is in it.
pub(super) fn of_statement(statement: &Stmt, effects: &mut Effects) {
    match &statement.kind {
        StmtKind::Barrier(_) => effects.synchronises = true,
        StmtKind::While { cond, .. } if matches!(unprobed(cond).kind, ExprKind::Int(_)) => effects.ends = true,
        StmtKind::For { cond: None, .. } => effects.ends = true,
        StmtKind::For { cond: Some(cond), .. } if matches!(unprobed(cond).kind, ExprKind::Int(_)) => {
            effects.ends = true
        }
        _ => {}
    }
}

fn is_error(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

fn is_synchronisation(name: &str) -> bool {
    const FAMILIES: [&str; 7] = ["pthread_", "mtx_", "cnd_", "thrd_", "sem_", "atomic_", "call_once"];
    FAMILIES.iter().any(|family| name.starts_with(family)) && !is_value(name)
}

/// Functions of threads, and of our own, that only compute.
fn is_value(name: &str) -> bool {
    const FAMILIES: [&str; 6] = [
        "__raddle_encoding",
        "__raddle_decoded",
        "__raddle_object_size",
        "__raddle_self",
        "__raddle_result_",
        "__raddle_gap",
    ];
    matches!(name, "pthread_self" | "thrd_current" | "pthread_equal" | "thrd_equal")
        || name.starts_with("pthread_") && name.contains("attr_")
        || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// Functions that change nothing that their arguments point to.
fn is_pure(name: &str) -> bool {
    matches!(name, "puts" | "perror")
}

/// The variables and functions whose addresses are used otherwise than to access or to call them.
#[derive(Default)]
pub(super) struct Addresses {
    globals: FxHashSet<GlobalId>,
    pub locals: Escaped,
    functions: FxHashSet<FnId>,
    /// The types of pointers that are converted to another type.
    conversions: FxHashSet<TypeId>,
}

impl Addresses {
    pub fn in_statements(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|statement| in_statement(statement, |part| self.in_part(part)));
    }

    fn in_part(&mut self, part: visit::Part) {
        match part {
            visit::Part::Expr(expr) => self.in_expr(expr),
            visit::Part::Stmts(statements) => self.in_statements(statements),
        }
    }

    fn in_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Deref(pointer) => self.in_pointer(pointer),
            ExprKind::AddrOf(lvalue) | ExprKind::Decay(lvalue) => {
                self.note(lvalue);
                self.in_expr(lvalue);
            }
            ExprKind::Function(id) => {
                self.functions.insert(*id);
            }
            ExprKind::Convert(inner) => {
                if expr.ty != inner.ty {
                    self.conversions.insert(inner.ty);
                }
                self.in_expr(inner);
            }
            _ => in_expr(expr, |part| self.in_part(part)),
        }
    }

    fn in_pointer(&mut self, pointer: &Expr) {
        match &pointer.kind {
            ExprKind::Convert(inner) => self.in_pointer(inner),
            ExprKind::PtrAdd { pointer, index, .. } => {
                self.in_pointer(pointer);
                self.in_expr(index);
            }
            ExprKind::AddrOf(lvalue) | ExprKind::Decay(lvalue) => self.in_expr(lvalue),
            _ => self.in_expr(pointer),
        }
    }

    fn note(&mut self, lvalue: &Expr) {
        match &lvalue.kind {
            ExprKind::Global(id) => {
                self.globals.insert(*id);
            }
            ExprKind::Local(id) | ExprKind::CompoundLiteral(id, _) => {
                self.locals.insert(*id);
            }
            ExprKind::Member { base, .. } => self.note(base),
            ExprKind::Deref(pointer) => self.note_pointer(pointer),
            _ => {}
        }
    }

    fn note_pointer(&mut self, pointer: &Expr) {
        match &pointer.kind {
            ExprKind::Convert(inner) | ExprKind::PtrAdd { pointer: inner, .. } => self.note_pointer(inner),
            ExprKind::AddrOf(lvalue) | ExprKind::Decay(lvalue) => self.note(lvalue),
            _ => {}
        }
    }
}
