//! C in, program out.
//!
//! The stages, one module each, in the order of their work:
//! `source` (text, lines, `#line`) → `lex` (tokens) → `parse` (syntax tree, `ast`) → `sema` (types,
//! conversions, layout; typed tree, `hir`) → `lower` (control-flow automaton). `library` holds the
//! models of functions that programs call without defining them, themselves written in C.
//!
//! The input is preprocessed text; the driver runs the preprocessor.

#![forbid(unsafe_code)]

pub mod ast;
#[cfg(test)]
mod dump;
pub mod hir;
mod known_attributes;
mod known_buffers;
mod known_functions;
mod known_pragmas;
pub mod lex;
mod library;
pub mod lower;
pub mod parse;
pub mod sema;
pub mod source;
mod tuning;
pub mod weave;
mod wide;

use base::Diagnostic;
use program::Program;
use term::Terms;

pub use hir::DataModel;
pub use library::model_name;
use source::Source;
pub use tuning::Tuning;

/// What the front end is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sizes of the types.
    pub data_model: DataModel,
    /// What counts as an error.
    pub property: Property,
    /// What `malloc` and its relatives return when there is no memory.
    pub malloc: Malloc,
    /// Where runs start; `None`: in `main`.
    pub start: Option<Start>,
}

/// A function where runs start instead of `main`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// Its name.
    pub function: String,
    /// What global variables hold then.
    pub globals: Globals,
}

/// What global variables hold where a run starts that does not start in `main`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Globals {
    /// Any value, if some part of the program writes them.
    #[default]
    Any,
    /// What their definitions say.
    Initial,
}

impl Options {
    /// These sizes and this property; `malloc` never fails, and runs start in `main`.
    pub fn new(data_model: DataModel, property: Property) -> Options {
        Options { data_model, property, malloc: Malloc::NeverFails, start: None }
    }
}

/// Whether there is always memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Malloc {
    /// There is: `malloc` never returns null.
    #[default]
    NeverFails,
    /// Each call of `malloc`, `calloc`, `realloc` and the like may return null.
    MayFail,
}

/// What counts as an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Property {
    /// What `UnreachCall` counts, an invalid read, write or free, and division by zero.
    Errors,
    /// A call of `reach_error`, `__VERIFIER_error`, or a failing assertion.
    UnreachCall,
    /// A call of exactly this function.
    UnreachCallOf(String),
    /// Signed overflow, division by zero, shifts out of range.
    NoOverflow,
    /// Errors in the use of memory, of these kinds.
    Memory(MemoryErrors),
    /// A run without end. No location is an error: the program asks by an assertion (`program::AssertionKind::Ends`).
    Termination,
}

/// Which errors in the use of memory count, by the names of the competition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryErrors {
    /// `valid-deref`: an access outside of a live object.
    pub deref: bool,
    /// `valid-free`: a free of what is not the start of a live heap object.
    pub free: bool,
    /// `valid-memtrack`: allocated memory that no pointer leads to.
    pub track: bool,
    /// `valid-memcleanup`: allocated memory that is not freed when the program ends.
    pub cleanup: bool,
}

impl MemoryErrors {
    /// `valid-memsafety`.
    pub const SAFETY: MemoryErrors = MemoryErrors { deref: true, free: true, track: true, cleanup: false };
    /// None of them.
    pub const NONE: MemoryErrors = MemoryErrors { deref: false, free: false, track: false, cleanup: false };

    /// These and the others.
    pub fn and(self, other: MemoryErrors) -> MemoryErrors {
        MemoryErrors {
            deref: self.deref || other.deref,
            free: self.free || other.free,
            track: self.track || other.track,
            cleanup: self.cleanup || other.cleanup,
        }
    }
    /// Whether all of these are among the others.
    pub fn is_part_of(self, others: MemoryErrors) -> bool {
        let within = |one: bool, other: bool| other || !one;
        within(self.deref, others.deref)
            && within(self.free, others.free)
            && within(self.track, others.track)
            && within(self.cleanup, others.cleanup)
    }
    /// The names of those that count.
    pub fn names(self) -> Vec<&'static str> {
        let all = [
            (self.deref, "valid-deref"),
            (self.free, "valid-free"),
            (self.track, "valid-memtrack"),
            (self.cleanup, "valid-memcleanup"),
        ];
        all.into_iter().filter(|one| one.0).map(|one| one.1).collect()
    }
}

/// A program with what was noticed on the way.
#[derive(Debug)]
pub struct Compiled {
    /// The program; it passes `program::validate`.
    pub program: Program,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Compiles a preprocessed C file. `Err` carries everything that was found, errors and unsupported constructs.
pub fn compile(file_name: &str, text: &str, options: &Options, terms: &mut Terms) -> Result<Compiled, Vec<Diagnostic>> {
    compile_files(&[(file_name, text)], options, terms)
}

/// Compiles preprocessed C files, given as name and text, to one program, as a compiler and a linker would.
///
/// # Panics
/// Without a file.
pub fn compile_files(
    files: &[(&str, &str)],
    options: &Options,
    terms: &mut Terms,
) -> Result<Compiled, Vec<Diagnostic>> {
    let (&(name, text), later) = files.split_first().expect("a program has at least one file");
    let mut source = Source::new(name, text);
    let (ast, mut diagnostics) = parse::parse(&source);
    let mut asts = vec![ast];
    for (name, text) in later {
        let start = source.append(name, text);
        let mut ast = ast::Ast::default();
        diagnostics.extend(parse::parse_more(&mut ast, &source, start));
        asts.push(ast);
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    finish(asts, &mut source, options, terms)
}

/// Compiles preprocessed C with insertions woven in (see [`weave`]); also says where each of them went. What
/// is wrong with the types in an insertion is a diagnostic whose file is the name of the insertion.
pub fn compile_woven(
    file_name: &str,
    text: &str,
    options: &Options,
    prelude: &str,
    insertions: &[weave::Insertion],
    terms: &mut Terms,
) -> Result<(Compiled, Vec<weave::Woven>), weave::Unwoven> {
    let mut source = Source::new(file_name, text);
    let (mut ast, diagnostics) = parse::parse(&source);
    if !diagnostics.is_empty() {
        return Err(weave::Unwoven::Program(diagnostics));
    }
    let places = weave::weave(&mut ast, &mut source, prelude, insertions)?;
    let compiled = finish(vec![ast], &mut source, options, terms).map_err(weave::Unwoven::Program)?;
    Ok((compiled, places))
}

/// From the trees of the files to the program.
fn finish(
    mut asts: Vec<ast::Ast>,
    source: &mut Source,
    options: &Options,
    terms: &mut Terms,
) -> Result<Compiled, Vec<Diagnostic>> {
    // One file has the models: they have names of their own, which lowering finds from everywhere.
    for file in library::needed(&asts) {
        let start = source.append(file.name, file.text);
        let diagnostics = parse::parse_more(&mut asts[0], source, start);
        assert!(diagnostics.is_empty(), "the library parses: {diagnostics:?}");
    }
    let (unit, diagnostics) = sema::analyse(&asts, source, options.data_model);
    if diagnostics.iter().any(|d| d.severity != base::Severity::Warning) {
        return Err(diagnostics);
    }
    let program = lower::lower(&unit, source, options, terms)?;
    debug_assert_eq!(program::validate(&program, terms), Ok(()), "lowering keeps the laws of programs");
    Ok(Compiled { program, warnings: diagnostics })
}

/// The texts of the models of library functions, in C; a model of NAME is called as [`model_name`] says.
pub fn model_sources() -> impl Iterator<Item = &'static str> {
    library::FILES.iter().map(|file| file.text)
}
