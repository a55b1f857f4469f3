//! Small programs whose verdicts are known.

use raddle_engine::{Budget, Outcome, Por, Silent};
use raddle_explore::{ExploreConfig, ExploreStats, explore};
use raddle_interp::{Telling, replay};
use raddle_ir::*;
use raddle_testing::statements::*;

fn run(program: &Program, por: Por) -> (Outcome, ExploreStats) {
    run_with(program, &ExploreConfig { por, ..ExploreConfig::default() })
}

fn run_with(program: &Program, config: &ExploreConfig) -> (Outcome, ExploreStats) {
    explore(program, MemoryModel::Sc, config, &Budget::unlimited(), &Silent)
}

/// Explores with and without reduction; both must say the same.
fn verdict(program: &Program) -> &'static str {
    let words = [Por::None, Por::Persistent].map(|por| {
        let (outcome, stats) = run(program, por);
        assert!(!stats.without_reduction);
        if let Outcome::Unsafe(schedule) = &outcome {
            let replayed = replay(program, schedule, Telling::All);
            assert!(replayed.end.is_error());
            assert_eq!(replayed.trace.steps.len(), schedule.steps.len());
        }
        outcome.name()
    });
    assert_eq!(words[0], words[1]);
    words[0]
}

/// Two threads that run `body`; main waits for both and then asserts that `x` is 2.
fn two_incrementers(body: impl Fn(&mut Builder, VarId)) -> Program {
    let mut b = Builder::new();
    let x = b.global("x", 0);
    let thread = b.begin("thread");
    body(&mut b, x);
    b.end();
    b.begin("main");
    let t = b.local("t");
    let (h1, h2) = (b.start(thread), b.start(thread));
    b.join(h1);
    b.join(h2);
    b.load(t, x);
    let two = b.is(t, 2);
    b.assert(two);
    b.end();
    b.program
}

#[test]
fn lost_update() {
    assert_eq!(verdict(&two_incrementers(|b, x| b.increment(x, 1))), "false");
}

#[test]
fn mutex_saves_the_update() {
    let program = two_incrementers(|b, x| {
        b.lock(LockOp::Acquire, 64);
        b.increment(x, 1);
        b.lock(LockOp::Release, 64);
    });
    assert_eq!(verdict(&program), "true");
}

#[test]
fn atomic_block_saves_the_update() {
    assert_eq!(verdict(&two_incrementers(|b, x| b.atomic(|b| b.increment(x, 1)))), "true");
}

#[test]
fn atomic_edge_saves_the_update() {
    let program = two_incrementers(|b, x| {
        let t = b.local("t");
        let sum = b.plus(t, 1);
        b.step(vec![load(t, x), store(x, sum)]);
    });
    assert_eq!(verdict(&program), "true");
}

/// Peterson's mutual exclusion; `turn` is given away, or (wrongly) not.
fn peterson(right: bool) -> Program {
    let mut b = Builder::new();
    let flags = [b.global("flag0", 0), b.global("flag1", 0)];
    let turn = b.global("turn", 0);
    let inside = b.global("inside", 0);
    let threads = [0, 1].map(|me: usize| {
        let id = b.begin("process");
        let (f, t, i) = (b.local("f"), b.local("t"), b.local("i"));
        let one = b.int(1);
        b.store(flags[me], one);
        let give = b.int(if right { 1 - me as i32 } else { me as i32 });
        b.store(turn, give);
        let again = b.here();
        b.load(f, flags[1 - me]);
        let other_wants = b.is(f, 1);
        b.if_(other_wants, |b| {
            b.load(t, turn);
            let wait = b.is(t, 1 - me as i32);
            b.if_(wait, |b| b.goto(again));
        });
        b.load(i, inside);
        let nobody = b.is(i, 0);
        b.assert(nobody);
        b.store(inside, one);
        let zero = b.int(0);
        b.store(inside, zero);
        b.store(flags[me], zero);
        b.end();
        id
    });
    b.begin("main");
    let handles = threads.map(|t| b.start(t));
    handles.into_iter().for_each(|h| b.join(h));
    b.end();
    b.program
}

#[test]
fn peterson_works() {
    assert_eq!(verdict(&peterson(true)), "true");
    assert_eq!(verdict(&peterson(false)), "false");
}

#[test]
fn reduction_pays() {
    let program = peterson(true);
    let (full, reduced) = (run(&program, Por::None).1, run(&program, Por::Persistent).1);
    assert!(reduced.states * 3 < full.states, "{full:?} {reduced:?}");
}

/// `while (!flag);` ends when another thread sets the flag, and never ends otherwise.
#[test]
fn spinning() {
    for sets in [true, false] {
        let mut b = Builder::new();
        let flag = b.global("flag", 0);
        let setter = b.begin("setter");
        if sets {
            let one = b.int(1);
            b.store(flag, one);
        }
        b.end();
        b.begin("main");
        b.start(setter);
        let f = b.local("f");
        let again = b.here();
        b.load(f, flag);
        let zero = b.is(f, 0);
        b.if_(zero, |b| b.goto(again));
        b.error();
        b.end();
        assert_eq!(verdict(&b.program), if sets { "false" } else { "true" });
    }
}

/// A thread that loops for ever on its own must not keep the others from being explored.
#[test]
fn ignoring_problem() {
    for visible in [true, false] {
        let mut b = Builder::new();
        let (x, y) = (b.global("x", 0), b.global("y", 0));
        let other = b.begin("other");
        let u = b.local("u");
        b.load(u, x);
        let is_zero = b.is(u, 0);
        b.if_(is_zero, |b| b.error());
        b.end();
        b.begin("main");
        b.start(other);
        let t = b.local("t");
        let again = b.here();
        if visible {
            b.load(t, y);
            let next = b.plus(t, 1);
            let three = b.int(3);
            let next = b.program.pool.binary(BinOp::BvAnd, next, three);
            b.store(y, next);
        }
        b.goto(again);
        b.end();
        assert_eq!(verdict(&b.program), "false");
    }
}

/// An error that another thread can only reach before main returns.
#[test]
fn main_may_return_late() {
    let mut b = Builder::new();
    let x = b.global("x", 0);
    let thread = b.begin("thread");
    let t = b.local("t");
    b.load(t, x);
    b.error();
    b.end();
    b.begin("main");
    b.start(thread);
    b.end();
    assert_eq!(verdict(&b.program), "false");
}

/// A store whose thread then fails an assumption has still been seen by the others.
#[test]
fn store_before_a_failing_assumption() {
    let mut b = Builder::new();
    let x = b.global("x", 0);
    let thread = b.begin("thread");
    let one = b.int(1);
    b.store(x, one);
    let no = b.program.pool.bool(false);
    b.assume(no);
    b.end();
    b.begin("main");
    b.start(thread);
    let t = b.local("t");
    b.load(t, x);
    let zero = b.is(t, 0);
    b.assert(zero);
    b.end();
    assert_eq!(verdict(&b.program), "false");
}

/// Both threads take two locks, in different orders. The deadlock is no error, but they never both hold the first.
#[test]
fn deadlock_is_not_an_error() {
    let mut b = Builder::new();
    let x = b.global("x", 0);
    let threads = [[64, 128], [128, 64]].map(|locks: [u64; 2]| {
        let id = b.begin("thread");
        b.lock(LockOp::Acquire, locks[0]);
        b.lock(LockOp::Acquire, locks[1]);
        b.increment(x, 1);
        b.lock(LockOp::Release, locks[1]);
        b.lock(LockOp::Release, locks[0]);
        b.end();
        id
    });
    b.begin("main");
    let t = b.local("t");
    let handles = threads.map(|t| b.start(t));
    handles.into_iter().for_each(|h| b.join(h));
    b.load(t, x);
    let two = b.is(t, 2);
    b.assert(two);
    b.end();
    assert_eq!(verdict(&b.program), "true");
}

/// A reader that waits inside an atomic block sees both halves of a pair or none.
#[test]
fn atomic_block_waits() {
    for both in [true, false] {
        let mut b = Builder::new();
        let (ready, data) = (b.global("ready", 0), b.global("data", 0));
        let writer = b.begin("writer");
        let one = b.int(1);
        if both {
            b.store(data, one);
            b.store(ready, one);
        } else {
            b.store(ready, one);
            b.store(data, one);
        }
        b.end();
        b.begin("main");
        b.start(writer);
        let (r, d) = (b.local("r"), b.local("d"));
        b.atomic(|b| {
            b.load(r, ready);
            let is_ready = b.is(r, 1);
            b.step(vec![Label::Await(is_ready)]);
            b.load(d, data);
        });
        let is_one = b.is(d, 1);
        b.assert(is_one);
        b.end();
        assert_eq!(verdict(&b.program), if both { "true" } else { "false" });
    }
}

/// An input that is only compared is explored exactly, although it has 2^32 values.
#[test]
fn compared_inputs_stay_undetermined() {
    let build = |limit: i32| {
        let mut b = Builder::new();
        b.begin("main");
        let (n, i) = (b.local("n"), b.local("i"));
        b.havoc(n);
        let (low, high) = (b.less(n, 0), b.less(n, 1000));
        let not_low = b.not(low);
        let within = b.and(not_low, high);
        b.assume(within);
        let zero = b.int(0);
        b.assign(i, zero);
        let (i_expr, n_expr) = (b.get(i), b.get(n));
        let more = b.program.pool.binary(BinOp::SLt, i_expr, n_expr);
        b.while_(more, |b| {
            let next = b.plus(i, 1);
            b.assign(i, next);
        });
        let small = b.less(i, limit);
        b.assert(small);
        b.end();
        b.program
    };
    assert_eq!(verdict(&build(1000)), "true");
    assert_eq!(verdict(&build(999)), "false");
}

/// The value of an input agrees with all that was assumed of it, also after it was copied.
#[test]
fn narrowed_input_is_replayed() {
    let mut b = Builder::new();
    b.begin("main");
    let (n, m, k) = (b.local("n"), b.local("m"), b.local_of("k", Sort::Bits(8)));
    b.havoc(k);
    let wide = {
        let k = b.get(k);
        b.program.pool.sign_ext(32, k)
    };
    b.assign(n, wide);
    let low = b.less(n, -3);
    b.assume(low);
    let copy = b.get(n);
    b.assign(m, copy);
    let high = b.less(m, -5);
    b.if_(high, |b| {
        let doubled = {
            let m = b.get(m);
            b.program.pool.binary(BinOp::BvAdd, m, m)
        };
        b.assign(n, doubled);
        let enough = b.is(n, -200);
        b.if_(enough, |b| b.error());
    });
    b.end();
    assert_eq!(verdict(&b.program), "false");
}

#[test]
fn large_choices_are_never_called_safe() {
    let build = |wanted: i32| {
        let mut b = Builder::new();
        b.begin("main");
        let (n, m) = (b.local("n"), b.local("m"));
        b.havoc(n);
        let sum = {
            let e = b.get(n);
            b.program.pool.binary(BinOp::BvMul, e, e)
        };
        b.assign(m, sum);
        let equal = b.is(m, wanted);
        b.if_(equal, |b| b.error());
        b.end();
        b.program
    };
    assert_eq!(verdict(&build(1)), "false");
    assert_eq!(verdict(&build(3)), "nondet-domain");
}

/// An undetermined global is read twice: both reads agree.
#[test]
fn undetermined_globals_agree() {
    let mut b = Builder::new();
    let g = b.global_any("g", Sort::Bits(3));
    b.begin("main");
    let (x, y) = (b.local_of("x", Sort::Bits(3)), b.local_of("y", Sort::Bits(3)));
    b.load(x, g);
    b.load(y, g);
    let same = {
        let (x, y) = (b.get(x), b.get(y));
        b.program.pool.eq(x, y)
    };
    b.assert(same);
    b.end();
    assert_eq!(verdict(&b.program), "true");
}

/// A thread writes through a pointer that was passed to it; another array is private to each thread.
#[test]
fn memory_objects() {
    for race in [true, false] {
        let mut b = Builder::new();
        let array = b.object("array", 40, &[]);
        let thread = b.begin("thread");
        let p = b.param("p", PTR);
        let (own, t, q) = (b.local_of("own", PTR), b.local("t"), b.local_of("q", PTR));
        let size = b.pointer(16);
        b.step(vec![Label::Alloc {
            var: own,
            size,
            storage: Storage::Stack,
            zeroed: true,
            site: raddle_ir::Origin::default(),
        }]);
        let four = b.pointer(4);
        let second = {
            let own = b.get(own);
            b.program.pool.binary(BinOp::BvAdd, own, four)
        };
        b.assign(q, second);
        let (qe, pe, seven) = (b.get(q), b.get(p), b.int(7));
        b.store_at(qe, seven);
        b.load_at(t, qe);
        let is_seven = b.is(t, 7);
        b.assert(is_seven);
        let te = b.get(t);
        b.store_at(pe, te);
        b.end();
        b.begin("main");
        let (h1, h2) = (b.local_of("h1", PTR), b.local_of("h2", PTR));
        let (first, other) = (b.pointer(array), b.pointer(array + 4));
        b.step(vec![Label::Start { var: h1, callee: Callee::Proc(thread), arg: first }]);
        b.step(vec![Label::Start { var: h2, callee: Callee::Proc(thread), arg: other }]);
        b.join(h1);
        if !race {
            b.join(h2);
        }
        let t = b.local("t");
        b.load_at(t, other);
        let is_seven = b.is(t, 7);
        b.assert(is_seven);
        b.end();
        assert_eq!(verdict(&b.program), if race { "false" } else { "true" });
    }
}

/// A lost pointer is found again by counting: the guess about pointers fails, and the answer is still right.
#[test]
fn forged_pointer() {
    let mut b = Builder::new();
    let x = b.object("x", 4, &[]);
    let y = b.object("y", 4, &[]);
    let thread = b.begin("thread");
    let p = b.local_of("p", PTR);
    let xe = b.pointer(x);
    b.assign(p, xe);
    let sum = {
        let (p, by) = (b.get(p), b.pointer(y - x));
        b.program.pool.binary(BinOp::BvAdd, p, by)
    };
    b.assign(p, sum);
    let (pe, one) = (b.get(p), b.int(1));
    b.store_at(pe, one);
    b.end();
    b.begin("main");
    b.start(thread);
    let t = b.local("t");
    let ye = b.pointer(y);
    b.load_at(t, ye);
    let zero = b.is(t, 0);
    b.assert(zero);
    b.end();
    let (outcome, stats) = run(&b.program, Por::Persistent);
    assert!(stats.without_reduction);
    assert_eq!(outcome.name(), "false");
}

#[test]
fn heap_misuse_ends_the_path() {
    let mut b = Builder::new();
    b.begin("main");
    let (p, t) = (b.local_of("p", PTR), b.local("t"));
    let size = b.pointer(4);
    b.step(vec![Label::Alloc {
        var: p,
        size,
        storage: Storage::Heap,
        zeroed: true,
        site: raddle_ir::Origin::default(),
    }]);
    let pe = b.get(p);
    b.step(vec![Label::Free { address: pe, storage: Storage::Heap }]);
    b.load_at(t, pe);
    b.error();
    b.end();
    let (outcome, stats) = run(&b.program, Por::None);
    assert_eq!(outcome.name(), "true");
    assert_eq!(stats.hazards, 1);
}

/// Calls with real frames, and a recursion.
#[test]
fn calls_and_recursion() {
    let mut b = Builder::new();
    let sum = b.begin("sum");
    let n = b.param("n", INT);
    let r = b.local("r");
    b.proc().result = Some(r);
    let zero = b.is(n, 0);
    b.if_else(
        zero,
        |b| {
            let zero = b.int(0);
            b.assign(r, zero);
        },
        |b| {
            let less = b.plus(n, -1);
            b.step(vec![Label::Call {
                callee: Callee::Proc(sum),
                args: vec![less],
                var: Some(r),
                site: raddle_ir::Origin::default(),
            }]);
            let total = {
                let (r, n) = (b.get(r), b.get(n));
                b.program.pool.binary(BinOp::BvAdd, r, n)
            };
            b.assign(r, total);
        },
    );
    b.end();
    b.begin("main");
    let x = b.local("x");
    let ten = b.int(10);
    b.step(vec![Label::Call {
        callee: Callee::Proc(sum),
        args: vec![ten],
        var: Some(x),
        site: raddle_ir::Origin::default(),
    }]);
    let right = b.is(x, 55);
    b.assert(right);
    b.end();
    assert_eq!(verdict(&b.program), "true");
}

/// Trying a lock sees whether it is held, so a release must not be moved before it.
#[test]
fn trylock_sees_the_holder() {
    let mut b = Builder::new();
    let thread = b.begin("thread");
    b.lock(LockOp::Acquire, 64);
    b.lock(LockOp::Release, 64);
    b.end();
    b.begin("main");
    b.start(thread);
    let answer = b.local("answer");
    let lock = b.pointer(64);
    b.step(vec![Label::Lock { op: LockOp::TryAcquire, lock, var: Some(answer) }]);
    let got_it = b.is(answer, 0);
    b.assert(got_it);
    b.end();
    assert_eq!(verdict(&b.program), "false");
}

/// Threads without end: an error that two of them make is found.
#[test]
fn unbounded_threads() {
    let mut b = Builder::new();
    let x = b.global("x", 0);
    let thread = b.begin("thread");
    b.increment(x, 1);
    let t = b.local("t");
    b.load(t, x);
    let two = b.is(t, 2);
    b.if_(two, |b| b.error());
    b.end();
    b.begin("main");
    let again = b.here();
    b.start(thread);
    b.goto(again);
    b.end();
    assert_eq!(run(&b.program, Por::Persistent).0.name(), "false");
}

/// What a mutex protects looks local to the one who holds it.
#[test]
fn critical_sections_are_one_step() {
    let mut b = Builder::new();
    let globals = ["x", "y", "z"].map(|n| b.global(n, 0));
    let thread = b.begin("thread");
    b.lock(LockOp::Acquire, 64);
    globals.iter().for_each(|g| b.increment(*g, 1));
    b.lock(LockOp::Release, 64);
    b.end();
    b.begin("main");
    let handles = [(); 4].map(|()| b.start(thread));
    handles.into_iter().for_each(|h| b.join(h));
    let t = b.local("t");
    b.load(t, globals[2]);
    let four = b.is(t, 4);
    b.assert(four);
    b.end();
    assert_eq!(verdict(&b.program), "true");
    let stats = run(&b.program, Por::Persistent).1;
    assert!(stats.states < 100, "{stats:?}");
}

#[test]
fn recursion_bound_is_unknown() {
    let mut b = Builder::new();
    b.begin("main");
    b.step(vec![]);
    let here = b.here();
    b.proc().locations[here.index()].kind = LocKind::RecursionBound;
    assert_eq!(verdict(&b.program), "bound-reached");
}

#[test]
fn memory_limit() {
    let config = ExploreConfig { memory_limit: 1, por: Por::None, ..ExploreConfig::default() };
    // The limit is looked at now and then, so the program has to be large enough.
    let mut b = Builder::new();
    let x = b.global("x", 0);
    b.begin("main");
    let again = b.here();
    b.increment(x, 1);
    b.goto(again);
    b.end();
    assert_eq!(run_with(&b.program, &config).0.name(), "out-of-memory");
}
