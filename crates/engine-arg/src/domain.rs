//! Abstract domains: what is said about the states at a node while the graph grows.
//!
//! [AlbarghouthiEtAl-TACAS'12] has one parameter, the abstract post of an edge. A domain is a little more: the label of a node from
//! the posts of all edges into it (`join`), the same where a pass has to end (`widen`), and the test whether a node need not be
//! unrolled (`covers`). It sees the node and its history, the open copies of the cutpoint in this pass ([`Site`]). Nothing of it has
//! to be trusted: before a graph becomes a proof, each of its edges is asked for once more, and the checker sees only the result.
//!
//! [`joined`], [`narrowed_to_common`] and [`covered`] are what the domains of this crate do; `docs/extending.md` builds
//! a domain of boxes from the outside.

use base::Stopped;
use encode::Cut;
use term::Term;

use crate::arg::{Arg, NodeId};
use crate::clean::conjuncts;
use crate::edges::EdgeRef;
use crate::search::Search;

/// A node that a pass visits, with its history.
pub struct Site<'s> {
    /// The graph.
    pub arg: &'s Arg,
    /// The node.
    pub node: NodeId,
    /// Its cutpoint.
    pub cut: Cut,
    /// The open nodes of this pass at the cutpoint, the oldest first.
    pub open: &'s [NodeId],
}

/// An abstract domain whose elements are formulas over the variables of a cutpoint.
pub trait Domain {
    /// A formula about the states behind the edge: it holds after every step over the edge from states of `before`.
    /// `false` if there is no such step.
    fn post(&mut self, search: &mut Search<'_>, site: &Site<'_>, before: Term, edge: EdgeRef) -> Result<Term, Stopped>;
    /// The label of the node: it holds whenever one of the posts of its edges does.
    fn join(&mut self, search: &mut Search<'_>, site: &Site<'_>, posts: &[Term]) -> Result<Term, Stopped>;
    /// The same after `max-open-copies` open copies of the cutpoint: a sequence of such labels must become stationary.
    fn widen(&mut self, search: &mut Search<'_>, site: &Site<'_>, posts: &[Term]) -> Result<Term, Stopped>;
    /// Whether the label of the node is covered by those of the open ones, so that it need not be unrolled.
    fn covers(&mut self, search: &mut Search<'_>, site: &Site<'_>) -> Result<bool, Stopped>;
}

/// The disjunction, as in the paper.
pub fn joined(search: &mut Search<'_>, posts: &[Term]) -> Term {
    search.terms.or(posts)
}

/// What all posts say, and the label of the last open copy too: labels only get weaker, and each by a conjunct.
pub fn narrowed_to_common(search: &mut Search<'_>, site: &Site<'_>, posts: &[Term]) -> Term {
    let Some(&last) = site.open.last() else { return joined(search, posts) };
    search.stats.widened += 1;
    let never = search.terms.truth(false);
    let mut kept = conjuncts(&search.terms, site.arg.nodes[last].label);
    let mut is_reached = false;
    for &post in posts.iter().filter(|&&post| post != never) {
        is_reached = true;
        let said = conjuncts(&search.terms, post);
        kept.retain(|part| said.contains(part));
    }
    if is_reached { search.terms.and(&kept) } else { never }
}

/// Whether the label implies the disjunction of the labels of the open nodes, as in the paper.
pub fn covered(search: &mut Search<'_>, site: &Site<'_>) -> Result<bool, Stopped> {
    let others: Vec<Term> = site.open.iter().map(|&other| site.arg.nodes[other].label).collect();
    search.covers(site.cut, site.arg.nodes[site.node].label, &others)
}

/// The three methods that the domains of this crate share.
macro_rules! as_in_the_paper {
    () => {
        fn join(&mut self, search: &mut Search<'_>, _: &Site<'_>, posts: &[Term]) -> Result<Term, Stopped> {
            Ok($crate::domain::joined(search, posts))
        }
        fn widen(&mut self, search: &mut Search<'_>, site: &Site<'_>, posts: &[Term]) -> Result<Term, Stopped> {
            Ok($crate::domain::narrowed_to_common(search, site, posts))
        }
        fn covers(&mut self, search: &mut Search<'_>, site: &Site<'_>) -> Result<bool, Stopped> {
            $crate::domain::covered(search, site)
        }
    };
}
pub(crate) use as_in_the_paper;
