//! Memory resolution, first tier: static objects that are only accessed at constant places become variables.
//!
//! An object qualifies if every constant of the Program that could be its address is the whole address of a load or
//! store, and these loads and stores cut it into cells (`cells.rs`; where no thread is started, they may overlap). Each
//! cell becomes a global variable. A lock
//! operand is a use of the address but not of the bytes, so it does no harm; the object stays for it.
//!
//! Other expressions could reach an object by computing its address from that of another object or from a number:
//! such an access is invalid. What folding may have made of addresses is in `addresses.rs`. An object that is exposed
//! stays memory.

use crate::cells::{Cells, access_variable, access_variables, make_variables};
use fixedbitset::FixedBitSet;
use raddle_analysis::addresses::{Addresses, Mention};
use raddle_ir::{ExprId, Label, ObjectInit, ObjectKind, Place, ProcId, Program, Sort, VarId, VarKind};
use rustc_hash::FxHashMap;

/// Turns static objects that are only accessed at constant places into variables.
pub fn scalarize(mut program: Program) -> Program {
    let addresses = Addresses::new(&program.objects, program.pointer_bits);
    let Survey { mut cells, spoilt } = survey(&program, &addresses);
    if !program.starts_threads() {
        for cells in cells.iter_mut().filter(|cells| !cells.are_well_cut()) {
            if let Some(cut) = cells.cut() {
                *cells = cut;
            }
        }
    }
    let vars = make_variables(&mut program, &cells, |i| !spoilt.contains(i) && cells[i].are_well_cut());
    if !vars.is_empty() {
        rewrite(&mut program, &vars);
    }
    program
}

struct Survey {
    /// For each object, its cells.
    cells: Vec<Cells>,
    /// Objects that must stay memory.
    spoilt: FixedBitSet,
}

fn survey(program: &Program, addresses: &Addresses) -> Survey {
    let mut survey = Survey {
        cells: vec![Cells::default(); program.objects.len()],
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
    for (i, object) in program.objects.iter().enumerate() {
        if object.exposed {
            spoilt.insert(i);
        }
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
        self.cells[id.index()].access(offset, sort);
        Some(address)
    }
}

fn rewrite(program: &mut Program, vars: &FxHashMap<u64, VarId>) {
    for proc in 0..program.procs.len() {
        for edge in 0..program.procs[proc].edges.len() {
            let labels = std::mem::take(&mut program.procs[proc].edges[edge].labels);
            let mut new = Vec::with_capacity(labels.len());
            for label in labels {
                match variables(program, vars, &label)[..] {
                    [] => new.push(label),
                    [cell] => access_variable(program, ProcId(proc as u32), label, cell, &mut new),
                    ref cells => access_variables(program, ProcId(proc as u32), label, cells, &mut new),
                }
            }
            program.procs[proc].edges[edge].labels = new;
        }
    }
}

/// The variables at the constant address of an access; none if it stays memory.
fn variables(program: &Program, vars: &FxHashMap<u64, VarId>, access: &Label) -> Vec<VarId> {
    let sort = match access {
        Label::Load { var, .. } => program.var(*var).sort,
        Label::Store { value, .. } => program.pool.sort(*value),
        _ => return Vec::new(),
    };
    let Some(Place::Memory(address)) = access.place() else { return Vec::new() };
    let Some(from) = program.pool.as_const(address).and_then(|at| u64::try_from(at.bits).ok()) else {
        return Vec::new();
    };
    let (mut at, mut result) = (from, Vec::new());
    while at < from + sort.bytes()
        && let Some(&cell) = vars.get(&at)
    {
        result.push(cell);
        at += program.var(cell).sort.bytes();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{BinOp, Callee, Const, UnOp};
    use raddle_testing::*;

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
    fn an_object_that_is_indexed_or_with_threads_cut_differently_stays_memory() {
        let mut b = Builder::new();
        let (main, thread) = (b.proc("main"), b.proc("thread"));
        b.object("indexed", 0x1000, 64, None, true);
        b.object("cut", 0x2000, 8, None, true);
        let (x, y, i) = (b.local(main, "x", 32), b.local(main, "y", 64), b.local(main, "i", 64));
        let (start, vi, cut) = (b.num(64, 0x1000), b.get(i), b.num(64, 0x2000));
        let place = b.bin(BinOp::BvAdd, start, vi);
        b.edge(main, 0, 1, vec![load(x, Place::Memory(place))]);
        b.edge(main, 1, 2, vec![load(x, Place::Memory(start))]);
        b.edge(main, 2, 3, vec![load(x, Place::Memory(cut))]);
        b.edge(main, 3, 4, vec![load(y, Place::Memory(cut))]);
        b.edge(main, 4, EXIT, vec![Label::Start { var: x, callee: Callee::Proc(thread), arg: vi }]);
        let before = b.finish();
        assert_eq!(scalarize(before.clone()), before);
    }

    #[test]
    fn without_threads_overlapping_accesses_are_cut_into_what_they_have_in_common() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("u", 0x1000, 8, Some(vec![1, 2, 3, 4, 5, 6, 7, 8]), true);
        let (whole, half) = (b.local_of(main, "whole", Sort::F64), b.local(main, "half", 32));
        let (at, upper, vwhole) = (b.num(64, 0x1000), b.num(64, 0x1004), b.get(whole));
        b.edge(main, 0, 1, vec![store(Place::Memory(at), vwhole)]);
        b.edge(main, 1, 2, vec![load(half, Place::Memory(upper))]);
        b.edge(main, 2, EXIT, vec![load(whole, Place::Memory(at))]);
        let mut program = scalarize(b.finish());
        let cells: Vec<_> = program.vars[2..4].iter().map(|var| (var.name.as_str(), var.kind.clone())).collect();
        let initial = |bits| VarKind::Global(Some(Const { sort: Sort::Bits(32), bits }));
        assert_eq!(cells, [("u+0", initial(0x0403_0201)), ("u+4", initial(0x0807_0605))]);
        let bits = program.pool.unary(UnOp::FToBits, vwhole);
        let (low, high) = (program.pool.extract(31, 0, bits), program.pool.extract(63, 32, bits));
        let (first, second) = (Place::Var(VarId(2)), Place::Var(VarId(3)));
        assert_eq!(program.procs[0].edges[0].labels, [store(first, low), store(second, high)]);
        assert_eq!(program.procs[0].edges[1].labels, [load(half, second)]);
        let [low, high] = [4, 5].map(|var| program.pool.var(VarId(var), Sort::Bits(32)));
        let read = program.pool.binary(BinOp::Concat, high, low);
        let value = program.pool.bits_to_f(raddle_ir::FloatSort::F64, read);
        assert_eq!(
            program.procs[0].edges[2].labels,
            [load(VarId(4), first), load(VarId(5), second), Label::Assign { var: whole, value }]
        );
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
