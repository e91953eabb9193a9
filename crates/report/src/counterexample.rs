//! A counterexample that people can read: the source lines on the way into the error, with what happened there.
//!
//! Only relevant steps are printed: inputs, ways taken, calls, and assignments to variables that decide them. What happens on
//! one line is printed on one line; iterations of loops are counted after the first; the calls that were open at the
//! error come last.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use base::{Id, Place};
use program::interp::{Event, Origin, Trace};
use program::{Action, AssertionId, FunId, InputKind, Program, Show};
use term::Terms;

use crate::fold::{Folded, fold};
use crate::relevant::deciding;
use crate::tuning::Tuning;

/// The steps that matter, one line for each line of the source that the run passed. `source` gives the text of a line.
pub fn counterexample(
    program: &Program,
    terms: &Terms,
    trace: &Trace,
    fails: AssertionId,
    source: &mut dyn FnMut(&str, u32) -> Option<String>,
) -> String {
    let (items, stack) = folded(program, terms, trace, fails);
    let mut text = String::from("counterexample:\n");
    let mut printer = Printer { program, source, file: None };
    for item in &items {
        printer.print(item, &mut text);
    }
    text.push_str(&stack);
    text
}

/// A line of the source on the way into the error.
pub struct Step {
    /// Where; none for steps that were left out.
    pub place: Option<Place>,
    /// How many calls are open.
    pub depth: usize,
    /// What happens there.
    pub text: String,
}

/// The same steps as a list, for reports that have a form of their own.
pub fn steps(program: &Program, terms: &Terms, trace: &Trace, fails: AssertionId) -> Vec<Step> {
    let mut steps = Vec::new();
    flatten(&folded(program, terms, trace, fails).0, &mut steps);
    steps
}

fn flatten(items: &[Folded<Line>], steps: &mut Vec<Step>) {
    for item in items {
        match item {
            Folded::One(line) => {
                let left_out = format!("{} steps left out", line.skipped);
                let text = if line.skipped > 0 { left_out } else { line.notes.join(", ") };
                steps.push(Step { place: line.place, depth: line.depth, text });
            }
            Folded::Rounds { first, left_out, last } => {
                flatten(first, steps);
                let (place, depth) = steps.last().map_or((None, 0), |step| (step.place, step.depth));
                let plural = if *left_out == 1 { "" } else { "s" };
                steps.push(Step { place, depth, text: format!("{left_out} more iteration{plural}") });
                flatten(last, steps);
            }
        }
    }
}

/// The lines with repetitions counted, and the calls that are open at the end.
fn folded(program: &Program, terms: &Terms, trace: &Trace, fails: AssertionId) -> (Vec<Folded<Line>>, String) {
    let mut story = Story {
        program,
        show: Show::new(program, terms).shortened(Tuning::DEFAULT.max_condition_nodes),
        deciding: deciding(program, terms, trace.first.iter().chain(&trace.last)),
        lines: Vec::new(),
        calls: Vec::new(),
        received: None,
    };
    trace.first.iter().for_each(|step| story.step(step.place, &step.event));
    if trace.n_skipped > 0 {
        story.lines.push(Line { skipped: trace.n_skipped, ..Line::at(None, 0) });
    }
    trace.last.iter().for_each(|step| story.step(step.place, &step.event));
    let stack = if trace.n_skipped > 0 { String::new() } else { story.stack() };
    let place = program.assertions[fails].place;
    story.note(place, "the error".to_owned(), (u64::MAX, 0));
    story.lines.retain(|line| !line.notes.is_empty() || line.skipped > 0);
    (fold(story.lines, Line::shape), stack)
}

/// One line of the source, with what happened there.
struct Line {
    place: Option<Place>,
    depth: usize,
    notes: Vec<String>,
    /// What the notes are about: the same twice starts a new line.
    about: Vec<(u64, u64)>,
    /// Not a line, but the number of steps left out.
    skipped: u64,
}

impl Line {
    fn at(place: Option<Place>, depth: usize) -> Line {
        Line { place, depth, notes: Vec::new(), about: Vec::new(), skipped: 0 }
    }
    fn shape(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let place = self.place.map(|place| (place.file.index(), place.line));
        (place, self.depth, &self.about, self.skipped).hash(&mut hasher);
        hasher.finish()
    }
}

struct Story<'a> {
    program: &'a Program,
    show: Show<'a>,
    deciding: Vec<bool>,
    lines: Vec<Line>,
    /// The open calls: the function, and where it was called.
    calls: Vec<(FunId, Option<Place>)>,
    /// An input that has just come in: where, its value, and where from.
    received: Option<(Option<Place>, String, &'static str, u64)>,
}

impl Story<'_> {
    fn step(&mut self, place: Option<Place>, event: &Event) {
        let program = self.program;
        if let Some((at, value, from, id)) = self.received.take() {
            if let Event::Assigned { var, value: assigned } = event
                && *assigned == value
            {
                let name = &program.vars[*var].name;
                self.note(at, format!("{name} = {value} ({from})"), (0, id));
                return;
            }
            self.note(at, format!("{value} ({from})"), (0, id));
        }
        match event {
            Event::Received { origin, value } => {
                let (from, id) = match origin {
                    Origin::Input(input) => match program.inputs[*input].kind {
                        InputKind::Nondet(_) => ("input", input.index()),
                        InputKind::Uninitialised(_) => ("uninitialised", input.index()),
                        InputKind::External(_) => ("from elsewhere", input.index()),
                        InputKind::Memory => ("fresh memory", input.index()),
                        InputKind::Unspecified(_) | InputKind::Order { .. } => ("left open by C", input.index()),
                    },
                    Origin::Choice(_) => return,
                    _ => ("uninitialised memory", usize::MAX),
                };
                self.received = Some((place, value.clone(), from, id as u64));
            }
            Event::Assigned { var, value } => {
                if self.deciding[var.index()] {
                    self.note(place, format!("{} = {value}", program.vars[*var].name), (1, var.index() as u64));
                }
            }
            Event::Stored { object, offset, value } => {
                let (to, id) = match object {
                    Some(object) if *offset == 0 => (program.objects[*object].name.clone(), object.index()),
                    Some(object) => (format!("{} at byte {offset}", program.objects[*object].name), object.index()),
                    None => ("allocated memory".to_owned(), usize::MAX),
                };
                self.note(place, format!("{to} = {value}"), (2, id as u64));
            }
            Event::Branched { edge } => {
                if let Action::Assume(condition) = program.edges[*edge].action {
                    let text = in_c(&self.show.term(condition));
                    self.note(place, text, (3, program.edges[*edge].from.index() as u64));
                    // Rounds that go different ways are not alike.
                    if let Some(line) = self.lines.last_mut() {
                        line.about.push((4, edge.index() as u64));
                    }
                }
            }
            Event::Called { function, args } => {
                if !self.calls.is_empty() {
                    let text = format!("calls {}({})", program.functions[*function].name, args.join(", "));
                    self.note(place, text, (5, function.index() as u64));
                }
                self.calls.push((*function, place));
            }
            Event::Returned { function, value } => {
                let called = match self.calls.last() {
                    Some((open, called)) if open == function => *called,
                    _ => return,
                };
                self.calls.pop();
                if let (Some(value), false) = (value, self.calls.is_empty()) {
                    let text = format!("{} returns {value}", program.functions[*function].name);
                    self.note(called, text, (6, function.index() as u64));
                }
            }
        }
    }

    fn note(&mut self, place: Option<Place>, text: String, about: (u64, u64)) {
        let depth = self.calls.len().saturating_sub(1);
        let on = |place: Option<Place>| place.map(|place| (place.file, place.line));
        let goes_on = self.lines.last().is_some_and(|line| {
            on(line.place) == on(place) && line.depth == depth && line.skipped == 0 && !line.about.contains(&about)
        });
        if !goes_on {
            self.lines.push(Line::at(place, depth));
        }
        let line = self.lines.last_mut().expect("a line was pushed if there was none");
        line.notes.push(text);
        line.about.push(about);
    }

    /// The calls that are open.
    fn stack(&self) -> String {
        let mut text = String::new();
        for pair in self.calls.windows(2).rev() {
            let [(caller, _), (callee, at)] = pair else { continue };
            let name = |function: FunId| &self.program.functions[function].name;
            let line = at.map_or(String::new(), |place| format!(" at line {}", place.line));
            text.push_str(&format!("  in {}, called by {}{line}\n", name(*callee), name(*caller)));
        }
        text
    }
}

struct Printer<'a> {
    program: &'a Program,
    source: &'a mut dyn FnMut(&str, u32) -> Option<String>,
    file: Option<String>,
}

impl Printer<'_> {
    fn print(&mut self, item: &Folded<Line>, text: &mut String) {
        match item {
            Folded::One(line) if line.skipped > 0 => {
                text.push_str(&format!("         … {} steps left out\n", line.skipped));
            }
            Folded::One(line) => self.line(line, text),
            Folded::Rounds { first, left_out, last } => {
                first.iter().for_each(|item| self.print(item, text));
                let at = first_line(first).map_or(String::new(), |(_, line)| format!(" of the loop at line {line}"));
                let plural = if *left_out == 1 { "" } else { "s" };
                text.push_str(&format!("         … {left_out} more iteration{plural}{at}\n"));
                last.iter().for_each(|item| self.print(item, text));
            }
        }
    }

    fn line(&mut self, line: &Line, text: &mut String) {
        let Some(place) = line.place else {
            text.push_str(&format!("         {}\n", line.notes.join(", ")));
            return;
        };
        let file = self.program.files.get(place.file).cloned().unwrap_or_default();
        let code = (self.source)(&file, place.line).unwrap_or_default();
        if self.file.as_ref() != Some(&file) {
            text.push_str(&format!("  {file}\n"));
            self.file = Some(file);
        }
        let mut code = format!("{}{}", "  ".repeat(line.depth.min(10)), code.trim());
        if code.chars().count() > Tuning::DEFAULT.max_source_columns {
            code = code.chars().take(Tuning::DEFAULT.max_source_columns - 1).chain(['…']).collect();
        }
        let column = Tuning::DEFAULT.note_column;
        text.push_str(&format!("  {:>5} | {code:<column$} // {}\n", place.line, line.notes.join(", ")));
    }
}

/// Where the loop itself stands: functions that it calls may stand above it, but they are deeper in the stack of calls.
fn first_line(items: &[Folded<Line>]) -> Option<(usize, u32)> {
    let lines = items.iter().filter_map(|item| match item {
        Folded::One(line) => line.place.map(|place| (line.depth, place.line)),
        Folded::Rounds { first, .. } => first_line(first),
    });
    lines.min()
}

/// A condition without the marks that only matter to us: the source line beside it shows the types, and names that the
/// front end made up mean nothing to the reader.
fn in_c(text: &str) -> String {
    let words = text.split(' ').map(|word| match word {
        "<s" | "<u" => "<".to_owned(),
        "<=s" | "<=u" => "<=".to_owned(),
        ">s" | ">u" => ">".to_owned(),
        ">=s" | ">=u" => ">=".to_owned(),
        "/s" | "/u" => "/".to_owned(),
        "%s" | "%u" => "%".to_owned(),
        word => match word.find('!').filter(|&at| at > 0 && word[at + 1..].starts_with(|c: char| c.is_ascii_digit())) {
            Some(at) => {
                let start = word[..at].rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
                let end = word[at + 1..].find(|c: char| !c.is_ascii_digit()).map_or(word.len(), |end| at + 1 + end);
                format!("{}it{}", &word[..start], &word[end..])
            }
            None => word.to_owned(),
        },
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_lose_our_own_marks() {
        assert_eq!(in_c("i + 1 <s 10 && u >=u 3"), "i + 1 < 10 && u >= 3");
        assert_eq!(in_c("(call!1 == 100) || !ok"), "(it == 100) || !ok");
    }
}
