//! Runs that do not end: constants for inputs, and the proof that the program with them never ends.
//!
//! A random run that goes on for long suggests constants: for each input the value that it had last. With these the program is executed once more,
//! now with leaps over counting loops; if it still does not end, the closed program (`verdict::closed`), in which every end is an error, is
//! given to the engines. Safe means that there is a run without end.

use std::time::Duration;

use base::{Bits, Budget, FastMap, Place, Stopped};
use certify::{Refusal, certify};
use program::interp::{Inputs, Limit, Limits, Machine, Origin, Outcome, Request, Run, Unclear, UndefinedAt};
use program::{Action, InputId, InputKind, Program, Undefined};
use term::{SortKind, Terms};
use verdict::{Endless, Proof, Verdict, closed};

use crate::by_rankings::{Attempt, accepted, attempt};
use crate::context::Context;
use crate::slice::within;
use crate::tuning::Tuning;
use crate::verify::{Conclusion, verify};

/// Guesses of inputs with which the program may not end.
pub struct Endings<'a> {
    context: &'a Context,
    program: &'a Program,
    terms: &'a Terms,
    budget: &'a Budget,
    machine: Option<Machine>,
    /// The width of each input that can be fixed.
    widths: FastMap<InputId, u32>,
    guesses: Vec<Vec<(InputId, Bits)>>,
    /// All guesses so far: inputs of runs that are long, at least.
    long: Vec<Vec<(InputId, Bits)>>,
    n_tried: usize,
    /// A signed overflow that may have decided where a run went, and where it was.
    pub overflow: Option<Option<Place>>,
}

impl<'a> Endings<'a> {
    /// No guess yet. `noted` is the program with the checks of overflows that matter.
    pub fn new(
        context: &'a Context,
        program: &'a Program,
        noted: &Program,
        terms: &'a Terms,
        budget: &'a Budget,
    ) -> Self {
        let mut widths = FastMap::new();
        for edge in &program.edges {
            let Action::Havoc { var, input } = edge.action else { continue };
            let is_open = matches!(program.inputs[input].kind, InputKind::Nondet(_) | InputKind::Uninitialised(_));
            let width = match *terms.sort_kind(program.vars[var].sort) {
                SortKind::BitVec(width) => width,
                SortKind::Bool => 1,
                _ => continue,
            };
            if is_open {
                widths.insert(input, width);
            }
        }
        let machine = Machine::new(noted, terms).ok();
        let (guesses, long) = (Vec::new(), Vec::new());
        Endings { context, program, terms, budget, machine, widths, guesses, long, n_tried: 0, overflow: None }
    }
    /// How many guesses there are.
    pub fn len(&self) -> usize {
        self.guesses.len()
    }
    /// Looks at a run: if it did not end, the values of its inputs are a guess.
    pub fn consider(&mut self, run: &Run) {
        self.note(run);
        if run.outcome != Outcome::Limit(Limit::Edges)
            || self.n_tried >= Tuning::DEFAULT.endless_tries
            || self.guesses.len() >= Tuning::DEFAULT.endless_guesses
        {
            return;
        }
        let mut last: FastMap<InputId, u128> = FastMap::new();
        for answer in &run.inputs {
            if let Origin::Input(input) = answer.origin {
                last.insert(input, answer.value);
            }
        }
        let mut guess = Vec::new();
        for input in self.program.inputs.ids() {
            if let (Some(&width), Some(&value)) = (self.widths.get(&input), last.get(&input)) {
                guess.push((input, Bits::from_u128(width, value)));
            }
        }
        self.n_tried += 1;
        let Some(machine) = &mut self.machine else { return };
        let limits = Limits { edges: Tuning::DEFAULT.endless_edges, recorded_inputs: 0, ..Limits::default() };
        let run = machine.run(&mut Constants { values: &guess }, &limits, self.budget);
        self.note(&run);
        if run.outcome == Outcome::Limit(Limit::Edges) && run.undefined.is_none() && !self.guesses.contains(&guess) {
            self.long.push(guess.clone());
            self.guesses.push(guess);
        }
    }
    /// Follows the long runs further, until one of them meets an overflow that may decide where it goes. A sum that grows with every round may
    /// overflow only after many thousands of them.
    pub fn look_for_overflow(&mut self) {
        let share = Tuning::DEFAULT.overflow_edges / self.long.len().max(1) as u64;
        let limits = Limits { edges: share, recorded_inputs: 0, ..Limits::default() };
        for guess in std::mem::take(&mut self.long) {
            let Some(machine) = &mut self.machine else { return };
            if self.overflow.is_none() {
                let run = machine.run(&mut Constants { values: &guess }, &limits, self.budget);
                self.note(&run);
            }
        }
    }
    /// Looks for an overflow in a run.
    pub fn note(&mut self, run: &Run) {
        if let Some(UndefinedAt { what: Unclear::Operation(Undefined::SignedOverflow), place, .. }) = run.undefined {
            self.overflow.get_or_insert(place);
        }
    }
    /// One engine tries all guesses with a small budget.
    pub fn soon(&mut self) -> Result<Option<Conclusion>, Stopped> {
        let mut left = Vec::new();
        for guess in std::mem::take(&mut self.guesses) {
            let mut own = self.terms.clone();
            let Ok(made) = closed(self.program, &mut own, &guess) else { continue };
            match attempt(self.context, &made, &own, Tuning::DEFAULT.endless_ticks, self.budget)? {
                Attempt::Decided(Verdict::Safe(proof)) => {
                    if let Some(found) = self.proved(*proof, guess, "kind")? {
                        return Ok(Some(found));
                    }
                }
                Attempt::Decided(Verdict::Unsafe(_)) => {}
                _ => left.push(guess),
            }
        }
        self.guesses = left;
        Ok(None)
    }
    /// The portfolio tries a guess for some time.
    pub fn within(&mut self, number: usize, time: Duration) -> Result<Option<Conclusion>, Stopped> {
        let Some(guess) = self.guesses.get(number).cloned() else { return Ok(None) };
        let mut own = self.terms.clone();
        let Ok(made) = closed(self.program, &mut own, &guess) else { return Ok(None) };
        let found = within(self.context, time, |context| verify(context, &made, &own, None))?;
        match found.map(|found| (found.verdict, found.engine)) {
            Some((Verdict::Safe(proof), engine)) => self.proved(*proof, guess, engine.unwrap_or("portfolio")),
            _ => Ok(None),
        }
    }
    /// The proof is about the closed program; the checker makes that program again.
    fn proved(
        &self,
        proof: Proof,
        answers: Vec<(InputId, Bits)>,
        engine: &'static str,
    ) -> Result<Option<Conclusion>, Stopped> {
        let verdict = Verdict::Endless(Box::new(Endless { answers, proof }));
        match certify(self.program, self.terms, &verdict, self.budget) {
            Ok(certificate) => Ok(Some(accepted(verdict, Some(engine), certificate))),
            Err(Refusal::Stopped(_)) => Err(Stopped::Cancelled),
            Err(refusal) => {
                self.context.log(&format!("termination: a run without end was refused: {}", refusal.why()));
                Ok(None)
            }
        }
    }
}

/// Inputs that are constants; zero for what has none.
pub struct Constants<'c> {
    /// The constants.
    pub values: &'c [(InputId, Bits)],
}

impl Inputs for Constants<'_> {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        let Origin::Input(input) = request.origin else { return 0 };
        let known = self.values.iter().find(|(one, _)| *one == input);
        known.and_then(|(_, value)| value.to_u128()).unwrap_or(0)
    }
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}
