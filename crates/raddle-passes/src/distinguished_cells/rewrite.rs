//! Replaces the accesses to eligible classes by what they mean for the cells.
//!
//! An access and a cell are compared by order where that can be said (`i < k`, `i == k`, `i > k`): an edge for each. Predicates of the form `i <= k` are what
//! inductive invariants of loops over arrays need, and no refinement would find them from `i != k`, `i + 1 != k` and so on.

use super::choose::Choice;
use super::classes::Classes;
use super::linear::{Comparison, compare};
use super::{Cell, fresh_local};
use raddle_analysis::Cfg;
use raddle_analysis::ranges::Ranges;
use raddle_ir::{
    BinOp, Const, Edge, Expr, ExprId, HavocReason, Label, LocId, LocKind, Location, Origin, Place, Program, Sort, UnOp,
    VarId,
};

pub fn rewrite(program: &mut Program, classes: &Classes, choice: &Choice, ranges: Option<&Ranges>) {
    let edges = std::mem::take(&mut program.procs[0].edges);
    let cycles = {
        let proc = raddle_ir::Procedure { edges: edges.clone(), ..program.procs[0].clone() };
        Cfg::new(&proc).on_cycle(&proc)
    };
    let mut writer =
        Writer { program, classes, choice, edge: None, source: LocId(0), pending: Vec::new(), original: None, ranges };
    for (e, edge) in edges.into_iter().enumerate() {
        writer.source = edge.source;
        writer.edge = Some(Edge { labels: Vec::new(), ..edge.clone() });
        let repeats = cycles.contains(edge.source.index());
        for (l, label) in edge.labels.iter().cloned().enumerate() {
            writer.original = Some((edge.clone(), l));
            writer.label((e, l), label, repeats);
        }
        writer.flush_to(edge.target);
    }
}

struct Writer<'a> {
    program: &'a mut Program,
    classes: &'a Classes,
    choice: &'a Choice,
    /// The edge that is rewritten, without labels.
    edge: Option<Edge>,
    /// Where the rest of it begins.
    source: LocId,
    pending: Vec<Label>,
    /// The original edge, the label on it that is looked at, and what is known there.
    original: Option<(Edge, usize)>,
    ranges: Option<&'a Ranges>,
}

impl Writer<'_> {
    fn label(&mut self, at: (usize, usize), label: Label, repeats: bool) {
        for &(copy, var) in self.choice.copies.get(&at).into_iter().flatten() {
            let value = self.program.pool.var(var, self.program.vars[var.index()].sort);
            self.pending.push(Label::Assign { var: copy, value });
        }
        for &(chosen, var) in self.choice.at_errors.get(&at).into_iter().flatten() {
            let sort = self.program.vars[var.index()].sort;
            let (chosen, var) = (self.program.pool.var(chosen, sort), self.program.pool.var(var, sort));
            let cond = self.program.pool.eq(var, chosen);
            self.pending.push(Label::Assume(cond));
        }
        let written = label.written_local();
        let is_alone = |class: usize| !repeats && self.classes.all[class].is_only(at);
        let moved = self.choice.cells.iter().filter(|cell| {
            written.is_some_and(|var| self.program.pool.vars(cell.address).contains(&var)) && !is_alone(cell.class)
        });
        // A cell whose address changes is another cell.
        let moved: Vec<Label> = moved.map(|cell| havoc(cell.var)).collect();
        match label {
            Label::Load { var, place: Place::Memory(address), .. } if self.classes.eligible(address).is_some() => {
                self.load(var, address);
            }
            Label::Store { value, place: Place::Memory(address), .. } if self.classes.eligible(address).is_some() => {
                self.store(value, address);
            }
            Label::Alloc { zeroed, .. } => {
                self.pending.push(label);
                self.allocated(at, zeroed, repeats);
            }
            other => self.pending.push(other),
        }
        self.pending.extend(moved);
    }

    fn cells(&self, address: ExprId, bytes: u64) -> Vec<Cell> {
        let class = self.classes.eligible(address);
        let is_hit = |cell: &&Cell| Some(cell.class) == class && cell.bytes == bytes;
        self.choice.cells.iter().filter(is_hit).cloned().collect()
    }

    fn load(&mut self, var: VarId, address: ExprId) {
        let sort = self.program.var(var).sort;
        let end = self.location();
        for cell in self.cells(address, sort.bytes()) {
            let held = self.program.pool.var(cell.var, Sort::Bits((8 * cell.bytes) as u8));
            let value = match sort {
                Sort::Float(format) => self.program.pool.bits_to_f(format, held),
                _ => held,
            };
            let hit = vec![Label::Assign { var, value }];
            self.flush();
            match self.compared(address, &cell) {
                Compared { is_hit: None, .. } => {
                    self.edge_to(end, hit);
                    self.source = end;
                    return;
                }
                Compared { is_hit: Some(is_hit), named, misses, .. } => {
                    let hit = [Label::Assume(is_hit)].into_iter().chain(named).chain(hit).collect();
                    self.edge_to(end, hit);
                    let next = self.location();
                    misses.into_iter().for_each(|miss| self.edge_to(next, vec![Label::Assume(miss)]));
                    self.source = next;
                }
            }
        }
        // Elsewhere: any value.
        self.pending.push(havoc(var));
        self.flush_to(end);
        self.source = end;
    }

    fn store(&mut self, value: ExprId, address: ExprId) {
        let (value, bytes) = match self.program.pool.sort(value) {
            sort @ Sort::Float(_) => (self.program.pool.unary(UnOp::FToBits, value), sort.bytes()),
            sort => (value, sort.bytes()),
        };
        for cell in self.cells(address, bytes) {
            let hit = Label::Assign { var: cell.var, value };
            match self.compared(address, &cell) {
                Compared { is_hit: None, .. } => self.pending.push(hit),
                Compared { is_hit: Some(is_hit), named, misses, exact } => {
                    self.flush();
                    let next = self.location();
                    self.edge_to(next, [Label::Assume(is_hit)].into_iter().chain(named).chain([hit]).collect());
                    for miss in misses {
                        let mut labels = vec![Label::Assume(miss)];
                        if !exact {
                            // An index that wraps around may be another and hit all the same.
                            let pool = &mut self.program.pool;
                            let same = pool.eq(address, cell.address);
                            let held = pool.var(cell.var, Sort::Bits((8 * cell.bytes) as u8));
                            labels.push(Label::Assign { var: cell.var, value: pool.ite(same, value, held) });
                        }
                        self.edge_to(next, labels);
                    }
                    self.source = next;
                }
            }
        }
    }

    fn compared(&mut self, address: ExprId, cell: &Cell) -> Compared {
        let chosen = &self.choice.chosen;
        let pool = &mut self.program.pool;
        match compare(pool, address, cell.address, &|var| chosen.contains_key(&var)) {
            Comparison::Same => Compared { is_hit: None, named: None, misses: Vec::new(), exact: true },
            Comparison::Ordered { left, right, shift } => {
                let exact = shift == 0 || self.is_near(left, right, shift);
                let pool = &mut self.program.pool;
                let misses = vec![pool.binary(BinOp::SLt, left, right), pool.binary(BinOp::SLt, right, left)];
                let named = match pool.get(left) {
                    Expr::Var(var) => Some(Label::Assign { var, value: right }),
                    _ => None,
                };
                Compared { is_hit: Some(pool.eq(left, right)), named, misses, exact }
            }
            Comparison::Plain => {
                let same = pool.eq(address, cell.address);
                Compared { is_hit: Some(same), named: None, misses: vec![pool.not(same)], exact: true }
            }
        }
    }

    /// Is the difference of two numbers of so few bits, at this place, that it is zero if it is zero modulo 2^(width - shift)?
    fn is_near(&self, left: ExprId, right: ExprId, shift: u32) -> bool {
        let (Some(ranges), Some((edge, label))) = (self.ranges, &self.original) else { return false };
        let Some(width) = self.program.pool.sort(left).bits() else { return false };
        let more = |var: VarId| self.choice.chosen.get(&var).copied().flatten();
        let range = |expr| ranges.before(self.program, edge, *label, expr, &more);
        let (Some(a), Some(b)) = (range(left), range(right)) else { return false };
        (a.1 - b.0).max(b.1 - a.0) < 1i128 << (u32::from(width) - shift)
    }

    /// After an allocation: what is at an address in the new object is zero or anything. The cell may lie elsewhere.
    fn allocated(&mut self, at: (usize, usize), zeroed: bool, repeats: bool) {
        let cells: Vec<Cell> =
            self.choice.cells.iter().filter(|cell| self.classes.all[cell.class].sites.contains(&at)).cloned().collect();
        for cell in cells {
            let sort = Sort::Bits((8 * cell.bytes) as u8);
            let is_alone = !repeats && self.classes.all[cell.class].is_only(at);
            let zero = self.program.pool.constant(Const { sort, bits: 0 });
            match (is_alone, zeroed) {
                (true, true) => self.pending.push(Label::Assign { var: cell.var, value: zero }),
                (true, false) => self.pending.push(havoc(cell.var)),
                (false, _) => {
                    let (new, is_new) =
                        (fresh_local(self.program, "new", sort), fresh_local(self.program, "is_new", Sort::Bits(8)));
                    self.pending.extend([havoc(new), havoc(is_new)]);
                    let pool = &mut self.program.pool;
                    let none = pool.bits(8, 0);
                    let is_new = pool.var(is_new, Sort::Bits(8));
                    let is_old = pool.eq(is_new, none);
                    let (held, new) = (pool.var(cell.var, sort), pool.var(new, sort));
                    let new = if zeroed { zero } else { new };
                    let value = pool.ite(is_old, held, new);
                    self.pending.push(Label::Assign { var: cell.var, value });
                }
            }
        }
    }

    fn location(&mut self) -> LocId {
        let proc = &mut self.program.procs[0];
        let mut location = Location { kind: LocKind::Normal, ..proc.locations[self.source.index()].clone() };
        location.lose_exactness();
        proc.locations.push(location);
        LocId(proc.locations.len() as u32 - 1)
    }

    fn edge_to(&mut self, target: LocId, labels: Vec<Label>) {
        if let Some(edge) = &self.edge {
            self.program.procs[0].edges.push(Edge { source: self.source, target, labels, ..edge.clone() });
        }
    }

    fn flush_to(&mut self, target: LocId) {
        let labels = std::mem::take(&mut self.pending);
        self.edge_to(target, labels);
        self.source = target;
    }

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            let next = self.location();
            self.flush_to(next);
        }
    }
}

/// When an access hits a cell (`None`: always), and the cases in which it does not.
struct Compared {
    is_hit: Option<ExprId>,
    /// Gives a local the value that it has then, by its other name. Preconditions of what follows then speak of the cell's index, and not of a
    /// counter, of which they would need one for each round of a loop.
    named: Option<Label>,
    misses: Vec<ExprId>,
    /// Does it never hit in these cases?
    exact: bool,
}

pub fn havoc(var: VarId) -> Label {
    Label::Havoc { var, reason: HavocReason::Uninitialised, site: Origin::default() }
}
