//! `uforia check`: compile, verify, answer.

use base::{Stopped, shown};
use report::Reason;
use report::answer::{Answer, VerdictName};
use verdict::Verdict;

use crate::bundle;
use crate::colours::{has_colours, paint};
use crate::context::Context;
use crate::examine::{Examined, examine};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::input;
use crate::output::message;
use crate::progress::lock;
use crate::replay_test;
use crate::second_opinion;

use super::replay::HARNESS;
use super::{answer, each, evidence, explain, page, place_text, refuse, report_loaded, rests_on};

/// Compiles the program, reports warnings, and answers.
pub fn check(context: &Context) -> Result<Exit, Stopped> {
    let settings = &context.settings;
    if let Err(failure) = second_opinion::find(context) {
        return refuse(context, &failure, true);
    }
    let loaded = match frontend::load(context) {
        Ok(loaded) => loaded,
        Err(failure) => return cannot_load(context, &failure),
    };
    report_loaded(context, &loaded);
    if settings.list_assertions {
        context.output.print(&assertions(&loaded));
        return Ok(Exit::Done);
    }
    if !settings.quiet {
        context.output.print(&assumptions(&loaded));
    }
    let note = |line: &str| {
        if !settings.quiet {
            context.output.print(line);
        }
    };
    match examine(context, loaded, note) {
        Ok(examined) => Ok(conclude(context, examined)),
        Err(failure) => refuse(context, &failure, true),
    }
}

/// Says why there is no program, in every form that was asked for.
fn cannot_load(context: &Context, failure: &Failure) -> Result<Exit, Stopped> {
    if matches!(failure, Failure::Stopped) {
        return Err(Stopped::Cancelled);
    }
    let mut answer = answer::without_program(context, failure);
    let written = answer::write(context, &mut answer, failure.exit(), &[]);
    refuse(context, failure, true)?;
    advise(context, &answer);
    Ok(written)
}

/// Says the verdict, with what there is to say about it. A file that cannot be written costs the exit code, not the verdict.
fn conclude(context: &Context, examined: Examined) -> Exit {
    let settings = &context.settings;
    let Examined { loaded, found, replay, mut answer } = examined;
    for bug in &found.bugs {
        message(&format!("uforia: {bug}; this is a bug in uforia, please report it with the input file\n"));
    }
    if settings.stats {
        message(&lock(&context.progress).figures());
    }
    let mut written = evidence::write_graph(context);
    match (&found.verdict, &replay) {
        (Verdict::Safe(proof), _) => written = evidence::write_correctness(context, &loaded, proof).and(written),
        (Verdict::Unsafe(counterexample), Some(replay)) => {
            written = evidence::write_harness(context, &loaded, replay, counterexample.assertion).and(written);
            written = evidence::write_violation(context, &loaded, replay, counterexample.assertion).and(written);
        }
        (Verdict::Endless(endless), Some(replay)) => {
            written = evidence::write_endless(context, &loaded, endless, replay).and(written);
        }
        (Verdict::Unsafe(_) | Verdict::Endless(_), None) => {}
        (Verdict::Unknown(why), _) => {
            advise(context, &answer);
            if why.code.is_bug() {
                bundle::write(context, &answer.line());
            }
        }
    }
    if settings.insert_test {
        written = insert_test(context, &loaded, &answer).and(written);
    }
    context.output.print(&text(context, &answer));
    let exit = written.err().unwrap_or(Exit::of(answer.exit_code.into()));
    let harness = match (&found.verdict, &replay) {
        (Verdict::Unsafe(counterexample), Some(replay)) if settings.html.is_some() && loaded.language.is_c() => {
            Some(evidence::harness_for(context, &loaded, replay, counterexample.assertion, HARNESS))
        }
        _ => None,
    };
    let attachments = harness.map_or_else(Vec::new, |made| page::attachments(HARNESS, made));
    let exit = answer::write(context, &mut answer, exit, &attachments);
    context.output.print_styled(&format!("{}\n", coloured(context, &shown(&answer.line()), exit)));
    exit
}

/// What stands before the last line.
fn text(context: &Context, answer: &Answer) -> String {
    let settings = &context.settings;
    let mut text = String::new();
    if !settings.quiet && answer.verdict == VerdictName::Safe {
        text.push_str(&format!("{}\n", answer.method.as_deref().unwrap_or_default()));
        text.push_str(&report::worth(answer));
        let mut lines = frontend::OriginalLines::default();
        text.push_str(&report::invariants(&answer.invariants, &mut |file, line| lines.get(file, line)));
    }
    if !settings.quiet
        && let Some(run) = &answer.counterexample
    {
        text.push_str(&run.text);
        text.push_str(&native_replay(context, run));
    }
    if settings.explain {
        text.push_str(&explain::annotations(answer));
    }
    if settings.explain && answer.verdict == VerdictName::Safe {
        text.push_str(&explain::needed(answer));
    }
    if settings.each {
        text.push_str(&each::text(answer, settings.quiet));
    }
    if settings.assumptions {
        text.push_str(&rests_on::list(&answer.rests_on));
    }
    text
}

/// How the compiled program runs into the same error, for Rust: its inputs as the crate `uforia-harness` reads them, or a test.
fn native_replay(context: &Context, run: &report::answer::Counterexample) -> String {
    let language = input::language(&context.settings.file);
    let inputs = replay_test::inputs(run);
    match &context.settings.entry {
        Some(entry) if matches!(language, Ok(input::Language::Rust | input::Language::Llvm)) => {
            format!(
                "a test that fails in the same way, for the module of the harness:\n{}",
                replay_test::text(entry, &inputs)
            )
        }
        _ if matches!(language, Ok(input::Language::Rust)) && !inputs.is_empty() => {
            format!("native replay: UFORIA_INPUTS=\"{inputs}\"\n")
        }
        _ => String::new(),
    }
}

/// Writes the test behind the harness, if that was asked for.
fn insert_test(context: &Context, loaded: &Loaded, answer: &Answer) -> Result<(), Exit> {
    let (Some(entry), Some(run)) = (&context.settings.entry, &answer.counterexample) else { return Ok(()) };
    let program = &loaded.program;
    let is_it = |name: &str| name == entry || name.ends_with(&format!("::{entry}"));
    let harness = program.functions.iter().find(|function| is_it(&function.name));
    let Some((harness, place)) = harness.and_then(|function| Some((&function.name, function.place?))) else {
        return Ok(());
    };
    let file = &program.files[place.file];
    match replay_test::insert(std::path::Path::new(file), place.line as usize, harness, &replay_test::inputs(run)) {
        Ok(()) => {
            message(&format!("uforia: a test for this error stands behind the harness in {file}\n"));
            Ok(())
        }
        Err(why) => {
            message(&format!("uforia: cannot write the test: {why}\n"));
            Err(Exit::CannotWrite)
        }
    }
}

/// Says what to do next, if something helps. Also in a pipe: those who read only the log want it most.
fn advise(context: &Context, answer: &Answer) {
    if !context.settings.quiet
        && let Some(text) = &answer.hint
    {
        message(&format!("uforia: hint: {text}\n"));
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
    let colours = has_colours(context.settings.color, context.output.is_terminal());
    format!("{}{rest}", paint(word, colour, colours))
}

/// What the main thread does for a check that had to be stopped: those who want figures get them, and those who read JSON
/// or SARIF learn the reason too.
pub fn stopped(context: &Context, reason: &Reason) {
    let mut answer = answer::without(context, reason);
    advise(context, &answer);
    if reason.code.is_bug() {
        bundle::write(context, &reason.text);
    }
    if context.settings.stats {
        message(&lock(&context.progress).figures());
    }
    let written = evidence::write_graph(context).err();
    let exit = written.unwrap_or(Exit::without_answer(reason.code));
    answer::write(context, &mut answer, exit, &[]);
}

/// The numbered list of assertions, as the user counts them.
fn assertions(loaded: &Loaded) -> String {
    let program = &loaded.program;
    if program.assertions.is_empty() {
        return "no assertions\n".to_owned();
    }
    let line = |(index, assertion): (usize, &program::Assertion)| {
        let place = place_text(program, assertion.place).map_or(String::new(), |place| format!("{place}: "));
        format!("{:>4}  {place}{}\n", index + 1, assertion.claim())
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
