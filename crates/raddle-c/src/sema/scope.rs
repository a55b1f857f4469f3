//! Names in scope. C has two spaces of names that nest with blocks: identifiers and tags.
//!
//! A table indexed by symbol holds what each name means now; an undo log holds what it meant outside, so that leaving a scope costs what
//! was declared in it and looking a name up is one load.

use crate::ast::Symbol;
use crate::hir::{FnId, GlobalId, LocalId};
use crate::types::{RecordId, TypeId};

/// What an identifier means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ident {
    Typedef(TypeId),
    /// With the type as the declarations in this scope tell it, which may say less than the definition.
    Global(GlobalId, TypeId),
    Function(FnId, TypeId),
    Local(LocalId),
    /// An index into the checker's list of enumerators.
    Enumerator(u32),
    /// A parameter in a prototype: only its type can be used.
    Param(TypeId),
    /// It was declared with something that is not modelled: an index into the checker's list of their names.
    Poison(u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Tag {
    Record(RecordId),
    /// Its type, and whether its constants are known.
    Enum(TypeId, bool),
    Poison(u32),
}

/// A meaning and the depth of the scope that gave it.
#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    meaning: T,
    depth: u32,
}

enum Undo {
    Ident(Symbol, Option<Entry<Ident>>),
    Tag(Symbol, Option<Entry<Tag>>),
}

/// What a scope declared that its function's body sees.
#[derive(Default)]
pub(crate) struct Left {
    pub tags: Vec<(Symbol, Tag)>,
    pub enumerators: Vec<(Symbol, Ident)>,
}

#[derive(Default)]
pub(crate) struct Scopes {
    idents: Vec<Option<Entry<Ident>>>,
    tags: Vec<Option<Entry<Tag>>>,
    log: Vec<Undo>,
    /// Where in the log each open scope begins; the first is the file's.
    starts: Vec<usize>,
}

impl Scopes {
    pub fn push(&mut self) {
        self.starts.push(self.log.len());
    }

    /// Leaves the innermost scope, and returns the tags and the enumerators that were declared in it.
    pub fn pop(&mut self) -> Left {
        let mut left = Left::default();
        let start = self.starts.pop().unwrap_or(0);
        while self.log.len() > start {
            match self.log.pop() {
                Some(Undo::Ident(symbol, before)) => {
                    let entry = std::mem::replace(&mut self.idents[symbol.0 as usize], before);
                    if let Some(Entry { meaning: meaning @ Ident::Enumerator(_), .. }) = entry {
                        left.enumerators.push((symbol, meaning));
                    }
                }
                Some(Undo::Tag(symbol, before)) => {
                    if let Some(entry) = std::mem::replace(&mut self.tags[symbol.0 as usize], before) {
                        left.tags.push((symbol, entry.meaning));
                    }
                }
                None => {}
            }
        }
        left
    }

    pub fn depth(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Leaves scopes until so many are open.
    pub fn pop_to(&mut self, depth: u32) {
        while self.depth() > depth {
            self.pop();
        }
    }

    pub fn is_file_scope(&self) -> bool {
        self.starts.len() == 1
    }

    pub fn ident(&self, symbol: Symbol) -> Option<Ident> {
        self.idents.get(symbol.0 as usize).copied().flatten().map(|e| e.meaning)
    }

    /// What the innermost scope itself says of a name.
    pub fn own_ident(&self, symbol: Symbol) -> Option<Ident> {
        let entry = self.idents.get(symbol.0 as usize).copied().flatten()?;
        (entry.depth == self.depth()).then_some(entry.meaning)
    }

    pub fn tag(&self, symbol: Symbol) -> Option<Tag> {
        self.tags.get(symbol.0 as usize).copied().flatten().map(|e| e.meaning)
    }

    pub fn own_tag(&self, symbol: Symbol) -> Option<Tag> {
        let entry = self.tags.get(symbol.0 as usize).copied().flatten()?;
        (entry.depth == self.depth()).then_some(entry.meaning)
    }

    pub fn declare(&mut self, symbol: Symbol, meaning: Ident) {
        let entry = Entry { meaning, depth: self.depth() };
        let slot = slot(&mut self.idents, symbol);
        let before = slot.replace(entry);
        if before.is_none_or(|b| b.depth != entry.depth) {
            self.log.push(Undo::Ident(symbol, before));
        }
    }

    pub fn declare_tag(&mut self, symbol: Symbol, meaning: Tag) {
        let entry = Entry { meaning, depth: self.depth() };
        let slot = slot(&mut self.tags, symbol);
        let before = slot.replace(entry);
        if before.is_none_or(|b| b.depth != entry.depth) {
            self.log.push(Undo::Tag(symbol, before));
        }
    }
}

fn slot<T>(table: &mut Vec<Option<T>>, symbol: Symbol) -> &mut Option<T> {
    let index = symbol.0 as usize;
    if table.len() <= index {
        table.resize_with(index + 1, || None);
    }
    &mut table[index]
}
