//! Tables: arrays with initial values that are read at undetermined indices. What the engine says is exact whatever their size, and agrees with
//! exploration where the index has few values.

use raddle_engine::{Budget, Code, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_oc::{Oc, OcConfig};
use raddle_testing::{budget_of, lowered};

const HEADER: &str = r#"
    typedef unsigned long pthread_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    extern unsigned __VERIFIER_nondet_uint(void);
    extern unsigned char __VERIFIER_nondet_uchar(void);
    extern void __VERIFIER_assume(int);
    extern void reach_error(void);
    static unsigned below(unsigned n) { unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < n); return i; }
    static unsigned char few(unsigned n) { unsigned char i = __VERIFIER_nondet_uchar(); __VERIFIER_assume(i < n); return i; }
"#;

/// The elements of an initialiser.
fn list(n: u32, element: impl Fn(u32) -> u32) -> String {
    (0..n).map(|i| element(i).to_string()).collect::<Vec<_>>().join(",")
}

fn task(body: &str) -> Task {
    Task::new(lowered(&format!("{HEADER}{body}")), MemoryModel::Sc)
}

fn says(task: &Task) -> Outcome {
    Oc(OcConfig::default()).run(task, &Facts::default(), &Budget::unlimited(), &Silent).outcome
}

#[test]
fn large_tables_are_exact() {
    let sevens = list(5000, |i| i % 7);
    let cases = [
        (true, "const unsigned char t[5000] = {T}; int main() { unsigned i = below(5000); if (t[i] >= 7) reach_error(); }"),
        (true, "const unsigned char t[5000] = {T}; int main() { unsigned i = below(5000); if (t[i] != i % 7) reach_error(); }"),
        (false, "const unsigned char t[5000] = {T}; int main() { unsigned i = below(5000); if (t[i] == 6 && i > 4990) reach_error(); }"),
        (true, "const unsigned char t[5000] = {T}; int main() { unsigned i = below(5000); if (t[i] == 6 && i > 4997) reach_error(); }"),
        // Written by the thread itself, and by another one.
        (true, "unsigned char t[5000] = {T}; int main() { unsigned i = below(5000), j = below(5000); t[i] = 9; if (t[j] >= 7 && i != j) reach_error(); }"),
        (
            true,
            "unsigned char t[5000] = {T}; void *w(void *a) { t[below(5000)] = 9; return 0; }
             int main() { pthread_t h; pthread_create(&h, 0, w, 0); unsigned char v = t[below(5000)]; if (v >= 7 && v != 9) reach_error(); }",
        ),
        (
            false,
            "unsigned char t[5000] = {T}; void *w(void *a) { t[below(5000)] = 9; return 0; }
             int main() { pthread_t h; pthread_create(&h, 0, w, 0); if (t[below(5000)] >= 7) reach_error(); }",
        ),
        // At constant indices all of it is constant.
        (
            true,
            "const unsigned char t[5000] = {T}; int main() { unsigned s = t[below(5000)]; for (int i = 0; i < 5000; i++) s += t[i];
             if (s < 14995 || s > 15001) reach_error(); }",
        ),
    ];
    for (is_safe, text) in cases {
        let outcome = says(&task(&text.replace("{T}", &format!("{{{sevens}}}"))));
        assert_eq!(outcome.name(), if is_safe { "true" } else { "false" }, "{text}: {outcome:?}");
    }
}

#[test]
fn small_tables_agree_with_exploration() {
    let bytes = list(100, |i| i * i % 47);
    let cases = [
        "const unsigned char t[100] = {T}; int main() { if (t[few(100)] >= 47) reach_error(); }",
        "const unsigned char t[100] = {T}; int main() { if (t[few(100)] == 4) reach_error(); }",
        "const unsigned char t[100] = {T}; int main() { if (t[few(100)] == 5) reach_error(); }",
        // The element behind the last one ends the path.
        "const unsigned char t[100] = {T}; int main() { if (t[few(101)] > 46) reach_error(); }",
        "const unsigned char t[10][10] = {T}; int main() { unsigned i = few(10), j = few(10); if (t[i][j] != (10 * i + j) * (10 * i + j) % 47) reach_error(); }",
        "unsigned short t[100] = {T}; int main() { const unsigned char *p = (const unsigned char *)t; if (p[few(200)] > 46) reach_error(); }",
        "struct s { char a; int b; }; struct s t[50] = {T}; int main() { unsigned i = few(50); if (t[i].b >= 47 || t[i].a != 4 * i * i % 47) reach_error(); }",
        "const unsigned char t[100] = {T}; int main() { if (t[t[few(100)]] == 36 && t[36] == 27) reach_error(); }",
        "const unsigned char t[100] = {T}, u[30] = {1, 2, 3}; int main() { const unsigned char *p = few(2) ? t : u; if (p[few(30)] > 46) reach_error(); }",
        "int x, y; int *const t[30] = {&x, &y, &x, &y}; int main() { unsigned i = few(4); *t[i] = 1; if (x == y || x != (i % 2 == 0)) reach_error(); }",
        "int f(int i) { return i; } int g(int i) { return i + 1; } int (*const t[40])(int) = {f, g, [39] = g};
         int main() { unsigned i = few(40); __VERIFIER_assume(i < 2 || i == 39); if (t[i](3) - 3 != i % 2) reach_error(); }",
        "struct n { int v; const struct n *next; }; const struct n t[30] = {{1, &t[7]}, {1, &t[8]}, [7] = {2, &t[0]}, [8] = {2, &t[1]}};
         int main() { const struct n *p = &t[few(2)]; if (p->next->v != 2 || p->next->next != p) reach_error(); }",
        "const char *const t[30] = {\"ab\", \"ac\", \"ad\"}; int main() { const char *s = t[few(3)]; if (s[0] != 'a' || s[1] == 'e' || s[2]) reach_error(); }",
        "unsigned char t[100] = {T}; void *w(void *a) { t[few(100)] = 60; return 0; }
         int main() { pthread_t h; pthread_create(&h, 0, w, 0); unsigned j = few(100); unsigned char v = t[j]; pthread_join(h, 0); if (v > 46 && t[j] != v) reach_error(); }",
        "unsigned char t[100] = {T}; void *w(void *a) { t[5] = 60; return 0; }
         int main() { pthread_t h; pthread_create(&h, 0, w, 0); if (t[few(100)] > 46) reach_error(); }",
    ];
    for text in cases {
        let task = task(&text.replace("{T}", &format!("{{{bytes}}}")));
        let explore = Explore(ExploreConfig::default());
        let expected = explore.run(&task, &Facts::default(), &budget_of(1 << 20), &Silent).outcome;
        assert!(!expected.is_unknown(), "{text}: {expected:?}");
        let outcome = says(&task);
        assert_eq!(outcome.name(), expected.name(), "{text}: {outcome:?}");
    }
}

/// Where a table is too large, the reason names it.
#[test]
fn a_table_that_is_too_large_is_named() {
    let text = "const unsigned char huge[2000000] = {[0 ... 1999999] = 1}; int main() { if (huge[below(2000000)] > 1) reach_error(); }";
    let outcome = says(&task(text));
    let Outcome::Unknown(reason) = outcome else { panic!("{outcome:?}") };
    assert_eq!(reason.code, Code::Unsupported);
    assert!(reason.words.contains("`huge`") && reason.span.is_some(), "{}", reason.words);
}
