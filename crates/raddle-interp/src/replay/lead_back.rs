//! From a schedule of a prepared Program to one of the lowered Program that it comes from.
//!
//! Both Programs are run, one after the other. The first run notes, for each step, where the stepping thread arrives (by the origins of locations) and what
//! everything undetermined was: by the label that it came from (`Site`), or by what held it at first (`Holder`). In the second run, each thread takes steps of
//! the lowered Program until it is where it arrived in the first run. Its way is determined: edges from one location exclude each other, and the
//! undetermined values are those of the first run. What the prepared Program never looked at is anything.
//!
//! Results of library functions of which only bounds are known are an exception: in the second run they are what the library gives.
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

/// Why there is no schedule of the lowered Program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misled {
    Refused(String),
    /// The counterexample rests on a result of this library function that nobody knows, or that is another.
    Result(String),
}

impl From<String> for Misled {
    fn from(why: String) -> Misled {
        Misled::Refused(why)
    }
}

/// The schedule of the lowered Program that corresponds to one of the prepared Program, but for results of library functions: these are the library's. Or why there is none.
pub fn lead_back(
    prepared: &Code,
    schedule: Schedule,
    lowered: &Code,
    stop: &dyn Fn() -> bool,
) -> Result<Schedule, Misled> {
    let mut chains = Chains::default();
    let (legs, mut values) = note(prepared, &schedule, &mut chains, stop)?;
    // There may be millions of steps, and as many come now.
    drop(schedule);
    values.moved = moved_objects(prepared.program, &mut chains);
    chains.of_threads.clear();
    let (followed, results) = follow(lowered, &legs, &values, &mut chains, stop);
    match (followed, results.unknown, results.other) {
        (_, Some(function), _) | (Err(_), None, Some(function)) => Err(Misled::Result(function)),
        (Ok(schedule), None, _) => Ok(schedule),
        (Err(why), None, None) => Err(why.into()),
    }
}
