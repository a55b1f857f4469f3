//! `--property no-data-race`: what is a race and what is none, by every engine.

use std::fs;
use std::path::Path;
use std::process::Command;

const HEAD: &str = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n\
    extern void __VERIFIER_assume(int);\n";

fn run(name: &str, engine: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("races-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.c"), format!("{HEAD}{text}\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(["--property", "no-data-race", "--timeout", "60s", "--engine", engine, "a.c"]);
    let output = command.current_dir(&folder).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn verdicts(name: &str, text: &str) -> Vec<String> {
    let last = |engine: &&str| run(name, engine, text).lines().last().unwrap_or_default().to_owned();
    ["explore", "oc", "cegar"].iter().map(last).collect()
}

/// A thread `t` and `main`, which starts it with `arg` and then does something.
fn two(globals: &str, thread: &str, main: &str) -> String {
    format!(
        "{globals}\nvoid *t(void *arg) {{ {thread}; return 0; }}\nint main(void) {{\n  pthread_t id;\n  pthread_create(&id, 0, t, 0);\n  \
         {main};\n  pthread_join(id, 0);\n  return 0;\n}}"
    )
}

fn races(name: &str, text: &str) {
    assert_eq!(verdicts(name, text), ["VERDICT: false(no-data-race)"; 3], "{text}");
}

fn is_safe(name: &str, text: &str) {
    assert_eq!(verdicts(name, text), ["VERDICT: true"; 3], "{text}");
}

#[test]
fn plain_accesses() {
    races("write_write", &two("int x;", "x = 1", "x = 2"));
    races("write_read", &two("int x, y;", "x = 1", "y = x"));
    is_safe("read_read", &two("int x, y, z;", "y = x", "z = x"));
    is_safe("other", &two("int x, y;", "x = 1", "y = 1"));
    is_safe("joined", &two("int x;", "x = 1", "pthread_join(id, 0); x = 2; pthread_create(&id, 0, t, 0)"));
}

#[test]
fn locks() {
    let globals = "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;";
    let under = |lock: &str| format!("pthread_mutex_lock(&{lock}); x++; pthread_mutex_unlock(&{lock})");
    is_safe("one_lock", &two(globals, &under("m"), &under("m")));
    races("two_locks", &two(globals, &under("m"), &under("n")));
    races("late", &two(globals, &under("m"), &format!("{}; x++", under("m"))));
    let tried = "if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }";
    is_safe("tried", &two(globals, tried, &under("m")));
    races("not_had", &two(globals, &tried.replace("== 0", "!= 0 || 1"), &under("m")));
    let shared = "int x, y; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;";
    let read = "pthread_rwlock_rdlock(&l); y = x; pthread_rwlock_unlock(&l)";
    let write = "pthread_rwlock_wrlock(&l); x = 1; pthread_rwlock_unlock(&l)";
    is_safe("read_write", &two(shared, read, write));
    races("shared", &two(shared, read, &write.replace("wrlock", "rdlock")));
}

/// Array elements, members and bit-fields are told apart by bytes.
#[test]
fn bytes() {
    let globals = "struct { int a, b; char c[4]; int f : 3, g : 5; } s; int v[4], i;";
    is_safe("members", &two(globals, "s.a = 1", "s.b = 1"));
    races("record", &two(globals, "s.a = 1", "typeof(s) copy = s; v[0] = copy.b"));
    races("fields", &two(globals, "s.f = 1", "s.g = 1"));
    is_safe("elements", &two(globals, "v[1] = 1", "v[0] = 1"));
    races("index", &two(globals, "v[1] = 1", "unsigned k = __VERIFIER_nondet_int(); if (k < 2) v[k] = 1"));
    is_safe("other_index", &two(globals, "v[3] = 1", "unsigned k = __VERIFIER_nondet_int(); if (k < 2) v[k] = 1"));
    races("byte", &two(globals, "((char *)v)[5] = 1", "v[1] = 2"));
    races("copied", &two(globals, "s.c[2] = 1", "memcpy(s.c, \"abc\", 4)"));
    is_safe("not_copied", &two(globals, "s.c[3] = 1", "memcpy(s.c, \"abc\", 3)"));
}

#[test]
fn heap() {
    races("heap", &two("int *p; ", "*p = 1", "*p = 2").replace("pthread_t id;", "pthread_t id; p = malloc(4);"));
    let own = "int *p = malloc(8); p[0] = 1; p[1] = p[0]; free(p)";
    is_safe("own", &two("", own, own));
    let main = "int a[2]; pthread_t u, w; pthread_create(&u, 0, f, a); pthread_create(&w, 0, f, a + 1)";
    let f = "void *f(void *p) { *(int *)p = 1; return 0; }";
    is_safe("given", &format!("{f} int main(void) {{ {main}; pthread_join(u, 0); pthread_join(w, 0); }}"));
    races(
        "given_same",
        &format!("{f} int main(void) {{ {}; pthread_join(u, 0); pthread_join(w, 0); }}", main.replace("a + 1", "a")),
    );
}

#[test]
fn atomics() {
    is_safe("atomic", &two("_Atomic int x;", "x++", "x = 2"));
    is_safe("builtin", &two("int x;", "__atomic_store_n(&x, 1, 5)", "__atomic_fetch_add(&x, 1, 5)"));
    races("half", &two("int x, y;", "__atomic_store_n(&x, 1, 5)", "y = x"));
    races("half_read", &two("int x, y;", "x = 1", "y = __atomic_load_n(&x, 5)"));
    let flag = "_Atomic int ready; int data;";
    is_safe("message", &two(flag, "data = 1; ready = 1", "if (ready) data = 2"));
    races("no_message", &two(flag, "ready = 1; data = 1", "if (ready) data = 2"));
    // What only relaxed accesses order is not ordered.
    let relaxed = two(
        flag,
        "data = 1; atomic_store_explicit(&ready, 1, memory_order_relaxed)",
        "if (atomic_load_explicit(&ready, memory_order_relaxed)) data = 2",
    );
    assert_eq!(verdicts("relaxed", &relaxed), ["VERDICT: unknown(unsupported)"; 3]);
}

/// Sections exclude each other, and nothing else.
#[test]
fn sections() {
    let section = "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end()";
    is_safe("sections", &two("int x;", section, section));
    races("section_and_write", &two("int x;", section, "x = 1"));
    races("read_in_section", &two("int x, y;", &section.replace("x++", "y = x"), "x = 1"));
    is_safe(
        "within",
        &two("int x; void f(void) { x++; }", &section.replace("x++", "f()"), &section.replace("x++", "f()")),
    );
    let helpers = "int x; void b(void) { __VERIFIER_atomic_begin(); } void e(void) { __VERIFIER_atomic_end(); }";
    is_safe("helpers", &two(helpers, "b(); x++; e()", "b(); x++; e()"));
    races("helper_and_read", &two(&format!("{helpers} int y;"), "b(); x++; e()", "y = x"));
    // The section is not over when the other one begins.
    let ordered = "__VERIFIER_atomic_begin(); f = 1; x = 1; f = 0; __VERIFIER_atomic_end()";
    is_safe("unseen", &two("int x, f;", ordered, "__VERIFIER_atomic_begin(); if (f) x = 2; __VERIFIER_atomic_end()"));
}

/// The library: `rand` need not be safe for threads, what is its own is its own business.
#[test]
fn library() {
    races("rand", &two("int x, y;", "x = rand()", "y = rand()"));
    is_safe("malloc", &two("", "free(malloc(4))", "free(malloc(4))"));
    races("memset", &two("char b[8];", "memset(b, 0, 8)", "b[7] = 1"));
    races("printed", &two("char b[8] = \"abc\";", "puts(b)", "b[2] = 1"));
}

/// What is a race to some and not to others, or may be ordered by more than interleavings show.
#[test]
fn left_open() {
    let is_open =
        |name: &str, text: &str| assert_eq!(verdicts(name, text), ["VERDICT: unknown(unsupported)"; 3], "{text}");
    is_open("volatile", &two("volatile int x;", "x = 1", "x = 2"));
    is_open("bit_fields", &two("struct { int f : 8, g : 8; } s;", "s.f = 1", "s.g = 1"));
    let locked = "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m)";
    let taken = "if (pthread_mutex_trylock(&m)) x = 2";
    races("found_taken", &two("int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", locked, taken));
    is_open("outside", &two("extern int *p(void);", "*p() = 1", "*p() = 2"));
    let relaxed = "if (__atomic_exchange_n(&f, 1, __ATOMIC_RELAXED)) x = 1";
    is_open("relaxed_exchange", &two("int x, f;", relaxed, relaxed));
}

/// Freeing is writing, and so is initialising a lock that others use.
#[test]
fn whole_objects() {
    let text = two("int *p;", "p[3] = 1", "free(p)").replace("pthread_t id;", "pthread_t id; p = malloc(16);");
    races("freed", &text);
    let m = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
    let use_it = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m)";
    races("zeroed", &two(m, use_it, "memset(&m, 0, sizeof m)"));
    races("initialised", &two(m, use_it, "pthread_mutex_init(&m, 0)"));
}

/// Without threads, or if all pairs are excluded, nothing is searched.
#[test]
fn proved_at_once() {
    is_safe("alone", "int x; int main(void) { for (;;) x++; }");
    let many = "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        void *t(void *arg) { for (;;) { pthread_mutex_lock(&m); x += __VERIFIER_nondet_int(); pthread_mutex_unlock(&m); } }\n\
        int main(void) { for (;;) { pthread_t id; pthread_create(&id, 0, t, 0); } }";
    is_safe("many", many);
}

/// Both accesses are told, with the locks that are held.
#[test]
fn told() {
    let text = two(
        "int balance; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        "pthread_mutex_lock(&m); balance = 1; pthread_mutex_unlock(&m)",
        "balance = 2",
    );
    let told = run("told", "auto", &text);
    let first = told.lines().next().unwrap_or_default();
    assert!(first.contains("a data race on balance"), "{told}");
    assert!(first.contains("thread 1 (t)") && first.contains("thread 0 (main)"), "{told}");
    assert!(first.contains("holds m") && first.contains("holds no lock"), "{told}");
    assert!(!told.contains("an input"), "{told}");
}
