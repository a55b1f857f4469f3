//! The native solver by examples: levels, failed assumptions, models, budgets, interrupts, memory.

use raddle_ir::{BinOp, ExprId, ExprPool, Sort, Value, VarId};
use raddle_smt::{Answer, Effort, NativeSolver, Solver, Why};
use std::time::{Duration, Instant};

fn int(pool: &mut ExprPool, number: u32) -> ExprId {
    pool.var(VarId(number), Sort::Bits(32))
}

fn equals(pool: &mut ExprPool, a: ExprId, value: u128) -> ExprId {
    let value = pool.bits(32, value);
    pool.eq(a, value)
}

#[test]
fn levels_come_and_go() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let x = int(&mut pool, 0);
    let (one, two) = (equals(&mut pool, x, 1), equals(&mut pool, x, 2));
    solver.push().unwrap();
    solver.assert(&pool, one).unwrap();
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Sat));
    assert_eq!(solver.value(&pool, x), Ok(Value::Bits(1)));
    assert_eq!(solver.check(&pool, &[two]), Ok(Answer::Unsat));
    assert_eq!(solver.failed(), Ok(vec![two]));
    solver.pop().unwrap();
    assert_eq!(solver.check(&pool, &[two]), Ok(Answer::Sat));
    assert_eq!(solver.value(&pool, x), Ok(Value::Bits(2)));
    solver.push().unwrap();
    solver.assert(&pool, two).unwrap();
    assert_eq!(solver.check(&pool, &[one]), Ok(Answer::Unsat));
    solver.pop().unwrap();
    assert_eq!(solver.check(&pool, &[one]), Ok(Answer::Sat));
}

#[test]
fn only_the_assumptions_that_matter_fail() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let (x, y) = (int(&mut pool, 0), int(&mut pool, 1));
    let (a, b, c) = (equals(&mut pool, x, 1), equals(&mut pool, y, 5), equals(&mut pool, x, 2));
    assert_eq!(solver.check(&pool, &[a, b, c]), Ok(Answer::Unsat));
    assert_eq!(solver.failed(), Ok(vec![a, c]));
}

#[test]
fn a_definition_costs_nothing_until_it_is_needed() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let (x, y, product) = (int(&mut pool, 0), int(&mut pool, 1), int(&mut pool, 2));
    let value = pool.binary(BinOp::BvMul, x, y);
    let definition = pool.eq(product, value);
    solver.assert(&pool, definition).unwrap();
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Sat));
    assert_eq!(solver.statistics().clauses, 0);
    let (six, three) = (equals(&mut pool, product, 6), equals(&mut pool, x, 3));
    assert_eq!(solver.check(&pool, &[six, three]), Ok(Answer::Sat));
    assert_eq!(solver.value(&pool, definition), Ok(Value::Bits(1)));
    assert!(solver.statistics().clauses > 0);
}

/// A product of two large primes: hard for any solver.
fn hard(pool: &mut ExprPool) -> Vec<ExprId> {
    let (x, y) = (pool.var(VarId(0), Sort::Bits(96)), pool.var(VarId(1), Sort::Bits(96)));
    let product = pool.binary(BinOp::BvMul, x, y);
    let (prime, limit, one) = (pool.bits(96, 1_000_000_007 * 998_244_353), pool.bits(96, 1 << 40), pool.bits(96, 1));
    let mut formulas = vec![pool.eq(product, prime)];
    for factor in [x, y] {
        formulas.push(pool.binary(BinOp::ULt, factor, limit));
        formulas.push(pool.binary(BinOp::ULt, one, factor));
    }
    formulas.push(pool.binary(BinOp::ULt, x, y));
    formulas
}

#[test]
fn budgets() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let formulas = hard(&mut pool);
    solver.set_effort(Effort { conflicts: Some(100), time: None });
    assert_eq!(solver.check(&pool, &formulas), Ok(Answer::Unknown(Why::Conflicts)));
    assert!(solver.statistics().conflicts >= 100);
    solver.set_effort(Effort { conflicts: None, time: Some(Duration::from_millis(50)) });
    assert_eq!(solver.check(&pool, &formulas), Ok(Answer::Unknown(Why::Time)));
}

/// A running check stops soon after the interrupt: how long it takes is printed, and half a second is always too long. (The benchmark
/// `interrupt` measures it.)
#[test]
fn interrupts() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let formulas = hard(&mut pool);
    for after in [1, 20, 100, 300] {
        let interrupt = solver.interrupt();
        interrupt.clear();
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(after));
            interrupt.stop();
            Instant::now()
        });
        assert_eq!(solver.check(&pool, &formulas), Ok(Answer::Unknown(Why::Interrupted)));
        let late = other.join().unwrap().elapsed();
        println!("interrupted after {after} ms: stopped {late:?} later");
        assert!(late < Duration::from_millis(500));
    }
    solver.interrupt().clear();
    let easy = pool.bool(true);
    assert_eq!(solver.check(&pool, &[easy]), Ok(Answer::Sat));
}

/// An interrupt while an assertion is blasted loses nothing.
#[test]
fn interrupted_assertions_are_not_lost() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let mut sum = int(&mut pool, 0);
    for i in 1..2000 {
        let x = int(&mut pool, i);
        sum = pool.binary(BinOp::BvXor, sum, x);
    }
    let (zero, one) = (equals(&mut pool, sum, 0), equals(&mut pool, sum, 1));
    solver.push().unwrap();
    solver.interrupt().stop();
    solver.assert(&pool, zero).unwrap();
    solver.assert(&pool, one).unwrap();
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Unknown(Why::Interrupted)));
    solver.interrupt().clear();
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Unsat));
}

fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

/// Ever new formulas in one context do not pile up.
#[test]
fn memory_is_bounded() {
    let checks = std::env::var("RADDLE_CHECKS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(if cfg!(debug_assertions) { 20_000 } else { 100_000 });
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let (x, y) = (int(&mut pool, 0), int(&mut pool, 1));
    let less = pool.binary(BinOp::ULt, x, y);
    solver.assert(&pool, less).unwrap();
    let (mut gates, mut memory) = (0, 0);
    for i in 0..checks {
        let c = pool.bits(32, u128::from(i as u32).wrapping_mul(2_654_435_761));
        let sum = pool.binary(BinOp::BvAdd, x, c);
        let formula = if i % 2 == 0 { pool.binary(BinOp::SLt, sum, y) } else { pool.eq(sum, y) };
        let answer = solver.check(&pool, &[formula]).unwrap();
        assert_eq!(answer, Answer::Sat, "check {i}");
        gates = gates.max(solver.statistics().gates);
        if i == checks / 2 {
            memory = resident();
        }
    }
    let more = resident().saturating_sub(memory);
    println!("{checks} checks: at most {gates} gates, {} MB more in the second half", more >> 20);
    assert!(gates < 2_000_000);
    assert!(more < 100 << 20, "{more} bytes more in the second half");
}

/// A proof about all elements needs all of them at once: with a lemma for each store, it would learn them one by one.
#[test]
fn all_elements_of_a_large_table() {
    let (mut pool, mut solver) = (ExprPool::new(), NativeSolver::new());
    let zero = pool.bits(8, 0);
    let mut table = pool.const_array(32, zero);
    for i in 0..5000 {
        let (place, value) = (pool.bits(32, 0x1_0010 + i), pool.bits(8, i * i % 97));
        table = pool.store(table, place, value);
    }
    let (x, y) = (int(&mut pool, 0), int(&mut pool, 1));
    let new = pool.bits(8, 100);
    let written = pool.store(table, y, new);
    let read = pool.select(written, x);
    let limit = pool.bits(8, 97);
    let small = pool.binary(BinOp::ULt, read, limit);
    let (large, elsewhere) = (pool.not(small), pool.ne(x, y));
    assert_eq!(solver.check(&pool, &[large, elsewhere]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&pool, &[large]), Ok(Answer::Sat));
    assert_eq!(solver.value(&pool, read), Ok(Value::Bits(100)));
    let four = pool.bits(8, 4);
    let (is_four, is_third) = (pool.eq(read, four), equals(&mut pool, x, 0x1_0010 + 2));
    assert_eq!(solver.check(&pool, &[is_four, is_third]), Ok(Answer::Sat));
    assert_eq!(solver.check(&pool, &[large, is_third, elsewhere]), Ok(Answer::Unsat));
}
