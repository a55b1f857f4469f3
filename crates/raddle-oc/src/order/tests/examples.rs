//! Litmus tests: outcomes that sequential consistency forbids are conflicts, and their neighbours are not.

use super::*;

/// Is there an order in which the reads see what they are said to? All ways must agree.
fn allowed(build: &Build) -> bool {
    let answers: Vec<bool> = all_ways()
        .into_iter()
        .map(|how| {
            let Some(model) = Models::of(build, how).next(&build.problem) else { return false };
            let truth = |lit: SatLit| holds(&model, lit);
            matches!(linearise(&build.problem, &truth, 1000), Linearised::Order(_))
        })
        .collect();
    assert!(answers.iter().all(|&answer| answer == answers[0]), "{answers:?}");
    answers[0]
}

/// Chain 0 initialises cells 0 and 1 before the chains 1 to 4 begin.
fn initialised() -> (Build, WriteId, WriteId) {
    let mut b = Build::default();
    let (x, y) = (b.write(0, 0), b.write(0, 1));
    (b, x, y)
}

fn after_start(b: &mut Build) {
    for chain in 1..b.problem.chains.len() {
        let (from, to) = (b.problem.chains[0][1], b.problem.chains[chain][0]);
        b.edge(from, to, None);
    }
}

#[test]
fn store_buffering() {
    // x = 1; read y || y = 1; read x
    let outcome = |first_sees_new: bool, second_sees_new: bool| {
        let (mut b, x0, y0) = initialised();
        let (x1, ry) = (b.write(1, 0), b.read(1, 1));
        let (y1, rx) = (b.write(2, 1), b.read(2, 0));
        after_start(&mut b);
        b.reads(ry, if first_sees_new { y1 } else { y0 });
        b.reads(rx, if second_sees_new { x1 } else { x0 });
        allowed(&b)
    };
    assert!(!outcome(false, false));
    assert!(outcome(true, false) && outcome(false, true) && outcome(true, true));
}

#[test]
fn message_passing() {
    // x = 1; y = 1 || read y; read x
    let outcome = |flag: bool, data: bool| {
        let (mut b, x0, y0) = initialised();
        let (x1, y1) = (b.write(1, 0), b.write(1, 1));
        let (ry, rx) = (b.read(2, 1), b.read(2, 0));
        after_start(&mut b);
        b.reads(ry, if flag { y1 } else { y0 });
        b.reads(rx, if data { x1 } else { x0 });
        allowed(&b)
    };
    assert!(!outcome(true, false));
    assert!(outcome(false, false) && outcome(false, true) && outcome(true, true));
}

#[test]
fn reads_of_one_cell_do_not_go_back() {
    let outcome = |first: bool, second: bool| {
        let (mut b, x0, _) = initialised();
        let x1 = b.write(1, 0);
        let (one, two) = (b.read(2, 0), b.read(2, 0));
        after_start(&mut b);
        b.reads(one, if first { x1 } else { x0 });
        b.reads(two, if second { x1 } else { x0 });
        allowed(&b)
    };
    assert!(!outcome(true, false));
    assert!(outcome(false, true));
}

#[test]
fn independent_reads_of_independent_writes() {
    let outcome = |second_sees_x: bool| {
        let (mut b, x0, y0) = initialised();
        let (x1, y1) = (b.write(1, 0), b.write(2, 1));
        let (ax, ay) = (b.read(3, 0), b.read(3, 1));
        let (by, bx) = (b.read(4, 1), b.read(4, 0));
        after_start(&mut b);
        b.reads(ax, x1);
        b.reads(ay, y0);
        b.reads(by, y1);
        b.reads(bx, if second_sees_x { x1 } else { x0 });
        allowed(&b)
    };
    assert!(!outcome(false));
    assert!(outcome(true));
}

#[test]
fn two_updates_do_not_read_the_same() {
    let (mut b, x0, _) = initialised();
    let (r1, w1) = b.update(1, 0);
    let (r2, _) = b.update(2, 0);
    after_start(&mut b);
    let mut chained = b.clone();
    chained.reads(r1, x0);
    chained.reads(r2, w1);
    assert!(allowed(&chained));
    let both = [b.reads(r1, x0), b.reads(r2, x0)];
    assert!(!allowed(&b));
    let conflicts = lazy::conflicts(&b.problem, &|_| true);
    assert_eq!(conflicts, [both.map(|lit| !lit).into_iter().rev().collect::<Vec<_>>()], "nothing else is to blame");
}

#[test]
fn a_write_that_is_not_there_overwrites_nothing() {
    let (mut b, x0, _) = initialised();
    let guard = b.literal();
    let node = b.node(1);
    b.write_at(node, 0, Some(guard));
    let read = b.read(1, 0);
    after_start(&mut b);
    b.reads(read, x0);
    let mut models = Models::of(&b, How::Theory(OrderOptions::default()));
    let model = models.next(&b.problem).expect("without the write");
    assert!(!holds(&model, guard));
    let counts = models.theory.as_ref().map(|theory| theory.borrow().theory.counts()).unwrap();
    assert_eq!((counts.conflicts, counts.propagations), (0, 1), "the guard is propagated");
    models.add(&[guard]);
    assert_eq!(models.next(&b.problem), None);
}

#[test]
fn unconditional_edges_in_a_circle_exclude_everything() {
    let mut b = Build::default();
    let (one, two) = (b.node(0), b.node(1));
    let lit = b.literal();
    b.edge(one, two, None);
    b.edge(two, one, None);
    b.edge(one, two, Some(lit));
    assert!(!allowed(&b));
    assert_eq!(lazy::conflicts(&b.problem, &|_| true), [vec![]]);
}

/// Two writers, and two readers that see one each, say that not all of what follows the writers precedes the readers: one of the
/// readers is before one of the writers. But which, the axioms do not know.
fn not_before(b: &mut Build, cell: u32, p: NodeId, q: NodeId) {
    let chain = b.problem.chains.len();
    let writes = [b.write(chain, cell), b.write(chain + 1, cell)];
    let reads = [b.read(chain + 2, cell), b.read(chain + 3, cell)];
    for (write, read) in writes.into_iter().zip(reads) {
        b.reads(read, write);
        let (write, read) = (b.problem.writes[write.index()].node, b.problem.reads[read.index()].node);
        b.edge(write, p, None);
        b.edge(q, read, None);
    }
}

#[test]
fn weak_consistency_is_weaker() {
    let mut b = Build::default();
    let (p, q) = (b.node(0), b.node(1));
    not_before(&mut b, 0, p, q);
    assert!(allowed(&b));
    not_before(&mut b, 1, q, p);
    assert!(check::weakly_consistent(&b.problem, &|_| true));
    assert_eq!(linearise(&b.problem, &|_| true, 1000), Linearised::NotSc);
    assert_eq!(linearise(&b.problem, &|_| true, 1), Linearised::GaveUp);
}

#[test]
fn a_literal_may_order_either_way() {
    let (mut b, ..) = initialised();
    let (one, two) = (b.write(1, 0), b.write(2, 0));
    let read = b.read(3, 0);
    after_start(&mut b);
    b.reads(read, one);
    let (first, last) = (b.problem.writes[one.index()].node, b.problem.writes[two.index()].node);
    let lit = b.literal();
    let join = b.problem.reads[read.index()].node;
    b.edge(last, join, None);
    let mut models = Models::of(&b, How::Theory(OrderOptions::default()));
    assert!(models.next(&b.problem).is_some());
    let name = models.name(lit);
    let edges = [Edge { from: first, to: last, when: Some(name) }, Edge { from: last, to: first, when: Some(!name) }];
    models.theory.as_ref().unwrap().borrow_mut().theory.add_edges(&edges);
    models.solver.observe(name);
    let model = models.next(&b.problem).expect("the other way");
    assert!(!holds(&model, lit));
    models.add(&[lit]);
    assert_eq!(models.next(&b.problem), None);
}

#[test]
fn a_read_sees_its_own_store_buffer() {
    // The store to x may take effect after the read, but the read does not miss it.
    let outcome = |sees_own: bool| {
        let (mut b, x0, _) = initialised();
        let read = b.read(1, 0);
        let store = b.write(2, 0);
        after_start(&mut b);
        b.problem.reads[read.index()].own = vec![store];
        b.reads(read, if sees_own { store } else { x0 });
        b.problem.read_froms[0].orders = !sees_own;
        allowed(&b)
    };
    assert!(outcome(true));
    assert!(!outcome(false));
}

#[test]
fn clocks_go_up_and_back() {
    let mut b = Build::default();
    let (a, c) = (b.node(0), b.node(0));
    let (d, e) = (b.node(1), b.node(1));
    let mut clocks = clocks::Clocks::of_unconditional(&b.problem).unwrap();
    assert!(clocks.precedes(a, c) && !clocks.precedes(c, a) && !clocks.precedes(a, a) && !clocks.precedes(a, e));
    let mark = clocks.mark();
    assert_eq!(clocks.add_edge(c, d), Ok(()));
    assert!(clocks.precedes(a, e) && clocks.precedes(c, d));
    assert_eq!(clocks.raises(), 2, "for d and e");
    assert_eq!(clocks.add_edge(e, a), Err(clocks::Cycle));
    assert_eq!(clocks.add_edge(e, e), Err(clocks::Cycle));
    clocks.undo_to(mark);
    assert!(!clocks.precedes(a, e));
    assert_eq!(clocks.add_edge(e, a), Ok(()));
    assert!(clocks.precedes(d, c));
}
