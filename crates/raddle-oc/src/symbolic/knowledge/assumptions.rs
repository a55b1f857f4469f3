//! What a run assumes of memory, and whether what it finds out confirms that (see cells.rs).

use crate::symbolic::event_graph::WriteEvent;
use crate::symbolic::knowledge::cells::{Cell, Dynamic, Knowledge, MOST_VALUES, Piece, Site, Values};
use crate::symbolic::knowledge::concurrency::Accesses;
use crate::symbolic::knowledge::values::ValueSets;
use crate::symbolic::state::{Seen, State};
use crate::symbolic::{Ended, Run};
use raddle_ir::{Expr, ExprId, ExprPool};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

pub(crate) struct Assumptions<'a> {
    knowledge: &'a mut Knowledge,
    values: ValueSets,
    accesses: Accesses,
    /// Something depends on which dynamic objects there are, and how many were known when the run began.
    asked_for_objects: bool,
    objects_at_first: usize,
    /// Dynamic objects of this run, by address, with their sizes.
    allocated: FxHashMap<u64, ExprId>,
    /// What this run assumed of a dynamic object, or of a private cell, turned out to be wrong.
    was_wrong: bool,
    /// A statically decided loop or recursion was cut off.
    cut_static: bool,
}

/// Cells: which are shared, and what is in them.
impl<'a> Assumptions<'a> {
    pub(crate) fn new(knowledge: &'a mut Knowledge) -> Assumptions<'a> {
        Assumptions {
            objects_at_first: knowledge.dynamics.len(),
            knowledge,
            values: ValueSets::default(),
            accesses: Accesses::default(),
            asked_for_objects: false,
            allocated: FxHashMap::default(),
            was_wrong: false,
            cut_static: false,
        }
    }

    pub(crate) fn is_shared(&self, cell: Cell) -> bool {
        self.knowledge.shared.contains(&cell)
    }

    /// A cell that was assumed to be private is not.
    pub(crate) fn share(&mut self, cell: Cell) {
        self.knowledge.shared.insert(cell);
        self.was_wrong = true;
    }

    /// A path accesses a cell: is it private after all?
    pub(crate) fn note(&mut self, cell: Cell, writes: bool, state: &State) {
        if !cell.is_of_one_thread() && !self.is_shared(cell) {
            self.accesses.note(cell, writes, state);
        }
    }

    /// The path starts a thread: what precedes that one.
    pub(crate) fn start(&mut self, state: &State) -> Seen {
        self.accesses.start(state)
    }

    /// The values that an expression may have; `None`: any.
    pub(crate) fn values_of(&mut self, pool: &ExprPool, expr: ExprId) -> Values {
        self.values.of(pool, expr, &self.knowledge.values)
    }

    /// The symbol stands for what a read of the cell gives.
    pub(crate) fn note_read(&mut self, pool: &ExprPool, symbol: ExprId, cell: Cell) {
        if let Expr::Var(var) = pool.get(symbol) {
            self.values.read_from.insert(var, cell);
        }
    }
}

/// How memory is divided.
impl Assumptions<'_> {
    /// The piece that an access to `len` bytes lies in. With store buffers (`weak`), pieces are divided until the access consists of whole ones.
    pub(crate) fn piece(&mut self, at: u64, len: u64, weak: bool) -> Piece {
        match weak {
            true => self.knowledge.divide(at, len),
            false => self.knowledge.piece(at, len),
        }
    }

    /// The cells that an access to bytes touches, with the bytes of the access that they hold.
    pub(crate) fn pieces_of(&self, address: u64, len: u8) -> Vec<(Cell, u8, u8)> {
        let pieces = self.knowledge.pieces.range(address..address + u64::from(len));
        pieces
            .map(|(start, len)| {
                let len = *len as u8;
                (Cell::Bytes { address: *start, len }, (start - address) as u8, len)
            })
            .collect()
    }

    /// Size and width of the region that begins at an address.
    pub(crate) fn region(&self, start: u64) -> (u64, u8) {
        self.knowledge.regions[&start]
    }

    pub(crate) fn is_region(&self, start: u64) -> bool {
        self.knowledge.regions.contains_key(&start)
    }

    pub(crate) fn may_be_region(&self, start: u64) -> bool {
        !self.knowledge.not_regions.contains(&start)
    }

    /// The region that an address lies in.
    pub(crate) fn region_at(&self, address: u64) -> Option<u64> {
        self.knowledge.region_at(address)
    }

    /// Makes regions of some objects, and runs again.
    pub(crate) fn make_regions<T>(&mut self, objects: &[(u64, u64)], width: u64) -> Run<T> {
        for (start, size) in objects.iter().filter(|(_, size)| *size >= width) {
            self.knowledge.make_region(*start, *size, width as u8);
        }
        Err(Ended::Again)
    }

    /// Accesses of different widths or alignment: the object is made of cells after all.
    pub(crate) fn unmake_region<T>(&mut self, start: u64) -> Run<T> {
        self.knowledge.unmake_region(start);
        Err(Ended::Again)
    }
}

/// Dynamic objects.
impl Assumptions<'_> {
    /// An object of this run, and its size as an expression.
    pub(crate) fn allocate(&mut self, object: Dynamic, exact: ExprId) {
        let before = self.knowledge.dynamics.insert(object.address, object);
        self.was_wrong |= before.is_some_and(|before| before != object);
        self.allocated.insert(object.address, exact);
    }

    /// The size of an object that this run has allocated by now.
    pub(crate) fn exact_size(&self, address: u64) -> Option<ExprId> {
        self.allocated.get(&address).copied()
    }

    pub(crate) fn object_at(&self, address: u64) -> Option<Dynamic> {
        self.knowledge.dynamics.get(&address).copied()
    }

    /// The object that holds all from an address up to an end.
    pub(crate) fn object_around(&self, address: u64, end: u64) -> Option<Dynamic> {
        let (start, object) = self.knowledge.dynamics.range(..=address).next_back()?;
        (end <= start + object.size).then_some(*object)
    }

    /// The address ranges of the objects that are allocated at a site, perhaps later in this run.
    pub(crate) fn objects_of_site(&mut self, site: Site) -> impl Iterator<Item = (u64, u64)> {
        self.asked_for_objects = true;
        self.knowledge.dynamics.values().filter(move |d| d.site == site).map(|d| (d.address, d.size))
    }

    /// There may be an object that this run allocates later.
    pub(crate) fn ask_for_objects(&mut self) {
        self.asked_for_objects = true;
    }

    /// All dynamic objects that are known.
    pub(crate) fn all_objects(&self) -> Vec<Dynamic> {
        self.knowledge.dynamics.values().copied().collect()
    }

    /// The address ranges of all dynamic objects.
    pub(crate) fn dynamics(&self) -> Vec<(u64, u64)> {
        self.knowledge.dynamics.values().map(|d| (d.address, d.size)).collect()
    }
}

/// At the end of the run.
impl Assumptions<'_> {
    /// Is a loop that is decided statically cut off after so many iterations? If nothing else is wrong, it may go on for longer in the next run.
    pub(crate) fn is_cut_off(&mut self, iterations: u32) -> bool {
        let is_cut = iterations >= self.knowledge.static_iterations;
        self.cut_static |= is_cut;
        is_cut
    }

    /// Compares what the run found with what it assumed.
    pub(crate) fn confirm(&mut self, pool: &ExprPool, writes: &[WriteEvent], dynamic_base: u64) -> Run<()> {
        let mut again = false;
        for cell in self.accesses.concurrent() {
            again |= self.knowledge.shared.insert(cell);
        }
        again |= self.learn_values(pool, writes);
        let new_objects = self.knowledge.dynamics.len() > self.objects_at_first;
        again |= new_objects && self.asked_for_objects;
        again |= self.was_wrong;
        again |= self.forget_old_objects(dynamic_base);
        if !again && self.cut_static && self.knowledge.static_iterations < 1 << 16 {
            self.knowledge.static_iterations *= 16;
            again = true;
        }
        if again { Err(Ended::Again) } else { Ok(()) }
    }

    /// Addresses of dynamic objects depend on what was allocated before them, so that with other bounds there are other objects. Those that
    /// this run did not allocate must not lie in the way of those that it did.
    fn forget_old_objects(&mut self, base: u64) -> bool {
        let knowledge = &mut *self.knowledge;
        if knowledge.dynamics.len() == self.allocated.len() {
            return false;
        }
        knowledge.dynamics.retain(|address, _| self.allocated.contains_key(address));
        knowledge.pieces.retain(|address, _| *address < base);
        knowledge.regions.retain(|address, _| *address < base);
        true
    }

    /// Joins the values that are written to the cells that were asked for.
    fn learn_values(&mut self, pool: &ExprPool, writes: &[WriteEvent]) -> bool {
        let mut asked: BTreeSet<Cell> = self.values.asked.iter().copied().collect();
        let mut changed = false;
        let read_from = std::mem::take(&mut self.values.read_from);
        loop {
            let mut sets = ValueSets::reading(read_from.clone());
            let mut grew = false;
            for write in writes {
                if !asked.contains(&write.cell) {
                    continue;
                }
                let values = sets.of(pool, write.value, &self.knowledge.values);
                let known = self.knowledge.values.entry(write.cell).or_insert_with(|| Some(BTreeSet::new()));
                let more = match (known.as_ref(), values) {
                    (None, _) => continue,
                    (Some(_), None) => None,
                    (Some(known), Some(values)) => {
                        if values.is_subset(known) {
                            continue;
                        }
                        let all: BTreeSet<u64> = known.union(&values).copied().collect();
                        (all.len() <= MOST_VALUES).then_some(all)
                    }
                };
                *known = more;
                grew = true;
            }
            let before = asked.len();
            asked.extend(sets.asked);
            if !grew && asked.len() == before {
                return changed;
            }
            changed |= grew;
        }
    }
}
