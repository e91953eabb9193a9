//! What the arms of a race say while they work: for the display, for the last line when time runs out, for `--stats`
//! and for the answer as JSON.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::{Fate, Observer, Picture};
use report::Reason;
use report::answer::{Annotation, Cache};

use crate::context::Context;
use crate::event::Event;
use crate::phases::{Phases, Spans};
use crate::tuning::Tuning;

/// What is known of all arms.
#[derive(Clone, Default)]
pub struct Progress {
    /// The plan of the portfolio, if there is one.
    pub plan: Option<&'static str>,
    /// The arms, in the order of the plan.
    pub arms: Vec<ArmProgress>,
    /// How long other things took, by name.
    pub times: Vec<(String, Duration)>,
    /// The graph that an engine drew, as it was at several moments, the last one last.
    pub pictures: Vec<Picture>,
    /// Evidence that was refused, as text.
    pub evidence: Vec<String>,
    /// The preprocessed program, if it came from where it cannot be read again.
    pub input: Option<String>,
    /// What became of candidates from outside, by source.
    pub fates: Vec<(&'static str, Vec<Fate>)>,
    /// What became of loop invariants that the source states.
    pub annotations: Vec<Annotation>,
    /// What the cache had for this run, if there is one.
    pub cache: Option<Cache>,
    /// Why engines have no answer, in the order in which they said so.
    pub reasons: Vec<Reason>,
}

/// What is known of one arm.
#[derive(Clone, Default)]
pub struct ArmProgress {
    /// Its name.
    pub name: &'static str,
    /// What it is doing.
    pub phase: &'static str,
    /// How far it has come, in the user's terms.
    pub far: String,
    /// How long it spent in each phase.
    pub phases: Phases,
    /// When it was in which phase.
    pub spans: Spans,
    /// Figures.
    pub counts: Vec<(&'static str, u64)>,
    /// How many facts it imported, by source.
    pub imported: Vec<(&'static str, u64)>,
    /// Its processor time, up to its last turn.
    pub worked: Duration,
    /// While its proof is checked: how many obligations have passed.
    pub checking: Option<usize>,
    /// How long its answer took to check, if it has one.
    pub checked: Option<Duration>,
    /// Whether it has a core at the moment.
    pub is_working: bool,
    /// How it ended, in a word or two.
    pub ended: Option<String>,
}

/// Shared by all threads that work on one command.
pub type SharedProgress = Arc<Mutex<Progress>>;

/// Takes the lock; what a thread that panicked has written is still true.
pub fn lock(progress: &SharedProgress) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Progress {
    /// How far the search has come, for the last line when time runs out.
    pub fn how_far(&self) -> Option<String> {
        if let Some((arm, n_passed)) = self.arms.iter().find_map(|arm| Some((arm, arm.checking?))) {
            let passed = match n_passed {
                1 => "1 obligation has passed".to_owned(),
                n => format!("{n} obligations have passed"),
            };
            return Some(format!("proved by {}, not yet checked: {passed}", arm.name));
        }
        self.arms.iter().map(|arm| &arm.far).find(|text| !text.is_empty()).cloned()
    }
    /// What an engine has found to stand in the way of an answer, if it concerns the program and not the effort.
    pub fn obstacle(&self) -> Option<&Reason> {
        // Of equal ones the first.
        self.reasons.iter().rev().filter(|one| one.code.concerns_program()).max_by_key(|one| one.code.rank())
    }
    /// All figures, one a line.
    pub fn figures(&self) -> String {
        let mut text = String::new();
        if let Some(peak) = crate::memory::peak() {
            text.push_str(&format!("{:<16}{:>8} MiB\n", "peak memory", peak >> 20));
        }
        if let Some(plan) = self.plan {
            text.push_str(&format!("portfolio       for {plan}\n"));
        }
        for (name, time) in &self.times {
            text.push_str(&format!("{name:<16}{:>10.3} s\n", time.as_secs_f64()));
        }
        for arm in &self.arms {
            let ended = arm.ended.as_deref().unwrap_or("still working");
            let name = format!("engine {}", arm.name);
            text.push_str(&format!("{name:<16}{:>10.3} s  {ended}\n", arm.worked.as_secs_f64()));
            if let Some(time) = arm.checked {
                let name = format!("check of {}", arm.name);
                text.push_str(&format!("{name:<16}{:>10.3} s\n", time.as_secs_f64()));
            }
            for (engine, phase, time) in arm.phases.spent() {
                let what = format!("{engine}: {phase}");
                text.push_str(&format!("{what:<28}{:>10.3} s\n", time.as_secs_f64()));
            }
            for (source, count) in &arm.imported {
                text.push_str(&format!("{} {:<24}{count:>12}\n", arm.name, format!("facts of {source}")));
            }
            for (name, value) in &arm.counts {
                text.push_str(&format!("{} {name:<24}{value:>12}\n", arm.name));
            }
        }
        text
    }
}

/// Receives the progress of an arm.
pub struct Listener<'a> {
    /// Where progress is kept.
    pub context: &'a Context,
    /// The arm's place in the list.
    pub arm: usize,
}

impl Listener<'_> {
    /// The arm, on whose thread this is called, does nothing more.
    pub fn end(&self) {
        self.with(|arm| {
            arm.phases.begin(arm.name, None);
            arm.spans.begin(None);
        });
    }
    /// Changes what is known of the arm, and gives its name.
    fn with(&self, change: impl FnOnce(&mut ArmProgress)) -> &'static str {
        match lock(&self.context.progress).arms.get_mut(self.arm) {
            Some(arm) => {
                change(arm);
                arm.name
            }
            None => "",
        }
    }
}

impl Observer for Listener<'_> {
    fn phase(&self, phase: &'static str) {
        let engine = self.with(|arm| {
            arm.phase = phase;
            arm.phases.begin(arm.name, Some(phase));
            arm.spans.begin(Some(phase));
        });
        self.context.emit(&Event::Phase { engine, phase });
    }
    fn progress(&self, text: String) {
        let engine = self.with(|arm| arm.far.clone_from(&text));
        self.context.emit(&Event::Progress { engine, text: &text });
    }
    fn count(&self, name: &'static str, value: u64) {
        self.with(|arm| match arm.counts.iter_mut().find(|one| one.0 == name) {
            Some(one) => one.1 = value,
            None => arm.counts.push((name, value)),
        });
    }
    fn imported(&self, source: &'static str) {
        let engine = self.with(|arm| match arm.imported.iter_mut().find(|one| one.0 == source) {
            Some(one) => one.1 += 1,
            None => arm.imported.push((source, 1)),
        });
        self.context.emit(&Event::Fact { engine, source });
    }
    fn picture(&self, picture: Picture) {
        let mut progress = lock(&self.context.progress);
        // Beyond the limit the last one is replaced: it counts most.
        progress.pictures.truncate(Tuning::DEFAULT.max_pictures - 1);
        progress.pictures.push(picture);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_that_is_being_checked_is_what_the_last_line_says() {
        let arm = |name, far: &str, checking| ArmProgress { name, far: far.to_owned(), checking, ..Default::default() };
        let mut progress = Progress { arms: vec![arm("bmc", "no error within 3 steps", None)], ..Progress::default() };
        assert_eq!(progress.how_far().as_deref(), Some("no error within 3 steps"));
        progress.arms.push(arm("euf", "", Some(412)));
        assert_eq!(progress.how_far().as_deref(), Some("proved by euf, not yet checked: 412 obligations have passed"));
        progress.arms[1].checking = Some(1);
        assert_eq!(progress.how_far().as_deref(), Some("proved by euf, not yet checked: 1 obligation has passed"));
    }
}
