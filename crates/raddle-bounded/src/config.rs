//! How the engines are configured, and what they count.

use clap::{ArgAction, Args, ValueEnum};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Engine bmc")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct BmcConfig {
    /// The first bound on iterations of loops whose number is not known
    #[arg(id = "bmc-unroll-start", long = "bmc-unroll-start", value_name = "N", default_value_t = 2)]
    pub unroll_start: u32,
    /// The last bound; what goes on past it is unknown(bound-reached)
    #[arg(id = "bmc-unroll-end", long = "bmc-unroll-end", value_name = "N", default_value_t = LAST_BOUND, hide_default_value = true)]
    pub unroll_end: u32,
}

const LAST_BOUND: u32 = 1 << 20;

impl Default for BmcConfig {
    fn default() -> Self {
        BmcConfig { unroll_start: 2, unroll_end: LAST_BOUND }
    }
}

#[derive(Clone, PartialEq, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Engine kind")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct KindConfig {
    /// The induction step looks at most so many blocks back
    #[arg(id = "kind-max-k", long = "kind-max-k", value_name = "N", default_value_t = 10_000)]
    pub max_k: u32,
    /// The induction step assumes that no state comes twice
    #[arg(id = "kind-simple-paths", long = "kind-simple-paths", value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub simple_paths: bool,
    /// Facts of abstract interpretation strengthen the induction step
    #[arg(id = "kind-facts", long = "kind-facts", value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub facts: bool,
    /// Candidates that are inductive for the k at hand strengthen it as well
    #[arg(id = "kind-strengthen", long = "kind-strengthen", value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub strengthen: bool,
    /// Arrays are reduced to distinguished cells where that can be done
    #[arg(id = "kind-cells", long = "kind-cells", value_name = "BOOL", default_value_t = false, action = ArgAction::Set)]
    pub cells: bool,
}

impl Default for KindConfig {
    fn default() -> Self {
        KindConfig { max_k: 10_000, simple_paths: true, facts: true, strengthen: true, cells: false }
    }
}

/// Which interpolants are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImcForm {
    /// Images and directed by turns
    #[default]
    Turns,
    /// Images of growing sets (McMillan 2003)
    Image,
    /// Sequences along one unrolling (Vizel and Grumberg 2009)
    Sequence,
    /// Clauses of frames, by property-directed reachability
    Directed,
}

#[derive(Clone, PartialEq, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Engine imc")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ImcConfig {
    /// An error is looked for at most so many blocks ahead
    #[arg(id = "imc-max-k", long = "imc-max-k", value_name = "N", default_value_t = 10_000)]
    pub max_k: u32,
    /// Interpolants of images, or sequences of them
    #[arg(id = "imc-form", long = "imc-form", value_enum, default_value_t = ImcForm::default())]
    pub form: ImcForm,
    /// Facts of abstract interpretation strengthen every state
    #[arg(id = "imc-facts", long = "imc-facts", value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub facts: bool,
    /// Arrays are reduced to distinguished cells where that can be done
    #[arg(id = "imc-cells", long = "imc-cells", value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    pub cells: bool,
}

impl Default for ImcConfig {
    fn default() -> Self {
        ImcConfig { max_k: 10_000, form: ImcForm::default(), facts: true, cells: true }
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct BoundedStats {
    /// Cut points, and steps between their places.
    pub cut_points: usize,
    pub steps: usize,
    /// Facts that strengthen the proof.
    pub facts: usize,
    /// Candidates that are inductive for k.
    pub kept: usize,
    /// How many blocks were unrolled.
    pub k: usize,
    /// Interpolants that were computed.
    pub interpolants: u64,
    /// Questions to a solver: of the search, and of the check of the proof.
    pub questions: u64,
    pub check_questions: u64,
    pub encode_seconds: f64,
    pub facts_seconds: f64,
    pub search_seconds: f64,
    pub check_seconds: f64,
}
