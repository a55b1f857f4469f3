//! What operations make of values.

use super::offset::Offset;
use super::value::{Form, Source, Value, is_sentinel, join};
use raddle_ir::{BinOp, Const, Sort};

/// What is known of the sources of addresses.
pub(super) trait Sources {
    /// All their addresses are multiples of this, as C and the ABI promise.
    fn alignment(&self, source: u32) -> i64;
}

/// A constant as a signed number.
pub(super) fn signed(constant: Const) -> Option<i64> {
    let Sort::Bits(width) = constant.sort else { return None };
    let unused = 128u32.checked_sub(width.into())?;
    i64::try_from(((constant.bits << unused) as i128) >> unused).ok()
}

pub(super) fn of_constant(constant: Const) -> Value {
    match signed(constant) {
        Some(number) => Value::number(number),
        None => Value::any_number(),
    }
}

/// Any function of some values.
pub(super) fn mixed(operands: &[&Value]) -> Value {
    let mut result = Value::default();
    if operands.iter().any(|operand| operand.is_none()) {
        return result;
    }
    for operand in operands {
        result.stray = result.stray.or(operand.stray.map(|_| Offset::ANY));
        operand.of.iter().for_each(|(source, _)| {
            result.add(*source, Form::Mixed);
        });
    }
    result.add_number(Offset::ANY, true);
    result
}

/// What becomes of an address in a sum with another one.
fn summed(source: Source, form: Form, other: &Value) -> Form {
    let offset = |form: &Form| match form {
        Form::At(offset) | Form::Linear(offset) => Some(*offset),
        _ => None,
    };
    let is_whole = other.of.iter().all(|(_, form)| offset(form).is_some());
    let at_start = |form: &Form| offset(form).is_none_or(|offset| offset == Offset::ZERO);
    match form {
        Form::At(_) if other.form(source).is_none() && !is_whole => Form::Indexed,
        Form::At(own) | Form::Linear(own) if addend(other).is_none() && other.of.iter().all(|one| at_start(&one.1)) => {
            Form::Linear(own)
        }
        Form::At(_) | Form::Linear(_) => Form::Linear(Offset::ANY),
        Form::Part => Form::Mixed,
        Form::Mixed | Form::Indexed => form,
    }
}

/// A value where it depends on addresses.
fn addresses_of(value: &Value) -> Value {
    Value { of: value.of.clone(), ..Value::default() }
}

/// An exclusive or. With an input it is as open as the input. With null it is the other operand.
fn exclusive_or(a: &Value, b: &Value) -> Value {
    let mut result = Value { stray: a.stray.or(b.stray).map(|_| Offset::ANY), ..Value::default() };
    if let (Some(x), Some(y)) = (a.number, b.number) {
        let both = x.exact().zip(y.exact()).map(|(x, y)| Offset::exactly(x ^ y));
        add_sum(&mut result, both.unwrap_or(Offset::ANY));
    }
    for (one, other) in [(a, b), (b, a)] {
        let is_null = other.number == Some(Offset::ZERO);
        let is_number = other.number.is_some() && !is_null;
        let addresses = addresses_of(other);
        one.of.iter().for_each(|(source, form)| {
            if is_number {
                result.add(*source, Form::Mixed);
            }
            if !addresses.of.is_empty() {
                result.add(*source, summed(*source, *form, &addresses));
            }
            if is_null {
                result.add(*source, *form);
            }
        });
    }
    result
}

pub(super) fn binary(op: BinOp, a: &Value, b: &Value, sources: &impl Sources) -> Value {
    if a.is_none() || b.is_none() {
        return Value::default();
    }
    match op {
        BinOp::BvAdd => plus(a, b),
        BinOp::BvSub => minus(a, b),
        BinOp::BvMul => match (a.number.and_then(Offset::exact), b.number.and_then(Offset::exact)) {
            _ if !is_number(a) || !is_number(b) => mixed(&[a, b]),
            (_, Some(factor)) => times(a, factor),
            (Some(factor), _) => times(b, factor),
            _ => mixed(&[a, b]),
        },
        BinOp::Shl => match exact(b).filter(|by| (0..62).contains(by)) {
            Some(by) if is_number(a) => times(a, 1 << by),
            _ => mixed(&[a, b]),
        },
        BinOp::BvAnd => match (exact(a), exact(b)) {
            (_, Some(mask)) => masked(a, mask, sources),
            (Some(mask), _) => masked(b, mask, sources),
            _ => mixed(&[a, b]),
        },
        BinOp::BvURem => match exact(b).filter(|by| *by > 0 && by.count_ones() == 1) {
            Some(by) => masked(a, by - 1, sources),
            None => mixed(&[a, b]),
        },
        BinOp::BvOr | BinOp::BvXor => match (exact(a), exact(b)) {
            (_, Some(bits)) => tagged(a, bits, sources),
            (Some(bits), _) => tagged(b, bits, sources),
            _ if op == BinOp::BvXor => exclusive_or(a, b),
            _ => mixed(&[a, b]),
        },
        _ => mixed(&[a, b]),
    }
}

fn is_number(value: &Value) -> bool {
    value.of.is_empty()
}

/// The number that it always is.
fn exact(value: &Value) -> Option<i64> {
    value.number.and_then(Offset::exact).filter(|_| value.of.is_empty() && value.stray.is_none())
}

fn add_sum(to: &mut Value, sum: Offset) {
    let plain = sum.exact().is_none_or(|number| !is_sentinel(number));
    to.add_number(sum, plain);
}

fn times(value: &Value, factor: i64) -> Value {
    let mut result = changed(value);
    // Of an input that is multiplied, it counts that it is a multiple.
    if let Some(number) = join(value.number, value.stray.map(|_| Offset::ANY)) {
        add_sum(&mut result, number.times(factor));
    }
    result
}

/// What comes from outside, no longer as it came.
fn changed(value: &Value) -> Value {
    Value { stray: value.stray.map(|_| Offset::ANY), ..Value::default() }
}

/// What a value adds to an address where it is a number.
fn addend(value: &Value) -> Option<Offset> {
    // `times` says more of an input than that it is one.
    value.number.or(value.stray.map(|_| Offset::ANY))
}

fn plus(a: &Value, b: &Value) -> Value {
    let mut result = Value::default();
    for (one, other) in [(a, b), (b, a)] {
        if let (Some(stray), Some(number)) = (one.stray, addend(other)) {
            result.stray = join(result.stray, Some(stray.plus(number)));
        }
    }
    if let (Some(x), Some(y)) = (a.number, b.number) {
        add_sum(&mut result, x.plus(y));
    }
    for (one, other) in [(a, b), (b, a)] {
        for (source, form) in &one.of {
            match (form, addend(other)) {
                (Form::At(offset), Some(number)) => {
                    result.add(*source, Form::At(offset.plus(number)));
                }
                (Form::Linear(offset), Some(number)) => {
                    result.add(*source, Form::Linear(offset.plus(number)));
                }
                (_, Some(_)) => {
                    result.add(*source, summed(*source, *form, other));
                }
                (_, None) => {}
            }
            if !other.of.is_empty() {
                result.add(*source, summed(*source, *form, &addresses_of(other)));
            }
        }
    }
    result
}

fn minus(a: &Value, b: &Value) -> Value {
    let mut result = Value::default();
    if let Some(stray) = a.stray {
        let places = if b.of.is_empty() { None } else { Some(Offset::ANY) };
        result.stray = join(addend(b).map(|number| stray.minus(number)), places);
    } else if b.stray.is_some() && a.number.is_some() {
        result.stray = Some(Offset::ANY);
    }
    if let (Some(x), Some(y)) = (a.number, b.number) {
        add_sum(&mut result, x.minus(y));
    }
    for (source, form) in &a.of {
        if let Some(number) = addend(b) {
            let form =
                if let Form::At(offset) = form { Form::At(offset.minus(number)) } else { summed(*source, *form, b) };
            result.add(*source, form);
        }
        for (other, other_form) in &b.of {
            match (form, other_form) {
                // The distance in one object is a number. Of two objects that one `Alloc` made, C defines none.
                (Form::At(x), Form::At(y)) if source == other => add_sum(&mut result, x.minus(*y)),
                _ => {
                    result.add(*source, summed(*source, *form, b));
                    result.add(*other, summed(*other, *other_form, a));
                }
            }
        }
    }
    // An input minus an address is as open as the input. Of null minus a pointer, C defines nothing. Another number minus an address is open.
    if a.number.is_some() && a.of.is_empty() {
        b.of.iter().for_each(|(source, form)| {
            result.add(*source, summed(*source, *form, a));
        });
    }
    result
}

/// `value & mask`.
fn masked(value: &Value, mask: i64, sources: &impl Sources) -> Value {
    let mut result = changed(value);
    if value.number.is_some() {
        match value.number.and_then(Offset::exact) {
            Some(number) => add_sum(&mut result, Offset::exactly(number & mask)),
            None => {
                result.add_number(Offset::ANY, value.plain);
            }
        };
    }
    for (source, form) in &value.of {
        let aligned = sources.alignment(*source);
        let is_low = mask >= 0 && mask < aligned;
        let is_high = mask < 0 && !mask < aligned && (!mask).wrapping_add(1).count_ones() == 1;
        match form {
            Form::At(offset) if is_low => match offset.modulo(aligned) {
                Some(rest) => add_sum(&mut result, Offset::exactly(rest & mask)),
                None => add_sum(&mut result, Offset::ANY),
            },
            Form::At(offset) if is_high => {
                let below = offset.modulo(-mask).map_or(Offset::ANY, |rest| offset.minus(Offset::exactly(rest)));
                result.add(*source, Form::At(below));
            }
            _ => {
                result.add(*source, Form::Mixed);
            }
        }
    }
    result
}

/// `value | bits` or `value ^ bits`.
fn tagged(value: &Value, bits: i64, sources: &impl Sources) -> Value {
    let mut result = changed(value);
    if value.number.is_some() {
        result.add_number(Offset::ANY, value.plain);
    }
    for (source, form) in &value.of {
        let aligned = sources.alignment(*source);
        match form {
            Form::At(offset) if bits >= 0 && bits < aligned => {
                let is_untagged = offset.modulo(aligned).is_some_and(|rest| rest & bits == 0);
                let offset = if is_untagged { offset.plus(Offset::exactly(bits)) } else { Offset::ANY };
                result.add(*source, Form::At(offset));
            }
            _ => {
                result.add(*source, Form::Mixed);
            }
        }
    }
    result
}

/// The `bits` low bits of a value, or others.
pub(super) fn slice(value: &Value, low: u8, bits: u8, pointer_bits: u8, sources: &impl Sources) -> Value {
    if low == 0 && bits >= pointer_bits {
        return value.clone();
    }
    if value.of.is_empty() {
        return value.part();
    }
    if low == 0 && bits < 16 {
        let kept = masked(value, (1 << bits) - 1, sources);
        if kept.of.is_empty() {
            return kept;
        }
    }
    if low == 0 { value.part() } else { mixed(&[value]) }
}

/// Widening. The number of a negative one is another.
pub(super) fn widened(value: &Value, from: u8, is_signed: bool) -> Value {
    let mut result = value.clone();
    if let Some(number) = result.number
        && !is_signed
        && from < 64
        && number.exact().is_some_and(|number| number < 0)
    {
        result.number = Some(Offset::ANY);
        result.plain = true;
    }
    result
}
