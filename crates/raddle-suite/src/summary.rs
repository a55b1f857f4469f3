//! What a set of runs comes to: counts, the score of the competition, time and memory.

use crate::record::{Answer, Record};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    pub runs: usize,
    pub right_true: usize,
    pub right_false: usize,
    pub wrong_true: usize,
    pub wrong_false: usize,
    /// By code.
    pub unknown: BTreeMap<String, usize>,
    pub errors: usize,
    /// Of SV-COMP. Tasks for which nobody says what is right do not count.
    pub score: i64,
    /// Seconds, of all runs and of right answers.
    pub cpu: f64,
    pub cpu_right: f64,
    /// Bytes, at the highest of all runs.
    pub memory: u64,
}

impl Summary {
    pub fn right(&self) -> usize {
        self.right_true + self.right_false
    }

    pub fn wrong(&self) -> usize {
        self.wrong_true + self.wrong_false
    }

    pub fn solved(&self) -> usize {
        self.right() + self.wrong()
    }
}

pub fn summarize<'a>(runs: impl Iterator<Item = &'a Record>) -> Summary {
    let mut s = Summary::default();
    for run in runs {
        s.runs += 1;
        s.score += run.score();
        s.cpu += run.cpu;
        s.memory = s.memory.max(run.memory);
        if run.is_right() {
            s.cpu_right += run.cpu;
        }
        match (&run.answer, run.is_wrong()) {
            (Answer::True, false) => s.right_true += 1,
            (Answer::False, false) => s.right_false += 1,
            (Answer::True, true) => s.wrong_true += 1,
            (Answer::False, true) => s.wrong_false += 1,
            (Answer::Unknown(code), _) => *s.unknown.entry(code.clone()).or_default() += 1,
            (Answer::Error(_), _) => s.errors += 1,
        }
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::test_runs::run;

    #[test]
    fn the_score_of_the_competition() {
        let runs = [
            run("a", Some(true), Answer::True, 1.0),
            run("b", Some(false), Answer::False, 1.0),
            run("c", Some(false), Answer::True, 1.0),
            run("d", Some(true), Answer::False, 1.0),
            run("e", None, Answer::False, 1.0),
            run("f", Some(true), Answer::Unknown("timeout".into()), 5.0),
            run("g", Some(true), Answer::Error("signal 11".into()), 1.0),
        ];
        let s = summarize(runs.iter());
        assert_eq!((s.runs, s.right_true, s.right_false, s.wrong_true, s.wrong_false), (7, 1, 2, 1, 1));
        assert_eq!(s.score, 2 + 1 - 32 - 16);
        assert_eq!(s.unknown["timeout"], 1);
        assert_eq!(s.errors, 1);
        assert_eq!((s.cpu, s.cpu_right), (11.0, 3.0));
    }
}
