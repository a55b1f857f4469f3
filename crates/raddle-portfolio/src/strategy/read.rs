//! Reads a strategy from TOML. What is wrong is told with its line.

use super::condition::Condition;
use super::{Step, StepId, Strategy, Time};
use crate::monitor::{Monitor, VALUES};
use crate::registry::Settings;
use crate::traits::Traits;
use raddle_engine::Code;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::time::Duration;
use toml::Spanned;

/// What is wrong with a strategy, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategyError {
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    pub message: String,
    pub source_line: String,
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StrategyError { file, line, message, source_line } = self;
        write!(f, "{file}:{line}: error: {message}\n {line} | {source_line}")
    }
}

impl std::error::Error for StrategyError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStrategy {
    summary: String,
    small: Option<Spanned<f64>>,
    #[serde(rename = "step")]
    steps: Vec<RawStep>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawStep {
    name: Spanned<String>,
    when: Option<Spanned<String>>,
    otherwise: Option<Spanned<String>>,
    give_up_when: Option<Spanned<String>>,
    #[serde(default)]
    spare: bool,
    engine: Spanned<String>,
    config: Option<Spanned<toml::Table>>,
    time: Option<Spanned<String>>,
    growth: Option<Spanned<f64>>,
    next: Option<Spanned<String>>,
    #[serde(default)]
    on: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// A way that leads out of the strategy.
const END: &str = "end";

/// The strategy that a text describes; `file` is what errors call it.
pub fn read(file: &str, text: &str) -> Result<Strategy, StrategyError> {
    let error = |place: Range<usize>, message: String| {
        let start = place.start.min(text.len());
        let line = text.get(..start).unwrap_or("").matches('\n').count() + 1;
        let source_line = text.lines().nth(line - 1).unwrap_or("").to_owned();
        StrategyError { file: file.into(), line, message, source_line }
    };
    let raw: RawStrategy = toml::from_str(text).map_err(|e| error(e.span().unwrap_or(0..0), e.message().to_owned()))?;
    let reader = Reader { names: raw.steps.iter().map(|step| step.name.get_ref().clone()).collect() };
    let places: Vec<Range<usize>> = raw.steps.iter().map(|step| step.name.span()).collect();
    if raw.steps.is_empty() {
        return Err(error(0..0, "the strategy has no steps".into()));
    }
    let steps = raw.steps.into_iter().enumerate();
    let steps = steps.map(|(id, step)| reader.step(id, step).map_err(|(place, message)| error(place, message)));
    let steps: Vec<Step> = steps.collect::<Result<_, _>>()?;
    if let Some(id) = never_begun(&steps) {
        return Err(error(places[id].clone(), format!("no way leads to the step `{}`", steps[id].name)));
    }
    let small = raw.small.as_ref().map_or(f64::INFINITY, |small| *small.get_ref());
    if small.is_nan() || small <= 0.0 {
        let place = raw.small.map_or(0..0, |small| small.span());
        return Err(error(place, "`small` is a size, and more than 0".into()));
    }
    Ok(Strategy { summary: raw.summary, small, steps })
}

/// A step that no way leads to, from the first one on, and that is not spare: it would be written in vain.
fn never_begun(steps: &[Step]) -> Option<StepId> {
    let mut reached = vec![false; steps.len()];
    let mut open: Vec<StepId> = (0..steps.len()).filter(|id| *id == 0 || steps[*id].spare).collect();
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut reached[id], true) {
            let Step { next, otherwise, on, .. } = &steps[id];
            open.extend(on.values().chain([next, otherwise]).flatten());
        }
    }
    reached.iter().position(|reached| !reached)
}

type Wrong = (Range<usize>, String);

/// At a place, something is wrong.
fn at<T, U>(value: &Spanned<T>, result: Result<U, String>) -> Result<U, Wrong> {
    result.map_err(|message| (value.span(), message))
}

struct Reader {
    names: Vec<String>,
}

impl Reader {
    fn step(&self, id: StepId, raw: RawStep) -> Result<Step, Wrong> {
        let name = raw.name.get_ref();
        if name == END || self.names[..id].contains(name) {
            return Err((raw.name.span(), format!("the name `{name}` is taken")));
        }
        let engine = raw.engine.get_ref();
        let config = raw.config.as_ref().map(|config| config.get_ref().clone()).unwrap_or_default();
        let config = serde_json::to_value(config).unwrap_or_default();
        let place = raw.config.as_ref().map_or(raw.engine.span(), Spanned::span);
        at(&raw.engine, Settings::is_engine(engine).then_some(()).ok_or(format!("there is no engine `{engine}`")))?;
        Settings::default().overlaid(engine, &config).map_err(|message| (place, message))?;
        let next = self.target(raw.next.as_ref())?;
        let otherwise = if raw.otherwise.is_some() { self.target(raw.otherwise.as_ref())? } else { next };
        let condition = |text: &Option<Spanned<String>>, known: &dyn Fn(&str) -> Result<(), String>| {
            text.as_ref().map(|text| at(text, Condition::parse(text.get_ref(), known))).transpose()
        };
        let when = condition(&raw.when, &is_trait)?;
        let give_up_when = condition(&raw.give_up_when, &is_value)?;
        let time = raw.time.as_ref().map(|time| at(time, parse_time(time.get_ref())));
        let growth = raw.growth.as_ref().map_or(1.0, |growth| *growth.get_ref());
        if !(1.0..=1000.0).contains(&growth) {
            let place = raw.growth.map_or(0..0, |growth| growth.span());
            return Err((place, "`growth` is between 1 and 1000".into()));
        }
        let mut on = BTreeMap::new();
        for (code, target) in &raw.on {
            on.insert(at(code, code_of(code.get_ref()))?, self.target(Some(target))?);
        }
        Ok(Step {
            name: name.clone(),
            when,
            otherwise,
            give_up_when,
            spare: raw.spare,
            engine: engine.clone(),
            config,
            time: time.transpose()?.unwrap_or(Time::All),
            growth,
            next,
            on,
        })
    }

    fn target(&self, name: Option<&Spanned<String>>) -> Result<Option<StepId>, Wrong> {
        let Some(name) = name.filter(|name| name.get_ref() != END) else { return Ok(None) };
        let found = self.names.iter().position(|step| step == name.get_ref());
        at(name, found.map(Some).ok_or_else(|| format!("there is no step `{}`", name.get_ref())))
    }
}

fn is_trait(name: &str) -> Result<(), String> {
    let words = || format!("there is no trait `{name}` (`raddle show --as traits FILE` lists them)");
    Traits::NAMES.contains(&name).then_some(()).ok_or_else(words)
}

fn is_value(name: &str) -> Result<(), String> {
    let names: Vec<&str> = VALUES.iter().map(|(name, _)| *name).collect();
    let words = || format!("nothing of a run is called `{name}`; write one of {}", names.join(", "));
    Monitor::is_value(name).then_some(()).ok_or_else(words)
}

fn code_of(name: &str) -> Result<Code, String> {
    Code::ALL.into_iter().find(|code| code.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        format!("no run ends with `{name}`; write one of {}", names.join(", "))
    })
}

/// `80ms`, `2s`, `1/3` (of all), `1/2 of rest`.
fn parse_time(text: &str) -> Result<Time, String> {
    let wrong = || format!("`{text}` is no time: write 80ms, 2s, 1/3, or 1/2 of rest");
    let (share, of_rest) = match text.strip_suffix("of rest") {
        Some(share) => (share.trim(), true),
        None => (text, false),
    };
    if let Some((part, whole)) = share.split_once('/') {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| *n > 0.0).ok_or_else(wrong);
        let share = number(part)? / number(whole)?;
        if !(share > 0.0 && share <= 1.0) {
            return Err(format!("`{text}` is more than there is"));
        }
        return Ok(if of_rest { Time::ShareOfRest(share) } else { Time::Share(share) });
    }
    let (number, unit) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => (number, 0.001),
        (None, Some(number)) => (number, 1.0),
        _ => return Err(wrong()),
    };
    let seconds = number.trim().parse::<f64>().map_err(|_| wrong())? * unit;
    if of_rest || !(seconds > 0.0 && seconds < 1e9) {
        return Err(wrong());
    }
    Ok(Time::Slice(Duration::from_secs_f64(seconds)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: &str = "summary = \"one\"\n[[step]]\nname = \"a\"\nengine = \"oc\"\n";

    #[test]
    fn a_strategy_is_read() {
        let text = format!(
            "{STEP}config = {{ unroll-end = 4 }}\ntime = \"1/3\"\nnext = \"b\"\non = {{ stuck = \"end\" }}\n\
             [[step]]\nname = \"b\"\nengine = \"explore\"\ntime = \"50ms\"\ngrowth = 2\nnext = \"a\"\n"
        );
        let strategy = read("s.toml", &text).unwrap();
        let [a, b] = &strategy.steps[..] else { panic!("two steps") };
        assert_eq!((a.time, a.after(Code::Timeout), a.after(Code::Stuck)), (Time::Share(1.0 / 3.0), Some(1), None));
        assert_eq!((b.time, b.growth, b.next), (Time::Slice(Duration::from_millis(50)), 2.0, Some(0)));
        assert_eq!(a.config["unroll-end"], 4);
    }

    #[test]
    fn the_example_of_the_page_is_read() {
        let page = include_str!("../../../../docs/strategies.md");
        let example = page.split("```").nth(1).and_then(|block| block.strip_prefix("toml\n")).unwrap();
        let strategy = read("docs/strategies.md", example).unwrap_or_else(|error| panic!("{error}"));
        assert!(strategy.steps.len() == 4 && strategy.steps[3].spare);
    }

    #[test]
    fn errors_name_the_line_and_the_reason() {
        for (line, number, words) in [
            ("time = \"soon\"", 5, "is no time"),
            ("time = \"4/3\"", 5, "more than there is"),
            ("next = \"b\"", 5, "there is no step `b`"),
            ("when = \"lops > 1\"", 5, "there is no trait `lops`"),
            ("config = { unrol-end = 4 }", 5, "unrol-end"),
            ("config = { unroll-end = \"x\" }", 5, "unroll-end"),
            ("on = { soon = \"end\" }", 5, "no run ends with `soon`"),
            ("growth = 0.5", 5, "between 1 and 1000"),
            ("give-up-when = \"luck > 1\"", 5, "is called `luck`"),
            ("colour = 3", 5, "unknown field `colour`"),
            ("[[step]]\nname = \"a\"\nengine = \"oc\"", 6, "is taken"),
            ("[[step]]\nname = \"b\"\nengine = \"magic\"", 7, "there is no engine `magic`"),
            ("[[step]]\nname = \"b\"\nengine = \"explore\"", 6, "no way leads to the step `b`"),
            ("name", 5, "="),
        ] {
            let error = read("s.toml", &format!("{STEP}{line}\n")).unwrap_err();
            assert!(error.message.contains(words) && error.line == number, "{line}: {error}");
        }
        assert!(read("s.toml", "summary = \"none\"\nstep = []\n").unwrap_err().message.contains("no steps"));
    }
}
