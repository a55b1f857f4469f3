//! Scales: from figures to places, and where ticks stand.

/// A logarithmic scale of seconds from `low` to `high` on the pixels from `start` to `end`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LogScale {
    pub low: f64,
    pub high: f64,
    pub start: f64,
    pub end: f64,
}

impl LogScale {
    /// What is outside the scale is drawn on its edge, and so is what is no number.
    pub fn place(&self, value: f64) -> f64 {
        let value = value.max(self.low).min(self.high);
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        self.start + share * (self.end - self.start)
    }

    /// The powers of ten, with their labels. A scale of less than three decades has 2 and 5 as well.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let short = self.high / self.low < 1000.0;
        let digits: &[f64] = if short { &[1.0, 2.0, 5.0] } else { &[1.0] };
        self.decades().flat_map(|p| digits.iter().map(move |d| d * p)).filter(|v| self.holds(*v)).map(tick).collect()
    }

    /// Between the powers of ten.
    pub fn minor_ticks(&self) -> Vec<f64> {
        let between = |p: f64| (2..10).map(move |d| f64::from(d) * p);
        self.decades().flat_map(between).filter(|v| self.holds(*v)).collect()
    }

    fn decades(&self) -> impl Iterator<Item = f64> + use<> {
        let exponent = |v: f64| v.log10().floor() as i32;
        (exponent(self.low)..=exponent(self.high) + 1).map(|e| 10f64.powi(e))
    }

    fn holds(&self, value: f64) -> bool {
        (self.low * 0.999..=self.high * 1.001).contains(&value)
    }
}

fn tick(value: f64) -> (f64, String) {
    (value, seconds(value))
}

/// A time as people write it on axes: `10 ms`, `0.5 s`, `60 s`.
pub fn seconds(value: f64) -> String {
    // Powers of ten are not exact below 1.
    let round = |v: f64| (v * 1000.0).round() / 1000.0;
    match value {
        v if v < 0.0995 => format!("{} ms", round(v * 1000.0)),
        v if v < 1e6 => format!("{} s", round(v)),
        v => format!("{v:.0e} s"),
    }
}

/// Clocks tell no less than a millisecond; what takes longer than this is drawn at the edge.
const LEAST: f64 = 0.001;
const MOST: f64 = 1e20;

/// Where a scale for these times begins: a power of ten, or twice or five times one, below the least.
pub fn lower_bound(times: impl Iterator<Item = f64>) -> f64 {
    let least = times.filter(|t| t.is_finite()).fold(f64::INFINITY, f64::min);
    let least = if least.is_finite() { least.clamp(LEAST, MOST) } else { 0.01 };
    let decade = 10f64.powf(least.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|d| d * decade).find(|v| *v <= least * 1.0001).unwrap_or(decade)
}

/// Where it ends: at the timeout, or after it if an answer came later; ten times the beginning at least.
pub fn upper_bound(times: impl Iterator<Item = f64>, timeout: f64, low: f64) -> f64 {
    times.fold(timeout, f64::max).min(MOST).max(low * 10.0)
}

/// Round steps for counts from 0 to `high`, about `wanted` of them.
pub fn count_ticks(high: usize, wanted: usize) -> Vec<usize> {
    let raw = (high as f64 / wanted.max(1) as f64).max(1.0);
    let decade = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|d| d * decade).find(|s| *s >= raw).unwrap_or(raw) as usize;
    (0..=high).step_by(step.max(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_logarithmic() {
        let scale = LogScale { low: 0.01, high: 100.0, start: 0.0, end: 400.0 };
        assert!((scale.place(0.1) - 100.0).abs() < 1e-9);
        assert!((scale.place(10.0) - 300.0).abs() < 1e-9);
        assert_eq!(scale.place(0.0), 0.0);
        assert_eq!(scale.place(f64::INFINITY), 400.0);
        assert_eq!(scale.place(f64::NAN), 0.0);
    }

    #[test]
    fn ticks_are_decades() {
        let scale = LogScale { low: 0.02, high: 60.0, start: 0.0, end: 1.0 };
        let labels: Vec<String> = scale.ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["0.1 s", "1 s", "10 s"]);
        assert_eq!(scale.minor_ticks()[..3], [0.02, 0.03, 0.04]);
    }

    #[test]
    fn a_short_scale_has_more() {
        let scale = LogScale { low: 0.05, high: 2.0, start: 0.0, end: 1.0 };
        let labels: Vec<String> = scale.ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["50 ms", "0.1 s", "0.2 s", "0.5 s", "1 s", "2 s"]);
    }

    #[test]
    fn bounds_are_round() {
        assert!((lower_bound([0.034, 3.0].into_iter()) - 0.02).abs() < 1e-12);
        assert!((lower_bound([0.0].into_iter()) - 0.001).abs() < 1e-12);
        assert!((lower_bound(std::iter::empty()) - 0.01).abs() < 1e-12);
        assert_eq!(upper_bound([3.0, 70.0].into_iter(), 60.0, 0.01), 70.0);
        assert_eq!(upper_bound(std::iter::empty(), 0.0, 0.01), 0.1);
        assert_eq!(upper_bound([f64::NAN, f64::INFINITY].into_iter(), f64::NAN, 0.01), MOST);
    }

    #[test]
    fn counts_go_in_round_steps() {
        assert_eq!(count_ticks(97, 10), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
        assert_eq!(count_ticks(3, 10), [0, 1, 2, 3]);
        assert_eq!(count_ticks(0, 10), [0]);
        assert_eq!(count_ticks(1270, 8), [0, 200, 400, 600, 800, 1000, 1200]);
    }
}
