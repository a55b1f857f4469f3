//! The engines by name, and their configurations.

use raddle_bounded::{Bmc, BmcConfig, Imc, ImcConfig, Kind, KindConfig};
use raddle_cegar::{Arithmetic, Cegar, CegarConfig};
use raddle_engine::Engine;
use raddle_explore::{Explore, ExploreConfig};
use raddle_invariants::{Invariants, InvariantsConfig, Modular, ModularConfig};
use raddle_oc::{Oc, OcConfig};
use raddle_smt::find_integer_solver;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The configuration of every engine.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    pub explore: ExploreConfig,
    pub oc: OcConfig,
    pub cegar: CegarConfig,
    pub invariants: InvariantsConfig,
    pub modular: ModularConfig,
    pub bmc: BmcConfig,
    pub kind: KindConfig,
    pub imc: ImcConfig,
}

impl Settings {
    pub fn is_engine(name: &str) -> bool {
        Registry::new(&Settings::default()).get(name).is_some()
    }

    /// These, with options of one engine replaced; or what is wrong with them.
    pub fn overlaid(&self, engine: &str, options: &Value) -> Result<Settings, String> {
        let options = options.as_object().ok_or("the options of an engine are a table")?;
        let mut settings = self.clone();
        // One after another: what is wrong is said of the option that it is about.
        for (name, value) in options {
            let mut all = serde_json::to_value(&settings).map_err(|error| error.to_string())?;
            if let Some(known) = all.get_mut(engine).and_then(Value::as_object_mut) {
                known.insert(name.clone(), value.clone());
            }
            settings = serde_json::from_value(all).map_err(|error| format!("`{name}`: {error}"))?;
        }
        settings.find_solvers();
        Ok(settings)
    }

    /// Integer arithmetic needs a solver that interpolates over integers: one is looked for where none is named.
    pub fn find_solvers(&mut self) {
        if self.cegar.arithmetic != Arithmetic::Bitvector && self.cegar.integer_solver.is_none() {
            self.cegar.integer_solver = find_integer_solver();
        }
    }
}

pub struct Registry {
    engines: Vec<Box<dyn Engine>>,
}

impl Registry {
    /// All engines, configured.
    pub fn new(settings: &Settings) -> Registry {
        Registry {
            engines: vec![
                Box::new(Explore(settings.explore.clone())),
                Box::new(Oc(settings.oc.clone())),
                Box::new(Cegar(settings.cegar.clone())),
                Box::new(Invariants(settings.invariants.clone())),
                Box::new(Modular(settings.modular.clone())),
                Box::new(Bmc(settings.bmc.clone())),
                Box::new(Kind(settings.kind.clone())),
                Box::new(Imc(settings.imc.clone())),
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
