//! A correctness witness from a proof: its invariants in C, at the places where they hold.
//!
//! The head of a `while` or `for` is where its condition is evaluated, which is where a `loop_invariant` holds. What holds at another location is a `location_invariant` of the statement that begins there: so are
//! the head of a `do`, which is the first statement of its body, and that of a `goto`, which is the labelled statement. At a loop itself there is no location invariant: readers disagree
//! whether it holds once or each time. Left out is what C has no words for, what is at no place of an input file or at one whose column is not known, and what names a variable that another one of the same name might
//! hide. An empty list is a witness, too.

use crate::format::{Invariant, InvariantKind, Item, Line, Location};
use crate::violation::Places;
use raddle_engine::Proof;
use raddle_ir::{ProcId, Program, Span, VarKind};

/// Longer invariants, and more of them away from loops, help nobody.
const LONGEST_OF_LOOP: usize = 4000;
const LONGEST: usize = 1000;
const MOST: usize = 40;

/// The elements of an `invariant_set`.
pub fn invariants(program: &Program, proof: &Proof, places: &dyn Places) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let said = &proof.invariants;
    let mut others = 0;
    for invariant in &said.all {
        let proc = program.proc(invariant.proc);
        let Some((kind, span)) = place(program, invariant, places) else { continue };
        let mut names = said.pool.vars(invariant.cond).into_iter().map(|var| said.name(program, var));
        if !names.all(|name| name.is_some_and(|name| is_unique(program, invariant.proc, name))) {
            continue;
        }
        let Some(place) = places.locate(span).filter(|place| place.column.is_some()) else { continue };
        let Some(value) = said.to_c(program, *invariant) else { continue };
        let longest = if invariant.is_loop { LONGEST_OF_LOOP } else { LONGEST };
        if value.len() > longest || (!invariant.is_loop && others == MOST) {
            continue;
        }
        others += usize::from(!invariant.is_loop);
        let location = Location { function: Some(proc.name.clone()), ..place };
        let format = "c_expression".into();
        items.push(Item::Invariant(Invariant { kind, location, value, format, at: Line::default() }));
    }
    items
}

/// How the format names the place of an invariant.
fn place(
    program: &Program,
    invariant: &raddle_engine::Invariant,
    places: &dyn Places,
) -> Option<(InvariantKind, Span)> {
    let head = program.proc(invariant.proc).locations[invariant.loc.index()].span;
    let is_user = |span: &Span| !program.is_of_library(*span);
    if invariant.is_loop && is_user(&head) && matches!(places.word(head).as_str(), "while" | "for") {
        return Some((InvariantKind::Loop, head));
    }
    let statement = places.statement(invariant.proc, invariant.loc).filter(is_user)?;
    match places.word(statement).as_str() {
        // In front of the word `case`, a thread comes from the case before.
        "while" | "for" | "do" | "case" | "default" => None,
        _ => Some((InvariantKind::Location, statement)),
    }
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
