//! Random sequential C programs over small arrays: loops that fill, copy, shift, swap and search them, and checks of elements. Some have lengths that are inputs. Made for abstractions of arrays: most
//! checks hold of most elements, and fail for a few.

use crate::Random;
use std::fmt::Write;

const PRELUDE: &str = "extern void reach_error(void); extern unsigned char __VERIFIER_nondet_uchar(void);
void *malloc(__SIZE_TYPE__); void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
int a[5], b[5]; struct { int x; short y; } s[4];\n";

pub fn program(seed: u64) -> String {
    let mut dice = Random::new(seed + 1);
    let mut text = PRELUDE.to_string();
    text.push_str(
        "int main(void) { int i, j, t, m = 0; int n = 2 + (__VERIFIER_nondet_uchar() & 1); int c[5] = {0};\n",
    );
    let heap = [
        "int *p = malloc(4 * n); for (i = 0; i < n; i++) p[i] = 0;",
        "int *p = calloc(n, 4);",
        "int *p = a;",
        "int *p = n > 2 ? a : b;",
        "int *p = c;",
    ];
    let _ = writeln!(text, "{}", dice.pick(&heap));
    for _ in 0..1 + dice.index(4) {
        let (from, to) = (dice.pick(&["0", "0", "1"]), dice.pick(&["n", "n", "3", "n - 1"]));
        match dice.index(3) {
            0 => {
                let _ = write!(text, "for (i = {to} - 1; i >= {from}; i--) {{ ");
            }
            _ => {
                let _ = write!(text, "for (i = {from}; i < {to}; i++) {{ ");
            }
        }
        for _ in 0..1 + dice.index(2) {
            let statement = statement(&mut dice);
            let guard = if dice.one_in(4) { format!("if ({}) ", condition(&mut dice)) } else { String::new() };
            let _ = write!(text, "{guard}{statement} ");
        }
        text.push_str("}\n");
    }
    let check = condition(&mut dice);
    let _ = match dice.index(3) {
        0 => writeln!(text, "i = {}; if (!({check})) reach_error();", dice.pick(&["0", "1", "n - 1", "m"])),
        _ => writeln!(text, "for (i = 0; i < n; i++) if (!({check})) reach_error();"),
    };
    text.push_str("return 0; }\n");
    text
}

fn element(dice: &mut Random) -> String {
    let array = dice.pick(&["a", "a", "b", "c", "p"]);
    match dice.index(8) {
        0 => "s[i & 3].x".into(),
        1 => "s[i & 3].y".into(),
        _ => format!("{array}[{}]", dice.pick(&["i", "i", "i", "i", "n - 1 - i", "i + 1", "2 * i", "i & 1", "m & 3"])),
    }
}

fn value(dice: &mut Random) -> String {
    match dice.index(7) {
        0 => "__VERIFIER_nondet_uchar() & 1".into(),
        1 => "i".into(),
        2 => format!("{} + 1", element(dice)),
        3 => dice.pick(&["0", "1", "2"]).into(),
        4 => "m".into(),
        _ => element(dice),
    }
}

fn statement(dice: &mut Random) -> String {
    let (x, y) = (element(dice), element(dice));
    match dice.index(7) {
        0 => format!("{{ t = {x}; {x} = {y}; {y} = t; }}"),
        1 => format!("if ({x} > m) m = {x};"),
        2 => format!("if ({x} == 0) {{ m = i; break; }}"),
        _ => format!("{x} = {};", value(dice)),
    }
}

fn condition(dice: &mut Random) -> String {
    let (x, holds) = (element(dice), dice.pick(&["==", "==", "!=", "<=", ">="]));
    format!("{x} {holds} {}", value(dice))
}
