//! Executable counterexamples: what `--harness` writes is compiled with the program and fails natively, every time.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const RUNS: usize = 5;

fn is_there(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success())
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Verifies a program, which must be violated, and writes the harness.
fn harness_of(name: &str, program: &str) -> Folder {
    let folder = Folder(std::env::temp_dir().join(format!("raddle-harness-{}-{name}", std::process::id())));
    std::fs::create_dir_all(&folder.0).unwrap();
    let source = folder.0.join("program.c");
    std::fs::write(&source, program).unwrap();
    let verified = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["verify", "--quiet", "--no-config", "--timeout", "60s", "--harness"])
        .args([&folder.0.join("harness"), &source])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&verified.stdout);
    assert!(said.contains("VERDICT: false"), "{name}: {said}{}", String::from_utf8_lossy(&verified.stderr));
    folder
}

fn run(folder: &Path) -> Output {
    Command::new("sh").arg(folder.join("harness/run.sh")).env_remove("CC").output().unwrap()
}

/// The violation is reproduced, with these words.
fn reproduces(name: &str, program: &str, words: &str) {
    if !is_there("gcc") || !is_there("objdump") {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let folder = harness_of(name, program);
    for _ in 0..RUNS {
        let output = run(&folder.0);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{name}: {said}");
        assert!(said.contains("reproduced: ") && said.contains(words), "{name}: {said}");
    }
}

#[test]
fn inputs() {
    let program = r#"
        extern int __VERIFIER_nondet_int(void);
        extern unsigned char __VERIFIER_nondet_uchar(void);
        extern int sensor(int channel);
        void reach_error(void) { }
        int main(void) {
          int sum = 0;
          for (int i = 0; i < 3; i++) {
            int x = __VERIFIER_nondet_int();
            if (x < -7 || x > 5) return 0;
            sum += x;
          }
          if (sum == -21 && __VERIFIER_nondet_uchar() == 200 && sensor(3) == 77) reach_error();
          return 0;
        }"#;
    reproduces("inputs", program, "the error function is called");
}

#[test]
fn uninitialised() {
    let program = r#"
        #include <assert.h>
        #include <stdlib.h>
        int main(void) {
          int x;
          short a[4];
          int *p = malloc(8);
          for (int i = 0; i < 2; i++) {
            int y;
            if (y != 5 + i) return 0;
          }
          short *q = a;
          assert(!(x == 12345 && q[2] == -3 && p[1] == 99));
        }"#;
    reproduces("uninitialised", program, "assertion failed");
}

#[test]
fn race_on_a_counter() {
    let program = r#"
        #include <assert.h>
        #include <pthread.h>
        static int count;
        static void *work(void *unused) {
          for (int i = 0; i < 2; i++) count++;
          return 0;
        }
        int main(void) {
          pthread_t a, b;
          pthread_create(&a, 0, work, 0);
          pthread_create(&b, 0, work, 0);
          pthread_join(a, 0);
          pthread_join(b, 0);
          assert(count > 2);
        }"#;
    reproduces("race", program, "count > 2");
}

#[test]
fn locks() {
    let program = r#"
        #include <assert.h>
        #include <pthread.h>
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        int balance = 10, failures;
        void *pay(void *amount) {
          pthread_mutex_lock(&m);
          int enough = balance >= *(int *)amount;
          pthread_mutex_unlock(&m);
          if (enough) {
            pthread_mutex_lock(&m);
            balance -= *(int *)amount;
            pthread_mutex_unlock(&m);
          }
          if (pthread_mutex_trylock(&m)) failures++;
          else pthread_mutex_unlock(&m);
          return 0;
        }
        int main(void) {
          pthread_t a, b;
          int seven = 7;
          pthread_create(&a, 0, pay, &seven);
          pthread_create(&b, 0, pay, &seven);
          pthread_mutex_lock(&m);
          int seen = failures;
          pthread_mutex_unlock(&m);
          pthread_join(a, 0);
          pthread_join(b, 0);
          assert(balance >= 0 || failures == 0 || seen);
        }"#;
    reproduces("locks", program, "balance >= 0");
}

#[test]
fn conditions_semaphores_and_barriers() {
    let program = r#"
        #include <assert.h>
        #include <pthread.h>
        #include <semaphore.h>
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t c = PTHREAD_COND_INITIALIZER;
        pthread_barrier_t all;
        sem_t items;
        int ready, taken, last;
        void *consumer(void *number) {
          pthread_mutex_lock(&m);
          if (!ready) pthread_cond_wait(&c, &m); /* not a loop */
          taken += ready;
          pthread_mutex_unlock(&m);
          sem_wait(&items);
          last = *(int *)number;
          pthread_barrier_wait(&all);
          return 0;
        }
        int main(void) {
          pthread_t a, b;
          int one = 1, two = 2;
          sem_init(&items, 0, 0);
          pthread_barrier_init(&all, 0, 3);
          pthread_create(&a, 0, consumer, &one);
          pthread_create(&b, 0, consumer, &two);
          sem_post(&items);
          pthread_mutex_lock(&m);
          ready = 1;
          pthread_cond_broadcast(&c);
          pthread_mutex_unlock(&m);
          sem_post(&items);
          pthread_barrier_wait(&all);
          assert(taken == 2 || last == 2);
        }"#;
    reproduces("conditions", program, "taken == 2");
}

#[test]
fn atomics() {
    let program = r#"
        #include <assert.h>
        #include <pthread.h>
        #include <stdatomic.h>
        atomic_int turn;
        int inside;
        void *enter(void *unused) {
          int expected = 0;
          if (atomic_compare_exchange_strong(&turn, &expected, 1)) {
            inside++;
            atomic_fetch_sub(&turn, 1);
          } else if (atomic_load(&turn) == 0)
            inside += 10;
          return 0;
        }
        int main(void) {
          pthread_t a, b;
          pthread_create(&a, 0, enter, 0);
          pthread_create(&b, 0, enter, 0);
          pthread_join(a, 0);
          pthread_join(b, 0);
          assert(inside != 11);
        }"#;
    reproduces("atomics", program, "inside != 11");
}

#[test]
fn shared_heap_objects_and_locals() {
    let program = r#"
        #include <assert.h>
        #include <pthread.h>
        #include <stdlib.h>
        struct node { int value; struct node *next; };
        struct node *top;
        static _Thread_local int pushed;
        void *push(void *count) {
          struct node *n = malloc(sizeof *n);
          n->value = 1;
          n->next = top;
          top = n;
          pushed++;
          *(int *)count += pushed;
          return n;
        }
        int main(void) {
          pthread_t a, b;
          int count = 0;
          pthread_create(&a, 0, push, &count);
          pthread_create(&b, 0, push, &count);
          void *first;
          pthread_join(a, &first);
          pthread_join(b, 0);
          assert(first == top || top->next == first || count == 2);
        }"#;
    reproduces("heap", program, "count == 2");
}

#[test]
fn atomic_sections_and_spinning() {
    let program = r#"
        #include <pthread.h>
        extern void __VERIFIER_atomic_begin(void);
        extern void __VERIFIER_atomic_end(void);
        extern void reach_error(void);
        int flag, data, copies;
        void *reader(void *unused) {
          while (!flag) ;
          __VERIFIER_atomic_begin();
          copies = data + data;
          __VERIFIER_atomic_end();
          return 0;
        }
        int main(void) {
          pthread_t a;
          pthread_create(&a, 0, reader, 0);
          flag = 1;
          data = 21;
          pthread_join(a, 0);
          if (copies == 0) reach_error();
          return 0;
        }"#;
    reproduces("sections", program, "the error function is called");
}

/// Compilers read the operands of `x += y` in an order of their own.
#[test]
fn order_of_reads() {
    reproduces(
        "order",
        r"#include <pthread.h>
          extern void reach_error(void);
          extern void __VERIFIER_atomic_begin(void);
          extern void __VERIFIER_atomic_end(void);
          int x = 1, y = 1;
          void *first(void *arg) {
            for (int i = 0; i < 3; i++) { __VERIFIER_atomic_begin(); x += y; __VERIFIER_atomic_end(); }
            return 0;
          }
          void *second(void *arg) {
            for (int i = 0; i < 3; i++) { __VERIFIER_atomic_begin(); y += x; __VERIFIER_atomic_end(); }
            return 0;
          }
          int main(void) {
            pthread_t a, b;
            pthread_create(&a, 0, first, 0);
            pthread_create(&b, 0, second, 0);
            __VERIFIER_atomic_begin();
            int grown = x >= 13 || y >= 13;
            __VERIFIER_atomic_end();
            if (grown) reach_error();
            return 0;
          }",
        "the error function is called",
    );
}

#[test]
fn copies() {
    let program = r#"
        #include <assert.h>
        #include <pthread.h>
        #include <string.h>
        struct account { int owner, balance; char name[8]; } a = { 1, 10, "ann" }, b, c;
        void *copy(void *unused) {
          memcpy(&c, &a, sizeof a);
          return 0;
        }
        int main(void) {
          pthread_t t;
          b = a;
          pthread_create(&t, 0, copy, 0);
          a.balance = 20;
          strcpy(a.name, "bob");
          pthread_join(t, 0);
          assert(memcmp(&b, &c, 8) != 0 || strcmp(c.name, "bnn") != 0);
        }"#;
    reproduces("copies", program, "bnn");
}

/// A run that cannot follow the recording says so.
#[test]
fn divergence() {
    if !is_there("gcc") || !is_there("objdump") {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let program = r#"
        #include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        int main(void) { assert(__VERIFIER_nondet_int() != 5); }"#;
    let folder = harness_of("divergence", program);
    std::fs::write(folder.0.join("program.c"), program.replace('5', "6")).unwrap();
    let output = run(&folder.0);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("diverged: the program ends without the violation"));
}

/// What the program defines takes the place of the runtime's.
#[test]
fn functions_of_its_own() {
    let program = r#"
        extern int __VERIFIER_nondet_int(void);
        extern void abort(void);
        extern void reach_error(void);
        void __VERIFIER_assume(int condition) { if (!condition) abort(); }
        int main(void) {
          int n = __VERIFIER_nondet_int();
          __VERIFIER_assume(n > 3);
          if (n < 5)
            reach_error();
        }
    "#;
    reproduces("own", program, "the error function is called");
}
