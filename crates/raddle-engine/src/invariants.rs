//! Invariants of locations, in terms of the Program as lowered.

use crate::c_expression::c_expression;
use raddle_ir::{ExprId, ExprPool, LocId, ObjectId, ProcId, Program, Sort, VarId};
use serde::{Deserialize, Serialize};

/// Conditions that hold whenever a thread is at a location and no other thread is inside an atomic block.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct Invariants {
    pub all: Vec<Invariant>,
    pub pool: ExprPool,
    /// Variables of `pool` behind those of the Program: each stands for the bytes of a whole object.
    pub objects: Vec<(VarId, ObjectId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Invariant {
    pub proc: ProcId,
    pub loc: LocId,
    /// A Bool over globals, thread-local variables of the thread, and locals of the procedure.
    pub cond: ExprId,
    /// The location is the head of a loop.
    pub is_loop: bool,
}

impl Invariants {
    /// The variable of `pool` that stands for an object.
    pub fn object(&mut self, program: &Program, object: ObjectId, sort: Sort) -> ExprId {
        let known = self.objects.iter().find(|(_, known)| *known == object).map(|(var, _)| *var);
        let var = known.unwrap_or_else(|| {
            let var = VarId((program.vars.len() + self.objects.len()) as u32);
            self.objects.push((var, object));
            var
        });
        self.pool.var(var, sort)
    }

    /// What a variable of `pool` is called in the source.
    pub fn name<'p>(&self, program: &'p Program, var: VarId) -> Option<&'p str> {
        match self.objects.iter().find(|(object, _)| *object == var) {
            Some((_, object)) => program.objects.get(object.index()).map(|object| object.name.as_str()),
            None => program.vars.get(var.index()).map(|var| var.name.as_str()),
        }
    }

    /// An invariant in C; `None` if C has no words for it, or a name in it is not one of the source.
    pub fn to_c(&self, program: &Program, invariant: Invariant) -> Option<String> {
        c_expression(&self.pool, invariant.cond, &|var| {
            let name = self.name(program, var)?;
            let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            let is_name = starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            is_name.then(|| name.to_owned())
        })
    }
}
