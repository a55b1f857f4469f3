//! Models of the circuit that are none of the arrays: which lemmas the SAT solver needs next (see `arrays.rs`).

use crate::aig::Lit;
use crate::arrays::End;
use crate::blast::Blaster;
use crate::model::Model;
use crate::words;
use raddle_ir::{ArrayValue, Expr, ExprId, ExprPool, Sort, Value, eval};
use rustc_hash::FxHashMap;

/// Clauses that are true of arrays and that the model violates; none if it is a model of the arrays as well. It learns then what
/// the array variables are.
pub(crate) fn array_lemmas(blaster: &mut Blaster, pool: &ExprPool, model: &mut Model) -> Vec<Vec<Lit>> {
    let mut lemmas: Vec<Vec<Lit>> = Vec::new();
    // The first read that ends at a place of an array variable: what it is there, all others must be.
    let mut at: FxHashMap<(ExprId, u128), usize> = FxHashMap::default();
    for read in 0..blaster.arrays.reads.len() {
        match blaster.end_of(pool, read, model) {
            End::Word(word) => {
                if model.word(&blaster.aig, &word) != read_value(blaster, model, read) {
                    blaster.array_lemmas(pool, read, model, &mut lemmas);
                }
            }
            End::Variable(array) => {
                let index = model.word(&blaster.aig, &blaster.arrays.reads[read].index);
                let is = read_value(blaster, model, read);
                let first = *at.entry((array, index)).or_insert(read);
                if read_value(blaster, model, first) != is {
                    let a = blaster.array_lemmas(pool, first, model, &mut lemmas);
                    let b = blaster.array_lemmas(pool, read, model, &mut lemmas);
                    if let (Some(a), Some(b)) = (a, b)
                        && a != b
                    {
                        let Blaster { aig, arrays, .. } = blaster;
                        lemmas.push(arrays.congruence(aig, a, b));
                    }
                } else if let Expr::Var(var) = pool.get(array) {
                    model.array(blaster, var, array).set(index, is);
                }
            }
        }
    }
    if lemmas.is_empty() {
        lemmas = equality_lemmas(blaster, pool, model, &at);
    }
    lemmas
}

fn read_value(blaster: &Blaster, model: &mut Model, read: usize) -> u128 {
    model.word(&blaster.aig, &blaster.arrays.reads[read].value)
}

/// For equalities that the model takes for true: where do the arrays of the model differ?
fn equality_lemmas(
    blaster: &mut Blaster,
    pool: &ExprPool,
    model: &mut Model,
    at: &FxHashMap<(ExprId, u128), usize>,
) -> Vec<Vec<Lit>> {
    let mut lemmas = Vec::new();
    let mut decided: FxHashMap<ExprId, Vec<(usize, u128)>> = FxHashMap::default();
    for (&(array, index), &read) in at {
        decided.entry(array).or_default().push((read, index));
    }
    // A variable that is said to be equal to something takes its other places from there.
    for _ in 0..blaster.arrays.equalities.len() {
        let mut changed = false;
        for i in 0..blaster.arrays.equalities.len() {
            let equality = &blaster.arrays.equalities[i];
            let (equal, (a, b)) = (equality.equal, equality.arrays);
            if model.word(&blaster.aig, &[equal]) == 0 {
                continue;
            }
            for (variable, other) in [(a, b), (b, a)] {
                let Expr::Var(var) = pool.get(variable) else { continue };
                if blaster.arrays.bound.contains_key(&var) {
                    continue;
                }
                let Value::Array(other) = model.value(blaster, pool, other) else { continue };
                let before = model.array(blaster, var, variable).clone();
                let mut known = before.clone();
                if known.default == 0 && other.default != 0 {
                    known = ArrayValue::constant(other.default);
                }
                other.entries.iter().for_each(|(index, value)| known.set(*index, *value));
                // What the SAT solver has decided stays.
                for &(read, index) in decided.get(&variable).into_iter().flatten() {
                    known.set(index, read_value(blaster, model, read));
                }
                if known != before {
                    changed = true;
                    model.set_array(var, known);
                }
            }
        }
        if !changed {
            break;
        }
    }
    for i in 0..blaster.arrays.equalities.len() {
        let equality = &blaster.arrays.equalities[i];
        let (equal, arrays) = (equality.equal, equality.arrays);
        if model.word(&blaster.aig, &[equal]) == 0 {
            continue;
        }
        let Sort::Array { index: width, .. } = pool.sort(arrays.0) else { continue };
        let values = (model.value(blaster, pool, arrays.0), model.value(blaster, pool, arrays.1));
        let (Value::Array(a), Value::Array(b)) = values else { continue };
        if let Some(index) = difference(&a, &b, width) {
            // The index of a store or a read, if it is one: what it is in the next model may differ.
            let mut places = blaster.places(pool, arrays.0);
            places.extend(blaster.places(pool, arrays.1));
            let reads = blaster.arrays.reads.iter().map(|read| &read.index);
            places.extend(reads.filter(|place| place.len() == usize::from(width)).cloned());
            let place = places.into_iter().find(|place| model.word(&blaster.aig, place) == index);
            let place = place.unwrap_or_else(|| words::constant(width.into(), index));
            let same = blaster.equal_at(pool, arrays, place);
            lemmas.push(vec![!equal, same]);
        }
    }
    lemmas
}

/// An index at which two arrays differ.
fn difference(a: &ArrayValue, b: &ArrayValue, width: u8) -> Option<u128> {
    let mut keys = a.entries.keys().chain(b.entries.keys());
    if let Some(&index) = keys.find(|index| a.get(**index) != b.get(**index)) {
        return Some(index);
    }
    if a.default == b.default {
        return None;
    }
    (0..=eval::mask(width)).find(|index| !a.entries.contains_key(index) && !b.entries.contains_key(index))
}
