//! From a program to a verdict that was checked: passes, engines side by side, the checker.
//!
//! Each engine has a thread. The first verdict whose evidence the checker accepts ends the search; the
//! others are told to stop. Evidence that is refused is our own bug and is reported as such, but the other
//! engines may still find an answer. A panic of one engine does not take the others down.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::{Budget, Stopped};
use certify::{Certificate, Refusal, certify};
use engine::{EngineInfo, Facts, Observer, Run, Settings, Task};
use program::Program;
use program::pass;
use term::{SortKind, Term, Terms};
use verdict::{Counterexample, Method, Verdict, Why};
use vmtfront::Untold;

use crate::engines;
use crate::frontend::System;
use crate::output::message;
use crate::supervise::{Context, in_worker};

/// An answer, and how it came about.
pub struct Judged {
    /// What is said; `Safe` and `Unsafe` were checked.
    pub verdict: Verdict,
    /// Who found it.
    pub engine: Option<&'static str>,
    /// What the checker counted.
    pub certificate: Option<Certificate>,
    /// How long things took, by name.
    pub times: Vec<(String, Duration)>,
    /// Evidence that was refused, or an engine that panicked: our own bugs.
    pub bugs: Vec<String>,
}

/// How often we look at the flag and at the terminal.
const PULSE: Duration = Duration::from_millis(20);

/// Judges the program; none if somebody wants us to stop. If it is a transition system, engines work on the one that was shaped
/// for them, and what they find is told in the words of the system before it is checked.
pub fn verify(context: &Context, program: &Program, terms: &Terms, system: Option<&System>) -> Option<Judged> {
    let claimed = Claimed { program, terms, system };
    let program = system.map_or(program, |system| system.shaped.program());
    let mut times = Vec::new();
    let clock = Instant::now();
    let mut own = terms.clone();
    let options = pass::Options::default();
    let task = match pass::optimise(program.clone(), &mut own, &options) {
        Ok(optimised) => Task { lowered: program.clone(), program: optimised.program, map: optimised.map, terms: own },
        Err(refused) => {
            let why = Why::Unsupported { what: refused.what, at: refused.place };
            return Some(Judged::unknown(why, times));
        }
    };
    times.push(("passes".to_owned(), clock.elapsed()));
    context.log(&format!("passes: {:.3} s", clock.elapsed().as_secs_f64()));
    if context.stopping() {
        return None;
    }
    let named = |names: &[&str]| names.iter().filter_map(|name| engines::by_name(name)).collect::<Vec<_>>();
    let task = Arc::new(task);
    let chosen: Vec<&'static EngineInfo> = match &context.settings.engine {
        Some(name) => engines::by_name(name).into_iter().collect(),
        None => {
            if is_uninterpreted(program, terms) {
                let first = run_engines(context, &claimed, &task, &named(engines::UNINTERPRETED), times)?;
                if !matches!(first.verdict, Verdict::Unknown(Why::GaveUp(_) | Why::Exhausted(_))) {
                    return Some(first);
                }
                times = first.times;
            }
            named(engines::DEFAULT)
        }
    };
    run_engines(context, &claimed, &task, &chosen, times)
}

/// Whether the program has values of which only equality is known.
fn is_uninterpreted(program: &Program, terms: &Terms) -> bool {
    program.vars.iter().any(|var| matches!(terms.sort_kind(var.sort), SortKind::Uninterpreted(_)))
}

fn run_engines(
    context: &Context,
    claimed: &Claimed<'_>,
    task: &Arc<Task>,
    chosen: &[&'static EngineInfo],
    mut times: Vec<(String, Duration)>,
) -> Option<Judged> {
    let facts = Arc::new(Facts::new());
    let (sender, answers) = channel();
    let mut flags = Vec::new();
    let mut working = 0;
    for &info in chosen {
        let flag = Arc::new(AtomicBool::new(false));
        flags.push(Arc::clone(&flag));
        let (task, facts, sender) = (Arc::clone(task), Arc::clone(&facts), sender.clone());
        let context = context.clone();
        let started = in_worker(move || {
            let clock = Instant::now();
            let answer = crate::supervise::panics_as_text(|| run_engine(&context, info, &task, &facts, flag));
            // If nobody listens any more, somebody else has answered.
            let _ = sender.send((info.name, answer, clock.elapsed()));
        });
        match started {
            Ok(()) => working += 1,
            Err(error) => message(&format!("uforia: cannot start a thread for {}: {error}\n", info.name)),
        }
    }
    drop(sender);
    let stop_all = || flags.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    let mut bugs = Vec::new();
    let mut unknown: Option<(&'static str, Why)> = None;
    let mut display = Display::new(context);
    while working > 0 {
        let (name, answer, time) = match answers.recv_timeout(PULSE) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => {
                display.show();
                if context.stopping() {
                    stop_all();
                    return None;
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        working -= 1;
        times.push((format!("engine {name}"), time));
        let verdict = match answer {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(Stopped::Cancelled)) => continue,
            Ok(Err(Stopped::OutOfTicks)) => Verdict::Unknown(Why::Exhausted("out of ticks".to_owned())),
            Err(panic) => {
                bugs.push(format!("engine {name} failed: {panic}"));
                continue;
            }
        };
        if let Verdict::Unknown(why) = verdict {
            context.log(&format!("{name}: {why}"));
            // A limit of one engine is less interesting than what the program does not let us do.
            if unknown.is_none() || matches!(why, Why::Unsupported { .. } | Why::OnlyUndefined { .. }) {
                unknown = Some((name, why));
            }
            continue;
        }
        context.log(&format!("{name}: has an answer after {:.3} s", time.as_secs_f64()));
        let clock = Instant::now();
        let budget = Budget::unlimited(Arc::clone(&context.cancel));
        let ends = matches!(&verdict, Verdict::Safe(proof) if matches!(proof.method, Method::Exhaustion { .. }));
        let candidates = match claimed.told(verdict, &budget) {
            Ok(candidates) => candidates,
            Err(Untold::Stopped(_)) => return None,
            Err(Untold::NoWords(what)) => {
                unknown = unknown.or(Some((name, no_words(name, what))));
                continue;
            }
            Err(Untold::Wrong(what)) => {
                bugs.push(format!("the evidence of {name} is none for the file: {what}"));
                continue;
            }
        };
        let mut checked = Err(Refusal::Malformed("there is no evidence".to_owned()));
        for verdict in candidates {
            if let (Some(_), Verdict::Safe(proof)) = (claimed.system, &verdict) {
                let roots: Vec<Term> = proof.invariants.iter().map(|&(_, invariant)| invariant).collect();
                let size = proof.terms.size(&roots);
                context
                    .log(&format!("{name}: an invariant of {size} subterms in the file's words, {:?}", proof.method));
            }
            checked = certify(claimed.program, claimed.terms, &verdict, &budget).map(|done| (verdict, done));
            if matches!(checked, Ok(_) | Err(Refusal::Stopped(_))) {
                break;
            }
        }
        times.push((format!("check of {name}"), clock.elapsed()));
        match checked {
            Ok((verdict, certificate)) => {
                stop_all();
                return Some(Judged { verdict, engine: Some(name), certificate: Some(certificate), times, bugs });
            }
            Err(Refusal::Stopped(Stopped::Cancelled)) => return None,
            // That runs end is told in locations, which the file does not have.
            Err(_) if ends && claimed.system.is_some() => {
                unknown = unknown.or(Some((name, no_words(name, "runs that end"))));
            }
            Err(refusal) => match refusal.why() {
                Why::Rejected(said) => bugs.push(format!("the evidence of {name} was refused: {said}")),
                why => unknown = unknown.or(Some((name, why))),
            },
        }
    }
    if context.stopping() {
        return None;
    }
    let verdict = match (unknown, bugs.first()) {
        (_, Some(bug)) => Verdict::Unknown(Why::Rejected(bug.clone())),
        (Some((_, why)), None) => Verdict::Unknown(why),
        (None, None) => Verdict::Unknown(Why::GaveUp("no engine could start".to_owned())),
    };
    Some(Judged { verdict, engine: None, certificate: None, times, bugs })
}

/// What verdicts are about.
struct Claimed<'a> {
    program: &'a Program,
    terms: &'a Terms,
    system: Option<&'a System>,
}

impl Claimed<'_> {
    /// The verdict in the words of the file, in several ways, one of which should do.
    fn told(&self, verdict: Verdict, budget: &Budget) -> Result<Vec<Verdict>, Untold> {
        let Some(system) = self.system else { return Ok(vec![verdict]) };
        Ok(match verdict {
            Verdict::Safe(proof) => {
                let proofs = system.shaped.proofs(self.terms, &proof)?;
                proofs.into_iter().map(|proof| Verdict::Safe(Box::new(proof))).collect()
            }
            Verdict::Unsafe(found) => vec![Verdict::Unsafe(system.shaped.run(self.terms, &found, budget)?)],
            Verdict::Unknown(why) => vec![Verdict::Unknown(why)],
        })
    }
}

fn no_words(name: &str, what: &str) -> Why {
    Why::GaveUp(format!("{name} has an answer that cannot be told in the words of the file: {what}"))
}

fn run_engine(
    context: &Context,
    info: &'static EngineInfo,
    task: &Task,
    facts: &Facts,
    flag: Arc<AtomicBool>,
) -> Result<Verdict, Stopped> {
    let settings = Settings {
        unwind: context.settings.unwind,
        euf: context.settings.euf.clone(),
        trace: context.settings.trace_mode.clone(),
        ufo: context.settings.ufo.clone(),
        draw_graph: context.settings.emit_arg.is_some(),
        refine: context.settings.refine.clone(),
        refine_lines: context.settings.refine_lines.clone(),
        explain: context.settings.explain,
    };
    let budget = Budget::unlimited(flag);
    let listener = Listener { name: info.name, context };
    let replay = |counterexample: &Counterexample| {
        let claim = Verdict::Unsafe(counterexample.clone());
        certify(&task.lowered, &task.terms, &claim, &budget).map(|_| ()).map_err(|refusal| refusal.why())
    };
    let mut run = Run { budget: &budget, seed: context.settings.seed, facts, observer: &listener, replay: &replay };
    (info.make)(&settings).run(task, &mut run)
}

impl Judged {
    fn unknown(why: Why, times: Vec<(String, Duration)>) -> Self {
        Judged { verdict: Verdict::Unknown(why), engine: None, certificate: None, times, bugs: Vec::new() }
    }
}

/// What engines say while they work.
#[derive(Default)]
pub struct Progress {
    /// By engine: its phase, and how far it has come.
    engines: Vec<(&'static str, &'static str, String)>,
    /// Figures, for `--stats`.
    pub counts: Vec<(&'static str, &'static str, u64)>,
    /// The graph that an engine drew.
    pub picture: Option<String>,
}

impl Progress {
    fn of(&mut self, name: &'static str) -> &mut (&'static str, &'static str, String) {
        let at = match self.engines.iter().position(|one| one.0 == name) {
            Some(at) => at,
            None => {
                self.engines.push((name, "", String::new()));
                self.engines.len() - 1
            }
        };
        &mut self.engines[at]
    }
    /// How far the search has come, for the last line when time runs out.
    pub fn how_far(&self) -> Option<String> {
        self.engines.iter().map(|one| &one.2).find(|text| !text.is_empty()).cloned()
    }
}

struct Listener<'a> {
    name: &'static str,
    context: &'a Context,
}

impl Listener<'_> {
    fn progress(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.context.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Listener<'_> {
    fn phase(&self, phase: &'static str) {
        self.context.log(&format!("{}: {phase}", self.name));
        self.progress().of(self.name).1 = phase;
    }
    fn progress(&self, text: String) {
        Listener::progress(self).of(self.name).2 = text;
    }
    fn count(&self, name: &'static str, value: u64) {
        Listener::progress(self).counts.push((self.name, name, value));
    }
    fn picture(&self, dot: String) {
        Listener::progress(self).picture = Some(dot);
    }
}

/// A line on the terminal that says what is going on; nothing in a pipe.
struct Display<'a> {
    context: &'a Context,
    clock: Instant,
    shown: Option<Instant>,
}

impl<'a> Display<'a> {
    fn new(context: &'a Context) -> Self {
        Display { context, clock: Instant::now(), shown: None }
    }
    fn show(&mut self) {
        use std::io::IsTerminal;
        if self.context.settings.quiet || !std::io::stderr().is_terminal() {
            return;
        }
        if self.shown.is_some_and(|shown| shown.elapsed() < Duration::from_millis(200)) {
            return;
        }
        self.shown = Some(Instant::now());
        let progress = self.context.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let mut line = format!("\r\x1b[K{:.0} s", self.clock.elapsed().as_secs_f64());
        if let Some(memory) = crate::memory::resident() {
            line.push_str(&format!(", {} MiB", memory >> 20));
        }
        for (name, phase, far) in &progress.engines {
            line.push_str(&format!(" | {name}: {}", if far.is_empty() { phase } else { far.as_str() }));
        }
        message(&line);
    }
}

impl Drop for Display<'_> {
    fn drop(&mut self) {
        if self.shown.is_some() {
            message("\r\x1b[K");
        }
    }
}

/// Shared by all who work on one command.
pub type SharedProgress = Arc<Mutex<Progress>>;

#[cfg(test)]
mod tests;
