//! The lines of a long story on the terminal.
//!
//! A story of up to [`MOST`] steps has a line for each. A longer one is folded, as little as is enough, in this order:
//! - a loop that one thread repeats is told by its first and its last iteration, with the number of those between;
//! - neighbours of one function that only compute, or only decide, on values of their own thread share a line as long as all their values fit on it;
//! - the lines farthest from the violation become one that says how many steps of which kind it stands for. Where threads alternate, the first and the last line of each
//!   stretch stay as long as possible.

use crate::story::{AccessKind, Step, Story};
use rustc_hash::FxHashMap;

/// Longer stories are folded.
pub const MOST: usize = 25;
/// Lines that stay: at the beginning, and at the end.
const FIRST: usize = 3;
const LAST: usize = 12;
/// Longer bodies of loops are not looked for.
const MOST_PERIOD: usize = 120;
/// Of a longer story, the beginning is left out before loops are looked for.
const MOST_LOOKED_AT: usize = 5_000;

/// A line, by the numbers of its steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A step, or several that share a line.
    Steps(Vec<usize>),
    /// Further iterations of the loop that the lines before it tell.
    Again { times: usize, steps: Vec<usize> },
    /// Steps that are left out.
    Left(Vec<usize>),
}

impl Line {
    pub fn steps(&self) -> &[usize] {
        match self {
            Line::Steps(steps) | Line::Again { steps, .. } | Line::Left(steps) => steps,
        }
    }
}

/// The lines of the steps that are shown. `fits`: do steps fit on one line together?
pub fn fold(story: &Story, shown: &[usize], fits: &dyn Fn(&[usize]) -> bool) -> Vec<Line> {
    let (early, late) = shown.split_at(shown.len().saturating_sub(MOST_LOOKED_AT));
    let mut lines: Vec<Line> = Vec::new();
    if !early.is_empty() {
        lines.push(Line::Left(early.to_vec()));
    }
    lines.extend(late.iter().map(|step| Line::Steps(vec![*step])));
    // Loops in loops: the inner ones first.
    while lines.len() > MOST {
        let shorter = without_iterations(story, &lines);
        if shorter.len() == lines.len() {
            break;
        }
        lines = shorter;
    }
    if lines.len() > MOST {
        lines = shared(story, lines, fits);
    }
    if lines.len() > MOST {
        lines = without_farthest(story, lines);
    }
    lines
}

// ---- loops ----

/// What makes lines of two iterations the same: whether it is one step, and thread, function and place of the steps.
type Key<'a> = (bool, Vec<(u32, &'a str, u32)>);

fn keys(story: &Story, lines: &[Line]) -> Vec<u32> {
    let mut known: FxHashMap<Key, u32> = FxHashMap::default();
    let key_of = |line: &Line| {
        let places = line.steps().iter().filter_map(|number| story.step(*number));
        let mut places: Vec<_> = places.map(|step| (step.thread, step.function.as_str(), step.place.line)).collect();
        let is_single = matches!(line, Line::Steps(_));
        if !is_single {
            places.sort_unstable();
            places.dedup();
        }
        let next = known.len() as u32;
        *known.entry((is_single, places)).or_insert(next)
    };
    lines.iter().map(key_of).collect()
}

fn without_iterations(story: &Story, lines: &[Line]) -> Vec<Line> {
    let keys = keys(story, lines);
    let threads: Vec<Option<u32>> = lines.iter().map(|line| thread(story, line)).collect();
    let mut folded = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        match repetition(&keys[at..], &threads[at..]) {
            Some((period, times)) => {
                let (last, end) = (at + period * (times - 1), at + period * times);
                let middle = lines[at + period..last].iter().flat_map(Line::steps).copied();
                folded.extend_from_slice(&lines[at..at + period]);
                folded.push(Line::Again { times: times - 2, steps: middle.collect() });
                folded.extend_from_slice(&lines[last..end]);
                at = end;
            }
            None => {
                folded.push(lines[at].clone());
                at += 1;
            }
        }
    }
    folded
}

/// The shortest period with which the beginning repeats itself within one thread, and how often, if folding that makes it shorter.
fn repetition(keys: &[u32], threads: &[Option<u32>]) -> Option<(usize, usize)> {
    let own = threads.iter().take_while(|thread| **thread == threads[0]).count();
    let keys = &keys[..own];
    (1..=MOST_PERIOD.min(own / 3)).find_map(|period| {
        let body = &keys[..period];
        let times = keys.chunks_exact(period).take_while(|other| *other == body).count();
        (times >= 3 && (times - 2) * period > 1).then_some((period, times))
    })
}

fn thread(story: &Story, line: &Line) -> Option<u32> {
    story.step(*line.steps().first()?).map(|step| step.thread)
}

// ---- lines that are shared ----

#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Decides,
    Computes,
    Starts,
}

/// What a step does, if it is of a kind that shares lines.
fn work(story: &Story, step: &Step) -> Option<Work> {
    let mut notes = step.notes.iter().peekable();
    if notes.peek().is_some() && notes.clone().all(|note| note.starts_with("starts thread")) {
        return Some(Work::Starts);
    }
    let needed = || step.accesses.iter().filter(|access| access.needed);
    let is_own = |number: usize| story.step(number).is_none_or(|from| from.thread == step.thread);
    if !notes.all(|note| note.contains(" gives ")) || !needed().all(|access| access.from.is_none_or(is_own)) {
        return None;
    }
    match (needed().next(), needed().any(|access| access.kind == AccessKind::Write)) {
        (None, _) => None,
        (_, true) => Some(Work::Computes),
        (_, false) => Some(Work::Decides),
    }
}

fn shared(story: &Story, lines: Vec<Line>, fits: &dyn Fn(&[usize]) -> bool) -> Vec<Line> {
    let last = lines.len().saturating_sub(1);
    let mut all: Vec<Line> = Vec::new();
    for (at, line) in lines.into_iter().enumerate() {
        if let (Line::Steps(new), Some(Line::Steps(open))) = (&line, all.last_mut())
            && at < last
            && let (Some(a), Some(b)) = (story.step(open[0]), story.step(new[0]))
            && (a.thread, &a.function, &a.place.file) == (b.thread, &b.function, &b.place.file)
            && work(story, a).is_some_and(|kind| Some(kind) == work(story, b))
            && fits(&[open.as_slice(), new].concat())
        {
            open.extend(new);
            continue;
        }
        all.push(line);
    }
    all
}

// ---- lines that are left out ----

fn without_farthest(story: &Story, lines: Vec<Line>) -> Vec<Line> {
    let threads: Vec<Option<u32>> = lines.iter().map(|line| thread(story, line)).collect();
    let inner = FIRST..lines.len().saturating_sub(LAST);
    let is_edge = |at: usize| threads[at] != threads[at - 1] || threads[at] != threads[at + 1];
    let mut left = vec![false; lines.len()];
    for edges in [false, true] {
        for at in inner.clone() {
            if edges || !is_edge(at) {
                left[at] = true;
                if count(&left) <= MOST {
                    return folded(lines, &left);
                }
            }
        }
    }
    folded(lines, &left)
}

/// How many lines there are if some are left out: neighbours become one.
fn count(left: &[bool]) -> usize {
    left.chunk_by(|a, b| *a && *b).count()
}

fn folded(lines: Vec<Line>, left: &[bool]) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::new();
    for (line, left) in lines.into_iter().zip(left) {
        match (left, all.last_mut()) {
            (true, Some(Line::Left(open))) => open.extend(line.steps()),
            (true, _) => all.push(Line::Left(line.steps().to_vec())),
            (false, _) => all.push(line),
        }
    }
    // One step is told as shortly as left out.
    let unfold = |line| match line {
        Line::Left(steps) if steps.len() == 1 => Line::Steps(steps),
        line => line,
    };
    all.into_iter().map(unfold).collect()
}

/// How many steps of which kind there are: "12 assignments, 3 conditions".
pub fn kinds(story: &Story, steps: &[usize]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for step in steps.iter().filter_map(|number| story.step(*number)) {
        let kind = kind(step);
        match counts.iter_mut().find(|(of, _)| *of == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let words = counts.iter().map(|(kind, count)| match count {
        1 => format!("1 {kind}"),
        count => format!("{count} {kind}s"),
    });
    words.collect::<Vec<_>>().join(", ")
}

fn kind(step: &Step) -> &'static str {
    const KINDS: [(&str, &str); 8] = [
        ("starts thread", "thread start"),
        ("joins thread", "join"),
        ("locks ", "lock"),
        ("unlocks ", "unlock"),
        ("calls ", "call"),
        ("allocates ", "allocation"),
        ("frees ", "deallocation"),
        (" gives ", "input"),
    ];
    let noted = KINDS.iter().find(|(words, _)| step.notes.iter().any(|note| note.contains(words)));
    match noted {
        Some((_, kind)) => kind,
        None if step.accesses.iter().any(|access| access.kind == AccessKind::Write) => "assignment",
        None if step.notes.iter().any(|note| note.contains(" returns ")) => "return",
        None if !step.accesses.is_empty() => "condition",
        None => "other step",
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, MOST, fold, kinds};
    use crate::story::{Access, AccessKind, Place, Step, Story};

    /// A step of a thread at a line; `from` is where it reads from.
    fn step(thread: u32, line: u32, kind: AccessKind, from: Option<usize>) -> Step {
        let access =
            Access { kind, name: "x".into(), value: "1".into(), from, initial: false, cell: None, needed: true };
        Step {
            thread,
            function: "f".into(),
            place: Place { file: "a.c".into(), line, column: 1 },
            source: "x".into(),
            needed: true,
            locks: Vec::new(),
            accesses: vec![access],
            notes: Vec::new(),
        }
    }

    fn story(steps: Vec<Step>) -> Story {
        let (violation, place) = ("the error function is called".into(), Place::default());
        let (threads, inputs) = (Vec::new(), Vec::new());
        Story { violation, place, threads, inputs, steps, omitted: 0, switches: 0, switches_as_found: 0 }
    }

    fn folded(steps: Vec<Step>, most_on_line: usize) -> (Story, Vec<Line>) {
        let story = story(steps);
        let shown: Vec<usize> = (1..=story.steps.len()).collect();
        let lines = fold(&story, &shown, &|steps| steps.len() <= most_on_line);
        let told: Vec<usize> = lines.iter().flat_map(Line::steps).copied().collect();
        assert_eq!(told, shown, "every step is in a line, in order");
        (story, lines)
    }

    #[test]
    fn short_stories_have_a_line_for_each_step() {
        let (_, lines) = folded((0..MOST as u32).map(|_| step(0, 1, AccessKind::Write, None)).collect(), 9);
        assert_eq!(lines.len(), MOST);
    }

    #[test]
    fn loops_in_loops_are_told_by_their_first_and_last_iterations() {
        let inner = |n: u32| (0..n).flat_map(|_| [2, 3]).chain([4]);
        let lines_of = [5, 7, 6, 9].into_iter().flat_map(|n| [1].into_iter().chain(inner(n)));
        let (_, lines) = folded(lines_of.map(|line| step(0, line, AccessKind::Write, None)).collect(), 1);
        let again = lines.iter().filter_map(|line| match line {
            Line::Again { times, .. } => Some(*times),
            _ => None,
        });
        let again: Vec<usize> = again.collect();
        assert_eq!((lines.len(), again), (15, vec![3, 2, 7]));
    }

    #[test]
    fn other_threads_end_a_loop() {
        let steps = (0..40).map(|at| step(at / 2 % 2, 1 + at % 2, AccessKind::Write, None)).collect();
        let (_, lines) = folded(steps, 1);
        assert!(!lines.iter().any(|line| matches!(line, Line::Again { .. })));
    }

    /// Lines that differ are shared while they fit, but not with a step that reads what another thread wrote.
    #[test]
    fn neighbours_share_lines() {
        let mut steps: Vec<Step> = (0..30).map(|line| step(0, line, AccessKind::Write, None)).collect();
        steps[0].thread = 1;
        steps[14].accesses[0] = step(0, 0, AccessKind::Read, Some(1)).accesses[0].clone();
        let (_, lines) = folded(steps, 5);
        let lengths: Vec<usize> = lines.iter().map(|line| line.steps().len()).collect();
        assert_eq!(lengths, [1, 5, 5, 3, 1, 5, 5, 4, 1]);
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let kind_of = |line: u32| if line.is_multiple_of(3) { AccessKind::Read } else { AccessKind::Write };
        let (story, lines) = folded((1..=60).map(|line| step(0, line, kind_of(line), None)).collect(), 1);
        let left: Vec<&Line> = lines.iter().filter(|line| matches!(line, Line::Left(_))).collect();
        assert_eq!((lines.len(), left.len()), (MOST, 1));
        assert_eq!(kinds(&story, left[0].steps()), "24 assignments, 12 conditions");
    }

    /// The ends of stretches of threads stay.
    #[test]
    fn switches_are_not_left_out() {
        let (story, lines) = folded((0..60).map(|at| step(at / 12, at, AccessKind::Write, None)).collect(), 1);
        assert_eq!(lines.len(), MOST);
        for line in lines.iter().filter(|line| matches!(line, Line::Left(_))) {
            let threads = line.steps().iter().filter_map(|number| story.step(*number)).map(|step| step.thread);
            let mut threads: Vec<u32> = threads.collect();
            threads.dedup();
            assert_eq!(threads.len(), 1);
        }
    }
}
