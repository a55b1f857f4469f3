//! Messages about the input: an error (the input is wrong) or "unsupported" (valid C that Raddle does not model).

use crate::source::Pos;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The input is not a valid program: exit status 3.
    Invalid,
    /// Valid C that cannot be modelled: `VERDICT: unknown(unsupported)`.
    Unsupported,
    /// Reading took longer than allowed: `VERDICT: unknown(timeout)`.
    Timeout,
    /// The system does not give the memory that is needed: `VERDICT: unknown(out-of-memory)`.
    OutOfMemory,
}

/// What is wrong and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    pub kind: ErrorKind,
    /// `None` if it is about a whole file.
    pub pos: Option<Pos>,
    pub message: String,
}

impl Error {
    pub fn invalid(pos: Pos, message: impl Into<String>) -> Self {
        Error { kind: ErrorKind::Invalid, pos: Some(pos), message: message.into() }
    }

    pub fn unsupported(pos: Pos, construct: impl Into<String>) -> Self {
        Error { kind: ErrorKind::Unsupported, pos: Some(pos), message: construct.into() }
    }
}

pub type Result<T> = std::result::Result<T, Error>;
