//! The options of the engine cegar.

use crate::args::{PorArg, VerifyArgs};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use raddle_cegar::{
    Arithmetic, CegarConfig, Choice, Coi, Domain, Granularity, InitialPrecision, Lbe, Por, PredSplit, Prune, Refiner,
    Search,
};
use raddle_smt::smtlib::{FoundSolver, dialect};
use raddle_smt::{find_integer_solver, interpolates_integers};
use std::path::PathBuf;

/// Accepts the names of a choice.
fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(T::ALL.iter().map(|(name, _)| *name));
    // The parser lets nothing but names of the choice through.
    names.map(|name| T::from_name(&name).unwrap_or(T::ALL[0].1))
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Engine cegar")]
pub struct CegarArgs {
    /// What the abstraction can say of data
    #[arg(long, value_name = "DOMAIN", value_parser = choice::<Domain>(), default_value = "expl-pred")]
    pub domain: Domain,
    /// How many successors to enumerate where a value is not determined
    #[arg(long, value_name = "N", default_value = "1")]
    pub max_enum: u32,
    /// Which abstract state is looked at next
    #[arg(long, value_name = "ORDER", value_parser = choice::<Search>(), default_value = "bfs")]
    pub search: Search,
    /// What is tracked from the beginning
    #[arg(long, value_name = "WHAT", value_parser = choice::<InitialPrecision>(), default_value = "empty")]
    pub init_prec: InitialPrecision,
    /// Where it is tracked
    #[arg(long, value_name = "WHERE", value_parser = choice::<Granularity>(), default_value = "global")]
    pub prec_granularity: Granularity,
    /// What a refinement takes out of the graph
    #[arg(long, value_name = "HOW", value_parser = choice::<Prune>(), default_value = "lazy")]
    pub prune: Prune,
    /// How counterexamples that cannot happen are explained (default: nwt-it-wp; seq-itp with --arithmetic integer)
    #[arg(long, value_name = "HOW", value_parser = choice::<Refiner>())]
    pub refinement: Option<Refiner>,
    /// What interpolants are computed in, for the refinements *-itp and multi-seq: bit-vectors, integers (by a --solver such as z3), or
    /// integers where they suffice. Verdicts are bit-precise in any case
    #[arg(long, value_name = "ARITHMETIC", value_parser = choice::<Arithmetic>(), default_value = "bitvector")]
    pub arithmetic: Arithmetic,
    /// Newton-style refinement forgets variables that are not read again
    #[arg(long)]
    pub live_variables: bool,
    /// What predicates are made of
    #[arg(long, value_name = "PARTS", value_parser = choice::<PredSplit>(), default_value = "atoms")]
    pub pred_split: PredSplit,
    /// Cone of influence: which statements matter
    #[arg(long, value_name = "COI", value_parser = choice::<Coi>(), default_value = "dynamic")]
    pub coi: Coi,
    /// Large-block encoding: which edges become one (default: seq for the domain expl, else full)
    #[arg(long, value_name = "LBE", value_parser = choice::<Lbe>())]
    pub lbe: Option<Lbe>,
    /// Notice counterexamples that come back, and stop when there are no others
    #[arg(long, value_name = "on|off", value_parser = PossibleValuesParser::new(["on", "off"]), default_value = "on")]
    pub cex_monitor: String,
    /// Write the abstract reachability graph to a file
    #[arg(long, value_name = "FILE.dot")]
    pub arg: Option<PathBuf>,
}

impl CegarArgs {
    pub fn config(&self, args: &VerifyArgs) -> CegarConfig {
        CegarConfig {
            domain: self.domain,
            max_enum: self.max_enum,
            search: self.search,
            initial: self.init_prec,
            granularity: self.prec_granularity,
            prune: self.prune,
            refiner: self.refinement.unwrap_or(match self.arithmetic {
                Arithmetic::Integer => Refiner::SeqItp,
                _ => Refiner::default(),
            }),
            arithmetic: self.arithmetic,
            integer_solver: match self.arithmetic {
                Arithmetic::Bitvector => None,
                _ => integer_solver(args),
            },
            live_variables: self.live_variables,
            split: self.pred_split,
            por: match args.por {
                Some(PorArg::None) => Por::None,
                Some(PorArg::Spor) => Por::Spor,
                _ => Por::Aaspor,
            },
            coi: self.coi,
            lbe: self.lbe.unwrap_or(self.domain.best_lbe()),
            monitor: self.cex_monitor == "on",
            want_graph: self.arg.is_some(),
            ..CegarConfig::default()
        }
    }
}

/// The first solver that was named and interpolates over integers; if there is none, one from PATH.
fn integer_solver(args: &VerifyArgs) -> Option<FoundSolver> {
    let choices = args.solvers.solvers.iter();
    let mut named = choices.filter_map(|choice| Some(FoundSolver::at(*dialect(&choice.name)?, choice.path.clone()?)));
    named.find(|found| interpolates_integers(&found.dialect)).or_else(find_integer_solver)
}
