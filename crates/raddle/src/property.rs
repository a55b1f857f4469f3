//! Properties: by name, or as an SV-COMP property file.
//!
//! `unreach-call` has two parts: the error function is not called (`G ! call(reach_error())`), and no assertion fails (`G assert`). By name it means both, in a file what is written there.

use raddle_ir::{Property, Violation, Violations};
use std::path::Path;

/// What `--property` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    pub property: Property,
    /// What violates it. A property given by name has all its parts; a file says exactly what it means.
    pub counts: Violations,
}

impl Wanted {
    fn all_of(property: Property) -> Wanted {
        Wanted { property, counts: Violations::of(property) }
    }
}

pub fn parse(given: &str) -> Result<Wanted, String> {
    if let Some(property) = Property::ALL.into_iter().find(|p| p.name() == given) {
        return Ok(Wanted::all_of(property));
    }
    if let Some(part) = Violation::ALL.into_iter().find(|violation| violation.verdict_name() == given) {
        return Ok(Wanted { property: part.property(), counts: Violations::NONE.with(part) });
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

/// The `CHECK( init(main()), LTL(...) )` lines of a property file, or of a witness. All are about one property.
pub fn parse_file(text: &str) -> Option<Wanted> {
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let formulas: Vec<&str> =
        dense.split("CHECK(init(main()),LTL(").skip(1).map(|f| f.strip_suffix("))").unwrap_or(f)).collect();
    if formulas == ["Fend"] {
        return Some(Wanted::all_of(Property::Termination));
    }
    let violations: Vec<Violation> = formulas.iter().map(|formula| violation_of(formula)).collect::<Option<_>>()?;
    let property = violations.first()?.property();
    let is_one = violations.iter().all(|violation| violation.property() == property);
    is_one.then(|| Wanted { property, counts: violations.into_iter().collect() })
}

/// What a formula says never to happen.
fn violation_of(formula: &str) -> Option<Violation> {
    Some(match formula {
        "G!call(reach_error())" | "G!call(__VERIFIER_error())" => Violation::ErrorCall,
        "Gassert" => Violation::Assertion,
        "G!overflow" => Violation::Overflow,
        "G!data-race" => Violation::DataRace,
        "Gvalid-deref" => Violation::InvalidDeref,
        "Gvalid-free" => Violation::InvalidFree,
        "Gvalid-memtrack" => Violation::LostMemory,
        "Gvalid-memcleanup" => Violation::UnfreedMemory,
        "G!deadlock" => Violation::Deadlock,
        _ => return None,
    })
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
        let counts = |text: &str| {
            parse_file(text)
                .map(|Wanted { counts, .. }| (counts.has(Violation::ErrorCall), counts.has(Violation::Assertion)))
        };
        let calls = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        let assertions = "CHECK( init(main()), LTL(G assert) )\n";
        assert_eq!(counts(calls), Some((true, false)));
        assert_eq!(counts(assertions), Some((false, true)));
        assert_eq!(counts(&format!("{calls}{assertions}")), Some((true, true)));
    }
}
