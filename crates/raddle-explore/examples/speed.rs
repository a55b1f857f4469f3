//! Measures simulation and exploration: `cargo run --release -p raddle-explore --example speed`.
//!
//! Counts CPU time, so that it can be used on a busy machine.

use raddle_budget::process_time;
use raddle_engine::{Budget, Por, Silent};
use raddle_explore::{ExploreConfig, explore};
use raddle_interp::{SimulateConfig, simulate};
use raddle_ir::*;
use raddle_testing::statements::*;

fn main() {
    local_loop();
    memory_and_calls();
    for por in [Por::None, Por::Persistent] {
        counters(por);
        peterson_like(por);
    }
}

fn simulate_it(name: &str, program: &Program, labels_per_step: f64) {
    let start = process_time();
    let config = SimulateConfig { steps: Some(60_000_000), ..SimulateConfig::default() };
    let result = simulate(program, &config, &mut std::io::sink(), &|| None);
    let seconds = (process_time() - start).as_secs_f64();
    let rate = result.steps as f64 * labels_per_step / seconds / 1e6;
    println!("{name}: {} steps, {rate:.1} million labels a second ({:?})", result.steps, result.end);
}

fn local_loop() {
    let mut b = Builder::new();
    b.begin("main");
    let (i, x) = (b.local("i"), b.local("x"));
    let zero = b.int(0);
    b.assign(i, zero);
    b.assign(x, zero);
    let more = b.less(i, i32::MAX);
    b.while_(more, |b| {
        let product = {
            let (x, three, i) = (b.get(x), b.int(3), b.get(i));
            let product = b.program.pool.binary(BinOp::BvMul, x, three);
            b.program.pool.binary(BinOp::BvXor, product, i)
        };
        b.assign(x, product);
        let next = b.plus(i, 1);
        b.assign(i, next);
    });
    b.end();
    // Three labels (condition and two assignments) on four edges.
    simulate_it("local loop", &b.program, 0.75);
}

fn memory_and_calls() {
    let mut b = Builder::new();
    let g = b.global("g", 1);
    let array = b.object("array", 4000, &[]);
    let add = b.begin("add");
    let (p, q) = (b.param("p", INT), b.param("q", INT));
    let r = b.local("r");
    b.proc().result = Some(r);
    let sum = {
        let (p, q) = (b.get(p), b.get(q));
        b.program.pool.binary(BinOp::BvAdd, p, q)
    };
    b.assign(r, sum);
    b.end();
    b.begin("main");
    let (i, x, t, at) = (b.local("i"), b.local("x"), b.local("t"), b.local_of("at", PTR));
    let zero = b.int(0);
    b.assign(i, zero);
    let yes = b.yes();
    b.while_(yes, |b| {
        let address = {
            let (i, n, four) = (b.get(i), b.int(1000), b.pointer(4));
            let index = b.program.pool.binary(BinOp::BvURem, i, n);
            let index = b.program.pool.zero_ext(64, index);
            let offset = b.program.pool.binary(BinOp::BvMul, index, four);
            let base = b.pointer(array);
            b.program.pool.binary(BinOp::BvAdd, base, offset)
        };
        b.assign(at, address);
        let place = b.get(at);
        b.load_at(x, place);
        b.load(t, g);
        let args = vec![b.get(x), b.get(t)];
        b.step(vec![Label::Call { callee: Callee::Proc(add), args, var: Some(x), site: raddle_ir::Origin::default() }]);
        let value = b.get(x);
        b.store_at(place, value);
        b.store(g, value);
        let next = b.plus(i, 1);
        b.assign(i, next);
    });
    b.end();
    simulate_it("memory and calls", &b.program, 0.9);
}

fn explore_it(name: &str, program: &Program, por: Por) {
    let start = process_time();
    let config = ExploreConfig { por, ..ExploreConfig::default() };
    let (outcome, stats) = explore(program, MemoryModel::Sc, &config, &Budget::unlimited(), &Silent);
    let seconds = (process_time() - start).as_secs_f64();
    let word = outcome.name();
    println!(
        "{name}, {por:?}: {word}, {} states, {} transitions, {:.0} thousand transitions a second, {} bytes a state",
        stats.states,
        stats.transitions,
        stats.transitions as f64 / seconds / 1e3,
        stats.state_bytes as u64 / stats.states.max(1),
    );
}

/// Threads that add to shared counters in loops, without locks.
fn counters(por: Por) {
    let mut b = Builder::new();
    let globals = ["x", "y", "z", "w"].map(|n| b.global(n, 0));
    let thread = b.begin("thread");
    let i = b.local("i");
    let zero = b.int(0);
    b.assign(i, zero);
    let more = b.less(i, 3);
    b.while_(more, |b| {
        b.increment(globals[0], 1);
        b.increment(globals[1], 2);
        let next = b.plus(i, 1);
        b.assign(i, next);
    });
    b.end();
    b.begin("main");
    let handles = [(); 3].map(|()| b.start(thread));
    handles.into_iter().for_each(|h| b.join(h));
    let t = b.local("t");
    b.load(t, globals[0]);
    let few = b.less(t, 10);
    b.assert(few);
    b.end();
    explore_it("counters", &b.program, por);
}

/// A filter lock for four threads, each going through it twice.
fn peterson_like(por: Por) {
    const N: usize = 4;
    let mut b = Builder::new();
    let level: Vec<VarId> = (0..N).map(|i| b.global(&format!("level{i}"), 0)).collect();
    let last: Vec<VarId> = (0..N).map(|i| b.global(&format!("last{i}"), 0)).collect();
    let inside = b.global("inside", 0);
    let mut procs = Vec::new();
    for me in 0..N {
        procs.push(b.begin("process"));
        let (t, i) = (b.local("t"), b.local("i"));
        for (l, last) in last.iter().enumerate().skip(1) {
            let (le, mee) = (b.int(l as i32), b.int(me as i32));
            b.store(level[me], le);
            b.store(*last, mee);
            for other in (0..N).filter(|o| *o != me) {
                let again = b.here();
                b.load(t, level[other]);
                let low = b.less(t, l as i32);
                let high = b.not(low);
                b.if_(high, |b| {
                    b.load(t, *last);
                    let mine = b.is(t, me as i32);
                    b.if_(mine, |b| b.goto(again));
                });
            }
        }
        b.load(i, inside);
        let nobody = b.is(i, 0);
        b.assert(nobody);
        let (one, zero) = (b.int(1), b.int(0));
        b.store(inside, one);
        b.store(inside, zero);
        b.store(level[me], zero);
        b.end();
    }
    b.begin("main");
    let handles: Vec<VarId> = procs.iter().map(|p| b.start(*p)).collect();
    handles.into_iter().for_each(|h| b.join(h));
    b.end();
    explore_it("filter lock", &b.program, por);
}
