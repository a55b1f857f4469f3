//! How series are told apart: by colour, and for those who see or print no colours by dashes and markers.

use super::figure::{Figure, Ink, Shape, Stroke, solid};

/// Colours that people with any kind of colour blindness tell apart (Okabe and Ito), without yellow, which is lost on white; dark enough for lines.
const COLOURS: [Ink; 7] = [
    Ink::Rgb(0x00, 0x72, 0xb2),
    Ink::Rgb(0xd5, 0x5e, 0x00),
    Ink::Rgb(0x00, 0x9e, 0x73),
    Ink::Rgb(0xcc, 0x79, 0xa7),
    Ink::Rgb(0xe6, 0x9f, 0x00),
    Ink::Rgb(0x56, 0xb4, 0xe9),
    Ink::Text,
];
const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[2.5, 2.5], &[8.0, 3.0, 2.0, 3.0]];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Down,
    Cross,
}
const MARKERS: [Marker; 6] =
    [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Down, Marker::Cross];

pub const RIGHT_TRUE: Ink = Ink::Rgb(0x00, 0x72, 0xb2);
pub const RIGHT_FALSE: Ink = Ink::Rgb(0xd5, 0x5e, 0x00);
pub const WRONG: Ink = Ink::Rgb(0xc0, 0x10, 0x30);

/// The looks of the `index`-th series. The three periods have no common divisor that would repeat a look early.
pub fn look(index: usize) -> (Stroke, Marker) {
    let dashes = DASHES[index % DASHES.len()];
    let stroke = Stroke { ink: COLOURS[index % COLOURS.len()], width: 1.8, dashes };
    (stroke, MARKERS[index % MARKERS.len()])
}

pub fn mark(figure: &mut Figure, marker: Marker, (x, y): (f64, f64), size: f64, ink: Ink, fill: Option<Ink>) {
    let stroke = Some(solid(ink, 1.3));
    let r = size;
    let corners: &[(f64, f64)] = match marker {
        Marker::Circle => {
            figure.shapes.push(Shape::Circle { at: (x, y), radius: r * 0.9, fill, stroke });
            return;
        }
        Marker::Cross => {
            figure.line((x - r * 0.8, y - r * 0.8), (x + r * 0.8, y + r * 0.8), solid(ink, 1.6));
            figure.line((x - r * 0.8, y + r * 0.8), (x + r * 0.8, y - r * 0.8), solid(ink, 1.6));
            return;
        }
        Marker::Square => &[(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)],
        Marker::Triangle => &[(0.0, -1.0), (0.95, 0.75), (-0.95, 0.75)],
        Marker::Down => &[(0.0, 1.0), (0.95, -0.75), (-0.95, -0.75)],
        Marker::Diamond => &[(0.0, -1.1), (1.1, 0.0), (0.0, 1.1), (-1.1, 0.0)],
    };
    let points = corners.iter().map(|(dx, dy)| (x + r * dx, y + r * dy)).collect();
    figure.shapes.push(Shape::Path { points, closed: true, fill, stroke });
}

/// From light to dark blue with the share; the second is the colour of text on it.
pub fn heat(share: f64) -> (Ink, Ink) {
    const STOPS: [(f64, f64, f64); 5] = [
        (247.0, 244.0, 236.0),
        (199.0, 220.0, 226.0),
        (124.0, 177.0, 205.0),
        (52.0, 121.0, 174.0),
        (14.0, 58.0, 112.0),
    ];
    let at = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let i = (at as usize).min(STOPS.len() - 2);
    let mix = |a: f64, b: f64| (a + (b - a) * (at - i as f64)).round() as u8;
    let (a, b) = (STOPS[i], STOPS[i + 1]);
    let ink = Ink::Rgb(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2));
    let text = if share > 0.68 { Ink::Rgb(255, 255, 255) } else { Ink::Rgb(0x1c, 0x1e, 0x21) };
    (ink, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_differ() {
        let looks: Vec<_> = (0..84).map(look).collect();
        for i in 0..looks.len() {
            assert!(!looks[i + 1..].contains(&looks[i]), "{i}");
        }
    }

    #[test]
    fn the_ends_of_the_heat_scale() {
        assert_eq!(heat(0.0).0, Ink::Rgb(247, 244, 236));
        assert_eq!(heat(1.0).0, Ink::Rgb(14, 58, 112));
        assert_eq!(heat(f64::NAN.max(0.0)).0, heat(0.0).0);
    }
}
