//! The experiment as BenchExec would run it: a benchmark definition, a set of task definitions for each category, and definitions for tasks
//! that have none.

use super::{Configuration, Experiment};
use crate::error::Result;
use crate::escape::escape;
use crate::tasks::Task;
use crate::{console, files};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The tool-info module, by the name that it has when the repository's root is in Python's path.
const TOOL: &str = "contrib.benchexec.raddle";

pub fn write(experiment: &Experiment, folder: &Path) -> Result<()> {
    files::create_folder(folder)?;
    let mut sets: BTreeMap<(String, &Path), Vec<PathBuf>> = BTreeMap::new();
    for (number, task) in experiment.tasks.iter().enumerate() {
        let category = file_name(task.category.as_deref().unwrap_or("tasks"));
        sets.entry((category, &task.property_file)).or_default().push(definition(task, folder, number)?);
    }
    let mut tasks = String::new();
    for (number, ((category, property_file), definitions)) in sets.iter().enumerate() {
        let set = format!("{category}-{}.set", number + 1);
        let lines: String = definitions.iter().map(|d| format!("{}\n", d.display())).collect();
        files::write(&folder.join(&set), &lines)?;
        let property_file = files::absolute(property_file)?;
        let _ = write!(
            tasks,
            "  <tasks name=\"{}\">\n    <includesfile>{}</includesfile>\n    <propertyfile>{}</propertyfile>\n  </tasks>\n",
            escape(category),
            escape(&set),
            escape(&property_file.to_string_lossy())
        );
    }
    let definition = folder.join("raddle.xml");
    files::write(&definition, benchmark(experiment, &tasks))?;
    console::note(format_args!(
        "{} tasks are described in {}; run `benchexec {}` with the repository of Raddle in PYTHONPATH",
        experiment.tasks.len(),
        folder.display(),
        definition.display()
    ));
    Ok(())
}

fn benchmark(experiment: &Experiment, tasks: &str) -> String {
    let runs: String = experiment.configurations.iter().map(run_definition).collect();
    format!(
        "<?xml version=\"1.0\"?>\n\
         <!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN\" \"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd\">\n\
         <benchmark tool=\"{TOOL}\" timelimit=\"{}s\" hardtimelimit=\"{}s\" memlimit=\"{} B\" cpuCores=\"1\">\n\
         {runs}{tasks}</benchmark>\n",
        experiment.header.timeout.ceil(),
        (experiment.header.timeout * 1.1).ceil() + 5.0,
        experiment.header.memory,
    )
}

fn run_definition(configuration: &Configuration) -> String {
    let mut text = format!("  <rundefinition name=\"{}\">\n", escape(&configuration.name));
    for option in configuration.all_options() {
        let _ = writeln!(text, "    <option name=\"{}\"/>", escape(option));
    }
    text + "  </rundefinition>\n"
}

/// The task's own definition, or one that is written here.
fn definition(task: &Task, folder: &Path, number: usize) -> Result<PathBuf> {
    if let Some(definition) = &task.definition {
        return files::absolute(definition);
    }
    let name = file_name(&task.files.first().and_then(|f| f.file_stem()).unwrap_or_default().to_string_lossy());
    let path = folder.join(format!("{name}-{}.yml", number + 1));
    let mut text = "format_version: '2.0'\ninput_files:\n".to_string();
    for file in &task.files {
        let _ = writeln!(text, "  - {}", yaml_string(&files::absolute(file)?.to_string_lossy()));
    }
    let property_file = files::absolute(&task.property_file)?;
    let _ = writeln!(text, "properties:\n  - property_file: {}", yaml_string(&property_file.to_string_lossy()));
    if let Some(expected) = task.expected {
        let _ = writeln!(text, "    expected_verdict: {expected}");
    }
    text += "options:\n  language: C\n";
    if let Some(data_model) = &task.data_model {
        let _ = writeln!(text, "  data_model: {}", yaml_string(data_model));
    }
    files::write(&path, &text)?;
    files::absolute(&path)
}

fn file_name(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

fn yaml_string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
