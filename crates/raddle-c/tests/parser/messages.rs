//! Messages for wrong programs: what was found, what was expected, and where.

use crate::{brief, message};

#[test]
fn the_line_is_shown() {
    assert_eq!(
        message("int x;\nint f(void) {\n\treturn 1 +;\n}\n"),
        "t.c:3:12: error: expected an expression, found `;`\n 3 |         return 1 +;\n   |                   ^\n"
    );
}

#[test]
fn missing_semicolons() {
    assert_eq!(brief("int x int y;"), "1:7: error: expected `;`, found `int`");
    // It is shown where it is missing, not on the next line.
    assert_eq!(brief("int f(void) {\n  x = 1\n  y = 2;\n}"), "2:7: error: expected `;`, found `y`");
    assert_eq!(brief("int f(void) { return 1 }"), "1:24: error: expected `;`, found `}`");
    assert_eq!(brief("struct S { int x int y; };"), "1:18: error: expected `;`, found `int`");
}

#[test]
fn unknown_types() {
    assert_eq!(brief("foo_t x;"), "1:1: error: unknown type name `foo_t`");
    assert_eq!(brief("foo_t *x;"), "1:1: error: unknown type name `foo_t`");
    assert_eq!(brief("int f(foo_t x);"), "1:7: error: unknown type name `foo_t`");
    assert_eq!(brief("int f(int a, foo_t *b);"), "1:14: error: unknown type name `foo_t`");
    assert_eq!(brief("void f(void) { foo_t x; }"), "1:16: error: unknown type name `foo_t`");
    assert_eq!(brief("struct S { foo_t x; };"), "1:12: error: unknown type name `foo_t`");
    assert_eq!(brief("int x = __builtin_va_arg(ap, foo_t);"), "1:30: error: unknown type name `foo_t`");
}

#[test]
fn unclosed_things() {
    assert_eq!(
        brief("void f(void) {\n  {\n}\n"),
        "4:1: error: expected `}` to close the `{` of line 1, found the end of the file"
    );
    assert_eq!(brief("int x = (1 + 2;"), "1:15: error: expected `)`, found `;`");
    assert_eq!(brief("int x[3;"), "1:8: error: expected `]`, found `;`");
    assert_eq!(brief("int x = f(1, 2;"), "1:15: error: expected `)`, found `;`");
    assert_eq!(brief("int x[] = { 1, 2;"), "1:17: error: expected `,` or `}`, found `;`");
    assert_eq!(brief("struct S { int x;"), "1:18: error: expected a member or `}`, found the end of the file");
    assert_eq!(brief("enum E { A B };"), "1:12: error: expected `,` or `}`, found `B`");
    assert_eq!(brief("int (*f;"), "1:8: error: expected `)` to close the `(` of line 1, found `;`");
    assert_eq!(brief("int x __attribute__((a(;"), "1:25: error: expected `)`, found the end of the file");
    assert_eq!(brief("}"), "1:1: error: expected a declaration, found `}`");
    assert_eq!(brief("int f(void) { } }"), "1:17: error: expected a declaration, found `}`");
}

#[test]
fn wrong_statements() {
    assert_eq!(
        brief("void f(void) { else ; }"),
        "1:16: error: expected a statement (there is no `if` for this `else`), found `else`"
    );
    assert_eq!(
        brief("void f(void) { if (1) int x; }"),
        "1:23: error: expected a statement (a declaration must stand in a block), found `int`"
    );
    assert_eq!(brief("void f(void) { do ; }"), "1:21: error: expected `while`, found `}`");
    assert_eq!(brief("void f(void) { if 1 ; }"), "1:19: error: expected `(`, found `1`");
    assert_eq!(brief("void f(void) { for (;) ; }"), "1:22: error: expected an expression, found `)`");
    assert_eq!(brief("void f(void) { goto 3; }"), "1:21: error: expected a label, found `3`");
    assert_eq!(brief("void f(void) { a.3; }"), "1:17: error: expected `;`, found `.3`");
    assert_eq!(brief("void f(void) { ) }"), "1:16: error: expected a statement, found `)`");
    assert_eq!(brief("void f(void) { case ; }"), "1:21: error: expected an expression, found `;`");
}

#[test]
fn wrong_declarations() {
    assert_eq!(brief("int;int 3;"), "1:9: error: expected a name, found `3`");
    assert_eq!(brief("int x = ;"), "1:9: error: expected an expression, found `;`");
    assert_eq!(brief("short double x;"), "1:1: error: these words make no type together");
    assert_eq!(brief("int int x;"), "1:5: error: `int` once too often in a type");
    assert_eq!(brief("long long long x;"), "1:11: error: `long` once too often in a type");
    assert_eq!(brief("struct S int x;"), "1:10: error: two or more types in one declaration");
    assert_eq!(brief("static extern int x;"), "1:8: error: more than one storage class in a declaration");
    assert_eq!(brief("struct;"), "1:7: error: expected a tag or `{`, found `;`");
    assert_eq!(brief("int f(int, );"), "1:12: error: expected a parameter, found `)`");
    assert_eq!(brief("int f(a, 3);"), "1:10: error: expected the name of a parameter, found `3`");
    assert_eq!(brief("int f(void) int x;"), "1:13: error: expected `;`, found `int`");
    assert_eq!(brief("struct S s = { .a 1 };"), "1:19: error: expected `=`, found `1`");
    assert_eq!(brief("1 + 2;"), "1:1: error: expected a declaration, found `1`");
    assert_eq!(brief("x y z;"), "1:1: error: unknown type name `x`");
    assert_eq!(brief("x + 1;"), "1:3: error: expected a declaration, found `+`");
    assert_eq!(brief("\"text\";"), "1:1: error: expected a declaration, found the string \"text\"");
}

#[test]
fn the_first_error_counts() {
    // Lexical errors further down do not hide it.
    assert_eq!(brief("int x y;\nint z = @;\n"), "1:7: error: expected `;`, found `y`");
    assert_eq!(brief("int x;\nint z = @;\n"), "2:9: error: stray `@` in the program");
}

#[test]
fn line_markers_count() {
    assert_eq!(brief("# 40 \"lib.h\" 1\nint x y;").replace("lib.h:", ""), "40:7: error: expected `;`, found `y`");
}
