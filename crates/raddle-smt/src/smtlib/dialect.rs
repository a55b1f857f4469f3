//! The SMT-LIB solvers that are known, as plain data: how each is found, started and asked, and what it can do.

/// How a solver is asked for interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpolants {
    /// Not at all.
    None,
    /// Z3 from 4.13.4: `(get-interpolant A B)` on two terms, without assertions. It is wrong for bit-vectors, where it was seen to
    /// answer `sat` on a pair that contradicts itself, so only formulas over Bool variables go there.
    Z3,
    /// cvc5: A is asserted, and `(get-interpolant NAME C)` asks for I with A → I → C; C is the negation of B.
    Cvc5,
    /// MathSAT: `(assert (! A :interpolation-group g))`, and `(get-interpolant (g))` names the groups of the A side.
    MathSat,
    /// SMTInterpol, OpenSMT, Princess: `(assert (! A :named p))`, and `(get-interpolants p q …)` gives the whole sequence.
    Named,
}

/// The float formats that a solver computes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Floats {
    None,
    /// binary32 and binary64.
    Common,
    All,
}

/// What a solver can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    /// Several checks in one process, with push and pop.
    pub incremental: bool,
    pub models: bool,
    pub unsat_cores: bool,
    /// `check-sat-assuming` and `get-unsat-assumptions`.
    pub unsat_assumptions: bool,
    pub interpolants: Interpolants,
    pub bits: bool,
    pub floats: Floats,
    pub arrays: bool,
    /// Arrays that map everything to the value of a term that is no literal.
    pub const_arrays_of_terms: bool,
    pub integers: bool,
}

impl Features {
    /// In words, for people.
    pub fn words(&self) -> Vec<&'static str> {
        let interpolants = self.interpolants != Interpolants::None;
        [
            (self.bits, "bit-vectors"),
            (self.floats == Floats::All, "floats"),
            (self.floats == Floats::Common, "floats (binary32 and binary64)"),
            (self.arrays, "arrays"),
            (self.integers, "integers"),
            (self.incremental, "incremental"),
            (self.models, "models"),
            (self.unsat_cores, "unsat-cores"),
            (self.unsat_assumptions, "unsat-assumptions"),
            (interpolants && self.interpolants != Interpolants::Z3, "interpolants"),
            (self.interpolants == Interpolants::Z3, "interpolants (not of bit-vectors)"),
        ]
        .into_iter()
        .filter_map(|(can, word)| can.then_some(word))
        .collect()
    }
}

/// One solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// As in `--solver NAME`.
    pub name: &'static str,
    /// What to look for on PATH, best first.
    pub executables: &'static [&'static str],
    /// To read commands from standard input.
    pub arguments: &'static [&'static str],
    pub version_argument: &'static str,
    pub logic: &'static str,
    pub features: Features,
    /// How to get it.
    pub install: &'static str,
}

const ALL: Features = Features {
    incremental: true,
    models: true,
    unsat_cores: true,
    unsat_assumptions: true,
    interpolants: Interpolants::None,
    bits: true,
    floats: Floats::All,
    arrays: true,
    const_arrays_of_terms: true,
    integers: true,
};

pub const DIALECTS: &[Dialect] = &[
    Dialect {
        name: "z3",
        executables: &["z3"],
        arguments: &["-in", "-smt2"],
        version_argument: "--version",
        logic: "ALL",
        features: Features { interpolants: Interpolants::Z3, ..ALL },
        install: "pip install z3-solver",
    },
    Dialect {
        name: "cvc5",
        executables: &["cvc5"],
        arguments: &["--lang=smt2", "--incremental"],
        version_argument: "--version",
        logic: "ALL",
        // Other floats are behind an option that warns of known faults.
        features: Features {
            interpolants: Interpolants::Cvc5,
            floats: Floats::Common,
            const_arrays_of_terms: false,
            ..ALL
        },
        install: "apt-get install cvc5",
    },
    Dialect {
        name: "bitwuzla",
        executables: &["bitwuzla"],
        arguments: &[],
        version_argument: "--version",
        logic: "ALL",
        features: Features { integers: false, ..ALL },
        install: "from https://bitwuzla.github.io",
    },
    Dialect {
        name: "yices",
        executables: &["yices-smt2", "yices_smt2"],
        arguments: &["--incremental"],
        version_argument: "--version",
        logic: "QF_BV",
        // Its arrays are functions: no constant arrays, and their values are not printed as terms.
        features: Features { floats: Floats::None, arrays: false, ..ALL },
        install: "from https://yices.csl.sri.com (or the package yices2, where there is one)",
    },
    Dialect {
        name: "mathsat",
        executables: &["mathsat"],
        arguments: &[],
        version_argument: "-version",
        logic: "ALL",
        features: Features { interpolants: Interpolants::MathSat, ..ALL },
        install: "from https://mathsat.fbk.eu",
    },
    Dialect {
        name: "smtinterpol",
        executables: &["smtinterpol"],
        arguments: &["-q"],
        version_argument: "-version",
        logic: "ALL",
        features: Features { interpolants: Interpolants::Named, floats: Floats::None, ..ALL },
        install: "from https://ultimate.informatik.uni-freiburg.de/smtinterpol (as a script `smtinterpol` that starts java)",
    },
    Dialect {
        name: "opensmt",
        executables: &["opensmt"],
        arguments: &["-p"],
        version_argument: "--version",
        logic: "QF_UF",
        features: Features {
            interpolants: Interpolants::Named,
            unsat_assumptions: false,
            bits: false,
            floats: Floats::None,
            arrays: false,
            ..ALL
        },
        install: "from https://github.com/usi-verification-and-security/opensmt",
    },
    Dialect {
        name: "princess",
        executables: &["princess"],
        arguments: &["+stdin", "+incremental", "+quiet"],
        version_argument: "-version",
        logic: "ALL",
        features: Features { interpolants: Interpolants::Named, unsat_assumptions: false, floats: Floats::None, ..ALL },
        install: "from http://www.philipp.ruemmer.org/princess.shtml",
    },
];

/// The solver of a name.
pub fn dialect(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().find(|d| d.name == name)
}
