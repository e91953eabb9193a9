//! Guards: when a node is reached, as a tree of conditions.
//!
//! A guard is the conjunction of the conditions from its node up to the root. Where paths meet, what they have in common is their nearest
//! common ancestor, and only what they passed since then becomes a disjunction; if that is a condition and its negation,
//! nothing is left of it. So the condition of one branch does not stay in the guard of all that follows, and a guard is a list of small formulas
//! about different things, of which an obligation needs few (`slices`).

use term::{Op, Term, Terms};

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Guard(u32);

impl Guard {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The guard that holds always.
pub(crate) const ALWAYS: Guard = Guard(0);

struct Condition {
    parent: Guard,
    depth: u32,
    condition: Term,
}

/// All guards of one encoder.
pub(crate) struct Guards {
    conditions: Vec<Condition>,
}

impl Guards {
    pub fn new(terms: &mut Terms) -> Self {
        Guards { conditions: vec![Condition { parent: ALWAYS, depth: 0, condition: terms.truth(true) }] }
    }
    /// This guard and a condition.
    pub fn and(&mut self, terms: &Terms, guard: Guard, condition: Term) -> Guard {
        if terms.op(condition) == Op::True {
            return guard;
        }
        let depth = self.at(guard).depth + 1;
        self.conditions.push(Condition { parent: guard, depth, condition });
        Guard(self.conditions.len() as u32 - 1)
    }
    /// The conditions, the first one first.
    pub fn conditions(&self, guard: Guard) -> Vec<Term> {
        self.since(ALWAYS, guard)
    }
    /// How many guards there are.
    pub fn len(&self) -> usize {
        self.conditions.len()
    }
    /// The guard and those above it, up to the first condition.
    pub fn upwards(&self, guard: Guard) -> impl Iterator<Item = Guard> + '_ {
        std::iter::successors(Some(guard), |&guard| Some(self.at(guard).parent)).take_while(|&guard| guard != ALWAYS)
    }
    /// The condition that a guard adds to those above it.
    pub fn condition(&self, guard: Guard) -> Term {
        self.at(guard).condition
    }
    /// The nearest guard that all of these have above them.
    pub fn common(&self, guards: &[Guard]) -> Guard {
        guards.iter().copied().reduce(|a, b| self.common_of_two(a, b)).unwrap_or(ALWAYS)
    }
    /// What a guard says beyond one above it.
    pub fn beyond(&self, terms: &mut Terms, above: Guard, guard: Guard) -> Term {
        let conditions = self.since(above, guard);
        terms.and(&conditions)
    }
    /// One of several guards, given what each of them says beyond the common one.
    pub fn any_of(&mut self, terms: &mut Terms, common: Guard, beyond: &[Term]) -> Guard {
        let negates = |a: Term, b: Term| terms.op(a) == Op::Not && terms.arg(a, 0) == b;
        let always = match *beyond {
            [a, b] => negates(a, b) || negates(b, a),
            _ => false,
        };
        if always || beyond.iter().any(|&term| terms.op(term) == Op::True) {
            return common;
        }
        let either = terms.or(beyond);
        self.and(terms, common, either)
    }
    fn at(&self, guard: Guard) -> &Condition {
        &self.conditions[guard.0 as usize]
    }
    fn common_of_two(&self, mut a: Guard, mut b: Guard) -> Guard {
        while a != b {
            if self.at(a).depth >= self.at(b).depth {
                a = self.at(a).parent;
            } else {
                b = self.at(b).parent;
            }
        }
        a
    }
    fn since(&self, above: Guard, mut guard: Guard) -> Vec<Term> {
        let mut conditions = Vec::new();
        while guard != above {
            conditions.push(self.at(guard).condition);
            guard = self.at(guard).parent;
        }
        conditions.reverse();
        conditions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_paths_have_in_common_stays_and_a_diamond_leaves_nothing() {
        let mut terms = Terms::without_simplification();
        let sort = terms.bool_sort();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(name, sort));
        let not_b = terms.not(b);
        let mut guards = Guards::new(&mut terms);
        let first = guards.and(&terms, ALWAYS, a);
        let (left, right) = (guards.and(&terms, first, b), guards.and(&terms, first, not_b));
        let common = guards.common(&[left, right]);
        assert_eq!(common, first);
        let beyond = [left, right].map(|guard| guards.beyond(&mut terms, common, guard));
        assert_eq!(guards.any_of(&mut terms, common, &beyond), first);
        // If one side has another exit, a disjunction is left.
        let left = guards.and(&terms, left, c);
        let beyond = [left, right].map(|guard| guards.beyond(&mut terms, common, guard));
        let met = guards.any_of(&mut terms, common, &beyond);
        let (b_and_c, not_b) = (terms.and(&[b, c]), terms.not(b));
        let either = terms.or(&[b_and_c, not_b]);
        assert_eq!(guards.conditions(met), [a, either]);
        assert_eq!(guards.conditions(ALWAYS), []);
    }
}
