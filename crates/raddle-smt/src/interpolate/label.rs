//! Labelled interpolation: from one refutation to the interpolants of all cuts (McMillan 2003; Pudlák 1997; D'Silva, Kroening,
//! Purandare and Weissenbacher, "Interpolant Strength", 2010).
//!
//! At a cut, the clauses of the parts before it are A, the others B. Each node of the refutation gets a partial interpolant. A
//! resolution on a variable that only A has joins the two by OR, on one that only B has by AND. The systems differ in what they do with the
//! variables that both have: McMillan's treats them as if they were B's, with the shared literals of A's clauses as
//! the interpolants of those; Pudlák's chooses between the two by the pivot.
//!
//! From cut to cut a variable goes from B's to shared to A's, never back, and both systems read the same refutation for all cuts: that is what
//! makes the sequence inductive (Gurfinkel, Rollini, Sharygina, "Interpolation Properties and SAT-Based Model Checking", 2013).

use super::proof::{Node, Refutation};
use crate::aig::{Aig, Lit};
use crate::solver::Why;

/// Which interpolants to read from a refutation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum System {
    /// The stronger one: closer to what A says.
    McMillan,
    /// The symmetric one: A and B are treated alike.
    #[default]
    Pudlak,
}

/// Parts in which something occurs: the first and the last.
#[derive(Clone, Copy)]
struct Parts {
    first: u32,
    last: u32,
}

#[derive(PartialEq)]
enum Side {
    A,
    Shared,
    B,
}

impl Parts {
    fn join(self, other: Parts) -> Parts {
        Parts { first: self.first.min(other.first), last: self.last.max(other.last) }
    }

    /// On which side of the cut behind part `cut` that is.
    fn side(self, cut: u32) -> Side {
        match () {
            () if self.last <= cut => Side::A,
            () if self.first > cut => Side::B,
            () => Side::Shared,
        }
    }
}

/// The circuit of the interpolants of all cuts, and their literals. Its first inputs are the SAT solver's first `inputs` variables:
/// node number and variable number are the same. No other variables are shared.
pub fn interpolants(
    refutation: &Refutation,
    inputs: usize,
    cuts: u32,
    system: System,
    stop: &dyn Fn() -> Option<Why>,
) -> Result<(Aig, Vec<Lit>), Why> {
    let mut aig = Aig::new();
    for _ in 0..inputs {
        aig.input();
    }
    let occurrences = occurrences(refutation);
    let below = parts_below(refutation);
    let mut results = Vec::new();
    let mut partial: Vec<Lit> = Vec::with_capacity(refutation.nodes.len());
    for cut in 0..cuts {
        partial.clear();
        for node in &refutation.nodes {
            if partial.len().is_multiple_of(4096)
                && let Some(why) = stop()
            {
                return Err(why);
            }
            let lit = match (node, below[partial.len()].side(cut)) {
                // What follows from B alone; and the same for A where A and B are treated alike.
                (_, Side::B) => Lit::TRUE,
                (_, Side::A) if system == System::Pudlak => Lit::FALSE,
                (Node::Clause { lits, .. }, _) => {
                    let shared = refutation.lits[lits.clone()]
                        .iter()
                        .filter(|lit| occurrences[lit.unsigned_abs() as usize].side(cut) == Side::Shared)
                        .map(|&lit| input(lit));
                    aig.or_all(shared)
                }
                (Node::Chain { first, steps }, _) => {
                    let mut so_far = partial[*first as usize];
                    for step in &refutation.steps[steps.clone()] {
                        let with = partial[step.with as usize];
                        so_far = match (occurrences[step.pivot.unsigned_abs() as usize].side(cut), system) {
                            (Side::A, _) => aig.or(so_far, with),
                            (Side::B, _) | (Side::Shared, System::McMillan) => aig.and(so_far, with),
                            // Where the pivot is true, the clause that contains it is, and the other must do.
                            (Side::Shared, System::Pudlak) => aig.ite(input(step.pivot), so_far, with),
                        };
                    }
                    so_far
                }
            };
            partial.push(lit);
        }
        results.push(partial.last().copied().unwrap_or(Lit::TRUE));
    }
    Ok((aig, results))
}

fn input(lit: i32) -> Lit {
    Lit::new(lit.unsigned_abs(), lit < 0)
}

/// The parts whose clauses each node follows from.
fn parts_below(refutation: &Refutation) -> Vec<Parts> {
    let mut below: Vec<Parts> = Vec::with_capacity(refutation.nodes.len());
    for node in &refutation.nodes {
        let parts = match node {
            Node::Clause { part, .. } => Parts { first: *part, last: *part },
            Node::Chain { first, steps } => refutation.steps[steps.clone()]
                .iter()
                .map(|step| below[step.with as usize])
                .fold(below[*first as usize], Parts::join),
        };
        below.push(parts);
    }
    below
}

/// Where the clauses that the refutation needs have each variable.
fn occurrences(refutation: &Refutation) -> Vec<Parts> {
    let last = refutation.lits.iter().map(|lit| lit.unsigned_abs() as usize).max().unwrap_or(0);
    let mut parts = vec![Parts { first: u32::MAX, last: 0 }; last + 1];
    for node in &refutation.nodes {
        let Node::Clause { part, lits } = node else { continue };
        for lit in &refutation.lits[lits.clone()] {
            let known = &mut parts[lit.unsigned_abs() as usize];
            *known = known.join(Parts { first: *part, last: *part });
        }
    }
    parts
}
