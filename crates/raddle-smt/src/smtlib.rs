//! Solvers that run as processes and speak SMT-LIB 2.
//!
//! [`find_solvers`] looks for those that [`dialect`] knows; [`SmtLibSolver`] and [`SmtLibInterpolator`] make the crate's traits of one that
//! was found. A process that dies, hangs or talks nonsense is an error value, with the solver's own words in it, and is gone afterwards.

pub mod dialect;
mod interpolate;
mod print;
mod print_floats;
pub(crate) mod process;
mod read;
pub(crate) mod sexpr;
mod solve;

pub use dialect::{DIALECTS, Dialect, Features, Floats, Interpolants, dialect};
pub use interpolate::SmtLibInterpolator;
pub use process::launch_with;
pub(crate) use solve::Session;
pub use solve::{Patience, SmtLibSolver};

use crate::solver::SolverError;
use process::Process;
use serde::{Deserialize, Serialize};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for a version.
const VERSION_WAIT: Duration = Duration::from_secs(10);

/// A solver on this machine. In files it is `NAME` or `NAME=PATH`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FoundSolver {
    pub dialect: Dialect,
    pub path: PathBuf,
    /// What it says of its version, in one line; empty if it says nothing.
    pub version: String,
}

impl FoundSolver {
    /// A solver at a place that is known; it is not asked for its version.
    pub fn at(dialect: Dialect, path: PathBuf) -> FoundSolver {
        FoundSolver { dialect, path, version: String::new() }
    }

    pub(crate) fn error(&self, message: impl Into<String>) -> SolverError {
        SolverError::Process { solver: self.dialect.name.to_string(), message: message.into() }
    }
}

impl TryFrom<String> for FoundSolver {
    type Error = String;

    fn try_from(text: String) -> Result<FoundSolver, String> {
        let (name, path) = text.split_once('=').map_or((text.as_str(), None), |(name, path)| (name, Some(path)));
        let dialect = dialect(name).ok_or_else(|| format!("there is no solver `{name}`"))?;
        let path = path.map(PathBuf::from).or_else(|| find_executable(dialect));
        Ok(FoundSolver::at(*dialect, path.ok_or_else(|| format!("`{name}` was not found on PATH"))?))
    }
}

impl From<FoundSolver> for String {
    fn from(found: FoundSolver) -> String {
        format!("{}={}", found.dialect.name, found.path.display())
    }
}

/// The known solvers that are on PATH, or at the given places: pairs of a dialect's name and a path, of which the last for a name
/// counts.
pub fn find_solvers(places: &[(String, PathBuf)]) -> Vec<FoundSolver> {
    DIALECTS
        .iter()
        .filter_map(|dialect| {
            let given = places.iter().rev().find(|(name, _)| name == dialect.name).map(|(_, path)| path.clone());
            let path = given.or_else(|| find_executable(dialect))?;
            Some(FoundSolver { version: version(&path, dialect), ..FoundSolver::at(*dialect, path) })
        })
        .collect()
}

/// Where on PATH a solver is.
pub fn find_executable(dialect: &Dialect) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let directories: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places =
        dialect.executables.iter().flat_map(|name| directories.iter().map(move |directory| directory.join(name)));
    places.into_iter().find(|place| is_executable(place))
}

/// Is it a file that may be run?
pub fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

fn version(path: &Path, dialect: &Dialect) -> String {
    let Ok(mut process) = Process::start(path, &[dialect.version_argument], 1 << 20) else { return String::new() };
    let said = process.read_all(Instant::now() + VERSION_WAIT);
    let said = if said.trim().is_empty() { process.words() } else { said };
    let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    line.chars().filter(|c| !c.is_control()).take(100).collect()
}
