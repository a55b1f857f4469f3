//! Literals may be one object: compilers and linkers merge equal strings, those that end alike, and constant compound literals.

use super::offset::Offset;
use raddle_ir::{Object, ObjectInit, ObjectKind};

/// A string literal or a constant compound literal.
pub(super) enum Literal {
    Bytes(Vec<u8>),
    /// One that is made while the program runs, or has pointers in it: of this size, and any contents.
    Any(usize),
}

/// What lowering calls the address of an automatic constant compound literal.
const AUTOMATIC: &str = "&(const compound literal)";

/// May a place in a literal be one in another?
pub(super) fn may_merge(a: (&Literal, Offset), b: (&Literal, Offset)) -> bool {
    let ((long, in_long), (short, in_short)) = if a.0.size() >= b.0.size() { (a, b) } else { (b, a) };
    let ends_alike = match (long, short) {
        (Literal::Bytes(text), Literal::Bytes(end)) => text.ends_with(end),
        _ => true,
    };
    let shift = (long.size() - short.size()) as i64;
    ends_alike && in_long.minus(in_short).contains(shift)
}

impl Literal {
    pub(super) fn of_object(object: &Object) -> Option<Literal> {
        let size = usize::try_from(object.size).ok()?;
        match &object.kind {
            _ if !matches!(object.name.as_str(), "string literal" | "(compound literal)") => None,
            ObjectKind::Data { init: ObjectInit::Bytes { bytes, pointers }, writable: false }
                if pointers.is_empty() =>
            {
                let mut bytes = bytes.clone();
                bytes.resize(size, 0);
                Some(Literal::Bytes(bytes))
            }
            ObjectKind::Data { writable: false, .. } => Some(Literal::Any(size)),
            _ => None,
        }
    }

    /// The object that an `Alloc` makes, by its variable and its size.
    pub(super) fn of_alloc(name: &str, size: Option<i64>) -> Option<Literal> {
        let size = size.and_then(|size| usize::try_from(size).ok())?;
        (name == AUTOMATIC).then_some(Literal::Any(size))
    }

    fn size(&self) -> usize {
        match self {
            Literal::Bytes(bytes) => bytes.len(),
            Literal::Any(size) => *size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_literal_may_be_another() {
        let literal = |text: &[u8]| Literal::Bytes(text.to_vec());
        let (whole, end, other) = (literal(b"able\0"), literal(b"le\0"), literal(b"les\0"));
        let merge = |a: (&Literal, i64), b: (&Literal, i64)| {
            may_merge((a.0, Offset::exactly(a.1)), (b.0, Offset::exactly(b.1)))
        };
        assert!(merge((&whole, 2), (&end, 0)) && merge((&end, 1), (&whole, 3)) && merge((&whole, 0), (&whole, 0)));
        assert!(!merge((&whole, 0), (&end, 0)) && !merge((&whole, 2), (&other, 0)));
        assert!(may_merge((&whole, Offset::ANY), (&end, Offset::ZERO)));
        let automatic = Literal::Any(3);
        assert!(merge((&whole, 2), (&automatic, 0)) && !merge((&whole, 2), (&automatic, 1)));
    }
}
