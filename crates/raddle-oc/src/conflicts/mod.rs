//! Conflicts of read-from choices that are found before solving: Algorithm 3 (`simple_conflicts`), or all potential cycles up to a bound (`generic_conflicts`).

pub mod generic_conflicts;
pub mod simple_conflicts;
