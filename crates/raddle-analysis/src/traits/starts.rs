//! How threads are started.

use super::Traits;
use super::definitions::At;
use super::loops::Loops;
use super::reach::{Reached, peel};
use raddle_ir::{Callee, Label, ObjectKind, ProcId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// How often something runs, as far as loops tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Often {
    Once,
    Bounded,
    Unbounded,
}

/// `starts`: the labels that start threads, by themselves or by a library model.
pub(super) fn count(reached: &Reached, loops: &Loops, starts: &[At], traits: &mut Traits) {
    if starts.is_empty() {
        return;
    }
    let program = reached.program;
    let procs = how_often(reached, loops);
    let mut of_function: FxHashMap<ProcId, u32> = FxHashMap::default();
    // Who may want the handle or not has two edges for one start.
    let mut seen: FxHashSet<(ProcId, Span)> = FxHashSet::default();
    for at in starts {
        let edge = &program.proc(at.proc).edges[at.edge.index()];
        if !seen.insert((at.proc, edge.span)) {
            continue;
        }
        traits.threads += 1;
        let often = here(loops, at.proc, edge.source).max(procs[at.proc.index()]);
        traits.threads_in_loops |= often >= Often::Bounded;
        traits.threads_unbounded |= often == Often::Unbounded;
        let functions = match &edge.labels[at.label] {
            Label::Start { callee: Callee::Proc(callee), .. } => vec![*callee],
            Label::Start { callee: Callee::Address(_), .. } => reached.started_by_pointer().to_vec(),
            // By a library model: the functions among the arguments.
            Label::Call { args, .. } => {
                let constants = args.iter().filter_map(|arg| program.pool.as_const(*arg));
                constants.filter_map(|address| function_at(reached, address.bits)).collect()
            }
            _ => vec![],
        };
        functions.into_iter().for_each(|function| *of_function.entry(function).or_default() += 1);
    }
    traits.thread_functions = of_function.len() as u32;
    traits.threads_of_one = of_function.values().copied().max().unwrap_or(0);
}

fn function_at(reached: &Reached, address: u128) -> Option<ProcId> {
    let mut objects = reached.program.objects.iter();
    objects.find_map(|object| match object.kind {
        ObjectKind::Function(proc) if u128::from(object.address) == address => Some(proc),
        _ => None,
    })
}

/// How often a location runs in one activation of its procedure.
fn here(loops: &Loops, proc: ProcId, loc: raddle_ir::LocId) -> Often {
    let of_loop = |around: usize| if loops.all[around].is_bounded { Often::Bounded } else { Often::Unbounded };
    loops.around(proc, loc).map(of_loop).max().unwrap_or(Often::Once)
}

/// How often procedures run: what a cycle of calls and starts leads to is unbounded, the rest as often as the loops around its calls.
fn how_often(reached: &Reached, loops: &Loops) -> Vec<Often> {
    let mut result = vec![Often::Once; reached.nodes()];
    let peeled = peel(reached.nodes(), reached.graph().map(|(a, b, _)| (a, b)));
    let mut out = vec![Vec::new(); reached.nodes()];
    for (from, to, site) in reached.graph() {
        out[from].push((to, site.map_or(Often::Once, |site| here(loops, site.caller, site.at))));
    }
    for (node, often) in result.iter_mut().enumerate() {
        if !peeled.is_peeled.contains(node) {
            *often = Often::Unbounded;
        }
    }
    for node in peeled.order {
        for &(to, often) in &out[node] {
            result[to] = result[to].max(often).max(result[node]);
        }
    }
    result
}
