//! Reading files, with and without the C compiler. Needs `cc`.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use raddle_c::preprocess::{CppOptions, read_source};

/// A file in a directory of its own, removed at the end.
struct Sample {
    dir: PathBuf,
}

impl Sample {
    fn new(test: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("raddle-test-{}-{test}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Sample { dir }
    }

    fn write(&self, name: &str, text: &[u8]) -> PathBuf {
        let path = self.dir.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Reads a file that was written, and shows the directory as `DIR` in an error.
    fn read(&self, name: &str, text: &[u8], options: &CppOptions, bits: u32) -> Result<String, String> {
        let path = self.write(name, text);
        match read_source(&path, options, bits) {
            Ok(text) => Ok(String::from_utf8(text).unwrap()),
            Err(message) => Err(message.replace(self.dir.to_str().unwrap(), "DIR")),
        }
    }
}

impl Drop for Sample {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Would fail if it were run.
fn no_compiler() -> CppOptions {
    CppOptions { command: "no-such-compiler".into(), ..CppOptions::default() }
}

#[test]
fn preprocessed_text_needs_no_compiler() {
    let sample = Sample::new("plain");
    let text = "# 1 \"x.c\"\n#pragma once\nint x;\n";
    assert_eq!(sample.read("a.c", text.as_bytes(), &no_compiler(), 64).unwrap(), text);
    assert_eq!(sample.read("a.i", b"#define X\n", &no_compiler(), 64).unwrap(), "#define X\n");
    let error = sample.read("b.c", b"#define X\n", &no_compiler(), 64).unwrap_err();
    assert_eq!(
        error,
        "cannot run `no-such-compiler`: not found (a C compiler is needed to preprocess; files that end in .i are read \
         as they are)"
    );
}

#[test]
fn headers_for_both_data_models() {
    let sample = Sample::new("headers");
    let text = b"#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n#include <stdlib.h>\n\
                 #include <stdio.h>\nint size = __SIZEOF_POINTER__;\nint main(void) { assert(size); }\n";
    for (bits, size) in [(32, "int size = 4;"), (64, "int size = 8;")] {
        let read = sample.read("a.c", text, &CppOptions::default(), bits).unwrap();
        assert!(read.contains(size), "{bits}");
        crate::shown(&read);
    }
}

#[test]
fn options_reach_the_compiler() {
    let sample = Sample::new("options");
    sample.write("own.h", b"int from_header;\n");
    sample.write("first.h", b"int from_include;\n");
    let options = CppOptions {
        include_dirs: vec![sample.dir.display().to_string()],
        defines: vec!["N=3".into()],
        includes: vec![sample.dir.join("first.h").display().to_string()],
        extra_args: vec!["-DM=4".into()],
        ..CppOptions::default()
    };
    let read = sample.read("a.c", b"#include <own.h>\nint n = N, m = M;\n", &options, 64).unwrap();
    for part in ["int from_header;", "int from_include;", "int n = 3, m = 4;"] {
        assert!(read.contains(part), "{part}");
    }
}

#[test]
fn a_missing_header_is_named() {
    let sample = Sample::new("missing");
    for bits in [32, 64] {
        let error = sample.read("a.c", b"int x;\n#include <no/such.h>\n", &CppOptions::default(), bits).unwrap_err();
        assert!(error.starts_with("DIR/a.c: preprocessing failed:\nDIR/a.c:2:10: fatal error: "), "{error}");
        assert!(error.contains("#include <no/such.h>"), "{error}");
    }
}

#[test]
fn unreadable_files() {
    let sample = Sample::new("unreadable");
    let options = CppOptions::default();
    assert_eq!(sample.read("a.c", b"", &options, 64).unwrap_err(), "DIR/a.c: the file is empty");
    assert_eq!(
        sample.read("b.c", b"\x7fELF\0\0", &options, 64).unwrap_err(),
        "DIR/b.c: has a NUL byte at offset 4: is this a binary file?"
    );
    let message =
        |path: PathBuf| read_source(&path, &options, 64).unwrap_err().replace(sample.dir.to_str().unwrap(), "DIR");
    assert_eq!(message(sample.dir.join("none.c")), "DIR/none.c: no such file");
    assert_eq!(message(sample.dir.clone()), "DIR: is a directory, not a C source file");
}

#[test]
fn a_compiler_that_hangs_is_stopped() {
    let sample = Sample::new("hang");
    let script = sample.write("slow", b"exec sleep 60\n");
    let options = CppOptions {
        command: format!("sh {}", script.display()),
        timeout: Duration::from_millis(50),
        ..CppOptions::default()
    };
    let error = sample.read("a.c", b"#define X\n", &options, 64).unwrap_err();
    assert!(error.contains("stopped after"), "{error}");
}
