//! Accesses through an address with very many possible targets: some are followed, and the others are a limit, which is neither a proof nor a violation.

use raddle_engine::{Budget, Engine, Facts, Silent, Task};
use raddle_ir::MemoryModel;
use raddle_oc::{Oc, OcConfig};
use raddle_testing::lowered;

const HEADER: &str = "extern void reach_error(void); extern int any(void); extern int *outside(void); extern void *malloc(__SIZE_TYPE__);
    int *t[N]; int main(void) { for (int i = 0; i < N; i++) { t[i] = malloc(4); *t[i] = 0; }
    unsigned k = any(); k %= N; ";

fn says(n: u32, body: &str) -> &'static str {
    let task = Task::new(lowered(&format!("{HEADER}{body} }}").replace('N', &n.to_string())), MemoryModel::Sc);
    Oc(OcConfig::default()).run(&task, &Facts::default(), &Budget::unlimited(), &Silent).outcome.name()
}

#[test]
fn what_is_not_followed_is_a_limit() {
    let text = "if (*t[k] != 0) reach_error();";
    assert_eq!((says(40, text), says(600, text)), ("true", "unsupported"));
}

#[test]
fn violations_elsewhere_are_found() {
    assert_eq!(says(600, "*t[k] = 1; if (any() == 12345) reach_error();"), "false");
    assert_eq!(says(600, "*t[k] = 1; if (*t[k] == 1 && any() == 12345) reach_error();"), "false");
}

/// What a pointer from outside finds elsewhere is any value; what lies in one of the objects that are not followed is not elsewhere.
#[test]
fn what_is_not_followed_is_not_elsewhere() {
    let text = "int *from = outside(), *p = any() ? from : t[k]; if (*p != 0 && p != from) reach_error();";
    assert_eq!((says(40, text), says(600, text)), ("true", "unsupported"));
}
