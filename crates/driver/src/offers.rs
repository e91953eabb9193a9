//! Candidates for invariants that come from outside, such as those of an earlier run: tried before the engines start.

use std::sync::Arc;

use base::{Budget, Stopped};
use engine::{Facts, Fate, Run, Silent, Task, offered};
use verdict::Candidates;

use crate::cache::{CACHE, said};
use crate::context::Context;
use crate::progress::lock;
use crate::tuning::Tuning;

/// Candidates from one source.
pub struct Offer {
    /// What the facts are said to come from.
    pub source: &'static str,
    /// The candidates, about the program as lowered.
    pub candidates: Candidates,
    /// How much effort may be spent.
    pub ticks: u64,
}

/// All of them; a context carries them to where the task is made.
pub type Offers = Arc<Vec<Offer>>;

/// Tries the candidates and adds what holds to the task's facts. An error if the run is to stop.
pub fn publish(context: &Context, task: &mut Task) -> Result<(), Stopped> {
    if context.offers.is_empty() {
        return Ok(());
    }
    let clock = std::time::Instant::now();
    let budget = Budget::unlimited(context.cancel.clone());
    let facts = Facts::new();
    for offer in context.offers.iter() {
        let part = budget.part(offer.ticks.min(Tuning::DEFAULT.offer_ticks));
        let replay = |_: &verdict::Counterexample| unreachable!("nothing is searched");
        let run = Run {
            budget: &part,
            seed: context.settings.seed,
            facts: &facts,
            observer: &Silent,
            replay: &replay,
            each: None,
        };
        let fates = match offered(task, &run, &offer.candidates, offer.source) {
            Ok(fates) => fates,
            Err(Stopped::OutOfTicks) => continue,
            Err(stopped) => return Err(stopped),
        };
        let n_held = fates.iter().filter(|&fate| *fate == Fate::Holds).count();
        context.log(&format!("{}: {n_held} of {} candidates hold", offer.source, fates.len()));
        if offer.source == CACHE {
            said(context, |said| (said.candidates, said.held) = (fates.len(), n_held));
        }
        lock(&context.progress).fates.push((offer.source, fates));
    }
    task.known = facts;
    lock(&context.progress).times.push(("candidates".to_owned(), clock.elapsed()));
    Ok(())
}
