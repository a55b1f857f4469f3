//! Globals that threads share.

mod prepared;

use prepared::{at_heads, errors_are_unreachable};

const HEAD: &str = "typedef unsigned long pthread_t; extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); \
    extern int __VERIFIER_nondet_int(void); extern void reach_error(void); pthread_t id;";

#[test]
fn a_global_has_the_values_that_are_stored() {
    let text = format!(
        "{HEAD} int g = 5; void *other(void *x) {{ while (1) {{ int y = g; if (y > 7) reach_error(); g = 7; }} }} \
         int main(void) {{ g = 6; pthread_create(&id, 0, other, 0); while (1) {{ if (g < 6) reach_error(); g = 6; }} }}"
    );
    assert!(errors_are_unreachable(&text));
    let facts = at_heads(&text);
    assert!(facts.iter().any(|fact| fact == "5i32 <s g") && facts.iter().any(|fact| fact == "g <s 8i32"), "{facts:?}");
}

#[test]
fn before_the_first_thread_starts_globals_are_followed() {
    let text = format!(
        "{HEAD} int g, h; void *other(void *x) {{ g = 9; return 0; }} \
         int main(void) {{ for (g = 0; g < 10; g++) h = h + 2; if (g != 10) reach_error(); if (h & 1) reach_error(); \
         pthread_create(&id, 0, other, 0); int x = g; if (x != 10 && x != 9) reach_error(); return 0; }}"
    );
    assert!(errors_are_unreachable(&text));
}

#[test]
fn a_thread_knows_its_argument() {
    let text = format!(
        "{HEAD} void *other(void *x) {{ if ((long)x < 1 || (long)x > 2) reach_error(); return 0; }} \
         int main(void) {{ pthread_create(&id, 0, other, (void *)1); pthread_create(&id, 0, other, (void *)2); return 0; }}"
    );
    assert!(errors_are_unreachable(&text));
}

#[test]
fn a_counter_of_several_threads_may_be_anything() {
    let text = format!(
        "{HEAD} unsigned g; void *other(void *x) {{ while (g < 10) g++; return 0; }} \
         int main(void) {{ pthread_create(&id, 0, other, 0); pthread_create(&id, 0, other, 0); if (g > 10) reach_error(); return 0; }}"
    );
    assert!(!errors_are_unreachable(&text));
}
