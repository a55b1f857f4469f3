//! Equality of Programs, up to the numbering of expressions: two Programs that differ only in the order in which
//! their expressions were made are the same.

use crate::expr::ExprId;
use crate::pool::ExprPool;
use crate::program::{Edge, Procedure, Program};

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.pointer_bits == other.pointer_bits
            && self.files == other.files
            && self.vars == other.vars
            && self.objects == other.objects
            && self.entry == other.entry
            && self.dynamic_base == other.dynamic_base
            && self.gaps == other.gaps
            && self.procs.len() == other.procs.len()
            && {
                let ids = translation(&self.pool, &other.pool);
                self.procs.iter().zip(&other.procs).all(|(a, b)| same_procedure(a, b, &ids))
            }
    }
}

/// For each expression of one pool, the equal expression of another. Equal expressions of one pool are one, so this takes
/// one look at each.
fn translation(from: &ExprPool, to: &ExprPool) -> Vec<Option<ExprId>> {
    let mut ids: Vec<Option<ExprId>> = Vec::with_capacity(from.len());
    for (_, expr, sort) in from.nodes() {
        let mut found = true;
        let translated = expr.map_operands(|operand| match ids.get(operand.0 as usize) {
            Some(Some(id)) => *id,
            _ => {
                found = false;
                operand
            }
        });
        let id = if found { to.find(translated) } else { None };
        ids.push(id.filter(|id| to.sort(*id) == sort));
    }
    ids
}

fn same_procedure(a: &Procedure, b: &Procedure, ids: &[Option<ExprId>]) -> bool {
    a.name == b.name
        && a.params == b.params
        && a.result == b.result
        && a.locals == b.locals
        && a.locations == b.locations
        && a.entry == b.entry
        && a.exit == b.exit
        && a.span == b.span
        && a.edges.len() == b.edges.len()
        && a.edges.iter().zip(&b.edges).all(|(a, b)| same_edge(a, b, ids))
}

fn same_edge(a: &Edge, b: &Edge, ids: &[Option<ExprId>]) -> bool {
    a.source == b.source
        && a.target == b.target
        && a.span == b.span
        && a.labels.len() == b.labels.len()
        && a.labels.iter().zip(&b.labels).all(|(a, b)| {
            let mut found = true;
            let translated = a.map_exprs(|id| match ids.get(id.0 as usize) {
                Some(Some(id)) => *id,
                _ => {
                    found = false;
                    id
                }
            });
            found && translated == *b
        })
}
