//! Tokens of the text form: brackets, commas, words, quoted words and strings.
//!
//! A word is a run of characters that are neither blank nor brackets, quotes, commas or semicolons, so
//! `:=`, `->`, `@0:3:5` and `#x0f` are words; the reader looks inside. A semicolon starts a comment
//! that ends with the line. Tokens are byte ranges; lines and columns are found when a diagnostic
//! asks for them.

use std::ops::Range;

use base::{Diagnostic, Severity};

use crate::tuning::Tuning;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    Open,
    Close,
    OpenBrace,
    CloseBrace,
    Comma,
    Word,
    /// Between bars: always a name, never a word of the language.
    Quoted,
    /// Between double quotes.
    String,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    start: u32,
    end: u32,
}

/// A file cut into tokens, with the places of its lines and what was wrong so far.
pub(super) struct Source<'s> {
    name: &'s str,
    text: &'s str,
    line_starts: Vec<u32>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'s> Source<'s> {
    pub(super) fn new(name: &'s str, text: &'s str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at as u32 + 1);
        Source { name, text, line_starts: std::iter::once(0).chain(breaks).collect(), diagnostics: Vec::new() }
    }

    /// Cuts the whole text; the last token is `End`.
    pub(super) fn tokens(&mut self) -> Vec<Token> {
        let text = self.text;
        let bytes = text.as_bytes();
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            at += 1;
            let kind = match bytes[start] {
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                b';' => {
                    at = find(bytes, start, |byte| byte == b'\n');
                    continue;
                }
                b'(' => TokenKind::Open,
                b')' => TokenKind::Close,
                b'{' => TokenKind::OpenBrace,
                b'}' => TokenKind::CloseBrace,
                b',' => TokenKind::Comma,
                quote @ (b'"' | b'|') => {
                    let mut escaped = false;
                    at = find(bytes, at, |byte| {
                        let ends = byte == b'\n' || byte == quote && !escaped;
                        escaped = byte == b'\\' && !escaped;
                        ends
                    });
                    if bytes.get(at) == Some(&quote) {
                        at += 1;
                    } else {
                        self.report_at(start..at, "this quotation does not end on its line".to_owned());
                    }
                    if quote == b'"' { TokenKind::String } else { TokenKind::Quoted }
                }
                _ => {
                    at = find(bytes, at, |byte| byte.is_ascii_whitespace() || b"(){},\"|;".contains(&byte));
                    TokenKind::Word
                }
            };
            tokens.push(Token { kind, start: start as u32, end: at as u32 });
        }
        let end = text.len() as u32;
        tokens.push(Token { kind: TokenKind::End, start: end, end });
        tokens
    }

    /// The token as written.
    pub(super) fn text(&self, token: Token) -> &'s str {
        &self.text[token.start as usize..token.end as usize]
    }
    /// The token if it is a word, and nothing otherwise.
    pub(super) fn word(&self, token: Token) -> &'s str {
        if token.kind == TokenKind::Word { self.text(token) } else { "" }
    }
    /// What stands between the quotes, with escapes resolved.
    pub(super) fn unquoted(&mut self, token: Token) -> String {
        let raw = self.text(token);
        let quote = &raw[..1];
        let inner = raw[1..].strip_suffix(quote).unwrap_or(&raw[1..]);
        if !inner.contains('\\') {
            return inner.to_owned();
        }
        let mut result = String::with_capacity(inner.len());
        let mut chars = inner.chars();
        while let Some(c) = chars.next() {
            if c != '\\' {
                result.push(c);
                continue;
            }
            match chars.next() {
                Some('n') => result.push('\n'),
                Some('t') => result.push('\t'),
                Some('r') => result.push('\r'),
                Some(c @ ('\\' | '"' | '|')) => result.push(c),
                Some('u') => {
                    let rest = chars.as_str();
                    let digits = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                    let code = digits.and_then(|(digits, _)| u32::from_str_radix(digits, 16).ok());
                    match (digits, code.and_then(char::from_u32)) {
                        (Some((_, after)), Some(c)) => {
                            result.push(c);
                            chars = after.chars();
                        }
                        _ => self.report(token, "`\\u` is followed by the number of a character, as in `\\u{7c}`"),
                    }
                }
                _ => self.report(token, "a backslash is followed by one of n t r \\ \" | u"),
            }
        }
        result
    }
    /// Whether nothing but blanks stands before the token on its line.
    pub(super) fn is_first_on_line(&self, token: Token) -> bool {
        let start = self.line_starts[self.line_of(token.start)];
        self.text[start as usize..token.start as usize].trim().is_empty()
    }
    /// Remembers what is wrong with the token.
    pub(super) fn report(&mut self, token: Token, message: impl Into<String>) {
        self.report_at(token.start as usize..token.end as usize, message.into());
    }
    fn report_at(&mut self, range: Range<usize>, message: String) {
        if self.diagnostics.len() >= Tuning::DEFAULT.max_diagnostics {
            return;
        }
        let line_idx = self.line_of(range.start as u32);
        let line_start = self.line_starts[line_idx] as usize;
        let line = self.text[line_start..].lines().next().unwrap_or("");
        self.diagnostics.push(Diagnostic {
            severity: Severity::Error,
            file: self.name.to_owned(),
            line: line_idx as u32 + 1,
            column: self.text[line_start..range.start].chars().count() as u32 + 1,
            length: (self.text[range].chars().count() as u32).max(1),
            source_line: line.to_owned(),
            message,
            help: String::new(),
        });
    }
    fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset) - 1
    }
}

fn find(bytes: &[u8], from: usize, mut wanted: impl FnMut(u8) -> bool) -> usize {
    bytes[from..].iter().position(|&byte| wanted(byte)).map_or(bytes.len(), |offset| from + offset)
}

/// The text between quotes, with escapes where the reader needs them.
pub(super) fn quoted(text: &str, quote: char) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push(quote);
    for c in text.chars() {
        match c {
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            '\\' => result.push_str("\\\\"),
            c if c == quote => result.extend(['\\', c]),
            c if base::shown::is_unsafe_to_show(c) => {
                result.push_str(&format!("\\u{{{:x}}}", c as u32));
            }
            c => result.push(c),
        }
    }
    result.push(quote);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_read_back() {
        for text in
            ["", "plain", "a \"b\" | c\\", "line\nbreak\ttab\r", "\u{0}\u{7f}\u{2028}\u{202e}", "grüße 🦀", "\\u{41}"]
        {
            for quote in ['"', '|'] {
                let written = quoted(text, quote);
                let mut source = Source::new("t", &written);
                let tokens = source.tokens();
                assert_eq!(tokens.len(), 2, "{written}");
                assert_eq!(source.unquoted(tokens[0]), text);
                assert_eq!(source.diagnostics, []);
            }
        }
    }

    #[test]
    fn an_open_quotation_is_reported_with_its_line() {
        let mut source = Source::new("t.cfa", "(é \"open\n)");
        let kinds: Vec<TokenKind> = source.tokens().iter().map(|token| token.kind).collect();
        use TokenKind::*;
        assert_eq!(kinds, [Open, Word, String, Close, End]);
        let found = &source.diagnostics[0];
        assert_eq!((found.line, found.column, found.length), (1, 4, 5));
        assert_eq!(found.source_line, "(é \"open");
    }

    #[test]
    fn comments_and_blanks_separate_words() {
        let mut source = Source::new("t", "a,b ; c\n@0:1:2->x");
        let tokens = source.tokens();
        let words: Vec<&str> = tokens.iter().map(|&token| source.text(token)).collect();
        assert_eq!(words, ["a", ",", "b", "@0:1:2->x", ""]);
        assert!(source.is_first_on_line(tokens[3]));
        assert!(!source.is_first_on_line(tokens[2]));
    }
}
