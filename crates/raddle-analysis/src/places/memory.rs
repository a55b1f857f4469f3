//! What is in objects: values by offset and width. Fields of structures and of elements of arrays are kept apart as far as offsets are known.

use super::offset::Offset;
use super::value::{Form, Source, Value, is_sentinel};
use raddle_ir::{Label, Object, ObjectInit, ObjectKind, Program};
use rustc_hash::FxHashMap;

/// An object with more cells than these is taken as one without fields.
const MOST_CELLS: usize = 64;
/// So many elements of an initialiser are looked at one by one.
const MOST_ELEMENTS: usize = 4096;

/// Some bytes of an object: an offset and a width.
pub(super) type Cell = (Offset, i64);

#[derive(Default)]
pub(super) struct Contents {
    cells: FxHashMap<Cell, Value>,
    /// What initial bytes are as numbers; nothing that changes.
    initial: FxHashMap<Cell, Value>,
}

/// What an object holds at first.
pub(super) enum Initial<'a> {
    Any,
    Zeros,
    Bytes { object: &'a Object, bytes: &'a [u8], pointers: &'a [(u64, raddle_ir::ObjectId)] },
}

impl<'a> Initial<'a> {
    pub(super) fn of_object(object: &'a Object) -> Initial<'a> {
        match &object.kind {
            ObjectKind::Data { init: ObjectInit::Any, .. } => Initial::Any,
            ObjectKind::Data { init: ObjectInit::Bytes { bytes, pointers }, .. } => {
                Initial::Bytes { object, bytes, pointers }
            }
            ObjectKind::Function(_) => Initial::Zeros,
        }
    }

    pub(super) fn of_alloc(label: &Label) -> Initial<'a> {
        match label {
            Label::Alloc { zeroed: true, .. } => Initial::Zeros,
            _ => Initial::Any,
        }
    }

    /// What is read at first.
    fn read(&self, (offset, width): Cell, program: &Program) -> Value {
        match self {
            Initial::Any => Value::stray(),
            Initial::Zeros => Value::number(0),
            Initial::Bytes { object, bytes, pointers } => {
                let mut result = Value::default();
                let (size, word) = (object.size as i64, i64::from(program.pointer_bits / 8));
                for (n, at) in offset.below(size).enumerate() {
                    if n == MOST_ELEMENTS {
                        result.join(&Value::any_number());
                        break;
                    }
                    let byte = |i: i64| u128::from(bytes.get(i as usize).copied().unwrap_or(0));
                    let number = (0..width.min(16)).fold(0u128, |all, i| all | byte(at + i) << (8 * i));
                    let overlaps = |(from, _): &&(u64, _)| (*from as i64) < at + width && at < *from as i64 + word;
                    match pointers.iter().find(overlaps) {
                        Some((from, target)) => {
                            let start = program.objects[target.index()].address;
                            let place = Offset::exactly((number as u64).wrapping_sub(start) as i64);
                            let whole = *from as i64 == at && width == word;
                            result.add(target.0, if whole { Form::At(place) } else { Form::Part });
                        }
                        None => {
                            let unused = 128 - 8 * width.min(16) as u32;
                            let number = ((number << unused) as i128) >> unused;
                            let number = i64::try_from(number).unwrap_or(i64::MAX);
                            result.add_number(Offset::exactly(number), !is_sentinel(number));
                        }
                    }
                }
                // Bytes behind the last are none, whatever they hold.
                if result.is_none() {
                    result = Value::number(0);
                }
                result
            }
        }
    }
}

impl Contents {
    pub(super) fn load(&mut self, cell: Cell, initial: &Initial, program: &Program) -> Value {
        let read = || initial.read(cell, program);
        let mut result = self.initial.entry(cell).or_insert_with(read).clone();
        let word = i64::from(program.pointer_bits / 8);
        for ((offset, width), value) in &self.cells {
            if !offset.overlaps(*width, cell.0, cell.1) {
                continue;
            }
            if *width == cell.1 && (offset.modulo(*width).is_none() || offset.modulo(*width) == cell.0.modulo(*width)) {
                result.join(value);
            } else if cell.1 < word {
                result.join(&value.part());
            } else {
                result.join(&value.part().whole());
            }
        }
        result
    }

    /// Did it change anything?
    pub(super) fn store(&mut self, (offset, width): Cell, value: &Value) -> bool {
        if value.is_none() {
            return false;
        }
        let cell = match self.cells.len() < MOST_CELLS || self.cells.contains_key(&(offset, width)) {
            true => (offset, width),
            false => (Offset::ANY, width),
        };
        self.cells.entry(cell).or_default().join(value)
    }

    /// All that may be in the object, as cells.
    pub(super) fn all(&self, initial: &Initial, program: &Program) -> Vec<(Cell, Value)> {
        let mut all: Vec<(Cell, Value)> = self.cells.iter().map(|(cell, value)| (*cell, value.clone())).collect();
        let rest = match initial {
            Initial::Any => Value::stray(),
            Initial::Zeros => Value::number(0),
            Initial::Bytes { bytes, pointers, .. } => {
                let word = i64::from(program.pointer_bits / 8);
                for (at, _) in *pointers {
                    let cell = (Offset::exactly(*at as i64), word);
                    all.push((cell, initial.read(cell, program)));
                }
                let is_zero = bytes.iter().all(|byte| *byte == 0);
                if is_zero { Value::number(0) } else { Value::any_number() }
            }
        };
        all.push(((Offset::ANY, 1), rest));
        all
    }

    pub(super) fn sources(&self) -> impl Iterator<Item = Source> {
        self.cells.values().flat_map(|value| value.of.iter().map(|one| one.0))
    }
}
