//! The way through a strategy: which step is next, and how long it may run. No processes, no clock.
//!
//! With one job, a step begins when the one before it has ended or its slice is over. With several, the walk goes on ahead as if slices were over, until all
//! jobs are busy; a run that ends otherwise leads its own way (`on`), and what lies there comes first. Where nothing is left to do, spare steps run.

use crate::strategy::{StepId, Strategy, Time};
use raddle_engine::Code;
use std::collections::VecDeque;
use std::time::Duration;

/// What has become of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It has not begun, or it is paused.
    Open,
    Running,
    Ended(Code),
    /// Its condition does not hold.
    Passed,
}

pub struct Walk<'s> {
    strategy: &'s Strategy,
    states: Vec<State>,
    visits: Vec<i32>,
    /// Where the walk is. With several jobs, a run with an end of its own leads another way than the one that is walked meanwhile: then there are several.
    heads: VecDeque<Head>,
    jobs: usize,
}

/// One way that is walked.
#[derive(Clone, Copy)]
struct Head {
    /// The step that comes next.
    at: Option<StepId>,
    /// The step that was visited last: how its run ends may change what comes next.
    last: Option<StepId>,
}

/// A visit to a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Turn {
    pub step: StepId,
    pub time: Time,
}

impl<'s> Walk<'s> {
    /// `holds` says whether the condition of a step holds.
    pub fn new(strategy: &'s Strategy, jobs: usize, holds: impl Fn(StepId) -> bool) -> Walk<'s> {
        let state = |step| if holds(step) { State::Open } else { State::Passed };
        Walk {
            strategy,
            states: (0..strategy.steps.len()).map(state).collect(),
            visits: vec![0; strategy.steps.len()],
            heads: VecDeque::from([Head { at: Some(0), last: None }]),
            jobs: jobs.max(1),
        }
    }

    /// The next step to run, which runs from now on; `None`: there is none, or not yet.
    pub fn next(&mut self) -> Option<Turn> {
        let running = self.states.iter().filter(|state| **state == State::Running).count();
        if running >= self.jobs {
            return None;
        }
        let found = self.heads.iter().enumerate().find_map(|(i, head)| Some((i, self.open_from(head.at)?)));
        let Some((i, step)) = found else { return self.spare() };
        self.heads.remove(i);
        let next = Head { at: self.strategy.steps[step].after(Code::Timeout), last: Some(step) };
        // Ways that meet are one from there on. Otherwise they take turns.
        let is_walked = self.heads.iter().any(|head| self.way(head.at).any(|step| Some(step) == next.at));
        if !is_walked {
            self.heads.push_back(next);
        }
        Some(self.visit(step))
    }

    /// A step for a job that has nothing else to do.
    fn spare(&mut self) -> Option<Turn> {
        let is_spare = |step: &StepId| self.strategy.steps[*step].spare && self.states[*step] == State::Open;
        let step = (0..self.states.len()).find(is_spare)?;
        self.states[step] = State::Running;
        Some(Turn { step, time: Time::All })
    }

    fn visit(&mut self, step: StepId) -> Turn {
        let times = self.round(step);
        self.visits[step] = times + 1;
        let time = match self.strategy.steps[step].time {
            _ if self.is_alone(step) => Time::All,
            Time::Slice(slice) => {
                let grown = slice.as_secs_f64() * self.strategy.steps[step].growth.powi(times);
                Time::Slice(Duration::try_from_secs_f64(grown).unwrap_or(Duration::MAX))
            }
            time => time,
        };
        self.states[step] = State::Running;
        Turn { step, time }
    }

    /// The round that a step is in. With several jobs others may be ahead of one that took long: it catches up with the round before theirs.
    fn round(&self, step: StepId) -> i32 {
        let others = self.way(self.strategy.steps[step].after(Code::Timeout)).map(|other| self.visits[other]);
        let furthest = others.max().filter(|_| self.comes_back(step)).unwrap_or(0);
        self.visits[step].max(furthest - 2)
    }

    /// The first open step on the way from here.
    fn open_from(&self, from: Option<StepId>) -> Option<StepId> {
        self.way(from).find(|step| self.states[*step] == State::Open)
    }

    /// The steps on the way from here, as if all that can run ran until their slices are over; each once.
    fn way(&self, from: Option<StepId>) -> impl Iterator<Item = StepId> {
        let mut seen = vec![false; self.states.len()];
        let mut at = from;
        std::iter::from_fn(move || {
            let step = at.filter(|step| !std::mem::replace(&mut seen[*step], true))?;
            let here = &self.strategy.steps[step];
            at = match self.states[step] {
                State::Open | State::Running => here.after(Code::Timeout),
                State::Ended(code) => here.after(code),
                State::Passed => here.otherwise,
            };
            Some(step)
        })
    }

    /// Whether a way leads back to a step, however the runs on it end: then its run is worth keeping.
    pub fn comes_back(&self, step: StepId) -> bool {
        let mut seen = vec![false; self.states.len()];
        let mut open: Vec<StepId> = self.strategy.steps[step].after(Code::Timeout).into_iter().collect();
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let here = &self.strategy.steps[at];
            match self.states[at] {
                State::Open | State::Running => open.extend(here.on.values().copied().chain([here.next]).flatten()),
                State::Ended(code) => open.extend(here.after(code)),
                State::Passed => open.extend(here.otherwise),
            }
        }
        seen[step]
    }

    /// Whether a step comes back and all others that could run meanwhile have a job of their own: then slices are of no use.
    fn is_alone(&self, step: StepId) -> bool {
        let mut others: Vec<bool> = self.states.iter().map(|state| *state == State::Running).collect();
        for other in self.way(self.strategy.steps[step].after(Code::Timeout)) {
            others[other] |= self.states[other] == State::Open;
        }
        others[step] = false;
        self.comes_back(step) && others.iter().filter(|other| **other).count() < self.jobs
    }

    /// The slice of a step is over, and its run waits.
    pub fn paused(&mut self, step: StepId) {
        self.states[step] = State::Open;
    }

    /// The run of a step ended without an answer.
    pub fn ended(&mut self, step: StepId, code: Code) {
        self.states[step] = State::Ended(code);
        let target = self.strategy.steps[step].after(code);
        // The way on is that of this run, if nobody went ahead meanwhile.
        if let Some(head) = self.heads.iter_mut().find(|head| head.last == Some(step)) {
            head.at = target;
        } else if target != self.strategy.steps[step].after(Code::Timeout) {
            self.heads.push_front(Head { at: target, last: None });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::{Step, built_in, read};

    /// Steps `a`, `b`, …, each with where it leads: `(next, on solver)`.
    fn graph(steps: &[(Option<StepId>, Option<StepId>)], time: Time) -> Strategy {
        let steps = steps.iter().enumerate().map(|(id, (next, on_solver))| {
            let [single] = &Strategy::single("oc").steps[..] else { unreachable!() };
            let on = on_solver.iter().map(|target| (Code::Solver, Some(*target))).collect();
            Step { name: format!("s{id}"), time, growth: 2.0, next: *next, on, ..single.clone() }
        });
        Strategy { summary: String::new(), small: f64::INFINITY, steps: steps.collect() }
    }

    const SLICE: Time = Time::Slice(Duration::from_millis(10));

    fn milliseconds(number: u64) -> Time {
        Time::Slice(Duration::from_millis(number))
    }

    #[test]
    fn rounds_grow_until_one_is_alone() {
        let rounds = graph(&[(Some(1), None), (Some(0), None)], SLICE);
        let mut walk = Walk::new(&rounds, 1, |_| true);
        for (step, slice) in [(0, 10), (1, 10), (0, 20), (1, 20), (0, 40)] {
            assert_eq!(walk.next(), Some(Turn { step, time: milliseconds(slice) }));
            assert!(walk.comes_back(step));
            assert_eq!(walk.next(), None, "there is one job");
            walk.paused(step);
        }
        assert_eq!(walk.next().map(|turn| turn.step), Some(1));
        walk.ended(1, Code::Stuck);
        assert_eq!(walk.next(), Some(Turn { step: 0, time: Time::All }));
        walk.ended(0, Code::Stuck);
        assert_eq!(walk.next(), None);
    }

    #[test]
    fn an_end_of_its_own_leads_its_own_way() {
        let strategy = graph(&[(Some(1), Some(2)), (Some(2), None), (None, None)], SLICE);
        let order = |code| {
            let mut walk = Walk::new(&strategy, 1, |_| true);
            let mut order = Vec::new();
            while let Some(turn) = walk.next() {
                order.push(turn.step);
                assert!(!walk.comes_back(turn.step));
                walk.ended(turn.step, if turn.step == 0 { code } else { Code::Stuck });
            }
            order
        };
        assert_eq!(order(Code::Timeout), [0, 1, 2]);
        assert_eq!(order(Code::Solver), [0, 2]);
    }

    #[test]
    fn two_jobs_run_ahead() {
        let rounds = graph(&[(Some(1), None), (Some(2), None), (Some(0), None)], SLICE);
        let mut walk = Walk::new(&rounds, 2, |_| true);
        let steps = |walk: &mut Walk| std::iter::from_fn(|| walk.next().map(|turn| turn.step)).collect::<Vec<_>>();
        assert_eq!(steps(&mut walk), [0, 1]);
        walk.paused(0);
        assert_eq!(steps(&mut walk), [2]);
        walk.ended(1, Code::Stuck);
        // Two are left, and each has a job.
        assert_eq!(walk.next(), Some(Turn { step: 0, time: Time::All }));
        let jump = graph(&[(Some(1), Some(3)), (Some(2), None), (Some(3), None), (None, None)], SLICE);
        let mut walk = Walk::new(&jump, 2, |_| true);
        assert_eq!(steps(&mut walk), [0, 1]);
        walk.ended(0, Code::Solver);
        assert_eq!(steps(&mut walk), [3], "what the end leads to comes first");
        walk.ended(3, Code::Stuck);
        assert_eq!(steps(&mut walk), [2]);
        walk.ended(1, Code::Stuck);
        walk.ended(2, Code::Stuck);
        assert_eq!(steps(&mut walk), [0; 0]);
    }

    #[test]
    fn one_that_took_long_catches_up() {
        let rounds = graph(&[(Some(1), None), (Some(2), None), (Some(0), None)], SLICE);
        let mut walk = Walk::new(&rounds, 2, |_| true);
        assert_eq!((walk.next().unwrap().step, walk.next().unwrap().step), (0, 1));
        walk.paused(0);
        for (step, slice) in [(2, 10), (0, 20), (2, 20), (0, 40), (2, 40), (0, 80)] {
            assert_eq!(walk.next(), Some(Turn { step, time: milliseconds(slice) }));
            walk.paused(step);
        }
        walk.paused(1);
        assert_eq!(walk.next(), Some(Turn { step: 1, time: milliseconds(40) }));
    }

    #[test]
    fn spare_steps_run_where_a_job_is_idle() {
        let mut strategy = graph(&[(Some(1), None), (Some(0), None), (None, None)], SLICE);
        strategy.steps[2].spare = true;
        let mut walk = Walk::new(&strategy, 2, |_| true);
        assert_eq!((walk.next().unwrap().step, walk.next().unwrap().step), (0, 1));
        assert_eq!(walk.next(), None);
        walk.ended(0, Code::Stuck);
        assert_eq!(walk.next(), Some(Turn { step: 2, time: Time::All }));
        walk.ended(2, Code::Stuck);
        assert_eq!(walk.next(), None);
        // With one job, it is the last resort.
        let mut walk = Walk::new(&strategy, 1, |_| true);
        for step in [0, 1, 2] {
            assert_eq!(walk.next().unwrap().step, step);
            walk.ended(step, Code::Stuck);
        }
        assert_eq!(walk.next(), None);
    }

    #[test]
    fn what_follows_a_way_of_its_own_is_walked_too() {
        // `a` leads to `c` by its end, and `c` to `d`, while `b` runs.
        let strategy = graph(&[(Some(1), Some(2)), (None, None), (Some(3), None), (None, None)], SLICE);
        let mut walk = Walk::new(&strategy, 2, |_| true);
        assert_eq!((walk.next().unwrap().step, walk.next().unwrap().step), (0, 1));
        walk.ended(0, Code::Solver);
        assert_eq!(walk.next().unwrap().step, 2);
        walk.ended(2, Code::Timeout);
        assert_eq!(walk.next().unwrap().step, 3);
        // The same where `c`, `d` and `e` are a cycle.
        let strategy =
            graph(&[(Some(1), Some(2)), (None, None), (Some(3), None), (Some(4), None), (Some(2), None)], SLICE);
        let mut walk = Walk::new(&strategy, 2, |_| true);
        assert_eq!((walk.next().unwrap().step, walk.next().unwrap().step), (0, 1));
        walk.ended(0, Code::Solver);
        for step in [2, 3, 4, 2] {
            assert_eq!(walk.next().unwrap().step, step);
            assert!(walk.comes_back(step));
            walk.paused(step);
        }
        walk.ended(1, Code::Timeout);
        assert_eq!((walk.next().unwrap().step, walk.next().unwrap().step), (3, 4));
    }

    #[test]
    fn a_spare_step_starves_nobody() {
        let mut strategy = graph(&[(None, Some(1)), (Some(2), None), (Some(1), None), (None, None)], SLICE);
        strategy.steps[3].spare = true;
        let mut walk = Walk::new(&strategy, 2, |_| true);
        assert_eq!((walk.next().unwrap().step, walk.next().unwrap().step), (0, 3));
        walk.ended(0, Code::Solver);
        assert_eq!(walk.next(), Some(Turn { step: 1, time: milliseconds(10) }));
        walk.paused(1);
        assert_eq!(walk.next(), Some(Turn { step: 2, time: milliseconds(10) }));
    }

    #[test]
    fn a_run_is_kept_that_an_end_leads_back_to() {
        let strategy = graph(&[(Some(1), None), (None, Some(0))], SLICE);
        let mut walk = Walk::new(&strategy, 1, |_| true);
        assert_eq!(walk.next().unwrap().step, 0);
        assert!(walk.comes_back(0));
        walk.paused(0);
        assert_eq!(walk.next().unwrap().step, 1);
        walk.ended(1, Code::Solver);
        // It goes on, and is alone.
        assert_eq!(walk.next(), Some(Turn { step: 0, time: Time::All }));
    }

    #[test]
    fn conditions_choose_the_branch() {
        let strategy = read("theta2021", built_in("theta2021").unwrap()).unwrap();
        let first = |traits: &[&str]| {
            let value = |name: &str| f64::from(u8::from(traits.contains(&name)));
            let holds =
                |step: StepId| strategy.steps[step].when.as_ref().is_none_or(|condition| condition.holds(&value));
            let turn = Walk::new(&strategy, 1, holds).next().unwrap();
            strategy.steps[turn.step].name.clone()
        };
        assert_eq!(first(&["floats", "bitwise"]), "float-expl");
        assert_eq!(first(&["bitwise"]), "bits-expl");
        assert_eq!(first(&["loops"]), "short-pred");
        assert_eq!(first(&[]), "int-expl");
    }
}
