//! Interned identifiers: each name is stored once and named by a number.
//!
//! Every word of the source passes here, so the table is a plain open-addressing one over a single string buffer.
//! Keywords and the compiler's own type names come first (see `token.rs`): whether a symbol is a keyword is one comparison.

use crate::ast::Symbol;
use crate::token::{BUILTIN_TYPES, KEYWORDS};

#[derive(Debug, Clone)]
pub struct Interner {
    /// All names, one behind the other.
    text: String,
    /// Where each name ends in `text`; it begins where the one before ends.
    ends: Vec<u32>,
    /// The hash of each name, kept for growing and to compare strings rarely.
    hashes: Vec<u32>,
    /// How often each was interned.
    counts: Vec<u32>,
    /// Symbol number plus one, 0 if free. The length is a power of two.
    slots: Vec<u32>,
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}

impl Interner {
    pub fn new() -> Self {
        let mut interner = Interner {
            text: String::new(),
            ends: Vec::new(),
            hashes: Vec::new(),
            counts: Vec::new(),
            slots: vec![0; 1 << 10],
        };
        for (name, _) in KEYWORDS {
            interner.intern(name);
        }
        for (name, _) in BUILTIN_TYPES {
            interner.intern(name);
        }
        interner
    }

    /// The symbol of a name. Bytes that are not UTF-8 are replaced (the lexer lets none pass).
    pub fn intern(&mut self, name: impl AsRef<[u8]>) -> Symbol {
        let name = name.as_ref();
        let hash = hash(name);
        let slot = match self.find(name, hash) {
            Ok(symbol) => {
                self.counts[symbol.0 as usize] += 1;
                return symbol;
            }
            Err(slot) => slot,
        };
        let symbol = Symbol(self.ends.len() as u32);
        self.text.push_str(&String::from_utf8_lossy(name));
        self.ends.push(self.text.len() as u32);
        self.hashes.push(hash);
        self.counts.push(1);
        self.slots[slot] = symbol.0 + 1;
        if self.ends.len() * 2 > self.slots.len() {
            self.grow();
        }
        symbol
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|index| self.name(Symbol(index)))
    }

    /// The symbol of a name that was interned before, and how often it was.
    pub fn known(&self, name: &str) -> Option<(Symbol, u32)> {
        let symbol = self.find(name.as_bytes(), hash(name.as_bytes())).ok()?;
        Some((symbol, self.counts[symbol.0 as usize]))
    }

    /// The symbol, or the slot where it would be.
    #[inline]
    fn find(&self, name: &[u8], hash: u32) -> Result<Symbol, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let found = self.slots[slot];
            if found == 0 {
                return Err(slot);
            }
            let symbol = Symbol(found - 1);
            if self.hashes[symbol.0 as usize] == hash && self.name(symbol).as_bytes() == name {
                return Ok(symbol);
            }
            slot = (slot + 1) & mask;
        }
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        let index = symbol.0 as usize;
        let Some(&end) = self.ends.get(index) else { return "?" };
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start as usize..end as usize]
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![0; mask + 1];
        for (index, hash) in self.hashes.iter().enumerate() {
            let mut slot = *hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = index as u32 + 1;
        }
    }
}

/// Multiply and rotate, eight bytes at a time.
fn hash(name: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = name.len() as u64;
    let mut chunks = name.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        state = (state.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }
    let mut last = 0;
    for byte in chunks.remainder() {
        last = last << 8 | u64::from(*byte);
    }
    state = (state.rotate_left(23) ^ last).wrapping_mul(FACTOR);
    (state >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_name_same_symbol() {
        let mut interner = Interner::new();
        let a = interner.intern("alpha");
        assert_eq!(interner.intern(b"alpha"), a);
        assert_ne!(interner.intern("beta"), a);
        assert_eq!(interner.name(a), "alpha");
        assert_eq!(interner.intern("typedef"), Symbol(0));
    }

    #[test]
    fn many_names() {
        let mut interner = Interner::new();
        let symbols: Vec<_> = (0..100_000).map(|i| interner.intern(format!("name_{i}"))).collect();
        for (i, symbol) in symbols.iter().enumerate() {
            assert_eq!(interner.name(*symbol), format!("name_{i}"));
            assert_eq!(interner.intern(format!("name_{i}")), *symbol);
        }
    }
}
