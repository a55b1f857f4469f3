//! May two objects have the same storage, one after the other? And two threads the same id?
//!
//! Storage is given out again when an object's life has ended: by `free`, by the return of the call that made a local, by the end of a thread, by the next
//! iteration that makes a variable-length array. What nobody can name any more when its life ends is never compared: a local whose address does not leave its
//! call is of no concern. Nor is what is freed after the last allocation: the other object must begin after the end of the first, and the comparison come after
//! that (`after.rs`). Objects of inner blocks are allocated behind the first edge of their procedure; when such a block begins and ends is not in the Program, so its objects may
//! begin and end at any time.

use super::after::After;
use super::flow::{Analysis, Position};
use super::value::{Source, Value};
use crate::points_to::AbstractObject;
use fixedbitset::FixedBitSet;
use raddle_ir::{Callee, Label, ProcId, Program, Storage};

pub(super) struct Lives {
    /// By source; those that make one object, or one thread, at most.
    once: FixedBitSet,
    /// For each object, the locations where its life may have ended while something still has its address.
    ends: Vec<Vec<u32>>,
    /// Where objects are made while the program runs.
    storage: Vec<Option<Storage>>,
    /// Automatic objects of inner blocks.
    inner: FixedBitSet,
    after: After,
    first_thread: Source,
    /// May a thread be started after another was joined, or is detached?
    ids_again: bool,
}

impl Lives {
    pub(super) fn new(analysis: &Analysis) -> Lives {
        let program = analysis.program;
        let sources = analysis.first_thread() as usize + 1;
        let mut lives = Lives {
            once: FixedBitSet::with_capacity(sources),
            ends: vec![Vec::new(); analysis.objects.len()],
            storage: Vec::with_capacity(analysis.objects.len()),
            inner: FixedBitSet::with_capacity(analysis.objects.len()),
            after: After::new(analysis),
            first_thread: analysis.first_thread(),
            ids_again: false,
        };
        lives.ids_again = lives.gives_ids_again(analysis);
        let once = runs_once(analysis);
        for (i, object) in analysis.objects.iter().enumerate() {
            let storage = match object {
                AbstractObject::Static(_) => {
                    lives.once.insert(i);
                    None
                }
                AbstractObject::Site { proc, edge, label } => {
                    lives.once.set(i, once(*proc, edge.index()));
                    let code = program.proc(*proc);
                    let edge = &code.edges[edge.index()];
                    match edge.labels[*label as usize] {
                        Label::Alloc { storage, .. } => {
                            lives.inner.set(i, storage == Storage::Stack && edge.source != code.entry);
                            Some(storage)
                        }
                        _ => None,
                    }
                }
            };
            lives.storage.push(storage);
        }
        for ((proc, edge, _), start) in analysis.starts() {
            lives.once.set(*start as usize, once(ProcId(*proc as u32), *edge));
        }
        lives.once.insert(lives.first_thread as usize);
        lives.automatic_ends(analysis);
        for (object, at) in &analysis.freed {
            let (_, after) = lives.after.around(analysis, *at);
            lives.ends[*object as usize].push(after);
        }
        lives.ends.iter_mut().for_each(|ends| ends.sort_unstable());
        lives
    }

    /// Does a source make one object at most?
    pub(super) fn is_once(&self, source: Source) -> bool {
        self.once.contains(source as usize)
    }

    /// May objects of two sources lie at the same place at different times, so that a comparison may tell? Heap and stack are taken to be disjoint.
    pub(super) fn share(&self, analysis: &Analysis, a: Source, b: Source, at: Position) -> bool {
        let (i, j) = (a as usize, b as usize);
        let may = self.storage[i].is_some() && self.storage[i] == self.storage[j] && (a != b || !self.is_once(a));
        may && (self.follows(analysis, a, b, at)
            || self.follows(analysis, b, a, at)
            || self.blocks_share(analysis, a, b, at))
    }

    /// May two automatic objects have the same storage since one is of an inner block?
    fn blocks_share(&self, analysis: &Analysis, a: Source, b: Source, at: Position) -> bool {
        let is_inner = |source: Source| self.inner.contains(source as usize);
        let (here, _) = self.after.around(analysis, at);
        let has_ended = |source: Source| {
            let ends = &self.ends[source as usize];
            !ends.is_empty() && self.after.may_reach(ends.clone(), here)
        };
        a != b && (is_inner(a) && is_inner(b) || is_inner(a) && has_ended(b) || is_inner(b) && has_ended(a))
    }

    /// May an object be made after another's end, and before a comparison?
    fn follows(&self, analysis: &Analysis, ended: Source, made: Source, at: Position) -> bool {
        let ends = &self.ends[ended as usize];
        let AbstractObject::Site { proc, edge, label } = analysis.objects[made as usize] else { return false };
        if ends.is_empty() {
            return false;
        }
        let (before, after) = self.after.around(analysis, (proc.index(), edge.index(), label as usize));
        let (here, _) = self.after.around(analysis, at);
        self.after.may_reach(ends.clone(), before) && (here == before || self.after.may_reach(vec![after], here))
    }

    /// May two threads have the same id? A thread that has ended and was joined, or is detached, has none any more.
    pub(super) fn share_id(&self, a: Source, b: Source) -> bool {
        let is_first = |thread| thread == self.first_thread;
        !is_first(a) && !is_first(b) && (a != b || !self.is_once(a)) && self.ids_again
    }

    fn gives_ids_again(&self, analysis: &Analysis) -> bool {
        let program = analysis.program;
        let detaches = |proc: usize| {
            matches!(
                program.procs[proc].name.as_str(),
                "pthread_detach" | "thrd_detach" | "pthread_attr_setdetachstate"
            )
        };
        let (mut joins, mut starts) = (Vec::new(), Vec::new());
        analysis.for_each_label(|at, label| match label {
            Label::Join { .. } => joins.push(at),
            Label::Start { .. } => starts.push(at),
            _ => {}
        });
        // In the first process they come one after the other. It calls others, which threads may call as well.
        let is_elsewhere = |at: &Position| at.0 != program.entry.index();
        let after_join = |start: &Position| {
            let (before, _) = self.after.around(analysis, *start);
            joins.iter().any(|join| self.after.comes_to(vec![self.after.around(analysis, *join).1], before))
        };
        analysis.reached.ones().any(detaches)
            || !joins.is_empty() && starts.iter().chain(&joins).any(is_elsewhere)
            || starts.iter().any(after_join)
    }

    /// Automatic objects end with their call, and matter if their address leaves it.
    fn automatic_ends(&mut self, analysis: &Analysis) {
        let program = analysis.program;
        let mut leaves = FixedBitSet::with_capacity(analysis.first_thread() as usize + 1);
        let mut note = |value: &Value| value.of.iter().for_each(|(source, _)| leaves.insert(*source as usize));
        for (var, value) in program.vars.iter().zip(&analysis.vars) {
            if !matches!(var.kind, raddle_ir::VarKind::Local(_)) {
                note(value);
            }
        }
        note(&analysis.exits);
        analysis.results.values().for_each(&mut note);
        analysis.for_each_label(|at, label| {
            if let Label::Start { arg, .. } = label {
                note(&analysis.value(at, *arg));
            }
        });
        let automatic = |object: usize| match analysis.objects[object] {
            AbstractObject::Site { proc, edge, .. } if self.storage[object] == Some(Storage::Stack) => {
                Some((proc, edge))
            }
            _ => None,
        };
        let is_recursive = recursive(analysis);
        let entry_runs_again = runs_again(program);
        for object in 0..analysis.objects.len() {
            let Some((proc, edge)) = automatic(object) else { continue };
            let code = program.proc(proc);
            let on_cycle = analysis.cfg(proc).on_cycle(code);
            let edge = &code.edges[edge.index()];
            // The next one comes while the call goes on.
            let is_repeated = on_cycle.contains(edge.source.index()) && on_cycle.contains(edge.target.index());
            let is_first = proc == program.entry && !entry_runs_again;
            let outlives = |holder: usize| match automatic(holder) {
                Some((other, _)) => other != proc || is_recursive.contains(proc.index()),
                None => true,
            };
            let is_held = |holder: usize| {
                outlives(holder) && analysis.contents[holder].sources().any(|source| source as usize == object)
            };
            let returned = || analysis.result_of(proc).is_some_and(|value| value.form(object as Source).is_some());
            let leaves = || leaves.contains(object) || returned() || (0..analysis.objects.len()).any(is_held);
            let mut ends = Vec::new();
            if is_repeated {
                ends.push(self.after.location(proc, edge.target));
            }
            if !is_first && leaves() {
                ends.push(self.after.location(proc, code.exit));
            }
            self.ends[object] = ends;
        }
    }
}

/// May the first process run again, or end as a thread does?
fn runs_again(program: &Program) -> bool {
    let mut labels = program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
    labels.any(|label| match label {
        Label::Start { callee, .. } | Label::Call { callee, .. } => *callee == Callee::Proc(program.entry),
        Label::ThreadExit { .. } => true,
        _ => false,
    })
}

/// Does an edge run once at most: in the first process, outside of loops?
fn runs_once<'a>(analysis: &'a Analysis) -> impl Fn(ProcId, usize) -> bool + 'a {
    let program = analysis.program;
    let is_run_again = |label: &Label| match label {
        Label::Start { callee, .. } | Label::Call { callee, .. } => *callee == Callee::Proc(program.entry),
        _ => false,
    };
    let mut labels = program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
    let again = labels.any(is_run_again);
    let on_cycle = analysis.cfg(program.entry).on_cycle(program.proc(program.entry));
    move |proc, edge| {
        let edge = &program.proc(proc).edges[edge];
        proc == program.entry
            && !again
            && !(on_cycle.contains(edge.source.index()) && on_cycle.contains(edge.target.index()))
    }
}

/// The procedures that may call themselves, if through others.
fn recursive(analysis: &Analysis) -> FixedBitSet {
    let count = analysis.program.procs.len();
    let mut result = FixedBitSet::with_capacity(count);
    for proc in 0..count {
        let mut seen = FixedBitSet::with_capacity(count);
        let mut open = vec![proc];
        while let Some(caller) = open.pop() {
            for (from, to) in &analysis.calls {
                if from.index() == caller && !seen.put(to.index()) {
                    open.push(to.index());
                }
            }
        }
        result.set(proc, seen.contains(proc));
    }
    result
}
