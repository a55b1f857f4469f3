//! Examples, and random programs that must do the same with large blocks as without.

use raddle_engine::{Outcome, Silent};
use raddle_explore::{ExploreConfig, explore};
use raddle_ir::text::label_text;
use raddle_ir::{Edge, MemoryModel, Names, Program, validate};
use raddle_passes::{InlineOptions, Lbe, inline, large_blocks, simplify, simplify_unmerged};
use raddle_testing::random_c::{self, stalls};
use raddle_testing::{Random, budget_of, number};
use std::fmt::Write;

fn inlined(text: &str) -> Program {
    inline(raddle_testing::lowered(text), &InlineOptions::default()).expect("small programs fit")
}

const DECLARATIONS: &str = "
    extern int nondet(void); extern void reach_error(void); extern void __VERIFIER_assume(int);
    extern _Bool __VERIFIER_nondet_bool(void); typedef unsigned long pthread_t;
    extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int a, b, c; ";

/// The labels of each edge of a body of `main`, after blocks were made.
fn blocks(lbe: Lbe, body: &str) -> Vec<String> {
    let program = simplify(inlined(&format!("{DECLARATIONS} int main(void) {{ {body} }}")));
    let program = large_blocks(program, lbe);
    assert_eq!(validate(&program), Ok(()));
    let names = Names::new(&program);
    let text = |edge: &Edge| {
        let labels = edge.labels.iter().map(|label| label_text(&program, &names, Some(program.entry), label));
        labels.collect::<Vec<_>>().join("; ")
    };
    program.proc(program.entry).edges.iter().map(text).collect()
}

#[test]
fn a_branch_becomes_a_conditional_value() {
    let body = "int x = nondet(), y = 0; if (x > 5) y = 1; else y = x; if (y == 7) reach_error(); return 0;";
    for lbe in [Lbe::Full, Lbe::Local] {
        assert_eq!(blocks(lbe, body)[0], "x := havoc undefined_function; y := (5i32 <s x) ? 1i32 : x");
    }
}

#[test]
fn swapped_variables_keep_their_values() {
    let body = "int x = nondet(), y = nondet(), t; if (nondet()) { t = x; x = y; y = t; }
        if (x - y == 7) reach_error(); return 0;";
    assert_eq!(
        blocks(Lbe::Local, body)[0].split("tmp := havoc undefined_function; ").last(),
        Some("x'4 := x'1; x'1 := (tmp == 0i32) ? x'1 : y; y := (tmp == 0i32) ? y : x'4")
    );
}

#[test]
fn a_condition_of_two_parts_is_one_condition() {
    let body =
        "int x = nondet(), y = nondet(), z = 0; if (x > 5 && y > 6) z = 1; if (z + x == 9) reach_error(); return 0;";
    let block = &blocks(Lbe::Local, body)[0];
    assert!(block.ends_with("z := 0i32; z := ((5i32 <s x) && (6i32 <s y)) ? 1i32 : z"), "{block}");
}

#[test]
fn global_variables_are_like_locals_where_no_thread_is_started() {
    let body = "a = nondet(), b = nondet(), c = nondet();
        if (a == 1) b = 2; else if (a == 2) b = a + c; else c = b; if (b == 3) reach_error(); return 0;";
    let merged = blocks(Lbe::Full, body);
    let expected = "tmp'4 := load a; a'7 := load a; b'8 := load b; c'9 := load c; \
        store b := (tmp'4 == 1i32) ? 2i32 : ((a'7 == 2i32) ? (a'7 + c'9) : b'8); \
        store c := ((tmp'4 == 1i32) || (a'7 == 2i32)) ? c'9 : b'8";
    assert!(merged.iter().any(|block| block.contains(expected)), "{merged:#?}");
    assert!(merged.len() < blocks(Lbe::Local, body).len());
}

/// A random sequential program full of branches.
struct Branches {
    random: Random,
    text: String,
}

impl Branches {
    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        self.random.pick(from)
    }

    fn var(&mut self) -> &'static str {
        self.pick(&["a", "b", "c", "x", "y", "z"])
    }

    fn condition(&mut self) -> String {
        let (var, op, n) = (self.var(), self.pick(&["==", "!=", ">", "<="]), self.below(4));
        match self.below(5) {
            0 => format!("({} && {})", self.condition(), self.condition()),
            1 => format!("({} || {})", self.condition(), self.condition()),
            _ => format!("{var} {op} {n}"),
        }
    }

    fn block(&mut self, depth: u32) {
        self.text += "{ ";
        for _ in 0..1 + self.below(3) {
            self.statement(depth);
        }
        self.text += "} ";
    }

    fn statement(&mut self, depth: u32) {
        let (to, from, n) = (self.var(), self.var(), self.below(4));
        let _ = match self.below(if depth == 0 { 6 } else { 12 }) {
            0 | 1 => write!(self.text, "{to} = {n}; "),
            2 => write!(self.text, "{to} = {from}; "),
            3 => write!(self.text, "{to} = ({from} + {n}) & 3; "),
            4 => write!(self.text, "{to} = __VERIFIER_nondet_bool(); "),
            5 if n == 0 => {
                let condition = self.condition();
                write!(self.text, "__VERIFIER_assume({condition}); ")
            }
            5 if n > 1 => write!(self.text, "{to} = ({to} + 1) & 3; "),
            5 => {
                let conditions = [self.condition(), self.condition(), self.condition()].join(" && ");
                write!(self.text, "if ({conditions}) reach_error(); ")
            }
            6 if n == 0 => {
                let condition = self.condition();
                let _ = write!(self.text, "while ({condition}) ");
                self.block(depth - 1);
                Ok(())
            }
            7 => {
                let _ = write!(self.text, "switch ({from}) {{ case 1: ");
                self.statement(depth - 1);
                self.text += if n > 1 { "break; case 2: " } else { "case 2: " };
                self.statement(depth - 1);
                self.text += "break; default: ";
                self.statement(depth - 1);
                self.text += "} ";
                Ok(())
            }
            8 if n == 0 => write!(self.text, "goto end; "),
            _ => {
                let condition = self.condition();
                let _ = write!(self.text, "if ({condition}) ");
                self.block(depth - 1);
                for _ in 0..self.below(3) {
                    let condition = self.condition();
                    let _ = write!(self.text, "else if ({condition}) ");
                    self.block(depth - 1);
                }
                if self.below(2) == 0 {
                    self.text += "else ";
                    self.block(depth - 1);
                }
                Ok(())
            }
        };
    }
}

fn branches(seed: u64) -> String {
    let text = format!("{DECLARATIONS} int main(void) {{ int x = 0, y = 1, z = 3 * __VERIFIER_nondet_bool(); ");
    let mut branches = Branches { random: Random::new(seed + 1), text };
    branches.block(3);
    branches.block(2);
    branches.text += "end: if (x > y + 1 && z != a) reach_error(); return 0; }";
    branches.text
}

/// Is the error reachable? `None`: there are too many states.
fn is_unsafe(program: &Program) -> Option<bool> {
    match explore(program, MemoryModel::Sc, &ExploreConfig::default(), &budget_of(1600), &Silent).0 {
        Outcome::Safe(_) => Some(false),
        Outcome::Unsafe(..) => Some(true),
        Outcome::Unknown(..) => None,
    }
}

/// Explores random programs with and without blocks. Returns how many were compared, were unsafe, and got smaller.
fn compare(generate: fn(u64) -> String, cases: u64) -> (u64, u64, u64) {
    let first = number("RADDLE_SEED", 0);
    let (mut compared, mut errors, mut smaller) = (0, 0, 0);
    for seed in first..first + number("RADDLE_CASES", cases) {
        let text = generate(seed);
        let apart = simplify_unmerged(inlined(&text));
        let Some(expected) = is_unsafe(&apart) else { continue };
        (compared, errors) = (compared + 1, errors + u64::from(expected));
        let merged = simplify(apart);
        let count = |program: &Program| program.procs.iter().map(|proc| proc.edges.len()).sum::<usize>();
        for lbe in [Lbe::Seq, Lbe::Local, Lbe::Full] {
            let blocks = large_blocks(merged.clone(), lbe);
            assert_eq!(validate(&blocks), Ok(()), "seed {seed}, {lbe:?}\n{text}");
            let found = is_unsafe(&blocks);
            assert!(found.is_none_or(|found| found == expected), "seed {seed}, {lbe:?}: not {expected}\n{text}");
            smaller += u64::from(lbe == Lbe::Full && count(&blocks) < count(&merged));
        }
    }
    (compared, errors, smaller)
}

#[test]
fn blocks_do_what_the_branches_did() {
    let (compared, errors, smaller) = compare(branches, 400);
    println!("{compared} compared, {errors} unsafe, {smaller} smaller");
    assert!(compared > 300 && errors > 30 && errors + 30 < compared && smaller > 200);
}

#[test]
fn blocks_do_what_the_branches_did_with_threads() {
    let (compared, errors, smaller) = compare(stalls::program, 150);
    println!("{compared} compared, {errors} unsafe, {smaller} smaller");
    assert!(errors > 20 && errors + 20 < compared && smaller > 10);
    let (compared, errors, smaller) = compare(random_c::program, 40);
    println!("{compared} compared, {errors} unsafe, {smaller} smaller");
    assert!(errors > 5 && errors + 5 < compared);
}
