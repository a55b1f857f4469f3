//! Expressions: precedence, GNU's additions, everything with a syntax of its own.

use crate::expr;

#[test]
fn precedence() {
    assert_eq!(expr("a + b * c - d"), "(- (+ a (* b c)) d)");
    assert_eq!(
        expr("a || b && c | d ^ e & f == g < h << i + j * k"),
        "(|| a (&& b (| c (^ d (& e (== f (< g (<< h (+ i (* j k))))))))))"
    );
    assert_eq!(
        expr("a * b + c << d < e == f & g ^ h | i && j || k"),
        "(|| (&& (| (^ (& (== (< (<< (+ (* a b) c) d) e) f) g) h) i) j) k)"
    );
    assert_eq!(expr("a - b - c"), "(- (- a b) c)");
    assert_eq!(expr("a % b / c"), "(/ (% a b) c)");
    assert_eq!(expr("a != b >= c"), "(!= a (>= b c))");
    assert_eq!(expr("(a, b, c)"), "(, (, a b) c)");
    assert_eq!(expr("(a = b += c)"), "(= a (+= b c))");
    assert_eq!(expr("a ? b : c ? d : e"), "(?: a b (?: c d e))");
    assert_eq!(expr("a ? b ? c : d : e"), "(?: a (?: b c d) e)");
    assert_eq!(expr("a ? b, c : d"), "(?: a (, b c) d)");
    assert_eq!(expr("a ?: b"), "(?: a b)");
    assert_eq!(expr("a = b ? c : d"), "(= a (?: b c d))");
}

#[test]
fn prefix_and_postfix() {
    assert_eq!(expr("-a++"), "(- (unary) (++ (after) a))");
    assert_eq!(expr("*p++"), "(* (unary) (++ (after) p))");
    assert_eq!(expr("!~+-*&x"), "(! (~ (+ (unary) (- (unary) (* (unary) (& (unary) x))))))");
    assert_eq!(expr("++--x"), "(++ (before) (-- (before) x))");
    assert_eq!(expr("f(a, b)(c)[d].e->f--"), "(-- (after) (->f (.e ([] (call (call f a b) c) d))))");
    assert_eq!(expr("f()"), "(call f)");
    assert_eq!(expr("__real__ x + __imag__ y"), "(+ (__real__ x) (__imag__ y))");
    assert_eq!(expr("__extension__ (x) + __extension__ 1"), "(+ x 1)");
}

#[test]
fn casts_and_sizes() {
    assert_eq!(expr("(T) x + 1"), "(+ (cast to T x) 1)");
    assert_eq!(expr("(x) + 1"), "(+ x 1)");
    assert_eq!(expr("(T *) -x"), "(cast to pointer to T (- (unary) x))");
    assert_eq!(expr("(int (*)(void)) p"), "(cast to pointer to function() returning int p)");
    assert_eq!(expr("(const char *const) p"), "(cast to const pointer to const char p)");
    assert_eq!(expr("(__attribute__((x)) int) p"), "(cast to int [x] p)");
    assert_eq!(expr("sizeof(T)"), "sizeof type T");
    assert_eq!(expr("sizeof(x)"), "(sizeof x)");
    assert_eq!(expr("sizeof x + 1"), "(+ (sizeof x) 1)");
    assert_eq!(expr("sizeof(T) * 2"), "(* sizeof type T 2)");
    assert_eq!(expr("sizeof (x)[1]"), "(sizeof ([] x 1))");
    assert_eq!(expr("sizeof (T){1}"), "(sizeof (compound literal T (list 1)))");
    assert_eq!(expr("sizeof (T[]){1}[0]"), "(sizeof ([] (compound literal array[] of T (list 1)) 0))");
    assert_eq!(expr("sizeof sizeof(int)"), "(sizeof sizeof type int)");
    assert_eq!(expr("_Alignof(T) + __alignof__ x"), "(+ alignof type T (alignof x))");
    assert_eq!(expr("sizeof(int[n])"), "(sizeof type array[...] of int (length n))");
    assert_eq!(expr("sizeof(struct { int a; })"), "(sizeof type struct (unnamed) member a: int)");
}

#[test]
fn compound_literals() {
    assert_eq!(expr("(struct S){ .a = 1 }.a"), "(.a (compound literal struct S (list (designated .a 1))))");
    assert_eq!(expr("&(int){ 3 }"), "(& (unary) (compound literal int (list 3)))");
    assert_eq!(expr("(int[]){ 1, 2 }[1]++"), "(++ (after) ([] (compound literal array[] of int (list 1 2)) 1))");
}

#[test]
fn generic_selection() {
    assert_eq!(
        expr("_Generic(x, int: 1, char *: 2, default: 3)"),
        "(generic x (for int 1) (for pointer to char 2) (default 3))"
    );
    assert_eq!(expr("_Generic((x), T: f, default: g)(x)"), "(call (generic x (for T f) (default g)) x)");
}

#[test]
fn builtins_with_syntax() {
    assert_eq!(expr("__builtin_offsetof(struct S, a.b[3].c)"), "(offsetof struct S .a .b ([index] 3) .c)");
    assert_eq!(expr("__builtin_va_arg(ap, int *)"), "(va_arg pointer to int ap)");
    assert_eq!(expr("__builtin_types_compatible_p(int, T *)"), "types compatible int, pointer to T");
    assert_eq!(expr("__builtin_choose_expr(1, a, b)"), "(choose 1 a b)");
    assert_eq!(expr("__builtin_expect(a, 1)"), "(call __builtin_expect a 1)");
    assert_eq!(expr("__builtin_convertvector(a, T) + 1"), "(+ (convertvector T a) 1)");
    assert_eq!(expr("__func__"), "__func__");
    assert_eq!(expr("f(__PRETTY_FUNCTION__, __FUNCTION__)"), "(call f __func__ __func__)");
}

#[test]
fn statement_expressions() {
    assert_eq!(expr("({ int y = 1; y; }) + 1"), "(+ (statement expression (block (declare y: int 1) y)) 1)");
    assert_eq!(expr("({ T T; T; })"), "(statement expression (block declare T: T T))");
}
