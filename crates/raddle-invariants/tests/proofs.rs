//! What is proved, for any number of threads; and the same with a bug, which never is.

use raddle_engine::{Budget, Conclusion, Engine, Facts, Silent, Task};
use raddle_invariants::{Invariants, InvariantsConfig, Modular, ModularConfig};
use raddle_ir::MemoryModel;
use raddle_testing::{DataModel, lowered_for};
use std::time::Duration;

const PRELUDE: &str = "typedef unsigned long pthread_t; typedef struct { int kind; } pthread_mutex_t;
    extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    extern int pthread_join(pthread_t, void **); extern int pthread_mutex_init(pthread_mutex_t *, const void *);
    extern int pthread_mutex_lock(pthread_mutex_t *); extern int pthread_mutex_trylock(pthread_mutex_t *);
    extern int pthread_mutex_unlock(pthread_mutex_t *); extern void abort(void); extern void reach_error(void);
    extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
    void check(int ok) { if (!ok) reach_error(); } void assume(int ok) { if (!ok) abort(); }\n";

fn conclusion(engine: &dyn Engine, model: DataModel, text: &str) -> Conclusion {
    let task = Task::new(lowered_for(model, &format!("{PRELUDE}{text}")), MemoryModel::Sc);
    engine.run(&task, &Facts::default(), &Budget::of_time(Duration::from_secs(60)), &Silent)
}

fn invariants() -> Invariants {
    // Debug builds are slow.
    Invariants(InvariantsConfig { time: 60_000, ..InvariantsConfig::default() })
}

/// Proved as it is, and not with the bug.
fn proved(engine: &dyn Engine, text: &str, good: &str, bug: &str) {
    assert!(text.contains(good), "{text}");
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let safe = conclusion(engine, model, text).outcome;
        assert_eq!(safe.name(), "true", "{model:?} {safe:?}\n{text}");
        let buggy = conclusion(engine, model, &text.replace(good, bug)).outcome;
        assert!(buggy.is_unknown() && buggy.name() != "unconfirmed", "{model:?} {buggy:?} with {bug}\n{text}");
    }
}

const RESTORED: &str = "int x; pthread_mutex_t m;
    void *f(void *p) { pthread_mutex_lock(&m); x++; x--; pthread_mutex_unlock(&m); return 0; }
    int main(void) { pthread_t t; START pthread_mutex_lock(&m); check(x == 0); pthread_mutex_unlock(&m); return 0; }";

fn restored(start: &str) -> String {
    RESTORED.replace("START", start)
}

/// The work does not depend on how many threads there are.
#[test]
fn any_number_of_threads_puts_back_what_it_changed() {
    let starts = [
        "for (int i = 0; i < 10; i++) pthread_create(&t, 0, f, 0);",
        "for (int i = 0; i < 10000; i++) pthread_create(&t, 0, f, 0);",
    ];
    let questions = starts.map(|start| {
        let conclusion = conclusion(&invariants(), DataModel::Lp64, &restored(start));
        assert_eq!(conclusion.outcome.name(), "true", "{:?}", conclusion.outcome);
        conclusion.statistics["questions"].as_u64().unwrap_or(0)
    });
    assert!(questions[0] > 0 && questions[0].abs_diff(questions[1]) <= questions[0] / 10, "{questions:?}");
    proved(
        &invariants(),
        &restored("while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0);"),
        "x++; x--; pthread_mutex_unlock(&m);",
        "x++; pthread_mutex_unlock(&m); x--;",
    );
    proved(&invariants(), &restored("pthread_create(&t, 0, f, 0);"), "x++; x--;", "x++;");
}

#[test]
fn a_lock_is_tried() {
    let text = "int x; pthread_mutex_t m;
        void *f(void *p) { pthread_mutex_lock(&m); x++; x--; pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_t t; while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0);
            while (pthread_mutex_trylock(&m)) { } check(x == 0); pthread_mutex_unlock(&m); return 0; }";
    proved(&invariants(), text, "while (pthread_mutex_trylock(&m)) { }", "pthread_mutex_trylock(&m);");
}

/// The lock that stands for all: each element has its own.
#[test]
fn a_lock_in_each_element_of_an_array() {
    let text = "struct s { int datum; pthread_mutex_t mutex; } a[20];
        void *f(void *p) { int i = __VERIFIER_nondet_int(); assume(0 <= i && i < 20); struct s *e = &a[i];
            pthread_mutex_lock(&e->mutex); check(e->datum == 0); e->datum++; e->datum--; pthread_mutex_unlock(&e->mutex); return 0; }
        int main(void) { pthread_t t; for (int i = 0; i < 20; i++) pthread_mutex_init(&a[i].mutex, 0);
            while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0); return 0; }";
    proved(&invariants(), text, "pthread_mutex_lock(&e->mutex);", "pthread_mutex_lock(&a[i / 2].mutex);");
}

/// What a pointer means is told by the lock that goes with it: few executions see both.
#[test]
fn one_of_two_objects_with_its_lock() {
    let text = "struct s { int datum; pthread_mutex_t mutex; } a, b;
        void *f(void *p) { pthread_mutex_lock(&a.mutex); a.datum++; a.datum--; check(a.datum == 0); pthread_mutex_unlock(&a.mutex); return 0; }
        int main(void) { pthread_t t; struct s *s = __VERIFIER_nondet_int() ? &a : &b; pthread_mutex_t *m = &s->mutex; int *d = &s->datum;
            while (__VERIFIER_nondet_int()) pthread_create(&t, 0, f, 0);
            pthread_mutex_lock(m); (*d)++; (*d)--; check(*d == 0); pthread_mutex_unlock(m); return 0; }";
    proved(&invariants(), text, "*m = &s->mutex;", "*m = &b.mutex;");
}

/// What holds when a thread has ended holds after it was joined.
#[test]
fn after_a_join() {
    let text = "int x; pthread_mutex_t m;
        void *f(void *p) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); check(x == 1); return 0; }";
    proved(&invariants(), text, "pthread_join(t, 0);", "");
}

/// A lock that the program makes itself, with an atomic section.
#[test]
fn a_lock_made_of_a_flag() {
    let text = "int taken, inside;
        void *f(void *p) { __VERIFIER_atomic_begin(); assume(!taken); taken = 1; __VERIFIER_atomic_end();
            inside++; check(inside == 1); inside--; taken = 0; return 0; }
        int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }";
    proved(
        &Modular(ModularConfig::default()),
        text,
        "taken = 1; __VERIFIER_atomic_end();",
        "__VERIFIER_atomic_end(); taken = 1;",
    );
}

#[test]
fn a_counter_that_is_compared_and_exchanged() {
    let text = "unsigned value;
        void __VERIFIER_atomic_cas(unsigned *v, unsigned e, unsigned u, unsigned *r) { if (*v == e) { *v = u; *r = 1; } else *r = 0; }
        void *f(void *p) { unsigned v, n, r; do { v = value; if (v == -1u) return 0; n = v + 1; __VERIFIER_atomic_cas(&value, v, n, &r); } while (!r);
            check(value > v); return 0; }
        int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }";
    proved(&Modular(ModularConfig::default()), text, "if (v == -1u) return 0;", "");
}

/// The same program with errors that only a rare input reaches: random executions do not come upon them, so that the proof rule alone has to refuse.
fn refused_when_rare(engine: &dyn Engine, text: &str) {
    let text = text.replace("check(", "rarely(");
    let gate = "extern unsigned rare(void); void rarely(int ok) { if (!ok && rare() * 2654435761u == 0xdeadbeefu) reach_error(); }\n";
    let program = lowered_for(DataModel::Ilp32, &format!("{PRELUDE}{gate}{text}"));
    let task = Task::new(program, MemoryModel::Sc);
    let said = engine.run(&task, &Facts::default(), &Budget::of_time(Duration::from_secs(5)), &Silent).outcome;
    assert!(said.is_unknown() && said.name() != "unconfirmed", "{said:?}\n{text}");
}

/// Proved as it is, and not with the bug, also where executions do not come upon it: counterexamples lead to conjuncts about two threads.
fn refined(text: &str, good: &str, bug: &str) {
    let modular = Modular(ModularConfig::default());
    proved(&modular, text, good, bug);
    let statistics = conclusion(&modular, DataModel::Lp64, text).statistics;
    assert!(statistics["refined"].as_u64().is_some_and(|conds| conds > 0), "{statistics}");
    refused_when_rare(&modular, &text.replace(good, bug));
}

/// Who waits and who has the lock are at the same place: one of any two that are there waits.
#[test]
fn a_spin_lock() {
    let text = "int taken, inside;
        void *f(void *p) { int busy; do { __VERIFIER_atomic_begin(); busy = taken; taken = 1; __VERIFIER_atomic_end(); } while (busy);
            inside++; check(inside == 1); inside--; taken = 0; return 0; }
        int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }";
    refined(text, "taken = 1; __VERIFIER_atomic_end();", "__VERIFIER_atomic_end(); taken = 1;");
}

#[test]
fn the_first_one_only() {
    let text = "unsigned r, s;
        void *f(void *p) { unsigned l = 0; __VERIFIER_atomic_begin(); assume(r != -1u); r++; __VERIFIER_atomic_end();
            if (r == 1) while (1) { s++; l++; check(s == l); } return 0; }
        int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }";
    refined(text, "r == 1", "r >= 1");
}

#[test]
fn the_algorithm_of_peterson() {
    let text = "int want1, want2, turn, x;
        void *f(void *p) { want1 = 1; turn = 1; do {} while (want2 == 1 && turn == 1); x = 0; check(x == 0); want1 = 0; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
            want2 = 1; turn = 0; do {} while (want1 == 1 && turn == 0); x = 1; check(x == 1); want2 = 0; return 0; }";
    refined(text, "want1 = 1; turn = 1;", "turn = 1; want1 = 1;");
}

/// Each of two locks protects a change that is undone: while one has both, nothing is left of any.
#[test]
fn two_locks_and_one_counter() {
    let text = "int count, a, b;
        void take(int *m) { __VERIFIER_atomic_begin(); assume(*m == 0); *m = 1; __VERIFIER_atomic_end(); }
        void *f(void *p) { if (__VERIFIER_nondet_int()) { take(&a); count++; count--; a = 0; } else { take(&b); count--; count++; b = 0; } return 0; }
        void *g(void *p) { while (1) { take(&a); take(&b); check(count == 0); b = 0; a = 0; } return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, g, 0); while (1) pthread_create(&t, 0, f, 0); }";
    let text = text.replace("count++;", "ATOMIC(count++)").replace("count--;", "ATOMIC(count--)");
    let text = text.replace("ATOMIC(", "__VERIFIER_atomic_begin(); ").replace("++)", "++; __VERIFIER_atomic_end();");
    let text = text.replace("--)", "--; __VERIFIER_atomic_end();");
    refined(&text, "take(&a); take(&b); check", "take(&a); check");
}

/// What `main` does before the first thread disturbs nobody.
#[test]
fn before_the_first_thread() {
    let text = "int x, ready;
        void *f(void *p) { check(ready == 1); x = 5; return 0; }
        int main(void) { pthread_t t; ready = 0; x = 1; ready = 1; while (1) pthread_create(&t, 0, f, 0); }";
    proved(&Modular(ModularConfig::default()), text, "ready = 1;", "pthread_create(&t, 0, f, 0); ready = 1;");
}

#[test]
fn loops_of_any_length() {
    let text = "int main(void) { unsigned n = __VERIFIER_nondet_int(), i = 0, s = 0; while (i < n) { i++; s += 2; } check(s == 2 * n || i != n); return 0; }";
    proved(&invariants(), text, "s += 2", "s += 3");
}

/// A thread that ends inside of an atomic block ends the block: what it wrote is seen.
#[test]
fn a_block_that_its_thread_never_leaves() {
    let text = "int x; void *f(void *p) { __VERIFIER_atomic_begin(); x = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); check(x != 1); return 0; }";
    for engine in [&invariants() as &dyn Engine, &Modular(ModularConfig::default())] {
        let outcome = conclusion(engine, DataModel::Lp64, text).outcome;
        assert!(outcome.is_unknown(), "{outcome:?}");
    }
}
