//! With symmetry, the first thread waits for threads in any order.
//!
//! A first thread that joins all others one after another tells them apart: it goes on if the one whose turn it is has ended, and waits if another one has.
//! But who joins has no effect on others, and once a thread has ended its join remains possible. So these Programs reach the same violations: the one at hand, and the one in which a
//! join only *notes* the thread, and the next step of the first thread that is not its own affair awaits all threads that are noted. What is its own affair is what partial-order
//! reduction takes it for (`Search::go_on`): nothing that it does others can see, or do they change; it has one way to go on; and it reaches no violation, end or bound.
//! If one of the awaited threads never ends, then the first thread never comes to a violation after the joins in either Program.
//!
//! The search visits states of the second Program, and walks through states of the first to have executions:
//! - Where the first thread waits at a join, the class of the state is that of the state in which it has gone on as far as
//!   it can by pretending (`pretend`). The threads that are noted and have not ended become marks; their numbers, gone from the first thread's variables, tell nobody apart.
//! - When the thread that the first one waits for ends, the first thread takes its join in the same step (`take_joins`), so that what leads from class to class is a step of the second
//!   Program, and a class is never left only by a step to itself.
//!
//! A persistent set of the state at hand is one of the second Program's state: the future of the first thread has only become smaller by pretending, and a set with the
//! first thread in it has the thread that it waits for as well.

use crate::explore::{LONGEST_STEP, Search};
use crate::footprint::depends;
use crate::persistent::{next_step, others_future};
use crate::symmetry::Symmetry;
use raddle_interp::machine::state::{Machine, Status};
use raddle_interp::machine::step::Flow;

impl Search<'_> {
    /// The thread that the first one joins next, if it is at a join.
    fn joined(&self, symmetry: &Symmetry) -> Option<u32> {
        let machine: &Machine = &self.machine;
        if machine.threads[0].status != Status::Running || machine.atomic.is_some() {
            return None;
        }
        let top = machine.top(0);
        let slot = symmetry.joins[self.location(0)]?;
        let at = top.base + slot.index;
        let slots = &machine.threads[0].slots;
        let handle = slots.get(at, slot.sort);
        (!slots.any[at as usize] && handle > 0 && handle < machine.threads.len() as u128).then_some(handle as u32)
    }

    /// Where a thread is, among the locations of all procedures.
    fn location(&self, thread: u32) -> usize {
        let top = self.machine.top(thread);
        (self.code.procs[top.proc as usize].first_loc + top.loc) as usize
    }

    /// May the first thread take a join now?
    pub fn may_join(&self) -> bool {
        let Some(symmetry) = self.symmetry.filter(|_| self.is_reduced) else { return false };
        self.joined(symmetry).is_some_and(|thread| self.machine.threads[thread as usize].status == Status::Ended)
    }

    /// Lets the first thread, which waits at a join, go on as if the threads that it joins had ended. Returns these threads. The journal has what to take back.
    pub fn pretend(&mut self) -> Vec<u32> {
        let mut awaited: Vec<u32> = Vec::new();
        let Some(symmetry) = self.symmetry.filter(|_| self.is_reduced) else { return awaited };
        let Some(waits_for) = self.joined(symmetry) else { return awaited };
        if self.machine.threads[waits_for as usize].status == Status::Ended {
            return awaited;
        }
        let mut others = std::mem::take(&mut self.others);
        others_future(self.code, &self.machine, self.prints, 0, &mut others);
        let mut was: Vec<Status> = Vec::new();
        let (fine, given) = (self.fine.len(), self.oracle.given.len());
        self.oracle.frozen = true;
        for _ in 0..LONGEST_STEP {
            if !symmetry.quiet[self.location(0)] {
                break;
            }
            self.row.fill(0);
            next_step(self.code, &mut self.machine, self.prints, self.guess, 0, &mut self.row);
            if depends(self.prints.words, &self.row, &others) {
                break;
            }
            let mut pretended = false;
            if symmetry.joins[self.location(0)].is_some() {
                let Some(thread) = self.joined(symmetry) else { break };
                let status = &mut self.machine.threads[thread as usize].status;
                if *status != Status::Ended {
                    was.push(std::mem::replace(status, Status::Ended));
                    awaited.push(thread);
                    pretended = true;
                }
            }
            let mark = self.machine.journal.entries.len();
            self.oracle.wanted = false;
            let flow = self.only_step(0);
            if flow == Some(Flow::Done) && !self.oracle.wanted {
                continue;
            }
            self.machine.undo_to(mark);
            if pretended && let (Some(thread), Some(status)) = (awaited.pop(), was.pop()) {
                self.machine.threads[thread as usize].status = status;
            }
            break;
        }
        self.oracle.frozen = false;
        self.fine.truncate(fine);
        self.oracle.given.truncate(given);
        for (thread, status) in awaited.iter().zip(was) {
            self.machine.threads[*thread as usize].status = status;
        }
        self.others = others;
        awaited
    }
}
