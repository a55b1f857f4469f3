//! From bit-vectors to integers, exactly.
//!
//! The integer of a bit-vector expression of n bits is any that equals its value modulo 2^n: sums, products and the like are computed without a
//! thought of wrapping. Where the value itself matters (comparisons, extensions, divisions, shifts to the right), the integer is brought into the range of
//! signed or unsigned values: not at all if its range says that it is there already, by a choice if it can be off by one or two
//! multiples of 2^n, by a remainder otherwise.
//!
//! An expression that integers cannot compute (`x & y`, memory, floats) becomes a leaf of its own, of which only its range is known. So the
//! translation follows from the formula, and means the same if it has no such leaves.

use super::ranges::{Range, View};
use super::terms::{Term, TermId, Terms};
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, UnOp, eval};
use rustc_hash::FxHashMap;

/// A leaf has so many bits at most.
const WIDEST_LEAF: u8 = 64;
/// A comparison is made of so many of parts of its sides at most.
const MOST_CASES: usize = 16;
const DEEPEST_CASES: u32 = 10;
/// A mask is taken apart into so many runs of ones at most.
const MOST_RUNS: usize = 8;

pub struct Translation<'a> {
    pool: &'a ExprPool,
    pub terms: Terms,
    views: FxHashMap<ExprId, View>,
    /// `None`: it is neither an integer nor a truth value.
    known: FxHashMap<ExprId, Option<TermId>>,
}

/// Prepares the translation of some formulas.
pub fn translation<'a>(pool: &'a ExprPool, formulas: &[ExprId]) -> Translation<'a> {
    Translation { pool, terms: Terms::default(), views: views(pool, formulas), known: FxHashMap::default() }
}

/// How leaves are read: as most operations want what is computed from them. Those that are added or compared are read alike.
fn views(pool: &ExprPool, formulas: &[ExprId]) -> FxHashMap<ExprId, View> {
    let mut leader: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    fn find(leader: &mut FxHashMap<ExprId, ExprId>, mut id: ExprId) -> ExprId {
        while let Some(&next) = leader.get(&id) {
            if let Some(&after) = leader.get(&next) {
                leader.insert(id, after);
            }
            id = next;
        }
        id
    }
    let mut wishes: Vec<(ExprId, View)> = Vec::new();
    let mut all = Vec::new();
    pool.for_each_node(formulas, |id, expr| {
        all.push(id);
        let mut alike = |a: ExprId, b: ExprId| {
            if pool.as_const(a).is_none() && pool.as_const(b).is_none() {
                let (a, b) = (find(&mut leader, a), find(&mut leader, b));
                if a != b {
                    leader.insert(a, b);
                }
            }
        };
        match expr {
            Expr::Unary(UnOp::BvNeg | UnOp::BvNot, a) => alike(id, a),
            Expr::Binary(BinOp::BvAdd | BinOp::BvSub | BinOp::BvMul, a, b) | Expr::Ite(_, a, b) => {
                alike(id, a);
                alike(id, b);
            }
            Expr::Binary(BinOp::Eq, a, b) => alike(a, b),
            Expr::Binary(op, a, b) => {
                use BinOp::*;
                let view = match op {
                    SLt | SLe | BvSDiv | BvSRem | AShr | SAddOverflows | SSubOverflows | SMulOverflows => View::Signed,
                    _ => View::Unsigned,
                };
                wishes.extend([(a, view), (b, view)]);
            }
            Expr::SignExt { arg, .. } => wishes.push((arg, View::Signed)),
            Expr::ZeroExt { arg, .. } => wishes.push((arg, View::Unsigned)),
            _ => {}
        }
    });
    let mut votes: FxHashMap<ExprId, i32> = FxHashMap::default();
    for (id, view) in wishes {
        *votes.entry(find(&mut leader, id)).or_default() += if view == View::Signed { 1 } else { -1 };
    }
    let view = |id: ExprId, leader: &mut FxHashMap<ExprId, ExprId>| match votes.get(&find(leader, id)) {
        Some(..0) => View::Unsigned,
        _ => View::Signed,
    };
    all.into_iter().map(|id| (id, view(id, &mut leader))).collect()
}

impl Translation<'_> {
    /// The term of a Bool expression.
    pub fn formula(&mut self, root: ExprId) -> TermId {
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if self.known.contains_key(&id) {
                open.pop();
                continue;
            }
            let before = open.len();
            self.pool.get(id).for_each_operand(|operand| {
                if !self.known.contains_key(&operand) {
                    open.push(operand);
                }
            });
            if open.len() == before {
                let term = self.node(id).or_else(|| self.leaf(id));
                self.known.insert(id, term);
                open.pop();
            }
        }
        // A Bool expression always has a term: it can be a leaf.
        self.known[&root].unwrap_or_else(|| self.terms.holds(root))
    }

    /// An expression as a whole.
    fn leaf(&mut self, id: ExprId) -> Option<TermId> {
        match self.pool.sort(id) {
            Sort::Bool => Some(self.terms.holds(id)),
            Sort::Bits(width @ ..=WIDEST_LEAF) => {
                let view = self.views.get(&id).copied().unwrap_or(View::Signed);
                Some(self.terms.value(id, width, view))
            }
            _ => None,
        }
    }

    fn of(&self, id: ExprId) -> Option<TermId> {
        self.known.get(&id).copied().flatten()
    }

    fn width(&self, id: ExprId) -> u8 {
        self.pool.sort(id).bits().unwrap_or(1)
    }

    /// The value of a bit-vector expression.
    fn read(&mut self, id: ExprId, view: View) -> Option<TermId> {
        let (term, width) = (self.of(id)?, self.width(id));
        wrap(&mut self.terms, term, width, view)
    }

    fn constant(&self, id: ExprId) -> Option<u128> {
        self.pool.as_const(id).map(|c| c.bits)
    }

    fn node(&mut self, id: ExprId) -> Option<TermId> {
        match self.pool.get(id) {
            Expr::Const(c) => match c.sort {
                Sort::Bool => Some(self.terms.truth(c.bits != 0)),
                Sort::Bits(width) => Some(self.terms.number(eval::to_signed(width, c.bits))),
                _ => None,
            },
            Expr::Unary(UnOp::Not, a) => {
                let a = self.of(a)?;
                Some(self.terms.not(a))
            }
            Expr::Unary(UnOp::BvNeg, a) => {
                let a = self.of(a)?;
                self.terms.scale(a, -1)
            }
            Expr::Unary(UnOp::BvNot, a) => {
                let a = self.of(a)?;
                let negated = self.terms.scale(a, -1)?;
                self.terms.shift(negated, -1)
            }
            Expr::Binary(op, a, b) => self.binary(op, a, b),
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (self.of(c)?, self.of(a)?, self.of(b)?);
                Some(self.terms.ite(c, a, b))
            }
            // The high bits are only dropped: they do not matter to an integer modulo a smaller power.
            Expr::Extract { low, arg, .. } => {
                let arg = self.of(arg)?;
                self.terms.div(arg, power(low)?)
            }
            Expr::ZeroExt { arg, .. } => self.read(arg, View::Unsigned),
            Expr::SignExt { arg, .. } => self.read(arg, View::Signed),
            _ => None,
        }
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<TermId> {
        use BinOp::*;
        let width = self.width(a);
        match op {
            And | Or | Xor => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                Some(match op {
                    And => self.terms.and(a, b),
                    Or => self.terms.or(a, b),
                    _ => {
                        let same = self.terms.iff(a, b);
                        self.terms.not(same)
                    }
                })
            }
            Eq => match self.pool.sort(a) {
                Sort::Bool => {
                    let (a, b) = (self.of(a)?, self.of(b)?);
                    Some(self.terms.iff(a, b))
                }
                Sort::Bits(_) => self.equal(a, b),
                _ => None,
            },
            BvAdd | BvSub | BvMul => {
                let (x, y) = (self.of(a)?, self.of(b)?);
                match self.ring(op, x, y) {
                    Some(result) => Some(result),
                    // Too large: the operands themselves are not.
                    None => {
                        let (x, y) = (self.read(a, View::Signed)?, self.read(b, View::Signed)?);
                        self.ring(op, x, y)
                    }
                }
            }
            ULt | ULe | SLt | SLe => {
                let view = if matches!(op, ULt | ULe) { View::Unsigned } else { View::Signed };
                let (x, y) = (self.read(a, view)?, self.read(b, view)?);
                let compare = if matches!(op, ULt | SLt) { Terms::lt } else { Terms::le };
                Some(by_cases(&mut self.terms, compare, x, y))
            }
            Concat => {
                let (high, low) = (self.of(a)?, self.read(b, View::Unsigned)?);
                let high = self.terms.scale(high, power(self.width(b))?)?;
                self.terms.add(high, low)
            }
            Shl | LShr | AShr => self.shift(op, a, b, width),
            BvUDiv | BvURem | BvSDiv | BvSRem => self.divide(op, a, b),
            BvAnd | BvOr | BvXor => self.bitwise(op, a, b),
            SAddOverflows | SSubOverflows | SMulOverflows | UMulOverflows => {
                let view = if op == UMulOverflows { View::Unsigned } else { View::Signed };
                let (x, y) = (self.read(a, view)?, self.read(b, view)?);
                let exact = match op {
                    SAddOverflows => self.ring(BvAdd, x, y)?,
                    SSubOverflows => self.ring(BvSub, x, y)?,
                    _ => self.ring(BvMul, x, y)?,
                };
                let fits = Range::of_bits(width, view);
                let (low, high) = (self.terms.number(fits.low), self.terms.number(fits.high));
                let (too_low, too_high) = (self.terms.lt(exact, low), self.terms.lt(high, exact));
                // Of the widest values the range is cut off.
                (width <= WIDEST_LEAF).then(|| self.terms.or(too_low, too_high))
            }
            _ => None,
        }
    }

    fn ring(&mut self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        match op {
            BinOp::BvAdd => self.terms.add(a, b),
            BinOp::BvSub => {
                let b = self.terms.scale(b, -1)?;
                self.terms.add(a, b)
            }
            _ => self.terms.mul(a, b),
        }
    }

    /// Equal modulo 2^n: both are read alike, in the way that is already there for more of them.
    fn equal(&mut self, a: ExprId, b: ExprId) -> Option<TermId> {
        let width = self.width(a);
        let fitting = |terms: &Terms, view: View, id: Option<TermId>| {
            id.is_some_and(|id| terms.range(id).is_within(Range::of_bits(width, view)))
        };
        let score = |view| [a, b].iter().filter(|x| fitting(&self.terms, view, self.of(**x))).count();
        let view = if score(View::Unsigned) > score(View::Signed) { View::Unsigned } else { View::Signed };
        let (x, y) = (self.read(a, view)?, self.read(b, view)?);
        Some(by_cases(&mut self.terms, Terms::eq, x, y))
    }

    fn shift(&mut self, op: BinOp, a: ExprId, by: ExprId, width: u8) -> Option<TermId> {
        let by = self.constant(by)?.min(u128::from(width)) as u8;
        match op {
            BinOp::Shl if by == width => Some(self.terms.number(0)),
            BinOp::Shl => {
                let value = self.of(a)?;
                self.terms.scale(value, power(by)?).or_else(|| {
                    let value = self.read(a, View::Signed)?;
                    self.terms.scale(value, power(by)?)
                })
            }
            BinOp::LShr => {
                let value = self.read(a, View::Unsigned)?;
                self.terms.div(value, power(by)?)
            }
            _ => {
                let value = self.read(a, View::Signed)?;
                self.terms.div(value, power(by)?)
            }
        }
    }

    /// By a constant.
    fn divide(&mut self, op: BinOp, a: ExprId, by: ExprId) -> Option<TermId> {
        let (width, constant) = (self.width(a), self.constant(by)?);
        if matches!(op, BinOp::BvUDiv | BinOp::BvURem) {
            let value = self.read(a, View::Unsigned)?;
            let by = i128::try_from(constant).ok()?;
            return match op {
                BinOp::BvUDiv if by == 0 => Some(self.terms.number(-1)),
                _ if by == 0 => Some(value),
                BinOp::BvUDiv => self.terms.div(value, by),
                _ => self.terms.rem(value, by),
            };
        }
        let value = self.read(a, View::Signed)?;
        let by = eval::to_signed(width, constant);
        let zero = self.terms.number(0);
        let is_positive = self.terms.le(zero, value);
        if by == 0 {
            let (one, minus_one) = (self.terms.number(1), self.terms.number(-1));
            return Some(if op == BinOp::BvSRem { value } else { self.terms.ite(is_positive, minus_one, one) });
        }
        // Toward zero.
        let size = by.checked_abs()?;
        let negated = self.terms.scale(value, -1)?;
        let (up, down) = match op {
            BinOp::BvSDiv => (self.terms.div(value, size)?, self.terms.div(negated, size)?),
            _ => (self.terms.rem(value, size)?, self.terms.rem(negated, size)?),
        };
        let down = self.terms.scale(down, -1)?;
        // Each side has its range where it is chosen.
        let all = self.terms.range(value);
        let known = match op {
            BinOp::BvSDiv => Range::new(-(all.low.checked_neg()?.max(0) / size), all.high.max(0) / size),
            _ => Range::new((1 - size).max(all.low.min(0)), (size - 1).min(all.high.max(0))),
        };
        let result = self.terms.ite_within(is_positive, up, down, Some(known));
        if op == BinOp::BvSDiv && by < 0 { self.terms.scale(result, -1) } else { Some(result) }
    }

    /// With a constant, or of values that are 0 or 1.
    fn bitwise(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<TermId> {
        let width = self.width(a);
        let (other, constant) = match (self.constant(a), self.constant(b)) {
            (_, Some(constant)) => (a, constant),
            (Some(constant), _) => (b, constant),
            _ => return self.bitwise_of_bits(op, a, b),
        };
        let value = self.of(other)?;
        let signed = |bits: u128| eval::to_signed(width, bits);
        match op {
            BinOp::BvAnd => self.masked(value, width, constant),
            // What is not in the mask, and the mask.
            BinOp::BvOr => {
                let rest = self.masked(value, width, !constant & eval::mask(width))?;
                self.terms.shift(rest, signed(constant))
            }
            _ => {
                let rest = self.masked(value, width, !constant & eval::mask(width))?;
                let within = self.masked(value, width, constant)?;
                let within = self.terms.scale(within, -1)?;
                let flipped = self.terms.shift(within, signed(constant))?;
                self.terms.add(rest, flipped)
            }
        }
    }

    fn bitwise_of_bits(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<TermId> {
        let (a, b) = (self.read(a, View::Unsigned)?, self.read(b, View::Unsigned)?);
        let bit = Range::new(0, 1);
        if !self.terms.range(a).is_within(bit) || !self.terms.range(b).is_within(bit) {
            return None;
        }
        let (zero, one) = (self.terms.number(0), self.terms.number(1));
        let is_zero = self.terms.eq(a, zero);
        Some(match op {
            BinOp::BvAnd => self.terms.ite(is_zero, zero, b),
            BinOp::BvOr => self.terms.ite(is_zero, b, one),
            _ => {
                let same = self.terms.eq(a, b);
                self.terms.ite(same, zero, one)
            }
        })
    }

    /// The bits of a mask: each run of ones by itself. The last one may go up to the top, where bits need not be cut off.
    fn masked(&mut self, value: TermId, width: u8, mask: u128) -> Option<TermId> {
        let mut sum = self.terms.number(0);
        let (mut low, mut runs) = (0, 0);
        while low < u32::from(width) {
            if mask >> low & 1 == 0 {
                low += 1;
                continue;
            }
            let length = (mask >> low).trailing_ones();
            runs += 1;
            if runs > MOST_RUNS {
                return None;
            }
            let mut run = self.terms.div(value, power(low as u8)?)?;
            if low + length < u32::from(width) {
                run = self.terms.rem(run, power(length as u8)?)?;
            }
            run = self.terms.scale(run, power(low as u8)?)?;
            sum = self.terms.add(sum, run)?;
            low += length;
        }
        Some(sum)
    }
}

/// A comparison without choices in its sides, if there are few: `x = (c ? a : b)` is `c and x = a, or not c and x = b`. Choices among integers make Z3 look for
/// interpolants for ever.
fn by_cases(
    terms: &mut Terms,
    compare: impl Fn(&mut Terms, TermId, TermId) -> TermId,
    left: TermId,
    right: TermId,
) -> TermId {
    let cases = (cases(terms, left, DEEPEST_CASES), cases(terms, right, DEEPEST_CASES));
    let (Some(lefts), Some(rights)) = cases else { return compare(terms, left, right) };
    if lefts.len() * rights.len() > MOST_CASES {
        return compare(terms, left, right);
    }
    let mut any = terms.truth(false);
    for (if_left, left) in lefts {
        for (if_right, right) in &rights {
            let both = terms.and(if_left, *if_right);
            let holds = compare(terms, left, *right);
            let case = terms.and(both, holds);
            any = terms.or(any, case);
        }
    }
    any
}

/// What an integer can be, and when; `None` if that is too much.
fn cases(terms: &mut Terms, term: TermId, depth: u32) -> Option<Vec<(TermId, TermId)>> {
    let found = match terms.get(term) {
        // Deeper, a term is one case as it is.
        _ if depth == 0 => vec![(terms.truth(true), term)],
        Term::Ite(c, a, b) => {
            let not = terms.not(c);
            let mut all = Vec::new();
            for (guard, side) in [(c, a), (not, b)] {
                for (condition, value) in cases(terms, side, depth - 1)? {
                    all.push((terms.and(guard, condition), value));
                }
            }
            all
        }
        Term::Add(a, b) | Term::Mul(a, b) => {
            let (of_a, of_b) = (cases(terms, a, depth - 1)?, cases(terms, b, depth - 1)?);
            let is_sum = matches!(terms.get(term), Term::Add(..));
            let mut all = Vec::new();
            for (if_a, a) in of_a {
                for (if_b, b) in &of_b {
                    let value = if is_sum { terms.add(a, *b)? } else { terms.mul(a, *b)? };
                    all.push((terms.and(if_a, *if_b), value));
                }
            }
            all
        }
        _ => vec![(terms.truth(true), term)],
    };
    (found.len() <= MOST_CASES).then_some(found)
}

/// 2^n, if it fits with room to spare.
fn power(n: u8) -> Option<i128> {
    (n <= 125).then(|| 1 << n)
}

/// The value that an integer stands for modulo 2^n.
fn wrap(terms: &mut Terms, term: TermId, width: u8, view: View) -> Option<TermId> {
    let (range, wanted) = (terms.range(term), Range::of_bits(width, view));
    if range.is_within(wanted) {
        return Some(term);
    }
    let modulus = power(width)?;
    let off = |value: i128| value.checked_sub(wanted.low).map(|above| above.div_euclid(modulus));
    let (first, last) = (off(range.low)?, off(range.high)?);
    if last - first > 2 {
        let above = terms.shift(term, -wanted.low)?;
        let above = terms.rem(above, modulus)?;
        return terms.shift(above, wanted.low);
    }
    let mut result = terms.shift(term, last.checked_mul(-modulus)?)?;
    for multiple in (first..last).rev() {
        let highest = wanted.high.checked_add(multiple.checked_mul(modulus)?)?;
        let highest = terms.number(highest);
        let is_here = terms.le(term, highest);
        let shifted = terms.shift(term, multiple.checked_mul(-modulus)?)?;
        // Only the outermost choice leaves nothing out.
        result = match multiple == first {
            true => terms.ite_within(is_here, shifted, result, Some(wanted)),
            false => terms.ite(is_here, shifted, result),
        };
    }
    Some(result)
}
