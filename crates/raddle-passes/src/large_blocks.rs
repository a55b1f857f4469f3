//! Large-block encoding: branches of local computation that meet again become one edge, so that the abstraction looks at fewer states. After
//! Beyer, Cimatti, Griggio, Keremoglu and Sebastiani, *Software Model Checking via Large-Block Encoding* (FMCAD 2009), but with
//! conditional values instead of disjunctions of formulas, so that the result is a Program that the interpreter runs.
//!
//! An edge is *plain* if it only assumes and assigns. What it does is then a *effect*: a condition on the state before it, and for each variable that it
//! assigns the new value in terms of that state. Three rules are applied until none applies; each makes one edge less:
//!
//! - Two plain edges from `s` to `t` whose conditions exclude each other become one: `v := ite(c, a, b)`. It assumes that one of the conditions holds, and
//!   nothing if that is always so: it can be taken exactly where one of the two could. If both conditions could hold, a choice would be lost, so such edges
//!   stay. Values that nobody reads at `t` are left out.
//! - Two plain edges that follow each other, with no other way in or out between them, become one.
//! - A plain edge from `s` to `m`, the only way to `m`, is put in front of each edge from `m` on, if one of those meets another plain edge of `s`: that is what
//!   the second condition of `a && b` looks like.
//!
//! Threads: the first rule joins edges that are one step each. The others make one step of two of which the first touches only locals: whatever the other threads
//! do between the two they can do before both. If no edge from `m` on can be taken, the thread is stuck at `s` instead of `m`, which nobody sees. As in
//! `merge_edges`, what may wait for other threads stays alone: a choice made before it would not be made for good.
//!
//! In a program that starts no thread, global variables are as good as locals; `Lbe::Full` makes use of it. A merged edge loads those that it needs first.

use crate::{coalesce, merge_edges, reachable};
use clap::ValueEnum;
use fixedbitset::FixedBitSet;
use raddle_analysis::{Live, Output, live_locals};
use raddle_ir::{
    BinOp, Edge, Expr, ExprId, ExprPool, Label, LocId, LocKind, LockOp, Order, Place, ProcId, Procedure, Program, Span,
    UnOp, Var, VarId, VarKind,
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// How large blocks are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lbe {
    /// Each edge stays as it is
    None,
    /// Edges that follow each other
    Seq,
    /// And branches that meet again
    #[default]
    Full,
    /// The same, of local computation only
    Local,
}

/// Makes large blocks of what `merge_edges` left.
pub fn large_blocks(mut program: Program, lbe: Lbe) -> Program {
    if matches!(lbe, Lbe::None | Lbe::Seq) {
        return program;
    }
    let globals = lbe == Lbe::Full && !program.starts_threads();
    for i in 0..program.procs.len() {
        merge(&mut program, ProcId(i as u32), globals);
    }
    debug_assert_eq!(raddle_ir::validate(&program), Ok(()));
    // What became one edge may follow another one.
    reachable(coalesce(merge_edges(program)))
}

/// A value or a condition has at most so many nodes, counted as a tree: those who read it may well read it as one.
const LARGEST: u64 = 200;
/// A merged edge has at most so many labels.
const MOST_LABELS: usize = 64;
/// An edge is copied to at most so many edges that follow it.
const MOST_COPIES: usize = 4;
/// Conditions over more atoms are not looked into.
const MOST_ATOMS: usize = 8;

fn merge(program: &mut Program, id: ProcId, globals: bool) {
    let live = live_locals(program.proc(id), &program.pool, Output::Read);
    let proc = &mut program.procs[id.index()];
    let (entry, exit) = (proc.entry, proc.exit);
    let mut graph = Graph::new(proc);
    let mut blocks = Blocks { program, id, globals, live, loaded: BTreeMap::new(), sizes: FxHashMap::default() };
    while let Some(at) = graph.open.pop_front() {
        graph.is_open.set(at.index(), false);
        blocks.meet(&mut graph, at);
        let is_between =
            at != entry && at != exit && blocks.program.proc(id).locations[at.index()].kind == LocKind::Normal;
        if let (true, &[into]) = (is_between, &graph.into[at.index()][..]) {
            blocks.follow(&mut graph, into, at);
        }
    }
    blocks.program.procs[id.index()].edges = graph.edges.into_iter().flatten().collect();
}

/// The edges while they change.
struct Graph {
    edges: Vec<Option<Edge>>,
    out: Vec<Vec<usize>>,
    into: Vec<Vec<usize>>,
    /// Locations to look at: at first those that come later before those that come earlier, so that what is inside a branch comes before the branch.
    open: VecDeque<LocId>,
    is_open: FixedBitSet,
}

impl Graph {
    fn new(proc: &mut Procedure) -> Self {
        let count = proc.locations.len();
        let (mut out, mut into) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let edges: Vec<Option<Edge>> = std::mem::take(&mut proc.edges).into_iter().map(Some).collect();
        for (i, edge) in edges.iter().flatten().enumerate() {
            out[edge.source.index()].push(i);
            into[edge.target.index()].push(i);
        }
        let mut graph = Graph { edges, out, into, open: VecDeque::new(), is_open: FixedBitSet::with_capacity(count) };
        let mut stack = vec![(proc.entry, 0)];
        let mut seen = FixedBitSet::with_capacity(count);
        seen.insert(proc.entry.index());
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            match graph.out[at.index()].get(*next) {
                Some(&edge) => {
                    *next += 1;
                    let target = graph.edge(edge).target;
                    if !seen.put(target.index()) {
                        stack.push((target, 0));
                    }
                }
                None => {
                    graph.look_at(at);
                    stack.pop();
                }
            }
        }
        graph
    }

    /// An edge that is in the lists is there.
    fn edge(&self, edge: usize) -> &Edge {
        const NONE: &Edge =
            &Edge { source: LocId(0), target: LocId(0), labels: Vec::new(), span: Span::NONE, is_silent: false };
        self.edges[edge].as_ref().unwrap_or(NONE)
    }

    fn look_at(&mut self, at: LocId) {
        if !self.is_open.put(at.index()) {
            self.open.push_back(at);
        }
    }

    fn remove(&mut self, edge: usize) -> Option<Edge> {
        let removed = self.edges[edge].take()?;
        self.out[removed.source.index()].retain(|e| *e != edge);
        self.into[removed.target.index()].retain(|e| *e != edge);
        Some(removed)
    }

    fn add(&mut self, edge: Edge) {
        let (source, target) = (edge.source, edge.target);
        self.out[source.index()].push(self.edges.len());
        self.into[target.index()].push(self.edges.len());
        self.edges.push(Some(edge));
        // What leaves the source has changed, which matters to what comes next as well.
        self.look_at(source);
        for i in 0..self.out[source.index()].len() {
            self.look_at(self.edge(self.out[source.index()][i]).target);
        }
    }
}

/// What a plain edge does.
struct Effect {
    /// All of these hold before it.
    guard: Vec<ExprId>,
    /// What variables are after it, in terms of what they were before it.
    values: BTreeMap<VarId, ExprId>,
}

struct Blocks<'p> {
    program: &'p mut Program,
    id: ProcId,
    /// Global variables are as good as locals.
    globals: bool,
    live: Live,
    /// Locals that hold what was loaded from a global variable, inside an edge.
    loaded: BTreeMap<VarId, VarId>,
    sizes: FxHashMap<ExprId, u64>,
}

impl Blocks<'_> {
    /// Merges the plain edges from a location that lead to the same one.
    fn meet(&mut self, graph: &mut Graph, at: LocId) {
        'again: loop {
            let out = &graph.out[at.index()];
            for (i, &first) in out.iter().enumerate() {
                for &second in &out[i + 1..] {
                    if graph.edge(first).target == graph.edge(second).target
                        && let Some(edge) = self.joined(graph.edge(first), graph.edge(second))
                    {
                        graph.remove(first);
                        graph.remove(second);
                        graph.add(edge);
                        continue 'again;
                    }
                }
            }
            return;
        }
    }

    /// Two edges with the same ends as one.
    fn joined(&mut self, first: &Edge, second: &Edge) -> Option<Edge> {
        if !self.is_plain(first) || !self.is_plain(second) {
            return None;
        }
        let (a, b) = (self.effect(&first.labels)?, self.effect(&second.labels)?);
        let pool = &mut self.program.pool;
        let (choice, guard) = decide(pool, &a.guard, &b.guard)?;
        let mut merged = Effect { guard, values: BTreeMap::new() };
        for &var in a.values.keys().chain(b.values.keys()) {
            let declared = &mut self.program.vars[var.index()];
            if matches!(declared.kind, VarKind::Local(_)) && !self.live.contains(first.target, var) {
                declared.lose_writes();
                continue;
            }
            let before = self.program.pool.var(var, declared.sort);
            let of = |effect: &Effect| effect.values.get(&var).copied().unwrap_or(before);
            let value = self.program.pool.ite(choice, of(&a), of(&b));
            if value != before {
                merged.values.insert(var, value);
            }
        }
        for &expr in merged.values.values().chain(&merged.guard) {
            self.is_small(expr).then_some(())?;
        }
        let labels = self.labels(merged);
        let span = if first.span.is_none() { second.span } else { first.span };
        let is_silent = first.is_silent && second.is_silent;
        (labels.len() <= MOST_LABELS).then_some(Edge {
            source: first.source,
            target: first.target,
            labels,
            span,
            is_silent,
        })
    }

    /// Puts the only edge to a location in front of what comes from there on, if that leads to something.
    fn follow(&mut self, graph: &mut Graph, into: usize, at: LocId) {
        let first = graph.edge(into);
        let (source, out) = (first.source, graph.out[at.index()].clone());
        if source == at || out.is_empty() || out.len() > MOST_COPIES || !self.is_plain(first) {
            return;
        }
        let follows = |next: &Edge| {
            let labels = first.labels.len() + next.labels.len();
            next.target != at && labels <= MOST_LABELS && !next.labels.iter().any(stays_alone)
        };
        let meets = |next: &Edge| {
            self.is_plain(next)
                && graph.out[source.index()].iter().any(|&other| {
                    let other_edge = graph.edge(other);
                    other != into && other_edge.target == next.target && self.is_plain(other_edge)
                })
        };
        let is_worth_it = match out[..] {
            [only] => self.is_plain(graph.edge(only)),
            _ => out.iter().any(|next| meets(graph.edge(*next))),
        };
        if !is_worth_it || !out.iter().all(|next| follows(graph.edge(*next))) {
            return;
        }
        let Some(first) = graph.remove(into) else { return };
        for next in out {
            let Some(next) = graph.remove(next) else { continue };
            // An edge is shown by the place of what it does besides assuming and assigning.
            let own = if self.is_plain(&next) { first.span } else { next.span };
            let span = [own, first.span, next.span].into_iter().find(|span| !span.is_none()).unwrap_or(own);
            let labels = first.labels.iter().cloned().chain(next.labels).collect();
            graph.add(Edge { source, target: next.target, labels, span, is_silent: first.is_silent && next.is_silent });
        }
    }

    fn is_plain(&self, edge: &Edge) -> bool {
        let is_scalar = |var: VarId| self.program.var(var).sort.bits().is_some();
        edge.labels.iter().all(|label| match label {
            Label::Assign { var, .. } => is_scalar(*var),
            Label::Assume(_) => true,
            Label::Load { place: Place::Var(var), .. } | Label::Store { place: Place::Var(var), .. } => {
                self.globals && is_scalar(*var)
            }
            _ => false,
        })
    }

    /// What the labels of a plain edge do; `None` if it is too much to say.
    fn effect(&mut self, labels: &[Label]) -> Option<Effect> {
        let mut effect = Effect { guard: Vec::new(), values: BTreeMap::new() };
        for label in labels {
            let (to, value) = match *label {
                Label::Assign { var, value } => (Some(var), value),
                Label::Assume(cond) => (None, cond),
                Label::Load { var, place: Place::Var(from), .. } => {
                    (Some(var), self.program.pool.var(from, self.program.vars[from.index()].sort))
                }
                Label::Store { place: Place::Var(to), value, .. } => (Some(to), value),
                _ => return None,
            };
            let value = self.program.pool.substitute(value, &mut |var| effect.values.get(&var).copied());
            if !self.is_small(value) {
                return None;
            }
            match to {
                Some(var) => {
                    effect.values.insert(var, value);
                }
                None => conjuncts(&self.program.pool, value, &mut effect.guard),
            }
        }
        Some(effect)
    }

    fn is_small(&mut self, expr: ExprId) -> bool {
        tree_size(&self.program.pool, &mut self.sizes, expr) <= LARGEST
    }

    /// Labels that do this.
    fn labels(&mut self, effect: Effect) -> Vec<Label> {
        let mut labels = Vec::new();
        let exprs = effect.values.values().chain(&effect.guard);
        let mut read: Vec<VarId> = exprs.flat_map(|expr| self.program.pool.vars(*expr)).collect();
        read.sort_unstable();
        read.dedup();
        let mut loaded: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for from in read {
            if !matches!(self.program.var(from).kind, VarKind::Local(_)) {
                let var = self.loaded.get(&from).copied().unwrap_or_else(|| self.fresh(from));
                self.loaded.insert(from, var);
                labels.push(Label::Load { var, place: Place::Var(from), order: Order::NonAtomic });
                loaded.insert(from, self.program.pool.var(var, self.program.vars[from.index()].sort));
            }
        }
        let mut over_locals = |expr: ExprId| self.program.pool.substitute(expr, &mut |var| loaded.get(&var).copied());
        labels.extend(effect.guard.into_iter().map(|cond| Label::Assume(over_locals(cond))));
        let values: Vec<(VarId, ExprId)> =
            effect.values.into_iter().map(|(var, value)| (var, over_locals(value))).collect();
        // Nothing reads global variables any more.
        let (mut locals, globals): (Vec<_>, Vec<_>) =
            values.into_iter().partition(|(var, _)| matches!(self.program.var(*var).kind, VarKind::Local(_)));
        let store = |(var, value)| Label::Store { place: Place::Var(var), value, order: Order::NonAtomic };
        labels.extend(globals.into_iter().map(store));
        // A variable is assigned when no other value needs what it was before.
        while !locals.is_empty() {
            let pool = &mut self.program.pool;
            let is_read = |var: VarId| {
                locals.iter().any(|(other, value)| *other != var && pool.vars(*value).binary_search(&var).is_ok())
            };
            let next = locals.iter().position(|(var, _)| !is_read(*var));
            let (var, value) = locals.remove(next.unwrap_or(0));
            if next.is_none() {
                let saved = self.fresh(var);
                let (sort, pool) = (self.program.vars[var.index()].sort, &mut self.program.pool);
                let (before, copy) = (pool.var(var, sort), pool.var(saved, sort));
                labels.push(Label::Assign { var: saved, value: before });
                for (_, value) in &mut locals {
                    *value = pool.substitute(*value, &mut |read| (read == var).then_some(copy));
                }
            }
            labels.push(Label::Assign { var, value });
        }
        labels
    }

    /// A local like this variable.
    fn fresh(&mut self, like: VarId) -> VarId {
        let mut var = Var { kind: VarKind::Local(self.id), ..self.program.var(like).clone() };
        var.become_copy();
        let id = VarId(self.program.vars.len() as u32);
        self.program.vars.push(var);
        self.program.procs[self.id.index()].locals.push(id);
        id
    }
}

/// May it wait for other threads, or must it be the only label of its edge?
fn stays_alone(label: &Label) -> bool {
    matches!(
        label,
        Label::Call { .. }
            | Label::Await(_)
            | Label::Join { .. }
            | Label::AtomicBegin
            | Label::Lock { op: LockOp::Acquire | LockOp::AcquireWrite | LockOp::AcquireShared, .. }
    )
}

fn conjuncts(pool: &ExprPool, cond: ExprId, result: &mut Vec<ExprId>) {
    match pool.get(cond) {
        Expr::Binary(BinOp::And, a, b) => {
            conjuncts(pool, a, result);
            conjuncts(pool, b, result);
        }
        _ if pool.is_bool(cond, true) || result.contains(&cond) => {}
        _ => result.push(cond),
    }
}

/// A condition that tells two guards apart, true with the first, and what holds if one of them does. `None`: both may hold.
fn decide(pool: &mut ExprPool, a: &[ExprId], b: &[ExprId]) -> Option<(ExprId, Vec<ExprId>)> {
    let mut guard: Vec<ExprId> = a.iter().copied().filter(|cond| b.contains(cond)).collect();
    let rest = |of: &[ExprId], out: Option<ExprId>| -> Vec<ExprId> {
        of.iter().copied().filter(|cond| !guard.contains(cond) && Some(*cond) != out).collect()
    };
    let and = |pool: &mut ExprPool, of: Vec<ExprId>| {
        let all = pool.bool(true);
        of.into_iter().fold(all, |all, cond| pool.and(all, cond))
    };
    let opposites = a.iter().find_map(|&p| {
        let not = pool.not(p);
        b.contains(&not).then_some((p, not))
    });
    let (choice, one) = match opposites {
        Some((p, not)) => {
            let (first, second) = (and(pool, rest(a, Some(p))), and(pool, rest(b, Some(not))));
            let (left, right) = (pool.or(not, first), pool.or(p, second));
            (
                p,
                if pool.is_bool(left, true) {
                    right
                } else if pool.is_bool(right, true) {
                    left
                } else {
                    pool.and(left, right)
                },
            )
        }
        None => {
            let (first, second) = (and(pool, rest(a, None)), and(pool, rest(b, None)));
            let both = pool.and(first, second);
            never(pool, both).then_some(())?;
            (first, pool.or(first, second))
        }
    };
    let neither = pool.not(one);
    if !never(pool, neither) {
        conjuncts(pool, one, &mut guard);
    }
    Some((choice, guard))
}

/// Is it false whatever its atoms are? Two equalities of one expression with different constants do not hold together.
fn never(pool: &ExprPool, cond: ExprId) -> bool {
    let mut atoms = Vec::new();
    atoms_of(pool, cond, &mut atoms);
    if atoms.len() > MOST_ATOMS {
        return false;
    }
    let constant = |atom: ExprId| match pool.get(atom) {
        Expr::Binary(BinOp::Eq, x, c) => pool.as_const(c).map(|c| (x, c)),
        _ => None,
    };
    let equalities: Vec<_> = atoms.iter().map(|atom| constant(*atom)).collect();
    let is_possible = |set: u32| {
        let holds = |i: usize| set >> i & 1 == 1;
        !(0..atoms.len()).any(|i| {
            (0..i).any(|j| {
                let same = |(x, _), (y, _)| x == y;
                holds(i) && holds(j) && equalities[i].zip(equalities[j]).is_some_and(|(x, y)| same(x, y))
            })
        })
    };
    !(0..1 << atoms.len()).any(|set| is_possible(set) && holds(pool, cond, &atoms, set))
}

/// What a condition is made of by Boolean operations.
fn atoms_of(pool: &ExprPool, cond: ExprId, atoms: &mut Vec<ExprId>) {
    if atoms.len() > MOST_ATOMS {
        return;
    }
    match pool.get(cond) {
        Expr::Binary(BinOp::And | BinOp::Or, a, b) => {
            atoms_of(pool, a, atoms);
            atoms_of(pool, b, atoms);
        }
        Expr::Unary(UnOp::Not, a) => atoms_of(pool, a, atoms),
        Expr::Const(_) => {}
        _ if atoms.contains(&cond) => {}
        _ => atoms.push(cond),
    }
}

/// The truth of a condition if these of its atoms hold.
fn holds(pool: &ExprPool, cond: ExprId, atoms: &[ExprId], set: u32) -> bool {
    match pool.get(cond) {
        Expr::Binary(BinOp::And, a, b) => holds(pool, a, atoms, set) && holds(pool, b, atoms, set),
        Expr::Binary(BinOp::Or, a, b) => holds(pool, a, atoms, set) || holds(pool, b, atoms, set),
        Expr::Unary(UnOp::Not, a) => !holds(pool, a, atoms, set),
        Expr::Const(c) => c.bits != 0,
        _ => atoms.iter().position(|atom| *atom == cond).is_some_and(|i| set >> i & 1 == 1),
    }
}

/// The number of nodes of an expression, written out as a tree.
fn tree_size(pool: &ExprPool, sizes: &mut FxHashMap<ExprId, u64>, root: ExprId) -> u64 {
    let mut open = vec![root];
    while let Some(&id) = open.last() {
        let (mut size, mut missing) = (1u64, Vec::new());
        pool.get(id).for_each_operand(|operand| match sizes.get(&operand) {
            Some(known) => size = size.saturating_add(*known),
            None => missing.push(operand),
        });
        if missing.is_empty() {
            sizes.insert(id, size);
            open.pop();
        }
        open.extend(missing);
    }
    sizes[&root]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_that_may_both_be_taken_stay_apart() {
        let mut pool = ExprPool::new();
        let x = pool.var(VarId(0), raddle_ir::Sort::Bits(8));
        let number = |pool: &mut ExprPool, n| pool.bits(8, n);
        let (one, two) = (number(&mut pool, 1), number(&mut pool, 2));
        let (is_one, is_two) = (pool.eq(x, one), pool.eq(x, two));
        let below_two = pool.binary(BinOp::ULt, x, two);
        assert!(decide(&mut pool, &[is_one], &[below_two]).is_none());
        // One of them, or the other: it must be one of the two.
        let either = pool.or(is_one, is_two);
        assert_eq!(decide(&mut pool, &[is_one], &[is_two]), Some((is_one, vec![either])));
        let neither = pool.not(either);
        assert_eq!(decide(&mut pool, &[either], &[neither]), Some((either, vec![])));
    }
}
