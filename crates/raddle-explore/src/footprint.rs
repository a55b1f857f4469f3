//! Which shared things a thread may touch: in its next step, and in all its future from a location on.
//!
//! The things are numbered bits: each global variable, the bytes of each object, its locks, and a few special ones. A set of things read
//! and one of things written make a footprint; two steps may depend on each other only if one writes what the other
//! touches. Things that nobody ever writes have no bit.
//!
//! - `ALIVE` is written by what ends the program, and read by what must not be missed because of that: an error, a recursion bound,
//!   an access that may break a guess. What counts are executions that reach such a thing, and these do not contain the
//!   end of the program. So a next step only depends on a future through it if the next step ends the program.
//! - `THREADS` is written by starting a thread (handles are given out in order).
//! - `ALLOC` is read by an allocation and written by freeing something that another thread may have allocated: addresses
//!   are given out separately for each thread, so allocations alone do not disturb each other.
//! - Of a lock, taking it writes (shared: reads) its first bit; trying, making and destroying it write both bits, and releasing it only reads the
//!   second: a release can always be moved before what other threads do meanwhile, unless that is something that does not just wait for it.
//! - The end of a thread other than the first touches nothing: whoever joins it comes later anyway. But its stack objects go.
//!
//! Objects of allocation sites whose address never leaves the thread have no bits (see `address_guess`).

use crate::address_guess::{AddressGuess, for_each_label};
use crate::futures::{Futures, join, lock_addresses, solve};
use crate::touched::condition;
use raddle_interp::machine::code::{Code, LabelCode, LockCode, Shape};
use raddle_ir::{Label, LockOp, ObjectKind, Place, Storage, VarKind};
use rustc_hash::FxHashSet;

const ALIVE: u32 = 0;
const THREADS: u32 = 1;
const ALLOC: u32 = 2;
const FIRST: u32 = 3;

/// Before things that nobody writes are dropped.
struct Numbering {
    vars: u32,
    objects: u32,
}

impl Numbering {
    fn var(&self, var: u32) -> u32 {
        FIRST + var
    }
    /// The bytes of an object; then come the two bits of its locks. The last object stands for all that is in no object.
    fn object(&self, object: u32) -> u32 {
        FIRST + self.vars + 3 * object
    }
    fn site(&self, site: u32) -> u32 {
        self.object(self.objects) + 3 * site
    }
}

const NO_BIT: u32 = u32::MAX;

/// Futures without a lock are made for at most so many locks, and no more than so many words of them.
const MOST_LOCKS: usize = 16;
const LARGEST_FUTURES: usize = 1 << 23;

/// Sets of things read, then of things written: `2 * words` words for each location.
pub struct Footprints {
    pub words: usize,
    next: Vec<u64>,
    /// The same for each edge, and the locations where that is more precise: all edges begin with a condition.
    next_on: Vec<u64>,
    branches: Vec<bool>,
    /// From each location on; first the plain futures, then those without each of `locks`.
    futures: Vec<Futures>,
    /// Locks with constant addresses, and the bit that is written by whoever might free them without being their owner.
    pub locks: Vec<(u64, Option<u32>)>,
    /// Locations whose next step may reach over calls, so that it may touch all that the thread may touch.
    whole: Vec<bool>,
    /// Locations whose only edge begins with its one access, through a computed address.
    computed: Vec<Option<Computed>>,
    /// The stack objects that a process loses at its end.
    ends: Vec<Vec<u64>>,
    bit_of: Vec<u32>,
    numbering: Numbering,
}

/// An access whose address is known in each state.
#[derive(Clone, Copy, Debug)]
pub struct Computed {
    pub label: u32,
    pub access: Access,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Read,
    Write,
    Lock { first_written: bool, first_read: bool, second_written: bool },
}

fn lock_access(op: &LockOp) -> Access {
    let (first_written, first_read, second_written) = match op {
        LockOp::Acquire | LockOp::AcquireWrite => (true, false, false),
        LockOp::AcquireShared => (false, true, false),
        LockOp::Release => (false, false, false),
        _ => (true, false, true),
    };
    Access::Lock { first_written, first_read, second_written }
}

/// Calls `f(bit, written)` for what an access to the thing with these bits touches.
fn access_bits(first: u32, access: Access, f: &mut dyn FnMut(u32, bool)) {
    match access {
        Access::Read => f(first, false),
        Access::Write => f(first, true),
        Access::Lock { first_written, first_read, second_written } => {
            if first_written || first_read {
                f(first + 1, first_written);
            }
            f(first + 2, second_written);
        }
    }
}

pub fn footprints(code: &Code, guess: &AddressGuess) -> Footprints {
    let program = code.program;
    let numbering = Numbering { vars: program.vars.len() as u32, objects: program.objects.len() as u32 + 1 };
    let bits = numbering.site(guess.sites.len() as u32) as usize;
    let mut written = vec![false; bits];
    written[ALIVE as usize] = true;
    for_each_label(code, |_, index, label| {
        label_bits(code, guess, &numbering, index, label, &mut |bit, write| written[bit as usize] |= write);
    });
    // Stack objects are freed without a label.
    for (i, site) in guess.sites.iter().enumerate() {
        written[numbering.site(i as u32) as usize] |= site.storage == Storage::Stack;
    }
    let mut bit_of = vec![NO_BIT; bits];
    let mut count = 0;
    for (bit, written) in written.iter().enumerate() {
        if *written {
            bit_of[bit] = count;
            count += 1;
        }
    }
    let words = (count as usize).div_ceil(64).max(1);
    let locations: usize = code.procs.iter().map(|p| p.locs.len()).sum();
    let mut prints = Footprints {
        words,
        next: vec![0; 2 * words * locations],
        next_on: vec![0; 2 * words * code.edges.len()],
        branches: vec![false; locations],
        futures: Vec::new(),
        locks: Vec::new(),
        whole: vec![false; locations],
        computed: vec![None; locations],
        ends: Vec::new(),
        bit_of,
        numbering,
    };
    let rows = edge_rows(code, guess, &prints);
    for (p, proc) in code.procs.iter().enumerate() {
        prints.ends.push(prints.lost_at_end(guess, Some(p as u32)));
        for (l, loc) in proc.locs.iter().enumerate() {
            let at = proc.first_loc as usize + l;
            prints.next_of_location(code, &rows, p, l, at);
            if let Shape::Single(edge) = loc.shape {
                prints.computed[at] = computed_access(code, edge);
            }
        }
    }
    let locks = lock_addresses(code);
    let most = (LARGEST_FUTURES / (2 * words * locations).max(1)).min(MOST_LOCKS);
    for without in std::iter::once(None).chain(locks.into_iter().take(most).map(Some)) {
        let mut futures = solve(code, 2 * words, &rows, &prints.ends, without);
        let alive = prints.alive();
        futures.rows_mut().for_each(|row| row[words] &= !alive);
        prints.futures.push(futures);
        if let Some(address) = without {
            let object = code.object_at(address, 0).map_or(prints.numbering.objects - 1, |found| found.0);
            let second = prints.bit_of[prints.numbering.object(object) as usize + 2];
            prints.locks.push((address, (second != NO_BIT).then_some(second)));
        }
    }
    prints
}

/// The access of an edge that begins with it and touches nothing else.
fn computed_access(code: &Code, edge: u32) -> Option<Computed> {
    let e = code.edges[edge as usize];
    let labels = &code.program.procs[e.proc as usize].edges[e.id.index()].labels;
    let simple =
        |l: &Label| matches!(l, Label::Assign { .. } | Label::Assume(_) | Label::Require { .. } | Label::Fence(_));
    if !labels[1.min(labels.len())..].iter().all(simple) {
        return None;
    }
    let access = match (code.labels.get(e.first as usize)?, labels.first()?) {
        (LabelCode::LoadMemory { .. }, _) => Access::Read,
        (LabelCode::StoreMemory { .. }, _) => Access::Write,
        (LabelCode::Lock { op, .. }, Label::Lock { op: ir, .. }) if !matches!(op, LockCode::Init(_)) => lock_access(ir),
        _ => return None,
    };
    Some(Computed { label: e.first, access })
}

/// Calls `f(bit, written)` for what a label may touch.
fn label_bits(
    code: &Code,
    guess: &AddressGuess,
    numbering: &Numbering,
    index: u32,
    label: &Label,
    f: &mut dyn FnMut(u32, bool),
) {
    let is_data = |object: u32| matches!(code.program.objects[object as usize].kind, ObjectKind::Data { .. });
    let memory = |access: Access, f: &mut dyn FnMut(u32, bool)| match guess.targets(index) {
        Some((objects, sites)) => {
            objects.filter(|o| is_data(*o)).for_each(|o| access_bits(numbering.object(o), access, f));
            for site in sites.filter(|s| guess.sites[*s as usize].escapes) {
                access_bits(numbering.site(site), access, f);
            }
        }
        None => {
            (0..numbering.objects - 1)
                .filter(|o| is_data(*o))
                .chain([numbering.objects - 1])
                .for_each(|o| access_bits(numbering.object(o), access, f));
            for site in (0..guess.sites.len() as u32).filter(|s| guess.sites[*s as usize].escapes) {
                access_bits(numbering.site(site), access, f);
            }
        }
    };
    let place = |place: &Place, access: Access, f: &mut dyn FnMut(u32, bool)| match place {
        Place::Var(v) => {
            if matches!(code.program.var(*v).kind, VarKind::Global(_)) {
                f(numbering.var(v.0), access == Access::Write);
            }
        }
        Place::Memory(_) => memory(access, f),
    };
    if guess.is_guess(index) {
        f(ALIVE, false);
    }
    match label {
        Label::Load { place: p, .. } => place(p, Access::Read, f),
        Label::Store { place: p, .. } => place(p, Access::Write, f),
        Label::Alloc { .. } => f(ALLOC, false),
        Label::ObjectSize { .. } | Label::Valid { .. } => memory(Access::Read, f),
        Label::Free { .. } => {
            let private = guess.targets(index).is_some_and(|(mut objects, mut sites)| {
                objects.next().is_none() && sites.all(|s| !guess.sites[s as usize].escapes)
            });
            if !private {
                f(ALLOC, true);
                memory(Access::Write, f);
                memory(Access::Lock { first_written: true, first_read: false, second_written: true }, f);
            }
        }
        Label::Start { .. } => f(THREADS, true),
        Label::Lock { op, .. } => memory(lock_access(op), f),
        Label::ThreadExit { .. } => {
            for (i, site) in guess.sites.iter().enumerate() {
                if site.escapes && site.storage == Storage::Stack {
                    let first = numbering.site(i as u32);
                    (first..first + 3).for_each(|bit| f(bit, true));
                }
            }
        }
        Label::Error(_) => f(ALIVE, false),
        Label::Halt { .. } => f(ALIVE, true),
        _ => {}
    }
}

/// One row for each edge.
fn edge_rows(code: &Code, guess: &AddressGuess, prints: &Footprints) -> Vec<u64> {
    let size = 2 * prints.words;
    let mut rows = vec![0; size * code.edges.len()];
    for (i, edge) in code.edges.iter().enumerate() {
        let row = &mut rows[size * i..size * (i + 1)];
        let labels = &code.program.procs[edge.proc as usize].edges[edge.id.index()].labels;
        for (k, label) in labels.iter().enumerate() {
            label_bits(code, guess, &prints.numbering, edge.first + k as u32, label, &mut |bit, write| {
                prints.set(row, bit, write);
            });
        }
        let proc = &code.procs[edge.proc as usize];
        if edge.target == proc.exit {
            let lost = prints.lost_at_end(guess, Some(edge.proc));
            row.iter_mut().zip(&lost).for_each(|(a, b)| *a |= b);
        }
        if proc.locs[edge.target as usize].cut_off {
            prints.set(row, ALIVE, false);
        }
    }
    rows
}

impl Footprints {
    fn set(&self, row: &mut [u64], bit: u32, write: bool) {
        let bit = self.bit_of[bit as usize];
        if bit != NO_BIT {
            let offset = if write { self.words } else { 0 };
            row[offset + bit as usize / 64] |= 1 << (bit % 64);
        }
    }

    /// The stack objects of a procedure (or of all) whose address may have left the thread.
    fn lost_at_end(&self, guess: &AddressGuess, proc: Option<u32>) -> Vec<u64> {
        let mut row = vec![0; 2 * self.words];
        for (i, site) in guess.sites.iter().enumerate() {
            if site.escapes && site.storage == Storage::Stack && proc.is_none_or(|p| p == site.proc) {
                // Its bytes, and its lock.
                let first = self.numbering.site(i as u32);
                (first..first + 3).for_each(|bit| self.set(&mut row, bit, true));
            }
        }
        row
    }

    /// What the next step from a location may touch: all edges from it, and all of the atomic blocks that begin on them.
    fn next_of_location(&mut self, code: &Code, rows: &[u64], proc: usize, loc: usize, at: usize) {
        let size = 2 * self.words;
        let location = &code.procs[proc].locs[loc];
        for edge in &location.edges {
            self.next_of_edge(code, rows, proc, *edge, at);
            let of_edge = size * *edge as usize;
            // Only what ends the program depends on others through `ALIVE`.
            self.next_on[of_edge] &= !self.alive();
            join(&mut self.next[size * at..size * (at + 1)], &self.next_on[of_edge..of_edge + size]);
        }
        let row = |edge: &u32| &self.next_on[size * *edge as usize..size * (*edge as usize + 1)];
        self.branches[at] = location.edges.iter().all(|edge| condition(code, *edge).is_some())
            && location.edges.windows(2).any(|pair| row(&pair[0]) != row(&pair[1]));
    }

    fn next_of_edge(&mut self, code: &Code, rows: &[u64], proc: usize, first: u32, at: usize) {
        let size = 2 * self.words;
        let p = &code.procs[proc];
        let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
        let mut work: Vec<(u32, u32)> = vec![(first, 0)];
        while let Some((edge, mut depth)) = work.pop() {
            let e = code.edges[edge as usize];
            let row = &rows[size * edge as usize..size * (edge as usize + 1)];
            join(&mut self.next_on[size * first as usize..size * (first as usize + 1)], row);
            for label in &code.labels[e.first as usize..e.end as usize] {
                match label {
                    LabelCode::AtomicBegin => depth += 1,
                    LabelCode::AtomicEnd => depth = depth.saturating_sub(1),
                    LabelCode::Call(_) if depth > 0 => self.whole[at] = true,
                    _ => {}
                }
            }
            if depth > 0 && depth < 100 && seen.insert((e.target, depth)) {
                // The block goes on in the caller.
                self.whole[at] |= e.target == p.exit;
                work.extend(p.locs[e.target as usize].edges.iter().map(|next| (*next, depth)));
            }
            self.whole[at] |= depth >= 100;
        }
    }

    /// The bit `ALIVE`, in the first word of the things read or written.
    fn alive(&self) -> u64 {
        1 << self.bit_of[ALIVE as usize]
    }

    pub fn next(&self, location: u32) -> &[u64] {
        let size = 2 * self.words;
        &self.next[size * location as usize..size * (location as usize + 1)]
    }

    /// Do the edges from a location begin with conditions, and touch different things?
    pub fn is_branch(&self, location: u32) -> bool {
        self.branches[location as usize]
    }

    /// What the next step may touch if it takes this edge.
    pub fn next_on(&self, edge: u32) -> &[u64] {
        let size = 2 * self.words;
        &self.next_on[size * edge as usize..size * (edge as usize + 1)]
    }

    /// The futures of all locations: 0 for the plain ones, `i + 1` for those without lock `i`.
    pub fn futures(&self, which: usize) -> &Futures {
        &self.futures[which]
    }

    /// The locks (as bits, by position in `locks`) whose owner others must wait for: none of these footprints (things written) may free or remake them.
    pub fn firm_locks(&self, futures: &[u64]) -> u32 {
        let firm = |bit: &Option<u32>| {
            bit.is_none_or(|bit| {
                let written = futures.chunks(2 * self.words).map(|row| row[self.words + bit as usize / 64]);
                written.into_iter().all(|word| word >> (bit % 64) & 1 == 0)
            })
        };
        self.locks.iter().enumerate().filter(|(_, l)| firm(&l.1)).fold(0, |set, (i, _)| set | 1 << i)
    }

    pub fn is_whole(&self, location: u32) -> bool {
        self.whole[location as usize]
    }

    pub fn computed(&self, location: u32) -> Option<Computed> {
        self.computed[location as usize]
    }

    /// What the end of a process touches.
    pub fn end(&self, proc: u32) -> &[u64] {
        &self.ends[proc as usize]
    }

    /// Does a step start a thread?
    pub fn starts_thread(&self, row: &[u64]) -> bool {
        let bit = self.bit_of[THREADS as usize];
        bit != NO_BIT && row[self.words + bit as usize / 64] >> (bit % 64) & 1 != 0
    }

    pub fn add_program_end(&self, row: &mut [u64]) {
        self.set(row, ALIVE, true);
    }

    /// The footprint of an access to an object: a static one, or (`Err`) one from an allocation site.
    pub fn add_access(&self, row: &mut [u64], guess: &AddressGuess, thing: Result<u32, u32>, access: Access) {
        let first = match thing {
            Ok(object) => self.numbering.object(object),
            Err(site) if guess.sites[site as usize].escapes => self.numbering.site(site),
            Err(_) => return,
        };
        access_bits(first, access, &mut |bit, write| self.set(row, bit, write));
    }
}

/// May a step with the first footprint depend on one with the second?
#[inline]
pub fn depends(words: usize, next: &[u64], future: &[u64]) -> bool {
    let (reads, writes) = next.split_at(words);
    let (other_reads, other_writes) = future.split_at(words);
    (0..words).any(|i| reads[i] & other_writes[i] | writes[i] & (other_reads[i] | other_writes[i]) != 0)
}
