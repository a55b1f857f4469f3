//! The steps of a proof: whatever an action can lead to from the states of a node, one of its children by that action stands for.
//!
//! The states of a node are a formula: values, locks, and a disjunction of cubes. An action is its guards, and what variables are after it in
//! terms of what they were before. That its outcome is no child's is to be impossible; no child, no error and no bound of recursion: that the action
//! is taken at all. Most of it is clear by evaluation; the rest is one question for an action and a node, which says only what it needs to, so that it is the
//! same question for many nodes.

use crate::domains::precision::{Precision, PredId};
use crate::domains::state::{Cube, Data, States};
use crate::domains::values::{WithMemory, value};
use crate::graph::arg::{Arg, NodeId, Status};
use crate::model::statements::Statement;
use crate::model::threads::{At, Threads};
use crate::model::{ActionId, Goal, Model};
use crate::solvers::Solvers;
use raddle_ir::{Const, ExprId, Label, Place, Program, Substitution, VarId, VarsOf};
use raddle_smt::{Answer, NativeSolver, Solver};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a node stands for.
#[derive(Clone, Copy)]
pub struct State<'a> {
    pub threads: &'a Threads,
    pub data: &'a Data,
}

impl State<'_> {
    /// The value that a variable has in all states of the node.
    pub fn value(&self, model: &Model, var: VarId) -> Option<u128> {
        if model.vars.is_lock(var) { self.threads.lock(var) } else { self.data.values.get(var) }
    }
}

/// An action in terms of the state before it.
struct Post {
    guards: Vec<ExprId>,
    written: FxHashMap<VarId, ExprId>,
}

/// How far evaluation of an action gets.
pub enum Evaluated {
    Impossible,
    /// The values of variables that were written. The action is possible in all states, or it is not known.
    Possible {
        written: Vec<(VarId, Option<u128>)>,
        is_certain: bool,
    },
}

/// Names of values that a havoc chooses: versions of a variable from here on.
const HAVOCS: u32 = 1 << 30;
/// Solvers are kept for so many actions at a time.
const MOST_SOLVERS: usize = 300;
/// The question of which action it is at the beginning.
const FIRST: ActionId = ActionId(u32::MAX);

type Facts = Box<[(VarId, u128)]>;
type Replaced = (ExprId, Box<[(VarId, ExprId)]>);

pub struct Steps {
    make: Solvers,
    solvers: FxHashMap<ActionId, NativeSolver>,
    /// Sets of formulas, and whether they exclude each other.
    answers: FxHashMap<Box<[ExprId]>, bool>,
    /// By what is known of the variables that are read.
    posts: FxHashMap<(ActionId, Facts), Rc<Post>>,
    replaced: FxHashMap<Replaced, ExprId>,
    vars: VarsOf,
    pub questions: u64,
}

impl Steps {
    pub fn new(make: Solvers) -> Self {
        Steps {
            make,
            solvers: FxHashMap::default(),
            answers: FxHashMap::default(),
            posts: FxHashMap::default(),
            replaced: FxHashMap::default(),
            vars: VarsOf::new(),
            questions: 0,
        }
    }

    /// The first node stands for all initial states.
    pub fn first(
        &mut self,
        model: &mut Model,
        precision: &Precision,
        threads: &Threads,
        data: &Data,
    ) -> Result<(), String> {
        if *threads != model.first() {
            return Err("the first node: the threads are elsewhere".into());
        }
        for (var, bits) in data.values.iter() {
            if model.initial_value(var) != Some(bits) {
                return Err(format!("the first node: {} has another value", model.vars.name(model.program, var)));
            }
        }
        let all: FxHashSet<VarId> =
            precision.predicates().iter().flat_map(|predicate| predicate.vars.iter().copied()).collect();
        let mut all: Vec<VarId> = all.into_iter().collect();
        all.sort_unstable();
        let mut initial: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for var in all {
            let value = match model.vars.initial(var) {
                Some(initial) => Some(model.pool.constant(initial)),
                None => model.memory.whole(&mut model.pool, &mut model.vars, var),
            };
            initial.extend(value.map(|value| (var, value)));
        }
        let mut cubes = Vec::new();
        for cube in &data.cubes {
            let literals = self.literals(model, precision, cube, &|var| initial.get(&var).copied());
            cubes.push(conjunction(model, literals));
        }
        let some = disjunction(model, cubes);
        let mut place = |pool: &raddle_ir::ExprPool, place: ExprId| pool.as_const(place).map(|place| place.bits);
        let Model { memory, pool, vars, .. } = &mut *model;
        let mut formulas = memory.initially(pool, vars, &[some], &mut FxHashSet::default(), &mut place);
        formulas.push(model.pool.not(some));
        match self.exclude_each_other(model, FIRST, formulas)? {
            true => Ok(()),
            false => Err("the first node knows more than is so in the beginning".into()),
        }
    }

    /// The actions of the threads that were explored from a node lead to its children.
    pub fn expanded(
        &mut self,
        model: &mut Model,
        precision: &Precision,
        arg: &Arg,
        states: &States,
        id: NodeId,
    ) -> Result<(), String> {
        let node = arg.node(id);
        let (threads, data) = (states.threads.shared(node.threads), states.data.shared(node.data));
        let state = State { threads: &threads, data: &data };
        let mut children: FxHashMap<ActionId, Vec<State>> = FxHashMap::default();
        for child in &node.children {
            let child = arg.node(*child);
            let Some((_, action)) = child.parent.filter(|(parent, _)| *parent == id) else {
                return Err(format!("node {}: a child has another parent", id.0));
            };
            if child.status == Status::Removed {
                return Err(format!("node {}: a child was taken out", id.0));
            }
            let state = State { threads: states.threads.get(child.threads), data: states.data.get(child.data) };
            children.entry(action).or_default().push(state);
        }
        for (slot, _, _) in threads.movable() {
            if node.explored.as_ref().is_some_and(|explored| !explored.contains(&slot)) {
                continue;
            }
            if relies_on_old_value(model, state, slot) {
                return Err(format!(
                    "node {}: thread {slot} names a thread or a lock by a value that it changes before",
                    id.0
                ));
            }
            let known = |var: VarId| data.values.get(var);
            let actions = model.actions_of(&threads, slot, &known);
            let actions = actions.map_err(|unsupported| format!("node {}: {}", id.0, unsupported.what))?;
            for &action in actions.iter() {
                let next = children.get(&action).map_or(&[][..], Vec::as_slice);
                if !self.leads_to(model, precision, state, action, next)? {
                    return Err(format!(
                        "node {}: a step of thread {slot} ({}) leads to no child",
                        id.0,
                        statements(model, action)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Is everything that an action leads to from a state in one of some others?
    fn leads_to(
        &mut self,
        model: &mut Model,
        precision: &Precision,
        state: State,
        id: ActionId,
        children: &[State],
    ) -> Result<bool, String> {
        let written = match evaluate(model, state, id) {
            Evaluated::Impossible => return Ok(true),
            Evaluated::Possible { written, .. } => written,
        };
        let is_error = model.action(id).goal != Goal::None;
        let mut candidates: Vec<State> = Vec::new();
        if !is_error {
            let after = model.step(state.threads, id);
            let same = |child: &&State| child.threads.threads == after.threads && child.threads.atomic == after.atomic;
            candidates.extend(children.iter().filter(same));
        }
        if candidates.iter().any(|child| clearly(model, precision, state, &written, *child)) {
            return Ok(true);
        }
        let post = self.post(model, state, id);
        let mut goals: Vec<ExprId> = Vec::new();
        for child in candidates {
            let parts = self.child(model, precision, state, &post, child);
            let all = conjunction(model, parts);
            goals.push(model.pool.not(all));
        }
        goals.extend(&post.guards);
        let premises = self.premises(model, precision, state);
        self.refuted(model, id, goals, premises)
    }

    /// Do formulas contradict what is known? First without what has nothing to do with them.
    fn refuted(
        &mut self,
        model: &mut Model,
        action: ActionId,
        goals: Vec<ExprId>,
        premises: Vec<ExprId>,
    ) -> Result<bool, String> {
        let mut vars: FxHashSet<VarId> = FxHashSet::default();
        for goal in &goals {
            vars.extend(self.vars.get(&model.pool, *goal));
        }
        let (mut all, mut rest) = (goals, premises);
        loop {
            let before = rest.len();
            let mut left = Vec::new();
            for premise in rest {
                let of = self.vars.get(&model.pool, premise);
                if of.is_empty() || of.iter().any(|var| vars.contains(var)) {
                    vars.extend(of);
                    all.push(premise);
                } else {
                    left.push(premise);
                }
            }
            rest = left;
            if rest.len() == before {
                break;
            }
        }
        if self.exclude_each_other(model, action, all.clone())? {
            return Ok(true);
        }
        if rest.is_empty() {
            return Ok(false);
        }
        all.extend(rest);
        self.exclude_each_other(model, action, all)
    }

    /// What is known before an action, over variables that have no value.
    fn premises(&mut self, model: &mut Model, precision: &Precision, state: State) -> Vec<ExprId> {
        let mut cubes: Vec<Vec<ExprId>> = Vec::new();
        let known = constants(model, precision, state);
        for cube in &state.data.cubes {
            cubes.push(self.literals(model, precision, cube, &|var| known.get(&var).copied()));
        }
        if cubes.len() == 1 {
            return cubes.swap_remove(0);
        }
        let cubes = cubes.into_iter().map(|cube| conjunction(model, cube)).collect();
        vec![disjunction(model, cubes)]
    }

    /// What a child says of the state after an action, in terms of the one before it.
    fn child(
        &mut self,
        model: &mut Model,
        precision: &Precision,
        state: State,
        post: &Post,
        child: State,
    ) -> Vec<ExprId> {
        let mut parts = Vec::new();
        let written_locks = post.written.keys().copied().filter(|var| model.vars.is_lock(*var));
        let mut claims: Vec<(VarId, u128)> = (written_locks.chain(state.threads.lock_parts()))
            .chain(child.threads.lock_parts())
            .filter_map(|var| child.threads.lock(var).map(|value| (var, value)))
            .collect();
        claims.sort_unstable();
        claims.dedup();
        claims.extend(child.data.values.iter());
        for (var, bits) in claims {
            let before = state.value(model, var);
            let is = match post.written.get(&var) {
                Some(expr) => *expr,
                None if before == Some(bits) => continue,
                None => {
                    let itself = model.pool.var(var, model.vars.sort(var));
                    before.and_then(|before| model.value_expr(var, before, itself)).unwrap_or(itself)
                }
            };
            // What the claim leaves open of an array is as it is.
            parts.push(match model.value_expr(var, bits, is) {
                Some(claimed) => model.pool.eq(is, claimed),
                None => model.pool.bool(false),
            });
        }
        let known = constants(model, precision, state);
        let of = |var: VarId| post.written.get(&var).or_else(|| known.get(&var)).copied();
        let mut cubes = Vec::new();
        for cube in &child.data.cubes {
            let mut cube = cube.clone();
            if let [before] = &state.data.cubes[..] {
                cube.0.retain(|literal| {
                    let vars = &precision.predicate(literal.0).vars;
                    !before.0.contains(literal) || vars.iter().any(|var| post.written.contains_key(var))
                });
            }
            cubes.push(self.literals(model, precision, &cube, &of));
        }
        if cubes.len() == 1 {
            parts.append(&mut cubes[0]);
        } else {
            let cubes = cubes.into_iter().map(|cube| conjunction(model, cube)).collect();
            parts.push(disjunction(model, cubes));
        }
        parts
    }

    /// The literals of a cube, with variables replaced.
    fn literals(
        &mut self,
        model: &mut Model,
        precision: &Precision,
        cube: &Cube,
        of: &dyn Fn(VarId) -> Option<ExprId>,
    ) -> Vec<ExprId> {
        let mut literals = Vec::new();
        for &(id, holds) in &cube.0 {
            let expr = self.replace(model, precision.predicate(id).expr, of);
            literals.push(if holds { expr } else { model.pool.not(expr) });
        }
        literals
    }

    fn replace(&mut self, model: &mut Model, expr: ExprId, of: &dyn Fn(VarId) -> Option<ExprId>) -> ExprId {
        let vars = self.vars.get(&model.pool, expr);
        let pairs: Box<[(VarId, ExprId)]> = vars.iter().filter_map(|var| of(*var).map(|to| (*var, to))).collect();
        if pairs.is_empty() {
            return expr;
        }
        let key = (expr, pairs);
        if let Some(done) = self.replaced.get(&key) {
            return *done;
        }
        let done = Substitution::new().apply(&mut model.pool, expr, &mut |var| of(var));
        self.replaced.insert(key, done);
        done
    }

    fn post(&mut self, model: &mut Model, state: State, id: ActionId) -> Rc<Post> {
        let statements = model.action(id).statements.clone();
        let mut facts: Vec<(VarId, u128)> = Vec::new();
        for expr in statements.iter().filter_map(Statement::expr) {
            for var in self.vars.get(&model.pool, expr) {
                facts.extend(state.value(model, *var).map(|value| (*var, value)));
            }
        }
        facts.sort_unstable();
        facts.dedup();
        let key = (id, facts.into_boxed_slice());
        if let Some(known) = self.posts.get(&key) {
            return known.clone();
        }
        let mut now: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for &(var, bits) in &key.1 {
            let itself = model.pool.var(var, model.vars.sort(var));
            if let Some(value) = model.value_expr(var, bits, itself) {
                now.insert(var, value);
            }
        }
        let mut post = Post { guards: Vec::new(), written: FxHashMap::default() };
        for (i, statement) in (0..).zip(statements.iter()) {
            let value = match *statement {
                Statement::Havoc { var, .. } => {
                    let any = model.vars.version(var, HAVOCS + i);
                    model.pool.var(any, model.vars.sort(var))
                }
                Statement::Assign { value: expr, .. } | Statement::Assume(expr) => {
                    self.replace(model, expr, &|var| now.get(&var).copied())
                }
            };
            match statement.written() {
                Some(var) => {
                    now.insert(var, value);
                    post.written.insert(var, value);
                }
                None => post.guards.push(value),
            }
        }
        let post = Rc::new(post);
        self.posts.insert(key, post.clone());
        post
    }

    /// Can one of some actions be taken in all states of a node?
    pub fn is_certain(
        &mut self,
        model: &mut Model,
        precision: &Precision,
        state: State,
        actions: &[ActionId],
    ) -> Result<bool, String> {
        for action in actions {
            if let Evaluated::Possible { is_certain: true, .. } = evaluate(model, state, *action) {
                return Ok(true);
            }
        }
        let Some(&first) = actions.first() else { return Ok(false) };
        // A value that a havoc chooses counts as one that might be chosen otherwise: that asks for more than is needed.
        let mut none = Vec::new();
        for action in actions {
            let guards = self.post(model, state, *action).guards.clone();
            let all = conjunction(model, guards);
            none.push(model.pool.not(all));
        }
        let premises = self.premises(model, precision, state);
        self.refuted(model, first, none, premises)
    }

    /// Is there no way for all of these to hold?
    fn exclude_each_other(
        &mut self,
        model: &Model,
        action: ActionId,
        mut formulas: Vec<ExprId>,
    ) -> Result<bool, String> {
        formulas.sort_unstable();
        formulas.dedup();
        formulas.retain(|formula| !model.pool.is_bool(*formula, true));
        if formulas.is_empty() {
            return Ok(false);
        }
        if formulas.iter().any(|formula| model.pool.is_bool(*formula, false)) {
            return Ok(true);
        }
        let key = formulas.into_boxed_slice();
        if let Some(known) = self.answers.get(&key) {
            return Ok(*known);
        }
        if self.solvers.len() >= MOST_SOLVERS {
            self.solvers.clear();
        }
        let solver = self.solvers.entry(action).or_insert_with(|| self.make.solver());
        self.questions += 1;
        let answer = match solver.check(&model.pool, &key) {
            Ok(Answer::Unsat) => true,
            Ok(Answer::Sat) => false,
            Ok(Answer::Unknown(why)) => return Err(format!("a solver gave up: {why:?}")),
            Err(error) => return Err(format!("a solver gave up: {error:?}")),
        };
        self.answers.insert(key, answer);
        Ok(answer)
    }
}

/// Which threads are joined and which lock is meant is known before an action (see `model.rs`): that is wrong if the action changes it before.
fn relies_on_old_value(model: &mut Model, state: State, slot: u32) -> bool {
    let thread = state.threads.threads[slot as usize];
    let At::Location(location) = thread.at else { return false };
    let program = model.program;
    for i in 0..model.outgoing[thread.proc.index()].of(location).len() {
        let edge = model.outgoing[thread.proc.index()].of(location)[i];
        let labels = &program.proc(thread.proc).edges[edge.index()].labels;
        for (i, label) in labels.iter().enumerate() {
            let (Label::Join { handle: name, .. } | Label::Lock { lock: name, .. }) = label else { continue };
            if labels[..i].iter().any(|label| changes(program, label, *name)) {
                let name = model.named(slot, *name);
                if value(&model.pool, name, &|var| state.value(model, var)).is_some() {
                    return true;
                }
            }
        }
    }
    false
}

/// Does a label change the value of an expression?
pub fn changes(program: &Program, label: &Label, expr: ExprId) -> bool {
    let var = match label {
        Label::Assign { var, .. }
        | Label::Havoc { var, .. }
        | Label::Load { var, .. }
        | Label::Alloc { var, .. }
        | Label::ObjectSize { var, .. }
        | Label::Valid { var, .. }
        | Label::Leaks { var, .. }
        | Label::Start { var, .. }
        | Label::Self_ { var }
        | Label::Store { place: Place::Var(var), .. } => Some(*var),
        Label::Join { var, .. } | Label::Lock { var, .. } | Label::Print { var, .. } | Label::Call { var, .. } => *var,
        _ => None,
    };
    var.is_some_and(|var| program.pool.vars(expr).contains(&var))
}

/// Goes through the statements of an action with the values that are known.
pub fn evaluate(model: &Model, state: State, action: ActionId) -> Evaluated {
    let mut written: Vec<(VarId, Option<u128>)> = Vec::new();
    let mut is_certain = true;
    for statement in model.action(action).statements.iter() {
        let now = |var: VarId| match written.iter().rev().find(|(v, _)| *v == var) {
            Some((_, value)) => *value,
            None => state.value(model, var),
        };
        match *statement {
            Statement::Assign { var, value: expr } => {
                let value = value(&model.pool, expr, &WithMemory { memory: &model.memory, known: now });
                written.push((var, value));
            }
            Statement::Havoc { var, .. } => written.push((var, None)),
            Statement::Assume(cond) => {
                match value(&model.pool, cond, &WithMemory { memory: &model.memory, known: now }) {
                    Some(0) => return Evaluated::Impossible,
                    Some(_) => {}
                    None => is_certain = false,
                }
            }
        }
    }
    Evaluated::Possible { written, is_certain }
}

/// Does evaluation alone say that a child stands for what an action leads to?
fn clearly(
    model: &Model,
    precision: &Precision,
    state: State,
    written: &[(VarId, Option<u128>)],
    child: State,
) -> bool {
    let change = |var: VarId| written.iter().rev().find(|(v, _)| *v == var).map(|(_, value)| *value);
    let after = |var: VarId| change(var).unwrap_or_else(|| state.value(model, var));
    let is_right = |var: VarId| child.threads.lock(var).is_none_or(|claimed| after(var) == Some(claimed));
    let mut locks = written.iter().map(|(var, _)| *var).filter(|var| model.vars.is_lock(*var));
    if !locks.all(is_right) || !state.threads.lock_parts().chain(child.threads.lock_parts()).all(is_right) {
        return false;
    }
    if !child.data.values.iter().all(|(var, claimed)| after(var) == Some(claimed)) {
        return false;
    }
    let holds = |before: &Cube, &(id, sign): &(PredId, bool)| {
        let predicate = precision.predicate(id);
        if before.0.contains(&(id, sign)) && predicate.vars.iter().all(|var| change(*var).is_none()) {
            return true;
        }
        value(&model.pool, predicate.expr, &WithMemory { memory: &model.memory, known: &after }) == Some(sign.into())
    };
    (state.data.cubes.iter())
        .all(|before| child.data.cubes.iter().any(|cube| cube.0.iter().all(|literal| holds(before, literal))))
}

/// The values that are known of variables of predicates.
fn constants(model: &mut Model, precision: &Precision, state: State) -> FxHashMap<VarId, ExprId> {
    let mut known = FxHashMap::default();
    if precision.predicates().is_empty() {
        return known;
    }
    for (var, bits) in state.data.values.iter() {
        let itself = model.pool.var(var, model.vars.sort(var));
        known.extend(model.value_expr(var, bits, itself).map(|value| (var, value)));
    }
    for &var in precision.predicates().iter().flat_map(|predicate| &predicate.vars) {
        if model.vars.is_lock(var)
            && let Some(bits) = state.threads.lock(var)
        {
            known.insert(var, model.pool.constant(Const { sort: model.vars.sort(var), bits }));
        }
    }
    known
}

fn conjunction(model: &mut Model, parts: Vec<ExprId>) -> ExprId {
    let all = model.pool.bool(true);
    parts.into_iter().fold(all, |all, part| model.pool.and(all, part))
}

fn disjunction(model: &mut Model, parts: Vec<ExprId>) -> ExprId {
    let none = model.pool.bool(false);
    parts.into_iter().fold(none, |some, part| model.pool.or(some, part))
}

fn statements(model: &Model, action: ActionId) -> String {
    let all = model.action(action).statements.iter().map(|statement| crate::model::show::statement(model, statement));
    all.collect::<Vec<_>>().join("; ")
}
