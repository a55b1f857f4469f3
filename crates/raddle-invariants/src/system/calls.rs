//! Calls of recursive procedures in a sequential program, as steps.
//!
//! An activation is like a thread, but whoever called it waits for its end. A call is two steps from the place in front of it. The first one begins the activation with the arguments;
//! for the caller, nothing changes. The second one comes back: slot `OTHER` stands for an activation of the callee that has ended, and that was given the arguments and found the globals
//! which are there now, before the call. Its result goes to the caller, and the globals that it may write become any values; what is known of an activation that has ended holds of it and of these.
//!
//! The first step is never taken for the second one's sake: that the activation exists is not asked, which only adds behaviour.

use super::{At, OTHER, System, Target, Unsupported, labels::Way};
use raddle_ir::{Callee, EdgeId, ExprId, ExprPool, Label, Place, ProcId, Program, Span, VarId, VarKind};
use raddle_model::statements::Statement;
use raddle_passes::Given;

/// An activation has ended.
#[derive(Clone, Debug)]
pub struct Returned {
    pub callee: ProcId,
    /// The globals that it may have written, each with its value when it ended.
    pub globals: Vec<(VarId, ExprId)>,
}

impl<'p> System<'p> {
    /// The steps of a sequential Program in which recursive procedures are called.
    pub fn of_calls(program: &'p Program, pool: ExprPool, given: Given) -> Result<Self, Unsupported> {
        match refused(program) {
            Some(unsupported) => Err(unsupported),
            None => Self::build(program, pool, &[], Some(given), false),
        }
    }

    /// The two steps of a call, and where it leads.
    pub(super) fn call(
        &mut self,
        at: At,
        edge: EdgeId,
        callee: Callee,
        args: &[ExprId],
        var: Option<VarId>,
    ) -> Result<Target, Unsupported> {
        let program = self.program;
        let span = program.proc(at.proc).edges[edge.index()].span;
        let unsupported = |what: &str| Unsupported { what: what.into(), span };
        let Callee::Proc(callee) = callee else { return Err(unsupported("a call that was not resolved")) };
        let ghosts = self.calls.as_ref().and_then(|given| given.ghosts.get(&callee)).cloned();
        let Some(ghosts) = ghosts else { return Err(unsupported("a call that was not inlined")) };
        let params = &program.proc(callee).params;
        let sort = |var: VarId| program.var(var).sort;
        if params.iter().zip(args).any(|(param, arg)| sort(*param) != program.pool.sort(*arg)) {
            return Err(unsupported("a call with an argument of another type"));
        }
        let args: Vec<ExprId> = args.iter().map(|arg| self.of_mover(*arg)).collect();
        // It begins: a parameter without an argument is any value.
        let mut begin = Way::new(&mut self.pool);
        begin.starts = Some(callee);
        for (&param, &value) in params.iter().zip(&args) {
            let var = self.vars.instance(program, super::NEW, param);
            begin.run(&mut self.pool, &mut self.vars, &[Statement::Assign { var, value }]);
        }
        let begin = begin.finish(&mut self.pool, &self.vars, at, Target::At(at), span);
        self.steps.push(begin);
        // It has returned.
        let mut back = Way::new(&mut self.pool);
        for (&ghost, &value) in ghosts.params.iter().zip(&args) {
            let ghost = self.instance(OTHER, ghost);
            let is_it = self.pool.eq(ghost, value);
            back.assume(&mut self.pool, is_it);
        }
        for &(global, ghost) in &ghosts.found {
            let (now, ghost) = (self.pool.var(global, sort(global)), self.instance(OTHER, ghost));
            let is_it = self.pool.eq(ghost, now);
            back.assume(&mut self.pool, is_it);
        }
        let mut globals = Vec::new();
        for &(global, _) in &ghosts.found {
            back.run(&mut self.pool, &mut self.vars, &[Statement::Havoc { var: global, input: None }]);
            let global_now = self.pool.var(global, sort(global));
            let value = back.now(&mut self.pool, global_now);
            globals.push((global, value));
        }
        if let Some(var) = var {
            match program.proc(callee).result {
                Some(result) if sort(result) == sort(var) => {
                    let (to, value) = (self.mine(var), self.instance(OTHER, result));
                    back.run(&mut self.pool, &mut self.vars, &[Statement::Assign { var: to, value }]);
                }
                Some(_) => return Err(unsupported("a call with a result of another type")),
                None => self.set_any(&mut back, var),
            }
        }
        let target = self.target(at.proc, edge, &back);
        let mut step = back.finish(&mut self.pool, &self.vars, at, target, span);
        step.returns = Some(Returned { callee, globals });
        self.steps.push(step);
        Ok(target)
    }
}

/// What has no place where activations are a stack, and nothing but variables is followed.
fn refused(program: &Program) -> Option<Unsupported> {
    for edge in program.procs.iter().flat_map(|proc| &proc.edges) {
        for label in &edge.labels {
            let what = match label {
                Label::Start { .. } | Label::Join { .. } | Label::Self_ { .. } | Label::ThreadExit { .. } => "threads",
                Label::Lock { .. } | Label::AtomicBegin | Label::AtomicEnd => "synchronisation",
                Label::Valid { .. } | Label::Leaks { .. } => "a question about memory",
                Label::Load { place, .. } | Label::Store { place, .. } => match place {
                    Place::Memory(_) => "an access to memory",
                    Place::Var(var) if !matches!(program.var(*var).kind, VarKind::Global(_)) => {
                        "a thread-local variable"
                    }
                    Place::Var(_) => continue,
                },
                Label::Call { callee: Callee::Proc(callee), .. } if *callee == program.entry => "a call of main",
                _ => continue,
            };
            return Some(unsupported(what, edge.span));
        }
    }
    None
}

fn unsupported(what: &str, span: Span) -> Unsupported {
    Unsupported { what: format!("{what} beside recursion without bound"), span }
}
