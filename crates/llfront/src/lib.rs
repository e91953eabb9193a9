//! LLVM in, program out.

#![forbid(unsafe_code)]

pub mod ir;
mod lex;
mod parse;
mod scan;
pub mod source;
mod tuning;

pub use tuning::Tuning;

/// Parses the whole module, whatever is reachable; for tests. Returns the number of functions.
pub fn read_all(file_name: &str, text: &str) -> Result<usize, Vec<base::Diagnostic>> {
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
