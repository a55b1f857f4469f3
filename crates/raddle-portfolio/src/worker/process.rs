//! A worker as whoever started it sees it: a process that can be paused, continued, measured and ended.

use super::message::{Job, Message};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use std::cell::RefCell;
use std::fs::{read_dir, read_to_string};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::Builder;
use std::time::{Duration, Instant};

pub struct Worker {
    child: Child,
    pid: Pid,
    /// After that, its process id may be another's.
    is_reaped: bool,
    /// The processes below it, as of then.
    below: RefCell<(Instant, Vec<Pid>)>,
}

/// Most workers start no processes: those are looked for only so often.
const LOOKING: Duration = Duration::from_millis(100);

/// The stack of a thread that only moves bytes.
const SMALL_STACK: usize = 1 << 18;

/// So long a process may take to end that has closed its output.
const LAST_MOMENTS: Duration = Duration::from_millis(500);

/// What is heard of a worker.
pub enum Heard {
    Message(Message),
    /// It says nothing more.
    End,
}

/// What a worker uses: it and the processes that it started.
#[derive(Clone, Copy, Default, Debug)]
pub struct Usage {
    pub cpu: Duration,
    /// Resident bytes.
    pub memory: u64,
}

impl Worker {
    /// Starts a worker. What it says goes to `listener` under `id`.
    pub fn start(
        program: &Path,
        job: &Job,
        program_text: &Arc<str>,
        id: u64,
        listener: Sender<(u64, Heard)>,
    ) -> Result<Worker, String> {
        let mut first_line = serde_json::to_vec(job).map_err(|error| error.to_string())?;
        first_line.push(b'\n');
        let mut command = Command::new(program);
        command.arg0("raddle").arg("worker").arg(std::process::id().to_string());
        // In the group of whoever starts it, so that the terminal stops and continues all of them. It does not end by a signal from there.
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("{} cannot be started: {e}", program.display()))?;
        // A process id fits: the system's type for it is signed.
        let pid = Pid::from_raw(child.id() as i32);
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let below = RefCell::new((Instant::now(), Vec::new()));
        let worker = Worker { child, pid, is_reaped: false, below };
        let text = Arc::clone(program_text);
        let thread = |name: &str| Builder::new().name(name.into()).stack_size(SMALL_STACK);
        let told = thread("teller").spawn(move || tell(input, &first_line, &text));
        let listens = thread("listener").spawn(move || listen(output, id, &listener));
        told.and(listens).map_err(|error| format!("no thread can be started: {error}"))?;
        Ok(worker)
    }

    pub fn pause(&self) {
        self.signal(Signal::SIGSTOP);
    }

    pub fn go_on(&self) {
        self.signal(Signal::SIGCONT);
    }

    /// Whether somebody has stopped it.
    pub fn is_stopped(&self) -> bool {
        let stat = read_to_string(format!("/proc/{}/stat", self.pid)).unwrap_or_default();
        // The name of the program is in parentheses, and the state comes after it.
        stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('T'))
    }

    /// To the worker, and to the solvers that it started.
    fn signal(&self, signal: Signal) {
        let below = descendants(self.pid);
        for pid in std::iter::once(self.pid).chain(below) {
            // One that has ended needs no signal.
            let _ = kill(pid, signal);
        }
    }

    pub fn usage(&self) -> Usage {
        let mut below = self.below.borrow_mut();
        if below.0.elapsed() >= LOOKING {
            *below = (Instant::now(), descendants(self.pid));
        }
        std::iter::once(self.pid).chain(below.1.iter().copied()).fold(Usage::default(), |sum, pid| Usage {
            cpu: sum.cpu + cpu_time(pid).unwrap_or_default(),
            memory: sum.memory + memory(pid),
        })
    }

    /// Waits for a worker that said its last words; not for long.
    pub fn wait(mut self) -> std::io::Result<ExitStatus> {
        let since = Instant::now();
        while since.elapsed() < LAST_MOMENTS && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(1));
        }
        if let Ok(None) = self.child.try_wait() {
            self.signal(Signal::SIGKILL);
        }
        let status = self.child.wait();
        self.is_reaped = true;
        status
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if !self.is_reaped {
            self.signal(Signal::SIGKILL);
            let _ = self.child.wait();
        }
    }
}

/// Gives a worker its job: a line, and the Program. One that ends before it has read all is heard of by its listener.
fn tell(input: Option<ChildStdin>, first_line: &[u8], program_text: &str) {
    if let Some(mut input) = input {
        let _ = input.write_all(first_line).and_then(|()| input.write_all(program_text.as_bytes()));
    }
}

/// Passes on what a worker says. A line that is no message is none: what matters is whether the last one was `Done`.
fn listen(output: Option<ChildStdout>, id: u64, listener: &Sender<(u64, Heard)>) {
    let lines = output.map(|output| BufReader::with_capacity(1 << 16, output).lines());
    for line in lines.into_iter().flatten().map_while(Result::ok) {
        if let Ok(message) = serde_json::from_str(&line)
            && listener.send((id, Heard::Message(message))).is_err()
        {
            return;
        }
    }
    let _ = listener.send((id, Heard::End));
}

/// The CPU time of a process that has not been waited for.
fn cpu_time(pid: Pid) -> Result<Duration, Errno> {
    Ok(clock_gettime(clock_getcpuclockid(pid)?)?.into())
}

fn memory(pid: Pid) -> u64 {
    let pages = read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let resident = pages.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    resident.unwrap_or(0) * 4096
}

/// The processes below one: solvers, and what they started.
fn descendants(pid: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    let mut open = vec![pid];
    while let Some(pid) = open.pop() {
        let threads = read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let children = read_to_string(thread.path().join("children")).unwrap_or_default();
            let children = children.split_whitespace().filter_map(|pid| pid.parse().ok()).map(Pid::from_raw);
            open.extend(children.clone());
            found.extend(children);
        }
    }
    found
}
