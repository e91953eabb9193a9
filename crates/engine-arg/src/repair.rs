//! A label for one node from a refutation of its own.
//!
//! On the left: the labels before the node and the edges into it. On the right: the rest of the graph from it on. The two
//! have the node's variables in common and nothing else, so an interpolant between them is a label as it
//! stands. They contradict each other whenever the labels before were sufficient; so this works where one
//! refutation of all paths was read wrongly, at the price of one more refutation for each node. Where whole words do not
//! suffice, states are excluded one after the other (`enumerate`) before a refutation is read bit by bit.

use base::Stopped;
use smt::interpolate::{Found, Interpolator, Settings, sequence};
use term::Term;

use crate::clean::home;
use crate::condition::{Copies, Form};
use crate::refine::{Checked, is_of_words};
use crate::search::Search;
use crate::tuning::Tuning;

/// An interpolant between two parts by one of the ways, each for its number of ticks.
fn between(
    search: &mut Search<'_>,
    parts: &[Vec<Term>],
    ways: Vec<(Interpolator, u64)>,
) -> Result<Option<Term>, Stopped> {
    for (interpolator, ticks) in ways {
        let settings = Settings { methods: vec![interpolator], ..Settings::default() };
        let limited = search.run.budget.part(ticks);
        match sequence(&mut search.terms, parts, &settings, &limited) {
            Ok(Found::Interpolants(interpolants, _)) => return Ok(interpolants.first().copied()),
            Ok(Found::Satisfiable) => return Ok(None),
            Ok(Found::Nothing(_)) | Err(Stopped::OutOfTicks) => {}
            Err(stopped) => return Err(stopped),
        }
        search.run.budget.spend(0)?;
    }
    Ok(None)
}

impl Checked<'_> {
    pub(crate) fn repair(
        &mut self,
        search: &mut Search<'_>,
        copies: &mut Copies,
        place: usize,
    ) -> Result<Option<Vec<Term>>, Stopped> {
        let node = self.slice.nodes[place];
        let mut left: Vec<Term> = search.blocks.axioms.clone();
        let mut arrivals = Vec::new();
        for &(parent, exit) in &self.slice.entries[place] {
            let from = self.slice.nodes[parent];
            let way = match self.slice.entries[place].len() {
                1 => search.terms.truth(true),
                _ => copies.way(&mut search.terms, from, exit),
            };
            arrivals.push(way);
            let (guard, equations) = copies.step(search, self.arg, from, exit, node);
            let mut said = vec![guard];
            said.extend(equations);
            let cut = self.arg.nodes[from].cut.expect("the error has no children");
            let before: Vec<Term> = search.background.at[cut].iter().chain(&self.labels[parent]).copied().collect();
            for formula in before {
                said.push(copies.at(search, self.arg, from, formula));
            }
            left.extend(said.into_iter().map(|formula| search.terms.implies(way, formula)));
        }
        left.push(search.terms.or(&arrivals));
        let right = copies.parts(search, self.arg, self.slice, place, Form::Free);
        let right: Vec<Term> = right.into_iter().flat_map(|(_, part)| part).collect();
        let parts = [left, right];
        let (short, long): (Vec<Interpolator>, Vec<Interpolator>) =
            self.how.interpolators.iter().copied().partition(is_of_words);
        // By words, then state by state, then bit by bit.
        let words = short.iter().map(|&way| (way, Tuning::DEFAULT.node_words_ticks)).collect();
        if let Some(label) = self.between(search, copies, place, &parts, words)? {
            return Ok(Some(label));
        }
        let may_enumerate = !long.is_empty() || short.is_empty();
        if may_enumerate {
            let limited = search.run.budget.part(Tuning::DEFAULT.node_states_ticks);
            if let Some(label) = self.enumerated(search, copies, place, &limited)? {
                search.stats.labels_repaired += 1;
                return self.sufficient(search, copies, place, &label);
            }
        }
        let mut ways: Vec<(Interpolator, u64)> =
            long.iter().map(|&way| (way, Tuning::DEFAULT.node_bits_ticks)).collect();
        if !self.how.is_hasty {
            let slow = if long.is_empty() { &short } else { &long };
            ways.extend(slow.iter().map(|&way| (way, u64::MAX)));
        }
        self.between(search, copies, place, &parts, ways)
    }
    /// A label from an interpolant between two parts, by one of these ways, each with its ticks.
    fn between(
        &mut self,
        search: &mut Search<'_>,
        copies: &mut Copies,
        place: usize,
        parts: &[Vec<Term>],
        ways: Vec<(Interpolator, u64)>,
    ) -> Result<Option<Vec<Term>>, Stopped> {
        search.run.observer.phase("interpolation");
        let found = between(search, parts, ways)?;
        search.run.observer.phase("labels");
        let Some(interpolant) = found else { return Ok(None) };
        let label = home(search, copies, self.arg, self.slice.nodes[place], interpolant);
        let label = self.implied(search, place, label)?;
        let label = self.sufficient(search, copies, place, &label)?;
        search.stats.labels_repaired += u64::from(label.is_some());
        Ok(label)
    }
}
