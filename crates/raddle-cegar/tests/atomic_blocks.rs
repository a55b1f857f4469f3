//! Atomic blocks that do not come to their end, and what others can do instead: no reduction may rely on such a block. Each program with all reductions, with
//! edges as they are written and with large blocks, and against exploration.

use raddle_cegar::{Cegar, CegarConfig, Domain, Lbe, Por};
use raddle_engine::{Budget, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_testing::lowered;

const NAMES: &str = "typedef unsigned long pthread_t; typedef struct { int kind; } pthread_mutex_t;
    extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    extern int pthread_join(pthread_t, void **); extern void pthread_exit(void *);
    extern int pthread_mutex_lock(pthread_mutex_t *); extern int pthread_mutex_unlock(pthread_mutex_t *);
    extern void exit(int); extern void abort(void); extern void __VERIFIER_assume(int);
    extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
    extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
    int x, y, z, *nowhere; pthread_mutex_t m; pthread_t h;\n";

/// All engines say the same of a program.
fn check(text: &str, is_safe: bool) {
    let task = Task::new(lowered(&format!("{NAMES}{text}")), MemoryModel::Sc);
    let say = |engine: &dyn Engine, name: String| {
        let outcome = engine.run(&task, &Facts::default(), &Budget::unlimited(), &Silent).outcome;
        let is_right = match outcome {
            Outcome::Safe(_) => is_safe,
            Outcome::Unsafe(_) => !is_safe,
            Outcome::Unknown(_) => false,
        };
        assert!(is_right, "{name}: {outcome:?}\n{text}");
    };
    for por in [Por::None, Por::Best] {
        say(&Explore(ExploreConfig { por, ..ExploreConfig::default() }), format!("explore, {por:?}"));
    }
    for domain in [Domain::Expl, Domain::PredCart] {
        for por in [Por::None, Por::Spor, Por::Aaspor] {
            for lbe in [Lbe::None, Lbe::Full] {
                let config = CegarConfig { domain, por, lbe: Some(lbe), ..CegarConfig::default() };
                say(&Cegar(config), format!("{domain:?}, {por:?}, {lbe:?}"));
            }
        }
    }
}

/// A thread does this in an atomic block, while the first process can reach the error without it; or cannot, if the error waits for what the block leaves behind.
fn in_block(block: &str) {
    let section = format!("__VERIFIER_atomic_begin(); {block} __VERIFIER_atomic_end();");
    let main = "int main(void) { pthread_t p; pthread_create(&p, 0, t, 0);";
    let thread = format!("void *t(void *q) {{ int l = 0; {section} return 0; }}");
    check(&format!("{thread} {main} x = 1; if (x != 0) reach_error(); return 0; }}"), false);
    check(&format!("{thread} {main} if (y == 1) reach_error(); return 0; }}"), true);
    let named = format!("void __VERIFIER_atomic_f(void) {{ int l = 0; {block} }}");
    let thread = "void *t(void *q) { __VERIFIER_atomic_f(); return 0; }";
    check(&format!("{named} {thread} {main} x = 1; if (x != 0) reach_error(); return 0; }}"), false);
    check(&format!("{named} {thread} {main} if (y == 1) reach_error(); return 0; }}"), true);
}

#[test]
fn the_program_ends() {
    for end in ["exit(0);", "abort();", "if (z == 0) exit(0);", "if (z == 0) { z = 2; abort(); }"] {
        in_block(end);
        in_block(&format!("y = 1; {end}"));
        in_block(&format!("y = 1; z = 0; {end} z = 1;"));
    }
}

#[test]
fn the_path_ends() {
    for end in ["__VERIFIER_assume(0);", "__VERIFIER_assume(z);", "l = 1 / z;", "*nowhere = 1;", "l = *nowhere;"] {
        in_block(end);
        in_block(&format!("y = 1; {end}"));
        in_block(&format!("y = 1; z = 0; {end} z = 1;"));
    }
}

#[test]
fn the_thread_waits() {
    for wait in ["pthread_mutex_lock(&m); pthread_mutex_lock(&m);", "while (z == 0) ;", "pthread_join(0, 0);"] {
        in_block(wait);
        in_block(&format!("y = 1; {wait}"));
    }
}

#[test]
fn the_first_process_ends() {
    let thread = "void *t(void *q) { x = 1; if (x != 0) reach_error(); return 0; }";
    for end in ["return 0;", "exit(0);"] {
        let main = format!(
            "int main(void) {{ pthread_t p; pthread_create(&p, 0, t, 0); __VERIFIER_atomic_begin(); y = 1; {end} }}"
        );
        check(&format!("{thread} {main}"), false);
        let thread = "void *t(void *q) { if (y == 1) reach_error(); return 0; }";
        check(&format!("{thread} {main}"), true);
    }
}

/// The end of a thread is the end of its blocks: others see what it wrote there.
#[test]
fn the_thread_ends() {
    for end in ["pthread_exit(0);", "return 0;"] {
        let thread = format!("void *t(void *q) {{ __VERIFIER_atomic_begin(); y = 1; {end} }}");
        let main = "int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); if (y == 1) reach_error(); return 0; }";
        check(&format!("{thread} {main}"), false);
    }
}

/// Under a lock, ending the program stops one thread only: those that need the lock have no more to do.
#[test]
fn the_program_ends_under_a_lock() {
    let thread = "void *t(void *q) { pthread_mutex_lock(&m); y = 1; exit(0); return 0; }";
    let main = "int main(void) { pthread_t p; pthread_create(&p, 0, t, 0);";
    check(&format!("{thread} {main} if (y == 1) reach_error(); return 0; }}"), false);
    check(&format!("{thread} {main} pthread_mutex_lock(&m); if (y == 1) reach_error(); return 0; }}"), true);
    check(&format!("{thread} {main} pthread_mutex_lock(&m); if (y == 0) reach_error(); return 0; }}"), false);
}

/// `p` waits in its block for the end of `q`, which has nothing to do with what `p` and `r` have in common.
#[test]
fn a_join_waits_for_what_is_left_out() {
    check(
        "void *q(void *a) { z = 1; return 0; }
        void *p(void *a) { pthread_t l = h; __VERIFIER_atomic_begin(); pthread_join(l, 0); if (x == 0) reach_error();
            __VERIFIER_atomic_end(); return 0; }
        void *r(void *a) { int l; x = 1; l = z; if (l == 2) reach_error(); return 0; }
        int main(void) { pthread_t c, d; pthread_create(&h, 0, q, 0); pthread_create(&c, 0, p, 0);
            pthread_create(&d, 0, r, 0); return 0; }",
        false,
    );
}

/// The first process is put off along a cycle on which it is kept out by turns.
#[test]
fn a_cycle_through_a_block() {
    let thread = "void *t(void *q) { while (1) { __VERIFIER_atomic_begin(); y = 1; z = 1; __VERIFIER_atomic_end(); } return 0; }";
    let main = "int main(void) { pthread_t p; int n = __VERIFIER_nondet_int(); pthread_create(&p, 0, t, 0);";
    check(&format!("{thread} {main} __VERIFIER_assume(n > 3); reach_error(); return 0; }}"), false);
    check(&format!("{thread} {main} __VERIFIER_assume(n == 3); if (n != 3) reach_error(); return 0; }}"), true);
    // This cycle never leaves the block.
    let thread = "void *t(void *q) { __VERIFIER_atomic_begin(); while (1) { y = 1; z = 1; } return 0; }";
    check(&format!("{thread} {main} __VERIFIER_assume(n > 3); reach_error(); return 0; }}"), false);
}
