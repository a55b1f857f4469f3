//! The clauses of the parts: one circuit for each part, one SAT solver for all.
//!
//! Gates belong to one part, so that every clause does; only the bits of variables that several parts mention are the same variables of the SAT
//! solver in all of them. A variable of one part alone may become another name for what it equals.
//!
//! What array terms mean is added as clauses from the start, so that there is one question and one proof. Equal arrays are the same at all
//! places if those are few, otherwise at all that are mentioned: that is not always enough to be sure of a model
//! (`Encoded::is_exact`), but what follows is true.

use super::Failure;
use crate::aig::Lit;
use crate::blast::Blaster;
use crate::cnf::{Cnf, SatLit};
use crate::limits::Limits;
use crate::solver::SolverError;
use crate::words::{self, Word};
use cadical_sys::CaDiCal;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Sort, UnOp, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// More array reads than this, or comparisons at an index, are too many to relate them all to each other.
const MOST_READS: usize = 2_000;

/// Arrays with indices of at most so many bits have few places.
const FEW_PLACES: u8 = 4;

/// The variables that several parts mention.
#[derive(Default)]
pub struct Shared {
    /// For each variable of any part, the first and the last part with it.
    pub parts: FxHashMap<VarId, (u32, u32)>,
    /// The SAT solver's variable `i + 1` is this bit of this IR variable.
    pub bits: Vec<(ExprId, u8)>,
    /// The SAT solver's variable for the lowest bit.
    first: FxHashMap<VarId, i32>,
}

impl Shared {
    pub fn new(pool: &ExprPool, parts: &[ExprId]) -> Result<Self, SolverError> {
        let mut shared = Shared::default();
        for (part, &formula) in parts.iter().enumerate() {
            for var in pool.vars(formula) {
                shared.parts.entry(var).or_insert((part as u32, part as u32)).1 = part as u32;
            }
        }
        let mut vars: Vec<VarId> =
            shared.parts.iter().filter(|(_, (first, last))| first < last).map(|(var, _)| *var).collect();
        vars.sort_unstable();
        for var in vars {
            let Some(id) = pool.find(Expr::Var(var)) else { continue };
            let Some(width) = pool.sort(id).bits() else {
                return Err(SolverError::Unsupported(
                    "interpolants over an array that several parts mention".to_string(),
                ));
            };
            shared.first.insert(var, shared.bits.len() as i32 + 1);
            shared.bits.extend((0..width).map(|bit| (id, bit)));
        }
        Ok(shared)
    }

    /// Do both sides of the cut behind part `cut` mention the variable?
    pub fn is_shared_at(&self, var: VarId, cut: u32) -> bool {
        self.parts.get(&var).is_some_and(|&(first, last)| first <= cut && cut < last)
    }
}

/// What came of one part.
pub struct Encoded {
    /// The last variable of the SAT solver that is in use.
    pub last: i32,
    /// Is a model of the clauses one of the formula?
    pub is_exact: bool,
}

/// Adds the clauses of a part; the SAT solver's variables up to `last` are in use.
pub fn encode(
    sat: &mut CaDiCal,
    pool: &ExprPool,
    formula: ExprId,
    shared: &Shared,
    last: i32,
    limits: &Limits,
) -> Result<Encoded, Failure> {
    let mut blaster = Blaster::default();
    let demands = take_apart(&mut blaster, pool, formula, shared, limits)?;
    let rules = array_rules(&mut blaster, pool, &[formula])?;
    let mut cnf = Cnf::after(last);
    for (&var, &first) in &shared.first {
        let Some((_, word)) = blaster.variable(var) else { continue };
        for (bit, lit) in word.iter().enumerate() {
            cnf.set_variable(lit.node(), SatLit(first + bit as i32));
        }
    }
    for lit in demands {
        cnf.demand(sat, &blaster.aig, lit, None);
    }
    for clause in rules {
        cnf.clause(sat, &blaster.aig, &clause);
    }
    let is_exact = blaster
        .arrays
        .equalities
        .iter()
        .all(|equality| matches!(pool.sort(equality.arrays.0), Sort::Array { index, .. } if index <= FEW_PLACES));
    Ok(Encoded { last: cnf.last(), is_exact })
}

/// The literals that must be true, after the names that equalities give to variables of this part alone.
fn take_apart(
    blaster: &mut Blaster,
    pool: &ExprPool,
    formula: ExprId,
    shared: &Shared,
    limits: &Limits,
) -> Result<Vec<Lit>, Failure> {
    let mut demands = Vec::new();
    let mut open = vec![(formula, true)];
    let mut met: FxHashSet<(ExprId, bool)> = FxHashSet::default();
    while let Some((id, positive)) = open.pop() {
        if !met.insert((id, positive)) {
            continue;
        }
        match (pool.get(id), positive) {
            (Expr::Unary(UnOp::Not, a), _) => open.push((a, !positive)),
            (Expr::Binary(BinOp::And, a, b), true) | (Expr::Binary(BinOp::Or, a, b), false) => {
                open.extend([(b, positive), (a, positive)]);
            }
            (Expr::Binary(BinOp::Eq, a, b), true) if name(blaster, pool, shared, a, b, limits)? => {}
            (Expr::Var(var), _)
                if !shared.first.contains_key(&var) && blaster.bind_word(pool, id, &[Lit::constant(positive)]) => {}
            _ => demands.push(blaster.literal(pool, id, limits)? ^ !positive),
        }
    }
    Ok(demands)
}

/// Makes one side another name for the other if it is a variable of this part alone that nobody has met, not even the other side.
fn name(
    blaster: &mut Blaster,
    pool: &ExprPool,
    shared: &Shared,
    a: ExprId,
    b: ExprId,
    limits: &Limits,
) -> Result<bool, Failure> {
    for (variable, other) in [(a, b), (b, a)] {
        let Expr::Var(var) = pool.get(variable) else { continue };
        if shared.first.contains_key(&var) || blaster.is_met(var) {
            continue;
        }
        blaster.blast(pool, other, limits)?;
        if blaster.bind(pool, variable, other) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What the array terms of a circuit mean, as clauses: all reads related to what they read, and arrays that are equal the same at
/// each index that is mentioned.
pub fn array_rules(blaster: &mut Blaster, pool: &ExprPool, roots: &[ExprId]) -> Result<Vec<Vec<Lit>>, Failure> {
    let mut rules = std::mem::take(&mut blaster.side_clauses);
    if blaster.arrays.is_empty() {
        return Ok(rules);
    }
    let equalities: Vec<(Lit, (ExprId, ExprId))> =
        blaster.arrays.equalities.iter().map(|equality| (equality.equal, equality.arrays)).collect();
    if !equalities.is_empty() {
        let indices = indices(blaster, pool, roots);
        if indices.len().saturating_mul(equalities.len()) > MOST_READS {
            return Err(too_many());
        }
        for (equal, arrays) in equalities {
            let Sort::Array { index: width, .. } = pool.sort(arrays.0) else { continue };
            let mut places: Vec<Word> =
                indices.iter().filter(|index| index.len() == usize::from(width)).cloned().collect();
            if width <= FEW_PLACES {
                places.extend((0..1 << width).map(|place| words::constant(width.into(), place)));
            } else {
                // Somewhere else: for arrays that are the same everywhere, or almost.
                places.push((0..width).map(|_| blaster.aig.input()).collect());
            }
            for place in places {
                let same = blaster.equal_at(pool, arrays, place);
                rules.push(vec![!equal, same]);
            }
        }
    }
    let mut read = 0;
    while read < blaster.arrays.reads.len() {
        if read > MOST_READS {
            return Err(too_many());
        }
        rules.extend(blaster.read_rules(pool, read));
        read += 1;
    }
    Ok(rules)
}

fn too_many() -> Failure {
    SolverError::Unsupported("interpolants of a part with so many array reads".to_string()).into()
}

/// The indices at which arrays are read or written.
fn indices(blaster: &Blaster, pool: &ExprPool, roots: &[ExprId]) -> Vec<Word> {
    let mut indices: Vec<Word> = blaster.arrays.reads.iter().map(|read| read.index.clone()).collect();
    pool.for_each_node(roots, |_, expr| {
        if let Expr::Store(_, place, _) = expr {
            indices.extend(blaster.known(pool, place).map(<[Lit]>::to_vec));
        }
    });
    indices.sort_unstable();
    indices.dedup();
    indices
}
