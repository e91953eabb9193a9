//! Seconds on an axis: equal ratios are equal lengths.

/// Less than this is shown as this: below it a run is mostly the start of the process.
const SHORTEST: f64 = 0.01;

/// A logarithmic scale between two points of an axis.
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// The scale from the shortest time to the longest, from the first point to the second.
    pub fn new(longest: f64, from: f64, to: f64) -> Scale {
        Scale { low: SHORTEST.log10(), high: longest.max(SHORTEST * 10.0).log10(), from, to }
    }
    /// Where this time is.
    pub fn at(&self, seconds: f64) -> f64 {
        let share = (seconds.max(SHORTEST).log10() - self.low) / (self.high - self.low);
        self.from + share.min(1.0) * (self.to - self.from)
    }
    /// Times to mark, with their names.
    pub fn marks(&self) -> Vec<(f64, String)> {
        let mut marks = Vec::new();
        let mut seconds = SHORTEST;
        while seconds.log10() <= self.high + 1e-9 {
            let name = if seconds >= 1.0 {
                format!("{seconds:.0} s")
            } else {
                format!("{} s", (seconds * 100.0).round() / 100.0)
            };
            marks.push((self.at(seconds), name));
            seconds *= 10.0;
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ratios_are_equal_lengths() {
        let scale = Scale::new(100.0, 0.0, 400.0);
        assert!((scale.at(0.1) - 100.0).abs() < 1e-6 && (scale.at(1.0) - 200.0).abs() < 1e-6);
        assert_eq!((scale.at(0.0), scale.at(1e9)), (0.0, 400.0));
        let names: Vec<String> = scale.marks().into_iter().map(|mark| mark.1).collect();
        assert_eq!(names, ["0.01 s", "0.1 s", "1 s", "10 s", "100 s"]);
    }
}
