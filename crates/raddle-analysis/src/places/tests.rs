use super::{Question, open_places};
use raddle_testing::{DataModel, lowered, lowered_for};

const HEAD: &str = r#"
typedef unsigned long ulong;
extern ulong __VERIFIER_nondet_ulong(void);
extern int *undefined(void);
extern void *malloc(ulong), free(void *), *memcpy(void *, const void *, ulong);
extern int memcmp(const void *, const void *, ulong);
extern int pthread_create(ulong *, void *, void *(*)(void *), void *), pthread_join(ulong, void **);
int x, y, *saved, hits;
struct node { struct node *next; int value; };
void *thread(void *arg) { int local; saved = &local; return arg; }
int leave(void) { int local; int again = saved == &local; saved = &local; return again; }
int inside(int *p) { int local; return p == &local; }
"#;

/// What the body of `main` observes.
fn observed(body: &str) -> Option<Question> {
    open_places(&lowered(&format!("{HEAD}int main(void) {{ {body} return 0; }}\n"))).map(|open| open.question)
}

fn all_are(wanted: Option<Question>, bodies: &[&str]) {
    for body in bodies {
        assert_eq!(observed(body), wanted, "{body}");
    }
}

#[test]
fn a_stray_value_in_disguise_asks_for_numbers() {
    let conditions = [
        "s * 3 == (ulong)&x * 3",
        "(unsigned)s == (unsigned)(ulong)&x && s >> 32 == (ulong)&x >> 32",
        "(double)s == (double)(ulong)&x",
        "(s ^ 85) == ((ulong)&x ^ 85)",
        "s % 4294967291ul == (ulong)&x % 4294967291ul",
        "s << 8 == (ulong)&x << 8",
        "s + (ulong)&x == 2 * (ulong)&x",
        "(s ^ (ulong)&y) == ((ulong)&x ^ (ulong)&y)",
    ];
    for condition in conditions {
        let body = format!("ulong s = __VERIFIER_nondet_ulong(); if ({condition}) *(int *)s = 2;");
        assert_eq!(observed(&body), Some(Question::Number), "{condition}");
    }
    all_are(
        Some(Question::Number),
        &[
            "int *s = undefined(), *p = &x; if (memcmp(&s, &p, sizeof p) == 0) *s = 2;",
            "union { int *p; unsigned half[2]; } s = {undefined()}, t = {&x}; if (s.half[0] == t.half[0]) *s.p = 2;",
        ],
    );
    all_are(None, &["int *s = undefined(); if (s == &x) *s = 2;"]);
}

#[test]
fn storage_may_be_given_out_again() {
    all_are(
        Some(Question::Reuse),
        &[
            "leave(); hits += leave();",
            "int *p = malloc(4); ulong was = (ulong)p; free(p); hits += was == (ulong)malloc(4);",
            "char *last = 0; for (int n = 1; n < 3; n++) { char array[n]; hits += array == last; last = array; }",
            "ulong t; pthread_create(&t, 0, thread, 0); pthread_join(t, 0); int *one = saved; \
         pthread_create(&t, 0, thread, 0); pthread_join(t, 0); hits += one == saved;",
        ],
    );
    all_are(
        Some(Question::ThreadId),
        &[
            "ulong t, u; pthread_create(&t, 0, thread, 0); pthread_join(t, 0); pthread_create(&u, 0, thread, 0); hits += t == u;",
        ],
    );
    all_are(
        None,
        &[
            "int *p = malloc(4), *q = malloc(4); hits += p == q; free(p); free(q);",
            "int a; hits += inside(&a) + inside(&x);",
            "ulong t, u; pthread_create(&t, 0, thread, 0); pthread_create(&u, 0, thread, 0); hits += t == u; pthread_join(t, 0);",
        ],
    );
}

#[test]
fn the_layout_is_open() {
    all_are(
        Some(Question::Order),
        &["hits += &x < &y;", "hits += &x + 1 == &y;", "int a[1], b[1]; hits += a + 1 == b;"],
    );
    all_are(
        Some(Question::Number),
        &[
            "hits += ((ulong)&x & 16) == 0;",
            "hits += (char *)&x - (char *)&y > 64;",
            "hits += (ulong)&x == 0x555555558010;",
            "static int table[4]; table[(ulong)&x >> 4 & 3] = 1;",
            "ulong t; pthread_create(&t, 0, thread, 0); hits += t == 1;",
        ],
    );
    all_are(
        Some(Question::Literals),
        &[r#"const char *p = "x", *q = "x"; hits += p == q;"#, r#"hits += "able" + 2 == "le";"#],
    );
}

/// With 32 bits, objects lie in both halves; with 64, those of programs lie in the lower one.
#[test]
fn the_sign_of_an_address_is_open_with_32_bits() {
    let text = "int main(void) { int x; int *volatile p = &x; return (long)p < 0; }";
    let asked = |model| open_places(&lowered_for(model, text)).map(|open| open.question);
    assert_eq!((asked(DataModel::Ilp32), asked(DataModel::Lp64)), (Some(Question::Number), None));
}

#[test]
fn what_c_promises_is_no_question() {
    all_are(
        None,
        &[
            "int *p = __VERIFIER_nondet_ulong() ? &x : &y; hits += p == &x && p != &y && p;",
            "static long v; hits += (ulong)&v % 8 == 0;",
            "int *p = malloc(4); ulong t = (ulong)p | 1; if (t & 1) *(int *)(t & ~7ul) = 5; free(p);",
            "int a[4]; for (int *p = a; p < a + 4; p++) *p = 0;",
            "struct node *head = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->next = head; \
         n->value = i; head = n; } for (struct node *n = head; n; n = n->next) hits += n->value == 2;",
            "struct node a = {&a, 3}, b, c; b = a; memcpy(&c, &b, sizeof c); hits += c.next == &a && c.value == 3;",
            "ulong link = (ulong)&x ^ (ulong)&y; *(int *)(link ^ (ulong)&y) = 2; hits += link != 0;",
            r#"hits += "x" == "y";"#,
        ],
    );
}
