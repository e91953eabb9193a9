//! A tuple for a component: word by word, each the one that gets smaller on most of the moves that are left.
//!
//! A word is one form for each head. It may be taken if it gets larger on no move that is left; the moves on which it gets smaller are then done.
//! What is left may no longer lead from every head to every other: then a constant for each head orders the parts, and each part is ranked by itself.
//! Any word that may be taken can be: it never keeps another one from being taken.

use base::FastMap;
use program::Program;
use term::{Term, Terms};

use super::Component;
use super::forms::Form;
use super::moves::{Seen, State, evaluate};
use crate::tuning::Tuning;

// format: the width of constants that order heads.
const ORDER_WIDTH: u32 = 16;

/// Tuples for the heads, by head; `None` if no form fits.
pub(super) fn choose(
    program: &Program,
    terms: &mut Terms,
    component: &Component,
    forms: &[Vec<Form>],
    disliked: &FastMap<Term, u32>,
    seen: &Seen,
) -> Option<Vec<Vec<Term>>> {
    let n = component.heads.len();
    let mut of_state: FastMap<State, Vec<Option<u128>>> = FastMap::new();
    let words: Vec<Vec<Term>> = forms.iter().map(|forms| forms.iter().map(|form| form.term).collect()).collect();
    for state in seen.moves.iter().flat_map(|(from, to)| [from, to]) {
        if !of_state.contains_key(state) {
            let (head, values) = state;
            let vars = &component.heads[*head].vars;
            of_state.insert(state.clone(), evaluate(program, terms, vars, values, &words[*head]));
        }
    }
    let value = |state: &State| of_state.get(state).expect("all states were evaluated").as_slice();
    let moves: Vec<Values<'_>> =
        seen.moves.iter().map(|(from, to)| Values { from: (from.0, value(from)), to: (to.0, value(to)) }).collect();
    let mut chooser = Chooser { terms, forms, disliked, tuples: vec![Vec::new(); n] };
    let all: Vec<usize> = (0..n).collect();
    // Every component is a cycle, also if no run was seen to go round.
    if moves.is_empty() {
        chooser.take(&chooser.first());
        return Some(chooser.tuples);
    }
    chooser.rank(&all, moves)?;
    Some(chooser.tuples)
}

/// A move, with the values of all forms.
#[derive(Clone, Copy)]
struct Values<'v> {
    from: (usize, &'v [Option<u128>]),
    to: (usize, &'v [Option<u128>]),
}

struct Chooser<'a> {
    terms: &'a mut Terms,
    forms: &'a [Vec<Form>],
    disliked: &'a FastMap<Term, u32>,
    tuples: Vec<Vec<Term>>,
}

impl Chooser<'_> {
    /// Ranks the heads by the moves between them.
    fn rank(&mut self, heads: &[usize], moves: Vec<Values<'_>>) -> Option<()> {
        let parts = parts(self.forms.len(), heads, &moves);
        if parts.len() > 1 {
            let mut constants = vec![0; self.forms.len()];
            for (number, part) in parts.iter().enumerate() {
                part.iter().for_each(|&head| constants[head] = number as u64);
            }
            let word: Vec<Term> = constants.iter().map(|&number| self.terms.bv(ORDER_WIDTH, number)).collect();
            self.take(&word);
        }
        for part in &parts {
            let is_inside = |one: &Values<'_>| part.contains(&one.from.0) && part.contains(&one.to.0);
            let inside: Vec<Values<'_>> = moves.iter().copied().filter(is_inside).collect();
            if inside.is_empty() {
                continue;
            }
            let choice = self.best(part, &inside)?;
            let mut word: Vec<Term> = Vec::new();
            // Other heads have any constant of that width.
            let width = self.terms.width(self.forms[part[0]][choice[0]].term);
            for head in 0..self.forms.len() {
                word.push(match part.iter().position(|&one| one == head) {
                    Some(at) => self.forms[head][choice[at]].term,
                    None => self.terms.bv(width, 0),
                });
            }
            self.take(&word);
            let of = |(head, values): (usize, &[Option<u128>])| {
                values[choice[part.iter().position(|&one| one == head).expect("it is inside")]]
            };
            let left: Vec<Values<'_>> = inside.into_iter().filter(|one| of(one.to) >= of(one.from)).collect();
            self.rank(part, left)?;
        }
        Some(())
    }
    /// The forms, one for each head of the part, that get larger on no move and smaller on most.
    fn best(&self, part: &[usize], moves: &[Values<'_>]) -> Option<Vec<usize>> {
        let mut best: Option<(Preference, Vec<usize>)> = None;
        self.for_each_choice(part, &mut |choice: &[usize]| {
            let of = |(head, values): (usize, &[Option<u128>])| {
                values[choice[part.iter().position(|&one| one == head).unwrap_or(0)]]
            };
            let mut falls = 0;
            for one in moves {
                match (of(one.from), of(one.to)) {
                    (Some(from), Some(to)) if to <= from => falls += usize::from(to < from),
                    _ => return,
                }
            }
            if falls == 0 {
                return;
            }
            let forms = || choice.iter().zip(part).map(|(&form, &head)| self.forms[head][form]);
            let disliked = forms().map(|form| self.disliked.get(&form.term).copied().unwrap_or(0)).sum();
            let key = (disliked, std::cmp::Reverse(falls), forms().map(|form| form.cost).sum());
            if best.as_ref().is_none_or(|(known, _)| key < *known) {
                best = Some((key, choice.to_vec()));
            }
        });
        best.map(|(_, choice)| choice)
    }
    /// All choices of a form for each head: of the same form for all, and for two heads of any two of the same width.
    fn for_each_choice(&self, part: &[usize], visit: &mut dyn FnMut(&[usize])) {
        let first = &self.forms[part[0]];
        if let [one, other] = part[..] {
            let most = Tuning::DEFAULT.ranking_pair_forms;
            for (i, a) in self.forms[one].iter().enumerate().take(most) {
                for (j, b) in self.forms[other].iter().enumerate().take(most) {
                    if self.terms.width(a.term) == self.terms.width(b.term) {
                        visit(&[i, j]);
                    }
                }
            }
        }
        for (number, form) in first.iter().enumerate() {
            let same: Option<Vec<usize>> = part
                .iter()
                .map(|&head| match self.forms[head].get(number) {
                    Some(other) if other.term == form.term => Some(number),
                    _ => self.forms[head].iter().position(|other| other.term == form.term),
                })
                .collect();
            if let Some(choice) = same {
                visit(&choice);
            }
        }
    }
    /// The first form of each head.
    fn first(&self) -> Vec<Term> {
        let width = self.terms.width(self.forms[0][0].term);
        let fits =
            |forms: &Vec<Form>| forms.iter().find(|form| self.terms.width(form.term) == width).map(|form| form.term);
        self.forms.iter().map(|forms| fits(forms).unwrap_or(forms[0].term)).collect()
    }
    fn take(&mut self, word: &[Term]) {
        for (tuple, &term) in self.tuples.iter_mut().zip(word) {
            tuple.push(term);
        }
    }
}

/// What a choice of forms is preferred by: dislikes, then moves on which it gets smaller, then cost.
type Preference = (u32, std::cmp::Reverse<usize>, u32);

/// Heads in parts: moves between parts lead to the earlier one.
fn parts(n: usize, heads: &[usize], moves: &[Values<'_>]) -> Vec<Vec<usize>> {
    let mut reach = vec![vec![false; n]; n];
    for one in moves {
        reach[one.from.0][one.to.0] = true;
    }
    for via in 0..n {
        for from in 0..n {
            if reach[from][via] {
                let further = reach[via].clone();
                reach[from].iter_mut().zip(further).for_each(|(reached, further)| *reached |= further);
            }
        }
    }
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for &head in heads {
        match parts.iter_mut().find(|part| reach[part[0]][head] && reach[head][part[0]]) {
            Some(part) => part.push(head),
            None => parts.push(vec![head]),
        }
    }
    // What leads to fewer parts comes first.
    let count = |part: &Vec<usize>| {
        heads.iter().filter(|&&other| reach[part[0]][other]).count()
            - if reach[part[0]][part[0]] { part.len() } else { 0 }
    };
    parts.sort_by_key(|part| (count(part), part[0]));
    parts
}
