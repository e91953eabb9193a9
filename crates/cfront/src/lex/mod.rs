//! Lexing: bytes to tokens.
//!
//! One pass over the bytes finds where each token ends and interns identifiers. Numbers,
//! characters and strings are only delimited here; `number` and `text` decode them when the parser
//! asks, so that the pass stays simple and fast. Anything that cannot be a token is reported once
//! per run of bytes and skipped.

mod intern;
mod number;
mod text;
mod token;

use base::{Id, IndexVec, Severity};

pub(crate) use intern::{Interner, Word};
pub(crate) use number::{BadNumber, Number, decode_number};
pub(crate) use text::{decode_char, decode_string, prefix};
pub use token::{Tok, Token};

use crate::ast::{Name, Span};
use crate::known_pragmas::{Pragma, pragma};
use crate::tuning::Tuning;

/// A diagnostic before its place is known.
#[derive(Debug)]
pub(crate) struct Problem {
    pub severity: Severity,
    pub span: Span,
    pub message: String,
    pub help: String,
}

/// What the lexer hands over.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    /// The tokens; the last one is `Tok::Eof`.
    pub tokens: Vec<Token>,
    /// What was wrong.
    pub problems: Vec<Problem>,
    /// `#pragma pack`: from this byte on the limit in bytes for the alignment of members; zero is no limit.
    pub packs: Vec<(u32, u32)>,
    /// Names in `#pragma weak`.
    pub weak: Vec<(String, Span)>,
}

/// Splits the text from byte `from` on into tokens.
pub(crate) fn lex(text: &str, from: u32, names: &mut IndexVec<Name, Box<str>>) -> Lexed {
    let interner = Interner::new(names);
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: from as usize,
        first_on_line: true,
        names,
        interner,
        pack_stack: Vec::new(),
        reported_directive: false,
        out: Lexed::default(),
    };
    lexer.out.tokens.reserve((text.len() - from as usize) / 5 + 1);
    lexer.run();
    lexer.out
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    first_on_line: bool,
    names: &'t mut IndexVec<Name, Box<str>>,
    interner: Interner,
    pack_stack: Vec<u32>,
    reported_directive: bool,
    out: Lexed,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\n' => {
                    self.at += 1;
                    self.first_on_line = true;
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word(),
                b'0'..=b'9' => self.number(),
                b'"' | b'\'' => self.quoted(self.at),
                b'#' if self.first_on_line => self.directive(),
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.comment(),
                b'.' if self.peek(1).is_ascii_digit() => self.number(),
                b'\\' if self.continuation(self.at) > 0 => self.at += self.continuation(self.at),
                _ => self.punctuation(byte),
            }
        }
        let end = self.bytes.len();
        self.push(Tok::Eof, end, end);
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Tok, start: usize, end: usize) {
        self.push_word(kind, start, end, Name::new(0));
    }

    fn push_word(&mut self, kind: Tok, start: usize, end: usize, name: Name) {
        let first_on_line = std::mem::replace(&mut self.first_on_line, false);
        self.out.tokens.push(Token { kind, first_on_line, start: start as u32, end: end as u32, name });
    }

    fn problem(&mut self, start: usize, end: usize, message: impl Into<String>, help: &str) {
        if self.out.problems.len() < Tuning::DEFAULT.max_lexer_diagnostics {
            let span = Span { start: start as u32, end: end as u32 };
            let (message, help) = (message.into(), help.to_owned());
            self.out.problems.push(Problem { severity: Severity::Error, span, message, help });
        }
    }

    /// How many bytes a backslash and the end of its line take here, or zero.
    fn continuation(&self, at: usize) -> usize {
        match &self.bytes[at..] {
            [b'\\', b'\n', ..] => 2,
            [b'\\', b'\r', b'\n', ..] => 3,
            _ => 0,
        }
    }

    fn word(&mut self) {
        let start = self.at;
        let mut at = start + 1;
        while at < self.bytes.len() && is_word_byte(self.bytes[at]) {
            at += 1;
        }
        match self.bytes.get(at) {
            Some(b'"' | b'\'') if prefix(&self.bytes[start..at]).is_some() => return self.quoted(at),
            Some(b'\\' | 0x80..) => return self.unusual_word(),
            _ => {}
        }
        self.at = at;
        let word = self.interner.word(self.names, &self.text[start..at]);
        self.push_interned(word, start, at);
    }

    fn push_interned(&mut self, word: Word, start: usize, end: usize) {
        match word {
            Word::Keyword(kind) => self.push(kind, start, end),
            Word::Identifier(name) => self.push_word(Tok::Ident, start, end, name),
        }
    }

    /// An identifier with letters beyond ASCII, universal character names or a line end inside.
    fn unusual_word(&mut self) {
        let start = self.at;
        let mut spelling = String::new();
        let mut at = start;
        while let Some(character) = self.text[at..].chars().next() {
            if is_word_char(character) {
                spelling.push(character);
                at += character.len_utf8();
            } else if self.continuation(at) > 0 {
                at += self.continuation(at);
            } else if let Some((character, length)) = text::universal_name(&self.bytes[at..]) {
                spelling.push(character);
                at += length;
            } else {
                break;
            }
        }
        if spelling.is_empty() {
            return self.stray();
        }
        self.at = at;
        let word = self.interner.word(self.names, &spelling);
        self.push_interned(word, start, at);
    }

    /// A preprocessing number: what follows may turn out not to be a number of C.
    fn number(&mut self) {
        let start = self.at;
        let mut at = start + 1;
        while let Some(&byte) = self.bytes.get(at) {
            let sign_of_exponent =
                matches!(byte, b'+' | b'-') && matches!(self.bytes[at - 1], b'e' | b'E' | b'p' | b'P');
            // C23 separates digits (`1'000`); before, a quote there was never valid.
            let separates = byte == b'\''
                && self.bytes[at - 1].is_ascii_hexdigit()
                && self.bytes.get(at + 1).is_some_and(u8::is_ascii_hexdigit);
            if is_word_byte(byte) || byte == b'.' || sign_of_exponent || separates {
                at += 1;
            } else if byte == b'\\' && self.continuation(at) > 0 {
                at += self.continuation(at);
            } else {
                break;
            }
        }
        self.at = at;
        self.push(Tok::Number, start, at);
    }

    /// A character constant or string whose quote stands at `quote_at`, perhaps after a prefix.
    fn quoted(&mut self, quote_at: usize) {
        let start = self.at;
        let quote = self.bytes[quote_at];
        let kind = if quote == b'"' { Tok::String } else { Tok::Char };
        let mut at = quote_at + 1;
        loop {
            match self.bytes.get(at) {
                Some(&byte) if byte == quote => break at += 1,
                Some(b'\\') if at + 1 < self.bytes.len() => at += self.continuation(at).max(2),
                None | Some(b'\n') => {
                    let what = if quote == b'"' { "string" } else { "character constant" };
                    self.problem(start, at, format!("this {what} is not closed before the end of the line"), "");
                    break;
                }
                Some(_) => at += 1,
            }
        }
        self.at = at.min(self.bytes.len());
        self.push(kind, start, self.at);
    }

    fn skip_line(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => return,
                b'\\' => self.at += self.continuation(self.at).max(1),
                _ => self.at += 1,
            }
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        match self.text[start + 2..].find("*/") {
            Some(length) => {
                self.at = start + 2 + length + 2;
                self.first_on_line |= self.bytes[start..self.at].contains(&b'\n');
            }
            None => {
                self.problem(start, start + 2, "this comment is never closed", "");
                self.at = self.bytes.len();
            }
        }
    }

    /// A line that begins with `#`. The line table has read the markers already.
    fn directive(&mut self) {
        let start = self.at;
        self.skip_line();
        let line = self.text[start + 1..self.at].trim_ascii();
        let length = line.bytes().take_while(|&byte| is_word_byte(byte)).count();
        let (word, rest) = line.split_at(length);
        match word {
            "pragma" => self.pragma(rest.trim_ascii(), start),
            "" | "line" | "ident" | "sccs" | "assert" | "unassert" => {}
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {}
            "include" | "include_next" | "import" | "define" | "undef" | "if" | "ifdef" | "ifndef" | "else"
            | "elif" | "elifdef" | "elifndef" | "endif" | "error" | "warning" | "embed" => {
                if !std::mem::replace(&mut self.reported_directive, true) {
                    let end = self.at;
                    self.problem(
                        start,
                        end,
                        format!("found the directive `#{word}`: the file must be preprocessed first"),
                        "run it through `cc -E`",
                    );
                }
            }
            _ => {
                let end = self.at;
                self.problem(start, end, "this line is no directive of C", "");
            }
        }
    }

    fn pragma(&mut self, rest: &str, start: usize) {
        let span = Span { start: start as u32, end: self.at as u32 };
        match pragma(rest) {
            Pragma::Pack(arguments) if self.pack(arguments) => {}
            Pragma::Weak(name) if !name.is_empty() && name.bytes().all(is_word_byte) => {
                self.out.weak.push((name.to_owned(), span));
            }
            Pragma::Harmless => {}
            _ => {
                let shown: String = rest.chars().take(40).collect();
                let message = format!("pragma `{shown}`");
                self.out.problems.push(Problem { severity: Severity::Unsupported, span, message, help: String::new() });
            }
        }
    }

    /// `#pragma pack(push, 1)` and its relatives; `false` if an argument is not understood.
    fn pack(&mut self, arguments: &str) -> bool {
        let mut current = self.out.packs.last().map_or(0, |&(_, limit)| limit);
        if arguments.trim_ascii().is_empty() {
            current = 0;
        }
        for argument in arguments.split(',').map(str::trim_ascii) {
            match argument {
                "" => {}
                "push" => self.pack_stack.push(current),
                "pop" => current = self.pack_stack.pop().unwrap_or(0),
                _ => match argument.parse() {
                    Ok(limit @ (0 | 1 | 2 | 4 | 8 | 16)) => current = limit,
                    // The name of a state that was pushed, or a limit that gcc passes over.
                    _ => return false,
                },
            }
        }
        self.out.packs.push((self.at as u32, current));
        true
    }

    fn punctuation(&mut self, byte: u8) {
        let (kind, length) = match (byte, self.peek(1), self.peek(2)) {
            (b'(', ..) => (Tok::LParen, 1),
            (b')', ..) => (Tok::RParen, 1),
            (b'[', ..) => (Tok::LBracket, 1),
            (b']', ..) => (Tok::RBracket, 1),
            (b'{', ..) => (Tok::LBrace, 1),
            (b'}', ..) => (Tok::RBrace, 1),
            (b';', ..) => (Tok::Semi, 1),
            (b',', ..) => (Tok::Comma, 1),
            (b':', b'>', _) => (Tok::RBracket, 2),
            (b':', ..) => (Tok::Colon, 1),
            (b'?', ..) => (Tok::Question, 1),
            (b'~', ..) => (Tok::Tilde, 1),
            (b'.', b'.', b'.') => (Tok::Ellipsis, 3),
            (b'.', ..) => (Tok::Dot, 1),
            (b'=', b'=', _) => (Tok::EqEq, 2),
            (b'=', ..) => (Tok::Assign, 1),
            (b'+', b'+', _) => (Tok::PlusPlus, 2),
            (b'+', b'=', _) => (Tok::PlusAssign, 2),
            (b'+', ..) => (Tok::Plus, 1),
            (b'-', b'-', _) => (Tok::MinusMinus, 2),
            (b'-', b'>', _) => (Tok::Arrow, 2),
            (b'-', b'=', _) => (Tok::MinusAssign, 2),
            (b'-', ..) => (Tok::Minus, 1),
            (b'*', b'=', _) => (Tok::StarAssign, 2),
            (b'*', ..) => (Tok::Star, 1),
            (b'/', b'=', _) => (Tok::SlashAssign, 2),
            (b'/', ..) => (Tok::Slash, 1),
            (b'%', b'=', _) => (Tok::PercentAssign, 2),
            (b'%', b'>', _) => (Tok::RBrace, 2),
            (b'%', ..) => (Tok::Percent, 1),
            (b'&', b'&', _) => (Tok::AndAnd, 2),
            (b'&', b'=', _) => (Tok::AmpAssign, 2),
            (b'&', ..) => (Tok::Amp, 1),
            (b'|', b'|', _) => (Tok::OrOr, 2),
            (b'|', b'=', _) => (Tok::PipeAssign, 2),
            (b'|', ..) => (Tok::Pipe, 1),
            (b'^', b'=', _) => (Tok::CaretAssign, 2),
            (b'^', ..) => (Tok::Caret, 1),
            (b'!', b'=', _) => (Tok::NotEq, 2),
            (b'!', ..) => (Tok::Bang, 1),
            (b'<', b'<', b'=') => (Tok::ShlAssign, 3),
            (b'<', b'<', _) => (Tok::Shl, 2),
            (b'<', b'=', _) => (Tok::Le, 2),
            (b'<', b':', _) => (Tok::LBracket, 2),
            (b'<', b'%', _) => (Tok::LBrace, 2),
            (b'<', ..) => (Tok::Lt, 1),
            (b'>', b'>', b'=') => (Tok::ShrAssign, 3),
            (b'>', b'>', _) => (Tok::Shr, 2),
            (b'>', b'=', _) => (Tok::Ge, 2),
            (b'>', ..) => (Tok::Gt, 1),
            // A letter beyond ASCII or a universal character name may begin an identifier.
            (b'\\' | 0x80.., ..) => return self.unusual_word(),
            _ => return self.stray(),
        };
        let start = self.at;
        self.at += length;
        self.push(kind, start, self.at);
    }

    /// Bytes that belong to no token: one report for the whole run.
    fn stray(&mut self) {
        let start = self.at;
        let mut characters = self.text[start..].chars();
        let first = characters.next().expect("the lexer stops at the end of the text");
        self.at += first.len_utf8();
        for character in characters {
            if character.is_ascii_graphic() || character.is_ascii_whitespace() || character.is_alphanumeric() {
                break;
            }
            self.at += character.len_utf8();
        }
        let end = self.at;
        self.problem(start, end, format!("the character `{}` has no meaning here", first.escape_default()), "");
    }
}

fn is_word_byte(byte: u8) -> bool {
    WORD_BYTES[byte as usize]
}

const WORD_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_' || byte as u8 == b'$';
        byte += 1;
    }
    table
};

fn is_word_char(character: char) -> bool {
    if character.is_ascii() { is_word_byte(character as u8) } else { character.is_alphanumeric() }
}

#[cfg(test)]
mod tests;
