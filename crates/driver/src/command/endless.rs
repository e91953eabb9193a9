//! A run without end, in words: the inputs that it has, and the loop that it stays in.

use base::{Budget, Id, Place};
use program::interp::{Limits, visits};
use program::{Action, AssertionId, InputId, Mark, Program};
use report::witness::Cycle;
use term::Terms;
use verdict::{Cycles, Endless};

use super::evidence::Replay;
use super::{place_text, story};
use crate::by_endless::Constants;
use crate::tuning::Tuning;
use crate::values;

/// The assertion that the run answers.
pub fn question(program: &Program) -> AssertionId {
    program.ends_asked().unwrap_or(AssertionId::new(0))
}

/// The reason behind `UNSAFE`.
pub fn reason(program: &Program, terms: &Terms, endless: &Endless) -> String {
    let what = "the program has a run without end";
    match loop_place(program, terms, endless).and_then(|place| place_text(program, Some(place))) {
        Some(place) => format!("{what}: the loop at {place} is never left"),
        None => what.to_owned(),
    }
}

/// The inputs of the run, each once.
pub fn text(program: &Program, endless: &Endless, replay: &Replay) -> String {
    let mut text = String::from("a run without end:\n");
    for (input, value) in &endless.answers {
        let origin = program::interp::Origin::Input(*input);
        if !replay.run.inputs.iter().any(|one| one.origin == origin) {
            continue;
        }
        let info = &program.inputs[*input];
        let shown = values::show(origin, true, info.shown, value.width(), value.to_u128().unwrap_or(0));
        let at = place_text(program, info.place).map_or(String::new(), |place| format!(" ({place})"));
        let always = if is_in_loop(program, *input) { ", each time" } else { "" };
        text.push_str(&format!("  {} = {shown}{at}{always}\n", story::source(program, origin)));
    }
    text.push_str("  with these values no run ends\n");
    text
}

/// Where the loop is that the run comes to last, with the inputs that it reads there.
pub fn cycle(program: &Program, terms: &Terms, endless: &Endless) -> Cycle {
    let inputs = endless.answers.iter().map(|(input, _)| *input).filter(|&input| is_in_loop(program, input));
    Cycle { head: loop_place(program, terms, endless), inputs: inputs.collect() }
}

/// Whether the input is read in a loop.
fn is_in_loop(program: &Program, input: InputId) -> bool {
    let cycles = Cycles::of(program);
    program.edges.iter().any(|edge| {
        let is_read = matches!(edge.action, Action::Havoc { input: one, .. } if one == input);
        let function = program.locations[edge.from].function;
        is_read && (cycles.of_location[edge.from].is_some() || cycles.of_function[function].is_some())
    })
}

/// The place of the loop that the run was in last.
fn loop_place(program: &Program, terms: &Terms, endless: &Endless) -> Option<Place> {
    let heads = program.locations.iter_enumerated().filter(|(_, location)| location.mark == Mark::LoopHead);
    let watched: Vec<_> = heads.map(|(loc, _)| (loc, Vec::new())).collect();
    let limits = Limits { edges: Tuning::DEFAULT.shown_endless_edges, ..Limits::default() };
    let mut inputs = Constants { values: &endless.answers };
    let most = Tuning::DEFAULT.shown_endless_edges as usize;
    let (_, found) = visits(program, terms, &mut inputs, &limits, &Budget::default(), &watched, most).ok()?;
    program.locations[found.last()?.at].place
}
