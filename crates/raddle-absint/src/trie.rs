//! Persistent maps from ids to values: big-endian Patricia tries (Okasaki and Gill 1998).
//!
//! A copy costs nothing, an update costs the depth, and a join or comparison skips what both share. A key that is absent stands for a
//! value of which nothing is known, so that joining intersects.

use std::rc::Rc;

#[derive(Debug)]
enum Node<V> {
    Leaf(u32, V),
    /// All keys agree above `bit`; those without it are on the left.
    Branch {
        prefix: u32,
        bit: u32,
        left: Rc<Node<V>>,
        right: Rc<Node<V>>,
    },
}

use Node::{Branch, Leaf};

#[derive(Debug)]
pub struct Trie<V>(Option<Rc<Node<V>>>);

impl<V> Clone for Trie<V> {
    fn clone(&self) -> Self {
        Trie(self.0.clone())
    }
}

impl<V> Default for Trie<V> {
    fn default() -> Self {
        Trie(None)
    }
}

/// The part of a key above a bit.
fn above(key: u32, bit: u32) -> u32 {
    key & !(bit | (bit - 1))
}

impl<V: PartialEq> Trie<V> {
    pub fn get(&self, key: u32) -> Option<&V> {
        let mut node = self.0.as_ref()?;
        loop {
            match &**node {
                Leaf(k, value) => return (*k == key).then_some(value),
                Branch { bit, left, right, .. } => node = if key & bit == 0 { left } else { right },
            }
        }
    }

    pub fn insert(&mut self, key: u32, value: V) {
        self.0 = Some(match self.0.take() {
            None => Rc::new(Leaf(key, value)),
            Some(root) => inserted(&root, key, value),
        });
    }

    pub fn remove(&mut self, key: u32) {
        if self.get(key).is_some() {
            self.0 = self.0.take().and_then(|root| removed(&root, key));
        }
    }

    /// Calls `f` for each entry by rising keys, as long as it says so.
    pub fn for_each<'a>(&'a self, f: &mut dyn FnMut(u32, &'a V) -> bool) {
        let mut open: Vec<&Node<V>> = self.0.as_deref().into_iter().collect();
        while let Some(node) = open.pop() {
            match node {
                Leaf(key, value) => {
                    if !f(*key, value) {
                        return;
                    }
                }
                Branch { left, right, .. } => open.extend([&**right, &**left]),
            }
        }
    }

    /// What both have, joined; `join` gives `None` where nothing is known. What both share is taken as it is.
    pub fn join(&self, other: &Trie<V>, join: &mut dyn FnMut(u32, &V, &V) -> Option<V>) -> Trie<V> {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Trie(joined(a, b, join)),
            _ => Trie(None),
        }
    }

    /// Has this one, for every entry of the other, one that `within` accepts?
    pub fn is_within(&self, other: &Trie<V>, within: &mut dyn FnMut(u32, &V, &V) -> bool) -> bool {
        match (&self.0, &other.0) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => below(a, b, within),
        }
    }
}

fn key_of<V>(node: &Node<V>) -> u32 {
    match node {
        Leaf(key, _) => *key,
        Branch { prefix, .. } => *prefix,
    }
}

/// A branch over two nodes that differ above the bits of both.
fn paired<V>(a: Rc<Node<V>>, b: Rc<Node<V>>) -> Rc<Node<V>> {
    let (x, y) = (key_of(&a), key_of(&b));
    let bit = 1 << (31 - (x ^ y).leading_zeros());
    let (left, right) = if x & bit == 0 { (a, b) } else { (b, a) };
    Rc::new(Branch { prefix: above(x, bit), bit, left, right })
}

fn inserted<V>(node: &Rc<Node<V>>, key: u32, value: V) -> Rc<Node<V>> {
    match &**node {
        Leaf(k, _) if *k == key => Rc::new(Leaf(key, value)),
        Branch { prefix, bit, left, right } if above(key, *bit) == *prefix => {
            let (left, right) = if key & bit == 0 {
                (inserted(left, key, value), right.clone())
            } else {
                (left.clone(), inserted(right, key, value))
            };
            Rc::new(Branch { prefix: *prefix, bit: *bit, left, right })
        }
        _ => paired(node.clone(), Rc::new(Leaf(key, value))),
    }
}

fn removed<V>(node: &Rc<Node<V>>, key: u32) -> Option<Rc<Node<V>>> {
    match &**node {
        Leaf(k, _) => (*k != key).then(|| node.clone()),
        Branch { prefix, bit, left, right } => {
            let (prefix, bit) = (*prefix, *bit);
            let (left, right) = if key & bit == 0 {
                (removed(left, key), Some(right.clone()))
            } else {
                (Some(left.clone()), removed(right, key))
            };
            match (left, right) {
                (Some(left), Some(right)) => Some(Rc::new(Branch { prefix, bit, left, right })),
                (one, other) => one.or(other),
            }
        }
    }
}

fn find<V>(node: &Rc<Node<V>>, key: u32) -> Option<&V> {
    match &**node {
        Leaf(k, value) => (*k == key).then_some(value),
        Branch { bit, left, right, .. } => find(if key & bit == 0 { left } else { right }, key),
    }
}

type Joined<V> = Option<Rc<Node<V>>>;

fn joined<V: PartialEq>(a: &Rc<Node<V>>, b: &Rc<Node<V>>, join: &mut dyn FnMut(u32, &V, &V) -> Option<V>) -> Joined<V> {
    if Rc::ptr_eq(a, b) {
        return Some(a.clone());
    }
    match (&**a, &**b) {
        (Leaf(key, x), _) => {
            let value = join(*key, x, find(b, *key)?)?;
            Some(if value == *x { a.clone() } else { Rc::new(Leaf(*key, value)) })
        }
        (_, Leaf(key, y)) => find(a, *key).and_then(|x| join(*key, x, y)).map(|value| Rc::new(Leaf(*key, value))),
        (Branch { prefix: p, bit: m, left: al, right: ar }, Branch { prefix: q, bit: n, left: bl, right: br }) => {
            if m == n && p == q {
                let (left, right) = (joined(al, bl, join), joined(ar, br, join));
                return match (left, right) {
                    (Some(left), Some(right)) if Rc::ptr_eq(&left, al) && Rc::ptr_eq(&right, ar) => Some(a.clone()),
                    (Some(left), Some(right)) => Some(Rc::new(Branch { prefix: *p, bit: *m, left, right })),
                    (one, other) => one.or(other),
                };
            }
            if m > n && above(*q, *m) == *p {
                return joined(if q & m == 0 { al } else { ar }, b, join);
            }
            if n > m && above(*p, *n) == *q {
                return joined(a, if p & n == 0 { bl } else { br }, join);
            }
            None
        }
    }
}

fn below<V>(a: &Rc<Node<V>>, b: &Rc<Node<V>>, within: &mut dyn FnMut(u32, &V, &V) -> bool) -> bool {
    if Rc::ptr_eq(a, b) {
        return true;
    }
    match (&**a, &**b) {
        (_, Leaf(key, y)) => find(a, *key).is_some_and(|x| within(*key, x, y)),
        (Leaf(..), _) => false,
        (Branch { prefix: p, bit: m, left: al, right: ar }, Branch { prefix: q, bit: n, left: bl, right: br }) => {
            if m == n && p == q {
                return below(al, bl, within) && below(ar, br, within);
            }
            m > n && above(*q, *m) == *p && below(if q & m == 0 { al } else { ar }, b, within)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn content(trie: &Trie<u64>) -> Vec<(u32, u64)> {
        let mut all = Vec::new();
        trie.for_each(&mut |key, value| {
            all.push((key, *value));
            true
        });
        all
    }

    #[test]
    fn tries_do_what_ordered_maps_do() {
        let mut dice = raddle_testing::Random::new(7);
        for _ in 0..300 {
            let mut maps: [(Trie<u64>, BTreeMap<u32, u64>); 2] = Default::default();
            for _ in 0..dice.below(40) {
                let (key, value) =
                    (dice.below(64) as u32 * if dice.one_in(3) { 0x0200_0001 } else { 1 }, dice.below(3));
                maps[0].0.insert(key, value);
                maps[0].1.insert(key, value);
                if dice.one_in(4) {
                    maps[1] = (maps[0].0.clone(), maps[0].1.clone());
                }
                let gone = dice.below(64) as u32;
                maps[0].0.remove(gone);
                maps[0].1.remove(&gone);
            }
            let [(a, x), (b, y)] = &maps;
            assert_eq!(content(a), x.clone().into_iter().collect::<Vec<_>>());
            let sum = a.join(b, &mut |_, x, y| (x + y != 3).then_some((*x).max(*y)));
            let both = x.iter().filter_map(|(k, x)| y.get(k).map(|y| (*k, *x, *y)));
            let expected: Vec<(u32, u64)> =
                both.filter(|(_, x, y)| x + y != 3 || x == y).map(|(k, x, y)| (k, x.max(y))).collect();
            assert_eq!(content(&sum), expected);
            let within = y.iter().all(|(k, y)| x.get(k).is_some_and(|x| x <= y));
            assert_eq!(a.is_within(b, &mut |_, x, y| x <= y), within);
        }
    }
}
