//! Store buffers against axioms: random straight-line programs have exactly the outcomes that the axiomatic definitions of SC, TSO and
//! PSO allow (Alglave, Maranget, Tautschnig 2014): coherence in each place, and no cycle in what is globally ordered. The
//! two definitions have nothing in common, so that they check each other.

use raddle_engine::{Budget, Outcome, Silent};
use raddle_explore::{ExploreConfig, explore};
use raddle_interp::{Telling, replay};
use raddle_ir::*;
use raddle_testing::statements::*;
use raddle_testing::{Random, number};
use std::collections::BTreeMap;

const PLACES: usize = 2;
const MODELS: [MemoryModel; 3] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];

#[derive(Clone, Copy, Debug)]
enum Op {
    Load(usize),
    /// Each store has a value of its own.
    Store(usize, i32, Order),
    Swap(usize, i32),
    Fence(Order),
}

fn random_threads(seed: u64) -> Vec<Vec<Op>> {
    let mut dice = Random::new(seed + 1);
    let shape: &[usize] = [&[3, 3][..], &[2, 4], &[2, 2, 2], &[1, 2, 3], &[1, 1, 2, 2]][dice.index(5)];
    let mut value = 0;
    let mut op = || {
        let place = dice.index(PLACES);
        value += 1;
        match dice.index(20) {
            0..8 => Op::Load(place),
            8..15 => Op::Store(place, value, Order::NonAtomic),
            15 => Op::Store(place, value, Order::Release),
            16 => Op::Store(place, value, Order::SeqCst),
            17 => Op::Swap(place, value),
            18 => Op::Fence(Order::SeqCst),
            _ => Op::Fence([Order::Acquire, Order::Release, Order::AcqRel][dice.index(3)]),
        }
    };
    shape.iter().map(|n| (0..*n).map(|_| op()).collect()).collect()
}

/// What the loads and swaps saw, in program order of the threads, and the last values of the places.
type Results = (Vec<i32>, Vec<i32>);

// The axioms.

#[derive(Clone, Copy)]
struct Event {
    thread: usize,
    /// Its operation in the thread.
    at: usize,
    place: usize,
    /// What a write stores.
    writes: Option<i32>,
}

/// A relation on events, as a bit set for each.
#[derive(Clone)]
struct Relation(Vec<u32>);

impl Relation {
    fn add(&mut self, a: usize, b: usize) {
        self.0[a] |= 1 << b;
    }

    fn is_acyclic(&self) -> bool {
        let mut reach = self.0.clone();
        for middle in 0..reach.len() {
            for a in 0..reach.len() {
                if reach[a] >> middle & 1 != 0 {
                    reach[a] |= reach[middle];
                }
            }
        }
        (0..reach.len()).all(|a| reach[a] >> a & 1 == 0)
    }
}

fn events(threads: &[Vec<Op>]) -> Vec<Event> {
    let mut events = Vec::new();
    for (thread, ops) in threads.iter().enumerate() {
        for (at, op) in ops.iter().enumerate() {
            let event = |place, writes| Event { thread, at, place, writes };
            match *op {
                Op::Load(place) => events.push(event(place, None)),
                Op::Store(place, value, _) => events.push(event(place, Some(value))),
                Op::Swap(place, value) => events.extend([event(place, None), event(place, Some(value))]),
                Op::Fence(_) => {}
            }
        }
    }
    events
}

/// Does a thread's earlier event come before a later one for all to see?
fn is_preserved(model: MemoryModel, threads: &[Vec<Op>], a: Event, b: Event) -> bool {
    let ops = &threads[a.thread];
    let seq_cst = |op: &Op| matches!(op, Op::Swap(..) | Op::Fence(Order::SeqCst) | Op::Store(_, _, Order::SeqCst));
    if model == MemoryModel::Sc || a.writes.is_none() || ops[a.at..=b.at].iter().any(seq_cst) {
        return true;
    }
    match model {
        MemoryModel::Tso => b.writes.is_some(),
        // Release stores and fences keep earlier stores before later ones.
        _ => {
            let releases =
                |op: &Op| matches!(op, Op::Fence(Order::Release | Order::AcqRel) | Op::Store(_, _, Order::Release));
            b.writes.is_some() && ops[a.at + 1..=b.at].iter().any(releases)
        }
    }
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, first) in items.iter().enumerate() {
        let rest: Vec<usize> = items.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, item)| *item).collect();
        all.extend(permutations(&rest).into_iter().map(|rest| [&[*first][..], &rest].concat()));
    }
    all
}

/// Which results are allowed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Allowed {
    /// By each place on its own, as all models demand.
    coherent: bool,
    /// By SC, TSO and PSO.
    models: [bool; 3],
}

/// All results in which each load sees the initial value or some store to the place.
fn results(threads: &[Vec<Op>]) -> BTreeMap<Results, Allowed> {
    let events = events(threads);
    let count = events.len();
    let writes_to = |place: usize| -> Vec<usize> {
        (0..count).filter(|e| events[*e].writes.is_some() && events[*e].place == place).collect()
    };
    let reads: Vec<usize> = (0..count).filter(|e| events[*e].writes.is_none()).collect();
    // Coherence: an order of the writes to each place; and for each read what it reads from (`None`: the initial value).
    let mut orders: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for place in 0..PLACES {
        let here = permutations(&writes_to(place));
        orders = orders.iter().flat_map(|o| here.iter().map(|h| [&o[..], std::slice::from_ref(h)].concat())).collect();
    }
    let mut sources: Vec<Vec<Option<usize>>> = vec![Vec::new()];
    for read in &reads {
        let here: Vec<Option<usize>> =
            std::iter::once(None).chain(writes_to(events[*read].place).into_iter().map(Some)).collect();
        sources = sources.iter().flat_map(|s| here.iter().map(|h| [&s[..], &[*h]].concat())).collect();
    }
    let same_thread = |a: usize, b: usize| events[a].thread == events[b].thread;
    let mut results: BTreeMap<Results, Allowed> = BTreeMap::new();
    for order in &orders {
        for source in &sources {
            let mut common = Relation(vec![0; count]);
            for writes in order {
                for (i, w) in writes.iter().enumerate() {
                    writes[i + 1..].iter().for_each(|later| common.add(*w, *later));
                }
            }
            let (mut outer, mut inner) = (common.clone(), common);
            for (read, from) in reads.iter().zip(source) {
                let writes = &order[events[*read].place];
                let next = from.map_or(0, |w| writes.iter().position(|o| *o == w).map_or(0, |at| at + 1));
                for overwriting in &writes[next..] {
                    outer.add(*read, *overwriting);
                    inner.add(*read, *overwriting);
                }
                if let Some(w) = *from {
                    inner.add(w, *read);
                    if !same_thread(w, *read) {
                        outer.add(w, *read);
                    }
                }
            }
            let pairs =
                || (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).filter(|(a, b)| same_thread(*a, *b));
            pairs().filter(|(a, b)| events[*a].place == events[*b].place).for_each(|(a, b)| inner.add(a, b));
            // A swap's write comes right after the write that it read.
            let is_atomic = reads.iter().zip(source).all(|(read, from)| {
                let swap = matches!(threads[events[*read].thread][events[*read].at], Op::Swap(..));
                let writes = &order[events[*read].place];
                let next = from.map_or(0, |w| writes.iter().position(|o| *o == w).map_or(0, |at| at + 1));
                !swap || writes.get(next) == Some(&(read + 1))
            });
            let value = |w: Option<usize>| w.and_then(|w| events[w].writes).unwrap_or(0);
            let seen = source.iter().map(|from| value(*from)).collect();
            let last = order.iter().map(|writes| value(writes.last().copied())).collect();
            let allowed = results.entry((seen, last)).or_default();
            if !is_atomic || !inner.is_acyclic() {
                continue;
            }
            allowed.coherent = true;
            for (i, model) in MODELS.into_iter().enumerate() {
                let mut global = outer.clone();
                for (a, b) in pairs() {
                    if is_preserved(model, threads, events[a], events[b]) {
                        global.add(a, b);
                    }
                }
                if model == MemoryModel::Sc {
                    global.0.iter_mut().zip(&inner.0).for_each(|(a, b)| *a |= b);
                }
                allowed.models[i] |= global.is_acyclic();
            }
        }
    }
    results
}

// The same as a Program.

/// It is an error if the results are these.
fn program(threads: &[Vec<Op>], (seen, last): &Results) -> Program {
    let mut b = Builder::new();
    let places: Vec<VarId> = (0..PLACES).map(|i| b.global(&format!("x{i}"), 0)).collect();
    let results: Vec<VarId> = (0..seen.len()).map(|i| b.global(&format!("r{i}"), -1i32 as u32 as u128)).collect();
    let mut next = results.iter();
    let mut procs = Vec::new();
    for (i, ops) in threads.iter().enumerate() {
        procs.push(b.begin(&format!("thread{i}")));
        let mut loaded = Vec::new();
        for op in ops {
            match *op {
                Op::Load(place) => {
                    let t = b.local("t");
                    b.load(t, places[place]);
                    loaded.push(t);
                }
                Op::Store(place, value, order) => {
                    let value = b.int(value);
                    b.step(vec![Label::Store { place: Place::Var(places[place]), value, order }]);
                }
                Op::Swap(place, value) => {
                    let (t, value) = (b.local("t"), b.int(value));
                    b.step(vec![load(t, places[place]), store(places[place], value)]);
                    loaded.push(t);
                }
                Op::Fence(order) => b.step(vec![Label::Fence(order)]),
            }
        }
        for (t, result) in loaded.into_iter().zip(&mut next) {
            let value = b.get(t);
            b.step(vec![Label::Store { place: Place::Var(*result), value, order: Order::SeqCst }]);
        }
        b.end();
    }
    b.begin("main");
    let handles: Vec<VarId> = procs.into_iter().map(|proc| b.start(proc)).collect();
    handles.into_iter().for_each(|handle| b.join(handle));
    let mut all = b.yes();
    for (var, value) in results.iter().zip(seen).chain(places.iter().zip(last)) {
        let t = b.local("t");
        b.load(t, *var);
        let equal = b.is(t, *value);
        all = b.and(all, equal);
    }
    b.if_(all, |b| b.error());
    b.end();
    b.program
}

#[test]
fn outcomes_are_those_of_the_axioms() {
    let programs = number("RANDOM_PROGRAMS", 60);
    let first = number("RANDOM_FIRST", 0);
    let mut counts: BTreeMap<Allowed, u64> = BTreeMap::new();
    for seed in first..first + programs {
        let threads = random_threads(seed);
        let mut by_kind: BTreeMap<Allowed, Vec<Results>> = BTreeMap::new();
        for (result, allowed) in results(&threads) {
            by_kind.entry(allowed).or_default().push(result);
        }
        let mut dice = Random::new(seed + 1);
        // Three of each kind.
        let samples = by_kind.iter().flat_map(|(allowed, all)| (0..all.len().min(3)).map(move |_| (allowed, all)));
        for (allowed, all) in samples {
            let result = &all[dice.index(all.len())];
            *counts.entry(*allowed).or_default() += 1;
            // Each model allows what the stronger one does.
            assert!(allowed.models.is_sorted(), "seed {seed}: {threads:?} {result:?}");
            let program = program(&threads, result);
            for (i, memory_model) in MODELS.into_iter().enumerate() {
                let (config, budget) = (ExploreConfig::default(), Budget::unlimited());
                let reached = match explore(&program, memory_model, &config, &budget, &Silent).0 {
                    Outcome::Safe(_) => false,
                    Outcome::Unsafe(schedule) => replay(&program, &schedule, Telling::Nothing).end.is_error(),
                    Outcome::Unknown(reason) => panic!("seed {seed}: {}", reason.words),
                };
                let model = memory_model.name();
                assert_eq!(reached, allowed.models[i], "seed {seed} under {model}: {threads:?} {result:?}");
            }
        }
    }
    println!("{counts:#?}");
    assert!(counts.len() >= 5);
}
