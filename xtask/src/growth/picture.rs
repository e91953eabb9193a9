//! Time and memory against lines, both axes logarithmic, a line for each family.

use super::Step;
use crate::plot::COLOURS;
use crate::plot::svg::{Anchor, Svg};

const SIZE: (f64, f64) = (640.0, 420.0);
const LEFT: f64 = 70.0;
const RIGHT: f64 = 500.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 360.0;

/// Processor seconds against lines.
pub fn time(all: &[(&str, Vec<Step>)]) -> String {
    draw(all, "processor seconds", 0.01, |step| step.seconds)
}
/// Peak memory against lines.
pub fn memory(all: &[(&str, Vec<Step>)]) -> String {
    draw(all, "peak memory in MiB", 1.0, |step| step.megabytes as f64)
}

fn draw(all: &[(&str, Vec<Step>)], title: &str, least: f64, value: impl Fn(&Step) -> f64) -> String {
    let mut svg = Svg::new(SIZE.0, SIZE.1);
    let solved = || all.iter().flat_map(|(_, steps)| steps.iter().filter(|step| step.is_solved));
    let most_lines = solved().map(|step| step.lines as f64).fold(100.0, f64::max);
    let most = solved().map(&value).fold(least * 10.0, f64::max);
    let share = |number: f64, low: f64, high: f64| ((number.max(low) / low).ln() / (high / low).ln()).min(1.0);
    let x = |lines: f64| LEFT + share(lines, 10.0, most_lines) * (RIGHT - LEFT);
    let y = |number: f64| BOTTOM - share(number, least, most) * (BOTTOM - TOP);
    for mark in powers(10.0, most_lines) {
        svg.line((x(mark), TOP), (x(mark), BOTTOM), "#e9e9e9", None);
        svg.text((x(mark), BOTTOM + 20.0), Anchor::Middle, "#555555", &format!("{mark:.0}"));
    }
    for mark in powers(least, most) {
        svg.line((LEFT, y(mark)), (RIGHT, y(mark)), "#e9e9e9", None);
        svg.text((LEFT - 8.0, y(mark) + 4.0), Anchor::End, "#555555", &format!("{mark}"));
    }
    svg.line((LEFT, BOTTOM), (RIGHT, BOTTOM), "#555555", None);
    svg.line((LEFT, TOP), (LEFT, BOTTOM), "#555555", None);
    for (number, (name, steps)) in all.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let points: Vec<(f64, f64)> =
            steps.iter().filter(|step| step.is_solved).map(|step| (x(step.lines as f64), y(value(step)))).collect();
        svg.path(&points, colour, 1.8);
        svg.text((RIGHT + 14.0, TOP + 14.0 + 20.0 * number as f64), Anchor::Start, colour, name);
    }
    svg.text(((LEFT + RIGHT) / 2.0, SIZE.1 - 14.0), Anchor::Middle, "#222222", "lines");
    svg.upright((16.0, (TOP + BOTTOM) / 2.0), "#222222", title);
    svg.finish()
}

/// The powers of ten between both, the first included.
fn powers(first: f64, last: f64) -> Vec<f64> {
    std::iter::successors(Some(first), |mark| Some(mark * 10.0)).take_while(|mark| *mark <= last * 1.001).collect()
}
