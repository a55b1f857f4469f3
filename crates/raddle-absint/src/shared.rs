//! What processes tell each other: the values that globals may have once there are threads, and the arguments of started threads.
//!
//! Flow-insensitive and thread-modular: the join of all stores, over rounds until nothing is added (Miné 2011, without relations).

use crate::evaluate::width;
use crate::value::Value;
use raddle_ir::{ProcId, Program, Sort, VarId};

/// Rounds until widening, and until what changes is given up.
const PATIENCE: u32 = 3;
const MOST_ROUNDS: u32 = 8;

#[derive(Default)]
pub struct Shared {
    /// For each variable its values; `None` if it was not stored yet.
    values: Vec<Option<Value>>,
    /// For each process the values of its argument; `None` if it was not started.
    arguments: Vec<Option<Value>>,
    pub round: u32,
    pub changed: bool,
}

impl Shared {
    pub fn new(program: &Program) -> Shared {
        Shared {
            values: vec![None; program.vars.len()],
            arguments: vec![None; program.procs.len()],
            round: 0,
            changed: false,
        }
    }

    /// What may be loaded; `None` if that is anything. Nothing is known too of what has not been stored, which only code that does not run loads.
    pub fn load(&self, var: VarId) -> Option<&Value> {
        self.values[var.index()].as_ref()
    }

    pub fn store(&mut self, program: &Program, var: VarId, value: Option<Value>) {
        let Some(bits) = width(program.var(var).sort) else { return };
        let value = value.unwrap_or_else(|| Value::top(bits));
        let round = self.round;
        self.changed |= add(&mut self.values[var.index()], value, round);
    }

    pub fn start(&mut self, program: &Program, proc: ProcId, sort: Sort, value: Option<Value>) {
        let param = program.proc(proc).params.first().map(|param| program.var(*param).sort);
        let bits = param.and_then(width).unwrap_or(1);
        let value = value.filter(|_| param == Some(sort)).unwrap_or_else(|| Value::top(bits));
        let round = self.round;
        self.changed |= add(&mut self.arguments[proc.index()], value, round);
    }

    /// The values of the argument, if the process is ever started.
    pub fn argument(&self, proc: ProcId) -> Option<&Value> {
        self.arguments[proc.index()].as_ref()
    }
}

fn add(known: &mut Option<Value>, value: Value, round: u32) -> bool {
    let next = match known {
        None => value,
        Some(old) if value.is_within(old) => return false,
        Some(old) if round < PATIENCE => old.join(&value),
        Some(old) if round < MOST_ROUNDS => old.widen(&value, &[]),
        Some(old) => Value::top(old.width),
    };
    *known = Some(next);
    true
}
