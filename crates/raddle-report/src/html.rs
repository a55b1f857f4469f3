//! A report as one HTML page that needs nothing else: no network, no other file.
//!
//! What can be computed is computed here and tested here: the happens-before order ([`happens_before`]) and the layout of automata ([`layered`]).
//! The page gets data ([`data`]), and its scripts (`html/*.js`) draw them and answer to keys. The verdict and its explanation are in the markup itself, for a reader without scripts.
//!
//! Sources, names and values are anybody's text. In markup they are escaped; in the data, which are JSON inside a `script` element, no `<`, `>` or `&` is left that
//! could end the element; the scripts make text nodes of them and nothing else. The page's policy permits the two inline elements by their hashes, so even markup that got through would not run.

mod data;
mod happens_before;
mod layered;

use crate::Report;
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("html/page.css");
/// One script, in order: later parts use earlier ones.
const SCRIPTS: [&str; 9] = [
    include_str!("html/dom.js"),
    include_str!("html/model.js"),
    include_str!("html/source.js"),
    include_str!("html/timeline.js"),
    include_str!("html/values.js"),
    include_str!("html/order.js"),
    include_str!("html/automata.js"),
    include_str!("html/statistics.js"),
    include_str!("html/page.js"),
];

/// The page.
pub fn html(report: &Report) -> String {
    let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat());
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(&Sha256::digest(STYLE.as_bytes())),
        base64(&Sha256::digest(script.as_bytes())),
    );
    let (class, mark, words) = headline(&report.verdict);
    let file = report.sources.first().map_or("", |source| source.path.as_str());
    let [file, verdict, property] = [file, &report.verdict, &report.property].map(escaped);
    let explanation = explanation(report);
    let data = data::json(report);
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<meta name=\"generator\" content=\"Raddle {version}\">
<title>{verdict} · {file}</title>
<style>{STYLE}</style>
</head>
<body class=\"{class}\">
<a class=\"skip\" href=\"#main\">Skip to the report</a>
<header class=\"verdict\">
<div class=\"brand\"><p><b>Raddle</b> <span class=\"path\">{file}</span></p><div id=\"contents\"></div></div>
<h1><span class=\"mark\" aria-hidden=\"true\">{mark}</span><span>{words}</span> <code>{property}</code></h1>
{explanation}
<div id=\"facts\"></div>
</header>
<main id=\"main\"><noscript><p>The rest of this report is drawn by scripts, which are switched off here.</p></noscript></main>
<footer>Written by Raddle {version}. The verdict line: <code>{verdict}</code>.</footer>
<script type=\"application/json\" id=\"data\">{data}</script>
<script>{script}</script>
</body>
</html>
",
        version = env!("CARGO_PKG_VERSION"),
    )
}

/// How a verdict is shown: a class for its colour, a sign, and words, so that colour is not all that tells them apart.
fn headline(verdict: &str) -> (&'static str, &'static str, &'static str) {
    match verdict.split('(').next() {
        Some("true") => ("holds", "✓", "The property holds"),
        Some("false") => ("violated", "✗", "The property is violated"),
        _ => ("unknown", "?", "No verdict"),
    }
}

/// The explanation. One of a violation begins with its words; lines after the first are an excerpt of the source.
fn explanation(report: &Report) -> String {
    let (first, rest) = report.explanation.split_once('\n').unwrap_or((&report.explanation, ""));
    let mut letters = first.chars();
    let sentence = match letters.next() {
        Some(letter) if report.story.is_some() => letter.to_uppercase().chain(letters).collect(),
        _ => first.to_owned(),
    };
    let excerpt = match rest.is_empty() {
        true => String::new(),
        false => format!("\n<pre class=\"excerpt\">{}</pre>", escaped(rest)),
    };
    format!("<p class=\"why\">{}</p>{excerpt}", escaped(&sentence))
}

/// Text for markup.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            // The parser of HTML refuses it.
            '\0' => result.push('\u{fffd}'),
            c => result.push(c),
        }
    }
    result
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut result = String::new();
    for chunk in bytes.chunks(3) {
        let group = (0..3).fold(0, |group, i| group << 8 | u32::from(chunk.get(i).copied().unwrap_or(0)));
        for i in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * i)) as usize & 63];
            result.push(if i <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_written_as_the_policy_wants_them() {
        assert_eq!(
            ["", "f", "fo", "foo", "foobar"].map(|text| base64(text.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYmFy"]
        );
    }
}
