//! Parts of labels that are invariant already.
//!
//! Labels of an unrolling often say more than is needed ("x is 3 in the third copy") beside what matters ("x is not
//! negative"). Conjuncts and atoms of labels are candidates: those that are inductive together (Houdini) hold at every copy,
//! past and future, and are facts from then on. This is what most often ends a run that would unroll for ever.

use base::{FastMap, Stopped};
use encode::{Cut, CutKind};
use engine::{Context, Houdini};
use term::Term;

use crate::clean::conjuncts;
use crate::predicates::atoms;
use crate::search::Search;
use crate::tuning::Tuning;

/// What has been tried.
#[derive(Default)]
pub(crate) struct Candidates {
    tried: FastMap<(Cut, Term), ()>,
    waiting: Vec<(Cut, Term)>,
}

impl Candidates {
    /// Takes a label apart.
    pub fn note(&mut self, search: &mut Search<'_>, cut: Cut, label: Term) {
        if search.blocks.cutpoints[cut].kind != CutKind::Head {
            return;
        }
        let mut parts = conjuncts(&search.terms, label);
        for atom in atoms(&search.terms, label) {
            parts.push(atom);
            parts.push(search.terms.not(atom));
        }
        for part in parts {
            if self.tried.insert((cut, part), ()).is_none() {
                self.waiting.push((cut, part));
            }
        }
    }
    /// Learns which of them are invariant; whether some are.
    pub fn settle(&mut self, search: &mut Search<'_>) -> Result<bool, Stopped> {
        let mut houdini = Houdini::new(search.blocks);
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return Ok(false);
        }
        for (cut, part) in waiting {
            if houdini.candidates[cut].len() < Tuning::DEFAULT.max_candidates
                && !search.background.at[cut].contains(&part)
            {
                houdini.add(cut, part);
            }
        }
        let cx = &mut Context::new(search.task, &mut search.terms, search.blocks, search.run);
        let survivors = houdini.run(cx, &search.background.at, Tuning::DEFAULT.candidate_query_ticks)?;
        let found: usize = survivors.invariants.iter().map(Vec::len).sum();
        search.stats.invariants += found as u64;
        search.background.learn(cx, &survivors.invariants, "ufo");
        Ok(found > 0)
    }
}
