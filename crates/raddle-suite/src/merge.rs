//! `raddle suite merge`: the files of all shards of one run become one file.

use crate::error::{Result, bail};
use crate::record::{Header, Record};
use crate::results::{self, Results, differences};
use crate::tasks::shard_size;
use crate::{DONE, console, table};
use clap::Args;
use std::collections::HashMap;
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
    tasks * header.configurations.len()
}

/// All of it in the order of the set. Runs end in any order, and a shuffled order is only a means.
fn merge(shards: &[(&Path, Results)]) -> Result<Results> {
    let Some(((first, Results { header, .. }), _)) = shards.split_first() else { bail!("there is nothing to merge") };
    let Some((_, of)) = header.shard else { bail!("{} is no shard, but a whole run", first.display()) };
    let mut places: Vec<Option<&Path>> = vec![None; of];
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
        let Some(place) = part.checked_sub(1).and_then(|p| places.get_mut(p)) else {
            bail!("{shown} is shard {part} of {of}, which cannot be");
        };
        if let Some(other) = place.replace(path) {
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
    let missing: Vec<_> = (1..=of).filter(|part| places[part - 1].is_none()).map(|p| format!("{p}/{of}")).collect();
    if !missing.is_empty() {
        bail!("shards are missing: {}", missing.join(", "));
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
    }
}
