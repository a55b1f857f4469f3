//! Abstract domains: the states after an action.
//!
//! Every state has exact threads and locks, values of some variables, and cubes of predicates; what a domain does is which of these a
//! refinement adds to (`--domain`), and how the cubes of a successor are computed.

use crate::config::CegarConfig;
use crate::explicit;
use crate::model::{ActionId, Model};
use crate::precision::{Precision, PredId};
use crate::predicates::{self, Queries};
use crate::state::{Cube, Data};
use crate::statements::Statement;
use crate::threads::Threads;
use crate::values::Known;

/// The states after an action: `after` is where the threads are then, without the locks. None: there is no way. `statements` are those of the action,
/// some of them perhaps simplified.
#[allow(clippy::too_many_arguments)]
pub fn successors(
    model: &mut Model,
    precision: &Precision,
    _config: &CegarConfig,
    queries: &mut Queries,
    action: ActionId,
    statements: &[Statement],
    (threads, data): (&Threads, &Data),
    mut after: Threads,
) -> Vec<(Threads, Data)> {
    let values = explicit::successor(model, precision, threads, &data.values, statements, &mut after);
    let Some(values) = values else { return Vec::new() };
    let tracked: Vec<PredId> = precision.tracked_predicates(&after).collect();
    let known = Known { threads, values: &data.values };
    let mut cubes: Vec<Cube> = Vec::new();
    for cube in &data.cubes {
        cubes.extend(predicates::successor(model, precision, queries, action, statements, known, cube, &tracked));
    }
    if cubes.is_empty() { Vec::new() } else { vec![(after, Data { values, cubes })] }
}
