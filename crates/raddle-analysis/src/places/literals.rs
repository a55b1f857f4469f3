//! String literals may be one object: compilers and linkers merge equal ones, and those that end alike.

use super::offset::Offset;
use raddle_ir::{Object, ObjectInit, ObjectKind};

/// May a place in a literal be one in another?
pub(super) fn may_merge(a: (&Object, Offset), b: (&Object, Offset)) -> bool {
    let ((long, in_long), (short, in_short)) = if a.0.size >= b.0.size { (a, b) } else { (b, a) };
    let (Some(text), Some(end)) = (text(long), text(short)) else { return false };
    let shift = (text.len() - end.len()) as i64;
    text.ends_with(&end) && in_long.minus(in_short).contains(shift)
}

/// The bytes of a string literal or of a constant compound literal.
fn text(object: &Object) -> Option<Vec<u8>> {
    match &object.kind {
        ObjectKind::Data { init: ObjectInit::Bytes { bytes, pointers }, writable: false }
            if pointers.is_empty() && matches!(object.name.as_str(), "string literal" | "(compound literal)") =>
        {
            let mut bytes = bytes.clone();
            bytes.resize(usize::try_from(object.size).ok()?, 0);
            Some(bytes)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> Object {
        Object {
            name: "string literal".into(),
            address: 0x1000,
            size: text.len() as u64 + 1,
            kind: ObjectKind::Data {
                init: ObjectInit::Bytes { bytes: text.into(), pointers: Vec::new() },
                writable: false,
            },
            exposed: false,
            span: raddle_ir::Span::NONE,
            origin: raddle_ir::Origin::default(),
        }
    }

    #[test]
    fn the_end_of_a_literal_may_be_another() {
        let (whole, end, other) = (literal("able"), literal("le"), literal("les"));
        let merge =
            |a: (&Object, i64), b: (&Object, i64)| may_merge((a.0, Offset::exactly(a.1)), (b.0, Offset::exactly(b.1)));
        assert!(merge((&whole, 2), (&end, 0)) && merge((&end, 1), (&whole, 3)) && merge((&whole, 0), (&whole, 0)));
        assert!(!merge((&whole, 0), (&end, 0)) && !merge((&whole, 2), (&other, 0)));
        assert!(may_merge((&whole, Offset::ANY), (&end, Offset::ZERO)));
    }
}
