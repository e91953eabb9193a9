//! Commands, one by one. The reader keeps what scripts declare and define, with their scopes; the
//! caller executes the commands.

use base::FastMap;

use super::lexer::{At, Kind, Lexer, ReadError};
use super::names::{self, Words};
use super::sexpr::{Node, Sexprs};
use super::sort::SortDefinition;
use crate::derived::Function;
use crate::sort::{Sort, SortKind};
use crate::store::{Symbol, Term, Terms};

/// A command with its terms read and its macros expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Command {
    SetLogic(String),
    /// Keyword and value, as text.
    SetOption(String, String),
    /// Keyword and value, as text.
    SetInfo(String, String),
    DeclareSort(String),
    DefineSort(String),
    /// `declare-fun` and `declare-const`.
    DeclareFun(Symbol),
    /// The parameters are variables that stand for the arguments; uses are expanded already.
    DefineFun {
        name: String,
        params: Vec<Term>,
        body: Term,
    },
    /// The name is that of an annotation around the whole formula.
    Assert {
        formula: Term,
        name: Option<String>,
    },
    Push(u32),
    Pop(u32),
    CheckSat,
    CheckSatAssuming(Vec<Term>),
    /// Terms with their text as written.
    GetValue(Vec<(Term, String)>),
    GetModel,
    GetUnsatCore,
    GetUnsatAssumptions,
    /// The names in each part, from first to last.
    GetInterpolants(Vec<Vec<String>>),
    GetAssignment,
    GetAssertions,
    GetProof,
    GetInfo(String),
    GetOption(String),
    /// The text without quotes.
    Echo(String),
    Reset,
    ResetAssertions,
    Exit,
}

/// An attribute that a term carries beside `:named`, such as `:next` and `:init` in transition systems.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// With its colon.
    pub keyword: String,
    /// The value as text, a symbol without its bars.
    pub value: Option<String>,
    /// What it is about.
    pub term: Term,
    /// The line of the keyword, from one.
    pub line: u32,
    /// The column of the keyword in characters, from one.
    pub column: u32,
}

/// A macro: parameters are variables of the store.
#[derive(Clone)]
pub(super) struct Definition {
    pub params: Vec<Term>,
    pub body: Term,
}

/// Reads the commands of a script one after the other.
pub struct Reader<'a> {
    lexer: Lexer<'a>,
    pub(super) operators: FastMap<&'static str, Function>,
    pub(super) symbols: FastMap<String, Symbol>,
    pub(super) definitions: FastMap<String, Definition>,
    pub(super) sorts: FastMap<String, SortDefinition>,
    /// Values of `let`, innermost last.
    pub(super) bindings: FastMap<String, Vec<Term>>,
    /// Terms that were given a name.
    pub(super) names: Vec<(String, Term)>,
    /// Attributes other than names, not yet taken.
    pub(super) annotations: Vec<Annotation>,
    /// Where the last command begins.
    place: At,
    /// What each open scope has introduced.
    scopes: Vec<Vec<String>>,
    /// The reserved words, where a name between bars is always a declared one and a bare reserved word never is.
    pub(super) apart: Option<Words>,
    /// Whether `:next` declares the symbol that it names.
    pub(super) declares_next: bool,
    /// Whether names of the store are known without a declaration.
    pub(super) knows_the_store: bool,
    /// Whether `1` is a real number, as in logics without integers.
    pub(super) numerals_are_real: bool,
    global_declarations: bool,
}

/// All commands of a script.
pub fn read_script(terms: &mut Terms, text: &str) -> Result<Vec<Command>, ReadError> {
    let mut reader = Reader::new(text);
    let mut commands = Vec::new();
    while let Some(command) = reader.next(terms)? {
        commands.push(command);
    }
    Ok(commands)
}

/// One term over the symbols of the store.
pub fn read_term(terms: &mut Terms, text: &str) -> Result<Term, ReadError> {
    let mut reader = Reader::new(text);
    reader.knows_the_store = true;
    for sort in terms.uninterpreted_sorts() {
        let name = terms.sort_text(sort).trim_matches('|').to_owned();
        reader.sorts.insert(name, SortDefinition { params: Vec::new(), body: sort });
    }
    let nothing = ReadError { line: 1, column: 1, message: "a term is expected".to_owned() };
    let (sexprs, node) = Sexprs::read(&mut reader.lexer)?.ok_or(nothing)?;
    let term = reader.term(terms, &sexprs, node)?;
    match Sexprs::read(&mut reader.lexer)? {
        Some((more, node)) => more.at(node).error("one term is expected, and here is another"),
        None => Ok(term),
    }
}

impl<'a> Reader<'a> {
    /// Starts at the beginning of the text with nothing declared.
    pub fn new(text: &'a str) -> Self {
        Reader {
            lexer: Lexer::new(text),
            operators: names::by_name(),
            symbols: FastMap::new(),
            definitions: FastMap::new(),
            sorts: FastMap::new(),
            bindings: FastMap::new(),
            names: Vec::new(),
            annotations: Vec::new(),
            place: At { line: 1, column: 1 },
            scopes: Vec::new(),
            apart: None,
            declares_next: false,
            knows_the_store: false,
            numerals_are_real: false,
            global_declarations: false,
        }
    }
    /// Terms that were given a name with `:named` so far, in order, popped ones left out.
    pub fn named_terms(&self) -> &[(String, Term)] {
        &self.names
    }

    /// The attributes other than `:named` that were met since the last call, in the order in which their terms end.
    pub fn take_annotations(&mut self) -> Vec<Annotation> {
        std::mem::take(&mut self.annotations)
    }
    /// From now on `:next` declares the symbol that it names, with the sort of its term, unless it is declared.
    pub fn declare_next_values(&mut self) {
        self.declares_next = true;
    }
    /// Line and column at which the last command begins.
    pub fn place(&self) -> (u32, u32) {
        (self.place.line, self.place.column)
    }
    /// What the user declared under this name.
    pub fn declared(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).copied()
    }

    /// The next command, or nothing at the end. After an error the next call goes on behind it.
    #[allow(clippy::should_implement_trait)]
    /// Long: one `match` over all commands.
    pub fn next(&mut self, terms: &mut Terms) -> Result<Option<Command>, ReadError> {
        let Some((sexprs, node)) = Sexprs::read(&mut self.lexer)? else { return Ok(None) };
        let at = sexprs.at(node);
        self.place = at;
        let [head, args @ ..] = sexprs.list(node) else { return at.error("a command is expected") };
        let Some(name) = sexprs.word(*head) else { return at.error("a command's name is expected") };
        let command = match (name, args) {
            ("set-logic", &[logic]) => {
                let logic = self.name(&sexprs, logic)?;
                self.numerals_are_real = logic.contains('R') && !logic.contains('I');
                Command::SetLogic(logic)
            }
            ("set-option", &[key, value]) => {
                let (key, value) = (self.keyword(&sexprs, key)?, sexprs.text(value));
                if key == ":global-declarations" {
                    self.global_declarations = value == "true";
                }
                Command::SetOption(key, value)
            }
            ("set-info", &[key]) => Command::SetInfo(self.keyword(&sexprs, key)?, String::new()),
            ("set-info", &[key, value]) => Command::SetInfo(self.keyword(&sexprs, key)?, sexprs.text(value)),
            ("declare-sort", &[name] | &[name, _]) => {
                if args.get(1).is_some_and(|&arity| sexprs.numeral(arity) != Some(0)) {
                    return at.error("declared sorts with parameters are not supported");
                }
                let name = self.name(&sexprs, name)?;
                let body = terms.sort(SortKind::Uninterpreted(name.clone()));
                self.define_sort(&name, SortDefinition { params: Vec::new(), body })
                    .or_else(|message| at.error(message))?;
                Command::DeclareSort(name)
            }
            ("define-sort", &[name, params, body]) => self.sort_definition(terms, &sexprs, name, params, body)?,
            ("declare-fun", &[name, params, result]) => {
                if !sexprs.is_list(params) {
                    return sexprs.at(params).error("a list of sorts is expected");
                }
                let params: Vec<Sort> = sexprs
                    .list(params)
                    .iter()
                    .map(|&param| self.sort(terms, &sexprs, param))
                    .collect::<Result<_, _>>()?;
                let result = self.sort(terms, &sexprs, result)?;
                self.declare(terms, &sexprs, name, &params, result)?
            }
            ("declare-const", &[name, sort]) => {
                let sort = self.sort(terms, &sexprs, sort)?;
                self.declare(terms, &sexprs, name, &[], sort)?
            }
            ("define-fun", &[name, params, result, body]) => {
                self.function_definition(terms, &sexprs, name, params, result, body)?
            }
            ("define-const", &[name, result, body]) => {
                self.function_definition(terms, &sexprs, name, name, result, body)?
            }
            ("assert", &[formula]) => {
                let before = self.names.len();
                let term = self.formula(terms, &sexprs, formula)?;
                let outer = sexprs.list(formula).first().and_then(|&first| sexprs.word(first)) == Some("!");
                // Names inside come first, so the outer one is the last.
                let name = self.names[before.min(self.names.len())..].last().filter(|_| outer);
                Command::Assert { formula: term, name: name.map(|(name, _)| name.clone()) }
            }
            ("push" | "pop", []) => self.scope(name, 1).or_else(|message| at.error(message))?,
            ("push" | "pop", &[count]) => match sexprs.numeral(count) {
                Some(count) => self.scope(name, count).or_else(|message| at.error(message))?,
                None => return sexprs.at(count).error("a small number is expected"),
            },
            ("check-sat", []) => Command::CheckSat,
            ("check-sat-assuming", &[list]) => Command::CheckSatAssuming(
                sexprs.list(list).iter().map(|&node| self.formula(terms, &sexprs, node)).collect::<Result<_, _>>()?,
            ),
            ("get-value", &[list]) if !sexprs.list(list).is_empty() => {
                let read = |&node: &Node| Ok((self.term(terms, &sexprs, node)?, sexprs.text(node)));
                Command::GetValue(sexprs.list(list).iter().map(read).collect::<Result<_, _>>()?)
            }
            ("get-model", []) => Command::GetModel,
            ("get-unsat-core", []) => Command::GetUnsatCore,
            ("get-unsat-assumptions", []) => Command::GetUnsatAssumptions,
            ("get-interpolants", parts) if parts.len() >= 2 => {
                Command::GetInterpolants(parts.iter().map(|&part| self.part(&sexprs, part)).collect::<Result<_, _>>()?)
            }
            ("get-assignment", []) => Command::GetAssignment,
            ("get-assertions", []) => Command::GetAssertions,
            ("get-proof", []) => Command::GetProof,
            ("get-info", &[key]) => Command::GetInfo(self.keyword(&sexprs, key)?),
            ("get-option", &[key]) => Command::GetOption(self.keyword(&sexprs, key)?),
            ("echo", &[text]) => match sexprs.atom(text).filter(|token| token.kind == Kind::String) {
                Some(token) => Command::Echo(token.text.replace("\"\"", "\"")),
                None => return sexprs.at(text).error("a string is expected"),
            },
            ("reset", []) => {
                let lexer = std::mem::replace(&mut self.lexer, Lexer::new(""));
                *self = Reader { lexer, ..Reader::new("") };
                Command::Reset
            }
            ("reset-assertions", []) => {
                self.scope("pop", self.scopes.len() as u32).or_else(|message| at.error(message))?;
                if !self.global_declarations {
                    self.symbols.clear();
                    self.definitions.clear();
                    self.sorts.clear();
                    self.names.clear();
                }
                Command::ResetAssertions
            }
            ("exit", []) => Command::Exit,
            _ if KNOWN.contains(&name) => return at.error(format!("`{name}` does not take these arguments")),
            _ => return at.error(format!("command `{name}` is not supported")),
        };
        Ok(Some(command))
    }

    fn name(&self, sexprs: &Sexprs<'a>, node: Node) -> Result<String, ReadError> {
        match sexprs.symbol(node) {
            Some(name) => Ok(name.to_owned()),
            None => sexprs.at(node).error("a name is expected"),
        }
    }
    fn keyword(&self, sexprs: &Sexprs<'a>, node: Node) -> Result<String, ReadError> {
        match sexprs.atom(node).filter(|token| token.kind == Kind::Keyword) {
            Some(token) => Ok(token.text.to_owned()),
            None => sexprs.at(node).error("a keyword is expected"),
        }
    }
    /// A part of the assertions: a name, or names joined by `and`.
    fn part(&self, sexprs: &Sexprs<'a>, node: Node) -> Result<Vec<String>, ReadError> {
        match sexprs.list(node) {
            [] => self.name(sexprs, node).map(|name| vec![name]),
            [and, names @ ..] if sexprs.word(*and) == Some("and") => {
                names.iter().map(|&name| self.name(sexprs, name)).collect()
            }
            _ => sexprs.at(node).error("a name, or names joined by `and`, is expected"),
        }
    }
    fn formula(&mut self, terms: &mut Terms, sexprs: &Sexprs<'a>, node: Node) -> Result<Term, ReadError> {
        let term = self.term(terms, sexprs, node)?;
        match terms.is_bool(term) {
            true => Ok(term),
            false => {
                sexprs.at(node).error(format!("a formula is expected, not {}", terms.sort_text(terms.sort_of(term))))
            }
        }
    }

    fn scope(&mut self, name: &str, count: u32) -> Result<Command, String> {
        if name == "push" {
            if self.scopes.len() + count as usize > 1_000_000 {
                return Err("more than a million scopes are not supported".to_owned());
            }
            self.scopes.resize_with(self.scopes.len() + count as usize, Vec::new);
            return Ok(Command::Push(count));
        }
        if count as usize > self.scopes.len() {
            return Err(format!("only {} scopes are open", self.scopes.len()));
        }
        for _ in 0..count {
            for name in self.scopes.pop().unwrap_or_default() {
                self.symbols.remove(name.as_str());
                self.definitions.remove(name.as_str());
                self.sorts.remove(name.as_str());
                self.names.retain(|(known, _)| *known != name);
            }
        }
        Ok(Command::Pop(count))
    }
    fn introduced(&mut self, name: &str) {
        if let (Some(scope), false) = (self.scopes.last_mut(), self.global_declarations) {
            scope.push(name.to_owned());
        }
    }
    fn is_taken(&self, name: &str) -> Result<(), String> {
        let builtin = self.operators.contains_key(name);
        match builtin || self.symbols.contains_key(name) || self.definitions.contains_key(name) {
            true => Err(format!("`{name}` has a meaning already")),
            false => Ok(()),
        }
    }
    pub(super) fn define(&mut self, name: &str, definition: Definition) -> Result<(), String> {
        self.is_taken(name)?;
        self.definitions.insert(name.to_owned(), definition);
        self.introduced(name);
        Ok(())
    }
    fn define_sort(&mut self, name: &str, definition: SortDefinition) -> Result<(), String> {
        if self.sorts.contains_key(name) || ["Bool", "Int", "Real", "Array"].contains(&name) {
            return Err(format!("sort `{name}` is known already"));
        }
        self.sorts.insert(name.to_owned(), definition);
        self.introduced(name);
        Ok(())
    }
    fn declare(
        &mut self,
        terms: &mut Terms,
        sexprs: &Sexprs<'a>,
        node: Node,
        params: &[Sort],
        result: Sort,
    ) -> Result<Command, ReadError> {
        let name = self.name(sexprs, node)?;
        self.is_taken(&name).or_else(|message| sexprs.at(node).error(message))?;
        let symbol = fresh(terms, &name, params, result);
        self.symbols.insert(name.clone(), symbol);
        self.introduced(&name);
        Ok(Command::DeclareFun(symbol))
    }

    /// Declares the next value of a term, unless the name has a meaning already.
    pub(super) fn declare_next(&mut self, terms: &mut Terms, name: &str, term: Term) {
        if self.declares_next && self.is_taken(name).is_ok() {
            let sort = terms.sort_of(term);
            let symbol = fresh(terms, name, &[], sort);
            self.symbols.insert(name.to_owned(), symbol);
            self.introduced(name);
        }
    }

    fn sort_definition(
        &mut self,
        terms: &mut Terms,
        sexprs: &Sexprs<'a>,
        node: Node,
        params: Node,
        body: Node,
    ) -> Result<Command, ReadError> {
        let name = self.name(sexprs, node)?;
        let names: Vec<String> =
            sexprs.list(params).iter().map(|&param| self.name(sexprs, param)).collect::<Result<_, _>>()?;
        // While the body is read the parameters are sorts of their own.
        let mut hidden = Vec::new();
        let mut sorts = Vec::new();
        for param in &names {
            let sort = terms.sort(SortKind::Uninterpreted(format!("{name}!{param}")));
            sorts.push(sort);
            hidden.push(self.sorts.insert(param.clone(), SortDefinition { params: Vec::new(), body: sort }));
        }
        let body = self.sort(terms, sexprs, body);
        for (param, old) in names.iter().zip(hidden).rev() {
            self.sorts.remove(param.as_str());
            if let Some(old) = old {
                self.sorts.insert(param.clone(), old);
            }
        }
        let definition = SortDefinition { params: sorts, body: body? };
        self.define_sort(&name, definition).or_else(|message| sexprs.at(node).error(message))?;
        Ok(Command::DefineSort(name))
    }

    fn function_definition(
        &mut self,
        terms: &mut Terms,
        sexprs: &Sexprs<'a>,
        node: Node,
        list: Node,
        result: Node,
        body: Node,
    ) -> Result<Command, ReadError> {
        let name = self.name(sexprs, node)?;
        self.is_taken(&name).or_else(|message| sexprs.at(node).error(message))?;
        let mut params: Vec<(&'a str, Term)> = Vec::new();
        for &pair in sexprs.list(list) {
            let (Some(param), &[_, sort]) =
                (sexprs.list(pair).first().and_then(|&name| sexprs.symbol(name)), sexprs.list(pair))
            else {
                return sexprs.at(pair).error("a parameter is a name and a sort");
            };
            let sort = self.sort(terms, sexprs, sort)?;
            let symbol = fresh(terms, &format!("{name}!{param}"), &[], sort);
            params.push((param, terms.apply(symbol, &[])));
        }
        let result = self.sort(terms, sexprs, result)?;
        for &(param, term) in &params {
            self.bindings.get_or_insert_with(param.to_owned(), Vec::new).push(term);
        }
        let body_term = self.term(terms, sexprs, body)?;
        self.bindings.clear();
        if terms.sort_of(body_term) != result {
            let found = terms.sort_text(terms.sort_of(body_term));
            return sexprs.at(body).error(format!("the body has sort {found}, not {}", terms.sort_text(result)));
        }
        let params: Vec<Term> = params.into_iter().map(|(_, term)| term).collect();
        let definition = Definition { params: params.clone(), body: body_term };
        self.define(&name, definition).or_else(|message| sexprs.at(node).error(message))?;
        Ok(Command::DefineFun { name, params, body: body_term })
    }
}

/// The symbol of this name, or of a similar one where the store has the name with another sort.
fn fresh(terms: &mut Terms, name: &str, params: &[Sort], result: Sort) -> Symbol {
    if let Some(symbol) = terms.declare(name, params, result) {
        return symbol;
    }
    let mut number = 1;
    loop {
        if let Some(symbol) = terms.declare(&format!("{name}!{number}"), params, result) {
            return symbol;
        }
        number += 1;
    }
}

/// Commands that are supported, given the right arguments.
const KNOWN: &[&str] = &[
    "set-logic",
    "set-option",
    "set-info",
    "declare-sort",
    "define-sort",
    "declare-fun",
    "declare-const",
    "define-fun",
    "define-const",
    "assert",
    "push",
    "pop",
    "check-sat",
    "check-sat-assuming",
    "get-value",
    "get-model",
    "get-unsat-core",
    "get-unsat-assumptions",
    "get-interpolants",
    "get-assignment",
    "get-assertions",
    "get-proof",
    "get-info",
    "get-option",
    "echo",
    "reset",
    "reset-assertions",
    "exit",
];
