//! Names for the new variables of a pass: readable, and unique in the program.

use base::FastMap;
use term::{Op, Sort, Term, Terms};

use crate::Program;

/// The symbols that the variables of a program have.
pub(super) struct Names {
    /// For each name in use, the suffix to try next when it is asked for again.
    taken: FastMap<String, u32>,
}

impl Names {
    pub(super) fn of(program: &Program, terms: &Terms) -> Names {
        let mut taken = FastMap::new();
        for var in &program.vars {
            taken.insert(symbol_name(terms, var.term).to_owned(), 1);
        }
        Names { taken }
    }
    /// A symbol of this name, or with a suffix if the name is taken.
    pub(super) fn fresh(&mut self, terms: &mut Terms, base_name: &str, sort: Sort) -> Term {
        if !self.taken.contains_key(base_name) {
            self.taken.insert(base_name.to_owned(), 1);
            if let Some(symbol) = terms.declare(base_name, &[], sort) {
                return terms.apply(symbol, &[]);
            }
        }
        loop {
            let suffix = self.taken.get_or_insert_with(base_name.to_owned(), || 1);
            let candidate = format!("{base_name}@{suffix}");
            *suffix += 1;
            if self.taken.contains_key(&candidate) {
                continue;
            }
            self.taken.insert(candidate.clone(), 1);
            if let Some(symbol) = terms.declare(&candidate, &[], sort) {
                return terms.apply(symbol, &[]);
            }
        }
    }
}

/// The name of a variable's symbol.
pub(super) fn symbol_name(terms: &Terms, variable: Term) -> &str {
    match terms.op(variable) {
        Op::Symbol(symbol) => terms.symbol_name(symbol),
        _ => panic!("a variable's term is a symbol"),
    }
}
