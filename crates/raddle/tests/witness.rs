//! `--witness` writes what the format asks for, with the lines and columns of the input file as it was given.

use raddle_testing::json_schema::violations;
use raddle_witness::{Content, Entry, Invariant, Item, Version, Waypoint, hash, read};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Does the text of a witness follow the schema of the format?
fn follows_schema(written: &str) {
    let schema: Value = serde_json::from_str(include_str!("../../../docs/schema/witness.json")).unwrap();
    let witness: Value = serde_saphyr::from_str(written).unwrap();
    assert_eq!(violations(&schema, &witness), Vec::<String>::new(), "{written}");
}

/// The witness of a program in a file of this name. `read` refuses what breaks a rule of the format.
fn witness(name: &str, text: &str, args: &[&str]) -> Entry {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("witness-{name}-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join(name), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(["verify", name, "--quiet", "--timeout", "60s", "--witness", "w.yml"]).args(args).current_dir(&dir);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let written = fs::read_to_string(dir.join("w.yml")).unwrap();
    // What holds according to the witness does hold.
    if written.contains("invariant_set") {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(["validate", name, "--timeout", "60s", "--witness", "w.yml"]).current_dir(&dir);
        let said = String::from_utf8_lossy(&command.output().unwrap().stdout).into_owned();
        assert_eq!(said.lines().last(), Some("VERDICT: true"), "{said}\n{written}");
    }
    fs::remove_dir_all(&dir).unwrap();
    follows_schema(&written);
    let mut entries = read(&written).unwrap_or_else(|problem| panic!("{problem}\n{written}"));
    let entry = entries.remove(0);
    assert_eq!(entry.metadata.task.input_files, [(name.to_owned(), hash(text.as_bytes()))]);
    entry
}

fn show(waypoint: &Waypoint) -> String {
    let thread = waypoint.thread_id.map_or(String::new(), |thread| format!("thread {thread} "));
    let column = waypoint.location.column.map_or("-".into(), |column| column.to_string());
    let value = waypoint.constraint.as_ref().map_or(String::new(), |constraint| format!(" {}", constraint.value));
    format!("{thread}{} {}:{column}{value}", waypoint.kind.name(), waypoint.location.line)
}

fn waypoints(entry: &Entry) -> Vec<String> {
    let Content::Violation(segments) = &entry.content else { panic!("{entry:?}") };
    segments.iter().flat_map(|segment| &segment.waypoints).map(show).collect()
}

const INPUTS: &str = r"extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x == -4)
    y = x + __VERIFIER_nondet_uchar( );
  if (y == 200)
    reach_error();
  return 0;
}
";

#[test]
fn inputs_and_the_target() {
    let entry = witness("inputs.c", INPUTS, &[]);
    assert_eq!(entry.metadata.version, Version::V2_0);
    let expected =
        [r"function_return 5:33 \result == -4", r"function_return 7:38 \result == 204", "target 9:5"].map(String::from);
    assert_eq!(waypoints(&entry), expected);
    // The lines of a preprocessed file are its own, whatever its markers say.
    let entry = witness("inputs.i", &format!("# 70 \"other.c\"\n{INPUTS}"), &[]);
    let expected = [r"function_return 6:33 \result == -4", r"function_return 8:38 \result == 204", "target 10:5"]
        .map(String::from);
    assert_eq!(waypoints(&entry), expected);
}

#[test]
fn columns_are_those_before_macros_are_expanded() {
    let text =
        "#include <assert.h>\n#define IN __VERIFIER_nondet_int()\nint __VERIFIER_nondet_int(void);\nint main(void) {
        int   x  = __VERIFIER_nondet_int( ) ;\n  int y = IN;\n  assert(x != 3 || y != 4);\n}\n";
    let entry = witness("macros.c", text, &[]);
    let expected = [r"function_return 5:43 \result == 3", r"function_return 6:- \result == 4", "target 7:-"];
    assert_eq!(waypoints(&entry), expected.map(String::from));
}

#[test]
fn threads() {
    let text = r"#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int shared;
void *worker(void *arg) {
  shared = __VERIFIER_nondet_int();
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  if (shared == 7) { reach_error(); }
  pthread_join(id, 0);
  return 0;
}
";
    let entry = witness("threads.c", text, &[]);
    assert_eq!(entry.metadata.version, Version::V2_2);
    let expected = [
        "thread 0 function_enter 11:35",
        "thread 1 assumption 6:3 1",
        r"thread 1 function_return 6:34 \result == 7",
        "thread 0 assumption 12:3 1",
        "thread 0 target 12:22",
    ];
    assert_eq!(waypoints(&entry), expected.map(String::from));
}

/// Loops that a proof has the same invariant of, told where it is one of the loop; `x` has one meaning, `y` might have two.
#[test]
fn invariants_at_loops() {
    let text = r"extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int y;
int main(void) {
  int x = 0; y = __VERIFIER_nondet_int(); if (y == 1) return 0;
  while (__VERIFIER_nondet_int()) {
    if (x == 0) x = 3;
    else x = 0;
  }
  if (x == 1) reach_error();
  do {
    if (x == 0) x = 3;
    else x = 0;
  } while (__VERIFIER_nondet_int());
  if (x == 1) reach_error();
  int y = 0;
  for (; __VERIFIER_nondet_int();) {
    if (y == 0) y = 3;
    else y = 0;
  }
  if (y == 1) reach_error();
  return 0;
}
";
    let entry = witness("loops.c", text, &["--engine", "cegar", "--domain", "expl"]);
    assert_eq!(entry.metadata.version, Version::V2_1);
    let value = "(((unsigned int)x == 0U) || ((unsigned int)x == 3U))";
    let wanted = ["loop 6:3", "location 7:5", "location 10:3", "location 12:5", "location 15:3"];
    assert_eq!(invariants(&entry), wanted.map(|place| format!("{place} {value}")));
}

/// Places, and what holds there.
fn invariants(entry: &Entry) -> Vec<String> {
    let Content::Invariants(items) = &entry.content else { panic!("{entry:?}") };
    let said = |item: &Item| match item {
        Item::Invariant(Invariant { kind, location, value, .. }) => {
            let (kind, column) = (kind.name().trim_end_matches("_invariant"), location.column.unwrap());
            format!("{kind} {}:{column} {value}", location.line)
        }
        Item::Contract(_) => panic!("{item:?}"),
    };
    items.iter().map(said).collect()
}

/// What holds is told where its names mean what they should: `check` stands above the declaration of `mode`, and in a block of `main` the name is a constant's.
#[test]
fn invariants_where_statements_begin() {
    let entry = witness("statements.c", STATEMENTS, &["--engine", "cegar", "--domain", "expl"]);
    let both = "((((unsigned char)mode == 200U) && ((unsigned int)x == 3U)) || (((unsigned int)x == 0U) && ((unsigned char)mode == 200U)))";
    let wanted = [
        // The labelled statement, the first one in the loop, the result, and the second case.
        "location 22:3 (((unsigned int)x == 0U) || (((unsigned char)mode == 200U) && ((unsigned int)x == 3U)))".into(),
        format!("location 25:5 {both}"),
        "location 17:3 ((unsigned char)mode == 200U)".into(),
        "location 12:5 ((unsigned char)mode == 200U)".into(),
    ];
    assert_eq!(invariants(&entry), wanted);
}

/// Of a shared variable something is known while a lock is held.
#[test]
fn invariants_of_shared_variables() {
    let entry = witness("lock.c", LOCKED, &["--engine", "cegar"]);
    let (out, any) = ("((unsigned int)inside == 0U)", "(((unsigned int)inside == 0U) || ((unsigned int)inside == 1U))");
    let wanted = [
        format!("location 14:3 {out}"),
        format!("location 16:3 {any}"),
        format!("location 6:3 {any}"),
        format!("location 7:3 {out}"),
        "location 8:3 ((unsigned int)inside == 1U)".into(),
    ];
    assert_eq!(invariants(&entry), wanted);
}

/// Engines that prove by induction tell what is inductive. The relation of `x` and `i` is one that no value says.
#[test]
fn invariants_of_inductions() {
    for engine in ["invariants", "kind", "imc"] {
        let entry = witness(&format!("{engine}.c"), DOUBLED, &["--engine", engine]);
        let told = invariants(&entry);
        let relation = "((unsigned int)x == (unsigned int)((unsigned int)i * 1ULL * 2U))";
        assert!(told.iter().any(|one| one.starts_with("loop 6:3 ") && one.contains(relation)), "{engine}: {told:?}");
    }
}

/// Of a shared variable: what holds under the lock, and what holds at any time.
#[test]
fn inductive_invariants_of_threads() {
    for engine in ["invariants", "modular"] {
        let entry =
            witness(&format!("{engine}-threads.c"), BALANCED, &["--engine", engine, "--invariants-time", "60000"]);
        let told = invariants(&entry);
        let has = |place: &str, words: &str| told.iter().any(|one| one.starts_with(place) && one.contains(words));
        assert!(has("loop 18:3 ", "((unsigned int)balance == 0U)"), "{engine}: {told:?}");
        assert!(has("location 16:3 ", "((unsigned int)balance == 4U)"), "{engine}: {told:?}");
        assert!(has("location 9:5 ", "((unsigned int)balance == 4U)"), "{engine}: {told:?}");
    }
}

const DOUBLED: &str = r"extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, i = 0;
  if (n < 0 || n > 1000000) return 0;
  while (i < n) {
    x += 2;
    i++;
  }
  if (x != 2 * i) reach_error();
  return 0;
}
";

const BALANCED: &str = r"#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t lock;
int balance;
void *worker(void *arg) {
  for (;;) {
    pthread_mutex_lock(&lock);
    balance = balance + 4;
    balance = balance - 4;
    pthread_mutex_unlock(&lock);
  }
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, worker, 0);
  pthread_mutex_lock(&lock);
  int k = 0;
  while (k < 10) {
    if (balance != 0) reach_error();
    k++;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
";

const STATEMENTS: &str = r"extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void check(int ok) {
  if (!ok) reach_error();
}
unsigned char mode;
int next(int x) {
  switch (x) {
  case 0:
    mode = 200;
  case 1:
    x = 3;
    break;
  default:
    x = 0;
  }
  return x;
}
int main(void) {
  int x = 0;
again:
  x = next(x);
  if (__VERIFIER_nondet_int()) goto again;
  do {
    x = next(x);
  } while (__VERIFIER_nondet_int());
  {
    enum { mode = 5 };
    check(x != 2);
  }
  check(mode == 0 || mode == 200);
  return 0;
}
";

const LOCKED: &str = r"#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t lock;
int inside;
void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  inside++;
  if (inside != 1) reach_error();
  inside--;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
";

/// A proof that needs no invariant has a witness without any; and the schema is not one that everything follows.
#[test]
fn an_empty_witness() {
    let entry = witness("empty.c", "int main(void) { return 0; }\n", &["--engine", "explore"]);
    assert_eq!((entry.metadata.version, entry.content), (Version::V2_1, Content::Invariants(Vec::new())));
    let schema: Value = serde_json::from_str(include_str!("../../../docs/schema/witness.json")).unwrap();
    for wrong in ["[]", "{}", "[{\"entry_type\": \"invariant_set\", \"content\": []}]"] {
        assert_ne!(violations(&schema, &serde_json::from_str(wrong).unwrap()), Vec::<String>::new(), "{wrong}");
    }
}

#[test]
fn an_automaton() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("witness-graphml-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("a.c"), INPUTS).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let args =
        ["verify", "a.c", "--quiet", "--timeout", "60s", "--witness", "w.graphml", "--witness-format", "graphml"];
    command.args(args).current_dir(&dir).output().unwrap();
    let written = fs::read_to_string(dir.join("w.graphml")).unwrap();
    fs::remove_dir_all(&dir).unwrap();
    for part in [
        "<data key=\"witness-type\">violation_witness</data>",
        "<data key=\"architecture\">64bit</data>",
        "<data key=\"assumption\">\\result == 204;</data>",
        "<data key=\"assumption.resultfunction\">__VERIFIER_nondet_uchar</data>",
        "<data key=\"violation\">true</data>",
    ] {
        assert!(written.contains(part), "no {part} in\n{written}");
    }
    assert_eq!(written.matches("<edge ").count(), 3);
}
