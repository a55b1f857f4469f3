//! What a program can see of where allocated objects lie and of what they hold is the same for exploration, partial orders and abstraction.

mod engines;

use engines::{DataModel, LP64, answers};

const HEAD: &str = r"
typedef unsigned long pthread_t;
typedef unsigned long size_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void error_if(int x) { if (x) reach_error(); }
static char *theirs;
static void *other(void *x) { theirs = malloc(10); return 0; }
";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Safe,
    Unsafe,
    /// Safe by the layout that engines choose. C leaves it open, so that no proof counts.
    SafeByLayout,
}

use Expected::{Safe, SafeByLayout, Unsafe};

const PROGRAMS: &[(Expected, &str)] = &[
    // An object that is allocated only once becomes a static one (raddle-passes, `globalize.rs`).
    (Safe, "char *p = malloc(5), *q = malloc(5); error_if((size_t)p % 16 || (size_t)q % 16);"),
    (SafeByLayout, "for (int i = 0; i < 3; i++) { char *p = malloc(70); error_if((size_t)p % 64 != 0); }"),
    (SafeByLayout, "for (int i = 0; i < 3; i++) { char *p = calloc(5, 1); error_if((size_t)p % 64 != 0); }"),
    (Safe, "char *p[2]; for (int i = 0; i < 2; i++) p[i] = malloc(64); error_if(p[0] + 64 == p[1] || p[0] == p[1]);"),
    (SafeByLayout, "char *p = malloc(64), *q = malloc(64); error_if(p == q || p + 64 == q || q + 64 == p);"),
    (Safe, "char *p = malloc(0), *q = malloc(0); error_if(p == q || !p || !q);"),
    (SafeByLayout, "char *p = calloc(16, 4), *q = malloc(64); error_if(p + 64 == q || q + 64 == p);"),
    (Safe, "int *p = calloc(4, 4); error_if(p[0] || p[3]);"),
    (Unsafe, "int *p = malloc(16); error_if(p[3] == 7);"),
    (Safe, "int *p = malloc(16); p[3] = 1; error_if(p[3] == 7);"),
    (Safe, "int *p = malloc(16); p[4] = 1; reach_error();"),
    (
        SafeByLayout,
        "unsigned n = __VERIFIER_nondet_uint(); __VERIFIER_assume(n > 0 && n < 4); char *p = malloc(n), *q = malloc(n); \
            error_if(p + n == q || (size_t)q % 64);",
    ),
    (
        SafeByLayout,
        "pthread_t t; pthread_create(&t, 0, other, 0); char *p = malloc(10); pthread_join(t, 0); \
            error_if(p == theirs || p + 10 == theirs || theirs + 10 == p || (size_t)theirs % 64);",
    ),
    (Unsafe, "pthread_t t; pthread_create(&t, 0, other, 0); char *p = malloc(10); error_if(theirs == 0);"),
];

#[test]
fn engines_agree_on_allocations() {
    let mut wrong = Vec::new();
    for model in [LP64, DataModel::Ilp32] {
        for (expected, body) in PROGRAMS {
            let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
            let answers = answers(&text, model);
            let right = match expected {
                Safe => Some(true),
                Unsafe => Some(false),
                SafeByLayout => None,
            };
            if answers != [right; 3] {
                wrong.push(format!("{model:?}: {body}: {answers:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
