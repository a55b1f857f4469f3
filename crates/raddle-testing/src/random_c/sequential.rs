//! Random sequential C programs: records on the heap and elsewhere, pointers to them and between them, unions, arrays with computed indices, loops of a few
//! rounds, calls, inputs of a few values; some end early, or are undefined from somewhere on. Made for what happens to a program before it is abstracted: globals become locals, objects become
//! variables, branches become one edge, dead values are forgotten.

use crate::Random;
use std::fmt::Write;

struct Generator {
    dice: Random,
    text: String,
    /// How deep statements are nested, and how many loops there are.
    depth: usize,
    loops: usize,
    /// How many functions may be called here.
    functions: usize,
}

pub fn program(seed: u64) -> String {
    let dice = Random::new(seed + 1);
    let mut g = Generator { dice, text: String::new(), depth: 0, loops: 0, functions: 0 };
    g.text.push_str(
        "extern void reach_error(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern void abort(void); extern void exit(int); extern void __VERIFIER_assume(int);\n\
         void *malloc(__SIZE_TYPE__); void *calloc(__SIZE_TYPE__, __SIZE_TYPE__); void free(void *);\n\
         struct S { int x; unsigned char b; struct S *next; }; union U { int i; unsigned short h[2]; unsigned char b[4]; float f; } u = {7};\n\
         int g0, g1 = 1; unsigned char c0 = 3; int a[4] = {1, 2}; struct S s0, s1 = {5, 6, &s0}; struct S *p = &s0, *q = &s1; int *ip = &g0, *nowhere;\n",
    );
    for function in 0..g.dice.index(3) {
        let _ = writeln!(g.text, "int f{function}(int v, struct S *r) {{ int l0 = v, l1 = 0; union U w; w.i = l0;");
        let count = 1 + g.dice.index(4);
        g.statements(count);
        let result = g.expr(2);
        let _ = writeln!(g.text, "return {result}; }}");
        g.functions += 1;
    }
    g.text.push_str("int main(void) { int l0 = 0, l1 = 2, v = __VERIFIER_nondet_uchar() & 3; union U w = {2}; struct S own = {1, 2, 0}, *r = &own;\n");
    let count = 3 + g.dice.index(8);
    g.statements(count);
    for _ in 0..1 + g.dice.index(2) {
        let (value, limit) = (g.expr(2), g.dice.index(9));
        let holds = g.pick(&["!=", "!=", "<=", ">=", "=="]);
        let _ = writeln!(g.text, "if (!(({value}) {holds} {limit})) reach_error();");
    }
    g.text.push_str("return 0; }\n");
    g.text
}

impl Generator {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.dice.index(of.len())]
    }

    fn statements(&mut self, count: usize) {
        (0..count).for_each(|_| self.statement());
    }

    fn block(&mut self) {
        self.depth += 1;
        self.text.push_str("{ ");
        let count = 1 + self.dice.index(3);
        self.statements(count);
        self.text.push_str("} ");
        self.depth -= 1;
    }

    fn statement(&mut self) {
        if self.dice.one_in(24) {
            let (cond, end) = (
                self.cond(),
                self.pick(&["exit(0);", "abort();", "__VERIFIER_assume(0);", "g0 = *nowhere;", "g0 = 4 / (v & 1);"]),
            );
            let _ = writeln!(self.text, "if ({cond}) {end}");
            return;
        }
        let kind = self.dice.index(if self.depth < 3 { 16 } else { 9 });
        match kind {
            0..=4 => {
                let (to, value) = (self.place(), self.expr(3));
                let _ = writeln!(self.text, "{to} = {value};");
            }
            5 => {
                let (to, record) = (self.pick(&["p", "q", "r", "r->next"]), self.record());
                let _ = writeln!(self.text, "{to} = {record};");
            }
            6 => {
                let to = self.pick(&["&g0", "&g1", "&a[1]", "&l0", "&s0.x", "&p->x", "&r->x"]);
                let _ = writeln!(self.text, "ip = {to};");
            }
            7 => {
                let to = self.pick(&["p", "q", "r"]);
                let (x, of) = (self.expr(1), self.pick(&["malloc(sizeof(struct S))", "calloc(1, sizeof(struct S))"]));
                let _ = writeln!(self.text, "{to} = {of}; {to}->x = {x}; {to}->b = 1; {to}->next = 0;");
            }
            8 => {
                let to = self.pick(&["g0", "l1", "v", "c0", "u.f", "w.h[1]"]);
                let _ = writeln!(self.text, "{to} = __VERIFIER_nondet_uchar() & 3;");
            }
            9..=11 => {
                let cond = self.cond();
                let _ = write!(self.text, "if ({cond}) ");
                self.block();
                if self.dice.index(2) == 0 {
                    self.text.push_str("else ");
                    self.block();
                }
                self.text.push('\n');
            }
            12 | 13 => {
                let (i, most, cond) = (self.loops, 1 + self.dice.index(3), self.cond());
                self.loops += 1;
                let _ = write!(self.text, "for (int i{i} = 0; i{i} < {most} && ({cond}); i{i}++) ");
                self.block();
                self.text.push('\n');
            }
            14 => {
                let of = self.expr(1);
                let _ = write!(self.text, "switch (({of}) & 3) {{ case 0: ");
                self.block();
                let end = self.pick(&["break;", ""]);
                self.text.push_str(end);
                self.text.push_str(" case 2: ");
                self.block();
                self.text.push_str(" break; default: ");
                self.block();
                self.text.push_str("}\n");
            }
            _ => {
                // A list as far as it goes.
                let (i, to) = (self.loops, self.pick(&["g1", "l1"]));
                self.loops += 1;
                let (from, most) = (self.pick(&["p", "q", "r"]), 1 + self.dice.index(3));
                let _ = write!(self.text, "{{ struct S *n{i} = {from}; for (int k = 0; n{i} && k < {most}; k++) ");
                let _ = writeln!(self.text, "{{ {to} += n{i}->x & 7; n{i} = n{i}->next; }} }}");
            }
        }
    }

    fn cond(&mut self) -> String {
        let (left, right) = (self.expr(2), self.expr(1));
        match self.dice.index(6) {
            0 => format!("{left} && {right}"),
            1 => self.pick(&["p == q", "q != 0", "r == p", "ip == &g0", "r->next == 0", "p->next != q"]).into(),
            _ => format!("({left}) {} ({right})", self.pick(&["==", "!=", "<", ">="])),
        }
    }

    fn place(&mut self) -> String {
        match self.dice.index(8) {
            0 => format!("a[({}) & 3]", self.expr(1)),
            1 => self.pick(&["u.i", "u.h[1]", "u.b[0]", "u.b[3]", "w.i", "w.h[0]", "w.b[1]"]).into(),
            _ => self
                .pick(&[
                    "g0", "g1", "c0", "l0", "l1", "v", "s0.x", "s1.b", "p->x", "p->b", "r->x", "*ip", "a[2]", "q->x",
                ])
                .into(),
        }
    }

    fn record(&mut self) -> &'static str {
        self.pick(&["&s0", "&s1", "p", "q", "r", "r->next", "p->next", "0", "s1.next"])
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.dice.index(4) == 0 {
            return match self.dice.index(4) {
                0 => self.dice.index(9).to_string(),
                _ => self.place(),
            };
        }
        match self.dice.index(10) {
            0 => format!("(({}) ? ({}) : ({}))", self.expr(1), self.expr(depth - 1), self.expr(depth - 1)),
            1 => format!("(({}) / 2)", self.expr(depth - 1)),
            2 => format!("((unsigned)({}) >> 1)", self.expr(depth - 1)),
            3 if self.functions > 0 => {
                let (f, record) = (self.dice.index(self.functions), self.record());
                format!("f{f}(({}) & 7, {record})", self.expr(depth - 1))
            }
            4 => format!("(({}) & 7)", self.expr(depth - 1)),
            _ => {
                let op = self.pick(&["+", "+", "-", "*", "&", "|", "^"]);
                format!("(({}) {op} ({}))", self.expr(depth - 1), self.expr(depth - 1))
            }
        }
    }
}
