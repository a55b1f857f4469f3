//! Abstract states: what is known of the variables, each by itself and in packs. What is absent is not known.

use crate::affine::{Affine, Equation};
use crate::linear::Linear;
use crate::packs::{Pack, Packs};
use crate::trie::Trie;
use crate::value::{Value, signed_max, signed_min};
use crate::zones::{NONE, Zone};
use raddle_ir::VarId;
use raddle_ir::eval::{mask, to_signed};

#[derive(Clone, Default, Debug)]
pub struct State {
    values: Trie<Value>,
    affine: Trie<Affine>,
    zones: Trie<Zone>,
}

/// A variable of a sum, its factor, and the range of the rest of the sum.
type Term = (VarId, i128, (i128, i128));

/// Which variables are related to each other.
pub struct Relations {
    pub affine: Packs,
    pub zones: Packs,
}

impl State {
    pub fn value(&self, var: VarId) -> Option<&Value> {
        self.values.get(var.0)
    }

    pub fn affine(&self) -> &Trie<Affine> {
        &self.affine
    }

    pub fn zones(&self) -> &Trie<Zone> {
        &self.zones
    }

    /// `var :=` a value that is given by itself and, where it is a sum, by what it is the sum of.
    pub fn assign(&mut self, relations: &Relations, var: VarId, value: Option<Value>, sum: Option<&Linear>) {
        let value = value.filter(|value| !value.is_top());
        let constant = value.as_ref().and_then(Value::as_constant).map(|constant| Linear { terms: vec![], constant });
        let sum = sum.or(constant.as_ref());
        if let Some((id, slot)) = relations.affine.of(var) {
            self.assign_affine(relations, id, slot, sum);
        }
        if let Some((id, slot)) = relations.zones.of(var) {
            self.assign_zone(relations, id, slot, var, sum, value.as_ref());
        }
        match value {
            Some(value) => self.values.insert(var.0, value),
            None => self.values.remove(var.0),
        }
    }

    fn assign_affine(&mut self, relations: &Relations, id: u32, slot: usize, sum: Option<&Linear>) {
        let pack = &relations.affine.packs[id as usize];
        let equation = sum.and_then(|sum| self.equation(relations, id, sum));
        let mut affine = match (self.affine.get(id), &equation) {
            (None, None) => return,
            (Some(affine), _) => affine.clone(),
            (None, Some(_)) => Affine::top(pack.width, pack.vars.len()),
        };
        match equation {
            Some(equation) => affine.assign(slot, &equation.coefficients, equation.constant),
            None => affine.forget(slot),
        }
        if affine.is_top() {
            self.affine.remove(id);
        } else {
            self.affine.insert(id, affine);
        }
    }

    /// A sum over the variables of one pack. Others have to be constants.
    fn equation(&self, relations: &Relations, id: u32, sum: &Linear) -> Option<Equation> {
        let pack = &relations.affine.packs[id as usize];
        let mut equation = Equation { coefficients: vec![0; pack.vars.len()], constant: sum.constant as u64 };
        for (var, factor) in &sum.terms {
            match relations.affine.of(*var) {
                Some((of, slot)) if of == id => equation.coefficients[slot] = *factor as u64,
                _ => {
                    let value = self.value(*var)?.as_constant()?;
                    equation.constant = equation.constant.wrapping_add((value as u64).wrapping_mul(*factor as u64));
                }
            }
        }
        Some(equation)
    }

    /// The zone of a pack: if there is none yet, that of the variables' bounds.
    fn zone(&self, relations: &Relations, id: u32) -> Zone {
        if let Some(zone) = self.zones.get(id) {
            return zone.clone();
        }
        let pack = &relations.zones.packs[id as usize];
        let mut zone = Zone::top(pack.vars.len());
        for (slot, var) in pack.vars.iter().enumerate() {
            // Ranges are not empty, and those of different variables do not contradict each other.
            let _ = bound(&mut zone, slot, self.range(*var, pack.width, pack.signed));
        }
        zone
    }

    /// The least and the greatest value of a variable as a pack reads it.
    pub fn range(&self, var: VarId, width: u8, signed: bool) -> (i128, i128) {
        range(self.value(var), width, signed)
    }

    /// The terms of a sum of numbers; `None` if the sum is not that of the words, because it may wrap.
    fn exact(&self, sum: &Linear, width: u8, signed: bool) -> Option<Vec<Term>> {
        let constant = to_signed(width, sum.constant);
        let (mut low, mut high) = (constant, constant);
        let mut terms = Vec::with_capacity(sum.terms.len());
        for (var, factor) in &sum.terms {
            let factor = to_signed(width, *factor);
            let (least, most) = self.range(*var, width, signed);
            let (x, y) = (least.checked_mul(factor)?, most.checked_mul(factor)?);
            terms.push((*var, factor, (x.min(y), x.max(y))));
            (low, high) = (low.checked_add(x.min(y))?, high.checked_add(x.max(y))?);
        }
        let (least, most) = if signed { (signed_min(width), signed_max(width)) } else { (0, mask(width) as i128) };
        if low < least || high > most {
            return None;
        }
        // What the others add to each term.
        let others = |(x, y): (i128, i128)| (low - x, high - y);
        Some(terms.into_iter().map(|(var, factor, range)| (var, factor, others(range))).collect())
    }

    fn assign_zone(
        &mut self,
        relations: &Relations,
        id: u32,
        slot: usize,
        var: VarId,
        sum: Option<&Linear>,
        value: Option<&Value>,
    ) {
        let pack = &relations.zones.packs[id as usize];
        let mut zone = self.zone(relations, id);
        let terms = sum.and_then(|sum| self.exact(sum, pack.width, pack.signed)).unwrap_or_default();
        let own = terms.iter().find(|(of, factor, _)| *of == var && *factor == 1);
        if let Some((_, _, (low, high))) = own {
            zone.shift(slot + 1, *low, *high);
        } else {
            zone.forget(slot + 1);
        }
        let mut possible = true;
        for (of, factor, (low, high)) in &terms {
            let Some((_, other)) = relations.zones.of(*of).filter(|(of, _)| *of == id) else { continue };
            if *factor == 1 && other != slot {
                possible &= zone.assume(slot + 1, other + 1, *high) && zone.assume(other + 1, slot + 1, -low);
            }
        }
        possible &= bound(&mut zone, slot, range(value, pack.width, pack.signed));
        if !possible {
            // A contradiction in an assignment can only come from a state that was empty already.
            self.zones.remove(id);
        } else {
            self.zones.insert(id, zone);
        }
    }

    /// Where a variable has one of some values, which are among those that it has here; `false` if nowhere.
    #[must_use]
    pub fn restrict(&mut self, relations: &Relations, var: VarId, value: Value) -> bool {
        if let Some((id, slot)) = relations.zones.of(var)
            && let Some(mut zone) = self.zones.get(id).cloned()
        {
            let pack = &relations.zones.packs[id as usize];
            if !bound(&mut zone, slot, range(Some(&value), pack.width, pack.signed)) || !self.tell_values(&zone, pack) {
                return false;
            }
            self.zones.insert(id, zone);
        }
        if let (Some((id, slot)), Some(constant)) = (relations.affine.of(var), value.as_constant()) {
            let pack = &relations.affine.packs[id as usize];
            let mut affine = self.affine.get(id).cloned().unwrap_or_else(|| Affine::top(pack.width, pack.vars.len()));
            let coefficients = (0..pack.vars.len()).map(|i| u64::from(i == slot)).collect();
            if !affine.assume(&Equation { coefficients, constant: constant as u64 }) {
                return false;
            }
            self.affine.insert(id, affine);
        }
        // The zone may have told more about this one.
        let value = match self.value(var) {
            Some(told) => told.meet(&value),
            None => Some(value),
        };
        match value {
            Some(value) if value.is_top() => true,
            Some(value) => {
                self.values.insert(var.0, value);
                true
            }
            None => false,
        }
    }

    /// Where a sum is zero; `false` if nowhere. Variables that become constants are told to the values.
    #[must_use]
    pub fn assume_zero(&mut self, relations: &Relations, sum: &Linear) -> bool {
        let packs = sum.terms.iter().filter_map(|(var, _)| relations.affine.of(*var));
        let Some((id, _)) = packs.into_iter().next() else { return true };
        let Some(mut equation) = self.equation(relations, id, sum) else { return true };
        let pack = &relations.affine.packs[id as usize];
        let mut affine = self.affine.get(id).cloned().unwrap_or_else(|| Affine::top(pack.width, pack.vars.len()));
        equation.constant = equation.constant.wrapping_neg();
        if pack.width < 64 {
            equation.constant &= (1 << pack.width) - 1;
        }
        if !affine.assume(&equation) {
            return false;
        }
        for (slot, var) in pack.vars.iter().enumerate() {
            let Some(constant) = affine.constant(slot) else { continue };
            let here = self.value(*var).cloned().unwrap_or_else(|| Value::top(pack.width));
            if here.as_constant().is_none() {
                let Some(value) = here.meet(&Value::constant(pack.width, constant.into())) else { return false };
                self.values.insert(var.0, value);
            }
        }
        self.affine.insert(id, affine);
        true
    }

    /// Is a sum zero everywhere?
    pub fn is_zero(&self, relations: &Relations, sum: &Linear) -> bool {
        let mut packs = sum.terms.iter().filter_map(|(var, _)| relations.affine.of(*var));
        let Some((id, _)) = packs.next() else { return sum.terms.is_empty() && sum.constant == 0 };
        let (Some(affine), Some(equation)) = (self.affine.get(id), self.equation(relations, id, sum)) else {
            return false;
        };
        affine.is_zero(&equation.coefficients, equation.constant)
    }

    /// Where `a <= b + offset` for sums that do not wrap, read as signed or unsigned; `false` if nowhere.
    #[must_use]
    pub fn assume_at_most(
        &mut self,
        relations: &Relations,
        (a, b): (&Linear, &Linear),
        width: u8,
        signed: bool,
        offset: i128,
    ) -> bool {
        let single = |sum: &Linear| match sum.terms[..] {
            [(var, 1)] => Some(var),
            _ => None,
        };
        let (Some(x), Some(y)) = (single(a), single(b)) else { return true };
        let (Some((id, i)), Some((of, j))) = (relations.zones.of(x), relations.zones.of(y)) else { return true };
        let pack = &relations.zones.packs[id as usize];
        if id != of || x == y {
            return true;
        }
        // The comparison reads words as the pack does, or none of them has its highest bit set.
        let positive = |var| self.range(var, width, true).0 >= 0;
        let alike = pack.signed == signed || (positive(x) && positive(y));
        if !alike || self.exact(a, width, signed).is_none() || self.exact(b, width, signed).is_none() {
            return true;
        }
        if pack.signed != signed && (a.constant != 0 || b.constant != 0) {
            return true;
        }
        let most = to_signed(width, b.constant) - to_signed(width, a.constant) + offset;
        let mut zone = self.zone(relations, id);
        if !zone.assume(i + 1, j + 1, most) {
            return false;
        }
        let possible = self.tell_values(&zone, pack);
        self.zones.insert(id, zone);
        possible
    }

    /// Takes the bounds that a zone implies over to the values; `false` if one has none left.
    fn tell_values(&mut self, zone: &Zone, pack: &Pack) -> bool {
        for (slot, var) in pack.vars.iter().enumerate() {
            let (high, low) = (zone.most(slot + 1, 0), zone.most(0, slot + 1));
            let (least, greatest) = self.range(*var, pack.width, pack.signed);
            if high >= greatest && low >= -least {
                continue;
            }
            let (low, high) = (if low >= NONE { least } else { least.max(-low) }, greatest.min(high));
            if low > high {
                return false;
            }
            let bounds = if pack.signed {
                Value::signed(pack.width, low, high)
            } else {
                Value::unsigned(pack.width, low as u128, high as u128)
            };
            let here = self.value(*var).cloned().unwrap_or_else(|| Value::top(pack.width));
            match bounds.and_then(|bounds| here.meet(&bounds)) {
                Some(value) if value.is_top() => {}
                Some(value) => self.values.insert(var.0, value),
                None => return false,
            }
        }
        true
    }

    pub fn join(&self, other: &State) -> State {
        State {
            values: self.values.join(&other.values, &mut |_, a, b| Some(a.join(b)).filter(|value| !value.is_top())),
            affine: self.affine.join(&other.affine, &mut |_, a, b| Some(a.join(b)).filter(|affine| !affine.is_top())),
            zones: self.zones.join(&other.zones, &mut |_, a, b| Some(a.join(b)).filter(|zone| !zone.is_top())),
        }
    }

    /// An upper bound of both, where `other` is the later one. What still changes in the last round is given up.
    pub fn widen(&self, other: &State, pace: &Pace) -> State {
        let value = &mut |key: u32, a: &Value, b: &Value| {
            if b.is_within(a) {
                return Some(a.clone());
            }
            let small = pace.is_flag(VarId(key)) && a.join(b).set.is_some();
            let wide = match pace.last {
                _ if small => a.join(b),
                true => return None,
                false => a.widen(b, pace.thresholds(VarId(key), a.width)),
            };
            (!wide.is_top()).then_some(wide)
        };
        let affine = &mut |_: u32, a: &Affine, b: &Affine| {
            let joined = a.join(b);
            let wide = if pace.late && &joined != a { joined.widened() } else { joined };
            (!wide.is_top()).then_some(wide)
        };
        let zone = &mut |_: u32, a: &Zone, b: &Zone| {
            if b.is_within(a) {
                return Some(a.clone());
            }
            (!pace.last).then(|| a.widen(&a.join(b))).filter(|zone| !zone.is_top())
        };
        State {
            values: self.values.join(&other.values, value),
            affine: self.affine.join(&other.affine, affine),
            zones: self.zones.join(&other.zones, zone),
        }
    }

    pub fn is_within(&self, other: &State) -> bool {
        self.values.is_within(&other.values, &mut |_, a, b| a.is_within(b))
            && self.affine.is_within(&other.affine, &mut |_, a, b| a.is_within(b))
            && self.zones.is_within(&other.zones, &mut |_, a, b| a.is_within(b))
    }
}

/// The numbers that a value stands for; those of the width if nothing is known.
fn range(value: Option<&Value>, width: u8, signed: bool) -> (i128, i128) {
    match (value, signed) {
        (Some(value), true) => (value.signed_low, value.signed_high),
        (Some(value), false) => (value.low as i128, value.high as i128),
        (None, true) => (signed_min(width), signed_max(width)),
        (None, false) => (0, mask(width) as i128),
    }
}

fn bound(zone: &mut Zone, slot: usize, (low, high): (i128, i128)) -> bool {
    zone.assume(slot + 1, 0, high) && zone.assume(0, slot + 1, -low)
}

/// How a loop is widened in one round.
pub struct Pace<'a> {
    pub thresholds: &'a crate::thresholds::Thresholds,
    pub flags: &'a [VarId],
    /// Several rounds have not been enough.
    pub late: bool,
    /// What changes now goes.
    pub last: bool,
}

impl Pace<'_> {
    fn thresholds(&self, var: VarId, width: u8) -> &[u128] {
        if self.late { &[] } else { self.thresholds.of(var, width) }
    }

    fn is_flag(&self, var: VarId) -> bool {
        self.flags.contains(&var)
    }
}
