//! Arrays: reads become plain words, and what relates them is told to the SAT solver only when a model gets it wrong
//! ("lemmas on demand", after Brummayer and Biere 2008).
//!
//! A read of an array at an index is a fresh word. When the SAT solver has a model, the values of all reads are looked
//! at: a read of a store must be the stored value or the read of the array below it, a read of a choice must be that of the array
//! chosen, and reads of one array variable at equal indices must be equal. Each violated rule becomes a lemma, which is true of arrays
//! in general and so stays for good. For an equality of arrays that the model takes for true, the evaluator compares the two arrays
//! of the model; where they differ, the lemma says that reads at that index are equal. An equality taken for false has a place of its own at which the arrays differ. There are finitely many indices, so this ends.
//!
//! It would not end soon if two arrays differed almost everywhere (as constant arrays do). So arrays with many places have a
//! default: what they hold where nothing is stored. Equal arrays have equal defaults, since there are fewer stores than places.
//!
//! An array that is constant everywhere has circuits instead (`tables.rs`).

use crate::aig::{Aig, Lit};
use crate::model::Model;
use crate::tables::Tables;
use crate::words::{self, Word};
use raddle_ir::{Expr, ExprId, ExprPool, Sort, VarId};
use rustc_hash::FxHashMap;

pub struct Read {
    pub array: ExprId,
    pub index: Word,
    pub value: Word,
}

pub struct Equality {
    pub equal: Lit,
    pub arrays: (ExprId, ExprId),
}

/// All reads and comparisons of arrays so far.
#[derive(Default)]
pub struct Arrays {
    pub reads: Vec<Read>,
    pub equalities: Vec<Equality>,
    known_reads: FxHashMap<(ExprId, Word), usize>,
    known_equalities: FxHashMap<(ExprId, ExprId), Lit>,
    /// Array variables that are another name for an expression.
    pub bound: FxHashMap<VarId, ExprId>,
    tables: Tables,
    /// The defaults of arrays that were compared.
    defaults: FxHashMap<ExprId, Word>,
}

/// Arrays with indices of at least so many bits have defaults. No Program has 2^24 stores in one formula.
const MANY_PLACES: u8 = 24;

/// What a read comes to in a model.
pub enum End {
    Word(Word),
    /// An array variable, at the index.
    Variable(ExprId),
}

/// Gives the words of scalar expressions that are blasted already.
pub type Words<'a> = &'a dyn Fn(ExprId) -> Word;

impl Arrays {
    pub fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.equalities.is_empty()
    }

    /// Through other names, and through stores to places that are not the index, whatever the variables are.
    fn origin(&self, pool: &ExprPool, words: Words, mut array: ExprId, index: &[Lit]) -> ExprId {
        loop {
            match pool.get(array) {
                Expr::Var(var) => match self.bound.get(&var) {
                    Some(&other) => array = other,
                    None => return array,
                },
                Expr::Store(below, place, _) => {
                    let place = words(place);
                    let differs = place.iter().zip(index).any(|(&a, &b)| a == !b);
                    if !differs {
                        return array;
                    }
                    array = below;
                }
                _ => return array,
            }
        }
    }

    /// The word that an array has at an index.
    pub fn read(&mut self, aig: &mut Aig, pool: &ExprPool, words: Words, array: ExprId, index: Word) -> Word {
        if let Some(table) = self.tables.known(array) {
            return table.read(aig, &index);
        }
        let array = self.origin(pool, words, array, &index);
        match pool.get(array) {
            Expr::ConstArray { value, .. } => return words(value),
            Expr::Store(_, place, value) if words(place) == index => return words(value),
            _ => {}
        }
        if let Some(table) = self.tables.of(pool, &self.bound, array) {
            return table.read(aig, &index);
        }
        if let Some(&known) = self.known_reads.get(&(array, index.clone())) {
            return self.reads[known].value.clone();
        }
        let Sort::Array { element, .. } = pool.sort(array) else { return Word::new() };
        let value: Word = (0..element).map(|_| aig.input()).collect();
        self.known_reads.insert((array, index.clone()), self.reads.len());
        self.reads.push(Read { array, index, value: value.clone() });
        value
    }

    /// Is one array the other? Adds clauses that must hold: unless they are equal, they differ somewhere; if they are, so are their
    /// defaults.
    pub fn equal(
        &mut self,
        aig: &mut Aig,
        pool: &ExprPool,
        words: Words,
        (a, b): (ExprId, ExprId),
        clauses: &mut Vec<Vec<Lit>>,
    ) -> Lit {
        let arrays = (a.min(b), a.max(b));
        if a == b {
            return Lit::TRUE;
        }
        if let Some(&known) = self.known_equalities.get(&arrays) {
            return known;
        }
        let Sort::Array { index, .. } = pool.sort(a) else { return Lit::FALSE };
        let equal = aig.input();
        self.known_equalities.insert(arrays, equal);
        self.equalities.push(Equality { equal, arrays });
        let place: Word = (0..index).map(|_| aig.input()).collect();
        let (x, y) = (self.read(aig, pool, words, a, place.clone()), self.read(aig, pool, words, b, place));
        let same = words::eq(aig, &x, &y);
        clauses.push(vec![equal, !same]);
        if index >= MANY_PLACES {
            let (x, y) = (self.default_of(aig, pool, words, a), self.default_of(aig, pool, words, b));
            let same = words::eq(aig, &x, &y);
            clauses.push(vec![!equal, same]);
        }
        equal
    }

    /// The default of an array variable that was compared.
    pub fn known_default(&self, array: ExprId) -> Option<&[Lit]> {
        self.defaults.get(&array).map(Word::as_slice)
    }

    /// What an array holds where nothing was stored.
    fn default_of(&mut self, aig: &mut Aig, pool: &ExprPool, words: Words, root: ExprId) -> Word {
        let mut open = vec![root];
        while let Some(&array) = open.last() {
            if self.defaults.contains_key(&array) {
                open.pop();
                continue;
            }
            let word = match pool.get(array) {
                Expr::ConstArray { value, .. } => Some(words(value)),
                Expr::Var(var) if !self.bound.contains_key(&var) => match pool.sort(array) {
                    Sort::Array { element, .. } => Some((0..element).map(|_| aig.input()).collect()),
                    _ => Some(Word::new()),
                },
                Expr::Ite(c, a, b) => match (self.defaults.get(&a), self.defaults.get(&b)) {
                    (Some(x), Some(y)) => Some(words::ite(aig, words(c)[0], x, y)),
                    _ => {
                        open.extend([a, b]);
                        None
                    }
                },
                Expr::Var(_) | Expr::Store(..) => {
                    let below = match pool.get(array) {
                        Expr::Var(var) => self.bound[&var],
                        Expr::Store(below, ..) => below,
                        _ => array,
                    };
                    open.push(below);
                    self.defaults.get(&below).cloned()
                }
                // Not an array.
                _ => Some(Word::new()),
            };
            if let Some(word) = word {
                self.defaults.insert(array, word);
            }
        }
        self.defaults.get(&root).cloned().unwrap_or_default()
    }

    /// Where a read ends up in a model: through the stores that do not hit, along the choices, at a word or at an array variable.
    pub fn end_of(&self, aig: &Aig, pool: &ExprPool, words: Words, read: usize, model: &mut Model) -> End {
        let Read { array, index, .. } = &self.reads[read];
        let (mut array, at) = (*array, model.word(aig, index));
        loop {
            if let Some(table) = self.tables.known(array) {
                return End::Word(table.element(at));
            }
            array = self.origin(pool, words, array, index);
            match pool.get(array) {
                Expr::Store(below, place, stored) => {
                    if model.word(aig, &words(place)) == at {
                        return End::Word(words(stored));
                    }
                    array = below;
                }
                Expr::Ite(c, a, b) => array = if model.word(aig, &words(c)) != 0 { a } else { b },
                Expr::ConstArray { value, .. } => return End::Word(words(value)),
                _ => return End::Variable(array),
            }
        }
    }

    /// The lemmas that make a read what it ends up as, step by step; and the read at which they end, if that is one of an array
    /// variable.
    pub fn lemmas(
        &mut self,
        aig: &mut Aig,
        pool: &ExprPool,
        words: Words,
        mut read: usize,
        model: &mut Model,
        lemmas: &mut Vec<Vec<Lit>>,
    ) -> Option<usize> {
        loop {
            let Read { array, index, value: word } = &self.reads[read];
            let (array, index, word) = (*array, index.clone(), word.clone());
            // Unless `unless` is true, the read is the same as another word.
            let (unless, below) = match pool.get(array) {
                Expr::Store(below, place, stored) => {
                    let hit = words::eq(aig, &words(place), &index);
                    if model.word(aig, &[hit]) != 0 {
                        lemmas.push(vec![!hit, words::eq(aig, &word, &words(stored))]);
                        return None;
                    }
                    (hit, below)
                }
                Expr::Ite(c, a, b) => {
                    let c = words(c)[0];
                    let chosen = model.word(aig, &[c]) != 0;
                    (c ^ chosen, if chosen { a } else { b })
                }
                _ => return Some(read),
            };
            let other = self.read(aig, pool, words, below, index.clone());
            lemmas.push(vec![unless, words::eq(aig, &word, &other)]);
            let below = self.origin(pool, words, below, &index);
            match self.known_reads.get(&(below, index)) {
                Some(&next) => read = next,
                // It was a word at once.
                None => return None,
            }
        }
    }

    /// The lemma for two reads of one array variable: at equal indices they are equal.
    pub fn congruence(&self, aig: &mut Aig, a: usize, b: usize) -> Vec<Lit> {
        let (a, b) = (&self.reads[a], &self.reads[b]);
        let here = words::eq(aig, &a.index, &b.index);
        let same = words::eq(aig, &a.value, &b.value);
        vec![!here, same]
    }
}
