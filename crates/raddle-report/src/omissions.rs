//! What did not happen: branches whose other ways would have written what the violation reads.
//!
//! In `x = 0; if (n != 7) x = 1; assert(x);` nothing that happened leads from `n` to the assertion. The branch is a potential dependence (relevant slicing; Gyimóthy,
//! Beszédes and Forgács, 1999): between the write that a read takes its value from and the read, a way was not taken that may write the same variable. Ways are looked at by what their
//! labels may write: local and global variables, static objects at constant addresses, also in functions that they call. Writes through pointers are not.

use raddle_analysis::post_dominators;
use raddle_interp::execution::{Cell, Event, EventId, Execution, What};
use raddle_ir::{Callee, Label, LocId, Place, ProcId, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What may be written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Target {
    Var(VarId),
    Object(u32),
}

pub struct Omissions<'a> {
    program: &'a Program,
    /// What procedures may write that is no local, with all that they call.
    of_procs: Vec<FxHashSet<Target>>,
    joins: FxHashMap<ProcId, Vec<Option<LocId>>>,
    of_branches: FxHashMap<(ProcId, LocId), FxHashSet<Target>>,
}

impl<'a> Omissions<'a> {
    pub fn new(program: &'a Program) -> Omissions<'a> {
        let mut this = Omissions {
            program,
            of_procs: vec![FxHashSet::default(); program.procs.len()],
            joins: FxHashMap::default(),
            of_branches: FxHashMap::default(),
        };
        let mut changed = true;
        while changed {
            changed = false;
            for (at, proc) in program.procs.iter().enumerate() {
                let mut all = std::mem::take(&mut this.of_procs[at]);
                let before = all.len();
                let labels = proc.edges.iter().flat_map(|edge| &edge.labels);
                labels.for_each(|label| this.written(label, &mut all, false));
                changed |= all.len() > before;
                this.of_procs[at] = all;
            }
        }
        this
    }

    /// What a label may write.
    fn written(&self, label: &Label, all: &mut FxHashSet<Target>, with_locals: bool) {
        match label {
            Label::Store { place: Place::Var(var), .. } => {
                all.insert(Target::Var(*var));
            }
            Label::Store { place: Place::Memory(address), .. } => {
                if let Some(constant) = self.program.pool.as_const(*address)
                    && let Some(object) = object_at(self.program, constant.bits as u64)
                {
                    all.insert(Target::Object(object));
                }
            }
            Label::Call { callee: Callee::Proc(callee), var, .. } => {
                all.extend(&self.of_procs[callee.index()]);
                all.extend(var.filter(|_| with_locals).map(Target::Var));
            }
            Label::Assign { var, .. } | Label::Load { var, .. } | Label::Havoc { var, .. } if with_locals => {
                all.insert(Target::Var(*var));
            }
            _ => {}
        }
    }

    /// What the ways out of a branch may write before they meet again.
    fn of_branch(&mut self, proc: ProcId, at: LocId) -> &FxHashSet<Target> {
        if !self.of_branches.contains_key(&(proc, at)) {
            let all = self.on_ways(proc, at);
            self.of_branches.insert((proc, at), all);
        }
        &self.of_branches[&(proc, at)]
    }

    fn on_ways(&mut self, proc: ProcId, at: LocId) -> FxHashSet<Target> {
        let of = self.program.proc(proc);
        let joins = self.joins.entry(proc).or_insert_with(|| post_dominators(of));
        let Some(join) = joins.get(at.index()).copied() else { return FxHashSet::default() };
        let outgoing = of.out_edges();
        let (mut seen, mut open, mut all) = (FxHashSet::default(), vec![at], FxHashSet::default());
        while let Some(location) = open.pop() {
            for edge in outgoing.of(location).iter().map(|edge| &of.edges[edge.index()]) {
                edge.labels.iter().for_each(|label| self.written(label, &mut all, true));
                if Some(edge.target) != join && edge.target != at && seen.insert(edge.target) {
                    open.push(edge.target);
                }
            }
        }
        all
    }

    /// The branches that needed events potentially depend on, and that are not needed themselves.
    pub fn of(&mut self, execution: &Execution, needed: &[bool]) -> Vec<EventId> {
        let uses = uses(execution, needed);
        let mut found = Vec::new();
        // Branches by what they may write, as far as a use is interested.
        let mut branches: FxHashMap<(Target, Option<u32>), Vec<EventId>> = FxHashMap::default();
        let wanted: FxHashSet<Target> = uses.iter().map(|of| of.target).collect();
        for (at, event) in execution.events.iter().enumerate() {
            let What::Branch { at: location } = event.what else { continue };
            if event.in_library || needed[at] {
                continue;
            }
            let program = self.program;
            for target in self.of_branch(event.proc, location).intersection(&wanted) {
                branches.entry((*target, owner(program, *target, event))).or_default().push(at as EventId);
            }
        }
        for Use { target, thread, from, to } in uses {
            let of_target = branches.get(&(target, thread)).map_or(&[][..], Vec::as_slice);
            let first = of_target.partition_point(|branch| *branch <= from);
            // The last one decided; those before it are found as what it depends on.
            let last = of_target[first..].partition_point(|branch| *branch < to);
            found.extend(last.checked_sub(1).map(|last| of_target[first + last]));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Locals are the thread's own.
fn owner(program: &Program, target: Target, event: &Event) -> Option<u32> {
    match target {
        Target::Var(var) if matches!(program.var(var).kind, raddle_ir::VarKind::Local(_)) => Some(event.thread),
        _ => None,
    }
}

/// A value that was written by one event, or initially, and is used by another one.
struct Use {
    target: Target,
    thread: Option<u32>,
    from: EventId,
    to: EventId,
}

fn uses(execution: &Execution, needed: &[bool]) -> Vec<Use> {
    let mut all = Vec::new();
    for (at, event) in execution.events.iter().enumerate().filter(|(at, _)| needed[*at]) {
        for need in execution.needs(event) {
            let var = match execution.events[*need as usize].what {
                What::Assign { var, .. } | What::Choice { var, .. } | What::Parameter { var, .. } => var,
                What::Read { into, .. } => into,
                What::Return { value: Some((var, _)), .. } => var,
                _ => continue,
            };
            if execution.events[*need as usize].thread == event.thread {
                let (thread, to) = (Some(event.thread), at as EventId);
                all.push(Use { target: Target::Var(var), thread, from: *need, to });
            }
        }
        if let What::Read { cell, from, .. } = event.what {
            let target = match cell {
                Cell::Global(var) | Cell::Own(_, var) => Target::Var(var),
                Cell::Bytes { object, .. } => Target::Object(object),
                Cell::Nowhere(_) => continue,
            };
            all.push(Use { target, thread: None, from: from.unwrap_or(0), to: at as EventId });
        }
    }
    all
}

fn object_at(program: &Program, address: u64) -> Option<u32> {
    let is_there = |object: &raddle_ir::Object| address >= object.address && address - object.address < object.size;
    program.objects.iter().position(is_there).map(|at| at as u32)
}
