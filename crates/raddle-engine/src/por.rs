//! Partial-order reduction, as the command line names it. Each engine has some of them, and takes its best if it has not the one that is named.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Por {
    /// The best that the engine has
    #[default]
    #[value(skip)]
    Best,
    /// All interleavings
    None,
    /// Persistent sets, from what each thread may still touch (explore)
    Persistent,
    /// Static source sets (cegar)
    Spor,
    /// Static source sets, by what the abstraction tracks (cegar)
    Aaspor,
}
