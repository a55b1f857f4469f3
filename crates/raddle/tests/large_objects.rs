//! Large objects with 32-bit addresses: no engine takes an execution for impossible because its objects do not fit where the engine puts them.

use std::process::Command;

const HEAD: &str =
    "extern unsigned __VERIFIER_nondet_uint(void); extern void __VERIFIER_assume(int); extern void reach_error(void);
extern void *malloc(unsigned), *calloc(unsigned, unsigned), free(void *);\n";

/// The error is reached, or C leaves open whether it is.
const PROGRAMS: [(&str, &str); 6] = [
    (
        "each is freed before the next",
        "for (int i = 0; i < 16; i++) { char *p = malloc(250000000u); *p = 1; n += *p; free(p); } if (n == 16) reach_error();",
    ),
    (
        "what memory held before is any value",
        "for (int i = 0; i < 11; i++) { char *p = malloc(200000000u); if (i > 8 && *p == 5) reach_error(); free(p); }",
    ),
    (
        "of a size that is an input",
        "unsigned s = __VERIFIER_nondet_uint(); __VERIFIER_assume(s == 600000000u); char *p = calloc(s, 1), *q = calloc(s, 1); q[s - 1] = 2; reach_error();",
    ),
    (
        "more than a gigabyte",
        "unsigned s = __VERIFIER_nondet_uint(); __VERIFIER_assume(s == 1200000000u); char *p = malloc(s); p[s - 1] = 2; reach_error();",
    ),
    ("in the upper half of the addresses", "int x; int *volatile p = &x; if ((int)p < 0) reach_error();"),
    ("an array of unknown length", "extern int elsewhere[]; if (elsewhere[3] == 5) reach_error();"),
];

#[test]
fn no_execution_is_lost() {
    let folder = std::env::temp_dir().join(format!("raddle-large-objects-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (i, (name, body)) in PROGRAMS.iter().enumerate() {
        let file = folder.join(format!("{i}.c"));
        std::fs::write(&file, format!("{HEAD}int main(void) {{ int n = 0; {body} return 0; }}\n")).unwrap();
        for engine in ["cegar", "kind", "imc", "invariants", "auto"] {
            let mut raddle = Command::new(env!("CARGO_BIN_EXE_raddle"));
            raddle.args(["--engine", engine, "--data-model", "ilp32", "--timeout", "2s", "--no-config"]).arg(&file);
            let output = raddle.output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(said.contains("VERDICT: ") && !said.contains("VERDICT: true"), "{name}: {engine}\n{said}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
