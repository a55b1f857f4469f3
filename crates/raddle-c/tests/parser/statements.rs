//! Statements and blocks.

use crate::{body, tree};

#[test]
fn loops_and_branches() {
    assert_eq!(body("while (a) b;"), "(while a b)");
    assert_eq!(body("do a; while (b);"), "(do while a b)");
    assert_eq!(body("for (;;) ;"), "(for no init no condition no step empty)");
    assert_eq!(
        body("for (i = 0; i < 3; i++) { }"),
        "(for (init (= i 0)) (condition (< i 3)) (step (++ (after) i)) block)"
    );
    assert_eq!(
        body("for (int i = 0, j; ; ) break;"),
        "(for (init (declare i: int 0) declare j: int) no condition no step break)"
    );
    assert_eq!(body("if (a) b; else c;"), "(if a b) (else c)");
    assert_eq!(body("if (a) if (b) c; else d;"), "(if a (if b c) (else d))");
    assert_eq!(
        body("if (a) b; else if (c) d; else if (e) f; else g;"),
        "(if a b) else (if c d) else (if e f) (else g)"
    );
    assert_eq!(body("return; return 1; continue;"), "return (return 1) continue");
}

#[test]
fn switches() {
    assert_eq!(
        body("switch (x) { case 1: case 2: a; break; case 3 ... 5: default: b; }"),
        "(switch x (block (case 1) (case 2) a break (case 3 5) default b))"
    );
    assert_eq!(body("switch (x) case 1: a;"), "(switch x (case 1) a)");
    // Nothing needs to follow a label, and a declaration may.
    assert_eq!(
        body("switch (x) { case 1: int y; default: }"),
        "(switch x (block (case 1) empty declare y: int default empty))"
    );
    assert_eq!(body("switch (x) { case a ? 1 : 2: b; }"), "(switch x (block (case (?: a 1 2)) b))");
}

#[test]
fn labels_and_gotos() {
    assert_eq!(body("a: b: x; goto a;"), "label a label b x goto a");
    assert_eq!(body("{ a: }"), "(block label a empty)");
    assert_eq!(body("a: __attribute__((unused)) x;"), "label a x");
    assert_eq!(body("a: __attribute__((unused)); int y;"), "label a empty declare y: int");
    assert_eq!(body("a: int y;"), "label a empty declare y: int");
    assert_eq!(
        body("void *p = &&a; goto *p; a: ;"),
        "(declare p: pointer to void &&a) (computed goto p) label a empty"
    );
    // The same local label in two blocks is two labels.
    assert_eq!(
        body("{ __label__ a, b; goto a; a: ; } { __label__ a; &&a; a: ; } goto a; a: ;"),
        "(block goto a@1 label a@1 empty) (block &&a@3 label a@3 empty) goto a label a empty"
    );
}

#[test]
fn attributes_on_statements() {
    assert_eq!(body("__attribute__((fallthrough));"), "empty");
    assert_eq!(body("[[fallthrough]];"), "empty");
    assert_eq!(body("__attribute__((unused)) int x;"), "declare x: int [unused]");
    assert_eq!(body("[[maybe_unused]] int x;"), "declare x: int [maybe_unused]");
    assert_eq!(body("if (a) __attribute__((x)) b;"), "(if a b)");
}

#[test]
fn blocks() {
    assert_eq!(body("int x; x = 1; int y = x; { ; }"), "declare x: int (= x 1) (declare y: int x) (block empty)");
    assert_eq!(
        body("_Static_assert(1, \"\"); __extension__ _Static_assert(1, \"\");"),
        "(static assert \"\" 1) (static assert \"\" 1)"
    );
    assert_eq!(body("__extension__ int x; __extension__ f();"), "declare x: int (call f)");
    assert_eq!(
        body("extern int f(void); struct S { int x; }; struct S s;"),
        "declare f: function() returning extern int (declare struct S member x: int) declare s: struct S"
    );
}

#[test]
fn assembler() {
    assert_eq!(body("asm(\"nop\");"), "asm \"nop\"");
    assert_eq!(body("__asm__ __volatile__ (\"\" : : : \"memory\");"), "asm \"\"");
    assert_eq!(
        body("asm volatile (\"mov\" : \"=r\" (a), [x] \"+m\" (b) : \"r\" (c + 1) : \"cc\", \"memory\");"),
        "asm \"mov\""
    );
    assert_eq!(body("asm goto (\"jmp\" : : \"r\" (x) : \"cc\" : out); out: ;"), "asm \"jmp\" label out empty");
    assert_eq!(body("asm inline (\"\" :: \"r\" (x));"), "asm \"\"");
    assert_eq!(body("register int r asm(\"eax\") = 1;"), "(declare r: register int asm(\"eax\") 1)");
}

#[test]
fn nested_functions() {
    assert_eq!(body("int g(int x) { return x; { } } g(1);"), "nested function (call g 1)");
    assert_eq!(
        body("auto int g(); int g(a) int a; { } g(1);"),
        "declare g: old-style function() returning auto int nested function (call g 1)"
    );
    assert_eq!(
        tree("void f(void) { int T(void) { } T * x; }"),
        "(function f: function() returning void (block nested function (* T x)))"
    );
}
