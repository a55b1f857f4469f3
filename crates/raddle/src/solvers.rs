//! `raddle solvers`: which solvers there are, and what each can do. And the option `--solver NAME[=PATH]`.

use crate::args::{ListFormat, SolverChoice, SolversArgs};
use crate::{HOLDS, console};
use raddle_smt::native_version;
use raddle_smt::smtlib::{DIALECTS, FoundSolver, dialect, find_executable, find_solvers, is_executable};
use serde_json::json;
use std::path::PathBuf;

/// What the solver inside can do.
const NATIVE_CAN: [&str; 9] = [
    "bit-vectors",
    "floats",
    "arrays",
    "incremental",
    "models",
    "unsat-cores",
    "unsat-assumptions",
    "interpolants",
    "propagators",
];

/// Reads the value of `--solver`.
pub fn parse_choice(text: &str) -> Result<SolverChoice, String> {
    let (name, path) = match text.split_once('=') {
        Some((name, path)) => (name, Some(PathBuf::from(path))),
        None => (text, None),
    };
    if name == "native" {
        return match path {
            Some(_) => Err("the native solver is inside Raddle and has no path".to_string()),
            None => Ok(SolverChoice { name: name.to_string(), path }),
        };
    }
    let Some(dialect) = dialect(name) else {
        let names: Vec<&str> = DIALECTS.iter().map(|d| d.name).collect();
        return Err(format!("there is no solver `{name}`: write native, {}", names.join(", ")));
    };
    let path = match path {
        Some(path) if is_executable(&path) => path,
        Some(path) => return Err(format!("`{}` is no file that can be run", path.display())),
        None => find_executable(dialect).ok_or_else(|| {
            let install = dialect.install;
            format!("{name} is not on PATH: install it ({install}), or write {name}=PATH")
        })?,
    };
    Ok(SolverChoice { name: name.to_string(), path: Some(path) })
}

pub fn run(args: &SolversArgs) -> u8 {
    let places: Vec<(String, PathBuf)> =
        args.solvers.solvers.iter().filter_map(|choice| Some((choice.name.clone(), choice.path.clone()?))).collect();
    let found = find_solvers(&places);
    let text = match args.format {
        ListFormat::Text => table(&found),
        ListFormat::Json => json_list(&found),
    };
    console::wait_for_the_floor();
    print!("{text}");
    HOLDS
}

/// The known solvers that were not found, with how to get them.
fn missing(found: &[FoundSolver]) -> impl Iterator<Item = (&'static str, &'static str)> {
    DIALECTS.iter().filter(|d| found.iter().all(|f| f.dialect.name != d.name)).map(|d| (d.name, d.install))
}

fn table(found: &[FoundSolver]) -> String {
    let mut rows = vec![("native", native_version(), "(inside)".to_string(), NATIVE_CAN.join(", "))];
    for solver in found {
        let version = if solver.version.is_empty() { "(says no version)" } else { &solver.version };
        let can = solver.dialect.features.words().join(", ");
        rows.push((solver.dialect.name, version.to_string(), solver.path.display().to_string(), can));
    }
    let mut text = String::new();
    for (name, version, path, can) in rows {
        text += &format!("{name:<12} {version}\n{:<12} {path}\n{:<12} {can}\n", "", "");
    }
    for (name, install) in missing(found) {
        text += &format!("{name:<12} not found; install: {install}\n");
    }
    text
}

fn json_list(found: &[FoundSolver]) -> String {
    let native = json!({ "name": "native", "version": native_version(), "path": null, "features": NATIVE_CAN });
    let others = found.iter().map(|solver| {
        json!({
            "name": solver.dialect.name,
            "version": solver.version,
            "path": solver.path.to_string_lossy(),
            "features": solver.dialect.features.words(),
        })
    });
    let solvers: Vec<_> = std::iter::once(native).chain(others).collect();
    let missing: Vec<_> = missing(found).map(|(name, install)| json!({ "name": name, "install": install })).collect();
    format!("{:#}\n", json!({ "solvers": solvers, "missing": missing }))
}
