//! The shapes of variables and objects: what the source calls their parts. For people alone; nothing that is computed depends on a shape.

use crate::program::{ObjectId, VarId};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ShapeId(pub u32);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Nothing is known of its parts.
    Opaque,
    Bool,
    Integer {
        signed: bool,
    },
    /// One byte that may be a character.
    Char {
        signed: bool,
    },
    Float,
    Pointer(ShapeId),
    Array {
        element: ShapeId,
        stride: u64,
    },
    Record {
        /// Its tag, or the name of a type that is defined as it.
        name: String,
        size: u64,
        members: Vec<Member>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Empty: its own members are those of the record.
    pub name: String,
    pub offset: u64,
    pub size: u64,
    /// Of a bit-field: its first bit in the byte at `offset`, and how many there are.
    pub bits: Option<(u8, u8)>,
    pub shape: ShapeId,
}

/// The shapes of the user's variables and objects. What the frontend made for itself has none.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    pub all: Vec<Shape>,
    pub vars: FxHashMap<VarId, ShapeId>,
    /// Locals that hold the address of an automatic object, and the object's shape.
    pub homes: FxHashMap<VarId, ShapeId>,
    pub objects: FxHashMap<ObjectId, ShapeId>,
}

impl Shapes {
    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.all[id.0 as usize]
    }
}
