//! The quantile plot of the competition: for each configuration, its right answers from the fastest to the slowest. Further right is more solved, further
//! down is faster.

use super::axis::{LogScale, count_ticks, lower_bound, seconds, upper_bound};
use super::figure::{Anchor, Figure, Ink, Stroke, solid};
use super::palette::{look, mark};
use super::stroke_font::text_width;
use crate::report::matrix::Matrix;

const PLOT_WIDTH: f64 = 560.0;
const PLOT_HEIGHT: f64 = 380.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 58.0;
const SIZE: f64 = 12.0;
const LEGEND_ROW: f64 = 21.0;
const SAMPLE: f64 = 34.0;
/// Markers on a line, at most.
const MARKERS: usize = 8;

/// The line of a configuration.
struct Series<'a> {
    name: &'a str,
    /// Which look it has: the place among all configurations, so that colours stay when one is left out.
    index: usize,
    /// Of its right answers, ascending.
    times: Vec<f64>,
    wrong: usize,
}

pub fn cactus(results: &Matrix) -> Figure {
    let mut series = collect(results);
    series.sort_by(|a, b| b.times.len().cmp(&a.times.len()).then(total(a).total_cmp(&total(b))));
    let legend: Vec<String> = series.iter().map(legend_text).collect();
    let legend_width = legend.iter().map(|t| text_width(t, SIZE)).fold(0.0, f64::max);

    let mut figure = Figure::new("Right answers of each configuration, from the fastest to the slowest");
    figure.width = LEFT + PLOT_WIDTH + 22.0 + SAMPLE + 8.0 + legend_width * 1.06 + 12.0;
    figure.height = (TOP + PLOT_HEIGHT + BOTTOM).max(TOP + LEGEND_ROW * (legend.len() as f64 + 2.0));

    let most = series.iter().map(|s| s.times.len()).max().unwrap_or(0);
    let low = lower_bound(series.iter().flat_map(|s| s.times.first().copied()));
    let slowest = upper_bound(series.iter().flat_map(|s| s.times.last().copied()), results.timeout, low);
    // Above the timeout is its label.
    let high = slowest * (slowest / low).powf(0.06);
    let y = LogScale { low, high, start: TOP + PLOT_HEIGHT, end: TOP };
    // A little room after the last answer, so that the end of the best line is seen.
    let x = |n: f64| LEFT + PLOT_WIDTH * n / (most.max(1) as f64 * 1.02);

    axes(&mut figure, results.timeout, most, &y, &x);
    // The best last, on top.
    for series in series.iter().rev() {
        draw(&mut figure, series, &y, &x);
    }
    let left = LEFT + PLOT_WIDTH + 22.0;
    figure.text((left, TOP + 9.0), Anchor::Start, SIZE - 1.0, "right answers").ink = Ink::Faint;
    for (row, (series, text)) in series.iter().zip(legend).enumerate() {
        let middle = TOP + LEGEND_ROW * (row as f64 + 1.25);
        let (stroke, marker) = look(series.index);
        figure.line((left, middle), (left + SAMPLE, middle), stroke);
        mark(&mut figure, marker, (left + SAMPLE / 2.0, middle), 4.0, stroke.ink, Some(Ink::Paper));
        figure.text((left + SAMPLE + 8.0, middle + SIZE * 0.36), Anchor::Start, SIZE, text);
    }
    figure
}

fn collect(results: &Matrix) -> Vec<Series<'_>> {
    let series = |index: usize| {
        let mut times: Vec<f64> = results.runs_of(index).filter(|r| r.is_right()).map(|r| r.cpu).collect();
        times.sort_by(f64::total_cmp);
        let wrong = results.runs_of(index).filter(|r| r.is_wrong()).count();
        Series { name: results.configurations[index].name.as_str(), index, times, wrong }
    };
    (0..results.configurations.len()).map(series).collect()
}

fn total(series: &Series) -> f64 {
    series.times.iter().sum()
}

fn legend_text(series: &Series) -> String {
    let wrong = if series.wrong > 0 { format!(", {} wrong", series.wrong) } else { String::new() };
    format!("{}: {}{wrong}", series.name, series.times.len())
}

fn axes(figure: &mut Figure, timeout: f64, most: usize, y: &LogScale, x: &dyn Fn(f64) -> f64) {
    let (right, bottom) = (LEFT + PLOT_WIDTH, TOP + PLOT_HEIGHT);
    for (value, text) in y.ticks() {
        let at = y.place(value);
        figure.line((LEFT, at), (right, at), solid(Ink::Grid, 1.0));
        figure.line((LEFT - 6.0, at), (LEFT, at), solid(Ink::Faint, 1.0));
        figure.text((LEFT - 10.0, at + SIZE * 0.36), Anchor::End, SIZE, text);
    }
    for value in y.minor_ticks() {
        let at = y.place(value);
        figure.line((LEFT - 3.0, at), (LEFT, at), solid(Ink::Faint, 1.0));
    }
    for n in count_ticks(most, 8) {
        let at = x(n as f64);
        figure.line((at, TOP), (at, bottom), solid(Ink::Grid, 1.0));
        figure.line((at, bottom), (at, bottom + 6.0), solid(Ink::Faint, 1.0));
        figure.text((at, bottom + 10.0 + SIZE), Anchor::Middle, SIZE, n.to_string());
    }
    figure.rectangle((LEFT, TOP), (PLOT_WIDTH, PLOT_HEIGHT), None, Some(solid(Ink::Faint, 1.0)));
    if timeout > 0.0 && timeout.is_finite() {
        let at = y.place(timeout);
        figure.line((LEFT, at), (right, at), Stroke { ink: Ink::Faint, width: 1.0, dashes: &[4.0, 3.0] });
        figure.text((LEFT + 6.0, at - 4.0), Anchor::Start, SIZE - 2.0, format!("timeout {}", seconds(timeout))).ink =
            Ink::Faint;
    }
    figure.text(
        (LEFT + PLOT_WIDTH / 2.0, bottom + BOTTOM - 12.0),
        Anchor::Middle,
        SIZE + 1.0,
        "n-th fastest right answer",
    );
    figure.text((18.0, TOP + PLOT_HEIGHT / 2.0), Anchor::Middle, SIZE + 1.0, "CPU time").upwards = true;
}

fn draw(figure: &mut Figure, series: &Series, y: &LogScale, x: &dyn Fn(f64) -> f64) {
    let (stroke, marker) = look(series.index);
    let points: Vec<(f64, f64)> =
        series.times.iter().enumerate().map(|(i, t)| (x(i as f64 + 1.0), y.place(*t))).collect();
    let Some(&last) = points.last() else { return };
    figure.polyline(points.clone(), stroke);
    // Lines that run together carry their markers at different places.
    let step = points.len().div_ceil(MARKERS).max(1);
    let first = (series.index * 2) % step.max(1);
    for point in points.iter().skip(first).step_by(step).filter(|p| last.0 - p.0 > 8.0) {
        mark(figure, marker, *point, 3.5, stroke.ink, Some(Ink::Paper));
    }
    mark(figure, marker, last, 4.0, stroke.ink, Some(Ink::Paper));
}
