//! What is tracked before anything was refined: what `--init-prec` asks for, and in any case the values that decide how many threads there are.
//!
//! Instances of locals come into being while the graph is built, when their thread does: so this goes on as variables are made.

use crate::config::{Arrays, CegarConfig, Domain, InitialPrecision};
use crate::domains::precision::Precision;
use crate::model::Model;
use crate::model::instances::Origin;
use crate::refine::atoms_of;
use fixedbitset::FixedBitSet;
use raddle_analysis::reached;
use raddle_ir::{BinOp, Edge, Expr, ExprId, ExprPool, Label, Place, ProcId, Procedure, Program, VarId, VarKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Atoms that are said of another variable as well.
const MOST_ATOMS: usize = 200;

/// What to track of variables that come into being.
pub struct Initially {
    kind: InitialPrecision,
    /// Variables of the Program whose values decide about threads and locks.
    control: FixedBitSet,
    /// The atoms of conditions, by procedure, over the Program's variables.
    atoms: Vec<Vec<ExprId>>,
    /// For how many threads the atoms are tracked.
    threads: u32,
}

impl Initially {
    pub fn new(model: &mut Model, config: &CegarConfig, precision: &mut Precision) -> Self {
        let program = model.program;
        let mut this =
            Initially { kind: config.initial, control: control_variables(program), atoms: Vec::new(), threads: 0 };
        for (i, var) in program.vars.iter().enumerate() {
            let id = VarId(i as u32);
            if matches!(var.kind, VarKind::Global(_)) && var.sort.bits().is_some() {
                let all = matches!(config.initial, InitialPrecision::AllVars | InitialPrecision::AllGlobals);
                if all || this.control.contains(i) {
                    precision.add_var(id, None);
                }
            }
        }
        if config.initial == InitialPrecision::AllVars {
            for memory in model.vars.memory_classes() {
                precision.add_var(memory, None);
            }
        }
        if matches!(config.initial, InitialPrecision::AllAssumes | InitialPrecision::AllErrors) {
            let of_errors = config.initial == InitialPrecision::AllErrors;
            this.atoms = program.procs.iter().map(|proc| atoms(&mut model.pool, proc, of_errors)).collect();
            if config.arrays == Arrays::Cells {
                for (proc, atoms) in program.procs.iter().zip(&mut this.atoms) {
                    let more = atoms_of_indices(&mut model.pool, proc, atoms);
                    atoms.extend(more);
                }
            }
            // Globals count as mentioned from the beginning: no reduction is to rely on the opposite.
            for atom in this.atoms.concat() {
                let vars = model.pool.vars(atom);
                let is_global = |var: &VarId| matches!(program.var(*var).kind, VarKind::Global(_));
                match config.domain {
                    Domain::Expl => vars.into_iter().filter(is_global).for_each(|var| {
                        precision.add_var(var, None);
                    }),
                    _ if vars.iter().all(is_global) => {
                        precision.add_predicate(&mut model.pool, atom, None);
                    }
                    _ => vars.into_iter().filter(is_global).for_each(|var| precision.mention(var)),
                }
            }
            this.thread(model, config, precision, 0, program.entry);
        }
        this
    }

    /// The variables of the code that are tracked in a thread as soon as it has them.
    pub fn tracked_in_code(&self, model: &Model) -> FixedBitSet {
        let mut tracked = self.control.clone();
        if self.kind == InitialPrecision::AllVars {
            tracked.insert_range(..);
        }
        for atom in self.atoms.iter().flatten() {
            model.pool.vars(*atom).into_iter().for_each(|var| tracked.insert(var.index()));
        }
        tracked
    }

    /// Is its value tracked in any case, because threads or locks depend on it or because it was asked for?
    pub fn is_fixed(&self, model: &Model, var: VarId) -> bool {
        let of_code = match model.vars.origin(var) {
            Origin::Instance { var, .. } => var,
            _ => var,
        };
        !matches!(self.kind, InitialPrecision::Empty | InitialPrecision::AllErrors)
            || self.control.contains(of_code.index())
    }

    /// Variables came into being.
    pub fn variables(&self, model: &mut Model, precision: &mut Precision) {
        for var in model.vars.take_fresh() {
            if let Origin::Instance { var: of, .. } = model.vars.origin(var)
                && (self.kind == InitialPrecision::AllVars || self.control.contains(of.index()))
                && model.vars.sort(var).bits().is_some()
            {
                precision.add_var(var, None);
            }
        }
    }

    /// A thread came into being.
    pub fn thread(
        &mut self,
        model: &mut Model,
        config: &CegarConfig,
        precision: &mut Precision,
        slot: u32,
        proc: ProcId,
    ) {
        if self.atoms.is_empty() || slot < self.threads {
            return;
        }
        self.threads = slot + 1;
        for i in 0..self.atoms[proc.index()].len() {
            let atom = model.named(slot, self.atoms[proc.index()][i]);
            if config.domain == Domain::Expl {
                for var in model.pool.vars(atom).into_iter().filter(|var| !model.vars.is_shared(*var)) {
                    precision.add_var(var, None);
                }
            } else {
                precision.add_predicate(&mut model.pool, atom, None);
            }
        }
    }
}

/// The atoms of all conditions of a procedure, or of those on edges that lead to errors; also with a variable that has one definition only replaced by it, since a condition mostly is about what was just
/// loaded.
fn atoms(pool: &mut ExprPool, proc: &Procedure, of_errors: bool) -> Vec<ExprId> {
    let mut definitions: FxHashMap<VarId, Option<ExprId>> = FxHashMap::default();
    for label in proc.edges.iter().flat_map(|edge| &edge.labels) {
        let value = match label {
            Label::Assign { value, .. } => Some(*value),
            Label::Load { var, place: Place::Var(from), .. } => {
                let sort = pool.find(Expr::Var(*var)).map(|var| pool.sort(var));
                sort.map(|sort| pool.var(*from, sort))
            }
            _ => None,
        };
        if let Some(var) = label.written_local() {
            definitions.entry(var).and_modify(|known| *known = None).or_insert(value);
        }
    }
    let fails = |edge: &Edge| edge.labels.iter().any(|label| matches!(label, Label::Error(_)));
    let outgoing = proc.out_edges();
    let is_doomed = |edge: &&Edge| {
        let next = outgoing.of(edge.target);
        !of_errors || fails(edge) || (!next.is_empty() && next.iter().all(|id| fails(&proc.edges[id.index()])))
    };
    let mut found = BTreeSet::new();
    for label in proc.edges.iter().filter(|edge| is_doomed(edge)).flat_map(|edge| &edge.labels) {
        let (Label::Assume(cond) | Label::Await(cond)) = label else { continue };
        atoms_of(pool, *cond, &mut found);
        let mut cond = *cond;
        for _ in 0..4 {
            let defined = pool.substitute(cond, &mut |var| definitions.get(&var).copied().flatten());
            if defined == cond {
                break;
            }
            cond = defined;
            atoms_of(pool, cond, &mut found);
        }
    }
    found.into_iter().collect()
}

/// What conditions say of a counter, said of the index of a distinguished cell that it is compared with: an invariant of a loop over an array says it of the elements
/// that the loop has passed. An index is a local that only gets any value, once.
fn atoms_of_indices(pool: &mut ExprPool, proc: &Procedure, atoms: &[ExprId]) -> Vec<ExprId> {
    let mut is_index: FxHashMap<VarId, bool> = FxHashMap::default();
    for label in proc.edges.iter().flat_map(|edge| &edge.labels) {
        if let Some(var) = label.written_local() {
            let is_any = matches!(label, Label::Havoc { .. });
            is_index.entry(var).and_modify(|is_index| *is_index = false).or_insert(is_any);
        }
    }
    let is_index = |var: &VarId| is_index.get(var).copied().unwrap_or(false);
    let mut more = BTreeSet::new();
    for &atom in atoms {
        let Expr::Binary(BinOp::Eq, a, b) = pool.get(atom) else { continue };
        let (Expr::Var(x), Expr::Var(y)) = (pool.get(a), pool.get(b)) else { continue };
        let (counter, index) = match (is_index(&x), is_index(&y)) {
            (false, true) => (x, b),
            (true, false) => (y, a),
            _ => continue,
        };
        for &other in atoms.iter().take(MOST_ATOMS) {
            let said = pool.substitute(other, &mut |var| (var == counter).then_some(index));
            if said != other && pool.as_const(said).is_none() {
                more.insert(said);
            }
        }
    }
    more.into_iter().filter(|atom| !atoms.contains(atom)).collect()
}

/// The variables that handles of threads and addresses of locks are computed from, and those that decide how often a loop starts or joins threads: without their
/// values, an abstract state would not know which threads there are.
pub fn control_variables(program: &Program) -> FixedBitSet {
    let mut control = FixedBitSet::with_capacity(program.vars.len());
    let add = |control: &mut FixedBitSet, expr: ExprId| {
        program.pool.vars(expr).into_iter().for_each(|var| control.insert(var.index()));
    };
    for proc in &program.procs {
        let cyclic = components_with_threads(proc);
        for edge in &proc.edges {
            let in_loop = cyclic[edge.source.index()];
            for label in &edge.labels {
                match label {
                    Label::Join { handle, .. } => add(&mut control, *handle),
                    Label::Lock { lock, .. } => add(&mut control, *lock),
                    Label::Assume(cond) if in_loop => add(&mut control, *cond),
                    _ => {}
                }
            }
        }
    }
    // And what these are computed from.
    loop {
        let before = control.count_ones(..);
        for label in program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels) {
            match label {
                Label::Assign { var, value } if control.contains(var.index()) => add(&mut control, *value),
                Label::Load { var, place: Place::Var(from), .. } if control.contains(var.index()) => {
                    control.insert(from.index());
                }
                Label::Store { place: Place::Var(to), value, .. } if control.contains(to.index()) => {
                    add(&mut control, *value);
                }
                Label::Start { callee: raddle_ir::Callee::Proc(callee), arg, .. } => {
                    let params = &program.proc(*callee).params;
                    if params.iter().any(|param| control.contains(param.index())) {
                        add(&mut control, *arg);
                    }
                }
                _ => {}
            }
        }
        if control.count_ones(..) == before {
            return control;
        }
    }
}

/// Which locations lie on a cycle with an edge that starts or joins a thread?
fn components_with_threads(proc: &Procedure) -> Vec<bool> {
    let outgoing = proc.out_edges();
    let mut result = vec![false; proc.locations.len()];
    let threads = |label: &Label| matches!(label, Label::Start { .. } | Label::Join { .. });
    for edge in proc.edges.iter().filter(|edge| edge.labels.iter().any(threads)) {
        let after = reached(proc, &outgoing, edge.target);
        if !after.contains(edge.source.index()) {
            continue;
        }
        // On a cycle with the edge is what it reaches and what reaches it.
        for i in after.ones() {
            if !result[i] && reached(proc, &outgoing, raddle_ir::LocId(i as u32)).contains(edge.source.index()) {
                result[i] = true;
            }
        }
    }
    result
}
