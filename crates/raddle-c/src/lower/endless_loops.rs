//! Loops that are never left: no way leads from them to an end of the procedure or of the program. Memory that is lost there is lost although nothing ends, so each round asks for it.

use super::builder::Builder;
use raddle_ir::{Edge, Label, Leak, LocId, Sort, UnOp, Violation};

impl Builder<'_, '_> {
    /// Asks for lost memory on the edges that close a loop which is never left.
    pub(super) fn ask_in_endless_loops(&mut self) {
        if !self.cx.options.counts.has(Violation::LostMemory) {
            return;
        }
        for edge in endless(self.location_count(), self.edges(), self.exit) {
            let var = self.new_local(raddle_ir::TEMPORARY, Sort::Bool, false);
            let lost = self.var_value(var);
            let is_clean = self.cx.pool.unary(UnOp::Not, lost);
            let old = self.edges()[edge].target;
            let [ask, answered, fails, failed] = std::array::from_fn(|_| self.new_location());
            self.redirect(edge, ask);
            let mut go = |source, target, label| self.edge_between(source, target, label);
            go(ask, answered, Label::Leaks { var, leak: Leak::Lost });
            go(answered, old, Label::Assume(is_clean));
            go(answered, fails, Label::Assume(lost));
            go(fails, failed, Label::Error(Violation::LostMemory));
        }
    }
}

/// The edges that close loops from which no end can be reached.
fn endless(locations: usize, edges: &[Edge], exit: LocId) -> Vec<usize> {
    let ends = |label: &Label| matches!(label, Label::Halt { .. } | Label::ThreadExit { .. } | Label::Error(_));
    let mut arriving = vec![Vec::new(); locations];
    let mut leaving = vec![Vec::new(); locations];
    let mut open = vec![exit];
    for (i, edge) in edges.iter().enumerate() {
        arriving[edge.target.index()].push(edge.source);
        leaving[edge.source.index()].push(i);
        if edge.labels.iter().any(ends) {
            open.push(edge.source);
        }
    }
    // Where nothing goes on, something ends.
    open.extend((0..locations as u32).map(LocId).filter(|loc| leaving[loc.index()].is_empty()));
    let mut can_end = vec![false; locations];
    while let Some(loc) = open.pop() {
        if !std::mem::replace(&mut can_end[loc.index()], true) {
            open.extend(&arriving[loc.index()]);
        }
    }
    // Edges back to a location that is being looked at.
    let mut state = vec![0u8; locations];
    let mut closing = Vec::new();
    for start in 0..locations {
        if state[start] != 0 || can_end[start] {
            continue;
        }
        let mut stack = vec![(start, 0)];
        state[start] = 1;
        while let Some((loc, next)) = stack.last_mut() {
            let Some(&edge) = leaving[*loc].get(*next) else {
                state[*loc] = 2;
                stack.pop();
                continue;
            };
            *next += 1;
            let target = edges[edge].target.index();
            match state[target] {
                0 => {
                    state[target] = 1;
                    stack.push((target, 0));
                }
                1 => closing.push(edge),
                _ => {}
            }
        }
    }
    closing
}
