//! Which definition of a local variable reaches which use: static single assignment as an analysis, without renaming
//! anything.
//!
//! A *value* is what one label gives to a local, what a local has at the entry, or what several values become at a
//! location where edges join (a phi). Phis are made only where someone asks, walking backward from the use (Braun et
//! al., "Simple and Efficient Construction of Static Single Assignment Form", CC 2013, without their removal of
//! trivial phis: who cares sees that two operands agree). The work is proportional to the live ranges of what is
//! asked for.

use crate::cfg::Cfg;
use raddle_ir::{EdgeId, ExprPool, LocId, Procedure, VarId, VarsOf};
use rustc_hash::FxHashMap;

/// Names a value of one procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueId(pub u32);

impl ValueId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// What the variable has when the procedure is entered: an argument, or anything.
    Entry,
    Label {
        edge: EdgeId,
        label: u32,
    },
    /// One operand for each edge into the location, and one without edge if it is the entry.
    Phi {
        loc: LocId,
        operands: Vec<(Option<EdgeId>, ValueId)>,
    },
}

/// One read of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    pub label: u32,
    pub var: VarId,
    pub value: ValueId,
}

pub struct Reaching<'a> {
    proc: &'a Procedure,
    cfg: &'a Cfg,
    /// The variable and the origin of each value.
    values: Vec<(VarId, Origin)>,
    at_location: FxHashMap<(LocId, VarId), ValueId>,
    at_entry: FxHashMap<VarId, ValueId>,
    last_on_edge: FxHashMap<(EdgeId, VarId), ValueId>,
    by_label: FxHashMap<(EdgeId, u32), ValueId>,
    unfinished: Vec<ValueId>,
}

impl<'a> Reaching<'a> {
    pub fn new(proc: &'a Procedure, cfg: &'a Cfg) -> Self {
        let mut reaching = Reaching {
            proc,
            cfg,
            values: Vec::new(),
            at_location: FxHashMap::default(),
            at_entry: FxHashMap::default(),
            last_on_edge: FxHashMap::default(),
            by_label: FxHashMap::default(),
            unfinished: Vec::new(),
        };
        for (i, edge) in proc.edges.iter().enumerate() {
            let edge_id = EdgeId(i as u32);
            for (label, what) in edge.labels.iter().enumerate() {
                if let Some(var) = what.written_local() {
                    let label = label as u32;
                    let value = reaching.add(var, Origin::Label { edge: edge_id, label });
                    reaching.by_label.insert((edge_id, label), value);
                    reaching.last_on_edge.insert((edge_id, var), value);
                }
            }
        }
        reaching
    }

    fn add(&mut self, var: VarId, origin: Origin) -> ValueId {
        self.values.push((var, origin));
        ValueId(self.values.len() as u32 - 1)
    }

    /// How many values there are.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    pub fn var(&self, value: ValueId) -> VarId {
        self.values[value.index()].0
    }

    pub fn origin(&self, value: ValueId) -> &Origin {
        &self.values[value.index()].1
    }

    /// The value that a label defines.
    pub fn of_label(&self, edge: EdgeId, label: u32) -> Option<ValueId> {
        self.by_label.get(&(edge, label)).copied()
    }

    /// The value of a variable when control is at a location. Call `finish` before looking at the origins of values.
    pub fn at(&mut self, loc: LocId, var: VarId) -> ValueId {
        let mut passed = Vec::new();
        let mut here = loc;
        let value = loop {
            if let Some(&value) = self.at_location.get(&(here, var)) {
                break value;
            }
            passed.push(here);
            let into = self.cfg.arriving(here);
            if here == self.proc.entry && into.is_empty() || !self.cfg.is_reachable(here) {
                break self.entry(var);
            }
            // A chain of locations with a single way in leads to the entry or to a join: it cannot be a cycle, since
            // all are reachable.
            if let ([edge], true) = (into, here != self.proc.entry) {
                match self.last_on_edge.get(&(*edge, var)) {
                    Some(&value) => break value,
                    None => here = self.proc.edges[edge.index()].source,
                }
            } else {
                let phi = self.add(var, Origin::Phi { loc: here, operands: Vec::new() });
                self.unfinished.push(phi);
                break phi;
            }
        };
        for loc in passed {
            self.at_location.insert((loc, var), value);
        }
        value
    }

    fn entry(&mut self, var: VarId) -> ValueId {
        if let Some(&value) = self.at_entry.get(&var) {
            return value;
        }
        let value = self.add(var, Origin::Entry);
        self.at_entry.insert(var, value);
        value
    }

    /// Gives all phis their operands.
    pub fn finish(&mut self) {
        while let Some(phi) = self.unfinished.pop() {
            let var = self.var(phi);
            let Origin::Phi { loc, .. } = *self.origin(phi) else { continue };
            let cfg = self.cfg;
            let mut operands = Vec::with_capacity(cfg.arriving(loc).len() + 1);
            if loc == self.proc.entry {
                operands.push((None, self.entry(var)));
            }
            for &edge in cfg.arriving(loc) {
                operands.push((Some(edge), self.at_end(edge, var)));
            }
            self.values[phi.index()].1 = Origin::Phi { loc, operands };
        }
    }

    fn at_end(&mut self, edge: EdgeId, var: VarId) -> ValueId {
        match self.last_on_edge.get(&(edge, var)) {
            Some(&value) => value,
            None => self.at(self.proc.edges[edge.index()].source, var),
        }
    }

    /// All reads on an edge, in the order of the labels.
    pub fn uses_on(&mut self, edge: EdgeId, pool: &ExprPool, vars_of: &mut VarsOf) -> Vec<Use> {
        let mut uses = Vec::new();
        let mut walk = self.walk(edge);
        let proc = self.proc;
        for (i, what) in proc.edges[edge.index()].labels.iter().enumerate() {
            what.for_each_expr(|expr| {
                for &var in vars_of.get(pool, expr) {
                    uses.push(Use { label: i as u32, var, value: walk.value(self, var) });
                }
            });
            walk.step(self, i as u32);
        }
        uses
    }

    /// Looks at values between the labels of an edge, from the first label on.
    pub fn walk(&self, edge: EdgeId) -> Walk {
        Walk { edge, current: FxHashMap::default() }
    }
}

/// A point on an edge.
pub struct Walk {
    edge: EdgeId,
    current: FxHashMap<VarId, ValueId>,
}

impl Walk {
    pub fn value(&self, reaching: &mut Reaching, var: VarId) -> ValueId {
        match self.current.get(&var) {
            Some(&value) => value,
            None => reaching.at(reaching.proc.edges[self.edge.index()].source, var),
        }
    }

    /// Goes past a label.
    pub fn step(&mut self, reaching: &Reaching, label: u32) {
        if let Some(value) = reaching.of_label(self.edge, label) {
            self.current.insert(reaching.var(value), value);
        }
    }
}

/// The locals that may be read before the procedure has given them a value, without its parameters.
pub fn read_before_written(proc: &Procedure, pool: &ExprPool) -> Vec<VarId> {
    let cfg = Cfg::new(proc);
    let mut reaching = Reaching::new(proc, &cfg);
    let mut vars_of = VarsOf::new();
    for (i, edge) in proc.edges.iter().enumerate() {
        if cfg.is_reachable(edge.source) {
            reaching.uses_on(EdgeId(i as u32), pool, &mut vars_of);
        }
    }
    if let (Some(result), true) = (proc.result, cfg.is_reachable(proc.exit)) {
        reaching.at(proc.exit, result);
    }
    reaching.finish();
    let mut vars: Vec<VarId> = reaching.at_entry.into_keys().filter(|var| !proc.params.contains(var)).collect();
    vars.sort_unstable();
    vars
}
