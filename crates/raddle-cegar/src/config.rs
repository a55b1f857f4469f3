//! How the engine is configured. Every choice has a name, which is what the command line calls it.

pub use raddle_passes::Lbe;
use raddle_smt::smtlib::FoundSolver;
use std::time::Duration;

/// A choice with a name.
pub trait Choice: Copy + Send + Sync + Sized + 'static {
    const ALL: &'static [(&'static str, Self)];

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, choice)| *choice)
    }
}

macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub enum $name {
            $($(#[$vdoc])* $variant),*
        }

        impl Choice for $name {
            const ALL: &'static [(&'static str, Self)] = &[$(($text, $name::$variant)),*];
        }
    )*};
}

choices! {
    /// What an abstract state can say of data.
    Domain {
        /// Values of variables.
        Expl = "expl",
        /// A conjunction of predicates.
        PredCart = "pred-cart",
        /// Any Boolean combination of predicates.
        PredBool = "pred-bool",
        /// A conjunction of predicates; what a conjunction cannot say is split into several states.
        PredSplit = "pred-split",
        /// Values of some variables, and predicates.
        #[default]
        ExplPred = "expl-pred",
    }

    /// Which node is expanded next.
    Search {
        #[default]
        Bfs = "bfs",
        Dfs = "dfs",
        /// The one whose threads are closest to an error.
        Err = "err",
    }

    /// What is tracked from the beginning.
    InitialPrecision {
        #[default]
        Empty = "empty",
        AllVars = "allvars",
        AllGlobals = "allglobals",
        /// The atoms of all conditions.
        AllAssumes = "allassumes",
    }

    Granularity {
        /// What is tracked is tracked everywhere.
        #[default]
        Global = "global",
        /// What is tracked is tracked where a refinement asked for it.
        Local = "local",
    }

    /// What a refinement takes out of the graph.
    Prune {
        /// What follows the first node that it changes.
        #[default]
        Lazy = "lazy",
        Full = "full",
    }

    Refiner {
        SeqItp = "seq-itp",
        BwBinItp = "bw-bin-itp",
        FwBinItp = "fw-bin-itp",
        /// Sequence interpolation for several counterexamples at a time.
        MultiSeq = "multi-seq",
        UnsatCore = "unsat-core",
        NwtSp = "nwt-sp",
        NwtWp = "nwt-wp",
        NwtItSp = "nwt-it-sp",
        #[default]
        NwtItWp = "nwt-it-wp",
    }

    /// What interpolants are computed in. The abstraction, counterexamples and proofs are of bit-vectors in any case.
    Arithmetic {
        /// Integers where they can say what the path does, bit-vectors elsewhere.
        Efficient = "efficient",
        #[default]
        Bitvector = "bitvector",
        /// Integers only.
        Integer = "integer",
    }

    /// What a predicate is made of.
    PredSplit {
        Whole = "whole",
        Conjuncts = "conjuncts",
        #[default]
        Atoms = "atoms",
    }

    /// Partial-order reduction.
    Por {
        None = "none",
        /// Static source sets, by the variables that actions have in common.
        Spor = "spor",
        /// The same, by the variables that they have in common and that are tracked.
        #[default]
        Aaspor = "aaspor",
    }

    /// Cone of influence.
    Coi {
        None = "none",
        Static = "static",
        #[default]
        Dynamic = "dynamic",
        Both = "both",
    }
}

impl Choice for Lbe {
    const ALL: &'static [(&'static str, Self)] =
        &[("none", Lbe::None), ("seq", Lbe::Seq), ("full", Lbe::Full), ("local", Lbe::Local)];
}

impl Domain {
    /// The encoding that solves most. Of a conditional value whose condition is open, values alone say nothing, where two branches would have two values.
    pub fn best_lbe(self) -> Lbe {
        if self == Domain::Expl { Lbe::Seq } else { Lbe::Full }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct CegarConfig {
    pub domain: Domain,
    /// How many successors are enumerated where a value is not determined.
    pub max_enum: u32,
    pub search: Search,
    pub initial: InitialPrecision,
    pub granularity: Granularity,
    pub prune: Prune,
    pub refiner: Refiner,
    /// Newton-style refinement forgets variables that are not live.
    pub live_variables: bool,
    pub split: PredSplit,
    pub arithmetic: Arithmetic,
    /// Interpolates over integers.
    pub integer_solver: Option<FoundSolver>,
    pub por: Por,
    pub coi: Coi,
    pub lbe: Lbe,
    /// Notice counterexamples and graphs that come back.
    pub monitor: bool,
    /// Recursive calls are inlined so deep at first.
    pub recursion_bound: u32,
    /// CPU time for one question to a solver.
    pub query_time: Option<Duration>,
    /// Return the graph, too.
    pub want_graph: bool,
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
            refiner: Refiner::default(),
            live_variables: false,
            split: PredSplit::default(),
            arithmetic: Arithmetic::default(),
            integer_solver: None,
            por: Por::default(),
            coi: Coi::default(),
            lbe: Lbe::default(),
            monitor: true,
            recursion_bound: 5,
            query_time: None,
            want_graph: false,
        }
    }
}
