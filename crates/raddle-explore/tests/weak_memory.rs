//! Store buffers: what TSO and PSO allow, and schedules with commits. More shapes are in the litmus tests, written in C.

use raddle_engine::{Budget, Outcome, Por, Schedule, ScheduleStep, Silent};
use raddle_explore::{ExploreConfig, explore};
use raddle_interp::{Action, ReplayEnd, Telling, replay};
use raddle_ir::*;
use raddle_testing::statements::*;

const WEAK: [MemoryModel; 2] = [MemoryModel::Tso, MemoryModel::Pso];

/// The verdict under a memory model, with and without reduction.
fn verdict(program: &Program, memory_model: MemoryModel) -> &'static str {
    let words = [Por::None, Por::Persistent].map(|por| {
        let config = ExploreConfig { por, ..ExploreConfig::default() };
        let (outcome, _) = explore(program, memory_model, &config, &Budget::unlimited(), &Silent);
        if let Outcome::Unsafe(schedule) = &outcome {
            assert_eq!(schedule.memory_model, memory_model);
            let replayed = replay(program, schedule, Telling::All);
            assert!(replayed.end.is_error());
            assert_eq!(replayed.trace.steps.len(), schedule.steps.len());
        }
        outcome.name()
    });
    assert_eq!(words[0], words[1]);
    words[0]
}

fn verdicts(program: &Program) -> [&'static str; 3] {
    [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso].map(|model| verdict(program, model))
}

/// Two threads: each stores 1 to its variable by some labels and loads the other's. It is an error if both load 0.
fn store_buffering(labels: impl Fn(&mut Builder, VarId) -> Vec<Label>) -> Program {
    let mut b = Builder::new();
    let (x, y) = (b.global("x", 0), b.global("y", 0));
    let (a, c) = (b.global("a", 1), b.global("c", 1));
    let threads = [("first", x, y, a), ("second", y, x, c)].map(|(name, mine, other, result)| {
        let thread = b.begin(name);
        let t = b.local("t");
        let labels = labels(&mut b, mine);
        b.step(labels);
        b.load(t, other);
        let value = b.get(t);
        b.store(result, value);
        b.end();
        thread
    });
    b.begin("main");
    let (t, u) = (b.local("t"), b.local("u"));
    let handles = threads.map(|thread| b.start(thread));
    handles.into_iter().for_each(|handle| b.join(handle));
    b.load(t, a);
    b.load(u, c);
    let (t_zero, u_zero) = (b.is(t, 0), b.is(u, 0));
    let both = b.and(t_zero, u_zero);
    b.if_(both, |b| b.error());
    b.end();
    b.program
}

fn store_one(b: &mut Builder, to: VarId, order: Order) -> Label {
    Label::Store { place: Place::Var(to), value: b.int(1), order }
}

#[test]
fn stores_are_buffered() {
    let program = store_buffering(|b, x| vec![store_one(b, x, Order::NonAtomic)]);
    assert_eq!(verdicts(&program), ["true", "false", "false"]);
}

#[test]
fn a_trace_tells_when_stores_become_visible() {
    let program = store_buffering(|b, x| vec![store_one(b, x, Order::NonAtomic)]);
    let (config, budget) = (ExploreConfig::default(), Budget::unlimited());
    let (outcome, _) = explore(&program, MemoryModel::Tso, &config, &budget, &Silent);
    let Outcome::Unsafe(mut schedule) = outcome else { panic!("{outcome:?}") };
    let trace = replay(&program, &schedule, Telling::All).trace;
    let texts: Vec<&str> = trace.steps.iter().map(|step| step.text.as_str()).collect();
    let stored = texts.iter().position(|text| text.ends_with("x := 1 (pending)"));
    let visible = texts.iter().position(|text| *text == "the store to x becomes visible");
    assert!(stored.is_some() && stored < visible, "{texts:#?}");
    // Where it is visible is where it was stored.
    assert_eq!(stored.map(|at| trace.steps[at].span), visible.map(|at| trace.steps[at].span));
    schedule.memory_model = MemoryModel::Sc;
    assert!(matches!(replay(&program, &schedule, Telling::All).end, ReplayEnd::Refused(..)));
}

#[test]
fn sequentially_consistent_stores_and_read_modify_writes_wait() {
    let program = store_buffering(|b, x| vec![store_one(b, x, Order::SeqCst)]);
    assert_eq!(verdicts(&program), ["true"; 3]);
    let program = store_buffering(|b, x| {
        let old = b.local("old");
        vec![load(old, x), store_one(b, x, Order::Relaxed)]
    });
    assert_eq!(verdicts(&program), ["true"; 3]);
}

#[test]
fn a_fence_waits_for_stores_of_its_own_edge() {
    let fenced = store_buffering(|b, x| vec![store_one(b, x, Order::NonAtomic), Label::Fence(Order::SeqCst)]);
    assert_eq!(verdicts(&fenced), ["true"; 3]);
    let early = store_buffering(|b, x| vec![Label::Fence(Order::SeqCst), store_one(b, x, Order::NonAtomic)]);
    assert_eq!(verdicts(&early), ["true", "false", "false"]);
    let acquire = store_buffering(|b, x| vec![store_one(b, x, Order::NonAtomic), Label::Fence(Order::Acquire)]);
    assert_eq!(verdicts(&acquire), ["true", "false", "false"]);
}

/// It is an error to see the second of two stores without the first one, between which are these labels.
fn message_passing(between: impl Fn(&mut Builder) -> Vec<Label>, order: Order) -> Program {
    let mut b = Builder::new();
    let (x, y) = (b.global("x", 0), b.global("y", 0));
    let writer = b.begin("writer");
    let first = store_one(&mut b, x, Order::NonAtomic);
    b.step(vec![first]);
    let labels = between(&mut b);
    b.step(labels);
    let second = store_one(&mut b, y, order);
    b.step(vec![second]);
    b.end();
    b.begin("main");
    b.start(writer);
    let (flag, message) = (b.local("flag"), b.local("message"));
    b.load(flag, y);
    b.load(message, x);
    let (is_set, is_missing) = (b.is(flag, 1), b.is(message, 0));
    let wrong = b.and(is_set, is_missing);
    b.if_(wrong, |b| b.error());
    b.end();
    b.program
}

#[test]
fn a_release_separates_stores_and_lets_loads_pass() {
    let plain = message_passing(|_| vec![], Order::Relaxed);
    assert_eq!(verdicts(&plain), ["true", "true", "false"]);
    let store = message_passing(|_| vec![], Order::Release);
    assert_eq!(verdicts(&store), ["true"; 3]);
    let fence = message_passing(|_| vec![Label::Fence(Order::Release)], Order::Relaxed);
    assert_eq!(verdicts(&fence), ["true"; 3]);
    let loads = store_buffering(|b, x| vec![store_one(b, x, Order::Release), Label::Fence(Order::AcqRel)]);
    assert_eq!(verdicts(&loads), ["true", "false", "false"]);
}

#[test]
fn an_allocation_does_not_wait() {
    let program = store_buffering(|b, x| {
        let (at, size) = (b.local("at"), b.int(4));
        let pointer = b.program.pointer_sort();
        b.program.vars[at.index()].sort = pointer;
        let alloc =
            Label::Alloc { var: at, size, storage: Storage::Heap, zeroed: true, site: raddle_ir::Origin::default() };
        vec![store_one(b, x, Order::NonAtomic), alloc]
    });
    assert_eq!(verdicts(&program), ["true", "false", "false"]);
}

/// Stores a word `x`, then one of its bytes, then a variable `y`. It is an error to see the first two in this order.
fn three_stores() -> Program {
    let mut b = Builder::new();
    let y = b.global("y", 0);
    let x = b.object("x", 4, &[0; 4]);
    b.begin("main");
    let (word, byte) = (b.pointer(x), b.pointer(x + 1));
    let (ones, one) = (b.int(0x01010101), b.int(1));
    let two = b.program.pool.bits(8, 2);
    b.store_at(word, ones);
    b.store_at(byte, two);
    b.store(y, one);
    let t = b.local("t");
    b.load_at(t, word);
    let seen = b.is(t, 0x01010201);
    b.if_(seen, |b| b.error());
    b.end();
    b.program
}

/// Replays it with these commits between the stores and the load.
fn replay_commits(memory_model: MemoryModel, commits: &[u32]) -> ReplayEnd {
    let program = three_stores();
    let edge = |id: u32| ScheduleStep::of(0, Action::Edge(EdgeId(id)));
    let commit = |at: &u32| ScheduleStep::of(0, Action::Commit(*at));
    let mut steps: Vec<ScheduleStep> = (0..3).map(edge).collect();
    steps.extend(commits.iter().map(commit));
    steps.extend((3..6).map(edge));
    replay(&program, &Schedule { steps, memory_model }, Telling::All).end
}

#[test]
fn pending_stores_leave_in_the_order_of_the_model() {
    let allowed = |model, commits: &[u32]| replay_commits(model, commits).is_error();
    // A thread sees its own stores wherever they are.
    for model in WEAK {
        assert!(allowed(model, &[]));
        assert!(allowed(model, &[0]));
        assert!(allowed(model, &[0, 0]));
        assert!(allowed(model, &[0, 0, 0]));
        assert!(!allowed(model, &[0, 0, 0, 0]));
        // The two stores to the word overlap.
        assert!(!allowed(model, &[1]));
    }
    assert!(!allowed(MemoryModel::Tso, &[2]));
    assert!(allowed(MemoryModel::Pso, &[2]));
    assert!(allowed(MemoryModel::Pso, &[2, 0]));
    assert!(allowed(MemoryModel::Pso, &[0, 1]));
    assert!(!allowed(MemoryModel::Sc, &[0]));
}

#[test]
fn a_load_combines_pending_bytes_with_memory() {
    let mut b = Builder::new();
    let x = b.object("x", 4, &[9, 9, 9, 9]);
    b.begin("main");
    let t = b.local("t");
    let (word, byte) = (b.pointer(x), b.pointer(x + 2));
    let one = b.program.pool.bits(8, 1);
    b.store_at(byte, one);
    b.load_at(t, word);
    let right = b.is(t, 0x09010909);
    b.assert(right);
    b.end();
    assert_eq!(verdicts(&b.program), ["true"; 3]);
}

#[test]
fn bytes_that_are_undetermined_stay_so_under_pending_ones() {
    let mut b = Builder::new();
    let init = ObjectKind::Data { init: ObjectInit::Any, writable: true };
    let x = b.add_object("x", 2, init);
    b.begin("main");
    let t = b.local_of("t", Sort::Bits(16));
    let (word, byte) = (b.pointer(x), b.pointer(x + 1));
    let one = b.program.pool.bits(8, 1);
    b.store_at(byte, one);
    b.load_at(t, word);
    let (value, wanted) = (b.get(t), b.program.pool.bits(16, 0x0142));
    let found = b.program.pool.eq(value, wanted);
    b.if_(found, |b| b.error());
    b.end();
    assert_eq!(verdicts(&b.program), ["false"; 3]);
}

#[test]
fn an_undetermined_value_is_one_value_to_all() {
    let mut b = Builder::new();
    let x = b.global_any("x", Sort::Bits(8));
    let (seen, other) = (b.global("seen", 0), b.global("other", 0));
    let thread = b.begin("thread");
    let (input, t) = (b.local_of("input", Sort::Bits(8)), b.local_of("t", Sort::Bits(8)));
    b.havoc(input);
    let value = b.get(input);
    b.store(x, value);
    b.load(t, x);
    let value = b.get(t);
    let wide = b.program.pool.zero_ext(32, value);
    b.store(seen, wide);
    b.end();
    b.begin("main");
    let (t, u, v) = (b.local_of("t", Sort::Bits(8)), b.local("u"), b.local("v"));
    let handle = b.start(thread);
    b.join(handle);
    b.load(t, x);
    let value = b.get(t);
    let wide = b.program.pool.zero_ext(32, value);
    b.store(other, wide);
    b.load(u, seen);
    b.load(v, other);
    let (u, v) = (b.get(u), b.get(v));
    let same = b.program.pool.eq(u, v);
    b.assert(same);
    b.end();
    assert_eq!(verdicts(&b.program), ["true"; 3]);
}

#[test]
fn stores_of_a_thread_that_fails_an_assumption_later_are_seen() {
    let mut b = Builder::new();
    let x = b.global("x", 0);
    let thread = b.begin("thread");
    let (one, yes) = (b.int(1), b.yes());
    b.store(x, one);
    let no = b.not(yes);
    b.assume(no);
    b.end();
    b.begin("main");
    let t = b.local("t");
    b.start(thread);
    b.load(t, x);
    let seen = b.is(t, 1);
    b.if_(seen, |b| b.error());
    b.end();
    assert_eq!(verdicts(&b.program), ["false"; 3]);
}

#[test]
fn a_thread_ends_after_its_stores() {
    let mut b = Builder::new();
    let x = b.global("x", 0);
    let thread = b.begin("thread");
    let one = b.int(1);
    b.store(x, one);
    b.end();
    b.begin("main");
    let t = b.local("t");
    let handle = b.start(thread);
    b.join(handle);
    b.load(t, x);
    let seen = b.is(t, 1);
    b.assert(seen);
    b.end();
    assert_eq!(verdicts(&b.program), ["true"; 3]);
}

#[test]
fn a_pending_store_does_not_outlive_its_object() {
    let mut b = Builder::new();
    let callee = b.begin("callee");
    let (at, t) = (b.local_of("at", PTR), b.local("t"));
    let size = b.pointer(4);
    b.step(vec![Label::Alloc {
        var: at,
        size,
        storage: Storage::Stack,
        zeroed: true,
        site: raddle_ir::Origin::default(),
    }]);
    let address = b.get(at);
    b.load_at(t, address);
    let zero = b.is(t, 0);
    b.assert(zero);
    let seven = b.int(7);
    b.store_at(address, seven);
    b.end();
    b.begin("main");
    for _ in 0..2 {
        b.step(vec![Label::Call {
            callee: Callee::Proc(callee),
            args: vec![],
            var: None,
            site: raddle_ir::Origin::default(),
        }]);
    }
    b.end();
    assert_eq!(verdicts(&b.program), ["true"; 3]);
}

#[test]
fn a_pending_store_of_another_thread_goes_with_the_object() {
    let mut b = Builder::new();
    let (p, done) = (b.global_of("p", PTR), b.global("done", 0));
    let thread = b.begin("thread");
    let at = b.local_of("at", PTR);
    b.load(at, p);
    let address = b.get(at);
    let null = b.pointer(0);
    let published = b.program.pool.ne(address, null);
    b.assume(published);
    let (seven, one) = (b.int(7), b.int(1));
    b.store_at(address, seven);
    b.store(done, one);
    b.end();
    // Two functions whose object has the same address, one after the other.
    let callees = ["publish", "look"].map(|name| {
        let callee = b.begin(name);
        let (at, t) = (b.local_of("at", PTR), b.local("t"));
        let size = b.pointer(4);
        b.step(vec![Label::Alloc {
            var: at,
            size,
            storage: Storage::Stack,
            zeroed: true,
            site: raddle_ir::Origin::default(),
        }]);
        let address = b.get(at);
        if name == "publish" {
            b.store(p, address);
            b.load(t, done);
            let is_done = b.is(t, 1);
            b.assume(is_done);
        } else {
            b.load_at(t, address);
            let zero = b.is(t, 0);
            b.assert(zero);
        }
        b.end();
        callee
    });
    b.begin("main");
    b.start(thread);
    for callee in callees {
        b.step(vec![Label::Call {
            callee: Callee::Proc(callee),
            args: vec![],
            var: None,
            site: raddle_ir::Origin::default(),
        }]);
    }
    b.end();
    assert_eq!(verdicts(&b.program), ["true"; 3]);
}

#[test]
fn stores_that_overlap_keep_their_order() {
    let mut b = Builder::new();
    let x = b.object("x", 4, &[0; 4]);
    b.begin("main");
    let t = b.local("t");
    let (word, byte) = (b.pointer(x), b.pointer(x + 1));
    let (ones, two) = (b.int(0x01010101), b.program.pool.bits(8, 2));
    b.store_at(byte, two);
    b.store_at(word, ones);
    b.step(vec![Label::Fence(Order::SeqCst)]);
    b.load_at(t, word);
    let right = b.is(t, 0x01010101);
    b.assert(right);
    b.end();
    assert_eq!(verdicts(&b.program), ["true"; 3]);
}

#[test]
fn an_atomic_block_acts_on_memory() {
    let mut b = Builder::new();
    let (x, y) = (b.global("x", 0), b.global("y", 0));
    let thread = b.begin("thread");
    let one = b.int(1);
    b.atomic(|b| {
        b.store(x, one);
        b.store(y, one);
    });
    b.end();
    b.begin("main");
    let (t, u) = (b.local("t"), b.local("u"));
    b.start(thread);
    b.load(t, y);
    b.load(u, x);
    let (t, u) = (b.get(t), b.get(u));
    let ordered = b.program.pool.binary(BinOp::SLe, t, u);
    b.assert(ordered);
    b.end();
    assert_eq!(verdicts(&b.program), ["true"; 3]);
}

#[test]
fn too_many_pending_stores_leave_the_verdict_open() {
    let mut b = Builder::new();
    let x = b.global("x", 0);
    b.begin("main");
    let (one, yes) = (b.int(1), b.yes());
    b.while_(yes, |b| b.store(x, one));
    b.end();
    assert_eq!(verdicts(&b.program), ["true", "bound-reached", "bound-reached"]);
}
