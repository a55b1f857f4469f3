//! `raddle suite merge`: the files of all shards of one run become one file.

use crate::error::{Result, bail};
use crate::record::{Header, Record};
use crate::results::{self, Results, differences};
use crate::tasks::shard_size;
use crate::{DONE, console, table};
use clap::Args;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct MergeArgs {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The files of all shards
    #[arg(value_name = "SHARD", required = true)]
    pub shards: Vec<PathBuf>,
}

pub fn run(args: &MergeArgs) -> Result<u8> {
    merge_files(&args.shards, &args.output)?;
    Ok(DONE)
}

/// Writes the whole, and prints its table.
pub fn merge_files(paths: &[PathBuf], output: &Path) -> Result<Results> {
    let shards = paths.iter().map(|path| Ok((path.as_path(), results::read(path)?)));
    let merged = merge(&shards.collect::<Result<Vec<_>>>()?)?;
    results::write(output, &merged)?;
    console::print(&table::table(&merged.header, &merged.records))?;
    Ok(merged)
}

/// How many records a whole file with this header has.
pub fn expected_records(header: &Header) -> usize {
    let tasks = header.shard.map_or(header.tasks, |shard| shard_size(header.tasks, shard));
    tasks.saturating_mul(header.configurations.len())
}

/// Missing shards that are named.
const NAMED: usize = 10;

/// All of it in the order of the set. Runs end in any order, and a shuffled order is only a means.
fn merge(shards: &[(&Path, Results)]) -> Result<Results> {
    let Some(((first, Results { header, .. }), _)) = shards.split_first() else { bail!("there is nothing to merge") };
    let Some((_, of)) = header.shard else { bail!("{} is no shard, but a whole run", first.display()) };
    // No vector: the number comes from a file, and may be anything.
    let mut places: BTreeMap<usize, &Path> = BTreeMap::new();
    let mut seen: HashMap<(&str, &str, &str), &Path> = HashMap::new();
    for (path, results) in shards {
        let shown = path.display();
        // Foreign shards.
        let Some((part, parts)) = results.header.shard else { bail!("{shown} is no shard, but a whole run") };
        if parts != of {
            bail!("{} is one of {of} shards, {shown} one of {parts}", first.display());
        }
        let same_place = Header { shard: header.shard, ..results.header.clone() };
        let differences = differences(header, &same_place);
        if !differences.is_empty() {
            let (first, differences) = (first.display(), differences.join("; "));
            bail!("{first} (there) and {shown} (here) are of different runs: {differences}");
        }
        // Overlapping ones.
        if !(1..=of).contains(&part) {
            bail!("{shown} is shard {part} of {of}, which cannot be");
        }
        if let Some(other) = places.insert(part, path) {
            bail!("{} and {shown} are both shard {part}/{of}", other.display());
        }
        for record in &results.records {
            let Record { task, property, configuration, .. } = record;
            if let Some(other) = seen.insert((task, property, configuration), path) {
                bail!("{task} ({property}, {configuration}) is in {} and in {shown}", other.display());
            }
        }
        // Incomplete ones.
        let (there, expected) = (results.records.len(), expected_records(&results.header));
        if there != expected {
            bail!("{shown} has {there} records of {expected}: finish it with --resume");
        }
    }
    if places.len() < of {
        let missing = (1..=of).filter(|part| !places.contains_key(part)).map(|part| format!("{part}/{of}"));
        let named: Vec<_> = missing.take(NAMED).collect();
        let more = of - places.len() - named.len();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        bail!("shards are missing: {}{more}", named.join(", "));
    }
    let configuration = |r: &Record| header.configurations.iter().position(|(name, _)| *name == r.configuration);
    // Files that were written without positions are in the order of names.
    let place = |r: &Record| (r.position, r.task.clone(), r.property.clone(), configuration(r));
    let mut records: Vec<Record> = shards.iter().flat_map(|(_, results)| &results.records).cloned().collect();
    records.sort_by_cached_key(place);
    Ok(Results { header: Header { shard: None, ..header.clone() }, records })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::record::Answer;
    use crate::results::tests::{header, record};

    /// Tasks a, b, c in two shards.
    fn shards() -> Vec<(&'static Path, Results)> {
        let shard = |part, names: &[&str]| Results {
            header: Header { shard: Some((part, 2)), ..header() },
            records: names.iter().map(|n| record(n, None, Answer::True)).collect(),
        };
        vec![(Path::new("one"), shard(1, &["c", "a"])), (Path::new("two"), shard(2, &["b"]))]
    }

    fn error_of(change: impl FnOnce(&mut Vec<(&'static Path, Results)>)) -> String {
        let mut shards = shards();
        change(&mut shards);
        let Error(message) = merge(&shards).unwrap_err();
        message
    }

    #[test]
    fn whole_and_in_order() {
        let merged = merge(&shards()).unwrap();
        assert_eq!(merged.header, header());
        assert_eq!(merged.records.iter().map(|r| r.task.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn the_order_of_the_set_is_restored() {
        let mut shards = shards();
        // The set is b, c, a.
        shards[0].1.records[0].position = 1;
        shards[0].1.records[1].position = 2;
        let merged = merge(&shards).unwrap();
        assert_eq!(merged.records.iter().map(|r| r.task.as_str()).collect::<Vec<_>>(), ["b", "c", "a"]);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        assert_eq!(error_of(|s| drop(s.pop())), "shards are missing: 2/2");
        assert_eq!(error_of(|s| s[1].1.header.shard = Some((1, 2))), "one and two are both shard 1/2");
        let twice = error_of(|s| s[1].1.records[0].task = "a".into());
        assert_eq!(twice, "a (unreach-call, default) is in one and in two");
        assert_eq!(error_of(|s| drop(s[0].1.records.pop())), "one has 1 records of 2: finish it with --resume");
        assert_eq!(error_of(|s| s[1].1.header.shard = Some((2, 3))), "one is one of 2 shards, two one of 3");
        assert_eq!(error_of(|s| s[1].1.header.shard = None), "two is no shard, but a whole run");
        assert!(error_of(|s| s[1].1.header.timeout = 1.0).contains("of different runs: the time limit is 60s there"));
        assert!(error_of(|s| s[1].1.header.shard = Some((0, 2))).contains("cannot be"));
        assert!(error_of(|s| s[1].1.header.shard = Some((3, 2))).contains("cannot be"));
    }

    #[test]
    fn any_number_may_stand_in_a_file() {
        let of = |of: usize| {
            move |s: &mut Vec<(&Path, Results)>| {
                for (part, (_, results)) in s.iter_mut().enumerate() {
                    results.header.shard = Some((part + 1, of));
                    results.header.tasks = 2;
                    results.records.truncate(1);
                }
            }
        };
        let message = error_of(of(1 << 63));
        assert!(message.starts_with("shards are missing: 3/9223372036854775808, 4/92"), "{message}");
        assert!(message.ends_with(", and 9223372036854775796 more"), "{message}");
        assert_eq!(error_of(of(0)), "one is shard 1 of 0, which cannot be");
        let many = error_of(|s| {
            for (_, results) in s {
                results.header.tasks = usize::MAX;
                results.header.configurations.push(("oc".into(), vec![]));
            }
        });
        assert_eq!(many, format!("one has 2 records of {}: finish it with --resume", usize::MAX));
    }
}
