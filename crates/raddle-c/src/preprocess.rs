//! Reading a source file: preprocessed files as they are, others through `cc -E`.
//!
//! Most verification tasks are preprocessed already even if their names end in `.c`; when a text has no directive that
//! matters and no predefined macro, the compiler is not run at all.
//!
//! For the 32-bit data model `cc -m32 -E` gives the right macros, but a plain installation lacks the 32-bit C library's
//! headers. These are the same as the 64-bit ones but for `gnu/stubs-32.h`, which says nothing that matters here: so a
//! second try gets the 64-bit directories and an empty file of that name.

use crate::error::ErrorKind;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// How the C preprocessor is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CppOptions {
    /// The compiler, with leading arguments if it has any (`clang --target=x86_64-linux-gnu`).
    pub command: String,
    /// `-I`
    pub include_dirs: Vec<String>,
    /// `-D`, as `NAME` or `NAME=value`.
    pub defines: Vec<String>,
    /// `-include`
    pub includes: Vec<String>,
    /// Passed on as they are.
    pub extra_args: Vec<String>,
    /// Further arguments of single files, as a build has them. `-D` and `-include` above come after them.
    pub args_of: BTreeMap<PathBuf, Vec<String>>,
    /// The compiler is stopped after so long.
    pub timeout: Duration,
    /// The compiler gets no more address space than this, in bytes (a few lines of macros can ask for any amount).
    pub memory: u64,
}

impl Default for CppOptions {
    fn default() -> Self {
        CppOptions {
            command: "cc".into(),
            include_dirs: Vec::new(),
            defines: Vec::new(),
            includes: Vec::new(),
            extra_args: Vec::new(),
            args_of: BTreeMap::new(),
            timeout: Duration::from_secs(60),
            memory: 4 << 30,
        }
    }
}

impl CppOptions {
    /// Whether the options could change a text that needs no preprocessing by itself.
    fn ask_for_something(&self) -> bool {
        !self.defines.is_empty() || !self.includes.is_empty() || !self.extra_args.is_empty()
    }
}

/// Why a file could not be read: a message for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    pub message: String,
    pub kind: ErrorKind,
}

impl From<String> for ReadError {
    fn from(message: String) -> Self {
        ReadError { message, kind: ErrorKind::Invalid }
    }
}

impl std::ops::Deref for ReadError {
    type Target = str;

    fn deref(&self) -> &str {
        &self.message
    }
}

/// The preprocessed text of a file, for pointers of 32 or 64 bits.
pub fn read_source(path: &Path, options: &CppOptions, pointer_bits: u32) -> Result<Vec<u8>, ReadError> {
    let text = read_text(path)?;
    let is_preprocessed = path.extension().is_some_and(|e| e == "i");
    let asks = options.ask_for_something() || options.args_of.get(path).is_some_and(|args| !args.is_empty());
    if is_preprocessed || !(asks || needs_preprocessing(&text)) {
        return Ok(text);
    }
    // A pipe can be read only once.
    let is_pipe = !path.is_file() || path.starts_with("/dev") || path.starts_with("/proc");
    let input = if is_pipe { Input::Text(Arc::new(text)) } else { Input::File(path) };
    preprocess(&input, options, pointer_bits)
}

/// What the compiler reads.
enum Input<'a> {
    File(&'a Path),
    Text(Arc<Vec<u8>>),
}

impl Input<'_> {
    fn shown(&self) -> String {
        match self {
            Input::File(path) => path.display().to_string(),
            Input::Text(_) => "<stdin>".into(),
        }
    }
}

fn read_text(path: &Path) -> Result<Vec<u8>, String> {
    let shown = path.display();
    if path.is_dir() {
        return Err(format!("{shown}: is a directory, not a C source file"));
    }
    let text = fs::read(path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => format!("{shown}: no such file"),
        io::ErrorKind::PermissionDenied => format!("{shown}: permission denied"),
        _ => format!("{shown}: cannot be read: {e}"),
    })?;
    if text.is_empty() {
        return Err(format!("{shown}: the file is empty"));
    }
    if let Some(at) = text.iter().position(|b| *b == 0) {
        return Err(format!("{shown}: has a NUL byte at offset {at}: is this a binary file?"));
    }
    Ok(text)
}

/// Whether a text has directives (other than line markers and pragmas) or uses macros that every compiler predefines.
fn needs_preprocessing(text: &[u8]) -> bool {
    let mut start = 0;
    while start < text.len() {
        let end = start + text[start..].iter().position(|b| *b == b'\n').unwrap_or(text.len() - start);
        let line = text[start..end].trim_ascii_start();
        if line.starts_with(b"%:") {
            return true;
        }
        if let Some(directive) = line.strip_prefix(b"#") {
            let directive = directive.trim_ascii();
            let word = directive.split(|b| !b.is_ascii_alphanumeric() && *b != b'_').next().unwrap_or(&[]);
            let is_marker = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
            if !is_marker && !directive.is_empty() && !matches!(word, b"pragma" | b"line" | b"ident") {
                return true;
            }
        } else if mentions_predefined_macro(line) {
            return true;
        }
        start = end + 1;
    }
    false
}

/// A word like `__INT_MAX__` or `__FILE__`.
fn mentions_predefined_macro(line: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) =
        line[at..].windows(3).position(|w| w[0] == b'_' && w[1] == b'_' && w[2].is_ascii_uppercase())
    {
        let start = at + found;
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let length = line[start..].iter().take_while(|b| is_word(b)).count();
        let word = &line[start..start + length];
        let begins = start == 0 || !is_word(&line[start - 1]);
        let functions = matches!(word, b"__FUNCTION__" | b"__PRETTY_FUNCTION__");
        if begins && word.ends_with(b"__") && !functions && !word.iter().any(u8::is_ascii_lowercase) {
            return true;
        }
        at = start + length;
    }
    false
}

fn preprocess(input: &Input, options: &CppOptions, pointer_bits: u32) -> Result<Vec<u8>, ReadError> {
    if pointer_bits != 32 {
        return run_cc(input, options, &[]);
    }
    match run_cc(input, options, &["-m32".into()]) {
        Err(error) if error.kind == ErrorKind::Invalid && !error.starts_with(CANNOT_RUN) => {}
        done => return done,
    }
    let stubs = StubHeaders::new().map_err(|e| format!("cannot write temporary headers: {e}"))?;
    let mut dirs: Vec<String> = Vec::new();
    for dir in default_include_dirs(options) {
        dirs.extend(["-idirafter".into(), dir]);
    }
    dirs.extend(["-idirafter".into(), stubs.dir.display().to_string()]);
    let with_m32: Vec<String> = std::iter::once("-m32".to_string()).chain(dirs.iter().cloned()).collect();
    run_cc(input, options, &with_m32).or_else(|second| {
        if !second.contains("-m32") {
            return Err(second);
        }
        // The compiler knows no 32-bit mode at all: tell it to pretend.
        let pretend: Vec<String> = PRETEND_32.iter().map(|a| a.to_string()).chain(dirs).collect();
        run_cc(input, options, &pretend)
    })
}

/// Macros that differ between the data models, for compilers without `-m32`.
const PRETEND_32: &[&str] = &[
    "-U__LP64__",
    "-U_LP64",
    "-U__x86_64__",
    "-D__ILP32__=1",
    "-D_ILP32=1",
    "-U__SIZEOF_LONG__",
    "-D__SIZEOF_LONG__=4",
    "-U__SIZEOF_POINTER__",
    "-D__SIZEOF_POINTER__=4",
    "-U__SIZEOF_SIZE_T__",
    "-D__SIZEOF_SIZE_T__=4",
    "-U__SIZEOF_PTRDIFF_T__",
    "-D__SIZEOF_PTRDIFF_T__=4",
    "-U__LONG_MAX__",
    "-D__LONG_MAX__=0x7fffffffL",
    "-U__SIZE_TYPE__",
    "-D__SIZE_TYPE__=unsigned int",
    "-U__PTRDIFF_TYPE__",
    "-D__PTRDIFF_TYPE__=int",
    "-U__INTPTR_TYPE__",
    "-D__INTPTR_TYPE__=int",
    "-U__UINTPTR_TYPE__",
    "-D__UINTPTR_TYPE__=unsigned int",
    "-U__SIZE_MAX__",
    "-D__SIZE_MAX__=0xffffffffU",
    "-U__SIZEOF_INT128__",
];

/// A directory with the headers that the 64-bit C library lacks, removed when dropped.
struct StubHeaders {
    dir: PathBuf,
}

impl StubHeaders {
    fn new() -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("raddle-headers-{}-{number}", std::process::id());
        let stubs = StubHeaders { dir: std::env::temp_dir().join(name) };
        fs::create_dir_all(stubs.dir.join("gnu"))?;
        for name in ["stubs-32.h", "stubs-x32.h", "stubs-ilp32.h"] {
            fs::write(stubs.dir.join("gnu").join(name), "")?;
        }
        Ok(stubs)
    }
}

impl Drop for StubHeaders {
    fn drop(&mut self) {
        // Nothing depends on it being gone.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Where the compiler looks for headers when it is not told to make 32-bit code.
fn default_include_dirs(options: &CppOptions) -> Vec<String> {
    let mut command = compiler(options);
    command.args(["-E", "-Wp,-v", "-x", "c", "/dev/null"]);
    let Ok(output) = output_within(command, None, options.timeout) else { return Vec::new() };
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let listed = text.lines().skip_while(|l| !l.starts_with("#include <...>")).skip(1);
    listed.take_while(|l| l.starts_with(' ')).map(|l| l.trim().to_string()).collect()
}

/// The compiler, run by a shell that sets limits: they also hold for the processes that the compiler starts, and which are not
/// stopped together with it.
fn compiler(options: &CppOptions) -> Command {
    let seconds = options.timeout.as_secs().saturating_add(2);
    // Who has tighter limits already keeps them.
    let limits = format!("{{ ulimit -t {seconds}; ulimit -v {}; }} 2>/dev/null; exec \"$@\"", options.memory / 1024);
    let mut command = Command::new("sh");
    command.args(["-c", &limits, "sh"]).env("LC_ALL", "C");
    let mut words = options.command.split_whitespace().peekable();
    if words.peek().is_none() {
        command.arg("cc");
    }
    command.args(words);
    command
}

/// The shell's exit status when there is no such program.
const NOT_FOUND: i32 = 127;

const CANNOT_RUN: &str = "cannot run ";

fn run_cc(input: &Input, options: &CppOptions, more: &[String]) -> Result<Vec<u8>, ReadError> {
    let mut command = compiler(options);
    command.arg("-E").args(more);
    for dir in &options.include_dirs {
        command.arg("-I").arg(dir);
    }
    if let Input::File(path) = input {
        command.args(options.args_of.get(*path).into_iter().flatten());
    }
    for define in &options.defines {
        command.arg(format!("-D{define}"));
    }
    for file in &options.includes {
        command.arg("-include").arg(file);
    }
    command.args(&options.extra_args).args(["-x", "c"]);
    let stdin = match input {
        Input::File(path) => {
            // A path must not be taken for an option.
            let dashed = path.as_os_str().as_encoded_bytes().starts_with(b"-");
            command.arg(if dashed { Path::new(".").join(path) } else { path.to_path_buf() });
            None
        }
        Input::Text(text) => {
            command.arg("-");
            Some(text.clone())
        }
    };
    let shown = input.shown();
    let cannot_run = |why: &str| {
        let hint = "a C compiler is needed to preprocess; files that end in .i are read as they are";
        format!("{CANNOT_RUN}`{}`: {why} ({hint})", options.command)
    };
    let output = output_within(command, stdin, options.timeout).map_err(|why| match why {
        NoOutput::Timeout => ReadError {
            message: format!("{shown}: preprocessing was stopped after {:?}", options.timeout),
            kind: ErrorKind::Timeout,
        },
        NoOutput::NoThread(error) => {
            ReadError { message: format!("{shown}: no thread can be started: {error}"), kind: ErrorKind::OutOfMemory }
        }
        NoOutput::Failed(why) => cannot_run(&why).into(),
    })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).trim().to_string();
        if output.status.code() == Some(NOT_FOUND) {
            return Err(cannot_run("not found").into());
        }
        let message =
            if message.is_empty() { format!("`{}` failed ({})", options.command, output.status) } else { message };
        return Err(format!("{shown}: preprocessing failed:\n{message}").into());
    }
    if output.stdout.contains(&0) {
        return Err(format!("{shown}: the preprocessed text has NUL bytes").into());
    }
    Ok(output.stdout)
}

struct Output {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

enum NoOutput {
    Timeout,
    NoThread(io::Error),
    Failed(String),
}

/// Runs a command and takes its output; after `timeout` it is killed.
fn output_within(mut command: Command, stdin: Option<Arc<Vec<u8>>>, timeout: Duration) -> Result<Output, NoOutput> {
    let deadline = Instant::now() + timeout;
    command
        .stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => NoOutput::Failed("not found".into()),
        _ => NoOutput::Failed(e.to_string()),
    })?;
    // Each pipe is emptied by a thread of its own. After a timeout they are left behind: a grandchild may hold the pipes.
    if let (Some(mut pipe), Some(text)) = (child.stdin.take(), stdin) {
        // Who does not read all of it has said why by then.
        in_background(move || drop(pipe.write_all(&text)))?;
    }
    let stdout = read_in_background(child.stdout.take())?;
    let stderr = read_in_background(child.stderr.take())?;
    let left = || deadline.saturating_duration_since(Instant::now());
    let read = stdout.recv_timeout(left()).and_then(|out| Ok((out, stderr.recv_timeout(left())?)));
    let Ok((stdout, stderr)) = read else {
        // It may have ended by itself just now.
        let _ = child.kill();
        let _ = child.wait();
        return Err(NoOutput::Timeout);
    };
    let status = child.wait().map_err(|e| NoOutput::Failed(e.to_string()))?;
    Ok(Output { status, stdout, stderr })
}

/// The stack of a thread that only moves bytes.
const SMALL_STACK: usize = 1 << 17;

fn in_background(work: impl FnOnce() + Send + 'static) -> Result<(), NoOutput> {
    std::thread::Builder::new().stack_size(SMALL_STACK).spawn(work).map(drop).map_err(NoOutput::NoThread)
}

fn read_in_background(pipe: Option<impl Read + Send + 'static>) -> Result<mpsc::Receiver<Vec<u8>>, NoOutput> {
    let (sender, receiver) = mpsc::channel();
    in_background(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is all there is.
            let _ = pipe.read_to_end(&mut bytes);
        }
        // Nobody listens any more after a timeout.
        let _ = sender.send(bytes);
    })?;
    Ok(receiver)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preprocessed_texts_are_recognised() {
        let needs = |text: &str| needs_preprocessing(text.as_bytes());
        assert!(!needs("int main(void) { return 0; }"));
        assert!(!needs("# 1 \"a.c\"\n#pragma once\n#line 3\n #\nint x;\n"));
        assert!(!needs("extern void __VERIFIER_error(void); int x = sizeof __PRETTY_FUNCTION__;"));
        assert!(needs("int x;\n  # include <stdio.h>\n"));
        assert!(needs("%:define X"));
        assert!(needs("int x = __INT_MAX__;"));
        assert!(needs("char *f = __FILE__;"));
    }
}
