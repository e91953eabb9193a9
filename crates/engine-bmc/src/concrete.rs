//! Runs on concrete inputs for a moment: zeros, small and random values.
//!
//! Deep deterministic bugs fall here that no unrolling would reach, and the many shallow ones cost nothing.
//! The interpreter executes the program as lowered; a run into an error that met nothing undefined is a
//! counterexample as it stands.

use std::collections::VecDeque;

use base::{Budget, Bits, Stopped};
use engine::{Run, Task};
use program::interp::{Dictionary, Inputs, Limit, Limits, Machine, Origin, Outcome, RandomInputs, Request, ZeroInputs};
use verdict::{Counterexample, InputValue};

/// Edges of a run at first.
const SHORTEST: u64 = 1 << 13;
/// How much longer its next try may be, as a binary logarithm.
const LENGTHENING: u32 = 3;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Edges in all.
    pub edges: u64,
    /// Runs in all, the longer tries of one run not counted.
    pub runs: u64,
}

/// Looks for an error on concrete inputs.
pub(crate) fn search(task: &Task, run: &mut Run<'_>, effort: Effort) -> Result<Option<Counterexample>, Stopped> {
    run.observer.phase("concrete runs");
    let Ok(mut machine) = Machine::new(&task.lowered, &task.terms) else { return Ok(None) };
    let dictionary = Dictionary::of(&task.lowered, &task.terms);
    let first_seed = run.seed.wrapping_mul(1 << 20);
    let mut fresh = 0..effort.runs;
    let mut waiting: Vec<VecDeque<u64>> = vec![VecDeque::new()];
    let mut spent = vec![0u64];
    let mut total = 0;
    let mut refused = 0;
    while total < effort.edges {
        let ready = |level: usize| !waiting[level].is_empty() || (level == 0 && !fresh.is_empty());
        let cost = |level: usize| SHORTEST << (LENGTHENING * level as u32);
        let price = |level: usize| spent[level] + (cost(level) >> LENGTHENING);
        let Some(level) = (0..waiting.len()).filter(|&level| ready(level)).min_by_key(|&level| (price(level), level)) else {
            return Ok(None); // All runs have ended.
        };
        let seed = match waiting[level].pop_front() {
            Some(seed) => seed,
            None => first_seed.wrapping_add(fresh.next().expect("level zero is ready while seeds are left")),
        };
        let limits = Limits { edges: cost(level).min(effort.edges - total), ..Limits::default() };
        let mut inputs = OnlyInputs { inner: supplier(seed, &dictionary) };
        let result = machine.run(&mut inputs, &limits, &Budget::unlimited(run.budget.flag()));
        run.budget.spend(result.edges / 16)?;
        spent[level] += result.edges;
        total += result.edges.max(64);
        match result.outcome {
            Outcome::Error(assertion) => {
                let values = result.inputs.iter().filter_map(|answer| {
                    let Origin::Input(input) = answer.origin else { return None };
                    Some(InputValue { input, offset: answer.offset, value: Bits::from_u128(answer.width, answer.value) })
                });
                let found = Counterexample { assertion, inputs: values.collect() };
                if result.n_inputs == result.inputs.len() as u64 && (run.replay)(&found).is_ok() {
                    return Ok(Some(found));
                }
                refused += 1;
                if refused > 20 {
                    return Ok(None);
                }
            }
            Outcome::Limit(Limit::Edges) => {
                if level + 1 == waiting.len() {
                    waiting.push(VecDeque::new());
                    spent.push(0);
                }
                waiting[level + 1].push_back(seed);
            }
            Outcome::Cancelled => return Err(Stopped::Cancelled),
            Outcome::Unsupported { .. } => return Ok(None),
            _ => {}
        }
    }
    Ok(None)
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
