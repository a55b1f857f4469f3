//! `--witness`: what another tool needs to check a verdict, in the exchange format.
//!
//! An unknown verdict has no witness. The format knows sequential consistency only, so a verdict under a weaker memory model has none either.

use crate::args::{DataModelArg, VerifyArgs, WitnessFormatArg};
use crate::frontend_options;
use raddle_c::driver;
use raddle_c::lower::LowerOptions;
use raddle_c::places::Places;
use raddle_engine::{Budget, Outcome, Proof, Task, Telling};
use raddle_interp::Schedule;
use raddle_ir::Violations;
use raddle_ir::{Edge, Label, LocId, MemoryModel, ProcId, Property, Span, Violation};
use raddle_witness::{
    Content, Entry, Item, Line, Location, Metadata, Producer, Version, graphml, hash, invariants, questions,
    understood, violation,
};
use std::path::Path;

/// Longer counterexamples are told from both ends.
const MOST_STEPS: usize = 500_000;

/// Writes the witness of an outcome; or says why there is none.
pub fn write(path: &Path, args: &VerifyArgs, task: &Task, outcome: &Outcome, places: &Places) -> Result<(), String> {
    if task.memory_model() != MemoryModel::Sc {
        return Err("witnesses speak of sequential consistency only".into());
    }
    let inputs = Inputs::read(args, places)?;
    let (version, content, said) = match outcome {
        Outcome::Unsafe(schedule) => violated(task, schedule, &inputs)?,
        Outcome::Safe(proof) => holds(args, task, proof, &inputs),
        Outcome::Unknown(_) => return Ok(()),
    };
    let given = args.properties.first().map_or("", String::as_str);
    let metadata = metadata(version, args, specification(given, task.property(), said), &inputs);
    let entry = Entry { metadata, content, at: Line::default() };
    let text = match args.witness_format {
        WitnessFormatArg::Yaml => raddle_witness::write(&[entry])?,
        WitnessFormatArg::Graphml => graphml(&entry, &|location| inputs.called(location)),
    };
    std::fs::write(path, text).map_err(|error| error.to_string())
}

/// What a witness says of a property that has parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    Calls,
    Assertions,
    Both,
}

fn violated(task: &Task, schedule: &Schedule, inputs: &Inputs) -> Result<(Version, Content, Said), String> {
    let trace = task.trace(schedule, Telling::Ends(MOST_STEPS))?;
    let (version, segments) = violation(task.program(), schedule, &trace, inputs)?;
    let last = trace.steps.last().and_then(|step| Some(&task.program().proc(step.proc).edges[step.edge?.index()]));
    let said = if last.is_some_and(fails_assertion) { Said::Assertions } else { Said::Calls };
    Ok((version, Content::Violation(segments), said))
}

fn holds(args: &VerifyArgs, task: &Task, proof: &Proof, inputs: &Inputs) -> (Version, Content, Said) {
    let has_assertions = task.program().procs.iter().flat_map(|proc| &proc.edges).any(fails_assertion);
    let said = if has_assertions { Said::Both } else { Said::Calls };
    let written = invariants(task.program(), proof, inputs);
    (Version::V2_1, Content::Invariants(read_again(args, written, inputs).unwrap_or_default()), said)
}

fn fails_assertion(edge: &Edge) -> bool {
    edge.labels.iter().any(|label| matches!(label, Label::Error(Violation::Assertion)))
}

/// The invariants that mean at their places what they should.
fn read_again(args: &VerifyArgs, written: Vec<Item>, inputs: &Inputs) -> Option<Vec<Item>> {
    if written.is_empty() {
        return Some(written);
    }
    let files: Vec<String> = inputs.files.iter().map(|(file, _)| file.clone()).collect();
    let probes = questions(&written, &files).ok()?;
    // What becomes an error makes no difference to names.
    let lower = LowerOptions { counts: Violations::ERRORS, concrete_arguments: false };
    let options = frontend_options(&args.sources, lower, &Budget::unlimited());
    let loaded = driver::load_probed(&args.sources.files, &options, &probes).ok()?;
    Some(understood(written, &loaded.program, &loaded.probes, &loaded.missing))
}

/// The input files, and where places of the Program are in them.
pub struct Inputs<'a> {
    pub files: Vec<(String, Vec<u8>)>,
    places: &'a Places,
}

impl<'a> Inputs<'a> {
    pub fn read(args: &VerifyArgs, places: &'a Places) -> Result<Inputs<'a>, String> {
        let read = |path: &std::path::PathBuf| match std::fs::read(path) {
            Ok(bytes) => Ok((path.to_string_lossy().into_owned(), bytes)),
            Err(error) => Err(format!("{}: {error}", path.display())),
        };
        Ok(Inputs { files: args.sources.files.iter().map(read).collect::<Result<_, _>>()?, places })
    }
}

impl Inputs<'_> {
    /// The function that is called where a closing parenthesis stands.
    fn called(&self, location: &Location) -> Option<String> {
        let (_, bytes) = self.files.iter().find(|(file, _)| *file == location.file_name)?;
        let line = bytes.split(|byte| *byte == b'\n').nth((location.line as usize).checked_sub(1)?)?;
        let line: Vec<char> = String::from_utf8_lossy(line).chars().collect();
        let mut depth = 0;
        for at in (0..location.column? as usize).rev() {
            match line.get(at)? {
                ')' => depth += 1,
                '(' if depth == 1 => {
                    let is_name = |c: &&char| c.is_ascii_alphanumeric() || **c == '_';
                    let is_between = |c: &&char| c.is_whitespace() || **c == ')';
                    let name: Vec<char> =
                        line[..at].iter().rev().skip_while(is_between).take_while(is_name).copied().collect();
                    return Some(name.iter().rev().collect()).filter(|name: &String| !name.is_empty());
                }
                '(' => depth -= 1,
                _ => {}
            }
        }
        None
    }
}

impl raddle_witness::Places for Inputs<'_> {
    fn locate(&self, span: Span) -> Option<Location> {
        let bytes = |name: &str| Some(self.files.iter().find(|(file, _)| file == name)?.1.as_slice());
        let place = self.places.in_input(span, &bytes)?;
        Some(Location { file_name: place.file, line: place.line, column: place.character, function: None })
    }

    fn word(&self, span: Span) -> String {
        self.places.word(span).to_owned()
    }

    fn statement(&self, proc: ProcId, loc: LocId) -> Option<Span> {
        self.places.statement(proc, loc)
    }
}

fn metadata(version: Version, args: &VerifyArgs, specification: String, inputs: &Inputs) -> Metadata {
    Metadata {
        version,
        uuid: raddle_witness::new_uuid(),
        creation_time: raddle_witness::now(),
        producer: Producer {
            name: "Raddle".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            configuration: Some(args.engine.clone()),
            command_line: None,
        },
        task: raddle_witness::Task {
            input_files: inputs.files.iter().map(|(file, bytes)| (file.clone(), hash(bytes))).collect(),
            specification,
            data_model: data_model(args).into(),
            language: "C".into(),
        },
    }
}

/// As the format names it.
pub fn data_model(args: &VerifyArgs) -> &'static str {
    match args.sources.data_model {
        DataModelArg::Ilp32 => "ILP32",
        DataModelArg::Lp64 => "LP64",
    }
}

/// The text of the property file that was given, or that of the property that was named: of the parts of it that the witness is about.
pub fn specification(given: &str, property: Property, said: Said) -> String {
    let check = |formula: &str| format!("CHECK( init(main()), LTL({formula}) )");
    let (calls, assertions) = (check("G ! call(reach_error())"), check("G assert"));
    let named = match property {
        Property::UnreachCall => match said {
            Said::Calls => calls,
            Said::Assertions => assertions,
            Said::Both => [calls, assertions].join("\n"),
        },
        Property::NoDataRace => check("G ! data-race"),
        Property::NoOverflow => check("G ! overflow"),
        Property::Termination => check("F end"),
        Property::NoDeadlock => check("G ! deadlock"),
        Property::ValidMemcleanup => check("G valid-memcleanup"),
        Property::ValidMemsafety => ["G valid-free", "G valid-deref", "G valid-memtrack"].map(check).join("\n"),
    };
    match given == property.name() {
        true => named,
        false => std::fs::read_to_string(given).map_or(named, |text| text.trim().to_owned()),
    }
}
