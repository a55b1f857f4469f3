//! Single runs: output, status, and how they end.

use raddle_interp::*;
use raddle_ir::*;
use raddle_testing::statements::*;

fn run(program: &Program, seed: u64) -> (SimulateResult, String) {
    let mut out = Vec::new();
    let config = SimulateConfig { seed, steps: Some(1_000_000), ..SimulateConfig::default() };
    let result = simulate(program, &config, &mut out, &|| None);
    (result, String::from_utf8_lossy(&out).into_owned())
}

fn string(b: &mut Builder, text: &str) -> ExprId {
    let init = ObjectInit::Bytes { bytes: text.as_bytes().to_vec(), pointers: vec![] };
    let size = text.len() as u64 + 1;
    let address = b.add_object(text, size, ObjectKind::Data { init, writable: false });
    b.pointer(address)
}

#[test]
fn prints_and_exits() {
    let mut b = Builder::new();
    let format = string(&mut b, "%d %s %.2f|%5u\n");
    let hello = string(&mut b, "hello");
    b.begin("main");
    let (n, r) = (b.local("n"), b.local("r"));
    b.proc().result = Some(r);
    let number = b.program.pool.constant(Const { sort: Sort::F64, bits: 2.5f64.to_bits().into() });
    let args = vec![b.int(-42), hello, number, b.int(7)];
    b.step(vec![Label::Print { format, args, var: Some(n), site: raddle_ir::Origin::default() }]);
    let value = b.get(n);
    b.assign(r, value);
    b.end();
    let (result, out) = run(&b.program, 1);
    assert_eq!(out, "-42 hello 2.50|    7\n");
    assert_eq!(result.end, SimulateEnd::Exited(21));
}

#[test]
fn error_comes_with_a_trace() {
    let mut b = Builder::new();
    let x = b.global("x", 0);
    let thread = b.begin("thread");
    b.increment(x, 1);
    b.end();
    b.begin("main");
    let (h1, h2) = (b.start(thread), b.start(thread));
    b.join(h1);
    b.join(h2);
    let t = b.local("t");
    b.load(t, x);
    let two = b.is(t, 2);
    b.assert(two);
    b.end();
    let ends: Vec<SimulateResult> = (0..200).map(|seed| run(&b.program, seed).0).collect();
    assert!(ends.iter().any(|r| r.end == SimulateEnd::Exited(0)));
    let bad = ends.iter().find(|r| matches!(r.end, SimulateEnd::Error(_))).unwrap();
    let trace = bad.trace.as_ref().unwrap();
    assert_eq!(trace.end, "the error is reached");
    assert_eq!(trace.steps.len() as u64, bad.steps);
    assert!(trace.steps.iter().any(|s| s.text == "t = 1 read from x"), "{trace:?}");
    assert!(trace.steps.iter().any(|s| s.text == "x := 1"));
}

#[test]
fn deadlocks() {
    let mut b = Builder::new();
    b.begin("main");
    b.lock(LockOp::Acquire, 64);
    b.lock(LockOp::Acquire, 64);
    b.end();
    assert_eq!(run(&b.program, 1).0.end, SimulateEnd::Deadlock);
}

#[test]
fn hazards_name_the_place() {
    let mut b = Builder::new();
    b.begin("main");
    let t = b.local("t");
    let null = b.pointer(0);
    b.load_at(t, null);
    b.end();
    let end = run(&b.program, 1).0.end;
    assert!(matches!(end, SimulateEnd::Hazard(HazardKind::InvalidRead, ..)), "{end:?}");
}

/// A consumer that waits in an atomic block gets everything that a producer makes.
#[test]
fn atomic_waiting() {
    let mut b = Builder::new();
    let (full, sum) = (b.global("full", 0), b.global("sum", 0));
    let producer = b.begin("producer");
    let (i, f) = (b.local("i"), b.local("f"));
    let one = b.int(1);
    b.assign(i, one);
    let more = b.less(i, 11);
    b.while_(more, |b| {
        b.atomic(|b| {
            b.load(f, full);
            let empty = b.is(f, 0);
            b.step(vec![Label::Await(empty)]);
            let value = b.get(i);
            b.store(full, value);
        });
        let next = b.plus(i, 1);
        b.assign(i, next);
    });
    b.end();
    b.begin("main");
    b.start(producer);
    let (n, f, s, r) = (b.local("n"), b.local("f"), b.local("s"), b.local("r"));
    b.proc().result = Some(r);
    let zero = b.int(0);
    b.assign(n, zero);
    let more = b.less(n, 10);
    b.while_(more, |b| {
        b.atomic(|b| {
            b.load(s, sum);
            b.load(f, full);
            let total = {
                let (s, f) = (b.get(s), b.get(f));
                b.program.pool.binary(BinOp::BvAdd, s, f)
            };
            b.store(sum, total);
            b.store(full, zero);
            let empty = b.is(f, 0);
            let filled = b.not(empty);
            b.step(vec![Label::Await(filled)]);
        });
        let next = b.plus(n, 1);
        b.assign(n, next);
    });
    b.load(r, sum);
    b.end();
    for seed in 0..50 {
        assert_eq!(run(&b.program, seed).0.end, SimulateEnd::Exited(55));
    }
}

/// Uninitialised values are drawn once; assumptions about inputs are met by drawing again.
#[test]
fn inputs_are_drawn_once() {
    let mut b = Builder::new();
    b.begin("main");
    let (x, y, z) = (b.local("x"), b.local("y"), b.local("z"));
    let copy = b.get(x);
    b.assign(y, copy);
    b.assign(z, copy);
    let same = {
        let (y, z) = (b.get(y), b.get(z));
        b.program.pool.eq(y, z)
    };
    b.assert(same);
    b.havoc(x);
    let small = b.less(x, 5);
    let negative = b.less(x, 0);
    let not_negative = b.not(negative);
    let within = b.and(small, not_negative);
    b.step(vec![
        Label::Havoc { var: x, reason: HavocReason::Input, site: raddle_ir::Origin::default() },
        Label::Assume(within),
    ]);
    b.end();
    for seed in 0..50 {
        assert_eq!(run(&b.program, seed).0.end, SimulateEnd::Exited(0));
    }
}

#[test]
fn thread_exit_of_main_lets_the_others_go_on() {
    let mut b = Builder::new();
    let x = b.global("x", 0);
    let format = string(&mut b, "done\n");
    let thread = b.begin("thread");
    (0..20).for_each(|_| b.increment(x, 1));
    b.step(vec![Label::Print { format, args: vec![], var: None, site: raddle_ir::Origin::default() }]);
    b.end();
    b.begin("main");
    b.start(thread);
    let zero = b.pointer(0);
    b.step(vec![Label::ThreadExit { value: zero }]);
    b.end();
    let (result, out) = run(&b.program, 3);
    assert_eq!((result.end, out.as_str()), (SimulateEnd::Exited(0), "done\n"));
}

/// Function pointers, missing and surplus arguments, thread-local variables.
#[test]
fn calls_through_pointers() {
    let mut b = Builder::new();
    let own = b.thread_local("own", 5);
    let callee = b.begin("callee");
    let p = b.param("p", Sort::Bits(8));
    let r = b.local("r");
    b.proc().result = Some(r);
    let wide = {
        let p = b.get(p);
        b.program.pool.zero_ext(32, p)
    };
    let t = b.local("t");
    b.load(t, own);
    let sum = {
        let t = b.get(t);
        b.program.pool.binary(BinOp::BvAdd, wide, t)
    };
    b.assign(r, sum);
    b.end();
    let address = b.add_object("callee", 1, ObjectKind::Function(callee));
    b.begin("main");
    let (x, f) = (b.local("x"), b.local_of("f", PTR));
    b.proc().result = Some(x);
    let fe = b.pointer(address);
    b.assign(f, fe);
    let (target, args) = (b.get(f), vec![b.int(0x102), b.int(9)]);
    b.step(vec![Label::Call {
        callee: Callee::Address(target),
        args,
        var: Some(x),
        site: raddle_ir::Origin::default(),
    }]);
    b.end();
    assert_eq!(run(&b.program, 1).0.end, SimulateEnd::Exited(7));
}

#[test]
fn an_input_that_is_stored_keeps_its_range() {
    let program = raddle_testing::lowered(
        "unsigned char __VERIFIER_nondet_uchar(void); signed char __VERIFIER_nondet_char(void); int x, y;
        int main(void) { int a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_char(); x = a; y = b;
          return (x < 0 || x > 255 || y < -128 || y > 127) + 2 * (y < 0); }",
    );
    let ends: Vec<SimulateEnd> = (0..50).map(|seed| run(&program, seed).0.end).collect();
    assert!(ends.iter().all(|end| [SimulateEnd::Exited(0), SimulateEnd::Exited(2)].contains(end)), "{ends:?}");
    assert!(ends.contains(&SimulateEnd::Exited(2)));
}
