//! What memory holds before anything runs, for the places that formulas read.
//!
//! Static objects may have millions of bytes, so that nothing is stated of places that nobody looks at. What is not stated may be anything.

use super::{Memory, bytes_at};
use crate::instances::{Origin, Vars};
use raddle_analysis::alignment::Cut;
use raddle_ir::{Expr, ExprId, ExprPool, Sort, VarId};
use rustc_hash::FxHashSet;

/// More elements than these are not stated all at once.
const MOST_STORES: usize = 1000;

impl Memory {
    /// What the arrays of memory (or their first versions) hold at the places that formulas read, where `value` tells the place. Formulas
    /// that are `known` already are left out.
    pub fn initially(
        &self,
        pool: &mut ExprPool,
        vars: &Vars,
        formulas: &[ExprId],
        known: &mut FxHashSet<ExprId>,
        value: &mut dyn FnMut(&ExprPool, ExprId) -> Option<u128>,
    ) -> Vec<ExprId> {
        let mut facts = Vec::new();
        if self.classes.is_empty() {
            return facts;
        }
        let mut reads: Vec<(ExprId, ExprId)> = Vec::new();
        pool.for_each_node(formulas, |_, expr| {
            if let Expr::Select(array, index) = expr {
                reads.push((array, index));
            }
        });
        reads.sort_unstable();
        for (array, index) in reads {
            let Some(place) = value(pool, index) else { continue };
            for (expr, var) in arrays_below(pool, array) {
                let Some(class) = self.class_of(vars, var) else { continue };
                let Some(holds) = self.initial_element(class, place) else { continue };
                let index = pool.bits(self.pointer_bits, place);
                let read = pool.select(expr, index);
                let holds = pool.bits(self.classes[class as usize].element, holds);
                let fact = pool.eq(read, holds);
                if known.insert(fact) {
                    facts.push(fact);
                }
            }
        }
        facts
    }

    /// The class whose array before anything runs a variable is.
    fn class_of(&self, vars: &Vars, var: VarId) -> Option<u32> {
        let var = match vars.origin(var) {
            Origin::Version { var, number: 0 | u32::MAX } => var,
            _ => var,
        };
        match vars.origin(var) {
            Origin::Memory(class) => Some(class).filter(|class| (*class as usize) < self.classes.len()),
            _ => None,
        }
    }

    /// What an element is at first; `None` is any.
    pub(super) fn initial_element(&self, class: u32, place: u128) -> Option<u128> {
        let place = u64::try_from(place).ok()?;
        if let Some(behind) = place.checked_sub(self.elsewhere.start) {
            return (behind >= self.elsewhere.size).then_some(0);
        }
        if place >= self.regions.base {
            // The regions for zeroed objects are every second one.
            return ((place - self.regions.base) / self.regions.size.max(1) % 2 == 1).then_some(0);
        }
        let after = self.objects.partition_point(|object| object.address <= place);
        let object = self.objects[..after].iter().rev().find(|object| object.size > 0)?;
        let offset = place - object.address;
        let init = object.init.as_ref().filter(|_| offset < object.size)?;
        Some(bytes_at(init, offset, u64::from(self.classes[class as usize].element / 8)))
    }

    /// All that a class's array is at first, as an expression: a predicate that the array is still that speaks of all places at once. `None` if that
    /// would be too large.
    pub fn whole(&self, pool: &mut ExprPool, vars: &mut Vars, memory: VarId) -> Option<ExprId> {
        let class = &self.classes[self.class_of(vars, memory)? as usize];
        let mut result = if class.has_any {
            // The unknown part has a name that nothing writes.
            let unknown = vars.version(class.var, u32::MAX);
            pool.var(unknown, vars.sort(class.var))
        } else {
            let zero = pool.bits(class.element, 0);
            pool.const_array(self.pointer_bits, zero)
        };
        let mut stores = 0;
        for object in class.statics.iter().map(|i| &self.objects[*i]) {
            let Some(init) = &object.init else { continue };
            // Beyond what is given there are zeros.
            let end = if class.has_any { object.size } else { object.size.min(init.len() as u64) };
            for offset in 0..end {
                let place = u128::from(object.address + offset);
                let is_cut = |(modulus, residue, _): &Cut| place % modulus == *residue;
                if !class.is_bytes && !class.cuts.iter().any(is_cut) {
                    continue;
                }
                let holds = bytes_at(init, offset, u64::from(class.element / 8));
                if holds == 0 && !class.has_any {
                    continue;
                }
                stores += 1;
                if stores > MOST_STORES {
                    return None;
                }
                let (place, holds) = (pool.bits(self.pointer_bits, place), pool.bits(class.element, holds));
                result = pool.store(result, place, holds);
            }
        }
        debug_assert!(matches!(pool.sort(result), Sort::Array { .. }));
        Some(result)
    }
}

/// The variables that an array is made of by stores and choices.
fn arrays_below(pool: &ExprPool, array: ExprId) -> Vec<(ExprId, VarId)> {
    let (mut open, mut seen, mut result) = (vec![array], FxHashSet::default(), Vec::new());
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match pool.get(id) {
            Expr::Var(var) => result.push((id, var)),
            Expr::Store(below, _, _) => open.push(below),
            Expr::Ite(_, a, b) => open.extend([a, b]),
            _ => {}
        }
    }
    result
}
