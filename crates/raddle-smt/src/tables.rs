//! Tables: arrays that are constant everywhere, as memory is before anything is written to it. A chain of stores of constants at constant places on
//! a constant array is one.
//!
//! A read of a table needs no lemmas: it is a multiplexer over the bits of the index, a function of them like any other. With lemmas, a proof about
//! all elements would learn them one store at a time. The circuit is shared where parts of the table are equal, bit by bit, and bits
//! that no element has are constants for whatever uses the read.

use crate::aig::{Aig, Lit};
use crate::words::{self, Word};
use raddle_ir::{Expr, ExprId, ExprPool, Sort, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// With so many elements, the circuit asks whether to go on.
const MANY: usize = 1024;

/// The elements with a value of their own by place, in order, and what all others are.
#[derive(Clone)]
pub struct Table {
    elements: Vec<(u128, u128)>,
    default: u128,
    width: usize,
}

/// The arrays of which somebody asked whether they are tables.
#[derive(Default)]
pub struct Tables(FxHashMap<ExprId, Option<Rc<Table>>>);

impl Tables {
    /// The table that an array is; `bound` has the array variables that are other names.
    pub fn of(&mut self, pool: &ExprPool, bound: &FxHashMap<VarId, ExprId>, array: ExprId) -> Option<Rc<Table>> {
        if let Some(known) = self.0.get(&array) {
            return known.clone();
        }
        let table = self.collect(pool, bound, array).map(Rc::new);
        self.0.insert(array, table.clone());
        table
    }

    /// The table that an array is known to be.
    pub fn known(&self, array: ExprId) -> Option<&Table> {
        self.0.get(&array)?.as_deref()
    }

    fn collect(&self, pool: &ExprPool, bound: &FxHashMap<VarId, ExprId>, array: ExprId) -> Option<Table> {
        let constant = |expr: ExprId| pool.as_const(expr).map(|c| c.bits);
        let (mut stores, mut seen, mut at) = (Vec::new(), FxHashSet::default(), array);
        // The last store to a place counts.
        let mut table = loop {
            if let Some(known) = self.0.get(&at) {
                break (**known.as_ref()?).clone();
            }
            at = match pool.get(at) {
                Expr::Store(below, place, value) => {
                    let (place, value) = (constant(place)?, constant(value)?);
                    if seen.insert(place) {
                        stores.push((place, value));
                    }
                    below
                }
                Expr::Var(var) => *bound.get(&var)?,
                Expr::ConstArray { value, .. } => {
                    let Sort::Array { element, .. } = pool.sort(at) else { return None };
                    break Table { elements: Vec::new(), default: constant(value)?, width: element.into() };
                }
                _ => return None,
            };
        };
        table.elements.retain(|(place, _)| !seen.contains(place));
        table.elements.extend(stores);
        table.elements.sort_unstable();
        Some(table)
    }
}

impl Table {
    /// What it holds at a place.
    pub fn get(&self, place: u128) -> u128 {
        let found = self.elements.binary_search_by_key(&place, |(place, _)| *place);
        found.map_or(self.default, |i| self.elements[i].1)
    }

    pub fn element(&self, place: u128) -> Word {
        words::constant(self.width, self.get(place))
    }

    /// What it holds at an index.
    pub fn read(&self, aig: &mut Aig, index: &[Lit]) -> Word {
        self.choose(aig, &self.elements, index)
    }

    /// What some of its elements are at an index. Their places agree in all bits above those of the index that are given here.
    fn choose(&self, aig: &mut Aig, mut elements: &[(u128, u128)], mut index: &[Lit]) -> Word {
        let default = words::constant(self.width, self.default);
        // The bits that all of the places have.
        let mut here = Vec::new();
        while let Some((&bit, lower)) = index.split_last() {
            let ones = elements.partition_point(|(place, _)| place >> lower.len() & 1 == 0);
            let (low, high) = elements.split_at(ones);
            match () {
                () if bit.is(false) => elements = low,
                () if bit.is(true) => elements = high,
                () if high.is_empty() => here.push(!bit),
                () if low.is_empty() => here.push(bit),
                () => {
                    let low = self.choose(aig, low, lower);
                    let high = self.choose(aig, high, lower);
                    let word = words::ite(aig, bit, &high, &low);
                    let here = aig.and_all(here);
                    return words::ite(aig, here, &word, &default);
                }
            }
            if elements.is_empty() || elements.len() >= MANY && aig.is_interrupted() {
                return default;
            }
            index = lower;
        }
        let Some((_, value)) = elements.first() else { return default };
        let here = aig.and_all(here);
        words::ite(aig, here, &words::constant(self.width, *value), &default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use raddle_testing::Random;

    /// A chain of stores of random constants at random places on a constant array.
    fn random_chain(pool: &mut ExprPool, index: u8, stores: u32, random: &mut impl FnMut(u32) -> u32) -> ExprId {
        let default = pool.bits(3, random(8).into());
        let mut array = pool.const_array(index, default);
        for _ in 0..stores {
            let (place, value) = (pool.bits(index, random(1 << index).into()), pool.bits(3, random(8).into()));
            array = pool.store(array, place, value);
        }
        array
    }

    #[test]
    fn circuits_hold_what_the_evaluator_says() {
        let mut numbers = Random::new(1);
        let mut random = |n: u32| numbers.below(n.into()) as u32;
        for case in 0..300 {
            let (mut pool, mut tables, mut aig) = (ExprPool::new(), Tables::default(), Aig::new());
            let index = 1 + (random(5) as u8);
            let below = random_chain(&mut pool, index, case % 20, &mut random);
            // One table on another one that is known, and a bit of the index that is a constant.
            let (place, value) = (pool.bits(index, random(1 << index).into()), pool.bits(3, random(8).into()));
            let above = pool.store(below, place, value);
            let mut word: Word = (0..index).map(|_| aig.input()).collect();
            let (fixed, bit) = (random(index.into()) as usize, Lit::constant(random(2) == 1));
            word[fixed] = bit;
            for array in [below, above] {
                let table = tables.of(&pool, &FxHashMap::default(), array).expect("it is constant");
                let read = table.read(&mut aig, &word);
                for at in (0..1u128 << index).filter(|at| (at >> fixed & 1 != 0) == bit.is(true)) {
                    let inputs = aig.inputs().to_vec();
                    let is_set = |node: u32| inputs.iter().position(|i| *i == node).is_some_and(|i| at >> i & 1 != 0);
                    let mut model = Model::new(&aig, is_set);
                    let place = pool.bits(index, at);
                    let select = pool.select(array, place);
                    let expected = pool.as_const(select).expect("all is constant").bits;
                    assert_eq!(model.word(&aig, &read), expected, "case {case} at {at}");
                    assert_eq!(table.get(at), expected, "case {case} at {at}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_constant_is_no_table() {
        let (mut pool, mut tables) = (ExprPool::new(), Tables::default());
        let (x, zero) = (pool.var(VarId(0), Sort::Bits(4)), pool.bits(4, 0));
        let constant = pool.const_array(4, zero);
        let by_place = pool.store(constant, x, zero);
        let one = pool.bits(4, 1);
        let somewhere = pool.store(constant, x, one);
        let something = pool.store(constant, one, x);
        let variable = pool.var(VarId(1), Sort::Array { index: 4, element: 4 });
        let unknown = pool.store(variable, one, one);
        let above = pool.store(unknown, zero, one);
        for array in [somewhere, something, variable, unknown, above] {
            assert!(tables.of(&pool, &FxHashMap::default(), array).is_none());
        }
        assert_eq!(by_place, constant);
        let bound = FxHashMap::from_iter([(VarId(1), constant)]);
        assert_eq!(Tables::default().of(&pool, &bound, above).map(|table| (table.get(0), table.get(2))), Some((1, 0)));
    }
}
