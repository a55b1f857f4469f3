//! Attributes of threads and of what they synchronise by: which values glibc refuses to set. What is set is kept only where somebody asks for it
//! (`prelude/attributes.c`); what a setter answers is right anyway, and costs nothing where its argument is a constant.

use super::builder::Builder;
use crate::hir::Expr;
use raddle_ir::{BinOp, ExprId, GapKind};

const EINVAL: u128 = 22;
const ENOTSUP: u128 = 95;
const ANY: u64 = u64::MAX;
const STACK_MIN: u64 = 16384;

/// Setters (after `pthread_`), which argument counts, and the least and the largest value that is taken: all are unsigned numbers here.
const SETTERS: [(&str, usize, u64, u64); 19] = [
    ("attr_setaffinity_np", 1, 0, ANY),
    ("attr_setdetachstate", 1, 0, 1),
    ("attr_setguardsize", 1, 0, ANY),
    ("attr_setinheritsched", 1, 0, 1),
    ("attr_setschedpolicy", 1, 0, 2),
    // 1 is known and not supported.
    ("attr_setscope", 1, 0, 0),
    ("attr_setsigmask_np", 1, 0, ANY),
    ("attr_setstack", 2, STACK_MIN, ANY),
    ("attr_setstackaddr", 1, 0, ANY),
    ("attr_setstacksize", 1, STACK_MIN, ANY),
    ("barrierattr_setpshared", 1, 0, 1),
    ("condattr_setclock", 1, 0, 1),
    ("condattr_setpshared", 1, 0, 1),
    ("mutexattr_setprioceiling", 1, 1, 99),
    ("mutexattr_setprotocol", 1, 0, 2),
    ("mutexattr_setpshared", 1, 0, 1),
    ("rwlockattr_setkind_np", 1, 0, 2),
    ("rwlockattr_setpshared", 1, 0, 1),
    ("setconcurrency", 0, 0, i32::MAX as u64),
];

impl Builder<'_, '_> {
    /// What a function on attributes answers where nobody asks for them afterwards; `None`: it is none.
    pub(super) fn attribute_function(&mut self, name: &str, args: &[ExprId], exprs: Option<&[Expr]>) -> Option<ExprId> {
        if name == "__raddle_refuses" {
            let setter = self.literal(exprs?.first()?)?;
            self.gap_where_special(&setter, &[*args.get(1)?; 3]);
            return self.refuses(&setter, &[*args.get(1)?; 3]);
        }
        let name = name.strip_prefix("pthread_")?;
        if let Some((_, "init" | "destroy")) = name.split_once("attr_") {
            return Some(self.cx.pool.bits(32, 0));
        }
        self.gap_where_special(name, args);
        self.refuses(name, args)
    }

    /// Values that change what others do with the lock, in ways that have no model.
    fn gap_where_special(&mut self, setter: &str, args: &[ExprId]) {
        let what = match setter {
            "mutexattr_setprotocol" => "mutexes with a priority ceiling",
            "rwlockattr_setkind_np" => "read-write locks that prefer writers",
            _ => return,
        };
        let Some(&value) = args.get(1).filter(|_| !self.cx.is_concrete()) else { return };
        let Some(bits) = self.cx.pool.sort(value).bits() else { return };
        let special = self.cx.pool.bits(bits, 2);
        let is_special = self.cx.pool.eq(value, special);
        self.gap_if(is_special, GapKind::Unmodelled, what);
    }

    /// The error of a setter, or 0.
    fn refuses(&mut self, setter: &str, args: &[ExprId]) -> Option<ExprId> {
        let (_, at, least, most) = SETTERS.into_iter().find(|(name, ..)| *name == setter)?;
        let value = *args.get(at)?;
        let pool = &mut self.cx.pool;
        let (zero, invalid) = (pool.bits(32, 0), pool.bits(32, EINVAL));
        let bits = pool.sort(value).bits()?;
        let mut error = invalid;
        if setter == "attr_setscope" {
            let (one, unsupported) = (pool.bits(bits, 1), pool.bits(32, ENOTSUP));
            let is_one = pool.eq(value, one);
            error = pool.ite(is_one, unsupported, invalid);
        }
        let mut answer = zero;
        if most != ANY {
            let most = pool.bits(bits, most.into());
            let fits = pool.binary(BinOp::ULe, value, most);
            answer = pool.ite(fits, answer, error);
        }
        let least = pool.bits(bits, least.into());
        let fits = pool.binary(BinOp::ULe, least, value);
        Some(pool.ite(fits, answer, error))
    }
}
