//! States that differ by a permutation of threads: the same verdicts with and without the reduction, and fewer states.

use raddle_engine::{Form, Outcome, Por, Silent, Task};
use raddle_explore::{ExploreConfig, ExploreStats, explore};
use raddle_interp::{Telling, replay};
use raddle_ir::{MemoryModel, Program};
use raddle_testing::{Random, budget_of, lowered, number, random_c};
use std::collections::BTreeMap;
use std::fmt::Write;

const DECLARATIONS: &str = "typedef unsigned long pthread_t; typedef unsigned pthread_key_t;
    typedef struct { int kind; } pthread_mutex_t; typedef struct { int kind; } pthread_mutexattr_t;
    typedef struct { int a; } pthread_cond_t; typedef struct { unsigned state[4]; } pthread_rwlock_t;
    typedef struct { unsigned state[4]; } sem_t;
    extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    extern int pthread_join(pthread_t, void **); extern int pthread_detach(pthread_t);
    extern pthread_t pthread_self(void); extern int pthread_equal(pthread_t, pthread_t); extern void pthread_exit(void *);
    extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
    extern int pthread_mutexattr_init(pthread_mutexattr_t *); extern int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
    extern int pthread_mutex_lock(pthread_mutex_t *); extern int pthread_mutex_trylock(pthread_mutex_t *);
    extern int pthread_mutex_unlock(pthread_mutex_t *);
    extern int pthread_rwlock_rdlock(pthread_rwlock_t *); extern int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
    extern int pthread_rwlock_trywrlock(pthread_rwlock_t *); extern int pthread_rwlock_unlock(pthread_rwlock_t *);
    extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); extern int pthread_cond_signal(pthread_cond_t *);
    extern int pthread_cond_broadcast(pthread_cond_t *);
    extern int pthread_key_create(pthread_key_t *, void (*)(void *));
    extern int pthread_setspecific(pthread_key_t, const void *); extern void *pthread_getspecific(pthread_key_t);
    extern int sem_init(sem_t *, int, unsigned); extern int sem_wait(sem_t *); extern int sem_post(sem_t *);
    extern void *malloc(unsigned long); extern void free(void *);
    extern void abort(void); extern void reach_error(void); extern _Bool __VERIFIER_nondet_bool(void);
    extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
    pthread_mutex_t m, n; pthread_rwlock_t r; int x, y, z;
    void check(int ok) { if (!ok) reach_error(); }\n";

/// The form that is explored.
fn prepared(text: &str) -> Program {
    let task = Task::new(lowered(text), MemoryModel::Sc);
    let program = task.prepared(Form::Simplified).unwrap_or_else(|_| panic!("too large"));
    (*program).clone()
}

fn program(text: &str) -> Program {
    prepared(&format!("{DECLARATIONS}{text}"))
}

/// The search alone: random runs beside it would hide what it misses.
fn say(program: &Program, por: Por, symmetry: bool, questions: u64) -> (Outcome, ExploreStats) {
    let config = ExploreConfig { por, symmetry, memory_limit: 1 << 28, ..ExploreConfig::default() };
    let said = explore(program, MemoryModel::Sc, &config, &budget_of(questions), &Silent);
    if let Outcome::Unsafe(schedule) = &said.0 {
        assert!(replay(program, schedule, Telling::Nothing).end.is_error());
    }
    said
}

/// All four ways to explore say this, and symmetry is what it is said to be.
fn agree(text: &str, verdict: &str, symmetry: &str) {
    let program = program(text);
    for por in [Por::None, Por::Persistent] {
        for with in [false, true] {
            let (outcome, stats) = say(&program, por, with, u64::MAX);
            assert_eq!(outcome.name(), verdict, "{por:?}, {with}\n{text}");
            if with {
                assert_eq!(stats.symmetry, symmetry, "{text}");
            }
        }
    }
}

/// To wait for a thread is not to have joined it: few threads, and handles in memory that is still read.
#[test]
fn a_join_that_is_left_out() {
    for (one, other) in [("", "pthread_join(t[0], 0);"), ("pthread_join(t[0], 0);", "")] {
        for condition in ["__VERIFIER_nondet_bool()", "y == 0"] {
            let begin = format!(
                "pthread_t t[3]; void *f(void *p) {{ y = 1; x = 1; x = 2; return 0; }}
                int main(void) {{ pthread_create(&t[0], 0, f, 0); MORE
                    if ({condition}) {{ {one} }} else {{ {other} }}
                    check(x != 0); REST"
            );
            let many = "for (int i = 1; i < 3; i++) pthread_create(&t[i], 0, f, 0);";
            let all = "for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }";
            agree(&begin.replace("MORE", many).replace("REST", all), "false", ON);
            let last = "pthread_create(&t[1], 0, f, 0); pthread_join(t[1], 0); return 0; }";
            agree(&begin.replace("MORE", "").replace("REST", last), "false", ON);
        }
    }
}

const ON: &str = "on";
const SEEN: &str = "off: thread ids are looked at";
const OF_OTHERS: &str = "off: other threads have thread ids";

/// `count` threads with this body; they are started and joined one after another.
fn threads(count: usize, body: &str) -> String {
    format!(
        "void *f(void *p) {{ {body} return 0; }}
        int main(void) {{ pthread_t t[{count}]; for (int i = 0; i < {count}; i++) pthread_create(&t[i], 0, f, 0);
            for (int i = 0; i < {count}; i++) pthread_join(t[i], 0);"
    )
}

#[test]
fn states_are_polynomially_many() {
    for body in ["pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "x = 1; y = 1; z = x;"] {
        let mut before = 0;
        for count in [4, 8] {
            let program = program(&format!("{} check(y <= 1); }}", threads(count, body)));
            let (outcome, with) = say(&program, Por::Persistent, true, u64::MAX);
            assert_eq!((outcome.name(), with.symmetry), ("true", ON));
            if before > 0 {
                // Twice as many threads: at most a polynomial of degree 5.
                assert!(with.states < 32 * before, "{before} states, then {}", with.states);
                let (_, without) = say(&program, Por::Persistent, false, 200);
                assert!(without.states > 4 * with.states, "{} and {} states", without.states, with.states);
            }
            before = with.states;
        }
    }
}

/// Handles in variables that are joined one by one, other work in between.
#[test]
fn joins_in_any_order() {
    let program = |check: &str| {
        format!(
            "pthread_t c; void *f(void *p) {{ pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }}
            int main(void) {{ pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_create(&c, 0, f, 0); pthread_join(b, 0); {check} pthread_join(a, 0); pthread_join(c, 0);
                check(x == 3); return 0; }}"
        )
    };
    agree(&program("check(x >= 1);"), "true", ON);
    agree(&program("check(x >= 2);"), "false", ON);
    agree(&program("check(x <= 2);"), "false", ON);
}

/// One thread is joined and not the others: which one has ended matters.
#[test]
fn the_thread_that_is_joined_has_ended() {
    for (joined, verdict) in [("a", "true"), ("b", "false"), ("c", "false")] {
        let text = format!(
            "void *f(void *p) {{ if (p) {{ pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); }} else y = 1; return 0; }}
            int main(void) {{ pthread_t a, b, c; pthread_create(&a, 0, f, &x); pthread_create(&b, 0, f, 0);
                pthread_create(&c, 0, f, 0); pthread_join({joined}, 0); check(x == 1); return 0; }}"
        );
        agree(&text, verdict, ON);
    }
}

#[test]
fn a_join_that_never_comes_back() {
    let text = "void *f(void *p) { pthread_mutex_lock(&m); x++; return 0; }
        int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);
            for (int i = 0; i < 3; i++) pthread_join(t[i], 0); reach_error(); }";
    agree(text, "true", ON);
    agree(&text.replace("i < 3; i++) pthread_join(t[i]", "i < 1; i++) pthread_join(t[i]"), "false", ON);
}

/// The results of threads are looked at, in the order of their handles.
#[test]
fn results_of_threads() {
    let program = |check: &str| {
        format!(
            "void *f(void *p) {{ long v; pthread_mutex_lock(&m); v = x++; pthread_mutex_unlock(&m); return (void *)v; }}
            int main(void) {{ pthread_t a, b, c; void *u, *v, *w; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
                pthread_create(&c, 0, f, 0); pthread_join(a, &u); pthread_join(b, &v); pthread_join(c, &w);
                check({check}); return 0; }}"
        )
    };
    agree(&program("u != v && v != w && u != w"), "true", ON);
    agree(&program("u < v"), "false", ON);
    agree(&program("u != (void *)2 || v != (void *)0"), "false", ON);
}

/// Thread ids that the program looks at.
#[test]
fn ids_are_seen() {
    let own = "pthread_t t[3]; void *f(void *p) { if (pthread_equal(pthread_self(), t[0])) { x = 1; check(y == 0); } else y = 1; return 0; }
        int main(void) { for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0); return 0; }";
    agree(own, "false", SEEN);
    let stored =
        "pthread_t who; void *f(void *p) { who = pthread_self(); check(pthread_equal(who, pthread_self())); return 0; }
        int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0); return 0; }";
    agree(stored, "false", SEEN);
    let compared = "void *f(void *p) { x++; return 0; }
        int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); check(a != b); return 0; }";
    agree(compared, "true", SEEN);
    let index = "int seen[4]; void *f(void *p) { seen[pthread_self() & 3]++; return 0; }
        int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0);
            check(seen[0] == 0); check(seen[1] <= 1); return 0; }";
    agree(index, "true", SEEN);
    let cast = "void *f(void *p) { x = (int)pthread_self(); y = x; return 0; }
        int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); pthread_join(a, 0);
            pthread_join(b, 0); check(x == (int)a); return 0; }";
    agree(cast, "false", SEEN);
    let among_others = "struct { pthread_t t; int i; } s[2]; void *f(void *p) { s[1].i = 1; return 0; }
        int main(void) { for (int i = 0; i < 2; i++) pthread_create(&s[i].t, 0, f, 0);
            for (int i = 0; i < 2; i++) { pthread_join(s[i].t, 0); check(s[i].i == i); } return 0; }";
    let said = say(&program(among_others), Por::Persistent, true, u64::MAX);
    assert_eq!(said.0.name(), "true");
}

/// A thread joins another one, whose id it is given.
#[test]
fn ids_of_other_threads() {
    // Whoever joins is not the thread that is joined: the library looks at both ids.
    let text = "pthread_t u; void *g(void *p) { x++; return 0; }
        void *f(void *p) { pthread_join(u, 0); check(x > 0); return 0; }
        int main(void) { pthread_t t; pthread_create(&u, 0, g, 0); for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0); return 0; }";
    agree(text, "true", SEEN);
    let passed_on = "pthread_t u, v; void *g(void *p) { x++; return 0; }
        void *f(void *p) { v = u; return 0; }
        int main(void) { pthread_t t; pthread_create(&u, 0, g, 0); for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0);
            pthread_join(t, 0); pthread_join(v, 0); check(x > 0); return 0; }";
    agree(passed_on, "true", OF_OTHERS);
}

/// Whoever has a lock: a checking lock answers its owner, a recursive one lets it in.
#[test]
fn owners_of_locks() {
    for (kind, verdict) in [(1, "true"), (2, "true")] {
        let text = format!(
            "void *f(void *p) {{ if (pthread_mutex_trylock(&m) == 0) {{ int again = pthread_mutex_lock(&m);
                    check(again == ({kind} == 2 ? 35 : 0)); x++; check(x == 1); x--; if (!again) pthread_mutex_unlock(&m);
                    check(pthread_mutex_unlock(&m) == 0); }}
                else check(pthread_mutex_unlock(&m) == 1 || 1);
                return 0; }}
            int main(void) {{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, {kind});
                pthread_mutex_init(&m, &a); pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, f, 0); return 0; }}"
        );
        agree(&text, verdict, ON);
    }
    // Two threads at the same place, of which one has the lock.
    let text = "int d; void *f(void *p) { pthread_mutex_trylock(&m); x++; y++; if (pthread_mutex_unlock(&m) == 0) check(p != 0); return 0; }
        int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, 2);
            pthread_mutex_init(&m, &a); pthread_t t; pthread_create(&t, 0, f, &d); pthread_create(&t, 0, f, &d);
            pthread_create(&t, 0, f, 0); return 0; }";
    agree(text, "false", ON);
    agree(&text.replace("check(p != 0)", "check(d == 0)"), "true", ON);
}

/// Nothing but who has a lock tells threads apart when they have met, and whoever has not does not come to its end. Any of them may be the one that is joined.
#[test]
fn holders_are_renamed() {
    for (take, give) in [
        ("pthread_mutex_trylock(&m);", "pthread_mutex_unlock(&m);"),
        ("pthread_rwlock_tryrdlock(&r);", "pthread_rwlock_unlock(&r);"),
        ("pthread_rwlock_trywrlock(&r);", "pthread_rwlock_unlock(&r);"),
    ] {
        for joined in ["t", "u", "v"] {
            let text = format!(
                "void *f(void *p) {{ __VERIFIER_atomic_begin(); if (x == 0) {{ x = 1; {take} }} z++; __VERIFIER_atomic_end();
                    while (z < 3); y++; {give} return 0; }}
                int main(void) {{ pthread_t t, u, v; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
                    pthread_create(&v, 0, f, 0); pthread_join({joined}, 0); reach_error(); }}"
            );
            agree(&text, "false", ON);
            agree(&text.replace("reach_error();", "check(x == 1 && y >= 1);"), "true", ON);
        }
    }
}

/// Whoever is in an atomic block, at a place that others have got to without one.
#[test]
fn whoever_is_in_a_block_is_renamed() {
    for joined in ["t", "u", "v"] {
        let text = format!(
            "int q, w; sem_t s; void *f(void *p) {{ int first, seen;
                __VERIFIER_atomic_begin(); first = x == 0; x = 1; z++; __VERIFIER_atomic_end(); while (z < 3);
                if (first) {{ while (q < 2); __VERIFIER_atomic_begin(); w = 1; sem_post(&s); }}
                else {{ __VERIFIER_atomic_begin(); q++; __VERIFIER_atomic_end(); }}
                sem_wait(&s); seen = w; w = 0; sem_post(&s); __VERIFIER_atomic_end(); return (void *)(long)seen; }}
            int main(void) {{ pthread_t t, u, v; void *seen; sem_init(&s, 0, 0); pthread_create(&t, 0, f, 0);
                pthread_create(&u, 0, f, 0); pthread_create(&v, 0, f, 0); pthread_join({joined}, &seen);
                check(seen == 0); return 0; }}"
        );
        agree(&text, "false", ON);
    }
}

/// Handles in an array, which the first thread reads when the threads have met: what tells these apart matters until then.
#[test]
fn handles_in_memory_count() {
    for joined in 0..3 {
        let text = format!(
            "void *f(void *p) {{ int first; __VERIFIER_atomic_begin(); first = x == 0; x = 1; z++; __VERIFIER_atomic_end();
                while (z < 3); y++; while (!first); return 0; }}
            int main(void) {{ pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);
                while (z < 3); for (int i = {joined}; i < {joined} + 1; i++) pthread_join(t[i], 0); reach_error(); }}"
        );
        agree(&text, "false", ON);
        agree(&text.replace("reach_error();", "check(z == 3);"), "true", ON);
    }
}

/// Two threads that take turns in exchanged roles: classes come back where no state does. The others must not be put off for ever.
#[test]
fn cycles_of_classes() {
    let text = "sem_t s[3]; void *f(void *p) { int role = p ? 1 : 0;
            for (;;) { sem_wait(&s[role]); sem_post(&s[(role + 1) % 3]); role = (role + 2) % 3; } return 0; }
        void *g(void *p) { pthread_mutex_lock(&m); y++; check(y < 3); pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_t t, u; sem_init(&s[0], 0, 1); sem_init(&s[1], 0, 0); sem_init(&s[2], 0, 0);
            pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, &x); pthread_create(&u, 0, g, 0);
            pthread_create(&u, 0, g, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); return 0; }";
    agree(text, "false", ON);
    agree(&text.replace("y < 3", "y < 4"), "true", ON);
}

/// What the first thread does between joins is seen by the thread that is joined last, and not by the one before.
#[test]
fn steps_between_joins_are_seen() {
    for (first, second) in [("t", "u"), ("u", "t")] {
        let text = format!(
            "void *f(void *p) {{ int first; __VERIFIER_atomic_begin(); first = x == 0; x = 1; z++; __VERIFIER_atomic_end();
                while (z < 2); if (first) check(y == 0); return 0; }}
            int main(void) {{ pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
                pthread_join({first}, 0); y = 1; pthread_join({second}, 0); return 0; }}"
        );
        agree(&text, "false", ON);
    }
}

#[test]
fn readers_of_locks() {
    let text =
        "void *f(void *p) { if (pthread_rwlock_tryrdlock(&r) == 0) { x = 1; check(pthread_rwlock_trywrlock(&r) != 0);
            pthread_rwlock_unlock(&r); } else check(0); return 0; }
        int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, f, 0); return 0; }";
    agree(text, "true", ON);
    let broken = text.replace("int main(void) {", "int main(void) { pthread_rwlock_trywrlock(&r); ");
    agree(&broken, "false", ON);
}

#[test]
fn variables_of_threads() {
    let text = "_Thread_local int own; void *f(void *p) { own++; x = own; y = x; check(own == 1); return 0; }
        int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, f, 0); return 0; }";
    agree(text, "true", ON);
    agree(&text.replace("check(own == 1)", "own = x + y; check(own != 4)").replace("x = own", "x += own"), "false", ON);
    let keys = "pthread_key_t k; void *f(void *p) { pthread_setspecific(k, p); x++; check(pthread_getspecific(k) == p); return 0; }
        int main(void) { pthread_key_create(&k, 0); pthread_t t; pthread_create(&t, 0, f, &x);
            pthread_create(&t, 0, f, &y); return 0; }";
    agree(keys, "true", "off: threads allocate");
}

#[test]
fn conditions() {
    let text = "pthread_cond_t c; void *f(void *p) { pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m);
            y++; check(y <= 2); pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0);
            pthread_mutex_lock(&m); x = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); return 0; }";
    agree(text, "true", ON);
    agree(&text.replace("y <= 2", "y <= 1"), "false", ON);
}

/// The first thread ends while others run; threads that nobody joins.
#[test]
fn ends_and_detached_threads() {
    let text = "void *f(void *p) { pthread_mutex_lock(&m); x++; check(x < 3); pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, f, 0); END }";
    agree(&text.replace("END", "return 0;"), "false", ON);
    agree(&text.replace("END", "pthread_exit(0);"), "false", ON);
    agree(&text.replace("END", "pthread_exit(0);").replace("x < 3", "x < 4"), "true", ON);
    let detached = text.replace("0, f, 0);", "0, f, 0), pthread_detach(t);").replace("END", "return 0;");
    agree(&detached, "false", SEEN);
    agree(&detached.replace("x < 3", "x < 4"), "true", SEEN);
}

/// Addresses of what threads allocate are those of their numbers.
#[test]
fn threads_that_allocate() {
    let own = "void *f(void *q) { int own[2] = { 0, 0 }; x = own[x & 1]; return 0; }
        int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0); return 0; }";
    agree(own, "true", "off: threads allocate");
}

#[test]
fn one_thread_of_each_function() {
    let text = "void *f(void *p) { x = 1; return 0; } void *g(void *p) { check(x <= 1); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); return 0; }";
    agree(text, "true", "off: one thread of each function");
}

/// Threads that are started by threads, and again after others have ended.
#[test]
fn threads_in_turn() {
    let text = "void *g(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
        pthread_t h; void *f(void *p) { pthread_create(&h, 0, g, 0); y++; return 0; }
        int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0);
            pthread_join(u, 0); check(y == 2); return 0; }";
    agree(text, "false", ON);
    agree(&text.replace("y == 2", "y >= 1 && x <= 2"), "true", ON);
    // Whichever of the two was started last is joined.
    let last = text.replace("check(y == 2)", "pthread_join(h, 0); check(x > 0)");
    agree(&last, "true", ON);
    agree(&last.replace("x > 0", "x > 1"), "false", ON);
    let rounds = "void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
        int main(void) { for (int k = 0; k < 2; k++) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0);
            for (int i = 0; i < 2; i++) pthread_join(t[i], 0); check(x == 2 * k + 2); } return 0; }";
    agree(rounds, "true", ON);
    agree(&rounds.replace("x == 2 * k + 2", "x == 2 || k == 0"), "false", ON);
}

/// Work that the first thread does between joins, which others can see or change.
#[test]
fn work_between_joins() {
    let text = "void *f(void *p) { pthread_mutex_lock(&m); if (y) z++; x++; pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0);
            for (int i = 0; i < 3; i++) { pthread_join(t[i], 0); y = 1; check(x > i); } check(COND); return 0; }";
    agree(&text.replace("COND", "z <= 2"), "true", ON);
    agree(&text.replace("COND", "z <= 1"), "false", ON);
    agree(&text.replace("COND", "z >= 1"), "false", ON);
    agree(&text.replace("x > i", "x == 3").replace("COND", "1"), "false", ON);
}

/// A program with a few instances of one or two functions, with arguments, several ways to wait for them, and work of the first thread before, between and after.
fn random_program(seed: u64) -> String {
    let mut dice = Random::new(seed + 77);
    let mut out = String::from("_Thread_local int own;\nint a[2];\n");
    let checking = dice.chance(40);
    let functions = 1 + dice.index(2);
    for f in 0..functions {
        let _ = writeln!(out, "void *f{f}(void *p) {{ int v = 0;");
        for _ in 0..1 + dice.index(3) {
            statement(&mut dice, &mut out, "p != 0");
        }
        let result = if dice.chance(30) { "(void *)(long)v" } else { "0" };
        let _ = writeln!(out, "return {result}; }}");
    }
    let counts: Vec<usize> = (0..functions).map(|_| 2 + dice.index(if functions == 1 { 2 } else { 1 })).collect();
    let style = dice.index(4);
    let handles = ["t[0]", "t[1]", "t[2]", "t[3]"];
    let names = ["g0", "g1", "h2", "h3"];
    let name = |i: usize| if style == 0 { names[i] } else { handles[i] };
    out.push_str("pthread_t g0, g1;\nint main(void) { pthread_t t[4], h2, h3; void *w = 0; int v = 0;\n");
    if checking {
        let kind = 1 + dice.index(2);
        let _ = writeln!(
            out,
            "pthread_mutexattr_t q; pthread_mutexattr_init(&q); pthread_mutexattr_settype(&q, {kind}); pthread_mutex_init(&m, &q);"
        );
    }
    let mut started = 0;
    for (f, count) in counts.iter().enumerate() {
        for _ in 0..*count {
            let argument = if dice.chance(25) { "&x" } else { "0" };
            let _ = writeln!(out, "pthread_create(&{}, 0, f{f}, {argument});", name(started));
            started += 1;
            if dice.chance(10) {
                statement(&mut dice, &mut out, "1");
            }
        }
    }
    if dice.chance(30) {
        statement(&mut dice, &mut out, "1");
    }
    let wanted = if dice.chance(25) { "&w" } else { "0" };
    match dice.index(5) {
        0 => {}
        1 if style != 0 => {
            let _ = writeln!(out, "for (int i = 0; i < {started}; i++) {{ pthread_join(t[i], {wanted});");
            if dice.chance(30) {
                statement(&mut dice, &mut out, "1");
            }
            out.push_str("}\n");
        }
        2 => {
            let _ = writeln!(out, "pthread_join({}, {wanted});", name(dice.index(started)));
        }
        _ => {
            let first = dice.index(started);
            for i in 0..started {
                let _ = writeln!(out, "pthread_join({}, {wanted});", name((first + i) % started));
                if dice.chance(10) {
                    statement(&mut dice, &mut out, "1");
                }
            }
        }
    }
    let value = dice.index(4);
    let last = match dice.index(6) {
        0 => format!("check(x != {value});"),
        1 => format!("check(x + y <= {value});"),
        2 => "check(w == 0);".into(),
        3 => format!("check(y <= {value} || x <= 1);"),
        4 => format!("if (x == {value}) pthread_exit(0);"),
        _ => String::new(),
    };
    let _ = writeln!(out, "{last} return 0; }}");
    out
}

fn statement(dice: &mut Random, out: &mut String, given: &str) {
    let value = dice.index(3);
    let var = dice.pick(&["x", "y", "z"]);
    let other = dice.pick(&["x", "y", "v"]);
    let text = match dice.index(20) {
        0..3 => format!("pthread_mutex_lock(&m); {var}++; pthread_mutex_unlock(&m);"),
        3 => format!(
            "if (pthread_mutex_trylock(&m) == 0) {{ {var} = {value}; check({var} == {value}); pthread_mutex_unlock(&m); }}"
        ),
        4 => format!("{var} = {value};"),
        5 => format!("v = {var};"),
        6 => format!("if ({given}) {var} = {value}; else v = {var};"),
        7 => format!("__VERIFIER_atomic_begin(); {var}++; v = {other}; __VERIFIER_atomic_end();"),
        8 => format!("own++; check(own <= {value} + 1); v = own;"),
        9 => format!("if (v > {value}) {var} = v;"),
        10 => format!("while ({var} > {value}) {var}--;"),
        11 => "v = pthread_mutex_trylock(&m);".into(),
        12 => format!("if (pthread_mutex_unlock(&m) == 0) {var}++;"),
        13 => format!("if (pthread_rwlock_tryrdlock(&r) == 0) {{ v = {var}; {other}++; pthread_rwlock_unlock(&r); }}"),
        14 => format!("if (pthread_rwlock_trywrlock(&r) == 0) {{ {var} = v; pthread_rwlock_unlock(&r); }}"),
        15 => format!("a[{var} & 1] = v + {value}; v = a[{other} & 1] & 3;"),
        16 => format!("if (__VERIFIER_nondet_bool()) {var} = {value};"),
        17 => "pthread_rwlock_tryrdlock(&r); v = x;".into(),
        18 => format!("while ({var} == {value} + 1);"),
        _ => format!("check({var} <= {value} + 1);"),
    };
    let _ = writeln!(out, "{text}");
}

#[derive(Default)]
struct Tally {
    answers: BTreeMap<String, u64>,
    wrong: Vec<String>,
    /// Of programs that are safe all four ways: states without and with symmetry, without and with reduction.
    states: [u64; 4],
}

impl Tally {
    fn compare(&mut self, program: &Program, name: &str, text: &str) {
        let mut said = Vec::new();
        for por in [Por::None, Por::Persistent] {
            for with in [false, true] {
                said.push(say(program, por, with, 400));
            }
        }
        let symmetry = said[3].1.symmetry;
        *self.answers.entry(format!("{}, {symmetry}", said[1].0.name())).or_default() += 1;
        let known: Vec<&str> = said.iter().map(|s| s.0.name()).filter(|n| ["true", "false"].contains(n)).collect();
        let unconfirmed = said.iter().any(|s| s.0.name() == "unknown(unconfirmed)");
        if known.iter().any(|n| *n != known[0]) || unconfirmed {
            let names: Vec<&str> = said.iter().map(|s| s.0.name()).collect();
            println!("{name}: {names:?}\n{text}");
            self.wrong.push(name.to_owned());
        }
        if known == ["true"; 4] && symmetry == ON {
            for (sum, said) in self.states.iter_mut().zip(&said) {
                *sum += said.1.states;
            }
        }
    }

    fn finish(self) {
        println!("{:#?}, states {:?}", self.answers, self.states);
        assert!(self.wrong.is_empty(), "they disagree: {:?}", self.wrong);
    }
}

/// `RADDLE_CASES` programs of each kind.
#[test]
fn random_programs_agree() {
    let first = number("RADDLE_SEED", 0);
    let mut tally = Tally::default();
    for seed in first..first + number("RADDLE_CASES", 150) {
        let text = format!("{DECLARATIONS}{}", random_program(seed));
        tally.compare(&prepared(&text), &format!("program {seed}"), &text);
    }
    assert!(tally.states[1] < tally.states[0] && tally.states[3] < tally.states[2]);
    tally.finish();
}

#[test]
fn random_instances_agree() {
    let first = number("RADDLE_SEED", 0);
    let mut tally = Tally::default();
    for seed in first..first + number("RADDLE_CASES", 60) {
        for (kind, text) in
            [("instances", random_c::instances::program(seed)), ("waits", random_c::waits::program(seed))]
        {
            tally.compare(&prepared(&text), &format!("{kind} {seed}"), &text);
        }
    }
    tally.finish();
}
