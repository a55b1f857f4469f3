//! A new engine is one file and one line of registration: this is the file, and `registry.add` is the line.

use raddle_engine::{
    Argument, Budget, Code, Conclusion, Engine, Event, Facts, Form, Observer, Outcome, Proof, Reason, Silent, Task,
};
use raddle_ir::{Label, MemoryModel};
use raddle_portfolio::{Registry, Settings};
use raddle_testing::lowered;
use serde::Serialize;

/// Knows one argument: where preparing the Program leaves no error in it, none can be reached.
struct Toy;

#[derive(Serialize)]
struct ToyStats {
    errors: usize,
}

impl Engine for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn summary(&self) -> &'static str {
        "Programs without errors"
    }

    fn supports(&self, task: &Task) -> Result<(), Reason> {
        match task.memory_model() {
            MemoryModel::Sc => Ok(()),
            _ => Err(Reason::new(Code::Unsupported, "the engine toy knows sequential consistency only")),
        }
    }

    fn form(&self) -> Form {
        Form::Simplified
    }

    fn run(&self, task: &Task, _: &Facts, _: &Budget, observer: &dyn Observer) -> Conclusion {
        let program = match task.prepared(self.form()) {
            Ok(program) => program,
            Err(too_large) => return Conclusion::unknown(too_large.into()),
        };
        observer.event(Event::Explored { states: 0 });
        let labels = program.procs.iter().flat_map(|proc| &proc.edges).flat_map(|edge| &edge.labels);
        let errors = labels.filter(|label| matches!(label, Label::Error(_))).count();
        let outcome = match errors {
            0 => Outcome::Safe(Proof::by(Argument::Exhaustion { states: 0 })),
            _ => Outcome::Unknown(Reason::new(Code::Stuck, "there are errors in the program")),
        };
        Conclusion::new(outcome, &ToyStats { errors })
    }
}

fn concluded(text: &str) -> Conclusion {
    let mut registry = Registry::new(&Settings::default());
    registry.add(Box::new(Toy));
    let task = Task::new(lowered(text), MemoryModel::Sc);
    let engine = registry.get("toy").expect("it is registered");
    assert_eq!(engine.supports(&task), Ok(()));
    engine.run(&task, &Facts::default(), &Budget::unlimited(), &Silent)
}

#[test]
fn an_engine_is_added_and_runs_by_its_name() {
    let safe = concluded("void reach_error(void); int main(void) { int x = 3; if (x > 4) reach_error(); return 0; }");
    assert_eq!(safe.outcome.name(), "true");
    assert_eq!(safe.statistics["errors"], 0);
    let open = concluded("void reach_error(void); int f(void); int main(void) { if (f()) reach_error(); return 0; }");
    assert_eq!(open.outcome.name(), "stuck");
    assert_eq!(open.statistics["errors"], 1);
}

#[test]
fn it_stands_beside_the_others() {
    let mut registry = Registry::new(&Settings::default());
    let others: Vec<&str> = registry.engines().map(Engine::name).collect();
    registry.add(Box::new(Toy));
    assert_eq!(registry.engines().map(Engine::name).collect::<Vec<_>>(), [&others[..], &["toy"]].concat());
    assert!(registry.get("nobody").is_none());
}
