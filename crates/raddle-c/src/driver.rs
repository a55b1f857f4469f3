//! The frontend as one call: files in, a Program out.
//!
//! Everything runs on a thread with a large stack, since the phases recurse over trees as deep as the parser allows.

use crate::ast::{Derived, Item, ParamList, Symbol, Unit};
use crate::error::{Error, ErrorKind};
use crate::hir::Hir;
use crate::interner::Interner;
use crate::lower::{LowerOptions, Lowered};
use crate::places::Places;
use crate::prelude::{is_word, silent};
use crate::preprocess::{CppOptions, read_source};
use crate::probes::{Probe, Probes, Site};
use crate::source::SourceMap;
use crate::types::DataModel;
use crate::undefined::{Undefined, undefined};
use crate::{diagnostics, lower, output_calls, parser, prelude, sema, show_ast};
use raddle_ir::{LocId, ProcId, Program, Shapes, Span, Violation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// Reserved, not used: only what recursion really needs becomes memory. Where address space is limited, less must do.
const STACKS: [usize; 3] = [1 << 30, 1 << 28, 1 << 26];

/// The name of the text of library functions, in places.
pub use crate::sema::Entry;
pub use raddle_ir::LIBRARY;

/// How a failure begins that is a bug of the frontend's.
pub const NOT_WELL_SORTED: &str = "unsupported: the frontend made a Program that makes no sense (a bug in Raddle)";

/// How the name of the text of a probe's condition begins, in places.
const PROBE: &str = "<condition> ";

impl Failure {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), probe: None }
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    pub model: DataModel,
    pub cpp: CppOptions,
    pub lower: LowerOptions,
}

/// A Program and what the user should know about it.
#[derive(Debug)]
pub struct Loaded {
    pub program: Program,
    /// Rendered, with places.
    pub warnings: Vec<String>,
    /// How many bytes of source there were, after preprocessing.
    pub source_bytes: usize,
    /// Where the places of the Program are in the input files.
    pub places: Places,
    /// What its parts are called.
    pub shapes: Shapes,
    /// What the program declares and nobody defines.
    pub undefined: Vec<Undefined>,
    /// Where the probes are that were asked for, and those for which there is no place.
    pub probes: Vec<Site>,
    pub missing: Vec<usize>,
    /// With probes: the calls of functions that have a body, by the location before, with their closing parentheses.
    pub calls: Vec<(ProcId, LocId, Span)>,
}

/// Why there is no Program, rendered with file, line and source line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub kind: ErrorKind,
    pub message: String,
    /// The probe whose condition is to blame.
    pub probe: Option<usize>,
}

/// Reads, parses, checks, links and lowers C files to one Program.
pub fn load(paths: &[PathBuf], options: &Options) -> Result<Loaded, Failure> {
    load_with(None, paths, options, &[])
}

/// The same for a program that begins elsewhere than with `main`.
pub fn load_from(entry: Option<&Entry>, paths: &[PathBuf], options: &Options) -> Result<Loaded, Failure> {
    load_with(entry, paths, options, &[])
}

/// The same for a program that begins with `main`, with probes at some places.
pub fn load_probed(paths: &[PathBuf], options: &Options, probes: &[Probe]) -> Result<Loaded, Failure> {
    load_with(None, paths, options, probes)
}

fn load_with(entry: Option<&Entry>, paths: &[PathBuf], options: &Options, probes: &[Probe]) -> Result<Loaded, Failure> {
    let (entry, paths, options, probes) = (entry.cloned(), paths.to_vec(), options.clone(), probes.to_vec());
    on_large_stack(move || Front::read(&paths, &options)?.load(&options, entry.as_ref(), &probes))
}

/// The same for one text that is preprocessed already.
pub fn load_text(name: &str, text: Vec<u8>, options: &Options) -> Result<Loaded, Failure> {
    let (name, options) = (name.to_string(), options.clone());
    on_large_stack(move || {
        let mut front = Front { sources: SourceMap::new(), interner: Interner::new() };
        front.add(&name, text.clone())?;
        front.load(&options, None, &[])
    })
}

/// The syntax trees of C files, for people.
pub fn show_syntax(paths: &[PathBuf], options: &Options) -> Result<String, Failure> {
    let (paths, options) = (paths.to_vec(), options.clone());
    on_large_stack(move || {
        let mut front = Front::read(&paths, &options)?;
        let units = front.parse_all()?;
        Ok(units.iter().map(|unit| show_ast::show(unit, &front.interner, &front.sources)).collect())
    })
}

fn on_large_stack<T: Send + 'static>(
    run: impl Fn() -> Result<T, Failure> + Send + Sync + 'static,
) -> Result<T, Failure> {
    let run = Arc::new(run);
    let start = |size: &usize| {
        let run = run.clone();
        std::thread::Builder::new().name("frontend".into()).stack_size(*size).spawn(move || run()).ok()
    };
    let Some(thread) = STACKS.iter().find_map(start) else {
        let message = "there is not enough memory to start a thread";
        return Err(Failure::new(ErrorKind::OutOfMemory, message));
    };
    // A panic is a bug: let it surface as one.
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

struct Front {
    sources: SourceMap,
    interner: Interner,
}

impl Front {
    fn read(paths: &[PathBuf], options: &Options) -> Result<Front, Failure> {
        let mut front = Front { sources: SourceMap::new(), interner: Interner::new() };
        for path in paths {
            let bits = (options.model.pointer_bytes() * 8) as u32;
            let text =
                read_source(path, &options.cpp, bits).map_err(|error| Failure::new(error.kind, error.message))?;
            front.add(&path.to_string_lossy(), text)?;
        }
        Ok(front)
    }

    fn add(&mut self, name: &str, text: Vec<u8>) -> Result<usize, Failure> {
        self.sources.add(name, text).map_err(|message| Failure::new(ErrorKind::Invalid, message))
    }

    fn load(&mut self, options: &Options, entry: Option<&Entry>, probes: &[Probe]) -> Result<Loaded, Failure> {
        let source_bytes = self.sources.texts.iter().map(|t| t.text.len()).sum();
        let (hir, missing) = self.check(options, entry, probes)?;
        let lowered = lower::lower(&hir, &self.sources, &options.lower);
        let Lowered { program, warnings, positions, typed, statements, probes, calls } =
            lowered.map_err(|e| self.failure(&e))?;
        // What is not well-sorted would be misunderstood later on: better no answer than a wrong one.
        if let Err(problem) = raddle_ir::validate(&program) {
            let message = format!("{NOT_WELL_SORTED}: {problem}\n");
            return Err(Failure::new(ErrorKind::Unsupported, message));
        }
        let warnings = warnings.iter().map(|w| diagnostics::render_warning(&self.sources, w.pos, &w.message)).collect();
        let undefined = undefined(&hir, &self.sources);
        let places = Places { statements, sources: std::mem::take(&mut self.sources), positions };
        let shapes = lower::shapes::shapes(&hir.types, &self.interner, &typed);
        Ok(Loaded { program, warnings, source_bytes, places, shapes, undefined, probes, missing, calls })
    }

    fn failure(&self, error: &Error) -> Failure {
        let mut message = diagnostics::render(&self.sources, error);
        if error.pos.is_none() {
            let files: Vec<&str> = self.sources.texts.iter().map(|t| &*t.path).filter(|p| *p != LIBRARY).collect();
            message = format!("{}: {message}", files.join(", "));
        }
        let probe = error
            .pos
            .and_then(|pos| self.sources.physical(pos))
            .and_then(|(text, ..)| text.path.strip_prefix(PROBE)?.parse().ok());
        Failure { kind: error.kind, message, probe }
    }

    fn parse_all(&mut self) -> Result<Vec<Unit>, Failure> {
        let mut units = Vec::new();
        for text in 0..self.sources.texts.len() {
            let unit = parser::parse(&self.sources, text, &mut self.interner).map_err(|e| self.failure(&e))?;
            units.push(unit);
        }
        Ok(units)
    }

    /// The typed tree, and the probes for which there is no place in it.
    fn check(
        &mut self,
        options: &Options,
        entry: Option<&Entry>,
        asked: &[Probe],
    ) -> Result<(Hir, Vec<usize>), Failure> {
        let mut units = self.parse_all()?;
        units.push(self.prelude(options, &units)?);
        let mut probes = self.probes(asked)?;
        let checked = sema::check_as(&units, &mut self.interner, &self.sources, options.model, entry, &mut probes);
        let (hir, _) = checked.map_err(|e| self.failure(&e))?;
        Ok((hir, probes.missing()))
    }

    fn probes(&mut self, asked: &[Probe]) -> Result<Probes, Failure> {
        let mut contents = Vec::new();
        for text in self.sources.texts.iter().filter(|text| !asked.is_empty() && text.path != LIBRARY) {
            contents.extend(std::fs::read(&text.path).ok().map(|bytes| (text.path.clone(), bytes)));
        }
        let mut texts = Vec::new();
        for (number, probe) in asked.iter().enumerate() {
            let text =
                probe.condition.as_ref().map(|text| self.add(&format!("{PROBE}{number}"), text.clone().into_bytes()));
            texts.push(text.transpose()?);
        }
        Ok(Probes::new(asked.to_vec(), texts, contents))
    }

    /// The library functions written in C. A name that the program gives a meaning of its own (a function it defines, a variable called
    /// `free`) is left to it: what the library itself needs of that name gets another one.
    fn prelude(&mut self, options: &Options, units: &[Unit]) -> Result<Unit, Failure> {
        let taken: FxHashSet<&str> = units
            .iter()
            .flat_map(|unit| &unit.items)
            .flat_map(names_taken)
            .map(|name| self.interner.name(name))
            .filter(|name| !prelude::VARIABLES.contains(name))
            .collect();
        let declarations = declared(units, &self.interner);
        let follows_formats = output_calls::follows_formats(units, &self.interner, &declarations);
        let uses = prelude::Uses {
            interner: &self.interner,
            declarations,
            taken: &taken,
            labels: asm_labels(units),
            has_arguments: units.iter().any(|unit| has_arguments(unit, &self.interner)),
            follows_formats,
            counts_deadlocks: options.lower.counts.has(Violation::Deadlock),
        };
        let size_type = match options.model {
            DataModel::Ilp32 => "unsigned int",
            DataModel::Lp64 => "unsigned long",
        };
        let text = rename(&prelude::needed(&uses).replace("__SIZE_TYPE__", size_type), &taken).into_bytes();
        let index = self.add(LIBRARY, text)?;
        parser::parse(&self.sources, index, &mut self.interner).map_err(|e| self.failure(&e))
    }
}

/// How often functions, and variables of the library, are declared at file scope, and not defined.
fn declared(units: &[Unit], interner: &Interner) -> FxHashMap<Symbol, u32> {
    let mut times: FxHashMap<Symbol, u32> = FxHashMap::default();
    for item in units.iter().flat_map(|unit| &unit.items) {
        let Item::Declaration(declaration) = item else { continue };
        for one in &declaration.declarators {
            let Some(name) = one.declarator.name else { continue };
            let is_function = matches!(one.declarator.derived.first(), Some(Derived::Function(_)));
            if is_function || prelude::VARIABLES.contains(&interner.name(name)) {
                *times.entry(name).or_default() += 1;
            }
        }
    }
    times
}

/// The names that `asm("…")` gives to what is declared at file scope.
fn asm_labels(units: &[Unit]) -> FxHashSet<&[u8]> {
    let mut labels = FxHashSet::default();
    for item in units.iter().flat_map(|unit| &unit.items) {
        match item {
            Item::Declaration(declaration) => {
                labels.extend(declaration.declarators.iter().filter_map(|one| one.declarator.asm_label.as_deref()));
            }
            Item::Function(function) => labels.extend(function.declarator.asm_label.as_deref()),
            _ => {}
        }
    }
    labels.into_iter().map(|label: &[u8]| label.strip_suffix(&[0]).unwrap_or(label)).collect()
}

/// Has `main` parameters?
fn has_arguments(unit: &Unit, interner: &Interner) -> bool {
    unit.items.iter().any(|item| match item {
        Item::Function(function) => {
            let is_main = function.declarator.name.is_some_and(|name| interner.name(name) == "main");
            let count = match function.declarator.derived.first() {
                Some(Derived::Function(ParamList::Prototype { params, .. })) => params.len(),
                Some(Derived::Function(ParamList::Identifiers(names))) => names.len(),
                _ => 0,
            };
            is_main && count > 1
        }
        _ => false,
    })
}

/// The names that an item defines as functions or declares as something else than functions.
fn names_taken(item: &Item) -> Vec<Symbol> {
    match item {
        Item::Function(function) => function.declarator.name.into_iter().collect(),
        Item::Declaration(declaration) => declaration
            .declarators
            .iter()
            .map(|d| &d.declarator)
            .filter(|d| !matches!(d.derived.first(), Some(Derived::Function(_))))
            .filter_map(|d| d.name)
            .collect(),
        _ => vec![],
    }
}

/// Puts `__raddle_own_` before these names, but not in strings, characters and comments.
fn rename(text: &str, names: &FxHashSet<&str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| is_word(c) || matches!(c, '"' | '\'' | '/')) {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        let end = silent(from).unwrap_or_else(|| from.find(|c| !is_word(c)).unwrap_or(from.len()).max(1));
        let (word, after) = from.split_at(end);
        if names.contains(word) {
            out.push_str("__raddle_own_");
        }
        out.push_str(word);
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_renamed_and_literals_are_not() {
        let names = ["a", "n"].into_iter().collect();
        let text = r#"a + 'a' + "a\" a" /* it's a */ / n['"'] + '\'' + a"#;
        let renamed = r#"__raddle_own_a + 'a' + "a\" a" /* it's a */ / __raddle_own_n['"'] + '\'' + __raddle_own_a"#;
        assert_eq!(rename(text, &names), renamed);
    }
}
