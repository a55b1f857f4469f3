//! A finished graph, checked once more as a proof (DESIGN, section 5) before anybody hears that a program is safe.
//!
//! Nothing here is shared with what built the graph but the actions of the Model and the evaluator; the solvers are fresh. What actions mean (locks and allocations, say) is
//! therefore not checked here, but by tests against the interpreter. What is checked:
//! - the first node holds for all initial states (`steps.rs`);
//! - an expanded node has children for all that its actions can lead to, by the statements as they are in the Program (`steps.rs`);
//! - a covered node is one that an expanded node stands for, and nothing waits or is a target (here);
//! - where actions of threads were left out, a reduction was allowed to (`reduction.rs`).

mod reduction;
mod steps;
#[cfg(test)]
mod tests;

use crate::domains::precision::Precision;
use crate::domains::state::{Data, States};
use crate::graph::arg::{Arg, NodeId, Status};
use crate::model::Model;
use crate::model::threads::{At, Thread};
use raddle_engine::Stop;
use reduction::Reduction;
use steps::Steps;

/// Is the graph a proof that no error can be reached? Returns how many questions to a solver that took, or what is wrong.
pub fn check(
    model: &mut Model,
    precision: &Precision,
    arg: &Arg,
    states: &States,
    stop: &dyn Fn() -> Option<Stop>,
) -> Result<u64, String> {
    let mut steps = Steps::new(model.solvers.clone());
    let mut reduction = Reduction::new(model, precision);
    let root = arg.nodes.first().ok_or("there is no first node")?;
    if root.parent.is_some() || root.status == Status::Removed {
        return Err("the first node is not the root".into());
    }
    steps.first(model, precision, states.threads.get(root.threads), states.data.get(root.data))?;
    for (i, id) in arg.live().enumerate() {
        if i.is_multiple_of(64) && stop().is_some() {
            return Err("the check of the proof did not come to its end".into());
        }
        let node = arg.node(id);
        let wrong = |what: &str| Err(format!("node {}: {what}", id.0));
        let is_cut_off = |thread: &Thread| match thread.at {
            At::Location(at) => model.program.proc(thread.proc).locations[at.index()].kind.is_cut_off(),
            At::Ended | At::Stopped => false,
        };
        if states.threads.get(node.threads).threads.iter().any(is_cut_off) {
            return wrong("what follows was cut off");
        }
        match node.status {
            Status::Waiting => return wrong("nobody has looked at it"),
            Status::Target => return wrong("an error is in sight"),
            Status::Covered(by) => covered(arg, states, id, by)?,
            Status::Expanded => {
                steps.expanded(model, precision, arg, states, id)?;
                reduction.node(model, precision, &mut steps, arg, states, id)?;
            }
            Status::Removed => {}
        }
    }
    reduction::cycles(arg, states)?;
    Ok(steps.questions)
}

/// A node that is not expanded has one that stands for it.
fn covered(arg: &Arg, states: &States, id: NodeId, by: NodeId) -> Result<(), String> {
    let (node, other) = (arg.node(id), arg.nodes.get(by.index()).ok_or("a cover that does not exist")?);
    let wrong = |what: &str| Err(format!("node {} is covered by {}: {what}", id.0, by.0));
    if other.status != Status::Expanded {
        return wrong("which is not expanded");
    }
    if node.threads != other.threads {
        return wrong("other threads or locks");
    }
    if !implies(states.data.get(node.data), states.data.get(other.data)) {
        return wrong("which knows more");
    }
    Ok(())
}

/// Does everything that one state knows belong to what another one knows?
fn implies(data: &Data, other: &Data) -> bool {
    other.values.iter().all(|(var, value)| data.values.get(var) == Some(value))
        && (data.cubes.iter())
            .all(|cube| other.cubes.iter().any(|weaker| weaker.0.iter().all(|literal| cube.0.contains(literal))))
}
