//! Properties, and what violates them. A label says which violation it is; everything else (verdict lines, messages) follows from that.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    #[default]
    UnreachCall,
    NoDataRace,
    NoOverflow,
    ValidMemsafety,
    ValidMemcleanup,
    Termination,
    NoDeadlock,
}

impl Property {
    pub const ALL: [Property; 7] = [
        Property::UnreachCall,
        Property::NoDataRace,
        Property::NoOverflow,
        Property::ValidMemsafety,
        Property::ValidMemcleanup,
        Property::Termination,
        Property::NoDeadlock,
    ];

    /// As on the command line and in the verdict.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoDataRace => "no-data-race",
            Property::NoOverflow => "no-overflow",
            Property::ValidMemsafety => "valid-memsafety",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::Termination => "termination",
            Property::NoDeadlock => "no-deadlock",
        }
    }

    /// Do engines check it?
    pub fn is_checked(self) -> bool {
        self != Property::Termination
    }
}

/// What went wrong where an `Error` label stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Violation {
    /// `reach_error` or `__VERIFIER_error` is called.
    ErrorCall,
    Assertion,
    /// The result of signed arithmetic does not fit.
    Overflow,
    /// Two threads are about to access the same memory, one of them writes, and not both are atomic.
    DataRace,
    /// An access to bytes that no live object holds.
    InvalidDeref,
    /// `free` of what is not the start of a live heap object.
    InvalidFree,
    /// The program has ended and no pointer leads to an object that was not freed.
    LostMemory,
    /// The program has ended and an object was not freed.
    UnfreedMemory,
    /// All threads that have not ended wait for each other.
    Deadlock,
}

impl Violation {
    pub const ALL: [Violation; 9] = [
        Violation::ErrorCall,
        Violation::Assertion,
        Violation::Overflow,
        Violation::DataRace,
        Violation::InvalidDeref,
        Violation::InvalidFree,
        Violation::LostMemory,
        Violation::UnfreedMemory,
        Violation::Deadlock,
    ];

    /// The property that it violates.
    pub fn property(self) -> Property {
        match self {
            Violation::ErrorCall | Violation::Assertion => Property::UnreachCall,
            Violation::Overflow => Property::NoOverflow,
            Violation::DataRace => Property::NoDataRace,
            Violation::InvalidDeref | Violation::InvalidFree | Violation::LostMemory => Property::ValidMemsafety,
            Violation::UnfreedMemory => Property::ValidMemcleanup,
            Violation::Deadlock => Property::NoDeadlock,
        }
    }

    /// In the verdict: the property, or the part of it that has a name of its own.
    pub fn verdict_name(self) -> &'static str {
        match self {
            Violation::InvalidDeref => "valid-deref",
            Violation::InvalidFree => "valid-free",
            Violation::LostMemory => "valid-memtrack",
            other => other.property().name(),
        }
    }

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Violation::ErrorCall => "the error function is called",
            Violation::Assertion => "an assertion fails",
            Violation::Overflow => "signed arithmetic overflows",
            Violation::DataRace => "two threads access the same memory at the same time",
            Violation::InvalidDeref => "an access lies in no live object",
            Violation::InvalidFree => "what is freed is no live heap object",
            Violation::LostMemory => "memory is lost: it is not freed, and no pointer leads to it",
            Violation::UnfreedMemory => "memory is not freed",
            Violation::Deadlock => "deadlock: all threads that are left wait for ever",
        }
    }
}

/// A set of violations: what counts, of all that a program may do wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Violations(u16);

impl Violations {
    pub const NONE: Violations = Violations(0);
    /// Whatever says that it is an error.
    pub const ERRORS: Violations = Violations::NONE.with(Violation::ErrorCall).with(Violation::Assertion);

    pub const fn with(self, violation: Violation) -> Violations {
        Violations(self.0 | 1 << violation as u16)
    }

    pub const fn has(self, violation: Violation) -> bool {
        self.0 & 1 << violation as u16 != 0
    }

    /// All that violate a property.
    pub fn of(property: Property) -> Violations {
        Violation::ALL.into_iter().filter(|violation| violation.property() == property).collect()
    }
}

impl FromIterator<Violation> for Violations {
    fn from_iter<I: IntoIterator<Item = Violation>>(all: I) -> Violations {
        all.into_iter().fold(Violations::NONE, Violations::with)
    }
}
