//! Task definitions of the verification community (`.yml`, format 2.0): input files, properties with expected verdicts, and the data model.

use super::Task;
use super::glob::expand;
use crate::error::{Error, Result, bail};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Definition {
    format_version: String,
    input_files: OneOrMore,
    #[serde(default)]
    properties: Option<Vec<Property>>,
    #[serde(default)]
    options: Option<Options>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(Deserialize)]
struct Property {
    property_file: String,
    #[serde(default)]
    expected_verdict: Option<bool>,
}

#[derive(Deserialize, Default)]
struct Options {
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    data_model: Option<String>,
}

/// A task for each property of the definition. None, if the program is not in C.
pub fn read(path: &Path, name: &str, category: Option<&str>) -> Result<Vec<Task>> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::of_file("read", path, e))?;
    parse(&text, path, name, category)
}

/// Does the file look like a task definition? Folders hold other YAML too (witnesses, settings).
pub fn is_definition(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.lines().any(|l| l.starts_with("input_files")))
}

fn parse(text: &str, path: &Path, name: &str, category: Option<&str>) -> Result<Vec<Task>> {
    let definition: Definition =
        serde_saphyr::from_str(text).map_err(|e| Error(format!("{} is no task definition: {e}", path.display())))?;
    if !definition.format_version.starts_with("2.") && !definition.format_version.starts_with("1.") {
        bail!("{} has the format {}; formats 1 and 2 are known", path.display(), definition.format_version);
    }
    let options = definition.options.unwrap_or_default();
    if options.language.is_some_and(|l| l != "C") {
        return Ok(Vec::new());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let patterns = match definition.input_files {
        OneOrMore::One(file) => vec![file],
        OneOrMore::More(files) => files,
    };
    if patterns.is_empty() {
        bail!("{} is no task definition: it has no input files", path.display());
    }
    let mut files = Vec::new();
    for pattern in patterns {
        // A file that is missing is reported by the run, with its name.
        let found = expand(folder, &pattern);
        if found.is_empty() { files.push(folder.join(&pattern)) } else { files.extend(found) }
    }
    let task = |p: Property| {
        let property_file = folder.join(&p.property_file);
        Task {
            name: name.to_string(),
            position: 0,
            definition: Some(path.to_path_buf()),
            files: files.clone(),
            property: property_file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            property_file,
            expected: p.expected_verdict,
            data_model: options.data_model.clone(),
            category: category.map(str::to_string),
        }
    };
    Ok(definition.properties.unwrap_or_default().into_iter().map(task).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn parsed(text: &str) -> Result<Vec<Task>> {
        parse(text, Path::new("set/a.yml"), "a.yml", Some("Examples"))
    }

    #[test]
    fn one_task_for_each_property() {
        let tasks = parsed(
            "format_version: '2.0'\n\
             input_files:\n  - a.c\n  - b.c\n\
             properties:\n\
             \x20 - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n\
             \x20 - property_file: ../p/termination.prp\n\
             options:\n  language: C\n  data_model: ILP32\n",
        )
        .unwrap();
        assert_eq!(tasks.len(), 2);
        assert_eq!(tasks[0].files, [PathBuf::from("set/a.c"), "set/b.c".into()]);
        assert_eq!(tasks[0].property, "unreach-call");
        assert_eq!(tasks[0].property_file, PathBuf::from("set/../p/unreach-call.prp"));
        assert_eq!((tasks[0].expected, tasks[1].expected), (Some(false), None));
        assert_eq!(tasks[0].data_model.as_deref(), Some("ILP32"));
    }

    #[test]
    fn unquoted_version_and_nothing_else() {
        let tasks = parsed("format_version: 2.0\ninput_files: a.c\nproperties:\n  - property_file: x.prp\n").unwrap();
        assert_eq!(tasks[0].data_model, None);
        assert_eq!(parsed("format_version: '2.0'\ninput_files: 'a.c'\n").unwrap(), []);
    }

    #[test]
    fn other_languages_have_no_tasks() {
        let java = "format_version: '2.0'\ninput_files: a/\nproperties:\n  - property_file: x.prp\noptions:\n  language: Java\n";
        assert_eq!(parsed(java).unwrap(), []);
    }

    #[test]
    fn errors_name_the_file() {
        for bad in [
            "",
            "a: [",
            "format_version: '2.0'\ninput_files: []\n",
            "format_version: '3.0'\ninput_files: a.c\n",
            "input_files: 3",
        ] {
            let Error(message) = parsed(bad).unwrap_err();
            assert!(message.contains("set/a.yml"), "{message}");
        }
    }
}
