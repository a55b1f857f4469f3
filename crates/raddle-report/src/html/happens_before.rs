//! The happens-before order of a story, for a Hasse diagram.
//!
//! Events are the steps with accesses to shared memory that the violation depends on, and the steps that start threads. The order is the transitive closure of
//! - *program order*: the steps of a thread, and the step that starts a thread before its first step;
//! - *read-from*: a write before the reads that take its value;
//! - *write order*: writes to overlapping cells, in the order of the execution;
//! - *from-read*: a read before the writes that replace the value it took.
//!
//! The diagram shows the transitive reduction: an edge that others imply is left out. Of a long story the events are chosen that other threads' events are ordered with, the last ones first;
//! an edge between two chosen events whose order comes through events that are not shown is of the kind `implied`.
//!
//! A weak memory model lets a read take a value that an earlier step has replaced already. Its from-read edge points against the order of the steps. Such edges
//! are kept apart (`against`): they are shown, and are no part of the order.

use crate::{Access, AccessKind, Cell, Story};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// So many events are shown.
const MOST_SHOWN: usize = 60;
/// So many are ordered, the last ones: the closure takes the square of it in bits.
const MOST_ORDERED: usize = 4000;

#[derive(Serialize, PartialEq, Debug)]
pub struct Order {
    /// The threads that have events.
    pub lanes: Vec<u32>,
    /// In the order of the execution.
    pub events: Vec<Event>,
    pub edges: Vec<Edge>,
    /// Events that are not shown.
    pub left_out: usize,
}

#[derive(Serialize, PartialEq, Debug)]
pub struct Event {
    pub step: usize,
    pub lane: usize,
    /// The longest chain of events before it.
    pub layer: usize,
}

#[derive(Serialize, PartialEq, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The first one gives it its colour.
    pub kinds: Vec<Kind>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub against: bool,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    ProgramOrder,
    ReadFrom,
    FromRead,
    WriteOrder,
    Start,
    Implied,
}

/// None: there is nothing to order.
pub fn order(story: &Story) -> Option<Order> {
    let starts: FxHashSet<usize> = story.threads.iter().filter_map(|thread| thread.started_by).collect();
    let is_event = |number: &usize| {
        let step = &story.steps[number - 1];
        starts.contains(number)
            || step.needed && step.accesses.iter().any(|access| access.needed && access.cell.is_some())
    };
    let mut events: Vec<usize> = (1..=story.steps.len()).filter(is_event).collect();
    let all = events.len();
    events.drain(..all.saturating_sub(MOST_ORDERED));
    let (relation, against) = relations(story, &events);
    let before = closure(events.len(), &relation);
    let chosen = choose(story, &events, &relation);
    if chosen.is_empty() {
        return None;
    }
    let mut edges = reduction(story, &events, &chosen, &before, &relation);
    let layers = layers(chosen.len(), &edges);
    let position = |event: &usize| chosen.iter().position(|c| c == event);
    edges.extend(against.iter().filter_map(|(from, to)| {
        Some(Edge { from: position(from)?, to: position(to)?, kinds: vec![Kind::FromRead], against: true })
    }));
    let thread = |event: usize| story.steps[events[event] - 1].thread;
    let mut lanes: Vec<u32> = chosen.iter().map(|&event| thread(event)).collect();
    lanes.sort_unstable();
    lanes.dedup();
    let shown = chosen.iter().zip(layers).map(|(&event, layer)| {
        let lane = lanes.iter().position(|lane| *lane == thread(event)).unwrap_or(0);
        Event { step: events[event], lane, layer }
    });
    Some(Order { events: shown.collect(), left_out: all - chosen.len(), lanes, edges })
}

/// Pairs of positions in the list of events, the first before the second.
type Relation = FxHashMap<(usize, usize), Vec<Kind>>;

/// The relations whose closure is the order, and the from-read edges against the order of steps.
fn relations(story: &Story, events: &[usize]) -> (Relation, Vec<(usize, usize)>) {
    let mut relation = Relation::default();
    let mut against = Vec::new();
    let mut add = |from: usize, to: usize, kind: Kind| {
        if from < to {
            let kinds = relation.entry((from, to)).or_default();
            if !kinds.contains(&kind) {
                kinds.push(kind);
                kinds.sort_unstable();
            }
        }
    };
    program_order(story, events, &mut add);
    let position: FxHashMap<usize, usize> = events.iter().enumerate().map(|(at, step)| (*step, at)).collect();
    // Writes and reads of each object, with their events.
    let mut writes: FxHashMap<u64, Vec<(usize, Cell)>> = FxHashMap::default();
    let mut reads: Vec<(usize, Cell, Option<usize>)> = Vec::new();
    for (at, step) in events.iter().enumerate() {
        for Access { kind, cell, from, initial, .. } in &story.steps[step - 1].accesses {
            let Some(cell) = *cell else { continue };
            match kind {
                AccessKind::Write => {
                    let earlier = writes.entry(cell.object).or_default();
                    if let Some((last, _)) = earlier.iter().rev().find(|(_, other)| overlap(cell, *other)) {
                        add(*last, at, Kind::WriteOrder);
                    }
                    earlier.push((at, cell));
                }
                AccessKind::Read => {
                    let source = from.and_then(|from| position.get(&from).copied());
                    if let Some(source) = source {
                        add(source, at, Kind::ReadFrom);
                    }
                    // A value from a step that is no event: what replaces it comes after this step.
                    reads.push((at, cell, source.or((!initial).then_some(at))));
                }
            }
        }
    }
    for (at, cell, source) in reads {
        let of_object = writes.get(&cell.object).map_or(&[][..], Vec::as_slice);
        let begin = source.map_or(0, |source| of_object.partition_point(|(write, _)| *write <= source));
        let next = of_object[begin..].iter().find(|(_, other)| overlap(cell, *other));
        match next {
            Some((write, _)) if *write > at => add(at, *write, Kind::FromRead),
            Some((write, _)) if *write < at => against.push((at, *write)),
            // The step itself replaces it.
            _ => {}
        }
    }
    against.sort_unstable();
    against.dedup();
    (relation, against)
}

fn program_order(story: &Story, events: &[usize], add: &mut impl FnMut(usize, usize, Kind)) {
    let mut last: FxHashMap<u32, usize> = FxHashMap::default();
    for (at, step) in events.iter().enumerate() {
        let thread = story.steps[step - 1].thread;
        match last.insert(thread, at) {
            Some(before) => add(before, at, Kind::ProgramOrder),
            None => {
                let started = story.threads.get(thread as usize).and_then(|thread| thread.started_by);
                if let Some(start) = started.and_then(|step| events.binary_search(&step).ok()) {
                    add(start, at, Kind::Start);
                }
            }
        }
    }
}

fn overlap(a: Cell, b: Cell) -> bool {
    let end = |cell: Cell| cell.offset.saturating_add(cell.size);
    a.object == b.object && a.offset < end(b) && b.offset < end(a)
}

/// Row `e` has the bits of the events before `e`.
struct Before {
    words: usize,
    bits: Vec<u64>,
}

impl Before {
    fn holds(&self, from: usize, to: usize) -> bool {
        self.bits[to * self.words + from / 64] >> (from % 64) & 1 == 1
    }
}

fn closure(events: usize, relation: &Relation) -> Before {
    let words = events.div_ceil(64);
    let mut before = Before { words, bits: vec![0; words * events] };
    let mut pairs: Vec<(usize, usize)> = relation.keys().map(|(from, to)| (*to, *from)).collect();
    pairs.sort_unstable();
    for (to, from) in pairs {
        let (earlier, row) = before.bits.split_at_mut(to * words);
        for (word, other) in row[..words].iter_mut().zip(&earlier[from * words..(from + 1) * words]) {
            *word |= other;
        }
        row[from / 64] |= 1 << (from % 64);
    }
    before
}

/// Of too many events, those that are related to another thread's event, the last ones; if there is room, the last of the others.
fn choose(story: &Story, events: &[usize], relation: &Relation) -> Vec<usize> {
    if events.len() <= MOST_SHOWN {
        return (0..events.len()).collect();
    }
    let thread = |event: usize| story.steps[events[event] - 1].thread;
    let crossing = relation.keys().filter(|(from, to)| thread(*from) != thread(*to));
    let crossing: FxHashSet<usize> = crossing.flat_map(|(from, to)| [*from, *to]).collect();
    let mut ranked: Vec<usize> = (0..events.len()).collect();
    ranked.sort_by_key(|event| (!crossing.contains(event), std::cmp::Reverse(*event)));
    ranked.truncate(MOST_SHOWN);
    ranked.sort_unstable();
    ranked
}

/// The edges of the order between chosen events that no third chosen event implies.
fn reduction(story: &Story, events: &[usize], chosen: &[usize], before: &Before, relation: &Relation) -> Vec<Edge> {
    let thread = |event: usize| story.steps[events[event] - 1].thread;
    let mut edges = Vec::new();
    for (to, &later) in chosen.iter().enumerate() {
        for (from, &earlier) in chosen[..to].iter().enumerate() {
            let between = |middle: &usize| before.holds(earlier, *middle) && before.holds(*middle, later);
            if !before.holds(earlier, later) || chosen[from + 1..to].iter().any(between) {
                continue;
            }
            let kinds = match relation.get(&(earlier, later)) {
                Some(kinds) => kinds.clone(),
                None if thread(earlier) == thread(later) => vec![Kind::ProgramOrder],
                None => vec![Kind::Implied],
            };
            edges.push(Edge { from, to, kinds, against: false });
        }
    }
    edges
}

fn layers(events: usize, edges: &[Edge]) -> Vec<usize> {
    let mut layers = vec![0; events];
    // Edges are sorted by their later event, and all go forward.
    for edge in edges {
        layers[edge.to] = layers[edge.to].max(layers[edge.from] + 1);
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Place, Step, Thread};

    /// A story from lines such as `1 W x 5`, `0 R x 5 <2`, `0 start 1`; `x` is a cell of its own, and so are `y` and `z`.
    fn story(text: &str) -> Story {
        let mut threads = vec![Thread { function: "main".into(), started_by: None }];
        let mut steps = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let mut accesses = Vec::new();
            if words[1] == "start" {
                threads.push(Thread { function: "f".into(), started_by: Some(steps.len() + 1) });
            }
            for access in words[1..].split(|word| *word == "+").filter(|access| access[0] != "start") {
                let object = u64::from(access[1].as_bytes()[0]);
                accesses.push(Access {
                    kind: if access[0] == "R" { AccessKind::Read } else { AccessKind::Write },
                    name: access[1].into(),
                    value: access[2].into(),
                    from: access.get(3).and_then(|from| from.strip_prefix('<')?.parse().ok()),
                    initial: false,
                    cell: Some(Cell { object, offset: 0, size: 4 }),
                    initial: access[0] == "R" && access.len() == 3,
                    needed: true,
                });
            }
            steps.push(Step {
                thread: words[0].parse().unwrap(),
                function: "f".into(),
                place: Place::default(),
                source: String::new(),
                needed: true,
                locks: Vec::new(),
                accesses,
                notes: Vec::new(),
            });
        }
        let (violation, place, inputs) = (String::new(), Place::default(), Vec::new());
        Story { violation, place, threads, inputs, steps, omitted: 0, switches: 0, switches_as_found: 0 }
    }

    fn edges(order: &Order) -> Vec<String> {
        let name = |edge: &Edge| {
            let kinds: Vec<_> = edge.kinds.iter().map(|kind| format!("{kind:?}")).collect();
            let [from, to] = [edge.from, edge.to].map(|event| order.events[event].step);
            format!("{from}-{to} {}{}", kinds.join(" "), if edge.against { " against" } else { "" })
        };
        order.edges.iter().map(name).collect()
    }

    #[test]
    fn a_lost_update() {
        let order = order(&story(
            "0 start 1
             0 start 2
             1 R x 0
             2 R x 0
             2 W x 1
             1 W x 1
             0 R x 1 <6",
        ));
        let order = order.unwrap();
        assert_eq!(order.lanes, [0, 1, 2]);
        assert_eq!(
            edges(&order),
            [
                "1-2 ProgramOrder",
                "1-3 Start",
                "2-4 Start",
                "3-5 FromRead",
                "4-5 ProgramOrder FromRead",
                "5-6 WriteOrder",
                "6-7 ReadFrom",
            ]
        );
        let layers: Vec<usize> = order.events.iter().map(|event| event.layer).collect();
        assert_eq!(layers, [0, 1, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn reads_and_writes_in_one_step() {
        let order = order(&story("0 start 1\n0 R x 0 + W x 1\n1 R x 1 <2 + W x 2")).unwrap();
        assert_eq!(edges(&order), ["1-2 ProgramOrder", "2-3 ReadFrom WriteOrder"]);
    }

    #[test]
    fn a_value_that_is_passed_on() {
        let order = order(&story("0 start 1\n0 W x 1\n1 R x 1 <2 + W x 2\n0 R x 2 <3")).unwrap();
        assert_eq!(edges(&order), ["1-2 ProgramOrder", "2-3 ReadFrom WriteOrder", "3-4 ReadFrom"]);
    }

    #[test]
    fn a_weak_memory_model() {
        let order = order(&story("0 start 1\n0 W x 1\n1 W y 1\n0 R y 0\n1 R x 0")).unwrap();
        assert!(edges(&order).contains(&"4-3 FromRead against".into()));
        assert!(edges(&order).contains(&"5-2 FromRead against".into()));
    }

    #[test]
    fn of_many_events_those_remain_that_order_threads() {
        let mut text = String::from("0 start 1\n");
        for _ in 0..100 {
            text.push_str("0 W z 1\n");
        }
        text.push_str("0 W x 1\n1 R x 1 <102\n");
        for _ in 0..100 {
            text.push_str("1 W y 1\n");
        }
        let order = order(&story(&text)).unwrap();
        assert_eq!((order.events.len(), order.left_out), (MOST_SHOWN, 203 - MOST_SHOWN));
        assert!(edges(&order).contains(&"102-103 ReadFrom".into()));
        assert!(order.edges.iter().all(|edge| order.events[edge.from].layer < order.events[edge.to].layer));
    }
}
