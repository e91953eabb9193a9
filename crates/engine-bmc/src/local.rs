//! Local queries: an error is first asked about with the facts that mention nothing but what it mentions.
//!
//! In a program of many independent parts each error concerns few variables, but a solver that was given the facts about all
//! parts decides all of their variables for each query, so that the cost is the square of the number of parts. A query with
//! fewer facts is a weaker premise: if it is unsatisfiable, so is the query with all of them. If it is not, the query
//! backend with all facts decides.

use base::{Budget, FastMap, Stopped};
use smt::{Answer, Query, Solver};
use term::{Op, Term, Terms};

/// Facts, found by what they mention.
#[derive(Default)]
pub(crate) struct Local {
    /// Each fact with its symbols.
    facts: Vec<(Term, Vec<Term>)>,
    /// Each fact stands at one of its symbols, the one with the fewest facts when it came.
    at: FastMap<Term, Vec<usize>>,
}

impl Local {
    /// The formula holds from now on.
    pub fn add(&mut self, terms: &Terms, fact: Term) {
        let symbols = symbols(terms, fact);
        let n_facts = |symbol: &&Term| self.at.get(*symbol).map_or(0, Vec::len);
        if let Some(&key) = symbols.iter().min_by_key(n_facts) {
            self.at.get_or_insert_with(key, Vec::new).push(self.facts.len());
            self.facts.push((fact, symbols));
        }
    }
    /// Whether the facts about what the condition mentions exclude it. `false` means nothing.
    pub fn excludes(&self, terms: &mut Terms, condition: Term, budget: &Budget) -> Result<bool, Stopped> {
        let mentioned = symbols(terms, condition);
        let mut is_mentioned: FastMap<Term, ()> = FastMap::new();
        for &symbol in &mentioned {
            is_mentioned.insert(symbol, ());
        }
        let mut solver = Solver::new();
        let near = mentioned.iter().flat_map(|symbol| self.at.get(symbol).map_or(&[][..], Vec::as_slice));
        for &number in near {
            let (fact, symbols) = &self.facts[number];
            budget.spend(1)?;
            if symbols.iter().all(|symbol| is_mentioned.contains_key(symbol)) {
                solver.assert(*fact);
            }
        }
        match solver.check(terms, &Query::assuming(&[condition]), budget) {
            Ok(answer) => Ok(matches!(answer, Answer::Unsat(_))),
            Err(Stopped::OutOfTicks) => Ok(false),
            Err(stopped) => Err(stopped),
        }
    }
}

/// The symbols in a term, each once.
fn symbols(terms: &Terms, term: Term) -> Vec<Term> {
    let mut seen: FastMap<Term, ()> = FastMap::new();
    let (mut todo, mut found) = (vec![term], Vec::new());
    while let Some(term) = todo.pop() {
        if seen.insert(term, ()).is_some() {
            continue;
        }
        if matches!(terms.op(term), Op::Symbol(_)) {
            found.push(term);
        }
        todo.extend(terms.args(term));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget() -> Budget {
        Budget::unlimited(std::sync::Arc::default())
    }

    #[test]
    fn a_fact_about_the_same_symbols_excludes_a_condition() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
        let (less, more) = (terms.bv_ult(x, y), terms.bv_ult(y, x));
        let mut local = Local::default();
        assert!(!local.excludes(&mut terms, more, &budget()).expect("no limit"));
        local.add(&terms, less);
        assert!(local.excludes(&mut terms, more, &budget()).expect("no limit"));
    }

    #[test]
    fn a_fact_about_other_symbols_is_left_out() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, sort));
        let (first, second) = (terms.bv_ult(x, z), terms.bv_ult(z, y));
        let condition = terms.bv_ult(y, x);
        let mut local = Local::default();
        local.add(&terms, first);
        local.add(&terms, second);
        // Both facts together exclude it, but each mentions a symbol that the condition does not.
        assert!(!local.excludes(&mut terms, condition, &budget()).expect("no limit"));
    }
}
