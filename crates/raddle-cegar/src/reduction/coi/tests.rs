use super::Dcoi;
use crate::domains::precision::Precision;
use crate::model::show;
use crate::model::threads::{At, Thread, Threads};
use crate::model::{ActionId, Model};
use fixedbitset::FixedBitSet;
use raddle_ir::{LocId, ProcId, Program, VarId, parse_text, validate};

/// The running example of the thesis (Figures 4.1 and 4.2), its locations from the beginning of each process.
const RUNNING_EXAMPLE: &str = "
program pointer_bits 64, dynamic_base 0x10000000, entry main

global x #0: bv32 signed = 0i32
global y #1: bv32 signed = 0i32

proc main()
  local t #2: bv64
  at L0, L1, L2
  entry L0, exit L2
  L0 -> L1: t := start p1(0i64)
  L1 -> L2: t := start p2(0i64)

proc p1()
  local a #3: bv32
  at L0, L1, L2, L3, L4
  entry L0, exit L4
  L0 -> L1: store x := 1i32
  L1 -> L2: store y := 1i32
  L2 -> L3: a := load y; assume a != 1i32
  L2 -> L4: a := load y; assume a == 1i32
  L3 -> L4: error call

proc p2()
  local b #4: bv32
  at L0, L1, L2
  entry L0, exit L2
  L0 -> L1: b := load x; store y := b
  L1 -> L2: store x := 0i32
";

const X: VarId = VarId(0);
const Y: VarId = VarId(1);

fn parsed(text: &str) -> Program {
    let program = parse_text(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(validate(&program), Ok(()));
    program
}

/// What tracks some globals by value.
fn tracking(vars: &[VarId]) -> Precision {
    let mut precision = Precision::default();
    vars.iter().for_each(|var| {
        precision.add_var(*var, None);
    });
    precision
}

/// The first process stopped, the others in this order at these locations.
fn at(places: &[(u32, u32)]) -> Threads {
    let mut threads = Threads::first(ProcId(0), LocId(0));
    threads.threads[0].at = At::Stopped;
    let place = |(proc, location): &(u32, u32)| Thread { proc: ProcId(*proc), at: At::Location(LocId(*location)) };
    threads.threads.extend(places.iter().map(place));
    threads
}

fn first_action(model: &mut Model, threads: &Threads, slot: u32) -> ActionId {
    model.actions_of(threads, slot, &|_| None).unwrap()[0]
}

/// What becomes of the first action of a thread.
fn simplified(program: &Program, precision: &Precision, threads: &Threads, slot: u32) -> (String, Vec<usize>) {
    let mut model = Model::new(program).unwrap();
    let tracked = crate::domains::initial_precision::control_variables(model.program);
    let mut dcoi = Dcoi::new(&mut model, tracked);
    let action = first_action(&mut model, threads, slot);
    let done = dcoi.simplify(&model, precision, threads, action);
    let text: Vec<String> = done.statements.iter().map(|statement| show::statement(&model, statement)).collect();
    (text.join("; "), done.relied_on.ones().collect())
}

#[test]
fn at_the_beginning_of_the_running_example_everything_is_observed() {
    let program = parsed(RUNNING_EXAMPLE);
    let (precision, threads) = (tracking(&[X, Y]), at(&[(1, 0), (2, 0)]));
    assert_eq!(simplified(&program, &precision, &threads, 1).0, "x := 1");
    assert_eq!(simplified(&program, &precision, &threads, 2).0, "b@2 := x; y := b@2");
}

#[test]
fn nobody_reads_x_any_more_after_y_got_it() {
    let program = parsed(RUNNING_EXAMPLE);
    let (precision, threads) = (tracking(&[X, Y]), at(&[(1, 0), (2, 1)]));
    assert_eq!(simplified(&program, &precision, &threads, 1), ("havoc x".into(), vec![]));
    assert_eq!(simplified(&program, &precision, &threads, 2), ("havoc x".into(), vec![]));
    assert_eq!(simplified(&program, &precision, &at(&[(1, 1), (2, 1)]), 1).0, "y := 1");
}

#[test]
fn what_is_not_tracked_is_removed_and_what_was_lost_in_it_is_remembered() {
    let program = parsed(RUNNING_EXAMPLE);
    let threads = at(&[(1, 0), (2, 0)]);
    // The lower graph of Figure 4.2. Partial-order reduction relies on that nothing tracks x.
    assert_eq!(simplified(&program, &tracking(&[Y]), &threads, 1), (String::new(), vec![X.index()]));
    // The value of x goes to y only, which is not tracked.
    assert_eq!(simplified(&program, &tracking(&[X]), &threads, 1), ("havoc x".into(), vec![Y.index()]));
    assert_eq!(simplified(&program, &tracking(&[X]), &threads, 2), (String::new(), vec![Y.index()]));
}

/// The variables of a thread that is started later count as soon as it is there, if they say which thread or lock is meant: its handle must not be lost before.
#[test]
fn a_handle_is_kept_for_a_thread_that_is_not_there_yet() {
    let program = parsed(
        "
program pointer_bits 64, dynamic_base 0x10000000, entry main

global x #0: bv64 = 0i64

proc main()
  local t #1: bv64
  at L0, L1, L2
  entry L0, exit L2
  L0 -> L1: store x := 7i64
  L1 -> L2: t := start p1(0i64)

proc p1()
  local h #2: bv64
  at L0, L1, L2
  entry L0, exit L2
  L0 -> L1: h := load x
  L1 -> L2: join h
",
    );
    let threads = Threads::first(ProcId(0), LocId(0));
    assert_eq!(simplified(&program, &tracking(&[X]), &threads, 0), ("x := 7".into(), vec![]));
}

#[test]
fn a_process_that_can_still_be_started_observes() {
    let program = parsed(RUNNING_EXAMPLE);
    let mut threads = at(&[(1, 0)]);
    threads.threads[0].at = At::Location(LocId(1));
    assert_eq!(simplified(&program, &tracking(&[X, Y]), &threads, 1).0, "x := 1");
    threads.threads[0].at = At::Ended;
    assert_eq!(simplified(&program, &tracking(&[X, Y]), &threads, 1).0, "havoc x");
}

#[test]
fn threads_with_the_same_code_observe_each_other() {
    let text = RUNNING_EXAMPLE.replace("store x := 0i32", "b := load y; assume b == x'0; store x := 0i32");
    let program = parsed(&text.replace("b == x'0", "b == 3i32"));
    let precision = tracking(&[X, Y]);
    // The last thread has read x, the first one has not; alone, it does not come back to that.
    assert_eq!(simplified(&program, &precision, &at(&[(2, 0), (2, 1)]), 2).0, "b@2 := y; [(b@2 == 3)]; x := 0");
    assert_eq!(simplified(&program, &precision, &at(&[(2, 1)]), 1).0, "b@1 := y; [(b@1 == 3)]; havoc x");
}

#[test]
fn arguments_and_results_of_threads_are_carried() {
    let program = parsed(
        "
program pointer_bits 64, dynamic_base 0x10000000, entry main

proc main()
  local t #0: bv64
  local r #1: bv64
  at L0, L1, L2, L3, L4
  entry L0, exit L4
  L0 -> L1: t := start twice(3i64)
  L1 -> L2: r := join t
  L2 -> L3: assume r != 6i64
  L3 -> L4: error call

proc twice(a) -> r2
  local a #2: bv64
  local r2 #3: bv64
  at L0, L1, L2
  entry L0, exit L2
  L0 -> L1: r2 := a + a
  L1 -> L2
",
    );
    let mut model = Model::new(&program).unwrap();
    let tracked = crate::domains::initial_precision::control_variables(model.program);
    let mut dcoi = Dcoi::new(&mut model, tracked);
    let mut threads = model.first();
    let mut precision = Precision::default();
    let texts = |model: &Model, statements: &[crate::model::statements::Statement]| {
        statements.iter().map(|statement| show::statement(model, statement)).collect::<Vec<_>>().join("; ")
    };
    let start = first_action(&mut model, &threads, 0);
    let argument = model.action(start).statements[0].written().unwrap();
    precision.add_var(argument, None);
    let done = dcoi.simplify(&model, &precision, &threads, start);
    assert_eq!(texts(&model, &done.statements), "havoc a@1");
    assert!(done.relied_on.contains(3));
    threads = model.step(&threads, start);
    let body = first_action(&mut model, &threads, 1);
    let local = model.action(body).statements[0].written().unwrap();
    threads = model.step(&threads, body);
    let end = first_action(&mut model, &threads, 1);
    let result = model.action(end).statements[0].written().unwrap();
    threads = model.step(&threads, end);
    let join = first_action(&mut model, &threads, 0);
    let joined = model.action(join).statements[1].written().unwrap();
    for var in [local, result, joined] {
        let done = dcoi.simplify(&model, &precision, &model.first(), start);
        assert_eq!(texts(&model, &done.statements), "havoc a@1");
        let mut new = FixedBitSet::new();
        new.grow_and_insert(dcoi.of_code(&model, var).index());
        assert!(!done.relied_on.is_disjoint(&new), "it relies on {}", model.vars.name(&program, var));
        precision.add_var(var, None);
    }
    let done = dcoi.simplify(&model, &precision, &model.first(), start);
    assert_eq!(texts(&model, &done.statements), "a@1 := 3");
}

/// The family of Figure 3.2: so many threads change y, whose last value says how often z is increased by 2.
fn family(threads: u32) -> String {
    let mut text = String::from(
        "
program pointer_bits 64, dynamic_base 0x10000000, entry main

global x #0: bv32 signed
global y #1: bv32 signed = 0i32
global z #2: bv32 signed = 0i32

proc main()
  local t #3: bv64
  local a #4: bv32
  local b #5: bv32
",
    );
    let locations: Vec<String> = (0..threads + 6).map(|i| format!("L{i}")).collect();
    text += &format!("  at {}\n  entry L0, exit L{}\n", locations.join(", "), threads + 5);
    for i in 0..threads {
        text += &format!("  L{i} -> L{}: t := start {}(0i64)\n", i + 1, if i % 2 == 0 { "up" } else { "down" });
    }
    let at = |i: u32| threads + i;
    text += &format!("  L{} -> L{}: a := load y; assume a <s 100i32; b := load z\n", at(0), at(1));
    text += &format!("  L{} -> L{}: store z := b + 2i32\n", at(1), at(0));
    text += &format!("  L{} -> L{}: b := load z; store x := b %u 2i32\n", at(0), at(2));
    text += &format!("  L{} -> L{}: a := load x; assume a != 0i32\n", at(2), at(3));
    text += &format!("  L{} -> L{}: a := load x; assume a == 0i32\n", at(2), at(5));
    text += &format!("  L{} -> L{}: error call\n", at(3), at(4));
    for (name, change, local) in [("up", "+", 6), ("down", "-", 7)] {
        text += &format!("\nproc {name}()\n  local c #{local}: bv32\n  at L0, L1, L2\n  entry L0, exit L2\n");
        text += &format!("  L0 -> L1: c := load y\n  L1 -> L2: store y := c {change} 1i32\n");
    }
    text
}

#[test]
fn in_the_family_of_figure_3_2_no_write_of_y_is_left() {
    for threads in [2, 8, 64] {
        let program = parsed(&family(threads));
        let precision = tracking(&[VarId(0), VarId(2)]);
        let mut places = at(&[]);
        places.threads[0].at = At::Location(LocId(threads));
        let thread = |i| Thread { proc: ProcId(1 + i % 2), at: At::Location(LocId(1)) };
        places.threads.extend((0..threads).map(thread));
        for slot in [1, threads] {
            assert_eq!(simplified(&program, &precision, &places, slot), (String::new(), vec![1]));
        }
    }
}
