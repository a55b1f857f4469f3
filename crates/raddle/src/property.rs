//! Properties: by name, or as an SV-COMP property file.
//!
//! `unreach-call` has two parts: the error function is not called (`G ! call(reach_error())`), and no assertion fails (`G assert`). By name it means both, in a file what is written there.

use raddle_ir::{Gap, GapId, GapKind, Label, LocId, LocKind, Location, Origin, Program, Property, Violation};
use std::path::Path;

/// What `--property` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    pub property: Property,
    /// A property given by name counts failed assertions; a file says exactly what it means.
    pub assertions: bool,
    /// Calls of the error function count.
    pub calls: bool,
}

pub fn parse(given: &str) -> Result<Wanted, String> {
    if let Some(property) = Property::ALL.into_iter().find(|p| p.name() == given) {
        return Ok(Wanted { property, assertions: true, calls: true });
    }
    if !Path::new(given).is_file() {
        let names = Property::ALL.map(Property::name).join(", ");
        return Err(format!("--property {given}: neither a property file nor one of {names}"));
    }
    let bytes = std::fs::read(given).map_err(|e| format!("{given}: {e}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{given}: not a property file, but a binary one"))?;
    if text.trim().is_empty() {
        return Err(format!("{given}: the property file is empty"));
    }
    parse_file(&text).ok_or_else(|| {
        let first: String = text.trim().lines().next().unwrap_or("").chars().take(100).collect();
        format!("{given}: not a property that Raddle knows (the file says: {first})")
    })
}

/// The `CHECK( init(main()), LTL(...) )` lines of a property file, or of a witness.
pub fn parse_file(text: &str) -> Option<Wanted> {
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let formulas: Vec<&str> =
        dense.split("CHECK(init(main()),LTL(").skip(1).map(|f| f.strip_suffix("))").unwrap_or(f)).collect();
    let is_call = |formula: &&str| matches!(*formula, "G!call(reach_error())" | "G!call(__VERIFIER_error())");
    let is_assertion = |formula: &&str| *formula == "Gassert";
    let property = match *formulas.first()? {
        _ if formulas.iter().all(|of| is_call(of) || is_assertion(of)) => Property::UnreachCall,
        "G!data-race" => Property::NoDataRace,
        "G!overflow" => Property::NoOverflow,
        "Fend" => Property::Termination,
        "G!deadlock" => Property::NoDeadlock,
        _ if formulas.iter().all(|f| f.starts_with("Gvalid-")) => Property::ValidMemsafety,
        _ => return None,
    };
    let assertions = formulas.iter().any(is_assertion);
    let calls = property != Property::UnreachCall || formulas.iter().any(is_call);
    Some(Wanted { property, assertions, calls })
}

impl Wanted {
    /// The Program with those errors that count. What an error function does that is none, nobody knows.
    pub fn counted(self, mut program: Program) -> Program {
        if self.calls {
            return program;
        }
        let is_call = |label: &Label| matches!(label, Label::Error(Violation::ErrorCall));
        for proc in &mut program.procs {
            for edge in &mut proc.edges {
                let Some(at) = edge.labels.iter().position(is_call) else { continue };
                let file = program.files.get(edge.span.file.0 as usize).map_or("", String::as_str);
                let line = edge.span.line;
                let message = format!("{file}:{line}: what the error function does, where only assertions count");
                program.gaps.push(Gap { kind: GapKind::Unsupported, message });
                let kind = LocKind::Gap(GapId(program.gaps.len() as u32 - 1));
                edge.labels.truncate(at);
                edge.target = LocId(proc.locations.len() as u32);
                proc.locations.push(Location { kind, span: edge.span, origin: Origin::default() });
            }
        }
        program
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files() {
        let of = |text: &str| parse_file(text).map(|wanted| wanted.property);
        assert_eq!(of("CHECK( init(main()), LTL(F end) )"), Some(Property::Termination));
        let memsafety = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        assert_eq!(of(memsafety), Some(Property::ValidMemsafety));
        assert_eq!(of("CHECK( init(main()), LTL(G ! call(foo())) )"), None);
        assert_eq!(of(""), None);
        let counts = |text: &str| parse_file(text).map(|wanted| (wanted.calls, wanted.assertions));
        let calls = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        let assertions = "CHECK( init(main()), LTL(G assert) )\n";
        assert_eq!(counts(calls), Some((true, false)));
        assert_eq!(counts(assertions), Some((false, true)));
        assert_eq!(counts(&format!("{calls}{assertions}")), Some((true, true)));
    }
}
