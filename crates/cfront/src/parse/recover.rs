//! Error recovery: the message, and where parsing continues.
//!
//! A failed part is given up as a whole (`Failed` travels up to the next statement or declaration),
//! so one mistake gives one message. Then tokens are skipped to a place where a statement or
//! declaration plausibly begins.

use base::{Diagnostic, Severity};

use super::{Failed, Parsed, Parser};
use crate::ast::Span;
use crate::lex::{Problem, Tok};
use crate::tuning::Tuning;

impl Parser<'_> {
    /// Everything found, in the order of the text.
    pub(super) fn diagnostics(mut self) -> Vec<Diagnostic> {
        self.problems.sort_by_key(|problem| problem.span.start);
        let too_many = self.problems.len() > Tuning::DEFAULT.max_parser_diagnostics;
        self.problems.truncate(Tuning::DEFAULT.max_parser_diagnostics);
        let mut diagnostics: Vec<_> = Vec::new();
        let mut last = Span::default();
        for problem in self.problems {
            last = problem.span;
            diagnostics.push(self.source.diagnostic(problem.severity, problem.span, problem.message, problem.help));
        }
        if too_many {
            diagnostics.push(self.source.diagnostic(Severity::Error, last, "too many errors, stopping here", ""));
        }
        diagnostics
    }

    pub(super) fn report_as(&mut self, severity: Severity, span: Span, message: String, help: String) {
        let said_before = |problem: &Problem| problem.severity == severity && problem.message == message;
        if self.stopped || (severity == Severity::Unsupported && self.problems.iter().any(said_before)) {
            return;
        }
        self.problems.push(Problem { severity, span, message, help });
        if self.problems.len() > Tuning::DEFAULT.max_parser_diagnostics {
            self.stop();
        }
    }

    /// Jumps to the end of the text; nothing more is reported.
    pub(super) fn stop(&mut self) {
        self.stopped = true;
        self.at = self.tokens.len() - 1;
    }

    #[cold]
    pub(super) fn fail<T>(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) -> Parsed<T> {
        self.report(span, message, help);
        Err(Failed)
    }

    #[cold]
    pub(super) fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        self.expected_with_help(what, String::new())
    }

    #[cold]
    pub(super) fn expected_with_help<T>(&mut self, what: &str, help: String) -> Parsed<T> {
        let message = format!("expected {what}, found {}", self.found());
        let span = self.here();
        self.fail(span, message, help)
    }

    /// The current token as shown in messages.
    pub(super) fn found(&self) -> String {
        let token = self.token();
        if token.kind == Tok::Eof {
            return "the end of the file".to_owned();
        }
        let text = self.token_text(token);
        if text.chars().count() > 40 {
            let beginning: String = text.chars().take(40).collect();
            return format!("`{beginning}…`");
        }
        format!("`{text}`")
    }

    /// The current token, or the last one before the end of the file.
    pub(super) fn here(&self) -> Span {
        let token = self.token();
        if token.kind == Tok::Eof && self.at > 0 { self.tokens[self.at - 1].span() } else { token.span() }
    }

    /// Takes the `;` after `what`. If it is missing and the next token begins a line or closes the
    /// block, the user forgot it: we say so and go on as if it were there.
    pub(super) fn expect_semicolon(&mut self, what: &str) -> Parsed<()> {
        if self.eat(Tok::Semi) {
            return Ok(());
        }
        let token = self.token();
        let at_line_start = token.first_on_line && self.at > 0;
        let help = if at_line_start { "did you forget a `;` after the previous line?" } else { "" };
        let expected = if what.is_empty() { "`;`".to_owned() } else { format!("`;` after {what}") };
        let result = self.expected_with_help(&expected, help.to_owned());
        if at_line_start || token.kind == Tok::RBrace { Ok(()) } else { result }
    }

    /// Skips to the end of the statement: behind its `;` or braces, or in front of the `}` around it.
    pub(super) fn skip_statement(&mut self) {
        let mut parentheses = 0u32;
        loop {
            match self.tok() {
                Tok::Eof | Tok::RBrace => return,
                Tok::Semi if parentheses == 0 => return self.advance(),
                Tok::LBrace => {
                    self.skip_braces();
                    // An `else` belongs to what was skipped; going on with it would give a second message.
                    while self.tok() == Tok::Else && self.ahead(1) == Tok::LBrace {
                        self.advance();
                        self.skip_braces();
                    }
                    if parentheses == 0 {
                        self.eat(Tok::Semi);
                        return;
                    }
                }
                Tok::LParen => parentheses += 1,
                Tok::RParen => parentheses = parentheses.saturating_sub(1),
                // A `;` in parentheses is part of a `for`, unless a statement follows on a new line.
                Tok::Semi if self.tokens[self.at + 1].first_on_line => return self.advance(),
                kind if self.token().first_on_line && begins_statement(kind) => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips to where the next declaration at file scope begins.
    pub(super) fn skip_item(&mut self) {
        loop {
            let token = self.token();
            match token.kind {
                Tok::Eof => return,
                Tok::Semi => return self.advance(),
                Tok::RBrace => {
                    self.advance();
                    self.eat(Tok::Semi);
                    return;
                }
                Tok::LBrace => {
                    self.skip_braces();
                    if !matches!(self.tok(), Tok::Semi | Tok::Comma | Tok::Assign) {
                        return;
                    }
                }
                kind if self.in_first_column() && (kind.is_specifier() || kind == Tok::Ident) => return,
                _ => self.advance(),
            }
        }
    }

    fn in_first_column(&self) -> bool {
        let token = self.token();
        token.first_on_line && self.source.place(token.start).column == 1
    }

    /// Skips `{ … }` with everything inside; the current token is the `{`.
    pub(super) fn skip_braces(&mut self) {
        let mut open = 0u32;
        loop {
            match self.tok() {
                Tok::LBrace => open += 1,
                Tok::RBrace => open -= 1,
                Tok::Eof => return,
                _ => {}
            }
            self.advance();
            if open == 0 {
                return;
            }
        }
    }

    /// Skips `( … )` with everything inside, if the current token is `(`.
    pub(super) fn skip_parentheses(&mut self) {
        let mut open = 0u32;
        loop {
            match self.tok() {
                Tok::LParen => open += 1,
                Tok::RParen => open = open.saturating_sub(1),
                Tok::Eof => return,
                _ => {}
            }
            if open == 0 && self.tok() != Tok::RParen {
                return;
            }
            self.advance();
            if open == 0 {
                return;
            }
        }
    }
}

fn begins_statement(kind: Tok) -> bool {
    (Tok::If..=Tok::StaticAssert).contains(&kind) && kind != Tok::Else && kind != Tok::Asm
}
