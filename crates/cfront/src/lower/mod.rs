//! Lowering: from the typed tree to the control-flow automaton.
//!
//! Everything that can be reached from `main` is turned into locations and edges, one function at a
//! time. The ideas, one file each:
//!
//! * `reach`: which functions, statics and function addresses `main` can get at;
//! * `graph`: the automaton of the function at hand, with a current location; `tidy` makes it small;
//! * `expr`, `assign`, `condition`, `place`: expressions become pure terms, and their effects edges in
//!   front of them. Values that wait for a later operand are *pending*; a write of a variable first
//!   saves the pending values that mention it (`pending`), so temporaries appear only where needed;
//! * `arithmetic`, `float`, `builtin`, `checks`: the operators, bit by bit, and where C leaves them undefined;
//! * `leaks`: what is asked where the program ends;
//! * `assembler`: what is assumed of assembler that is not known exactly;
//! * `entry`: what holds where a run starts that does not start in `main`;
//! * `memory`, `init`, `globals`: copying, zeroing and initialising objects; the start of the program;
//! * `call`, `variadic`, `vocabulary`, `externals`: calls by name and by pointer, what verifiers and the
//!   C library mean by certain names, and what is assumed of functions without a definition (`weak`: that they are null).
//!
//! **Order of evaluation**, where C leaves it open and nothing can notice it: operands and arguments from left to right; in
//! an assignment the place, then the value, then the write; in `a op= b` the place, then `b`, then the
//! old value of `a`; a called pointer before its arguments. Where effects conflict the order is a choice: `effects` finds
//! what operands access, `order` the conflicts, `schedule` lowers the orders, `watch` marks operands where they are too many.
//!
//! **`main`** may have parameters: `argc` is any number not below zero, `argv` (and `envp`) any pointer;
//! both count as values from outside, so an error that needs them is not confirmed by replay alone.
//!
//! **`volatile`**: reading a static `volatile` variable, or through a pointer to `volatile`, gives any
//! value. Automatic `volatile` variables are plain variables: no other code can see them.

mod arithmetic;
mod assembler;
mod assign;
mod blocks;
mod buffers;
mod builtin;
mod call;
mod checks;
mod condition;
mod effects;
mod entry;
mod expr;
mod externals;
mod float;
mod format;
mod function;
mod globals;
mod graph;
mod init;
mod labels;
mod leaks;
mod literals;
mod memory;
mod observed;
mod order;
mod origin;
mod padding;
mod pending;
mod place;
mod pointer_targets;
mod printed;
mod prune;
mod reach;
mod scanned;
mod schedule;
mod scope;
mod source_types;
mod stmt;
mod summary;
mod temporaries;
mod texts;
mod tidy;
mod types;
mod variadic;
mod vocabulary;
mod walk;
mod watch;
mod weak;

use std::collections::VecDeque;

use base::{Diagnostic, FastMap, Id, IndexVec, Place, Severity};
use program::{
    AccessKind, Assumption, Function, Input, InputId, InputKind, Loc, Object, ObjectId, Program, Shown, Var, VarKind,
    Variable,
};
use term::{Sort, Term, Terms};

use crate::ast::Span;
use crate::hir::{DataModel, FunctionId, StringId, Unit, VarId};
use crate::source::Source;
use crate::{MemoryErrors, Options, Property};

use function::Current;
use literals::Shared;
use observed::Observed;
use padding::Padded;
use reach::Reach;
use schedule::Orders;

// law: the stack holds this many levels.
/// How deeply typed expressions and statements may nest before we refuse them. The parser's limit comes
/// first; reads and conversions, which semantic analysis writes out, stand between its levels.
const MAX_DEPTH: u32 = 4 * crate::parse::MAX_DEPTH;

/// Lowers everything reachable from `main`.
pub fn lower(unit: &Unit, source: &Source, options: &Options, terms: &mut Terms) -> Result<Program, Vec<Diagnostic>> {
    let defined = |&f: &FunctionId| unit.functions[unit.same_function(f)].body.is_some();
    let wanted = options.start.as_ref().map_or("main", |start| start.function.as_str());
    let Some(main) = unit.functions.ids().filter(|&f| unit.functions[f].name == wanted).find(defined) else {
        let help = match options.start {
            None => "the program starts there; define `int main(void)`, or name another function with --function",
            Some(_) => "--function names a function of the program that has a body",
        };
        let message = format!("there is no function `{wanted}`");
        return Err(vec![source.diagnostic(Severity::Error, Span::default(), message, help)]);
    };
    let main = unit.same_function(main);
    let mut lowering = Lowering::new(unit, source, options, terms);
    lowering.reach = Reach::from(unit, main);
    lowering.find_orders();
    lowering.start_function(main);
    while let Some(function) = lowering.work.pop_front() {
        lowering.function(function);
    }
    if !lowering.diagnostics.is_empty() {
        return Err(lowering.diagnostics);
    }
    lowering.program.files = source.files.clone();
    lowering.describe_types();
    prune::prune(&mut lowering.program);
    lowering.ask_whether_it_ends(main);
    Ok(lowering.program)
}

/// Where a C variable lives.
#[derive(Clone, Copy, Debug)]
enum Home {
    /// In a variable of the program.
    Variable(Var),
    /// In memory.
    Object(ObjectId),
    /// In memory of variable size; the variable holds the address.
    Allocated(Var),
}

/// The whole of lowering: what was asked, what was built, and the function at hand.
struct Lowering<'a> {
    unit: &'a Unit,
    source: &'a Source,
    options: &'a Options,
    terms: &'a mut Terms,
    reach: Reach,
    program: Program,
    diagnostics: Vec<Diagnostic>,
    /// Homes of the C variables met so far.
    homes: IndexVec<VarId, Option<Home>>,
    /// Functions of the program for C functions met so far.
    functions: FastMap<FunctionId, program::FunId>,
    /// The names of the functions of the program.
    function_names: FastMap<String, ()>,
    /// Functions declared in the program whose bodies are still to be lowered.
    work: VecDeque<FunctionId>,
    /// Objects of the string literals met so far.
    strings: IndexVec<StringId, Option<ObjectId>>,
    /// Objects that stand for labels whose address is taken.
    label_objects: FastMap<(FunctionId, crate::hir::LabelId), ObjectId>,
    /// From a variable's term back to the variable.
    variable_of: FastMap<Term, Var>,
    /// How often a made-up symbol was wanted, to find the next free one.
    name_counts: FastMap<String, u32>,
    /// Functions and variables whose assumption has been reported.
    assumed: FastMap<String, ()>,
    current: Current,
    /// Operands whose order of evaluation is open.
    orders: Orders<'a>,
    /// Results that are looked at for more than their sign; found when first asked for.
    observed: Option<Observed>,
    /// Structures whose padding can be seen; found when first asked for.
    padded: Option<Padded>,
    /// String literals that may share their storage; found when first asked for.
    shared: Option<Shared>,
    /// What an allocation in the expression at hand is for, and what was allocated where; for reports.
    allocated_as: Option<crate::hir::TypeId>,
    allocations: Vec<(Place, crate::hir::TypeId)>,
    /// The counter of live heap objects, where leaks are errors.
    heap_objects: Option<Var>,
}

impl<'a> Lowering<'a> {
    fn new(unit: &'a Unit, source: &'a Source, options: &'a Options, terms: &'a mut Terms) -> Self {
        let mut homes = IndexVec::new();
        homes.grow_to(unit.vars.len(), None);
        let mut strings = IndexVec::new();
        strings.grow_to(unit.strings.len(), None);
        let pointer_width = match unit.types.model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        };
        Lowering {
            unit,
            source,
            options,
            terms,
            reach: Reach::default(),
            program: Program { pointer_width, ..Program::default() },
            diagnostics: Vec::new(),
            homes,
            functions: FastMap::new(),
            function_names: FastMap::new(),
            work: VecDeque::new(),
            strings,
            label_objects: FastMap::new(),
            variable_of: FastMap::new(),
            name_counts: FastMap::new(),
            assumed: FastMap::new(),
            current: Current::default(),
            orders: Orders::default(),
            observed: None,
            padded: None,
            shared: None,
            heap_objects: None,
            allocated_as: None,
            allocations: Vec::new(),
        }
    }

    /// Finds the operands whose order of evaluation is open, and refuses what cannot be treated.
    fn find_orders(&mut self) {
        let mut plans = order::plan(self.unit, &self.reach, &|function| self.is_error_function(function));
        for (span, what) in std::mem::take(&mut plans.refused) {
            self.unsupported(span, what);
        }
        self.orders = Orders::new(plans);
    }
    fn pointer_width(&self) -> u32 {
        self.program.pointer_width
    }
    fn place(&self, span: Span) -> Option<Place> {
        Some(self.source.place(span.start))
    }
    /// Adds the assertion that every run ends, if that is the property.
    fn ask_whether_it_ends(&mut self, main: FunctionId) {
        if self.options.property == Property::Termination {
            let place = self.place(self.unit.functions[main].span);
            let (text, kind) = ("the program".to_owned(), program::AssertionKind::Ends);
            self.program.assertions.push(program::Assertion { text, place, kind });
        }
    }
    /// Whether runs note a signed overflow: as an error, or because a run without end must have none.
    fn notes_overflow(&self) -> bool {
        self.checks_overflow() || self.options.property == Property::Termination
    }
    fn checks_overflow(&self) -> bool {
        self.options.property == Property::NoOverflow
    }
    /// Whether an invalid read or write is an error.
    fn checks_memory(&self) -> bool {
        self.options.property == Property::Errors || self.memory_property().is_some_and(|memory| memory.deref)
    }
    /// Which errors in the use of memory count, if the property is about them.
    fn memory_property(&self) -> Option<MemoryErrors> {
        match self.options.property {
            Property::Memory(memory) => Some(memory),
            _ => None,
        }
    }
    /// Whether an invalid access of this kind is an error.
    fn checks_access(&self, access: AccessKind) -> bool {
        match access {
            AccessKind::Free => {
                self.options.property == Property::Errors || self.memory_property().is_some_and(|memory| memory.free)
            }
            _ => self.checks_memory(),
        }
    }

    /// Refuses a construct; the first refusal at each place is kept.
    fn unsupported(&mut self, span: Span, what: impl Into<String>) {
        let diagnostic = self.source.diagnostic(Severity::Unsupported, span, what, "");
        if self.diagnostics.last() != Some(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }
    /// Goes one level deeper, or refuses.
    fn deeper<T>(&mut self, span: Span, otherwise: T, body: impl FnOnce(&mut Self) -> T) -> T {
        if self.current.depth >= MAX_DEPTH {
            self.unsupported(span, "expression or statement nested too deeply");
            return otherwise;
        }
        self.current.depth += 1;
        let result = body(self);
        self.current.depth -= 1;
        result
    }

    /// Reports once what is assumed about the function or variable of this name.
    fn assume_about(&mut self, name: &str, text: String, span: Span) {
        if self.assumed.insert(name.to_owned(), ()).is_none() {
            let place = self.place(span);
            self.program.assumptions.push(Assumption { text, place });
        }
    }

    // ---- variables, objects, inputs

    /// A fresh symbol, made from the wanted name.
    fn free_symbol(&mut self, wanted: String) -> String {
        if self.terms.lookup(&wanted).is_none() {
            return wanted;
        }
        loop {
            let count = self.name_counts.get_or_insert_with(wanted.clone(), || 1);
            *count += 1;
            let candidate = format!("{wanted}.{count}");
            if self.terms.lookup(&candidate).is_none() {
                return candidate;
            }
        }
    }
    /// A new variable. Its symbol is the name behind that of its function.
    fn new_variable(&mut self, name: &str, sort: Sort, kind: VarKind, shown: Shown, place: Option<Place>) -> Var {
        let prefix = match kind {
            VarKind::Global | VarKind::AddressOfFunction(_) => None,
            VarKind::Param(f) | VarKind::Local(f) | VarKind::Temp(f) => Some(f),
            VarKind::AddressOf(object) => self.program.objects.get(object).and_then(|o: &Object| o.owner),
        };
        let prefix = prefix.map_or(String::new(), |f| format!("{}.", self.program.functions[f].name));
        let symbol = self.free_symbol(format!("{prefix}{name}"));
        let name = symbol[prefix.len()..].to_owned();
        let term = self.terms.variable(&symbol, sort);
        let var = self.program.vars.push(Variable { name, term, sort, kind, shown, place });
        self.variable_of.insert(term, var);
        var
    }
    /// A new local variable for an intermediate value of the function at hand.
    fn new_temp(&mut self, hint: &str, sort: Sort, shown: Shown) -> Var {
        self.current.n_temps += 1;
        let name = format!("{hint}!{}", self.current.n_temps);
        self.new_variable(&name, sort, VarKind::Temp(self.current.id), shown, None)
    }
    fn term_of(&self, var: Var) -> Term {
        self.program.vars[var].term
    }
    /// A new object with its address variable; automatic ones belong to the function at hand.
    fn new_object(&mut self, name: &str, size: u64, align: u32, automatic: bool, span: Span) -> ObjectId {
        let owner = automatic.then_some(self.current.id);
        let place = self.place(span);
        let id = self.program.objects.push(Object {
            name: name.to_owned(),
            address: Var::new(0),
            size,
            align,
            owner,
            init: Vec::new(),
            read_only: false,
            place,
            live: None,
            exposed: false,
        });
        let sort = self.pointer_sort();
        let address = self.new_variable(&format!("&{name}"), sort, VarKind::AddressOf(id), Shown::Pointer, place);
        self.program.objects[id].address = address;
        if let Some(function) = owner {
            self.program.functions[function].objects.push(id);
        }
        id
    }
    fn object_address(&self, object: ObjectId) -> Term {
        self.term_of(self.program.objects[object].address)
    }
    fn new_input(&mut self, kind: InputKind, shown: Shown, span: Span) -> InputId {
        let place = self.place(span);
        self.program.inputs.push(Input { kind, shown, place })
    }
    /// The function's entry in the program, made now if this is its first use.
    fn blank_function(&mut self, name: &str, span: Span) -> program::FunId {
        let place = self.place(span);
        self.program.functions.push(Function {
            name: name.to_owned(),
            params: Vec::new(),
            result: None,
            entry: Loc::new(0),
            exit: Loc::new(0),
            objects: Vec::new(),
            address: None,
            place,
        })
    }
}
