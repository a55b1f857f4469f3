//! A figure as SVG.

use super::figure::{Anchor, Figure, Ink, Shape, Stroke, Text};
use crate::escape::escape;
use std::fmt::Write;

/// Where the drawing will be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A file of its own: dark on white.
    File,
    /// Inside a page, whose style sheet says what `--text`, `--faint`, `--grid` and `--paper` are.
    Page,
}

pub fn svg(figure: &Figure, place: Place) -> String {
    let (w, h) = (number(figure.width), number(figure.height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
         font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n<title>{}</title>\n",
        escape(&figure.title)
    );
    if place == Place::File {
        let _ = writeln!(out, "<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>");
    }
    for shape in &figure.shapes {
        match shape {
            Shape::Path { points, closed, fill, stroke } => {
                let tag = if *closed { "polygon" } else { "polyline" };
                let points: Vec<String> =
                    points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
                let _ = writeln!(out, "<{tag} points=\"{}\"{}/>", points.join(" "), paint(*fill, *stroke, place));
            }
            Shape::Circle { at, radius, fill, stroke } => {
                let (x, y, r) = (number(at.0), number(at.1), number(*radius));
                let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{}/>", paint(*fill, *stroke, place));
            }
            Shape::Text(text) => out.push_str(&label(text, place)),
        }
    }
    out.push_str("</svg>\n");
    out
}

fn label(text: &Text, place: Place) -> String {
    let (x, y) = (number(text.at.0), number(text.at.1));
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let turn = if text.upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let weight = if text.bold { " font-weight=\"bold\"" } else { "" };
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\"{}{anchor}{weight}{turn}>{}</text>\n",
        number(text.size),
        colours([("fill", text.ink)].into_iter(), place),
        escape(&text.text)
    )
}

fn paint(fill: Option<Ink>, stroke: Option<Stroke>, place: Place) -> String {
    let inks = [("fill", fill), ("stroke", stroke.map(|s| s.ink))];
    let mut out = colours(inks.into_iter().filter_map(|(name, ink)| Some((name, ink?))), place);
    if fill.is_none() {
        out.push_str(" fill=\"none\"");
    }
    if let Some(stroke) = stroke {
        let _ = write!(out, " stroke-width=\"{}\" stroke-linejoin=\"round\"", number(stroke.width));
        if !stroke.dashes.is_empty() {
            let dashes: Vec<String> = stroke.dashes.iter().map(|d| number(*d)).collect();
            let _ = write!(out, " stroke-dasharray=\"{}\"", dashes.join(" "));
        }
    }
    out
}

/// Variables of a style sheet are known to `style`, of which an element has one, not to presentation attributes.
fn colours(inks: impl Iterator<Item = (&'static str, Ink)>, place: Place) -> String {
    let (mut attributes, mut style) = (String::new(), Vec::new());
    for (name, ink) in inks {
        match (place, variable(ink)) {
            (Place::Page, Some(variable)) => style.push(format!("{name}:var({variable})")),
            _ => {
                let (r, g, b) = on_white(ink);
                let _ = write!(attributes, " {name}=\"#{r:02x}{g:02x}{b:02x}\"");
            }
        }
    }
    if !style.is_empty() {
        let _ = write!(attributes, " style=\"{}\"", style.join(";"));
    }
    attributes
}

fn variable(ink: Ink) -> Option<&'static str> {
    match ink {
        Ink::Text => Some("--text"),
        Ink::Faint => Some("--faint"),
        Ink::Grid => Some("--grid"),
        Ink::Paper => Some("--paper"),
        Ink::Rgb(..) => None,
    }
}

/// The colours of a drawing on white paper.
pub fn on_white(ink: Ink) -> (u8, u8, u8) {
    match ink {
        Ink::Text => (0x1c, 0x1e, 0x21),
        Ink::Faint => (0x60, 0x66, 0x6d),
        Ink::Grid => (0xe1, 0xe4, 0xe8),
        Ink::Paper => (0xff, 0xff, 0xff),
        Ink::Rgb(r, g, b) => (r, g, b),
    }
}

/// Two decimals are finer than any screen; zeros at the end say nothing.
fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::figure::solid;
    use super::*;

    fn figure() -> Figure {
        let mut figure = Figure::new("a < b");
        (figure.width, figure.height) = (100.0, 50.5);
        figure.line((0.0, -0.001), (10.0, 20.25), solid(Ink::Text, 1.0));
        figure.text((5.0, 5.0), Anchor::Middle, 12.0, "x & <y>").upwards = true;
        figure
    }

    #[test]
    fn a_file_has_its_own_colours() {
        let text = svg(&figure(), Place::File);
        assert!(text.contains("<title>a &lt; b</title>"));
        assert!(text.contains("points=\"0,0 10,20.25\" stroke=\"#1c1e21\" fill=\"none\""));
        assert!(text.contains("transform=\"rotate(-90 5 5)\">x &amp; &lt;y&gt;</text>"));
    }

    #[test]
    fn in_a_page_the_style_sheet_decides() {
        let text = svg(&figure(), Place::Page);
        assert!(text.contains("style=\"stroke:var(--text)\""));
        assert!(!text.contains("#ffffff"));
    }

    #[test]
    fn fill_and_stroke_of_the_page_share_no_attribute() {
        let mut figure = figure();
        figure.rectangle((0.0, 0.0), (1.0, 1.0), Some(Ink::Paper), Some(solid(Ink::Grid, 1.0)));
        let text = svg(&figure, Place::Page);
        assert!(text.lines().all(|line| line.matches("style=").count() <= 1), "{text}");
    }
}
