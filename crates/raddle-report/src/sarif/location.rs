//! Places as SARIF has them: URIs of files relative to the root of the sources, regions with the text that begins there.

use crate::report::Report;
use crate::sarif::text;
use crate::story::Place;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The name of the folder that relative URIs count from.
pub const ROOT: &str = "%SRCROOT%";

pub fn is_known(place: &Place) -> bool {
    !place.file.is_empty() && place.line > 0
}

pub struct Locations<'a> {
    folder: &'a Path,
    root: PathBuf,
    /// The lines of the sources, by the name that places have for the file.
    lines: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Locations<'a> {
    pub fn new(folder: &'a Path, root: &Path, reports: &[&'a Report]) -> Locations<'a> {
        let sources = reports.iter().flat_map(|report| &report.sources);
        let lines = sources.map(|source| (source.path.as_str(), source.text.lines().collect())).collect();
        Locations { folder, root: normal(root), lines }
    }

    /// A location in a function; without one where the name is empty.
    pub fn of(&self, place: &Place, function: &str) -> Value {
        let mut location = json!({ "physicalLocation": {
            "artifactLocation": self.file(&place.file),
            "region": self.region(place),
        } });
        if !function.is_empty() {
            location["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
        }
        location
    }

    /// The files of the program.
    pub fn artifacts(&self) -> Vec<Value> {
        let artifact = |file: &&str| {
            let language = if file.ends_with(".c") || file.ends_with(".i") || file.ends_with(".h") { "c" } else { "" };
            let mut artifact = json!({ "location": self.file(file), "roles": ["analysisTarget"] });
            if !language.is_empty() {
                artifact["sourceLanguage"] = language.into();
            }
            artifact
        };
        self.lines.keys().map(artifact).collect()
    }

    fn file(&self, file: &str) -> Value {
        let path = normal(&self.folder.join(file));
        match path.strip_prefix(&self.root) {
            Ok(relative) => json!({ "uri": encoded(relative), "uriBaseId": ROOT }),
            Err(_) => json!({ "uri": format!("file://{}", encoded(&path)) }),
        }
    }

    fn line(&self, place: &Place) -> Option<&'a str> {
        self.lines.get(place.file.as_str())?.get((place.line as usize).checked_sub(1)?).copied()
    }

    /// From a place to the end of its line. Columns of places count bytes, those of SARIF characters.
    fn region(&self, place: &Place) -> Value {
        let mut region = json!({ "startLine": place.line.max(1) });
        let bytes = (place.column as usize).saturating_sub(1);
        let split = self.line(place).and_then(|line| line.split_at_checked(bytes));
        if place.column > 0 {
            region["startColumn"] =
                split.map_or(place.column as usize, |(before, _)| before.chars().count() + 1).into();
        }
        if let Some((_, rest)) = split.filter(|(_, rest)| !rest.trim().is_empty()) {
            region["snippet"] = text(rest);
        }
        region
    }

    /// A number that names a statement by these words, its file and its text; statements with the same text are counted.
    pub fn fingerprint(&self, words: &[&str], place: &Place) -> String {
        let line = self.line(place).unwrap_or("").trim();
        let before = self.lines.get(place.file.as_str()).map_or(&[][..], |lines| {
            let end = (place.line as usize).saturating_sub(1).min(lines.len());
            &lines[..end]
        });
        let same = before.iter().filter(|other| other.trim() == line).count().to_string();
        let file = self.file(&place.file)["uri"].as_str().unwrap_or("").to_owned();
        let all = words.iter().copied().chain([file.as_str(), line, same.as_str()]);
        format!("{:016x}", fnv(all))
    }
}

/// Fowler, Noll and Vo's hash (FNV-1a), with an end after each text: the same in every build.
fn fnv<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let bytes = texts.flat_map(|text| text.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Without `.` and `..`, by the names alone.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if normal.file_name().is_some() => drop(normal.pop()),
            other => normal.push(other),
        }
    }
    normal
}

/// A path as that of a URI: what is neither a letter, a digit nor one of `-._~/` is encoded.
fn encoded(path: &Path) -> String {
    let mut uri = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(*byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
