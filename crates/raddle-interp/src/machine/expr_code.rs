//! Expressions compiled to register code.
//!
//! A frame is one array of 64-bit words: the locals, then the constants of the procedure, then temporaries, so that every
//! operand is just an index into it. Values of more than 64 bits take two words (low one first). Frequent operations on
//! narrow integers have their own opcodes; all others go to the evaluator. A DAG stays a DAG: each node is computed once.
//!
//! Locals that may be undetermined are checked before use. Expressions with such locals are compiled so that a part
//! that is not needed (the other branch of an `Ite`, the right side of a decided `And`/`Or`) is not evaluated.

use crate::machine::interval::{WIDEST, Widened};
use crate::machine::undetermined::{Widening, copied_var};
use raddle_ir::{BinOp, Expr, ExprId, Program, Sort, UnOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A compiled expression: run `start .. end`, then the value is in the register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExprCode {
    pub start: u32,
    pub end: u32,
    pub reg: u32,
    pub sort: Sort,
}

impl ExprCode {
    pub fn wide(self) -> bool {
        is_wide(self.sort)
    }
}

pub fn is_wide(sort: Sort) -> bool {
    sort.bits().unwrap_or(0) > 64
}

/// Registers are named by `u32` indices into the frame, widths (`w`) are in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Mov {
        dst: u32,
        a: u32,
    },
    MovWide {
        dst: u32,
        a: u32,
    },
    Not {
        dst: u32,
        a: u32,
    },
    BvNot {
        dst: u32,
        a: u32,
        w: u8,
    },
    Neg {
        dst: u32,
        a: u32,
        w: u8,
    },
    Add {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    Sub {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    Mul {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    UDiv {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    SDiv {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    URem {
        dst: u32,
        a: u32,
        b: u32,
    },
    SRem {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    And {
        dst: u32,
        a: u32,
        b: u32,
    },
    Or {
        dst: u32,
        a: u32,
        b: u32,
    },
    Xor {
        dst: u32,
        a: u32,
        b: u32,
    },
    Shl {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    LShr {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    AShr {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    Eq {
        dst: u32,
        a: u32,
        b: u32,
    },
    ULt {
        dst: u32,
        a: u32,
        b: u32,
    },
    ULe {
        dst: u32,
        a: u32,
        b: u32,
    },
    SLt {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    SLe {
        dst: u32,
        a: u32,
        b: u32,
        w: u8,
    },
    SignExt {
        dst: u32,
        a: u32,
        from: u8,
        w: u8,
    },
    Extract {
        dst: u32,
        a: u32,
        low: u8,
        w: u8,
    },
    Select {
        dst: u32,
        c: u32,
        a: u32,
        b: u32,
    },
    SelectWide {
        dst: u32,
        c: u32,
        a: u32,
        b: u32,
    },
    /// An entry of `Code::generics`.
    Generic(u32),
    /// Gives the local a value if it has none yet.
    Check(u32),
    /// An entry of `Code::splits`.
    Split(u32),
    Jump(u32),
    JumpIfZero {
        a: u32,
        to: u32,
    },
    JumpIfNonZero {
        a: u32,
        to: u32,
    },
}

/// An operation that the evaluator carries out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Generic {
    pub what: GenericOp,
    pub dst: u32,
    pub dst_wide: bool,
    pub a: u32,
    pub a_sort: Sort,
    pub b: u32,
    pub b_sort: Sort,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GenericOp {
    Unary(UnOp),
    Binary(BinOp),
    Convert(Expr),
    /// The addend is in this register; the sorts are the same.
    Fma {
        c: u32,
    },
}

/// A comparison with a local that may be undetermined. If it is, one of the answers is taken, the local's interval is
/// narrowed to it, and control goes to `skip`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    pub cmp: BinOp,
    pub left: Side,
    pub right: Side,
    pub dst: u32,
    pub skip: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Slot { slot: u32, widened: Widened },
    Reg(u32),
}

/// Where a local lives in the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    pub index: u32,
    pub sort: Sort,
    /// May it be undetermined when it is read?
    pub any: bool,
    pub var: VarId,
}

/// Something that this interpreter cannot run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

/// Beyond so many nodes, an expression is evaluated eagerly (keeps compilation linear and its recursion shallow).
const LAZY_NODES: usize = 200;

/// Compiles the expressions of one procedure.
pub struct ExprCompiler<'a> {
    pub program: &'a Program,
    pub slots: FxHashMap<VarId, Slot>,
    pub ops: &'a mut Vec<Op>,
    pub generics: &'a mut Vec<Generic>,
    pub splits: &'a mut Vec<Split>,
    pub const_words: Vec<u64>,
    const_regs: FxHashMap<(u128, bool), u32>,
    const_base: u32,
    temp_base: u32,
    temp_next: u32,
    pub temp_end: u32,
    memo: FxHashMap<ExprId, u32>,
    /// What `nodes` works with, kept because most expressions are small.
    seen: FxHashSet<ExprId>,
    open: Vec<ExprId>,
}

impl<'a> ExprCompiler<'a> {
    /// `exprs` are all the expressions that will be compiled; their constants get registers now.
    pub fn new(
        program: &'a Program,
        slots: FxHashMap<VarId, Slot>,
        local_words: u32,
        exprs: &[ExprId],
        ops: &'a mut Vec<Op>,
        generics: &'a mut Vec<Generic>,
        splits: &'a mut Vec<Split>,
    ) -> Self {
        let mut compiler = ExprCompiler {
            program,
            slots,
            ops,
            generics,
            splits,
            const_words: Vec::new(),
            const_regs: FxHashMap::default(),
            const_base: local_words,
            temp_base: 0,
            temp_next: 0,
            temp_end: 0,
            memo: FxHashMap::default(),
            seen: FxHashSet::default(),
            open: Vec::new(),
        };
        let mut seen = FxHashSet::default();
        let mut work = exprs.to_vec();
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                match program.pool.get(id) {
                    Expr::Const(c) => compiler.add_const(c.bits, is_wide(c.sort)),
                    expr => expr.for_each_operand(|c| work.push(c)),
                }
            }
        }
        compiler.temp_base = local_words + compiler.const_words.len() as u32;
        compiler.temp_end = compiler.temp_base;
        compiler
    }

    fn add_const(&mut self, bits: u128, wide: bool) {
        let next = self.const_base + self.const_words.len() as u32;
        if let std::collections::hash_map::Entry::Vacant(entry) = self.const_regs.entry((bits, wide)) {
            entry.insert(next);
            self.const_words.push(bits as u64);
            if wide {
                self.const_words.push((bits >> 64) as u64);
            }
        }
    }

    /// Compiles an expression; its value goes to the register `into`, or anywhere.
    pub fn compile(&mut self, root: ExprId, into: Option<u32>) -> Result<ExprCode, Unsupported> {
        let sort = self.program.pool.sort(root);
        if self.memo.len() > LAZY_NODES {
            self.memo = FxHashMap::default();
        }
        self.memo.clear();
        self.temp_next = self.temp_base;
        let start = self.ops.len() as u32;
        let nodes = self.nodes(root);
        let lazy = nodes.len() <= LAZY_NODES && nodes.iter().any(|n| self.maybe_any(*n));
        let mut reg = if lazy {
            self.lazy(root)?
        } else {
            for node in nodes {
                let reg = self.node(node)?;
                self.memo.insert(node, reg);
            }
            self.memo[&root]
        };
        if let Some(dst) = into
            && reg != dst
        {
            let fresh = !lazy && reg >= self.temp_base;
            if !(fresh && retarget(self.ops.last_mut(), self.generics, reg, dst)) {
                self.mov(dst, reg, is_wide(sort));
            }
            reg = dst;
        }
        self.temp_end = self.temp_end.max(self.temp_next);
        Ok(ExprCode { start, end: self.ops.len() as u32, reg, sort })
    }

    fn maybe_any(&self, node: ExprId) -> bool {
        matches!(self.program.pool.get(node), Expr::Var(v) if self.slots.get(&v).is_some_and(|s| s.any))
    }

    /// All nodes of an expression, operands before operators (the pool numbers them so).
    fn nodes(&mut self, root: ExprId) -> Vec<ExprId> {
        // To clear a set takes as long as it once was large.
        if self.seen.len() > LAZY_NODES {
            self.seen = FxHashSet::default();
        }
        self.seen.clear();
        self.open.push(root);
        let mut nodes = Vec::new();
        while let Some(id) = self.open.pop() {
            if self.seen.insert(id) {
                nodes.push(id);
                self.program.pool.get(id).for_each_operand(|c| self.open.push(c));
            }
        }
        nodes.sort_unstable();
        nodes
    }

    fn temp(&mut self, wide: bool) -> u32 {
        let reg = self.temp_next;
        self.temp_next += if wide { 2 } else { 1 };
        reg
    }

    fn mov(&mut self, dst: u32, a: u32, wide: bool) {
        self.ops.push(if wide { Op::MovWide { dst, a } } else { Op::Mov { dst, a } });
    }

    /// Emits the code of one node whose operands are in `memo`.
    fn node(&mut self, id: ExprId) -> Result<u32, Unsupported> {
        let pool = &self.program.pool;
        let sort = pool.sort(id);
        let wide = is_wide(sort);
        let expr = pool.get(id);
        let operand = |e: ExprId| (self.memo[&e], pool.sort(e));
        let reg = match expr {
            Expr::Const(c) => self.const_regs[&(c.bits, wide)],
            Expr::Var(v) => {
                let Some(slot) = self.slots.get(&v).copied() else {
                    return Err(Unsupported(format!(
                        "an expression that mentions `{}`, which is not a local",
                        self.program.var(v).name
                    )));
                };
                if slot.any {
                    self.ops.push(Op::Check(slot.index));
                }
                slot.index
            }
            Expr::Unary(op, a) => {
                let (a, from) = operand(a);
                if op == UnOp::FToBits {
                    return Ok(a);
                }
                if wide || is_wide(from) || !matches!(op, UnOp::Not | UnOp::BvNot | UnOp::BvNeg) {
                    return Ok(self.generic(GenericOp::Unary(op), wide, (a, from), (0, from)));
                }
                let w = sort.bits().unwrap_or(1);
                let dst = self.temp(false);
                self.ops.push(match op {
                    UnOp::Not => Op::Not { dst, a },
                    UnOp::BvNot => Op::BvNot { dst, a, w },
                    _ => Op::Neg { dst, a, w },
                });
                dst
            }
            Expr::Binary(op, a, b) => {
                let ((a, a_sort), (b, b_sort)) = (operand(a), operand(b));
                if !wide && !is_wide(a_sort) && !is_wide(b_sort) {
                    let w = a_sort.bits().unwrap_or(1);
                    let dst = self.temp_next;
                    if let Some(op) = narrow_binary(op, dst, a, b, w) {
                        self.temp_next += 1;
                        self.ops.push(op);
                        return Ok(dst);
                    }
                }
                self.generic(GenericOp::Binary(op), wide, (a, a_sort), (b, b_sort))
            }
            Expr::Ite(c, a, b) => {
                let ((c, _), (a, _), (b, _)) = (operand(c), operand(a), operand(b));
                let dst = self.temp(wide);
                self.ops.push(if wide { Op::SelectWide { dst, c, a, b } } else { Op::Select { dst, c, a, b } });
                dst
            }
            Expr::Fma(a, b, c) => {
                let (a, b, (c, _)) = (operand(a), operand(b), operand(c));
                self.generic(GenericOp::Fma { c }, wide, a, b)
            }
            Expr::Extract { low, arg, .. } => {
                let (a, from) = operand(arg);
                if is_wide(from) {
                    return Ok(self.generic(GenericOp::Convert(expr), wide, (a, from), (0, from)));
                }
                if from == sort {
                    return Ok(a);
                }
                let dst = self.temp(false);
                self.ops.push(Op::Extract { dst, a, low, w: sort.bits().unwrap_or(1) });
                dst
            }
            Expr::ZeroExt { arg, .. } | Expr::BitsToF { arg, .. } => {
                let (a, from) = operand(arg);
                if is_wide(from) == wide {
                    return Ok(a);
                }
                self.generic(GenericOp::Convert(expr), wide, (a, from), (0, from))
            }
            Expr::SignExt { arg, .. } => {
                let (a, from) = operand(arg);
                if wide {
                    return Ok(self.generic(GenericOp::Convert(expr), wide, (a, from), (0, from)));
                }
                let dst = self.temp(false);
                let (from, w) = (from.bits().unwrap_or(1), sort.bits().unwrap_or(1));
                self.ops.push(Op::SignExt { dst, a, from, w });
                dst
            }
            Expr::FToF { arg, .. }
            | Expr::FToS { arg, .. }
            | Expr::FToU { arg, .. }
            | Expr::SToF { arg, .. }
            | Expr::UToF { arg, .. } => {
                let (a, from) = operand(arg);
                self.generic(GenericOp::Convert(expr), wide, (a, from), (0, from))
            }
            Expr::Select(..) | Expr::Store(..) | Expr::ConstArray { .. } => {
                return Err(Unsupported("an expression over arrays".into()));
            }
        };
        Ok(reg)
    }

    fn generic(&mut self, what: GenericOp, dst_wide: bool, a: (u32, Sort), b: (u32, Sort)) -> u32 {
        let dst = self.temp(dst_wide);
        self.ops.push(Op::Generic(self.generics.len() as u32));
        self.generics.push(Generic { what, dst, dst_wide, a: a.0, a_sort: a.1, b: b.0, b_sort: b.1 });
        dst
    }

    fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    /// Compiles a node that is perhaps not evaluated: what it adds to `memo` is forgotten afterwards.
    fn conditional(&mut self, id: ExprId) -> Result<u32, Unsupported> {
        let memo = self.memo.clone();
        let reg = self.lazy(id);
        self.memo = memo;
        reg
    }

    fn patch(&mut self, at: u32) {
        let here = self.here();
        match &mut self.ops[at as usize] {
            Op::Jump(to) | Op::JumpIfZero { to, .. } | Op::JumpIfNonZero { to, .. } => *to = here,
            _ => {}
        }
    }

    fn lazy(&mut self, id: ExprId) -> Result<u32, Unsupported> {
        if let Some(reg) = self.memo.get(&id) {
            return Ok(*reg);
        }
        let pool = &self.program.pool;
        let wide = is_wide(pool.sort(id));
        let reg = match pool.get(id) {
            Expr::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let left = self.lazy(a)?;
                let dst = self.temp(false);
                self.mov(dst, left, false);
                let jump = self.here();
                self.ops.push(match op {
                    BinOp::And => Op::JumpIfZero { a: left, to: 0 },
                    _ => Op::JumpIfNonZero { a: left, to: 0 },
                });
                let right = self.conditional(b)?;
                self.mov(dst, right, false);
                self.patch(jump);
                dst
            }
            Expr::Ite(c, a, b) => {
                let cond = self.lazy(c)?;
                let dst = self.temp(wide);
                let to_else = self.here();
                self.ops.push(Op::JumpIfZero { a: cond, to: 0 });
                let then = self.conditional(a)?;
                self.mov(dst, then, wide);
                let to_end = self.here();
                self.ops.push(Op::Jump(0));
                self.patch(to_else);
                let otherwise = self.conditional(b)?;
                self.mov(dst, otherwise, wide);
                self.patch(to_end);
                dst
            }
            Expr::Binary(cmp @ (BinOp::Eq | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe), a, b)
                if self.splittable(a) || self.splittable(b) =>
            {
                let dst = self.temp(false);
                let left = self.side(a)?;
                let right = self.side(b)?;
                let split = self.splits.len();
                self.splits.push(Split { cmp, left, right, dst, skip: 0 });
                self.ops.push(Op::Split(split as u32));
                // Not taken when the local is undetermined, so nothing that is computed here may be reused later.
                let memo = self.memo.clone();
                for operand in [a, b] {
                    let reg = self.lazy(operand)?;
                    self.memo.insert(operand, reg);
                }
                let reg = self.node(id)?;
                self.mov(dst, reg, false);
                self.memo = memo;
                self.splits[split].skip = self.here();
                dst
            }
            expr => {
                let mut operands = Vec::new();
                expr.for_each_operand(|c| operands.push(c));
                for operand in operands {
                    let reg = self.lazy(operand)?;
                    self.memo.insert(operand, reg);
                }
                self.node(id)?
            }
        };
        // A local is not remembered: it may be checked on one path only, and its check is cheap.
        if !matches!(pool.get(id), Expr::Var(_)) {
            self.memo.insert(id, reg);
        }
        Ok(reg)
    }

    /// The local that a side of a comparison is, if it is a narrow one that may be undetermined.
    fn split_slot(&self, e: ExprId) -> Option<(Slot, Widened)> {
        let pool = &self.program.pool;
        let to = match pool.sort(e) {
            Sort::Bits(w) if w <= 64 => w,
            _ => return None,
        };
        let (var, how) = copied_var(pool, e)?;
        let slot = *self.slots.get(&var)?;
        match slot.sort {
            Sort::Bits(from) if from <= WIDEST && slot.any && how != Widening::Cut => {
                Some((slot, Widened { how, from, to }))
            }
            _ => None,
        }
    }

    fn splittable(&self, e: ExprId) -> bool {
        self.split_slot(e).is_some()
    }

    fn side(&mut self, e: ExprId) -> Result<Side, Unsupported> {
        match self.split_slot(e) {
            Some((slot, widened)) => Ok(Side::Slot { slot: slot.index, widened }),
            None => Ok(Side::Reg(self.lazy(e)?)),
        }
    }
}

/// Makes the last operation write to another register.
fn retarget(last: Option<&mut Op>, generics: &mut [Generic], from: u32, to: u32) -> bool {
    let dst = match last {
        Some(Op::Generic(g)) => &mut generics[*g as usize].dst,
        Some(
            Op::Mov { dst, .. }
            | Op::MovWide { dst, .. }
            | Op::Not { dst, .. }
            | Op::BvNot { dst, .. }
            | Op::Neg { dst, .. }
            | Op::Add { dst, .. }
            | Op::Sub { dst, .. }
            | Op::Mul { dst, .. }
            | Op::UDiv { dst, .. }
            | Op::SDiv { dst, .. }
            | Op::URem { dst, .. }
            | Op::SRem { dst, .. }
            | Op::And { dst, .. }
            | Op::Or { dst, .. }
            | Op::Xor { dst, .. }
            | Op::Shl { dst, .. }
            | Op::LShr { dst, .. }
            | Op::AShr { dst, .. }
            | Op::Eq { dst, .. }
            | Op::ULt { dst, .. }
            | Op::ULe { dst, .. }
            | Op::SLt { dst, .. }
            | Op::SLe { dst, .. }
            | Op::SignExt { dst, .. }
            | Op::Extract { dst, .. }
            | Op::Select { dst, .. }
            | Op::SelectWide { dst, .. },
        ) => dst,
        _ => return false,
    };
    if *dst != from {
        return false;
    }
    *dst = to;
    true
}

fn narrow_binary(op: BinOp, dst: u32, a: u32, b: u32, w: u8) -> Option<Op> {
    Some(match op {
        BinOp::And | BinOp::BvAnd => Op::And { dst, a, b },
        BinOp::Or | BinOp::BvOr => Op::Or { dst, a, b },
        BinOp::Xor | BinOp::BvXor => Op::Xor { dst, a, b },
        BinOp::Eq => Op::Eq { dst, a, b },
        BinOp::BvAdd => Op::Add { dst, a, b, w },
        BinOp::BvSub => Op::Sub { dst, a, b, w },
        BinOp::BvMul => Op::Mul { dst, a, b, w },
        BinOp::BvUDiv => Op::UDiv { dst, a, b, w },
        BinOp::BvSDiv => Op::SDiv { dst, a, b, w },
        BinOp::BvURem => Op::URem { dst, a, b },
        BinOp::BvSRem => Op::SRem { dst, a, b, w },
        BinOp::Shl => Op::Shl { dst, a, b, w },
        BinOp::LShr => Op::LShr { dst, a, b, w },
        BinOp::AShr => Op::AShr { dst, a, b, w },
        BinOp::ULt => Op::ULt { dst, a, b },
        BinOp::ULe => Op::ULe { dst, a, b },
        BinOp::SLt => Op::SLt { dst, a, b, w },
        BinOp::SLe => Op::SLe { dst, a, b, w },
        _ => return None,
    })
}
