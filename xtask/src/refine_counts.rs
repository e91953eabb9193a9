//! What `refine` solves, set by set, and how fast it is beside `bmc` on the same tasks.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::refine::{Measurement, Subject};

/// Differences of processor time up to this say nothing: the same run twice differs by as much.
const NOISE: f64 = 0.01;

/// What a set came to.
#[derive(Default)]
struct Row {
    tasks: u32,
    /// Proved, errors found, and searched up to the bound without a verdict.
    refine: [u32; 3],
    /// Seconds of `refine` for what it solved.
    seconds: f64,
    bmc: [u32; 3],
    both: Speed,
}

/// How two engines compare where both answer.
#[derive(Default)]
struct Speed {
    tasks: u32,
    as_fast: u32,
    /// Without any tolerance.
    exactly: u32,
    seconds: (f64, f64),
}

impl Speed {
    fn add(&mut self, ours: &Measurement, bmc: &Measurement) {
        if let (Some(ours), Some(bmc)) = (ours.time(), bmc.time()) {
            self.tasks += 1;
            self.as_fast += u32::from(ours <= bmc + NOISE);
            self.exactly += u32::from(ours <= bmc);
            self.seconds = (self.seconds.0 + ours, self.seconds.1 + bmc);
        }
    }
}

impl Row {
    fn add(&mut self, ours: &Measurement, bmc: Option<&Measurement>) {
        self.tasks += 1;
        self.seconds += ours.time().unwrap_or(0.0);
        count(&mut self.refine, ours);
        if let Some(bmc) = bmc {
            count(&mut self.bmc, bmc);
            self.both.add(ours, bmc);
        }
    }
    fn line(&self, name: &str, is_compared: bool) -> String {
        let [safe, found, bounded] = self.refine;
        if !is_compared {
            return format!("| {name} | {} | {safe} | {found} | {:.1} |", self.tasks, self.seconds);
        }
        let ours = format!("{safe} + {found} + {bounded}");
        let bmc = format!("{} + {} + {}", self.bmc[0], self.bmc[1], self.bmc[2]);
        let Speed { tasks, as_fast, seconds: (own, other), .. } = self.both;
        format!("| {name} | {} | {ours} | {bmc} | {tasks} | {as_fast} | {own:.2} | {other:.2} |", self.tasks)
    }
}

fn count(answers: &mut [u32; 3], result: &Measurement) {
    match result.verdict {
        Some(safe) => answers[usize::from(!safe)] += 1,
        None => answers[2] += u32::from(result.is_bounded),
    }
}

/// Prints the tables; an error if some verdict is wrong.
pub(crate) fn print(results: &[(&Subject, Measurement, Option<Measurement>)]) -> Result<(), String> {
    let is_compared = results.iter().any(|(.., bmc)| bmc.is_some());
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut all = Row::default();
    let mut open = Vec::new();
    let mut wrong = Vec::new();
    for (subject, ours, bmc) in results {
        let set = subject.name.split_once('/').map_or("", |(set, _)| set);
        rows.entry(set).or_default().add(ours, bmc.as_ref());
        all.add(ours, bmc.as_ref());
        let is_wrong = |result: &Measurement| result.verdict.is_some_and(|safe| safe != subject.safe);
        if is_wrong(ours) || bmc.as_ref().is_some_and(is_wrong) {
            wrong.push(subject.name.as_str());
        }
        if ours.time().is_none() {
            open.push(subject.name.as_str());
        }
    }
    if is_compared {
        println!(
            "| set | tasks | refine: safe + unsafe + up to the bound | bmc: the same | both | refine at least as fast | refine, s | bmc, s |"
        );
        println!("|---|---|---|---|---|---|---|---|");
    } else {
        println!("| set | tasks | safe | unsafe | seconds for what was solved |\n|---|---|---|---|---|");
    }
    for (name, row) in &rows {
        println!("{}", row.line(name, is_compared));
    }
    println!("{}", all.line("all", is_compared));
    println!("\nNot solved by refine: {}.", open.join(", "));
    if is_compared {
        println!("{}", summary(results.iter().filter_map(|(_, ours, bmc)| Some((ours, bmc.as_ref()?)))));
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("wrong verdicts: {}", wrong.join(", "))) }
}

/// How `refine` and `bmc` compare where both answer.
pub(crate) fn summary<'j>(pairs: impl Iterator<Item = (&'j Measurement, &'j Measurement)>) -> String {
    let (mut n, mut ours_solved, mut bmc_solved) = (0, 0, 0);
    let mut both = Speed::default();
    for (ours, bmc) in pairs {
        n += 1;
        ours_solved += u32::from(ours.time().is_some());
        bmc_solved += u32::from(bmc.time().is_some());
        both.add(ours, bmc);
    }
    let Speed { tasks, as_fast, exactly, seconds: (own, other) } = both;
    let percent = |part: u32| 100.0 * f64::from(part) / f64::from(tasks.max(1));
    let mut text = format!("\nOf {n} tasks refine solves {ours_solved}, bmc {bmc_solved}, both {tasks}. ");
    let _ = write!(text, "There refine is at least as fast (to {NOISE} s) on {as_fast} ({:.0} %), ", percent(as_fast));
    let _ = write!(text, "without that tolerance on {exactly} ({:.0} %), ", percent(exactly));
    let _ = write!(text, "and takes {own:.1} s in all where bmc takes {other:.1} s: ");
    let _ = write!(text, "{:.2} times as fast.", other / own.max(0.01));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(seconds: f64) -> Measurement {
        Measurement { verdict: Some(true), seconds, ..Measurement::default() }
    }
    #[test]
    fn only_what_both_solve_is_compared() {
        let rows = [(solved(1.0), solved(3.0)), (solved(2.0), solved(1.0)), (solved(9.0), Measurement::default())];
        let text = summary(rows.iter().map(|(ours, bmc)| (ours, bmc)));
        assert!(text.contains("refine solves 3, bmc 2, both 2") && text.contains("on 1 (50 %)"), "{text}");
        assert!(text.contains("takes 3.0 s in all where bmc takes 4.0 s: 1.33 times"), "{text}");
    }
    #[test]
    fn a_search_up_to_the_bound_counts_as_solved_but_as_no_verdict() {
        let bounded = Measurement { is_bounded: true, seconds: 0.5, ..Measurement::default() };
        let mut row = Row::default();
        row.add(&bounded, Some(&solved(0.25)));
        assert_eq!((row.refine, row.bmc, row.both.tasks, row.both.as_fast), ([0, 0, 1], [1, 0, 0], 1, 0));
    }
}
