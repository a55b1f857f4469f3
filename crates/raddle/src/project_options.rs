//! `raddle.toml`: the options of a project, beside its sources.
//!
//!     engine = "oc"                # --engine oc
//!     timeout = "60s"
//!     include-dirs = ["include"]   # -I
//!     defines = ["NDEBUG"]         # -D
//!
//! A key is the long name of an option of `verify`. The file is found in the folder of the first FILE (without FILE, in the current
//! one) or above it, but not above a `.git`. Its options become words of the command line, before the user's own, and are checked as
//! these are. The command line wins: an option that it gives is not taken from the file; only lists for the preprocessor add up.
//! Paths count from the file's folder. Whoever verifies a folder does not thereby run its programs or let it write files: options that name
//! either are for the command line alone.

use crate::args::Cli;
use crate::explain::closest;
use crate::limits;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, Command, CommandFactory, Parser};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::{Spanned, Value};

const NAME: &str = "raddle.toml";
/// An environment variable that says the same as `--no-config`.
const NO_CONFIG: &str = "RADDLE_NO_CONFIG";

/// What the command line becomes, and the file that had a say in it.
pub struct CommandLine {
    pub words: Vec<OsString>,
    pub file: Option<PathBuf>,
}

/// Adds the options of the project. A command line that is wrong is left to whoever reads it next.
pub fn complete(given: Vec<OsString>) -> Result<CommandLine, String> {
    let unchanged = |words| Ok(CommandLine { words, file: None });
    // They are started often.
    if given.get(1).is_some_and(|word| word == "worker" || word == "launch") {
        return unchanged(given);
    }
    let mut command = Cli::command();
    command.build();
    let (matches, is_complete) = match command.clone().try_get_matches_from(&given) {
        Ok(matches) => (matches, true),
        // The files may be those of a build that the project names.
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            let stand_in = [given.clone(), vec!["--compile-commands=stand-in".into()]].concat();
            match command.clone().try_get_matches_from(stand_in) {
                Ok(matches) => (matches, false),
                Err(_) => return unchanged(given),
            }
        }
        Err(_) => return unchanged(given),
    };
    let verify = command.find_subcommand("verify").unwrap_or(&command).clone();
    let (command, matches, at) = match matches.subcommand() {
        None => (command.clone(), &matches, 1),
        Some((name @ ("verify" | "validate" | "show" | "simulate"), matches)) => {
            (command.find_subcommand(name).unwrap_or(&command).clone(), matches, 2)
        }
        Some(_) => return unchanged(given),
    };
    if matches.get_flag("no_config") || std::env::var_os(NO_CONFIG).is_some() {
        return unchanged(given);
    }
    let Some(file) = find(matches.get_many::<PathBuf>("files").and_then(|mut files| files.next())) else {
        return unchanged(given);
    };
    let is_given = |id: &str| {
        let is_stand_in = id == "compile_commands" && !is_complete;
        !is_stand_in && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let added = read(&file, &verify, |option| taken(option, &command, &is_given))?;
    let mut words = given;
    words.splice(at..at, added);
    Ok(CommandLine { words, file: Some(file) })
}

/// Lists whose words of the command line come after those of the file.
const ADD_UP: [&str; 3] = ["include_dirs", "defines", "includes"];

/// Is an option of the file to be taken?
fn taken(option: &Arg, command: &Command, is_given: &dyn Fn(&str) -> bool) -> bool {
    let id = option.get_id().as_str();
    command.get_arguments().any(|other| other.get_id() == id) && (ADD_UP.contains(&id) || !is_given(id))
}

/// The file of the project that a source belongs to.
fn find(source: Option<&PathBuf>) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let folder = source.map_or(here.clone(), |source| here.join(source).parent().unwrap_or(&here).to_owned());
    for folder in folder.ancestors() {
        let file = folder.join(NAME);
        if file.is_file() {
            return Some(file.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(file));
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}

/// The options of a file as words of a command line; those that are wanted.
fn read(file: &Path, verify: &Command, is_wanted: impl Fn(&Arg) -> bool) -> Result<Vec<OsString>, String> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
    let error = |place: Range<usize>, message: &str| {
        let line = text.get(..place.start).unwrap_or("").matches('\n').count() + 1;
        let source_line = text.lines().nth(line - 1).unwrap_or("");
        format!("{name}:{line}: error: {message}\n {line} | {source_line}")
    };
    let options: BTreeMap<Spanned<String>, Spanned<Value>> =
        toml::from_str(&text).map_err(|e| error(e.span().unwrap_or(0..0), e.message()))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let known: BTreeMap<String, &Arg> = verify.get_arguments().filter_map(|arg| Some((key(arg)?, arg))).collect();
    let mut all = Vec::new();
    for (key, value) in &options {
        let Some(option) = known.get(key.get_ref()) else {
            let hint = closest(key.get_ref(), known.keys().map(String::as_str));
            let hint =
                hint.map_or("`raddle verify --help` lists the options".into(), |k| format!("did you mean `{k}`?"));
            return Err(error(key.span(), &format!("there is no option `{}`: {hint}", key.get_ref())));
        };
        if runs_or_writes(option.get_id().as_str(), value.get_ref()) {
            let what =
                format!("`{}` is for the command line alone: it names a program, or a file to write", key.get_ref());
            return Err(error(key.span(), &what));
        }
        let words = words(option, key.get_ref(), value.get_ref(), folder);
        let words = words.and_then(|words| check(key.get_ref(), &words, value.get_ref()).map(|()| words));
        let words = words.map_err(|message| error(value.span(), &message))?;
        if is_wanted(option) {
            all.extend(words.into_iter().map(OsString::from));
        }
    }
    Ok(all)
}

/// Would the option run a program of the project's choice, or write a file?
fn runs_or_writes(option: &str, value: &Value) -> bool {
    let names_path = |value: &Value| value.as_str().is_some_and(|text| text.contains(['=', '/']));
    match option {
        "cpp" | "stats" | "graph" | "witness" | "report" | "harness" => true,
        "solvers" => names_path(value) || value.as_array().is_some_and(|all| all.iter().any(names_path)),
        _ => false,
    }
}

/// The key of an option: its long name, or for `-I` and `-D`, what it is a list of.
fn key(option: &Arg) -> Option<String> {
    let is_option = !option.is_positional() && !matches!(option.get_id().as_str(), "help" | "version" | "no_config");
    let name = || option.get_long().map_or_else(|| option.get_id().as_str().replace('_', "-"), str::to_owned);
    is_option.then(name)
}

fn words(option: &Arg, key: &str, value: &Value, folder: &Path) -> Result<Vec<String>, String> {
    if !option.get_action().takes_values() {
        return match value {
            Value::Boolean(true) => Ok(vec![format!("--{key}")]),
            Value::Boolean(false) => Ok(vec![]),
            _ => Err(format!("`{key}` is true or false")),
        };
    }
    let word = |value: &Value| {
        let text = match value {
            Value::String(text) => in_folder(option.get_id().as_str(), text, folder),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            _ => return Err(format!("`{key}` is a text or a number")),
        };
        Ok(match (option.get_long(), option.get_short()) {
            (None, Some(short)) => format!("-{short}{text}"),
            _ => format!("--{key}={text}"),
        })
    };
    match value {
        Value::Array(values) if matches!(option.get_action(), ArgAction::Append) => values.iter().map(word).collect(),
        Value::Array(_) => Err(format!("`{key}` has one value, not a list")),
        _ => Ok(vec![word(value)?]),
    }
}

/// A path counts from the folder of the file. What may also be a name is a path if there is such a file.
fn in_folder(option: &str, text: &str, folder: &Path) -> String {
    let path = folder.join(text);
    let is_path = match option {
        "include_dirs" | "compile_commands" => true,
        "includes" | "properties" | "portfolio" => path.is_file(),
        _ => false,
    };
    if is_path { path.display().to_string() } else { text.to_owned() }
}

/// What the command line would say to these words.
fn check(key: &str, words: &[String], value: &Value) -> Result<(), String> {
    match (key, value) {
        ("timeout", Value::String(text)) => drop(limits::parse_time(text)?),
        ("memory", Value::String(text)) => drop(limits::parse_size(text)?),
        _ => {}
    }
    let line = ["raddle", "verify"].into_iter().chain(words.iter().map(String::as_str)).chain(["a.c"]);
    Cli::try_parse_from(line).map(drop).map_err(|error| {
        let text = error.to_string();
        // The first paragraph says what is wrong, and what would be right.
        let first = text.split("\n\n").next().unwrap_or("").trim_start_matches("error: ").trim_end();
        first.split('\n').map(str::trim).collect::<Vec<_>>().join(" ")
    })
}
