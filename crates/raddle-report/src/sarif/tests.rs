use super::*;
use crate::json::json as as_json;
use crate::report::{Proof, SourceFile};
use crate::story::{Access, AccessKind, Input, Place, Step, Thread};
use raddle_testing::json_schema::violations;

const SOURCE: &str = "int counter;\nvoid *count(void *arg) {\n  /* é */ counter++;\n  return 0;\n}\n\nint main(void) {\n  start(count);\n  assert(counter == 2);\n}\n";

fn place(line: u32, column: u32) -> Place {
    Place { file: "src/a b.c".into(), line, column }
}

fn step(thread: u32, place: Place, function: &str, accesses: Vec<Access>) -> Step {
    Step {
        thread,
        function: function.into(),
        place,
        source: String::new(),
        needed: true,
        locks: vec![],
        accesses,
        notes: vec![],
    }
}

fn access(kind: AccessKind, value: &str, from: Option<usize>) -> Access {
    Access { kind, name: "counter".into(), value: value.into(), from, initial: false, cell: None, needed: true }
}

fn report(verdict: &str) -> Report {
    Report {
        verdict: verdict.into(),
        property: "unreach-call".into(),
        explanation: "Because.".into(),
        reason: None,
        proof: None,
        story: None,
        others: Vec::new(),
        has_all: false,
        sources: vec![SourceFile { path: "src/a b.c".into(), text: SOURCE.into() }],
        automata: vec![],
        statistics: json!({}),
    }
}

fn violated() -> Report {
    let mut start = step(0, place(8, 3), "main", vec![]);
    start.notes.push("started thread 1 (count)".into());
    let mut lock = step(1, place(3, 12), "count", vec![access(AccessKind::Read, "0", None)]);
    lock.locks.push("m".into());
    let write = step(1, place(3, 12), "count", vec![access(AccessKind::Write, "1", None)]);
    let mut idle = step(0, place(8, 3), "helper", vec![]);
    idle.needed = false;
    let assert = step(0, place(9, 3), "main", vec![access(AccessKind::Read, "1", Some(3))]);
    let nowhere = step(0, Place::default(), "main", vec![]);
    let input = Input { step: 1, thread: 0, place: place(8, 3), source: "any(a[1])".into(), value: "5".into() };
    let story = Story {
        violation: "an assertion fails".into(),
        place: place(9, 3),
        threads: vec![
            Thread { function: "main".into(), started_by: None },
            Thread { function: "count".into(), started_by: Some(1) },
        ],
        inputs: vec![input],
        steps: vec![start, lock, write, idle, nowhere, assert],
        omitted: 0,
        switches: 2,
        switches_as_found: 4,
    };
    Report { story: Some(story), ..report("false(unreach-call)") }
}

fn unknown(code: &str) -> Report {
    let reason = Reason { code: code.into(), words: "No.".into(), place: Some(place(3, 0)), hint: Some("Try.".into()) };
    Report { reason: Some(reason), property: "no-overflow".into(), ..report(&format!("unknown({code})")) }
}

fn proved() -> Report {
    let proof = Proof { engine: "oc".into(), words: "without a bound".into(), holds_for: None, invariants: vec![] };
    Report { proof: Some(proof), ..report("true") }
}

fn told(reports: &[Report]) -> Value {
    let run =
        Run { version: "1.2.3", exit_status: 1, folder: Path::new("/home/me/project"), root: Path::new("/home/me") };
    serde_json::from_str(&sarif(&reports.iter().collect::<Vec<_>>(), &run)).unwrap()
}

#[test]
fn a_violation_is_a_result_with_a_flow_for_each_thread() {
    let run = &told(&[violated()])["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], run["tool"]["driver"]["rules"][0]["id"]);
    let words =
        "An assertion fails in an execution of 2 threads that switches 2 times between them, with [any(a1) = 5](1).";
    assert_eq!(result["message"]["text"], words);
    assert_eq!(result["relatedLocations"][0]["id"], 1);
    let physical = &result["locations"][0]["physicalLocation"];
    let file = json!({ "uri": "project/src/a%20b.c", "uriBaseId": "%SRCROOT%" });
    assert_eq!(physical["artifactLocation"], file);
    let region = json!({ "startLine": 9, "startColumn": 3, "snippet": { "text": "assert(counter == 2);" } });
    assert_eq!(physical["region"], region);
    let flows = &result["codeFlows"][0]["threadFlows"];
    let orders = |flow: usize| -> Vec<u64> {
        let locations = flows[flow]["locations"].as_array().unwrap();
        locations.iter().map(|location| location["executionOrder"].as_u64().unwrap()).collect()
    };
    // The step without a place is not told.
    assert_eq!((orders(0), orders(1)), (vec![1, 4, 6], vec![2, 3]));
    assert_eq!(flows[1]["message"]["text"], "Thread 1: count, started by step 1");
    let at = |flow: usize, step: usize| &flows[flow]["locations"][step];
    assert_eq!(at(0, 0)["location"]["message"]["text"], "started thread 1 (count)");
    assert_eq!((&at(0, 1)["importance"], &at(0, 1)["nestingLevel"]), (&json!("unimportant"), &json!(1)));
    assert_eq!(at(0, 2)["location"]["message"]["text"], "counter = 1 (step 3)");
    assert_eq!((&at(0, 2)["kinds"], &at(0, 2)["nestingLevel"]), (&json!(["danger"]), &json!(0)));
    assert_eq!(at(1, 0)["kinds"], json!(["acquire", "lock"]));
    assert_eq!(at(1, 1)["state"], json!({ "counter": { "text": "1" } }));
    // é has two bytes and is one character.
    assert_eq!(at(1, 0)["location"]["physicalLocation"]["region"]["startColumn"], 11);
}

#[test]
fn a_fingerprint_stays_when_lines_move() {
    let fingerprint =
        |report: &Report| told(std::slice::from_ref(report))["runs"][0]["results"][0]["partialFingerprints"].clone();
    let before = violated();
    let mut moved = before.clone();
    moved.sources[0].text = format!("// A comment.\n{SOURCE}");
    moved.story.as_mut().unwrap().place.line += 1;
    assert_eq!(fingerprint(&before), fingerprint(&moved));
    let mut second = before.clone();
    second.sources[0].text = SOURCE.replace("  start", "  assert(counter == 2);\n  start");
    second.story.as_mut().unwrap().place.line += 1;
    assert_ne!(fingerprint(&before), fingerprint(&second));
}

#[test]
fn a_proof_has_no_result_and_an_unknown_verdict_is_a_notification() {
    let run = &told(&[proved(), unknown("timeout")])["runs"][0];
    assert_eq!(run["results"], json!([]));
    assert_eq!(run["properties"]["verdicts"][0]["verdict"], "true");
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], true);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["descriptor"]["id"], run["tool"]["driver"]["notifications"][0]["id"]);
    assert_eq!(notification["message"]["text"], "No.\nTry.");
    assert_eq!(notification["associatedRule"], json!({ "id": "no-overflow", "index": 1 }));
    assert_eq!(notification["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
    let failed = &told(&[unknown("input-error")])["runs"][0]["invocations"][0];
    assert_eq!(
        (&failed["executionSuccessful"], &failed["toolExecutionNotifications"][0]["level"]),
        (&json!(false), &json!("error"))
    );
}

#[test]
fn of_a_long_execution_the_needed_steps_and_the_end_are_told() {
    let mut report = violated();
    let story = report.story.as_mut().unwrap();
    let (first, last) = (story.steps[0].clone(), story.steps[5].clone());
    let idle = Step { needed: false, ..story.steps[3].clone() };
    story.steps = std::iter::once(first).chain(std::iter::repeat_n(idle, 20_000)).chain([last]).collect();
    let run = &told(&[report])["runs"][0];
    let flow = &run["results"][0]["codeFlows"][0];
    let steps = flow["threadFlows"][0]["locations"].as_array().unwrap();
    assert_eq!((steps.len(), &steps[0]["executionOrder"]), (5000, &json!(1)));
    assert_eq!(flow["message"]["text"], "20002 steps, 2 context switches (not told: 15002)");
}

#[test]
fn reports_follow_the_schema() {
    let schema = include_str!("../../../../docs/schema/report-1.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let reports = [violated(), proved(), unknown("timeout")];
    let reports: Vec<(&str, &Report)> = ["a", "b.prp", "c"].into_iter().zip(&reports).collect();
    let document: Value = serde_json::from_str(&as_json("false(unreach-call)", &reports, "1.2.3")).unwrap();
    assert_eq!(violations(&schema, &document), [""; 0]);
    assert_eq!(document["properties"][0]["sources"], Value::Null);
}
