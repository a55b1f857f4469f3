//! Words for the user. A reader that goes away (`| head`) is no reason to end a run; `print!` would panic.

use crate::error::{Error, Result};
use std::fmt::Display;
use std::io::{ErrorKind, Write, stderr, stdout};

/// Results, on standard output.
pub fn print(text: &str) -> Result<()> {
    let mut output = stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Error(format!("cannot write to standard output: {e}"))),
        _ => Ok(()),
    }
}

/// A line about what happens, on standard error.
pub fn note(text: impl Display) {
    let _ = writeln!(stderr().lock(), "{text}");
}
