//! Violations are told as stories: names and values of the source, only what the violation depends on, few context switches.

use expect_test::{Expect, expect};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What is printed about a program.
fn told(name: &str, text: &str, args: &[&str]) -> String {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("story-{name}-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join(name), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(["verify", name, "--engine", "explore", "--timeout", "60s"]).args(args).current_dir(&dir);
    let output = command.output().unwrap();
    fs::remove_dir_all(&dir).unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn check(name: &str, text: &str, args: &[&str], expected: &Expect) {
    expected.assert_eq(&told(name, text, args));
}

#[test]
fn a_lost_update() {
    let program = r"#include <assert.h>
#include <pthread.h>
int counter;
void *count(void *arg) {
  int old = counter;
  counter = old + 1;
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, count, 0);
  pthread_create(&two, 0, count, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 2);
}
";
    check(
        "lost.c",
        program,
        &[],
        &expect![[r#"
            lost.c:15: an assertion fails

            Threads: 0 main, 1 count, 2 count
             step  0 1 2
               1   ● │ │   11  pthread_create(&one, 0, count, 0);                starts thread 1 (count)
               2   ● │ │   12  pthread_create(&two, 0, count, 0);                starts thread 2 (count)
               4↷  │ │ ●   5   int old = counter;                                counter = 0 (initial); old := 0
               5↷  │ ● │   5   int old = counter;                                counter = 0 (initial); old := 0
               6   │ ● │   6   counter = old + 1;                                counter := 1
               8↷  │ │ ●   6   counter = old + 1;                                counter := 1
              10↷  ● │ │   13  pthread_join(one, 0);                             joins thread 1
              11   ● │ │   14  pthread_join(two, 0);                             joins thread 2
              12   ● │ │   15  assert(counter == 2);                             counter = 1 (step 8); an assertion fails
            folded: 3 steps from which no value or branch leads to the violation (--full shows all)
            VERDICT: false(unreach-call)
        "#]],
    );
}

#[test]
fn objects_and_members_have_names() {
    let program = r"#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
typedef struct { char name[4]; struct node *all; } list;
list lists[2];
void push(list *to, int value) {
  struct node *new = malloc(sizeof *new);
  new->value = value;
  new->next = to->all;
  to->all = new;
}
int main(void) {
  lists[0].name[1] = 'x';
  push(&lists[1], 3);
  push(&lists[1], 4);
  int unrelated = lists[0].name[1];
  int *last = &lists[1].all->next->value;
  assert(*last == 4);
}
";
    check(
        "names.c",
        program,
        &[],
        &expect![[r#"
            names.c:18: an assertion fails

               2     14  push(&lists[1], 3);                               to := &lists[1]; value := 3; calls push
               3     7   struct node *new = malloc(sizeof *new);           new := node#1; allocates node#1
               4     8   new->value = value;                               node#1->value := 3
               6     10  to->all = new;                                    lists[1].all := node#1
               8     15  push(&lists[1], 4);                               to := &lists[1]; calls push
               9     7   struct node *new = malloc(sizeof *new);           new := node#2; allocates node#2
              11     9   new->next = to->all;                              lists[1].all = node#1 (step 6); node#2->next := node#1
              12     10  to->all = new;                                    lists[1].all := node#2
              15     17  int *last = &lists[1].all->next->value;           lists[1].all = node#2 (step 12); node#2->next = node#1 (step 11); last := &node#1->value
              16     18  assert(*last == 4);                               node#1->value = 3 (step 4); an assertion fails
            folded: 6 steps from which no value or branch leads to the violation (--full shows all)
            VERDICT: false(unreach-call)
        "#]],
    );
}

#[test]
fn inputs_and_loops() {
    let program = r"extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int noise = 0;
  for (int i = 0; i < 50; i++)
    noise += i;
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 3)
    return noise;
  unsigned sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  if (sum > 2)
    reach_error();
  return 0;
}
";
    check(
        "loops.c",
        program,
        &[],
        &expect![[r#"
            loops.c:14: the error function is called

            Inputs
              step 103  loops.c:7  __VERIFIER_nondet_int() = 3

             103     7   int n = __VERIFIER_nondet_int();                  n := 3; __VERIFIER_nondet_int() gives 3
             104     8   if (n < 1 || n > 3)                               n = 3 (step 103)
             105     10  unsigned sum = 0;                                 sum := 0
             106     11  for (int i = 0; i < n; i++)                       i := 0; n = 3 (step 103)
             107     12  sum += i;                                         sum := 0
             108     11  for (int i = 0; i < n; i++)                       i := 1; n = 3 (step 103)
             109     12  sum += i;                                         sum := 1
             110     11  for (int i = 0; i < n; i++)                       i := 2; n = 3 (step 103)
             111     12  sum += i;                                         sum := 3
             112     11  for (int i = 0; i < n; i++)                       i := 3; n = 3 (step 103)
             113     13  if (sum > 2)                                      sum = 3 (step 111)
             114     14  reach_error();                                    the error function is called
            folded: 102 steps from which no value or branch leads to the violation (--full shows all)
            VERDICT: false(unreach-call)
        "#]],
    );
}

#[test]
fn locks_that_are_held() {
    let program = r"#include <assert.h>
#include <pthread.h>
pthread_mutex_t m[2];
int shared;
void *other(void *arg) {
  pthread_mutex_lock(&m[1]);
  shared = 1;
  pthread_mutex_unlock(&m[1]);
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&m[0]);
  int before = shared;
  int after = shared;
  pthread_mutex_unlock(&m[0]);
  assert(before == after);
}
";
    check(
        "locks.c",
        program,
        &[],
        &expect![[r#"
            locks.c:18: an assertion fails

            Threads: 0 main, 1 other
             step  0 1
               1   ● │   13  pthread_create(&thread, 0, other, 0);             starts thread 1 (other)
               2   ● │   14  pthread_mutex_lock(&m[0]);                        locks m[0]
               3   ● │   15  int before = shared;                              shared = 0 (initial); before := 0; [holds m[0]]
               4↷  │ ●   6   pthread_mutex_lock(&m[1]);                        locks m[1]
               5   │ ●   7   shared = 1;                                       shared := 1; [holds m[1]]
               6↷  ● │   16  int after = shared;                               shared = 1 (step 5); after := 1; [holds m[0]]
               7   ● │   17  pthread_mutex_unlock(&m[0]);                      unlocks m[0]
               8   ● │   18  assert(before == after);                          before = 0 (step 3); after = 1 (step 6); an assertion fails
            VERDICT: false(unreach-call)
        "#]],
    );
}

/// Folded steps are there with `--full`.
#[test]
fn all_of_it() {
    let program = "extern void reach_error(void);\nint x, y;\nint main(void) {\n  x = 1;\n  y = 2;\n  if (x == 1)\n    reach_error();\n}\n";
    check(
        "full.c",
        program,
        &[],
        &expect![[r#"
            full.c:7: the error function is called

               1     4  x = 1;                                            x := 1
               3     6  if (x == 1)                                       x = 1 (step 1)
               4     7  reach_error();                                    the error function is called
            folded: 1 step from which no value or branch leads to the violation (--full shows all)
            VERDICT: false(unreach-call)
        "#]],
    );
    check(
        "full.c",
        program,
        &["--full"],
        &expect![[r#"
            full.c:7: the error function is called

               1     4  x = 1;                                            x := 1
               2     5  y = 2;                                            y := 2
               3     6  if (x == 1)                                       x = 1 (step 1)
               4     7  reach_error();                                    the error function is called
            VERDICT: false(unreach-call)
        "#]],
    );
}

/// A way that was not taken would have changed what is read.
#[test]
fn what_did_not_happen() {
    let program = r"#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0;
  int n = __VERIFIER_nondet_int();
  if (n != 7)
    x = 1;
  assert(x);
}
";
    check(
        "omitted.c",
        program,
        &[],
        &expect![[r#"
        omitted.c:8: an assertion fails

        Inputs
          step 2    omitted.c:5  __VERIFIER_nondet_int() = 7

           1     4  int x = 0;                                        x := 0
           2     5  int n = __VERIFIER_nondet_int();                  n := 7; __VERIFIER_nondet_int() gives 7
           3     6  if (n != 7)                                       n = 7 (step 2)
           4     8  assert(x);                                        x = 0 (step 1); an assertion fails
        VERDICT: false(unreach-call)
    "#]],
    );
    let program = r"#include <assert.h>
#include <pthread.h>
int done, late;
void *finish(void *arg) {
  if (!late)
    done = 1;
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, finish, 0);
  late = 1;
  pthread_join(thread, 0);
  assert(done);
}
";
    check(
        "late.c",
        program,
        &[],
        &expect![[r#"
        late.c:14: an assertion fails

        Threads: 0 main, 1 finish
         step  0 1
           1   ● │   11  pthread_create(&thread, 0, finish, 0);            starts thread 1 (finish)
           2   ● │   12  late = 1;                                         late := 1
           4↷  │ ●   5   if (!late)                                        late = 1 (step 2)
           6↷  ● │   13  pthread_join(thread, 0);                          joins thread 1
           7   ● │   14  assert(done);                                     done = 0 (initial); an assertion fails
        folded: 2 steps from which no value or branch leads to the violation (--full shows all)
        VERDICT: false(unreach-call)
    "#]],
    );
}

/// Copies byte by byte are told as what they copy, bit-fields as themselves, and nothing that a terminal obeys is printed.
#[test]
fn values_as_the_source_has_them() {
    let program = "#include <assert.h>\n#include <string.h>\nstruct bits { unsigned a : 3; int b : 5; } bits = {6, -4};\nint from, to;\n\
        int main(void) {\n  char *text = \"\x1b[31mred\"; /* \x1b[2J */\n  from = 256;\n  memcpy(&to, &from, sizeof to);\n  \
        static unsigned char small = 200;\n  assert(bits.b == 4 || to != 256 || small != 200 || text[3] != '1');\n}\n";
    check(
        "values.c",
        program,
        &[],
        &expect![[r#"
        values.c:10: an assertion fails

           1     6   char *text = "␛[31mred"; /* ␛[2J */               text := "\x1b[31mred"
           2     7   from = 256;                                       from := 256
           3     8   memcpy(&to, &from, sizeof to);                    from = 256 (step 2); to := 256
           4     10  assert(bits.b == 4 || to != 256 || small != 200…  bits.{a, b} = {6, -4} (initial); to = 256 (step 3); small = 200 (initial); an assertion fails
        VERDICT: false(unreach-call)
    "#]],
    );
}

/// Pointers are told by the object that they were made for, also when it is gone and its memory is used again; records that end with an array, and members of a union, have their names.
#[test]
fn names_of_what_is_gone() {
    check(
        "gone.c",
        r#"
#include <assert.h>
#include <stdlib.h>
struct list { int length; int items[]; } *list;
union number { struct { short low, high; }; int i; float f; } number;
int *old, *leak, *fresh;
int *make(void) { return malloc(4); }
void leaks(void) { int local = 1; leak = &local; }
int main(void) {
    old = malloc(4);
    free(old);
    leaks();
    fresh = make();
    list = malloc(sizeof *list + 3 * sizeof(int));
    list->items[2] = 7;
    number.f = 1.5f;
    long double third = 1.0L / 3;
    number.i += number.high;
    if (old && leak && fresh && list->items[2] == 7 && number.i && third > 0)
        assert(0);
}
"#,
        &[],
        &expect![[r#"
            gone.c:20: an assertion fails

               1     10  old = malloc(4);                                  old := old#1; allocates old#1
               3     12  leaks();                                          calls leaks
               4     8   void leaks(void) { int local = 1; leak = &local…  leak := &local
               6     13  fresh = make();                                   calls make
               7     7   int *make(void) { return malloc(4); }             allocates fresh#1
               8     13  fresh = make();                                   fresh := fresh#1; make returns fresh#1
               9     14  list = malloc(sizeof *list + 3 * sizeof(int));    list := list#1; allocates list#1
              10     15  list->items[2] = 7;                               list = list#1 (step 9); list#1->items[2] := 7
              11     16  number.f = 1.5f;                                  number.f := 1.5
              12     17  long double third = 1.0L / 3;                     third := about 0.3333333333333333
              13     18  number.i += number.high;                          number.high = 16320 (step 11); number.i = 1069547520 (step 11); number.i := 1069563840
              14     19  if (old && leak && fresh && list->items[2] == 7…  old = old#1 (freed) (step 1); leak = &local (out of scope) (step 4); fresh = fresh#1 (step 8); list…
              15     20  assert(0);                                        an assertion fails
            folded: 2 steps from which no value or branch leads to the violation (--full shows all)
            VERDICT: false(unreach-call)
        "#]],
    );
}
