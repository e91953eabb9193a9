//! Evidence for the user to keep: the run into the error once more, and the files made from it.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use base::Budget;
use cfront::{DataModel, Property};
use program::interp::{self, Limits, Machine, Outcome, Run, Touched, Trace, Watch};
use program::{AccessKind, Action, AssertionId, AssertionKind, Program};
use report::harness::{ErrorKind, Harness, Sources, harness};
use report::system::SystemInput;
use report::witness::Metadata;
use term::{SortKind, Terms};
use verdict::{Counterexample, Endless, Proof};

use crate::by_endless::Constants;
use crate::context::Context;
use crate::exit::Exit;
use crate::frontend::{self, Loaded, System, source_again};
use crate::graph;
use crate::input::{self, Language};
use crate::output::message;
use crate::outputs::write;
use crate::progress::lock;
use crate::tuning::Tuning;

/// What a witness is about if the user has named no property.
const ERROR_CALL: &str = "G ! call(reach_error())";

/// The run into the error, repeated and recorded.
pub struct Replay {
    /// What it came to, with the inputs in order.
    pub run: Run,
    /// Its steps.
    pub trace: Trace,
    /// The object that an invalid access belongs to.
    pub touched: Option<Touched>,
}

impl Replay {
    /// Repeats the run; none if the program cannot be traced.
    pub fn of(context: &Context, loaded: &Loaded, counterexample: &Counterexample) -> Option<Replay> {
        let mut inputs = counterexample.script();
        let budget = Budget::unlimited(context.cancel.clone());
        let limits = Limits::default();
        let (program, terms) = (&loaded.program, &loaded.terms);
        let (run, trace) =
            interp::trace(program, terms, &mut inputs, &limits, &budget, Tuning::DEFAULT.witness_kept_steps).ok()?;
        let is_access = matches!(program.assertions[counterexample.assertion].kind, AssertionKind::Access(_));
        let touched = if is_access { touched(program, terms, counterexample, &budget) } else { None };
        Some(Replay { run, trace, touched })
    }

    /// The beginning of a run without end; none if the program cannot be traced.
    pub fn of_endless(context: &Context, loaded: &Loaded, endless: &Endless) -> Option<Replay> {
        let mut inputs = Constants { values: &endless.answers };
        let budget = Budget::unlimited(context.cancel.clone());
        let limits = Limits { edges: Tuning::DEFAULT.shown_endless_edges, ..Limits::default() };
        let kept = Tuning::DEFAULT.witness_kept_steps;
        let (run, trace) = interp::trace(&loaded.program, &loaded.terms, &mut inputs, &limits, &budget, kept).ok()?;
        Some(Replay { run, trace, touched: None })
    }

    /// The run for people to read.
    pub fn text(&self, context: &Context, loaded: &Loaded, fails: AssertionId) -> String {
        let mut lines = frontend::OriginalLines::of(context);
        let mut source = |file: &str, line: u32| lines.get(file, line);
        let max_lines = context.settings.trace_lines;
        report::counterexample(&loaded.program, &loaded.terms, &self.trace, fails, max_lines, &mut source)
    }
}

/// The object that the invalid access at the end of the run belongs to. Only the shadow run knows what an address was derived from.
fn touched(program: &Program, terms: &Terms, counterexample: &Counterexample, budget: &Budget) -> Option<Touched> {
    let mut machine = Machine::new(program, terms).ok()?;
    let limits = Limits { edges: Tuning::DEFAULT.max_named_object_edges, ..Limits::default() };
    let (run, _) = machine.run_shadow(&mut counterexample.script(), &limits, budget, Watch::Uncontrolled);
    run.touched.filter(|_| matches!(run.outcome, Outcome::Error(_)))
}

/// Writes the harness, if asked for.
pub fn write_harness(context: &Context, loaded: &Loaded, replay: &Replay, fails: AssertionId) -> Result<(), Exit> {
    let Some(to) = &context.settings.harness else { return Ok(()) };
    let made = harness_for(context, loaded, replay, fails, to);
    write(to, &made.text)?;
    made.copy.map_or(Ok(()), |(name, text)| write(&name, text))
}

/// The harness for the run, as a file of this name.
pub fn harness_for(context: &Context, loaded: &Loaded, replay: &Replay, fails: AssertionId, to: &str) -> Harness {
    let settings = &context.settings;
    let text = input::decoded(source_again(context).unwrap_or_default());
    let fails = loaded.program.assertions[fails].kind;
    let error = match frontend::chosen_property(&settings.property) {
        Ok(Property::UnreachCallOf(name)) => ErrorKind::Calls(vec![name]),
        Ok(Property::NoOverflow) => ErrorKind::Arithmetic,
        _ if fails.is_arithmetic() => ErrorKind::Arithmetic,
        _ if fails == AssertionKind::Access(AccessKind::Track) => ErrorKind::Lost,
        _ if fails == AssertionKind::Cleanup => ErrorKind::Left,
        _ if fails.subproperty().is_some() => ErrorKind::Memory,
        _ => ErrorKind::Calls(vec!["reach_error".to_owned(), "__VERIFIER_error".to_owned()]),
    };
    let (include, define) = (&settings.include, &settings.define);
    let (file, more) = (&settings.file, &settings.more);
    let sources = Sources { file, more, text: &text, harness_file: to, error: &error, include, define };
    harness(&loaded.program, &loaded.terms, &replay.run, &sources)
}

/// Writes the graph that an engine drew, if asked for.
pub fn write_graph(context: &Context) -> Result<(), Exit> {
    let Some(to) = &context.settings.emit_arg else { return Ok(()) };
    let pictures = std::mem::take(&mut lock(&context.progress).pictures);
    let Some(last) = pictures.last() else { return Ok(()) };
    let is_page = Path::new(to).extension().is_some_and(|extension| extension == "html" || extension == "htm");
    write(to, if is_page { graph::page(&pictures) } else { graph::dot(last) })
}

/// Writes the witness of an error, if asked for.
pub fn write_violation(context: &Context, loaded: &Loaded, replay: &Replay, fails: AssertionId) -> Result<(), Exit> {
    if let Some(system) = &loaded.system {
        let Some(to) = &context.settings.witness else { return Ok(()) };
        let n_steps = system.rhythm.steps(replay.run.edges.saturating_add(replay.run.leapt));
        if n_steps > Tuning::DEFAULT.max_witness_steps {
            message(&format!(
                "uforia: no witness is written: the run has {n_steps} steps, and it would list them all\n"
            ));
            return Ok(());
        }
        return write(to, system_witness(loaded, system, replay, fails, n_steps));
    }
    // Without a property file, the error that was found is the one that was asked about.
    let assertion = &loaded.program.assertions[fails];
    let memory = assertion.kind.subproperty().map(|name| format!("G {name}"));
    let specification = match assertion.kind {
        _ if memory.is_some() => memory.as_deref().unwrap_or_default(),
        kind if kind.is_arithmetic() => "G ! overflow",
        AssertionKind::Unreached if assertion.text.starts_with("__VERIFIER_error(") => "G ! call(__VERIFIER_error())",
        _ => ERROR_CALL,
    };
    write_witness(context, specification, |text, metadata| {
        report::violation(&loaded.program, &replay.run, &replay.trace, fails, text, metadata)
    })
}

/// Writes the witness of a run without end, if asked for.
pub fn write_endless(context: &Context, loaded: &Loaded, endless: &Endless, replay: &Replay) -> Result<(), Exit> {
    let cycle = super::endless::cycle(&loaded.program, &loaded.terms, endless);
    write_witness(context, "F end", |text, metadata| {
        report::endless(&loaded.program, &replay.run, &cycle, text, metadata)
    })
}

/// Writes the witness of a proof, if asked for.
pub fn write_correctness(context: &Context, loaded: &Loaded, proof: &Proof) -> Result<(), Exit> {
    if loaded.system.is_some() {
        let Some(to) = &context.settings.witness else { return Ok(()) };
        return write(to, report::system::smtlib_invariant(proof));
    }
    write_witness(context, ERROR_CALL, |text, metadata| report::correctness(&loaded.program, proof, text, metadata))
}

/// The run into the error as a BTOR2 witness; for other systems the form is the same.
fn system_witness(loaded: &Loaded, system: &System, replay: &Replay, fails: AssertionId, n_steps: u64) -> String {
    let program = &loaded.program;
    let index_width = |input: program::InputId| {
        program.edges.iter().find_map(|edge| match edge.action {
            Action::Havoc { var, input: from } if from == input => {
                match *loaded.terms.sort_kind(program.vars[var].sort) {
                    SortKind::Array(index, _) => match loaded.terms.sort_kind(index) {
                        SortKind::BitVec(width) => Some(*width),
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        })
    };
    let width = |input: program::InputId| {
        let drawn = program.edges.iter().find_map(|edge| match edge.action {
            Action::Havoc { var, input: from } if from == input => Some(program.vars[var].sort),
            _ => None,
        });
        match drawn.map(|sort| loaded.terms.sort_kind(sort)) {
            Some(SortKind::BitVec(width)) => *width,
            _ => 1,
        }
    };
    let inputs: Vec<SystemInput> = system
        .inputs
        .iter()
        // A witness of BTOR2 leaves away what the model determines.
        .filter(|input| input.is_free || system.language != Language::Btor2)
        .map(|input| SystemInput {
            input: input.input,
            is_state: input.is_state,
            number: input.number,
            name: input.name.clone(),
            first_step: input.first_step,
            is_wide: width(input.input) > 128,
            index_width: index_width(input.input),
        })
        .collect();
    report::system::btor2_witness(&inputs, &replay.run.inputs, fails, n_steps)
}

fn write_witness(context: &Context, usual: &str, make: impl FnOnce(&str, &Metadata<'_>) -> String) -> Result<(), Exit> {
    let settings = &context.settings;
    let Some(to) = &settings.witness else { return Ok(()) };
    let bytes = source_again(context).unwrap_or_default();
    let specification = match frontend::chosen_property(&settings.property) {
        Ok(Property::NoOverflow) => "G ! overflow".to_owned(),
        Ok(Property::Termination) => "F end".to_owned(),
        // A violation is one of the line that it violates.
        Ok(Property::Memory(_)) if usual != ERROR_CALL => usual.to_owned(),
        Ok(Property::Memory(memory)) => format!("G {}", memory.names().join(" && G ")),
        Ok(Property::UnreachCallOf(name)) => format!("G ! call({name}())"),
        _ => usual.to_owned(),
    };
    let hash = |file: &String| (file.clone(), report::sha256::hex(&input::read(file).unwrap_or_default()));
    let more: Vec<(String, String)> = settings.more.iter().map(hash).collect();
    let metadata = Metadata {
        more: &more,
        file: &settings.file,
        bytes: &bytes,
        specification: &format!("CHECK( init(main()), LTL({specification}) )"),
        data_model: if settings.data_model == DataModel::Ilp32 { "ILP32" } else { "LP64" },
        version: env!("CARGO_PKG_VERSION"),
        creation_time: &creation_time(),
    };
    write(to, make(&input::decoded(bytes.clone()), &metadata))
}

/// Now, or the time that a reproducible build asks for, as ISO 8601.
fn creation_time() -> String {
    let asked = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse::<u64>().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    iso_8601(asked.unwrap_or_else(now).min(LAST_SECOND))
}

// format: the last second of the year 9999.
/// The last second of the year 9999.
const LAST_SECOND: u64 = 253_402_300_799;

fn iso_8601(seconds: u64) -> String {
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for length in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_dates() {
        assert_eq!(iso_8601(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_8601(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(iso_8601(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(iso_8601(LAST_SECOND), "9999-12-31T23:59:59Z");
    }
}
