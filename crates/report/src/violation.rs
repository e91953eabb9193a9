//! Violation witnesses: a sequence of waypoints that leads into the error.
//!
//! Each waypoint is a segment of its own that is to be followed: the value that each `__VERIFIER_nondet_*` returned,
//! the value of uninitialised variables, the way taken at each `if`, the calls of functions, and last the target, the
//! error call. Waypoints restrict a validator's search; one whose place the text does not confirm is left out, which
//! never makes the witness wrong.

use base::Place;
use program::interp::{Consumed, Event, Origin, Run, Step, Trace};
use program::{Action, Assertion, AssertionId, AssertionKind, EdgeId, FunId, InputKind, Program, Shown};

use crate::source::Source;
use crate::tuning::Tuning;
use crate::witness::{Cycle, Location, Metadata, entry, quoted};

/// The witness for a run that reached the error.
pub fn violation(
    program: &Program,
    run: &Run,
    trace: &Trace,
    assertion: AssertionId,
    text: &str,
    metadata: &Metadata<'_>,
) -> String {
    let writer = Writer { program, source: Source::new(text), file: metadata.file };
    let mut content = String::new();
    let steps = trace.first.iter().chain(&trace.last);
    let mut waypoints: Vec<Waypoint> = Vec::new();
    if trace.n_skipped > 0 {
        // Of a long run the middle is not known, but all of its values are; they determine the rest.
        let values = run.inputs.iter().filter_map(|one| writer.returned(one));
        values.take(Tuning::DEFAULT.max_waypoints).for_each(|waypoint| content.push_str(&waypoint.segment()));
        content.push_str(&writer.target(assertion));
        return entry("violation_sequence", metadata, &content);
    }
    for waypoint in steps.filter_map(|step| writer.waypoint(step)) {
        // What is assumed at one moment is one waypoint: the next one would wait for the next visit.
        match waypoints.last_mut() {
            Some(last)
                if last.kind == "assumption" && waypoint.kind == last.kind && last.location == waypoint.location =>
            {
                last.constraint = format!("{} && {}", last.constraint, waypoint.constraint);
            }
            _ => waypoints.push(waypoint),
        }
    }
    let is_value = |waypoint: &Waypoint| ["assumption", "function_return"].contains(&waypoint.kind);
    if waypoints.iter().filter(|waypoint| !is_value(waypoint)).count() > Tuning::DEFAULT.max_branch_waypoints {
        waypoints.retain(is_value);
    }
    for waypoint in waypoints.iter().take(Tuning::DEFAULT.max_waypoints) {
        content.push_str(&waypoint.segment());
    }
    content.push_str(&writer.target(assertion));
    entry("violation_sequence", metadata, &content)
}

/// The witness for a run without end: the values on the way to the loop, then the cycle, which begins at its head and reads the values that are read in it.
pub fn endless(program: &Program, run: &Run, cycle: &Cycle, text: &str, metadata: &Metadata<'_>) -> String {
    let writer = Writer { program, source: Source::new(text), file: metadata.file };
    let mut content = String::new();
    let is_inside = |one: &Consumed| matches!(one.origin, Origin::Input(input) if cycle.inputs.contains(&input));
    let stem = run.inputs.iter().filter(|one| !is_inside(one)).filter_map(|one| writer.returned(one));
    stem.take(Tuning::DEFAULT.max_waypoints).for_each(|waypoint| content.push_str(&waypoint.segment()));
    if let Some(place) = cycle.head {
        let location = Location {
            file: program.files.get(place.file).map_or(metadata.file, String::as_str).to_owned(),
            line: place.line,
            column: place.column,
            function: "main".to_owned(),
        };
        content.push_str(&segment("assumption", "cycle", &location, Some(("1", Some("c_expression")))));
    }
    for input in &cycle.inputs {
        let first = run.inputs.iter().find(|one| one.origin == Origin::Input(*input));
        if let Some(waypoint) = first.and_then(|one| writer.returned(one)) {
            let constraint = Some((waypoint.constraint.as_str(), Some("acsl_expression")));
            content.push_str(&segment(waypoint.kind, "cycle", &waypoint.location, constraint));
        }
    }
    entry("violation_sequence", metadata, &content)
}

/// Something that the run passes.
struct Waypoint {
    kind: &'static str,
    location: Location,
    /// Empty if there is no value.
    constraint: String,
}

impl Waypoint {
    fn segment(&self) -> String {
        let format = match self.kind {
            "function_return" => Some("acsl_expression"),
            "assumption" => Some("c_expression"),
            _ => None,
        };
        let constraint = (!self.constraint.is_empty()).then_some((self.constraint.as_str(), format));
        segment(self.kind, "follow", &self.location, constraint)
    }
}

struct Writer<'a> {
    program: &'a Program,
    source: Source<'a>,
    file: &'a str,
}

impl Writer<'_> {
    fn waypoint(&self, step: &Step) -> Option<Waypoint> {
        let at = |kind, offset, constraint| {
            Some(Waypoint { kind, location: self.location(offset, step.function), constraint })
        };
        match &step.event {
            Event::Received { origin: Origin::Input(input), value } => {
                let info = &self.program.inputs[*input];
                if !matches!(info.shown, Shown::Signed | Shown::Unsigned | Shown::Plain) {
                    return None;
                }
                let value = match value.as_str() {
                    "true" => "1",
                    "false" => "0",
                    value => value,
                };
                match &info.kind {
                    InputKind::Nondet(name) => {
                        let bracket = self.closing_bracket(info.place?, name)?;
                        at("function_return", bracket, format!("\\result == {value}"))
                    }
                    InputKind::Uninitialised(name) => {
                        let declared = self.offset(info.place?)?;
                        let next = self.after_input(*input)?;
                        if self.source.word(declared) != name || !self.source.visible(declared, next, false) {
                            return None;
                        }
                        at("assumption", next, format!("{name} == {value}"))
                    }
                    _ => None,
                }
            }
            Event::Branched { edge } => {
                let (keyword, taken) = self.branch(*edge)?;
                at("branching", keyword, taken.to_string())
            }
            // `main` has no call in the text.
            Event::Called { function, .. } if Some(step.function) != self.program.entry => {
                let bracket = self.closing_bracket(step.place?, &self.program.functions[*function].name)?;
                at("function_enter", bracket, String::new())
            }
            _ => None,
        }
    }

    /// What a call of `__VERIFIER_nondet_*` returned.
    fn returned(&self, consumed: &Consumed) -> Option<Waypoint> {
        let Origin::Input(input) = consumed.origin else { return None };
        let info = &self.program.inputs[input];
        let InputKind::Nondet(name) = &info.kind else { return None };
        let value = match info.shown {
            Shown::Signed if (1..=128).contains(&consumed.width) => {
                let shift = 128 - consumed.width;
                (((consumed.value << shift) as i128) >> shift).to_string()
            }
            Shown::Unsigned | Shown::Plain => consumed.value.to_string(),
            _ => return None,
        };
        let comes_in = |edge: &&program::Edge| matches!(edge.action, Action::Havoc { input: one, .. } if one == input);
        let edge = self.program.edges.iter().find(comes_in)?;
        let function = self.program.locations[edge.from].function;
        let location = self.location(self.closing_bracket(info.place?, name)?, function);
        Some(Waypoint { kind: "function_return", location, constraint: format!("\\result == {value}") })
    }

    fn target(&self, assertion: AssertionId) -> String {
        let program = self.program;
        let is_here = |mark: &program::Mark| matches!(mark, program::Mark::Error(id) if *id == assertion);
        let function = program.locations.iter().find(|location| is_here(&location.mark)).map(|at| at.function);
        let place = program.assertions[assertion].place;
        let mut location = Location {
            file: place.and_then(|place| program.files.get(place.file)).map_or(self.file, String::as_str).to_owned(),
            line: place.map_or(1, |place| place.line),
            column: place.map_or(0, |place| place.column),
            function: function.map_or("main", |function| program.functions[function].name.as_str()).to_owned(),
        };
        // An overflow stands inside of a full expression; its statement is what the format wants.
        let text_starts = place.and_then(|place| self.offset(place)).map(|at| self.source.word(at));
        if text_starts.is_some_and(str::is_empty) {
            location.column = 0;
        }
        // An assertion is a macro: the call in it has a column that the file does not know.
        let Assertion { text, kind, .. } = &program.assertions[assertion];
        let is_named = text_starts.is_some_and(|word| word == "__assert_fail" || text.strip_suffix("()") == Some(word));
        if !is_named && matches!(kind, AssertionKind::Condition | AssertionKind::Unreached) {
            location.column = place.and_then(|place| self.assertion_in(place, text)).unwrap_or(0);
        }
        segment("target", "follow", &location, None)
    }

    /// The column of the `assert` of this condition in the line of this place, if there is only one.
    fn assertion_in(&self, place: Place, condition: &str) -> Option<u32> {
        let first = self.offset(Place { column: 1, ..place })?;
        let is_meant = |at: usize| {
            let argument = self.source.closing_bracket(at).map(|end| self.source.between(at + "assert".len(), end));
            self.source.word(at) == "assert"
                && argument.is_some_and(|text| bare(text) == format!("({}", bare(condition)))
        };
        let mut found = self.source.words_of_line(first).filter(|&at| is_meant(at));
        let only = found.next().filter(|_| found.next().is_none())?;
        Some(self.source.position(only).1)
    }

    /// The byte of a place, if it is in the program's own file.
    fn offset(&self, place: Place) -> Option<usize> {
        let here = self.program.files.get(place.file).is_some_and(|file| file == self.file);
        self.source.offset(place).filter(|_| here)
    }

    fn closing_bracket(&self, place: Place, name: &str) -> Option<usize> {
        let call = self.offset(place)?;
        if self.source.word(call) == name { self.source.closing_bracket(call) } else { None }
    }

    /// The statement that runs next when the input has come in.
    fn after_input(&self, input: program::InputId) -> Option<usize> {
        let comes_in = |edge: &&program::Edge| matches!(edge.action, Action::Havoc { input: one, .. } if one == input);
        let edge = self.program.edges.iter().find(comes_in)?;
        self.source.statement(self.offset(self.program.locations[edge.to].place?)?)
    }

    /// The `if` whose condition this edge decides, and whether the first branch is taken.
    fn branch(&self, edge: EdgeId) -> Option<(usize, bool)> {
        let program = self.program;
        let from = program.edges[edge].from;
        let mut at = self.offset(program.locations[from].place?)?;
        let condition = self.offset(program.edges[edge].place?)?;
        if program.locations[from].place == program.functions[program.locations[from].function].place {
            // The first statement of a function shares its location with the function's name.
            at = self.source.statement(condition)?;
        }
        if self.source.word(at) != "if" || condition <= at || condition >= self.source.closing_bracket(at)? {
            return None;
        }
        let then = self.source.skip_blank(self.source.closing_bracket(at)? + 1)?;
        let inside = self.source.skip_blank(then + 1)?;
        let starts_branch = |id: EdgeId| {
            let to = program.locations[program.edges[id].to].place;
            let to = to.and_then(|place| self.offset(place)).and_then(|to| self.source.statement(to).map(|s| (to, s)));
            to.map(|(to, statement)| [then, inside].iter().any(|one| *one == to || *one == statement))
        };
        let mut others = program.edges.iter_enumerated().filter(|(id, one)| one.from == from && *id != edge);
        let (other, _) = others.next()?;
        if others.next().is_some() {
            return None;
        }
        // Only where exactly one of the two edges leads to the first branch, the condition is decided here.
        match (starts_branch(edge)?, starts_branch(other)?) {
            (true, false) => Some((at, true)),
            (false, true) => Some((at, false)),
            _ => None,
        }
    }

    fn location(&self, offset: usize, function: FunId) -> Location {
        let (line, column) = self.source.position(offset);
        Location { file: self.file.to_owned(), line, column, function: self.program.functions[function].name.clone() }
    }
}

/// The text without blanks: stringification changes them.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn segment(kind: &str, action: &str, location: &Location, constraint: Option<(&str, Option<&str>)>) -> String {
    let mut text = format!("    - segment:\n        - waypoint:\n            type: {}\n", quoted(kind));
    text.push_str(&format!("            action: {}\n", quoted(action)));
    if let Some((value, format)) = constraint {
        text.push_str("            constraint:\n");
        // The ways of a branching are plain truth values.
        let value = if format.is_some() { quoted(value) } else { value.to_owned() };
        text.push_str(&format!("              value: {value}\n"));
        if let Some(format) = format {
            text.push_str(&format!("              format: {}\n", quoted(format)));
        }
    }
    text.push_str(&location.yaml(12));
    text
}
