//! `raddle suite run --on slurm` on a real Slurm with one node. Skipped where Slurm is not installed.

mod fake;

use fake::{Finished, Folder, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};

/// A running cluster, which ends with the test.
struct Cluster(PathBuf);

impl Cluster {
    fn start(folder: PathBuf) -> Option<Cluster> {
        // Two ports that are free now. They are looked for below those that the system gives out.
        let free = |port: u16| std::net::TcpListener::bind(("127.0.0.1", port)).is_ok();
        static CLUSTERS: AtomicU16 = AtomicU16::new(0);
        let start = 12_000 + (std::process::id() % 8_000) as u16 * 2 + CLUSTERS.fetch_add(100, Ordering::Relaxed);
        let port = (start..start + 100).step_by(2).find(|port| free(*port) && free(port + 1))?;
        let mut command = script();
        let output = command.arg("start").arg(&folder).arg(port.to_string()).output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => Some(Cluster(folder)),
            Some(77) => {
                eprintln!("skipped: {messages}");
                None
            }
            _ => panic!("{messages}"),
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = script().arg("stop").arg(&self.0).status();
    }
}

fn script() -> Command {
    Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/slurm_node.sh"))
}

/// How many results the member has so far.
fn records(folder: &Folder, member: usize) -> usize {
    let path = folder.path(&format!("results.jsonl.slurm/shard-{member}.jsonl"));
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count().saturating_sub(1))
}

#[test]
fn a_killed_member_is_submitted_again() {
    let folder = Folder::new();
    let Some(cluster) = Cluster::start(folder.path("cluster")) else { return };
    let settings = cluster.0.join("slurm.conf");
    for i in 0..6 {
        folder.task(&format!("tasks/t{i}"), if i == 5 { "false" } else { "true" }, true);
    }
    // The second member hangs at its second task, but not when it runs again.
    folder.task("tasks/t3", "once", true);
    let mut command = folder.suite(&["run", "tasks", "--on", "slurm", "--shards", "2", "--memory", "100MB"]);
    command
        .args(["--configuration", "x=-D 'a b'", "--timeout", "9s", "--filter", "t[0-9]"])
        .env("SLURM_CONF", &settings);
    let suite = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the second member hangs", || folder.path("raddle.once").exists());
    wait_until("the first member is done", || records(&folder, 1) == 3);
    let mut scancel = Command::new("scancel");
    let killed = scancel.args(["--name=raddle-suite", "--signal=KILL", "--full"]).env("SLURM_CONF", &settings).status();
    assert!(killed.unwrap().success());
    let run = Finished::of(suite.wait_with_output().unwrap());
    // The last answer is wrong.
    assert_eq!(run.status, Some(1), "{}", run.messages);
    assert!(run.output.starts_with("!!! 1 WRONG ANSWER"), "{}", run.output);
    assert!(run.messages.contains("1 members did not finish and are submitted again: 2"), "{}", run.messages);
    let results = folder.results("results.jsonl");
    assert_eq!(results.header.shard, None);
    assert_eq!(results.records.len(), 6);
    assert!(results.records.iter().all(|r| r.is_solved()));
    // Only the task that hung was run twice, and perhaps the one after it: processes are killed one after another, and the member may begin with it in between.
    assert!((7..=8).contains(&folder.calls()), "{}", folder.calls());
}

#[test]
fn an_interrupted_run_cancels_its_job_and_can_be_resumed() {
    let folder = Folder::new();
    let Some(cluster) = Cluster::start(folder.path("cluster")) else { return };
    folder.task("tasks/a", "true", true);
    folder.task("tasks/b", "once", true);
    let mut command = folder.suite(&["run", "tasks", "--on", "slurm", "--shards", "1", "--memory", "100MB"]);
    command.env("SLURM_CONF", cluster.0.join("slurm.conf"));
    let suite = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the member hangs", || folder.path("raddle.once").exists());
    kill(Pid::from_raw(suite.id() as i32), Signal::SIGINT).unwrap();
    let run = Finished::of(suite.wait_with_output().unwrap());
    assert_eq!(run.status, Some(2), "{}", run.messages);
    assert!(run.messages.contains("is cancelled; to go on, repeat the command with --resume"), "{}", run.messages);
    let run = Finished::of(command.arg("--resume").output().unwrap());
    assert_eq!(run.status, Some(0), "{}", run.messages);
    assert_eq!(folder.results("results.jsonl").records.len(), 2);
    assert_eq!(folder.calls(), 3);
}
