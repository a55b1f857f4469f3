//! What the next step of a thread would touch, asked without taking the step: through a computed address, or at a branch.

use crate::address_guess::AddressGuess;
use raddle_interp::machine::code::{Code, LabelCode};
use raddle_interp::machine::expr_code::ExprCode;
use raddle_interp::machine::memory::ObjectClass;
use raddle_interp::machine::oracle::{Ask, Oracle};
use raddle_interp::machine::state::Machine;
use raddle_interp::machine::step::find;

/// What a load, store or lock through a computed address would touch: a static object, or (`Err`) an allocation site.
/// `None`: not known now, or nothing valid.
pub fn touched_thing(
    code: &Code,
    machine: &mut Machine,
    guess: &AddressGuess,
    thread: u32,
    label: u32,
) -> Option<Result<u32, u32>> {
    let (address, bytes) = match code.labels[label as usize] {
        LabelCode::LoadMemory { to, address } => (address, to.sort.bytes()),
        LabelCode::StoreMemory { address, value } => (address, value.code.sort.bytes()),
        LabelCode::Lock { lock, .. } => (lock, 1),
        _ => return None,
    };
    let mut unsure = Unsure(false);
    let mark = machine.journal.entries.len();
    let on = std::mem::replace(&mut machine.journal.on, true);
    let address = machine.eval_narrow(code, thread, address, &mut unsure);
    machine.undo_to(mark);
    machine.journal.on = on;
    if unsure.0 {
        return None;
    }
    let (object, _) = find(code, machine, address, bytes)?;
    match machine.memory.objects[object as usize].class {
        ObjectClass::Static => Some(Ok(object)),
        _ => guess.site(machine.memory.objects[object as usize].site).map(Err),
    }
}

/// The condition with which an edge begins.
pub fn condition(code: &Code, edge: u32) -> Option<ExprCode> {
    let edge = code.edges[edge as usize];
    match code.labels[edge.first as usize..edge.end as usize].first() {
        Some(LabelCode::Assume(cond)) => Some(*cond),
        _ => None,
    }
}

/// The edges from a location that a thread can take as far as the conditions tell with which they begin; `None`: that is not known now.
pub fn possible_edges(code: &Code, machine: &mut Machine, thread: u32) -> Option<Vec<u32>> {
    let frame = *machine.top(thread);
    let location = &code.procs[frame.proc as usize].locs[frame.loc as usize];
    let mut unsure = Unsure(false);
    let mark = machine.journal.entries.len();
    let on = std::mem::replace(&mut machine.journal.on, true);
    let mut holds = |edge: &u32| match condition(code, *edge) {
        Some(cond) => machine.eval_narrow(code, thread, cond, &mut unsure) != 0,
        None => true,
    };
    let edges = location.edges.iter().copied().filter(|edge| holds(edge)).collect();
    machine.undo_to(mark);
    machine.journal.on = on;
    (!unsure.0).then_some(edges)
}

/// Notices that something undetermined was needed.
struct Unsure(bool);

impl Oracle for Unsure {
    const NARROW: bool = false;
    fn choose(&mut self, ask: &Ask) -> u128 {
        self.0 = true;
        ask.low
    }
    fn pick(&mut self, _ways: u32) -> u32 {
        0
    }
}
