//! Counterexamples of prepared forms are executions of the Program as lowered: small programs with a violation that every engine finds and confirms.

use raddle_engine::{Budget, Facts, Silent, Task};
use raddle_ir::MemoryModel;
use raddle_portfolio::{Registry, Settings};
use raddle_testing::lowered;
use std::time::Duration;

const NAMES: &str = "typedef unsigned long pthread_t; void reach_error(void); int __VERIFIER_nondet_int(void);
    void *malloc(unsigned long); void free(void *); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
    unsigned char __VERIFIER_nondet_uchar(void); int pthread_join(pthread_t, void **);
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n";

/// What an engine says of a program.
fn said(text: &str, engine: &str, model: MemoryModel) -> &'static str {
    let task = Task::new(lowered(&format!("{NAMES}{text}")), model);
    let registry = Registry::new(&Settings::default());
    let Some(engine) = registry.get(engine) else { panic!("{engine} is registered") };
    let budget = Budget::of_time(Duration::from_secs(20));
    engine.run(&task, &Facts::default(), &budget, &Silent).outcome.name()
}

fn confirmed(text: &str, engines: &[&str], models: &[MemoryModel]) {
    for (engine, model) in engines.iter().flat_map(|engine| models.iter().map(move |model| (engine, model))) {
        assert_eq!(said(text, engine, *model), "false", "{engine}, {}\n{text}", model.name());
    }
}

const ALL: [&str; 3] = ["explore", "oc", "cegar"];
const BUFFERED: [MemoryModel; 2] = [MemoryModel::Tso, MemoryModel::Pso];

/// The exchange fails, which needs no empty store buffer, though it would if it succeeded: the store to `e` becomes visible later.
#[test]
fn an_edge_that_is_not_taken_makes_no_store_visible() {
    let text = "int x, y; void *other(void *p) { x = 3; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); int e = 3;
          __atomic_compare_exchange_n(&y, &e, 1, 0, 5, 5); if (e == 0 && x == 3) reach_error(); }";
    confirmed(text, &ALL, &[MemoryModel::Sc]);
    confirmed(text, &["explore", "oc"], &BUFFERED);
}

/// The prepared form has a store for each byte.
#[test]
fn parts_of_a_store_become_visible_together() {
    let text = "int main(void) { int *p = malloc(4); int x = __VERIFIER_nondet_int(); *p = x; int y = x;
        if (((unsigned char *)p)[1] == 5) reach_error(); return 0; }";
    confirmed(text, &["oc"], &BUFFERED);
}

#[test]
fn a_thread_ends_before_an_atomic_block_joins_it() {
    let text = "int x; void *t0(void *p) { x = 1; return 0; }
        int main(void) { pthread_t p; pthread_create(&p, 0, t0, 0);
          __VERIFIER_atomic_begin(); pthread_join(p, 0); __VERIFIER_atomic_end(); if (x) reach_error(); return 0; }";
    confirmed(text, &ALL, &[MemoryModel::Sc]);
}

/// What was stored in an object says nothing of the next one at the same address.
#[test]
fn memory_that_is_used_again_is_any_value_again() {
    let local = "void f(int k) { int a[2]; if (k) a[1] = __VERIFIER_nondet_int(); else if (a[1] == 9) reach_error(); }
        int main(void) { f(1); f(0); return 0; }";
    let heap = "int main(void) { for (int i = 0; i < 2; i++) { int *q = malloc(8);
        if (i == 0) q[1] = __VERIFIER_nondet_int(); else if (q[1] == 9) reach_error(); free(q); } return 0; }";
    confirmed(local, &["explore"], &[MemoryModel::Sc]);
    confirmed(heap, &["explore"], &[MemoryModel::Sc]);
}

/// A prepared process begins behind its empty steps, in the midst of the loop.
#[test]
fn a_thread_first_goes_to_where_its_prepared_process_begins() {
    let text = "int x; void *t(void *p) { x++; if (x > 2) reach_error(); return 0; }
        int main(void) { pthread_t p; while (1) { pthread_create(&p, 0, t, 0); } }";
    confirmed(text, &["explore", "oc"], &[MemoryModel::Sc]);
}

/// The same function twice in one expression, recursion, inputs in both.
#[test]
fn inputs_of_inlined_calls_are_told_apart() {
    let text = "int in(int depth) { int v = __VERIFIER_nondet_int(); return depth ? in(depth - 1) : v; }
        int main(void) { int a = in(2) - 7, b = in(1); if (a == 3 && b == 20) reach_error(); return 0; }";
    confirmed(text, &["oc", "cegar"], &[MemoryModel::Sc]);
}

/// In the prepared form both objects are static and lie elsewhere: the value of a pointer that was never written is told in terms of the object.
#[test]
fn an_address_that_was_never_written_is_that_of_the_object() {
    let text = "struct S { int *p; int v; }; int main(void) { struct S *s = malloc(sizeof *s), *t = malloc(sizeof *t);
        if (s->p == &t->v) reach_error(); return 0; }";
    confirmed(text, &["oc", "cegar"], &[MemoryModel::Sc]);
}

/// One byte is known, three are chosen.
#[test]
fn a_load_of_some_bytes_that_nobody_wrote() {
    let text = "union bytes { int i; unsigned char c[4]; }; int main(void) { union bytes v; v.c[1] = 3;
        if (v.i == 0x01020304) reach_error(); return 0; }";
    confirmed(text, &["oc", "cegar"], &[MemoryModel::Sc]);
    confirmed(text, &["oc"], &BUFFERED);
}

/// Elements that are read in another order than they lie, some of them twice, some by copying all of them.
#[test]
fn elements_that_nobody_wrote_keep_what_was_read_first() {
    let names = "void *memmove(void *, const void *, unsigned long); void *realloc(void *, unsigned long);\n";
    let read = "int main(void) { int b[3]; int x = b[2] - b[0];
        if (x == 4 && b[0] == 3 && b[1] == 9 && b[2] == 7) reach_error(); return 0; }";
    let moved = "int main(void) { unsigned char a[4], b[3]; memmove(b, a + 1, 3); a[1]++;
        if (b[0] == 1 && b[2] == 7 && a[1] == 2 && a[3] == 7) reach_error(); return 0; }";
    let grown = "int main(void) { int *p = malloc(8); p[1] = 3; p = realloc(p, 16);
        if (p[0] == 5 && p[1] == 3 && p[3] == 6) reach_error(); return 0; }";
    confirmed(&format!("{names}{read}"), &["oc", "cegar"], &[MemoryModel::Sc]);
    confirmed(&format!("{names}{moved}"), &["oc", "cegar"], &[MemoryModel::Sc]);
    // Cegar does not know how large an object is.
    confirmed(&format!("{names}{grown}"), &["oc"], &[MemoryModel::Sc]);
}

#[test]
fn the_result_of_a_function_without_return_is_any_value() {
    let text =
        "int f(int k) { if (k) return 3; } int main(void) { int r = f(0); if (r == 77) reach_error(); return 0; }";
    confirmed(text, &["explore", "oc"], &[MemoryModel::Sc]);
}

#[test]
fn the_length_of_a_conversion_is_known() {
    let text = "int printf(const char *, ...); int main(void) { int n = printf(\"%d\", 1); int m = printf(\"%d\", 20);
        if (n == 1 && m == 2) reach_error(); return 0; }";
    confirmed(text, &ALL, &[MemoryModel::Sc]);
}

/// Undetermined values that are copied before anybody looks at them: in the prepared form, and in the Program as lowered.
#[test]
fn copies_of_what_nobody_assigned_know_where_they_come_from() {
    let field = "struct s { unsigned short b; unsigned c; }; int main(void) { struct s t; unsigned c = t.b;
        if (c == 154) reach_error(); return 0; }";
    let element = "int main(void) { unsigned short t[2]; unsigned c = t[1]; if (c == 154) reach_error(); return 0; }";
    let skipped =
        "int main(void) { int k = 0; goto l; { int x; x = 3; l: k = x; } if (k == 8) reach_error(); return 0; }";
    for text in [field, element, skipped] {
        confirmed(text, &ALL, &[MemoryModel::Sc]);
    }
}

/// What is stored or passed on before anybody looks at it is still what a `char` can be.
#[test]
fn inputs_are_passed_on_as_something_wider() {
    let stored =
        "int x; int main(void) { int in = __VERIFIER_nondet_uchar(); x = in; if (x == 12) reach_error(); return 0; }";
    let passed = "int twice(int of) { return of + of; }
        int main(void) { int in = __VERIFIER_nondet_uchar(); if (twice(in) == 12) reach_error(); return 0; }";
    let signed_one =
        "int x; int main(void) { signed char c; int in = c; x = in; if (x == -12) reach_error(); return 0; }";
    for text in [stored, passed, signed_one] {
        confirmed(text, &ALL, &[MemoryModel::Sc]);
    }
}

/// The first edge that is tried looks at the value and is taken back; what it stands for must still be known at the second.
#[test]
fn what_nobody_returned_is_looked_at_on_two_edges() {
    let text = "int f(int x) { if (x > 3) return x; }
        int main(void) { int s = f(1); if (s != 42) return 0; reach_error(); return 0; }";
    confirmed(text, &ALL, &[MemoryModel::Sc]);
}

#[test]
fn what_nobody_returned_is_stored() {
    let text = "int g; int f(int x) { if (x) return x; }
        int main(void) { int y = f(0); g = y; if (g == 5) reach_error(); return 0; }";
    confirmed(text, &["explore", "oc"], &[MemoryModel::Sc]);
}
