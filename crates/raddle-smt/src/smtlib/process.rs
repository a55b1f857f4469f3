//! A solver's process: commands go in, answers come out, and no wait is without a limit.
//!
//! Three threads serve the pipes, so that neither a solver that does not read nor one that writes too much can block the caller: one writes
//! commands, one reads answers into a bounded channel, one keeps the end of what is said on standard error. The process leads a process
//! group, because a solver may be a script that starts another program: the group is killed as a whole, and the leader is reaped.

use super::sexpr::Scanner;
use crate::solver::Interrupt;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

/// How often a wait looks at the interrupt.
const PERIOD: Duration = Duration::from_millis(5);
/// How long to wait for the last words of a process that has closed its output.
const LAST_WORDS: Duration = Duration::from_millis(200);
const WORDS_KEPT: usize = 2000;

/// Why a wait ended without an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Deadline,
    Interrupted,
    /// The process is of no use any more; in its own words where there are any.
    Broken(String),
}

pub struct Process {
    child: Child,
    group: Pid,
    commands: Sender<Vec<u8>>,
    answers: Receiver<Vec<u8>>,
    /// What has arrived and was not yet handed out.
    arrived: Vec<u8>,
    scanner: Scanner,
    words: Arc<Mutex<Words>>,
    /// The longest answer to wait for.
    longest: usize,
}

/// What a process said on standard error.
#[derive(Default)]
struct Words {
    text: Vec<u8>,
    at_end: bool,
}

/// What solvers are started with.
static LAUNCHER: OnceLock<Vec<OsString>> = OnceLock::new();

/// From now on, solvers are started by this command: it ends them when this process ends, however that happens.
pub fn launch_with(command: Vec<OsString>) {
    // The first one counts.
    let _ = LAUNCHER.set(command);
}

/// The command that starts a program.
fn command(path: &Path) -> Command {
    match LAUNCHER.get().map(Vec::as_slice) {
        Some([launcher, arguments @ ..]) => {
            let mut command = Command::new(launcher);
            command.args(arguments).arg(path);
            command
        }
        _ => Command::new(path),
    }
}

/// No thread here panics while it holds a lock; and if one did, the data would still do.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Process {
    pub fn start(path: &Path, arguments: &[&str], longest: usize) -> Result<Process, String> {
        let mut command = command(path);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let child = command.spawn().map_err(|e| format!("{} cannot be started: {e}", path.display()))?;
        // A process id fits: the system's type for it is signed.
        let group = Pid::from_raw(child.id() as i32);
        let (commands, to_write) = channel::<Vec<u8>>();
        let (read, answers) = sync_channel(16);
        let words = Arc::default();
        let mut process = Process {
            child,
            group,
            commands,
            answers,
            arrived: Vec::new(),
            scanner: Scanner::default(),
            words: Arc::clone(&words),
            longest,
        };
        process.serve(to_write, read, words).map_err(|e| format!("no thread can be started: {e}"))?;
        Ok(process)
    }

    fn serve(
        &mut self,
        to_write: Receiver<Vec<u8>>,
        read: SyncSender<Vec<u8>>,
        words: Arc<Mutex<Words>>,
    ) -> std::io::Result<()> {
        let (input, output, errors) = (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take());
        let thread = |name: &str| Builder::new().name(format!("solver {name}")).stack_size(64 * 1024);
        thread("input").spawn(move || {
            let Some(mut input) = input else { return };
            for text in to_write {
                // The reader learns of a process that has ended.
                if input.write_all(&text).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        })?;
        thread("output").spawn(move || {
            let Some(output) = output else { return };
            for_each_piece(output, |piece| read.send(piece.to_vec()).is_ok());
        })?;
        thread("errors").spawn(move || {
            if let Some(errors) = errors {
                for_each_piece(errors, |piece| {
                    let mut words = lock(&words);
                    let room = WORDS_KEPT - words.text.len();
                    words.text.extend_from_slice(&piece[..piece.len().min(room)]);
                    true
                });
            }
            lock(&words).at_end = true;
        })?;
        Ok(())
    }

    /// Sends commands. A process that has ended is noticed by the next read.
    pub fn write(&self, text: String) {
        let _ = self.commands.send(text.into_bytes());
    }

    /// The next s-expression that the process says.
    pub fn read(&mut self, deadline: Instant, interrupt: &Interrupt) -> Result<String, Stop> {
        loop {
            match self.scanner.find_end(&self.arrived) {
                Err(_) => return Err(Stop::Broken(format!("it said {}", quoted(&self.arrived)))),
                Ok(Some(end)) => {
                    let rest = self.arrived.split_off(end);
                    let answer = std::mem::replace(&mut self.arrived, rest);
                    return Ok(String::from_utf8_lossy(&answer).trim().to_string());
                }
                Ok(None) if self.arrived.len() > self.longest => {
                    return Err(Stop::Broken(format!("its answer is longer than {} bytes", self.longest)));
                }
                Ok(None) => {}
            }
            if interrupt.is_stopped() {
                return Err(Stop::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Stop::Deadline);
            }
            match self.answers.recv_timeout(left.min(PERIOD)) {
                Ok(piece) => self.arrived.extend_from_slice(&piece),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Stop::Broken(self.ended())),
            }
        }
    }

    /// Everything that the process says before it closes its output, or what there is of it at the deadline.
    pub fn read_all(&mut self, deadline: Instant) -> String {
        while self.arrived.len() <= self.longest {
            match self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(piece) => self.arrived.extend_from_slice(&piece),
                Err(_) => break,
            }
        }
        String::from_utf8_lossy(&std::mem::take(&mut self.arrived)).into_owned()
    }

    /// What the process said on standard error so far.
    pub fn words(&self) -> String {
        String::from_utf8_lossy(&lock(&self.words).text).trim().to_string()
    }

    /// How a process ended that has closed its output.
    fn ended(&mut self) -> String {
        let until = Instant::now() + LAST_WORDS;
        while Instant::now() < until && !lock(&self.words).at_end {
            sleep(Duration::from_millis(1));
        }
        // What the leader has left behind is killed before the leader is reaped, while the group's number cannot belong to others. To
        // a leader that is about to end by itself this makes no difference.
        sleep(Duration::from_millis(2));
        let _ = killpg(self.group, Signal::SIGKILL);
        let how = match self.child.wait() {
            Ok(status) if status.signal() != Some(Signal::SIGKILL as i32) => format!("it ended ({status})"),
            _ => "it closed its output or was killed".to_string(),
        };
        let said = if self.arrived.is_empty() { String::new() } else { format!(", saying {}", quoted(&self.arrived)) };
        let words = self.words();
        let words = if words.is_empty() { String::new() } else { format!(": {words}") };
        format!("{how}{said}{words}")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The number of a process that was reaped may belong to another by now.
        let reaped = matches!(self.child.try_wait(), Ok(Some(_)));
        if !reaped {
            let _ = killpg(self.group, Signal::SIGKILL);
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Reads until the end, or until `f` wants no more.
fn for_each_piece(mut from: impl Read, mut f: impl FnMut(&[u8]) -> bool) {
    let mut piece = vec![0; 16 * 1024];
    loop {
        match from.read(&mut piece) {
            Ok(0) => return,
            Ok(count) if f(&piece[..count]) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            _ => return,
        }
    }
}

/// The beginning of what was said, for a message.
pub fn quoted(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(&said[..said.len().min(200)]);
    let more = if said.len() > 200 { "…" } else { "" };
    format!("`{}{more}`", text.trim())
}
