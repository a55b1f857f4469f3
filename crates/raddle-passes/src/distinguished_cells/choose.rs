//! Which cells to follow. Any choice is sound; this one finds the cells on which an error depends.
//!
//! Backward from each error, through local computation, to the loads that its condition depends on: their addresses, with the values that their variables have in the end, are
//! the first cells. Then backward through memory: where a store to a cell's array stores what was loaded elsewhere, the load's address, for the
//! index that makes the store hit the cell, is a cell as well (`b[i] = a[n - i]` and the cell `b[k]` give `a[n - k]`).

use super::classes::Classes;
use super::linear::unify;
use super::{Cell, fresh_local};
use fixedbitset::FixedBitSet;
use raddle_analysis::Cfg;
use raddle_analysis::ranges::{Range, Ranges};
use raddle_analysis::reaching::{Origin, Reaching, ValueId};
use raddle_ir::{EdgeId, Expr, ExprId, Label, Place, Procedure, Program, Sort, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Limits: cells of one class, cells in all, loads that one error or store depends on, and values that are looked at for that; rounds over phis.
const MOST_OF_CLASS: usize = 4;
const MOST_CELLS: usize = 16;
const MOST_LOADS: usize = 6;
const MOST_VALUES: usize = 200;
const MOST_ROUNDS: usize = 20;

/// A range before anything is in it.
const NO_NUMBER: Range = (i128::MAX, i128::MIN);

/// The cells, and what makes their addresses.
#[derive(Default)]
pub struct Choice {
    pub cells: Vec<Cell>,
    /// Chosen values, never written after the start: in which range they are, if that is known.
    pub chosen: FxHashMap<VarId, Option<Range>>,
    /// At an error (edge and label): a chosen value is that of a local.
    pub at_errors: FxHashMap<(usize, usize), Vec<(VarId, VarId)>>,
    /// Before a load (edge and label): a local is copied, for the end.
    pub copies: FxHashMap<(usize, usize), Vec<(VarId, VarId)>>,
}

pub fn choose(program: &mut Program, classes: &Classes, ranges: Option<&Ranges>) -> Choice {
    let proc = program.procs[0].clone();
    let cfg = Cfg::new(&proc);
    let stable = stable_locals(program, &proc, &cfg);
    let reaching = Reaching::new(&proc, &cfg);
    let mut chooser = Chooser {
        program,
        proc: &proc,
        cfg: &cfg,
        classes,
        stable,
        reaching,
        ranges,
        same: FxHashMap::default(),
        slots: FxHashMap::default(),
    };
    let mut choice = Choice::default();
    chooser.cells_of_errors(&mut choice);
    let mut next = 0;
    while next < choice.cells.len() {
        chooser.cells_behind(&mut choice, next);
        next += 1;
    }
    choice
}

/// Locals that no loop writes.
fn stable_locals(program: &Program, proc: &Procedure, cfg: &Cfg) -> FixedBitSet {
    let on_cycle = cfg.on_cycle(proc);
    let mut stable = FixedBitSet::with_capacity(program.vars.len());
    stable.insert_range(..);
    for edge in proc.edges.iter().filter(|edge| on_cycle.contains(edge.source.index())) {
        edge.labels.iter().filter_map(Label::written_local).for_each(|var| stable.set(var.index(), false));
    }
    stable
}

struct Chooser<'a> {
    program: &'a mut Program,
    proc: &'a Procedure,
    cfg: &'a Cfg,
    classes: &'a Classes,
    stable: FixedBitSet,
    reaching: Reaching<'a>,
    ranges: Option<&'a Ranges>,
    /// What values are that were asked for.
    same: FxHashMap<ValueId, ValueId>,
    /// Chosen values by sort. An execution fails only once, so that all errors share them.
    slots: FxHashMap<Sort, Vec<VarId>>,
}

impl Chooser<'_> {
    fn cells_of_errors(&mut self, choice: &mut Choice) {
        let proc = self.proc;
        for (e, edge) in proc.edges.iter().enumerate() {
            let Some(l) = edge.labels.iter().position(|label| matches!(label, Label::Error(_))) else { continue };
            let mut sources = Vec::new();
            self.conditions_before(e, l, &mut sources);
            let loads = self.loads_behind(sources);
            self.cells_of_error(choice, (e, l), &loads);
        }
    }

    /// The values in the conditions on the only way to a label.
    fn conditions_before(&mut self, mut edge: usize, mut label: usize, values: &mut Vec<ValueId>) {
        let proc = self.proc;
        let mut passed = FxHashSet::default();
        while passed.insert(edge) && passed.len() < 10 {
            for l in 0..label {
                if let Label::Assume(cond) = proc.edges[edge].labels[l] {
                    self.values_of(edge, l, cond, values);
                }
            }
            let source = proc.edges[edge].source;
            let [before] = self.cfg.arriving(source) else { return };
            edge = before.index();
            label = proc.edges[edge].labels.len();
        }
    }

    fn values_of(&mut self, edge: usize, label: usize, expr: ExprId, values: &mut Vec<ValueId>) {
        for var in self.program.pool.vars(expr) {
            values.push(self.value_at(edge, label, var));
        }
    }

    fn value_at(&mut self, edge: usize, label: usize, var: VarId) -> ValueId {
        let mut walk = self.reaching.walk(EdgeId(edge as u32));
        (0..label as u32).for_each(|l| walk.step(&self.reaching, l));
        let value = walk.value(&mut self.reaching, var);
        self.reaching.finish();
        self.same(value)
    }

    /// A phi of one value is that value, also where phis go in circles.
    fn same(&mut self, value: ValueId) -> ValueId {
        if let Some(&known) = self.same.get(&value) {
            return known;
        }
        // The phis behind it, and what each is as far as is known.
        let (mut phis, mut open) = (Vec::new(), vec![value]);
        let mut is: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        while let Some(next) = open.pop() {
            if is.contains_key(&next) || phis.len() > MOST_VALUES {
                continue;
            }
            is.insert(next, next);
            if let Origin::Phi { operands, .. } = self.reaching.origin(next) {
                phis.push(next);
                open.extend(operands.iter().map(|(_, operand)| *operand));
            }
        }
        for _ in 0..MOST_ROUNDS {
            let mut changed = false;
            for &phi in &phis {
                let Origin::Phi { operands, .. } = self.reaching.origin(phi) else { continue };
                let mut values = operands.iter().map(|(_, operand)| is.get(operand).copied().unwrap_or(*operand));
                let mut only = values.clone().filter(|value| *value != phi);
                let Some(first) = only.next() else { continue };
                if is[&phi] != first && values.all(|value| value == first || value == phi) {
                    is.insert(phi, first);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.same.insert(value, is[&value]);
        is[&value]
    }

    /// The loads (edge and label) of eligible classes that values are computed from, through locals only.
    fn loads_behind(&mut self, mut open: Vec<ValueId>) -> Vec<(usize, usize)> {
        let proc = self.proc;
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        let mut loads = Vec::new();
        while let Some(value) = open.pop() {
            if !seen.insert(value) || seen.len() > MOST_VALUES || loads.len() >= MOST_LOADS {
                continue;
            }
            match self.reaching.origin(value).clone() {
                Origin::Entry => {}
                Origin::Phi { operands, .. } => open.extend(operands.into_iter().map(|(_, operand)| operand)),
                Origin::Label { edge, label } => {
                    let (edge, label) = (edge.index(), label as usize);
                    match proc.edges[edge].labels[label] {
                        Label::Assign { value, .. } => self.values_of(edge, label, value, &mut open),
                        Label::Load { place: Place::Memory(address), .. }
                            if self.classes.eligible(address).is_some() =>
                        {
                            loads.push((edge, label));
                        }
                        _ => {}
                    }
                }
            }
        }
        loads
    }

    fn cells_of_error(&mut self, choice: &mut Choice, error: (usize, usize), loads: &[(usize, usize)]) {
        // The values that this error needs in the end, with the chosen ones that they are.
        let mut needed: Vec<(VarId, ValueId, VarId)> = Vec::new();
        for &(edge, label) in loads {
            let Label::Load { place: Place::Memory(address), .. } = self.proc.edges[edge].labels[label] else {
                continue;
            };
            let mut replaced: FxHashMap<VarId, VarId> = FxHashMap::default();
            for var in self.program.pool.vars(address) {
                if self.stable.contains(var.index()) {
                    continue;
                }
                let value = self.value_at(edge, label, var);
                let known = needed.iter().find(|(v, at, _)| (*v, *at) == (var, value)).map(|found| found.2);
                let chosen = match known {
                    Some(chosen) => chosen,
                    None => {
                        let sort = self.program.var(var).sort;
                        let used = needed.iter().filter(|(v, ..)| self.program.var(*v).sort == sort).count();
                        let chosen = self.slot(choice, sort, used);
                        needed.push((var, value, chosen));
                        let source = if self.value_at(error.0, error.1, var) == value {
                            var
                        } else {
                            let copy = fresh_local(self.program, "then", sort);
                            choice.copies.entry((edge, label)).or_default().push((copy, var));
                            copy
                        };
                        choice.at_errors.entry(error).or_default().push((chosen, source));
                        let place = if source == var { error } else { (edge, label) };
                        self.widen(choice, chosen, var, place);
                        chosen
                    }
                };
                replaced.insert(var, chosen);
            }
            let sort_of = |program: &Program, var: VarId| program.var(var).sort;
            let exprs: FxHashMap<VarId, ExprId> = replaced
                .into_iter()
                .map(|(var, chosen)| (var, self.program.pool.var(chosen, sort_of(self.program, chosen))))
                .collect();
            let at = self.program.pool.substitute(address, &mut |var| exprs.get(&var).copied());
            self.add(choice, address, at, (edge, label));
        }
    }

    fn slot(&mut self, choice: &mut Choice, sort: Sort, number: usize) -> VarId {
        let known = self.slots.get(&sort).map_or(0, Vec::len);
        if number >= known {
            let var = fresh_local(self.program, "k", sort);
            choice.chosen.insert(var, Some(NO_NUMBER));
            self.slots.entry(sort).or_default().push(var);
        }
        self.slots[&sort][number.min(known)]
    }

    /// A chosen value may be what a local is at a place.
    fn widen(&self, choice: &mut Choice, chosen: VarId, local: VarId, (edge, label): (usize, usize)) {
        let local = self.program.pool.find(Expr::Var(local));
        let range = self
            .ranges
            .zip(local)
            .and_then(|(ranges, local)| ranges.before(self.program, &self.proc.edges[edge], label, local, &|_| None));
        if let Some(known) = choice.chosen.get_mut(&chosen) {
            *known = known.zip(range).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        }
    }

    /// Adds the cell at an address of which a load (with its own address, in the Program) is an example.
    fn add(&mut self, choice: &mut Choice, example: ExprId, address: ExprId, (edge, label): (usize, usize)) {
        let Some(class) = self.classes.eligible(example) else { return };
        let Label::Load { var, .. } = self.proc.edges[edge].labels[label] else { return };
        let bytes = self.program.var(var).sort.bytes();
        let is_known = |cell: &Cell| (cell.class, cell.address, cell.bytes) == (class, address, bytes);
        let of_class = choice.cells.iter().filter(|cell| cell.class == class).count();
        if choice.cells.iter().any(is_known) || of_class >= MOST_OF_CLASS || choice.cells.len() >= MOST_CELLS {
            return;
        }
        let var = fresh_local(self.program, "cell", Sort::Bits((8 * bytes) as u8));
        choice.cells.push(Cell { class, address, bytes, var });
    }

    /// The cells that are copied to a cell.
    fn cells_behind(&mut self, choice: &mut Choice, cell: usize) {
        let Cell { class, address: target, .. } = choice.cells[cell];
        let stores: Vec<_> =
            self.classes.all[class].accesses.iter().filter(|access| access.is_store).cloned().collect();
        for store in stores {
            let Label::Store { value, .. } = self.proc.edges[store.edge].labels[store.label] else { continue };
            let mut values = Vec::new();
            self.values_of(store.edge, store.label, value, &mut values);
            let loads = self.loads_behind(values);
            if loads.is_empty() {
                continue;
            }
            let stable = &self.stable;
            let is_free = |var: VarId| !stable.contains(var.index());
            let Some(unifier) = unify(&mut self.program.pool, store.address, target, &is_free) else { continue };
            for (edge, label) in loads {
                let Label::Load { place: Place::Memory(address), .. } = self.proc.edges[edge].labels[label] else {
                    continue;
                };
                let vars = self.program.pool.vars(address);
                let is_determined = vars.into_iter().all(|var| {
                    self.stable.contains(var.index())
                        || unifier.contains_key(&var)
                            && self.value_at(edge, label, var) == self.value_at(store.edge, store.label, var)
                });
                if is_determined {
                    let at = self.program.pool.substitute(address, &mut |var| unifier.get(&var).copied());
                    self.add(choice, address, at, (edge, label));
                }
            }
        }
    }
}
