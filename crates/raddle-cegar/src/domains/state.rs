//! Abstract states: where the threads are, values, and predicates.

use crate::domains::precision::PredId;
use crate::domains::values::Values;
use crate::model::threads::Threads;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::rc::Rc;

/// Literals of predicates that all hold, sorted. The empty cube says nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Cube(pub Vec<(PredId, bool)>);

impl Cube {
    /// Does this say everything that the other says?
    pub fn implies(&self, other: &Cube) -> bool {
        let mut mine = self.0.iter();
        other.0.iter().all(|entry| mine.by_ref().find(|(id, _)| *id >= entry.0) == Some(entry))
    }

    /// A bit for each literal; several may share one.
    fn marks(&self) -> u64 {
        self.0.iter().fold(0, |marks, (id, sign)| marks | 1 << ((2 * id.0 + u32::from(*sign)) % 64))
    }

    pub fn get(&self, id: PredId) -> Option<bool> {
        self.0.binary_search_by_key(&id, |(i, _)| *i).ok().map(|i| self.0[i].1)
    }
}

/// What is known of data: values, and one of some cubes (sorted, never none; one only in the Cartesian and the splitting domain).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Data {
    pub values: Values,
    pub cubes: Vec<Cube>,
}

impl Data {
    pub fn implies(&self, other: &Data) -> bool {
        self.values.implies(&other.values)
            && self.cubes.iter().all(|mine| other.cubes.iter().any(|theirs| mine.implies(theirs)))
    }

    /// Marks of the literals that all cubes have: what implies something has all its marks.
    pub fn marks(&self) -> u64 {
        self.cubes.iter().fold(u64::MAX, |marks, cube| marks & cube.marks())
    }
}

/// Gives equal things the same small number.
pub struct Interner<T> {
    things: IndexSet<Rc<T>, FxBuildHasher>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { things: IndexSet::default() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    pub fn intern(&mut self, thing: T) -> u32 {
        match self.things.get_index_of(&thing) {
            Some(id) => id as u32,
            None => self.things.insert_full(Rc::new(thing)).0 as u32,
        }
    }

    pub fn len(&self) -> usize {
        self.things.len()
    }

    pub fn get(&self, id: u32) -> &T {
        &self.things[id as usize]
    }

    /// The same, to keep while others are interned.
    pub fn shared(&self, id: u32) -> Rc<T> {
        self.things[id as usize].clone()
    }
}

/// All abstract states, each once.
#[derive(Default)]
pub struct States {
    pub threads: Interner<Threads>,
    pub data: Interner<Data>,
}
