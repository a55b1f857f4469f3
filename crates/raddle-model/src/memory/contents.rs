//! What arrays of memory hold, by value: an array that is tracked has the number of a content as its value.
//!
//! A content is what was written to known places, on top of what memory held at first or of anything. Where a value or a place is not known,
//! less is known of the content afterwards: one place, or all of it.

use super::Memory;
use crate::instances::{Origin, Vars};
use indexmap::IndexSet;
use raddle_ir::{ExprId, ExprPool, Sort, VarId};
use rustc_hash::FxBuildHasher;
use std::cell::RefCell;

/// A content of more places than this is not followed any further.
const MOST_WRITES: usize = 1000;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Content {
    /// The class whose first content lies below; `None`: anything does.
    first: Option<u32>,
    /// By place: what was written, if that is known. On top of anything only what is known.
    written: Vec<(u128, Option<u128>)>,
}

/// All contents, each once. Evaluating an expression may make new ones.
#[derive(Default, Debug)]
pub struct Contents(RefCell<IndexSet<Content, FxBuildHasher>>);

impl Contents {
    fn number(&self, content: Content) -> u128 {
        self.0.borrow_mut().insert_full(content).0 as u128
    }

    fn get(&self, number: u128) -> Option<Content> {
        self.0.borrow().get_index(number as usize).cloned()
    }
}

impl Memory {
    /// The content of an array before anything runs.
    pub fn first_content(&self, vars: &Vars, memory: VarId) -> Option<u128> {
        match vars.origin(memory) {
            Origin::Memory(class) => Some(self.contents.number(Content { first: Some(class), written: Vec::new() })),
            _ => None,
        }
    }

    /// What a content holds at a place.
    pub fn held(&self, content: u128, place: u128) -> Option<u128> {
        let all = self.contents.0.borrow();
        let content = all.get_index(content as usize)?;
        match content.written.binary_search_by_key(&place, |(at, _)| *at) {
            Ok(i) => content.written[i].1,
            Err(_) => self.initial_element(content.first?, place),
        }
    }

    /// A content (or one that is not known) after a write to a place.
    pub fn after_write(&self, content: Option<u128>, place: u128, value: Option<u128>) -> Option<u128> {
        let before = content.and_then(|content| self.contents.get(content));
        let mut content = before.unwrap_or(Content { first: None, written: Vec::new() });
        let is_as_before = match content.first {
            Some(class) => value.is_some() && self.initial_element(class, place) == value,
            None => value.is_none(),
        };
        match (content.written.binary_search_by_key(&place, |(at, _)| *at), is_as_before) {
            (Ok(i), true) => {
                content.written.remove(i);
            }
            (Ok(i), false) => content.written[i].1 = value,
            (Err(_), true) => {}
            (Err(i), false) => content.written.insert(i, (place, value)),
        }
        let says_nothing = content.first.is_none() && content.written.is_empty();
        (!says_nothing && content.written.len() <= MOST_WRITES).then(|| self.contents.number(content))
    }

    /// The content of an array as an expression; `unknown` is an array for what is not known. `None`: too large.
    pub fn content_expr(
        &self,
        pool: &mut ExprPool,
        vars: &mut Vars,
        memory: VarId,
        content: u128,
        unknown: ExprId,
    ) -> Option<ExprId> {
        let content = self.contents.get(content)?;
        let mut result = match content.first {
            Some(_) => self.whole(pool, vars, memory)?,
            None => unknown,
        };
        let Sort::Array { element, .. } = vars.sort(memory) else { return None };
        for (place, value) in content.written {
            let place = pool.bits(self.pointer_bits, place);
            let value = match value {
                Some(bits) => pool.bits(element, bits),
                None => pool.select(unknown, place),
            };
            result = pool.store(result, place, value);
        }
        Some(result)
    }

    /// For people.
    pub fn show_content(&self, content: u128) -> String {
        match self.contents.get(content) {
            Some(Content { first, written }) => {
                let below = if first.is_some() { "as at first" } else { "anything" };
                let shown = |(place, value): &(u128, Option<u128>)| match value {
                    Some(value) => format!("{place:#x}: {value}"),
                    None => format!("{place:#x}: any"),
                };
                format!("{below} but {{{}}}", written.iter().map(shown).collect::<Vec<_>>().join(", "))
            }
            None => "?".into(),
        }
    }
}
