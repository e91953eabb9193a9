//! Tokens of textual IR, read one at a time where the parser stands.
//!
//! Strings have no escaped quotes: `\22` is a quote, and the next `"` ends the string. Names keep their escapes, since the same name is
//! always written in the same way.

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'s> {
    /// A keyword, a type such as `i32`, an attribute.
    Word(&'s str),
    /// A word or name in front of a colon.
    Label(&'s str),
    /// `%name`.
    Local(&'s str),
    /// `@name`.
    Global(&'s str),
    /// `!name`, `!12`, or `!` alone.
    Meta(&'s str),
    /// `#12` or `#dbg_value`.
    Hash(&'s str),
    /// `$name`.
    Comdat(&'s str),
    /// `"…"` without the quotes.
    Text(&'s str),
    /// `c"…"` without the quotes.
    Bytes(&'s str),
    /// A number: an integer, a decimal float, or a hexadecimal encoding.
    Number(&'s str),
    /// `...`.
    Ellipsis,
    /// A single character.
    Mark(u8),
    /// The end of the text.
    End,
}

/// A place in the text.
#[derive(Clone, Copy)]
pub struct Cursor<'s> {
    text: &'s str,
    /// The next byte.
    pub at: usize,
    end: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-' | 0x80..)
}

impl<'s> Cursor<'s> {
    /// Reads from here to there.
    pub fn new(text: &'s str, at: usize, end: usize) -> Self {
        Cursor { text, at, end: end.min(text.len()) }
    }
    fn byte(&self, at: usize) -> u8 {
        if at < self.end { self.text.as_bytes()[at] } else { 0 }
    }
    /// Passes blanks and comments.
    pub fn skip_space(&mut self) {
        loop {
            match self.byte(self.at) {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b';' => {
                    while self.at < self.end && self.byte(self.at) != b'\n' {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }
    /// Goes to the end of the line.
    pub fn skip_line(&mut self) {
        while self.at < self.end && self.byte(self.at) != b'\n' {
            self.at += 1;
        }
    }
    fn word(&mut self) -> &'s str {
        let start = self.at;
        while self.at < self.end && is_word(self.byte(self.at)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }
    fn quoted(&mut self) -> &'s str {
        self.at += 1;
        let start = self.at;
        while self.at < self.end && self.byte(self.at) != b'"' {
            self.at += 1;
        }
        let inner = &self.text[start..self.at];
        self.at = (self.at + 1).min(self.end);
        inner
    }
    /// A name behind its sigil. A quoted name of digits is not the number, so it keeps a quote.
    fn name(&mut self) -> &'s str {
        self.at += 1;
        if self.byte(self.at) != b'"' {
            return self.word();
        }
        let start = self.at;
        let inner = self.quoted();
        let is_number = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { &self.text[start..start + 1 + inner.len()] } else { inner }
    }
    /// The next token.
    pub fn next(&mut self) -> Token<'s> {
        self.skip_space();
        if self.at >= self.end {
            return Token::End;
        }
        match self.byte(self.at) {
            b'%' => Token::Local(self.name()),
            b'@' => Token::Global(self.name()),
            b'$' => Token::Comdat(self.name()),
            b'!' => {
                self.at += 1;
                Token::Meta(self.meta_word())
            }
            b'#' => {
                self.at += 1;
                Token::Hash(self.word())
            }
            b'"' => {
                let text = self.quoted();
                self.labelled(text, Token::Text(text))
            }
            b'c' if self.byte(self.at + 1) == b'"' => {
                self.at += 1;
                Token::Bytes(self.quoted())
            }
            b'.' if self.byte(self.at + 1) == b'.' && self.byte(self.at + 2) == b'.' => {
                self.at += 3;
                Token::Ellipsis
            }
            b'+' => {
                self.at += 1;
                Token::Number(self.word())
            }
            byte if is_word(byte) => self.word_or_number(),
            byte => {
                // The text is cut at characters: any other one is passed as a whole.
                self.at += 1;
                Token::Mark(byte)
            }
        }
    }
    /// The name of metadata may have escapes `\xx`.
    fn meta_word(&mut self) -> &'s str {
        let start = self.at;
        while self.at < self.end && (is_word(self.byte(self.at)) || self.byte(self.at) == b'\\') {
            self.at += 1;
        }
        &self.text[start..self.at]
    }
    fn word_or_number(&mut self) -> Token<'s> {
        let start = self.at;
        let word = self.word();
        let first = word.as_bytes()[0];
        if first.is_ascii_digit() || (first == b'-' && word.len() > 1) {
            // 1.0e+10: the sign is no part of words.
            if word.ends_with(['e', 'E']) && self.byte(self.at) == b'+' && !word.starts_with("0x") {
                self.at += 1;
                self.word();
            }
            let number = &self.text[start..self.at];
            return self.labelled(number, Token::Number(number));
        }
        self.labelled(word, Token::Word(word))
    }
    fn labelled(&mut self, name: &'s str, otherwise: Token<'s>) -> Token<'s> {
        if self.byte(self.at) == b':' {
            self.at += 1;
            return Token::Label(name);
        }
        otherwise
    }
    /// The text from here to there.
    pub fn slice(&self, from: usize, to: usize) -> &'s str {
        &self.text[from..to.max(from)]
    }
}

/// The bytes of a string: `\xx` is the byte of this number, `\\` a backslash.
pub fn unescape(text: &str) -> Vec<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let bytes = text.as_bytes();
    let mut result = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            if bytes.get(at + 1) == Some(&b'\\') {
                result.push(b'\\');
                at += 2;
                continue;
            }
            let high = bytes.get(at + 1).and_then(|&byte| digit(byte));
            let low = bytes.get(at + 2).and_then(|&byte| digit(byte));
            if let (Some(high), Some(low)) = (high, low) {
                result.push(high << 4 | low);
                at += 3;
                continue;
            }
        }
        result.push(bytes[at]);
        at += 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut cursor = Cursor::new(text, 0, text.len());
        let mut all = Vec::new();
        loop {
            match cursor.next() {
                Token::End => return all,
                token => all.push(token),
            }
        }
    }

    #[test]
    fn one_line_of_each_kind() {
        use Token::*;
        let text = "%x = load i32, ptr @\"a b\", align 4, !dbg !12 ; comment\nbb1:\n\"q\":\n12:";
        let expected = vec![
            Local("x"),
            Mark(b'='),
            Word("load"),
            Word("i32"),
            Mark(b','),
            Word("ptr"),
            Global("a b"),
            Mark(b','),
            Word("align"),
            Number("4"),
            Mark(b','),
            Meta("dbg"),
            Meta("12"),
            Label("bb1"),
            Label("q"),
            Label("12"),
        ];
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn numbers_and_strings() {
        use Token::*;
        let text = "-1 1.5e+03 -0x7F 0xK4000 c\"a\\22\\\\\" ... %\"12\"";
        let expected = vec![
            Number("-1"),
            Number("1.5e+03"),
            Number("-0x7F"),
            Number("0xK4000"),
            Bytes("a\\22\\\\"),
            Ellipsis,
            Local("\"12"),
        ];
        assert_eq!(tokens(text), expected);
        assert_eq!(unescape("a\\22\\\\\\0A"), b"a\"\\\n");
    }

    #[test]
    fn an_unfinished_string_ends_with_the_text() {
        assert_eq!(tokens("\"abc"), [Token::Text("abc")]);
        assert_eq!(tokens("%\""), [Token::Local("")]);
    }
}
