//! Two configurations, task by task. A point above the diagonal was faster with the configuration of the x axis. What a configuration did not solve
//! lies on the border behind its timeout.

use super::axis::{LogScale, lower_bound, seconds, upper_bound};
use super::figure::{Anchor, Figure, Ink, Stroke, solid};
use super::palette::{Marker, RIGHT_FALSE, RIGHT_TRUE, WRONG, mark};
use super::stroke_font::text_width;
use crate::record::{Answer, Record};
use crate::report::matrix::Matrix;

const SIDE: f64 = 420.0;
/// The band of what was not solved.
const BAND: f64 = 50.0;
const LEFT: f64 = 78.0;
const TOP: f64 = 16.0;
const SIZE: f64 = 12.0;

/// What became of a task in one of the two configurations.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Right(f64),
    Wrong,
    Unsolved,
}

fn end(run: &Record) -> End {
    match run {
        run if run.is_wrong() => End::Wrong,
        run if run.is_right() => End::Right(run.cpu),
        _ => End::Unsolved,
    }
}

/// How the two compare, in figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Tally {
    both: usize,
    only_x: usize,
    only_y: usize,
    neither: usize,
    wrong: usize,
}

pub fn scatter(results: &Matrix, x: usize, y: usize) -> Figure {
    let (x_name, y_name) = (&results.configurations[x].name, &results.configurations[y].name);
    let mut figure = Figure::new(format!("CPU time of {x_name} and {y_name} on each task"));
    figure.width = LEFT + SIDE + BAND + 24.0;
    figure.height = TOP + BAND + SIDE + 104.0;

    let pairs: Vec<(&Record, &Record)> =
        results.runs[x].iter().zip(&results.runs[y]).filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?))).collect();
    let times = || pairs.iter().flat_map(|(a, b)| [a, b]).filter(|r| r.is_right()).map(|r| r.cpu);
    let low = lower_bound(times());
    let high = upper_bound(times(), results.timeout, low);
    let (bottom, right) = (TOP + BAND + SIDE, LEFT + SIDE);
    let xs = LogScale { low, high, start: LEFT, end: right };
    let ys = LogScale { low, high, start: bottom, end: TOP + BAND };

    axes(&mut figure, &xs, &ys);
    let mut tally = Tally::default();
    let mut loud = Vec::new();
    for (i, (a, b)) in pairs.iter().enumerate() {
        let (a_end, b_end) = (end(a), end(b));
        match (a_end, b_end) {
            (End::Wrong, _) | (_, End::Wrong) => tally.wrong += 1,
            (End::Right(_), End::Right(_)) => tally.both += 1,
            (End::Right(_), _) => tally.only_x += 1,
            (_, End::Right(_)) => tally.only_y += 1,
            _ => tally.neither += 1,
        }
        let place = |end: End, scale: &LogScale, border: f64| match end {
            End::Right(t) => scale.place(t),
            _ => border,
        };
        // Spread over the band, points hide each other less.
        let border = BAND * (0.2 + 0.15 * (i % 5) as f64);
        let at = (place(a_end, &xs, right + border), place(b_end, &ys, TOP + border));
        if a_end == End::Wrong || b_end == End::Wrong {
            loud.push(at);
        } else if a_end != b_end || a_end != End::Unsolved {
            let says_true = [a, b].iter().any(|r| r.answer == Answer::True);
            let (marker, ink) = if says_true { (Marker::Circle, RIGHT_TRUE) } else { (Marker::Triangle, RIGHT_FALSE) };
            mark(&mut figure, marker, at, 3.6, ink, None);
        }
    }
    for at in loud {
        mark(&mut figure, Marker::Cross, at, 5.5, WRONG, None);
    }
    labels(&mut figure, (x_name, y_name), tally);
    figure
}

fn axes(figure: &mut Figure, xs: &LogScale, ys: &LogScale) {
    let (bottom, right, top) = (ys.start, xs.end, ys.end);
    for (value, text) in with_end(ys) {
        let at = ys.place(value);
        figure.line((LEFT, at), (right, at), solid(Ink::Grid, 1.0));
        figure.line((LEFT - 6.0, at), (LEFT, at), solid(Ink::Faint, 1.0));
        figure.text((LEFT - 10.0, at + SIZE * 0.36), Anchor::End, SIZE, text);
    }
    for (value, text) in with_end(xs) {
        let at = xs.place(value);
        figure.line((at, top), (at, bottom), solid(Ink::Grid, 1.0));
        figure.line((at, bottom), (at, bottom + 6.0), solid(Ink::Faint, 1.0));
        // The border has a label too.
        let (at, anchor) = if right - at < 12.0 { (right + 3.0, Anchor::End) } else { (at, Anchor::Middle) };
        figure.text((at, bottom + 10.0 + SIZE), anchor, SIZE, text);
    }
    for value in xs.minor_ticks() {
        figure.line((xs.place(value), bottom), (xs.place(value), bottom + 3.0), solid(Ink::Faint, 1.0));
        figure.line((LEFT - 3.0, ys.place(value)), (LEFT, ys.place(value)), solid(Ink::Faint, 1.0));
    }
    // As fast, and ten times as fast.
    figure.line((xs.start, ys.start), (xs.end, ys.end), solid(Ink::Faint, 1.0));
    let tenth = Stroke { ink: Ink::Faint, width: 1.0, dashes: &[4.0, 4.0] };
    if xs.high / xs.low > 10.0 {
        figure.line((xs.start, ys.place(xs.low * 10.0)), (xs.place(xs.high / 10.0), ys.end), tenth);
        figure.line((xs.place(xs.low * 10.0), ys.start), (xs.end, ys.place(ys.high / 10.0)), tenth);
        let tag = |figure: &mut Figure, at: (f64, f64), anchor| {
            figure.text(at, anchor, SIZE - 2.0, "10×").ink = Ink::Faint;
        };
        tag(figure, (xs.place(xs.high / 10.0) - 20.0, ys.end + 12.0), Anchor::End);
        tag(figure, (xs.end - 4.0, ys.place(ys.high / 10.0) + 36.0), Anchor::End);
    }
    figure.rectangle((LEFT, top), (SIDE, SIDE), None, Some(solid(Ink::Faint, 1.0)));
    figure.rectangle((LEFT, top - BAND), (SIDE + BAND, SIDE + BAND), None, Some(solid(Ink::Faint, 1.0)));
    figure.text((right + BAND / 2.0 + 2.0, bottom + 10.0 + SIZE), Anchor::Middle, SIZE - 2.0, "unsolved").ink =
        Ink::Faint;
    figure.text((LEFT - 10.0, top - BAND / 2.0 + 4.0), Anchor::End, SIZE - 2.0, "unsolved").ink = Ink::Faint;
}

/// The ticks of a scale, and its end, which is the timeout, in place of those that are too close.
fn with_end(scale: &LogScale) -> Vec<(f64, String)> {
    let far = |value: f64| (scale.place(value) - scale.end).abs() > 45.0;
    let mut ticks: Vec<_> = scale.ticks().into_iter().filter(|(value, _)| far(*value)).collect();
    ticks.push((scale.high, seconds(scale.high)));
    ticks
}

fn labels(figure: &mut Figure, (x_name, y_name): (&str, &str), tally: Tally) {
    let bottom = TOP + BAND + SIDE;
    let middle = LEFT + (SIDE + BAND) / 2.0;
    figure.text((middle, bottom + 43.0), Anchor::Middle, SIZE + 1.0, format!("{x_name}: CPU time"));
    figure.text((18.0, TOP + (SIDE + BAND) / 2.0), Anchor::Middle, SIZE + 1.0, format!("{y_name}: CPU time")).upwards =
        true;
    let row = bottom + 67.0;
    let mut left = LEFT;
    let mut keys = vec![(Marker::Circle, RIGHT_TRUE, "true"), (Marker::Triangle, RIGHT_FALSE, "false")];
    if tally.wrong > 0 {
        keys.push((Marker::Cross, WRONG, "wrong answer"));
    }
    for (marker, ink, text) in keys {
        mark(figure, marker, (left + 5.0, row - 4.0), 4.0, ink, None);
        figure.text((left + 14.0, row), Anchor::Start, SIZE, text);
        left += 30.0 + text_width(text, SIZE) * 1.06;
    }
    let Tally { both, only_x, only_y, neither, wrong } = tally;
    let mut counts = format!("both {both}, only {x_name} {only_x}, only {y_name} {only_y}, neither {neither}");
    if wrong > 0 {
        counts.push_str(&format!(", wrong {wrong}"));
    }
    // Long names would run out of the picture.
    let size = (SIZE - 1.0).min((SIZE - 1.0) * (figure.width - LEFT - 12.0) / text_width(&counts, SIZE - 1.0).max(1.0));
    figure.text((LEFT, row + 22.0), Anchor::Start, size, counts).ink = Ink::Faint;
}
