//! Where a temporary of lowering has its value from.
//!
//! Lowering loads a shared variable into a temporary just before it is used, and uses temporaries again and again. So the label that defines one is found by going back from the
//! use as long as there is one way back only; it is a step or two away.

use super::reach::Reached;
use raddle_ir::{BinOp, EdgeId, Expr, ExprId, ExprPool, Label, Place, ProcId, VarId};

/// A label of a procedure: an edge, and a position on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub proc: ProcId,
    pub edge: EdgeId,
    /// For a use: the labels before this position come before it.
    pub label: usize,
}

/// What holds a value from one step to the next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Cell {
    Var(VarId),
    /// Memory at an address that looks the same each time.
    Memory(ExprId),
}

/// So many edges the way back is followed.
const FAR: usize = 16;

impl Reached<'_> {
    /// The last label before `at` for which `test` says so, if only one way leads here.
    pub fn before(&self, at: At, far: usize, mut test: impl FnMut(&Label) -> bool) -> Option<At> {
        let flow = self.flow(at.proc)?;
        let edges = &self.program.proc(at.proc).edges;
        let (mut id, mut end) = (at.edge, at.label);
        for _ in 0..far {
            let edge = &edges[id.index()];
            if let Some(label) = edge.labels[..end].iter().rposition(&mut test) {
                return Some(At { proc: at.proc, edge: id, label });
            }
            let [only] = flow.arriving(edge.source) else { return None };
            id = *only;
            end = edges[id.index()].labels.len();
        }
        None
    }

    pub fn label(&self, at: At) -> &Label {
        &self.program.proc(at.proc).edges[at.edge.index()].labels[at.label]
    }

    /// The label that gave a variable its value, if it is near.
    pub fn definition(&self, at: At, var: VarId) -> Option<At> {
        self.before(at, FAR, |label| label.written_local() == Some(var))
    }

    /// The cell whose value a variable has: itself if the source declares it, or what it was loaded or copied from.
    pub fn cell(&self, mut at: At, mut var: VarId) -> Option<Cell> {
        let pool = &self.program.pool;
        while !self.is_of_source(var) {
            at = self.definition(at, var)?;
            match self.label(at) {
                Label::Load { place: Place::Var(from), .. } => return Some(Cell::Var(*from)),
                Label::Load { place: Place::Memory(address), .. } => {
                    return self.is_lasting(*address).then_some(Cell::Memory(*address));
                }
                Label::Assign { value, .. } => var = plain_var(pool, *value)?,
                _ => return None,
            }
        }
        Some(Cell::Var(var))
    }

    /// Does an address mean the same place at different times? A constant does; what a variable of the source points to is taken to.
    pub fn is_lasting(&self, address: ExprId) -> bool {
        let pool = &self.program.pool;
        match split_offset(pool, address).0 {
            None => true,
            Some(base) => matches!(pool.get(base), Expr::Var(var) if self.is_of_source(var)),
        }
    }

    /// The cell that a label writes.
    pub fn written_cell(&self, label: &Label) -> Option<Cell> {
        match label {
            Label::Store { place: Place::Var(var), .. } => Some(Cell::Var(*var)),
            Label::Store { place: Place::Memory(address), .. } => Some(Cell::Memory(*address)),
            _ => label.written_local().map(Cell::Var),
        }
    }
}

/// The value without conversions between integers.
pub(super) fn unconverted(pool: &ExprPool, mut value: ExprId) -> ExprId {
    while let Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } | Expr::Extract { low: 0, arg, .. } =
        pool.get(value)
    {
        value = arg;
    }
    value
}

/// The variable that a value is, conversions aside.
pub(super) fn plain_var(pool: &ExprPool, value: ExprId) -> Option<VarId> {
    match pool.get(unconverted(pool, value)) {
        Expr::Var(var) => Some(var),
        _ => None,
    }
}

/// A sum as what varies (if anything does) and a constant, as a signed number: constants stand right.
pub(super) fn split_offset(pool: &ExprPool, value: ExprId) -> (Option<ExprId>, i128) {
    let signed = |id| {
        let constant = pool.as_const(id)?;
        let unused = 128 - u32::from(constant.sort.bits()?);
        Some((constant.bits << unused) as i128 >> unused)
    };
    if let Some(constant) = signed(value) {
        return (None, constant);
    }
    match pool.get(value) {
        Expr::Binary(BinOp::BvAdd, rest, constant) => match signed(constant) {
            Some(constant) => (Some(rest), constant),
            None => (Some(value), 0),
        },
        _ => (Some(value), 0),
    }
}
