//! Files and folders, with errors that name them.

use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    std::fs::write(path, content).map_err(|e| Error::of_file("write", path, e))
}

/// With the folders above it.
pub fn create_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|e| Error::of_file("create", path, e))
}

/// The absolute path of what exists.
pub fn absolute(path: &Path) -> Result<PathBuf> {
    std::fs::canonicalize(path).map_err(|e| Error::of_file("find", path, e))
}
