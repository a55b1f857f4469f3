//! A Program as JSON, for other tools. The structure is that of the Rust types; constants are integers of up to 128 bits.

use crate::program::Program;
use crate::validate::validate;

pub fn to_json(program: &Program) -> String {
    // The only things that fail to be written are maps with odd keys, and there are none.
    serde_json::to_string(program).unwrap_or_default()
}

/// Reads what [`to_json`] wrote. The Program is validated, since nothing else guards against ids that lead nowhere.
pub fn from_json(text: &str) -> Result<Program, String> {
    let program: Program = serde_json::from_str(text).map_err(|error| error.to_string())?;
    validate(&program)?;
    Ok(program)
}
