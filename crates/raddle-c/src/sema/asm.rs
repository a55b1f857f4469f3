//! Inline assembly of the simple kind, by what it means: barriers, hints, one read-modify-write instruction of x86 with or without `lock`, a flag that
//! tells its result, counters that have any value. It becomes the expression of C that does the same, with gcc's atomic builtins where the bus is locked. Anything
//! else is a gap. What assembly at file scope defines is a gap where it is called.

use super::Sema;
use super::expr as typed;
use crate::ast::{Asm, AsmOperand, BinaryOp, Expr, ExprKind, UnaryOp};
use crate::error::{Error, Result};
use crate::hir::{self, Callee, StmtKind};
use crate::source::Pos;
use crate::types::TypeId;
use raddle_ir::Order;

/// The number by which builtins know sequential consistency.
const SEQ_CST: u128 = 5;
/// What `rdtsc` and `cpuid` put into a register has so many bits.
const REGISTER: u128 = 0xffff_ffff;

/// The names that assembly at file scope may define: labels, and what its directives mention.
pub(super) fn defined_names(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let mut names = Vec::new();
    for line in text.split(['\n', ';']).map(str::trim) {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
        let words = line.split(|c: char| !is_name(c)).filter(|word| !word.is_empty());
        if line.starts_with('.') {
            names.extend(words.map(String::from));
        } else if let Some((label, _)) = line.split_once([':', '=']) {
            names.push(label.trim().to_string());
        }
    }
    names
}

/// One instruction: its name without `lock`, and its operands as they are written.
struct Instruction<'t> {
    is_locked: bool,
    name: &'t str,
    operands: Vec<&'t str>,
}

impl Sema<'_> {
    /// What only assembly defines is not known.
    pub(super) fn give_to_assembly(&mut self) {
        if self.assembly.is_empty() {
            return;
        }
        for function in self.functions.iter_mut().filter(|function| function.body.is_none()) {
            function.in_assembly = self.assembly.contains(&function.name);
        }
        for (global, info) in self.globals.iter().zip(&mut self.global_info) {
            if !global.defined && self.assembly.contains(&global.name) {
                info.error = Some(Error::unsupported(global.pos, "a variable that is defined in assembly"));
            }
        }
    }

    /// A memory clobber is a barrier for the compiler alone, which we do not have: accesses stay in their order.
    pub(super) fn asm(&mut self, asm: &Asm, pos: Pos) -> Result<StmtKind> {
        let text = String::from_utf8_lossy(&asm.template).trim_end_matches('\0').to_lowercase();
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c == ';').filter(|w| !w.is_empty()).collect();
        let unsupported = || Error::unsupported(pos, "inline assembly");
        if asm.is_goto {
            return Err(Error::unsupported(pos, "inline assembly that jumps"));
        }
        let fence = match words.as_slice() {
            ["mfence"] => Some(Order::SeqCst),
            ["lock", "addl" | "orl" | "addq" | "orq", place] if is_stack_top(place) => Some(Order::SeqCst),
            ["lock", "addl" | "orl" | "addq" | "orq", "$0," | "$0x0,", place] if is_place_of_stack(place) => {
                Some(Order::SeqCst)
            }
            ["sfence"] => Some(Order::Release),
            ["lfence"] => Some(Order::Acquire),
            _ => None,
        };
        match (fence, words.as_slice()) {
            (Some(order), _) if asm.outputs.is_empty() => return Ok(StmtKind::Barrier(order)),
            (_, [] | ["pause"] | ["nop"] | ["rep", "nop"]) => return self.asm_copies(asm, pos),
            // The kernel's way to stop.
            (_, ["ud2", ..] | ["1:", "ud2", ..]) => {
                let kind = hir::ExprKind::Call { callee: Callee::Builtin("__builtin_trap".into()), args: Vec::new() };
                return Ok(StmtKind::Expr(typed(TypeId::VOID, pos, kind)));
            }
            (_, ["rdtsc"] | ["cpuid"]) => return self.asm_any_values(asm, pos),
            _ => {}
        }
        if asm.outputs.iter().chain(&asm.inputs).any(|operand| !is_simple(&operand.expr)) {
            return Err(unsupported());
        }
        let instructions = instructions(&text).ok_or_else(unsupported)?;
        let meaning = match instructions.as_slice() {
            [one] => self.asm_instruction(asm, one, pos)?,
            [one, flag] => self.asm_flag(asm, one, flag, pos)?,
            _ => None,
        };
        let meaning = meaning.ok_or_else(unsupported)?;
        let value = self.value(&meaning)?;
        Ok(StmtKind::Expr(value))
    }

    /// No instruction at all: an output is the input in the same register.
    fn asm_copies(&mut self, asm: &Asm, pos: Pos) -> Result<StmtKind> {
        let mut copies = Vec::new();
        for (index, output) in asm.outputs.iter().enumerate() {
            if output.constraint.contains(&b'+') {
                continue;
            }
            let matching = asm.inputs.iter().find(|input| input.constraint == index.to_string().as_bytes());
            let Some(input) = matching else {
                return Err(Error::unsupported(pos, "inline assembly that leaves an output open"));
            };
            let value = self.value(&assign(&output.expr, input.expr.clone()))?;
            copies.push(hir::Stmt { pos, kind: StmtKind::Expr(value) });
        }
        Ok(if copies.is_empty() { StmtKind::Empty } else { StmtKind::Block(copies) })
    }

    fn asm_any_values(&mut self, asm: &Asm, pos: Pos) -> Result<StmtKind> {
        let mut values = Vec::new();
        for output in &asm.outputs {
            if output.constraint.contains(&b'A') {
                return Err(Error::unsupported(pos, "inline assembly with a pair of registers"));
            }
            let any = self.asm_call("__VERIFIER_nondet_uint", vec![], pos);
            let mask = Expr { pos, kind: ExprKind::Int { value: REGISTER, unsigned: true, longs: 2, decimal: false } };
            let any = Expr { pos, kind: ExprKind::Binary(BinaryOp::BitAnd, Box::new(any), Box::new(mask)) };
            let value = self.value(&assign(&output.expr, any))?;
            values.push(hir::Stmt { pos, kind: StmtKind::Expr(value) });
        }
        Ok(StmtKind::Block(values))
    }

    /// The expression that one instruction means; `None` if it is not known.
    fn asm_instruction(&mut self, asm: &Asm, one: &Instruction, pos: Pos) -> Result<Option<Expr>> {
        if let Some(changed) = self.asm_update(asm, one, pos)? {
            return Ok(Some(changed));
        }
        let [source, target] = one.operands.as_slice() else { return Ok(None) };
        let (name, size) = split_suffix(one.name, &["xadd", "xchg", "cmpxchg", "mov"]);
        let Some(name) = name else { return Ok(None) };
        let (mut source, mut target) = (*source, *target);
        if name == "xchg" && !self.is_memory(asm, target) {
            std::mem::swap(&mut source, &mut target);
        }
        let (Some(place), Some(from)) = (place(asm, target, pos), operand(asm, source)) else { return Ok(None) };
        if !self.asm_fits(&place, size)? {
            return Ok(None);
        }
        let Some(before) = input(asm, from) else { return Ok(None) };
        if name == "mov" {
            return Ok((!one.is_locked).then(|| assign(&place, before)));
        }
        let at = Expr { pos, kind: ExprKind::Unary(UnaryOp::AddrOf, Box::new(place)) };
        // The register gets the old value; without an output it is lost.
        let (builtin, args, register) = match (name, one.is_locked) {
            ("xadd", true) => ("__sync_fetch_and_add", vec![at, before], Some(from)),
            ("xchg", _) => ("__atomic_exchange_n", vec![at, before, int(SEQ_CST, pos)], Some(from)),
            ("cmpxchg", true) => {
                let Some(old) = accumulator(asm) else { return Ok(None) };
                let Some(expected) = input(asm, old) else { return Ok(None) };
                ("__sync_val_compare_and_swap", vec![at, expected, before], Some(old))
            }
            _ => return Ok(None),
        };
        let call = self.asm_call(builtin, args, pos);
        let output = register.and_then(|register| output(asm, register));
        let outputs = asm.outputs.iter().filter(|o| !is_in_memory(o)).count();
        match output {
            Some(output) if outputs == 1 => Ok(Some(assign(&output.expr, call))),
            None if outputs == 0 => Ok(Some(call)),
            _ => Ok(None),
        }
    }

    /// An instruction that changes its last operand, as an expression with the new value.
    fn asm_update(&mut self, asm: &Asm, one: &Instruction, pos: Pos) -> Result<Option<Expr>> {
        let (name, size) = split_suffix(one.name, &["inc", "dec", "add", "sub", "and", "xor", "or"]);
        let (Some(name), Some(target)) = (name, one.operands.last()) else { return Ok(None) };
        let Some(place) = place(asm, target, pos) else { return Ok(None) };
        if !self.asm_fits(&place, size)? {
            return Ok(None);
        }
        let by = match (name, one.operands.as_slice()) {
            ("inc" | "dec", [_]) => int(1, pos),
            ("inc" | "dec", _) => return Ok(None),
            (_, [source, _]) => match (immediate(source), operand(asm, source).and_then(|from| input(asm, from))) {
                (Some(value), _) => int(value, pos),
                (None, Some(value)) => value,
                (None, None) => return Ok(None),
            },
            _ => return Ok(None),
        };
        let (op, builtin) = match name {
            "inc" | "add" => (BinaryOp::Add, "__sync_add_and_fetch"),
            "dec" | "sub" => (BinaryOp::Sub, "__sync_sub_and_fetch"),
            "and" => (BinaryOp::BitAnd, "__sync_and_and_fetch"),
            "xor" => (BinaryOp::BitXor, "__sync_xor_and_fetch"),
            _ => (BinaryOp::BitOr, "__sync_or_and_fetch"),
        };
        let others = asm.outputs.iter().filter(|output| !same(&output.expr, &place)).count();
        if others > usize::from(asm.template.windows(3).any(|w| w.eq_ignore_ascii_case(b"set"))) {
            return Ok(None);
        }
        if one.is_locked {
            let at = Expr { pos, kind: ExprKind::Unary(UnaryOp::AddrOf, Box::new(place)) };
            return Ok(Some(self.asm_call(builtin, vec![at, by], pos)));
        }
        Ok(Some(Expr { pos, kind: ExprKind::Assign(Some(op), Box::new(place), Box::new(by)) }))
    }

    /// `sete`, `setne`, `sets` after an update: whether the new value is zero, is not, is negative.
    fn asm_flag(&mut self, asm: &Asm, one: &Instruction, flag: &Instruction, pos: Pos) -> Result<Option<Expr>> {
        let op = match flag.name {
            "sete" | "setz" => BinaryOp::Eq,
            "setne" | "setnz" => BinaryOp::Ne,
            "sets" => BinaryOp::Lt,
            _ => return Ok(None),
        };
        let [target] = flag.operands.as_slice() else { return Ok(None) };
        let Some(target) = operand(asm, target).and_then(|index| output(asm, index)) else { return Ok(None) };
        let Some(new) = self.asm_update(asm, one, pos)? else { return Ok(None) };
        if op == BinaryOp::Lt {
            let ty = self.value(&new)?.ty;
            if !self.types.is_signed(ty) {
                return Ok(None);
            }
        }
        let told = Expr { pos, kind: ExprKind::Binary(op, Box::new(new), Box::new(int(0, pos))) };
        Ok(Some(assign(&target.expr, told)))
    }

    fn asm_call(&mut self, name: &str, args: Vec<Expr>, pos: Pos) -> Expr {
        let name = Expr { pos, kind: ExprKind::Name(self.interner.intern(name)) };
        Expr { pos, kind: ExprKind::Call { callee: Box::new(name), args } }
    }

    /// Is the operand as wide as the instruction?
    fn asm_fits(&mut self, place: &Expr, size: Option<u64>) -> Result<bool> {
        self.unevaluated += 1;
        let value = self.value(place);
        self.unevaluated -= 1;
        let ty = value?.ty;
        let is_integer = self.types.is_integer(ty) || self.types.is_pointer(ty);
        let actual = self.types.size(ty);
        Ok(is_integer && actual.is_some() && (size.is_none() || size == actual))
    }

    fn is_memory(&self, asm: &Asm, written: &str) -> bool {
        written.starts_with('(') || operand(asm, written).is_some_and(|index| is_in_memory(all(asm, index)))
    }
}

fn is_stack_top(word: &str) -> bool {
    word.strip_prefix("$0,").or(word.strip_prefix("$0x0,")).is_some_and(is_place_of_stack)
}

fn is_place_of_stack(place: &str) -> bool {
    let place = place.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
    matches!(place, "(%%esp)" | "(%%rsp)" | "(%esp)" | "(%rsp)")
}

/// The instructions of a template; `None` if there is something else in it.
fn instructions(text: &str) -> Option<Vec<Instruction<'_>>> {
    let mut found = Vec::new();
    let mut is_locked = false;
    for line in text.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty()) {
        let line = match line.strip_prefix("lock") {
            Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => {
                is_locked = true;
                rest.trim()
            }
            _ => line,
        };
        if line.is_empty() {
            continue;
        }
        let (name, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if !name.chars().all(char::is_alphanumeric) {
            return None;
        }
        let operands = operands.split(',').map(str::trim).filter(|operand| !operand.is_empty()).collect();
        found.push(Instruction { is_locked: std::mem::take(&mut is_locked), name, operands });
    }
    (!is_locked).then_some(found)
}

/// An instruction's name without the letter for the width of its operands, and that width in bytes.
fn split_suffix<'t>(name: &'t str, known: &[&'t str]) -> (Option<&'t str>, Option<u64>) {
    for stem in known {
        let size = match name.strip_prefix(stem) {
            Some("") => None,
            Some("b") => Some(1),
            Some("w") => Some(2),
            Some("l") => Some(4),
            Some("q") => Some(8),
            _ => continue,
        };
        return (Some(stem), size);
    }
    (None, None)
}

fn immediate(written: &str) -> Option<u128> {
    let digits = written.strip_prefix('$')?;
    match digits.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// `%2` or `%[name]`: which operand.
fn operand(asm: &Asm, written: &str) -> Option<usize> {
    let rest = written.strip_prefix('%')?;
    let count = asm.outputs.len() + asm.inputs.len();
    let index = match rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(name) => {
            (0..count).find(|&i| all(asm, i).name.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(name)))?
        }
        None => rest.parse().ok()?,
    };
    (index < count).then_some(index)
}

fn all(asm: &Asm, index: usize) -> &AsmOperand {
    asm.outputs.get(index).unwrap_or_else(|| &asm.inputs[index - asm.outputs.len()])
}

fn is_in_memory(operand: &AsmOperand) -> bool {
    operand.constraint.iter().any(|c| matches!(c, b'm' | b'o' | b'V')) && !operand.constraint.contains(&b'r')
}

/// What an instruction changes: an operand, or what a pointer in an operand leads to.
fn place(asm: &Asm, written: &str, pos: Pos) -> Option<Expr> {
    if let Some(inside) = written.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let pointer = input(asm, operand(asm, inside)?)?;
        return Some(Expr { pos, kind: ExprKind::Unary(UnaryOp::Deref, Box::new(pointer)) });
    }
    let operand = all(asm, operand(asm, written)?);
    let is_output = asm.outputs.iter().any(|output| std::ptr::eq(output, operand));
    // What is only an output has its old value if it is an input as well.
    let is_input =
        operand.constraint.contains(&b'+') || asm.inputs.iter().any(|input| same(&input.expr, &operand.expr));
    (is_in_memory(operand) || is_output && is_input).then(|| operand.expr.clone())
}

/// What an operand is before the instruction.
fn input(asm: &Asm, index: usize) -> Option<Expr> {
    let operand = all(asm, index);
    if index >= asm.outputs.len() || operand.constraint.contains(&b'+') {
        return Some(operand.expr.clone());
    }
    asm.inputs.iter().find(|input| input.constraint == index.to_string().as_bytes()).map(|input| input.expr.clone())
}

/// Where the value of an operand goes: an output, or the output in the same register as an input.
fn output(asm: &Asm, index: usize) -> Option<&AsmOperand> {
    if let Some(output) = asm.outputs.get(index) {
        return Some(output);
    }
    let constraint = &all(asm, index).constraint;
    let same: usize = std::str::from_utf8(constraint).ok()?.parse().ok()?;
    asm.outputs.get(same)
}

/// The operand in the register `a`.
fn accumulator(asm: &Asm) -> Option<usize> {
    let count = asm.outputs.len() + asm.inputs.len();
    (0..count).find(|&index| all(asm, index).constraint.iter().all(|c| matches!(c, b'=' | b'+' | b'&' | b'a')))
}

/// Variables, members and constants only: evaluating one twice is evaluating it once.
pub(super) fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Int { .. } | ExprKind::Char { .. } => true,
        ExprKind::Unary(op, inner) => {
            let changes = matches!(op, UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec);
            !changes && is_simple(inner)
        }
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => is_simple(a) && is_simple(b),
        ExprKind::Member(inner, _) | ExprKind::Arrow(inner, _) | ExprKind::Cast(_, inner) => is_simple(inner),
        _ => false,
    }
}

/// The same text, as far as it matters here.
fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) => op == other && same(a, b),
        (ExprKind::Member(a, x), ExprKind::Member(b, y)) | (ExprKind::Arrow(a, x), ExprKind::Arrow(b, y)) => {
            x == y && same(a, b)
        }
        (ExprKind::Index(a, x), ExprKind::Index(b, y)) => same(a, b) && same(x, y),
        (ExprKind::Int { value: a, .. }, ExprKind::Int { value: b, .. }) => a == b,
        _ => false,
    }
}

fn assign(to: &Expr, value: Expr) -> Expr {
    Expr { pos: to.pos, kind: ExprKind::Assign(None, Box::new(to.clone()), Box::new(value)) }
}

fn int(value: u128, pos: Pos) -> Expr {
    Expr { pos, kind: ExprKind::Int { value, unsigned: false, longs: 0, decimal: true } }
}
