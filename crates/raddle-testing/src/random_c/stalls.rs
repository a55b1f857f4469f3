//! Small random programs in which threads stall: assumptions that fail, locks that are held, loops that wait, threads that never end. Partial-order
//! reduction is right only if it explores the others then.

use crate::Random;

const SHARED: [&str; 3] = ["x", "y", "z"];

fn condition(random: &mut Random) -> String {
    let (var, op) = (random.pick(&SHARED), random.pick(&["==", "!=", ">", "<="]));
    format!("{var} {op} {}", random.below(3))
}

fn statement(random: &mut Random, depth: u32) -> String {
    let mut var = || random.pick(&SHARED).to_string();
    let (a, b) = (var(), var());
    match random.below(if depth == 0 { 9 } else { 16 }) {
        0 | 1 => format!("{a} = {};", random.below(3)),
        2 => format!("{a} = {b};"),
        3 => format!("{a} = ({b} + 1) % 3;"),
        4 => format!("__VERIFIER_assume({});", condition(random)),
        5 => format!("l = {a};"),
        6 => format!("{a} = l;"),
        7 => format!("if ({}) reach_error();", condition(random)),
        8 => format!("if (l == {} && {}) reach_error();", random.below(3), condition(random)),
        9 => format!("if ({}) {{ {} }} else {{ {} }}", condition(random), block(random, 0), block(random, 0)),
        10 => format!("while ({}) {{ {} }}", condition(random), block(random, 0)),
        11 => format!("while ({}) ;", condition(random)),
        12 => format!("pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);", block(random, 0)),
        13 => format!("__VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end();", block(random, 0)),
        14 => "l = __VERIFIER_nondet_int(); if (l < 0 || l > 2) return 0;".into(),
        _ => "if (__VERIFIER_nondet_bool()) return 0;".into(),
    }
}

fn block(random: &mut Random, depth: u32) -> String {
    (0..1 + random.below(2)).map(|_| statement(random, depth)).collect::<Vec<_>>().join(" ")
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let random = &mut Random::new(seed + 1);
    let threads = 2 + random.below(2);
    let mut text = String::from(
        "typedef unsigned long pthread_t;\ntypedef struct { int kind; } pthread_mutex_t;\n\
         extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
         extern int pthread_join(pthread_t, void **);\nextern int pthread_mutex_lock(pthread_mutex_t *);\n\
         extern int pthread_mutex_unlock(pthread_mutex_t *);\n\
         extern void reach_error(void);\nextern void __VERIFIER_assume(int);\n\
         extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n\
         extern int __VERIFIER_nondet_int(void);\nextern _Bool __VERIFIER_nondet_bool(void);\n\
         pthread_mutex_t m;\nint x, y, z;\n",
    );
    for i in 0..threads {
        let body: Vec<String> = (0..2 + random.below(3)).map(|_| statement(random, 1)).collect();
        text += &format!("void *t{i}(void *arg) {{\n  int l = 0;\n  {}\n  return 0;\n}}\n", body.join("\n  "));
    }
    text += "int main(void) {\n  pthread_t t[4]; int l = 0;\n";
    for i in 0..threads {
        text += &format!("  pthread_create(&t[{i}], 0, t{i}, 0);\n");
        if random.below(3) == 0 {
            text += &format!("  {}\n", statement(random, 1));
        }
    }
    for i in 0..threads {
        if random.below(3) > 0 {
            text += &format!("  pthread_join(t[{i}], 0);\n");
        }
    }
    if random.below(2) == 0 {
        text += &format!("  if ({}) reach_error();\n", condition(random));
    }
    text += "  return 0;\n}\n";
    text
}
