//! README's tour: every command in it is run, in its order, and says what the page says it says.
//!
//! A command is a line `$ raddle …` in an indented block; the lines after it, up to the end of the block, are what it prints. `…` stands for anything.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The commands of the page, each with what follows it.
fn commands(page: &str) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_inside = false;
    for line in page.lines() {
        let Some(text) = line.strip_prefix("    ") else {
            // A blank line may be part of what a command prints.
            is_inside &= line.trim().is_empty();
            continue;
        };
        if let Some(command) = text.strip_prefix("$ ") {
            commands.push((command.to_owned(), Vec::new()));
            is_inside = true;
        } else if let Some((_, expected)) = commands.last_mut().filter(|_| is_inside) {
            expected.push(text.trim_end().to_owned());
        }
    }
    commands
}

/// Does a text fit a pattern in which `…` is anything, also several lines?
fn fits(text: &str, pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('…').collect();
    let [first, middle @ .., last] = &parts[..] else { return text == pattern };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => fs::copy(entry.path(), target).map(|_| ()).unwrap(),
        }
    }
}

#[test]
fn every_command_of_the_tour_says_what_the_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("README.md")).unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("readme-{}", std::process::id()));
    copy_folder(&root.join("examples"), &folder.join("examples"));
    let raddle = Path::new(env!("CARGO_BIN_EXE_raddle")).parent().unwrap();
    let path = format!("{}:{}", raddle.display(), std::env::var("PATH").unwrap_or_default());
    let commands = commands(&page);
    assert!(commands.len() >= 8, "the tour has commands: {commands:?}");
    for (command, expected) in commands {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{command} 2>&1")]).env("PATH", &path).env("NO_COLOR", "1").current_dir(&folder);
        let output = shell.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let lines =
            |text: &str| text.lines().map(str::trim_end).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
        let (said, expected) = (lines(&said), lines(&expected.join("\n")));
        assert!(fits(&said, &expected), "$ {command}\n{said}\n--- but README says ---\n{expected}");
    }
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn anything_fits_an_ellipsis() {
    assert!(fits("a 12 b\n c", "a … c") && fits("abc", "abc") && fits("", "…") && fits("axbxc", "a…b…c"));
    assert!(!fits("abc", "abd") && !fits("a b", "a … c") && !fits("xa", "a…"));
}
