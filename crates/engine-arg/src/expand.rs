//! One pass over the graph: nodes are visited, expanded and labelled in weak topological order.
//!
//! [AlbarghouthiEtAl-TACAS'12] Fig. 3, written as a recursion over the components instead of two
//! functions that find the next node. At most one node per cutpoint is *pending*. A component is worked through for as
//! long as something inside it is pending: its head or, in irreducible graphs, another of its locations.
//!
//! Unlike the paper
//! * a covered head takes back only those children that no other node of this pass leads to (lines 47-48, read the other
//!   way, lose exits that two nodes share, and with them the proof);
//! * a head may be covered by any open nodes at its cutpoint, not only by those on the way to it: the proof needs only
//!   that their successors are there;
//! * a label that a new edge arrives at is kept if the edge implies it;
//! * below a node without states nothing is visited;
//! * a pass does not try all that predicates can say: from some copy of a cutpoint on, labels only get weaker;
//! * the error has no label: its edges are asked for.

use base::{Id, IndexVec, Stopped};
use encode::Cut;
use term::Term;

use crate::arg::{Arg, NodeId, Outcome};
use crate::domain::{Domain, Site};
use crate::edges::EdgeRef;
use crate::search::Search;
use crate::tuning::Tuning;

/// One pass.
pub(crate) struct Pass<'p, 'a> {
    pub search: &'p mut Search<'a>,
    pub arg: &'p mut Arg,
    pub domain: &'p mut dyn Domain,
    pending: IndexVec<Cut, Option<NodeId>>,
    /// Open nodes of this pass, by cutpoint.
    active: IndexVec<Cut, Vec<NodeId>>,
}

/// Visits the graph from the entry.
pub(crate) fn expand(search: &mut Search<'_>, arg: &mut Arg, domain: &mut dyn Domain) -> Result<(), Stopped> {
    let (mut pending, mut active) = (IndexVec::new(), IndexVec::new());
    pending.grow_to(search.blocks.cutpoints.len(), None);
    active.grow_to(search.blocks.cutpoints.len(), Vec::new());
    arg.pass += 1;
    arg.order.clear();
    search.stats.passes += 1;
    let mut pass = Pass { search, arg, domain, pending, active };
    let entry = pass.search.blocks.entry();
    pass.pending[entry] = Some(pass.arg.entry());
    let len = pass.search.blocks.order.row.len();
    pass.run(0, len)?;
    assert!(pass.pending.iter().all(Option::is_none), "a pass leaves nothing behind");
    Ok(())
}

impl Pass<'_, '_> {
    /// Works through positions of the order.
    fn run(&mut self, from: usize, to: usize) -> Result<(), Stopped> {
        let blocks = self.search.blocks;
        let mut at = from;
        while at < to {
            let Some(end) = blocks.order.end[at] else {
                self.visit_pending(at)?;
                at += 1;
                continue;
            };
            while (at..end).any(|position| self.pending[Cut::new(blocks.order.row[position])].is_some()) {
                self.visit_pending(at)?;
                self.run(at + 1, end)?;
            }
            at = end;
        }
        Ok(())
    }
    fn visit_pending(&mut self, position: usize) -> Result<(), Stopped> {
        let cut = Cut::new(self.search.blocks.order.row[position]);
        match self.pending[cut].take() {
            Some(node) => self.visit(node, cut),
            None => Ok(()),
        }
    }
    fn visit(&mut self, node: NodeId, cut: Cut) -> Result<(), Stopped> {
        self.search.run.budget.spend(1)?;
        self.arg.nodes[node].visited = self.arg.pass;
        self.arg.order.push(node);
        let relabelled = self.label(node, cut)?;
        if self.arg.nodes[node].label == self.search.terms.truth(false) {
            self.arg.nodes[node].outcome = Outcome::Empty;
            return Ok(());
        }
        self.arg.nodes[node].outcome = Outcome::Open;
        self.children(node, cut);
        for number in 0..self.arg.nodes[node].children.len() {
            let (_, child) = self.arg.nodes[node].children[number];
            // What is computed from a label that is new is new as well.
            self.arg.nodes[child].is_marked |= relabelled || self.arg.nodes[child].proposed.is_none();
        }
        let site = Site { arg: self.arg, node, cut, open: &self.active[cut] };
        if self.domain.covers(self.search, &site)? {
            self.search.stats.covered += 1;
            self.arg.nodes[node].outcome = Outcome::Covered;
            self.forget_children(node);
        } else {
            self.active[cut].push(node);
        }
        Ok(())
    }
    /// Gives the node its label; whether that is not one that the refiner proposed.
    fn label(&mut self, node: NodeId, cut: Cut) -> Result<bool, Stopped> {
        if node == self.arg.entry() {
            return Ok(false);
        }
        let proposed = self.arg.nodes[node].proposed;
        if !std::mem::take(&mut self.arg.nodes[node].is_marked) {
            self.arg.nodes[node].label = proposed.expect("a node that is not marked has a label from the refiner");
            return Ok(false);
        }
        let parents = self.arg.nodes[node].parents.clone();
        let parents: Vec<(EdgeRef, Term)> = parents
            .into_iter()
            .filter(|&(parent, _)| self.arg.is_visited(parent) && self.arg.nodes[parent].outcome != Outcome::Empty)
            .map(|(parent, exit)| {
                let from = self.arg.nodes[parent].cut.expect("nothing leads out of the error");
                (EdgeRef { from, exit }, self.arg.nodes[parent].label)
            })
            .collect();
        if let Some(proposed) = proposed {
            let mut holds = true;
            for &(edge, before) in &parents {
                holds = holds && self.search.holds(before, edge, proposed)?;
            }
            if holds {
                self.search.stats.labels_kept += 1;
                self.arg.nodes[node].label = proposed;
                // Below, labels of the last refinement have not been asked about this one.
                return Ok(true);
            }
            self.arg.nodes[node].proposed = None;
        }
        let mut posts = Vec::with_capacity(parents.len());
        self.search.run.observer.phase("post");
        debug_assert_eq!(self.arg.nodes[node].cut, Some(cut));
        let site = Site { arg: self.arg, node, cut, open: &self.active[cut] };
        for (edge, before) in parents {
            self.search.stats.posts += 1;
            posts.push(self.domain.post(self.search, &site, before, edge)?);
        }
        let is_late = site.open.len() >= Tuning::DEFAULT.max_open_copies;
        let label = if is_late {
            self.domain.widen(self.search, &site, &posts)?
        } else {
            self.domain.join(self.search, &site, &posts)?
        };
        self.search.run.observer.phase("expansion");
        self.arg.nodes[node].label = label;
        Ok(true)
    }
    /// Makes the children pending, and makes them if need be.
    fn children(&mut self, node: NodeId, cut: Cut) {
        let truth = self.search.terms.truth(true);
        let blocks = self.search.blocks;
        let is_new = !std::mem::replace(&mut self.arg.nodes[node].is_expanded, true);
        for (exit, way) in blocks.blocks[cut].exits.iter().enumerate() {
            let to = way.to;
            if self.search.is_error(to) {
                if is_new {
                    let error = self.arg.error();
                    self.arg.connect(node, exit, error);
                }
                continue;
            }
            if is_new {
                let child = match self.pending[to] {
                    Some(child) => child,
                    None => self.arg.add(Some(to), truth),
                };
                self.arg.connect(node, exit, child);
                self.arg.nodes[child].is_marked = true;
                self.pending[to] = Some(child);
                continue;
            }
            let child = self.arg.nodes[node].children.iter().find(|child| child.0 == exit).expect("it is expanded").1;
            // One node is pending at a place, and edges lead to later nodes: other children are led elsewhere.
            let next = match self.pending[to] {
                Some(pending) => pending,
                None if self.arg.is_visited(child) => self.arg.add(Some(to), truth),
                None => child,
            };
            if next != child {
                self.arg.redirect(node, exit, next);
                self.arg.nodes[next].is_marked = true;
            }
            self.pending[to] = Some(next);
        }
    }
    /// What only this node leads to is not visited.
    fn forget_children(&mut self, node: NodeId) {
        for &(_, child) in &self.arg.nodes[node].children {
            let Some(cut) = self.arg.nodes[child].cut else { continue };
            let is_live = |&(parent, _): &(NodeId, usize)| {
                parent != node && self.arg.is_visited(parent) && self.arg.nodes[parent].outcome == Outcome::Open
            };
            if self.pending[cut] == Some(child) && !self.arg.nodes[child].parents.iter().any(is_live) {
                self.pending[cut] = None;
            }
        }
    }
}
