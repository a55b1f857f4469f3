//! The verdicts of one call, a property each, and the one that sums them up.
//!
//! They are kept where the watchdog finds them: a run that is ended by a limit still says what it knows, and what had no turn by then
//! is unknown. Violated is the whole if some property is violated, unknown if one is unknown, and true only if all hold.

use crate::args::FormatArg;
use crate::property;
use crate::{BAD_INPUT, HOLDS, INTERNAL_ERROR, UNKNOWN, VIOLATED};
use raddle_report::Report;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What is to be said of one property.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// `true`, `false(PROPERTY)` or `unknown(CODE)`.
    pub verdict: String,
    /// The exit status that says the same.
    pub status: u8,
    /// For people: why.
    pub text: String,
    /// All of it.
    pub report: Report,
}

/// The properties of a call as the command line has them, and the verdicts so far, in the same order.
#[derive(Clone, Debug)]
pub struct Verdicts {
    names: Vec<String>,
    so_far: Arc<Mutex<Vec<Verdict>>>,
}

impl Verdicts {
    /// For properties by these names; one that is named twice is the same.
    pub fn of(given: &[String]) -> Verdicts {
        let mut names: Vec<String> = Vec::new();
        given.iter().for_each(|name| {
            if !names.contains(name) {
                names.push(name.clone())
            }
        });
        Verdicts { names, so_far: Arc::default() }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The next property has this verdict.
    pub fn add(&self, verdict: Verdict) {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner).push(verdict);
    }

    /// All verdicts; whatever has none yet gets this one.
    pub fn complete(&self, otherwise: Option<&Verdict>) -> Complete {
        let mut verdicts = self.so_far.lock().unwrap_or_else(PoisonError::into_inner).clone();
        verdicts.extend(otherwise.into_iter().cycle().take(self.names.len().saturating_sub(verdicts.len())).cloned());
        for (name, verdict) in self.names.iter().zip(&mut verdicts).filter(|(_, of)| of.report.property.is_empty()) {
            let property = property::parse(name).map(|wanted| wanted.property.name().to_owned());
            verdict.report.property = property.unwrap_or_else(|_| name.clone());
        }
        Complete { names: self.names.clone(), verdicts }
    }
}

/// A verdict for each property.
#[derive(Debug)]
pub struct Complete {
    names: Vec<String>,
    verdicts: Vec<Verdict>,
}

impl Complete {
    /// The verdict that counts: the first of the worst.
    fn whole(&self) -> (&str, u8) {
        const WORST_FIRST: [u8; 5] = [VIOLATED, INTERNAL_ERROR, BAD_INPUT, UNKNOWN, HOLDS];
        let rank = |verdict: &&Verdict| WORST_FIRST.iter().position(|status| *status == verdict.status);
        let worst = self.verdicts.iter().min_by_key(rank);
        worst.map_or(("unknown(internal-error)", INTERNAL_ERROR), |worst| (&worst.verdict, worst.status))
    }

    pub fn status(&self) -> u8 {
        self.whole().1
    }

    /// The verdict of a call about one property.
    pub fn only(&self) -> Option<&Verdict> {
        if let [only] = &self.verdicts[..] { Some(only) } else { None }
    }

    fn each(&self) -> impl Iterator<Item = (&String, &Verdict)> {
        self.names.iter().zip(&self.verdicts)
    }

    /// What `--stats` writes.
    pub fn statistics(&self) -> String {
        self.as_json(|verdict| verdict.report.statistics.clone())
    }

    /// One property is told as it is, several as a list.
    fn as_json(&self, part: impl Fn(&Verdict) -> Value) -> String {
        if let Some(only) = self.only() {
            return format!("{:#}\n", part(only));
        }
        let named = |(name, verdict): (&String, &Verdict)| {
            let mut value = part(verdict);
            value["property"] = name.clone().into();
            value
        };
        let all = json!({ "verdict": self.whole().0, "properties": self.each().map(named).collect::<Vec<_>>() });
        format!("{all:#}\n")
    }

    fn json(&self) -> String {
        let reports: Vec<(&str, &Report)> = self.each().map(|(name, of)| (name.as_str(), &of.report)).collect();
        raddle_report::json(self.whole().0, &reports, VERSION)
    }

    fn sarif(&self) -> String {
        let reports: Vec<&Report> = self.verdicts.iter().map(|verdict| &verdict.report).collect();
        let folder = std::env::current_dir().unwrap_or_default();
        // Dashboards know files by their paths in the repository.
        let root = folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&folder);
        let run = raddle_report::Run { version: VERSION, exit_status: self.status(), folder: &folder, root };
        raddle_report::sarif(&reports, &run)
    }

    /// What is printed.
    pub fn rendered(&self, format: FormatArg, quiet: bool) -> String {
        match format {
            FormatArg::Text => {}
            FormatArg::Json => return self.json(),
            FormatArg::Sarif => return self.sarif(),
        }
        let is_one = self.verdicts.len() == 1;
        let mut text = String::new();
        for (name, verdict) in self.each().filter(|(_, verdict)| !quiet && !verdict.text.is_empty()) {
            if !is_one {
                text.push_str(&format!("Property {name}:\n"));
            }
            text.push_str(&verdict.text);
        }
        if !is_one {
            self.each().for_each(|(name, verdict)| text.push_str(&format!("{name}: {}\n", verdict.verdict)));
        }
        text + &format!("VERDICT: {}\n", self.whole().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(verdict: &str, status: u8) -> Verdict {
        let statistics = json!({ "verdict": verdict });
        let text = format!("Because {verdict}.\n");
        let report = Report { verdict: verdict.into(), statistics, ..Report::default() };
        Verdict { verdict: verdict.into(), status, text, report }
    }

    fn rendered(verdicts: &[Verdict], format: FormatArg, quiet: bool) -> (String, u8) {
        let names: Vec<String> = (0..verdicts.len()).map(|number| format!("p{number}")).collect();
        let all = Verdicts::of(&names);
        verdicts.iter().for_each(|verdict| all.add(verdict.clone()));
        let complete = all.complete(None);
        (complete.rendered(format, quiet), complete.status())
    }

    #[test]
    fn one_property_is_its_verdict() {
        let holds = [verdict("true", HOLDS)];
        assert_eq!(rendered(&holds, FormatArg::Text, false), ("Because true.\nVERDICT: true\n".into(), HOLDS));
        let told: Value = serde_json::from_str(&rendered(&holds, FormatArg::Json, false).0).unwrap();
        assert_eq!(told["verdict"], "true");
    }

    #[test]
    fn several_properties_have_a_line_each_and_the_worst_is_last() {
        let [holds, open] = [verdict("true", HOLDS), verdict("unknown(stuck)", UNKNOWN)];
        let violated = verdict("false(no-overflow)", VIOLATED);
        let last = |verdicts: &[&Verdict]| {
            let verdicts: Vec<Verdict> = verdicts.iter().map(|verdict| (*verdict).clone()).collect();
            let (text, status) = rendered(&verdicts, FormatArg::Text, true);
            (text.lines().last().unwrap_or("").to_owned(), status)
        };
        assert_eq!(last(&[&holds, &holds]), ("VERDICT: true".into(), HOLDS));
        assert_eq!(last(&[&holds, &open]), ("VERDICT: unknown(stuck)".into(), UNKNOWN));
        assert_eq!(last(&[&open, &violated, &holds]), ("VERDICT: false(no-overflow)".into(), VIOLATED));
        let text = rendered(&[open, holds], FormatArg::Text, false).0;
        let expected = "Property p0:\nBecause unknown(stuck).\nProperty p1:\nBecause true.\n\
                        p0: unknown(stuck)\np1: true\nVERDICT: unknown(stuck)\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_run_that_is_cut_off_says_what_it_knows() {
        let all = Verdicts::of(&["a".into(), "b".into(), "a".into()]);
        all.add(verdict("false(unreach-call)", VIOLATED));
        let complete = all.complete(Some(&verdict("unknown(timeout)", UNKNOWN)));
        let text = complete.rendered(FormatArg::Text, true);
        assert_eq!(text, "a: false(unreach-call)\nb: unknown(timeout)\nVERDICT: false(unreach-call)\n");
        let statistics: Value = serde_json::from_str(&complete.statistics()).unwrap();
        assert_eq!(statistics["properties"][1], json!({ "property": "b", "verdict": "unknown(timeout)" }));
    }
}
