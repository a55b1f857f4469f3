//! A set of word sequences that numbers its members: equal sequences get equal numbers.
//!
//! All sequences lie one after another in one array. The hash table holds 32 bits of the hash beside each number, so that
//! a search rarely touches a sequence that is not the right one; but a match is always compared in full: nothing is
//! left to chance.

#[derive(Clone, Debug)]
pub struct Interner {
    words: Vec<u32>,
    /// Where each sequence ends.
    ends: Vec<u64>,
    /// The upper half is the hash, the lower half the number plus 1; 0 is empty.
    table: Vec<u64>,
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

fn hash(words: &[u32]) -> u64 {
    let mut h = SEED ^ words.len() as u64;
    let mut pairs = words.chunks_exact(2);
    for pair in &mut pairs {
        let x = u64::from(pair[0]) | u64::from(pair[1]) << 32;
        h = fold(h ^ x);
    }
    if let [last] = pairs.remainder() {
        h = fold(h ^ u64::from(*last));
    }
    h
}

/// The two halves of a 128-bit product, folded.
#[inline]
fn fold(x: u64) -> u64 {
    let product = u128::from(x ^ 0xa076_1d64_78bd_642f) * u128::from(0xe703_7ed1_a0b4_28dbu64);
    product as u64 ^ (product >> 64) as u64
}

impl Default for Interner {
    fn default() -> Self {
        Interner { words: Vec::new(), ends: Vec::new(), table: vec![0; 64] }
    }
}

impl Interner {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, id: u32) -> &[u32] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.words[start as usize..self.ends[id] as usize]
    }

    /// The number of a sequence that is a member; otherwise where in the table it belongs.
    fn find(&self, words: &[u32], hash: u64) -> Result<u32, usize> {
        let tag = hash & 0xffff_ffff_0000_0000;
        let mask = self.table.len() - 1;
        // The upper bits are the tag, so the place comes from both halves.
        let mut at = (hash ^ hash >> 32) as usize & mask;
        loop {
            let entry = self.table[at];
            if entry == 0 {
                return Err(at);
            }
            if entry & 0xffff_ffff_0000_0000 == tag {
                let id = entry as u32 - 1;
                if self.get(id) == words {
                    return Ok(id);
                }
            }
            at = (at + 1) & mask;
        }
    }

    pub fn contains(&self, words: &[u32]) -> bool {
        self.find(words, hash(words)).is_ok()
    }

    /// The number of a sequence, and whether it is new.
    pub fn intern(&mut self, words: &[u32]) -> (u32, bool) {
        let hash = hash(words);
        let tag = hash & 0xffff_ffff_0000_0000;
        let at = match self.find(words, hash) {
            Ok(id) => return (id, false),
            Err(at) => at,
        };
        let id = self.ends.len() as u32;
        self.words.extend_from_slice(words);
        self.ends.push(self.words.len() as u64);
        self.table[at] = tag | u64::from(id + 1);
        if self.ends.len() * 4 > self.table.len() * 3 {
            self.grow();
        }
        (id, true)
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        self.table = vec![0; size];
        for id in 0..self.ends.len() as u32 {
            let hash = hash(self.get(id));
            let mut at = (hash ^ hash >> 32) as usize & (size - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = hash & 0xffff_ffff_0000_0000 | u64::from(id + 1);
        }
    }

    /// How much memory it takes, about.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * 4 + self.ends.capacity() * 8 + self.table.capacity() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_stable() {
        let mut set = Interner::default();
        let mut sizes = Vec::new();
        for _ in 0..2 {
            for i in 0..10_000u32 {
                let words: Vec<u32> = (0..i % 7).map(|k| i / 7 + k).collect();
                let (id, _) = set.intern(&words);
                assert_eq!(set.get(id), &words[..]);
                assert_eq!(set.intern(&words), (id, false));
            }
            sizes.push(set.len());
        }
        assert_eq!(sizes[0], sizes[1]);
    }
}
