//! Static cone of influence: takes out of the Program what no condition of any thread depends on, whatever the threads do.
//!
//! A variable matters if something that must be known reads it (a condition, an address, a handle, what is printed), or if a label that
//! writes a variable that matters does. What only writes variables that do not matter goes. Memory always matters.

use fixedbitset::FixedBitSet;
use raddle_ir::{Callee, Const, ExprId, ExprPool, Label, Place, Procedure, Program, VarId};

pub fn static_coi(mut program: Program) -> Program {
    let cone = Cone::new(&program);
    let params: Vec<Option<VarId>> = program.procs.iter().map(|proc| proc.params.first().copied()).collect();
    for proc in &mut program.procs {
        shrink(proc, &mut program.pool, &cone, &params);
    }
    for (i, var) in program.vars.iter_mut().enumerate() {
        if !cone.vars.contains(i) {
            var.lose_writes();
        }
    }
    program
}

/// The variables that matter.
struct Cone {
    vars: FixedBitSet,
    /// Do the results of threads matter?
    results: bool,
}

/// What is written depends on what is read; nothing written: what is read matters.
struct Dependency {
    to: Target,
    from: Vec<VarId>,
    reads_results: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Var(VarId),
    Results,
    Always,
}

impl Cone {
    fn new(program: &Program) -> Self {
        let mut open = dependencies(program);
        let mut cone = Cone { vars: FixedBitSet::with_capacity(program.vars.len()), results: false };
        loop {
            let before = open.len();
            open.retain(|dependency| {
                if !cone.contains(dependency.to) {
                    return true;
                }
                dependency.from.iter().for_each(|var| cone.vars.insert(var.index()));
                cone.results |= dependency.reads_results;
                false
            });
            if open.len() == before {
                return cone;
            }
        }
    }

    fn contains(&self, target: Target) -> bool {
        match target {
            Target::Var(var) => self.vars.contains(var.index()),
            Target::Results => self.results,
            Target::Always => true,
        }
    }

    fn has(&self, var: VarId) -> bool {
        self.vars.contains(var.index())
    }
}

fn dependencies(program: &Program) -> Vec<Dependency> {
    let mut all = Vec::new();
    let mut depends = |to: Target, exprs: &[ExprId], vars: &[VarId], reads_results: bool| {
        let mut from: Vec<VarId> = exprs.iter().flat_map(|expr| program.pool.vars(*expr)).collect();
        from.extend(vars);
        all.push(Dependency { to, from, reads_results });
    };
    for proc in &program.procs {
        if let Some(result) = proc.result {
            depends(Target::Results, &[], &[result], false);
        }
        for label in proc.edges.iter().flat_map(|edge| &edge.labels) {
            match label {
                Label::Assign { var, value } => depends(Target::Var(*var), &[*value], &[], false),
                Label::Load { var, place: Place::Var(from), .. } => depends(Target::Var(*var), &[], &[*from], false),
                Label::Store { place: Place::Var(to), value, .. } => depends(Target::Var(*to), &[*value], &[], false),
                Label::Start { callee: Callee::Proc(callee), arg, .. } => {
                    if let Some(param) = program.proc(*callee).params.first() {
                        depends(Target::Var(*param), &[*arg], &[], false);
                    }
                }
                Label::Join { var, handle } => {
                    depends(Target::Always, &[*handle], &[], false);
                    if let Some(var) = var {
                        depends(Target::Var(*var), &[], &[], true);
                    }
                }
                Label::ThreadExit { value } => depends(Target::Results, &[*value], &[], false),
                Label::Havoc { var, .. } => depends(Target::Var(*var), &label.exprs(), &[], false),
                other => other.for_each_expr(|expr| depends(Target::Always, &[expr], &[], false)),
            }
        }
    }
    all
}

fn shrink(proc: &mut Procedure, pool: &mut ExprPool, cone: &Cone, params: &[Option<VarId>]) {
    for edge in &mut proc.edges {
        edge.labels.retain(|label| match label {
            Label::Assign { var, .. }
            | Label::Havoc { var, .. }
            | Label::Self_ { var }
            | Label::Load { var, place: Place::Var(_), .. } => cone.has(*var),
            Label::Store { place: Place::Var(to), .. } => cone.has(*to),
            _ => true,
        });
        for label in &mut edge.labels {
            match label {
                Label::Join { var, .. } | Label::Lock { var, .. } | Label::Print { var, .. } => {
                    *var = var.filter(|var| cone.has(*var));
                }
                // What was computed for these may be gone.
                Label::ThreadExit { value } if !cone.results => *value = zero(pool, *value),
                Label::Start { callee: Callee::Proc(callee), arg, .. }
                    if params[callee.index()].is_none_or(|param| !cone.has(param)) =>
                {
                    *arg = zero(pool, *arg);
                }
                _ => {}
            }
        }
    }
    if !cone.results {
        proc.result = None;
    }
}

fn zero(pool: &mut ExprPool, like: ExprId) -> ExprId {
    match pool.sort(like) {
        sort if sort.bits().is_some() => pool.constant(Const { sort, bits: 0 }),
        _ => like,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::{parse_text, to_text, validate};

    const SUMS: &str = "
program pointer_bits 64, dynamic_base 0x10000000, entry main

global sum #0: bv32 signed = 0i32
global n #1: bv32 signed = 0i32

proc main()
  local t #2: bv64
  local a #3: bv32
  local b #4: bv32
  local r #7: bv64
  at L0, L1, L2, L3
  entry L0, exit L3
  L0 -> L1: t := start adds(5i64)
  L1 -> L2: r := join t; a := load sum; b := load n; store sum := a + b
  L2 -> L3: b := load n; assume b == 2i32; error call

proc adds(c) -> d
  local c #5: bv64
  local d #6: bv64
  at L0, L1
  entry L0, exit L1
  L0 -> L1: d := c; store n := 1i32; store sum := 2i32
";

    #[test]
    fn what_only_counts_itself_is_out_of_the_cone() {
        let program = parse_text(SUMS).unwrap_or_else(|error| panic!("{error}"));
        let program = static_coi(program);
        assert_eq!(validate(&program), Ok(()));
        let text = to_text(&program);
        let edges: Vec<&str> = text.lines().filter(|line| line.contains(" -> ")).map(str::trim).collect();
        assert_eq!(
            edges,
            [
                "L0 -> L1: t := start adds(0i64)",
                "L1 -> L2: join t; b := load n",
                "L2 -> L3: b := load n; assume b == 2i32; error call",
                "L0 -> L1: store n := 1i32"
            ]
        );
    }
}
