//! How long the process has been on a processor: all its threads together, from `/proc`; nothing where there is none.

/// Clock ticks in a second, as Linux counts them for user programs on all machines we know.
const TICKS: f64 = 100.0;

/// Seconds on a processor, of the process as a whole.
pub fn seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses and may contain anything.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / TICKS)
}

/// A line for `--stats`.
pub fn told() -> String {
    seconds().map_or_else(String::new, |seconds| format!("{:<16}{seconds:>10.2} s\n", "on processors"))
}
