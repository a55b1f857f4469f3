//! `--harness`: a counterexample that is compiled with the user's own sources and run.
//!
//! The sources are compiled with gcc's `-fsanitize=thread` and linked with a small runtime in place of the sanitizer's (`harness/`). The hooks at accesses to memory and the calls of the
//! thread library are the points at which threads are held back. `plan.rs` says which recorded events the order of threads depends on, `text.rs` writes them as C.
//! Events are matched with hooks by thread, kind and place, not by their count: what the compiler does more or less than the recording is of no concern.

mod plan;
mod text;

use raddle_interp::execution::Execution;
use raddle_ir::{Program, Sort};

/// The folder's fixed files.
const RUNTIME: [(&str, &str); 7] = [
    ("raddle_runtime.h", include_str!("harness/raddle_runtime.h")),
    ("raddle_schedule.c", include_str!("harness/raddle_schedule.c")),
    ("raddle_addresses.c", include_str!("harness/raddle_addresses.c")),
    ("raddle_hooks.c", include_str!("harness/raddle_hooks.c")),
    ("raddle_library.c", include_str!("harness/raddle_library.c")),
    ("uninitialised.awk", include_str!("harness/uninitialised.awk")),
    ("wrapped.txt", include_str!("harness/wrapped.txt")),
];

/// How the user's program is built.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// The sources, by absolute paths, and the flags of each.
    pub sources: Vec<(String, Vec<String>)>,
    /// Functions that the program declares and nobody defines: the sort of the result, and whether it is signed.
    pub functions: Vec<(String, Option<(Sort, bool)>)>,
    /// Variables that nobody defines, and their sizes.
    pub variables: Vec<(String, u64)>,
}

/// The files of the folder, by name and text; or why there is no harness.
pub fn harness(program: &Program, execution: &Execution, build: &Build) -> Result<Vec<(String, String)>, String> {
    if execution.omitted > 0 {
        return Err("the execution is too long".into());
    }
    let plan = plan::plan(program, execution)?;
    let mut files: Vec<(String, String)> =
        RUNTIME.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
    files.push(("harness.c".into(), text::data(program, &plan, build)));
    files.push(("run.sh".into(), text::script(program, &plan, build)));
    files.push(("README".into(), text::readme(&plan)));
    Ok(files)
}
