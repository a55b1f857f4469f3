//! Random small concurrent programs: exploration with reduction must agree with plain exploration of all interleavings.

use raddle_engine::{Outcome, Por, Silent};
use raddle_explore::{ExploreConfig, ExploreStats, explore};
use raddle_interp::{SimulateConfig, SimulateEnd, Telling, replay, simulate};
use raddle_ir::*;
use raddle_testing::statements::*;
use raddle_testing::{Random, budget_of, number};

struct Shared {
    globals: Vec<VarId>,
    array: u64,
    locks: Vec<u64>,
    own: VarId,
    /// A global pointer to a heap or stack object.
    published: VarId,
    /// Procedures to call: with a parameter; one that begins an atomic block and one that ends it.
    helper: Option<ProcId>,
    brackets: Option<(ProcId, ProcId)>,
}

/// What one thread has at hand.
struct Thread {
    locals: Vec<VarId>,
    pointer: VarId,
    answer: VarId,
    depth: u32,
}

/// A value below 4: a constant, or a local with something added.
fn value(b: &mut Builder, dice: &mut Random, t: &Thread) -> ExprId {
    if dice.chance(40) {
        return b.int(dice.below(3) as i32);
    }
    let sum = b.plus(dice.pick(&t.locals), dice.below(3) as i32);
    let three = b.int(3);
    b.program.pool.binary(BinOp::BvAnd, sum, three)
}

fn condition(b: &mut Builder, dice: &mut Random, t: &Thread) -> ExprId {
    let (local, number) = (dice.pick(&t.locals), dice.below(3) as i32);
    let cond = match dice.below(3) {
        0 => b.less(local, number + 1),
        _ => b.is(local, number),
    };
    if dice.chance(30) { b.not(cond) } else { cond }
}

fn statement(b: &mut Builder, dice: &mut Random, shared: &Shared, t: &mut Thread) {
    let local = dice.pick(&t.locals);
    let global = dice.pick(&shared.globals);
    match dice.below(34) {
        0..5 => b.load(local, global),
        5..9 => {
            let value = value(b, dice, t);
            b.store(global, value);
        }
        9 => {
            let value = value(b, dice, t);
            b.assign(local, value);
        }
        10 => {
            let cond = condition(b, dice, t);
            b.assume(cond);
        }
        11 if t.depth < 2 => {
            let cond = condition(b, dice, t);
            t.depth += 1;
            b.if_(cond, |b| block(b, dice, shared, t, 2));
            t.depth -= 1;
        }
        12 if t.depth < 2 => {
            let cond = condition(b, dice, t);
            t.depth += 1;
            b.while_(cond, |b| {
                b.load(local, global);
                block(b, dice, shared, t, 1);
            });
            t.depth -= 1;
        }
        13 | 14 if t.depth < 2 => {
            let lock = dice.pick(&shared.locks);
            b.lock(LockOp::Acquire, lock);
            t.depth += 1;
            block(b, dice, shared, t, 2);
            t.depth -= 1;
            b.lock(LockOp::Release, lock);
        }
        15 if t.depth < 2 => {
            let lock = dice.pick(&shared.locks);
            b.lock(LockOp::AcquireShared, lock);
            b.load(local, global);
            b.lock(LockOp::Release, lock);
        }
        16 => {
            let lock = dice.pick(&shared.locks);
            let address = b.pointer(lock);
            b.step(vec![Label::Lock { op: LockOp::TryAcquire, lock: address, var: Some(t.answer) }]);
            let got = b.is(t.answer, 0);
            b.if_(got, |b| b.lock(LockOp::Release, lock));
        }
        17 | 18 if t.depth < 2 => {
            t.depth += 1;
            b.atomic(|b| {
                b.load(local, global);
                let cond = condition(b, dice, t);
                if dice.chance(50) {
                    b.step(vec![if dice.chance(70) { Label::Await(cond) } else { Label::Assume(cond) }]);
                }
                block(b, dice, shared, t, 2);
            });
            t.depth -= 1;
        }
        19 => {
            // A read-modify-write, perhaps conditional: one edge.
            let value = value(b, dice, t);
            let mut labels = vec![load(local, global), store(global, value)];
            if dice.chance(40) {
                let cond = condition(b, dice, t);
                labels.insert(1, if dice.chance(50) { Label::Assume(cond) } else { Label::Await(cond) });
            }
            b.step(labels);
        }
        20 => {
            b.havoc(local);
            let low = b.less(local, 2);
            let negative = b.less(local, 0);
            let not_negative = b.not(negative);
            let within = b.and(low, not_negative);
            b.assume(within);
        }
        21 | 22 => {
            // An array element through a computed pointer.
            let index = {
                let (local, three) = (b.get(local), b.int(3));
                let index = b.program.pool.binary(BinOp::BvAnd, local, three);
                b.program.pool.zero_ext(64, index)
            };
            let four = b.pointer(4);
            let offset = b.program.pool.binary(BinOp::BvMul, index, four);
            let base = b.pointer(shared.array);
            let address = b.program.pool.binary(BinOp::BvAdd, base, offset);
            b.assign(t.pointer, address);
            let pointer = b.get(t.pointer);
            if dice.chance(50) {
                b.load_at(local, pointer);
            } else {
                let value = value(b, dice, t);
                b.store_at(pointer, value);
            }
        }
        23 => {
            let value = value(b, dice, t);
            b.store(shared.own, value);
            b.load(local, shared.own);
        }
        24 if dice.chance(30) => {
            let zero = b.pointer(0);
            let cond = condition(b, dice, t);
            let exits = dice.chance(70);
            b.if_(cond, |b| {
                b.step(vec![if exits { Label::ThreadExit { value: zero } } else { Label::Halt { status: zero } }]);
            });
        }
        25 | 26 if t.depth == 0 => {
            // A new object, perhaps published.
            let (size, stack) = (b.pointer(8), dice.chance(30));
            let storage = if stack { Storage::Stack } else { Storage::Heap };
            b.step(vec![Label::Alloc {
                var: t.pointer,
                size,
                storage,
                zeroed: dice.chance(80),
                site: raddle_ir::Origin::default(),
            }]);
            let (pointer, value) = (b.get(t.pointer), value(b, dice, t));
            b.store_at(pointer, value);
            if dice.chance(60) {
                b.store(shared.published, pointer);
            }
            b.load_at(local, pointer);
        }
        27 | 28 => {
            // What somebody published, read, written or freed.
            b.load(t.pointer, shared.published);
            let (pointer, null) = (b.get(t.pointer), b.pointer(0));
            let is_null = b.program.pool.eq(pointer, null);
            let some = b.not(is_null);
            let what = dice.below(6);
            let value = value(b, dice, t);
            b.if_(some, |b| match what {
                0..3 => b.load_at(local, pointer),
                3 | 4 => b.store_at(pointer, value),
                _ => {
                    b.store(shared.published, null);
                    b.step(vec![Label::Free { address: pointer, storage: Storage::Heap }]);
                }
            });
        }
        29 => {
            if let Some(helper) = shared.helper {
                let args = vec![b.get(local)];
                b.step(vec![Label::Call {
                    callee: Callee::Proc(helper),
                    args,
                    var: Some(local),
                    site: raddle_ir::Origin::default(),
                }]);
                let three = b.int(3);
                let masked = {
                    let e = b.get(local);
                    b.program.pool.binary(BinOp::BvAnd, e, three)
                };
                b.assign(local, masked);
            }
        }
        30 => {
            if let Some((begin, end)) = shared.brackets {
                b.step(vec![Label::Call {
                    callee: Callee::Proc(begin),
                    args: vec![],
                    var: None,
                    site: raddle_ir::Origin::default(),
                }]);
                b.load(local, global);
                let value = value(b, dice, t);
                b.store(global, value);
                b.step(vec![Label::Call {
                    callee: Callee::Proc(end),
                    args: vec![],
                    var: None,
                    site: raddle_ir::Origin::default(),
                }]);
            }
        }
        31 => {
            let lock = dice.pick(&shared.locks);
            let kind = b.int(dice.below(3) as i32);
            match dice.below(3) {
                0 => b.lock(LockOp::Init(kind), lock),
                1 => b.lock(LockOp::Acquire, lock),
                _ => b.lock(LockOp::Release, lock),
            }
        }
        _ => {
            let cond = condition(b, dice, t);
            let other = condition(b, dice, t);
            let both = b.and(cond, other);
            if dice.chance(35) {
                b.if_(both, |b| b.error());
            }
        }
    }
}

fn block(b: &mut Builder, dice: &mut Random, shared: &Shared, t: &mut Thread, most: u64) {
    for _ in 0..1 + dice.below(most) {
        statement(b, dice, shared, t);
    }
}

fn thread(b: &mut Builder, name: &str) -> (ProcId, Thread) {
    let id = b.begin(name);
    let locals: Vec<VarId> = ["a", "b"].map(|n| b.local(n)).to_vec();
    let (pointer, answer) = (b.local_of("p", PTR), b.local("answer"));
    for local in &locals {
        let zero = b.int(0);
        b.assign(*local, zero);
    }
    (id, Thread { locals, pointer, answer, depth: 0 })
}

fn program(seed: u64) -> Program {
    let mut dice = Random::new(seed + 1);
    let mut b = Builder::new();
    let globals = (0..2 + dice.below(2)).map(|i| b.global(&format!("g{i}"), 0)).collect();
    let own = b.thread_local("own", 1);
    let array = b.object("array", 16, &[]);
    let in_object = b.object("mutex", 40, &[]);
    let published = b.global_any("published", PTR);
    b.program.vars[published.index()].kind = VarKind::Global(Some(Const { sort: PTR, bits: 0 }));
    let (helper, brackets) = (None, None);
    let mut shared = Shared { globals, array, locks: vec![64, in_object], own, published, helper, brackets };
    if dice.chance(50) {
        let (helper, mut t) = thread(&mut b, "helper");
        let p = b.param("p", INT);
        t.locals.push(p);
        b.proc().result = Some(t.locals[0]);
        block(&mut b, &mut dice, &shared, &mut t, 2);
        b.end();
        shared.helper = Some(helper);
        let begin = b.begin("begin");
        b.step(vec![Label::AtomicBegin]);
        b.end();
        let end = b.begin("end");
        b.step(vec![Label::AtomicEnd]);
        b.end();
        shared.brackets = Some((begin, end));
    }
    let mut procs = Vec::new();
    let count = 1 + dice.below(2);
    for i in 0..count {
        let (id, mut t) = thread(&mut b, &format!("thread{i}"));
        block(&mut b, &mut dice, &shared, &mut t, 6);
        if dice.chance(20)
            && let Some(other) = procs.last()
        {
            b.start(*other);
        }
        b.end();
        procs.push(id);
    }
    let (_, mut t) = thread(&mut b, "main");
    let handles: Vec<VarId> = procs.iter().map(|p| b.start(*p)).collect();
    if dice.chance(60) {
        block(&mut b, &mut dice, &shared, &mut t, 5);
    }
    if dice.chance(60) {
        handles.into_iter().for_each(|h| b.join(h));
    }
    block(&mut b, &mut dice, &shared, &mut t, 4);
    b.load(t.locals[0], shared.globals[0]);
    let cond = condition(&mut b, &mut dice, &t);
    b.if_(cond, |b| b.error());
    b.end();
    b.program
}

fn run(program: &Program, por: Por) -> (Outcome, ExploreStats) {
    run_under(program, MemoryModel::Sc, por)
}

fn run_under(program: &Program, memory_model: MemoryModel, por: Por) -> (Outcome, ExploreStats) {
    let config = ExploreConfig { por, memory_limit: 1 << 28, ..ExploreConfig::default() };
    let (outcome, stats) = explore(program, memory_model, &config, &budget_of(1000), &Silent);
    if let Outcome::Unsafe(schedule) = &outcome {
        assert!(replay(program, schedule, Telling::Nothing).end.is_error());
    }
    (outcome, stats)
}

/// An error that a simulation meets is one that exploration knows.
fn simulation_agrees(program: &Program, verdict: &str, seed: u64) {
    for run in 0..5 {
        let config = SimulateConfig { seed: run, steps: Some(3000), ..SimulateConfig::default() };
        let result = simulate(program, &config, &mut std::io::sink(), &|| None);
        if let SimulateEnd::Error(_) = result.end {
            assert_ne!(verdict, "true", "seed {seed}");
            assert_eq!(result.trace.map(|t| t.end), Some("the error is reached".into()));
        }
    }
}

fn gave_up(verdict: &str) -> bool {
    matches!(verdict, "timeout" | "out-of-memory")
}

#[test]
fn reduction_agrees() {
    let programs = number("RANDOM_PROGRAMS", 500);
    let first = number("RANDOM_FIRST", 0);
    let mut counts = std::collections::BTreeMap::new();
    let (mut full_states, mut reduced_states, mut surprises) = (0, 0, 0);
    for seed in first..first + programs {
        let program = program(seed);
        let (full, full_stats) = run(&program, Por::None);
        let (reduced, stats) = run(&program, Por::Persistent);
        let verdict = full.name();
        *counts.entry(verdict).or_insert(0) += 1;
        if seed % 4 == 0 {
            simulation_agrees(&program, verdict, seed);
        }
        if gave_up(verdict) || gave_up(reduced.name()) {
            continue;
        }
        assert_eq!(verdict, reduced.name(), "seed {seed}");
        surprises += u64::from(stats.without_reduction);
        if verdict == "true" {
            full_states += full_stats.states;
            reduced_states += stats.states;
        }
    }
    println!(
        "{counts:?}; states of safe programs: {full_states} in full, {reduced_states} reduced; {surprises} surprises"
    );
    assert!(surprises < programs / 50);
    assert!(counts.get("true").is_some_and(|n| *n > programs / 5));
    assert!(counts.get("false").is_some_and(|n| *n > programs / 5));
}

/// Under store buffers, taking local steps along changes no verdict; and what goes wrong under a memory model does so under
/// weaker ones (the programs have no release stores, which Raddle lets wait under PSO only).
#[test]
fn weak_memory_agrees() {
    let programs = number("RANDOM_PROGRAMS", 150);
    let first = number("RANDOM_FIRST", 0);
    let mut counts = std::collections::BTreeMap::new();
    let (mut full_states, mut reduced_states) = (0, 0);
    for seed in first..first + programs {
        let program = program(seed);
        let mut stronger = run(&program, Por::Persistent).0.name();
        for model in [MemoryModel::Tso, MemoryModel::Pso] {
            let (full, full_stats) = run_under(&program, model, Por::None);
            let (reduced, stats) = run_under(&program, model, Por::Persistent);
            let words = [full.name(), reduced.name()];
            *counts.entry((model.name(), stronger, words[1])).or_insert(0) += 1;
            if words.into_iter().any(gave_up) {
                break;
            }
            assert_eq!(words[0], words[1], "seed {seed} under {}", model.name());
            assert!(stronger != "false" || words[1] == "false", "seed {seed} under {}", model.name());
            if words[1] == "true" {
                full_states += full_stats.states;
                reduced_states += stats.states;
            }
            stronger = words[1];
        }
    }
    println!("{counts:?}; states of safe programs: {full_states} in full, {reduced_states} reduced");
}
