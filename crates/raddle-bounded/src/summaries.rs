//! What a program does between cut points: large blocks as formulas.
//!
//! Cut points are the entry and enough of the other places that every cycle has one (the targets of back edges of a depth-first search). All ways from one cut point to the next are
//! one *summary*: the condition under which control comes there, and what each variable is then in terms of the state at the first one. Ways that meet are merged by `ite`, so that a
//! summary is about as large as the code that it stands for. Steps that cannot lead to an error are left out, and so are variables on which no error depends any more.
//!
//! Merging needs ways that exclude each other: where two steps from one place might both be taken, a *selector* (one more input) says which one is.
//!
//! After Beyer, Cimatti, Griggio, Keremoglu and Sebastiani, *Software Model Checking via Large-Block Encoding* (FMCAD 2009).

use raddle_invariants::system::{At, Step, System, Target};
use raddle_ir::{Expr, ExprId, Sort, Substitution, VarId, VarsOf};
use raddle_model::instances::Origin;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What variables are, where they are something else than before.
pub type Values = FxHashMap<VarId, ExprId>;

/// All ways from one cut point to another.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Position in `Summaries::cuts`.
    pub target: usize,
    pub cond: ExprId,
    pub after: Values,
}

#[derive(Clone, Debug)]
pub struct Cut {
    pub at: At,
    /// The variables on which it depends whether an error follows, sorted.
    pub live: Vec<VarId>,
    pub summaries: Vec<Summary>,
    /// An error is met before the next cut point.
    pub error: ExprId,
    /// Something is met before the next cut point of which nobody knows what follows.
    pub open: ExprId,
}

#[derive(Clone, Debug, Default)]
pub struct Summaries {
    /// The entry is the first one.
    pub cuts: Vec<Cut>,
    /// The steps that they were made of: no two share a choice, and those from one place exclude each other.
    pub steps: Vec<Step>,
    pub live: FxHashMap<At, Vec<VarId>>,
}

/// The summaries of a program with one process; `None` if there was no time.
pub fn summaries(system: &mut System, stop: &dyn Fn() -> bool) -> Option<Summaries> {
    let entry = system.entry(system.program.entry);
    let mut steps = leading_to_errors(system);
    tell_choices_apart(system, &mut steps);
    let mut outgoing: FxHashMap<At, Vec<usize>> = FxHashMap::default();
    for (i, step) in steps.iter().enumerate() {
        outgoing.entry(step.source).or_default().push(i);
    }
    exclude_each_other(system, &mut steps, &outgoing);
    let live = live(system, &steps);
    let (order, heads) = cut_points(entry, &steps, &outgoing);
    let mut result = Summaries { cuts: Vec::new(), steps, live };
    let graph = Graph {
        outgoing,
        position: order.iter().enumerate().map(|(i, at)| (*at, i)).collect(),
        number: heads.iter().enumerate().map(|(i, at)| (*at, i)).collect(),
        order,
    };
    for at in heads {
        let cut = graph.from(system, &result, at, stop)?;
        result.cuts.push(cut);
    }
    Some(result)
}

/// The steps after which an error may still come.
fn leading_to_errors(system: &System) -> Vec<Step> {
    let mut incoming: FxHashMap<At, Vec<usize>> = FxHashMap::default();
    let mut open = Vec::new();
    for (i, step) in system.steps.iter().enumerate() {
        match step.target {
            Target::At(at) => incoming.entry(at).or_default().push(i),
            Target::Error | Target::CutOff => open.push(step.source),
            Target::End => {}
        }
    }
    let mut leading: FxHashSet<At> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        for &step in incoming.get(&at).into_iter().flatten() {
            let source = system.steps[step].source;
            if leading.insert(source) {
                open.push(source);
            }
        }
    }
    let leads = |step: &&Step| match step.target {
        Target::At(at) => leading.contains(&at),
        Target::Error | Target::CutOff => true,
        Target::End => false,
    };
    system.steps.iter().filter(leads).cloned().collect()
}

/// An input of a step: nothing that a state has.
pub fn is_choice(system: &System, var: VarId) -> bool {
    matches!(system.vars.origin(var), Origin::Version { .. } | Origin::Auxiliary(_))
}

/// The choices in some expressions, each with its version of this number.
pub fn choices(system: &mut System, exprs: impl Iterator<Item = ExprId>, number: u32) -> Values {
    let mut roots: Vec<ExprId> = exprs.collect();
    roots.sort_unstable();
    roots.dedup();
    let mut vars = Vec::new();
    system.pool.for_each_node(&roots, |_, expr| {
        if let Expr::Var(var) = expr {
            vars.push(var);
        }
    });
    vars.retain(|var| is_choice(system, *var));
    let new = |var: VarId| {
        let version = system.vars.version(var, number);
        (var, system.pool.var(version, system.vars.sort(version)))
    };
    vars.into_iter().map(new).collect()
}

/// Gives each step choices of its own.
fn tell_choices_apart(system: &mut System, steps: &mut [Step]) {
    for (number, step) in (1..).zip(steps) {
        let exprs: Vec<ExprId> = step.after.values().copied().chain([step.cond]).collect();
        let own = choices(system, exprs.into_iter(), number);
        let mut known = Substitution::new();
        let mut replace = |var: VarId| own.get(&var).copied();
        step.cond = known.apply(&mut system.pool, step.cond, &mut replace);
        for value in step.after.values_mut() {
            *value = known.apply(&mut system.pool, *value, &mut replace);
        }
    }
}

/// Adds selectors where two steps from one place might both be taken.
fn exclude_each_other(system: &mut System, steps: &mut [Step], outgoing: &FxHashMap<At, Vec<usize>>) {
    let mut sources: Vec<&At> = outgoing.keys().collect();
    sources.sort_unstable();
    let mut count = 0;
    for here in sources.into_iter().map(|at| &outgoing[at]) {
        let System { pool, vars, .. } = &mut *system;
        let mut exclude = |a: usize, b: usize| {
            let (a, b) = (steps[a].cond, steps[b].cond);
            let both = pool.and(a, b);
            pool.is_bool(both, false) || pool.not(a) == b
        };
        if (0..here.len()).all(|i| (0..i).all(|j| exclude(here[i], here[j]))) {
            continue;
        }
        let mut none_before = pool.bool(true);
        for (i, &step) in here.iter().enumerate() {
            let mut selected = none_before;
            if i + 1 < here.len() {
                let selector = vars.make(Origin::Auxiliary(count), Sort::Bool, None);
                count += 1;
                let selector = pool.var(selector, Sort::Bool);
                selected = pool.and(selected, selector);
                let other = pool.not(selector);
                none_before = pool.and(none_before, other);
            }
            steps[step].cond = pool.and(steps[step].cond, selected);
        }
    }
}

/// The variables on which it depends whether an error follows: those that conditions read, and those that flow into them.
fn live(system: &System, steps: &[Step]) -> FxHashMap<At, Vec<VarId>> {
    let mut vars_of = VarsOf::new();
    let mut incoming: FxHashMap<At, Vec<usize>> = FxHashMap::default();
    let mut live: FxHashMap<At, FxHashSet<VarId>> = FxHashMap::default();
    let mut open: Vec<(At, VarId)> = Vec::new();
    let add = |live: &mut FxHashMap<At, FxHashSet<VarId>>, open: &mut Vec<(At, VarId)>, at: At, vars: &[VarId]| {
        let here = live.entry(at).or_default();
        open.extend(vars.iter().filter(|var| !is_choice(system, **var) && here.insert(**var)).map(|var| (at, *var)));
    };
    for (i, step) in steps.iter().enumerate() {
        if let Target::At(at) = step.target {
            incoming.entry(at).or_default().push(i);
        }
        add(&mut live, &mut open, step.source, vars_of.get(&system.pool, step.cond));
    }
    while let Some((at, var)) = open.pop() {
        for step in incoming.get(&at).into_iter().flatten().map(|step| &steps[*step]) {
            match step.after.get(&var) {
                Some(value) => add(&mut live, &mut open, step.source, vars_of.get(&system.pool, *value)),
                None => add(&mut live, &mut open, step.source, &[var]),
            }
        }
    }
    let sorted = |vars: FxHashSet<VarId>| {
        let mut vars: Vec<VarId> = vars.into_iter().collect();
        vars.sort_unstable();
        vars
    };
    live.into_iter().map(|(at, vars)| (at, sorted(vars))).collect()
}

/// The places in reverse postorder, and the cut points among them, the entry first.
fn cut_points(entry: At, steps: &[Step], outgoing: &FxHashMap<At, Vec<usize>>) -> (Vec<At>, Vec<At>) {
    let (mut order, mut heads) = (Vec::new(), vec![entry]);
    let mut is_open: FxHashMap<At, bool> = FxHashMap::default();
    is_open.insert(entry, true);
    let mut stack = vec![(entry, 0)];
    while let Some((at, next)) = stack.last_mut() {
        let at = *at;
        let Some(&step) = outgoing.get(&at).and_then(|steps| steps.get(*next)) else {
            stack.pop();
            is_open.insert(at, false);
            order.push(at);
            continue;
        };
        *next += 1;
        let Target::At(target) = steps[step].target else { continue };
        match is_open.get(&target) {
            None => {
                is_open.insert(target, true);
                stack.push((target, 0));
            }
            Some(true) if !heads.contains(&target) => heads.push(target),
            Some(_) => {}
        }
    }
    order.reverse();
    (order, heads)
}

/// A way to a place: when it is taken, and what it did.
type Arrival = (ExprId, Values);

struct Graph {
    outgoing: FxHashMap<At, Vec<usize>>,
    /// In reverse postorder.
    order: Vec<At>,
    position: FxHashMap<At, usize>,
    /// Of cut points.
    number: FxHashMap<At, usize>,
}

impl Graph {
    /// The summaries from a cut point on.
    fn from(&self, system: &mut System, of: &Summaries, at: At, stop: &dyn Fn() -> bool) -> Option<Cut> {
        let never = system.pool.bool(false);
        let (mut error, mut open) = (never, never);
        let mut between: BTreeMap<usize, Vec<Arrival>> = BTreeMap::new();
        let mut arrivals: BTreeMap<usize, Vec<Arrival>> = BTreeMap::new();
        let always = system.pool.bool(true);
        between.insert(self.position[&at], vec![(always, Values::default())]);
        while let Some((position, here)) = between.pop_first() {
            if stop() {
                return None;
            }
            let source = self.order[position];
            let (guard, values) = merged(system, here, live_at(of, source));
            let mut known = Substitution::new();
            let mut replace = |var: VarId| values.get(&var).copied();
            for step in self.outgoing.get(&source).into_iter().flatten().map(|step| &of.steps[*step]) {
                let cond = known.apply(&mut system.pool, step.cond, &mut replace);
                let cond = system.pool.and(guard, cond);
                if cond == never {
                    continue;
                }
                let target = match step.target {
                    Target::At(target) => target,
                    Target::Error => {
                        error = system.pool.or(error, cond);
                        continue;
                    }
                    Target::CutOff => {
                        open = system.pool.or(open, cond);
                        continue;
                    }
                    Target::End => continue,
                };
                let mut after = Values::default();
                for &var in live_at(of, target) {
                    let value = match step.after.get(&var) {
                        Some(value) => Some(known.apply(&mut system.pool, *value, &mut replace)),
                        None => values.get(&var).copied(),
                    };
                    after.extend(value.map(|value| (var, value)));
                }
                match self.number.get(&target) {
                    Some(&cut) => arrivals.entry(cut).or_default().push((cond, after)),
                    None => between.entry(self.position[&target]).or_default().push((cond, after)),
                }
            }
        }
        let mut summaries = Vec::new();
        for (target, here) in arrivals {
            let (cond, after) = merged(system, here, live_at(of, self.head(target)?));
            summaries.push(Summary { target, cond, after });
        }
        Some(Cut { at, live: live_at(of, at).to_vec(), summaries, error, open })
    }

    fn head(&self, number: usize) -> Option<At> {
        self.number.iter().find(|(_, known)| **known == number).map(|(at, _)| *at)
    }
}

fn live_at(of: &Summaries, at: At) -> &[VarId] {
    of.live.get(&at).map_or(&[], |live| live)
}

/// Ways that exclude each other, as one.
pub fn merged(system: &mut System, mut arrivals: Vec<Arrival>, live: &[VarId]) -> Arrival {
    let System { pool, vars, .. } = system;
    let Some((mut guard, mut values)) = arrivals.pop() else { return (pool.bool(false), Values::default()) };
    for (cond, other) in arrivals {
        for &var in live {
            let (a, b) = (other.get(&var).copied(), values.get(&var).copied());
            if a != b {
                let same = pool.var(var, vars.sort(var));
                let value = pool.ite(cond, a.unwrap_or(same), b.unwrap_or(same));
                values.insert(var, value);
            }
        }
        guard = pool.or(cond, guard);
    }
    (guard, values)
}
