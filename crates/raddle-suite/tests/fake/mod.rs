//! A folder with tasks and a program in the place of Raddle, whose answer is what the task's source says.

// Each test file uses its part of this.
#![allow(dead_code)]

use raddle_suite::record::Record;
use raddle_suite::results::{self, Results};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The first word of the last file decides. Each call is noted, so that tests can count them.
const RADDLE: &str = r#"#!/bin/sh
if [ "$1" = suite ]; then shift; exec SUITE --raddle "$0" "$@"; fi
if [ "$1" = launch ]; then shift 2; exec setpriv --pdeathsig KILL "$@"; fi
for last; do :; done
case " $* " in *" --bad "*) printf "error: unexpected argument '--bad' found\n\n  tip: none\n" >&2; exit 3 ;; esac
read word rest < "$last"
# What configurations are checked with. A strategy that says `magic` cannot be read.
if [ "$word" = int ]; then
    case "$*" in *"--portfolio "*) s=${*#*--portfolio }; if grep -n '^engine = "magic"' "${s%% *}" >&2; then exit 3; fi ;; esac
    echo "VERDICT: unknown(stuck)"; exit 2
fi
echo "$@" >> "$0.calls"
while [ $# -gt 0 ]; do
    if [ "$1" = --stats ]; then echo '{"step": "oc", "traits": {"threads": 2, "loops": true}}' > "$2"; fi
    shift
done
case $word in
true) echo "VERDICT: true" ;;
false) echo "note"; echo "VERDICT: false(unreach-call)"; exit 1 ;;
unknown) echo "VERDICT: unknown($rest)"; exit 2 ;;
silent) echo "error: no answer" >&2; exit 4 ;;
crash) echo "VERDICT: true"; kill -SEGV $$ ;;
hang) echo $$ > "$0.pid"; exec sleep 1000 ;;
once) if [ -e "$0.once" ]; then echo "VERDICT: true"; else echo $$ > "$0.once"; exec sleep 1000; fi ;;
leave) sleep 1000 & echo $! > "$0.pid"; echo "VERDICT: true" ;;
esac
"#;

pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = Folder(std::env::temp_dir().join(format!("raddle-suite-test-{}-{number}", std::process::id())));
        fs::create_dir_all(folder.path("properties")).unwrap();
        folder.write("properties/unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
        folder.write("raddle", &RADDLE.replace("SUITE", env!("CARGO_BIN_EXE_raddle-suite")));
        fs::set_permissions(folder.path("raddle"), fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// `NAME.c`, which makes the fake answer so, and its definition `NAME.yml`.
    pub fn task(&self, name: &str, answer: &str, expected: bool) {
        let up = "../".repeat(name.matches('/').count());
        let file = name.rsplit('/').next().unwrap();
        self.write(&format!("{name}.c"), &format!("{answer}\n"));
        self.write(
            &format!("{name}.yml"),
            &format!(
                "format_version: '2.0'\ninput_files: '{file}.c'\nproperties:\n  - property_file: {up}properties/unreach-call.prp\n    \
                 expected_verdict: {expected}\noptions:\n  language: C\n  data_model: ILP32\n"
            ),
        );
    }

    /// The suite in this folder, not yet started.
    pub fn suite(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.path("raddle"));
        command.arg("suite").args(arguments).current_dir(&self.0);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Finished {
        Finished::of(self.suite(arguments).output().unwrap())
    }

    pub fn results(&self, name: &str) -> Results {
        results::read(&self.path(name)).unwrap()
    }

    /// Each result of a file by the name of its task, sorted.
    pub fn by_task(&self, name: &str) -> Vec<Record> {
        let mut records = self.results(name).records;
        records.sort_by(|a, b| (&a.task, &a.configuration).cmp(&(&b.task, &b.configuration)));
        records
    }

    /// How often the fake was called.
    pub fn calls(&self) -> usize {
        fs::read_to_string(self.path("raddle.calls")).map_or(0, |text| text.lines().count())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub struct Finished {
    pub status: Option<i32>,
    pub output: String,
    pub messages: String,
}

impl Finished {
    pub fn of(output: Output) -> Finished {
        Finished {
            status: output.status.code(),
            output: String::from_utf8(output.stdout).unwrap(),
            messages: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Is the process whose number is in the file alive?
pub fn is_alive(pid_file: &Path) -> bool {
    let pid = fs::read_to_string(pid_file).unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    // Nobody may have collected the remains of an orphan.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Waits until it holds.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..1200 {
        if holds() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("it never happened: {what}");
}
