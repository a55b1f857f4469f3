//! One run: Raddle as a child process in a process group of its own, and what came of it.
//!
//! Standard output, standard error and statistics go to anonymous files in memory. So a full disk cannot lose a verdict, nothing is left behind
//! when the suite is killed, and a descendant that keeps a pipe open cannot hold the suite up.

use super::watch::{Fate, Slot};
use super::{Configuration, Experiment};
use crate::error::{Error, Result};
use crate::record::{Answer, Record};
use crate::tasks::Task;
use nix::errno::Errno;
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;
use serde_json::{Map, Value};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;
use wait4::Wait4;

/// `None`: the run was interrupted, and says nothing about the task. The child is killed when the thread that starts it ends, and so with the suite, however that ends: the
/// calling thread stays here until the child is gone.
pub fn run(experiment: &Experiment, task: &Task, configuration: &Configuration, slot: &Slot) -> Result<Option<Record>> {
    let fail = |e: io::Error| Error::of_file("run", experiment.raddle, e);
    let files = || -> io::Result<[File; 3]> { Ok([anonymous()?, anonymous()?, anonymous()?]) };
    let [output, messages, statistics] = files().map_err(fail)?;
    let mut command = command(experiment, task, configuration, &statistics);
    command.stdin(Stdio::null());
    command.stdout(output.try_clone().map_err(fail)?).stderr(messages.try_clone().map_err(fail)?);
    // The monotonic clock: wall-clock time may jump.
    let since = Instant::now();
    let mut child = command.process_group(0).spawn().map_err(fail)?;
    let group = Pid::from_raw(child.id().cast_signed());
    slot.begin(group, since);
    // The child's end is awaited first and its remains are collected later: until then its number, which is that of the group, is not given to another process.
    while waitid(Id::Pid(group), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) == Err(Errno::EINTR) {}
    let wall = since.elapsed();
    let (fate, together) = slot.end();
    let _ = killpg(group, Signal::SIGKILL);
    let used = child.wait4().map_err(fail)?;
    let answer = match fate {
        Fate::Interrupted => return Ok(None),
        Fate::Killed(reason) => Answer::Error(reason),
        Fate::Ended => {
            let answer = answer(used.status, &tail(&output), &tail(&messages));
            if was_interrupted(&answer, used.status) {
                return Ok(None);
            }
            answer
        }
    };
    let (step, traits) = statistics_of(&statistics);
    Ok(Some(Record {
        task: task.name.clone(),
        position: task.position,
        property: task.property.clone(),
        category: task.category.clone(),
        expected: task.expected,
        configuration: configuration.name.clone(),
        answer,
        cpu: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        wall: wall.as_secs_f64(),
        // The system knows the largest process only, which has no less than the suite itself had when it started the run.
        memory: together.max(used.rusage.maxrss),
        step,
        traits,
    }))
}

fn anonymous() -> io::Result<File> {
    Ok(memfd_create("raddle-suite", MFdFlags::MFD_CLOEXEC)?.into())
}

fn command(experiment: &Experiment, task: &Task, configuration: &Configuration, statistics: &File) -> Command {
    let mut command = Command::new(experiment.raddle);
    command.arg("launch").arg(std::process::id().to_string()).arg(experiment.raddle);
    command.arg("verify").arg("--property").arg(&task.property_file);
    if let Some(data_model) = &task.data_model {
        command.args(["--data-model", data_model]);
    }
    command.args(["--timeout", &format!("{}s", experiment.header.timeout)]);
    command.args(["--memory", &format!("{}B", experiment.header.memory)]);
    // A measurement depends on its configuration alone, not on options beside the sources.
    command.env("RADDLE_NO_CONFIG", "1");
    command.arg("--quiet").arg("--stats");
    command.arg(format!("/proc/{}/fd/{}", std::process::id(), statistics.as_raw_fd()));
    command.args(configuration.all_options()).args(&task.files);
    command
}

/// What the last line of standard output says. A process that crashes afterwards is not believed.
fn answer(status: ExitStatus, output: &str, messages: &str) -> Answer {
    if let Some(signal) = status.signal() {
        let name = Signal::try_from(signal).map_or(signal.to_string(), |s| s.as_str().to_string());
        return Answer::Error(format!("ended by signal {name}"));
    }
    let refused = Answer::Unknown("input-error".into());
    if let Some(answer) = last_line(output).and_then(verdict).filter(|answer| *answer != refused) {
        return answer;
    }
    let code = status.code().map_or("?".into(), |c| c.to_string());
    match error_line(messages).or(last_line(messages)) {
        Some(message) => Answer::Error(format!("exit status {code}: {}", shortened(message))),
        None => Answer::Error(format!("exit status {code}, no verdict")),
    }
}

fn verdict(line: &str) -> Option<Answer> {
    let verdict = line.strip_prefix("VERDICT: ")?;
    let (word, detail) = match verdict.split_once('(') {
        Some((word, rest)) => (word, rest.strip_suffix(')')?),
        None => (verdict, ""),
    };
    match word {
        "true" => Some(Answer::True),
        "false" => Some(Answer::False),
        "unknown" => Some(Answer::Unknown(detail.to_string())),
        _ => None,
    }
}

/// Somebody else asked the child to end: a cluster that cancels a job sends the signal to all of its processes at once.
fn was_interrupted(answer: &Answer, status: ExitStatus) -> bool {
    let signals = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].map(|s| s as i32);
    status.signal().is_some_and(|s| signals.contains(&s)) || *answer == Answer::Unknown("interrupted".into())
}

/// The line that says what is wrong (`error: …`, `FILE:LINE:COLUMN: error: …`). The source line, a caret or help on how to write it better may follow.
fn error_line(messages: &str) -> Option<&str> {
    let says =
        |line: &&str| line.starts_with("error") || line.contains(": error: ") || line.contains(": fatal error: ");
    messages.lines().map(str::trim).find(says)
}

fn last_line(text: &str) -> Option<&str> {
    text.lines().rev().map(str::trim).find(|l| !l.is_empty())
}

fn shortened(text: &str) -> String {
    const LENGTH: usize = 200;
    let mut short: String = text.chars().take(LENGTH).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The end of what was written, which may be long.
fn tail(file: &File) -> String {
    const LENGTH: u64 = 1 << 16;
    let from = file.metadata().map_or(0, |m| m.len().saturating_sub(LENGTH));
    let mut bytes = vec![0; LENGTH as usize];
    let length = file.read_at(&mut bytes, from).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

/// The step of the portfolio that answered, and the program's traits. Either may be absent.
fn statistics_of(file: &File) -> (Option<String>, Map<String, Value>) {
    let mut bytes = vec![0; file.metadata().map_or(0, |m| m.len().min(1 << 26)) as usize];
    let read = file.read_exact_at(&mut bytes, 0);
    let all: Value = read.ok().and_then(|()| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let step = all.get("step").and_then(Value::as_str).map(str::to_string);
    (step, all.get("traits").and_then(Value::as_object).cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdict_lines() {
        assert_eq!(verdict("VERDICT: true"), Some(Answer::True));
        assert_eq!(verdict("VERDICT: false(valid-deref)"), Some(Answer::False));
        assert_eq!(verdict("VERDICT: unknown(out-of-memory)"), Some(Answer::Unknown("out-of-memory".into())));
        for bad in ["true", "VERDICT: maybe", "VERDICT: unknown(", "", "VERDICT:true"] {
            assert_eq!(verdict(bad), None, "{bad}");
        }
    }

    #[test]
    fn no_verdict_is_an_error_that_says_why() {
        let exit = |code: i32| ExitStatus::from_raw(code << 8);
        assert_eq!(answer(exit(0), "x\nVERDICT: true\n\n", ""), Answer::True);
        let error = Answer::Error("exit status 3: error: no such file".into());
        assert_eq!(answer(exit(3), "", "warning\nerror: no such file\n\nUsage: raddle\n"), error);
        let diagnostic = "a.c: warning: x\na.c:1:21: error: expected an expression\n 1 | int x = ;\n   |         ^\n";
        let error = Answer::Error("exit status 3: a.c:1:21: error: expected an expression".into());
        assert_eq!(answer(exit(3), "", diagnostic), error);
        assert_eq!(answer(exit(3), "VERDICT: unknown(input-error)\n", diagnostic), error);
        let preprocessor =
            "a.c:1:10: fatal error: none.h: No such file or directory\n    1 | #include\ncompilation terminated.\n";
        let error = Answer::Error("exit status 3: a.c:1:10: fatal error: none.h: No such file or directory".into());
        assert_eq!(answer(exit(3), "", preprocessor), error);
        assert_eq!(
            answer(exit(3), "", "none.c: no such file\n"),
            Answer::Error("exit status 3: none.c: no such file".into())
        );
        assert_eq!(answer(exit(4), "", ""), Answer::Error("exit status 4, no verdict".into()));
        let crash = answer(ExitStatus::from_raw(11), "VERDICT: true\n", "");
        assert_eq!(crash, Answer::Error("ended by signal SIGSEGV".into()));
    }
}
