//! The ordering consistency theory beside the SAT solver (thesis, section 5.3.2).
//!
//! Literals that become true add facts; each is followed to the fixpoint of the axioms (`saturate`). A cycle becomes a
//! conflict clause (`explain`), and what would close one is propagated (`prevent`). On a full assignment the fixpoint without
//! a cycle says that the assignment is weakly sequentially consistent; whether it is sequentially consistent, `linearise` says.

use super::decide::{self, Decide};
use super::explain::Explainer;
use super::prevent::{self, Because, Looked, Prevention};
use super::saturate::{self, Conflict, Saturation, Why};
use super::{Edge, OrderProblem, ReadId, WriteId, check};
use raddle_smt::{Propagator, SatLit};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderOptions {
    /// Propagate what would close a cycle.
    pub prevent: bool,
    pub decide: Decide,
    /// May the SAT solver forget the clauses of the theory? They are found again if need be.
    pub forget: bool,
}

impl Default for OrderOptions {
    fn default() -> Self {
        OrderOptions { prevent: true, decide: Decide::default(), forget: true }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OrderCounts {
    pub conflicts: u64,
    pub propagations: u64,
    pub decisions: u64,
    /// Edges that Axiom 2 gave.
    pub serializations: u64,
    /// Edges that Axiom 3 gave.
    pub from_reads: u64,
    /// Conflicts and propagations that were explained, and the literals of their clauses.
    pub explanations: u64,
    pub explanation_literals: u64,
}

/// What a literal stands for. One literal may stand for several things.
#[derive(Clone, Copy, Debug)]
enum Use {
    Guard(WriteId),
    Edge(u32),
    ReadFrom(u32),
}

/// A literal that must be true: why, and by edges below which number.
#[derive(Clone, Copy, Debug)]
struct Forced {
    lit: SatLit,
    because: Because,
    below: usize,
}

/// The state when a decision was made.
#[derive(Clone, Copy, Debug)]
struct Level {
    order: saturate::Mark,
    edges: usize,
    assigned: usize,
    forced: usize,
    given: usize,
    looked: Looked,
    first_read: usize,
}

pub struct OrderTheory {
    order: Saturation,
    options: OrderOptions,
    explainer: Explainer,
    counts: OrderCounts,
    uses: ByLiteral<Vec<Use>>,
    /// The true literals, and as a list.
    is_true: Values,
    assigned: Vec<SatLit>,
    edges_from: Vec<Vec<u32>>,
    /// Edges that were added above the root and are true: they have to be added again after going back.
    late: Vec<Edge>,
    levels: Vec<Level>,
    /// The clause of a cycle, the level at which it was found, and whether the SAT solver has it.
    conflict: Option<(Vec<SatLit>, usize, bool)>,
    forced: Vec<Forced>,
    /// How many of the forced literals the SAT solver has.
    given: usize,
    /// Where in `forced` a literal was put last.
    forced_at: ByLiteral<u32>,
    prevention: Prevention,
    /// Literals that must be false, on their way to `forced`.
    found: Vec<(SatLit, Because)>,
    /// How reads are decided now, and in which order.
    decide: Decide,
    reads: Vec<ReadId>,
    first_read: usize,
}

/// The values of the variables that matter, as a flat array: it is asked all the time.
#[derive(Clone, Debug, Default)]
struct Values(Vec<i8>);

impl Values {
    fn get(&self, lit: SatLit) -> Option<bool> {
        match self.0.get(lit.0.unsigned_abs() as usize) {
            None | Some(0) => None,
            Some(&value) => Some((value > 0) == (lit.0 > 0)),
        }
    }

    fn set(&mut self, lit: SatLit, value: i8) {
        let variable = lit.0.unsigned_abs() as usize;
        if variable >= self.0.len() {
            self.0.resize(variable + 1, 0);
        }
        self.0[variable] = if lit.0 > 0 { value } else { -value };
    }
}

/// Something for each literal that matters.
#[derive(Clone, Debug, Default)]
struct ByLiteral<T>(Vec<T>);

impl<T: Default> ByLiteral<T> {
    fn index(lit: SatLit) -> usize {
        2 * lit.0.unsigned_abs() as usize + usize::from(lit.0 < 0)
    }

    fn get(&self, lit: SatLit) -> Option<&T> {
        self.0.get(Self::index(lit))
    }

    fn entry(&mut self, lit: SatLit) -> &mut T {
        let index = Self::index(lit);
        if index >= self.0.len() {
            self.0.resize_with(index + 1, T::default);
        }
        &mut self.0[index]
    }
}

impl OrderTheory {
    pub fn new(problem: OrderProblem, options: OrderOptions) -> OrderTheory {
        let mut uses: ByLiteral<Vec<Use>> = ByLiteral::default();
        for (id, write) in (0..).map(WriteId).zip(&problem.writes) {
            if let Some(guard) = write.guard {
                uses.entry(guard).push(Use::Guard(id));
            }
        }
        for (id, read_from) in (0..).zip(&problem.read_froms) {
            uses.entry(read_from.lit).push(Use::ReadFrom(id));
        }
        let decide = options.decide.after(0);
        let reads = decide::reads_in_order(&problem, decide);
        let edges_from = vec![Vec::new(); problem.nodes as usize];
        let order = Saturation::new(problem);
        let mut theory = OrderTheory {
            edges_from,
            prevention: Prevention::new(&order),
            order,
            options,
            explainer: Explainer::default(),
            counts: OrderCounts::default(),
            uses,
            is_true: Values::default(),
            assigned: Vec::new(),
            late: Vec::new(),
            levels: Vec::new(),
            conflict: None,
            forced: Vec::new(),
            given: 0,
            forced_at: ByLiteral::default(),
            found: Vec::new(),
            decide,
            reads,
            first_read: 0,
        };
        for i in 0..theory.order.problem.edges.len() {
            theory.index_edge(i as u32);
        }
        if let Err(conflict) = theory.order.add_unconditional() {
            theory.refuse(conflict);
        } else if options.prevent {
            let mut found = Vec::new();
            prevent::look_at_all(&theory.order, &theory.edges_from, |lit, because| found.push((lit, because)));
            found.into_iter().for_each(|(lit, because)| theory.force(!lit, because));
            theory.prevent();
        }
        theory
    }

    fn index_edge(&mut self, i: u32) {
        let edge = self.order.problem.edges[i as usize];
        if let Some(lit) = edge.when {
            self.uses.entry(lit).push(Use::Edge(i));
            self.edges_from[edge.from.index()].push(i);
        }
    }

    /// All literals that the theory has to see. Reads' guards are among them, since decisions look at them.
    pub fn literals(&self) -> Vec<SatLit> {
        let problem = &self.order.problem;
        let guards = problem.writes.iter().map(|write| write.guard).chain(problem.reads.iter().map(|read| read.guard));
        let edges = problem.edges.iter().map(|edge| edge.when);
        let read_froms = problem.read_froms.iter().map(|read_from| read_from.lit);
        let mut variables: Vec<i32> = guards.chain(edges).flatten().chain(read_froms).map(|lit| lit.0.abs()).collect();
        variables.sort_unstable();
        variables.dedup();
        variables.into_iter().map(SatLit).collect()
    }

    pub fn problem(&self) -> &OrderProblem {
        &self.order.problem
    }

    pub fn counts(&self) -> OrderCounts {
        let (serializations, from_reads) = (self.order.derived_serializations, self.order.derived_from_reads);
        OrderCounts { serializations, from_reads, ..self.counts }
    }

    /// More edges, between two checks. Their literals must be observed as well.
    pub fn add_edges(&mut self, edges: &[Edge]) {
        for &edge in edges {
            self.order.problem.edges.push(edge);
            self.index_edge(self.order.problem.edges.len() as u32 - 1);
            self.late.push(edge);
        }
        self.add_late();
    }

    /// Adds the late edges that hold; at the root they stay.
    fn add_late(&mut self) {
        for i in 0..self.late.len() {
            let edge = self.late[i];
            let why = match edge.when {
                None => Why::Always,
                Some(lit) if self.is_true.get(lit) == Some(true) => Why::Literal(lit),
                Some(_) => continue,
            };
            if self.conflict.is_some() {
                return;
            }
            if let Err(conflict) = self.order.add_edge(edge.from, edge.to, why) {
                self.refuse(conflict);
            }
        }
        if self.levels.is_empty() {
            self.late.clear();
        }
        self.prevent();
    }

    /// Edges below this number hold in all the search that is left.
    fn root(&self) -> usize {
        self.levels.first().map_or(self.order.why.len(), |level| level.edges)
    }

    /// Makes the clause of a cycle.
    fn refuse(&mut self, conflict: Conflict) {
        let clause = self.explainer.conflict(&self.order, conflict, self.root()).into_clause();
        self.counts.conflicts += 1;
        self.count_explanation(&clause);
        self.conflict = Some((clause, self.levels.len(), false));
    }

    fn count_explanation(&mut self, clause: &[SatLit]) {
        self.counts.explanations += 1;
        self.counts.explanation_literals += clause.len() as u64;
    }

    fn add(&mut self, part: Use) -> Result<(), Conflict> {
        match part {
            Use::Guard(write) => self.order.enable(write),
            Use::ReadFrom(rf) => self.order.read_from(rf),
            Use::Edge(edge) => {
                let Edge { from, to, when } = self.order.problem.edges[edge as usize];
                self.order.add_edge(from, to, when.map_or(Why::Always, Why::Literal))
            }
        }
    }

    /// The guard of the write of the read-from's read-modify-write, unless the read-from says that it is true.
    fn update_guard(&self, rf: u32) -> Option<SatLit> {
        let read = self.order.problem.read_froms[rf as usize].read;
        let guard = self.order.problem.writes[self.order.lookup.update(read)?.index()].guard;
        guard.filter(|_| guard != self.order.problem.reads[read.index()].guard)
    }

    fn force(&mut self, lit: SatLit, because: Because) {
        let at = self.forced.len() as u32;
        let last = self.forced_at.entry(lit);
        if self.forced.get(*last as usize).is_some_and(|forced| forced.lit == lit) {
            return;
        }
        *last = at;
        self.forced.push(Forced { lit, because, below: self.order.why.len() });
    }

    fn prevent(&mut self) {
        if !self.options.prevent || self.conflict.is_some() {
            return;
        }
        let mut found = std::mem::take(&mut self.found);
        let open = |lit| self.is_true.get(lit).is_none();
        let force = |lit, because| found.push((lit, because));
        self.prevention.look(&self.order, &self.edges_from, open, force);
        for (lit, because) in found.drain(..) {
            self.force(!lit, because);
        }
        self.found = found;
    }
}

impl Propagator for OrderTheory {
    fn assigned(&mut self, lits: &[SatLit]) {
        let from = self.assigned.len();
        for &lit in lits {
            // The solver may say it twice.
            if self.is_true.get(lit).is_none() {
                self.is_true.set(lit, 1);
                self.assigned.push(lit);
            }
        }
        // After a conflict nothing is followed any more until the solver goes back, which takes back these literals as well.
        for i in from..self.assigned.len() {
            let uses = self.uses.get(self.assigned[i]).map_or(0, Vec::len);
            for part in 0..uses {
                if self.conflict.is_some() {
                    return;
                }
                let part = self.uses.entry(self.assigned[i])[part];
                if let Err(conflict) = self.add(part) {
                    self.refuse(conflict);
                }
            }
        }
        self.prevent();
    }

    fn new_level(&mut self) {
        self.levels.push(Level {
            order: self.order.mark(),
            edges: self.order.why.len(),
            assigned: self.assigned.len(),
            forced: self.forced.len(),
            given: self.given,
            looked: self.prevention.mark(),
            first_read: self.first_read,
        });
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&state) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        self.order.undo_to(state.order);
        for lit in self.assigned.drain(state.assigned..) {
            self.is_true.set(lit, 0);
        }
        self.forced.truncate(state.forced);
        self.prevention.undo_to(state.looked);
        (self.given, self.first_read) = (state.given, state.first_read);
        if self.conflict.as_ref().is_some_and(|&(_, at, _)| at > level) {
            self.conflict = None;
        }
        if !self.late.is_empty() {
            self.add_late();
        }
    }

    fn propagate(&mut self) -> Option<SatLit> {
        while let Some(forced) = self.forced.get(self.given) {
            self.given += 1;
            if self.is_true.get(forced.lit) != Some(true) {
                self.counts.propagations += 1;
                return Some(forced.lit);
            }
        }
        None
    }

    fn reason(&mut self, lit: SatLit, clause: &mut Vec<SatLit>) {
        clause.push(lit);
        let forced = self.forced_at.get(lit).and_then(|&at| self.forced.get(at as usize));
        let Some(&Forced { because, below, .. }) = forced.filter(|forced| forced.lit == lit) else {
            unreachable!("the solver asks for the reasons of literals that it has from here");
        };
        let root = self.root();
        let explanation = match because {
            Because::Backwards(from, to) => self.explainer.paths(&self.order, root, &[(from, to, below)], &[]),
            Because::Between(rf, write) => {
                let read_from = &self.order.problem.read_froms[rf as usize];
                let ((w, r), node) = (self.order.ends(rf), self.order.node_of(write));
                let guard = self.order.problem.writes[write.index()].guard;
                // It is the read-from that must be false, or else the write's guard.
                let other = if lit == !read_from.lit { guard } else { Some(read_from.lit) };
                let goals = [(w, node, below), (node, r, below)];
                let goals = if self.order.owns(read_from.read, write) { &goals[..1] } else { &goals };
                self.explainer.paths(&self.order, root, goals, other.as_slice())
            }
            Because::Taken(rf, taken) => {
                let read_froms = &self.order.problem.read_froms;
                let mut lits = vec![read_froms[taken as usize].lit];
                if read_froms[rf as usize].read != read_froms[taken as usize].read {
                    lits.extend([self.update_guard(rf), self.update_guard(taken)].into_iter().flatten());
                }
                self.explainer.paths(&self.order, root, &[], &lits)
            }
        };
        clause.extend(explanation.literals.into_iter().map(|lit| !lit));
        self.count_explanation(&clause[1..]);
    }

    fn check_model(&mut self, model: &[SatLit]) -> bool {
        self.assigned(model);
        if let Some((_, _, known)) = &mut self.conflict {
            *known = false;
            return false;
        }
        debug_assert!(
            self.order.problem.nodes > 200
                || check::weakly_consistent(&self.order.problem, &|lit| self.is_true.get(lit) == Some(true)),
            "the fixpoint was reached without a cycle"
        );
        true
    }

    fn clause(&mut self, clause: &mut Vec<SatLit>) -> bool {
        let Some((lits, _, known)) = &mut self.conflict else { return false };
        clause.extend(lits.iter());
        !std::mem::replace(known, true)
    }

    fn decide(&mut self) -> Option<SatLit> {
        let decide = self.options.decide.after(self.counts.decisions);
        if decide != self.decide {
            (self.decide, self.reads) = (decide, decide::reads_in_order(&self.order.problem, decide));
            self.first_read = 0;
            self.levels.iter_mut().for_each(|level| level.first_read = 0);
        }
        let value = |lit| self.is_true.get(lit);
        let lit = decide::next(&self.order, self.decide, &self.reads, &mut self.first_read, value)?;
        self.counts.decisions += 1;
        Some(lit)
    }

    fn forgettable(&self) -> bool {
        self.options.forget
    }
}
