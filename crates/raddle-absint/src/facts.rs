//! Abstract states as expressions: the facts of a location.
//!
//! Relations come first, since they are few and hard to find elsewhere; then bounds of variables, those of single parts last.

use crate::affine::{Affine, Equation};
use crate::evaluate::width;
use crate::flags::{Key, Parts};
use crate::packs::Pack;
use crate::state::{Relations, State};
use crate::value::{Value, signed_max, signed_min};
use crate::zones::{NONE, Zone};
use raddle_ir::eval::mask;
use raddle_ir::{BinOp, ExprId, ExprPool, Program, Sort, VarId};
use rustc_hash::FxHashSet;

/// A location has at most so many facts, relations among them at most so many.
pub const MOST_FACTS: usize = 60;
const MOST_RELATIONS: usize = 24;
/// The relations of so many packs are looked at.
const MOST_PACKS: usize = 24;
/// Equations relate at most so many variables.
const MOST_TERMS: usize = 4;

/// What facts are made of.
pub struct Writer<'a> {
    pub program: &'a Program,
    pub relations: &'a Relations,
    pub flags: &'a [VarId],
}

impl Writer<'_> {
    /// The facts of the states at a location, about variables that matter there.
    pub fn facts(
        &self,
        pool: &mut ExprPool,
        parts: &Parts,
        matters: &dyn Fn(VarId) -> bool,
        vars: &[VarId],
    ) -> Vec<ExprId> {
        let Some(all) = parts.values().cloned().reduce(|a, b| a.join(&b)) else { return vec![pool.bool(false)] };
        let mut facts = Vec::new();
        self.relations(pool, &all, matters, &mut facts);
        for var in vars {
            if facts.len() >= MOST_FACTS {
                break;
            }
            if let Some(value) = all.value(*var) {
                value_facts(pool, self.program, *var, value, &mut facts);
            }
        }
        if parts.len() > 1 && parts.keys().all(|key| self.is_told(key, matters)) {
            self.part_facts(pool, parts, &all, matters, vars, &mut facts);
        }
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        facts.retain(|fact| !pool.is_bool(*fact, true) && seen.insert(*fact));
        facts.truncate(MOST_FACTS);
        facts
    }

    /// Do all flags of a key matter?
    fn is_told(&self, key: &Key, matters: &dyn Fn(VarId) -> bool) -> bool {
        key.iter().zip(self.flags).all(|(value, flag)| value.is_none() || matters(*flag))
    }

    /// What holds in one part and not in all: where the flags have its values.
    fn part_facts(
        &self,
        pool: &mut ExprPool,
        parts: &Parts,
        all: &State,
        matters: &dyn Fn(VarId) -> bool,
        vars: &[VarId],
        facts: &mut Vec<ExprId>,
    ) {
        let mut any = pool.bool(false);
        for (key, state) in parts {
            let mut guard = pool.bool(true);
            for (value, flag) in key.iter().zip(self.flags) {
                if let Some(value) = value {
                    let sort = self.program.var(*flag).sort;
                    let (var, value) = (pool.var(*flag, sort), constant(pool, sort, *value));
                    let is = pool.eq(var, value);
                    guard = pool.and(guard, is);
                }
            }
            any = pool.or(any, guard);
            // A part without a guard may be any of the others.
            if key.iter().all(Option::is_none) || facts.len() >= MOST_FACTS {
                continue;
            }
            let mut own = Vec::new();
            self.relations(pool, state, matters, &mut own);
            let guards: Vec<VarId> =
                key.iter().zip(self.flags).filter_map(|(value, flag)| value.map(|_| *flag)).collect();
            for var in vars.iter().filter(|var| !guards.contains(var)) {
                match state.value(*var) {
                    Some(value) if all.value(*var) != Some(value) => {
                        value_facts(pool, self.program, *var, value, &mut own);
                    }
                    _ => {}
                }
            }
            // Another part of the same guard has a say if some of its flags are open.
            if self.is_ambiguous(key, parts) {
                continue;
            }
            let not = pool.not(guard);
            own.truncate(MOST_FACTS / 2);
            facts.extend(own.into_iter().map(|fact| pool.or(not, fact)));
        }
        facts.insert(0, any);
    }

    /// May a state of another part have the flags of this one?
    fn is_ambiguous(&self, key: &Key, parts: &Parts) -> bool {
        let meets = |other: &Key, state: &State| {
            key.iter().zip(other).zip(self.flags).all(|((a, b), flag)| match (a, b) {
                (Some(a), Some(b)) => a == b,
                (Some(a), None) => state.value(*flag).is_none_or(|value| value.contains(*a)),
                (None, _) => true,
            })
        };
        parts.iter().any(|(other, state)| other != key && meets(other, state))
    }

    fn relations(&self, pool: &mut ExprPool, state: &State, matters: &dyn Fn(VarId) -> bool, facts: &mut Vec<ExprId>) {
        let mut packs = 0;
        state.affine().for_each(&mut |id, affine| {
            let pack = &self.relations.affine.packs[id as usize];
            let live = live_of(pack, matters);
            if live.count_ones() > 1 {
                facts.extend(affine_facts(pool, pack, affine, live));
                packs += 1;
            }
            packs < MOST_PACKS && facts.len() < MOST_RELATIONS
        });
        packs = 0;
        state.zones().for_each(&mut |id, zone| {
            let pack = &self.relations.zones.packs[id as usize];
            let live = live_of(pack, matters);
            if live.count_ones() > 1 {
                facts.extend(zone_facts(pool, pack, zone, live));
                packs += 1;
            }
            packs < MOST_PACKS && facts.len() < MOST_RELATIONS
        });
        facts.truncate(MOST_RELATIONS);
    }
}

/// One bit for each variable of a pack that matters.
fn live_of(pack: &Pack, matters: &dyn Fn(VarId) -> bool) -> u32 {
    (0..).zip(&pack.vars).filter(|(_, var)| matters(**var)).fold(0, |bits, (slot, _)| bits | 1 << slot)
}

fn affine_facts(pool: &mut ExprPool, pack: &Pack, affine: &Affine, live: u32) -> Vec<ExprId> {
    let mut affine = affine.clone();
    for slot in (0..pack.vars.len()).filter(|slot| live >> slot & 1 == 0) {
        affine.forget(slot);
    }
    let short = |equation: &Equation| {
        let terms = equation.coefficients.iter().filter(|factor| **factor != 0).count();
        (2..=MOST_TERMS).contains(&terms)
    };
    affine.equations().into_iter().filter(short).map(|equation| equation_fact(pool, pack, &equation)).collect()
}

fn zone_facts(pool: &mut ExprPool, pack: &Pack, zone: &Zone, live: u32) -> Vec<ExprId> {
    let ranges: Vec<(i128, i128)> = (0..zone.variables()).map(|slot| range_in(pack, zone, slot)).collect();
    let mut facts = Vec::new();
    let slots = || (0..zone.variables()).filter(|slot| live >> slot & 1 == 1);
    for (i, j) in slots().flat_map(|i| slots().map(move |j| (i, j))).filter(|(i, j)| i != j) {
        let most = zone.most(i + 1, j + 1);
        if most < NONE && most < ranges[i].1 - ranges[j].0 {
            facts.extend(difference_fact(pool, pack, (pack.vars[i], pack.vars[j]), most, ranges[j]));
        }
    }
    facts
}

/// What a zone says about one variable: at least that its word has its width.
fn range_in(pack: &Pack, zone: &Zone, slot: usize) -> (i128, i128) {
    let (least, greatest) = word_range(pack);
    let (low, high) = (zone.most(0, slot + 1), zone.most(slot + 1, 0));
    (if low >= NONE { least } else { least.max(-low) }, greatest.min(high))
}

fn word_range(pack: &Pack) -> (i128, i128) {
    if pack.signed { (signed_min(pack.width), signed_max(pack.width)) } else { (0, mask(pack.width) as i128) }
}

fn constant(pool: &mut ExprPool, sort: Sort, bits: u128) -> ExprId {
    if sort == Sort::Bool { pool.bool(bits != 0) } else { pool.bits(width(sort).unwrap_or(1), bits) }
}

/// What an abstract value says about a variable.
pub fn value_facts(pool: &mut ExprPool, program: &Program, var: VarId, value: &Value, facts: &mut Vec<ExprId>) {
    let sort = program.var(var).sort;
    let Some(bits) = width(sort).filter(|bits| *bits == value.width) else { return };
    let x = pool.var(var, sort);
    if let Some(only) = value.as_constant() {
        let only = constant(pool, sort, only);
        facts.push(pool.eq(x, only));
        return;
    }
    if sort == Sort::Bool {
        return;
    }
    let mut bound = |op, low: Option<u128>, high: Option<u128>| {
        if let Some(low) = low {
            let low = pool.bits(bits, low);
            facts.push(pool.binary(op, low, x));
        }
        if let Some(high) = high {
            let high = pool.bits(bits, high);
            facts.push(pool.binary(op, x, high));
        }
    };
    // What the congruence says already is no bound.
    let any = Value { modulus: value.modulus, rest: value.rest, set: None, ..Value::top(bits) };
    let any = any.reduced().unwrap_or_else(|| Value::top(bits));
    let signed_low = (value.signed_low > any.signed_low).then_some(value.signed_low as u128);
    let signed_high = (value.signed_high < any.signed_high).then_some(value.signed_high as u128);
    bound(BinOp::SLe, signed_low, signed_high);
    // Within one half of the words the unsigned bounds say the same.
    if value.signed_low < 0 && value.signed_high >= 0 {
        bound(BinOp::ULe, (value.low > any.low).then_some(value.low), (value.high < any.high).then_some(value.high));
    }
    let dense = |set: &Vec<u128>| value.high - value.low == set.len() as u128 - 1;
    if let Some(set) = value.set.as_ref().filter(|set| !dense(set)) {
        let mut any = pool.bool(false);
        for element in set {
            let element = pool.bits(bits, *element);
            let is = pool.eq(x, element);
            any = pool.or(any, is);
        }
        facts.push(any);
    }
    if value.modulus > 1 {
        let rest = pool.bits(bits, value.rest);
        let of = if value.modulus.is_power_of_two() {
            let low = pool.bits(bits, value.modulus - 1);
            pool.binary(BinOp::BvAnd, x, low)
        } else {
            let modulus = pool.bits(bits, value.modulus);
            pool.binary(BinOp::BvURem, x, modulus)
        };
        facts.push(pool.eq(of, rest));
    }
}

/// An equation with its negative terms on the other side.
fn equation_fact(pool: &mut ExprPool, pack: &Pack, equation: &Equation) -> ExprId {
    let negative = |factor: u64| u128::from(factor) > mask(pack.width) / 2;
    let factors = || equation.coefficients.iter().filter(|factor| **factor != 0);
    let flip = factors().filter(|factor| negative(**factor)).count() * 2 > factors().count();
    let sign = |number: u64| if flip { number.wrapping_neg() & mask(pack.width) as u64 } else { number };
    let mut sides = [pool.bits(pack.width, 0), pool.bits(pack.width, sign(equation.constant).into())];
    for (var, factor) in pack.vars.iter().zip(&equation.coefficients).filter(|(_, factor)| **factor != 0) {
        let factor = sign(*factor);
        let (side, factor) = if negative(factor) { (1, factor.wrapping_neg()) } else { (0, factor) };
        let (x, factor) = (pool.var(*var, Sort::Bits(pack.width)), pool.bits(pack.width, factor.into()));
        let term = pool.binary(BinOp::BvMul, x, factor);
        sides[side] = pool.binary(BinOp::BvAdd, sides[side], term);
    }
    pool.eq(sides[0], sides[1])
}

/// `x - y <= most`, of numbers that the words stand for; `y` is from `low` to `high`.
fn difference_fact(
    pool: &mut ExprPool,
    pack: &Pack,
    (x, y): (VarId, VarId),
    most: i128,
    (low, high): (i128, i128),
) -> Option<ExprId> {
    let (bits, sort) = (pack.width, Sort::Bits(pack.width));
    let (at_most, below) = if pack.signed { (BinOp::SLe, BinOp::SLt) } else { (BinOp::ULe, BinOp::ULt) };
    let (left, right) = (pool.var(x, sort), pool.var(y, sort));
    match most {
        0 => return Some(pool.binary(at_most, left, right)),
        -1 => return Some(pool.binary(below, left, right)),
        _ => {}
    }
    let (least, greatest) = word_range(pack);
    if low + most >= least && high + most <= greatest {
        // The sum does not wrap, given the bounds of y.
        let constant = pool.bits(bits, most as u128);
        let sum = pool.binary(BinOp::BvAdd, right, constant);
        return Some(pool.binary(at_most, left, sum));
    }
    // Large differences are corners of the ranges rather than relations.
    if most.unsigned_abs() > mask(bits) / 8 {
        return None;
    }
    let wide = bits + 2;
    let (left, right) = if pack.signed {
        (pool.sign_ext(wide, left), pool.sign_ext(wide, right))
    } else {
        (pool.zero_ext(wide, left), pool.zero_ext(wide, right))
    };
    let constant = pool.bits(wide, most as u128);
    let sum = pool.binary(BinOp::BvAdd, right, constant);
    Some(pool.binary(BinOp::SLe, left, sum))
}
