//! What is proved; and the same with a bug, which never is.

use raddle_bounded::{Imc, ImcConfig, ImcForm, Kind, KindConfig};
use raddle_engine::{Argument, Budget, Conclusion, Engine, Facts, Outcome, Silent, Task};
use raddle_ir::MemoryModel;
use raddle_testing::{DataModel, lowered_for};
use std::time::Duration;

const PRELUDE: &str = "extern void abort(void); extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    extern float __VERIFIER_nondet_float(void); extern void *malloc(__SIZE_TYPE__);
    void check(int ok) { if (!ok) reach_error(); } void assume(int ok) { if (!ok) abort(); }\n";

fn conclusion(engine: &dyn Engine, model: DataModel, text: &str) -> Conclusion {
    let task = Task::new(lowered_for(model, &format!("{PRELUDE}{text}")), MemoryModel::Sc);
    if let Err(reason) = engine.supports(&task) {
        return Conclusion::unknown(reason);
    }
    engine.run(&task, &Facts::default(), &Budget::of_time(Duration::from_secs(60)), &Silent)
}

fn kind() -> Box<dyn Engine> {
    Box::new(Kind(KindConfig::default()))
}

fn without_facts() -> Box<dyn Engine> {
    Box::new(Kind(KindConfig { facts: false, strengthen: false, ..KindConfig::default() }))
}

fn imc(form: ImcForm) -> Box<dyn Engine> {
    Box::new(Imc(ImcConfig { form, facts: false, ..ImcConfig::default() }))
}

fn both() -> Vec<Box<dyn Engine>> {
    vec![kind(), imc(ImcForm::Image), imc(ImcForm::Sequence), imc(ImcForm::Directed), imc(ImcForm::Turns)]
}

/// Proved as it is, and not with the bug.
fn proved(engines: &[Box<dyn Engine>], text: &str, good: &str, bug: &str) {
    assert!(text.contains(good), "{text}");
    for engine in engines {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let safe = conclusion(engine.as_ref(), model, text).outcome;
            assert_eq!(safe.name(), "true", "{} {model:?} {safe:?}\n{text}", engine.name());
            let buggy = conclusion(engine.as_ref(), model, &text.replace(good, bug)).outcome;
            let is_seen = matches!(&buggy, Outcome::Unknown(why) if why.words.contains("bmc shows it"));
            assert!(is_seen, "{} {model:?} {buggy:?} with {bug}\n{text}", engine.name());
        }
    }
}

/// What was checked two rounds ago is needed: one round does not tell.
const DELAYED: &str =
    "int main(void) { unsigned n = __VERIFIER_nondet_int() & 3, a = n, b = n, c = n; while (__VERIFIER_nondet_int()) {
    check(a == n); a = b; b = c; c = c * 3 - 2 * n; } return 0; }";

#[test]
fn a_loop_that_needs_more_than_one_round() {
    proved(&both(), DELAYED, "2 * n", "n");
    let outcome = conclusion(without_facts().as_ref(), DataModel::Lp64, DELAYED).outcome;
    let Outcome::Safe(proof) = &outcome else { panic!("{outcome:?}") };
    assert!(matches!(proof.argument, Argument::Induction { k: 2.., is_complete: false }), "{proof:?}");
}

#[test]
fn an_end_that_no_execution_passes() {
    let text = "int main(void) { unsigned s = 0; int n = __VERIFIER_nondet_int() & 7; for (int i = 0; i < n; i++) s += i; check(s <= 21); return 0; }";
    proved(&both(), text, "s <= 21", "s <= 20");
}

/// All ways lead to an error: what the induction step states contradicts itself then, and the base case must not hear of it.
#[test]
fn an_error_that_always_comes() {
    let text = "int main(void) { for (unsigned i = 0; ; i++) check(i != 3); }";
    for engine in both() {
        let outcome = conclusion(engine.as_ref(), DataModel::Lp64, text).outcome;
        assert!(
            matches!(&outcome, Outcome::Unknown(why) if why.words.contains("bmc shows it")),
            "{} {outcome:?}",
            engine.name()
        );
    }
}

#[test]
fn loops_in_loops() {
    let text = "int main(void) { unsigned x = 0, y; while (__VERIFIER_nondet_int()) { y = x; while (__VERIFIER_nondet_int()) y += 2; check(y % 2 == 0); x = y; } return 0; }";
    proved(&both(), text, "y += 2", "y += 3");
}

/// An assertion behind a loop: no step comes to it twice, so that what was not met with other inputs is needed.
#[test]
fn an_assertion_behind_the_loop() {
    let text = "int main(void) { unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; } check(x == y); return 0; }";
    proved(&[kind(), without_facts()], text, "y++", "y += 2");
}

/// Bits say it, intervals do not.
#[test]
fn an_invariant_that_interpolation_finds() {
    let text = "int main(void) { unsigned char x = 5, y = 0; while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) { x ^= y; y = (y + 2) & 6; } else { x += 2; } }
        check(x & 1); return 0; }";
    proved(&[imc(ImcForm::Image), imc(ImcForm::Sequence), imc(ImcForm::Directed)], text, "& 6", "& 7 | 1");
}

/// The error is far from all that matters for it, so that no k of this size is enough without candidates; and they fail for one block.
#[test]
fn candidates_that_are_inductive_for_a_larger_k() {
    let text =
        "int main(void) { unsigned n = __VERIFIER_nondet_int() & 3, a = n, b = n, c = n, t = 0; int z = 0; while (__VERIFIER_nondet_int()) {
        if (a != n) z = 1; if (t == 9) check(z == 0); t++; a = b; b = c; c = c * 3 - 2 * n; } return 0; }";
    let with = |strengthen| KindConfig { facts: false, max_k: 5, strengthen, ..KindConfig::default() };
    let outcome = conclusion(&Kind(with(false)), DataModel::Lp64, text).outcome;
    assert_eq!(outcome.name(), "stuck", "{outcome:?}");
    let outcome = conclusion(&Kind(with(true)), DataModel::Lp64, text).outcome;
    assert_eq!(outcome.name(), "true", "{outcome:?}");
    proved(&[kind(), imc(ImcForm::Directed)], text, "2 * n", "n");
}

/// Which states an event loop may be in, by flags that go together.
#[test]
fn clauses_about_control_states() {
    let text = "int main(void) { int s = 0, busy = 0, token = 1; while (1) { int event = __VERIFIER_nondet_int();
        if (s == 0 && event == 1 && token) { token = 0; s = 4; } else if (s == 4 && event == 2) { busy = 1; s = 7; } else if (s == 7 && event == 3) { busy = 0; s = 9; }
        else if (s == 9) { token = 1; s = 0; } check(!(busy && token)); check(!busy || s == 7); } }";
    proved(&both(), text, "busy = 0; s = 9", "s = 9");
}

#[test]
fn an_array() {
    let text = "int a[10]; int main(void) { unsigned i = 0; while (i < 10) { a[i] = 7; check(a[i] == 7); i++; if (i == 10) i = 0; } return 0; }";
    proved(&[kind()], text, "check(a[i] == 7); i++;", "i++; check(a[i % 10] == 7);");
}

#[test]
fn floating_point() {
    let text = "int main(void) { float x = 1.0f; while (__VERIFIER_nondet_int()) { x = x / 2.0f + 1.0f; check(x < 2.5f); } return 0; }";
    proved(&[kind()], text, "+ 1.0f", "+ 1.5f");
}

#[test]
fn allocated_objects_are_distinct() {
    let text = "struct s { int value; struct s *next; }; int main(void) { struct s *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->next = b; b->next = a; struct s *p = a;
        a->value = 0; b->value = 1; while (__VERIFIER_nondet_int()) { a->value = 0; p = p->next; } check(b->value == 1); return 0; }";
    proved(&[kind()], text, "a->value = 0; p = p->next", "p->value = 0; p = p->next");
}

#[test]
fn threads_are_not_for_these() {
    let text = "typedef unsigned long pthread_t; extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        void *f(void *p) { return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }";
    for engine in both() {
        assert_eq!(conclusion(engine.as_ref(), DataModel::Lp64, text).outcome.name(), "unsupported");
    }
}

/// Recursion is not followed: nothing is said about what it does.
#[test]
fn recursion_is_cut_off() {
    let text = "unsigned f(unsigned n) { return n ? f(n - 1) + 1 : 0; } int main(void) { check(f(__VERIFIER_nondet_int()) != 5); return 0; }";
    for engine in both() {
        assert_eq!(conclusion(engine.as_ref(), DataModel::Lp64, text).outcome.name(), "bound-reached");
    }
}

/// Memory arrays have room for objects up to a size: whether larger ones touch is nothing to be proved.
#[test]
fn objects_beyond_the_room_that_they_have() {
    let text = |size: &str, at: &str| {
        format!(
            "int main(void) {{ unsigned long n = (unsigned)__VERIFIER_nondet_int(); n = {size}; if (n <= {at}) return 0;
               char *p = malloc(n), *q = malloc(n), *r = __VERIFIER_nondet_int() ? p : q; *r = 0;
               p[{at}] = 1; q[0] = 2; if (p[{at}] == 1) reach_error(); return 0; }}"
        )
    };
    for engine in both() {
        let seen = conclusion(engine.as_ref(), DataModel::Lp64, &text("8 * n", "0x100000040ul")).outcome;
        assert!(matches!(&seen, Outcome::Unknown(why) if why.words.contains("bmc shows it")), "{seen:?}");
        let gap = conclusion(engine.as_ref(), DataModel::Lp64, &text("n * n", "0x10000000040ul")).outcome;
        assert!(!matches!(gap, Outcome::Safe(_)), "{} {gap:?}", engine.name());
    }
}

/// Any number of objects of any size: none comes to lie where another one is.
#[test]
fn more_objects_than_there_is_room_for() {
    let text = "int main(void) { unsigned n = __VERIFIER_nondet_int(); char *first = malloc(n); first[0] = 1; char *last = malloc(n);
        while (__VERIFIER_nondet_int()) { last = malloc(n); last[0] = 2; } check(first[0] == 2 || last == first || n == 77); return 0; }";
    for engine in both() {
        let seen = conclusion(engine.as_ref(), DataModel::Lp64, text).outcome;
        assert!(!matches!(seen, Outcome::Safe(_)), "{} {seen:?}", engine.name());
    }
}
