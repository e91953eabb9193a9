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
//! The mark `>` is on the arms that have a core at the moment. In a pipe nothing is shown unless `--progress always` is given.
//! `indicatif` draws: it knows the width of the terminal and cuts lines that are longer.

use std::time::{Duration, Instant};

use base::shown::shown_char;
use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::colours::has_terminal;
use crate::context::{Context, Drawing};
use crate::options::When;
use crate::progress::{ArmProgress, Progress, lock};
use crate::tuning::Tuning;

/// Lines on the terminal that are redrawn in place and erased when it is dropped.
pub struct Lines {
    all: MultiProgress,
    lines: Vec<ProgressBar>,
}

impl Default for Lines {
    fn default() -> Self {
        let target = ProgressDrawTarget::term_like_with_hz(
            Box::new(Term::buffered_stderr()),
            Tuning::DEFAULT.display_frames_per_second,
        );
        Lines { all: MultiProgress::with_draw_target(target), lines: Vec::new() }
    }
}

impl Lines {
    /// Shows these lines in the place of those before.
    pub fn show(&mut self, texts: &[String]) {
        let style = || ProgressStyle::with_template("{wide_msg}").expect("the template is well-formed");
        while self.lines.len() < texts.len() {
            self.lines.push(self.all.add(ProgressBar::new_spinner().with_style(style())));
        }
        for (line, text) in self.lines.iter().zip(texts) {
            line.set_message(text.chars().map(shown_char).collect::<String>());
        }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        // A terminal that is gone is no error.
        let _ = self.all.clear();
    }
}

/// What the arms of a race are doing.
pub struct Display<'a> {
    context: &'a Context,
    is_on: bool,
    drawn: Option<Instant>,
    lines: Lines,
}

impl<'a> Display<'a> {
    /// Nothing is shown yet.
    pub fn new(context: &'a Context) -> Self {
        let is_on = match context.settings.progress {
            When::Always => true,
            When::Never => false,
            // Lines of the log would be overwritten.
            When::Auto => !context.settings.quiet && !context.settings.verbose && has_terminal(),
        };
        Display { context, is_on, drawn: None, lines: Lines::default() }
    }
}

impl Drawing for Display<'_> {
    fn draw(&mut self) {
        let age = self.context.started.elapsed();
        let delay = Duration::from_millis(Tuning::DEFAULT.display_delay_milliseconds);
        let period = Duration::from_secs(1) / u32::from(Tuning::DEFAULT.display_frames_per_second);
        if !self.is_on || age < delay || self.drawn.is_some_and(|drawn| drawn.elapsed() < period) {
            return;
        }
        self.drawn = Some(Instant::now());
        let texts = frame(&lock(&self.context.progress), age, crate::memory::resident());
        self.lines.show(&texts);
    }
}

/// The lines.
fn frame(progress: &Progress, age: Duration, memory: Option<u64>) -> Vec<String> {
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
    lines
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
        let lines = frame(&progress(), Duration::from_secs(12), Some(143 << 20));
        let expected = "12 s, 143 MiB, portfolio for any program\n\
            > bmc          3.1 s  unrolling: no error within 12 iterations of the loops\n\
            \x20 euf bits     6.0 s  frames\n\
            \x20 kind         0.0 s  waits\n\
            \x20 explicit     0.4 s  ended: too many states";
        assert_eq!(lines.join("\n"), expected);
    }
}
