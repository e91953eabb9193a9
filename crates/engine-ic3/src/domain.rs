//! What a question is about, so that the solver decides nothing else.
//!
//! Over time the solver contains many cubes, substituted through many edges. A query about one frame needs values for
//! its own literals, for the lemmas that this frame turns on, and for what holds anywhere: axioms and facts about
//! operators. Lemmas of other cutpoints and lower levels are behind switches that are not assumed and that occur in clauses
//! with one polarity only, so they can always be satisfied, and terms that occur only in them get their values by evaluation.

use encode::Cut;
use term::{SortKind, Term, Terms};

use crate::query::Search;

impl Search<'_> {
    /// The terms that a question about this frame has to decide beside its own; `None` for all that there are.
    pub fn domain(&self, at: Cut, level: u32) -> Option<Vec<Term>> {
        // Arrays want instances of axioms for every read and write there is; predicates are values of the whole model.
        if self.has_arrays || self.predicates.is_some() {
            return None;
        }
        let mut needed = self.everywhere.clone();
        if at != self.system.entry {
            needed.extend(&self.background.at[at]);
            let turned_on = self.frames.lemmas[at].from(level);
            needed.extend(turned_on.flat_map(|lemma| &lemma.cube.literals));
        }
        Some(needed)
    }
}

/// Whether some of the terms, or what they consist of, are arrays.
pub(crate) fn has_arrays(terms: &Terms, roots: &[Term]) -> bool {
    let is_array = |&term: &Term| matches!(terms.sort_kind(terms.sort_of(term)), SortKind::Array(..));
    terms.subterms(roots).iter().any(is_array)
}
