//! Tokens: numbers, characters, strings, comments, splices, digraphs, lines that begin with `#`.

use crate::{body, brief, expr, tree};

#[test]
fn integers() {
    assert_eq!(expr("0"), "0");
    assert_eq!(expr("123456789012"), "123456789012");
    assert_eq!(expr("0x1fU"), "31u");
    assert_eq!(expr("0XFFull"), "255ull");
    assert_eq!(expr("0755"), "493");
    assert_eq!(expr("0b1011"), "11");
    assert_eq!(expr("1lu"), "1ul");
    assert_eq!(expr("1LLu"), "1ull");
    assert_eq!(expr("1uLL"), "1ull");
    assert_eq!(expr("18446744073709551616"), "18446744073709551616");
    assert_eq!(expr("0xE +1"), "(+ 14 1)");
    assert_eq!(expr("3i"), "(imaginary 3)");
    assert_eq!(expr("3lj"), "(imaginary 3l)");
}

#[test]
fn floats() {
    assert_eq!(expr("1.5"), "1.5");
    assert_eq!(expr(".5e-3f"), ".5e-3f");
    assert_eq!(expr("1.F"), "1.f");
    assert_eq!(expr("1e10L"), "1e10l");
    assert_eq!(expr("0x1.8p+3"), "0x1.8p+3");
    assert_eq!(expr("0x1p-1f"), "0x1p-1f");
    assert_eq!(expr("1.0q"), "1.0q");
    assert_eq!(expr("1.0f128"), "1.0q");
    assert_eq!(expr("1.0df"), "unsupported decimal floating constant");
    assert_eq!(expr("1.0i"), "(imaginary 1.0)");
    assert_eq!(expr("1.0f32"), "1.0f");
    assert_eq!(expr("1.0f64"), "1.0");
}

#[test]
fn wrong_numbers() {
    assert_eq!(brief("int x = 089;"), "1:10: error: digit 8 in an octal constant");
    assert_eq!(brief("int x = 0b12;"), "1:12: error: digit 2 in a binary constant");
    assert_eq!(brief("int x = 0x;"), "1:9: error: `0x` has no digits");
    assert_eq!(brief("int x = 12abc;"), "1:11: error: invalid suffix `abc` on an integer constant");
    assert_eq!(brief("int x = 1lL;"), "1:10: error: invalid suffix `lL` on an integer constant");
    // Surprising but true: the `+` belongs to the number.
    assert_eq!(brief("int x = 0xE+1;"), "1:12: error: invalid suffix `+1` on an integer constant");
    assert_eq!(brief("int x = 1.2.3;"), "1:9: error: too many decimal points in a number");
    assert_eq!(brief("int x = 1e;"), "1:11: error: the exponent has no digits");
    assert_eq!(brief("int x = 0x1.8;"), "1:9: error: a hexadecimal floating constant needs an exponent");
    assert_eq!(brief("int x = 1.5z;"), "1:12: error: invalid suffix `z` on a floating constant");
    let long = "9".repeat(50);
    assert_eq!(brief(&format!("int x = {long};")), "1:9: error: integer constant is too large");
}

#[test]
fn characters() {
    assert_eq!(expr("'a'"), "char 97");
    assert_eq!(expr(r"'\n'"), "char 10");
    assert_eq!(expr(r"'\0'"), "char 0");
    assert_eq!(expr(r"'\377'"), "char -1");
    assert_eq!(expr(r"'\x7f'"), "char 127");
    assert_eq!(expr(r"'\''"), "char 39");
    assert_eq!(expr(r"'\e'"), "char 27");
    assert_eq!(expr(r"'\\'"), "char 92");
    assert_eq!(expr("'ab'"), "char 24930");
    assert_eq!(expr("'abcd'"), "char 1633837924");
    assert_eq!(expr(r"'\377a'"), "char 65377");
    assert_eq!(expr("L'é'"), "L char 233");
    assert_eq!(expr(r"u'\u20ac'"), "u char 8364");
    assert_eq!(expr(r"U'\U0001F600'"), "U char 128512");
    assert_eq!(brief("int x = '';"), "1:9: error: empty character constant");
    assert_eq!(brief("int x = 'a;\n"), "1:9: error: missing terminating ' character");
}

#[test]
fn strings() {
    assert_eq!(expr(r#""a\tb" "c""#), r#""a\tbc""#);
    assert_eq!(expr(r#""\x41\102\u00e9""#), r#""ABé""#);
    assert_eq!(expr("\"é\" L\"x\""), "L \"éx\"");
    assert_eq!(expr(r#"u8"x" "y""#), r#"u8 "xy""#);
    assert_eq!(expr("u\"😀\""), "u \"😀\"");
    assert_eq!(expr("U\"😀\""), "U \"😀\"");
    assert_eq!(brief("char *s = \"abc;\n"), "1:11: error: missing terminating \" character");
    assert_eq!(brief(r#"char *s = "a\xg";"#), "1:13: error: \\x with no following hexadecimal digits");
    assert_eq!(brief(r#"char *s = L"a" u"b";"#), "1:11: error: string literals of different kinds next to each other");
}

#[test]
fn identifiers() {
    assert_eq!(tree("int $a_1;"), "declare $a_1: int");
    assert_eq!(tree("int größe;"), "declare größe: int");
    assert_eq!(tree(r"int gr\u00f6\U000000dfe;"), "declare größe: int");
    assert_eq!(tree("\u{feff}int x;"), "declare x: int");
    assert_eq!(tree("int L, u8, U;"), "declare L: int\ndeclare u8: int\ndeclare U: int");
}

#[test]
fn comments_and_splices() {
    assert_eq!(tree("int /* a\n * b **/ x; // y\n"), "declare x: int");
    assert_eq!(tree("in\\\nt x\\\r\n;"), "declare x: int");
    assert_eq!(tree("// a \\\n int y;\nint x;"), "declare x: int");
    assert_eq!(expr("\"a\\\nb\""), "\"ab\"");
    // Places are those of the text with its splices.
    assert_eq!(brief("int \\\n x y;"), "2:4: error: expected `;`, found `y`");
    assert_eq!(brief("int x; /* a"), "1:8: error: unterminated comment");
}

#[test]
fn digraphs() {
    assert_eq!(tree("int a<:2:> = <% 1, 2 %>;"), "(declare a: array[2] of int (list 1 2))");
    assert_eq!(tree("%:pragma x\nint x;"), "declare x: int");
}

#[test]
fn lines_with_a_hash() {
    assert_eq!(tree("# 1 \"t.c\"\n#pragma omp\n#line 3\n#ident \"x\"\n  # \nint x;"), "declare x: int");
    assert_eq!(tree("_Pragma(\"once\") int x _Pragma(\"x\");"), "declare x: int");
    assert_eq!(body("_Pragma(\"x\") ;"), "empty");
    assert_eq!(brief("int x;\n#include <a.h>\n"), "2:1: error: preprocessor directive `#include` in preprocessed text");
    assert_eq!(brief("int x # y;"), "1:7: error: stray `#` in the program");
    assert_eq!(brief("int x = 3 @ 4;"), "1:11: error: stray `@` in the program");
    assert_eq!(brief("int \u{a0}x;"), "1:5: error: stray `\u{a0}` in the program");
}

#[test]
fn pragma_pack() {
    let text = "#pragma pack(push, 1)\nstruct A { int x; };\n#pragma pack(pop)\nstruct B { int x; };\n\
                #pragma pack(2)\nstruct C { int x; };\n#pragma pack()\nstruct D { int x; };";
    let heads: Vec<String> = tree(text).lines().map(|l| l.split(" member").next().unwrap().to_string()).collect();
    let expected = [
        "(declare struct A [pragma_pack(1)]",
        "(declare struct B",
        "(declare struct C [pragma_pack(1)]",
        "(declare struct D",
    ];
    assert_eq!(heads, expected);
}

#[test]
fn operators_are_taken_as_long_as_possible() {
    assert_eq!(expr("a+++b"), "(+ (++ (after) a) b)");
    assert_eq!(expr("a<<=b>>=c"), "(<<= a (>>= b c))");
    assert_eq!(expr("a-->b"), "(> (-- (after) a) b)");
    assert_eq!(expr("a&&&b"), "(&& a (& (unary) b))");
}
