//! Places in the C source.

use serde::{Deserialize, Serialize};

/// Names a source file of a Program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// Where something stands in the C source, as its line markers tell. Line 0 means "nowhere" (made by Raddle).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

impl Span {
    pub const NONE: Span = Span { file: FileId(0), line: 0, column: 0 };

    pub fn is_none(self) -> bool {
        self.line == 0
    }
}

impl Default for Span {
    fn default() -> Self {
        Span::NONE
    }
}
