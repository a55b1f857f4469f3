//! Results for other tools: JSON that follows its schema, and SARIF.

use raddle_testing::json_schema::violations;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs with all verdicts, by examples.
const CALLS: [(&[&str], i32); 6] = [
    (&["examples/counter.c"], 1),
    (&["examples/counter_locked.c"], 0),
    (&["examples/suite/lost_update.c"], 1),
    (&["--engine", "oc", "--oc-unroll-end", "2", "examples/suite/countdown.c"], 2),
    (&["--property", "unreach-call", "--property", "no-data-race", "examples/suite/handover.c"], 2),
    (&["examples/broken.c"], 3),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// What `raddle` prints in a format, in a folder, with the exit status.
fn printed(format: &str, folder: &Path, args: &[&str]) -> (Value, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let common = ["--no-config", "--timeout", "60s", "--format", format];
    let output = command.args(common).args(args).current_dir(folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    (serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}\n{text}")), output.status.code())
}

#[test]
fn json_follows_its_schema() {
    let schema = std::fs::read_to_string(root().join("docs/schema/report-1.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    for (args, wanted) in CALLS {
        let (report, status) = printed("json", &root(), args);
        assert_eq!((violations(&schema, &report), status), (vec![], Some(wanted)), "{args:?}");
    }
    let (report, _) = printed("json", &root(), &["examples/counter.c"]);
    let of_property = &report["properties"][0];
    assert_eq!((&report["schema"], &report["verdict"]), (&json!(raddle_report::SCHEMA), &of_property["verdict"]));
    assert_eq!(of_property["story"]["threads"][1]["function"], "count");
    assert_eq!((&of_property["proof"], &of_property["reason"]), (&Value::Null, &Value::Null));
    let (report, _) = printed("json", &root(), &["examples/counter_locked.c"]);
    assert!(report["properties"][0]["proof"]["engine"].is_string(), "{report}");
}

#[test]
fn sarif_tells_violations_as_flows() {
    // Run in a folder of the repository: places count from its root.
    let folder = root().join("examples");
    let has_root = root().join(".git").exists();
    let (sarif, status) = printed("sarif", &folder, &["counter.c"]);
    assert_eq!((&sarif["version"], status), (&json!("2.1.0"), Some(1)));
    let run = &sarif["runs"][0];
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("unreach-call"), &json!("error")));
    let place = &result["locations"][0]["physicalLocation"];
    let file = if has_root { "examples/counter.c" } else { "counter.c" };
    assert_eq!(place["artifactLocation"], json!({ "uri": file, "uriBaseId": "%SRCROOT%" }));
    // The assertion is a macro: what fails is somewhere in its line.
    let region = json!({ "startLine": 18, "snippet": { "text": "  assert(counter == 2);" } });
    assert_eq!(place["region"], region);
    let count = &result["codeFlows"][0]["threadFlows"][1]["locations"][0]["location"]["physicalLocation"]["region"];
    assert_eq!(count["startColumn"], 3, "{count}");
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    assert_eq!(flows.len(), 3);
    // Together they are the execution, each step once.
    let steps = flows.iter().flat_map(|flow| flow["locations"].as_array().unwrap());
    let mut orders: Vec<u64> = steps.map(|step| step["executionOrder"].as_u64().unwrap()).collect();
    let count = orders.len();
    orders.sort_unstable();
    orders.dedup();
    assert_eq!(orders.len(), count);
    assert_eq!(run["invocations"][0]["exitCode"], 1);
}

#[test]
fn sarif_of_other_verdicts_has_no_results() {
    for (args, wanted) in CALLS.into_iter().filter(|(_, status)| *status != 1) {
        let (sarif, status) = printed("sarif", &root(), args);
        assert_eq!((&sarif["runs"][0]["results"], status), (&json!([]), Some(wanted)), "{args:?}");
        let invocation = &sarif["runs"][0]["invocations"][0];
        let notes = invocation["toolExecutionNotifications"].as_array().unwrap();
        assert_eq!(
            (notes.is_empty(), &invocation["executionSuccessful"]),
            (wanted == 0, &json!(wanted != 3)),
            "{args:?}"
        );
        assert!(sarif["runs"][0]["tool"]["driver"]["rules"].as_array().is_some_and(|rules| !rules.is_empty()));
    }
}
