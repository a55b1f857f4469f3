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
