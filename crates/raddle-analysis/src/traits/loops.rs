//! The loops of the user's procedures, and which of them count.
//!
//! A loop is *counted* if an edge that leaves it compares a cell (a variable, or memory at a plain address) with a constant, all writes of the cell
//! in the loop add constants of one sign, and in that direction the comparison comes true. It is *bounded* if moreover the cell starts at a constant and no way around the
//! loop leaves it unchanged. Writes through other pointers, by other threads and by callees (where there is no store in sight) are not looked at.

use super::definitions::{At, Cell, plain_var, split_offset, unconverted};
use super::flow::Flow;
use super::nesting::{Nesting, nesting};
use super::reach::Reached;
use fixedbitset::FixedBitSet;
use raddle_ir::{BinOp, Edge, EdgeId, Expr, ExprId, HavocReason, Label, LocId, ProcId, Procedure, UnOp, VarKind};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub proc: ProcId,
    pub head: LocId,
    /// The loop around it in the same procedure.
    pub parent: Option<usize>,
    pub is_infinite: bool,
    pub is_counted: bool,
    pub is_bounded: bool,
}

pub(super) struct Loops {
    pub all: Vec<Loop>,
    /// By procedure, if it has loops: how they nest, and the number of the first.
    nestings: Vec<Option<(Nesting, usize)>>,
}

/// More loops around a location are not looked at: jumps can nest thousands.
const MOST_NESTED: usize = 64;

impl Loops {
    /// The loops around a location, the innermost first.
    pub fn around(&self, proc: ProcId, loc: LocId) -> impl Iterator<Item = usize> + '_ {
        let nesting = self.nestings[proc.index()].as_ref();
        let innermost = nesting.and_then(|(nesting, first)| Some(first + nesting.innermost[loc.index()]? as usize));
        std::iter::successors(innermost, |&inner| self.all[inner].parent).take(MOST_NESTED)
    }

    fn holds(&self, at: usize, loc: LocId) -> bool {
        self.around(self.all[at].proc, loc).any(|around| around == at)
    }

    /// The loops that an edge stays in, the innermost first.
    pub fn around_edge(&self, proc: ProcId, edge: &Edge) -> impl Iterator<Item = usize> + '_ {
        let target = edge.target;
        self.around(proc, edge.source).skip_while(move |&around| !self.holds(around, target))
    }
}

/// When a comparison with a constant leaves a loop.
#[derive(Clone, Copy, Debug, Default)]
struct Leaves {
    when_large: bool,
    when_small: bool,
}

/// What a label does to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Constant,
    Up,
    Down,
    Other,
}

struct Write {
    edge: EdgeId,
    change: Change,
}

type Limits = FxHashMap<(usize, Cell), Leaves>;

/// `constants`: the variables that only ever have one value.
pub(super) fn loops(reached: &Reached, constants: &FixedBitSet) -> Loops {
    let mut loops = Loops { all: Vec::new(), nestings: Vec::new() };
    loops.nestings.resize_with(reached.program.procs.len(), || None);
    let mut limits = Limits::default();
    for (id, proc, flow) in reached.procs_of_user().filter(|(_, _, flow)| flow.has_cycle()) {
        let nesting = nesting(proc, flow);
        let first = loops.all.len();
        loops.all.extend(nesting.loops.iter().map(|&(head, parent)| Loop {
            proc: id,
            head,
            parent: parent.map(|parent| first + parent as usize),
            is_infinite: true,
            is_counted: false,
            is_bounded: false,
        }));
        let goes_on = goes_on(proc, flow, &nesting);
        loops.nestings[id.index()] = Some((nesting, first));
        for (at, edge) in flow.edges() {
            if !flow.falls_through(at) || !goes_on.contains(edge.target.index()) {
                continue;
            }
            let left: Vec<usize> =
                loops.around(id, edge.source).take_while(|&around| !loops.holds(around, edge.target)).collect();
            let Some(&innermost) = left.first() else { continue };
            left.iter().for_each(|&around| loops.all[around].is_infinite = false);
            for (label, assume) in edge.labels.iter().enumerate() {
                if let Label::Assume(cond) = assume {
                    let at = At { proc: id, edge: at, label };
                    limits_in(reached, constants, at, *cond, &mut |cell, leaves| {
                        let known = limits.entry((innermost, cell)).or_default();
                        known.when_large |= leaves.when_large;
                        known.when_small |= leaves.when_small;
                    });
                }
            }
        }
    }
    if !limits.is_empty() {
        judge(reached, &limits, &mut loops);
    }
    loops
}

/// The locations from which control comes to the exit or into a loop, and does not just end the program.
fn goes_on(proc: &Procedure, flow: &Flow, nesting: &Nesting) -> FixedBitSet {
    let mut result = FixedBitSet::with_capacity(proc.locations.len());
    let mut open: Vec<LocId> = vec![proc.exit];
    open.extend((0..proc.locations.len() as u32).map(LocId).filter(|loc| nesting.innermost[loc.index()].is_some()));
    open.iter().for_each(|loc| result.insert(loc.index()));
    while let Some(loc) = open.pop() {
        for edge in flow.arriving(loc) {
            let edge = &proc.edges[edge.index()];
            let fails = edge.labels.iter().any(|label| matches!(label, Label::Error(_)));
            if !fails && !result.put(edge.source.index()) {
                open.push(edge.source);
            }
        }
    }
    result
}

/// A condition is looked into up to so many operators.
const MOST_OPERATORS: usize = 32;

/// Calls `f` for each comparison of a cell with a constant that suffices for a condition to hold.
fn limits_in(reached: &Reached, constants: &FixedBitSet, at: At, cond: ExprId, f: &mut dyn FnMut(Cell, Leaves)) {
    let pool = &reached.program.pool;
    let cell = |id: ExprId| {
        let (varying, _) = split_offset(pool, unconverted(pool, id));
        reached.cell(at, plain_var(pool, varying?)?)
    };
    let is_constant = |id: ExprId| {
        pool.as_const(id).is_some() || matches!(cell(id), Some(Cell::Var(var)) if constants.contains(var.index()))
    };
    let mut open = vec![(cond, true)];
    for _ in 0..MOST_OPERATORS {
        let Some((id, holds)) = open.pop() else { break };
        match pool.get(id) {
            Expr::Unary(UnOp::Not, inner) => open.push((inner, !holds)),
            Expr::Binary(BinOp::Or, a, b) if holds => open.extend([(a, true), (b, true)]),
            Expr::Binary(BinOp::And, a, b) if !holds => open.extend([(a, false), (b, false)]),
            Expr::Binary(op @ (BinOp::Eq | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe), a, b) => {
                // A number comes to a constant from either side; that it comes away from one takes a step.
                let either = op == BinOp::Eq;
                let (when_small, when_large) = (either || holds, either || !holds);
                if is_constant(b) {
                    cell(a).into_iter().for_each(|cell| f(cell, Leaves { when_large, when_small }));
                }
                if is_constant(a) {
                    let turned = Leaves { when_large: when_small, when_small: when_large };
                    cell(b).into_iter().for_each(|cell| f(cell, turned));
                }
            }
            _ => {}
        }
    }
}

/// All writes of a cell.
#[derive(Default)]
struct Writes {
    all: Totals,
    in_proc: FxHashMap<ProcId, Totals>,
    in_loop: FxHashMap<usize, Vec<Write>>,
}

#[derive(Clone, Copy, Default)]
struct Totals {
    writes: usize,
    of_constants: usize,
}

impl Totals {
    fn add(&mut self, change: Change) {
        self.writes += 1;
        self.of_constants += usize::from(change == Change::Constant);
    }
}

/// Says which loops are counted and bounded.
fn judge(reached: &Reached, limits: &Limits, loops: &mut Loops) {
    let writes = writes(reached, limits, loops);
    let mut calls = vec![false; loops.all.len()];
    for site in reached.sites.iter().filter(|site| !site.is_start) {
        loops.around(site.caller, site.at).for_each(|around| calls[around] = true);
    }
    for (&(at, cell), leaves) in limits {
        let Some(writes) = writes.get(&cell) else { continue };
        let Some(inside) = writes.in_loop.get(&at) else { continue };
        let in_proc = writes.in_proc.get(&loops.all[at].proc).copied().unwrap_or_default();
        let by_callee = calls[at] && writes.all.writes > in_proc.writes;
        let all = |change| inside.iter().all(|write| write.change == change);
        if !by_callee && (leaves.when_large && all(Change::Up) || leaves.when_small && all(Change::Down)) {
            loops.all[at].is_counted = true;
            // No write inside is one of a constant.
            let outside = Totals { writes: writes.all.writes - inside.len(), ..writes.all };
            let is_bounded = starts_at_constant(reached, loops, at, cell, outside)
                && changes_in_each_round(reached, loops, at, inside);
            loops.all[at].is_bounded |= is_bounded;
        }
    }
}

/// The writes of all cells that loops are left by.
fn writes(reached: &Reached, limits: &Limits, loops: &Loops) -> FxHashMap<Cell, Writes> {
    let mut writes: FxHashMap<Cell, Writes> = limits.keys().map(|(_, cell)| (*cell, Writes::default())).collect();
    // A cell that only one procedure knows is written nowhere else.
    let is_shared = |cell: &Cell| match cell {
        Cell::Var(var) => !matches!(reached.program.var(*var).kind, VarKind::Local(_)),
        Cell::Memory(_) => true,
    };
    let any_shared = writes.keys().any(is_shared);
    for (proc, _, flow) in reached.procs_of_user().filter(|(_, _, flow)| any_shared || flow.has_cycle()) {
        for (id, edge) in flow.edges() {
            for (label, what) in edge.labels.iter().enumerate() {
                if matches!(what, Label::Havoc { reason: HavocReason::Uninitialised, .. }) {
                    continue;
                }
                if let Some(cell) = reached.written_cell(what)
                    && let Some(known) = writes.get_mut(&cell)
                {
                    let change = change(reached, At { proc, edge: id, label }, cell);
                    known.all.add(change);
                    known.in_proc.entry(proc).or_default().add(change);
                    for around in loops.around_edge(proc, edge).filter(|around| limits.contains_key(&(*around, cell))) {
                        known.in_loop.entry(around).or_default().push(Write { edge: id, change });
                    }
                }
            }
        }
    }
    writes
}

/// What the label at some place, which writes a cell, does to it.
fn change(reached: &Reached, at: At, cell: Cell) -> Change {
    let pool = &reached.program.pool;
    let (Label::Assign { value, .. } | Label::Store { value, .. }) = reached.label(at) else { return Change::Other };
    let (varying, step) = split_offset(pool, unconverted(pool, *value));
    let Some(varying) = varying else { return Change::Constant };
    let of_itself =
        plain_var(pool, varying).is_some_and(|var| Cell::Var(var) == cell || reached.cell(at, var) == Some(cell));
    match step {
        1.. if of_itself => Change::Up,
        ..=-1 if of_itself => Change::Down,
        _ => Change::Other,
    }
}

/// The way back to where a cell is given its first value is followed so far.
const FAR: usize = 64;

fn starts_at_constant(reached: &Reached, loops: &Loops, at: usize, cell: Cell, outside: Totals) -> bool {
    let Loop { proc, head, .. } = loops.all[at];
    let program = reached.program;
    let (is_local, is_param, initial) = match cell {
        Cell::Var(var) => match &program.var(var).kind {
            VarKind::Local(_) => (true, program.proc(proc).params.contains(&var), false),
            VarKind::Global(initial) | VarKind::ThreadLocal(initial) => (false, false, initial.is_some()),
        },
        Cell::Memory(_) => (false, false, false),
    };
    let Some(flow) = reached.flow(proc) else { return false };
    let edges = &program.proc(proc).edges;
    let mut entering = flow.arriving(head).iter().filter(|edge| !loops.holds(at, edges[edge.index()].source));
    let nearest = |edge: &EdgeId| {
        let end = At { proc, edge: *edge, label: edges[edge.index()].labels.len() };
        let matters = |label: &Label| {
            reached.written_cell(label) == Some(cell) || !is_local && matches!(label, Label::Call { .. })
        };
        let found = reached.before(end, FAR, matters)?;
        (reached.written_cell(reached.label(found)) == Some(cell)).then_some(change(reached, found, cell))
    };
    // Where the way back forks, every write counts.
    let everywhere = || !is_param && (initial || outside.writes > 0) && outside.writes == outside.of_constants;
    entering.all(|edge| nearest(edge).map_or_else(everywhere, |change| change == Change::Constant))
}

/// Does each way around the loop take one of these edges?
fn changes_in_each_round(reached: &Reached, loops: &Loops, at: usize, inside: &[Write]) -> bool {
    let Loop { proc, head, .. } = loops.all[at];
    let Some(flow) = reached.flow(proc) else { return false };
    let procedure = reached.program.proc(proc);
    let mut seen = FixedBitSet::with_capacity(procedure.locations.len());
    let mut open = vec![head];
    while let Some(loc) = open.pop() {
        for id in flow.leaving(loc) {
            let target = procedure.edges[id.index()].target;
            if inside.iter().any(|write| write.edge == *id) || !loops.holds(at, target) {
                continue;
            }
            if target == head {
                return false;
            }
            if !seen.put(target.index()) {
                open.push(target);
            }
        }
    }
    true
}
