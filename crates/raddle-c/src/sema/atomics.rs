//! Atomic builtins: `__sync_*`, `__atomic_*`, and clang's `__c11_atomic_*`.
//!
//! They are typed after what their pointer points to. Forms that pass values through pointers become the `_n` forms with plain reads and writes
//! around them, where the values are scalars; size suffixes and clang's names become gcc's generic names.

use super::{Sema, expr};
use crate::ast::{self, UnaryOp};
use crate::error::{Error, Result};
use crate::hir::{BinOp, Expr, ExprKind};
use crate::source::Pos;
use crate::types::{IntKind, Type, TypeId};

const OPERATIONS: [&str; 6] = ["add", "sub", "and", "or", "xor", "nand"];

impl Sema<'_> {
    pub(super) fn atomic_call(&mut self, name: &str, args: &[ast::Expr], pos: Pos) -> Result<Expr> {
        let done = if let Some(short) = name.strip_prefix("__sync_") {
            self.sync_call(short, args, pos)?
        } else if let Some(short) = name.strip_prefix("__c11_atomic_") {
            self.c11_call(short, args, pos)?
        } else if let Some(short) = name.strip_prefix("__atomic_") {
            self.gnu_call(short, args, pos)?
        } else {
            None
        };
        done.ok_or_else(|| Error::unsupported(pos, name))
    }

    /// A pointer argument, and the type of the value that it points to.
    fn atomic_object(&mut self, args: &[ast::Expr], size: Option<u64>, pos: Pos) -> Result<(Expr, TypeId)> {
        let arg = self.arg(args, 0, pos)?;
        let pointer = self.value(arg)?;
        let Some(to) = self.types.pointee(pointer.ty) else {
            return Err(Error::invalid(pos, "the first argument is not a pointer"));
        };
        let ty = self.types.value_type(to);
        let Some(size) = size else {
            if !self.types.is_complete(ty) {
                return Err(Error::invalid(pos, "the first argument points to an incomplete type"));
            }
            return Ok((pointer, ty));
        };
        // A suffix tells the size whatever the pointer says.
        if self.types.size(ty) == Some(size) && self.types.is_scalar(ty) {
            return Ok((pointer, ty));
        }
        use IntKind::*;
        let kind = [UChar, UShort, UInt, ULongLong, UInt128].into_iter().find(|k| self.types.int_bytes(*k) == size);
        let ty = TypeId::of_int(kind.unwrap_or(UInt));
        let to = self.types.pointer(ty);
        Ok((self.convert(pointer, to), ty))
    }

    /// The operand of an arithmetic operation on an object; on pointers it counts bytes.
    fn operand(&mut self, args: &[ast::Expr], index: usize, ty: TypeId, pos: Pos) -> Result<Expr> {
        let ty = if self.types.is_pointer(ty) { self.types.ptrdiff_t() } else { ty };
        self.arg_as(args, index, ty, pos)
    }

    fn order(&mut self, args: &[ast::Expr], index: usize, pos: Pos) -> Result<Expr> {
        self.arg_as(args, index, TypeId::INT, pos)
    }

    fn sync_call(&mut self, name: &str, args: &[ast::Expr], pos: Pos) -> Result<Option<Expr>> {
        if name == "synchronize" {
            return Ok(Some(self.builtin("__sync_synchronize", Vec::new(), TypeId::VOID, pos)));
        }
        let (name, size) = without_size(name);
        let known = match name {
            "bool_compare_and_swap" | "val_compare_and_swap" | "lock_test_and_set" | "lock_release" => true,
            _ => OPERATIONS
                .iter()
                .any(|op| name.strip_prefix("fetch_and_") == Some(op) || name.strip_suffix("_and_fetch") == Some(op)),
        };
        if !known {
            return Ok(None);
        }
        let (pointer, ty) = self.atomic_object(args, size, pos)?;
        if !self.types.is_scalar(ty) {
            return Err(Error::invalid(pos, "the object is not of an integer or pointer type"));
        }
        let full = format!("__sync_{name}");
        Ok(Some(match name {
            "lock_release" => self.builtin(&full, vec![pointer], TypeId::VOID, pos),
            "lock_test_and_set" => {
                let value = self.arg_as(args, 1, ty, pos)?;
                self.builtin(&full, vec![pointer, value], ty, pos)
            }
            "bool_compare_and_swap" | "val_compare_and_swap" => {
                let (old, new) = (self.arg_as(args, 1, ty, pos)?, self.arg_as(args, 2, ty, pos)?);
                let result = if name.starts_with("bool") { TypeId::BOOL } else { ty };
                self.builtin(&full, vec![pointer, old, new], result, pos)
            }
            _ => {
                let value = self.operand(args, 1, ty, pos)?;
                self.builtin(&full, vec![pointer, value], ty, pos)
            }
        }))
    }

    /// What a pointer argument points to; `&x` is x itself, without taking its address.
    fn pointed(&mut self, args: &[ast::Expr], index: usize, pos: Pos) -> Result<Expr> {
        let arg = self.arg(args, index, pos)?;
        if let ast::ExprKind::Unary(UnaryOp::AddrOf, inner) = &arg.kind {
            return self.expr(inner);
        }
        let pointer = self.value(arg)?;
        self.deref(pointer, pos)
    }

    fn pointed_value(&mut self, args: &[ast::Expr], index: usize, ty: TypeId, pos: Pos) -> Result<Expr> {
        let place = self.pointed(args, index, pos)?;
        let value = self.rvalue(place)?;
        self.assign_convert(value, ty, "an argument")
    }

    /// `place = value` as a statement.
    fn store_to(&mut self, place: Expr, value: Expr, pos: Pos) -> Result<Expr> {
        let ty = self.types.value_type(place.ty);
        let value = self.assign_convert(value, ty, "an argument")?;
        let assign = expr(ty, pos, ExprKind::Assign(Box::new(place), Box::new(value)));
        Ok(self.convert(assign, TypeId::VOID))
    }

    fn gnu_call(&mut self, name: &str, args: &[ast::Expr], pos: Pos) -> Result<Option<Expr>> {
        match name {
            "thread_fence" | "signal_fence" => {
                let order = self.order(args, 0, pos)?;
                return Ok(Some(self.builtin(&format!("__atomic_{name}"), vec![order], TypeId::VOID, pos)));
            }
            "always_lock_free" | "is_lock_free" => return Ok(Some(self.int(TypeId::BOOL, 1, pos))),
            "test_and_set" | "clear" => {
                let arg = self.arg(args, 0, pos)?;
                let pointer = self.value(arg)?;
                let order = self.order(args, 1, pos)?;
                let ty = if name == "clear" { TypeId::VOID } else { TypeId::BOOL };
                return Ok(Some(self.builtin(&format!("__atomic_{name}"), vec![pointer, order], ty, pos)));
            }
            _ => {}
        }
        let (name, size) = without_size(name);
        let is_operation = OPERATIONS
            .iter()
            .any(|op| name.strip_prefix("fetch_") == Some(op) || name.strip_suffix("_fetch") == Some(op));
        let known = matches!(
            name,
            "load"
                | "load_n"
                | "store"
                | "store_n"
                | "exchange"
                | "exchange_n"
                | "compare_exchange"
                | "compare_exchange_n"
        );
        if !is_operation && !known {
            return Ok(None);
        }
        let (pointer, ty) = self.atomic_object(args, size, pos)?;
        let full = format!("__atomic_{name}");
        if is_operation {
            let value = self.operand(args, 1, ty, pos)?;
            let order = self.order(args, 2, pos)?;
            return Ok(Some(self.builtin(&full, vec![pointer, value, order], ty, pos)));
        }
        if !self.types.is_scalar(ty) {
            return self.atomic_record(name, pointer, args, pos).map(Some);
        }
        // `__atomic_load_4(p, order)` and the like are `_n` forms.
        let by_value = name.ends_with("_n") || size.is_some();
        Ok(Some(match name {
            "load" | "load_n" => {
                let order = self.order(args, if by_value { 1 } else { 2 }, pos)?;
                let loaded = self.builtin("__atomic_load_n", vec![pointer, order], ty, pos);
                if by_value {
                    loaded
                } else {
                    let place = self.pointed(args, 1, pos)?;
                    self.store_to(place, loaded, pos)?
                }
            }
            "store" | "store_n" => {
                let value =
                    if by_value { self.arg_as(args, 1, ty, pos)? } else { self.pointed_value(args, 1, ty, pos)? };
                let order = self.order(args, 2, pos)?;
                self.builtin("__atomic_store_n", vec![pointer, value, order], TypeId::VOID, pos)
            }
            "exchange" | "exchange_n" => {
                let value =
                    if by_value { self.arg_as(args, 1, ty, pos)? } else { self.pointed_value(args, 1, ty, pos)? };
                let order = self.order(args, if by_value { 2 } else { 3 }, pos)?;
                let before = self.builtin("__atomic_exchange_n", vec![pointer, value, order], ty, pos);
                if by_value {
                    before
                } else {
                    let place = self.pointed(args, 2, pos)?;
                    self.store_to(place, before, pos)?
                }
            }
            _ => {
                let to = self.types.pointer(ty);
                let expected = self.arg_as(args, 1, to, pos)?;
                let wanted =
                    if by_value { self.arg_as(args, 2, ty, pos)? } else { self.pointed_value(args, 2, ty, pos)? };
                let mut values = vec![pointer, expected, wanted];
                values.push(self.arg_as(args, 3, TypeId::BOOL, pos)?);
                values.push(self.order(args, 4, pos)?);
                values.push(self.order(args, 5, pos)?);
                self.builtin("__atomic_compare_exchange_n", values, TypeId::BOOL, pos)
            }
        }))
    }

    /// The generic forms on structs: all values go through pointers.
    fn atomic_record(&mut self, name: &str, pointer: Expr, args: &[ast::Expr], pos: Pos) -> Result<Expr> {
        let mut values = vec![pointer];
        for arg in &args[1..] {
            values.push(self.value(arg)?);
        }
        let ty = if name.starts_with("compare") { TypeId::BOOL } else { TypeId::VOID };
        Ok(self.builtin(&format!("__atomic_{name}"), values, ty, pos))
    }

    fn c11_call(&mut self, name: &str, args: &[ast::Expr], pos: Pos) -> Result<Option<Expr>> {
        match name {
            "thread_fence" | "signal_fence" | "is_lock_free" => return self.gnu_call(name, args, pos),
            _ => {}
        }
        let (pointer, ty) = self.atomic_object(args, None, pos)?;
        Ok(Some(match name {
            "init" => {
                let value = self.arg_as(args, 1, ty, pos)?;
                let relaxed = self.int(TypeId::INT, 0, pos);
                self.builtin("__atomic_store_n", vec![pointer, value, relaxed], TypeId::VOID, pos)
            }
            "load" => {
                let order = self.order(args, 1, pos)?;
                self.builtin("__atomic_load_n", vec![pointer, order], ty, pos)
            }
            "store" | "exchange" => {
                let value = self.arg_as(args, 1, ty, pos)?;
                let order = self.order(args, 2, pos)?;
                let result = if name == "store" { TypeId::VOID } else { ty };
                self.builtin(&format!("__atomic_{name}_n"), vec![pointer, value, order], result, pos)
            }
            "compare_exchange_strong" | "compare_exchange_weak" => {
                let to = self.types.pointer(ty);
                let expected = self.arg_as(args, 1, to, pos)?;
                let wanted = self.arg_as(args, 2, ty, pos)?;
                let weak = self.int(TypeId::BOOL, name.ends_with("weak").into(), pos);
                let (success, failure) = (self.order(args, 3, pos)?, self.order(args, 4, pos)?);
                let values = vec![pointer, expected, wanted, weak, success, failure];
                self.builtin("__atomic_compare_exchange_n", values, TypeId::BOOL, pos)
            }
            _ if name.strip_prefix("fetch_").is_some_and(|op| OPERATIONS.contains(&op)) => {
                let mut value = self.operand(args, 1, ty, pos)?;
                // Unlike gcc's, clang's count elements.
                if let Type::Pointer(to) = *self.types.get(ty) {
                    let size = self.types.size(to).unwrap_or(1);
                    let size_ty = value.ty;
                    let size = self.int(size_ty, size.into(), pos);
                    value = self.plain_binary(BinOp::Mul, value, size, size_ty);
                }
                let order = self.order(args, 2, pos)?;
                self.builtin(&format!("__atomic_{name}"), vec![pointer, value, order], ty, pos)
            }
            _ => return Ok(None),
        }))
    }
}

/// A name without its size suffix, and the size in bytes.
fn without_size(name: &str) -> (&str, Option<u64>) {
    for (suffix, size) in [("_16", 16), ("_1", 1), ("_2", 2), ("_4", 4), ("_8", 8)] {
        if let Some(stem) = name.strip_suffix(suffix) {
            return (stem, Some(size));
        }
    }
    (name, None)
}
