//! A second opinion: another solver answers each obligation of a proof that the checker has accepted.
//!
//! The solver is a program of the user, found on the PATH and started once for each obligation with a script in a file. It must
//! answer `unsat`. If it answers `sat`, one of the two is wrong, and `SAFE` is not reported. If it gives no answer (it does not know, it
//! takes too long, it crashes), the verdict stays, since our own checker has replayed a proof; but we say so.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use base::{Budget, Stopped};
use certify::{Certificate, Question, Refusal, second_opinion};
use program::{Point, Program};
use term::Terms;
use verdict::{Code, Verdict, Why};

use crate::child::{Leashed, leashed};
use crate::context::Context;
use crate::failure::Failure;
use crate::preprocess::installed;
use crate::progress::lock;
use crate::scratch::Scratch;
use crate::tuning::Tuning;
use crate::verify::Conclusion;

/// The solvers whose opinion can be asked for.
pub const SOLVERS: &[&str] = &["z3", "cvc5", "bitwuzla"];

/// Fails unless the solver that was asked for is there.
pub fn find(context: &Context) -> Result<(), Failure> {
    let Some(solver) = &context.settings.second_opinion else { return Ok(()) };
    if installed(solver) {
        return Ok(());
    }
    let help = match solver.as_str() {
        "z3" => "apt install z3, dnf install z3, brew install z3, or pip install z3-solver",
        "cvc5" => "apt install cvc5, brew install cvc5/cvc5/cvc5, or a release of github.com/cvc5/cvc5",
        _ => "a release of github.com/bitwuzla/bitwuzla, put into a folder of the PATH",
    };
    Err(Failure::CannotRead(format!(
        "--second-opinion: there is no `{solver}` on the PATH.\nInstall it ({help}), or leave the option away: the \
         evidence is checked all the same"
    )))
}

/// What a solver said to one obligation.
enum Opinion {
    Agrees,
    Objects,
    Silent(String),
}

/// Asks for the second opinion about a proof, if the user wants one. An objection takes the verdict back.
/// An error if the run is to stop.
pub fn ask(
    context: &Context,
    program: &Program,
    terms: &Terms,
    mut conclusion: Conclusion,
) -> Result<Conclusion, Stopped> {
    let Some(solver) = &context.settings.second_opinion else { return Ok(conclusion) };
    let (Verdict::Safe(proof), Some(Certificate::Safe(safety))) = (&conclusion.verdict, &conclusion.certificate) else {
        return Ok(conclusion);
    };
    let clock = Instant::now();
    let budget = Budget::unlimited(context.cancel.clone());
    let questions = match second_opinion(program, terms, proof, safety.method, &budget) {
        Ok(questions) => questions,
        Err(Refusal::Stopped(stopped)) => return Err(stopped),
        Err(refusal) => {
            print(context, &format!("second opinion: {solver} was not asked: {refusal}\n"));
            return Ok(conclusion);
        }
    };
    let folder = match Scratch::create(context) {
        Ok(folder) => folder,
        Err(error) => {
            print(context, &format!("second opinion: {solver} was not asked: cannot write its scripts: {error}\n"));
            return Ok(conclusion);
        }
    };
    let mut agreed = 0;
    let mut silent: Vec<String> = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        if context.stopping() {
            return Err(Stopped::Cancelled);
        }
        let obligation = format!("obligation {} ({})", number + 1, describe(program, question));
        match ask_one(context, solver, folder.path(), &question.script) {
            Opinion::Agrees => agreed += 1,
            Opinion::Silent(why) => silent.push(format!("{obligation}: {why}")),
            Opinion::Objects => {
                let said = format!("{solver} says that {obligation} does not hold");
                conclusion.bugs.push(format!("the second opinion differs: {said}"));
                conclusion.verdict = Verdict::Unknown(Why::new(Code::SecondOpinion, said));
                return Ok(conclusion);
            }
        }
    }
    lock(&context.progress).times.push((format!("asking {solver}"), clock.elapsed()));
    let mut text = format!("second opinion: {solver} agrees to {agreed} of {} obligations\n", questions.len());
    for line in silent {
        text.push_str(&format!("no answer to {line}\n"));
    }
    print(context, &text);
    Ok(conclusion)
}

fn print(context: &Context, text: &str) {
    if !context.settings.quiet {
        context.output.print(text);
    }
}

/// The obligation in words.
fn describe(program: &Program, question: &Question) -> String {
    let at = |point: &Point| {
        let place = program.locations.get(point.loc).and_then(|location| location.place);
        crate::command::place_text(program, place).unwrap_or_else(|| "the start".to_owned())
    };
    let from = at(&question.from);
    match question.assertion.and_then(|id| program.assertions.get(id)) {
        Some(assertion) => format!("no run from {from} fails {}", assertion.claim()),
        None => format!("runs from {from} keep the invariant at {}", at(&question.to)),
    }
}

fn ask_one(context: &Context, solver: &str, folder: &Path, script: &str) -> Opinion {
    let file = folder.join("obligation.smt2");
    if let Err(error) = std::fs::write(&file, script) {
        return Opinion::Silent(format!("its script cannot be written: {error}"));
    }
    let mut command = leashed(&[solver.to_owned(), file.to_string_lossy().into_owned()], None);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut started = match Leashed::start(command) {
        Ok(started) => started,
        Err(error) => return Opinion::Silent(format!("cannot start {solver}: {error}")),
    };
    // Half of what is left, so that time remains to say the verdict.
    let left = context.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()) / 2);
    let limit = left.map_or(Duration::from_millis(Tuning::DEFAULT.second_opinion_milliseconds), |left| {
        left.min(Duration::from_millis(Tuning::DEFAULT.second_opinion_milliseconds))
    });
    let answer = output_of(context, &mut started.child, limit);
    drop(started);
    match answer {
        None => Opinion::Silent(format!("{solver} took longer than {:.1} s", limit.as_secs_f64())),
        Some(text) => match text.lines().map(str::trim).find(|line| !line.is_empty()) {
            Some("unsat") => Opinion::Agrees,
            Some("sat") => Opinion::Objects,
            Some("unknown" | "timeout") => Opinion::Silent(format!("{solver} does not know")),
            Some(other) => {
                let said: String = other.chars().take(100).collect();
                Opinion::Silent(format!("{solver} says `{said}`"))
            }
            None => Opinion::Silent(format!("{solver} ended without an answer")),
        },
    }
}

/// The output of the child until it ends; none if it takes too long or the run is to stop.
fn output_of(context: &Context, child: &mut Child, limit: Duration) -> Option<String> {
    let output = child.stdout.take()?;
    let (sender, answers) = channel();
    let collect = move || {
        let mut bytes = Vec::new();
        let _ = output.take(Tuning::DEFAULT.max_second_opinion_bytes).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    };
    std::thread::Builder::new().spawn(collect).ok()?;
    let end = Instant::now() + limit;
    loop {
        match answers.recv_timeout(Duration::from_millis(5)) {
            Ok(bytes) => return Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(RecvTimeoutError::Timeout) if context.stopping() || Instant::now() >= end => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Some(String::new()),
        }
    }
}
