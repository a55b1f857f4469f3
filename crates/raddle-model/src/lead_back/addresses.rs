//! The variables that an address, or something computed from one, may have got into; regardless of the order in which statements run.

use fixedbitset::FixedBitSet;
use raddle_ir::{Callee, Const, Expr, ExprId, Label, Place, Program, VarId};
use rustc_hash::FxHashMap;

pub fn with_addresses(program: &Program) -> FixedBitSet {
    let mut flow = Flow { program, to: FxHashMap::default(), open: Vec::new(), constants: FxHashMap::default() };
    for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
        match label {
            Label::Assign { var, value } | Label::Store { place: Place::Var(var), value, .. } => flow.add(*value, *var),
            Label::Load { var, place: Place::Var(from), .. } => flow.to.entry(*from).or_default().push(*var),
            Label::Start { callee: Callee::Proc(callee), arg, .. } => {
                program.proc(*callee).params.iter().for_each(|param| flow.add(*arg, *param));
            }
            // There may be addresses in memory, and among the results of threads.
            Label::Load { var, place: Place::Memory(_), .. }
            | Label::Alloc { var, .. }
            | Label::Join { var: Some(var), .. } => flow.open.push(*var),
            _ => {}
        }
    }
    let mut tainted = FixedBitSet::with_capacity(program.vars.len());
    while let Some(var) = flow.open.pop() {
        if !tainted.put(var.index()) {
            flow.open.extend(flow.to.get(&var).into_iter().flatten());
        }
    }
    tainted
}

struct Flow<'p> {
    program: &'p Program,
    to: FxHashMap<VarId, Vec<VarId>>,
    /// They have an address from a constant, or from where nobody knows.
    open: Vec<VarId>,
    /// Does an expression contain an address?
    constants: FxHashMap<ExprId, bool>,
}

impl Flow<'_> {
    fn add(&mut self, value: ExprId, var: VarId) {
        let program = self.program;
        let has_address = *self.constants.entry(value).or_insert_with(|| {
            let mut found = false;
            program.pool.for_each_node(&[value], |_, node| found |= is_address(program, node));
            found
        });
        if has_address {
            self.open.push(var);
        }
        program.pool.vars(value).into_iter().for_each(|from| self.to.entry(from).or_default().push(var));
    }
}

/// May it be the address of an object, or one past its end?
fn is_address(program: &Program, node: Expr) -> bool {
    let Expr::Const(Const { sort, bits }) = node else { return false };
    let within = |low: u64, size: u64| bits >= u128::from(low) && bits <= u128::from(low) + u128::from(size);
    sort == program.pointer_sort()
        && (bits >= u128::from(program.dynamic_base)
            || program.objects.iter().any(|object| within(object.address, object.size)))
}
