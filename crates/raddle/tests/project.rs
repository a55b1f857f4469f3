//! What a project needs around a verdict: several properties in one call, the flags of a build, the options of the project, and an archive.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for each test, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("project-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, text: &str) -> &Folder {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// What `raddle` says on standard output and standard error, and its exit status.
    fn raddle(&self, args: &[&str]) -> (String, String, Option<i32>) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        let output = command.args(args).current_dir(&self.0).env("LC_ALL", "C").output().unwrap();
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr), output.status.code())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn each_property_has_a_verdict() {
    let folder = Folder::new("properties");
    // A failed assertion counts by name; the file asks for `reach_error` alone.
    folder.write("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n");
    folder.write("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let both = ["--property", "reach.prp", "--property", "unreach-call", "--property", "termination"];
    let (out, err, status) = folder.raddle(&[&both[..], &["--quiet", "a.c"]].concat());
    let expected = "reach.prp: true\nunreach-call: false(unreach-call)\ntermination: unknown(unsupported)\n\
                    VERDICT: false(unreach-call)\n";
    assert_eq!((out.as_str(), err.as_str(), status), (expected, "", Some(1)));
    let stats = ["--format", "json", "--stats", "stats.json", "a.c"];
    let (out, _, status) = folder.raddle(&[&both[..], &stats].concat());
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let verdict = |at: usize| report["properties"][at]["verdict"].as_str().unwrap();
    assert_eq!((verdict(0), verdict(1), verdict(2)), ("true", "false(unreach-call)", "unknown(unsupported)"));
    assert_eq!((&report["verdict"], status), (&"false(unreach-call)".into(), Some(1)));
    let stats = fs::read_to_string(folder.0.join("stats.json")).unwrap();
    let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
    assert_eq!(stats["properties"][1]["property"], "unreach-call");
}

/// A build of two files with flags, from a folder beside the sources.
fn build(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("inc/limit.h", "#define LIMIT 3\n").write("src/config.h", "#define SCALE 2\n");
    folder.write(
        "src/half.c",
        "#if !defined NAME || defined OLD\n#error flags\n#endif\nint half(int x) { return x / SCALE; }\n",
    );
    let main = "#include <assert.h>\n#include <limit.h>\nint half(int);\nint main(void) { assert(half(2 * LIMIT) == WANTED); }\n";
    folder.write("src/main.c", main).write("build/.keep", "");
    folder.write("src/other.c", "int main(void) { return 0; }\n");
    let database = r#"[
  { "directory": "ROOT/build", "file": "../src/half.c",
    "command": "cc -O2 -DNAME=\\\"a\\ b\\\" -DOLD -U OLD -include ../src/config.h -o half.o -c ../src/half.c" },
  { "directory": "ROOT/build", "file": "ROOT/src/main.c",
    "arguments": ["cc", "-I../inc", "-D", "WANTED=3", "-std=c11", "-c", "ROOT/src/main.c"] }
]
"#;
    folder.write("build/compile_commands.json", &database.replace("ROOT", &folder.0.display().to_string()));
    folder
}

#[test]
fn a_build_says_what_its_files_need() {
    let folder = build("database");
    let with = |files: &[&str]| {
        let database = ["--quiet", "--compile-commands", "build/compile_commands.json"];
        folder.raddle(&[&database[..], files].concat())
    };
    assert_eq!(with(&[]), ("VERDICT: true\n".into(), String::new(), Some(0)));
    assert_eq!(with(&["src/main.c", "src/half.c"]).0, "VERDICT: true\n");
    // The command line comes last.
    let (out, err, status) = with(&["-DWANTED=4"]);
    assert_eq!((out.as_str(), status), ("VERDICT: false(unreach-call)\n", Some(1)), "{err}");
    let (_, err, status) = with(&["src/man.c"]);
    assert!(err.starts_with("src/man.c: No such file") && status == Some(3), "{err}");
    let (_, err, _) = with(&["src/other.c"]);
    assert_eq!(err, "build/compile_commands.json: error: src/other.c is not compiled there\n");
}

#[test]
fn databases_that_are_wrong() {
    let folder = build("wrong");
    let error = |text: &str| {
        folder.write("c.json", text);
        let (out, err, status) = folder.raddle(&["--compile-commands", "c.json"]);
        assert_eq!((out.as_str(), status), ("VERDICT: unknown(input-error)\n", Some(3)), "{err}");
        err
    };
    assert_eq!(error("[]"), "c.json:1: error: the compilation database is empty\n");
    let no_file = error("[\n { \"directory\": \".\" }\n]");
    assert_eq!(no_file, "c.json:2: error: this is no compilation database: missing field `file`\n");
    let entry = |file: &str, flags: &str| {
        format!("[\n\n {{ \"directory\": \"src\", \"file\": \"{file}\", \"command\": \"cc {flags}\" }}\n]")
    };
    let packed = error(&entry("other.c", "-fpack-struct=1 -c other.c"));
    assert_eq!(packed, "c.json:3: error: other.c: `-fpack-struct=1` is not supported\n");
    let cpp = error(&entry("a.cpp", "-c a.cpp"));
    assert!(cpp.starts_with("c.json:3: error: a.cpp: this is no C source: "), "{cpp}");
}

#[test]
fn a_project_has_options() {
    let folder = build("options");
    let options = "# For all of us.\nengine = \"explore\"\nmax-choices = 16\ntimeout = \"60s\"\ntrust-bound = false\n\
                   include-dirs = [\"inc\"]\ndefines = [\"WANTED=3\"]\n";
    folder.write("raddle.toml", options);
    folder.write("src/sum.c", "#include <assert.h>\n#include <limit.h>\nint main(void) { assert(LIMIT == WANTED); }\n");
    let verdict = |args: &[&str]| folder.raddle(args).0.lines().last().unwrap_or("").to_owned();
    let (out, err, status) = folder.raddle(&["src/sum.c"]);
    assert_eq!((err.as_str(), status), ("raddle: options from raddle.toml\n", Some(0)), "{out}");
    assert!(out.contains("states explored"), "{out}");
    // The command line wins.
    let (out, _, _) = folder.raddle(&["verify", "--engine", "oc", "src/sum.c"]);
    assert!(out.contains("events") && out.ends_with("VERDICT: true\n"), "{out}");
    assert_eq!(verdict(&["-DWANTED=4", "src/sum.c"]), "VERDICT: false(unreach-call)");
    let (_, err, status) = folder.raddle(&["simulate", "--quiet", "src/sum.c"]);
    assert_eq!((err.as_str(), status), ("", Some(0)));
    assert_eq!(verdict(&["--no-config", "src/sum.c"]), "VERDICT: unknown(input-error)");
    // A folder with `.git` is the whole of a project.
    folder.write("src/.git", "");
    assert_eq!(verdict(&["src/sum.c"]), "VERDICT: unknown(input-error)");
    // The sources may be those of a build.
    folder.write("raddle.toml", "compile-commands = \"build/compile_commands.json\"\nquiet = true\n");
    assert_eq!(folder.raddle(&[]), ("VERDICT: true\n".into(), String::new(), Some(0)));
}

#[test]
fn options_that_are_wrong_are_told_with_their_line() {
    let folder = Folder::new("wrong-options");
    folder.write("a.c", "int main(void) { return 0; }\n");
    let error = |line: &str, message: &str| {
        folder.write("raddle.toml", &format!("quiet = true\n{line}\n"));
        let expected = format!("raddle.toml:2: error: {message}\n 2 | {line}\n");
        let refused = "VERDICT: unknown(input-error)\n".to_owned();
        assert_eq!(folder.raddle(&["a.c"]), (refused, expected, Some(3)));
    };
    error("timout = 3", "there is no option `timout`: did you mean `timeout`?");
    error("xyzzy = 3", "there is no option `xyzzy`: `raddle verify --help` lists the options");
    error("timeout = \"soon\"", "`soon` does not begin with a number");
    error("trust-bound = \"yes\"", "`trust-bound` is true or false");
    error("engine = [\"oc\"]", "`engine` has one value, not a list");
    let engines = "[possible values: auto, explore, oc, cegar, invariants, modular, bmc, kind, imc]";
    error("engine = \"magic\"", &format!("invalid value 'magic' for '--engine <ENGINE>' {engines}"));
}

/// Does a line of the text match one of the patterns of an owner? They are written so that `grep -E` reads them as JavaScript does.
fn matches(matchers: &serde_json::Value, owner: &str, folder: &Folder, text: &str) -> bool {
    let matcher = matchers["problemMatcher"].as_array().unwrap().iter().find(|m| m["owner"] == owner).unwrap();
    folder.write("text", text);
    let pattern = matcher["pattern"][0]["regexp"].as_str().unwrap();
    Command::new("grep").args(["-Eq", pattern]).arg(folder.0.join("text")).status().unwrap().success()
}

#[test]
fn the_problem_matcher_finds_what_is_printed() {
    let folder = Folder::new("matcher");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/github/raddle.json");
    let matchers: serde_json::Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    for (owner, program) in [
        ("raddle-violation", "#include <assert.h>\nint main(void) { assert(0); }\n"),
        ("raddle-violation", "void reach_error(void);\nint main(void) { reach_error(); }\n"),
        ("raddle-input", "int main(void) { return 0 }\n"),
        ("raddle-gap", "int main(void) { int x; __asm__(\"rdpmc\" : \"=a\"(x)); return x; }\n"),
    ] {
        let (out, err, _) = folder.write("a.c", program).raddle(&["a.c"]);
        assert!(matches(&matchers, owner, &folder, &(out.clone() + &err)), "{owner}: {out}{err}");
    }
}

#[test]
fn the_archive_runs_in_an_empty_folder() {
    let folder = Folder::new("archive");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/archive.sh");
    let mut command = Command::new("sh");
    command.arg(script).arg(folder.0.join("raddle.zip")).env("RADDLE", env!("CARGO_BIN_EXE_raddle"));
    let packed = command.output().unwrap();
    let said = String::from_utf8_lossy(&packed.stderr).into_owned();
    if packed.status.code() == Some(77) {
        eprintln!("{said}");
        return;
    }
    assert!(packed.status.success(), "{said}");
    let unpack = "import zipfile; zipfile.ZipFile('raddle.zip').extractall()";
    assert!(Command::new("python3").args(["-c", unpack]).current_dir(&folder.0).status().unwrap().success());
    for file in
        ["raddle.py", "README.md", "LICENSE-MIT", "licenses/PACKAGES", "man/man1/raddle.1", "completions/raddle.zsh"]
    {
        assert!(folder.0.join("raddle").join(file).is_file(), "{file}");
    }
    let packages = fs::read_to_string(folder.0.join("raddle/licenses/PACKAGES")).unwrap();
    assert!(packages.contains("cadical-sys-") && !packages.contains("proptest"), "{packages}");
    folder.write("empty/a.c", "#include <assert.h>\nint main(void) { assert(1 + 1 == 2); }\n");
    // Unpacked by Python, which forgets that it may be run.
    let run = "chmod +x ../raddle/raddle && exec ../raddle/raddle --quiet a.c";
    let mut command = Command::new("sh");
    command.args(["-c", run]).current_dir(folder.0.join("empty")).env_clear().env("PATH", "/usr/bin:/bin");
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "VERDICT: true\n", "{output:?}");
}

const BANK: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct account { pthread_mutex_t lock; long balance; bool open; unsigned kind : 3; void *owner; };
static int limit = 10;
static int clamp(int n) {
  if (n > limit) n = limit;
  assert(n != -3);
  return n;
}
int length(struct node *list) {
  int n = 0;
  for (; list; list = list->next) n++;
  assert(n == 2);
  return n;
}
int sum(struct node *list) {
  int a = list->value, b = list->next->value;
  assert(!(a == 7 && b == 9));
  return a + b;
}
long deposit(struct account *a, unsigned n) {
  pthread_mutex_lock(&a->lock);
  assert(a->open == 0 || a->open == 1);
  long before = a->balance;
  if (before >= 0 && before < 100) a->balance += n;
  assert(a->balance >= before);
  pthread_mutex_unlock(&a->lock);
  return a->balance;
}
void release(struct node *n) {
  free(n->next);
  free(n);
  assert(limit != 10);
}
int greets(const char *text) { assert(text[0] != 'h' || text[1] != 'i' || text[2]); return text[8]; }
double half(struct { short a[3]; double d; } p, float f) { assert(p.a[1] != 5 || f != 2.5f); return p.d / 2; }
int call(int (*f)(int), int x) {
  assert(f);
  return x > 3 ? f(x) : 0;
}
int last(int *a) {
  int n = a[2];
  assert(n != 8);
  return n;
}
void *idle(void *arg) { assert(limit == 10); return 0; }
void *worker(void *arg) { return arg; }
void *job(void *arg) {
  struct account *account = arg;
  assert(account->balance != 77);
  return 0;
}
int third(int a[static 3]) { assert(a[2] != 8); return 0; }
int corner(int a[2][2]) { assert(a[1][1] != 6); return 0; }
int key(char k[12]) { assert(k[0] || k[11] != 'k'); return 0; }
int owned(struct account *a) { assert(a->owner); return 0; }
int unowned(struct account *a) { assert(!a->owner); return 0; }
int behind(struct account *a) {
  int *n = a->owner;
  assert(!n || *n != 4);
  return 0;
}
int level(enum { LOW, HIGH } l) { assert(l != HIGH); return LOW; }
int format(const char *text, ...) { return 0; }
union word { int *p; long n; };
void any(union word w) {}
"#;

#[test]
fn a_function_with_any_arguments() {
    let folder = Folder::new("function");
    folder.write("bank.c", BANK);
    let run = |function: &str| folder.raddle(&["--timeout", "60s", "--function", function, "bank.c"]);
    let verdict = |function: &str| run(function).0.lines().last().unwrap_or("").to_owned();
    for function in ["length", "deposit", "idle", "last"] {
        assert_eq!(verdict(function), "VERDICT: true", "{function}");
    }
    for (function, inputs) in [
        ("clamp", &["argument n = -3"][..]),
        ("sum", &["argument list->value = 7", "argument list->next->value = 9"]),
        ("greets", &["argument text[1] = 105 'i'", "argument text[2] = 0"]),
        ("half", &["argument p.a[1] = 5", "argument f = 2.5"]),
        ("job", &["argument arg->balance = 77"]),
        ("release", &[]),
        ("third", &["argument a[2] = 8"]),
        ("corner", &["argument a[1][1] = 6"]),
        ("key", &["argument k[11] = 107 'k'"]),
        ("owned", &[]),
        ("unowned", &[]),
        ("level", &["argument l = 1"]),
    ] {
        let (out, err, status) = run(function);
        assert_eq!(status, Some(1), "{function}: {out}{err}");
        inputs.iter().for_each(|input| assert!(out.contains(input), "{function}: {input} is not in\n{out}"));
    }
    // A proof says what it is about. What an unknown pointer leads to, nobody knows.
    let (out, ..) = run("deposit");
    assert!(out.contains("It holds for any numbers and pointers to fresh objects (--pointer-depth 2,"), "{out}");
    let (json, ..) = folder.raddle(&["--function", "deposit", "--format", "json", "bank.c"]);
    assert!(json.contains("\"holds_for\": \"any numbers and"), "{json}");
    assert!(verdict("behind").starts_with("VERDICT: unknown("));
    // What a pointer leads to, and how far.
    let with = |options: &[&str]| folder.raddle(&[options, &["--quiet", "bank.c"]].concat()).0;
    assert_eq!(with(&["--function", "length", "--pointer-depth", "3"]), "VERDICT: false(unreach-call)\n");
    assert_eq!(with(&["--function", "last", "--array-length", "3"]), "VERDICT: false(unreach-call)\n");
    assert_eq!(with(&["--function", "main"]), "VERDICT: unknown(input-error)\n");
    folder.write("raddle.toml", "function = \"length\"\npointer-depth = 3\n");
    assert_eq!(with(&[]), "VERDICT: false(unreach-call)\n");
    assert_eq!(with(&["--pointer-depth", "2"]), "VERDICT: true\n");
    // Nobody knows the function behind the pointer, which is not null.
    assert_eq!(with(&["--engine", "oc", "--function", "call"]), "VERDICT: unknown(unmodelled)\n");
}

#[test]
fn functions_that_cannot_be_called() {
    let folder = Folder::new("no-function");
    folder.write("bank.c", BANK);
    let refused = |function: &str| {
        let (out, err, _) = folder.raddle(&["--function", function, "bank.c"]);
        out + &err
    };
    for (function, why) in [
        ("worker", "bank.c:50:14: unsupported: an argument for `arg`, of type `void *`"),
        ("format", "bank.c:67:5: unsupported: a function with variable arguments"),
        ("any", "bank.c:69:10: unsupported: an argument with a pointer or `_Bool` inside a union"),
        ("clmp", "bank.c: error: no function `clmp` is defined; there are `clamp`, `call`, `corner`, "),
    ] {
        let said = refused(function);
        assert!(said.contains(why) && said.contains("VERDICT: unknown("), "{function}: {said}");
    }
    for option in ["--witness", "--harness"] {
        let (_, err, status) = folder.raddle(&["--function", "clamp", option, "out", "bank.c"]);
        assert!(err.contains("are for programs that begin with main") && status == Some(3), "{err}");
    }
}

/// Verifying somebody's folder neither runs its programs nor lets it write files.
#[test]
fn a_project_neither_runs_nor_writes() {
    let folder = Folder::new("harmless");
    folder.write("a.c", "int main(void) { return 0; }\n");
    for line in ["cpp = \"./evil.sh\"", "witness = \"w.yml\"", "harness = \"h\"", "solver = [\"z3=./evil.sh\"]"] {
        folder.write("raddle.toml", line);
        let (_, err, status) = folder.raddle(&["a.c"]);
        assert!(err.contains("is for the command line alone") && status == Some(3), "{line}: {err}");
    }
    let (_, err, status) = folder.raddle(&["--no-config", "--witness", "a.c", "a.c"]);
    assert!(err.contains("a.c is a source: nothing is written there") && status == Some(3), "{err}");
}
