//! The abstract reachability graph for Graphviz: a node has the places of the threads and what is known of data, an edge the statements of its action; a
//! dashed edge leads from a covered node to the one that covers it.

use crate::domains::precision::Precision;
use crate::domains::state::{Data, States};
use crate::graph::arg::{Arg, Status};
use crate::model::Model;
use crate::model::show;
use crate::model::threads::{At, Threads};
use std::fmt::Write;

pub fn dot(model: &Model, precision: &Precision, arg: &Arg, states: &States) -> String {
    let mut text =
        String::from("digraph arg {\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n");
    for id in arg.live() {
        let node = arg.node(id);
        let mut lines = vec![format!("{}: {}", id.0, places(model, states.threads.get(node.threads)))];
        lines.extend(knowledge(model, precision, states.data.get(node.data)));
        if let Some(explored) = &node.explored {
            lines.push(format!("threads explored: {explored:?}"));
        }
        let style = match node.status {
            Status::Waiting => ", style=dotted",
            Status::Covered(_) => ", style=dashed",
            Status::Target => ", style=filled, fillcolor=tomato",
            Status::Expanded | Status::Removed => "",
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  n{} [label=\"{}\"{style}];", id.0, escaped(&lines.join("\n")));
        if let Some((parent, action)) = node.parent {
            let action = model.action(action);
            let statements = action.statements.iter().map(|statement| show::statement(model, statement));
            let label = format!("{}: {}", action.slot, statements.collect::<Vec<_>>().join("\n"));
            let _ = writeln!(text, "  n{} -> n{} [label=\"{}\"];", parent.0, id.0, escaped(&label));
        }
        if let Status::Covered(by) = node.status {
            let _ = writeln!(text, "  n{} -> n{} [style=dashed, constraint=false];", id.0, by.0);
        }
    }
    text.push_str("}\n");
    text
}

fn places(model: &Model, threads: &Threads) -> String {
    let place = |thread: &crate::model::threads::Thread| {
        let name = &model.program.proc(thread.proc).name;
        match thread.at {
            At::Location(location) => format!("{name}@{}", location.0),
            At::Ended => format!("{name} ended"),
            At::Stopped => format!("{name} stopped"),
        }
    };
    threads.threads.iter().map(place).collect::<Vec<_>>().join(", ")
}

fn knowledge(model: &Model, precision: &Precision, data: &Data) -> Vec<String> {
    let value = |(var, bits): (raddle_ir::VarId, u128)| {
        let value = match model.vars.sort(var) {
            raddle_ir::Sort::Array { .. } => model.memory.show_content(bits),
            sort => show::constant(raddle_ir::Const { sort, bits }),
        };
        format!("{} = {value}", model.vars.name(model.program, var))
    };
    let mut lines: Vec<String> = data.values.iter().map(value).collect();
    for cube in data.cubes.iter().filter(|cube| !cube.0.is_empty()) {
        let literal = |(id, holds): &(crate::domains::precision::PredId, bool)| {
            format!("{}{}", if *holds { "" } else { "!" }, show::expr(model, precision.predicate(*id).expr))
        };
        lines.push(cube.0.iter().map(literal).collect::<Vec<_>>().join(" && "));
    }
    lines
}

/// In quotes, with lines that are aligned at the left.
fn escaped(text: &str) -> String {
    let mut result = String::new();
    for line in text.lines() {
        result.push_str(&line.replace('\\', "\\\\").replace('"', "\\\""));
        result.push_str("\\l");
    }
    result
}
