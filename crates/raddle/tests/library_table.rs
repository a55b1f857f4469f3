//! Which functions of the C library, libm and POSIX have a model: the table in `docs/library.md`.
//!
//! Each function of `library_names.txt` is used through its address, with the types that its header gives it; one without model leaves a gap in the Program.
//! `RADDLE_EXPECT=write cargo test -p raddle --test library_table` writes the table anew.

use raddle_c::driver::{Failure, Options, load};
use raddle_c::library_names::by_header;
use raddle_c::lower::LowerOptions;
use raddle_c::preprocess::CppOptions;
use raddle_c::types::DataModel;
use raddle_ir::Violations;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Of these headers, nearly all functions have models.
const COMPLETE: [&str; 5] = ["ctype.h", "math.h", "pthread.h", "stdlib.h", "string.h"];
const SHARE: f64 = 0.95;

/// The functions among these that have no model.
fn without_model(header: &str, names: &[&str]) -> Result<BTreeSet<String>, Failure> {
    let mut text =
        format!("#define _GNU_SOURCE\n#include <{header}>\nvoid (*volatile used)(void);\nint main(void) {{\n");
    for name in names {
        let _ = writeln!(text, "  used = (void (*)(void))({name});");
    }
    text.push_str("}\n");
    let path = std::env::temp_dir().join(format!("raddle-library-{}.c", std::process::id()));
    fs::write(&path, text).expect("a file can be written");
    let lower = LowerOptions { counts: Violations::ERRORS, concrete_arguments: false };
    let options = Options { model: DataModel::Lp64, cpp: CppOptions::default(), lower };
    let loaded = load(std::slice::from_ref(&path), &options);
    let _ = fs::remove_file(&path);
    let gaps = loaded?.program.gaps;
    // Its name, or the line where a function of a type without model is used.
    let named = |message: &str| {
        let (_, from) = message.split_once("the function `").or_else(|| message.split_once("(void (*)(void))("))?;
        Some(from.split(['`', ')']).next()?.to_owned())
    };
    Ok(gaps.iter().filter_map(|gap| named(&gap.message)).collect())
}

#[test]
fn the_table_is_what_there_is() {
    let mut table = String::from(
        "# The C library\n\n\
         What of glibc's functions has a model. A call of one without model, where an execution reaches it, makes a proof `unknown(unmodelled)`. The table is made by\n\
         `RADDLE_EXPECT=write cargo test -p raddle --test library_table`.\n\n\
         | header | functions | with a model | | without |\n|---|---|---|---|---|\n",
    );
    for (header, names) in by_header() {
        // What another version of the library does not have, or a macro hides, is asked for one by one.
        let missing = without_model(header, &names).unwrap_or_else(|_| {
            let one = |name: &&str| without_model(header, &[name]).unwrap_or_else(|_| [name.to_string()].into());
            names.iter().flat_map(one).collect()
        });
        let missing: Vec<&str> = names.iter().copied().filter(|name| missing.contains(*name)).collect();
        let (all, modelled) = (names.len(), names.len() - missing.len());
        let share = modelled as f64 / all as f64;
        if COMPLETE.contains(&header) {
            assert!(share >= SHARE, "{header}: {modelled} of {all}; without: {}", missing.join(" "));
        }
        let _ = writeln!(table, "| `{header}` | {all} | {modelled} | {:.0} % | {} |", 100.0 * share, missing.join(" "));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/library.md");
    if std::env::var_os("RADDLE_EXPECT").is_some_and(|value| value == "write") {
        fs::write(&path, &table).expect("the table can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let headers = |text: &str| {
        text.lines()
            .filter_map(|line| Some(line.strip_prefix("| `")?.split('`').next()?.to_owned()))
            .collect::<Vec<_>>()
    };
    // Another version of the library has other functions.
    assert_eq!(headers(&written), headers(&table), "the table in docs is of another list of functions");
    if written != table {
        eprintln!("docs/library.md differs from what this version of the library gives");
    }
}
