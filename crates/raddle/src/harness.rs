//! `--harness`: a folder with the counterexample as a program that gcc compiles.

use crate::args::VerifyArgs;
use raddle_c::undefined::Undefined;
use raddle_interp::{ReplayEnd, Schedule, record_last};
use raddle_ir::{MemoryModel, Program, Violation};
use raddle_report::Build;
use std::path::{Path, PathBuf};

/// Longer counterexamples would take too much memory.
const MOST_STEPS: usize = 4_000_000;

/// Writes the folder of a counterexample; or says why there is none.
pub fn write(
    folder: &Path,
    args: &VerifyArgs,
    program: &Program,
    schedule: &Schedule,
    undefined: &[Undefined],
) -> Result<(), String> {
    if schedule.memory_model != MemoryModel::Sc {
        return Err("threads that take turns are sequentially consistent".into());
    }
    let (end, execution) = record_last(program, schedule, MOST_STEPS);
    if end == ReplayEnd::ErrorReached(Violation::DataRace) {
        return Err("threads that take turns do not race; ThreadSanitizer (-fsanitize=thread) may show it".into());
    }
    let files = raddle_report::harness(program, &execution, &build(args, undefined)?)?;
    let told = |error: std::io::Error| error.to_string();
    std::fs::create_dir_all(folder).map_err(told)?;
    // Nothing of the user's is overwritten.
    let is_ours = folder.join("raddle_runtime.h").exists();
    if !is_ours && std::fs::read_dir(folder).map_err(told)?.next().is_some() {
        return Err("the folder is not empty, and holds no harness".into());
    }
    // What an earlier build left behind is not of this counterexample.
    match std::fs::remove_file(folder.join("repro")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(told(error)),
        _ => {}
    }
    files.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text)).map_err(told)
}

fn build(args: &VerifyArgs, undefined: &[Undefined]) -> Result<Build, String> {
    let sources = &args.sources;
    let absolute =
        |path: &str| std::path::absolute(path).map_or(path.into(), |path| path.to_string_lossy().into_owned());
    let mut common = Vec::new();
    sources.include_dirs.iter().for_each(|dir| common.push(format!("-I{}", absolute(dir))));
    sources.defines.iter().for_each(|define| common.push(format!("-D{define}")));
    sources.includes.iter().for_each(|file| common.extend(["-include".into(), absolute(file)]));
    let source = |path: &PathBuf| {
        let mut flags = sources.flags.get(path).cloned().unwrap_or_default();
        flags.extend(common.iter().cloned());
        match std::path::absolute(path) {
            Ok(path) => Ok((path.to_string_lossy().into_owned(), flags)),
            Err(error) => Err(error.to_string()),
        }
    };
    let mut build = Build { sources: sources.files.iter().map(source).collect::<Result<_, _>>()?, ..Build::default() };
    for part in undefined {
        match part {
            Undefined::Function { name, result } => build.functions.push((name.clone(), *result)),
            Undefined::Variable { name, size } => build.variables.push((name.clone(), *size)),
        }
    }
    Ok(build)
}
