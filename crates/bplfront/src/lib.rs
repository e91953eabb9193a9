//! Boogie in, program out.
//!
//! The whole surface grammar is parsed (`lex`, `parse`, `ast`); what is refused is refused by meaning. Types without a
//! meaning of their own, functions without a body and constants become uninterpreted sorts and symbols with
//! any interpretation: in this fragment every counterexample is feasible. The rest of the
//! language is over-approximated (`lower`): maps are uninterpreted functions, arithmetic over
//! `int` and `real` is left to the solver, quantified axioms are dropped. Each such place is noted in
//! [`Program::approximations`]: what is proved holds for the source, an error that is found may not exist.
//!
//! As in Boogie itself, each procedure is checked against its contract and calls mean the contract of the callee ([`Runs`]).
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
mod tuning;

pub use tuning::Tuning;

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

/// Where runs begin, and what calls are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs<'a> {
    /// In each procedure with a body, which is checked by itself; calls are what the contract of the callee says.
    Modular,
    /// In the procedure of this name; calls execute the bodies of the callees.
    From(&'a str),
}

/// Compiles Boogie, each procedure by itself. `Err` carries everything that was found, errors and unsupported constructs.
pub fn compile(file_name: &str, text: &str, terms: &mut Terms) -> Result<Compiled, Vec<Diagnostic>> {
    compile_runs(file_name, text, Runs::Modular, terms)
}

/// Compiles Boogie. `Err` carries everything that was found, errors and unsupported constructs.
pub fn compile_runs(
    file_name: &str,
    text: &str,
    runs: Runs<'_>,
    terms: &mut Terms,
) -> Result<Compiled, Vec<Diagnostic>> {
    let source = Source::new(file_name, text);
    let (file, found) = parse::parse(&source);
    if !found.is_empty() {
        return Err(found);
    }
    if let Runs::From(_) = runs {
        // What the entry does not call is still held to the rules of the language.
        let (_, mut found) = lower::lower(&source, &file, Runs::Modular, &mut Terms::new());
        found.retain(|one| one.severity == Severity::Error);
        if !found.is_empty() {
            return Err(found);
        }
    }
    let (program, found) = lower::lower(&source, &file, runs, terms);
    if found.iter().any(|one| one.severity != Severity::Warning) {
        return Err(found);
    }
    Ok(Compiled { program, warnings: found })
}

/// Whether the file has a procedure of this name with a body; also true if the file cannot be read at all.
pub fn has_body(file_name: &str, text: &str, procedure: &str) -> bool {
    let (file, found) = parse::parse(&Source::new(file_name, text));
    if !found.is_empty() {
        return true;
    }
    file.declarations.iter().any(|declaration| match declaration {
        ast::Declaration::Procedure(one) | ast::Declaration::Implementation(one) => {
            one.name.text == procedure && one.body.is_some()
        }
        _ => false,
    })
}
