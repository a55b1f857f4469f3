//! Programs that gcc accepts and whose static assertions are facts about its types: the checker must find them true as well.

use super::check_units;
use raddle_c::types::DataModel;

/// Each line is a fact: `expression is type`, or a constant that is not zero.
fn facts(model: DataModel, lines: &str) {
    let mut text = String::from(
        "struct bits { int a : 3; unsigned b : 7; unsigned c : 32; long long d : 20; unsigned long long e : 32; _Bool g : 1; };
         struct bits s; const struct bits cs; enum neg { N = -5 } en; enum pos { P = 3 } ep; enum big { B1, B2 = 0x123456789LL } eb;
         char c; signed char sc; unsigned char uc; short h; unsigned short uh; int i; unsigned u; long l; unsigned long ul;
         long long ll; unsigned long long ull; _Bool b; float fl; double d; long double ld; char *pc; const char *pcc; int *pi;
         void *pv; const void *pcv; int arr[5]; int md[3][4]; int fn(int); _Atomic int at; volatile int vi;\n",
    );
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        match line.split_once(" is ") {
            Some((e, ty)) => {
                text += &format!(
                    "_Static_assert(_Generic(({e}), {ty}: 1, default: 0), \"{}\");\n",
                    e.replace(['"', '\\'], "'")
                )
            }
            None => text += &format!("_Static_assert({line}, \"{}\");\n", line.replace(['"', '\\'], "'")),
        }
    }
    if let Err(error) = check_units(&[&text], model) {
        panic!("{}", error.message);
    }
}

#[test]
fn types_of_expressions() {
    let both = "
        c + c is int
        uh * uh is int
        s.b - 8 is int
        s.c - 8 is unsigned int
        s.e + 1 is unsigned int
        s.d + 1 is int
        s.g + s.g is int
        cs.a is int
        'a' is int
        u'a' is unsigned short
        1.0f + 1 is float
        fl + d is double
        ld * i is long double
        ll + u is long long
        ull - ll is unsigned long long
        !d is int
        c ? c : c is int
        i ? pc : pcc is const char *
        i ? pi : 0 is int *
        i ? pi : pv is void *
        i ? pcc : pv is const void *
        &arr is int (*)[5]
        arr is int *
        md is int (*)[4]
        *md is int *
        &fn is int (*)(int)
        fn is int (*)(int)
        \"ab\" is char *
        at is int
        at++ is int
        vi is int
        (const int)i is int
        N is int
        en is int
        ep is unsigned int
        B1 is int
        (c = 5) is char
        c++ is char
        (c, uh) is unsigned short
        0x7fffffff is int
        0x80000000 is unsigned int
        sizeof(\"abc\") == 4
        sizeof(c ? c : c) == 4
        sizeof(c++, c) == 1
        _Alignof(short) == 2
        -1 > 0u
        (signed char)200 == -56
        (_Bool)0.5 == 1
        3 / 2 * 2.0 == 2.0
        1.0 / 3 != 1.0f / 3
        sizeof(struct { int n; char c[]; }) == 4
        __builtin_offsetof(struct { char a; struct { short b[3]; } x; }, x.b[2]) == 6
        __builtin_types_compatible_p(int[], int[5])
        !__builtin_types_compatible_p(char *, const char *)
        !__builtin_types_compatible_p(int, long)
        __builtin_types_compatible_p(typeof(fn), int(int))
        __builtin_choose_expr(1, 5, (void)0) == 5
    ";
    facts(DataModel::Lp64, both);
    facts(DataModel::Ilp32, both);
    facts(
        DataModel::Lp64,
        "
        l + u is long
        2147483648 is long
        0xffffffffffffffff is unsigned long
        B2 is unsigned long
        pi - pi is long
        sizeof(int) is unsigned long
        L'a' is int
        sizeof(long double) == 16
        sizeof(__int128) == 16
        ",
    );
    facts(
        DataModel::Ilp32,
        "
        l + u is unsigned long
        2147483648 is long long
        0xffffffffffffffff is unsigned long long
        B2 is unsigned long long
        pi - pi is int
        sizeof(int) is unsigned int
        L'a' is long
        sizeof(long double) == 12
        sizeof(struct { char c; long long l; }) == 12
        _Alignof(double) == 4
        ",
    );
}

#[test]
fn deep_trees_are_no_problem() {
    let deep = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(1000), close.repeat(1000));
    let expression = format!("int main(void) {{ int x = 1; return {}; }}", deep("(x + ", "1", ")"));
    let blocks = format!("int main(void) {}", deep("{ if (1) ", ";", "}").replacen("{ if (1) ", "{", 1));
    let sum = format!("int main(void) {{ int x = 1; return {}x; }}", "x + ".repeat(10_000));
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(move || {
        for text in [expression, blocks, sum] {
            check_units(&[&text], DataModel::Lp64).map(|_| ()).expect("valid");
        }
    });
    thread.expect("a thread").join().expect("no overflow");
}
