//! No text makes the parser panic, hang or overflow the stack.

use raddle_c::error::ErrorKind;
use raddle_c::show_ast::show;

use crate::{parse_bytes, with_large_stack};

const MANY: usize = 100_000;

/// The text nests too deeply: it is refused, with a place.
fn too_deep(text: String) {
    with_large_stack(move || {
        let error = parse_bytes(text.as_bytes()).result.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported, "{}", error.message);
        assert!(error.message.starts_with("nesting deeper than"), "{}", error.message);
        assert!(error.pos.is_some());
    });
}

/// The text is flat enough.
fn fine(text: String) {
    with_large_stack(move || {
        let parsed = parse_bytes(text.as_bytes());
        let unit = parsed.result.unwrap_or_else(|e| panic!("{}", e.message));
        assert!(!show(&unit, &parsed.interner, &parsed.source).is_empty());
    });
}

fn nested(open: &str, inner: &str, close: &str, count: usize) -> String {
    format!("{}{inner}{}", open.repeat(count), close.repeat(count))
}

#[test]
fn deep_expressions() {
    too_deep(format!("int x = {};", nested("(", "1", ")", MANY)));
    too_deep(format!("int x = {};", nested("a[", "1", "]", MANY)));
    too_deep(format!("int x = {};", nested("f(", "1", ")", MANY)));
    too_deep(format!("int x = {};", nested("({", "1;", "})", MANY)));
    too_deep(format!("int x = {};", nested("(int){", "1", "}", MANY)));
    too_deep(format!("int x = {};", nested("a ? ", "1", " : 2", MANY)));
    too_deep(format!("int x = {};", nested("_Generic(0, int: ", "1", ")", MANY)));
    for prefix in ["!", "- ", "*", "(int)", "sizeof ", "__extension__ ", "++", "sizeof(int[", "__alignof__ "] {
        too_deep(format!("int x = {}1;", prefix.repeat(MANY)));
    }
    for chain in ["1+", "a,", "a=", "a||", "a?b:", "a*b+", "a?:"] {
        too_deep(format!("int x = ({}1);", chain.repeat(MANY)));
        fine(format!("int x = ({}1);", chain.repeat(5_000)));
    }
    too_deep(format!("int x = a{};", ".b".repeat(MANY)));
    too_deep(format!("int x = a{};", "[0]".repeat(MANY)));
    too_deep(format!("int x = a{};", "()".repeat(MANY)));
}

#[test]
fn deep_statements() {
    let function = |body: String| format!("void f(void) {{ {body} }}");
    too_deep(function(nested("{", "", "}", MANY)));
    too_deep(function(format!("{};", "if (1) ".repeat(MANY))));
    too_deep(function(format!("{};", "while (1) ".repeat(MANY))));
    too_deep(function(format!("{};", "for (;;) ".repeat(MANY))));
    too_deep(function(nested("do ", ";", "while (1);", MANY)));
    too_deep(function(format!("{};", "switch (1) case 1: ".repeat(MANY))));
    too_deep(function(format!("{};", "if (1) ; else ".repeat(MANY))));
    too_deep(function(format!("{};", "a: ".repeat(MANY))));
    fine(function(format!("{};", "if (1) ; else ".repeat(15_000))));
    fine(function(format!("switch (1) {{ {}; }}", "case 1: ".repeat(15_000))));
    fine(function("x = a + b * c;".repeat(MANY)));
    fine(function("__attribute__((x)) ".repeat(MANY) + ";"));
}

#[test]
fn deep_declarations() {
    too_deep(format!("int {}x;", "*".repeat(MANY)));
    too_deep(format!("int x{};", "[1]".repeat(MANY)));
    too_deep(format!("int {};", nested("(", "x", ")", MANY)));
    too_deep(format!("int {};", nested("(*", "x", ")", MANY)));
    too_deep(format!("int x{};", nested("[sizeof(int", "", ")]", MANY)));
    too_deep(format!("int f{};", nested("(int g", "", ")", MANY)));
    too_deep(format!("int f{};", nested("(int ", "", ")", MANY)));
    too_deep(nested("struct {", "int x;", "} y;", MANY));
    too_deep(format!("{} x;", nested("typeof(", "int", ")", MANY)));
    too_deep(format!("{} x;", nested("_Atomic(", "int", ")", MANY)));
    too_deep(format!("int x = {};", nested("{", "1", "}", MANY)));
    too_deep(format!("int x[] = {{ {} = 1 }};", "[1]".repeat(MANY)));
    too_deep(format!("enum {{ {} }};", nested("A = sizeof(enum {", "B", "})", MANY)));
    too_deep(format!("int x {};", nested("__attribute__((a(({", "", "}))))", MANY).replace("}))))", "; })))")));
    fine(format!("int x[] = {{ {} }};", "1, ".repeat(MANY)));
    fine(format!("struct {{ {} }} x;", "int a; ".repeat(MANY)));
    fine(format!("int x{};", ", x".repeat(MANY)));
    fine(format!("int f({} int x);", "int a, ".repeat(MANY)));
    fine(format!("enum {{ {} }};", "A, ".repeat(MANY)));
    fine(format!("{} x;", "const __extension__ ".repeat(MANY)));
    fine(format!("char *s = {};", "\"a\" ".repeat(MANY)));
}

const SNIPPETS: &[&str] = &[
    "typedef struct S { int a : 3; struct S *next; } T; T *f(T *p, ...) { return p->next ? &p[1] : (T *)0; }",
    "int main(void) { for (int i = 0; i < 10; i++) { if (i % 2) continue; else break; } goto l; l: return 'a' + 0x1f; }",
    "static _Atomic int x = 1; int a[] = { [2] = 1, [3 ... 5] = { 2 } }; struct S s = { .f = 1.5e3f, g: \"s\\x41\\n\" };",
    "f(a, b) int a; char *b; { switch (a) { case 1 ... 3: default: asm volatile (\"\" : \"=r\" (a) : \"r\" (b) : \"memory\"); } }",
    "int y = _Generic(1, int: sizeof(int[3]), default: ({ __label__ q; q: __builtin_offsetof(struct S, a.b[1]); }));",
    "__attribute__((noreturn, format(printf, 1, 2))) void (*g(int (*h)(void)))(int) __asm__(\"x\");\n#pragma x\n# 3 \"f\"\n",
    "enum E { A, B = A << 2 } e; _Static_assert(1, L\"x\" \"y\"); typeof(e) *const volatile k; /* c */ // d\nint z = a ?: b, *w;",
];

const SPLINTERS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    "?",
    "*",
    "&&",
    "...",
    "=",
    ".",
    "#",
    "\"",
    "'",
    "\\",
    "\n",
    "\\\n",
    "/*",
    "*/",
    "int",
    "T",
    "struct",
    "typedef",
    "__attribute__((",
    "asm",
    "case",
    "sizeof",
    "0x",
    "1e",
    "__label__",
    "({",
    "\u{0}",
    "é",
    "_Generic",
    "typeof",
    "__extension__",
    "else",
    "for",
    "__builtin_va_arg",
    "_Pragma(\"x\")",
    "[[",
    "L",
    "u8",
    "%:",
    "static",
];

/// A small generator of pseudo-random numbers (xorshift), so that runs repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn check_never_panics(text: &[u8]) {
    let parsed = parse_bytes(text);
    match &parsed.result {
        Ok(unit) => drop(show(unit, &parsed.interner, &parsed.source)),
        Err(error) => {
            let shown = raddle_c::diagnostics::render(&parsed.source, error);
            assert!(shown.contains(&error.message) && error.pos.is_some(), "{shown}");
        }
    }
}

#[test]
fn mutated_programs() {
    let mut random = Random(0x5eed);
    for round in 0..20_000 {
        let mut text = SNIPPETS[round % SNIPPETS.len()].as_bytes().to_vec();
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len());
            match random.below(5) {
                0 => drop(text.splice(at..at, SPLINTERS[random.below(SPLINTERS.len())].bytes())),
                1 => drop(text.drain(at..(at + random.below(9)).min(text.len()))),
                2 if !text.is_empty() => text[at] = random.below(256) as u8,
                3 => text.truncate(at),
                _ => {
                    let other = SNIPPETS[random.below(SNIPPETS.len())].as_bytes();
                    let from = random.below(other.len());
                    let to = (from + random.below(30)).min(other.len());
                    drop(text.splice(at..at, other[from..to].iter().copied()));
                }
            }
        }
        check_never_panics(&text);
    }
}

#[test]
fn garbage() {
    let mut random = Random(0xbad);
    for _ in 0..5_000 {
        let length = random.below(40);
        let words: Vec<&str> = (0..length).map(|_| SPLINTERS[random.below(SPLINTERS.len())]).collect();
        check_never_panics(words.join(" ").as_bytes());
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        check_never_panics(&bytes);
    }
}

#[test]
fn every_prefix_of_a_program() {
    for snippet in SNIPPETS {
        for end in 0..snippet.len() {
            check_never_panics(&snippet.as_bytes()[..end]);
        }
    }
}
