//! Random litmus tests: the classical shapes (Alglave, Maranget, Tautschnig 2014), whose outcome tells memory models apart, with fences of all kinds, other ways to
//! store, and noise in between, in variables, array elements at indices that are known or not, and bytes of a word.

use super::DECLARATIONS;
use crate::Random;

/// What the threads do to the places 0, 1 and 2 (`W0=1`: a store; `R0`: a load), and the question. Loads are numbered.
const SHAPES: &[(&[&[&str]], &str)] = &[
    (&[&["W0=1", "R1"], &["W1=1", "R0"]], "r0 == 0 && r1 == 0"),
    (&[&["W0=1", "W1=1"], &["R1", "R0"]], "r0 == 1 && r1 == 0"),
    (&[&["R0", "W1=1"], &["R1", "W0=1"]], "r0 == 1 && r1 == 1"),
    (&[&["W0=1", "W1=1"], &["W1=2", "R0"]], "r0 == 0 && P1 == 2"),
    (&[&["W0=2", "W1=1"], &["R1", "W0=1"]], "r0 == 1 && P0 == 2"),
    (&[&["W0=1", "W1=2"], &["W1=1", "W0=2"]], "P0 == 1 && P1 == 1"),
    (&[&["W0=1"], &["R0", "W1=1"], &["R1", "R0"]], "r0 == 1 && r1 == 1 && r2 == 0"),
    (&[&["W0=1"], &["R0", "R1"], &["W1=1", "R0"]], "r0 == 1 && r1 == 0 && r2 == 0"),
    (&[&["W0=1", "W1=1"], &["R1", "W2=1"], &["R2", "R0"]], "r0 == 1 && r1 == 1 && r2 == 0"),
    (&[&["W0=1", "R0", "R1"], &["W1=1", "W0=2"]], "r0 == 1 && r1 == 0 && P0 == 1"),
    (&[&["W0=1", "R0", "R1"], &["W1=1", "R1", "R0"]], "r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0"),
    (&[&["W0=1", "W0=2"], &["R0", "R0"]], "r0 == 2 && r1 == 1"),
    (&[&["W0=1", "R0"], &["W0=2", "R0"]], "r0 == 2 && r1 == 1"),
    (&[&["W0=1", "W1=1", "R2"], &["W2=1", "R1", "R0"]], "r0 == 0 && r1 == 0"),
];

/// The text of the program with this number.
pub fn program(seed: u64) -> String {
    let mut dice = Random::new(seed + 1);
    let (shape, question) = SHAPES[dice.index(SHAPES.len())];
    let mut text = String::from(DECLARATIONS);
    text += "static int x, y, z, w, a[3], big[64], i, j;\nstatic union { int w; unsigned char b[4]; } u;\nstatic pthread_mutex_t m;\n";
    let (places, known) = match dice.index(8) {
        0 => (["a[0]", "a[1]", "a[2]"], true),
        1 => (["a[i]", "a[1 - i]", "z"], false),
        2 => (["big[i]", "big[j]", "z"], false),
        3 => (["big[i]", "y", "big[j]"], false),
        4 => (["u.b[0]", "u.b[1]", "y"], true),
        _ => (["x", "y", "z"], true),
    };
    let mut loads = 0;
    for (thread, deeds) in shape.iter().enumerate() {
        text += &format!("static int {};\n", ["p0, q0", "p1, q1", "p2, q2"][thread]);
        let mut body = String::new();
        let mut before = Vec::new();
        for deed in *deeds {
            body += &noise(&mut dice, thread, &places, &before);
            let place = places[usize::from(deed.as_bytes()[1] - b'0')];
            match deed.split_once('=') {
                Some((_, value)) => {
                    body += &match dice.index(12) {
                        0 => format!("  __atomic_store_n(&{place}, {value}, 3);\n"),
                        1 => format!("  __atomic_store_n(&{place}, {value}, 5);\n"),
                        2 => format!("  __atomic_exchange_n(&{place}, {value}, 0);\n"),
                        3 => format!(
                            "  __VERIFIER_atomic_begin();\n  {place} = 7;\n  {place} = {value};\n  __VERIFIER_atomic_end();\n"
                        ),
                        4 => format!("  pthread_mutex_lock(&m);\n  {place} = {value};\n  pthread_mutex_unlock(&m);\n"),
                        5 => format!("  if (__VERIFIER_nondet_int()) {place} = {value};\n"),
                        _ => format!("  {place} = {value};\n"),
                    }
                }
                None => {
                    text += &format!("static int r{loads};\n");
                    body += &format!("  int s{loads} = {place};\n  r{loads} = s{loads};\n");
                    before.push(loads);
                    loads += 1;
                }
            }
        }
        text += &format!("static void *f{thread}(void *arg) {{\n{body}  return 0;\n}}\n");
    }
    text += "int main(void) {\n  pthread_t t[3];\n";
    if !known {
        text += "  i = __VERIFIER_nondet_bool();\n  j = 2 + __VERIFIER_nondet_bool();\n";
    }
    for thread in 0..shape.len() {
        text += &format!("  pthread_create(&t[{thread}], 0, f{thread}, 0);\n");
    }
    for thread in 0..shape.len() {
        text += &format!("  pthread_join(t[{thread}], 0);\n");
    }
    let question = question.replace("P0", places[0]).replace("P1", places[1]);
    text += &format!("  if ({question}) reach_error();\n  return 0;\n}}\n");
    text
}

/// Something between two accesses. `before`: the loads so far.
fn noise(dice: &mut Random, thread: usize, places: &[&str; 3], before: &[usize]) -> String {
    let place = places[dice.index(3)];
    match dice.index(24) {
        0 => "  __sync_synchronize();\n".into(),
        1 => format!("  __atomic_thread_fence({});\n", [2, 3, 4][dice.index(3)]),
        2 => "  if (__VERIFIER_nondet_int()) __sync_synchronize();\n".into(),
        3 => "  if (__VERIFIER_nondet_int()) __atomic_thread_fence(3);\n".into(),
        4 => "  w = 1;\n".into(),
        5 => format!("  p{thread} = 1;\n"),
        6 => format!("  q{thread} = {place};\n"),
        7 => "  __atomic_fetch_add(&w, 1, 0);\n".into(),
        8 => "  pthread_mutex_lock(&m);\n  pthread_mutex_unlock(&m);\n".into(),
        9 if !before.is_empty() => format!("  if (s{}) __sync_synchronize();\n", before[dice.index(before.len())]),
        10 if !before.is_empty() => format!("  if (!s{}) w = 2;\n", before[dice.index(before.len())]),
        11 if places[0] == "u.b[0]" => format!("  q{thread} = u.w;\n"),
        12 if places[0] == "u.b[0]" => "  u.b[2] = 1;\n".into(),
        13 => "  { int *n = malloc(sizeof *n); *n = 1; free(n); }\n".into(),
        _ => String::new(),
    }
}
