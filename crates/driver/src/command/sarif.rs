//! The answer as SARIF: what was found with the run into it, what was proved with its invariants, or why nothing is known.

use base::Place;
use cfront::Property;
use program::{AssertionId, AssertionKind, Program};
use report::Reason;
use report::sarif::{At, Rule, Sarif};
use verdict::Proof;

use super::evidence::{Replay, bytes_of};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::input;
use crate::outputs;
use crate::supervise::Context;

/// Writes what `say` says, if a file was asked for.
pub fn write_sarif(context: &Context, say: impl FnOnce(&mut Sarif)) -> Result<(), Exit> {
    let Some(to) = &context.settings.sarif else { return Ok(()) };
    let mut sarif = Sarif::default();
    say(&mut sarif);
    outputs::write(to, sarif.file(env!("CARGO_PKG_VERSION")))
}

/// What was assumed, and what the front end warns of.
pub fn circumstances(sarif: &mut Sarif, context: &Context, loaded: &Loaded) {
    loaded.warnings.iter().for_each(|warning| sarif.diagnostic(warning));
    for assumption in &loaded.program.assumptions {
        sarif.assumed(&assumption.text, &at(context, &loaded.program, assumption.place));
    }
}

/// An error that was found.
pub fn found(sarif: &mut Sarif, context: &Context, loaded: &Loaded, found: &Found<'_>) {
    let program = &loaded.program;
    let assertion = &program.assertions[found.assertion];
    let rule = match frontend::chosen_property(&context.settings.property) {
        Ok(Property::NoOverflow) => Rule::NoOverflow,
        _ if assertion.kind == AssertionKind::Unreached => Rule::UnreachCall,
        _ => Rule::Assertion,
    };
    let text = match rule {
        Rule::UnreachCall => format!("{} can be reached", assertion.text),
        Rule::Assertion => format!("the assertion `{}` can fail", assertion.claim()),
        Rule::NoOverflow => format!("it can fail that {}", assertion.claim()),
    };
    let steps = found
        .replay
        .map_or_else(Vec::new, |replay| report::steps(program, &loaded.terms, &replay.trace, found.assertion));
    let mut last = at(context, program, None);
    let steps: Vec<(At, usize, String)> = steps
        .into_iter()
        .map(|step| {
            // Steps without a place happen where the last one did.
            if step.place.is_some() {
                last = at(context, program, step.place);
            }
            (last.clone(), step.depth, step.text)
        })
        .collect();
    sarif.found(rule, &text, &at(context, program, assertion.place), &steps, found.engine);
}

/// What there is to say about an error.
pub struct Found<'a> {
    /// Which assertion fails.
    pub assertion: AssertionId,
    /// The run into it, if it could be recorded.
    pub replay: Option<&'a Replay>,
    /// Who found it.
    pub engine: &'a str,
}

/// What was proved, with what C can say of the invariants.
pub fn proved(sarif: &mut Sarif, context: &Context, loaded: &Loaded, proof: &Proof, how: &str) {
    let file = &context.settings.file;
    sarif.proved(how.trim_end(), file);
    let text = input::decoded(bytes_of(file));
    for (location, conjuncts) in report::loop_invariants(&loaded.program, proof, &text, file) {
        let at = At { file: location.file, line: location.line, column: location.column };
        sarif.invariant(&conjuncts.join(" && "), &at);
    }
}

/// Why nothing is known.
pub fn unknown(sarif: &mut Sarif, context: &Context, reason: &Reason, failure: Option<&Failure>) {
    if let Some(Failure::Invalid(found)) = failure {
        found.iter().for_each(|one| sarif.diagnostic(one));
    }
    let is_error = Exit::without_answer(reason.code) != Exit::Unknown;
    let here = At { file: context.settings.file.clone(), line: 0, column: 0 };
    sarif.unknown(&reason.text, is_error, &here);
}

fn at(context: &Context, program: &Program, place: Option<Place>) -> At {
    let named = place.and_then(|place| Some((program.files.get(place.file)?.clone(), place)));
    match named {
        Some((file, place)) => At { file, line: place.line, column: place.column },
        None => At { file: context.settings.file.clone(), line: 0, column: 0 },
    }
}
