//! Guesses from what was seen (after Daikon; Ernst et al., 2007): everything of a few simple forms that no sample refutes.
//!
//! Of one term: it is a constant, one of few, bounded, even or odd. Of two terms that stand together in the code: their difference is a constant, one is less. A condition of the program
//! that was always true or always false. The same under a *guard*, where a term of few values (a flag, the word of a lock) has one of them: that is what a lock protects. Of two places:
//! that no two threads are there at once, and how their variables compare.

use crate::houdini::Guards;
use crate::invariant::Invariant;
use crate::sample::{Row, Samples};
use crate::system::{At, MOVER, OTHER, System};
use crate::terms::Terms;
use raddle_absint::Facts;
use raddle_ir::eval::{eval, mask, to_signed};
use raddle_ir::locks::{EXCLUSIVE, PART_BITS};
use raddle_ir::{BinOp, ExprId, Sort, Value, VarId};
use raddle_model::instances::Origin;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::convert::Infallible;

/// How much is guessed.
#[derive(Clone, Copy, Debug)]
pub struct Breadth {
    pub pairs: Pairs,
    /// Guesses under guards.
    pub guards: bool,
    /// What holds where a thread comes from is tried where something else was refuted.
    pub inherit: bool,
    /// The most about one place; with none, only what abstract interpretation found is taken.
    pub most: usize,
}

/// Of which two threads something is guessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pairs {
    None,
    /// Where others are while the first thread is at a place.
    WithFirst,
    All,
}

/// A term of few values has at most so many.
const FEW: usize = 4;
/// A term that tells which lock is meant, so many.
const MOST_SELECTED: usize = 24;
/// The same of what a procedure was given.
const MOST_GIVEN: usize = 40;
/// A place with more terms has no sums of them.
const MOST_SUMMANDS: usize = 16;
/// So many guards at one place.
const MOST_GUARDS: usize = 48;
/// With more places, it is not asked which of them go together.
const MOST_PLACES: usize = 120;

pub fn guess(system: &mut System, terms: &Terms, samples: &Samples, facts: &Facts, breadth: Breadth) -> Invariant {
    let mut invariant = Invariant::default();
    for at in system.places.clone() {
        let facts = facts.at.get(at.proc.index()).and_then(|of| of.get(at.loc.index())).cloned().unwrap_or_default();
        let facts = facts.into_iter().map(|fact| system.of_mover(fact)).collect();
        invariant.at.insert(at, facts);
    }
    if breadth.most == 0 {
        of_locks(system, &mut invariant);
        invariant.shared.extend(system.apart());
        return invariant;
    }
    of_locks(system, &mut invariant);
    invariant.shared.extend(system.apart());
    let bounds = bounds(system);
    let mut shared = Guesses::new(system, terms, &bounds, terms.shared.clone(), &samples.shared.all, breadth);
    shared.all(&[]);
    let seen = shared.done();
    invariant.shared.extend(seen);
    let known: FxHashSet<ExprId> = invariant.shared.iter().copied().collect();
    for at in system.places.clone() {
        let Some(rows) = samples.at.get(&at) else {
            let never = system.pool.bool(false);
            invariant.at.entry(at).or_default().insert(0, never);
            continue;
        };
        let mut all = terms.shared.clone();
        all.extend(terms.own(at));
        let atoms = terms.atoms.get(&at.proc).cloned().unwrap_or_default();
        let mut here = Guesses::new(system, terms, &bounds, all, &rows.all, breadth);
        here.all(&atoms);
        let conds = here.done();
        let all = invariant.at.entry(at).or_default();
        for cond in conds.into_iter().filter(|cond| !known.contains(cond)) {
            if !all.contains(&cond) {
                all.push(cond);
            }
        }
    }
    if breadth.pairs != Pairs::None && system.places.len() <= MOST_PLACES {
        together(system, terms, samples, breadth.pairs, &mut invariant);
    }
    invariant
}

/// Conditions under which a conjunct may hold that does not hold always: those of the program, which lock is held, and values of terms that have few.
pub fn guards(system: &mut System, terms: &Terms, samples: &Samples, breadth: Breadth) -> Guards {
    let mut guards = Guards { inherit: breadth.inherit, ..Guards::default() };
    if !breadth.guards {
        return guards;
    }
    let few = |system: &mut System, term: ExprId, values: &BTreeSet<u128>| -> Vec<ExprId> {
        let sort = system.pool.sort(term);
        let is_few = (2..=FEW).contains(&values.len()) && terms.flags.contains(&term) && sort != Sort::Bool;
        let values = values.iter().filter(|_| is_few);
        values
            .map(|value| {
                let value = raddle_model::number(&mut system.pool, sort, *value);
                system.pool.eq(term, value)
            })
            .collect()
    };
    for (i, &term) in terms.shared.iter().enumerate() {
        let values = samples.shared.all.iter().map(|row| row[i]).collect();
        guards.shared.extend(few(system, term, &values));
    }
    for proc in system.processes() {
        let mut own = guards.shared.clone();
        own.extend(terms.atoms.get(&proc).into_iter().flatten());
        for address in system.locks.clone() {
            let (held, none) =
                (system.lock_part(Origin::Held { slot: MOVER, address }), system.pool.bits(PART_BITS, 0));
            own.push(system.pool.eq(held, none));
        }
        let mut once = FxHashSet::default();
        own.retain(|guard| once.insert(*guard));
        guards.own.insert(proc, own);
    }
    guards
}

/// What locks are for: who holds one has it, and nobody else.
fn of_locks(system: &mut System, invariant: &mut Invariant) {
    for address in system.locks.clone() {
        let (word, none) = (system.lock_part(Origin::LockWord(address)), system.pool.bits(PART_BITS, 0));
        let taken = system.pool.bits(PART_BITS, EXCLUSIVE.into());
        let held = |system: &mut System, slot| {
            let held = system.lock_part(Origin::Held { slot, address });
            let shared = system.lock_part(Origin::HeldShared { slot, address });
            (system.pool.eq(held, none), system.pool.eq(shared, none))
        };
        let (not_held, not_shared) = held(system, MOVER);
        let (not_held_by_other, not_shared_by_other) = held(system, OTHER);
        let pool = &mut system.pool;
        let (is_taken, is_free) = (pool.eq(word, taken), pool.eq(word, none));
        let is_some = pool.not(is_free);
        invariant.thread.push(pool.or(not_held, is_taken));
        invariant.thread.extend([pool.or(not_shared, is_some), not_shared]);
        invariant.pair.push(pool.or(not_held, not_held_by_other));
        invariant.pair.push(pool.or(not_held, not_shared_by_other));
        let kind = system.lock_part(Origin::LockKind(address));
        invariant.shared.push(system.pool.eq(kind, none));
    }
    if system.calls.is_some() {
        return;
    }
    let (mine, other) = (system.handle(MOVER), system.handle(OTHER));
    invariant.pair.push(system.pool.ne(mine, other));
}

/// Numbers that bounds may be: constants of the program and their neighbours, by width.
fn bounds(system: &System) -> FxHashMap<u8, BTreeSet<u128>> {
    let mut all: FxHashMap<u8, BTreeSet<u128>> = FxHashMap::default();
    for c in system.program.pool.nodes().filter_map(|(id, _, _)| system.program.pool.as_const(id)) {
        if let Sort::Bits(width @ 2..=64) = c.sort {
            let known = all.entry(width).or_insert_with(|| BTreeSet::from([0, 1]));
            for bits in [c.bits, c.bits.wrapping_add(1) & mask(width), c.bits.wrapping_sub(1) & mask(width)] {
                known.insert(bits);
            }
        }
    }
    all
}

/// Guesses about the terms of one place.
struct Guesses<'a, 'p> {
    system: &'a mut System<'p>,
    terms: &'a Terms,
    bounds: &'a FxHashMap<u8, BTreeSet<u128>>,
    of: Vec<ExprId>,
    rows: &'a [Row],
    breadth: Breadth,
    found: Vec<ExprId>,
    held: FxHashMap<ExprId, Option<Vec<bool>>>,
}

impl<'a, 'p> Guesses<'a, 'p> {
    fn new(
        system: &'a mut System<'p>,
        terms: &'a Terms,
        bounds: &'a FxHashMap<u8, BTreeSet<u128>>,
        of: Vec<ExprId>,
        rows: &'a [Row],
        breadth: Breadth,
    ) -> Self {
        Guesses { system, terms, bounds, of, rows, breadth, found: Vec::new(), held: FxHashMap::default() }
    }

    fn done(mut self) -> Vec<ExprId> {
        let yes = self.system.pool.bool(true);
        self.found.retain(|cond| *cond != yes);
        let mut once = FxHashSet::default();
        self.found.retain(|cond| once.insert(*cond));
        self.found.truncate(self.breadth.most);
        self.found
    }

    fn all(&mut self, atoms: &[ExprId]) {
        let rows: Vec<usize> = (0..self.rows.len()).collect();
        let mut known = FxHashSet::default();
        let mut add = |found: &mut Vec<ExprId>, cond: ExprId| {
            if known.insert(cond) {
                found.push(cond);
            }
        };
        let mut found = Vec::new();
        // What says most comes first: there is room for so much only.
        for cond in self.exact(&rows).into_iter().chain(self.conditions(atoms, &rows)) {
            add(&mut found, cond);
        }
        let always: FxHashSet<ExprId> = found.iter().copied().collect();
        let guards = if self.breadth.guards { self.guards(atoms) } else { Vec::new() };
        let mut guarded = |this: &mut Self, guard: ExprId, then: Vec<ExprId>, found: &mut Vec<ExprId>| {
            let not = this.system.pool.not(guard);
            for cond in then.into_iter().filter(|cond| *cond != guard && !always.contains(cond)) {
                add(found, this.system.pool.or(not, cond));
            }
        };
        for (guard, rows) in &guards {
            let then = self.exact(rows).into_iter().chain(self.conditions(atoms, rows)).collect();
            guarded(self, *guard, then, &mut found);
        }
        self.found = found;
        for term in 0..self.of.len() {
            self.ranges(term);
        }
        let orders = self.orders(&rows);
        self.found.extend(orders);
        let mut found = std::mem::take(&mut self.found);
        for (guard, rows) in &guards {
            let then = self.orders(rows);
            guarded(self, *guard, then, &mut found);
        }
        self.found = found;
    }

    /// Conditions that hold in some rows only, and those rows: a term of few values has one of them, or a condition of the program holds or does not.
    fn guards(&mut self, atoms: &[ExprId]) -> Vec<(ExprId, Vec<usize>)> {
        let mut guards = Vec::new();
        for flag in 0..self.of.len() {
            if !self.terms.flags.contains(&self.of[flag]) {
                continue;
            }
            let values: BTreeSet<u128> = self.rows.iter().map(|row| row[flag]).collect();
            let is_selector = self.terms.selectors.contains(&self.of[flag]);
            let most = match self.system.calls {
                Some(_) if is_selector => MOST_GIVEN,
                _ if is_selector => MOST_SELECTED,
                _ => FEW,
            };
            if values.len() < 2 || values.len() > most {
                continue;
            }
            for value in values {
                let rows = (0..self.rows.len()).filter(|i| self.rows[*i][flag] == value).collect();
                guards.push((self.equals(self.of[flag], value), rows));
            }
        }
        for &atom in atoms {
            let Some(holds) = self.holds(atom) else { continue };
            let (yes, no): (Vec<usize>, Vec<usize>) = (0..holds.len()).partition(|row| holds[*row]);
            if !yes.is_empty() && !no.is_empty() {
                guards.push((atom, yes));
                guards.push((self.system.pool.not(atom), no));
            }
        }
        let mut once = FxHashSet::default();
        guards.retain(|(guard, _)| once.insert(*guard));
        guards.truncate(MOST_GUARDS);
        guards
    }

    fn equals(&mut self, term: ExprId, value: u128) -> ExprId {
        match self.system.pool.sort(term) {
            Sort::Bool if value == 1 => term,
            Sort::Bool => self.system.pool.not(term),
            sort => {
                let value = raddle_model::number(&mut self.system.pool, sort, value);
                self.system.pool.eq(term, value)
            }
        }
    }

    /// Constants, and differences that are constant.
    fn exact(&mut self, rows: &[usize]) -> Vec<ExprId> {
        let Some(&first) = rows.first() else { return Vec::new() };
        let mut found = Vec::new();
        for i in 0..self.of.len() {
            if self.is_constant(i, rows) {
                found.push(self.equals(self.of[i], self.rows[first][i]));
            }
        }
        for (i, j, width) in self.pairs(rows) {
            let distance = |row: usize| self.rows[row][i].wrapping_sub(self.rows[row][j]) & mask(width);
            let is_handle = self.terms.is_handle(self.of[i]) || self.terms.is_handle(self.of[j]);
            if is_handle && distance(first) != 0 {
                continue;
            }
            if rows.iter().all(|row| distance(*row) == distance(first)) {
                let distance = self.system.pool.bits(width, distance(first));
                let sum = self.system.pool.binary(BinOp::BvAdd, self.of[j], distance);
                found.push(self.system.pool.eq(self.of[i], sum));
            }
        }
        if self.system.calls.is_some() {
            self.sums(rows, &mut found);
        }
        found
    }

    /// Sums and differences of two terms, and low bits that are always the same or never: what contracts of procedures say.
    fn sums(&mut self, rows: &[usize], found: &mut Vec<ExprId>) {
        let varies: Vec<usize> = (0..self.of.len()).filter(|i| !self.is_constant(*i, rows)).collect();
        if rows.len() < 3 || varies.len() > MOST_SUMMANDS {
            return;
        }
        for (i, &a) in varies.iter().enumerate() {
            for &b in &varies[i + 1..] {
                let sort = self.system.pool.sort(self.of[a]);
                let Sort::Bits(width) = sort else { continue };
                let total = |row: &usize| self.rows[*row][a].wrapping_add(self.rows[*row][b]) & mask(width);
                if sort == self.system.pool.sort(self.of[b]) && rows.iter().all(|row| total(row) == total(&rows[0])) {
                    let sum = self.system.pool.binary(BinOp::BvAdd, self.of[a], self.of[b]);
                    let total = self.system.pool.bits(width, total(&rows[0]));
                    found.push(self.system.pool.eq(sum, total));
                }
            }
        }
        for &sum in varies.iter().filter(|sum| !self.terms.selectors.contains(&self.of[**sum])) {
            let Sort::Bits(width) = self.system.pool.sort(self.of[sum]) else { continue };
            let same: Vec<usize> =
                varies.iter().copied().filter(|i| self.system.pool.sort(self.of[*i]) == Sort::Bits(width)).collect();
            let value = |row: &usize, i: usize| self.rows[*row][i];
            for &a in same.iter().filter(|a| **a != sum) {
                let low = |row: &usize| (value(row, sum) ^ value(row, a)) & 1;
                if width > 1
                    && self.terms.selectors.contains(&self.of[a])
                    && rows.iter().all(|row| low(row) == low(&rows[0]))
                {
                    let pool = &mut self.system.pool;
                    let (x, y) = (pool.extract(0, 0, self.of[sum]), pool.extract(0, 0, self.of[a]));
                    found.push(if low(&rows[0]) == 0 { pool.eq(x, y) } else { pool.ne(x, y) });
                }
                for &b in same.iter().filter(|b| **b != sum && **b != a) {
                    if a < b
                        && rows
                            .iter()
                            .all(|row| value(row, sum) == value(row, a).wrapping_add(value(row, b)) & mask(width))
                    {
                        let right = self.system.pool.binary(BinOp::BvAdd, self.of[a], self.of[b]);
                        found.push(self.system.pool.eq(self.of[sum], right));
                    }
                    if self.terms.selectors.contains(&self.of[a])
                        && self.terms.selectors.contains(&self.of[b])
                        && rows
                            .iter()
                            .all(|row| value(row, sum) == value(row, a).wrapping_sub(value(row, b)) & mask(width))
                    {
                        let right = self.system.pool.binary(BinOp::BvSub, self.of[a], self.of[b]);
                        found.push(self.system.pool.eq(self.of[sum], right));
                    }
                }
            }
        }
    }

    fn is_constant(&self, term: usize, rows: &[usize]) -> bool {
        rows.windows(2).all(|pair| self.rows[pair[0]][term] == self.rows[pair[1]][term])
    }

    /// Related terms of one width that are not both constant.
    fn pairs(&self, rows: &[usize]) -> Vec<(usize, usize, u8)> {
        let constant: Vec<bool> = (0..self.of.len()).map(|i| self.is_constant(i, rows)).collect();
        let mut pairs = Vec::new();
        for i in 0..self.of.len() {
            for j in i + 1..self.of.len() {
                if let Sort::Bits(width) = self.system.pool.sort(self.of[i])
                    && !(constant[i] && constant[j])
                    && self.terms.are_related(self.of[i], self.of[j])
                {
                    pairs.push((i, j, width));
                }
            }
        }
        pairs
    }

    /// How related terms compare; a constant has bounds for that.
    fn orders(&mut self, rows: &[usize]) -> Vec<ExprId> {
        let mut found = Vec::new();
        for (i, j, width) in self.pairs(rows) {
            let is_handle = self.terms.is_handle(self.of[i]) || self.terms.is_handle(self.of[j]);
            if is_handle || self.is_constant(i, rows) || self.is_constant(j, rows) {
                continue;
            }
            let pairs: Vec<(u128, u128)> = rows.iter().map(|row| (self.rows[*row][i], self.rows[*row][j])).collect();
            self.order(width, self.of[i], self.of[j], &pairs, &mut found);
        }
        found
    }

    /// How two terms compare, if always alike.
    fn order(&mut self, width: u8, a: ExprId, b: ExprId, pairs: &[(u128, u128)], found: &mut Vec<ExprId>) {
        let pool = &mut self.system.pool;
        let sign = |x: u128| to_signed(width, x);
        let is_signed = pairs.iter().any(|(x, y)| sign(*x) < 0 || sign(*y) < 0);
        for (x, y, flip) in [(a, b, false), (b, a, true)] {
            let at = |pair: &(u128, u128)| if flip { (pair.1, pair.0) } else { *pair };
            for (op, strict, holds) in [
                (BinOp::SLe, BinOp::SLt, (|x, y| x <= y) as fn(i128, i128) -> bool),
                (BinOp::ULe, BinOp::ULt, (|x, y| (x as u128) <= (y as u128)) as fn(i128, i128) -> bool),
            ] {
                let value = |x: u128| if op == BinOp::SLe { sign(x) } else { x as i128 };
                if pairs.iter().map(at).all(|(x, y)| holds(value(x), value(y))) {
                    found.push(pool.binary(op, x, y));
                    if pairs.iter().map(at).all(|(x, y)| x != y) {
                        found.push(pool.binary(strict, x, y));
                    }
                }
                if !is_signed && op == BinOp::SLe && self.breadth.most < 100 {
                    break;
                }
            }
        }
        if pairs.iter().all(|(x, y)| x != y) {
            found.push(pool.ne(a, b));
        }
    }

    /// Bounds, few values, low bits.
    fn ranges(&mut self, term: usize) {
        let of = self.of[term];
        if self.terms.is_handle(of) {
            return;
        }
        let Sort::Bits(width) = self.system.pool.sort(of) else { return };
        if self.terms.locks.contains(&of) {
            return;
        }
        let values: BTreeSet<u128> = self.rows.iter().map(|row| row[term]).collect();
        if values.len() < 2 {
            return;
        }
        if values.len() <= FEW {
            let no = self.system.pool.bool(false);
            let any = values.iter().fold(no, |any, value| {
                let is_it = self.equals(of, *value);
                self.system.pool.or(any, is_it)
            });
            self.found.push(any);
        }
        for bits in [1, 2] {
            let low: BTreeSet<u128> = values.iter().map(|value| value & mask(bits)).collect();
            if let (1, Some(&low)) = (low.len(), low.first())
                && width > bits
            {
                let (part, low) = (self.system.pool.extract(bits - 1, 0, of), self.system.pool.bits(bits, low));
                self.found.push(self.system.pool.eq(part, low));
            }
        }
        let sign = |x: u128| to_signed(width, x);
        let limits: Vec<u128> = self.bounds.get(&width).into_iter().flatten().copied().collect();
        // The two nearest constants of the program on each side, and what was seen if that is small.
        for (op, flip, value) in [
            (BinOp::SLe, false, values.iter().map(|x| sign(*x)).max()),
            (BinOp::SLe, true, values.iter().map(|x| sign(*x)).min()),
            (BinOp::ULe, false, values.iter().map(|x| *x as i128).max()),
            (BinOp::ULe, true, values.iter().map(|x| *x as i128).min()),
        ] {
            let Some(value) = value else { continue };
            let read = |x: u128| if op == BinOp::SLe { sign(x) } else { x as i128 };
            let mut near: Vec<i128> = limits.iter().map(|x| read(*x)).collect();
            near.retain(|limit| if flip { *limit <= value } else { *limit >= value });
            near.sort_unstable_by_key(|limit| (limit - value).unsigned_abs());
            near.truncate(3);
            if value.unsigned_abs() <= 8 && !near.contains(&value) {
                near.push(value);
            }
            for limit in near {
                let limit = self.system.pool.bits(width, limit as u128 & mask(width));
                let (a, b) = if flip { (limit, of) } else { (of, limit) };
                self.found.push(self.system.pool.binary(op, a, b));
            }
        }
    }

    /// Conditions that were always true, or always false.
    fn conditions(&mut self, atoms: &[ExprId], rows: &[usize]) -> Vec<ExprId> {
        let mut found = Vec::new();
        for &atom in atoms {
            let Some(holds) = self.holds(atom) else { continue };
            let count = rows.iter().filter(|row| holds[**row]).count();
            if count == rows.len() {
                found.push(atom);
            } else if count == 0 {
                found.push(self.system.pool.not(atom));
            }
        }
        found
    }

    /// In which rows a condition holds, if it speaks of terms of this place only.
    fn holds(&mut self, atom: ExprId) -> Option<Vec<bool>> {
        if let Some(known) = self.held.get(&atom) {
            return known.clone();
        }
        let mut columns: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut holds = Some(Vec::new());
        for var in self.system.pool.vars(atom) {
            let term = self.system.pool.find(raddle_ir::Expr::Var(var));
            match term.and_then(|term| self.of.iter().position(|of| *of == term)) {
                Some(column) => {
                    columns.insert(var, column);
                }
                None => holds = None,
            }
        }
        if let Some(holds) = &mut holds {
            for row in self.rows {
                let mut env = |var: VarId| Ok::<_, Infallible>(Value::Bits(row[columns[&var]]));
                let Ok(value) = eval(&self.system.pool, atom, &mut env);
                holds.push(value.bits() == 1);
            }
        }
        self.held.insert(atom, holds.clone());
        holds
    }
}

/// Which places go together, and how the variables of the two threads compare.
fn together(system: &mut System, terms: &Terms, samples: &Samples, pairs: Pairs, invariant: &mut Invariant) {
    let mut places = system.places.clone();
    places.sort_unstable();
    for (i, &a) in places.iter().enumerate() {
        for &b in &places[i..] {
            let first = system.program.entry;
            if !system.may_meet(a, b) || pairs == Pairs::WithFirst && a.proc != first && b.proc != first {
                continue;
            }
            let conds = match samples.together.get(&(a, b)) {
                None => vec![system.pool.bool(false)],
                Some(_) if pairs == Pairs::WithFirst => continue,
                Some(rows) => compared(system, terms, a, b, &rows.all),
            };
            if !conds.is_empty() {
                invariant.together.insert((a, b), conds);
            }
        }
    }
}

fn compared(system: &mut System, terms: &Terms, a: At, b: At, rows: &[Row]) -> Vec<ExprId> {
    let (shared, first, second) = (terms.shared.len(), terms.own(a).to_vec(), terms.own(b).to_vec());
    let mut found = Vec::new();
    // A shared term that has one value while both are there.
    for (i, &term) in terms.shared.iter().enumerate() {
        let value = rows[0][i];
        if rows.len() > 1 && rows.iter().all(|row| row[i] == value) && terms.flags.contains(&term) {
            let sort = system.pool.sort(term);
            let is_it = raddle_model::number(&mut system.pool, sort, value);
            found.push(system.pool.eq(term, is_it));
        }
    }
    for (i, &x) in first.iter().enumerate() {
        for (j, &y) in second.iter().enumerate() {
            if system.pool.sort(x) != system.pool.sort(y) || !matches!(system.pool.sort(x), Sort::Bits(_)) {
                continue;
            }
            if x != y && !terms.are_related(x, y) {
                continue;
            }
            let pairs = || rows.iter().map(|row| (row[shared + i], row[shared + first.len() + j]));
            let y = system.renamed(y, MOVER, OTHER);
            if pairs().all(|(x, y)| x != y) {
                found.push(system.pool.ne(x, y));
            } else if (rows.len() > 2 || terms.is_handle(second[j])) && pairs().all(|(x, y)| x == y) {
                found.push(system.pool.eq(x, y));
            }
        }
    }
    found.truncate(40);
    found
}
