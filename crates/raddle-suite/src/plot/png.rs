//! A figure as PNG, with letters of the stroke font.

use super::figure::{Anchor, Figure, Ink, Shape, Stroke, Text};
use super::stroke_font::{strokes, text_width};
use super::svg::on_white;
use crate::error::{Error, Result, bail};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke as Pen, StrokeDash, Transform,
};

/// Pixels for a unit of the figure, so that plots are sharp on paper and on dense screens.
const SCALE: f64 = 2.0;

pub fn png(figure: &Figure) -> Result<Vec<u8>> {
    let side = |length: f64| (length * SCALE).ceil().max(1.0) as u32;
    let (width, height) = (side(figure.width), side(figure.height));
    let Some(mut pixmap) = Pixmap::new(width, height) else {
        bail!("{width} x {height} pixels are too many for a PNG");
    };
    pixmap.fill(Color::WHITE);
    for shape in &figure.shapes {
        match shape {
            Shape::Path { points, closed, fill, stroke } => {
                if let Some(path) = path(std::slice::from_ref(points), *closed) {
                    draw(&mut pixmap, &path, *fill, *stroke);
                }
            }
            Shape::Circle { at, radius, fill, stroke } => {
                if let Some(path) = PathBuilder::from_circle(at.0 as f32, at.1 as f32, *radius as f32) {
                    draw(&mut pixmap, &path, *fill, *stroke);
                }
            }
            Shape::Text(text) => {
                let width = text.size * if text.bold { 0.125 } else { 0.085 };
                if let Some(path) = path(&letters(text), false) {
                    draw(&mut pixmap, &path, None, Some(Stroke { ink: text.ink, width, dashes: &[] }));
                }
            }
        }
    }
    pixmap.encode_png().map_err(|e| Error(format!("the PNG cannot be encoded: {e}")))
}

fn draw(pixmap: &mut Pixmap, path: &Path, fill: Option<Ink>, stroke: Option<Stroke>) {
    let scale = Transform::from_scale(SCALE as f32, SCALE as f32);
    if let Some(ink) = fill {
        pixmap.fill_path(path, &paint(ink), FillRule::Winding, scale, None);
    }
    if let Some(stroke) = stroke {
        let dash = StrokeDash::new(stroke.dashes.iter().map(|d| *d as f32).collect(), 0.0);
        // Round ends would close the gaps between dashes.
        let line_cap = if dash.is_some() { LineCap::Butt } else { LineCap::Round };
        let width = stroke.width as f32;
        let pen = Pen { width, line_cap, line_join: LineJoin::Round, dash, ..Pen::default() };
        pixmap.stroke_path(path, &paint(stroke.ink), &pen, scale, None);
    }
}

fn paint(ink: Ink) -> Paint<'static> {
    let (r, g, b) = on_white(ink);
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 0xff);
    paint.anti_alias = true;
    paint
}

fn path(polylines: &[Vec<(f64, f64)>], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for polyline in polylines {
        let Some((first, rest)) = polyline.split_first() else { continue };
        builder.move_to(first.0 as f32, first.1 as f32);
        for (i, point) in rest.iter().enumerate() {
            // A line without a length would not be drawn: the dot of an i is as long as it is invisible.
            let nudge = if i == 0 && rest.len() == 1 && point == first { 0.01 } else { 0.0 };
            builder.line_to(point.0 as f32 + nudge, point.1 as f32);
        }
        if closed {
            builder.close();
        }
    }
    builder.finish()
}

fn letters(text: &Text) -> Vec<Vec<(f64, f64)>> {
    let width = text_width(&text.text, text.size);
    let shift = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -width / 2.0,
        Anchor::End => -width,
    };
    let (x0, y0) = text.at;
    let place = |(x, y): (f64, f64)| if text.upwards { (x0 + y, y0 - x - shift) } else { (x0 + x + shift, y0 + y) };
    strokes(&text.text, text.size).into_iter().map(|stroke| stroke.into_iter().map(place).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(figure: &Figure) -> Pixmap {
        Pixmap::decode_png(&png(figure).expect("a small figure")).expect("what was encoded")
    }

    #[test]
    fn letters_leave_ink() {
        let mut figure = Figure::new("");
        (figure.width, figure.height) = (20.0, 20.0);
        let blank = pixels(&figure);
        figure.text((10.0, 15.0), Anchor::Middle, 12.0, "i");
        let dark = |p: &Pixmap| p.pixels().iter().filter(|p| p.red() < 128).count();
        assert_eq!(dark(&blank), 0);
        let lower = |p: &Pixmap, row: u32| (0..40).any(|x| p.pixel(x, row).is_some_and(|p| p.red() < 128));
        let drawn = pixels(&figure);
        assert!(dark(&drawn) > 10);
        // The dot, a gap, and the stem.
        let rows: Vec<bool> = (0..40).map(|row| lower(&drawn, row)).collect();
        assert_eq!(rows.windows(2).filter(|w| w[0] != w[1]).count(), 4);
    }

    #[test]
    fn upwards_text_is_tall() {
        let mut figure = Figure::new("");
        (figure.width, figure.height) = (60.0, 60.0);
        let text = figure.text((30.0, 50.0), Anchor::Start, 10.0, "mmmm").clone();
        let Shape::Text(turned) = &mut figure.shapes[0] else { unreachable!() };
        turned.upwards = true;
        let extent = |strokes: &[Vec<(f64, f64)>]| {
            let ys: Vec<f64> = strokes.concat().iter().map(|p| p.1).collect();
            ys.iter().copied().fold(f64::MIN, f64::max) - ys.iter().copied().fold(f64::MAX, f64::min)
        };
        assert!(extent(&letters(turned)) > 3.0 * extent(&letters(&text)));
    }

    #[test]
    fn too_large_is_an_error() {
        let mut figure = Figure::new("");
        (figure.width, figure.height) = (1e9, 1e9);
        assert!(png(&figure).is_err());
    }
}
