//! Random programs with pointers that were never written. What is proved of such a program must also hold of the one in which each such pointer is chosen among the
//! program's objects; that one can be explored. (Stores go through a pointer only where it was compared with an address: to hit an object by chance is
//! undefined.)
//!
//! `RADDLE_CASES=1000 cargo test --release -p raddle-cegar --test stray -- --nocapture` runs more of them; `RADDLE_SEED` says where to begin.

use raddle_c::driver::{Options, load_text};
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_cegar::{CegarConfig, Coi, Domain, InitialPrecision};
use raddle_interp::{ExploreConfig, StopReason, explore};
use raddle_ir::Program;
use raddle_oc::OcConfig;

const PRELUDE: &str =
    "extern void abort(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern void *malloc(__SIZE_TYPE__);
    void reach_error(void) {} void check(int ok) { if (!ok) reach_error(); }
    struct s { int *p, *q; struct s *next; int n; }; int a = 1, b = 2;\n";
/// What stays as `malloc` gives it, and what is chosen.
const NOTHING: &str = "void fill(struct s *s) {}\n";
const CHOICE: &str =
    "int any(int below) { unsigned char c = __VERIFIER_nondet_uchar(); if (c >= below) abort(); return c; }
    int *place(void) { int c = any(3); return c == 0 ? 0 : c == 1 ? &a : &b; }
    void fill(struct s *s) { s->p = place(); s->q = place(); s->next = any(2) ? s : 0; s->n = any(3); }\n";

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    fn pointer(&mut self) -> String {
        format!("{}->{}", self.one(&["x", "y"]), self.one(&["p", "q"]))
    }

    fn statement(&mut self) -> String {
        let (to, k) = (self.one(&["v", "w"]), self.below(4));
        match self.below(9) {
            0 | 1 => format!("{} = {};", self.pointer(), self.one(&["&a", "&b", "0"])),
            2 | 3 => format!("{to} = *{};", self.pointer()),
            4 => {
                let (pointer, address) = (self.pointer(), self.one(&["&a", "&b"]));
                format!("if ({pointer} == {address}) *{pointer} = {k};")
            }
            5 => format!("{} = {};", self.pointer(), self.pointer()),
            6 => format!("{to} = {}->next{}->n;", self.one(&["x", "y"]), self.one(&["", "->next"])),
            7 => format!(
                "{}->next = {}; {}->n = {k};",
                self.one(&["x", "y"]),
                self.one(&["x", "y", "0"]),
                self.one(&["x", "y"])
            ),
            _ => format!("if ({to} == {k}) {}", self.one(&["x = y;", "v = w;", "w = a + b;", "a = v;"])),
        }
    }

    fn program(&mut self) -> String {
        // Objects that are made once, or in a loop.
        let make = match self.below(2) {
            0 => "struct s *x = malloc(sizeof *x), *y = malloc(sizeof *y); fill(x); fill(y);",
            _ => "struct s *x = 0, *y = 0; for (int i = 0; i < 2; i++) { y = x; x = malloc(sizeof *x); fill(x); }",
        };
        let body: Vec<String> = (0..4 + self.below(5)).map(|_| self.statement()).collect();
        let (what, k) = (self.one(&["v", "w", "v + w", "a", "b"]), self.below(4));
        format!("int main(void) {{ int v = 0, w = 0; {make}\n  {}\n  check({what} != {k}); }}\n", body.join("\n  "))
    }
}

fn load(text: &str, model: DataModel) -> Program {
    let lower = LowerOptions { assertions_are_errors: true, concrete_arguments: false };
    let options = Options { model, cpp: CppOptions::default(), lower };
    match load_text("stray.c", text.as_bytes().to_vec(), &options) {
        Ok(loaded) => raddle_passes::simplify(loaded.program),
        Err(failure) => panic!("not accepted: {}\n{text}", failure.message),
    }
}

#[test]
fn proofs_hold_whatever_pointers_are_that_were_never_written() {
    let number =
        |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (cases, first) = (number("RADDLE_CASES", 40), number("RADDLE_SEED", 1));
    let expl = CegarConfig { domain: Domain::Expl, ..CegarConfig::default() };
    let all = CegarConfig { initial: InitialPrecision::AllVars, max_enum: 4, coi: Coi::None, ..expl.clone() };
    let pred = CegarConfig { domain: Domain::PredCart, ..CegarConfig::default() };
    let configs = [("default", CegarConfig::default()), ("expl", expl), ("all values", all), ("pred-cart", pred)];
    let mut violated = 0;
    for seed in first..first + cases {
        let text = Random(seed.wrapping_mul(0x9e3779b97f4a7c15)).program();
        let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let begin = std::time::Instant::now();
        let stop = || (begin.elapsed().as_secs() >= 5).then_some(StopReason::Timeout);
        let chosen = load(&(PRELUDE.to_string() + CHOICE + &text), model);
        let raddle_interp::Outcome::Unsafe(..) = explore(&chosen, &ExploreConfig::default(), &stop).outcome else {
            continue;
        };
        violated += 1;
        let program = load(&(PRELUDE.to_string() + NOTHING + &text), model);
        for (name, config) in &configs {
            let begin = std::time::Instant::now();
            let stop = || (begin.elapsed().as_secs() >= 2).then_some(StopReason::Timeout);
            let outcome = raddle_cegar::verify(&program, config, &stop).0;
            assert!(!matches!(outcome, raddle_cegar::Outcome::Safe), "seed {seed}, {name} proves\n{text}");
        }
        let begin = std::time::Instant::now();
        let stop = || (begin.elapsed().as_secs() >= 2).then_some(StopReason::Timeout);
        let outcome = raddle_oc::verify(&program, &OcConfig::default(), None, &stop).0;
        assert!(!matches!(outcome, raddle_oc::Outcome::Safe), "seed {seed}, oc proves\n{text}");
    }
    eprintln!("{violated} of {cases} programs can be violated");
    assert!(violated * 4 >= cases, "too few programs say something: {violated} of {cases}");
}
