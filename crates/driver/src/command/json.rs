//! The answer as JSON: one object on one line.

use base::Id;
use program::interp::Origin;
use report::Reason;
use report::json::Json;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend::Loaded;
use crate::outputs;
use crate::progress::lock;
use crate::supervise::Context;
use crate::values;

use super::{place_text, rests_on};

/// What only a verdict has.
#[derive(Default)]
pub struct Found {
    /// Who found it.
    pub engine: Option<&'static str>,
    /// How it was proved, if it was.
    pub how: Option<String>,
    /// The assertion that fails, and the run into it.
    pub counterexample: Option<(program::AssertionId, program::interp::Run)>,
}

/// Writes the answer as JSON, if asked for.
pub fn write_json(
    context: &Context,
    loaded: Option<(&Loaded, &Found)>,
    line: &str,
    exit: Exit,
    reason: Option<&Reason>,
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
    if let Some(reason) = reason {
        let hint = super::advice::advice(reason.code, &context.settings);
        members.push(("hint", hint.map_or(Json::Null, Json::text)));
    }
    let reasons = reason.into_iter().chain(&progress.reasons).map(reason_json).collect();
    members.push(("reasons", Json::List(reasons)));
    if !progress.arms.is_empty() {
        members.push(("portfolio", progress.json()));
    }
    if let Some((loaded, found)) = loaded {
        members.push(("engine", found.engine.map_or(Json::Null, Json::text)));
        if let Some((assertion, run)) = &found.counterexample {
            members.push(("counterexample", counterexample(&loaded.program, *assertion, run)));
        }
        let program = &loaded.program;
        let entry = |text: &str, place| {
            let place = place_text(program, place).unwrap_or_default();
            Json::object(vec![("text", Json::text(text)), ("place", Json::text(place))])
        };
        let asserted = program.assertions.iter().map(|one| entry(&one.claim(), one.place)).collect();
        let assumed = program.assumptions.iter().map(|one| entry(&one.text, one.place)).collect();
        members.extend([("assertions", Json::List(asserted)), ("assumptions", Json::List(assumed))]);
        let basis = rests_on::basis(context, loaded, found.how.as_deref());
        let basis = basis
            .iter()
            .map(|(kind, text)| Json::object(vec![("kind", Json::text(*kind)), ("text", Json::text(text))]));
        members.push(("rests_on", Json::List(basis.collect())));
    }
    if let Some(Failure::Invalid(found)) = failure {
        members.push(("diagnostics", Json::List(found.iter().map(diagnostic).collect())));
    }
    let text = format!("{}\n", Json::object(members));
    if to == "-" {
        context.output.print(&text);
        return Ok(());
    }
    outputs::write(to, text)
}

fn reason_json(one: &Reason) -> Json {
    let text = |text: &Option<String>| text.as_ref().map_or(Json::Null, Json::text);
    Json::object(vec![
        ("code", Json::text(one.code.to_string())),
        ("engine", text(&one.engine)),
        ("text", Json::text(&one.text)),
        ("place", text(&one.place)),
    ])
}

fn diagnostic(one: &base::Diagnostic) -> Json {
    Json::object(vec![
        ("severity", Json::text(format!("{:?}", one.severity).to_lowercase())),
        ("file", Json::text(&one.file)),
        ("line", Json::Number(one.line.into())),
        ("column", Json::Number(one.column.into())),
        ("message", Json::text(&one.message)),
        ("help", Json::text(&one.help)),
    ])
}

fn counterexample(program: &program::Program, assertion: program::AssertionId, run: &program::interp::Run) -> Json {
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
