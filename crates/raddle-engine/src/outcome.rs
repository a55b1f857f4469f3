//! How a run ends.

use crate::proof::Proof;
use crate::task::Unprepared;
use raddle_budget::Stop;
use raddle_interp::Schedule;
use raddle_ir::{Gap, GapId, GapKind, Program, Span};
use raddle_passes::TooLarge;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// No execution violates the property.
    Safe(Proof),
    /// This execution of the Program as lowered does. It was replayed.
    Unsafe(Schedule),
    Unknown(Reason),
}

impl Outcome {
    /// The short name that tests and tables use.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Safe(_) => "true",
            Outcome::Unsafe(_) => "false",
            Outcome::Unknown(reason) => reason.code.name(),
        }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Outcome::Unknown(_))
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reason {
    pub code: Code,
    /// For people.
    pub words: String,
    /// The place in the source that is to blame, if there is one.
    pub span: Option<Span>,
}

/// The codes of the verdict line. Their names are fixed: scripts depend on them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    Timeout,
    OutOfMemory,
    Interrupted,
    /// A construct, a property or a memory model that cannot be handled.
    Unsupported,
    /// A function of the C library that has no model.
    Unmodelled,
    /// The abstraction cannot tell any more.
    Stuck,
    /// No violation within the bound, but something goes on past it.
    BoundReached,
    /// A counterexample that could not be replayed, or a proof that did not pass its check.
    Unconfirmed,
    /// A choice among too many values was sampled only.
    NondetDomain,
    /// Preparing the Program would make it too large.
    TooLarge,
    /// A solver failed.
    Solver,
    /// The run made no progress that its strategy asks for.
    GivenUp,
    /// A witness does not lead to a violation, or an invariant of it does not hold.
    Rejected,
    /// The sources are no C program, or the property is none.
    InputError,
    /// A defect of Raddle's.
    InternalError,
}

impl Code {
    pub const ALL: [Code; 15] = [
        Code::Timeout,
        Code::OutOfMemory,
        Code::Interrupted,
        Code::Unsupported,
        Code::Unmodelled,
        Code::Stuck,
        Code::BoundReached,
        Code::Unconfirmed,
        Code::NondetDomain,
        Code::TooLarge,
        Code::Solver,
        Code::GivenUp,
        Code::Rejected,
        Code::InputError,
        Code::InternalError,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Code::Timeout => "timeout",
            Code::OutOfMemory => "out-of-memory",
            Code::Interrupted => "interrupted",
            Code::Unsupported => "unsupported",
            Code::Unmodelled => "unmodelled",
            Code::Stuck => "stuck",
            Code::BoundReached => "bound-reached",
            Code::Unconfirmed => "unconfirmed",
            Code::NondetDomain => "nondet-domain",
            Code::TooLarge => "too-large",
            Code::Solver => "solver",
            Code::GivenUp => "given-up",
            Code::Rejected => "rejected",
            Code::InputError => "input-error",
            Code::InternalError => "internal-error",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Reason {
    pub fn new(code: Code, words: impl Into<String>) -> Reason {
        Reason { code, words: words.into(), span: None }
    }

    /// A construct that cannot be expressed, and where it stands.
    pub fn unsupported(what: impl Into<String>, span: Span) -> Reason {
        Reason { code: Code::Unsupported, words: what.into(), span: Some(span) }
    }
}

impl Reason {
    /// An execution arrives at a location where something without a model comes next.
    pub fn gap(program: &Program, gap: GapId) -> Reason {
        let Gap { kind, message } = &program.gaps[gap.index()];
        let code = match kind {
            GapKind::Unsupported => Code::Unsupported,
            GapKind::Unmodelled => Code::Unmodelled,
        };
        Reason::new(code, message.trim_end())
    }
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        match stop {
            Stop::Timeout => Reason::new(Code::Timeout, "the limit on CPU time is reached"),
            Stop::OutOfMemory => Reason::new(Code::OutOfMemory, "the limit on memory is reached"),
            Stop::Interrupted => Reason::new(Code::Interrupted, "interrupted by a signal"),
        }
    }
}

impl From<Unprepared> for Reason {
    fn from(unprepared: Unprepared) -> Reason {
        match unprepared {
            Unprepared::TooLarge(too_large) => too_large.into(),
            Unprepared::WithoutCells => {
                Reason::new(Code::Stuck, "no error depends on an array that distinguished cells can stand for")
            }
        }
    }
}

impl From<TooLarge> for Reason {
    fn from(too_large: TooLarge) -> Reason {
        Reason::new(Code::TooLarge, too_large.to_string())
    }
}
