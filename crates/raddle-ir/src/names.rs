//! Names for the variables, procedures, objects and files of a Program that are unique where they are used, for the text form and for
//! everything else that people read.
//!
//! A name from the source is used as it is when it names one thing only. Otherwise the id follows it: `x'7`.

use crate::program::{ObjectId, ProcId, Program, VarId, VarKind};
use crate::span::{FileId, Span};
use rustc_hash::FxHashMap;

/// Words of the text form. A variable with such a name is written with its id.
pub(crate) const KEYWORDS: [&str; 36] = [
    "true",
    "false",
    "havoc",
    "assume",
    "await",
    "require",
    "else",
    "load",
    "store",
    "alloc",
    "object_size",
    "valid",
    "leaks",
    "free",
    "atomic_begin",
    "atomic_end",
    "fence",
    "start",
    "join",
    "self",
    "thread_exit",
    "lock",
    "call",
    "error",
    "halt",
    "print",
    "let",
    "any",
    "file",
    "global",
    "thread_local",
    "object",
    "proc",
    "local",
    "of",
    "named",
];

/// The unique names of one Program.
#[derive(Clone, Debug)]
pub struct Names {
    vars: Vec<Name>,
    procs: Vec<Name>,
    objects: Vec<Name>,
    files: Vec<String>,
    scopes: Vec<Option<ProcId>>,
}

#[derive(Clone, Debug)]
struct Name {
    /// Without an id.
    base: String,
    unique: bool,
}

impl Name {
    fn text(&self, id: u32, unique: bool) -> String {
        if unique { self.base.clone() } else { format!("{}'{id}", self.base) }
    }
}

impl Names {
    pub fn new(program: &Program) -> Names {
        let scopes: Vec<Option<ProcId>> = program
            .vars
            .iter()
            .map(|var| match var.kind {
                VarKind::Local(proc) => Some(proc),
                _ => None,
            })
            .collect();
        // A local must differ from the other locals of its procedure and from all globals.
        let mut count: FxHashMap<(Option<ProcId>, &str), u32> = FxHashMap::default();
        for (var, scope) in program.vars.iter().zip(&scopes) {
            *count.entry((*scope, var.name.as_str())).or_default() += 1;
        }
        let vars = program.vars.iter().zip(&scopes).map(|(var, scope)| {
            let key = |scope| (scope, var.name.as_str());
            let unique = count[&key(*scope)] == 1 && (scope.is_none() || !count.contains_key(&key(None)));
            name(&var.name, unique, "v")
        });
        let mut files: Vec<String> = Vec::with_capacity(program.files.len());
        let mut seen: FxHashMap<&str, u32> = FxHashMap::default();
        program.files.iter().for_each(|file| *seen.entry(file).or_default() += 1);
        for (i, file) in program.files.iter().enumerate() {
            let plain = !file.is_empty()
                && !file.starts_with('\'')
                && file.chars().all(|c| !c.is_whitespace() && !c.is_control() && c != ',' && c != ':');
            files.push(if plain && seen[file.as_str()] == 1 { file.clone() } else { format!("'{i}") });
        }
        Names {
            vars: vars.collect(),
            procs: names(program.procs.iter().map(|proc| proc.name.as_str()), "p"),
            objects: names(program.objects.iter().map(|object| object.name.as_str()), "o"),
            files,
            scopes,
        }
    }

    /// A variable as seen from a procedure (or from outside of all). From elsewhere than its own procedure, a local is
    /// written with its id.
    pub fn var(&self, id: VarId, scope: Option<ProcId>) -> String {
        match self.vars.get(id.index()) {
            Some(name) => {
                let visible = self.scopes[id.index()].is_none_or(|own| Some(own) == scope);
                name.text(id.0, name.unique && visible)
            }
            None => format!("v'{}", id.0),
        }
    }

    pub fn proc(&self, id: ProcId) -> String {
        self.procs.get(id.index()).map_or_else(|| format!("p'{}", id.0), |name| name.text(id.0, name.unique))
    }

    pub fn object(&self, id: ObjectId) -> String {
        self.objects.get(id.index()).map_or_else(|| format!("o'{}", id.0), |name| name.text(id.0, name.unique))
    }

    pub fn file(&self, id: FileId) -> String {
        self.files.get(id.0 as usize).cloned().unwrap_or_else(|| format!("'{}", id.0))
    }

    /// `file:line:column`
    pub fn span(&self, span: Span) -> String {
        format!("{}:{}:{}", self.file(span.file), span.line, span.column)
    }
}

fn names<'a>(all: impl Iterator<Item = &'a str> + Clone, fallback: &str) -> Vec<Name> {
    let mut count: FxHashMap<&str, u32> = FxHashMap::default();
    all.clone().for_each(|name| *count.entry(name).or_default() += 1);
    all.map(|text| name(text, count[text] == 1, fallback)).collect()
}

fn name(text: &str, unique: bool, fallback: &str) -> Name {
    if !is_word(text) {
        return Name { base: fallback.to_string(), unique: false };
    }
    let first = text.split('.').next().unwrap_or(text);
    let reserved = KEYWORDS.contains(&first) || text.starts_with('$');
    Name { base: text.to_string(), unique: unique && !reserved }
}

/// Is it one word of the text form?
pub(crate) fn is_word(text: &str) -> bool {
    text.starts_with(is_word_start) && text.chars().all(is_word_part)
}

pub(crate) fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

pub(crate) fn is_word_part(c: char) -> bool {
    is_word_start(c) || c.is_ascii_digit() || c == '.'
}
