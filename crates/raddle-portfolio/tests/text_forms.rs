//! What people see of a small program: its forms as text, and the trace that each engine's counterexample is told by. `UPDATE_EXPECT=1 cargo test --test text_forms`
//! writes what is seen now.

use expect_test::expect;
use raddle_engine::{Blocks, Budget, Facts, Form, Outcome, Silent, Task, Telling};
use raddle_ir::{MemoryModel, to_text};
use raddle_passes::Lbe;
use raddle_portfolio::{Registry, Settings};
use raddle_testing::lowered;
use std::time::Duration;

/// Two threads, each with a function of its own; one of them calls another function twice, which is inlined.
const PROGRAM: &str =
    "typedef unsigned long pthread_t; void reach_error(void); unsigned char __VERIFIER_nondet_uchar(void);
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int x, y;
static int twice(int of) { return of + of; }
void *doubler(void *arg) { int in = __VERIFIER_nondet_uchar(); x = twice(twice(in)); return 0; }
void *copier(void *arg) { int seen = x; if (seen > 7) y = seen; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, doubler, 0);
  pthread_create(&b, 0, copier, 0);
  if (y == 12) reach_error();
}
";

fn task() -> Task {
    Task::new(lowered(PROGRAM), MemoryModel::Sc)
}

/// The trace of the counterexample that an engine finds: thread, function, line, what happens.
fn trace(engine: &str) -> String {
    let task = task();
    let registry = Registry::new(&Settings::default());
    let engine = registry.get(engine).expect("it is registered");
    let budget = Budget::of_time(Duration::from_secs(20));
    let outcome = engine.run(&task, &Facts::default(), &budget, &Silent).outcome;
    let Outcome::Unsafe(schedule) = outcome else { panic!("{outcome:?}") };
    let trace = task.trace(&schedule, Telling::All).expect("it was confirmed");
    let told = trace.steps.iter().filter(|step| !step.text.is_empty()).map(|step| {
        let function = &task.program().proc(step.proc).name;
        format!("{} {function} line {}: {}\n", step.thread, step.span.line, step.text)
    });
    told.collect::<String>() + &trace.end + "\n"
}

#[test]
fn as_lowered() {
    expect![[r#"
        program pointer_bits 64, dynamic_base 0x100000000000, entry main

        file "test.c"
        file "<library>"
        global x #0: bv32 signed = 0i32 @ test.c:3:5
        global y #1: bv32 signed = 0i32 @ test.c:3:8
        object doubler: 1 bytes at 0x100100000, function doubler @ test.c:5:7
        object copier: 1 bytes at 0x100100010, function copier @ test.c:6:7

        proc main() -> result @ test.c:7:5
          local result #2: bv32 signed @ test.c:7:5
          local v'3 named "&a" #3: bv64 @ test.c:7:5
          local v'4 named "&b" #4: bv64 @ test.c:7:5
          local tmp'5 #5: bv64 @ test.c:9:35
          local tmp'6 #6: bv64 @ test.c:10:34
          local tmp'7 #7: bv32 @ test.c:11:3
          at L0 @ test.c:7:5, L1 @ test.c:7:5, L2 @ test.c:7:5, L3 @ test.c:9:3, L4 @ test.c:10:3, L5 @ test.c:11:3, L6 @ test.c:11:3, L7 @ test.c:11:3
          at L8 @ test.c:11:3, L9 @ test.c:11:3, L10 @ test.c:11:16, L11 @ test.c:11:16, L12 @ test.c:11:16, L13 @ test.c:12:1, L14 @ test.c:12:1, L15 @ test.c:12:1
          at L16 @ test.c:12:1
          entry L0, exit L2
          L0 -> L1: v'3 := alloc.stack 8i64; v'4 := alloc.stack 8i64 @ test.c:7:5
          L1 -> L3: tmp'5 := start doubler(0i64); store [v'3] := tmp'5 @ test.c:9:3
          L3 -> L4: tmp'6 := start copier(0i64); store [v'4] := tmp'6 @ test.c:10:3
          L4 -> L8: tmp'7 := load y @ test.c:11:3
          L8 -> L5: assume tmp'7 == 12i32 @ test.c:11:3
          L8 -> L6: assume tmp'7 != 12i32 @ test.c:11:3
          L5 -> L10: error call @ test.c:11:16
          L11 -> L7 @ test.c:11:16
          L6 -> L7 @ test.c:11:16
          L7 -> L13: result := 0i32 @ test.c:12:1
          L13 -> L2 @ test.c:12:1
          L14 -> L15: result := 0i32 @ test.c:12:1
          L15 -> L2 @ test.c:12:1

        proc doubler(arg) -> result @ test.c:5:7
          local result #12: bv64 @ test.c:5:7
          local arg #13: bv64 @ test.c:5:7
          local in #14: bv32 signed @ test.c:5:7
          local tmp'15 #15: bv8 @ test.c:5:61
          local tmp'16 #16: bv32 @ test.c:5:64
          local tmp'17 #17: bv32 @ test.c:5:64
          at L0 @ test.c:5:7, L1 @ test.c:5:7, L2 @ test.c:5:7, L3 @ test.c:5:32, L4 @ test.c:5:64, L5 @ test.c:5:64, L6 @ test.c:5:64, L7 @ test.c:5:86
          at L8 @ test.c:5:86, L9 @ test.c:5:96
          entry L0, exit L2
          L0 -> L1 @ test.c:5:7
          L1 -> L3: tmp'15 := havoc input; in := zext32(tmp'15) @ test.c:5:32
          L3 -> L4: tmp'16 := call twice(in) @ test.c:5:64
          L4 -> L5: tmp'17 := call twice(tmp'16) @ test.c:5:64
          L5 -> L6: store x := tmp'17 @ test.c:5:64
          L6 -> L7: result := 0i64 @ test.c:5:86
          L7 -> L2 @ test.c:5:86
          L8 -> L2 @ test.c:5:96

        proc copier(arg) -> result @ test.c:6:7
          local result #8: bv64 @ test.c:6:7
          local arg #9: bv64 @ test.c:6:7
          local seen #10: bv32 signed @ test.c:6:7
          local tmp #11: bv32 @ test.c:6:31
          at L0 @ test.c:6:7, L1 @ test.c:6:7, L2 @ test.c:6:7, L3 @ test.c:6:31, L4 @ test.c:6:41, L5 @ test.c:6:41, L6 @ test.c:6:41, L7 @ test.c:6:41
          at L8 @ test.c:6:55, L9 @ test.c:6:55, L10 @ test.c:6:65, L11 @ test.c:6:65, L12 @ test.c:6:75
          entry L0, exit L2
          L0 -> L1 @ test.c:6:7
          L1 -> L3: tmp := load x; seen := tmp @ test.c:6:31
          L3 -> L4: assume 7i32 <s seen @ test.c:6:41
          L3 -> L5: assume seen <s 8i32 @ test.c:6:41
          L4 -> L8: store y := seen @ test.c:6:55
          L8 -> L6 @ test.c:6:55
          L5 -> L6 @ test.c:6:55
          L6 -> L10: result := 0i64 @ test.c:6:65
          L10 -> L2 @ test.c:6:65
          L11 -> L2 @ test.c:6:75

        proc twice(of'19) -> result @ test.c:4:12
          local result #18: bv32 signed @ test.c:4:12
          local of'19 #19: bv32 signed @ test.c:4:12
          at L0 @ test.c:4:12, L1 @ test.c:4:12, L2 @ test.c:4:12, L3 @ test.c:4:28, L4 @ test.c:4:28, L5 @ test.c:4:44
          entry L0, exit L2
          L0 -> L1 @ test.c:4:12
          L1 -> L3: result := of'19 + of'19 @ test.c:4:28
          L3 -> L2 @ test.c:4:28
          L4 -> L2 @ test.c:4:44
    "#]].assert_eq(&to_text(task().program()));
}

#[test]
fn simplified() {
    let program = task().prepared(Form::Simplified).expect("it is small");
    expect![[r#"
        program pointer_bits 64, dynamic_base 0x100000000000, entry main

        file "test.c"
        file "<library>"
        global x #0: bv32 signed = 0i32 @ test.c:3:5
        global y #1: bv32 signed = 0i32 @ test.c:3:8

        proc main() -> result @ test.c:7:5
          local result #2: bv32 signed @ test.c:7:5
          local tmp'3 #3: bv64 @ test.c:9:35
          local tmp'4 #4: bv64 @ test.c:10:34
          local tmp'5 #5: bv32 @ test.c:11:3
          at L0 @ test.c:7:5, L1 @ test.c:7:5, L2 @ test.c:9:3, L3 @ test.c:10:3, L4 @ test.c:11:3, L5 @ test.c:11:16
          entry L0, exit L1
          L0 -> L2: tmp'3 := start doubler(0i64) @ test.c:9:3
          L2 -> L3: tmp'4 := start copier(0i64) @ test.c:10:3
          L3 -> L4: tmp'5 := load y @ test.c:11:3
          L4 -> L5: assume tmp'5 == 12i32; error call @ test.c:11:16
          L4 -> L1: assume tmp'5 != 12i32; result := 0i32 @ test.c:12:1

        proc doubler(arg) -> result @ test.c:5:7
          local result #9: bv64 @ test.c:5:7
          local arg #10: bv64 @ test.c:5:7
          local in #11: bv32 signed @ test.c:5:7
          local tmp'12 #12: bv8 @ test.c:5:61
          local tmp'13 #13: bv32 @ test.c:5:64
          local tmp'14 #14: bv32 @ test.c:5:64
          at L0 @ test.c:5:7, L1 @ test.c:5:7, L2 @ test.c:5:32, L3 @ test.c:5:64, L4 @ test.c:5:64, L5 @ test.c:5:86
          entry L0, exit L1
          L0 -> L2: tmp'12 := havoc input; in := zext32(tmp'12) @ test.c:5:32
          L2 -> L3: tmp'13 := call twice(in) @ test.c:5:64
          L3 -> L4: tmp'14 := call twice(tmp'13) @ test.c:5:64
          L4 -> L5: store x := tmp'14; result := 0i64 @ test.c:5:64
          L5 -> L1 @ test.c:5:86

        proc copier(arg) -> result @ test.c:6:7
          local result #6: bv64 @ test.c:6:7
          local arg #7: bv64 @ test.c:6:7
          local seen #8: bv32 signed @ test.c:6:7
          at L0 @ test.c:6:7, L1 @ test.c:6:7, L2 @ test.c:6:31, L3 @ test.c:6:41
          entry L0, exit L1
          L0 -> L2: seen := load x @ test.c:6:31
          L2 -> L3: assume 7i32 <s seen; store y := seen @ test.c:6:55
          L2 -> L3: assume seen <s 8i32 @ test.c:6:41
          L3 -> L1: result := 0i64 @ test.c:6:65

        proc twice(of'16) -> result @ test.c:4:12
          local result #15: bv32 signed @ test.c:4:12
          local of'16 #16: bv32 signed @ test.c:4:12
          at L0 @ test.c:4:12, L1 @ test.c:4:12
          entry L0, exit L1
          L0 -> L1: result := of'16 + of'16 @ test.c:4:28
    "#]]
    .assert_eq(&to_text(&program));
}

#[test]
fn in_large_blocks() {
    let blocks = Blocks { recursion_bound: 1, keep_globals: false, sliced: true, cells: false, lbe: Lbe::default() };
    let program = task().prepared(Form::Blocks(blocks)).expect("it is small");
    expect![[r#"
        program pointer_bits 64, dynamic_base 0x100000000000, entry main

        file "test.c"
        file "<library>"
        global x #0: bv32 signed = 0i32 @ test.c:3:5
        global y #1: bv32 signed = 0i32 @ test.c:3:8

        proc main() @ test.c:7:5
          local tmp'2 #2: bv64 @ test.c:9:35
          local tmp'3 #3: bv64 @ test.c:10:34
          local tmp'4 #4: bv32 @ test.c:11:3
          at L0 @ test.c:7:5, L1 @ test.c:7:5, L2 @ test.c:9:3, L3 @ test.c:10:3, L4 @ test.c:11:3, L5 @ test.c:11:16
          entry L0, exit L1
          L0 -> L2: tmp'2 := start doubler(0i64) @ test.c:9:3
          L2 -> L3: tmp'3 := start copier(0i64) @ test.c:10:3
          L3 -> L4: tmp'4 := load y @ test.c:11:3
          L4 -> L5: assume tmp'4 == 12i32; error call @ test.c:11:16
          L4 -> L1: assume tmp'4 != 12i32 @ test.c:12:1

        proc doubler(arg) @ test.c:5:7
          local arg #7: bv64 @ test.c:5:7
          local tmp'8 #8: bv8 @ test.c:5:61
          local tmp'9 #9: bv32 @ test.c:5:64
          local of'10 #10: bv32 signed @ test.c:4:12
          local of'11 #11: bv32 signed @ test.c:4:12
          at L0 @ test.c:5:7, L1 @ test.c:5:7, L2 @ test.c:5:86
          entry L0, exit L1
          L0 -> L2: tmp'8 := havoc input; of'10 := zext32(tmp'8); of'11 := of'10 + of'10; tmp'9 := of'11 + of'11; store x := tmp'9 @ test.c:5:64
          L2 -> L1 @ test.c:5:86

        proc copier(arg) @ test.c:6:7
          local arg #5: bv64 @ test.c:6:7
          local seen #6: bv32 signed @ test.c:6:7
          at L0 @ test.c:6:7, L1 @ test.c:6:7, L2 @ test.c:6:31, L3 @ test.c:6:41
          entry L0, exit L1
          L0 -> L2: seen := load x @ test.c:6:31
          L2 -> L3: assume 7i32 <s seen; store y := seen @ test.c:6:55
          L2 -> L3: assume seen <s 8i32 @ test.c:6:41
          L3 -> L1 @ test.c:6:65
    "#]]
    .assert_eq(&to_text(&program));
}

#[test]
fn told_by_explore() {
    expect![[r#"
        0 main line 9: started thread 1: tmp = 1; a := 1
        0 main line 10: started thread 2: tmp = 2; b := 2
        1 doubler line 5: tmp is chosen to be 3; in = 3
        1 doubler line 5: called twice
        1 twice line 4: result = 6
        1 doubler line 5: called twice
        1 twice line 4: result = 12
        1 doubler line 5: x := 12
        1 doubler line 5: result = 0
        1 doubler line 5: the thread ends
        2 copier line 6: tmp = 12 read from x; seen = 12
        2 copier line 6: y := 12
        2 copier line 6: result = 0
        2 copier line 6: the thread ends
        0 main line 11: tmp = 12 read from y
        0 main line 11: the error function is called
        the property unreach-call is violated: the error function is called
    "#]]
    .assert_eq(&trace("explore"));
}

#[test]
fn told_by_oc() {
    expect![[r#"
        0 main line 9: started thread 1: tmp = 1; a := 1
        1 doubler line 5: tmp is chosen to be 3; in = 3
        1 doubler line 5: called twice
        1 twice line 4: result = 6
        1 doubler line 5: called twice
        1 twice line 4: result = 12
        0 main line 10: started thread 2: tmp = 2; b := 2
        1 doubler line 5: x := 12
        1 doubler line 5: result = 0
        2 copier line 6: tmp = 12 read from x; seen = 12
        2 copier line 6: y := 12
        2 copier line 6: result = 0
        0 main line 11: tmp = 12 read from y
        0 main line 11: the error function is called
        the property unreach-call is violated: the error function is called
    "#]]
    .assert_eq(&trace("oc"));
}

#[test]
fn told_by_cegar() {
    expect![[r#"
        0 main line 9: started thread 1: tmp = 1; a := 1
        1 doubler line 5: tmp is chosen to be 3; in = 3
        1 doubler line 5: called twice
        1 twice line 4: result = 6
        1 doubler line 5: called twice
        1 twice line 4: result = 12
        1 doubler line 5: x := 12
        1 doubler line 5: result = 0
        1 doubler line 5: the thread ends
        0 main line 10: started thread 2: tmp = 2; b := 2
        2 copier line 6: tmp = 12 read from x; seen = 12
        2 copier line 6: y := 12
        2 copier line 6: result = 0
        2 copier line 6: the thread ends
        0 main line 11: tmp = 12 read from y
        0 main line 11: the error function is called
        the property unreach-call is violated: the error function is called
    "#]]
    .assert_eq(&trace("cegar"));
}
