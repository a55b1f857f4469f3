//! What goes to a worker and what comes back.
//!
//! To a worker goes one line of JSON, the job, and then the Program as lowered in its text form. Back come lines of JSON. Places in the source go by the names of
//! files: the two sides number files differently.

use crate::registry::Settings;
use raddle_engine::{Conclusion, Event, Facts, Outcome};
use raddle_ir::{FileId, MemoryModel, Program, Property, Span, parse_text};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a worker is to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Job {
    pub engine: String,
    pub settings: Settings,
    pub property: Property,
    pub memory_model: MemoryModel,
    pub facts: Facts,
    /// CPU time and bytes: the worker stops by itself there. Whoever started it makes sure.
    pub timeout: Duration,
    pub memory: u64,
}

/// What a worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    Event(Event),
    /// The Program is read and in the form that the engine works on. Slices are counted from here.
    Prepared,
    /// An answer is near, or was not: it should not be interrupted.
    Near(bool),
    Done(Box<Done>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Done {
    conclusion: Conclusion,
    /// The names of the files that the conclusion speaks of.
    files: Vec<String>,
}

impl Done {
    pub fn new(conclusion: Conclusion, program: &Program) -> Done {
        Done { conclusion, files: program.files.clone() }
    }

    /// The conclusion in terms of the Program that the job was made of.
    pub fn conclusion(self, program: &Program) -> Conclusion {
        let mut conclusion = self.conclusion;
        if let Outcome::Unknown(reason) = &mut conclusion.outcome
            && let Some(span) = reason.span
        {
            let name = self.files.get(span.file.0 as usize);
            let here = program.files.iter().position(|file| Some(file) == name);
            reason.span = here.map(|here| Span { file: FileId(here as u32), ..span });
        }
        conclusion
    }
}

/// The Program as a worker will read it.
pub fn program_text(program: &Program) -> String {
    let text = raddle_ir::to_text(program);
    debug_assert_eq!(parse_text(&text).as_ref(), Ok(program), "a worker verifies another Program");
    text
}
