//! Facts hold along random concrete executions of random Programs.
//!
//! The stepper below knows neither memory nor locks nor atomic blocks: loads give any value, threads interleave freely. So it runs more than a
//! Program can do, and the abstract semantics has to cover that too, since it knows as little.

mod prepared;

use prepared::{facts, prepared};
use raddle_absint::Facts;
use raddle_ir::eval::{eval, mask};
use raddle_ir::*;
use raddle_passes::Lbe;
use raddle_testing::{Random, lowered, number, random_c, random_program};
use std::convert::Infallible;

struct Thread {
    proc: ProcId,
    loc: LocId,
    /// Of all variables; those of others and globals are not used.
    own: Vec<Value>,
}

struct Run<'a> {
    program: &'a Program,
    dice: &'a mut Random,
    globals: Vec<Value>,
    threads: Vec<Thread>,
}

fn any(dice: &mut Random, sort: Sort) -> Value {
    match sort {
        Sort::Array { element, .. } => {
            Value::Array(std::sync::Arc::new(ArrayValue::constant(dice.below(4) as u128 & mask(element))))
        }
        _ => {
            let bits = sort.bits().unwrap_or(1);
            let value = match dice.below(4) {
                0 | 1 => u128::from(dice.below(6)),
                2 => u128::from(dice.below(4)).wrapping_neg(),
                _ => u128::from(dice.below(u64::MAX)),
            };
            Value::Bits(value & mask(bits))
        }
    }
}

impl Run<'_> {
    fn begin(&mut self, proc: ProcId, arg: Option<(Sort, Value)>) {
        let (program, dice) = (self.program, &mut *self.dice);
        let mut own: Vec<Value> = program
            .vars
            .iter()
            .map(|var| match var.kind {
                VarKind::ThreadLocal(Some(c)) => Value::Bits(c.bits),
                _ => any(dice, var.sort),
            })
            .collect();
        if let (Some(param), Some((sort, value))) = (program.proc(proc).params.first(), arg)
            && program.var(*param).sort == sort
        {
            own[param.index()] = value;
        }
        self.threads.push(Thread { proc, loc: program.proc(proc).entry, own });
    }

    fn eval(&self, thread: usize, id: ExprId, pool: &ExprPool) -> Value {
        let value = |var: VarId| match self.program.var(var).kind {
            VarKind::Global(_) => self.globals[var.index()].clone(),
            _ => self.threads[thread].own[var.index()].clone(),
        };
        let Ok(value) = eval::<Infallible>(pool, id, &mut |var| Ok(value(var)));
        value
    }

    /// Takes an edge; `None` if it does not come to its end.
    fn edge(&mut self, thread: usize, edge: &Edge) -> Option<()> {
        let program = self.program;
        for label in &edge.labels {
            let mut write = None;
            match label {
                Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. }
                    if self.eval(thread, *cond, &program.pool).bits() == 0 =>
                {
                    return None;
                }
                Label::Assign { var, value } => write = Some((*var, self.eval(thread, *value, &program.pool))),
                Label::Store { place: Place::Var(var), value, .. } => {
                    let value = self.eval(thread, *value, &program.pool);
                    match program.var(*var).kind {
                        VarKind::Global(_) => self.globals[var.index()] = value,
                        _ => self.threads[thread].own[var.index()] = value,
                    }
                }
                Label::Load { var, place: Place::Var(from), .. } => {
                    let value = match program.var(*from).kind {
                        VarKind::Global(_) => self.globals[from.index()].clone(),
                        _ => self.threads[thread].own[from.index()].clone(),
                    };
                    write = Some((*var, value));
                }
                Label::Lock { var: Some(var), .. } => {
                    write = Some((*var, Value::Bits(self.dice.pick(&[0, 1, 16, 35]))))
                }
                Label::Start { callee: Callee::Proc(proc), arg, .. } => {
                    let value = self.eval(thread, *arg, &program.pool);
                    if self.threads.len() < 4 {
                        self.begin(*proc, Some((program.pool.sort(*arg), value)));
                    }
                }
                Label::Halt { .. } | Label::ThreadExit { .. } | Label::Error(_) => return None,
                _ => {}
            }
            if let (None, Some(var)) = (&write, label.written_local()) {
                write = Some((var, any(self.dice, program.var(var).sort)));
            }
            if let Some((var, value)) = write {
                self.threads[thread].own[var.index()] = value;
            }
        }
        self.threads[thread].loc = edge.target;
        Some(())
    }

    fn check(&self, facts: &Facts, what: &str) {
        for (i, thread) in self.threads.iter().enumerate() {
            for fact in &facts.at[thread.proc.index()][thread.loc.index()] {
                if self.eval(i, *fact, &facts.pool).bits() == 0 {
                    let grown = Program { pool: facts.pool.clone(), ..self.program.clone() };
                    let text = text::expr_text(&grown, &Names::new(self.program), Some(thread.proc), *fact);
                    let values: Vec<String> = facts
                        .pool
                        .vars(*fact)
                        .iter()
                        .map(|var| format!("{} = {:?}", self.program.var(*var).name, thread.own[var.index()]))
                        .collect();
                    panic!(
                        "{what}: at {:?} of {:?}: {text}\n{values:?}\n{}",
                        thread.loc,
                        thread.proc,
                        to_text(self.program)
                    );
                }
            }
        }
    }
}

/// How many locations with a fact were visited.
fn check(program: &Program, seed: u64, what: &str) -> u64 {
    // Inlining makes a few of the programs large, which says nothing more.
    if program.vars.len() > 400 {
        return 0;
    }
    let facts = facts(program);
    let outgoing: Vec<Outgoing> = program.procs.iter().map(Procedure::out_edges).collect();
    let mut dice = Random::new(seed);
    let mut visited = 0;
    for _ in 0..12 {
        let globals = program.vars.iter().map(|var| match var.kind {
            VarKind::Global(Some(c)) => Value::Bits(c.bits),
            _ => any(&mut dice, var.sort),
        });
        let globals = globals.collect();
        let mut run = Run { program, dice: &mut dice, globals, threads: Vec::new() };
        run.begin(program.entry, None);
        for _ in 0..150 {
            run.check(&facts, what);
            let thread = run.dice.index(run.threads.len());
            let at = &run.threads[thread];
            visited += u64::from(!facts.at[at.proc.index()][at.loc.index()].is_empty());
            let edges = outgoing[at.proc.index()].of(at.loc);
            if edges.is_empty() {
                continue;
            }
            // An edge that does not come to its end may have changed variables: the run goes back to before it.
            let (own, globals, count) = (at.own.clone(), run.globals.clone(), run.threads.len());
            let edge = &program.proc(at.proc).edges[run.dice.pick(edges).index()];
            if run.edge(thread, edge).is_none() {
                run.threads[thread].own = own;
                run.globals = globals;
                run.threads.truncate(count);
            }
        }
    }
    visited
}

fn blocks(seed: u64) -> Lbe {
    [Lbe::Full, Lbe::None, Lbe::Seq, Lbe::Local][(seed % 4) as usize]
}

/// A program of loops over counters, sums, flags and small integers, which wrap now and then.
fn random_loops(dice: &mut Random) -> String {
    fn number(dice: &mut Random) -> String {
        dice.pick(&["0", "1", "1", "2", "3", "4", "7", "10", "100", "255", "0x7fffffff", "0x80000000u", "-1", "-3"])
            .into()
    }
    fn var(dice: &mut Random) -> &'static str {
        dice.pick(&["i", "j", "n", "m", "a", "b", "c", "s"])
    }
    fn value(dice: &mut Random) -> String {
        let (x, y, k) = (var(dice), var(dice), number(dice));
        match dice.below(14) {
            0..=2 => k,
            3 => x.into(),
            4 | 5 => format!("{x} + {k}"),
            6 => format!("{x} + {y}"),
            7 => format!("{x} - {y}"),
            8 => format!("{k} * {x} + {y}"),
            9 => format!("{x} & {k}"),
            10 => format!("({x} >> 1)"),
            11 => format!("({x} < {y} ? {x} : {k})"),
            12 => format!("{x} % 5"),
            _ => "any()".into(),
        }
    }
    fn cond(dice: &mut Random) -> String {
        let (x, y, k) = (var(dice), var(dice), number(dice));
        match dice.below(8) {
            0 => "any() & 1".into(),
            1 | 2 => format!("{x} < {y}"),
            3 => format!("{x} != {k}"),
            4 => format!("state == {}", dice.below(3)),
            5 => format!("{x} == {y}"),
            6 => format!("{x} < {k} && {y} >= {x}"),
            _ => format!("{x} <= {k}"),
        }
    }
    fn statements(dice: &mut Random, depth: u32) -> String {
        let mut text = String::new();
        for _ in 0..1 + dice.below(4) {
            text += &match dice.below(if depth < 2 { 10 } else { 6 }) {
                0 | 1 => format!("{0} += {1};", var(dice), dice.pick(&["1", "1", "2", "-1", "3"])),
                2..=4 => format!("{} = {};", var(dice), value(dice)),
                5 => format!("state = {};", dice.below(3)),
                6 | 7 => format!("while ({}) {{ {} }}", cond(dice), statements(dice, depth + 1)),
                _ => format!(
                    "if ({}) {{ {} }} else {{ {} }}",
                    cond(dice),
                    statements(dice, depth + 1),
                    statements(dice, depth + 1)
                ),
            };
        }
        text
    }
    let body = statements(dice, 0) + &statements(dice, 0);
    let check = format!("if ({}) reach_error();", cond(dice));
    format!(
        "extern int any(void); extern void reach_error(void); int main(void) {{ int i = 0, j = any(), n = any(); unsigned a = 0, b = any(), m = any(); \
         unsigned char c = 0; short s = 0; int state = 0; {body} {check} return i + j + n + a + b + m + c + s + state; }}"
    )
}

#[test]
fn facts_hold_in_random_loops() {
    let mut visited = 0;
    for seed in 0..number("RADDLE_CASES", 400) {
        let text = random_loops(&mut Random::new(seed));
        visited += check(&prepared(lowered(&text), blocks(seed)), seed, &format!("{seed}\n{text}"));
    }
    assert!(visited > 1000, "{visited}");
}

#[test]
fn facts_hold_in_random_c_programs() {
    let mut visited = 0;
    for seed in 0..number("RADDLE_CASES", 40) {
        let text = random_c::sequential::program(seed);
        visited += check(&prepared(lowered(&text), blocks(seed)), seed, &format!("{seed}\n{text}"));
    }
    assert!(visited > 1000, "{visited}");
}

#[test]
fn facts_hold_in_random_programs() {
    let mut visited = 0;
    for seed in 0..number("RADDLE_CASES", 300) {
        visited += check(&prepared(random_program(seed), blocks(seed / 3)), seed, &format!("{seed}"));
    }
    assert!(visited > 1000, "{visited}");
}

#[test]
fn facts_hold_in_random_threads() {
    let mut visited = 0;
    for seed in 0..number("RADDLE_CASES", 100) {
        let text = random_c::program(seed);
        visited += check(&prepared(lowered(&text), blocks(seed)), seed, &format!("{seed}\n{text}"));
    }
    assert!(visited > 1000, "{visited}");
}
