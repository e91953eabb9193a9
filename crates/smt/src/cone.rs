//! The cone of a query: the terms that it is about.
//!
//! Many assertions only give a name to something: `next = value`, `name <=> atom`. Such a *definition* can always be
//! made true by the choice of the name, so it matters only to a query that speaks of the name, directly or
//! through other definitions. What is left of the assertions matters always. The search then decides only
//! what belongs to the cone, which for queries as IC3 asks them is a small part of the transition relation.
//!
//! Law: the definitions have no cycle, so a model of the cone extends to all of them by evaluation, one after the
//! other. A definition on a cycle is an assertion like any other, and so is one for a name that
//! earlier definitions use, since what they meant has been asked for already.

use base::FastMap;
use term::{Op, Term, Terms};

/// Definitions, and the terms of the last cone.
#[derive(Clone, Default)]
pub(crate) struct Cone {
    /// By term: for a variable, the equality that defines it.
    definition: Vec<Option<Term>>,
    /// By term: seen in a definition, or on the way to one.
    seen: Vec<Seen>,
    /// Assertions at the bottom level that define nothing.
    facts: Vec<Term>,
    any: bool,
    /// By term: the last cone it belonged to.
    stamp: Vec<u32>,
    clock: u32,
    members: Vec<Term>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Seen {
    #[default]
    No,
    /// Being walked, entered as the so-manieth.
    Open(u32),
    Done,
}

/// A walk that finds terms that depend on one another.
#[derive(Default)]
struct Walk {
    /// Terms on the way, each with the number of its parts that were looked at.
    path: Vec<(Term, usize)>,
    /// Terms that are not done, in the order in which they were entered, with the earliest that they lead to.
    open: Vec<(Term, u32)>,
    /// Names that lead to themselves at once.
    loops: Vec<Term>,
}

impl Walk {
    fn enter(&mut self, cone: &mut Cone, term: Term) {
        let order = self.open.len() as u32;
        cone.seen[term.index()] = Seen::Open(order);
        self.open.push((term, order));
        self.path.push((term, 0));
    }
    /// The term, entered as number `own`, leads to one that is open, number `other`.
    fn meet(&mut self, term: Term, own: u32, other: u32) {
        if own == other {
            self.loops.push(term);
        }
        let low = &mut self.open[own as usize].1;
        *low = other.min(*low);
    }
    fn leave(&mut self, cone: &mut Cone, terms: &Terms, term: Term) {
        self.path.pop();
        let Seen::Open(order) = cone.seen[term.index()] else { unreachable!("what is on the way is open") };
        let low = self.open[order as usize].1;
        if let Some(&(above, _)) = self.path.last() {
            let Seen::Open(above) = cone.seen[above.index()] else { unreachable!("what is on the way is open") };
            self.open[above as usize].1 = self.open[above as usize].1.min(low);
        }
        if low < order {
            return;
        }
        let together = self.open.len() - order as usize > 1;
        for (member, _) in self.open.drain(order as usize..) {
            cone.seen[member.index()] = Seen::Done;
            if (together || self.loops.contains(&member)) && is_name(terms, member) {
                cone.definition[member.index()] = None;
            }
        }
    }
}

impl Cone {
    /// These were asserted for good, all at once. Returns the new definitions: name and formula.
    pub fn asserted(&mut self, terms: &Terms, formulas: &[Term]) -> Vec<(Term, Term)> {
        self.seen.resize(terms.len(), Seen::No);
        self.definition.resize(terms.len(), None);
        let mut candidates: Vec<(Term, Term)> = Vec::new();
        let mut todo: Vec<Term> = formulas.iter().rev().copied().collect();
        let mut seen: FastMap<Term, ()> = FastMap::new();
        while let Some(formula) = todo.pop() {
            if terms.op(formula) == Op::And {
                if seen.insert(formula, ()).is_some() {
                    continue;
                }
                todo.extend(terms.args(formula).iter().rev());
                continue;
            }
            match self.name_of(terms, formula) {
                Some(name) => {
                    self.definition[name.index()] = Some(formula);
                    candidates.push((name, formula));
                }
                None => self.facts.push(formula),
            }
        }
        for &(name, _) in &candidates {
            self.close(terms, name);
        }
        candidates.retain(|&(name, formula)| {
            let kept = self.definition[name.index()] == Some(formula);
            if !kept {
                self.facts.push(formula);
            }
            kept
        });
        self.any |= !candidates.is_empty();
        candidates
    }
    /// The variable that the formula could define: `name = value`, or `not (name = value)` of truth values.
    fn name_of(&self, terms: &Terms, formula: Term) -> Option<Term> {
        let (left, right) = sides(terms, formula)?;
        let is_free = |&term: &Term| {
            is_name(terms, term) && self.seen[term.index()] == Seen::No && self.definition[term.index()].is_none()
        };
        // Where both sides are names, the newer one is more likely to be defined by the older.
        [left.max(right), left.min(right)].into_iter().find(is_free)
    }
    /// Walks what the name depends on. Terms that depend on one another are found together ([Tarjan-SICOMP'72]);
    /// all names among them lose their definitions, since leaving out only some could leave a cycle.
    fn close(&mut self, terms: &Terms, name: Term) {
        if self.seen[name.index()] != Seen::No {
            return;
        }
        let mut walk = Walk::default();
        walk.enter(self, name);
        while let Some(&mut (term, ref mut next)) = walk.path.last_mut() {
            let value = self.definition[term.index()].and_then(|formula| other_side(terms, formula, term));
            let parts = match &value {
                Some(value) => std::slice::from_ref(value),
                None => terms.args(term),
            };
            if let Some(&part) = parts.get(*next) {
                *next += 1;
                match self.seen[part.index()] {
                    Seen::No => walk.enter(self, part),
                    Seen::Open(other) => {
                        let Seen::Open(own) = self.seen[term.index()] else {
                            unreachable!("what is on the way is open")
                        };
                        walk.meet(term, own, other);
                    }
                    Seen::Done => {}
                }
                continue;
            }
            walk.leave(self, terms, term);
        }
    }

    /// Whether a query can do with less than everything.
    pub fn is_useful(&self) -> bool {
        self.any
    }
    /// The formula that defines the name, and what it says the name is.
    pub fn definition(&self, terms: &Terms, name: Term) -> Option<(Term, Term)> {
        let formula = self.definition.get(name.index()).copied().flatten()?;
        Some((formula, other_side(terms, formula, name)?))
    }
    /// Finds the cone of what was asserted without being a definition, and of these roots.
    pub fn collect(&mut self, terms: &Terms, roots: impl Iterator<Item = Term>) -> &[Term] {
        let facts = std::mem::take(&mut self.facts);
        self.start(terms);
        facts.iter().copied().chain(roots).for_each(|root| self.reach(root));
        self.facts = facts;
        let mut at = 0;
        while at < self.members.len() {
            let term = self.members[at];
            at += 1;
            match self.definition.get(term.index()).copied().flatten() {
                Some(formula) => self.reach(formula),
                None => terms.args(term).iter().for_each(|&arg| self.reach(arg)),
            }
        }
        &self.members
    }
    /// The cone of these roots alone, without definitions.
    pub fn collect_subterms(&mut self, terms: &Terms, roots: impl Iterator<Item = Term>) -> &[Term] {
        self.start(terms);
        roots.for_each(|root| self.reach(root));
        let mut at = 0;
        while at < self.members.len() {
            terms.args(self.members[at]).iter().for_each(|&arg| self.reach(arg));
            at += 1;
        }
        &self.members
    }
    fn start(&mut self, terms: &Terms) {
        if self.stamp.len() < terms.len() {
            self.stamp.resize(terms.len(), 0);
        }
        if self.clock == u32::MAX {
            self.stamp.fill(0);
            self.clock = 0;
        }
        self.clock += 1;
        self.members.clear();
    }
    fn reach(&mut self, term: Term) {
        if self.stamp[term.index()] != self.clock {
            self.stamp[term.index()] = self.clock;
            self.members.push(term);
        }
    }
    /// The terms of the last cone.
    pub fn members(&self) -> &[Term] {
        &self.members
    }
    /// Whether the term is in the last cone.
    pub fn contains(&self, term: Term) -> bool {
        self.stamp.get(term.index()) == Some(&self.clock)
    }
}

/// What the formula says the name is.
fn other_side(terms: &Terms, formula: Term, name: Term) -> Option<Term> {
    let (left, right) = sides(terms, formula)?;
    Some(if left == name { right } else { left })
}

/// The sides of an equality, or of a negated equality of truth values.
fn sides(terms: &Terms, formula: Term) -> Option<(Term, Term)> {
    match (terms.op(formula), terms.args(formula)) {
        (Op::Eq, &[left, right]) => Some((left, right)),
        (Op::Not, &[inner]) => match (terms.op(inner), terms.args(inner)) {
            (Op::Eq, &[left, right]) if terms.is_bool(left) => Some((left, right)),
            _ => None,
        },
        _ => None,
    }
}

fn is_name(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Symbol(_)) && terms.args(term).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::SortKind;

    /// Which of the variables are defined after these equalities, given as `name=name`, `name=f(name,…)`.
    fn defined(batches: &[&[(&str, &str)]], names: &str) -> String {
        let mut terms = Terms::without_simplification();
        let sort = terms.sort(SortKind::Uninterpreted("U".into()));
        let mut cone = Cone::default();
        let f = terms.declare("f", &[sort, sort], sort).expect("a fresh name");
        for batch in batches {
            let mut formulas = Vec::new();
            for (left, right) in *batch {
                let name = terms.variable(left, sort);
                let parts: Vec<Term> = right.chars().map(|c| terms.variable(&c.to_string(), sort)).collect();
                let value = if let [one] = parts[..] { one } else { terms.apply(f, &parts) };
                formulas.push(terms.eq(name, value));
            }
            cone.asserted(&terms, &formulas);
        }
        let is_defined = |c: &char| {
            let name = terms.lookup(&c.to_string()).expect("a variable");
            let name = terms.clone().apply(name, &[]);
            cone.definition(&terms, name).is_some()
        };
        names.chars().filter(is_defined).collect()
    }

    #[test]
    fn definitions_in_any_order_are_found() {
        assert_eq!(defined(&[&[("p", "ab"), ("q", "pa"), ("a", "cd")]], "pqabcd"), "pqa");
        assert_eq!(defined(&[&[("q", "pa"), ("p", "ab")]], "pqab"), "pq");
    }

    #[test]
    fn names_on_a_cycle_are_not_defined_and_a_name_has_one_definition() {
        assert_eq!(defined(&[&[("p", "qa"), ("q", "pa")]], "pqa"), "");
        assert_eq!(defined(&[&[("p", "pa")]], "pa"), "");
        assert_eq!(defined(&[&[("p", "ab"), ("p", "cd")]], "pabcd"), "p");
        assert_eq!(defined(&[&[("a", "bx"), ("b", "cx"), ("c", "ax"), ("d", "cx"), ("x", "yz")]], "abcdxyz"), "dx");
    }

    #[test]
    fn a_cycle_that_is_met_twice_is_broken_both_times() {
        // From z there are two ways to p, one of them through q, and both share the term (p q)'s like.
        let definitions: &[(&str, &str)] = &[("p", "sz"), ("q", "ps"), ("z", "qr"), ("r", "ps")];
        for rotation in 0..4 {
            let mut rotated = definitions.to_vec();
            rotated.rotate_left(rotation);
            assert_eq!(defined(&[&rotated], "pqzrs"), "");
        }
    }

    #[test]
    fn a_name_that_was_used_by_earlier_definitions_is_free_for_good() {
        assert_eq!(defined(&[&[("p", "ab")], &[("a", "pc"), ("q", "pb")]], "pqac"), "pq");
    }
}
