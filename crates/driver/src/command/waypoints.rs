//! Violation witnesses: a counter in the program that says how far a run has followed the waypoints.
//!
//! The counter starts at zero; passing the waypoint to be followed in segment *n* while the counter is *n* raises it, and passing one to be
//! avoided then ends the run. An event (a branch, a call, a return) passes one waypoint; a state may satisfy several assumptions at once. The error
//! counts only inside of the target's statement with all segments before it passed.

use base::{Bits, Budget, FastMap, Place};
use certify::{Certificate, certify};
use cfront::weave::{Anchor, Insertion, RESULT, Woven};
use program::{Action, AssertionId, Edge, InputId, InputKind, Location, Mark, Program};
use report::claim::{Segment, Waypoint, WaypointKind};
use term::Terms;
use verdict::{Counterexample, InputValue, Verdict};

use crate::failure::Failure;

use super::reason_of;
use super::validate::{Answer, Task, compile, conclude, spot, unsupported};
use crate::tuning::Tuning;

/// The counter in the woven program.
const COUNTER: &str = "__uforia_passed";

/// Looks for an execution that follows the segments.
pub(super) fn violation(task: &Task<'_>, segments: &[Segment]) -> Result<Answer, Failure> {
    let prelude = format!("unsigned {COUNTER};\nextern void __uforia_abort(void);\n");
    let mut insertions = Vec::new();
    for (number, segment) in segments.iter().enumerate() {
        for waypoint in &segment.avoid {
            insertions.push(insertion(task, number, waypoint, "__uforia_abort();".to_owned()));
        }
        insertions.push(insertion(task, number, &segment.follow, format!("{COUNTER} = {COUNTER} + 1u;")));
    }
    let meant: Vec<usize> = merge(&mut insertions);
    if let Some(at) = insertions.iter().position(|one| one.anchor == Anchor::Return && one.condition.is_none()) {
        return Ok(unsupported(format!("{}: a return without a constraint", insertions[at].name)));
    }
    let (mut program, mut terms, places) = match compile(task, &prelude, &insertions)? {
        Ok(compiled) => compiled,
        Err(answer) => return Ok(answer),
    };
    let target = *places.last().expect("the target is woven in last");
    let kept = restrict(&mut program, &mut terms, target, segments.len() as u64 - 1);
    if kept.is_empty() {
        let name = &insertions.last().expect("there is a target").name;
        return Ok(Answer::Rejected(format!("{name}: no error can happen in that statement")));
    }
    for &assertion in &kept {
        let counterexample = Counterexample {
            assertion,
            inputs: said_values(&program, segments, &insertions, &places, &meant),
            functions: Vec::new(),
        };
        let claim = Verdict::Unsafe(counterexample);
        let budget = Budget::ticks(Tuning::DEFAULT.max_waypoint_edges, task.context.cancel.clone());
        if let Ok(Certificate::Unsafe(_)) = certify(&program, &terms, &claim, &budget) {
            return Ok(confirmed(segments, "with the values it names"));
        }
    }
    let Ok(conclusion) = conclude(task, &program, &terms) else { return Err(Failure::Stopped) };
    Ok(match &conclusion.verdict {
        Verdict::Unsafe(_) => confirmed(segments, "with values found for it"),
        Verdict::Safe(_) => Answer::Rejected("no execution follows the waypoints into the error".to_owned()),
        Verdict::Endless(_) => Answer::Rejected("no error is reached: the program has a run without end".to_owned()),
        Verdict::Unknown(why) => Answer::Unknown(reason_of(&program, why)),
    })
}

fn confirmed(segments: &[Segment], how: &str) -> Answer {
    let n = segments.len();
    let what = if n == 1 { "segment" } else { "segments" };
    Answer::Confirmed(format!("an execution follows {n} {what} into the error, {how}"))
}

fn insertion(task: &Task<'_>, number: usize, waypoint: &Waypoint, action: String) -> Insertion {
    let (anchor, condition) = match &waypoint.kind {
        WaypointKind::Assumption(value) => (Anchor::Statement, Some(value.clone())),
        WaypointKind::Branching(value) => (Anchor::Branch(*value), None),
        WaypointKind::Switch(Some(value)) => (Anchor::Switch, Some(format!("{RESULT} == {value}"))),
        WaypointKind::Switch(None) => (Anchor::SwitchDefault, None),
        WaypointKind::Enter => (Anchor::Enter, None),
        WaypointKind::Return(value) => (Anchor::Return, value.as_ref().map(|value| value.replace("\\result", RESULT))),
        WaypointKind::Target => (Anchor::Target, None),
    };
    Insertion {
        name: format!("segment {} ({}, line {} of the witness)", number + 1, waypoint.kind.name(), waypoint.line),
        at: spot(task, &waypoint.location),
        anchor,
        guard: Some(format!("{COUNTER} == {number}u")),
        condition,
        negated: false,
        action,
    }
}

/// Waypoints that follow one another and are the same, as a loop makes them, become one insertion for all of their numbers.
/// Returns, for each insertion before, which one it is now.
fn merge(insertions: &mut Vec<Insertion>) -> Vec<usize> {
    let mut merged: Vec<(Insertion, usize)> = Vec::new();
    let mut meant = Vec::new();
    for insertion in insertions.drain(..) {
        let is_event = !matches!(insertion.anchor, Anchor::Statement | Anchor::Target);
        match merged.last_mut() {
            Some((last, count))
                if is_event
                    && (last.anchor, &last.at, &last.condition, &last.action)
                        == (insertion.anchor, &insertion.at, &insertion.condition, &insertion.action)
                    && insertion.action.starts_with(COUNTER) =>
            {
                *count += 1;
            }
            _ => merged.push((insertion, 1)),
        }
        meant.push(merged.len() - 1);
    }
    insertions.extend(merged.into_iter().map(|(mut insertion, count)| {
        if let (Some(guard), true) = (&insertion.guard, count > 1)
            && let Some(first) = guard.strip_prefix(&format!("{COUNTER} == "))
        {
            insertion.guard = Some(format!("{COUNTER} - {first} < {count}u"));
        }
        insertion
    }));
    meant
}

/// Only errors inside of the target count, and only when the counter has come so far. Says which those are.
fn restrict(program: &mut Program, terms: &mut Terms, target: Woven, wanted: u64) -> Vec<AssertionId> {
    let counter = program.vars.iter().find(|var| var.name == COUNTER).map(|var| var.term);
    let mut kept = Vec::new();
    let mut guarded = Vec::new();
    for (loc, location) in program.locations.iter_enumerated() {
        let Mark::Error(assertion) = location.mark else { continue };
        let place = program.assertions[assertion].place;
        guarded.push((loc, place.is_some_and(|place| is_within(place, target)).then_some(assertion)));
    }
    for (error, assertion) in guarded {
        let Some(assertion) = assertion else {
            program.locations[error].mark = Mark::None;
            continue;
        };
        kept.push(assertion);
        // Without waypoints before the target there is nothing to count.
        let Some(counter) = counter.filter(|_| wanted > 0) else { continue };
        let Location { function, place, .. } = program.locations[error];
        let gate = program.locations.push(Location { function, place, mark: Mark::None });
        for edge in program.edges.iter_mut().filter(|edge| edge.to == error) {
            edge.to = gate;
        }
        let wanted = terms.bv(32, wanted);
        let passed = terms.eq(counter, wanted);
        program.edges.push(Edge { from: gate, to: error, action: Action::Assume(passed), place });
    }
    kept
}

fn is_within(place: Place, Woven { from, to }: Woven) -> bool {
    let at = |place: Place| (place.line, place.column);
    place.file == from.file && at(from) <= at(place) && at(place) <= at(to)
}

/// The values that returns and assumptions of the form `x == 5` name, as inputs of the program in their order.
fn said_values(
    program: &Program,
    segments: &[Segment],
    insertions: &[Insertion],
    places: &[Woven],
    meant: &[usize],
) -> Vec<InputValue> {
    let mut values: Vec<InputValue> = Vec::new();
    let mut counts: FastMap<InputId, u64> = FastMap::new();
    let mut add = |input: InputId, value: i128| {
        let count = counts.get_or_insert_with(input, || 0);
        let occurrence = *count;
        *count += 1;
        // Narrower requests take the low bits.
        values.push(InputValue { input, occurrence, offset: None, value: Bits::from_u128(128, value as u128) });
    };
    let mut next = 0;
    for segment in segments {
        next += segment.avoid.len();
        let (insertion, woven) = (&insertions[meant[next]], places[meant[next]]);
        next += 1;
        let Some(condition) = &insertion.condition else { continue };
        for (name, value) in equations(condition) {
            let is_meant = |(_, input): &(InputId, &program::Input)| match (&input.kind, input.place) {
                (InputKind::Nondet(_), Some(place)) => name == RESULT && is_within(place, woven),
                (InputKind::Uninitialised(known), Some(place)) => {
                    known == name && (place.line, place.column) < (woven.from.line, woven.from.column)
                }
                _ => false,
            };
            // The declaration nearest before the statement.
            let found = program
                .inputs
                .iter_enumerated()
                .filter(is_meant)
                .max_by_key(|(_, input)| input.place.map(|place| (place.line, place.column)));
            if let Some((input, _)) = found {
                add(input, value);
            }
        }
    }
    values
}

/// The parts `name == number` of a conjunction.
fn equations(condition: &str) -> Vec<(&str, i128)> {
    let mut found = Vec::new();
    for part in condition.split("&&") {
        let part = part.trim().trim_matches(|c: char| c == '(' || c == ')' || c.is_whitespace());
        let Some((name, number)) = part.split_once("==") else { continue };
        let number = number.trim().trim_matches(|c: char| "()uUlL".contains(c) || c.is_whitespace());
        if let Ok(number) = number.parse() {
            found.push((name.trim(), number));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_read_from_conjunctions() {
        assert_eq!(equations("x == 5"), [("x", 5)]);
        assert_eq!(equations("(x == (-3)) && y==4294967295U && z > 1"), [("x", -3), ("y", 4_294_967_295)]);
        assert_eq!(equations("x == y"), []);
    }
}
