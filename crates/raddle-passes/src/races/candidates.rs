//! Which pairs of accesses may race: all but those that an analysis excludes.
//!
//! The Program is inlined and simplified (so that lock addresses and handles of threads become constants and variables), without any pass that moves, merges or leaves out accesses that can be executed: every edge with
//! accesses carries the number of the edge that it is a copy of. Two accesses are a candidate if both touch one variable or may lie in one object that is published, they conflict, they may happen in
//! parallel, and no lock excludes them. A pair of the lowered Program is one if any of its copies are. Where inlining does not reach all code, every conflicting pair is a candidate.

use super::sites::Site;
use crate::{InlineOptions, const_prop, expose, globalize, inline, reachable, scalarize};
use fixedbitset::FixedBitSet;
use raddle_analysis::from_outside;
use raddle_analysis::locksets::{Lockset, exclude, held_at, locksets};
use raddle_analysis::parallel::{At, Parallel, parallel};
use raddle_analysis::points_to::{AbstractObject, PointsTo, points_to};
use raddle_analysis::published::published;
use raddle_ir::{
    FileId, Label, LocKind, LockOp, Order, Place, ProcId, Program, Span, Storage, Var, VarId, VarKind, number_origins,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Two sites, by number; the same one twice is a race of a thread with another one that runs the same code.
pub type Pair = (usize, usize);

const MOST_EDGES: usize = 200_000;
/// The file of the spans that number edges.
const NUMBERED: FileId = FileId(u32::MAX);

/// A copy of a site in the inlined Program.
struct Copy {
    site: usize,
    at: At,
    place: Place,
    bytes: u64,
    held: Lockset,
    /// What it may lie in, if it is in memory: published objects.
    targets: FixedBitSet,
}

/// What the engines are to look at.
#[derive(Default)]
pub struct Candidates {
    pub pairs: Vec<Pair>,
    /// Sites whose address comes from outside, where other threads may be: they may touch anything.
    pub strays: Vec<usize>,
    /// An atomic operation beside other threads is not sequentially consistent. Then there may be executions that are no interleavings, and accesses that an interleaving
    /// orders and nothing else does.
    pub is_weak: bool,
}

/// The pairs of sites that may race.
pub fn candidates(program: &Program, sites: &[Site]) -> Candidates {
    if !program.starts_threads() {
        return Candidates::default();
    }
    let strays = strays(program, sites);
    let Some(inlined) = inlined(program, sites) else {
        return Candidates { pairs: all_pairs(program, sites), strays, is_weak: is_weak(program, |_| true) };
    };
    let points_to = points_to(&inlined);
    let parallel = parallel(&inlined);
    let distrusted = initialised_beside_others(&inlined, &parallel);
    let is_trusted = |lock: u64| distrusted.as_ref().is_some_and(|all| !all.contains(&lock));
    let copies = copies(&inlined, sites, &points_to);
    let mut pairs: FxHashSet<Pair> = FxHashSet::default();
    for group in groups(&copies) {
        for (i, &a) in group.iter().enumerate() {
            for &b in &group[i..] {
                let (a, b) = (&copies[a], &copies[b]);
                let pair = (a.site.min(b.site), a.site.max(b.site));
                let may_race = !pairs.contains(&pair)
                    && sites[a.site].conflicts(&sites[b.site])
                    && may_overlap(&inlined, a, b)
                    && parallel.may_be(a.at, b.at)
                    && !exclude(&a.held, &b.held, is_trusted);
                if may_race {
                    pairs.insert(pair);
                }
            }
        }
    }
    let mut pairs: Vec<Pair> = pairs.into_iter().collect();
    pairs.sort_unstable();
    let is_beside = |site: &usize| copies.iter().any(|copy| copy.site == *site && !parallel.is_alone(copy.at));
    let is_weak = is_weak(&inlined, |at| !parallel.is_alone(at));
    Candidates { pairs, strays: strays.into_iter().filter(is_beside).collect(), is_weak }
}

/// Is there a weak atomic operation at some place of a kind?
fn is_weak(program: &Program, counts: impl Fn(At) -> bool) -> bool {
    let is_weak = |order: Order| matches!(order, Order::Relaxed | Order::Acquire | Order::Release | Order::AcqRel);
    program.procs.iter().enumerate().any(|(p, proc)| {
        proc.edges.iter().enumerate().any(|(edge, of)| {
            of.labels.iter().enumerate().any(|(label, what)| match what {
                Label::Load { order, .. } | Label::Store { order, .. } => {
                    is_weak(*order) && counts(At { proc: ProcId(p as u32), edge, label })
                }
                _ => false,
            })
        })
    })
}

/// The sites whose address comes from outside.
fn strays(program: &Program, sites: &[Site]) -> Vec<usize> {
    let from_outside = from_outside(program, &points_to(program));
    let is_stray = |site: &Site| matches!(site.place, Place::Memory(address) if from_outside.contains(&address));
    (0..sites.len()).filter(|site| is_stray(&sites[*site])).collect()
}

/// The Program with calls inlined and addresses propagated, each edge with sites numbered by its span. `None` if some code is left out.
fn inlined(program: &Program, sites: &[Site]) -> Option<Program> {
    let mut numbered = program.clone();
    for edge in numbered.procs.iter_mut().flat_map(|proc| &mut proc.edges) {
        edge.span = Span::NONE;
    }
    for (number, site) in sites.iter().enumerate().rev() {
        // The number of the first site of the edge stays.
        let span = Span { file: NUMBERED, line: number as u32 + 1, column: 0 };
        numbered.procs[site.proc.index()].edges[site.edge].span = span;
    }
    number_origins(&mut numbered);
    let options = InlineOptions { recursion_bound: 0, max_edges: MOST_EDGES, keep_recursive: false };
    let mut inlined = inline(numbered, &options).ok()?;
    let is_bound = |kind: LocKind| kind == LocKind::RecursionBound;
    if inlined.procs.iter().flat_map(|proc| &proc.locations).any(|location| is_bound(location.kind)) {
        return None;
    }
    for _ in 0..2 {
        inlined = [globalize, expose, const_prop, reachable, scalarize, const_prop, reachable]
            .into_iter()
            .fold(inlined, |program, pass: fn(Program) -> Program| pass(program));
    }
    Some(inlined)
}

fn copies(program: &Program, sites: &[Site], points_to: &PointsTo) -> Vec<Copy> {
    let of_edge = sites_of_edges(sites);
    let published = published(program, points_to);
    let librarys = librarys(program, points_to);
    let mut copies = Vec::new();
    for (p, proc) in program.procs.iter().enumerate() {
        let held = locksets(&program.pool, proc);
        for (e, edge) in proc.edges.iter().enumerate() {
            let (true, Some(held)) = (edge.span.file == NUMBERED, &held[edge.source.index()]) else { continue };
            let first = edge.span.line as usize - 1;
            let numbers = &of_edge[&(sites[first].proc, sites[first].edge)];
            // Of several sites on an edge, each access may be any.
            for (label, place, bytes) in accesses(program, &edge.labels) {
                let place = variable_at(program, place);
                let at = At { proc: ProcId(p as u32), edge: e, label };
                let held = held_at(&program.pool, held, &edge.labels[..label]);
                for &site in numbers {
                    let mut targets = FixedBitSet::new();
                    if let Place::Memory(address) = place {
                        targets = points_to.targets(&program.pool, address);
                        targets.intersect_with(&published);
                        if sites[site].is_library {
                            targets.difference_with(&librarys);
                        }
                    }
                    copies.push(Copy { site, at, place, bytes, held: held.clone(), targets });
                }
            }
        }
    }
    copies
}

/// A lock's bytes may have become variables, its address has not.
fn variable_at(program: &Program, place: Place) -> Place {
    let Place::Memory(address) = place else { return place };
    let Some(address) = program.pool.as_const(address).and_then(|c| u64::try_from(c.bits).ok()) else { return place };
    let object = program.objects.iter().find(|of| (of.address..of.address + of.size.max(1)).contains(&address));
    let Some((object, holder)) = object.and_then(|object| Some((object, object.origin.0?))) else { return place };
    let offset = address - object.address;
    let is_there = |var: &Var| {
        let part = var.origin.0.filter(|part| part.holder == holder && matches!(var.kind, VarKind::Global(_)));
        part.is_some_and(|part| (part.offset..part.offset + var.sort.bytes()).contains(&offset))
    };
    program.vars.iter().position(is_there).map_or(place, |var| Place::Var(VarId(var as u32)))
}

/// The sites of each edge that has any.
fn sites_of_edges(sites: &[Site]) -> FxHashMap<(ProcId, usize), Vec<usize>> {
    let mut of_edge: FxHashMap<(ProcId, usize), Vec<usize>> = FxHashMap::default();
    for (number, site) in sites.iter().enumerate() {
        of_edge.entry((site.proc, site.edge)).or_default().push(number);
    }
    of_edge
}

/// The accesses among labels: position, place and how many bytes.
fn accesses(program: &Program, labels: &[Label]) -> Vec<(usize, Place, u64)> {
    let mut all = Vec::new();
    for (l, label) in labels.iter().enumerate() {
        match label {
            Label::Load { var, place, .. } => all.push((l, *place, program.var(*var).sort.bytes())),
            Label::Store { place, value, .. } => all.push((l, *place, program.pool.sort(*value).bytes())),
            Label::Lock { lock, .. } => all.push((l, Place::Memory(*lock), 1)),
            // From there to the end of the object, whatever that is.
            Label::Free { address, storage: Storage::Heap } => all.push((l, Place::Memory(*address), u64::MAX / 4)),
            _ => {}
        }
    }
    all
}

/// The objects of the library's models.
fn librarys(program: &Program, points_to: &PointsTo) -> FixedBitSet {
    let objects = points_to.objects().iter().enumerate();
    let is_librarys = |object: &AbstractObject| match object {
        AbstractObject::Static(id) => program.is_of_library(program.objects[id.index()].span),
        AbstractObject::Site { .. } => false,
    };
    objects.filter(|(_, object)| is_librarys(object)).map(|(i, _)| i).collect()
}

/// Copies that may touch the same memory: of one variable, or with a target in common.
fn groups(copies: &[Copy]) -> Vec<Vec<usize>> {
    let mut of_var: FxHashMap<Place, Vec<usize>> = FxHashMap::default();
    let mut of_object: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (i, copy) in copies.iter().enumerate() {
        match copy.place {
            Place::Var(_) => of_var.entry(copy.place).or_default().push(i),
            Place::Memory(_) => copy.targets.ones().for_each(|object| of_object.entry(object).or_default().push(i)),
        }
    }
    of_var.into_values().chain(of_object.into_values()).collect()
}

/// Of two accesses in one group: constant addresses are told apart by bytes.
fn may_overlap(program: &Program, a: &Copy, b: &Copy) -> bool {
    let constant = |copy: &Copy| match copy.place {
        Place::Memory(address) => program.pool.as_const(address).map(|c| c.bits),
        Place::Var(_) => None,
    };
    match (constant(a), constant(b)) {
        (Some(at_a), Some(at_b)) => at_a < at_b + u128::from(b.bytes) && at_b < at_a + u128::from(a.bytes),
        _ => true,
    }
}

/// The locks that are initialised where other threads may be; `None` if that may be any lock.
fn initialised_beside_others(program: &Program, parallel: &Parallel) -> Option<FxHashSet<u64>> {
    let mut locks = FxHashSet::default();
    for (p, proc) in program.procs.iter().enumerate() {
        for (e, edge) in proc.edges.iter().enumerate() {
            for (label, what) in edge.labels.iter().enumerate() {
                let Label::Lock { op: LockOp::Init(_), lock, .. } = what else { continue };
                if !parallel.is_alone(At { proc: ProcId(p as u32), edge: e, label }) {
                    let address = program.pool.as_const(*lock)?;
                    locks.insert(u64::try_from(address.bits).ok()?);
                }
            }
        }
    }
    Some(locks)
}

/// Without an analysis: whatever conflicts and may touch the same memory.
fn all_pairs(program: &Program, sites: &[Site]) -> Vec<Pair> {
    let points_to = points_to(program);
    let targets: Vec<FixedBitSet> = sites
        .iter()
        .map(|site| match site.place {
            Place::Memory(address) => points_to.targets(&program.pool, address),
            Place::Var(_) => FixedBitSet::new(),
        })
        .collect();
    let mut pairs = Vec::new();
    for (i, a) in sites.iter().enumerate() {
        for (j, b) in sites.iter().enumerate().skip(i) {
            let may_overlap = match (a.place, b.place) {
                (Place::Var(x), Place::Var(y)) => x == y,
                (Place::Memory(_), Place::Memory(_)) => !targets[i].is_disjoint(&targets[j]),
                _ => false,
            };
            if a.conflicts(b) && may_overlap {
                pairs.push((i, j));
            }
        }
    }
    pairs
}
