//! Distinguished cells: reduces a Program over arrays of any length to one over a few symbolic cells. **Sound for proofs only.**
//!
//! After Monniaux and Gonnord, "Cell Morphing: From Array Programs to Array-Free Horn Clauses" (SAS 2016). A property of all elements is proved for one
//! element at an arbitrary index, which needs no quantifiers. A *cell* is an address over chosen values `k` that never change (`&a[k]`, `&b[n - k]`), and a
//! variable `c` for the bytes there:
//!
//! - at the start, each `k` gets any value (of those that its `j`, see below, may have: `ranges.rs`);
//! - a store `a[i] := v` becomes `if (i == k) c := v`;
//! - a load `x := a[i]` becomes `x := c` if `i == k`, and any value otherwise;
//! - before an error, `k == j` is assumed, where `j` is a local of the Program (or a copy of one from the time of a load): the chosen values are those in the end.
//!
//! **Soundness.** Take an execution of the Program that reaches an error. Choose for each `k` the value that its local `j` has at that error. These values exist, since
//! `j` is computed by the Program, and never from a `k`. In the new Program, the execution that makes this choice, in which `c` begins with what memory holds there at first and every load that hits no
//! cell gives what memory held, keeps `c` equal to what memory holds at the cell: stores of the class are compared with the cell by address, and accesses of the class that do not begin at the
//! cell do not overlap it (`alignment.rs`). So it takes the same branches, passes the assumptions, and reaches the same error. If no execution of the new Program reaches an
//! error, none of the old one does. Nothing depends on which cells are chosen, nor on how many (`choose.rs`). Locations where the Program is cut off are
//! reached in the new one if they are reached in the old one, since nothing is assumed elsewhere.
//!
//! The other direction fails: loads elsewhere give any value, and accesses out of bounds go on. An error of the new Program says nothing.
//!
//! A cell's address may mention locals that no loop writes (the pointer of an allocation, a length); where one is written, the cell holds anything. Left alone, in
//! memory as before, are alias classes with accesses that overlap in part, with stray pointers, or without stores. Only for sequential Programs whose calls
//! are inlined, and that do not ask which objects live.

mod choose;
mod classes;
mod linear;
mod rewrite;

use crate::redundant_loads::redundant_loads;
use choose::{Choice, choose};
use classes::{Classes, classes};
use raddle_analysis::alignment::{alignment, are_apart};
use raddle_analysis::points_to;
use raddle_analysis::ranges::ranges;
use raddle_ir::{
    BinOp, Const, Edge, ExprId, Label, LocId, LocKind, Location, Origin, ProcId, Program, Sort, Span, Var, VarId,
    VarKind,
};
use rewrite::{havoc, rewrite};

/// The bytes of a class at a symbolic address.
#[derive(Clone, Debug)]
struct Cell {
    class: usize,
    address: ExprId,
    bytes: u64,
    var: VarId,
}

/// A Program that reaches an error if the given one does; `None` if no error depends on an array that cells can stand for.
pub fn distinguished_cells(mut program: Program) -> Option<Program> {
    let is_sequential = |label: &Label| !matches!(label, Label::Start { .. } | Label::Call { .. });
    let mut labels = program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
    if program.procs.len() != 1 || !labels.all(is_sequential) || program.asks_for_lives() {
        return None;
    }
    let classes = {
        let points_to = points_to(&program);
        classes(&program, &points_to, &alignment(&program, &points_to, |_, _| None)?)
    };
    redundant_loads(&mut program, &|a, b| classes.may_change(a, b));
    let ranges = ranges(&program, ProcId(0));
    let mut choice = choose(&mut program, &classes, ranges.as_ref());
    begin(&mut program, &classes, &choice);
    keep_aligned(&program, &classes, &mut choice)?;
    if choice.cells.is_empty() {
        return None;
    }
    rewrite(&mut program, &classes, &choice, ranges.as_ref());
    debug_assert_eq!(raddle_ir::validate(&program), Ok(()));
    Some(program)
}

/// A new edge in front of all others: chosen values are any, cells hold what memory holds at first. The numbers of other edges stay.
fn begin(program: &mut Program, classes: &Classes, choice: &Choice) {
    let mut first: Vec<Label> = Vec::new();
    for (&var, range) in &choice.chosen {
        first.push(havoc(var));
        if let (Some((low, high)), Sort::Bits(width)) = (*range, program.var(var).sort) {
            let pool = &mut program.pool;
            let bits = |number: i128| number as u128 & (u128::MAX >> (128 - u32::from(width)));
            let (low, high) = (pool.bits(width, bits(low)), pool.bits(width, bits(high)));
            let chosen = pool.var(var, Sort::Bits(width));
            let within = [pool.binary(BinOp::SLe, low, chosen), pool.binary(BinOp::SLe, chosen, high)];
            first.extend(within.map(Label::Assume));
        }
    }
    for cell in &choice.cells {
        let sort = Sort::Bits((8 * cell.bytes) as u8);
        first.push(match classes.all[cell.class].begins_with_zeros {
            true => Label::Assign { var: cell.var, value: program.pool.constant(Const { sort, bits: 0 }) },
            false => havoc(cell.var),
        });
    }
    let proc = &mut program.procs[0];
    let entry = LocId(proc.locations.len() as u32);
    let mut location = Location { kind: LocKind::Normal, ..proc.locations[proc.entry.index()].clone() };
    location.lose_exactness();
    proc.locations.push(location);
    proc.edges.push(Edge { source: entry, target: proc.entry, labels: first, span: Span::NONE, is_silent: true });
    proc.entry = entry;
}

/// Drops cells that an access may overlap in part.
fn keep_aligned(program: &Program, classes: &Classes, choice: &mut Choice) -> Option<()> {
    let alignment = alignment(program, &points_to(program), |_, _| None)?;
    choice.cells.retain(|cell| {
        let accesses = &classes.all[cell.class].accesses;
        let cell = alignment.cut(cell.address, cell.bytes);
        accesses.iter().all(|access| are_apart(&[cell, alignment.cut(access.address, access.sort.bytes())]))
    });
    Some(())
}

fn fresh_local(program: &mut Program, name: &str, sort: Sort) -> VarId {
    let var = VarId(program.vars.len() as u32);
    let (kind, span) = (VarKind::Local(ProcId(0)), program.procs[0].span);
    program.vars.push(Var { name: name.into(), sort, kind, signed: true, span, origin: Origin::default() });
    program.procs[0].locals.push(var);
    var
}
