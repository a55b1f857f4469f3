//! Every solver of the engine is made here, so that all of them heed the same limits: who stops the run stops its question, and a question may take
//! only so long. What a caller makes of an answer that does not come must be sound: something coarser, or nothing at all.

use raddle_smt::smtlib::{FoundSolver, Patience};
use raddle_smt::{Effort, IntegerInterpolator, Interpolator, Interrupt, NativeInterpolator, NativeSolver, Solver};
use std::time::Duration;

/// The limits of all questions of a run.
#[derive(Clone, Default)]
pub struct Solvers {
    interrupt: Interrupt,
    time: Option<Duration>,
}

impl Solvers {
    /// Questions that somebody may interrupt, and that may take only so long each.
    pub fn new(interrupt: Interrupt, time: Option<Duration>) -> Self {
        Solvers { interrupt, time }
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_stopped()
    }

    pub fn solver(&self) -> NativeSolver {
        self.within(Effort::default())
    }

    /// For questions that are not worth more than this.
    pub fn within(&self, budget: Effort) -> NativeSolver {
        let mut solver = NativeSolver::stopped_by(self.interrupt.clone());
        solver.set_effort(self.least(budget));
        solver
    }

    pub fn interpolator(&self, budget: Effort) -> NativeInterpolator {
        let mut interpolator = NativeInterpolator::stopped_by(self.interrupt.clone());
        interpolator.set_effort(self.least(budget));
        interpolator
    }

    pub fn integer_interpolator(&self, found: &FoundSolver, budget: Effort) -> IntegerInterpolator {
        let mut interpolator =
            IntegerInterpolator::stopped_by(found.clone(), Patience::default(), self.interrupt.clone());
        interpolator.set_effort(self.least(budget));
        interpolator
    }

    fn least(&self, budget: Effort) -> Effort {
        Effort { time: budget.time.into_iter().chain(self.time).min(), ..budget }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{CegarConfig, Domain, Refiner};
    use crate::verify;
    use raddle_engine::{Budget, Silent, Task};
    use raddle_ir::MemoryModel;
    use raddle_testing::{budget_of, lowered};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn task(text: &str) -> Task {
        let names = "typedef unsigned long pthread_t; extern int any(void); extern void reach_error(void);
            extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n";
        Task::new(lowered(&format!("{names}{text}")), MemoryModel::Sc)
    }

    /// Factors of a large number: nobody finds out quickly whether there are any. The run goes on until it is stopped, and ends then.
    #[test]
    fn a_hard_path_is_interrupted() {
        let text = "int main(void) { unsigned long a = (unsigned)any(), b = (unsigned)any(), c = (unsigned)any();
            if (a > 1 && b > 1 && c > 1 && a * b * c == 9223372028264841219ul && a % 3 == b % 5) reach_error(); return 0; }";
        for domain in [Domain::Expl, Domain::PredCart] {
            let config = CegarConfig { domain, ..CegarConfig::default() };
            let (outcome, stats, _) = verify(&task(text), &config, &budget_of(1000), &Silent);
            assert_eq!(outcome.name(), "timeout", "{domain:?}: {outcome:?}");
            assert_eq!(stats.iterations, 1, "{domain:?}: not the path was hard, but something behind it");
        }
    }

    /// Whenever solvers stop to answer, the run ends as out of time, or with what it had found before.
    #[test]
    fn an_interrupt_changes_no_result() {
        let safe = "int main(void) { unsigned i = 0, n = any(), k = 0; if (n > 2) return 0;
            while (i < n) { i++; k += 2; } if (k != 2 * n) reach_error(); return 0; }";
        let unsafe_ = "int x; void *t(void *p) { int y = x; if (y > 3 && any() == 7) x = y * 2; return 0; }
            int main(void) { pthread_t s; x = any(); if (x < 2 || x > 5) return 0; pthread_create(&s, 0, t, 0);
            if (x > 9) reach_error(); return 0; }";
        let domains = [Domain::Expl, Domain::PredCart, Domain::ExplPred];
        for (text, domain) in [safe, unsafe_].into_iter().flat_map(|text| domains.map(|domain| (text, domain))) {
            for refiner in [Refiner::NwtItWp, Refiner::SeqItp] {
                let config = CegarConfig { domain, refiner: Some(refiner), max_enum: 4, ..CegarConfig::default() };
                let task = task(text);
                let run = |budget: &Budget| verify(&task, &config, budget, &Silent).0;
                let questions = Arc::new(AtomicU64::new(0));
                let count = questions.clone();
                let result = run(&Budget::unlimited().asking(move || {
                    count.fetch_add(1, Ordering::Relaxed);
                    None
                }));
                let questions = questions.load(Ordering::Relaxed);
                for last in (0..questions).step_by(1 + questions as usize / 20) {
                    let outcome = run(&budget_of(last));
                    let is_stopped = outcome.name() == "timeout";
                    assert!(
                        is_stopped || outcome.name() == result.name(),
                        "{domain:?} {refiner:?} {last}: {outcome:?}"
                    );
                }
            }
        }
    }
}
