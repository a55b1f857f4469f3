//! How the engine is configured. The command line, the file of a portfolio and tests all build this one structure.

use clap::{ArgAction, Args, ValueEnum};
pub use raddle_engine::Por;
pub use raddle_passes::Lbe;
use raddle_smt::smtlib::FoundSolver;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// What an abstract state can say of data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Domain {
    /// Values of variables
    Expl,
    /// A conjunction of predicates
    PredCart,
    /// Any Boolean combination of predicates
    PredBool,
    /// A conjunction of predicates; what a conjunction cannot say is split into several states
    PredSplit,
    /// Values of some variables, and predicates
    #[default]
    ExplPred,
}

/// Which node is expanded next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    #[default]
    Bfs,
    Dfs,
    /// The one whose threads are closest to an error
    Err,
}

/// What is tracked from the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InitialPrecision {
    #[default]
    Empty,
    #[serde(rename = "allvars")]
    #[value(name = "allvars")]
    AllVars,
    #[serde(rename = "allglobals")]
    #[value(name = "allglobals")]
    AllGlobals,
    /// The atoms of all conditions
    #[serde(rename = "allassumes")]
    #[value(name = "allassumes")]
    AllAssumes,
    /// The atoms of the conditions of errors
    #[serde(rename = "allerrors")]
    #[value(name = "allerrors")]
    AllErrors,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Granularity {
    /// What is tracked is tracked everywhere
    #[default]
    Global,
    /// What is tracked is tracked where a refinement asked for it
    Local,
}

/// What a refinement takes out of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prune {
    /// What follows the first node that it changes
    #[default]
    Lazy,
    Full,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refiner {
    SeqItp,
    BwBinItp,
    FwBinItp,
    /// Sequence interpolation for several counterexamples at a time
    MultiSeq,
    UnsatCore,
    NwtSp,
    NwtWp,
    NwtItSp,
    #[default]
    NwtItWp,
}

/// What interpolants are computed in. The abstraction, counterexamples and proofs are of bit-vectors in any case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arithmetic {
    /// Integers where they can say what the path does, bit-vectors elsewhere
    Efficient,
    #[default]
    Bitvector,
    /// Integers only
    Integer,
}

/// What a predicate is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PredSplit {
    Whole,
    Conjuncts,
    #[default]
    Atoms,
}

/// Cone of influence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coi {
    None,
    Static,
    #[default]
    Dynamic,
    Both,
}

/// What becomes of arrays that are not resolved into variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrays {
    /// They are arrays
    #[default]
    Exact,
    /// A few cells at arbitrary indices: for proofs about all elements, and only for proofs
    Cells,
}

impl Domain {
    /// The encoding that solves most. Of a conditional value whose condition is open, values alone say nothing, where two branches would have two values.
    pub fn best_lbe(self) -> Lbe {
        if self == Domain::Expl { Lbe::Seq } else { Lbe::Full }
    }
}

#[derive(Clone, PartialEq, Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Engine cegar")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct CegarConfig {
    /// What the abstraction can say of data
    #[arg(long, value_name = "DOMAIN", value_enum, default_value_t)]
    pub domain: Domain,
    /// How many successors to enumerate where a value is not determined
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub max_enum: u32,
    /// Which abstract state is looked at next
    #[arg(long, value_name = "ORDER", value_enum, default_value_t)]
    pub search: Search,
    /// What is tracked from the beginning
    #[arg(long = "init-prec", value_name = "WHAT", value_enum, default_value_t)]
    #[serde(rename = "init-prec")]
    pub initial: InitialPrecision,
    /// Where it is tracked
    #[arg(long = "prec-granularity", value_name = "WHERE", value_enum, default_value_t)]
    #[serde(rename = "prec-granularity")]
    pub granularity: Granularity,
    /// What a refinement takes out of the graph
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub prune: Prune,
    /// How counterexamples that cannot happen are explained (default: nwt-it-wp; seq-itp with --arithmetic integer)
    #[arg(long = "refinement", value_name = "HOW", value_enum)]
    #[serde(rename = "refinement")]
    pub refiner: Option<Refiner>,
    /// What interpolants are computed in, for the refinements *-itp and multi-seq: bit-vectors, integers (by a --solver such as z3), or
    /// integers where they suffice. Verdicts are bit-precise in any case
    #[arg(long, value_name = "ARITHMETIC", value_enum, default_value_t)]
    pub arithmetic: Arithmetic,
    /// Newton-style refinement forgets variables that are not read again
    #[arg(long)]
    pub live_variables: bool,
    /// What predicates are made of
    #[arg(long = "pred-split", value_name = "PARTS", value_enum, default_value_t)]
    #[serde(rename = "pred-split")]
    pub split: PredSplit,
    /// Cone of influence: which statements matter
    #[arg(long, value_name = "COI", value_enum, default_value_t)]
    pub coi: Coi,
    /// What becomes of arrays; with cells, no violation is reported
    #[arg(long, value_name = "ARRAYS", value_enum, default_value_t)]
    pub arrays: Arrays,
    /// Large-block encoding: which edges become one (default: seq for the domain expl, else full)
    #[arg(long, value_name = "LBE", value_enum)]
    pub lbe: Option<Lbe>,
    /// Notice counterexamples that come back, and stop when there are no others
    #[arg(long = "cex-monitor", value_name = "on|off", value_parser = on_or_off, action = ArgAction::Set, default_value = "on")]
    #[serde(rename = "cex-monitor")]
    pub monitor: bool,
    /// Write the abstract reachability graph to a file
    #[arg(long = "arg", value_name = "FILE.dot")]
    #[serde(rename = "arg", skip_serializing_if = "Option::is_none")]
    pub graph: Option<PathBuf>,
    #[arg(skip)]
    pub por: Por,
    /// Recursive calls are inlined so deep at first.
    #[arg(skip = 5u32)]
    pub recursion_bound: u32,
    /// Somebody wants to see why a proof holds: invariants should speak of shared variables, too.
    #[arg(skip)]
    pub witnessed: bool,
    /// CPU time for one question to a solver.
    #[arg(skip)]
    #[serde(skip)]
    pub query_time: Option<Duration>,
    /// Interpolates over integers.
    #[arg(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integer_solver: Option<FoundSolver>,
}

fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("it is on or off".into()),
    }
}

impl CegarConfig {
    /// The reduction that is used: the best one, if the one that was named is another engine's.
    pub fn por(&self) -> Por {
        match self.por {
            Por::None | Por::Spor => self.por,
            Por::Best | Por::Persistent | Por::Aaspor => Por::Aaspor,
        }
    }

    pub fn lbe(&self) -> Lbe {
        self.lbe.unwrap_or(self.domain.best_lbe())
    }

    pub fn refiner(&self) -> Refiner {
        self.refiner.unwrap_or(match self.arithmetic {
            Arithmetic::Integer => Refiner::SeqItp,
            _ => Refiner::default(),
        })
    }
}

impl Default for CegarConfig {
    fn default() -> Self {
        CegarConfig {
            domain: Domain::default(),
            max_enum: 1,
            search: Search::default(),
            initial: InitialPrecision::default(),
            granularity: Granularity::default(),
            prune: Prune::default(),
            refiner: None,
            arithmetic: Arithmetic::default(),
            live_variables: false,
            split: PredSplit::default(),
            coi: Coi::default(),
            arrays: Arrays::default(),
            lbe: None,
            monitor: true,
            graph: None,
            por: Por::default(),
            recursion_bound: 5,
            witnessed: false,
            query_time: None,
            integer_solver: None,
        }
    }
}
