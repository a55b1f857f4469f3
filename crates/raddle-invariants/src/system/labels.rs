//! What the labels of an edge do, one after another, to a way that has come so far.

use super::{At, MOVER, NEW, OTHER, Step, System, THIRD, Target, Unsupported};
use raddle_ir::{BinOp, Callee, EdgeId, ExprId, ExprPool, Label, LockOp, Place, ProcId, Sort, Span, VarId};
use raddle_model::instances::{Origin, Vars};
use raddle_model::memory::Allocation;
use raddle_model::statements::Statement;
use raddle_model::{locks, number, resized};
use rustc_hash::FxHashMap;

/// A step as far as it has come: everything is in terms of the state before it.
#[derive(Clone, Debug)]
pub struct Way {
    cond: ExprId,
    after: FxHashMap<VarId, ExprId>,
    pub(super) starts: Option<ProcId>,
    joins: Vec<ExprId>,
    locks: Vec<ExprId>,
    /// How it ended, if nothing can follow: an `At` stands for the end of the thread.
    pub ends: Option<Target>,
    choices: u32,
}

impl Way {
    pub fn new(pool: &mut ExprPool) -> Way {
        let cond = pool.bool(true);
        Way {
            cond,
            after: FxHashMap::default(),
            starts: None,
            joins: Vec::new(),
            locks: Vec::new(),
            ends: None,
            choices: 0,
        }
    }

    /// An expression of the state that the way has come to.
    pub(super) fn now(&self, pool: &mut ExprPool, expr: ExprId) -> ExprId {
        pool.substitute(expr, &mut |var| self.after.get(&var).copied())
    }

    pub(super) fn assume(&mut self, pool: &mut ExprPool, cond: ExprId) {
        let cond = self.now(pool, cond);
        self.cond = pool.and(self.cond, cond);
    }

    /// Any value of a variable's sort.
    pub(super) fn choice(&mut self, pool: &mut ExprPool, vars: &mut Vars, var: VarId) -> ExprId {
        self.choices += 1;
        let choice = vars.version(var, self.choices);
        pool.var(choice, vars.sort(var))
    }

    /// Two ways that exclude each other, and differ in no more than what variables are, as one.
    fn or(mut self, pool: &mut ExprPool, vars: &Vars, other: Way) -> Way {
        let mut changed: Vec<VarId> = self.after.keys().chain(other.after.keys()).copied().collect();
        changed.sort_unstable();
        for var in changed {
            let same = pool.var(var, vars.sort(var));
            let [a, b] = [&self, &other].map(|way| way.after.get(&var).copied().unwrap_or(same));
            self.after.insert(var, pool.ite(self.cond, a, b));
        }
        self.cond = pool.or(self.cond, other.cond);
        self.choices = self.choices.max(other.choices);
        self
    }

    pub(super) fn run(&mut self, pool: &mut ExprPool, vars: &mut Vars, statements: &[Statement]) {
        for statement in statements {
            match *statement {
                Statement::Assign { var, value } => {
                    let value = self.now(pool, value);
                    self.after.insert(var, value);
                }
                Statement::Havoc { var, .. } => {
                    let value = self.choice(pool, vars, var);
                    self.after.insert(var, value);
                }
                Statement::Assume(cond) => self.assume(pool, cond),
            }
        }
    }

    pub fn finish(mut self, pool: &mut ExprPool, vars: &Vars, source: At, target: Target, span: Span) -> Step {
        self.after.retain(|var, value| {
            let is_same = pool.var(*var, vars.sort(*var)) == *value;
            !is_same && !matches!(vars.origin(*var), Origin::Way(_))
        });
        let Way { cond, after, starts, joins, locks, .. } = self;
        Step { source, target, cond, after, starts, returns: None, joins, locks, span }
    }
}

impl System<'_> {
    /// The ways on through an edge: several where a lock operation may mean several locks.
    pub(super) fn through(&mut self, proc: ProcId, edge: EdgeId, way: &Way) -> Result<Vec<Way>, Unsupported> {
        let program = self.program;
        let site = (proc, edge);
        let edge = &program.proc(proc).edges[edge.index()];
        let mut ways = vec![way.clone()];
        for label in &edge.labels {
            let mut next = Vec::new();
            for mut way in ways {
                if way.ends.is_some() || self.pool.is_bool(way.cond, false) {
                    next.push(way);
                    continue;
                }
                match label {
                    Label::Alloc { var, size, zeroed, .. } if self.in_order => {
                        let done = self.allocate_next(&mut way, site, *var, *size, *zeroed);
                        done.map_err(|what| Unsupported { what, span: edge.span })?;
                        next.push(way);
                    }
                    Label::Load { .. } | Label::Store { .. } if self.in_order && self.memory.is_stray(label) => {
                        let way = self.follow_stray(label, way);
                        next.push(way.map_err(|what| Unsupported { what, span: edge.span })?);
                    }
                    Label::Lock { op, lock, var } => self.lock(proc, &way, *op, *lock, *var, &mut next),
                    _ => {
                        self.label(label, &mut way).map_err(|what| Unsupported { what, span: edge.span })?;
                        next.push(way);
                    }
                }
            }
            ways = next;
        }
        ways.retain(|way| !self.pool.is_bool(way.cond, false));
        Ok(ways)
    }

    /// An expression of the Program, as the thread in slot `MOVER` means it.
    pub fn of_mover(&mut self, expr: ExprId) -> ExprId {
        let vars = self.pool.vars(expr);
        let new: FxHashMap<VarId, ExprId> = vars.into_iter().map(|var| (var, self.instance(MOVER, var))).collect();
        self.pool.substitute(expr, &mut |var| new.get(&var).copied())
    }

    pub(super) fn mine(&mut self, var: VarId) -> VarId {
        self.vars.instance(self.program, MOVER, var)
    }

    fn set(&mut self, way: &mut Way, var: VarId, value: ExprId) {
        let to = self.mine(var);
        let value = self.of_mover(value);
        way.run(&mut self.pool, &mut self.vars, &[Statement::Assign { var: to, value }]);
    }

    pub(super) fn set_any(&mut self, way: &mut Way, var: VarId) {
        let var = self.mine(var);
        way.run(&mut self.pool, &mut self.vars, &[Statement::Havoc { var, input: None }]);
    }

    fn label(&mut self, label: &Label, way: &mut Way) -> Result<(), String> {
        match label {
            Label::Assign { var, value } => self.set(way, *var, *value),
            Label::Havoc { var, .. }
            | Label::Print { var: Some(var), .. }
            | Label::ObjectSize { var, .. }
            | Label::Valid { var, .. }
            | Label::Leaks { var, .. } => self.set_any(way, *var),
            Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => {
                let cond = self.of_mover(*cond);
                way.assume(&mut self.pool, cond);
            }
            Label::Load { var, place: Place::Var(from), .. } => {
                let (to, value) = (self.mine(*var), self.instance(MOVER, *from));
                way.run(&mut self.pool, &mut self.vars, &[Statement::Assign { var: to, value }]);
            }
            Label::Store { place: Place::Var(to), value, .. } => self.set(way, *to, *value),
            Label::Load { place: Place::Memory(_), .. } | Label::Store { place: Place::Memory(_), .. }
                if self.memory.is_stray(label) && !self.in_order =>
            {
                return Err("a pointer that may come from outside".into());
            }
            Label::Load { var, place: Place::Memory(address), .. } => {
                let (at, to) = (self.of_mover(*address), self.mine(*var));
                let sort = self.vars.sort(to);
                let mut statements = Vec::new();
                let value = self.memory.load(&mut self.pool, &self.vars, *address, at, sort, &mut statements)?;
                statements.push(Statement::Assign { var: to, value });
                way.run(&mut self.pool, &mut self.vars, &statements);
            }
            Label::Store { place: Place::Memory(address), value, .. } => {
                let (at, value) = (self.of_mover(*address), self.of_mover(*value));
                let mut statements = Vec::new();
                self.memory.store(&mut self.pool, &self.vars, *address, at, value, &mut statements)?;
                way.run(&mut self.pool, &mut self.vars, &statements);
            }
            Label::Alloc { var, .. } => self.allocate(way, *var),
            Label::Free { .. } | Label::Print { var: None, .. } | Label::Fence(_) => {}
            // Where a thread is inside a block is told by its location.
            Label::AtomicBegin | Label::AtomicEnd => {}
            Label::Start { var, callee, arg } => self.start(way, *var, *callee, *arg)?,
            Label::Join { var, handle } => {
                let handle = self.of_mover(*handle);
                let handle = way.now(&mut self.pool, handle);
                let handle = resized(&mut self.pool, handle, self.program.pointer_sort());
                way.joins.push(handle);
                if let Some(var) = var {
                    self.set_any(way, *var);
                }
            }
            Label::Self_ { var } => {
                let (to, handle) = (self.mine(*var), self.handle(MOVER));
                let value = resized(&mut self.pool, handle, self.vars.sort(to));
                way.run(&mut self.pool, &mut self.vars, &[Statement::Assign { var: to, value }]);
            }
            Label::ThreadExit { .. } => {
                way.ends = Some(Target::At(At { proc: self.program.entry, loc: raddle_ir::LocId(0) }));
            }
            Label::Error(_) => way.ends = Some(Target::Error),
            Label::Halt { .. } => way.ends = Some(Target::End),
            Label::Call { .. } => return Err("a call that was not inlined".into()),
            Label::Lock { .. } => {}
        }
        Ok(())
    }

    /// A pointer that may come from outside leads to one of the objects that it may point to, or elsewhere: a load there gives anything, and a store changes nothing.
    fn follow_stray(&mut self, label: &Label, way: Way) -> Result<Way, String> {
        let (address, var, sort) = match label {
            Label::Load { var, place: Place::Memory(address), .. } => {
                (*address, Some(*var), self.program.var(*var).sort)
            }
            Label::Store { value, place: Place::Memory(address), .. } => (*address, None, self.pool.sort(*value)),
            _ => return Ok(way),
        };
        let at = self.of_mover(address);
        let (mut inside, mut elsewhere) = (way.clone(), way);
        self.label(label, &mut inside)?;
        let mut statements = Vec::new();
        self.memory.goes_elsewhere(&mut self.pool, address, at, sort.bytes(), var.is_none(), &mut statements);
        elsewhere.run(&mut self.pool, &mut self.vars, &statements);
        if let Some(var) = var {
            self.set_any(&mut elsewhere, var);
        }
        Ok(inside.or(&mut self.pool, &self.vars, elsewhere))
    }

    /// The address behind those that were given out before.
    fn allocate_next(
        &mut self,
        way: &mut Way,
        site: (ProcId, EdgeId),
        var: VarId,
        size: ExprId,
        zeroed: bool,
    ) -> Result<(), String> {
        let (to, size) = (self.mine(var), self.of_mover(size));
        let mut statements = Vec::new();
        let allocation = Allocation { slot: MOVER, site, to, size, zeroed };
        self.memory.allocate(&mut self.pool, &mut self.vars, allocation, &mut statements)?;
        way.run(&mut self.pool, &mut self.vars, &statements);
        Ok(())
    }

    /// Any address that an object may have.
    fn allocate(&mut self, way: &mut Way, var: VarId) {
        self.set_any(way, var);
        let to = self.mine(var);
        let sort = self.vars.sort(to);
        let Sort::Bits(width) = sort else { return };
        let address = self.pool.var(to, sort);
        let base = self.pool.bits(width, self.memory.dynamic_base().into());
        let (low, zero) = (self.pool.extract(3, 0, address), self.pool.bits(4, 0));
        let conds = [self.pool.binary(BinOp::ULe, base, address), self.pool.eq(low, zero)];
        conds.into_iter().for_each(|cond| way.assume(&mut self.pool, cond));
    }

    fn start(&mut self, way: &mut Way, var: VarId, callee: Callee, arg: ExprId) -> Result<(), String> {
        let Callee::Proc(callee) = callee else { return Err("a thread function that is not known".into()) };
        if way.starts.replace(callee).is_some() {
            return Err("a step that starts two threads".into());
        }
        if let Some(&param) = self.program.proc(callee).params.first() {
            let arg = self.of_mover(arg);
            let param = self.vars.instance(self.program, NEW, param);
            let value = resized(&mut self.pool, arg, self.vars.sort(param));
            way.run(&mut self.pool, &mut self.vars, &[Statement::Assign { var: param, value }]);
        }
        // A handle that no thread has had before.
        let sort = self.program.pointer_sort();
        let new = self.vars.make(Origin::Handle(NEW), sort, None);
        way.run(&mut self.pool, &mut self.vars, &[Statement::Havoc { var: new, input: None }]);
        let handle = self.pool.var(new, sort);
        let zero = number(&mut self.pool, sort, 0);
        let is_new = self.pool.ne(handle, zero);
        way.assume(&mut self.pool, is_new);
        for slot in [MOVER, OTHER, THIRD] {
            let known = self.handle(slot);
            let is_new = self.pool.ne(handle, known);
            way.assume(&mut self.pool, is_new);
        }
        let to = self.mine(var);
        let value = resized(&mut self.pool, handle, self.vars.sort(to));
        way.run(&mut self.pool, &mut self.vars, &[Statement::Assign { var: to, value }]);
        Ok(())
    }

    /// A lock operation on each of the locks that are followed, and on any other one.
    fn lock(&mut self, proc: ProcId, way: &Way, op: LockOp, lock: ExprId, var: Option<VarId>, out: &mut Vec<Way>) {
        let lock = self.of_mover(lock);
        if self.pool.as_const(lock).is_none() && !self.selectors.contains(&(proc, lock)) {
            self.selectors.push((proc, lock));
        }
        let mut way = way.clone();
        if self.pool.as_const(lock).is_none() {
            let lock = way.now(&mut self.pool, lock);
            way.locks.push(lock);
        }
        let mut elsewhere = way.clone();
        for address in self.locks.clone() {
            let is_here = self.is_lock(lock, address);
            let not_here = self.pool.not(is_here);
            elsewhere.assume(&mut self.pool, not_here);
            let mut way = way.clone();
            way.assume(&mut self.pool, is_here);
            if self.pool.is_bool(way.cond, false) {
                continue;
            }
            let (mut op, mut others) = (op, Vec::new());
            if let LockOp::Init(kind) = &mut op {
                *kind = self.of_mover(*kind);
                others = vec![OTHER, THIRD];
            }
            let mut statements = Vec::new();
            let answer =
                locks::statements(&mut self.pool, &mut self.vars, MOVER, address, op, &others, &mut statements);
            if let Some(var) = var {
                let to = self.mine(var);
                let value = resized(&mut self.pool, answer, self.vars.sort(to));
                statements.push(Statement::Assign { var: to, value });
            }
            way.run(&mut self.pool, &mut self.vars, &statements);
            out.push(way);
        }
        if !self.pool.is_bool(elsewhere.cond, false) {
            if let Some(var) = var {
                self.set_any(&mut elsewhere, var);
            }
            out.push(elsewhere);
        }
    }
}
