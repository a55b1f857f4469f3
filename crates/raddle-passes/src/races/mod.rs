//! Data races as reachability: a Program in which an `Error(DataRace)` is reached exactly if two threads can be about to access the same memory, one of them to write, not both atomically.
//!
//! A Program has an execution with two conflicting accesses that no happens-before orders if and only if it has one in which two such accesses are next to each other: take the first race of an execution.
//! All conflicting accesses before it are ordered, so that steps commute without changing what anybody reads; what is not ordered after the first access moves before it, what is not ordered before the second
//! one moves behind it, and nothing is in between. So no clocks are needed. (Sequential consistency is no restriction: a program without races has no other executions, as long as
//! its atomic accesses are sequentially consistent; where some are weaker, a proof is a gap.)
//!
//! For each pair of accesses that may race (`candidates.rs` excludes most of them), one that writes may be *announced*: the thread says in a variable of the group what it is about to access, and steps no more. The other
//! access looks there when it is made: if what was announced overlaps, two threads were about to access it. Each group of accesses that are connected by pairs has variables of its own, so that partial-order reduction
//! sees no more dependence than the accesses have themselves.
//!
//! Sections of `__VERIFIER_atomic` exclude each other like one lock, and nothing else. A thread that announces inside one leaves it, and nobody enters another one any more.
//! A race of volatile accesses is undefined behaviour in C, and no race to many programs: it is a gap. To find a lock taken orders nothing (POSIX 4.12, C11 7.26.4.5), though only
//! interleavings in which somebody has it get there: what follows is a gap as well.

mod candidates;
mod sections;
mod sites;
mod watch;

use crate::Known;
use candidates::candidates;
use raddle_ir::Program;
use sites::sites;
use watch::watch;

/// Makes data races errors, but for those that are known.
pub fn races(program: Program, known: &[Known]) -> Program {
    let sites = sites(&program);
    let mut candidates = candidates(&program, &sites);
    candidates.pairs.retain(|(a, b)| {
        let [a, b] = [a, b].map(|site| program.proc(sites[*site].proc).edges[sites[*site].edge].span);
        !known.contains(&Known::Race(a, b)) && !known.contains(&Known::Race(b, a))
    });
    if candidates.pairs.is_empty() && candidates.strays.is_empty() {
        return program;
    }
    watch(program, &sites, &candidates)
}
