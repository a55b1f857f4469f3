//! What engines tell about their progress, for `--log`.

use crate::args::LogArg;
use raddle_engine::{Event, Observer};
use tracing::level_filters::LevelFilter;
use tracing::{debug, info};

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
    let subscriber = tracing_subscriber::fmt().with_max_level(filter).with_writer(std::io::stderr).with_target(false);
    let is_plain = std::env::var_os("NO_COLOR").is_some() || !std::io::IsTerminal::is_terminal(&std::io::stderr());
    // Somebody else's subscriber, in a test, is as good.
    let _ = subscriber.with_ansi(!is_plain).without_time().try_init();
}

/// Passes events on.
pub struct Log;

impl Observer for Log {
    fn event(&self, event: Event) {
        match event {
            Event::Begin { engine } => info!("engine {engine} begins"),
            Event::End { engine, outcome } => info!("engine {engine} ends: {outcome}"),
            Event::Prepared { locations, edges } => debug!("prepared: {locations} locations, {edges} edges"),
            Event::Explored { states } => debug!("{states} states"),
            Event::Unrolled { bound, events } => debug!("bound {bound}: {events} events"),
            Event::Refined { iteration, variables, predicates } => {
                debug!("iteration {iteration}: {variables} variables, {predicates} predicates");
            }
        }
    }
}
