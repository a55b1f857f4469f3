//! Abstract domains: the states after an action.
//!
//! Every state has exact threads and locks, values of some variables, and cubes of predicates; what a domain does is which of these a
//! refinement adds to (`--domain`), and how the cubes of a successor are computed.

pub mod enumerate;
pub mod explicit;
pub mod initial_precision;
pub mod precision;
pub mod pred_bool;
pub mod pred_split;
pub mod predicates;
pub mod queries;
pub mod state;
pub mod values;

use crate::config::{CegarConfig, Domain};
use crate::domains::explicit::{After, Locks};
use crate::domains::precision::{Precision, PredId};
use crate::domains::predicates::Queries;
use crate::domains::state::{Cube, Data};
use crate::domains::values::Known;
use crate::model::statements::Statement;
use crate::model::threads::Threads;
use crate::model::{ActionId, Model};
use smallvec::SmallVec;

/// A state after an action, as far as it differs from the one before.
pub struct Successor {
    /// The parts of locks that were written.
    pub locks: Locks,
    pub data: Option<Data>,
}

/// Mostly there is one.
pub type Successors = SmallVec<[Successor; 1]>;

/// The states after an action: `after` is where the threads are then, with the locks as they were before. None: there is no way. `statements` are those
/// of the action, some of them perhaps simplified.
#[allow(clippy::too_many_arguments)]
pub fn successors(
    model: &mut Model,
    precision: &Precision,
    config: &CegarConfig,
    queries: &mut Queries,
    action: ActionId,
    statements: &[Statement],
    from: (&Threads, &Data),
    after: &Threads,
) -> Successors {
    let mut result = Successors::new();
    let values = (from.0, &from.1.values);
    let explicit = |model: &Model, statements: &[Statement]| {
        explicit::successor(model, precision, values, statements, after, &model.action(action).dead)
    };
    let Some(next) = explicit(model, statements) else { return result };
    // Predicates decide their assumptions themselves: without values there is nothing to enumerate.
    let enumerates =
        config.max_enum > 1 && (config.domain == Domain::Expl || precision.explicit_vars().next().is_some());
    let enumerated = match enumerates && !next.is_exact {
        true => enumerate::assignments(model, precision, queries, action, statements, from, after, config.max_enum),
        false => None,
    };
    let Some(enumerated) = enumerated else {
        with_cubes(model, precision, config.domain, queries, action, statements, from, (after, next), &mut result);
        return result;
    };
    for assignment in enumerated {
        // That a variable has a certain value is assumed at the end of the action, for values and predicates alike.
        let mut statements = statements.to_vec();
        statements.extend(assignment.into_iter().map(Statement::Assume));
        let Some(next) = explicit(model, &statements) else { continue };
        with_cubes(model, precision, config.domain, queries, action, &statements, from, (after, next), &mut result);
    }
    result
}

/// Adds what is known of predicates.
#[allow(clippy::too_many_arguments)]
fn with_cubes(
    model: &mut Model,
    precision: &Precision,
    domain: Domain,
    queries: &mut Queries,
    action: ActionId,
    statements: &[Statement],
    (threads, data): (&Threads, &Data),
    (after, next): (&Threads, After),
    result: &mut Successors,
) {
    let After { values, locks, .. } = next;
    // Without predicates there is still the question whether the guards contradict each other, which values alone do not decide.
    if domain == Domain::Expl && precision.predicates().is_empty() {
        let data = values.map(|values| Data { values, cubes: data.cubes.clone() });
        result.push(Successor { locks, data });
        return;
    }
    let tracked: Vec<PredId> = precision.tracked_predicates(after).collect();
    let known = Known { threads, values: &data.values };
    let mut cubes: Vec<Cube> = Vec::new();
    for cube in &data.cubes {
        if let Domain::PredSplit | Domain::PredBool = domain {
            cubes.extend(pred_split::cubes(model, precision, queries, action, statements, known, cube, &tracked));
        } else {
            cubes.extend(predicates::successor(model, precision, queries, action, statements, known, cube, &tracked));
        }
    }
    pred_bool::merge(&mut cubes);
    if cubes.is_empty() {
        return;
    }
    if values.is_none() && cubes == data.cubes {
        result.push(Successor { locks, data: None });
        return;
    }
    let values = values.unwrap_or_else(|| data.values.clone());
    if domain == Domain::PredSplit {
        let with =
            |cube| Successor { locks: locks.clone(), data: Some(Data { values: values.clone(), cubes: vec![cube] }) };
        result.extend(cubes.into_iter().map(with));
    } else {
        pred_bool::limit(&mut cubes);
        result.push(Successor { locks, data: Some(Data { values, cubes }) });
    }
}
