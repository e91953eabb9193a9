//! Floats become words: each variable its encoding, each operator a circuit (`term::float`).
//!
//! Engines then need no theory of floats: they read sums, products and comparisons of words as functions first and bit by bit where a proof needs it. Every
//! variable that holds floats gets a twin that holds encodings. Evidence speaks of the twin's value as `to_bits` of the
//! old variable, and the checker, which sees the old program, makes circuits on its own.
//!
//! A NaN that an operation makes gets one encoding here, while C leaves open which; the checker believes no proof that depends on it.

use base::FastMap;
use term::float::{Nans, Words};
use term::{FpOp, Op, SortKind, Term, Terms};

use super::BackMap;
use super::reads::{retarget, rewrite};
use super::shape::expect_inlined;
use crate::tuning::Tuning;
use crate::{Program, Shown, Var, VarKind, Variable};

/// Replaces floats by their encodings, unless there are none, or one has no circuit, or the circuits would be large.
pub fn floats(mut program: Program, terms: &mut Terms) -> (Program, BackMap) {
    expect_inlined(&program);
    let mut map = BackMap::identity(&program);
    let mut roots: Vec<Term> = program.vars.iter().map(|variable| variable.term).collect();
    for edge in &program.edges {
        edge.action.for_each_term(|term| roots.push(term));
    }
    if !Words::apply_to(terms, &roots) || circuits(terms, &roots) > Tuning::DEFAULT.max_float_circuits {
        return (program, map);
    }
    let mut words = Words::new(Nans::Canonical);
    let mut twins: FastMap<Var, Var> = FastMap::new();
    for var in program.vars.ids().collect::<Vec<_>>() {
        let old = program.vars[var].clone();
        let sort = words.sort(terms, old.sort);
        if sort == old.sort {
            continue;
        }
        let term = words.term(terms, old.term);
        let name = format!("{} in bits", old.name);
        // Calls are gone: what was a parameter is assigned like a local variable.
        let kind = match old.kind {
            VarKind::Param(function) => VarKind::Local(function),
            kind => kind,
        };
        let twin = program.vars.push(Variable { name, term, sort, kind, shown: Shown::Unsigned, ..old });
        let instance = map.instances[var].clone();
        map.instances.push(instance);
        map.encodings.push((term, old.term));
        twins.insert(var, twin);
    }
    for edge in program.edges.ids().collect::<Vec<_>>() {
        let action = rewrite(&program.edges[edge].action, |term| words.term(terms, term));
        program.edges[edge].action = retarget(action, |var| twins.get(&var).copied().unwrap_or(var));
    }
    (program, map)
}

/// How large all circuits are together, in operators on words.
fn circuits(terms: &Terms, roots: &[Term]) -> usize {
    let size = |term: Term| match terms.op(term) {
        Op::Fp(FpOp::Sqrt) => 1000,
        Op::Fp(FpOp::FromBits | FpOp::ToBits | FpOp::Neg | FpOp::Abs) => 5,
        Op::Fp(_) => 150,
        _ => 0,
    };
    terms.subterms(roots).into_iter().map(size).sum()
}

/// The conjunction of these terms in the words of the program with floats. What cannot be said there is left out.
pub(super) fn decoded(terms: &mut Terms, encodings: &[(Term, Term)], parts: &[Term]) -> Term {
    if encodings.is_empty() {
        return terms.and(parts);
    }
    let conjuncts = terms.conjuncts(parts);
    let kept: Vec<Term> = conjuncts.into_iter().filter_map(|part| decode(terms, encodings, part)).collect();
    terms.and(&kept)
}

/// The term over floats in place of encodings; none if it speaks of an array of encodings where there was one of floats.
pub fn decode(terms: &mut Terms, encodings: &[(Term, Term)], term: Term) -> Option<Term> {
    let mut pairs = Vec::new();
    for &(word, float) in encodings {
        let sort = terms.sort_of(word);
        match terms.sort_kind(sort) {
            SortKind::BitVec(_) => pairs.push((word, terms.fp(FpOp::ToBits, &[float], sort))),
            _ if terms.subterms(&[term]).contains(&word) => return None,
            _ => {}
        }
    }
    Some(terms.substitute(term, &pairs))
}
