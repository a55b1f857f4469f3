//! A tiny builder of Programs for tests: statements one after another, each on an edge of its own.

use raddle_ir::*;

pub struct Builder {
    pub program: Program,
    /// The location at which the next statement of the last procedure begins.
    here: LocId,
    line: u32,
}

pub const INT: Sort = Sort::Bits(32);
pub const PTR: Sort = Sort::Bits(64);

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    pub fn new() -> Builder {
        Builder {
            program: Program {
                pointer_bits: 64,
                files: vec!["test.c".into()],
                pool: ExprPool::new(),
                vars: vec![],
                objects: vec![],
                procs: vec![],
                entry: ProcId(0),
                dynamic_base: 0x1_0000_0000,
                gaps: Vec::new(),
                callers: Vec::new(),
            },
            here: LocId(0),
            line: 0,
        }
    }

    fn span(&mut self) -> Span {
        self.line += 1;
        Span { file: FileId(0), line: self.line, column: 1 }
    }

    fn var(&mut self, name: &str, sort: Sort, kind: VarKind) -> VarId {
        let span = self.span();
        self.program.vars.push(Var {
            name: name.into(),
            sort,
            kind,
            signed: true,
            span,
            origin: raddle_ir::Origin::default(),
        });
        VarId(self.program.vars.len() as u32 - 1)
    }

    pub fn global(&mut self, name: &str, initial: u128) -> VarId {
        self.var(name, INT, VarKind::Global(Some(Const { sort: INT, bits: initial })))
    }

    pub fn global_of(&mut self, name: &str, sort: Sort) -> VarId {
        self.var(name, sort, VarKind::Global(Some(Const { sort, bits: 0 })))
    }

    pub fn global_any(&mut self, name: &str, sort: Sort) -> VarId {
        self.var(name, sort, VarKind::Global(None))
    }

    pub fn thread_local(&mut self, name: &str, initial: u128) -> VarId {
        self.var(name, INT, VarKind::ThreadLocal(Some(Const { sort: INT, bits: initial })))
    }

    /// A data object; the result is its address.
    pub fn object(&mut self, name: &str, size: u64, bytes: &[u8]) -> u64 {
        let init = ObjectInit::Bytes { bytes: bytes.to_vec(), pointers: vec![] };
        self.add_object(name, size, ObjectKind::Data { init, writable: true })
    }

    pub fn add_object(&mut self, name: &str, size: u64, kind: ObjectKind) -> u64 {
        let address = self.program.objects.last().map_or(4096, |o| (o.address + o.size + 47) & !15);
        let span = self.span();
        self.program.objects.push(Object {
            name: name.into(),
            address,
            size,
            kind,
            exposed: false,
            span,
            origin: raddle_ir::Origin::default(),
        });
        address
    }

    pub fn begin(&mut self, name: &str) -> ProcId {
        let id = ProcId(self.program.procs.len() as u32);
        let span = self.span();
        let location = Location { kind: LocKind::Normal, span, origin: raddle_ir::Origin::default() };
        self.program.procs.push(Procedure {
            name: name.into(),
            params: vec![],
            result: None,
            locals: vec![],
            locations: vec![location.clone(), location],
            edges: vec![],
            entry: LocId(0),
            exit: LocId(1),
            span,
        });
        self.here = LocId(0);
        if name == "main" {
            self.program.entry = id;
        }
        id
    }

    pub fn proc(&mut self) -> &mut Procedure {
        self.program.procs.last_mut().unwrap()
    }

    pub fn local_of(&mut self, name: &str, sort: Sort) -> VarId {
        let proc = ProcId(self.program.procs.len() as u32 - 1);
        let var = self.var(name, sort, VarKind::Local(proc));
        self.proc().locals.push(var);
        var
    }

    pub fn local(&mut self, name: &str) -> VarId {
        self.local_of(name, INT)
    }

    pub fn param(&mut self, name: &str, sort: Sort) -> VarId {
        let var = self.local_of(name, sort);
        self.proc().params.push(var);
        var
    }

    pub fn location(&mut self) -> LocId {
        let span = self.span();
        self.proc().locations.push(Location { kind: LocKind::Normal, span, origin: raddle_ir::Origin::default() });
        LocId(self.proc().locations.len() as u32 - 1)
    }

    pub fn here(&self) -> LocId {
        self.here
    }

    pub fn at(&mut self, loc: LocId) {
        self.here = loc;
    }

    pub fn edge(&mut self, source: LocId, target: LocId, labels: Vec<Label>) {
        let span = self.span();
        self.proc().edges.push(Edge { source, target, labels, span, is_silent: false });
    }

    /// One edge with these labels from here on.
    pub fn step(&mut self, labels: Vec<Label>) {
        let next = self.location();
        self.edge(self.here, next, labels);
        self.here = next;
    }

    pub fn goto(&mut self, target: LocId) {
        self.edge(self.here, target, vec![]);
        self.here = self.location();
    }

    /// The end of the procedure.
    pub fn end(&mut self) {
        let exit = self.proc().exit;
        self.edge(self.here, exit, vec![]);
    }

    // Statements.

    pub fn assign(&mut self, var: VarId, value: ExprId) {
        self.step(vec![Label::Assign { var, value }]);
    }
    pub fn havoc(&mut self, var: VarId) {
        self.step(vec![Label::Havoc { var, reason: HavocReason::Input, site: raddle_ir::Origin::default() }]);
    }
    pub fn assume(&mut self, cond: ExprId) {
        self.step(vec![Label::Assume(cond)]);
    }
    pub fn load(&mut self, var: VarId, from: VarId) {
        self.step(vec![load(var, from)]);
    }
    pub fn store(&mut self, to: VarId, value: ExprId) {
        self.step(vec![store(to, value)]);
    }
    pub fn load_at(&mut self, var: VarId, address: ExprId) {
        self.step(vec![Label::Load { var, place: Place::Memory(address), order: Order::NonAtomic }]);
    }
    pub fn store_at(&mut self, address: ExprId, value: ExprId) {
        self.step(vec![Label::Store { place: Place::Memory(address), value, order: Order::NonAtomic }]);
    }
    pub fn lock(&mut self, op: LockOp, lock: u64) {
        let lock = self.pointer(lock);
        self.step(vec![Label::Lock { op, lock, var: None }]);
    }
    pub fn start(&mut self, proc: ProcId) -> VarId {
        let var = self.local_of("handle", PTR);
        let arg = self.pointer(0);
        self.step(vec![Label::Start { var, callee: Callee::Proc(proc), arg }]);
        var
    }
    pub fn join(&mut self, handle: VarId) {
        let handle = self.get(handle);
        self.step(vec![Label::Join { var: None, handle }]);
    }
    pub fn error(&mut self) {
        self.step(vec![Label::Error(Violation::ErrorCall)]);
    }
    pub fn atomic(&mut self, body: impl FnOnce(&mut Builder)) {
        self.step(vec![Label::AtomicBegin]);
        body(self);
        self.step(vec![Label::AtomicEnd]);
    }
    pub fn if_else(&mut self, cond: ExprId, then: impl FnOnce(&mut Builder), otherwise: impl FnOnce(&mut Builder)) {
        let (start, end) = (self.here, self.location());
        let not = self.program.pool.not(cond);
        self.step(vec![Label::Assume(cond)]);
        then(self);
        self.edge(self.here, end, vec![]);
        self.here = start;
        self.step(vec![Label::Assume(not)]);
        otherwise(self);
        self.edge(self.here, end, vec![]);
        self.here = end;
    }
    pub fn if_(&mut self, cond: ExprId, then: impl FnOnce(&mut Builder)) {
        self.if_else(cond, then, |_| {});
    }
    pub fn while_(&mut self, cond: ExprId, body: impl FnOnce(&mut Builder)) {
        let (start, end) = (self.here, self.location());
        let not = self.program.pool.not(cond);
        self.step(vec![Label::Assume(cond)]);
        body(self);
        self.edge(self.here, start, vec![]);
        self.edge(start, end, vec![Label::Assume(not)]);
        self.here = end;
    }
    /// Reaches the error unless the condition holds.
    pub fn assert(&mut self, cond: ExprId) {
        let not = self.program.pool.not(cond);
        self.if_(not, |b| b.error());
    }
    /// `var += n` as a load and a store.
    pub fn increment(&mut self, global: VarId, by: i32) {
        let t = self.local("t");
        self.load(t, global);
        let sum = self.plus(t, by);
        self.store(global, sum);
    }

    // Expressions.

    pub fn int(&mut self, value: i32) -> ExprId {
        self.program.pool.bits(32, value as u32 as u128)
    }
    pub fn pointer(&mut self, value: u64) -> ExprId {
        self.program.pool.bits(64, value.into())
    }
    pub fn get(&mut self, var: VarId) -> ExprId {
        let sort = self.program.var(var).sort;
        self.program.pool.var(var, sort)
    }
    pub fn plus(&mut self, var: VarId, by: i32) -> ExprId {
        let (a, b) = (self.get(var), self.int(by));
        self.program.pool.binary(BinOp::BvAdd, a, b)
    }
    pub fn is(&mut self, var: VarId, value: i32) -> ExprId {
        let (a, b) = (self.get(var), self.int(value));
        self.program.pool.eq(a, b)
    }
    pub fn less(&mut self, var: VarId, value: i32) -> ExprId {
        let (a, b) = (self.get(var), self.int(value));
        self.program.pool.binary(BinOp::SLt, a, b)
    }
    pub fn yes(&mut self) -> ExprId {
        self.program.pool.bool(true)
    }
    pub fn not(&mut self, e: ExprId) -> ExprId {
        self.program.pool.not(e)
    }
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.program.pool.and(a, b)
    }
}

pub fn load(var: VarId, from: VarId) -> Label {
    Label::Load { var, place: Place::Var(from), order: Order::NonAtomic }
}

pub fn store(to: VarId, value: ExprId) -> Label {
    Label::Store { place: Place::Var(to), value, order: Order::NonAtomic }
}
