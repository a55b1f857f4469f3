//! The library's results in place of the solver's.
//!
//! A violation that needs other results of library functions than the library gives is none, but there may be one with the library's. For the arguments of a model the library's
//! results are stated, and the solver is asked again. This helps to find violations only: a proof must hold of all results within the bounds of the models.

use crate::encode::backend::Backend;
use raddle_interp::machine::native::native;
use raddle_ir::{Const, ExprId, ExprPool, Function};

/// A call of a library function of which only bounds are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryResult {
    pub function: Function,
    pub args: [Option<ExprId>; 2],
    pub result: ExprId,
}

/// What the library gives for the arguments in the solver's model, where the model has other results. `None`: nothing is known that the model contradicts.
pub fn stated(calls: &[LibraryResult], pool: &mut ExprPool, solver: &mut dyn Backend) -> Option<ExprId> {
    let mut all: Option<ExprId> = None;
    for call in calls {
        let sort = pool.sort(call.result);
        let [x, y] = call.args.map(|arg| arg.map(|arg| solver.value(pool, arg)));
        let Some(known) = native(call.function, sort, x, y) else { continue };
        if solver.value(pool, call.result) == known {
            continue;
        }
        let known = pool.constant(Const { sort, bits: known });
        let mut fact = pool.eq(call.result, known);
        for (arg, bits) in call.args.into_iter().zip([x, y]) {
            if let (Some(arg), Some(bits)) = (arg, bits) {
                let given = pool.constant(Const { sort: pool.sort(arg), bits });
                let is_given = pool.eq(arg, given);
                let other = pool.not(is_given);
                fact = pool.or(other, fact);
            }
        }
        all = Some(all.map_or(fact, |all| pool.and(all, fact)));
    }
    all
}
