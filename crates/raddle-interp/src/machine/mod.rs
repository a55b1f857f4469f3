//! The machine: a Program compiled once (`code`), a running one (`state`), and what one step of a thread does (`step`). This is the reference semantics.

pub mod code;
pub mod decimal;
pub mod eval_code;
pub mod expr_code;
pub mod interval;
pub mod lives;
pub mod locks;
pub mod memory;
pub mod native;
pub mod oracle;
pub mod printf;
pub mod state;
pub mod step;
pub mod store_buffers;
pub mod undetermined;
