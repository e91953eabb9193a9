//! Reads a program from text, reporting everything that is wrong in one go.
//!
//! Items may name functions, locations, inputs and objects that come later, so ids are taken as written
//! and looked at again when all is read; variables are declared before terms use them. After a
//! mistake the reader goes on with the next line that starts with a word of the language.

use base::{Diagnostic, FastMap, FileId, Id, IndexVec, Place};
use term::{Symbol, Term, Terms};

use super::cursor::{Cursor, Reported};
use super::lex::{Source, Token, TokenKind};
use super::print::plain_name;
use super::term_read::{Scope, read_sort, read_term};
use super::words::Worded;
use crate::{
    Action, Assertion, AssertionId, Assumption, Edge, EdgeId, FunId, Function, Input, InputId, InputKind, Loc,
    Location, Mark, Object, ObjectId, Program, Var, VarKind, Variable,
};

/// Reads the program and declares its symbols in the store. Ids in the result are in range; the other
/// laws are for `validate` to check. `name` is the file's name in diagnostics.
pub fn parse(name: &str, text: &str, terms: &mut Terms) -> Result<Program, Vec<Diagnostic>> {
    let mut reader = Reader {
        cursor: Cursor::new(Source::new(name, text)),
        terms,
        scope: Scope::new(),
        vars_by_symbol: FastMap::new(),
        functions_by_name: FastMap::new(),
        pointer_width: 0,
        entry: None,
        files: IndexVec::new(),
        assumptions: Vec::new(),
        vars: Slots::new("variable #"),
        objects: Slots::new("object o"),
        functions: Slots::new("function #"),
        locations: Slots::new("location L"),
        edges: Slots::new("edge #"),
        inputs: Slots::new("input i"),
        assertions: Slots::new("assertion "),
        mentions: Vec::new(),
        addresses: FastMap::new(),
        function_addresses: FastMap::new(),
    };
    reader.function_names();
    reader.program();
    reader.finish()
}

/// Items at the ids that the text gives them. The first id of assertions is one in the text.
struct Slots<I, T> {
    what: &'static str,
    items: IndexVec<I, Option<T>>,
    next: usize,
}

impl<I: Id, T> Slots<I, T> {
    fn new(what: &'static str) -> Self {
        Slots { what, items: IndexVec::new(), next: 0 }
    }
    /// The explicit id, or the one that follows the last. A mistake behind it does not move the ids that follow.
    fn reserve(&mut self, explicit: Option<usize>) -> usize {
        let index = explicit.unwrap_or(self.next);
        self.next = index + 1;
        index
    }
}

/// Something that the text mentions by number, to be looked up when all is read.
enum Mention {
    Object(ObjectId),
    Location(Loc),
    Input(InputId),
    Assertion(AssertionId),
    File(FileId),
}

struct Reader<'s, 't> {
    cursor: Cursor<'s>,
    terms: &'t mut Terms,
    scope: Scope,
    vars_by_symbol: FastMap<Symbol, Var>,
    functions_by_name: FastMap<String, FunId>,
    pointer_width: u32,
    entry: Option<FunId>,
    files: IndexVec<FileId, String>,
    assumptions: Vec<Assumption>,
    vars: Slots<Var, Variable>,
    objects: Slots<ObjectId, Object>,
    functions: Slots<FunId, Function>,
    locations: Slots<Loc, Location>,
    edges: Slots<EdgeId, Edge>,
    inputs: Slots<InputId, Input>,
    assertions: Slots<AssertionId, Assertion>,
    mentions: Vec<(Token, Mention)>,
    addresses: FastMap<ObjectId, Var>,
    function_addresses: FastMap<FunId, Var>,
}

/// The function whose block is being read.
struct Block {
    function: FunId,
    name: String,
    objects: Vec<ObjectId>,
    at: Option<Loc>,
}

const TOP_WORDS: &[&str] = &[
    "pointer",
    "entry",
    "file",
    "sort",
    "symbol",
    "assertion",
    "input",
    "assumption",
    "global",
    "address",
    "object",
    "function",
];

impl Reader<'_, '_> {
    /// Notes the id of each function, so that calls can come before what they call.
    fn function_names(&mut self) {
        let mut next = 0;
        while !self.cursor.at_end() {
            let token = self.cursor.next();
            if self.cursor.source.word(token) != "function" || !self.cursor.source.is_first_on_line(token) {
                continue;
            }
            let id = self.explicit_id().ok().flatten().unwrap_or(next);
            next = id + 1;
            let token = self.cursor.peek();
            if let TokenKind::Word | TokenKind::Quoted = token.kind {
                let name = match token.kind {
                    TokenKind::Word => self.cursor.source.text(token).to_owned(),
                    _ => self.cursor.source.unquoted(token),
                };
                if self.functions_by_name.insert(name.clone(), FunId::new(id)).is_some() {
                    self.cursor.report(token, format!("there is a function `{name}` already"));
                }
            }
        }
        self.cursor.go_to(0);
    }

    fn program(&mut self) {
        if self.cursor.peek_word() != "cfa" || self.cursor.source.text(self.cursor.peek_second()) != "1" {
            self.cursor.expected("`cfa 1` at the start");
            return;
        }
        self.cursor.next();
        self.cursor.next();
        while !self.cursor.at_end() {
            let start = self.cursor.position();
            if self.item().is_err() {
                self.recover(start, |word| TOP_WORDS.contains(&word));
            }
        }
        if !matches!(self.pointer_width, 32 | 64) && self.cursor.source.diagnostics.is_empty() {
            self.cursor.expected("a line `pointer 32` or `pointer 64` somewhere");
        }
    }

    /// Skips to a line behind the start of what was wrong that begins with a wanted word or a brace.
    fn recover(&mut self, start: usize, wanted: impl Fn(&str) -> bool) {
        if self.cursor.position() == start {
            self.cursor.next();
        }
        loop {
            let token = self.cursor.peek();
            let text = self.cursor.source.text(token);
            let stop = match token.kind {
                TokenKind::End => return,
                TokenKind::Word | TokenKind::CloseBrace => wanted(text),
                _ => false,
            };
            if stop && self.cursor.source.is_first_on_line(token) {
                return;
            }
            self.cursor.next();
        }
    }

    fn item(&mut self) -> Result<(), Reported> {
        match self.cursor.peek_word() {
            "pointer" => {
                self.cursor.next();
                let token = self.cursor.peek();
                self.pointer_width = self.cursor.number("32 or 64")?;
                if !matches!(self.pointer_width, 32 | 64) {
                    return Err(self.cursor.report(token, "a pointer has 32 or 64 bits"));
                }
            }
            "entry" => {
                self.cursor.next();
                self.entry = Some(self.function_name()?);
            }
            "file" => {
                self.cursor.next();
                let name = self.cursor.string("a file name")?;
                self.files.push(name);
            }
            "sort" => {
                self.cursor.next();
                let (token, name) = self.cursor.name("the name of a sort")?;
                let sort = self.terms.sort(term::SortKind::Uninterpreted(name.clone()));
                if self.scope.sorts.insert(name, sort).is_some() {
                    return Err(self.cursor.report(token, "this sort is declared already"));
                }
            }
            "symbol" => {
                self.cursor.next();
                let (token, name) = self.cursor.name("the name of a function symbol")?;
                self.cursor.expect(TokenKind::Open, "`(` before the sorts of the arguments")?;
                let mut args = Vec::new();
                while !self.cursor.take(TokenKind::Close) {
                    args.push(self.sort()?);
                }
                let result = self.sort()?;
                self.declare(token, name, &args, result)?;
            }
            "assertion" => {
                self.cursor.next();
                let token = self.cursor.peek();
                let number: usize = self.cursor.number("the number of the assertion, from 1")?;
                let text = self.cursor.string("what the assertion says")?;
                let place = self.place()?;
                let Some(index) = number.checked_sub(1) else {
                    return Err(self.cursor.report(token, "assertions count from 1"));
                };
                insert(&mut self.cursor, &mut self.assertions, token, index, Assertion { text, place })?;
            }
            "input" => {
                self.cursor.next();
                let token = self.cursor.peek();
                let index = self.numbered('i', "an input such as `i0`")?;
                let kind = match self.cursor.peek_word() {
                    "nondet" => InputKind::Nondet,
                    "uninitialised" => InputKind::Uninitialised,
                    "external" => InputKind::External,
                    "memory" => |_| InputKind::Memory,
                    _ => return Err(self.cursor.expected("`nondet`, `uninitialised`, `external` or `memory`")),
                };
                let has_name = self.cursor.peek_word() != "memory";
                self.cursor.next();
                let name = if has_name { self.cursor.string("a name")? } else { String::new() };
                let shown = self.choice("how values are shown: `plain`, `signed`, `unsigned`, `pointer`, `float`")?;
                let input = Input { kind: kind(name), shown, place: self.place()? };
                insert(&mut self.cursor, &mut self.inputs, token, index, input)?;
            }
            "assumption" => {
                self.cursor.next();
                let text = self.cursor.string("a sentence")?;
                let place = self.place()?;
                self.assumptions.push(Assumption { text, place });
            }
            "global" | "address" => self.variable(None)?,
            "object" => {
                self.object(None)?;
            }
            "function" => self.function()?,
            _ => return Err(self.cursor.expected("the start of an item")),
        }
        Ok(())
    }

    fn variable(&mut self, block: Option<&Block>) -> Result<(), Reported> {
        let word = self.cursor.peek_word();
        self.cursor.next();
        let id = self.explicit_id()?;
        let id = self.vars.reserve(id);
        let (token, symbol) = self.cursor.name("the symbol of a variable")?;
        let sort = self.sort()?;
        let shown = self.choice("how values are shown: `plain`, `signed`, `unsigned`, `pointer`, `float`")?;
        let name = if self.cursor.take_word("named") {
            self.cursor.string("a name")?
        } else {
            plain_name(&symbol, block.map(|block| block.name.as_str())).to_owned()
        };
        let kind = match (word, block) {
            ("address", _) => {
                self.cursor.expect_word("of")?;
                if self.cursor.take_word("function") {
                    VarKind::AddressOfFunction(self.function_name()?)
                } else {
                    let token = self.cursor.peek();
                    let object = ObjectId::new(self.numbered('o', "an object such as `o0`, or `function`")?);
                    self.mentions.push((token, Mention::Object(object)));
                    VarKind::AddressOf(object)
                }
            }
            ("param", Some(block)) => VarKind::Param(block.function),
            ("local", Some(block)) => VarKind::Local(block.function),
            ("temp", Some(block)) => VarKind::Temp(block.function),
            _ => VarKind::Global,
        };
        let place = self.place()?;
        let symbol = self.declare(token, symbol, &[], sort)?;
        let term = self.terms.apply(symbol, &[]);
        let variable = Variable { name, term, sort, kind, shown, place };
        let var = insert(&mut self.cursor, &mut self.vars, token, id, variable)?;
        self.vars_by_symbol.insert(symbol, var);
        let other = match kind {
            VarKind::AddressOf(object) => self.addresses.insert(object, var),
            VarKind::AddressOfFunction(function) => self.function_addresses.insert(function, var),
            _ => None,
        };
        if other.is_some() {
            return Err(self.cursor.report(token, "there is an address variable for this already"));
        }
        Ok(())
    }

    fn object(&mut self, owner: Option<FunId>) -> Result<ObjectId, Reported> {
        self.cursor.next();
        let token = self.cursor.peek();
        let index = self.numbered('o', "an object such as `o0`")?;
        let name = self.cursor.string("a name")?;
        self.cursor.expect_word("size")?;
        let size = self.cursor.number("a number of bytes")?;
        self.cursor.expect_word("align")?;
        let align = self.cursor.number("a number of bytes")?;
        let read_only = self.cursor.take_word("read-only");
        let mut init = Vec::new();
        if self.cursor.take_word("init") {
            self.cursor.expect(TokenKind::Open, "`(` before the bytes")?;
            while !self.cursor.take(TokenKind::Close) {
                let digits = self.cursor.peek_word().as_bytes();
                let pairs = digits.chunks(2).map(|pair| match pair {
                    &[high, low] => Some((hex_digit(high)? << 4) | hex_digit(low)?),
                    _ => None,
                });
                let Some(bytes) = pairs.collect::<Option<Vec<u8>>>().filter(|bytes| !bytes.is_empty()) else {
                    return Err(self.cursor.expected("bytes as pairs of hexadecimal digits"));
                };
                init.extend(bytes);
                self.cursor.next();
            }
        }
        let place = self.place()?;
        // The address is filled in when all is read.
        let object = Object { name, address: Var::new(0), size, align, owner, init, read_only, place };
        insert(&mut self.cursor, &mut self.objects, token, index, object)
    }

    fn function(&mut self) -> Result<(), Reported> {
        self.cursor.next();
        let token = self.cursor.peek();
        let id = self.explicit_id()?;
        let id = self.functions.reserve(id);
        let (_, name) = self.cursor.name("the name of a function")?;
        self.cursor.expect(TokenKind::Open, "`(` before the parameters")?;
        let mut params = Vec::new();
        while !self.cursor.take(TokenKind::Close) {
            params.push(self.cursor.name("a parameter or `)`")?);
        }
        let result =
            if self.cursor.take_word("->") { Some(self.cursor.name("the variable of the result")?) } else { None };
        self.cursor.expect_word("entry")?;
        let entry = self.location_id()?;
        self.cursor.expect_word("exit")?;
        let exit = self.location_id()?;
        let place = self.place()?;
        let function = Function {
            name: name.clone(),
            params: Vec::new(),
            result: None,
            entry,
            exit,
            objects: Vec::new(),
            address: None,
            place,
        };
        let id = insert(&mut self.cursor, &mut self.functions, token, id, function)?;
        if self.functions_by_name.get(&name) != Some(&id) {
            return Err(self.cursor.report(token, "a function starts on a line of its own"));
        }
        self.cursor.expect(TokenKind::OpenBrace, "`{`")?;
        let mut block = Block { function: id, name, objects: Vec::new(), at: None };
        while !self.cursor.take(TokenKind::CloseBrace) {
            let token = self.cursor.peek();
            let next_function = self.cursor.peek_word() == "function" && self.cursor.source.is_first_on_line(token);
            if self.cursor.at_end() || next_function {
                return Err(self.cursor.expected("`}` at the end of the function"));
            }
            let start = self.cursor.position();
            if self.block_item(&mut block).is_err() {
                self.recover(start, |_| true);
            }
        }
        // Parameters and result are declared in the block, so they are known only now.
        let params = params.into_iter().map(|(token, name)| self.known_variable(token, &name)).collect::<Vec<_>>();
        let result = result.map(|(token, name)| self.known_variable(token, &name));
        if let Some(function) = &mut self.functions.items[id] {
            function.params = params.into_iter().flatten().collect();
            function.result = result.and_then(Result::ok);
            function.objects = block.objects;
        }
        Ok(())
    }

    fn block_item(&mut self, block: &mut Block) -> Result<(), Reported> {
        match self.cursor.peek_word() {
            "param" | "local" | "temp" | "address" => self.variable(Some(block)),
            "object" => {
                let object = self.object(Some(block.function))?;
                block.objects.push(object);
                Ok(())
            }
            "at" => {
                self.cursor.next();
                block.at = None;
                let token = self.cursor.peek();
                let index = self.numbered('L', "a location such as `L0`")?;
                let mark = match self.cursor.peek_word() {
                    "loop" => {
                        self.cursor.next();
                        Mark::LoopHead
                    }
                    "label" => {
                        self.cursor.next();
                        Mark::Label(self.cursor.string("the name of the label")?)
                    }
                    "error" => {
                        self.cursor.next();
                        let token = self.cursor.peek();
                        let number: usize = self.cursor.number("the number of an assertion, from 1")?;
                        let assertion = AssertionId::new(self.small(token, number.wrapping_sub(1))?);
                        self.mentions.push((token, Mention::Assertion(assertion)));
                        Mark::Error(assertion)
                    }
                    _ => Mark::None,
                };
                let location = Location { function: block.function, place: self.place()?, mark };
                let at = insert(&mut self.cursor, &mut self.locations, token, index, location)?;
                block.at = Some(at);
                Ok(())
            }
            _ => {
                let token = self.cursor.peek();
                let id = self.explicit_id()?;
                let id = self.edges.reserve(id);
                let Some(from) = block.at else {
                    return Err(self.cursor.expected("a declaration or a location, as in `at L0`"));
                };
                let action = self.action()?;
                self.cursor.expect_word("->")?;
                let to = self.location_id()?;
                let place = self.place()?;
                insert(&mut self.cursor, &mut self.edges, token, id, Edge { from, to, action, place })?;
                Ok(())
            }
        }
    }

    fn action(&mut self) -> Result<Action, Reported> {
        let word = self.cursor.peek_word();
        let token = self.cursor.next();
        Ok(match word {
            "assume" => Action::Assume(self.term()?),
            "assign" => {
                let mut pairs = Vec::new();
                while self.cursor.peek_word() != "->" {
                    let var = self.var()?;
                    self.cursor.expect_word(":=")?;
                    pairs.push((var, self.term()?));
                    if !self.cursor.take(TokenKind::Comma) {
                        break;
                    }
                }
                Action::Assign(pairs)
            }
            "havoc" => {
                let var = self.var()?;
                self.cursor.expect_word("from")?;
                Action::Havoc { var, input: self.input_id()? }
            }
            "load" => {
                let var = self.var()?;
                self.cursor.expect_word("at")?;
                Action::Load { var, address: self.term()? }
            }
            "store" => {
                let value = self.term()?;
                self.cursor.expect_word("at")?;
                Action::Store { address: self.term()?, value }
            }
            "forget" => {
                let address = self.term()?;
                let size = if self.cursor.take_word("size") { Some(self.term()?) } else { None };
                self.cursor.expect_word("from")?;
                Action::Forget { address, size, input: self.input_id()? }
            }
            "call" => {
                let mut result = None;
                if self.cursor.source.word(self.cursor.peek_second()) == ":=" {
                    result = Some(self.var()?);
                    self.cursor.next();
                }
                let function = self.function_name()?;
                self.cursor.expect(TokenKind::Open, "`(` before the arguments")?;
                let mut args = Vec::new();
                while !self.cursor.take(TokenKind::Close) {
                    args.push(self.term()?);
                }
                Action::Call { function, args, result }
            }
            "alloc" => {
                let lifetime = self.choice("`heap` or `frame`")?;
                let var = self.var()?;
                self.cursor.expect_word("size")?;
                let size = self.term()?;
                let input = if self.cursor.take_word("from") { Some(self.input_id()?) } else { None };
                Action::Alloc { var, size, lifetime, input }
            }
            "free" => Action::Free { address: self.term()? },
            "check" => {
                let what = self.choice("what would be undefined, such as `division-by-zero`")?;
                Action::Check { what, holds: self.term()? }
            }
            _ => {
                let message = "this is not an action; actions are assume, assign, havoc, load, store, forget, call, \
                               alloc, free and check";
                return Err(self.cursor.report(token, message));
            }
        })
    }

    // ---- small pieces
    fn term(&mut self) -> Result<Term, Reported> {
        read_term(&mut self.cursor, self.terms, &mut self.scope)
    }
    fn sort(&mut self) -> Result<term::Sort, Reported> {
        read_sort(&mut self.cursor, self.terms, &mut self.scope)
    }
    fn declare(
        &mut self,
        token: Token,
        name: String,
        args: &[term::Sort],
        result: term::Sort,
    ) -> Result<Symbol, Reported> {
        let means_something = self.scope.operators.is_reserved(&name)
            || name.starts_with(|first: char| first.is_ascii_digit() || first == '#' || first == '@');
        if token.kind == TokenKind::Word && means_something {
            return Err(self.cursor.report(token, format!("`{name}` means something else; write it as `|{name}|`")));
        }
        if self.scope.symbols.contains_key(&name) {
            return Err(self.cursor.report(token, format!("the symbol `{name}` is declared already")));
        }
        let Some(symbol) = self.terms.declare(&name, args, result) else {
            return Err(self.cursor.report(token, format!("the symbol `{name}` has another sort in the term store")));
        };
        self.scope.symbols.insert(name, symbol);
        Ok(symbol)
    }
    fn var(&mut self) -> Result<Var, Reported> {
        let (token, name) = self.cursor.name("a variable")?;
        self.known_variable(token, &name)
    }
    fn known_variable(&mut self, token: Token, name: &str) -> Result<Var, Reported> {
        let symbol = self.scope.symbols.get(name);
        match symbol.and_then(|symbol| self.vars_by_symbol.get(symbol)) {
            Some(&var) => Ok(var),
            None => Err(self.cursor.report(token, format!("`{name}` is not a variable"))),
        }
    }
    fn function_name(&mut self) -> Result<FunId, Reported> {
        let (token, name) = self.cursor.name("the name of a function")?;
        match self.functions_by_name.get(&name) {
            Some(&function) => Ok(function),
            None => Err(self.cursor.report(token, format!("there is no function `{name}`"))),
        }
    }
    fn location_id(&mut self) -> Result<Loc, Reported> {
        let token = self.cursor.peek();
        let loc = Loc::new(self.numbered('L', "a location such as `L0`")?);
        self.mentions.push((token, Mention::Location(loc)));
        Ok(loc)
    }
    fn input_id(&mut self) -> Result<InputId, Reported> {
        let token = self.cursor.peek();
        let input = InputId::new(self.numbered('i', "an input such as `i0`")?);
        self.mentions.push((token, Mention::Input(input)));
        Ok(input)
    }
    fn choice<W: Worded>(&mut self, what: &str) -> Result<W, Reported> {
        match W::from_word(self.cursor.peek_word()) {
            Some(choice) => {
                self.cursor.next();
                Ok(choice)
            }
            None => Err(self.cursor.expected(what)),
        }
    }
    /// `@file:line:column`, if it comes next.
    fn place(&mut self) -> Result<Option<Place>, Reported> {
        let Some(numbers) = self.cursor.peek_word().strip_prefix('@') else { return Ok(None) };
        let token = self.cursor.next();
        let mut parts = numbers.split(':').map(|part| part.parse::<u32>().ok());
        match (parts.next().flatten(), parts.next().flatten(), parts.next().flatten(), parts.next()) {
            (Some(file), Some(line), Some(column), None) => {
                let file = FileId::new(self.small(token, file as usize)?);
                self.mentions.push((token, Mention::File(file)));
                Ok(Some(Place { file, line, column }))
            }
            _ => Err(self.cursor.report(token, "a place is written `@file:line:column` in numbers")),
        }
    }
    /// `#n`, if it comes next.
    fn explicit_id(&mut self) -> Result<Option<usize>, Reported> {
        let Some(digits) = self.cursor.peek_word().strip_prefix('#') else { return Ok(None) };
        let token = self.cursor.next();
        match digits.parse() {
            Ok(id) => self.small(token, id).map(Some),
            Err(_) => Err(self.cursor.report(token, "an id is written `#` and a number")),
        }
    }
    /// A letter with a number behind it.
    fn numbered(&mut self, letter: char, what: &str) -> Result<usize, Reported> {
        let token = self.cursor.peek();
        match self.cursor.peek_word().strip_prefix(letter).map(str::parse) {
            Some(Ok(number)) => {
                self.cursor.next();
                self.small(token, number)
            }
            _ => Err(self.cursor.expected(what)),
        }
    }
    /// There are no more things than words in the file, so a larger number is a mistake.
    fn small(&mut self, token: Token, number: usize) -> Result<usize, Reported> {
        if number < self.cursor.n_tokens() {
            Ok(number)
        } else {
            Err(self.cursor.report(token, "this number is too large: numbers are given out without gaps"))
        }
    }

    fn finish(mut self) -> Result<Program, Vec<Diagnostic>> {
        for (token, mention) in std::mem::take(&mut self.mentions) {
            let known = match mention {
                Mention::Object(id) => is_filled(&self.objects, id),
                Mention::Location(id) => is_filled(&self.locations, id),
                Mention::Input(id) => is_filled(&self.inputs, id),
                Mention::Assertion(id) => is_filled(&self.assertions, id),
                Mention::File(id) => id.index() < self.files.len(),
            };
            // Once something is wrong, what it would have declared is missing everywhere.
            if !known && self.cursor.source.diagnostics.len() < 20 {
                self.cursor.report(token, "this is mentioned here, but the file does not have it");
            }
        }
        let mut program = Program {
            pointer_width: self.pointer_width,
            entry: self.entry,
            files: self.files,
            assumptions: self.assumptions,
            vars: dense(&mut self.cursor, self.vars),
            objects: dense(&mut self.cursor, self.objects),
            functions: dense(&mut self.cursor, self.functions),
            locations: dense(&mut self.cursor, self.locations),
            edges: dense(&mut self.cursor, self.edges),
            inputs: dense(&mut self.cursor, self.inputs),
            assertions: dense(&mut self.cursor, self.assertions),
        };
        if self.cursor.source.diagnostics.is_empty() {
            for id in program.objects.ids() {
                match self.addresses.get(&id) {
                    Some(&var) => program.objects[id].address = var,
                    None => {
                        let token = self.cursor.peek();
                        let name = &program.objects[id].name;
                        self.cursor.report(token, format!("object o{} `{name}` has no address", id.index()));
                    }
                }
            }
            for id in program.functions.ids() {
                program.functions[id].address = self.function_addresses.get(&id).copied();
            }
        }
        let mut found = self.cursor.source.diagnostics;
        found.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        if found.is_empty() { Ok(program) } else { Err(found) }
    }
}

fn insert<I: Id, T>(
    cursor: &mut Cursor<'_>,
    slots: &mut Slots<I, T>,
    token: Token,
    index: usize,
    item: T,
) -> Result<I, Reported> {
    if index >= cursor.n_tokens() {
        return Err(cursor.report(token, "this number is too large: numbers are given out without gaps"));
    }
    while slots.items.len() <= index {
        slots.items.push(None);
    }
    let id = I::new(index);
    if slots.items[id].is_some() {
        return Err(cursor.report(token, format!("there is {}{index} already, counting from 0", slots.what)));
    }
    slots.items[id] = Some(item);
    Ok(id)
}

fn is_filled<I: Id, T>(slots: &Slots<I, T>, id: I) -> bool {
    slots.items.get(id).is_some_and(Option::is_some)
}

/// The items without their slots; a gap is reported.
fn dense<I: Id, T>(cursor: &mut Cursor<'_>, slots: Slots<I, T>) -> IndexVec<I, T> {
    let gap = slots.items.iter().position(Option::is_none);
    if let Some(index) = gap.filter(|_| cursor.source.diagnostics.is_empty()) {
        let token = cursor.peek();
        cursor.report(token, format!("{}{index} is missing, counting from 0", slots.what));
    }
    let mut items = slots.items;
    items.iter_mut().filter_map(Option::take).collect()
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}
