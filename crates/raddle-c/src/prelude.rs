//! Library functions that C itself can say: the files of `prelude/`, one for each part of the library. They are lowered with the program.
//!
//! A part is read only if the program mentions one of its functions, or a part that is read does: most programs need little of the library. What the program
//! defines itself is left to it, and what nothing uses is dropped later. Types are spelled so that they agree with the library's in
//! width. Functions without a body whose names begin with `__raddle_` or `__VERIFIER_` are known to lowering.
//!
//! In these files, every function that is not `static` begins a line, with its name and `(` on it; static ones are for their own file.

use crate::interner::Interner;
use rustc_hash::FxHashSet;

const DECLARATIONS: &str = include_str!("prelude/declarations.c");
/// For a `main` with parameters, which mentions nothing of it.
const ARGUMENTS: &str = include_str!("prelude/arguments.c");
const PARTS: [&str; 17] = [
    include_str!("prelude/characters.c"),
    include_str!("prelude/environment.c"),
    include_str!("prelude/errno.c"),
    include_str!("prelude/exit.c"),
    include_str!("prelude/math.c"),
    include_str!("prelude/memory.c"),
    include_str!("prelude/messages.c"),
    include_str!("prelude/multibyte.c"),
    include_str!("prelude/numbers.c"),
    include_str!("prelude/output.c"),
    include_str!("prelude/random.c"),
    include_str!("prelude/reals.c"),
    include_str!("prelude/sorting.c"),
    include_str!("prelude/strings.c"),
    include_str!("prelude/threads.c"),
    include_str!("prelude/time.c"),
    include_str!("prelude/wide.c"),
];

/// The parts that a program with these names needs, as one text; with the arguments of `main` if it has any.
pub fn needed(program: &Interner, has_arguments: bool) -> String {
    let is_mentioned = |name: &str| {
        let spellings = [format!("__builtin_{name}"), format!("__builtin___{name}_chk")];
        program.knows(name) || spellings.iter().any(|name| program.knows(name))
    };
    let mut chosen = PARTS.map(|part| functions(part).any(is_mentioned));
    let mut open: Vec<usize> = (0..PARTS.len()).filter(|i| chosen[*i]).collect();
    while let Some(part) = open.pop() {
        let words: FxHashSet<&str> = words(PARTS[part]).collect();
        for (other, is_chosen) in chosen.iter_mut().enumerate() {
            if !*is_chosen && functions(PARTS[other]).any(|name| words.contains(name)) {
                *is_chosen = true;
                open.push(other);
            }
        }
    }
    let parts = PARTS.iter().zip(chosen).filter(|(_, is_chosen)| *is_chosen).map(|(part, _)| *part);
    std::iter::once(DECLARATIONS).chain(has_arguments.then_some(ARGUMENTS)).chain(parts).collect()
}

/// All functions of the library that are written in C.
pub fn all_functions() -> impl Iterator<Item = &'static str> {
    PARTS.into_iter().flat_map(functions)
}

/// The functions that a part is there for.
fn functions(part: &'static str) -> impl Iterator<Item = &'static str> {
    let is_definition = |line: &&str| {
        line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !["static ", "extern ", "typedef ", "struct "].iter().any(|word| line.starts_with(word))
    };
    part.lines().filter(is_definition).filter_map(|line| words(line.split_once('(')?.0).last())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(names: &[&str]) -> Interner {
        let mut interner = Interner::new();
        for name in names {
            interner.intern(name);
        }
        interner
    }

    #[test]
    fn parts_are_read_where_they_are_needed() {
        assert_eq!(needed(&program(&["x", "main"]), false), DECLARATIONS);
        let sorting = needed(&program(&["bsearch"]), true);
        assert!(sorting.contains("qsort(") && !sorting.contains("char *strcpy"));
        // `realloc` copies.
        assert!(needed(&program(&["realloc"]), false).contains("void *memcpy(void *to"));
        assert!(needed(&program(&["__builtin_strlen"]), false).contains("size_t strlen(const char *s)"));
    }

    #[test]
    fn no_function_is_there_twice() {
        let mut seen = FxHashSet::default();
        for name in all_functions() {
            assert!(seen.insert(name), "{name}");
        }
        assert!(seen.contains("qsort") && seen.contains("div") && seen.contains("__ctype_b_loc"));
    }
}
