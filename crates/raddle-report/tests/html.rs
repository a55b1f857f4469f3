//! Pages of reports made by hand. The tests of a browser are with the command line; here is what needs none: that the page is one piece, and that no text of a program gets out of its place.

use raddle_report::{
    Access, AccessKind, Automaton, AutomatonEdge, Cell, Input, Invariant, Place, Proof, Reason, Report, SourceFile,
    Step, Story, Thread, html,
};
use serde_json::{Value, json};

const COUNTER: &str = include_str!("../../../examples/counter.c");
const PETERSON: &str = include_str!("../../../examples/peterson.c");

fn place(file: &str, line: u32) -> Place {
    Place { file: file.into(), line, column: 3 }
}

fn report(verdict: &str, explanation: &str, path: &str, text: &str) -> Report {
    Report {
        verdict: verdict.into(),
        property: "unreach-call".into(),
        explanation: explanation.into(),
        reason: None,
        proof: None,
        story: None,
        others: Vec::new(),
        has_all: false,
        sources: vec![SourceFile { path: path.into(), text: text.into() }],
        automata: Vec::new(),
        statistics: Value::Null,
    }
}

fn access(kind: AccessKind, name: &str, value: &str, from: Option<usize>, shared: bool) -> Access {
    let object = name.bytes().fold(7, |hash, byte| hash * 31 + u64::from(byte));
    let cell = shared.then_some(Cell { object, offset: 0, size: 4 });
    Access {
        kind,
        name: name.into(),
        value: value.into(),
        from,
        initial: kind == AccessKind::Read && from.is_none(),
        cell,
        needed: true,
    }
}

fn step(thread: u32, function: &str, line: u32, needed: bool, accesses: Vec<Access>, note: &str) -> Step {
    Step {
        thread,
        function: function.into(),
        place: place("counter.c", line),
        source: COUNTER.lines().nth(line as usize - 1).unwrap_or("").trim().into(),
        needed,
        locks: Vec::new(),
        accesses,
        notes: if note.is_empty() { Vec::new() } else { vec![note.into()] },
    }
}

fn threads() -> Vec<Thread> {
    let count = |step| Thread { function: "count".into(), started_by: Some(step) };
    vec![Thread { function: "main".into(), started_by: None }, count(1), count(2)]
}

/// Two increments, one of them lost.
fn counter() -> Report {
    use AccessKind::{Read, Write};
    let read = |value, from| vec![access(Read, "counter", value, from, true)];
    let write = |value| vec![access(Write, "counter", value, None, true)];
    let steps = vec![
        step(0, "main", 14, true, vec![access(Write, "first", "thread 1", None, false)], "started thread 1 (count)"),
        step(0, "main", 15, true, vec![access(Write, "second", "thread 2", None, false)], "started thread 2 (count)"),
        step(1, "count", 8, true, read("0", None), ""),
        step(2, "count", 8, true, read("0", None), ""),
        step(2, "count", 8, true, write("1"), ""),
        step(2, "count", 9, false, vec![], "ended"),
        step(1, "count", 8, true, write("1"), ""),
        step(1, "count", 9, false, vec![], "ended"),
        step(0, "main", 16, false, vec![], "joined thread 1"),
        step(0, "main", 17, false, vec![], "joined thread 2"),
        step(0, "main", 18, true, read("1", Some(7)), ""),
    ];
    let story = Story {
        violation: "the assertion counter == 2 fails".into(),
        place: place("counter.c", 18),
        threads: threads(),
        inputs: vec![Input {
            step: 1,
            thread: 0,
            place: place("counter.c", 13),
            source: "uninitialised first".into(),
            value: "0".into(),
        }],
        steps,
        omitted: 0,
        switches: 4,
        switches_as_found: 7,
    };
    let edge = |from, to, text: &str, line| AutomatonEdge { from, to, text: text.into(), line };
    let count = Automaton {
        function: "count".into(),
        locations: 4,
        entry: 0,
        exit: 3,
        edges: vec![
            edge(0, 1, "t = load counter", 8),
            edge(1, 2, "store counter (t + 1)", 8),
            edge(2, 3, "return 0", 9),
        ],
    };
    let main = Automaton {
        function: "main".into(),
        locations: 7,
        entry: 0,
        exit: 6,
        edges: vec![
            edge(0, 1, "first = start count(0)", 14),
            edge(1, 2, "second = start count(0)", 15),
            edge(2, 3, "join first", 16),
            edge(3, 4, "join second", 17),
            edge(4, 5, "assume counter == 2", 18),
            edge(4, 6, "assume !(counter == 2); error", 18),
            edge(5, 6, "return 0", 19),
            edge(5, 2, "assume again", 19),
        ],
    };
    let why = "Two threads run count. Thread 1 reads counter before thread 2 writes it and writes it after: one of the two \
               increments is lost, and the assertion counter == 2 in main fails.";
    let statistics = json!({
        "verdict": "false(unreach-call)", "cpu_seconds": 0.0627, "frontend_seconds": 0.0231, "step": "oc",
        "traits": {"threads": 2, "loops": 0, "arrays": 1, "locks": 0, "heap": 0, "edges": 21, "pointers": 2},
        "turns": [
            {"outcome": "unknown", "seconds": 0.0205, "step": "explore", "statistics": {"states": 911, "transitions": 1300}},
            {"outcome": "false", "seconds": 0.0305, "step": "oc", "statistics": {
                "bounds": 1, "clauses": 1193, "conflicts": 15, "decisions": 22, "encoding_seconds": 0.0095, "propagations": 58800,
                "reads": 3, "writes": 3, "solver_seconds": 0.00423, "symbolic_seconds": 0.00814, "static_conflicts": {"read_froms": 1, "write_serialisation": 2}}}
        ],
    });
    Report {
        story: Some(story),
        automata: vec![main, count],
        statistics,
        ..report("false(unreach-call)", why, "counter.c", COUNTER)
    }
}

fn proof() -> Report {
    let invariant = |line, function: &str, expression: &str| Invariant {
        place: place("peterson.c", line),
        function: function.into(),
        expression: expression.into(),
    };
    let proof = Proof {
        holds_for: None,
        engine: "cegar".into(),
        words: "Without any bound: 173 abstract states, 11 refinements.".into(),
        invariants: vec![
            invariant(11, "worker", "wants[me] == 1 && (turn == 0 || turn == 1)"),
            invariant(13, "worker", "inside == 0 && wants[me] == 1"),
            invariant(14, "worker", "inside == 1"),
            invariant(23, "main", "0 <= i && i <= 2"),
        ],
    };
    let statistics = json!({
        "cpu_seconds": 0.0743, "frontend_seconds": 0.0206, "step": "cegar",
        "turns": [{"outcome": "true", "seconds": 0.0523, "step": "cegar", "statistics": {
            "build_seconds": 0.0259, "check_seconds": 0.0101, "refine_seconds": 0.0078, "successor_seconds": 0.024, "covering_seconds": 0.0019,
            "iterations": 12, "nodes": 173, "predicates": 19, "solver_calls": 181, "covered": 837}}],
    });
    let why = "No execution violates the property. The engine cegar proved it without any bound, in 74 ms.";
    Report { proof: Some(proof), statistics, ..report("true", why, "peterson.c", PETERSON) }
}

fn unknown() -> Report {
    let reason = Reason {
        code: "unsupported".into(),
        words: "inline assembly that writes memory".into(),
        place: Some(place("counter.c", 8)),
        hint: Some("Replace it by C, or give the function a body that does the same.".into()),
    };
    let why = "The program reaches what Raddle does not model.";
    Report { reason: Some(reason), ..report("unknown(unsupported)", why, "counter.c", COUNTER) }
}

#[test]
fn pages_are_one_piece() {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, report) in [("counter", counter()), ("proof", proof()), ("unknown", unknown())] {
        let page = html(&report);
        assert_eq!(page.matches("<script").count(), 2, "{name}");
        for outside in ["src=", "http-equiv=\"refresh\"", "@import", "url(h", "innerHTML", "eval("] {
            assert!(!page.contains(outside), "{name} has {outside}");
        }
        std::fs::write(dir.join(format!("{name}.html")), page).unwrap();
    }
}

#[test]
fn no_text_of_a_program_becomes_markup() {
    let bad = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> & \u{2028} \"'";
    let mut report = counter();
    report.explanation = bad.into();
    report.verdict = format!("false({bad})");
    report.sources[0].text = format!("// {bad}\n");
    report.sources[0].path = bad.into();
    let story = report.story.as_mut().unwrap();
    story.violation = bad.into();
    story.steps[0].source = bad.into();
    story.steps[0].notes = vec![bad.into()];
    story.steps[0].accesses[0].name = bad.into();
    report.automata[0].function = bad.into();
    report.automata[0].edges[0].text = bad.into();
    report.statistics["step"] = bad.into();
    let page = html(&report);
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
    assert!(!page.contains("<img") && !page.contains("<!--"));
    let data = page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).unwrap();
    assert!(!data.contains(['<', '>', '&', '\u{2028}']));
}
