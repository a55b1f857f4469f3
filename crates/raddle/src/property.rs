//! Properties: by name, or as an SV-COMP property file.

use raddle_ir::Property;
use std::path::Path;

/// What `--property` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    pub property: Property,
    /// A property given by name counts failed assertions; a file says exactly what it means.
    pub assertions: bool,
}

pub fn parse(given: &str) -> Result<Wanted, String> {
    if let Some(property) = Property::ALL.into_iter().find(|p| p.name() == given) {
        return Ok(Wanted { property, assertions: true });
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
    parse_file(&text).map(|property| Wanted { property, assertions: false }).ok_or_else(|| {
        let first: String = text.trim().lines().next().unwrap_or("").chars().take(100).collect();
        format!("{given}: not a property that Raddle knows (the file says: {first})")
    })
}

/// The `CHECK( init(main()), LTL(...) )` lines of a property file.
fn parse_file(text: &str) -> Option<Property> {
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let formulas: Vec<&str> =
        dense.split("CHECK(init(main()),LTL(").skip(1).map(|f| f.strip_suffix("))").unwrap_or(f)).collect();
    let first = *formulas.first()?;
    match first {
        "G!call(reach_error())" | "G!call(__VERIFIER_error())" => Some(Property::UnreachCall),
        "G!data-race" => Some(Property::NoDataRace),
        "G!overflow" => Some(Property::NoOverflow),
        "Fend" => Some(Property::Termination),
        "G!deadlock" => Some(Property::NoDeadlock),
        _ if formulas.iter().all(|f| f.starts_with("Gvalid-")) => Some(Property::ValidMemsafety),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files() {
        assert_eq!(parse_file("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"), Some(Property::UnreachCall));
        assert_eq!(parse_file("CHECK( init(main()), LTL(F end) )"), Some(Property::Termination));
        let memsafety = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        assert_eq!(parse_file(memsafety), Some(Property::ValidMemsafety));
        assert_eq!(parse_file("CHECK( init(main()), LTL(G ! call(foo())) )"), None);
        assert_eq!(parse_file(""), None);
    }
}
