//! `uforia check`: compile, verify, answer.

use base::Id;
use program::interp::Origin;
use report::json::Json;
use report::sarif::Sarif;
use verdict::{FunctionTable, Method, Proof, Verdict, Why};

use crate::display::paint;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::output::message;
use crate::progress::lock;
use crate::second_opinion;
use crate::supervise::{Context, Outcome};
use crate::values;
use crate::verify::{Judged, verify};

use super::{advice, evidence, explain, place_text, refuse, sarif, tell_about};

/// Compiles the program, tells what was assumed, and answers.
pub fn check(context: &Context) -> Outcome {
    let settings = &context.settings;
    if let Err(failure) = second_opinion::find(context) {
        return refuse(context, &failure, true);
    }
    let loaded = match frontend::load(context) {
        Ok(loaded) => loaded,
        Err(failure) => {
            let line = format!("UNKNOWN: {}", failure.reason());
            let written = write_json(context, None, &line, failure.exit(), Some(&failure)).and_then(|()| {
                let say = |to: &mut Sarif| sarif::unknown(to, context, &line, failure.exit(), Some(&failure));
                sarif::write_sarif(context, say)
            });
            if let Err(exit) = written {
                return Outcome::Answered(exit);
            }
            let outcome = refuse(context, &failure, true);
            if outcome != Outcome::Stopped {
                advise(context, &line);
            }
            return outcome;
        }
    };
    tell_about(context, &loaded);
    if settings.list_assertions {
        context.output.print(&assertions(&loaded));
        return Outcome::Answered(Exit::Done);
    }
    if !settings.quiet {
        context.output.print(&assumptions(&loaded));
    }
    if let Some(number) = settings.assertion
        && number as usize > loaded.program.assertions.len()
    {
        let there_are = loaded.program.assertions.len();
        message(&format!(
            "uforia: there is no assertion {number}; `--list-assertions` shows the {there_are} there are\n"
        ));
        return Outcome::Answered(Exit::Usage);
    }
    if loaded.program.assertions.is_empty() && !settings.quiet {
        message(&nothing_to_verify(context));
    }
    let mut loaded = loaded;
    if let Some(number) = settings.assertion {
        let assertion = program::AssertionId::new(number as usize - 1);
        loaded.program = program::pass::select::assertion(loaded.program, assertion);
        if let Some(system) = &mut loaded.system {
            system.shaped.change_program(|program| program::pass::select::assertion(program, assertion));
        }
    }
    let Some(judged) = verify(context, &loaded.program, &loaded.terms, loaded.system.as_ref()) else {
        return Outcome::Stopped;
    };
    let asked = second_opinion::ask(context, &loaded.program, &loaded.terms, judged);
    let Some(judged) = asked else { return Outcome::Stopped };
    answer(context, &loaded, &judged)
}

/// Says the verdict, with what there is to say about it.
fn answer(context: &Context, loaded: &Loaded, judged: &Judged) -> Outcome {
    let settings = &context.settings;
    let program = &loaded.program;
    for bug in &judged.bugs {
        message(&format!("uforia: {bug}; this is a bug of uforia, please report it with the input file\n"));
    }
    if settings.stats {
        message(&lock(&context.progress).figures());
    }
    if let Err(exit) = evidence::write_graph(context) {
        return Outcome::Answered(exit);
    }
    let mut found = Found { engine: judged.engine, counterexample: None };
    let (line, exit) = match &judged.verdict {
        Verdict::Safe(proof) => {
            let how = how_proved(judged, proof);
            if !settings.quiet {
                context.output.print(&how);
                context.output.print(&evidence::invariants(context, loaded, proof));
            }
            if let Err(exit) = sarif::write_sarif(context, |to| {
                sarif::circumstances(to, context, loaded);
                sarif::proved(to, context, loaded, proof, &how);
            }) {
                return Outcome::Answered(exit);
            }
            if settings.explain {
                context.output.print(&explain::needed(program, judged.engine.unwrap_or("nobody"), proof));
            }
            if let Err(exit) = evidence::write_correctness(context, loaded, proof) {
                return Outcome::Answered(exit);
            }
            ("SAFE".to_owned(), Exit::Done)
        }
        Verdict::Unsafe(counterexample) => {
            // To record a long run takes longer than to find it: only for somebody who will look at it.
            let files = [&settings.harness, &settings.witness, &settings.sarif, &settings.json];
            let is_wanted = !settings.quiet || files.iter().any(|file| file.is_some());
            let replay = is_wanted.then(|| evidence::Replay::of(context, loaded, counterexample)).flatten();
            if let Some(replay) = &replay {
                if !settings.quiet {
                    context.output.print(&replay.told(loaded, counterexample.assertion));
                    context.output.print(&model(&counterexample.functions));
                }
                let written = evidence::write_harness(context, loaded, replay)
                    .and_then(|()| evidence::write_violation(context, loaded, replay, counterexample.assertion));
                if let Err(exit) = written {
                    return Outcome::Answered(exit);
                }
            }
            if let Err(exit) = sarif::write_sarif(context, |to| {
                let engine = judged.engine.unwrap_or("nobody");
                let found = sarif::Found { assertion: counterexample.assertion, replay: replay.as_ref(), engine };
                sarif::circumstances(to, context, loaded);
                sarif::found(to, context, loaded, &found);
            }) {
                return Outcome::Answered(exit);
            }
            found.counterexample = replay.map(|replay| (counterexample.assertion, replay.run));
            let assertion = &program.assertions[counterexample.assertion];
            let place = place_text(program, assertion.place).map_or(String::new(), |place| format!(" at {place}"));
            (format!("UNSAFE: {}", happened(&assertion.text, &place)), Exit::ErrorReached)
        }
        Verdict::Unknown(why) => {
            let place = place_text(program, why.place()).map_or(String::new(), |place| format!(" at {place}"));
            let exit = if matches!(why, Why::Rejected(_)) { Exit::Bug } else { Exit::Unknown };
            let line = format!("UNKNOWN: {why}{place}");
            advise(context, &line);
            if let Err(exit) = sarif::write_sarif(context, |to| {
                sarif::circumstances(to, context, loaded);
                sarif::unknown(to, context, &line, exit, None);
            }) {
                return Outcome::Answered(exit);
            }
            (line, exit)
        }
    };
    let line = line.lines().next().unwrap_or_default().to_owned();
    if let Err(exit) = write_json(context, Some((loaded, &found)), &line, exit, None) {
        return Outcome::Answered(exit);
    }
    context.output.print(&format!("{}\n", coloured(context, &line, exit)));
    Outcome::Answered(exit)
}

/// Says what helps, if something does: to people, and to those who want to hear everything.
fn advise(context: &Context, reason: &str) {
    use std::io::IsTerminal;
    let is_wanted = context.settings.verbose || std::io::stderr().is_terminal();
    if is_wanted
        && !context.settings.quiet
        && let Some(text) = advice::advice(reason, &context.settings)
    {
        message(&text);
    }
}

/// The last line with its first word in a colour, on a terminal: green, red, yellow.
fn coloured(context: &Context, line: &str, exit: Exit) -> String {
    let colour = match exit {
        Exit::Done => "32",
        Exit::ErrorReached => "31",
        _ => "33",
    };
    let (word, rest) = line.split_at(line.find(':').unwrap_or(line.len()));
    format!("{}{rest}", paint(word, colour, context.output.is_terminal()))
}

/// What to say about a program without any error call: most likely it is called otherwise than the property thinks.
fn nothing_to_verify(context: &Context) -> String {
    let what = match frontend::chosen_property(&context.settings.property) {
        Ok(cfront::Property::UnreachCallOf(name)) => {
            format!(
                "the program never calls {name}; `--property unreach-call` takes reach_error, __VERIFIER_error and assert"
            )
        }
        Ok(cfront::Property::NoOverflow) => "no operation of the program can overflow".to_owned(),
        _ => "the program calls neither reach_error nor __VERIFIER_error, and asserts nothing".to_owned(),
    };
    format!("uforia: note: there is nothing to verify: {what}\n")
}

/// What happened: calls and bad states are reached, operations go wrong, conditions fail.
fn happened(text: &str, place: &str) -> String {
    const WRONG: &[(&str, &str)] = &[
        ("` does not overflow", "` overflows"),
        ("` does not divide by zero", "` divides by zero"),
        ("` shifts within range", "` shifts out of range"),
    ];
    if text.ends_with("()") || text.starts_with("bad ") {
        return format!("{text}{place} is reached");
    }
    match WRONG.iter().find(|(right, _)| text.ends_with(right)) {
        Some((right, wrong)) => format!("{}{wrong}{place}", text.trim_end_matches(right)),
        None => format!("{text}{place} fails"),
    }
}

fn how_proved(judged: &Judged, proof: &Proof) -> String {
    let engine = judged.engine.unwrap_or("nobody");
    let how = match proof.method {
        Method::Induction { depth: 1 } => "an inductive invariant".to_owned(),
        Method::Induction { depth } => format!("induction over {depth} steps"),
        Method::Exhaustion { steps } => format!("all runs, which end within {steps} steps"),
        Method::Execution { edges } => {
            return format!("proved by execution: the only run ends without an error after {edges} steps\n");
        }
        Method::Enumeration { runs, edges } => {
            return format!("proved by execution: all {runs} runs end without an error after {edges} steps together\n");
        }
    };
    format!("proved by {engine}: {how}; the proof was checked\n")
}

/// The functions that a counterexample needs, a few rows of each.
fn model(functions: &[FunctionTable]) -> String {
    const SHOWN: usize = 12;
    let mut text = String::new();
    for FunctionTable { name, rows, otherwise } in functions {
        let row = |(args, value): &(Vec<u128>, u128)| {
            let args: Vec<String> = args.iter().map(u128::to_string).collect();
            format!("{name}({}) = {value}", args.join(", "))
        };
        let shown: Vec<String> = rows.iter().take(SHOWN).map(row).collect();
        let more = if rows.len() > SHOWN { format!(", {} more", rows.len() - SHOWN) } else { String::new() };
        text.push_str(&format!("  where {}{more}, otherwise {otherwise}\n", shown.join(", ")));
    }
    text
}

/// What the main thread does for a check that had to be stopped: those who want figures get them, and those who read JSON
/// or SARIF learn the reason too.
pub fn stopped(context: &Context, reason: &str, exit: Exit) {
    advise(context, reason);
    if context.settings.stats {
        message(&lock(&context.progress).figures());
    }
    let _ = write_json(context, None, &format!("UNKNOWN: {reason}"), exit, None);
    let _ = sarif::write_sarif(context, |to| sarif::unknown(to, context, reason, exit, None));
}

/// The numbered list of assertions, as the user counts them.
fn assertions(loaded: &Loaded) -> String {
    let program = &loaded.program;
    if program.assertions.is_empty() {
        return "no assertions\n".to_owned();
    }
    let line = |(index, assertion): (usize, &program::Assertion)| {
        let place = place_text(program, assertion.place).map_or(String::new(), |place| format!("{place}: "));
        format!("{:>4}  {place}{}\n", index + 1, assertion.text)
    };
    program.assertions.iter().enumerate().map(line).collect()
}

fn assumptions(loaded: &Loaded) -> String {
    let program = &loaded.program;
    let line = |assumption: &program::Assumption| {
        let place = place_text(program, assumption.place).map_or(String::new(), |place| format!(" ({place})"));
        format!("assumed: {}{place}\n", assumption.text)
    };
    program.assumptions.iter().map(line).collect()
}

/// What only a verdict has.
struct Found {
    engine: Option<&'static str>,
    counterexample: Option<(program::AssertionId, program::interp::Run)>,
}

fn counterexample_json(
    program: &program::Program,
    assertion: program::AssertionId,
    run: &program::interp::Run,
) -> Json {
    let inputs = run.inputs.iter().map(|one| {
        let info = match one.origin {
            Origin::Input(input) => program.inputs.get(input),
            _ => None,
        };
        let shown = info.map_or(program::Shown::Unsigned, |info| info.shown);
        let place = info.and_then(|info| place_text(program, info.place));
        Json::object(vec![
            // As text: numbers of JSON readers are often floats.
            ("value", Json::text(values::show(one.origin, true, shown, one.width, one.value))),
            ("source", Json::text(super::story::source(program, one.origin))),
            ("place", place.map_or(Json::Null, Json::text)),
        ])
    });
    Json::object(vec![
        ("assertion", Json::Number(assertion.index() as u64 + 1)),
        ("inputs", Json::List(inputs.collect())),
    ])
}

/// Writes the answer as JSON, if asked for.
fn write_json(
    context: &Context,
    loaded: Option<(&Loaded, &Found)>,
    line: &str,
    exit: Exit,
    failure: Option<&Failure>,
) -> Result<(), Exit> {
    let Some(to) = &context.settings.json else { return Ok(()) };
    let mut members = vec![
        ("tool", Json::text("uforia")),
        ("version", Json::text(env!("CARGO_PKG_VERSION"))),
        ("file", Json::text(&context.settings.file)),
        ("verdict", Json::text(line.split(':').next().unwrap_or_default())),
        ("reason", Json::text(line.split_once(": ").map_or("", |(_, reason)| reason))),
        ("exit_code", Json::Number(u64::from(exit.code()))),
        ("seconds", Json::Seconds(context.started.elapsed())),
        ("cpu_seconds", crate::processor::used().map_or(Json::Null, Json::Seconds)),
    ];
    let progress = lock(&context.progress).clone();
    if !progress.arms.is_empty() {
        members.push(("portfolio", progress.json()));
    }
    if let Some((loaded, found)) = loaded {
        members.push(("engine", found.engine.map_or(Json::Null, Json::text)));
        if let Some((assertion, run)) = &found.counterexample {
            members.push(("counterexample", counterexample_json(&loaded.program, *assertion, run)));
        }
        let program = &loaded.program;
        let entry = |text: &str, place| {
            let place = place_text(program, place).unwrap_or_default();
            Json::object(vec![("text", Json::text(text)), ("place", Json::text(place))])
        };
        let asserted = program.assertions.iter().map(|one| entry(&one.text, one.place)).collect();
        let assumed = program.assumptions.iter().map(|one| entry(&one.text, one.place)).collect();
        members.extend([("assertions", Json::List(asserted)), ("assumptions", Json::List(assumed))]);
    }
    if let Some(Failure::Invalid(found)) = failure {
        let entry = |one: &base::Diagnostic| {
            Json::object(vec![
                ("severity", Json::text(format!("{:?}", one.severity).to_lowercase())),
                ("file", Json::text(&one.file)),
                ("line", Json::Number(one.line.into())),
                ("column", Json::Number(one.column.into())),
                ("message", Json::text(&one.message)),
                ("help", Json::text(&one.help)),
            ])
        };
        members.push(("diagnostics", Json::List(found.iter().map(entry).collect())));
    }
    let text = format!("{}\n", Json::object(members));
    if to == "-" {
        context.output.print(&text);
        return Ok(());
    }
    std::fs::write(to, text).map_err(|error| {
        message(&format!("uforia: cannot write {to}: {error}\n"));
        Exit::CannotWrite
    })
}
