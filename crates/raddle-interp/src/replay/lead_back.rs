//! From a schedule of a prepared Program to one of the lowered Program that it comes from.
//!
//! Both Programs are run, one after the other. The first run notes, for each step, where the stepping thread arrives (by the origins of locations) and what
//! everything undetermined was: by the label that it came from (`Site`), or by what held it at first (`Holder`). In the second run, each thread takes steps of
//! the lowered Program until it is where it arrived in the first run. Its way is determined: edges from one location exclude each other, and the
//! undetermined values are those of the first run. What the prepared Program never looked at is anything.
//!
//! Nothing is taken on trust: the result is replayed on the lowered Program like every schedule, and one that misses the error confirms nothing.

mod chains;
mod follow;
mod legs;
mod note;
mod storage;

use super::Schedule;
use crate::machine::code::Code;
use chains::Chains;
use follow::follow;
use note::note;
use storage::moved_objects;

/// The schedule of the lowered Program that corresponds to one of the prepared Program; or why there is none.
pub fn lead_back(
    prepared: &Code,
    schedule: Schedule,
    lowered: &Code,
    stop: &dyn Fn() -> bool,
) -> Result<Schedule, String> {
    let mut chains = Chains::default();
    let (legs, mut values) = note(prepared, &schedule, &mut chains, stop)?;
    // There may be millions of steps, and as many come now.
    drop(schedule);
    values.moved = moved_objects(prepared.program, &mut chains);
    chains.of_threads.clear();
    follow(lowered, legs, &values, &mut chains, stop)
}
