//! A position in the tokens, and the small questions that readers ask there.

use super::lex::{Source, Token, TokenKind};

/// A diagnostic has been made; the reader skips to where it can go on.
pub(super) struct Reported;

pub(super) struct Cursor<'s> {
    pub(super) source: Source<'s>,
    tokens: Vec<Token>,
    at: usize,
}

impl<'s> Cursor<'s> {
    pub(super) fn new(mut source: Source<'s>) -> Self {
        let tokens = source.tokens();
        Cursor { source, tokens, at: 0 }
    }
    pub(super) fn n_tokens(&self) -> usize {
        self.tokens.len()
    }
    pub(super) fn position(&self) -> usize {
        self.at
    }
    pub(super) fn go_to(&mut self, position: usize) {
        self.at = position;
    }
    pub(super) fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }
    /// The next token, which stays.
    pub(super) fn peek(&self) -> Token {
        self.tokens[self.at]
    }
    /// The token after the next.
    pub(super) fn peek_second(&self) -> Token {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }
    /// Takes the next token; the end is never passed.
    pub(super) fn next(&mut self) -> Token {
        let token = self.tokens[self.at];
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }
    /// The next token if it is a word; nothing otherwise.
    pub(super) fn peek_word(&self) -> &'s str {
        self.source.word(self.peek())
    }
    /// Takes the token if it is of this kind.
    pub(super) fn take(&mut self, kind: TokenKind) -> bool {
        let found = self.peek().kind == kind;
        if found {
            self.next();
        }
        found
    }
    /// Takes the token if it is this word.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.next();
        }
        found
    }
    pub(super) fn expect(&mut self, kind: TokenKind, what: &str) -> Result<Token, Reported> {
        if self.peek().kind == kind { Ok(self.next()) } else { Err(self.expected(what)) }
    }
    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), Reported> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }
    /// A number in decimal digits.
    pub(super) fn number<N: std::str::FromStr>(&mut self, what: &str) -> Result<N, Reported> {
        let word = self.peek_word();
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        match word.parse() {
            Ok(number) if digits => {
                self.next();
                Ok(number)
            }
            _ => Err(self.expected(what)),
        }
    }
    /// A name of the user's, quoted or not.
    pub(super) fn name(&mut self, what: &str) -> Result<(Token, String), Reported> {
        let token = self.peek();
        match token.kind {
            TokenKind::Word => {
                self.next();
                Ok((token, self.source.text(token).to_owned()))
            }
            TokenKind::Quoted => {
                self.next();
                Ok((token, self.source.unquoted(token)))
            }
            _ => Err(self.expected(what)),
        }
    }
    /// A text in double quotes.
    pub(super) fn string(&mut self, what: &str) -> Result<String, Reported> {
        let token = self.expect(TokenKind::String, what)?;
        Ok(self.source.unquoted(token))
    }
    /// Reports that something else was expected here.
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", shortened(self.source.text(token))),
        };
        self.report(token, format!("expected {what}, found {found}"))
    }
    pub(super) fn report(&mut self, token: Token, message: impl Into<String>) -> Reported {
        self.source.report(token, message);
        Reported
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    text.chars().take(39).chain(std::iter::once('…')).collect()
}
