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
use crate::domains::values::{Known, Values};
use crate::model::statements::Statement;
use crate::model::threads::Threads;
use crate::model::{ActionId, Model};
use smallvec::SmallVec;

/// What the domains compute with.
pub struct Abstraction<'a, 'p> {
    pub model: &'a mut Model<'p>,
    pub precision: &'a Precision,
    pub config: &'a CegarConfig,
    pub queries: &'a mut Queries,
}

/// An action from an abstract state.
#[derive(Clone, Copy)]
pub struct Transition<'a> {
    pub action: ActionId,
    /// Those of the action, some of them perhaps simplified.
    pub statements: &'a [Statement],
    /// The state before.
    pub threads: &'a Threads,
    pub values: &'a Values,
    pub cubes: &'a [Cube],
    /// Where the threads are then, with the locks as they were before.
    pub after: &'a Threads,
}

impl<'a> Transition<'a> {
    /// What is known by value before.
    pub fn known(&self) -> Known<'a> {
        Known { threads: self.threads, values: self.values }
    }
}

/// A state after an action, as far as it differs from the one before.
pub struct Successor {
    /// The parts of locks that were written.
    pub locks: Locks,
    pub data: Option<Data>,
}

/// Mostly there is one.
pub type Successors = SmallVec<[Successor; 1]>;

/// The states after an action. None: there is no way.
pub fn successors(abstraction: &mut Abstraction, transition: Transition) -> Successors {
    let mut result = Successors::new();
    let Abstraction { model, precision, config, .. } = &*abstraction;
    let Some(next) = explicit::successor(model, precision, transition) else { return result };
    // Predicates decide their assumptions themselves: without values there is nothing to enumerate.
    let enumerates =
        config.max_enum > 1 && (config.domain == Domain::Expl || precision.explicit_vars().next().is_some());
    let enumerated = match enumerates && !next.is_exact {
        true => enumerate::assignments(abstraction, transition),
        false => None,
    };
    let Some(enumerated) = enumerated else {
        with_cubes(abstraction, transition, next, &mut result);
        return result;
    };
    for assignment in enumerated {
        // That a variable has a certain value is assumed at the end of the action, for values and predicates alike.
        let mut statements = transition.statements.to_vec();
        statements.extend(assignment.into_iter().map(Statement::Assume));
        let transition = Transition { statements: &statements, ..transition };
        let next = explicit::successor(abstraction.model, abstraction.precision, transition);
        let Some(next) = next else { continue };
        with_cubes(abstraction, transition, next, &mut result);
    }
    result
}

/// Adds what is known of predicates.
fn with_cubes(abstraction: &mut Abstraction, transition: Transition, next: After, result: &mut Successors) {
    let After { values, locks, .. } = next;
    let (precision, domain) = (abstraction.precision, abstraction.config.domain);
    // Without predicates there is still the question whether the guards contradict each other, which values alone do not decide.
    if domain == Domain::Expl && precision.predicates().is_empty() {
        let data = values.map(|values| Data { values, cubes: transition.cubes.to_vec() });
        result.push(Successor { locks, data });
        return;
    }
    let tracked: Vec<PredId> = precision.tracked_predicates(transition.after).collect();
    let mut cubes: Vec<Cube> = Vec::new();
    for cube in transition.cubes {
        if let Domain::PredSplit | Domain::PredBool = domain {
            cubes.extend(pred_split::cubes(abstraction, transition, cube, &tracked));
        } else {
            cubes.extend(predicates::successor(abstraction, transition, cube, &tracked));
        }
    }
    pred_bool::merge(&mut cubes);
    if cubes.is_empty() {
        return;
    }
    if values.is_none() && cubes == transition.cubes {
        result.push(Successor { locks, data: None });
        return;
    }
    let values = values.unwrap_or_else(|| transition.values.clone());
    if domain == Domain::PredSplit {
        let with =
            |cube| Successor { locks: locks.clone(), data: Some(Data { values: values.clone(), cubes: vec![cube] }) };
        result.extend(cubes.into_iter().map(with));
    } else {
        pred_bool::limit(&mut cubes);
        result.push(Successor { locks, data: Some(Data { values, cubes }) });
    }
}
