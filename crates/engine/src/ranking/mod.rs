//! Rankings, guessed from runs: tuples of words that get smaller on every round of a loop and on every call that leads back.
//!
//! Each strongly connected component of the program (`verdict::Cycles`) is ranked by itself. Its *heads* are the places with a tuple; a *move* is a
//! pair of visits of heads one after the other, seen in a run. Candidates for words are forms over the variables of a head, from guards and
//! differences (`forms`); a tuple is chosen that gets smaller on all moves seen so far (`choose`). Whether it does on all moves there are is for
//! engines to say, on the ranked program (`verdict::ranked`): a run in which the tuple does not get smaller has a new move. So each round of
//! guessing either ends in a proof or learns something. Templates for words with a complete search are due to Cook, Kroening, Rümmer and
//! Wintersteiger (TACAS 2010); here the search is over samples, and supporting invariants are left to the engines.
//! Nothing of it is trusted.

mod choose;
mod forms;
mod heads;
mod moves;

pub use heads::{Component, Head, components};
pub use moves::Seen;

use base::FastMap;
use program::{Program, Var};
use term::{Term, Terms};
use verdict::{Ranked, Ranking};

use forms::Form;

/// The search for rankings of a program.
pub struct Guess {
    /// The store of the forms: that of the program, grown.
    pub terms: Terms,
    parts: Vec<Part>,
}

/// A component with its candidates.
struct Part {
    component: Component,
    /// By head.
    forms: Vec<Vec<Form>>,
    /// How often a word was part of a tuple that engines could not prove; it is taken last.
    disliked: FastMap<Term, u32>,
    /// The tuples that were chosen last, by head.
    chosen: Vec<Vec<Term>>,
}

impl Guess {
    /// Candidates for all components of the program.
    pub fn new(program: &Program, terms: &Terms) -> Guess {
        let mut own = terms.clone();
        let mut parts = Vec::new();
        for component in components(program, terms) {
            let forms: Vec<Vec<Form>> =
                component.heads.iter().map(|head| forms::forms(program, &mut own, &component, head)).collect();
            parts.push(Part { component, forms, disliked: FastMap::new(), chosen: Vec::new() });
        }
        Guess { terms: own, parts }
    }
    /// The components that are ranked.
    pub fn components(&self) -> impl Iterator<Item = &Component> {
        self.parts.iter().map(|part| &part.component)
    }
    /// Rankings that fit what was seen; the place of a component that has none otherwise.
    pub fn rankings(&mut self, program: &Program, seen: &[Seen]) -> Result<Vec<Ranking>, Ranked> {
        let mut rankings = Vec::new();
        for (part, seen) in self.parts.iter_mut().zip(seen) {
            let first = part.component.heads[0].at;
            let chosen = choose::choose(program, &mut self.terms, &part.component, &part.forms, &part.disliked, seen);
            part.chosen = chosen.ok_or(first)?;
            for (head, tuple) in part.component.heads.iter().zip(&part.chosen) {
                let mentioned = self.terms.subterms(tuple);
                let slot = |&var: &Var| {
                    let symbol = program.vars[var].term;
                    mentioned.contains(&symbol).then_some((symbol, var))
                };
                let slots = head.vars.iter().filter_map(slot).collect();
                rankings.push(Ranking { at: head.at, slots, tuple: tuple.clone() });
            }
        }
        Ok(rankings)
    }
    /// The tuples that were chosen last could not be proved: others are preferred from now on.
    pub fn dislike(&mut self) {
        for part in &mut self.parts {
            for &word in part.chosen.iter().flatten() {
                let known = part.disliked.get(&word).copied().unwrap_or(0);
                part.disliked.insert(word, known + 1);
            }
        }
    }
}
