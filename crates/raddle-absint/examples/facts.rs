//! The facts at the loop heads of C files, and whether the errors are out of reach by the facts alone.
//!
//!     cargo run --release -p raddle-absint --example facts -- FILE.c ...

use raddle_absint::{Options, analyse};
use raddle_analysis::weak_topological_order;
use raddle_engine::{Blocks, Form, Task};
use raddle_ir::{Label, MemoryModel, Names, ProcId, Program};
use raddle_passes::Lbe;
use std::path::Path;
use std::time::Instant;

fn main() {
    for file in std::env::args().skip(1) {
        let task = Task::new(raddle_testing::lowered_file(Path::new(&file)), MemoryModel::Sc);
        for lbe in [Lbe::None, Lbe::Full] {
            let blocks = Blocks { recursion_bound: 1, keep_globals: false, sliced: false, cells: false, lbe };
            let Ok(program) = task.prepared(Form::Blocks(blocks)) else {
                println!("{file}: too large");
                continue;
            };
            tell(&file, &program, lbe == Lbe::Full);
        }
    }
}

fn tell(file: &str, program: &Program, in_full: bool) {
    let begin = Instant::now();
    let facts = analyse(program, &Options::default(), &|| false);
    let seconds = begin.elapsed().as_secs_f64();
    let grown = Program { pool: facts.pool.clone(), ..program.clone() };
    let names = Names::new(program);
    let (mut edges, mut open) = (0, 0);
    for (i, proc) in program.procs.iter().enumerate() {
        edges += proc.edges.len();
        for edge in proc.edges.iter().filter(|edge| edge.labels.iter().any(|label| matches!(label, Label::Error(_)))) {
            let here = &facts.at[i][edge.source.index()];
            open += usize::from(!here.iter().any(|fact| facts.pool.is_bool(*fact, false)));
        }
    }
    println!("{file}: {edges} edges, {seconds:.3} s, {open} errors open {}", facts.given_up.unwrap_or_default());
    if !in_full {
        return;
    }
    for (i, proc) in program.procs.iter().enumerate() {
        for component in weak_topological_order(proc, &proc.out_edges()).components {
            println!("  {:?} of {}", component.head, proc.name);
            for fact in &facts.at[i][component.head.index()] {
                println!("    {}", raddle_ir::text::expr_text(&grown, &names, Some(ProcId(i as u32)), *fact));
            }
        }
    }
}
