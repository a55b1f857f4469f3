//! What cubes are made of.
//!
//! *Coarse* literals are variables of sort Bool, and conditions: those of the program (`conditions.rs`), and those that suggestions are made of. *Fine* ones say which value a variable has; they are weakened to bounds or to single bits where that is enough (`generalize.rs`). A cube that coarse literals exclude says why in the program's own words.

use crate::conditions::{comparisons, conditions, roots};
use crate::facts::AtCuts;
use crate::summaries::{Summaries, is_choice};
use raddle_invariants::system::System;
use raddle_ir::eval::{Evaluated, mask};
use raddle_ir::{Expr, ExprId, Sort, Value, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::convert::Infallible;

/// So many constants of one width.
const MOST_CONSTANTS: usize = 64;

/// So many conditions at one cut point that executions suggest.
const MOST_SUGGESTED: usize = 160;
/// So many in all, with those that come up in the search.
const MOST_CONDITIONS: usize = 600;
/// They have at most so many nodes.
const LARGEST: usize = 16;

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

    /// More conditions: those that suggestions are made of.
    pub fn suggest(&mut self, system: &System, suggested: &AtCuts) {
        for (cut, suggested) in suggested.iter().enumerate() {
            self.add_at_most(system, cut, comparisons(system, suggested), MOST_SUGGESTED);
        }
    }

    /// More conditions at a cut point, that came up in the search; false if all are known.
    pub fn add(&mut self, system: &System, cut: usize, conditions: Vec<ExprId>) -> bool {
        let before = self.conditions[cut].len();
        self.add_at_most(system, cut, conditions, MOST_CONDITIONS.saturating_sub(before));
        self.conditions[cut].len() > before
    }

    fn add_at_most(&mut self, system: &System, cut: usize, new: Vec<ExprId>, most: usize) {
        let conditions = &mut self.conditions[cut];
        let most = conditions.len() + most;
        for condition in new {
            let mut size = 0;
            system.pool.for_each_node(&[condition], |_, _| size += 1);
            let is_plain = || {
                let vars = system.pool.vars(condition);
                vars.iter().all(|var| !is_choice(system, *var) && !is_array(system, *var))
            };
            let is_new = size <= LARGEST && conditions.len() < most && !conditions.contains(&condition);
            if is_new && is_plain() {
                conditions.push(condition);
            }
        }
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

fn is_array(system: &System, var: VarId) -> bool {
    matches!(system.vars.sort(var), Sort::Array { .. })
}
