//! A guess at what each computed address may mean.
//!
//! This is not points-to analysis (`raddle_analysis::points_to`), which must never miss an object and so follows every number that may hold part of an
//! address: it would let more steps depend on each other, where a guess that is checked at each access may follow pointers only. And the explorer is the oracle that
//! points-to analysis and the passes built on it are tested against.
//!
//! Flow-insensitive inclusion constraints: a variable points to the objects whose address constants flow into it. All memory is
//! one node, so is everything that crosses between threads by starting and joining. Integers and pointers are the same
//! thing here, so this is a guess (a pointer may be forged from numbers), and whoever relies on it must check each access
//! that really happens with [`AddressGuess::allows`] and start over without the guess when it was wrong. Such an access is met
//! even in a reduced exploration: up to the first one the guess holds, so the reduction is right so far, and the
//! access that breaks it is a matter of the thread's own locals and is executed sooner or later, like an error label.
//!
//! Exposed objects, whose addresses no constant tells, may be added to what each computed address means. Programs where an object is
//! exposed but in truth never reached that way are more, so the first guess is made without.

use raddle_interp::machine::code::{Code, LabelCode};
use raddle_interp::machine::memory::ObjectClass;
use raddle_interp::machine::state::Machine;
use raddle_ir::{Callee, Expr, ExprId, Label, ObjectInit, ObjectKind, Place, Program, Sort, Storage, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// An allocation label.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub label: u32,
    pub storage: Storage,
    pub proc: u32,
    /// May its address get to another thread?
    pub escapes: bool,
}

pub struct AddressGuess {
    pub sites: Vec<Site>,
    /// The number of the site that a label is.
    site_of_label: FxHashMap<u32, u32>,
    objects: u32,
    /// What labels with an address may touch: objects, then sites. Labels that may touch anything are absent.
    targets: FxHashMap<u32, Vec<u32>>,
    /// Labels whose address is computed.
    guesses: FxHashSet<u32>,
    /// Must accesses of the thread's own objects be those that are guessed, too?
    pub is_strict: bool,
}

/// What a value may point to, as far as the expression tells.
#[derive(Default, Clone)]
struct Flow {
    vars: Vec<VarId>,
    targets: Vec<u32>,
}

struct Constraints {
    edges: Vec<Vec<u32>>,
    sets: Vec<FxHashSet<u32>>,
}

impl Constraints {
    fn flow(&mut self, flow: &Flow, to: u32) {
        for var in &flow.vars {
            self.edges[var.index()].push(to);
        }
        self.sets[to as usize].extend(&flow.targets);
    }

    fn solve(&mut self) {
        let mut work: Vec<u32> = (0..self.sets.len() as u32).filter(|n| !self.sets[*n as usize].is_empty()).collect();
        while let Some(node) = work.pop() {
            let set = self.sets[node as usize].clone();
            for to in self.edges[node as usize].clone() {
                let target = &mut self.sets[to as usize];
                let before = target.len();
                target.extend(&set);
                if target.len() > before {
                    work.push(to);
                }
            }
        }
    }
}

fn flow_of(code: &Code, root: ExprId) -> Flow {
    let program = code.program;
    let mut flow = Flow::default();
    let mut seen = FxHashSet::default();
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        // Truth values point to nothing.
        if !seen.insert(id) || program.pool.sort(id) == Sort::Bool {
            continue;
        }
        match program.pool.get(id) {
            Expr::Const(c) => {
                if c.sort == program.pointer_sort()
                    && let Some((object, _)) = code.object_at(c.bits as u64, 0)
                {
                    flow.targets.push(object);
                }
            }
            Expr::Var(v) => flow.vars.push(v),
            expr => expr.for_each_operand(|c| work.push(c)),
        }
    }
    flow
}

/// Guesses; with exposed objects or without.
pub fn guess_addresses(code: &Code, with_exposed: bool) -> AddressGuess {
    let program = code.program;
    let vars = program.vars.len() as u32;
    let (memory, results, escaped) = (vars, vars + 1, vars + 2);
    let nodes = vars as usize + 3;
    let mut constraints = Constraints { edges: vec![Vec::new(); nodes], sets: vec![FxHashSet::default(); nodes] };
    let objects = program.objects.len() as u32;
    let mut result = AddressGuess {
        sites: Vec::new(),
        site_of_label: FxHashMap::default(),
        objects,
        targets: FxHashMap::default(),
        guesses: FxHashSet::default(),
        is_strict: false,
    };
    for object in &program.objects {
        if let ObjectKind::Data { init: ObjectInit::Bytes { pointers, .. }, .. } = &object.kind {
            constraints.sets[memory as usize].extend(pointers.iter().map(|p| p.1.0));
        }
    }
    let functions: Vec<u32> = code.functions.values().copied().collect();
    let callees = |callee: &Callee| match callee {
        Callee::Proc(p) => vec![p.0],
        Callee::Address(_) => functions.clone(),
    };
    let mut addresses: Vec<(u32, Flow)> = Vec::new();
    for_each_label(code, |proc, index, label| match label {
        Label::Assign { var, value } => constraints.flow(&flow_of(code, *value), var.0),
        Label::Load { var, place, .. } => {
            let from = match place {
                Place::Var(v) => v.0,
                Place::Memory(address) => {
                    addresses.push((index, flow_of(code, *address)));
                    memory
                }
            };
            if program.var(*var).sort == program.pointer_sort() {
                constraints.edges[from as usize].push(var.0);
            }
        }
        Label::Store { place, value, .. } => {
            let to = match place {
                Place::Var(v) => v.0,
                Place::Memory(address) => {
                    addresses.push((index, flow_of(code, *address)));
                    memory
                }
            };
            constraints.flow(&flow_of(code, *value), to);
        }
        Label::Alloc { var, storage, .. } => {
            let site = result.sites.len() as u32;
            result.sites.push(Site { label: index, storage: *storage, proc, escapes: false });
            result.site_of_label.insert(index, site);
            constraints.sets[var.index()].insert(objects + site);
        }
        Label::ObjectSize { address, .. } | Label::Valid { address, .. } | Label::Free { address, .. } => {
            addresses.push((index, flow_of(code, *address)))
        }
        Label::Lock { lock, .. } => addresses.push((index, flow_of(code, *lock))),
        Label::Start { callee, arg, .. } => {
            let flow = flow_of(code, *arg);
            constraints.flow(&flow, escaped);
            for callee in callees(callee) {
                let callee = &program.procs[callee as usize];
                if let Some(param) = callee.params.first() {
                    constraints.flow(&flow, param.0);
                }
                if let Some(r) = callee.result {
                    constraints.edges[r.index()].push(results);
                }
            }
        }
        Label::Join { var: Some(var), .. } => constraints.edges[results as usize].push(var.0),
        Label::ThreadExit { value } => constraints.flow(&flow_of(code, *value), results),
        Label::Call { callee, args, var, .. } => {
            let flows: Vec<Flow> = args.iter().map(|a| flow_of(code, *a)).collect();
            for callee in callees(callee) {
                let callee = &program.procs[callee as usize];
                for (param, flow) in callee.params.iter().zip(&flows) {
                    constraints.flow(flow, param.0);
                }
                if let (Some(var), Some(r)) = (var, callee.result) {
                    constraints.edges[r.index()].push(var.0);
                }
            }
        }
        _ => {}
    });
    constraints.solve();
    let shared = (0..nodes).filter(|n| match program.vars.get(*n) {
        Some(var) => matches!(var.kind, VarKind::Global(_)),
        None => true,
    });
    for node in shared {
        for target in &constraints.sets[node] {
            if let Some(site) = target.checked_sub(objects) {
                result.sites[site as usize].escapes = true;
            }
        }
    }
    for (label, flow) in addresses {
        if !flow.vars.is_empty() {
            result.guesses.insert(label);
        }
        let mut targets: Vec<u32> = flow.targets;
        targets.extend(flow.vars.iter().flat_map(|v| &constraints.sets[v.index()]));
        // A label without targets may touch anything already.
        if with_exposed && !flow.vars.is_empty() && !targets.is_empty() {
            targets.extend((0..).zip(&program.objects).filter(|(_, object)| object.exposed).map(|(i, _)| i));
        }
        targets.sort_unstable();
        targets.dedup();
        if !targets.is_empty() {
            result.targets.insert(label, targets);
        }
    }
    result
}

/// Calls `f` with the procedure, the compiled number and the label itself, for each label.
pub fn for_each_label<'p>(code: &Code<'p>, mut f: impl FnMut(u32, u32, &'p Label)) {
    let program: &'p Program = code.program;
    for edge in &code.edges {
        let labels = &program.procs[edge.proc as usize].edges[edge.id.index()].labels;
        for (i, label) in labels.iter().enumerate() {
            f(edge.proc, edge.first + i as u32, label);
        }
    }
}

impl AddressGuess {
    /// The objects and sites that a label may touch; `None`: anything.
    pub fn targets(&self, label: u32) -> Option<(impl Iterator<Item = u32>, impl Iterator<Item = u32>)> {
        let targets = self.targets.get(&label)?;
        let split = targets.partition_point(|t| *t < self.objects);
        Some((targets[..split].iter().copied(), targets[split..].iter().map(|t| t - self.objects)))
    }

    /// Is what is said of a label's address a guess?
    pub fn is_guess(&self, label: u32) -> bool {
        self.guesses.contains(&label)
    }

    pub fn site(&self, label: u32) -> Option<u32> {
        self.site_of_label.get(&label).copied()
    }

    /// Does what a thread's label touched (`None`: no live object) agree with the guess?
    pub fn allows(
        &self,
        code: &Code,
        machine: &Machine,
        thread: u32,
        label: u32,
        object: Option<u32>,
        address: u64,
    ) -> bool {
        let Some(object) = object else {
            // Locks need no object around them, but then the label must be one that may touch anything.
            if matches!(code.labels[label as usize], LabelCode::Lock { .. }) {
                return !self.targets.contains_key(&label);
            }
            // Static objects live for ever; a dynamic one may be gone just because of the order of steps.
            return machine.memory.owner_of_address(address).is_none();
        };
        let o = &machine.memory.objects[object as usize];
        let target = if o.class == ObjectClass::Static {
            object
        } else {
            let Some(site) = self.site(o.site) else { return false };
            if !self.sites[site as usize].escapes && o.owner != thread {
                return false;
            }
            if !self.sites[site as usize].escapes && !self.is_strict {
                return true;
            }
            self.objects + site
        };
        self.targets.get(&label).is_none_or(|t| t.binary_search(&target).is_ok())
    }
}
