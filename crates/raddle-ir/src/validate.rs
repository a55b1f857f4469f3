//! Is a Program well made? Every pass hands on one that is; debug builds check it after each.

use crate::expr::{Const, Expr, ExprId};
use crate::names::Names;
use crate::pool::ExprPool;
use crate::program::*;
use crate::sort::Sort;
use crate::span::Span;
use crate::text::label_text;

/// `Ok`, or what is wrong and where.
pub fn validate(program: &Program) -> Result<(), String> {
    require([32, 64].contains(&program.pointer_bits), || {
        format!("pointers of {} bits are not supported", program.pointer_bits)
    })?;
    expressions(program)?;
    for (i, var) in program.vars.iter().enumerate() {
        variable(program, var).map_err(|error| format!("variable {i} ({}): {error}", var.name))?;
    }
    for (i, object) in program.objects.iter().enumerate() {
        self::object(program, object).map_err(|error| format!("object {i} ({}): {error}", object.name))?;
    }
    disjoint_objects(program)?;
    for (i, proc) in program.procs.iter().enumerate() {
        let context = |error| format!("procedure {i} ({}): {error}", proc.name);
        signature(program, ProcId(i as u32), proc).map_err(context)?;
    }
    let entry = program.procs.get(program.entry.index()).ok_or("the entry procedure does not exist")?;
    require(entry.params.is_empty(), || "the entry procedure has parameters".to_string())?;
    // Which expressions mention only locals of the procedure at hand: those with its mark.
    let mut checked = vec![0; program.pool.len()];
    for (i, proc) in program.procs.iter().enumerate() {
        let context = |error| format!("procedure {i} ({}): {error}", proc.name);
        edges(program, ProcId(i as u32), proc, &mut checked).map_err(context)?;
    }
    Ok(())
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

/// The nodes of the pool: operands come first, sorts are right, no node is there twice.
fn expressions(program: &Program) -> Result<(), String> {
    let pool = &program.pool;
    for (id, expr, sort) in pool.nodes() {
        let context = |error| format!("expression {}: {error}", id.0);
        let mut ordered = true;
        expr.for_each_operand(|operand| ordered &= operand < id);
        require(ordered, || context("an operand does not come before it".to_string()))?;
        match pool.check(expr).map_err(context)? {
            Some(expected) => {
                require(expected == sort, || context(format!("it has sort {expected}, not {sort}")))?;
            }
            None => {
                let Expr::Var(var) = expr else { continue };
                let declared = program.vars.get(var.index()).map(|var| var.sort);
                require(declared == Some(sort), || context(format!("variable {} has not sort {sort}", var.0)))?;
            }
        }
        require(pool.find(expr) == Some(id), || context("it is there twice".to_string()))?;
    }
    Ok(())
}

fn span(program: &Program, span: Span) -> Result<(), String> {
    require(span == Span::NONE || (span.file.0 as usize) < program.files.len(), || {
        "its file does not exist".to_string()
    })
}

fn variable(program: &Program, var: &Var) -> Result<(), String> {
    require(var.sort.is_supported(), || format!("the sort {} is not supported", var.sort))?;
    span(program, var.span)?;
    match var.kind {
        VarKind::Global(None) | VarKind::ThreadLocal(None) => Ok(()),
        VarKind::Global(Some(init)) | VarKind::ThreadLocal(Some(init)) => {
            require(init.sort == var.sort, || format!("its initial value has sort {}", init.sort))?;
            ExprPool::new().check(Expr::Const(Const { ..init })).map(|_| ())
        }
        VarKind::Local(proc) => {
            require(proc.index() < program.procs.len(), || "its procedure does not exist".to_string())
        }
    }
}

fn object(program: &Program, object: &Object) -> Result<(), String> {
    span(program, object.span)?;
    let end = object.address.checked_add(object.size);
    require(end.is_some_and(|end| end <= program.dynamic_base), || {
        "it does not end before the addresses of dynamic objects".to_string()
    })?;
    match &object.kind {
        ObjectKind::Function(proc) => {
            require(proc.index() < program.procs.len(), || "its procedure does not exist".to_string())
        }
        ObjectKind::Data { init: ObjectInit::Any, .. } => Ok(()),
        ObjectKind::Data { init: ObjectInit::Bytes { bytes, pointers }, .. } => {
            require(bytes.len() as u64 <= object.size, || "it has more bytes than its size".to_string())?;
            let pointer = u64::from(program.pointer_bits) / 8;
            for (offset, target) in pointers {
                require(target.index() < program.objects.len(), || format!("object {} does not exist", target.0))?;
                require(offset.checked_add(pointer).is_some_and(|end| end <= object.size), || {
                    format!("the pointer at {offset} is outside")
                })?;
            }
            Ok(())
        }
    }
}

fn disjoint_objects(program: &Program) -> Result<(), String> {
    let mut objects: Vec<&Object> = program.objects.iter().filter(|object| object.size > 0).collect();
    objects.sort_by_key(|object| object.address);
    for pair in objects.windows(2) {
        require(pair[0].address + pair[0].size <= pair[1].address, || {
            format!("objects {} and {} overlap", pair[0].name, pair[1].name)
        })?;
    }
    Ok(())
}

fn signature(program: &Program, id: ProcId, proc: &Procedure) -> Result<(), String> {
    span(program, proc.span)?;
    let mut listed = vec![false; program.vars.len()];
    for local in &proc.locals {
        let kind = program.vars.get(local.index()).map(|var| &var.kind);
        require(kind == Some(&VarKind::Local(id)), || format!("variable {} is not a local of it", local.0))?;
        let twice = std::mem::replace(&mut listed[local.index()], true);
        require(!twice, || format!("local {} is listed twice", local.0))?;
    }
    for var in proc.params.iter().chain(&proc.result) {
        let is_local = listed.get(var.index()).copied().unwrap_or(false);
        require(is_local, || format!("parameter or result {} is not among its locals", var.0))?;
    }
    let exists = |location: LocId| location.index() < proc.locations.len();
    require(exists(proc.entry) && exists(proc.exit), || "its entry or exit does not exist".to_string())?;
    proc.locations.iter().try_for_each(|location| span(program, location.span))
}

fn edges(program: &Program, id: ProcId, proc: &Procedure, checked: &mut [u32]) -> Result<(), String> {
    for (i, edge) in proc.edges.iter().enumerate() {
        let context = |error| format!("edge {i}, L{} -> L{}: {error}", edge.source.0, edge.target.0);
        let exists = |location: LocId| location.index() < proc.locations.len();
        require(exists(edge.source) && exists(edge.target), || context("an end does not exist".to_string()))?;
        require(edge.source != proc.exit, || context("it leaves the exit".to_string()))?;
        span(program, edge.span).map_err(context)?;
        let calls = edge.labels.iter().any(|label| matches!(label, Label::Call { .. }));
        require(!calls || edge.labels.len() == 1, || context("a call is not alone".to_string()))?;
        for label in &edge.labels {
            self::label(program, id, label, checked).map_err(|error| {
                let text = label_text(program, &Names::new(program), Some(id), label);
                context(format!("`{text}`: {error}"))
            })?;
        }
    }
    Ok(())
}

fn label(program: &Program, proc: ProcId, label: &Label, checked: &mut [u32]) -> Result<(), String> {
    let mut known = true;
    label.for_each_expr(|id| known &= (id.0 as usize) < program.pool.len());
    require(known, || "an expression does not exist".to_string())?;
    let mut foreign = None;
    label.for_each_expr(|id| foreign = foreign.or_else(|| foreign_var(program, proc, id, checked)));
    if let Some(var) = foreign {
        return Err(format!("variable {} is not a local of this procedure", var.0));
    }
    if let Some(var) = label.written_local() {
        let is_local = program.vars.get(var.index()).is_some_and(|var| var.kind == VarKind::Local(proc));
        require(is_local, || format!("variable {} is not a local of this procedure", var.0))?;
    }
    label_sorts(program, label)
}

/// A variable in an expression that is not a local of the procedure.
fn foreign_var(program: &Program, proc: ProcId, root: ExprId, checked: &mut [u32]) -> Option<VarId> {
    let mark = proc.0 + 1;
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut checked[id.0 as usize], mark) == mark {
            continue;
        }
        let expr = program.pool.get(id);
        if let Expr::Var(var) = expr
            && program.var(var).kind != VarKind::Local(proc)
        {
            return Some(var);
        }
        expr.for_each_operand(|operand| open.push(operand));
    }
    None
}

/// Everything that a label mentions exists; do the sorts agree?
fn label_sorts(program: &Program, label: &Label) -> Result<(), String> {
    let pointer = program.pointer_sort();
    let sort = |id: ExprId| program.pool.sort(id);
    let var_sort = |id: VarId| program.var(id).sort;
    let same = |what: &str, actual: Sort, expected: Sort| {
        require(actual == expected, || format!("{what} has sort {actual}, not {expected}"))
    };
    let integer = |what: &str, actual: Sort| require(actual.is_bits(), || format!("{what} has sort {actual}"));
    let result = |var: &Option<VarId>| var.map_or(Ok(()), |var| integer("the result", var_sort(var)));
    let access = |place: &Place, value: Sort| match place {
        Place::Memory(address) => {
            require(value.bits().is_some(), || "an array is no value in memory".to_string())?;
            same("the address", sort(*address), pointer)
        }
        Place::Var(var) => {
            let shared = program.vars.get(var.index()).filter(|var| !matches!(var.kind, VarKind::Local(_)));
            let shared = shared.ok_or("only a global or thread-local variable is a place")?;
            same("the value", value, shared.sort)
        }
    };
    let callee_proc = |callee: &Callee| match callee {
        Callee::Address(address) => same("the address", sort(*address), pointer).map(|()| None),
        Callee::Proc(proc) => {
            program.procs.get(proc.index()).map(Some).ok_or_else(|| "the procedure does not exist".to_string())
        }
    };
    match label {
        Label::Assign { var, value } => same("the value", sort(*value), var_sort(*var)),
        Label::Havoc { .. } | Label::AtomicBegin | Label::AtomicEnd | Label::Fence(_) | Label::Error(_) => Ok(()),
        Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => {
            same("the condition", sort(*cond), Sort::Bool)
        }
        Label::Load { var, place, .. } => access(place, var_sort(*var)),
        Label::Store { place, value, .. } => access(place, sort(*value)),
        Label::Alloc { var, size, .. } => {
            integer("the size", sort(*size))?;
            same("the result", var_sort(*var), pointer)
        }
        Label::ObjectSize { var, address } => {
            integer("the size", var_sort(*var))?;
            same("the address", sort(*address), pointer)
        }
        Label::Valid { var, address, .. } => {
            same("the result", var_sort(*var), Sort::Bool)?;
            same("the address", sort(*address), pointer)
        }
        Label::Leaks { var, .. } => same("the result", var_sort(*var), Sort::Bool),
        Label::Free { address, .. } => same("the address", sort(*address), pointer),
        Label::Start { var, callee, arg } => {
            integer("the handle", var_sort(*var))?;
            match callee_proc(callee)?.map(|proc| &proc.params[..]) {
                None | Some([]) => Ok(()),
                Some([param]) => same("the argument", sort(*arg), var_sort(*param)),
                Some(_) => Err("a thread gets one argument".to_string()),
            }
        }
        Label::Join { handle, .. } => integer("the handle", sort(*handle)),
        Label::Self_ { var } => integer("the handle", var_sort(*var)),
        Label::ThreadExit { .. } => Ok(()),
        Label::Lock { op, lock, var } => {
            if let LockOp::Init(kind) = op {
                integer("the kind", sort(*kind))?;
            }
            result(var)?;
            same("the address", sort(*lock), pointer)
        }
        Label::Call { callee, args, var, .. } => {
            let Some(proc) = callee_proc(callee)? else { return Ok(()) };
            require(args.len() == proc.params.len(), || format!("{} parameters are expected", proc.params.len()))?;
            for (arg, param) in args.iter().zip(&proc.params) {
                same("an argument", sort(*arg), var_sort(*param))?;
            }
            match (var, proc.result) {
                (None, _) => Ok(()),
                (Some(var), Some(result)) => same("the result", var_sort(*var), var_sort(result)),
                (Some(_), None) => Err("the procedure has no result".to_string()),
            }
        }
        Label::Halt { status } => integer("the status", sort(*status)),
        Label::Print { format, var, .. } => {
            result(var)?;
            same("the format", sort(*format), pointer)
        }
    }
}
