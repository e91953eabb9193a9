//! What happens to the labels that a refiner found.

use term::Term;

use crate::arg::{Arg, NodeId};
use crate::search::Search;

/// A way to go on after a refinement.
pub trait Strategy {
    /// Takes the labels; `new_predicates` were found in them. Afterwards each node that has no proposed label, or whose
    /// proposed label was not checked together with those of its parents, is marked.
    fn take(&mut self, search: &mut Search<'_>, arg: &mut Arg, labels: Vec<(NodeId, Term)>, new_predicates: usize);
}

/// Labels are used as they are; the abstract post works only where they end.
#[derive(Default)]
pub struct Lazy {}

impl Strategy for Lazy {
    fn take(&mut self, search: &mut Search<'_>, arg: &mut Arg, labels: Vec<(NodeId, Term)>, _: usize) {
        let truth = search.terms.truth(true);
        for node in arg.nodes.iter_mut() {
            // What it had is tried again once its parents have theirs.
            node.proposed = Some(node.label).filter(|&label| label != truth);
            node.is_marked = true;
        }
        for (node, label) in labels {
            arg.nodes[node].proposed = Some(label);
            arg.nodes[node].is_marked = false;
        }
    }
}

/// Only predicates count: all labels are computed anew from the entry on. If there was no new predicate, computing would
/// give the same again, and the labels are used after all.
#[derive(Default)]
pub struct Eager {
    lazy: Lazy,
}

impl Strategy for Eager {
    fn take(&mut self, search: &mut Search<'_>, arg: &mut Arg, labels: Vec<(NodeId, Term)>, new_predicates: usize) {
        if new_predicates == 0 {
            return self.lazy.take(search, arg, labels, new_predicates);
        }
        for node in arg.nodes.iter_mut() {
            node.proposed = None;
            node.is_marked = true;
        }
    }
}
