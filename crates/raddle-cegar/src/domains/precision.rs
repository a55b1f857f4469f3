//! What the abstraction tracks: variables by value, and predicates.
//!
//! Both lists only grow as long as a graph does. With local granularity, each entry is tracked at the locations where a refinement asked for it: a state
//! tracks what is tracked at the location of some thread of it.

use crate::model::instances::Vars;
use crate::model::threads::{At, Threads};
use fixedbitset::FixedBitSet;
use raddle_ir::{Expr, ExprId, ExprPool, LocId, ProcId, UnOp, VarId};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct PredId(pub u32);

impl PredId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where something is tracked, and since which version of the precision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Where {
    Everywhere(u32),
    At(FxHashMap<(ProcId, LocId), u32>),
}

/// A location of a procedure.
pub type Place = (ProcId, LocId);

impl Where {
    fn includes(&self, threads: &Threads) -> bool {
        match self {
            Where::Everywhere(_) => true,
            Where::At(places) => threads.threads.iter().any(|thread| match thread.at {
                At::Location(location) => places.contains_key(&(thread.proc, location)),
                At::Ended | At::Stopped => false,
            }),
        }
    }

    /// Adds a place (`None`: everywhere), new in some version; returns since when it is tracked there.
    fn add(&mut self, place: Option<Place>, version: u32) -> u32 {
        match (&mut *self, place) {
            (Where::Everywhere(since), _) => *since,
            (Where::At(places), Some(place)) => *places.entry(place).or_insert(version),
            (Where::At(_), None) => {
                *self = Where::Everywhere(version);
                version
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Predicate {
    /// A Bool over instance variables.
    pub expr: ExprId,
    pub vars: Vec<VarId>,
    tracked: Where,
}

#[derive(Clone, Debug, Default)]
pub struct Precision {
    vars: FxHashMap<VarId, Where>,
    predicates: Vec<Predicate>,
    ids: FxHashMap<ExprId, PredId>,
    /// The variables that anything tracked mentions: vars(Π) of Definition 5, for local granularity the union over all locations.
    mentioned: FixedBitSet,
    mentioned_count: usize,
    is_local: bool,
    /// Changes with everything that is added.
    pub version: u32,
}

impl Precision {
    /// Is the value of a variable tracked while the threads are there?
    pub fn tracks(&self, var: VarId, threads: &Threads) -> bool {
        self.vars.get(&var).is_some_and(|tracked| tracked.includes(threads))
    }

    /// Is anything tracked at some locations only?
    pub fn is_local(&self) -> bool {
        self.is_local
    }

    /// Does anything tracked mention the variable? Locks and the places of threads always count.
    pub fn mentions(&self, vars: &Vars, var: VarId) -> bool {
        self.mentioned.contains(var.index()) || vars.is_structural(var)
    }

    /// The variables that anything tracked mentions.
    pub fn mentioned(&self) -> &FixedBitSet {
        &self.mentioned
    }

    /// How many they are: as long as that stays, they are the same.
    pub fn mentioned_count(&self) -> usize {
        self.mentioned_count
    }

    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    pub fn predicate(&self, id: PredId) -> &Predicate {
        &self.predicates[id.index()]
    }

    pub fn tracked_predicates<'a>(&'a self, threads: &'a Threads) -> impl Iterator<Item = PredId> + 'a {
        let all = self.predicates.iter().enumerate();
        all.filter(|(_, predicate)| predicate.tracked.includes(threads)).map(|(i, _)| PredId(i as u32))
    }

    pub fn explicit_vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars.keys().copied()
    }

    /// Tracks a variable, at one place or everywhere. Returns the version since which it is so.
    pub fn add_var(&mut self, var: VarId, place: Option<Place>) -> u32 {
        let new = self.version + 1;
        let since = self.vars.entry(var).or_insert_with(|| Where::At(FxHashMap::default())).add(place, new);
        self.added(since, place);
        self.mention(var);
        since
    }

    /// No longer tracks the value of a variable. It still counts as mentioned.
    pub fn remove_var(&mut self, var: VarId) {
        self.vars.remove(&var);
        self.version += 1;
    }

    /// Tracks a predicate (or, which is the same, its negation). Returns the version since which it is so; `None` if it is a constant.
    pub fn add_predicate(&mut self, pool: &mut ExprPool, expr: ExprId, place: Option<Place>) -> Option<u32> {
        let expr = match pool.get(expr) {
            Expr::Unary(UnOp::Not, inner) => inner,
            _ => expr,
        };
        if pool.as_const(expr).is_some() {
            return None;
        }
        let id = match self.ids.get(&expr) {
            Some(id) => *id,
            None => {
                let vars = pool.vars(expr);
                vars.iter().for_each(|var| self.mention(*var));
                let id = PredId(self.predicates.len() as u32);
                self.ids.insert(expr, id);
                self.predicates.push(Predicate { expr, vars, tracked: Where::At(FxHashMap::default()) });
                id
            }
        };
        let new = self.version + 1;
        let since = self.predicates[id.index()].tracked.add(place, new);
        self.added(since, place);
        Some(since)
    }

    fn added(&mut self, since: u32, place: Option<Place>) {
        self.version = self.version.max(since);
        self.is_local |= place.is_some();
    }

    /// Counts a variable among those that something tracked mentions.
    pub fn mention(&mut self, var: VarId) {
        self.mentioned.grow(var.index() + 1);
        self.mentioned_count += usize::from(!self.mentioned.put(var.index()));
    }
}
