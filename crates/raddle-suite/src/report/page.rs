//! The report as one page of HTML that needs nothing else: style, script and plots are inside. The tables are there without the script as well, which only
//! sorts and filters.

use super::matrix::{Matrix, Task};
use crate::escape::escape;
use crate::plot::svg::{Place, svg};
use crate::plot::{cactus::cactus, heatmap::heatmap, scatter::scatter};
use crate::record::{Answer, Record, contradictory};
use crate::summary::{Summary, summarize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Codes of `unknown` with a column of their own; rarer ones share one.
const CODES: usize = 6;

pub fn page(results: &Matrix) -> String {
    let body = [alarms(results), overview(results), plots(results), by_category(results), tasks(results)].concat();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Raddle: results of {} tasks</title>\n<style>\n{}</style>\n</head>\n<body>\n\
         <h1>Raddle: results</h1>\n<p class=\"facts\">{}</p>\n{body}<script>\n{}</script>\n</body>\n</html>\n",
        results.tasks.len(),
        include_str!("page.css"),
        facts(results),
        include_str!("page.js"),
    )
}

fn facts(results: &Matrix) -> String {
    let runs: usize = (0..results.configurations.len()).map(|c| results.runs_of(c).count()).sum();
    let whole = results.tasks.len() * results.configurations.len();
    let missing = if runs < whole { format!(" ({} missing)", whole - runs) } else { String::new() };
    format!(
        "{} tasks, {} configurations, {runs} runs{missing}. Limits: {} s of CPU time, {} MB. Raddle {}.",
        results.tasks.len(),
        results.configurations.len(),
        results.timeout,
        results.memory / 1_000_000,
        escape(&results.versions.join(", "))
    )
}

/// Wrong answers, contradictions where nobody says what is right, and errors: what to look at before anything else.
fn alarms(results: &Matrix) -> String {
    let mut wrong = String::new();
    let mut errors = String::new();
    let (mut wrong_count, mut error_count) = (0, 0);
    for (t, task) in results.tasks.iter().enumerate() {
        let runs: Vec<(&str, &Record)> = results
            .configurations
            .iter()
            .zip(&results.runs)
            .filter_map(|(c, runs)| Some((c.name.as_str(), runs[t].as_ref()?)))
            .collect();
        let contradiction = contradictory(runs.iter().map(|r| r.1));
        for (name, run) in &runs {
            let row = |last: &str| {
                format!(
                    "<tr><td class=\"l\">{}</td><td class=\"l\">{}</td><td class=\"l\">{}</td><td class=\"l bad\">{}</td>\
                     <td class=\"l\">{last}</td><td>{:.2}</td></tr>\n",
                    escape(&task.name),
                    escape(&task.property),
                    escape(name),
                    escape(&answer_text(&run.answer)),
                    run.cpu
                )
            };
            if run.is_wrong() {
                wrong_count += 1;
                wrong.push_str(&row(expected_text(task)));
            } else if contradiction && run.is_solved() {
                wrong_count += 1;
                wrong.push_str(&row("unknown, but configurations contradict each other"));
            } else if matches!(run.answer, Answer::Error(_)) {
                error_count += 1;
                errors.push_str(&row(expected_text(task)));
            }
        }
    }
    let table = |rows: &str| {
        format!(
            "<div class=\"wide\"><table class=\"sortable\"><thead><tr><th class=\"l\">task</th><th class=\"l\">property</th>\
             <th class=\"l\">configuration</th><th class=\"l\">answer</th><th class=\"l\">expected</th><th>CPU s</th></tr></thead>\
             <tbody>\n{rows}</tbody></table></div>"
        )
    };
    let mut out = if wrong_count == 0 {
        "<p class=\"calm\">No wrong answers.</p>\n".to_owned()
    } else {
        format!(
            "<section class=\"alarm\"><h2>{wrong_count} wrong answer{}</h2>{}</section>\n",
            plural(wrong_count),
            table(&wrong)
        )
    };
    if error_count > 0 {
        let heading = format!("{error_count} run{} without a verdict", plural(error_count));
        let _ = writeln!(out, "<details><summary><h2>{heading}</h2></summary>{}</details>", table(&errors));
    }
    out
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

fn answer_text(answer: &Answer) -> String {
    match answer {
        Answer::True => "true".to_owned(),
        Answer::False => "false".to_owned(),
        Answer::Unknown(code) => code.clone(),
        Answer::Error(what) => format!("error: {what}"),
    }
}

fn expected_text(task: &Task) -> &'static str {
    match task.expected {
        Some(true) => "true",
        Some(false) => "false",
        None => "",
    }
}

/// The codes of `unknown` that have columns, the most frequent first.
fn codes(results: &Matrix) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for c in 0..results.configurations.len() {
        for (code, n) in summarize(results.runs_of(c)).unknown {
            *counts.entry(code).or_default() += n;
        }
    }
    let mut codes: Vec<(String, usize)> = counts.into_iter().collect();
    codes.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    codes.into_iter().map(|c| c.0).take(CODES).collect()
}

fn summary_head(first: &str, codes: &[String]) -> String {
    let mut out = format!(
        "<thead><tr>{first}<th class=\"l\">configuration</th><th>tasks</th><th>right</th><th>true</th><th>false</th><th>wrong</th><th>score</th>"
    );
    for code in codes {
        let _ = write!(out, "<th>{}</th>", escape(code));
    }
    out.push_str("<th>other</th><th>errors</th><th>CPU s</th><th>CPU s of right</th><th>memory MB</th></tr></thead>\n");
    out
}

fn summary_cells(s: &Summary, codes: &[String]) -> String {
    let bad = |n: usize| if n > 0 { format!("<td class=\"bad\">{n}</td>") } else { "<td>0</td>".to_owned() };
    let mut out = format!(
        "<td>{}</td><td>{}</td><td>{}</td><td>{}</td>{}<td>{}</td>",
        s.runs,
        s.right(),
        s.right_true,
        s.right_false,
        bad(s.wrong()),
        s.score
    );
    for code in codes {
        let _ = write!(out, "<td>{}</td>", s.unknown.get(code).copied().unwrap_or(0));
    }
    let other: usize = s.unknown.iter().filter(|(code, _)| !codes.contains(code)).map(|(_, n)| n).sum();
    let _ = write!(
        out,
        "<td>{other}</td>{}<td>{:.1}</td><td>{:.1}</td><td>{}</td>",
        bad(s.errors),
        s.cpu,
        s.cpu_right,
        s.memory / 1_000_000
    );
    out
}

fn overview(results: &Matrix) -> String {
    let codes = codes(results);
    let mut out = "<h2>Configurations</h2>\n<div class=\"wide\"><table class=\"sortable\">".to_owned();
    out.push_str(&summary_head("", &codes));
    out.push_str("<tbody>\n");
    for (c, configuration) in results.configurations.iter().enumerate() {
        let s = summarize(results.runs_of(c));
        let options = escape(&configuration.options.join(" ")).into_owned();
        let name = escape(&configuration.name);
        let _ = writeln!(out, "<tr><td class=\"l\" title=\"{options}\">{name}</td>{}</tr>", summary_cells(&s, &codes));
    }
    out.push_str("</tbody></table></div>\n<details><summary>Options of the configurations</summary><table><tbody>\n");
    for configuration in &results.configurations {
        let (name, options) = (&configuration.name, configuration.options.join(" "));
        let _ = writeln!(
            out,
            "<tr><td class=\"l\">{}</td><td class=\"l\"><code>{}</code></td></tr>",
            escape(name),
            escape(&options)
        );
    }
    out.push_str("</tbody></table></details>\n");
    out
}

fn plots(results: &Matrix) -> String {
    if results.tasks.is_empty() {
        return String::new();
    }
    let mut figures = vec![cactus(results), heatmap(results)];
    // The two that solve most.
    let mut order: Vec<usize> = (0..results.configurations.len()).collect();
    order.sort_by_key(|c| std::cmp::Reverse(results.runs_of(*c).filter(|r| r.is_right()).count()));
    if let [first, second, ..] = order[..] {
        figures.push(scatter(results, first, second));
    }
    let drawn: Vec<String> = figures.iter().map(|f| format!("<div>{}</div>\n", svg(f, Place::Page))).collect();
    format!("<h2>Plots</h2>\n<div class=\"plots\">\n{}</div>\n", drawn.concat())
}

fn by_category(results: &Matrix) -> String {
    let categories = results.categories();
    if categories.len() < 2 {
        return String::new();
    }
    let codes = codes(results);
    let mut out =
        "<details open><summary><h2>Categories</h2></summary>\n<div class=\"wide\"><table class=\"sortable\">"
            .to_owned();
    out.push_str(&summary_head("<th class=\"l\">category</th>", &codes));
    out.push_str("<tbody>\n");
    for category in categories {
        for (configuration, runs) in results.configurations.iter().zip(&results.runs) {
            let here = results.tasks.iter().zip(runs).filter(|(t, _)| t.category == category);
            let s = summarize(here.filter_map(|(_, run)| run.as_ref()));
            let _ = writeln!(
                out,
                "<tr><td class=\"l\">{}</td><td class=\"l\">{}</td>{}</tr>",
                escape(category),
                escape(&configuration.name),
                summary_cells(&s, &codes)
            );
        }
    }
    out.push_str("</tbody></table></div></details>\n");
    out
}

fn tasks(results: &Matrix) -> String {
    let several = results.tasks.iter().any(|t| t.property != results.tasks[0].property);
    let mut out = String::from("<h2>Tasks</h2>\n");
    out.push_str(&filter_form(results));
    out.push_str("<table id=\"tasks\" class=\"sortable\"><thead><tr><th class=\"l\">task</th>");
    if several {
        out.push_str("<th class=\"l\">property</th>");
    }
    out.push_str("<th class=\"l\">category</th><th class=\"l\">expected</th>");
    for configuration in &results.configurations {
        let _ = write!(out, "<th>{}</th>", escape(&configuration.name));
    }
    out.push_str("</tr></thead><tbody>\n");
    for (t, task) in results.tasks.iter().enumerate() {
        let runs: Vec<Option<&Record>> = results.runs.iter().map(|runs| runs[t].as_ref()).collect();
        let (name, category) = (escape(&task.name), escape(&task.category));
        let _ = write!(out, "<tr data-c=\"{category}\" data-s=\"{}\"><td class=\"l\">{name}</td>", statuses(&runs));
        if several {
            let _ = write!(out, "<td class=\"l\">{}</td>", escape(&task.property));
        }
        let _ = write!(out, "<td class=\"l\">{category}</td><td class=\"l\">{}</td>", expected_text(task));
        for run in runs {
            out.push_str(&run_cell(run));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>\n");
    out
}

fn filter_form(results: &Matrix) -> String {
    let mut out =
        "<form class=\"filter\"><label>category<select name=\"category\"><option value=\"\">all</option>".to_owned();
    for category in results.categories() {
        let category = escape(category);
        let _ = write!(out, "<option value=\"{category}\">{category}</option>");
    }
    out.push_str("</select></label><label>status<select name=\"status\"><option value=\"\">all</option>");
    for (value, text) in STATUSES {
        let _ = write!(out, "<option value=\"{value}\">{text}</option>");
    }
    out.push_str(
        "</select></label><label>text<input name=\"text\" type=\"search\" placeholder=\"words in the row\"></label>\
         <span id=\"count\"></span></form>\n",
    );
    out
}

const STATUSES: [(&str, &str); 6] = [
    ("wrong", "wrong answers"),
    ("all", "solved by all"),
    ("some", "solved by some"),
    ("one", "solved by one only"),
    ("none", "solved by none"),
    ("error", "without a verdict"),
];

/// What the filter knows of a task.
fn statuses(runs: &[Option<&Record>]) -> String {
    let present: Vec<&Record> = runs.iter().flatten().copied().collect();
    let right = present.iter().filter(|r| r.is_right()).count();
    let mut out = vec![match right {
        0 => "none",
        n if n == present.len() => "all",
        _ => "some",
    }];
    if right == 1 {
        out.push("one");
    }
    if present.iter().any(|r| r.is_wrong()) || contradictory(present.iter().copied()) {
        out.push("wrong");
    }
    if present.iter().any(|r| matches!(r.answer, Answer::Error(_))) {
        out.push("error");
    }
    out.join(" ")
}

/// Sorted by time: what is not solved has none.
fn run_cell(run: Option<&Record>) -> String {
    let Some(run) = run else { return "<td data-v=\"\"></td>".to_owned() };
    let class = match &run.answer {
        _ if run.is_wrong() => "w",
        Answer::True => "t",
        Answer::False => "f",
        Answer::Unknown(_) => "u",
        Answer::Error(_) => "e",
    };
    let key = if run.is_right() { format!("{:.3}", run.cpu) } else { String::new() };
    let text = match &run.answer {
        // The cell is narrow; what happened stands in its title.
        Answer::Error(_) => "error".to_owned(),
        answer => answer_text(answer),
    };
    let mut title = format!("{:.2} s wall, {} MB", run.wall, run.memory / 1_000_000);
    if let Some(step) = &run.step {
        let _ = write!(title, ", by {step}");
    }
    if let Answer::Error(what) = &run.answer {
        let _ = write!(title, ", {what}");
    }
    format!(
        "<td class=\"{class}\" data-v=\"{key}\" title=\"{}\">{} <small>{:.2}</small></td>",
        escape(&title),
        escape(&text),
        run.cpu
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::test_runs::{results, run};

    #[test]
    fn wrong_answers_come_first() {
        let page = page(&results(&[("x", vec![run("a.c", Some(false), Answer::True, 1.0)])]));
        let alarm = page.find("<h2>1 wrong answer</h2>").expect("an alarm");
        assert!(alarm < page.find("<h2>Configurations</h2>").expect("a summary"));
        assert!(page.contains("data-s=\"none wrong\""));
    }

    #[test]
    fn contradictions_are_wrong_answers() {
        let says = |answer| vec![run("a.c", None, answer, 1.0)];
        let page = page(&results(&[("x", says(Answer::True)), ("y", says(Answer::False))]));
        assert!(page.contains("<h2>2 wrong answers</h2>"));
    }

    #[test]
    fn everything_is_escaped() {
        let evil = "<script>alert('\"x\"')</script>";
        let mut record = run(evil, Some(true), Answer::Error(evil.to_owned()), 1.0);
        record.property = evil.to_owned();
        record.category = Some(evil.to_owned());
        record.step = Some(evil.to_owned());
        let mut other = run("b.c", Some(true), Answer::Unknown(evil.to_owned()), 1.0);
        other.category = Some("good".to_owned());
        let mut results = results(&[(evil, vec![record, other])]);
        results.versions = vec![evil.to_owned()];
        results.configurations[0].options = vec![evil.to_owned()];
        let page = page(&results);
        assert_eq!(page.matches("<script>").count(), 1);
        assert!(!page.contains("alert('"));
    }

    #[test]
    fn nothing_is_loaded() {
        let page = page(&results(&[("x", vec![run("a.c", Some(true), Answer::True, 1.0)])]));
        for word in ["src=", "href=", "@import", "url("] {
            assert!(!page.contains(word), "{word}");
        }
    }

    #[test]
    fn a_large_page_stays_small() {
        let runs: Vec<Record> =
            (0..1000).map(|i| run(&format!("folder/some-task-{i}.c"), Some(true), Answer::True, 0.5)).collect();
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let all: Vec<(&str, Vec<Record>)> = names.iter().map(|n| (*n, runs.clone())).collect();
        assert!(page(&results(&all)).len() < 2_000_000);
    }
}
