//! From an interpolant of the whole graph to a formula about one node.
//!
//! Between node i and those before it, an interpolant speaks of everything that crosses there: of other nodes that
//! edges lead to as well. What holds at node i when a run comes by is what is left when `c_i` is true, for all
//! values of the rest. The paper eliminates quantifiers; we need not: control variables of other nodes occur
//! positively in what comes before, so `false` is the value to put in, and with them the variables of those
//! nodes vanish as a rule. Conjuncts where they do not are left out. The caller checks the result.

use term::{Op, Substitution, Term, Terms};

use crate::arg::{Arg, NodeId};
use crate::condition::{Copies, Slice};
use crate::search::Search;

/// What an interpolant says about the node at this place, as conjuncts.
pub fn clean(
    search: &mut Search<'_>,
    copies: &mut Copies,
    arg: &Arg,
    slice: &Slice,
    place: usize,
    interpolant: Term,
) -> Vec<Term> {
    let here = slice.nodes[place];
    let (yes, no) = (search.terms.truth(true), search.terms.truth(false));
    let mut pairs: Vec<(Term, Term)> = Vec::new();
    for &node in &slice.nodes {
        let control = copies.control(&mut search.terms, node);
        pairs.push((control, if node == here { yes } else { no }));
    }
    let without = Substitution::new(&search.terms, &pairs).apply(&mut search.terms, interpolant);
    home(search, copies, arg, here, without)
}

/// A formula about a node, in the words of its cutpoint, as conjuncts; those that speak of other nodes are left out.
pub(crate) fn home(search: &mut Search<'_>, copies: &mut Copies, arg: &Arg, node: NodeId, formula: Term) -> Vec<Term> {
    let formula = copies.from(search, arg, node, formula);
    let mut conjuncts = conjuncts(&search.terms, formula);
    conjuncts.retain(|&conjunct| !copies.is_foreign(&search.terms, conjunct));
    conjuncts
}

/// The formulas whose conjunction it is.
pub fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.op(formula) {
        Op::True => Vec::new(),
        Op::And => terms.args(formula).iter().flat_map(|&arg| conjuncts(terms, arg)).collect(),
        _ => vec![formula],
    }
}
