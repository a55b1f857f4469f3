//! Memory resolution, second tier: static objects whose accesses each have few candidates become variables.
//!
//! Points-to analysis tells which objects an access may touch, the alignment of its address (`alignment.rs`) at which
//! offsets: a width and the low bits of the address leave few of them in a small object. An object is resolved if
//! all accesses that may touch it cut it into cells (`cells.rs`), have at most so many candidates each, and may touch
//! resolved objects only. What holds of some objects only if it holds of others is assumed at first, and objects are
//! given up until the rest agree (a greatest fixpoint). The address of a resolved object is a value as before, and the
//! object stays for it, but its bytes are variables.
//!
//! An access at `p` with candidates `c1` … `cn` becomes a choice: a copy of its edge for each, which assumes
//! `p == &ci` and accesses the variable, and one that assumes that there is none and ends the path as an invalid
//! access. An edge stays one step: accesses at the same address share a choice, and accesses at different addresses
//! make a product. With one candidate, the edge just requires that `p` is it.
//!
//! An exposed object is a candidate of every access at a computed address. Not resolved are objects that are printed, objects that an edge accesses at an address which it computes itself, and
//! objects that a stray pointer may point to (see `stray.rs`).

use crate::cells::{Cells, access_variable, make_variables};
use fixedbitset::FixedBitSet;
use raddle_analysis::addresses::Addresses;
use raddle_analysis::alignment::{Congruence, alignment};
use raddle_analysis::points_to::{AbstractObject, PointsTo, points_to};
use raddle_ir::{
    Edge, ExprId, Hazard, Label, Object, ObjectId, ObjectInit, ObjectKind, Place, ProcId, Program, Sort, VarId,
};
use rustc_hash::FxHashMap;

/// How many candidates the accesses of one edge may have in all, unless told otherwise.
pub const MOST_CANDIDATES: usize = 8;

/// Rounds of giving up objects.
const MOST_ROUNDS: usize = 20;

/// Turns static objects into variables if each access has at most so many candidates.
pub fn resolve_cells(mut program: Program, most_candidates: usize) -> Program {
    let Some(Resolution { accesses, cells, spoilt }) = resolve(&program, most_candidates) else { return program };
    let is_resolved = |i: usize| !spoilt.contains(i);
    let vars = make_variables(&mut program, &cells, is_resolved);
    if vars.is_empty() {
        return program;
    }
    // Edges are added at the end, so those that were there keep their numbers.
    for on_edge in accesses.chunk_by(|a, b| (a.proc, a.edge) == (b.proc, b.edge)) {
        rewrite(&mut program, on_edge, &spoilt, &vars);
    }
    for (_, object) in program.objects.iter_mut().enumerate().filter(|(i, _)| is_resolved(*i)) {
        if let ObjectKind::Data { init, .. } = &mut object.kind {
            *init = ObjectInit::Bytes { bytes: Vec::new(), pointers: Vec::new() };
        }
    }
    program
}

/// A load or store of memory.
struct Access {
    proc: usize,
    edge: usize,
    label: usize,
    address: ExprId,
    sort: Sort,
    is_store: bool,
    is_constant: bool,
    /// The static data objects that it may touch.
    targets: Vec<ObjectId>,
    /// May it touch anything else?
    and_others: bool,
    /// The addresses of the cells that it may hit, in the end.
    candidates: Vec<u64>,
}

impl Access {
    /// The places that it may touch, if these are few: object and offset.
    fn places(&self, program: &Program, address: Congruence, most: usize) -> Option<Vec<(ObjectId, u64)>> {
        let mut places = Vec::new();
        for &id in &self.targets {
            let object = &program.objects[id.index()];
            if self.is_store && !is_writable(object) {
                continue;
            }
            let Some(last) = object.size.checked_sub(self.sort.bytes()) else { continue };
            // An address with all bits known may have fewer than the 64 that count here.
            let known = if address.bits >= program.pointer_bits { 64 } else { address.bits };
            let modulus = 1u128 << known;
            let first = u128::from(address.residue.wrapping_sub(object.address)) % modulus;
            let offsets = (0..).map(|i| first + i * modulus).take_while(|offset| *offset <= last.into());
            places.extend(offsets.take(most + 1).map(|offset| (id, offset as u64)));
            if places.len() > most {
                return None;
            }
        }
        Some(places)
    }

    fn is_resolved(&self, spoilt: &FixedBitSet) -> bool {
        !self.and_others && !self.targets.is_empty() && !self.is_spoilt(spoilt)
    }

    fn is_spoilt(&self, spoilt: &FixedBitSet) -> bool {
        self.targets.iter().any(|id| spoilt.contains(id.index()))
    }

    fn spoil(&self, spoilt: &mut FixedBitSet) {
        self.targets.iter().for_each(|id| spoilt.insert(id.index()));
    }
}

fn is_writable(object: &Object) -> bool {
    matches!(object.kind, ObjectKind::Data { writable: true, .. })
}

struct Resolution {
    /// In the order of procedures, edges and labels.
    accesses: Vec<Access>,
    /// For each object, its cells.
    cells: Vec<Cells>,
    /// Objects that stay memory.
    spoilt: FixedBitSet,
}

fn resolve(program: &Program, most_candidates: usize) -> Option<Resolution> {
    let points_to = points_to(program);
    let mut accesses = accesses(program, &points_to);
    let mut spoilt = objects_without_cells(program, &points_to);
    for access in &accesses {
        if access.and_others || writes_address_before(program, access) {
            access.spoil(&mut spoilt);
        }
    }
    for _ in 0..MOST_ROUNDS {
        spoil_together(&accesses, &mut spoilt);
        if spoilt.count_zeroes(..) == 0 {
            return None;
        }
        let alignment = alignment(program, &points_to, |i, address| {
            let access = &accesses[i];
            let places = access.is_resolved(&spoilt).then(|| access.places(program, address, most_candidates))??;
            Some(places.into_iter().map(|(id, offset)| program.objects[id.index()].address + offset).collect())
        })?;
        let before = spoilt.count_ones(..);
        let mut cells = vec![Cells::default(); program.objects.len()];
        for access in accesses.iter_mut() {
            access.candidates.clear();
            // An address that no value was seen for: the access is never made.
            let Some(address) = alignment.get(access.address) else { continue };
            match access.places(program, address, most_candidates) {
                Some(places) => {
                    for (id, offset) in places {
                        cells[id.index()].access(offset, access.sort);
                        access.candidates.push(program.objects[id.index()].address + offset);
                    }
                    access.candidates.sort_unstable();
                }
                None => access.spoil(&mut spoilt),
            }
        }
        for (i, _) in cells.iter().enumerate().filter(|(_, cells)| !cells.are_well_cut()) {
            spoilt.insert(i);
        }
        for on_edge in accesses.chunk_by(|a, b| (a.proc, a.edge) == (b.proc, b.edge)) {
            let copies = choices(on_edge, &spoilt).iter().fold(1usize, |n, choice| n.saturating_mul(choice.0.len()));
            if copies > most_candidates {
                on_edge
                    .iter()
                    .filter(|access| access.candidates.len() > 1)
                    .for_each(|access| access.spoil(&mut spoilt));
            }
        }
        if spoilt.count_ones(..) == before {
            return Some(Resolution { accesses, cells, spoilt });
        }
    }
    None
}

fn accesses(program: &Program, points_to: &PointsTo) -> Vec<Access> {
    let addresses = Addresses::new(&program.objects, program.pointer_bits);
    let is_data = |id: &ObjectId| matches!(program.objects[id.index()].kind, ObjectKind::Data { .. });
    let mut all = Vec::new();
    let mut known: FxHashMap<ExprId, (Vec<ObjectId>, bool)> = FxHashMap::default();
    for (p, proc) in program.procs.iter().enumerate() {
        for (e, edge) in proc.edges.iter().enumerate() {
            for (l, label) in edge.labels.iter().enumerate() {
                let (address, sort, is_store) = match *label {
                    Label::Load { var, place: Place::Memory(address), .. } => (address, program.var(var).sort, false),
                    Label::Store { place: Place::Memory(address), value, .. } => {
                        (address, program.pool.sort(value), true)
                    }
                    _ => continue,
                };
                let constant = program.pool.as_const(address);
                let (targets, and_others) = match constant {
                    Some(at) => (addresses.holding(at, sort.bytes()).into_iter().filter(is_data).collect(), false),
                    None => known.entry(address).or_insert_with(|| targets(program, points_to, address)).clone(),
                };
                let is_constant = constant.is_some();
                let candidates = Vec::new();
                all.push(Access {
                    proc: p,
                    edge: e,
                    label: l,
                    address,
                    sort,
                    is_store,
                    is_constant,
                    targets,
                    and_others,
                    candidates,
                });
            }
        }
    }
    all
}

/// The static data objects that an address may lie in, and whether there are others. A function has no bytes.
fn targets(program: &Program, points_to: &PointsTo, address: ExprId) -> (Vec<ObjectId>, bool) {
    let (mut targets, mut and_others) = (Vec::new(), points_to.is_stray(address));
    for target in points_to.targets(&program.pool, address).ones() {
        match points_to.objects()[target] {
            AbstractObject::Static(id) if matches!(program.objects[id.index()].kind, ObjectKind::Data { .. }) => {
                targets.push(id);
            }
            AbstractObject::Static(_) => {}
            AbstractObject::Site { .. } => and_others = true,
        }
    }
    (targets, and_others)
}

/// Functions, and objects that are printed.
fn objects_without_cells(program: &Program, points_to: &PointsTo) -> FixedBitSet {
    let mut spoilt = FixedBitSet::with_capacity(program.objects.len());
    for (i, _) in program.objects.iter().enumerate().filter(|(_, o)| matches!(o.kind, ObjectKind::Function(_))) {
        spoilt.insert(i);
    }
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        if let Label::Print { .. } = label {
            let exposed = program.objects.iter().enumerate().filter(|(_, object)| object.exposed);
            exposed.for_each(|(i, _)| spoilt.insert(i));
            label.for_each_expr(|expr| {
                let (printed, _) = points_to.carried(&program.pool, expr);
                printed.ones().take_while(|i| *i < program.objects.len()).for_each(|i| spoilt.insert(i));
            });
        }
    }
    spoilt
}

/// Does the edge of an access write a variable of its address before it?
fn writes_address_before(program: &Program, access: &Access) -> bool {
    let before = &program.procs[access.proc].edges[access.edge].labels[..access.label];
    let written: Vec<VarId> = before.iter().filter_map(Label::written_local).collect();
    !written.is_empty() && program.pool.vars(access.address).iter().any(|var| written.contains(var))
}

/// If one target of an access stays memory, all do.
fn spoil_together(accesses: &[Access], spoilt: &mut FixedBitSet) {
    loop {
        let before = spoilt.count_ones(..);
        for access in accesses {
            if access.is_spoilt(spoilt) {
                access.spoil(spoilt);
            }
        }
        if spoilt.count_ones(..) == before {
            return;
        }
    }
}

/// The choices that the edge of some accesses must make: the candidates, and the accesses that they are for. They have
/// the same address expression and width.
fn choices<'a>(on_edge: &'a [Access], spoilt: &FixedBitSet) -> Vec<(&'a [u64], Vec<&'a Access>)> {
    let mut choices: Vec<(&[u64], Vec<&Access>)> = Vec::new();
    for access in on_edge.iter().filter(|access| !access.is_constant && access.is_resolved(spoilt)) {
        let same = choices.iter_mut().find(|(candidates, of)| {
            of.iter().any(|other| other.address == access.address) && *candidates == access.candidates
        });
        match same {
            Some((_, of)) => of.push(access),
            None => choices.push((&access.candidates, vec![access])),
        }
    }
    choices
}

/// Rewrites the edge of some accesses.
fn rewrite(program: &mut Program, on_edge: &[Access], spoilt: &FixedBitSet, vars: &FxHashMap<u64, VarId>) {
    let (proc, id) = (on_edge[0].proc, on_edge[0].edge);
    let edge = program.procs[proc].edges[id].clone();
    // One for each copy: what it assumes, and which cell each label accesses.
    let mut copies: Vec<EdgeCopy> = vec![EdgeCopy::default()];
    for access in on_edge.iter().filter(|access| access.is_constant && access.is_resolved(spoilt)) {
        copies[0].cells.extend(access.candidates.iter().map(|at| (access.label, Target { at: *at, require: false })));
    }
    let mut invalid: Vec<EdgeCopy> = Vec::new();
    for (candidates, of) in choices(on_edge, spoilt) {
        let address = of[0].address;
        if let [only] = *candidates {
            let target = Target { at: only, require: true };
            copies.iter_mut().for_each(|copy| copy.cells.extend(of.iter().map(|access| (access.label, target))));
            continue;
        }
        let equal: Vec<ExprId> = candidates.iter().map(|at| is_at(program, address, *at)).collect();
        let any = equal.iter().fold(program.pool.bool(false), |any, one| program.pool.or(any, *one));
        let none = program.pool.not(any);
        let first = of.iter().map(|access| access.label).min().unwrap_or(0);
        invalid.extend(copies.iter().map(|copy| EdgeCopy { end: Some(first), ..copy.assuming(none) }));
        copies = copies
            .iter()
            .flat_map(|copy| candidates.iter().zip(&equal).map(move |(at, equal)| (copy, *at, *equal)))
            .map(|(copy, at, equal)| {
                let mut copy = copy.assuming(equal);
                copy.cells.extend(of.iter().map(|access| (access.label, Target { at, require: false })));
                copy
            })
            .collect();
    }
    copies.extend(invalid);
    for (i, copy) in copies.iter().enumerate() {
        let labels = copy.labels(program, ProcId(proc as u32), &edge, vars);
        let edges = &mut program.procs[proc].edges;
        match i {
            0 => edges[id].labels = labels,
            _ => edges.push(Edge { labels, ..edge.clone() }),
        }
    }
}

fn is_at(program: &mut Program, address: ExprId, at: u64) -> ExprId {
    let at = program.pool.bits(program.pointer_bits, at.into());
    program.pool.eq(address, at)
}

/// The cell that an access hits.
#[derive(Clone, Copy)]
struct Target {
    at: u64,
    /// Must the access still find out whether it does?
    require: bool,
}

/// A copy of an edge.
#[derive(Clone, Default)]
struct EdgeCopy {
    assumed: Vec<ExprId>,
    cells: FxHashMap<usize, Target>,
    /// The label at which it turns out that the access is invalid.
    end: Option<usize>,
}

impl EdgeCopy {
    fn assuming(&self, cond: ExprId) -> EdgeCopy {
        let mut copy = self.clone();
        copy.assumed.push(cond);
        copy
    }

    fn labels(&self, program: &mut Program, proc: ProcId, edge: &Edge, vars: &FxHashMap<u64, VarId>) -> Vec<Label> {
        let hazard = Hazard::InvalidAccess;
        let mut new: Vec<Label> = self.assumed.iter().map(|cond| Label::Assume(*cond)).collect();
        for (i, label) in edge.labels.iter().enumerate() {
            if self.end == Some(i) {
                let cond = program.pool.bool(false);
                new.push(Label::Require { cond, hazard });
                break;
            }
            let target = self.cells.get(&i).and_then(|target| Some((*target, *vars.get(&target.at)?)));
            let Some((Target { at, require }, cell)) = target else {
                new.push(label.clone());
                continue;
            };
            if let (true, Some(Place::Memory(address))) = (require, label.place()) {
                let cond = is_at(program, address, at);
                new.push(Label::Require { cond, hazard });
            }
            access_variable(program, proc, label.clone(), cell, &mut new);
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{BinOp, Storage, to_text, validate};
    use raddle_testing::*;

    /// The Program after the pass, which must be well made.
    fn resolved(b: Builder) -> Program {
        let program = resolve_cells(b.finish(), MOST_CANDIDATES);
        assert_eq!(validate(&program), Ok(()), "{}", to_text(&program));
        program
    }

    fn labels(program: &Program) -> Vec<&[Label]> {
        program.procs[0].edges.iter().map(|edge| &edge.labels[..]).collect()
    }

    fn invalid(b: &mut Builder) -> Label {
        let cond = b.pool().bool(false);
        Label::Require { cond, hazard: Hazard::InvalidAccess }
    }

    /// `main` with an index `i` that comes from outside, and the address of element `i` of an array at 0x1000.
    fn with_index(size: u64, width: u128) -> (Builder, ProcId, ExprId) {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("flags", 0x1000, size, Some(vec![7]), true);
        let i = b.local(main, "i", 64);
        let (start, scale, vi) = (b.num(64, 0x1000), b.num(64, width), b.get(i));
        let offset = b.bin(BinOp::BvMul, vi, scale);
        let element = b.bin(BinOp::BvAdd, start, offset);
        b.edge(main, 0, 1, vec![input(i)]);
        (b, main, element)
    }

    #[test]
    fn an_access_to_a_small_array_is_a_choice_among_its_elements_or_invalid() {
        let (mut b, main, element) = with_index(8, 4);
        let x = b.local(main, "x", 32);
        b.edge(main, 1, EXIT, vec![load(x, Place::Memory(element))]);
        let at = [0x1000, 0x1004].map(|at| b.num(64, at));
        let is = at.map(|at| b.pool().eq(element, at));
        let any = b.pool().or(is[0], is[1]);
        let none = b.pool().not(any);
        let invalid = invalid(&mut b);
        let program = resolved(b);
        let names: Vec<&str> = program.vars[2..].iter().map(|var| var.name.as_str()).collect();
        assert_eq!(names, ["flags+0", "flags+4"]);
        let choice = |i: usize| vec![Label::Assume(is[i]), load(x, Place::Var(VarId(2 + i as u32)))];
        assert_eq!(labels(&program)[1..], [choice(0), choice(1), vec![Label::Assume(none), invalid]]);
    }

    #[test]
    fn an_exposed_object_is_a_candidate_of_each_computed_access() {
        let (mut b, main, element) = with_index(4, 4);
        b.object("exposed", 0x2000, 4, Some(vec![]), true);
        let x = b.local(main, "x", 32);
        let direct = b.num(64, 0x2000);
        b.edge(main, 1, 2, vec![load(x, Place::Memory(direct))]);
        b.edge(main, 2, EXIT, vec![load(x, Place::Memory(element))]);
        let mut program = b.finish();
        program.objects[1].exposed = true;
        let program = resolve_cells(program, MOST_CANDIDATES);
        let cells: Vec<Option<Place>> =
            labels(&program).iter().map(|labels| labels.last().and_then(Label::place)).collect();
        let var = |i| Some(Place::Var(VarId(i)));
        assert_eq!(cells, [None, var(3), var(2), var(3), None]);
    }

    #[test]
    fn an_access_that_may_be_misaligned_or_has_too_many_candidates_is_not_resolved() {
        for (size, width) in [(8, 2), (8, 1), (36, 4)] {
            let (mut b, main, element) = with_index(size, width);
            let x = b.local(main, "x", 32);
            b.edge(main, 1, EXIT, vec![load(x, Place::Memory(element))]);
            let before = b.finish();
            assert_eq!(resolve_cells(before.clone(), MOST_CANDIDATES), before, "{size} {width}");
        }
    }

    #[test]
    fn compare_and_swap_stays_one_step() {
        let (mut b, main, element) = with_index(8, 4);
        let x = b.local(main, "x", 32);
        let (vx, zero) = (b.get(x), b.num(32, 0));
        let is_zero = b.pool().eq(vx, zero);
        let place = Place::Memory(element);
        b.edge(main, 1, EXIT, vec![load(x, place), Label::Assume(is_zero), store(place, vx)]);
        let program = resolved(b);
        assert_eq!(program.procs[0].edges.len(), 4);
        for (edge, cell) in program.procs[0].edges[1..3].iter().zip([2, 3]) {
            let cell = Place::Var(VarId(cell));
            assert_eq!(edge.labels[1..], [load(x, cell), Label::Assume(is_zero), store(cell, vx)]);
        }
    }

    #[test]
    fn different_addresses_on_one_edge_make_a_product_if_it_is_small() {
        for (size, copies) in [(8, 4 + 1 + 2), (16, 1)] {
            let (mut b, main, element) = with_index(size, 4);
            let (x, j) = (b.local(main, "x", 32), b.local(main, "j", 64));
            let (start, four, vj) = (b.num(64, 0x1000), b.num(64, 4), b.get(j));
            let offset = b.bin(BinOp::BvMul, vj, four);
            let other = b.bin(BinOp::BvAdd, start, offset);
            b.edge(main, 1, 2, vec![input(j)]);
            b.edge(main, 2, EXIT, vec![load(x, Place::Memory(element)), load(x, Place::Memory(other))]);
            assert_eq!(resolved(b).procs[0].edges.len(), 2 + copies);
        }
    }

    #[test]
    fn a_pointer_to_one_of_two_is_followed_to_a_field_through_memory() {
        // struct { char a; long b; } s, t, *p; p = &s or &t; x = p->b;
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("s", 0x1000, 16, None, true);
        b.object("t", 0x2000, 16, None, true);
        b.object("p", 0x3000, 8, Some(vec![]), true);
        let (x, q, c) = (b.local(main, "x", 64), b.local(main, "q", 64), b.local(main, "c", 8));
        let [s, t, p, eight] = [0x1000, 0x2000, 0x3000, 8].map(|n| b.num(64, n));
        let vq = b.get(q);
        let field = b.bin(BinOp::BvAdd, vq, eight);
        b.edge(main, 0, 1, vec![store(Place::Memory(p), s)]);
        b.edge(main, 0, 1, vec![store(Place::Memory(p), t)]);
        b.edge(main, 1, 2, vec![load(q, Place::Memory(p))]);
        b.edge(main, 2, 3, vec![load(x, Place::Memory(field))]);
        b.edge(main, 3, EXIT, vec![load(c, Place::Memory(s))]);
        let program = resolved(b);
        let names: Vec<&str> = program.vars[3..].iter().map(|var| var.name.as_str()).collect();
        assert_eq!(names, ["s+0", "s+8", "t+8", "p"]);
        let memory = |label: &&Label| matches!(label.place(), Some(Place::Memory(_)));
        assert_eq!(labels(&program).concat().iter().filter(memory).count(), 0);
    }

    #[test]
    fn one_candidate_is_required() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("x", 0x1000, 4, None, true);
        let (p, y) = (b.local(main, "p", 64), b.local(main, "y", 32));
        let (at, null, vp) = (b.num(64, 0x1000), b.num(64, 0), b.get(p));
        b.edge(main, 0, 1, vec![Label::Assign { var: p, value: at }]);
        b.edge(main, 0, 1, vec![Label::Assign { var: p, value: null }]);
        b.edge(main, 1, EXIT, vec![load(y, Place::Memory(vp))]);
        let cond = b.pool().eq(vp, at);
        let require = Label::Require { cond, hazard: Hazard::InvalidAccess };
        assert_eq!(labels(&resolved(b))[2], [require, load(y, Place::Var(VarId(2)))]);
    }

    #[test]
    fn what_is_accessed_together_with_a_fresh_object_or_is_printed_stays_memory() {
        let mut b = Builder::new();
        let main = b.proc("main");
        b.object("x", 0x1000, 4, None, true);
        b.object("text", 0x2000, 4, None, true);
        let (p, y) = (b.local(main, "p", 64), b.local(main, "y", 32));
        let [x, text, size] = [0x1000, 0x2000, 4].map(|n| b.num(64, n));
        let vp = b.get(p);
        b.edge(main, 0, 1, vec![Label::Assign { var: p, value: x }]);
        b.edge(
            main,
            0,
            1,
            vec![Label::Alloc {
                var: p,
                size,
                storage: Storage::Heap,
                zeroed: true,
                site: raddle_ir::Origin::default(),
            }],
        );
        b.edge(main, 1, 2, vec![load(y, Place::Memory(vp)), load(y, Place::Memory(text))]);
        b.edge(
            main,
            2,
            EXIT,
            vec![Label::Print { format: text, args: vec![], var: None, site: raddle_ir::Origin::default() }],
        );
        let before = b.finish();
        assert_eq!(resolve_cells(before.clone(), MOST_CANDIDATES), before);
    }
}
