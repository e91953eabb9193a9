//! The race: arms work side by side until one has an answer that passes its check.
//!
//! Each arm is a thread. It runs its engine and, if that has an answer, the checker; then it reports how it ended. The first
//! checked answer ends the race, and the other arms are stopped. Evidence that is refused is our own bug and is
//! reported as such, but other arms may still find an answer. An engine that panics does not end the other arms.
//!
//! Nor does one that uses too much memory. Memory of the process is not accounted by thread, but growth is attributed to
//! the arms that work while it happens. Near the limit, the arm that has grown most is stopped,
//! and the others continue with the memory that it frees.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use base::{Budget, Stopped, Values};
use certify::certify;
use engine::{Each, EngineInfo, Facts, Run, Task};
use report::Reason;
use verdict::{Code, Counterexample, Verdict, Why};

use crate::board::{Board, Clerk, Round};
use crate::claim::{WayBack, check};
use crate::command::reason_of;
use crate::context::Context;
use crate::event::Event;
use crate::memory::resident;
use crate::progress::{ArmProgress, Listener, lock};
use crate::relay::{Relay, Runner};
use crate::tuning::Tuning;
use crate::verify::Conclusion;
use crate::worker::{in_worker, panics_as_text};

/// A participant of the portfolio: an engine with its settings and share.
pub struct Arm {
    /// How it is called.
    pub name: &'static str,
    /// The engine.
    pub info: &'static EngineInfo,
    /// The values of its settings.
    pub settings: Values,
    /// How much of the cores it gets, compared with the others.
    pub share: u64,
    /// For how many milliseconds it works alone at the beginning.
    pub opening: u64,
    /// If it says what keeps it from an answer, and that is not a lack of effort, the race ends.
    pub has_last_word: bool,
}

/// Runs the arms on this number of cores; an error if the run is to stop.
/// With a way back, answers are translated to the terms of the file and checked there.
pub fn race(
    context: &Context,
    task: &Arc<Task>,
    way_back: Option<Arc<WayBack>>,
    arms: Vec<Arm>,
    cores: usize,
) -> Result<Conclusion, Stopped> {
    race_for(context, task, way_back, arms, cores, None)
}

/// The same, where verdicts about single assertions may be wanted: then the race ends when the board has them all, or when the time of the
/// round is over, and its conclusion says only what kept the arms from an answer.
pub fn race_for(
    context: &Context,
    task: &Arc<Task>,
    way_back: Option<Arc<WayBack>>,
    arms: Vec<Arm>,
    cores: usize,
    round: Option<&Round>,
) -> Result<Conclusion, Stopped> {
    let named = |arm: &Arm| ArmProgress { name: arm.name, ..ArmProgress::default() };
    lock(&context.progress).arms = arms.iter().map(named).collect();
    let (mut field, answers) = Field::start(context, task, way_back, arms, (cores, round));
    let mut watch = MemoryWatch::new(context.limit.resident(), field.names.len());
    let mut drawing = context.drawing.map(|start| start(context));
    let mut outcome = Outcome::default();
    while field.is_alive.contains(&true) {
        if let Some(over) = round.and_then(Round::over) {
            field.stop_all();
            for arm in &mut lock(&context.progress).arms {
                arm.ended.get_or_insert_with(|| "stopped".to_owned());
            }
            return Ok(Conclusion { bugs: outcome.bugs, ..Conclusion::unknown(over) });
        }
        match answers.recv_timeout(Duration::from_millis(Tuning::DEFAULT.race_poll_milliseconds)) {
            Ok((arm, Err(_))) if watch.stopped.contains(&arm) => {
                field.ended(arm, "out of memory");
                outcome.unknown.get_or_insert_with(|| Why::new(Code::OutOfMemory, "out of memory"));
            }
            Ok((arm, Err(_))) => field.ended(arm, "stopped"),
            Ok((arm, Ok(_))) if round.is_some_and(|round| round.board.is_done()) => field.ended(arm, "done"),
            Ok((arm, Ok(found))) => match outcome.take(&mut field, arm, found) {
                Next::Continue => {}
                Next::Conclude => break,
                Next::Answer(found) => return Ok(*found),
            },
            Err(RecvTimeoutError::Timeout) => {
                field.relay.look();
                look(context, &field.relay);
                drawing.iter_mut().for_each(|drawing| drawing.draw());
                if context.stopping() {
                    field.stop_all();
                    return Err(Stopped::Cancelled);
                }
                if let Some(arm) = watch.look(&field.relay.working(), &field.is_alive) {
                    context.log(&format!("{}: is stopped, since memory runs out", field.names[arm]));
                    field.stop(arm);
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if context.stopping() {
        return Err(Stopped::Cancelled);
    }
    Ok(outcome.conclusion())
}

/// An arm, and how it ended.
type Ended = (usize, Result<Conclusion, Stopped>);

/// The arms of a race: their threads, turns and flags.
struct Field<'a> {
    context: &'a Context,
    task: &'a Arc<Task>,
    relay: Arc<Relay>,
    names: Vec<&'static str>,
    has_last_word: Vec<bool>,
    flags: Vec<Arc<AtomicBool>>,
    is_alive: Vec<bool>,
}

impl<'a> Field<'a> {
    /// Starts a thread for each arm; the answers come through the channel.
    fn start(
        context: &'a Context,
        task: &'a Arc<Task>,
        way_back: Option<Arc<WayBack>>,
        arms: Vec<Arm>,
        (cores, round): (usize, Option<&Round>),
    ) -> (Field<'a>, Receiver<Ended>) {
        let n_arms = arms.len();
        let shares: Vec<(u64, u64)> = arms.iter().map(|arm| (arm.share, arm.opening)).collect();
        let together = match round {
            Some(round) => Arc::clone(&round.facts),
            None => Arc::new(task.known.copied(n_arms > 1 && context.settings.share)),
        };
        let board = round.map(|round| Arc::clone(&round.board));
        let mut field = Field {
            context,
            task,
            relay: Relay::new(cores, &shares),
            names: arms.iter().map(|arm| arm.name).collect(),
            has_last_word: arms.iter().map(|arm| arm.has_last_word).collect(),
            flags: arms.iter().map(|_| Arc::default()).collect(),
            is_alive: vec![false; n_arms],
        };
        let (sender, answers) = channel();
        for (number, arm) in arms.into_iter().enumerate() {
            let runner = field.relay.runner(number);
            let (sender, flag, own) = (sender.clone(), Arc::clone(&field.flags[number]), context.clone());
            let (task, facts, way_back) = (Arc::clone(task), Arc::clone(&together), way_back.clone());
            let board = board.clone();
            let started = in_worker(n_arms, move || {
                runner.begin();
                // With nothing shared, each arm does its own groundwork too.
                let task = if facts.is_shared() || n_arms == 1 { task } else { Arc::new(task.alone()) };
                let ended = panics_as_text(|| match &board {
                    Some(board) => run_arm_for_each(&own, (number, &arm), &task, (&facts, board), flag, &runner),
                    None => run_arm(&own, (number, &arm), (&*task, way_back.as_deref()), &facts, flag, &runner),
                });
                runner.account();
                // If the receiver is gone, another arm has answered.
                let _ = sender.send((number, ended.unwrap_or_else(|said| Ok(panicked(arm.name, said)))));
                drop(runner);
            });
            match started {
                Ok(()) => field.is_alive[number] = true,
                Err(error) => {
                    context.warn(&format!("cannot start a thread for {}: {error}", field.names[number]));
                    field.relay.dismiss(number);
                }
            }
        }
        (field, answers)
    }

    /// Asks an arm to stop and takes its turns away.
    fn stop(&self, arm: usize) {
        self.flags[arm].store(true, Ordering::Relaxed);
        self.relay.dismiss(arm);
    }

    fn stop_all(&self) {
        (0..self.flags.len()).for_each(|arm| self.stop(arm));
    }

    /// Records how an arm ended.
    fn ended(&mut self, arm: usize, how: &str) {
        self.is_alive[arm] = false;
        look(self.context, &self.relay);
        lock(&self.context.progress).arms[arm].ended = Some(how.to_owned());
    }
}

/// What follows from the end of one arm.
enum Next {
    /// Other arms may still answer.
    Continue,
    /// No other arm can do better.
    Conclude,
    /// A checked answer.
    Answer(Box<Conclusion>),
}

/// What the arms that ended without an answer have left.
#[derive(Default)]
struct Outcome {
    bugs: Vec<String>,
    bug: Option<Code>,
    unknown: Option<Why>,
}

impl Outcome {
    fn take(&mut self, field: &mut Field<'_>, arm: usize, found: Conclusion) -> Next {
        let (context, name) = (field.context, field.names[arm]);
        let Verdict::Unknown(why) = found.verdict else {
            field.ended(arm, "won");
            field.stop_all();
            for arm in &mut lock(&context.progress).arms {
                arm.ended.get_or_insert_with(|| "stopped".to_owned());
            }
            return Next::Answer(Box::new(Conclusion { bugs: std::mem::take(&mut self.bugs), ..found }));
        };
        note(context, field.task, name, &why);
        if !found.bugs.is_empty() {
            field.ended(arm, if why.code == Code::Panic { "failed" } else { "evidence refused" });
            self.bug.get_or_insert(why.code);
            self.bugs.extend(found.bugs);
            return Next::Continue;
        }
        field.ended(arm, &why.to_string());
        context.log(&format!("{name}: {why}"));
        let is_final = field.has_last_word[arm] && why.code.rank() >= Code::Bounded.rank();
        // A limit of one engine is less interesting than what the program does not let us do.
        if self.unknown.as_ref().is_none_or(|known| why.code.rank() > known.code.rank()) {
            self.unknown = Some(why);
        }
        if is_final {
            field.stop_all();
            return Next::Conclude;
        }
        Next::Continue
    }

    fn conclusion(self) -> Conclusion {
        let why = match (self.bug.zip(self.bugs.first()), self.unknown) {
            (Some((code, text)), _) => Why::new(code, text),
            (None, Some(why)) => why,
            (None, None) => Why::new(Code::NoEngine, "no engine could start"),
        };
        Conclusion { bugs: self.bugs, ..Conclusion::unknown(why) }
    }
}

/// An engine that panicked is our own bug.
fn panicked(name: &'static str, said: String) -> Conclusion {
    let bugs = vec![format!("engine {name} failed: {said}")];
    Conclusion { bugs, ..Conclusion::unknown(Why::new(Code::Panic, said)) }
}

/// Keeps why an arm has no answer, for the last line if time runs out and for the answer as JSON.
fn note(context: &Context, task: &Task, engine: &'static str, why: &Why) {
    let reason = Reason { engine: Some(engine.to_owned()), ..reason_of(&task.lowered, why) };
    lock(&context.progress).reasons.push(reason);
}

/// Updates in the progress which arms work, and for how long they have worked.
fn look(context: &Context, relay: &Relay) {
    let (working, worked) = (relay.working(), relay.worked());
    let mut progress = lock(&context.progress);
    for (arm, (is_working, worked)) in progress.arms.iter_mut().zip(working.into_iter().zip(worked)) {
        arm.is_working = is_working;
        arm.worked = worked;
    }
}

/// The engine, then the checker.
fn run_arm(
    context: &Context,
    (number, arm): (usize, &Arm),
    (task, way_back): (&Task, Option<&WayBack>),
    facts: &Facts,
    flag: Arc<AtomicBool>,
    runner: &Runner,
) -> Result<Conclusion, Stopped> {
    let budget = Budget::paced(flag, runner.pace());
    let observer = Listener { context, arm: number };
    let replay = |counterexample: &Counterexample| {
        let claim = Verdict::Unsafe(counterexample.clone());
        let answer = certify(&task.lowered, &task.terms, &claim, &budget).map(|_| ());
        answer.map_err(|refusal| way_back.map_or(refusal.why(), |way_back| way_back.why(refusal.why())))
    };
    let mut run =
        Run { budget: &budget, seed: context.settings.seed, facts, observer: &observer, replay: &replay, each: None };
    let answer = arm.info.build(&arm.settings).run(task, &mut run);
    observer.end();
    let verdict = match answer {
        Ok(Verdict::Unknown(why)) => return Ok(Conclusion::unknown(why)),
        Ok(verdict) => verdict,
        Err(Stopped::Cancelled) => return Err(Stopped::Cancelled),
        Err(Stopped::OutOfTicks) => return Ok(Conclusion::unknown(Why::new(Code::OutOfTicks, "out of ticks"))),
    };
    context.log(&format!("{}: has an answer, which is checked now", arm.name));
    engine::Observer::phase(&observer, "check of the answer");
    runner.account();
    let clock = Instant::now();
    // An answer is worth more than the turns of others, but a check that does not end must not end the race.
    runner.check(Tuning::DEFAULT.check_share_factor);
    let is_proof = matches!(verdict, Verdict::Safe(_));
    let watch = |n_passed: usize| {
        if is_proof {
            lock(&context.progress).arms[number].checking = Some(n_passed);
        }
    };
    watch(0);
    let checked = check(context, (&task.lowered, &task.terms), way_back, arm.name, verdict, &budget, &watch);
    {
        let arm = &mut lock(&context.progress).arms[number];
        arm.checked = Some(clock.elapsed());
        // A check that was stopped is what the last line is about.
        if !matches!(checked, Err(Stopped::Cancelled)) {
            arm.checking = None;
        }
    }
    if matches!(&checked, Ok(found) if found.certificate.is_some()) {
        context.emit(&Event::Checked { engine: arm.name });
    }
    checked
}

/// The engine, again and again, until each assertion has its verdict or the engine has nothing more to say.
fn run_arm_for_each(
    context: &Context,
    (number, arm): (usize, &Arm),
    task: &Arc<Task>,
    (facts, board): (&Facts, &Board),
    flag: Arc<AtomicBool>,
    runner: &Runner,
) -> Result<Conclusion, Stopped> {
    let budget = Budget::paced(flag, runner.pace());
    let observer = Listener { context, arm: number };
    let clerk = Clerk { context, board, arm: arm.name, task, budget: &budget };
    loop {
        let task = board.open_task(task);
        let replay = |counterexample: &Counterexample| {
            let claim = Verdict::Unsafe(counterexample.clone());
            let answer = certify(&task.lowered, &task.terms, &claim, &budget).map(|_| ());
            answer.map_err(|refusal| refusal.why())
        };
        let mut run = Run {
            budget: &budget,
            seed: context.settings.seed,
            facts,
            observer: &observer,
            replay: &replay,
            each: Some(&clerk),
        };
        let answer = arm.info.build(&arm.settings).run(&task, &mut run);
        let is_settled = run.is_settled(&task.program);
        observer.end();
        runner.account();
        let goes_on = match answer {
            // What passes have removed is left.
            Ok(Verdict::Unknown(_)) if is_settled && !board.is_done() => true,
            Ok(Verdict::Unknown(why)) => return Ok(Conclusion::unknown(why)),
            Err(Stopped::Cancelled) => return Err(Stopped::Cancelled),
            Err(Stopped::OutOfTicks) => return Ok(Conclusion::unknown(Why::new(Code::OutOfTicks, "out of ticks"))),
            Ok(Verdict::Unsafe(found)) => {
                let failing = found.assertion;
                // An error that is not one of those asked about, such as one of the order of evaluation, would be found again.
                let is_new = board.is_selectable(failing);
                clerk.settle(&[failing], Verdict::Unsafe(found))? && is_new
            }
            Ok(verdict) => {
                // Other arms have the same answer soon: theirs wait, and are not checked if this one passes.
                runner.check(Tuning::DEFAULT.check_share_factor);
                budget.spend(1)?;
                clerk.settle(&board.open(), verdict)?
            }
        };
        if board.is_done() || !goes_on {
            return Ok(Conclusion::unknown(Why::new(Code::GaveUp, "no verdict about each of the other assertions")));
        }
    }
}

/// How much of the growth of the process is due to each arm.
struct MemoryWatch {
    limit: Option<u64>,
    last: u64,
    grown: Vec<u64>,
    stopped: Vec<usize>,
    /// No arm is stopped before the process is as large as this.
    next: u64,
}

impl MemoryWatch {
    fn new(limit: Option<u64>, n_arms: usize) -> Self {
        let next = limit.map_or(u64::MAX, |limit| limit / 5 * 4);
        MemoryWatch { limit, last: resident().unwrap_or(0), grown: vec![0; n_arms], stopped: Vec::new(), next }
    }
    /// The arm that should stop, if one should.
    fn look(&mut self, working: &[bool], is_alive: &[bool]) -> Option<usize> {
        let limit = self.limit?;
        let now = resident()?;
        self.charge(now, working);
        if now < self.next {
            return None;
        }
        let candidates: Vec<usize> =
            (0..is_alive.len()).filter(|arm| is_alive[*arm] && !self.stopped.contains(arm)).collect();
        if candidates.len() < 2 {
            return None; // The last one may have all there is.
        }
        // What is freed may stay with the process for others to use, so only new growth counts.
        self.next = now.saturating_add(limit / 25);
        let greedy = candidates.into_iter().max_by_key(|&arm| (self.grown[arm], std::cmp::Reverse(arm)))?;
        self.stopped.push(greedy);
        Some(greedy)
    }
    fn charge(&mut self, now: u64, working: &[bool]) {
        let growth = now.saturating_sub(self.last);
        self.last = now;
        let n_working = working.iter().filter(|&&is_working| is_working).count() as u64;
        for (grown, _) in self.grown.iter_mut().zip(working).filter(|(_, is_working)| **is_working) {
            *grown += growth / n_working;
        }
    }
}

#[cfg(test)]
#[path = "race_tests.rs"]
mod tests;
