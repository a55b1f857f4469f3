//! Which invariants of a witness mean what they should: whoever writes one reads it again, at its place.
//!
//! Scopes are the frontend's business. So the invariants become probes of the same sources: one that has no place, several places, or another function around it is left out, and so is one
//! whose names are not those of variables there (a global that is declared further below, an enumeration constant that hides one).

use crate::assertions::claims;
use crate::format::{Invariant, Item};
use crate::fragments::fragments;
use raddle_c::probes::{Probe, Site};
use raddle_ir::{Expr, Label, Place, Program};
use std::collections::BTreeSet;

/// The probes of invariants, which need not fit. Files are called as the invariants call them.
pub fn questions(items: &[Item], files: &[String]) -> Result<Vec<Probe>, String> {
    let files: Vec<(String, String)> = files.iter().map(|file| (file.clone(), file.clone())).collect();
    Ok(claims(items, &files)?.into_iter().map(|probe| Probe { is_optional: true, ..probe }).collect())
}

/// The invariants that are understood, given the Program with their probes.
pub fn understood(items: Vec<Item>, program: &Program, sites: &[Site], missing: &[usize]) -> Vec<Item> {
    let mut read: Vec<Vec<(String, BTreeSet<&str>)>> = vec![Vec::new(); items.len()];
    for fragment in fragments(program, sites) {
        let site = &sites[fragment.site];
        let proc = program.proc(site.proc);
        let labels = fragment.edges.iter().flat_map(|edge| &proc.edges[*edge].labels);
        let mut names = BTreeSet::new();
        labels.for_each(|label| read_by(program, label, &mut names));
        read[site.probe].push((proc.name.clone(), names));
    }
    let is_understood = |(number, item): &(usize, Item)| match (item, &read[*number][..]) {
        (Item::Invariant(Invariant { location, value, .. }), [(function, names)]) => {
            !missing.contains(number)
                && location.function.as_ref() == Some(function)
                && words(value).all(|name| names.contains(name))
        }
        _ => false,
    };
    items.into_iter().enumerate().filter(is_understood).map(|(_, item)| item).collect()
}

/// The names of variables and objects that a label reads.
fn read_by<'p>(program: &'p Program, label: &Label, names: &mut BTreeSet<&'p str>) {
    if let Label::Load { place: Place::Var(var), .. } = label {
        names.insert(&program.var(*var).name);
    }
    label.for_each_expr(|expr| {
        for var in program.pool.vars(expr) {
            let name = program.var(var).name.as_str();
            // The address of a local.
            names.insert(name.strip_prefix('&').unwrap_or(name));
        }
        program.pool.for_each_node(&[expr], |_, node| {
            if let Expr::Const(constant) = node {
                let at = program.objects.iter().filter(|object| u128::from(object.address) == constant.bits);
                names.extend(at.map(|object| object.name.as_str()));
            }
        });
    });
}

/// The names in an expression, without those of types.
fn words(value: &str) -> impl Iterator<Item = &str> {
    const TYPES: [&str; 7] = ["unsigned", "signed", "char", "short", "int", "long", "__int128"];
    let words = value.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !TYPES.contains(word))
}
