//! What may run after what, over all procedures: calls lead into what they may call, and its end back to all that may have called it.

use super::flow::{Analysis, Position};
use fixedbitset::FixedBitSet;
use raddle_ir::{Label, LocId, ProcId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

pub(super) struct After {
    /// The number of the first location of each procedure.
    first: Vec<u32>,
    next: Vec<Vec<u32>>,
    /// With threads, everything may.
    is_anything: bool,
    known: RefCell<FxHashMap<Vec<u32>, Rc<FixedBitSet>>>,
}

impl After {
    pub(super) fn new(analysis: &Analysis) -> After {
        let program = analysis.program;
        let mut first = Vec::with_capacity(program.procs.len());
        let mut count = 0;
        for proc in &program.procs {
            first.push(count);
            count += proc.locations.len() as u32;
        }
        let mut next = vec![Vec::new(); count as usize];
        let at = |proc: ProcId, loc: LocId| first[proc.index()] + loc.0;
        for proc in analysis.reached.ones() {
            let id = ProcId(proc as u32);
            for (e, edge) in program.procs[proc].edges.iter().enumerate() {
                let (source, target) = (at(id, edge.source), at(id, edge.target));
                let mut called = Vec::new();
                for (l, label) in edge.labels.iter().enumerate() {
                    if let Label::Call { callee, .. } = label {
                        called = analysis.callees((proc, e, l), *callee);
                    }
                }
                // A copy is known by its effect, and not looked into.
                called.retain(|callee| analysis.reached.contains(callee.index()));
                if called.is_empty() {
                    next[source as usize].push(target);
                }
                for callee in called {
                    let code = program.proc(callee);
                    next[source as usize].push(at(callee, code.entry));
                    next[at(callee, code.exit) as usize].push(target);
                }
            }
        }
        After { first, next, is_anything: program.starts_threads(), known: RefCell::default() }
    }

    /// The number of a location.
    pub(super) fn location(&self, proc: ProcId, loc: LocId) -> u32 {
        self.first[proc.index()] + loc.0
    }

    /// Before and after a label.
    pub(super) fn around(&self, analysis: &Analysis, (proc, edge, _): Position) -> (u32, u32) {
        let edge = &analysis.program.procs[proc].edges[edge];
        let proc = ProcId(proc as u32);
        (self.location(proc, edge.source), self.location(proc, edge.target))
    }

    /// May control come from one of some locations to another one?
    pub(super) fn may_reach(&self, from: Vec<u32>, to: u32) -> bool {
        self.is_anything || self.comes_to(from, to)
    }

    /// The same for one thread.
    pub(super) fn comes_to(&self, from: Vec<u32>, to: u32) -> bool {
        let known = self.known.borrow().get(&from).cloned();
        let reached = known.unwrap_or_else(|| {
            let reached = Rc::new(self.reached(&from));
            self.known.borrow_mut().insert(from, Rc::clone(&reached));
            reached
        });
        reached.contains(to as usize)
    }

    fn reached(&self, from: &[u32]) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.next.len());
        reached.extend(from.iter().map(|loc| *loc as usize));
        let mut open = from.to_vec();
        while let Some(loc) = open.pop() {
            for next in &self.next[loc as usize] {
                if !reached.put(*next as usize) {
                    open.push(*next);
                }
            }
        }
        reached
    }
}
