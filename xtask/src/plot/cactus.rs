//! The cactus plot: how many tasks each engine solves if each task gets so much time. Further right is better, lower is faster.

use super::COLOURS;
use super::scale::Scale;
use super::svg::{Anchor, Svg};

/// An engine and the seconds of what it solved.
pub struct Curve {
    /// Its name.
    pub name: String,
    /// In any order.
    pub seconds: Vec<f64>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = WIDTH - 150.0;
const TOP: f64 = 45.0;
const BOTTOM: f64 = HEIGHT - 55.0;
/// Names of curves stand at least this far apart.
const LINE: f64 = 16.0;

/// The picture.
pub fn cactus(title: &str, curves: &[Curve]) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let longest = curves.iter().flat_map(|curve| &curve.seconds).copied().fold(1.0, f64::max);
    let most = curves.iter().map(|curve| curve.seconds.len()).max().unwrap_or(0).max(1);
    let scale = Scale::new(longest * 1.1, BOTTOM, TOP);
    let across = |count: usize| LEFT + (RIGHT - LEFT) * count as f64 / most as f64;
    svg.text(((LEFT + RIGHT) / 2.0, 24.0), Anchor::Middle, "#222222", title);
    for (y, name) in scale.marks() {
        svg.line((LEFT, y), (RIGHT, y), "#e4e4e4", None);
        svg.text((LEFT - 8.0, y + 4.0), Anchor::End, "#555555", &name);
    }
    let step = nice_step(most);
    for count in (0..=most).step_by(step) {
        let x = across(count);
        svg.line((x, BOTTOM), (x, BOTTOM + 5.0), "#555555", None);
        svg.text((x, BOTTOM + 20.0), Anchor::Middle, "#555555", &count.to_string());
    }
    svg.line((LEFT, BOTTOM), (RIGHT, BOTTOM), "#555555", None);
    svg.text(((LEFT + RIGHT) / 2.0, HEIGHT - 14.0), Anchor::Middle, "#222222", "tasks solved");
    svg.upright((18.0, (TOP + BOTTOM) / 2.0), "#222222", "processor time for a task");
    let mut names = Vec::new();
    for (index, curve) in curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let mut seconds = curve.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let points: Vec<(f64, f64)> =
            seconds.iter().enumerate().map(|(index, &seconds)| (across(index + 1), scale.at(seconds))).collect();
        let end = points.last().copied().unwrap_or((LEFT, BOTTOM));
        svg.path(&points, colour, if index == 0 { 2.6 } else { 1.6 });
        names.push((end, colour, format!("{} ({})", curve.name, curve.seconds.len())));
    }
    // Names stand at the right, in the order of what was solved, with a thin line to their curve.
    names.sort_by(|a, b| b.0.0.total_cmp(&a.0.0));
    for (index, (end, colour, name)) in names.into_iter().enumerate() {
        let y = TOP + 10.0 + LINE * index as f64;
        svg.line(end, (RIGHT + 14.0, y), "#d8d8d8", Some("2 3"));
        svg.line((RIGHT + 16.0, y), (RIGHT + 30.0, y), colour, None);
        svg.text((RIGHT + 35.0, y + 4.0), Anchor::Start, colour, &name);
    }
    svg.finish()
}

/// A step that gives about eight marks: 1, 2 or 5 times a power of ten.
fn nice_step(most: usize) -> usize {
    let steps = (0..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10usize.pow(power)));
    steps.into_iter().find(|step| most / step <= 8).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_is_drawn_with_its_name() {
        let curves = [("kind", vec![3.0, 0.1]), ("none", Vec::new())]
            .map(|(name, seconds)| Curve { name: name.to_owned(), seconds });
        let text = cactus("Title", &curves);
        assert_eq!(text.matches("<polyline").count(), 2);
        assert!(text.contains(">kind (2)</text>") && text.contains(">none (0)</text>"), "{text}");
        assert!(cactus("Nothing", &[]).ends_with("</svg>\n"));
    }

    #[test]
    fn marks_are_round_numbers() {
        assert_eq!([3, 9, 40, 120, 424].map(nice_step), [1, 2, 5, 20, 100]);
    }
}
