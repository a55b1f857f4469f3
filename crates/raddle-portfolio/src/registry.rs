//! The engines by name.

use crate::auto::Auto;
use raddle_cegar::{Cegar, CegarConfig};
use raddle_engine::Engine;
use raddle_explore::{Explore, ExploreConfig};
use raddle_oc::{Oc, OcConfig};
use serde::{Deserialize, Serialize};

/// The configuration of every engine.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    pub explore: ExploreConfig,
    pub oc: OcConfig,
    pub cegar: CegarConfig,
}

pub struct Registry {
    engines: Vec<Box<dyn Engine>>,
}

impl Registry {
    /// All engines, configured.
    pub fn new(settings: &Settings) -> Registry {
        Registry {
            engines: vec![
                Box::new(Auto(settings.clone())),
                Box::new(Explore(settings.explore.clone())),
                Box::new(Oc(settings.oc.clone())),
                Box::new(Cegar(settings.cegar.clone())),
            ],
        }
    }

    /// One more.
    pub fn add(&mut self, engine: Box<dyn Engine>) {
        self.engines.push(engine);
    }

    pub fn get(&self, name: &str) -> Option<&dyn Engine> {
        self.engines.iter().find(|engine| engine.name() == name).map(Box::as_ref)
    }

    pub fn engines(&self) -> impl Iterator<Item = &dyn Engine> + '_ {
        self.engines.iter().map(Box::as_ref)
    }
}
