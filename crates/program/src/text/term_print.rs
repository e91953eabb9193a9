//! Terms, sorts and names of the text form, written by the SMT-LIB printer of `term`.
//!
//! A term is a graph, and written as a tree it can be exponentially longer. Small terms are written
//! as trees because that reads best; in large ones every subterm that is used twice gets a name by
//! `let`, so the text is linear in the graph. Names are `?1`, `?2`, and so on; a user's symbol that looks like
//! one is quoted, and a quoted word is always the user's.

use term::smtlib::{Style, Words};
use term::{Sort, Term, Terms};

use super::lex::quoted;
use crate::tuning::Tuning;

pub(super) struct TermPrinter<'t> {
    terms: &'t Terms,
    words: Words,
}

impl<'t> TermPrinter<'t> {
    pub(super) fn new(terms: &'t Terms) -> Self {
        TermPrinter { terms, words: Words::new() }
    }
    /// Writes the term.
    pub(super) fn term(&self, out: &mut String, term: Term) {
        let write_name = |out: &mut String, name: &str| self.name(out, name);
        let style =
            Style { write_name: &write_name, largest_tree: Tuning::DEFAULT.max_plain_nodes, lets_are_apart: true };
        self.terms.write_term(out, term, &style);
    }
    /// Writes the sort.
    pub(super) fn sort(&self, out: &mut String, sort: Sort) {
        self.terms.write_sort(out, sort, &|out, name| self.name(out, name));
    }
    /// Writes a name of the user's, between bars if it would be read as something else.
    pub(super) fn name(&self, out: &mut String, name: &str) {
        let simple = |byte: u8| byte.is_ascii_alphanumeric() || b"~!$%^&*_-+=<>.?/".contains(&byte);
        let first = name.bytes().next();
        let is_let_name = name.strip_prefix('?').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        if first.is_some_and(|byte| !byte.is_ascii_digit())
            && name.bytes().all(simple)
            && !is_let_name
            && !self.words.is_reserved(name)
        {
            out.push_str(name);
        } else {
            out.push_str(&quoted(name, '|'));
        }
    }
}
