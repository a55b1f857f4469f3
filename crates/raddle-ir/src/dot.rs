//! A Program as a graph for Graphviz: one cluster for each procedure.

use crate::names::Names;
use crate::program::{Edge, Label, LocId, ProcId, Procedure, Program};
use crate::text::label_text;
use std::fmt::Write as _;

pub fn to_dot(program: &Program) -> String {
    let names = Names::new(program);
    let mut out = String::from(
        "digraph program {\n  node [shape=circle, fontsize=10];\n  edge [fontsize=10, fontname=monospace];\n",
    );
    for (i, proc) in program.procs.iter().enumerate() {
        procedure(&mut out, program, &names, ProcId(i as u32), proc);
    }
    out.push_str("}\n");
    out
}

fn procedure(out: &mut String, program: &Program, names: &Names, id: ProcId, proc: &Procedure) {
    let params: Vec<String> = proc.params.iter().map(|param| names.var(*param, Some(id))).collect();
    let title = format!("{}({})", names.proc(id), params.join(", "));
    let _ = writeln!(out, "  subgraph cluster_{} {{\n    label=\"{}\";", id.0, escape(&title));
    for (l, location) in proc.locations.iter().enumerate() {
        let mut style = String::new();
        if LocId(l as u32) == proc.entry {
            style.push_str(", style=bold");
        }
        if LocId(l as u32) == proc.exit {
            style.push_str(", shape=doublecircle");
        }
        if location.kind.is_cut_off() {
            style.push_str(", style=dashed");
        }
        let _ = writeln!(out, "    p{}_{l} [label=\"L{l}\"{style}];", id.0);
    }
    for edge in &proc.edges {
        let style = if edge.labels.iter().any(|label| matches!(label, Label::Error(_))) { ", color=red" } else { "" };
        let _ = writeln!(
            out,
            "    p{p}_{} -> p{p}_{} [label=\"{}\"{style}];",
            edge.source.0,
            edge.target.0,
            edge_label(program, names, id, edge),
            p = id.0,
        );
    }
    out.push_str("  }\n");
}

/// One line for each label, aligned to the left.
fn edge_label(program: &Program, names: &Names, proc: ProcId, edge: &Edge) -> String {
    let mut text = String::new();
    for label in &edge.labels {
        text.push_str(&escape(&label_text(program, names, Some(proc), label)));
        text.push_str("\\l");
    }
    text
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
