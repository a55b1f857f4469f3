//! Generated C expressions mean the same to Raddle as to gcc: integer promotions, conversions, shifts, division, floats, bit-fields.
//!
//! Each seed makes a C program that prints many values; it is compiled by `cc -fwrapv` and run, and simulated. The outputs must be equal to the letter.

use raddle_testing::Random;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const INTEGERS: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

const FLOATS: [&str; 3] = ["float", "double", "long double"];

const CORNERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "127",
    "-128",
    "255",
    "32768",
    "65535",
    "2147483647",
    "-2147483647-1",
    "4294967295u",
    "9223372036854775807ll",
    "-9223372036854775807ll-1",
];

/// An integer expression over the variables v0…v11 (one of each integer type) and the bit-fields of b.
fn integer(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.index(8) == 0 {
        return match random.index(4) {
            0 => format!("({})", random.pick(&CORNERS)),
            1 => format!("b.f{}", random.index(10)),
            _ => format!("v{}", random.index(INTEGERS.len())),
        };
    }
    let a = integer(random, depth - 1);
    let b = integer(random, depth - 1);
    match random.index(16) {
        0..=5 => format!("({a} {} {b})", random.pick(&["+", "-", "*", "&", "|", "^"])),
        6 => format!("({a} {} ({b} & 31))", random.pick(&["<<", ">>"])),
        7 => format!("((unsigned long long){a} {} ({b} & 63))", random.pick(&["<<", ">>"])),
        8 => format!("({a} {} (({b} & 127) + 1))", random.pick(&["/", "%"])),
        9 => format!("({a} {} ((unsigned){b} | 1u))", random.pick(&["/", "%"])),
        10 => format!("({a} {} {b})", random.pick(&["<", ">", "<=", ">=", "==", "!="])),
        11 => format!("({a} {} {b})", random.pick(&["&&", "||"])),
        12 => format!("({}{a})", random.pick(&["-", "~", "!", "+"])),
        13 => format!("(({}){a})", random.pick(&INTEGERS)),
        14 => {
            let c = integer(random, depth - 1);
            format!("({a} ? {b} : {c})")
        }
        _ => format!("({} {} {b})", float(random, depth - 1), random.pick(&["<", ">", "==", "!=", "<=", ">="])),
    }
}

/// A floating expression; operands come from small integers, so that conversions back stay in range.
fn float(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.index(6) == 0 {
        return match random.index(3) {
            0 => format!("w{}", random.index(FLOATS.len())),
            1 => random.pick(&["0.1", "1.5f", "-2.25L", "1e10", "0x1.8p-3", "3", "1e-30f", "7.0"]).to_string(),
            _ => format!("(({})(signed char){})", random.pick(&FLOATS), integer(random, 1)),
        };
    }
    let a = float(random, depth - 1);
    let b = float(random, depth - 1);
    match random.index(6) {
        0..=3 => format!("({a} {} {b})", random.pick(&["+", "-", "*", "/"])),
        4 => format!("(({}){a})", random.pick(&FLOATS)),
        _ => format!("({} ? {a} : {b})", integer(random, 1)),
    }
}

fn program(seed: u64) -> String {
    let mut random = Random::new(seed + 1);
    let mut text = String::from("int printf(const char *, ...);\nvoid *memcpy(void *, const void *, unsigned long);\n");
    let fields =
        ["int", "unsigned", "signed char", "unsigned char", "short", "long long", "unsigned long long", "_Bool"];
    text.push_str("struct bits {\n");
    for i in 0..10 {
        let ty = random.pick(&fields);
        let most = match ty {
            "_Bool" => 1,
            "signed char" | "unsigned char" => 8,
            "short" => 16,
            "long long" | "unsigned long long" => 64,
            _ => 32,
        };
        let width = 1 + random.index(most);
        let _ = writeln!(text, "  {ty} f{i} : {width};");
        if random.index(5) == 0 {
            let _ = writeln!(text, "  {} : 0;", random.pick(&["int", "char", "long long"]));
        }
    }
    text.push_str("};\nstruct bits b;\n");
    for (i, ty) in INTEGERS.iter().enumerate() {
        let _ = writeln!(text, "{ty} v{i} = {};", random.pick(&CORNERS));
    }
    for (i, ty) in FLOATS.iter().enumerate() {
        let _ = writeln!(text, "{ty} w{i} = {};", random.pick(&["0.5", "-3.25", "1e3", "0.1", "-0.0"]));
    }
    text.push_str("int main(void) {\n");
    for i in 0..10 {
        let _ = writeln!(text, "  b.f{i} = {};", integer(&mut random, 2));
    }
    for _ in 0..40 {
        match random.index(8) {
            0..=2 => {
                let _ = writeln!(text, "  printf(\"%lld\\n\", (long long)({}));", integer(&mut random, 4));
            }
            3 => {
                let expr = integer(&mut random, 3);
                let target = random.index(INTEGERS.len());
                let op = random.pick(&["=", "+=", "-=", "*=", "&=", "|=", "^="]);
                let _ = writeln!(text, "  printf(\"%lld \", (long long)(v{target} {op} {expr}));");
                let _ = writeln!(text, "  printf(\"%lld\\n\", (long long)v{target});");
            }
            4 => {
                let expr = integer(&mut random, 3);
                let target = random.index(10);
                let op = random.pick(&["=", "+=", "-=", "*=", "&=", "|=", "^=", "<<= 1 &", ">>= 3 &"]);
                let _ = writeln!(text, "  printf(\"%lld \", (long long)(b.f{target} {op} {expr}));");
                let _ = writeln!(text, "  printf(\"%lld\\n\", (long long)b.f{target});");
            }
            5 => {
                let place = match random.index(2) {
                    0 => format!("v{}", 1 + random.index(INTEGERS.len() - 1)),
                    _ => format!("b.f{}", random.index(10)),
                };
                let form = random.pick(&["P++", "P--", "++P", "--P"]).replace('P', &place);
                let _ = writeln!(text, "  printf(\"%lld %lld\\n\", (long long)({form}), 0ll);");
                let _ = writeln!(text, "  printf(\"%lld\\n\", (long long){place});");
            }
            6 => {
                let expr = float(&mut random, 4);
                let _ = writeln!(
                    text,
                    "  {{ double d = {expr}; unsigned long long u = 0; memcpy(&u, &d, sizeof d); \
                     if (d != d) u = 0; printf(\"%llx\\n\", u); }}"
                );
            }
            _ => {
                let expr = float(&mut random, 3);
                let _ = writeln!(
                    text,
                    "  {{ float d = {expr}; unsigned u = 0; memcpy(&u, &d, sizeof d); if (d != d) u = 0; printf(\"%x %d\\n\", u, \
                     (int)(d > -1e6f && d < 1e6f ? d : 0)); }}"
                );
            }
        }
    }
    text.push_str("  return 0;\n}\n");
    text
}

fn output(command: &mut Command) -> (String, String) {
    let done = command.output().expect("the command runs");
    (String::from_utf8_lossy(&done.stdout).into_owned(), String::from_utf8_lossy(&done.stderr).into_owned())
}

#[test]
fn generated_expressions_agree_with_gcc() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no cc on this machine");
        return;
    }
    let folder = std::env::temp_dir().join(format!("raddle-expressions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    for seed in 1..=25 {
        let text = program(seed);
        let (source, binary) = (folder.join("test.c"), folder.join("test"));
        std::fs::write(&source, &text).expect("the folder can be written to");
        let (_, errors) = output(Command::new("cc").args(["-w", "-O0", "-fwrapv", "-o"]).arg(&binary).arg(&source));
        assert!(errors.is_empty(), "seed {seed}: cc: {errors}");
        let (wanted, _) = output(&mut Command::new(&binary));
        let simulate =
            |path: &Path| output(Command::new(env!("CARGO_BIN_EXE_raddle")).args(["simulate", "--quiet"]).arg(path));
        let (got, errors) = simulate(&source);
        if got != wanted {
            let line = wanted.lines().zip(got.lines()).position(|(a, b)| a != b);
            panic!("seed {seed} differs at line {line:?} of the output; {errors}\n{text}");
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}
