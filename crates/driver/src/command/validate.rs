//! `uforia validate`: is it true what a witness says?
//!
//! What the witness says is woven into the program (`cfront::weave`), and the program that comes out is verified like any other, evidence
//! and checker included:
//!
//! * *Correctness.* At each place of the witness an assertion says its expression. If that program is safe, then so is the original, and
//!   every entry holds: confirmed. Induction assumes the assertions passed before, so the entries help the proof as invariants. An
//!   assertion that fails in a real execution names the entry that is wrong: rejected.
//! * *Violation.* A counter in the program says how many waypoints a run has passed (`waypoints`), and the error counts only with all of them
//!   passed. If that program is unsafe, an execution follows the witness: confirmed. If it is safe, none does: rejected.
//!
//! Before any engine works on a violation, the values that the witness names are tried as they stand.

use base::{Severity, Stopped};
use cfront::weave::{Anchor, Insertion, OBJECTION, Spot, Unwoven, Woven};
use cfront::{DataModel, Property};
use program::Program;
use report::Reason;
use report::claim::{self, At, Claim, Content, Invariant, Unclear};
use report::sha256;
use term::Terms;
use verdict::{Code, Verdict};

use crate::bundle;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend;
use crate::input::{self, Language};
use crate::output::message;
use crate::property;
use crate::second_opinion;
use crate::verify::{Conclusion, verify};

use super::{place_text, reason_of, refuse, waypoints};

/// The answer about a witness.
pub(super) enum Answer {
    /// It is true.
    Confirmed(String),
    /// It is not, and why.
    Rejected(String),
    /// Not known, and why.
    Unknown(Reason),
}

/// Reads program and witness, and answers.
pub fn validate(context: &Context) -> Result<Exit, Stopped> {
    let settings = &context.settings;
    let Some(witness) = &settings.witness else {
        let failure = Failure::Usage("validate needs a witness: uforia validate FILE --witness W".to_owned());
        return refuse(context, &failure, true);
    };
    if let Err(failure) = second_opinion::find(context) {
        return refuse(context, &failure, true);
    }
    let text = match input::read(witness) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(failure) => return refuse(context, &failure, true),
    };
    let claim = match claim::claim(&text) {
        Ok(claim) => claim,
        Err(Unclear::NoWitness(line, what)) => {
            let failure = Failure::Invalid(vec![input::about(witness, line as u32, &what)]);
            frontend::report(
                context,
                match &failure {
                    Failure::Invalid(found) => found,
                    _ => &[],
                },
            );
            context.output.print(&format!("UNKNOWN: not a witness: {what} at {witness}:{line}\n"));
            return Ok(Exit::BadInput);
        }
        Err(Unclear::Unsupported(line, what)) => {
            return say(context, &unsupported(format!("unsupported {what} at {witness}:{line}")));
        }
    };
    if !settings.quiet {
        for part in &claim.passed_over {
            context.output.print(&format!("passed over: {part}\n"));
        }
    }
    match examine(context, &claim) {
        Ok(answer) => say(context, &answer),
        Err(failure) => refuse(context, &failure, true),
    }
}

/// What the main thread does for a validation that had to be stopped.
pub fn stopped(context: &Context, reason: &Reason) {
    if reason.code.is_bug() {
        bundle::write(context, &reason.text);
    }
}

/// The witness asks for something that is not modelled.
pub(super) fn unsupported(text: String) -> Answer {
    Answer::Unknown(Reason::new(Code::Construct, text))
}

fn say(context: &Context, answer: &Answer) -> Result<Exit, Stopped> {
    if let Answer::Unknown(reason) = answer {
        stopped(context, reason);
    }
    let (line, exit) = match answer {
        Answer::Confirmed(how) => (format!("CONFIRMED: {how}"), Exit::Done),
        Answer::Rejected(why) => (format!("REJECTED: {why}"), Exit::ErrorReached),
        Answer::Unknown(reason) => (format!("UNKNOWN: {}", reason.text), Exit::without_answer(reason.code)),
    };
    context.output.print(&format!("{}\n", line.lines().next().unwrap_or_default()));
    Ok(exit)
}

/// What is known of the program before anything is woven in.
pub(super) struct Task<'a> {
    pub context: &'a Context,
    pub name: &'a str,
    pub text: String,
    pub options: cfront::Options,
}

/// Checks the claim of the witness.
fn examine(context: &Context, claim: &Claim) -> Result<Answer, Failure> {
    let settings = &context.settings;
    let file = settings.file.as_str();
    if !matches!(input::language(file)?, Language::C | Language::PreprocessedC) {
        return Err(Failure::Usage(format!("{file}: witnesses speak of C programs")));
    }
    let bytes = input::read(file)?;
    let sum = sha256::hex(&bytes);
    if !claim.task.hashes.is_empty() && !claim.task.hashes.contains(&sum) {
        return Ok(Answer::Rejected(format!("the witness is about another file: the SHA-256 of {file} is {sum}")));
    }
    let mut property = frontend::chosen_property(&settings.property)?;
    if let Some(specification) = &claim.task.specification {
        match asked(specification) {
            Ok(theirs) => match reconciled(&property, &settings.property, theirs) {
                Some(both) => property = both,
                None => {
                    let why = format!("the witness is about another property: {specification}");
                    return Ok(Answer::Rejected(why));
                }
            },
            Err(why) => return Ok(unsupported(why)),
        }
    }
    let data_model = match claim.task.data_model.as_deref().map(str::to_ascii_uppercase).as_deref() {
        Some("ILP32") => DataModel::Ilp32,
        Some("LP64") => DataModel::Lp64,
        _ => settings.data_model,
    };
    if data_model != settings.data_model && !settings.quiet {
        let name = if data_model == DataModel::Ilp32 { "ilp32" } else { "lp64" };
        context.output.print(&format!("data model: {name}, as the witness says\n"));
    }
    // Preprocessing depends on the data model too.
    let mut adapted = (**settings).clone();
    adapted.data_model = data_model;
    let adapted = Context { settings: adapted.into(), ..context.clone() };
    let text = frontend::preprocessed(&adapted, &bytes)?;
    let options = cfront::Options { malloc: settings.malloc, ..cfront::Options::new(data_model, property) };
    let name = if file == "-" { "<stdin>" } else { file };
    let task = Task { context: &adapted, name, text, options };
    match &claim.content {
        Content::Invariants(invariants) => correctness(&task, invariants),
        Content::Violation(segments) => waypoints::violation(&task, segments),
    }
}

/// The property that a witness names.
fn asked(specification: &str) -> Result<Property, String> {
    let text = specification.trim();
    let whole = if text.starts_with("CHECK") { text.to_owned() } else { format!("CHECK( init(main()), LTL({text}) )") };
    property::parse(&whole).map_err(|_| format!("unsupported property of the witness: {text}"))
}

/// The property to check, if the user's choice and the witness agree.
fn reconciled(ours: &Property, chosen: &str, theirs: Property) -> Option<Property> {
    let usual = |name: &str| name == "reach_error" || name == "__VERIFIER_error";
    match (ours, theirs) {
        // Our own witnesses name the usual call for every assertion.
        (Property::UnreachCall | Property::Errors, Property::UnreachCallOf(name)) if usual(&name) => {
            Some(Property::UnreachCall)
        }
        // No property was chosen: that of the witness counts.
        (Property::Errors, theirs) if chosen == "errors" => Some(theirs),
        (Property::UnreachCallOf(name), Property::UnreachCallOf(other)) if *name == other => Some(ours.clone()),
        (Property::NoOverflow, Property::NoOverflow) => Some(Property::NoOverflow),
        (Property::Termination, Property::Termination) => Some(Property::Termination),
        // A witness of a violation names the one that is violated, one of correctness all of them.
        (Property::Memory(ours), Property::Memory(theirs)) if theirs.is_part_of(*ours) => {
            Some(Property::Memory(theirs))
        }
        (Property::Errors, Property::Errors) => Some(Property::Errors),
        _ => None,
    }
}

/// The place as weaving wants it.
pub(super) fn spot(task: &Task<'_>, at: &At) -> Spot {
    let file = if at.file.is_empty() { task.name.to_owned() } else { at.file.clone() };
    Spot { file, line: at.line, column: at.column }
}

/// A program with insertions, its terms, and where the insertions went.
pub(super) type WovenProgram = (Program, Terms, Vec<Woven>);

/// The program with the insertions, or what is wrong with them.
pub(super) fn compile(
    task: &Task<'_>,
    prelude: &str,
    insertions: &[Insertion],
) -> Result<Result<WovenProgram, Answer>, Failure> {
    let mut terms = Terms::new();
    match cfront::compile_woven(task.name, &task.text, &task.options, prelude, insertions, &mut terms) {
        Ok((compiled, places)) => {
            if let Err(violations) = program::validate(&compiled.program, &terms) {
                panic!("the woven program breaks a law: {violations:?}");
            }
            Ok(Ok((compiled.program, terms, places)))
        }
        Err(Unwoven::Insertion(number, why)) => {
            Ok(Err(Answer::Rejected(format!("{}: {why}", insertions[number].name))))
        }
        Err(Unwoven::Program(found)) => {
            let about = found.iter().find(|one| insertions.iter().any(|insertion| insertion.name == one.file));
            match about {
                Some(one) if one.severity == Severity::Unsupported => {
                    Ok(Err(unsupported(format!("{}: unsupported {}", one.file, one.message))))
                }
                Some(one) => Ok(Err(Answer::Rejected(format!("{}: {}", one.file, one.message)))),
                None => Err(Failure::Invalid(found)),
            }
        }
    }
}

/// Verifies the woven program; an error if the run is to stop.
pub(super) fn conclude(task: &Task<'_>, program: &Program, terms: &Terms) -> Result<Conclusion, Stopped> {
    let conclusion = verify(task.context, program, terms, None)?;
    let conclusion = second_opinion::ask(task.context, program, terms, conclusion)?;
    for bug in &conclusion.bugs {
        message(&format!("uforia: {bug}; this is a bug in uforia, please report it with the input file\n"));
    }
    Ok(conclusion)
}

/// The entry of the witness in which the assertion stands, if it stands in one.
fn entry_of<'a>(program: &'a Program, assertion: &program::Assertion) -> Option<&'a str> {
    let file = program.files.get(assertion.place?.file)?;
    file.strip_prefix("entry ").and_then(|number| number.parse::<usize>().ok()).map(|_| file.as_str())
}

fn correctness(task: &Task<'_>, invariants: &[Invariant]) -> Result<Answer, Failure> {
    let mut prelude = String::new();
    let mut insertions = Vec::new();
    for (number, invariant) in invariants.iter().enumerate() {
        prelude.push_str(&format!("extern void {OBJECTION}{number}(void);\n"));
        insertions.push(Insertion {
            name: format!("entry {}", number + 1),
            at: spot(task, &invariant.location),
            anchor: if invariant.at_loop { Anchor::Loop } else { Anchor::Statement },
            guard: None,
            condition: Some(invariant.value.clone()),
            negated: true,
            action: format!("{OBJECTION}{number}();"),
        });
    }
    let (program, terms, _) = match compile(task, &prelude, &insertions)? {
        Ok(compiled) => compiled,
        Err(answer) => return Ok(answer),
    };
    let Ok(conclusion) = conclude(task, &program, &terms) else { return Err(Failure::Stopped) };
    Ok(match &conclusion.verdict {
        Verdict::Safe(_) => {
            let n = invariants.len();
            let what = if n == 1 { "entry holds" } else { "entries hold" };
            Answer::Confirmed(format!("the program is safe, and {n} {what}"))
        }
        Verdict::Unsafe(counterexample) => {
            let assertion = &program.assertions[counterexample.assertion];
            let number = assertion.text.strip_prefix(OBJECTION).and_then(|rest| rest.strip_suffix("()"));
            match number.and_then(|number| number.parse::<usize>().ok()).and_then(|n| Some((n, invariants.get(n)?))) {
                Some((number, invariant)) => {
                    let At { file, line, .. } = &invariant.location;
                    let value: String = invariant.value.chars().take(100).collect();
                    Answer::Rejected(format!("entry {}: `{value}` does not hold at {file}:{line}", number + 1))
                }
                None if entry_of(&program, assertion).is_some() => {
                    let entry = entry_of(&program, assertion).unwrap_or_default();
                    Answer::Rejected(format!(
                        "{entry}: it is not always defined: it can fail that {}",
                        assertion.claim()
                    ))
                }
                None => {
                    let place = place_text(&program, assertion.place).map_or(String::new(), |at| format!(" at {at}"));
                    Answer::Rejected(format!("the program is unsafe: {}", assertion.violation(&place)))
                }
            }
        }
        Verdict::Endless(_) => Answer::Rejected("the program has a run without end".to_owned()),
        Verdict::Unknown(why) => Answer::Unknown(reason_of(&program, why)),
    })
}
