//! From what the user names (task definitions, `.set` files, folders, indexes) to the list of tasks.

use super::{Task, definition, glob, index};
use crate::error::{Error, Result, bail};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

#[derive(Default, Debug)]
pub struct Found {
    pub tasks: Vec<Task>,
    /// What may not be as the user meant it.
    pub warnings: Vec<String>,
}

/// All tasks of all sources in their order; none twice.
pub fn find(sources: &[PathBuf]) -> Result<Found> {
    let mut found = Found::default();
    for source in sources {
        let before = found.tasks.len();
        match source.extension().and_then(|e| e.to_str()) {
            _ if source.is_dir() => add_folder(&mut found, source)?,
            Some("yml" | "yaml") => {
                let tasks = definition::read(source, &source.to_string_lossy(), folder_name(source).as_deref())?;
                found.tasks.extend(tasks);
            }
            Some("set") => add_set(&mut found, source)?,
            Some("tsv") => found.tasks.extend(index::read(source)?),
            _ if !source.exists() => bail!("{} does not exist", source.display()),
            _ => bail!(
                "{} is neither a task definition (.yml), a .set file, an index (.tsv) nor a folder",
                source.display()
            ),
        }
        if found.tasks.len() == before {
            found.warnings.push(format!("{} has no tasks", source.display()));
        }
    }
    leave_out_repeated(&mut found.tasks);
    tell_apart(&mut found.tasks);
    for (position, task) in found.tasks.iter_mut().enumerate() {
        task.position = position;
    }
    Ok(found)
}

/// Patterns of task definitions, relative to the set file.
fn add_set(found: &mut Found, path: &Path) -> Result<()> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::of_file("read", path, e))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let category = path.file_stem().map(|s| s.to_string_lossy().into_owned());
    for pattern in text.lines().map(|l| l.split('#').next().unwrap_or("").trim()).filter(|l| !l.is_empty()) {
        let files = glob::expand(folder, pattern);
        if files.is_empty() {
            found.warnings.push(format!("{}: nothing fits {pattern}", path.display()));
        }
        for file in files {
            found.tasks.extend(definition::read(&file, &name_below(&file, folder), category.as_deref())?);
        }
    }
    Ok(())
}

/// All task definitions below, sorted.
fn add_folder(found: &mut Found, top: &Path) -> Result<()> {
    let mut folders = vec![top.to_path_buf()];
    let mut definitions = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|e| Error::of_file("read", &folder, e))?;
        for entry in entries.flatten() {
            let path = entry.path();
            // Links to folders are not followed: they may lead back.
            if entry.file_type().is_ok_and(|t| t.is_dir()) {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "yml") {
                definitions.push(path);
            }
        }
    }
    definitions.sort();
    let mut others = 0;
    for path in definitions {
        if definition::is_definition(&path) {
            let name = name_below(&path, top);
            found.tasks.extend(definition::read(&path, &name, folder_name(&path).as_deref())?);
        } else {
            others += 1;
        }
    }
    if others > 0 {
        found.warnings.push(format!("{}: {others} .yml files are no task definitions", top.display()));
    }
    Ok(())
}

fn name_below(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned()
}

fn folder_name(path: &Path) -> Option<String> {
    Some(path.parent()?.file_name()?.to_string_lossy().into_owned())
}

fn absolute(path: Option<&PathBuf>) -> PathBuf {
    path.map(|p| std::fs::canonicalize(p).unwrap_or_else(|_| p.clone())).unwrap_or_default()
}

fn leave_out_repeated(tasks: &mut Vec<Task>) {
    let mut seen = HashSet::new();
    tasks.retain(|t| seen.insert((absolute(t.definition.as_ref()), absolute(t.files.first()), t.property.clone())));
}

/// Two sets may have the same names: then the tasks are named by their whole paths.
fn tell_apart(tasks: &mut [Task]) {
    let mut count: HashMap<(String, String), usize> = HashMap::new();
    for task in tasks.iter() {
        *count.entry((task.name.clone(), task.property.clone())).or_default() += 1;
    }
    for task in tasks {
        if count[&(task.name.clone(), task.property.clone())] > 1 {
            task.name = absolute(task.definition.as_ref().or(task.files.first())).to_string_lossy().into_owned();
        }
    }
}
