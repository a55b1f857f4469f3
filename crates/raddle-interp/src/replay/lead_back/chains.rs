//! Where a thread is: a location of the lowered Program, and the calls around it.

use crate::machine::code::Code;
use crate::machine::state::Machine;
use raddle_ir::{CallerId, Label, LocId, LocOrigin, ProcId, Program, Site};
use rustc_hash::FxHashMap;

/// Sequences of calls, numbered; 0 is the empty one.
#[derive(Default)]
pub struct Chains {
    longer: FxHashMap<(u32, u32), u32>,
    of_caller: FxHashMap<CallerId, u32>,
    /// For each thread, of the calls that it is in, what is known already: where the frame of the callee begins, and the calls as far as this one.
    pub of_threads: Vec<Vec<(u32, u32)>>,
}

pub const NO_CALLS: u32 = 0;
/// Stands for a label that has no number.
pub const NO_LABEL: u32 = u32::MAX;

impl Chains {
    pub fn extended(&mut self, chain: u32, call: u32) -> u32 {
        let next = self.longer.len() as u32 + 1;
        *self.longer.entry((chain, call)).or_insert(next)
    }

    /// The calls that inlining replaced.
    pub fn of_caller(&mut self, program: &Program, caller: Option<CallerId>) -> u32 {
        let mut missing = Vec::new();
        let mut at = caller;
        let mut chain = loop {
            let Some(id) = at else { break NO_CALLS };
            if let Some(chain) = self.of_caller.get(&id) {
                break *chain;
            }
            missing.push(id);
            at = program.callers.get(id.0 as usize).and_then(|caller| caller.within);
        };
        while let Some(id) = missing.pop() {
            let call = program.callers.get(id.0 as usize).map_or(NO_LABEL, |caller| caller.call);
            chain = self.extended(chain, call);
            self.of_caller.insert(id, chain);
        }
        chain
    }

    /// The calls that a thread is in. Inlining leaves no frames, so a Program has calls of one kind only.
    pub fn of_frames(&mut self, code: &Code, machine: &Machine, thread: u32) -> u32 {
        let frames = &machine.threads[thread as usize].frames;
        if frames.len() < 2 {
            return NO_CALLS;
        }
        let index = thread as usize;
        if self.of_threads.len() <= index {
            self.of_threads.resize_with(index + 1, Vec::new);
        }
        let mut known = std::mem::take(&mut self.of_threads[index]);
        known.truncate(frames.len() - 1);
        let mut chain = known.last().map_or(NO_CALLS, |(_, chain)| *chain);
        for pair in frames[known.len()..].windows(2) {
            let site = code.edges.get(pair[0].call as usize).and_then(|edge| {
                code.program.procs[edge.proc as usize].edges[edge.id.index()].labels.first().and_then(Label::site)
            });
            chain = self.extended(chain, site.map_or(NO_LABEL, |site| site.label));
            known.push((pair[1].base, chain));
        }
        self.of_threads[index] = known;
        chain
    }

    /// A thread has entered a frame: what was known of others there is over.
    pub fn entered(&mut self, thread: u32, base: u32) {
        if let Some(known) = self.of_threads.get_mut(thread as usize) {
            let kept = known.partition_point(|(of, _)| *of < base);
            known.truncate(kept);
        }
    }

    /// The calls around a label that a thread executes.
    pub fn around(&mut self, code: &Code, machine: &Machine, thread: u32, site: Site) -> u32 {
        match site.within {
            Some(_) => self.of_caller(code.program, site.within),
            None => self.of_frames(code, machine, thread),
        }
    }
}

/// Where a thread is in the lowered Program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub calls: u32,
    pub proc: ProcId,
    pub loc: LocId,
}

pub fn origin(code: &Code, machine: &Machine, thread: u32) -> Option<LocOrigin> {
    let top = machine.top(thread);
    code.program.procs[top.proc as usize].locations[top.loc as usize].origin.0
}

pub fn is_at(position: Position, chains: &mut Chains, code: &Code, machine: &Machine, thread: u32) -> bool {
    // Mostly it is not even there.
    origin(code, machine, thread).is_some_and(|origin| (origin.proc, origin.loc) == (position.proc, position.loc))
        && self::position(chains, code, machine, thread) == Some(position)
}

pub fn position(chains: &mut Chains, code: &Code, machine: &Machine, thread: u32) -> Option<Position> {
    let origin = origin(code, machine, thread)?;
    let calls = match origin.within {
        Some(_) => chains.of_caller(code.program, origin.within),
        None => chains.of_frames(code, machine, thread),
    };
    Some(Position { calls, proc: origin.proc, loc: origin.loc })
}
