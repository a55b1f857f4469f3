//! Random programs with pointers that were never written. What is proved of such a program must also hold of the one in which each such pointer is chosen among the
//! program's objects; that one can be explored. (Stores go through a pointer only where it was compared with an address: to hit an object by chance is
//! undefined.)

use crate::Random;

const PRELUDE: &str =
    "extern void abort(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern void *malloc(__SIZE_TYPE__);
    extern void reach_error(void); struct s { int *p, *q; struct s *next; int n; }; int a = 1, b = 2;\n";
/// What stays as `malloc` gives it, and what is chosen.
const NOTHING: &str = "void fill(struct s *s) {}\n";
const CHOICE: &str =
    "int any(int below) { unsigned char c = __VERIFIER_nondet_uchar(); if (c >= below) abort(); return c; }
    int *place(void) { int c = any(3); return c == 0 ? 0 : c == 1 ? &a : &b; }
    void fill(struct s *s) { s->p = place(); s->q = place(); s->next = any(2) ? s : 0; s->n = any(3); }\n";

/// The program as it is, and with its pointers chosen.
pub fn programs(seed: u64) -> (String, String) {
    let mut dice = Random::new(seed + 1);
    // Objects that are made once, or in a loop.
    let make = match dice.index(2) {
        0 => "struct s *x = malloc(sizeof *x), *y = malloc(sizeof *y); fill(x); fill(y);",
        _ => "struct s *x = 0, *y = 0; for (int i = 0; i < 2; i++) { y = x; x = malloc(sizeof *x); fill(x); }",
    };
    let body: Vec<String> = (0..4 + dice.index(5)).map(|_| statement(&mut dice)).collect();
    let (what, k) = (one(&mut dice, &["v", "w", "v + w", "a", "b"]), dice.index(4));
    let main = format!(
        "int main(void) {{ int v = 0, w = 0; {make}\n  {}\n  if ({what} == {k}) reach_error(); }}\n",
        body.join("\n  ")
    );
    (format!("{PRELUDE}{NOTHING}{main}"), format!("{PRELUDE}{CHOICE}{main}"))
}

fn one<'a>(dice: &mut Random, of: &[&'a str]) -> &'a str {
    of[dice.index(of.len())]
}

fn pointer(dice: &mut Random) -> String {
    format!("{}->{}", one(dice, &["x", "y"]), one(dice, &["p", "q"]))
}

fn statement(dice: &mut Random) -> String {
    let (to, record, k) = (one(dice, &["v", "w"]), one(dice, &["x", "y"]), dice.index(4));
    match dice.index(9) {
        0 | 1 => format!("{} = {};", pointer(dice), one(dice, &["&a", "&b", "0"])),
        2 | 3 => format!("{to} = *{};", pointer(dice)),
        4 => {
            let (pointer, address) = (pointer(dice), one(dice, &["&a", "&b"]));
            format!("if ({pointer} == {address}) *{pointer} = {k};")
        }
        5 => format!("{} = {};", pointer(dice), pointer(dice)),
        6 => format!("{to} = {record}->next{}->n;", one(dice, &["", "->next"])),
        7 => format!("{record}->next = {}; {}->n = {k};", one(dice, &["x", "y", "0"]), one(dice, &["x", "y"])),
        _ => format!("if ({to} == {k}) {}", one(dice, &["x = y;", "v = w;", "w = a + b;", "a = v;"])),
    }
}
