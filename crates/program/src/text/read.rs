//! Reads a program from text, reporting everything that is wrong in one go.
//!
//! Items may name functions, locations, inputs and objects that come later, so ids are taken as written
//! and looked at again when all is read; variables are declared before terms use them. After a
//! mistake the reader goes on with the next line that starts with a word of the language.

use base::{Diagnostic, FastMap, FileId, Id, IndexVec, Place};
use term::smtlib::TermReader;
use term::{Symbol, Term, Terms};

use super::cursor::{Cursor, Reported};
use super::lex::{Source, Token, TokenKind};
use super::print::plain_name;
use super::read_function::Block;
use super::slots::{Slots, TOO_LARGE};
use super::term_read::{read_sort, read_term};
use super::words::Worded;
use crate::{
    Assertion, AssertionId, AssertionKind, Assumption, Edge, EdgeId, FunId, Function, Input, InputId, InputKind, Loc,
    Location, Object, ObjectId, Program, Var, VarKind, Variable,
};

/// Reads the program and declares its symbols in the store. Ids in the result are in range; the other
/// laws are for `validate` to check. `name` is the file's name in diagnostics.
pub fn parse(name: &str, text: &str, terms: &mut Terms) -> Result<Program, Vec<Diagnostic>> {
    let mut reader = Reader {
        cursor: Cursor::new(Source::new(name, text)),
        terms,
        scope: TermReader::new(),
        vars_by_symbol: FastMap::new(),
        functions_by_name: FastMap::new(),
        pointer_width: 0,
        entry: None,
        files: IndexVec::new(),
        assumptions: Vec::new(),
        approximations: Vec::new(),
        vars: Slots::new("variable #"),
        objects: Slots::new("object o"),
        functions: Slots::new("function #"),
        locations: Slots::new("location L"),
        edges: Slots::new("edge #"),
        inputs: Slots::new("input i"),
        assertions: Slots::counting_from_one("assertion "),
        mentions: Vec::new(),
        addresses: FastMap::new(),
        function_addresses: FastMap::new(),
    };
    reader.function_names();
    reader.program();
    reader.finish()
}

/// Something that the text mentions by number, to be looked up when all is read.
pub(super) enum Mention {
    Object(ObjectId),
    Location(Loc),
    Input(InputId),
    Assertion(AssertionId),
    File(FileId),
}

pub(super) struct Reader<'s, 't> {
    pub(super) cursor: Cursor<'s>,
    pub(super) terms: &'t mut Terms,
    pub(super) scope: TermReader,
    pub(super) vars_by_symbol: FastMap<Symbol, Var>,
    pub(super) functions_by_name: FastMap<String, FunId>,
    pub(super) pointer_width: u32,
    pub(super) entry: Option<FunId>,
    pub(super) files: IndexVec<FileId, String>,
    pub(super) assumptions: Vec<Assumption>,
    pub(super) approximations: Vec<Assumption>,
    pub(super) vars: Slots<Var, Variable>,
    pub(super) objects: Slots<ObjectId, Object>,
    pub(super) functions: Slots<FunId, Function>,
    pub(super) locations: Slots<Loc, Location>,
    pub(super) edges: Slots<EdgeId, Edge>,
    pub(super) inputs: Slots<InputId, Input>,
    pub(super) assertions: Slots<AssertionId, Assertion>,
    pub(super) mentions: Vec<(Token, Mention)>,
    pub(super) addresses: FastMap<ObjectId, Var>,
    pub(super) function_addresses: FastMap<FunId, Var>,
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
    "approximation",
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
    pub(super) fn recover(&mut self, start: usize, wanted: impl Fn(&str) -> bool) {
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

    /// Long: one `match` over all items.
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
                if !self.scope.declare_sort(&name, sort) {
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
                let kind = match AssertionKind::from_word(self.cursor.peek_word()) {
                    Some(kind) => {
                        self.cursor.next();
                        kind
                    }
                    None => AssertionKind::default(),
                };
                let text = self.cursor.string("what the assertion says")?;
                let place = self.place()?;
                let Some(index) = number.checked_sub(1) else {
                    return Err(self.cursor.report(token, "assertions count from 1"));
                };
                self.assertions.insert(&mut self.cursor, token, index, Assertion { text, place, kind })?;
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
                    "unspecified" => InputKind::Unspecified,
                    "order" => |what| InputKind::Order { what, ends: false, is_choice: false },
                    "order-or-end" => |what| InputKind::Order { what, ends: true, is_choice: false },
                    "order-choice" => |what| InputKind::Order { what, ends: false, is_choice: true },
                    "order-choice-or-end" => |what| InputKind::Order { what, ends: true, is_choice: true },
                    _ => {
                        return Err(self
                            .cursor
                            .expected("`nondet`, `uninitialised`, `external`, `memory`, `unspecified` or `order`"));
                    }
                };
                let has_name = self.cursor.peek_word() != "memory";
                self.cursor.next();
                let name = if has_name { self.cursor.string("a name")? } else { String::new() };
                let shown = self.choice("how values are shown: `plain`, `signed`, `unsigned`, `pointer`, `float`")?;
                let input = Input { kind: kind(name), shown, place: self.place()? };
                self.inputs.insert(&mut self.cursor, token, index, input)?;
            }
            "assumption" => {
                self.cursor.next();
                let text = self.cursor.string("a sentence")?;
                let place = self.place()?;
                self.assumptions.push(Assumption { text, place });
            }
            "approximation" => {
                self.cursor.next();
                let text = self.cursor.string("a sentence")?;
                let place = self.place()?;
                self.approximations.push(Assumption { text, place });
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

    pub(super) fn variable(&mut self, block: Option<&Block>) -> Result<(), Reported> {
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
        let var = self.vars.insert(&mut self.cursor, token, id, variable)?;
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

    pub(super) fn object(&mut self, owner: Option<FunId>) -> Result<ObjectId, Reported> {
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
        let object = Object {
            name,
            address: Var::new(0),
            size,
            align,
            owner,
            init,
            read_only,
            place,
            live: None,
            exposed: false,
        };
        self.objects.insert(&mut self.cursor, token, index, object)
    }

    // ---- small pieces
    pub(super) fn term(&mut self) -> Result<Term, Reported> {
        read_term(&mut self.cursor, self.terms, &mut self.scope)
    }
    pub(super) fn sort(&mut self) -> Result<term::Sort, Reported> {
        read_sort(&mut self.cursor, self.terms, &mut self.scope)
    }
    pub(super) fn declare(
        &mut self,
        token: Token,
        name: String,
        args: &[term::Sort],
        result: term::Sort,
    ) -> Result<Symbol, Reported> {
        let means_something = self.scope.is_reserved(&name)
            || name.starts_with(|first: char| first.is_ascii_digit() || first == '#' || first == '@');
        if token.kind == TokenKind::Word && means_something {
            return Err(self.cursor.report(token, format!("`{name}` means something else; write it as `|{name}|`")));
        }
        if self.scope.symbol(&name).is_some() {
            return Err(self.cursor.report(token, format!("the symbol `{name}` is declared already")));
        }
        let Some(symbol) = self.terms.declare(&name, args, result) else {
            return Err(self.cursor.report(token, format!("the symbol `{name}` has another sort in the term store")));
        };
        self.scope.declare(&name, symbol);
        Ok(symbol)
    }
    pub(super) fn var(&mut self) -> Result<Var, Reported> {
        let (token, name) = self.cursor.name("a variable")?;
        self.known_variable(token, &name)
    }
    pub(super) fn known_variable(&mut self, token: Token, name: &str) -> Result<Var, Reported> {
        let symbol = self.scope.symbol(name);
        match symbol.and_then(|symbol| self.vars_by_symbol.get(&symbol)) {
            Some(&var) => Ok(var),
            None => Err(self.cursor.report(token, format!("`{name}` is not a variable"))),
        }
    }
    pub(super) fn function_name(&mut self) -> Result<FunId, Reported> {
        let (token, name) = self.cursor.name("the name of a function")?;
        match self.functions_by_name.get(&name) {
            Some(&function) => Ok(function),
            None => Err(self.cursor.report(token, format!("there is no function `{name}`"))),
        }
    }
    pub(super) fn location_id(&mut self) -> Result<Loc, Reported> {
        let token = self.cursor.peek();
        let loc = Loc::new(self.numbered('L', "a location such as `L0`")?);
        self.mentions.push((token, Mention::Location(loc)));
        Ok(loc)
    }
    pub(super) fn input_id(&mut self) -> Result<InputId, Reported> {
        let token = self.cursor.peek();
        let input = InputId::new(self.numbered('i', "an input such as `i0`")?);
        self.mentions.push((token, Mention::Input(input)));
        Ok(input)
    }
    pub(super) fn choice<W: Worded>(&mut self, what: &str) -> Result<W, Reported> {
        match W::from_word(self.cursor.peek_word()) {
            Some(choice) => {
                self.cursor.next();
                Ok(choice)
            }
            None => Err(self.cursor.expected(what)),
        }
    }
    /// `@file:line:column`, if it comes next.
    pub(super) fn place(&mut self) -> Result<Option<Place>, Reported> {
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
    pub(super) fn explicit_id(&mut self) -> Result<Option<usize>, Reported> {
        let Some(digits) = self.cursor.peek_word().strip_prefix('#') else { return Ok(None) };
        let token = self.cursor.next();
        match digits.parse() {
            Ok(id) => self.small(token, id).map(Some),
            Err(_) => Err(self.cursor.report(token, "an id is written `#` and a number")),
        }
    }
    /// A letter with a number behind it.
    pub(super) fn numbered(&mut self, letter: char, what: &str) -> Result<usize, Reported> {
        let token = self.cursor.peek();
        match self.cursor.peek_word().strip_prefix(letter).map(str::parse) {
            Some(Ok(number)) => {
                self.cursor.next();
                self.small(token, number)
            }
            _ => Err(self.cursor.expected(what)),
        }
    }
    /// The number, unless it is larger than the file has words.
    pub(super) fn small(&mut self, token: Token, number: usize) -> Result<usize, Reported> {
        if number < self.cursor.n_tokens() { Ok(number) } else { Err(self.cursor.report(token, TOO_LARGE)) }
    }

    fn finish(mut self) -> Result<Program, Vec<Diagnostic>> {
        for (token, mention) in std::mem::take(&mut self.mentions) {
            let known = match mention {
                Mention::Object(id) => self.objects.contains(id),
                Mention::Location(id) => self.locations.contains(id),
                Mention::Input(id) => self.inputs.contains(id),
                Mention::Assertion(id) => self.assertions.contains(id),
                Mention::File(id) => id.index() < self.files.len(),
            };
            // Once something is wrong, what it would have declared is missing everywhere.
            if !known && self.cursor.source.diagnostics.len() < 20 {
                self.cursor.report(token, "this is mentioned here, but the file does not have it");
            }
        }
        let mut program = Program {
            pointer_width: self.pointer_width,
            source_types: crate::SourceTypes::default(),
            entry: self.entry,
            files: self.files,
            assumptions: self.assumptions,
            approximations: self.approximations,
            vars: self.vars.into_items(&mut self.cursor),
            objects: self.objects.into_items(&mut self.cursor),
            functions: self.functions.into_items(&mut self.cursor),
            locations: self.locations.into_items(&mut self.cursor),
            edges: self.edges.into_items(&mut self.cursor),
            inputs: self.inputs.into_items(&mut self.cursor),
            assertions: self.assertions.into_items(&mut self.cursor),
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
        found.dedup();
        if found.is_empty() { Ok(program) } else { Err(found) }
    }
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}
