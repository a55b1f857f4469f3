//! Announcing accesses and looking at what others announced: see `races`.

use super::candidates::{Candidates, Pair};
use super::sections::{AtPlaces, Sections, sections};
use super::sites::{Kind, Site};
use raddle_analysis::points_to::{AbstractObject, PointsTo, points_to};
use raddle_ir::{
    ANNOUNCED, BOOKKEEPING, BinOp, Const, Edge, ExprId, Gap, GapId, GapKind, HavocReason, Label, LocId, LocKind,
    LocOrigin, Location, LockOp, Order, Origin, Place, ProcId, Program, Sort, Span, Var, VarId, VarKind, Violation,
};
use rustc_hash::FxHashMap;

/// Sites that are connected by pairs, and the variables in which they are announced.
struct Group {
    /// 0, or the kind of the access that is announced.
    kind: VarId,
    /// Where it begins; none if all sites have one place.
    address: Option<VarId>,
    /// How many bytes it has; none if all have as many.
    bytes: Result<u64, VarId>,
}

/// What is done at a site.
#[derive(Clone, Copy, Default)]
struct Role {
    group: usize,
    announces: bool,
    looks: bool,
}

struct Watcher<'a> {
    program: Program,
    sites: &'a [Site],
    roles: Vec<Role>,
    groups: Vec<Group>,
    /// Set while a thread that announced inside an atomic section stands there.
    interrupted: Option<VarId>,
    /// Is it unclear what the site is to? Its address may lie in an object of the library's own, or comes from outside.
    is_vague: Vec<bool>,
    /// The sites through pointers from outside that other threads may run beside: they may touch anything.
    strays: Vec<usize>,
    sections: AtPlaces,
    /// Where the edge begins that is taken apart: new locations are parts of the same statement.
    near: Option<LocId>,
}

/// The Program with the pairs watched.
pub fn watch(program: Program, sites: &[Site], candidates: &Candidates) -> Program {
    let points_to = points_to(&program);
    let sections = sections(&program, &points_to);
    let is_inside = |site: usize| {
        let source = program.proc(sites[site].proc).edges[sites[site].edge].source;
        let around = sections.get(&(sites[site].proc, source));
        around.is_some_and(|around| around.iter().any(|around| around.own != 0))
    };
    let (roles, members) = roles(sites, &candidates.pairs, is_inside);
    let mut is_vague: Vec<bool> = sites.iter().map(|site| is_vague(&program, &points_to, site)).collect();
    let strays = candidates.strays.clone();
    strays.iter().for_each(|&site| is_vague[site] = true);
    let mut watcher = Watcher {
        program,
        sites,
        roles,
        groups: Vec::new(),
        interrupted: None,
        is_vague,
        strays,
        sections,
        near: None,
    };
    watcher.groups = members.iter().map(|members| watcher.group(members)).collect();
    if watcher.announces_in_sections() {
        watcher.interrupted = Some(watcher.global("an atomic section is interrupted", Sort::Bits(8)));
        watcher.guard_sections();
    }
    let mut of_edge: FxHashMap<(ProcId, usize), Vec<usize>> = FxHashMap::default();
    let is_watched = |n: &usize| watcher.roles[*n].announces || watcher.roles[*n].looks || watcher.strays.contains(n);
    for number in (0..sites.len()).filter(is_watched) {
        of_edge.entry((sites[number].proc, sites[number].edge)).or_default().push(number);
    }
    let mut edges: Vec<_> = of_edge.into_iter().collect();
    edges.sort_unstable();
    for ((proc, edge), numbers) in edges {
        watcher.watch_edge(proc, edge, &numbers);
    }
    watcher.doubt_failures();
    if candidates.is_weak {
        watcher.add_weak_gap();
    }
    debug_assert_eq!(raddle_ir::validate(&watcher.program), Ok(()));
    watcher.program
}

/// Who announces and who looks, and the groups. Of each pair one announces, a write: the other one looks.
fn roles(sites: &[Site], pairs: &[Pair], is_inside: impl Fn(usize) -> bool) -> (Vec<Role>, Vec<Vec<usize>>) {
    let mut roles = vec![Role::default(); sites.len()];
    let mut leader: Vec<usize> = (0..sites.len()).collect();
    fn find(leader: &mut [usize], mut of: usize) -> usize {
        while leader[of] != of {
            leader[of] = leader[leader[of]];
            of = leader[of];
        }
        of
    }
    let (one, both): (Vec<Pair>, Vec<Pair>) =
        pairs.iter().partition(|(a, b)| !sites[*a].is_write || !sites[*b].is_write);
    for (a, b) in one.into_iter().chain(both) {
        // Rather one outside of all sections: whoever looks may be anywhere.
        let first = match (sites[a].is_write, sites[b].is_write) {
            (true, true) if is_inside(a) != is_inside(b) => is_inside(b),
            (true, true) => !roles[b].announces || roles[a].announces,
            (is_first, _) => is_first,
        };
        let (announces, looks) = if first { (a, b) } else { (b, a) };
        roles[announces].announces = true;
        roles[looks].looks = true;
        let (x, y) = (find(&mut leader, a), find(&mut leader, b));
        leader[x] = y;
    }
    let mut number: FxHashMap<usize, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for site in (0..sites.len()).filter(|site| roles[*site].announces || roles[*site].looks).collect::<Vec<_>>() {
        let root = find(&mut leader, site);
        let group = *number.entry(root).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(site);
        roles[site].group = group;
    }
    (roles, groups)
}

/// A computed address in a model that may lie in an object of the library's.
fn is_vague(program: &Program, points_to: &PointsTo, site: &Site) -> bool {
    let Place::Memory(address) = site.place else { return false };
    let is_librarys = |object: usize| match points_to.objects()[object] {
        AbstractObject::Static(id) => program.is_of_library(program.objects[id.index()].span),
        AbstractObject::Site { .. } => false,
    };
    site.is_library && points_to.targets(&program.pool, address).ones().any(is_librarys)
}

impl Watcher<'_> {
    fn global(&mut self, name: &str, sort: Sort) -> VarId {
        let kind = VarKind::Global(Some(Const { sort, bits: 0 }));
        self.variable(name, sort, kind)
    }

    fn local(&mut self, proc: ProcId, name: &str, sort: Sort) -> VarId {
        let var = self.variable(name, sort, VarKind::Local(proc));
        self.program.procs[proc.index()].locals.push(var);
        var
    }

    fn variable(&mut self, name: &str, sort: Sort, kind: VarKind) -> VarId {
        let origin = Origin::default();
        let name = if name.starts_with(BOOKKEEPING) { name.to_owned() } else { format!("{BOOKKEEPING}{name}") };
        self.program.vars.push(Var { name, sort, kind, signed: false, span: Span::NONE, origin });
        VarId(self.program.vars.len() as u32 - 1)
    }

    fn group(&mut self, members: &[usize]) -> Group {
        let sites = self.sites;
        let first = &sites[members[0]];
        let constant = |place: Place| match place {
            Place::Memory(address) => self.program.pool.as_const(address).is_some(),
            Place::Var(_) => true,
        };
        let is_one_place = members.iter().all(|m| sites[*m].place == first.place) && constant(first.place);
        let one_size = first.bytes.filter(|_| members.iter().all(|m| sites[*m].bytes == first.bytes));
        let pointer = self.program.pointer_sort();
        let name = match first.place {
            Place::Var(var) => format!("{ANNOUNCED} {}", self.program.var(var).name),
            Place::Memory(_) => ANNOUNCED.to_owned(),
        };
        Group {
            kind: self.global(&name, Sort::Bits(8)),
            address: (!is_one_place).then(|| self.global("address", pointer)),
            bytes: match one_size {
                Some(bytes) => Ok(bytes),
                None => Err(self.global("announced size", pointer)),
            },
        }
    }

    fn sections_at(&self, site: &Site) -> Option<Sections> {
        let source = self.program.proc(site.proc).edges[site.edge].source;
        let possible = self.sections.get(&(site.proc, source))?;
        let depth = |around: &Sections| (around.own, around.librarys);
        let first = possible.first().copied()?;
        let is_one =
            possible.iter().all(|around| depth(around) == depth(&first)) && first.own >= 0 && first.librarys >= 0;
        let has_written = possible.iter().any(|around| around.has_written);
        is_one.then_some(Sections { has_written, ..first })
    }

    fn announces_in_sections(&self) -> bool {
        let in_section = |site: &Site| self.sections_at(site).is_none_or(|around| around.own > 0);
        self.sites.iter().zip(&self.roles).any(|(site, role)| role.announces && in_section(site))
    }

    /// Nobody enters a section while another one is interrupted.
    fn guard_sections(&mut self) {
        let Some(interrupted) = self.interrupted else { return };
        for proc in 0..self.program.procs.len() {
            for edge in 0..self.program.procs[proc].edges.len() {
                let old = &self.program.procs[proc].edges[edge];
                if !old.labels.contains(&Label::AtomicBegin) || self.program.is_of_library(old.span) {
                    continue;
                }
                let seen = self.local(ProcId(proc as u32), "interrupted", Sort::Bits(8));
                let zero = self.program.pool.bits(8, 0);
                let seen_value = self.program.pool.var(seen, Sort::Bits(8));
                let is_not = self.program.pool.eq(seen_value, zero);
                let guard = [load(seen, interrupted), Label::Assume(is_not)];
                self.program.procs[proc].edges[edge].labels.splice(0..0, guard);
            }
        }
    }

    fn location(&mut self, proc: ProcId, kind: LocKind, span: Span) -> LocId {
        let locations = &mut self.program.procs[proc.index()].locations;
        let origin = self.near.map(|loc| LocOrigin { proc, loc, within: None, is_exact: false });
        locations.push(Location { kind, span, origin: Origin(origin) });
        LocId(locations.len() as u32 - 1)
    }

    fn edge(&mut self, proc: ProcId, source: LocId, target: LocId, labels: Vec<Label>, span: Span) {
        self.program.procs[proc.index()].edges.push(Edge { source, target, labels, span, is_silent: false });
    }

    fn gap(&mut self, proc: ProcId, span: Span, what: &str) -> LocId {
        let file = self.program.files.get(span.file.0 as usize).map_or("", |file| file);
        let message = format!("{file}:{}: unsupported: {what}\n", span.line);
        let gap = GapId(self.program.gaps.len() as u32);
        self.program.gaps.push(Gap { kind: GapKind::Unsupported, message });
        self.location(proc, LocKind::Gap(gap), span)
    }

    /// Splits an edge: what is local before the access; then the thread may announce one of its accesses; the accesses; and what others announced.
    fn watch_edge(&mut self, proc: ProcId, edge: usize, numbers: &[usize]) {
        let Edge { source, target, labels, span, .. } = self.program.procs[proc.index()].edges[edge].clone();
        self.near = Some(source);
        let split = labels.iter().position(|label| !is_local(label)).unwrap_or(labels.len());
        let (before, rest) = (labels[..split].to_vec(), &labels[split..]);
        let announcing: Vec<usize> = numbers.iter().copied().filter(|n| self.roles[*n].announces).collect();
        let looking: Vec<usize> = numbers.iter().copied().filter(|n| self.roles[*n].looks).collect();
        let mut first = before;
        let mut start = source;
        let mut normal: Vec<Label> = Vec::new();
        let is_stray = numbers.iter().any(|n| self.strays.contains(n));
        if !announcing.is_empty() || is_stray {
            let choice = self.local(proc, "announces", Sort::Bits(8));
            first.push(Label::Havoc { var: choice, reason: HavocReason::UndefinedFunction, site: Origin::default() });
            let fork = self.location(proc, LocKind::Normal, span);
            self.edge(proc, source, fork, std::mem::take(&mut first), span);
            let chosen = self.program.pool.var(choice, Sort::Bits(8));
            for (at, &number) in announcing.iter().enumerate() {
                let this = self.program.pool.bits(8, at as u128 + 1);
                let is_this = self.program.pool.eq(chosen, this);
                self.announce(fork, number, is_this, rest, split, span);
            }
            let mut last = announcing.len() as u128;
            if is_stray {
                last += 1;
                let this = self.program.pool.bits(8, last);
                let is_this = self.program.pool.eq(chosen, this);
                let gap =
                    self.gap(proc, span, "what a pointer whose value nobody determines shares with other threads");
                self.edge(proc, fork, gap, vec![Label::Assume(is_this)], span);
            }
            let last = self.program.pool.bits(8, last);
            let zero = self.program.pool.bits(8, 0);
            let is_none = self.program.pool.eq(chosen, zero);
            let is_more = self.program.pool.binary(BinOp::ULt, last, chosen);
            // Any other value announces nothing.
            let goes_on = self.program.pool.or(is_none, is_more);
            normal.push(Label::Assume(goes_on));
            start = fork;
        }
        normal.splice(0..0, first);
        let conditions = self.conditions(proc, &looking);
        for (at, label) in rest.iter().enumerate() {
            let saved = conditions.saved.iter().filter(|(label, _)| *label == at + split);
            normal.extend(saved.map(|(_, assign)| assign.clone()));
            normal.push(label.clone());
        }
        normal.extend(conditions.loads);
        let after = if looking.is_empty() { target } else { self.location(proc, LocKind::Normal, span) };
        let old = &mut self.program.procs[proc.index()].edges[edge];
        (old.source, old.target, old.labels) = (start, after, normal);
        if !looking.is_empty() {
            self.branch(proc, after, target, conditions.race, conditions.unclear, span);
        }
    }

    /// The thread says what it is about to access, and steps no more. If that is invalid, no valid access overlaps it.
    fn announce(&mut self, fork: LocId, number: usize, is_chosen: ExprId, rest: &[Label], split: usize, span: Span) {
        let site = &self.sites[number];
        let proc = site.proc;
        let group = &self.groups[self.roles[number].group];
        let (kind, address, bytes) = (group.kind, group.address, group.bytes);
        let mut labels = vec![Label::Assume(is_chosen)];
        labels.extend_from_slice(&rest[..site.written_at - split]);
        if let Place::Memory(at) = site.place {
            if let Some(address) = address {
                labels.push(store(address, at));
            }
            if let Err(size) = bytes {
                let bytes = self.bytes(proc, site.bytes, at, &mut labels);
                labels.push(store(size, bytes));
            }
        }
        // What others see of a section that has begun to write, they may see only if sections are no more than locks.
        let is_half_done = self.sections_at(site).is_some_and(|around| around.has_written);
        let kind_told = if is_half_done || self.strays.contains(&number) { Kind::Volatile } else { site.kind };
        let code = self.program.pool.bits(8, code(kind_told));
        labels.push(store(kind, code));
        let around = self.sections_at(site);
        let target = match around {
            Some(around) => {
                if let Some(interrupted) = self.interrupted.filter(|_| around.own > 0) {
                    let one = self.program.pool.bits(8, 1);
                    labels.push(store(interrupted, one));
                }
                labels.extend((0..around.own + around.librarys).map(|_| Label::AtomicEnd));
                self.location(proc, LocKind::Normal, span)
            }
            None => self.gap(
                proc,
                span,
                "an access that is inside an atomic section in some calls only, when data races count",
            ),
        };
        self.edge(proc, fork, target, labels, span);
    }

    /// How many bytes an access touches: the size of the object that is freed is asked for while it is there.
    fn bytes(&mut self, proc: ProcId, bytes: Option<u64>, at: ExprId, labels: &mut Vec<Label>) -> ExprId {
        let (pointer, width) = (self.program.pointer_sort(), self.program.pointer_bits);
        match bytes {
            Some(bytes) => self.program.pool.bits(width, bytes.into()),
            None => {
                let var = self.local(proc, "size", pointer);
                labels.push(Label::ObjectSize { var, address: at });
                self.program.pool.var(var, pointer)
            }
        }
    }

    /// What the sites of an edge look at, and when that is a race.
    fn conditions(&mut self, proc: ProcId, numbers: &[usize]) -> Conditions {
        let no = self.program.pool.bool(false);
        let mut all = Conditions { saved: Vec::new(), loads: Vec::new(), race: no, unclear: no };
        for &number in numbers {
            let site = self.sites[number].clone();
            let Group { kind, address, bytes } = self.groups[self.roles[number].group];
            let kind_seen = self.local(proc, "seen access", Sort::Bits(8));
            all.loads.push(load(kind_seen, kind));
            let overlaps = match (site.place, address) {
                (Place::Memory(at), Some(address)) => self.overlaps(proc, &site, at, address, bytes, &mut all),
                _ => self.program.pool.bool(true),
            };
            let pool = &mut self.program.pool;
            let seen = pool.var(kind_seen, Sort::Bits(8));
            let mut is = |kind: Kind| {
                let code = pool.bits(8, code(kind));
                pool.eq(seen, code)
            };
            let (plain, volatile, atomic) = (is(Kind::Plain), is(Kind::Volatile), is(Kind::Atomic));
            let no = pool.bool(false);
            let (race, unclear) = match site.kind {
                Kind::Plain => (pool.or(plain, atomic), volatile),
                Kind::Atomic => (plain, volatile),
                Kind::Volatile => {
                    let other = pool.or(plain, atomic);
                    (no, pool.or(other, volatile))
                }
            };
            let (race, unclear) = match self.is_vague[number] {
                true => (no, pool.or(race, unclear)),
                false => (race, unclear),
            };
            let (race, unclear) = (pool.and(race, overlaps), pool.and(unclear, overlaps));
            (all.race, all.unclear) = (pool.or(all.race, race), pool.or(all.unclear, unclear));
        }
        let pool = &mut self.program.pool;
        let is_no_race = pool.not(all.race);
        all.unclear = pool.and(all.unclear, is_no_race);
        all
    }

    /// Does what is announced overlap an access? The address is saved before the access may change what it is computed from.
    fn overlaps(
        &mut self,
        proc: ProcId,
        site: &Site,
        at: ExprId,
        address: VarId,
        bytes: Result<u64, VarId>,
        all: &mut Conditions,
    ) -> ExprId {
        let (pointer, width) = (self.program.pointer_sort(), self.program.pointer_bits);
        let own = self.local(proc, "address", pointer);
        all.saved.push((site.label, Label::Assign { var: own, value: at }));
        let mut sizes = Vec::new();
        let own_bytes = self.bytes(proc, site.bytes, at, &mut sizes);
        all.saved.extend(sizes.into_iter().map(|label| (site.label, label)));
        let at = self.program.pool.var(own, pointer);
        let seen = self.local(proc, "address", pointer);
        all.loads.push(load(seen, address));
        let seen_bytes = bytes.map_err(|size| {
            let seen = self.local(proc, "seen size", pointer);
            all.loads.push(load(seen, size));
            seen
        });
        let pool = &mut self.program.pool;
        let seen = pool.var(seen, pointer);
        let seen_bytes = match seen_bytes {
            Ok(bytes) => pool.bits(width, bytes.into()),
            Err(var) => pool.var(var, pointer),
        };
        let (behind, before) = (pool.binary(BinOp::BvSub, at, seen), pool.binary(BinOp::BvSub, seen, at));
        let (starts_in, holds_start) =
            (pool.binary(BinOp::ULt, behind, seen_bytes), pool.binary(BinOp::ULt, before, own_bytes));
        pool.or(starts_in, holds_start)
    }

    /// A race, something that is none for certain, or neither.
    fn branch(&mut self, proc: ProcId, from: LocId, on: LocId, race: ExprId, unclear: ExprId, span: Span) {
        let either = self.program.pool.or(race, unclear);
        let neither = self.program.pool.not(either);
        self.edge(proc, from, on, vec![Label::Assume(neither)], span);
        if !self.program.pool.is_bool(race, false) {
            let found = self.location(proc, LocKind::Normal, span);
            self.edge(proc, from, found, vec![Label::Assume(race)], span);
            let end = self.location(proc, LocKind::Normal, span);
            self.edge(proc, found, end, vec![Label::Error(Violation::DataRace)], span);
        }
        if !self.program.pool.is_bool(unclear, false) {
            let gap = self.gap(proc, span, "a race of a volatile access, or with one of the library's");
            self.edge(proc, from, gap, vec![Label::Assume(unclear)], span);
        }
    }

    /// Where a lock is found taken, a proof may rest on an order that is none.
    fn doubt_failures(&mut self) {
        for proc in (0..self.program.procs.len() as u32).map(ProcId) {
            for edge in 0..self.program.proc(proc).edges.len() {
                let old = &self.program.proc(proc).edges[edge];
                let (target, span) = (old.target, old.span);
                let tried = old.labels.iter().find_map(|label| match label {
                    Label::Lock {
                        op: LockOp::TryAcquire | LockOp::TryAcquireWrite | LockOp::TryAcquireShared,
                        var,
                        ..
                    } => *var,
                    _ => None,
                });
                let Some(result) = tried else { continue };
                let [after, failed, fork] = [(); 3].map(|()| self.location(proc, LocKind::Normal, span));
                self.program.procs[proc.index()].edges[edge].target = after;
                let sort = self.program.var(result).sort;
                let pool = &mut self.program.pool;
                let (result, zero) = (pool.var(result, sort), pool.constant(Const { sort, bits: 0 }));
                let is_had = pool.eq(result, zero);
                let is_not = pool.not(is_had);
                self.edge(proc, after, target, vec![Label::Assume(is_had)], span);
                self.edge(proc, after, failed, vec![Label::Assume(is_not)], span);
                let gap = self.gap(proc, span, "what follows where a lock is found taken, which orders nothing");
                self.choose(proc, failed, fork, (gap, target), span);
            }
        }
    }

    /// Goes on at either of two places.
    fn choose(&mut self, proc: ProcId, from: LocId, fork: LocId, (one, other): (LocId, LocId), span: Span) {
        let choice = self.local(proc, "choice", Sort::Bool);
        let havoc = Label::Havoc { var: choice, reason: HavocReason::UndefinedFunction, site: Origin::default() };
        self.edge(proc, from, fork, vec![havoc], span);
        let is_one = self.program.pool.var(choice, Sort::Bool);
        let is_other = self.program.pool.not(is_one);
        self.edge(proc, fork, one, vec![Label::Assume(is_one)], span);
        self.edge(proc, fork, other, vec![Label::Assume(is_other)], span);
    }

    /// What atomic accesses may do that are not sequentially consistent, nobody knows here.
    fn add_weak_gap(&mut self) {
        let proc = self.program.entry;
        let (entry, span) = (self.program.proc(proc).entry, self.program.proc(proc).span);
        let what =
            "races in executions that are not interleavings: an atomic operation is weaker than memory_order_seq_cst";
        let gap = self.gap(proc, span, what);
        let (first, fork) = (self.location(proc, LocKind::Normal, span), self.location(proc, LocKind::Normal, span));
        self.choose(proc, first, fork, (gap, entry), span);
        self.program.procs[proc.index()].entry = first;
    }
}

struct Conditions {
    /// Assignments before labels, by position on the edge as it was.
    saved: Vec<(usize, Label)>,
    loads: Vec<Label>,
    race: ExprId,
    unclear: ExprId,
}

fn load(var: VarId, from: VarId) -> Label {
    Label::Load { var, place: Place::Var(from), order: Order::NonAtomic }
}

fn store(to: VarId, value: ExprId) -> Label {
    Label::Store { place: Place::Var(to), value, order: Order::NonAtomic }
}

fn code(kind: Kind) -> u128 {
    kind as u128 + 1
}

fn is_local(label: &Label) -> bool {
    matches!(label, Label::Assign { .. } | Label::Havoc { .. } | Label::Assume(_) | Label::Require { .. })
}
