//! The display on a terminal: a line for each arm of the race, drawn in place a few times a second and erased at the end.
//!
//! ```text
//! 12 s, 143 MiB, portfolio for a state machine
//! > bmc        3.1 s  no error within 12 iterations of the loops
//! > euf        6.0 s  no error within 7 steps
//!   kind       2.9 s  induction
//!   explicit   0.4 s  ended: too many states
//! ```
//!
//! The mark says who has a core at the moment. In a pipe there is nothing, unless the user wants it.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use base::shown::shown_char;

use crate::options::Wish;
use crate::output::styled_message;
use crate::progress::{ArmProgress, Progress, lock};
use crate::supervise::Context;
use crate::tuning::Tuning;

/// What is on the terminal now.
pub struct Display<'a> {
    context: &'a Context,
    is_on: bool,
    drawn: Option<Instant>,
    n_lines: usize,
}

impl<'a> Display<'a> {
    /// Nothing is shown yet.
    pub fn new(context: &'a Context) -> Self {
        let is_on = match context.settings.progress {
            Wish::Always => true,
            Wish::Never => false,
            // Lines of the log would be overwritten.
            Wish::Auto => {
                std::io::stderr().is_terminal() && !context.settings.quiet && !context.settings.verbose && !is_dumb()
            }
        };
        Display { context, is_on, drawn: None, n_lines: 0 }
    }
    /// Draws, if it is time.
    pub fn show(&mut self) {
        let age = self.context.started.elapsed();
        if !self.is_on
            || age < Duration::from_millis(Tuning::DEFAULT.display_delay_milliseconds)
            || self.drawn.is_some_and(|drawn| {
                drawn.elapsed() < Duration::from_millis(Tuning::DEFAULT.display_period_milliseconds)
            })
        {
            return;
        }
        self.drawn = Some(Instant::now());
        let lines = frame(&lock(&self.context.progress), age, crate::memory::resident(), width());
        styled_message(&redraw(self.n_lines, &lines));
        self.n_lines = lines.len();
    }
}

impl Drop for Display<'_> {
    fn drop(&mut self) {
        if self.n_lines > 0 {
            styled_message(&redraw(self.n_lines, &[]));
        }
    }
}

/// The text that puts these lines in the place of so many others: up, and each line cleared before it is written.
fn redraw(n_before: usize, lines: &[String]) -> String {
    let mut text = String::new();
    if n_before > 0 {
        text.push_str(&format!("\x1b[{n_before}A\r\x1b[J"));
    }
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The lines.
fn frame(progress: &Progress, age: Duration, memory: Option<u64>, width: usize) -> Vec<String> {
    let mut head = format!("{} s", age.as_secs());
    if let Some(memory) = memory {
        head.push_str(&format!(", {} MiB", memory >> 20));
    }
    if let Some(plan) = progress.plan {
        head.push_str(&format!(", portfolio for {plan}"));
    }
    let mut lines = vec![head];
    let longest = progress.arms.iter().map(|arm| arm.name.len()).max().unwrap_or(0);
    for arm in &progress.arms {
        let mark = if arm.is_working && arm.ended.is_none() { '>' } else { ' ' };
        let seconds = arm.worked.as_secs_f64();
        lines.push(format!("{mark} {:<longest$} {seconds:>7.1} s  {}", arm.name, doing(arm)));
    }
    // A line that wraps would count as two.
    lines.iter().map(|line| line.chars().take(width.saturating_sub(1)).map(shown_char).collect()).collect()
}

/// What the arm is doing, in a few words.
fn doing(arm: &ArmProgress) -> String {
    match &arm.ended {
        Some(ended) => format!("ended: {ended}"),
        None if arm.phase.is_empty() => "waits".to_owned(),
        None if arm.far.is_empty() => arm.phase.to_owned(),
        None => format!("{}: {}", arm.phase, arm.far),
    }
}

/// The width of the terminal, as far as the shell tells.
fn width() -> usize {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok())
        .filter(|&width| width > 20)
        .unwrap_or(Tuning::DEFAULT.display_columns)
}

/// A terminal that cannot move its cursor.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term == "dumb")
}

/// The text in a colour, if it goes to a terminal whose user likes colours.
pub fn paint(text: &str, colour: &str, to_terminal: bool) -> String {
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) || is_dumb();
    if to_terminal && !is_plain { format!("\x1b[1;{colour}m{text}\x1b[0m") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress() -> Progress {
        let arm = |name, phase, far: &str, tenths: u64| ArmProgress {
            name,
            phase,
            far: far.to_owned(),
            worked: Duration::from_millis(tenths * 100),
            ..ArmProgress::default()
        };
        let mut arms = vec![
            arm("bmc", "unrolling", "no error within 12 iterations of the loops", 31),
            arm("euf bits", "frames", "", 60),
            arm("kind", "", "", 0),
            arm("explicit", "states", "", 4),
        ];
        arms[0].is_working = true;
        arms[3].is_working = true;
        arms[3].ended = Some("too many states".to_owned());
        Progress { plan: Some("any program"), arms, ..Progress::default() }
    }

    #[test]
    fn a_frame_has_a_line_for_each_arm() {
        let lines = frame(&progress(), Duration::from_secs(12), Some(143 << 20), 60);
        let expected = "12 s, 143 MiB, portfolio for any program\n\
            > bmc          3.1 s  unrolling: no error within 12 iterati\n\
            \x20 euf bits     6.0 s  frames\n\
            \x20 kind         0.0 s  waits\n\
            \x20 explicit     0.4 s  ended: too many states";
        assert_eq!(lines.join("\n"), expected);
    }

    #[test]
    fn a_frame_takes_the_place_of_the_one_before_and_leaves_nothing() {
        let lines = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(redraw(0, &lines), "a\nb\n");
        assert_eq!(redraw(2, &lines), "\x1b[2A\r\x1b[Ja\nb\n");
        assert_eq!(redraw(2, &[]), "\x1b[2A\r\x1b[J");
    }
}
