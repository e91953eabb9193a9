//! LLVM in, program out: what clang and rustc write as text, versions 14 to 22.
//!
//! The stages: `scan` (a table of contents without tokens) → `lex`, `parse` (functions, globals and types when something asks for them; the tree
//! is `ir`) → `lower` (control-flow automaton), with `layout` (sizes), `debug` (places and names) and `demangle`.
//!
//! No pass of LLVM is used, and modules are expected as compilers write them before optimisation: an optimiser removes errors that stand
//! near undefined behaviour.
//!
//! ```
//! let text = "declare void @reach_error()\n
//! define i32 @main() {\n  call void @reach_error()\n  ret i32 0\n}\n";
//! let mut terms = term::Terms::new();
//! let options = llfront::Options { property: llfront::Property::UnreachCall, entry: None };
//! let compiled = llfront::compile("example.ll", text, &options, &mut terms).unwrap();
//! assert_eq!(compiled.program.assertions.len(), 1);
//! ```

#![forbid(unsafe_code)]

mod debug;
mod debug_types;
mod demangle;
pub mod ir;
mod layout;
mod lex;
mod lower;
mod mentions;
mod parse;
mod scan;
pub mod source;
mod supplement;
mod tuning;

use base::Diagnostic;
use program::Program;
use term::Terms;

pub use mentions::{PANIC, mentions};
pub use supplement::supplement;
pub use tuning::Tuning;

/// What the front end is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// What counts as an error.
    pub property: Property,
    /// The function where runs start, by its name or the end of its path; `main` if there is none.
    pub entry: Option<String>,
}

/// What counts as an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// What `UnreachCall` counts, an invalid read, write or free, and division by zero.
    Errors,
    /// A call of `reach_error` or `__VERIFIER_error`, a failing assertion, a panic.
    UnreachCall,
    /// A call of exactly this function.
    UnreachCallOf(String),
    /// Overflow, division by zero, shifts out of range.
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

/// Compiles a module. `Err` carries everything that was found, errors and unsupported constructs.
pub fn compile(file_name: &str, text: &str, options: &Options, terms: &mut Terms) -> Result<Compiled, Vec<Diagnostic>> {
    let source = source::Source { name: file_name, text };
    let module = scan::scan(text).map_err(|problem| vec![source.diagnostic(&problem, "")])?;
    let program = lower::lower(source, &module, options, terms)?;
    // LLVM's own rules are not checked one by one: a module that breaks one (a value whose definition does not dominate its use) shows here.
    if let Err(broken) = program::validate(&program, terms) {
        let message = format!("not a valid module: {}", broken[0]);
        let problem = source::Problem { severity: base::Severity::Error, at: 0, message };
        return Err(vec![source.diagnostic(&problem, "")]);
    }
    Ok(Compiled { program, warnings: Vec::new() })
}

/// Functions that the attribute `proof` marks, by their paths, in order.
pub fn proofs(text: &str) -> Vec<String> {
    let Ok(module) = scan::scan(text) else { return Vec::new() };
    let strip = |name: &&str| name.strip_prefix(lower::PROOF).map(str::to_owned);
    module.functions.iter().filter_map(strip).collect()
}

/// Functions that runs can reach, that have no body in the module and no meaning by their name. For [`supplement`].
pub fn missing(text: &str, entry: Option<&str>) -> Vec<String> {
    let Ok(module) = scan::scan(text) else { return Vec::new() };
    let options = Options { property: Property::UnreachCall, entry: entry.map(str::to_owned) };
    lower::missing(&module, &options).into_iter().map(str::to_owned).collect()
}

/// Functions of the standard library of C++ that only the compiled library has, modelled in C under their linkage names.
pub const CXX_LIBRARY: &str = include_str!("../library/cxx.c");

/// Parses the whole module, whatever is reachable; for tests. Returns the number of functions.
pub fn read_all(file_name: &str, text: &str) -> Result<usize, Vec<Diagnostic>> {
    let source = source::Source { name: file_name, text };
    let module = scan::scan(text).map_err(|problem| vec![source.diagnostic(&problem, "")])?;
    let mut types = ir::Types::default();
    let mut found = Vec::new();
    let mut note = |problem: Option<source::Problem>| found.extend(problem);
    for name in &module.functions {
        let &(start, end) = module.defined.get(name).expect("a listed function is defined");
        note(parse::Parser::new(&module, &mut types, start, Some(end)).function().err());
    }
    for name in &module.global_names {
        let &start = module.globals.get(name).expect("a listed global is there");
        note(parse::Parser::new(&module, &mut types, start, None).global().err());
    }
    if found.is_empty() {
        return Ok(module.functions.len());
    }
    Err(found.iter().take(Tuning::DEFAULT.max_diagnostics).map(|one| source.diagnostic(one, "")).collect())
}
