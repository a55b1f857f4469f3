//! When is the evaluation of an expression defined?
//!
//! An invariant that divides by zero or reads where no object is does not hold, and what it reads after an object's end says nothing. In a Program such a step ends the path; a condition
//! under which it does not is known where the access names its object: the offset lies in it. Static objects never end, and locals live as long as somebody can name them. What a
//! pointer leads to, and whether it is still there, no expression says.

use raddle_ir::{BinOp, Callee, Expr, ExprId, Label, Object, ObjectKind, Place, ProcId, Program, Storage, VarId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defined {
    Always,
    /// Exactly if this holds.
    If(ExprId),
    /// Not unless this holds. If it does, nobody knows.
    OnlyIf(ExprId),
}

/// A constant address so far from an object is still a part of an address in it (`a[i - 9]`). Static objects are farther apart.
const NEAR: u128 = 0x1000;

/// Does executing a label of an expression's evaluation go on?
pub fn defined(program: &mut Program, proc: ProcId, label: &Label) -> Defined {
    match label {
        Label::Assign { .. } | Label::Assume(_) | Label::Self_ { .. } | Label::Load { place: Place::Var(_), .. } => {
            Defined::Always
        }
        // A block begins with the condition's statement.
        Label::Alloc { storage: Storage::Stack, .. } | Label::Havoc { .. } => Defined::Always,
        Label::Require { cond, .. } => Defined::If(*cond),
        Label::Load { place: Place::Memory(address), var, .. } => {
            let bytes = program.var(*var).sort.bytes();
            access(program, proc, *address, bytes)
        }
        _ => {
            let nothing = program.pool.bool(true);
            Defined::OnlyIf(nothing)
        }
    }
}

fn access(program: &mut Program, proc: ProcId, address: ExprId, bytes: u64) -> Defined {
    let mut terms = Vec::new();
    flatten(program, address, false, &mut terms);
    let width = program.pointer_bits;
    let Some((base, size, start)) = base(program, proc, &terms) else {
        let pool = &mut program.pool;
        terms.retain(|(term, _)| pool.as_const(*term).is_none());
        return match terms[..] {
            // A number that is in no object.
            [] => Defined::If(pool.bool(false)),
            [(pointer, false)] => {
                let null = pool.bits(width, 0);
                Defined::OnlyIf(pool.ne(pointer, null))
            }
            _ => Defined::OnlyIf(pool.bool(true)),
        };
    };
    let Some(last) = size.checked_sub(bytes) else { return Defined::If(program.pool.bool(false)) };
    let pool = &mut program.pool;
    let mut offset = pool.bits(width, 0);
    for (number, &(term, is_negative)) in terms.iter().enumerate() {
        let term = match number == base {
            true => pool.bits(width, pool.as_const(term).map_or(0, |c| c.bits.wrapping_sub(start))),
            false => term,
        };
        offset = pool.binary(if is_negative { BinOp::BvSub } else { BinOp::BvAdd }, offset, term);
    }
    let last = pool.bits(width, last.into());
    let is_inside = pool.binary(BinOp::ULe, offset, last);
    match pool.is_bool(is_inside, true) {
        true => Defined::Always,
        false => Defined::If(is_inside),
    }
}

/// The addends of a sum, and whether they are subtracted.
fn flatten(program: &Program, expr: ExprId, is_negative: bool, terms: &mut Vec<(ExprId, bool)>) {
    match program.pool.get(expr) {
        Expr::Binary(BinOp::BvAdd, a, b) => {
            flatten(program, a, is_negative, terms);
            flatten(program, b, is_negative, terms);
        }
        Expr::Binary(BinOp::BvSub, a, b) => {
            flatten(program, a, is_negative, terms);
            flatten(program, b, !is_negative, terms);
        }
        _ => terms.push((expr, is_negative)),
    }
}

/// The addend that is the address of the one object that the others are an offset in: its number, the object's size, and the object's address if it is a number.
fn base(program: &Program, proc: ProcId, terms: &[(ExprId, bool)]) -> Option<(usize, u64, u128)> {
    let added = || terms.iter().enumerate().filter(|(_, (_, is_negative))| !is_negative);
    let homes: Vec<(usize, u64)> = added()
        .filter_map(|(number, (term, _))| match program.pool.get(*term) {
            Expr::Var(var) => Some((number, size_at(program, proc, var).or_else(|| size_behind(program, proc, var))?)),
            _ => None,
        })
        .collect();
    match homes[..] {
        [(number, size)] => return Some((number, size, 0)),
        [] => {}
        _ => return None,
    }
    let objects: Vec<(usize, &Object)> = added()
        .filter_map(|(number, (term, _))| Some((number, near(program, program.pool.as_const(*term)?.bits)?)))
        .collect();
    match objects[..] {
        [(number, object)] => Some((number, object.size, object.address.into())),
        _ => None,
    }
}

/// The size of the local that a variable is the address of.
fn size_at(program: &Program, proc: ProcId, home: VarId) -> Option<u64> {
    let mut sizes = Vec::new();
    for label in program.proc(proc).edges.iter().flat_map(|edge| &edge.labels) {
        match label {
            Label::Alloc { var, size, storage: Storage::Stack, .. } if *var == home => sizes.push(*size),
            _ if label.written_local() == Some(home) => return None,
            _ => {}
        }
    }
    match sizes[..] {
        [size] => u64::try_from(program.pool.as_const(size)?.bits).ok(),
        _ => None,
    }
}

/// The size of what a parameter points to that is never assigned, if all callers pass the address of a local of theirs, which lives longer than the call. Records are passed so.
fn size_behind(program: &Program, proc: ProcId, param: VarId) -> Option<u64> {
    let at = program.proc(proc).params.iter().position(|of| *of == param)?;
    let is_written = program.proc(proc).edges.iter().flat_map(|edge| &edge.labels);
    let has_address = program.objects.iter().any(|object| object.kind == ObjectKind::Function(proc));
    if has_address || is_written.filter_map(Label::written_local).any(|var| var == param) {
        return None;
    }
    let mut sizes = Vec::new();
    for (caller, of) in (0..).map(ProcId).zip(&program.procs) {
        for label in of.edges.iter().flat_map(|edge| &edge.labels) {
            match label {
                Label::Call { callee: Callee::Proc(called), args, .. } if *called == proc => {
                    let Expr::Var(home) = program.pool.get(*args.get(at)?) else { return None };
                    sizes.push(size_at(program, caller, home)?);
                }
                Label::Start { callee: Callee::Proc(started), .. } if *started == proc => return None,
                _ => {}
            }
        }
    }
    sizes.dedup();
    match sizes[..] {
        [size] => Some(size),
        _ => None,
    }
}

fn near(program: &Program, address: u128) -> Option<&Object> {
    let distance = |object: &Object| {
        let (start, end) = (u128::from(object.address), u128::from(object.address) + u128::from(object.size));
        start.saturating_sub(address).max(address.saturating_sub(end))
    };
    let data = program.objects.iter().filter(|object| matches!(object.kind, ObjectKind::Data { .. }));
    data.min_by_key(|object| distance(object)).filter(|object| distance(object) < NEAR)
}
