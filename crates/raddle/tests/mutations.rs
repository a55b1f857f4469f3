//! Programs with random mistakes: whatever the text, nothing may panic.
//!
//! Small programs are changed here and there (bytes and tokens deleted, doubled, swapped, replaced by others), and go through
//! the frontend, the passes, a short simulation and a short exploration. Longer runs: `RADDLE_SEED=7 RADDLE_MUTANTS=100000 cargo test
//! --release --test mutations`.

use raddle_c::driver::{NOT_WELL_SORTED, Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_engine::{Engine, Facts, Form, Por, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_interp::{SimulateConfig, simulate};
use raddle_ir::MemoryModel;
use raddle_ir::Violations;
use raddle_testing::{Random, budget_of, number};
use std::panic::{AssertUnwindSafe, catch_unwind};

const PROGRAMS: [&str; 12] = [
    // Threads, mutexes, atomic blocks.
    r#"typedef unsigned long pthread_t; typedef struct { int kind; } pthread_mutex_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void reach_error(void);
    pthread_mutex_t m; int x, y; _Atomic int z;
    void *f(void *p) { pthread_mutex_lock(&m); x = x + *(int *)p; pthread_mutex_unlock(&m); z += 2; return p; }
    void *g(void *p) { __VERIFIER_atomic_begin(); y = x; x = y + 1; __VERIFIER_atomic_end(); return 0; }
    int main(void) { pthread_t t[2]; int one = 1; void *r; pthread_create(&t[0], 0, f, &one); pthread_create(t + 1, 0, g, 0);
      pthread_join(t[0], &r); pthread_join(t[1], 0); if (x != 2 || r != &one) reach_error(); return z; }"#,
    // Structs, unions, bit-fields, nested initialisers.
    r#"struct point { int x, y; }; union word { unsigned w; unsigned char b[4]; struct { unsigned lo : 12, mid : 7; signed hi : 13; } f; };
    struct line { struct point from, to; char name[8]; union word tag; } l = { { 1, 2 }, .to = { .y = 4 }, "line", { 0x12345678 } };
    static struct point add(struct point a, struct point b) { struct point c = { a.x + b.x, a.y + b.y }; return c; }
    int main(void) { struct line k = l, *p = &k; p->from = add(k.from, (*p).to); p->tag.f.hi--; p->name[3] ^= 'x';
      struct point *q[2] = { &k.from, &l.to }; q[1]->x += sizeof(struct line) + q[0]->y; return k.tag.b[1] + l.to.x; }"#,
    // A linked list on the heap.
    r#"void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *); int __VERIFIER_nondet_int(void);
    typedef struct node { int value; struct node *next; } node;
    static node *push(node *list, int value) { node *n = malloc(sizeof(node)); n->value = value; n->next = list; return n; }
    int main(void) { node *list = 0; int *a = calloc(4, sizeof *a); int sum = 0;
      for (int i = 0; i < 4; i++) list = push(list, a[i] + i * 3);
      while (list) { node *n = list->next; sum += list->value; free(list); list = n; } free(a); return sum - 18; }"#,
    // switch, goto, loops of all kinds.
    r#"enum color { RED, GREEN = 5, BLUE }; int __VERIFIER_nondet_int(void);
    int f(enum color c) { switch (c) { case RED: return 1; case GREEN: { int k = 2; do { k--; } while (k > 0); } case BLUE: break; default: return -1; } return 7; }
    int main(void) { int i = 0, s = 0; again: for (;; ++i) { if (i % 2) continue; if (i > 9) break; s += f(i); }
      while (s < 20) { s += 3; if (s == 11) goto done; } if (i++ < 12) goto again; done: return s > 5 ? s : -s; }"#,
    // Integer arithmetic of all widths.
    r#"unsigned char uc = 200; signed char sc = -100; short sh = -30000; unsigned long ul = 1ul << 63; long long ll = -1; _Bool b; unsigned __int128 w;
    int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);
    int main(void) { int n = __VERIFIER_nondet_int() & 7; unsigned u = __VERIFIER_nondet_uint() % 5u; uc += sc * 3; sh <<= 2; ul >>= n; ll = ll / (n + 1) % 7;
      b = uc & 0x55; w = (unsigned __int128)ul * ul + ~u; u ^= (uc << 3) | -sc; return (int)(w >> 64) + (n == 3 ? b : !b) + (u, sh); }"#,
    // Floating point.
    r#"double sqrt(double); double fabs(double); float h = 0x1.8p3f; long double e = 1e-5L;
    static double mean(const double *v, int n) { double s = 0; for (int i = 0; i < n; i++) s += v[i]; return n ? s / n : 0.0 / 0.0; }
    int main(void) { double v[] = { 1.5, -2.25e3, .5f, 3 }; float f = mean(v, 4); unsigned u = f < 0 ? -f : f; e *= h; h = (float)u - 1e30f * h;
      return mean(v, 0) != mean(v, 0) && fabs(v[1]) > sqrt(v[0]) && e < 1.L; }"#,
    // Function pointers, recursion, variable arguments.
    r#"typedef int (*op)(int, int); typedef __builtin_va_list va_list;
    static int add(int a, int b) { return a + b; } static int mul(int a, int b) { return b ? a + mul(a, b - 1) : 0; }
    static int sum(int n, ...) { va_list l; __builtin_va_start(l, n); int s = 0; while (n--) s += __builtin_va_arg(l, int); __builtin_va_end(l); return s; }
    op table[2] = { add, &mul }; int apply(op f, int a, int b) { return f ? f(a, b) : (*table[a & 1])(b, a); }
    int main(int argc, char **argv) { return apply(table[1], 3, 4) + apply(0, 1, 5) + sum(3, 1, 2, 3); }"#,
    // Arrays, strings, pointer arithmetic, variable lengths.
    r#"int printf(const char *, ...); unsigned long strlen(const char *); void *memcpy(void *, const void *, unsigned long);
    char text[] = "hello\tworld\n\x41\101"; const char *names[] = { "a", "bc", [3] = "def" }; int grid[3][4] = { { 1 }, { 2, 3 }, [2][3] = 9 };
    int main(void) { int n = strlen(text) % 7 + 1; int v[n][2]; for (int i = 0; i < n; i++) v[i][i % 2] = i[grid[0]]; char *p = text + 3, *q = &text[9];
      memcpy(p, q, 2); printf("%s %d %ld %c %5.2f|%x\n", names[1], *(*(grid + 1) + 1), q - p, *p++, 1.5, sizeof v); return v[0][0] + p[-1]; }"#,
    // Assertions, assumptions, errors.
    r#"extern void abort(void); void reach_error(void); void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
    void __VERIFIER_assume(int); _Bool __VERIFIER_nondet_bool(void); unsigned char __VERIFIER_nondet_uchar(void); void exit(int);
    void assert_that(int c) { if (!c) { ERROR: { reach_error(); abort(); } } }
    int main(void) { unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(); __VERIFIER_assume(a > 3 && b < 2); _Bool c = __VERIFIER_nondet_bool();
      if (c) exit(b); assert_that(a > b); (c || a) ? (void)0 : __assert_fail("c", "f.c", 3, "main"); return 0; }"#,
    // Atomics and condition variables.
    r#"typedef unsigned long pthread_t; typedef struct { int a; } pthread_mutex_t, pthread_cond_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); int pthread_cond_signal(pthread_cond_t *); int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
    int ready; pthread_mutex_t m = { 0 }; pthread_cond_t c; long total; _Thread_local int mine = 3;
    void *producer(void *p) { for (int i = 0; i < 2; i++) __sync_fetch_and_add(&total, 1); __atomic_store_n(&ready, 1, 3); pthread_cond_signal(&c); mine--; return 0; }
    int main(void) { pthread_t t; long old = 2; pthread_create(&t, 0, producer, 0); pthread_mutex_lock(&m); while (!__atomic_load_n(&ready, 2)) pthread_cond_wait(&c, &m);
      pthread_mutex_unlock(&m); __atomic_compare_exchange_n(&total, &old, 7, 0, 5, 5); __sync_synchronize(); return total != 7 || mine != 3; }"#,
    // Extensions of GNU C and C11.
    r#"typedef __typeof__(sizeof(int)) size; _Static_assert(sizeof(size) >= 4, "size"); struct flex { int n; char data[]; } __attribute__((packed, aligned(2)));
    static inline __attribute__((always_inline)) int max(int a, int b) { return ({ int _a = a, _b = b; _a > _b ? _a : _b; }); }
    _Noreturn void stop(void); int main(void) { __extension__ int x = _Generic(1u, int: 1, unsigned: 2, default: 3) ?: 4; switch (x) { case 1 ... 5: x <<= 1; }
      int y = __builtin_expect(max(x, 3), 1) + _Alignof(long) + __builtin_popcount(x) + (int){ 4 } + (struct { int a; }){ 5 }.a; __auto_type z = y;
      return __builtin_constant_p(3) + z + (__builtin_types_compatible_p(int, long) ? 1 : 0); }"#,
    // Old style, shadowing, scopes, typedef names.
    r#"typedef int T; extern T g; T g = 3; old(a, p) int a; char *p; { static int calls; calls++; return a + (p ? *p : calls); }
    int f(T T) { { typedef char U; U g = T; T = g; } return T; } struct S; struct S *opaque; struct S { int S; } S = { 1 };
    int main() { int main = 1; { int g = 2; { extern int g; main += g; } main += g; } for (int main = 0; main < 3; main++) g += f(main);
      return old(main, "x") + S.S + (T)2.5 + g; }"#,
];

/// What is put in where something is replaced.
const WORDS: [&str; 96] = [
    "int",
    "char",
    "void",
    "unsigned",
    "long",
    "double",
    "float",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "_Atomic",
    "_Bool",
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
    "sizeof",
    "x",
    "main",
    "f",
    "p",
    "a",
    "i",
    "0",
    "1",
    "-1",
    "2147483647",
    "0x80000000",
    "18446744073709551615u",
    "1e308",
    "0.0",
    "1.5f",
    "'a'",
    "\"s\"",
    "L\"w\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "?",
    "=",
    "==",
    "!=",
    "<",
    ">",
    "<=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "~",
    "!",
    "&&",
    "||",
    "<<",
    ">>",
    "++",
    "--",
    "+=",
    "->",
    ".",
    "...",
    "#",
    "\\",
    "\n",
    "__int128",
    "_Thread_local",
    "__attribute__((packed))",
    "_Alignas(16)",
    "inline",
    "__label__",
    "&&x",
    "({",
    "})",
];

/// Words, numbers, strings, and single other bytes (with blanks before them).
fn tokens(text: &str) -> Vec<Vec<u8>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        at += bytes[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let word = bytes[at..].iter().take_while(|b| is_word(b)).count();
        let quoted = match bytes.get(at) {
            Some(q @ (b'"' | b'\'')) => bytes[at + 1..].iter().position(|b| b == q).map_or(0, |n| n + 2),
            _ => 0,
        };
        at = (at + word.max(quoted).max(1)).min(bytes.len());
        tokens.push(bytes[start..at].to_vec());
    }
    tokens
}

/// What could stand in the place of a token without a syntax error: one of the same kind.
fn kind(token: &[u8]) -> u8 {
    match token.trim_ascii().first() {
        Some(b'0'..=b'9') => b'0',
        Some(b'_' | b'a'..=b'z' | b'A'..=b'Z') => b'a',
        Some(b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>') => b'+',
        Some(other) => *other,
        None => b' ',
    }
}

fn mutant(random: &mut Random) -> Vec<u8> {
    let program = PROGRAMS[random.index(PROGRAMS.len())];
    let other = PROGRAMS[random.index(PROGRAMS.len())];
    let (mut list, spare) = (tokens(program), tokens(other));
    for _ in 0..1 + random.index(3) {
        let at = random.index(list.len());
        let near = (at + random.index(12)).min(list.len().saturating_sub(1));
        match random.index(24) {
            _ if list.is_empty() => {}
            9.. => {
                let from = if random.index(4) == 0 { &spare } else { &list };
                let same: Vec<_> = from.iter().filter(|t| kind(t) == kind(&list[at])).collect();
                list[at] = same.get(random.index(same.len())).map_or(Vec::new(), |t| t.to_vec());
            }
            0 => drop(list.remove(at)),
            1 => drop(list.drain(at..=near)),
            2 => list.insert(at, list[at].clone()),
            3 => {
                let part = list[at..=near].to_vec();
                list.splice(at..at, part);
            }
            4 => {
                let with = random.index(list.len());
                list.swap(at, with);
            }
            5 => list[at] = list[random.index(list.len())].clone(),
            6 => list[at] = spare[random.index(spare.len())].clone(),
            7 => {
                let from = random.index(spare.len());
                let to = (from + random.index(20)).min(spare.len());
                list.splice(at..at, spare[from..to].to_vec());
            }
            8 => list[at] = format!(" {}", WORDS[random.index(WORDS.len())]).into(),
        }
    }
    let mut text = list.concat();
    if random.index(10) == 0 {
        for _ in 0..1 + random.index(3) {
            let at = random.index(text.len());
            match random.index(4) {
                _ if text.is_empty() => {}
                0 => drop(text.remove(at)),
                1 => text[at] = random.below(256) as u8,
                2 => text[at] ^= 1 << random.index(8),
                _ => text.truncate(at),
            }
        }
    }
    text
}

/// All stages, if a text is a program; otherwise what is wrong with it.
fn run(text: &[u8], seed: u64) -> Result<(), String> {
    let options = Options {
        model: if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 },
        cpp: CppOptions::default(),
        lower: LowerOptions { counts: Violations::ERRORS, concrete_arguments: seed.is_multiple_of(3) },
    };
    let program = match load_text("mutant.c", text.to_vec(), &options) {
        Ok(loaded) => loaded.program,
        Err(failure) => {
            assert!(!failure.message.starts_with(NOT_WELL_SORTED), "{}", failure.message);
            return Err(failure.message);
        }
    };
    let task = Task::new(program, MemoryModel::Sc);
    let program = task.prepared(Form::Simplified).expect("nothing is copied");
    assert_eq!(raddle_ir::validate(&program), Ok(()), "after the passes");
    let config = SimulateConfig { seed, steps: Some(3000), ..SimulateConfig::default() };
    simulate(&program, &config, &mut std::io::sink(), &|| None);
    let por = if seed.is_multiple_of(5) { Por::None } else { Por::Persistent };
    let explore = Explore(ExploreConfig { por, max_choices: 4, memory_limit: 50_000_000, ..ExploreConfig::default() });
    let outcome = explore.run(&task, &Facts::default(), &budget_of(0), &Silent).outcome;
    assert_ne!(outcome.name(), "unconfirmed", "{outcome:?}");
    Ok(())
}

#[test]
fn the_programs_are_fine_without_mistakes() {
    for (index, program) in PROGRAMS.iter().enumerate() {
        for seed in 0..30 {
            assert_eq!(run(program.as_bytes(), seed), Ok(()), "program {index}");
        }
    }
}

/// Functions that Raddle knows by name, declared in ways that they are not meant to be.
#[test]
fn odd_prototypes() {
    let names = "abort abs assert atomic_flag_clear atomic_flag_test_and_set calloc exit fabs free main malloc memcpy memset mtx_lock printf
        pthread_barrier_wait pthread_cond_wait pthread_create pthread_equal pthread_exit pthread_getspecific pthread_join pthread_key_create
        pthread_mutex_init pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_trylock pthread_once pthread_rwlock_rdlock pthread_self
        pthread_spin_lock putchar puts reach_error realloc sem_post sem_wait sqrt strcpy strlen thrd_create thrd_current thrd_join
        __VERIFIER_assume __VERIFIER_atomic_begin __VERIFIER_nondet_bool __VERIFIER_nondet_int __assert_fail __atomic_load_n
        __sync_fetch_and_add __builtin_memcpy __builtin_va_start";
    let prototypes = [
        ("int", "void", ""),
        ("int", "", "1, 2, 3, 4"),
        ("float", "float", "1.5f"),
        ("struct s", "struct s", "s"),
        ("char", "char", "'a'"),
        ("long", "struct s, int, char *", "s, 1, 0"),
        ("void *", "float, float, float, float", "1, 2, 3, 4"),
        ("int", "const char *, ...", "\"%d %s\", 1.5, s"),
        ("_Bool", "_Bool, __int128, char, short", "1, 2, 3, 4"),
        ("int", "void (*)(void), void (*)(void), void (*)(void), void (*)(void)", "f, f, f, f"),
        ("struct s", "int *, int", "&i, 1"),
        ("unsigned long", "unsigned long, unsigned long, unsigned long, unsigned long", "1, 1, 1, 1"),
    ];
    // Each function has some of them; its neighbours in the list have the others.
    for (turn, name) in names.split_whitespace().enumerate() {
        for (number, (result, params, args)) in prototypes.into_iter().enumerate().skip(turn % 6).step_by(6) {
            let declarations = "struct s { int a[3]; } s; int i; void f(void) {}";
            for statement in [format!("{name}({args});"), format!("__typeof__({name}({args})) v = {name}({args});")] {
                let text =
                    format!("{declarations} {result} {name}({params});\nint main(void) {{ {statement} return 0; }}\n");
                // Errors are fine.
                let _ = run(text.as_bytes(), number as u64);
            }
            // As the function of a thread, and called through a pointer.
            let create = "int pthread_create(unsigned long *, void *, void *, void *);";
            let body = format!(
                "unsigned long t; pthread_create(&t, 0, {name}, 0); __typeof__({name}) *p = {name}; p({args});"
            );
            let text =
                format!("{declarations} {create} {result} {name}({params});\nint main(void) {{ {body} return 0; }}\n");
            let _ = run(text.as_bytes(), number as u64);
        }
    }
}

#[test]
fn nothing_panics() {
    let seed = number("RADDLE_SEED", 1);
    let count = number("RADDLE_MUTANTS", 700);
    let keep = std::env::var_os("RADDLE_KEEP");
    let (mut failed, mut ran) = (0, 0);
    for number in 0..count {
        let seed = seed.wrapping_mul(1_000_000_007).wrapping_add(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let text = mutant(&mut Random::new(seed));
        if let Some(path) = &keep {
            // For when it does not come to an end.
            std::fs::write(path, &text).expect("the file can be written");
        }
        match catch_unwind(AssertUnwindSafe(|| run(&text, number))) {
            Ok(Ok(())) => ran += 1,
            Ok(Err(message)) => assert!(!message.is_empty()),
            Err(_) => {
                failed += 1;
                eprintln!("mutant {number} (seed {seed}):\n{}\n", String::from_utf8_lossy(&text));
            }
        }
    }
    assert_eq!(failed, 0, "of {count} mutants, {ran} of which are programs");
    assert!(ran > 0);
}
