//! A step as several ways, each by itself simpler than the whole.
//!
//! Tools write steps as a disjunction of transitions, or as rules `r → …` of which inputs choose one. A relation
//! `A ∨ B` is taken apart into the ways `A` and `B`; rules with inputs `r`, `s` into the ways `r`, `¬r ∧ s` and
//! `¬r ∧ ¬s`. Together the ways mean what the step means, and a run may choose any. Each way is solved for
//! its own: what a transition assigns is then plain to see, and not the leaf of a tree over all of them.

use base::FastMap;
use term::{Op, Substitution, Term, Terms};

use crate::flatten::{Flatten, Rank};
use crate::tuning::Tuning;

/// One way through a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    /// What it says.
    pub formulas: Vec<Term>,
    /// What must hold besides, and defines nothing: that another rule does not apply.
    pub demands: Vec<Term>,
}

/// The ways; one if there is nothing to take apart.
pub(crate) fn ways(terms: &mut Terms, step: &[Term], unknowns: &FastMap<Term, Rank>) -> Vec<Way> {
    let conjuncts = conjuncts(terms, step);
    if let Some(ways) = transitions(terms, &conjuncts, unknowns) {
        return ways;
    }
    if let Some(ways) = rules(terms, &conjuncts, unknowns) {
        return ways;
    }
    vec![Way { formulas: conjuncts, demands: Vec::new() }]
}

/// The parts of all conjunctions.
pub(crate) fn conjuncts(terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    let mut open: Vec<Term> = formulas.iter().rev().copied().collect();
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        let args = terms.args(term).to_vec();
        match terms.op(term) {
            Op::True => {}
            Op::And => open.extend(args.into_iter().rev()),
            Op::Not if terms.op(args[0]) == Op::Or => {
                for part in terms.args(args[0]).to_vec().into_iter().rev() {
                    open.push(terms.not(part));
                }
            }
            _ => found.push(term),
        }
    }
    found
}

/// The parts of a disjunction that may stand as a negated conjunction.
fn parts(terms: &mut Terms, term: Term) -> Option<Vec<Term>> {
    let args = terms.args(term).to_vec();
    match terms.op(term) {
        Op::Or => Some(args),
        Op::Not if terms.op(args[0]) == Op::And => {
            Some(terms.args(args[0]).to_vec().into_iter().map(|arg| terms.not(arg)).collect())
        }
        _ => None,
    }
}

/// One way for each part of the widest disjunction of transitions.
fn transitions(terms: &mut Terms, conjuncts: &[Term], unknowns: &FastMap<Term, Rank>) -> Option<Vec<Way>> {
    let mut best: Option<(usize, Vec<Term>)> = None;
    for (number, &conjunct) in conjuncts.iter().enumerate() {
        let Some(found) = parts(terms, conjunct) else { continue };
        let mut flatten = Flatten::new(terms, unknowns, "");
        let all_define = found.iter().all(|&part| flatten.rank(part) == Rank::Next);
        if all_define
            && found.len() >= Tuning::DEFAULT.min_disjunction
            && best.as_ref().is_none_or(|(_, most)| most.len() < found.len())
        {
            best = Some((number, found));
        }
    }
    let (number, found) = best.filter(|(_, found)| found.len() <= Tuning::DEFAULT.max_ways)?;
    let others: Vec<Term> =
        conjuncts.iter().enumerate().filter(|(at, _)| *at != number).map(|(_, &conjunct)| conjunct).collect();
    let way = |&part: &Term| Way { formulas: others.iter().copied().chain([part]).collect(), demands: Vec::new() };
    Some(found.iter().map(way).collect())
}

/// One way for each input that says whether a rule applies.
fn rules(terms: &mut Terms, conjuncts: &[Term], unknowns: &FastMap<Term, Rank>) -> Option<Vec<Way>> {
    let mut names: Vec<Term> = Vec::new();
    for &conjunct in conjuncts {
        let name = Flatten::new(terms, unknowns, "").named_equations(conjunct).map(|(name, _)| name);
        let named = name.filter(|&name| terms.op(name) != Op::Not);
        let mut guards: Vec<Term> = Vec::new();
        if let Some(found) = parts(terms, conjunct) {
            let mut flatten = Flatten::new(terms, unknowns, "");
            if found.iter().any(|&part| flatten.rank(part) > Rank::Nothing) {
                let negated = |part: &Term| (terms.op(*part) == Op::Not).then(|| terms.arg(*part, 0));
                guards = found.iter().filter_map(negated).collect();
            }
            // The name of a rule stands alone before what it implies.
            if guards.len() != 1 {
                guards.clear();
            }
        }
        for name in named.into_iter().chain(guards) {
            if unknowns.get(&name) == Some(&Rank::Input) && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    // A name that is itself defined by others is no choice.
    let defined = |terms: &Terms, name: Term| {
        conjuncts.iter().any(|&conjunct| {
            terms.op(conjunct) == Op::Eq && terms.args(conjunct).contains(&name) && {
                let other = terms.args(conjunct).iter().find(|&&arg| arg != name);
                other.is_some_and(|&other| !matches!(terms.op(other), Op::And | Op::Or))
            }
        })
    };
    names.retain(|&name| !defined(terms, name));
    if names.len() < 2 || names.len() > Tuning::DEFAULT.max_ways / 4 {
        return None;
    }
    let (yes, no) = (terms.truth(true), terms.truth(false));
    let mut ways = Vec::new();
    for number in 0..=names.len() {
        let mut pairs: Vec<(Term, Term)> = names[..number].iter().map(|&name| (name, no)).collect();
        pairs.extend(names.get(number).map(|&name| (name, yes)));
        let mut put_in = Substitution::new(terms, &pairs);
        let mut way = Way::default();
        for &conjunct in conjuncts {
            let formula = put_in.apply(terms, conjunct);
            let is_off = |name: &Term| names[..number].contains(name);
            if terms.op(conjunct) == Op::Eq && terms.args(conjunct).iter().any(is_off) {
                way.demands.push(formula);
            } else {
                way.formulas.push(formula);
            }
        }
        if !way.formulas.contains(&no) && !way.demands.contains(&no) {
            ways.push(way);
        }
    }
    if ways.is_empty() { None } else { Some(ways) }
}
