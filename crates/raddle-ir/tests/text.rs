//! The forms in which a Program is written: text, JSON and DOT.

mod random_exprs;

use proptest::prelude::*;
use raddle_ir::*;
use random_exprs::{SORTS, Twins};

const SAMPLE: &str = include_str!("sample.txt");

fn sample() -> Program {
    parse_text(SAMPLE).unwrap_or_else(|error| panic!("sample.txt:{error}"))
}

#[test]
fn text_reads_back() {
    let program = sample();
    assert_eq!(validate(&program), Ok(()));
    assert_eq!(to_text(&program), SAMPLE);
}

#[test]
fn what_the_sample_says_is_what_the_program_has() {
    let program = sample();
    assert_eq!(program.vars[1].name, "y+");
    assert_eq!(program.vars[6].name, "i");
    assert_eq!(program.vars[9].kind, VarKind::Local(ProcId(1)));
    let ObjectKind::Data { init: ObjectInit::Bytes { bytes, .. }, writable: false } = &program.objects[1].kind else {
        panic!("{:?}", program.objects[1])
    };
    assert_eq!(bytes, b"a\"\\\xff\0\0");
    assert_eq!(program.objects.iter().map(|object| object.exposed).collect::<Vec<_>>(), [false, false, false, true]);
    let main = program.proc(program.entry);
    assert_eq!(main.locations[3].kind, LocKind::RecursionBound);
    assert_eq!(main.edges[0].labels, []);
    let out = main.out_edges();
    assert_eq!(out.of(LocId(5)), [EdgeId(10), EdgeId(11), EdgeId(12)]);
    assert_eq!(out.of(main.exit), []);
    assert_eq!(main.in_edges().of(LocId(8)), [EdgeId(16)]);
}

#[test]
fn json_reads_back() {
    let program = sample();
    let text = json::to_json(&program);
    assert_eq!(json::from_json(&text).as_ref(), Ok(&program));

    let mut large = program;
    large.pool.bits(128, u128::MAX - 1);
    large.vars[0].sort = Sort::Bits(128);
    large.vars[0].kind = VarKind::Global(Some(Const { sort: Sort::Bits(128), bits: u128::MAX }));
    large.procs.iter_mut().for_each(|proc| proc.edges.clear());
    assert_eq!(json::from_json(&json::to_json(&large)), Ok(large));
}

#[test]
fn equality_does_not_depend_on_the_numbering_of_expressions() {
    let program = sample();
    let mut renumbered = program.clone();
    // A pool that starts with something else.
    renumbered.pool = ExprPool::new();
    renumbered.pool.bits(64, 99);
    let mut ids = Vec::new();
    for (_, expr, sort) in program.pool.nodes() {
        let moved = expr.map_operands(|operand| ids[operand.0 as usize]);
        ids.push(renumbered.pool.intern_raw(moved, sort));
    }
    for label in renumbered.procs.iter_mut().flat_map(|proc| &mut proc.edges).flat_map(|edge| &mut edge.labels) {
        label.for_each_expr_mut(|id| *id = ids[id.0 as usize]);
    }
    assert_ne!(program.pool.get(ExprId(0)), renumbered.pool.get(ExprId(0)));
    assert!(program == renumbered);
    let label = &mut renumbered.procs[0].edges[1].labels[0];
    *label = Label::Error(raddle_ir::Violation::ErrorCall);
    assert!(program != renumbered);
}

#[test]
fn errors_have_a_place() {
    let error = |text: &str| parse_text(text).unwrap_err().to_string();
    assert_eq!(error(""), "1:1: `program` is expected, not the end of the text");
    assert_eq!(error(&SAMPLE.replace("i'5 != i'6", "i'5 != j")), "29:47: there is no such variable");
    assert_eq!(
        error(&SAMPLE.replace("L6 -> L7: error", "L6 -> L9: error")),
        "41:9: a location of this procedure is expected, not `L9`"
    );
    assert_eq!(
        error(&SAMPLE.replace("assume i'5 <s 10i32", "assume i'5 <s 10i64")),
        "29:32: before this: SLt does not take bv32 and bv64"
    );
    assert_eq!(error(&SAMPLE.replace("#7: bv64", "#70: bv64")), "53:1: no variable has the id 7");
}

#[test]
fn validation_names_the_place() {
    let invalid = |from: &str, to: &str| validate(&parse_text(&SAMPLE.replace(from, to)).unwrap()).unwrap_err();
    assert_eq!(
        invalid("L1 -> L2: assume i'5 <s 10i32", "L1 -> L2: assume x <s 10i32"),
        "procedure 0 (main): edge 2, L1 -> L2: `assume x <s 10i32`: variable 0 is not a local of this procedure"
    );
    assert_eq!(
        invalid("i'5 := load x", "c := load x"),
        "procedure 0 (main): edge 4, L2 -> L3: `c := load x`: the value has sort bv8, not bv32"
    );
    assert_eq!(
        invalid("L6 -> L7: error", "L8 -> L7: error"),
        "procedure 0 (main): edge 14, L8 -> L7: it leaves the exit"
    );
    assert_eq!(
        invalid("call worker(p)", "call worker(p); error call"),
        "procedure 0 (main): edge 10, L5 -> L6: a call is not alone"
    );
    assert_eq!(invalid("at 0x300", "at 0x203"), "objects text and buffer overlap");
}

#[test]
fn dot_has_a_cluster_for_each_procedure() {
    let dot = dot::to_dot(&sample());
    assert!(dot.contains("subgraph cluster_1 {\n    label=\"worker(arg)\";"));
    assert!(dot.contains("p0_1 -> p0_2 [label=\"assume i'5 <s 10i32\\lawait i'5 != i'6\\lrequire i'6 != 0i32 else division_by_zero\\l\"];"));
    assert!(dot.contains("p0_6 -> p0_7 [label=\"error call\\l\", color=red];"));
}

/// A Program whose only procedure assigns expressions to locals.
fn program_of(pool: ExprPool, exprs: &[ExprId]) -> Program {
    let mut vars: Vec<Var> = Vec::new();
    let mut local = |name: String, sort| {
        let var = Var {
            name,
            sort,
            kind: VarKind::Local(ProcId(0)),
            signed: false,
            span: Span::NONE,
            origin: raddle_ir::Origin::default(),
        };
        vars.push(var);
        VarId(vars.len() as u32 - 1)
    };
    for (i, sort) in SORTS.iter().flat_map(|sort| [sort; 3]).enumerate() {
        local(format!("x{i}"), *sort);
    }
    let location = Location { kind: LocKind::Normal, span: Span::NONE, origin: raddle_ir::Origin::default() };
    let edges = exprs.iter().map(|&value| {
        let var = local("result".to_string(), pool.sort(value));
        let labels = vec![Label::Assign { var, value }];
        Edge { source: LocId(0), target: LocId(1), labels, span: Span::NONE, is_silent: false }
    });
    let edges = edges.collect();
    let main = Procedure {
        name: "main".to_string(),
        params: Vec::new(),
        result: None,
        locals: (0..vars.len() as u32).map(VarId).collect(),
        locations: vec![location.clone(), location],
        edges,
        entry: LocId(0),
        exit: LocId(1),
        span: Span::NONE,
    };
    Program {
        pointer_bits: 64,
        files: Vec::new(),
        pool,
        vars,
        objects: Vec::new(),
        procs: vec![main],
        entry: ProcId(0),
        dynamic_base: 0,
        gaps: Vec::new(),
        callers: Vec::new(),
    }
}

fn check_all_forms(program: &Program) {
    let text = to_text(program);
    let read = parse_text(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert!(read == *program, "{text}\nis read as\n{}", to_text(&read));
    dot::to_dot(program);
    if validate(program).is_ok() {
        assert_eq!(json::from_json(&json::to_json(program)).as_ref(), Ok(program));
    }
}

#[test]
fn large_expressions_are_broken_up() {
    let mut pool = ExprPool::new();
    let x = pool.var(VarId(15), SORTS[5]);
    let mut shared = x;
    for _ in 0..1000 {
        let square = pool.binary(BinOp::BvMul, shared, shared);
        shared = pool.binary(BinOp::BvXor, square, x);
    }
    let program = program_of(pool, &[shared, x]);
    assert_eq!(validate(&program), Ok(()));
    check_all_forms(&program);
    assert!(to_text(&program).len() < 100_000);
    assert!(dot::to_dot(&program).len() < 10_000);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_expressions_read_back(steps in prop::collection::vec((any::<[u8; 4]>(), any::<u128>()), 1..80)) {
        let mut twins = Twins::new(&SORTS);
        for (step, number) in steps {
            twins.grow(step, number);
        }
        let raw: Vec<ExprId> = twins.pairs.iter().map(|pair| pair.0).collect();
        let simple: Vec<ExprId> = twins.pairs.iter().map(|pair| pair.1).collect();
        let program = program_of(twins.raw, &raw);
        prop_assert_eq!(validate(&program), Ok(()));
        check_all_forms(&program);
        check_all_forms(&program_of(twins.simple, &simple));
    }

    #[test]
    fn garbled_text_is_read_or_refused(edits in prop::collection::vec((any::<u16>(), any::<u16>(), 0..5u8, any::<char>()), 1..6)) {
        let mut text: Vec<char> = SAMPLE.chars().collect();
        for (at, length, kind, c) in edits {
            let at = usize::from(at) % text.len();
            let end = (at + usize::from(length) % 20).min(text.len());
            match kind {
                0 => text[at] = c,
                1 => drop(text.drain(at..end)),
                2 => {
                    let copy = text[at..end].to_vec();
                    let to = usize::from(length) % text.len();
                    text.splice(to..to, copy);
                }
                3 => text.insert(at, ['(', ')', '-', '!', '9', '$', '\'', '"', '@', '\n'][usize::from(length) % 10]),
                _ => {
                    let other = end.min(text.len() - 1);
                    text.swap(at, other);
                }
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(program) = parse_text(&text) {
            check_all_forms(&program);
            let _ = validate(&program);
        }
    }

    #[test]
    fn garbled_json_is_read_or_refused(edits in prop::collection::vec((any::<u32>(), any::<u8>()), 1..4)) {
        let mut text = json::to_json(&sample()).into_bytes();
        for (at, digit) in edits {
            // Digits are changed, so that ids and widths go wrong.
            let digits: Vec<usize> = (0..text.len()).filter(|&i| text[i].is_ascii_digit()).collect();
            text[digits[at as usize % digits.len()]] = b'0' + digit % 10;
        }
        let text = String::from_utf8(text).unwrap();
        if let Ok(program) = json::from_json(&text) {
            check_all_forms(&program);
        }
    }
}

#[test]
fn deep_parentheses_are_refused() {
    let deep = format!("assume {}b{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(
        parse_text(&SAMPLE.replace("thread_exit arg", &deep)).unwrap_err().message.contains("too many parentheses")
    );
    let many = format!("assume {}b", "!".repeat(100_000));
    let program = parse_text(&SAMPLE.replace("thread_exit arg", &many)).unwrap();
    check_all_forms(&program);
}
