//! A formula as guarded conjuncts: `g1 → b1`, `g2 → b2`, ….
//!
//! Conjunctions fall apart. Of a disjunction in which one part alone could define something, the other parts become
//! the guard: `¬l ∨ x' = e` says that `l` makes `x'` equal to `e`. Where several parts could, a run chooses
//! one of them, and the choice becomes an input: `A ∨ B` is `∃c. (c → A) ∧ (¬c → B)`. Choices among many are
//! coded in binary, so that guards stay short and every two of them differ in some literal.
//!
//! The conjuncts together, with the choices hidden, mean what the formula means.

use std::collections::VecDeque;

use base::FastMap;
use term::{Op, Term, Terms};

use crate::tuning::Tuning;
use crate::ways::conjuncts;

/// A conjunct under a guard.
#[derive(Clone, Debug)]
pub(crate) struct Guarded {
    /// Literals that all hold where the body must; ordered from the outside in.
    pub guard: Vec<Term>,
    pub body: Term,
}

/// What a formula could define.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Rank {
    Nothing,
    /// An input, which then is no longer free.
    Input,
    /// The next value of a state variable.
    Next,
}

/// Takes formulas apart; the unknowns are what may be defined.
pub(crate) struct Flatten<'a> {
    terms: &'a mut Terms,
    unknowns: &'a FastMap<Term, Rank>,
    ranks: FastMap<Term, Rank>,
    /// For unknowns: the guards under which an equation defines them.
    defined: FastMap<Term, Vec<Vec<Term>>>,
    /// How much may still be taken apart; what is left then stays as it is.
    left: usize,
    /// Choices made so far.
    pub choices: Vec<Term>,
    /// What the names of choices begin with.
    prefix: String,
}

impl<'a> Flatten<'a> {
    pub fn new(terms: &'a mut Terms, unknowns: &'a FastMap<Term, Rank>, prefix: &str) -> Self {
        Flatten {
            terms,
            unknowns,
            ranks: FastMap::new(),
            defined: FastMap::new(),
            left: Tuning::DEFAULT.max_conjuncts,
            choices: Vec::new(),
            prefix: prefix.to_owned(),
        }
    }
    /// The conjuncts of all these formulas.
    pub fn conjuncts(&mut self, formulas: Vec<Guarded>) -> Vec<Guarded> {
        let mut found = Vec::new();
        let mut open = formulas;
        open.reverse();
        // Disjunctions come after all equations beside them, so that it is known what need not be defined any more.
        let mut disjunctions: VecDeque<Guarded> = VecDeque::new();
        loop {
            let Some(Guarded { guard, body }) = open.pop() else {
                let Some(Guarded { guard, body }) = disjunctions.pop_front() else { break };
                let before = open.len();
                self.disjunction(guard, body, &mut open);
                let made = open[before.min(open.len())..].iter().map(|one| 1 + one.guard.len()).sum();
                self.left = self.left.saturating_sub(made);
                continue;
            };
            let args = self.terms.args(body).to_vec();
            match self.terms.op(body) {
                Op::True => {}
                Op::And => {
                    let part = |&body: &Term| Guarded { guard: guard.clone(), body };
                    open.extend(args.iter().rev().map(part));
                }
                Op::Not if matches!(self.terms.op(args[0]), Op::Or) => {
                    for part in self.terms.args(args[0]).to_vec().into_iter().rev() {
                        let body = self.terms.not(part);
                        open.push(Guarded { guard: guard.clone(), body });
                    }
                }
                _ if self.left == 0 => found.push(Guarded { guard, body }),
                Op::Ite if self.rank(body) > Rank::Nothing => {
                    let otherwise = self.terms.not(args[0]);
                    for (condition, body) in [(otherwise, args[2]), (args[0], args[1])] {
                        let mut guard = guard.clone();
                        if self.strengthen(&mut guard, condition) {
                            open.push(Guarded { guard, body });
                        }
                    }
                }
                Op::Or | Op::Implies if self.rank(body) > Rank::Nothing => {
                    disjunctions.push_back(Guarded { guard, body });
                }
                Op::Not if matches!(self.terms.op(args[0]), Op::And) && self.rank(body) > Rank::Nothing => {
                    disjunctions.push_back(Guarded { guard, body });
                }
                _ => {
                    self.note(&guard, body);
                    found.push(Guarded { guard, body });
                }
            }
        }
        found
    }

    /// If the conjunct names a truth value that says whether equations hold, `p = (x = e ∧ …)`: the value and
    /// the equations, negated if need be, so that the value implies them.
    pub fn named_equations(&mut self, body: Term) -> Option<(Term, Term)> {
        let negative = self.terms.op(body) == Op::Not;
        let atom = if negative { self.terms.arg(body, 0) } else { body };
        if self.terms.op(atom) != Op::Eq || !self.terms.is_bool(self.terms.arg(atom, 0)) {
            return None;
        }
        let (a, b) = (self.terms.arg(atom, 0), self.terms.arg(atom, 1));
        for (name, formula) in [(a, b), (b, a)] {
            // The store moves negations outwards.
            let (name, formula) = match (negative, self.terms.op(formula)) {
                (false, Op::And) => (name, formula),
                (true, Op::And) => (self.terms.not(name), formula),
                (true, Op::Or) => (name, self.terms.not(formula)),
                (false, Op::Or) => (self.terms.not(name), self.terms.not(formula)),
                _ => continue,
            };
            let atom = if self.terms.op(name) == Op::Not { self.terms.arg(name, 0) } else { name };
            if self.unknowns.contains_key(&atom) && !self.equated(formula).is_empty() {
                return Some((name, formula));
            }
        }
        None
    }
    /// The named equations under the name, and their negation under its negation.
    pub fn cases(&mut self, conjunct: &Guarded, name: Term, formula: Term) -> (Guarded, Guarded) {
        let (mut yes, mut no) = (conjunct.guard.clone(), conjunct.guard.clone());
        yes.push(name);
        no.push(self.terms.not(name));
        (Guarded { guard: yes, body: formula }, Guarded { guard: no, body: self.terms.not(formula) })
    }
    /// The unknowns that conjuncts of the formula, also conditional ones, equate with something.
    pub fn equated(&mut self, formula: Term) -> Vec<Term> {
        let parts: Vec<Term> = match self.terms.op(formula) {
            Op::And => self.terms.args(formula).to_vec(),
            Op::Not => self.parts(formula),
            _ => return Vec::new(),
        };
        let mut found = Vec::new();
        for part in parts {
            let ways = if self.terms.op(part) == Op::Or { self.terms.args(part).to_vec() } else { vec![part] };
            for way in ways.into_iter().filter(|&way| self.terms.op(way) == Op::Eq) {
                found.extend(self.terms.args(way).iter().copied().filter(|arg| self.unknowns.contains_key(arg)));
            }
        }
        found
    }

    fn parts(&mut self, body: Term) -> Vec<Term> {
        let args = self.terms.args(body).to_vec();
        match self.terms.op(body) {
            Op::Implies => vec![self.terms.not(args[0]), args[1]],
            Op::Not => self.terms.args(args[0]).to_vec().into_iter().map(|arg| self.terms.not(arg)).collect(),
            _ => args,
        }
    }
    fn disjunction(&mut self, mut guard: Vec<Term>, body: Term, open: &mut Vec<Guarded>) {
        let mut ways = Vec::new();
        let parts = self.parts(body);
        let ranks: Vec<Rank> = parts.iter().map(|&part| self.rank_under(&guard, part)).collect();
        let most = ranks.iter().max().copied().unwrap_or(Rank::Nothing);
        for (part, rank) in parts.into_iter().zip(ranks) {
            if rank == most && most > Rank::Nothing {
                ways.push(part);
                continue;
            }
            let fails = self.terms.not(part);
            if !self.strengthen(&mut guard, fails) {
                return; // The guard excludes itself, so nothing is demanded.
            }
        }
        if ways.is_empty() {
            // All that could be defined is: the guard fails.
            let no = self.terms.truth(false);
            open.push(Guarded { guard, body: no });
            return;
        }
        if ways.len() > 1 && self.factor(&guard, &ways, open) {
            return;
        }
        let depth = usize::BITS - (ways.len() - 1).leading_zeros();
        let first = self.choices.len();
        let sort = self.terms.bool_sort();
        for number in first..first + depth as usize {
            let choice = self.terms.variable(&format!("{}{number}", self.prefix), sort);
            self.choices.push(choice);
        }
        // The parts are the leaves of a balanced tree; its levels are the choices.
        let mut spans = vec![(0, ways.len(), 0, guard)];
        while let Some((from, to, level, guard)) = spans.pop() {
            if to - from == 1 {
                open.push(Guarded { guard, body: ways[from] });
                continue;
            }
            let middle = from + (to - from) / 2;
            let left = self.choices[first + level];
            let right = self.terms.not(left);
            for (from, to, literal) in [(from, middle, left), (middle, to, right)] {
                let mut guard = guard.clone();
                guard.push(literal);
                spans.push((from, to, level + 1, guard));
            }
        }
    }
    /// Takes out what parts of a disjunction have in common: `P ∧ a ∨ P ∧ b` is `P ∧ (a ∨ b)`. Formulas for all paths
    /// through a piece of program share the formulas for their beginnings; without this they would be taken
    /// apart once for each path.
    fn factor(&mut self, guard: &[Term], ways: &[Term], open: &mut Vec<Guarded>) -> bool {
        let lists: Vec<Vec<Term>> = ways.iter().map(|&way| conjuncts(self.terms, &[way])).collect();
        let mut counts: FastMap<Term, usize> = FastMap::new();
        let mut order: Vec<Term> = Vec::new();
        for &part in lists.iter().flatten() {
            let count = counts.get_or_insert_with(part, || 0);
            *count += 1;
            if *count == 1 {
                order.push(part);
            }
        }
        let common: Vec<Term> = order.iter().copied().filter(|part| counts[part] == lists.len()).collect();
        if !common.is_empty() {
            let rest = self.disjunction_of(&lists, &common);
            let parts = common.into_iter().chain([rest]);
            open.extend(parts.rev().map(|body| Guarded { guard: guard.to_vec(), body }));
            return true;
        }
        // What is itself a disjunction is worth most.
        let is_wide = |part: &&Term| matches!(self.terms.op(**part), Op::Or) && counts[*part] > 1;
        let Some(&shared) = order.iter().filter(is_wide).max_by_key(|part| counts[*part]) else { return false };
        let (with, without): (Vec<Vec<Term>>, Vec<Vec<Term>>) =
            lists.into_iter().partition(|list| list.contains(&shared));
        let inner = self.disjunction_of(&with, &[shared]);
        let with = self.terms.and(&[shared, inner]);
        let without = self.disjunction_of(&without, &[]);
        let sort = self.terms.bool_sort();
        let choice = self.terms.variable(&format!("{}{}", self.prefix, self.choices.len()), sort);
        self.choices.push(choice);
        let otherwise = self.terms.not(choice);
        for (literal, body) in [(otherwise, without), (choice, with)] {
            let mut guard = guard.to_vec();
            guard.push(literal);
            open.push(Guarded { guard, body });
        }
        true
    }
    /// The disjunction of the conjunctions, without some of their parts.
    fn disjunction_of(&mut self, lists: &[Vec<Term>], without: &[Term]) -> Term {
        let mut parts = Vec::new();
        for list in lists {
            let left: Vec<Term> = list.iter().copied().filter(|part| !without.contains(part)).collect();
            parts.push(self.terms.and(&left));
        }
        self.terms.or(&parts)
    }
    /// Notes what an equation under a guard defines.
    fn note(&mut self, guard: &[Term], body: Term) {
        if self.terms.op(body) == Op::Eq {
            for side in self.terms.args(body).to_vec() {
                // Only one side will be defined; the one of higher rank.
                if self.unknowns.get(&side) == Some(&self.equation_rank(body)) {
                    self.defined.get_or_insert_with(side, Vec::new).push(guard.to_vec());
                    return;
                }
            }
        }
    }
    /// The rank of a formula; nothing for an equation of what is defined already where the guard holds.
    fn rank_under(&mut self, guard: &[Term], formula: Term) -> Rank {
        let rank = self.rank(formula);
        if self.terms.op(formula) != Op::Eq {
            return rank;
        }
        let is_free = |side: &Term| {
            self.unknowns.contains_key(side)
                && !self.defined.get(side).is_some_and(|guards| {
                    guards.iter().any(|known| known.iter().all(|literal| guard.contains(literal)))
                })
        };
        if self.terms.args(formula).iter().any(is_free) { rank } else { Rank::Nothing }
    }
    /// Adds a condition to the guard, conjunctions literal by literal; false if the guard then excludes itself.
    fn strengthen(&mut self, guard: &mut Vec<Term>, condition: Term) -> bool {
        let mut open = vec![condition];
        while let Some(term) = open.pop() {
            let args = self.terms.args(term).to_vec();
            match self.terms.op(term) {
                Op::True => {}
                Op::False => return false,
                Op::And => open.extend(args.into_iter().rev()),
                Op::Not if self.terms.op(args[0]) == Op::Or => {
                    for part in self.terms.args(args[0]).to_vec().into_iter().rev() {
                        open.push(self.terms.not(part));
                    }
                }
                _ => {
                    let opposite = self.terms.not(term);
                    if guard.contains(&opposite) {
                        return false;
                    }
                    if !guard.contains(&term) {
                        guard.push(term);
                    }
                }
            }
        }
        true
    }
    /// How much a part of the formula that is not under an atom defines.
    pub fn rank(&mut self, formula: Term) -> Rank {
        let mut stack = vec![(formula, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.ranks.contains_key(&term) {
                continue;
            }
            let is_connective = match self.terms.op(term) {
                Op::And | Op::Or | Op::Implies => true,
                Op::Not => self.terms.op(self.terms.arg(term, 0)) != Op::Eq,
                Op::Ite => self.terms.is_bool(term),
                _ => false,
            };
            if !is_connective {
                let rank = self.equation_rank(term);
                self.ranks.insert(term, rank);
            } else if ready {
                let args = self.terms.args(term);
                let most = args.iter().filter_map(|arg| self.ranks.get(arg)).max().copied().unwrap_or(Rank::Nothing);
                // A conjunction of literals describes the next location.
                let here = self.terms.op(term) == Op::And && args.iter().any(|&arg| self.is_next_literal(arg));
                self.ranks.insert(term, if here { Rank::Next } else { most });
            } else {
                stack.push((term, true));
                stack.extend(self.terms.args(term).iter().map(|&arg| (arg, false)));
            }
        }
        self.ranks[&formula]
    }
    fn equation_rank(&self, term: Term) -> Rank {
        let equation = match self.terms.op(term) {
            // Truth values that differ are equal to each other's opposite.
            Op::Not if self.terms.is_bool(self.terms.arg(self.terms.arg(term, 0), 0)) => self.terms.arg(term, 0),
            _ => term,
        };
        if self.terms.op(equation) != Op::Eq {
            return Rank::Nothing;
        }
        let unknown = |arg: &Term| self.unknowns.get(arg).copied();
        self.terms.args(equation).iter().filter_map(unknown).max().unwrap_or(Rank::Nothing)
    }
    fn is_next_literal(&self, term: Term) -> bool {
        let atom = if self.terms.op(term) == Op::Not { self.terms.arg(term, 0) } else { term };
        self.unknowns.get(&atom) == Some(&Rank::Next)
    }
}
