//! The lives of objects as variables, for engines that have no other notion of them: an `Alloc` that runs at most once (in the first process, outside all loops) makes one object, so where it
//! lies and how long it lives are two variables. Questions about memory (`Label::Valid`, `Label::Leaks`) that only such objects and static ones answer become expressions over these.
//!
//! For Programs whose calls are inlined: the end of an activation is a `Free` there. The first process ends its automatic objects with the Program, unless it may end by `ThreadExit`.

use crate::globalize::{may_exit_as_thread, runs_again};
use raddle_analysis::cfg::Cfg;
use raddle_analysis::points_to::{AbstractObject, PointsTo, points_to};
use raddle_ir::{
    BinOp, Const, ExprId, Label, ObjectKind, Order, Origin, Place, ProcId, Program, Sort, Span, Storage, Use, Var,
    VarId, VarKind,
};
use rustc_hash::FxHashMap;

/// More objects are not followed.
const MOST_SHADOWS: usize = 32;

/// The variables of an object: its address, and its size and one, or 0 while it does not live.
#[derive(Clone, Copy)]
struct Shadow {
    base: VarId,
    life: VarId,
    storage: Storage,
}

struct Shadows {
    points_to: PointsTo,
    /// By position among the objects of the points-to analysis.
    of: FxHashMap<usize, Shadow>,
    /// All objects on the heap are among them.
    has_all: bool,
}

/// Makes variables of the lives of objects that are allocated at most once.
pub fn shadow_lives(mut program: Program) -> Program {
    if !program.asks_for_lives() || runs_again(&program) {
        return program;
    }
    let shadows = shadows(&mut program);
    for proc in 0..program.procs.len() {
        for edge in 0..program.procs[proc].edges.len() {
            let labels = std::mem::take(&mut program.procs[proc].edges[edge].labels);
            let mut writer = Writer { program: &mut program, shadows: &shadows, proc, out: Vec::new() };
            for (at, label) in labels.into_iter().enumerate() {
                writer.label((proc, edge, at), label);
            }
            let out = writer.out;
            program.procs[proc].edges[edge].labels = out;
        }
    }
    program
}

fn shadows(program: &mut Program) -> Shadows {
    let points_to = points_to(program);
    let keeps_automatic = !may_exit_as_thread(program);
    let entry = program.entry;
    let cfg = Cfg::new(program.proc(entry));
    let on_cycle = cfg.on_cycle(program.proc(entry));
    let (mut of, mut has_all) = (FxHashMap::default(), true);
    for (i, object) in points_to.objects().iter().enumerate() {
        let AbstractObject::Site { proc, edge, label } = *object else { continue };
        let edge = &program.proc(proc).edges[edge.index()];
        let Label::Alloc { storage, .. } = edge.labels[label as usize] else { continue };
        let is_once =
            proc == entry && !(on_cycle.contains(edge.source.index()) && on_cycle.contains(edge.target.index()));
        if is_once && (keeps_automatic || storage != Storage::Stack) && of.len() < MOST_SHADOWS {
            let [base, life] = ["place", "life"].map(|name| {
                let sort = program.pointer_sort();
                let kind = VarKind::Global(Some(Const { sort, bits: 0 }));
                new_var(program, name, sort, kind)
            });
            of.insert(i, Shadow { base, life, storage });
        } else {
            has_all &= storage != Storage::Heap;
        }
    }
    Shadows { points_to, of, has_all }
}

fn new_var(program: &mut Program, name: &str, sort: Sort, kind: VarKind) -> VarId {
    let (name, span, origin) = (name.to_owned(), Span::NONE, Origin::default());
    program.vars.push(Var { name, sort, kind, signed: false, span, origin });
    VarId(program.vars.len() as u32 - 1)
}

struct Writer<'a> {
    program: &'a mut Program,
    shadows: &'a Shadows,
    proc: usize,
    out: Vec<Label>,
}

impl Writer<'_> {
    fn label(&mut self, (proc, edge, at): (usize, usize, usize), label: Label) {
        match label {
            Label::Alloc { var, size, .. } => {
                self.out.push(label);
                let is_this = |object: &AbstractObject| matches!(object, AbstractObject::Site { proc: p, edge: e, label: l } if (p.index(), e.index(), *l as usize) == (proc, edge, at));
                let position = self.shadows.points_to.objects().iter().position(is_this);
                let Some(shadow) = position.and_then(|position| self.shadows.of.get(&position)).copied() else {
                    return;
                };
                self.begin(shadow, var, size);
            }
            Label::Free { address, .. } => {
                for shadow in self.targets(address).into_iter().flatten() {
                    self.end(shadow, address);
                }
                self.out.push(label);
            }
            Label::Valid { var, address, used } => match self.answer(address, used) {
                Some(value) => self.out.push(Label::Assign { var, value }),
                None => self.out.push(label),
            },
            Label::Leaks { var, .. } if self.shadows.has_all => {
                let mut all: Vec<(usize, Shadow)> = self.shadows.of.iter().map(|(i, shadow)| (*i, *shadow)).collect();
                all.sort_unstable_by_key(|(i, _)| *i);
                let mut leaks = self.program.pool.bool(false);
                for (_, shadow) in all.into_iter().filter(|(_, shadow)| shadow.storage == Storage::Heap) {
                    let lives = self.lives(shadow);
                    leaks = self.program.pool.or(leaks, lives);
                }
                self.out.push(Label::Assign { var, value: leaks });
            }
            label => self.out.push(label),
        }
    }

    /// The value of a shadow, loaded here.
    fn load(&mut self, from: VarId) -> ExprId {
        let sort = self.program.pointer_sort();
        let var = new_var(self.program, "shadow", sort, VarKind::Local(ProcId(self.proc as u32)));
        self.program.procs[self.proc].locals.push(var);
        self.out.push(Label::Load { var, place: Place::Var(from), order: Order::NonAtomic });
        self.program.pool.var(var, sort)
    }

    fn store(&mut self, to: VarId, value: ExprId) {
        self.out.push(Label::Store { place: Place::Var(to), value, order: Order::NonAtomic });
    }

    /// `size` is what it was before the address was written.
    fn begin(&mut self, shadow: Shadow, var: VarId, size: ExprId) {
        let bits = self.program.pointer_bits;
        let pool = &mut self.program.pool;
        if pool.vars(size).contains(&var) {
            // The size must be kept before the `Alloc`.
            let alloc = self.out.pop();
            let sort = pool.sort(size);
            let kept = new_var(self.program, "size", sort, VarKind::Local(ProcId(self.proc as u32)));
            self.program.procs[self.proc].locals.push(kept);
            self.out.push(Label::Assign { var: kept, value: size });
            self.out.extend(alloc);
            let size = self.program.pool.var(kept, sort);
            return self.begin(shadow, var, size);
        }
        let size = match pool.sort(size) {
            Sort::Bits(width) if width > bits => pool.extract(bits - 1, 0, size),
            Sort::Bits(width) if width < bits => pool.zero_ext(bits, size),
            _ => size,
        };
        let one = pool.bits(bits, 1);
        let life = pool.binary(BinOp::BvAdd, size, one);
        let base = pool.var(var, Sort::Bits(bits));
        self.store(shadow.base, base);
        self.store(shadow.life, life);
    }

    fn end(&mut self, shadow: Shadow, address: ExprId) {
        let (base, life) = (self.load(shadow.base), self.load(shadow.life));
        let pool = &mut self.program.pool;
        let none = pool.bits(self.program.pointer_bits, 0);
        let is_this = pool.eq(address, base);
        let life = pool.ite(is_this, none, life);
        self.store(shadow.life, life);
    }

    /// For each object that an address may lie in, its shadow; none for a static object, or one that has no shadow.
    fn targets(&self, address: ExprId) -> Vec<Option<Shadow>> {
        let targets = self.shadows.points_to.targets(&self.program.pool, address);
        targets.ones().map(|target| self.shadows.of.get(&target).copied()).collect()
    }

    fn answer(&mut self, address: ExprId, used: Use) -> Option<ExprId> {
        let bits = self.program.pointer_bits;
        let points_to = &self.shadows.points_to;
        let targets: Vec<usize> = points_to.targets(&self.program.pool, address).ones().collect();
        let is_known = |target: &usize| match points_to.objects()[*target] {
            AbstractObject::Static(_) => true,
            AbstractObject::Site { .. } => self.shadows.of.contains_key(target),
        };
        if used == Use::Call || !targets.iter().all(is_known) {
            return None;
        }
        let null = self.program.pool.bits(bits, 0);
        let mut valid = match used {
            Use::Free => self.program.pool.eq(address, null),
            _ => self.program.pool.bool(false),
        };
        for target in targets {
            let there = match points_to.objects()[target] {
                AbstractObject::Static(id) => {
                    let object = &self.program.objects[id.index()];
                    let (start, size) = (object.address, object.size);
                    match (used, &object.kind) {
                        (Use::Read(bytes), ObjectKind::Data { .. }) if bytes <= size => {
                            self.within(address, start, size - bytes)
                        }
                        (Use::Write(bytes), ObjectKind::Data { writable: true, .. }) if bytes <= size => {
                            self.within(address, start, size - bytes)
                        }
                        _ => continue,
                    }
                }
                AbstractObject::Site { .. } => {
                    let shadow = self.shadows.of[&target];
                    self.in_shadow(shadow, address, used)
                }
            };
            valid = self.program.pool.or(valid, there);
        }
        Some(valid)
    }

    fn within(&mut self, address: ExprId, start: u64, last: u64) -> ExprId {
        let bits = self.program.pointer_bits;
        let pool = &mut self.program.pool;
        let (start, last) = (pool.bits(bits, start.into()), pool.bits(bits, last.into()));
        let offset = pool.binary(BinOp::BvSub, address, start);
        pool.binary(BinOp::ULe, offset, last)
    }

    /// Does an object live?
    fn lives(&mut self, shadow: Shadow) -> ExprId {
        let life = self.load(shadow.life);
        let none = self.program.pool.bits(self.program.pointer_bits, 0);
        self.program.pool.ne(life, none)
    }

    fn in_shadow(&mut self, shadow: Shadow, address: ExprId, used: Use) -> ExprId {
        let bits = self.program.pointer_bits;
        let base = self.load(shadow.base);
        match used {
            Use::Free if shadow.storage == Storage::Heap => {
                let lives = self.lives(shadow);
                let is_start = self.program.pool.eq(address, base);
                self.program.pool.and(is_start, lives)
            }
            Use::Free | Use::Call => self.program.pool.bool(false),
            Use::Read(bytes) | Use::Write(bytes) => {
                // `life` is the size and one: offset + bytes <= size, and the offset alone is less, so that the sum does not wrap.
                let life = self.load(shadow.life);
                let pool = &mut self.program.pool;
                let offset = pool.binary(BinOp::BvSub, address, base);
                let bytes = pool.bits(bits, bytes.into());
                let end = pool.binary(BinOp::BvAdd, offset, bytes);
                let is_before = pool.binary(BinOp::ULt, offset, life);
                let is_inside = pool.binary(BinOp::ULt, end, life);
                pool.and(is_before, is_inside)
            }
        }
    }
}
