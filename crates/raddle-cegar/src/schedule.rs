//! From a path and a model of it to a schedule that the interpreter can replay.

use crate::model::instances::Origin;
use crate::model::statements::Statement;
use crate::model::threads::At;
use crate::model::{ActionId, Goal, Model};
use crate::refine::path::Path;
use raddle_interp::{Action, Schedule, ScheduleStep, Source};
use raddle_ir::{ExprId, VarId, VarKind};
use raddle_smt::{NativeSolver, Solver};
use rustc_hash::FxHashSet;

pub fn schedule(model: &mut Model, path: &Path, actions: &[ActionId], solver: &mut NativeSolver) -> Schedule {
    let mut schedule = Schedule::default();
    let mut settled: FxHashSet<VarId> = FxHashSet::default();
    let mut at = 0;
    for (i, id) in actions.iter().enumerate() {
        let action = model.action(*id).clone();
        let mut values = Vec::new();
        let mut loads = action.loads.iter().copied().peekable();
        let first = at;
        while let Some(statement) = path.statements.get(at).filter(|s| s.action as usize == i) {
            // A local that is read before it is written has had its value since the thread began.
            for version in statement.versioned.read(&model.pool) {
                let Origin::Version { var, number: 0 } = model.vars.origin(version) else { continue };
                let Origin::Instance { var: local, .. } = model.vars.origin(var) else { continue };
                let is_local = matches!(model.program.var(local).kind, VarKind::Local(_));
                if is_local && model.vars.initial(var).is_none() && settled.insert(var) {
                    let expr = model.pool.var(version, model.vars.sort(version));
                    values.push((Source::Local(local), number(model, solver, expr)));
                }
            }
            if let Some((_, label)) = loads.next_if(|(position, _)| *position as usize == at - first) {
                values.push((Source::Load(label), number(model, solver, statement.folded)));
            }
            if let Statement::Havoc { input: Some(input), .. } = statement.statement {
                values.push((Source::Havoc(input), number(model, solver, statement.folded)));
            }
            at += 1;
        }
        // A thread that stops need not take the step that stops it: the others could take theirs before.
        if action.at == At::Stopped && action.goal == Goal::None {
            continue;
        }
        let (thread, values) = (action.slot, values.into());
        schedule.steps.push(ScheduleStep { thread, action: Action::Edge(action.edge), values });
        if action.arrives {
            schedule.steps.push(ScheduleStep::of(thread, Action::End));
        }
    }
    schedule
}

fn number(model: &Model, solver: &mut NativeSolver, expr: ExprId) -> u128 {
    solver.value(&model.pool, expr).map_or(0, |value| value.bits())
}
