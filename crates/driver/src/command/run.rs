//! `uforia run`: executes the lowered program on given values, on zeros, or on random values.
//!
//! Random runs are tried with few steps first, and those that need more again with more, in fair
//! turns. A run into the error that met nothing undefined ends the search; one that did is only reported.

use base::{Attempts, Budget, Stopped};
use program::interp::{
    self, Dictionary, Inputs, Limit, Limits, Machine, Outcome as RunOutcome, RandomInputs, Run, ScriptedInputs,
    ZeroInputs,
};
use program::{AssertionId, InputKind, Program};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::frontend::{self, Loaded};
use crate::input;
use crate::values::{self, FileInputs};

use super::{place_text, refuse, report_loaded, story};
use crate::tuning::Tuning;

/// Compiles the program and runs it.
pub fn run(context: &Context) -> Result<Exit, Stopped> {
    match load_and_run(context) {
        Ok(exit) => Ok(exit),
        Err(failure) => refuse(context, &failure, true),
    }
}

fn load_and_run(context: &Context) -> Result<Exit, Failure> {
    let settings = &context.settings;
    let mut inputs = match &settings.inputs {
        Some(file) => Some(read_inputs(file)?),
        None => None,
    };
    let loaded = frontend::load(context)?;
    report_loaded(context, &loaded);
    let program = &loaded.program;
    let budget = Budget::unlimited(context.cancel.clone());
    if let Some(tries) = settings.random {
        return search(context, &loaded, tries, &budget);
    }
    let limits = Limits { edges: settings.max_edges.unwrap_or(u64::MAX), ..Limits::default() };
    let supplier: &mut dyn Inputs = match &mut inputs {
        Some(inputs) => inputs,
        None => &mut ZeroInputs,
    };
    let run = if settings.trace {
        let (run, trace) =
            interp::trace(program, &loaded.terms, supplier, &limits, &budget, Tuning::DEFAULT.story_kept_steps)
                .map_err(|unsupported| cannot_run(context, &unsupported.what))?;
        context.output.print(&story::text(program, &loaded.terms, &trace));
        run
    } else {
        machine(context, &loaded)?.run(supplier, &limits, &budget)
    };
    context.output.print(&summary(program, &run));
    if let Some(inputs) = inputs {
        for (count, what) in [
            (inputs.missing, "calls of __VERIFIER_nondet_* found no value and got zero"),
            (inputs.unused() as u64, "values were not used"),
            (inputs.cut, "values with a fraction were cut for integer inputs"),
        ] {
            if count > 0 && !settings.quiet {
                crate::output::message(&format!("uforia: {count} {what}\n"));
            }
        }
    }
    finish(context, program, &run)
}

fn read_inputs(file: &str) -> Result<FileInputs, Failure> {
    let bytes = input::read(file)?;
    FileInputs::parse(&String::from_utf8_lossy(&bytes))
        .map_err(|(line, message)| Failure::Invalid(vec![input::about(file, line, &message)]))
}

fn machine(context: &Context, loaded: &Loaded) -> Result<Machine, Failure> {
    Machine::new(&loaded.program, &loaded.terms).map_err(|unsupported| cannot_run(context, &unsupported.what))
}

fn cannot_run(context: &Context, what: &str) -> Failure {
    let mut found = input::about(&context.settings.file, 0, what);
    found.severity = base::Severity::Unsupported;
    Failure::Invalid(vec![found])
}

/// Tries random inputs until an error is reached.
fn search(context: &Context, loaded: &Loaded, tries: u64, budget: &Budget) -> Result<Exit, Failure> {
    let mut search = Search {
        machine: machine(context, loaded)?,
        dictionary: Dictionary::of(&loaded.program, &loaded.terms),
        most: context.settings.max_edges.unwrap_or(Tuning::DEFAULT.max_random_steps),
        cut_short: 0,
        doubtful: None,
        unsupported: None,
    };
    // Consecutive seeds take the styles of random values in turn, zeros first.
    let first_seed = context.settings.seed.wrapping_mul(1 << 20);
    let end = search.explore(first_seed, tries, budget);
    if let Some((seed, run)) = end {
        return match run.outcome {
            RunOutcome::Cancelled => Err(Failure::Stopped),
            _ => found(context, loaded, &run, seed, budget),
        };
    }
    if let Some((seed, run)) = search.doubtful {
        context.log(&format!("found with seed {seed} of the random values"));
        context.output.print(&summary(&loaded.program, &run));
        let RunOutcome::Error(assertion) = run.outcome else { unreachable!("only errors are doubted") };
        context.output.print(&format!(
            "no error in {tries} runs that stay within what the program defines; the inputs above reach {} but not so\n",
            assertion_text(&loaded.program, assertion)
        ));
        return Ok(Exit::Done);
    }
    if let Some(run) = search.unsupported {
        return finish(context, &loaded.program, &run);
    }
    let cut = match search.cut_short {
        0 => String::new(),
        n => format!("; {n} of them were cut short after {} steps", search.most),
    };
    context.output.print(&format!("no error in {tries} runs{cut}\n"));
    Ok(Exit::Done)
}

struct Search {
    machine: Machine,
    dictionary: Dictionary,
    /// Steps of one run at most.
    most: u64,
    /// How many runs were given up after that many steps.
    cut_short: u64,
    /// A run into the error that met something undefined or unknown on the way.
    doubtful: Option<(u64, Run)>,
    unsupported: Option<Run>,
}

impl Search {
    /// Tries the seeds in fair turns. `Some`: an error, or the run was cancelled.
    fn explore(&mut self, first_seed: u64, tries: u64, budget: &Budget) -> Option<(u64, Run)> {
        let mut attempts = Attempts::new(0..tries, Tuning::DEFAULT.first_random_steps);
        loop {
            let attempt = attempts.take()?;
            let seed = first_seed.wrapping_add(attempt.number);
            let edges = self.most.min(attempt.effort);
            let limits = Limits { edges, ..Limits::default() };
            let run = self.machine.run(&mut RandomInputs::new(seed, &self.dictionary), &limits, budget);
            attempts.spend(attempt, run.edges);
            let clean = run.undefined.is_none() && !run.external && !run.ordered && !run.approximate;
            match &run.outcome {
                RunOutcome::Error(_) if clean => return Some((seed, run)),
                RunOutcome::Cancelled => return Some((seed, run)),
                RunOutcome::Error(_) if self.doubtful.is_none() => self.doubtful = Some((seed, run)),
                RunOutcome::Limit(Limit::Edges) if edges < self.most => attempts.again(attempt),
                RunOutcome::Limit(Limit::Edges) => self.cut_short += 1,
                RunOutcome::Unsupported { .. } if self.unsupported.is_none() => self.unsupported = Some(run),
                _ => {}
            }
        }
    }
}

/// Shows the run that reached the error.
fn found(context: &Context, loaded: &Loaded, run: &Run, seed: u64, budget: &Budget) -> Result<Exit, Failure> {
    context.log(&format!("found with seed {seed} of the random values"));
    if context.settings.trace {
        // With leaps the two runs need not take the same edges one by one.
        let edges = if run.leapt == 0 { run.edges } else { run.edges.saturating_mul(16) };
        let limits = Limits { edges: edges.saturating_add(1000), ..Limits::default() };
        let mut again = ScriptedInputs::replay(&run.inputs);
        let traced = interp::trace(
            &loaded.program,
            &loaded.terms,
            &mut again,
            &limits,
            budget,
            Tuning::DEFAULT.story_kept_steps,
        );
        let (_, trace) = traced.map_err(|unsupported| cannot_run(context, &unsupported.what))?;
        context.output.print(&story::text(&loaded.program, &loaded.terms, &trace));
    }
    context.output.print(&summary(&loaded.program, run));
    finish(context, &loaded.program, run)
}

/// The inputs and what was undefined.
fn summary(program: &Program, run: &Run) -> String {
    let mut text = String::new();
    if run.n_inputs > 0 {
        text.push_str("inputs:\n");
    }
    for consumed in run.inputs.iter().take(Tuning::DEFAULT.max_shown_inputs) {
        let info = match consumed.origin {
            interp::Origin::Input(input) => program.inputs.get(input),
            _ => None,
        };
        let is_nondet = info.is_some_and(|input| matches!(input.kind, InputKind::Nondet(_)));
        let shown = info.map_or(program::Shown::Unsigned, |input| input.shown);
        let value = values::show(consumed.origin, is_nondet, shown, consumed.width, consumed.value);
        text.push_str(&format!("  {value:<12} # {}\n", story::origin(program, consumed.origin)));
    }
    if run.n_inputs as usize > Tuning::DEFAULT.max_shown_inputs.min(run.inputs.len()) {
        text.push_str(&format!(
            "  # {} more\n",
            run.n_inputs as usize - Tuning::DEFAULT.max_shown_inputs.min(run.inputs.len())
        ));
    }
    if let Some(undefined) = &run.undefined {
        let place = place_text(program, undefined.place).map_or(String::new(), |place| format!(" at {place}"));
        text.push_str(&format!("undefined: {}{place}\n", story::unclear(undefined.what)));
    }
    if run.ordered {
        text.push_str("order: the run chose one of the orders of evaluation that C leaves open\n");
    }
    if run.external {
        text.push_str(
            "note: the run used a value that the program does not define (something defined elsewhere, memory outside of every object)\n",
        );
    }
    if run.approximate {
        text.push_str("note: arithmetic in more than double precision: __float128 is computed as double, and long double depends on the precision that the processor is set to\n");
    }
    text
}

/// The last line, and the exit code.
fn finish(context: &Context, program: &Program, run: &Run) -> Result<Exit, Failure> {
    let at =
        |place: Option<base::Place>| place_text(program, place).map_or(String::new(), |place| format!(" at {place}"));
    let steps = run.edges.saturating_add(run.leapt);
    let (line, exit) = match &run.outcome {
        RunOutcome::Error(assertion) => {
            (format!("error reached: {} after {steps} steps", assertion_text(program, *assertion)), Exit::ErrorReached)
        }
        RunOutcome::Returned(Some(value)) => {
            (format!("finished: main returned {} after {steps} steps", *value as i32), Exit::Done)
        }
        RunOutcome::Returned(None) => (format!("finished: main returned after {steps} steps"), Exit::Done),
        RunOutcome::Blocked(location) => {
            let place = at(program.locations[*location].place);
            (
                format!("ended{place}: an assumption failed, or abort or exit was called, after {steps} steps"),
                Exit::Done,
            )
        }
        RunOutcome::MemoryError(error) => {
            let what = story::unclear(interp::Unclear::Memory(error.what));
            (format!("ended{}: {what} after {steps} steps", at(error.place)), Exit::Done)
        }
        RunOutcome::Limit(limit) => {
            let what = match limit {
                Limit::Edges | Limit::Ticks => "step limit reached",
                Limit::CallDepth => "too many nested calls",
                Limit::Memory => "the program uses too much memory",
            };
            (format!("UNKNOWN: {what} after {steps} steps"), Exit::Unknown)
        }
        RunOutcome::Unsupported { what, place } => {
            (format!("UNKNOWN: unsupported {what}{}", at(*place)), Exit::Unknown)
        }
        RunOutcome::Cancelled => return Err(Failure::Stopped),
        RunOutcome::Undetermined => unreachable!("only shadow runs end so"),
    };
    context.output.print(&format!("{line}\n"));
    Ok(exit)
}

fn assertion_text(program: &Program, id: AssertionId) -> String {
    let number = base::Id::index(id) + 1;
    match program.assertions.get(id) {
        Some(assertion) => {
            let place = place_text(program, assertion.place).map_or(String::new(), |place| format!(" at {place}"));
            format!("assertion {number}, {}{place},", assertion.claim())
        }
        None => format!("assertion {number}"),
    }
}
