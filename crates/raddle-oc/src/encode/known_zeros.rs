//! Bits of shared cells that are always zero.
//!
//! Most shared variables are flags and small numbers in wide types. What a read gives is one of the values that are written to its cell, so a bit
//! that is zero in all of them is zero in the read: the symbol of the read becomes narrower, and with it everything that is computed from it. The
//! analysis starts with all bits zero and gives up those that some write sets, until nothing changes; a first step of an execution that set
//! a bit which is assumed to be zero would be one of the writes that were looked at.

use crate::symbolic::event_graph::EventGraph;
use crate::symbolic::knowledge::cells::Cell;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, VarId, eval};
use rustc_hash::FxHashMap;

/// After so many rounds, what still changes is not followed further.
const MOST_ROUNDS: u32 = 8;

/// For each cell that is read, the bits that are zero whenever it is read.
pub fn known_zeros(graph: &EventGraph, pool: &ExprPool) -> FxHashMap<Cell, u128> {
    let mut cells: FxHashMap<Cell, u128> = graph.reads.iter().map(|read| (read.cell, u128::MAX)).collect();
    let mut symbols: FxHashMap<VarId, Cell> = FxHashMap::default();
    for read in &graph.reads {
        if let Expr::Var(var) = pool.get(read.value) {
            symbols.insert(var, read.cell);
        }
    }
    for round in 0.. {
        let mut known: FxHashMap<ExprId, u128> = FxHashMap::default();
        let mut lost: Vec<(Cell, u128)> = Vec::new();
        for write in &graph.writes {
            let Some(&before) = cells.get(&write.cell) else { continue };
            let after = before & zeros(pool, write.value, &symbols, &cells, &mut known);
            if after != before {
                lost.push((write.cell, after));
            }
        }
        if lost.is_empty() {
            return cells;
        }
        for (cell, after) in lost {
            if let Some(zeros) = cells.get_mut(&cell) {
                *zeros &= if round < MOST_ROUNDS { after } else { 0 };
            }
        }
    }
    cells
}

/// The bits of a value that are certainly zero (of an array: of all its elements). Bits beyond its width count as zero.
fn zeros(
    pool: &ExprPool,
    expr: ExprId,
    symbols: &FxHashMap<VarId, Cell>,
    cells: &FxHashMap<Cell, u128>,
    known: &mut FxHashMap<ExprId, u128>,
) -> u128 {
    let mut open = vec![expr];
    while let Some(&id) = open.last() {
        if known.contains_key(&id) {
            open.pop();
            continue;
        }
        let before = open.len();
        pool.get(id).for_each_operand(|operand| {
            if !known.contains_key(&operand) {
                open.push(operand);
            }
        });
        if open.len() == before {
            let result = by_operands(pool, id, symbols, cells, known);
            known.insert(id, result);
            open.pop();
        }
    }
    known[&expr]
}

fn by_operands(
    pool: &ExprPool,
    id: ExprId,
    symbols: &FxHashMap<VarId, Cell>,
    cells: &FxHashMap<Cell, u128>,
    known: &FxHashMap<ExprId, u128>,
) -> u128 {
    let of = |e: ExprId| known.get(&e).copied().unwrap_or(0);
    let width = |e: ExprId| match pool.sort(e) {
        Sort::Array { element, .. } => u32::from(element),
        sort => u32::from(sort.bits().unwrap_or(1)),
    };
    // How many bits at the low end may be set: all above are zero.
    let length = |e: ExprId| 128 - of(e).leading_ones();
    let above = |bits: u32| if bits >= 128 { 0 } else { u128::MAX << bits };
    let outside = above(width(id));
    let inside = match pool.get(id) {
        Expr::Const(c) => !c.bits,
        Expr::Var(var) => symbols.get(&var).and_then(|cell| cells.get(cell)).copied().unwrap_or(0),
        Expr::Ite(_, a, b) | Expr::Store(a, _, b) => of(a) & of(b),
        Expr::ConstArray { value, .. } | Expr::Select(value, _) => of(value),
        Expr::Binary(op, a, b) => match op {
            BinOp::BvAnd => of(a) | of(b),
            BinOp::BvOr | BinOp::BvXor => of(a) & of(b),
            BinOp::BvAdd => above(length(a).max(length(b)) + 1),
            BinOp::BvMul => above(length(a) + length(b)),
            // The remainder by zero is the dividend.
            BinOp::BvURem => above(length(a)),
            BinOp::Concat => of(a) << width(b) | of(b) & !above(width(b)),
            BinOp::LShr => above(length(a)),
            BinOp::Shl => match pool.as_const(b) {
                Some(by) if by.bits < 128 => of(a) << by.bits | !(u128::MAX << by.bits),
                _ => 0,
            },
            _ => 0,
        },
        Expr::ZeroExt { arg, .. } => of(arg),
        Expr::Extract { high, low, arg } => of(arg) >> low & eval::mask(high - low + 1),
        _ => 0,
    };
    inside | outside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeros_of(pool: &ExprPool, expr: ExprId) -> u128 {
        zeros(pool, expr, &FxHashMap::default(), &FxHashMap::default(), &mut FxHashMap::default())
    }

    #[test]
    fn claimed_zeros_are_zero_for_all_small_values() {
        let ops = [
            BinOp::BvAnd,
            BinOp::BvOr,
            BinOp::BvXor,
            BinOp::BvAdd,
            BinOp::BvSub,
            BinOp::BvMul,
            BinOp::BvURem,
            BinOp::BvUDiv,
            BinOp::LShr,
            BinOp::Shl,
            BinOp::AShr,
        ];
        // Operands of which only some low bits may be set, as an extension of a narrow variable.
        for op in ops {
            for (i, j) in (1..=5u8).flat_map(|i| (1..=5u8).map(move |j| (i, j))) {
                let mut pool = ExprPool::new();
                let (x, y) = (pool.var(VarId(0), Sort::Bits(i)), pool.var(VarId(1), Sort::Bits(j)));
                let (a, b) = (pool.zero_ext(6, x), pool.zero_ext(6, y));
                let expr = pool.binary(op, a, b);
                let claimed = zeros_of(&pool, expr) & eval::mask(6);
                for (x, y) in (0..1u128 << i).flat_map(|x| (0..1u128 << j).map(move |y| (x, y))) {
                    let value = eval::binary(op, Sort::Bits(6), Sort::Bits(6), x, y);
                    assert_eq!(value & claimed, 0, "{op:?} of {x} and {y}");
                }
            }
        }
    }

    #[test]
    fn slices_and_choices() {
        let mut pool = ExprPool::new();
        let x = pool.var(VarId(0), Sort::Bits(4));
        let wide = pool.zero_ext(8, x);
        let joined = pool.binary(BinOp::Concat, x, wide);
        assert_eq!(zeros_of(&pool, wide) & 0xff, 0xf0);
        assert_eq!(zeros_of(&pool, joined) & 0xfff, 0x0f0);
        let part = pool.extract(7, 2, joined);
        assert_eq!(zeros_of(&pool, part) & 0x3f, 0x3c);
    }
}
