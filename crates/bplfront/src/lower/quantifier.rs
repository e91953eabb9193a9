//! Quantifiers, as far as terms without quantifiers say what they mean.
//!
//! An asserted `forall` is asserted of values that may be any: it fails exactly if it fails for some of them. A universal axiom is assumed for
//! the terms that match its triggers, wherever such a term is used ([DetlefsNelsonSaxe-JACM'05]); without a trigger, for those that match the smallest
//! applications in its body that mention all its variables. That is less than the axiom says, so a proof is right, and an error is none before
//! the whole axiom is known to hold.

use base::Id;
use program::{FunId, InputKind, Loc};
use term::{Op, Term, Terms};

use super::expr::{Scope, Value};
use super::{Lowering, shown};
use crate::ast::{Binary, ExprId, ExprKind};
use crate::tuning::Tuning;

/// A universal axiom.
#[derive(Clone)]
pub(super) struct Rule {
    /// The symbols that stand for its variables.
    vars: Vec<Term>,
    /// An instance is made for a term that matches one of them.
    patterns: Vec<Term>,
    body: Term,
}

impl Lowering<'_> {
    /// What an axiom says, from here on.
    pub(super) fn axiom(&mut self, function: FunId, from: Loc, expr: ExprId) -> Loc {
        let (n_found, compares_maps) = (self.found.len(), self.compares_maps);
        match self.rule(expr) {
            // Maps are arrays only as long as nothing depends on whether two of them are equal.
            Some(rule) if self.compares_maps == compares_maps => {
                let text = "an axiom with `forall` is assumed for the terms that match its triggers only";
                self.approximate(text.to_owned(), self.file.exprs[expr].span);
                self.rules.push(rule);
                from
            }
            _ => {
                // What is not understood is not assumed.
                self.found.truncate(n_found);
                self.compares_maps = compares_maps;
                self.assumed(function, from, &Scope::stateless(), expr, "an axiom")
            }
        }
    }
    /// The axiom as a rule, if it is universal and its body is a formula without quantifiers.
    fn rule(&mut self, expr: ExprId) -> Option<Rule> {
        let file = self.file;
        let ExprKind::Bound(binder) = &file.exprs[expr].kind else { return None };
        if binder.word != "forall" || !binder.type_params.is_empty() {
            return None;
        }
        let mut scope = Scope::stateless();
        let mut vars = Vec::new();
        for var in &binder.vars {
            let ty = self.ty(&var.ty, &[])?;
            let sort = ty.sort(self.terms, self.maps);
            // No variable of a program has a blank in its name.
            let term = self.terms.variable(&format!("any {} of axiom {}", var.name.text, expr.index()), sort);
            scope.local.insert(var.name.text.clone(), Value { term, ty });
            vars.push(term);
        }
        let body = self.condition(&scope, binder.body).ok()?;
        let mut patterns = Vec::new();
        for trigger in &binder.triggers {
            // An instance for several terms at once is not made.
            if let &[one] = &trigger[..] {
                patterns.push(self.value(&scope, one).ok()?.term);
            }
        }
        if binder.triggers.is_empty() {
            patterns = smallest(self.terms, body, &vars);
        }
        patterns.retain(|&pattern| is_application(self.terms, pattern) && mentions(self.terms, pattern, &vars));
        (!vars.is_empty() && !patterns.is_empty()).then_some(Rule { vars, patterns, body })
    }
    /// Assumes the instances of axioms that these terms, and those instances, ask for.
    pub(super) fn with_instances(&mut self, function: FunId, from: Loc, about: &[Term]) -> Loc {
        let mut found: Vec<Term> = Vec::new();
        let mut roots = about.to_vec();
        for _ in 0..Tuning::DEFAULT.max_instance_rounds {
            if self.rules.is_empty() || roots.is_empty() {
                break;
            }
            let candidates = self.terms.subterms(&roots);
            let mut news = Vec::new();
            for rule in self.rules.clone() {
                for &pattern in &rule.patterns {
                    for &candidate in &candidates {
                        let Some(pairs) = matched(self.terms, pattern, candidate, &rule.vars) else { continue };
                        let instance = self.terms.substitute(rule.body, &pairs);
                        let is_new = !found.contains(&instance) && !news.contains(&instance);
                        if is_new && found.len() + news.len() < Tuning::DEFAULT.max_instances {
                            news.push(instance);
                        }
                    }
                }
            }
            found.extend(&news);
            roots = news;
        }
        found.into_iter().fold(from, |at, instance| self.assume_alone(function, at, instance, None))
    }

    /// Asserts an expression in which a `forall` is the claim, or a part of it; none if there is no such part.
    pub(super) fn asserted_for_all(
        &mut self,
        function: FunId,
        at: Loc,
        scope: &Scope,
        expr: ExprId,
        what: &str,
    ) -> Option<Loc> {
        let file = self.file;
        if !self.has_binder(expr) {
            return None;
        }
        match &file.exprs[expr].kind {
            &ExprKind::Binary(Binary::And, left, right) => {
                let at = self.asserted(function, at, scope, left, what);
                Some(self.asserted(function, at, scope, right, what))
            }
            &ExprKind::Binary(Binary::Implies, premise, claim) if !self.has_binder(premise) => {
                let holds = self.condition(scope, premise).ok()?;
                let fails = self.terms.not(holds);
                let (yes, no) = (self.assume(function, at, holds, None), self.assume(function, at, fails, None));
                let after = self.asserted(function, yes, scope, claim, what);
                let end = self.location(function, None);
                self.builder.step(self.terms, after, end);
                self.builder.step(self.terms, no, end);
                Some(end)
            }
            ExprKind::Bound(binder) if binder.word == "forall" && binder.type_params.is_empty() => {
                let mut inner = scope.clone();
                let mut at = at;
                for decl in &binder.vars {
                    let ty = self.ty(&decl.ty, &[])?;
                    let sort = ty.sort(self.terms, self.maps);
                    let var = self.builder.temp(self.terms, function, &decl.name.text, sort, shown(&ty));
                    at = self.havoc(function, at, var, InputKind::Nondet(decl.name.text.clone()), decl.name.span);
                    inner.local.insert(decl.name.text.clone(), Value { term: self.builder.term(var), ty });
                }
                Some(self.asserted(function, at, &inner, binder.body, what))
            }
            _ => None,
        }
    }
    /// Whether some part of the expression has variables of its own.
    fn has_binder(&self, expr: ExprId) -> bool {
        let first = self.file.exprs[expr].first.index();
        (first..=expr.index()).any(|at| matches!(self.file.exprs[ExprId::new(at)].kind, ExprKind::Bound(_)))
    }
}

/// Whether the term is an unknown function or a map, applied to something.
fn is_application(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Symbol(_) | Op::Select) && !terms.args(term).is_empty()
}

/// Whether all symbols occur in the term.
fn mentions(terms: &Terms, term: Term, symbols: &[Term]) -> bool {
    let parts = terms.subterms(&[term]);
    symbols.iter().all(|symbol| parts.contains(symbol))
}

/// The applications in the formula that mention all symbols and have no such part.
fn smallest(terms: &Terms, formula: Term, symbols: &[Term]) -> Vec<Term> {
    let mut found: Vec<Term> = terms.subterms(&[formula]);
    found.retain(|&term| is_application(terms, term) && mentions(terms, term, symbols));
    let all = found.clone();
    found.retain(|&term| {
        let parts = terms.subterms(terms.args(term));
        !all.iter().any(|other| parts.contains(other))
    });
    found
}

/// What the symbols stand for if the pattern is the term.
fn matched(terms: &Terms, pattern: Term, term: Term, symbols: &[Term]) -> Option<Vec<(Term, Term)>> {
    let mut pairs: Vec<(Term, Term)> = Vec::new();
    let mut open = vec![(pattern, term)];
    while let Some((pattern, term)) = open.pop() {
        if symbols.contains(&pattern) {
            match pairs.iter().find(|(symbol, _)| *symbol == pattern) {
                Some(&(_, known)) if known != term => return None,
                Some(_) => {}
                None if terms.sort_of(pattern) == terms.sort_of(term) => pairs.push((pattern, term)),
                None => return None,
            }
            continue;
        }
        if pattern == term {
            continue;
        }
        let (ours, theirs) = (terms.args(pattern), terms.args(term));
        if ours.is_empty() || ours.len() != theirs.len() || terms.op(pattern) != terms.op(term) {
            return None;
        }
        open.extend(ours.iter().copied().zip(theirs.iter().copied()));
    }
    (pairs.len() == symbols.len()).then_some(pairs)
}
