//! A counterexample that people can read: the source lines on the way into the error, with what happened there.
//!
//! Only the steps are printed that the error depends on (`slice`); of a run that is too long for that, inputs, ways taken, calls, and assignments to
//! variables that decide them. What happens on one line is printed on one line; iterations of loops are counted after the first, with
//! their inputs; the last condition is printed with the values of its parts; the calls that were open at the error come last.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use base::{Id, OrderedMap, Place};
use program::interp::{self, Event, Origin, Trace};
use program::{Action, AssertionId, FunId, InputKind, Program, Show, Var};
use term::{Op, Term, Terms};

use crate::answer::Change;
use crate::fold::{Folded, fold};
use crate::relevant::deciding;
use crate::slice::slice;
use crate::tracker::Tracker;
use crate::tuning::Tuning;

/// The steps that matter, one line for each line of the source that the run passed. `source` gives the text of a line.
pub fn counterexample(
    program: &Program,
    terms: &Terms,
    trace: &Trace,
    fails: AssertionId,
    max_lines: usize,
    source: &mut dyn FnMut(&str, u32) -> Option<String>,
) -> String {
    let Shortened { items, stack, n_hidden, hidden_inputs } = folded(program, terms, trace, fails);
    let mut text = String::new();
    let mut printer = Printer { program, source, file: None };
    for item in &items {
        printer.print(item, &mut text);
    }
    let mut text = format!("counterexample:\n{}{stack}", shortened(&text, max_lines));
    if n_hidden > 0 {
        let steps = if n_hidden == 1 { "1 step".to_owned() } else { format!("{n_hidden} steps") };
        let inputs = match hidden_inputs {
            0 => String::new(),
            1 => ", 1 input among them".to_owned(),
            n => format!(", {n} inputs among them"),
        };
        text.push_str(&format!("  not shown: {steps} that the error does not depend on{inputs}\n"));
    }
    text
}

/// The first and the last lines, if there are more than `max_lines`; zero is no limit.
fn shortened(text: &str, max_lines: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if max_lines == 0 || lines.len() <= max_lines {
        return text.to_owned();
    }
    let first = max_lines / 3;
    let last = max_lines - first - 1;
    let left_out = lines.len() - first - last;
    let hint = format!("         … {left_out} more lines; --trace-lines 0 shows all");
    let shown =
        lines[..first].iter().copied().chain([hint.as_str()]).chain(lines[lines.len() - last..].iter().copied());
    shown.map(|line| format!("{line}\n")).collect()
}

/// The steps in words.
struct Shortened {
    items: Vec<Folded<Line>>,
    /// The calls that are open at the end.
    stack: String,
    /// How many steps the error does not depend on, and how many of them are inputs.
    n_hidden: usize,
    hidden_inputs: usize,
}

/// A line of the source on the way into the error.
pub struct Step {
    /// Where; none for steps that were left out.
    pub place: Option<Place>,
    /// How many calls are open.
    pub depth: usize,
    /// What happens there.
    pub text: String,
    /// The function.
    pub function: Option<FunId>,
    /// What got another value.
    pub changes: Vec<Change>,
}

/// The same steps as a list, for reports that have a form of their own.
pub fn steps(program: &Program, terms: &Terms, trace: &Trace, fails: AssertionId) -> Vec<Step> {
    let mut steps = Vec::new();
    flatten(&folded(program, terms, trace, fails).items, &mut steps);
    steps
}

fn flatten(items: &[Folded<Line>], steps: &mut Vec<Step>) {
    for item in items {
        match item {
            Folded::One(line) => {
                let left_out = format!("{} steps left out", line.skipped);
                let text = if line.skipped > 0 { left_out } else { line.notes.join(", ") };
                let changes = line.changes.clone();
                steps.push(Step { place: line.place, depth: line.depth, text, function: line.function, changes });
            }
            Folded::Rounds { first, left_out, last, hidden } => {
                flatten(first, steps);
                let (place, depth, function) =
                    steps.last().map_or((None, 0, None), |step| (step.place, step.depth, step.function));
                let plural = if *left_out == 1 { "" } else { "s" };
                let text = format!("{left_out} more iteration{plural}");
                let mut left_out = Vec::new();
                flatten(hidden, &mut left_out);
                let changes = net(left_out.into_iter().flat_map(|step| step.changes));
                steps.push(Step { place, depth, text, function, changes });
                flatten(last, steps);
            }
        }
    }
}

/// What these changes come to together.
pub fn net(changes: impl Iterator<Item = Change>) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for change in changes {
        match all.iter_mut().find(|known| known.name == change.name) {
            Some(known) => known.after = change.after,
            None => all.push(change),
        }
    }
    all
}

/// The lines with repetitions counted, and the calls that are open at the end.
fn folded(program: &Program, terms: &Terms, trace: &Trace, fails: AssertionId) -> Shortened {
    let kept = slice(program, terms, &trace.log, fails);
    let is_kept = |step: &interp::Step| kept.as_ref().is_none_or(|kept| kept.get(step.entry).copied().unwrap_or(false));
    let all = || trace.first.iter().chain(&trace.last);
    let last_branch = all().rfind(|step| is_kept(step) && matches!(step.event, Event::Branched { .. }));
    let mut story = Story {
        program,
        show: Show::new(program, terms).shortened(Tuning::DEFAULT.max_condition_nodes),
        terms,
        deciding: if kept.is_some() { vec![true; program.vars.len()] } else { deciding(program, terms, all()) },
        last_branch: last_branch.map(|step| step.entry),
        values: OrderedMap::default(),
        tracker: Tracker::default(),
        n_hidden: 0,
        hidden_inputs: 0,
        lines: Vec::new(),
        calls: Vec::new(),
        received: None,
    };
    trace.first.iter().for_each(|step| story.meet(step, is_kept(step)));
    if trace.n_skipped > 0 {
        story.lines.push(Line { skipped: trace.n_skipped, ..Line::at(None, 0) });
    }
    trace.last.iter().for_each(|step| story.meet(step, is_kept(step)));
    let stack = if trace.n_skipped > 0 { String::new() } else { story.stack() };
    let place = program.assertions[fails].place;
    story.note(place, "the error".to_owned(), (u64::MAX, 0));
    story.lines.retain(|line| !line.notes.is_empty() || line.skipped > 0);
    let (n_hidden, hidden_inputs) = (story.n_hidden, story.hidden_inputs);
    Shortened { items: fold(story.lines, Line::shape), stack, n_hidden, hidden_inputs }
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
    function: Option<FunId>,
    changes: Vec<Change>,
}

impl Line {
    fn at(place: Option<Place>, depth: usize) -> Line {
        Line { place, depth, notes: Vec::new(), about: Vec::new(), skipped: 0, function: None, changes: Vec::new() }
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
    terms: &'a Terms,
    deciding: Vec<bool>,
    /// The entry of the last branch that is shown.
    last_branch: Option<usize>,
    /// The values of variables now; of those of the front end, the place that they were read from, too.
    values: OrderedMap<Var, (Option<String>, String)>,
    tracker: Tracker,
    n_hidden: usize,
    hidden_inputs: usize,
    lines: Vec<Line>,
    /// The open calls: the function, and where it was called.
    calls: Vec<(FunId, Option<Place>)>,
    /// An input that has just come in: where, its value, and where from.
    received: Option<(Option<Place>, String, &'static str, u64)>,
}

impl Story<'_> {
    /// Takes note of a step; only those that are kept are shown.
    fn meet(&mut self, step: &interp::Step, is_kept: bool) {
        let change = self.tracker.change(self.program, &step.event, self.calls.len());
        match &step.event {
            Event::Assigned { var, value } => {
                self.values.insert(*var, (None, value.clone()));
            }
            Event::Loaded { var, from, value } => {
                self.values.insert(*var, (Some(from.clone()), value.clone()));
            }
            Event::Called { function, args } => {
                for (&param, value) in self.program.functions[*function].params.iter().zip(args) {
                    self.values.insert(param, (None, value.clone()));
                }
            }
            _ => {}
        }
        if is_kept {
            let is_last = self.last_branch == Some(step.entry);
            return self.step(step.place, &step.event, is_last, change);
        }
        match &step.event {
            // The stack of calls is shown in any case.
            Event::Called { function, .. } => self.calls.push((*function, step.place)),
            Event::Returned { function, .. } if self.calls.last().is_some_and(|open| open.0 == *function) => {
                self.calls.pop();
            }
            Event::Received { origin: Origin::Input(_), .. } => {
                self.n_hidden += 1;
                self.hidden_inputs += 1;
            }
            Event::Assigned { .. } | Event::Stored { .. } | Event::Branched { .. } | Event::Freed { .. } => {
                self.n_hidden += 1;
            }
            _ => {}
        }
    }

    /// The condition as the user wrote it, as far as it is known: what the front end read from memory has the name of its place.
    fn condition(&self, condition: Term, is_last: bool) -> Option<String> {
        let program = self.program;
        let symbols =
            self.terms.subterms(&[condition]).into_iter().filter(|&part| matches!(self.terms.op(part), Op::Symbol(_)));
        let var_of = |symbol: Term| program.vars.ids().find(|&var| program.vars[var].term == symbol);
        let vars: Vec<Var> = symbols.filter_map(var_of).collect();
        let is_own = |var: &Var| {
            let name = &program.vars[*var].name;
            ["valid!", "tracked!", "heap!objects", "full!"].iter().any(|own| name.starts_with(own))
        };
        // What a call has just returned stands beside it already.
        let is_unnamed = |var: &Var| {
            let has_place = self.values.get(var).is_some_and(|(from, _)| from.is_some());
            program.vars[*var].name.contains('!') && !has_place
        };
        if vars.iter().any(is_own) || !vars.is_empty() && vars.iter().all(is_unnamed) {
            return None;
        }
        let mut text = self.show.term(condition);
        let mut parts = Vec::new();
        for var in vars {
            let name = &program.vars[var].name;
            match self.values.get(&var) {
                Some((Some(from), value)) => {
                    text = replaced(&text, name, from);
                    parts.push(format!("{from} = {value}"));
                }
                Some((None, value)) if !name.contains('!') => parts.push(format!("{name} = {value}")),
                _ => {}
            }
        }
        let text = in_c(&text);
        parts.dedup();
        // An equation says the value already.
        parts.retain(|part| part.replacen(" = ", " == ", 1) != text);
        Some(if is_last && !parts.is_empty() { format!("{text} [{}]", parts.join(", ")) } else { text })
    }

    /// A step that is shown. Long: one arm for each kind of event.
    fn step(&mut self, place: Option<Place>, event: &Event, is_last: bool, change: Option<Change>) {
        let program = self.program;
        if let Some((at, value, from, id)) = self.received.take() {
            if let Event::Assigned { var, value: assigned } = event
                && *assigned == value
            {
                let name = &program.vars[*var].name;
                self.note(at, format!("{name} = {value} ({from})"), (0, id));
                return self.changed(change);
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
                    self.changed(change);
                }
            }
            Event::Loaded { .. } => {}
            Event::Freed { value } => self.note(place, format!("frees {}", value.trim_start_matches('&')), (7, 0)),
            Event::Stored { object, to, value, .. } => {
                let id = object.map_or(usize::MAX, |object| object.index());
                self.note(place, format!("{to} = {value}"), (2, id as u64));
                self.changed(change);
            }
            Event::Branched { edge } => {
                if let Action::Assume(condition) = program.edges[*edge].action {
                    if let Some(text) = self.condition(condition, is_last) {
                        self.note(place, text, (3, program.edges[*edge].from.index() as u64));
                    }
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
        line.function = self.calls.last().map(|open| open.0);
    }
    /// The step whose note was written last changes this.
    fn changed(&mut self, change: Option<Change>) {
        if let Some(line) = self.lines.last_mut() {
            line.changes.extend(change);
        }
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
            Folded::Rounds { first, left_out, last, hidden } => {
                first.iter().for_each(|item| self.print(item, text));
                let at = first_line(first).map_or(String::new(), |(_, line)| format!(" of the loop at line {line}"));
                let plural = if *left_out == 1 { "" } else { "s" };
                let inputs = inputs_of(hidden);
                text.push_str(&format!("         … {left_out} more iteration{plural}{at}{inputs}\n"));
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

/// The inputs of rounds that are left out.
fn inputs_of(lines: &[Folded<Line>]) -> String {
    fn collect(items: &[Folded<Line>], found: &mut Vec<String>) {
        for item in items {
            match item {
                Folded::One(line) => {
                    let inputs = line.notes.iter().filter_map(|note| note.strip_suffix(" (input)"));
                    found.extend(inputs.map(|note| note.rsplit(" = ").next().unwrap_or(note).to_owned()));
                }
                Folded::Rounds { first, hidden, last, .. } => {
                    [first, hidden, last].into_iter().for_each(|part| collect(part, found));
                }
            }
        }
    }
    let mut found = Vec::new();
    collect(lines, &mut found);
    if found.is_empty() {
        return String::new();
    }
    let most = Tuning::DEFAULT.max_folded_inputs;
    let more = if found.len() > most { format!(", … ({} in all)", found.len()) } else { String::new() };
    found.truncate(most);
    format!(", inputs {}{more}", found.join(", "))
}

/// The text with each occurrence of a name as a whole word replaced.
fn replaced(text: &str, name: &str, by: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '!' || c == '.';
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let end = at + name.len();
        let is_whole = !rest[..at].ends_with(is_word) && !rest[end..].starts_with(is_word);
        result.push_str(&rest[..at]);
        result.push_str(if is_whole { by } else { name });
        rest = &rest[end..];
    }
    result + rest
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
