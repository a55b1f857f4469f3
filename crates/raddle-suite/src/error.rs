//! What went wrong, in words for the user: which file, which line, and what to do.

use std::fmt::Display;
use std::path::Path;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(pub String);

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// `what` cannot be done with `path`, for this `reason`.
    pub fn of_file(what: &str, path: &Path, reason: impl Display) -> Error {
        Error(format!("cannot {what} {}: {reason}", path.display()))
    }
}

/// Ends the function with an error message.
macro_rules! bail {
    ($($message:tt)*) => { return Err($crate::error::Error(format!($($message)*))) };
}
pub(crate) use bail;
