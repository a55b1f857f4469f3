//! Witnesses are written as the format says and read back; what breaks a rule is refused with its line and the reason.

use expect_test::expect;
use raddle_witness::*;

fn metadata(version: Version) -> Metadata {
    Metadata {
        version,
        uuid: "01234567-89ab-4cde-8f01-23456789abcd".into(),
        creation_time: timestamp(0),
        producer: Producer { name: "Raddle".into(), version: "1.0".into(), configuration: None, command_line: None },
        task: Task {
            input_files: vec![("a b.c".into(), hash(b""))],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            data_model: "LP64".into(),
            language: "C".into(),
        },
    }
}

fn location(line: u32, column: Option<u32>) -> Location {
    Location { file_name: "a b.c".into(), line, column, function: Some("main".into()) }
}

fn follow(kind: WaypointKind, location: Location, constraint: Option<(&str, &str)>) -> Segment {
    let constraint = constraint.map(|(value, format)| Constraint { value: value.into(), format: Some(format.into()) });
    let action = Action::Follow;
    let waypoint = Waypoint { kind, action, location, constraint, thread_id: None, at: Line::default() };
    Segment { waypoints: vec![waypoint], at: Line::default() }
}

fn violation() -> Vec<Entry> {
    let result = Some((r"\result == -5", "acsl_expression"));
    let segments = vec![
        follow(WaypointKind::FunctionReturn, location(3, Some(9)), result),
        follow(WaypointKind::Assumption, location(4, None), Some(("x == 'a' && s[0] == \"#: \"[0]", "c_expression"))),
        follow(WaypointKind::Target, location(5, Some(3)), None),
    ];
    vec![Entry { metadata: metadata(Version::V2_0), content: Content::Violation(segments), at: Line::default() }]
}

fn proof(items: Vec<Item>) -> Vec<Entry> {
    vec![Entry { metadata: metadata(Version::V2_1), content: Content::Invariants(items), at: Line::default() }]
}

#[test]
fn a_violation() {
    let text = write(&violation()).unwrap();
    expect![[r##"
        - entry_type: violation_sequence
          metadata:
            format_version: "2.0"
            uuid: 01234567-89ab-4cde-8f01-23456789abcd
            creation_time: "1970-01-01T00:00:00Z"
            producer:
              name: Raddle
              version: "1.0"
            task:
              input_files:
              - a b.c
              input_file_hashes:
                a b.c: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
              specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
              data_model: LP64
              language: C
          content:
          - segment:
            - waypoint:
                type: function_return
                action: follow
                location:
                  file_name: a b.c
                  line: 3
                  column: 9
                  function: main
                constraint:
                  value: \result == -5
                  format: acsl_expression
          - segment:
            - waypoint:
                type: assumption
                action: follow
                location:
                  file_name: a b.c
                  line: 4
                  function: main
                constraint:
                  value: "x == 'a' && s[0] == \"#: \"[0]"
                  format: c_expression
          - segment:
            - waypoint:
                type: target
                action: follow
                location:
                  file_name: a b.c
                  line: 5
                  column: 3
                  function: main
    "##]]
    .assert_eq(&text);
    assert_eq!(read(&text).unwrap(), violation());
}

#[test]
fn a_proof() {
    let value = "x >= 0 && (unsigned)y < 5U".to_string();
    let kind = InvariantKind::Loop;
    let format = "c_expression".to_string();
    let invariant = Invariant { kind, location: location(7, Some(3)), value, format, at: Line::default() };
    let contract = Contract {
        location: location(1, None),
        requires: Some("a > 0".into()),
        ensures: Some(r"\result > \at(a, Old)".into()),
        format: "ext_c_expression".into(),
        at: Line::default(),
    };
    let entries = proof(vec![Item::Invariant(invariant), Item::Contract(contract)]);
    let text = write(&entries).unwrap();
    expect![[r#"

          - invariant:
              type: loop_invariant
              location:
                file_name: a b.c
                line: 7
                column: 3
                function: main
              value: x >= 0 && (unsigned)y < 5U
              format: c_expression
          - contract:
              type: function_contract
              location:
                file_name: a b.c
                line: 1
                function: main
              requires: a > 0
              ensures: \result > \at(a, Old)
              format: ext_c_expression
    "#]]
    .assert_eq(&text.split_once("content:").unwrap().1.replace("\n  ", "\n"));
    assert_eq!(read(&text).unwrap(), entries);
    // An empty list is a witness, too.
    assert_eq!(read(&write(&proof(vec![])).unwrap()).unwrap(), proof(vec![]));
}

#[test]
fn values_need_no_quotes() {
    let text = write(&violation()).unwrap().replace("\"2.0\"", "2.0").replace("'2.0'", "2.0");
    assert_eq!(read(&text).unwrap(), violation());
}

/// What is said about the violation above when a part of its text is another one.
fn said(from: &str, to: &str) -> String {
    let text = write(&violation()).unwrap();
    let changed = text.replacen(from, to, 1);
    assert_ne!(text, changed, "{from}");
    read(&changed).unwrap_err().to_string()
}

#[test]
fn what_breaks_a_rule() {
    let said = [
        said("violation_sequence", "violation"),
        said("2.0", "3.0"),
        said("uuid: 0", "uuid: x"),
        said("00:00:00Z", "00:00:00"),
        said("LP64", "64"),
        said("language: C", "language: Java"),
        said("e3b0c4", "e3b0cx"),
        said("  a b.c: ", "  other.c: "),
        said("action: follow", "action: avoid"),
        said("action: follow", "action: flee"),
        said("type: target", "type: assumption"),
        said("type: function_return", "type: target"),
        said("action: follow", "action: follow\n        thread_id: 0"),
        said("acsl_expression", "c_expression"),
        said("line: 3", "line: 0"),
        said("line: 3", "line: three"),
        said("segment", "invariant"),
        said("creation_time", "time"),
        said("content:", "content: ["),
    ];
    expect![[r#"
        line 1: `violation` is no entry type
        line 3: `3.0` is no version of the format (2.0, 2.1, 2.2)
        line 1: `x1234567-89ab-4cde-8f01-23456789abcd` is no UUID
        line 1: `1970-01-01T00:00:00` is no ISO 8601 time with a zone (as in 2025-01-31T12:00:00Z)
        line 1: the data model is ILP32 or LP64, not `64`
        line 1: the language is C, not `Java`
        line 1: the hash of a b.c is no SHA-256 of 64 hexadecimal digits
        line 11: there is no hash of the input file a b.c
        line 20: a segment without a `follow`
        line 21: `flee` is no action of a waypoint
        line 43: the `assumption` has no constraint
        line 20: a constraint on a `target`, which has none
        line 20: `thread_id` in a witness of version 2.0, not 2.2
        line 20: the format of a `function_return` in version 2.0 is not `c_expression`
        line 20: lines and columns are numbered from 1
        line 24: this is no witness: invalid u32 at line 24, column 17
        line 19: this is no witness: expected mapping start at line 19, column 7
        line 9: this is no witness: missing field `creation_time` at line 9, column 5
        line 18: this is no witness: "-" is only valid inside a block at line 18, column 3
    "#]]
    .assert_eq(&(said.join("\n") + "\n"));
}

#[test]
fn segments_and_threads() {
    let said = |change: &dyn Fn(&mut Vec<Segment>)| {
        let mut entries = violation();
        entries[0].metadata.version = Version::V2_2;
        let Content::Violation(segments) = &mut entries[0].content else { unreachable!() };
        segments[0].waypoints[0].constraint.as_mut().unwrap().format = Some("ext_c_expression".into());
        change(segments);
        lint(&entries).iter().map(|problem| problem.reason.clone()).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(said(&|_| {}), "");
    assert_eq!(said(&|segments| segments.clear()), "a violation has at least one segment");
    assert_eq!(said(&|segments| segments[0].waypoints.clear()), "a segment without waypoints");
    assert_eq!(said(&|segments| segments.truncate(2)), "the last segment has no `target`");
    let avoid = |segment: &Segment| Waypoint { action: Action::Avoid, ..segment.waypoints[0].clone() };
    assert_eq!(
        said(&|segments| {
            let avoided = avoid(&segments[0]);
            segments[0].waypoints.insert(0, avoided);
        }),
        "",
        "what is avoided stands first"
    );
    assert_eq!(
        said(&|segments| {
            let avoided = avoid(&segments[0]);
            segments[0].waypoints.push(avoided);
        }),
        "an `avoid` stands after the `follow` of its segment"
    );
    assert_eq!(
        said(&|segments| segments[1].waypoints[0].thread_id = Some(1)),
        "no `function_enter` before this makes thread 1"
    );
    let enter = follow(WaypointKind::FunctionEnter, location(2, None), None);
    assert_eq!(
        said(&|segments| {
            segments[1].waypoints[0].thread_id = Some(1);
            segments.insert(0, enter.clone());
        }),
        ""
    );
}

#[test]
fn one_version_in_a_witness() {
    let text = write(&proof(vec![])).unwrap();
    let both = format!("{text}{}", text.replace("2.1", "2.2"));
    let problem = read(&both).unwrap_err();
    assert_eq!(problem.reason, "an entry of version 2.2 in a witness of version 2.1");
    assert!(problem.line > 10);
    assert_eq!(read("").unwrap_err().reason, "a witness has at least one entry");
    assert!(read("\0\u{1}[").is_err());
}
