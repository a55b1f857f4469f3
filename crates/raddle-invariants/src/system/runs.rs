//! The test that everything rests on: whatever a thread does in a run of raddle-interp is a step of the System.
//!
//! Random programs run on concrete values. Before and after each step of a thread between two places, the values of globals, of the thread's locals and thread-local variables, of the
//! parameter of a thread that it starts and of the parts of locks go to a solver: some step of the System must lead from the one to the other, for some choices. The address that may be any
//! is one of the locks, at random. Not looked at: contents of memory arrays (any value may be loaded), floats, what is undetermined in the run.
//!
//! `RADDLE_CASES=2000 cargo test --release -p raddle-invariants --lib runs -- --nocapture` looks at more programs.

use super::{ANY_LOCK, At, MOVER, NEW, System, Target};
use raddle_engine::Task;
use raddle_interp::machine::code::{Code, compile};
use raddle_interp::machine::oracle::{Ask, Oracle};
use raddle_interp::machine::state::{Machine, Status};
use raddle_interp::machine::step::{Flow, end_thread, take_edge};
use raddle_ir::locks::EXCLUSIVE;
use raddle_ir::{Const, ExprId, LocId, MemoryModel, ProcId, Program, Sort};
use raddle_model::instances::Origin;
use raddle_smt::{Answer, NativeSolver, Solver};
use raddle_testing::random_c::{self, arrays, instances, sequential, stalls, waits};
use raddle_testing::{DataModel, Random, lowered_for, number, random_program};

/// Draws values.
struct Dice(Random);

impl Oracle for Dice {
    const NARROW: bool = false;

    fn choose(&mut self, ask: &Ask) -> u128 {
        let bits = match self.0.below(3) {
            0 | 1 => self.0.below(5).into(),
            _ => u128::from(self.0.below(u64::MAX)),
        };
        ask.fit(bits & raddle_ir::eval::mask(ask.sort.bits().unwrap_or(1)))
    }

    fn pick(&mut self, ways: u32) -> u32 {
        self.0.below(ways.into()) as u32
    }
}

/// Values of variables of the System, with the thread in slot `MOVER`.
type Values = Vec<(Origin, Sort, u128)>;

fn place(code: &Code, machine: &Machine, thread: u32) -> At {
    let top = machine.top(thread);
    let has_ended = machine.threads[thread as usize].status == Status::Ended;
    let loc = if has_ended { code.procs[top.proc as usize].exit } else { top.loc };
    At { proc: ProcId(top.proc), loc: LocId(loc) }
}

fn values(system: &System, code: &Code, machine: &Machine, thread: u32, any: u64) -> Values {
    let mut all = Values::new();
    let is_plain = |sort: Sort| matches!(sort, Sort::Bool | Sort::Bits(_));
    let of = &machine.threads[thread as usize];
    for slot in code.globals.iter().filter(|slot| is_plain(slot.sort) && !machine.globals.any[slot.slot as usize]) {
        all.push((Origin::Global(slot.var), slot.sort, machine.globals.get(slot.slot, slot.sort)));
    }
    for slot in code.owns.iter().filter(|slot| is_plain(slot.sort) && !of.own.any[slot.slot as usize]) {
        let origin = Origin::Instance { slot: MOVER, var: slot.var };
        all.push((origin, slot.sort, of.own.get(slot.slot, slot.sort)));
    }
    let top = machine.top(thread);
    for slot in code.procs[top.proc as usize].slots.iter().filter(|slot| is_plain(slot.sort)) {
        let at = top.base + slot.index;
        if !of.slots.any[at as usize] {
            let origin = Origin::Instance { slot: MOVER, var: slot.var };
            all.push((origin, slot.sort, of.slots.get(at, slot.sort)));
        }
    }
    for &address in &system.locks {
        let lock = machine.locks.get(if address == ANY_LOCK { any } else { address });
        let readers: u32 = lock.readers.iter().map(|(_, times)| times).sum();
        let mine = lock.readers.iter().find(|(reader, _)| *reader == thread).map_or(0, |(_, times)| *times);
        let word = if lock.owner.is_some() { EXCLUSIVE } else { readers };
        let held = if lock.owner == Some(thread) { lock.depth } else { 0 };
        let sort = Sort::Bits(raddle_ir::locks::PART_BITS);
        for (part, value) in [
            (Origin::LockWord(address), word),
            (Origin::LockKind(address), lock.kind.into()),
            (Origin::Held { slot: MOVER, address }, held),
            (Origin::HeldShared { slot: MOVER, address }, mine),
        ] {
            all.push((part, sort, value.into()));
        }
    }
    all
}

/// What a thread did between two places.
struct Move {
    from: At,
    to: Target,
    before: Values,
    after: Values,
    handle: u128,
    any: u64,
    /// The process, the handle and the parameter of a thread that it started.
    started: Option<(ProcId, u128, Values)>,
    /// Handles of the threads that had not ended.
    running: Vec<u128>,
}

/// Is there a step for it?
fn is_step(system: &mut System, solver: &mut NativeSolver, what: &Move) -> bool {
    let pointer = system.program.pointer_sort();
    let var = |system: &mut System, origin: Origin, sort: Sort| match origin {
        Origin::Global(id) => system.pool.var(id, sort),
        _ => {
            let id = system.vars.make(origin, sort, None);
            system.pool.var(id, sort)
        }
    };
    let is = |system: &mut System, expr: ExprId, sort: Sort, bits: u128| {
        let value = system.pool.constant(Const { sort, bits });
        system.pool.eq(expr, value)
    };
    for step in 0..system.steps.len() {
        let shape = &system.steps[step];
        let (joins, starts) = (shape.joins.clone(), shape.starts);
        if shape.source != what.from || shape.target != what.to || starts != what.started.as_ref().map(|new| new.0) {
            continue;
        }
        let mut conds = vec![shape.cond];
        for &(origin, sort, bits) in &what.before {
            let before = var(system, origin, sort);
            conds.push(is(system, before, sort, bits));
        }
        if system.follows_any_lock() {
            let any = system.any_address();
            conds.push(is(system, any, pointer, what.any.into()));
        }
        let handle = system.handle(MOVER);
        conds.push(is(system, handle, pointer, what.handle));
        if matches!(what.to, Target::At(_)) {
            for &(origin, sort, bits) in &what.after {
                let now = var(system, origin, sort);
                let after = system.after(step, now);
                conds.push(is(system, after, sort, bits));
            }
        }
        if let Some((_, handle, params)) = &what.started {
            let new = system.handle(NEW);
            let new = system.after(step, new);
            conds.push(is(system, new, pointer, *handle));
            for &(origin, sort, bits) in params {
                let now = var(system, origin, sort);
                let after = system.after(step, now);
                conds.push(is(system, after, sort, bits));
            }
        }
        for join in joins {
            for &running in &what.running {
                let is_it = is(system, join, pointer, running);
                conds.push(system.pool.not(is_it));
            }
        }
        if !matches!(solver.check(&system.pool, &conds), Ok(Answer::Unsat)) {
            return true;
        }
    }
    false
}

/// How many moves of one run were compared, and how many of those that differ a little were refused; what went wrong, in words.
fn run(program: &Program, seed: u64) -> Result<[u64; 3], String> {
    let (Ok(code), Ok(mut system)) = (compile(program), System::new(program, program.pool.clone(), &[])) else {
        return Ok([0; 3]);
    };
    let mut solver = NativeSolver::new();
    let (mut random, mut dice) = (Random::new(seed), Dice(Random::new(seed ^ 0x5eed)));
    let mut machine = Machine::new(&code);
    let [mut compared, mut wrong, mut refused] = [0; 3];
    'turns: for _ in 0..120 {
        let ready = |t: &u32| machine.threads[*t as usize].status == Status::Running;
        let threads: Vec<u32> = (0..machine.threads.len() as u32).filter(ready).collect();
        if threads.is_empty() {
            break;
        }
        let thread = random.pick(&threads);
        if machine.at_end(&code, thread) {
            if end_thread(&code, &mut machine, thread, &mut dice) != Flow::Done {
                break;
            }
            continue;
        }
        let begin = machine.clone();
        let from = place(&code, &machine, thread);
        let mut target = None;
        for _ in 0..200 {
            let mut edges = raddle_interp::machine::state::outgoing(&code, &machine, thread).to_vec();
            let first = random.index(edges.len());
            edges.rotate_left(first);
            let mut went = false;
            for edge in edges {
                let mark = machine.clone();
                match take_edge(&code, &mut machine, thread, edge, &mut dice) {
                    Flow::Done => went = true,
                    Flow::Blocked(_) | Flow::Infeasible => machine = mark,
                    Flow::Error(_) => (target, went) = (Some(Target::Error), true),
                    Flow::Halt(_) => (target, went) = (Some(Target::End), true),
                    Flow::Hazard(..) | Flow::Unsupported(_) => break 'turns,
                }
                if went {
                    break;
                }
            }
            if !went {
                // It waits, or the path ends.
                machine = begin.clone();
                continue 'turns;
            }
            let at = place(&code, &machine, thread);
            let has_ended = machine.threads[thread as usize].status == Status::Ended;
            let ends = at.proc == program.entry && system.is_end(at) && !has_ended;
            let cut = program.proc(at.proc).locations[at.loc.index()].kind.is_cut_off();
            target = target.or(match (cut, ends) {
                (true, _) => Some(Target::CutOff),
                (_, true) => Some(Target::End),
                _ if system.is_alone(at) => None,
                _ => Some(Target::At(at)),
            });
            if target.is_some() {
                break;
            }
        }
        let Some(to) = target else { break };
        let locks: Vec<u64> = begin.locks.list.iter().chain(&machine.locks.list).map(|lock| lock.0).collect();
        let others: Vec<u64> = locks.into_iter().filter(|lock| !system.locks.contains(lock)).collect();
        let any = if others.is_empty() { 1 } else { random.pick(&others) };
        let started = (begin.threads.len()..machine.threads.len()).next().map(|new| {
            let proc = ProcId(machine.top(new as u32).proc);
            let params = program.proc(proc).params.iter().take(1);
            let known = values(&system, &code, &machine, new as u32, any);
            let params = params.filter_map(|param| {
                let mine = Origin::Instance { slot: MOVER, var: *param };
                let (_, sort, bits) = known.iter().find(|(origin, ..)| *origin == mine)?;
                Some((Origin::Instance { slot: NEW, var: *param }, *sort, *bits))
            });
            (proc, new as u128, params.collect())
        });
        let is_running = |t: &usize| machine.threads[*t].status != Status::Ended;
        let mut what = Move {
            from,
            to,
            before: values(&system, &code, &begin, thread, any),
            after: values(&system, &code, &machine, thread, any),
            handle: thread.into(),
            any,
            started,
            running: (0..begin.threads.len()).filter(is_running).map(|t| t as u128).collect(),
        };
        if !is_step(&mut system, &mut solver, &what) {
            return Err(format!("thread {thread} went from {from:?} to {to:?}: {:?} to {:?}", what.before, what.after));
        }
        compared += 1;
        if compared % 8 == 0 && matches!(to, Target::At(_)) && !what.after.is_empty() {
            let changed = random.index(what.after.len());
            what.after[changed].2 ^= 1;
            wrong += 1;
            refused += u64::from(!is_step(&mut system, &mut solver, &what));
        }
        if !matches!(to, Target::At(_)) {
            break;
        }
    }
    Ok([compared, wrong, refused])
}

fn compare(program: Program, seed: u64, sum: &mut [u64; 3]) {
    let task = Task::new(program, MemoryModel::Sc);
    let Ok((program, None)) = crate::program_of(&task, false) else { return };
    for i in 0..4 {
        let counts = run(&program, 4 * seed + i).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
}

#[test]
fn all_that_threads_do_are_steps() {
    let first = number("RADDLE_SEED", 0);
    let generators = [
        instances::program as fn(u64) -> String,
        random_c::program,
        stalls::program,
        waits::program,
        arrays::program,
        sequential::program,
    ];
    let mut sum = [0; 3];
    for seed in first..first + number("RADDLE_CASES", 8) {
        compare(random_program(seed), seed, &mut sum);
        for generate in generators {
            let model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
            compare(lowered_for(model, &generate(seed)), seed, &mut sum);
        }
    }
    let [compared, wrong, refused] = sum;
    println!("{compared} moves; of {wrong} wrong ones, {refused} were refused");
    // A value that a step reads from memory or from outside may be any.
    assert!(compared > 0 && 2 * refused > wrong, "{sum:?}");
}
