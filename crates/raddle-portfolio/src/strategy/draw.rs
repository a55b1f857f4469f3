//! A strategy as a GraphViz graph.

use super::{Step, StepId, Strategy, Time};
use std::fmt::Write as _;

/// Steps are boxes (spare ones dashed), conditions diamonds before them, ways on are arrows.
pub fn to_dot(strategy: &Strategy) -> String {
    let mut out =
        String::from("digraph strategy {\n  node [fontname=\"sans-serif\"]; edge [fontname=\"sans-serif\"];\n");
    // Writing to a string cannot fail.
    let _ = writeln!(out, "  label={}; labelloc=t;", quoted(&strategy.summary));
    let entry = |id: Option<StepId>| match id {
        Some(id) if strategy.steps[id].when.is_some() => format!("when{id}"),
        Some(id) => format!("step{id}"),
        None => "end".into(),
    };
    let _ = writeln!(out, "  begin [shape=point]; begin -> {};", entry(Some(0)));
    for (id, step) in strategy.steps.iter().enumerate() {
        let style = if step.spare { ", style=dashed" } else { "" };
        let _ = writeln!(out, "  step{id} [shape=box{style}, label={}];", quoted(&label(step)));
        if let Some(when) = &step.when {
            let _ = writeln!(out, "  when{id} [shape=diamond, label={}];", quoted(&when.to_string()));
            let _ = writeln!(out, "  when{id} -> step{id} [label=yes];");
            let _ = writeln!(out, "  when{id} -> {} [label=no];", entry(step.otherwise));
        }
        for (code, target) in &step.on {
            let _ = writeln!(out, "  step{id} -> {} [label={}];", entry(*target), quoted(code.name()));
        }
        let _ = writeln!(out, "  step{id} -> {} [label=\"no answer\"];", entry(step.next));
    }
    out.push_str("  end [shape=doublecircle, label=\"\", width=0.15];\n}\n");
    out
}

fn label(step: &Step) -> String {
    let time = match step.time {
        Time::All => "all the time".into(),
        Time::Share(share) => format!("{:.0} % of the time", share * 100.0),
        Time::ShareOfRest(share) => format!("{:.0} % of the rest", share * 100.0),
        Time::Slice(slice) => format!("{slice:?}"),
    };
    let growth = if step.growth > 1.0 { format!(", then x{}", step.growth) } else { String::new() };
    let config = match &step.config {
        serde_json::Value::Object(options) => {
            options.iter().map(|(name, value)| format!("\n{name} = {value}").replace('"', "")).collect()
        }
        _ => String::new(),
    };
    format!("{}\n{}{config}\n{time}{growth}", step.name, step.engine)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::super::{BUILT_IN, read};
    use super::*;

    #[test]
    fn every_step_is_drawn() {
        for (name, text) in BUILT_IN {
            let strategy = read(name, text).unwrap();
            let dot = to_dot(&strategy);
            assert!(strategy.steps.iter().all(|step| dot.contains(&step.name)), "{dot}");
            assert_eq!(dot.matches('{').count(), dot.matches('}').count());
        }
    }
}
