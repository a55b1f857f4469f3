//! A correctness witness from a proof: its invariants in C, at the loops where they hold.
//!
//! A proof has invariants at heads of loops. That of a `while` or `for` is where its condition is evaluated, which is where a `loop_invariant` holds; that of a `do` is not, and
//! neither is that of a `goto`. Left out is also what C has no words for, what is at no place of an input file that a column names, and what names a variable that another one of the same name might hide. An
//! empty list is a witness, too.

use crate::format::{Invariant, InvariantKind, Item, Line, Location};
use crate::violation::Places;
use raddle_engine::Proof;
use raddle_ir::{ProcId, Program, VarKind};

/// The elements of an `invariant_set`.
pub fn invariants(program: &Program, proof: &Proof, places: &dyn Places) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let said = &proof.invariants;
    for invariant in &said.all {
        let proc = program.proc(invariant.proc);
        let span = proc.locations[invariant.loc.index()].span;
        if program.is_of_library(span) || !matches!(places.word(span).as_str(), "while" | "for") {
            continue;
        }
        let mut names = said.pool.vars(invariant.cond).into_iter().map(|var| said.name(program, var));
        if !names.all(|name| name.is_some_and(|name| is_unique(program, invariant.proc, name))) {
            continue;
        }
        let (Some(place), Some(value)) = (places.locate(span), said.to_c(program, *invariant)) else { continue };
        // A place without a column may be one of several copies, or not the first of its line.
        if place.column.is_none() {
            continue;
        }
        let location = Location { function: Some(proc.name.clone()), ..place };
        let (kind, format) = (InvariantKind::Loop, "c_expression".into());
        items.push(Item::Invariant(Invariant { kind, location, value, format, at: Line::default() }));
    }
    items
}

/// Is there one variable of this name that a function can see, whatever hides what?
fn is_unique(program: &Program, proc: ProcId, name: &str) -> bool {
    let is_seen = |kind: &VarKind| !matches!(kind, VarKind::Local(of) if *of != proc);
    let vars = program.vars.iter().filter(|var| var.name == name && is_seen(&var.kind)).count();
    let address = format!("&{name}");
    let objects = program.objects.iter().filter(|object| object.name == name).count();
    let locals = program.vars.iter().filter(|var| var.name == address && is_seen(&var.kind)).count();
    vars + objects + locals == 1
}
