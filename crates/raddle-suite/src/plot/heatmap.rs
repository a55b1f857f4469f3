//! Configurations by categories: the share of right answers as a colour, and the number of them.

use super::figure::{Anchor, Figure, Ink, solid};
use super::palette::{WRONG, heat};
use super::stroke_font::text_width;
use crate::record::Record;
use crate::report::matrix::Matrix;

const CELL: (f64, f64) = (62.0, 34.0);
const SIZE: f64 = 12.0;
const PADDING: f64 = 14.0;
const GAP: f64 = 8.0;
const SCALE_STEPS: usize = 50;
const SCALE_WIDTH: f64 = 200.0;
const SCALE_LABEL: &str = "share of right answers";

/// What stands in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Share {
    runs: usize,
    right: usize,
    wrong: usize,
}

fn share<'a>(runs: impl Iterator<Item = &'a Record>) -> Share {
    runs.fold(Share::default(), |s, r| Share {
        runs: s.runs + 1,
        right: s.right + usize::from(r.is_right()),
        wrong: s.wrong + usize::from(r.is_wrong()),
    })
}

pub fn heatmap(results: &Matrix) -> Figure {
    let categories = results.categories();
    let mut rows: Vec<(String, Vec<Share>)> = Vec::new();
    for category in &categories {
        let tasks: Vec<usize> = (0..results.tasks.len()).filter(|t| results.tasks[*t].category == *category).collect();
        let cells = results.runs.iter().map(|runs| share(tasks.iter().filter_map(|t| runs[*t].as_ref()))).collect();
        rows.push((format!("{category} ({})", tasks.len()), cells));
    }
    if categories.len() > 1 {
        let cells = (0..results.configurations.len()).map(|c| share(results.runs_of(c))).collect();
        rows.push((format!("all ({})", results.tasks.len()), cells));
    }
    let columns: Vec<&str> = results.configurations.iter().map(|c| c.name.as_str()).collect();
    draw(&rows, &columns)
}

fn draw(rows: &[(String, Vec<Share>)], columns: &[&str]) -> Figure {
    let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(|t| text_width(t, SIZE)).fold(0.0, f64::max) * 1.06;
    let left = PADDING + widest(&mut rows.iter().map(|r| r.0.as_str())) + 10.0;
    // Names stand upright above their columns where they are wider than these.
    let upright = widest(&mut columns.iter().copied()) > CELL.0 - 4.0;
    let top = PADDING + if upright { widest(&mut columns.iter().copied()) + 8.0 } else { SIZE + 8.0 };
    let mut figure = Figure::new("Right answers of each configuration in each category");
    let width = columns.len() as f64 * CELL.0;
    figure.width = left + width.max(SCALE_WIDTH + 20.0 + text_width(SCALE_LABEL, SIZE - 1.0) * 1.06) + PADDING;

    for (c, name) in columns.iter().enumerate() {
        let middle = left + (c as f64 + 0.5) * CELL.0;
        if upright {
            figure.text((middle + SIZE * 0.36, top - 8.0), Anchor::Start, SIZE, *name).upwards = true;
        } else {
            figure.text((middle, top - 8.0), Anchor::Middle, SIZE, *name);
        }
    }
    let mut y = top;
    for (i, (name, cells)) in rows.iter().enumerate() {
        let total = rows.len() > 1 && i + 1 == rows.len();
        if total {
            y += GAP;
        }
        figure.text((left - 10.0, y + CELL.1 / 2.0 + SIZE * 0.36), Anchor::End, SIZE, name).bold = total;
        let best = cells.iter().map(|c| c.right).max().unwrap_or(0);
        for (c, cell) in cells.iter().enumerate() {
            draw_cell(&mut figure, (left + c as f64 * CELL.0, y), *cell, cell.right == best && best > 0);
        }
        y += CELL.1;
    }
    figure.height = y + scale(&mut figure, left, y + 22.0) + PADDING;
    figure
}

fn draw_cell(figure: &mut Figure, (x, y): (f64, f64), cell: Share, best: bool) {
    let middle = (x + CELL.0 / 2.0, y + CELL.1 / 2.0);
    if cell.runs == 0 {
        figure.rectangle((x, y), CELL, None, Some(solid(Ink::Grid, 1.0)));
        figure.text((middle.0, middle.1 + SIZE * 0.36), Anchor::Middle, SIZE, "–").ink = Ink::Faint;
        return;
    }
    let (fill, ink) = heat(cell.right as f64 / cell.runs as f64);
    figure.rectangle((x, y), CELL, Some(fill), Some(solid(Ink::Paper, 1.0)));
    let up = if cell.wrong > 0 { 5.0 } else { 0.0 };
    let text = figure.text((middle.0, middle.1 + SIZE * 0.36 - up), Anchor::Middle, SIZE, cell.right.to_string());
    (text.ink, text.bold) = (ink, best);
    if cell.wrong > 0 {
        // A wrong answer must be seen on any blue.
        figure.rectangle((x + 4.0, y + CELL.1 - 14.0), (CELL.0 - 8.0, 12.0), Some(WRONG), None);
        let text =
            figure.text((middle.0, y + CELL.1 - 4.5), Anchor::Middle, SIZE - 3.0, format!("{} wrong", cell.wrong));
        (text.ink, text.bold) = (Ink::Rgb(255, 255, 255), true);
    }
}

/// What the colours mean; returns the height that it takes from the rows on.
fn scale(figure: &mut Figure, left: f64, top: f64) -> f64 {
    let height = 11.0;
    let step = SCALE_WIDTH / SCALE_STEPS as f64;
    for i in 0..SCALE_STEPS {
        let (fill, _) = heat((i as f64 + 0.5) / SCALE_STEPS as f64);
        // Without the overlap, seams would show.
        figure.rectangle((left + i as f64 * step, top), (step + 0.4, height), Some(fill), None);
    }
    for percent in [0, 50, 100] {
        let x = left + SCALE_WIDTH * f64::from(percent) / 100.0;
        figure.line((x, top + height), (x, top + height + 4.0), solid(Ink::Faint, 1.0));
        figure.text((x, top + height + 17.0), Anchor::Middle, SIZE - 2.0, format!("{percent} %")).ink = Ink::Faint;
    }
    let beside = (left + SCALE_WIDTH + 20.0, top + height - 1.0);
    figure.text(beside, Anchor::Start, SIZE - 1.0, SCALE_LABEL).ink = Ink::Faint;
    22.0 + height + 22.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_without_runs_are_no_zero() {
        let rows = vec![("a (2)".to_owned(), vec![Share { runs: 2, right: 1, wrong: 0 }, Share::default()])];
        let figure = draw(&rows, &["x", "y"]);
        let texts: Vec<&str> = figure
            .shapes
            .iter()
            .filter_map(|s| match s {
                super::super::figure::Shape::Text(t) => Some(t.text.as_str()),
                _ => None,
            })
            .collect();
        assert!(texts.contains(&"1") && texts.contains(&"–"));
    }
}
