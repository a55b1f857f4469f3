//! The invariants of a proof, for whoever wants to see why it holds.
//!
//! Partial-order reduction leaves out states, and with them what shared variables are while a thread is at a location. So after a proof with reduction the graph is built once
//! more without, with what is tracked by then, which is mostly enough. It is checked like the proof itself. It may take as long as the proof did: what does not come
//! to an end has the invariants of the reduced graph.

use crate::certify;
use crate::config::{CegarConfig, Por};
use crate::domains::precision::Precision;
use crate::domains::queries::Queries;
use crate::graph::abstractor::Abstractor;
use crate::location_invariants::{is_reduced, location_invariants};
use crate::model::Model;
use crate::search::{Ended, Loop};
use raddle_engine::{Invariants, Silent};
use std::time::Duration;

/// Nobody waits longer than that for a proof.
const LEAST: Duration = Duration::from_millis(500);

/// The invariants of a finished loop, which took so long.
pub fn invariants(
    done: &Loop,
    model: &mut Model,
    precision: &mut Precision,
    abstractor: &Abstractor,
    took: Duration,
) -> Invariants {
    let graph = (&abstractor.arg, &abstractor.states);
    let reduced = location_invariants(done.task.program(), model, precision, graph);
    if !done.config.witnessed || !is_reduced(&abstractor.arg, &abstractor.states) {
        return reduced;
    }
    let config = CegarConfig { por: Por::None, ..done.config.clone() };
    let budget = done.budget.share(took.max(LEAST));
    let mut abstractor = Abstractor::new(&config, model, precision);
    abstractor.queries = Queries::new(model.solvers.clone());
    abstractor.restart(model, precision);
    let mut again = Loop { config: &config, budget: &budget, observer: &Silent, ..*done };
    if !matches!(again.run(model, precision, &mut abstractor), Ended::Complete) {
        return reduced;
    }
    let graph = (&abstractor.arg, &abstractor.states);
    if certify::check(model, precision, graph.0, graph.1, &|| budget.stop()).is_err() {
        return reduced;
    }
    let all = location_invariants(done.task.program(), model, precision, graph);
    // A large graph may say less.
    if all.all.len() < reduced.all.len() { reduced } else { all }
}
