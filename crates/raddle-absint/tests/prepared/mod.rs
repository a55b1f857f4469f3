//! C to a prepared Program and to its facts, in one call.
#![allow(dead_code)]

use raddle_absint::{Facts, Options, analyse};
use raddle_analysis::weak_topological_order;
use raddle_engine::{Blocks, Form, Task};
use raddle_ir::{Label, LocId, MemoryModel, Names, ProcId, Program};
use raddle_passes::Lbe;

pub fn prepared(program: Program, lbe: Lbe) -> Program {
    let blocks = Blocks { recursion_bound: 1, keep_globals: false, sliced: false, cells: false, lbe };
    let task = Task::new(program, MemoryModel::Sc);
    let prepared = task.prepared(Form::Blocks(blocks));
    Program::clone(&prepared.unwrap_or_else(|_| panic!("a test is small")))
}

pub fn facts(program: &Program) -> Facts {
    analyse(program, &Options::default(), &|| false)
}

/// The facts at some locations as text, sorted.
fn texts(program: &Program, facts: &Facts, at: &[(ProcId, LocId)]) -> Vec<String> {
    let names = Names::new(program);
    let grown = Program { pool: facts.pool.clone(), ..program.clone() };
    let text = |proc, fact| raddle_ir::text::expr_text(&grown, &names, Some(proc), fact);
    let all =
        at.iter().flat_map(|(proc, loc)| facts.at[proc.index()][loc.index()].iter().map(|fact| text(*proc, *fact)));
    let mut all: Vec<String> = all.collect();
    all.sort();
    all
}

/// The facts at the loop heads of a C program.
pub fn at_heads(text: &str) -> Vec<String> {
    let program = prepared(raddle_testing::lowered(text), Lbe::Full);
    let mut heads = Vec::new();
    for (id, proc) in (0..).map(ProcId).zip(&program.procs) {
        let wto = weak_topological_order(proc, &proc.out_edges());
        heads.extend(wto.components.iter().map(|component| (id, component.head)));
    }
    let facts = facts(&program);
    assert_eq!(facts.given_up, None);
    texts(&program, &facts, &heads)
}

/// Do the facts say that no error is reached?
pub fn errors_are_unreachable(text: &str) -> bool {
    let program = prepared(raddle_testing::lowered(text), Lbe::None);
    let facts = facts(&program);
    let mut found = 0;
    for (proc, at) in program.procs.iter().zip(&facts.at) {
        for edge in proc.edges.iter().filter(|edge| edge.labels.iter().any(|label| matches!(label, Label::Error(_)))) {
            found += 1;
            if !at[edge.source.index()].iter().any(|fact| facts.pool.is_bool(*fact, false)) {
                return false;
            }
        }
    }
    assert!(found > 0, "there is no error in\n{text}");
    true
}
