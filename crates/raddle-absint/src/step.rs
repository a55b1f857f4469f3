//! What the labels of an edge do to abstract states.
//!
//! Large blocks hold branches as `Ite`: a state goes apart where an assigned value depends on a condition that is open, and its cases
//! remember the decision until a variable of the condition changes.

use crate::evaluate::{Known, evaluate, is_known, width};
use crate::linear::{Linear, linear};
use crate::refine::{Facing, refine};
use crate::shared::Shared;
use crate::state::{Relations, State};
use crate::value::Value;
use raddle_analysis::cfg::ends_thread;
use raddle_ir::{
    BinOp, Callee, Edge, Expr, ExprId, ExprPool, Label, ObjectKind, Place, Program, Sort, VarId, VarKind, VarsOf,
};
use rustc_hash::FxHashSet;

/// An edge makes at most so many cases of a state.
const MOST_CASES: usize = 8;

#[derive(Clone)]
struct Case {
    state: State,
    known: Known,
    /// May there be other threads?
    started: bool,
}

/// What steps read, and what they leave behind for other processes.
pub struct Steps<'a> {
    pub program: &'a Program,
    pub relations: Relations,
    pub shared: Shared,
    pub vars_of: VarsOf,
    /// Labels that were executed.
    pub count: u64,
}

impl Steps<'_> {
    /// The states after an edge, from one before it. `started` is told for its source and its target.
    pub fn edge(&mut self, edge: &Edge, state: &State, (before, after): (bool, bool)) -> Vec<State> {
        let mut cases = vec![Case { state: state.clone(), known: Known::new(), started: before }];
        for label in &edge.labels {
            self.count += cases.len() as u64;
            if ends_thread(label) || matches!(label, Label::Error(_)) {
                return Vec::new();
            }
            let mut next = Vec::with_capacity(cases.len());
            let budget = MOST_CASES / cases.len().max(1);
            for case in cases {
                self.label(label, case, budget.max(1), &mut next);
            }
            cases = next;
        }
        for case in &mut cases {
            if after && !case.started {
                self.publish(case);
            }
        }
        cases.into_iter().map(|case| case.state).collect()
    }

    fn label(&mut self, label: &Label, mut case: Case, budget: usize, next: &mut Vec<Case>) {
        match label {
            Label::Assume(cond) | Label::Await(cond) | Label::Require { cond, .. } => {
                if self.assume(&mut case, *cond, true) {
                    next.push(case);
                }
                return;
            }
            Label::Assign { var, value } => {
                for mut case in self.split(case, *value, budget) {
                    let (value, sum) = self.value(&case, *value);
                    self.write(&mut case, *var, value, sum.as_ref());
                    next.push(case);
                }
                return;
            }
            Label::Store { place: Place::Var(var), value, .. } => {
                for mut case in self.split(case, *value, budget) {
                    let same = self.program.pool.sort(*value) == self.program.var(*var).sort;
                    let (value, sum) = if same { self.value(&case, *value) } else { (None, None) };
                    if case.started && matches!(self.program.var(*var).kind, VarKind::Global(_)) {
                        self.shared.store(self.program, *var, value);
                    } else {
                        self.write(&mut case, *var, value, sum.as_ref());
                    }
                    next.push(case);
                }
                return;
            }
            Label::Load { var, place: Place::Var(from), .. } => {
                let same = self.program.var(*var).sort == self.program.var(*from).sort;
                let (value, sum) = if !same {
                    (None, None)
                } else if case.started && matches!(self.program.var(*from).kind, VarKind::Global(_)) {
                    (self.shared.load(*from).cloned(), None)
                } else {
                    let sum =
                        self.program.var(*from).sort.is_bits().then(|| Linear { terms: vec![(*from, 1)], constant: 0 });
                    (case.state.value(*from).cloned(), sum.filter(|_| self.program.var(*from).sort.bits() <= Some(64)))
                };
                self.write(&mut case, *var, value, sum.as_ref());
            }
            Label::Start { var, callee, arg } => {
                if !case.started {
                    self.publish(&mut case);
                }
                self.start(&case, *callee, *arg);
                self.write(&mut case, *var, None, None);
            }
            Label::Lock { var: Some(var), .. } => {
                let answers = width(self.program.var(*var).sort).and_then(|bits| Value::of(bits, vec![0, 1, 16, 35]));
                self.write(&mut case, *var, answers, None);
            }
            _ => {
                if let Some(var) = label.written_local() {
                    self.write(&mut case, var, None, None);
                }
            }
        }
        next.push(case);
    }

    fn assume(&mut self, case: &mut Case, cond: ExprId, truth: bool) -> bool {
        let facing = Facing { pool: &self.program.pool, relations: &self.relations, known: &case.known };
        if evaluate(facing.pool, &case.state, &case.known, cond)
            .and_then(|value| value.as_constant())
            .is_some_and(|value| (value != 0) != truth)
        {
            return false;
        }
        // A second look uses what the first one found out about later parts.
        refine(&facing, &mut case.state, cond, truth) && refine(&facing, &mut case.state, cond, truth)
    }

    fn value(&self, case: &Case, value: ExprId) -> (Option<Value>, Option<Linear>) {
        let pool = &self.program.pool;
        (evaluate(pool, &case.state, &case.known, value), linear(pool, value, &case.known))
    }

    fn write(&mut self, case: &mut Case, var: VarId, value: Option<Value>, sum: Option<&Linear>) {
        case.state.assign(&self.relations, var, value, sum);
        let (pool, vars_of) = (&self.program.pool, &mut self.vars_of);
        case.known.retain(|(cond, _)| vars_of.get(pool, *cond).binary_search(&var).is_err());
    }

    /// The cases of a state in which the conditions inside of a value are decided, at most so many.
    fn split(&mut self, case: Case, value: ExprId, budget: usize) -> Vec<Case> {
        let mut done = Vec::new();
        let mut open = vec![case];
        while let Some(case) = open.pop() {
            let room = done.len() + open.len() + 2 <= budget;
            let cond = if room { self.open_condition(&case, value) } else { None };
            let Some(cond) = cond else {
                done.push(case);
                continue;
            };
            for truth in [false, true] {
                let mut part = case.clone();
                if self.assume(&mut part, cond, truth) {
                    part.known.push((cond, truth));
                    open.push(part);
                }
            }
        }
        done
    }

    /// The first condition of an `Ite` on the way down from a value that is not decided.
    fn open_condition(&self, case: &Case, value: ExprId) -> Option<ExprId> {
        const MOST_NODES: usize = 60;
        let pool = &self.program.pool;
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut open = vec![value];
        while let Some(id) = open.pop() {
            if seen.len() > MOST_NODES || !seen.insert(id) {
                continue;
            }
            match pool.get(id) {
                Expr::Ite(cond, a, b) => {
                    let constant =
                        || evaluate(pool, &case.state, &case.known, cond)?.as_constant().map(|bits| bits != 0);
                    match is_known(&case.known, cond).or_else(constant) {
                        Some(truth) => open.push(if truth { a } else { b }),
                        None => return Some(cond),
                    }
                }
                Expr::Binary(BinOp::BvAdd | BinOp::BvSub | BinOp::BvMul, a, b) => open.extend([b, a]),
                Expr::ZeroExt { arg, .. } | Expr::SignExt { arg, .. } | Expr::Extract { arg, .. } => open.push(arg),
                _ => {}
            }
        }
        None
    }

    /// From here on others may read and write the globals: they know what their values can be, and the state does not.
    fn publish(&mut self, case: &mut Case) {
        case.started = true;
        for (i, var) in self.program.vars.iter().enumerate() {
            if matches!(var.kind, VarKind::Global(_)) {
                let id = VarId(i as u32);
                self.shared.store(self.program, id, case.state.value(id).cloned());
                case.state.assign(&self.relations, id, None, None);
            }
        }
    }

    fn start(&mut self, case: &Case, callee: Callee, arg: ExprId) {
        let pool: &ExprPool = &self.program.pool;
        let value = evaluate(pool, &case.state, &case.known, arg);
        let sort: Sort = pool.sort(arg);
        match callee {
            Callee::Proc(proc) => self.shared.start(self.program, proc, sort, value),
            Callee::Address(_) => {
                for object in &self.program.objects {
                    if let ObjectKind::Function(proc) = object.kind {
                        self.shared.start(self.program, proc, sort, value.clone());
                    }
                }
            }
        }
    }
}
