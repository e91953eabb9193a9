//! SMT-LIB 2.6 as text: printing terms and scripts, reading scripts and terms.
//!
//! Shared subterms are printed once, with `let`, so text is never larger than the graph. Reading
//! and printing keep lists of their own instead of recursing, so nesting is limited by memory only.
//! What is printed reads back as the same term.
//!
//! Beyond the standard we write `fp.to_ieee_bv` for a float's encoding, as other solvers do, and
//! `fp.fmod` for C's `fmod`, which the standard lacks.

mod command;
mod embedded;
mod lexer;
mod literal;
mod names;
mod operator;
mod print;
mod sexpr;
mod sort;
mod term;

#[cfg(test)]
mod tests;

pub use command::{Annotation, Command, Reader, read_script, read_term};
pub use embedded::{Piece, PieceError, TermReader};
pub use lexer::ReadError;
pub use names::Words;
pub use print::{Style, script};

impl crate::Terms {
    /// A numeral of this sort, given in normal form, as SMT-LIB writes it.
    pub fn numeral_to_smtlib(&self, sort: crate::Sort, text: &str) -> String {
        literal::numeral(self, sort, text)
    }
}

/// The name as a symbol, between bars where it needs them.
pub fn symbol_text(name: &str) -> String {
    crate::sort::quoted(name).into_owned()
}
