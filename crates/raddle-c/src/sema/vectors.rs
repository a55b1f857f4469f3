//! GNU C's vectors.

use super::Sema;
use crate::error::{Error, Result};
use crate::hir::{BinOp, Expr};
use crate::source::Pos;
use crate::types::TypeId;

impl Sema<'_> {
    pub(super) fn vector_binary(&mut self, _: BinOp, _: Expr, _: Expr, pos: Pos) -> Result<Expr> {
        Err(Error::unsupported(pos, "vector"))
    }
    pub(super) fn vectors_convert(&self, _: TypeId, _: TypeId, _: bool) -> bool {
        false
    }
    pub(super) fn convert_vector(&mut self, value: Expr, _: TypeId) -> Result<Expr> {
        Err(Error::unsupported(value.pos, "vector"))
    }
}
