//! A check without its output: from the loaded program to the answer. The command `check` and [`crate::Check`] both go through here.

use base::Id;
use report::answer::Answer;
use verdict::{Code, Verdict, Why};

use crate::annotated::Stated;
use crate::cache::{Again, Cache};
use crate::command::evidence::Replay;
use crate::command::{self, answer};
use crate::context::Context;
use crate::coverage;
use crate::each::each;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::offers::Offer;
use crate::progress::lock;
use crate::second_opinion;
use crate::vacuity::{Vacuous, vacuous};
use crate::verify::{Conclusion, verify};

/// The answer about a program, and what it was made from.
pub struct Examined {
    /// The program.
    pub loaded: Loaded,
    /// What is known about it.
    pub found: Conclusion,
    /// The run into the error, if there is one and a view of the answer shows it.
    pub replay: Option<Replay>,
    /// The answer.
    pub answer: Answer,
}

/// Verifies the program. `note` is called with a remark about assertions that no run reaches, before the engines work.
pub fn examine(context: &Context, mut loaded: Loaded, note: impl FnOnce(&str)) -> Result<Examined, Failure> {
    if context.settings.each {
        if let Some(text) = command::each::refusal(context) {
            return Err(Failure::Usage(text));
        }
        if let Some(found) = nothing(context, &loaded, note) {
            let answer = answer::of(context, &loaded, &found, None);
            return Ok(Examined { loaded, found, replay: None, answer });
        }
        let board = each(context, &loaded)?;
        return Ok(command::each::examined(context, loaded, &board));
    }
    let found = conclusion(context, &mut loaded, note)?;
    let replay = match &found.verdict {
        Verdict::Unsafe(counterexample) if is_run_shown(context) => Replay::of(context, &loaded, counterexample),
        Verdict::Endless(endless) if is_run_shown(context) => Replay::of_endless(context, &loaded, endless),
        _ => None,
    };
    let mut answer = answer::of(context, &loaded, &found, replay.as_ref());
    if is_run_shown(context) {
        coverage::add(context, &loaded, replay.as_ref(), &mut answer);
    }
    Ok(Examined { loaded, found, replay, answer })
}

fn conclusion(context: &Context, loaded: &mut Loaded, note: impl FnOnce(&str)) -> Result<Conclusion, Failure> {
    let settings = &context.settings;
    let there_are = loaded.program.assertions.len();
    if let Some(number) = settings.assertion.filter(|&number| number as usize > there_are) {
        let text = format!("there is no assertion {number}; `--list-assertions` shows the {there_are} there are");
        return Err(Failure::Usage(text));
    }
    if let Some(found) = nothing(context, loaded, note) {
        return Ok(found);
    }
    if let Some(number) = settings.assertion {
        let assertion = program::AssertionId::new(number as usize - 1);
        loaded.select(assertion);
    }
    let annotated = loaded.annotated.take();
    let stated = annotated.as_ref().map(|annotated| annotated.stated(loaded));
    let mut offers: Vec<Offer> = stated.iter().filter_map(Stated::offer).collect();
    let mut cache = Cache::open(context, loaded);
    let again = cache.as_mut().map(|cache| cache.again(context, loaded)).transpose()?;
    let found = match again {
        Some(Again::Found(found)) => *found,
        others => {
            if let Some(Again::Candidates(offer)) = others {
                offers.extend(offer.map(|offer| *offer));
            }
            let context = Context { offers: offers.into(), ..context.clone() };
            verify(&context, &loaded.program, &loaded.terms, loaded.system.as_ref())?
        }
    };
    if let Some(cache) = cache {
        cache.keep(context, &found);
    }
    if let (Some(annotated), Some(stated)) = (&annotated, &stated) {
        let said = stated.outcomes(context, loaded, annotated, &found);
        lock(&context.progress).annotations = said;
    }
    Ok(second_opinion::ask(context, &loaded.program, &loaded.terms, found)?)
}

/// What is said if there is nothing to verify.
fn nothing(context: &Context, loaded: &Loaded, note: impl FnOnce(&str)) -> Option<Conclusion> {
    let property = frontend::chosen_property(&context.settings.property).ok()?;
    match vacuous(&context.settings, &property, loaded) {
        Some(Vacuous::Nothing(why)) => Some(Conclusion::unknown(Why::new(Code::NothingToVerify, why))),
        Some(Vacuous::Unreached(line)) => {
            note(&line);
            None
        }
        None => None,
    }
}

/// Recording a long run takes longer than finding it, so it is done only where the record is printed or written.
fn is_run_shown(context: &Context) -> bool {
    let settings = &context.settings;
    let files = [&settings.harness, &settings.witness, &settings.sarif, &settings.json, &settings.html];
    context.is_recorded || !settings.quiet || files.iter().any(|file| file.is_some())
}
