//! Ranges of integers, in 128 bits: what a term can be at most. A range that does not fit is no range (`None`), and whoever needed it gives up.

/// All integers from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub low: i128,
    pub high: i128,
}

/// How a bit-vector is read as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum View {
    Signed,
    Unsigned,
}

impl Range {
    pub fn new(low: i128, high: i128) -> Range {
        Range { low, high }
    }

    pub fn of(value: i128) -> Range {
        Range::new(value, value)
    }

    /// The values of a bit-vector. What is above 128 bits is cut off: of unsigned values of that width, no integer here can be one anyway.
    pub fn of_bits(width: u8, view: View) -> Range {
        match view {
            View::Signed if width >= 128 => Range::new(i128::MIN, i128::MAX),
            View::Signed => Range::new(-(1 << (width - 1)), (1 << (width - 1)) - 1),
            View::Unsigned if width >= 127 => Range::new(0, i128::MAX),
            View::Unsigned => Range::new(0, (1 << width) - 1),
        }
    }

    pub fn is_within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The one value, if there is only one.
    pub fn only(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn hull(self, other: Range) -> Range {
        Range::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// What is in both; `self` if nothing is.
    pub fn meet(self, other: Range) -> Range {
        let meet = Range::new(self.low.max(other.low), self.high.min(other.high));
        if meet.low <= meet.high { meet } else { self }
    }

    pub fn add(self, other: Range) -> Option<Range> {
        Some(Range::new(self.low.checked_add(other.low)?, self.high.checked_add(other.high)?))
    }

    pub fn mul(self, other: Range) -> Option<Range> {
        let corners = [
            self.low.checked_mul(other.low)?,
            self.low.checked_mul(other.high)?,
            self.high.checked_mul(other.low)?,
            self.high.checked_mul(other.high)?,
        ];
        Some(Range::new(*corners.iter().min()?, *corners.iter().max()?))
    }

    /// Rounded down, by a positive number.
    pub fn div(self, by: i128) -> Range {
        Range::new(self.low.div_euclid(by), self.high.div_euclid(by))
    }

    /// The remainder of that.
    pub fn rem(self, by: i128) -> Range {
        if self.low.div_euclid(by) == self.high.div_euclid(by) {
            Range::new(self.low.rem_euclid(by), self.high.rem_euclid(by))
        } else {
            Range::new(0, by - 1)
        }
    }

    /// How many bits two's complement takes for all of it.
    pub fn signed_width(self) -> u8 {
        let bits = |value: i128| 129 - (if value < 0 { !value } else { value }).leading_zeros();
        bits(self.low).max(bits(self.high)) as u8
    }

    /// How many bits it takes without a sign.
    pub fn unsigned_width(self) -> u8 {
        (128 - self.high.leading_zeros()).max(1) as u8
    }
}
