//! Runs on concrete inputs for a moment: zeros, small and random values.
//!
//! Deep deterministic bugs fall here that no unrolling would reach, and the many shallow ones cost nothing.
//! The interpreter executes the program as lowered; a run into an error that met nothing undefined is a
//! counterexample as it stands. A run that ends without error proves the program safe if nothing that was asked decides its
//! way: it is the only one (`only_run`).

use base::{Attempts, Bits, Stopped};
use engine::{Engine, Run, Task};
use program::interp::{
    Dictionary, Inputs, Limit, Limits, Machine, Origin, Outcome, RandomInputs, Request, ZeroInputs, without_checks,
};
use program::{Action, Program, Undefined, VarKind};
use term::SortKind;
use verdict::{Code, Counterexample, InputValue, Proof, Verdict, Why};

use crate::only_run;
use crate::tuning::Tuning;

/// Looks for an error by concrete runs and does nothing else.
pub(crate) struct Runs;

impl Engine for Runs {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        run.observer.phase("concrete runs");
        let mut concrete = Concrete::new(task, run.seed, Tuning::DEFAULT.runs_alone_edges >> 6);
        loop {
            if let Some(found) = concrete.search(run, Tuning::DEFAULT.runs_alone_edges)? {
                return Ok(found);
            }
            if !concrete.is_only_run || concrete.machine.is_none() {
                return Ok(Verdict::Unknown(Why::new(Code::Runs, "no error in the runs that were tried")));
            }
        }
    }
}

/// Executes the program on zeros once, for a moment: a program without inputs is decided by it.
pub(crate) struct FirstRun;

impl Engine for FirstRun {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        run.observer.phase("first run");
        let found = Concrete::new(task, run.seed, 1).search(run, Tuning::DEFAULT.first_run_edges)?;
        Ok(found.unwrap_or_else(|| Verdict::Unknown(Why::new(Code::Runs, "the first run decides nothing"))))
    }
}

/// Runs that were begun, and where to go on.
pub(crate) struct Concrete {
    /// None if the program cannot be executed, or all runs have ended.
    machine: Option<Machine>,
    dictionary: Dictionary,
    first_seed: u64,
    /// Short runs and long ones in fair turns.
    attempts: Attempts,
    /// Edges granted that were not taken yet; a long run takes more than was granted, and waits for it afterwards.
    credit: i64,
    /// The program asks for nothing as far as it was executed: there is one run.
    is_only_run: bool,
    /// Whether some run has come to its end.
    pub has_ended_run: bool,
    /// Errors that replay did not confirm.
    refused: u32,
    has_addresses: bool,
}

impl Concrete {
    /// A search with at most `runs` runs; the longer tries of one run are not counted.
    pub fn new(task: &Task, seed: u64, runs: u64) -> Self {
        Concrete {
            machine: {
                let is_fine = |what: Undefined| what == Undefined::SignedOverflow;
                Machine::new(&without_checks(&task.lowered, &task.terms, is_fine), &task.terms).ok()
            },
            dictionary: Dictionary::of(&task.lowered, &task.terms),
            first_seed: seed.wrapping_mul(1 << 20),
            attempts: Attempts::new(0..runs, Tuning::DEFAULT.shortest_run_edges),
            credit: 0,
            is_only_run: false,
            has_ended_run: false,
            refused: 0,
            has_addresses: has_addresses(&task.lowered),
        }
    }
    /// Looks for an error for a share of what was spent elsewhere, and for at least this number of edges.
    pub fn keep_up(&mut self, run: &Run<'_>, ticks: u64, least: u64) -> Result<Option<Verdict>, Stopped> {
        let share = if self.is_only_run { Tuning::DEFAULT.only_run_share } else { Tuning::DEFAULT.runs_share };
        self.search(run, (ticks.saturating_mul(Tuning::DEFAULT.edges_per_tick) / 100).saturating_mul(share).max(least))
    }
    /// Looks for an error for about this number of further edges. Runs that take longer get their turn in time.
    pub fn search(&mut self, run: &Run<'_>, edges: u64) -> Result<Option<Verdict>, Stopped> {
        self.credit = self.credit.saturating_add_unsigned(edges);
        while self.credit > 0 {
            // Short runs are charged when they have ended.
            if run.budget.left() == 0 {
                return Err(Stopped::OutOfTicks);
            }
            let Some(machine) = &mut self.machine else { return Ok(None) };
            let Some(attempt) = self.attempts.take() else {
                self.machine = None; // All runs have ended.
                return Ok(None);
            };
            let limits = Limits { edges: attempt.effort, ..Limits::default() };
            let seed = self.first_seed + attempt.number;
            let mut inputs = OnlyInputs { inner: supplier(seed, &self.dictionary) };
            let result =
                machine.run(&mut inputs, &limits, &run.budget.part_in_small_ticks(Tuning::DEFAULT.edges_per_tick));
            self.attempts.spend(attempt, result.edges);
            self.credit -= result.edges.max(64) as i64;
            self.has_ended_run |= !matches!(result.outcome, Outcome::Limit(_) | Outcome::Cancelled);
            match result.outcome {
                // Another verdict is wanted, and this one is known.
                Outcome::Error(assertion) if !run.is_wanted(assertion) => {}
                Outcome::Error(assertion) => {
                    let values = result.inputs.iter().filter_map(|answer| {
                        let Origin::Input(input) = answer.origin else { return None };
                        let value = Bits::from_u128(answer.width, answer.value);
                        let (occurrence, offset) = (answer.occurrence, answer.offset);
                        Some(InputValue { input, occurrence, offset, value })
                    });
                    let found = Counterexample { assertion, inputs: values.collect(), functions: Vec::new() };
                    if result.n_inputs == result.inputs.len() as u64 && (run.replay)(&found).is_ok() {
                        let found = Verdict::Unsafe(found);
                        match run.each {
                            // The only run is over: the other assertions hold, which a new beginning shows.
                            Some(each) if result.n_inputs > 0 && each.settle(&[assertion], found.clone())? => continue,
                            _ => return Ok(Some(found)),
                        }
                    }
                    self.refused += 1;
                    if self.refused > Tuning::DEFAULT.max_refused_errors {
                        self.machine = None;
                    }
                }
                Outcome::Limit(Limit::Edges) => {
                    self.is_only_run = result.n_inputs == 0;
                    if self.is_only_run {
                        // All others are the same so far: go on with this one alone.
                        self.attempts = Attempts::new(
                            attempt.number..attempt.number + 1,
                            attempt.effort * Tuning::DEFAULT.only_run_growth,
                        );
                    } else {
                        self.attempts.again(attempt);
                    }
                }
                Outcome::Cancelled => return Err(Stopped::Cancelled),
                Outcome::Limit(Limit::Ticks) => return Err(Stopped::OutOfTicks),
                Outcome::Unsupported { .. } => self.machine = None,
                Outcome::Returned(_) | Outcome::Blocked(_) | Outcome::MemoryError(_) if attempt.number == 0 => {
                    if let Some(method) = only_run::proves(machine, &result, self.has_addresses, run)? {
                        return Ok(Some(Verdict::Safe(Box::new(Proof::by_runs(method)))));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// Whether the program, as engines see it, has arrays.
pub(crate) fn writes_arrays(task: &Task) -> bool {
    task.program.vars.iter().any(|variable| matches!(task.terms.sort_kind(variable.sort), SortKind::Array(..)))
}

fn has_addresses(program: &Program) -> bool {
    let is_address = |kind: VarKind| matches!(kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_));
    program.vars.iter().any(|variable| is_address(variable.kind))
        || program.edges.iter().any(|edge| matches!(edge.action, Action::Alloc { .. }))
}

fn supplier(seed: u64, dictionary: &Dictionary) -> Box<dyn Inputs + '_> {
    if seed.is_multiple_of(1 << 20) { Box::new(ZeroInputs) } else { Box::new(RandomInputs::new(seed, dictionary)) }
}

/// Zero for whatever is not an input of the program, so that the inputs alone repeat the run.
struct OnlyInputs<'a> {
    inner: Box<dyn Inputs + 'a>,
}

impl Inputs for OnlyInputs<'_> {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        match request.origin {
            Origin::Input(_) => self.inner.value(request),
            _ => 0,
        }
    }
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}
