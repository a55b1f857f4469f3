//! How fast the native solver is, beside Z3 as a process when it is installed: `cargo bench -p raddle-smt`. Words after `--` choose
//! among the formulas by name and depth; with `native` among them, Z3 is left out.
//!
//! (a) has the shape of predicate abstraction: one context, and many small checks under assumptions over it.
//! (b) has the shape of bounded model checking: a loop unrolled to some depth, and one question at the end of each.
//! And how late a check stops after an interrupt.

use raddle_ir::{BinOp, ExprId, ExprPool, Sort, VarId};
use raddle_smt::smtlib::{Patience, SmtLibSolver, find_solvers};
use raddle_smt::{Answer, Effort, NativeSolver, Solver};
use std::time::{Duration, Instant};

/// Expressions by short names.
#[derive(Default)]
struct Terms {
    pool: ExprPool,
    next: u32,
}

impl Terms {
    fn var(&mut self, sort: Sort) -> ExprId {
        self.next += 1;
        self.pool.var(VarId(self.next - 1), sort)
    }

    fn int(&mut self) -> ExprId {
        self.var(Sort::Bits(32))
    }

    fn num(&mut self, value: u32) -> ExprId {
        self.pool.bits(32, value.into())
    }

    fn op(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.pool.binary(op, a, b)
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// What a solver did: seconds, checks, how many were satisfiable.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Run {
    seconds: f64,
    checks: u32,
    satisfiable: u32,
    unknown: u32,
}

impl Run {
    fn count(&mut self, answer: Answer) {
        self.checks += 1;
        match answer {
            Answer::Sat => self.satisfiable += 1,
            Answer::Unsat => {}
            Answer::Unknown(_) => self.unknown += 1,
        }
    }
}

/// A step of a program with a dozen predicates before and after it: which of those after it follow from some of those before?
fn predicate_abstraction(solver: &mut dyn Solver, checks: u32) -> Run {
    let mut t = Terms::default();
    let mut random = Random(7);
    let before: Vec<ExprId> = (0..5).map(|_| t.int()).collect();
    let after: Vec<ExprId> = (0..5).map(|_| t.int()).collect();
    let [x, y, z, i, n] = before[..] else { return Run::default() };
    // i < n; i := i + 1; x := x + 2*y; if (z & 1) y := y - 1; z := z ^ x
    let (one, two) = (t.num(1), t.num(2));
    let guard = t.op(BinOp::SLt, i, n);
    let next_i = t.op(BinOp::BvAdd, i, one);
    let double = t.op(BinOp::BvMul, y, two);
    let next_x = t.op(BinOp::BvAdd, x, double);
    let low = t.op(BinOp::BvAnd, z, one);
    let odd = t.op(BinOp::Eq, low, one);
    let less = t.op(BinOp::BvSub, y, one);
    let next_y = t.pool.ite(odd, less, y);
    let next_z = t.op(BinOp::BvXor, z, next_x);
    let mut formulas = vec![guard];
    for (var, value) in after.iter().zip([next_x, next_y, next_z, next_i, n]) {
        formulas.push(t.op(BinOp::Eq, *var, value));
    }
    let predicates = |t: &mut Terms, vars: &[ExprId]| {
        let mut predicates = Vec::new();
        for (a, &var) in vars.iter().enumerate() {
            for c in [0, 1, 100] {
                let c = t.num(c);
                predicates.push(t.op(BinOp::SLt, var, c));
                predicates.push(t.op(BinOp::Eq, var, c));
            }
            for &other in &vars[a + 1..] {
                predicates.push(t.op(BinOp::SLt, var, other));
                predicates.push(t.op(BinOp::Eq, var, other));
            }
        }
        predicates
    };
    let (pre, post) = (predicates(&mut t, &before), predicates(&mut t, &after));
    let mut run = Run::default();
    let start = Instant::now();
    for formula in formulas {
        solver.assert(&t.pool, formula).unwrap();
    }
    while run.checks < checks {
        // A state: some of the predicates, true or false; then what follows from it.
        let state: Vec<ExprId> = (0..4)
            .map(|_| {
                let predicate = pre[random.below(pre.len())];
                if random.below(2) == 0 { predicate } else { t.pool.not(predicate) }
            })
            .collect();
        run.count(solver.check(&t.pool, &state).unwrap());
        for _ in 0..10 {
            let predicate = post[random.below(post.len())];
            for conclusion in [predicate, t.pool.not(predicate)] {
                let mut assumptions = state.clone();
                assumptions.push(conclusion);
                run.count(solver.check(&t.pool, &assumptions).unwrap());
            }
        }
    }
    run.seconds = start.elapsed().as_secs_f64();
    run
}

type Program = fn(&mut Terms, depth: u32) -> (Vec<ExprId>, ExprId);

/// s := 0; for (i = 0; i < depth; i++) { s := s + a_i; assume(a_i < 100) }; is s ≥ 100 * depth?
fn sums(t: &mut Terms, depth: u32) -> (Vec<ExprId>, ExprId) {
    let (mut formulas, mut s) = (Vec::new(), t.num(0));
    let hundred = t.num(100);
    for _ in 0..depth {
        let input = t.int();
        formulas.push(t.op(BinOp::ULt, input, hundred));
        let sum = t.op(BinOp::BvAdd, s, input);
        s = t.int();
        formulas.push(t.op(BinOp::Eq, s, sum));
    }
    let limit = t.num(100 * depth);
    let bad = t.op(BinOp::ULe, limit, s);
    (formulas, bad)
}

/// Branches on inputs, with two counters whose sum is the depth: can it be another?
fn branches(t: &mut Terms, depth: u32) -> (Vec<ExprId>, ExprId) {
    let (zero, one) = (t.num(0), t.num(1));
    let (mut a, mut b) = (zero, zero);
    let mut formulas = Vec::new();
    for _ in 0..depth {
        let choice = t.var(Sort::Bool);
        let (more_a, more_b) = (t.op(BinOp::BvAdd, a, one), t.op(BinOp::BvAdd, b, one));
        let (next_a, next_b) = (t.pool.ite(choice, more_a, a), t.pool.ite(choice, b, more_b));
        (a, b) = (t.int(), t.int());
        formulas.push(t.op(BinOp::Eq, a, next_a));
        formulas.push(t.op(BinOp::Eq, b, next_b));
    }
    let (sum, expected) = (t.op(BinOp::BvAdd, a, b), t.num(depth));
    let bad = t.pool.ne(sum, expected);
    (formulas, bad)
}

/// x := 3x + input (inputs of 4 bits), and in the end a certain value is to be reached.
fn products(t: &mut Terms, depth: u32) -> (Vec<ExprId>, ExprId) {
    let (three, mask) = (t.num(3), t.num(15));
    let (mut formulas, mut x) = (Vec::new(), t.num(1));
    for _ in 0..depth {
        let input = t.int();
        formulas.push(t.op(BinOp::ULe, input, mask));
        let product = t.op(BinOp::BvMul, x, three);
        let sum = t.op(BinOp::BvAdd, product, input);
        x = t.int();
        formulas.push(t.op(BinOp::Eq, x, sum));
    }
    let value = t.num(0x1234_5678);
    (formulas, t.pool.eq(x, value))
}

/// The product of two inputs of 10 bits each is kept modulo a prime: x := (x * input) mod 1009.
fn remainders(t: &mut Terms, depth: u32) -> (Vec<ExprId>, ExprId) {
    let depth = depth / 10;
    let (mask, prime) = (t.num(15), t.num(1009));
    let (mut formulas, mut x) = (Vec::new(), t.num(1));
    for _ in 0..depth {
        let input = t.int();
        formulas.push(t.op(BinOp::ULe, input, mask));
        let product = t.op(BinOp::BvMul, x, input);
        let rest = t.op(BinOp::BvURem, product, prime);
        x = t.int();
        formulas.push(t.op(BinOp::Eq, x, rest));
    }
    let bad = t.op(BinOp::ULe, prime, x);
    (formulas, bad)
}

/// An array is filled with inputs that are at most the place's number, then one place is read: is it larger?
fn arrays(t: &mut Terms, depth: u32) -> (Vec<ExprId>, ExprId) {
    let mut formulas = Vec::new();
    let mut array = t.var(Sort::Array { index: 32, element: 32 });
    let one = t.num(1);
    let mut i = t.num(0);
    for _ in 0..depth {
        let input = t.int();
        formulas.push(t.op(BinOp::ULe, input, i));
        let stored = t.pool.store(array, i, input);
        array = t.var(Sort::Array { index: 32, element: 32 });
        formulas.push(t.pool.eq(array, stored));
        let next = t.op(BinOp::BvAdd, i, one);
        i = t.int();
        formulas.push(t.pool.eq(i, next));
    }
    let place = t.int();
    formulas.push(t.op(BinOp::ULt, place, i));
    let read = t.pool.select(array, place);
    let bad = t.op(BinOp::ULt, place, read);
    (formulas, bad)
}

/// Places that inputs choose are swapped; the sum of two places that are never chosen stays.
fn swaps(t: &mut Terms, depth: u32) -> (Vec<ExprId>, ExprId) {
    let depth = depth / 2;
    let mut formulas = Vec::new();
    let mut array = t.var(Sort::Array { index: 8, element: 32 });
    let first = array;
    let (p, q) = (t.var(Sort::Bits(8)), t.var(Sort::Bits(8)));
    for _ in 0..depth {
        let (i, j) = (t.var(Sort::Bits(8)), t.var(Sort::Bits(8)));
        for chosen in [i, j] {
            for kept in [p, q] {
                formulas.push(t.pool.ne(chosen, kept));
            }
        }
        let (x, y) = (t.pool.select(array, i), t.pool.select(array, j));
        let stored = t.pool.store(array, i, y);
        let stored = t.pool.store(stored, j, x);
        array = t.var(Sort::Array { index: 8, element: 32 });
        formulas.push(t.pool.eq(array, stored));
    }
    let mut sums = [first, array].map(|array| {
        let (x, y) = (t.pool.select(array, p), t.pool.select(array, q));
        t.pool.binary(BinOp::BvAdd, x, y)
    });
    sums.sort();
    (formulas, t.pool.ne(sums[0], sums[1]))
}

/// Has the product of two primes (larger ones for larger depths) other factors?
fn factors(t: &mut Terms, depth: u32) -> (Vec<ExprId>, ExprId) {
    let (p, q, bits) = match depth {
        0..=10 => (149, 167, 8),
        11..=25 => (683, 769, 10),
        26..=50 => (1447, 1523, 11),
        51..=100 => (2801, 3067, 12),
        _ => (5659, 6131, 13),
    };
    let (x, y, one, limit, number) = (t.int(), t.int(), t.num(1), t.num(1 << bits), t.num(p * q));
    let mut formulas = Vec::new();
    for factor in [x, y] {
        formulas.push(t.op(BinOp::ULt, one, factor));
        formulas.push(t.op(BinOp::ULt, factor, limit));
    }
    let product = t.op(BinOp::BvMul, x, y);
    formulas.push(t.pool.eq(product, number));
    let (p, q) = (t.num(p), t.num(q));
    let (not_p, not_q) = (t.pool.ne(x, p), t.pool.ne(x, q));
    (formulas, t.pool.and(not_p, not_q))
}

/// Is a * (b + c) another number than a * b + a * c? (With few bits: it is hard.)
fn distributes(t: &mut Terms, depth: u32) -> (Vec<ExprId>, ExprId) {
    let bits = 4 + match depth {
        0..=10 => 0,
        11..=25 => 1,
        26..=50 => 2,
        51..=100 => 3,
        _ => 4,
    };
    let [a, b, c] = [(); 3].map(|()| t.var(Sort::Bits(bits)));
    let sum = t.op(BinOp::BvAdd, b, c);
    let left = t.op(BinOp::BvMul, a, sum);
    let (ab, ac) = (t.op(BinOp::BvMul, a, b), t.op(BinOp::BvMul, a, c));
    let right = t.op(BinOp::BvAdd, ab, ac);
    (Vec::new(), t.pool.ne(left, right))
}

/// Not loops, but where the circuit of multiplication shows.
const PRODUCTS: [(&str, Program); 2] = [("factors", factors), ("distributes", distributes)];

const PROGRAMS: [(&str, Program); 6] = [
    ("sums", sums),
    ("branches", branches),
    ("products", products),
    ("remainders", remainders),
    ("arrays", arrays),
    ("swaps", swaps),
];

const DEPTHS: [u32; 5] = [10, 25, 50, 100, 200];

fn unrolled(solver: &mut dyn Solver, program: Program, depth: u32) -> Run {
    let mut t = Terms::default();
    let (formulas, bad) = program(&mut t, depth);
    let mut run = Run::default();
    let start = Instant::now();
    for formula in formulas {
        solver.assert(&t.pool, formula).unwrap();
    }
    solver.set_effort(Effort { time: Some(Duration::from_secs(20)), ..Effort::default() });
    run.count(solver.check(&t.pool, &[bad]).unwrap());
    run.seconds = start.elapsed().as_secs_f64();
    run
}

fn compare(name: &str, native: Run, z3: Option<Run>) {
    print!("{name:>16} {:>9.3}", native.seconds);
    if let Some(z3) = z3 {
        let agree = (native.satisfiable, native.checks) == (z3.satisfiable, z3.checks);
        let remark = match () {
            () if native.unknown + z3.unknown > 0 => format!("({} / {} unknown)", native.unknown, z3.unknown),
            () if !agree => "THEY DISAGREE".into(),
            () => String::new(),
        };
        print!(" {:>9.3} {:>8.2} {remark}", z3.seconds, z3.seconds / native.seconds);
    }
    println!("  {} of {} satisfiable", native.satisfiable, native.checks);
}

type Formula = fn(&mut Terms) -> ExprId;

/// How late a check stops after an interrupt from another thread, at worst: while blasting, while searching, and with floats.
fn interrupts() {
    let formulas: [(&str, Formula); 3] = [
        ("products", |t| {
            let [x, y] = [(); 2].map(|()| t.var(Sort::Bits(96)));
            let product = t.op(BinOp::BvMul, x, y);
            let number = t.pool.bits(96, 1_000_000_007 * 998_244_353);
            let limit = t.pool.bits(96, 1 << 40);
            let (small, equal) = (t.op(BinOp::ULt, x, limit), t.pool.eq(product, number));
            let other = t.op(BinOp::ULt, y, limit);
            let both = t.pool.and(small, other);
            t.pool.and(both, equal)
        }),
        ("blasting", |t| {
            let mut x = t.var(Sort::Bits(128));
            for _ in 0..60 {
                let y = t.var(Sort::Bits(128));
                x = t.op(BinOp::BvUDiv, x, y);
            }
            let number = t.pool.bits(128, 12345);
            t.pool.eq(x, number)
        }),
        ("floats", |t| {
            let [x, y, z] = [(); 3].map(|()| t.var(Sort::F64));
            let (product, quotient) = (t.op(BinOp::FMul, x, y), t.op(BinOp::FDiv, z, y));
            let (less, equal) = (t.op(BinOp::FLt, x, quotient), t.op(BinOp::FEq, product, z));
            let (root, again) = (t.op(BinOp::FMul, product, quotient), t.op(BinOp::FMul, z, x));
            let equal = t.pool.and(less, equal);
            let lower = t.op(BinOp::FLt, again, root);
            t.pool.and(equal, lower)
        }),
    ];
    for (name, formula) in formulas {
        let mut worst = Duration::ZERO;
        let mut stopped = 0;
        for i in 0..40 {
            let mut t = Terms::default();
            let formula = formula(&mut t);
            let mut solver = NativeSolver::new();
            let interrupt = solver.interrupt();
            let other = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(1 + i * i / 4));
                interrupt.stop();
                Instant::now()
            });
            let answer = solver.check(&t.pool, &[formula]).unwrap();
            let end = Instant::now();
            let late = end.saturating_duration_since(other.join().unwrap());
            if matches!(answer, Answer::Unknown(_)) {
                stopped += 1;
                worst = worst.max(late);
            }
        }
        println!(
            "interrupt, {name}: {stopped} of 40 checks stopped, {:.1} ms later at worst",
            worst.as_secs_f64() * 1e3
        );
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let alone = words.iter().any(|word| word == "native");
    let depths: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let depths = if depths.is_empty() { DEPTHS.to_vec() } else { depths };
    let names: Vec<&String> = words.iter().filter(|word| *word != "native" && word.parse::<u32>().is_err()).collect();
    let wanted = |name: &str| names.is_empty() || names.iter().any(|word| *word == name);
    let z3 = find_solvers(&[]).into_iter().find(|solver| !alone && solver.dialect.name == "z3");
    let process = || z3.clone().map(|z3| SmtLibSolver::new(z3, Patience::default()));
    if z3.is_none() {
        println!("z3 is not installed: the native solver runs alone (pip install z3-solver)");
    }
    println!("{:>16} {:>9} {:>9} {:>8}", "", "native s", "z3 s", "z3/nat");
    if wanted("checks") {
        let native = predicate_abstraction(&mut NativeSolver::new(), 10_000);
        compare("10,000 checks", native, process().map(|mut z3| predicate_abstraction(&mut z3, 10_000)));
    }
    if wanted("interrupts") {
        interrupts();
    }
    for (group, programs) in [("unrolled loops", &PROGRAMS[..]), ("products", &PRODUCTS[..])] {
        let mut totals = (0.0, 0.0);
        for &(name, program) in programs.iter().filter(|(name, _)| wanted(name)) {
            for &depth in &depths {
                let native = unrolled(&mut NativeSolver::new(), program, depth);
                let z3 = process().map(|mut z3| unrolled(&mut z3, program, depth));
                totals = (totals.0 + native.seconds, totals.1 + z3.map_or(0.0, |run| run.seconds));
                compare(&format!("{name} {depth}"), native, z3);
            }
        }
        println!("{group} in total: native {:.2} s, z3 {:.2} s", totals.0, totals.1);
    }
}
