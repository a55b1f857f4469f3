//! Library functions that C itself can say: the files of `prelude/`, one for each part of the library. They are lowered with the program.
//!
//! A function is read only if the program uses it, or a function that is read mentions it: most programs need little of the library. With a function come all types
//! and variables of its part, and the functions that lowering may call there, whose names begin with `__raddle_`. What the program
//! defines itself is left to it. Types are spelled so that they agree with the library's in
//! width. Functions without a body whose names begin with `__raddle_` or `__VERIFIER_` are known to lowering.
//!
//! In these files, static functions are for their own file, and an item begins a line (`items.rs`). The files of `<math.h>` are
//! templates, read once for each floating-point format that is needed (`formats.rs`).

mod formats;
mod items;

use crate::ast::Symbol;
use crate::interner::Interner;
use formats::{DOUBLE, FLOAT, Format, LONG_DOUBLE};
use items::{Item, items, words};
pub use items::{is_word, silent};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

const DECLARATIONS: &str = include_str!("prelude/declarations.c");
/// For a `main` with parameters, which mentions nothing of it.
const ARGUMENTS: &str = include_str!("prelude/arguments.c");
const MATH_EXACT: &str = include_str!("prelude/math_exact.c");
const MATH_BOUNDS: &str = include_str!("prelude/math_bounds.c");
const COMPLEX: &str = include_str!("prelude/complex.c");
const COMPLEX_FUNCTIONS: &str = include_str!("prelude/complex_functions.c");
const MATH_ERRNO: &str = include_str!("prelude/math_errno.c");
/// Where these are interned, the library has the operators on complex numbers, which no program mentions.
pub const COMPLEX_OPERATORS: [&str; 3] =
    ["__raddle_complex_multiply", "__raddle_complex_multiplyf", "__raddle_complex_multiplyl"];
/// What follows formats.
const FORMATTING: [&str; 1] = ["__raddle_formatted"];
/// Variables that the library shares with programs.
pub const VARIABLES: [&str; 4] = ["signgam", "stdin", "stdout", "stderr"];
/// Nobody can tell whether an attribute is kept that nobody asks for, and that decides nothing.
const ATTRIBUTES: &[&str] = &[
    "pthread_attr_getaffinity_np",
    "pthread_attr_getdetachstate",
    "pthread_attr_getguardsize",
    "pthread_attr_getinheritsched",
    "pthread_attr_getschedparam",
    "pthread_attr_getschedpolicy",
    "pthread_attr_getscope",
    "pthread_attr_getsigmask_np",
    "pthread_attr_getstack",
    "pthread_attr_getstackaddr",
    "pthread_attr_getstacksize",
    "pthread_attr_setdetachstate",
    "pthread_attr_setschedparam",
    "pthread_barrierattr_getpshared",
    "pthread_condattr_getclock",
    "pthread_condattr_getpshared",
    "pthread_getattr_default_np",
    "pthread_getattr_np",
    "pthread_getconcurrency",
    "pthread_mutex_getprioceiling",
    "pthread_mutex_setprioceiling",
    "pthread_mutexattr_getprioceiling",
    "pthread_mutexattr_getprotocol",
    "pthread_mutexattr_getpshared",
    "pthread_rwlockattr_getkind_np",
    "pthread_rwlockattr_getpshared",
    "pthread_setattr_default_np",
];
/// Programs without keys have nothing to do at the end of a thread.
const KEYS: &[&str] = &[
    "pthread_getspecific",
    "pthread_key_create",
    "pthread_key_delete",
    "pthread_setspecific",
    "tss_create",
    "tss_delete",
    "tss_get",
    "tss_set",
];
/// What detaches threads.
const DETACHING: &[&str] = &["pthread_attr_setdetachstate", "pthread_detach", "thrd_detach"];
/// What makes the end of a thread more than a label.
const CLEANUPS: &[&str] = &["__pthread_register_cancel", "__pthread_register_cancel_defer", "pthread_cancel"];
/// Without these, random numbers are only any.
const SEEDS: &[&str] = &["initstate", "srand", "srandom"];
/// Where none of these is called, `raise` does what it does by default.
const SIGNALS: &[&str] = &[
    "__sysv_signal",
    "bsd_signal",
    "pthread_kill",
    "pthread_sigmask",
    "sigaction",
    "sighold",
    "sigignore",
    "signal",
    "sigprocmask",
    "sigrelse",
    "ssignal",
    "sysv_signal",
];
/// Without these, there are no streams but the standard ones.
const OPENERS: &[&str] = &["fdopen", "fopen", "fopen64", "freopen", "freopen64", "popen", "tmpfile", "tmpfile64"];
/// Without these, nobody sees which descriptor a stream has.
const DESCRIPTORS: &[&str] = &[
    "accept",
    "close",
    "creat",
    "creat64",
    "dup",
    "dup2",
    "dup3",
    "fdopen",
    "fileno",
    "fileno_unlocked",
    "getpt",
    "lseek",
    "mkostemp",
    "mkostemp64",
    "mkostemps",
    "mkostemps64",
    "mkstemp",
    "mkstemp64",
    "mkstemps",
    "mkstemps64",
    "open",
    "open64",
    "openat",
    "openat64",
    "pipe",
    "pipe2",
    "posix_openpt",
    "pread",
    "pwrite",
    "read",
    "socket",
    "socketpair",
    "write",
];
/// Stands for the property, where a part is only of use for it.
const DEADLOCKS: &str = "no-deadlock";
/// In the order of their text: a function is declared before it is used, or in the part that uses it.
const PARTS: &[Part] = &[
    Part::plain(include_str!("prelude/additive_random.c")),
    Part::plain(include_str!("prelude/any_error.c")).only_with(&["__errno_location"]),
    Part::plain(include_str!("prelude/attributes.c")).only_with(ATTRIBUTES),
    Part::plain(include_str!("prelude/characters.c")),
    Part::plain(include_str!("prelude/conversions.c")),
    Part::plain(include_str!("prelude/digits.c")),
    Part::plain(include_str!("prelude/environment.c")),
    Part::plain(include_str!("prelude/errno.c")),
    Part::plain(include_str!("prelude/errors.c")),
    Part::plain(include_str!("prelude/exit.c")),
    Part::plain(include_str!("prelude/real_texts.c")),
    Part::plain(include_str!("prelude/real_strings.c")),
    Part::plain(include_str!("prelude/formatted.c")),
    Part::plain(include_str!("prelude/known_files.c")),
    Part::plain(include_str!("prelude/descriptors.c")),
    Part::plain(include_str!("prelude/files.c")),
    Part::plain(include_str!("prelude/inet.c")),
    Part::plain(include_str!("prelude/locale.c")),
    Part::plain(include_str!("prelude/math.c")),
    Part::template(MATH_ERRNO, &DOUBLE).only_with(&["__errno_location"]),
    Part::template(MATH_ERRNO, &FLOAT).only_with(&["__errno_location"]),
    Part::template(MATH_ERRNO, &LONG_DOUBLE).only_with(&["__errno_location"]),
    Part::template(MATH_EXACT, &DOUBLE),
    Part::template(MATH_EXACT, &FLOAT),
    Part::template(MATH_EXACT, &LONG_DOUBLE),
    Part::template(MATH_BOUNDS, &DOUBLE),
    Part::template(MATH_BOUNDS, &FLOAT),
    Part::template(MATH_BOUNDS, &LONG_DOUBLE),
    Part::template(COMPLEX_FUNCTIONS, &DOUBLE),
    Part::template(COMPLEX_FUNCTIONS, &FLOAT),
    Part::template(COMPLEX_FUNCTIONS, &LONG_DOUBLE),
    Part::template(COMPLEX, &DOUBLE),
    Part::template(COMPLEX, &FLOAT),
    Part::template(COMPLEX, &LONG_DOUBLE),
    Part::plain(include_str!("prelude/memory.c")),
    Part::plain(include_str!("prelude/messages.c")),
    Part::plain(include_str!("prelude/multibyte.c")),
    Part::plain(include_str!("prelude/numbers.c")),
    Part::plain(include_str!("prelude/order.c")),
    Part::plain(include_str!("prelude/output.c")),
    Part::plain(include_str!("prelude/paths.c")),
    Part::plain(include_str!("prelude/processes.c")),
    Part::plain(include_str!("prelude/quick_exit.c")),
    Part::plain(include_str!("prelude/random.c")),
    Part::plain(include_str!("prelude/reals.c")),
    Part::plain(include_str!("prelude/search.c")),
    Part::plain(include_str!("prelude/standard_streams.c")),
    Part::plain(include_str!("prelude/opened_streams.c")).only_with(OPENERS),
    Part::plain(include_str!("prelude/stream_numbers.c")).only_with(DESCRIPTORS),
    Part::plain(include_str!("prelude/streams.c")),
    Part::plain(include_str!("prelude/file_names.c")),
    Part::plain(include_str!("prelude/input.c")),
    Part::plain(include_str!("prelude/scanning.c")),
    Part::plain(include_str!("prelude/scanned_streams.c")),
    Part::plain(include_str!("prelude/seeds.c")).only_with(SEEDS),
    Part::plain(include_str!("prelude/scheduling.c")),
    Part::plain(include_str!("prelude/signal_sets.c")),
    Part::plain(include_str!("prelude/sorting.c")),
    Part::plain(include_str!("prelude/strings.c")),
    Part::plain(include_str!("prelude/temporary_files.c")),
    Part::plain(include_str!("prelude/threads.c")),
    Part::plain(include_str!("prelude/conditions.c")).only_with(&[DEADLOCKS]),
    Part::plain(include_str!("prelude/timed_locks.c")),
    Part::plain(include_str!("prelude/detaching.c")).only_with(DETACHING),
    Part::plain(include_str!("prelude/keys.c")).only_with(KEYS),
    Part::plain(include_str!("prelude/cleanup.c")).only_with(CLEANUPS),
    Part::plain(include_str!("prelude/cancellation.c")).only_with(&["pthread_cancel"]),
    Part::plain(include_str!("prelude/mutex_kinds.c")).only_with(&["mtx_init", "pthread_mutexattr_settype"]),
    Part::plain(include_str!("prelude/named_semaphores.c")),
    Part::plain(include_str!("prelude/signals.c")).only_with(SIGNALS),
    Part::plain(include_str!("prelude/time.c")),
    Part::plain(include_str!("prelude/strftime.c")),
    Part::plain(include_str!("prelude/wide.c")),
];

/// A part of the library. What is the same for all floating-point formats is a template: `@` stands for the suffix of names, and
/// words that begin with `$` for what the format fills in.
#[derive(Clone, Copy)]
struct Part {
    text: &'static str,
    format: Option<&'static Format>,
    /// Names of which the program itself must use one for this part to be of use; none: it always is.
    only_with: &'static [&'static str],
}

impl Part {
    const fn plain(text: &'static str) -> Part {
        Part { text, format: None, only_with: &[] }
    }

    const fn template(text: &'static str, format: &'static Format) -> Part {
        Part { text, format: Some(format), only_with: &[] }
    }

    const fn only_with(self, names: &'static [&'static str]) -> Part {
        Part { only_with: names, ..self }
    }

    /// A piece of the part as C.
    fn fill(self, text: &'static str) -> Cow<'static, str> {
        match self.format {
            Some(format) => Cow::Owned(format.fill(text)),
            None => Cow::Borrowed(text),
        }
    }

    /// The same for a name: no word but the suffix is in it.
    fn fill_name(self, name: &'static str) -> Cow<'static, str> {
        match self.format {
            Some(format) => Cow::Owned(name.replace('@', format.suffix)),
            None => Cow::Borrowed(name),
        }
    }
}

/// All parts, taken apart.
struct Library {
    /// With the number of the part.
    items: Vec<(usize, Item<'static>)>,
    /// The items of each part.
    of_part: Vec<Range<usize>>,
    /// The functions and initialised variables, with their items.
    named: FxHashMap<Cow<'static, str>, usize>,
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let mut library = Library { items: Vec::new(), of_part: Vec::new(), named: FxHashMap::default() };
    for (number, part) in PARTS.iter().enumerate() {
        let first = library.items.len();
        for item in items(part.text) {
            if let Some(name) = item.function.or(item.variable()) {
                library.named.insert(part.fill_name(name), library.items.len());
            }
            library.items.push((number, item));
        }
        library.of_part.push(first..library.items.len());
    }
    library
});

/// What a program uses of the library.
pub struct Uses<'a> {
    pub interner: &'a Interner,
    /// How many of the times that it mentions a name are declarations.
    pub declarations: FxHashMap<Symbol, u32>,
    /// Names that the program gives a meaning of its own.
    pub taken: &'a FxHashSet<&'a str>,
    /// Names of symbols that declarations have (`asm("memset")`).
    pub labels: FxHashSet<&'a [u8]>,
    /// `main` has parameters.
    pub has_arguments: bool,
    /// Formats of `printf` and its like are to be followed.
    pub follows_formats: bool,
    /// Waiting for ever is a violation.
    pub counts_deadlocks: bool,
}

impl Uses<'_> {
    /// What it uses of the library.
    fn names(&self) -> impl Iterator<Item = &str> {
        let labels = self.labels.iter().filter_map(|label| std::str::from_utf8(label).ok());
        let mentioned = self.interner.names().chain(labels);
        let meanings = mentioned.flat_map(|name| [(name, Some(name)), (name, of_builtin(name))]);
        meanings.filter_map(|(name, meant)| meant.filter(|meant| LIBRARY.is_shared(meant) && self.has(name)))
    }

    /// Headers declare most of the library: a declaration is no use.
    fn has(&self, name: &str) -> bool {
        let declared = |symbol| self.declarations.get(&symbol).copied().unwrap_or(0);
        let is_used = self.interner.known(name).is_some_and(|(symbol, times)| times > declared(symbol));
        (is_used || self.labels.contains(name.as_bytes())) && !self.taken.contains(name)
    }
}

/// `memcpy` of `__builtin_memcpy` and `__builtin___memcpy_chk`.
fn of_builtin(name: &str) -> Option<&str> {
    let builtin = name.strip_prefix("__builtin_")?;
    Some(builtin.strip_prefix("__").and_then(|checked| checked.strip_suffix("_chk")).unwrap_or(builtin))
}

/// What a program needs of the library, as one text.
pub fn needed(program: &Uses) -> String {
    let is_there = |name: &&str| program.has(name) || *name == DEADLOCKS && program.counts_deadlocks;
    let is_readable = |part: &Part| part.only_with.is_empty() || part.only_with.iter().any(is_there);
    let mut reading = Reading {
        is_readable: PARTS.iter().map(is_readable).collect(),
        is_begun: vec![false; PARTS.len()],
        is_read: vec![false; LIBRARY.items.len()],
        open: Vec::new(),
    };
    let formatting = FORMATTING.into_iter().filter(|_| program.follows_formats);
    for name in program.names().chain(formatting) {
        reading.mention(name);
    }
    while let Some(text) = reading.open.pop() {
        words(&text).for_each(|word| reading.mention(word));
    }
    let mut text = String::from(DECLARATIONS);
    text.push_str(if program.has_arguments { ARGUMENTS } else { "" });
    for ((part, item), _) in LIBRARY.items.iter().zip(reading.is_read).filter(|(_, is_read)| *is_read) {
        text.push_str(&PARTS[*part].fill(item.text));
        text.push('\n');
    }
    text
}

/// What has been read of the library.
struct Reading {
    /// Of each part.
    is_readable: Vec<bool>,
    is_begun: Vec<bool>,
    /// Of each item.
    is_read: Vec<bool>,
    /// Texts whose words are not looked at yet.
    open: Vec<Cow<'static, str>>,
}

impl Reading {
    fn mention(&mut self, name: &str) {
        let Some(&item) = LIBRARY.named.get(name) else { return };
        let part = LIBRARY.items[item].0;
        if !self.is_readable[part] {
            return;
        }
        self.read(item);
        if !std::mem::replace(&mut self.is_begun[part], true) {
            LIBRARY.of_part[part]
                .clone()
                .filter(|item| LIBRARY.items[*item].1.is_always_read())
                .for_each(|item| self.read(item));
        }
    }

    fn read(&mut self, item: usize) {
        if !std::mem::replace(&mut self.is_read[item], true) {
            let (part, item) = &LIBRARY.items[item];
            // A declaration of a function is no use of it.
            let is_prototype = item.function.is_none() && item.text.ends_with(");");
            if !is_prototype {
                self.open.push(PARTS[*part].fill(item.text));
            }
        }
    }
}

impl Library {
    /// Is there a function or variable of this name for everybody?
    fn is_shared(&self, name: &str) -> bool {
        self.named.get(name).is_some_and(|item| !self.items[*item].1.is_static())
    }
}

/// All functions of the library that are written in C.
pub fn all_functions() -> impl Iterator<Item = Cow<'static, str>> {
    LIBRARY.named.keys().filter(|name| LIBRARY.is_shared(name)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program with these names needs.
    fn needed_by(names: &[&str]) -> String {
        let mut interner = Interner::new();
        for name in names {
            interner.intern(name);
        }
        let (declarations, taken) = (FxHashMap::default(), FxHashSet::default());
        let labels = FxHashSet::default();
        let uses = Uses {
            interner: &interner,
            declarations,
            taken: &taken,
            labels,
            has_arguments: false,
            follows_formats: false,
            counts_deadlocks: false,
        };
        needed(&uses)
    }

    #[test]
    fn parts_are_read_where_they_are_needed() {
        assert_eq!(needed_by(&["x", "main"]), DECLARATIONS);
        let sorting = needed_by(&["bsearch"]);
        assert!(sorting.contains("bsearch(") && !sorting.contains("qsort(") && !sorting.contains("wcslen"));
        // `realloc` copies.
        assert!(needed_by(&["realloc"]).contains("void *memcpy(void *to"));
        // Of a template, only the formats that are used.
        let parts = needed_by(&["frexpf"]);
        assert!(parts.contains("float frexpf(float x") && !parts.contains("frexpl"));
        let roots = needed_by(&["cbrtf"]);
        assert!(roots.contains("float cbrtf(float x)"));
        assert!(!roots.contains(['@', '$']), "a word of the templates is unknown");
        // An operator of the Program is a function only where errno matters.
        assert_eq!(needed_by(&["sqrt"]), DECLARATIONS);
        assert!(needed_by(&["sqrt", "__errno_location"]).contains("double sqrt(double x)"));
        assert!(needed_by(&["__builtin_strlen"]).contains("size_t strlen(const char *s)"));
    }

    #[test]
    fn parts_are_taken_apart_where_their_items_end() {
        for (_, item) in &LIBRARY.items {
            let count = |bracket: char| item.text.matches(bracket).count();
            let is_whole = item.text.ends_with(if item.function.is_some() { '}' } else { ';' });
            assert!(is_whole && count('{') == count('}'), "{}", item.text);
        }
    }

    /// Parts are one text in the end, and a function is found by its name.
    #[test]
    fn no_name_is_there_twice() {
        let mut seen = FxHashSet::default();
        for (part, item) in &LIBRARY.items {
            let variable = || item.text.split(['[', '=', ';']).next().and_then(|before| words(before).last());
            let name = item.function.or_else(|| variable().filter(|_| item.is_static() && !item.text.contains('(')));
            if let Some(name) = name {
                assert!(seen.insert(PARTS[*part].fill_name(name)), "{name}");
            }
        }
        for name in ["qsort", "div", "__ctype_b_loc", "frexp", "frexpf", "lgammal_r", "ufromfpxl"] {
            assert!(seen.contains(name), "{name}");
        }
    }
}
