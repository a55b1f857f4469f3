//! Patterns of file names: `*`, `?` and `[a-z]` within one part of a path.

use std::path::{Path, PathBuf};

/// The existing files that the pattern names, relative to the folder, sorted.
pub fn expand(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![if pattern.starts_with('/') { PathBuf::from("/") } else { folder.to_path_buf() }];
    for part in pattern.split('/').filter(|p| !p.is_empty() && *p != ".") {
        found = found.iter().flat_map(|base| step(base, part)).collect();
    }
    found.retain(|path| path.exists());
    found
}

fn step(base: &Path, part: &str) -> Vec<PathBuf> {
    if !part.contains(['*', '?', '[']) {
        return vec![base.join(part)];
    }
    let listed = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    let names = std::fs::read_dir(listed).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let wanted = |name: &String| (!name.starts_with('.') || part.starts_with('.')) && matches(part, name);
    let mut names: Vec<_> = names.filter_map(|n| n.into_string().ok()).filter(wanted).collect();
    names.sort();
    names.into_iter().map(|name| base.join(name)).collect()
}

pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<_>, Vec<_>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where to go on when the last star takes one more character: later stars make earlier ones final, so no search is needed.
    let mut star = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            p += 1;
            star = Some((p, n));
        } else if let Some(width) = one(&pattern[p..], name[n]) {
            p += width;
            n += 1;
        } else if let Some((after, taken)) = star {
            p = after;
            n = taken + 1;
            star = Some((after, n));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// Does the pattern begin with something that stands for `c`, and how long is that?
fn one(pattern: &[char], c: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '[' => {
            let inverted = matches!(pattern.get(1), Some('!' | '^'));
            let start = if inverted { 2 } else { 1 };
            // A bracket that comes first is an element.
            let Some(length) = pattern.get(start + 1..)?.iter().position(|c| *c == ']') else {
                return (c == '[').then_some(1);
            };
            let elements = &pattern[start..=start + length];
            (contains(elements, c) != inverted).then_some(start + length + 2)
        }
        p => (*p == c).then_some(1),
    }
}

fn contains(mut elements: &[char], c: char) -> bool {
    while let Some((first, rest)) = elements.split_first() {
        if let ['-', last, ..] = rest {
            if (*first..=*last).contains(&c) {
                return true;
            }
            elements = &rest[2..];
        } else if *first == c {
            return true;
        } else {
            elements = rest;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert!(matches("*.yml", "a.yml"));
        assert!(!matches("*.yml", "a.yml.bak"));
        assert!(matches("a*b*c", "aXbbXbYc"));
        assert!(!matches("a*b*c", "aXbbXbY"));
        assert!(matches("x-[0-9]?.i", "x-42.i"));
        assert!(!matches("x-[!0-9]", "x-4"));
        assert!(matches("[]a]", "]"));
        assert!(matches("[a", "[a"));
        assert!(matches("*", ""));
        assert!(!matches("?", ""));
    }

    #[test]
    fn many_stars_are_quick() {
        assert!(!matches(&"*a".repeat(40), &"a".repeat(39)));
        assert!(!matches(&"a*".repeat(30), &"b".repeat(10_000)));
    }
}
