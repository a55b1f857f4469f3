//! Values worth trying when not all can be: the constants of the program and their neighbours.

use raddle_ir::{Expr, ExprId, FloatSort, Program, Sort, eval};

/// The integer constants of a Program (the most frequent widths only matter little), with their neighbours, ascending.
pub fn corner_values(program: &Program) -> Vec<u128> {
    let mut values = Vec::new();
    for id in 0..program.pool.len() {
        if let Expr::Const(c) = program.pool.get(ExprId(id as u32))
            && let Sort::Bits(width) = c.sort
        {
            let mask = eval::mask(width);
            values.extend([c.bits, c.bits.wrapping_sub(1) & mask, c.bits.wrapping_add(1) & mask]);
        }
    }
    values.sort_unstable();
    values.dedup();
    values
}

/// The float constants of a Program, as encodings.
pub fn float_constants(program: &Program) -> Vec<(Sort, u128)> {
    let mut values = Vec::new();
    for id in 0..program.pool.len() {
        if let Expr::Const(c) = program.pool.get(ExprId(id as u32))
            && c.sort.is_float()
        {
            values.push((c.sort, c.bits));
        }
    }
    values.sort_unstable();
    values.dedup();
    values
}

/// An integer as an encoding of a float.
pub fn integer_as_float(to: FloatSort, value: i64) -> u128 {
    eval::convert(Expr::SToF { to, arg: ExprId(0) }, Sort::Bits(64), value as u64 as u128)
}

/// At most `most` values of a sort from the cyclic interval `low ..= high`: its ends, 0, 1, -1, the extremes, then the corner values.
pub fn sample(sort: Sort, low: u128, high: u128, corners: &[u128], floats: &[(Sort, u128)], most: usize) -> Vec<u128> {
    let width = sort.bits().unwrap_or(1);
    let mask = eval::mask(width);
    let mut values = vec![0];
    if let Sort::Float(f) = sort {
        let one = integer_as_float(f, 1);
        let sign = 1u128 << (width - 1);
        let infinity = eval::binary(raddle_ir::BinOp::FDiv, sort, sort, one, 0);
        let nan = eval::binary(raddle_ir::BinOp::FSub, sort, sort, infinity, infinity);
        values.extend([one, one | sign, sign, infinity, infinity | sign, nan]);
        values.extend(floats.iter().filter(|v| v.0 == sort).map(|v| v.1));
    } else {
        values.extend([1, mask, low, high, mask >> 1, (mask >> 1) + 1]);
        values.extend(corners.iter().map(|v| v & mask));
        let length = high.wrapping_sub(low) & mask;
        values.retain(|v| v.wrapping_sub(low) & mask <= length);
    }
    let mut seen = rustc_hash::FxHashSet::default();
    values.retain(|v| seen.insert(*v));
    values.truncate(most.max(1));
    values
}
