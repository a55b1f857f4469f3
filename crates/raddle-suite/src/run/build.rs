//! Which build of Raddle is run: a hash of its binary. Between two releases, all builds have one version.

use crate::error::{Error, Result};
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read};
use std::path::Path;

/// The same for the same content. It need not be the same for another build of this crate, which is part of the content.
pub fn hash(binary: &Path) -> Result<String> {
    hash_file(binary).map_err(|e| Error::of_file("read", binary, e))
}

fn hash_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = DefaultHasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(format!("{:016x}", hasher.finish())),
            Ok(length) => hasher.write(&buffer[..length]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}
