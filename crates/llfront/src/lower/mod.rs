//! Lowering: from the tree of a module to a control-flow automaton.
//!
//! What is reachable from the entry is read first (`reach`), so that calls through pointers know all functions whose address is taken. Then one
//! function after the other becomes locations and edges:
//!
//! * `function`: blocks, branches, `phi` (one simultaneous assignment on each incoming edge);
//! * `promote`: stack slots that are only loaded and stored as a whole become variables; values that mention them are saved before a write;
//! * `value`, `arithmetic`, `aggregate`: pure instructions are terms; a value is the list of its scalar parts;
//! * `memory`, `globals`: accesses with probes, copies, static storage;
//! * `call`, `intrinsic`, `words`: calls by name and by pointer, LLVM's intrinsics, what verifiers, C, C++ and Rust mean by certain names;
//! * `exceptions`, `type_info`: exceptions of C++, and which handlers fit them;
//! * `dynamic_cast`, `streams`: conversions by dynamic type, and output streams.
//!
//! **Undefined behaviour.** Operators are total. A broken promise (`nuw`, `exact`, `assume`, `unreachable`, `poison`) is a `Check`, which
//! restricts nothing; `undef` is any value at each use. `nsw` wraps.

mod aggregate;
mod arithmetic;
mod call;
mod dynamic_cast;
mod exceptions;
mod function;
mod globals;
mod intrinsic;
mod memory;
mod promote;
mod reach;
mod streams;
mod type_info;
mod value;
mod words;

use std::collections::VecDeque;
use std::rc::Rc;

use base::{Diagnostic, FastMap, Place, Severity};
use program::{Action, AssertionKind, Builder, FunId, InputId, InputKind, Loc, Program, Shown, Var};
use term::{Sort, Term, Terms};

use crate::debug::{Debug, SourcePlace};
use crate::debug_types::Typed;
use crate::ir::{Function, Signature, Type, TypeId};
use crate::layout::Shapes;
use crate::scan::Module;
use crate::source::{Problem, Source};
use crate::{Options, Property};

use function::Frame;
use globals::Home;
pub(crate) use reach::PROOF;
pub(crate) use words::{is_known_by_path, is_panic};

/// A scalar part of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leaf {
    Term(Term),
    /// Any value at each use.
    Undef,
    /// Reading it is undefined.
    Poison,
}

/// A result, or what is not treated.
type Lowered<T> = Result<T, String>;

struct Lowering<'m, 's, 't> {
    source: Source<'s>,
    module: &'m Module<'s>,
    shapes: Shapes<'m, 's>,
    debug: Debug<'m, 's>,
    options: &'m Options,
    terms: &'t mut Terms,
    builder: Builder,
    /// What was found, with the place in the source if it is known.
    problems: Vec<(Problem, Option<Place>)>,
    /// Whether rustc wrote the module.
    is_rust: bool,
    /// Bodies that were read.
    bodies: FastMap<&'s str, Rc<Function<'s>>>,
    signatures: FastMap<&'s str, Rc<Signature<'s>>>,
    /// Functions whose address is taken, in order.
    addresses: Vec<&'s str>,
    functions: FastMap<&'s str, FunId>,
    /// Functions that are declared in the program and not lowered yet.
    work: VecDeque<&'s str>,
    globals: FastMap<&'s str, Home>,
    /// Globals whose first contents are still to be set, in order.
    uninitialised: VecDeque<&'s str>,
    prepared: Vec<globals::Prepared<'s>>,
    variable_of: FastMap<Term, Var>,
    frame: Frame<'s>,
    /// Functions that can be reached and have neither a body nor a meaning.
    missing: Vec<&'s str>,
    exceptions: exceptions::Exceptions<'s>,
    /// The types of objects and variables, for reports.
    typed: Typed,
}

impl<'m, 's, 't> Lowering<'m, 's, 't> {
    fn new(source: Source<'s>, module: &'m Module<'s>, options: &'m Options, terms: &'t mut Terms) -> Self {
        let shapes = Shapes::new(module);
        let pointer_width = shapes.layout.pointer_width;
        let debug = Debug::new(module);
        let is_rust = debug.is_rust();
        Lowering {
            source,
            module,
            shapes,
            debug,
            options,
            terms,
            builder: Builder::new(pointer_width),
            problems: Vec::new(),
            is_rust,
            bodies: FastMap::new(),
            signatures: FastMap::new(),
            addresses: Vec::new(),
            functions: FastMap::new(),
            work: VecDeque::new(),
            globals: FastMap::new(),
            uninitialised: VecDeque::new(),
            prepared: Vec::new(),
            variable_of: FastMap::new(),
            frame: Frame::default(),
            missing: Vec::new(),
            exceptions: exceptions::Exceptions::default(),
            typed: Typed::default(),
        }
    }
}

/// Functions that can be reached, have no body in the module and mean nothing by their name.
pub(crate) fn missing<'s>(module: &Module<'s>, options: &Options) -> Vec<&'s str> {
    let (source, mut terms) = (Source { name: "", text: module.text }, Terms::new());
    let mut lowering = Lowering::new(source, module, options, &mut terms);
    if let Ok(entry) = lowering.find_entry() {
        lowering.reach(entry);
    }
    let thrown = lowering.wanted_library_throws();
    lowering.missing.extend(thrown);
    lowering.missing
}

/// Lowers everything reachable from the entry.
pub(crate) fn lower(
    source: Source<'_>,
    module: &Module<'_>,
    options: &Options,
    terms: &mut Terms,
) -> Result<Program, Vec<Diagnostic>> {
    let mut lowering = Lowering::new(source, module, options, terms);
    let entry = lowering.run();
    let Lowering { problems, builder, source, typed, debug, is_rust, .. } = lowering;
    match entry {
        Some(entry) if problems.is_empty() => {
            let mut program = builder.finish(entry);
            typed.describe(&debug, is_rust, &mut program);
            Ok(program)
        }
        _ => {
            let files = &builder.program().files;
            let mut found = Vec::new();
            for (problem, place) in &problems {
                let mut one = source.diagnostic(problem, "");
                if let Some(place) = place {
                    one.help = format!("line {} of the LLVM IR", one.line);
                    one.source_line = String::new();
                    (one.file, one.line, one.column) = (files[place.file].clone(), place.line, place.column);
                }
                found.push(one);
            }
            Err(found)
        }
    }
}

impl<'s> Lowering<'_, 's, '_> {
    fn run(&mut self) -> Option<FunId> {
        if let Some(what) = self.shapes.layout.refusal() {
            self.refuse(0, what.to_owned());
            return None;
        }
        if let Some(at) = self.module.assembler {
            self.refuse(at, "assembler outside of functions".to_owned());
        }
        let entry = match self.find_entry() {
            Ok(entry) => entry,
            Err(message) => {
                self.problems.push((Problem { severity: Severity::Error, at: 0, message }, None));
                return None;
            }
        };
        self.reach(entry);
        if !self.problems.is_empty() {
            return None;
        }
        self.prepare_exceptions();
        let start = self.builder.function("__start", None);
        let constructors = self.constructors();
        for &function in constructors.iter().chain([&entry]) {
            self.declare(function);
        }
        while !self.work.is_empty() || !self.uninitialised.is_empty() {
            while let Some(name) = self.work.pop_front() {
                self.function(name);
            }
            self.prepare_globals();
        }
        self.start(start, entry, &constructors);
        self.note_assumptions();
        Some(start)
    }
    fn note_assumptions(&mut self) {
        if self.debug.is_optimised() && !self.is_rust {
            let text = "this module was optimised: errors that only undefined behaviour reaches may have been removed";
            self.builder.assumption(text, None);
        }
        if let Some(count) = self.module.named.get(crate::supplement::MARK) {
            let count: String = count.chars().filter(char::is_ascii_digit).collect();
            let text = format!("functions of the standard library were read as the optimiser left them: {count}");
            self.builder.assumption(text, None);
        }
    }
    fn refuse(&mut self, at: u32, what: String) {
        let problem = Problem { severity: Severity::Unsupported, at, message: what };
        if self.problems.iter().all(|(known, _)| *known != problem) {
            self.problems.push((problem, self.frame.place));
        }
    }

    // ---- small words
    fn pointer_width(&self) -> u32 {
        self.shapes.layout.pointer_width
    }
    fn checks_memory(&self) -> bool {
        self.options.property == Property::Errors
    }
    fn place_of(&mut self, place: Option<SourcePlace>) -> Option<Place> {
        let place = place?;
        let file = self.builder.file(&place.file);
        Some(Place { file, line: place.line, column: place.column })
    }
    fn term_of(&self, var: Var) -> Term {
        self.builder.term(var)
    }
    fn scalar_sort(&mut self, ty: TypeId) -> Lowered<Sort> {
        Ok(match *self.shapes.types.kind(ty) {
            Type::Int(1) => self.terms.bool_sort(),
            Type::Int(width) => self.terms.bv_sort(width),
            Type::Pointer => self.terms.bv_sort(self.shapes.layout.pointer_width),
            Type::Float(exponent, significand) => self.terms.sort(term::SortKind::Float(exponent, significand)),
            _ => return Err("value of this type".to_owned()),
        })
    }
    fn shown_of(&self, ty: TypeId) -> Shown {
        match self.shapes.types.kind(ty) {
            Type::Int(1) => Shown::Plain,
            Type::Pointer => Shown::Pointer,
            Type::Float(..) => Shown::Float,
            _ if self.is_rust => Shown::Unsigned,
            _ => Shown::Signed,
        }
    }
    fn note_variable(&mut self, var: Var) -> Term {
        let term = self.term_of(var);
        self.variable_of.insert(term, var);
        term
    }
    fn temp(&mut self, name: &str, sort: Sort, shown: Shown) -> Var {
        let var = self.builder.temp(self.terms, self.frame.id, name, sort, shown);
        self.note_variable(var);
        var
    }

    // ---- the automaton at the current location
    fn emit(&mut self, action: Action) {
        if let Some(from) = self.frame.at {
            let place = self.frame.place;
            let to = self.builder.location(self.frame.id, place);
            self.builder.edge(from, to, action, place);
            self.frame.at = Some(to);
        }
    }
    fn emit_to(&mut self, action: Action, to: Loc) {
        if let Some(from) = self.frame.at.take() {
            self.builder.edge(from, to, action, self.frame.place);
        }
    }
    fn jump(&mut self, to: Loc) {
        let always = self.terms.truth(true);
        self.emit_to(Action::Assume(always), to);
    }
    fn fresh_location(&mut self) -> Loc {
        self.builder.location(self.frame.id, self.frame.place)
    }
    /// Goes on only where the condition holds.
    fn assume(&mut self, condition: Term) {
        if condition == self.terms.truth(false) {
            self.end_run();
        } else if condition != self.terms.truth(true) {
            self.emit(Action::Assume(condition));
        }
    }
    /// The run ends here without error.
    fn end_run(&mut self) {
        self.frame.at = None;
    }
    fn branch(&mut self, condition: Term, then: Loc, otherwise: Loc) {
        let Some(from) = self.frame.at.take() else { return };
        let place = self.frame.place;
        let (always, never) = (self.terms.truth(true), self.terms.truth(false));
        if condition == always || condition == never {
            let to = if condition == always { then } else { otherwise };
            self.builder.edge(from, to, Action::Assume(always), place);
        } else {
            let negated = self.terms.not(condition);
            self.builder.edge(from, then, Action::Assume(condition), place);
            self.builder.edge(from, otherwise, Action::Assume(negated), place);
        }
    }
    /// The assertion fails here; nothing follows.
    fn fail(&mut self, kind: AssertionKind, text: String) {
        if self.frame.at.is_some() {
            let place = self.frame.place;
            let assertion = self.builder.assertion_of(kind, text, place);
            let error = self.builder.error_location(self.frame.id, assertion);
            self.jump(error);
        }
    }
    /// Goes on if the condition holds; otherwise the assertion fails.
    fn require(&mut self, holds: Term, kind: AssertionKind, text: &str) {
        if self.frame.at.is_none() || holds == self.terms.truth(true) {
            return;
        }
        let place = self.frame.place;
        let assertion = self.builder.assertion_of(kind, text, place);
        let error = self.builder.error_location(self.frame.id, assertion);
        let fine = self.fresh_location();
        self.branch(holds, fine, error);
        self.frame.at = Some(fine);
    }
    /// The operation that follows is undefined unless the condition holds.
    fn check(&mut self, what: program::Undefined, holds: Term) {
        if holds != self.terms.truth(true) {
            self.emit(Action::Check { what, holds });
        }
    }
    fn input(&mut self, kind: InputKind, shown: Shown) -> InputId {
        self.builder.input(kind, shown, self.frame.place)
    }
    /// A variable with any value of the sort.
    fn any(&mut self, name: &str, sort: Sort, kind: InputKind, shown: Shown) -> Term {
        let var = self.temp(name, sort, shown);
        let input = self.input(kind, shown);
        self.emit(Action::Havoc { var, input });
        self.term_of(var)
    }
}
