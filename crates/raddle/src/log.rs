//! What engines tell about their progress, for `--log`.

use crate::args::LogArg;
use raddle_engine::{Event, Outcome};
use raddle_portfolio::{News, Usage};
use std::io::Write;
use tracing::level_filters::LevelFilter;
use tracing::{debug, info};

/// Standard error, where what cannot be written is not said.
struct Mouth;

impl Write for Mouth {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = std::io::stderr().lock().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Prints events up to a level on standard error.
pub fn start(level: LogArg) {
    let filter = match level {
        LogArg::Off => LevelFilter::OFF,
        LogArg::Error => LevelFilter::ERROR,
        LogArg::Warn => LevelFilter::WARN,
        LogArg::Info => LevelFilter::INFO,
        LogArg::Debug => LevelFilter::DEBUG,
        LogArg::Trace => LevelFilter::TRACE,
    };
    let subscriber = tracing_subscriber::fmt().with_max_level(filter).with_writer(|| Mouth).with_target(false);
    let is_plain = std::env::var_os("NO_COLOR").is_some() || !std::io::IsTerminal::is_terminal(&std::io::stderr());
    // Somebody else's subscriber, in a test, is as good.
    let _ = subscriber.with_ansi(!is_plain).without_time().try_init();
}

/// Tells the story of a strategy.
pub fn news(news: &News) {
    match news {
        News::Passed { step, condition, values } => {
            let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            info!("step {step} is passed over: {condition} does not hold ({})", values.join(", "));
        }
        News::Runs { step, slice, again } => {
            let verb = if *again { "goes on" } else { "begins" };
            match slice {
                Some(slice) => info!("step {step} {verb}, for {:.3} s", slice.as_secs_f64()),
                None => info!("step {step} {verb}, for the rest of the time"),
            }
        }
        News::Progress { step, event } => debug!("step {step}: {}", words(event)),
        News::Waits { step, usage } => info!("step {step} waits, after {}", used(usage)),
        News::Ended { step, outcome, usage } => {
            let why = match outcome {
                Outcome::Unknown(reason) => format!(" ({})", reason.words),
                _ => String::new(),
            };
            info!("step {step} ends: {}{why}, after {}", outcome.name(), used(usage));
        }
    }
}

fn used(usage: &Usage) -> String {
    let memory = match usage.memory / 1_000_000 {
        // It was gone before anybody looked.
        0 => String::new(),
        megabytes => format!(", with {megabytes} MB"),
    };
    format!("{:.3} s{memory}", usage.cpu.as_secs_f64())
}

/// How far a run is.
pub fn words(event: &Event) -> String {
    match event {
        Event::Prepared { locations, edges } => format!("prepared, {locations} locations, {edges} edges"),
        Event::Explored { states } => format!("{states} states"),
        Event::Unrolled { bound, events, locations } => {
            format!("bound {bound}, {events} events, {locations} locations")
        }
        Event::Built { nodes } => format!("{nodes} nodes"),
        Event::Learned(facts) => {
            let bounds = facts.safe_within.iter().map(|fact| fact.bound.to_string()).collect::<Vec<_>>();
            format!("no violation within {} iterations", bounds.join(", "))
        }
        Event::Refined { iteration, variables, predicates } => {
            format!("iteration {iteration}, {variables} variables, {predicates} predicates")
        }
    }
}
