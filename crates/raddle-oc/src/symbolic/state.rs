//! What a path knows: its guard, the values of private cells, the node that it is in, and what happened before it.

use crate::symbolic::guard::Guard;
use crate::symbolic::knowledge::cells::Cell;
use crate::symbolic::memory::regions::RegionWrite;
use crate::symbolic::memory::store_buffers::Deferred;
use raddle_ir::{ExprId, ExprPool};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The values of a procedure's locals, by slot (code.rs); `None`: not assigned.
pub(crate) type Locals = Rc<Vec<Option<ExprId>>>;

/// For each thread, up to which of its positions (knowledge/concurrency.rs) it precedes a path.
pub(crate) type Seen = Rc<Vec<u32>>;

/// What a path knows of a private cell. Each write makes a new version, and so do paths that meet with different ones; 0 is the initial value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kept {
    pub(crate) value: ExprId,
    pub(crate) version: u64,
}

/// The values of private cells; those that are missing have their initial value.
pub(crate) type PrivateCells = Rc<FxHashMap<Cell, Kept>>;

/// One path of a thread, or several that met.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) thread: u32,
    pub(crate) guard: Guard,
    pub(crate) private: PrivateCells,
    /// May other threads be running?
    pub(crate) multi: bool,
    pub(crate) seen: Seen,
    pub(crate) open: Option<Open>,
    /// Changes with everything that the path does which is more than reading.
    pub(crate) effects: u64,
}

impl State {
    /// The beginning of the program.
    pub(crate) fn first(pool: &mut ExprPool) -> State {
        State {
            thread: 0,
            guard: Guard::always(pool),
            private: PrivateCells::default(),
            multi: false,
            seen: Seen::default(),
            open: None,
            effects: 0,
        }
    }

    /// The path goes on only where a condition holds.
    pub(crate) fn assume(&mut self, pool: &mut ExprPool, cond: ExprId) {
        self.guard = self.guard.and(pool, cond);
    }

    /// The guard, and that an access hits.
    pub(crate) fn guard_when(&self, pool: &mut ExprPool, when: Option<ExprId>) -> Guard {
        match when {
            Some(when) => self.guard.and(pool, when),
            None => self.guard.clone(),
        }
    }

    /// The node of the path, if it has done something that others can see.
    pub(crate) fn node(&self) -> Option<u32> {
        self.open.as_ref().and_then(|open| open.node)
    }

    pub(crate) fn in_atomic_block(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.depth > 0)
    }
}

/// The node that a path is in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open {
    /// `None`: nothing that others can see was done yet.
    pub(crate) node: Option<u32>,
    /// Nested atomic blocks; 0 for the node of a single edge.
    pub(crate) depth: u32,
    pub(crate) entries: FxHashMap<Cell, Entry>,
    pub(crate) region_writes: Vec<RegionWrite>,
    /// Empty in atomic blocks, see memory/store_buffers.rs.
    pub(crate) deferred: Vec<Deferred>,
}

/// What the open node knows of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) known: Extent,
    pub(crate) value: ExprId,
    pub(crate) written: Extent,
}

/// How much of the current path something holds for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    Never,
    Always,
    If(ExprId),
}

impl Extent {
    /// Also where a condition holds.
    pub(crate) fn or(self, pool: &mut ExprPool, when: ExprId) -> Extent {
        match self {
            Extent::Never => Extent::If(when),
            Extent::Always => Extent::Always,
            Extent::If(cond) => Extent::If(pool.or(cond, when)),
        }
    }

    /// As a condition on a path with this guard.
    pub(crate) fn expr(self, pool: &mut ExprPool, guard: &Guard) -> ExprId {
        match self {
            Extent::Never => pool.bool(false),
            Extent::Always => guard.expr,
            Extent::If(cond) => pool.and(guard.expr, cond),
        }
    }
}
