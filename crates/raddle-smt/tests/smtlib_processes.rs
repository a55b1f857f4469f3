//! Solvers that misbehave: each gives an error value or `Unknown` in bounded time, and none leaves a process behind.
//!
//! The solvers are shell scripts. The tests share one lock, because each of them counts the children of the whole test process.

use raddle_ir::{ExprId, ExprPool, Sort, VarId};
use raddle_smt::smtlib::{FoundSolver, Patience, SmtLibSolver, dialect, find_executable};
use raddle_smt::{Answer, Effort, Solver, SolverError, Why};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A script that plays a solver, gone at the end; and no process may be left by then.
struct Fake {
    path: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Fake {
    fn new(name: &str, script: &str) -> Fake {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.sh", std::process::id()));
        // Moved into place when it is complete: a file that is open for writing cannot be run.
        let draft = path.with_extension("draft");
        fs::write(&draft, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&draft, &path).unwrap();
        Fake { path, _alone: alone }
    }

    fn solver(&self, patience: Patience) -> SmtLibSolver {
        SmtLibSolver::new(FoundSolver::at(*dialect("z3").unwrap(), self.path.clone()), patience)
    }

    /// The error of one check, and of a second, which must be the same: nothing is poisoned.
    fn error(&self, patience: Patience) -> String {
        let (pool, formula) = a_formula();
        let mut solver = self.solver(patience);
        solver.assert(&pool, formula).unwrap();
        let mut check = || match within(Duration::from_secs(10), || solver.check(&pool, &[])) {
            Err(SolverError::Process { solver, message }) => {
                assert_eq!(solver, "z3");
                message
            }
            other => panic!("{other:?}"),
        };
        let first = check();
        assert_eq!(check(), first);
        assert_eq!(children(), Vec::<String>::new(), "with the solver alive");
        first
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        if !std::thread::panicking() {
            assert_eq!(children(), Vec::<String>::new());
        }
    }
}

fn patience(check: u64) -> Patience {
    Patience { check: Duration::from_millis(check), other: Duration::from_millis(check), longest: 100_000 }
}

/// Other programs may slow this one down at will, so only wide margins are tested.
fn within<T>(limit: Duration, f: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = f();
    assert!(started.elapsed() < limit, "{:?}", started.elapsed());
    result
}

/// The processes whose parent is this one, zombies too.
fn children() -> Vec<String> {
    let me = std::process::id();
    let mine = |status: &str| {
        let after_name = status.rsplit(')').next().unwrap_or("");
        after_name.split_whitespace().nth(1) == Some(&me.to_string())
    };
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let directory = entry.ok()?.path();
        directory.file_name()?.to_str()?.parse::<u32>().ok()?;
        fs::read_to_string(directory.join("stat")).ok()
    });
    processes.filter(|status| mine(status)).collect()
}

fn a_formula() -> (ExprPool, ExprId) {
    let mut pool = ExprPool::new();
    let x = pool.var(VarId(0), Sort::Bits(32));
    let five = pool.bits(32, 5);
    let formula = pool.eq(x, five);
    (pool, formula)
}

#[test]
fn one_that_dies_at_once() {
    let fake = Fake::new("dies", "echo 'license has expired' >&2; exit 7");
    let message = fake.error(patience(5000));
    assert!(message.contains("exit status: 7") && message.contains("license has expired"), "{message}");
}

#[test]
fn one_that_is_killed_by_a_signal() {
    let fake = Fake::new("crashes", "kill -SEGV $$");
    let message = fake.error(patience(5000));
    assert!(message.contains("signal: 11"), "{message}");
}

#[test]
fn one_that_does_not_exist() {
    let fake = Fake::new("gone", "");
    fs::remove_file(&fake.path).unwrap();
    assert!(fake.error(patience(5000)).contains("cannot be started"));
}

#[test]
fn one_that_hangs() {
    let fake = Fake::new("hangs", "sleep 1000");
    assert!(fake.error(patience(200)).contains("no answer within 200ms"));
}

#[test]
fn one_that_hangs_and_ignores_signals() {
    let fake = Fake::new("stubborn", "trap '' TERM INT HUP PIPE; while true; do sleep 1; done");
    assert!(fake.error(patience(200)).contains("no answer within 200ms"));
}

#[test]
fn one_that_answers_late() {
    let fake = Fake::new("late", "sleep 3; echo sat; cat");
    assert!(fake.error(patience(200)).contains("no answer within 200ms"));
    // With a budget it is no error.
    let (pool, formula) = a_formula();
    let mut solver = fake.solver(patience(5000));
    solver.set_effort(Effort { time: Some(Duration::from_millis(200)), ..Effort::default() });
    solver.assert(&pool, formula).unwrap();
    let answer = within(Duration::from_secs(2), || solver.check(&pool, &[]));
    assert_eq!(answer, Ok(Answer::Unknown(Why::Time)));
}

#[test]
fn one_that_prints_nonsense() {
    for (text, expected) in [("I am a teapot", "`I`"), (")", "`)`"), ("maybe", "`maybe`"), ("(a b)", "list")] {
        let fake = Fake::new("nonsense", &format!("echo '{text}'; cat > /dev/null"));
        let message = fake.error(patience(5000));
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn one_that_prints_an_error() {
    let fake = Fake::new("error", "echo '(error \"line 3: unknown sort \"\"Foo\"\"\")'; cat > /dev/null");
    assert_eq!(fake.error(patience(5000)), "line 3: unknown sort \"Foo\"");
}

#[test]
fn one_that_floods() {
    let fake = Fake::new("floods", "while true; do echo '(((((((((((((((((((((((((((((('; done");
    assert!(fake.error(patience(20_000)).contains("longer than 100000 bytes"));
    drop(fake);
    // And on standard error, of which only the beginning is kept.
    let fake = Fake::new("whines", "head -c 1000000 /dev/zero | tr '\\0' 'x' >&2; exit 1");
    let message = fake.error(patience(20_000));
    assert!(message.len() < 5000 && message.contains("xxxx"), "{}", message.len());
}

#[test]
fn one_that_closes_its_input_or_output() {
    let fake = Fake::new("deaf", "exec < /dev/null; sleep 1000");
    assert!(fake.error(patience(200)).contains("no answer within 200ms"));
    drop(fake);
    let fake = Fake::new("mute", "exec > /dev/null; sleep 1000");
    assert!(fake.error(patience(5000)).contains("closed its output"));
}

#[test]
fn one_that_does_not_read() {
    // More than a pipe holds is written to it.
    let fake = Fake::new("idle", "sleep 1000");
    let mut pool = ExprPool::new();
    let mut solver = fake.solver(patience(300));
    for i in 0..20_000 {
        let x = pool.var(VarId(i), Sort::Bool);
        solver.assert(&pool, x).unwrap();
    }
    let answer = within(Duration::from_secs(5), || solver.check(&pool, &[]));
    assert!(matches!(answer, Err(SolverError::Process { .. })), "{answer:?}");
}

#[test]
fn one_that_dies_when_asked_for_values() {
    let fake = Fake::new("shy", "echo sat; while read line; do case $line in *get-value*) exit 3;; esac; done");
    let (pool, formula) = a_formula();
    let mut solver = fake.solver(patience(5000));
    solver.assert(&pool, formula).unwrap();
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Sat));
    let value = within(Duration::from_secs(10), || solver.value(&pool, formula));
    assert!(matches!(value, Err(SolverError::Process { .. })), "{value:?}");
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Sat));
}

#[test]
fn an_interrupt_stops_a_check_and_the_next_one_works() {
    // The first process hangs, the others answer.
    let fake = Fake::new(
        "moody",
        "mark=\"$0.mark\"; if [ -e \"$mark\" ]; then echo unsat; cat > /dev/null; fi; touch \"$mark\"; sleep 1000",
    );
    let mark = PathBuf::from(format!("{}.mark", fake.path.display()));
    let _ = fs::remove_file(&mark);
    let (pool, formula) = a_formula();
    let mut solver = fake.solver(patience(20_000));
    solver.assert(&pool, formula).unwrap();
    let interrupt = solver.interrupt();
    let stopper = std::thread::spawn({
        let (interrupt, mark) = (interrupt.clone(), mark.clone());
        move || {
            while !mark.exists() {
                std::thread::yield_now();
            }
            interrupt.stop();
            Instant::now()
        }
    });
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Unknown(Why::Interrupted)));
    assert!(stopper.join().unwrap().elapsed() < Duration::from_secs(1));
    // It stays stopped until it is cleared.
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Unknown(Why::Interrupted)));
    interrupt.clear();
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Unsat));
    fs::remove_file(&mark).unwrap();
}

#[test]
fn a_real_solver_is_restarted_with_all_that_was_asserted() {
    let Some(path) = find_executable(dialect("z3").unwrap()) else {
        eprintln!("skipped: z3 is not installed");
        return;
    };
    let fake = Fake::new("killable", &format!("echo $$ > \"$0.pid\"; exec '{}' \"$@\"", path.display()));
    let pid_file = PathBuf::from(format!("{}.pid", fake.path.display()));
    let (mut pool, formula) = a_formula();
    let y = pool.var(VarId(1), Sort::Bool);
    let not_formula = pool.not(formula);
    let mut solver = fake.solver(patience(60_000));
    solver.assert(&pool, formula).unwrap();
    solver.push().unwrap();
    solver.assert(&pool, y).unwrap();
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Sat));
    let pid: i32 = fs::read_to_string(&pid_file).unwrap().trim().parse().unwrap();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL).unwrap();
    assert!(matches!(solver.check(&pool, &[]), Err(SolverError::Process { .. })));
    assert_eq!(solver.check(&pool, &[not_formula]), Ok(Answer::Unsat));
    assert_eq!(solver.check(&pool, &[]), Ok(Answer::Sat));
    assert_eq!(solver.value(&pool, y).unwrap().bits(), 1);
    fs::remove_file(&pid_file).unwrap();
}
