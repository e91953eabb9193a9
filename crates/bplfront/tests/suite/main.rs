//! The front end from text to program: what is read, what is refused and where.

mod grammar;
mod lowering;
mod meaning;
mod refusals;

use program::Program;
use term::Terms;

/// The program, which must keep the laws and survive its text form.
fn compile(text: &str) -> (Program, Terms) {
    let mut terms = Terms::new();
    let compiled = match bplfront::compile("test.bpl", text, &mut terms) {
        Ok(compiled) => compiled.program,
        Err(found) => {
            let said: Vec<String> =
                found.iter().map(|one| format!("{}:{}: {}", one.line, one.column, one.message)).collect();
            panic!("{}\n{text}", said.join("\n"))
        }
    };
    if let Err(broken) = program::validate(&compiled, &terms) {
        panic!("{broken:?}\n{text}");
    }
    let printed = program::text::print(&compiled, &terms);
    let mut again = Terms::new();
    let read =
        program::text::parse("test.cfa", &printed, &mut again).unwrap_or_else(|found| panic!("{found:?}\n{printed}"));
    assert_eq!(program::text::print(&read, &again), printed);
    (compiled, terms)
}

/// The messages about the text, each with its place.
fn complaints(text: &str) -> Vec<String> {
    match bplfront::compile("test.bpl", text, &mut Terms::new()) {
        Ok(_) => Vec::new(),
        Err(found) => found
            .iter()
            .map(|one| {
                assert_eq!(one.file, "test.bpl");
                format!("{}:{}: {:?}: {}", one.line, one.column, one.severity, one.message)
            })
            .collect(),
    }
}
