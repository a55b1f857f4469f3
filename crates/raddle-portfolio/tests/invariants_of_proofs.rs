//! The invariants of a proof hold, whichever engine found it: of random programs that are safe, each invariant is evaluated in all states that random runs of the Program as lowered
//! go through, whenever a thread is at its location.
//!
//! `RADDLE_CASES=2000 cargo test --release -p raddle-portfolio --test invariants_of_proofs -- --nocapture` looks at more programs; `RADDLE_SEED` says where to begin.

use raddle_bounded::{Imc, ImcConfig, ImcForm, Kind, KindConfig};
use raddle_cegar::{Cegar, CegarConfig, Coi, Domain, InitialPrecision, Lbe, Por};
use raddle_engine::{Budget, Engine, Facts, Invariant, Invariants, Outcome, Silent, Task};
use raddle_interp::machine::code::{Code, compile};
use raddle_interp::machine::oracle::{Ask, Oracle};
use raddle_interp::machine::state::{Machine, Status, outgoing};
use raddle_interp::machine::step::{Flow, end_thread, take_edge};
use raddle_invariants::{InvariantsConfig, Modular, ModularConfig};
use raddle_ir::{MemoryModel, Sort, Value, VarId, eval};
use raddle_testing::random_c::{self, instances, stalls, waits};
use raddle_testing::{DataModel, Random, lowered_for, number};
use std::fmt::Write;
use std::time::Duration;

/// Values are small mostly, so that conditions go both ways.
struct Chance(Random);

impl Oracle for Chance {
    const NARROW: bool = false;

    fn choose(&mut self, ask: &Ask) -> u128 {
        ask.fit(match self.0.below(4) {
            0 => u128::from(self.0.below(u64::MAX)) << 64 | u128::from(self.0.below(u64::MAX)),
            1 => u128::MAX,
            _ => u128::from(self.0.below(6)),
        })
    }

    fn pick(&mut self, ways: u32) -> u32 {
        self.0.below(ways.into()) as u32
    }
}

/// The value of a variable of an invariant, as a thread sees it; `None` if it is not determined yet.
fn value(code: &Code, machine: &Machine, thread: u32, invariants: &Invariants, var: VarId) -> Option<u128> {
    if let Some((_, object)) = invariants.objects.iter().find(|(known, _)| *known == var) {
        let object = &machine.memory.objects[object.index()];
        let bytes = object.bytes.len();
        return (object.any_mask(0, bytes) == 0).then(|| object.read(0, bytes));
    }
    let of = |slots: &raddle_interp::machine::state::Slots, at: u32, sort: Sort| {
        (!slots.any[at as usize]).then(|| slots.get(at, sort))
    };
    let is = |shared: &&raddle_interp::machine::code::SharedSlot| shared.var == var;
    if let Some(global) = code.globals.iter().find(is) {
        return of(&machine.globals, global.slot, global.sort);
    }
    let running = &machine.threads[thread as usize];
    if let Some(own) = code.owns.iter().find(is) {
        return of(&running.own, own.slot, own.sort);
    }
    let proc = machine.top(thread).proc as usize;
    let position = code.program.procs[proc].locals.iter().position(|local| *local == var);
    let slot = code.procs[proc].slots[position.unwrap_or_else(|| panic!("{var:?} is not in scope"))];
    of(&running.slots, machine.position(thread, slot.index), slot.sort)
}

/// Runs the Program once; each invariant that is violated, and how often one was evaluated.
fn run(code: &Code, invariants: &Invariants, seed: u64, evaluated: &mut usize) -> Result<(), Invariant> {
    let mut random = Chance(Random::new(seed));
    let mut machine = Machine::new(code);
    for _ in 0..400 {
        for thread in 0..machine.threads.len() as u32 {
            let is_visible = machine.atomic.is_none_or(|inside| inside == thread);
            if machine.threads[thread as usize].status != Status::Running || !is_visible {
                continue;
            }
            let top = *machine.top(thread);
            for invariant in invariants.all.iter().filter(|i| (i.proc.0, i.loc.0) == (top.proc, top.loc)) {
                let mut env = |var| value(code, &machine, thread, invariants, var).map(Value::Bits).ok_or(());
                // What is not determined yet has any value.
                let Ok(holds) = eval::eval(&invariants.pool, invariant.cond, &mut env) else { continue };
                *evaluated += 1;
                if holds.bits() == 0 {
                    return Err(*invariant);
                }
            }
        }
        let all = (0..machine.threads.len() as u32).filter(|t| machine.atomic.is_none_or(|inside| inside == *t));
        let able: Vec<u32> = all.filter(|t| machine.threads[*t as usize].status == Status::Running).collect();
        if able.is_empty() {
            return Ok(());
        }
        let thread = able[random.0.index(able.len())];
        if machine.at_end(code, thread) {
            if end_thread(code, &mut machine, thread, &mut random) != Flow::Done {
                return Ok(());
            }
            continue;
        }
        let edges = outgoing(code, &machine, thread).to_vec();
        for i in 0..edges.len() {
            let edge = edges[(i + seed as usize) % edges.len()];
            machine.journal.on = true;
            let flow = take_edge(code, &mut machine, thread, edge, &mut random);
            if flow != Flow::Done {
                machine.undo_to(0);
            }
            machine.journal.on = false;
            machine.journal.entries.clear();
            match flow {
                Flow::Done => break,
                Flow::Blocked(_) | Flow::Infeasible => {}
                _ => return Ok(()),
            }
        }
    }
    Ok(())
}

/// Loops in functions that are called from several places; copies of variables, and values that nothing reads any more.
fn sequential(seed: u64) -> String {
    let mut dice = Random::new(seed + 1);
    (0..8).for_each(|_| {
        dice.index(2);
    });
    let mut out = String::from(
        "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\nextern void reach_error(void);\n\
         int g = 1, h;\nunsigned char c;\nint cell;\nint *pointer = &cell;\n",
    );
    let names = ["a", "b", "d", "g", "h", "c", "cell"];
    for f in 0..3 {
        let params = if f == 2 { "void" } else { "int a" };
        let name = if f == 2 { "main" } else { ["f0", "f1"][f] };
        let locals = if f == 2 { "int a = 0, b = 1, d = 2;" } else { "int b = 1, d;\n  d = a;" };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "int {name}({params}) {{\n  {locals}");
        statements(&mut dice, &mut out, &names, f, 0);
        if f == 2 {
            let (x, n) = (names[dice.index(7)], dice.index(4));
            let _ = writeln!(out, "  if ({x} == {n} - 9) reach_error();");
        }
        let _ = writeln!(out, "  return {};\n}}", names[dice.index(7)]);
    }
    out
}

fn statements(dice: &mut Random, out: &mut String, names: &[&str; 7], f: usize, depth: usize) {
    for i in 0..2 + dice.index(4) {
        let (x, y, n) = (names[dice.index(7)], names[dice.index(7)], dice.index(5));
        let _ = match dice.index(10) {
            0 | 1 if depth < 2 => {
                let counter = format!("i{depth}_{i}");
                let _ = write!(out, "for (int {counter} = 0; {counter} < {n}; {counter}++) {{\n{x} = {y} + {counter};");
                statements(dice, out, names, f, depth + 1);
                writeln!(out, "}}")
            }
            2 if depth < 2 => {
                let _ = writeln!(out, "while ({x} < {n}) {{ {x}++;");
                statements(dice, out, names, f, depth + 1);
                writeln!(out, "}}")
            }
            3 if depth < 2 => {
                let _ = writeln!(out, "if ({x} > {n}) {{");
                statements(dice, out, names, f, depth + 1);
                writeln!(out, "}}")
            }
            4 if f > 0 => writeln!(out, "{x} = f{}({y});", dice.index(f)),
            5 => writeln!(out, "{x} = __VERIFIER_nondet_int(); if ({x} < 0 || {x} > 3) {x} = {n};"),
            6 => writeln!(out, "*pointer = {y};"),
            7 => writeln!(out, "{x} = {n};"),
            _ => writeln!(out, "{x} = {y};"),
        };
    }
}

fn config(number: u64) -> CegarConfig {
    let pick = |n: u64| (number / 7 % n) as usize;
    let initial = [InitialPrecision::Empty, InitialPrecision::AllVars, InitialPrecision::AllAssumes];
    CegarConfig {
        domain: [Domain::ExplPred, Domain::Expl, Domain::PredCart, Domain::PredSplit, Domain::PredBool][pick(5)],
        initial: initial[pick(3)],
        coi: [Coi::Dynamic, Coi::Both, Coi::None][pick(4).min(2)],
        lbe: [None, Some(Lbe::Full), Some(Lbe::None)][pick(7).min(2)],
        por: [Por::Best, Por::None][pick(2)],
        witnessed: number.is_multiple_of(2),
        ..CegarConfig::default()
    }
}

/// How many proofs were looked at, their invariants, and how often these were evaluated.
#[derive(Default, Debug)]
struct Seen {
    safe: usize,
    with_invariants: usize,
    invariants: usize,
    evaluated: usize,
}

/// Runs an engine on a program, and the program where there is a proof.
fn look(engine: &dyn Engine, seconds: u64, (model, text): (DataModel, &str), seed: u64, seen: &mut Seen) {
    let task = Task::new(lowered_for(model, text), MemoryModel::Sc);
    let conclusion = engine.run(&task, &Facts::default(), &Budget::of_time(Duration::from_secs(seconds)), &Silent);
    let Outcome::Safe(proof) = conclusion.outcome else { return };
    seen.safe += 1;
    seen.with_invariants += usize::from(!proof.invariants.all.is_empty());
    seen.invariants += proof.invariants.all.len();
    let Ok(code) = compile(task.program()) else { return };
    for run_seed in 0..60 {
        if let Err(wrong) = run(&code, &proof.invariants, seed * 1000 + run_seed, &mut seen.evaluated) {
            let words = proof.invariants.to_c(task.program(), wrong);
            let name = engine.name();
            panic!("seed {seed} ({model:?}), {name}: {wrong:?} {words:?}\n{:?}\n{text}", proof.invariants);
        }
    }
}

/// The programs of a kind, of which a generator makes one by its number.
fn seeds(cases: u64) -> impl Iterator<Item = (u64, DataModel)> {
    let first = number("RADDLE_SEED", 0);
    let model = |seed: u64| if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    (first..first + number("RADDLE_CASES", cases)).map(move |seed| (seed, model(seed)))
}

/// At least so many proofs must have had invariants, of which so many were evaluated.
fn all_hold(engine: &dyn Engine, generate: impl Fn(u64) -> String, cases: u64, [proofs, evaluated]: [usize; 2]) {
    let mut seen = Seen::default();
    for (seed, model) in seeds(cases) {
        look(engine, 1, (model, &generate(seed)), seed, &mut seen);
    }
    println!("{}: {seen:?}", engine.name());
    let is_asked = number("RADDLE_CASES", cases) >= cases;
    assert!(!is_asked || seen.with_invariants >= proofs && seen.evaluated >= evaluated, "too few: {seen:?}");
}

#[test]
fn of_abstractions() {
    let mut seen = Seen::default();
    for (seed, _) in seeds(60) {
        let text = if seed % 3 == 0 { random_c::program(seed) } else { sequential(seed) };
        look(&Cegar(config(seed)), 2, (DataModel::Lp64, &text), seed, &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.with_invariants > 0 && seen.evaluated > 0, "{seen:?}");
}

/// The same program again and again, with inputs: what one round leaves behind is what the next one begins with.
fn repeated(text: &str) -> String {
    let again = "extern int any_more(void);\nint main(void) { while (any_more()) once(); return 0; }";
    format!("{}\n{again}", text.replace("int main(", "int once("))
}

/// Loops and calls, some of them under another loop; records and pointers.
fn in_one_thread(seed: u64) -> String {
    match seed % 4 {
        0 | 1 => sequential(seed),
        2 => repeated(&sequential(seed)),
        _ => random_c::sequential::program(seed),
    }
}

fn in_threads(seed: u64) -> String {
    match seed % 5 {
        0..=2 => instances::program(seed),
        3 => random_c::program(seed),
        _ if seed.is_multiple_of(2) => stalls::program(seed),
        _ => waits::program(seed),
    }
}

#[test]
fn of_inductions() {
    all_hold(&Kind(KindConfig::default()), in_one_thread, 40, [8, 5_000]);
}

#[test]
fn of_interpolants() {
    all_hold(&Imc(ImcConfig::default()), in_one_thread, 30, [5, 3_000]);
    let alone = ImcConfig { facts: false, ..ImcConfig::default() };
    all_hold(&Imc(alone), in_one_thread, 20, [1, 20]);
    let sequence = ImcConfig { form: ImcForm::Sequence, ..ImcConfig::default() };
    all_hold(&Imc(sequence), in_one_thread, 20, [1, 20]);
}

#[test]
fn of_inductive_invariants() {
    let engine = raddle_invariants::Invariants(InvariantsConfig::default());
    all_hold(&engine, in_one_thread, 30, [8, 5_000]);
    all_hold(&engine, in_threads, 30, [4, 10_000]);
}

#[test]
fn of_inductive_invariants_of_two_threads() {
    all_hold(&Modular(ModularConfig::default()), in_threads, 20, [2, 5_000]);
}

/// Where an access hits none of its candidates, the path ends before the variable is written. What the variable held before, whose writes may be gone, is not read there.
#[test]
fn of_a_variable_that_an_invalid_access_would_not_write() {
    let engine = raddle_invariants::Invariants(InvariantsConfig { time: 60_000, ..InvariantsConfig::default() });
    let mut seen = Seen::default();
    look(&engine, 60, (DataModel::Lp64, &instances::program(1050)), 1050, &mut seen);
    assert!(seen.evaluated > 0, "{seen:?}");
}
