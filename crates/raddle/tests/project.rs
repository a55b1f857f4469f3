//! What a project needs around a verdict: several properties in one call.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for each test, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("project-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, text: &str) -> &Folder {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// What `raddle` says on standard output and standard error, and its exit status.
    fn raddle(&self, args: &[&str]) -> (String, String, Option<i32>) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        let output = command.args(args).current_dir(&self.0).env("LC_ALL", "C").output().unwrap();
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr), output.status.code())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn each_property_has_a_verdict() {
    let folder = Folder::new("properties");
    // A failed assertion counts by name; the file asks for `reach_error` alone.
    folder.write("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n");
    folder.write("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let both = ["--property", "reach.prp", "--property", "unreach-call", "--property", "no-deadlock"];
    let (out, err, status) = folder.raddle(&[&both[..], &["--quiet", "a.c"]].concat());
    let expected = "reach.prp: true\nunreach-call: false(unreach-call)\nno-deadlock: unknown(unsupported)\n\
                    VERDICT: false(unreach-call)\n";
    assert_eq!((out.as_str(), err.as_str(), status), (expected, "", Some(1)));
    let stats = ["--format", "json", "--stats", "stats.json", "a.c"];
    let (out, _, status) = folder.raddle(&[&both[..], &stats].concat());
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let verdict = |at: usize| report["properties"][at]["verdict"].as_str().unwrap();
    assert_eq!((verdict(0), verdict(1), verdict(2)), ("true", "false(unreach-call)", "unknown(unsupported)"));
    assert_eq!((&report["verdict"], status), (&"false(unreach-call)".into(), Some(1)));
    let stats = fs::read_to_string(folder.0.join("stats.json")).unwrap();
    let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
    assert_eq!(stats["properties"][1]["property"], "unreach-call");
}
