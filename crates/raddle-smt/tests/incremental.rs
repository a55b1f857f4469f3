//! One solver for a long time: assertions, levels, checks, budgets and interrupts in any order, against tables of all values.
//!
//! The formulas have so few bits of variables that a table of each formula, one bit for each valuation, decides every check.
//!
//! `RADDLE_CASES=5000 cargo test --release -p raddle-smt --test incremental` runs as many solvers as one likes, `RADDLE_SEED` chooses others.

mod random;

use raddle_ir::{ArrayValue, BinOp, Expr, ExprId, Sort, UnOp, Value, eval};
use raddle_smt::{Answer, Effort, NativeSolver, Solver};
use random::{Formulas, Random, Shape};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn bits(sort: Sort) -> u32 {
    match sort {
        Sort::Array { index, element } => u32::from(element) << index,
        other => u32::from(other.bits().unwrap_or(0)),
    }
}

/// A value from the lowest bits of a number.
fn unpack(sort: Sort, number: u128) -> Value {
    match sort {
        Sort::Array { index, element } => {
            let mut array = ArrayValue::constant(0);
            for i in 0..1u128 << index {
                array.set(i, number >> (i * u128::from(element)) & eval::mask(element));
            }
            Value::Array(Arc::new(array))
        }
        other => Value::Bits(number & eval::mask(other.bits().unwrap_or(1))),
    }
}

fn pack(sort: Sort, value: &Value) -> u128 {
    match (sort, value) {
        (Sort::Array { index, element }, Value::Array(array)) => {
            (0..1u128 << index).fold(0, |all, i| all | array.get(i) << (i * u128::from(element)))
        }
        (_, value) => value.bits(),
    }
}

/// For each valuation of the variables, whether a formula is true.
type Table = Vec<bool>;

#[derive(Default)]
struct Tables(HashMap<ExprId, Table>);

impl Tables {
    fn of(&mut self, formulas: &Formulas, root: ExprId) -> &Table {
        self.0.entry(root).or_insert_with(|| {
            let total: u32 = formulas.variables.iter().map(|(_, sort)| bits(*sort)).sum();
            (0..1u128 << total).map(|all| is_true(formulas, root, all)).collect()
        })
    }

    /// Can all of them be true?
    fn satisfiable(&mut self, formulas: &Formulas, roots: &[ExprId]) -> bool {
        let total: u32 = formulas.variables.iter().map(|(_, sort)| bits(*sort)).sum();
        let mut all = vec![true; 1 << total];
        for &root in roots {
            all.iter_mut().zip(self.of(formulas, root)).for_each(|(all, one)| *all &= one);
        }
        all.contains(&true)
    }
}

fn is_true(formulas: &Formulas, root: ExprId, all: u128) -> bool {
    let mut env = |var| -> Result<Value, Infallible> {
        let mut low = 0;
        for &(other, sort) in &formulas.variables {
            if other == var {
                return Ok(unpack(sort, all >> low));
            }
            low += bits(sort);
        }
        Ok(Value::Bits(0))
    };
    match eval::eval(&formulas.pool, root, &mut env) {
        Ok(value) => value.bits() == 1,
    }
}

#[derive(Default, Debug)]
struct Count {
    satisfiable: u32,
    unsatisfiable: u32,
    unknown: u32,
}

/// What a session remembers, to compare with.
struct Session<'a> {
    formulas: Formulas<'a>,
    solver: NativeSolver,
    levels: Vec<Vec<ExprId>>,
    tables: Tables,
    /// Formulas of before, which come again.
    old: Vec<ExprId>,
}

impl Session<'_> {
    fn raw(&mut self, expr: Expr) -> ExprId {
        self.formulas.pool.intern_raw(expr, Sort::Bool)
    }

    /// A formula: a new one, an old one, the complement of one, a variable, a constant, or something that says what a variable is.
    fn formula(&mut self) -> ExprId {
        let choice = self.formulas.random.below(12);
        let formula = match choice {
            0..=3 if !self.old.is_empty() => self.formulas.random.pick(&self.old),
            4 | 5 if !self.old.is_empty() => {
                let formula = self.formulas.random.pick(&self.old);
                self.raw(Expr::Unary(UnOp::Not, formula))
            }
            6 if !self.old.is_empty() => {
                let (a, b) = (self.formulas.random.pick(&self.old), self.formulas.random.pick(&self.old));
                let op = self.formulas.random.pick(&[BinOp::And, BinOp::Or, BinOp::Eq, BinOp::Xor]);
                self.raw(Expr::Binary(op, a, b))
            }
            7 => {
                let value = self.formulas.random.one_in(2);
                self.formulas.pool.bool(value)
            }
            8..=10 => self.definition(),
            _ => self.formulas.formula(),
        };
        self.old.push(formula);
        formula
    }

    /// A variable is something of its sort; a Bool variable may stand alone.
    fn definition(&mut self) -> ExprId {
        let variables = self.formulas.variables.clone();
        let (var, sort) = self.formulas.random.pick(&variables);
        let var = self.formulas.pool.var(var, sort);
        if sort == Sort::Bool && self.formulas.random.one_in(2) {
            return var;
        }
        let fitting: Vec<ExprId> =
            self.formulas.pool.nodes().filter(|(_, _, other)| *other == sort).map(|(id, ..)| id).collect();
        let other = self.formulas.random.pick(&fitting);
        let (a, b) = if self.formulas.random.one_in(2) { (var, other) } else { (other, var) };
        self.raw(Expr::Binary(BinOp::Eq, a, b))
    }

    fn step(&mut self, count: &mut Count, about: &str) {
        match self.formulas.random.below(16) {
            0 | 1 => {
                self.solver.push().unwrap();
                self.levels.push(Vec::new());
            }
            2..=4 => {
                self.solver.pop().unwrap();
                if self.levels.len() > 1 {
                    self.levels.pop();
                }
            }
            5..=8 => {
                let formula = self.formula();
                let asserted: Vec<ExprId> = self.levels.iter().flatten().copied().collect();
                // Once the assertions outside of all levels contradict each other, nothing is tested any more.
                let base: Vec<ExprId> = asserted.iter().copied().chain([formula]).collect();
                if !self.tables.satisfiable(&self.formulas, &base)
                    && (self.levels.len() == 1 || !self.formulas.random.one_in(4))
                {
                    return;
                }
                let stop = self.formulas.random.one_in(8);
                if stop {
                    self.solver.interrupt().stop();
                }
                self.solver.assert(&self.formulas.pool, formula).unwrap();
                self.solver.interrupt().clear();
                self.levels.last_mut().unwrap().push(formula);
            }
            _ => self.check(count, about),
        }
    }

    fn check(&mut self, count: &mut Count, about: &str) {
        let assumptions: Vec<ExprId> = (0..self.formulas.random.below(5)).map(|_| self.formula()).collect();
        let limited = self.formulas.random.one_in(4);
        if limited {
            match self.formulas.random.below(4) {
                0 => self.solver.interrupt().stop(),
                1 => self.solver.set_effort(Effort { conflicts: None, time: Some(Duration::ZERO) }),
                _ => {
                    let conflicts = self.formulas.random.below(3) as u32;
                    self.solver.set_effort(Effort { conflicts: Some(conflicts), time: None });
                }
            }
        }
        let answer = self.solver.check(&self.formulas.pool, &assumptions).unwrap();
        self.solver.interrupt().clear();
        self.solver.set_effort(Effort::default());
        let asserted: Vec<ExprId> = self.levels.iter().flatten().copied().collect();
        let all: Vec<ExprId> = asserted.iter().chain(&assumptions).copied().collect();
        match answer {
            Answer::Sat => {
                count.satisfiable += 1;
                let mut low = 0;
                let mut valuation = 0;
                for (var, sort) in self.formulas.variables.clone() {
                    let id = self.formulas.pool.var(var, sort);
                    valuation |= pack(sort, &self.solver.value(&self.formulas.pool, id).unwrap()) << low;
                    low += bits(sort);
                }
                for &formula in &all {
                    assert!(is_true(&self.formulas, formula, valuation), "{about}: the model is wrong");
                    let value = self.solver.value(&self.formulas.pool, formula).unwrap();
                    assert_eq!(value, Value::Bits(1), "{about}: the value is wrong");
                }
                assert_eq!(self.solver.failed(), Ok(Vec::new()), "{about}");
            }
            Answer::Unsat => {
                count.unsatisfiable += 1;
                let failed = self.solver.failed().unwrap();
                let mut rest = assumptions.iter();
                assert!(failed.iter().all(|lit| rest.any(|other| other == lit)), "{about}: failed() is out of order");
                let core: Vec<ExprId> = asserted.iter().chain(&failed).copied().collect();
                assert!(!self.tables.satisfiable(&self.formulas, &all), "{about}: there is a model");
                assert!(!self.tables.satisfiable(&self.formulas, &core), "{about}: failed() is no core");
            }
            Answer::Unknown(_) => {
                count.unknown += 1;
                assert!(limited, "{about}: nobody limited this check");
            }
        }
    }
}

fn sessions(name: &str, share: u64, shape: Shape, arrays: usize) {
    let cases = (from_environment("RADDLE_CASES", 40) * share / 100).max(1);
    let first = from_environment("RADDLE_SEED", 1) << 32;
    let mut count = Count::default();
    for seed in first..first + cases {
        let mut random = Random(seed);
        let mut formulas = Formulas::new(&mut random, shape);
        for _ in 0..arrays {
            formulas.variable(Sort::Array { index: 1, element: 1 });
        }
        let mut session = Session {
            formulas,
            solver: NativeSolver::new(),
            levels: vec![Vec::new()],
            tables: Tables::default(),
            old: Vec::new(),
        };
        for step in 0..120 {
            session.step(&mut count, &format!("{name}, seed {seed}, step {step}"));
        }
    }
    println!("{name}: {cases} sessions, {count:?}");
    assert!(count.satisfiable > count.unsatisfiable / 10 && count.unsatisfiable > count.satisfiable / 10, "{count:?}");
}

const SMALL: Shape =
    Shape { variable_bits: 9, widths: &[1, 2, 3, 4], floats: &[], array: None, operations: 3, easy: false };

#[test]
fn words() {
    sessions("words", 100, SMALL, 0);
}

/// Few places and narrow elements; in the first shape more array variables, so that equalities can name each other.
#[test]
fn arrays() {
    let shape = Shape { variable_bits: 1, array: Some((1, 1)), widths: &[1], operations: 4, ..SMALL };
    sessions("arrays", 50, shape, 2);
    let shape = Shape { variable_bits: 0, array: Some((1, 2)), widths: &[1, 2], operations: 4, ..SMALL };
    sessions("arrays of two bits", 50, shape, 0);
    let shape = Shape { variable_bits: 0, array: Some((2, 1)), widths: &[1, 2], operations: 4, ..SMALL };
    sessions("arrays of four places", 30, shape, 0);
}
