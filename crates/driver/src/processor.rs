//! How much processor time the process has used, and how many processors there are.

use std::time::Duration;

// law: Linux counts processor time in hundredths of a second.
/// Linux counts processor time for user programs in hundredths of a second, on every machine.
const TICK: Duration = Duration::from_millis(10);

/// The processor time of all threads so far; none where there is no `/proc`.
pub fn used() -> Option<Duration> {
    ticks(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// How many threads can work at the same time.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// User and system time, the 14th and 15th field. The second field is a name in brackets that may contain anything.
fn ticks(stat: &str) -> Option<Duration> {
    let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(11);
    let mut next = || fields.next()?.parse::<u32>().ok();
    Some(TICK * next()?.checked_add(next()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_process_may_contain_anything() {
        let stat = "7 (a) b (c) R 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20\n";
        assert_eq!(ticks(stat), Some(Duration::from_millis(1750)));
        assert_eq!(ticks("7 (a"), None);
    }
}
