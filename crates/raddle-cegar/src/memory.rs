//! Memory that is not resolved into variables.

use crate::statements::Statement;
use crate::vars::Vars;
use raddle_ir::{EdgeId, ExprId, ExprPool, ProcId, Program, Sort, VarId};

pub struct Memory {}

impl Memory {
    pub fn new(_program: &Program, _pool: &mut ExprPool, _vars: &mut Vars) -> Result<Self, crate::model::Unsupported> {
        Ok(Memory {})
    }

    /// The value of so many bytes at an address. `address` is the Program's expression, `at` the same as the thread means it.
    pub fn load(
        &mut self,
        _pool: &mut ExprPool,
        _vars: &Vars,
        _address: ExprId,
        _at: ExprId,
        _sort: Sort,
        _out: &mut Vec<Statement>,
    ) -> Result<ExprId, String> {
        Err("a load from a computed address".into())
    }

    pub fn store(
        &mut self,
        _pool: &mut ExprPool,
        _vars: &Vars,
        _address: ExprId,
        _at: ExprId,
        _value: ExprId,
        _out: &mut Vec<Statement>,
    ) -> Result<(), String> {
        Err("a store to a computed address".into())
    }

    #[allow(clippy::too_many_arguments)]
    pub fn allocate(
        &mut self,
        _pool: &mut ExprPool,
        _vars: &mut Vars,
        _slot: u32,
        _site: (ProcId, EdgeId),
        _to: VarId,
        _size: ExprId,
        _zeroed: bool,
        _out: &mut Vec<Statement>,
    ) -> Result<(), String> {
        Err("an allocation".into())
    }

    /// What is true of memory before anything runs.
    pub fn initially(&self, _pool: &mut ExprPool) -> Vec<ExprId> {
        Vec::new()
    }
}
