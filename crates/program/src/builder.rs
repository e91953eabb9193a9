//! Building programs: each call adds one thing and keeps the tables consistent.
//!
//! The model is plain data, and many of its laws tie two tables together: an object has an address
//! variable that points back at it, an automatic object stands in its owner's list, a variable's
//! term is a symbol of the store that no other variable has. The builder keeps these ties, so that
//! front ends and tests only say what they mean.
//!
//! **Names.** The symbol of a global is its name, that of a local is `function.name`, and that of an
//! address is `&name`; where the symbol is taken (a shadowed local, another sort in the store) it gets
//! a suffix `!2`, `!3`, and so on. The variable's own name stays as the user wrote it.

use base::{FastMap, FileId, Id, Place};
use term::{Sort, Term, Terms};

use crate::{
    AccessKind, Action, Assertion, AssertionId, AssertionKind, Assumption, Edge, EdgeId, FunId, Function, Input,
    InputId, InputKind, Loc, Location, Mark, Object, ObjectId, Program, Shown, Undefined, Var, VarKind, Variable,
};

/// A program under construction.
#[derive(Clone, Debug)]
pub struct Builder {
    program: Program,
    /// For each symbol in use, the suffix to try next when it is asked for again.
    taken: FastMap<String, u32>,
    files: FastMap<String, FileId>,
}

impl Builder {
    /// An empty program with pointers of 32 or 64 bits.
    pub fn new(pointer_width: u32) -> Self {
        let program = Program { pointer_width, ..Program::default() };
        Builder { program, taken: FastMap::new(), files: FastMap::new() }
    }
    /// The program, which starts at `entry`.
    pub fn finish(mut self, entry: FunId) -> Program {
        self.program.entry = Some(entry);
        self.program
    }
    /// The program as it is so far.
    pub fn program(&self) -> &Program {
        &self.program
    }
    /// The program as it is so far, to be changed by hand.
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.program
    }

    // ---- files and notes for the user
    /// The id of this file name.
    pub fn file(&mut self, name: &str) -> FileId {
        let table = &mut self.program.files;
        *self.files.get_or_insert_with(name.to_owned(), || table.push(name.to_owned()))
    }
    /// A place where free values come in.
    pub fn input(&mut self, kind: InputKind, shown: Shown, place: Option<Place>) -> InputId {
        self.program.inputs.push(Input { kind, shown, place })
    }
    /// An assertion.
    pub fn assertion(&mut self, text: impl Into<String>, place: Option<Place>) -> AssertionId {
        self.assertion_of(AssertionKind::Condition, text, place)
    }
    /// An assertion of this kind.
    pub fn assertion_of(&mut self, kind: AssertionKind, text: impl Into<String>, place: Option<Place>) -> AssertionId {
        self.program.assertions.push(Assertion { text: text.into(), place, kind })
    }
    /// Adds a note for the user; equal notes are kept once.
    pub fn assumption(&mut self, text: impl Into<String>, place: Option<Place>) {
        let text = text.into();
        if self.program.assumptions.iter().all(|known| known.text != text) {
            self.program.assumptions.push(Assumption { text, place });
        }
    }

    // ---- variables
    /// A variable that lives as long as the program.
    pub fn global(&mut self, terms: &mut Terms, name: &str, sort: Sort, shown: Shown, place: Option<Place>) -> Var {
        self.variable(terms, name, name, sort, VarKind::Global, shown, place)
    }
    /// The next parameter of the function.
    pub fn param(
        &mut self,
        terms: &mut Terms,
        function: FunId,
        name: &str,
        sort: Sort,
        shown: Shown,
        place: Option<Place>,
    ) -> Var {
        let symbol = self.qualified(function, name);
        let var = self.variable(terms, &symbol, name, sort, VarKind::Param(function), shown, place);
        self.program.functions[function].params.push(var);
        var
    }
    /// A local variable that the user declared.
    pub fn local(
        &mut self,
        terms: &mut Terms,
        function: FunId,
        name: &str,
        sort: Sort,
        shown: Shown,
        place: Option<Place>,
    ) -> Var {
        let symbol = self.qualified(function, name);
        self.variable(terms, &symbol, name, sort, VarKind::Local(function), shown, place)
    }
    /// A local variable for an intermediate value; several may have the same name.
    pub fn temp(&mut self, terms: &mut Terms, function: FunId, name: &str, sort: Sort, shown: Shown) -> Var {
        let symbol = self.qualified(function, name);
        self.variable(terms, &symbol, name, sort, VarKind::Temp(function), shown, None)
    }
    /// The term that stands for the variable's value.
    pub fn term(&self, var: Var) -> Term {
        self.program.vars[var].term
    }

    // ---- objects
    /// An object that exists from the start; its first contents are `init` and zeros.
    pub fn static_object(
        &mut self,
        terms: &mut Terms,
        name: &str,
        size: u64,
        align: u32,
        init: Vec<u8>,
        place: Option<Place>,
    ) -> ObjectId {
        self.object(terms, name, size, align, init, None, place)
    }
    /// An object of each activation of the function.
    pub fn automatic_object(
        &mut self,
        terms: &mut Terms,
        owner: FunId,
        name: &str,
        size: u64,
        align: u32,
        place: Option<Place>,
    ) -> ObjectId {
        self.object(terms, name, size, align, Vec::new(), Some(owner), place)
    }
    /// The address variable of the object.
    pub fn address_of(&self, object: ObjectId) -> Var {
        self.program.objects[object].address
    }

    // ---- functions
    /// A function with an entry and an exit location, so far without parameters and result.
    pub fn function(&mut self, name: &str, place: Option<Place>) -> FunId {
        let id = self.program.functions.next_id();
        let entry = self.location(id, place);
        let exit = self.location(id, None);
        self.program.functions.push(Function {
            name: name.to_owned(),
            params: Vec::new(),
            result: None,
            entry,
            exit,
            objects: Vec::new(),
            address: None,
            place,
        })
    }
    /// Names the local variable that holds the result at the exit.
    pub fn set_result(&mut self, function: FunId, result: Var) {
        self.program.functions[function].result = Some(result);
    }
    /// The address variable of the function, made when it is first asked for.
    pub fn address_of_function(&mut self, terms: &mut Terms, function: FunId) -> Var {
        if let Some(var) = self.program.functions[function].address {
            return var;
        }
        let name = format!("&{}", self.program.functions[function].name);
        let sort = terms.bv_sort(self.program.pointer_width);
        let place = self.program.functions[function].place;
        let kind = VarKind::AddressOfFunction(function);
        let var = self.variable(terms, &name, &name, sort, kind, Shown::Pointer, place);
        self.program.functions[function].address = Some(var);
        var
    }
    /// Where the function starts.
    pub fn entry_of(&self, function: FunId) -> Loc {
        self.program.functions[function].entry
    }
    /// Where the function returns from.
    pub fn exit_of(&self, function: FunId) -> Loc {
        self.program.functions[function].exit
    }

    // ---- locations
    /// A location without a mark.
    pub fn location(&mut self, function: FunId, place: Option<Place>) -> Loc {
        self.marked_location(function, Mark::None, place)
    }
    /// A location with a mark.
    pub fn marked_location(&mut self, function: FunId, mark: Mark, place: Option<Place>) -> Loc {
        self.program.locations.push(Location { function, place, mark })
    }
    /// The location where the assertion fails.
    pub fn error_location(&mut self, function: FunId, assertion: AssertionId) -> Loc {
        let place = self.program.assertions[assertion].place;
        self.marked_location(function, Mark::Error(assertion), place)
    }

    // ---- edges
    /// An edge.
    pub fn edge(&mut self, from: Loc, to: Loc, action: Action, place: Option<Place>) -> EdgeId {
        self.program.edges.push(Edge { from, to, action, place })
    }
    /// An edge on which nothing happens.
    pub fn step(&mut self, terms: &mut Terms, from: Loc, to: Loc) -> EdgeId {
        let always = terms.truth(true);
        self.edge(from, to, Action::Assume(always), None)
    }
    /// An edge that passes if the condition holds.
    pub fn assume(&mut self, from: Loc, to: Loc, condition: Term, place: Option<Place>) -> EdgeId {
        self.edge(from, to, Action::Assume(condition), place)
    }
    /// An edge that assigns one variable.
    pub fn assign(&mut self, from: Loc, to: Loc, var: Var, value: Term, place: Option<Place>) -> EdgeId {
        self.edge(from, to, Action::Assign(vec![(var, value)]), place)
    }
    /// An edge on which the variable receives a free value.
    pub fn havoc(&mut self, from: Loc, to: Loc, var: Var, input: InputId, place: Option<Place>) -> EdgeId {
        self.edge(from, to, Action::Havoc { var, input }, place)
    }
    /// An edge after which something is undefined unless the condition holds.
    pub fn check(&mut self, from: Loc, to: Loc, what: Undefined, holds: Term, place: Option<Place>) -> EdgeId {
        self.edge(from, to, Action::Check { what, holds }, place)
    }

    #[allow(clippy::too_many_arguments)] // One for each column of the table.
    fn variable(
        &mut self,
        terms: &mut Terms,
        symbol: &str,
        name: &str,
        sort: Sort,
        kind: VarKind,
        shown: Shown,
        place: Option<Place>,
    ) -> Var {
        let term = self.fresh_symbol(terms, symbol, sort);
        self.program.vars.push(Variable { name: name.to_owned(), term, sort, kind, shown, place })
    }
    #[allow(clippy::too_many_arguments)] // One for each column of the table.
    fn object(
        &mut self,
        terms: &mut Terms,
        name: &str,
        size: u64,
        align: u32,
        init: Vec<u8>,
        owner: Option<FunId>,
        place: Option<Place>,
    ) -> ObjectId {
        let id = self.program.objects.next_id();
        let address_name = format!("&{name}");
        let symbol = match owner {
            None => address_name.clone(),
            Some(function) => self.qualified(function, &address_name),
        };
        let sort = terms.bv_sort(self.program.pointer_width);
        let kind = VarKind::AddressOf(id);
        let address = self.variable(terms, &symbol, &address_name, sort, kind, Shown::Pointer, place);
        if let Some(function) = owner {
            self.program.functions[function].objects.push(id);
        }
        let object = Object {
            name: name.to_owned(),
            address,
            size,
            align,
            owner,
            init,
            read_only: false,
            place,
            live: None,
            exposed: false,
        };
        self.program.objects.push(object)
    }
    fn qualified(&self, function: FunId, name: &str) -> String {
        format!("{}.{name}", self.program.functions[function].name)
    }
    /// A symbol that no variable of this program has. The store may know it already, from another
    /// program, if it has the same sort there.
    fn fresh_symbol(&mut self, terms: &mut Terms, base_name: &str, sort: Sort) -> Term {
        if !self.taken.contains_key(base_name) {
            self.taken.insert(base_name.to_owned(), 2);
            if let Some(symbol) = terms.declare(base_name, &[], sort) {
                return terms.apply(symbol, &[]);
            }
        }
        loop {
            let suffix = self.taken.get_mut(base_name).expect("a symbol that was asked for is taken");
            let candidate = format!("{base_name}!{suffix}");
            *suffix += 1;
            if self.taken.insert(candidate.clone(), 2).is_some() {
                continue;
            }
            if let Some(symbol) = terms.declare(&candidate, &[], sort) {
                return terms.apply(symbol, &[]);
            }
        }
    }
}

impl Program {
    /// How a place reads: `file:line:column`, without what is not known.
    pub fn show_place(&self, place: Place) -> String {
        let file = self.files.get(place.file).map_or("?", String::as_str);
        match place.column {
            0 => format!("{file}:{}", place.line),
            column => format!("{file}:{}:{column}", place.line),
        }
    }
    /// The function that a variable belongs to, if it exists once per activation of one.
    pub fn function_of(&self, var: Var) -> Option<FunId> {
        match self.vars[var].kind {
            VarKind::Param(function) | VarKind::Local(function) | VarKind::Temp(function) => Some(function),
            VarKind::AddressOf(object) => self.objects[object].owner,
            VarKind::Global | VarKind::AddressOfFunction(_) => None,
        }
    }
    /// The assertion that every run ends, if that is the question.
    pub fn ends_asked(&self) -> Option<AssertionId> {
        self.assertions.iter().position(|one| one.kind == AssertionKind::Ends).map(AssertionId::new)
    }
    /// The function of this name.
    pub fn function_named(&self, name: &str) -> Option<FunId> {
        self.functions.iter().position(|function| function.name == name).map(FunId::new)
    }
}

impl AccessKind {
    /// The word for it, in the text form and for users.
    pub fn word(self) -> &'static str {
        match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Free => "free",
            AccessKind::Track => "track",
        }
    }
}

impl Assertion {
    /// What holds if all is well, as a sentence or the condition itself.
    pub fn claim(&self) -> String {
        format!("{}{}", self.text, self.kind.words().0)
    }
    /// What has happened, with words for the place such as " at a.c:3".
    pub fn violation(&self, place: &str) -> String {
        match self.kind {
            AssertionKind::Condition | AssertionKind::Unreached | AssertionKind::Order => {
                format!("{}{place}{}", self.text, self.kind.words().1)
            }
            _ => format!("{}{}{place}", self.text, self.kind.words().1),
        }
    }
}

impl AssertionKind {
    /// What is said behind the text: if all is well, and if not.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            AssertionKind::Condition => ("", " fails"),
            AssertionKind::Unreached => ("", " is reached"),
            AssertionKind::Overflow => (" does not overflow", " overflows"),
            AssertionKind::Division => (" does not divide by zero", " divides by zero"),
            AssertionKind::Shift => (" shifts within range", " shifts out of range"),
            AssertionKind::Access(AccessKind::Read) => (" is a valid read", " is an invalid read"),
            AssertionKind::Access(AccessKind::Write) => (" is a valid write", " is an invalid write"),
            AssertionKind::Access(AccessKind::Free) => (" is a valid free", " is an invalid free"),
            AssertionKind::Access(AccessKind::Track) => (" loses no allocated memory", " loses allocated memory"),
            AssertionKind::Cleanup => (" leaves no memory allocated", " leaves memory allocated"),
            AssertionKind::Target => {
                (" goes to a function or label of its type", " goes to no function or label of its type")
            }
            AssertionKind::Length => (" has a length that is not negative", " has a negative length"),
            AssertionKind::Ends => (" ends in every run", " has a run without end"),
            AssertionKind::Order => (" does not matter", " matters"),
        }
    }
    /// The property of memory that it belongs to, by the competition's name.
    pub fn subproperty(self) -> Option<&'static str> {
        match self {
            AssertionKind::Access(AccessKind::Read | AccessKind::Write)
            | AssertionKind::Target
            | AssertionKind::Length => Some("valid-deref"),
            AssertionKind::Access(AccessKind::Free) => Some("valid-free"),
            AssertionKind::Access(AccessKind::Track) => Some("valid-memtrack"),
            AssertionKind::Cleanup => Some("valid-memcleanup"),
            _ => None,
        }
    }
    /// Whether it is about integer arithmetic.
    pub fn is_arithmetic(self) -> bool {
        matches!(self, AssertionKind::Overflow | AssertionKind::Division | AssertionKind::Shift)
    }
}

impl Program {
    /// The assertions of this kind.
    pub fn assertion_ids(&self, kind: AssertionKind) -> Vec<AssertionId> {
        self.assertions.ids().filter(|&id| self.assertions[id].kind == kind).collect()
    }
}

impl Action {
    /// Calls `visit` with each term that the action reads; a mark of the order of evaluation reads none.
    pub fn for_each_term(&self, mut visit: impl FnMut(Term)) {
        match self {
            Action::Assume(condition) => visit(*condition),
            Action::Assign(pairs) => pairs.iter().for_each(|&(_, value)| visit(value)),
            Action::Havoc { .. } | Action::End { .. } | Action::Order(_) => {}
            Action::Load { address, .. } | Action::Free { address, .. } | Action::Probe { address, .. } => {
                visit(*address)
            }
            Action::Store { address, value } => {
                visit(*address);
                visit(*value);
            }
            Action::Forget { address, size, .. } => {
                visit(*address);
                size.iter().for_each(|&size| visit(size));
            }
            Action::Call { args, .. } => args.iter().for_each(|&arg| visit(arg)),
            Action::Alloc { size, moved, .. } => {
                visit(*size);
                moved.iter().for_each(|&moved| visit(moved));
            }
            Action::Check { holds, .. } => visit(*holds),
        }
    }
    /// Calls `visit` with each variable that the action writes.
    pub fn for_each_target(&self, mut visit: impl FnMut(Var)) {
        match self {
            Action::Assign(pairs) => pairs.iter().for_each(|&(var, _)| visit(var)),
            Action::Havoc { var, .. }
            | Action::Load { var, .. }
            | Action::Alloc { var, .. }
            | Action::Probe { var, .. } => visit(*var),
            Action::Call { result, .. } => result.iter().for_each(|&var| visit(var)),
            Action::Assume(_)
            | Action::Store { .. }
            | Action::Forget { .. }
            | Action::Free { .. }
            | Action::End { .. }
            | Action::Order(_)
            | Action::Check { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_symbol_gets_a_suffix_and_the_name_stays() {
        let mut terms = Terms::new();
        let (bool_sort, word) = (terms.bool_sort(), terms.bv_sort(32));
        terms.variable("x!2", bool_sort);
        let mut b = Builder::new(64);
        let f = b.function("f", None);
        let vars = [
            b.global(&mut terms, "x", word, Shown::Signed, None),
            b.global(&mut terms, "x", word, Shown::Signed, None),
            b.global(&mut terms, "x!3", word, Shown::Signed, None),
            b.local(&mut terms, f, "x", word, Shown::Signed, None),
        ];
        let symbols: Vec<String> = vars
            .iter()
            .map(|&var| match terms.op(b.term(var)) {
                term::Op::Symbol(symbol) => terms.symbol_name(symbol).to_owned(),
                other => panic!("a variable is a symbol, not {other:?}"),
            })
            .collect();
        // x!2 has another sort in the store, and x!3 is given away before it is asked for.
        assert_eq!(symbols, ["x", "x!3", "x!3!2", "f.x"]);
        assert_eq!(b.program().vars[vars[1]].name, "x");
        assert_eq!(b.program().function_of(vars[3]), Some(f));
    }

    #[test]
    fn an_object_its_address_and_its_owner_know_each_other() {
        let mut terms = Terms::new();
        let mut b = Builder::new(32);
        let f = b.function("f", None);
        let fixed = b.static_object(&mut terms, "table", 8, 4, vec![1], None);
        let automatic = b.automatic_object(&mut terms, f, "buffer", 16, 1, None);
        let address = b.address_of_function(&mut terms, f);
        assert_eq!(b.address_of_function(&mut terms, f), address);
        let program = b.finish(f);
        assert_eq!(program.functions[f].objects, [automatic]);
        assert_eq!(program.vars[program.objects[fixed].address].kind, VarKind::AddressOf(fixed));
        assert_eq!(program.vars[program.objects[automatic].address].name, "&buffer");
        assert_eq!(program.function_of(program.objects[automatic].address), Some(f));
        assert_eq!(program.function_of(program.objects[fixed].address), None);
        assert_eq!(program.functions[f].address, Some(address));
        assert_eq!(program.function_named("f"), Some(f));
    }

    #[test]
    fn a_file_and_an_assumption_are_kept_once() {
        let mut b = Builder::new(32);
        let file = b.file("a.c");
        assert_eq!(b.file("a.c"), file);
        assert_ne!(b.file("b.c"), file);
        let place = Place { file, line: 3, column: 0 };
        b.assumption("puts has no effect", Some(place));
        b.assumption("puts has no effect", None);
        assert_eq!(b.program().assumptions.len(), 1);
        assert_eq!(b.program().show_place(place), "a.c:3");
        assert_eq!(b.program().show_place(Place { column: 7, ..place }), "a.c:3:7");
    }
}
