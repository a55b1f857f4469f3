//! Abstract values of a bit-vector: a reduced product of a signed and an unsigned interval, known bits, a congruence and a small
//! set of constants.
//!
//! Each component describes the same set of machine words, so that a fact of one tightens the others (`reduced`). A value is never
//! empty: what may become empty is an `Option`. Bools are bit-vectors of one bit.
//!
//! Cousot and Cousot 1977 (intervals), Granger 1989 (congruences), Regehr and Duongsaa 2006 (known bits).

use raddle_ir::eval::{mask, to_signed};

/// Sets have at most so many elements.
pub const MOST_CONSTANTS: usize = 8;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    pub width: u8,
    pub signed_low: i128,
    pub signed_high: i128,
    pub low: u128,
    pub high: u128,
    /// Bits that are surely 0, and bits that are surely 1.
    pub zeros: u128,
    pub ones: u128,
    /// The unsigned value is `rest` modulo `modulus`. A modulus of 0 is a constant, one of 1 says nothing.
    pub modulus: u128,
    pub rest: u128,
    /// All values, sorted, where they are few.
    pub set: Option<Vec<u128>>,
}

pub fn signed_min(width: u8) -> i128 {
    to_signed(width, 1 << (width - 1))
}

pub fn signed_max(width: u8) -> i128 {
    (mask(width) >> 1) as i128
}

pub fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `a` modulo `m`, where a modulus of 0 is equality.
pub fn modulo(a: u128, m: u128) -> u128 {
    if m == 0 { a } else { a % m }
}

/// The part of a modulus that survives wrapping: its largest power of two, at most 2^width.
pub fn wrapping_part(modulus: u128, width: u8) -> u128 {
    let twos = if modulus == 0 { u32::from(width) } else { modulus.trailing_zeros().min(u32::from(width)) };
    1 << twos.min(120)
}

impl Value {
    pub fn top(width: u8) -> Value {
        Value {
            width,
            signed_low: signed_min(width),
            signed_high: signed_max(width),
            low: 0,
            high: mask(width),
            zeros: 0,
            ones: 0,
            modulus: 1,
            rest: 0,
            set: if width == 1 { Some(vec![0, 1]) } else { None },
        }
    }

    pub fn constant(width: u8, bits: u128) -> Value {
        let bits = bits & mask(width);
        let signed = to_signed(width, bits);
        Value {
            width,
            signed_low: signed,
            signed_high: signed,
            low: bits,
            high: bits,
            zeros: !bits & mask(width),
            ones: bits,
            modulus: 0,
            rest: bits,
            set: Some(vec![bits]),
        }
    }

    pub fn bool(value: bool) -> Value {
        Value::constant(1, value.into())
    }

    /// The smallest value that holds some constants; `None` if there is none.
    pub fn of(width: u8, mut constants: Vec<u128>) -> Option<Value> {
        constants.sort_unstable();
        constants.dedup();
        let (&first, &last) = (constants.first()?, constants.last()?);
        let signed = constants.iter().map(|c| to_signed(width, *c));
        let (signed_low, signed_high) = (signed.clone().min()?, signed.max()?);
        let ones = constants.iter().fold(mask(width), |acc, c| acc & c);
        let zeros = constants.iter().fold(mask(width), |acc, c| acc & !c);
        let modulus = constants.iter().fold(0, |acc, c| gcd(c - first, acc));
        let rest = modulo(first, modulus);
        let set = (constants.len() <= MOST_CONSTANTS).then_some(constants);
        Some(Value { width, signed_low, signed_high, low: first, high: last, zeros, ones, modulus, rest, set })
    }

    /// The unsigned values from `low` to `high`.
    pub fn unsigned(width: u8, low: u128, high: u128) -> Option<Value> {
        Value { low, high, set: None, ..Value::top(width) }.reduced()
    }

    /// The signed values from `low` to `high`, cut off where the width ends.
    pub fn signed(width: u8, low: i128, high: i128) -> Option<Value> {
        let top = Value::top(width);
        let (signed_low, signed_high) = (low.max(top.signed_low), high.min(top.signed_high));
        Value { signed_low, signed_high, set: None, ..top }.reduced()
    }

    pub fn as_constant(&self) -> Option<u128> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn is_top(&self) -> bool {
        if self.width == 1 {
            return self.low != self.high;
        }
        self.set.is_none()
            && self.low == 0
            && self.high == mask(self.width)
            && self.signed_low == signed_min(self.width)
            && self.signed_high == signed_max(self.width)
            && self.zeros | self.ones == 0
            && self.modulus == 1
    }

    pub fn contains(&self, bits: u128) -> bool {
        let signed = to_signed(self.width, bits);
        self.low <= bits
            && bits <= self.high
            && self.signed_low <= signed
            && signed <= self.signed_high
            && bits & self.zeros == 0
            && !bits & self.ones == 0
            && modulo(bits, self.modulus) == self.rest
            && self.set.as_ref().is_none_or(|set| set.binary_search(&bits).is_ok())
    }

    /// The same values with tighter components; `None` if there are none.
    pub fn reduced(mut self) -> Option<Value> {
        if let Some(set) = &self.set {
            let set: Vec<u128> = set.iter().copied().filter(|bits| self.contains(*bits)).collect();
            return Value::of(self.width, set);
        }
        for _ in 0..2 {
            self.exchange_signs()?;
            self.exchange_bits()?;
            self.exchange_congruence()?;
        }
        self.exchange_signs()?;
        let few = self.modulus.max(1).saturating_mul(MOST_CONSTANTS as u128);
        if self.high - self.low < few {
            let step = self.modulus.max(1);
            let mut constants = Vec::new();
            let mut next = Some(self.low);
            while let Some(bits) = next.filter(|bits| *bits <= self.high) {
                constants.extend(self.contains(bits).then_some(bits));
                next = bits.checked_add(step);
            }
            return Value::of(self.width, constants);
        }
        let span = self.signed_high.wrapping_sub(self.signed_low) as u128;
        if span < MOST_CONSTANTS as u128 {
            let all = (0..=span).map(|i| (self.signed_low as u128).wrapping_add(i) & mask(self.width));
            return Value::of(self.width, all.filter(|bits| self.contains(*bits)).collect());
        }
        Some(self)
    }

    /// Between the two intervals: within one half of the range they are the same.
    fn exchange_signs(&mut self) -> Option<()> {
        let (width, half) = (self.width, signed_max(self.width) as u128);
        let bits = |signed: i128| signed as u128 & mask(width);
        if self.low > self.high || self.signed_low > self.signed_high {
            return None;
        }
        if self.signed_low >= 0 || self.signed_high < 0 {
            self.low = self.low.max(bits(self.signed_low));
            self.high = self.high.min(bits(self.signed_high));
        } else {
            // Unsigned values between the two ends of the signed interval are out of it.
            let (top_of_positive, bottom_of_negative) = (bits(self.signed_high), bits(self.signed_low));
            if self.low > top_of_positive {
                self.low = self.low.max(bottom_of_negative);
            }
            if self.high < bottom_of_negative {
                self.high = self.high.min(top_of_positive);
            }
        }
        if self.low > self.high {
            return None;
        }
        if self.high <= half || self.low > half {
            self.signed_low = self.signed_low.max(to_signed(width, self.low));
            self.signed_high = self.signed_high.min(to_signed(width, self.high));
        }
        (self.signed_low <= self.signed_high).then_some(())
    }

    fn exchange_bits(&mut self) -> Option<()> {
        let all = mask(self.width);
        // What both ends have in common above the first bit in which they differ is known.
        let differ = self.low ^ self.high;
        let known = if differ == 0 { all } else { all & !(mask((128 - differ.leading_zeros()) as u8)) };
        self.ones |= self.low & known;
        self.zeros |= !self.low & known;
        if self.ones & self.zeros != 0 {
            return None;
        }
        self.low = self.low.max(self.ones);
        self.high = self.high.min(all & !self.zeros);
        let sign = 1u128 << (self.width - 1);
        let least = if self.zeros & sign == 0 { self.ones | sign } else { self.ones };
        let most = if self.ones & sign == 0 { all & !self.zeros & !sign } else { all & !self.zeros };
        self.signed_low = self.signed_low.max(to_signed(self.width, least));
        self.signed_high = self.signed_high.min(to_signed(self.width, most));
        (self.low <= self.high && self.signed_low <= self.signed_high).then_some(())
    }

    fn exchange_congruence(&mut self) -> Option<()> {
        // Low bits that are all known are a power of two as a modulus, and the other way round.
        let low_known = (self.zeros | self.ones).trailing_ones().min(u32::from(self.width)).min(127);
        if self.modulus != 0 {
            let known_modulus = 1u128 << low_known;
            let known_rest = self.ones & (known_modulus - 1);
            let common = gcd(self.modulus, known_modulus);
            if self.rest % common != known_rest % common {
                return None;
            }
            if common == self.modulus {
                (self.modulus, self.rest) = (known_modulus, known_rest);
            }
            let twos = self.modulus.trailing_zeros().min(u32::from(self.width));
            let low = (1u128 << twos.min(127)) - 1;
            self.ones |= self.rest & low;
            self.zeros |= !self.rest & low;
        }
        if self.modulus > 1 {
            let distance = |from: u128, to: u128| if to >= from { to - from } else { self.modulus - (from - to) };
            let up = distance(self.low % self.modulus, self.rest);
            let down = distance(self.rest, self.high % self.modulus);
            self.low = self.low.checked_add(up)?;
            self.high = self.high.checked_sub(down)?;
        } else if self.modulus == 0 {
            self.low = self.low.max(self.rest);
            self.high = self.high.min(self.rest);
        }
        (self.low <= self.high && self.ones & self.zeros == 0).then_some(())
    }

    pub fn join(&self, other: &Value) -> Value {
        if let (Some(a), Some(b)) = (&self.set, &other.set)
            && let Some(value) = Value::of(self.width, a.iter().chain(b).copied().collect())
        {
            return value;
        }
        let difference = self.rest.abs_diff(other.rest);
        let modulus = gcd(gcd(self.modulus, other.modulus), difference);
        let joined = Value {
            width: self.width,
            signed_low: self.signed_low.min(other.signed_low),
            signed_high: self.signed_high.max(other.signed_high),
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            modulus,
            rest: modulo(self.rest, modulus),
            set: None,
        };
        // A join of values is not empty.
        joined.reduced().unwrap_or_else(|| Value::top(self.width))
    }

    pub fn meet(&self, other: &Value) -> Option<Value> {
        if self == other {
            return Some(self.clone());
        }
        let (modulus, rest) = meet_congruences((self.modulus, self.rest), (other.modulus, other.rest))?;
        let set = match (&self.set, &other.set) {
            (Some(a), Some(b)) => Some(a.iter().copied().filter(|x| b.binary_search(x).is_ok()).collect()),
            (a, b) => a.as_ref().or(b.as_ref()).cloned(),
        };
        let met = Value {
            width: self.width,
            signed_low: self.signed_low.max(other.signed_low),
            signed_high: self.signed_high.min(other.signed_high),
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            modulus,
            rest,
            set,
        };
        met.reduced()
    }

    /// Is every value of this one a value of the other?
    pub fn is_within(&self, other: &Value) -> bool {
        if let Some(set) = &self.set {
            return set.iter().all(|bits| other.contains(*bits));
        }
        other.set.is_none()
            && other.low <= self.low
            && self.high <= other.high
            && other.signed_low <= self.signed_low
            && self.signed_high <= other.signed_high
            && other.zeros & !self.zeros == 0
            && other.ones & !self.ones == 0
            && other.modulus != 0
            && self.modulus.is_multiple_of(other.modulus)
            && self.rest % other.modulus == other.rest
    }

    /// An upper bound of both, where `other` is the later one. Bounds that moved go to the next threshold (sorted), or to the end.
    pub fn widen(&self, other: &Value, thresholds: &[u128]) -> Value {
        let joined = self.join(other);
        if &joined == self {
            return joined;
        }
        let width = self.width;
        let signed = || thresholds.iter().map(|t| to_signed(width, *t));
        let mut wide = Value { set: None, ..joined };
        if wide.low < self.low {
            wide.low = thresholds.iter().copied().filter(|t| *t <= wide.low).max().unwrap_or(0);
        }
        if wide.high > self.high {
            wide.high = thresholds.iter().copied().filter(|t| *t >= wide.high).min().unwrap_or(mask(width));
        }
        if wide.signed_low < self.signed_low {
            wide.signed_low = signed().filter(|t| *t <= wide.signed_low).max().unwrap_or(signed_min(width));
        }
        if wide.signed_high > self.signed_high {
            wide.signed_high = signed().filter(|t| *t >= wide.signed_high).min().unwrap_or(signed_max(width));
        }
        // Known bits that the old bounds implied would hold the new bounds back.
        let low = mask(((wide.zeros | wide.ones).trailing_ones().min(u32::from(width))) as u8);
        (wide.zeros, wide.ones) = (wide.zeros & low, wide.ones & low);
        wide.reduced().unwrap_or_else(|| Value::top(width))
    }
}

/// Of two congruences: exact where one modulus divides the other, one of the two otherwise.
fn meet_congruences(a: (u128, u128), b: (u128, u128)) -> Option<(u128, u128)> {
    let common = gcd(a.0, b.0);
    if modulo(a.1, common) != modulo(b.1, common) {
        return None;
    }
    let finer = |x: (u128, u128), y: (u128, u128)| x.0 == 0 || (y.0 != 0 && x.0 >= y.0);
    Some(if finer(a, b) { a } else { b })
}
