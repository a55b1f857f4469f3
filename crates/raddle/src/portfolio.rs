//! Which strategy is used: `--engine` and `--portfolio`.

use crate::args::{AUTO, VerifyArgs};
use raddle_portfolio::Strategy;
use raddle_portfolio::strategy::{BUILT_IN, built_in, read, to_dot};
use std::fs::File;
use std::io::Read;
use std::path::Path;

const DEFAULT: &str = "default";
/// Bytes of a strategy.
const MOST: u64 = 1 << 20;

/// The strategy that the command line asks for; or what is wrong with it.
pub fn chosen(args: &VerifyArgs) -> Result<Strategy, String> {
    match &args.portfolio {
        Some(_) if args.engine != AUTO => Err(format!("--portfolio is for the engine auto, not for {}", args.engine)),
        Some(name) => named(name),
        None if args.engine == AUTO => named(DEFAULT),
        None => Ok(Strategy::single(&args.engine)),
    }
}

fn named(name: &str) -> Result<Strategy, String> {
    read(name, &text(name)?).map_err(|error| error.to_string())
}

/// The text of a strategy: a built-in one, or a file.
pub fn text(name: &str) -> Result<String, String> {
    if let Some(text) = built_in(name) {
        return Ok(text.to_owned());
    }
    if !Path::new(name).exists() {
        let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no strategy `{name}`: write {}, or the name of a TOML file", names.join(", ")));
    }
    let mut text = String::new();
    let read = File::open(name).and_then(|file| file.take(MOST).read_to_string(&mut text));
    match read {
        Ok(bytes) if bytes as u64 == MOST => Err(format!("{name} is too large for a strategy")),
        Ok(_) => Ok(text),
        Err(error) => Err(format!("cannot read {name}: {error}")),
    }
}

/// A strategy as a graph.
pub fn dot(name: &str) -> Result<String, String> {
    named(name).map(|strategy| to_dot(&strategy))
}
