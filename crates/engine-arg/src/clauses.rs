//! Labels without proofs: clauses that exclude the error within as many steps as the graph has.
//!
//! An interpolant need not come from a refutation. States that lead to the error are excluded one after the other, each by
//! a clause that holds at its cutpoint after a bounded number of steps [ChocklerIvriiMatsliah-HVC'12] [Bradley-VMCAI'11]; the
//! clauses at a node's depth are its label. They are small, in the program's own words, the same for all copies of a
//! cutpoint at one depth, and less says a deeper copy: so copies are covered sooner than with labels that were read
//! off one refutation of a particular graph. What was learnt serves later refinements too.
//!
//! Where that takes too long (sums and products have no end of states), interpolants have their turn; the next refinement
//! goes on from the clauses found.

use base::Stopped;
use term::Term;

use crate::arg::{Arg, NodeId};
use crate::block::Blocked;
use crate::condition::{Copies, Form, Slice};
use crate::edges::EdgeRef;
use crate::frames::Frames;
use crate::refine::{Interpolation, Refined, Refiner, find_error};
use crate::search::Search;
use crate::tuning::Tuning;

/// Labels from clauses about few steps, and from interpolants where those are too many.
pub struct Clauses {
    frames: Frames,
    /// Ticks for the next try.
    exclusion_ticks: u64,
    /// What has its turn where clauses take too long; none: clauses have more time.
    otherwise: Option<Interpolation>,
}

impl Clauses {
    /// With interpolants where clauses take too long.
    pub fn with_interpolants() -> Self {
        Clauses { otherwise: Some(Interpolation { is_hasty: true, ..Interpolation::default() }), ..Clauses::alone() }
    }
    /// Nothing else.
    pub fn alone() -> Self {
        Clauses { frames: Frames::default(), exclusion_ticks: Tuning::DEFAULT.exclusion_ticks, otherwise: None }
    }
}

impl Refiner for Clauses {
    fn refine(&mut self, search: &mut Search<'_>, arg: &Arg, slice: &Slice) -> Result<Refined, Stopped> {
        search.stats.refinements += 1;
        let depths = depths(slice);
        // Where the graph is the entry alone, the error may follow at once.
        let most = depths.iter().copied().max().unwrap_or(0).max(1);
        self.frames.prepare(search);
        if search.is_small && search.stats.refinements == 1 {
            self.exclusion_ticks = Tuning::DEFAULT.exclusion_ticks_small;
        }
        // If clauses are found quickly, no query for an error on all paths is needed.
        let first = self.try_for(search, most, Tuning::DEFAULT.exclusion_glance_ticks)?;
        if let Some(refined) = self.outcome(search, arg, slice, &depths, first)? {
            return Ok(refined);
        }
        search.run.observer.phase("refinement");
        let mut copies = Copies::new(search);
        let parts = copies.parts(search, arg, slice, 0, Form::Free);
        // If that is hard, clauses will come upon the error as well.
        let limited = search.run.budget.part(self.exclusion_ticks / 4);
        let found = find_error(search, &mut copies, arg, slice, &parts, &limited);
        match found {
            Ok(Some(refined)) => return Ok(refined),
            Ok(None) | Err(Stopped::OutOfTicks) => {}
            Err(stopped) => return Err(stopped),
        }
        if !search.is_related && search.is_small {
            // What was learnt so far is of no use to posts yet, and there is much of it.
            search.lemmas.iter_mut().for_each(Vec::clear);
            return Ok(Refined::Stuck);
        }
        loop {
            let tried = self.try_for(search, most, self.exclusion_ticks)?;
            let is_over = tried.is_some();
            if let Some(refined) = self.outcome(search, arg, slice, &depths, tried)? {
                return Ok(refined);
            }
            self.exclusion_ticks = self.exclusion_ticks.saturating_mul(2);
            if is_over && let Some(refined) = find_error(search, &mut copies, arg, slice, &parts, search.run.budget)? {
                return Ok(refined);
            }
            let Some(otherwise) = &mut self.otherwise else {
                if is_over {
                    return Ok(Refined::Nothing("no clauses exclude the error"));
                }
                continue;
            };
            // Where clauses know no more, interpolants have all the time there is.
            otherwise.is_hasty = !is_over;
            match otherwise.label(search, &mut copies, arg, slice, &parts)? {
                Refined::Nothing(_) if !is_over => {}
                refined => return Ok(refined),
            }
        }
    }
}

impl Clauses {
    /// Excludes the error within `most` steps, if that takes at most this number of ticks.
    fn try_for(&mut self, search: &mut Search<'_>, most: usize, ticks: u64) -> Result<Option<Blocked>, Stopped> {
        search.run.observer.phase("exclusion");
        let limited = search.run.budget.part(ticks);
        let blocked = self.exclude(search, most, &limited);
        for (cut, lemmas) in self.frames.lemmas.iter_enumerated() {
            search.lemmas[cut] = lemmas.iter().map(|lemma| lemma.clause).collect();
        }
        match blocked {
            Err(Stopped::OutOfTicks) => Ok(None),
            blocked => blocked.map(Some),
        }
    }
    /// What follows from a try.
    fn outcome(
        &self,
        search: &mut Search<'_>,
        arg: &Arg,
        slice: &Slice,
        depths: &[usize],
        tried: Option<Blocked>,
    ) -> Result<Option<Refined>, Stopped> {
        match tried {
            Some(Blocked::Excluded) => Ok(Some(self.labels(search, arg, slice, depths))),
            Some(Blocked::Reached(path)) => along(search, &path),
            Some(Blocked::Unknown) | None => Ok(None),
        }
    }
    /// Excludes the error within `most` steps.
    fn exclude(&mut self, search: &mut Search<'_>, most: usize, budget: &base::Budget) -> Result<Blocked, Stopped> {
        while self.frames.top < most {
            match self.frames.block(search, budget)? {
                Blocked::Excluded => {}
                other => return Ok(other),
            }
            if self.frames.push(search, budget)? {
                // The error is excluded for good.
                self.frames.top = most;
            }
        }
        Ok(Blocked::Excluded)
    }
    fn labels(&self, search: &mut Search<'_>, arg: &Arg, slice: &Slice, depths: &[usize]) -> Refined {
        let mut labels: Vec<(NodeId, Term)> = Vec::with_capacity(slice.nodes.len());
        for (&node, &depth) in slice.nodes.iter().zip(depths) {
            let cut = arg.nodes[node].cut.expect("the error is not in the slice");
            let clauses: Vec<Term> = match depth {
                0 => Vec::new(), // The entry: any state.
                _ => self.frames.at(cut, depth).collect(),
            };
            search.stats.labels_excluding += 1;
            labels.push((node, search.terms.and(&clauses)));
        }
        Refined::Labels(labels)
    }
}

/// By place: the steps on the longest way from the entry.
fn depths(slice: &Slice) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(slice.nodes.len());
    for place in 0..slice.nodes.len() {
        let depth = slice.entries[place].iter().map(|&(parent, _)| depths[parent] + 1).max();
        depths.push(depth.unwrap_or(0));
    }
    depths
}

/// Whether there is a run into the error over these edges.
fn along(search: &mut Search<'_>, path: &[EdgeRef]) -> Result<Option<Refined>, Stopped> {
    let truth = search.terms.truth(true);
    let mut arg = Arg::new(search.blocks.entry(), truth);
    let mut nodes = vec![arg.entry()];
    for edge in &path[1..] {
        nodes.push(arg.add(Some(edge.from), truth));
    }
    let exits = path.iter().enumerate().map(|(place, edge)| vec![(edge.exit, place + 1)]).collect();
    let mut entries = vec![Vec::new()];
    entries.extend(path.iter().enumerate().map(|(place, edge)| vec![(place, edge.exit)]));
    let slice = Slice { nodes, exits, entries };
    let mut copies = Copies::new(search);
    let parts = copies.parts(search, &arg, &slice, 0, Form::Free);
    find_error(search, &mut copies, &arg, &slice, &parts, search.run.budget)
}
