//! What guesses speak of: shared variables, cells of small arrays, words of locks; and of a thread, its live variables, what it holds, and its handle.

use crate::likely_places::likely_places;
use crate::system::{ANY_LOCK, At, MOVER, System};
use fixedbitset::FixedBitSet;
use raddle_analysis::{Output, live_locals};
use raddle_ir::eval::mask;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Label, LockOp, Place, Sort, VarId, VarKind};
use raddle_model::instances::Origin;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Arrays with more cells are not looked at cell by cell.
const MOST_CELLS: usize = 24;
/// A comparison is made of so many other variables at most.
const MOST_COPIES: usize = 6;

pub struct Terms {
    pub shared: Vec<ExprId>,
    own: FxHashMap<At, Vec<ExprId>>,
    /// The variable that holds the handle of the thread in slot `MOVER`.
    pub handle: VarId,
    handle_term: ExprId,
    /// The one that holds the address that may be any.
    pub any: Option<VarId>,
    /// Terms that stand together in some statement.
    related: FxHashSet<(ExprId, ExprId)>,
    /// Terms that conditions mention, and parts of locks.
    pub flags: FxHashSet<ExprId>,
    /// Parts of locks: numbers of which only the values matter.
    pub locks: FxHashSet<ExprId>,
    /// Terms that tell which lock or cell is meant: guards although they have many values.
    pub selectors: FxHashSet<ExprId>,
    /// Conditions, over the variables of slot `MOVER`, by process.
    pub atoms: FxHashMap<raddle_ir::ProcId, Vec<ExprId>>,
}

impl Terms {
    pub fn own(&self, at: At) -> &[ExprId] {
        self.own.get(&at).map_or(&[], Vec::as_slice)
    }

    /// Do they stand together in some statement? Any variable may hold a handle.
    pub fn are_related(&self, a: ExprId, b: ExprId) -> bool {
        self.related.contains(&(a.min(b), a.max(b))) || self.is_handle(a) || self.is_handle(b)
    }

    pub fn is_handle(&self, term: ExprId) -> bool {
        term == self.handle_term
    }
}

pub fn terms(system: &mut System) -> Terms {
    let program = system.program;
    let is_plain = |sort: Sort| matches!(sort, Sort::Bool) || matches!(sort, Sort::Bits(width) if width <= 64);
    let mut used = FixedBitSet::with_capacity(program.vars.len());
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        if let Some(Place::Var(var)) = label.place() {
            used.insert(var.index());
        }
    }
    let mut shared = Vec::new();
    for (i, var) in program.vars.iter().enumerate() {
        if matches!(var.kind, VarKind::Global(_)) && is_plain(var.sort) && used.contains(i) {
            shared.push(system.pool.var(VarId(i as u32), var.sort));
        }
    }
    let (mut flags, mut locks) = (FxHashSet::default(), FxHashSet::default());
    let shares = program
        .procs
        .iter()
        .flat_map(|proc| &proc.edges)
        .flat_map(|edge| &edge.labels)
        .any(|label| matches!(label, Label::Lock { op: LockOp::AcquireShared | LockOp::TryAcquireShared, .. }));
    for address in system.locks.clone() {
        let word = system.lock_part(Origin::LockWord(address));
        shared.push(word);
        locks.insert(word);
    }
    for (array, place) in cells(system) {
        let array = system.pool.var(array, system.vars.sort(array));
        shared.push(system.pool.select(array, place));
    }
    let joins = program
        .procs
        .iter()
        .flat_map(|proc| &proc.edges)
        .flat_map(|edge| &edge.labels)
        .any(|label| matches!(label, Label::Join { .. } | Label::Self_ { .. }));
    let handle = system.handle(MOVER);
    let handle_var = match system.pool.get(handle) {
        Expr::Var(var) => var,
        _ => VarId(0),
    };
    let mut own: FxHashMap<At, Vec<ExprId>> = FxHashMap::default();
    for proc in system.processes() {
        let live = live_locals(program.proc(proc), &program.pool, Output::Read);
        for at in system.places.clone().into_iter().filter(|at| at.proc == proc) {
            let mut all = Vec::new();
            for &var in live.at(at.loc) {
                if is_plain(program.var(var).sort) {
                    all.push(system.instance(MOVER, var));
                }
            }
            for (i, var) in program.vars.iter().enumerate() {
                if matches!(var.kind, VarKind::ThreadLocal(_)) && is_plain(var.sort) && used.contains(i) {
                    all.push(system.instance(MOVER, VarId(i as u32)));
                }
            }
            for address in system.locks.clone() {
                let part = system.lock_part(Origin::Held { slot: MOVER, address });
                all.push(part);
                locks.insert(part);
            }
            if shares {
                for address in system.locks.clone() {
                    let part = system.lock_part(Origin::HeldShared { slot: MOVER, address });
                    all.push(part);
                    locks.insert(part);
                }
            }
            if joins {
                all.push(handle);
            }
            if system.entry(proc) != at {
                all.extend(remembered(system, proc).into_iter().filter(|term| is_plain(system.pool.sort(*term))));
            }
            let mut once = FxHashSet::default();
            all.retain(|term| once.insert(*term));
            own.insert(at, all);
        }
    }
    let (mut related, mut atoms) = syntax(system, &mut flags);
    let mut selectors = FxHashSet::default();
    contracts(system, &mut related, &mut atoms);
    for proc in system.processes() {
        let remembered = remembered(system, proc);
        selectors.extend(&remembered);
        flags.extend(&remembered);
    }
    if system.follows_any_lock() {
        for (proc, lock) in system.selectors.clone() {
            let is_it = system.is_lock(lock, ANY_LOCK);
            atoms.entry(proc).or_default().push(is_it);
        }
        shared.push(system.any_address());
    }
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        if let Label::Lock { lock, .. } = label {
            for var in program.pool.vars(*lock) {
                let selector = system.instance(MOVER, var);
                selectors.insert(selector);
                flags.insert(selector);
            }
        }
    }
    flags.extend(&locks);
    let any = system.follows_any_lock().then(|| system.any_address()).and_then(|any| match system.pool.get(any) {
        Expr::Var(var) => Some(var),
        _ => None,
    });
    Terms { shared, own, handle: handle_var, handle_term: handle, any, related, flags, locks, selectors, atoms }
}

/// What an activation of a procedure remembers of how it was called.
fn remembered(system: &mut System, proc: raddle_ir::ProcId) -> Vec<ExprId> {
    let ghosts = system.calls.as_ref().and_then(|given| given.ghosts.get(&proc)).cloned();
    ghosts.iter().flat_map(|ghosts| ghosts.vars()).map(|ghost| system.instance(MOVER, ghost)).collect()
}

/// What contracts of procedures speak of: the result and what the globals are is related to what was given and found, and conditions about parameters and globals are of interest to what these were.
fn contracts(system: &mut System, related: &mut Related, atoms: &mut Atoms) {
    let Some(given) = system.calls.clone() else { return };
    for (&proc, ghosts) in &given.ghosts {
        let procedure = system.program.proc(proc);
        let mut group = remembered(system, proc);
        let mut now: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for (&param, &ghost) in procedure.params.iter().zip(&ghosts.params) {
            now.insert(system.vars.instance(system.program, MOVER, param), system.instance(MOVER, ghost));
        }
        for &(global, ghost) in &ghosts.found {
            now.insert(global, system.instance(MOVER, ghost));
        }
        let vars: Vec<VarId> = now.keys().copied().collect();
        group.extend(vars.into_iter().map(|var| system.pool.var(var, system.vars.sort(var))));
        group.extend(procedure.result.map(|result| system.instance(MOVER, result)));
        for (i, &a) in group.iter().enumerate() {
            for &b in &group[i + 1..] {
                if system.pool.sort(a) == system.pool.sort(b) {
                    related.insert((a.min(b), a.max(b)));
                }
            }
        }
        let known = atoms.entry(proc).or_default();
        for atom in known.clone() {
            known.push(system.pool.substitute(atom, &mut |var| now.get(&var).copied()));
        }
        known.sort_unstable();
        known.dedup();
    }
}

/// Cells of arrays that accesses seem to mean: by their addresses, or by their distance from the lock that stands for all.
fn cells(system: &mut System) -> Vec<(VarId, ExprId)> {
    let program = system.program;
    let mut by_array: FxHashMap<VarId, Vec<ExprId>> = FxHashMap::default();
    let mut near = BTreeSet::new();
    for proc in &program.procs {
        let labels = || proc.edges.iter().flat_map(|edge| &edge.labels);
        let mut locks: Vec<(Option<ExprId>, u128)> = Vec::new();
        for label in labels() {
            if let Label::Lock { lock, .. } = label {
                locks.push(distance(&program.pool, *lock));
            }
        }
        for label in labels() {
            let Some(Place::Memory(address)) = label.place() else { continue };
            let Some(array) = system.memory.array_at(address) else { continue };
            by_array.entry(array).or_default().push(address);
            let (from, offset) = distance(&program.pool, address);
            for (_, other) in locks.iter().filter(|(other, _)| from.is_some() && *other == from) {
                near.insert((array, offset.wrapping_sub(*other)));
            }
        }
    }
    let mut all = Vec::new();
    if system.follows_any_lock() {
        let locks: Vec<ExprId> = (system.locks.clone().into_iter())
            .map(|address| match address {
                ANY_LOCK => system.any_address(),
                _ => system.pool.bits(program.pointer_bits, address.into()),
            })
            .collect();
        for (array, offset) in near.into_iter().take(MOST_CELLS) {
            let offset = system.pool.bits(program.pointer_bits, offset & mask(program.pointer_bits));
            all.extend(locks.iter().map(|lock| (array, system.pool.binary(BinOp::BvAdd, *lock, offset))));
        }
        return all;
    }
    for (array, mut addresses) in by_array {
        addresses.sort_unstable();
        addresses.dedup();
        let places = likely_places(program, addresses, MOST_CELLS);
        if places.len() <= MOST_CELLS {
            let index = |place: u64| system.pool.bits(program.pointer_bits, place.into());
            all.extend(places.into_iter().map(index).map(|place| (array, place)));
        }
    }
    all.sort_unstable();
    all
}

/// An address as a constant behind something.
pub fn distance(pool: &ExprPool, address: ExprId) -> (Option<ExprId>, u128) {
    match (pool.get(address), pool.as_const(address)) {
        (_, Some(constant)) => (None, constant.bits),
        (Expr::Binary(BinOp::BvAdd, a, b), _) => match (pool.as_const(a), pool.as_const(b)) {
            (Some(offset), _) => (Some(b), offset.bits),
            (_, Some(offset)) => (Some(a), offset.bits),
            _ => (Some(address), 0),
        },
        _ => (Some(address), 0),
    }
}

type Related = FxHashSet<(ExprId, ExprId)>;
type Atoms = FxHashMap<raddle_ir::ProcId, Vec<ExprId>>;

/// What stands together in the code: through temporaries that are loaded from a shared variable or computed from others.
fn syntax(system: &mut System, flags: &mut FxHashSet<ExprId>) -> (Related, Atoms) {
    let program = system.program;
    let mut related: Related = FxHashSet::default();
    let mut atoms: Atoms = FxHashMap::default();
    for proc in system.processes() {
        // What each local may be a copy of or computed from, two steps back.
        let mut sources: FxHashMap<VarId, FxHashSet<VarId>> = FxHashMap::default();
        let mut groups: Vec<Vec<VarId>> = Vec::new();
        let mut definitions: FxHashMap<VarId, Option<ExprId>> = FxHashMap::default();
        for label in program.proc(proc).edges.iter().flat_map(|edge| &edge.labels) {
            let mut group = Vec::new();
            label.for_each_expr(|expr| group.extend(program.pool.vars(expr)));
            let written = label.written_local().or(match label {
                Label::Store { place: Place::Var(to), .. } => Some(*to),
                _ => None,
            });
            if let Label::Load { place: Place::Var(from), .. } = label {
                group.push(*from);
            }
            if let Some(written) = written {
                sources.entry(written).or_default().extend(&group);
                group.push(written);
            }
            groups.push(group);
            let value = match label {
                Label::Assign { value, .. } => Some(*value),
                Label::Load { var, place: Place::Var(from), .. } => {
                    Some(system.pool.var(*from, program.var(*var).sort))
                        .filter(|_| program.var(*from).sort == program.var(*var).sort)
                }
                _ => None,
            };
            if let Some(var) = label.written_local() {
                definitions.entry(var).and_modify(|known| *known = None).or_insert(value);
            }
        }
        for group in &mut groups {
            for _ in 0..2 {
                let more: Vec<VarId> = group.iter().filter_map(|var| sources.get(var)).flatten().copied().collect();
                for var in more {
                    if !group.contains(&var) && group.len() < 12 {
                        group.push(var);
                    }
                }
            }
            let terms: Vec<ExprId> = group.iter().map(|var| system.instance(MOVER, *var)).collect();
            for (i, &a) in terms.iter().enumerate() {
                for &b in &terms[i + 1..] {
                    if a != b && system.pool.sort(a) == system.pool.sort(b) {
                        related.insert((a.min(b), a.max(b)));
                    }
                }
            }
        }
        let mut found: Vec<ExprId> = Vec::new();
        for label in program.proc(proc).edges.iter().flat_map(|edge| &edge.labels) {
            let (Label::Assume(cond) | Label::Await(cond)) = label else { continue };
            let mut cond = *cond;
            for _ in 0..4 {
                atoms_of(system, cond, &mut found);
                let defined = system.pool.substitute(cond, &mut |var| definitions.get(&var).copied().flatten());
                if defined == cond {
                    break;
                }
                cond = defined;
            }
        }
        let mut mine = Vec::new();
        for atom in found {
            let vars = system.pool.vars(atom);
            for var in &vars {
                flags.insert(system.instance(MOVER, *var));
            }
            let new: FxHashMap<VarId, ExprId> =
                vars.into_iter().map(|var| (var, system.instance(MOVER, var))).collect();
            mine.push(system.pool.substitute(atom, &mut |var| new.get(&var).copied()));
        }
        // A comparison with a constant is of interest to whatever the variable is copied from or to.
        for atom in mine.clone() {
            let Expr::Binary(op, a, b) = system.pool.get(atom) else { continue };
            let (var, is_left) = if system.pool.as_const(b).is_some() { (a, true) } else { (b, false) };
            let constant = if is_left { b } else { a };
            if system.pool.as_const(constant).is_none() || !matches!(system.pool.get(var), Expr::Var(_)) {
                continue;
            }
            let near = related.iter().filter_map(|&(x, y)| match (x == var, y == var) {
                (true, _) => Some(y),
                (_, true) => Some(x),
                _ => None,
            });
            for other in near.collect::<BTreeSet<ExprId>>().into_iter().take(MOST_COPIES) {
                let (x, y) = if is_left { (other, constant) } else { (constant, other) };
                mine.push(system.pool.binary(op, x, y));
            }
        }
        mine.sort_unstable();
        mine.dedup();
        atoms.insert(proc, mine);
    }
    (related, atoms)
}

/// The parts of a condition that are no conjunctions, disjunctions or negations.
fn atoms_of(system: &System, cond: ExprId, out: &mut Vec<ExprId>) {
    let mut open = vec![cond];
    while let Some(id) = open.pop() {
        match system.pool.get(id) {
            Expr::Unary(raddle_ir::UnOp::Not, a) => open.push(a),
            Expr::Binary(raddle_ir::BinOp::And | raddle_ir::BinOp::Or, a, b) => open.extend([a, b]),
            Expr::Const(_) => {}
            _ if !out.contains(&id) => out.push(id),
            _ => {}
        }
    }
}
