//! Times and sizes, as people write and read them.

/// Seconds: `900s`, `15min`, `1h`, `250ms`, or a plain number.
pub fn parse_time(text: &str) -> Result<f64, String> {
    let (number, unit) = split_unit(text)?;
    let seconds = match unit.as_str() {
        "" | "s" => number,
        "ms" => number / 1000.0,
        "min" | "m" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{text}` is no time: write 900s, 15min or 1h")),
    };
    if seconds > 0.0 { Ok(seconds) } else { Err(format!("`{text}` is no time at all: write 900s, 15min or 1h")) }
}

/// Bytes: `15GB`, `512MB`, `2GiB`, or a plain number.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text)?;
    let factor = match unit.as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{text}` is no size: write 15GB or 512MB")),
    };
    let bytes = (number * factor) as u64;
    if bytes > 0 { Ok(bytes) } else { Err(format!("`{text}` is no size: write 15GB or 512MB")) }
}

fn split_unit(text: &str) -> Result<(f64, String), String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..split].parse().map_err(|_| format!("`{text}` does not begin with a number"))?;
    Ok((number.min(1e15), text[split..].trim().to_lowercase()))
}

/// Three digits are enough to compare.
pub fn show_seconds(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.2}"),
        s if s < 100.0 => format!("{s:.1}"),
        s => format!("{s:.0}"),
    }
}

pub fn show_megabytes(bytes: u64) -> String {
    format!("{:.0}", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        assert_eq!(parse_time("1.5min"), Ok(90.0));
        assert_eq!(parse_time("250ms"), Ok(0.25));
        assert_eq!(parse_time("20"), Ok(20.0));
        for bad in ["soon", "0s", "3 fortnights", "", "1.2.3s"] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_size("8GB"), Ok(8_000_000_000));
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert!(parse_size("-1GB").is_err());
        assert_eq!(show_seconds(2.345678), "2.35");
        assert_eq!(show_seconds(1234.5), "1234");
    }
}
