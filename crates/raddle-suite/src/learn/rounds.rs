//! What a strategy does on a task, computed from measurements of its configurations alone.
//!
//! Steps take turns. A turn is a slice of CPU time; slices double from round to round; a run whose slice is over is paused and goes on at its next turn. So
//! when a step has had `r` rounds, its run has had `slice * (2^r - 1)` seconds. The round in which a run ends therefore depends on the run and its first
//! slice only, and is tabulated once. The first answer is the one of the earliest round, and within that round the one of the first step. That makes the
//! outcome on a task a matter of a few comparisons, and searching among thousands of strategies a matter of seconds.

use super::measurements::{End, Run};

/// From one round to the next, slices grow by this.
pub const GROWTH: u32 = 2;
/// First slices to choose from, in milliseconds.
pub const SLICES: [u32; 8] = [20, 40, 80, 160, 320, 640, 1280, 2560];
/// The round of a run that never answers.
const NEVER: u8 = u8::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub configuration: usize,
    /// Among `SLICES`.
    pub slice: usize,
}

/// What a strategy comes to on a task.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ending {
    /// By the step of this number, after this much CPU time of all steps.
    Right(usize, f64),
    Unsolved,
}

/// Measurements, and the round in which each run would end for each first slice.
pub struct Rounds {
    pub runs: Vec<Vec<Run>>,
    /// By configuration, slice and task: the round of the answer.
    last: Vec<Vec<Vec<u8>>>,
    /// By slice and number of rounds: seconds of a run.
    after: [[f64; MOST_ROUNDS + 1]; SLICES.len()],
    /// Seconds of CPU time for a task.
    pub timeout: f64,
}

/// Rounds are counted up to here: so many are centuries.
const MOST_ROUNDS: usize = 40;

/// Seconds that a run with this first slice has had after so many rounds.
fn after(slice: u32) -> [f64; MOST_ROUNDS + 1] {
    let growth = f64::from(GROWTH);
    std::array::from_fn(|rounds| f64::from(slice) / 1000.0 * (growth.powi(rounds as i32) - 1.0) / (growth - 1.0))
}

impl Rounds {
    pub fn new(runs: Vec<Vec<Run>>, timeout: f64) -> Rounds {
        let after = SLICES.map(after);
        let last_round = |slice: usize, run: &Run| {
            let round = (0..MOST_ROUNDS).find(|r| run.end != End::Nothing && after[slice][r + 1] >= run.cpu);
            round.map_or(NEVER, |r| r as u8)
        };
        let tabulate = |runs: &Vec<Run>, slice| runs.iter().map(|run| last_round(slice, run)).collect();
        let last = runs.iter().map(|runs| (0..SLICES.len()).map(|s| tabulate(runs, s)).collect()).collect();
        Rounds { runs, last, after, timeout }
    }

    pub fn ending(&self, steps: &[Step], task: usize) -> Ending {
        let (mut round, mut first) = (NEVER, 0);
        for (i, step) in steps.iter().enumerate() {
            let ends = self.last[step.configuration][step.slice][task];
            if ends < round {
                (round, first) = (ends, i);
            }
        }
        if round == NEVER {
            return Ending::Unsolved;
        }
        // Steps up to the one that answers have had their turns of this round, the others have not.
        let spent = |(i, step): (usize, &Step)| {
            let rounds = if i <= first { round + 1 } else { round };
            self.runs[step.configuration][task].cpu.min(self.after[step.slice][usize::from(rounds)])
        };
        let cpu: f64 = steps.iter().enumerate().map(spent).sum();
        match self.runs[steps[first].configuration][task].end {
            _ if cpu > self.timeout => Ending::Unsolved,
            End::Right => Ending::Right(first, cpu),
            End::Nothing => Ending::Unsolved,
        }
    }

    /// A configuration alone.
    pub fn alone(&self, configuration: usize, task: usize) -> Ending {
        self.ending(&[Step { configuration, slice: 0 }], task)
    }
}

/// How good a strategy is on a set of tasks: what it solves counts first, then the CPU time of what it solves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    pub right: usize,
    /// Seconds, of right answers.
    pub cpu: f64,
}

/// Less than this share of the CPU time is noise.
const NOISE: f64 = 0.02;

impl Tally {
    pub fn add(&mut self, ending: Ending) {
        match ending {
            Ending::Right(_, cpu) => (self.right, self.cpu) = (self.right + 1, self.cpu + cpu),
            Ending::Unsolved => {}
        }
    }

    /// More solved, or as much in clearly less time.
    pub fn is_better_than(&self, other: &Tally) -> bool {
        self.right > other.right || self.right == other.right && self.cpu < other.cpu * (1.0 - NOISE)
    }

    /// The order for choosing the best of many.
    pub fn beats(&self, other: &Tally) -> bool {
        self.right > other.right || self.right == other.right && self.cpu < other.cpu
    }
}

impl std::iter::Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |a, b| Tally { right: a.right + b.right, cpu: a.cpu + b.cpu })
    }
}

impl FromIterator<Ending> for Tally {
    fn from_iter<I: IntoIterator<Item = Ending>>(endings: I) -> Tally {
        let mut tally = Tally::default();
        endings.into_iter().for_each(|ending| tally.add(ending));
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, turn by turn: the definition.
    fn turn_by_turn(steps: &[Step], runs: &[Run], timeout: f64) -> Ending {
        let mut had = vec![0.0; steps.len()];
        let mut ended = vec![false; steps.len()];
        let mut cpu = 0.0;
        for round in 0..40 {
            for (i, step) in steps.iter().enumerate().filter(|(i, _)| !ended[*i]).collect::<Vec<_>>() {
                let run = runs[step.configuration];
                let slice = f64::from(SLICES[step.slice]) / 1000.0 * 2f64.powi(round);
                let turn = slice.min(run.cpu - had[i]);
                had[i] += turn;
                cpu += turn;
                ended[i] = had[i] >= run.cpu;
                if cpu > timeout {
                    return Ending::Unsolved;
                }
                if ended[i] && run.end == End::Right {
                    return Ending::Right(i, cpu);
                }
                ended[i] = had[i] >= run.cpu;
            }
        }
        Ending::Unsolved
    }

    /// Numbers that look random and are the same every time.
    fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
        let mut state = seed;
        move |below| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        }
    }

    #[test]
    fn the_table_agrees_with_turns() {
        let mut number = numbers(1);
        for _ in 0..2000 {
            let mut run = || {
                let cpu = if number(4) == 0 { f64::INFINITY } else { 0.007 * 1.5f64.powi(number(24) as i32) };
                let end = [End::Right, End::Right, End::Right, End::Nothing][number(4) as usize];
                Run { cpu, end: if cpu.is_infinite() { End::Nothing } else { end } }
            };
            let runs = vec![vec![run()], vec![run()], vec![run()], vec![run()]];
            let steps: Vec<Step> = (0..1 + number(4) as usize)
                .map(|configuration| Step { configuration, slice: number(SLICES.len() as u64) as usize })
                .collect();
            let flat: Vec<Run> = runs.iter().map(|r| r[0]).collect();
            let expected = turn_by_turn(&steps, &flat, 30.0);
            match (Rounds::new(runs, 30.0).ending(&steps, 0), expected) {
                (Ending::Right(i, a), Ending::Right(j, b)) => {
                    assert_eq!(i, j, "{steps:?} {flat:?}");
                    assert!((a - b).abs() < 1e-6, "{a} {b} {steps:?} {flat:?}");
                }
                (Ending::Unsolved, Ending::Unsolved) => {}
                (a, b) => panic!("{a:?} and {b:?}: {steps:?} {flat:?}"),
            }
        }
    }

    #[test]
    fn the_first_slices_are_kept() {
        let right = |cpu| vec![Run { cpu, end: End::Right }];
        let rounds = Rounds::new(vec![right(0.1), right(0.05)], 60.0);
        let steps = [Step { configuration: 0, slice: 0 }, Step { configuration: 1, slice: 1 }];
        // 20 ms and 40 ms; 40 ms more, and then the last 10 ms.
        let Ending::Right(1, cpu) = rounds.ending(&steps, 0) else { panic!("the second answers") };
        assert!((cpu - 0.11).abs() < 1e-9);
    }

    #[test]
    fn right_answers_count_before_time() {
        let tally = Tally { right: 10, cpu: 100.0 };
        assert!(tally.is_better_than(&Tally { right: 9, cpu: 1.0 }));
        assert!(!tally.is_better_than(&Tally { cpu: 101.0, ..tally }));
    }
}
