//! The answer of a check: made once, then written and printed in every form that was asked for.

use std::time::Duration;

use base::{Id, Place};
use certify::Certificate as Checked;
use cfront::{DataModel, Property};
use program::interp::Origin;
use program::{AssertionId, Program};
use report::answer::{
    Answer, Arm, Assertion, Assumption, Certificate, Counterexample, Facts, Input, InputValue, Invariant, Phase,
    Portfolio, Reason, Rung, Status, Step, VerdictName,
};
use report::html::Attachment;
use report::sha256;
use verdict::{FunctionTable, Method, Proof, Verdict};

use super::evidence::Replay;
use super::{advice, culprit, endless, explain, page, place_text, reason_of, replay, rests_on, story};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend::{self, Loaded, source_again};
use crate::input;
use crate::leans;
use crate::outputs;
use crate::progress::{ArmProgress, lock};
use crate::tuning::Tuning;
use crate::values;
use crate::verify::Conclusion;

/// The answer about a program that was loaded. `replay`: the run into the error, if there is one.
pub fn of(context: &Context, loaded: &Loaded, found: &Conclusion, replay: Option<&Replay>) -> Answer {
    let program = &loaded.program;
    let engine = found.engine.unwrap_or("no engine");
    let mut answer = match &found.verdict {
        Verdict::Safe(proof) => {
            let condition = leans::condition(context);
            Answer {
                verdict: VerdictName::Safe,
                exit_code: Exit::Done.code(),
                method: Some(how_proved(engine, proof)),
                condition: (!condition.is_empty()).then_some(condition),
                invariants: invariants(context, loaded, proof),
                precise: explain::precise(program, proof),
                ..begun(context)
            }
        }
        Verdict::Unsafe(counterexample) => {
            let assertion = &program.assertions[counterexample.assertion];
            let place = place_text(program, assertion.place).map_or(String::new(), |place| format!(" at {place}"));
            let chosen = frontend::chosen_property(&context.settings.property);
            let is_memory = matches!(chosen, Ok(Property::Errors | Property::Memory(_)));
            let run =
                replay.map(|replay| run(context, loaded, counterexample.assertion, replay, &counterexample.functions));
            Answer {
                verdict: VerdictName::Unsafe,
                exit_code: Exit::ErrorReached.code(),
                subproperty: is_memory.then(|| assertion.kind.subproperty()).flatten().map(str::to_owned),
                reason: assertion.violation(&place).lines().next().unwrap_or_default().to_owned(),
                method: Some(format!("found by {engine}: an execution that was replayed")),
                counterexample: run,
                ..begun(context)
            }
        }
        Verdict::Endless(endless) => {
            let counterexample = replay.map(|replay| Counterexample {
                text: endless::text(program, endless, replay),
                ..run(context, loaded, endless::question(program), replay, &[])
            });
            Answer {
                verdict: VerdictName::Unsafe,
                exit_code: Exit::ErrorReached.code(),
                reason: endless::reason(program, &loaded.terms, endless),
                method: Some(format!("found by {engine}: inputs with which no run ends; the proof was checked")),
                counterexample,
                ..begun(context)
            }
        }
        Verdict::Unknown(why) => without(context, &reason_of(program, why)),
    };
    answer.engine = found.engine.map(str::to_owned);
    let first = || program.entry.map(|entry| program.functions[entry].name.clone());
    // The front end of C puts the initialisation of globals before `main`.
    answer.entry = if loaded.language.is_c() {
        Some(context.settings.function.clone().unwrap_or_else(|| "main".to_owned()))
    } else {
        first()
    };
    answer.assertions = assertions(context, program, &found.verdict);
    answer.assumptions = program
        .assumptions
        .iter()
        .map(|one| Assumption { text: one.text.clone(), at: at(program, one.place) })
        .collect();
    answer.rests_on = rests_on::basis(context, loaded, answer.method.as_deref());
    answer.diagnostics = loaded.warnings.iter().map(Into::into).collect();
    answer.certificate = found.certificate.as_ref().and_then(|one| certificate(context, found.engine, one));
    answer
}

/// The answer if there is none, for this reason.
pub fn without(context: &Context, reason: &Reason) -> Answer {
    let mut answer = begun(context);
    answer.exit_code = Exit::without_answer(reason.code).code();
    answer.reason = reason.text.lines().next().unwrap_or_default().to_owned();
    answer.hint = advice::advice(reason.code, &context.settings);
    answer.reasons.insert(0, reason.clone());
    answer
}

/// The answer if there is no program.
pub fn without_program(context: &Context, failure: &Failure) -> Answer {
    let mut answer = without(context, &failure.reason());
    if let Failure::Invalid(found) = failure {
        answer.diagnostics = found.iter().map(Into::into).collect();
    }
    answer
}

/// Writes JSON, SARIF and the page, if asked for. `exit` is the exit code so far; a file that cannot be written changes it.
pub fn write(context: &Context, answer: &mut Answer, exit: Exit, attachments: &[Attachment]) -> Exit {
    let settings = &context.settings;
    let mut exit = exit;
    if let Some(to) = &settings.sarif {
        let text = report::sarif::file(&answer.version, &[answer]);
        exit = outputs::write(to, text).err().unwrap_or(exit);
    }
    exit = page::write(context, answer, attachments).err().unwrap_or(exit);
    answer.exit_code = exit.unless_accepted(settings.fails_on_unknown).code();
    match settings.json.as_deref() {
        None => exit,
        Some("-") => {
            context.output.print(&format!("{}\n", answer.json()));
            exit
        }
        Some(to) => outputs::write(to, format!("{}\n", answer.json())).err().unwrap_or(exit),
    }
}

/// What every answer has.
fn begun(context: &Context) -> Answer {
    let settings = &context.settings;
    let progress = lock(&context.progress).clone();
    // The text does not show the hash, and after a limit was hit every moment counts: the worker still allocates.
    let files = [&settings.json, &settings.sarif, &settings.html];
    let is_wanted = context.is_recorded || files.iter().any(|file| file.is_some());
    let bytes = if is_wanted { source_again(context) } else { None };
    let sha256 = bytes.map(|bytes| sha256::hex(&bytes));
    let hash = |file: &String| is_wanted.then(|| input::read(file).ok().map(|bytes| sha256::hex(&bytes))).flatten();
    let more = settings.more.iter().map(|file| Input { path: file.clone(), sha256: hash(file) });
    let plan = progress.plan.map(str::to_owned);
    Answer {
        seconds: rounded(context.started.elapsed()),
        cpu_seconds: crate::processor::used().map(rounded),
        memory: crate::memory::peak(),
        inputs: std::iter::once(Input { path: settings.file.clone(), sha256 }).chain(more).collect(),
        property: settings.property.clone(),
        data_model: if settings.data_model == DataModel::Ilp32 { "ilp32" } else { "lp64" }.to_owned(),
        settings: settings.words.clone(),
        portfolio: (!progress.arms.is_empty())
            .then(|| Portfolio { plan, arms: progress.arms.iter().map(|one| arm(context, one)).collect() }),
        annotations: progress.annotations,
        cache: progress.cache,
        reasons: progress.reasons,
        ..Answer::new(env!("CARGO_PKG_VERSION"), &settings.file)
    }
}

/// In seconds, with milliseconds.
pub fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

fn arm(context: &Context, arm: &ArmProgress) -> Arm {
    let phases = arm.phases.spent().iter().map(|&(engine, phase, time)| Phase {
        engine: engine.to_owned(),
        phase: phase.to_owned(),
        seconds: rounded(time),
    });
    Arm {
        engine: arm.name.to_owned(),
        seconds: rounded(arm.worked),
        ended: arm.ended.clone().unwrap_or_else(|| "still working".to_owned()),
        phases: phases.collect(),
        spans: arm.spans.list(context.started),
        facts: arm.imported.iter().map(|&(source, count)| Facts { source: source.to_owned(), count }).collect(),
    }
}

fn at(program: &Program, place: Option<Place>) -> report::answer::Place {
    let column = place.map(|place| place.column).filter(|&column| column > 0);
    let place = place_text(program, place);
    report::answer::Place { column: column.filter(|_| place.is_some()), place }
}

fn assertions(context: &Context, program: &Program, verdict: &Verdict) -> Vec<Assertion> {
    let chosen = context.settings.assertion.map(|number| number as usize);
    let status = |id: usize| match verdict {
        Verdict::Safe(_) if chosen.is_none_or(|chosen| chosen == id) => Status::Proved,
        Verdict::Unsafe(found) if found.assertion.index() + 1 == id => Status::Fails,
        Verdict::Endless(_) if program.ends_asked().is_some_and(|asked| asked.index() + 1 == id) => Status::Fails,
        _ => Status::Unknown,
    };
    let one = |(index, one): (usize, &program::Assertion)| Assertion {
        id: index + 1,
        text: one.claim(),
        at: at(program, one.place),
        kind: one.kind.into(),
        status: status(index + 1),
        seen_in_a_run: false,
        never_reached: false,
        each: None,
    };
    program.assertions.iter().enumerate().map(one).collect()
}

/// What holds at the loops: what C can express, and SMT-LIB for loops of which C can express nothing.
pub fn invariants(context: &Context, loaded: &Loaded, proof: &Proof) -> Vec<Invariant> {
    let (program, file) = (&loaded.program, &context.settings.file);
    let mut files = vec![(file, input::decoded(source_again(context).unwrap_or_default()))];
    files
        .extend(context.settings.more.iter().map(|file| (file, input::decoded(input::read(file).unwrap_or_default()))));
    let mut invariants: Vec<Invariant> = files
        .iter()
        .flat_map(|(file, text)| report::loop_invariants(program, proof, text, file))
        .map(|(location, c)| Invariant {
            at: report::answer::Place {
                place: Some(format!("{}:{}", location.file, location.line)),
                column: (location.column > 0).then_some(location.column),
            },
            function: location.function,
            c,
            smtlib: None,
        })
        .collect();
    // With contracts, points are those of the program that is made of them.
    let plain = proof.invariants.iter().filter(|_| proof.contracts.is_empty() && proof.rankings.is_empty());
    for (point, invariant) in plain {
        let Some(location) = program.locations.get(point.loc) else { continue };
        let at = at(program, location.place);
        let is_known = invariants.iter().any(|one| one.at.place == at.place && !one.c.is_empty());
        if is_known || proof.terms.size(&[*invariant]) > Tuning::DEFAULT.max_smtlib_subterms {
            continue;
        }
        let function = program.functions[location.function].name.clone();
        invariants.push(Invariant { at, function, c: Vec::new(), smtlib: Some(proof.terms.to_smtlib(*invariant)) });
    }
    invariants
}

pub fn run(
    context: &Context,
    loaded: &Loaded,
    fails: AssertionId,
    replay: &Replay,
    functions: &[FunctionTable],
) -> Counterexample {
    let program = &loaded.program;
    let value = |one: &program::interp::Consumed| {
        let info = match one.origin {
            Origin::Input(input) => program.inputs.get(input),
            _ => None,
        };
        let shown = info.map_or(program::Shown::Unsigned, |info| info.shown);
        InputValue {
            value: values::show(one.origin, true, shown, one.width, one.value),
            source: story::source(program, one.origin),
            place: info.and_then(|info| place_text(program, info.place)),
        }
    };
    let steps: Vec<Step> = report::steps(program, &loaded.terms, &replay.trace, fails)
        .into_iter()
        .map(|one| Step {
            at: at(program, one.place),
            depth: one.depth,
            text: one.text,
            function: one.function.map(|function| program.functions[function].name.clone()),
            changes: one.changes,
        })
        .collect();
    let Tuning { answer_first_steps: first, answer_last_steps: last, .. } = Tuning::DEFAULT;
    let steps_left_out = steps.len().saturating_sub(first + last);
    let kept = steps.into_iter().enumerate();
    let kept = kept.filter(|(index, _)| *index < first || *index >= first + steps_left_out);
    Counterexample {
        assertion: fails.index() + 1,
        inputs: replay.run.inputs.iter().map(value).collect(),
        steps: kept.map(|(_, one)| one).collect(),
        steps_left_out,
        replay: replay::commands(context, loaded, replay, fails),
        text: format!(
            "{}{}{}",
            replay.text(context, loaded, fails),
            culprit::text(program, replay, fails),
            model(functions)
        ),
    }
}

pub fn certificate(context: &Context, engine: Option<&str>, found: &Checked) -> Option<Certificate> {
    let progress = lock(&context.progress);
    let arm = progress.arms.iter().find(|arm| Some(arm.name) == engine);
    let seconds = arm.and_then(|arm| arm.checked).map(rounded);
    match found {
        Checked::Safe(safety) | Checked::Endless(safety) => {
            let mut by_rung: Vec<Rung> = Vec::new();
            let mut rungs: Vec<certify::Rung> = safety.obligations.iter().map(|one| one.rung).collect();
            rungs.sort_unstable();
            for rung in rungs {
                let name = format!("{rung:?}").to_lowercase();
                match by_rung.last_mut() {
                    Some(last) if last.rung == name => last.count += 1,
                    _ => by_rung.push(Rung { rung: name, count: 1 }),
                }
            }
            Some(Certificate { obligations: safety.obligations.len(), by_rung, steps: None, seconds })
        }
        Checked::Unsafe(run) => {
            Some(Certificate { obligations: 0, by_rung: Vec::new(), steps: Some(run.edges), seconds })
        }
        Checked::Nothing => None,
    }
}

fn how_proved(engine: &str, proof: &Proof) -> String {
    let how = match proof.method {
        Method::Induction { depth: 1 } => "an inductive invariant".to_owned(),
        Method::Induction { depth } => format!("induction over {depth} steps"),
        Method::Exhaustion { steps } => format!("all runs, which end within {steps} steps"),
        Method::Execution { edges } => {
            return format!("proved by execution: the only run ends without an error after {edges} steps");
        }
        Method::Enumeration { runs, edges } => {
            return format!("proved by execution: all {runs} runs end without an error after {edges} steps together");
        }
        Method::Unrolling { .. } => {
            return format!("proved by {engine}: all runs were executed with any input; the proof was checked");
        }
    };
    let rankings = match proof.rankings.len() {
        0 => String::new(),
        1 => "a ranking and ".to_owned(),
        n => format!("{n} rankings and "),
    };
    let contracts = match proof.contracts.len() {
        0 => String::new(),
        1 => "the contract of a recursive function and ".to_owned(),
        n => format!("the contracts of {n} recursive functions and "),
    };
    format!("proved by {engine}: {rankings}{contracts}{how}; the proof was checked")
}

/// The functions that a counterexample needs, a few rows of each.
fn model(functions: &[FunctionTable]) -> String {
    let most = Tuning::DEFAULT.max_shown_rows;
    let mut text = String::new();
    for FunctionTable { name, rows, otherwise } in functions {
        let row = |(args, value): &(Vec<u128>, u128)| {
            let args: Vec<String> = args.iter().map(u128::to_string).collect();
            format!("{name}({}) = {value}", args.join(", "))
        };
        let shown: Vec<String> = rows.iter().take(most).map(row).collect();
        let more = if rows.len() > most { format!(", {} more", rows.len() - most) } else { String::new() };
        text.push_str(&format!("  where {}{more}, otherwise {otherwise}\n", shown.join(", ")));
    }
    text
}
