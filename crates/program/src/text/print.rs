//! Prints a program as text, function by function.
//!
//! Ids that follow from the order of the text are left out; where the order of the model is another,
//! `#n` says the id, so nothing is lost by grouping.

use base::{Id, Place};
use term::{Op, Sort, SortKind, Term, Terms};

use super::lex::quoted;
use super::term_print::TermPrinter;
use super::words::Worded;
use crate::{
    Action, AssertionKind, EdgeId, FunId, Graph, InputId, InputKind, Lifetime, Loc, Mark, ObjectId, OrderStep, Program,
    Var, VarKind, Variable,
};
use base::maps::OrderedSet;

/// The program as text. It keeps the laws of `validate`, else the text may not be readable.
pub fn print(program: &Program, terms: &Terms) -> String {
    let mut printer = Printer {
        program,
        terms,
        term_printer: TermPrinter::new(terms),
        out: String::new(),
        next_var: 0,
        next_edge: 0,
        next_function: 0,
    };
    printer.header();
    printer.globals();
    let graph = Graph::new(program);
    let mut locals = vec![Vec::new(); program.functions.len()];
    for var in program.vars.ids() {
        if let Some(function) = program.function_of(var) {
            locals[function.index()].push(var);
        }
    }
    for function in program.functions.ids() {
        printer.function(function, &locals[function.index()], &graph);
    }
    printer.out
}

struct Printer<'p> {
    program: &'p Program,
    terms: &'p Terms,
    term_printer: TermPrinter<'p>,
    out: String,
    // The ids that the reader expects next.
    next_var: usize,
    next_edge: usize,
    next_function: usize,
}

impl Printer<'_> {
    fn header(&mut self) {
        let p = self.program;
        self.out.push_str(&format!("cfa 1\npointer {}\n", p.pointer_width));
        if let Some(entry) = p.entry {
            self.out.push_str("entry");
            self.word_name(&p.functions[entry].name);
            self.out.push('\n');
        }
        for file in &p.files {
            self.out.push_str(&format!("file {}\n", quoted(file, '"')));
        }
        self.declarations();
        self.out.push('\n');
        for (id, assertion) in p.assertions.iter_enumerated() {
            self.out.push_str(&format!("assertion {}", id.index() + 1));
            if assertion.kind != AssertionKind::default() {
                self.word(assertion.kind.word());
            }
            self.word(&quoted(&assertion.text, '"'));
            self.end_line(assertion.place);
        }
        for (id, input) in p.inputs.iter_enumerated() {
            self.out.push_str(&format!("input i{} ", id.index()));
            self.out.push_str(&match &input.kind {
                InputKind::Nondet(name) => format!("nondet {}", quoted(name, '"')),
                InputKind::Uninitialised(name) => format!("uninitialised {}", quoted(name, '"')),
                InputKind::External(name) => format!("external {}", quoted(name, '"')),
                InputKind::Memory => "memory".to_owned(),
                InputKind::Unspecified(what) => format!("unspecified {}", quoted(what, '"')),
                InputKind::Order { what, ends, is_choice } => {
                    let choice = if *is_choice { "-choice" } else { "" };
                    let ends = if *ends { "-or-end" } else { "" };
                    format!("order{choice}{ends} {}", quoted(what, '"'))
                }
            });
            self.word(input.shown.word());
            self.end_line(input.place);
        }
        for assumption in &p.assumptions {
            self.out.push_str(&format!("assumption {}", quoted(&assumption.text, '"')));
            self.end_line(assumption.place);
        }
        for approximation in &p.approximations {
            self.out.push_str(&format!("approximation {}", quoted(&approximation.text, '"')));
            self.end_line(approximation.place);
        }
    }

    /// Uninterpreted sorts and functions, in the order in which they are met.
    fn declarations(&mut self) {
        let (p, terms) = (self.program, self.terms);
        let mut sorts: OrderedSet<Sort> = OrderedSet::default();
        let mut functions = OrderedSet::default();
        let mut seen: OrderedSet<Term> = OrderedSet::default();
        for var in &p.vars {
            sorts.insert(var.sort);
        }
        let mut stack = Vec::new();
        for edge in &p.edges {
            edge.action.for_each_term(|term| stack.push(term));
            while let Some(term) = stack.pop() {
                if !seen.insert(term) {
                    continue;
                }
                sorts.insert(terms.sort_of(term));
                match terms.op(term) {
                    Op::Symbol(symbol) if !terms.args(term).is_empty() => {
                        functions.insert(symbol);
                        sorts.extend(terms.symbol_args(symbol).iter().copied());
                    }
                    _ => {}
                }
                stack.extend(terms.args(term).iter().rev());
            }
        }
        // Arrays are made of other sorts.
        let mut next = 0;
        while let Some(&sort) = sorts.get_index(next) {
            if let &SortKind::Array(index, element) = terms.sort_kind(sort) {
                sorts.extend([index, element]);
            }
            next += 1;
        }
        for sort in sorts {
            if let SortKind::Uninterpreted(name) = terms.sort_kind(sort) {
                self.out.push_str("sort");
                self.word_name(name);
                self.out.push('\n');
            }
        }
        for symbol in functions {
            self.out.push_str("symbol");
            self.word_name(terms.symbol_name(symbol));
            self.out.push_str(" (");
            for (index, &sort) in terms.symbol_args(symbol).iter().enumerate() {
                self.out.push_str(if index == 0 { "" } else { " " });
                self.term_printer.sort(&mut self.out, sort);
            }
            self.out.push_str(") ");
            self.term_printer.sort(&mut self.out, terms.symbol_result(symbol));
            self.out.push('\n');
        }
    }

    fn globals(&mut self) {
        let p = self.program;
        self.out.push('\n');
        for var in p.vars.ids() {
            if p.function_of(var).is_none() {
                self.variable(var, None);
            }
        }
        for (id, object) in p.objects.iter_enumerated() {
            if object.owner.is_none() {
                self.object(id, "");
            }
        }
    }

    fn variable(&mut self, id: Var, function: Option<FunId>) {
        let p = self.program;
        let var = &p.vars[id];
        self.out.push_str(if function.is_some() { "  " } else { "" });
        self.out.push_str(match var.kind {
            VarKind::Global => "global",
            VarKind::Param(_) => "param",
            VarKind::Local(_) => "local",
            VarKind::Temp(_) => "temp",
            VarKind::AddressOf(_) | VarKind::AddressOfFunction(_) => "address",
        });
        self.next_var = self.id(id.index(), self.next_var);
        self.word_symbol(var);
        self.out.push(' ');
        self.term_printer.sort(&mut self.out, var.sort);
        self.word(var.shown.word());
        let function = function.map(|function| p.functions[function].name.as_str());
        if plain_name(symbol_name(self.terms, var), function) != var.name {
            self.out.push_str(&format!(" named {}", quoted(&var.name, '"')));
        }
        match var.kind {
            VarKind::AddressOf(object) => self.out.push_str(&format!(" of o{}", object.index())),
            VarKind::AddressOfFunction(function) => {
                self.out.push_str(" of function");
                self.word_name(&p.functions[function].name);
            }
            _ => {}
        }
        self.end_line(var.place);
    }

    fn object(&mut self, id: ObjectId, indent: &str) {
        let object = &self.program.objects[id];
        let name = quoted(&object.name, '"');
        self.out.push_str(&format!(
            "{indent}object o{} {name} size {} align {}",
            id.index(),
            object.size,
            object.align
        ));
        if object.read_only {
            self.word("read-only");
        }
        if !object.init.is_empty() {
            self.out.push_str(" init (");
            for (index, bytes) in object.init.chunks(32).enumerate() {
                self.out.push_str(if index == 0 { "" } else { "\n    " });
                for byte in bytes {
                    self.out.push_str(&format!("{byte:02x}"));
                }
            }
            self.out.push(')');
        }
        self.end_line(object.place);
    }

    fn function(&mut self, id: FunId, locals: &[Var], graph: &Graph) {
        let p = self.program;
        let function = &p.functions[id];
        self.out.push_str("\nfunction");
        self.next_function = self.id(id.index(), self.next_function);
        self.word_name(&function.name);
        self.out.push_str(" (");
        for (index, &param) in function.params.iter().enumerate() {
            self.out.push_str(if index == 0 { "" } else { " " });
            self.term_printer.name(&mut self.out, symbol_name(self.terms, &p.vars[param]));
        }
        self.out.push(')');
        if let Some(result) = function.result {
            self.out.push_str(" ->");
            self.word_symbol(&p.vars[result]);
        }
        self.out.push_str(&format!(" entry {} exit {}", loc(function.entry), loc(function.exit)));
        self.place(function.place);
        self.out.push_str(" {\n");
        for &var in locals {
            self.variable(var, Some(id));
        }
        for &object in &function.objects {
            self.object(object, "  ");
        }
        for &at in graph.locations(id) {
            self.location(at, graph);
        }
        self.out.push_str("}\n");
    }

    fn location(&mut self, at: Loc, graph: &Graph) {
        let location = &self.program.locations[at];
        self.out.push_str(&format!("  at {}", loc(at)));
        match &location.mark {
            Mark::None => {}
            Mark::LoopHead => self.out.push_str(" loop"),
            Mark::Label(name) => self.out.push_str(&format!(" label {}", quoted(name, '"'))),
            Mark::Error(assertion) => self.out.push_str(&format!(" error {}", assertion.index() + 1)),
        }
        self.end_line(location.place);
        for &edge in graph.outgoing(at) {
            self.edge(edge);
        }
    }

    fn edge(&mut self, id: EdgeId) {
        let p = self.program;
        let edge = &p.edges[id];
        self.out.push_str("   ");
        self.next_edge = self.id(id.index(), self.next_edge);
        match &edge.action {
            Action::Assume(condition) => self.word_term("assume", *condition),
            Action::Assign(pairs) => {
                self.word("assign");
                for (index, &(var, value)) in pairs.iter().enumerate() {
                    self.out.push_str(if index == 0 { "" } else { "," });
                    self.word_symbol(&p.vars[var]);
                    self.word_term(":=", value);
                }
            }
            Action::Havoc { var, input } => {
                self.word_var("havoc", *var);
                self.from(*input);
            }
            Action::Load { var, address } => {
                self.word_var("load", *var);
                self.word_term("at", *address);
            }
            Action::Store { address, value } => {
                self.word_term("store", *value);
                self.word_term("at", *address);
            }
            Action::Forget { address, size, input } => {
                self.word_term("forget", *address);
                if let Some(size) = size {
                    self.word_term("size", *size);
                }
                self.from(*input);
            }
            Action::Call { function, args, result } => {
                self.word("call");
                if let Some(result) = result {
                    self.word_symbol(&p.vars[*result]);
                    self.word(":=");
                }
                self.word_name(&p.functions[*function].name);
                self.out.push_str(" (");
                for (index, &arg) in args.iter().enumerate() {
                    self.out.push_str(if index == 0 { "" } else { " " });
                    self.term_printer.term(&mut self.out, arg);
                }
                self.out.push(')');
            }
            Action::Alloc { var, size, lifetime, input, moved } => {
                self.word("alloc");
                self.word_var(lifetime.word(), *var);
                self.word_term("size", *size);
                if let Some(moved) = moved {
                    self.word_term("moved", *moved);
                }
                if let Some(input) = input {
                    self.from(*input);
                }
            }
            Action::Free { address, lifetime: Lifetime::Heap } => self.word_term("free", *address),
            Action::Free { address, lifetime: Lifetime::Frame } => self.word_term("leave", *address),
            Action::End { object } => self.word_var("end", p.objects[*object].address),
            Action::Probe { var, address, bytes, access } => {
                self.word_var("probe", *var);
                self.word(access.word());
                self.word_term("at", *address);
                self.word(&format!("bytes {bytes}"));
            }
            Action::Order(step) => self.order(step),
            Action::Check { what, holds } => {
                self.word("check");
                self.word_term(what.word(), *holds);
            }
        }
        self.out.push_str(&format!(" -> {}", loc(edge.to)));
        self.end_line(edge.place);
    }

    fn order(&mut self, step: &OrderStep) {
        self.word("order");
        let access = |is_write: bool| if is_write { "write" } else { "read" };
        match *step {
            OrderStep::Open { input } => {
                self.word("open");
                self.from(input);
            }
            OrderStep::Enter { operand, parent, sequenced } => {
                self.word(if sequenced { "enter-sequenced" } else { "enter" });
                self.word(&format!("{operand} in {parent}"));
            }
            OrderStep::Leave => self.word("leave"),
            OrderStep::Close => self.word("close"),
            OrderStep::Resume => self.word("resume"),
            OrderStep::Variable { var, is_write } => self.word_var(access(is_write), var),
            OrderStep::Bits { address, first, count, is_write } => {
                self.word(&format!("bits-{} {first} {count}", access(is_write)));
                self.word_term("at", address);
            }
        }
    }

    // ---- small pieces, each with a blank before it
    fn word(&mut self, word: &str) {
        self.out.push(' ');
        self.out.push_str(word);
    }
    fn word_name(&mut self, name: &str) {
        self.out.push(' ');
        self.term_printer.name(&mut self.out, name);
    }
    fn word_symbol(&mut self, var: &Variable) {
        self.word_name(symbol_name(self.terms, var));
    }
    fn word_var(&mut self, word: &str, var: Var) {
        self.word(word);
        self.word_symbol(&self.program.vars[var]);
    }
    fn word_term(&mut self, word: &str, term: Term) {
        self.word(word);
        self.out.push(' ');
        self.term_printer.term(&mut self.out, term);
    }
    fn from(&mut self, input: InputId) {
        self.out.push_str(&format!(" from i{}", input.index()));
    }
    fn place(&mut self, place: Option<Place>) {
        if let Some(place) = place {
            self.out.push_str(&format!(" @{}:{}:{}", place.file.index(), place.line, place.column));
        }
    }
    fn end_line(&mut self, place: Option<Place>) {
        self.place(place);
        self.out.push('\n');
    }
    /// Says the id unless it is the expected one; returns what is expected next.
    fn id(&mut self, id: usize, expected: usize) -> usize {
        if id != expected {
            self.out.push_str(&format!(" #{id}"));
        }
        id + 1
    }
}

fn loc(loc: Loc) -> String {
    format!("L{}", loc.index())
}

fn symbol_name<'t>(terms: &'t Terms, var: &Variable) -> &'t str {
    match terms.op(var.term) {
        Op::Symbol(symbol) => terms.symbol_name(symbol),
        _ => panic!("a variable is a symbol (law 7)"),
    }
}

/// The name that a variable has unless the text says otherwise: its symbol without the function.
pub(super) fn plain_name<'n>(symbol: &'n str, function: Option<&str>) -> &'n str {
    let own = function.and_then(|function| symbol.strip_prefix(function)?.strip_prefix('.'));
    own.unwrap_or(symbol)
}
