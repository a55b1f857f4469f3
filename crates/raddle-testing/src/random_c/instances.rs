//! Small random programs with several instances of one or two thread functions: what `raddle-invariants` proves for any number of them. Most keep some discipline (a lock, a flag that is
//! tested and set, a value that is put back), and many break it at one place.

use crate::Random;
use std::fmt::Write;

const DECLARATIONS: &str = "typedef unsigned long pthread_t;\ntypedef struct { int kind; } pthread_mutex_t;\n\
    extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
    extern int pthread_join(pthread_t, void **);\nextern void pthread_exit(void *);\n\
    extern int pthread_mutex_lock(pthread_mutex_t *);\nextern int pthread_mutex_trylock(pthread_mutex_t *);\n\
    extern int pthread_mutex_unlock(pthread_mutex_t *);\nextern void abort(void);\nextern void reach_error(void);\n\
    extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n\
    extern _Bool __VERIFIER_nondet_bool(void);\n\
    void check(int ok) { if (!ok) reach_error(); }\n\
    void __VERIFIER_atomic_take(int *l) { if (*l) abort(); *l = 1; }\n\
    struct cell { int v; pthread_mutex_t l; } a[2];\n\
    pthread_mutex_t m, n;\nint x, y, flag;\n";

/// The program with this number.
pub fn program(seed: u64) -> String {
    let mut dice = Random::new(seed + 1);
    let mut out = DECLARATIONS.to_owned();
    let functions = 1 + dice.index(2);
    let style = dice.index(5);
    for f in 0..functions {
        // Writing to a string does not fail.
        let _ = writeln!(out, "void *f{f}(void *p) {{");
        for _ in 0..1 + dice.index(2) {
            section(&mut dice, style, &mut out);
        }
        out.push_str("    return 0;\n}\n");
    }
    out.push_str("int main(void) {\n    pthread_t t[8];\n    int i = 0;\n");
    if dice.chance(30) {
        let value = dice.index(3);
        let _ = writeln!(out, "    x = {value};");
    }
    let mut started = 0;
    for f in 0..functions {
        for _ in 0..2 + dice.index(if functions == 1 { 2 } else { 1 }) {
            let _ = writeln!(out, "    pthread_create(&t[{started}], 0, f{f}, 0);");
            started += 1;
        }
    }
    if dice.chance(60) {
        section(&mut dice, style, &mut out);
    }
    if dice.chance(25) {
        for i in 0..started {
            let _ = writeln!(out, "    pthread_join(t[{i}], 0);");
        }
        let value = dice.index(3);
        let _ = writeln!(out, "    check(x == {value});");
    }
    out.push_str("    return i;\n}\n");
    out
}

/// A critical section, or what looks like one.
fn section(dice: &mut Random, style: usize, out: &mut String) {
    let breaks = dice.chance(12);
    let (take, give) = match if dice.chance(85) { style } else { dice.index(5) } {
        0 => ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
        1 => ("__VERIFIER_atomic_take(&flag);", "flag = 0;"),
        2 => ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
        3 => ("if (pthread_mutex_trylock(&m) == 0) {", "pthread_mutex_unlock(&m); }"),
        _ => {
            let body = if breaks {
                "a[k].v++; pthread_mutex_unlock(&a[k].l); a[k].v--;"
            } else {
                "a[k].v++; a[k].v--; pthread_mutex_unlock(&a[k].l);"
            };
            let _ = writeln!(
                out,
                "    {{ int k = __VERIFIER_nondet_bool(); pthread_mutex_lock(&a[k].l); check(a[k].v == 0); {body} }}"
            );
            return;
        }
    };
    let before = if breaks && dice.chance(50) { "x++; x--; " } else { "" };
    let (take, give) = if breaks && before.is_empty() { ("{", "}") } else { (take, give) };
    let _ = write!(out, "    {before}{take} ");
    for _ in 0..1 + dice.index(2) {
        let text = match dice.index(8) {
            0 => "x++; x--;".to_owned(),
            1 => format!("check(x == {});", dice.index(2)),
            2 => "y = x; check(y == x);".to_owned(),
            3 => "if (x == 0) { x = 1; x = 0; }".to_owned(),
            4 => format!("x = {};", dice.index(3)),
            5 => "check(x <= 2);".to_owned(),
            6 => "if (__VERIFIER_nondet_bool()) { y++; y--; }".to_owned(),
            _ => "{ int v = x; x = v + 1; check(x > v); x = v; }".to_owned(),
        };
        let _ = write!(out, "{text} ");
    }
    let _ = writeln!(out, "{give}");
}
