//! A label for one node from a refutation of its own.
//!
//! On the left: the labels before the node and the edges into it. On the right: the rest of the graph from it on. The two
//! have the node's variables in common and nothing else, so an interpolant between them is a label as it
//! stands. They contradict each other whenever the labels before were sufficient; so this works where one
//! refutation of all paths was read wrongly, at the price of one more refutation for each node.

use base::Stopped;
use smt::interpolate::{Found, Method, Settings, sequence};
use term::Term;

use crate::clean::home;
use crate::condition::{Copies, Form};
use crate::refine::Checked;
use crate::search::Search;

/// The ways to an interpolant for one node, with the ticks that each is worth.
const WAYS: &[(Method, u64)] = &[
    (Method::Equality, 1_000_000),
    (Method::Linear, 1_000_000),
    (Method::Cores, 1_000_000),
    (Method::Bits, 4_000_000),
    (Method::Models, 4_000_000),
    (Method::Bits, u64::MAX),
    (Method::Models, u64::MAX),
];

/// An interpolant between two parts.
fn between(search: &mut Search<'_>, parts: &[Vec<Term>], is_hasty: bool) -> Result<Option<Term>, Stopped> {
    for &(method, ticks) in WAYS.iter().filter(|&&(_, ticks)| !is_hasty || ticks < u64::MAX) {
        let settings = Settings { methods: vec![method], ..Settings::default() };
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
        search.run.observer.phase("interpolation");
        let found = between(search, &[left, right], self.is_hasty)?;
        search.run.observer.phase("labels");
        let Some(interpolant) = found else { return Ok(None) };
        search.stats.labels_repaired += 1;
        let label = home(search, copies, self.arg, node, interpolant);
        let label = self.implied(search, place, label)?;
        self.sufficient(search, copies, place, &label)
    }
}
