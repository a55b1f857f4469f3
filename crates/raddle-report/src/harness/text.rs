//! A plan as the text of `harness.c`, and how it is built.

use super::Build;
use super::plan::{From, Kind, Plan, Storing};
use raddle_ir::{Program, Sort, Span, Violation};
use std::fmt::Write;

/// `harness.c`: the order of events, the values of inputs, and what nobody defines.
pub fn data(program: &Program, plan: &Plan, build: &Build) -> String {
    let mut out = String::from("/* The data of a counterexample: see README. */\n#include \"raddle_runtime.h\"\n\n");
    let needs_call = u8::from(plan.violation == Violation::ErrorCall);
    let Span { file, line, .. } = plan.place;
    let (file, line) = if plan.place.is_none() { (0, 0) } else { (file.0, line) };
    let place = place(program, plan.place);
    let _ = write!(
        out,
        "const int raddle_pointer_bits = {}, raddle_threads = {}, raddle_last_thread = {}, raddle_needs_error_call = {needs_call},\n  \
         raddle_has_uninitialised = {}, raddle_violation_file = {file}, raddle_violation_line = {line};\n\
         const char raddle_violation[] = {};\n",
        program.pointer_bits,
        plan.threads,
        plan.last_thread,
        u8::from(plan.has_uninitialised),
        quoted(&format!("{place}: {}", plan.violation.words())),
    );
    let files: Vec<String> = program.files.iter().map(|file| quoted(file)).collect();
    table(&mut out, "const char *const raddle_files", None, &files);
    objects(&mut out, plan);
    points(&mut out, plan);
    values(&mut out, plan);
    undefined(&mut out, build);
    out
}

/// An array and the number of its elements. C has no empty ones.
fn table(out: &mut String, declaration: &str, count: Option<&str>, rows: &[String]) {
    let _ = writeln!(out, "\n{declaration}[] = {{");
    rows.iter().for_each(|row| {
        let _ = writeln!(out, "  {row},");
    });
    if rows.is_empty() {
        out.push_str("  { 0 }\n");
    }
    out.push_str("};\n");
    if let Some(count) = count {
        let _ = writeln!(out, "const int {count} = {};", rows.len());
    }
}

fn objects(out: &mut String, plan: &Plan) {
    let rows: Vec<String> = (plan.objects.iter())
        .map(|object| {
            let name = quoted(&object.name);
            match object.storing {
                Storing::Static => format!("{{ {name}, RADDLE_STATIC, 0, 0 }}"),
                Storing::Heap(thread, number) => format!("{{ {name}, RADDLE_HEAP, {thread}, {number} }}"),
                Storing::Other => format!("{{ {name}, RADDLE_OTHER, 0, 0 }}"),
            }
        })
        .collect();
    table(out, "const struct raddle_object raddle_objects", Some("raddle_object_count"), &rows);
}

fn points(out: &mut String, plan: &Plan) {
    let kind = |kind| match kind {
        Kind::Read => "READ",
        Kind::Write => "WRITE",
        Kind::Update => "UPDATE",
        Kind::Acquire => "ACQUIRE",
        Kind::Release => "RELEASE",
        Kind::Sync => "SYNC",
        Kind::Create => "CREATE",
        Kind::Join => "JOIN",
        Kind::End => "END",
    };
    out.push_str("\n/* Thread, kind, object, offset and size, file and line, the lock's answer or the new thread. */");
    let rows: Vec<String> = (plan.points.iter())
        .map(|point| {
            let object = point.object.map_or(-1, |object| object as i64);
            let (file, line) = (point.span.file.0, point.span.line);
            format!(
                "{{ {}, RADDLE_{}, {object}, {}, {}, {file}, {line}, {} }}",
                point.thread,
                kind(point.kind),
                point.offset,
                point.size,
                point.result
            )
        })
        .collect();
    table(out, "const struct raddle_event raddle_events", Some("raddle_event_count"), &rows);
}

fn values(out: &mut String, plan: &Plan) {
    out.push_str("\n/* Thread, source, size, file and line, value. */");
    let rows: Vec<String> = (plan.values.iter())
        .map(|value| {
            let from = match value.from {
                From::Input => "INPUT",
                From::UndefinedFunction => "UNDEFINED",
                From::Library => "CHOICE",
                From::Uninitialised => "UNINITIALISED",
                From::Unwritten => "UNWRITTEN",
            };
            let (file, line) = (value.span.file.0, value.span.line);
            format!("{{ {}, RADDLE_{from}, {}, {file}, {line}, {}ULL }}", value.thread, value.size, value.bits)
        })
        .collect();
    table(out, "const struct raddle_input raddle_inputs", Some("raddle_input_count"), &rows);
}

/// Definitions of what the program only declares. Integers of any width are returned in the registers of the widest.
fn undefined(out: &mut String, build: &Build) {
    out.push_str("\n#define PC __builtin_return_address(0)\n#define WEAK __attribute__((weak))\n");
    for (name, result) in &build.functions {
        if KNOWN.contains(&name.as_str()) {
            continue;
        }
        let source = if name.starts_with("__VERIFIER_nondet_") { "RADDLE_INPUT" } else { "RADDLE_UNDEFINED" };
        let real = |ty: &str| {
            format!(
                "WEAK {ty} {name}() {{ union {{ unsigned long long bits; {ty} value; }} u = {{ raddle_input({source}, PC) }}; return u.value; }}"
            )
        };
        let _ = match result {
            Some((Sort::F32, _)) => writeln!(out, "{}", real("float")),
            Some((Sort::F64, _)) => writeln!(out, "{}", real("double")),
            Some(_) => writeln!(out, "WEAK unsigned long long {name}() {{ return raddle_input({source}, PC); }}"),
            None => writeln!(out, "WEAK void {name}() {{ }}"),
        };
    }
    for (name, size) in &build.variables {
        let _ = writeln!(out, "WEAK char {name}[{}] __attribute__((aligned(16)));", (*size).max(1));
    }
}

/// What the runtime defines.
const KNOWN: [&str; 6] = [
    "__VERIFIER_assume",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__VERIFIER_error",
    "reach_error",
    "__assert_fail",
];

/// `run.sh`: builds and runs.
pub fn script(program: &Program, plan: &Plan, build: &Build) -> String {
    let model = format!("-m{}", program.pointer_bits);
    let is_plain = plan.points.is_empty() && !plan.has_uninitialised;
    let threads = if is_plain { "" } else { " -fsanitize=thread" };
    // The only definition of an `inline` function is often the inline one.
    let inline = if build.sources.len() == 1 { " -fgnu89-inline" } else { "" };
    let mut compile = String::new();
    for (number, (path, flags)) in build.sources.iter().enumerate() {
        let flags: String = flags.iter().map(|flag| shell(flag) + " ").collect();
        let path = shell(path);
        let _ = match plan.has_uninitialised {
            false => writeln!(compile, "  $CC $MODEL $FLAGS {flags}-c {path} -o source{number}.o || exit 3"),
            true => write!(
                compile,
                "  $CC $MODEL $FLAGS {flags}-S {path} -o source{number}.raw || exit 3\n  \
                 awk -v bits=$BITS -f uninitialised.awk source{number}.raw > source{number}.s || exit 3\n  \
                 $CC $MODEL -c source{number}.s -o source{number}.o || exit 3\n"
            ),
        };
    }
    SCRIPT
        .replace("{model}", &model)
        .replace("{threads}", &format!("{threads}{inline}"))
        .replace("{initial}", if plan.has_uninitialised { "pattern" } else { "zero" })
        .replace("{compile}", compile.trim_end())
}

const SCRIPT: &str = r#"#!/bin/sh
# Builds the counterexample and runs it. Exit status: 0 it is reproduced, 2 the run diverged, 3 it cannot be built.
cd "$(dirname "$0")" || exit 3
CC=${CC:-gcc}
MODEL={model}
PLAIN="-fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-builtin-memcmp -fno-builtin-strcpy -fno-builtin-strcmp -fno-builtin-strlen"
FLAGS="$PLAIN -g -O0 -w -fno-pie -mno-red-zone -finstrument-functions -ftrivial-auto-var-init={initial}{threads}"
build() {
  echo 'int main(void) { return 0; }' > model.c
  if ! $CC $MODEL model.c -o model.out 2> /dev/null; then
    echo "note: no libraries for $MODEL are installed, this machine's data model is taken" >&2
    MODEL=
  fi
  BITS=64
  $CC $MODEL -dM -E -x c /dev/null | grep -q __LP64__ || BITS=32
{compile}
  for part in raddle_schedule raddle_addresses raddle_hooks raddle_library harness; do
    $CC $MODEL -g -O1 -w -fno-pie -fno-builtin -c $part.c -o $part.o || exit 3
  done
  $CC $MODEL -no-pie -pthread @wrapped.txt *.o -o repro -lm || exit 3
  # Where the calls of the hooks stand in the source.
  objdump -d --no-show-raw-insn repro |
    awk '/call/ && !/<__tsan_func|<__cyg/ { call = $1; getline; if ($1 != "") print call $1 }' | tr ':' ' ' > calls
  cut -d' ' -f1 calls | addr2line -e repro | cut -d' ' -f1 | paste -d' ' calls - |
    awk '{ print $2, $3 }' | grep -v '?' > repro.lines
}
[ -x repro ] || build
ulimit -s unlimited 2> /dev/null
exec ./repro
"#;

pub fn readme(plan: &Plan) -> String {
    format!(
        "An executable counterexample: {}.\n\n\
         sh run.sh builds the program with gcc from its own sources and runs it with the recorded inputs; its {} threads take turns as recorded.\n\
         Exit status 0: reproduced; 2: the run diverged, and where; 3: it could not be built.\n\n\
         CC=gcc-13 sh run.sh    another compiler; remove `repro` to build again\n\
         RADDLE_VERBOSE=1       tells each event as it happens\n\
         RADDLE_SECONDS=60      gives up later\n\
         gdb ./repro            break raddle_reproduced, run, then up to the violation; `info threads` shows where the others wait\n\n\
         harness.c has the events and inputs; raddle_*.c is the runtime, linked in place of the thread sanitizer's.\n",
        plan.violation.words(),
        plan.threads
    )
}

fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file.0 as usize) {
        Some(file) if !span.is_none() => format!("{file}:{}", span.line),
        _ => "an unknown place".into(),
    }
}

/// A string literal of C.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=b'~' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out + "\""
}

/// A word of the shell.
fn shell(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(quoted("a\"b\\c\u{e9}"), r#""a\"b\\c\303\251""#);
        assert_eq!(shell("it's -DX=\"1\""), r#"'it'\''s -DX="1"'"#);
    }

    /// Every function that the linker leads to the runtime is there.
    #[test]
    fn wrapped_functions_are_defined() {
        let runtime = include_str!("raddle_library.c");
        for line in include_str!("wrapped.txt").lines() {
            let name = line.strip_prefix("-Wl,--wrap=").unwrap();
            let in_family = |prefix: &str| {
                let rest = name.strip_prefix("pthread_").and_then(|rest| rest.rsplit_once('_'));
                rest.is_some_and(|(family, _)| runtime.contains(&format!("{prefix}({family})")))
            };
            let attribute = name.strip_prefix("pthread_").unwrap_or(name);
            let is_there = runtime.contains(&format!("__wrap_{name}("))
                || runtime.contains(&format!("ATTRIBUTE({attribute})"))
                || in_family("LOCK_FAMILY");
            assert!(is_there, "{name}");
        }
    }
}
