//! Refinement: a spurious path to the error shows what the search must track.
//!
//! In order of cost: keep functions of held values one level deeper; split cases early, so that an assumption that
//! comes late is decided before the loop that needs it; look deeper still; learn Horn clauses. A refinement is taken
//! only if it refutes the way that asked for it, Horn clauses excepted, whose use may show only after several ways.

use base::{Budget, Stopped};

use crate::automaton::{Automaton, Code, Part, StepId};
use crate::reach::{Precision, Search, Split};
use crate::tuning::Tuning;
use term::Terms;

/// What a refinement may change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    /// Keep more depth.
    pub depth: bool,
    /// Split cases.
    pub splits: bool,
    /// Learn Horn clauses.
    pub clauses: bool,
}

/// Makes the precision finer; false if nothing helps.
pub(crate) fn refine(
    automaton: &mut Automaton,
    terms: &mut Terms,
    precision: &mut Precision,
    spurious: &[Vec<StepId>],
    allowed: Allowed,
    budget: &Budget,
) -> Result<bool, Stopped> {
    let Some(way) = spurious.first() else { return Ok(false) };
    let depth = precision.keep.depth;
    if allowed.depth && depth == 0 && deeper(automaton, precision, way, 1, budget)? {
        return Ok(true);
    }
    if allowed.splits && split(automaton, precision, way, budget)? {
        return Ok(true);
    }
    if allowed.depth {
        for more in 1..=3 {
            if deeper(automaton, precision, way, depth + more, budget)? {
                return Ok(true);
            }
        }
        if allowed.splits {
            let mut finer = precision.clone();
            finer.keep.depth = (depth + 1).min(Tuning::DEFAULT.max_kept_depth);
            if split(automaton, &mut finer, way, budget)? {
                *precision = finer;
                return Ok(true);
            }
        }
    }
    let mut is_new = false;
    if allowed.clauses {
        for way in spurious.iter().take(Tuning::DEFAULT.learnt_paths) {
            is_new |= precision.pool.learn(automaton, terms, way);
        }
    }
    if !is_new && allowed.depth && precision.keep.only_live {
        precision.keep.only_live = false;
        return Ok(true);
    }
    Ok(is_new)
}

/// Keeps functions this deep if that refutes the way.
fn deeper(
    automaton: &Automaton,
    precision: &mut Precision,
    way: &[StepId],
    depth: u32,
    budget: &Budget,
) -> Result<bool, Stopped> {
    if depth > Tuning::DEFAULT.max_kept_depth {
        return Ok(false);
    }
    let mut finer = precision.clone();
    finer.keep.depth = depth;
    let helps = Search::new(automaton, &finer).refutes(way, budget)?;
    if helps {
        *precision = finer;
    }
    Ok(helps)
}

/// Splits on a literal that is needed for the contradiction, where its terms last got their values.
fn split(automaton: &Automaton, precision: &mut Precision, way: &[StepId], budget: &Budget) -> Result<bool, Stopped> {
    if precision.splits.len() >= Tuning::DEFAULT.max_splits {
        return Ok(false);
    }
    let mut tried: Vec<Split> = precision.splits.clone();
    for (position, &step) in way.iter().enumerate() {
        for test in &automaton.steps[step].guard {
            budget.spend(1)?;
            let at = last_written(automaton, &way[..position], &[&test.left, &test.right]);
            let candidate = Split { at, left: test.left.clone(), right: test.right.clone() };
            if tried.contains(&candidate) {
                continue;
            }
            tried.push(candidate.clone());
            let mut finer = precision.clone();
            finer.splits.push(candidate);
            if Search::new(automaton, &finer).refutes(way, budget)? {
                *precision = finer;
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The location behind the last step that writes a slot of these terms; the entry if none does.
fn last_written(automaton: &Automaton, way: &[StepId], codes: &[&Code]) -> program::Loc {
    let mentions = |slot: u32| codes.iter().any(|code| code.contains(&Part::Slot(slot)));
    for &step in way.iter().rev() {
        let step = &automaton.steps[step];
        let writes = step.assigns.iter().map(|(slot, ..)| *slot).chain(step.frees.iter().map(|(slot, _)| *slot));
        if writes.into_iter().any(mentions) {
            return step.to;
        }
    }
    automaton.entry
}
