//! C in, program out.
//!
//! The stages, one module each, in the order of their work:
//! `source` (text, lines, `#line`) → `lex` (tokens) → `parse` (syntax tree, `ast`) → `sema` (types,
//! conversions, layout; typed tree, `hir`) → `lower` (control-flow automaton). `library` holds the
//! models of functions that programs call without defining them, themselves written in C.
//!
//! The input is preprocessed text; whoever reads files has run the preprocessor before.

#![forbid(unsafe_code)]

pub mod ast;
pub mod dump;
pub mod hir;
pub mod lex;
mod library;
pub mod lower;
pub mod parse;
pub mod sema;
pub mod source;

use base::Diagnostic;
use program::Program;
use term::Terms;

pub use hir::DataModel;
use source::Source;

/// What the front end is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sizes of the types.
    pub data_model: DataModel,
    /// What counts as an error.
    pub property: Property,
}

/// What counts as an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// A call of `reach_error`, `__VERIFIER_error`, or a failing assertion.
    UnreachCall,
    /// A call of exactly this function.
    UnreachCallOf(String),
    /// Signed overflow, division by zero, shifts out of range.
    NoOverflow,
}

/// A program with what was noticed on the way.
#[derive(Debug)]
pub struct Compiled {
    /// The program; it passes `program::validate`.
    pub program: Program,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Compiles preprocessed C. `Err` carries everything that was found, errors and unsupported constructs.
pub fn compile(file_name: &str, text: &str, options: &Options, terms: &mut Terms) -> Result<Compiled, Vec<Diagnostic>> {
    let mut source = Source::new(file_name, text);
    let (mut ast, diagnostics) = parse::parse(&source);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    for file in library::needed(&ast) {
        let start = source.append(file.name, file.text);
        let diagnostics = parse::parse_more(&mut ast, &source, start);
        assert!(diagnostics.is_empty(), "the library parses: {diagnostics:?}");
    }
    let (unit, diagnostics) = sema::analyse(&ast, &source, options.data_model);
    if diagnostics.iter().any(|d| d.severity != base::Severity::Warning) {
        return Err(diagnostics);
    }
    let program = lower::lower(&unit, &source, options, terms)?;
    debug_assert_eq!(program::validate(&program, terms), Ok(()), "lowering keeps the laws of programs");
    Ok(Compiled { program, warnings: diagnostics })
}
