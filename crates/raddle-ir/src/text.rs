//! The text form of a Program: for people, and for tests. [`crate::parse_text`] reads it back to an equal Program.
//!
//! An edge is one line: `L3 -> L4: t := load x; y := t + 1i32  @ a.c:5:3`. Expressions stand where they are used, in infix form with
//! parentheses; constants carry their width (`1i32`), and operators that depend on the sign an `s` or `u`. A large expression is
//! broken up: `let $12 = …` names a part before the edge that first needs it, so that shared parts are written once.
//! Variables are declared with their ids (`#3`), locals in the order of their procedure's frame.

use crate::eval;
use crate::expr::{BinOp, Const, Expr, ExprId, UnOp};
use crate::names::Names;
use crate::pool::ExprPool;
use crate::program::*;
use crate::sort::{FloatSort, Sort};
use crate::span::Span;
use crate::text_ops::{
    FUNCTIONS1, FUNCTIONS2, HAZARDS, INFIX, ORDERS, PREFIX, REASONS, STORAGES, VIOLATIONS, chains, word_for,
};
use std::fmt::Write as _;

/// An expression that is larger or deeper than this (as it is printed) gets a name in the text form of a Program.
const MAX_SIZE: u32 = 40;
const MAX_DEPTH: u32 = 12;

/// The whole Program.
pub fn to_text(program: &Program) -> String {
    let names = Names::new(program);
    let named = large_expressions(&program.pool);
    let mut printer = Printer { program, names: &names, scope: None, large: Large::Named(&named), out: String::new() };
    let mut written = vec![false; program.pool.len()];
    printer.header();
    for (id, proc) in program.procs.iter().enumerate() {
        printer.procedure(ProcId(id as u32), proc, &mut written);
    }
    printer.out
}

/// One expression for people, as seen from a procedure. What is too large is left out: `…`.
pub fn expr_text(program: &Program, names: &Names, scope: Option<ProcId>, id: ExprId) -> String {
    let mut printer =
        Printer { program, names, scope, large: Large::Elided { depth: 0, budget: 100 }, out: String::new() };
    printer.expr(id);
    printer.out
}

/// One label for people, as seen from a procedure. What is too large is left out: `…`.
pub fn label_text(program: &Program, names: &Names, scope: Option<ProcId>, label: &Label) -> String {
    let mut printer =
        Printer { program, names, scope, large: Large::Elided { depth: 0, budget: 100 }, out: String::new() };
    printer.label(label);
    printer.out
}

/// What the printer does with large expressions.
enum Large<'a> {
    /// These are referred to by their names.
    Named(&'a [bool]),
    /// Left out, below a depth or when there is no budget left.
    Elided { depth: u32, budget: u32 },
}

/// Which expressions are to have a name: no expression that is written out has more than about three times `MAX_SIZE` nodes.
fn large_expressions(pool: &ExprPool) -> Vec<bool> {
    let mut measures: Vec<(u32, u32)> = Vec::with_capacity(pool.len());
    let mut named = Vec::with_capacity(pool.len());
    for (_, expr, _) in pool.nodes() {
        let (mut size, mut depth) = (1, 0);
        expr.for_each_operand(|operand| {
            let (below_size, below_depth) = measures.get(operand.0 as usize).copied().unwrap_or((1, 0));
            size += below_size;
            depth = depth.max(below_depth + 1);
        });
        let large = size > MAX_SIZE || depth > MAX_DEPTH;
        named.push(large);
        measures.push(if large { (1, 0) } else { (size, depth) });
    }
    named
}

struct Printer<'a> {
    program: &'a Program,
    names: &'a Names,
    scope: Option<ProcId>,
    large: Large<'a>,
    out: String,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn span(&mut self, span: Span) {
        if span != Span::NONE {
            let _ = write!(self.out, " @ {}", self.names.span(span));
        }
    }

    fn header(&mut self) {
        let program = self.program;
        let _ = writeln!(
            self.out,
            "program pointer_bits {}, dynamic_base {:#x}, entry {}\n",
            program.pointer_bits,
            program.dynamic_base,
            self.names.proc(program.entry)
        );
        for file in &program.files {
            self.put("file ");
            quote(&mut self.out, file.bytes());
            self.put("\n");
        }
        for gap in &program.gaps {
            self.put(match gap.kind {
                GapKind::Unsupported => "gap unsupported ",
                GapKind::Unmodelled => "gap unmodelled ",
            });
            quote(&mut self.out, gap.message.bytes());
            self.put("\n");
        }
        let mut listed = vec![false; program.vars.len()];
        for (i, proc) in program.procs.iter().enumerate() {
            for local in &proc.locals {
                if program.vars.get(local.index()).is_some_and(|var| var.kind == VarKind::Local(ProcId(i as u32))) {
                    listed[local.index()] = true;
                }
            }
        }
        for (i, var) in program.vars.iter().enumerate() {
            let id = VarId(i as u32);
            match var.kind {
                VarKind::Local(_) if listed[i] => continue,
                VarKind::Local(proc) => {
                    // A local that no procedure has any more.
                    self.scope = Some(proc);
                    let owner = self.names.proc(proc);
                    self.variable(&format!("local of {owner}"), id, var, None);
                    self.scope = None;
                }
                VarKind::Global(init) => self.variable("global", id, var, init),
                VarKind::ThreadLocal(init) => self.variable("thread_local", id, var, init),
            }
        }
        for (i, object) in program.objects.iter().enumerate() {
            self.object(ObjectId(i as u32), object);
        }
    }

    /// What cannot be read off a unique name: the name in the source.
    fn real_name(&mut self, handle: &str, name: &str) {
        if handle.split('\'').next() != Some(name) {
            self.put(" named ");
            quote(&mut self.out, name.bytes());
        }
    }

    fn variable(&mut self, kind: &str, id: VarId, var: &Var, init: Option<Const>) {
        let handle = self.names.var(id, self.scope);
        let _ = write!(self.out, "{kind} {handle}");
        self.real_name(&handle, &var.name);
        let _ = write!(self.out, " #{}: {}", id.0, var.sort);
        if var.signed {
            self.put(" signed");
        }
        if let Some(init) = init {
            self.put(" = ");
            constant(&mut self.out, init);
        }
        self.span(var.span);
        self.put("\n");
    }

    fn object(&mut self, id: ObjectId, object: &Object) {
        let handle = self.names.object(id);
        let _ = write!(self.out, "object {handle}");
        self.real_name(&handle, &object.name);
        let _ = write!(self.out, ": {} bytes at {:#x}", object.size, object.address);
        if object.exposed {
            self.put(", exposed");
        }
        match &object.kind {
            ObjectKind::Function(proc) => {
                let _ = write!(self.out, ", function {}", self.names.proc(*proc));
            }
            ObjectKind::Data { init, writable } => {
                self.put(if *writable { ", writable" } else { ", readonly" });
                match init {
                    ObjectInit::Any => self.put(", any"),
                    ObjectInit::Bytes { bytes, pointers } => {
                        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                        self.put(", ");
                        quote(&mut self.out, bytes[..used].iter().copied());
                        if used < bytes.len() {
                            let _ = write!(self.out, " zeros {}", bytes.len() - used);
                        }
                        for (offset, target) in pointers {
                            let _ = write!(self.out, ", {offset} -> {}", self.names.object(*target));
                        }
                    }
                }
            }
        }
        self.span(object.span);
        self.put("\n");
    }

    fn procedure(&mut self, id: ProcId, proc: &Procedure, written: &mut [bool]) {
        self.scope = Some(id);
        let handle = self.names.proc(id);
        let _ = write!(self.out, "\nproc {handle}");
        self.real_name(&handle, &proc.name);
        self.put("(");
        self.list(&proc.params, |p, var| p.var(*var));
        self.put(")");
        if let Some(result) = proc.result {
            self.put(" -> ");
            self.var(result);
        }
        self.span(proc.span);
        self.put("\n");
        for &local in &proc.locals {
            match self.program.vars.get(local.index()) {
                Some(var) if var.kind == VarKind::Local(id) => self.variable("  local", local, var, None),
                _ => {
                    let _ = writeln!(self.out, "  local v'{}", local.0);
                }
            }
        }
        for (i, chunk) in proc.locations.chunks(8).enumerate() {
            self.put("  at ");
            let locations: Vec<_> = chunk.iter().enumerate().map(|(j, location)| (8 * i + j, location)).collect();
            self.list(&locations, |p, (l, location)| {
                let _ = write!(p.out, "L{l}");
                match location.kind {
                    LocKind::Normal => {}
                    LocKind::RecursionBound => p.put(" recursion_bound"),
                    LocKind::Gap(gap) => {
                        let _ = write!(p.out, " gap {}", gap.0);
                    }
                }
                p.span(location.span);
            });
            self.put("\n");
        }
        let _ = writeln!(self.out, "  entry L{}, exit L{}", proc.entry.0, proc.exit.0);
        for edge in &proc.edges {
            self.definitions(edge, written);
            let _ = write!(self.out, "  L{} -> L{}", edge.source.0, edge.target.0);
            for (i, label) in edge.labels.iter().enumerate() {
                self.put(if i == 0 { ": " } else { "; " });
                self.label(label);
            }
            self.span(edge.span);
            self.put("\n");
        }
    }

    /// Writes the definitions of large expressions that an edge needs and that are not yet written.
    fn definitions(&mut self, edge: &Edge, seen: &mut [bool]) {
        let Large::Named(named) = self.large else { return };
        let mut open = Vec::new();
        edge.for_each_expr(|id| open.push(id));
        let mut needed = Vec::new();
        while let Some(id) = open.pop() {
            match seen.get_mut(id.0 as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            if named[id.0 as usize] {
                needed.push(id);
            }
            self.get(id).for_each_operand(|operand| open.push(operand));
        }
        // Operands have smaller ids.
        needed.sort_unstable();
        for id in needed {
            let _ = write!(self.out, "  let ${} = ", id.0);
            self.node(id);
            self.put("\n");
        }
    }

    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            print(self, item);
        }
    }

    fn var(&mut self, id: VarId) {
        let name = self.names.var(id, self.scope);
        self.put(&name);
    }

    fn target(&mut self, var: Option<VarId>) {
        if let Some(var) = var {
            self.var(var);
            self.put(" := ");
        }
    }

    fn place(&mut self, place: Place) {
        match place {
            Place::Var(var) => self.var(var),
            Place::Memory(address) => {
                self.put("[");
                self.expr(address);
                self.put("]");
            }
        }
    }

    /// `.seq_cst`; nothing for a plain access.
    fn order(&mut self, order: Order) {
        if order != Order::NonAtomic {
            let _ = write!(self.out, ".{}", word_for(&ORDERS, order).unwrap_or_default());
        }
    }

    fn call(&mut self, callee: Callee, args: &[ExprId]) {
        match callee {
            Callee::Proc(proc) => {
                let name = self.names.proc(proc);
                self.put(&name);
            }
            Callee::Address(address) => {
                self.put("*(");
                self.expr(address);
                self.put(")");
            }
        }
        self.put("(");
        self.list(args, |p, arg| p.expr(*arg));
        self.put(")");
    }

    fn with(&mut self, word: &str, id: ExprId) {
        self.put(word);
        self.put(" ");
        self.expr(id);
    }

    fn label(&mut self, label: &Label) {
        match label {
            Label::Assign { var, value } => {
                self.target(Some(*var));
                self.expr(*value);
            }
            Label::Havoc { var, reason: HavocReason::Result(result), .. } => {
                self.target(Some(*var));
                let _ = write!(self.out, "havoc result {}(", result.function.name());
                self.list(&result.args().collect::<Vec<_>>(), |text, arg| text.expr(*arg));
                self.put(")");
            }
            Label::Havoc { var, reason, .. } => {
                self.target(Some(*var));
                let _ = write!(self.out, "havoc {}", word_for(&REASONS, *reason).unwrap_or_default());
            }
            Label::Assume(cond) => self.with("assume", *cond),
            Label::Await(cond) => self.with("await", *cond),
            Label::Require { cond, hazard } => {
                self.with("require", *cond);
                let _ = write!(self.out, " else {}", word_for(&HAZARDS, *hazard).unwrap_or_default());
            }
            Label::Load { var, place, order } => {
                self.target(Some(*var));
                self.put("load");
                self.order(*order);
                self.put(" ");
                self.place(*place);
            }
            Label::Store { place, value, order } => {
                self.put("store");
                self.order(*order);
                self.put(" ");
                self.place(*place);
                self.put(" := ");
                self.expr(*value);
            }
            Label::Alloc { var, size, storage, zeroed, .. } => {
                self.target(Some(*var));
                let _ = write!(self.out, "alloc.{}", word_for(&STORAGES, *storage).unwrap_or_default());
                self.with(if *zeroed { ".zeroed" } else { "" }, *size);
            }
            Label::Valid { var, address, used } => {
                self.target(Some(*var));
                let _ = match used {
                    Use::Read(bytes) => write!(self.out, "valid.read.{bytes} "),
                    Use::Write(bytes) => write!(self.out, "valid.write.{bytes} "),
                    Use::Free => write!(self.out, "valid.free "),
                    Use::Call => write!(self.out, "valid.call "),
                };
                self.expr(*address);
            }
            Label::Leaks { var, leak } => {
                self.target(Some(*var));
                self.put(match leak {
                    Leak::Unfreed => "leaks.unfreed",
                    Leak::Lost => "leaks.lost",
                    Leak::PerhapsLost => "leaks.perhaps_lost",
                });
            }
            Label::ObjectSize { var, address } => {
                self.target(Some(*var));
                self.with("object_size", *address);
            }
            Label::Free { address, storage: Storage::Stack } => self.with("free.stack", *address),
            Label::Free { address, .. } => self.with("free", *address),
            Label::AtomicBegin => self.put("atomic_begin"),
            Label::AtomicEnd => self.put("atomic_end"),
            Label::Fence(order) => {
                let _ = write!(self.out, "fence.{}", word_for(&ORDERS, *order).unwrap_or_default());
            }
            Label::Start { var, callee, arg } => {
                self.target(Some(*var));
                self.put("start ");
                self.call(*callee, &[*arg]);
            }
            Label::Join { var, handle } => {
                self.target(*var);
                self.with("join", *handle);
            }
            Label::Self_ { var } => {
                self.target(Some(*var));
                self.put("self");
            }
            Label::ThreadExit { value } => self.with("thread_exit", *value),
            Label::Lock { op, lock, var } => {
                self.target(*var);
                match op {
                    LockOp::Init(kind) => {
                        self.with("lock.init", *lock);
                        self.put(", ");
                        self.expr(*kind);
                    }
                    LockOp::Destroy => self.with("lock.destroy", *lock),
                    LockOp::Acquire => self.with("lock.acquire", *lock),
                    LockOp::AcquireWrite => self.with("lock.acquire_write", *lock),
                    LockOp::TryAcquire => self.with("lock.try_acquire", *lock),
                    LockOp::TryAcquireWrite => self.with("lock.try_acquire_write", *lock),
                    LockOp::AcquireShared => self.with("lock.acquire_shared", *lock),
                    LockOp::TryAcquireShared => self.with("lock.try_acquire_shared", *lock),
                    LockOp::Release => self.with("lock.release", *lock),
                }
            }
            Label::Call { callee, args, var, .. } => {
                self.target(*var);
                self.put("call ");
                self.call(*callee, args);
            }
            Label::Error(violation) => {
                let _ = write!(self.out, "error {}", word_for(&VIOLATIONS, *violation).unwrap_or_default());
            }
            Label::Halt { status } => self.with("halt", *status),
            Label::Print { format, args, var, .. } => {
                self.target(*var);
                self.put("print(");
                self.expr(*format);
                for arg in args {
                    self.put(", ");
                    self.expr(*arg);
                }
                self.put(")");
            }
        }
    }

    /// A node, or anything in place of one that does not exist: also a Program that is not well made can be looked at.
    fn get(&self, id: ExprId) -> Expr {
        let pool = &self.program.pool;
        if pool.contains(id) { pool.get(id) } else { Expr::Const(Const { sort: Sort::Bool, bits: 0 }) }
    }

    /// An expression where no parentheses are needed.
    fn expr(&mut self, id: ExprId) {
        if !self.program.pool.contains(id) {
            let _ = write!(self.out, "?{}", id.0);
            return;
        }
        match &mut self.large {
            Large::Named(named) => {
                if named.get(id.0 as usize).copied().unwrap_or(false) {
                    let _ = write!(self.out, "${}", id.0);
                } else {
                    self.node(id);
                }
            }
            Large::Elided { depth, budget } => {
                if *depth > 2 * MAX_DEPTH || *budget == 0 {
                    self.put("…");
                    return;
                }
                *depth += 1;
                *budget -= 1;
                self.node(id);
                if let Large::Elided { depth, .. } = &mut self.large {
                    *depth -= 1;
                }
            }
        }
    }

    /// An expression as an operand: in parentheses if it has an operator between its operands.
    fn operand(&mut self, id: ExprId) {
        let is_infix = match self.get(id) {
            Expr::Ite(..) => true,
            Expr::Binary(op, ..) => word_for(&INFIX, op).is_some(),
            Expr::Unary(UnOp::Not, a) => matches!(self.get(a), Expr::Binary(BinOp::Eq, ..)),
            _ => false,
        };
        let has_name = matches!(self.large, Large::Named(named) if named.get(id.0 as usize).copied().unwrap_or(false));
        if is_infix && !has_name {
            self.put("(");
            self.expr(id);
            self.put(")");
        } else {
            self.expr(id);
        }
    }

    fn infix(&mut self, a: ExprId, op: &str, b: ExprId) {
        self.operand(a);
        let _ = write!(self.out, " {op} ");
        self.operand(b);
    }

    fn function(&mut self, name: &str, args: &[ExprId]) {
        self.put(name);
        self.put("(");
        self.list(args, |p, arg| p.expr(*arg));
        self.put(")");
    }

    /// A node, written out.
    fn node(&mut self, id: ExprId) {
        let float = |to: FloatSort| Sort::Float(to);
        match self.get(id) {
            Expr::Const(c) => constant(&mut self.out, c),
            Expr::Var(var) => self.var(var),
            Expr::Unary(op, a) => self.unary(op, a),
            Expr::Binary(op, a, b) => match word_for(&INFIX, op) {
                Some(word) => {
                    let chained = chains(op) && matches!(self.get(a), Expr::Binary(inner, ..) if inner == op);
                    if chained {
                        self.expr(a);
                        let _ = write!(self.out, " {word} ");
                        self.operand(b);
                    } else {
                        self.infix(a, word, b);
                    }
                }
                None => self.function(word_for(&FUNCTIONS2, op).unwrap_or_default(), &[a, b]),
            },
            Expr::Ite(c, a, b) => {
                self.infix(c, "?", a);
                self.put(" : ");
                self.operand(b);
            }
            Expr::Fma(a, b, c) => self.function("fma", &[a, b, c]),
            Expr::Extract { high, low, arg } => {
                // A prefix would take the extraction as its operand.
                match self.get(arg) {
                    Expr::Unary(op, _) if word_for(&PREFIX, op).is_some() => {
                        self.put("(");
                        self.expr(arg);
                        self.put(")");
                    }
                    _ => self.operand(arg),
                }
                let _ = write!(self.out, "[{high}:{low}]");
            }
            Expr::ZeroExt { width, arg } => self.function(&format!("zext{width}"), &[arg]),
            Expr::SignExt { width, arg } => self.function(&format!("sext{width}"), &[arg]),
            Expr::FToF { to, arg } => self.function(&format!("fp2{}", float(to)), &[arg]),
            Expr::FToS { width, arg } => self.function(&format!("fp2s{width}"), &[arg]),
            Expr::FToU { width, arg } => self.function(&format!("fp2u{width}"), &[arg]),
            Expr::SToF { to, arg } => self.function(&format!("s2{}", float(to)), &[arg]),
            Expr::UToF { to, arg } => self.function(&format!("u2{}", float(to)), &[arg]),
            Expr::BitsToF { to, arg } => self.function(&format!("bits2{}", float(to)), &[arg]),
            Expr::Select(array, index) => self.function("select", &[array, index]),
            Expr::Store(array, index, value) => self.function("update", &[array, index, value]),
            Expr::ConstArray { index, value } => self.function(&format!("const_array{index}"), &[value]),
        }
    }

    fn unary(&mut self, op: UnOp, a: ExprId) {
        match (op, self.get(a)) {
            (UnOp::Not, Expr::Binary(BinOp::Eq, x, y)) => self.infix(x, "!=", y),
            _ => match word_for(&PREFIX, op) {
                Some(word) => {
                    self.put(word);
                    let start = self.out.len();
                    self.operand(a);
                    // A minus right before a digit would be part of a constant.
                    if op == UnOp::BvNeg && self.out[start..].starts_with(|c: char| c.is_ascii_digit()) {
                        self.out.insert(start, '(');
                        self.put(")");
                    }
                }
                None => self.function(word_for(&FUNCTIONS1, op).unwrap_or_default(), &[a]),
            },
        }
    }
}

/// Small numbers in decimal, negative ones with a sign, others in hexadecimal: `5i32`, `-1i8`, `0x10000000i64`, `1.5f64`.
fn constant(out: &mut String, c: Const) {
    let _ = match c.sort {
        Sort::Bool => write!(out, "{}", c.bits != 0),
        Sort::Bits(n) => {
            let signed = eval::to_signed(n, c.bits);
            if n > 1 && (-0x10000..0).contains(&signed) {
                write!(out, "{signed}i{n}")
            } else if c.bits < 1_000_000 {
                write!(out, "{}i{n}", c.bits)
            } else {
                write!(out, "{:#x}i{n}", c.bits)
            }
        }
        Sort::F32 if f32::from_bits(c.bits as u32).is_finite() => write!(out, "{:?}f32", f32::from_bits(c.bits as u32)),
        Sort::F64 if f64::from_bits(c.bits as u64).is_finite() => write!(out, "{:?}f64", f64::from_bits(c.bits as u64)),
        other => write!(out, "{other}({:#x})", c.bits),
    };
}

/// A string in quotes: printable ASCII as it is, other bytes as `\xNN`.
fn quote(out: &mut String, bytes: impl Iterator<Item = u8>) {
    out.push('"');
    for byte in bytes {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(byte as char);
            }
            0x20..=0x7e => out.push(byte as char),
            _ => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
    out.push('"');
}
