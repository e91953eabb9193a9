//! Steps over next-state symbols: the abstract relation of the paper, edge by edge.
//!
//! [BuenoSakallah-VMCAI'19] has one relation `x' = f(x, y)` for each variable. Here each edge between cutpoints has its own, under a
//! switch: `step => x' = f(x, y)`. A cube behind the edge is asked for by its literals over next-state symbols, so nothing is
//! substituted, and the terms of queries are those of the relation and of learned lemmas for good (its Theorem 1). Only the equations
//! of variables that a query mentions are asserted.
//!
//! Lemmas are part of the relation: those of one edge hold under its switch and speak of states before and behind it, those about
//! single states hold everywhere.

use base::FastMap;
use encode::Blocks;
use program::Program;
use term::{Op, Substitution, Term, Terms};

use crate::query::Search;
use crate::system::{EdgeNo, System};

/// The abstract relation, as far as it has been needed.
pub(crate) struct Relation {
    to_next: Substitution,
    to_now: Substitution,
    /// From next-state symbols to variables.
    of_next: FastMap<Term, Term>,
    switches: FastMap<EdgeNo, Term>,
    /// By edge and next-state symbol.
    equations: FastMap<(EdgeNo, Term), Term>,
    lemmas: FastMap<EdgeNo, Vec<Term>>,
    /// The terms of the relation and of its lemmas, over states and inputs.
    vocabulary: FastMap<Term, ()>,
}

impl Relation {
    pub fn new(program: &Program, terms: &mut Terms, blocks: &Blocks, roots: &[Term]) -> Self {
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        let mut of_next = FastMap::new();
        for var in blocks.cutpoints.iter().flat_map(|cutpoint| &cutpoint.state) {
            let symbol = program.vars[*var].term;
            let Op::Symbol(name) = terms.op(symbol) else { unreachable!("variables are symbols") };
            let sort = terms.sort_of(symbol);
            let next = terms.variable(&format!("{}!next", terms.symbol_name(name)), sort);
            if of_next.insert(next, symbol).is_none() {
                pairs.push((symbol, next));
            }
        }
        let back: Vec<(Term, Term)> = pairs.iter().map(|&(symbol, next)| (next, symbol)).collect();
        let mut relation = Relation {
            to_next: Substitution::new(terms, &pairs),
            to_now: Substitution::new(terms, &back),
            of_next,
            switches: FastMap::new(),
            equations: FastMap::new(),
            lemmas: FastMap::new(),
            vocabulary: FastMap::new(),
        };
        let symbols: Vec<Term> = pairs.iter().map(|&(symbol, _)| symbol).chain(roots.iter().copied()).collect();
        relation.speak_of(terms, &symbols);
        relation
    }
    /// The formula about the state behind an edge.
    pub fn next(&mut self, terms: &mut Terms, formula: Term) -> Term {
        self.to_next.apply(terms, formula)
    }
    /// The other way.
    pub fn now(&mut self, terms: &mut Terms, formula: Term) -> Term {
        self.to_now.apply(terms, formula)
    }
    /// Whether it is a next-state symbol.
    pub fn is_next(&self, term: Term) -> bool {
        self.of_next.contains_key(&term)
    }
    /// The terms become those of the relation.
    pub fn speak_of(&mut self, terms: &Terms, formulas: &[Term]) {
        for term in terms.subterms(formulas) {
            self.vocabulary.insert(term, ());
        }
    }
    /// Whether the literal relates terms of the relation, or is one.
    pub fn can_say(&self, terms: &Terms, literal: Term) -> bool {
        let atom = if terms.op(literal) == Op::Not { terms.arg(literal, 0) } else { literal };
        let is_known = |term: &Term| self.vocabulary.contains_key(term) || terms.is_value(*term);
        is_known(&atom) || (terms.op(atom) == Op::Eq && terms.args(atom).iter().all(is_known))
    }
    /// The switch of an edge.
    pub fn switch(&mut self, terms: &mut Terms, edge: EdgeNo) -> Term {
        let sort = terms.bool_sort();
        *self.switches.get_or_insert_with(edge, || terms.variable(&format!("step!{edge:?}"), sort))
    }
    /// The lemmas about steps over the edge.
    pub fn lemmas(&self, edge: EdgeNo) -> &[Term] {
        self.lemmas.get(&edge).map_or(&[], Vec::as_slice)
    }
    /// The equations of the next-state symbols in these formulas, and those of them that are new.
    pub fn equations(
        &mut self,
        terms: &mut Terms,
        system: &mut System,
        edge: EdgeNo,
        formulas: &[Term],
    ) -> (Vec<Term>, Vec<Term>) {
        let mut symbols = terms.subterms(formulas);
        symbols.retain(|&term| self.is_next(term));
        let (mut all, mut new) = (Vec::new(), Vec::new());
        for next in symbols {
            let equation = match self.equations.get(&(edge, next)) {
                Some(&equation) => equation,
                None => {
                    let value = system.back(terms, edge, self.of_next[&next]);
                    let equation = terms.eq(next, value);
                    self.equations.insert((edge, next), equation);
                    new.push(equation);
                    equation
                }
            };
            all.push(equation);
        }
        (all, new)
    }
}

/// What a step is asked with.
pub(crate) struct NextStep {
    /// Behind the switches of the frame: that of the edge.
    pub switch: Term,
    /// The literals of the target over next-state symbols.
    pub target: Vec<Term>,
    /// What has to be decided and justified beside guard and target: equations and lemmas.
    pub relation: Vec<Term>,
}

impl Search<'_> {
    /// The relation of the program without lemmas.
    pub fn first_relation(&mut self) -> Relation {
        Relation::new(&self.task.program, &mut self.terms, self.blocks, &self.roots)
    }
    /// The step over the edge into these literals, its equations asserted.
    pub fn next_step(&mut self, edge: EdgeNo, literals: &[Term]) -> NextStep {
        let relation = self.relation.as_mut().expect("only where steps are over next-state symbols");
        let switch = relation.switch(&mut self.terms, edge);
        let target: Vec<Term> = literals.iter().map(|&literal| relation.next(&mut self.terms, literal)).collect();
        let mut formulas = relation.lemmas(edge).to_vec();
        let n_lemmas = formulas.len();
        formulas.extend(&target);
        let (mut all, new) = relation.equations(&mut self.terms, &mut self.system, edge, &formulas);
        all.extend(&formulas[..n_lemmas]);
        for equation in new {
            let guarded = self.terms.implies(switch, equation);
            self.solver.assert(guarded);
        }
        NextStep { switch, target, relation: all }
    }
    /// A lemma about steps over the edge; whether it is new.
    pub fn learn_of_step(&mut self, edge: EdgeNo, lemma: Term) -> bool {
        let relation = self.relation.as_mut().expect("only where steps are over next-state symbols");
        let list = relation.lemmas.get_or_insert_with(edge, Vec::new);
        if self.terms.op(lemma) == Op::True || list.contains(&lemma) {
            return false;
        }
        list.push(lemma);
        let switch = relation.switch(&mut self.terms, edge);
        let now = relation.now(&mut self.terms, lemma);
        relation.speak_of(&self.terms, &[now]);
        let guarded = self.terms.implies(switch, lemma);
        self.solver.assert(guarded);
        true
    }
    /// A lemma about single states, before and behind every edge; whether it is new.
    pub fn learn_of_states(&mut self, lemma: Term) -> bool {
        let relation = self.relation.as_mut().expect("only where steps are over next-state symbols");
        let next = relation.next(&mut self.terms, lemma);
        if self.terms.op(lemma) == Op::True || self.everywhere.contains(&lemma) {
            return false;
        }
        for formula in [lemma, next] {
            self.solver.assert(formula);
            self.everywhere.push(formula);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relation_speaks_of_its_own_terms_and_relates_them() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, sort));
        let (one, two) = (terms.bv(8, 1), terms.bv(8, 2));
        let (next, far) = (terms.bv_add(x, one), terms.bv_add(x, two));
        let mut relation = Relation {
            to_next: Substitution::new(&terms, &[]),
            to_now: Substitution::new(&terms, &[]),
            of_next: FastMap::new(),
            switches: FastMap::new(),
            equations: FastMap::new(),
            lemmas: FastMap::new(),
            vocabulary: FastMap::new(),
        };
        relation.speak_of(&terms, &[next, y]);
        let (known, new) = (terms.ne(next, y), terms.eq(far, y));
        assert!(relation.can_say(&terms, known), "two terms of the relation");
        assert!(!relation.can_say(&terms, new), "`x + 2` is not one of them");
        let order = terms.bv_ult(x, y);
        assert!(!relation.can_say(&terms, order), "a predicate has to be there as it is");
        relation.speak_of(&terms, &[order]);
        assert!(relation.can_say(&terms, order));
    }
}
