//! Memory resolution, first tier: static objects that are only accessed at constant places become variables.
//!
//! An object qualifies if every constant of the Program that could be its address is the whole address of a load or
//! store, and these loads and stores cut it into cells: accesses at the same offset have the same width, and accesses
//! at different offsets do not overlap. Each cell becomes a global variable. A lock operand is a use of the address
//! but not of the bytes, so it does no harm; the object stays for it.
//!
//! A cell that is accessed both as a float and as an integer is a bit-vector; the float accesses convert.
//!
//! Other expressions could reach an object by computing its address from that of another object or from a number:
//! such an access is invalid. What folding may have made of addresses is in `addresses.rs`.

use crate::addresses::{Addresses, Mention};
use crate::const_prop::constant_in_bytes;
use fixedbitset::FixedBitSet;
use raddle_ir::{
    ExprId, Label, ObjectId, ObjectInit, ObjectKind, Place, ProcId, Program, Sort, UnOp, Var, VarId, VarKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Turns static objects that are only accessed at constant places into variables.
pub fn scalarize(mut program: Program) -> Program {
    let addresses = Addresses::new(&program.objects, program.pointer_bits);
    let mut survey = survey(&program, &addresses);
    for (i, cells) in survey.cells.iter().enumerate() {
        let is_cut_well = cells.values().all(Cell::is_plain) && are_apart(cells);
        if !is_cut_well {
            survey.spoilt.insert(i);
        }
    }
    let mut vars: FxHashMap<u64, VarId> = FxHashMap::default();
    for (i, cells) in survey.cells.iter().enumerate().filter(|(i, _)| !survey.spoilt.contains(*i)) {
        for (offset, cell) in cells {
            let var = cell_variable(&program, ObjectId(i as u32), *offset, *cell);
            vars.insert(program.objects[i].address + offset, VarId(program.vars.len() as u32));
            program.vars.push(var);
        }
    }
    if !vars.is_empty() {
        rewrite(&mut program, &vars);
    }
    program
}

/// The accesses at one offset.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cell {
    /// A bit-vector if some access is one.
    sort: Sort,
    same_width: bool,
}

impl Cell {
    fn is_plain(&self) -> bool {
        // What a byte that is neither 0 nor 1 is as a Bool, only memory knows; likewise bits beyond a width that does
        // not fill its bytes.
        self.same_width && self.sort.bits().is_some_and(|bits| bits % 8 == 0)
    }
}

struct Survey {
    /// For each object, its cells by offset.
    cells: Vec<BTreeMap<u64, Cell>>,
    /// Objects that must stay memory.
    spoilt: FixedBitSet,
}

fn survey(program: &Program, addresses: &Addresses) -> Survey {
    let mut survey = Survey {
        cells: vec![BTreeMap::new(); program.objects.len()],
        spoilt: FixedBitSet::with_capacity(program.objects.len()),
    };
    let mut elsewhere: Vec<ExprId> = Vec::new();
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        // The expression that does not count as a use of the address.
        let mut counted = None;
        match label {
            Label::Load { var, place: Place::Memory(address), .. } => {
                counted = survey.access(program, addresses, *address, program.var(*var).sort, false);
            }
            Label::Store { place: Place::Memory(address), value, .. } => {
                counted = survey.access(program, addresses, *address, program.pool.sort(*value), true);
            }
            Label::Lock { lock, .. } if program.pool.as_const(*lock).is_some() => counted = Some(*lock),
            _ => {}
        }
        label.for_each_expr(|expr| {
            if counted == Some(expr) {
                counted = None;
            } else {
                elsewhere.push(expr);
            }
        });
    }
    let spoilt = &mut survey.spoilt;
    addresses.mentioned(&program.pool, &elsewhere, |mention| match mention {
        Mention::Object(object) => spoilt.insert(object.index()),
        Mention::Any => spoilt.insert_range(..),
    });
    for var in &program.vars {
        if let VarKind::Global(Some(initial)) | VarKind::ThreadLocal(Some(initial)) = var.kind {
            addresses.at(initial.bits, |object| spoilt.insert(object.index()));
        }
    }
    for object in &program.objects {
        if let ObjectKind::Data { init: ObjectInit::Bytes { pointers, .. }, .. } = &object.kind {
            pointers.iter().for_each(|(_, target)| spoilt.insert(target.index()));
        }
    }
    survey
}

impl Survey {
    /// Notes an access. If its address is a constant inside one object, that is the expression that is no other use.
    fn access(
        &mut self,
        program: &Program,
        addresses: &Addresses,
        address: ExprId,
        sort: Sort,
        is_store: bool,
    ) -> Option<ExprId> {
        let at = program.pool.as_const(address)?;
        let id = addresses.holding(at, sort.bytes())?;
        let object = &program.objects[id.index()];
        match object.kind {
            ObjectKind::Data { writable, .. } if writable || !is_store => {}
            // Not an access to bytes that can be had: an invalid one.
            _ => self.spoilt.insert(id.index()),
        }
        let offset = at.bits as u64 - object.address;
        let cell = self.cells[id.index()].entry(offset).or_insert(Cell { sort, same_width: true });
        if cell.sort != sort {
            cell.same_width &= cell.sort.bits() == sort.bits() && cell.sort != Sort::Bool && sort != Sort::Bool;
            // Two float sorts, or a float and an integer: the bits.
            cell.sort = Sort::Bits(sort.bits().unwrap_or(1));
        }
        Some(address)
    }
}

fn are_apart(cells: &BTreeMap<u64, Cell>) -> bool {
    let ends = cells.iter().map(|(offset, cell)| offset + cell.sort.bytes());
    ends.zip(cells.keys().skip(1)).all(|(end, next)| end <= *next)
}

fn cell_variable(program: &Program, object: ObjectId, offset: u64, cell: Cell) -> Var {
    let object = &program.objects[object.index()];
    let initial = match &object.kind {
        ObjectKind::Data { init: ObjectInit::Bytes { bytes, .. }, .. } => {
            constant_in_bytes(bytes, object.size, offset, cell.sort)
        }
        _ => None,
    };
    let is_whole = offset == 0 && cell.sort.bytes() == object.size;
    let name = if is_whole { object.name.clone() } else { format!("{}+{offset}", object.name) };
    Var { name, sort: cell.sort, kind: VarKind::Global(initial), signed: true, span: object.span }
}

fn rewrite(program: &mut Program, vars: &FxHashMap<u64, VarId>) {
    for proc in 0..program.procs.len() {
        for edge in 0..program.procs[proc].edges.len() {
            let labels = std::mem::take(&mut program.procs[proc].edges[edge].labels);
            let mut new = Vec::with_capacity(labels.len());
            for label in labels {
                rewrite_label(program, ProcId(proc as u32), vars, label, &mut new);
            }
            program.procs[proc].edges[edge].labels = new;
        }
    }
}

fn rewrite_label(
    program: &mut Program,
    proc: ProcId,
    vars: &FxHashMap<u64, VarId>,
    label: Label,
    new: &mut Vec<Label>,
) {
    let cell = |place| match place {
        Place::Memory(address) => {
            program.pool.as_const(address).and_then(|at| vars.get(&u64::try_from(at.bits).ok()?)).copied()
        }
        Place::Var(_) => None,
    };
    match label {
        Label::Load { var, place, order } => {
            let Some(cell) = cell(place) else { return new.push(label) };
            let (wanted, has) = (program.var(var).sort, program.var(cell).sort);
            let place = Place::Var(cell);
            match wanted {
                Sort::Float(to) if wanted != has => {
                    let bits = fresh_local(program, proc, has);
                    let read = program.pool.var(bits, has);
                    let value = program.pool.bits_to_f(to, read);
                    new.push(Label::Load { var: bits, place, order });
                    new.push(Label::Assign { var, value });
                }
                _ => new.push(Label::Load { var, place, order }),
            }
        }
        Label::Store { place, value, order } => {
            let Some(cell) = cell(place) else { return new.push(label) };
            let value = match program.pool.sort(value) {
                sort @ Sort::Float(_) if sort != program.var(cell).sort => program.pool.unary(UnOp::FToBits, value),
                _ => value,
            };
            new.push(Label::Store { place: Place::Var(cell), value, order });
        }
        other => new.push(other),
    }
}

fn fresh_local(program: &mut Program, proc: ProcId, sort: Sort) -> VarId {
    let var = VarId(program.vars.len() as u32);
    let span = program.proc(proc).span;
    program.vars.push(Var { name: "bits".into(), sort, kind: VarKind::Local(proc), signed: false, span });
    program.procs[proc.index()].locals.push(var);
    var
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;
    use raddle_ir::{BinOp, Const};

    #[test]
    fn cells_at_constant_places_become_variables_with_their_bytes() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("s", 0x1000, 12, Some(vec![1, 0, 0, 0, 2]), true);
        let x = b.local(main, "x", 32);
        let (first, second, vx) = (b.num(64, 0x1000), b.num(64, 0x1004), b.get(x));
        b.edge(main, 0, 1, vec![load(x, Place::Memory(second))]);
        b.edge(main, 1, EXIT, vec![store(Place::Memory(first), vx)]);
        let program = scalarize(b.finish());
        let cells: Vec<_> = program.vars[1..].iter().map(|var| (var.name.as_str(), var.kind.clone())).collect();
        let initial = |bits| VarKind::Global(Some(Const { sort: Sort::Bits(32), bits }));
        assert_eq!(cells, [("s+0", initial(1)), ("s+4", initial(2))]);
        assert_eq!(program.procs[0].edges[0].labels, [load(x, Place::Var(VarId(2)))]);
        assert_eq!(program.procs[0].edges[1].labels, [store(Place::Var(VarId(1)), vx)]);
    }

    #[test]
    fn an_object_that_is_indexed_or_cut_differently_stays_memory() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("indexed", 0x1000, 64, None, true);
        b.object("cut", 0x2000, 8, None, true);
        let (x, y, i) = (b.local(main, "x", 32), b.local(main, "y", 64), b.local(main, "i", 64));
        let (start, vi, cut) = (b.num(64, 0x1000), b.get(i), b.num(64, 0x2000));
        let place = b.bin(BinOp::BvAdd, start, vi);
        b.edge(main, 0, 1, vec![load(x, Place::Memory(place))]);
        b.edge(main, 1, 2, vec![load(x, Place::Memory(start))]);
        b.edge(main, 2, 3, vec![load(x, Place::Memory(cut))]);
        b.edge(main, 3, EXIT, vec![load(y, Place::Memory(cut))]);
        let before = b.finish();
        assert_eq!(scalarize(before.clone()), before);
    }

    #[test]
    fn a_cell_that_is_a_float_and_an_integer_holds_bits() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("u", 0x1000, 4, None, true);
        let (x, f) = (b.local(main, "x", 32), b.local_of(main, "f", Sort::F32));
        let (at, vf) = (b.num(64, 0x1000), b.get(f));
        b.edge(main, 0, 1, vec![store(Place::Memory(at), vf)]);
        b.edge(main, 1, EXIT, vec![load(x, Place::Memory(at)), load(f, Place::Memory(at))]);
        let mut program = scalarize(b.finish());
        let cell = Place::Var(VarId(2));
        assert_eq!((program.vars[2].name.as_str(), program.vars[2].sort), ("u", Sort::Bits(32)));
        let bits = program.pool.unary(UnOp::FToBits, vf);
        assert_eq!(program.procs[0].edges[0].labels, [store(cell, bits)]);
        let read = program.pool.var(VarId(3), Sort::Bits(32));
        let value = program.pool.bits_to_f(raddle_ir::FloatSort::F32, read);
        assert_eq!(
            program.procs[0].edges[1].labels,
            [load(x, cell), load(VarId(3), cell), Label::Assign { var: f, value }]
        );
    }
}
