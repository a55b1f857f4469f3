//! Splits of tasks into two classes by one trait of the programs.

use super::measurements::Task;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fmt;

/// One side of a split.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    pub name: String,
    /// `None`: the trait is Boolean.
    pub above: Option<f64>,
    /// The other side.
    pub negated: bool,
}

impl Condition {
    /// A trait that a task lacks is zero.
    pub fn holds(&self, traits: &Map<String, Value>) -> bool {
        let value = traits.get(&self.name).map_or(0.0, number);
        let holds = match self.above {
            None => value != 0.0,
            Some(bound) => value > bound,
        };
        holds != self.negated
    }

    pub fn other_side(&self) -> Condition {
        Condition { negated: !self.negated, ..self.clone() }
    }
}

/// Traits are numbers: for strategies, true is 1 and false is 0.
fn number(value: &Value) -> f64 {
    match value {
        Value::Bool(value) => f64::from(u8::from(*value)),
        value => value.as_f64().unwrap_or(0.0),
    }
}

/// As strategies write it.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.above, self.negated) {
            (None, false) => f.write_str(&self.name),
            (None, true) => write!(f, "not {}", self.name),
            (Some(bound), false) => write!(f, "{} > {bound}", self.name),
            (Some(bound), true) => write!(f, "{} <= {bound}", self.name),
        }
    }
}

/// Bounds tried for one number, besides 0.
const BOUNDS: usize = 3;

/// Splits worth a try on these tasks: whether there are threads first, then other traits by name.
pub fn splits(tasks: &[&Task]) -> Vec<Condition> {
    let mut names: Vec<&String> =
        tasks.iter().flat_map(|t| t.traits.keys()).collect::<BTreeSet<_>>().into_iter().collect();
    names.retain(|n| is_name(n));
    names.sort_by_key(|n| *n != "threads");
    names.into_iter().flat_map(|name| splits_by(name, tasks)).filter(|split| tells_apart(split, tasks)).collect()
}

/// Words of conditions are no names of traits.
fn is_name(name: &str) -> bool {
    let first = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    first
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        && !matches!(name, "and" | "or" | "not" | "true" | "false")
}

fn splits_by(name: &str, tasks: &[&Task]) -> Vec<Condition> {
    let condition = |above| Condition { name: name.to_owned(), above, negated: false };
    let values: Vec<&Value> = tasks.iter().filter_map(|t| t.traits.get(name)).collect();
    if values.iter().all(|v| v.is_boolean()) {
        return vec![condition(None)];
    }
    let mut numbers: Vec<f64> = values.iter().map(|v| number(v)).filter(|v| v.is_finite()).collect();
    numbers.sort_by(f64::total_cmp);
    let quantile = |i: usize| numbers.get(numbers.len() * i / (BOUNDS + 1)).copied();
    let mut bounds: Vec<f64> = (1..=BOUNDS).filter_map(quantile).chain([0.0]).collect();
    bounds.sort_by(f64::total_cmp);
    bounds.dedup();
    bounds.into_iter().map(|b| condition(Some(b))).collect()
}

/// A class of fewer tasks, or of one family, teaches nothing.
const LEAST_TASKS: usize = 4;
const LEAST_FAMILIES: usize = 2;

fn tells_apart(split: &Condition, tasks: &[&Task]) -> bool {
    [split.clone(), split.other_side()].iter().all(|side| {
        let class: Vec<&&Task> = tasks.iter().filter(|t| side.holds(&t.traits)).collect();
        let families: BTreeSet<&str> = class.iter().map(|t| t.family.as_str()).collect();
        class.len() >= LEAST_TASKS && families.len() >= LEAST_FAMILIES
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn task(family: &str, traits: Value) -> Task {
        Task { family: family.to_owned(), traits: traits.as_object().cloned().unwrap_or_default() }
    }

    #[test]
    fn conditions_read_like_the_language() {
        let threads = Condition { name: "threads".to_owned(), above: Some(0.0), negated: false };
        assert_eq!(threads.to_string(), "threads > 0");
        assert_eq!(threads.other_side().to_string(), "threads <= 0");
        let floats = Condition { name: "floats".to_owned(), above: None, negated: true };
        assert_eq!(floats.to_string(), "not floats");
        assert!(floats.holds(&Map::new()));
        assert!(!threads.holds(&Map::new()));
        let zero_or_one = task("f", json!({"threads": true, "floats": 1}));
        assert!(threads.holds(&zero_or_one.traits) && !floats.holds(&zero_or_one.traits));
    }

    #[test]
    fn only_splits_with_two_sides() {
        let tasks: Vec<Task> = (0..12)
            .map(|i| {
                let family = format!("f{}", i % 4);
                task(
                    &family,
                    json!({"threads": i % 2 * 3, "floats": i % 2 == 1, "rare": i == 0, "same": 7, "and": i % 2}),
                )
            })
            .collect();
        let tasks: Vec<&Task> = tasks.iter().collect();
        let texts: Vec<String> = splits(&tasks).iter().map(Condition::to_string).collect();
        assert_eq!(texts, ["threads > 0", "floats"]);
    }
}
