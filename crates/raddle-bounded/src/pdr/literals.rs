//! What cubes are made of.
//!
//! *Coarse* literals are variables of sort Bool, and conditions (`conditions.rs`). *Fine* ones say
//! which value a variable has; they are weakened to bounds or to single bits where that is enough (`generalize.rs`). A cube that coarse literals exclude says why in the program's own words.

use crate::conditions::{conditions, roots};
use crate::facts::AtCuts;
use crate::summaries::Summaries;
use raddle_invariants::system::System;
use raddle_ir::eval::{Evaluated, mask};
use raddle_ir::{Expr, ExprId, Sort, Value, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::convert::Infallible;

/// So many constants of one width.
const MOST_CONSTANTS: usize = 64;

pub struct Literals {
    conditions: AtCuts,
    /// By width, with their neighbours.
    pub constants: FxHashMap<u8, BTreeSet<u128>>,
}

/// The literals that hold in a state.
#[derive(Clone, Default)]
pub struct Split {
    pub coarse: Vec<ExprId>,
    pub fine: Vec<ExprId>,
}

impl Literals {
    pub fn new(system: &mut System, of: &Summaries) -> Literals {
        let mut constants = FxHashMap::<u8, BTreeSet<u128>>::default();
        system.pool.for_each_node(&roots(of), |_, expr| {
            if let Expr::Const(constant) = expr
                && let Sort::Bits(width @ 2..) = constant.sort
            {
                let known = constants.entry(width).or_default();
                if known.len() < MOST_CONSTANTS {
                    known.extend([0, 1, mask(width)].map(|by| constant.bits.wrapping_add(by) & mask(width)));
                }
            }
        });
        Literals { conditions: conditions(system, of), constants }
    }

    /// All literals of a state at a cut point, by the values of its variables.
    pub fn of_state(&self, system: &mut System, cut: usize, values: &FxHashMap<VarId, u128>) -> Split {
        let mut split = Split::default();
        let mut vars: Vec<(VarId, u128)> = values.iter().map(|(var, value)| (*var, *value)).collect();
        vars.sort_unstable();
        for (var, value) in vars {
            let sort = system.vars.sort(var);
            let expr = system.pool.var(var, sort);
            match sort {
                Sort::Bool => split.coarse.push(if value == 1 { expr } else { system.pool.not(expr) }),
                _ => {
                    let value = raddle_model::number(&mut system.pool, sort, value);
                    split.fine.push(system.pool.eq(expr, value));
                }
            }
        }
        let mut evaluated = Evaluated::default();
        for &condition in &self.conditions[cut] {
            let mut env = |var: VarId| Ok::<_, Infallible>(Value::Bits(values.get(&var).copied().unwrap_or_default()));
            let Ok(value) = evaluated.eval(&system.pool, condition, &mut env);
            split.coarse.push(if value.bits() == 1 { condition } else { system.pool.not(condition) });
        }
        split
    }
}
