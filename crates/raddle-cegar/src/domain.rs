//! Abstract domains: the states after an action.
//!
//! Every state has exact threads and locks, values of some variables, and cubes of predicates; what a domain does is which of these a
//! refinement adds to (`--domain`), and how the cubes of a successor are computed.

use crate::config::{CegarConfig, Domain};
use crate::enumerate;
use crate::explicit;
use crate::model::{ActionId, Model};
use crate::precision::{Precision, PredId};
use crate::pred_bool;
use crate::pred_split;
use crate::predicates::{self, Queries};
use crate::state::{Cube, Data};
use crate::statements::Statement;
use crate::threads::Threads;
use crate::values::{Known, Values};

/// The states after an action: `after` is where the threads are then, without the locks. None: there is no way. `statements` are those of the action,
/// some of them perhaps simplified.
#[allow(clippy::too_many_arguments)]
pub fn successors(
    model: &mut Model,
    precision: &Precision,
    config: &CegarConfig,
    queries: &mut Queries,
    action: ActionId,
    statements: &[Statement],
    from: (&Threads, &Data),
    mut after: Threads,
) -> Vec<(Threads, Data)> {
    let mut result = Vec::new();
    let (threads, data) = from;
    // Predicates decide their assumptions themselves: without values there is nothing to enumerate.
    let enumerates =
        config.max_enum > 1 && (config.domain == Domain::Expl || precision.explicit_vars().next().is_some());
    let unlocked = enumerates.then(|| after.clone());
    let next = explicit::successor(model, precision, threads, &data.values, statements, &mut after);
    let Some(next) = next else { return result };
    let enumerated = match &unlocked {
        Some(unlocked) if !next.is_exact => {
            enumerate::assignments(model, precision, queries, action, statements, from, unlocked, config.max_enum)
        }
        _ => None,
    };
    let (Some(enumerated), Some(unlocked)) = (enumerated, unlocked) else {
        let after = (after, next.values);
        with_cubes(model, precision, config.domain, queries, action, statements, from, after, &mut result);
        return result;
    };
    for assignment in enumerated {
        // That a variable has a certain value is assumed at the end of the action, for values and predicates alike.
        let mut statements = statements.to_vec();
        statements.extend(assignment.into_iter().map(Statement::Assume));
        let mut after = unlocked.clone();
        let next = explicit::successor(model, precision, threads, &data.values, &statements, &mut after);
        let Some(next) = next else { continue };
        let after = (after, next.values);
        with_cubes(model, precision, config.domain, queries, action, &statements, from, after, &mut result);
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
    (after, values): (Threads, Values),
    result: &mut Vec<(Threads, Data)>,
) {
    // Without predicates there is still the question whether the guards contradict each other, which values alone do not decide.
    if domain == Domain::Expl && precision.predicates().is_empty() {
        result.push((after, Data { values, cubes: vec![Cube::default()] }));
        return;
    }
    let tracked: Vec<PredId> = precision.tracked_predicates(&after).collect();
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
    if domain == Domain::PredSplit {
        result
            .extend(cubes.into_iter().map(|cube| (after.clone(), Data { values: values.clone(), cubes: vec![cube] })));
    } else {
        pred_bool::limit(&mut cubes);
        result.push((after, Data { values, cubes }));
    }
}
