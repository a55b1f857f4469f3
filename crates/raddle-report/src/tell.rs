//! From an execution to a story: events of one statement become a step, with the names and values that the source has.

use crate::deadlock::{Deadlock, Told};
use crate::names::{Names, Piece};
use crate::races::{Race, race};
use crate::slice::slice;
use crate::story::{Access, AccessKind, Cell as StoryCell, Input, Place, Step, Story, Thread};
use raddle_interp::execution::{Cell, Event, EventId, Execution, What};
use raddle_ir::{HavocReason, LocId, LockOp, MemoryModel, ObjectId, Program, Shapes, Span, Storage, VarId, Violation};
use rustc_hash::{FxHashMap, FxHashSet};

/// The lines of the sources.
pub trait Lines {
    /// The line of the user's file at a place.
    fn line(&self, span: Span) -> Option<String>;
    /// The column of a place in that line, from 1; 0 where macros hide it.
    fn column(&self, span: Span) -> u32;
}

/// Tells an execution that ends with a violation.
pub fn tell(program: &Program, shapes: &Shapes, execution: &Execution, lines: &dyn Lines) -> Story {
    let names = Names::new(program, shapes, execution);
    let deadlock = Deadlock::of(program, execution);
    let mut needed = slice(program, execution);
    let waits = deadlock.waits.iter().map(|wait| wait.event);
    { waits }.chain(deadlock.acquisitions()).for_each(|event| needed[event as usize] = true);
    let mut telling = Telling {
        names,
        execution,
        lines,
        deadlock,
        needed,
        steps: Vec::new(),
        step_of: vec![0; execution.events.len()],
        inputs: Vec::new(),
        held: vec![Vec::new(); execution.threads.len()],
        open: None,
        pieces: FxHashMap::default(),
        race: None,
    };
    telling.race = race(&telling.names, execution);
    for event in 0..execution.events.len() as EventId {
        telling.event(event);
    }
    telling.story()
}

/// What the step under way has: where it is, and the branches that it took.
struct Open {
    thread: u32,
    depth: u32,
    span: Span,
    branches: FxHashSet<LocId>,
}

struct Telling<'a> {
    names: Names<'a>,
    execution: &'a Execution,
    lines: &'a dyn Lines,
    deadlock: Deadlock,
    needed: Vec<bool>,
    steps: Vec<Step>,
    /// The number of the step that an event belongs to; 0: none.
    step_of: Vec<usize>,
    inputs: Vec<Input>,
    /// The locks that each thread holds.
    held: Vec<Vec<String>>,
    open: Option<Open>,
    /// The bytes of larger parts that a step has touched: by step, whether they were written, object and where the part begins.
    pieces: FxHashMap<(usize, bool, u32, u64), (u128, u32)>,
    /// The race that it ends with.
    race: Option<Race>,
}

impl Telling<'_> {
    fn place(&self, span: Span) -> Place {
        let file = self.names.program.files.get(span.file.0 as usize).filter(|_| !span.is_none());
        Place { file: file.cloned().unwrap_or_default(), line: span.line, column: self.lines.column(span) }
    }

    /// The step that an event belongs to.
    fn step(&mut self, id: EventId) -> &mut Step {
        let known = self.step_of[id as usize];
        if known > 0 {
            return &mut self.steps[known - 1];
        }
        let event = &self.execution.events[id as usize];
        let (thread, depth, span) = (event.thread, event.depth, event.span);
        let branch = match event.what {
            What::Branch { at } if !event.in_library => Some(at),
            _ => None,
        };
        let goes_on = self.open.as_mut().is_some_and(|open| {
            (open.thread, open.depth, open.span.file, open.span.line) == (thread, depth, span.file, span.line)
                && branch.is_none_or(|at| open.branches.insert(at))
        });
        if !goes_on {
            let branches = branch.into_iter().collect();
            self.open = Some(Open { thread, depth, span, branches });
            let step = Step {
                thread,
                function: self.names.program.proc(event.proc).name.clone(),
                place: self.place(span),
                source: self.lines.line(span).unwrap_or_default().trim().to_owned(),
                needed: false,
                locks: Vec::new(),
                accesses: Vec::new(),
                notes: Vec::new(),
            };
            self.steps.push(step);
        }
        let number = self.steps.len();
        self.step_of[id as usize] = number;
        let locks = self.held[thread as usize].clone();
        let needed = self.needed[id as usize];
        let step = &mut self.steps[number - 1];
        step.needed |= needed;
        step.locks = locks;
        step
    }

    fn note(&mut self, id: EventId, note: String) {
        let step = self.step(id);
        if step.notes.last() != Some(&note) {
            step.notes.push(note);
        }
    }

    fn access(&mut self, id: EventId, access: Access) {
        let step = self.step(id);
        if step.accesses.last() != Some(&access) {
            step.accesses.push(access);
        }
    }

    /// A local variable of the user's has a value.
    fn local(&mut self, id: EventId, kind: AccessKind, var: VarId, value: Option<u128>, from: Option<EventId>) {
        if self.names.is_users(var) && !self.execution.events[id as usize].in_library {
            let name = self.names.program.var(var).name.clone();
            let value = self.names.local(var, value, self.names.seen_from(id, from.unwrap_or(id)));
            let from = from.map(|event| self.step_of[event as usize]).filter(|step| *step > 0);
            self.access(
                id,
                Access { kind, name, value, from, initial: false, cell: None, needed: self.needed[id as usize] },
            );
        } else {
            self.step(id);
        }
    }

    fn memory(
        &mut self,
        id: EventId,
        kind: AccessKind,
        (cell, is_float): (Cell, bool),
        value: Option<u128>,
        from: Option<EventId>,
    ) {
        let named = self.names.cell(cell, is_float);
        // What models of the library keep for themselves is of no interest; threads that wait for a condition are kept in its first word.
        if self.is_librarys(cell) || named.name.contains(".__data.__wseq") {
            self.step(id);
            return;
        }
        if let (Some(piece), Some(value), Cell::Bytes { object, offset, size }) = (&named.piece, value, cell) {
            return self.piece(id, kind, (object, offset, size), piece, value, from);
        }
        let value = self.names.value(&named, value, self.names.bytes_of(cell), self.names.seen(id));
        let writer = from;
        let from = from.map(|event| self.step_of[event as usize]).filter(|step| *step > 0);
        let (cell, needed) = (story_cell(self.names.program, cell), self.needed[id as usize]);
        let is_whole = self.execution.omitted == 0 && self.execution.memory_model == MemoryModel::Sc;
        let initial = kind == AccessKind::Read && writer.is_none() && cell.is_some() && is_whole;
        self.access(id, Access { kind, name: named.name, value, from, initial, cell, needed });
    }

    /// Some bytes of something larger, as copies byte by byte touch it. Once a step has touched all of them, the whole is told.
    fn piece(
        &mut self,
        id: EventId,
        kind: AccessKind,
        (object, offset, size): (u32, u64, u32),
        piece: &Piece,
        value: u128,
        from: Option<EventId>,
    ) {
        self.step(id);
        let (step, at) = (self.step_of[id as usize], offset - piece.offset);
        let from = from.map(|event| self.step_of[event as usize]).filter(|step| *step > 0);
        let known = self.pieces.entry((step, kind == AccessKind::Write, object, piece.offset)).or_default();
        known.0 |= value << (8 * at);
        known.1 |= (1u32 << size).wrapping_sub(1) << at;
        let (bits, bytes) = *known;
        let needed = self.needed[id as usize];
        let of_part = |name: &str| name.strip_prefix(piece.name.as_str()).is_some_and(|rest| rest.starts_with("[+"));
        let is_whole = piece.size <= 16 && bytes == (1u32 << piece.size).wrapping_sub(1);
        let mut access = Access {
            kind,
            name: format!("{}[+{at}]", piece.name),
            value: value.to_string(),
            from,
            initial: false,
            cell: Some(StoryCell { object: object.into(), offset, size: size.into() }),
            needed,
        };
        let accesses = &mut self.steps[step - 1].accesses;
        if is_whole {
            access.needed |= accesses.iter().any(|other| other.kind == kind && of_part(&other.name) && other.needed);
            accesses.retain(|other| other.kind != kind || !of_part(&other.name));
            access.name = piece.name.clone();
            access.value = self.names.whole(piece, bits, self.names.seen(id));
            access.cell = Some(StoryCell { object: object.into(), offset: piece.offset, size: piece.size });
        }
        self.steps[step - 1].accesses.push(access);
    }

    fn is_librarys(&self, cell: Cell) -> bool {
        let program = self.names.program;
        match cell {
            Cell::Global(var) | Cell::Own(_, var) => {
                program.is_of_library(program.var(var).span) || !self.names.shapes.vars.contains_key(&var)
            }
            Cell::Bytes { object, .. } => match program.objects.get(object as usize) {
                Some(of) => {
                    program.is_of_library(of.span) || !self.names.shapes.objects.contains_key(&ObjectId(object))
                }
                None => false,
            },
            Cell::Nowhere(_) => false,
        }
    }

    fn event(&mut self, id: EventId) {
        let execution = self.execution;
        let event = &execution.events[id as usize];
        if let Some(race) = self.race.as_ref().filter(|race| race.first == id) {
            let note = format!("is about to write {}", race.name);
            return self.note(id, note);
        }
        match self.deadlock.told(self.names.program, id, event) {
            Told::AsItIs => {}
            Told::NotAtAll => return,
            Told::As(wait) => {
                let words = self.deadlock.words(wait, &self.names, execution);
                return self.note(id, words);
            }
        }
        match event.what {
            What::Assign { var, value } => self.local(id, AccessKind::Write, var, value, None),
            What::Parameter { var, value } => self.parameter(id, event, var, value),
            What::Choice { var, reason, value } => self.choice(id, event, var, reason, value),
            What::Read { cell, into, value, from } => {
                let is_float = self.names.program.var(into).sort.is_float();
                self.memory(id, AccessKind::Read, (cell, is_float), value, from);
                if self.names.is_users(into) {
                    self.local(id, AccessKind::Write, into, value, None);
                }
            }
            What::Write { cell, value, is_float } => self.memory(id, AccessKind::Write, (cell, is_float), value, None),
            What::Branch { .. } => self.branch(id),
            What::Await | What::Print | What::Return { value: None, .. } => {
                self.step(id);
            }
            What::Call { callee } => {
                let name = self.names.program.proc(callee).name.clone();
                match event.in_library || self.names.program.is_of_library(self.names.program.proc(callee).span) {
                    true => {
                        self.step(id);
                    }
                    false => self.note(id, format!("calls {name}")),
                }
            }
            What::Return { callee, value: Some((var, value)) } => {
                let callee = self.names.program.proc(callee);
                match event.in_library || self.names.program.is_of_library(callee.span) {
                    true => {
                        self.step(id);
                    }
                    false => {
                        let value = self.names.returned(id, callee.result.unwrap_or(var), value);
                        self.note(id, format!("{} returns {value}", callee.name));
                    }
                }
            }
            What::Alloc { storage: Storage::Stack, .. } => {}
            What::Alloc { object, .. } => self.note(id, format!("allocates {}", self.names.object(object))),
            What::Free { object } => self.note(id, format!("frees {}", self.names.object(object))),
            What::Lock { op, lock, result } => self.lock(id, op, lock, result),
            What::Start { thread } => {
                let function = self.names.program.proc(execution.threads[thread as usize].proc).name.clone();
                self.held.resize(self.held.len().max(thread as usize + 1), Vec::new());
                self.note(id, format!("starts thread {thread} ({function})"));
            }
            What::Join { thread } => self.note(id, format!("joins thread {thread}")),
            What::End | What::AtomicBegin | What::AtomicEnd | What::Misuse { .. } => {}
            What::Error(violation) => {
                let words = match &self.race {
                    Some(race) if violation == Violation::DataRace => format!("a data race on {}", race.name),
                    _ => self.names.violation(execution, violation),
                };
                self.note(id, words);
            }
        }
    }

    /// Parameters belong to the call.
    fn parameter(&mut self, id: EventId, event: &Event, var: VarId, value: Option<u128>) {
        if event.in_library || !self.names.is_users(var) || self.steps.is_empty() {
            return;
        }
        let number = self.steps.len();
        self.step_of[id as usize] = number;
        let name = self.names.program.var(var).name.clone();
        let value = self.names.local(var, value, self.names.seen(id));
        let step = &mut self.steps[number - 1];
        step.needed |= self.needed[id as usize];
        let needed = self.needed[id as usize];
        step.accesses.push(Access {
            kind: AccessKind::Write,
            name,
            value,
            from: None,
            initial: false,
            cell: None,
            needed,
        });
    }

    fn choice(&mut self, id: EventId, event: &Event, var: VarId, reason: HavocReason, value: Option<u128>) {
        let is_input = match reason {
            HavocReason::Input | HavocReason::UndefinedFunction => true,
            HavocReason::Uninitialised => self.needed[id as usize] && self.names.is_users(var),
            HavocReason::Result(_) => false,
        };
        if reason == HavocReason::Uninitialised && !is_input {
            return;
        }
        self.step(id);
        // What a pass lets a thread choose is no input.
        let is_input = is_input && self.names.program.var(var).span != Span::NONE;
        if is_input && !event.in_library && value.is_some() {
            let at = self.names.program.var(var).span;
            let called = || {
                let column = Some(self.lines.column(at)).filter(|column| *column > 0);
                called_at(&self.lines.line(at)?, column.unwrap_or(at.column))
            };
            let source = match reason {
                HavocReason::Uninitialised => format!("{} without initial value", self.names.program.var(var).name),
                // Of the function that verification begins with.
                _ if self.names.program.var(var).name.starts_with("argument ") => {
                    self.names.program.var(var).name.clone()
                }
                _ => called().map_or("an input".into(), |function| format!("{function}()")),
            };
            let (step, place) = (self.steps.len(), self.place(event.span));
            let value = self.names.local(var, value, self.names.seen(id));
            let note = format!("{source} gives {value}");
            self.inputs.push(Input { step, thread: event.thread, place, source, value });
            self.note(id, note);
        }
    }

    /// The local variables that a condition looks at.
    fn branch(&mut self, id: EventId) {
        self.step(id);
        let execution = self.execution;
        for need in execution.needs(&execution.events[id as usize]) {
            let (var, value) = match execution.events[*need as usize].what {
                What::Assign { var, value } | What::Parameter { var, value } | What::Choice { var, value, .. } => {
                    (var, value)
                }
                What::Read { into, value, .. } => (into, value),
                What::Return { value: Some((var, value)), .. } => (var, Some(value)),
                _ => continue,
            };
            let from = self.step_of[*need as usize];
            if from != self.steps.len() && self.names.is_users(var) {
                self.local(id, AccessKind::Read, var, value, Some(*need));
            }
        }
    }

    fn lock(&mut self, id: EventId, op: LockOp, lock: Cell, result: Option<u128>) {
        let name = self.names.lock(lock);
        let failed = result.filter(|result| *result != 0);
        let thread = self.execution.events[id as usize].thread as usize;
        let note = match (op, failed) {
            (LockOp::Init(_), _) => format!("initialises {name}"),
            (LockOp::Destroy, _) => format!("destroys {name}"),
            (LockOp::Release, None) => {
                if let Some(last) = self.held[thread].iter().rposition(|held| *held == name) {
                    self.held[thread].remove(last);
                }
                format!("unlocks {name}")
            }
            (LockOp::Release, Some(error)) => format!("cannot unlock {name}: error {error}"),
            (_, Some(error)) => format!("cannot lock {name}: error {error}"),
            (LockOp::AcquireShared | LockOp::TryAcquireShared, None) => {
                self.held[thread].push(name.clone());
                format!("locks {name} for reading")
            }
            (_, None) => {
                self.held[thread].push(name.clone());
                format!("locks {name}")
            }
        };
        self.note(id, note);
    }

    /// What is violated, and how.
    fn violation(&self, violation: Violation) -> String {
        let Some(race) = self.race.as_ref().filter(|_| violation == Violation::DataRace) else {
            return self.names.violation(self.execution, violation);
        };
        let [first, second] = [race.first, race.second].map(|event| &self.execution.events[event as usize]);
        let who = |event: &Event| {
            let function = &self.names.program.proc(self.execution.threads[event.thread as usize].proc).name;
            format!("thread {} ({function})", event.thread)
        };
        let under = |event: &Event| match self.held[event.thread as usize].as_slice() {
            [] => "holds no lock".to_owned(),
            locks => format!("holds {}", locks.join(", ")),
        };
        let does = if race.writes { "writes" } else { "reads" };
        format!(
            "a data race on {}: {} {does} it and {}, {} writes it at line {} and {}; nothing orders the two",
            race.name,
            who(second),
            under(second),
            who(first),
            first.span.line,
            under(first)
        )
    }

    fn story(self) -> Story {
        let threads = self.execution.threads.iter().map(|life| Thread {
            function: self.names.program.proc(life.proc).name.clone(),
            started_by: life.started.map(|event| self.step_of[event as usize]).filter(|step| *step > 0),
        });
        let threads = threads.collect();
        let last = self.execution.events.last();
        let main_wait = self.deadlock.main_wait().map(|wait| &self.execution.events[wait.event as usize]);
        let violation = match last.map(|event| &event.what) {
            Some(What::Error(_)) if main_wait.is_some() => self.deadlock.sentence(&self.names, self.execution),
            Some(What::Error(violation)) => self.violation(*violation),
            _ => String::new(),
        };
        let place = main_wait.or(last).map_or(Place::default(), |event| self.place(event.span));
        let pairs = self.execution.events.windows(2);
        let switches = pairs.filter(|pair| pair[0].thread != pair[1].thread).count() as u64;
        let mut story = Story {
            violation,
            place,
            threads,
            inputs: self.inputs,
            steps: self.steps,
            omitted: self.execution.omitted,
            switches,
            switches_as_found: switches,
        };
        shorten(&mut story);
        story
    }
}

/// Longer stories are told without what the violation does not depend on, and longer ones still without their middle.
const MOST_STEPS: usize = 20_000;
const MOST_FIRST: usize = 2_000;

fn shorten(story: &mut Story) {
    if story.steps.len() <= MOST_STEPS {
        return;
    }
    let needed = story.steps.iter().filter(|step| step.needed).count();
    let gap = MOST_FIRST..needed.saturating_sub(MOST_STEPS - MOST_FIRST).max(MOST_FIRST);
    let (mut seen, mut kept) = (0, 0);
    // By number; 0: it is left out.
    let mut numbers = vec![0; story.steps.len() + 1];
    for (at, _) in story.steps.iter().enumerate().filter(|(_, step)| step.needed) {
        if !gap.contains(&seen) {
            kept += 1;
            numbers[at + 1] = kept;
        }
        seen += 1;
    }
    story.omitted += (story.steps.len() - kept) as u64;
    let mut at = 0;
    story.steps.retain(|_| {
        at += 1;
        numbers[at] > 0
    });
    let renumber = |number: &mut Option<usize>| *number = number.map(|of| numbers[of]).filter(|of| *of > 0);
    story.steps.iter_mut().flat_map(|step| &mut step.accesses).for_each(|access| renumber(&mut access.from));
    story.threads.iter_mut().for_each(|thread| renumber(&mut thread.started_by));
    story.inputs.retain(|input| numbers[input.step] > 0);
    story.inputs.iter_mut().for_each(|input| input.step = numbers[input.step]);
}

fn story_cell(program: &Program, cell: Cell) -> Option<StoryCell> {
    let objects = 1 << 32;
    match cell {
        Cell::Global(var) => {
            Some(StoryCell { object: objects + u64::from(var.0), offset: 0, size: program.var(var).sort.bytes() })
        }
        Cell::Bytes { object, offset, size } => Some(StoryCell { object: object.into(), offset, size: size.into() }),
        Cell::Own(..) | Cell::Nowhere(_) => None,
    }
}

/// The function whose call ends with the closing parenthesis at a column.
fn called_at(line: &str, column: u32) -> Option<String> {
    let bytes = line.as_bytes();
    let close = (column as usize).checked_sub(1).filter(|at| bytes.get(*at) == Some(&b')'))?;
    let mut depth = 0;
    let open = (0..=close).rev().find(|at| {
        match bytes[*at] {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let before = line[..open].trim_end();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = &before[before.rfind(|c| !is_word(c)).map_or(0, |at| at + 1)..];
    (!name.is_empty()).then(|| name.to_owned())
}
