//! Random expressions over all sorts and operators.

#![allow(dead_code)]

use raddle_ir::{BinOp, Const, Expr, ExprId, ExprPool, FloatSort, Sort, UnOp, VarId, eval};

pub const SORTS: [Sort; 12] = [
    Sort::Bool,
    Sort::Bits(1),
    Sort::Bits(2),
    Sort::Bits(3),
    Sort::Bits(8),
    Sort::Bits(32),
    Sort::Bits(64),
    Sort::Bits(80),
    Sort::Bits(128),
    Sort::F32,
    Sort::X87,
    Sort::Array { index: 2, element: 3 },
];

/// Few and narrow sorts: the rules for nested operators meet more often.
pub const NARROW: [Sort; 4] = [Sort::Bool, Sort::Bits(2), Sort::Bits(3), Sort::Bits(8)];

const UNARY: [UnOp; 18] = {
    use UnOp::*;
    [
        Not,
        BvNot,
        BvNeg,
        FNeg,
        FAbs,
        FSqrt,
        FRint,
        FTrunc,
        FCeil,
        FFloor,
        FRound,
        FIsNan,
        FIsInf,
        FIsZero,
        FIsNormal,
        FIsSubnormal,
        FIsNegative,
        FToBits,
    ]
};

const BINARY: [BinOp; 34] = {
    use BinOp::*;
    [
        And,
        Or,
        Xor,
        Eq,
        BvAdd,
        BvSub,
        BvMul,
        BvUDiv,
        BvSDiv,
        BvURem,
        BvSRem,
        BvAnd,
        BvOr,
        BvXor,
        Shl,
        LShr,
        AShr,
        ULt,
        ULe,
        SLt,
        SLe,
        Concat,
        FAdd,
        FSub,
        FMul,
        FDiv,
        FRem,
        FEq,
        FLt,
        FLe,
        SAddOverflows,
        SSubOverflows,
        SMulOverflows,
        UMulOverflows,
    ]
};

/// Two pools that hold the same expressions, made raw and made by the constructors.
#[derive(Default)]
pub struct Twins {
    pub raw: ExprPool,
    pub simple: ExprPool,
    pub pairs: Vec<(ExprId, ExprId, Sort)>,
    sorts: &'static [Sort],
}

impl Twins {
    pub fn new(sorts: &'static [Sort]) -> Self {
        let mut twins = Twins { sorts, ..Twins::default() };
        for &sort in sorts {
            for _ in 0..3 {
                let var = VarId(twins.pairs.len() as u32);
                let pair = (twins.raw.var(var, sort), twins.simple.var(var, sort), sort);
                twins.pairs.push(pair);
            }
        }
        twins
    }

    /// An expression that is there already, of a sort that is wanted; recent ones are taken more often.
    fn pick(&self, wanted: impl Fn(Sort) -> bool, choice: u8) -> Option<(ExprId, ExprId)> {
        let fitting: Vec<_> = self.pairs.iter().filter(|(.., sort)| wanted(*sort)).collect();
        let last = fitting.len().checked_sub(1)?;
        let index =
            if choice < 128 { last.saturating_sub(usize::from(choice) % 4) } else { usize::from(choice) % (last + 1) };
        Some((fitting[index].0, fitting[index].1))
    }

    /// Adds an expression that four bytes and a number describe, if operands for it exist.
    pub fn grow(&mut self, [kind, detail, first, second]: [u8; 4], number: u128) -> Option<()> {
        let sort = self.sorts[usize::from(detail) % self.sorts.len()];
        let like = |id: ExprId, raw: &ExprPool| {
            let sort = raw.sort(id);
            move |other: Sort| other == sort
        };
        let any = self.pick(|_| true, first)?;
        let width = [1, 2, 3, 8, 32, 64, 80, 128][usize::from(detail) % 8];
        let to = [FloatSort::F32, FloatSort::F64, FloatSort::X87][usize::from(detail) % 3];
        let third = second.rotate_left(3) ^ first;
        let bits = self.pick(Sort::is_bits, first);
        let floats = self.pick(Sort::is_float, first);
        let arrays = self.pick(|sort| sort.bits().is_none(), first);
        let conversion = |arg: ExprId| -> Expr {
            match kind % 18 {
                8 => Expr::FToF { to, arg },
                9 => Expr::FToS { width, arg },
                10 => Expr::FToU { width, arg },
                11 => Expr::SToF { to, arg },
                12 => Expr::UToF { to, arg },
                13 => Expr::ZeroExt { width, arg },
                14 => Expr::SignExt { width, arg },
                _ => Expr::BitsToF { to, arg },
            }
        };
        let (raw, simple) = match kind % 18 {
            0 => {
                // Small constants and those at the ends, so that the rules for them get their turn.
                let number = if first < 200 { u128::from(second % 8).wrapping_sub(4) } else { number };
                let bits = number & eval::mask(sort.bits()?);
                let c = Const { sort, bits };
                (Expr::Const(c), self.simple.constant(c))
            }
            1 => {
                let op = UNARY[usize::from(detail) % UNARY.len()];
                let takes = |sort: Sort| match op {
                    UnOp::Not => sort == Sort::Bool,
                    UnOp::BvNot | UnOp::BvNeg => sort.is_bits(),
                    _ => sort.is_float(),
                };
                let (a, x) = self.pick(takes, first)?;
                (Expr::Unary(op, a), self.simple.unary(op, x))
            }
            2..=5 => {
                let op = BINARY[usize::from(detail) % BINARY.len()];
                let takes = |sort: Sort| match op {
                    BinOp::And | BinOp::Or | BinOp::Xor => sort == Sort::Bool,
                    BinOp::Eq => true,
                    op if format!("{op:?}").starts_with('F') => sort.is_float(),
                    _ => sort.is_bits(),
                };
                let (a, x) = self.pick(takes, first)?;
                let (b, y) = match op {
                    BinOp::Concat => self.pick(Sort::is_bits, second)?,
                    _ => self.pick(like(a, &self.raw), second)?,
                };
                self.raw.check(Expr::Binary(op, a, b)).ok()?;
                (Expr::Binary(op, a, b), self.simple.binary(op, x, y))
            }
            6 => {
                let (c, x) = self.pick(|sort| sort == Sort::Bool, third)?;
                let (a, y) = any;
                let (b, z) = self.pick(like(a, &self.raw), second)?;
                (Expr::Ite(c, a, b), self.simple.ite(x, y, z))
            }
            7 => {
                let (arg, x) = bits?;
                let n = self.raw.sort(arg).bits()?;
                let (p, q) = (detail % n, second % n);
                let (high, low) = (p.max(q), p.min(q));
                (Expr::Extract { high, low, arg }, self.simple.extract(high, low, x))
            }
            8..=10 => {
                let (a, x) = floats?;
                let expr = conversion(a);
                self.raw.check(expr).ok()?;
                let sort = self.raw.sort(a);
                (expr, self.simple.rebuild(expr.map_operands(|_| x), sort))
            }
            11..=15 => {
                let (a, x) = bits?;
                let expr = conversion(a);
                self.raw.check(expr).ok()?;
                let sort = self.raw.sort(a);
                (expr, self.simple.rebuild(expr.map_operands(|_| x), sort))
            }
            16 => {
                let (a, x) = floats?;
                let (b, y) = self.pick(like(a, &self.raw), second)?;
                let (c, z) = self.pick(like(a, &self.raw), third)?;
                (Expr::Fma(a, b, c), self.simple.fma(x, y, z))
            }
            _ => {
                let (array, a) = arrays?;
                let (index, i) = self.pick(|sort| sort == Sort::Bits(2), second)?;
                let (value, v) = self.pick(|sort| sort == Sort::Bits(3), third)?;
                match detail % 3 {
                    0 => (Expr::Select(array, index), self.simple.select(a, i)),
                    1 => (Expr::Store(array, index, value), self.simple.store(a, i, v)),
                    _ => (Expr::ConstArray { index: 2, value }, self.simple.const_array(2, v)),
                }
            }
        };
        let sort = self.raw.check(raw).expect("the generator makes well-sorted expressions")?;
        let raw = self.raw.intern_raw(raw, sort);
        assert_eq!(self.simple.sort(simple), sort);
        self.pairs.push((raw, simple, sort));
        Some(())
    }
}
