//! Which tasks of a set are run, and in which order.

use super::Task;
use regex_lite::Regex;

#[derive(Default, Debug)]
pub struct Selection {
    pub property: String,
    pub category: Option<Regex>,
    pub name: Option<Regex>,
    /// The seed of the order.
    pub shuffle: Option<u64>,
    pub limit: Option<usize>,
}

/// The tasks to run, and how many were left out because they have another property.
pub fn select(tasks: Vec<Task>, selection: &Selection) -> (Vec<Task>, usize) {
    let fits = |pattern: &Option<Regex>, text: &str| pattern.as_ref().is_none_or(|p| p.is_match(text));
    let before = tasks.len();
    let mut tasks: Vec<Task> = tasks.into_iter().filter(|t| t.property == selection.property).collect();
    let left_out = before - tasks.len();
    tasks.retain(|t| fits(&selection.name, &t.name) && fits(&selection.category, t.category.as_deref().unwrap_or("")));
    if let Some(seed) = selection.shuffle {
        shuffle(&mut tasks, seed);
    }
    tasks.truncate(selection.limit.unwrap_or(usize::MAX));
    (tasks, left_out)
}

/// Every `of`-th task, beginning with the `part`-th, counted from 1.
pub fn shard(tasks: Vec<Task>, (part, of): (usize, usize)) -> Vec<Task> {
    tasks.into_iter().skip(part.saturating_sub(1)).step_by(of.max(1)).collect()
}

/// How many of so many tasks the shard has.
pub fn shard_size(tasks: usize, (part, of): (usize, usize)) -> usize {
    tasks.saturating_sub(part.saturating_sub(1)).div_ceil(of.max(1))
}

/// Of names, properties and verdicts in their order (FNV-1a, 64 bits): the same in every process and on every machine.
pub fn hash(tasks: &[Task]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |bytes: &[u8]| {
        for byte in bytes.iter().chain(&[0]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for task in tasks {
        add(task.name.as_bytes());
        add(task.property.as_bytes());
        add(match task.expected {
            Some(true) => b"true",
            Some(false) => b"false",
            None => b"?",
        });
    }
    format!("{hash:016x}")
}

/// Fisher and Yates, with the splitmix64 generator: the same order on every machine.
fn shuffle(tasks: &mut [Task], seed: u64) {
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    for i in (1..tasks.len()).rev() {
        tasks.swap(i, (random() % (i as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(n: usize) -> Vec<Task> {
        let task = |i| Task {
            name: format!("t{i}"),
            position: i,
            definition: None,
            files: vec![],
            property: if i % 5 == 4 { "termination" } else { "unreach-call" }.into(),
            property_file: Default::default(),
            expected: Some(true),
            data_model: None,
            category: Some(if i % 2 == 0 { "Even" } else { "Odd" }.into()),
        };
        (0..n).map(task).collect()
    }

    fn names(tasks: &[Task]) -> Vec<&str> {
        tasks.iter().map(|t| t.name.as_str()).collect()
    }

    fn selection() -> Selection {
        Selection { property: "unreach-call".into(), ..Selection::default() }
    }

    #[test]
    fn by_property_category_name_and_number() {
        let (all, left_out) = select(tasks(10), &selection());
        assert_eq!((all.len(), left_out), (8, 2));
        let even = Selection { category: Some(Regex::new("^Ev").unwrap()), limit: Some(2), ..selection() };
        assert_eq!(names(&select(tasks(10), &even).0), ["t0", "t2"]);
        let named = Selection { name: Some(Regex::new("[13]$").unwrap()), ..selection() };
        assert_eq!(names(&select(tasks(10), &named).0), ["t1", "t3"]);
    }

    #[test]
    fn shuffling_is_repeatable_and_loses_nothing() {
        let shuffled = |seed| select(tasks(50), &Selection { shuffle: Some(seed), ..selection() }).0;
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        let (mut sorted, (mut all, _)) = (shuffled(7), select(tasks(50), &selection()));
        sorted.sort_by(|a, b| a.name.cmp(&b.name));
        all.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(sorted, all);
    }

    #[test]
    fn shards_are_a_partition() {
        for n in [0, 1, 7, 12] {
            let mut all = Vec::new();
            for part in 1..=5 {
                let tasks = shard(tasks(n), (part, 5));
                assert_eq!(tasks.len(), shard_size(n, (part, 5)));
                all.extend(tasks);
            }
            all.sort_by_key(|t| t.name[1..].parse::<usize>().unwrap());
            assert_eq!(all, tasks(n));
        }
    }

    #[test]
    fn the_hash_tells_verdicts_and_order_apart() {
        let (a, mut b) = (tasks(3), tasks(3));
        assert_eq!(hash(&a), hash(&b));
        b[1].expected = None;
        assert_ne!(hash(&a), hash(&b));
        b = a.iter().rev().cloned().collect();
        assert_ne!(hash(&a), hash(&b));
    }
}
