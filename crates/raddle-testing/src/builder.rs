//! Builds tiny Programs for tests, label by label: where a test of a pass or an analysis needs ids of what it made, C or the text form would hide them.

use raddle_ir::*;

/// A Program in the making.
pub struct Builder {
    program: Program,
}

/// Stands for the exit of a procedure in `Builder::edge`.
pub const EXIT: u32 = u32::MAX;

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// A 64-bit Program. The first procedure that is made is its entry.
    pub fn new() -> Self {
        Builder {
            program: Program {
                pointer_bits: 64,
                files: Vec::new(),
                pool: ExprPool::new(),
                vars: Vec::new(),
                objects: Vec::new(),
                procs: Vec::new(),
                entry: ProcId(0),
                dynamic_base: 1 << 44,
                gaps: Vec::new(),
                callers: Vec::new(),
            },
        }
    }

    pub fn pool(&mut self) -> &mut ExprPool {
        &mut self.program.pool
    }

    /// A procedure with an entry (location 0) and an exit (`EXIT`).
    pub fn proc(&mut self, name: &str) -> ProcId {
        let location = Location { kind: LocKind::Normal, span: Span::NONE, origin: raddle_ir::Origin::default() };
        self.program.procs.push(Procedure {
            name: name.into(),
            params: Vec::new(),
            result: None,
            locals: Vec::new(),
            locations: vec![location.clone(), location],
            edges: Vec::new(),
            entry: LocId(0),
            exit: LocId(1),
            span: Span::NONE,
        });
        ProcId(self.program.procs.len() as u32 - 1)
    }

    fn var(&mut self, name: &str, sort: Sort, kind: VarKind) -> VarId {
        self.program.vars.push(Var {
            name: name.into(),
            sort,
            kind,
            signed: false,
            span: Span::NONE,
            origin: raddle_ir::Origin::default(),
        });
        VarId(self.program.vars.len() as u32 - 1)
    }

    pub fn local(&mut self, proc: ProcId, name: &str, width: u8) -> VarId {
        self.local_of(proc, name, Sort::Bits(width))
    }

    pub fn local_of(&mut self, proc: ProcId, name: &str, sort: Sort) -> VarId {
        let var = self.var(name, sort, VarKind::Local(proc));
        self.program.procs[proc.index()].locals.push(var);
        var
    }

    pub fn param(&mut self, proc: ProcId, name: &str, width: u8) -> VarId {
        let var = self.local(proc, name, width);
        self.program.procs[proc.index()].params.push(var);
        var
    }

    pub fn result(&mut self, proc: ProcId, width: u8) -> VarId {
        let var = self.local(proc, "result", width);
        self.program.procs[proc.index()].result = Some(var);
        var
    }

    pub fn global(&mut self, name: &str, width: u8, initial: Option<u128>) -> VarId {
        let sort = Sort::Bits(width);
        self.var(name, sort, VarKind::Global(initial.map(|bits| Const { sort, bits })))
    }

    /// A data object; without bytes, any.
    pub fn object(&mut self, name: &str, address: u64, size: u64, bytes: Option<Vec<u8>>, writable: bool) {
        let init = bytes.map_or(ObjectInit::Any, |bytes| ObjectInit::Bytes { bytes, pointers: Vec::new() });
        let kind = ObjectKind::Data { init, writable };
        self.program.objects.push(Object {
            name: name.into(),
            address,
            size,
            kind,
            exposed: false,
            span: Span::NONE,
            origin: raddle_ir::Origin::default(),
        });
    }

    pub fn function(&mut self, proc: ProcId, address: u64) {
        let name = self.program.procs[proc.index()].name.clone();
        let kind = ObjectKind::Function(proc);
        self.program.objects.push(Object {
            name,
            address,
            size: 1,
            kind,
            exposed: false,
            span: Span::NONE,
            origin: raddle_ir::Origin::default(),
        });
    }

    pub fn num(&mut self, width: u8, value: u128) -> ExprId {
        self.pool().bits(width, value)
    }

    pub fn get(&mut self, var: VarId) -> ExprId {
        let sort = self.program.vars[var.index()].sort;
        self.pool().var(var, sort)
    }

    pub fn bin(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.pool().binary(op, a, b)
    }

    /// An edge between locations that are named by small numbers: 0 is the entry, `EXIT` the exit.
    pub fn edge(&mut self, proc: ProcId, source: u32, target: u32, labels: Vec<Label>) {
        let proc = &mut self.program.procs[proc.index()];
        let mut loc = |name: u32| {
            let index = match name {
                0 => 0,
                EXIT => 1,
                n => n as usize + 1,
            };
            while proc.locations.len() <= index {
                proc.locations.push(Location {
                    kind: LocKind::Normal,
                    span: Span::NONE,
                    origin: raddle_ir::Origin::default(),
                });
            }
            LocId(index as u32)
        };
        let (source, target) = (loc(source), loc(target));
        proc.edges.push(Edge { source, target, labels, span: Span::NONE, is_silent: false });
    }

    pub fn finish(self) -> Program {
        self.program
    }
}

pub fn load(var: VarId, place: Place) -> Label {
    Label::Load { var, place, order: Order::NonAtomic }
}

pub fn store(place: Place, value: ExprId) -> Label {
    Label::Store { place, value, order: Order::NonAtomic }
}

pub fn input(var: VarId) -> Label {
    Label::Havoc { var, reason: HavocReason::Input, site: raddle_ir::Origin::default() }
}
