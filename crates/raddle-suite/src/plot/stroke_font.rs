//! Letters as polylines, for bitmaps: a machine need not have fonts.
//!
//! A glyph is drawn on a small grid. A point is two digits, column and row; row 2 is the baseline, 7 the height of small letters, 9 that of capitals, 0
//! the depth of descenders. Points without a space between them are one stroke. Widths come close to those of common sans-serif fonts, so the same
//! layout suits SVG, where the viewer chooses the font.

/// A unit of the grid, where the size of the font is 1.
const UNIT: f64 = 0.103;
const BASELINE: f64 = 2.0;
/// In units.
const SPACE: f64 = 2.8;

/// The strokes of a character; a box for those that the font lacks.
fn glyph(c: char) -> &'static str {
    match c {
        ' ' => "",
        '0' => "123243483919080312",
        '1' => "072922 0242",
        '2' => "08193948460242",
        '3' => "08193948473616 364543321203",
        '4' => "32390444",
        '5' => "490906364543321203",
        '6' => "483919080312324345361605",
        '7' => "094912",
        '8' => "16070819394847361605031232434536",
        '9' => "031232434839190806153546",
        'A' => "022942 1535",
        'B' => "02093948473606 3645433202",
        'C' => "4839190803123243",
        'D' => "02092947442202",
        'E' => "49090242 0636",
        'F' => "490902 0636",
        'G' => "48391908031232434525",
        'H' => "0209 4249 0646",
        'I' => "0209",
        'J' => "3933221203",
        'K' => "0209 4905 1642",
        'L' => "090232",
        'M' => "0209356962",
        'N' => "02094249",
        'O' => "124253584919080312",
        'P' => "02093948463505",
        'Q' => "124253584919080312 3452",
        'R' => "02093948463505 2542",
        'S' => "483919080716364543321203",
        'T' => "0949 2922",
        'U' => "090312324349",
        'V' => "092249",
        'W' => "0922374269",
        'X' => "0942 0249",
        'Y' => "092549 2522",
        'Z' => "09490242",
        'a' => "4742 4637170603123243",
        'b' => "0902 0617374643321203",
        'c' => "4637170603123243",
        'd' => "4942 4637170603123243",
        'e' => "05454637170603123243",
        'f' => "39291812 0737",
        'g' => "4741301001 4637170603123243",
        'h' => "0902 0617374642",
        'i' => "0702 0909",
        'j' => "171100 1919",
        'k' => "0902 3704 1532",
        'l' => "0902",
        'm' => "0702 0617273632 3647576662",
        'n' => "0702 0617374642",
        'o' => "123243463717060312",
        'p' => "0700 0617374643321203",
        'q' => "4740 4637170603123243",
        'r' => "0702 052737",
        's' => "46371706153443321203",
        't' => "19132232 0737",
        'u' => "0703123243 4742",
        'v' => "072247",
        'w' => "0722364267",
        'x' => "0742 0247",
        'y' => "0722 4710",
        'z' => "07470242",
        '.' => "0202",
        ',' => "1201",
        ':' => "0202 0606",
        ';' => "1201 1616",
        '!' => "0904 0202",
        '\'' => "0907",
        '"' => "0907 2927",
        '-' => "0535",
        '–' => "0555",
        '_' => "0141",
        '+' => "0545 2723",
        '=' => "0444 0646",
        '/' => "0139",
        '\\' => "0931",
        '(' => "29070321",
        ')' => "09272301",
        '[' => "29090121",
        ']' => "09292101",
        '{' => "29181605141221",
        '}' => "09181625141201",
        '<' => "470543",
        '>' => "074503",
        '|' => "0900",
        '*' => "2824 0745 0547",
        '%' => "0259 0819281708 3344534233",
        '#' => "0444 0747 1219 3239",
        '&' => "420708192938370403122244",
        '@' => "4212030819495854242757",
        '~' => "05163546",
        '^' => "072947",
        '`' => "0918",
        '?' => "08193948472524 2222",
        '$' => "483919080716364543321203 2921",
        '×' => "0347 0743",
        _ => "0209494202",
    }
}

fn points(stroke: &str) -> impl Iterator<Item = (f64, f64)> {
    let digit = |b: u8| f64::from(b.wrapping_sub(b'0'));
    stroke.as_bytes().chunks_exact(2).map(move |p| (digit(p[0]), digit(p[1])))
}

/// The room on both sides of a glyph, in units. Letters as narrow as a stroke need more room around them: the point of `0.1` would drown.
fn bearing(width: f64) -> f64 {
    if width == 0.0 { 1.1 } else { 0.8 }
}

fn width(c: char) -> f64 {
    glyph(c).split(' ').flat_map(points).map(|(x, _)| x).fold(0.0, f64::max)
}

fn advance(c: char) -> f64 {
    if c == ' ' {
        return SPACE;
    }
    width(c) + 2.0 * bearing(width(c))
}

/// How wide a line of text is.
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * UNIT * size
}

/// The strokes of a line of text that begins at the origin and runs to the right; y points down.
pub fn strokes(text: &str, size: f64) -> Vec<Vec<(f64, f64)>> {
    let scale = UNIT * size;
    let mut strokes = Vec::new();
    let mut left = 0.0;
    for c in text.chars() {
        for stroke in glyph(c).split(' ').filter(|s| !s.is_empty()) {
            strokes.push(
                points(stroke).map(|(x, y)| ((left + bearing(width(c)) + x) * scale, (BASELINE - y) * scale)).collect(),
            );
        }
        left += advance(c);
    }
    strokes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_character_has_a_glyph() {
        let missing: String = (' '..='~').filter(|&c| glyph(c) == glyph('\u{fffd}')).collect();
        assert_eq!(missing, "");
        for c in ' '..='~' {
            let well_formed = glyph(c).split(' ').all(|s| s.len() % 2 == 0 && s.bytes().all(|b| b.is_ascii_digit()));
            assert!(well_formed, "{c}");
        }
    }

    #[test]
    fn glyphs_stay_in_their_line() {
        let text: String = (' '..='~').collect();
        let width = text_width(&text, 10.0);
        for (x, y) in strokes(&text, 10.0).concat() {
            assert!((0.0..=width).contains(&x));
            assert!((-7.3..=2.1).contains(&y));
        }
    }

    #[test]
    fn widths_add_up() {
        assert!((text_width("ab", 12.0) - text_width("a", 12.0) - text_width("b", 12.0)).abs() < 1e-9);
    }
}
