//! Bad input gives one clear message with file, line and source line, and never a panic, a hang or a stack overflow.
//!
//! Errors are status 3, and `verify` ends with `VERDICT: unknown(input-error)`; valid C that Raddle cannot model is status 2 with `VERDICT: unknown(unsupported)` as the last line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory of its own for each test, gone at the end.
struct Files(PathBuf);

impl Files {
    fn new(test: &str) -> Files {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bad-input-{test}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Files(dir)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Files {
        fs::write(self.0.join(name), text).unwrap();
        self
    }

    /// Runs `raddle` in the directory.
    fn raddle(&self, args: &[&str]) -> Run {
        let output = self.command(args).output().unwrap();
        Run::new(&output)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(args).current_dir(&self.0).env("LC_ALL", "C");
        command
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[derive(Debug)]
struct Run {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Run {
    fn new(output: &Output) -> Run {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Run { status: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    fn last_line(&self) -> &str {
        self.out.lines().last().unwrap_or("")
    }
}

/// What is on standard output of `verify` after an error.
const REFUSED: &str = "VERDICT: unknown(input-error)\n";

/// The whole of standard error of `verify`; on standard output is only the verdict.
#[track_caller]
fn is_error(run: &Run, message: &str) {
    assert_eq!((run.err.as_str(), run.out.as_str(), run.status), (message, REFUSED, Some(3)));
}

/// What `verify`, `simulate` and `show` say about one file.
fn all_commands(text: impl AsRef<[u8]>, test: &str) -> Vec<Run> {
    let files = Files::new(test);
    files.write("a.c", text);
    [&["a.c"][..], &["simulate", "a.c"], &["show", "a.c"]].iter().map(|args| files.raddle(args)).collect()
}

#[track_caller]
fn wrong(test: &str, text: impl AsRef<[u8]>, message: &str) {
    let runs = all_commands(text, test);
    is_error(&runs[0], message);
    for run in &runs[1..] {
        assert_eq!((run.err.as_str(), run.out.as_str(), run.status), (message, "", Some(3)));
    }
}

#[track_caller]
fn unsupported(test: &str, text: &str, message: &str) {
    let runs = all_commands(text, test);
    // `verify` explains itself on standard output, `simulate` leaves it to what the program prints.
    let hint = "raddle explain unsupported says what to try\n";
    assert_eq!(runs[0].out, format!("{message}{hint}VERDICT: unknown(unsupported)\n"));
    assert_eq!(runs[0].err, "");
    assert_eq!((runs[1].err.as_str(), runs[1].out.as_str()), (message, "VERDICT: unknown(unsupported)\n"));
    assert!(runs[..2].iter().all(|run| run.status == Some(2)), "{runs:?}");
    // The rest of the program can be looked at.
    assert!(runs[2].status == Some(0) && runs[2].out.contains("gap unsupported"), "{runs:?}");
}

#[test]
fn syntax_errors() {
    wrong(
        "syntax",
        "int main(void)\n{\n\tint x = ;\n\treturn 0;\n}\n",
        "a.c:3:10: error: expected an expression, found `;`\n 3 |         int x = ;\n   |                 ^\n",
    );
    wrong(
        "semicolon",
        "int main(void) {\n  int x = 1\n  return 0;\n}\n",
        "a.c:2:11: error: expected `;`, found `return`\n 2 |   int x = 1\n   |           ^\n",
    );
    wrong(
        "end",
        "int main(void) { return 0;",
        "a.c:1:27: error: expected `}` to close the `{` of line 1, found the end of the file\n 1 | int main(void) { return 0;\n   |                           ^\n",
    );
    wrong(
        "string",
        "char *s = \"abc;\n",
        "a.c:1:11: error: missing terminating \" character\n 1 | char *s = \"abc;\n   |           ^\n",
    );
    wrong("comment", "int x; /* abc\n", "a.c:1:8: error: unterminated comment\n 1 | int x; /* abc\n   |        ^\n");
}

#[test]
fn type_errors() {
    wrong(
        "types",
        "struct s { int a; };\nint main(void) { struct s x; int y = x + 1; return y; }\n",
        "a.c:2:40: error: the operator cannot be applied to `struct s` and `int`\n \
         2 | int main(void) { struct s x; int y = x + 1; return y; }\n   |                                        ^\n",
    );
    wrong(
        "undeclared",
        "int main(void) { return y; }\n",
        "a.c:1:25: error: `y` is not declared\n 1 | int main(void) { return y; }\n   |                         ^\n",
    );
}

#[test]
fn declarations_that_do_not_fit() {
    wrong(
        "conflict",
        "int x;\nchar *x;\nint main(void) { return 0; }\n",
        "a.c:2:7: error: conflicting types: `char *` after `int`\n 2 | char *x;\n   |       ^\n",
    );
    wrong(
        "result",
        "float main(void) { return 1; }\n",
        "a.c:1:7: error: `main` does not return an integer\n 1 | float main(void) { return 1; }\n   |       ^\n",
    );
    wrong(
        "list",
        "void f(int n, ...) { char l; __builtin_va_start(l, n); }\nint main(void) { f(1); return 0; }\n",
        "a.c:1:30: error: this needs a variable of type va_list\n \
         1 | void f(int n, ...) { char l; __builtin_va_start(l, n); }\n   |                              ^\n",
    );
    // The linker does not look at types: the object is its bytes.
    let files = Files::new("units");
    files.write("a.c", "float x = 1;\n").write("b.c", "extern int x;\nint main(void) { return x != 0x3f800000; }\n");
    assert_eq!(files.raddle(&["simulate", "a.c", "b.c"]).status, Some(0));
}

#[test]
fn programs_that_are_not_complete() {
    wrong("main", "int f(void) { return 0; }\n", "a.c: error: no function `main` is defined\n");
    wrong("blank", "\n\n  \n", "a.c: error: no function `main` is defined\n");
    wrong("empty", "", "a.c: the file is empty\n");
    let files = Files::new("second");
    files.write("a.c", "int x = 1;\nint main(void) { return x; }\n").write("b.c", "\n int x = 2;\n");
    is_error(
        &files.raddle(&["a.c", "b.c"]),
        "b.c:2:6: error: `x` is defined a second time; the first is at a.c:1\n 2 |  int x = 2;\n   |      ^\n",
    );
    files.write("b.c", "int main(void) { return 0; }\n");
    is_error(
        &files.raddle(&["a.c", "b.c"]),
        "b.c:1:5: error: `main` is defined a second time; the first is at a.c:2\n 1 | int main(void) { return 0; }\n   |     ^\n",
    );
}

#[test]
fn unsupported_constructs() {
    unsupported(
        "goto",
        "int main(void) { __asm__ goto(\"jmp %l0\" : : : : l); l: return 0; }\n",
        "a.c:1:18: unsupported: inline assembly that jumps\n \
         1 | int main(void) { __asm__ goto(\"jmp %l0\" : : : : l); l: return 0; }\n   |                  ^\n",
    );
    unsupported(
        "decimal",
        "int main(void) { _Decimal64 z = 1; return 0; }\n",
        "a.c:1:18: unsupported: decimal floating type\n \
         1 | int main(void) { _Decimal64 z = 1; return 0; }\n   |                  ^\n",
    );
    unsupported(
        "assembly",
        "int main(void) { int x; __asm__(\"rdpmc\" : \"=a\"(x)); return x; }\n",
        "a.c:1:25: unsupported: inline assembly\n \
         1 | int main(void) { int x; __asm__(\"rdpmc\" : \"=a\"(x)); return x; }\n   |                         ^\n",
    );
}

#[test]
fn what_is_no_source_file() {
    wrong("binary", b"\x7fELF\0\0\0", "a.c: has a NUL byte at offset 4: is this a binary file?\n");
    let files = Files::new("paths");
    fs::create_dir(files.0.join("dir.c")).unwrap();
    is_error(&files.raddle(&["dir.c"]), "dir.c: is a directory, not a C source file\n");
    is_error(&files.raddle(&["missing.c"]), "missing.c: no such file\n");
    files.write("secret.c", "int main(void) { return 0; }\n");
    let path = files.0.join("secret.c");
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    // A superuser may read everything.
    if fs::read(&path).is_err() {
        is_error(&files.raddle(&["secret.c"]), "secret.c: permission denied\n");
    }
}

#[test]
fn preprocessing_that_fails() {
    let runs = all_commands("#include \"missing.h\"\nint main(void) { return 0; }\n", "include");
    for run in runs {
        // The rest is the compiler's own.
        assert!(run.err.starts_with("a.c: preprocessing failed:\na.c:1:10: "), "{run:?}");
        let is_refused = run.out.is_empty() || run.out == REFUSED;
        assert!(run.err.contains("missing.h") && run.status == Some(3) && is_refused, "{run:?}");
    }
    let files = Files::new("compiler");
    files.write("a.c", "#define X\nint main(void) { return 0; }\n");
    is_error(
        &files.raddle(&["--cpp", "no-such-compiler", "a.c"]),
        "cannot run `no-such-compiler`: not found (a C compiler is needed to preprocess; files that end in .i are read as they are)\n",
    );
    is_error(
        &files.raddle(&["--cpp", "false", "a.c"]),
        "a.c: preprocessing failed:\n`false` failed (exit status: 1)\n",
    );
}

#[test]
fn programs_from_a_pipe() {
    let files = Files::new("stdin");
    files.write("a.c", "#define X 1\nint main(void) { return X\n");
    let mut command = files.command(&["/dev/stdin"]);
    command.stdin(fs::File::open(files.0.join("a.c")).unwrap());
    let run = Run::new(&command.output().unwrap());
    is_error(
        &run,
        "<stdin>:2:25: error: expected `;`, found the end of the file\n 2 | int main(void) { return 1\n   |                         ^\n",
    );
}

#[test]
fn bytes_that_are_not_utf8() {
    wrong(
        "identifier",
        b"int caf\xe9 = 1;\n",
        "a.c:1:8: error: stray (byte 0xe9, which is not UTF-8) in the program\n 1 | int caf\u{fffd} = 1;\n   |        ^\n",
    );
    // Strings and comments may hold any bytes.
    let text = b"/* \xe9 */ char s[] = \"\xe9\"; // \xff\nint main(void) { return s[0] != (char)0xe9; }\n";
    let runs = all_commands(text, "bytes");
    assert!(runs.iter().all(|run| run.status == Some(0)), "{runs:?}");
}

#[test]
fn names_are_not_shown_in_full_when_they_are_long() {
    let text = format!("int main(void) {{ return {}; }}\n", "x".repeat(5_000_000));
    for run in all_commands(text, "long") {
        assert!(run.err.starts_with("a.c:1:25: error: `xxx") && run.err.len() < 1000, "{}", run.err.len());
    }
}

/// Opening and closing parts around something, many times.
fn nested(before: &str, open: &str, inner: &str, close: &str, after: &str) -> String {
    const DEPTH: usize = 100_000;
    format!("{before}{}{inner}{}{after}", open.repeat(DEPTH), close.repeat(DEPTH))
}

#[test]
fn deep_nesting() {
    let body = |open: &str, inner: &str, close: &str| {
        nested("int main(void) { int a = 1; int q[9]; int *p = &a; ", open, inner, close, "return 0; }\n")
    };
    let texts = [
        body("(", "a", ")"),
        body("(", "", ""),
        body("{", ";", "}"),
        body("{", "", ""),
        body("q[", "0", "]"),
        body("[", "", ""),
        body("*", "p", ""),
        body("if (a) ", ";", ""),
        body("if (a) { } else { ", "", "}"),
        body("if (a) ; else ", ";", ""),
        body("a ? 1 : ", "2", ""),
        body("a ? ", "1", " : 2"),
        body("- ", "a", ""),
        body("!", "a", ""),
        body("a + ", "a", ""),
        body("a && ", "a", ""),
        body("a = ", "a", ""),
        body("a, ", "a", ""),
        body("(int) ", "a", ""),
        body("sizeof ", "a", ""),
        body("while (a) ", ";", ""),
        body("switch (a) case 1: ", ";", ""),
        body("({ ", "1;", "});"),
        nested("int *q = ", "{", "0", "}", ";\nint main(void) { return 0; }\n"),
        nested("struct s ", "{ struct ", "{ int a; } b;", "} c;", ";\nint main(void) { return 0; }\n"),
        nested("int ", "*", "q", "", ";\nint main(void) { return 0; }\n"),
        nested("int q", "[1]", "", "", ";\nint main(void) { return 0; }\n"),
        nested("int ", "(", "q", ")", ";\nint main(void) { return 0; }\n"),
        nested("int f(", "int (*g)(", "int", ")", ");\nint main(void) { return 0; }\n"),
    ];
    let files = Files::new("deep");
    for text in texts {
        let shown: String = text.chars().take(80).collect();
        let run = files.write("a.c", text).raddle(&["--timeout", "60s", "a.c"]);
        let message = format!("{}{}", run.out, run.err);
        match run.status {
            Some(2) => {
                assert!(message.contains("a.c:1:") && message.contains("nesting deeper than "), "{shown}: {message}");
                assert_eq!(run.last_line(), "VERDICT: unknown(unsupported)", "{shown}");
            }
            // Some are no valid C, and it shows before they get deep.
            _ => assert!(run.status == Some(3) && message.contains("a.c:1:"), "{shown}: {run:?}"),
        }
        assert!(message.len() < 1000, "{shown}: {message}");
    }
}

#[test]
fn large_files() {
    let size = 20_000_000;
    let files = Files::new("large");
    let main = "int main(void) { return 0; }\n";
    let repeated = |part: &str| format!("{}{main}", part.repeat(size / part.len()));
    let numbered = |part: &dyn Fn(usize) -> String| {
        let mut text = String::with_capacity(size + 1000);
        let mut number = 0;
        while text.len() < size / 4 {
            text.push_str(&part(number));
            number += 1;
        }
        text + main
    };
    let texts = [
        ("a comment", format!("/*{}*/\n{main}", "x".repeat(size))),
        ("comments", repeated("// comment\n")),
        ("blanks", repeated("            \n")),
        ("one line", repeated(" ")),
        ("empty declarations", repeated(";")),
        ("splices", repeated("\\\n")),
        ("one string", format!("char *s = \"{}\";\n{main}", "x".repeat(size))),
        ("one name", format!("int {};\n{main}", "x".repeat(size))),
        ("globals", numbered(&|i| format!("int v{i};\n"))),
        ("prototypes", numbered(&|i| format!("extern int f{i}(int a, char *b);\n"))),
        ("functions", numbered(&|i| format!("int f{i}(int a) {{ if (a) return a + {i}; return 1; }}\n"))),
        ("line markers", numbered(&|i| format!("# {i} \"f{i}.h\"\n"))),
    ];
    for (what, text) in texts {
        let run = files.write("a.c", text).raddle(&["--timeout", "300s", "--memory", "4GB", "a.c"]);
        assert_eq!((run.last_line(), run.status), ("VERDICT: true", Some(0)), "{what}: {}", run.err);
    }
    let run = files.write("a.c", format!("{}{main}@\n", " ".repeat(size))).raddle(&["a.c"]);
    is_error(&run, "a.c:2:1: error: stray `@` in the program\n 2 | @\n   | ^\n");
}

#[test]
fn properties() {
    let files = Files::new("properties");
    files.write("a.c", "int main(void) { return 0; }\n");
    let with = |property: &str| files.raddle(&["--property", property, "a.c"]);
    is_error(
        &with("nonsense"),
        "--property nonsense: neither a property file nor one of unreach-call, no-data-race, no-overflow, valid-memsafety, \
         valid-memcleanup, termination, no-deadlock\n",
    );
    files.write("a.prp", "CHECK( init(main()), LTL(G ! call(foo())) )\n");
    is_error(
        &with("a.prp"),
        "a.prp: not a property that Raddle knows (the file says: CHECK( init(main()), LTL(G ! call(foo())) ))\n",
    );
    files.write("empty.prp", "\n");
    is_error(&with("empty.prp"), "empty.prp: the property file is empty\n");
    files.write("binary.prp", b"\xff\0");
    is_error(&with("binary.prp"), "binary.prp: not a property file, but a binary one\n");
}

#[test]
fn options() {
    let files = Files::new("options");
    files.write("a.c", "int main(void) { return 0; }\n");
    let with = |option: &str| files.raddle(&[option, "a.c"]);
    is_error(&with("--timeout=soon"), "--timeout: `soon` does not begin with a number\n");
    is_error(&with("--timeout="), "--timeout: `` does not begin with a number\n");
    is_error(&with("--timeout=-1s"), "--timeout: `-1s` does not begin with a number\n");
    is_error(&with("--timeout=1y"), "--timeout: `1y` is no time: write 900s, 15min or 1h\n");
    is_error(&with("--timeout=0"), "--timeout: `0` is no time at all: write 900s, 15min or 1h\n");
    is_error(&with("--memory=much"), "--memory: `much` does not begin with a number\n");
    is_error(&with("--memory=1YB"), "--memory: `1YB` is no size: write 15GB or 512MB\n");
    is_error(&with("--memory=1kB"), "--memory: `1kB` is too little: 16MB is the least\n");
    is_error(
        &with("--memory=15"),
        "--memory: `15` is too little: 16MB is the least (without a unit, bytes are meant)\n",
    );
    for option in ["--engine=magic", "--data-model=lp65", "--max-choices=-1", "--bogus", "--format=yaml", "-Z"] {
        let run = with(option);
        assert!(run.status == Some(3) && run.out.is_empty(), "{run:?}");
        assert!(run.err.starts_with("error: ") && run.err.contains(option.split('=').next().unwrap()), "{run:?}");
    }
    let run = files.raddle(&["simulate", "--seed", "x", "a.c"]);
    assert!(run.status == Some(3) && run.err.starts_with("error: invalid value 'x' for '--seed <N>'"), "{run:?}");
    let run = files.raddle(&[]);
    assert!(run.status == Some(3) && run.err.contains("<FILE>..."), "{run:?}");
}

#[test]
fn codes_that_are_none() {
    let files = Files::new("explain");
    let run = files.raddle(&["explain", "unsuported"]);
    let message = "error: there is no code `unsuported`: did you mean `unsupported`?\n";
    assert_eq!((run.err.as_str(), run.out.as_str(), run.status), (message, "", Some(3)));
    let run = files.raddle(&["explain"]);
    assert!(run.status == Some(0) && run.out.contains("\n  bound-reached ") && run.err.is_empty(), "{run:?}");
}

#[test]
fn help_and_version() {
    let files = Files::new("help");
    for args in [&["--help"][..], &["-h"], &["verify", "--help"], &["show", "--help"], &["simulate", "--help"]] {
        let run = files.raddle(args);
        assert!(run.status == Some(0) && run.out.contains("Usage: raddle") && run.err.is_empty(), "{run:?}");
    }
    let run = files.raddle(&["--version"]);
    assert_eq!((run.out.trim_end(), run.status), (concat!("raddle ", env!("CARGO_PKG_VERSION")), Some(0)));
}

/// The exit status when nobody reads what is printed.
fn unheard(files: &Files, args: &[&str]) -> Run {
    let mut child = files.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    Run::new(&child.wait_with_output().unwrap())
}

#[test]
fn a_closed_pipe() {
    let files = Files::new("pipe");
    files.write("a.c", "int main(void) { return 0; }\n");
    files.write("talks.c", "int puts(const char *);\nint main(void) { for (;;) puts(\"Hello\"); }\n");
    for (args, status) in [
        (&["a.c"][..], 0),
        (&["show", "a.c"], 0),
        (&["--format", "json", "a.c"], 0),
        (&["simulate", "talks.c"], 2),
        (&["--help"], 0),
    ] {
        let run = unheard(&files, args);
        assert_eq!((run.status, run.err.as_str()), (Some(status), ""), "{args:?}");
    }
    // Standard error closed as well.
    let mut child = files.command(&["none.c"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(3));
}
