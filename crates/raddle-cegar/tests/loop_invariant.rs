//! What a proof says of a loop. That invariants hold is tested for all engines at once (raddle-portfolio, `invariants_of_proofs.rs`).

use raddle_cegar::{Cegar, CegarConfig, Domain};
use raddle_engine::{Budget, Engine, Facts, Outcome, Silent, Task};
use raddle_ir::MemoryModel;
use raddle_testing::lowered;
use std::time::Duration;

#[test]
fn a_loop_has_an_invariant_in_c() {
    let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) {
            int x = 0;
            while (__VERIFIER_nondet_int()) { if (x == 0) x = 3; else x = 0; }
            if (x == 2) reach_error();
            return 0;
        }";
    let task = Task::new(lowered(text), MemoryModel::Sc);
    let engine = Cegar(CegarConfig { domain: Domain::Expl, ..CegarConfig::default() });
    let conclusion = engine.run(&task, &Facts::default(), &Budget::of_time(Duration::from_secs(60)), &Silent);
    let Outcome::Safe(proof) = conclusion.outcome else { panic!("{}", conclusion.outcome.name()) };
    let loops = proof.invariants.all.iter().filter(|invariant| invariant.is_loop);
    let texts: Vec<_> = loops.map(|i| proof.invariants.to_c(task.program(), *i)).collect();
    assert_eq!(texts, [Some("(((unsigned int)x == 0U) || ((unsigned int)x == 3U))".to_owned())]);
}
