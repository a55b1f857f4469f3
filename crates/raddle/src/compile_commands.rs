//! `--compile-commands FILE`: the sources of a build, with the flags that the preprocessor needs.
//!
//! A compilation database is a JSON list of `{ directory, file, arguments | command }`, as CMake, Meson and Bear write it. Flags that
//! change what the preprocessor reads are passed on, with paths made absolute, since they count from `directory`. A flag that changes
//! the meaning of C in a way that Raddle does not follow is an error. The rest (optimisation, warnings, linking) has no influence.

use crate::args::{DataModelArg, Sources};
use crate::explain::closest;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// What the preprocessor is told for each file.
pub type Flags = BTreeMap<PathBuf, Vec<String>>;

/// Puts the files and flags of the build in their place: those of the files that are given, or of all.
pub fn resolve(sources: &mut Sources) -> Result<(), String> {
    let Some(database) = sources.compile_commands.clone() else { return Ok(()) };
    let text = std::fs::read_to_string(&database).map_err(|e| format!("{}: {e}", database.display()))?;
    let database = Database::read(&database, &text)?;
    let mut flags = Flags::new();
    if sources.files.is_empty() {
        for entry in 0..database.entries.len() {
            let path = near(&database.path(entry));
            database.add(entry, path.clone(), sources.data_model, &mut flags)?;
            if !sources.files.contains(&path) {
                sources.files.push(path);
            }
        }
    } else {
        for file in &sources.files {
            for entry in database.entries_of(file)? {
                database.add(entry, file.clone(), sources.data_model, &mut flags)?;
            }
        }
    }
    sources.flags = flags;
    Ok(())
}

struct Database {
    name: String,
    folder: PathBuf,
    entries: Vec<Entry>,
    /// Where each entry begins.
    lines: Vec<usize>,
}

impl Database {
    fn read(path: &Path, text: &str) -> Result<Database, String> {
        let name = path.display().to_string();
        let entries: Vec<Entry> = serde_json::from_str(text).map_err(|error| {
            let (line, words) = (error.line(), error.to_string());
            let words = words.split(" at line ").next().unwrap_or("");
            format!("{name}:{line}: error: this is no compilation database: {words}")
        })?;
        if entries.is_empty() {
            return Err(format!("{name}:1: error: the compilation database is empty"));
        }
        let folder = std::path::absolute(path).ok().and_then(|path| Some(path.parent()?.to_owned()));
        Ok(Database { name, folder: folder.unwrap_or_default(), entries, lines: entry_lines(text) })
    }

    fn error(&self, entry: usize, message: &str) -> String {
        let line = self.lines.get(entry).copied().unwrap_or(1);
        format!("{}:{line}: error: {}: {message}", self.name, self.entries[entry].file.display())
    }

    fn directory(&self, entry: usize) -> PathBuf {
        self.folder.join(&self.entries[entry].directory)
    }

    fn path(&self, entry: usize) -> PathBuf {
        self.directory(entry).join(&self.entries[entry].file)
    }

    /// The entries of a file; there may be several, one for each target that it belongs to.
    fn entries_of(&self, file: &Path) -> Result<Vec<usize>, String> {
        let wanted = file.canonicalize().map_err(|error| format!("{}: {error}", file.display()))?;
        let is_wanted = |entry: &usize| self.path(*entry).canonicalize().is_ok_and(|path| path == wanted);
        let found: Vec<usize> = (0..self.entries.len()).filter(is_wanted).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let names: Vec<String> = (0..self.entries.len()).map(|e| near(&self.path(e)).display().to_string()).collect();
        let hint = closest(&file.display().to_string(), names.iter().map(String::as_str));
        let hint = hint.map_or(String::new(), |name| format!(": did you mean {name}?"));
        Err(format!("{}: error: {} is not compiled there{hint}", self.name, file.display()))
    }

    /// Adds the flags of an entry for its file.
    fn add(&self, entry: usize, path: PathBuf, model: DataModelArg, flags: &mut Flags) -> Result<(), String> {
        let is_c = path.extension().is_some_and(|extension| extension == "c" || extension == "i");
        if !is_c {
            return Err(self.error(entry, "this is no C source: name the files of the program on the command line"));
        }
        let Entry { arguments, command, .. } = &self.entries[entry];
        let words = match (arguments, command) {
            (Some(arguments), _) => arguments.clone(),
            (None, Some(command)) => split(command).map_err(|message| self.error(entry, &message))?,
            (None, None) => return Err(self.error(entry, "it has neither `arguments` nor `command`")),
        };
        let found = preprocessor_flags(&words, &self.directory(entry), model).map_err(|m| self.error(entry, &m))?;
        match flags.get(&path) {
            Some(before) if *before != found => {
                let message =
                    "it is compiled a second time with other flags: leave one of the two in a copy of the database";
                Err(self.error(entry, message))
            }
            _ => {
                flags.insert(path, found);
                Ok(())
            }
        }
    }
}

/// A path as one would type it here.
fn near(path: &Path) -> PathBuf {
    let has_detours = path.components().any(|part| part == Component::ParentDir);
    let straight = if has_detours { path.canonicalize().ok() } else { None };
    let path = straight.unwrap_or_else(|| path.components().collect());
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(path)
}

/// The lines at which the objects of a JSON list begin.
fn entry_lines(text: &str) -> Vec<usize> {
    let (mut lines, mut line, mut depth) = (Vec::new(), 1, 0);
    let (mut is_string, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            b'\n' => line += 1,
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' => {
                if depth == 1 {
                    lines.push(line);
                }
                depth += 1;
            }
            b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    lines
}

/// The words of a command, as a shell splits them.
fn split(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut rest = command.chars().peekable();
    let mut quote = None;
    while let Some(c) = rest.next() {
        match (quote, c) {
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), _) if c == open => quote = None,
            (None, '\\') => word.get_or_insert_default().extend(rest.next()),
            (Some('"'), '\\') if rest.peek().is_some_and(|next| "\"\\$`".contains(*next)) => {
                word.get_or_insert_default().extend(rest.next());
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() { Err("a quote of `command` is not closed".into()) } else { Ok(words) }
}

/// With a folder, which counts from `directory`.
const FOLDERS: &[&str] = &["-isystem", "-iquote", "-idirafter", "-isysroot", "--sysroot=", "-I"];
/// With a file, which is looked for in `directory` and then as a header.
const FILES: &[&str] = &["-include", "-imacros"];
const MACROS: &[&str] = &["-D", "-U"];
/// Passed on as they are.
const PLAIN: &[&str] = &[
    "-std=",
    "-ansi",
    "-undef",
    "-nostdinc",
    "-pthread",
    "-ffreestanding",
    "-fhosted",
    "-trigraphs",
    "-finput-charset=",
    "-m",
];
/// The word after them belongs to them.
const WITH_VALUE: &[&str] =
    &["-o", "-MF", "-MT", "-MQ", "-L", "-l", "-T", "-u", "-z", "--param", "-Xlinker", "-Xassembler", "-Xclang"];
/// C with another meaning.
const REFUSED: &[&str] = &[
    "-funsigned-char",
    "-fno-signed-char",
    "-funsigned-bitfields",
    "-fno-signed-bitfields",
    "-fsingle-precision-constant",
    "-fexec-charset",
    "-fwide-exec-charset",
    "-mlong-double-",
    "-mms-bitfields",
    "-malign-double",
    "-include-pch",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-fopenmp",
    "-fopenacc",
    "-mx32",
    "-Xpreprocessor",
    "@",
];

/// The flags of a compiler's command that the preprocessor needs.
fn preprocessor_flags(words: &[String], directory: &Path, model: DataModelArg) -> Result<Vec<String>, String> {
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        let begins = |names: &[&'static str]| names.iter().copied().find(|name| word.starts_with(name));
        if begins(REFUSED).is_some() {
            return Err(format!("`{word}` is not supported"));
        }
        match (word, model) {
            ("-m32", DataModelArg::Lp64) => return Err("it is compiled with -m32: add --data-model ilp32".into()),
            ("-m64", DataModelArg::Ilp32) => return Err("it is compiled with -m64: use --data-model lp64".into()),
            // The data model says it.
            ("-m32" | "-m64", _) => continue,
            _ => {}
        }
        let mut value_of = |name: &str| match &word[name.len()..] {
            "" => words.next().map(str::to_owned).ok_or(format!("`{word}` lacks its value")),
            joined => Ok(joined.to_owned()),
        };
        let in_directory = |value: &str| directory.join(value).display().to_string();
        if let Some(passed) = word.strip_prefix("-Wp,") {
            flags.extend(passed_on(passed).ok_or(format!("`{word}` is not supported"))?);
        } else if word.starts_with("-x") {
            let language = value_of("-x")?;
            if !matches!(language.as_str(), "c" | "none" | "cpp-output") {
                return Err(format!("it is compiled as {language}, not as C"));
            }
        } else if WITH_VALUE.contains(&word) {
            words.next();
        } else if let Some(name) = begins(FILES) {
            let value = value_of(name)?;
            let file = in_directory(&value);
            flags.extend([name.to_owned(), if Path::new(&file).is_file() { file } else { value }]);
        } else if let Some(name) = begins(FOLDERS) {
            let folder = in_directory(&value_of(name)?);
            match name {
                "--sysroot=" => flags.push(format!("{name}{folder}")),
                _ => flags.extend([name.to_owned(), folder]),
            }
        } else if let Some(name) = begins(MACROS) {
            flags.push(format!("{name}{}", value_of(name)?));
        } else if begins(PLAIN).is_some() {
            flags.push(word.to_owned());
        }
    }
    Ok(flags)
}

/// What `-Wp,` says to the preprocessor itself: macros, and where dependencies are written, which is of no interest.
fn passed_on(words: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = words.split(',').collect();
    let is_macro = |word: &str| MACROS.iter().any(|name| word.starts_with(name) && word.len() > name.len());
    let is_known = |word: &str| is_macro(word) || word.starts_with("-M") || !word.starts_with('-');
    let all_known = words.iter().all(|word| is_known(word));
    all_known.then(|| words.into_iter().filter(|word| is_macro(word)).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let words = split(r#"cc -DA="x y" '-DB="b"' -DC=\"c\" -D"E=\"e\\\n" "" a\ b.c"#).unwrap();
        assert_eq!(words, ["cc", "-DA=x y", "-DB=\"b\"", "-DC=\"c\"", "-DE=\"e\\\\n", "", "a b.c"]);
        assert!(split("cc 'a").is_err());
    }

    fn flags(command: &str) -> Result<Vec<String>, String> {
        preprocessor_flags(&split(command)?, Path::new("/build"), DataModelArg::Lp64)
    }

    #[test]
    fn what_the_preprocessor_needs_is_kept() {
        let found = flags(
            "gcc -O2 -Wall -Iinc -I /abs -isystem ../sys -DA -D B=1 -UC -include conf.h -std=c11 -MF d -c a.c -o a.o",
        );
        let expected = ["-I", "/build/inc", "-I", "/abs", "-isystem", "/build/../sys", "-DA", "-DB=1", "-UC"];
        assert_eq!(found.unwrap(), [&expected[..], &["-include", "conf.h", "-std=c11"]].concat());
    }

    #[test]
    fn what_changes_the_meaning_of_c_is_refused() {
        assert_eq!(flags("gcc -funsigned-char -c a.c"), Err("`-funsigned-char` is not supported".into()));
        assert_eq!(flags("gcc -m32 -c a.c"), Err("it is compiled with -m32: add --data-model ilp32".into()));
        assert_eq!(flags("gcc -x c++ -c a.c"), Err("it is compiled as c++, not as C".into()));
        assert_eq!(flags("gcc -Wp,-MD,a.d -Wp,-DA=1 a.c"), Ok(vec!["-DA=1".into()]));
        assert_eq!(flags("gcc -Wp,-I,inc a.c"), Err("`-Wp,-I,inc` is not supported".into()));
        assert_eq!(flags("gcc a.c -D"), Err("`-D` lacks its value".into()));
        assert_eq!(flags("gcc -m64 -mavx2 @flags"), Err("`@flags` is not supported".into()));
    }

    #[test]
    fn entries_have_lines() {
        assert_eq!(entry_lines("[\n {\"a\": \"{\\\"\"},\n\n {\"b\": [{}]}, {}]"), [2, 4, 4]);
    }
}
