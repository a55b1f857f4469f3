//! `raddle explain CODE`: what the code of an `unknown(CODE)` or an exit status means, why it comes about, and what to try.
//!
//! The match over `Code` has no wildcard: a new code does not compile without an explanation.

use crate::args::ExplainArgs;
use crate::{HOLDS, bad_input};
use raddle_engine::Code;

/// What there is to say about a code.
struct Explanation {
    /// One line.
    meaning: &'static str,
    why: &'static str,
    /// What to try, one a line.
    advice: &'static [&'static str],
    /// How one comes there.
    example: &'static str,
}

pub fn run(args: &ExplainArgs) -> u8 {
    let Some(wanted) = &args.code else {
        println!("{}", list().trim_end());
        return HOLDS;
    };
    match text(wanted) {
        Some(text) => {
            println!("{}", text.trim_end());
            HOLDS
        }
        None => bad_input(&no_such_code(wanted)),
    }
}

/// The line that leads here from a verdict. Who interrupted a run knows why.
pub fn hint(code: Code) -> Option<String> {
    (code != Code::Interrupted).then(|| format!("raddle explain {code} says what to try"))
}

/// All codes, with a line each.
fn list() -> String {
    let mut text = "The codes of VERDICT: unknown(CODE):\n".to_owned();
    for code in Code::ALL {
        text.push_str(&format!("  {:<15} {}\n", code.name(), explanation(code).meaning));
    }
    text.push_str("\nExit statuses:\n");
    for (status, meaning) in STATUSES.iter().enumerate() {
        text.push_str(&format!("  {status:<15} {}\n", meaning[0]));
    }
    text + "\nraddle explain CODE says more about one of them.\n"
}

/// `timeout`, or a whole `unknown(timeout)` as the verdict line has it, or an exit status.
fn text(wanted: &str) -> Option<String> {
    let name = wanted.trim().trim_start_matches("VERDICT:").trim();
    let name = name.strip_prefix("unknown(").and_then(|n| n.strip_suffix(')')).unwrap_or(name);
    if let Some([meaning, more]) = name.parse().ok().and_then(|status: usize| STATUSES.get(status)) {
        return Some(format!("exit status {name}: {meaning}\n\n{more}\n"));
    }
    let code = Code::ALL.into_iter().find(|code| code.name() == name)?;
    let Explanation { meaning, why, advice, example } = explanation(code);
    let mut text = format!("unknown({code}): {meaning}\n\n{why}\n\nWhat to try:\n");
    advice.iter().for_each(|line| text.push_str(&format!("  - {line}\n")));
    text.push_str("\nExample:\n");
    example.lines().for_each(|line| text.push_str(&format!("  {line}\n")));
    Some(text)
}

fn no_such_code(wanted: &str) -> String {
    let names = Code::ALL.map(Code::name);
    let hint = match closest(wanted, names) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "`raddle explain` lists all".into(),
    };
    format!("error: there is no code `{wanted}`: {hint}")
}

/// The name that differs least from a word, if it is close enough to be meant.
pub fn closest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase().replace('_', "-");
    let scored = names.into_iter().map(|name| (distance(&word, name), name));
    scored.filter(|(far, name)| *far <= 2.max(name.len() / 3)).min().map(|(_, name)| name)
}

/// How many characters are to be changed, added or removed (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let best = (diagonal + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.len()]
}

/// By number: what it means, and more.
const STATUSES: [[&str; 2]; 5] = [
    ["the property holds", "The last line is VERDICT: true. No execution of the program violates the property."],
    [
        "the property is violated",
        "The last line is VERDICT: false(PROPERTY). The lines above it are an execution that violates it; it was replayed\nstep by step before it was reported.",
    ],
    [
        "there is no answer",
        "The last line is VERDICT: unknown(CODE); `raddle explain CODE` says what to try. Nothing is known: the program may\nbe right or wrong.",
    ],
    [
        "bad input or usage",
        "The command line, a file or a property is wrong. The message on standard error names the place. For a wrong\ncommand line there is no verdict; otherwise the last line is VERDICT: unknown(input-error).",
    ],
    [
        "internal error",
        "A defect of Raddle's: see `raddle explain internal-error`. The program is not to blame, and nothing is known of it.",
    ],
];

fn explanation(code: Code) -> Explanation {
    match code {
        Code::Timeout | Code::OutOfMemory | Code::Interrupted | Code::TooLarge => resources(code),
        Code::Unsupported | Code::Unmodelled | Code::InputError => sources(code),
        Code::Stuck | Code::BoundReached | Code::NondetDomain | Code::Solver | Code::GivenUp => search(code),
        Code::Unconfirmed => Explanation {
            meaning: "a counterexample or a proof did not pass its check",
            why: "Every violation is replayed and every proof by abstraction is checked once more, by code that shares nothing with\nthe engine. The two disagree here, so there is no answer instead of a wrong one. It is a defect of Raddle's.",
            advice: &[
                "another engine: --engine explore, oc or cegar",
                "report it, with the program and the command line",
            ],
            example: "$ raddle --engine cegar program.c      # unknown(unconfirmed)\n$ raddle --engine oc program.c         # may well have an answer",
        },
        Code::Rejected => Explanation {
            meaning: "the witness is not confirmed",
            why: "`raddle validate` found that no execution that follows the witness violates the property, or that an invariant of the\nwitness does not hold, or that the witness names places and expressions that the program does not have. Nothing is\nknown of the program: its verdict may be right all the same.",
            advice: &[
                "the message above names the waypoint or the invariant",
                "lines and columns of a witness are those of the file as it was given, before preprocessing",
                "raddle verify, which needs no witness",
            ],
            example: "$ raddle verify --witness w.yml program.c\n$ raddle validate --witness w.yml program.c",
        },
        Code::InternalError => Explanation {
            meaning: "a defect of Raddle's",
            why: "Raddle broke off where it should never come. The message on standard error says where. Nothing is known of the\nprogram. The exit status is 4.",
            advice: &[
                "report it, with the program, the command line and the message",
                "another engine: --engine explore, oc or cegar",
            ],
            example: "$ raddle program.c 2> message.txt      # message.txt goes into the report",
        },
    }
}

/// What the machine has not enough of.
fn resources(code: Code) -> Explanation {
    match code {
        Code::OutOfMemory => Explanation {
            meaning: "the limit on memory was reached",
            why: "--memory limits the run and its workers together (15GB unless it says otherwise; a tighter limit of the system or of\na container holds as well).",
            advice: &[
                "more memory: --memory 30GB",
                "fewer workers at a time, which leaves more to each: --jobs 1",
                "smaller arrays, fewer threads or tighter ranges of the inputs (__VERIFIER_assume)",
            ],
            example: "$ raddle --memory 16MB examples/counter_locked.c      # 16 MB are too little for almost anything\n$ raddle examples/counter_locked.c",
        },
        Code::Interrupted => Explanation {
            meaning: "the run was interrupted by a signal",
            why: "Ctrl-C, or somebody sent SIGTERM or SIGINT: a shell, a batch system, a container that is shut down.",
            advice: &["run it again", "in a batch system: a --timeout below the limit of the job"],
            example: "$ timeout 5 raddle program.c           # `timeout` sends SIGTERM\n$ raddle --timeout 5s program.c        # unknown(timeout) instead",
        },
        Code::TooLarge => Explanation {
            meaning: "the program becomes too large before an engine can begin",
            why: "Functions are inlined and recursion is unrolled; deep recursion, or functions that call others many times over, make\nthat grow out of proportion.",
            advice: &[
                "a loop in the place of recursion",
                "fewer functions at once: only the files that matter, with small stand-ins for the rest",
                "another engine: --engine explore, oc or cegar",
            ],
            example: "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }      // twice as many copies with each level",
        },
        _ => Explanation {
            meaning: "the limit on CPU time was reached",
            why: "--timeout limits the CPU time of the run and its workers together (900s unless it says otherwise). With several\nworkers at a time (--jobs) it passes faster than the clock does.",
            advice: &[
                "more time: --timeout 1h",
                "--log info shows which engine came how far; name the best one with --engine",
                "a smaller question: tighter ranges of the inputs (__VERIFIER_assume), smaller arrays, fewer threads",
                "only short executions: --engine oc --oc-unroll-end 5 looks at 5 iterations of each loop",
            ],
            example: "$ raddle --timeout 1s --engine oc examples/suite/countdown.c      # unrolls the loop further and further\n$ raddle --engine cegar examples/suite/countdown.c",
        },
    }
}

/// What the sources ask for.
fn sources(code: Code) -> Explanation {
    match code {
        Code::Unmodelled => Explanation {
            meaning: "a function of the C library has no model",
            why: "An execution calls a function of the C library, libm or POSIX that Raddle knows by name only. It could change memory\nin ways that matter, so a proof would be a guess. Violations that do not depend on it are still reported. Or a violation rests\non a result of which only bounds are known (`erf`, or `sin` of a long double).",
            advice: &[
                "docs/library.md lists the functions that have a model: use one of them",
                "define a function of that name in a file of your own, and give that file as well",
                "an assumption that no execution with the call matters: __VERIFIER_assume(0) before it",
            ],
            example: "#include <netdb.h>\nint main(void) { return gethostbyname(\"a\") == 0; }       // unmodelled: the function `gethostbyname`\n\nstruct hostent *gethostbyname(const char *name) { return 0; }      // a stand-in: no host is found",
        },
        Code::InputError => Explanation {
            meaning: "the sources are no C program, or the property is none",
            why: "A file cannot be read, preprocessing fails, the C is not valid, `main` is missing, an option has a wrong value, or\nthe property is not known. The message on standard error names the place. The exit status is 3.",
            advice: &[
                "headers that are not found: -I DIR, -D NAME=VALUE, or all flags of a build: --compile-commands FILE",
                "several files of one program are given together: raddle a.c b.c",
                "types of the wrong size: --data-model ilp32 for 32-bit programs",
                "compile it first: what gcc accepts and Raddle refuses is a defect, worth a report",
            ],
            example: "$ raddle examples/broken.c\nexamples/broken.c:3:11: error: expected `;`, found `return`",
        },
        _ => Explanation {
            meaning: "a construct, a property or an option that the engines cannot handle",
            why: "An execution reaches valid C that Raddle cannot express (the message has the place), or no engine checks the property\nor the memory model. Violations elsewhere are still reported.",
            advice: &[
                "the construct written in another way, or left out with -D and #ifdef",
                "a property that is checked: unreach-call",
                "another engine, if one was named: --memory-model tso is for explore and oc, not for cegar",
                "--arithmetic integer needs an SMT-LIB solver: pip install z3-solver (`raddle solvers` lists what is found)",
            ],
            example: "int main(void) { int x; __asm__(\"rdpmc\" : \"=a\"(x)); return x; }      // unsupported: inline assembly",
        },
    }
}

/// Where the search of an engine ends without an answer.
fn search(code: Code) -> Explanation {
    match code {
        Code::Stuck => Explanation {
            meaning: "the abstraction cannot say any more",
            why: "The engine cegar met a path that is impossible, but its domain cannot express why; or kind or imc met an error, which bmc shows. More time would not help.",
            advice: &[
                "another domain: --domain pred-split, or expl-pred (the default)",
                "another refinement (--refinement), or integers (--arithmetic efficient, with pip install z3-solver)",
                "another engine: --engine oc, or auto, which tries several",
            ],
            example: "$ raddle --engine cegar --domain expl program.c            # values of variables cannot express x < y\n$ raddle --engine cegar --domain pred-split program.c      # predicates can",
        },
        Code::BoundReached => Explanation {
            meaning: "no violation within the bound, but executions go on past it",
            why: "Loops, recursion or threads were followed up to a bound. There is no violation so far; a longer execution may have one.",
            advice: &[
                "a larger bound: --oc-unroll-end 100, or no --oc-unroll-end at all, up to the limit on time",
                "an engine that proves without a bound: --engine cegar, kind (with one thread), or auto",
                "bounded inputs: __VERIFIER_assume(n < 10) before the loop",
                "--trust-bound answers true within the bound; it is unsound, the rest of the executions is not looked at",
            ],
            example: "$ raddle --engine oc --oc-unroll-end 2 examples/suite/countdown.c\nno violation within 2 iterations of each loop, but some loop goes on\nVERDICT: unknown(bound-reached)",
        },
        Code::NondetDomain => Explanation {
            meaning: "an input has too many values to try them all",
            why: "The engine explore runs the program on concrete values. An input with more than --max-choices values is sampled:\na violation found that way is real, but the absence of one says nothing.",
            advice: &[
                "an engine with symbolic inputs: --engine oc, cegar, or auto",
                "a smaller range: __VERIFIER_assume(x < 100) right after the input",
                "more values: --max-choices 65536",
            ],
            example: "unsigned x = __VERIFIER_nondet_uint();      // 2^32 values\nassert(x / 2 <= x);",
        },
        Code::Solver => Explanation {
            meaning: "a solver failed",
            why: "A solver that runs as a process broke off, printed something unexpected, or could not decide a formula.",
            advice: &[
                "the built-in solver: leave out --solver and --arithmetic",
                "another solver, or another version of it; `raddle solvers` lists what was found",
                "--log debug shows what the solver said",
            ],
            example: "$ raddle --engine oc --oc-decision basic --solver z3 program.c      # as a process\n$ raddle --engine oc program.c                                      # built in",
        },
        _ => Explanation {
            meaning: "the strategy gave the run up because it made no progress",
            why: "A step of a strategy (--portfolio) has a condition `give-up-when`, and it came true; no other step had an answer.",
            advice: &[
                "the default strategy: leave out --portfolio",
                "a later or no `give-up-when` in the strategy, or more steps after it (docs/strategies.md)",
                "the engine alone: --engine NAME",
            ],
            example: "$ raddle --portfolio mine.toml --log info program.c      # shows which step was given up, and when",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained() {
        for code in Code::ALL {
            let Explanation { meaning, why, advice, example } = explanation(code);
            assert!(!meaning.is_empty() && !why.is_empty() && !advice.is_empty() && !example.is_empty(), "{code}");
            let others = Code::ALL.into_iter().filter(|other| *other != code);
            assert!(
                others.into_iter().all(|other| explanation(other).meaning != meaning),
                "{code} shares its explanation"
            );
            assert!(text(code.name()).is_some_and(|text| text.contains(meaning)) && list().contains(meaning), "{code}");
        }
        assert_eq!(text("unknown(stuck)"), text("stuck"));
        assert_eq!(text("VERDICT: unknown(stuck)"), text("stuck"));
        assert!(text("3").is_some_and(|text| text.starts_with("exit status 3: bad input")));
    }

    #[test]
    fn what_is_no_code_is_answered_with_the_closest() {
        assert_eq!(no_such_code("timout"), "error: there is no code `timout`: did you mean `timeout`?");
        assert_eq!(
            no_such_code("OUT_OF_MEMORY"),
            "error: there is no code `OUT_OF_MEMORY`: did you mean `out-of-memory`?"
        );
        assert_eq!(no_such_code("xyzzy"), "error: there is no code `xyzzy`: `raddle explain` lists all");
        assert!(text("5").is_none() && text("").is_none());
    }
}
