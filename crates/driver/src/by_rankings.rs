//! Whether every run ends: rankings and endless runs, found by guessing and proved by the engines.
//!
//! Rankings are guessed from runs (`engine::ranking`) and proved on the ranked program (`verdict::ranked`), which is a program without that question: a
//! run into one of its errors is a move that the guess did not fit, and the next guess fits it. Runs that do not seem to end are guessed at the same
//! time: inputs that are constants, and the program in which every end is an error (`by_endless`). First one engine with a small budget
//! tries each guess; then the portfolio tries those that stayed open, in turns that get longer.

use std::time::{Duration, Instant};

use base::{Budget, Stopped, Values};
use certify::{Refusal, certify};
use engine::ranking::{Component, Guess, Seen};
use engine::{Facts, Run, Silent, Task};
use program::interp::{Dictionary, Limits, Machine, Outcome, RandomInputs, ZeroInputs};
use program::{Program, pass};
use term::Terms;
use term::walk::Import;
use verdict::{Code, Counterexample, Falls, Method, Proof, Ranked, Ranking, Verdict, Why, ranked};

use crate::by_endless::Endings;
use crate::context::Context;
use crate::overflowing::deciding;
use crate::progress::lock;
use crate::slice::within;
use crate::tuning::Tuning;
use crate::verify::{Conclusion, verify};

/// Answers whether every run of the program ends; an error if the run is to stop.
pub fn by_rankings(context: &Context, program: &Program, terms: &Terms) -> Result<Conclusion, Stopped> {
    let budget = Budget::unlimited(context.cancel.clone());
    let clock = Instant::now();
    let mut search = Search::new(context, program, terms, &budget);
    let found = search.run();
    lock(&context.progress).times.push(("termination".to_owned(), clock.elapsed()));
    found
}

/// A guess that no engine has decided.
struct Open {
    rankings: Vec<Ranking>,
    terms: Terms,
}

struct Search<'a> {
    context: &'a Context,
    program: &'a Program,
    /// The same with the checks that matter to a run.
    noted: Program,
    terms: &'a Terms,
    budget: &'a Budget,
    guess: Guess,
    seen: Vec<Seen>,
    open: Vec<Open>,
    endings: Endings<'a>,
    /// A component that no form fits.
    unranked: Option<Ranked>,
}

impl<'a> Search<'a> {
    fn new(context: &'a Context, program: &'a Program, terms: &'a Terms, budget: &'a Budget) -> Self {
        let guess = Guess::new(program, terms);
        let n = guess.components().count();
        let noted = deciding(program, terms);
        let endings = Endings::new(context, program, &noted, terms, budget);
        let seen = vec![Seen::default(); n];
        Search { context, program, noted, terms, budget, guess, seen, open: Vec::new(), endings, unranked: None }
    }
    fn run(&mut self) -> Result<Conclusion, Stopped> {
        if let Some(found) = self.only_run()? {
            return Ok(found);
        }
        self.watch_random_runs()?;
        if let Some(found) = self.endings.soon()? {
            return Ok(found);
        }
        if let Some(found) = self.soon()? {
            return Ok(found);
        }
        let mut slice = Tuning::DEFAULT.first_ending_slice_milliseconds;
        for _ in 0..Tuning::DEFAULT.ending_rounds {
            for number in 0..self.open.len().max(self.endings.len()) {
                if let Some(found) = self.endings.within(number, Duration::from_millis(slice))? {
                    return Ok(found);
                }
                if let Some(found) = self.slowly(number, Duration::from_millis(slice))? {
                    return Ok(found);
                }
            }
            slice = slice.saturating_mul(3);
        }
        Ok(Conclusion::unknown(self.why()))
    }
    /// A program that reads nothing has one run; executing it is a proof.
    fn only_run(&mut self) -> Result<Option<Conclusion>, Stopped> {
        let Ok(mut machine) = Machine::new(&self.noted, self.terms) else { return Ok(None) };
        let limits = Limits { edges: Tuning::DEFAULT.only_run_edges, ..Limits::default() };
        let run = machine.run(&mut ZeroInputs, &limits, self.budget);
        let has_ended = matches!(run.outcome, Outcome::Returned(_) | Outcome::Blocked(_) | Outcome::MemoryError(_));
        if self.context.stopping() {
            return Err(Stopped::Cancelled);
        }
        self.endings.note(&run);
        if !has_ended
            || self.endings.overflow.is_some()
            || run.n_inputs > 0
            || run.leapt > Tuning::DEFAULT.only_run_edges
        {
            return Ok(None);
        }
        let verdict = Verdict::Safe(Box::new(Proof::by_runs(Method::Execution { edges: run.edges })));
        match certify(self.program, self.terms, &verdict, self.budget) {
            Ok(certificate) => Ok(Some(accepted(verdict, Some("runs"), certificate))),
            Err(Refusal::Stopped(_)) => Err(Stopped::Cancelled),
            Err(_) => Ok(None),
        }
    }
    /// First moves, and first runs that do not seem to end.
    fn watch_random_runs(&mut self) -> Result<(), Stopped> {
        let dictionary = Dictionary::of(self.program, self.terms);
        let limits = Limits { edges: Tuning::DEFAULT.ending_run_edges, ..Limits::default() };
        for seed in 0..Tuning::DEFAULT.ending_runs {
            if self.context.stopping() {
                return Err(Stopped::Cancelled);
            }
            let mut inputs = RandomInputs::new(self.context.settings.seed.wrapping_mul(1 << 20) + seed, &dictionary);
            let components: Vec<&Component> = self.guess.components().collect();
            let (program, terms, seen) = (&self.noted, self.terms, &mut self.seen);
            let watched = Seen::watch(seen, program, terms, &components, &mut inputs, &limits, self.budget, false);
            if let Ok((run, _)) = watched {
                self.endings.consider(&run);
            }
        }
        Ok(())
    }
    /// Guesses until one engine has proved one, or several stay open.
    fn soon(&mut self) -> Result<Option<Conclusion>, Stopped> {
        let mut n_idle = 0;
        for _ in 0..Tuning::DEFAULT.ranking_rounds {
            if self.context.stopping() {
                return Err(Stopped::Cancelled);
            }
            let Some(open) = self.next() else { return Ok(None) };
            let mut own = self.terms.clone();
            let Ok((made, falls)) = ranked(self.program, &mut own, &open.rankings, &open.terms) else {
                return Ok(None);
            };
            self.context.log(&format!(
                "termination: a guess with {} moves",
                self.seen.iter().map(|one| one.moves.len()).sum::<usize>()
            ));
            match attempt(self.context, &made, &own, Tuning::DEFAULT.ranking_ticks, self.budget)? {
                Attempt::Decided(Verdict::Safe(proof)) => {
                    if let Some(found) = self.proved(*proof, &open, "kind")? {
                        return Ok(Some(found));
                    }
                    self.dislike(open);
                    n_idle += 1;
                }
                Attempt::Decided(Verdict::Unsafe(error)) => {
                    if !self.learn(&error, &falls)? {
                        self.dislike(open);
                        n_idle += 1;
                    }
                }
                Attempt::Refused => {
                    // Recursion: contracts are needed, and they are tried by the portfolio.
                    let (number, time) = (self.open.len(), Tuning::DEFAULT.first_ending_slice_milliseconds);
                    self.dislike(open);
                    n_idle += 1;
                    if let Some(found) = self.slowly(number, Duration::from_millis(time))? {
                        return Ok(Some(found));
                    }
                }
                _ => {
                    self.dislike(open);
                    n_idle += 1;
                }
            }
            if n_idle > Tuning::DEFAULT.ranking_open {
                break;
            }
        }
        Ok(None)
    }
    /// The next guess.
    fn next(&mut self) -> Option<Open> {
        match self.guess.rankings(self.program, &self.seen) {
            Ok(rankings) => Some(Open { rankings, terms: self.guess.terms.clone() }),
            Err(at) => {
                self.unranked = Some(at);
                None
            }
        }
    }
    fn dislike(&mut self, open: Open) {
        self.open.push(open);
        self.guess.dislike();
    }
    /// Adds the moves of a run into an error; whether there is a new one.
    fn learn(&mut self, error: &Counterexample, falls: &[Falls]) -> Result<bool, Stopped> {
        if !falls.iter().any(|one| one.assertion == error.assertion) {
            return Ok(false);
        }
        let components: Vec<&Component> = self.guess.components().collect();
        let limits = Limits { edges: Tuning::DEFAULT.ending_learned_edges, ..Limits::default() };
        let (program, terms, seen) = (self.program, self.terms, &mut self.seen);
        let watched = Seen::watch(seen, program, terms, &components, &mut error.script(), &limits, self.budget, true);
        Ok(watched.is_ok_and(|(_, n_new)| n_new > 0))
    }
    /// The portfolio tries an open guess for some time; errors that it finds make a new one.
    fn slowly(&mut self, number: usize, time: Duration) -> Result<Option<Conclusion>, Stopped> {
        for _ in 0..Tuning::DEFAULT.ranking_rounds {
            let Some(Open { rankings, terms: from }) = self.open.get(number) else { return Ok(None) };
            let mut own = self.terms.clone();
            let Ok((made, falls)) = ranked(self.program, &mut own, rankings, from) else { return Ok(None) };
            let found = within(self.context, time, |context| verify(context, &made, &own, None))?;
            let Some(Conclusion { verdict, engine, .. }) = found else { return Ok(None) };
            match verdict {
                Verdict::Safe(proof) => {
                    let open = self.open.swap_remove(number);
                    return self.proved(*proof, &open, engine.unwrap_or("portfolio"));
                }
                Verdict::Unsafe(error) => {
                    if !self.learn(&error, &falls)? {
                        return Ok(None);
                    }
                    match self.next() {
                        Some(open) => self.open[number] = open,
                        None => return Ok(None),
                    }
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
    /// The proof is about the ranked program; the checker makes that program again.
    fn proved(&mut self, proof: Proof, open: &Open, engine: &'static str) -> Result<Option<Conclusion>, Stopped> {
        self.endings.look_for_overflow();
        if let Some(place) = self.endings.overflow {
            // It ends as long as the overflow wraps, and C does not say so.
            let why = Why::at(Code::OnlyUndefined, "signed overflow that decides whether a run ends", place);
            return Ok(Some(Conclusion::unknown(why)));
        }
        let verdict = Verdict::Safe(Box::new(with_rankings(proof, open)));
        match certify(self.program, self.terms, &verdict, self.budget) {
            Ok(certificate) => Ok(Some(accepted(verdict, Some(engine), certificate))),
            Err(Refusal::Stopped(_)) => Err(Stopped::Cancelled),
            Err(refusal) => {
                self.context.log(&format!("termination: the proof of a ranking was refused: {}", refusal.why()));
                Ok(None)
            }
        }
    }
    /// What is missing.
    fn why(&self) -> Why {
        let place = |at: Ranked| match at {
            Ranked::Head(loc) => self.program.locations[loc].place,
            Ranked::Entry(function) => self.program.functions[function].place,
        };
        let first = || self.guess.components().next().map(|one| one.heads[0].at);
        let at = self.unranked.or_else(first);
        let what = match at {
            Some(Ranked::Head(_)) | None => "no ranking shows that this loop ends, and no run without end was found",
            Some(Ranked::Entry(_)) => "no ranking shows that these calls end, and no run without end was found",
        };
        Why::at(Code::NoRanking, what, at.and_then(place))
    }
}

/// What an engine came to.
pub(crate) enum Attempt {
    /// An answer, or none.
    Decided(Verdict),
    /// The passes refuse the program.
    Refused,
}

/// One engine with a small budget; nothing of its answer is checked yet.
pub(crate) fn attempt(
    context: &Context,
    made: &Program,
    terms: &Terms,
    ticks: u64,
    whole: &Budget,
) -> Result<Attempt, Stopped> {
    let mut own = terms.clone();
    let Ok(optimised) = pass::optimise(made.clone(), &mut own, &pass::Options::default()) else {
        return Ok(Attempt::Refused);
    };
    let task = Task::new(made.clone(), optimised.program, optimised.map, own);
    let budget = whole.part(ticks);
    let (facts, observer) = (Facts::unshared(), Silent);
    let replay = |counterexample: &Counterexample| -> Result<(), Why> {
        let verdict = Verdict::Unsafe(counterexample.clone());
        certify(made, terms, &verdict, &budget).map(|_| ()).map_err(|refusal| refusal.why())
    };
    let mut run = Run {
        budget: &budget,
        seed: context.settings.seed,
        facts: &facts,
        observer: &observer,
        replay: &replay,
        each: None,
    };
    match engine_bmc::KIND.build(&Values::default()).run(&task, &mut run) {
        Ok(verdict) => Ok(Attempt::Decided(verdict)),
        Err(Stopped::OutOfTicks) => Ok(Attempt::Decided(Verdict::Unknown(Why::new(Code::OutOfTicks, "out of ticks")))),
        Err(Stopped::Cancelled) => Err(Stopped::Cancelled),
    }
}

/// A verdict that was checked.
pub(crate) fn accepted(
    verdict: Verdict,
    engine: Option<&'static str>,
    certificate: certify::Certificate,
) -> Conclusion {
    Conclusion { verdict, engine, certificate: Some(certificate), bugs: Vec::new() }
}

/// The proof about the ranked program, with its rankings.
fn with_rankings(mut proof: Proof, open: &Open) -> Proof {
    let mut import = Import::new();
    let mut own = std::mem::take(&mut proof.terms);
    let mut carry =
        |term| import.term(&open.terms, &mut own, term).expect("names mean the same in all stores of a run");
    proof.rankings = open
        .rankings
        .iter()
        .map(|ranking| Ranking {
            at: ranking.at,
            slots: ranking.slots.iter().map(|&(symbol, var)| (carry(symbol), var)).collect(),
            tuple: ranking.tuple.iter().map(|&word| carry(word)).collect(),
        })
        .collect();
    proof.terms = own;
    proof
}
