//! Numbers as a rest and a step: `rest + k * step` for some integer `k` (Granger 1989). Step 0 is one number, step 1 is any.
//!
//! Offsets in objects and the numbers that are added to them. C's pointer arithmetic does not wrap, so steps need not be powers of two.

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct Offset {
    rest: i64,
    step: i64,
}

impl Offset {
    pub(super) const ANY: Offset = Offset { rest: 0, step: 1 };
    pub(super) const ZERO: Offset = Offset { rest: 0, step: 0 };

    pub(super) fn exactly(number: i64) -> Offset {
        Offset { rest: number, step: 0 }
    }

    fn new(rest: i64, step: i64) -> Offset {
        Offset { rest: if step == 0 { rest } else { rest.rem_euclid(step) }, step }
    }

    /// The number, if it is only one.
    pub(super) fn exact(self) -> Option<i64> {
        (self.step == 0).then_some(self.rest)
    }

    pub(super) fn join(self, other: Offset) -> Offset {
        match self.rest.checked_sub(other.rest) {
            Some(distance) => Offset::new(self.rest, gcd(gcd(self.step, other.step), distance)),
            None => Offset::ANY,
        }
    }

    pub(super) fn plus(self, other: Offset) -> Offset {
        match self.rest.checked_add(other.rest) {
            Some(rest) => Offset::new(rest, gcd(self.step, other.step)),
            None => Offset::ANY,
        }
    }

    pub(super) fn minus(self, other: Offset) -> Offset {
        match other.rest.checked_neg() {
            Some(rest) => self.plus(Offset { rest, step: other.step }),
            None => Offset::ANY,
        }
    }

    pub(super) fn times(self, factor: i64) -> Offset {
        match (self.rest.checked_mul(factor), self.step.checked_mul(factor)) {
            (Some(rest), Some(step)) if step != i64::MIN => Offset::new(rest, step.abs()),
            _ => Offset::ANY,
        }
    }

    pub(super) fn contains(self, number: i64) -> bool {
        match self.step {
            0 => self.rest == number,
            step => number.rem_euclid(step) == self.rest,
        }
    }

    /// The residue modulo a power of two, if all its numbers have the same.
    pub(super) fn modulo(self, power: i64) -> Option<i64> {
        (self.step % power == 0).then(|| self.rest.rem_euclid(power))
    }

    /// The largest number (at most `most`) that divides all.
    pub(super) fn divisor(self, most: i64) -> i64 {
        gcd(gcd(self.rest, self.step), most)
    }

    /// May `width` bytes from here overlap other ones?
    pub(super) fn overlaps(self, width: i64, other: Offset, other_width: i64) -> bool {
        let Some(distance) = other.rest.checked_sub(self.rest) else { return true };
        match gcd(self.step, other.step) {
            0 => distance < width && distance > -other_width,
            step => {
                let up = distance.rem_euclid(step);
                up < width || step - up < other_width
            }
        }
    }

    /// The numbers among these that lie from 0 to a limit; `None` if none does.
    pub(super) fn up_to(self, limit: i64) -> Option<Offset> {
        let is_inside = (0..=limit).contains(&self.rest);
        match self.step {
            0 => is_inside.then_some(self),
            step if self.rest.checked_add(step).is_none_or(|next| next > limit) => {
                is_inside.then_some(Offset::exactly(self.rest))
            }
            _ => Some(self),
        }
    }

    /// The numbers from 0 to below a limit, in order.
    pub(super) fn below(self, limit: i64) -> impl Iterator<Item = i64> {
        let step = if self.step == 0 { i64::MAX } else { self.step };
        std::iter::successors((self.rest >= 0).then_some(self.rest), move |at| at.checked_add(step))
            .take_while(move |at| *at < limit)
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_an_array_of_structures_do_not_overlap() {
        let index = Offset::ANY.times(24);
        let (data, next) = (index, index.plus(Offset::exactly(8)));
        assert!(!data.overlaps(4, next, 8) && !next.overlaps(8, data, 4));
        assert!(data.overlaps(4, data, 4) && next.overlaps(8, Offset::exactly(24 + 12), 4));
        assert!(data.overlaps(12, next, 8));
        assert_eq!(Offset::exactly(8).join(Offset::exactly(32)), next);
        assert_eq!(next.below(60).collect::<Vec<_>>(), [8, 32, 56]);
        assert_eq!([31, 32, 7].map(|limit| next.up_to(limit)), [Some(Offset::exactly(8)), Some(next), None]);
    }

    #[test]
    fn a_sum_of_multiples_is_a_multiple_of_both() {
        let sum = Offset::ANY.times(12).plus(Offset::ANY.times(8)).minus(Offset::exactly(2));
        assert_eq!((sum.modulo(4), sum.modulo(8), sum.divisor(16)), (Some(2), None, 2));
        assert!(sum.contains(-2) && sum.contains(6) && !sum.contains(4));
    }
}
