//! What the views of results share.

pub mod escape;
pub mod results;
