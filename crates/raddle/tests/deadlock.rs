//! `--property no-deadlock`: locks, joins, conditions, semaphores and barriers, by every engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ENGINES: [&str; 4] = ["explore", "oc", "cegar", "auto"];

const HEADER: &str = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n\
    extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n\
    pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nsem_t s;\npthread_barrier_t barrier;\n\
    pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;\npthread_t t, u, self;\nint x, ready;\n\
    #define LOCK(m) pthread_mutex_lock(&m)\n#define UNLOCK(m) pthread_mutex_unlock(&m)\n\
    #define START(t, f) pthread_create(&t, 0, f, 0)\n#define JOIN(t) pthread_join(t, 0)\n\
    #define THREAD(f) static void *f(void *arg)\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("deadlock-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The last line and all that is printed.
fn run(folder: &Path, args: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(["--property", "no-deadlock", "--timeout", "60s"]).args(args).arg("a.c");
    let output = command.current_dir(folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text.lines().last().unwrap_or_default().to_owned(), text)
}

/// What engines say of threads and a `main`.
fn check(name: &str, threads: &str, main: &str, expected: &str, engines: &[&str]) {
    let folder = folder(name);
    let text = format!("{HEADER}{threads}\nint main(void) {{\n  {main}\n}}\n");
    fs::write(folder.join("a.c"), &text).unwrap();
    for engine in engines {
        let args: &[&str] = if *engine == "auto" { &["--quiet"] } else { &["--quiet", "--engine", engine] };
        assert_eq!(run(&folder, args).0, format!("VERDICT: {expected}"), "{engine}, {name}:\n{threads}\n{main}");
    }
}

fn deadlocks(name: &str, threads: &str, main: &str) {
    check(name, threads, main, "false(no-deadlock)", &ENGINES);
}

fn fine(name: &str, threads: &str, main: &str) {
    check(name, threads, main, "true", &ENGINES);
}

const BOTH: &str = "START(t, f); START(u, g); JOIN(t); JOIN(u); return 0;";

#[test]
fn order_of_locks() {
    let f = "THREAD(f) { LOCK(a); LOCK(b); x++; UNLOCK(b); UNLOCK(a); return 0; }";
    let opposite = "THREAD(g) { LOCK(b); LOCK(a); x--; UNLOCK(a); UNLOCK(b); return 0; }";
    deadlocks("abba", &format!("{f}\n{opposite}"), BOTH);
    fine("abab", &format!("{f}\n{}", f.replace("(f)", "(g)")), BOTH);
    // Both threads have to come there, and nobody else may give way.
    fine("guarded", &format!("{f}\n{}", opposite.replace("LOCK(b); LOCK(a)", "return 0; LOCK(b); LOCK(a)")), BOTH);
    fine("one_by_one", &format!("{f}\n{opposite}"), "START(t, f); JOIN(t); START(u, g); JOIN(u); return 0;");
    // The program ends while two threads wait.
    fine("main_returns", &format!("{f}\n{opposite}"), "START(t, f); START(u, g); return 0;");
    deadlocks("main_leaves", &format!("{f}\n{opposite}"), "START(t, f); START(u, g); pthread_exit(0);");
    fine(
        "exit",
        &format!("{f}\n{opposite}\nTHREAD(h) {{ exit(0); }}"),
        "START(t, f); START(u, g); START(self, h); JOIN(t); JOIN(u); return 0;",
    );
    // A thread that is called as well is no thread then.
    deadlocks("called", &format!("{f}\n{opposite}"), "f(0); START(t, f); START(u, g); JOIN(t); JOIN(u); return 0;");
    let by_pointer = format!("{f}\n{opposite}\nvoid *(*run)(void *) = f;");
    let main = format!("if (__VERIFIER_nondet_int()) run = g; {}", BOTH.replace("START(t, f)", "START(t, run)"));
    check("by_pointer", &by_pointer, &main, "false(no-deadlock)", &["explore", "cegar"]);
}

#[test]
fn one_lock() {
    deadlocks("again", "", "LOCK(a); LOCK(a); return 0;");
    deadlocks("other", "THREAD(f) { LOCK(a); return 0; }", "LOCK(a); START(t, f); JOIN(t); return 0;");
    fine("sequential", "", "LOCK(a); UNLOCK(a); LOCK(a); return 0;");
    fine("no_locks", "", "return x;");
    let kind = |kind: &str| {
        format!(
            "pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, {kind}); pthread_mutex_init(&a, &k); LOCK(a); LOCK(a); return 0;"
        )
    };
    fine("recursive", "", &kind("PTHREAD_MUTEX_RECURSIVE"));
    fine("errorcheck", "", &kind("PTHREAD_MUTEX_ERRORCHECK"));
    deadlocks("normal", "", &kind("PTHREAD_MUTEX_NORMAL"));
    // Whoever ended with the lock never gives it back.
    deadlocks("ended", "THREAD(f) { LOCK(a); return 0; }", "START(t, f); JOIN(t); LOCK(a); return 0;");
    fine(
        "try",
        "THREAD(f) { if (pthread_mutex_trylock(&a) == 0) UNLOCK(a); return 0; }",
        "LOCK(a); START(t, f); JOIN(t); UNLOCK(a); return 0;",
    );
    fine(
        "timed",
        "struct timespec until;\nTHREAD(f) { if (pthread_mutex_timedlock(&a, &until) == 0) UNLOCK(a); return 0; }",
        "LOCK(a); START(t, f); JOIN(t); UNLOCK(a); return 0;",
    );
}

#[test]
fn back_off() {
    let f = "THREAD(f) { for (;;) { LOCK(a); if (pthread_mutex_trylock(&b) == 0) break; UNLOCK(a); } UNLOCK(b); UNLOCK(a); return 0; }";
    let g =
        f.replace("(a)", "(-)").replace("(b)", "(a)").replace("(-)", "(b)").replace("&b", "&a").replace("(f)", "(g)");
    check("back_off", &format!("{f}\n{g}"), BOTH, "true", &["explore", "cegar", "auto"]);
}

#[test]
fn joins() {
    deadlocks(
        "each_other",
        "THREAD(f) { JOIN(self); return 0; }",
        "self = pthread_self(); START(t, f); JOIN(t); return 0;",
    );
    fine(
        "chain",
        "THREAD(g) { x++; return 0; }\nTHREAD(f) { START(u, g); JOIN(u); return 0; }",
        "START(t, f); JOIN(t); return 0;",
    );
    fine(
        "assumption",
        "THREAD(f) { LOCK(a); __VERIFIER_assume(0); UNLOCK(a); return 0; }",
        "START(t, f); JOIN(t); LOCK(a); return 0;",
    );
    check(
        "spins",
        "THREAD(f) { for (;;) ; }",
        "START(t, f); JOIN(t); return 0;",
        "true",
        &["explore", "cegar", "auto"],
    );
}

#[test]
fn conditions() {
    let waits = "THREAD(f) { LOCK(a); while (!ready) pthread_cond_wait(&c, &a); UNLOCK(a); return 0; }";
    let main = "START(t, f); LOCK(a); ready = 1; pthread_cond_signal(&c); UNLOCK(a); JOIN(t); return 0;";
    check("signal", waits, main, "true", &["explore", "cegar", "auto"]);
    deadlocks("never", waits, &main.replace("pthread_cond_signal(&c); ", ""));
    deadlocks(
        "too_early",
        waits,
        &main.replace("ready = 1; pthread_cond_signal(&c);", "pthread_cond_signal(&c); UNLOCK(a); LOCK(a); ready = 1;"),
    );
    // The signal may come between the test and the wait.
    let lost = "THREAD(f) { LOCK(a); int go = ready; UNLOCK(a); if (!go) { LOCK(a); pthread_cond_wait(&c, &a); UNLOCK(a); } return 0; }";
    deadlocks("lost", lost, main);
    let timed = "struct timespec until;\nTHREAD(f) { LOCK(a); if (!ready) pthread_cond_timedwait(&c, &a, &until); UNLOCK(a); return 0; }";
    fine("timed_wait", timed, "START(t, f); JOIN(t); return 0;");
    // Two wait, one is woken.
    let two = format!("{waits}\n{}", waits.replace("(f)", "(g)"));
    let both =
        "START(t, f); START(u, g); LOCK(a); ready = 1; pthread_cond_signal(&c); UNLOCK(a); JOIN(t); JOIN(u); return 0;";
    deadlocks("one_of_two", &two, both);
    check("broadcast", &two, &both.replace("signal", "broadcast"), "true", &["explore", "auto"]);
}

#[test]
fn semaphores_and_barriers() {
    let waits = "THREAD(f) { sem_wait(&s); return 0; }";
    deadlocks("not_posted", waits, "sem_init(&s, 0, 0); START(t, f); JOIN(t); return 0;");
    fine("posted", waits, "sem_init(&s, 0, 0); START(t, f); sem_post(&s); JOIN(t); return 0;");
    let comes = "THREAD(f) { pthread_barrier_wait(&barrier); return 0; }";
    let main = "pthread_barrier_init(&barrier, 0, 2); START(t, f); pthread_barrier_wait(&barrier); JOIN(t); return 0;";
    fine("barrier", comes, main);
    deadlocks("too_few", comes, &main.replace("0, 2", "0, 3"));
    fine(
        "once",
        "pthread_once_t once;\nvoid init(void) { x = 1; }\nTHREAD(f) { pthread_once(&once, init); return 0; }",
        "START(t, f); pthread_once(&once, init); JOIN(t); return 0;",
    );
}

#[test]
fn read_write_locks() {
    let f =
        "THREAD(f) { pthread_rwlock_rdlock(&rw); pthread_rwlock_wrlock(&rw); pthread_rwlock_unlock(&rw); return 0; }";
    deadlocks("upgrade", f, "START(t, f); JOIN(t); return 0;");
    let readers = "THREAD(f) { pthread_rwlock_rdlock(&rw); pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); pthread_rwlock_unlock(&rw); return 0; }";
    fine("readers", readers, "START(t, f); pthread_rwlock_rdlock(&rw); JOIN(t); return 0;");
    deadlocks("writer", readers, "START(t, f); pthread_rwlock_wrlock(&rw); JOIN(t); return 0;");
}

fn philosophers(count: usize, last_is_left_handed: bool) -> (String, String) {
    let mut threads = format!("pthread_mutex_t fork_[{count}];\npthread_t p[{count}];\n");
    let mut main = String::new();
    for i in 0..count {
        let (mut first, mut second) = (i, (i + 1) % count);
        if last_is_left_handed && i + 1 == count {
            std::mem::swap(&mut first, &mut second);
        }
        threads += &format!(
            "THREAD(p{i}) {{ LOCK(fork_[{first}]); LOCK(fork_[{second}]); x++; UNLOCK(fork_[{second}]); UNLOCK(fork_[{first}]); return 0; }}\n"
        );
        main += &format!("START(p[{i}], p{i}); ");
    }
    (0..count).for_each(|i| main += &format!("JOIN(p[{i}]); "));
    (threads, main + "return 0;")
}

#[test]
fn dining_philosophers() {
    for count in [2, 3] {
        let (threads, main) = philosophers(count, false);
        deadlocks(&format!("philosophers{count}"), &threads, &main);
        let (threads, main) = philosophers(count, true);
        fine(&format!("left_handed{count}"), &threads, &main);
    }
}

/// What no model says is unknown where it is reached.
#[test]
fn gaps() {
    let f = "THREAD(f) { pthread_tryjoin_np(self, 0); return 0; }";
    let engines = ["explore", "oc", "cegar"];
    let header = "int pthread_tryjoin_np(pthread_t, void **);\n";
    check(
        "try_join",
        &format!("{header}{f}"),
        "self = pthread_self(); START(t, f); JOIN(t); return 0;",
        "unknown(unmodelled)",
        &engines,
    );
    let block = "void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n\
        THREAD(f) { __VERIFIER_atomic_begin(); x = 1; LOCK(a); UNLOCK(a); __VERIFIER_atomic_end(); return 0; }";
    check("in_block", block, "LOCK(a); START(t, f); UNLOCK(a); JOIN(t); return 0;", "unknown(unsupported)", &engines);
}

/// The trace ends with who waits for what; the witness leads to the deadlock again; a harness has nothing to show.
#[test]
fn what_is_told() {
    let folder = folder("told");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/deadlock.c");
    fs::copy(source, folder.join("a.c")).unwrap();
    let (verdict, text) = run(&folder, &["--engine", "explore", "--witness", "w.yml", "--harness", "harness"]);
    assert_eq!(verdict, "VERDICT: false(no-deadlock)");
    let sentence = "a.c:14: deadlock: thread 2 waits for alice.lock, held by thread 1 since line 13; \
        thread 1 waits for bob.lock, held by thread 2 since line 13; thread 0 waits for thread 1 to end";
    assert_eq!(text.lines().next(), Some(sentence), "{text}");
    assert!(!text.contains("property:") && !text.contains("error 16"), "{text}");
    assert!(!folder.join("harness").exists());
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(["validate", "--property", "no-deadlock", "--timeout", "60s", "--witness", "w.yml", "a.c"]);
    let output = command.current_dir(&folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.lines().last(), Some("VERDICT: false(no-deadlock)"), "{text}");
}
