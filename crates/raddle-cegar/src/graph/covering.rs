//! Where covering looks: expanded nodes by the places of their threads and by values.
//!
//! A node can only be covered by one that knows the same values of fewer variables. At given places there are few sets of variables that nodes know the
//! values of, so that for each of them the values of the node that may be covered are looked up: no scan, however many states
//! a counter makes. Of predicates, marks tell at a glance that most candidates do not fit. The rest is for the caller to compare.

use crate::domains::state::Data;
use crate::domains::values::{Values, hash_of};
use crate::graph::arg::NodeId;
use raddle_ir::VarId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

#[derive(Default)]
pub struct Covering {
    /// By the places of threads (ids of `States`): the variables whose values some node knows there.
    known: FxHashMap<u32, Vec<Known>>,
    /// With [`Data::marks`].
    nodes: FxHashMap<Key, SmallVec<[(NodeId, u64); 2]>>,
}

/// A set of variables, and its [`Values::shape`].
struct Known {
    shape: u64,
    vars: Box<[VarId]>,
}

/// The places of threads, and a hash of values.
pub type Key = (u32, u64);

impl Covering {
    /// Returns what takes the node out again.
    pub fn add(&mut self, id: NodeId, threads: u32, data: &Data) -> Key {
        let values = &data.values;
        let sets = self.known.entry(threads).or_default();
        // Should two sets ever have the same shape, nodes with one of them cover less than they could.
        if !sets.iter().any(|set| set.shape == values.shape()) {
            sets.push(Known { shape: values.shape(), vars: values.iter().map(|(var, _)| var).collect() });
        }
        let key = (threads, values.full_hash());
        let list = self.nodes.entry(key).or_default();
        if !list.iter().any(|(other, _)| *other == id) {
            list.push((id, data.marks()));
        }
        key
    }

    pub fn remove(&mut self, id: NodeId, key: Key) {
        if let Some(list) = self.nodes.get_mut(&key) {
            list.retain(|(other, _)| *other != id);
            if list.is_empty() {
                self.nodes.remove(&key);
            }
        }
    }

    /// The nodes that may know less than this, and all that do.
    pub fn candidates<'a>(&'a self, threads: u32, data: &'a Data) -> impl Iterator<Item = NodeId> + 'a {
        let (values, marks) = (&data.values, data.marks());
        let sets = self.known.get(&threads).map_or(&[][..], Vec::as_slice);
        let part = |set: &Known| match set.shape == values.shape() {
            true => Some(values.full_hash()),
            false => part(values, &set.vars),
        };
        let lists = sets.iter().filter_map(move |set| self.nodes.get(&(threads, part(set)?)));
        lists.flatten().filter(move |(_, theirs)| theirs & !marks == 0).map(|(id, _)| *id)
    }
}

/// The hash of the values of some variables; `None` if one is not known.
fn part(values: &Values, set: &[VarId]) -> Option<u64> {
    if set.len() > values.len() {
        return None;
    }
    let mut rest = values.iter();
    let mut sum = 0u64;
    for var in set {
        let (var, value) = rest.find(|(v, _)| v >= var).filter(|(v, _)| v == var)?;
        sum = sum.wrapping_add(hash_of(var, value));
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domains::precision::PredId;
    use crate::domains::state::Cube;

    fn data(of: &[(u32, u128)], literals: &[(u32, bool)]) -> Data {
        let values = of.iter().map(|(var, value)| (VarId(*var), *value)).collect();
        Data { values, cubes: vec![Cube(literals.iter().map(|(id, sign)| (PredId(*id), *sign)).collect())] }
    }

    fn found(covering: &Covering, of: &Data) -> Vec<u32> {
        let mut found: Vec<u32> = covering.candidates(7, of).map(|id| id.0).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn those_that_know_less() {
        let mut covering = Covering::default();
        let data = |of: &[(u32, u128)]| data(of, &[]);
        let all = [data(&[]), data(&[(1, 5)]), data(&[(1, 6)]), data(&[(1, 5), (3, 0)]), data(&[(2, 5)])];
        let keys: Vec<Key> = (0..).zip(&all).map(|(i, data)| covering.add(NodeId(i), 7, data)).collect();
        assert_eq!(found(&covering, &data(&[(1, 5), (2, 5)])), [0, 1, 4]);
        assert_eq!(found(&covering, &data(&[(1, 5), (3, 0), (4, 1)])), [0, 1, 3]);
        assert_eq!(found(&covering, &data(&[(3, 0)])), [0]);
        assert_eq!(covering.candidates(8, &all[1]).count(), 0);
        covering.remove(NodeId(1), keys[1]);
        assert_eq!(found(&covering, &data(&[(1, 5)])), [0]);
    }

    #[test]
    fn those_that_say_less() {
        let mut covering = Covering::default();
        let all =
            [data(&[], &[]), data(&[], &[(0, true)]), data(&[], &[(0, false)]), data(&[], &[(0, true), (40, false)])];
        for (i, data) in (0..).zip(&all) {
            covering.add(NodeId(i), 7, data);
        }
        assert_eq!(found(&covering, &all[0]), [0]);
        assert_eq!(found(&covering, &data(&[], &[(0, true), (1, true)])), [0, 1]);
        assert_eq!(found(&covering, &data(&[], &[(0, true), (40, false), (41, true)])), [0, 1, 3]);
        // One that is `x` or `y` says less than `x`.
        let either =
            Data { cubes: [&all[1], &all[2]].iter().flat_map(|data| data.cubes.clone()).collect(), ..all[0].clone() };
        covering.add(NodeId(4), 7, &either);
        assert_eq!(found(&covering, &all[1]), [0, 1, 4]);
    }
}
