//! From tokens to the syntax tree, by recursive descent.
//!
//! After a mistake the parser goes on behind the next semicolon, or with the next declaration, so that one
//! run reports all it can find. Nesting is bounded, so no input exhausts the stack.

mod attribute;
mod declaration;
mod expression;
mod statement;
mod types;

pub(crate) use types::bits;

use base::{Diagnostic, Severity};

use crate::ast::{File, Name};
use crate::lex::{Kind, Token, lex};
use crate::source::{Source, Span};
use crate::tuning::Tuning;

// law: the stack holds this many levels.
/// Deeper nesting of parentheses, blocks or types is refused.
const MAX_DEPTH: u32 = 200;

/// A mistake that was reported; the parser looks for a place to go on.
pub(crate) struct Reported;

/// What parsing yields or fails with.
pub(crate) type Parsed<T> = Result<T, Reported>;

pub(crate) struct Parser<'s> {
    pub source: &'s Source<'s>,
    tokens: Vec<Token>,
    at: usize,
    pub file: File,
    pub found: Vec<Diagnostic>,
    depth: u32,
}

/// Parses the whole file.
pub(crate) fn parse(source: &Source<'_>) -> (File, Vec<Diagnostic>) {
    let (tokens, found) = lex(source);
    let mut parser = Parser { source, tokens, at: 0, file: File::default(), found, depth: 0 };
    parser.declarations();
    parser.found.truncate(Tuning::DEFAULT.max_diagnostics);
    (parser.file, parser.found)
}

impl<'s> Parser<'s> {
    // ---- looking at tokens
    pub fn peek(&self) -> Token {
        self.tokens[self.at]
    }
    pub fn peek_text(&self) -> &'s str {
        self.source.at(self.peek().span)
    }
    fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }
    pub fn next(&mut self) -> Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }
    pub fn at_end(&self) -> bool {
        self.peek().kind == Kind::End
    }
    pub fn is_mark(&self, mark: &str) -> bool {
        matches!(self.peek().kind, Kind::Mark(found) if found == mark)
    }
    pub fn is_word(&self, word: &str) -> bool {
        self.peek().kind == Kind::Name && self.peek_text() == word
    }
    pub fn take_mark(&mut self, mark: &str) -> bool {
        let found = self.is_mark(mark);
        if found {
            self.next();
        }
        found
    }
    pub fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }
    pub fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    // ---- wanting tokens
    pub fn mark(&mut self, mark: &str, context: &str) -> Parsed<Token> {
        if self.is_mark(mark) { Ok(self.next()) } else { Err(self.expected(&format!("`{mark}`"), context)) }
    }
    pub fn name(&mut self, context: &str) -> Parsed<Name> {
        let token = self.peek();
        let is_name = match token.kind {
            Kind::Escaped => true,
            Kind::Name => !KEYWORDS.contains(&self.peek_text()),
            _ => false,
        };
        if !is_name {
            return Err(self.expected("a name", context));
        }
        self.next();
        Ok(Name { text: self.source.at(token.span).to_owned(), span: token.span })
    }
    pub fn names(&mut self, context: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(context)?];
        while self.take_mark(",") {
            names.push(self.name(context)?);
        }
        Ok(names)
    }

    // ---- saying what is wrong
    pub fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        let message = self.source.diagnostic(Severity::Error, span, message.into(), String::new());
        self.found.push(message);
        Reported
    }
    pub fn unsupported(&mut self, span: Span, what: &str) {
        let message = format!("{what} is not supported");
        let message = self.source.diagnostic(Severity::Unsupported, span, message, String::new());
        self.found.push(message);
    }
    pub fn expected(&mut self, what: &str, context: &str) -> Reported {
        let token = self.peek();
        let there = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.peek_text()),
        };
        self.error(token.span, format!("expected {what} {context}, found {there}"))
    }
    /// Runs the parser one level deeper.
    pub fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.peek().span;
            let message = format!("nested more than {MAX_DEPTH} deep");
            let message = self.source.diagnostic(Severity::Unsupported, span, message, String::new());
            self.found.push(message);
            // What follows would only repeat it.
            self.at = self.tokens.len() - 1;
            return Err(Reported);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }
    pub fn has_enough(&self) -> bool {
        self.found.len() >= Tuning::DEFAULT.max_diagnostics
    }
}

/// Words that are no names.
const KEYWORDS: &[&str] = &[
    "assert",
    "assume",
    "axiom",
    "bool",
    "break",
    "call",
    "complete",
    "const",
    "else",
    "ensures",
    "exists",
    "extends",
    "false",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "int",
    "invariant",
    "lambda",
    "modifies",
    "old",
    "procedure",
    "real",
    "requires",
    "return",
    "returns",
    "then",
    "true",
    "type",
    "unique",
    "var",
    "where",
    "while",
];
