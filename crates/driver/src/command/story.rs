//! A run in terms of the source: places, names and values, one line for each step.

use program::interp::{BadAccess, Event, Origin, Step, Trace, Unclear};
use program::{Action, InputKind, Program, Show, Undefined};
use term::Terms;

use super::place_text;
use crate::tuning::Tuning;

/// All steps, one a line.
pub fn text(program: &Program, terms: &Terms, trace: &Trace) -> String {
    let show = Show::new(program, terms).shortened(Tuning::DEFAULT.story_shown_nodes);
    let mut text = String::from("trace:\n");
    for step in &trace.first {
        text.push_str(&line(program, &show, step));
    }
    if trace.n_skipped > 0 {
        text.push_str(&format!("  ... {} steps left out ...\n", trace.n_skipped));
    }
    for step in &trace.last {
        text.push_str(&line(program, &show, step));
    }
    text
}

fn line(program: &Program, show: &Show<'_>, step: &Step) -> String {
    let place = place_text(program, step.place).unwrap_or_else(|| program.functions[step.function].name.clone());
    let what = match &step.event {
        Event::Received { origin: from, value } => format!("{value} <- {}", source(program, *from)),
        Event::Assigned { var, value } => format!("{} = {value}", program.vars[*var].name),
        Event::Stored { to, value, .. } => format!("{to} = {value}"),
        Event::Loaded { from, value, .. } => format!("reads {from}: {value}"),
        Event::Freed { value } => format!("frees {value}"),
        Event::Branched { edge } => match program.edges[*edge].action {
            Action::Assume(condition) => format!("it holds that {}", show.term(condition)),
            _ => "goes on".to_owned(),
        },
        Event::Called { function, args } => {
            format!("calls {}({})", program.functions[*function].name, args.join(", "))
        }
        Event::Returned { function, value } => {
            let name = &program.functions[*function].name;
            value.as_ref().map_or(format!("{name} returns"), |value| format!("{name} returns {value}"))
        }
    };
    format!("  {place}: {what}\n")
}

/// Where a value came from, with its place.
pub fn origin(program: &Program, from: Origin) -> String {
    let place = match from {
        Origin::Input(input) => program.inputs.get(input).and_then(|input| place_text(program, input.place)),
        _ => None,
    };
    let source = source(program, from);
    place.map_or(source.clone(), |place| format!("{source} at {place}"))
}

/// Where a value came from.
pub fn source(program: &Program, from: Origin) -> String {
    match from {
        Origin::Input(input) => match program.inputs.get(input).map(|input| &input.kind) {
            Some(InputKind::Nondet(name)) => name.clone(),
            Some(InputKind::Uninitialised(name)) => format!("uninitialised {name}"),
            Some(InputKind::External(name)) => format!("{name}, defined elsewhere"),
            Some(InputKind::Memory) => "fresh memory".to_owned(),
            Some(InputKind::Unspecified(what) | InputKind::Order { what, .. }) => what.clone(),
            None => "an input".to_owned(),
        },
        Origin::Automatic => "an uninitialised local object".to_owned(),
        Origin::Outside => "memory outside of every object".to_owned(),
        Origin::Choice(n) => format!("one of {n} ways to go on"),
    }
}

/// What was undefined, in words.
pub fn unclear(what: Unclear) -> &'static str {
    match what {
        Unclear::Operation(Undefined::DivisionByZero) => "division by zero",
        Unclear::Operation(Undefined::ShiftOutOfRange) => "shift by a negative amount or by too many bits",
        Unclear::Operation(Undefined::SignedOverflow) => "signed overflow",
        Unclear::Operation(Undefined::BadFunctionPointer) => "call through a pointer to no function of that type",
        Unclear::Operation(Undefined::FloatToInteger) => "conversion of a float that does not fit the integer type",
        Unclear::Operation(Undefined::MissingReturn) => "use of the result of a function that returned none",
        Unclear::Operation(Undefined::Unreachable) => "__builtin_unreachable was reached",
        Unclear::Operation(Undefined::BadLength) => "array whose length is not positive",
        Unclear::Operation(Undefined::DivisionOverflow) => "quotient that does not fit its type",
        Unclear::Operation(Undefined::BrokenPromise) => "broken promise of an attribute",
        Unclear::Memory(BadAccess::Read) => "read outside of every live object",
        Unclear::Memory(BadAccess::Write) => "write outside of every live object",
        Unclear::Memory(BadAccess::ReadOnly) => "write to an object that must not be written",
        Unclear::Memory(BadAccess::Free) => "free of something that was not allocated or is freed already",
    }
}
