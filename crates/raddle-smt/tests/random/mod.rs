//! Random formulas over all sorts and operators.

#![allow(dead_code)]

use raddle_ir::{BinOp, Const, Expr, ExprId, ExprPool, FloatSort, Sort, UnOp, VarId, eval};

/// A small generator of random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Numbers that meet borders often.
    pub fn bits(&mut self, width: u8) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(6) {
            0 => u128::from(self.next() % 4),
            1 => 0u128.wrapping_sub(u128::from(self.next() % 4)),
            2 => 1u128 << self.below(usize::from(width)),
            3 => (1u128 << self.below(usize::from(width))).wrapping_sub(1),
            _ => wide,
        };
        value & eval::mask(width)
    }
}

/// Which sorts and operators a formula may have.
#[derive(Clone, Copy)]
pub struct Shape {
    /// How many bits all variables have together, at most.
    pub variable_bits: u32,
    pub widths: &'static [u8],
    pub floats: &'static [FloatSort],
    /// The sort of arrays: widths of index and element.
    pub array: Option<(u8, u8)>,
    pub operations: usize,
    /// Without multiplication and division: their formulas can be hard.
    pub easy: bool,
}

const UNARY_FLOAT: [UnOp; 15] = {
    use UnOp::*;
    [
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

const BINARY_BITS: [BinOp; 23] = {
    use BinOp::*;
    [
        BvAdd,
        BvSub,
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
        SAddOverflows,
        SSubOverflows,
        Eq,
        BvMul,
        BvUDiv,
        BvSDiv,
        BvURem,
        BvSRem,
        SMulOverflows,
        UMulOverflows,
    ]
};

const BINARY_FLOAT: [BinOp; 9] = {
    use BinOp::*;
    [FAdd, FSub, FMul, FDiv, FRem, FEq, FLt, FLe, Eq]
};

pub struct Formulas<'a> {
    pub pool: ExprPool,
    pub random: &'a mut Random,
    pub shape: Shape,
    pub variables: Vec<(VarId, Sort)>,
    made: Vec<(ExprId, Sort)>,
    first_variable: u32,
    /// Nodes are made as they are, not through the simplifying constructors.
    pub raw: bool,
}

impl<'a> Formulas<'a> {
    pub fn new(random: &'a mut Random, shape: Shape) -> Self {
        Self::after(ExprPool::new(), 0, random, shape)
    }

    /// In a pool that holds other formulas already; their variables have smaller numbers than `first_variable`.
    pub fn after(pool: ExprPool, first_variable: u32, random: &'a mut Random, shape: Shape) -> Self {
        let raw = random.one_in(2);
        let mut formulas =
            Formulas { pool, random, shape, variables: Vec::new(), made: Vec::new(), first_variable, raw };
        formulas.variables();
        formulas
    }

    fn variables(&mut self) {
        let mut sorts: Vec<Sort> = self.shape.widths.iter().map(|&width| Sort::Bits(width)).collect();
        sorts.push(Sort::Bool);
        sorts.extend(self.shape.floats.iter().map(|&f| Sort::Float(f)));
        let mut bits = 0;
        for _ in 0..8 {
            let sort = self.random.pick(&sorts);
            let width = u32::from(sort.bits().unwrap_or(0));
            if bits + width <= self.shape.variable_bits {
                bits += width;
                self.variable(sort);
            }
        }
        if let Some((index, element)) = self.shape.array {
            for _ in 0..2 {
                self.variable(Sort::Array { index, element });
            }
            self.variable(Sort::Bits(index));
            self.variable(Sort::Bits(element));
        }
    }

    pub fn variable(&mut self, sort: Sort) -> ExprId {
        let var = VarId(self.first_variable + self.variables.len() as u32);
        let id = self.pool.var(var, sort);
        self.variables.push((var, sort));
        self.made.push((id, sort));
        id
    }

    fn of(&mut self, wanted: impl Fn(Sort) -> bool) -> Option<ExprId> {
        let fitting: Vec<ExprId> = self.made.iter().filter(|(_, sort)| wanted(*sort)).map(|(id, _)| *id).collect();
        if fitting.is_empty() {
            return None;
        }
        // Recent ones more often, so that formulas grow deep.
        let last = fitting.len();
        let index =
            if self.random.one_in(2) { self.random.below(last) } else { last - 1 - self.random.below(last.min(4)) };
        Some(fitting[index])
    }

    /// One more of some sort: often a constant.
    fn second(&mut self, sort: Sort) -> Option<ExprId> {
        match sort.bits() {
            Some(bits) if self.random.one_in(4) => {
                let bits =
                    if sort == Sort::Bool { self.random.next() as u128 & 1 } else { self.float_or_bits(sort, bits) };
                Some(self.pool.constant(Const { sort, bits }))
            }
            _ => self.of(|other| other == sort),
        }
    }

    fn float_or_bits(&mut self, sort: Sort, bits: u8) -> u128 {
        match sort {
            Sort::Float(f) if self.random.one_in(2) => {
                // Small whole numbers.
                let number = self.random.below(64) as u128;
                let arg = self.pool.bits(64, number);
                eval::convert(Expr::SToF { to: f, arg }, Sort::Bits(64), number)
            }
            _ => self.random.bits(bits),
        }
    }

    /// Adds one random operation, if there are operands for it.
    pub fn grow(&mut self) -> Option<()> {
        let expr = match self.random.below(12) {
            0 => {
                let a = self.of(|sort| sort == Sort::Bool)?;
                let b = self.of(|sort| sort == Sort::Bool)?;
                match self.random.below(4) {
                    0 => Expr::Unary(UnOp::Not, a),
                    1 => Expr::Binary(BinOp::And, a, b),
                    2 => Expr::Binary(BinOp::Or, a, b),
                    _ => Expr::Binary(BinOp::Xor, a, b),
                }
            }
            1 => {
                let arg = self.of(Sort::is_bits)?;
                let n = self.pool.sort(arg).bits()?;
                let op = self.random.below(5);
                match op {
                    0 => Expr::Unary(UnOp::BvNot, arg),
                    1 => Expr::Unary(UnOp::BvNeg, arg),
                    2 => {
                        let (p, q) = (self.random.below(n.into()) as u8, self.random.below(n.into()) as u8);
                        Expr::Extract { high: p.max(q), low: p.min(q), arg }
                    }
                    _ => {
                        let width = self.random.pick(self.shape.widths);
                        match () {
                            () if width <= n => return None,
                            () if op == 3 => Expr::ZeroExt { width, arg },
                            () => Expr::SignExt { width, arg },
                        }
                    }
                }
            }
            2..=5 => {
                let a = self.of(Sort::is_bits)?;
                let ops = if self.shape.easy { &BINARY_BITS[..16] } else { &BINARY_BITS[..] };
                let op = self.random.pick(ops);
                let b = match op {
                    BinOp::Concat => self.of(Sort::is_bits)?,
                    _ => {
                        let sort = self.pool.sort(a);
                        self.second(sort)?
                    }
                };
                Expr::Binary(op, a, b)
            }
            6 => {
                let c = self.of(|sort| sort == Sort::Bool)?;
                let a = self.of(|_| true)?;
                let sort = self.pool.sort(a);
                Expr::Ite(c, a, self.second(sort)?)
            }
            7 | 8 if !self.shape.floats.is_empty() => {
                let a = self.of(Sort::is_float)?;
                if self.random.one_in(2) {
                    Expr::Unary(self.random.pick(&UNARY_FLOAT), a)
                } else if self.random.one_in(8) {
                    let sort = self.pool.sort(a);
                    Expr::Fma(a, self.second(sort)?, self.second(sort)?)
                } else {
                    let sort = self.pool.sort(a);
                    Expr::Binary(self.random.pick(&BINARY_FLOAT), a, self.second(sort)?)
                }
            }
            9 if !self.shape.floats.is_empty() => {
                let to = self.random.pick(self.shape.floats);
                let width = self.random.pick(self.shape.widths);
                match self.random.below(6) {
                    0 => Expr::FToF { to, arg: self.of(Sort::is_float)? },
                    1 => Expr::FToS { width, arg: self.of(Sort::is_float)? },
                    2 => Expr::FToU { width, arg: self.of(Sort::is_float)? },
                    3 => Expr::SToF { to, arg: self.of(Sort::is_bits)? },
                    4 => Expr::UToF { to, arg: self.of(Sort::is_bits)? },
                    _ => Expr::BitsToF { to, arg: self.of(|sort| sort == Sort::Bits(to.bits()))? },
                }
            }
            _ => {
                let (index, element) = self.shape.array?;
                let array = self.of(|sort| sort.bits().is_none())?;
                let place = self.second(Sort::Bits(index))?;
                match self.random.below(5) {
                    0 | 1 => Expr::Select(array, place),
                    2 => Expr::Store(array, place, self.second(Sort::Bits(element))?),
                    3 => Expr::Binary(BinOp::Eq, array, self.of(|sort| sort.bits().is_none())?),
                    _ => Expr::ConstArray { index, value: self.second(Sort::Bits(element))? },
                }
            }
        };
        let sort = self.pool.check(expr).ok()??;
        let id = if self.raw { self.pool.intern_raw(expr, sort) } else { self.pool.rebuild(expr, sort) };
        self.made.push((id, sort));
        Some(())
    }

    /// A random Bool expression.
    pub fn formula(&mut self) -> ExprId {
        for _ in 0..self.shape.operations {
            self.grow();
        }
        // The last Bool, or a comparison of the last two of some sort.
        if self.random.one_in(2)
            && let Some(a) = self.of(|sort| sort != Sort::Bool)
        {
            let sort = self.pool.sort(a);
            if let Some(b) = self.second(sort) {
                let expr = Expr::Binary(BinOp::Eq, a, b);
                if self.pool.check(expr) == Ok(Some(Sort::Bool)) {
                    return self.pool.intern_raw(expr, Sort::Bool);
                }
            }
        }
        match self.of(|sort| sort == Sort::Bool) {
            Some(id) => id,
            None => self.pool.bool(true),
        }
    }
}
