//! A Program that asserts the invariants of a witness.
//!
//! Each invariant becomes a probe with its condition (`raddle_c::probes`). Where the condition does not hold, there is an error; where it holds, the Program goes on as before.
//! So a proof of this Program is a proof of the property and of the invariants. The condition is evaluated in one step. A path that ends while the condition is evaluated (an invalid access) must not hide what comes behind it: a
//! condition that could is evaluated beside the path, not on it.

use crate::format::{Invariant, InvariantKind, Item};
use crate::fragments::{Fragment, fragments};
use crate::plan::input_file;
use raddle_c::probes::{Probe, ProbeKind, Site};
use raddle_ir::{Edge, Expr, Label, LocId, LocKind, Location, Object, ObjectKind, Origin, Place, Program, Violation};

/// The probes of the invariants, given the names of the input files; or why there are none.
pub fn claims(items: &[Item], files: &[(String, String)]) -> Result<Vec<Probe>, String> {
    items.iter().map(|item| claim(item, files)).collect()
}

fn claim(item: &Item, files: &[(String, String)]) -> Result<Probe, String> {
    let Item::Invariant(Invariant { kind, location, value, at, .. }) = item else {
        return Err("contracts of functions are not checked".into());
    };
    let kind = match kind {
        InvariantKind::Loop => ProbeKind::Loop,
        InvariantKind::Location => ProbeKind::Before,
        InvariantKind::LoopTransition | InvariantKind::LocationTransition => {
            return Err(format!("line {}: a `{}` is not checked", at.0, kind.name()));
        }
    };
    if value.contains('\\') {
        return Err(format!("line {}: `{value}` is no expression of C", at.0));
    }
    let file = input_file(&location.file_name, files)?;
    Ok(Probe {
        kind,
        file,
        line: location.line,
        column: location.column,
        condition: Some(value.clone()),
        is_optional: false,
    })
}

/// The Program with an error wherever a condition does not hold.
pub fn asserted(mut program: Program, sites: &[Site]) -> Program {
    let threads = program.starts_threads();
    for fragment in fragments(&program, sites) {
        assert_at(&mut program, sites, &fragment, threads);
    }
    program
}

fn assert_at(program: &mut Program, sites: &[Site], fragment: &Fragment, threads: bool) {
    let site = &sites[fragment.site];
    let edges = &program.proc(site.proc).edges;
    let labels = || fragment.edges.iter().flat_map(|edge| &edges[*edge].labels);
    let is_total = labels().all(|label| is_total(program, label));
    let is_atomic = threads && labels().any(|label| label.place().is_some());
    let proc = &mut program.procs[site.proc.index()];
    let span = proc.locations[site.from.index()].span;
    let end = LocId(proc.locations.len() as u32);
    proc.locations.push(Location { kind: LocKind::Normal, span, origin: Origin::default() });
    for &edge in &fragment.edges {
        let edge = &mut proc.edges[edge];
        if edge.source == site.from && is_atomic {
            edge.labels.push(Label::AtomicBegin);
        } else if Some(edge.source) == site.no {
            edge.labels.push(Label::Error(Violation::Assertion));
            edge.target = end;
        } else if edge.source == site.yes && !is_total {
            edge.target = end;
        } else if edge.source == site.yes && is_atomic {
            edge.labels.push(Label::AtomicEnd);
        }
    }
    if !is_total {
        // Whoever looked at the condition does not go on.
        proc.edges.push(Edge { source: site.from, target: site.to, labels: Vec::new(), span, is_silent: false });
    }
}

/// Executing it never ends the path.
fn is_total(program: &Program, label: &Label) -> bool {
    match label {
        Label::Assign { .. } | Label::Assume(_) | Label::Self_ { .. } | Label::Load { place: Place::Var(_), .. } => {
            true
        }
        Label::Load { place: Place::Memory(address), var, .. } => match program.pool.get(*address) {
            Expr::Const(address) => {
                let size = program.var(*var).sort.bytes();
                let holds = |object: &Object| {
                    let start = u128::from(object.address);
                    matches!(object.kind, ObjectKind::Data { .. })
                        && start <= address.bits
                        && address.bits + u128::from(size) <= start + u128::from(object.size)
                };
                program.objects.iter().any(holds)
            }
            // Also at the address of a local: the load may be wider than the object.
            _ => false,
        },
        _ => false,
    }
}
