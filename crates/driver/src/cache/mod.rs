//! `--cache`: evidence of earlier runs, tried again.
//!
//! A run keeps the evidence of its verdict, with the program that it is about, under two keys: the text of the program, and the names of the
//! files with the options that change what is asked. A later run looks under both. Evidence about an older version of the program is put into words of
//! the new one (`program::align`, `Proof::transferred`). Inputs are replayed, a proof passes the checker. If that fails,
//! the conjuncts of the invariants are candidates, which the engines get if they are inductive here (`engine::offered`).
//!
//! Nothing that is read is believed: a wrong entry costs time. `folder` is about files, `entry` about their text.

mod entry;
mod fields;
mod folder;
mod proof_lines;
mod run_lines;

use std::time::Duration;

use base::{Budget, Stopped};
use certify::{Refusal, certify};
use program::Program;
use program::align::Alignment;
use program::interp::{Limits, Machine, Outcome};
use report::answer::Cache as Said;
use report::sha256;
use term::Terms;
use verdict::{Candidates, Counterexample, Proof, Verdict};

use entry::{Effort, Entry, Evidence};
use folder::Folder;

use crate::context::Context;
use crate::frontend::Loaded;
use crate::offers::Offer;
use crate::processor;
use crate::progress::lock;
use crate::slice::within;
use crate::tuning::Tuning;
use crate::verify::Conclusion;
use crate::worker::panics_as_text;

/// The name of the cache among engines.
pub const CACHE: &str = "cache";

/// The cache in a run about one program.
pub struct Cache {
    folder: Folder,
    /// The program's text, which is part of an entry.
    text: String,
    /// The keys of the run.
    keys: [String; 2],
    /// What a proof from the cache took when it was found.
    effort: Option<Effort>,
}

/// What the cache has for this run.
pub enum Again {
    /// A verdict that was checked again.
    Found(Box<Conclusion>),
    /// Candidates, or nothing.
    Candidates(Option<Box<Offer>>),
}

impl Cache {
    /// The cache that the settings name; none if they name none, or if the folder cannot be made.
    pub fn open(context: &Context, loaded: &Loaded) -> Option<Cache> {
        let settings = &context.settings;
        let path = settings.cache.as_ref()?;
        let folder = match Folder::open(path) {
            Ok(folder) => folder,
            Err(error) => {
                context.warn(&format!("--cache: {path} cannot be used: {error}"));
                return None;
            }
        };
        let text = entry::canonical(&loaded.program, &loaded.terms);
        let mut names = format!("{}\n{}\n", settings.file, settings.more.join("\n"));
        // What is asked: the same file can be checked for several properties.
        let asked = format!(
            "{} {:?} {:?} {:?} {:?} {:?} {:?}",
            settings.property,
            settings.data_model,
            settings.malloc,
            settings.front_end,
            settings.function,
            settings.entry,
            settings.assertion
        );
        names.push_str(&asked);
        let keys = [&text, &names].map(|key| sha256::hex(key.as_bytes())[..40].to_owned());
        Some(Cache { folder, text, keys, effort: None })
    }

    /// Tries what earlier runs have left. An error if the run is to stop.
    pub fn again(&mut self, context: &Context, loaded: &Loaded) -> Result<Again, Stopped> {
        let (program, terms) = (&loaded.program, &loaded.terms);
        if let Some(Entry { older, evidence: Evidence::Run(run), effort }) = self.entry(context, "unsafe") {
            let run = match &older {
                Some((old, old_terms)) => run.transferred(&Alignment::new((old, old_terms), (program, terms))),
                None => run,
            };
            let replayed = |context: &Context| replayed(context, program, terms, run);
            if let Some(found) = self.limited(context, effort, replayed)? {
                return Ok(Again::Found(Box::new(found)));
            }
        }
        let Some(Entry { older, evidence: Evidence::Proof(proof), effort }) = self.entry(context, "safe") else {
            return Ok(Again::Candidates(None));
        };
        let guess = match &older {
            Some((old, old_terms)) => panics_as_text(|| proof.transferred((old, old_terms), (program, terms))),
            None => Ok(Some(*proof.clone())),
        };
        if let Ok(Some(guess)) = guess {
            let certified = |context: &Context| certified(context, program, terms, guess);
            if let Some(found) = self.limited(context, effort, certified)? {
                return Ok(Again::Found(Box::new(found)));
            }
        }
        // Contracts and rankings have programs of their own; what executes needs no candidates.
        let is_plain = proof.contracts.is_empty() && proof.rankings.is_empty() && !proof.invariants.is_empty();
        let candidates = || {
            let candidates = Candidates::of(&proof);
            match &older {
                Some((old, old_terms)) => candidates.transferred(&Alignment::new((old, old_terms), (program, terms))),
                None => candidates,
            }
        };
        let candidates = if is_plain { panics_as_text(candidates).ok() } else { None };
        let ticks = effort.search.as_millis() as u64 * Tuning::DEFAULT.ticks_per_millisecond;
        let ticks = ticks / Tuning::DEFAULT.cache_share;
        Ok(Again::Candidates(candidates.map(|candidates| Box::new(Offer { source: CACHE, candidates, ticks }))))
    }

    /// Keeps the evidence of the verdict, if it was checked. An entry that cannot be written is a warning.
    pub fn keep(&self, context: &Context, found: &Conclusion) {
        let (kind, evidence) = match &found.verdict {
            Verdict::Safe(proof) => ("safe", Evidence::Proof(proof.clone())),
            Verdict::Unsafe(run) => ("unsafe", Evidence::Run(run.clone())),
            Verdict::Endless(_) | Verdict::Unknown(_) => return,
        };
        if found.certificate.is_none() {
            return;
        }
        let effort = self.effort.unwrap_or_else(|| {
            let all = processor::used().unwrap_or_else(|| context.started.elapsed());
            let checks: Duration = lock(&context.progress).arms.iter().filter_map(|arm| arm.checked).sum();
            // Proofs by contracts and rankings are checked outside of a race.
            let check = if checks.is_zero() { all / Tuning::DEFAULT.cache_unknown_check as u32 } else { checks };
            Effort { search: all.saturating_sub(check), check }
        });
        let Some(text) = entry::write(&evidence, &self.text, effort) else {
            context.log("the evidence has no form in which it can be kept");
            return;
        };
        for key in &self.keys {
            if let Err(error) = self.folder.write(&format!("{key}.{kind}"), &text) {
                context.warn(&format!("--cache: an entry cannot be written: {error}"));
                return;
            }
        }
    }

    /// The entry of this kind about this program, or about an earlier version of it.
    fn entry(&self, context: &Context, kind: &str) -> Option<Entry> {
        for key in &self.keys {
            let name = format!("{key}.{kind}");
            let read = self.folder.read(&name).and_then(|text| {
                let Some(text) = text else { return Ok(None) };
                panics_as_text(|| entry::read(&text, &self.text)).unwrap_or_else(Err).map(Some)
            });
            match read {
                Ok(Some(entry)) => {
                    let about = if entry.older.is_none() { "this program" } else { "an earlier version" };
                    said(context, |said| said.entries.push(format!("{kind}: {about}")));
                    return Some(entry);
                }
                Ok(None) => {}
                Err(what) => context.warn(&format!("--cache: the entry {name} is not used: {what}")),
            }
        }
        None
    }

    /// Does the work for as long as the entry lets expect, and no longer than a part of the time that is left.
    fn limited(
        &mut self,
        context: &Context,
        effort: Effort,
        work: impl FnOnce(&Context) -> Result<Option<Conclusion>, Stopped>,
    ) -> Result<Option<Conclusion>, Stopped> {
        let settings = &Tuning::DEFAULT;
        let least = Duration::from_millis(settings.cache_check_milliseconds);
        let share = effort.search / settings.cache_share as u32;
        let mut time = (effort.check * 2).max(share) + least;
        if let Some(deadline) = context.deadline {
            let left = deadline.saturating_duration_since(std::time::Instant::now());
            time = time.min(left / settings.cache_part as u32);
        }
        let clock = std::time::Instant::now();
        let done = within(context, time, |context| match panics_as_text(|| work(context)) {
            Ok(done) => done,
            Err(what) => {
                context.log(&format!("the evidence in the cache cannot be checked: {what}"));
                Ok(None)
            }
        });
        lock(&context.progress).times.push((CACHE.to_owned(), clock.elapsed()));
        let found = done?.flatten();
        if found.is_some() {
            self.effort = Some(effort);
            said(context, |said| said.is_answer = true);
        }
        Ok(found)
    }
}

/// Changes what the answer says about the cache.
pub fn said(context: &Context, change: impl FnOnce(&mut Said)) {
    change(lock(&context.progress).cache.get_or_insert_default());
}

/// The verdict, if the inputs lead to an error here.
fn replayed(
    context: &Context,
    program: &Program,
    terms: &Terms,
    mut run: Counterexample,
) -> Result<Option<Conclusion>, Stopped> {
    let budget = Budget::unlimited(context.cancel.clone());
    let Ok(mut machine) = Machine::new(program, terms) else { return Ok(None) };
    match machine.run(&mut run.script(), &Limits::default(), &budget).outcome {
        Outcome::Error(assertion) => run.assertion = assertion,
        Outcome::Cancelled => return Err(Stopped::Cancelled),
        _ => return Ok(None),
    }
    checked(program, terms, Verdict::Unsafe(run), &budget)
}

/// The verdict, if the proof is one here.
fn certified(context: &Context, program: &Program, terms: &Terms, proof: Proof) -> Result<Option<Conclusion>, Stopped> {
    let budget = Budget::unlimited(context.cancel.clone());
    checked(program, terms, Verdict::Safe(Box::new(proof)), &budget)
}

fn checked(program: &Program, terms: &Terms, verdict: Verdict, budget: &Budget) -> Result<Option<Conclusion>, Stopped> {
    match certify(program, terms, &verdict, budget) {
        Ok(certificate) => {
            let certificate = Some(certificate);
            Ok(Some(Conclusion { verdict, engine: Some(CACHE), certificate, bugs: Vec::new() }))
        }
        Err(Refusal::Stopped(_)) => Err(Stopped::Cancelled),
        // The entry is about another program, or was changed.
        Err(_) => Ok(None),
    }
}
