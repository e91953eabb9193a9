//! Comparisons that depend on whether an address is handed out again.
//!
//! Columns rest on addresses that no second object ever has. For runs of a program that never looks at the address of an object that has ended
//! beside another's, that is no restriction: addresses can be renamed. So such places are searched for: a condition or a computation with
//! the addresses of two objects, behind the end of one of the kind. What only copies addresses, or chooses between
//! them, does not look at them.

use base::FastMap;
use term::{Op, Term};

use super::{Hop, Names, Origins, Step, Targets};
use crate::Action;

/// What a site's objects are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Whether they are on the heap.
    pub is_heap: bool,
    /// Whether they end before the program does, other than by being freed.
    pub is_automatic: bool,
    /// Whether a run may make several.
    pub is_many: bool,
}

/// What ends on a hop.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Ends {
    /// Perhaps an object on the heap.
    pub heap: bool,
    /// Perhaps an automatic object.
    pub automatic: bool,
}

impl<N: Names> Origins<'_, N> {
    /// An edge that may look at the address of an object that has ended, beside another's.
    pub fn compares_ended(
        &mut self,
        n_nodes: usize,
        hops: &[Hop],
        ends: impl Fn(&Hop) -> Ends,
        kind: impl Fn(u32) -> Kind,
    ) -> bool {
        let heap = reached(n_nodes, hops, |hop| ends(hop).heap || self.frees(hop));
        let automatic = reached(n_nodes, hops, |hop| ends(hop).automatic);
        for hop in hops.iter().filter(|hop| heap[hop.from] || automatic[hop.from]) {
            let (Step::Edge(edge) | Step::Enter(edge, _)) = hop.step else { continue };
            let mut roots = Vec::new();
            self.program.edges[edge].action.for_each_term(|term| roots.push(term));
            for look in self.looks(&roots) {
                let carried = self.carriers(hop.from, hop.frame, look);
                let mut all = Targets::default();
                carried.iter().for_each(|targets| {
                    all.add(targets);
                });
                let mut sites: Vec<u32> = all.iter().map(|(site, _)| site).collect();
                sites.dedup();
                let has_two = carried.len() >= 2
                    && (sites.len() >= 2 || sites.iter().any(|&site| site == super::OUTSIDE || kind(site).is_many));
                let may_end = |&site: &u32| {
                    site == super::OUTSIDE
                        || heap[hop.from] && kind(site).is_heap
                        || automatic[hop.from] && kind(site).is_automatic
                };
                if has_two && sites.iter().any(may_end) {
                    return true;
                }
            }
        }
        false
    }
    fn frees(&self, hop: &Hop) -> bool {
        let Step::Edge(edge) = hop.step else { return false };
        matches!(self.program.edges[edge].action, Action::Free { .. } | Action::Alloc { moved: Some(_), .. })
    }
    /// The parts of terms that look at values: comparisons and computations, not copies, choices and connectives.
    fn looks(&self, roots: &[Term]) -> Vec<Term> {
        let terms = self.terms;
        let mut seen: FastMap<Term, ()> = FastMap::new();
        let mut todo = roots.to_vec();
        let mut looks = Vec::new();
        while let Some(term) = todo.pop() {
            if seen.insert(term, ()).is_some() {
                continue;
            }
            match terms.op(term) {
                Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor | Op::Ite => {
                    todo.extend_from_slice(terms.args(term))
                }
                Op::Eq if terms.is_bool(terms.arg(term, 0)) => todo.extend_from_slice(terms.args(term)),
                Op::Symbol(_) if terms.args(term).is_empty() => {}
                _ => looks.push(term),
            }
        }
        looks
    }
    /// What the variables in the term carry that carry something, each.
    fn carriers(&mut self, node: usize, frame: usize, term: Term) -> Vec<Targets> {
        let terms = self.terms;
        let parts = terms.subterms(&[term]);
        let symbols: Vec<Term> = parts
            .into_iter()
            .filter(|&part| matches!(terms.op(part), Op::Symbol(_)) && terms.args(part).is_empty())
            .collect();
        let carried = symbols.into_iter().map(|symbol| self.of_term(node, frame, symbol));
        carried.filter(|targets| !targets.is_empty()).collect()
    }
}

/// The nodes that can be reached from behind a hop for which `starts` holds.
fn reached(n_nodes: usize, hops: &[Hop], starts: impl Fn(&Hop) -> bool) -> Vec<bool> {
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    for hop in hops {
        from[hop.from].push(hop.to);
    }
    let mut reached = vec![false; n_nodes];
    let mut todo: Vec<usize> = hops.iter().filter(|hop| starts(hop)).map(|hop| hop.to).collect();
    while let Some(node) = todo.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            todo.extend_from_slice(&from[node]);
        }
    }
    reached
}
