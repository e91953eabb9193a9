//! From text to the tree, one function or global at a time.
//!
//! Attributes, linkage and other words without a meaning here are passed whatever they are, so that the words of all versions from 14 to
//! 22 are read by one grammar. What has a meaning that is not treated is kept by name, and refused where the program gets there.
//! Types and constants nest at most `MAX_DEPTH` levels.

mod function;
mod global;
mod instruction;
mod types;
mod value;

use crate::ir::{Attributes, TypeId, Types};
use crate::lex::{Cursor, Token};
use crate::scan::Module;
use crate::source::{Problem, error};

pub use function::Names;
pub use global::Definition;

// law: the stack holds this many levels.
/// How deeply types and constants may nest.
const MAX_DEPTH: u32 = 128;

/// A reader of one part of the module.
pub struct Parser<'m, 's> {
    /// The table of contents.
    pub module: &'m Module<'s>,
    /// All types so far.
    pub types: &'m mut Types<'s>,
    cursor: Cursor<'s>,
    /// The next token and where it begins.
    token: Token<'s>,
    start: usize,
    /// The end of the token before.
    passed: usize,
    depth: u32,
    /// Whether instructions are read: the attributes of a call end with its line.
    in_body: bool,
    /// Names of the function at hand.
    names: Names<'s>,
}

type Parsed<T> = Result<T, Problem>;

impl<'m, 's> Parser<'m, 's> {
    /// Reads from here to there.
    pub fn new(module: &'m Module<'s>, types: &'m mut Types<'s>, at: u32, end: Option<u32>) -> Self {
        let end = end.map_or(module.text.len(), |end| end as usize);
        let cursor = Cursor::new(module.text, at as usize, end);
        let mut parser = Parser {
            module,
            types,
            cursor,
            token: Token::End,
            start: at as usize,
            passed: at as usize,
            depth: 0,
            in_body: false,
            names: Names::default(),
        };
        parser.advance();
        parser
    }
    fn advance(&mut self) -> Token<'s> {
        let token = self.token;
        self.passed = self.cursor.at;
        self.cursor.skip_space();
        self.start = self.cursor.at;
        self.token = self.cursor.next();
        token
    }
    /// The token behind the next one.
    fn second(&self) -> Token<'s> {
        let mut ahead = self.cursor;
        ahead.next()
    }
    fn at(&self) -> u32 {
        self.start as u32
    }
    fn is_mark(&self, mark: u8) -> bool {
        self.token == Token::Mark(mark)
    }
    fn is_word(&self, word: &str) -> bool {
        self.token == Token::Word(word)
    }
    fn accept(&mut self, mark: u8) -> bool {
        let found = self.is_mark(mark);
        if found {
            self.advance();
        }
        found
    }
    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }
    fn expect(&mut self, mark: u8) -> Parsed<()> {
        if self.accept(mark) { Ok(()) } else { self.unexpected(&format!("`{}`", mark as char)) }
    }
    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }
    fn unexpected<T>(&self, wanted: &str) -> Parsed<T> {
        let shown = self.cursor.slice(self.start, self.cursor.at.max(self.start));
        let found = if self.token == Token::End { "the end".to_owned() } else { format!("`{shown}`") };
        error(self.at(), format!("expected {wanted}, found {found}"))
    }
    fn number(&mut self) -> Parsed<u64> {
        if let Token::Number(text) = self.token
            && let Ok(number) = text.parse()
        {
            self.advance();
            return Ok(number);
        }
        self.unexpected("a number")
    }
    fn deeper<T>(&mut self, body: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return error(self.at(), format!("types or constants nest more than {MAX_DEPTH} levels"));
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }
    /// Passes everything up to the bracket that closes the one at hand.
    fn skip_brackets(&mut self) -> Parsed<()> {
        let start = self.at();
        let mut open = 0usize;
        loop {
            match self.token {
                Token::Mark(b'(' | b'[' | b'{') => open += 1,
                Token::Mark(b')' | b']' | b'}') => open = open.saturating_sub(1),
                Token::End => return error(start, "this bracket is not closed"),
                _ => {}
            }
            self.advance();
            if open == 0 {
                return Ok(());
            }
        }
    }
    /// Passes attributes and other words up to the next type, value or mark; what matters among them is returned.
    fn attributes(&mut self, attributes: &mut Attributes<'s>) -> Parsed<Option<TypeId>> {
        let mut byval = None;
        loop {
            if self.in_body && self.cursor.slice(self.passed, self.start).contains('\n') {
                // The next instruction.
                return Ok(byval);
            }
            match self.token {
                Token::Word("to" | "unwind") => return Ok(byval),
                Token::Word(word) if types::begins_type(word) || value::begins_value(word) => return Ok(byval),
                Token::Word(word) => {
                    self.advance();
                    attributes.noreturn |= word == "noreturn";
                    match (word, self.token) {
                        ("byval" | "inalloca" | "preallocated", Token::Mark(b'(')) => {
                            self.advance();
                            byval = Some(self.ty()?);
                            self.expect(b')')?;
                        }
                        ("addrspace", Token::Mark(b'(')) => self.address_space()?,
                        (_, Token::Mark(b'(')) => self.skip_brackets()?,
                        ("align", Token::Number(_)) => attributes.align = self.number()?,
                        ("alignstack" | "cc" | "dereferenceable", Token::Number(_)) => {
                            self.advance();
                        }
                        ("align", Token::Mark(b'=')) => {
                            self.advance();
                            self.number()?;
                        }
                        _ => {}
                    }
                }
                Token::Hash(group) if group.bytes().all(|byte| byte.is_ascii_digit()) => {
                    attributes.groups.push(group);
                    self.advance();
                }
                // "name" or "name"="value"
                Token::Text(_) => {
                    self.advance();
                    if self.accept(b'=') {
                        self.advance();
                    }
                }
                _ => return Ok(byval),
            }
        }
    }
    /// `(n)` behind `addrspace`.
    fn address_space(&mut self) -> Parsed<()> {
        let at = self.at();
        self.expect(b'(')?;
        let is_zero = matches!(self.token, Token::Number("0"));
        self.advance();
        self.expect(b')')?;
        if !is_zero {
            let message = "pointers into an address space other than 0".to_owned();
            return Err(Problem { severity: base::Severity::Unsupported, at, message });
        }
        Ok(())
    }
}
