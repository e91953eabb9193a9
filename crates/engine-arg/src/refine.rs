//! Refinement: one query over all paths of the graph to the error.
//!
//! If it has a model, that is a run into the error. If not, the paths are refuted all at once, and a sequence of
//! interpolants, one between each node and those before it, gives labels under which every error edge is
//! infeasible [AlbarghouthiEtAl-TACAS'12] Sec. 5.
//!
//! Nothing is believed: in topological order each label is implied by the labels before it (asked edge by edge) and
//! contradicts the rest of the graph (asked of one solver for all nodes). Before a node's own label is tried, what the
//! refutation says of later copies of its cutpoint is, and the labels of earlier copies: if one fits, the later copy
//! is covered (*forced covering*). A refutation says "x is 0" of the first copy and "x is not negative" of the second; both
//! hold at the first, and only with the second the loop is closed. A node for which no label holds gets one from a
//! refutation of its own (`repair`).

use base::{Budget, Stopped};
use encode::{CutKind, StepInput};
use engine::evidence;
use smt::interpolate::{Found, Interpolator, Settings, sequence};
use smt::{Answer, Query, Solver};
use term::Term;
use verdict::{Counterexample, Why};

use crate::arg::{Arg, NodeId};
use crate::clean::clean;
use crate::condition::{Copies, Form, Slice};
use crate::edges::EdgeRef;
use crate::search::Search;
use crate::tuning::Tuning;

/// What came of a refinement.
pub enum Refined {
    /// The error is real.
    Real(Counterexample),
    /// The formula says so, but the run does not confirm it.
    Doubtful(Why),
    /// Labels for all nodes of the slice, under which all its error edges are infeasible.
    Labels(Vec<(NodeId, Term)>),
    /// There is no run into the error here, and labels do not come easily: more should be known about the program first.
    Stuck,
    /// There is no run into the error here, but no labels were found.
    Nothing(&'static str),
}

/// A way to new labels.
pub trait Refiner {
    /// Finds an error in the slice, or labels that exclude one.
    fn refine(&mut self, search: &mut Search<'_>, arg: &Arg, slice: &Slice) -> Result<Refined, Stopped>;
}

/// Labels from interpolants.
pub struct Interpolation {
    /// The ways to interpolants, in the order in which they are tried.
    pub interpolators: Vec<Interpolator>,
    /// Another refinement is available: what takes long is given up.
    pub is_hasty: bool,
}

impl Default for Interpolation {
    fn default() -> Self {
        Interpolation { interpolators: Interpolator::ALL.to_vec(), is_hasty: false }
    }
}

impl Refiner for Interpolation {
    fn refine(&mut self, search: &mut Search<'_>, arg: &Arg, slice: &Slice) -> Result<Refined, Stopped> {
        search.stats.refinements += 1;
        let mut copies = Copies::new(search);
        let parts = copies.parts(search, arg, slice, 0, Form::Free);
        if let Some(refined) = find_error(search, &mut copies, arg, slice, &parts, search.run.budget)? {
            return Ok(refined);
        }
        self.label(search, &mut copies, arg, slice, &parts)
    }
}

impl Interpolation {
    /// Labels for a slice without a way to the error.
    pub(crate) fn label(
        &mut self,
        search: &mut Search<'_>,
        copies: &mut Copies,
        arg: &Arg,
        slice: &Slice,
        parts: &[(usize, Vec<Term>)],
    ) -> Result<Refined, Stopped> {
        search.run.observer.phase("interpolation");
        let proposals = self.proposals(search, copies, arg, slice, parts)?;
        search.run.observer.phase("labels");
        Checked::new(search, copies, arg, slice, self).labels(search, copies, proposals)
    }

    /// What the refutation of all paths says about each node, by place; nothing is promised.
    fn proposals(
        &self,
        search: &mut Search<'_>,
        copies: &mut Copies,
        arg: &Arg,
        slice: &Slice,
        parts: &[(usize, Vec<Term>)],
    ) -> Result<Vec<Vec<Term>>, Stopped> {
        let mut proposals = vec![Vec::new(); slice.nodes.len()];
        let formulas: Vec<Vec<Term>> = parts.iter().map(|(_, part)| part.clone()).collect();
        let mut settings = Settings { methods: self.interpolators.clone(), ..Settings::default() };
        let mut limit = u64::MAX;
        if self.is_hasty {
            // Whole words only: what is found bit by bit is worth more effort at single nodes.
            settings.methods.retain(is_of_words);
            limit = Tuning::DEFAULT.graph_interpolation_ticks;
        } else {
            settings.ticks_each = Tuning::DEFAULT.refutation_ticks;
        }
        let found = match sequence(&mut search.terms, &formulas, &settings, &search.run.budget.part(limit)) {
            Err(Stopped::OutOfTicks) => return Ok(proposals),
            found => found?,
        };
        if let Found::Interpolants(interpolants, _) = found {
            for ((place, _), interpolant) in parts.iter().skip(1).zip(interpolants) {
                proposals[*place] = clean(search, copies, arg, slice, *place, interpolant);
            }
        }
        Ok(proposals)
    }
}

/// Whether the interpolants of this way speak of whole words.
pub(crate) fn is_of_words(interpolator: &Interpolator) -> bool {
    [Interpolator::EQUALITY, Interpolator::LINEAR, Interpolator::CORES].contains(interpolator)
}

/// A run into the error, if there is one.
pub fn find_error(
    search: &mut Search<'_>,
    copies: &mut Copies,
    arg: &Arg,
    slice: &Slice,
    parts: &[(usize, Vec<Term>)],
    budget: &Budget,
) -> Result<Option<Refined>, Stopped> {
    let mut solver = Solver::new();
    parts.iter().flat_map(|(_, part)| part).for_each(|&formula| solver.assert(formula));
    match solver.check(&search.terms, &Query::default(), budget)? {
        Answer::Unsat(_) => return Ok(None),
        Answer::Unknown(why) => return Ok(Some(Refined::Nothing(why))),
        Answer::Sat(_) => {}
    }
    // The model is looked at while terms are made.
    let mut inputs: Vec<StepInput> = Vec::new();
    let mut place = 0;
    let mut step = 1;
    loop {
        let node = slice.nodes[place];
        let cut = arg.nodes[node].cut.expect("the error is not in the slice");
        let blocks = search.blocks;
        for input in &blocks.blocks[cut].inputs {
            let symbol = copies.at(search, arg, node, input.symbol);
            let guard = copies.at(search, arg, node, input.guard);
            inputs.push(StepInput { step, symbol, source: input.source, edge: input.edge, guard });
        }
        let mut taken = None;
        for &(exit, to) in &slice.exits[place] {
            let guard = search.exit(EdgeRef { from: cut, exit }).guard;
            let guard = copies.at(search, arg, node, guard);
            let way = copies.way(&mut search.terms, node, exit);
            let mut model = solver.model(&search.terms).expect("the query was satisfiable");
            if model.is_true(guard) && (slice.exits[place].len() == 1 || model.is_true(way)) {
                taken = Some((exit, to));
                break;
            }
        }
        let (exit, to) = taken.expect("the condition says that a run goes on");
        if to < slice.nodes.len() {
            place = to;
            step += 1;
            continue;
        }
        let CutKind::Error(assertion) = blocks.cutpoints[blocks.blocks[cut].exits[exit].to].kind else {
            unreachable!("the last exit leads to the error")
        };
        let mut model = solver.model(&search.terms).expect("the query was satisfiable");
        let found = evidence::counterexample(search.task, &inputs, assertion, &mut model);
        return Ok(Some(match (search.run.replay)(&found) {
            Ok(()) => Refined::Real(found),
            Err(why) => Refined::Doubtful(evidence::unconfirmed(search.task, blocks, why)),
        }));
    }
}

/// Labels that have been checked, and what checks them.
pub(crate) struct Checked<'s> {
    pub arg: &'s Arg,
    pub slice: &'s Slice,
    /// Knows the rest of the graph from each node on.
    pub rest: Solver,
    /// By place, as far as they are found: as conjuncts.
    pub labels: Vec<Vec<Term>>,
    /// How labels are found.
    pub how: &'s Interpolation,
}

impl<'s> Checked<'s> {
    fn new(
        search: &mut Search<'_>,
        copies: &mut Copies,
        arg: &'s Arg,
        slice: &'s Slice,
        how: &'s Interpolation,
    ) -> Self {
        let mut rest = Solver::new();
        for (_, part) in copies.parts(search, arg, slice, 0, Form::Guarded) {
            part.into_iter().for_each(|formula| rest.assert(formula));
        }
        Checked { arg, slice, rest, labels: vec![Vec::new()], how }
    }
    /// A label for each node, proposals first.
    fn labels(
        mut self,
        search: &mut Search<'_>,
        copies: &mut Copies,
        proposals: Vec<Vec<Term>>,
    ) -> Result<Refined, Stopped> {
        for place in 1..proposals.len() {
            search.run.budget.spend(1)?;
            if let Some((label, is_proposed)) = self.shared(search, copies, place, &proposals)? {
                // What the refutation says of another copy comes from the same query.
                search.stats.labels_cleaned += u64::from(is_proposed);
                search.stats.labels_shared += u64::from(!is_proposed);
                self.labels.push(label);
                continue;
            }
            let implied = self.implied(search, place, proposals[place].clone())?;
            if let Some(label) = self.sufficient(search, copies, place, &implied)? {
                search.stats.labels_cleaned += 1;
                self.labels.push(label);
                continue;
            }
            match self.repair(search, copies, place)? {
                Some(label) => self.labels.push(label),
                None => return Ok(Refined::Nothing("no interpolant was found for some node")),
            }
        }
        let labels = self.slice.nodes.iter().zip(&self.labels);
        Ok(Refined::Labels(labels.map(|(&node, label)| (node, search.terms.and(label))).collect()))
    }
    /// Those conjuncts that hold after each edge into the node.
    pub fn implied(&self, search: &mut Search<'_>, place: usize, conjuncts: Vec<Term>) -> Result<Vec<Term>, Stopped> {
        let mut kept = conjuncts;
        for &(parent, exit) in &self.slice.entries[place] {
            let from = self.arg.nodes[self.slice.nodes[parent]].cut.expect("the error has no children");
            let before = search.terms.and(&self.labels[parent]);
            let edge = EdgeRef { from, exit };
            let all = search.terms.and(&kept);
            if search.holds(before, edge, all)? {
                continue;
            }
            let mut holding = Vec::new();
            for conjunct in kept {
                if search.holds(before, edge, conjunct)? {
                    holding.push(conjunct);
                }
            }
            kept = holding;
        }
        Ok(kept)
    }
    /// Those conjuncts that are needed to contradict the rest of the graph, if they do.
    pub fn sufficient(
        &mut self,
        search: &mut Search<'_>,
        copies: &mut Copies,
        place: usize,
        label: &[Term],
    ) -> Result<Option<Vec<Term>>, Stopped> {
        let node = self.slice.nodes[place];
        let mut assumptions = vec![copies.control(&mut search.terms, node)];
        for &conjunct in label {
            assumptions.push(copies.at(search, self.arg, node, conjunct));
        }
        match self.rest.check(&search.terms, &Query::assuming(&assumptions), search.run.budget)? {
            Answer::Unsat(refutation) => {
                let core = refutation.core();
                let needed = label.iter().zip(&assumptions[1..]).filter(|(_, there)| core.contains(there));
                Ok(Some(needed.map(|(&conjunct, _)| conjunct).collect()))
            }
            Answer::Sat(_) | Answer::Unknown(_) => Ok(None),
        }
    }
    /// The label of another copy of the cutpoint, if it fits here too, and whether the refutation says so of a later copy.
    fn shared(
        &mut self,
        search: &mut Search<'_>,
        copies: &mut Copies,
        place: usize,
        proposals: &[Vec<Term>],
    ) -> Result<Option<(Vec<Term>, bool)>, Stopped> {
        let cut = self.arg.nodes[self.slice.nodes[place]].cut;
        let is_copy = |other: &usize| self.arg.nodes[self.slice.nodes[*other]].cut == cut;
        let mut candidates: Vec<Vec<Term>> = Vec::new();
        let most = Tuning::DEFAULT.max_shared_labels;
        let later = (place + 1..proposals.len()).rev().filter(is_copy).map(|other| &proposals[other]);
        // A copy that the refutation does not need says nothing, which is no label.
        for label in later.filter(|label| !label.is_empty()) {
            if candidates.len() < most && !candidates.contains(label) {
                candidates.push(label.clone());
            }
        }
        let n_later = candidates.len();
        for label in (1..place).rev().filter(is_copy).map(|other| &self.labels[other]) {
            if candidates.len() < n_later + most && !candidates.contains(label) {
                candidates.push(label.clone());
            }
        }
        for (number, label) in candidates.into_iter().enumerate() {
            let fits = self.implied(search, place, label.clone())?.len() == label.len()
                && self.sufficient(search, copies, place, &label)?.is_some();
            if fits {
                return Ok(Some((label, number < n_later)));
            }
        }
        Ok(None)
    }
}
