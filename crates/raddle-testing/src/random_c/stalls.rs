//! Small random programs in which threads stall: assumptions that fail, locks that are held, loops that wait, threads that never end. Partial-order
//! reduction is right only if it explores the others then. Half of the programs also end in the midst of things: the program, a thread, or a path that is
//! undefined from there on, inside atomic blocks, under locks, in functions and in callbacks.

use crate::Random;

struct Generator {
    dice: Random,
    /// Things may end in the midst.
    ends: bool,
    /// The variable that is used most here, if some thing may end: reductions need threads that have little in common.
    own: usize,
}

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        self.dice.below(n)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        self.dice.pick(from)
    }

    fn var(&mut self) -> &'static str {
        match self.ends && self.below(4) > 0 {
            true => SHARED[self.own],
            false => self.pick(&SHARED),
        }
    }
}

const SHARED: [&str; 3] = ["x", "y", "z"];

fn condition(random: &mut Generator) -> String {
    let (var, op) = (random.var(), random.pick(&["==", "!=", ">", "<="]));
    format!("{var} {op} {}", random.below(3))
}

/// Something after which the program, the thread or its path is over, or that waits, perhaps for ever.
fn ending(random: &mut Generator) -> String {
    let end = match random.below(14) {
        0 | 1 => "exit(0);".into(),
        2 => "abort();".into(),
        3 => "pthread_exit(0);".into(),
        4 => "return 0;".into(),
        5 => "__VERIFIER_assume(0);".into(),
        6 => format!("__VERIFIER_assume({});", condition(random)),
        7 => format!("l = 2 / {};", random.var()),
        8 => "l = *nowhere;".into(),
        9 => "pthread_mutex_lock(&n);".into(),
        10 => "pthread_mutex_unlock(&n);".into(),
        11 => "pthread_join(h, 0);".into(),
        12 => format!("while ({}) ;", condition(random)),
        _ => "while (1) ;".into(),
    };
    match random.below(2) {
        0 => end,
        _ => format!("if ({}) {{ {end} }}", condition(random)),
    }
}

fn statement(random: &mut Generator, depth: u32) -> String {
    if random.ends && random.below(4) == 0 {
        return match random.below(if depth == 0 { 1 } else { 8 }) {
            0 => ending(random),
            1 => "__VERIFIER_atomic_f();".into(),
            2 => random.pick(&["act();", "act = g;"]).into(),
            3 => "__VERIFIER_atomic_begin(); act(); __VERIFIER_atomic_end();".into(),
            4 => format!("pthread_mutex_lock(&m); {} pthread_mutex_unlock(&m);", ending(random)),
            5 => format!(
                "while ({}) {{ __VERIFIER_atomic_begin(); {} __VERIFIER_atomic_end(); }}",
                random.pick(&["1", "l < 2", "__VERIFIER_nondet_bool()"]),
                block(random, 0)
            ),
            _ => {
                let before = if random.below(2) == 0 { block(random, 0) } else { String::new() };
                format!("__VERIFIER_atomic_begin(); {before} {} __VERIFIER_atomic_end();", ending(random))
            }
        };
    }
    let (a, b) = (random.var(), random.var());
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

fn block(random: &mut Generator, depth: u32) -> String {
    (0..1 + random.below(2)).map(|_| statement(random, depth)).collect::<Vec<_>>().join(" ")
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let random = &mut Generator { dice: Random::new(seed + 1), ends: seed % 2 == 1, own: 0 };
    let threads = 2 + random.below(2);
    let mut text = String::from(
        "typedef unsigned long pthread_t;\ntypedef struct { int kind; } pthread_mutex_t;\n\
         extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
         extern int pthread_join(pthread_t, void **);\nextern int pthread_mutex_lock(pthread_mutex_t *);\n\
         extern int pthread_mutex_unlock(pthread_mutex_t *);\n\
         extern void reach_error(void);\nextern void __VERIFIER_assume(int);\n\
         extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n\
         extern int __VERIFIER_nondet_int(void);\nextern _Bool __VERIFIER_nondet_bool(void);\n\
         extern void exit(int);\nextern void abort(void);\nextern void pthread_exit(void *);\n\
         pthread_mutex_t m, n;\npthread_t h;\nint x, y, z, *nowhere;\n",
    );
    if random.ends {
        for name in ["__VERIFIER_atomic_f", "f", "g"] {
            let body = format!("{} {}", block(random, 0), ending(random)).replace("return 0;", "return;");
            text += &format!("static void {name}(void) {{ int l = 0; {body} }}\n");
        }
        text += "void (*act)(void) = f;\n";
    }
    for i in 0..threads {
        random.own = i as usize;
        let body: Vec<String> = (0..2 + random.below(3)).map(|_| statement(random, 1)).collect();
        text += &format!("void *t{i}(void *arg) {{\n  int l = 0;\n  {}\n  return 0;\n}}\n", body.join("\n  "));
    }
    text += "int main(void) {\n  pthread_t t[4]; int l = 0;\n";
    random.own = 2;
    for i in 0..threads {
        text += &format!("  pthread_create(&t[{i}], 0, t{i}, 0);\n");
        if i == 0 && random.ends {
            text += "  h = t[0];\n";
        }
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
