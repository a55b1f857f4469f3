//! `raddle validate` confirms what is right, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program in a folder of its own.
struct Case {
    folder: PathBuf,
    file: &'static str,
}

impl Case {
    fn new(name: &str, file: &'static str, text: &str) -> Case {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("validate-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), text).unwrap();
        Case { folder, file }
    }

    fn run(&self, args: &[&str]) -> (String, i32) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        let output =
            command.args(args).args(["--timeout", "60s", self.file]).current_dir(&self.folder).output().unwrap();
        let text = [output.stderr, output.stdout].concat();
        (String::from_utf8_lossy(&text).into_owned(), output.status.code().unwrap_or(-1))
    }

    /// The witness that `verify` writes.
    fn witness(&self, args: &[&str]) -> String {
        self.run(&[&["verify", "--quiet", "--witness", "w.yml"], args].concat());
        fs::read_to_string(self.folder.join("w.yml")).unwrap()
    }

    /// The last line and the exit status for a witness, and all that was said.
    fn validate(&self, witness: &str) -> (String, i32, String) {
        fs::write(self.folder.join("v.yml"), witness).unwrap();
        let (text, status) = self.run(&["validate", "--witness", "v.yml"]);
        (text.lines().last().unwrap_or_default().to_owned(), status, text)
    }

    fn confirms(&self, witness: &str, verdict: &str) {
        let (last, _, all) = self.validate(witness);
        assert_eq!(last, format!("VERDICT: {verdict}"), "{witness}\n{all}");
    }

    /// The witness is no evidence, and this is said of it.
    fn rejects(&self, witness: &str, words: &str) {
        let (last, status, all) = self.validate(witness);
        assert_eq!((last.as_str(), status), ("VERDICT: unknown(rejected)", 2), "{witness}\n{all}");
        assert!(all.contains(words), "{all}");
    }

    /// The witness is no evidence, whatever the reason.
    fn doubts(&self, witness: &str) {
        let (last, status, all) = self.validate(witness);
        assert_eq!(status, 2, "{last}\n{witness}\n{all}");
    }

    /// It is no witness of this task at all.
    fn refuses(&self, witness: &str, words: &str) {
        let (last, status, all) = self.validate(witness);
        assert_eq!((last.as_str(), status), ("VERDICT: unknown(input-error)", 3), "{witness}\n{all}");
        assert!(all.contains(words), "{all}");
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A change that changes something.
fn changed(text: &str, from: &str, to: &str) -> String {
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "no `{from}` in\n{text}");
    changed
}

/// A witness as another tool might write it, with the metadata of one of ours.
fn foreign(ours: &str, kind: &str, content: &str) -> String {
    let (head, _) = ours.split_once("  content:").unwrap();
    let head = head.replace("invariant_set", kind).replace("violation_sequence", kind);
    format!("{head}  content:\n{content}")
}

fn waypoint(kind: &str, action: &str, line: u32, constraint: &str) -> String {
    let constraint = match constraint {
        "" => String::new(),
        value => format!("        constraint: {{value: '{value}'}}\n"),
    };
    format!(
        "    - waypoint:\n        type: {kind}\n        action: {action}\n        location: {{file_name: 'a.c', line: {line}}}\n{constraint}"
    )
}

fn segment(waypoints: &[String]) -> String {
    format!("  - segment:\n{}", waypoints.concat())
}

const INPUTS: &str = r"extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int limit(int n) {
  if (n > 100)
    n = 100;
  return n;
}
int main(void) {
  int sum = 0, x;
  for (int i = 0; i < 3; i++) {
    x = __VERIFIER_nondet_int();
    sum += limit(x);
  }
  if (sum == 107)
    reach_error();
  if (sum == 108)
    reach_error();
  return 0;
}
";

#[test]
fn a_violation_and_what_is_none() {
    let case = Case::new("violation", "a.c", INPUTS);
    let witness = case.witness(&[]);
    case.confirms(&witness, "false(unreach-call)");
    // Another target, which these inputs do not reach, and one that is no error.
    let (line, other) = if witness.contains("line: 15") { ("line: 15", "line: 17") } else { ("line: 17", "line: 15") };
    case.rejects(&changed(&witness, line, other), "no execution that follows the witness");
    case.rejects(&changed(&witness, line, "line: 18"), "no execution that follows the witness");
    case.rejects(&changed(&witness, line, "line: 7"), "no statement begins here");
    // Another input.
    let (before, value) = witness.split_once("== ").unwrap();
    let (_, after) = value.split_once('\n').unwrap();
    case.rejects(&format!("{before}== -123456\n{after}"), "no execution that follows the witness");
    // Another place.
    case.rejects(&changed(&witness, "line: 11", "line: 12"), "no call ends here");
    // Without columns, it means the same.
    let lines: Vec<&str> = witness.lines().filter(|line| !line.contains("column:")).collect();
    case.confirms(&lines.join("\n"), "false(unreach-call)");
}

#[test]
fn witnesses_of_something_else() {
    let case = Case::new("other", "a.c", INPUTS);
    let witness = case.witness(&[]);
    case.refuses("nonsense", "this is no witness");
    case.refuses(&changed(&witness, "LP64", "ILP32"), "its data model is ILP32");
    case.refuses(&changed(&witness, "reach_error()", "other()"), "its specification is another one");
    case.refuses(&changed(&witness, "format_version: \"2.0\"", "format_version: \"2.2\""), "in version 2.2");
}

#[test]
fn waypoints_of_other_tools() {
    let case = Case::new("foreign", "a.c", INPUTS);
    let ours = case.witness(&[]);
    let target = segment(&[waypoint("target", "follow", 15, "")]);
    let check = |segments: &[String], verdict: &str| {
        let (last, _, all) = case.validate(&foreign(&ours, "violation_sequence", &segments.concat()));
        assert_eq!(last, format!("VERDICT: {verdict}"), "{}\n{all}", segments.concat());
    };
    check(std::slice::from_ref(&target), "false(unreach-call)");
    let assume = |line, value| segment(&[waypoint("assumption", "follow", line, value)]);
    check(&[assume(12, "x == 7 && i == 1"), target.clone()], "false(unreach-call)");
    check(&[assume(12, "i == 3"), target.clone()], "unknown(rejected)");
    check(&[assume(12, "nobody == 3"), target.clone()], "unknown(rejected)");
    check(&[assume(14, "sum == 107"), target.clone()], "false(unreach-call)");
    check(&[assume(14, "sum == 106"), target.clone()], "unknown(rejected)");
    let branch = |action, value| waypoint("branching", action, 4, value);
    check(&[segment(&[branch("follow", "true")]), target.clone()], "false(unreach-call)");
    // Without a limit, and with it at every time: 300 is no sum of the two.
    let never = segment(&[branch("avoid", "true"), waypoint("target", "follow", 15, "")]);
    check(&[never], "false(unreach-call)");
    let always = segment(&[branch("avoid", "false"), waypoint("target", "follow", 15, "")]);
    check(&[always], "unknown(rejected)");
    let result = |line, value: &str| {
        segment(&[waypoint("function_return", "follow", line, value).replace("'}", "', format: acsl_expression}")])
    };
    check(&[result(12, r"\result == 100"), target.clone()], "false(unreach-call)");
    check(&[result(12, r"\result > 100"), target.clone()], "unknown(rejected)");
    check(&[segment(&[waypoint("function_enter", "follow", 12, "")]), target], "false(unreach-call)");
}

const THREADS: &str = r"#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int counter, last;
void *add(void *amount) {
  int old = counter;
  counter = old + *(int *)amount;
  last = *(int *)amount;
  return 0;
}
int main(void) {
  pthread_t one, two;
  int a = __VERIFIER_nondet_int(), b = 2;
  pthread_create(&one, 0, add, &a);
  pthread_create(&two, 0, add, &b);
  pthread_join(one, 0);
  pthread_join(two, 0);
  if (a == 5 && counter == 5 && last == 2)
    reach_error();
}
";

#[test]
fn threads_take_turns() {
    let case = Case::new("threads", "a.c", THREADS);
    let witness = case.witness(&[]);
    assert!(witness.contains("type: assumption"), "{witness}");
    case.confirms(&witness, "false(unreach-call)");
    case.doubts(&changed(&witness, "== 5", "== 6"));
    // The second thread cannot be over before the first one begins.
    let (head, target) = witness.rsplit_once("  - segment:").unwrap();
    let turn = |thread: u32, line: u32| {
        let text = segment(&[waypoint("assumption", "follow", line, "1")]);
        text.replace("        location", &format!("        thread_id: {thread}\n        location"))
    };
    let creations = head.split("  - segment:").filter(|part| part.contains("function_") || part.contains("entry_type"));
    let head: Vec<&str> = creations.collect();
    let with =
        |turns: &[String]| format!("{}\n{}  - segment:{target}", head.join("  - segment:").trim_end(), turns.concat());
    // `last` is what the second one writes, on line 8.
    case.confirms(&with(&[turn(1, 6), turn(2, 8)]), "false(unreach-call)");
    case.doubts(&with(&[turn(2, 8), turn(1, 6)]));
}

/// A target is left by jumps, and entered again by recursion.
#[test]
fn errors_inside_the_target_only() {
    let program = r"extern void reach_error(void);
int same(int x) {
  return x;
}
int main(void) {
  int x = same(1);
  if (x)
    goto out;
  x = 2;
out:
  reach_error();
  return x;
}
";
    let case = Case::new("inside", "a.c", program);
    let witness = case.witness(&[]);
    let at = |line: u32| foreign(&witness, "violation_sequence", &segment(&[waypoint("target", "follow", line, "")]));
    case.confirms(&at(11), "false(unreach-call)");
    case.doubts(&at(3));
    case.doubts(&at(7));
    case.doubts(&at(8));
    let recursive = r"extern void reach_error(void);
int down(int n) {
  int m = n == 0 ? 0 : down(n - 1) + (reach_error(), 1);
  return m;
}
int main(void) { return down(2); }
";
    let case = Case::new("recursive", "a.c", recursive);
    case.confirms(&case.witness(&[]), "false(unreach-call)");
    let pointer = r"extern void reach_error(void);
int main(void) {
  void (*fail)(void) = reach_error;
  fail();
  return 0;
}
";
    let case = Case::new("pointer", "a.c", pointer);
    case.confirms(&case.witness(&[]), "false(unreach-call)");
}

/// Macros have no columns: what is told of their lines must not mean other statements.
#[test]
fn threads_on_one_line() {
    let program = r"#include <assert.h>
#include <pthread.h>
#define SPAWN(id, f) pthread_create(&id, 0, f, 0)
int g;
void *work(void *arg) { g++; return 0; }
void *other(void *arg) { g = 7; return 0; }
int main(void) { pthread_t a, b; SPAWN(a, work); SPAWN(b, other); pthread_join(a, 0); pthread_join(b, 0); assert(g == 7 || g == 1); }
";
    let case = Case::new("line", "a.c", program);
    let witness = case.witness(&[]);
    case.confirms(&witness, "false(unreach-call)");
    // A witness that tells of one thread only gives it the number 1.
    let (head, rest) = witness.split_once("  - segment:").unwrap();
    let (_, rest) = rest.split_once("  - segment:").unwrap();
    case.doubts(&format!("{head}  - segment:{rest}").replace("thread_id: 2", "thread_id: 1"));
}

/// Thousands of threads, of which two matter.
const CROWD: &str = r"#include <pthread.h>
extern void reach_error(void);
int inside;
void *work(void *arg) {
  inside = inside + 1;
  inside = inside - 1;
  return 0;
}
int main(void) {
  pthread_t ids[3000];
  for (int i = 0; i < 3000; i++)
    pthread_create(&ids[i], 0, work, 0);
  pthread_join(ids[7], 0);
  if (inside == 1)
    reach_error();
  return 0;
}
";

#[test]
fn a_crowd_takes_turns() {
    let case = Case::new("crowd", "a.c", CROWD);
    let witness = case.witness(&["--engine", "oc"]);
    assert!(witness.matches("type: function_enter").count() >= 3000, "{} bytes", witness.len());
    case.confirms(&witness, "false(unreach-call)");
}

const LOOPS: &str = r"extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
  int a[2] = {1, 2}, *p = 0;
  while (i < n) {
    i++;
    j++;
  }
  for (int k = 0; k < 2; k++)
    j += a[k];
  if (i != n)
    reach_error();
  return p != 0;
}
";

#[test]
fn proofs_and_what_are_none() {
    let case = Case::new("proof", "a.c", LOOPS);
    let witness = case.witness(&["--engine", "cegar"]);
    case.confirms(&witness, "true");
    let claim = |kind: &str, line: u32, value: &str| {
        let location = format!("location: {{file_name: a.c, line: {line}}}");
        let content = format!(
            "  - invariant:\n      type: {kind}\n      {location}\n      value: '{value}'\n      format: c_expression\n"
        );
        foreign(&witness, "invariant_set", &content)
    };
    case.confirms(&claim("loop_invariant", 6, "i <= n && i == j"), "true");
    case.confirms(&claim("loop_invariant", 10, "k >= 0 && k <= 2 && i == n"), "true");
    case.confirms(&claim("location_invariant", 12, "i == n"), "true");
    case.rejects(&claim("loop_invariant", 6, "i < n"), "the invariant `i < n` does not hold");
    case.rejects(&claim("loop_invariant", 10, "k < 2"), "the invariant `k < 2` does not hold");
    case.rejects(&claim("location_invariant", 12, "j == n"), "does not hold");
    case.rejects(&claim("location_invariant", 12, "k == 2"), "`k` is not declared");
    case.rejects(&claim("location_invariant", 12, "i++ < n"), "side effects");
    case.rejects(&claim("loop_invariant", 12, "1"), "no loop begins here");
    case.rejects(&claim("loop_invariant", 6, "i <= "), "cannot be evaluated here");
    // An invalid access ends a path. It must not hide what comes behind it.
    let text = LOOPS.replace("if (i != n)", "if (i == n)");
    let wrong = Case::new("hidden", "a.c", &text);
    let (_, hash) = witness.split_once("a.c: ").unwrap();
    let hidden =
        claim("location_invariant", 12, "*p == 0").replace(&hash[..64], &raddle_witness::hash(text.as_bytes()));
    fs::write(wrong.folder.join("v.yml"), hidden).unwrap();
    let (all, status) = wrong.run(&["validate", "--witness", "v.yml", "--engine", "cegar"]);
    assert_eq!(status, 2, "{all}");
}

const SCOPES: &str = r"extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
enum { N = 1 };
int main(void) {
  char c = __VERIFIER_nondet_uchar();
  char *p = &c;
  if (N != 1)
    reach_error();
  return *p;
}
";

/// A witness changes nothing of the program: it declares nothing, ends no path, and its numbers are those that it writes.
#[test]
fn a_witness_changes_no_meaning() {
    let safe = Case::new("safe", "a.c", SCOPES);
    let witness = safe.witness(&[]);
    let target = segment(&[waypoint("target", "follow", 8, "")]);
    let declares = segment(&[waypoint("assumption", "follow", 7, "sizeof(enum { N = 5 }) == 4")]) + &target;
    safe.doubts(&changed(&foreign(&witness, "violation_sequence", &declares), "\"2.1\"", "\"2.0\""));
    let text = SCOPES.replace("N != 1", "N == 1");
    let wrong = Case::new("unsafe", "a.c", &text);
    let (_, hash) = witness.split_once("a.c: ").unwrap();
    let claim = |value: &str| {
        let location = "location: {file_name: a.c, line: 7}";
        let content = format!(
            "  - invariant:\n      type: location_invariant\n      {location}\n      value: '{value}'\n      format: c_expression\n"
        );
        foreign(&witness, "invariant_set", &content).replace(&hash[..64], &raddle_witness::hash(text.as_bytes()))
    };
    for value in ["sizeof(enum { N = 5 }) == 4", "*(long long *)&c || 1", "1"] {
        wrong.doubts(&claim(value));
    }
    let own = wrong.witness(&[]);
    wrong.confirms(&own, "false(unreach-call)");
    let returned = |value: &str| {
        let written =
            changed(&waypoint("function_return", "follow", 5, value), "'}\n", "', format: acsl_expression}\n");
        let content = segment(&[written]) + &target;
        foreign(&own, "violation_sequence", &content)
    };
    wrong.confirms(&returned(r"\result == 200"), "false(unreach-call)");
    wrong.doubts(&returned(r"\result == 300"));
}

/// An invariant of `a.c`, with the metadata of one of our witnesses.
fn invariant(ours: &str, kind: &str, place: &str, value: &str) -> String {
    let location = format!("location: {{file_name: a.c, {place}}}");
    let content = format!(
        "  - invariant:\n      type: {kind}\n      {location}\n      value: '{value}'\n      format: c_expression\n"
    );
    foreign(ours, "invariant_set", &content)
}

const ONE_LINE: &str = r"#define TWICE(s) s s
int main(void) {
  int i = 0, b = 3;
  TWICE(while (i < b) i++; b = 9;)
  int j = 0, k = 0; while (j < 2) j++; while (k < 3) k++;
  return i;
}
";

/// A claim is one about every copy that a macro makes; with a wrong column, about the whole line.
#[test]
fn a_claim_holds_wherever_it_may_be_meant() {
    let case = Case::new("line", "a.c", ONE_LINE);
    let ours = case.witness(&[]);
    let claim = |place: &str, value: &str| invariant(&ours, "loop_invariant", place, value);
    case.confirms(&claim("line: 4, column: 9", "i <= 9"), "true");
    case.rejects(&claim("line: 4, column: 9", "i <= 3"), "`i <= 3` does not hold");
    case.rejects(&claim("line: 4", "i <= 3"), "`i <= 3` does not hold");
    // Without a column it is the first loop, with one that of the column.
    case.confirms(&claim("line: 5", "k < 3"), "true");
    case.confirms(&claim("line: 5, column: 40", "j == 2"), "true");
    case.rejects(&claim("line: 5, column: 40", "k < 3"), "`k < 3` does not hold");
    case.confirms(&claim("line: 5, column: 39", "k <= 3"), "true");
    case.rejects(&claim("line: 5, column: 39", "k < 3"), "`k < 3` does not hold");
}

const MEMORY: &str = r"#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int g[3];
struct pair { int x, y; };
static int swapped(struct pair p) { return 2 * p.y + p.x; }
int main(void) {
  int a[2] = {1, 2}, zero = 0, i = __VERIFIER_nondet_int() & 1;
  int *p = malloc(sizeof *p);
  *p = 3;
  g[i] = 1;
  free(p);
  return a[0] + zero + swapped((struct pair){1, 2});
}
";

/// An invariant that is not defined does not hold.
#[test]
fn what_is_not_defined_does_not_hold() {
    let case = Case::new("undefined", "a.c", MEMORY);
    let ours = case.witness(&[]);
    let claim = |line: u32, value: &str| invariant(&ours, "location_invariant", &format!("line: {line}"), value);
    case.confirms(&claim(11, "a[i] == i + 1 && g[i] == 1 && g[i + 1] == 0"), "true");
    case.confirms(&claim(11, "zero == 0 || 1 / zero == 0"), "true");
    for value in ["1 / zero || 1", "a[i + 1] || 1", "g[i - 1] || 1", "*(int *)8 == 3", "*(int *)0 || 1"] {
        case.rejects(&claim(11, value), "is not defined");
    }
    case.confirms(&claim(5, "p.x == 1 && (&p)->y == 2"), "true");
    case.rejects(&claim(5, "(&p)[1].x || 1"), "is not defined");
    // Whether a pointer is valid is not known; that an invariant fails is.
    case.doubts(&claim(12, "*p == 3"));
    case.doubts(&claim(11, "*p == 3"));
    case.rejects(&claim(11, "*p == 4"), "`*p == 4` does not hold");
    case.confirms(&claim(11, "zero == 0 || *p == 3"), "true");
}

const ASSERTS: &str = r"#include <assert.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int() & 3;
  assert(x != 2);
  if (x == 3)
    reach_error();
  return 0;
}
";

/// The specification says which part of the property a witness is about, and this part is checked.
#[test]
fn assertions_and_error_calls() {
    let calls = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
    let asserts = "CHECK( init(main()), LTL(G assert) )";
    let only_assert = ASSERTS.replace("x == 3", "x == 2");
    let case = Case::new("assert", "a.c", &only_assert);
    let failed = case.witness(&[]);
    assert!(failed.contains(asserts) && !failed.contains(calls), "{failed}");
    case.confirms(&failed, "false(unreach-call)");
    case.rejects(&changed(&failed, asserts, calls), "no execution that follows the witness");
    fs::write(case.folder.join("u.prp"), calls).unwrap();
    let holds = case.witness(&["--property", "u.prp"]);
    assert!(holds.contains(calls) && !holds.contains(asserts), "{holds}");
    case.confirms(&holds, "true");
    assert!(case.validate(&holds).2.contains("Only calls of the error function were checked"));
    case.rejects(&changed(&holds, calls, asserts), "the property is violated");
    // Both.
    let safe = Case::new("both", "a.c", &ASSERTS.replace("& 3", "& 1"));
    let holds = safe.witness(&[]);
    assert!(holds.contains(calls) && holds.contains(asserts), "{holds}");
    safe.confirms(&holds, "true");
    let without = Case::new("without", "a.c", &ASSERTS.replace("& 3", "& 1").replace("assert(x != 2);", ""));
    assert!(!without.validate(&without.witness(&[])).2.contains("Only calls"));
    // Only calls.
    let called = Case::new("call", "a.c", &ASSERTS.replace("x != 2", "x >= 0"));
    let witness = called.witness(&[]);
    assert!(witness.contains(calls) && !witness.contains(asserts), "{witness}");
    called.confirms(&witness, "false(unreach-call)");
    called.doubts(&changed(&witness, calls, asserts));
}

/// A program of one thread has thread 0 only; files of the same contents are told apart by their names.
#[test]
fn threads_and_files_that_there_are() {
    let case = Case::new("alone", "a.c", INPUTS);
    let ours = changed(&case.witness(&[]), "\"2.0\"", "\"2.2\"");
    let target = |thread: u32| {
        let target = waypoint("target", "follow", 15, "") + &format!("        thread_id: {thread}\n");
        let enter = waypoint("function_enter", "follow", 12, "") + "        thread_id: 0\n";
        foreign(&ours, "violation_sequence", &(segment(&[enter]) + &segment(&[target])))
    };
    case.confirms(&target(0), "false(unreach-call)");
    case.rejects(&target(1), "there is no thread 1");
    for copy in ["b.c", "c.c"] {
        fs::write(case.folder.join(copy), "static int unused;\n").unwrap();
    }
    let witness = case.witness(&["b.c", "c.c"]);
    fs::write(case.folder.join("v.yml"), &witness).unwrap();
    let (text, status) = case.run(&["validate", "--witness", "v.yml", "b.c", "c.c"]);
    assert_eq!(status, 1, "{text}");
}

const CHARACTERS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  const char *s = \"éé\"; int x = __VERIFIER_nondet_int(), y = (__VERIFIER_nondet_int)();
  if (x == 7 && y == 8 && *s)
    reach_error();
  return 0;
}
";

/// Columns are those of characters, not of bytes; the name of a function may stand in parentheses.
#[test]
fn columns_count_characters() {
    let case = Case::new("characters", "a.c", CHARACTERS);
    let witness = case.witness(&[]);
    case.confirms(&witness, "false(unreach-call)");
    let line: Vec<char> = CHARACTERS.lines().nth(3).unwrap().chars().collect();
    let columns: Vec<usize> = (0..line.len()).filter(|at| line[*at] == ')' && line[at - 1] == '(').collect();
    for column in columns {
        assert!(witness.contains(&format!("column: {}\n", column + 1)), "{column} in {witness}");
    }
    for value in ["7.0", "7LL"] {
        case.confirms(&changed(&witness, "result == 7", &format!("result == {value}")), "false(unreach-call)");
    }
}

const NUMBERS: &str = r"struct pair { int a[2]; int b; };
int grid[2][3];
int main(void) {
  int min = -2147483647 - 1, max = 2147483647, one = 1, minus = -1, square = 65536;
  double large = 3e9, nan = 0.0 / 0.0;
  struct pair s = {{1, 2}, 3};
  return one + minus;
}
";

/// Nor does one that overflows, shifts too far, converts what does not fit, or leaves an array inside of an object.
#[test]
fn undefined_arithmetic_does_not_hold() {
    let case = Case::new("arithmetic", "a.c", NUMBERS);
    let ours = case.witness(&[]);
    let claim = |value: &str| invariant(&ours, "location_invariant", "line: 7", value);
    case.confirms(&claim("max - 1 < max && 0u - 1 > 0 && (one << 30) > 0 && min >> 31 == -1 && -max < 0"), "true");
    case.confirms(&claim("(long)large == 3000000000 && (unsigned)large > 1 && (char)(large / 3e9 + 0.5) == 1"), "true");
    case.confirms(&claim("grid[1][2] == 0 && s.a[1] == 2 && &s.a[2] != s.a && grid[0] + 3 != grid[0]"), "true");
    case.confirms(
        &claim("(grid[0] + 3)[-1] == 0 && (&s.a[1])[-1] == 1 && *(&s.b) == 3 && ((char *)&s)[4] == 2"),
        "true",
    );
    case.confirms(&claim("max < 0 && max + 1 < 0 || (max < 0 ? max + 1 : 1)"), "true");
    let arithmetic = ["max + 1 < max", "square * square == 0", "-min == min", "min - 1 > 0", "min / minus || 1"];
    let shifts = ["min % minus || 1", "one << 32 || 1", "one >> minus || 1", "one << 31 || 1", "minus << 1 || 1"];
    let others = ["(int)large || 1", "(unsigned)-large || 1", "(int)nan || 1", "1 << 4294967296 || 1"];
    let inner = ["grid[0][5] == 0", "s.a[2] || 1", "grid[0] + 4 != 0", "0 || max + 1 || 1"];
    let sums = ["(grid[0] + 1)[2] || 1", "(&grid[0][1])[2] || 1", "(&s.a[1])[1] || 1", "(&s.b)[-1] || 1"];
    for value in [&arithmetic[..], &shifts, &others, &inner, &sums].concat() {
        case.rejects(&claim(value), "is not defined");
    }
    // What declares labels is no condition.
    case.rejects(&claim("sizeof(({L: 1;})) == 4"), "with statements");
}

const SPREAD: &str = r#"#define ID(s) s
int main(void) {
  int i = 0, k = 0, b = 0; const char *s = "ééé"; while (i < 1) i++; while (b < 9) b++;
  ID(
  while (k < 9) k++; b = 9;) while (k < 12) k++;
  return i + b + !s;
}
"#;

/// Places that preprocessing moves elsewhere, or that are in several units, are not guessed; columns in characters and in bytes are.
#[test]
fn places_that_are_not_clear() {
    let case = Case::new("spread", "a.c", SPREAD);
    let ours = case.witness(&[]);
    let claim = |place: &str, value: &str| invariant(&ours, "loop_invariant", place, value);
    for place in ["line: 5", "line: 5, column: 3"] {
        let (last, _, all) = case.validate(&claim(place, "k <= 12 && k >= 9"));
        assert_eq!(last, "VERDICT: unknown(unsupported)", "{all}");
    }
    case.confirms(&claim("line: 5, column: 30", "k <= 12 && k >= 9"), "true");
    case.confirms(&claim("line: 3, column: 70", "b <= 9 && i == 1"), "true");
    case.confirms(&claim("line: 3, column: 73", "b <= 9 && i == 1"), "true");
    let other = Case::new("included", "b.c", "#define main other\n#include \"a.c\"\n");
    fs::write(other.folder.join("a.c"), fs::read(case.folder.join("a.c")).unwrap()).unwrap();
    let ours = other.witness(&["a.c"]);
    let location = "location: {file_name: a.c, line: 3}";
    let content = format!(
        "  - invariant:\n      type: loop_invariant\n      {location}\n      value: 'i <= 1'\n      format: c_expression\n"
    );
    fs::write(other.folder.join("v.yml"), foreign(&ours, "invariant_set", &content)).unwrap();
    let (text, _) = other.run(&["validate", "--witness", "v.yml", "a.c"]);
    assert!(text.contains("another input file includes this one") && text.contains("unknown(unsupported)"), "{text}");
}
