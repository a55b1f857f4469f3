//! Events of executions.

use raddle_interp::execution::What;
use raddle_interp::{Action, Schedule, ScheduleStep, record};
use raddle_ir::{EdgeId, Label, MemoryModel};
use raddle_testing::statements::*;

/// A schedule may leave out that a thread ends. The join that waits for it is taken twice then, with the condition before it, and recorded once.
#[test]
fn a_condition_before_a_join_that_waits() {
    let mut b = Builder::new();
    let thread = b.begin("thread");
    b.end();
    b.begin("main");
    let handle = b.start(thread);
    let t = b.local("t");
    let one = b.int(1);
    b.assign(t, one);
    let (here, joined, other) = (b.here(), b.location(), b.location());
    let (is_one, handle) = (b.is(t, 1), b.get(handle));
    let is_other = b.not(is_one);
    b.edge(here, joined, vec![Label::Assume(is_one), Label::Join { handle, var: None }]);
    b.edge(here, other, vec![Label::Assume(is_other)]);
    b.at(joined);
    b.error();
    b.end();
    let steps = [(0, 0), (1, 0), (0, 1), (0, 2), (0, 4)];
    let steps = steps.map(|(thread, edge)| ScheduleStep::of(thread, Action::Edge(EdgeId(edge))));
    let schedule = Schedule { steps: steps.into(), memory_model: MemoryModel::Sc };
    let (end, execution) = record(&b.program, &schedule);
    assert!(end.is_error(), "{end:?}");
    let events: Vec<&What> = execution.events.iter().map(|event| &event.what).collect();
    let join = events.iter().position(|what| matches!(what, What::Join { .. })).expect("it joins");
    let branches = events.iter().filter(|what| matches!(what, What::Branch { .. })).count();
    assert!(matches!(events[join - 1], What::Branch { .. }) && branches == 1, "{events:?}");
    let needs = execution.needs(&execution.events[join]);
    assert!(needs.contains(&(join as u32 - 1)), "the join depends on the condition: {needs:?}, {events:?}");
}
