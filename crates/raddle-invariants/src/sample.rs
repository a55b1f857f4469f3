//! Random executions of a System, for guesses: what variables were seen to be where. Nothing sound rests on them.
//!
//! A few threads are followed at a time. Others that are started never get a turn, and nobody waits for them: the executions need not be ones of the program, only like them.

use crate::system::{At, MOVER, NEW, OTHER, Step, System, Target};
use crate::terms::Terms;
use raddle_ir::eval::{eval, mask};
use raddle_ir::{ArrayValue, ExprId, ProcId, Sort, Value, VarId};
use raddle_model::instances::Origin;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;

/// So many threads are followed at a time.
const MOST_THREADS: usize = 4;
/// So many different rows are kept of a place.
const MOST_ROWS: usize = 64;
/// So many states are kept of a place.
const MOST_STATES: usize = 32;

/// So many executions have the same favourite inputs.
const SAME_INPUTS: usize = 8;
/// So many addresses of locks are remembered.
const MOST_ADDRESSES: usize = 64;

/// The values of terms, in their order.
pub type Row = Vec<u128>;

/// What was seen: rows of the shared terms, and of the shared and own terms of threads by their places.
#[derive(Default)]
pub struct Samples {
    pub shared: Rows,
    pub at: FxHashMap<At, Rows>,
    pub together: FxHashMap<(At, At), Rows>,
    /// Whole states, as a thread at a place sees them; and any.
    pub states: FxHashMap<Option<At>, Vec<State>>,
    /// How often a state might have been kept.
    pub looked: usize,
    /// The computed addresses of locks that were operated on.
    pub addresses: BTreeSet<u64>,
    /// An execution came to a violation of the property.
    pub violated: bool,
}

/// The values of variables that were read or written so far: shared ones, and those of a thread by the variables of slot `MOVER`.
pub struct State {
    pub shared: FxHashMap<VarId, Value>,
    pub own: FxHashMap<VarId, Value>,
}

/// Different rows.
#[derive(Default)]
pub struct Rows {
    pub all: Vec<Row>,
    known: FxHashSet<Row>,
}

impl Rows {
    fn add(&mut self, row: impl FnOnce() -> Row, random: &mut Random) {
        // A place that was seen often enough is looked at now and then only.
        if self.all.len() >= MOST_ROWS && random.below(64) != 0 {
            return;
        }
        let row = row();
        if self.known.contains(&row) {
            return;
        }
        self.known.insert(row.clone());
        if self.all.len() < 4 * MOST_ROWS {
            self.all.push(row);
        } else {
            let at = random.below(self.all.len() as u64) as usize;
            self.all[at] = row;
        }
    }
}

/// Marsaglia's xorshift: the same guesses in every run.
pub struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n.max(1)
    }
}

struct Thread {
    at: At,
    /// An activation: how it was called.
    called: Option<Called>,
    /// By the variables of slot `MOVER`.
    own: FxHashMap<VarId, Value>,
}

/// How an activation was called: the step with which its caller goes on, and the procedure with its arguments and the shared terms.
#[derive(Clone)]
struct Called {
    back: usize,
    key: Key,
}

type Key = (ProcId, Vec<(VarId, Value)>, Row);

/// Activations that have ended: their own variables, and the shared ones that they may have changed. The same call may end in the same way without being followed again.
type Finished = FxHashMap<Key, (FxHashMap<VarId, Value>, Vec<(VarId, Value)>)>;

struct Run<'a, 'p> {
    system: &'a System<'p>,
    terms: &'a Terms,
    steps: &'a FxHashMap<At, Vec<usize>>,
    constants: &'a FxHashMap<u8, Vec<u128>>,
    random: &'a mut Random,
    shared: FxHashMap<VarId, Value>,
    threads: Vec<Thread>,
    handles: u128,
    /// If inputs are to repeat, they are often one of these.
    repeats: bool,
    favourites: [u128; 3],
    /// Somebody went on who waits for a thread that is not followed: what comes after need not be possible.
    doubtful: bool,
    /// Places of loops that start threads.
    starting: &'a FxHashSet<At>,
    /// The variables of the activation that has just ended.
    returned: FxHashMap<VarId, Value>,
    finished: &'a mut Finished,
}

/// How one execution takes turns: the most steps, and how long a thread goes on at a time.
const TEMPERS: [(u32, u64); 4] = [(150, 1), (200, 6), (400, 100), (200, 20)];
/// The most steps of one execution where calls are steps.
const LENGTHS: [u32; 4] = [150, 600, 300, 2000];
/// So deep calls are followed.
const MOST_DEPTH: usize = 48;

/// Executions of so many steps in all, or until somebody says stop; what they saw is added to what was seen before. If inputs are to repeat, threads come upon the same places more
/// often: that is so in any case where one lock stands for all.
pub fn sample(
    system: &System,
    initial: &[ExprId],
    terms: &Terms,
    most_steps: u32,
    repeats: bool,
    stop: &dyn Fn() -> bool,
    samples: &mut Samples,
) {
    let mut steps: FxHashMap<At, Vec<usize>> = FxHashMap::default();
    for (i, step) in system.steps.iter().enumerate() {
        steps.entry(step.source).or_default().push(i);
    }
    let constants = constants(system);
    let starting = starting(system);
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ u64::from(most_steps));
    let mut finished = Finished::default();
    let mut taken = 0;
    let mut favourites = [0; 3];
    // The addresses of locks that these inputs lead to.
    let mut recent: BTreeSet<u64> = BTreeSet::new();
    for run in 0.. {
        if taken >= most_steps || stop() || samples.violated {
            break;
        }
        let (mut most, burst) = TEMPERS[run % TEMPERS.len()];
        if system.calls.is_some() {
            most = LENGTHS[run % LENGTHS.len()];
        }
        if run % SAME_INPUTS == 0 {
            favourites = [16, 16, u64::MAX].map(|most| random.below(most).into());
            recent.clear();
        }
        let mut run = Run {
            system,
            terms,
            steps: &steps,
            constants: &constants,
            random: &mut random,
            shared: FxHashMap::default(),
            threads: Vec::new(),
            handles: 0,
            repeats: repeats || terms.any.is_some(),
            favourites,
            doubtful: false,
            starting: &starting,
            returned: FxHashMap::default(),
            finished: &mut finished,
        };
        run.begin(initial, if recent.is_empty() { &samples.addresses } else { &recent });
        let known = std::mem::take(&mut samples.addresses);
        taken += 10 + run.go(most.min(most_steps - taken), burst, samples, stop);
        recent.extend(&samples.addresses);
        let room = MOST_ADDRESSES.saturating_sub(known.len());
        samples.addresses = known.into_iter().chain(recent.iter().copied().take(room)).collect();
    }
}

/// The places on a cycle with a step that starts a thread.
fn starting(system: &System) -> FxHashSet<At> {
    let mut next: FxHashMap<At, Vec<At>> = FxHashMap::default();
    for step in &system.steps {
        if let Target::At(to) = step.target {
            next.entry(step.source).or_default().push(to);
        }
    }
    let reached = |from: At| {
        let (mut seen, mut open) = (FxHashSet::from_iter([from]), vec![from]);
        while let Some(at) = open.pop() {
            open.extend(next.get(&at).into_iter().flatten().filter(|to| seen.insert(**to)));
        }
        seen
    };
    let mut all = FxHashSet::default();
    for step in system.steps.iter().filter(|step| step.starts.is_some() && system.calls.is_none()) {
        if let Target::At(to) = step.target {
            let from_it = reached(to);
            if from_it.contains(&step.source) {
                all.extend(from_it.iter().copied().filter(|at| reached(*at).contains(&step.source)));
            }
        }
    }
    all
}

/// The constants of the program, by width.
fn constants(system: &System) -> FxHashMap<u8, Vec<u128>> {
    let mut all: FxHashMap<u8, Vec<u128>> = FxHashMap::default();
    for c in system.program.pool.nodes().filter_map(|(id, _, _)| system.program.pool.as_const(id)) {
        if let Sort::Bits(width) = c.sort {
            let known = all.entry(width).or_default();
            for bits in [c.bits, c.bits.wrapping_add(1) & mask(width), c.bits.wrapping_sub(1) & mask(width)] {
                if !known.contains(&bits) && known.len() < 40 {
                    known.push(bits);
                }
            }
        }
    }
    all
}

impl Run<'_, '_> {
    /// The first thread, and the values that equations about the beginning state.
    fn begin(&mut self, initial: &[ExprId], addresses: &BTreeSet<u64>) {
        if let Some(any) = self.terms.any
            && let Some(address) = addresses.iter().nth(self.random.below(addresses.len() as u64) as usize)
        {
            self.shared.insert(any, Value::Bits((*address).into()));
        }
        let entry = self.system.entry(self.system.program.entry);
        self.threads.push(Thread { at: entry, called: None, own: FxHashMap::default() });
        for &fact in initial {
            let pool = &self.system.pool;
            let (var, value) = match pool.get(fact) {
                raddle_ir::Expr::Binary(raddle_ir::BinOp::Eq, a, b) => match (pool.get(a), pool.get(b)) {
                    (raddle_ir::Expr::Var(var), _) => (var, b),
                    (_, raddle_ir::Expr::Var(var)) => (var, a),
                    _ => continue,
                },
                raddle_ir::Expr::Var(var) => {
                    self.write(0, var, Value::Bits(1));
                    continue;
                }
                _ => continue,
            };
            let value = self.value(0, value);
            self.write(0, var, value);
        }
    }

    fn any(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Array { element, .. } => {
                let element = self.any(Sort::Bits(element)).bits();
                Value::Array(Arc::new(ArrayValue::constant(element)))
            }
            Sort::Bool => Value::Bits(self.random.below(2).into()),
            sort => {
                let width = sort.bits().unwrap_or(1);
                let bits = match self.random.below(if self.repeats { 13 } else { 10 }) {
                    10.. => self.favourites[self.random.below(3) as usize],
                    0..=3 => self.random.below(12).into(),
                    4..=7 => match self.constants.get(&width) {
                        Some(known) => known[self.random.below(known.len() as u64) as usize],
                        None => self.random.below(3).into(),
                    },
                    8 => u128::from(self.random.below(8)).wrapping_neg(),
                    _ => u128::from(self.random.below(u64::MAX)) << 64 | u128::from(self.random.below(u64::MAX)),
                };
                Value::Bits(bits & mask(width))
            }
        }
    }

    /// The value of a variable; whatever was never written becomes something now.
    fn read(&mut self, thread: usize, var: VarId, choices: &mut FxHashMap<VarId, Value>) -> Value {
        let vars = &self.system.vars;
        let is_own = match vars.origin(var) {
            Origin::Version { var: of, number } if number != u32::MAX => {
                if let Some(known) = choices.get(&var) {
                    return known.clone();
                }
                let value = match vars.origin(of) {
                    Origin::Handle(_) => Value::Bits(self.handles + 1),
                    _ => self.any(vars.sort(var)),
                };
                choices.insert(var, value.clone());
                return value;
            }
            Origin::Instance { slot: OTHER, var: of } if self.system.calls.is_some() => {
                let own = vars.existing(self.system.program, MOVER, of).unwrap_or(var);
                return match self.returned.get(&own) {
                    Some(known) => known.clone(),
                    None => {
                        let value = self.any(vars.sort(var));
                        self.returned.insert(own, value.clone());
                        value
                    }
                };
            }
            Origin::Handle(OTHER | 2) => return Value::Bits(u128::MAX),
            Origin::Instance { slot, .. }
            | Origin::Held { slot, .. }
            | Origin::HeldShared { slot, .. }
            | Origin::Handle(slot) => slot == MOVER,
            _ => false,
        };
        let known = if is_own { self.threads[thread].own.get(&var) } else { self.shared.get(&var) };
        if let Some(known) = known {
            return known.clone();
        }
        let value = match vars.initial(var) {
            Some(initial) => Value::Bits(initial.bits),
            None => self.any(vars.sort(var)),
        };
        let all = if is_own { &mut self.threads[thread].own } else { &mut self.shared };
        all.insert(var, value.clone());
        value
    }

    fn write(&mut self, thread: usize, var: VarId, value: Value) {
        match self.system.vars.origin(var) {
            Origin::Instance { slot: MOVER, .. }
            | Origin::Held { slot: MOVER, .. }
            | Origin::HeldShared { slot: MOVER, .. }
            | Origin::Handle(MOVER) => {
                self.threads[thread].own.insert(var, value);
            }
            Origin::Instance { .. } | Origin::Held { .. } | Origin::HeldShared { .. } | Origin::Handle(_) => {}
            _ => {
                self.shared.insert(var, value);
            }
        }
    }

    fn value(&mut self, thread: usize, expr: ExprId) -> Value {
        self.value_with(thread, expr, &mut FxHashMap::default())
    }

    fn value_with(&mut self, thread: usize, expr: ExprId, choices: &mut FxHashMap<VarId, Value>) -> Value {
        let system = self.system;
        let Ok(value) = eval::<Infallible>(&system.pool, expr, &mut |var| Ok(self.read(thread, var, choices)));
        value
    }

    /// Takes steps until none can be taken, or so many.
    fn go(&mut self, most: u32, burst: u64, samples: &mut Samples, stop: &dyn Fn() -> bool) -> u32 {
        self.record(0, samples);
        let (mut thread, mut left) = (0, burst);
        let is_stack = self.system.calls.is_some();
        let mut idle = 0;
        for taken in 0..most {
            if taken % 256 == 255 && stop() {
                return taken;
            }
            left = left.saturating_sub(1);
            if is_stack {
                (thread, left) = (self.threads.len() - 1, 2);
            }
            let mut went = left > 0 && self.step(thread, samples);
            if !went && !is_stack {
                thread = self.random.below(self.threads.len() as u64) as usize;
                left = 1 + self.random.below(burst);
                went = self.step(thread, samples);
            }
            idle = if went { 0 } else { idle + 1 };
            if self.threads.is_empty() || idle > 24 || samples.violated {
                return taken;
            }
            if went {
                thread = if is_stack { self.threads.len() - 1 } else { thread.min(self.threads.len() - 1) };
                self.record(thread, samples);
                while self.come_back() {
                    self.record(self.threads.len() - 1, samples);
                }
                // What follows a call may have no model.
                if self.threads.is_empty() {
                    return taken;
                }
            }
        }
        most
    }

    /// A step of a thread, if one can be taken.
    fn step(&mut self, thread: usize, samples: &mut Samples) -> bool {
        let at = self.threads[thread].at;
        let Some(steps) = self.steps.get(&at) else { return false };
        let first = self.random.below(steps.len() as u64) as usize;
        for i in 0..steps.len() {
            let index = steps[(first + i) % steps.len()];
            let step = &self.system.steps[index];
            if step.returns.is_some() {
                continue;
            }
            // Where a thread may end the program, it waits most of the time: the others have a turn.
            let has_others = self.threads.len() > 1 && self.system.calls.is_none();
            if step.target == Target::End && has_others && self.random.below(16) != 0 {
                continue;
            }
            let mut choices = FxHashMap::default();
            if self.value_with(thread, step.cond, &mut choices).bits() == 0
                && !(self.starting.contains(&at) && self.random.below(4) == 0 && self.leap(thread, step, &mut choices))
            {
                continue;
            }
            let waits = step.joins.iter().any(|handle| {
                let handle = self.value_with(thread, *handle, &mut choices);
                let handles = self.terms.handle;
                let is_known = self.threads.iter().any(|other| other.own.get(&handles) == Some(&handle));
                self.doubtful |= !is_known;
                (self.threads.iter())
                    .any(|other| other.own.get(&handles) == Some(&handle) && !self.system.is_end(other.at))
            });
            if waits {
                continue;
            }
            let after: Vec<(VarId, Value)> =
                step.after.iter().map(|(var, value)| (*var, self.value_with(thread, *value, &mut choices))).collect();
            for lock in &step.locks {
                if samples.addresses.len() < MOST_ADDRESSES {
                    samples.addresses.insert(self.value_with(thread, *lock, &mut choices).bits() as u64);
                }
            }
            if let Some(proc) = step.starts.filter(|_| self.system.calls.is_some()) {
                self.call(proc, index + 1, after);
                return true;
            }
            let mut new = None;
            if let Some(proc) = step.starts {
                self.handles += 1;
                let ended = self.threads.iter().position(|thread| self.system.is_end(thread.at));
                if self.threads.len() >= MOST_THREADS
                    && let Some(ended) = ended
                    && ended > thread
                {
                    self.threads.remove(ended);
                }
                // One that is started once is followed in any case.
                let most = if self.starting.contains(&at) { MOST_THREADS } else { 2 * MOST_THREADS };
                if self.threads.len() < most {
                    let entry = self.system.entry(proc);
                    let mut own = FxHashMap::default();
                    own.insert(self.terms.handle, Value::Bits(self.handles));
                    new = Some(Thread { at: entry, called: None, own });
                }
            }
            for (var, value) in after {
                match self.system.vars.origin(var) {
                    Origin::Instance { slot: NEW, var } => {
                        if let (Some(new), Some(id)) =
                            (&mut new, self.system.vars.existing(self.system.program, MOVER, var))
                        {
                            new.own.insert(id, value);
                        }
                    }
                    Origin::Held { slot: OTHER, address } => self.reset(thread, Origin::Held { slot: MOVER, address }),
                    _ => self.write(thread, var, value),
                }
            }
            self.threads.extend(new);
            match step.target {
                Target::At(at) => self.threads[thread].at = at,
                Target::End => self.threads.clear(),
                // Where one lock stands for all, the others keep nobody out.
                Target::Error => {
                    samples.violated |= self.terms.any.is_none() && !self.doubtful;
                    self.threads.clear();
                }
                Target::CutOff => self.threads.clear(),
            }
            return true;
        }
        false
    }

    /// A call. What ended in some way before may end so again.
    fn call(&mut self, proc: ProcId, back: usize, after: Vec<(VarId, Value)>) {
        let vars = &self.system.vars;
        let args: Vec<(VarId, Value)> = (after.into_iter())
            .filter_map(|(var, value)| match vars.origin(var) {
                Origin::Instance { slot: NEW, var } => Some((vars.existing(self.system.program, MOVER, var)?, value)),
                _ => None,
            })
            .collect();
        let shared = self.row(self.threads.len() - 1, &self.terms.shared);
        let key = (proc, args.clone(), shared);
        if let Some((own, globals)) = self.finished.get(&key).cloned()
            && self.random.below(8) != 0
        {
            self.shared.extend(globals);
            self.go_on(back, own);
        } else if self.threads.len() > MOST_DEPTH {
            self.threads.clear();
        } else {
            let called = Some(Called { back, key });
            self.threads.push(Thread { at: self.system.entry(proc), called, own: args.into_iter().collect() });
        }
    }

    /// The last activation has ended: its caller goes on. False if it has not.
    fn come_back(&mut self) -> bool {
        let Some(last) = self.threads.pop_if(|last| last.called.is_some() && self.system.is_end(last.at)) else {
            return false;
        };
        let Some(Called { back, key }) = last.called else { return false };
        let returned = self.system.steps[back].returns.iter().flat_map(|returned| &returned.globals);
        let globals =
            returned.filter_map(|(global, _)| self.shared.get(global).map(|value| (*global, value.clone()))).collect();
        self.finished.insert(key, (last.own.clone(), globals));
        self.go_on(back, last.own);
        !self.threads.is_empty()
    }

    /// The caller goes on after a call.
    fn go_on(&mut self, back: usize, own: FxHashMap<VarId, Value>) {
        self.returned = own;
        let (step, caller) = (&self.system.steps[back], self.threads.len() - 1);
        let mut choices = FxHashMap::default();
        let mut results = Vec::new();
        for (&var, &value) in &step.after {
            if matches!(self.system.vars.origin(var), Origin::Instance { slot: MOVER, .. }) {
                results.push((var, self.value_with(caller, value, &mut choices)));
            }
        }
        results.into_iter().for_each(|(var, value)| self.write(caller, var, value));
        match step.target {
            Target::At(at) => self.threads[caller].at = at,
            _ => self.threads.clear(),
        }
    }

    /// Thousands of threads are started in a loop, of which few are followed: now and then its counter leaps to where the loop ends.
    fn leap(&mut self, thread: usize, step: &Step, choices: &mut FxHashMap<VarId, Value>) -> bool {
        if matches!(step.target, Target::At(to) if self.starting.contains(&to)) {
            return false;
        }
        let vars = self.system.pool.vars(step.cond);
        let own = |var: &VarId| matches!(self.system.vars.origin(*var), Origin::Instance { slot: MOVER, .. });
        for var in vars.into_iter().filter(own) {
            let before = self.read(thread, var, choices);
            let width = self.system.vars.sort(var).bits().unwrap_or(1);
            for value in self.constants.get(&width).cloned().unwrap_or_default() {
                self.write(thread, var, Value::Bits(value));
                if self.value_with(thread, step.cond, choices).bits() != 0 {
                    return true;
                }
            }
            self.write(thread, var, before);
        }
        false
    }

    /// All threads but one lose what they hold of a lock.
    fn reset(&mut self, but: usize, held: Origin) {
        for (_, thread) in self.threads.iter_mut().enumerate().filter(|(i, _)| *i != but) {
            thread.own.retain(|var, _| self.system.vars.origin(*var) != held);
        }
    }

    fn record(&mut self, mover: usize, samples: &mut Samples) {
        if self.threads.is_empty() {
            return;
        }
        let terms = self.terms;
        let mut shared = None;
        for i in 0..self.threads.len() {
            let at = self.threads[i].at;
            // Callers that wait are not looked at.
            if i != mover && self.system.calls.is_some() {
                continue;
            }
            // Those that did not move see what changed.
            if self.system.is_alone(at) || i != mover && self.random.below(3) == 0 {
                continue;
            }
            self.keep(Some(at), i, samples);
            self.keep(None, i, samples);
            let mut random = Random(self.random.below(u64::MAX) | 1);
            samples.at.entry(at).or_default().add(
                || {
                    let mut row = self.row(i, &terms.shared);
                    shared = Some(row.clone());
                    row.extend(self.row(i, terms.own(at)));
                    row
                },
                &mut random,
            );
            for j in 0..self.threads.len() {
                let other = self.threads[j].at;
                if i == j || at > other || self.system.calls.is_some() {
                    continue;
                }
                samples.together.entry((at, other)).or_default().add(
                    || {
                        let mut row = self.row(i, &terms.shared);
                        row.extend(self.row(i, terms.own(at)));
                        row.extend(self.row(j, terms.own(other)));
                        row
                    },
                    &mut random,
                );
            }
        }
        if let Some(shared) = shared {
            samples.shared.add(|| shared, self.random);
        }
    }

    /// Keeps the whole state: the first ones, and others now and then.
    fn keep(&mut self, about: Option<At>, thread: usize, samples: &mut Samples) {
        let kept = samples.states.entry(about).or_default();
        samples.looked += 1;
        let at = match kept.len() {
            0..MOST_STATES => kept.len(),
            _ if samples.looked.is_multiple_of(61) => samples.looked / 61 % MOST_STATES,
            _ => return,
        };
        let own = if about.is_some() { self.threads[thread].own.clone() } else { FxHashMap::default() };
        let state = State { shared: self.shared.clone(), own };
        if at < kept.len() {
            kept[at] = state;
        } else {
            kept.push(state);
        }
    }

    fn row(&mut self, thread: usize, terms: &[ExprId]) -> Row {
        terms.iter().map(|term| self.value(thread, *term).bits()).collect()
    }
}
