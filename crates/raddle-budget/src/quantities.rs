//! Times and sizes, as people write and read them.

use std::time::Duration;

/// `900s`, `15min`, `1h`, `250ms`, or seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text)?;
    let seconds = match unit.as_str() {
        "" | "s" => number,
        "ms" => number / 1000.0,
        "min" | "m" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{text}` is no time: write 900s, 15min or 1h")),
    };
    let time = Duration::from_secs_f64(seconds);
    if time.is_zero() { Err(format!("`{text}` is no time at all: write 900s, 15min or 1h")) } else { Ok(time) }
}

/// `15GB`, `512MB`, `2GiB`, or bytes.
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
    if bytes == 0 { Err(format!("`{text}` is no size: write 15GB or 512MB")) } else { Ok(bytes) }
}

/// The number, which no unit can make too large for a `Duration`, and the unit in lower case.
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
    fn times() {
        assert_eq!(parse_time("900s"), Ok(Duration::from_secs(900)));
        assert_eq!(parse_time("1.5min"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_time("20"), Ok(Duration::from_secs(20)));
        assert!(parse_time("99999999999999999999999h").is_ok());
        for bad in ["soon", "0s", "0.0000000001s", "3 fortnights", "", "1.2.3s", "-1s"] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
        assert_eq!(show_seconds(2.345678), "2.35");
        assert_eq!(show_seconds(1234.5), "1234");
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("15GB"), Ok(15_000_000_000));
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert_eq!(parse_size("15"), Ok(15));
        for bad in ["-1GB", "0", "1YB", ""] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
        assert_eq!(show_megabytes(5_400_000), "5");
    }
}
