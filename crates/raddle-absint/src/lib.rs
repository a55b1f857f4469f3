//! Abstract interpretation: what holds of the variables of a Program wherever control is, found without a solver.
//!
//! Each process is interpreted along its weak topological order over abstract states: a value for each variable (`value`), affine
//! relations (`affine`) and bounds on differences (`zones`) of small groups of them (`packs`), kept apart by the values of flags (`flags`). Globals that
//! several threads share have one value for the whole Program (`shared`).
//!
//! The facts are candidates: a solver confirms each one before a proof uses it.
//!
//! Cousot and Cousot 1977; Bourdoncle 1993; Miné, "Tutorial on static inference of numeric invariants" (2017).

mod affine;
mod evaluate;
mod facts;
mod fixpoint;
mod flags;
mod linear;
mod packs;
mod refine;
mod shape;
mod shared;
mod state;
mod step;
mod thresholds;
mod transfer;
mod trie;
mod value;
mod zones;

use crate::facts::{MOST_FACTS, Writer, value_facts};
use crate::fixpoint::{Process, fixpoint};
use crate::flags::Parts;
use crate::packs::Packs;
use crate::shape::Shape;
use crate::shared::Shared;
use crate::state::{Relations, State};
use crate::step::Steps;
use crate::value::Value;
use raddle_analysis::processes::processes;
use raddle_analysis::{Output, live_locals};
use raddle_ir::{Const, ExprId, ExprPool, Label, LocId, ProcId, Procedure, Program, VarId, VarKind, VarsOf};
use std::cell::Cell;

/// Facts that are expected to hold whenever a thread of a process is at a location: Bool expressions over the Program's variables
/// (globals and locals of that procedure).
#[derive(Clone, Debug)]
pub struct Facts {
    /// The Program's pool, grown.
    pub pool: ExprPool,
    /// For each procedure and location; `false` alone where control does not come.
    pub at: Vec<Vec<Vec<ExprId>>>,
    /// Why there are no facts.
    pub given_up: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many labels may be executed.
    pub most_steps: u64,
    /// Relations between variables too.
    pub relational: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { most_steps: 3_000_000, relational: true }
    }
}

/// Packs have at most so many variables.
const MOST_AFFINE: usize = 12;
const MOST_ZONE: usize = 8;
/// Liveness is asked for where its answer has at most so many entries.
const MOST_LIVE: usize = 20_000_000;
/// So many facts about globals that threads share are given at each location.
const MOST_SHARED: usize = 30;

/// Facts of a Program without calls. They are all or none: whoever stops early gets an empty list everywhere.
pub fn analyse(program: &Program, options: &Options, stop: &dyn Fn() -> bool) -> Facts {
    let none = |reason: &str| Facts {
        pool: program.pool.clone(),
        at: program.procs.iter().map(|proc| vec![Vec::new(); proc.locations.len()]).collect(),
        given_up: Some(reason.into()),
    };
    if labels(program).any(|label| matches!(label, Label::Call { .. })) {
        return none("calls are not inlined");
    }
    let running = processes(program);
    let shapes: Vec<Option<Shape>> =
        (0..).zip(&program.procs).map(|(i, proc)| running.contains(i).then(|| shape::shape(proc))).collect();
    let relations = if options.relational {
        let ties = packs::ties(program, &shapes);
        Relations { affine: ties.packs(program, MOST_AFFINE), zones: ties.packs(program, MOST_ZONE) }
    } else {
        Relations { affine: Packs::none(program), zones: Packs::none(program) }
    };
    let thresholds = thresholds::thresholds(&program.pool);
    let flags: Vec<Vec<VarId>> = program.procs.iter().map(|proc| flags::flags(program, proc)).collect();
    let started: Vec<Vec<bool>> =
        (0..).map(ProcId).zip(&program.procs).map(|(id, proc)| started(proc, id == program.entry)).collect();
    let mut steps = Steps { program, relations, shared: Shared::new(program), vars_of: VarsOf::new(), count: 0 };
    let asked = Cell::new(0u64);
    let go_on = |count: u64| {
        asked.set(asked.get() + 1);
        count <= options.most_steps && !(asked.get().is_multiple_of(64) && stop())
    };
    let mut at: Vec<Option<Vec<Parts>>> = program.procs.iter().map(|_| None).collect();
    loop {
        steps.shared.changed = false;
        for (i, proc) in program.procs.iter().enumerate() {
            let id = ProcId(i as u32);
            let argument = steps.shared.argument(id).cloned();
            if id == program.entry && argument.is_some() {
                return none("the first process is started again");
            }
            let Some(shape) = shapes[i].as_ref().filter(|_| id == program.entry || argument.is_some()) else {
                continue;
            };
            let initial = initial(&steps, proc, id == program.entry, argument);
            let of = Process {
                proc,
                shape,
                flags: &flags[i],
                most_parts: flags::most_parts(proc.edges.len()),
                thresholds: &thresholds,
                started: &started[i],
                initial,
            };
            match fixpoint(&of, &mut steps, &go_on) {
                Some(states) => at[i] = Some(states),
                None => return none("out of steps"),
            }
        }
        if !steps.shared.changed {
            break;
        }
        steps.shared.round += 1;
    }
    write(program, &steps, &flags, &started, at, stop).unwrap_or_else(|| none("stopped"))
}

fn labels(program: &Program) -> impl Iterator<Item = &Label> {
    program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels)
}

/// Where in a process there may be other threads: everywhere, but for the first one before it starts any.
fn started(proc: &Procedure, is_entry: bool) -> Vec<bool> {
    let mut result = vec![!is_entry; proc.locations.len()];
    let starts = |label: &Label| matches!(label, Label::Start { .. });
    let mut open: Vec<LocId> =
        proc.edges.iter().filter(|edge| edge.labels.iter().any(starts)).map(|edge| edge.target).collect();
    let outgoing = proc.out_edges();
    while let Some(loc) = open.pop() {
        if !std::mem::replace(&mut result[loc.index()], true) {
            open.extend(outgoing.of(loc).iter().map(|edge| proc.edges[edge.index()].target));
        }
    }
    result
}

fn initial(steps: &Steps, proc: &Procedure, is_entry: bool, argument: Option<Value>) -> State {
    let mut state = State::default();
    let of = |constant: &Const| evaluate::width(constant.sort).map(|bits| Value::constant(bits, constant.bits));
    for (i, var) in (0..).zip(&steps.program.vars) {
        match &var.kind {
            VarKind::Global(Some(constant)) if is_entry => state.assign(&steps.relations, VarId(i), of(constant), None),
            VarKind::ThreadLocal(Some(constant)) => state.assign(&steps.relations, VarId(i), of(constant), None),
            _ => {}
        }
    }
    if let Some(param) = proc.params.first() {
        state.assign(&steps.relations, *param, argument, None);
    }
    state
}

fn write(
    program: &Program,
    steps: &Steps,
    flags: &[Vec<VarId>],
    started: &[Vec<bool>],
    at: Vec<Option<Vec<Parts>>>,
    stop: &dyn Fn() -> bool,
) -> Option<Facts> {
    let mut pool = program.pool.clone();
    let is_global = |var: VarId| !matches!(program.var(var).kind, VarKind::Local(_));
    let globals: Vec<VarId> = (0..program.vars.len() as u32).map(VarId).filter(|var| is_global(*var)).collect();
    let mut of_threads = Vec::new();
    for var in globals.iter().filter(|var| matches!(program.var(**var).kind, VarKind::Global(_))) {
        if let Some(value) = steps.shared.load(*var).filter(|value| !value.is_top() && of_threads.len() < MOST_SHARED) {
            value_facts(&mut pool, program, *var, value, &mut of_threads);
        }
    }
    of_threads.truncate(MOST_SHARED);
    let mut result = Vec::with_capacity(at.len());
    for (i, proc) in program.procs.iter().enumerate() {
        let n = proc.locations.len();
        let Some(parts) = &at[i] else {
            result.push(vec![Vec::new(); n]);
            continue;
        };
        let live = (n * proc.locals.len() <= MOST_LIVE).then(|| live_locals(proc, &program.pool, Output::Read));
        let writer = Writer { program, relations: &steps.relations, flags: &flags[i] };
        let mut facts = Vec::with_capacity(n);
        for (l, parts) in parts.iter().enumerate() {
            let loc = LocId(l as u32);
            let matters = |var: VarId| is_global(var) || live.as_ref().is_none_or(|live| live.contains(loc, var));
            let vars = live.as_ref().map_or(&proc.locals[..], |live| live.at(loc));
            let vars: Vec<VarId> = vars.iter().chain(&globals).copied().collect();
            let mut here = writer.facts(&mut pool, parts, &matters, &vars);
            if started[i][l] && !parts.is_empty() {
                here.truncate(MOST_FACTS - of_threads.len());
                here.extend(&of_threads);
            }
            facts.push(here);
            if l % 256 == 0 && stop() {
                return None;
            }
        }
        result.push(facts);
    }
    Some(Facts { pool, at: result, given_up: None })
}
