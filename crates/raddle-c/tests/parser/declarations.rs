//! Declarations: specifiers, declarators, structs, enums, initialisers, attributes, old-style functions.

use crate::{body, tree};

#[test]
fn basic_types_in_any_order() {
    assert_eq!(tree("long unsigned int long x;"), "declare x: unsigned long long");
    assert_eq!(tree("int short x;"), "declare x: short");
    assert_eq!(tree("char unsigned x;"), "declare x: unsigned char");
    assert_eq!(tree("__signed__ char x;"), "declare x: signed char");
    assert_eq!(tree("double long x;"), "declare x: long double");
    assert_eq!(tree("unsigned __int128 x;"), "declare x: unsigned __int128");
    assert_eq!(tree("_Bool x;"), "declare x: _Bool");
    assert_eq!(tree("__uint128_t x;"), "declare x: unsigned __int128");
    assert_eq!(tree("__builtin_va_list x;"), "declare x: __builtin_va_list");
    assert_eq!(tree("long const unsigned volatile x;"), "declare x: const volatile unsigned long");
}

#[test]
fn named_float_types() {
    assert_eq!(
        tree("_Float32 a; _Float64 b; _Float32x c; _Float64x d;"),
        "declare a: float\ndeclare b: double\ndeclare c: double\ndeclare d: long double"
    );
    assert_eq!(tree("_Float128 x;"), "declare x: _Float128");
    assert_eq!(tree("extern __float128 x;"), "declare x: extern _Float128");
    assert_eq!(tree("double _Complex x;"), "declare x: _Complex double");
    assert_eq!(tree("_Complex _Float32 x;"), "declare x: _Complex float");
    // Headers for older compilers define them.
    assert_eq!(tree("typedef float _Float32; _Float32 x;"), "typedef _Float32: float\ndeclare x: _Float32");
}

#[test]
fn declarators() {
    assert_eq!(tree("int *a[3];"), "declare a: array[3] of pointer to int");
    assert_eq!(tree("int (*a)[3];"), "declare a: pointer to array[3] of int");
    assert_eq!(tree("int *const *volatile p;"), "declare p: volatile pointer to const pointer to int");
    assert_eq!(
        tree("int (*f(int a))(char b);"),
        "declare f: function(a: int) returning pointer to function(b: char) returning int"
    );
    assert_eq!(
        tree("void (*signal(int, void (*)(int)))(int);"),
        "declare signal: function((unnamed): int, (unnamed): pointer to function((unnamed): int) returning void) \
         returning pointer to function((unnamed): int) returning void"
    );
    assert_eq!(tree("int (((x)));"), "declare x: int");
    assert_eq!(tree("char x, *y, z[2];"), "declare x: char\ndeclare y: pointer to char\ndeclare z: array[2] of char");
    assert_eq!(tree("int *__restrict__ p;"), "declare p: restrict pointer to int");
}

#[test]
fn parameters() {
    assert_eq!(tree("int f();"), "declare f: old-style function() returning int");
    assert_eq!(tree("int f(void);"), "declare f: function() returning int");
    assert_eq!(tree("int f(char *, ...);"), "declare f: function((unnamed): pointer to char, ...) returning int");
    assert_eq!(
        tree("int f(int a[static const 3], int b[*], int c[restrict]);"),
        "declare f: function(a: array[3] of int, b: array[*] of int, c: array[] of int) returning int"
    );
    assert_eq!(
        tree("int f(register int a, const x);"),
        "declare f: function(a: register int, x: const implicit int) returning int"
    );
    assert_eq!(
        tree("int f(int n; int a[n], int n);").lines().next().unwrap(),
        "(declare f: function(a: array[...] of int, n: int) returning int (length n))"
    );
    assert_eq!(
        tree("int f(int (int));"),
        "declare f: function((unnamed): function((unnamed): int) returning int) returning int"
    );
}

#[test]
fn typedef_names_and_scopes() {
    assert_eq!(tree("typedef int T; T T;"), "typedef T: int\ndeclare T: T");
    assert_eq!(tree("typedef int T; int f(T T);"), "typedef T: int\ndeclare f: function(T: T) returning int");
    assert_eq!(
        tree("typedef int T; int f(int (T));").lines().last().unwrap(),
        "declare f: function((unnamed): function((unnamed): T) returning int) returning int"
    );
    assert_eq!(
        tree("typedef int T; struct S { T T; unsigned T2, T : 3; T : 2; };").lines().last().unwrap(),
        "(declare struct S member T: T member T2: unsigned int (member T: unsigned int (width 3)) \
         (member (unnamed): T (width 2)))"
    );
    // Storage of an outer scope comes back when the inner one closes.
    assert_eq!(body("{ int T; T * x; } T * x;"), "(block declare T: int (* T x)) declare x: pointer to T");
    assert_eq!(body("T T = 3; T = 4;"), "(declare T: T 3) (= T 4)");
    assert_eq!(body("for (T T = 0; T < 3; T++) ; T x;").split(") ").last().unwrap(), "declare x: T");
    assert_eq!(body("int T = sizeof(T);"), "(declare T: int (sizeof T))");
    assert_eq!(body("enum { T }; T * 3;"), "(declare enum (unnamed) constant T) (* T 3)");
    assert_eq!(body("{ typedef char T; T x; } T x;"), "(block typedef T: char declare x: T) declare x: T");
    assert_eq!(body("T: T x; goto T;"), "label T empty declare x: T goto T");
    assert_eq!(body("x.T = p->T;"), "(= (.T x) (->T p))");
    assert_eq!(body("struct T *T; T->x;"), "declare T: pointer to struct T (->x T)");
    assert_eq!(tree("typedef int T; void f(int T) { T * 2; } T x;").lines().last().unwrap(), "declare x: T");
}

#[test]
fn storage_and_other_specifiers() {
    assert_eq!(tree("static __thread int x;"), "declare x: static thread-local int");
    assert_eq!(tree("extern _Thread_local int x;"), "declare x: extern thread-local int");
    assert_eq!(
        tree("_Noreturn static inline void f(void);"),
        "declare f: function() returning static inline noreturn void"
    );
    assert_eq!(tree("static __inline__ int f(void);"), "declare f: function() returning static inline int");
    assert_eq!(
        tree("_Alignas(16) char x; _Alignas(double) char y;"),
        "(declare x: char (alignas 16))\n(declare y: char alignas double)"
    );
    assert_eq!(
        tree("_Atomic int x; _Atomic(int *) y; int *_Atomic z;"),
        "declare x: atomic int\ndeclare y: _Atomic(pointer to int)\ndeclare z: atomic pointer to int"
    );
    assert_eq!(tree("__extension__ typedef long long L; __extension__ L x;"), "typedef L: long long\ndeclare x: L");
    assert_eq!(
        tree("int x; typeof(x) y; __typeof__(int *) z; typeof(x + 1) w;").lines().skip(1).collect::<Vec<_>>(),
        [
            "(declare y: typeof(expression) (typeof x))",
            "declare z: typeof(pointer to int)",
            "(declare w: typeof(expression) (typeof (+ x 1)))"
        ]
    );
    assert_eq!(body("__auto_type x = 3;"), "(declare x: __auto_type 3)");
    assert_eq!(tree(";;int x;;"), "declare x: int");
}

#[test]
fn implicit_int() {
    assert_eq!(tree("static x;"), "declare x: static implicit int");
    assert_eq!(tree("main() {}"), "(function main: old-style function() returning implicit int block)");
    assert_eq!(tree("x = 3;"), "(declare x: implicit int 3)");
    assert_eq!(tree("const c = 3, *p;"), "(declare c: const implicit int 3)\ndeclare p: pointer to const implicit int");
    assert_eq!(body("register i; auto j = 1;"), "declare i: register implicit int (declare j: auto implicit int 1)");
}

#[test]
fn old_style_functions() {
    assert_eq!(
        tree("f(a, b) int a; char *b; { return a; }"),
        "(function f: old-style function(a, b) returning implicit int declare a: int declare b: pointer to char \
         (block (return a)))"
    );
    assert_eq!(
        tree("typedef int T; int f(a) T a; { T x; }").lines().last().unwrap(),
        "(function f: old-style function(a) returning int declare a: T (block declare x: T))"
    );
    assert_eq!(
        tree("int (*f(a))(int) int a; { }"),
        "(function f: old-style function(a) returning pointer to function((unnamed): int) returning int \
         declare a: int block)"
    );
}

#[test]
fn structs_and_unions() {
    assert_eq!(
        tree("struct S { int a, *b; char c : 3, : 2; };"),
        "(declare struct S member a: int member b: pointer to int (member c: char (width 3)) \
         (member (unnamed): char (width 2)))"
    );
    assert_eq!(
        tree("struct S { union { int a; }; struct { int b; } c; };"),
        "(declare struct S (member union (unnamed) member a: int) (member c: struct (unnamed) member b: int))"
    );
    assert_eq!(
        tree("struct S; union U x; struct {} y;"),
        "declare struct S\ndeclare x: union U\ndeclare y: struct (unnamed)"
    );
    assert_eq!(
        tree("struct S { int a; ; _Static_assert(1, \"m\"); __extension__ int b; int last };"),
        "(declare struct S member a: int (static assert \"m\" 1) member b: int member last: int)"
    );
    assert_eq!(
        tree("typedef struct S { struct S *next; } S, *P; P p;"),
        "(typedef S: struct S member next: pointer to struct S)\ntypedef P: pointer to struct S\ndeclare p: P"
    );
}

#[test]
fn enums() {
    assert_eq!(
        tree("enum E { A, B = 3, C __attribute__((unused)) = B + 1, } x;"),
        "(declare x: enum E constant A (constant B 3) (constant C (+ B 1)))"
    );
    assert_eq!(tree("enum E; enum E *p;"), "declare enum E\ndeclare p: pointer to enum E");
}

#[test]
fn attributes_everywhere() {
    assert_eq!(tree("__attribute__((unused)) static int x;"), "declare x: static int [unused]");
    assert_eq!(tree("int __attribute__((__unused__)) x;"), "declare x: int [unused]");
    assert_eq!(
        tree("int x __attribute__((aligned(8), section(\"a\"))), y;"),
        "declare x: int [aligned(1), section(1)]\ndeclare y: int"
    );
    assert_eq!(tree("int * __attribute__((x)) p;"), "declare p: pointer to int [x]");
    assert_eq!(
        tree("void (__attribute__((noreturn)) *f)(void);"),
        "declare f: pointer to function() returning void [noreturn]"
    );
    assert_eq!(
        tree("struct __attribute__((packed)) S { int x; } __attribute__((aligned));"),
        "(declare struct S [packed, aligned] member x: int)"
    );
    assert_eq!(
        tree("int f(int x __attribute__((unused)), __attribute__((unused)) int y) __attribute__((nonnull (1, 2)));"),
        "declare f: function(x: int [unused], y: int [unused]) returning int [nonnull(2)]"
    );
    assert_eq!(
        tree("int f(void) __attribute__((const)) __attribute__(()) __attribute__((,pure,));"),
        "declare f: function() returning int [const, pure]"
    );
    assert_eq!(
        tree("int f(int) __asm__(\"\" \"g\") __attribute__((nothrow));"),
        "declare f: function((unnamed): int) returning int [nothrow] asm(\"g\")"
    );
    assert_eq!(tree("int x, __attribute__((a)) y;"), "declare x: int\ndeclare y: int [a]");
    assert_eq!(
        tree("extern __attribute__((visibility(\"x\"))) int f(void), g(void);"),
        "declare f: function() returning extern int [visibility(1)]\ndeclare g: function() returning extern int [visibility(1)]"
    );
    // An argument that is no expression is kept as nothing.
    assert_eq!(tree("int x __attribute__((a(int *, 3 4, (())), b));"), "declare x: int [a(3), b]");
    assert_eq!(tree("[[gnu::unused, deprecated(\"x\")]] int x [[a]];"), "declare x: int [unused, deprecated(1)] [a]");
    assert_eq!(
        tree("typedef int T __attribute__((mode(SI))); T x;").lines().next().unwrap(),
        "typedef T: int [mode(1)]"
    );
}

#[test]
fn initialisers() {
    assert_eq!(tree("int a[] = { 1, 2, };"), "(declare a: array[] of int (list 1 2))");
    assert_eq!(tree("int a[2] = {};"), "(declare a: array[2] of int list)");
    assert_eq!(
        tree("int a[9] = { [3] = 1, [4 ... 6] = 2, [7] 3 };"),
        "(declare a: array[9] of int (list (designated ([index] 3) 1) (designated ([range] 4 6) 2) (designated ([index] 7) 3)))"
    );
    assert_eq!(
        tree("struct S s = { .a = 1, .b[2].c = { 3 }, d: 4 };"),
        "(declare s: struct S (list (designated .a 1) (designated .b ([index] 2) .c (list 3)) (designated .d 4)))"
    );
    assert_eq!(tree("int x = { a ? b : c };"), "(declare x: int (list (?: a b c)))");
    assert_eq!(tree("int x = 1, y = x;"), "(declare x: int 1)\n(declare y: int x)");
}

#[test]
fn assertions_and_asm_at_file_scope() {
    assert_eq!(
        tree("_Static_assert(sizeof(int) == 4, \"int\"); _Static_assert(1);"),
        "(static assert \"int\" (== sizeof type int 4))\n(static assert 1)"
    );
    assert_eq!(tree("asm(\".globl x\"); __asm__ volatile (\"nop\");"), "asm\nasm");
}

#[test]
fn functions() {
    assert_eq!(
        tree("static int f(int a) { return a; }"),
        "(function f: function(a: int) returning static int (block (return a)))"
    );
    assert_eq!(
        tree("int *f(void) __attribute__((x)) { }"),
        "(function f: function() returning pointer to int [x] block)"
    );
    assert_eq!(tree("int (f)(void) { }"), "(function f: function() returning int block)");
}

#[test]
fn shows_places() {
    assert_eq!(
        crate::shown("# 7 \"x.h\"\nint a;\nint f(void)\n{\n  return 1 +\n    2;\n}\n"),
        "declare a: int  <x.h:7>\nfunction f: function() returning int  <x.h:8>\n  block  <x.h:9>\n    \
         return  <x.h:10>\n      +\n        1\n        2  <x.h:11>\n"
    );
}
