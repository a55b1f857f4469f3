//! What is found at the heads of loops.

mod prepared;

use prepared::{at_heads, errors_are_unreachable};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); \
    extern void __VERIFIER_assume(int); extern void reach_error(void);";

fn check(body: &str, expected: &[&str]) {
    let facts = at_heads(&format!("{HEAD} int main(void) {{ {body} }}"));
    if std::env::var("SHOW").is_ok() {
        println!("{body}\n    {}", facts.join("\n    "));
    }
    for fact in expected {
        assert!(facts.iter().any(|found| found == fact), "{fact} is missing in\n{}", facts.join("\n"));
    }
}

#[test]
fn a_counter_has_its_bounds() {
    check("int i = 0; while (i < 100) i++; if (i != 100) reach_error();", &["i <s 101i32"]);
}

#[test]
fn a_counter_stays_below_an_unknown_limit() {
    check(
        "int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int i = 0; while (i < n) i++; if (i > n) reach_error();",
        &["i <=s n"],
    );
}

#[test]
fn an_unsigned_counter_stays_below_an_unknown_limit() {
    check("unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; if (i > n) reach_error();", &["i <=u n"]);
}

#[test]
fn a_sum_is_twice_the_counter() {
    check(
        "unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0; while (i < n) { i++; s += 2; } if (s != 2 * n) reach_error();",
        &["s == (i * 2i32)"],
    );
}

#[test]
fn what_one_loses_the_other_gets() {
    check(
        "unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0; while (x > 0) { x--; y++; } if (y != n) reach_error();",
        &["n == (x + y)"],
    );
}

#[test]
fn parity_is_kept() {
    check("unsigned i = 0; while (__VERIFIER_nondet_int()) i += 2; if (i % 2) reach_error();", &["(i & 1i32) == 0i32"]);
}

#[test]
fn multiples_of_three_below_a_bound() {
    check("unsigned i = 0; while (i < 300) i += 3; if (i % 3) reach_error();", &["(i %u 3i32) == 0i32", "i <s 301i32"]);
}

#[test]
fn a_state_machine_keeps_its_states_apart() {
    check(
        "int state = 0, x = 0; while (1) { \
            if (state == 0) { x = 5; state = 1; } \
            else if (state == 1) { if (x != 5) reach_error(); x = 7; state = 2; } \
            else { if (x != 7) reach_error(); x = 0; state = 0; } }",
        &["((state == 0i32) && (x == 0i32)) || ((state == 1i32) && (x == 5i32)) || ((x == 7i32) && (state == 2i32))"],
    );
}

#[test]
fn nested_loops() {
    check(
        "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0; int k = 0; \
         for (int i = 0; i < n; i++) for (int j = 0; j < 10; j++) k++; if (k < 0) reach_error();",
        &["k == (i * 10i32)", "k == (j + (i * 10i32))", "i <s n", "j <s 11i32"],
    );
}

#[test]
fn errors_behind_false_conditions_are_unreachable() {
    for body in [
        "int i = 0; while (i < 100) i++; if (i != 100) reach_error();",
        "unsigned i = 0; while (__VERIFIER_nondet_int()) i += 2; if (i % 2) reach_error();",
        "unsigned i = 0; while (i < 300) i += 3; if (i != 300) reach_error();",
        "unsigned char c = __VERIFIER_nondet_uint(); if (c + 1 > 256) reach_error();",
        "int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int i = 0; while (i < n) i++; if (i > n) reach_error();",
        "int x = __VERIFIER_nondet_int(); int y = x & 7; if (y > 7 || y < 0) reach_error();",
        "unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0; while (i < n) { i++; s += 2; } if (s != 2 * i) reach_error();",
        "int state = 0, x = 0; while (1) { \
            if (state == 0) { x = 5; state = 1; } \
            else if (state == 1) { if (x != 5) reach_error(); x = 7; state = 2; } \
            else { if (x != 7) reach_error(); x = 0; state = 0; } }",
    ] {
        assert!(errors_are_unreachable(&format!("{HEAD} int main(void) {{ {body} return 0; }}")), "{body}");
    }
}
