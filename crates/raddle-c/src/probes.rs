//! Probes: places of the source that somebody wants to see executions pass, perhaps with a condition that is evaluated there.
//!
//! A probe is asked for by a place in an input file, as witnesses name places. It becomes a statement of the typed tree (`sema/probes.rs`), which lowering turns into
//! locations and edges of its own (`lower/probes.rs`). Taken out again, they leave an edge that does nothing: a probe neither changes what
//! a program does nor what it can see.

use crate::places::input_place;
use crate::source::{Pos, SourceMap};
use raddle_ir::{LocId, ProcId};
use std::ops::Range;

/// What somebody wants to see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    pub kind: ProbeKind,
    /// The path as it was given, and the line there.
    pub file: String,
    pub line: u32,
    /// Without it, the first place on the line that fits.
    pub column: Option<u32>,
    pub places: Places,
    /// An expression of C without side effects, over what is in scope there. It is evaluated at the place.
    pub condition: Option<String>,
    /// If the condition cannot be evaluated there, the probe is as one without a place.
    pub is_optional: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProbeKind {
    /// Before a statement or declaration.
    Before,
    /// Before the condition of a loop is evaluated, each time.
    Loop,
    /// After the condition of an `if` or of a loop.
    Branch,
    /// At the begin and at the end of a statement.
    Around,
}

/// Which places a probe is at, where a line has several.
///
/// Text that a macro makes has no column in the input file, and a macro may make copies of one statement. What is claimed of a place is claimed of every copy, so a claim is also
/// checked at all places of the line that have no column, and at the place of the column counted in bytes. A column that no place has is a mistake of whoever wrote it; a claim that holds at all places of the line holds at the one that was meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Places {
    /// The one that is named.
    One,
    /// Also those that may be copies of it.
    Copies,
    /// All on the line.
    Line,
}

/// Which moment of its place a probe sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Moment {
    /// Of `Before` and `Loop`.
    Reached,
    /// Of `Branch`: the condition came out so.
    Branched(bool),
    /// Of `Around`.
    Begin,
    End,
}

/// A probe in the Program: locations of its own between two others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// Its position in the list of what was asked for.
    pub probe: usize,
    pub moment: Moment,
    pub proc: ProcId,
    pub from: LocId,
    /// The locations in between. Edges that leave `from` or one of these belong to the probe.
    pub inner: Range<u32>,
    /// The last of them where the condition holds (or there is none), and where it does not hold.
    pub yes: LocId,
    pub no: Option<LocId>,
    pub to: LocId,
}

/// What is asked for, where the sources can find it.
pub(crate) struct Probes {
    asked: Vec<Probe>,
    /// Where the texts of conditions are among the sources.
    texts: Vec<Option<usize>>,
    /// The input files as they were given.
    contents: Vec<(String, Vec<u8>)>,
    /// The place that is named, where it was found.
    found: Vec<Option<Pos>>,
    /// Statements that are being checked and that the probe is around.
    open: Vec<u32>,
    /// The condition could not be evaluated at a place.
    misfits: Vec<bool>,
}

impl Probes {
    pub fn new(asked: Vec<Probe>, texts: Vec<Option<usize>>, contents: Vec<(String, Vec<u8>)>) -> Probes {
        let count = asked.len();
        Probes { asked, texts, contents, found: vec![None; count], open: vec![0; count], misfits: vec![false; count] }
    }

    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    pub fn none() -> Probes {
        Probes::new(Vec::new(), Vec::new(), Vec::new())
    }

    /// Those of a kind at a place.
    pub fn at(&mut self, sources: &SourceMap, pos: Pos, kind: ProbeKind) -> Vec<usize> {
        if !self.asked.iter().any(|probe| probe.kind == kind) {
            return Vec::new();
        }
        let bytes = |name: &str| Some(self.contents.iter().find(|(file, _)| file == name)?.1.as_slice());
        let Some(place) = input_place(sources, pos, &bytes) else { return Vec::new() };
        let mut found = Vec::new();
        for (number, probe) in self.asked.iter().enumerate() {
            if probe.kind != kind || probe.line != place.line || probe.file != place.file {
                continue;
            }
            let is_named = match (probe.places, probe.column, place.character) {
                (Places::Line, ..) => true,
                // Some tools count bytes. A claim is checked in both readings.
                (Places::Copies, Some(column), Some(here)) => column == here || Some(column) == place.column,
                (_, Some(column), Some(here)) => column == here,
                (Places::Copies, Some(_), None) => false,
                _ if kind == ProbeKind::Around => self.open[number] == 0,
                _ => self.found[number].is_none_or(|first| first == pos),
            };
            if is_named {
                self.found[number] = Some(pos);
            }
            if is_named || probe.places == Places::Copies && place.character.is_none() {
                found.push(number);
            }
        }
        found
    }

    pub fn condition(&self, number: usize) -> Option<usize> {
        self.texts[number]
    }

    /// Its condition cannot be evaluated. Returns whether that is well.
    pub fn misfits(&mut self, number: usize) -> bool {
        self.misfits[number] = true;
        self.asked[number].is_optional
    }

    pub fn open(&mut self, number: usize) {
        self.open[number] += 1;
    }

    pub fn close(&mut self, number: usize) {
        self.open[number] -= 1;
    }

    /// Those that no place fits, or that do not fit their place.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.asked.len()).filter(|number| self.found[*number].is_none() || self.misfits[*number]).collect()
    }
}
