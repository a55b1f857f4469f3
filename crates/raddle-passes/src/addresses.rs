//! Which static objects a constant may be the address of.

use raddle_ir::{Const, Expr, ExprId, ExprPool, Object, ObjectId, Sort};

/// The static objects by address.
pub(crate) struct Addresses {
    /// Start, end (one past the last byte), id; sorted.
    ranges: Vec<(u64, u64, ObjectId)>,
}

impl Addresses {
    pub(crate) fn new(objects: &[Object]) -> Addresses {
        let mut ranges: Vec<_> = objects
            .iter()
            .enumerate()
            .map(|(i, object)| (object.address, object.address.saturating_add(object.size), ObjectId(i as u32)))
            .collect();
        ranges.sort_unstable();
        Addresses { ranges }
    }

    /// Calls `f` for each object that a value points to, or just past: two if one object starts where the other ends.
    pub(crate) fn at(&self, value: u128, mut f: impl FnMut(ObjectId)) {
        let Ok(value) = u64::try_from(value) else { return };
        let after = self.ranges.partition_point(|(start, _, _)| *start <= value);
        for (_, end, id) in self.ranges[..after].iter().rev().take(2) {
            if value <= *end {
                f(*id);
            }
        }
    }

    /// The object that holds all bytes of an access.
    pub(crate) fn holding(&self, address: Const, bytes: u64) -> Option<ObjectId> {
        let address = u64::try_from(address.bits).ok()?;
        let after = self.ranges.partition_point(|(start, _, _)| *start <= address);
        let (_, end, id) = *self.ranges.get(after.checked_sub(1)?)?;
        (address.checked_add(bytes)? <= end).then_some(id)
    }

    /// Does a value lie among the static objects without pointing to one of them?
    pub(crate) fn is_stray(&self, value: u128) -> bool {
        let (Some((first, _, _)), Some((_, last, _))) = (self.ranges.first(), self.ranges.last()) else { return false };
        let mut hits = 0;
        self.at(value, |_| hits += 1);
        hits == 0 && (u128::from(first / 2)..=u128::from(last.saturating_mul(2))).contains(&value)
    }
}

/// Calls `f` with the value of each constant in an expression that could be (a part of) an address. A Bool cannot.
pub(crate) fn constants(pool: &ExprPool, roots: &[ExprId], mut f: impl FnMut(u128)) {
    pool.for_each_node(roots, |_, expr| {
        if let Expr::Const(Const { sort, bits }) = expr
            && sort != Sort::Bool
        {
            f(bits);
        }
    });
}
