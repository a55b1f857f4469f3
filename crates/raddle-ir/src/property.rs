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
    Termination,
    NoDeadlock,
}

impl Property {
    pub const ALL: [Property; 6] = [
        Property::UnreachCall,
        Property::NoDataRace,
        Property::NoOverflow,
        Property::ValidMemsafety,
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
            Property::Termination => "termination",
            Property::NoDeadlock => "no-deadlock",
        }
    }

    /// Are there labels for its violations? Then every engine can check it.
    pub fn has_labels(self) -> bool {
        Violation::ALL.iter().any(|violation| violation.property() == self)
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
}

impl Violation {
    pub const ALL: [Violation; 3] = [Violation::ErrorCall, Violation::Assertion, Violation::Overflow];

    /// The property that it violates.
    pub fn property(self) -> Property {
        match self {
            Violation::ErrorCall | Violation::Assertion => Property::UnreachCall,
            Violation::Overflow => Property::NoOverflow,
        }
    }

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Violation::ErrorCall => "the error function is called",
            Violation::Assertion => "an assertion fails",
            Violation::Overflow => "signed arithmetic overflows",
        }
    }
}
