//! Random small concurrent C programs: `program(seed)` is always the same text.
//!
//! A program has a few shared variables of various kinds, two to four threads that do a few things with them, and conditions under which the
//! error is reached; about half of the programs reach it. They are small enough to be explored in full, need no preprocessor, and mean
//! something with either data model. Each program uses only some of the features, so that each of them is met in simple surroundings as well.

pub mod arrays;
pub mod instances;
pub mod litmus;
pub mod recursion;
pub mod sequential;
pub mod stalls;
pub mod stray;
pub mod waits;

use crate::Random;
use std::fmt::Write;

const DECLARATIONS: &str = "\
typedef unsigned long pthread_t;
typedef struct { int kind; } pthread_mutex_t;
typedef struct { int kind; } pthread_mutexattr_t;
typedef struct { int a; } pthread_cond_t;
typedef struct { unsigned state[4]; } pthread_barrier_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_mutexattr_init(pthread_mutexattr_t *);
extern int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_signal(pthread_cond_t *);
extern int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
extern int pthread_barrier_wait(pthread_barrier_t *);
extern void pthread_exit(void *);
typedef struct { unsigned state[4]; } pthread_rwlock_t;
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_trywrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
typedef struct { unsigned state[4]; } sem_t;
extern int sem_init(sem_t *, int, unsigned);
extern int sem_wait(sem_t *);
extern int sem_trywait(sem_t *);
extern int sem_post(sem_t *);
extern void *memcpy(void *, const void *, __typeof__(sizeof(int)));
extern void *malloc(__typeof__(sizeof(int)));
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
extern void exit(int);
extern void abort(void);
";

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Context {
    thread: usize,
    depth: usize,
    /// In an atomic block: nothing that blocks, and no way out.
    atomic: bool,
    /// A mutex is held: no other one is taken.
    locked: bool,
}

struct Generator {
    dice: Random,
    out: String,
    /// What can be read and written like an int, and whose address is an `int *` (or `_Atomic int *`).
    shared: Vec<String>,
    ints: Vec<String>,
    atomics: Vec<String>,
    mutexes: usize,
    recursive: bool,
    array: Option<usize>,
    pointer: bool,
    heap: bool,
    own: bool,
    condition: bool,
    barrier: bool,
    atomic_function: bool,
    rwlock: bool,
    semaphore: bool,
    /// A large array with computed indices.
    large: bool,
    /// Two structs that are copied as a whole.
    copies: bool,
    /// A pointer to one of two functions.
    functions: bool,
    recursion: bool,
    /// The results of threads matter.
    results: bool,
    /// The handle of the nested thread is known to all.
    handle: bool,
    /// Paths, threads and the program may end anywhere, also in atomic blocks, under locks and in functions.
    ends: bool,
    labels: usize,
    /// What is left of the number of shared accesses that the whole program may make.
    budget: usize,
    threads: usize,
    /// The functions of threads that are used.
    running: Vec<usize>,
    indent: usize,
    /// Threads may ask for inputs this many times.
    inputs: usize,
}

/// The program with this number.
pub fn program(seed: u64) -> String {
    let mut dice = Random::new(seed + 1);
    let threads = [2, 2, 2, 3, 3, 4][dice.index(6)];
    let mut g = Generator {
        out: DECLARATIONS.into(),
        shared: vec![],
        ints: vec![],
        atomics: vec![],
        mutexes: [0, 1, 1, 2][dice.index(4)],
        recursive: dice.chance(10),
        array: dice.chance(25).then(|| 2 + dice.index(3)),
        pointer: dice.chance(20),
        heap: dice.chance(12),
        own: dice.chance(10),
        condition: dice.chance(8),
        barrier: dice.chance(8),
        atomic_function: dice.chance(15),
        rwlock: dice.chance(10),
        semaphore: dice.chance(10),
        large: dice.chance(10),
        copies: dice.chance(8),
        functions: dice.chance(8),
        recursion: dice.chance(8),
        results: dice.chance(12),
        handle: dice.chance(50),
        ends: dice.chance(25),
        labels: 0,
        budget: [0, 0, 17, 13, 10][threads],
        threads,
        running: vec![],
        indent: 0,
        inputs: dice.index(3),
        dice,
    };
    g.globals();
    let nested = g.dice.chance(12);
    // One function for all threads, started in a loop, or one for each.
    let loops = g.dice.chance(20);
    for thread in (0..threads).rev() {
        if !loops || thread == 0 || (nested && thread + 1 == threads) {
            g.running.push(thread);
        }
    }
    for thread in g.running.clone() {
        g.thread(thread, nested && thread == 0);
    }
    g.main(loops, nested);
    g.out
}

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = 2 * self.indent);
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn globals(&mut self) {
        for i in 0..1 + self.dice.index(3) {
            let ty = ["int", "int", "int", "int", "unsigned", "char", "long", "short"][self.dice.index(8)];
            let init = if self.dice.chance(20) { format!(" = {}", 1 + self.dice.index(2)) } else { String::new() };
            let name = ["x", "y", "z"][i].to_string();
            self.line(&format!("{ty} {name}{init};"));
            if ty == "int" {
                self.ints.push(name.clone());
            }
            self.shared.push(name);
        }
        if self.dice.chance(15) {
            self.line("struct pair { char tag; int value; } s;");
            self.shared.extend(["s.tag".into(), "s.value".into()]);
            self.ints.push("s.value".into());
        }
        if let Some(n) = self.array {
            let ty = ["int", "int", "char"][self.dice.index(3)];
            self.line(&format!("{ty} a[{n}];"));
            self.shared.extend(["a[0]".into(), "a[1]".into()]);
        }
        if self.dice.chance(40) {
            self.line("_Atomic int c;");
            self.atomics.push("c".into());
            self.shared.push("c".into());
        }
        if self.dice.chance(8) {
            self.line("union { int whole; char part[4]; short half[2]; } w;");
            self.shared.extend(["w.whole".into(), "w.part[0]".into(), "w.part[1]".into(), "w.half[0]".into()]);
        }
        if self.large {
            self.line("int big[28] = {0, 1};\nunsigned key;");
            self.shared.extend(["big[0]".into(), "big[2]".into()]);
        }
        if self.copies {
            self.line("struct both { char first; int second; } v0, v1 = {1, 2};");
            self.shared.extend(["v0.first".into(), "v1.second".into()]);
        }
        if self.handle {
            self.line("pthread_t handle;");
        }
        if self.pointer {
            if self.ints.len() < 2 {
                self.line("int u, v;");
                self.ints.extend(["u".into(), "v".into()]);
                self.shared.extend(["u".into(), "v".into()]);
            }
            let to = self.dice.one(&self.ints).to_string();
            self.line(&format!("int *p = &{to};"));
            self.shared.push("(*p)".into());
        }
        if self.heap {
            self.line("struct node { int value; struct node *next; };");
            self.line("struct node *h;");
        }
        if self.own {
            self.line("static _Thread_local int own;");
        }
        if self.ends {
            self.line("int *nowhere;");
        }
        for i in 0..self.mutexes {
            self.line(&format!("pthread_mutex_t m{i};"));
        }
        if self.condition {
            self.line("pthread_mutex_t mc;\npthread_cond_t cv;\nint ready;");
        }
        if self.barrier {
            self.line("pthread_barrier_t bar;");
        }
        if self.rwlock {
            self.line("pthread_rwlock_t rw;");
        }
        if self.semaphore {
            self.line("sem_t sem;");
        }
        // What the threads saw, for conditions about it at the end.
        let seen: Vec<String> = (0..self.threads).map(|i| format!("r{i}")).collect();
        self.line(&format!("int {};", seen.join(", ")));
        if self.atomic_function {
            let (a, b) = (self.scalar(), self.scalar());
            self.open("static int __VERIFIER_atomic_step(int k)");
            self.line(&format!("int old = {a};"));
            match self.dice.index(3) {
                0 => self.line(&format!("if (old == k) {a} = old + 1;")),
                1 => self.line(&format!("{b} = old + k;")),
                _ => self.line(&format!("__VERIFIER_assume({b} >= 0);\n  {a} = {b} + k;")),
            }
            if self.ends {
                let end = self.end();
                self.line(&format!("if (old == k) {end}"));
            }
            self.line("return old;");
            self.close();
        }
        if self.functions {
            for i in 0..2 {
                let (to, value) = (self.scalar(), self.number());
                let end = if self.ends { format!("if (k == {i}) {} ", self.end()) } else { String::new() };
                self.line(&format!("static int act{i}(int k) {{ {to} = {value}; {end}return k + {i}; }}"));
            }
            self.line("int (*act)(int) = act0;");
        }
        if self.recursion {
            let (a, b, c) = (self.scalar(), self.scalar(), self.constant());
            self.open("static int deep(int n)");
            self.line(&format!("if (n <= 0 || {a} == {c}) return n;"));
            self.line(&format!("{b} = n;"));
            self.line("return deep(n - 1) + 1;");
            self.close();
        }
    }

    /// A shared variable that is not reached through a pointer.
    fn scalar(&mut self) -> String {
        let plain: Vec<String> = self.shared.iter().filter(|s| !s.starts_with("(*")).cloned().collect();
        self.dice.one(&plain).to_string()
    }

    /// Something shared to read or to assign to.
    fn place(&mut self) -> String {
        self.budget = self.budget.saturating_sub(1);
        if let Some(n) = self.array
            && self.dice.chance(15)
        {
            let local = ["a0", "b0"][self.dice.index(2)];
            return match n {
                2 | 4 => format!("a[{local} & {}]", n - 1),
                _ => format!("a[(unsigned){local} % {n}u]"),
            };
        }
        if self.large && self.dice.chance(25) {
            let local = ["a0", "b0"][self.dice.index(2)];
            return match self.dice.index(4) {
                0 => format!("big[(unsigned){local} % 28u]"),
                1 => "big[27 - key]".into(),
                _ => "big[key]".into(),
            };
        }
        if self.heap && self.dice.chance(12) {
            return "h->value".into();
        }
        self.dice.one(&self.shared).to_string()
    }

    fn constant(&mut self) -> String {
        ["0", "1", "1", "2", "3"][self.dice.index(5)].into()
    }

    /// Not zero: something to write or to add.
    fn number(&mut self) -> String {
        ["1", "1", "2", "3"][self.dice.index(4)].into()
    }

    fn local(&mut self) -> String {
        if self.own && self.dice.chance(20) {
            return "own".into();
        }
        ["a0", "b0"][self.dice.index(2)].into()
    }

    /// A value; `shared`: it may read shared variables.
    fn value(&mut self, shared: bool) -> String {
        match self.dice.index(10) {
            0..3 => self.constant(),
            3..5 => self.local(),
            5 => format!("{} + {}", self.local(), self.constant()),
            6 => format!("{} - {}", self.constant(), self.local()),
            7 if shared => format!("{} + {}", self.place(), self.constant()),
            8 if shared => {
                let op = ["+", "-", "*", "^", "|"][self.dice.index(5)];
                format!("{} {op} {}", self.place(), self.local())
            }
            _ if shared => self.place(),
            _ => self.local(),
        }
    }

    fn condition(&mut self, shared: bool) -> String {
        let left = if shared && self.dice.chance(60) { self.place() } else { self.local() };
        let op = ["==", "==", "!=", "<", ">="][self.dice.index(5)];
        let first = format!("{left} {op} {}", self.constant());
        match self.dice.index(12) {
            0 if shared => format!("{first} && {} == {}", self.place(), self.constant()),
            1 if shared => format!("{first} || {} == {}", self.place(), self.constant()),
            _ => first,
        }
    }

    fn block(&mut self, context: Context, most: usize) {
        for _ in 0..1 + self.dice.index(most) {
            self.statement(Context { depth: context.depth + 1, ..context });
        }
    }

    /// The end of the program, of the thread, or of its path.
    fn end(&mut self) -> String {
        let ends = ["exit(0);", "abort();", "pthread_exit(0);", "__VERIFIER_assume(0);", "*nowhere = 1;"];
        match self.dice.index(ends.len() + 2) {
            which if which < ends.len() => ends[which].into(),
            which if which == ends.len() && self.mutexes > 0 => "pthread_mutex_lock(&m0);".into(),
            _ => format!("{} = 4 / {};", self.scalar(), self.scalar()),
        }
    }

    fn statement(&mut self, at: Context) {
        let deep = at.depth >= 3 || self.budget < 2;
        if self.ends && self.dice.chance(if at.atomic || at.locked { 20 } else { 8 }) {
            let (cond, end) = (self.condition(true), self.end());
            let cond = if self.dice.chance(70) { format!("if ({cond}) ") } else { String::new() };
            return self.line(&format!("{cond}{end}"));
        }
        match self.dice.index(116) {
            0..15 => {
                let (to, value) = (self.place(), if self.dice.chance(60) { self.number() } else { self.value(false) });
                self.line(&format!("{to} = {value};"));
            }
            15..33 => {
                let (to, from) = (self.local(), self.place());
                self.line(&format!("{to} = {from};"));
            }
            33..39 => {
                let to = self.place();
                self.budget = self.budget.saturating_sub(1);
                let how = ["++", "--", " += 2", " ^= 1"][self.dice.index(4)];
                self.line(&format!("{to}{how};"));
            }
            39..43 => {
                let (to, value) = (self.place(), self.value(true));
                self.line(&format!("{to} = {value};"));
            }
            43..52 if !at.atomic && !at.locked && !deep && self.mutexes > 0 => self.critical(at),
            52..60 if !at.atomic && !deep => {
                self.line("__VERIFIER_atomic_begin();");
                self.indent += 1;
                if self.dice.chance(20) {
                    let cond = self.condition(true);
                    self.line(&format!("__VERIFIER_assume({cond});"));
                }
                self.block(Context { atomic: true, ..at }, 3);
                self.indent -= 1;
                self.line("__VERIFIER_atomic_end();");
            }
            60..68 => self.atomic_operation(),
            68..77 if !deep => {
                let cond = self.condition(true);
                self.open(&format!("if ({cond})"));
                self.block(at, 2);
                if self.dice.chance(40) {
                    self.indent -= 1;
                    self.open("} else");
                    self.block(at, 2);
                }
                self.close();
            }
            77..80 if at.depth < 2 && !deep => {
                let name = ["i", "j", "k"][at.depth];
                let also = if self.dice.chance(40) { format!(" && ({})", self.condition(true)) } else { String::new() };
                self.open(&format!("for (int {name} = 0; {name} < 2{also}; {name}++)"));
                // A loop costs its body once more.
                let before = self.budget;
                self.block(at, 2);
                self.budget = self.budget.saturating_sub(before - self.budget);
                self.close();
            }
            80 if !at.atomic && !at.locked && self.dice.chance(70) => {
                let (place, constant) = (self.place(), self.constant());
                self.line(&format!("while ({place} == {constant}) ;"));
            }
            81..84 => {
                let cond = self.condition(true);
                self.line(&format!("__VERIFIER_assume({cond});"));
            }
            84..87 if self.inputs > 0 && !at.atomic => self.input(),
            87..89 if self.pointer => {
                let to = self.dice.one(&self.ints).to_string();
                self.budget = self.budget.saturating_sub(1);
                self.line(&format!("p = &{to};"));
            }
            89..91 if self.heap => self.heap_operation(),
            91 if self.own => self.line("own++;"),
            92..94 if self.atomic_function && !at.atomic => {
                let (to, with) = (self.local(), self.constant());
                self.budget = self.budget.saturating_sub(2);
                self.line(&format!("{to} = __VERIFIER_atomic_step({with});"));
            }
            94 if !at.atomic && !at.locked && at.depth == 1 && at.thread < self.threads => {
                let cond = self.condition(false);
                self.line(&format!("if ({cond}) return 0;"));
            }
            95 => {
                let cond = self.condition(true);
                let (yes, no) = (self.constant(), self.value(true));
                let to = self.local();
                self.line(&format!("{to} = {cond} ? {yes} : {no};"));
            }
            96..98 if at.depth == 1 => self.error(true),
            98..102 if !at.atomic && !at.locked && !deep && (self.rwlock || self.semaphore) => self.guarded(at),
            102 if at.thread < self.threads && !at.locked => {
                let (cond, result) = (self.condition(false), self.number());
                self.line(&format!("if ({cond}) pthread_exit((void *){result});"));
            }
            103..105 if self.copies => {
                self.budget = self.budget.saturating_sub(4);
                let line = ["v0 = v1;", "memcpy(&v1, &v0, sizeof v1);", "{ struct both l = v0; l.second++; v1 = l; }"];
                let which = self.dice.index(3);
                self.line(line[which]);
            }
            105..107 if self.functions => {
                let to = self.local();
                self.budget = self.budget.saturating_sub(2);
                let line = [format!("{to} = act({to});"), "act = act1;".into(), "act = act0;".into()];
                let which = self.dice.index(3);
                self.line(&line[which]);
            }
            107..109 if self.recursion => {
                let to = self.local();
                self.budget = self.budget.saturating_sub(4);
                let depth = 1 + self.dice.index(2);
                self.line(&format!("{to} = deep({depth});"));
            }
            109..111 if at.depth < 2 && !deep => self.jump(at),
            111 if !at.atomic && !at.locked && !deep => {
                let (to, from, value) = (self.local(), self.place(), self.constant());
                self.open("while (__VERIFIER_nondet_bool())");
                self.line(&format!("{to} = {from};"));
                if self.dice.chance(60) {
                    self.line(&format!("if ({to} == {value}) break;"));
                }
                self.close();
            }
            112 if self.handle && !at.atomic && !at.locked => {
                self.line("if (handle) pthread_join(handle, 0);");
            }
            _ if self.dice.chance(50) => {
                let (to, value) = (self.place(), self.number());
                self.line(&format!("{to} = {value};"));
            }
            _ => {
                let (to, value) = (self.local(), self.place());
                self.line(&format!("{to} = {value};"));
            }
        }
    }

    fn critical(&mut self, at: Context) {
        let mutex = format!("m{}", self.dice.index(self.mutexes));
        let inside = Context { locked: true, ..at };
        self.budget = self.budget.saturating_sub(1);
        if self.dice.chance(25) {
            self.open(&format!("if (pthread_mutex_trylock(&{mutex}) == 0)"));
            self.block(inside, 2);
            self.line(&format!("pthread_mutex_unlock(&{mutex});"));
            self.close();
            return;
        }
        let twice = self.recursive && mutex == "m0" && self.dice.chance(40);
        self.line(&format!("pthread_mutex_lock(&{mutex});"));
        if twice {
            self.line(&format!("pthread_mutex_lock(&{mutex});"));
        }
        self.block(inside, 3);
        self.line(&format!("pthread_mutex_unlock(&{mutex});"));
        if twice {
            self.block(inside, 1);
            self.line(&format!("pthread_mutex_unlock(&{mutex});"));
        }
    }

    /// Something under a read-write lock or a semaphore.
    fn guarded(&mut self, at: Context) {
        let inside = Context { locked: true, ..at };
        self.budget = self.budget.saturating_sub(1);
        let (begin, end) = if self.rwlock && (!self.semaphore || self.dice.chance(50)) {
            let begin = [
                "pthread_rwlock_rdlock",
                "pthread_rwlock_wrlock",
                "pthread_rwlock_tryrdlock",
                "pthread_rwlock_trywrlock",
            ];
            (format!("{}(&rw)", begin[self.dice.index(4)]), "pthread_rwlock_unlock(&rw);")
        } else {
            (["sem_wait(&sem)", "sem_wait(&sem)", "sem_trywait(&sem)"][self.dice.index(3)].into(), "sem_post(&sem);")
        };
        self.open(&format!("if ({begin} == 0)"));
        self.block(inside, 2);
        if self.dice.chance(90) {
            self.line(end);
        }
        self.close();
    }

    /// A loop with two ways in and two ways out.
    fn jump(&mut self, at: Context) {
        self.labels += 1;
        let n = self.labels;
        let (skips, leaves, again) = (self.condition(false), self.condition(true), self.condition(true));
        let before = self.budget;
        self.line(&format!("int n{n} = 0;"));
        self.line(&format!("if ({skips}) goto inside{n};"));
        self.line(&format!("again{n}:"));
        self.line(&format!("if ({leaves}) goto out{n};"));
        if self.dice.chance(50) {
            self.block(at, 1);
        }
        self.line(&format!("inside{n}:"));
        if self.dice.chance(50) {
            self.block(at, 1);
        }
        match self.dice.index(3) {
            0 => self.line(&format!("if (n{n}++ < 2) goto again{n};")),
            1 => self.line(&format!("if (n{n}++ < 1 || {again}) goto again{n};")),
            _ => self.line(&format!("if ({again}) goto again{n};")),
        }
        self.line(&format!("out{n}: ;"));
        self.budget = self.budget.saturating_sub(before - self.budget);
    }

    /// A read-modify-write, or an atomic load or store.
    fn atomic_operation(&mut self) {
        let all: Vec<String> = self.ints.iter().chain(&self.atomics).cloned().collect();
        if all.is_empty() {
            let to = self.place();
            return self.line(&format!("{to} = 1;"));
        }
        self.budget = self.budget.saturating_sub(2);
        let (on, to, with, old) = (self.dice.one(&all).to_string(), self.local(), self.value(false), self.constant());
        let add = self.number();
        let c11 = self.atomics.contains(&on);
        let line = match self.dice.index(9) {
            0 if c11 => format!("{to} = {on}++;"),
            1 if c11 => format!("{on} += {add};"),
            2 if c11 => format!("{to} = __c11_atomic_fetch_sub(&{on}, {add}, 5);"),
            3 if c11 => format!("{on} = {with};"),
            0..2 => format!("{to} = __atomic_fetch_add(&{on}, {add}, 5);"),
            2 => format!("{to} = __sync_fetch_and_add(&{on}, 1);"),
            3 => format!("{to} = __sync_val_compare_and_swap(&{on}, {old}, {with});"),
            4 => format!("if (__sync_bool_compare_and_swap(&{on}, {old}, {with})) {to} = 1;"),
            5 => {
                format!("{{ int e = {old}; {to} = __atomic_compare_exchange_n(&{on}, &e, {with}, 0, 5, 5) ? 3 : e; }}")
            }
            6 => format!("{to} = __atomic_exchange_n(&{on}, {with}, 5);"),
            7 => format!("__atomic_store_n(&{on}, {with}, 5);"),
            _ => format!("{to} = __atomic_load_n(&{on}, 5);"),
        };
        self.line(&line);
    }

    fn input(&mut self) {
        self.inputs -= 1;
        let to = self.local();
        match self.dice.index(4) {
            0 => self.line(&format!("{to} = __VERIFIER_nondet_bool();")),
            // Stored as something wider before anybody looks at it.
            2 if !self.ints.is_empty() => {
                let shared = self.dice.one(&self.ints).to_string();
                self.line("__VERIFIER_atomic_begin();");
                self.line(&format!(
                    "{to} = __VERIFIER_nondet_char(); {shared} = {to}; {to} = {shared} & 3; {shared} = {to};"
                ));
                self.line("__VERIFIER_atomic_end();");
            }
            1 => {
                self.line(&format!("{to} = __VERIFIER_nondet_int();"));
                self.line(&format!("__VERIFIER_assume({to} >= 0 && {to} <= 2);"));
            }
            _ => {
                self.line(&format!("{to} = __VERIFIER_nondet_char();"));
                self.line(&format!("if ({to} < 0 || {to} > 2) {to} = 1;"));
            }
        }
    }

    fn heap_operation(&mut self) {
        self.budget = self.budget.saturating_sub(2);
        if self.dice.chance(60) {
            let to = self.local();
            self.line(&format!("{to} = h->value;"));
            return;
        }
        let value = self.value(false);
        self.open("");
        self.line("struct node *n = malloc(sizeof *n);");
        if self.dice.chance(50) {
            self.line(&format!("n->value = {value};\n    n->next = h;\n    h = n;"));
        } else {
            self.line(&format!("n->value = 0;\n    n->next = 0;\n    h = n;\n    n->value = {value};"));
        }
        self.close();
    }

    /// A condition for the error. `inside`: within a thread, while others may still run.
    fn error(&mut self, inside: bool) {
        let cond = if inside {
            match self.dice.index(4) {
                0 => "a0 > b0".into(),
                1 => format!("{} > {}", self.place(), 2 + self.dice.index(2)),
                2 => format!("a0 == {} && b0 == {}", self.constant(), self.constant()),
                _ => format!("{} != a0 && b0 == {}", self.place(), self.constant()),
            }
        } else {
            let thread = |g: &mut Generator| g.running[g.dice.index(g.running.len())];
            let seen = |g: &mut Generator| format!("r{} == {}", thread(g), g.constant());
            match self.dice.index(11) {
                0 => format!("{} > {}", self.scalar(), 1 + self.dice.index(3)),
                1 => format!("{} && {}", seen(self), seen(self)),
                2 | 3 => format!("{} == {} && {}", self.scalar(), self.constant(), seen(self)),
                4 => format!("{} != r{} && {}", self.scalar(), thread(self), seen(self)),
                5 => format!("{} + {} == {}", self.scalar(), self.scalar(), 1 + self.dice.index(4)),
                6 => format!("r{} > {}", thread(self), self.scalar()),
                7 => format!("{} != {}", self.scalar(), self.constant()),
                8 => format!("r{} != {}", thread(self), self.constant()),
                9 => format!("{} == {}", self.scalar(), self.number()),
                _ => seen(self),
            }
        };
        self.line(&format!("if ({cond}) reach_error();"));
    }

    fn thread(&mut self, thread: usize, starts_another: bool) {
        let fair = if self.running.len() < self.threads { self.budget / 3 } else { self.budget / (thread + 1) };
        let rest = self.budget - fair;
        self.budget = fair;
        self.open(&format!("void *f{thread}(void *arg)"));
        self.line("int a0 = (int)(long)arg, b0 = 0;");
        if starts_another {
            let last = self.threads - 1;
            self.line("pthread_t t;");
            if self.dice.chance(30) {
                self.statement(Context { thread, depth: 2, atomic: false, locked: false });
            }
            self.line(&format!("pthread_create(&t, 0, f{last}, (void *)1);"));
            if self.handle {
                self.line("handle = t;");
            } else if self.dice.chance(50) {
                self.line("pthread_join(t, 0);");
            }
        }
        let at = Context { thread, depth: 1, atomic: false, locked: false };
        let mut waits = self.barrier;
        for _ in 0..8 {
            if self.budget < 2 {
                break;
            }
            self.statement(at);
            if waits && self.dice.chance(40) {
                waits = false;
                self.line("pthread_barrier_wait(&bar);");
            }
        }
        if waits {
            self.line("pthread_barrier_wait(&bar);");
        }
        if self.condition {
            self.line("pthread_mutex_lock(&mc);");
            if thread == 0 {
                self.line("ready = a0 + 1;\n  pthread_cond_signal(&cv);");
            } else {
                let wait = ["while", "while", "if"][self.dice.index(3)];
                self.line(&format!("{wait} (!ready) pthread_cond_wait(&cv, &mc);\n  b0 = ready;"));
            }
            self.line("pthread_mutex_unlock(&mc);");
        }
        let seen = ["a0", "b0", "a0 + b0", "2 * a0 + b0"][self.dice.index(4)];
        self.line(&format!("r{thread} = {seen};"));
        self.line(if self.results { "return (void *)(long)(a0 + 1);" } else { "return 0;" });
        self.close();
        self.budget = rest;
    }

    fn main(&mut self, loops: bool, nested: bool) {
        self.open("int main(void)");
        self.line("int a0 = 0, b0 = 1;");
        // The last thread may be started by the first one.
        let started = if nested { self.threads - 1 } else { self.threads };
        if self.recursive && self.mutexes > 0 {
            self.line("pthread_mutexattr_t attr;\n  pthread_mutexattr_init(&attr);");
            self.line("pthread_mutexattr_settype(&attr, 1);\n  pthread_mutex_init(&m0, &attr);");
        }
        if self.barrier {
            self.line(&format!("pthread_barrier_init(&bar, 0, {});", self.threads));
        }
        if self.large {
            self.line("a0 = __VERIFIER_nondet_char();\n  key = a0 >= 0 && a0 < 28 ? a0 : 27;\n  a0 = 0;");
        }
        if self.semaphore {
            let value = self.dice.index(3);
            self.line(&format!("sem_init(&sem, 0, {value});"));
        }
        if self.heap {
            self.line("h = malloc(sizeof *h);\n  h->value = 1;\n  h->next = 0;");
        }
        let at = Context { thread: self.threads, depth: 2, atomic: false, locked: false };
        self.budget = 4;
        self.line(&format!("pthread_t t[{started}];"));
        if loops {
            self.line(&format!("for (long n = 0; n < {started}; n++) pthread_create(&t[n], 0, f0, (void *)n);"));
        } else {
            let takes_argument = self.dice.chance(40);
            for i in 0..started {
                let arg = if takes_argument { format!("(void *){}", self.dice.index(3)) } else { "0".into() };
                if self.dice.chance(12) {
                    let to = self.scalar();
                    self.line(&format!("{to} = 1;"));
                }
                self.line(&format!("pthread_create(&t[{i}], 0, f{i}, {arg});"));
                if i + 1 < started && self.dice.chance(6) {
                    self.line(&format!("pthread_join(t[{i}], 0);\n  t[{i}] = t[0];"));
                }
                if self.dice.chance(12) {
                    self.statement(at);
                }
            }
        }
        if self.dice.chance(25) {
            self.statement(at);
        }
        let forgets = self.dice.chance(12);
        if loops && !forgets {
            self.line(&format!("for (int n = 0; n < {started}; n++) pthread_join(t[n], 0);"));
        } else {
            for i in 0..started {
                if self.results {
                    self.line(&format!("{{ void *r; pthread_join(t[{i}], &r); a0 = (int)(long)r; }}"));
                } else if !(forgets && i + 1 == started) {
                    let cond = if self.dice.chance(10) { "if (__VERIFIER_nondet_bool()) " } else { "" };
                    self.line(&format!("{cond}pthread_join(t[{i}], 0);"));
                }
                if self.dice.chance(10) {
                    self.statement(at);
                }
            }
        }
        if self.handle && nested && self.dice.chance(50) {
            self.line("if (handle) pthread_join(handle, 0);");
        }
        for _ in 0..1 + self.dice.index(3) {
            self.error(false);
        }
        if self.results {
            self.error(true);
        }
        self.line("return 0;");
        self.close();
    }
}
