//! A random execution that reaches an error is a schedule that replays to it.

use raddle_interp::machine::code::compile;
use raddle_interp::{Telling, random_run, replay, sample::corner_values};
use raddle_ir::Program;
use raddle_testing::random_c::{self, sequential, stalls};
use raddle_testing::{lowered, number};

/// How many of so many runs reach an error; each of them is replayed.
fn errors(program: &Program, runs: u64) -> u64 {
    let code = compile(program).unwrap_or_else(|what| panic!("{}", what.0));
    let corners = corner_values(program);
    let mut errors = 0;
    for seed in 1..=runs {
        let run = random_run(&code, seed, 200_000, &corners, &|| None);
        if let Some(schedule) = run.schedule {
            let replayed = replay(program, &schedule, Telling::Nothing);
            assert!(replayed.end.is_error(), "seed {seed}: {}", replayed.end.words());
            errors += 1;
        }
    }
    errors
}

#[test]
fn errors_of_random_programs_are_replayed() {
    let mut found = 0;
    for seed in 0..number("RADDLE_CASES", 15) {
        for generate in [random_c::program as fn(u64) -> String, sequential::program, stalls::program] {
            found += errors(&lowered(&generate(seed)), 20);
        }
    }
    assert!(found > 10, "only {found}: the generators have hardly any errors, or they are not found");
}

#[test]
fn steps_that_are_taken_back_leave_nothing_in_the_schedule() {
    let program = lowered(
        "typedef unsigned long pthread_t; typedef struct { int kind; } pthread_mutex_t;
         extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
         extern int pthread_mutex_lock(pthread_mutex_t *); extern int pthread_mutex_unlock(pthread_mutex_t *);
         extern int nondet(void); extern void abort(void); extern void reach_error(void);
         extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
         pthread_mutex_t m; int ready, n;
         void *f(void *p) {
             __VERIFIER_atomic_begin(); int x = nondet(); if (!(ready && x > 3 && x < 9)) abort(); n = x; __VERIFIER_atomic_end();
             pthread_mutex_lock(&m); n += nondet() & 1; pthread_mutex_unlock(&m); return 0; }
         int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m);
             int y = nondet(); if (y > 2 && n > y + 3) reach_error(); return 0; }",
    );
    assert!(errors(&program, 2000) > 0);
}
