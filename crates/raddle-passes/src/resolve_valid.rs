//! Questions whether memory may be used (`Label::Valid`) that static objects alone answer become expressions: such objects live as long as the Program.
//!
//! Points-to analysis says which objects an address may lie in. If all are static, a read or write is valid if and only if it lies in one of them; a call if the address is that of one of the
//! functions. What may be on the heap or in an automatic object stays a question. An address that leaves the objects that it was made from and lies in another one is taken as invalid,
//! which is what C says; where the interpreter, for which memory is flat, sees nothing wrong, a violation is not confirmed.

use raddle_analysis::points_to::{AbstractObject, PointsTo, points_to};
use raddle_ir::{BinOp, ExprId, Label, Object, ObjectKind, Program, Storage, Use};

/// Turns questions about static objects into expressions.
pub fn resolve_valid(mut program: Program) -> Program {
    let on_heap = |label: &Label| matches!(label, Label::Alloc { storage: Storage::Heap, .. });
    if !program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels).any(on_heap) {
        let nothing = program.pool.bool(false);
        for label in program.procs.iter_mut().flat_map(|proc| &mut proc.edges).flat_map(|edge| &mut edge.labels) {
            if let Label::Leaks { var, .. } = *label {
                *label = Label::Assign { var, value: nothing };
            }
        }
    }
    let asks = |program: &Program, of: &dyn Fn(&Label) -> bool| {
        program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels).any(of)
    };
    if !asks(&program, &|label| matches!(label, Label::Valid { .. })) {
        return program;
    }
    let is_computed =
        |label: &Label| matches!(label, Label::Valid { address, .. } if program.pool.as_const(*address).is_none());
    let points_to = asks(&program, &is_computed).then(|| points_to(&program));
    for proc in 0..program.procs.len() {
        for edge in 0..program.procs[proc].edges.len() {
            for label in 0..program.procs[proc].edges[edge].labels.len() {
                let Label::Valid { var, address, used } = program.procs[proc].edges[edge].labels[label] else {
                    continue;
                };
                let answer = match program.pool.as_const(address) {
                    Some(constant) => constant_answer(&mut program, constant.bits as u64, used),
                    None => points_to.as_ref().and_then(|known| computed_answer(&mut program, known, address, used)),
                };
                if let Some(value) = answer {
                    program.procs[proc].edges[edge].labels[label] = Label::Assign { var, value };
                }
            }
        }
    }
    program
}

fn constant_answer(program: &mut Program, address: u64, used: Use) -> Option<ExprId> {
    if address >= program.dynamic_base {
        return None;
    }
    let holds = |object: &Object| match (used, &object.kind) {
        (Use::Call, ObjectKind::Function(_)) => object.address == address,
        (Use::Read(bytes), ObjectKind::Data { .. }) => holds(object, address, bytes),
        (Use::Write(bytes), ObjectKind::Data { writable: true, .. }) => holds(object, address, bytes),
        _ => false,
    };
    let is_valid = used == Use::Free && address == 0 || program.objects.iter().any(holds);
    Some(program.pool.bool(is_valid))
}

fn holds(object: &Object, address: u64, bytes: u64) -> bool {
    object.address <= address && address.checked_add(bytes).is_some_and(|end| end <= object.address + object.size)
}

fn computed_answer(program: &mut Program, points_to: &PointsTo, address: ExprId, used: Use) -> Option<ExprId> {
    let bits = program.pointer_bits;
    let mut answer = program.pool.bool(false);
    if used == Use::Free {
        let null = program.pool.bits(bits, 0);
        answer = program.pool.eq(address, null);
    }
    for target in points_to.targets(&program.pool, address).ones() {
        let object = match points_to.objects()[target] {
            AbstractObject::Site { proc, edge, label } => {
                let site = &program.proc(proc).edges[edge.index()].labels[label as usize];
                let is_heap = matches!(site, Label::Alloc { storage: Storage::Heap, .. });
                match used {
                    Use::Call => continue,
                    Use::Free if !is_heap => continue,
                    _ => return None,
                }
            }
            AbstractObject::Static(id) => &program.objects[id.index()],
        };
        let (start, size) = (object.address, object.size);
        let bytes = match (used, &object.kind) {
            (Use::Call, ObjectKind::Function(_)) => 0,
            (Use::Read(bytes), ObjectKind::Data { .. }) => bytes,
            (Use::Write(bytes), ObjectKind::Data { writable: true, .. }) => bytes,
            _ => continue,
        };
        let Some(last) = size.checked_sub(bytes) else { continue };
        let pool = &mut program.pool;
        let start = pool.bits(bits, start.into());
        let is_inside = if used == Use::Call || last == 0 {
            pool.eq(address, start)
        } else {
            let (offset, last) = (pool.binary(BinOp::BvSub, address, start), pool.bits(bits, last.into()));
            pool.binary(BinOp::ULe, offset, last)
        };
        answer = pool.or(answer, is_inside);
    }
    Some(answer)
}
