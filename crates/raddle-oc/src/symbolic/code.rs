//! The Program's code as the walk needs it: control flow of each procedure, computed when it is first entered, and where its locals are kept.

use crate::symbolic::scalars::bits_of;
use crate::symbolic::state::Locals;
use crate::symbolic::symbols::Symbols;
use fixedbitset::FixedBitSet;
use raddle_analysis::{Output, Wto, live_locals, weak_topological_order};
use raddle_interp::Source;
use raddle_ir::{Adjacency, ExprId, ProcId, Program, VarId, VarsOf};
use std::rc::Rc;

pub struct Code<'p> {
    program: &'p Program,
    flow: Vec<Option<Rc<Flow>>>,
    vars: VarsOf,
    /// For each local variable, its place in its procedure's list.
    slots: Vec<u32>,
    /// Locals that were read before they were assigned, and what they are: nobody has told them yet.
    unassigned: Vec<(Source, ExprId)>,
}

pub(crate) struct Flow {
    pub(crate) out: Adjacency,
    pub(crate) wto: Wto,
    pub(crate) live: Vec<FixedBitSet>,
}

impl<'p> Code<'p> {
    pub fn new(program: &'p Program) -> Code<'p> {
        let mut slots = vec![0; program.vars.len()];
        for proc in &program.procs {
            proc.locals.iter().enumerate().for_each(|(slot, var)| slots[var.index()] = slot as u32);
        }
        Code { program, flow: vec![None; program.procs.len()], vars: VarsOf::new(), slots, unassigned: vec![] }
    }

    pub(crate) fn flow(&mut self, proc: ProcId) -> Rc<Flow> {
        let procedure = self.program.proc(proc);
        let flow = self.flow[proc.index()].get_or_insert_with(|| {
            let out = procedure.out_edges();
            let wto = weak_topological_order(procedure, &out);
            let live = live_locals(procedure, &self.program.pool, Output::Ignored);
            let live = live.slots(|var| self.slots[var.index()] as usize);
            Rc::new(Flow { out, wto, live })
        });
        Rc::clone(flow)
    }

    pub(crate) fn slot(&self, var: VarId) -> usize {
        self.slots[var.index()] as usize
    }

    /// The value of an expression. Locals that were never assigned get any value, and keep it.
    pub(crate) fn eval(&mut self, symbols: &mut Symbols, locals: &mut Locals, expr: ExprId) -> ExprId {
        let pool = &self.program.pool;
        if pool.as_const(expr).is_some() {
            return expr;
        }
        for var in self.vars.get(pool, expr) {
            let slot = self.slots[var.index()] as usize;
            if locals[slot].is_none() {
                let symbol = symbols.fresh(self.program.var(*var).sort);
                self.unassigned.push((Source::Local(*var), bits_of(symbols, symbol)));
                Rc::make_mut(locals)[slot] = Some(symbol);
            }
        }
        symbols.substitute(expr, &mut |var| locals[self.slots[var.index()] as usize])
    }

    /// The locals that were read before they were assigned since this was last asked.
    pub(crate) fn take_unassigned(&mut self) -> Vec<(Source, ExprId)> {
        std::mem::take(&mut self.unassigned)
    }

    pub(crate) fn set(&self, locals: &mut Locals, var: VarId, value: Option<ExprId>) {
        Rc::make_mut(locals)[self.slot(var)] = value;
    }
}
