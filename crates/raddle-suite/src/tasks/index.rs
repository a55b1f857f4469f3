//! An index of tasks: a table with tabs, whose first line names the columns `file`, `property`, `verdict`, and if known `data_model` and `category`.
//! Property files lie in `properties/` beside it.

use super::Task;
use crate::error::{Error, Result, bail};
use std::path::Path;

pub fn read(path: &Path) -> Result<Vec<Task>> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::of_file("read", path, e))?;
    parse(&text, path)
}

fn parse(text: &str, path: &Path) -> Result<Vec<Task>> {
    let mut lines = text.lines().enumerate();
    let columns: Vec<&str> = lines.next().map(|(_, line)| line.split('\t').collect()).unwrap_or_default();
    let column = |name: &str| columns.iter().position(|c| *c == name);
    let (Some(file), Some(property), Some(verdict)) = (column("file"), column("property"), column("verdict")) else {
        bail!("{} is no index: its first line must name the columns file, property and verdict", path.display());
    };
    let (data_model, category) = (column("data_model"), column("category"));
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut tasks = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |i: usize| cells.get(i).copied().filter(|c| !c.is_empty());
        let (Some(file), Some(property)) = (cell(file), cell(property)) else {
            bail!("{}, line {}: no file or no property", path.display(), number + 1);
        };
        let source = folder.join(file);
        tasks.push(Task {
            name: file.to_string(),
            position: 0,
            definition: Some(source.with_extension("yml")).filter(|d| d.exists()),
            files: vec![source],
            property: property.to_string(),
            property_file: folder.join("properties").join(format!("{property}.prp")),
            expected: match cell(verdict) {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
            data_model: data_model.and_then(cell).map(str::to_string),
            category: category.and_then(cell).map(str::to_string),
        });
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_by_name() {
        let text = "verdict\tfile\tproperty\tcategory\ntrue\tc/a.i\tunreach-call\tLocks\n\n?\tb.c\ttermination\n";
        let tasks = parse(text, Path::new("set/index.tsv")).unwrap();
        assert_eq!(tasks.len(), 2);
        assert_eq!((tasks[0].name.as_str(), tasks[0].expected), ("c/a.i", Some(true)));
        assert_eq!(tasks[0].property_file, Path::new("set/properties/unreach-call.prp"));
        assert_eq!((&tasks[1].category, tasks[1].expected, &tasks[1].data_model), (&None, None, &None));
    }

    #[test]
    fn what_is_missing_is_said() {
        assert!(parse("", Path::new("x.tsv")).is_err());
        let Error(message) = parse("file\tproperty\tverdict\n\t\ttrue\n", Path::new("x.tsv")).unwrap_err();
        assert!(message.contains("line 2"), "{message}");
    }
}
