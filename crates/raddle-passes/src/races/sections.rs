//! Which atomic sections (`__VERIFIER_atomic_begin` to `end`) are open at each location: all that are possible, over calls that open or close some.

use raddle_analysis::points_to::PointsTo;
use raddle_ir::{Callee, Label, LocId, ProcId, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Atomic sections around a place: of the program, and of the library's models.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Sections {
    pub own: i32,
    pub librarys: i32,
    /// Something was written since the program's section began.
    pub has_written: bool,
}

/// What may be around a location.
pub type AtPlaces = FxHashMap<(ProcId, LocId), BTreeSet<Sections>>;
type InProcedure = FxHashMap<LocId, BTreeSet<Sections>>;

/// The atomic sections around each location: all that are possible.
pub fn sections(program: &Program, points_to: &PointsTo) -> AtPlaces {
    let flow = Flow {
        program,
        callees: callees(program, points_to),
        outgoing: program.procs.iter().map(|proc| proc.out_edges()).collect(),
    };
    // What procedures leave open when they return, as far as is known.
    let mut changes: Vec<BTreeSet<Sections>> = vec![BTreeSet::new(); program.procs.len()];
    loop {
        let before = changes.clone();
        for proc in (0..program.procs.len() as u32).map(ProcId) {
            let (found, _) = flow.follow(proc, Sections::default(), &changes);
            changes[proc.index()] = found.get(&program.proc(proc).exit).cloned().unwrap_or_default();
        }
        if changes == before {
            break;
        }
    }
    let mut found = AtPlaces::default();
    let mut entered: BTreeSet<(u32, Sections)> = BTreeSet::new();
    let processes = raddle_analysis::processes::processes(program);
    let mut open: Vec<(ProcId, Sections)> = processes.ones().map(|p| (ProcId(p as u32), Sections::default())).collect();
    while let Some((proc, around)) = open.pop() {
        if !entered.insert((proc.0, around)) {
            continue;
        }
        let (inside, calls) = flow.follow(proc, around, &changes);
        inside.into_iter().for_each(|(loc, all)| found.entry((proc, loc)).or_default().extend(all));
        open.extend(calls);
    }
    found
}

/// What each edge calls.
type Callees = FxHashMap<(ProcId, usize), Vec<ProcId>>;

fn callees(program: &Program, points_to: &PointsTo) -> Callees {
    let mut callees = Callees::default();
    for proc in (0..program.procs.len() as u32).map(ProcId) {
        for (edge, of) in program.proc(proc).edges.iter().enumerate() {
            let called = of.labels.iter().find_map(|label| match label {
                Label::Call { callee: Callee::Proc(called), .. } => Some(vec![*called]),
                Label::Call { callee: Callee::Address(address), .. } => {
                    Some(points_to.functions(program, *address).into_iter().map(|(_, called)| called).collect())
                }
                _ => None,
            });
            callees.extend(called.map(|called| ((proc, edge), called)));
        }
    }
    callees
}

struct Flow<'a> {
    program: &'a Program,
    callees: Callees,
    outgoing: Vec<raddle_ir::Outgoing>,
}

impl Flow<'_> {
    /// What is around each location of a procedure that is entered with something around it, and around what it calls.
    fn follow(
        &self,
        proc: ProcId,
        around: Sections,
        changes: &[BTreeSet<Sections>],
    ) -> (InProcedure, Vec<(ProcId, Sections)>) {
        let mut found = InProcedure::default();
        let mut calls = Vec::new();
        let mut open = vec![(self.program.proc(proc).entry, around)];
        while let Some((loc, around)) = open.pop() {
            // Deeper nesting is not told apart: beyond this, sites have several depths, and are gaps.
            if !found.entry(loc).or_default().insert(around) || !around.is_shallow() {
                continue;
            }
            for id in self.outgoing[proc.index()].of(loc) {
                let edge = &self.program.proc(proc).edges[id.index()];
                let mut after = around;
                let depth = match self.program.is_of_library(edge.span) {
                    true => &mut after.librarys,
                    false => &mut after.own,
                };
                let is = |wanted: Label| edge.labels.iter().filter(move |label| **label == wanted).count() as i32;
                *depth += is(Label::AtomicBegin) - is(Label::AtomicEnd);
                let writes = |label: &Label| {
                    matches!(label, Label::Store { .. } | Label::Lock { .. } | Label::Free { .. } | Label::Start { .. })
                };
                after.has_written = after.own != 0 && (after.has_written || edge.labels.iter().any(writes));
                match self.callees.get(&(proc, id.index())) {
                    None => open.push((edge.target, after)),
                    Some(called) => {
                        calls.extend(called.iter().map(|called| (*called, after)));
                        let left = called.iter().flat_map(|called| &changes[called.index()]);
                        open.extend(left.map(|change| (edge.target, after.and(*change))));
                    }
                }
            }
        }
        (found, calls)
    }
}

impl Sections {
    fn is_shallow(self) -> bool {
        self.own.abs() + self.librarys.abs() <= 8
    }

    fn and(self, change: Sections) -> Sections {
        let own = self.own + change.own;
        let has_written = own != 0 && (self.has_written || change.has_written);
        Sections { own, librarys: self.librarys + change.librarys, has_written }
    }
}
