//! Options are checked before a run begins: an option that Raddle does not know would otherwise fail on every task, hours later.
//!
//! Only Raddle knows its options. So each configuration verifies a program that does nothing, and must come to a verdict, whichever.

use super::watch::Slot;
use super::{Configuration, Experiment, child};
use crate::error::{Error, Result};
use crate::record::{Answer, Header};
use crate::tasks::Task;
use crate::{console, words};
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The end of the name says that it needs no preprocessor.
struct EmptyProgram(PathBuf);

impl EmptyProgram {
    fn new() -> Result<EmptyProgram> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("raddle-suite-{}-{number}.i", std::process::id()));
        // A file that is left of a process of the same number; never what a link leads to.
        let _ = std::fs::remove_file(&path);
        let fail = |e| Error::of_file("write", &path, e);
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(fail)?;
        let program = EmptyProgram(path.clone());
        file.write_all(b"int main(void) { return 0; }\n").map_err(fail)?;
        Ok(program)
    }
}

impl Drop for EmptyProgram {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// All configurations of the experiment, with the same other options as in a run.
pub fn configurations(experiment: &Experiment) -> Result<()> {
    // That of a task may be none that Raddle knows, which is not the configuration's fault.
    let has_data_model = experiment.tasks.iter().any(|task| task.data_model.is_some());
    let data_model = has_data_model.then(|| "LP64".to_string());
    for configuration in &experiment.configurations {
        if let Some(reason) = failure(experiment, data_model.clone(), configuration)? {
            let options = words::join(configuration.options.iter().map(String::as_str));
            return Err(Error(format!("the configuration {}='{options}' cannot be run: {reason}", configuration.name)));
        }
    }
    Ok(())
}

/// Can Raddle read this strategy? If not, why.
pub fn strategy(raddle: &Path, text: &str) -> Result<std::result::Result<(), String>> {
    let fail = |e: std::io::Error| Error(format!("cannot check the strategy: {e}"));
    let mut file: File = memfd_create("strategy", MFdFlags::MFD_CLOEXEC).map_err(|e| fail(e.into()))?.into();
    file.write_all(text.as_bytes()).map_err(fail)?;
    let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
    let options = vec!["--portfolio".into(), path.clone()];
    let configuration = Configuration { name: "strategy".into(), options };
    let header = Header { timeout: 60.0, memory: 8_000_000_000, ..Header::default() };
    let experiment = Experiment { raddle, tasks: Vec::new(), configurations: Vec::new(), header };
    Ok(match failure(&experiment, None, &configuration)? {
        Some(reason) => Err(reason.replace(&path, "strategy")),
        None => Ok(()),
    })
}

/// What is said in the place of a verdict; nothing, if it cannot be tried.
fn failure(
    experiment: &Experiment,
    data_model: Option<String>,
    configuration: &Configuration,
) -> Result<Option<String>> {
    let program = match EmptyProgram::new() {
        Ok(program) => program,
        // A run needs no room on the disk but for its results.
        Err(Error(reason)) => {
            console::note(format_args!("warning: options are not checked: {reason}"));
            return Ok(None);
        }
    };
    let task = Task {
        name: String::new(),
        position: 0,
        definition: None,
        files: vec![program.0.clone()],
        property: String::new(),
        property_file: "unreach-call".into(),
        expected: None,
        data_model,
        category: None,
    };
    let record = child::run(experiment, &task, configuration, &Slot::default())?;
    Ok(record.and_then(|record| match record.answer {
        Answer::Error(reason) => Some(reason),
        Answer::True | Answer::False | Answer::Unknown(_) => None,
    }))
}
