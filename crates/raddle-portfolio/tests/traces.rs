//! Traces name the right functions, places and variables: every step of a trace is checked against the Program as lowered, whichever engine found the
//! violation, and on whichever prepared form. `RADDLE_CASES` says how many violations of each engine are looked at.

use raddle_engine::{Budget, Facts, Outcome, Silent, Task, Telling, Trace};
use raddle_interp::execution::{Execution, What};
use raddle_interp::{calm, record, switches};
use raddle_ir::{Callee, Label, LocId, MemoryModel, ObjectKind, Place, ProcId, Program};
use raddle_portfolio::{Registry, Settings};
use raddle_testing::{lowered, number, random_c};
use std::collections::BTreeMap;
use std::time::Duration;

/// Where a thread is: its calls, each with the place that it returns to.
struct Walker {
    frames: Vec<(ProcId, LocId)>,
}

/// Follows a trace through the Program, and says what is wrong with it.
fn check(program: &Program, trace: &Trace) -> Result<(), String> {
    let mut threads = vec![Walker { frames: vec![(program.entry, program.proc(program.entry).entry)] }];
    for (number, step) in trace.steps.iter().enumerate() {
        let wrong = |what: &str| Err(format!("step {number} ({}): {what}", step.text));
        let Some(thread) = threads.get_mut(step.thread as usize) else { return wrong("no such thread") };
        // A call returns as soon as it is at its exit.
        while thread.frames.len() > 1 && thread.frames.last().is_some_and(|(p, l)| program.proc(*p).exit == *l) {
            thread.frames.pop();
        }
        let Some((proc, loc)) = thread.frames.last().copied() else { return wrong("the thread has ended") };
        if step.proc != proc {
            return wrong(&format!("it names {}, not {}", program.proc(step.proc).name, program.proc(proc).name));
        }
        let Some(id) = step.edge else {
            if loc != program.proc(proc).exit || thread.frames.len() > 1 {
                return wrong("the thread is not at its end");
            }
            thread.frames.clear();
            continue;
        };
        let edge = &program.proc(proc).edges[id.index()];
        if edge.source != loc {
            return wrong("the thread is elsewhere");
        }
        if edge.span != step.span {
            return wrong("the place is not that of the edge");
        }
        if let Some(top) = thread.frames.last_mut() {
            *top = (proc, edge.target);
        }
        let mut started = Vec::new();
        for label in &edge.labels {
            let mut names = Vec::new();
            match label {
                Label::Assign { var, .. } => names.push(*var),
                Label::Load { var, place, .. } => {
                    names.push(*var);
                    if let Place::Var(from) = place {
                        names.push(*from);
                    }
                }
                Label::Store { place: Place::Var(to), .. } => names.push(*to),
                Label::Call { callee, .. } => {
                    let callee = named(program, *callee, trace, number, step.thread);
                    thread.frames.push((callee, program.proc(callee).entry));
                    if !step.text.contains(&program.proc(callee).name) {
                        return wrong("the function that is called is not named");
                    }
                }
                Label::Start { callee: Callee::Proc(callee), .. } => started.push(*callee),
                Label::Start { callee: Callee::Address(_), .. } => {
                    let first = trace.steps[number..].iter().find(|s| s.thread as usize == threads_len(trace, number));
                    started.push(first.map_or(program.entry, |s| s.proc));
                }
                Label::ThreadExit { .. } => thread.frames.clear(),
                _ => {}
            }
            for var in names {
                if !step.text.contains(&program.var(var).name) {
                    return wrong(&format!("{} is not named", program.var(var).name));
                }
            }
        }
        for callee in started {
            threads.push(Walker { frames: vec![(callee, program.proc(callee).entry)] });
        }
    }
    Ok(())
}

/// The number of the thread that a step starts.
fn threads_len(trace: &Trace, number: usize) -> usize {
    1 + trace.steps[..number].iter().filter(|step| step.text.contains("started thread")).count()
}

/// The procedure that is called: through a pointer, the one that the thread is in next.
fn named(program: &Program, callee: Callee, trace: &Trace, number: usize, thread: u32) -> ProcId {
    match callee {
        Callee::Proc(callee) => callee,
        Callee::Address(_) => {
            let is_function =
                |proc: &ProcId| program.objects.iter().any(|object| object.kind == ObjectKind::Function(*proc));
            let next = trace.steps[number + 1..].iter().find(|step| step.thread == thread).map(|step| step.proc);
            next.filter(is_function).unwrap_or(program.entry)
        }
    }
}

/// Reads have the value of the last write to the same bytes, and events depend on earlier ones.
fn check_events(execution: &Execution) -> Result<(), String> {
    let mut last: BTreeMap<String, (u32, Option<u128>)> = BTreeMap::new();
    for (at, event) in execution.events.iter().enumerate() {
        if let Some(later) = execution.needs(event).iter().find(|need| **need as usize >= at) {
            return Err(format!("event {at} depends on {later}"));
        }
        match event.what {
            What::Read { cell, value, from, .. } => {
                let written = last.get(&format!("{cell:?}"));
                if let (Some((by, Some(stored))), Some(read)) = (written, value)
                    && Some(*by) == from
                    && *stored != read
                {
                    return Err(format!("event {at} reads {read} from event {by}, which wrote {stored}"));
                }
                if written.is_some_and(|(by, _)| from.is_none_or(|from| from < *by)) {
                    return Err(format!("event {at} does not read from the last write, {written:?}"));
                }
            }
            What::Write { cell, value, .. } => {
                last.insert(format!("{cell:?}"), (at as u32, value));
            }
            _ => {}
        }
    }
    Ok(())
}

#[test]
fn every_step_is_one_of_the_program() {
    let wanted = number("RADDLE_CASES", 25) as usize;
    let registry = Registry::new(&Settings::default());
    let mut violations: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..100 * wanted as u64 {
        let text = random_c::program(seed);
        let task = Task::new(lowered(&text), MemoryModel::Sc);
        for name in ["explore", "oc", "cegar"] {
            if violations.get(name).is_some_and(|n| *n >= wanted) {
                continue;
            }
            let Some(engine) = registry.get(name) else { panic!("{name} is registered") };
            let budget = Budget::of_time(Duration::from_secs(1));
            let conclusion = engine.run(&task, &Facts::default(), &budget, &Silent);
            match conclusion.outcome {
                Outcome::Unsafe(schedule) => {
                    let trace = task.trace(&schedule, Telling::All).expect("it was confirmed");
                    if let Err(wrong) = check(task.program(), &trace) {
                        panic!("seed {seed}, {name}: {wrong}\n{text}");
                    }
                    let calmed = calm(task.program(), schedule.clone());
                    assert!(switches(&calmed) <= switches(&schedule), "seed {seed}, {name}\n{text}");
                    for schedule in [&schedule, &calmed] {
                        let (end, execution) = record(task.program(), schedule);
                        assert!(end.is_error(), "seed {seed}, {name}: {end:?}\n{text}");
                        if let Err(wrong) = check_events(&execution) {
                            panic!("seed {seed}, {name}: {wrong}\n{text}");
                        }
                    }
                    *violations.entry(name).or_default() += 1;
                }
                // A proof that did not pass its check is another matter.
                Outcome::Unknown(reason) if reason.words.contains("could not be re") => {
                    panic!("seed {seed}, {name}: {}\n{text}", reason.words);
                }
                _ => {}
            }
        }
        if violations.len() == 3 && violations.values().all(|n| *n >= wanted) {
            return;
        }
    }
    panic!("too few violations: {violations:?}");
}
