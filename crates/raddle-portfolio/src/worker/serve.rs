//! The side of the worker.

use super::message::{Done, Job, Message};
use crate::registry::Registry;
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use raddle_engine::{Budget, Code, Conclusion, Event, Observer, Reason, Task, on_large_stack};
use raddle_ir::parse_text;
use std::io::{Read, Write};
use std::os::unix::process::parent_id;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Does a job that comes in on standard input; tells on standard output. `parent` is the process that started this one.
pub fn serve(parent: u32) -> Result<(), String> {
    // If whoever wants to know is gone, so is this process, even while it is paused.
    set_pdeathsig(Signal::SIGKILL).map_err(|error| error.to_string())?;
    if parent_id() != parent {
        return Err("whoever started this worker is gone".into());
    }
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).map_err(|error| error.to_string())?;
    let (job, program) = input.split_once('\n').ok_or("there is no job on standard input")?;
    let job: Job = serde_json::from_str(job).map_err(|error| error.to_string())?;
    let program = parse_text(program).map_err(|error| error.to_string())?;
    drop(input);
    let task = Task::of(program, job.property, job.memory_model);
    let conclusion = run(&job, &task);
    say(&Message::Done(Box::new(Done::new(conclusion, task.program()))))
}

fn run(job: &Job, task: &Task) -> Conclusion {
    let registry = Registry::new(&job.settings);
    let Some(engine) = registry.get(&job.engine) else {
        return Conclusion::unknown(Reason::new(Code::Unsupported, format!("there is no engine `{}`", job.engine)));
    };
    if let Err(reason) = engine.supports(task) {
        return Conclusion::unknown(reason);
    }
    // What goes wrong with it, the engine tells.
    let _ = on_large_stack(|| task.prepared(engine.form()));
    // Nobody listens any more: then this process ends soon.
    let _ = say(&Message::Prepared);
    let near = |near| {
        let _ = say(&Message::Near(near));
    };
    let budget = Budget::new(job.timeout, job.memory).telling(near);
    engine.run(task, &job.facts, &budget, &Teller::default())
}

/// Events come often; so many suffice.
const PERIOD: Duration = Duration::from_millis(20);

/// Tells events; of those that say how far the run is, not all.
#[derive(Default)]
struct Teller {
    last: Mutex<Option<Instant>>,
}

impl Observer for Teller {
    fn event(&self, event: Event) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_frequent = matches!(event, Event::Built { .. } | Event::Explored { .. } | Event::Refined { .. });
        if !is_frequent || last.is_none_or(|last| last.elapsed() >= PERIOD) {
            *last = Some(Instant::now());
            let _ = say(&Message::Event(event));
        }
    }
}

fn say(message: &Message) -> Result<(), String> {
    let mut line = serde_json::to_vec(message).map_err(|error| error.to_string())?;
    line.push(b'\n');
    let mut out = std::io::stdout().lock();
    out.write_all(&line).and_then(|()| out.flush()).map_err(|error| error.to_string())
}
