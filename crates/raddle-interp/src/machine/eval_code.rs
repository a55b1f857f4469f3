//! Runs register code on the top frame of a thread.
//!
//! This loop is the hot one of simulation: operands are indices into one slice, and only locals that may be undetermined
//! cost a check. The opcodes for narrow integers must mean what `raddle_ir::eval` says; a test compares them.

use crate::machine::code::Code;
use crate::machine::expr_code::{ExprCode, Generic, GenericOp, Op, Side, Split, is_wide};
use crate::machine::interval::{self, Interval, WIDEST};
use crate::machine::oracle::{Ask, Asked, Oracle};
use crate::machine::state::{Journal, Machine, Undo};
use raddle_ir::{Sort, eval};

/// The top frame of a thread, and what is needed to settle its undetermined locals.
pub struct View<'a> {
    pub words: &'a mut [u64],
    pub any: &'a mut [bool],
    pub journal: &'a mut Journal,
    pub thread: u32,
    pub base: u32,
    pub proc: u32,
}

impl Machine {
    #[inline]
    pub fn view(&mut self, thread: u32) -> View<'_> {
        let t = &mut self.threads[thread as usize];
        let frame = t.frames[t.frames.len() - 1];
        View {
            words: &mut t.slots.words[frame.base as usize..],
            any: &mut t.slots.any[frame.base as usize..],
            journal: &mut self.journal,
            thread,
            base: frame.base,
            proc: frame.proc,
        }
    }

    /// The value of an expression in the top frame of a thread.
    #[inline]
    pub fn eval<O: Oracle>(&mut self, code: &Code, thread: u32, expr: ExprCode, oracle: &mut O) -> u128 {
        let mut view = self.view(thread);
        run(code, expr, &mut view, oracle);
        read(view.words, expr.reg, expr.wide())
    }

    /// The value of an expression of 64 bits at most.
    #[inline]
    pub fn eval_narrow<O: Oracle>(&mut self, code: &Code, thread: u32, expr: ExprCode, oracle: &mut O) -> u64 {
        let mut view = self.view(thread);
        run(code, expr, &mut view, oracle);
        view.words[expr.reg as usize]
    }
}

#[inline]
fn read(words: &[u64], reg: u32, wide: bool) -> u128 {
    let low = words[reg as usize].into();
    if wide { low | u128::from(words[reg as usize + 1]) << 64 } else { low }
}

#[inline(always)]
fn mask(w: u8) -> u64 {
    u64::MAX >> (64 - w)
}

#[inline(always)]
fn signed(x: u64, w: u8) -> i64 {
    ((x << (64 - w)) as i64) >> (64 - w)
}

#[inline]
pub fn run<O: Oracle>(code: &Code, expr: ExprCode, view: &mut View<'_>, oracle: &mut O) {
    if expr.start != expr.end {
        run_ops(code, expr.start, expr.end, view, oracle);
    }
}

fn run_ops<O: Oracle>(code: &Code, start: u32, end: u32, view: &mut View<'_>, oracle: &mut O) {
    let mut at = start;
    while at < end {
        let op = code.ops[at as usize];
        at += 1;
        let r = &mut *view.words;
        macro_rules! r {
            ($i:expr) => {
                r[$i as usize]
            };
        }
        match op {
            Op::Mov { dst, a } => r!(dst) = r!(a),
            Op::MovWide { dst, a } => {
                let (low, high) = (r!(a), r!(a + 1));
                r!(dst) = low;
                r!(dst + 1) = high;
            }
            Op::Not { dst, a } => r!(dst) = r!(a) ^ 1,
            Op::BvNot { dst, a, w } => r!(dst) = !r!(a) & mask(w),
            Op::Neg { dst, a, w } => r!(dst) = r!(a).wrapping_neg() & mask(w),
            Op::Add { dst, a, b, w } => r!(dst) = r!(a).wrapping_add(r!(b)) & mask(w),
            Op::Sub { dst, a, b, w } => r!(dst) = r!(a).wrapping_sub(r!(b)) & mask(w),
            Op::Mul { dst, a, b, w } => r!(dst) = r!(a).wrapping_mul(r!(b)) & mask(w),
            Op::UDiv { dst, a, b, w } => r!(dst) = r!(a).checked_div(r!(b)).unwrap_or(mask(w)),
            Op::SDiv { dst, a, b, w } => {
                let (x, y) = (signed(r!(a), w), signed(r!(b), w));
                let quotient = match y {
                    0 if x < 0 => 1,
                    0 => -1,
                    _ => x.wrapping_div(y),
                };
                r!(dst) = quotient as u64 & mask(w);
            }
            Op::URem { dst, a, b } => r!(dst) = r!(a).checked_rem(r!(b)).unwrap_or(r!(a)),
            Op::SRem { dst, a, b, w } => {
                let (x, y) = (signed(r!(a), w), signed(r!(b), w));
                r!(dst) = if y == 0 { r!(a) } else { x.wrapping_rem(y) as u64 & mask(w) };
            }
            Op::And { dst, a, b } => r!(dst) = r!(a) & r!(b),
            Op::Or { dst, a, b } => r!(dst) = r!(a) | r!(b),
            Op::Xor { dst, a, b } => r!(dst) = r!(a) ^ r!(b),
            Op::Shl { dst, a, b, w } => {
                r!(dst) = if r!(b) >= w.into() { 0 } else { (r!(a) << r!(b)) & mask(w) };
            }
            Op::LShr { dst, a, b, w } => r!(dst) = if r!(b) >= w.into() { 0 } else { r!(a) >> r!(b) },
            Op::AShr { dst, a, b, w } => r!(dst) = (signed(r!(a), w) >> r!(b).min(63)) as u64 & mask(w),
            Op::Eq { dst, a, b } => r!(dst) = (r!(a) == r!(b)).into(),
            Op::ULt { dst, a, b } => r!(dst) = (r!(a) < r!(b)).into(),
            Op::ULe { dst, a, b } => r!(dst) = (r!(a) <= r!(b)).into(),
            Op::SLt { dst, a, b, w } => r!(dst) = (signed(r!(a), w) < signed(r!(b), w)).into(),
            Op::SLe { dst, a, b, w } => r!(dst) = (signed(r!(a), w) <= signed(r!(b), w)).into(),
            Op::SignExt { dst, a, from, w } => r!(dst) = signed(r!(a), from) as u64 & mask(w),
            Op::Extract { dst, a, low, w } => r!(dst) = (r!(a) >> low) & mask(w),
            Op::Select { dst, c, a, b } => r!(dst) = if r!(c) != 0 { r!(a) } else { r!(b) },
            Op::SelectWide { dst, c, a, b } => {
                let from = if r!(c) != 0 { a } else { b };
                let (low, high) = (r!(from), r!(from + 1));
                r!(dst) = low;
                r!(dst + 1) = high;
            }
            Op::Generic(g) => generic(r, &code.generics[g as usize]),
            Op::Check(slot) => {
                if view.any[slot as usize] {
                    settle(code, view, slot, oracle);
                }
            }
            Op::Split(s) => {
                let split = &code.splits[s as usize];
                if let Some(holds) = split_any(code, view, split, oracle) {
                    view.words[split.dst as usize] = holds.into();
                    at = split.skip;
                }
            }
            Op::Jump(to) => at = to,
            Op::JumpIfZero { a, to } => {
                if r!(a) == 0 {
                    at = to;
                }
            }
            Op::JumpIfNonZero { a, to } => {
                if r!(a) != 0 {
                    at = to;
                }
            }
        }
    }
}

fn generic(r: &mut [u64], g: &Generic) {
    let a = read(r, g.a, is_wide(g.a_sort));
    let value = match g.what {
        GenericOp::Unary(op) => eval::unary(op, g.a_sort, a),
        GenericOp::Convert(expr) => eval::convert(expr, g.a_sort, a),
        GenericOp::Binary(op) => eval::binary(op, g.a_sort, g.b_sort, a, read(r, g.b, is_wide(g.b_sort))),
        GenericOp::Fma { c } => {
            let wide = is_wide(g.a_sort);
            eval::fma(g.a_sort, a, read(r, g.b, wide), read(r, c, wide))
        }
    };
    r[g.dst as usize] = value as u64;
    if g.dst_wide {
        r[g.dst as usize + 1] = (value >> 64) as u64;
    }
}

/// All values of a sort, as the ends of an interval.
pub fn whole(sort: Sort) -> (u128, u128) {
    (0, eval::mask(sort.bits().unwrap_or(1)))
}

impl View<'_> {
    fn ask(&self, code: &Code, slot: u32) -> Ask {
        let local = code.local(self.proc, slot);
        let (low, high) = match local.sort {
            Sort::Bits(w) if w <= WIDEST => {
                let interval = Interval::unpack(self.words[slot as usize], w);
                (interval.low.into(), interval.last(w).into())
            }
            sort => whole(sort),
        };
        let asked = Asked::Local { index: self.base + slot };
        Ask { thread: self.thread, asked, var: Some(local.var), sort: local.sort, low, high }
    }

    fn log(&mut self, slot: u32) {
        if self.journal.on {
            let (word, any) = (self.words[slot as usize], self.any[slot as usize]);
            self.journal.entries.push(Undo::Word { thread: self.thread, at: self.base + slot, word, any });
        }
    }

    fn put(&mut self, slot: u32, sort: Sort, value: u128) {
        self.log(slot);
        self.words[slot as usize] = value as u64;
        self.any[slot as usize] = false;
        if is_wide(sort) {
            self.log(slot + 1);
            self.words[slot as usize + 1] = (value >> 64) as u64;
        }
    }
}

/// Gives an undetermined local a value.
#[cold]
pub fn settle<O: Oracle>(code: &Code, view: &mut View<'_>, slot: u32, oracle: &mut O) {
    let ask = view.ask(code, slot);
    let value = oracle.choose(&ask);
    view.put(slot, ask.sort, value);
}

/// Answers a comparison of an undetermined local; `None`: it has a value by now, compare as usual.
fn split_any<O: Oracle>(code: &Code, view: &mut View<'_>, split: &Split, oracle: &mut O) -> Option<bool> {
    let is_any = |view: &View<'_>, side: Side| matches!(side, Side::Slot { slot, .. } if view.any[slot as usize]);
    let (left, right) = (is_any(view, split.left), is_any(view, split.right));
    if !left && !right {
        return None;
    }
    if let (true, Side::Slot { slot, .. }) = (right && (left || !O::NARROW), split.right) {
        settle(code, view, slot, oracle);
    }
    if let (true, false, Side::Slot { slot, .. }) = (left, O::NARROW, split.left) {
        settle(code, view, slot, oracle);
    }
    if !O::NARROW {
        return None;
    }
    // Exactly one side is undetermined now.
    let (side, other, flipped) = if left { (split.left, split.right, false) } else { (split.right, split.left, true) };
    let Side::Slot { slot, widened } = side else { return None };
    if !view.any[slot as usize] {
        // Both sides are the same local.
        return None;
    }
    let number = match other {
        Side::Reg(reg) => view.words[reg as usize],
        Side::Slot { slot, widened } => widened.apply(view.words[slot as usize]),
    };
    let width = widened.from;
    let interval = Interval::unpack(view.words[slot as usize], width);
    let (yes, no) = interval::split(split.cmp, widened, interval, number, flipped);
    let ways = (yes.len() + no.len()) as u32;
    let way = if ways == 1 { 0 } else { oracle.pick(ways) as usize };
    let holds = way < yes.len();
    let part = if holds { yes[way] } else { no[way - yes.len()] };
    let ask = view.ask(code, slot);
    oracle.narrowed(&ask, part.low.into(), part.last(width).into());
    view.log(slot);
    if part.count == 1 {
        view.words[slot as usize] = part.low;
        view.any[slot as usize] = false;
    } else {
        view.words[slot as usize] = part.pack(width);
    }
    Some(holds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::code::compile;
    use crate::simulate::random::Random;
    use raddle_ir::*;

    struct Zero;
    impl Oracle for Zero {
        const NARROW: bool = false;
        fn choose(&mut self, ask: &Ask) -> u128 {
            ask.low
        }
        fn pick(&mut self, _ways: u32) -> u32 {
            0
        }
    }

    const UNARY: [UnOp; 3] = [UnOp::BvNot, UnOp::BvNeg, UnOp::BvNot];
    const SAME: [BinOp; 13] = [
        BinOp::BvAdd,
        BinOp::BvSub,
        BinOp::BvMul,
        BinOp::BvUDiv,
        BinOp::BvSDiv,
        BinOp::BvURem,
        BinOp::BvSRem,
        BinOp::BvAnd,
        BinOp::BvOr,
        BinOp::BvXor,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
    ];
    const COMPARE: [BinOp; 9] = [
        BinOp::Eq,
        BinOp::ULt,
        BinOp::ULe,
        BinOp::SLt,
        BinOp::SLe,
        BinOp::SAddOverflows,
        BinOp::SSubOverflows,
        BinOp::SMulOverflows,
        BinOp::UMulOverflows,
    ];

    /// A random expression of some width over the variables of all widths.
    fn expression(pool: &mut ExprPool, vars: &[(VarId, u8)], random: &mut Random, width: u8, depth: u32) -> ExprId {
        let mut pick = |n: u64| random.below(n);
        if depth == 0 || pick(6) == 0 {
            let same: Vec<_> = vars.iter().filter(|v| v.1 == width).collect();
            if !same.is_empty() && pick(4) > 0 {
                return pool.var(same[pick(same.len() as u64) as usize].0, Sort::Bits(width));
            }
            let small = u128::from(pick(40)).wrapping_sub(20);
            return pool.bits(width, small);
        }
        match pick(10) {
            0 => {
                let a = expression(pool, vars, random, width, depth - 1);
                pool.unary(UNARY[random.below(3) as usize], a)
            }
            1..5 => {
                let a = expression(pool, vars, random, width, depth - 1);
                let b = expression(pool, vars, random, width, depth - 1);
                pool.binary(SAME[random.below(13) as usize], a, b)
            }
            5 | 6 => {
                let inner = vars[random.below(vars.len() as u64) as usize].1;
                let a = expression(pool, vars, random, inner, depth - 1);
                let b = expression(pool, vars, random, inner, depth - 1);
                let cond = pool.binary(COMPARE[random.below(9) as usize], a, b);
                let x = expression(pool, vars, random, width, depth - 1);
                let y = expression(pool, vars, random, width, depth - 1);
                pool.ite(cond, x, y)
            }
            7 if width > 8 => {
                let a = expression(pool, vars, random, 8, depth - 1);
                if random.below(2) == 0 { pool.zero_ext(width, a) } else { pool.sign_ext(width, a) }
            }
            8 if width > 8 => {
                let a = expression(pool, vars, random, 8, depth - 1);
                let b = expression(pool, vars, random, width - 8, depth - 1);
                pool.binary(BinOp::Concat, a, b)
            }
            _ => {
                let wider = (width + 1 + random.below(20) as u8).min(128);
                let low = random.below(u64::from(wider - width) + 1) as u8;
                let a = expression(pool, vars, random, wider, depth - 1);
                pool.extract(low + width - 1, low, a)
            }
        }
    }

    /// Compiled code computes what the evaluator says, for all narrow opcodes and mixtures of widths.
    #[test]
    fn code_agrees_with_the_evaluator() {
        let mut random = Random::new(7);
        for _ in 0..400 {
            let mut pool = ExprPool::new();
            let widths = [1u8, 7, 8, 16, 31, 32, 63, 64, 65, 100, 128];
            let var = |sort| Var {
                name: "v".into(),
                sort,
                kind: VarKind::Local(ProcId(0)),
                signed: false,
                span: Span::NONE,
                origin: raddle_ir::Origin::default(),
            };
            let mut vars: Vec<Var> = widths.iter().map(|w| var(Sort::Bits(*w))).collect();
            let inputs: Vec<(VarId, u8)> = widths.iter().enumerate().map(|(i, w)| (VarId(i as u32), *w)).collect();
            let width = widths[random.below(widths.len() as u64) as usize];
            let value = expression(&mut pool, &inputs, &mut random, width, 5);
            vars.push(var(Sort::Bits(width)));
            let target = VarId(widths.len() as u32);
            let assign = Label::Assign { var: target, value };
            let location = Location { kind: LocKind::Normal, span: Span::NONE, origin: raddle_ir::Origin::default() };
            let edge =
                Edge { source: LocId(0), target: LocId(1), labels: vec![assign], span: Span::NONE, is_silent: false };
            let proc = Procedure {
                name: "p".into(),
                params: inputs.iter().map(|v| v.0).collect(),
                result: Some(target),
                locals: (0..vars.len() as u32).map(VarId).collect(),
                locations: vec![location.clone(), location],
                edges: vec![edge],
                entry: LocId(0),
                exit: LocId(1),
                span: Span::NONE,
            };
            let program = Program {
                pointer_bits: 64,
                files: vec![],
                pool,
                vars,
                objects: vec![],
                procs: vec![proc],
                entry: ProcId(0),
                dynamic_base: 1 << 32,
                gaps: Vec::new(),
                callers: Vec::new(),
            };
            let code = compile(&program).unwrap();
            let mut machine = Machine::new(&code);
            for _ in 0..20 {
                let values: Vec<u128> = widths
                    .iter()
                    .map(|w| match random.below(3) {
                        0 => u128::from(random.below(5)) & eval::mask(*w),
                        1 => u128::MAX.wrapping_sub(random.below(5).into()) & eval::mask(*w),
                        _ => random.wide() & eval::mask(*w),
                    })
                    .collect();
                for (slot, value) in code.procs[0].params.iter().zip(&values) {
                    machine.threads[0].slots.set(slot.index, slot.sort, *value);
                }
                machine.threads[0].frames[0].loc = 0;
                crate::machine::step::run_edge(&code, &mut machine, 0, 0, 0, &mut Zero);
                let result = code.procs[0].result.unwrap();
                let expected =
                    eval::eval::<()>(&program.pool, value, &mut |v| Ok(Value::Bits(values[v.index()]))).unwrap();
                assert_eq!(machine.local(0, result.index, result.sort), expected.bits());
            }
        }
    }
}
