//! A report with as many steps as one likes: three threads that take turns in writing and reading an array.

use raddle_report::{Access, AccessKind, Cell, Place, Report, SourceFile, Step, Story, Thread};

const TEXT: &str = "int shared[16];\n\nvoid *worker(void *arg) {\n  for (int i = 0; i < 1000; i++) {\n    shared[i % 16] = shared[(i + 1) % 16] + 1;\n    local = i * 2;\n  }\n  return 0;\n}\n";

fn access(kind: AccessKind, name: String, value: usize, from: Option<usize>, shared: Option<usize>) -> Access {
    let cell = shared.map(|at| Cell { object: 1, offset: 4 * at as u64, size: 4 });
    Access { kind, name, value: value.to_string(), from, initial: false, cell, needed: true }
}

pub fn report(steps: usize) -> Report {
    let mut last = [None; 16];
    let step = |number: usize| {
        let (thread, line) = ((number / 5 % 4) as u32, 4 + number % 3);
        let (to, source) = (number % 16, (number + 1) % 16);
        let mut accesses = vec![
            access(AccessKind::Read, format!("shared[{source}]"), number, last[source], Some(source)),
            access(AccessKind::Write, format!("shared[{to}]"), number + 1, None, Some(to)),
            access(AccessKind::Write, "local".into(), 2 * number, None, None),
        ];
        accesses.truncate(1 + number % 3);
        if accesses.len() > 1 {
            last[to] = Some(number);
        }
        Step {
            thread,
            function: if thread == 0 { "main" } else { "worker" }.into(),
            place: Place { file: "long.c".into(), line: line as u32, column: 5 },
            source: TEXT.lines().nth(line - 1).unwrap_or("").trim().into(),
            needed: !number.is_multiple_of(4) || number == steps,
            locks: if number.is_multiple_of(7) { vec!["m".into()] } else { Vec::new() },
            accesses,
            notes: if number.is_multiple_of(7) { vec!["locks m".into()] } else { Vec::new() },
        }
    };
    let thread = |number: usize| Thread {
        function: if number == 0 { "main" } else { "worker" }.into(),
        started_by: (number > 0).then_some(number),
    };
    let story = Story {
        violation: "an assertion fails".into(),
        place: Place { file: "long.c".into(), line: 5, column: 5 },
        threads: (0..4).map(thread).collect(),
        inputs: Vec::new(),
        steps: (1..=steps).map(step).collect(),
        omitted: 0,
        switches: steps as u64 / 5,
        switches_as_found: steps as u64 / 2,
    };
    Report {
        verdict: "false(unreach-call)".into(),
        property: "unreach-call".into(),
        explanation: "An assertion fails after many steps.".into(),
        story: Some(story),
        sources: vec![SourceFile { path: "long.c".into(), text: TEXT.into() }],
        ..Report::default()
    }
}
