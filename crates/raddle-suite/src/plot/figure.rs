//! What a plot consists of, before it is a file: a list of shapes, drawn in order.
//!
//! Plots are described once. `svg` and `png` draw the same description, so that both look the same. The origin is the top left corner, and a unit is a
//! pixel of a screen of the usual density.

/// A colour by its purpose where the page decides (light or dark), by its value where the plot decides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ink {
    Text,
    /// Frames, ticks and secondary labels.
    Faint,
    Grid,
    Paper,
    Rgb(u8, u8, u8),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stroke {
    pub ink: Ink,
    pub width: f64,
    /// Lengths of dashes and gaps; empty for a solid line.
    pub dashes: &'static [f64],
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Text {
    /// On the baseline.
    pub at: (f64, f64),
    pub text: String,
    pub size: f64,
    pub ink: Ink,
    pub anchor: Anchor,
    /// Reads from bottom to top.
    pub upwards: bool,
    pub bold: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    Path { points: Vec<(f64, f64)>, closed: bool, fill: Option<Ink>, stroke: Option<Stroke> },
    Circle { at: (f64, f64), radius: f64, fill: Option<Ink>, stroke: Option<Stroke> },
    Text(Text),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    pub width: f64,
    pub height: f64,
    /// What a reader who cannot see the plot is told.
    pub title: String,
    pub shapes: Vec<Shape>,
}

pub fn solid(ink: Ink, width: f64) -> Stroke {
    Stroke { ink, width, dashes: &[] }
}

impl Figure {
    pub fn new(title: impl Into<String>) -> Figure {
        Figure { width: 0.0, height: 0.0, title: title.into(), shapes: Vec::new() }
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        self.polyline(vec![from, to], stroke);
    }

    pub fn polyline(&mut self, points: Vec<(f64, f64)>, stroke: Stroke) {
        self.shapes.push(Shape::Path { points, closed: false, fill: None, stroke: Some(stroke) });
    }

    pub fn rectangle(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), fill: Option<Ink>, stroke: Option<Stroke>) {
        let points = vec![(x, y), (x + w, y), (x + w, y + h), (x, y + h)];
        self.shapes.push(Shape::Path { points, closed: true, fill, stroke });
    }

    /// Ordinary text; the result may be adjusted.
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, size: f64, text: impl Into<String>) -> &mut Text {
        let text = Text { at, text: text.into(), size, ink: Ink::Text, anchor, upwards: false, bold: false };
        self.shapes.push(Shape::Text(text));
        match self.shapes.last_mut() {
            Some(Shape::Text(text)) => text,
            _ => unreachable!("a text was pushed just now"),
        }
    }
}
