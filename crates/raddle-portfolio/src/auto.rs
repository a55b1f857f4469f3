//! The engines in turns (`--engine auto`).
//!
//! Each turn is a slice of CPU time; slices begin short (longer for a program that takes long to prepare) and grow from round to round, so that what is easy for any engine is answered at once, and what is
//! hard for all of them costs little more than the engine that solves it in the end. An engine that ends without an answer for another reason than time
//! (it is stuck, the program has a construct that it cannot express, a bound was reached, its memory is full) has no further turn. A later turn begins with the facts of earlier ones.

use crate::registry::Settings;
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
    is_out: bool,
}

/// What happened in a turn.
#[derive(Serialize)]
struct Turn {
    engine: &'static str,
    outcome: String,
    seconds: f64,
    statistics: Value,
}

fn player(name: &'static str, engine: impl Engine + 'static, milliseconds: u64) -> Player {
    Player { name, engine: Box::new(engine), first: Duration::from_millis(milliseconds), is_out: false }
}

/// From one round to the next, slices grow by this.
const GROWTH: u32 = 4;
/// A program that is prepared within this time is small.
const SMALL: Duration = Duration::from_millis(20);
const MOST_SCALE: f64 = 20.0;

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
            player("explore", explore(), 100),
            player("oc", oc(), 200),
            player("cegar (all values)", Cegar(values), 100),
            player("cegar (values and predicates)", with(Domain::ExplPred), 300),
            player("cegar (predicates)", with(Domain::PredCart), 200),
        ]
    }
}

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
        let (mut facts, mut turns) = (facts.clone(), Vec::new());
        let begin = process_time();
        let _ = on_large_stack(|| task.prepared(self.form()));
        let scale = ((process_time() - begin).as_secs_f64() / SMALL.as_secs_f64()).clamp(1.0, MOST_SCALE);
        let mut last = Reason::new(Code::Unsupported, "no engine supports the task");
        for round in 0.. {
            let in_game = players.iter().filter(|player| !player.is_out).count();
            if in_game == 0 {
                break;
            }
            for player in players.iter_mut().filter(|player| !player.is_out) {
                // Whoever comes next needs it as well: it is on nobody's account. What does not work out, the engine tells.
                let _ = on_large_stack(|| task.prepared(player.engine.form()));
                let slice = player.first.mul_f64(scale).saturating_mul(GROWTH.saturating_pow(round));
                // Whoever is alone has all the time that is left.
                let share = if in_game == 1 { budget.clone() } else { budget.share(slice) };
                let begin = process_time();
                let engine = player.name;
                observer.event(Event::Begin { engine });
                let conclusion = player.engine.run(task, &facts, &share, observer);
                let (outcome, seconds) = (conclusion.outcome.name().to_string(), process_time() - begin);
                observer.event(Event::End { engine, outcome: outcome.clone() });
                let statistics = conclusion.statistics;
                turns.push(Turn { engine, outcome, seconds: seconds.as_secs_f64(), statistics });
                facts.add(conclusion.facts);
                match conclusion.outcome {
                    Outcome::Unknown(reason) => {
                        player.is_out = reason.code != Code::Timeout;
                        last = best(last, reason);
                    }
                    solved => return concluded(solved, facts, &turns),
                }
                if let Some(stop) = budget.stop() {
                    return concluded(Outcome::Unknown(stop.into()), facts, &turns);
                }
            }
        }
        concluded(Outcome::Unknown(last), facts, &turns)
    }
}

/// Of two reasons, the one that says more to whoever asked: a construct in the source, or else what came last.
fn best(old: Reason, new: Reason) -> Reason {
    if old.span.is_some() && new.span.is_none() { old } else { new }
}

fn concluded(outcome: Outcome, facts: Facts, turns: &[Turn]) -> Conclusion {
    Conclusion { outcome, facts, statistics: json!({ "turns": turns }), graph: None }
}
