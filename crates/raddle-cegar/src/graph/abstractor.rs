//! Builds the abstract reachability graph until an error comes in sight or everything is covered (thesis 1, Algorithm 4.1).

use crate::config::{CegarConfig, Coi, Domain, Por, Refiner};
use crate::domains::initial_precision::Initially;
use crate::domains::precision::Precision;
use crate::domains::predicates::{self, Queries};
use crate::domains::state::{Data, States};
use crate::domains::values::Values;
use crate::domains::{self, Abstraction, Successor, Transition};
use crate::graph::arg::{Arg, NodeId, Status};
use crate::graph::waitlist::Waitlist;
use crate::model::threads::{At, Thread, Threads};
use crate::model::{ActionId, Goal, Model, Unsupported};
use crate::reduction::coi::Dcoi;
use crate::reduction::por::{Chosen, SourceSets, ThreadActions, cycle_condition};
use fixedbitset::FixedBitSet;
use raddle_budget::thread_time;
use raddle_engine::Stop;
use raddle_ir::{Procedure, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::Duration;

/// How building the graph ended.
pub enum Built {
    /// No error is in the graph, and it is complete.
    Complete,
    /// A node where the property seems violated.
    Target(NodeId),
    /// These variables have so many values that predicates should say what is needed of them (`expl-pred`).
    Sprawling(Vec<VarId>),
    Stopped(Stop),
    Unsupported(Unsupported),
}

#[derive(Clone, Debug, Default)]
pub struct AbstractorStats {
    pub explored_actions: u64,
    pub covered: u64,
    pub statements: u64,
    pub havocs: u64,
    pub removed: u64,
    /// Times of some nodes.
    pub sampled_successors: Duration,
    pub sampled_covering: Duration,
}

/// After so many new states the values of variables are counted.
const COUNTED_TOGETHER: usize = 2048;
/// So many of them are not too many.
const MOST_VALUES: usize = 300;

/// So many counterexamples are refined together by `--refinement multi-seq`.
const TOGETHER: usize = 8;

pub struct Abstractor<'c> {
    pub config: &'c CegarConfig,
    pub states: States,
    pub arg: Arg,
    pub queries: Queries,
    waiting: Waitlist,
    /// Nodes that are astray wait until no others do: what can be replayed is found first.
    waiting_astray: Waitlist,
    targets_astray: Vec<NodeId>,
    /// Nodes where the property seems violated, and that nobody has looked at yet.
    targets: Vec<NodeId>,
    /// Are they looked at now, or still collected?
    hands_out: bool,
    pub initially: Initially,
    /// Of so many states the values have been counted.
    counted: usize,
    /// Where the threads are after an action, by where they were.
    steps: FxHashMap<(u32, ActionId), u32>,
    /// For each procedure: the locations with more than one way in.
    meetings: Vec<FixedBitSet>,
    /// Without it, all threads are explored.
    source_sets: Option<SourceSets>,
    /// Without it, statements are evaluated as they are.
    dcoi: Option<Dcoi>,
    pub stats: AbstractorStats,
}

impl<'c> Abstractor<'c> {
    pub fn new(config: &'c CegarConfig, model: &mut Model, precision: &mut Precision) -> Self {
        let initially = Initially::new(model, config, precision);
        let tracked = initially.tracked_in_code(model);
        Abstractor {
            config,
            states: States::default(),
            arg: Arg::default(),
            queries: Queries::default(),
            waiting: Waitlist::new(config.search, model),
            waiting_astray: Waitlist::new(config.search, model),
            targets_astray: Vec::new(),
            targets: Vec::new(),
            hands_out: false,
            initially,
            counted: 0,
            steps: FxHashMap::default(),
            meetings: model.program.procs.iter().map(meetings).collect(),
            source_sets: (config.por() != Por::None).then(|| SourceSets::new(model)),
            dcoi: matches!(config.coi, Coi::Dynamic | Coi::Both).then(|| Dcoi::new(model, tracked)),
            stats: AbstractorStats::default(),
        }
    }

    /// Begins a new graph.
    pub fn restart(&mut self, model: &mut Model, precision: &mut Precision) {
        self.arg = Arg::default();
        self.waiting.clear();
        self.waiting_astray.clear();
        self.targets.clear();
        self.targets_astray.clear();
        let first = model.first();
        let mut values = Values::default();
        let mut tracked: Vec<_> = precision.explicit_vars().collect();
        tracked.sort_unstable();
        for var in tracked {
            if precision.tracks(var, &first) {
                values.set(var, model.initial_value(var));
            }
        }
        let cube = predicates::initially(&mut self.abstraction(model, precision), &first);
        let threads = self.states.threads.intern(first);
        let data = self.states.data.intern(Data { values, cubes: vec![cube] });
        let root = self.arg.add(threads, data, precision.version, None);
        self.wait(root);
    }

    fn abstraction<'a, 'p>(&'a mut self, model: &'a mut Model<'p>, precision: &'a Precision) -> Abstraction<'a, 'p> {
        Abstraction { model, precision, config: self.config, queries: &mut self.queries }
    }

    /// Goes on until something is found or everything is done. Now and then it says how many nodes it looked at, and asks whether to stop.
    pub fn build(&mut self, model: &mut Model, precision: &mut Precision, stop: &dyn Fn(u32) -> Option<Stop>) -> Built {
        let mut steps = 0u32;
        loop {
            if let Some(target) = self.next_target() {
                return Built::Target(target);
            }
            let Some(node) = self.next() else {
                // Each one that is still there is looked at before anything is called complete.
                if !self.targets.is_empty() {
                    self.hands_out = true;
                    continue;
                }
                if !self.targets_astray.is_empty() {
                    self.targets.append(&mut self.targets_astray);
                    continue;
                }
                match self.keep_cycle_condition(model, precision) {
                    Ok(false) => return Built::Complete,
                    Ok(true) => continue,
                    Err(unsupported) => return Built::Unsupported(unsupported),
                }
            };
            steps += 1;
            if (steps.is_multiple_of(64) || self.queries.is_interrupted())
                && let Some(reason) = stop(steps)
            {
                self.wait(node);
                return Built::Stopped(reason);
            }
            if self.config.domain == Domain::ExplPred && self.states.data.len() >= self.counted + COUNTED_TOGETHER {
                let sprawling = self.sprawling(model);
                if !sprawling.is_empty() {
                    self.wait(node);
                    return Built::Sprawling(sprawling);
                }
            }
            let is_sampled = steps.is_multiple_of(64);
            let time = || if is_sampled { thread_time() } else { Duration::ZERO };
            let begin = time();
            let is_covered = self.is_covered(node);
            let middle = time();
            self.stats.sampled_covering += middle - begin;
            if !is_covered {
                if let Err(unsupported) = self.expand(model, precision, node) {
                    return Built::Unsupported(unsupported);
                }
                self.stats.sampled_successors += time() - middle;
            }
        }
    }

    /// The variables with too many values among the newest states.
    fn sprawling(&mut self, model: &Model) -> Vec<VarId> {
        let mut values: FxHashMap<VarId, FxHashSet<u128>> = FxHashMap::default();
        for id in self.counted..self.states.data.len() {
            for (var, value) in self.states.data.get(id as u32).values.iter() {
                values.entry(var).or_default().insert(value);
            }
        }
        self.counted = self.states.data.len();
        let is_free = |var: VarId| !self.initially.is_fixed(model, var);
        let many = values.into_iter().filter(|(var, values)| values.len() > MOST_VALUES && is_free(*var));
        let mut vars: Vec<VarId> = many.map(|(var, _)| var).collect();
        vars.sort_unstable();
        vars
    }

    /// A target to look at, at once or when there are several (`multi-seq`); then all of them, before the graph grows again.
    fn next_target(&mut self) -> Option<NodeId> {
        let together = if self.config.refiner() == Refiner::MultiSeq { TOGETHER } else { 1 };
        self.hands_out |= self.targets.len() >= together;
        while self.hands_out {
            let Some(target) = self.targets.pop() else {
                self.hands_out = false;
                break;
            };
            if self.arg.node(target).status == Status::Target {
                return Some(target);
            }
        }
        None
    }

    fn next(&mut self) -> Option<NodeId> {
        loop {
            let node = self.waiting.pop().or_else(|| self.waiting_astray.pop())?;
            if self.arg.node(node).status == Status::Waiting {
                return Some(node);
            }
        }
    }

    fn wait(&mut self, node: NodeId) {
        let threads = self.states.threads.get(self.arg.node(node).threads);
        let list = if self.arg.node(node).is_astray { &mut self.waiting_astray } else { &mut self.waiting };
        list.push(node, threads);
    }

    /// Is covering worth a look there? A single thread comes twice to the same place where ways meet, and every cycle has such a place.
    fn may_cover(&self, threads: u32) -> bool {
        match self.states.threads.get(threads).threads[..] {
            [Thread { proc, at: At::Location(at) }] => self.meetings[proc.index()].contains(at.index()),
            _ => true,
        }
    }

    /// Is there a node that stands for this one?
    fn is_covered(&mut self, id: NodeId) -> bool {
        let node = self.arg.node(id);
        if !self.may_cover(node.threads) {
            return false;
        }
        let data = self.states.data.get(node.data);
        let by = self.arg.candidates(node.threads, data).find(|other| {
            let other = self.arg.node(*other);
            // One that is astray would hide what can be replayed.
            (node.is_astray || !other.is_astray)
                && (other.data == node.data || data.implies(self.states.data.get(other.data)))
        });
        match by {
            Some(by) => {
                self.arg.cover(id, by);
                self.stats.covered += 1;
                true
            }
            None => false,
        }
    }

    /// Adds the successors of a node, for the threads that partial-order reduction chooses.
    fn expand(&mut self, model: &mut Model, precision: &mut Precision, id: NodeId) -> Result<(), Unsupported> {
        let next = self.next_actions(model, precision, id)?;
        let (threads, data) = self.state(id);
        let chosen = match &mut self.source_sets {
            Some(sets) => sets.choose(model, precision, self.config.por(), (&threads, &data), &next),
            None => Chosen::default(),
        };
        let is_chosen = |slot: u32| chosen.threads.as_ref().is_none_or(|chosen| chosen.contains(&slot));
        for thread in next.iter().filter(|thread| is_chosen(thread.slot)) {
            self.explore(model, precision, id, thread);
        }
        let node = self.arg.node_mut(id);
        node.explored = chosen.threads;
        node.relied_on.union_with(&chosen.relied_on);
        let may_cover = self.may_cover(self.arg.node(id).threads);
        self.arg.expanded(id, may_cover.then_some(&data));
        Ok(())
    }

    /// Adds the successors of a node for the threads that were left out.
    fn expand_rest(&mut self, model: &mut Model, precision: &mut Precision, id: NodeId) -> Result<(), Unsupported> {
        let next = self.next_actions(model, precision, id)?;
        let explored = self.arg.node_mut(id).explored.take().unwrap_or_default();
        for thread in next.iter().filter(|thread| !explored.contains(&thread.slot)) {
            self.explore(model, precision, id, thread);
        }
        Ok(())
    }

    fn state(&self, id: NodeId) -> (Rc<Threads>, Rc<Data>) {
        let node = self.arg.node(id);
        (self.states.threads.shared(node.threads), self.states.data.shared(node.data))
    }

    /// The actions at the locations of the threads that are allowed to step.
    fn next_actions(
        &mut self,
        model: &mut Model,
        precision: &mut Precision,
        id: NodeId,
    ) -> Result<Vec<ThreadActions>, Unsupported> {
        let (threads, data) = self.state(id);
        let mut next = Vec::new();
        for (slot, _, _) in threads.movable() {
            let actions = model.actions_of(&threads, slot, &|var| data.values.get(var))?;
            self.initially.variables(model, precision);
            let mut thread = ThreadActions { slot, actions: Vec::new(), all: 0, havocs: 0, removed: 0 };
            for &action in actions.iter() {
                let statements = &model.action(action).statements;
                thread.all += statements.len() as u64;
                let Some(dcoi) = &mut self.dcoi else {
                    thread.actions.push((action, statements.clone()));
                    continue;
                };
                let simplified = dcoi.simplify(model, precision, &threads, action);
                thread.havocs += u64::from(simplified.havocs);
                thread.removed += u64::from(simplified.removed);
                self.arg.node_mut(id).relied_on.union_with(&simplified.relied_on);
                thread.actions.push((action, simplified.statements.clone()));
            }
            next.push(thread);
        }
        Ok(next)
    }

    /// Adds the successors of a node by the actions of one thread.
    fn explore(&mut self, model: &mut Model, precision: &mut Precision, id: NodeId, next: &ThreadActions) {
        let (threads, data) = self.state(id);
        let node = self.arg.node(id);
        let (threads_id, data_id, was_astray) = (node.threads, node.data, node.is_astray);
        self.stats.statements += next.all;
        self.stats.havocs += next.havocs;
        self.stats.removed += next.removed;
        for (action, statements) in &next.actions {
            self.stats.explored_actions += 1;
            let after_id = self.step(model, precision, threads_id, *action);
            let after = self.states.threads.shared(after_id);
            let transition = Transition {
                action: *action,
                statements,
                threads: &threads,
                values: &data.values,
                cubes: &data.cubes,
                after: &after,
            };
            let next = domains::successors(&mut self.abstraction(model, precision), transition);
            let goal = model.action(*action).goal;
            for Successor { locks, data } in next {
                let mut threads = after_id;
                if !locks.is_empty() {
                    let mut locked = (*after).clone();
                    locks.into_iter().for_each(|(var, value)| locked.set_lock(var, value));
                    threads = self.states.threads.intern(locked);
                }
                let data = data.map_or(data_id, |data| self.states.data.intern(data));
                let child = self.arg.add(threads, data, precision.version, Some((id, *action)));
                let is_astray = was_astray || model.action(*action).goes_astray;
                self.arg.node_mut(child).is_astray = is_astray;
                if goal == Goal::None {
                    self.wait(child);
                } else {
                    self.arg.node_mut(child).status = Status::Target;
                    if is_astray { &mut self.targets_astray } else { &mut self.targets }.push(child);
                }
            }
        }
    }

    /// Where the threads are after an action, with the locks as they were.
    fn step(&mut self, model: &mut Model, precision: &mut Precision, from: u32, action: ActionId) -> u32 {
        if let Some(known) = self.steps.get(&(from, action)) {
            return *known;
        }
        let threads = self.states.threads.shared(from);
        let after = model.step(&threads, action);
        for slot in threads.threads.len()..after.threads.len() {
            self.initially.thread(model, self.config, precision, slot as u32, after.threads[slot].proc);
        }
        let after = self.states.threads.intern(after);
        self.steps.insert((from, action), after);
        after
    }

    /// The threads that are put off along a cycle of the complete graph (Theorem 2, condition 2) are explored. Returns whether there were any.
    fn keep_cycle_condition(&mut self, model: &mut Model, precision: &mut Precision) -> Result<bool, Unsupported> {
        if self.source_sets.is_none() {
            return Ok(false);
        }
        let offenders = cycle_condition::offenders(&self.arg, &self.states);
        for &node in &offenders {
            self.expand_rest(model, precision, node)?;
        }
        Ok(!offenders.is_empty())
    }

    /// Takes out what is below a node, which will be expanded again.
    pub fn prune(&mut self, node: NodeId) {
        let waiting = self.arg.prune(node);
        waiting.into_iter().for_each(|node| self.wait(node));
    }

    /// From now on, evaluates statements as they are. Returns whether that makes a difference.
    pub fn give_up_dcoi(&mut self) -> bool {
        self.dcoi.take().is_some() && self.stats.havocs > 0
    }

    /// Expands again the nodes that relied on variables that nothing mentioned, if something does now.
    pub fn mentioned(&mut self, model: &Model, vars: impl Iterator<Item = usize>) {
        let mut new = FixedBitSet::new();
        for var in vars {
            new.grow_and_insert(var);
            if let Some(dcoi) = &self.dcoi {
                new.grow_and_insert(dcoi.of_code(model, VarId(var as u32)).index());
            }
        }
        // Parents come before their children.
        for id in (0..self.arg.nodes.len() as u32).map(NodeId) {
            let node = self.arg.node(id);
            if node.status == Status::Expanded && !node.relied_on.is_disjoint(&new) {
                self.prune(id);
            }
        }
    }

    /// Looks again at a node that was given up, if it is still there.
    pub fn revisit(&mut self, node: NodeId) {
        if self.arg.node(node).status != Status::Removed
            && let Some((parent, _)) = self.arg.node(node).parent
        {
            self.prune(parent);
        }
    }
}

fn meetings(proc: &Procedure) -> FixedBitSet {
    let mut ways = vec![0u32; proc.locations.len()];
    ways[proc.entry.index()] = 1;
    proc.edges.iter().for_each(|edge| ways[edge.target.index()] += 1);
    ways.iter().enumerate().filter(|(_, ways)| **ways > 1).map(|(location, _)| location).collect()
}
