//! Event-condition-action systems (thesis 1, section 4.5.2): a loop reads an input, decides by comparisons of variables with constants what to do, and does it for ever.
//!
//! Such programs are large, and nearly all of their values are known: explicit values without refinement solve them. What is told here is the shape: in one loop that is not counted, with all
//! that it calls, an input and many decisions, most of them by comparisons of variables with constants.

use super::Traits;
use super::definitions::plain_var;
use super::loops::{Loop, Loops};
use super::reach::Reached;
use fixedbitset::FixedBitSet;
use raddle_ir::{BinOp, EdgeId, Expr, ExprId, ExprPool, Label, LocId, ProcId, Procedure, UnOp};

/// An event loop has at least so many decisions by constants.
const LEAST_DECISIONS: u32 = 30;

/// So many locations of a called procedure tell what it is like.
const MOST_LOCATIONS: usize = 2000;

/// What stands in a loop or a procedure.
#[derive(Clone, Copy, Default)]
struct Body {
    inputs: u32,
    /// Comparisons by which a way is chosen.
    decisions: u32,
    /// Those of variables with constants.
    by_constants: u32,
}

impl Body {
    fn add(&mut self, other: Body) {
        self.inputs += other.inputs;
        self.decisions += other.decisions;
        self.by_constants += other.by_constants;
    }

    fn is_of_event_loop(self) -> bool {
        self.inputs > 0 && self.by_constants >= LEAST_DECISIONS && 2 * self.by_constants >= self.decisions
    }
}

/// What a location decides and reads.
fn at_location(reached: &Reached, proc: &Procedure, leaving: &[EdgeId]) -> Body {
    let mut body = Body::default();
    for edge in leaving.iter().map(|edge| &proc.edges[edge.index()]) {
        body.inputs += edge.labels.iter().filter(|label| reached.effects_for_user(label).inputs).count() as u32;
    }
    if let [first, more @ ..] = leaving
        && !more.is_empty()
    {
        // The conditions of a branch are each other's complements; those of a switch are alike.
        let conds = proc.edges[first.index()].labels.iter().filter_map(|label| match label {
            Label::Assume(cond) => Some(*cond),
            _ => None,
        });
        let comparisons: Option<u32> = conds.map(|cond| comparisons_with_constants(&reached.program.pool, cond)).sum();
        body.decisions = comparisons.unwrap_or(0).max(more.len() as u32);
        body.by_constants = comparisons.map_or(0, |_| body.decisions);
    }
    body
}

pub(super) fn has_event_loop(reached: &Reached, loops: &Loops, traits: &Traits) -> bool {
    // The outermost loops without a count: they hold all others.
    let is_candidate = |l: &Loop| !l.is_counted && l.parent.is_none_or(|parent| loops.all[parent].is_counted);
    if traits.inputs == 0 || !loops.all.iter().any(is_candidate) {
        return false;
    }
    let mut of_loop = vec![Body::default(); loops.all.len()];
    for (id, proc, flow) in reached.procs_of_user().filter(|(_, _, flow)| flow.has_cycle()) {
        for loc in (0..proc.locations.len() as u32).map(LocId).filter(|loc| flow.is_reachable(*loc)) {
            if loops.around(id, loc).next().is_some() {
                let body = at_location(reached, proc, flow.leaving(loc));
                loops.around(id, loc).for_each(|around| of_loop[around].add(body));
            }
        }
    }
    let mut called: Vec<Vec<usize>> = vec![Vec::new(); loops.all.len()];
    for site in reached.sites.iter().filter(|site| !site.is_start) {
        loops.around(site.caller, site.at).for_each(|around| called[around].push(site.callee));
    }
    // A procedure is looked at when a loop calls it.
    let mut of_proc: Vec<Option<Body>> = vec![None; reached.nodes()];
    let mut out = vec![Vec::new(); reached.nodes()];
    reached.graph().for_each(|(from, to, _)| out[from].push(to));
    (0..loops.all.len()).filter(|&at| is_candidate(&loops.all[at])).any(|at| {
        let mut open = std::mem::take(&mut called[at]);
        let mut seen = FixedBitSet::with_capacity(reached.nodes());
        let mut body = of_loop[at];
        while let Some(node) = open.pop() {
            if body.is_of_event_loop() {
                break;
            }
            if !seen.put(node) {
                body.add(*of_proc[node].get_or_insert_with(|| of_procedure(reached, node)));
                open.extend(&out[node]);
            }
        }
        body.is_of_event_loop()
    })
}

/// All of a procedure of the user's, a sample of it if it is long.
fn of_procedure(reached: &Reached, node: usize) -> Body {
    let mut body = Body::default();
    let Some((id, proc)) = reached.program.procs.get(node).map(|proc| (ProcId(node as u32), proc)) else { return body };
    let Some(flow) = reached.flow(id).filter(|_| reached.is_user(id)) else { return body };
    let reachable = (0..proc.locations.len() as u32).map(LocId).filter(|loc| flow.is_reachable(*loc));
    for loc in reachable.take(MOST_LOCATIONS) {
        body.add(at_location(reached, proc, flow.leaving(loc)));
    }
    body
}

/// A condition is looked into up to so many operators.
const MOST_OPERATORS: usize = 64;

/// How many comparisons of variables with constants a condition is, if it is nothing else.
fn comparisons_with_constants(pool: &ExprPool, cond: ExprId) -> Option<u32> {
    let mut open = vec![cond];
    let mut count = 0;
    for _ in 0..MOST_OPERATORS {
        let Some(id) = open.pop() else { break };
        match pool.get(id) {
            Expr::Unary(UnOp::Not, a) => open.push(a),
            Expr::Binary(BinOp::And | BinOp::Or, a, b) => open.extend([a, b]),
            Expr::Binary(BinOp::Eq | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe, a, b) => {
                let compares = |a: ExprId, b: ExprId| plain_var(pool, a).is_some() && pool.as_const(b).is_some();
                if !compares(a, b) && !compares(b, a) {
                    return None;
                }
                count += 1;
            }
            _ => return None,
        }
    }
    Some(count)
}
