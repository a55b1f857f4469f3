//! Builds the abstract reachability graph until an error comes in sight or everything is covered (thesis 1, Algorithm 4.1).

use crate::arg::{Arg, NodeId, Status};
use crate::config::{CegarConfig, Search};
use crate::domain;
use crate::model::{ActionId, Goal, Model, Unsupported};
use crate::precision::Precision;
use crate::predicates::{self, Queries};
use crate::state::{Data, States};
use crate::values::Values;
use raddle_interp::StopReason;
use std::collections::VecDeque;

/// How building the graph ended.
pub enum Built {
    /// No error is in the graph, and it is complete.
    Complete,
    /// A node where the property seems violated.
    Target(NodeId),
    Stopped(StopReason),
    Unsupported(Unsupported),
}

#[derive(Clone, Debug, Default)]
pub struct AbstractorStats {
    pub explored_actions: u64,
    pub covered: u64,
}

pub struct Abstractor<'c> {
    pub config: &'c CegarConfig,
    pub states: States,
    pub arg: Arg,
    pub queries: Queries,
    pub waiting: VecDeque<NodeId>,
    pub stats: AbstractorStats,
}

impl<'c> Abstractor<'c> {
    pub fn new(config: &'c CegarConfig) -> Self {
        Abstractor {
            config,
            states: States::default(),
            arg: Arg::default(),
            queries: Queries::default(),
            waiting: VecDeque::new(),
            stats: AbstractorStats::default(),
        }
    }

    /// Begins a new graph.
    pub fn restart(&mut self, model: &mut Model, precision: &Precision) {
        self.arg = Arg::default();
        self.waiting.clear();
        let first = model.first();
        let mut values = Values::default();
        let mut tracked: Vec<_> = precision.explicit_vars().collect();
        tracked.sort_unstable();
        for var in tracked {
            if precision.tracks(var, &first) {
                values.set(var, model.vars.initial(var).map(|initial| initial.bits));
            }
        }
        let cube = predicates::initially(model, precision, &mut self.queries, &first);
        let threads = self.states.threads.intern(first);
        let data = self.states.data.intern(Data { values, cubes: vec![cube] });
        let root = self.arg.add(threads, data, precision.version, None);
        self.waiting.push_back(root);
    }

    /// Goes on until something is found or everything is done.
    pub fn build(&mut self, model: &mut Model, precision: &Precision, stop: &dyn Fn() -> Option<StopReason>) -> Built {
        let mut steps = 0u32;
        while let Some(node) = self.next() {
            steps += 1;
            if steps.is_multiple_of(64)
                && let Some(reason) = stop()
            {
                self.waiting.push_back(node);
                return Built::Stopped(reason);
            }
            if self.is_covered(node) {
                continue;
            }
            match self.expand(model, precision, node) {
                Ok(None) => {}
                Ok(Some(target)) => return Built::Target(target),
                Err(unsupported) => return Built::Unsupported(unsupported),
            }
        }
        Built::Complete
    }

    fn next(&mut self) -> Option<NodeId> {
        loop {
            let node = match self.config.search {
                Search::Bfs => self.waiting.pop_front(),
                Search::Dfs | Search::Err => self.waiting.pop_back(),
            }?;
            if self.arg.node(node).status == Status::Waiting {
                return Some(node);
            }
        }
    }

    /// Is there a node that stands for this one?
    fn is_covered(&mut self, id: NodeId) -> bool {
        let node = self.arg.node(id);
        let data = self.states.data.get(node.data);
        let by = self.arg.candidates(node.threads).iter().copied().find(|other| {
            let other = self.arg.node(*other).data;
            other == node.data || data.implies(self.states.data.get(other))
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

    /// Adds the successors of a node; returns one where the property seems violated.
    fn expand(&mut self, model: &mut Model, precision: &Precision, id: NodeId) -> Result<Option<NodeId>, Unsupported> {
        let node = self.arg.node(id);
        let threads = self.states.threads.shared(node.threads);
        let data = self.states.data.shared(node.data);
        let mut actions: Vec<ActionId> = Vec::new();
        for (slot, _, _) in threads.movable() {
            model.actions_of(&threads, slot, &|var| data.values.get(var), &mut actions)?;
        }
        let mut found = None;
        for action in actions {
            self.stats.explored_actions += 1;
            let after = model.step(&threads, action);
            let statements = model.action(action).statements.clone();
            let (queries, goal) = (&mut self.queries, model.action(action).goal);
            let from = (&*threads, &*data);
            let next = domain::successors(model, precision, self.config, queries, action, &statements, from, after);
            for (threads, data) in next {
                let threads = self.states.threads.intern(threads);
                let data = self.states.data.intern(data);
                let child = self.arg.add(threads, data, precision.version, Some((id, action)));
                if goal == Goal::None {
                    self.waiting.push_back(child);
                } else {
                    self.arg.node_mut(child).status = Status::Target;
                    found = found.or(Some(child));
                }
            }
        }
        self.arg.expanded(id);
        Ok(found)
    }

    /// Takes out what is below a node, which will be expanded again.
    pub fn prune(&mut self, node: NodeId) {
        let waiting = self.arg.prune(node);
        self.waiting.extend(waiting);
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
