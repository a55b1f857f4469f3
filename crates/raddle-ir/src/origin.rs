//! Where the parts of a Program come from: the way back from a prepared Program to the one that was lowered.
//!
//! `number_origins` marks a lowered Program; every pass carries the marks along, so that they compose by themselves. A counterexample of a
//! prepared Program is led back with them (`raddle_interp::lead_back`): the position of a thread says how far the thread goes in the lowered
//! Program, and what was undetermined is told by the label or the storage that it came from.
//!
//! An origin is not part of what a Program means. It is neither printed nor compared.

use crate::program::{Label, LocId, Location, ObjectId, ProcId, Program, Var, VarId};

/// Where something comes from, if that is known. Equal to every other one.
#[derive(Clone, Copy, Debug)]
pub struct Origin<T>(pub Option<T>);

impl<T> Default for Origin<T> {
    fn default() -> Self {
        Origin(None)
    }
}

impl<T> PartialEq for Origin<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Origin<T> {}

/// A label of the lowered Program: a `Havoc`, an `Alloc`, a `Call` or a `Print`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// Its number among them.
    pub label: u32,
    /// The calls that inlining replaced around it.
    pub within: Option<CallerId>,
}

/// Names an entry of [`Program::callers`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct CallerId(pub u32);

/// A call that inlining replaced by the body of its callee: the number of its label, and the calls around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Caller {
    pub call: u32,
    pub within: Option<CallerId>,
}

/// A location of the lowered Program, and the calls around it that inlining replaced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocOrigin {
    pub proc: ProcId,
    pub loc: LocId,
    pub within: Option<CallerId>,
    /// A thread that is there has done what one at the lowered location has done: no pass moved an assignment over it.
    pub is_exact: bool,
}

/// What holds an initial value in the lowered Program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holder {
    Var(VarId),
    Object(ObjectId),
    /// The object that an `Alloc` made, where it runs at most once.
    Alloc(Site),
}

/// A part of what holds an initial value: the bytes from an offset on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    pub holder: Holder,
    pub offset: u64,
    pub same: Same,
}

/// When a variable has the value of what it comes from. Passes only ever say less.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Same {
    /// Always: all writes are there.
    Always,
    /// Where it may still be read: writes that nothing reads are gone.
    WhereRead,
    /// At the beginning. Since then it may carry the value of another variable, or one that is overwritten in the lowered Program.
    Initially,
}

impl Location {
    /// A pass moves an assignment over it.
    pub fn lose_exactness(&mut self) {
        if let Some(origin) = &mut self.origin.0 {
            origin.is_exact = false;
        }
    }
}

impl Var {
    /// A pass leaves out writes that nothing reads.
    pub fn lose_writes(&mut self) {
        if let Some(part) = &mut self.origin.0 {
            part.same = part.same.max(Same::WhereRead);
        }
    }

    /// A pass reads it where another variable with the same value was read. If writes that nothing read are gone, that may be where one of them had an effect.
    pub fn gain_reads(&mut self) {
        if let Some(part) = self.origin.0.as_mut().filter(|part| part.same != Same::Always) {
            part.same = Same::Initially;
        }
    }

    /// It is a copy that a pass made: what it holds is up to the pass.
    pub fn become_copy(&mut self) {
        if let Some(part) = &mut self.origin.0 {
            part.same = Same::Initially;
        }
    }
}

/// Marks a lowered Program: every location, variable and object comes from itself, and labels are numbered.
pub fn number_origins(program: &mut Program) {
    for (i, var) in program.vars.iter_mut().enumerate() {
        var.origin = Origin(Some(Part { holder: Holder::Var(VarId(i as u32)), offset: 0, same: Same::Always }));
    }
    for (i, object) in program.objects.iter_mut().enumerate() {
        object.origin = Origin(Some(Holder::Object(ObjectId(i as u32))));
    }
    let mut label = 0;
    for (i, proc) in program.procs.iter_mut().enumerate() {
        for (at, location) in proc.locations.iter_mut().enumerate() {
            let (proc, loc) = (ProcId(i as u32), LocId(at as u32));
            location.origin = Origin(Some(LocOrigin { proc, loc, within: None, is_exact: true }));
        }
        for site in proc.edges.iter_mut().flat_map(|edge| &mut edge.labels).filter_map(Label::site_mut) {
            *site = Origin(Some(Site { label, within: None }));
            label += 1;
        }
    }
}
