//! The command line. It is fixed: scripts depend on it.

use crate::cegar_args::CegarArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Parser, Debug)]
#[command(
    name = "raddle",
    version,
    about = "Proves or refutes assertions about (multi-threaded) C programs.",
    after_help = "Exit status: 0 the property holds, 1 it is violated, 2 unknown, 3 bad input or usage, 4 internal error.\n\
                  `raddle FILE...` is short for `raddle verify FILE...`.",
    args_conflicts_with_subcommands = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub verify: VerifyArgs,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Verify C sources (the default command)
    Verify(VerifyArgs),
    /// Show what Raddle makes of C sources
    Show(ShowArgs),
    /// Run a program on concrete values with a seeded scheduler
    Simulate(SimulateArgs),
    /// List the solvers that were found and what each can do
    Solvers(SolversArgs),
}

#[derive(Args, Debug, Clone)]
pub struct Sources {
    /// C sources (.c is preprocessed, .i is not); several are linked to one program
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Sizes of the C types
    #[arg(long, value_enum, ignore_case = true, default_value = "lp64")]
    pub data_model: DataModelArg,
    /// The preprocessor's compiler, run as `CPP -E`
    #[arg(long, value_name = "CPP", default_value = "cc", help_heading = "Preprocessing")]
    pub cpp: String,
    /// Search for headers here
    #[arg(short = 'I', value_name = "DIR", help_heading = "Preprocessing")]
    pub include_dirs: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Preprocessing")]
    pub defines: Vec<String>,
    /// Include a file first
    #[arg(long = "include", value_name = "FILE", help_heading = "Preprocessing")]
    pub includes: Vec<String>,
}

#[derive(Args, Debug, Clone)]
pub struct LimitArgs {
    /// CPU time for the whole run (900s, 15min, 1h; a plain number is seconds)
    #[arg(long, value_name = "TIME", default_value = "900s", help_heading = "Limits")]
    pub timeout: String,
    /// Memory for the whole run (15GB, 512MB)
    #[arg(long, value_name = "SIZE", default_value = "15GB", help_heading = "Limits")]
    pub memory: String,
}

#[derive(Args, Debug, Clone)]
pub struct SolverArgs {
    /// A solver to use: native, or one that runs as a process (z3, cvc5, …), from PATH or from the given place; may be repeated. The engine explore needs none, and oc uses another one than native only with --oc-decision basic, cegar only with --arithmetic integer or efficient
    #[arg(long = "solver", value_name = "NAME[=PATH]", value_parser = crate::solvers::parse_choice, help_heading = "Solvers")]
    pub solvers: Vec<SolverChoice>,
}

/// One `--solver NAME[=PATH]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolverChoice {
    pub name: String,
    /// `None` for the native solver.
    pub path: Option<PathBuf>,
}

#[derive(Args, Debug, Clone)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub sources: Sources,
    /// A .prp file, which means exactly what it says, or a name (then failed assertions count as well): unreach-call,
    /// no-data-race, no-overflow, valid-memsafety, termination, no-deadlock
    #[arg(long, value_name = "P", default_value = "unreach-call")]
    pub property: String,
    /// How to verify
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: EngineArg,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Partial-order reduction: none, persistent (explore), spor or aaspor (cegar)
    #[arg(long, value_enum, value_name = "POR")]
    pub por: Option<PorArg>,
    /// Try all values of a nondeterministic choice up to so many; with more, only a sample
    #[arg(long, value_name = "N", default_value = "256", help_heading = "Engine explore")]
    pub max_choices: u64,
    /// What threads may see of each other's stores: sequential consistency, store buffers (tso, pso), or weakly consistent orders (wsc, engine oc only)
    #[arg(long, value_enum, default_value = "sc")]
    pub memory_model: MemoryModelArg,
    #[command(flatten)]
    pub oc: OcArgs,
    #[command(flatten)]
    pub cegar: CegarArgs,
    #[command(flatten)]
    pub solvers: SolverArgs,
    /// How the result is printed
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub format: FormatArg,
    /// Write statistics to a file
    #[arg(long, value_name = "FILE.json", help_heading = "Output")]
    pub stats: Option<PathBuf>,
    /// Print the verdict only
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,
}

#[derive(Args, Debug, Clone)]
pub struct OcArgs {
    /// Answer true when no violation exists within the bound (unsound)
    #[arg(long, help_heading = "Engine oc")]
    pub trust_bound: bool,
    /// The first bound on iterations of loops whose number is not known
    #[arg(long, value_name = "N", default_value = "2", help_heading = "Engine oc")]
    pub oc_unroll_start: u32,
    /// The last bound; what goes on past it is unknown(bound-reached)
    #[arg(long, value_name = "N", help_heading = "Engine oc")]
    pub oc_unroll_end: Option<u32>,
    /// How orders take part in the search: inside the SAT solver, or by solving again after each round (any --solver can do that)
    #[arg(long, value_enum, default_value = "propagator", help_heading = "Engine oc")]
    pub oc_decision: DecisionArg,
    /// Conflicts to look for before solving: Algorithm 3, or all potential cycles up to a bound
    #[arg(long, value_enum, default_value = "simple", help_heading = "Engine oc")]
    pub oc_conflicts: ConflictsArg,
    /// How many read-froms a generic conflict may have
    #[arg(long, value_name = "N", default_value = "2", help_heading = "Engine oc")]
    pub oc_conflict_bound: u32,
    /// Which read-from is decided next
    #[arg(long, value_enum, default_value = "mixed", help_heading = "Engine oc")]
    pub oc_decide: DecideArg,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryModelArg {
    Sc,
    Wsc,
    Tso,
    Pso,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionArg {
    Propagator,
    Basic,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConflictsArg {
    None,
    Simple,
    Generic,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecideArg {
    /// The SAT solver's own choice
    Solver,
    /// The closest write of the first read that is open
    Closest,
    /// Along program order
    ProgramOrder,
    /// Along program order, and the closest write once there were many decisions
    Mixed,
}

#[derive(Args, Debug)]
pub struct ShowArgs {
    /// What to show
    #[arg(long = "as", value_enum, default_value = "xcfa")]
    pub form: ShowForm,
    /// Show the Program as the engines see it, after all passes
    #[arg(long)]
    pub simplified: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub sources: Sources,
}

#[derive(Args, Debug)]
pub struct SimulateArgs {
    /// Chooses the schedule and the inputs
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
    /// Stop after so many steps
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Print what the program prints, and nothing else
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    pub sources: Sources,
}

#[derive(Args, Debug)]
pub struct SolversArgs {
    #[command(flatten)]
    pub solvers: SolverArgs,
    /// How the list is printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: FormatArg,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataModelArg {
    Ilp32,
    Lp64,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineArg {
    /// In turn: explore briefly, oc if there are threads, cegar, explore
    Auto,
    /// All interleavings and all inputs of small domain, one by one
    Explore,
    /// Partial orders of events in a SAT solver, loops unrolled to growing bounds
    Oc,
    /// Abstraction, refined by counterexamples
    Cegar,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum PorArg {
    /// All interleavings
    None,
    /// Persistent sets, from what each thread may still touch
    Persistent,
    /// Static source sets
    Spor,
    /// Static source sets, by what the abstraction tracks
    Aaspor,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatArg {
    Text,
    Json,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShowForm {
    /// The Program as text
    Xcfa,
    /// The Program as a GraphViz graph
    Dot,
    /// The Program as JSON
    Json,
    /// What an engine choice depends on
    Traits,
    /// The syntax tree
    Ast,
}
