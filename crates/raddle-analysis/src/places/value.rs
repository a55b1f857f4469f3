//! What a value depends on: the places of objects, thread ids, inputs, numbers.

use super::offset::Offset;
use smallvec::SmallVec;

/// Names what an address or a thread id comes from: an object (as points-to analysis numbers them), or the start of a thread.
pub(super) type Source = u32;

/// How a value depends on the place of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// It is the address of a place in the object.
    At(Offset),
    /// It is a piece of an address.
    Part,
    /// A sum, difference or exclusive or of addresses. With others of its kind it may be an address again, of this place.
    Linear(Offset),
    /// It was computed from the address in another way, so that its number depends on where the object lies.
    Mixed,
    /// A place in the object that such a number tells.
    Indexed,
}

impl Form {
    fn join(self, other: Form) -> Form {
        match (self, other) {
            (Form::At(a), Form::At(b)) => Form::At(a.join(b)),
            (one, other) if one == other => one,
            (Form::Indexed, _) | (_, Form::Indexed) => Form::Indexed,
            (Form::At(a) | Form::Linear(a), Form::At(b) | Form::Linear(b)) => Form::Linear(a.join(b)),
            _ => Form::Mixed,
        }
    }
}

/// What a value may be. Without anything it cannot exist.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Value {
    /// By source, in order.
    pub(super) of: SmallVec<[(Source, Form); 2]>,
    /// It may come from outside (an input, memory that was never written), with something added to it.
    pub(super) stray: Option<Offset>,
    /// It may be a number that depends on no place.
    pub(super) number: Option<Offset>,
    /// That number may be one that is an address somewhere: neither small nor minus a small one.
    pub(super) plain: bool,
}

impl Value {
    pub(super) fn at(source: Source, offset: Offset) -> Value {
        Value { of: SmallVec::from_slice(&[(source, Form::At(offset))]), ..Value::default() }
    }

    pub(super) fn stray() -> Value {
        Value { stray: Some(Offset::ZERO), ..Value::default() }
    }

    /// Any number.
    pub(super) fn any_number() -> Value {
        Value { number: Some(Offset::ANY), plain: true, ..Value::default() }
    }

    pub(super) fn number(number: i64) -> Value {
        Value { number: Some(Offset::exactly(number)), plain: !is_sentinel(number), ..Value::default() }
    }

    /// Cannot be: nothing has arrived yet.
    pub(super) fn is_none(&self) -> bool {
        self.of.is_empty() && self.stray.is_none() && self.number.is_none()
    }

    pub(super) fn form(&self, source: Source) -> Option<Form> {
        self.of.binary_search_by_key(&source, |one| one.0).ok().map(|at| self.of[at].1)
    }

    /// Adds a dependence.
    pub(super) fn add(&mut self, source: Source, form: Form) -> bool {
        match self.of.binary_search_by_key(&source, |one| one.0) {
            Ok(at) => {
                let old = self.of[at].1;
                self.of[at].1 = old.join(form);
                self.of[at].1 != old
            }
            Err(at) => {
                self.of.insert(at, (source, form));
                true
            }
        }
    }

    pub(super) fn add_number(&mut self, number: Offset, plain: bool) -> bool {
        let joined = join(self.number, Some(number));
        let changed = self.number != joined || plain && !self.plain;
        self.number = joined;
        self.plain |= plain;
        changed
    }

    /// Is it more than before?
    pub(super) fn join(&mut self, other: &Value) -> bool {
        let stray = join(self.stray, other.stray);
        let mut changed = self.stray != stray;
        self.stray = stray;
        if let Some(number) = other.number {
            changed |= self.add_number(number, other.plain);
        }
        for (source, form) in &other.of {
            changed |= self.add(*source, *form);
        }
        changed
    }

    /// The places that it is an address of.
    pub(super) fn places(&self) -> impl Iterator<Item = (Source, Offset)> {
        self.of.iter().filter_map(|(source, form)| match form {
            Form::At(offset) => Some((*source, *offset)),
            _ => None,
        })
    }

    /// Does it lead to a place that depends on where something lies?
    pub(super) fn is_indexed(&self) -> bool {
        self.of.iter().any(|(_, form)| *form == Form::Indexed)
    }

    /// Is it put together of whole addresses only, if at all?
    pub(super) fn is_linear(&self) -> bool {
        self.stray.is_none() && self.of.iter().all(|(_, form)| matches!(form, Form::At(_) | Form::Linear(_)))
    }

    /// Does its number depend on where something lies?
    pub(super) fn is_mixed(&self) -> bool {
        self.of.iter().any(|(_, form)| !matches!(form, Form::At(_)))
    }

    /// The same with each dependence in another form.
    pub(super) fn with_form(&self, form: impl Fn(Source, Form) -> Form) -> Value {
        let of = self.of.iter().map(|(source, old)| (*source, form(*source, *old))).collect();
        Value { of, ..self.clone() }
    }

    /// A piece of the value.
    pub(super) fn part(&self) -> Value {
        let mut result = self.with_form(|_, form| if let Form::At(_) = form { Form::Part } else { form });
        result.stray = result.stray.map(|_| Offset::ANY);
        if let Some(number) = &mut result.number
            && *number != Offset::ZERO
        {
            *number = Offset::ANY;
        }
        result
    }

    /// The value that was put together of pieces of another.
    pub(super) fn whole(&self) -> Value {
        let mut result = self.with_form(|_, form| if form == Form::Part { Form::At(Offset::ANY) } else { form });
        if let Some(number) = &mut result.number
            && *number != Offset::ZERO
        {
            *number = Offset::ANY;
            result.plain = true;
        }
        result
    }
}

/// One or the other.
pub(super) fn join(a: Option<Offset>, b: Option<Offset>) -> Option<Offset> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b)),
        (one, None) | (None, one) => one,
    }
}

/// Such a number is never the address of an object: null with an offset, or one of the last (MAP_FAILED, error numbers in pointers).
pub(super) fn is_sentinel(number: i64) -> bool {
    (-4096..4096).contains(&number)
}
