//! Partial-order reduction in the abstract state space (thesis 2, chapter 3).
//!
//! `futures` says what a thread may still touch, `source_sets` chooses the threads whose actions are explored from a state (Algorithm 1), and
//! `cycle_condition` looks, when the graph is complete, for threads that are put off along a cycle (condition 2 of Theorem 2).
//!
//! Side conditions of the theorems, and where they are kept:
//! - *Locations of all processes are explicit*, and so are locks and the thread in an atomic block (`threads.rs`).
//! - *Action-determinism.* A domain that splits a successor into several states (values enumerated, predicates split) is no obstacle: each concrete step has
//!   its abstract one, which is all that Lemma 1 needs, and Theorems 1 to 3 argue about concrete states that an abstract path contains.
//! - *Property 1* (in every concrete state, some action of each process can be taken) does not hold for locks, joins, assumptions and requirements. Case
//!   2 of Theorem 3 needs it of one thread of the set only: every source set contains a thread that is sure to be able to step (`certain_step` in `source_sets.rs`).
//! - *An action leaves the others as they were.* An atomic block is one action (`Block` in `futures.rs`), and keeps all others out until its end. If it has none (an assumption
//!   fails, behaviour is undefined, the thread waits, loops or ends the program inside), nothing that others do commutes with it. So a block is sure to be able
//!   to step only if it comes to its end whatever the values are. Outside of blocks, ending the program stops only its thread.
//! - *Enabling.* A step that may wait for the end of a thread (a join in a block) depends on every step of the others (`awaits_end` in `source_sets.rs`).
//! - *Finite state space*: a graph that does not end proves nothing.
//! - *Cycles* are closed by covering alone, since the graph is a tree otherwise; a covered node counts as the node that covers it. A thread that another one's block
//!   keeps out is put off as well: cycles are those of whole blocks.
//! - With local granularity, vars(Π) is the union over all locations.
//! - A node that was kept although the precision grew remembers the variables that its reduction took to be untracked (`Node::relied_on`).

pub mod cycle_condition;
mod futures;
mod source_sets;

pub use source_sets::{Chosen, SourceSets, ThreadActions};
