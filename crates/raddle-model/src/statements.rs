//! Statements: what an action does to data, over instance variables. Domains and refiners see nothing else.

use raddle_ir::{ExprId, ExprPool, VarId};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Statement {
    Assign {
        var: VarId,
        value: ExprId,
    },
    /// `input` is the Program's variable if this is a `Havoc` of the Program; without it the engine does not know better.
    Havoc {
        var: VarId,
        input: Option<VarId>,
    },
    Assume(ExprId),
}

impl Statement {
    pub fn written(&self) -> Option<VarId> {
        match self {
            Statement::Assign { var, .. } | Statement::Havoc { var, .. } => Some(*var),
            Statement::Assume(_) => None,
        }
    }

    pub fn expr(&self) -> Option<ExprId> {
        match self {
            Statement::Assign { value, .. } => Some(*value),
            Statement::Assume(cond) => Some(*cond),
            Statement::Havoc { .. } => None,
        }
    }

    pub fn read(&self, pool: &ExprPool) -> Vec<VarId> {
        self.expr().map(|expr| pool.vars(expr)).unwrap_or_default()
    }
}
