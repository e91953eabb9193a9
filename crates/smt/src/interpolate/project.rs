//! Projection: what a conjunction says about some symbols only.
//!
//! A *local* is a variable that must not occur in the result, or an application of a function that must not. Locals
//! are eliminated one by one: by an equation that defines them (`x = t`, also `x + s = t`), by cases where a disjunction or a
//! choice prevents that, by transitivity of the orders where they stand between bounds. Formulas that still hold a local
//! after that are left out. So the result always follows from the formulas; it is equivalent to their existential
//! quantification over the locals unless something was left out.

use base::{Budget, FastMap, Stopped};
use term::{Op, Symbol, Term, Terms};

use crate::tuning::Tuning;

/// The consequences of the formulas that have only allowed symbols; `None` if they become too large.
pub(super) fn project(
    terms: &mut Terms,
    formulas: &[Term],
    allowed: &dyn Fn(Symbol) -> bool,
    largest: usize,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stopped> {
    let mut projection = Projection { terms, allowed, largest, budget, cases: Tuning::DEFAULT.max_projection_cases };
    projection.run(formulas)
}

struct Projection<'a> {
    terms: &'a mut Terms,
    allowed: &'a dyn Fn(Symbol) -> bool,
    largest: usize,
    budget: &'a Budget,
    cases: usize,
}

/// Which terms hold locals.
struct Locals {
    /// By term: whether a local is somewhere in it.
    holds: FastMap<Term, bool>,
}

impl Locals {
    fn hold(&self, term: Term) -> bool {
        self.holds.get(&term).copied().unwrap_or(false)
    }
}

impl Projection<'_> {
    fn run(&mut self, formulas: &[Term]) -> Result<Option<Vec<Term>>, Stopped> {
        let mut list = formulas.to_vec();
        loop {
            list = super::conjuncts(self.terms, &list);
            list.sort_unstable();
            list.dedup();
            let size = self.terms.size(&list);
            self.budget.spend(size as u64)?;
            if size > self.largest {
                return Ok(None);
            }
            if list.iter().any(|&formula| self.terms.op(formula) == Op::False) {
                return Ok(Some(vec![self.terms.truth(false)]));
            }
            let locals = self.locals(&list);
            if !list.iter().any(|&formula| locals.hold(formula)) {
                return Ok(Some(list));
            }
            if let Some((local, value, place)) = self.definition(&list, &locals) {
                list.remove(place);
                for formula in &mut list {
                    if locals.hold(*formula) {
                        *formula = self.terms.substitute(*formula, &[(local, value)]);
                    }
                }
                continue;
            }
            // No equation helps: the formulas with locals are taken apart, by cases or by bounds.
            let (bad, good): (Vec<Term>, Vec<Term>) = list.iter().partition(|&&formula| locals.hold(formula));
            let rest = self.without_definitions(&bad)?;
            let Some(rest) = rest else { return Ok(None) };
            list = good;
            list.extend(rest);
            return Ok(Some(list));
        }
    }

    /// Projects formulas that all hold locals, none of them defined.
    fn without_definitions(&mut self, bad: &[Term]) -> Result<Option<Vec<Term>>, Stopped> {
        let mut result = Vec::new();
        for component in self.components(bad) {
            let split = if self.cases > 0 { self.split(&component) } else { None };
            let Some(branches) = split else {
                result.extend(self.between_bounds(&component));
                continue;
            };
            self.cases = self.cases.saturating_sub(branches.len() - 1);
            let mut union = Vec::with_capacity(branches.len());
            for branch in branches {
                let Some(projected) = self.run(&branch)? else { return Ok(None) };
                union.push(self.terms.and(&projected));
            }
            result.push(self.terms.or(&union));
        }
        Ok(Some(result))
    }

    fn is_local(&self, term: Term) -> bool {
        matches!(self.terms.op(term), Op::Symbol(symbol) if !(self.allowed)(symbol))
    }
    fn locals(&self, list: &[Term]) -> Locals {
        let mut holds: FastMap<Term, bool> = FastMap::new();
        for term in self.terms.subterms(list) {
            let inside = self.terms.args(term).iter().any(|arg| holds[arg]);
            holds.insert(term, inside || self.is_local(term));
        }
        Locals { holds }
    }

    // ---- definitions

    /// A local, what it is, and the formula that says so. Values are taken first, then what is said as it stands, then
    /// what has to be solved for, so that what is known is carried along instead of looked back at.
    fn definition(&mut self, list: &[Term], locals: &Locals) -> Option<(Term, Term, usize)> {
        let mut best: Option<(u32, (Term, Term, usize))> = None;
        for (place, &formula) in list.iter().enumerate() {
            if !locals.hold(formula) {
                continue;
            }
            let Some((local, value)) = self.solve(formula, locals) else { continue };
            let is_said = self.terms.args(formula).contains(&value) || self.terms.is_bool(local);
            let rank = match (self.terms.is_value(value) || is_truth(self.terms, value), is_said) {
                (true, _) => return Some((local, value, place)),
                (_, true) if !locals.hold(value) => 0,
                (_, true) => 1,
                (_, false) => 2,
            };
            if best.is_none_or(|(other, _)| rank < other) {
                best = Some((rank, (local, value, place)));
            }
        }
        best.map(|(_, found)| found)
    }
    fn solve(&mut self, formula: Term, locals: &Locals) -> Option<(Term, Term)> {
        if self.is_local(formula) {
            return Some((formula, self.terms.truth(true)));
        }
        match (self.terms.op(formula), self.terms.args(formula)) {
            (Op::Not, &[inner]) if self.is_local(inner) => Some((inner, self.terms.truth(false))),
            (Op::Not, &[inner]) => match (self.terms.op(inner), self.terms.args(inner)) {
                (Op::Eq, &[left, right]) if self.terms.is_bool(left) => {
                    let (not_left, not_right) = (self.terms.not(left), self.terms.not(right));
                    self.isolate(left, not_right, locals).or_else(|| self.isolate(right, not_left, locals))
                }
                _ => None,
            },
            (Op::Eq, &[left, right]) => self.isolate(left, right, locals).or_else(|| self.isolate(right, left, locals)),
            _ => None,
        }
    }
    /// Solves `side = other` for a local in `side`, moving invertible operators over.
    fn isolate(&mut self, side: Term, other: Term, locals: &Locals) -> Option<(Term, Term)> {
        let (mut side, mut other) = (side, other);
        for _ in 0..16 {
            if self.is_local(side) {
                let inside = self.terms.subterms(&[other]).binary_search(&side).is_ok();
                return (!inside).then_some((side, other));
            }
            let args: Vec<Term> = self.terms.args(side).to_vec();
            (side, other) = match (self.terms.op(side), &args[..]) {
                (Op::Not, &[inner]) => (inner, self.terms.not(other)),
                (Op::BvNot, &[inner]) => (inner, self.terms.bv_not(other)),
                (Op::BvNeg, &[inner]) => (inner, self.terms.bv_neg(other)),
                (Op::BvAdd, &[one, two]) => {
                    let (inner, moved) = if locals.hold(one) { (one, two) } else { (two, one) };
                    (inner, self.terms.bv_sub(other, moved))
                }
                (Op::BvXor, &[one, two]) => {
                    let (inner, moved) = if locals.hold(one) { (one, two) } else { (two, one) };
                    (inner, self.terms.bv_xor(other, moved))
                }
                (Op::BvSub, &[one, two]) if locals.hold(one) => (one, self.terms.bv_add(other, two)),
                (Op::BvSub, &[one, two]) => (two, self.terms.bv_sub(one, other)),
                _ => return None,
            };
        }
        None
    }

    // ---- cases

    /// Groups of formulas that share locals.
    fn components(&self, bad: &[Term]) -> Vec<Vec<Term>> {
        let mut group_of: FastMap<Term, usize> = FastMap::new();
        let mut groups: Vec<Vec<Term>> = Vec::new();
        for &formula in bad {
            let met: Vec<Term> =
                self.terms.subterms(&[formula]).into_iter().filter(|&term| self.is_local(term)).collect();
            let mut joined: Vec<usize> = met.iter().filter_map(|term| group_of.get(term).copied()).collect();
            joined.sort_unstable();
            joined.dedup();
            let home = joined.first().copied().unwrap_or(groups.len());
            if home == groups.len() {
                groups.push(Vec::new());
            }
            groups[home].push(formula);
            for &other in joined.iter().skip(1) {
                let moved = std::mem::take(&mut groups[other]);
                for &formula in &moved {
                    for term in self.terms.subterms(&[formula]) {
                        if self.is_local(term) {
                            group_of.insert(term, home);
                        }
                    }
                }
                groups[home].extend(moved);
            }
            for term in met {
                group_of.insert(term, home);
            }
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
    /// Cases whose union is the component, if something in it can be taken apart.
    fn split(&mut self, component: &[Term]) -> Option<Vec<Vec<Term>>> {
        // The shortest disjunction first.
        let disjunction = component
            .iter()
            .enumerate()
            .filter(|&(_, &formula)| self.terms.op(formula) == Op::Or && self.terms.args(formula).len() <= 8)
            .min_by_key(|&(_, &formula)| self.terms.args(formula).len());
        if let Some((place, &formula)) = disjunction {
            let case = |&arm: &Term| {
                let mut case = component.to_vec();
                case[place] = arm;
                case
            };
            return Some(self.terms.args(formula).iter().map(case).collect());
        }
        // A choice or an equivalence around a local: whether its condition holds.
        let locals = self.locals(component);
        let condition = self.terms.subterms(component).into_iter().rev().find_map(|term| {
            let args = self.terms.args(term);
            match self.terms.op(term) {
                _ if !locals.hold(term) => None,
                Op::Ite if !is_truth(self.terms, args[0]) => Some(args[0]),
                Op::Eq if self.terms.is_bool(args[0]) && !is_truth(self.terms, args[0]) => Some(args[0]),
                Op::Symbol(_) if self.terms.is_bool(term) && self.is_local(term) => Some(term),
                _ => None,
            }
        })?;
        let negated = self.terms.not(condition);
        let cases = [(condition, true), (negated, false)].map(|(assumed, value)| {
            let value = self.terms.truth(value);
            let mut case: Vec<Term> =
                component.iter().map(|&formula| self.terms.substitute(formula, &[(condition, value)])).collect();
            case.push(assumed);
            case
        });
        Some(cases.into())
    }

    // ---- bounds

    /// What follows for the others where a local stands between two bounds of one order.
    fn between_bounds(&mut self, component: &[Term]) -> Vec<Term> {
        let mut bounds: Vec<Bound> = component.iter().filter_map(|&formula| self.bound(formula)).collect();
        let mut found = Vec::new();
        let mut at = 0;
        while at < bounds.len() && bounds.len() < 64 {
            for before in 0..at {
                let (one, two) = (bounds[at], bounds[before]);
                for (low, high) in [(one, two), (two, one)] {
                    if low.signed == high.signed && low.upper == high.lower && self.is_local(low.upper) {
                        let strict = low.strict || high.strict;
                        bounds.push(Bound { lower: low.lower, upper: high.upper, strict, signed: low.signed });
                    }
                }
            }
            at += 1;
        }
        for bound in bounds {
            let sides = [bound.lower, bound.upper];
            let locals = self.locals(&sides);
            if sides.iter().any(|&side| locals.hold(side)) {
                continue;
            }
            let [lower, upper] = sides;
            found.push(match (bound.signed, bound.strict) {
                (false, true) => self.terms.bv_ult(lower, upper),
                (false, false) => self.terms.bv_ule(lower, upper),
                (true, true) => self.terms.bv_slt(lower, upper),
                (true, false) => self.terms.bv_sle(lower, upper),
            });
        }
        found
    }
    fn bound(&self, formula: Term) -> Option<Bound> {
        let (formula, negated) = match (self.terms.op(formula), self.terms.args(formula)) {
            (Op::Not, &[inner]) => (inner, true),
            _ => (formula, false),
        };
        let &[left, right] = self.terms.args(formula) else { return None };
        let (swapped, strict, signed) = match self.terms.op(formula) {
            Op::BvUlt => (false, true, false),
            Op::BvUle => (false, false, false),
            Op::BvUgt => (true, true, false),
            Op::BvUge => (true, false, false),
            Op::BvSlt => (false, true, true),
            Op::BvSle => (false, false, true),
            Op::BvSgt => (true, true, true),
            Op::BvSge => (true, false, true),
            _ => return None,
        };
        let (lower, upper) = if swapped != negated { (right, left) } else { (left, right) };
        Some(Bound { lower, upper, strict: strict != negated, signed })
    }
}

/// `lower < upper` or `lower <= upper`.
#[derive(Clone, Copy)]
struct Bound {
    lower: Term,
    upper: Term,
    strict: bool,
    signed: bool,
}

fn is_truth(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::True | Op::False)
}
