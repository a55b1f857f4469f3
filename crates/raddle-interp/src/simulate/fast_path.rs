//! The fast path of simulation: lets a thread run as long as nothing special happens.
//!
//! Special is what may have to be taken back (see `EdgeCode::may_undo`), a choice between edges, and the end of a thread; `simulate` deals
//! with that. Everything else is executed in a loop that keeps the frame at hand: frequent labels are done right here,
//! the rest by `step`. It must do exactly what `step` does.

use crate::machine::code::{Code, LabelCode, Shape};
use crate::machine::eval_code::{View, run};
use crate::machine::memory::Memory;
use crate::machine::oracle::Oracle;
use crate::machine::state::Machine;
use crate::machine::step::{Flow, return_from_exits, run_label};

pub enum Stroll {
    /// The thread is at something special, or the steps are used up.
    Special,
    /// A step could not be completed.
    Ended(Flow),
}

/// Why the inner loop was left.
enum Pause {
    Special,
    /// This label of an edge needs the whole machine.
    Label {
        edge: u32,
        label: u32,
    },
    Return,
}

/// Runs a thread, outside atomic blocks and with the journal off, until `until` steps have been taken.
pub fn stroll<O: Oracle>(
    code: &Code,
    machine: &mut Machine,
    thread: u32,
    steps: &mut u64,
    until: u64,
    oracle: &mut O,
) -> Stroll {
    // Where in an edge to go on, after a label that needed the machine.
    let mut resume: Option<(u32, u32)> = None;
    // The object of the last access: the next one is often to the same.
    let mut last = 0u32;
    loop {
        let t = &mut machine.threads[thread as usize];
        let top = t.frames.len() - 1;
        let frame = t.frames[top];
        let proc = &code.procs[frame.proc as usize];
        let mut loc = frame.loc;
        let mut view = View {
            words: &mut t.slots.words[frame.base as usize..],
            any: &mut t.slots.any[frame.base as usize..],
            journal: &mut machine.journal,
            thread,
            base: frame.base,
            proc: frame.proc,
        };
        let (memory, globals) = (&mut machine.memory, &mut machine.globals);
        let pause = 'inner: loop {
            let (edge, mut label) = match resume.take() {
                Some(resumed) => resumed,
                None => {
                    // Returning is no step: whoever goes on is not to find a thread at the exit of a call.
                    if loc == proc.exit && top > 0 && matches!(proc.locs[loc as usize].shape, Shape::Stop) {
                        break Pause::Return;
                    }
                    if *steps >= until {
                        break Pause::Special;
                    }
                    let (edge, skip) = match proc.locs[loc as usize].shape {
                        Shape::Single(edge) => (edge, 0),
                        Shape::Branch { cond, then, otherwise } => {
                            if code.edges[then as usize].may_undo || code.edges[otherwise as usize].may_undo {
                                break Pause::Special;
                            }
                            run(code, cond, &mut view, oracle);
                            (if view.words[cond.reg as usize] != 0 { then } else { otherwise }, 1)
                        }
                        _ => break Pause::Special,
                    };
                    if code.edges[edge as usize].may_undo {
                        break Pause::Special;
                    }
                    *steps += 1;
                    (edge, code.edges[edge as usize].first + skip)
                }
            };
            let e = &code.edges[edge as usize];
            while label < e.end {
                match &code.labels[label as usize] {
                    LabelCode::Assign { to, value } => {
                        run(code, *value, &mut view, oracle);
                        view.any[to.slot as usize] = false;
                    }
                    LabelCode::Move { to, from, value, .. } if !view.any[from.slot as usize] => {
                        run(code, *value, &mut view, oracle);
                        view.any[to.slot as usize] = false;
                    }
                    LabelCode::LoadGlobal { to, slot } if !to.wide() && !globals.any[*slot as usize] => {
                        view.words[to.slot as usize] = globals.words[*slot as usize];
                        view.any[to.slot as usize] = false;
                    }
                    LabelCode::StoreGlobal { slot, value } if !value.code.wide() && value.dying.is_none() => {
                        run(code, value.code, &mut view, oracle);
                        globals.words[*slot as usize] = view.words[value.code.reg as usize];
                        globals.any[*slot as usize] = false;
                    }
                    LabelCode::LoadStatic { to, object, offset } if plain(memory, *object, *offset, to.sort) => {
                        let from = &memory.objects[*object as usize];
                        view.words[to.slot as usize] = from.read_narrow(*offset as usize, to.sort.bytes() as usize);
                        view.any[to.slot as usize] = false;
                    }
                    LabelCode::StoreStatic { object, offset, value }
                        if !value.code.wide() && value.dying.is_none() && memory.objects[*object as usize].writable =>
                    {
                        run(code, value.code, &mut view, oracle);
                        let word = view.words[value.code.reg as usize];
                        let bytes = value.code.sort.bytes() as usize;
                        memory.objects[*object as usize].write_narrow(*offset as usize, bytes, word);
                    }
                    LabelCode::LoadMemory { to, address } => {
                        run(code, *address, &mut view, oracle);
                        let bytes = to.sort.bytes();
                        match lookup(code, memory, view.words[address.reg as usize], bytes, &mut last) {
                            Some(offset) if plain(memory, last, offset, to.sort) => {
                                let from = &memory.objects[last as usize];
                                view.words[to.slot as usize] = from.read_narrow(offset as usize, bytes as usize);
                                view.any[to.slot as usize] = false;
                            }
                            _ => break 'inner Pause::Label { edge, label },
                        }
                    }
                    LabelCode::StoreMemory { address, value } if !value.code.wide() && value.dying.is_none() => {
                        run(code, *address, &mut view, oracle);
                        let bytes = value.code.sort.bytes();
                        match lookup(code, memory, view.words[address.reg as usize], bytes, &mut last) {
                            Some(offset) if memory.objects[last as usize].writable => {
                                run(code, value.code, &mut view, oracle);
                                let word = view.words[value.code.reg as usize];
                                memory.objects[last as usize].write_narrow(offset as usize, bytes as usize, word);
                            }
                            _ => break 'inner Pause::Label { edge, label },
                        }
                    }
                    _ => break 'inner Pause::Label { edge, label },
                }
                label += 1;
            }
            loc = e.target;
        };
        machine.threads[thread as usize].frames[top].loc = loc;
        match pause {
            Pause::Special => return Stroll::Special,
            Pause::Return => return_from_exits(code, machine, thread, oracle),
            Pause::Label { edge, label } => {
                match run_label(code, machine, thread, edge, label, oracle) {
                    Flow::Done => {}
                    // Nothing has happened on this edge so far, and the thread is still where it begins.
                    Flow::Blocked(_) | Flow::Infeasible => {
                        *steps -= 1;
                        return Stroll::Special;
                    }
                    flow => return Stroll::Ended(flow),
                }
                match code.labels[label as usize] {
                    LabelCode::Call(_) => {}
                    LabelCode::ThreadExit { .. } => return Stroll::Special,
                    _ => resume = Some((edge, label + 1)),
                }
            }
        }
    }
}

/// Is it a matter of copying at most 8 whole bytes, all determined?
#[inline]
fn plain(memory: &Memory, object: u32, offset: u64, sort: raddle_ir::Sort) -> bool {
    let bits = sort.bits().unwrap_or(0);
    let from = &memory.objects[object as usize];
    bits <= 64
        && bits.is_multiple_of(8)
        && (from.any_left == 0 || from.any_mask(offset as usize, bits as usize / 8) == 0)
}

/// Where in which object (`last`) some bytes are.
#[inline]
fn lookup(code: &Code, memory: &Memory, address: u64, bytes: u64, last: &mut u32) -> Option<u64> {
    if let Some(object) = memory.objects.get(*last as usize) {
        let offset = address.wrapping_sub(object.address);
        let size = object.bytes.len() as u64;
        if offset < size && bytes <= size - offset {
            return Some(offset);
        }
    }
    let (object, offset) = memory.find_dynamic(address, bytes).or_else(|| code.object_at(address, bytes))?;
    *last = object;
    Some(offset)
}
