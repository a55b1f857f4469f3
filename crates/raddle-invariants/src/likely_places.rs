//! What computed addresses seem to mean: `&a[i].x` is a constant and a multiple of a size. Nothing sound rests on it.

use raddle_ir::{BinOp, Callee, Expr, ExprId, Label, Place, Program, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Definitions are followed so far.
const DEPTH: u32 = 8;

/// The places in static objects that computed addresses seem to mean: about so many at most.
pub fn likely_places(program: &Program, addresses: impl IntoIterator<Item = ExprId>, most: usize) -> BTreeSet<u64> {
    let shapes = Shapes { program, definitions: definitions(program) };
    let mut all = BTreeSet::new();
    for address in addresses {
        let mut found = FxHashSet::default();
        shapes.of(address, DEPTH, &mut found);
        for Shape { base, stride } in found {
            let within = |at: u64| program.objects.iter().any(|o| (o.address..o.address + o.size).contains(&at));
            let stride = stride.unwrap_or(0);
            let mut at = base;
            while within(at) && all.len() <= most {
                all.insert(at);
                if stride == 0 {
                    break;
                }
                at = at.wrapping_add(stride);
            }
        }
    }
    all
}

/// A constant, and perhaps multiples of another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Shape {
    base: u64,
    stride: Option<u64>,
}

/// What a variable gets its value from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Expr(ExprId),
    Var(VarId),
    Number(u64),
}

struct Shapes<'p> {
    program: &'p Program,
    definitions: FxHashMap<VarId, Vec<Source>>,
}

impl Shapes<'_> {
    /// What an expression may look like, wherever its variables get their values.
    fn of(&self, expr: ExprId, depth: u32, out: &mut FxHashSet<Shape>) {
        let pool = &self.program.pool;
        let stride_of = |id: ExprId| match pool.get(id) {
            Expr::Binary(BinOp::BvMul, a, b) => pool.as_const(b).or(pool.as_const(a)).map(|c| c.bits as u64),
            Expr::Binary(BinOp::Shl, _, b) => pool.as_const(b).and_then(|c| 1u64.checked_shl(c.bits as u32)),
            _ => None,
        };
        match pool.get(expr) {
            Expr::Const(c) => {
                out.insert(Shape { base: c.bits as u64, stride: None });
            }
            Expr::Binary(BinOp::BvAdd, a, b) => {
                let (mut left, mut right) = (FxHashSet::default(), FxHashSet::default());
                self.of(a, depth, &mut left);
                self.of(b, depth, &mut right);
                for x in &left {
                    for y in &right {
                        let base = x.base.wrapping_add(y.base);
                        out.insert(Shape { base, stride: x.stride.or(y.stride) });
                    }
                }
            }
            Expr::Ite(_, a, b) => {
                self.of(a, depth, out);
                self.of(b, depth, out);
            }
            Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } if stride_of(expr).is_none() && depth > 0 => {
                self.of(arg, depth - 1, out);
            }
            Expr::Var(var) if depth > 0 => self.of_var(var, depth - 1, out),
            _ => {
                out.insert(Shape { base: 0, stride: Some(stride_of(expr).unwrap_or(1)) });
            }
        }
    }
}

impl Shapes<'_> {
    fn of_var(&self, var: VarId, depth: u32, out: &mut FxHashSet<Shape>) {
        let Some(sources) = self.definitions.get(&var) else {
            out.insert(Shape { base: 0, stride: Some(1) });
            return;
        };
        for source in sources {
            match *source {
                Source::Expr(value) => self.of(value, depth, out),
                Source::Var(from) if depth > 0 => self.of_var(from, depth - 1, out),
                Source::Var(_) => {}
                Source::Number(base) => {
                    out.insert(Shape { base, stride: None });
                }
            }
        }
    }
}

/// The values that variables get anywhere.
fn definitions(program: &Program) -> FxHashMap<VarId, Vec<Source>> {
    let mut all: FxHashMap<VarId, Vec<Source>> = FxHashMap::default();
    let mut define = |var: VarId, value: Source| {
        let values = all.entry(var).or_default();
        if !values.contains(&value) {
            values.push(value);
        }
    };
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        match label {
            Label::Assign { var, value } | Label::Store { place: Place::Var(var), value, .. } => {
                define(*var, Source::Expr(*value));
            }
            Label::Load { var, place: Place::Var(from), .. } => define(*var, Source::Var(*from)),
            Label::Start { callee: Callee::Proc(callee), arg, .. } => {
                program.proc(*callee).params.iter().for_each(|param| define(*param, Source::Expr(*arg)));
            }
            _ => {}
        }
    }
    for (i, var) in program.vars.iter().enumerate() {
        if let VarKind::Global(Some(initial)) = var.kind {
            define(VarId(i as u32), Source::Number(initial.bits as u64));
        }
    }
    all
}
