//! The `.cfa` text form: everything in a program, for people to read, write and compare.
//!
//! The form is described in `docs/cfa.md`. Reading what was printed gives the same program, ids
//! included; into a store that does not simplify it prints the same bytes again, and a simplifying store
//! may write some terms in another way. Reading never panics: it reports everything that is wrong, with
//! its place, and goes on with the next line that looks like an item.

mod cursor;
mod lex;
mod print;
mod read;
mod read_function;
mod slots;
mod term_print;
mod term_read;
mod words;

#[cfg(test)]
mod tests;

pub use print::print;
pub use read::parse;
