//! Which definition of a local variable reaches which use: static single assignment as an analysis, without renaming
//! anything.
//!
//! A *value* is what one label gives to a local, what a local has at the entry, or what several values become at a
//! location where edges join (a phi). Phis are made only where someone asks, walking backward from the use (Braun et
//! al., "Simple and Efficient Construction of Static Single Assignment Form", CC 2013, without their removal of
//! trivial phis: who cares sees that two operands agree).
//!
//! This is the inner loop of most passes. Locations with one way in form trees; a walk goes up its tree by jumps over edges that define nothing, and
//! remembers what it found where it landed. So the work is proportional to the definitions that a live range passes, not to its length.

use crate::cfg::Cfg;
use raddle_ir::{EdgeId, ExprPool, LocId, Procedure, VarId, VarsOf};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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
    /// For each edge, the first of the values that its labels define: they follow each other.
    first_on_edge: Vec<u32>,
    /// The last values on edges that define many.
    last_on_long_edge: FxHashMap<(EdgeId, VarId), ValueId>,
    /// For each location, the last one before it (or itself) that is the root of a tree or whose one way in defines something.
    landing: Vec<LocId>,
    at_landing: Known,
    at_entry: FxHashMap<VarId, ValueId>,
    unfinished: Vec<ValueId>,
}

/// The values of variables at landings.
struct Known {
    /// The row of each landing.
    row: Vec<u32>,
    rows: usize,
    /// The first variable that has a column.
    first: u32,
    columns: Vec<Column>,
}

/// The values of one variable. Most live shortly and are at few landings; the others are wherever control can be.
enum Column {
    Few(SmallVec<[(u32, ValueId); FEW]>),
    /// By row: a value's number plus one.
    All(Vec<u32>),
    Many(FxHashMap<u32, ValueId>),
}

const FEW: usize = 4;
/// With more rows, most of them are nothing to a variable.
const MOST_ROWS: usize = 1 << 13;

impl Known {
    fn new(proc: &Procedure, landing: &[LocId]) -> Known {
        const NONE: u32 = u32::MAX;
        let first = proc.locals.iter().map(|var| var.0).min().unwrap_or(0);
        let width = proc.locals.iter().map(|var| (var.0 - first) as usize + 1).max().unwrap_or(0);
        let mut rows = 0u32;
        let mut row = vec![NONE; landing.len()];
        for landing in landing {
            if row[landing.index()] == NONE {
                row[landing.index()] = rows;
                rows += 1;
            }
        }
        let columns = (0..width).map(|_| Column::Few(SmallVec::new())).collect();
        Known { row, rows: rows as usize, first, columns }
    }

    fn get(&self, loc: LocId, var: VarId) -> Option<ValueId> {
        let row = self.row[loc.index()];
        match &self.columns[(var.0 - self.first) as usize] {
            Column::Few(values) => values.iter().find(|(at, _)| *at == row).map(|(_, value)| *value),
            Column::All(values) => values[row as usize].checked_sub(1).map(ValueId),
            Column::Many(values) => values.get(&row).copied(),
        }
    }

    fn insert(&mut self, loc: LocId, var: VarId, value: ValueId) {
        let row = self.row[loc.index()];
        let column = &mut self.columns[(var.0 - self.first) as usize];
        match column {
            Column::Few(values) if values.len() < FEW => values.push((row, value)),
            Column::Few(values) => {
                values.push((row, value));
                if self.rows > MOST_ROWS {
                    *column = Column::Many(values.iter().copied().collect());
                    return;
                }
                let mut all = vec![0; self.rows];
                values.iter().for_each(|(row, value)| all[*row as usize] = value.0 + 1);
                *column = Column::All(all);
            }
            Column::All(values) => values[row as usize] = value.0 + 1,
            Column::Many(values) => {
                values.insert(row, value);
            }
        }
    }
}

/// An edge that defines more values than these has an entry for each variable.
const LONG: usize = 16;

impl<'a> Reaching<'a> {
    pub fn new(proc: &'a Procedure, cfg: &'a Cfg) -> Self {
        let mut reaching = Reaching {
            proc,
            cfg,
            values: Vec::new(),
            first_on_edge: Vec::with_capacity(proc.edges.len() + 1),
            last_on_long_edge: FxHashMap::default(),
            landing: Vec::new(),
            at_landing: Known::new(proc, &[]),
            at_entry: FxHashMap::default(),
            unfinished: Vec::new(),
        };
        for (i, edge) in proc.edges.iter().enumerate() {
            let (id, first) = (EdgeId(i as u32), reaching.values.len());
            reaching.first_on_edge.push(first as u32);
            for (label, what) in edge.labels.iter().enumerate() {
                if let Some(var) = what.written_local() {
                    reaching.add(var, Origin::Label { edge: id, label: label as u32 });
                }
            }
            if reaching.values.len() - first > LONG {
                let last = (first..).zip(&reaching.values[first..]);
                let last = last.map(|(value, (var, _))| ((id, *var), ValueId(value as u32)));
                reaching.last_on_long_edge.extend(last);
            }
        }
        reaching.first_on_edge.push(reaching.values.len() as u32);
        reaching.find_landings();
        reaching.at_landing = Known::new(proc, &reaching.landing);
        reaching
    }

    fn find_landings(&mut self) {
        const UNKNOWN: LocId = LocId(u32::MAX);
        self.landing = vec![UNKNOWN; self.proc.locations.len()];
        let mut way = Vec::new();
        for start in 0..self.proc.locations.len() as u32 {
            let mut here = LocId(start);
            let landing = loop {
                if self.landing[here.index()] != UNKNOWN {
                    break self.landing[here.index()];
                }
                way.push(here);
                match self.only_way_in(here) {
                    Some(edge) if self.on_edge(edge).is_empty() => here = self.proc.edges[edge.index()].source,
                    _ => break here,
                }
            };
            way.drain(..).for_each(|loc| self.landing[loc.index()] = landing);
        }
    }

    /// The edge into a location that is not the root of a tree. Going back by such edges leads to a root: there is no cycle of them, since all are
    /// reachable.
    fn only_way_in(&self, loc: LocId) -> Option<EdgeId> {
        match self.cfg.arriving(loc) {
            [edge] if loc != self.proc.entry && self.cfg.is_reachable(loc) => Some(*edge),
            _ => None,
        }
    }

    /// The values that the labels of an edge define.
    fn on_edge(&self, edge: EdgeId) -> std::ops::Range<usize> {
        self.first_on_edge[edge.index()] as usize..self.first_on_edge[edge.index() + 1] as usize
    }

    /// The value that a variable has at the end of an edge, if a label of the edge defines it.
    fn last_on_edge(&self, edge: EdgeId, var: VarId) -> Option<ValueId> {
        if self.on_edge(edge).len() > LONG {
            return self.last_on_long_edge.get(&(edge, var)).copied();
        }
        let at = self.on_edge(edge).rev().find(|value| self.values[*value].0 == var)?;
        Some(ValueId(at as u32))
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
        let range = self.on_edge(edge);
        let position = |(_, origin): &(VarId, Origin)| match origin {
            Origin::Label { label, .. } => *label,
            Origin::Entry | Origin::Phi { .. } => 0,
        };
        let at = self.values[range.clone()].binary_search_by_key(&label, position).ok()?;
        Some(ValueId((range.start + at) as u32))
    }

    /// The value of a variable when control is at a location. Call `finish` before looking at the origins of values.
    pub fn at(&mut self, loc: LocId, var: VarId) -> ValueId {
        let mut passed: SmallVec<[LocId; 8]> = SmallVec::new();
        let mut here = self.landing[loc.index()];
        let value = loop {
            if let Some(value) = self.at_landing.get(here, var) {
                break value;
            }
            passed.push(here);
            match self.only_way_in(here) {
                Some(edge) => match self.last_on_edge(edge, var) {
                    Some(value) => break value,
                    None => here = self.landing[self.proc.edges[edge.index()].source.index()],
                },
                None if self.cfg.arriving(here).is_empty() || !self.cfg.is_reachable(here) => break self.entry(var),
                None => {
                    let phi = self.add(var, Origin::Phi { loc: here, operands: Vec::new() });
                    self.unfinished.push(phi);
                    break phi;
                }
            }
        };
        for loc in passed {
            self.at_landing.insert(loc, var, value);
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
        match self.last_on_edge(edge, var) {
            Some(value) => value,
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
