//! Limits on time and memory, and signals: whatever happens, the last line is a verdict.
//!
//! Limits on time are on CPU time. Other programs may slow this one down at will, so the margins on wall-clock time are wide.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use raddle_testing::COUNT;
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A C file for one test, gone at the end.
struct Source(PathBuf);

impl Source {
    fn new(test: &str, text: &str) -> Source {
        let name = format!("limits-{test}-{}.c", std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, text).unwrap();
        Source(path)
    }

    /// The command `raddle ARGS FILE`, under the limits of `ulimit` if there are any.
    fn start(&self, ulimit: &str, args: &[&str]) -> Child {
        let script = format!("{ulimit} exec \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_raddle")]).args(args).arg(&self.0);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn run(&self, args: &[&str]) -> Run {
        wait(self.start("", args))
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[derive(Debug)]
struct Run {
    /// The last line of standard output.
    verdict: String,
    status: Option<i32>,
    /// Resident bytes at the highest, as far as looking now and then can tell.
    memory: u64,
    time: Duration,
}

/// The output is short: it does not fill the pipe.
fn wait(mut child: Child) -> Run {
    let since = Instant::now();
    let mut memory = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        memory = peak_memory(child.id()).unwrap_or(memory);
        std::thread::sleep(Duration::from_millis(2));
    };
    let time = since.elapsed();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    Run { verdict: out.lines().last().unwrap_or("").into(), status: status.code(), memory, time }
}

fn peak_memory(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find(|l| l.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

#[track_caller]
fn is_unknown(run: &Run, code: &str) {
    assert_eq!((run.verdict.as_str(), run.status), (format!("VERDICT: unknown({code})").as_str(), Some(2)), "{run:?}");
}

#[test]
fn time() {
    let source = Source::new("time", COUNT);
    for command in ["verify", "simulate"] {
        let run = source.run(&[command, "--timeout", "1s"]);
        is_unknown(&run, "timeout");
        assert!(run.time > Duration::from_millis(500) && run.time < Duration::from_secs(60), "{run:?}");
    }
}

/// A step of the simulation that does not end, in a phase that does not look at the clock.
#[test]
fn time_in_one_step() {
    let text = "
        void *memset(void *, int, unsigned long);
        char a[1 << 28];
        int main(void) { for (;;) { memset(a, 1, sizeof a); } }";
    let source = Source::new("step", text);
    is_unknown(&source.run(&["simulate", "--timeout", "1s"]), "timeout");
    is_unknown(&source.run(&["verify", "--engine", "explore", "--timeout", "1s"]), "timeout");
}

#[test]
fn time_and_memory_in_the_frontend() {
    let size = 50_000_000;
    let mut text = String::from("#define NOTHING\n");
    let mut number = 0;
    while text.len() < size {
        text.push_str(&format!("int f{number}(int a, int b) {{ if (a) return a * b + {number}; return 1; }}\n"));
        number += 1;
    }
    let source = Source::new("frontend", &text);
    // While it is preprocessed, and while it is parsed.
    for timeout in ["50ms", "1s"] {
        let run = source.run(&["--timeout", timeout]);
        is_unknown(&run, "timeout");
        assert!(run.time < Duration::from_secs(60), "{run:?}");
    }
    // Nobody but the watchdog is there to tell: it writes statistics as well.
    let stats = source.0.with_extension("json");
    let run = source.run(&["--memory", "200MB", "--stats", stats.to_str().unwrap()]);
    is_unknown(&run, "out-of-memory");
    let text = fs::read_to_string(&stats).unwrap();
    fs::remove_file(&stats).unwrap();
    assert!(text.contains("\"verdict\": \"unknown(out-of-memory)\""), "{text}");
}

/// Few lines that stand for very many.
#[test]
fn macros_that_explode() {
    let mut text = String::from("#define X0 1,1\n");
    (1..40).for_each(|i| text.push_str(&format!("#define X{i} X{0},X{0}\n", i - 1)));
    text.push_str("int a[] = { X39 };\nint main(void) { return 0; }\n");
    let source = Source::new("macros", &text);
    is_unknown(&source.run(&["--timeout", "1s"]), "timeout");
}

#[test]
fn memory() {
    let programs = [
        ("states", COUNT),
        ("small", "void *malloc(unsigned long); int main(void) { for (;;) { char *p = malloc(1000); p[0] = 1; } }"),
        ("large", "void *malloc(unsigned long); int main(void) { for (;;) { char *p = malloc(1 << 28); p[0] = 1; } }"),
        (
            "zeroed",
            "void *calloc(unsigned long, unsigned long); int main(void) { for (;;) { char *p = calloc(1 << 28, 1); p[0] = 1; } }",
        ),
        (
            "recursion",
            "int f(int x) { int a[10]; a[x & 7] = x; return f(x + 1) + a[0]; } int main(void) { return f(0); }",
        ),
        (
            "arrays",
            "int f(long n) { char a[n]; a[n - 1] = 1; return f(n) + a[0]; } int main(void) { return f(100000000); }",
        ),
    ];
    for (name, text) in programs {
        let source = Source::new(name, text);
        for command in ["verify", "simulate"] {
            // Abstraction would see that there is no error to be reached.
            let engine: &[&str] = if command == "verify" { &["--engine", "explore"] } else { &[] };
            let run = source.run(&[&[command, "--memory", "200MB", "--timeout", "3s"], engine].concat());
            match (name, command) {
                // It needs no memory to run one interleaving, and much time to get to states that do.
                ("states", "simulate") | ("small" | "recursion" | "zeroed", "verify") => {
                    assert!(run.verdict.starts_with("VERDICT: unknown(") && run.status == Some(2), "{name}: {run:?}");
                }
                _ => is_unknown(&run, "out-of-memory"),
            }
            assert!(run.memory < 400_000_000, "{name}: {run:?}");
        }
    }
}

/// Huge objects that are hardly used cost nothing, or are refused.
#[test]
fn huge_objects() {
    let text = "char a[1 << 30]; int main(void) { a[12345] = 1; return a[12346]; }";
    let run = Source::new("global", text).run(&["--memory", "200MB", "--timeout", "20s"]);
    assert_eq!((run.verdict.as_str(), run.status), ("VERDICT: true", Some(0)));
    let text = "char a[1ul << 60]; int main(void) { unsigned long n = 1; while (a[n] == 0) n *= 2; return a[n]; }";
    let run = Source::new("impossible", text).run(&["simulate", "--memory", "200MB", "--timeout", "20s"]);
    assert!([Some(2), Some(3)].contains(&run.status), "{run:?}");
    let text = "int main(void) { for (unsigned long n = 1;; n *= 2) { char a[n]; a[n - 1] = 1; } }";
    let source = Source::new("vla", text);
    for command in [&["verify", "--engine", "explore"][..], &["simulate"]] {
        let run = source.run(&[command, &["--memory", "400MB", "--timeout", "20s"]].concat());
        assert!(run.verdict.starts_with("VERDICT: unknown(") && run.status == Some(2), "{run:?}");
        assert!(run.memory < 800_000_000, "{run:?}");
    }
}

#[test]
fn threads_without_end() {
    let text = "
        typedef unsigned long pthread_t;
        int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        extern void reach_error(void);
        int c;
        void *count(void *unused) { for (;;) { c++; if (c < 0) reach_error(); } }
        int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, count, 0); } }";
    let source = Source::new("threads", text);
    for command in ["verify", "simulate"] {
        let run = source.run(&[command, "--memory", "200MB", "--timeout", "3s"]);
        assert!(run.verdict.starts_with("VERDICT: unknown(") && run.status == Some(2), "{run:?}");
        assert!(run.memory < 400_000_000, "{run:?}");
    }
}

/// Waits until the shell has become Raddle, and that has started so many threads.
fn wait_for_threads(pid: u32, count: usize) {
    while !fs::read_dir(format!("/proc/{pid}/task")).is_ok_and(|tasks| tasks.count() >= count) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn signals() {
    let source = Source::new("signals", COUNT);
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        for args in [&["verify"][..], &["simulate"], &["--format", "text", "--quiet"]] {
            let child = source.start("", args);
            // The one that handles signals, and the watchdog that is started after it. An earlier signal just kills.
            wait_for_threads(child.id(), 3);
            kill(Pid::from_raw(child.id() as i32), signal).unwrap();
            let run = wait(child);
            is_unknown(&run, "interrupted");
            assert!(run.time < Duration::from_secs(30), "{run:?}");
        }
    }
}

/// Where address space is limited, memory is refused at once rather than used up.
#[test]
fn limits_of_the_shell() {
    let large = Source::new(
        "ulimit-large",
        "void *malloc(unsigned long); int main(void) { for (;;) *(char *)malloc(1 << 29) = 1; }",
    );
    let count = Source::new("ulimit-count", COUNT);
    let fine = Source::new("ulimit-fine", "int main(void) { return 0; }");
    for kilobytes in ["4000000", "1000000"] {
        let ulimit = format!("ulimit -v {kilobytes};");
        for command in ["verify", "simulate"] {
            let engine: &[&str] = if command == "verify" { &["--engine", "explore"] } else { &[] };
            is_unknown(&wait(large.start(&ulimit, &[&[command], engine].concat())), "out-of-memory");
            is_unknown(&wait(count.start(&ulimit, &[command, "--timeout", "1s"])), "timeout");
        }
        assert_eq!(wait(fine.start(&ulimit, &[])).verdict, "VERDICT: true");
    }
    // Too little to do anything at all, and hardly enough.
    is_unknown(&wait(fine.start("ulimit -v 60000;", &[])), "out-of-memory");
    let run = wait(fine.start("ulimit -v 100000;", &[]));
    assert!(["VERDICT: true", "VERDICT: unknown(out-of-memory)"].contains(&run.verdict.as_str()), "{run:?}");
    for command in ["verify", "simulate"] {
        is_unknown(&wait(count.start("ulimit -t 2;", &[command])), "timeout");
    }
    // No file may be written.
    assert_eq!(wait(fine.start("ulimit -f 0;", &[])).verdict, "VERDICT: true");
}

/// A supervised run is stopped as others are.
#[test]
fn signals_where_address_space_is_limited() {
    let source = Source::new("supervised", COUNT);
    let child = source.start("ulimit -v 8000000;", &["verify"]);
    wait_for_threads(child.id(), 2);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).unwrap();
    is_unknown(&wait(child), "interrupted");
}
