//! Calls through pointers from outside: a pointer that is an input or the result of a function that nobody defines leads to code that nobody knows. Such a call is a gap,
//! unless the pointer is the address of a function that it may point to (one that it was compared with, say), or null, which ends the path. A pointer that nobody wrote is another matter:
//! to use it is undefined behaviour, which ends the path. The pass runs once, on the Program as lowered: what is replayed has the gap too.

use raddle_analysis::{NULL_ENDS, PointsTo, from_outside, points_to};
use raddle_ir::{BinOp, Callee, Edge, ExprId, Gap, GapId, GapKind, Label, LocId, LocKind, Location, Origin, Program};

/// Puts a gap beside each call through a pointer from outside.
pub fn stray_calls(mut program: Program) -> Program {
    if !program.procs.iter().flat_map(|proc| &proc.edges).any(|edge| pointer(&program, edge).is_some()) {
        return program;
    }
    let points_to = points_to(&program);
    let from_outside = from_outside(&program, &points_to);
    for proc in 0..program.procs.len() {
        for edge in 0..program.procs[proc].edges.len() {
            let called = pointer(&program, &program.procs[proc].edges[edge]);
            if let Some((at, address)) = called.filter(|(_, address)| from_outside.contains(address)) {
                let is_known = is_known(&mut program, &points_to, address);
                split(&mut program, proc, edge, at, is_known);
            }
        }
    }
    program
}

/// The label of an edge that calls or starts what a pointer leads to.
fn pointer(program: &Program, edge: &Edge) -> Option<(usize, ExprId)> {
    edge.labels.iter().enumerate().find_map(|(at, label)| match *label {
        Label::Call { callee: Callee::Address(address), .. }
        | Label::Start { callee: Callee::Address(address), .. } => {
            program.pool.as_const(address).is_none().then_some((at, address))
        }
        _ => None,
    })
}

/// The address is that of a function, or as good as null.
fn is_known(program: &mut Program, points_to: &PointsTo, address: ExprId) -> ExprId {
    let width = program.pointer_bits;
    let functions = points_to.functions(program, address);
    let functions: Vec<u64> =
        functions.into_iter().map(|(object, _)| program.objects[object.index()].address).collect();
    let pool = &mut program.pool;
    let ends = pool.bits(width, NULL_ENDS.into());
    let mut known = pool.binary(BinOp::ULt, address, ends);
    for function in functions {
        let function = pool.bits(width, function.into());
        let is_this = pool.eq(address, function);
        known = pool.or(known, is_this);
    }
    known
}

/// What stands before the label goes to a location from where the call follows, or the gap.
fn split(program: &mut Program, proc: usize, edge: usize, at: usize, is_known: ExprId) {
    let is_not = program.pool.not(is_known);
    let span = program.procs[proc].edges[edge].span;
    let file = program.files.get(span.file.0 as usize).map_or("", |file| file);
    let message = format!("{file}:{}: unmodelled: a call through a pointer whose value nobody determines\n", span.line);
    let gap = GapId(program.gaps.len() as u32);
    program.gaps.push(Gap { kind: GapKind::Unmodelled, message });
    let procedure = &mut program.procs[proc];
    let mut location = |kind: LocKind| {
        procedure.locations.push(Location { kind, span, origin: Origin::default() });
        LocId(procedure.locations.len() as u32 - 1)
    };
    let (fork, call, unknown) = (location(LocKind::Normal), location(LocKind::Normal), location(LocKind::Gap(gap)));
    let old = &mut procedure.edges[edge];
    let before = Edge { labels: old.labels.drain(..at).collect(), target: fork, ..old.clone() };
    let assume = |cond: ExprId, target: LocId| Edge {
        source: fork,
        target,
        labels: vec![Label::Assume(cond)],
        span,
        is_silent: false,
    };
    let edges = [before, assume(is_known, call), assume(is_not, unknown)];
    old.source = call;
    procedure.edges.extend(edges);
}
