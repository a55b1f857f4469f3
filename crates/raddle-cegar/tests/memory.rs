//! Memory that stays memory: arrays, structures and lists by address. Abstraction must agree with exhaustive exploration.

use raddle_cegar::{Cegar, CegarConfig, Coi, Domain, InitialPrecision};
use raddle_engine::{Budget, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_oc::{Oc, OcConfig};
use raddle_testing::{DataModel, lowered_for};
use std::time::Duration;

fn task(text: &str, model: DataModel) -> Task {
    let prelude = "extern void abort(void); extern int nondet(void); extern unsigned char __VERIFIER_nondet_uchar(void);
        extern void __VERIFIER_assume(int); extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long);
        extern void free(void *); void reach_error(void) {} void check(int ok) { if (!ok) reach_error(); }
        typedef unsigned long pthread_t; extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        extern int pthread_join(pthread_t, void **);\n";
    let prelude =
        if model == DataModel::Ilp32 { prelude.replace("unsigned long)", "unsigned)") } else { prelude.into() };
    let prelude = if model == DataModel::Ilp32 { prelude.replace("unsigned long,", "unsigned,") } else { prelude };
    Task::new(lowered_for(model, &(prelude + text)), MemoryModel::Sc)
}

fn run(engine: &dyn Engine, task: &Task) -> Outcome {
    engine.run(task, &Facts::default(), &Budget::of_time(Duration::from_secs(60)), &Silent).outcome
}

/// Checks a program with both data models. `body` has `GOOD` where a number makes it safe or not.
fn verdicts(body: &str, safe: &str, unsafe_: &str) {
    let config = CegarConfig { domain: Domain::PredCart, ..CegarConfig::default() };
    verdicts_by(&config, body, safe, unsafe_);
}

fn verdicts_by(config: &CegarConfig, body: &str, safe: &str, unsafe_: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for (number, is_safe) in [(safe, true), (unsafe_, false)] {
            let task = task(&body.replace("GOOD", number), model);
            let expected = if is_safe { "true" } else { "false" };
            for engine in [&Explore(ExploreConfig::default()) as &dyn Engine, &Cegar(config.clone())] {
                let outcome = run(engine, &task);
                assert_eq!(outcome.name(), expected, "{} {model:?} {number}: {outcome:?}\n{body}", engine.name());
            }
        }
    }
}

/// Without predicates: all values, those in memory among them.
fn verdicts_by_value(body: &str, safe: &str, unsafe_: &str) {
    for coi in [Coi::None, Coi::Dynamic] {
        let initial = InitialPrecision::AllVars;
        let config = CegarConfig { domain: Domain::Expl, initial, coi, max_enum: 4, ..CegarConfig::default() };
        verdicts_by(&config, body, safe, unsafe_);
    }
}

#[test]
fn a_list_by_value() {
    verdicts_by_value(
        "struct node { int data; struct node *next; };
         int main(void) { struct node *head = 0;
           for (int i = 0; i < 9; i++) { struct node *n = malloc(sizeof(*n)); n->data = i; n->next = head; head = n; }
           int sum = 0; while (head) { struct node *n = head; sum = 2 * sum + n->data; head = n->next; free(n); }
           check(sum == GOOD); }",
        "3586",
        "3587",
    );
}

#[test]
fn an_array_by_value_as_it_was_at_first_but_for_a_place() {
    verdicts_by_value(
        "int a[60] = {1, 2, 3}; int main(void) { unsigned char n = __VERIFIER_nondet_uchar() & 3; int sum = 0;
           for (int i = 0; i < 60; i++) a[i] += n == 2; a[7] = __VERIFIER_nondet_uchar(); a[8] = 5;
           for (int i = 0; i < 60; i++) if (i != 7) sum += a[i];
           check(sum == (n == 2 ? GOOD : 11)); }",
        "69",
        "70",
    );
}

#[test]
fn zeroed_memory_by_value_and_a_place_that_is_not_known() {
    verdicts_by_value(
        "int main(void) { unsigned char i = __VERIFIER_nondet_uchar() & 1; int *a = calloc(20, sizeof(int)), s = 0;
           int *b = calloc(2, sizeof(int)); b[i] = 3; b[1] = 4;
           for (int k = 0; k < 20; k++) { a[k] += k; s += a[k]; }
           check(s + b[1] == GOOD); }",
        "194",
        "190",
    );
}

#[test]
fn an_array_with_an_index_that_is_not_known() {
    verdicts(
        "int a[40]; int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); if (i >= 40) abort();
           unsigned char j = __VERIFIER_nondet_uchar(); if (j >= 40) abort();
           a[i] = 7; a[j] = 8; check(a[i] == (i == j ? 8 : GOOD)); }",
        "7",
        "8",
    );
}

#[test]
fn an_array_filled_by_a_loop() {
    verdicts(
        "int a[20]; int main(void) { for (int i = 0; i < 3; i++) a[i] = i; check(a[2] == GOOD); check(a[4] == 0); }",
        "2",
        "3",
    );
}

#[test]
fn an_index_beyond_the_object_ends_the_path() {
    verdicts(
        "int a[40]; int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); a[i] = 1; check(i < GOOD); }",
        "40",
        "39",
    );
}

#[test]
fn a_structure_by_pointer() {
    verdicts(
        "struct pair { char c; int x; long y; }; struct pair all[12];
         void set(struct pair *p, int v) { p->x = v; p->y = v + 1; p->c = 1; }
         int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); if (i >= 12) abort();
           set(&all[i], 5); struct pair *p = &all[i]; check(p->x + p->y + p->c == GOOD); }",
        "12",
        "11",
    );
}

/// To prove that there is none takes predicates too long.
#[test]
fn an_error_behind_a_list_of_two_is_found() {
    let body = "struct node { int data; struct node *next; };
        int main(void) { struct node *head = 0;
          for (int i = 0; i < 2; i++) { struct node *n = malloc(sizeof(*n)); n->data = i + 1; n->next = head; head = n; }
          int sum = 0; while (head) { struct node *n = head; sum = 10 * sum + n->data; head = n->next; free(n); }
          check(sum == 12); }";
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let config = CegarConfig { domain: Domain::PredCart, ..CegarConfig::default() };
        let outcome = run(&Cegar(config), &task(body, model));
        assert_eq!(outcome.name(), "false", "{model:?}: {outcome:?}");
    }
}

#[test]
fn zeroed_memory_and_memory_that_is_not() {
    verdicts(
        "int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); if (i >= 100) abort();
           unsigned char *zero = calloc(100, 1), *any = malloc(100);
           check(zero[i] == 0); unsigned char x = any[i], y = any[i]; check(x == y); check(x < GOOD); any[i] = 3; check(any[i] == 3 && zero[i] == 0); }",
        "256",
        "200",
    );
}

#[test]
fn bytes_of_a_number() {
    verdicts(
        "unsigned a[20]; int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); if (i >= 20) abort();
           a[i] = 0x01020304; unsigned char *p = (unsigned char *)&a[i]; check(p[1] == 3); p[3] = 9; check(a[i] == GOOD); }",
        "0x09020304",
        "0x01020304",
    );
}

#[test]
fn memory_that_two_threads_share() {
    verdicts(
        "int a[20]; void *other(void *p) { int *q = p; q[1] = 5; return 0; }
         int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); if (i >= 10) abort();
           pthread_t t; pthread_create(&t, 0, other, &a[i]); int x = a[i + 1]; check(x == 0 || x == GOOD);
           pthread_join(t, 0); check(a[i + 1] == 5); }",
        "5",
        "4",
    );
}

#[test]
fn an_initialised_table() {
    verdicts(
        "const int squares[] = { 0, 1, 4, 9, 16, 25 }; int written[30] = { 1, 2, 3 };
         int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); if (i >= 6) abort();
           check(squares[i] == i * i); check(written[i] == (i < 3 ? i + 1 : 0)); written[i] = 4; check(written[i] == GOOD); }",
        "4",
        "3",
    );
}

#[test]
fn a_local_array_holds_anything() {
    verdicts(
        "int main(void) { unsigned char a[30]; unsigned char i = __VERIFIER_nondet_uchar(); if (i >= 30) abort();
           unsigned char x = a[i]; check(x == a[i]); check(x != GOOD); }",
        "256",
        "77",
    );
}

#[test]
fn numbers_of_other_sorts() {
    verdicts(
        "double d[20]; _Bool b[20]; int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); if (i >= 20) abort();
           d[i] = 1.5; b[i] = 1; check(d[i] + b[i] == GOOD); check(d[(i + 1) % 20] == 0); }",
        "2.5",
        "1.5",
    );
}

#[test]
fn what_has_no_room_in_a_small_region_may_hold_anything() {
    let body = "int main(void) { char *a = malloc(20000000), *b = malloc(20000000), *c = malloc(20000000), *d = malloc(20000000);
        check(d[5] == 0); }";
    let task = task(body, DataModel::Ilp32);
    for domain in [Domain::Expl, Domain::PredCart, Domain::ExplPred] {
        let outcome = run(&Cegar(CegarConfig { domain, ..CegarConfig::default() }), &task);
        assert_eq!(outcome.name(), "false", "{domain:?}: {outcome:?}");
    }
}

#[test]
fn an_address_that_is_given_out_again_is_no_proof() {
    let body = "int main(void) { char *a = malloc(8), *old = a; free(a); char *b = malloc(8); check(b != old); }";
    let outcome = run(&Cegar(CegarConfig::default()), &task(body, DataModel::Lp64));
    assert_eq!(outcome.name(), "unsupported", "{outcome:?}");
}

/// Pointers that were never written: what is behind them may be anything.
#[test]
fn what_a_stray_pointer_leads_to_is_no_proof() {
    let bodies = [
        // Nothing is known of the pointer; all objects have become variables.
        "struct inner { int x; }; struct outer { struct inner *p; int y; };
         int main(void) { struct outer *o = malloc(sizeof(struct outer)); check(o->p->x != 5); }",
        // It is in an object that also holds the address of another.
        "struct s { int *p, *q; }; int a;
         int main(void) { struct s *s = 0; for (int i = 0; i < 2; i++) { s = malloc(sizeof *s); s->p = &a; }
           check(*s->q != 5); }",
        // A store to anywhere changes nothing, so that going on is possible.
        "struct s { int *p, *q; }; int a;
         int main(void) { struct s *s = 0; for (int i = 0; i < 2; i++) { s = malloc(sizeof *s); s->p = &a; }
           *s->q = 1; check(a == 1); }",
    ];
    for body in bodies {
        for outcome in outcomes(body) {
            assert_ne!(outcome, "true", "{body}");
        }
    }
}

/// An error that needs no stray pointer to lead elsewhere is found, though there are others.
#[test]
fn an_error_beside_a_stray_pointer_is_found() {
    let body = "struct s { int *p, *q; }; int a;
        int main(void) { struct s *s = 0; for (int i = 0; i < 2; i++) { s = malloc(sizeof *s); s->p = &a; }
          int v = *s->q; check(v < 100 || __VERIFIER_nondet_uchar() != 77); check(__VERIFIER_nondet_uchar() != 78); }";
    assert_eq!(outcomes(body), ["false", "false"]);
}

/// What was found equal to the address of an object may be followed to it, wherever it comes from.
#[test]
fn a_stray_pointer_that_is_compared_is_one() {
    let body = "extern unsigned long __VERIFIER_nondet_ulong(void); int a, b;
        int main(void) { int *p = &b; for (int i = 0; i < 2; i++) if (nondet()) p = (int *)__VERIFIER_nondet_ulong();
          int is_a = p == &a; for (int i = 0; i < 2; i++) if (is_a) *p = 5; check(a != 5); }";
    assert_eq!(outcomes(body), ["false", "false"]);
}

/// No stray pointers: an index from outside, null among the addresses, members of structures that were all written.
#[test]
fn proofs_about_pointers_that_are_known_stay() {
    verdicts(
        "int a[40], b[40]; int main(void) { unsigned char i = __VERIFIER_nondet_uchar(); if (i >= 40) abort();
           int *p = 0; if (nondet()) p = a; p = p ? p + i : b + i; *p = 5; check(a[i] + b[i] == GOOD); }",
        "5",
        "6",
    );
}

/// The outcomes of abstraction and of partial orders.
fn outcomes(body: &str) -> [&'static str; 2] {
    let task = task(body, DataModel::Lp64);
    let engines: [&dyn Engine; 2] = [&Cegar(CegarConfig::default()), &Oc(OcConfig::default())];
    engines.map(|engine| run(engine, &task).name())
}
