//! Undetermined integers as intervals.
//!
//! A local of at most 32 bits without a value carries the set that its value may come from, as a cyclic interval
//! `low ..= high` of unsigned numbers (going up from `low`, past the greatest number to 0 if need be, until `high`). A comparison
//! with a known number splits it into the part where it holds and the part where it does not, so that a program that only
//! compares its inputs is explored exactly without enumerating them.

use crate::machine::undetermined::Widening;
use raddle_ir::{BinOp, Expr, ExprId, Sort, eval};

/// `low`, and how many numbers follow up to the end, itself included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    pub low: u64,
    pub count: u64,
}

/// The widest integers that have an interval: both ends fit in one slot.
pub const WIDEST: u8 = 32;

impl Interval {
    pub fn full(width: u8) -> Interval {
        Interval { low: 0, count: 1 << width }
    }

    /// How a slot without a value stores it.
    pub fn pack(self, width: u8) -> u64 {
        if self.count == 1 << width {
            return Interval::full_word(width);
        }
        let last = (self.low + self.count - 1) & ((1 << width) - 1);
        self.low | last << 32
    }

    pub fn full_word(width: u8) -> u64 {
        if width > WIDEST { 0 } else { ((1 << width) - 1) << 32 }
    }

    pub fn unpack(word: u64, width: u8) -> Interval {
        let (low, last) = (word & 0xffff_ffff, word >> 32);
        Interval { low, count: (last.wrapping_sub(low) & ((1 << width) - 1)) + 1 }
    }

    pub fn last(self, width: u8) -> u64 {
        (self.low + self.count - 1) & ((1 << width) - 1)
    }

    fn intersect(self, other: Interval, width: u8, out: &mut Vec<Interval>) {
        let modulus = 1u64 << width;
        let start = other.low.wrapping_sub(self.low) & (modulus - 1);
        let end = start + other.count;
        let mut piece = |from: u64, to: u64| {
            let to = to.min(self.count);
            if from < to {
                out.push(Interval { low: (self.low + from) & (modulus - 1), count: to - from });
            }
        };
        piece(start, end.min(modulus));
        if end > modulus {
            piece(0, end - modulus);
        }
    }

    /// The interval after a widening, if it is one again.
    pub fn widen(self, how: Widening, from: u8, to: u8) -> Option<Interval> {
        if to > WIDEST {
            return None;
        }
        let sign = 1u64 << (from - 1);
        let last = self.last(from);
        match how {
            Widening::Same => Some(self),
            Widening::Zero => (self.low <= last).then_some(self),
            Widening::Sign => {
                let extend = |x: u64| ((x ^ sign).wrapping_sub(sign)) & ((1 << to) - 1);
                (self.low ^ sign <= last ^ sign).then_some(Interval { low: extend(self.low), count: self.count })
            }
            Widening::Cut => (self.count == 1 << from).then_some(Interval::full(to)),
        }
    }
}

/// One side of a comparison: how a variable of `from` bits gets the `to` bits of the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Widened {
    pub how: Widening,
    pub from: u8,
    pub to: u8,
}

impl Widened {
    pub fn apply(self, x: u64) -> u64 {
        let arg = ExprId(0);
        let expr = match self.how {
            Widening::Sign => Expr::SignExt { width: self.to, arg },
            _ => return x,
        };
        eval::convert(expr, Sort::Bits(self.from), x.into()) as u64
    }
}

/// Splits an interval by a comparison of its (widened) members with a number: first the parts where it holds, then those
/// where it does not. `flipped`: the number is the left operand.
///
/// Widening is monotone and so is each order comparison, so the members that satisfy it are a prefix or a suffix of all
/// numbers of the width in signed or unsigned order; its end is found by bisection with the evaluator itself.
pub fn split(
    cmp: BinOp,
    side: Widened,
    interval: Interval,
    number: u64,
    flipped: bool,
) -> (Vec<Interval>, Vec<Interval>) {
    let width = side.from;
    let all = 1u64 << width;
    let sort = Sort::Bits(side.to);
    let holds = |x: u64| {
        let (x, y) = (u128::from(side.apply(x)), u128::from(number));
        let (a, b) = if flipped { (y, x) } else { (x, y) };
        eval::binary(cmp, sort, sort, a, b) != 0
    };
    let (yes, no) = if cmp == BinOp::Eq {
        let candidate = number & (all - 1);
        if holds(candidate) {
            let rest = Interval { low: (candidate + 1) & (all - 1), count: all - 1 };
            (Some(Interval { low: candidate, count: 1 }), Some(rest).filter(|r| r.count > 0))
        } else {
            (None, Some(Interval::full(width)))
        }
    } else {
        let signed = matches!(cmp, BinOp::SLt | BinOp::SLe) && side.how != Widening::Zero;
        let first = if signed { all >> 1 } else { 0 };
        let nth = |k: u64| (first + k) & (all - 1);
        let at_start = holds(nth(0));
        // The first position whose answer differs from that of position 0.
        let (mut low, mut high) = (1, all);
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(nth(middle)) == at_start {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let prefix = Some(Interval { low: first, count: low });
        let suffix = (low < all).then(|| Interval { low: nth(low), count: all - low });
        if at_start { (prefix, suffix) } else { (suffix, prefix) }
    };
    let cut = |part: Option<Interval>| {
        let mut out = Vec::new();
        if let Some(part) = part {
            interval.intersect(part, width, &mut out);
        }
        out
    };
    (cut(yes), cut(no))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(parts: &[Interval], width: u8) -> Vec<u64> {
        let mut all: Vec<u64> =
            parts.iter().flat_map(|p| (0..p.count).map(move |i| (p.low + i) & ((1 << width) - 1))).collect();
        all.sort_unstable();
        all
    }

    /// Splitting agrees with trying every member, for all intervals of 3 bits, comparisons and numbers.
    #[test]
    fn split_is_exact() {
        for cmp in [BinOp::Eq, BinOp::ULt, BinOp::ULe, BinOp::SLt, BinOp::SLe] {
            for (how, to) in [(Widening::Same, 3), (Widening::Zero, 5), (Widening::Sign, 5)] {
                let side = Widened { how, from: 3, to };
                for (low, count) in (0..8).flat_map(|l| (1..=8).map(move |c| (l, c))) {
                    for (number, flipped) in (0..1 << to).flat_map(|n| [(n, false), (n, true)]) {
                        let interval = Interval { low, count };
                        let (yes, no) = split(cmp, side, interval, number, flipped);
                        let holds = |x: &u64| {
                            let (x, y) = (u128::from(side.apply(*x)), u128::from(number));
                            let (a, b) = if flipped { (y, x) } else { (x, y) };
                            eval::binary(cmp, Sort::Bits(to), Sort::Bits(to), a, b) != 0
                        };
                        let (expected, others): (Vec<u64>, Vec<u64>) =
                            members(&[interval], 3).into_iter().partition(holds);
                        assert_eq!(members(&yes, 3), expected);
                        assert_eq!(members(&no, 3), others);
                        let packed = Interval::unpack(interval.pack(3), 3);
                        assert_eq!(members(&[packed], 3), members(&[interval], 3));
                    }
                }
            }
        }
    }
}
