//! The laws that every program keeps. Front ends yield programs that keep them, passes preserve
//! them, engines and the interpreter rely on them without asking again.
//!
//!  1. Every id names something: variables, functions, locations, objects, inputs, assertions, files,
//!     terms of the store.
//!  2. Pointers have 32 or 64 bits.
//!  3. There is an entry function, and it takes no parameters.
//!  4. Functions have distinct names; a function's entry and exit are locations of its own.
//!  5. An edge stays inside one function.
//!  6. No edge leaves an error location or an exit, and an exit is no error location.
//!  7. Each variable is a symbol without arguments, of the variable's sort; no two share a symbol.
//!  8. A parameter belongs to one position of its own function; a result is a local variable or
//!     temporary of the function.
//!  9. An object's address variable has the kind that says so and the width of a pointer; alike for
//!     functions. Nothing else has such a kind.
//! 10. An object's alignment is a power of two; its first contents fit into it, and only a static
//!     object has any; it stands once in its owner's list and in no other.
//! 11. Conditions of `Assume` and `Check` are of sort Bool.
//! 12. An assignment's targets are distinct and have the sorts of their values; a call's arguments
//!     fit the parameters, and its result, if wanted, exists and fits.
//! 13. Addresses and sizes are bit-vectors as wide as a pointer.
//! 14. What is loaded or stored has whole bytes, or is Bool or a float.
//! 15. Terms and targets mention only variables visible in their function: globals, constant
//!     addresses of static objects and functions, its own parameters, locals, temporaries and
//!     addresses of its own automatic objects.
//! 16. Address variables are never written.
//! 17. No path from a function's entry reads a local variable or temporary before it is written; the
//!     exit reads the result. No path takes an edge whose condition is the term `false`.
//!
//! Locations that cannot be reached are allowed, and so are assertions without an error location.
//! When law 1 is broken, nothing else is looked at.

use std::fmt;

use base::{FastMap, FileId, Id, IndexVec, Place};
use term::{Op, Sort, SortKind, Term, Terms};

use crate::{Action, Edge, EdgeId, FunId, Graph, InputId, Mark, ObjectId, OrderStep, Program, Var, VarKind};

mod definite;

// law: the interpreter keeps a table of operands.
/// Operands of one expression at most: runs keep a table of them.
const MAX_OPERANDS: u32 = 1 << 20;

/// Checks all laws and reports everything that breaks one.
pub fn validate(program: &Program, terms: &Terms) -> Result<(), Vec<Violation>> {
    let mut check = Check { program, terms, var_of: FastMap::new(), found: Vec::new() };
    check.ids();
    if check.found.is_empty() {
        check.program_as_a_whole();
        check.variables();
        check.functions();
        check.objects();
        check.edges();
    }
    if check.found.is_empty() {
        // Reads and writes are only meaningful once every edge is known to be well formed.
        check.definite_assignment();
    }
    if check.found.is_empty() { Ok(()) } else { Err(check.found) }
}

/// A broken law and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The number of the law in the list at the head of this file.
    pub law: u8,
    /// A sentence that names the location, edge, variable, object or function.
    pub text: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (law {})", self.text, self.law)
    }
}

struct Check<'a> {
    program: &'a Program,
    terms: &'a Terms,
    var_of: FastMap<Term, Var>,
    found: Vec<Violation>,
}

impl Check<'_> {
    fn broken(&mut self, law: u8, text: String) {
        self.found.push(Violation { law, text });
    }
    fn require(&mut self, holds: bool, law: u8, text: impl FnOnce() -> String) {
        if !holds {
            self.broken(law, text());
        }
    }

    // ---- law 1
    /// All ids are in range. Long: one check per table of the program.
    fn ids(&mut self) {
        let p = self.program;
        let mut broken = Vec::new();
        let mut need = |known: bool, what: &str, id: &dyn fmt::Debug, owner: &dyn fmt::Debug| {
            if !known {
                broken.push(format!("{owner:?} names {what} {id:?}, which does not exist"));
            }
        };
        let known_place = |place: Option<Place>| place.is_none_or(|place| has(&p.files, place.file));
        let known_term = |term: Term| term.index() < self.terms.len();
        let file_of = |place: Option<Place>| place.map_or(FileId::new(0), |place| place.file);

        if let Some(entry) = p.entry {
            need(has(&p.functions, entry), "the function", &entry, &format_args!("the program"));
        }
        for (id, var) in p.vars.iter_enumerated() {
            match var.kind {
                VarKind::Global => {}
                VarKind::Param(f) | VarKind::Local(f) | VarKind::Temp(f) | VarKind::AddressOfFunction(f) => {
                    need(has(&p.functions, f), "the function", &f, &id);
                }
                VarKind::AddressOf(object) => need(has(&p.objects, object), "the object", &object, &id),
            }
            need(known_place(var.place), "the file", &file_of(var.place), &id);
            need(known_term(var.term), "the term", &var.term, &id);
        }
        for (id, object) in p.objects.iter_enumerated() {
            need(has(&p.vars, object.address), "the variable", &object.address, &id);
            if let Some(owner) = object.owner {
                need(has(&p.functions, owner), "the function", &owner, &id);
            }
            need(known_place(object.place), "the file", &file_of(object.place), &id);
        }
        for (id, function) in p.functions.iter_enumerated() {
            for var in function.params.iter().chain(&function.result).chain(&function.address) {
                need(has(&p.vars, *var), "the variable", var, &id);
            }
            for loc in [function.entry, function.exit] {
                need(has(&p.locations, loc), "the location", &loc, &id);
            }
            for object in &function.objects {
                need(has(&p.objects, *object), "the object", object, &id);
            }
            need(known_place(function.place), "the file", &file_of(function.place), &id);
        }
        for (id, location) in p.locations.iter_enumerated() {
            need(has(&p.functions, location.function), "the function", &location.function, &id);
            if let Mark::Error(assertion) = location.mark {
                need(has(&p.assertions, assertion), "the assertion", &assertion, &id);
            }
            need(known_place(location.place), "the file", &file_of(location.place), &id);
        }
        for (id, edge) in p.edges.iter_enumerated() {
            for loc in [edge.from, edge.to] {
                need(has(&p.locations, loc), "the location", &loc, &id);
            }
            edge.action.for_each_term(|term| need(known_term(term), "the term", &term, &id));
            edge.action.for_each_target(|var| need(has(&p.vars, var), "the variable", &var, &id));
            match edge.action {
                Action::Order(OrderStep::Variable { var, .. }) => need(has(&p.vars, var), "the variable", &var, &id),
                Action::Order(OrderStep::Bits { address, .. }) => need(known_term(address), "the term", &address, &id),
                _ => {}
            }
            if let Some(input) = input_of(&edge.action) {
                need(has(&p.inputs, input), "the input", &input, &id);
            }
            if let Action::Call { function, .. } = edge.action {
                need(has(&p.functions, function), "the function", &function, &id);
            }
            need(known_place(edge.place), "the file", &file_of(edge.place), &id);
        }
        for (id, input) in p.inputs.iter_enumerated() {
            need(known_place(input.place), "the file", &file_of(input.place), &id);
        }
        for (id, assertion) in p.assertions.iter_enumerated() {
            need(known_place(assertion.place), "the file", &file_of(assertion.place), &id);
        }
        for assumption in p.assumptions.iter().chain(&p.approximations) {
            need(known_place(assumption.place), "the file", &file_of(assumption.place), &format_args!("an assumption"));
        }
        self.found.extend(broken.into_iter().map(|text| Violation { law: 1, text }));
    }

    // ---- laws 2 and 3
    fn program_as_a_whole(&mut self) {
        let p = self.program;
        self.require(matches!(p.pointer_width, 32 | 64), 2, || format!("pointers have {} bits", p.pointer_width));
        match p.entry {
            None => self.broken(3, "the program has no entry function".to_owned()),
            Some(entry) => {
                let function = &p.functions[entry];
                self.require(function.params.is_empty(), 3, || {
                    format!("the entry function {} takes parameters", function.name)
                });
            }
        }
    }

    // ---- law 7, and the kinds of law 8 and 9 seen from the variable
    fn variables(&mut self) {
        let p = self.program;
        for (id, var) in p.vars.iter_enumerated() {
            let plain = matches!(self.terms.op(var.term), Op::Symbol(_)) && self.terms.args(var.term).is_empty();
            self.require(plain, 7, || format!("{} is not a symbol without arguments", show_variable(p, id)));
            self.require(self.terms.sort_of(var.term) == var.sort, 7, || {
                format!("{} and its term differ in sort", show_variable(p, id))
            });
            if let Some(other) = self.var_of.insert(var.term, id) {
                self.broken(7, format!("{} and {} share a symbol", show_variable(p, other), show_variable(p, id)));
            }
            let pointer = self.is_pointer(var.sort);
            match var.kind {
                VarKind::Param(function) => self.require(p.functions[function].params.contains(&id), 8, || {
                    format!(
                        "{} is not in the list of parameters of {}",
                        show_variable(p, id),
                        p.functions[function].name
                    )
                }),
                VarKind::AddressOf(object) => {
                    self.require(p.objects[object].address == id, 9, || {
                        format!("{} is not the address of {}", show_variable(p, id), show_object(p, object))
                    });
                    self.require(pointer, 9, || format!("{} is not as wide as a pointer", show_variable(p, id)));
                }
                VarKind::AddressOfFunction(function) => {
                    self.require(p.functions[function].address == Some(id), 9, || {
                        format!(
                            "{} is not the address of function {}",
                            show_variable(p, id),
                            p.functions[function].name
                        )
                    });
                    self.require(pointer, 9, || format!("{} is not as wide as a pointer", show_variable(p, id)));
                }
                VarKind::Global | VarKind::Local(_) | VarKind::Temp(_) => {}
            }
        }
    }

    // ---- laws 4, 8 and 9
    fn functions(&mut self) {
        let p = self.program;
        let mut names: FastMap<&str, FunId> = FastMap::new();
        for (id, function) in p.functions.iter_enumerated() {
            let name = function.name.as_str();
            if let Some(other) = names.insert(name, id) {
                self.broken(4, format!("{other:?} and {id:?} are both called {name}"));
            }
            for (what, loc) in [("entry", function.entry), ("exit", function.exit)] {
                self.require(p.locations[loc].function == id, 4, || {
                    format!("the {what} {loc:?} of {name} belongs to another function")
                });
            }
            self.require(!matches!(p.locations[function.exit].mark, Mark::Error(_)), 6, || {
                format!("the exit {:?} of {name} is an error location", function.exit)
            });
            let mut seen: FastMap<Var, ()> = FastMap::new();
            for &param in &function.params {
                self.require(p.vars[param].kind == VarKind::Param(id), 8, || {
                    format!("{} is listed as a parameter of {name}, but its kind is another", show_variable(p, param))
                });
                self.require(seen.insert(param, ()).is_none(), 8, || {
                    format!("{} is listed twice as a parameter of {name}", show_variable(p, param))
                });
            }
            if let Some(result) = function.result {
                let own = matches!(p.vars[result].kind, VarKind::Local(f) | VarKind::Temp(f) if f == id);
                self.require(own, 8, || {
                    format!("the result {} of {name} is not a local of its own", show_variable(p, result))
                });
            }
            if let Some(address) = function.address {
                self.require(p.vars[address].kind == VarKind::AddressOfFunction(id), 9, || {
                    format!("{} is listed as the address of {name}, but its kind is another", show_variable(p, address))
                });
            }
        }
    }

    // ---- laws 9 and 10
    fn objects(&mut self) {
        let p = self.program;
        let mut listed: IndexVec<ObjectId, u32> = p.objects.iter().map(|_| 0).collect();
        for (id, function) in p.functions.iter_enumerated() {
            for &object in &function.objects {
                listed[object] += 1;
                self.require(p.objects[object].owner == Some(id), 10, || {
                    format!("{} is in the list of {}, which does not own it", show_object(p, object), function.name)
                });
            }
        }
        for (id, object) in p.objects.iter_enumerated() {
            let name = || show_object(p, id);
            self.require(p.vars[object.address].kind == VarKind::AddressOf(id), 9, || {
                format!("{} has the address {}, whose kind is another", name(), show_variable(p, object.address))
            });
            self.require(object.align.is_power_of_two(), 10, || format!("{} has alignment {}", name(), object.align));
            self.require(object.init.len() as u64 <= object.size, 10, || {
                format!("{} starts with {} bytes, and has {}", name(), object.init.len(), object.size)
            });
            if object.owner.is_some() {
                self.require(object.init.is_empty(), 10, || format!("the automatic {} has first contents", name()));
                self.require(listed[id] == 1, 10, || {
                    format!("{} stands {} times in the list of its owner", name(), listed[id])
                });
            }
        }
    }

    // ---- laws 5, 6 and 11 to 16
    fn edges(&mut self) {
        let p = self.program;
        let mut exits: IndexVec<_, bool> = p.locations.iter().map(|_| false).collect();
        for function in &p.functions {
            exits[function.exit] = true;
        }
        let mut reader = VariablesOf::new(self.terms);
        for (id, edge) in p.edges.iter_enumerated() {
            let (from, to) = (&p.locations[edge.from], &p.locations[edge.to]);
            self.require(from.function == to.function, 5, || format!("{} leaves its function", show_edge(p, id)));
            self.require(!matches!(from.mark, Mark::Error(_)), 6, || {
                format!("{} leaves an error location", show_edge(p, id))
            });
            self.require(!exits[edge.from], 6, || format!("{} leaves the exit of its function", show_edge(p, id)));
            self.sorts(id, edge);
            self.visibility(id, edge, from.function, &mut reader);
        }
    }

    /// The sorts of an action fit. Long: one `match` over all actions.
    fn sorts(&mut self, id: EdgeId, edge: &Edge) {
        let (p, terms) = (self.program, self.terms);
        let at = || show_edge(p, id);
        match &edge.action {
            Action::Assume(condition) | Action::Check { holds: condition, .. } => {
                self.require(terms.is_bool(*condition), 11, || format!("the condition on {} is not Bool", at()));
            }
            Action::Assign(pairs) => {
                let mut seen: FastMap<Var, ()> = FastMap::new();
                for &(var, value) in pairs {
                    self.require(p.vars[var].sort == terms.sort_of(value), 12, || {
                        format!("{} and its value on {} differ in sort", show_variable(p, var), at())
                    });
                    let first = pairs.len() == 1 || seen.insert(var, ()).is_none();
                    self.require(first, 12, || format!("{} is assigned twice on {}", show_variable(p, var), at()));
                }
            }
            Action::Havoc { .. } => {}
            Action::Order(OrderStep::Bits { address, .. }) => self.pointer_term(*address, "address", id),
            Action::Order(OrderStep::Enter { operand, parent, .. }) => {
                self.require(*operand.max(parent) <= MAX_OPERANDS, 13, || format!("{} names too many operands", at()));
            }
            Action::Order(_) => {}
            Action::Load { var, address } => {
                self.pointer_term(*address, "address", id);
                self.in_bytes(p.vars[*var].sort, id);
            }
            Action::Store { address, value } => {
                self.pointer_term(*address, "address", id);
                self.in_bytes(terms.sort_of(*value), id);
            }
            Action::Forget { address, size, .. } => {
                self.pointer_term(*address, "address", id);
                if let Some(size) = size {
                    self.pointer_term(*size, "size", id);
                }
            }
            Action::Free { address, .. } => self.pointer_term(*address, "address", id),
            Action::End { object } => {
                let owner = p.objects[*object].owner;
                self.require(owner == Some(p.locations[edge.from].function), 13, || {
                    format!("{} ends an object of another function", at())
                });
            }
            Action::Probe { var, address, .. } => {
                self.pointer_term(*address, "address", id);
                self.require(terms.is_bool(p.vars[*var].term), 13, || {
                    format!("{}, which receives the answer on {}, is not Bool", show_variable(p, *var), at())
                });
            }
            Action::Alloc { var, size, moved, .. } => {
                self.pointer_term(*size, "size", id);
                if let Some(moved) = moved {
                    self.pointer_term(*moved, "address", id);
                }
                self.require(self.is_pointer(p.vars[*var].sort), 13, || {
                    format!("{}, which receives the address on {}, is no pointer", show_variable(p, *var), at())
                });
            }
            Action::Call { function, args, result } => {
                let callee = &p.functions[*function];
                self.require(args.len() == callee.params.len(), 12, || {
                    format!("{} passes {} arguments to {} parameters", at(), args.len(), callee.params.len())
                });
                for (&arg, &param) in args.iter().zip(&callee.params) {
                    self.require(terms.sort_of(arg) == p.vars[param].sort, 12, || {
                        format!("the argument for {} on {} has another sort", show_variable(p, param), at())
                    });
                }
                match (*result, callee.result) {
                    (None, _) => {}
                    (Some(_), None) => {
                        self.broken(12, format!("{} uses the result of {}, which has none", at(), callee.name));
                    }
                    (Some(var), Some(given)) => self.require(p.vars[var].sort == p.vars[given].sort, 12, || {
                        format!("{} receives a result of another sort on {}", show_variable(p, var), at())
                    }),
                }
            }
        }
    }

    fn visibility(&mut self, id: EdgeId, edge: &Edge, function: FunId, reader: &mut VariablesOf) {
        let (p, terms) = (self.program, self.terms);
        let mut mentioned = Vec::new();
        let mut strangers = Vec::new();
        reader.start();
        edge.action.for_each_term(|term| {
            reader.read(terms, term, |symbol| match self.var_of.get(&symbol) {
                Some(&var) => mentioned.push(var),
                None => strangers.push(symbol),
            });
        });
        edge.action.for_each_target(|var| mentioned.push(var));
        for symbol in strangers {
            let Op::Symbol(name) = terms.op(symbol) else { continue };
            let name = terms.symbol_name(name);
            self.broken(15, format!("{} mentions {name}, which is no variable of the program", show_edge(p, id)));
        }
        for var in mentioned {
            self.require(p.function_of(var).is_none_or(|owner| owner == function), 15, || {
                format!("{} mentions {}, which belongs to another function", show_edge(p, id), show_variable(p, var))
            });
        }
        edge.action.for_each_target(|var| {
            let constant = matches!(p.vars[var].kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_));
            self.require(!constant, 16, || format!("{} writes {}", show_edge(p, id), show_variable(p, var)));
        });
    }

    // ---- law 17
    fn definite_assignment(&mut self) {
        let p = self.program;
        let graph = Graph::new(p);
        for unwritten in definite::read_before_written(p, self.terms, &graph, &self.var_of) {
            let var = show_variable(p, unwritten.var);
            let text = match unwritten.read_by {
                Some(read) => format!("{} reads {var}, and a path leads there without writing it", show_edge(p, read)),
                None => format!("a path leads to the exit without writing the result {var}"),
            };
            self.broken(17, text);
        }
    }

    fn is_pointer(&self, sort: Sort) -> bool {
        *self.terms.sort_kind(sort) == SortKind::BitVec(self.program.pointer_width)
    }
    fn pointer_term(&mut self, term: Term, what: &str, id: EdgeId) {
        let p = self.program;
        self.require(self.is_pointer(self.terms.sort_of(term)), 13, || {
            format!("the {what} on {} is not as wide as a pointer", show_edge(p, id))
        });
    }
    fn in_bytes(&mut self, sort: Sort, id: EdgeId) {
        let p = self.program;
        let fits = match self.terms.sort_kind(sort) {
            SortKind::Bool | SortKind::Float(..) => true,
            SortKind::BitVec(width) => width % 8 == 0,
            _ => false,
        };
        self.require(fits, 14, || format!("the value on {} does not fill whole bytes", show_edge(p, id)));
    }
}

/// Finds the symbols without arguments in terms; what was seen since `start` is not seen again.
pub(crate) struct VariablesOf {
    round: u32,
    /// The round in which each term of the store was seen last.
    seen: Vec<u32>,
    stack: Vec<Term>,
}

impl VariablesOf {
    pub(crate) fn new(terms: &Terms) -> Self {
        VariablesOf { round: 0, seen: vec![0; terms.len()], stack: Vec::new() }
    }
    pub(crate) fn start(&mut self) {
        self.round += 1;
    }
    pub(crate) fn read(&mut self, terms: &Terms, term: Term, mut visit: impl FnMut(Term)) {
        self.stack.push(term);
        while let Some(term) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[term.index()], self.round) == self.round {
                continue;
            }
            match terms.args(term) {
                [] if matches!(terms.op(term), Op::Symbol(_)) => visit(term),
                args => self.stack.extend_from_slice(args),
            }
        }
    }
}

fn has<I: Id, T>(table: &IndexVec<I, T>, id: I) -> bool {
    id.index() < table.len()
}

fn input_of(action: &Action) -> Option<InputId> {
    match action {
        Action::Havoc { input, .. } | Action::Forget { input, .. } | Action::Order(OrderStep::Open { input }) => {
            Some(*input)
        }
        Action::Alloc { input, .. } => *input,
        _ => None,
    }
}

// How things are named in sentences.

fn show_variable(p: &Program, id: Var) -> String {
    let var = &p.vars[id];
    match p.function_of(id) {
        Some(function) => format!("variable {id:?} `{}` of {}", var.name, p.functions[function].name),
        None => format!("variable {id:?} `{}`", var.name),
    }
}

fn show_object(p: &Program, id: ObjectId) -> String {
    format!("object {id:?} `{}`", p.objects[id].name)
}

fn show_edge(p: &Program, id: EdgeId) -> String {
    let edge = &p.edges[id];
    let name = &p.functions[p.locations[edge.from].function].name;
    match edge.place {
        Some(place) => {
            format!("edge {id:?} from {:?} to {:?} in {name} at {}", edge.from, edge.to, p.show_place(place))
        }
        None => format!("edge {id:?} from {:?} to {:?} in {name}", edge.from, edge.to),
    }
}

#[cfg(test)]
mod tests;
