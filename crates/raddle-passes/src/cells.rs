//! Cells: the parts of an object that become variables when all accesses cut it in the same way.
//!
//! A cell is what the accesses at one offset touch. They must have the same width, and cells must not overlap. A cell
//! that is accessed both as a float and as an integer is a bit-vector; the float accesses convert.
//!
//! Accesses that do overlap (the members of a union, say) can be cut where any of them begins or ends. An access then
//! touches several cells, one after the other: in a Program without other threads nobody sees that.

use raddle_analysis::initial_memory::constant_in_bytes;
use raddle_ir::{
    BinOp, Label, ObjectInit, ObjectKind, Origin, Part, Place, ProcId, Program, Same, Sort, UnOp, Var, VarId, VarKind,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

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

/// The cells of one object.
#[derive(Clone, Default)]
pub(crate) struct Cells {
    by_offset: BTreeMap<u64, Cell>,
    /// Where accesses begin, and how many bits they have.
    accesses: BTreeSet<(u64, u8)>,
}

impl Cells {
    /// Notes an access.
    pub(crate) fn access(&mut self, offset: u64, sort: Sort) {
        self.accesses.insert((offset, sort.bits().unwrap_or(0)));
        let cell = self.by_offset.entry(offset).or_insert(Cell { sort, same_width: true });
        if cell.sort != sort {
            cell.same_width &= cell.sort.bits() == sort.bits() && cell.sort != Sort::Bool && sort != Sort::Bool;
            // Two float sorts, or a float and an integer: the bits.
            cell.sort = Sort::Bits(sort.bits().unwrap_or(1));
        }
    }

    /// Do all accesses cut the object in the same way?
    pub(crate) fn are_well_cut(&self) -> bool {
        let ends = self.by_offset.iter().map(|(offset, cell)| offset + cell.sort.bytes());
        let are_apart = ends.zip(self.by_offset.keys().skip(1)).all(|(end, next)| end <= *next);
        are_apart && self.by_offset.values().all(Cell::is_plain)
    }

    /// The cells between all beginnings and ends of accesses, if all accesses are of whole bytes.
    pub(crate) fn cut(&self) -> Option<Cells> {
        if self.accesses.iter().any(|(_, bits)| *bits == 0 || bits % 8 != 0) {
            return None;
        }
        let end = |&(offset, bits): &(u64, u8)| offset + u64::from(bits / 8);
        let places: BTreeSet<u64> = self.accesses.iter().flat_map(|access| [access.0, end(access)]).collect();
        let mut result = Cells::default();
        for (&from, &to) in places.iter().zip(places.iter().skip(1)) {
            // No access has more than 16 bytes.
            let near = self.accesses.range((from.saturating_sub(16), 0)..(to, 0));
            let touching: Vec<_> = near.filter(|access| from < end(access)).collect();
            match (&touching[..], self.by_offset.get(&from)) {
                ([], _) => {}
                // All accesses that touch these bytes are the same.
                ([access], Some(cell)) if **access == (from, 8 * (to - from) as u8) => result.access(from, cell.sort),
                _ => result.access(from, Sort::Bits(8 * (to - from) as u8)),
            }
        }
        Some(result)
    }
}

/// Makes a global variable of each cell of the chosen objects. Returns the variables by the addresses of the cells.
pub(crate) fn make_variables(
    program: &mut Program,
    cells: &[Cells],
    is_chosen: impl Fn(usize) -> bool,
) -> FxHashMap<u64, VarId> {
    let mut vars = FxHashMap::default();
    for (object, cells) in program.objects.iter().zip(cells).enumerate().filter(|(i, _)| is_chosen(*i)).map(|(_, x)| x)
    {
        for (&offset, &Cell { sort, .. }) in &cells.by_offset {
            let initial = match &object.kind {
                ObjectKind::Data { init: ObjectInit::Bytes { bytes, .. }, .. } => {
                    constant_in_bytes(bytes, object.size, offset, sort)
                }
                _ => None,
            };
            let origin = object.origin.0.map(|holder| Part { holder, offset, same: Same::Always });
            let is_whole = offset == 0 && sort.bytes() == object.size;
            let name = if is_whole { object.name.clone() } else { format!("{}+{offset}", object.name) };
            vars.insert(object.address + offset, VarId(program.vars.len() as u32));
            program.vars.push(Var {
                name,
                sort,
                kind: VarKind::Global(initial),
                signed: true,
                span: object.span,
                origin: Origin(origin),
            });
        }
    }
    vars
}

/// The load or store of a cell's bytes, as one of its variable. Other labels stay as they are.
pub(crate) fn access_variable(program: &mut Program, proc: ProcId, label: Label, cell: VarId, new: &mut Vec<Label>) {
    let has = program.var(cell).sort;
    let place = Place::Var(cell);
    match label {
        Label::Load { var, order, .. } => match program.var(var).sort {
            wanted @ Sort::Float(to) if wanted != has => {
                let bits = fresh_local(program, proc, has);
                let read = program.pool.var(bits, has);
                let value = program.pool.bits_to_f(to, read);
                new.push(Label::Load { var: bits, place, order });
                new.push(Label::Assign { var, value });
            }
            _ => new.push(Label::Load { var, place, order }),
        },
        Label::Store { value, order, .. } => {
            let value = match program.pool.sort(value) {
                sort @ Sort::Float(_) if sort != has => program.pool.unary(UnOp::FToBits, value),
                _ => value,
            };
            new.push(Label::Store { place, value, order });
        }
        other => new.push(other),
    }
}

/// The load or store of several cells that follow each other, as loads or stores of their variables.
pub(crate) fn access_variables(
    program: &mut Program,
    proc: ProcId,
    label: Label,
    cells: &[VarId],
    new: &mut Vec<Label>,
) {
    let bits = |program: &Program, cell: VarId| program.var(cell).sort.bits().unwrap_or(0);
    match label {
        Label::Load { var, order, .. } => {
            let mut value = None;
            for &cell in cells {
                let part = fresh_local(program, proc, program.var(cell).sort);
                new.push(Label::Load { var: part, place: Place::Var(cell), order });
                let part = program.pool.var(part, program.var(cell).sort);
                value = Some(value.map_or(part, |below| program.pool.binary(BinOp::Concat, part, below)));
            }
            let Some(mut value) = value else { return };
            if let Sort::Float(to) = program.var(var).sort {
                value = program.pool.bits_to_f(to, value);
            }
            new.push(Label::Assign { var, value });
        }
        Label::Store { value, order, .. } => {
            let is_float = matches!(program.pool.sort(value), Sort::Float(_));
            let value = if is_float { program.pool.unary(UnOp::FToBits, value) } else { value };
            let mut low = 0;
            for &cell in cells {
                let high = low + bits(program, cell) - 1;
                let part = program.pool.extract(high, low, value);
                new.push(Label::Store { place: Place::Var(cell), value: part, order });
                low = high + 1;
            }
        }
        other => new.push(other),
    }
}

fn fresh_local(program: &mut Program, proc: ProcId, sort: Sort) -> VarId {
    let var = VarId(program.vars.len() as u32);
    let span = program.proc(proc).span;
    program.vars.push(Var {
        name: "bits".into(),
        sort,
        kind: VarKind::Local(proc),
        signed: false,
        span,
        origin: raddle_ir::Origin::default(),
    });
    program.procs[proc.index()].locals.push(var);
    var
}
