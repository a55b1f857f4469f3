//! Lowering: the typed tree to a Program.
//!
//! Scalars whose address is never taken become variables; everything else lives in flat memory. Each function becomes a procedure. C's
//! order of evaluation becomes the order of edges (where C leaves it open and it makes a difference, any order; else left to right), with every side effect and every access to shared
//! memory on an edge of its own, so that an expression of the Program mentions only locals.
//!
//! Parts: `builder` (locations, edges, temporaries), `stmt`, `jumps` (computed), `cleanups` (at the end of a scope), `expr`, `place` (lvalues, bit-fields, copying records), `call` (the calling
//! convention), `orders` (evaluation in any order; `effects` says where that matters), `library` (functions that Raddle knows; `math`, `output`), `unwind` (`setjmp` and
//! `longjmp`; `call_graph`), `cancellation`, `startup` (what runs around `main`), `mutexes` (their initialisers), `atomics` (gcc's atomic builtins), `statics` (addresses and
//! initial contents).

mod atomics;
mod attributes;
mod builder;
mod call;
mod call_graph;
mod cancellation;
mod cleanups;
mod conditions;
mod effects;
mod endless_loops;
mod expr;
mod formatted;
mod hidden;
mod joins;
mod jumps;
mod library;
mod locks;
mod math;
mod memory_safety;
mod mutexes;
mod orders;
mod output;
mod overflow;
mod place;
mod probes;
mod races;
pub mod shapes;
mod startup;
mod statics;
mod stmt;
mod texts_read;
mod unordered;
mod unwind;

use crate::diagnostics;
use crate::driver::LIBRARY;
use crate::error::{Error, Result};
use crate::hir::{self, FnId, GlobalId, Hir, LabelId, StrId};
use crate::places::{Positions, Statements};
use crate::probes::Site;
use crate::source::{Pos, SourceMap};
use crate::types::{Type, TypeId};
use builder::Builder;
use raddle_ir::{
    ExprId, ExprPool, FileId, Gap, GapId, GapKind, LocId, Object, ObjectId, ProcId, Procedure, Program, Sort, Span,
    Var, VarId, Violations,
};
use shapes::Typed;
use std::rc::Rc;
use unwind::Unwinding;

/// What lowering depends on besides the program.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    pub counts: Violations,
    /// `main` gets `argc = 1` and one argument; otherwise `argc` is any positive number, and arguments are any strings.
    /// The order of evaluation is from left to right, as one run takes it.
    pub concrete_arguments: bool,
}

/// Something the user should know that does not stop the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub pos: Pos,
    pub message: String,
}

/// Where a global lives.
#[derive(Clone, Copy, Debug)]
enum GlobalHome {
    /// A global or thread-local variable.
    Var(VarId),
    /// A static object with this address.
    Memory(u64),
    /// One object a thread: this procedure returns its address.
    PerThread(ProcId),
    /// Nothing that runs mentions it.
    Nowhere,
}

/// The Program in the making.
struct Lower<'a> {
    hir: &'a Hir,
    sources: &'a SourceMap,
    options: &'a LowerOptions,
    pool: ExprPool,
    vars: Vec<Var>,
    objects: Vec<Object>,
    /// `None` while it is being lowered.
    procs: Vec<Option<Procedure>>,
    pointer_bits: u8,
    globals: Vec<GlobalHome>,
    string_address: Vec<u64>,
    /// Functions get a procedure when something calls them, and an address when something takes it.
    function_proc: Vec<Option<ProcId>>,
    function_address: Vec<Option<u64>>,
    /// Where labels that are used as values would lie.
    label_address: rustc_hash::FxHashMap<(FnId, LabelId), u64>,
    /// The functions whose procedures are still to be made.
    pending: Vec<FnId>,
    proc_function: Vec<Option<FnId>>,
    /// Where the next static object may lie, and where dynamic memory begins.
    next_static: u64,
    dynamic_base: u64,
    /// The files that the Program mentions: of all headers, few.
    files: std::cell::RefCell<MentionedFiles>,
    /// Most places are asked for many times in a row.
    last_span: std::cell::Cell<(Pos, Span)>,
    /// Where the places that the Program mentions are in the texts.
    positions: std::cell::RefCell<Positions>,
    typed: Typed,
    warnings: Vec<Warning>,
    warned: rustc_hash::FxHashSet<FnId>,
    /// The prelude's function that runs what is to run at exit, if something is.
    exit_function: Option<FnId>,
    /// The prelude's function that starts a thread, where something is to be done when it ends.
    create_function: Option<FnId>,
    /// The prelude's functions for cancellation points and for what may be one, where somebody cancels.
    cancel_functions: Option<(FnId, FnId)>,
    /// Does the program call `pthread_self`? Where joins want to know.
    own_handles: std::cell::OnceCell<bool>,
    /// Mutexes whose static initialiser says their kind, by address.
    static_lock_kinds: std::collections::BTreeMap<u64, u8>,
    gaps: Vec<Gap>,
    /// Where somebody calls `longjmp`.
    unwinding: Option<Unwinding>,
    /// Where statements begin.
    statements: Statements,
    /// Where probes are, and calls.
    probes: Vec<Site>,
    calls: Vec<(ProcId, LocId, Span)>,
    /// What functions do, once somebody asks.
    summaries: std::cell::OnceCell<Rc<effects::Summaries<'a>>>,
}

/// A Program, and what is known of it beside.
pub struct Lowered {
    pub program: Program,
    pub warnings: Vec<Warning>,
    pub positions: Positions,
    pub statements: Statements,
    pub probes: Vec<Site>,
    pub calls: Vec<(ProcId, LocId, Span)>,
    pub typed: Typed,
}

/// Lowers a whole program.
pub fn lower(hir: &Hir, sources: &SourceMap, options: &LowerOptions) -> Result<Lowered> {
    let Some(main) = hir.main else {
        return Err(Error {
            kind: crate::error::ErrorKind::Invalid,
            pos: None,
            message: "no function `main` is defined".into(),
        });
    };
    let mut cx = Lower {
        hir,
        sources,
        options,
        pool: ExprPool::new(),
        vars: Vec::new(),
        objects: Vec::new(),
        procs: Vec::new(),
        pointer_bits: (hir.types.model.pointer_bytes() * 8) as u8,
        globals: Vec::new(),
        string_address: Vec::new(),
        function_proc: vec![None; hir.functions.len()],
        function_address: vec![None; hir.functions.len()],
        label_address: Default::default(),
        pending: Vec::new(),
        proc_function: Vec::new(),
        next_static: 0,
        dynamic_base: 0,
        files: Default::default(),
        last_span: Default::default(),
        positions: Default::default(),
        typed: Typed::default(),
        warnings: Vec::new(),
        warned: Default::default(),
        exit_function: defined(hir, "__raddle_run_handlers"),
        create_function: defined(hir, "__raddle_create"),
        cancel_functions: defined(hir, "__raddle_cancel_point").zip(defined(hir, "__raddle_cancel_perhaps")),
        own_handles: Default::default(),
        static_lock_kinds: Default::default(),
        gaps: Vec::new(),
        unwinding: None,
        statements: Default::default(),
        probes: Vec::new(),
        calls: Vec::new(),
        summaries: Default::default(),
    };
    cx.find_unwinding();
    cx.place_statics()?;
    let entry = cx.entry(main);
    cx.lower_pending()?;
    cx.around_main(main, entry)?;
    cx.lower_pending()?;
    let kinds = cx.static_lock_labels();
    if let Some(Some(procedure)) = cx.procs.get_mut(entry.index()) {
        // The first edge of every procedure has only allocations on it.
        procedure.edges[0].labels.extend(kinds);
    }
    let procs = cx.procs.into_iter().map(|p| p.expect("every function was lowered above")).collect();
    let program = Program {
        pointer_bits: cx.pointer_bits,
        files: cx.files.into_inner().names(sources),
        pool: cx.pool,
        vars: cx.vars,
        objects: cx.objects,
        procs,
        entry,
        dynamic_base: cx.dynamic_base,
        gaps: cx.gaps,
        callers: Vec::new(),
    };
    let positions = cx.positions.into_inner();
    Ok(Lowered {
        program,
        warnings: cx.warnings,
        positions,
        typed: cx.typed,
        statements: cx.statements,
        probes: cx.probes,
        calls: cx.calls,
    })
}

/// Numbers files in the order in which they are first mentioned.
#[derive(Default)]
struct MentionedFiles {
    ids: rustc_hash::FxHashMap<FileId, FileId>,
    order: Vec<FileId>,
}

impl MentionedFiles {
    fn id(&mut self, file: FileId) -> FileId {
        let next = FileId(self.order.len() as u32);
        let id = *self.ids.entry(file).or_insert(next);
        if id == next {
            self.order.push(file);
        }
        id
    }

    fn names(&self, sources: &SourceMap) -> Vec<String> {
        self.order.iter().map(|file| sources.files[file.0 as usize].clone()).collect()
    }
}

/// A function of the prelude, if the program can reach it: otherwise it has no body.
fn defined(hir: &Hir, name: &str) -> Option<FnId> {
    let index = hir.functions.iter().position(|f| f.name == name && f.body.is_some())?;
    Some(FnId(index as u32))
}

impl<'a> Lower<'a> {
    fn span(&self, pos: Pos) -> Span {
        let (last, span) = self.last_span.get();
        if last == pos {
            return span;
        }
        let mut span = self.sources.span(pos);
        if !span.is_none() {
            span.file = self.files.borrow_mut().id(span.file);
        }
        self.positions.borrow_mut().entry(span).or_insert(pos);
        self.last_span.set((pos, span));
        span
    }

    /// Does the program run once, as one compiler makes it? Then evaluation is from left to right.
    fn is_concrete(&self) -> bool {
        self.options.concrete_arguments
    }

    fn summaries(&self) -> Rc<effects::Summaries<'a>> {
        let make = || Rc::new(effects::Summaries::new(self.hir, self.options.counts));
        self.summaries.get_or_init(make).clone()
    }

    fn pointer_sort(&self) -> Sort {
        Sort::Bits(self.pointer_bits)
    }

    fn address(&mut self, address: u64) -> ExprId {
        self.pool.bits(self.pointer_bits, address.into())
    }

    /// Makes the procedures of functions that are used.
    fn lower_pending(&mut self) -> Result<()> {
        let hir = self.hir;
        while let Some(id) = self.pending.pop() {
            let proc = self.proc_of(id);
            let procedure = match &hir.functions[id.index()].body {
                Some(body) => Builder::new(self, id).lower_definition(body)?,
                None => Builder::new(self, id).lower_stub()?,
            };
            self.procs[proc.index()] = Some(procedure);
        }
        Ok(())
    }

    fn gap(&mut self, kind: GapKind, what: &str, pos: Pos) -> GapId {
        let word = match kind {
            GapKind::Unsupported => "unsupported",
            GapKind::Unmodelled => "unmodelled",
        };
        let message = match self.is_of_library(pos) {
            // The place would be one in the library's own text.
            true => format!("{word}: {what}"),
            false => diagnostics::render_at(self.sources, pos, word, what),
        };
        self.gaps.push(Gap { kind, message });
        GapId(self.gaps.len() as u32 - 1)
    }

    /// Is a place in the text of the prelude?
    fn is_of_library(&self, pos: Pos) -> bool {
        self.sources.files.get(self.sources.span(pos).file.0 as usize).is_some_and(|file| file == LIBRARY)
    }

    fn scalar_sort(&self, ty: TypeId, pos: Pos) -> Result<Sort> {
        self.hir.types.scalar_sort(ty).ok_or_else(|| Error::unsupported(pos, "a value of this type here"))
    }

    fn size(&self, ty: TypeId, pos: Pos) -> Result<u64> {
        self.hir.types.size(ty).ok_or_else(|| Error::invalid(pos, "this type has no known size here"))
    }

    /// Is it a record, or a complex number or vector, which are treated as records?
    fn is_record(&self, ty: TypeId) -> bool {
        self.hir.types.is_aggregate(ty)
    }

    fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.hir.types.get(ty), Type::Void)
    }

    fn add_var(&mut self, var: Var) -> VarId {
        self.vars.push(var);
        VarId(self.vars.len() as u32 - 1)
    }

    fn result_type(&self, function: FnId) -> TypeId {
        match self.hir.types.get(self.hir.functions[function.index()].ty) {
            Type::Function(f) => f.result,
            _ => self.hir.functions[function.index()].ty,
        }
    }

    fn global_home(&self, global: GlobalId) -> GlobalHome {
        self.globals[global.index()]
    }

    fn string(&mut self, id: StrId) -> ExprId {
        self.address(self.string_address[id.index()])
    }

    fn new_proc(&mut self, function: Option<FnId>) -> ProcId {
        self.procs.push(None);
        self.proc_function.push(function);
        ProcId(self.procs.len() as u32 - 1)
    }

    /// The procedure of a function, which is used from now on.
    fn proc_of(&mut self, id: FnId) -> ProcId {
        if let Some(proc) = self.function_proc[id.index()] {
            return proc;
        }
        let proc = self.new_proc(Some(id));
        self.function_proc[id.index()] = Some(proc);
        self.pending.push(id);
        proc
    }

    /// The address of a function, whose object exists from now on.
    fn function_pointer(&mut self, id: FnId) -> Result<ExprId> {
        let function = self.hir_function(id);
        if function.weak && function.body.is_none() && !crate::library_names::is_library(&function.name) {
            return Ok(self.address(0));
        }
        let address = match self.function_address[id.index()] {
            Some(address) => address,
            None => {
                let address = self.place_static(1, 16, 15, function.pos)?;
                let kind = raddle_ir::ObjectKind::Function(self.proc_of(id));
                let span = self.span(function.pos);
                let name = function.name.clone();
                self.add_object(Object {
                    name,
                    address,
                    size: 1,
                    kind,
                    exposed: false,
                    span,
                    origin: raddle_ir::Origin::default(),
                });
                self.function_address[id.index()] = Some(address);
                address
            }
        };
        Ok(self.address(address))
    }

    /// The procedure whose function object is at a constant address.
    fn proc_at(&self, address: ExprId) -> Option<ProcId> {
        let object = self.object_at(self.pool.as_const(address)?.bits as u64)?;
        match self.objects[object.index()].kind {
            raddle_ir::ObjectKind::Function(proc) => Some(proc),
            _ => None,
        }
    }

    fn warn(&mut self, pos: Pos, message: String) {
        self.warnings.push(Warning { pos, message });
    }

    fn hir_function(&self, id: FnId) -> &'a hir::Function {
        &self.hir.functions[id.index()]
    }

    fn add_object(&mut self, object: Object) -> ObjectId {
        self.objects.push(object);
        ObjectId(self.objects.len() as u32 - 1)
    }
}
