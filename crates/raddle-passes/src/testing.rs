//! Builds tiny Programs for tests.

use raddle_ir::*;

pub(crate) struct Builder {
    program: Program,
}

/// Stands for the exit of a procedure in `Builder::edge`.
pub(crate) const EXIT: u32 = u32::MAX;

impl Builder {
    /// A 64-bit Program. The first procedure that is made is its entry.
    pub(crate) fn new() -> Self {
        Builder {
            program: Program {
                pointer_bits: 64,
                files: Vec::new(),
                pool: ExprPool::new(),
                vars: Vec::new(),
                objects: Vec::new(),
                procs: Vec::new(),
                entry: ProcId(0),
                dynamic_base: 0x100000,
            },
        }
    }

    pub(crate) fn pool(&mut self) -> &mut ExprPool {
        &mut self.program.pool
    }

    /// A procedure with an entry (location 0) and an exit (`EXIT`).
    pub(crate) fn proc(&mut self, name: &str) -> ProcId {
        let location = Location { kind: LocKind::Normal, span: Span::NONE };
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
        self.program.vars.push(Var { name: name.into(), sort, kind, signed: false, span: Span::NONE });
        VarId(self.program.vars.len() as u32 - 1)
    }

    pub(crate) fn local(&mut self, proc: ProcId, name: &str, width: u8) -> VarId {
        self.local_of(proc, name, Sort::Bits(width))
    }

    pub(crate) fn local_of(&mut self, proc: ProcId, name: &str, sort: Sort) -> VarId {
        let var = self.var(name, sort, VarKind::Local(proc));
        self.program.procs[proc.index()].locals.push(var);
        var
    }

    pub(crate) fn param(&mut self, proc: ProcId, name: &str, width: u8) -> VarId {
        let var = self.local(proc, name, width);
        self.program.procs[proc.index()].params.push(var);
        var
    }

    pub(crate) fn result(&mut self, proc: ProcId, width: u8) -> VarId {
        let var = self.local(proc, "result", width);
        self.program.procs[proc.index()].result = Some(var);
        var
    }

    pub(crate) fn global(&mut self, name: &str, width: u8, initial: Option<u128>) -> VarId {
        let sort = Sort::Bits(width);
        self.var(name, sort, VarKind::Global(initial.map(|bits| Const { sort, bits })))
    }

    /// A data object; without bytes, any.
    pub(crate) fn object(&mut self, name: &str, address: u64, size: u64, bytes: Option<Vec<u8>>, writable: bool) {
        let init = bytes.map_or(ObjectInit::Any, |bytes| ObjectInit::Bytes { bytes, pointers: Vec::new() });
        let kind = ObjectKind::Data { init, writable };
        self.program.objects.push(Object { name: name.into(), address, size, kind, span: Span::NONE });
    }

    pub(crate) fn function(&mut self, proc: ProcId, address: u64) {
        let name = self.program.procs[proc.index()].name.clone();
        let kind = ObjectKind::Function(proc);
        self.program.objects.push(Object { name, address, size: 1, kind, span: Span::NONE });
    }

    pub(crate) fn num(&mut self, width: u8, value: u128) -> ExprId {
        self.pool().bits(width, value)
    }

    pub(crate) fn get(&mut self, var: VarId) -> ExprId {
        let sort = self.program.vars[var.index()].sort;
        self.pool().var(var, sort)
    }

    pub(crate) fn bin(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.pool().binary(op, a, b)
    }

    /// An edge between locations that are named by small numbers: 0 is the entry, `EXIT` the exit.
    pub(crate) fn edge(&mut self, proc: ProcId, source: u32, target: u32, labels: Vec<Label>) {
        let proc = &mut self.program.procs[proc.index()];
        let mut loc = |name: u32| {
            let index = match name {
                0 => 0,
                EXIT => 1,
                n => n as usize + 1,
            };
            while proc.locations.len() <= index {
                proc.locations.push(Location { kind: LocKind::Normal, span: Span::NONE });
            }
            LocId(index as u32)
        };
        let (source, target) = (loc(source), loc(target));
        proc.edges.push(Edge { source, target, labels, span: Span::NONE });
    }

    pub(crate) fn finish(self) -> Program {
        self.program
    }
}

pub(crate) fn load(var: VarId, place: Place) -> Label {
    Label::Load { var, place, order: Order::NonAtomic }
}

pub(crate) fn store(place: Place, value: ExprId) -> Label {
    Label::Store { place, value, order: Order::NonAtomic }
}

pub(crate) fn input(var: VarId) -> Label {
    Label::Havoc { var, reason: HavocReason::Input }
}

/// A rough text of a Program, for failed tests.
pub(crate) fn show(program: &Program) -> String {
    fn expr(program: &Program, id: ExprId) -> String {
        match program.pool.get(id) {
            Expr::Const(c) => format!("{:#x}", c.bits),
            Expr::Var(var) => format!("{}{}", program.var(var).name, var.0),
            other => {
                let mut parts = Vec::new();
                other.for_each_operand(|operand| parts.push(expr(program, operand)));
                let name = format!("{other:?}");
                let name = name.split([',', '{']).next().unwrap_or("").trim_start_matches("Binary(").to_string();
                format!("{name}({})", parts.join(", "))
            }
        }
    }
    let mut text = String::new();
    for proc in &program.procs {
        let var = |var: &VarId| format!("{}{}", program.var(*var).name, var.0);
        let result = proc.result.as_ref().map(var);
        text += &format!("proc {} {:?} -> {result:?}\n", proc.name, proc.params.iter().map(var).collect::<Vec<_>>());
        text += &format!("  entry {} exit {}\n", proc.entry.0, proc.exit.0);
        for edge in &proc.edges {
            text += &format!("  {} -> {}:", edge.source.0, edge.target.0);
            for label in &edge.labels {
                let name = format!("{label:?}");
                let name = name.split([' ', '(']).next().unwrap_or("").to_string();
                let exprs: Vec<String> = label.exprs().iter().map(|id| expr(program, *id)).collect();
                let place = match label.place() {
                    Some(Place::Var(place)) => var(&place),
                    _ => String::new(),
                };
                let to = label.written_local().as_ref().map(var).unwrap_or_default();
                text += &format!(" {name} {to} {place} {};", exprs.join(", "));
            }
            text += "\n";
        }
    }
    text
}
