//! Boogie in, program out.
//!
//! The whole surface grammar is parsed (`lex`, `parse`, `ast`); what is refused is refused by meaning. Types without a
//! meaning of their own, functions without a body and constants become uninterpreted sorts and symbols, which
//! anybody may choose: that is the fragment in which errors are real errors. The rest of the
//! language is read more loosely where that is sound (`lower`): maps are uninterpreted functions, arithmetic over
//! `int` and `real` is left to whoever knows it, quantified axioms are dropped. Each such place is noted in
//! [`Program::approximations`]: what is proved holds for the source, an error that is found may not exist.
//!
//! ```
//! let text = "type A; function f(x: A): A;
//!     procedure main() { var x, y: A; assume x == y; x := f(x); assert x == y; }";
//! let mut terms = term::Terms::new();
//! let compiled = bplfront::compile("example.bpl", text, &mut terms).unwrap();
//! assert_eq!(compiled.program.assertions.len(), 1);
//! ```

#![forbid(unsafe_code)]

pub mod ast;
mod lex;
mod lower;
mod parse;
pub mod source;

use base::{Diagnostic, Severity};
use program::Program;
use term::Terms;

use source::Source;

/// A program with what was noticed on the way.
#[derive(Debug)]
pub struct Compiled {
    /// The program; it passes `program::validate`.
    pub program: Program,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Compiles Boogie. `Err` carries everything that was found, errors and unsupported constructs.
pub fn compile(file_name: &str, text: &str, terms: &mut Terms) -> Result<Compiled, Vec<Diagnostic>> {
    let source = Source::new(file_name, text);
    let (file, found) = parse::parse(&source);
    if !found.is_empty() {
        return Err(found);
    }
    let (program, found) = lower::lower(&source, &file, terms);
    if found.iter().any(|one| one.severity != Severity::Warning) {
        return Err(found);
    }
    Ok(Compiled { program, warnings: found })
}

/// The file as the parser understood it; for those who only want to read.
pub fn parse_only(file_name: &str, text: &str) -> Result<ast::File, Vec<Diagnostic>> {
    let (file, found) = parse::parse(&Source::new(file_name, text));
    if found.is_empty() { Ok(file) } else { Err(found) }
}
