//! Verification tasks, and where they come from: task definitions, sets, folders and indexes.

mod definition;
mod glob;
mod index;
mod select;
mod sources;

pub use select::{Selection, hash, select, shard, shard_size};
pub use sources::{Found, find};

use std::path::PathBuf;

/// One property of one program.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// The task definition, or the source, relative to the set.
    pub name: String,
    /// In the order of the sources, counted from 0; known when all tasks are found.
    pub position: usize,
    pub definition: Option<PathBuf>,
    pub files: Vec<PathBuf>,
    /// The property file's name without its ending.
    pub property: String,
    pub property_file: PathBuf,
    /// `None`: nobody says.
    pub expected: Option<bool>,
    /// `None`: Raddle's own.
    pub data_model: Option<String>,
    pub category: Option<String>,
}
