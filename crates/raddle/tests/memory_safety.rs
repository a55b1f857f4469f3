//! `--property valid-memsafety` and `valid-memcleanup`: accesses, frees and leaks of every kind. `explore` and `oc` find the answer; no engine has another one.

use std::fs;
use std::path::Path;
use std::process::Command;

const HEADER: &str = "
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
";

/// The last lines of engines for a program.
fn verdicts(name: &str, property: &str, engines: &[&str], text: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("memory-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("a.c"), format!("{HEADER}{text}\n")).unwrap();
    let run = |engine: &&str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(["--property", property, "--quiet", "--timeout", "60s", "--engine", engine]);
        let output = command.arg("a.c").current_dir(&folder).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().last().unwrap_or_default().trim_start_matches("VERDICT: ").to_owned()
    };
    engines.iter().map(run).collect()
}

fn check(name: &str, property: &str, text: &str, expected: &str) {
    assert_eq!(verdicts(name, property, &["explore", "oc"], text), [expected; 2], "{text}");
    let other = verdicts(name, property, &["cegar"], text).remove(0);
    assert!(other == expected || other.starts_with("unknown"), "{text}: cegar says {other}");
}

fn safe(name: &str, text: &str) {
    check(name, "valid-memsafety", text, "true");
}

fn bad(name: &str, violated: &str, text: &str) {
    check(name, "valid-memsafety", text, &format!("false({violated})"));
}

/// Where one part of the property is asked for alone, wrong uses of the other kind end the path.
#[test]
fn one_part_alone() {
    let twice = "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }";
    check("free", "valid-free", twice, "false(valid-free)");
    check("free-unasked", "valid-deref", twice, "true");
    let freed = "int main(void) { int *p = malloc(4); free(p); return *p; }";
    check("deref", "valid-deref", freed, "false(valid-deref)");
    check("deref-unasked", "valid-free", freed, "true");
}

#[test]
fn heap_objects() {
    safe("in", "int main(void) { int *p = malloc(8); p[1] = 2; int x = p[1]; free(p); return x; }");
    bad("end", "valid-deref", "int main(void) { int *p = malloc(8); p[2] = 2; free(p); return 0; }");
    bad("before", "valid-deref", "int main(void) { char *p = malloc(8); char c = p[-1]; free(p); return c; }");
    bad("part", "valid-deref", "int main(void) { char *p = malloc(7); *(int *)(p + 4) = 1; free(p); return 0; }");
    bad("freed", "valid-deref", "int main(void) { int *p = malloc(4); free(p); return *p; }");
    bad("null", "valid-deref", "int main(void) { int *p = 0; if (__VERIFIER_nondet_int()) *p = 1; return 0; }");
    bad("any", "valid-deref", "int main(void) { int *p; return *p; }");
    // The place of what was freed is not taken by something else that would be right.
    bad(
        "again",
        "valid-deref",
        "int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); *q = *p; free(q); return 0; }",
    );
    bad(
        "size",
        "valid-deref",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 4) return 0; char *p = malloc(n); p[3] = 1; free(p); return 0; }",
    );
    safe(
        "sized",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 4) return 0; char *p = malloc(n); p[n - 1] = 1; free(p); return 0; }",
    );
    safe("grows", "int main(void) { int *p = malloc(4); *p = 1; p = realloc(p, 8); p[1] = p[0]; free(p); return 0; }");
}

#[test]
fn automatic_and_static_objects() {
    bad("array", "valid-deref", "int main(void) { int a[3]; for (int i = 0; i <= 3; i++) a[i] = 0; return 0; }");
    safe("indexed", "int a[3]; int main(void) { for (int i = 0; i < 3; i++) a[i] = i; return a[2]; }");
    bad("global", "valid-deref", "int a[3]; int main(void) { int i = __VERIFIER_nondet_int(); return a[i]; }");
    bad("returned", "valid-deref", "int *f(void) { int x = 1, *p = &x; return p; } int main(void) { return *f(); }");
    bad("block", "valid-deref", "int main(void) { int *p; { int x = 1; p = &x; } return *p; }");
    bad(
        "round",
        "valid-deref",
        "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (p) return *p; p = &x; } return 0; }",
    );
    safe(
        "outer",
        "int main(void) { int y = 0, *p = &y; for (int i = 0; i < 2; i++) { int x = i; p = &x; *p = 1; p = &y; } return *p; }",
    );
    bad(
        "computed",
        "valid-deref",
        "int main(void) { int n = 2; char *p; { char a[n]; a[1] = 1; p = a; } return p[1]; }",
    );
    bad("literal", "valid-deref", "int main(void) { char *s = \"abc\"; s[0] = 'x'; return 0; }");
    safe("member", "struct s { int a[2]; int b; } s; int main(void) { int i = 1; s.a[i] = 1; return s.b; }");
    bad("called", "valid-deref", "int main(void) { void (*f)(void) = 0; f(); return 0; }");
}

/// Objects without a name, and objects whose activation ends with a call.
#[test]
fn ends_of_lives() {
    bad(
        "tail",
        "valid-deref",
        "int *id(int *p) { return p; } int *f(int x) { return id(&x); } int main(void) { int *p = f(3); return *p == 7; }",
    );
    bad(
        "parameter",
        "valid-deref",
        "int *f(struct node v) { return &v.value; } int main(void) { struct node v = {0, 1}; int *p = f(v); return *p; }",
    );
    safe(
        "passed",
        "int f(struct node v) { int *p = &v.value; return *p; } int main(void) { struct node v = {0, 1}; int n = 0; for (int i = 0; i < 2; i++) n += f(v); return n; }",
    );
    // A variable lives in all of its block, also before it is declared.
    safe(
        "back",
        "int main(void) { int *p = 0; do { again: if (p) return *p; int x = 3; p = &x; goto again; } while (0); return 0; }",
    );
    bad(
        "back_and_out",
        "valid-deref",
        "int main(void) { int *p = 0; do { again: if (p) break; int x = 3; p = &x; goto again; } while (0); return *p; }",
    );
    bad(
        "substatement",
        "valid-deref",
        "int main(void) { int *p = 0, i = 0; while (i < 1) p = (i++, &(int){5}); return *p; }",
    );
    let value = |body| {
        format!(
            "struct s {{ int a[2]; }} f(void) {{ struct s x = {{{{1, 2}}}}; return x; }} int main(void) {{ {body} }}"
        )
    };
    bad("value", "valid-deref", &value("int *p = f().a; return p[0] == 7;"));
    safe("of_value", &value("int n = 0; for (int i = 0; i < 2; i++) n += f().a[i] + f().a[0]; return n;"));
    bad("controlling", "valid-deref", "int main(void) { int *p; if (*(p = &(int){1})) {} return *p; }");
    safe(
        "literals",
        "int main(void) { int n = 0; for (int i = 0; i < 2; i++) n += *&(int){i}; for (int *q = (int[]){1, 2, 0}; *q; q++) n += *q; do n++; while (*&(int){n} < 4); return n; }",
    );
}

/// Where the end of a life is not followed, nothing is proved.
#[test]
fn ends_that_are_not_followed() {
    let open = |name, text| check(name, "valid-memsafety", text, "unknown(unsupported)");
    open(
        "labelled",
        "int main(void) { struct node *p = 0; if (1) { p = &(struct node){0, 2}; } if (p->value == 1) goto out; out: return 0; }",
    );
    safe(
        "assigned",
        "int main(void) { struct node x; int n = 0; again: if (n < 2) { x = (struct node){0, n++}; goto again; } return x.value; }",
    );
    open(
        "controlled",
        "struct s { int a[2]; } f(void) { struct s x = {{1, 2}}; return x; } int main(void) { int *p; if ((p = f().a)[1]) {} return p[0]; }",
    );
    open(
        "thread_local",
        "_Thread_local int x; int *g; void *t(void *a) { x = 3; g = &x; return 0; } int main(void) { pthread_t i; pthread_create(&i, 0, t, 0); pthread_join(i, 0); return *g; }",
    );
    open(
        "jump",
        "#include <setjmp.h>\njmp_buf j; int *g; void f(void) { longjmp(j, 1); } int main(void) { if (setjmp(j) == 0) { int y = 3; g = &y; f(); } return *g; }",
    );
}

/// A lock is as large as its type.
#[test]
fn locks() {
    let program = |size| {
        format!(
            "#include <semaphore.h>\nstruct s {{ sem_t s; pthread_cond_t c; pthread_mutex_t m; }}; int main(void) {{ struct s *p = malloc({size}); sem_init(&p->s, 0, 1); sem_wait(&p->s); \
             pthread_cond_init(&p->c, 0); pthread_mutex_init(&p->m, 0); pthread_mutex_lock(&p->m); pthread_cond_signal(&p->c); pthread_mutex_unlock(&p->m); free(p); return 0; }}"
        )
    };
    safe("whole", &program("sizeof *p"));
    bad("no_mutex", "valid-deref", &program("sizeof *p - 1"));
    bad("no_condition", "valid-deref", &program("sizeof p->s + 40"));
    bad("no_semaphore", "valid-deref", &program("4"));
}

#[test]
fn what_the_library_accesses() {
    bad("copied", "valid-deref", "int main(void) { char a[4], b[8] = \"1234567\"; memcpy(a, b, 5); return 0; }");
    bad("unended", "valid-deref", "int main(void) { char a[3] = {'a', 'b', 'c'}; return strlen(a); }");
    safe("ended", "int main(void) { char a[4] = \"abc\"; return strlen(a); }");
    bad("printed", "valid-deref", "int main(void) { char a[2] = {'a', 'b'}; printf(\"%d %s\\n\", 1, a); return 0; }");
    safe("cut", "int main(void) { char a[2] = {'a', 'b'}; printf(\"%.2s\\n\", a); puts(\"x\"); return 0; }");
    bad("put", "valid-deref", "int main(void) { char *s = malloc(2); s[0] = 0; free(s); puts(s); return 0; }");
    bad("written", "valid-deref", "int main(void) { char a[2] = {0}; fwrite(a, 1, 3, stdout); return 0; }");
}

#[test]
fn frees() {
    bad("twice", "valid-free", "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }");
    bad("inside", "valid-free", "int main(void) { int *p = malloc(8); free(p + 1); return 0; }");
    bad("stack", "valid-free", "int main(void) { int x; free(&x); return 0; }");
    bad("static", "valid-free", "int x; int main(void) { int *p = &x; free(p); return 0; }");
    bad(
        "realloc",
        "valid-free",
        "int main(void) { int *p = malloc(4); free(p); p = realloc(p, 8); free(p); return 0; }",
    );
    safe("nothing", "int main(void) { free(0); free(malloc(0)); return 0; }");
}

/// Memory is lost if nothing leads to it any more; if something does, it is just not freed.
#[test]
fn leaks() {
    bad("lost", "valid-memtrack", "int main(void) { int *p = malloc(4); *p = 1; return 0; }");
    bad("overwritten", "valid-memtrack", "int main(void) { int *p = malloc(4); p = malloc(4); free(p); return 0; }");
    bad("exit", "valid-memtrack", "int main(void) { int *p = malloc(4); p = 0; exit(p != 0); }");
    bad("endless", "valid-memtrack", "int main(void) { int *p = malloc(4); p = 0; while (1) {} }");
    bad(
        "behind",
        "valid-memtrack",
        "int main(void) { struct node *p = malloc(sizeof *p); p->next = malloc(sizeof *p); free(p); return 0; }",
    );
    // What an expression still needs is not lost; what it has left behind is.
    let needed = "int h(int *p, int x) { free(p); return x; } int q(void) { exit(0); } int main(void) { return h(malloc(4), q()); }";
    check("needed", "valid-memsafety", needed, "unknown(unconfirmed)");
    bad(
        "unneeded",
        "valid-memtrack",
        "int h(int *p, int x) { return x; } int main(void) { h(malloc(4), 1); exit(0); }",
    );
    let cleanup = "valid-memcleanup";
    let kept = "int *g; int main(void) { g = malloc(4); *g = 1; return 0; }";
    check("kept", cleanup, kept, "false(valid-memcleanup)");
    safe("tracked", kept);
    check("clean", cleanup, "int main(void) { int *p = malloc(4); free(p); return 0; }", "true");
    // The library's own memory is none of the program's.
    check("opened", cleanup, "int main(void) { FILE *f = fopen(\"a\", \"r\"); return f != 0; }", "true");
    check(
        "list",
        cleanup,
        "int main(void) { struct node *l = 0; for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->next = l; l = n; } \
         while (l) { struct node *n = l->next; free(l); l = n; } return 0; }",
        "true",
    );
}

#[test]
fn threads() {
    let program = |body: &str| {
        format!(
            "int *g; void *t(void *a) {{ *g = 1; return 0; }} int main(void) {{ pthread_t h; g = malloc(4); pthread_create(&h, 0, t, 0); {body} return 0; }}"
        )
    };
    bad("early", "valid-deref", &program("free(g); pthread_join(h, 0);"));
    safe("joined", &program("pthread_join(h, 0); free(g);"));
    bad(
        "frame",
        "valid-deref",
        "int *g; void *t(void *a) { int x = 1; g = &x; return 0; } int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); return *g; }",
    );
    check(
        "running",
        "valid-memcleanup",
        "void *t(void *a) { free(malloc(1)); return 0; } int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); return 0; }",
        "false(valid-memcleanup)",
    );
}
