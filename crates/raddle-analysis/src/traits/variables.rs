//! The variables of the source: how many, which are constants, which are undetermined.

use super::Traits;
use super::definitions::{At, Cell};
use super::reach::Reached;
use fixedbitset::FixedBitSet;
use raddle_ir::{Callee, Const, ExprId, HavocReason, Label, ObjectKind, Place, VarId, VarKind};
use rustc_hash::FxHashSet;

/// The values that were seen so far of a variable.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    None,
    One(Const),
    Many,
}

/// What labels tell about variables.
pub(super) struct Variables<'r, 'p> {
    reached: &'r Reached<'p>,
    seen: Vec<Seen>,
    /// Where a variable gets what is not determined.
    undetermined: Vec<(At, VarId)>,
}

impl<'r, 'p> Variables<'r, 'p> {
    pub fn new(reached: &'r Reached<'p>) -> Variables<'r, 'p> {
        let program = reached.program;
        let mut this = Variables { reached, seen: vec![Seen::None; program.vars.len()], undetermined: Vec::new() };
        for (i, var) in program.vars.iter().enumerate() {
            if let VarKind::Global(initial) | VarKind::ThreadLocal(initial) = var.kind {
                this.gets(VarId(i as u32), initial);
            }
        }
        for object in &program.objects {
            // What is called by a pointer has any arguments.
            if let ObjectKind::Function(proc) = object.kind {
                program.proc(proc).params.iter().for_each(|param| this.gets(*param, None));
            }
        }
        this
    }

    fn gets(&mut self, var: VarId, value: Option<Const>) {
        let seen = &mut self.seen[var.index()];
        *seen = match (*seen, value) {
            (Seen::None, Some(value)) => Seen::One(value),
            (Seen::One(old), Some(value)) if old == value => Seen::One(old),
            _ => Seen::Many,
        };
    }

    pub fn see(&mut self, at: At, label: &Label) {
        let program = self.reached.program;
        let constant = |value: &ExprId| program.pool.as_const(*value);
        match label {
            Label::Assign { var, value } | Label::Store { place: Place::Var(var), value, .. } => {
                return self.gets(*var, constant(value));
            }
            // What a variable is before it is given anything does not make it more than a constant.
            Label::Havoc { reason: HavocReason::Uninitialised, .. } => return,
            Label::Havoc { var, .. } => self.undetermined.push((at, *var)),
            Label::Call { callee: Callee::Proc(callee), args, var, .. } => {
                let params = &program.proc(*callee).params;
                params.iter().zip(args).for_each(|(param, arg)| self.gets(*param, constant(arg)));
                if let Some(var) = var
                    && self.reached.effects_for_user(label).inputs
                {
                    self.undetermined.push((at, *var));
                }
            }
            Label::Start { callee: Callee::Proc(callee), arg, .. } => {
                let params = &program.proc(*callee).params;
                params.iter().for_each(|param| self.gets(*param, constant(arg)));
            }
            _ => {}
        }
        if let Some(var) = label.written_local() {
            self.gets(var, None);
        }
    }

    /// Counts, and says which variables are constants.
    pub fn count(self, traits: &mut Traits) -> FixedBitSet {
        let Variables { reached, seen, undetermined } = self;
        let program = reached.program;
        let mut constants = FixedBitSet::with_capacity(program.vars.len());
        for (i, var) in program.vars.iter().enumerate() {
            let is_reached = match var.kind {
                VarKind::Local(proc) => reached.flow(proc).is_some(),
                _ => true,
            };
            if is_reached && reached.is_of_source(VarId(i as u32)) {
                traits.variables += 1;
                constants.set(i, matches!(seen[i], Seen::One(_)));
            }
        }
        for object in &program.objects {
            // A string literal has a name with a space, and what is nowhere was made by lowering.
            let is_made = object.span.is_none() || object.name.contains(' ') || reached.is_of_library(object.span);
            traits.variables += u32::from(!is_made && matches!(object.kind, ObjectKind::Data { .. }));
        }
        traits.constants = constants.count_ones(..) as u32;
        let mut cells = FxHashSet::default();
        for (at, var) in undetermined {
            if reached.is_of_source(var) {
                cells.insert(Cell::Var(var));
            } else {
                follow(reached, at, var, &mut cells);
            }
        }
        traits.undetermined = cells.len() as u32;
        constants
    }
}

/// So many edges the way of an input is followed.
const FAR: usize = 8;

/// Finds what is given a value in which a temporary occurs: `x = nondet()` havocs a temporary first.
fn follow(reached: &Reached, at: At, var: VarId, cells: &mut FxHashSet<Cell>) {
    let program = reached.program;
    let Some(flow) = reached.flow(at.proc) else { return };
    let mentions = |value: &ExprId| program.pool.vars(*value).contains(&var);
    let (mut id, mut begin) = (at.edge, at.label + 1);
    for _ in 0..FAR {
        let edge = &program.proc(at.proc).edges[id.index()];
        for label in &edge.labels[begin..] {
            match label {
                Label::Assign { var: to, value } if mentions(value) && reached.is_of_source(*to) => {
                    cells.insert(Cell::Var(*to));
                    return;
                }
                Label::Store { place, value, .. } if mentions(value) => {
                    cells.insert(match place {
                        Place::Var(to) => Cell::Var(*to),
                        Place::Memory(address) => Cell::Memory(*address),
                    });
                    return;
                }
                Label::Call { callee: Callee::Proc(callee), args, .. } => {
                    let params = program.proc(*callee).params.iter().zip(args);
                    let given = params.filter(|(param, arg)| reached.is_of_source(**param) && mentions(arg));
                    cells.extend(given.map(|(param, _)| Cell::Var(*param)));
                }
                _ => {}
            }
            if label.written_local() == Some(var) {
                return;
            }
        }
        let [only] = flow.leaving(edge.target) else { return };
        (id, begin) = (*only, 0);
    }
}
