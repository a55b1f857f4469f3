//! How the time of the analysis grows with the Program: straight-line code, branches and loops over more and more variables.
//!
//!     cargo run --release -p raddle-absint --example growth

use raddle_absint::{Options, analyse};
use raddle_ir::{BinOp, Label, Program, VarId};
use raddle_testing::{Builder, EXIT, Random};
use std::time::Instant;

/// A procedure of about so many edges over so many variables: runs of assignments, branches, and loops that count.
fn program(edges: u32, variables: usize) -> Program {
    let mut b = Builder::new();
    let main = b.proc("main");
    let vars: Vec<VarId> = (0..variables).map(|i| b.local(main, &format!("v{i}"), 32)).collect();
    let mut dice = Random::new(u64::from(edges));
    let (mut at, mut next, mut made) = (0, 1, 0);
    for var in &vars {
        let value = b.num(32, u128::from(dice.below(10)));
        b.edge(main, at, next, vec![Label::Assign { var: *var, value }]);
        (at, next, made) = (next, next + 1, made + 1);
    }
    while made < edges {
        // A neighbourhood of variables, as a function has.
        let near = dice.index(variables);
        let pick = |dice: &mut Random| vars[(near + dice.index(8)) % variables];
        let (x, y) = (pick(&mut dice), pick(&mut dice));
        let (vx, vy, one, limit) = (b.get(x), b.get(y), b.num(32, 1), b.num(32, 100));
        let more = b.bin(BinOp::BvAdd, vx, one);
        let sum = b.bin(BinOp::BvAdd, vx, vy);
        let less = b.bin(BinOp::SLt, vx, limit);
        let not_less = b.pool().not(less);
        match dice.below(10) {
            0 => {
                // while (x < 100) { x = x + 1; y = x + y; }
                let (head, body, end) = (next, next + 1, next + 2);
                b.edge(main, at, head, vec![]);
                b.edge(main, head, body, vec![Label::Assume(less), Label::Assign { var: x, value: more }]);
                b.edge(main, body, head, vec![Label::Assign { var: y, value: sum }]);
                b.edge(main, head, end, vec![Label::Assume(not_less)]);
                (at, next, made) = (end, next + 3, made + 4);
            }
            1..4 => {
                let (then, end) = (next, next + 1);
                b.edge(main, at, then, vec![Label::Assume(less), Label::Assign { var: y, value: more }]);
                b.edge(main, then, end, vec![]);
                b.edge(main, at, end, vec![Label::Assume(not_less)]);
                (at, next, made) = (end, next + 2, made + 3);
            }
            _ => {
                let value = if dice.one_in(2) { more } else { b.num(32, u128::from(dice.below(50))) };
                b.edge(main, at, next, vec![Label::Assign { var: y, value }]);
                (at, next, made) = (next, next + 1, made + 1);
            }
        }
    }
    b.edge(main, at, EXIT, vec![]);
    b.finish()
}

fn main() {
    println!("{:>8} {:>9} {:>10} {:>10} {:>10}", "edges", "variables", "facts", "seconds", "without");
    for (edges, variables) in
        [(1_000, 100), (2_000, 200), (5_000, 500), (10_000, 1_000), (20_000, 2_000), (40_000, 4_000)]
    {
        let program = program(edges, variables);
        let time = |relational| {
            let begin = Instant::now();
            let options = Options { relational, ..Options::default() };
            let facts = analyse(&program, &options, &|| false);
            let count = facts.at.iter().flatten().map(Vec::len).sum::<usize>();
            assert!(facts.given_up.is_none(), "{:?}", facts.given_up);
            (begin.elapsed().as_secs_f64(), count)
        };
        let ((all, facts), (without, _)) = (time(true), time(false));
        println!("{:>8} {variables:>9} {facts:>10} {all:>10.3} {without:>10.3}", program.procs[0].edges.len());
    }
}
