//! From a path and a model of it to a schedule that the interpreter can replay.

use crate::model::instances::Origin;
use crate::model::statements::Statement;
use crate::model::threads::At;
use crate::model::{ActionId, Goal, Model};
use crate::refine::path::Path;
use raddle_interp::{Schedule, ScheduleStep};
use raddle_ir::{ExprId, VarId};
use raddle_smt::{NativeSolver, Solver};
use rustc_hash::FxHashSet;

pub fn schedule(model: &mut Model, path: &Path, actions: &[ActionId], solver: &mut NativeSolver) -> Schedule {
    let mut schedule = Schedule::default();
    let mut settled: FxHashSet<VarId> = FxHashSet::default();
    // The elements of memory that hold something certain because they were written, or read.
    let mut determined: FxHashSet<(VarId, u128)> = FxHashSet::default();
    let mut touches = path.touches.iter().peekable();
    let mut at = 0;
    for (i, id) in actions.iter().enumerate() {
        let action = model.action(*id).clone();
        let mut step = ScheduleStep { thread: action.slot, edge: Some(action.edge), ..ScheduleStep::default() };
        while let Some(statement) = path.statements.get(at).filter(|s| s.action as usize == i) {
            at += 1;
            // Reading a variable that has no value yet settles it.
            for version in statement.versioned.read(&model.pool) {
                let Origin::Version { var, number: 0 } = model.vars.origin(version) else { continue };
                let is_scalar = model.vars.sort(var).bits().is_some();
                if is_scalar && model.vars.initial(var).is_none() && settled.insert(var) {
                    let expr = model.pool.var(version, model.vars.sort(version));
                    step.choices.push(number(model, solver, expr));
                }
            }
            let mut read: Vec<(u128, bool, ExprId)> = Vec::new();
            while let Some(touch) = touches.next_if(|touch| touch.statement < at) {
                let place = number(model, solver, touch.place);
                let is_certain = !determined.insert((touch.memory, place))
                    || model.memory.is_initialised(&model.vars, touch.memory, place);
                read.extend(touch.read.map(|value| (place, is_certain, value)));
            }
            // The interpreter asks for a value as a whole, or for single bytes if some are certain.
            read.sort_unstable();
            if !read.is_empty() && read.iter().all(|(_, is_certain, _)| !is_certain) {
                step.choices.push(number(model, solver, statement.folded));
            } else {
                let open = read.iter().filter(|(_, is_certain, _)| !is_certain);
                step.choices.extend(open.map(|(_, _, value)| number(model, solver, *value)));
            }
            if let Statement::Havoc { input: Some(input), .. } = statement.statement {
                step.havocs.push((input, number(model, solver, statement.folded)));
            }
        }
        // A thread that stops need not take the step that stops it: the others could take theirs before.
        if action.at == At::Stopped && action.goal == Goal::None {
            continue;
        }
        schedule.steps.push(step);
        if action.arrives {
            schedule.steps.push(ScheduleStep { thread: action.slot, ..ScheduleStep::default() });
        }
    }
    schedule
}

fn number(model: &Model, solver: &mut NativeSolver, expr: ExprId) -> u128 {
    solver.value(&model.pool, expr).map_or(0, |value| value.bits())
}
