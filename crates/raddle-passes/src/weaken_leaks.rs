//! Whether memory is *lost* depends on every variable that may hold a pointer, and passes move, merge and drop variables. In a prepared Program the question is therefore whether anything is
//! *perhaps* lost, and where that holds, the Program may fail or go on: more executions than there are. A violation counts only if the Program as lowered, which asks for what is lost, confirms it.

use raddle_ir::{Expr, Label, Leak, Program, UnOp, VarId};

/// Asks for memory that is perhaps lost in the place of lost memory.
pub fn weaken_leaks(mut program: Program) -> Program {
    let mut answers: Vec<VarId> = Vec::new();
    for label in program.procs.iter_mut().flat_map(|proc| &mut proc.edges).flat_map(|edge| &mut edge.labels) {
        if let Label::Leaks { var, leak } = label
            && *leak == Leak::Lost
        {
            *leak = Leak::PerhapsLost;
            answers.push(*var);
        }
    }
    if answers.is_empty() {
        return program;
    }
    let pool = &program.pool;
    for edge in program.procs.iter_mut().flat_map(|proc| &mut proc.edges) {
        edge.labels.retain(|label| match label {
            Label::Assume(cond) => match pool.get(*cond) {
                Expr::Unary(UnOp::Not, answer) => !matches!(pool.get(answer), Expr::Var(var) if answers.contains(&var)),
                _ => true,
            },
            _ => true,
        });
    }
    program
}
