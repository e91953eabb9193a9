//! `uforia check`: compile, verify, answer.

use base::{Id, shown};
use report::Reason;
use report::sarif::Sarif;
use verdict::{Code, Counterexample, FunctionTable, Method, Proof, Verdict, Why};

use crate::bundle;
use crate::display::paint;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::leans;
use crate::output::message;
use crate::progress::lock;
use crate::second_opinion;
use crate::supervise::{Context, Outcome};
use crate::vacuity::{Vacuous, vacuous};
use crate::verify::{Judged, verify};

use super::json::{Found, write_json};
use super::{advice, evidence, explain, place_text, refuse, rests_on, sarif, tell_about, told};
use crate::tuning::Tuning;

/// Compiles the program, tells what was assumed, and answers.
pub fn check(context: &Context) -> Outcome {
    let settings = &context.settings;
    if let Err(failure) = second_opinion::find(context) {
        return refuse(context, &failure, true);
    }
    let loaded = match frontend::load(context) {
        Ok(loaded) => loaded,
        Err(failure) => {
            return cannot_load(context, &failure);
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
    if let Ok(property) = frontend::chosen_property(&settings.property) {
        match vacuous(settings, &property, &loaded) {
            Some(Vacuous::Nothing(why)) => {
                return answer(context, &loaded, &Judged::unknown(Why::new(Code::NothingToVerify, why)));
            }
            Some(Vacuous::Unreached(line)) if !settings.quiet => context.output.print(&line),
            _ => {}
        }
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

/// Says why there is no program, in every form that was asked for.
fn cannot_load(context: &Context, failure: &Failure) -> Outcome {
    let reason = failure.reason();
    let line = format!("UNKNOWN: {}", reason.text);
    let mut written = write_json(context, None, &line, failure.exit(), Some(&reason), Some(failure));
    written =
        sarif::write_sarif(context, |to: &mut Sarif| sarif::unknown(to, context, &reason, Some(failure))).and(written);
    let outcome = refuse(context, failure, true);
    if outcome != Outcome::Stopped {
        advise(context, reason.code);
    }
    match (outcome, written) {
        (Outcome::Answered(_), Err(exit)) => Outcome::Answered(exit),
        (outcome, _) => outcome,
    }
}

/// Says the verdict, with what there is to say about it. A file that cannot be written costs the exit code, not the verdict.
fn answer(context: &Context, loaded: &Loaded, judged: &Judged) -> Outcome {
    let settings = &context.settings;
    for bug in &judged.bugs {
        message(&format!("uforia: {bug}; this is a bug in uforia, please report it with the input file\n"));
    }
    if settings.stats {
        message(&lock(&context.progress).figures());
    }
    let mut written = evidence::write_graph(context);
    let mut found = Found { engine: judged.engine, ..Found::default() };
    let mut reason = None;
    let (line, exit) = match &judged.verdict {
        Verdict::Safe(proof) => {
            written = proved(context, loaded, judged, proof, &mut found).and(written);
            (format!("SAFE{}", leans::condition(context)), Exit::Done)
        }
        Verdict::Unsafe(counterexample) => {
            written = failed(context, loaded, counterexample, &mut found).and(written);
            let assertion = &loaded.program.assertions[counterexample.assertion];
            let place =
                place_text(&loaded.program, assertion.place).map_or(String::new(), |place| format!(" at {place}"));
            (format!("UNSAFE: {}", assertion.violation(&place)), Exit::ErrorReached)
        }
        Verdict::Unknown(why) => {
            let why = reason.insert(told(&loaded.program, why));
            let line = format!("UNKNOWN: {}", why.text);
            advise(context, why.code);
            if why.code.is_bug() {
                bundle::write(context, &line);
            }
            let said = sarif::write_sarif(context, |to| {
                sarif::circumstances(to, context, loaded);
                sarif::unknown(to, context, why, None);
            });
            written = said.and(written);
            (line, Exit::without_answer(why.code))
        }
    };
    if settings.assumptions {
        context.output.print(&rests_on::list(context, loaded, found.how.as_deref()));
    }
    let line = line.lines().next().unwrap_or_default().to_owned();
    let exit = written.err().unwrap_or(exit);
    let exit = write_json(context, Some((loaded, &found)), &line, exit, reason.as_ref(), None).err().unwrap_or(exit);
    context.output.print_styled(&format!("{}\n", coloured(context, &shown(&line), exit)));
    Outcome::Answered(exit)
}

/// Says how the program was proved safe, and writes what was asked for.
fn proved(context: &Context, loaded: &Loaded, judged: &Judged, proof: &Proof, found: &mut Found) -> Result<(), Exit> {
    let settings = &context.settings;
    let how = how_proved(judged, proof);
    if !settings.quiet {
        context.output.print(&how);
        let n = loaded.program.assertions.len();
        if n > 0 {
            context.output.print(&format!("proved {n} assertion{}\n", if n == 1 { "" } else { "s" }));
        }
        context.output.print(&evidence::invariants(context, loaded, proof));
    }
    found.how = Some(how.trim_end().to_owned());
    let written = sarif::write_sarif(context, |to| {
        sarif::circumstances(to, context, loaded);
        sarif::proved(to, context, loaded, proof, &how);
    });
    if settings.explain {
        context.output.print(&explain::needed(&loaded.program, judged.engine.unwrap_or("no engine"), proof));
    }
    evidence::write_correctness(context, loaded, proof).and(written)
}

/// Says how the error is reached, and writes what was asked for.
fn failed(context: &Context, loaded: &Loaded, counterexample: &Counterexample, found: &mut Found) -> Result<(), Exit> {
    let settings = &context.settings;
    // Recording a long run takes longer than finding it, so it is done only where the record is printed or written.
    let files = [&settings.harness, &settings.witness, &settings.sarif, &settings.json];
    let is_wanted = !settings.quiet || files.iter().any(|file| file.is_some());
    let replay = is_wanted.then(|| evidence::Replay::of(context, loaded, counterexample)).flatten();
    let mut written = Ok(());
    if let Some(replay) = &replay {
        if !settings.quiet {
            context.output.print(&replay.told(loaded, counterexample.assertion));
            context.output.print(&model(&counterexample.functions));
        }
        written = evidence::write_harness(context, loaded, replay, counterexample.assertion).and(written);
        written = evidence::write_violation(context, loaded, replay, counterexample.assertion).and(written);
    }
    let engine = found.engine.unwrap_or("no engine");
    let said = sarif::write_sarif(context, |to| {
        let found = sarif::Found { assertion: counterexample.assertion, replay: replay.as_ref(), engine };
        sarif::circumstances(to, context, loaded);
        sarif::found(to, context, loaded, &found);
    });
    found.how = Some(format!("found by {engine}: an execution that was replayed"));
    found.counterexample = replay.map(|replay| (counterexample.assertion, replay.run));
    said.and(written)
}

/// Says what to do next, if something helps. Also in a pipe: those who read only the log want it most.
fn advise(context: &Context, code: Code) {
    if !context.settings.quiet
        && let Some(text) = advice::advice(code, &context.settings)
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
    format!("{}{rest}", paint(word, colour, context.output.is_terminal()))
}

fn how_proved(judged: &Judged, proof: &Proof) -> String {
    let engine = judged.engine.unwrap_or("no engine");
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
    let mut text = String::new();
    for FunctionTable { name, rows, otherwise } in functions {
        let row = |(args, value): &(Vec<u128>, u128)| {
            let args: Vec<String> = args.iter().map(u128::to_string).collect();
            format!("{name}({}) = {value}", args.join(", "))
        };
        let shown: Vec<String> = rows.iter().take(Tuning::DEFAULT.max_shown_rows).map(row).collect();
        let more = if rows.len() > Tuning::DEFAULT.max_shown_rows {
            format!(", {} more", rows.len() - Tuning::DEFAULT.max_shown_rows)
        } else {
            String::new()
        };
        text.push_str(&format!("  where {}{more}, otherwise {otherwise}\n", shown.join(", ")));
    }
    text
}

/// What the main thread does for a check that had to be stopped: those who want figures get them, and those who read JSON
/// or SARIF learn the reason too.
pub fn stopped(context: &Context, reason: &Reason) {
    advise(context, reason.code);
    if reason.code.is_bug() {
        bundle::write(context, &reason.text);
    }
    if context.settings.stats {
        message(&lock(&context.progress).figures());
    }
    let exit = Exit::without_answer(reason.code);
    let _ = write_json(context, None, &format!("UNKNOWN: {}", reason.text), exit, Some(reason), None);
    let _ = sarif::write_sarif(context, |to| sarif::unknown(to, context, reason, None));
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
