//! Packs: the small groups of variables whose relations are followed (Astrée's packing, Blanchet et al. 2003).
//!
//! Relations cost more than linear time in the number of variables, so that each variable is in at most one pack of each kind. Variables that one
//! statement relates, or that one loop changes, come together, the most deeply nested first, as long as the pack stays small.

use crate::shape::Shape;
use raddle_ir::{BinOp, Expr, ExprId, ExprPool, Label, Place, Program, Sort, UnOp, VarId};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Pack {
    pub width: u8,
    /// Are the numbers compared as signed ones?
    pub signed: bool,
    pub vars: Vec<VarId>,
}

#[derive(Clone, Debug, Default)]
pub struct Packs {
    pub packs: Vec<Pack>,
    /// For each variable its pack and its place there.
    of: Vec<Option<(u32, u32)>>,
}

impl Packs {
    pub fn of(&self, var: VarId) -> Option<(u32, usize)> {
        self.of[var.index()].map(|(pack, slot)| (pack, slot as usize))
    }

    pub fn none(program: &Program) -> Packs {
        Packs { packs: Vec::new(), of: vec![None; program.vars.len()] }
    }
}

/// How strongly two variables belong together, and how often each is compared as signed rather than unsigned.
#[derive(Default)]
pub struct Ties {
    weight: FxHashMap<(VarId, VarId), u32>,
    signed: FxHashMap<VarId, i32>,
}

/// The ties of all procedures, whose shapes are given.
pub fn ties(program: &Program, shapes: &[Option<Shape>]) -> Ties {
    let mut ties = Ties::default();
    let counts = |var: &VarId| matches!(program.var(*var).sort, Sort::Bits(2..=64));
    for (proc, shape) in program.procs.iter().zip(shapes) {
        let Some(shape) = shape else { continue };
        let mut changed: Vec<Vec<VarId>> = vec![Vec::new(); shape.wto.components.len()];
        for edge in &proc.edges {
            let depth = shape.wto.component[edge.source.index()].map_or(0, |c| shape.wto.components[c as usize].depth);
            let weight = [1, 10, 100, 1000][depth.min(3) as usize];
            for label in &edge.labels {
                let (target, value) = match label {
                    Label::Assign { var, value } => (Some(*var), Some(*value)),
                    Label::Store { place: Place::Var(var), value, .. } => (Some(*var), Some(*value)),
                    Label::Load { var, place: Place::Var(from), .. } => {
                        ties.tie(&[*var, *from].into_iter().filter(counts).collect::<Vec<_>>(), weight);
                        continue;
                    }
                    Label::Assume(cond) | Label::Require { cond, .. } | Label::Await(cond) => (None, Some(*cond)),
                    _ => continue,
                };
                let Some(value) = value else { continue };
                let mut groups = Vec::new();
                linear_groups(&program.pool, value, &mut groups, &mut ties.signed);
                for group in &mut groups {
                    group.retain(counts);
                }
                if let Some(target) = target.filter(counts) {
                    let width = program.var(target).sort;
                    let group: Vec<VarId> = groups.iter().flatten().copied().collect();
                    let same: Vec<VarId> = group.into_iter().filter(|var| program.var(*var).sort == width).collect();
                    let together: Vec<VarId> = [target].into_iter().chain(same).collect();
                    ties.tie(&together, weight);
                    // What depends on its own old value, or on that of others, may be in step with the rest of the loop.
                    if together.len() > 1 {
                        for c in shape.wto.around(edge.source) {
                            changed[c as usize].push(target);
                        }
                    }
                }
                groups.iter().for_each(|group| ties.tie(group, weight));
            }
        }
        for (vars, component) in changed.iter_mut().zip(&shape.wto.components) {
            vars.sort_unstable();
            vars.dedup();
            for width in [8, 16, 32, 64] {
                let same: Vec<VarId> =
                    vars.iter().copied().filter(|var| program.var(*var).sort == Sort::Bits(width)).collect();
                ties.tie(&same, [1, 5, 50, 500][component.depth.min(3) as usize]);
            }
        }
    }
    ties.weight.retain(|(a, b), _| program.var(*a).sort == program.var(*b).sort);
    ties
}

impl Ties {
    /// Ties each to the next.
    fn tie(&mut self, vars: &[VarId], weight: u32) {
        for pair in vars.windows(2).filter(|pair| pair[0] != pair[1]) {
            let key = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            *self.weight.entry(key).or_default() += weight;
        }
    }

    /// Packs of at most so many variables.
    pub fn packs(&self, program: &Program, most: usize) -> Packs {
        let mut all: Vec<((VarId, VarId), u32)> = self.weight.iter().map(|(pair, weight)| (*pair, *weight)).collect();
        all.sort_unstable_by_key(|(pair, weight)| (std::cmp::Reverse(*weight), *pair));
        let mut group: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut members: Vec<Vec<VarId>> = Vec::new();
        for ((a, b), _) in all {
            for var in [a, b] {
                group.entry(var).or_insert_with(|| {
                    members.push(vec![var]);
                    members.len() - 1
                });
            }
            let (x, y) = (group[&a], group[&b]);
            if x != y && members[x].len() + members[y].len() <= most {
                let moved = std::mem::take(&mut members[y]);
                moved.iter().for_each(|var| {
                    group.insert(*var, x);
                });
                members[x].extend(moved);
            }
        }
        let mut result = Packs::none(program);
        for mut vars in members.into_iter().filter(|vars| vars.len() > 1) {
            vars.sort_unstable();
            let pack = result.packs.len() as u32;
            for (slot, var) in (0..).zip(&vars) {
                result.of[var.index()] = Some((pack, slot));
            }
            let signed = vars.iter().map(|var| self.signed.get(var).copied().unwrap_or(0)).sum::<i32>() >= 0;
            let width = program.var(vars[0]).sort.bits().unwrap_or(1);
            result.packs.push(Pack { width, signed, vars });
        }
        result
    }
}

/// The variables that an expression adds, subtracts or compares with each other, one group for each sum or comparison in it.
fn linear_groups(pool: &ExprPool, root: ExprId, groups: &mut Vec<Vec<VarId>>, signed: &mut FxHashMap<VarId, i32>) {
    const MOST_NODES: usize = 2000;
    let mut open = vec![(root, None::<(usize, i32)>)];
    let mut seen = 0;
    while let Some((id, group)) = open.pop() {
        seen += 1;
        if seen > MOST_NODES {
            return;
        }
        let expr = pool.get(id);
        match expr {
            Expr::Var(var) => {
                let (group, sign) = group.unwrap_or_else(|| {
                    groups.push(Vec::new());
                    (groups.len() - 1, 0)
                });
                groups[group].push(var);
                *signed.entry(var).or_default() += sign;
            }
            Expr::Binary(BinOp::Eq | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe, a, b) => {
                let sign = match expr {
                    Expr::Binary(BinOp::SLt | BinOp::SLe, ..) => 1,
                    Expr::Binary(BinOp::ULt | BinOp::ULe, ..) => -1,
                    _ => 0,
                };
                groups.push(Vec::new());
                let group = Some((groups.len() - 1, sign));
                open.extend([(b, group), (a, group)]);
            }
            Expr::Binary(BinOp::BvAdd | BinOp::BvSub, a, b) => {
                let group = Some(group.unwrap_or_else(|| {
                    groups.push(Vec::new());
                    (groups.len() - 1, 0)
                }));
                open.extend([(b, group), (a, group)]);
            }
            Expr::Binary(BinOp::BvMul | BinOp::Shl, a, b) if pool.as_const(b).is_some() => open.push((a, group)),
            Expr::Unary(UnOp::BvNeg | UnOp::BvNot, a) => open.push((a, group)),
            Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } => open.push((arg, group)),
            Expr::Ite(cond, a, b) => open.extend([(b, group), (a, group), (cond, None)]),
            _ => expr.for_each_operand(|operand| open.push((operand, None))),
        }
    }
}
