//! The type checker, by examples: what it makes of snippets, and what it refuses.

mod accept;
mod layout;
mod show;

use raddle_c::error::{Error, ErrorKind};
use raddle_c::hir::Hir;
use raddle_c::interner::Interner;
use raddle_c::source::SourceMap;
use raddle_c::types::DataModel;
use raddle_c::{parser, sema};
use show::Show;

pub fn check_units(units: &[&str], model: DataModel) -> Result<(Hir, Vec<String>), Error> {
    let mut sources = SourceMap::new();
    let mut interner = Interner::new();
    let mut parsed = Vec::new();
    for (index, text) in units.iter().enumerate() {
        let id = sources.add(&format!("unit{index}.c"), text.as_bytes().to_vec()).expect("small");
        parsed.push(parser::parse(&sources, id, &mut interner)?);
    }
    let (hir, warnings) = sema::check(&parsed, &mut interner, &sources, model)?;
    Ok((hir, warnings.into_iter().map(|w| w.message).collect()))
}

pub fn check(text: &str) -> Result<(Hir, Vec<String>), Error> {
    check_units(&[text], DataModel::Lp64)
}

fn show_function(hir: &Hir, name: &str) -> String {
    let function = hir.functions.iter().find(|f| f.name == name && f.body.is_some()).expect("defined and used");
    Show { hir, function: Some(function) }.stmts(function.body.as_deref().unwrap_or(&[]))
}

/// The body of `f`, which `main` calls.
fn f(text: &str) -> String {
    let text = format!("{text}\nint main(void) {{ f(); return 0; }}");
    match check(&text) {
        Ok((hir, _)) => show_function(&hir, "f"),
        Err(error) => format!("{:?}: {}", error.kind, error.message),
    }
}

/// The initialiser of the global `x`.
fn x(text: &str) -> String {
    match check(text) {
        Ok((hir, _)) => {
            let global = hir.globals.iter().find(|g| g.name == "x").expect("declared");
            let show = Show { hir: &hir, function: None };
            let init = global.init.as_ref().map_or("none".into(), |i| show.init(i));
            format!("{} {init}", show.ty(global.ty))
        }
        Err(error) => format!("{:?}: {}", error.kind, error.message),
    }
}

fn error(text: &str) -> String {
    match check(text) {
        Ok(_) => "accepted".into(),
        Err(Error { kind: ErrorKind::Unsupported, message, .. }) => format!("unsupported: {message}"),
        Err(error) => error.message,
    }
}

#[test]
fn conversions_are_nodes() {
    let text = "char c; unsigned u; long l; float g; int *p; void f(void) { ";
    let body = |stmt: &str| f(&format!("{text}{stmt} }}"));
    assert_eq!(body("c + 1;"), "Add((int)c, 1);");
    assert_eq!(body("u + l;"), "Add((long)u, l);");
    assert_eq!(body("-c < u;"), "Lt((uint)Neg((int)c), u);");
    assert_eq!(body("c = g;"), "c = (char)g;");
    assert_eq!(body("g = 1;"), "g = float#3f800000;");
    assert_eq!(body("l << c;"), "Shl(l, (int)c);");
    assert_eq!(body("c += u;"), "c Add= u in uint;");
    assert_eq!(body("c++;"), "c++ in int;");
    assert_eq!(body("g *= 2;"), "g Mul= float#40000000 in float;");
    assert_eq!(body("g *= 2.0;"), "g Mul= float#4000000000000000 in double;");
    assert_eq!(body("p = 0;"), "p = 0;");
    assert_eq!(body("l = p ? c : u;"), "l = (long)(p ? (uint)(int)c : u);");
    assert_eq!(body("p ?: 0;"), "(p ?: 0);");
}

#[test]
fn pointers_move_by_strides() {
    let text = "int a[3][4], *p; char s[8]; struct { int x[5]; } *q; unsigned u; void f(void) { ";
    let body = |stmt: &str| f(&format!("{text}{stmt} }}"));
    assert_eq!(body("p[u] = 1;"), "*(p + (ulong)u{4}) = 1;");
    assert_eq!(body("a[1][2];"), "*(@*(@a + 1{16}) + 2{4});");
    assert_eq!(body("p - 1;"), "(p - 1{4});");
    assert_eq!(body("p - a[0];"), "(p - @*(@a + 0{16})){4};");
    assert_eq!(body("p += 2; --p;"), "p += 2{4}; --p{4};");
    assert_eq!(body("q->x[3];"), "*(@*q.0 + 3{4});");
    assert_eq!(body("&a[1] == &p;"), "Eq((@a + 1{16}), &p);");
    assert_eq!(body("*s = \"ab\"[1];"), "*@s = *(@\"ab\\0\" + 1{1});");
}

#[test]
fn constants_fold_unless_undefined() {
    let body = |stmt: &str| f(&format!("int i; void f(void) {{ {stmt} }}"));
    assert_eq!(body("i = 2 * 3 + sizeof(int);"), "i = 10;");
    assert_eq!(body("i = 2147483647 + 1;"), "i = Add(2147483647, 1);");
    assert_eq!(body("i = 1 / 0;"), "i = Div(1, 0);");
    assert_eq!(body("i = 1 << 31;"), "i = Shl(1, 31);");
    assert_eq!(body("i = 0 && i;"), "i = 0;");
    assert_eq!(body("i = 1 ? 5 : i;"), "i = 5;");
    assert_eq!(body("i = (long)&((struct { int a, b; } *)0)->b;"), "i = 4;");
    assert_eq!(body("i = __builtin_constant_p(3 + 4) + __builtin_constant_p(i);"), "i = 1;");
    assert_eq!(body("i = __builtin_clz(1) + __builtin_popcountll(~0ull) + __builtin_bswap16(1);"), "i = 351;");
}

#[test]
fn bit_fields_promote_by_width() {
    let text =
        "struct { unsigned a : 5; unsigned b : 32; unsigned long long c : 40; int d : 3; } s; long l; void f(void) { ";
    let body = |stmt: &str| f(&format!("{text}{stmt} }}"));
    assert_eq!(body("s.a - 6;"), "Sub((int)s.0:0:5, 6);");
    assert_eq!(body("s.b - 6;"), "Sub((uint)s.4:0:32, 6);");
    // gcc computes in 40 bits.
    assert_eq!(body("s.c << 3;"), "BitAnd(Shl(s.8:0:40, 3), 1099511627775);");
    assert_eq!(body("(unsigned long long)s.c << 3;"), "Shl((ulonglong)s.8:0:40, 3);");
    assert_eq!(body("s.d += l;"), "s.13:0:3 Add= l in long;");
    assert_eq!(body("s.a++;"), "s.0:0:5++ in int;");
}

#[test]
fn initialisers_are_flat() {
    assert_eq!(x("int x[] = {1, 2, 3};"), "int[3] {0=1, 4=2, 8=3}");
    assert_eq!(x("int x[2][2] = {1, 2, {3}};"), "int[2][2] {0=1, 4=2, 8=3, 0...}");
    assert_eq!(x("int x[5] = {[3] = 1, 2, [0] = 7};"), "int[5] {12=1, 16=2, 0=7, 0...}");
    assert_eq!(x("char x[] = \"ab\";"), "char[3] {0=\"ab\\0\"}");
    assert_eq!(x("char x[2] = {\"ab\"};"), "char[2] {0=\"ab\"}");
    assert_eq!(x("char x[9] = \"ab\";"), "char[9] {0=\"ab\\0\", 0...}");
    assert_eq!(x("int x[] = {[0 ... 2] = 4};"), "int[3] {0=4, 4=4, 8=4}");
    assert_eq!(x("struct { char a; struct { int b, c; } d; } x = {1, .d.c = 3};"), "record0 {0=1, 8=3, 0...}");
    assert_eq!(x("struct { int a : 3, b : 5; } x = {1, 2};"), "record0 {0:0:3=1, 0:3:5=2, 0...}");
    assert_eq!(x("union { char c; int i; } x = {.i = 5};"), "record0 {0=5}");
    assert_eq!(x("union { char c; int i; } x = {5};"), "record0 {0=5, 0...}");
    assert_eq!(x("struct { struct { int a; }; int b; } x = {.b = 2, .a = 1};"), "record0 {4=2, 0=1}");
    assert_eq!(x("int y; int *x = &y + 1;"), "int* {0=(&y + 1{4})}");
    assert_eq!(x("int *x = (int[]){1, 2};"), "int* {0=@(compound literal)}");
    assert_eq!(x("const int n = 3; int x = n + 1;"), "int {0=4}");
    assert_eq!(x("int y; int x = y;"), "Invalid: an initialiser is not constant");
    assert_eq!(x("struct { int a[2]; } x = {.a = {1, 2}, .a = {3}};"), "record0 {0=3, 0...}");
}

#[test]
fn flexible_members_make_objects_larger() {
    let (hir, _) = check("struct s { int n; char c[]; } x = {1, \"abcdef\"}; int n = sizeof x;").expect("valid");
    assert_eq!(hir.types.size(hir.globals[0].ty), Some(11));
    assert_eq!(x("struct s { int n; char c[]; } y; int x = sizeof y;"), "int {0=4}");
}

#[test]
fn local_initialisers_evaluate_in_order() {
    let body = |stmt: &str| f(&format!("struct s {{ int a, b; }}; struct s g(void); void f(void) {{ {stmt} }}"));
    assert_eq!(body("struct s s = g();"), "record0 s = {0=g()};");
    assert_eq!(body("struct s s[2] = {g(), 1};"), "record0[2] s = {0=g(), 8=1, 0...};");
    assert_eq!(body("int x = {5};"), "int x = {0=5};");
    assert_eq!(body("int x[3] = {};"), "int[3] x = {, 0...};");
    assert_eq!(body("g().b;"), "g().4;");
    assert_eq!(body("struct s *p = &(struct s){1};"), "record0* p = {0=&((compound literal) = {0=1, 0...})};");
}

#[test]
fn variable_arrays_have_hidden_lengths() {
    let body = |stmt: &str| f(&format!("int n; void f(void) {{ {stmt} }}"));
    assert_eq!(body("int a[n]; a[1] = sizeof a;"), "length = (ulong)n; int[%0] a; *(@a + 1{4}) = (int)Mul(length, 4);");
    assert_eq!(body("int a[n][3]; a[1][2];"), "length = (ulong)n; int[3][%0] a; *(@*(@a + 1{12}) + 2{4});");
    assert_eq!(
        body("int (*p)[n]; p + 1; sizeof(int[n + 1]);"),
        "length = (ulong)n; int[%0]* p; (p + 1{Mul(length, 4)}); (length = (ulong)Add(n, 1), Mul(length, 4));"
    );
    let param = "void g(int n, int a[n][n]) { a[1][0]; } void f(void) { g(0, 0); }\nint main(void) { f(); }";
    let (hir, _) = check(param).expect("valid");
    assert_eq!(show_function(&hir, "g"), "length = (ulong)n; *(@*(a + 1{Mul(length, 4)}) + 0{4});");
}

#[test]
fn gnu_expressions() {
    let body = |stmt: &str| f(&format!("int i; void f(void) {{ {stmt} }}"));
    assert_eq!(body("i = ({ int y = i; y + 1; });"), "i = ({ int y = {0=i}; Add(y, 1) });");
    assert_eq!(body("({ while (i) ; });"), "({ while (i) ; });");
    assert_eq!(body("__auto_type p = &i; *p = 1;"), "int* p = {0=&i}; *p = 1;");
    assert_eq!(body("typeof(i) j; __typeof__(int[2]) k;"), "int j; int[2] k;");
    assert_eq!(body("i = _Generic(i, long: 1, int: 2, default: 3);"), "i = 2;");
    assert_eq!(body("i = _Generic((const char *)0, char *: 1, const char *: 2);"), "i = 2;");
    assert_eq!(body("i = __builtin_types_compatible_p(int, const int);"), "i = 1;");
    assert_eq!(body("if (__builtin_expect(i, 1)) ;"), "if ((long)i) ;");
    assert_eq!(body("i = __builtin_offsetof(struct { int a; char b[4]; }, b[2]);"), "i = 6;");
    assert_eq!(body("switch (i) { case 1 ... 3: break; default: ; }"), "switch (i) { case 1...3: break; default: ; }");
}

#[test]
fn atomics_are_typed_after_their_object() {
    let body = |stmt: &str| f(&format!("long x; _Atomic int a; int i; int *p; void f(void) {{ {stmt} }}"));
    assert_eq!(body("__sync_fetch_and_add(&x, i);"), "__sync_fetch_and_add(&x, (long)i);");
    assert_eq!(body("i = __atomic_load_n(&x, 5);"), "i = (int)__atomic_load_n(&x, 5);");
    assert_eq!(body("int t; __atomic_load(&a, &t, 0);"), "int t; (void)t = __atomic_load_n(&a, 0);");
    assert_eq!(body("__atomic_store(&a, &i, 0);"), "__atomic_store_n(&a, i, 0);");
    assert_eq!(body("__sync_fetch_and_add_4(&i, 1);"), "__sync_fetch_and_add(&i, 1);");
    assert_eq!(body("__atomic_fetch_add(&p, 4, 0);"), "__atomic_fetch_add(&p, 4, 0);");
    assert_eq!(body("a++; a += 2; i = a;"), "a++ in int; a Add= 2 in int; i = a;");
    // What passes through pointers does not take addresses.
    let (hir, _) =
        check("_Atomic int a; int main(void) { int t; __atomic_load(&a, &t, 5); return t; }").expect("valid");
    let main = &hir.functions[0];
    assert!(!main.locals[0].address_taken);
    assert!(hir.globals[0].address_taken);
}

#[test]
fn addresses_taken() {
    let text =
        "int a, b, c[2]; struct { int m; } s; int main(void) { int l, m; int *p = &l; b = m + c[0]; return *p; }";
    let (hir, _) = check(text).expect("valid");
    let globals: Vec<bool> = hir.globals.iter().map(|g| g.address_taken).collect();
    assert_eq!(globals, [false, false, true, true]);
    let locals: Vec<bool> = hir.functions[0].locals.iter().map(|l| l.address_taken).collect();
    assert_eq!(locals, [true, false, false]);
}

#[test]
fn sloppy_programs_are_taken() {
    let (hir, warnings) =
        check("int main() { g(1, 2.0f); char *p = 5; int i = p; return h(); } void *h() { return; }").expect("valid");
    assert_eq!(
        show_function(&hir, "main"),
        "g(1, float#4000000000000000); char* p = {0=5}; int i = {0=(int)p}; return (int)h(); return 0;"
    );
    assert_eq!(warnings.len(), 5, "{warnings:?}");
    assert_eq!(error("void f(void) { return 1; } int main(void) { f(); }"), "accepted");
    assert_eq!(error("int f(x, y) char x; float y; { return x; } int main(void) { return f(1, 2); }"), "accepted");
    assert_eq!(error("int main(void) { extern int g(); extern int v; return g(v); }"), "accepted");
    assert_eq!(error("extern int g(int); extern int g(long); int main(void) { return g(1); }"), "accepted");
}

#[test]
fn calls_fit_the_definition_in_the_end() {
    let units = ["int main(void) { short s = 3; return add(s, 4); }", "long add(long a, char b) { return a + b; }"];
    let (hir, _) = check_units(&units, DataModel::Lp64).expect("valid");
    assert_eq!(show_function(&hir, "main"), "short s = {0=3}; return (int)add((long)(int)s, 4); return 0;");
}

#[test]
fn units_are_linked() {
    let units = [
        "extern int a[]; static int s = 1; int t; int main(void) { return a[1] + s + t; }",
        "int a[3]; static int s = 2; int t = 4;",
    ];
    let (hir, _) = check_units(&units, DataModel::Lp64).expect("valid");
    let names: Vec<(&str, bool)> = hir.globals.iter().map(|g| (g.name.as_str(), g.defined)).collect();
    assert_eq!(names, [("a", true), ("s", true), ("t", true), ("s", true)]);
    assert_eq!(hir.types.size(hir.globals[0].ty), Some(12));
    let twice = check_units(&["int f(void) { return 1; }", "\nint f(void) { return 2; }"], DataModel::Lp64);
    assert_eq!(twice.expect_err("defined twice").message, "`f` is defined a second time; the first is at unit0.c:1");
}

#[test]
fn static_locals_are_globals() {
    let (hir, _) = check("int main(void) { static int x = 3; { static int x; x++; } return x; }").expect("valid");
    let names: Vec<&str> = hir.globals.iter().map(|g| g.name.as_str()).collect();
    assert_eq!(names, ["main::x", "main::x#2"]);
}

#[test]
fn labels_as_values() {
    assert_eq!(f("void f(void) { void *p = &&a; goto *p; a: return; }"), "void* p = {0=&&L0}; goto *p; L0: return;");
}

#[test]
fn unsupported_counts_only_where_it_is_reached() {
    assert_eq!(f("int x; void f(void) { if (x) asm(\"cli\"); x = 1; }"), "if (x) gap: inline assembly; x = 1;");
    assert_eq!(f("void f(void) { __builtin_frob(); }"), "gap: __builtin_frob;");
    assert_eq!(
        f("int x; void f(void) { int y = x, z = __builtin_frob(); y = z; }"),
        "int y = {0=x}; gap: __builtin_frob; gap: __builtin_frob;"
    );
    // Where a jump may lead into the statement, all of the body is given up.
    assert_eq!(f("void f(void) { goto a; for (; __builtin_frob(); ) a: ; }"), "gap: __builtin_frob;");
    assert_eq!(error("static void g(void) { asm(\"cli\"); } int main(void) { g(); return 0; }"), "accepted");
    assert_eq!(error("_Decimal64 z; double cabs(_Decimal64); int main(void) { return 0; }"), "accepted");
    assert_eq!(f("void f(void) { _Decimal64 z; return; }"), "return;");
    assert_eq!(f("void f(void) { _Decimal64 z; z = 1; }"), "gap: decimal floating type;");
    assert_eq!(
        error("__attribute__((constructor)) void f(int n) {} int main(void) {}"),
        "unsupported: a constructor with parameters"
    );
    let body =
        f("void f(void) { asm volatile(\"\" ::: \"memory\"); __asm__(\"mfence\"); asm(\"sfence\"); asm(\"\"); }");
    assert_eq!(body, "; barrier SeqCst; barrier Release; ;");
}

#[test]
fn errors_where_gcc_has_them() {
    assert_eq!(error("int main(void) { return x; }"), "`x` is not declared");
    assert_eq!(error("int main(void) { goto a; }"), "the label `a` is not defined");
    assert_eq!(error("int main(void) { break; }"), "`break` outside a loop or switch");
    assert_eq!(error("int main(void) { 1 = 2; }"), "this cannot be assigned to");
    assert_eq!(error("struct s; int main(void) { struct s x; }"), "`x` is of the incomplete type `struct s`");
    assert_eq!(error("int f(int); int main(void) { return f(); }"), "too few arguments: 0 for 1");
    assert_eq!(error("struct s { int a; } s; int main(void) { return s.b; }"), "`struct s` has no member `b`");
    assert_eq!(
        error("struct s { int a; } s; int main(void) { return s; }"),
        "incompatible types: `struct s` for `int` in a return"
    );
    assert_eq!(
        error("int main(void) { switch (1) { case 1: case 1: ; } }"),
        "a second case for this value; the first is at unit0.c:1"
    );
    assert_eq!(error("_Static_assert(sizeof(int) == 8, \"no\");"), "static assertion failed: no");
    assert_eq!(error("int a[-1];"), "the length of an array is negative");
    assert_eq!(error("int x; float x(void);"), "`x` is declared a second time as something else");
}
