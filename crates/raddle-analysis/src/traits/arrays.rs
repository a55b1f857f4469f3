//! Accesses at computed addresses, and what is indexed.
//!
//! The Program knows objects by their size, not by their type: an array that is only ever accessed at constant indices looks like a record, and costs engines no more
//! than one. So what counts as an array is a *base* that something computed is added to: a static object, or a variable that points somewhere (the address of an
//! automatic array, a parameter, a pointer). An array that two pointers walk over counts twice.

use super::Traits;
use super::definitions::{At, Cell, split_offset, unconverted};
use super::reach::Reached;
use crate::addresses::{Addresses, Mention};
use fixedbitset::FixedBitSet;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Label, ObjectId, Place, VarId};
use rustc_hash::FxHashSet;

/// What an index is added to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Base {
    Object(ObjectId),
    Cell(Cell),
    /// Computed in a way that is not followed.
    Unknown,
}

/// What labels tell about arrays and pointers.
pub(super) struct Arrays<'r, 'p> {
    reached: &'r Reached<'p>,
    addresses: Addresses,
    accesses: u32,
    indexed: FxHashSet<Base>,
    /// The variables that accesses go through, and what variables are moved by: `p++`, `q = a + i`.
    pointers: FixedBitSet,
    moved: Vec<(VarId, Base)>,
}

impl<'r, 'p> Arrays<'r, 'p> {
    pub fn new(reached: &'r Reached<'p>) -> Arrays<'r, 'p> {
        let program = reached.program;
        Arrays {
            reached,
            addresses: Addresses::new(&program.objects, program.pointer_bits),
            accesses: 0,
            indexed: FxHashSet::default(),
            pointers: FixedBitSet::with_capacity(program.vars.len()),
            moved: Vec::new(),
        }
    }

    pub fn see(&mut self, at: At, label: &Label) {
        match label {
            Label::Load { place: Place::Memory(address), .. } | Label::Store { place: Place::Memory(address), .. } => {
                self.access(at, *address);
            }
            Label::Assign { var, value } | Label::Store { place: Place::Var(var), value, .. } => {
                self.assignment(at, *var, *value);
            }
            _ => {}
        }
    }

    fn access(&mut self, at: At, address: ExprId) {
        let pool = &self.reached.program.pool;
        let (Some(varying), _) = split_offset(pool, address) else { return };
        let var = match pool.get(varying) {
            Expr::Var(var) => Some(var),
            _ => None,
        };
        self.accesses += u32::from(!var.is_some_and(|var| self.reached.is_automatic(var)));
        match var {
            Some(var) if told(pool, &self.addresses, address).is_none() => {
                if let Some(Cell::Var(var)) = self.reached.cell(at, var) {
                    self.pointers.insert(var.index());
                }
            }
            _ => {
                self.indexed.insert(self.base(at, address));
            }
        }
    }

    fn assignment(&mut self, at: At, target: VarId, value: ExprId) {
        let program = self.reached.program;
        let pool = &program.pool;
        if matches!(pool.get(value), Expr::Binary(BinOp::BvAdd | BinOp::BvSub, ..))
            && pool.sort(value) == program.pointer_sort()
            && self.reached.is_of_source(target)
        {
            let base = self.base(at, value);
            let (varying, _) = split_offset(pool, value);
            let is_plain = varying.is_some_and(|varying| matches!(pool.get(varying), Expr::Var(_)));
            if !is_plain || base == Base::Cell(Cell::Var(target)) {
                self.moved.push((target, base));
            }
        }
    }

    /// What the rest of a sum is added to: an object that a constant tells, or else the leftmost variable.
    fn base(&self, at: At, sum: ExprId) -> Base {
        let pool = &self.reached.program.pool;
        let mut open = vec![sum];
        let mut variable = None;
        while let Some(id) = open.pop() {
            if let Some(object) = told(pool, &self.addresses, id) {
                return object;
            }
            match pool.get(id) {
                Expr::Binary(BinOp::BvAdd, a, b) => open.extend([b, a]),
                Expr::Binary(BinOp::BvSub, a, _) => open.push(a),
                Expr::Var(var) if variable.is_none() => variable = Some(var),
                _ => {
                    let inner = unconverted(pool, id);
                    if inner != id && matches!(pool.get(inner), Expr::Binary(BinOp::BvAdd, ..)) {
                        open.push(inner);
                    }
                }
            }
        }
        variable.and_then(|var| self.reached.cell(at, var)).map_or(Base::Unknown, Base::Cell)
    }

    pub fn count(mut self, traits: &mut Traits) {
        traits.pointers = self.accesses;
        let moved = self.moved.iter().filter(|(var, _)| self.pointers.contains(var.index()));
        self.indexed.extend(moved.map(|(_, base)| *base));
        traits.arrays = self.indexed.len() as u32;
    }
}

/// The object that the constant in a sum tells, if it is not a mere offset.
fn told(pool: &ExprPool, addresses: &Addresses, sum: ExprId) -> Option<Base> {
    let mut told = None;
    let mut mention = |mention| match mention {
        Mention::Object(id) => told = Some(Base::Object(id)),
        Mention::Any => told = told.or(Some(Base::Unknown)),
    };
    let expr = pool.get(sum);
    addresses.mentions(pool, expr, &mut mention);
    if let Expr::Binary(BinOp::BvAdd, _, right) = expr {
        addresses.mentions(pool, pool.get(right), &mut mention);
    }
    told
}
