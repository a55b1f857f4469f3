//! Small programs for what once went wrong in the native solver.

use raddle_ir::{BinOp, ExprId, ExprPool, Sort, Value, VarId};
use raddle_smt::{Answer, Effort, NativeSolver, Propagator, SatLit, Solver, Why};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

fn int(pool: &mut ExprPool, number: u32) -> ExprId {
    pool.var(VarId(number), Sort::Bits(32))
}
fn equals(pool: &mut ExprPool, a: ExprId, value: u128) -> ExprId {
    let value = pool.bits(32, value);
    pool.eq(a, value)
}

#[test]
fn clauses_survive_rebuilding() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let (a, b) = (pool.var(VarId(0), Sort::Bool), pool.var(VarId(1), Sort::Bool));
    let (la, lb) = (solver.literal(&pool, a).unwrap(), solver.literal(&pool, b).unwrap());
    solver.add_clause(&[!la, !lb]);
    assert_eq!(solver.check(&pool, &[a, b]), Ok(Answer::Unsat));
    for i in 0..40 {
        let (x, y) = (int(&mut pool, 10 + 2 * i), int(&mut pool, 11 + 2 * i));
        let product = pool.binary(BinOp::BvMul, x, y);
        let one = equals(&mut pool, product, 1);
        assert_eq!(solver.check(&pool, &[one]), Ok(Answer::Sat));
    }
    assert_eq!(solver.check(&pool, &[a, b]), Ok(Answer::Unsat));
}

struct Never(SatLit, bool);
impl Propagator for Never {
    fn assigned(&mut self, _: &[SatLit]) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
    fn check_model(&mut self, model: &[SatLit]) -> bool {
        self.1 = model.contains(&self.0);
        !self.1
    }
    fn clause(&mut self, clause: &mut Vec<SatLit>) -> bool {
        if std::mem::take(&mut self.1) {
            clause.push(!self.0);
        }
        !clause.is_empty()
    }
}

#[test]
fn interrupt_does_not_lose_the_propagator() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let a = pool.var(VarId(5000), Sort::Bool);
    let lit = solver.literal(&pool, a).unwrap();
    solver.connect(Rc::new(RefCell::new(Never(lit, false))));
    solver.observe(lit);
    let mut sum = int(&mut pool, 0);
    for i in 1..2000 {
        let x = int(&mut pool, i);
        sum = pool.binary(BinOp::BvXor, sum, x);
    }
    let zero = equals(&mut pool, sum, 0);
    solver.interrupt().stop();
    solver.assert(&pool, zero).unwrap();
    solver.interrupt().clear();
    assert_eq!(solver.check(&pool, &[a]), Ok(Answer::Unsat));
}

/// What a propagator said holds for good.
#[test]
fn clauses_of_a_propagator_stay() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let a = pool.var(VarId(5000), Sort::Bool);
    let lit = solver.literal(&pool, a).unwrap();
    solver.connect(Rc::new(RefCell::new(Never(lit, false))));
    solver.observe(lit);
    assert_eq!(solver.check(&pool, &[a]), Ok(Answer::Unsat));
    solver.disconnect();
    assert_eq!(solver.check(&pool, &[a]), Ok(Answer::Unsat));
}

#[test]
fn long_chain_of_named_arrays() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let sort = Sort::Array { index: 32, element: 8 };
    let mut a = pool.var(VarId(0), sort);
    for k in 1..20_000u32 {
        let (i, v) = (pool.bits(32, k as u128 % 100), pool.bits(8, 1));
        let s = pool.store(a, i, v);
        a = pool.var(VarId(k), sort);
        let e = pool.eq(a, s);
        solver.assert(&pool, e).unwrap();
    }
    let i = pool.var(VarId(100_000), Sort::Bits(32));
    let r = pool.select(a, i);
    let z = pool.bits(8, 7);
    let e = pool.eq(r, z);
    assert_eq!(solver.check(&pool, &[e]), Ok(Answer::Sat));
    assert_eq!(solver.value(&pool, e), Ok(Value::Bits(1)));
}

#[test]
fn named_arrays_that_read_each_other() {
    for n in [4, 60] {
        let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
        let sort = Sort::Array { index: 32, element: 8 };
        let mut a = pool.var(VarId(0), sort);
        let one = pool.bits(8, 1);
        let i = pool.var(VarId(1), Sort::Bits(32));
        for k in 0..n {
            let old = pool.select(a, i);
            let new = pool.binary(BinOp::BvAdd, old, one);
            let s = pool.store(a, i, new);
            a = pool.var(VarId(4000 + k), sort);
            let e = pool.eq(a, s);
            solver.assert(&pool, e).unwrap();
        }
        let r = pool.select(a, i);
        let z = pool.bits(8, 7);
        let e = pool.eq(r, z);
        assert_eq!(solver.check(&pool, &[e]), Ok(Answer::Sat));
        assert_eq!(solver.value(&pool, e), Ok(Value::Bits(1)));
    }
}

#[test]
fn memory_of_levels() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let (x, y) = (int(&mut pool, 0), int(&mut pool, 1));
    let less = pool.binary(BinOp::ULt, x, y);
    solver.assert(&pool, less).unwrap();
    for i in 0..8_000u32 {
        let c = pool.bits(32, u128::from(i.wrapping_mul(2_654_435_761)));
        let sum = pool.binary(BinOp::BvAdd, x, c);
        let formula = if i % 2 == 0 { pool.binary(BinOp::SLt, sum, y) } else { pool.eq(sum, y) };
        solver.push().unwrap();
        solver.assert(&pool, formula).unwrap();
        assert_eq!(solver.check(&pool, &[]), Ok(Answer::Sat));
        solver.pop().unwrap();
    }
    assert!(solver.statistics().gates < 300_000);
}

#[test]
fn no_stale_values() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let (x, y) = (int(&mut pool, 0), int(&mut pool, 1));
    let (one, two) = (equals(&mut pool, x, 1), equals(&mut pool, x, 2));
    assert_eq!(solver.check(&pool, &[one, two]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&pool, &[one]), Ok(Answer::Sat));
    assert_eq!(solver.check(&pool, &[one, two]), Ok(Answer::Unsat), "by a core of the past");
    assert_eq!(solver.value(&pool, x), Ok(Value::Bits(0)));
    assert_eq!(solver.check(&pool, &[one]), Ok(Answer::Sat));
    solver.push().unwrap();
    assert_eq!(solver.value(&pool, x), Ok(Value::Bits(0)));
    solver.pop().unwrap();
    assert_eq!(solver.check(&pool, &[two]), Ok(Answer::Sat));
    let e = equals(&mut pool, y, 7);
    solver.assert(&pool, e).unwrap();
    assert_eq!(solver.value(&pool, x), Ok(Value::Bits(0)));
}

#[test]
fn literal_values_of_remembered_models() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let a = pool.var(VarId(0), Sort::Bool);
    let not = pool.not(a);
    let lit = solver.literal(&pool, a).unwrap();
    for (assumption, expected) in [(a, true), (not, false), (a, true)] {
        assert_eq!(solver.check(&pool, &[assumption]), Ok(Answer::Sat));
        assert_eq!(solver.literal_value(lit), expected);
    }
}

/// Assumptions that repeat.
#[test]
fn many_assumptions() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let all: Vec<ExprId> = (0..100_000).map(|i| pool.var(VarId(i), Sort::Bool)).collect();
    assert_eq!(solver.check(&pool, &all), Ok(Answer::Sat));
}

/// Time budget in blasting.
#[test]
fn time_budget_in_blasting() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let mut x = pool.var(VarId(0), Sort::Bits(128));
    for i in 1..40 {
        let y = pool.var(VarId(i), Sort::Bits(128));
        x = pool.binary(BinOp::BvUDiv, x, y);
    }
    let one = pool.bits(128, 1);
    let e = pool.eq(x, one);
    solver.set_effort(Effort { conflicts: None, time: Some(Duration::from_millis(100)) });
    assert_eq!(solver.check(&pool, &[e]), Ok(Answer::Unknown(Why::Time)));
}
