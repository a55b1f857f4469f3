//! What every engine is to the rest of the house.

use crate::conclusion::Conclusion;
use crate::facts::Facts;
use crate::observer::Observer;
use crate::outcome::{Code, Reason};
use crate::task::{Form, Task};
use raddle_budget::Budget;
use raddle_budget::memory::address_space_limit;

pub trait Engine: Sync {
    /// As on the command line.
    fn name(&self) -> &'static str;

    /// What it does, in a line of the command line's help.
    fn summary(&self) -> &'static str;

    /// Can it answer the task at all? The property, the memory model, the constructs of the Program.
    fn supports(&self, task: &Task) -> Result<(), Reason>;

    /// The form of the Program that it works on. The Task keeps it, so it may be made beforehand.
    fn form(&self) -> Form;

    /// Verifies a task that it supports.
    fn run(&self, task: &Task, facts: &Facts, budget: &Budget, observer: &dyn Observer) -> Conclusion;
}

/// The stack of `on_large_stack`: so much, or a part of the address space where that is limited.
const STACK: u64 = 1 << 28;
const STACK_SHARE: u64 = 16;
const LEAST_STACK: u64 = 8 << 20;

/// Runs on a thread with a large stack: expressions and calls of the program nest.
pub fn on_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> Result<T, Reason> {
    let size = address_space_limit().map_or(STACK, |limit| (limit / STACK_SHARE).clamp(LEAST_STACK, STACK));
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(size as usize).spawn_scoped(scope, run);
        match worker.map(|worker| worker.join()) {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Err(Reason::new(Code::OutOfMemory, error.to_string())),
        }
    })
}

/// Engines look for labels that say what is violated; a property without labels is beyond them.
pub fn supports_property(task: &Task) -> Result<(), Reason> {
    match task.property().is_checked() {
        true => Ok(()),
        false => {
            let words = format!("no engine checks the property `{}` yet", task.property().name());
            Err(Reason::new(Code::Unsupported, words))
        }
    }
}
