//! The verdicts about single assertions, as the arms of a race find them (`--assertions each`).
//!
//! Each verdict is checked before it stands here, on the program in which only the assertions of that verdict are errors. That is the
//! program of `--assertion N`: a run that fails another assertion ends there.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base::{Budget, Id, Stopped};
use certify::Certificate;
use engine::{Each, Facts, Task};
use program::pass::select;
use program::{AssertionId, AssertionKind, Mark, Program};
use verdict::{Code, Verdict, Why};

use crate::claim::check;
use crate::context::Context;
use crate::processor;
use crate::verify::Conclusion;

/// The verdicts so far.
pub struct Board {
    entries: Mutex<Vec<Entry>>,
    /// What engines work on while some assertions are settled, and for which open ones.
    reduced: Mutex<Option<(Vec<AssertionId>, Arc<Task>)>>,
    /// Evidence that was refused: our own bugs.
    bugs: Mutex<Vec<String>>,
    /// How many answers are being checked.
    checks: AtomicUsize,
    started: Instant,
}

/// What is known of one assertion.
#[derive(Clone, Default)]
pub struct Entry {
    /// Whether there is something to verify: it has an error location.
    pub is_there: bool,
    /// Whether this round asks about it.
    pub is_asked: bool,
    /// Its verdict, checked.
    pub found: Option<Found>,
    /// The statements that were refined for it, by an engine that refines.
    pub refined: Option<u64>,
    /// Why there is no verdict.
    pub why: Option<Why>,
}

/// A verdict that was checked, and how it came about.
#[derive(Clone)]
pub struct Found {
    /// `Safe` or `Unsafe`.
    pub verdict: Arc<Verdict>,
    /// What the checker counted.
    pub certificate: Arc<Certificate>,
    /// The engine that found it.
    pub engine: &'static str,
    /// How long after the start of the verification.
    pub after: Duration,
}

/// One race for open assertions.
pub struct Round {
    /// Where verdicts go.
    pub board: Arc<Board>,
    /// What engines have proved in this round and in those before.
    pub facts: Arc<Facts>,
    /// When the round is over: at this processor time of the process, unless an answer is being checked.
    pub until: Option<Duration>,
}

impl Round {
    /// Why the race ends, if it does.
    pub fn over(&self) -> Option<Why> {
        if self.board.is_done() {
            return Some(Why::new(Code::GaveUp, "each assertion has its verdict"));
        }
        let worked = processor::used().unwrap_or_else(|| self.board.started.elapsed());
        let is_late = self.until.is_some_and(|until| worked >= until) && !self.board.is_checking();
        is_late.then(|| Why::new(Code::OutOfTime, "out of time"))
    }
}

impl Board {
    /// For the assertions of this program; there is nothing to ask about one that cannot fail anywhere.
    pub fn new(program: &Program) -> Board {
        let mut entries = vec![Entry::default(); program.assertions.len()];
        for location in &program.locations {
            if let Mark::Error(assertion) = location.mark {
                let entry = &mut entries[assertion.index()];
                (entry.is_there, entry.is_asked) = (true, true);
            }
        }
        Board {
            entries: Mutex::new(entries),
            reduced: Mutex::default(),
            bugs: Mutex::default(),
            checks: AtomicUsize::new(0),
            started: Instant::now(),
        }
    }
    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// What is known now, by assertion.
    pub fn entries(&self) -> Vec<Entry> {
        self.lock().clone()
    }
    /// The assertions that are asked about and have no verdict, ascending.
    pub fn open(&self) -> Vec<AssertionId> {
        let entries = self.lock();
        let open = entries.iter().enumerate().filter(|(_, entry)| entry.is_asked && entry.found.is_none());
        open.map(|(index, _)| AssertionId::new(index)).collect()
    }
    /// Whether every assertion that is asked about has its verdict.
    pub fn is_done(&self) -> bool {
        self.lock().iter().all(|entry| !entry.is_asked || entry.found.is_some())
    }
    /// Whether this assertion was asked about and open.
    pub fn is_selectable(&self, assertion: AssertionId) -> bool {
        self.lock().get(assertion.index()).is_some_and(|entry| entry.is_asked && entry.found.is_none())
    }
    /// Whether an answer is being checked.
    fn is_checking(&self) -> bool {
        self.checks.load(Ordering::Relaxed) > 0
    }
    /// Asks about these only, or about all again.
    pub fn ask(&self, wanted: Option<&[AssertionId]>) {
        for (index, entry) in self.lock().iter_mut().enumerate() {
            entry.is_asked = entry.is_there && wanted.is_none_or(|wanted| wanted.contains(&AssertionId::new(index)));
        }
    }
    /// Notes our own bugs.
    pub fn note_bugs(&self, bugs: Vec<String>) {
        self.bugs.lock().unwrap_or_else(PoisonError::into_inner).extend(bugs);
    }
    /// Our own bugs.
    pub fn bugs(&self) -> Vec<String> {
        self.bugs.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
    /// Why nothing is known of the open assertions.
    pub fn give_up(&self, why: &Why) {
        for entry in self.lock().iter_mut().filter(|entry| entry.is_asked && entry.found.is_none()) {
            entry.why = Some(why.clone());
        }
    }
    /// Enters a checked verdict about these assertions, as far as they are open.
    pub fn enter(&self, assertions: &[AssertionId], conclusion: Conclusion) {
        let (Some(engine), Some(certificate)) = (conclusion.engine, conclusion.certificate) else { return };
        let after = self.started.elapsed();
        let found = Found { verdict: Arc::new(conclusion.verdict), certificate: Arc::new(certificate), engine, after };
        let mut entries = self.lock();
        for assertion in assertions {
            let entry = &mut entries[assertion.index()];
            if entry.found.is_none() {
                entry.found = Some(found.clone());
            }
        }
    }
    /// The task with only the open assertions as errors. Locations stay the same, so facts about one of these tasks are facts about all.
    pub fn open_task(&self, task: &Arc<Task>) -> Arc<Task> {
        let open = self.open();
        let mut reduced = self.reduced.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, task)) = &*reduced
            && *known == open
        {
            return Arc::clone(task);
        }
        if marked(&task.lowered).iter().all(|assertion| open.contains(assertion)) {
            return Arc::clone(task);
        }
        let only = |program: &Program| select::assertions(program.clone(), |assertion, _| open.contains(&assertion));
        let (lowered, program) = (only(&task.lowered), only(&task.program));
        let made = Arc::new(Task::new(lowered, program, task.map.clone(), task.terms.clone()));
        *reduced = Some((open, Arc::clone(&made)));
        made
    }
}

/// The assertions with an error location that a selection can leave out.
fn marked(program: &Program) -> Vec<AssertionId> {
    let is_chosen = |assertion: AssertionId| program.assertions[assertion].kind != AssertionKind::Order;
    let marked = program.locations.iter().filter_map(|location| match location.mark {
        Mark::Error(assertion) if is_chosen(assertion) => Some(assertion),
        _ => None,
    });
    marked.collect()
}

/// Checks the verdicts of one arm and enters them.
pub struct Clerk<'a> {
    pub context: &'a Context,
    pub board: &'a Board,
    /// The arm.
    pub arm: &'static str,
    /// The task with all assertions.
    pub task: &'a Task,
    pub budget: &'a Budget,
}

impl Each for Clerk<'_> {
    fn is_open(&self, assertion: AssertionId) -> bool {
        // A claim about the order of evaluation is part of every proof.
        let is_order = self.task.lowered.assertions[assertion].kind == AssertionKind::Order;
        let entries = self.board.lock();
        let entry = &entries[assertion.index()];
        entry.found.is_none() && (entry.is_asked || is_order)
    }
    fn settle(&self, assertions: &[AssertionId], verdict: Verdict) -> Result<bool, Stopped> {
        let mut wanted: Vec<AssertionId> = assertions.iter().copied().filter(|&one| self.is_open(one)).collect();
        if wanted.is_empty() {
            return Ok(true);
        }
        if matches!(verdict, Verdict::Safe(_)) {
            // Passes have seen that these cannot fail, on which the proof rests like on everything that they removed.
            let left = marked(&self.task.program);
            wanted.extend(
                self.board
                    .open()
                    .into_iter()
                    .filter(|one| !left.contains(one) && !wanted.contains(one))
                    .collect::<Vec<_>>(),
            );
        }
        let program = select::assertions(self.task.lowered.clone(), |assertion, _| wanted.contains(&assertion));
        self.context.log(&format!(
            "{}: has an answer about {} assertions, which is checked now",
            self.arm,
            wanted.len()
        ));
        let subject = (&program, &self.task.terms);
        self.board.checks.fetch_add(1, Ordering::Relaxed);
        let conclusion = check(self.context, subject, None, self.arm, verdict, self.budget, &|_| {});
        self.board.checks.fetch_sub(1, Ordering::Relaxed);
        let conclusion = conclusion?;
        if let Verdict::Unknown(why) = conclusion.verdict {
            self.board.note_bugs(conclusion.bugs);
            let mut entries = self.board.lock();
            for assertion in wanted {
                entries[assertion.index()].why = Some(why.clone());
            }
            return Ok(false);
        }
        self.board.enter(&wanted, conclusion);
        Ok(true)
    }
    fn refined(&self, assertion: AssertionId, statements: u64) {
        if self.arm == engine_bmc::REFINE.name {
            *self.board.lock()[assertion.index()].refined.get_or_insert(0) += statements;
        }
    }
}
