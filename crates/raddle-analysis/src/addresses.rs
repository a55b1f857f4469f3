//! Which static objects an expression mentions.
//!
//! An address is a number, and the expression pool folds numbers: `a[i - 9]` adds `4 * i` to a constant that lies
//! before `a`, and for two arrays of char `d[p - s]` adds `p` to the distance of the two. So besides constants in an
//! object (or just past it), three kinds of constant addends count:
//! - one that lies among the data objects but in none of them may have come from any of them (`Mention::Any`);
//! - one that is the distance between places in two objects mentions the object that it leads to;
//! - one that is minus an address (`p - a` is kept as a sum) mentions the object around that address.
//!
//! What is not seen is an offset so large that it leads from one object into another: static objects lie far apart.
//! Objects that other operations may hide are found before anything is folded, and marked: see `exposed.rs`.

use raddle_ir::{BinOp, Const, Expr, ExprId, ExprPool, Object, ObjectId, ObjectKind, Sort, eval};

/// The static objects by address.
pub struct Addresses {
    /// Start, end (one past the last byte), id; sorted.
    ranges: Vec<(u64, u64, ObjectId)>,
    /// Where data objects begin and end, with some space around.
    data: std::ops::RangeInclusive<u128>,
    /// The least distance between the starts of two data objects.
    least_distance: u64,
    pointer_bits: u8,
}

/// What a constant in an expression may point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mention {
    Object(ObjectId),
    Any,
}

impl Addresses {
    pub fn new(objects: &[Object], pointer_bits: u8) -> Addresses {
        let range = |(i, object): (usize, &Object)| {
            (object.address, object.address.saturating_add(object.size), ObjectId(i as u32))
        };
        let mut ranges: Vec<_> = objects.iter().enumerate().map(range).collect();
        ranges.sort_unstable();
        let is_data = |id: ObjectId| matches!(objects[id.index()].kind, ObjectKind::Data { .. });
        let data: Vec<_> = ranges.iter().filter(|(_, _, id)| is_data(*id)).collect();
        let (first, last) = match (data.first(), data.last()) {
            (Some((first, _, _)), Some((_, last, _))) => (*first, *last),
            _ => (1, 0),
        };
        let space = first / 16;
        let least_distance = data.windows(2).map(|pair| pair[1].0 - pair[0].0).min().unwrap_or(u64::MAX);
        let data = u128::from(first - space)..=u128::from(last.saturating_add(space));
        Addresses { ranges, data, least_distance, pointer_bits }
    }

    /// Calls `f` for each object that a value points to, or just past: two if one object starts where the other ends.
    pub fn at(&self, value: u128, mut f: impl FnMut(ObjectId)) {
        let Ok(value) = u64::try_from(value) else { return };
        self.overlapping(value, value, &mut f);
    }

    /// Calls `f` for each object.
    pub fn all(&self, f: impl FnMut(ObjectId)) {
        self.ranges.iter().map(|(_, _, id)| *id).for_each(f);
    }

    /// Calls `f` for each object that has a place from `low` to `high`.
    fn overlapping(&self, low: u64, high: u64, f: &mut impl FnMut(ObjectId)) {
        let after = self.ranges.partition_point(|(start, _, _)| *start <= high);
        // Objects do not overlap: going backward, the first that ends before is followed only by such.
        for (_, _, id) in self.ranges[..after].iter().rev().take_while(|(_, end, _)| low <= *end) {
            f(*id);
        }
    }

    /// The object that holds all bytes of an access.
    pub fn holding(&self, address: Const, bytes: u64) -> Option<ObjectId> {
        let address = u64::try_from(address.bits).ok()?;
        let after = self.ranges.partition_point(|(start, _, _)| *start <= address);
        let (_, end, id) = *self.ranges.get(after.checked_sub(1)?)?;
        (address.checked_add(bytes)? <= end).then_some(id)
    }

    /// Calls `f` for what one node of an expression mentions, its operands left aside.
    pub fn mentions(&self, pool: &ExprPool, expr: Expr, mut f: impl FnMut(Mention)) {
        match expr {
            Expr::Const(Const { sort, bits }) if sort != Sort::Bool => {
                self.at(bits, |object| f(Mention::Object(object)))
            }
            Expr::Binary(BinOp::BvAdd | BinOp::BvSub, a, b) => {
                let Sort::Bits(width) = pool.sort(a) else { return };
                if width < self.pointer_bits {
                    return;
                }
                for addend in [a, b].into_iter().filter_map(|operand| pool.as_const(operand)) {
                    if let Some(object) = self.subtracted(addend) {
                        f(Mention::Object(object));
                    }
                    if width == self.pointer_bits {
                        self.mentions_of_addend(addend.bits, &mut f);
                    }
                }
            }
            _ => {}
        }
    }

    /// If an addend is minus an address, the data object that it lies in or nearest to: `(p + 4) - a` adds `4 - a`.
    pub fn subtracted(&self, addend: Const) -> Option<ObjectId> {
        let Sort::Bits(width) = addend.sort else { return None };
        let address = addend.bits.wrapping_neg() & eval::mask(width);
        if width < self.pointer_bits || !self.data.contains(&address) || self.data.contains(&addend.bits) {
            return None;
        }
        self.nearest(u64::try_from(address).ok()?)
    }

    /// The object that an address lies in or nearest to.
    pub fn nearest(&self, address: u64) -> Option<ObjectId> {
        let after = self.ranges.partition_point(|(start, _, _)| *start <= address);
        let around = &self.ranges[after.saturating_sub(1)..self.ranges.len().min(after + 1)];
        let distance =
            |(start, end, _): &&(u64, u64, ObjectId)| start.saturating_sub(address).max(address.saturating_sub(*end));
        around.iter().min_by_key(distance).map(|(_, _, id)| *id)
    }

    /// Does a constant lie among the data objects, if perhaps in none of them?
    pub fn is_among_data(&self, value: Const) -> bool {
        self.data.contains(&value.bits)
    }

    fn mentions_of_addend(&self, value: u128, f: &mut impl FnMut(Mention)) {
        let mut is_address = false;
        self.at(value, |_| is_address = true);
        if is_address {
            return;
        }
        if self.data.contains(&value) {
            return f(Mention::Any);
        }
        // As a distance, it may count up or down.
        let down = (1u128 << self.pointer_bits).wrapping_sub(value);
        let Ok(distance) = u64::try_from(value.min(down)) else { return };
        if distance < self.least_distance / 2 || u128::from(distance) > *self.data.end() {
            return;
        }
        for (start, end, _) in &self.ranges {
            let up = (start.saturating_add(distance), end.saturating_add(distance));
            self.overlapping(up.0, up.1, &mut |object| f(Mention::Object(object)));
            if let Some(high) = end.checked_sub(distance) {
                self.overlapping(start.saturating_sub(distance), high, &mut |object| f(Mention::Object(object)));
            }
        }
    }

    /// Calls `f` for all that expressions mention.
    pub fn mentioned(&self, pool: &ExprPool, roots: &[ExprId], mut f: impl FnMut(Mention)) {
        pool.for_each_node(roots, |_, expr| self.mentions(pool, expr, &mut f));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_testing::*;

    #[test]
    fn an_address_is_recognised_after_folding() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("a", 0x10000000, 40, None, true);
        b.object("s", 0x10100000, 10, None, true);
        b.object("d", 0x10200000, 10, None, true);
        let i = b.local(main, "i", 64);
        let vi = b.get(i);
        let mut sum = |k: u128| {
            let k = b.num(64, k);
            b.bin(BinOp::BvAdd, vi, k)
        };
        let exprs = [
            sum(0x10000004),
            sum(0x10000000 - 36),
            sum(0x100002),
            sum(0u128.wrapping_sub(0x100003)),
            sum(1000),
            sum(0u128.wrapping_sub(0x100ffffc)),
        ];
        let program = b.finish();
        let addresses = Addresses::new(&program.objects, 64);
        let mentions = exprs.map(|expr| {
            let mut found = Vec::new();
            addresses.mentioned(&program.pool, &[expr], |mention| found.push(mention));
            found.dedup();
            found
        });
        let object = |i| Mention::Object(ObjectId(i));
        assert_eq!(mentions[0], [object(0)]);
        assert_eq!(mentions[1], [Mention::Any]);
        assert_eq!(mentions[4], []);
        for distance in [2, 3] {
            assert!(mentions[distance].contains(&object(1)), "{mentions:?}");
        }
        assert_eq!(mentions[5], [object(1)]);
    }
}
