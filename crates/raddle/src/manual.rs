//! Shell completions and man pages, made from the definition of the command line. Who packages Raddle runs these two commands:
//!
//!     raddle completions bash > raddle.bash
//!     raddle man DIR                          # raddle.1, raddle-verify.1, …

use crate::args::Cli;
use crate::{HOLDS, bad_input};
use clap::CommandFactory;
use clap_complete::Shell;
use std::path::Path;

pub fn completions(shell: Shell) -> u8 {
    print!("{}", String::from_utf8_lossy(&completion(shell)));
    HOLDS
}

/// The text that a shell reads.
fn completion(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "raddle", &mut text);
    text
}

/// Writes a page for the whole and one for each command.
pub fn man(folder: &Path) -> u8 {
    let written = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    match written {
        Ok(()) => HOLDS,
        Err(error) => bad_input(&format!("error: cannot write man pages to {}: {error}", folder.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    /// The long options that a command shows.
    fn options(command: &clap::Command) -> Vec<String> {
        let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
        shown.filter_map(|argument| argument.get_long().map(|name| format!("--{name}"))).collect()
    }

    #[test]
    fn every_shell_has_a_completion() {
        for shell in Shell::value_variants() {
            let text = String::from_utf8(completion(*shell)).unwrap();
            for word in ["raddle", "simulate", "explain", "property", "timeout", "oc-unroll-end"] {
                assert!(text.contains(word), "{shell} does not complete {word}");
            }
        }
    }

    #[test]
    fn the_man_pages_name_every_option() {
        let folder = std::env::temp_dir().join(format!("raddle-man-{}", std::process::id()));
        assert_eq!(man(&folder), HOLDS);
        let read = |name: &str| {
            let page = std::fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
            // The signs that roff wants before a dash, and the marks of a typeface.
            page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")
        };
        let mut command = Cli::command();
        command.build();
        let page = read("raddle");
        assert!(options(&command).len() > 20);
        options(&command).iter().for_each(|option| assert!(page.contains(option), "{option}"));
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help") {
            let page = read(&format!("raddle-{}", sub.get_name()));
            options(sub).iter().for_each(|option| assert!(page.contains(option), "{} {option}", sub.get_name()));
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
