//! The compiled form of a Program: labels with slots instead of variables and register code instead of expressions.
//!
//! All labels, edges and operations lie in flat arrays; procedures and locations hold ranges of them. Label `i` of an edge is
//! `labels[edge.first + i]`, so that compiled labels can be traced back to the Program.

use crate::machine::expr_code::{ExprCode, ExprCompiler, Generic, Op, Slot, Split, Unsupported, is_wide};
use crate::machine::interval::Interval;
use crate::machine::memory::LARGEST_OBJECT;
use crate::machine::undetermined::{Locals, Widening, copied_var, locals};
use raddle_ir::{
    BinOp, Callee, EdgeId, Expr, ExprId, HavocReason, Hazard, Label, Leak, LibraryFunction, LockOp, ObjectKind, Place,
    ProcId, Program, Sort, Storage, UnOp, Use, VarId, VarKind,
};
use raddle_ir::{MemoryModel, is_read_modify_write};
use rustc_hash::FxHashMap;

pub struct Code<'a> {
    pub program: &'a Program,
    /// How it is run.
    pub model: MemoryModel,
    pub procs: Vec<ProcCode>,
    pub edges: Vec<EdgeCode>,
    pub labels: Vec<LabelCode>,
    pub ops: Vec<Op>,
    pub generics: Vec<Generic>,
    pub splits: Vec<Split>,
    pub calls: Vec<CallCode>,
    pub prints: Vec<PrintCode>,
    pub results: Vec<ResultCode>,
    /// Global variables, by slot; wide ones take two.
    pub globals: Vec<SharedSlot>,
    pub global_words: u32,
    /// Thread-local variables, likewise.
    pub owns: Vec<SharedSlot>,
    pub own_words: u32,
    /// Procedures by the address of their function object.
    pub functions: FxHashMap<u64, u32>,
    /// Data objects as `(address, size, object)`, by address.
    pub object_ranges: Vec<(u64, u64, u32)>,
    /// Does anyone look at the results of threads?
    pub results_matter: bool,
}

/// A global or thread-local variable.
#[derive(Clone, Copy, Debug)]
pub struct SharedSlot {
    pub var: VarId,
    pub slot: u32,
    pub sort: Sort,
    pub initial: Option<u128>,
}

pub struct ProcCode {
    pub local_words: u32,
    pub consts: Vec<u64>,
    pub frame_words: u32,
    /// By position in `Procedure::locals`.
    pub slots: Vec<Slot>,
    /// The position in `slots` of the local at a word; meaningless for second words.
    pub local_at: Vec<u32>,
    pub params: Vec<Slot>,
    pub result: Option<Slot>,
    /// Undetermined locals of a new frame: those that may be read before they are assigned.
    pub entry_any: Vec<Slot>,
    pub locs: Vec<LocCode>,
    pub entry: u32,
    pub exit: u32,
    /// The number of its location 0 among the locations of all procedures.
    pub first_loc: u32,
    pub first_edge: u32,
}

pub struct LocCode {
    pub shape: Shape,
    /// Outgoing edges, by index in `Code::edges`.
    pub edges: Vec<u32>,
    pub live: Vec<Slot>,
    pub cut_off: bool,
}

/// What the outgoing edges of a location look like.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// None: the exit, or a dead end.
    Stop,
    Single(u32),
    /// Two edges that begin with `Assume(cond)` and its negation.
    Branch {
        cond: ExprCode,
        then: u32,
        otherwise: u32,
    },
    Many,
}

#[derive(Clone, Copy, Debug)]
pub struct EdgeCode {
    pub proc: u32,
    pub id: EdgeId,
    pub source: u32,
    pub target: u32,
    pub first: u32,
    pub end: u32,
    /// May the step have to be taken back: can a label refuse to go on after another one has had an effect?
    pub may_undo: bool,
    /// Is it only taken when no store of the thread is pending? Never under sequential consistency.
    pub waits: bool,
    /// Does it both load and store something shared?
    pub read_modify_write: bool,
}

/// A value that a label passes on (read it before the next expression is evaluated: they share temporaries). A local that is undetermined and dies here is passed on undetermined.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    pub code: ExprCode,
    pub dying: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub slot: u32,
    pub sort: Sort,
}

impl Target {
    pub fn wide(self) -> bool {
        is_wide(self.sort)
    }
}

#[derive(Clone, Copy, Debug)]
pub enum LabelCode {
    /// The code leaves the value in the target's slot.
    Assign {
        to: Target,
        value: ExprCode,
    },
    /// A copy of a local that may be undetermined.
    Move {
        to: Target,
        from: Target,
        how: Widening,
        dies: bool,
        value: ExprCode,
    },
    /// With a position in `results`, if it is the result of a library function.
    Havoc {
        to: Target,
        result: Option<u32>,
    },
    Assume(ExprCode),
    Await(ExprCode),
    Require {
        cond: ExprCode,
        hazard: Hazard,
    },
    LoadGlobal {
        to: Target,
        slot: u32,
    },
    StoreGlobal {
        slot: u32,
        value: Source,
    },
    LoadOwn {
        to: Target,
        slot: u32,
    },
    StoreOwn {
        slot: u32,
        value: Source,
    },
    /// At a constant place inside a static object.
    LoadStatic {
        to: Target,
        object: u32,
        offset: u64,
    },
    StoreStatic {
        object: u32,
        offset: u64,
        value: Source,
    },
    LoadMemory {
        to: Target,
        address: ExprCode,
    },
    StoreMemory {
        address: ExprCode,
        value: Source,
    },
    Alloc {
        to: Target,
        size: ExprCode,
        storage: Storage,
        zeroed: bool,
    },
    ObjectSize {
        to: Target,
        address: ExprCode,
    },
    Valid {
        to: Target,
        address: ExprCode,
        used: Use,
    },
    Leaks {
        to: Target,
        leak: Leak,
    },
    Free {
        address: ExprCode,
        storage: Storage,
    },
    AtomicBegin,
    AtomicEnd,
    Fence,
    Start(u32),
    Join {
        to: Option<Target>,
        handle: ExprCode,
    },
    SelfHandle {
        to: Target,
    },
    ThreadExit {
        value: ExprCode,
    },
    Lock {
        op: LockCode,
        lock: ExprCode,
        to: Option<Target>,
    },
    Call(u32),
    Error(raddle_ir::Violation),
    Halt {
        status: ExprCode,
    },
    Print(u32),
}

#[derive(Clone, Copy, Debug)]
pub enum LockCode {
    Init(ExprCode),
    Destroy,
    Acquire,
    AcquireWrite,
    TryAcquire,
    TryAcquireWrite,
    AcquireShared,
    TryAcquireShared,
    Release,
}

/// A call, or the start of a thread.
#[derive(Clone, Debug)]
pub struct CallCode {
    pub callee: CalleeCode,
    pub args: Vec<Source>,
    pub to: Option<Target>,
}

#[derive(Clone, Copy, Debug)]
pub enum CalleeCode {
    Proc(u32),
    Address(ExprCode),
}

/// A call whose result is not known exactly.
#[derive(Clone, Copy, Debug)]
pub struct ResultCode {
    pub function: LibraryFunction,
    pub args: [Option<ExprCode>; 2],
}

#[derive(Clone, Debug)]
pub struct PrintCode {
    pub format: ExprCode,
    pub args: Vec<ExprCode>,
    pub to: Option<Target>,
}

/// The variable that a slot of shared variables belongs to.
pub fn var_of(slots: &[SharedSlot], slot: u32) -> Option<VarId> {
    slots.iter().find(|shared| shared.slot == slot).map(|shared| shared.var)
}

impl Code<'_> {
    /// The static data object that holds `bytes` bytes from an address on.
    pub fn object_at(&self, address: u64, bytes: u64) -> Option<(u32, u64)> {
        let after = self.object_ranges.partition_point(|(start, _, _)| *start <= address);
        let (start, size, object) = *self.object_ranges.get(after.checked_sub(1)?)?;
        let offset = address - start;
        (offset.checked_add(bytes)? <= size).then_some((object, offset))
    }

    /// The local at a slot of a procedure.
    pub fn local(&self, proc: u32, slot: u32) -> Slot {
        let proc = &self.procs[proc as usize];
        proc.slots[proc.local_at[slot as usize] as usize]
    }
}

/// Compiles a Program, to be run under sequential consistency.
pub fn compile(program: &Program) -> Result<Code<'_>, Unsupported> {
    compile_under(program, MemoryModel::Sc)
}

/// Compiles a Program.
pub fn compile_under(program: &Program, model: MemoryModel) -> Result<Code<'_>, Unsupported> {
    let mut code = Code {
        program,
        model: model.of_executions(),
        procs: Vec::new(),
        edges: Vec::new(),
        labels: Vec::new(),
        ops: Vec::new(),
        generics: Vec::new(),
        splits: Vec::new(),
        calls: Vec::new(),
        prints: Vec::new(),
        results: Vec::new(),
        globals: Vec::new(),
        global_words: 0,
        owns: Vec::new(),
        own_words: 0,
        functions: FxHashMap::default(),
        object_ranges: Vec::new(),
        results_matter: program
            .procs
            .iter()
            .flat_map(|p| &p.edges)
            .flat_map(|e| &e.labels)
            .any(|l| matches!(l, Label::Join { var: Some(_), .. })),
    };
    let mut shared: FxHashMap<VarId, (bool, u32)> = FxHashMap::default();
    for (i, var) in program.vars.iter().enumerate() {
        let id = VarId(i as u32);
        let (is_global, initial) = match &var.kind {
            VarKind::Global(initial) => (true, initial),
            VarKind::ThreadLocal(initial) => (false, initial),
            VarKind::Local(_) => continue,
        };
        check_sort(program, id)?;
        let (slots, words) = match is_global {
            true => (&mut code.globals, &mut code.global_words),
            false => (&mut code.owns, &mut code.own_words),
        };
        slots.push(SharedSlot { var: id, slot: *words, sort: var.sort, initial: initial.map(|c| c.bits) });
        shared.insert(id, (is_global, *words));
        *words += if is_wide(var.sort) { 2 } else { 1 };
    }
    for (i, object) in program.objects.iter().enumerate() {
        match object.kind {
            ObjectKind::Function(proc) => {
                code.functions.insert(object.address, proc.0);
            }
            ObjectKind::Data { .. } if object.size > LARGEST_OBJECT => {
                return Err(Unsupported(format!("the object `{}`, which has {} bytes", object.name, object.size)));
            }
            ObjectKind::Data { .. } => code.object_ranges.push((object.address, object.size, i as u32)),
        }
    }
    code.object_ranges.sort_unstable();
    for proc in 0..program.procs.len() {
        compile_proc(&mut code, ProcId(proc as u32), &shared)?;
    }
    Ok(code)
}

fn check_sort(program: &Program, var: VarId) -> Result<(), Unsupported> {
    match program.var(var).sort {
        Sort::Array { .. } => Err(Unsupported(format!("the variable `{}`, which is an array", program.var(var).name))),
        _ => Ok(()),
    }
}

fn compile_proc(code: &mut Code<'_>, id: ProcId, shared: &FxHashMap<VarId, (bool, u32)>) -> Result<(), Unsupported> {
    let program = code.program;
    let proc = program.proc(id);
    let live = locals(program, proc);
    let mut slots = Vec::new();
    let mut local_at = Vec::new();
    for (i, var) in proc.locals.iter().enumerate() {
        check_sort(program, *var)?;
        let sort = program.var(*var).sort;
        slots.push(Slot { index: local_at.len() as u32, sort, any: live.maybe_any[i], var: *var });
        local_at.push(i as u32);
        if is_wide(sort) {
            local_at.push(i as u32);
        }
    }
    let local_words = local_at.len() as u32;
    let slot_of: FxHashMap<VarId, Slot> = slots.iter().map(|s| (s.var, *s)).collect();
    let mut exprs = Vec::new();
    for label in proc.edges.iter().flat_map(|e| &e.labels) {
        label.for_each_expr(|e| exprs.push(e));
    }
    let param = |v: &VarId| {
        slot_of.get(v).copied().ok_or_else(|| Unsupported(format!("`{}`, which is not a local", program.var(*v).name)))
    };
    let params = proc.params.iter().map(param).collect::<Result<Vec<_>, _>>()?;
    let result = proc.result.as_ref().map(param).transpose()?;
    let (first_loc, first_edge) = match code.procs.last() {
        Some(last) => (last.first_loc + last.locs.len() as u32, code.edges.len() as u32),
        None => (0, 0),
    };
    let (ops, generics, splits) = (&mut code.ops, &mut code.generics, &mut code.splits);
    let mut compiler = LabelCompiler {
        exprs: ExprCompiler::new(program, slot_of, local_words, &exprs, ops, generics, splits),
        ranges: &code.object_ranges,
        shared,
        calls: &mut code.calls,
        prints: &mut code.prints,
        results: &mut code.results,
    };
    let mut outgoing: Vec<Vec<u32>> = vec![Vec::new(); proc.locations.len()];
    for (i, edge) in proc.edges.iter().enumerate() {
        outgoing[edge.source.index()].push(first_edge + i as u32);
        let dying = dying_vars(program, &live, proc, &edge.labels, edge.target.index());
        let first = code.labels.len() as u32;
        let first_op = compiler.exprs.ops.len();
        for (label, dying) in edge.labels.iter().zip(&dying) {
            code.labels.push(compiler.label(label, dying)?);
        }
        // Retrying with other values needs a way back, too.
        let asks = compiler.exprs.ops[first_op..].iter().any(|op| matches!(op, Op::Check(_) | Op::Split(_)));
        code.edges.push(EdgeCode {
            proc: id.0,
            id: EdgeId(i as u32),
            source: edge.source.0,
            target: edge.target.0,
            first,
            end: code.labels.len() as u32,
            may_undo: may_undo(&edge.labels) || asks && edge.labels.iter().any(may_refuse),
            waits: code.model.edge_waits(program, edge),
            read_modify_write: is_read_modify_write(program, edge),
        });
    }
    let mut locs = Vec::new();
    for (i, location) in proc.locations.iter().enumerate() {
        let cut_off = location.kind.is_cut_off();
        let edges = if cut_off { Vec::new() } else { std::mem::take(&mut outgoing[i]) };
        let shape = match edges[..] {
            [] => Shape::Stop,
            [edge] => Shape::Single(edge),
            [a, b] => branch(&mut compiler, proc, first_edge, a, b)?,
            _ => Shape::Many,
        };
        let live = live.at[i].iter().map(|local| slots[*local as usize]).collect();
        locs.push(LocCode { shape, edges, live, cut_off });
    }
    let consts = std::mem::take(&mut compiler.exprs.const_words);
    let frame_words = compiler.exprs.temp_end;
    let live_at_entry = &live.at[proc.entry.index()];
    let entry_any =
        live_at_entry.iter().map(|l| slots[*l as usize]).filter(|s| !proc.params.contains(&s.var)).collect();
    code.procs.push(ProcCode {
        local_words,
        consts,
        frame_words,
        slots,
        local_at,
        params,
        result,
        entry_any,
        locs,
        entry: proc.entry.0,
        exit: proc.exit.0,
        first_loc,
        first_edge,
    });
    Ok(())
}

/// Recognises two edges that begin with a condition and its negation.
fn branch(
    compiler: &mut LabelCompiler<'_, '_>,
    proc: &raddle_ir::Procedure,
    first_edge: u32,
    a: u32,
    b: u32,
) -> Result<Shape, Unsupported> {
    let pool = &compiler.exprs.program.pool;
    let cond = |edge: u32| match proc.edges[(edge - first_edge) as usize].labels.first() {
        Some(Label::Assume(cond)) => Some(*cond),
        _ => None,
    };
    let negates = |x: ExprId, y: ExprId| match (pool.get(x), pool.get(y)) {
        (Expr::Unary(UnOp::Not, x), _) => x == y,
        (Expr::Binary(BinOp::ULe, a, b), Expr::Binary(BinOp::ULt, c, d))
        | (Expr::Binary(BinOp::SLe, a, b), Expr::Binary(BinOp::SLt, c, d)) => (a, b) == (d, c),
        _ => false,
    };
    let (Some(x), Some(y)) = (cond(a), cond(b)) else { return Ok(Shape::Many) };
    let (cond, then, otherwise) = match (negates(y, x), negates(x, y)) {
        (true, _) => (x, a, b),
        (_, true) => (y, b, a),
        _ => return Ok(Shape::Many),
    };
    Ok(Shape::Branch { cond: compiler.exprs.compile(cond, None)?, then, otherwise })
}

/// Does the label pass on a variable as it is? Only then it matters whether the variable dies.
fn passes_on(program: &Program, label: &Label) -> bool {
    let is_copy = |e: &ExprId| copied_var(&program.pool, *e).is_some();
    match label {
        Label::Assign { value, .. } | Label::Store { value, .. } => is_copy(value),
        Label::Start { arg, .. } => is_copy(arg),
        Label::Call { args, .. } => args.iter().any(is_copy),
        _ => false,
    }
}

/// For each label of an edge, the locals that it reads and that nobody reads afterwards; none where that does not matter.
fn dying_vars(
    program: &Program,
    live: &Locals,
    proc: &raddle_ir::Procedure,
    labels: &[Label],
    target: usize,
) -> Vec<Vec<VarId>> {
    if !labels.iter().any(|label| passes_on(program, label)) {
        return vec![Vec::new(); labels.len()];
    }
    let mut alive: rustc_hash::FxHashSet<VarId> = live.at[target].iter().map(|l| proc.locals[*l as usize]).collect();
    let mut dying = vec![Vec::new(); labels.len()];
    for (i, label) in labels.iter().enumerate().rev() {
        if let Some(var) = label.written_local() {
            alive.remove(&var);
        }
        let mut reads = Vec::new();
        label.for_each_expr(|e| reads.extend(program.pool.vars(e)));
        // A variable that two expressions of the label read does not die with the first.
        for (k, v) in reads.iter().enumerate() {
            if !alive.contains(v) && !reads[..k].contains(v) && !reads[k + 1..].contains(v) {
                dying[i].push(*v);
            }
        }
        alive.extend(reads);
    }
    dying
}

fn may_refuse(label: &Label) -> bool {
    matches!(label, Label::Assume(_) | Label::Await(_) | Label::Join { .. } | Label::Lock { .. })
}

fn may_undo(labels: &[Label]) -> bool {
    if labels.contains(&Label::AtomicBegin) {
        return true;
    }
    let pure = |l: &Label| matches!(l, Label::Assume(_) | Label::Await(_) | Label::Require { .. });
    match labels.iter().position(|l| !pure(l)) {
        Some(first) => labels[first + 1..].iter().any(may_refuse),
        None => false,
    }
}

struct LabelCompiler<'a, 'b> {
    exprs: ExprCompiler<'a>,
    ranges: &'b [(u64, u64, u32)],
    shared: &'b FxHashMap<VarId, (bool, u32)>,
    calls: &'b mut Vec<CallCode>,
    prints: &'b mut Vec<PrintCode>,
    results: &'b mut Vec<ResultCode>,
}

/// What a `Place` turned out to be.
enum PlaceCode {
    Global(u32),
    Own(u32),
    Static(u32, u64),
    Memory(ExprCode),
}

impl LabelCompiler<'_, '_> {
    fn target(&self, var: VarId) -> Result<Target, Unsupported> {
        match self.exprs.slots.get(&var) {
            Some(slot) => Ok(Target { slot: slot.index, sort: slot.sort }),
            None => {
                let name = &self.exprs.program.var(var).name;
                Err(Unsupported(format!("an assignment to `{name}`, which is not a local of the procedure")))
            }
        }
    }

    fn opt_target(&self, var: Option<VarId>) -> Result<Option<Target>, Unsupported> {
        var.map(|v| self.target(v)).transpose()
    }

    fn expr(&mut self, e: ExprId) -> Result<ExprCode, Unsupported> {
        self.exprs.compile(e, None)
    }

    fn source(&mut self, e: ExprId, dying: &[VarId]) -> Result<Source, Unsupported> {
        let dying = match copied_var(&self.exprs.program.pool, e) {
            Some((var, Widening::Same)) if dying.contains(&var) => {
                self.exprs.slots.get(&var).filter(|s| s.any).map(|s| s.index)
            }
            _ => None,
        };
        Ok(Source { code: self.expr(e)?, dying })
    }

    fn place(&mut self, place: Place, bytes: u64) -> Result<PlaceCode, Unsupported> {
        match place {
            Place::Var(v) => match self.shared.get(&v) {
                Some((true, slot)) => Ok(PlaceCode::Global(*slot)),
                Some((false, slot)) => Ok(PlaceCode::Own(*slot)),
                None => Err(Unsupported("an access to a local variable as if it were shared".into())),
            },
            Place::Memory(address) => {
                if let Some(c) = self.exprs.program.pool.as_const(address) {
                    let address = c.bits as u64;
                    let after = self.ranges.partition_point(|(start, _, _)| *start <= address);
                    if let Some((start, size, object)) = after.checked_sub(1).map(|i| self.ranges[i]) {
                        let offset = address - start;
                        if offset.checked_add(bytes).is_some_and(|end| end <= size) {
                            return Ok(PlaceCode::Static(object, offset));
                        }
                    }
                }
                Ok(PlaceCode::Memory(self.expr(address)?))
            }
        }
    }

    fn callee(&mut self, callee: Callee) -> Result<CalleeCode, Unsupported> {
        Ok(match callee {
            Callee::Proc(p) => CalleeCode::Proc(p.0),
            Callee::Address(e) => CalleeCode::Address(self.expr(e)?),
        })
    }

    fn label(&mut self, label: &Label, dying: &[VarId]) -> Result<LabelCode, Unsupported> {
        Ok(match label {
            Label::Assign { var, value } => {
                let to = self.target(*var)?;
                let copied = copied_var(&self.exprs.program.pool, *value)
                    .and_then(|(v, how)| Some((self.exprs.slots.get(&v).copied()?, how)))
                    .filter(|(slot, _)| slot.any);
                let code = self.exprs.compile(*value, Some(to.slot))?;
                match copied {
                    Some((from, how)) => LabelCode::Move {
                        to,
                        from: Target { slot: from.index, sort: from.sort },
                        how,
                        dies: dying.contains(&from.var),
                        value: code,
                    },
                    None => LabelCode::Assign { to, value: code },
                }
            }
            Label::Havoc { var, reason, .. } => {
                let to = self.target(*var)?;
                let HavocReason::Result(of) = reason else { return Ok(LabelCode::Havoc { to, result: None }) };
                let [x, y] = of.args.map(|arg| arg.map(|arg| self.expr(arg)).transpose());
                self.results.push(ResultCode { function: of.function, args: [x?, y?] });
                LabelCode::Havoc { to, result: Some(self.results.len() as u32 - 1) }
            }
            Label::Assume(cond) => LabelCode::Assume(self.expr(*cond)?),
            Label::Await(cond) => LabelCode::Await(self.expr(*cond)?),
            Label::Require { cond, hazard } => LabelCode::Require { cond: self.expr(*cond)?, hazard: *hazard },
            Label::Load { var, place, .. } => {
                let to = self.target(*var)?;
                match self.place(*place, to.sort.bytes())? {
                    PlaceCode::Global(slot) => LabelCode::LoadGlobal { to, slot },
                    PlaceCode::Own(slot) => LabelCode::LoadOwn { to, slot },
                    PlaceCode::Static(object, offset) => LabelCode::LoadStatic { to, object, offset },
                    PlaceCode::Memory(address) => LabelCode::LoadMemory { to, address },
                }
            }
            Label::Store { place, value, .. } => {
                let place = self.place(*place, self.exprs.program.pool.sort(*value).bytes())?;
                let value = self.source(*value, dying)?;
                match place {
                    PlaceCode::Global(slot) => LabelCode::StoreGlobal { slot, value },
                    PlaceCode::Own(slot) => LabelCode::StoreOwn { slot, value },
                    PlaceCode::Static(object, offset) => LabelCode::StoreStatic { object, offset, value },
                    PlaceCode::Memory(address) => LabelCode::StoreMemory { address, value },
                }
            }
            Label::Alloc { var, size, storage, zeroed, .. } => {
                LabelCode::Alloc { to: self.target(*var)?, size: self.expr(*size)?, storage: *storage, zeroed: *zeroed }
            }
            Label::ObjectSize { var, address } => {
                LabelCode::ObjectSize { to: self.target(*var)?, address: self.expr(*address)? }
            }
            Label::Valid { var, address, used } => {
                LabelCode::Valid { to: self.target(*var)?, address: self.expr(*address)?, used: *used }
            }
            Label::Leaks { var, leak } => LabelCode::Leaks { to: self.target(*var)?, leak: *leak },
            Label::Free { address, storage } => LabelCode::Free { address: self.expr(*address)?, storage: *storage },
            Label::AtomicBegin => LabelCode::AtomicBegin,
            Label::AtomicEnd => LabelCode::AtomicEnd,
            Label::Fence(_) => LabelCode::Fence,
            Label::Start { var, callee, arg } => {
                let callee = self.callee(*callee)?;
                let args = vec![self.source(*arg, dying)?];
                let to = Some(self.target(*var)?);
                self.calls.push(CallCode { callee, args, to });
                LabelCode::Start(self.calls.len() as u32 - 1)
            }
            Label::Join { var, handle } => LabelCode::Join { to: self.opt_target(*var)?, handle: self.expr(*handle)? },
            Label::Self_ { var } => LabelCode::SelfHandle { to: self.target(*var)? },
            Label::ThreadExit { value } => LabelCode::ThreadExit { value: self.expr(*value)? },
            Label::Lock { op, lock, var } => {
                let op = match op {
                    LockOp::Init(kind) => LockCode::Init(self.expr(*kind)?),
                    LockOp::Destroy => LockCode::Destroy,
                    LockOp::Acquire => LockCode::Acquire,
                    LockOp::AcquireWrite => LockCode::AcquireWrite,
                    LockOp::TryAcquire => LockCode::TryAcquire,
                    LockOp::TryAcquireWrite => LockCode::TryAcquireWrite,
                    LockOp::AcquireShared => LockCode::AcquireShared,
                    LockOp::TryAcquireShared => LockCode::TryAcquireShared,
                    LockOp::Release => LockCode::Release,
                };
                LabelCode::Lock { op, lock: self.expr(*lock)?, to: self.opt_target(*var)? }
            }
            Label::Call { callee, args, var, .. } => {
                let callee = self.callee(*callee)?;
                let args = args.iter().map(|a| self.source(*a, dying)).collect::<Result<_, _>>()?;
                let to = self.opt_target(*var)?;
                self.calls.push(CallCode { callee, args, to });
                LabelCode::Call(self.calls.len() as u32 - 1)
            }
            Label::Error(violation) => LabelCode::Error(*violation),
            Label::Halt { status } => LabelCode::Halt { status: self.expr(*status)? },
            Label::Print { format, args, var, .. } => {
                let format = self.expr(*format)?;
                let args = args.iter().map(|a| self.expr(*a)).collect::<Result<_, _>>()?;
                let to = self.opt_target(*var)?;
                self.prints.push(PrintCode { format, args, to });
                LabelCode::Print(self.prints.len() as u32 - 1)
            }
        })
    }
}

/// The word that an undetermined slot of a sort holds at first.
pub fn any_word(sort: Sort) -> u64 {
    match sort {
        Sort::Bits(w) => Interval::full_word(w),
        _ => 0,
    }
}
