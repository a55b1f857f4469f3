//! The strategy as the file that the portfolio reads, with the reasons beside the rules, since people will edit it.

use super::findings::{Findings, table};
use super::greedy::tally;
use super::measurements::Measurements;
use super::options::{Engine, quoted};
use super::propose::{Class, Problem};
use super::rounds::{Ending, GROWTH, SLICES, Step};
use std::fmt::Write;

pub fn strategy_toml(
    problem: &Problem,
    measurements: &Measurements,
    strategy: &[Class],
    findings: &Findings,
) -> String {
    let mut out = format!("summary = {}\n\n", quoted(&summary(problem, measurements, findings)));
    comment(&mut out, &header(problem, measurements));
    out.push_str("#\n");
    comment(&mut out, &table(findings, measurements));
    let steps: Vec<(&Class, usize)> =
        strategy.iter().flat_map(|class| (0..class.steps.len()).map(move |i| (class, i))).collect();
    let names = names(&steps, measurements);
    for (n, (class, i)) in steps.iter().enumerate() {
        out.push('\n');
        if *i == 0 {
            comment(&mut out, &about_class(problem, strategy, class));
        }
        comment(&mut out, &about_step(problem, strategy, class, *i));
        out.push_str("[[step]]\n");
        let _ = writeln!(out, "name = {}", quoted(&names[n]));
        if !class.conditions.is_empty() {
            let _ = writeln!(out, "when = {}", quoted(&condition(class)));
        }
        let step = class.steps[*i];
        out.push_str(&entries(&measurements.configurations[step.configuration].1));
        let _ = writeln!(out, "time = \"{}ms\"\ngrowth = {GROWTH}", SLICES[step.slice]);
        let _ = writeln!(out, "next = {}", quoted(&names[(n + 1) % names.len()]));
    }
    out
}

/// A strategy of one step: what Raddle is asked about.
pub fn single_step(engine: &Engine) -> String {
    format!("summary = \"\"\n[[step]]\nname = \"step\"\n{}", entries(engine))
}

fn entries(Engine { name, config }: &Engine) -> String {
    let mut out = format!("engine = {}\n", quoted(name));
    if !config.is_empty() {
        let entries: Vec<String> = config.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        let _ = writeln!(out, "config = {{ {} }}", entries.join(", "));
    }
    out
}

fn comment(out: &mut String, text: &str) {
    for line in text.lines() {
        // Names come from files of results: a control character would end the comment, or the file.
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(out, "{}", format!("# {line}").trim_end());
    }
}

fn summary(problem: &Problem, measurements: &Measurements, findings: &Findings) -> String {
    format!(
        "learned from {} tasks and {} configurations at {} s: {} solved, {}best single configuration {}, union {}",
        findings.tasks,
        measurements.configurations.len(),
        problem.rounds.timeout,
        findings.in_sample.right,
        findings.held_out.map(|t| format!("held out {}, ", t.right)).unwrap_or_default(),
        findings.alone[findings.best].right,
        findings.union.right
    )
}

fn header(problem: &Problem, measurements: &Measurements) -> String {
    let mut out = format!(
        "Proposed from measurements of {} configurations on {} tasks ({} of them answered by any), {} s of CPU time each;\n\
         optimised for {} s. CPU time is that of right answers.\n",
        measurements.configurations.len(),
        problem.tasks.len(),
        problem.answered().len(),
        measurements.measured,
        problem.rounds.timeout
    );
    if problem.rounds.timeout > measurements.measured {
        out.push_str("What a configuration solves after the measured time is not known, and counts as not solved.\n");
    }
    for reason in &measurements.left_out {
        let _ = writeln!(out, "Left out: {reason}.");
    }
    out
}

/// Where a way leads out of a strategy: no step is called so.
const END: &str = "end";

/// Steps are called as their configurations; a second step of the same has a number.
fn names(steps: &[(&Class, usize)], measurements: &Measurements) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (class, i) in steps {
        let base = &measurements.configurations[class.steps[*i].configuration].0;
        let mut name = base.clone();
        let mut number = 2;
        while name == END || names.contains(&name) {
            name = format!("{base}-{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

fn condition(class: &Class) -> String {
    let conditions: Vec<String> = class.conditions.iter().map(ToString::to_string).collect();
    conditions.join(" and ")
}

/// The tasks of a class that any configuration answers.
fn tasks_of(problem: &Problem, strategy: &[Class], class: &Class) -> Vec<usize> {
    let mine = |t: &usize| {
        let traits = &problem.tasks[*t].traits;
        strategy.iter().find(|c| c.conditions.iter().all(|c| c.holds(traits))).is_some_and(|c| std::ptr::eq(c, class))
    };
    problem.answered().into_iter().filter(mine).collect()
}

fn about_class(problem: &Problem, strategy: &[Class], class: &Class) -> String {
    let tasks = tasks_of(problem, strategy, class);
    let result = tally(&problem.rounds, &class.steps, &tasks);
    let which = if class.conditions.is_empty() {
        "All programs".to_owned()
    } else {
        format!("Programs with {}", condition(class))
    };
    format!(
        "{which}: {} tasks that any configuration answers, {} solved here in {:.1} s.",
        tasks.len(),
        result.right,
        result.cpu
    )
}

/// What a step does alone, what it does in the strategy, and what the strategy would be without it.
fn about_step(problem: &Problem, strategy: &[Class], class: &Class, i: usize) -> String {
    let tasks = tasks_of(problem, strategy, class);
    let step = class.steps[i];
    let alone = tally(&problem.rounds, &[step], &tasks);
    let first = tasks
        .iter()
        .filter(|t| matches!(problem.rounds.ending(&class.steps, **t), Ending::Right(by, _) if by == i))
        .count();
    let with = tally(&problem.rounds, &class.steps, &tasks);
    let others: Vec<Step> = class.steps.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, s)| *s).collect();
    let without = tally(&problem.rounds, &others, &tasks);
    let lost = with.right as i64 - without.right as i64;
    let missed = if lost == 0 {
        format!("without it {:+.1} s", without.cpu - with.cpu)
    } else {
        format!("without it {:+} solved", -lost)
    };
    format!("Alone it solves {}; here it answers {} first; {missed}.", alone.right, first)
}

#[cfg(test)]
mod tests {
    use super::super::findings::findings;
    use super::super::measurements::{End, Run, Task};
    use super::super::propose::propose;
    use super::*;
    use serde_json::json;

    fn measurements() -> Measurements {
        let engine = |name: &str, config: &[(&str, &str)]| Engine {
            name: name.to_owned(),
            config: config.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        };
        let runs = |solves: usize| {
            let run = |i: usize| {
                let cpu = if i % 2 == solves { 8.0 } else { f64::INFINITY };
                Run { cpu, end: if cpu.is_finite() { End::Right } else { End::Nothing } }
            };
            (0..40).map(run).collect()
        };
        let task = |i: usize| Task {
            family: format!("f{}", i / 4),
            traits: json!({"threads": i % 2}).as_object().cloned().unwrap_or_default(),
        };
        Measurements {
            configurations: vec![
                ("values\n[[step]]".to_owned(), engine("cegar", &[("domain", "\"expl\""), ("max-enum", "10")])),
                ("oc".to_owned(), engine("oc", &[])),
            ],
            tasks: (0..40).map(task).collect(),
            runs: vec![runs(0), runs(1)],
            measured: 60.0,
            left_out: vec!["auto is a portfolio itself".to_owned()],
        }
    }

    #[test]
    fn the_file_says_what_and_why() {
        let measurements = measurements();
        let problem = Problem::new(&measurements, 10.0);
        let strategy = propose(&problem, &problem.answered());
        let text = strategy_toml(&problem, &measurements, &strategy, &findings(&problem, &strategy));
        let lines: Vec<&str> = text.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).collect();
        assert_eq!(
            lines,
            [
                "summary = \"learned from 40 tasks and 2 configurations at 10 s: 40 solved, held out 40, best single configuration 20, union 40\"",
                "[[step]]",
                "name = \"oc\"",
                "when = \"threads > 0\"",
                "engine = \"oc\"",
                "time = \"20ms\"",
                "growth = 2",
                "next = \"values\\u000A[[step]]\"",
                "[[step]]",
                "name = \"values\\u000A[[step]]\"",
                "when = \"threads <= 0\"",
                "engine = \"cegar\"",
                "config = { domain = \"expl\", max-enum = 10 }",
                "time = \"20ms\"",
                "growth = 2",
                "next = \"oc\"",
            ]
        );
        assert!(text.contains("# Alone it solves 20; here it answers 20 first; without it -20 solved."), "{text}");
        assert!(text.contains("# Left out: auto is a portfolio itself."));
    }

    #[test]
    fn no_step_is_called_end() {
        let mut measurements = measurements();
        measurements.configurations[0].0 = "end".to_owned();
        let steps = [0, 0, 1].map(|configuration| Step { configuration, slice: 0 });
        let class = Class { conditions: Vec::new(), steps: steps.to_vec() };
        assert_eq!(names(&[(&class, 0), (&class, 1), (&class, 2)], &measurements), ["end-2", "end-3", "oc"]);
    }
}
