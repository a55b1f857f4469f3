//! The engines in turns (`--engine auto`).
//!
//! Each turn is a slice of CPU time; slices begin short (longer for a program that takes long to prepare) and grow from round to round, so that what is
//! easy for any engine is answered at once, and what is hard for all of them costs little more than the engine that solves it in the end. Between its
//! turns an engine waits, on a thread of its own, and then goes on where it was; one that holds much memory ends instead, and begins anew at its next turn.
//! An engine that ends without an answer for another reason than time (it is stuck, the program has a construct that it cannot express, a bound was
//! reached, its memory is full) has no further turn. Whoever begins knows the facts of those that have ended.

use crate::registry::Settings;
use raddle_budget::memory::{address_space_limit, memory};
use raddle_budget::process_time;
use raddle_cegar::{Cegar, CegarConfig, Coi, Domain, InitialPrecision};
use raddle_engine::{
    Budget, Code, Conclusion, Engine, Event, Facts, Form, Observer, Outcome, Reason, Task, on_large_stack,
    supports_property,
};
use raddle_explore::Explore;
use raddle_oc::Oc;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

/// The engine that takes the others in turns.
pub struct Auto(pub Settings);

/// One engine with its turns.
struct Player {
    /// Which engine, and which configuration of it where there are several.
    name: &'static str,
    engine: Box<dyn Engine>,
    /// Its first slice, for a small program.
    first: Duration,
}

/// What happened in a turn.
#[derive(Serialize)]
struct Turn {
    engine: &'static str,
    outcome: String,
    seconds: f64,
    #[serde(skip_serializing_if = "Value::is_null")]
    statistics: Value,
}

fn player(name: &'static str, engine: impl Engine + 'static, milliseconds: u64) -> Player {
    Player { name, engine: Box::new(engine), first: Duration::from_millis(milliseconds) }
}

/// From one round to the next, slices grow by this.
const GROWTH: u32 = 2;
/// A program that is prepared within this time is small.
const SMALL: Duration = Duration::from_millis(20);
const MOST_SCALE: f64 = 20.0;
/// With less address space than this, engines begin anew at each turn, on this thread: threads that come and go leave address space behind.
const LEAST_TO_WAIT: u64 = 3 << 30;
/// An engine that waits may hold this part of the memory.
const HELD_SHARE: u64 = 4;

impl Auto {
    fn players(&self, task: &Task) -> Vec<Player> {
        let Settings { explore, oc, cegar } = &self.0;
        let explore = || Explore(explore.clone());
        let oc = || Oc(oc.clone());
        let with = |domain| Cegar(CegarConfig { domain, ..cegar.clone() });
        if task.program().starts_threads() {
            return vec![
                player("explore", explore(), 100),
                player("oc", oc(), 200),
                player("cegar", with(Domain::PredCart), 200),
            ];
        }
        // Machines with many states and few inputs: all values, and no refinement.
        let values = CegarConfig {
            domain: Domain::Expl,
            initial: InitialPrecision::AllVars,
            max_enum: 10,
            coi: Coi::None,
            ..cegar.clone()
        };
        vec![
            player("explore", explore(), 80),
            player("oc", oc(), 250),
            player("cegar (all values)", Cegar(values), 60),
            player("cegar (values and predicates)", with(Domain::ExplPred), 200),
            // It solves hardly anything that the one before does not, but some of it much earlier.
            player("cegar (predicates)", with(Domain::PredCart), 40),
        ]
    }
}

/// How a turn ended.
enum Report<'s> {
    Waits(Running<'s>),
    Ended(Conclusion),
}

/// An engine that has begun.
struct Running<'s> {
    turns: Sender<Duration>,
    /// What it concluded; `None`: its turn is over, and it waits for the next one.
    reports: Receiver<Option<Conclusion>>,
    thread: ScopedJoinHandle<'s, ()>,
}

impl<'s> Running<'s> {
    /// Begins the first turn of an engine.
    fn begin<'e>(
        scope: &'s Scope<'s, 'e>,
        engine: &'s dyn Engine,
        task: &'s Task,
        facts: Facts,
        (budget, slice): (&Budget, Duration),
        observer: &'s dyn Observer,
    ) -> Result<Running<'s>, Reason> {
        let (turns, next_turn) = channel();
        let (reporter, reports) = channel();
        let waits = reporter.clone();
        let next = move || {
            // If nobody listens any more, there is no next turn either.
            let _ = waits.send(None);
            next_turn.recv().ok()
        };
        let budget = budget.in_turns(slice, next);
        let work = move || {
            let _ = reporter.send(Some(engine.run(task, &facts, &budget, observer)));
        };
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| Reason::new(Code::OutOfMemory, error.to_string()))?;
        Ok(Running { turns, reports, thread })
    }

    /// Begins the next turn.
    fn go_on(self, slice: Duration) -> Running<'s> {
        // One that is gone has reported it.
        let _ = self.turns.send(slice);
        self
    }

    /// Waits until the turn is over.
    fn report(self) -> Report<'s> {
        match self.reports.recv() {
            Ok(None) => Report::Waits(self),
            Ok(Some(conclusion)) => Report::Ended(conclusion),
            Err(_) => self.panicked(),
        }
    }

    /// Tells an engine that waits to end.
    fn end(self) -> Conclusion {
        let Running { turns, reports, thread } = self;
        drop(turns);
        match reports.iter().flatten().next() {
            Some(conclusion) => conclusion,
            None => Running { turns: channel().0, reports, thread }.panicked(),
        }
    }

    /// It ended without a report.
    fn panicked(self) -> ! {
        match self.thread.join() {
            Err(panic) => resume_unwind(panic),
            Ok(()) => unreachable!("an engine that ends reports"),
        }
    }
}

/// As much as the main thread of a process has.
const STACK: usize = 8 << 20;

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn summary(&self) -> &'static str {
        "All of them in turns that grow"
    }

    fn supports(&self, task: &Task) -> Result<(), Reason> {
        supports_property(task)
    }

    fn form(&self) -> Form {
        Form::Simplified
    }

    fn run(&self, task: &Task, facts: &Facts, budget: &Budget, observer: &dyn Observer) -> Conclusion {
        let mut players = self.players(task);
        players.retain(|player| player.engine.supports(task).is_ok());
        let begin = process_time();
        let _ = on_large_stack(|| task.prepared(self.form()));
        let scale = ((process_time() - begin).as_secs_f64() / SMALL.as_secs_f64()).clamp(1.0, MOST_SCALE);
        let last = Reason::new(Code::Unsupported, "no engine supports the task");
        let mut game = Game { facts: facts.clone(), last, turns: Vec::new(), observer };
        let outcome = in_turns(&players, scale, task, budget, &mut game);
        Conclusion { outcome, facts: game.facts, statistics: json!({ "turns": game.turns }), graph: None }
    }
}

/// An engine in the game: it has not begun, or it waits for its next turn.
struct Seat<'s> {
    player: &'s Player,
    waiting: Option<Running<'s>>,
    /// So much memory it took in its turns so far.
    held: u64,
    slice: Duration,
}

/// What has come of it so far.
struct Game<'a> {
    facts: Facts,
    last: Reason,
    turns: Vec<Turn>,
    observer: &'a dyn Observer,
}

impl Game<'_> {
    fn note(&mut self, engine: &'static str, seconds: f64, outcome: &str, statistics: Value) {
        self.observer.event(Event::End { engine, outcome: outcome.into() });
        self.turns.push(Turn { engine, outcome: outcome.into(), seconds, statistics });
    }

    /// An engine has ended: is there an answer?
    fn ended(&mut self, engine: &'static str, seconds: f64, conclusion: Conclusion) -> Option<Outcome> {
        self.note(engine, seconds, conclusion.outcome.name(), conclusion.statistics);
        self.facts.add(conclusion.facts);
        match conclusion.outcome {
            Outcome::Unknown(reason) => {
                self.last = best(self.last.clone(), reason);
                None
            }
            solved => Some(solved),
        }
    }
}

/// Gives out turns until an engine has an answer, or none can go on.
fn in_turns(players: &[Player], scale: f64, task: &Task, budget: &Budget, game: &mut Game) -> Outcome {
    std::thread::scope(|scope| {
        let seat = |player| Seat { player, waiting: None, held: 0, slice: player.first.mul_f64(scale) };
        let mut seats: VecDeque<Seat> = players.iter().map(seat).collect();
        let mut answer = None;
        // Where address space is limited, it counts, stacks included; and where there is little of it, nobody waits.
        let address_space = address_space_limit();
        let in_use = || if address_space.is_some() { memory().address_space } else { memory().resident };
        let is_scarce = address_space.is_some_and(|limit| limit < LEAST_TO_WAIT);
        while answer.is_none()
            && let Some(mut seat) = seats.pop_front()
        {
            let (engine, name) = (seat.player.engine.as_ref(), seat.player.name);
            // Whoever comes next needs it as well: it is on nobody's account. What does not work out, the engine tells.
            let _ = on_large_stack(|| task.prepared(engine.form()));
            // Whoever is alone has all the time that is left.
            let slice = if seats.is_empty() { Duration::MAX } else { seat.slice };
            let (begin, before) = (process_time(), in_use());
            game.observer.event(Event::Begin { engine: name });
            let mut report = match seat.waiting.take() {
                Some(running) => running.go_on(slice).report(),
                None if is_scarce => Report::Ended(engine.run(task, &game.facts, &budget.share(slice), game.observer)),
                None => {
                    let begun = Running::begin(scope, engine, task, game.facts.clone(), (budget, slice), game.observer);
                    begun.map_or_else(|reason| Report::Ended(Conclusion::unknown(reason)), Running::report)
                }
            };
            let seconds = (process_time() - begin).as_secs_f64();
            seat.slice = seat.slice.saturating_mul(GROWTH);
            seat.held += in_use().saturating_sub(before);
            if let Report::Waits(running) = report {
                report = match seat.held > budget.memory() / HELD_SHARE {
                    true => Report::Ended(running.end()),
                    false => Report::Waits(running),
                };
            }
            match report {
                Report::Waits(running) => {
                    game.note(name, seconds, "waits", Value::Null);
                    seat.waiting = Some(running);
                    seats.push_back(seat);
                }
                Report::Ended(conclusion) => {
                    // One that only lacked time begins anew at its next turn.
                    let lacks_time =
                        matches!(&conclusion.outcome, Outcome::Unknown(reason) if reason.code == Code::Timeout);
                    answer = game.ended(name, seconds, conclusion);
                    seat.held = 0;
                    seats.extend(lacks_time.then_some(seat));
                }
            }
            if let (Some(stop), None) = (budget.stop(), &answer) {
                answer = Some(Outcome::Unknown(stop.into()));
            }
        }
        for Seat { player, waiting, .. } in seats {
            if let Some(running) = waiting {
                game.ended(player.name, 0.0, running.end());
            }
        }
        answer.unwrap_or_else(|| Outcome::Unknown(game.last.clone()))
    })
}

/// Of two reasons, the one that says more to whoever asked: a construct in the source, or else what came last.
fn best(old: Reason, new: Reason) -> Reason {
    if old.span.is_some() && new.span.is_none() { old } else { new }
}
