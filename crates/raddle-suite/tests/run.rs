//! `raddle suite run`: answers, sources of tasks, interruption, resuming, failures.

mod fake;

use fake::{Finished, Folder, is_alive, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use raddle_suite::record::Answer;
use raddle_suite::results;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use wait4::Wait4;

fn names(folder: &Folder, file: &str) -> Vec<String> {
    folder.by_task(file).into_iter().map(|r| r.task).collect()
}

#[test]
fn every_kind_of_answer() {
    let folder = Folder::new();
    folder.task("a", "true", true);
    folder.task("b", "false", false);
    folder.task("c", "unknown stuck", true);
    folder.task("d", "silent", true);
    folder.task("e", "crash", true);
    folder.task("f", "true", false);
    let run = folder.run(&["run", ".", "--configuration", "x=--engine oc", "--timeout", "5s", "--memory", "1GB"]);
    assert_eq!(run.status, Some(1), "{}", run.messages);
    assert!(run.output.starts_with("!!! 1 WRONG ANSWER\n!!! WRONG true, expected false: f.yml"), "{}", run.output);
    assert!(run.messages.contains("WRONG true, expected false: f.yml"), "{}", run.messages);
    let total = run.output.lines().find(|l| l.starts_with("total")).unwrap();
    assert_eq!(total.split_whitespace().take(8).collect::<Vec<_>>(), ["total", "6", "3", "1", "1", "1", "3", "-29"]);
    let records = folder.by_task("results.jsonl");
    let answers: Vec<_> = records.iter().map(|r| r.answer.clone()).collect();
    let expected = [
        Answer::True,
        Answer::False,
        Answer::Unknown("stuck".into()),
        Answer::Error("exit status 4: error: no answer".into()),
        Answer::Error("ended by signal SIGSEGV".into()),
        Answer::True,
    ];
    assert_eq!(answers, expected);
    assert_eq!(records[0].step.as_deref(), Some("oc"));
    assert_eq!(records[0].traits["threads"], 2);
    assert!(records[0].memory > 0 && records[0].wall > 0.0);
    let calls = fs::read_to_string(folder.path("raddle.calls")).unwrap();
    let call = calls.lines().find(|l| l.ends_with("a.c")).unwrap();
    assert!(
        call.starts_with("verify --property ./properties/unreach-call.prp --data-model ILP32 --timeout 5s"),
        "{call}"
    );
    assert!(call.contains(" --memory 1000000000B --quiet --stats "), "{call}");
    assert!(call.ends_with(" --engine oc --jobs 1 ./a.c"), "{call}");
    let table = folder.run(&["table", "results.jsonl"]);
    assert_eq!((table.status, table.output), (Some(1), run.output));
}

#[test]
fn sets_folders_and_indexes() {
    let folder = Folder::new();
    folder.task("x/a1", "true", true);
    folder.task("x/a2", "true", true);
    folder.task("x/b", "true", true);
    folder.write("x/witness.yml", "- entry_type: violation\n");
    folder.write("Some.set", "# examples\nx/a*.yml  # two\n\nx/none*.yml\n");
    let run = folder.run(&["run", "Some.set", "--output", "set"]);
    assert_eq!(run.status, Some(0), "{}", run.messages);
    assert!(run.messages.contains("nothing fits x/none*.yml"), "{}", run.messages);
    assert_eq!(names(&folder, "set"), ["x/a1.yml", "x/a2.yml"]);
    assert_eq!(folder.by_task("set")[0].category.as_deref(), Some("Some"));
    // A task that two sources name is run once.
    assert_eq!(folder.run(&["run", "x", "x/b.yml", "--output", "folder"]).status, Some(0));
    assert_eq!(names(&folder, "folder"), ["a1.yml", "a2.yml", "b.yml"]);
    let index = "file\tproperty\tverdict\tdata_model\tcategory\n\
                 x/a1.c\tunreach-call\ttrue\tLP64\tOne\nx/b.c\tunreach-call\ttrue\tLP64\tTwo\nx/b.c\ttermination\ttrue\tLP64\tTwo\n";
    folder.write("index.tsv", index);
    let run = folder.run(&["run", "index.tsv", "--output", "index", "--category", "^Two$"]);
    assert!(run.messages.contains("1 tasks of other properties than unreach-call are left out"), "{}", run.messages);
    assert_eq!(names(&folder, "index"), ["x/b.c"]);
}

#[test]
fn bad_input_is_an_error_with_a_reason() {
    let folder = Folder::new();
    folder.task("a", "true", true);
    folder.write("bad.yml", "format_version: '2.0'\n");
    folder.write("x.txt", "");
    for (arguments, reason) in [
        (&["run", "missing.set"][..], "missing.set"),
        (&["run", "bad.yml"], "bad.yml is no task definition"),
        (&["run", "x.txt"], "neither a task definition"),
        (&["run", "missing"], "does not exist"),
        (&["run", "a.yml", "--filter", "nothing"], "no tasks"),
        (&["run", "a.yml", "--configuration", "x=", "--configuration", "x="], "two configurations have the name x"),
        (&["table", "a.c"], "a.c"),
        (&["compare", "a.c", "a.c"], "a.c"),
        (&["merge", "-o", "m", "a.yml"], "a.yml"),
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.status, Some(3), "{arguments:?}");
        assert!(run.messages.contains(reason), "{arguments:?}: {}", run.messages);
    }
    assert!(!folder.path("results.jsonl").exists());
}

#[test]
fn options_are_checked_before_anything_runs() {
    let folder = Folder::new();
    folder.task("a", "true", true);
    for place in [&[][..], &["--on", "slurm", "--shards", "1"], &["--benchexec", "bench"]] {
        let options = ["run", "a.yml", "--configuration", "x=", "--configuration", "y=--engine oc --bad"];
        let run = folder.run(&[&options, place].concat());
        assert_eq!(run.status, Some(3));
        let reason = "error: the configuration y='--engine oc --bad' cannot be run: exit status 3: error: unexpected argument '--bad' found\n";
        assert_eq!(run.messages, reason);
    }
    assert_eq!(folder.calls(), 0);
    assert!(!folder.path("results.jsonl").exists() && !folder.path("bench").exists());
    // Without room for the program that they are tried on, options are not checked.
    let mut suite = folder.suite(&["run", "a.yml", "--output", "unchecked", "--configuration", "y=--bad"]);
    let run = Finished::of(suite.env("TMPDIR", "/dev/null").output().unwrap());
    assert_eq!(run.status, Some(0));
    assert!(run.messages.starts_with("warning: options are not checked: cannot write /dev/null/"), "{}", run.messages);
    // A task that cannot be run is no fault of a configuration.
    let definition = fs::read_to_string(folder.path("a.yml")).unwrap();
    folder.write("a.yml", &definition.replace("ILP32", "--bad"));
    assert_eq!(folder.run(&["run", "a.yml"]).status, Some(0));
    let error = "exit status 3: error: unexpected argument '--bad' found";
    assert_eq!(folder.by_task("results.jsonl")[0].answer, Answer::Error(error.into()));
}

#[test]
fn a_record_that_is_there_twice_counts_once() {
    let folder = Folder::new();
    folder.task("a", "true", true);
    folder.task("b", "true", true);
    assert_eq!(folder.run(&["run", ".", "--configuration", "x=--engine oc"]).status, Some(0));
    let once = folder.run(&["table", "results.jsonl"]);
    let text = fs::read_to_string(folder.path("results.jsonl")).unwrap();
    folder.write("twice", &format!("{text}{}\n", text.lines().nth(1).unwrap()));
    let table = folder.run(&["table", "twice"]);
    assert_eq!((table.status, &table.output), (Some(0), &once.output));
    let warning = "warning: twice: 1 record is left out, because a later one of the same run counts\n";
    assert_eq!(table.messages, warning);
    let report = folder.run(&["report", "-o", "report.html", "results.jsonl", "twice"]);
    let warnings = format!(
        "{warning}warning: all files together: 2 records are left out, because a later one of the same run counts\n"
    );
    assert_eq!((report.status, report.messages), (Some(0), warnings));
    assert!(fs::read_to_string(folder.path("report.html")).unwrap().contains("2 tasks, 1 configurations, 2 runs."));
}

#[test]
fn a_strategy_is_learned_or_it_is_said_why_not() {
    let folder = Folder::new();
    for i in 0..4 {
        folder.task(&format!("t{i}"), "true", true);
    }
    let engine = |name: &str| format!("{name}=--engine {name}");
    let run = |output: &str, engines: &[&str]| {
        let options = engines.iter().flat_map(|name| ["--configuration".to_string(), engine(name)]);
        let options: Vec<String> = options.collect();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        folder.run(&[&["run", ".", "--output", output], &options[..]].concat())
    };
    assert_eq!(run("good", &["oc", "magic"]).status, Some(0));
    let learned = folder.run(&["learn", "good"]);
    assert_eq!(learned.status, Some(0), "{}", learned.messages);
    assert!(learned.output.contains("\n[[step]]\nname = \"oc\"\nengine = \"oc\"\n"), "{}", learned.output);
    let reason = "magic can be no step of a strategy (exit status 3: 4:engine = \"magic\")\n";
    assert_eq!(learned.messages, format!("warning: left out: {reason}"));
    let text = fs::read_to_string(folder.path("good")).unwrap();
    folder.write("slow", &text.replace("\"cpu\":0.", "\"cpu\":5."));
    let late = folder.run(&["learn", "--timeout", "2s", "-o", "s.toml", "slow"]);
    assert_eq!(late.status, Some(3));
    assert!(
        late.messages.ends_with("no configuration answers any of the tasks within 2 s: there is nothing to learn\n"),
        "{}",
        late.messages
    );
    // A verdict that nobody can agree with.
    folder.task("t3", "true", false);
    assert_eq!(run("wrong", &["oc"]).status, Some(1));
    let wrong = folder.run(&["learn", "-o", "s.toml", "wrong"]);
    let reason = "error: no configuration is left to learn from: oc has a wrong answer, on t3.yml\n";
    assert_eq!((wrong.status, wrong.messages.as_str()), (Some(3), reason));
    assert!(!folder.path("s.toml").exists());
}

#[test]
fn resuming_loses_nothing_and_repeats_nothing() {
    let folder = Folder::new();
    for i in 0..8 {
        folder.task(&format!("t{i}"), if i % 2 == 0 { "true" } else { "unknown stuck" }, true);
    }
    let arguments = ["run", ".", "--configuration", "x=", "--configuration", "y=-v"];
    assert_eq!(folder.run(&arguments).status, Some(0));
    assert_eq!(folder.calls(), 16);
    // Without --resume nothing is overwritten.
    let again = folder.run(&arguments);
    assert_eq!(again.status, Some(3));
    assert!(again.messages.contains("--resume"), "{}", again.messages);
    // Cut off within the tenth line: the header and eight results are whole.
    let text = fs::read_to_string(folder.path("results.jsonl")).unwrap();
    let whole: usize = text.split_inclusive('\n').take(9).map(str::len).sum();
    fs::write(folder.path("results.jsonl"), &text[..whole + 20]).unwrap();
    let before = folder.results("results.jsonl").records;
    assert_eq!(before.len(), 8);
    assert_eq!(folder.run(&[&arguments[..], &["--resume"]].concat()).status, Some(0));
    assert_eq!(folder.calls(), 16 + 8);
    let after = folder.results("results.jsonl").records;
    assert_eq!(after[..8], before);
    let mut keys: Vec<_> = after.iter().map(|r| (&r.task, &r.configuration)).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 16);
    // Another experiment does not go into the same file.
    let other = folder.run(&["run", ".", "--configuration", "x=", "--resume", "--timeout", "7s"]);
    assert_eq!(other.status, Some(3));
    assert!(other.messages.contains("configurations are x='', y=-v there, x='' here"), "{}", other.messages);
    assert!(other.messages.contains("the time limit is 60s there, 7s here"), "{}", other.messages);
}

#[test]
fn interruption_ends_the_children_and_keeps_the_results() {
    let folder = Folder::new();
    folder.task("a", "true", true);
    folder.task("b", "hang", true);
    folder.task("c", "true", true);
    let mut suite = folder.suite(&["run", ".", "--jobs", "1"]);
    let suite = suite.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("b hangs", || folder.path("raddle.pid").exists());
    kill(Pid::from_raw(suite.id() as i32), Signal::SIGINT).unwrap();
    let run = Finished::of(suite.wait_with_output().unwrap());
    assert_eq!(run.status, Some(2), "{}", run.messages);
    assert!(
        run.messages.contains("interrupted after 1 of 3 runs") && run.messages.contains("--resume"),
        "{}",
        run.messages
    );
    assert!(!is_alive(&folder.path("raddle.pid")));
    assert_eq!(names(&folder, "results.jsonl"), ["a.yml"]);
    folder.write("b.c", "true\n");
    assert_eq!(folder.run(&["run", ".", "--resume"]).status, Some(0));
    assert_eq!(names(&folder, "results.jsonl"), ["a.yml", "b.yml", "c.yml"]);
}

#[test]
fn no_run_survives_a_suite_that_is_killed() {
    let folder = Folder::new();
    folder.task("a", "true", true);
    folder.task("b", "hang", true);
    let mut suite = folder.suite(&["run", ".", "--jobs", "2"]).stdout(Stdio::null()).spawn().unwrap();
    // The other worker has nothing left to do by then, and its end is not that of the run.
    let has_results = |path: PathBuf| results::read(&path).is_ok_and(|results| !results.records.is_empty());
    wait_until("a is done", || has_results(folder.path("results.jsonl")));
    let pid_file = folder.path("raddle.pid");
    wait_until("b hangs", || pid_file.exists() && is_alive(&pid_file));
    suite.kill().unwrap();
    suite.wait().unwrap();
    wait_until("the run ends", || !is_alive(&pid_file));
    folder.write("b.c", "true\n");
    assert_eq!(folder.run(&["run", ".", "--resume"]).status, Some(0));
    assert_eq!(names(&folder, "results.jsonl"), ["a.yml", "b.yml"]);
}

#[test]
fn another_build_does_not_go_on() {
    let folder = Folder::new();
    folder.task("a", "true", true);
    assert_eq!(folder.run(&["run", "a.yml"]).status, Some(0));
    let raddle = fs::read_to_string(folder.path("raddle")).unwrap();
    folder.write("raddle", &format!("{raddle}# newer\n"));
    let other = folder.run(&["run", "a.yml", "--resume"]);
    assert_eq!(other.status, Some(3));
    let reason = "results.jsonl is of another run: Raddle is";
    assert!(other.messages.contains(reason) && other.messages.contains("(build "), "{}", other.messages);
    assert!(other.messages.ends_with("Choose another --output\n"), "{}", other.messages);
    folder.write("raddle", &raddle);
    assert_eq!(folder.run(&["run", "a.yml", "--resume"]).status, Some(0));
}

#[test]
fn what_a_run_leaves_behind_is_ended_with_it() {
    let folder = Folder::new();
    folder.task("a", "leave", true);
    assert_eq!(folder.run(&["run", "a.yml"]).status, Some(0));
    wait_until("the rest of the group ends", || !is_alive(&folder.path("raddle.pid")));
}

#[test]
fn a_run_that_ignores_its_limits_is_killed() {
    let folder = Folder::new();
    folder.task("a", "hang", true);
    assert_eq!(folder.run(&["run", "a.yml", "--memory", "100kB"]).status, Some(0));
    let Answer::Error(reason) = &folder.by_task("results.jsonl")[0].answer else { panic!("no error") };
    assert!(reason.starts_with("killed by the suite: ") && reason.ends_with("bytes of memory"), "{reason}");
    assert!(!is_alive(&folder.path("raddle.pid")));
}

#[test]
fn a_disk_that_is_full_loses_nothing_that_was_written() {
    let folder = Folder::new();
    for i in 0..40 {
        folder.task(&format!("t{i:02}"), "true", true);
    }
    // Files of at most two kilobytes stand for the disk: writing more fails, in the middle of a line.
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 4; exec ./raddle suite run . --jobs 2"]).current_dir(folder.path(""));
    let run = Finished::of(shell.output().unwrap());
    assert_eq!(run.status, Some(3), "{}", run.messages);
    assert!(run.messages.contains("cannot write results.jsonl: File too large"), "{}", run.messages);
    let text = fs::read_to_string(folder.path("results.jsonl")).unwrap();
    assert!(text.ends_with('\n') && text.lines().count() > 3, "{text}");
    assert_eq!(folder.run(&["run", ".", "--resume"]).status, Some(0));
    assert_eq!(names(&folder, "results.jsonl").len(), 40);
}

#[test]
fn unwritable_outputs_are_errors_before_anything_runs() {
    let folder = Folder::new();
    folder.task("a", "true", true);
    for (output, reason) in
        [("/dev/full", "No space left"), ("a.c/results", "Not a directory"), ("none/r", "No such file")]
    {
        let run = folder.run(&["run", "a.yml", "--output", output]);
        assert_eq!(run.status, Some(3));
        assert!(run.messages.contains(&format!("cannot write {output}: {reason}")), "{}", run.messages);
    }
    assert_eq!(folder.calls(), 0);
}

#[test]
fn a_thousand_tasks_take_no_more_memory_and_leave_no_files() {
    let folder = Folder::new();
    for i in 0..1000 {
        folder.task(&format!("tasks/t{i}"), "true", true);
    }
    fs::create_dir(folder.path("tmp")).unwrap();
    let peak = |limit: &str| {
        let mut suite = folder.suite(&["run", "tasks", "--limit", limit, "--output", limit]);
        let used = suite.env("TMPDIR", folder.path("tmp")).stdout(Stdio::null()).spawn().unwrap().wait4().unwrap();
        assert_eq!(used.status.code(), Some(0));
        used.rusage.maxrss
    };
    let (few, many) = (peak("10"), peak("1000"));
    assert!(many < few + 4_000_000, "{few} bytes for 10 tasks, {many} for 1000");
    assert_eq!(fs::read_dir(folder.path("tmp")).unwrap().count(), 0);
    assert_eq!(folder.results("1000").records.len(), 1000);
}

#[test]
fn shards_are_merged_to_the_whole() {
    let folder = Folder::new();
    for i in 0..7 {
        folder.task(&format!("t{i}"), "true", true);
    }
    for (shard, output) in [("1/3", "one"), ("2/3", "two"), ("3/3", "three")] {
        assert_eq!(folder.run(&["run", ".", "--shuffle", "4", "--shard", shard, "--output", output]).status, Some(0));
    }
    let incomplete = folder.run(&["merge", "-o", "all", "one", "two"]);
    assert_eq!((incomplete.status, incomplete.messages.as_str()), (Some(3), "error: shards are missing: 3/3\n"));
    assert_eq!(folder.run(&["merge", "-o", "all", "three", "one", "two"]).status, Some(0));
    assert_eq!(folder.results("all").records, folder.by_task("all"));
    assert_eq!(folder.results("all").records.len(), 7);
    // The set's order is neither that of names nor that of the runs.
    folder.write("Some.set", "t5.yml\nt0.yml\nt6.yml\nt1.yml\n");
    for shard in ["1/2", "2/2"] {
        let output = &shard[..1];
        let arguments = ["run", "Some.set", "--shuffle", "4", "--shard", shard, "--output", output];
        assert_eq!(folder.run(&arguments).status, Some(0));
    }
    assert_eq!(folder.run(&["merge", "-o", "some", "1", "2"]).status, Some(0));
    let tasks: Vec<_> = folder.results("some").records.into_iter().map(|r| r.task).collect();
    assert_eq!(tasks, ["t5.yml", "t0.yml", "t6.yml", "t1.yml"]);
    // Merging does not overwrite.
    assert_eq!(folder.run(&["merge", "-o", "all", "three", "one", "two"]).status, Some(3));
}

#[test]
fn configurations_are_compared() {
    let folder = Folder::new();
    folder.task("a", "true", true);
    let both = ["run", "a.yml", "--configuration", "x=", "--configuration", "y=-v"];
    assert_eq!(folder.run(&both).status, Some(0));
    let compared = folder.run(&["compare", "results.jsonl:x", "results.jsonl:y"]);
    assert_eq!(compared.status, Some(0), "{}", compared.messages);
    assert!(compared.output.contains("solved by both: 1 tasks"), "{}", compared.output);
    let unclear = folder.run(&["compare", "results.jsonl", "results.jsonl:y"]);
    assert!(unclear.messages.contains("has the configurations x, y"), "{}", unclear.messages);
}

#[test]
fn an_experiment_for_benchexec() {
    let folder = Folder::new();
    folder.task("Cat/a", "true", true);
    folder.write("b.c", "true\n");
    folder.write("index.tsv", "file\tproperty\tverdict\nb.c\tunreach-call\tfalse\n");
    let run = folder.run(&["run", "Cat", "index.tsv", "--configuration", "oc=--engine oc", "--benchexec", "bench"]);
    assert_eq!(run.status, Some(0), "{}", run.messages);
    assert_eq!(folder.calls(), 0);
    let xml = fs::read_to_string(folder.path("bench/raddle.xml")).unwrap();
    assert!(
        xml.contains("<rundefinition name=\"oc\">\n    <option name=\"--engine\"/>\n    <option name=\"oc\"/>"),
        "{xml}"
    );
    assert!(xml.contains("<includesfile>Cat-1.set</includesfile>"), "{xml}");
    assert!(xml.contains("timelimit=\"60s\"") && xml.contains("memlimit=\"8000000000 B\""), "{xml}");
    let written = fs::read_to_string(folder.path("bench/b-2.yml")).unwrap();
    assert!(written.contains("expected_verdict: false"), "{written}");
}
