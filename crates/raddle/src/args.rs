//! The command line. It is fixed: scripts depend on it.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use raddle_bounded::{BmcConfig, ImcConfig, KindConfig};
use raddle_c::driver::Entry;
use raddle_cegar::CegarConfig;
use raddle_engine::Por;
use raddle_explore::ExploreConfig;
use raddle_invariants::{InvariantsConfig, ModularConfig};
use raddle_ir::MemoryModel;
use raddle_oc::OcConfig;
use raddle_portfolio::{Registry, Settings};
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

impl Cli {
    /// The sources that the command is about.
    pub fn sources(&mut self) -> Option<&mut Sources> {
        match &mut self.command {
            None => Some(&mut self.verify.sources),
            Some(Command::Verify(args) | Command::Validate(args)) => Some(&mut args.sources),
            Some(Command::Show(args)) => Some(&mut args.sources),
            Some(Command::Simulate(args)) => Some(&mut args.sources),
            Some(_) => None,
        }
    }

    /// `--quiet`, where there is such an option.
    pub fn is_quiet(&self) -> bool {
        match &self.command {
            None => self.verify.quiet,
            Some(Command::Verify(args) | Command::Validate(args)) => args.quiet,
            Some(Command::Simulate(args)) => args.quiet,
            Some(_) => false,
        }
    }
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Verify C sources (the default command)
    Verify(Box<VerifyArgs>),
    /// Check a witness of a verdict: lead the search along a violation, or prove with the invariants that it has
    #[command(mut_arg("witness", |arg| arg.required(true).help("The witness (format 2.0 to 2.2)").help_heading(None::<&str>)))]
    Validate(Box<VerifyArgs>),
    /// Show what Raddle makes of C sources
    Show(ShowArgs),
    /// Run a program on concrete values with a seeded scheduler
    Simulate(SimulateArgs),
    /// List the solvers that were found and what each can do
    Solvers(SolversArgs),
    /// Say what an unknown or error code means, and what to try
    Explain(ExplainArgs),
    /// Sets of tasks, on this machine or on a cluster
    Suite(Box<raddle_suite::SuiteArgs>),
    /// Print what a shell reads to complete command lines
    #[command(hide = true)]
    Completions { shell: clap_complete::Shell },
    /// Write man pages to a folder
    #[command(hide = true)]
    Man {
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// One run of an engine, for the process with this number
    #[command(hide = true)]
    Worker { parent: u32 },
    /// Runs a program that ends with the process that started it, which has this number
    #[command(hide = true)]
    Launch {
        parent: u32,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        command: Vec<std::ffi::OsString>,
    },
}

#[derive(Args, Debug, Clone)]
pub struct Sources {
    /// C sources (.c is preprocessed, .i is not); several are linked to one program
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,
    /// A compilation database (compile_commands.json): the flags of a build for each FILE; without FILE, all its sources
    #[arg(long, value_name = "FILE.json", help_heading = "Preprocessing")]
    pub compile_commands: Option<PathBuf>,
    /// Do not read the options of the project (raddle.toml beside the sources, or above)
    #[arg(long)]
    pub no_config: bool,
    /// The flags that a build has for single files.
    #[arg(skip)]
    pub flags: crate::compile_commands::Flags,
    /// Begin with this function instead of `main`, with any arguments: numbers are any value; pointers lead to fresh objects
    /// of their type, are not null and have no aliases; a `char *` is a string of up to 8 characters; pointers inside records to
    /// what has no known type (`void *`) may be null
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// With --function: so many pointers in a row lead to an object; further ones are null
    #[arg(long, value_name = "N", default_value = "2")]
    pub pointer_depth: u32,
    /// With --function: so many elements are where a pointer leads, or as many as the parameter is written with (`int a[3]`);
    /// accesses past them end the path
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000), default_value = "1")]
    pub array_length: u64,
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

impl Sources {
    /// Where the program begins, if not with `main`.
    pub fn entry(&self) -> Option<Entry> {
        let function = self.function.clone().filter(|name| name != "main")?;
        Some(Entry { function, pointer_depth: self.pointer_depth, array_length: self.array_length })
    }
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

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "it is a number, and at least 1".into())
}

/// As many workers as there are cores.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
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
    /// no-data-race, no-overflow, valid-memsafety, valid-memcleanup, termination, no-deadlock. May be repeated: a verdict for each, and then
    /// the one that sums them up
    #[arg(long = "property", value_name = "P", default_value = "unreach-call")]
    pub properties: Vec<String>,
    /// How to verify
    #[arg(long, value_parser = engine_names(), default_value = "auto")]
    pub engine: String,
    /// The strategy of the engine auto: default, sequential, theta2021, or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    pub portfolio: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Runs of engines at a time; the limits are on their sum
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value_t = cores(), hide_default_value = true, help_heading = "Limits")]
    pub jobs: usize,
    /// Partial-order reduction; an engine that has not this one takes its best
    #[arg(long, value_enum, value_name = "POR")]
    pub por: Option<Por>,
    /// What threads may see of each other's stores
    #[arg(long, value_enum, default_value_t)]
    pub memory_model: MemoryModel,
    #[command(flatten)]
    pub explore: ExploreConfig,
    #[command(flatten)]
    pub oc: OcConfig,
    #[command(flatten)]
    pub cegar: CegarConfig,
    #[command(flatten)]
    pub invariants: InvariantsConfig,
    #[command(flatten)]
    pub modular: ModularConfig,
    #[command(flatten)]
    pub bmc: BmcConfig,
    #[command(flatten)]
    pub kind: KindConfig,
    #[command(flatten)]
    pub imc: ImcConfig,
    #[command(flatten)]
    pub solvers: SolverArgs,
    /// How the result is printed
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub format: FormatArg,
    /// Write statistics to a file
    #[arg(long, value_name = "FILE.json", help_heading = "Output")]
    pub stats: Option<PathBuf>,
    /// Write a witness of the verdict to a file, which other tools can check
    #[arg(long, value_name = "FILE.yml", help_heading = "Output")]
    pub witness: Option<PathBuf>,
    /// The format of the witness
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "yaml", help_heading = "Output")]
    pub witness_format: WitnessFormatArg,
    /// Write a counterexample that can be compiled and run to a folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub harness: Option<PathBuf>,
    /// Write a report for people to a file: one page that a browser shows, offline
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    pub report: Option<PathBuf>,
    /// List every violation of the property, not only the first: races by the two accesses, others by the place
    #[arg(long, help_heading = "Output")]
    pub all: bool,
    /// Show all steps of a violation, also those that it does not depend on
    #[arg(long, help_heading = "Output")]
    pub full: bool,
    /// Print the verdict only
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,
    /// Say on standard error what is going on
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "warn", help_heading = "Output")]
    pub log: LogArg,
}

/// How much `--log` says.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogArg {
    Off,
    Error,
    Warn,
    /// Engines and their outcomes
    Info,
    /// And how far they are
    Debug,
    Trace,
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
    pub format: ListFormat,
}

#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The code of a verdict `unknown(CODE)`, or an exit status; without it, all are listed
    pub code: Option<String>,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataModelArg {
    Ilp32,
    Lp64,
}

/// The engine that is none.
pub const AUTO: &str = "auto";

/// The names of the engines, with what they do.
fn engine_names() -> PossibleValuesParser {
    let registry = Registry::new(&Settings::default());
    let auto = PossibleValue::new(AUTO).help("A strategy of runs of the others (see --portfolio)");
    let names = registry.engines().map(|engine| PossibleValue::new(engine.name()).help(engine.summary()));
    PossibleValuesParser::new(std::iter::once(auto).chain(names).collect::<Vec<_>>())
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum WitnessFormatArg {
    /// YAML, version 2.0 to 2.2
    Yaml,
    /// An automaton, version 1.0 (to be written only)
    Graphml,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatArg {
    /// For people
    Text,
    /// For programs (docs/schema/report-1.json says what is in it)
    Json,
    /// SARIF 2.1.0, for code-scanning dashboards and editors
    Sarif,
}

/// How a list is printed.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListFormat {
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
    /// A strategy, by its name or file
    Portfolio,
    /// A strategy as a GraphViz graph
    PortfolioDot,
}
