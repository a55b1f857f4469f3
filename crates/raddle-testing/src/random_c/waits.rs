//! Small random programs in which threads wait: for locks in any order, for each other's end, for conditions, semaphores and barriers. About half of them have deadlocks. Each
//! program uses only some of what there is, so that each of it is met alone as well.

use crate::Random;

const DECLARATIONS: &str = "typedef unsigned long pthread_t;\ntypedef struct { int kind; } pthread_mutex_t;\n\
    typedef struct { int kind; } pthread_mutexattr_t;\ntypedef struct { int a; } pthread_cond_t;\n\
    typedef struct { unsigned state[4]; } pthread_barrier_t;\ntypedef struct { unsigned state[4]; } pthread_rwlock_t;\n\
    typedef struct { unsigned state[4]; } sem_t;\n\
    extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
    extern int pthread_join(pthread_t, void **);\nextern void pthread_exit(void *);\n\
    extern int pthread_mutex_lock(pthread_mutex_t *);\nextern int pthread_mutex_trylock(pthread_mutex_t *);\n\
    extern int pthread_mutex_unlock(pthread_mutex_t *);\n\
    extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);\n\
    extern int pthread_mutexattr_init(pthread_mutexattr_t *);\n\
    extern int pthread_mutexattr_settype(pthread_mutexattr_t *, int);\n\
    extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);\n\
    extern int pthread_cond_signal(pthread_cond_t *);\nextern int pthread_cond_broadcast(pthread_cond_t *);\n\
    extern int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);\n\
    extern int pthread_barrier_wait(pthread_barrier_t *);\nextern int pthread_rwlock_rdlock(pthread_rwlock_t *);\n\
    extern int pthread_rwlock_wrlock(pthread_rwlock_t *);\nextern int pthread_rwlock_unlock(pthread_rwlock_t *);\n\
    extern int sem_init(sem_t *, int, unsigned);\nextern int sem_wait(sem_t *);\nextern int sem_post(sem_t *);\n\
    extern int sem_trywait(sem_t *);\nextern void exit(int);\nextern void __VERIFIER_assume(int);\n\
    extern void __VERIFIER_atomic_begin(void);\nextern void __VERIFIER_atomic_end(void);\n\
    extern _Bool __VERIFIER_nondet_bool(void);\n\
    pthread_mutex_t m[3];\npthread_rwlock_t r;\npthread_cond_t c;\npthread_barrier_t b;\nsem_t s;\n\
    pthread_t t[4];\nint x, y;\n";

/// What threads of a program wait for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mutex,
    ReadWrite,
    Condition,
    Semaphore,
    Barrier,
    Join,
}

struct Generator {
    dice: Random,
    kinds: Vec<Kind>,
    threads: u64,
    /// How many more times the program may wait.
    budget: usize,
}

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        self.dice.below(n)
    }

    fn condition(&mut self) -> String {
        match self.below(5) {
            0 => "__VERIFIER_nondet_bool()".into(),
            1 => "x".into(),
            2 => "!x".into(),
            3 => "y == 1".into(),
            _ => "x != y".into(),
        }
    }

    /// Something that does not wait.
    fn plain(&mut self) -> String {
        match self.below(10) {
            0..3 => "x = 1;".into(),
            3 => "x = 0;".into(),
            4..6 => "y = x;".into(),
            6 => "__VERIFIER_atomic_begin(); y = !x; __VERIFIER_atomic_end();".into(),
            7 => format!("__VERIFIER_assume({});", self.condition()),
            8 => format!("if ({}) return 0;", self.condition()),
            _ => format!("if ({}) {}", self.condition(), self.dice.pick(&["pthread_exit(0);", "exit(0);", "x = 1;"])),
        }
    }

    fn body(&mut self, me: u64, depth: u32) -> String {
        (0..1 + self.below(2)).map(|_| self.statement(me, depth)).collect::<Vec<_>>().join(" ")
    }

    fn statement(&mut self, me: u64, depth: u32) -> String {
        if self.budget == 0 || depth == 0 || self.dice.chance(25) {
            return self.plain();
        }
        if self.dice.chance(12) {
            return format!("if ({}) {{ {} }}", self.condition(), self.body(me, depth - 1));
        }
        self.budget -= 1;
        let kind = self.dice.index(self.kinds.len());
        match self.kinds[kind] {
            Kind::Mutex => self.mutex(me, depth),
            Kind::ReadWrite => {
                let how = self.dice.pick(&["rd", "wr"]);
                let inside = self.body(me, depth - 1);
                format!("pthread_rwlock_{how}lock(&r); {inside} pthread_rwlock_unlock(&r);")
            }
            Kind::Condition => self.wait(),
            Kind::Semaphore => self
                .dice
                .pick(&["sem_wait(&s);", "sem_post(&s);", "sem_wait(&s); sem_post(&s);", "sem_trywait(&s);"])
                .into(),
            Kind::Barrier => "pthread_barrier_wait(&b);".into(),
            Kind::Join => format!("pthread_join(t[{}], 0);", self.below(self.threads)),
        }
    }

    fn mutex(&mut self, me: u64, depth: u32) -> String {
        let (lock, inside) = (self.below(3), self.body(me, depth - 1));
        match self.below(8) {
            0 => format!("if (!pthread_mutex_trylock(&m[{lock}])) {{ {inside} pthread_mutex_unlock(&m[{lock}]); }}"),
            1 => format!("pthread_mutex_lock(&m[{lock}]); {inside}"),
            _ => format!("pthread_mutex_lock(&m[{lock}]); {inside} pthread_mutex_unlock(&m[{lock}]);"),
        }
    }

    fn wait(&mut self) -> String {
        let what = match self.below(6) {
            0 => "while (!x) pthread_cond_wait(&c, &m[0]);",
            1 => "if (!x) pthread_cond_wait(&c, &m[0]);",
            2 | 3 => "x = 1; pthread_cond_signal(&c);",
            4 => "pthread_cond_signal(&c);",
            _ => "x = 1; pthread_cond_broadcast(&c);",
        };
        format!("pthread_mutex_lock(&m[0]); {what} pthread_mutex_unlock(&m[0]);")
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut dice = Random::new(seed + 1);
    let all = [Kind::Mutex, Kind::ReadWrite, Kind::Condition, Kind::Semaphore, Kind::Barrier, Kind::Join];
    let mut kinds = vec![all[dice.index(all.len())]];
    if dice.chance(60) {
        kinds.push(all[dice.index(3)]);
    }
    let threads = 1 + dice.below(3);
    let mut g = Generator { dice, kinds, threads, budget: [0, 5, 6, 6][threads as usize] };
    let mut text = String::from(DECLARATIONS);
    for thread in 0..threads {
        let body = (0..1 + g.below(3)).map(|_| g.statement(thread, 2)).collect::<Vec<_>>().join("\n  ");
        text += &format!("void *f{thread}(void *arg) {{\n  {body}\n  return 0;\n}}\n");
    }
    text += "int main(void) {\n";
    if g.dice.chance(15) {
        let kind = g.below(3);
        text += &format!(
            "  pthread_mutexattr_t k;\n  pthread_mutexattr_init(&k);\n  pthread_mutexattr_settype(&k, {kind});\n  pthread_mutex_init(&m[1], &k);\n"
        );
    }
    text += &format!("  sem_init(&s, 0, {});\n  pthread_barrier_init(&b, 0, {});\n", g.below(2), 2 + g.below(2));
    for thread in 0..threads {
        text += &format!("  pthread_create(&t[{thread}], 0, f{}, 0);\n", if g.dice.chance(15) { 0 } else { thread });
        if g.dice.chance(25) {
            text += &format!("  {}\n", g.statement(9, 2));
        }
    }
    for thread in 0..threads {
        if g.dice.chance(75) {
            text += &format!("  pthread_join(t[{thread}], 0);\n");
        }
    }
    text += if g.dice.chance(20) { "  pthread_exit(0);\n}\n" } else { "  return 0;\n}\n" };
    text
}
