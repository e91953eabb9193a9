//! From characters to tokens with places.

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The line, from one.
    pub line: u32,
    /// The column in characters, from one.
    pub column: u32,
    /// One sentence without a full stop.
    pub message: String,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Line and column, from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct At {
    pub line: u32,
    pub column: u32,
}

impl At {
    pub fn error<T>(self, message: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError { line: self.line, column: self.column, message: message.into() })
    }
}

/// The kinds of atoms, and the parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Open,
    Close,
    /// A symbol; the text is without bars.
    Symbol,
    /// A symbol between bars, which is never a reserved word.
    Quoted,
    /// A keyword with its colon.
    Keyword,
    Numeral,
    Decimal,
    /// The text is without `#x`.
    Hex,
    /// The text is without `#b`.
    Binary,
    /// The text is as written between the quotes, doubled quotes included.
    String,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub at: At,
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
    at: At,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer { text, position: 0, at: At { line: 1, column: 1 } }
    }

    /// The next token, or nothing at the end.
    /// Long: one `match` over all first characters.
    pub fn next(&mut self) -> Result<Option<Token<'a>>, ReadError> {
        self.skip_blanks();
        let at = self.at;
        let rest = &self.text[self.position..];
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let token = |kind, text| Ok(Some(Token { kind, text, at }));
        match first {
            '(' => {
                self.advance(1);
                token(Kind::Open, "(")
            }
            ')' => {
                self.advance(1);
                token(Kind::Close, ")")
            }
            '|' => {
                let Some(end) = rest[1..].find('|') else {
                    // A caller that continues after the error finds the end of the text there.
                    self.advance(rest.len());
                    return at.error("this quoted symbol has no end");
                };
                self.advance(end + 2);
                let text = &rest[1..1 + end];
                match text.contains('\\') {
                    true => at.error("a quoted symbol contains no backslash"),
                    false => token(Kind::Quoted, text),
                }
            }
            '"' => {
                let bytes = rest.as_bytes();
                let mut end = 1;
                loop {
                    match (bytes.get(end), bytes.get(end + 1)) {
                        (None, _) => {
                            self.advance(rest.len());
                            return at.error("this string has no end");
                        }
                        (Some(b'"'), Some(b'"')) => end += 2,
                        (Some(b'"'), _) => break,
                        _ => end += 1,
                    }
                }
                self.advance(end + 1);
                token(Kind::String, &rest[1..end])
            }
            '#' => {
                let length = word(&rest[1..]) + 1;
                self.advance(length);
                let text = &rest[..length];
                match (text.get(..2), text.get(2..)) {
                    (Some("#b"), Some(digits))
                        if !digits.is_empty() && digits.bytes().all(|b| matches!(b, b'0' | b'1')) =>
                    {
                        token(Kind::Binary, digits)
                    }
                    (Some("#x"), Some(digits))
                        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()) =>
                    {
                        token(Kind::Hex, digits)
                    }
                    _ => at.error(format!("`{text}` is no literal")),
                }
            }
            '0'..='9' => {
                let length = word(rest);
                self.advance(length);
                let text = &rest[..length];
                let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                match text.split_once('.') {
                    None if digits(text) => token(Kind::Numeral, text),
                    Some((front, back)) if digits(front) && digits(back) => token(Kind::Decimal, text),
                    _ => at.error(format!("`{text}` is no number")),
                }
            }
            ':' => {
                let length = word(&rest[1..]) + 1;
                self.advance(length);
                token(Kind::Keyword, &rest[..length])
            }
            _ => match word(rest) {
                0 => {
                    self.advance(first.len_utf8());
                    at.error(format!("`{}` has no meaning here", first.escape_default()))
                }
                length => {
                    self.advance(length);
                    token(Kind::Symbol, &rest[..length])
                }
            },
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.position..];
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{c}', '\u{feff}']).len();
            self.advance(blanks);
            if !self.text[self.position..].starts_with(';') {
                return;
            }
            let rest = &self.text[self.position..];
            self.advance(rest.find('\n').unwrap_or(rest.len()));
        }
    }
    fn advance(&mut self, bytes: usize) {
        for character in self.text[self.position..self.position + bytes].chars() {
            if character == '\n' {
                self.at = At { line: self.at.line.saturating_add(1), column: 1 };
            } else {
                self.at.column = self.at.column.saturating_add(1);
            }
        }
        self.position += bytes;
    }
}

/// How many bytes of a word stand in front.
fn word(text: &str) -> usize {
    let part = |c: char| c.is_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    text.find(|c| !part(c)).unwrap_or(text.len())
}
