//! SMT-LIB solvers against the evaluator: every operation on many constants, random formulas, incremental use, interpolants.
//!
//! The solvers are those that are installed; a test says which ones it skips.

use raddle_ir::{ArrayValue, BinOp, Const, Expr, ExprId, ExprPool, FloatSort, Sort, UnOp, Value, VarId, eval};
use raddle_smt::smtlib::{FoundSolver, Patience, SmtLibInterpolator, SmtLibSolver, dialect, find_executable};
use raddle_smt::{Answer, Effort, Interpolation, Interpolator, Solver, SolverError};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The installed ones of these solvers.
fn installed(names: &[&str]) -> Vec<FoundSolver> {
    let find = |name: &&str| {
        let dialect = dialect(name)?;
        let path = find_executable(dialect);
        if path.is_none() {
            eprintln!("skipped: {name} is not installed ({})", dialect.install);
        }
        Some(FoundSolver::at(*dialect, path?))
    };
    names.iter().filter_map(find).collect()
}

fn solver(found: &FoundSolver) -> SmtLibSolver {
    SmtLibSolver::new(found.clone(), Patience { check: Duration::from_secs(300), ..Patience::default() })
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn wide(&mut self) -> u128 {
        (u128::from(self.next()) << 64) | u128::from(self.next())
    }
}

/// A value of a sort: often one at an edge.
fn some_bits(random: &mut Random, sort: Sort) -> u128 {
    let width = sort.bits().unwrap();
    let number = match sort {
        Sort::Float(f) => return some_float(random, f),
        _ => match random.below(4) {
            0 => random.below(4) as u128,
            1 => (random.below(4) as u128).wrapping_sub(4),
            2 => (1u128 << (width - 1)).wrapping_add(random.below(3) as u128).wrapping_sub(1),
            _ => random.wide(),
        },
    };
    number & eval::mask(width)
}

fn some_float(random: &mut Random, f: FloatSort) -> u128 {
    let x87 = f == FloatSort::X87;
    let fraction_bits = if x87 { 64 } else { u32::from(f.significand) - 1 };
    let top = (1u128 << f.exponent) - 1;
    let bias = top / 2;
    // Specials, numbers near 1, numbers near the powers of two at which integers end, and anything.
    let exponent = match random.below(8) {
        0 => 0,
        1 => top,
        2 => 1,
        3 => top - 1,
        4 => random.wide() & top,
        5 => bias.wrapping_add(random.below(6) as u128).wrapping_sub(2) & top,
        _ => {
            let power = random.of(&[8, 15, 16, 31, 32, 63, 64, 65, 127, 128, f.significand.into()]);
            (bias + power).min(top).wrapping_sub(random.below(2) as u128)
        }
    };
    let mask = (1u128 << fraction_bits) - 1;
    let mut fraction = match random.below(6) {
        0 => 0,
        1 => 1,
        2 => mask,
        3 => 1 << (f.significand - 2),
        4 => mask ^ (mask >> random.below(12)),
        _ => random.wide() & mask,
    };
    if x87 && random.below(5) != 0 {
        // Most have the integer bit that they should have.
        fraction = (fraction & (mask >> 1)) | if exponent == 0 { 0 } else { 1 << 63 };
    }
    (u128::from(random.next() & 1) << (f.bits() - 1)) | (exponent << fraction_bits) | fraction
}

/// The value of an expression without variables.
fn constant_value(pool: &ExprPool, id: ExprId) -> Value {
    eval::eval(pool, id, &mut |_| Ok::<_, Infallible>(Value::Bits(0))).unwrap()
}

/// Operations on constants, each to be compared with what the evaluator makes of it.
struct Cases {
    pool: ExprPool,
    random: Random,
    /// For each case: the operands' definitions, and "the result is what the evaluator says".
    cases: Vec<(Vec<ExprId>, ExprId, String)>,
}

impl Cases {
    fn new(seed: u64) -> Cases {
        Cases { pool: ExprPool::new(), random: Random(seed), cases: Vec::new() }
    }

    fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.pool.intern_raw(Expr::Binary(BinOp::Eq, a, b), Sort::Bool)
    }

    /// Adds a case of an operation on operands of these sorts. `make` gets the operands.
    fn add(&mut self, sorts: &[Sort], make: impl Fn(&[ExprId]) -> Expr) {
        let operands: Vec<Const> =
            sorts.iter().map(|sort| Const { sort: *sort, bits: some_bits(&mut self.random, *sort) }).collect();
        self.add_on(&operands, make);
    }

    fn add_on(&mut self, operands: &[Const], make: impl Fn(&[ExprId]) -> Expr) {
        let (mut variables, mut constants, mut defined) = (Vec::new(), Vec::new(), Vec::new());
        for Const { sort, bits } in operands {
            let constant = self.pool.constant(Const { sort: *sort, bits: *bits });
            let variable = self.pool.var(VarId(self.pool.len() as u32), *sort);
            defined.push(self.equal(variable, constant));
            variables.push(variable);
            constants.push(constant);
        }
        let on_constants = make(&constants);
        let sort = self.pool.check(on_constants).unwrap().unwrap();
        let on_constants = self.pool.intern_raw(on_constants, sort);
        let expected = constant_value(&self.pool, on_constants).bits();
        let node = self.pool.intern_raw(make(&variables), sort);
        let expected_constant = self.pool.constant(Const { sort, bits: expected });
        let right = self.equal(node, expected_constant);
        let operands: Vec<_> = operands.iter().map(|c| format!("{} {:#x}", c.sort, c.bits)).collect();
        let words = format!("{:?} on {operands:?} is {expected:#x}", self.pool.get(node));
        self.cases.push((defined, right, words));
    }

    /// All at once: the operands have values, and some result is wrong. That must be impossible, and without the second part it must
    /// be possible. A solver that cannot do an operation says so; how many of them it did is returned.
    fn compare(self, found: &FoundSolver) -> usize {
        let Cases { mut pool, cases, .. } = self;
        let mut solver = solver(found);
        let mut done = 0;
        for some in cases.chunks(25) {
            solver.push().unwrap();
            let mut any_wrong = pool.bool(false);
            let mut asked = Vec::new();
            for (defined, right, words) in some {
                let wrong = pool.intern_raw(Expr::Unary(UnOp::Not, *right), Sort::Bool);
                match solver.assert(&pool, *right) {
                    Err(SolverError::Unsupported(_)) => continue,
                    result => result.unwrap(),
                }
                any_wrong = pool.intern_raw(Expr::Binary(BinOp::Or, any_wrong, wrong), Sort::Bool);
                defined.iter().for_each(|formula| solver.assert(&pool, *formula).unwrap());
                asked.push((defined, wrong, words));
            }
            done += asked.len();
            let possible = solver.check(&pool, &[]).unwrap();
            solver.pop().unwrap();
            solver.push().unwrap();
            for (defined, ..) in &asked {
                defined.iter().for_each(|formula| solver.assert(&pool, *formula).unwrap());
            }
            let wrong = solver.check(&pool, &[any_wrong]).unwrap();
            solver.pop().unwrap();
            if possible == Answer::Sat && wrong == Answer::Unsat {
                continue;
            }
            for (defined, wrong, words) in asked {
                solver.push().unwrap();
                defined.iter().for_each(|formula| solver.assert(&pool, *formula).unwrap());
                let answers = (solver.check(&pool, &[]).unwrap(), solver.check(&pool, &[wrong]).unwrap());
                solver.pop().unwrap();
                assert_eq!(answers, (Answer::Sat, Answer::Unsat), "{}: {words}", found.dialect.name);
            }
            panic!("{}: {possible:?} and {wrong:?} for many, but not for one", found.dialect.name);
        }
        done
    }
}

const F16: FloatSort = FloatSort { exponent: 5, significand: 11 };
const BF16: FloatSort = FloatSort { exponent: 8, significand: 8 };

#[test]
fn operations_on_bit_vectors_and_bools() {
    use BinOp::*;
    for found in installed(&["z3", "cvc5", "bitwuzla", "yices", "mathsat"]) {
        let mut cases = Cases::new(1);
        for _ in 0..12 {
            for op in [And, Or, Xor, Eq] {
                cases.add(&[Sort::Bool; 2], |x| Expr::Binary(op, x[0], x[1]));
            }
            cases.add(&[Sort::Bool], |x| Expr::Unary(UnOp::Not, x[0]));
            for width in [1, 2, 7, 8, 32, 33, 64] {
                let sort = Sort::Bits(width);
                for op in [BvAdd, BvSub, BvMul, BvUDiv, BvSDiv, BvURem, BvSRem, BvAnd, BvOr, BvXor, Shl, LShr, AShr] {
                    cases.add(&[sort; 2], |x| Expr::Binary(op, x[0], x[1]));
                }
                for op in [Eq, ULt, ULe, SLt, SLe, SAddOverflows, SSubOverflows, SMulOverflows, UMulOverflows] {
                    cases.add(&[sort; 2], |x| Expr::Binary(op, x[0], x[1]));
                }
                for op in [UnOp::BvNot, UnOp::BvNeg] {
                    cases.add(&[sort], |x| Expr::Unary(op, x[0]));
                }
                cases.add(&[sort, Sort::Bits(5)], |x| Expr::Binary(Concat, x[0], x[1]));
                cases.add(&[Sort::Bool, sort, sort], |x| Expr::Ite(x[0], x[1], x[2]));
                cases.add(&[sort], |x| Expr::Extract { high: width - 1, low: width / 3, arg: x[0] });
                cases.add(&[sort], |x| Expr::ZeroExt { width: width + 3, arg: x[0] });
                cases.add(&[sort], |x| Expr::SignExt { width: width + 3, arg: x[0] });
            }
        }
        // Wide divisions and products are large circuits: fewer of them.
        for _ in 0..3 {
            for op in [
                BvAdd,
                BvSub,
                BvMul,
                BvUDiv,
                BvSDiv,
                BvURem,
                BvSRem,
                Shl,
                LShr,
                AShr,
                SLt,
                SMulOverflows,
                UMulOverflows,
            ] {
                cases.add(&[Sort::Bits(128); 2], |x| Expr::Binary(op, x[0], x[1]));
            }
        }
        assert!(cases.compare(&found) > 1000);
    }
}

#[test]
fn operations_on_floats() {
    use BinOp::*;
    for found in installed(&["z3", "cvc5", "bitwuzla", "mathsat"]) {
        let mut cases = Cases::new(2);
        for f in [F16, BF16, FloatSort::F32, FloatSort::F64, FloatSort::X87] {
            let sort = Sort::Float(f);
            let many = if f.significand < 30 { 20 } else { 8 };
            for _ in 0..many {
                for op in [FAdd, FSub, FMul, FDiv, FEq, FLt, FLe, Eq] {
                    cases.add(&[sort; 2], |x| Expr::Binary(op, x[0], x[1]));
                }
                cases.add(&[sort; 3], |x| Expr::Fma(x[0], x[1], x[2]));
                for op in [UnOp::FNeg, UnOp::FAbs, UnOp::FSqrt, UnOp::FToBits] {
                    cases.add(&[sort], |x| Expr::Unary(op, x[0]));
                }
                for op in [UnOp::FRint, UnOp::FTrunc, UnOp::FCeil, UnOp::FFloor, UnOp::FRound] {
                    cases.add(&[sort], |x| Expr::Unary(op, x[0]));
                }
                for op in [UnOp::FIsNan, UnOp::FIsInf, UnOp::FIsZero, UnOp::FIsNormal, UnOp::FIsSubnormal] {
                    cases.add(&[sort], |x| Expr::Unary(op, x[0]));
                }
                cases.add(&[sort], |x| Expr::Unary(UnOp::FIsNegative, x[0]));
                cases.add(&[Sort::Bits(f.bits())], |x| Expr::BitsToF { to: f, arg: x[0] });
                cases.add(&[Sort::Bool, sort, sort], |x| Expr::Ite(x[0], x[1], x[2]));
            }
        }
        assert!(cases.compare(&found) > 500);
    }
}

/// Which NaN comes out of two depends on the format, on the order, and on the payloads.
#[test]
fn nans_meet() {
    for found in installed(&["z3", "cvc5"]) {
        let mut cases = Cases::new(6);
        for f in [FloatSort::F32, FloatSort::F64, FloatSort::X87] {
            for op in [BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FDiv] {
                for _ in 0..25 {
                    let nan = |random: &mut Random| {
                        // All ones in the exponent: mostly NaNs, some infinities, some x87 encodings without the integer bit.
                        let ones = ((1u128 << f.exponent) - 1) << (f.bits() - 1 - f.exponent);
                        Const { sort: Sort::Float(f), bits: some_float(random, f) | ones }
                    };
                    let (a, b) = (nan(&mut cases.random), nan(&mut cases.random));
                    let b = if cases.random.below(4) == 0 {
                        Const { bits: a.bits ^ (1 << (f.bits() - 1)), ..a }
                    } else {
                        b
                    };
                    cases.add_on(&[a, b], |x| Expr::Binary(op, x[0], x[1]));
                    let any = nan(&mut cases.random);
                    let zero = Const { bits: 0, ..a };
                    let b = if cases.random.below(3) == 0 { zero } else { b };
                    cases.add_on(&[a, b, any], |x| Expr::Fma(x[0], x[1], x[2]));
                }
            }
        }
        assert!(cases.compare(&found) >= 400);
    }
}

#[test]
fn remainders_of_floats() {
    for found in installed(&["z3", "cvc5"]) {
        let mut cases = Cases::new(3);
        for _ in 0..40 {
            cases.add(&[Sort::Float(F16); 2], |x| Expr::Binary(BinOp::FRem, x[0], x[1]));
            cases.add(&[Sort::F32; 2], |x| Expr::Binary(BinOp::FRem, x[0], x[1]));
        }
        assert!(cases.compare(&found) >= 40);
        // Large exponents are refused, not attempted.
        let mut cases = Cases::new(4);
        cases.add(&[Sort::F64; 2], |x| Expr::Binary(BinOp::FRem, x[0], x[1]));
        assert_eq!(cases.compare(&found), 0);
    }
}

#[test]
fn conversions_of_floats() {
    for found in installed(&["z3", "cvc5", "bitwuzla", "mathsat"]) {
        let mut cases = Cases::new(5);
        let formats = [F16, FloatSort::F32, FloatSort::F64, FloatSort::X87];
        for f in formats {
            for to in formats.into_iter().filter(|to| *to != f) {
                for _ in 0..10 {
                    cases.add(&[Sort::Float(f)], |x| Expr::FToF { to, arg: x[0] });
                }
            }
            for width in [1, 8, 16, 17, 32, 33, 64, 65, 128] {
                for _ in 0..6 {
                    cases.add(&[Sort::Float(f)], |x| Expr::FToS { width, arg: x[0] });
                    cases.add(&[Sort::Float(f)], |x| Expr::FToU { width, arg: x[0] });
                }
                for _ in 0..3 {
                    cases.add(&[Sort::Bits(width)], |x| Expr::SToF { to: f, arg: x[0] });
                    cases.add(&[Sort::Bits(width)], |x| Expr::UToF { to: f, arg: x[0] });
                }
            }
        }
        assert!(cases.compare(&found) > 100);
    }
}

/// Random expressions over a few variables.
struct Grown {
    pool: ExprPool,
    nodes: Vec<ExprId>,
    variables: Vec<(VarId, Sort)>,
}

const ARRAY: Sort = Sort::Array { index: 1, element: 3 };

fn grow(random: &mut Random, sorts: &[Sort], count: usize) -> Grown {
    let mut g = Grown { pool: ExprPool::new(), nodes: Vec::new(), variables: Vec::new() };
    for sort in sorts {
        let var = VarId(g.nodes.len() as u32);
        g.variables.push((var, *sort));
        g.nodes.push(g.pool.var(var, *sort));
    }
    let truth = g.pool.bool(true);
    g.nodes.push(truth);
    for _ in 0..count * 20 {
        if g.nodes.len() > count + sorts.len() {
            break;
        }
        if let Some(expr) = random_node(random, &mut g)
            && let Ok(Some(sort)) = g.pool.check(expr)
            && sort.bits().is_none_or(|bits| bits <= 16)
        {
            let id = g.pool.intern_raw(expr, sort);
            g.nodes.push(id);
        }
    }
    g
}

/// A node over those that are there; it may be ill-sorted.
fn random_node(random: &mut Random, g: &mut Grown) -> Option<Expr> {
    use BinOp::*;
    let newest = g.nodes.len().saturating_sub(6);
    let a =
        if random.below(2) == 0 { g.nodes[newest + random.below(g.nodes.len() - newest)] } else { random.of(&g.nodes) };
    let sort = g.pool.sort(a);
    let same: Vec<ExprId> = g.nodes.iter().copied().filter(|id| g.pool.sort(*id) == sort).collect();
    let b = random.of(&same);
    let bools: Vec<ExprId> = g.nodes.iter().copied().filter(|id| g.pool.sort(*id) == Sort::Bool).collect();
    Some(match random.below(10) {
        0 if sort.bits().is_some() => Expr::Const(Const { sort, bits: some_bits(random, sort) }),
        1 => Expr::Ite(random.of(&bools), a, b),
        2 => Expr::Binary(Eq, a, b),
        3 => {
            let ops = [SAddOverflows, SSubOverflows, SMulOverflows, UMulOverflows, ULt, ULe, SLt, SLe];
            Expr::Binary(random.of(&ops), a, b)
        }
        _ => match sort {
            Sort::Bool => match random.below(4) {
                0 => Expr::Unary(UnOp::Not, a),
                1 => Expr::Binary(Or, a, b),
                2 => Expr::Binary(Xor, a, b),
                _ => Expr::Binary(And, a, b),
            },
            Sort::Bits(n) => {
                let all = [BvAdd, BvSub, BvMul, BvUDiv, BvSDiv, BvURem, BvSRem, BvAnd, BvOr, BvXor, Shl, LShr, AShr];
                match random.below(8) {
                    0 => Expr::Unary(random.of(&[UnOp::BvNot, UnOp::BvNeg]), a),
                    1 => Expr::Binary(Concat, a, random.of(&g.nodes)),
                    2 => Expr::Extract { high: n - 1, low: random.below(n.into()) as u8, arg: a },
                    3 => Expr::ZeroExt { width: n + 1, arg: a },
                    4 if n == 16 => Expr::BitsToF { to: F16, arg: a },
                    4 => Expr::SignExt { width: n + 2, arg: a },
                    5 if n == 3 => Expr::ConstArray { index: 1, value: a },
                    _ => Expr::Binary(random.of(&all), a, b),
                }
            }
            Sort::Float(_) => match random.below(5) {
                0 => Expr::Unary(random.of(&[UnOp::FNeg, UnOp::FToBits, UnOp::FIsNan, UnOp::FSqrt, UnOp::FTrunc]), a),
                1 => Expr::Binary(random.of(&[FEq, FLt, FLe]), a, b),
                2 if random.below(2) == 0 => Expr::Fma(a, b, random.of(&g.nodes)),
                2 => Expr::FToS { width: 8, arg: a },
                _ => Expr::Binary(random.of(&[FAdd, FSub, FMul]), a, b),
            },
            Sort::Array { .. } => {
                let of =
                    |width: u8| g.nodes.iter().copied().filter(|id| g.pool.sort(*id) == Sort::Bits(width)).collect();
                let (indices, elements): (Vec<ExprId>, Vec<ExprId>) = (of(1), of(3));
                if indices.is_empty() || elements.is_empty() {
                    return None;
                }
                let (index, value) = (random.of(&indices), random.of(&elements));
                if random.below(2) == 0 { Expr::Select(a, index) } else { Expr::Store(a, index, value) }
            }
        },
    })
}

/// The value of a variable in the n-th of all assignments, and how many bits that takes.
fn nth_value(sort: Sort, number: u128) -> (Value, u32) {
    match sort {
        Sort::Array { index, element } => {
            let mut array = ArrayValue::constant(0);
            for at in 0..1u128 << index {
                array.set(at, (number >> (at * u128::from(element))) & eval::mask(element));
            }
            (Value::Array(Arc::new(array)), u32::from(element) << index)
        }
        scalar => {
            let width = scalar.bits().unwrap();
            (Value::Bits(number & eval::mask(width)), width.into())
        }
    }
}

fn possible_by_enumeration(g: &Grown, formula: ExprId) -> bool {
    let bits: u32 = g.variables.iter().map(|(_, sort)| nth_value(*sort, 0).1).sum();
    assert!(bits <= 16);
    (0..1u128 << bits).any(|number| {
        let mut rest = number;
        let mut values = Vec::new();
        for (_, sort) in &g.variables {
            let (value, width) = nth_value(*sort, rest);
            rest >>= width;
            values.push(value);
        }
        let mut env = |var: VarId| Ok::<_, Infallible>(values[var.0 as usize].clone());
        eval::eval(&g.pool, formula, &mut env).unwrap().bits() != 0
    })
}

/// Asks a solver about random formulas; what it says of each is confirmed by the evaluator.
fn random_formulas(found: &FoundSolver, sorts: &[Sort], count: usize, seed: u64) -> [usize; 2] {
    let mut random = Random(seed);
    let mut answers = [0; 2];
    for _ in 0..count {
        let mut g = grow(&mut random, sorts, 40);
        let mut solver = solver(found);
        let bools: Vec<ExprId> = g.nodes.iter().copied().filter(|id| g.pool.sort(*id) == Sort::Bool).collect();
        // One process for several questions, with levels and assumptions.
        for _ in 0..6 {
            let [a, b, c] = [(); 3].map(|()| random.of(&bools));
            solver.push().unwrap();
            if let Err(SolverError::Unsupported(_)) = solver.assert(&g.pool, a) {
                solver.pop().unwrap();
                continue;
            }
            let formula = g.pool.and(a, b);
            let formula = g.pool.and(formula, c);
            let answer = match solver.check(&g.pool, &[b, c]) {
                Err(SolverError::Unsupported(_)) => {
                    solver.pop().unwrap();
                    continue;
                }
                answer => answer.unwrap(),
            };
            match answer {
                Answer::Sat => {
                    for part in [a, b, c, formula] {
                        assert_eq!(solver.value(&g.pool, part).unwrap(), Value::Bits(1));
                    }
                    answers[0] += 1;
                }
                Answer::Unsat => {
                    assert!(!possible_by_enumeration(&g, formula), "{}: wrong unsat", found.dialect.name);
                    let failed = solver.failed().unwrap();
                    let core = failed.iter().fold(a, |so_far, id| g.pool.and(so_far, *id));
                    assert!(!possible_by_enumeration(&g, core), "{}: not enough for unsat", found.dialect.name);
                    answers[1] += 1;
                }
                other => panic!("{}: {other:?}", found.dialect.name),
            }
            solver.pop().unwrap();
        }
    }
    answers
}

#[test]
fn random_formulas_are_answered_as_the_evaluator_says() {
    for found in installed(&["z3", "cvc5", "bitwuzla", "mathsat"]) {
        let sorts = [Sort::Bool, Sort::Bits(1), Sort::Bits(3), Sort::Bits(4), ARRAY];
        let [sat, unsat] = random_formulas(&found, &sorts, 40, 11);
        assert!(sat > 30 && unsat > 30, "{sat} and {unsat}");
        // A 16-bit float takes as many assignments as can be enumerated.
        random_formulas(&found, &[Sort::Float(F16)], 5, 12);
    }
    for found in installed(&["yices", "opensmt", "smtinterpol", "princess"]) {
        random_formulas(&found, &[Sort::Bool, Sort::Bool, Sort::Bool], 5, 13);
    }
}

#[test]
fn deep_and_shared_expressions_stay_small() {
    for found in installed(&["z3", "cvc5"]) {
        let mut pool = ExprPool::new();
        let x = pool.var(VarId(0), Sort::Bits(8));
        // Written out without sharing it would have 2^60 nodes.
        let mut shared = x;
        for _ in 0..60 {
            let shifted = Expr::Binary(BinOp::Shl, shared, shared);
            shared = pool.intern_raw(shifted, Sort::Bits(8));
        }
        let mut deep = x;
        for _ in 0..20_000 {
            deep = pool.intern_raw(Expr::Unary(UnOp::BvNot, deep), Sort::Bits(8));
        }
        let zero = pool.bits(8, 0);
        let (first, second) = (pool.eq(shared, zero), pool.ne(deep, x));
        let mut solver = solver(&found);
        solver.assert(&pool, first).unwrap();
        assert_eq!(solver.check(&pool, &[]).unwrap(), Answer::Sat);
        assert_eq!(solver.check(&pool, &[second]).unwrap(), Answer::Unsat);
        assert_eq!(solver.failed().unwrap(), [second]);
    }
}

#[test]
fn levels_models_and_failed_assumptions() {
    for found in installed(&["z3", "cvc5"]) {
        let mut pool = ExprPool::new();
        let [p, q] = [0, 1].map(|i| pool.var(VarId(i), Sort::Bool));
        let x = pool.var(VarId(2), Sort::Bits(32));
        let never = pool.var(VarId(3), Sort::Bits(32));
        let (five, six) = (pool.bits(32, 5), pool.bits(32, 6));
        let (is_five, is_six) = (pool.eq(x, five), pool.eq(x, six));
        let not_p = pool.not(p);
        let mut solver = solver(&found);
        assert_eq!(solver.value(&pool, x), Ok(Value::Bits(0)));
        solver.pop().unwrap();
        solver.push().unwrap();
        solver.assert(&pool, is_five).unwrap();
        assert_eq!(solver.check(&pool, &[p]), Ok(Answer::Sat));
        assert_eq!(solver.value(&pool, x), Ok(Value::Bits(5)));
        assert_eq!(solver.value(&pool, never), Ok(Value::Bits(0)));
        assert_eq!(solver.check(&pool, &[q, is_six, not_p, p]).unwrap(), Answer::Unsat);
        let failed = solver.failed().unwrap();
        assert!(failed == [is_six] || failed == [not_p, p], "{failed:?}");
        solver.pop().unwrap();
        assert_eq!(solver.check(&pool, &[is_six]), Ok(Answer::Sat));
        assert_eq!(solver.value(&pool, x), Ok(Value::Bits(6)));
        solver.push().unwrap();
        assert_eq!(solver.value(&pool, x), Ok(Value::Bits(0)));
        assert_eq!(solver.statistics().checks, 3);
    }
}

#[test]
fn interpolants_over_bools() {
    for found in installed(&["z3", "cvc5", "mathsat", "smtinterpol", "opensmt", "princess"]) {
        let mut pool = ExprPool::new();
        let v: Vec<ExprId> = (0..5).map(|i| pool.var(VarId(i), Sort::Bool)).collect();
        let implies = |pool: &mut ExprPool, a: usize, b: usize| {
            let not = pool.not(v[a]);
            pool.or(not, v[b])
        };
        let first = implies(&mut pool, 0, 1);
        let a1 = pool.and(v[0], first);
        let a2 = implies(&mut pool, 1, 2);
        let a3 = implies(&mut pool, 2, 3);
        let last = pool.not(v[3]);
        let mut interpolator = SmtLibInterpolator::new(found, Patience::default());
        let Interpolation::Interpolants(sequence) = interpolator.interpolate(&mut pool, &[a1, a2, a3, last]).unwrap()
        else {
            panic!("no interpolants")
        };
        assert_eq!(sequence, [v[1], v[2], v[3]]);
        assert_eq!(interpolator.interpolate(&mut pool, &[a1, a2, v[4]]), Ok(Interpolation::Sat));
    }
}

#[test]
fn interpolants_over_bit_vectors() {
    for found in installed(&["z3", "cvc5", "mathsat"]) {
        let mut pool = ExprPool::new();
        let [x, y, z] = [0, 1, 2].map(|i| pool.var(VarId(i), Sort::Bits(4)));
        let (a, b) = (pool.eq(x, y), pool.ne(x, z));
        let yz = pool.eq(y, z);
        let b = pool.and(b, yz);
        let is_z3 = found.dialect.name == "z3";
        let mut interpolator = SmtLibInterpolator::new(found, Patience::default());
        interpolator.set_effort(Effort { time: Some(Duration::from_secs(60)), ..Effort::default() });
        let answer = interpolator.interpolate(&mut pool, &[a, b]);
        // It was checked before it was handed out.
        match answer {
            Err(SolverError::Unsupported(_)) => assert!(is_z3),
            Ok(Interpolation::Interpolants(found)) => assert!(!is_z3 && found.len() == 1),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn interpolants_of_random_bool_formulas() {
    for found in installed(&["z3", "cvc5"]) {
        let mut random = Random(21);
        let mut pairs = 0;
        while pairs < 12 {
            let mut g = grow(&mut random, &[Sort::Bool; 5], 30);
            let bools: Vec<ExprId> = g.nodes.iter().copied().filter(|id| g.pool.sort(*id) == Sort::Bool).collect();
            let (a, b) = (random.of(&bools), random.of(&bools));
            let both = g.pool.and(a, b);
            // Parts that are false by themselves are of little interest.
            if possible_by_enumeration(&g, both) || !possible_by_enumeration(&g, a) || !possible_by_enumeration(&g, b) {
                continue;
            }
            pairs += 1;
            let mut interpolator = SmtLibInterpolator::new(found.clone(), Patience::default());
            let answer = interpolator.interpolate(&mut g.pool, &[a, b]).unwrap();
            let Interpolation::Interpolants(interpolants) = answer else { panic!("{answer:?}") };
            let not = g.pool.not(interpolants[0]);
            let (escapes, meets) = (g.pool.and(a, not), g.pool.and(interpolants[0], b));
            assert!(!possible_by_enumeration(&g, escapes) && !possible_by_enumeration(&g, meets));
        }
    }
}
