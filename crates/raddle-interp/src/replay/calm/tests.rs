//! Violating executions of random schedulers, made easy to read: each of them, and each that `calm` makes of it, is replayed.

use super::{calm, switches};
use crate::machine::code::{Code, compile};
use crate::machine::state::{Machine, Status, outgoing};
use crate::machine::step::Flow;
use crate::replay::{Action, Recorded, Schedule, ScheduleStep, Telling, replay, take_step};
use raddle_ir::{EdgeId, MemoryModel, Program};
use raddle_testing::{Random, lowered};

/// A random run, if it violates.
fn run(code: &Code, seed: u64) -> Option<Schedule> {
    let mut random = Random::new(seed);
    let mut machine = Machine::new(code);
    let mut steps = Vec::new();
    for _ in 0..1_000 {
        let thread = random.index(machine.threads.len()) as u32;
        if machine.threads[thread as usize].status != Status::Running {
            continue;
        }
        let first = code.procs[machine.top(thread).proc as usize].first_edge;
        let mut actions: Vec<Action> =
            outgoing(code, &machine, thread).iter().map(|edge| Action::Edge(EdgeId(edge - first))).collect();
        if machine.at_end(code, thread) {
            actions = vec![Action::End];
        }
        for action in actions {
            let (before, step) = (machine.clone(), ScheduleStep::of(thread, action));
            match take_step(code, &mut machine, &step, &mut Recorded::new(code)) {
                Ok(Flow::Done) => {
                    steps.push(step);
                    break;
                }
                Ok(Flow::Error(_)) => {
                    steps.push(step);
                    return Some(Schedule { steps, memory_model: MemoryModel::Sc });
                }
                _ => machine = before,
            }
        }
    }
    None
}

/// Schedules of random runs that violate.
fn violations(program: &Program) -> Vec<Schedule> {
    let code = compile(program).expect("it is supported");
    (0..2_000).filter_map(|seed| run(&code, seed)).take(40).collect()
}

/// All violations have so many switches at most in the end, and so many steps; some had more switches.
fn check(text: &str, most_switches: usize, most_steps: usize) {
    let program = lowered(text);
    let all = violations(&program);
    assert!(all.iter().any(|schedule| switches(schedule) > most_switches), "no run has many switches");
    for schedule in all {
        assert!(replay(&program, &schedule, Telling::Nothing).end.is_error());
        let calmed = calm(&program, schedule);
        let result = replay(&program, &calmed, Telling::All);
        assert!(result.end.is_error(), "{:?}", result.end);
        assert_eq!(result.taken, calmed.steps.len(), "steps after the violation");
        let told: Vec<String> =
            result.trace.steps.iter().map(|step| format!("{}: {}", step.thread, step.text)).collect();
        assert!(switches(&calmed) <= most_switches, "{} switches\n{}", switches(&calmed), told.join("\n"));
        assert!(calmed.steps.len() <= most_steps, "{} steps\n{}", calmed.steps.len(), told.join("\n"));
    }
}

/// Threads that are not needed do not run, although the others have other numbers then.
#[test]
fn threads_that_are_not_needed() {
    let text = "
        typedef unsigned long pthread_t;
        int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
        void reach_error(void);
        int x, y;
        void *child(void *p) { y = y + 1; return 0; }
        void *other(void *p) { pthread_t t; y = y + 1; pthread_create(&t, 0, child, 0); y = y + 1; return 0; }
        void *writer(void *p) { x = 1; return 0; }
        int main(void) {
            pthread_t a, b;
            pthread_create(&a, 0, other, 0);
            pthread_create(&b, 0, writer, 0);
            if (x == 1) reach_error();
        }";
    check(text, 2, 30);
}

/// Waiting is left out.
#[test]
fn iterations_that_are_not_needed() {
    let text = "
        typedef unsigned long pthread_t;
        int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
        void reach_error(void);
        int x, round;
        void *toggles(void *p) { while (1) { x = 1; x = 0; round = 1 - round; } }
        int main(void) {
            pthread_t a;
            pthread_create(&a, 0, toggles, 0);
            while (x == 0) { round = round; }
            reach_error();
        }";
    check(text, 2, 25);
}

/// `z = 1` moves behind what the reader does, and `y = 1` stays before.
#[test]
fn a_stretch_is_split() {
    let text = "
        typedef unsigned long pthread_t;
        int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
        void reach_error(void);
        int y, z, early, late;
        void *reader(void *p) { early = z == 0; int again = z; late = y; return 0; }
        void *writer(void *p) { y = 1; z = 1; if (early && late) reach_error(); return 0; }
        int main(void) {
            pthread_t a, b;
            pthread_create(&a, 0, writer, 0);
            pthread_create(&b, 0, reader, 0);
            return 0;
        }";
    check(text, 3, 40);
}
