//! The scatter plot: two tools, a mark a task. Marks below the diagonal are faster with the second, marks on the outer lines are solved by one alone.

use super::scale::Scale;
use super::svg::{Anchor, Svg};

/// A task of both.
pub struct Point {
    /// Seconds of the first, if it solved the task.
    pub across: Option<f64>,
    /// Seconds of the second.
    pub up: Option<f64>,
    /// Whether the task is safe.
    pub is_safe: bool,
}

const SIZE: f64 = 520.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 45.0;
const BOTTOM: f64 = SIZE - 60.0;
const RIGHT: f64 = LEFT + (BOTTOM - TOP);
/// Where the marks of unsolved tasks are, beyond the longest time.
const BEYOND: f64 = 18.0;
const SAFE: &str = "#0072b2";
const UNSAFE: &str = "#d55e00";

/// The picture.
pub fn scatter(across: &str, up: &str, points: &[Point]) -> String {
    let mut svg = Svg::new(RIGHT + 40.0, SIZE);
    let times = points.iter().flat_map(|point| [point.across, point.up]).flatten();
    let longest = times.fold(1.0, f64::max) * 1.05;
    let (x, y) = (Scale::new(longest, LEFT, RIGHT - BEYOND), Scale::new(longest, BOTTOM, TOP + BEYOND));
    for ((x, name), (y, _)) in x.marks().into_iter().zip(y.marks()) {
        svg.line((x, TOP), (x, BOTTOM), "#e9e9e9", None);
        svg.line((LEFT, y), (RIGHT, y), "#e9e9e9", None);
        svg.text((x, BOTTOM + 20.0), Anchor::Middle, "#555555", &name);
        svg.text((LEFT - 8.0, y + 4.0), Anchor::End, "#555555", &name);
    }
    svg.line((x.at(0.0), y.at(0.0)), (x.at(longest), y.at(longest)), "#777777", None);
    // Ten times as fast on either side.
    svg.line((x.at(0.1), y.at(0.0)), (x.at(longest), y.at(longest / 10.0)), "#bbbbbb", Some("4 4"));
    svg.line((x.at(0.0), y.at(0.1)), (x.at(longest / 10.0), y.at(longest)), "#bbbbbb", Some("4 4"));
    svg.line((RIGHT, TOP), (RIGHT, BOTTOM), "#999999", None);
    svg.line((LEFT, TOP), (RIGHT, TOP), "#999999", None);
    svg.line((LEFT, TOP), (LEFT, BOTTOM), "#555555", None);
    svg.line((LEFT, BOTTOM), (RIGHT, BOTTOM), "#555555", None);
    let is_one = |point: &&Point| point.across.is_some() || point.up.is_some();
    for point in points.iter().filter(is_one) {
        let at = (point.across.map_or(RIGHT, |seconds| x.at(seconds)), point.up.map_or(TOP, |seconds| y.at(seconds)));
        if point.is_safe {
            svg.dot(at, 3.6, SAFE);
        } else {
            svg.cross(at, 3.4, UNSAFE);
        }
    }
    let solved = |pick: fn(&Point) -> Option<f64>| points.iter().filter(|point| pick(point).is_some()).count();
    let across = format!("{across} ({} solved; right edge: not solved)", solved(|point| point.across));
    svg.text(((LEFT + RIGHT) / 2.0, SIZE - 18.0), Anchor::Middle, "#222222", &across);
    let up = format!("{up} ({} solved; top edge: not solved)", solved(|point| point.up));
    svg.upright((16.0, (TOP + BOTTOM) / 2.0), "#222222", &up);
    svg.dot((LEFT + 10.0, 24.0), 3.6, SAFE);
    svg.text((LEFT + 20.0, 28.0), Anchor::Start, SAFE, "safe");
    svg.cross((LEFT + 70.0, 24.0), 3.4, UNSAFE);
    svg.text((LEFT + 80.0, 28.0), Anchor::Start, UNSAFE, "unsafe");
    svg.finish()
}

/// Numbers instead of seconds, the second never more than the first: how many of something, and of some of it.
pub fn counts(across: &str, up: &str, points: &[(u64, u64)]) -> String {
    let mut svg = Svg::new(RIGHT + 40.0, SIZE);
    let most = points.iter().map(|point| point.0.max(point.1)).max().unwrap_or(0).max(10) as f64;
    // Zero has a place of its own below one.
    let share = |number: f64| ((number + 1.0).ln() / (most + 1.0).ln()).min(1.0);
    let x = |number: f64| LEFT + share(number) * (RIGHT - LEFT);
    let y = |number: f64| BOTTOM - share(number) * (BOTTOM - TOP);
    let mut mark = 0.0;
    while mark <= most {
        svg.line((x(mark), TOP), (x(mark), BOTTOM), "#e9e9e9", None);
        svg.line((LEFT, y(mark)), (RIGHT, y(mark)), "#e9e9e9", None);
        svg.text((x(mark), BOTTOM + 20.0), Anchor::Middle, "#555555", &format!("{mark:.0}"));
        svg.text((LEFT - 8.0, y(mark) + 4.0), Anchor::End, "#555555", &format!("{mark:.0}"));
        mark = if mark == 0.0 { 1.0 } else { mark * 10.0 };
    }
    svg.line((x(0.0), y(0.0)), (x(most), y(most)), "#777777", None);
    svg.line((LEFT, TOP), (LEFT, BOTTOM), "#555555", None);
    svg.line((LEFT, BOTTOM), (RIGHT, BOTTOM), "#555555", None);
    for &(all, some) in points {
        svg.dot((x(all as f64), y(some as f64)), 3.6, SAFE);
    }
    svg.text(((LEFT + RIGHT) / 2.0, SIZE - 18.0), Anchor::Middle, "#222222", across);
    svg.upright((16.0, (TOP + BOTTOM) / 2.0), "#222222", up);
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_neither_solves_is_left_out() {
        let points = [
            Point { across: Some(0.5), up: Some(2.0), is_safe: true },
            Point { across: None, up: Some(1.0), is_safe: false },
            Point { across: None, up: None, is_safe: true },
        ];
        let text = scatter("a", "b", &points);
        // One mark each, and one each in the legend.
        assert_eq!((text.matches("<circle").count(), text.matches("<path").count()), (2, 2), "{text}");
        assert!(text.contains(">a (1 solved; right edge: not solved)<") && text.contains(">b (2 solved"), "{text}");
        assert!(scatter("a", "b", &[]).ends_with("</svg>\n"));
    }
    #[test]
    fn every_pair_of_numbers_has_its_mark_zeros_too() {
        let text = counts("all", "some", &[(0, 0), (120, 3)]);
        assert_eq!(text.matches("<circle").count(), 2, "{text}");
        assert!(text.contains(">100<") && !text.contains(">1000<"), "{text}");
    }
}
