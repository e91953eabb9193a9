//! `uforia check`: for now the program is compiled and the answer is that there is no engine yet.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::json::Json;
use crate::output::message;
use crate::supervise::{Context, Outcome};

use super::{place_text, refuse, tell_about};

/// Compiles the program, tells what was assumed, and answers.
pub fn check(context: &Context) -> Outcome {
    let settings = &context.settings;
    let loaded = match frontend::load(context) {
        Ok(loaded) => loaded,
        Err(failure) => {
            if let Err(exit) = write_json(context, None, &failure.reason(), failure.exit(), Some(&failure)) {
                return Outcome::Answered(exit);
            }
            return refuse(context, &failure, true);
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
    let reason = "no engine yet";
    if let Err(exit) = write_json(context, Some(&loaded), reason, Exit::Unknown, None) {
        return Outcome::Answered(exit);
    }
    context.output.print(&format!("UNKNOWN: {reason}\n"));
    Outcome::Answered(Exit::Unknown)
}

/// What the main thread does for a check that had to be stopped: those who read JSON learn the reason too.
pub fn stopped(context: &Context, reason: &str, exit: Exit) {
    let _ = write_json(context, None, reason, exit, None);
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

/// Writes the answer as JSON, if asked for.
fn write_json(
    context: &Context,
    loaded: Option<&Loaded>,
    reason: &str,
    exit: Exit,
    failure: Option<&Failure>,
) -> Result<(), Exit> {
    let Some(to) = &context.settings.json else { return Ok(()) };
    let mut members = vec![
        ("tool", Json::text("uforia")),
        ("version", Json::text(env!("CARGO_PKG_VERSION"))),
        ("file", Json::text(&context.settings.file)),
        ("verdict", Json::text("UNKNOWN")),
        ("reason", Json::text(reason)),
        ("exit_code", Json::Number(u64::from(exit.code()))),
    ];
    if let Some(loaded) = loaded {
        let program = &loaded.program;
        let entry = |text: &str, place| {
            let place = place_text(program, place).unwrap_or_default();
            Json::Object(vec![("text", Json::text(text)), ("place", Json::text(place))])
        };
        let asserted = program.assertions.iter().map(|one| entry(&one.text, one.place)).collect();
        let assumed = program.assumptions.iter().map(|one| entry(&one.text, one.place)).collect();
        members.extend([("assertions", Json::List(asserted)), ("assumptions", Json::List(assumed))]);
    }
    if let Some(Failure::Invalid(found)) = failure {
        let entry = |one: &base::Diagnostic| {
            Json::Object(vec![
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
    let text = format!("{}\n", Json::Object(members));
    if to == "-" {
        context.output.print(&text);
        return Ok(());
    }
    std::fs::write(to, text).map_err(|error| {
        message(&format!("uforia: cannot write {to}: {error}\n"));
        Exit::CannotWrite
    })
}
