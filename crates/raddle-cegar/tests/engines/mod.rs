//! What exploration, partial orders and abstraction say of a C program.

use raddle_cegar::{Cegar, CegarConfig};
use raddle_engine::{Budget, Engine, Facts, Outcome, Silent, Task};
use raddle_explore::{Explore, ExploreConfig};
use raddle_ir::MemoryModel;
use raddle_oc::{Oc, OcConfig};
pub use raddle_testing::DataModel;
use raddle_testing::lowered_for;
use std::time::Duration;

pub const LP64: DataModel = DataModel::Lp64;

/// Is it safe? By each engine, exploration first; `None` if it does not know.
pub fn answers(text: &str, model: DataModel) -> [Option<bool>; 3] {
    let task = Task::new(lowered_for(model, text), MemoryModel::Sc);
    let engines: [&dyn Engine; 3] =
        [&Explore(ExploreConfig::default()), &Oc(OcConfig::default()), &Cegar(CegarConfig::default())];
    engines.map(|engine| {
        match engine.run(&task, &Facts::default(), &Budget::of_time(Duration::from_secs(10)), &Silent).outcome {
            Outcome::Safe(_) => Some(true),
            Outcome::Unsafe(_) => Some(false),
            Outcome::Unknown(_) => None,
        }
    })
}
