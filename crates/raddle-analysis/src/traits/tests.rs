//! One small program for each trait that has it, and one that has not.

use super::{Kind, Traits};
use raddle_testing::lowered;

const LIBRARY: &str = "
    typedef unsigned long pthread_t; typedef unsigned long size_t;
    typedef struct { int x; } pthread_mutex_t;
    typedef unsigned pthread_key_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
    int pthread_key_create(pthread_key_t *, void (*)(void *));
    void *malloc(size_t); void *calloc(size_t, size_t); char *strdup(const char *); void *memset(void *, int, size_t);
    int rand(void); void abort(void); void reach_error(void);
    int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); _Bool __VERIFIER_nondet_bool(void);
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
    void *thread(void *arg); void *other(void *arg);
";

fn of(text: &str) -> Traits {
    Traits::of(&lowered(&format!("{LIBRARY}{text}")))
}

/// The traits of a body of `main`.
fn body(text: &str) -> Traits {
    of(&format!("int main(void) {{ {text} }}"))
}

#[test]
fn the_table_is_the_struct() {
    let traits = body("int x = 1; while (x) x = __VERIFIER_nondet_int();");
    assert_eq!(traits.get("loops"), Some(1.0));
    assert_eq!(traits.get("arrays-fixed"), Some(1.0));
    assert_eq!(traits.get("while-loops"), None);
    assert_eq!(traits.rows().count(), Traits::NAMES.len());
    for (row, value) in traits.rows() {
        assert_eq!(traits.get(row.name), Some(value));
        assert!(row.kind == Kind::Number || value == 0.0 || value == 1.0, "{}", row.name);
    }
    let mut names = Traits::NAMES.to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Traits::NAMES.len());
}

const THREADS: &str = "void *thread(void *arg) { return 0; } void *other(void *arg) { return 0; } pthread_t t;";

#[test]
fn threads_are_counted_in_the_text() {
    assert_eq!(of(&format!("{THREADS} int main(void) {{ return 0; }}")).threads, 0);
    let traits = of(&format!(
        "{THREADS} int main(void) {{
            pthread_create(&t, 0, thread, 0); pthread_create(&t, 0, thread, 0); pthread_create(&t, 0, other, 0);
        }}"
    ));
    assert_eq!((traits.threads, traits.thread_functions, traits.threads_of_one), (3, 2, 2));
    assert!(!traits.threads_in_loops && !traits.threads_unbounded);
    assert_eq!(traits.procedures, 3);
}

#[test]
fn a_handle_that_may_be_null_is_one_start() {
    let traits = of(&format!(
        "{THREADS} void f(pthread_t *t) {{ pthread_create(t, 0, thread, 0); }} int main(void) {{ f(&t); }}"
    ));
    assert_eq!((traits.threads, traits.threads_of_one), (1, 1));
}

#[test]
fn starts_in_loops() {
    let starts = |body: &str| {
        let traits = of(&format!(
            "{THREADS} void start(void) {{ pthread_create(&t, 0, thread, 0); }} int n; int main(void) {{ {body} }}"
        ));
        (traits.threads_in_loops, traits.threads_unbounded)
    };
    assert_eq!(starts("start(); for (int i = 0; i < 3; i++) n++;"), (false, false));
    assert_eq!(starts("for (int i = 0; i < 3; i++) start();"), (true, false));
    assert_eq!(starts("for (int i = 0; i < 3; i++) pthread_create(&t, 0, thread, 0);"), (true, false));
    assert_eq!(starts("n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) start();"), (true, true));
    assert_eq!(starts("while (1) start();"), (true, true));
    let recursive = of("void *thread(void *arg) { pthread_t t; pthread_create(&t, 0, thread, 0); return 0; }
        int main(void) { thread(0); }");
    assert!(recursive.threads_in_loops && recursive.threads_unbounded && !recursive.recursion);
}

#[test]
fn a_start_by_a_pointer_or_by_the_model_of_keys() {
    let by_pointer = of(&format!(
        "{THREADS} void *(*which)(void *) = thread;
        int main(void) {{ if (rand()) which = other; pthread_create(&t, 0, which, 0); }}"
    ));
    assert_eq!((by_pointer.threads, by_pointer.thread_functions), (1, 2));
    let by_model = of(&format!(
        "{THREADS} pthread_key_t key; int main(void) {{
            pthread_key_create(&key, 0); pthread_create(&t, 0, thread, 0); pthread_create(&t, 0, thread, 0);
        }}"
    ));
    assert_eq!((by_model.threads, by_model.thread_functions, by_model.threads_of_one), (2, 1, 2));
    assert_eq!((by_model.procedures, by_model.loops), (2, 0));
}

#[test]
fn locks_and_atomic_blocks() {
    let none = body("");
    assert_eq!((none.locks, none.atomics), (0, 0));
    let traits = of("pthread_mutex_t m; void __VERIFIER_atomic_f(void) {}
        int main(void) {
            pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
            __VERIFIER_atomic_begin(); __VERIFIER_atomic_end(); __VERIFIER_atomic_f();
        }");
    assert_eq!((traits.locks, traits.atomics), (1, 2));
}

/// Loops, and those that are counted, bounded and infinite.
fn loops(text: &str) -> (u32, u32, u32, u32) {
    let traits = of(&format!(
        "int g = 0, limit = 10, n; struct s {{ int i; }}; int main(void) {{ int i, j, x; {text} return 0; }}"
    ));
    (traits.loops, traits.loops_counted, traits.loops_bounded, traits.loops_infinite)
}

#[test]
fn loops_that_count() {
    assert_eq!(loops(""), (0, 0, 0, 0));
    assert_eq!(loops("for (i = 0; i < 10; i++) x = i;"), (1, 1, 1, 0));
    assert_eq!(loops("for (unsigned char c = 0; c < 10; c += 2) x = c;"), (1, 1, 1, 0));
    assert_eq!(loops("for (i = 9; i >= 0; --i) for (j = 0; j != 5; j++) x = j;"), (2, 2, 2, 0));
    assert_eq!(loops("i = 0; do { i++; } while (i < 10 && x);"), (1, 1, 1, 0));
    assert_eq!(loops("i = 0; while (1) { if (i++ > 9) break; x = 1; }"), (1, 1, 1, 0));
    assert_eq!(loops("for (g = 0; g < 10; g++) x = 1;"), (1, 1, 1, 0));
    assert_eq!(loops("for (i = 0; i < limit; i++) x = 1;"), (1, 1, 1, 0));
    assert_eq!(loops("struct s s; for (s.i = 0; s.i < 10; s.i++) x = 1;"), (1, 1, 1, 0));
}

#[test]
fn loops_that_count_from_anywhere() {
    assert_eq!(loops("for (i = __VERIFIER_nondet_int(); i < 10; i++) x = 1;"), (1, 1, 0, 0));
    // Not in each round.
    assert_eq!(loops("for (i = 0; i < 10;) if (__VERIFIER_nondet_int()) i++;"), (1, 1, 0, 0));
}

#[test]
fn loops_that_do_not_count() {
    assert_eq!(loops("n = __VERIFIER_nondet_int(); for (i = 0; i < n; i++) x = 1;"), (1, 0, 0, 0));
    assert_eq!(loops("for (i = 0; i < 10; i--) x = 1;"), (1, 0, 0, 0));
    assert_eq!(loops("for (i = 0; i < 10; i = x) x = 1;"), (1, 0, 0, 0));
    assert_eq!(loops("for (i = 0; i < 10; i++) if (x) i--;"), (1, 0, 0, 0));
    assert_eq!(loops("i = 0; while (i < 10 || x) i++;"), (1, 0, 0, 0));
    assert_eq!(loops("while (__VERIFIER_nondet_int()) x = 1;"), (1, 0, 0, 0));
}

#[test]
fn a_callee_may_change_what_counts() {
    let text = "int g; void f(void) { g = 0; } int main(void) { for (g = 0; g < 10; g++) f(); }";
    assert_eq!(of(text).loops_counted, 0);
    let text = "int g, h; void f(void) { h = 0; } int main(void) { for (g = 0; g < 10; g++) f(); }";
    assert_eq!(of(text).loops_counted, 1);
}

#[test]
fn loops_without_a_way_out() {
    assert_eq!(loops("while (1) x = 1;"), (1, 0, 0, 1));
    assert_eq!(
        loops("while (1) { if (x) reach_error(); if (i) abort(); for (j = 0; j < 3; j++) x = 1; }"),
        (2, 1, 1, 1)
    );
    assert_eq!(loops("while (1) { if (x) { reach_error(); abort(); } }"), (1, 0, 0, 1));
    assert_eq!(loops("while (1) { if (x) break; }"), (1, 0, 0, 0));
    assert_eq!(loops("while (1) { if (x) goto out; } out: while (1);"), (2, 0, 0, 1));
}

#[test]
fn an_event_loop_decides_by_constants() {
    let rules = |of: &str| -> String {
        (0..20).map(|i| format!("else if (state == {i} && {of}) {{ state = {}; }}", (i * 7) % 20)).collect()
    };
    let system = |loops: &str, rules: &str| {
        format!(
            "int state = 3; void step(int input) {{ if (input < 1) return; {rules} }}
            int main(void) {{ int input; int n = __VERIFIER_nondet_int(); {loops} }}"
        )
    };
    let endless = "while (1) { input = __VERIFIER_nondet_int(); step(input); }";
    assert!(of(&system(endless, &rules("input == 2"))).event_loop);
    // Without an input in the loop, counted, small, or deciding by variables.
    assert!(!of(&system("while (1) step(n);", &rules("input == 2"))).event_loop);
    let counted = "for (int i = 0; i < 9; i++) { input = __VERIFIER_nondet_int(); step(input); }";
    assert!(!of(&system(counted, &rules("input == 2"))).event_loop);
    assert!(!of(&system(endless, "else if (state == 1) state = 2;")).event_loop);
    assert!(!of(&system(endless, &rules("input == state").replace("state ==", "state + input =="))).event_loop);
}

#[test]
fn recursion() {
    assert!(of("int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }").recursion);
    assert!(of("int g(int); int f(int n) { return n ? g(n) : 0; } int g(int n) { return f(n - 1); } int main(void) { return f(3); }").recursion);
    assert!(!of("int f(int n) { return n; } int main(void) { return f(3) + f(4); }").recursion);
    assert!(!of("int f(int n) { return f(n); } int main(void) { return 0; }").recursion);
}

#[test]
fn cyclomatic_complexity() {
    assert_eq!(body("").cyclomatic, 1);
    assert_eq!(body("int x = rand(); if (x) x = 1; while (x < 3) x++;").cyclomatic, 3);
    assert_eq!(body("int x = rand(); if (x) abort();").cyclomatic, 2);
    assert_eq!(body("int x = rand(); switch (x) { case 1: x = 2; break; case 2: x = 3; default: ; }").cyclomatic, 3);
    assert_eq!(of("void f(int x) { if (x) abort(); } int main(void) { f(1); }").cyclomatic, 3);
}

#[test]
fn variables_of_the_source() {
    let traits = of("int g; int unused; int a[3]; struct { int x, y; } s;
        int f(int p, int *q) { int tmp = p + 1; return tmp + g + *q; }
        int dead(int z) { return z; }
        int main(void) { int taken = 1; memset(a, 0, sizeof a); s.x = 1; return f(taken, &taken); }");
    // g, a, s; p, q, tmp; taken.
    assert_eq!(traits.variables, 7);
    assert_eq!(traits.procedures, 2);
    assert_eq!(traits.loops, 0);
}

#[test]
fn inputs_and_what_they_make_undetermined() {
    let traits = of("int g; struct { int x; } s; int f(int p) { return p; }
        int main(void) {
            int a = __VERIFIER_nondet_int(), b = 3, c; _Bool d = __VERIFIER_nondet_bool();
            a = __VERIFIER_nondet_int() % 3; g = rand(); s.x = __VERIFIER_nondet_int(); c = 1;
            f(__VERIFIER_nondet_int()); if (__VERIFIER_nondet_int()) b = c;
        }");
    assert_eq!(traits.inputs, 7);
    // a, d, g, s.x, p.
    assert_eq!(traits.undetermined, 5);
    let none = body("int x = 1, y; y = x;");
    assert_eq!((none.inputs, none.undetermined), (0, 0));
}

#[test]
fn arguments_of_main_are_an_input() {
    let traits = of("int main(int argc, char **argv) { return argc; }");
    assert_eq!((traits.inputs, traits.procedures, traits.variables), (1, 1, 2));
}

#[test]
fn constants_have_one_value() {
    let traits = of("int never = 3, same = 3, changes = 3, any; int f(int p, int q) { return p + q; }
        int main(void) {
            int x; int y = 1; int z = rand(); x = 5; y = 2; same = 3; changes = 4; any = z;
            return f(1, 2) + f(1, 3) + x + y + never;
        }");
    // never, same, x, p.
    assert_eq!(traits.constants, 4);
}

#[test]
fn arrays_and_pointers() {
    let counts = |text: &str| {
        let traits = of(&format!(
            "int a[10], b[10]; struct s {{ int x; struct s *next; }}; int main(void) {{ int i = rand(); {text} }}"
        ));
        (traits.arrays, traits.arrays_fixed, traits.pointers)
    };
    assert_eq!(counts("int x = 1; struct s s; s.x = x; a[2] = 1;"), (0, true, 0));
    assert_eq!(counts("a[i] = 1; a[i + 1] = b[2];"), (1, true, 2));
    assert_eq!(counts("int c[5]; c[1] = 2; c[i] = 1; b[i] = 1;"), (2, true, 2));
    assert_eq!(counts("int *p = a; for (; p < a + 10; p++) *p = 1;"), (1, true, 1));
    assert_eq!(counts("int *p = a + i; *p = 1;"), (1, true, 1));
    assert_eq!(counts("struct s *p = malloc(sizeof *p); p->x = 1; p->next->x = 2;"), (0, true, 3));
    assert!(!counts("int c[i]; c[1] = 1;").1);
    assert_eq!(counts("int *p = malloc(i); p[i] = 1;"), (1, false, 1));
    assert_eq!(counts("char *s = (char *)a; long k = i; s[k] = 1;"), (1, true, 1));
}

#[test]
fn the_heap() {
    assert_eq!(body("int x; int *p = &x; *p = 1;").heap, 0);
    assert_eq!(body("malloc(3); calloc(1, 2); strdup(\"a\");").heap, 3);
}

#[test]
fn floats() {
    assert!(body("float f = rand(); return f > 1;").floats);
    assert!(!body("int f = rand(); return f > 1;").floats);
}

#[test]
fn bitwise_operators() {
    let bitwise = |text: &str| body(&format!("int x = rand(), y = rand(); unsigned u = x, v = y; {text}")).bitwise;
    for yes in ["x & y", "x | 8", "x ^ y", "~x", "x << 1", "x >> 1", "u >> v", "u & 6"] {
        assert!(bitwise(&format!("return {yes};")), "{yes}");
    }
    for no in ["x + y", "x * 8", "u / 8", "u % 8", "(x == 1) & (y == 2)", "(char)x", "x ? y : 1", "u >> 3"] {
        assert!(!bitwise(&format!("return {no};")), "{no}");
    }
    assert!(!body("struct { unsigned a : 3, b : 5; } s; s.a = rand(); return s.b;").bitwise);
}

#[test]
fn nonlinear_operators() {
    let nonlinear = |text: &str| body(&format!("int x = rand(), y = rand(); {text}")).nonlinear;
    for yes in ["x * y", "x / y", "x % y", "x * x", "(double)x * y"] {
        assert!(nonlinear(&format!("return {yes};")), "{yes}");
    }
    for no in ["x * 3", "x / 3", "x % 3", "x + y"] {
        assert!(!nonlinear(&format!("return {no};")), "{no}");
    }
}

#[test]
fn errors_and_size() {
    let small = body("int x = rand(); if (x) reach_error();");
    assert_eq!(small.errors, 1);
    assert_eq!(body("").errors, 0);
    let large = body("int x = rand(); if (x) reach_error(); if (x + 1) reach_error();");
    assert!(large.size > small.size && large.edges > small.edges && large.locations > small.locations);
}
