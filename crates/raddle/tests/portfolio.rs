//! Strategies and workers, from the command line: who runs when, what is left behind, and what happens to those that are killed.

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use raddle_testing::COUNT;
use serde_json::Value;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const RADDLE: &str = env!("CARGO_BIN_EXE_raddle");

/// A folder for one test, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("portfolio-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    }

    /// Runs to the end; what was said, and the statistics.
    fn verified(&self, args: &[&str], text: &str) -> (Output, Value) {
        let (source, stats) = (self.file("p.c", text), self.file("stats.json", ""));
        let output = Command::new(RADDLE).args(args).args(["--stats", &stats, &source]).output().unwrap();
        let stats = fs::read_to_string(stats).unwrap();
        (output, serde_json::from_str(&stats).unwrap_or_default())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn verdict(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or("").into()
}

/// Step and outcome of each visit.
fn turns(stats: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let turns = stats["turns"].as_array().cloned().unwrap_or_default();
    turns.iter().map(|turn| (text(&turn["step"]), text(&turn["outcome"]))).collect()
}

const FINE: &str = "int main(void) { return 0; }";

/// Nobody finds the error. Each engine goes on where it was.
#[test]
fn steps_take_turns_until_the_time_is_over() {
    let folder = Folder::new("turns");
    let (output, stats) = folder.verified(&["--timeout", "4s", "--jobs", "1"], COUNT);
    assert_eq!(verdict(&output), "VERDICT: unknown(timeout)");
    let turns = turns(&stats);
    for step in ["explore", "oc", "values", "predicates"] {
        let waits = turns.iter().filter(|turn| **turn == (step.into(), "waits".into())).count();
        assert!(waits >= 2, "{turns:?}");
    }
    let cpu = stats["cpu_seconds"].as_f64().unwrap();
    assert!((3.5..5.5).contains(&cpu), "{cpu}");
}

/// Who cannot answer has no further turn.
#[test]
fn a_step_that_is_stuck_is_out() {
    let text = "void reach_error(void); int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); if (x * x * x == 1879080904) reach_error(); return 0; }";
    let (output, stats) = Folder::new("stuck").verified(&["--jobs", "1"], text);
    assert_eq!(verdict(&output), "VERDICT: false(unreach-call)");
    let turns = turns(&stats);
    assert!(turns.contains(&("explore".into(), "nondet-domain".into())), "{turns:?}");
    assert_eq!(turns.iter().filter(|turn| turn.0 == "explore").count(), 1, "{turns:?}");
    assert!(stats["step"].is_string() && stats["step"] != "explore", "{stats}");
}

/// One step with very many ways to go does not hold up the others.
#[test]
fn nobody_is_held_up_by_one_engine() {
    let text = "void reach_error(void); unsigned char __VERIFIER_nondet_uchar(void);
        int main(void) { unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(),
        c = __VERIFIER_nondet_uchar(), d = __VERIFIER_nondet_uchar(); if (a + b + c + d == 2000) reach_error(); return 0; }";
    let (output, _) = Folder::new("held-up").verified(&["--timeout", "60s"], text);
    assert_eq!(verdict(&output), "VERDICT: true");
}

#[test]
fn strategies_are_chosen_by_name_and_by_file() {
    let folder = Folder::new("chosen");
    for name in ["default", "sequential", "theta2021"] {
        let (output, stats) = folder.verified(&["--portfolio", name], FINE);
        assert_eq!(verdict(&output), "VERDICT: true", "{name}");
        assert!(stats["step"].is_string(), "{stats}");
    }
    let mine = "summary = \"mine\"\n[[step]]\nname = \"only\"\nengine = \"oc\"\nconfig = { unroll-end = 3 }\n";
    let file = folder.file("mine.toml", mine);
    let (output, stats) = folder.verified(&["--portfolio", &file], FINE);
    assert_eq!((verdict(&output).as_str(), &stats["step"]), ("VERDICT: true", &"only".into()));
    let wrong = folder.file("wrong.toml", &mine.replace("\"oc\"", "\"magic\""));
    let (output, _) = folder.verified(&["--portfolio", &wrong], FINE);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(3) && said.contains("wrong.toml:4: error: there is no engine `magic`"),
        "{said}"
    );
    let (output, _) = folder.verified(&["--portfolio", "defualt"], FINE);
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no strategy `defualt`"));
    let (output, _) = folder.verified(&["--portfolio", "default", "--engine", "oc"], FINE);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn strategies_are_shown() {
    let shown = |args: &[&str]| {
        let output = Command::new(RADDLE).arg("show").args(args).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (status, text) = shown(&["--as", "portfolio", "sequential"]);
    assert!(status == Some(0) && text.contains("name = \"newton-expl\""), "{text}");
    let (status, text) = shown(&["--as", "portfolio-dot", "theta2021"]);
    assert!(status == Some(0) && text.starts_with("digraph") && text.contains("float-expl"), "{text}");
    assert_eq!(shown(&["--as", "portfolio", "nothing"]).0, Some(3));
}

/// A run that makes no progress is given up, and the strategy says what comes then.
#[test]
fn a_run_without_progress_is_given_up() {
    let text = "summary = \"gives up\"
        [[step]]\nname = \"first\"\nengine = \"explore\"\ngive-up-when = \"seconds > 0.2 and states >= 0\"
        next = \"end\"\non = { given-up = \"second\" }
        [[step]]\nname = \"second\"\nengine = \"oc\"\ngive-up-when = \"bound > 4 and idle-bounds > 1\"\n";
    let folder = Folder::new("given-up");
    let file = folder.file("s.toml", text);
    let (output, stats) = folder.verified(&["--portfolio", &file, "--jobs", "1", "--timeout", "60s"], COUNT);
    assert_eq!(verdict(&output), "VERDICT: unknown(given-up)");
    let given_up = |step: &str| (step.to_owned(), "given-up".to_owned());
    assert_eq!(turns(&stats), [given_up("first"), given_up("second")]);
    // How many there were when somebody looked is a matter of time.
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("idle-bounds = ") && !said.contains("idle-bounds = 1."), "{output:?}");
}

/// The story of the decisions.
#[test]
fn the_log_tells_which_traits_led_where() {
    let (output, _) = Folder::new("log").verified(&["--jobs", "1", "--log", "info", "--portfolio", "theta2021"], FINE);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("step float-expl is passed over: floats does not hold (floats = 0)"), "{said}");
    assert!(said.contains("step int-expl begins") && said.contains("step int-expl ends: true"), "{said}");
}

/// The processes that one has started.
fn children_of(pid: u32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let children = threads.flat_map(|thread| {
        let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        children.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<i32>>()
    });
    children.collect()
}

/// The workers among them, with their command lines.
fn workers_of(pid: u32) -> Vec<(i32, String)> {
    let children = children_of(pid).into_iter();
    let command = |pid: i32| fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    children.map(|pid| (pid, command(pid))).filter(|(_, line)| line.contains("\0worker\0")).collect()
}

/// Waits until a process has so many workers.
fn wait_for_workers(child: &Child, count: usize) -> Vec<i32> {
    let since = Instant::now();
    loop {
        let workers = workers_of(child.id());
        if workers.len() >= count {
            return workers.into_iter().map(|(pid, _)| pid).collect();
        }
        assert!(since.elapsed() < Duration::from_secs(60), "there are no workers");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn is_gone(pid: i32) -> bool {
    // A process that has ended and that nobody has asked for yet is gone as well.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_none_or(|rest| rest.is_empty() || rest.starts_with(['Z', 'X']))
}

fn all_are_gone(pids: &[i32]) {
    let since = Instant::now();
    while !pids.iter().all(|pid| is_gone(*pid)) {
        assert!(since.elapsed() < Duration::from_secs(20), "left behind: {pids:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    let source = folder.file("p.c", COUNT);
    let mut command = Command::new(RADDLE);
    command.args(args).arg(source).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Interrupted while some run and some wait: one verdict, and nothing is left behind.
#[test]
fn an_interrupted_run_leaves_no_process_behind() {
    let folder = Folder::new("interrupted");
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let child = start(&folder, &["--jobs", "2"]);
        let workers = wait_for_workers(&child, 3);
        kill(Pid::from_raw(child.id() as i32), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((verdict(&output).as_str(), output.status.code()), ("VERDICT: unknown(interrupted)", Some(2)));
        all_are_gone(&workers);
    }
}

/// Nobody can say a last word then; but the workers go, those that wait included.
#[test]
fn a_killed_run_leaves_no_process_behind() {
    let folder = Folder::new("killed");
    let mut child = start(&folder, &["--jobs", "2"]);
    let workers = wait_for_workers(&child, 3);
    child.kill().unwrap();
    child.wait().unwrap();
    all_are_gone(&workers);
}

/// A worker that is killed is one step fewer; the others go on.
#[test]
fn a_killed_worker_ends_its_step_only() {
    let folder = Folder::new("killed-worker");
    let child = start(&folder, &["--jobs", "1", "--timeout", "4s", "--log", "info"]);
    let workers = wait_for_workers(&child, 1);
    kill(Pid::from_raw(workers[0]), Signal::SIGKILL).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(verdict(&output), "VERDICT: unknown(timeout)", "{said}");
    assert!(said.contains("step explore ends: internal-error") && said.contains("SIGKILL"), "{said}");
    assert!(said.contains("step oc goes on"), "{said}");
    // Alone, it is all there was.
    let child = start(&folder, &["--engine", "explore"]);
    let workers = wait_for_workers(&child, 1);
    kill(Pid::from_raw(workers[0]), Signal::SIGABRT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((verdict(&output).as_str(), output.status.code()), ("VERDICT: unknown(internal-error)", Some(4)));
}

/// The state of a process: `R`, `S`, `T`, …
fn state(pid: i32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(") ").next()?.chars().next()
}

/// Ctrl-Z and `fg`: all processes stop, and go on; those that wait for their turn wait again.
#[test]
fn the_terminal_stops_and_continues_all() {
    let folder = Folder::new("terminal");
    let (source, stats) = (folder.file("p.c", COUNT), folder.file("stats.json", ""));
    let mut command = Command::new(RADDLE);
    command.args(["--jobs", "2", "--timeout", "4s", "--stats", &stats, &source]);
    let child = command.stdout(Stdio::piped()).process_group(0).spawn().unwrap();
    let group = Pid::from_raw(child.id() as i32);
    let all = [&[group.as_raw()][..], &wait_for_workers(&child, 3)].concat();
    killpg(group, Signal::SIGSTOP).unwrap();
    let since = Instant::now();
    while !all.iter().all(|pid| state(*pid) == Some('T')) {
        assert!(since.elapsed() < Duration::from_secs(20), "{:?}", all.iter().map(|pid| state(*pid)));
        std::thread::sleep(Duration::from_millis(5));
    }
    killpg(group, Signal::SIGCONT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(verdict(&output), "VERDICT: unknown(timeout)");
    let stats: Value = serde_json::from_str(&fs::read_to_string(stats).unwrap()).unwrap();
    assert!(stats["cpu_seconds"].as_f64().unwrap() < 5.0, "{stats}");
    // A signal for the whole group is for the first process of it to answer.
    let child = command.stdout(Stdio::piped()).spawn().unwrap();
    let workers = wait_for_workers(&child, 3);
    killpg(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    assert_eq!(verdict(&child.wait_with_output().unwrap()), "VERDICT: unknown(interrupted)");
    all_are_gone(&workers);
}

/// A worker that somebody stops does not hold the run up.
#[test]
fn a_worker_that_is_stopped_goes_on() {
    let folder = Folder::new("stopped-worker");
    let child = start(&folder, &["--engine", "explore", "--timeout", "2s"]);
    let workers = wait_for_workers(&child, 1);
    kill(Pid::from_raw(workers[0]), Signal::SIGSTOP).unwrap();
    assert_eq!(verdict(&child.wait_with_output().unwrap()), "VERDICT: unknown(timeout)");
}

/// Where memory is scarce, runs that wait are ended and begin anew. What is heard of the old one is not taken for the new one.
#[test]
fn runs_that_begin_anew_keep_to_the_limits() {
    let text = "summary = \"again\"
        [[step]]\nname = \"a\"\nengine = \"explore\"\ntime = \"100ms\"\nnext = \"b\"
        [[step]]\nname = \"b\"\nengine = \"oc\"\ntime = \"100ms\"\nnext = \"c\"
        [[step]]\nname = \"c\"\nengine = \"cegar\"\ntime = \"100ms\"\nnext = \"a\"\n";
    let folder = Folder::new("anew");
    let file = folder.file("s.toml", text);
    let args = ["--portfolio", &file, "--jobs", "2", "--timeout", "3s", "--memory", "120MB", "--log", "info"];
    let (output, stats) = folder.verified(&args, COUNT);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("internal-error"), "{said}");
    let cpu = stats["cpu_seconds"].as_f64().unwrap();
    assert!(cpu < 4.0, "{cpu}");
}

/// A log that nobody can read changes no verdict.
#[test]
fn a_log_that_cannot_be_written_changes_no_verdict() {
    let source = Folder::new("full");
    let file = source.file("p.c", FINE);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(RADDLE).args(["--log", "debug", &file]).stderr(full).output().unwrap();
    assert_eq!((verdict(&output).as_str(), output.status.code()), ("VERDICT: true", Some(0)));
}

/// The resident memory of a process and of all below it.
fn memory_of(pid: u32) -> u64 {
    let own = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let own = own.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096;
    own + workers_of(pid).iter().map(|(pid, _)| memory_of(*pid as u32)).sum::<u64>()
}

/// The limits are on the sum over all processes.
#[test]
fn memory_and_time_are_limits_of_the_sum() {
    let folder = Folder::new("sum");
    for (jobs, memory, timeout) in [("1", 150, "3s"), ("2", 400, "4s"), ("4", 400, "4s")] {
        let limit = format!("{memory}MB");
        let stats = folder.file("stats.json", "");
        let mut child = start(&folder, &["--jobs", jobs, "--memory", &limit, "--timeout", timeout, "--stats", &stats]);
        let mut most = 0;
        while child.try_wait().unwrap().is_none() {
            most = most.max(memory_of(child.id()));
            std::thread::sleep(Duration::from_millis(2));
        }
        let output = child.wait_with_output().unwrap();
        assert!(verdict(&output).starts_with("VERDICT: unknown("), "{output:?}");
        assert!(most < memory * 1_000_000 / 100 * 115, "{most} of {limit}, {jobs} jobs");
        let stats: Value = serde_json::from_str(&fs::read_to_string(stats).unwrap()).unwrap();
        let cpu = stats["cpu_seconds"].as_f64().unwrap();
        let limit: f64 = timeout.trim_end_matches('s').parse().unwrap();
        assert!(cpu < limit + 1.0, "{cpu} s of {timeout}, {jobs} jobs");
    }
}

/// A solver that never answers, and one that is killed: the run goes on without it, and none is left behind.
#[test]
fn a_solver_that_hangs_or_dies_holds_nothing_up() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("solver");
    let text = "void reach_error(void); int __VERIFIER_nondet_int(void);
        int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; } if (x != y) reach_error(); return 0; }";
    for (name, script) in [("hangs", "#!/bin/sh\nexec sleep 1000.25\n"), ("dies", "#!/bin/sh\nkill -9 $$\n")] {
        let solver = folder.file(name, script);
        fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).unwrap();
        let solver = format!("z3={solver}");
        let args = ["--engine", "cegar", "--domain", "pred-cart", "--arithmetic", "integer", "--solver", &solver];
        let source = folder.file("p.c", text);
        let child = Command::new(RADDLE).args(args).arg(source).stdout(Stdio::piped()).spawn().unwrap();
        if name == "hangs" {
            // Whoever is killed while it waits for the solver leaves no solver behind.
            let workers = wait_for_workers(&child, 1);
            let since = Instant::now();
            let solver = loop {
                if let Some(solver) = children_of(workers[0] as u32).first() {
                    break *solver;
                }
                assert!(since.elapsed() < Duration::from_secs(60), "the solver was not asked");
                std::thread::sleep(Duration::from_millis(5));
            };
            kill(Pid::from_raw(child.id() as i32), Signal::SIGKILL).unwrap();
            child.wait_with_output().unwrap();
            all_are_gone(&[workers[0], solver]);
        } else {
            let output = child.wait_with_output().unwrap();
            assert!(verdict(&output).starts_with("VERDICT: "), "{output:?}");
        }
    }
}

/// Many runs in a row leave no file and no process behind.
#[test]
fn nothing_is_left_of_many_runs() {
    let folder = Folder::new("many");
    let source = folder.file("p.c", FINE);
    let temporary = folder.0.join("tmp");
    fs::create_dir_all(&temporary).unwrap();
    for _ in 0..30 {
        let output = Command::new(RADDLE).env("TMPDIR", &temporary).arg(&source).output().unwrap();
        assert_eq!(verdict(&output), "VERDICT: true");
    }
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}
