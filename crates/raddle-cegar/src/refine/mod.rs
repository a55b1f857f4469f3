//! From a path that cannot be taken to what must be tracked so that the abstraction sees it.
//!
//! A refiner labels the nodes of the path with facts; `split` makes predicates of them, and the domain says whether these or their
//! variables are tracked. Where the abstraction with what was asked for still has the path, `refine` is asked again for more
//! (`attempt`): first the parts of the labels, then whole labels, then interpolants or, where there are none, labels of a path
//! that is less general. Labels that follow from each other step by step, tracked as a
//! whole, exclude the path in every predicate domain.

pub mod path;

mod facts;
mod interpolation;
mod invariants;
mod minimise;
mod newton;
mod symmetry;
#[cfg(test)]
mod tests;
mod unsat_core;

pub use facts::atoms_of;
pub use symmetry::copies;

use crate::config::{CegarConfig, Domain, PredSplit, Refiner};
use crate::model::statements::Statement;
use crate::model::{ActionId, Model};
use crate::refine::path::Path;
use raddle_engine::Reason;
use raddle_ir::{BinOp, Expr, ExprId, UnOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What to track, and from which node of the path on (0 is the root). A variable at `n` is written by action `n`.
#[derive(Clone, Debug, Default)]
pub struct Refinement {
    pub vars: Vec<(u32, VarId)>,
    pub predicates: Vec<(u32, ExprId)>,
}

/// What refinements of one run remember: the constants that variables were compared with.
#[derive(Default)]
pub struct Seen {
    constants: FxHashMap<VarId, FxHashSet<u128>>,
    /// Variables that had too many values, and are described by predicates.
    pub sprawling: FxHashSet<VarId>,
}

/// How often to ask for more about the same path.
pub const ATTEMPTS: u32 = 4;

/// In the product domain, a variable that is compared with more constants than this is better described by predicates.
const MOST_CONSTANTS: usize = 16;

/// What must hold at each node of a path for the rest to be impossible, or what must hold for the rest to be possible: facts, all of which
/// hold, by node.
pub type Labels = Vec<Vec<ExprId>>;

/// What to track so that a path which cannot be taken is not there any more. `core` are statements that contradict each other. `attempt`
/// counts how often this was asked about this path without any effect.
pub fn refine(
    model: &mut Model,
    config: &CegarConfig,
    seen: &mut Seen,
    path: &Path,
    actions: &[ActionId],
    core: &[usize],
    attempt: u32,
) -> Result<Refinement, Reason> {
    let small = minimise::minimise(model, path, core);
    let whole: Vec<usize> = (0..path.statements.len()).collect();
    let is_explicit = config.domain == Domain::Expl;
    if is_explicit && (attempt > 0 || config.refiner() == Refiner::UnsatCore) {
        return Ok(unsat_core::unsat_core(model, path, if attempt == 0 { &small } else { core }));
    }
    let split = match attempt {
        0 => config.split,
        1 => PredSplit::Conjuncts,
        _ => PredSplit::Whole,
    };
    let interpolated = match config.refiner() {
        _ if attempt == 3 => Some(Refiner::SeqItp),
        refiner @ (Refiner::SeqItp | Refiner::MultiSeq | Refiner::BwBinItp | Refiner::FwBinItp) if attempt == 0 => {
            Some(refiner)
        }
        _ => None,
    };
    let mut extra = Vec::new();
    let labels = match interpolated {
        Some(refiner) => match interpolation::labels(model, config, path, &small, refiner)? {
            Some(labels) => labels,
            None if attempt == 0 => newton::preconditions(model, path, &small),
            None => newton::preconditions(model, path, &with_assignments(path, &small)),
        },
        None => match config.refiner() {
            Refiner::NwtSp => newton::postconditions(model, path, &whole, config.live_variables),
            Refiner::NwtItSp => newton::postconditions(model, path, &small, config.live_variables),
            Refiner::NwtWp => newton::preconditions(model, path, &whole),
            Refiner::UnsatCore => unsat_core::labels(model, path, &small),
            _ => newton::preconditions(model, path, &small),
        },
    };
    if !is_explicit && attempt == 0 {
        extra = invariants::candidates(model, path, actions, &small);
    }
    let mut predicates: Vec<(u32, ExprId)> = Vec::new();
    for (node, facts) in labels.iter().enumerate() {
        for predicate in facts::split(&mut model.pool, facts, split) {
            predicates.push((node as u32, predicate));
        }
    }
    predicates.extend(extra);
    let mut once = FxHashSet::default();
    predicates.retain(|entry| once.insert(*entry));
    Ok(match config.domain {
        Domain::Expl => Refinement { vars: vars_of(model, &predicates), predicates: Vec::new() },
        Domain::ExplPred if attempt == 0 => by_comparison(model, seen, predicates),
        _ => Refinement { vars: Vec::new(), predicates },
    })
}

/// A core, and all assignments: no fact is lost then because its variable is forgotten.
fn with_assignments(path: &Path, core: &[usize]) -> Vec<usize> {
    let is_assignment = |at: &usize| matches!(path.statements[*at].statement, Statement::Assign { .. });
    (0..path.statements.len()).filter(|at| is_assignment(at) || core.binary_search(at).is_ok()).collect()
}

/// The variables of predicates, each where it is first needed.
fn vars_of(model: &Model, predicates: &[(u32, ExprId)]) -> Vec<(u32, VarId)> {
    let mut vars: Vec<(u32, VarId)> = Vec::new();
    for &(node, predicate) in predicates {
        vars.extend(model.pool.vars(predicate).into_iter().map(|var| (node.saturating_sub(1), var)));
    }
    vars.sort_unstable_by_key(|(node, var)| (*var, *node));
    vars.dedup_by_key(|(_, var)| *var);
    vars
}

/// For the product domain: a variable that is compared with few constants is tracked by value.
fn by_comparison(model: &Model, seen: &mut Seen, predicates: Vec<(u32, ExprId)>) -> Refinement {
    let (mut by_value, mut rest) = (Vec::new(), Vec::new());
    for (node, predicate) in predicates {
        let explicit = compared(model, predicate).filter(|(var, constant)| {
            let constants = seen.constants.entry(*var).or_default();
            constants.insert(*constant);
            constants.len() < MOST_CONSTANTS && !seen.sprawling.contains(var)
        });
        if explicit.is_some() { &mut by_value } else { &mut rest }.push((node, predicate));
    }
    Refinement { vars: vars_of(model, &by_value), predicates: rest }
}

/// `var == constant`, `var != constant`.
fn compared(model: &Model, predicate: ExprId) -> Option<(VarId, u128)> {
    let pool = &model.pool;
    match pool.get(predicate) {
        Expr::Unary(UnOp::Not, inner) => compared(model, inner),
        Expr::Var(var) => Some((var, 1)),
        Expr::Binary(BinOp::Eq, a, b) => {
            let (a, b) = if pool.as_const(a).is_some() { (b, a) } else { (a, b) };
            match (pool.get(a), pool.as_const(b)) {
                (Expr::Var(var), Some(constant)) => Some((var, constant.bits)),
                _ => None,
            }
        }
        _ => None,
    }
}
