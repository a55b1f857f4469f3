//! What random executions refute of conjuncts about one and about two threads: conditions over the terms of their rows.

use crate::backward::replaced;
use crate::invariant::Scope;
use crate::sample::{Row, Samples};
use crate::system::{MOVER, OTHER, System};
use crate::terms::Terms;
use raddle_ir::eval::eval;
use raddle_ir::{Expr, ExprId, Value, VarId};
use raddle_model::instances::Origin;
use rustc_hash::FxHashMap;

pub struct Seen<'a> {
    terms: &'a Terms,
    samples: &'a Samples,
    /// Variables that stand for terms that are none.
    names: FxHashMap<ExprId, ExprId>,
    columns: FxHashMap<Scope, FxHashMap<VarId, usize>>,
}

impl<'a> Seen<'a> {
    pub fn new(system: &mut System, terms: &'a Terms, samples: &'a Samples) -> Self {
        let mut names = FxHashMap::default();
        for (i, &term) in terms.shared.iter().enumerate() {
            if !matches!(system.pool.get(term), Expr::Var(_)) {
                let sort = system.pool.sort(term);
                let name = system.vars.make(Origin::Auxiliary(i as u32), sort, None);
                names.insert(term, system.pool.var(name, sort));
            }
        }
        Seen { terms, samples, names, columns: FxHashMap::default() }
    }

    pub fn rows(&self, scope: Scope) -> &'a [Row] {
        let rows = match scope {
            Scope::Shared => Some(&self.samples.shared),
            Scope::At(at) => self.samples.at.get(&at),
            Scope::Together(a, b) => self.samples.together.get(&(a, b)),
            Scope::Thread | Scope::Pair => None,
        };
        rows.map_or(&[], |rows| &rows.all)
    }

    /// Was a state seen in which a condition does not hold?
    pub fn refutes(&mut self, system: &mut System, scope: Scope, cond: ExprId) -> bool {
        let rows = self.rows(scope);
        if rows.is_empty() {
            return false;
        }
        let cond = if self.names.is_empty() { cond } else { replaced(&mut system.pool, cond, &self.names) };
        if !self.columns.contains_key(&scope) {
            let columns = self.columns_of(system, scope);
            self.columns.insert(scope, columns);
        }
        let columns = &self.columns[&scope];
        rows.iter().any(|row| {
            let mut env = |var: VarId| columns.get(&var).map(|column| Value::Bits(row[*column])).ok_or(());
            eval(&system.pool, cond, &mut env).is_ok_and(|value| value.bits() == 0)
        })
    }

    fn columns_of(&self, system: &mut System, scope: Scope) -> FxHashMap<VarId, usize> {
        let mut terms = self.terms.shared.clone();
        match scope {
            Scope::At(at) => terms.extend(self.terms.own(at)),
            Scope::Together(a, b) => {
                terms.extend(self.terms.own(a));
                terms.extend(self.terms.own(b).iter().map(|term| system.renamed(*term, MOVER, OTHER)));
            }
            _ => {}
        }
        let mut columns = FxHashMap::default();
        for (column, term) in terms.into_iter().enumerate() {
            let name = self.names.get(&term).copied().unwrap_or(term);
            if let Expr::Var(var) = system.pool.get(name) {
                columns.insert(var, column);
            }
        }
        columns
    }
}
