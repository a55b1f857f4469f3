//! Floats as exact decimal numbers, for printing: a finite binary float is an integer divided by a power of ten.
//!
//! Simple big-number arithmetic in base 10^9; the numbers are small (5,000 digits for long double) and rarely printed.

use raddle_ir::{FloatSort, Sort};

/// What the encoding of a float says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decoded {
    pub negative: bool,
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    Nan,
    Infinite,
    /// `mantissa * 2^exponent`.
    Finite {
        mantissa: u64,
        exponent: i32,
    },
}

/// Takes an encoding apart; `None` if the sort is not a float of 80 bits at most.
pub fn decode(bits: u128, sort: Sort) -> Option<Decoded> {
    let Sort::Float(f) = sort else { return None };
    let explicit = f == FloatSort::X87;
    let fraction_bits = if explicit { 64 } else { u32::from(f.significand) - 1 };
    if fraction_bits > 64 || f.exponent > 20 {
        return None;
    }
    let fraction = (bits & ((1u128 << fraction_bits) - 1)) as u64;
    let top = (1i32 << f.exponent) - 1;
    let biased = ((bits >> fraction_bits) as i32) & top;
    let negative = bits >> (fraction_bits + u32::from(f.exponent)) & 1 != 0;
    // Without the explicit integer bit for the question of whether a number is infinite.
    let payload = if explicit { fraction << 1 } else { fraction };
    let bias = top >> 1;
    let scale = if explicit { 63 } else { fraction_bits as i32 };
    let kind = if biased == top {
        if payload == 0 { Kind::Infinite } else { Kind::Nan }
    } else if explicit {
        Kind::Finite { mantissa: fraction, exponent: biased.max(1) - bias - scale }
    } else if biased == 0 {
        Kind::Finite { mantissa: fraction, exponent: 1 - bias - scale }
    } else {
        Kind::Finite { mantissa: fraction | 1 << fraction_bits, exponent: biased - bias - scale }
    };
    Some(Decoded { negative, kind })
}

/// The decimal number `digits / 10^scale`, without leading zeros (zero has no digits).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    pub digits: Vec<u8>,
    pub scale: usize,
}

/// The exact value of `mantissa * 2^exponent`.
pub fn exact(mantissa: u64, exponent: i32) -> Decimal {
    const BASE: u64 = 1_000_000_000;
    if mantissa == 0 {
        return Decimal { digits: Vec::new(), scale: 0 };
    }
    // Without trailing zero bits, so that the scale is as small as can be.
    let zeros = mantissa.trailing_zeros();
    let (mantissa, exponent) = (mantissa >> zeros, exponent + zeros as i32);
    let mut limbs = vec![mantissa % BASE, mantissa / BASE % BASE, mantissa / BASE / BASE];
    let mut multiply = |factor: u64| {
        let mut carry = 0;
        for limb in &mut limbs {
            let product = *limb * factor + carry;
            *limb = product % BASE;
            carry = product / BASE;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    };
    let (prime, per_round) = if exponent >= 0 { (2u64, 29) } else { (5, 12) };
    let mut left = exponent.unsigned_abs();
    while left > 0 {
        let now = left.min(per_round);
        multiply(prime.pow(now));
        left -= now;
    }
    let mut digits: Vec<u8> =
        limbs.iter().rev().flat_map(|l| format!("{l:09}").into_bytes()).map(|d| d - b'0').collect();
    let leading = digits.iter().take_while(|d| **d == 0).count();
    digits.drain(..leading);
    Decimal { digits, scale: if exponent < 0 { exponent.unsigned_abs() as usize } else { 0 } }
}

impl Decimal {
    /// The power of ten of the first digit.
    pub fn magnitude(&self) -> i32 {
        self.digits.len() as i32 - 1 - self.scale as i32
    }

    /// Rounds to so many digits after the point, ties to even; the scale is that number afterwards.
    pub fn round(&mut self, places: usize) {
        if self.scale <= places {
            if !self.digits.is_empty() {
                self.digits.resize(self.digits.len() + places - self.scale, 0);
            }
            self.scale = places;
            return;
        }
        let cut = self.scale - places;
        self.scale = places;
        if cut > self.digits.len() {
            self.digits.clear();
            return;
        }
        let rest = self.digits.split_off(self.digits.len() - cut);
        let half = rest[0].cmp(&5).then(if rest[1..].iter().any(|d| *d != 0) {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Equal
        });
        let odd = self.digits.last().is_some_and(|d| d % 2 == 1);
        if half.is_gt() || half.is_eq() && odd {
            for digit in self.digits.iter_mut().rev() {
                if *digit < 9 {
                    *digit += 1;
                    return;
                }
                *digit = 0;
            }
            self.digits.insert(0, 1);
        }
    }

    /// As `123.450`, with `scale` digits after the point.
    pub fn plain(&self, point: bool) -> String {
        let mut text: Vec<u8> = self.digits.iter().map(|d| d + b'0').collect();
        while text.len() <= self.scale {
            text.insert(0, b'0');
        }
        let at = text.len() - self.scale;
        if self.scale > 0 || point {
            text.insert(at, b'.');
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}
