//! Random recursive C programs: one or two functions over a few bits that call themselves or each other, in expressions and in loops, with globals that they change. The depth is bounded, so that
//! all of them are explored in full.

use crate::Random;
use std::fmt::Write;

struct Generator {
    dice: Random,
    functions: usize,
    /// Inside of which function, if of one.
    here: Option<usize>,
    /// How many calls this body may still have: calls of calls multiply.
    calls: usize,
}

pub fn program(seed: u64) -> String {
    let mut dice = Random::new(seed + 1);
    let functions = 1 + dice.index(2);
    let mut g = Generator { dice, functions, here: None, calls: 0 };
    let mut text = String::from(
        "extern void reach_error(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern void abort(void);\n\
         void check(int ok) { if (!ok) reach_error(); }\n\
         unsigned char g0, g1 = 1; unsigned char f0(unsigned char, unsigned char); unsigned char f1(unsigned char, unsigned char);\n",
    );
    for function in 0..functions {
        g.here = Some(function);
        g.calls = 1 + g.dice.index(2);
        let base = g.expr(1);
        let _ = writeln!(text, "unsigned char f{function}(unsigned char n, unsigned char v) {{ unsigned char x = 0;");
        if g.dice.one_in(3) {
            text.push_str(&g.statement(0));
        }
        let _ = writeln!(text, "if (n == 0) return {base};");
        for _ in 0..1 + g.dice.index(3) {
            let statement = g.statement(2);
            text.push_str(&statement);
        }
        let result = g.expr(2);
        let _ = writeln!(text, "return {result}; }}");
    }
    if functions == 1 {
        text.push_str("unsigned char f1(unsigned char n, unsigned char v) { return f0(n, v); }\n");
    }
    (g.here, g.calls) = (None, 3);
    text.push_str(
        "int main(void) { unsigned char n = __VERIFIER_nondet_uchar() & 3, v = __VERIFIER_nondet_uchar() & 3, x = 0;\n",
    );
    for _ in 0..2 + g.dice.index(3) {
        let statement = g.statement(2);
        text.push_str(&statement);
    }
    let _ = writeln!(text, "x = {};", g.call());
    for _ in 0..1 + g.dice.index(2) {
        let (left, holds, right) = (g.expr(1), g.dice.pick(&["<=", ">=", "==", "!=", "<"]), g.expr(0));
        let _ = writeln!(text, "check(({left}) {holds} ({right}));");
    }
    text.push_str("return 0; }\n");
    text
}

impl Generator {
    fn call(&mut self) -> String {
        self.calls = self.calls.saturating_sub(1);
        let (f, v) = (self.dice.index(self.functions), self.expr(0));
        let n = match self.here {
            Some(_) => self.dice.pick(&["n - 1", "n - 1", "n - 1", "n / 2"]),
            None => self.dice.pick(&["n", "n", "v", "2", "(x & 3)"]),
        };
        format!("f{f}({n}, {v})")
    }

    fn statement(&mut self, depth: usize) -> String {
        let to = self.dice.pick(&["g0", "g1", "x", "x", "v"]);
        match self.dice.index(if depth == 0 { 4 } else { 8 }) {
            0..=2 => format!("{to} = {};\n", self.expr(1)),
            3 => format!("{to} = __VERIFIER_nondet_uchar() & 1;\n"),
            4 | 5 if self.calls > 0 => format!("{to} = {};\n", self.call()),
            6 if self.calls > 0 && self.here.is_none() => {
                format!("for (int i = 0; i < 2; i++) {{ {} {} }}\n", self.statement(0), self.statement(1))
            }
            7 => {
                let (cond, then) = (self.cond(), self.statement(depth - 1));
                match self.dice.one_in(2) {
                    true => format!("if ({cond}) {{ {then} }}\n"),
                    false => format!("if ({cond}) {{ {then} }} else {{ {} }}\n", self.statement(depth - 1)),
                }
            }
            _ => format!("{to} = {};\n", self.expr(2)),
        }
    }

    fn cond(&mut self) -> String {
        let (left, holds, right) = (self.expr(0), self.dice.pick(&["==", "!=", "<", ">"]), self.expr(0));
        format!("{left} {holds} {right}")
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.dice.index(3) {
                0 => self.dice.index(5).to_string(),
                _ => self.dice.pick(&["g0", "g1", "n", "v", "x"]).into(),
            };
        }
        match self.dice.index(8) {
            0 | 1 if self.calls > 0 && depth > 1 => {
                let call = self.call();
                format!("{call} {} {}", self.dice.pick(&["+", "-", "^"]), self.expr(0))
            }
            2 => format!("(({}) & 3)", self.expr(depth - 1)),
            3 => format!("({} ? {} : {})", self.cond(), self.expr(depth - 1), self.expr(0)),
            4 => self.expr(0),
            _ => {
                let op = self.dice.pick(&["+", "+", "-", "&", "|"]);
                format!("(({}) {op} ({}))", self.expr(depth - 1), self.expr(0))
            }
        }
    }
}
