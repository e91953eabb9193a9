//! Tokens. Comments nest; names may contain `' ~ # $ ^ _ . ?` and backquotes; a backslash in front
//! makes a name out of a keyword.

use base::{Diagnostic, Severity};

use crate::source::{Source, Span};

/// What a token is; its text is that of its span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name or keyword.
    Name,
    /// A name that is no keyword because a backslash stands before it.
    Escaped,
    /// Digits.
    Number,
    /// Digits with a point or an exponent, or a float.
    Decimal,
    /// `7bv32`.
    BitVector,
    /// Text between quotes.
    Text,
    /// A mark such as `:=`; the longest that fits, in ASCII spelling.
    Mark(&'static str),
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// Marks, longer ones before their beginnings; the second is the spelling that the parser knows.
const MARKS: &[(&str, &str)] = &[
    ("<==>", "<==>"),
    ("==>", "==>"),
    ("<==", "<=="),
    (":=", ":="),
    ("::", "::"),
    ("==", "=="),
    ("!=", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("<:", "<:"),
    ("&&", "&&"),
    ("||", "||"),
    ("++", "++"),
    ("**", "**"),
    ("->", "->"),
    ("{:", "{:"),
    ("{", "{"),
    ("}", "}"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    (";", ";"),
    (",", ","),
    (":", ":"),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("!", "!"),
    ("|", "|"),
    ("⇔", "<==>"),
    ("⇒", "==>"),
    ("⇐", "<=="),
    ("∧", "&&"),
    ("∨", "||"),
    ("¬", "!"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("•", "::"),
    ("∀", "forall"),
    ("∃", "exists"),
    ("λ", "lambda"),
];

/// All tokens, the last of which is the end, and what is no token.
pub(crate) fn lex(source: &Source<'_>) -> (Vec<Token>, Vec<Diagnostic>) {
    let text = source.text;
    let mut tokens = Vec::new();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        let rest = &text[at..];
        if c.is_whitespace() || c == '\u{feff}' {
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            match comment_end(rest) {
                Some(length) => at += length,
                None => {
                    let span = Span { start: start as u32, end: start as u32 + 2 };
                    found.push(error(source, span, "the comment is never closed"));
                    at = text.len();
                }
            }
            continue;
        }
        let kind = if c == '"' {
            match text_end(rest) {
                Some(length) => at += length,
                None => {
                    let span = Span { start: start as u32, end: start as u32 + 1 };
                    found.push(error(source, span, "the text is never closed"));
                    at += rest.find('\n').unwrap_or(rest.len());
                }
            }
            Kind::Text
        } else if c.is_ascii_digit() {
            let (length, kind) = number(rest);
            at += length;
            kind
        } else if is_name_start(c) {
            at += name_length(rest);
            Kind::Name
        } else if c == '\\' && rest[1..].starts_with(is_name_start) {
            at += 1 + name_length(&rest[1..]);
            tokens.push(Token { kind: Kind::Escaped, span: Span { start: start as u32 + 1, end: at as u32 } });
            continue;
        } else if let Some(&(spelling, mark)) = MARKS.iter().find(|(spelling, _)| rest.starts_with(spelling)) {
            at += spelling.len();
            Kind::Mark(mark)
        } else {
            at += c.len_utf8();
            let span = Span { start: start as u32, end: at as u32 };
            found.push(error(source, span, "this character has no meaning in Boogie"));
            continue;
        };
        tokens.push(Token { kind, span: Span { start: start as u32, end: at as u32 } });
    }
    let end = text.len() as u32;
    tokens.push(Token { kind: Kind::End, span: Span { start: end, end } });
    (tokens, found)
}

fn error(source: &Source<'_>, span: Span, message: &str) -> Diagnostic {
    source.diagnostic(Severity::Error, span, message.to_owned(), String::new())
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || "'~#$^_.?`".contains(c)
}

fn name_length(rest: &str) -> usize {
    rest.find(|c: char| !is_name_start(c) && !c.is_ascii_digit()).unwrap_or(rest.len())
}

/// The length of a comment with those inside it.
fn comment_end(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (mut depth, mut at) = (0usize, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

fn text_end(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}

/// The length and kind of a number.
fn number(rest: &str) -> (usize, Kind) {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'_').count();
    // Floats and hexadecimal reals: 0x1.8e4f24e8. They are recognised to be refused as a whole.
    if rest.starts_with("0x") {
        let more = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.' || *byte == b'_';
        return (2 + bytes[2..].iter().take_while(|byte| more(byte)).count(), Kind::Decimal);
    }
    let mut length = digits(0);
    if bytes[length..].starts_with(b"bv") && bytes.get(length + 2).is_some_and(u8::is_ascii_digit) {
        length += 2;
        return (length + digits(length), Kind::BitVector);
    }
    let mut kind = Kind::Number;
    if bytes.get(length) == Some(&b'.') && bytes.get(length + 1).is_some_and(u8::is_ascii_digit) {
        length += 1;
        length += digits(length);
        kind = Kind::Decimal;
    }
    if bytes.get(length) == Some(&b'e') {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        if bytes.get(length + 1 + sign).is_some_and(u8::is_ascii_digit) {
            length += 1 + sign;
            length += digits(length);
            kind = Kind::Decimal;
        }
    }
    (length, kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let source = Source::new("t.bpl", text);
        let (tokens, found) = lex(&source);
        assert!(found.is_empty(), "{found:?}");
        let texts: Vec<&str> = tokens.iter().map(|token| source.at(token.span)).collect();
        assert_eq!(texts, [expect, &[""]].concat());
    }

    #[test]
    fn the_longest_mark_wins() {
        check("a<==>b<==c<=d", &["a", "<==>", "b", "<==", "c", "<=", "d"]);
        check("{:inline 1}x:=y::z", &["{:", "inline", "1", "}", "x", ":=", "y", "::", "z"]);
    }
    #[test]
    fn names_may_contain_odd_characters_and_escape_keywords() {
        check("a'~#$^_.?`9 \\while", &["a'~#$^_.?`9", "while"]);
    }
    #[test]
    fn comments_nest() {
        check("a /* b /* c */ d */ e // f\ng", &["a", "e", "g"]);
        let (_, found) = lex(&Source::new("t.bpl", "a\n  /* /* */"));
        assert_eq!((found[0].line, found[0].column), (2, 3));
    }
    #[test]
    fn numbers_are_of_several_kinds() {
        check("12 1.5 2e-3 7bv32 0x1.8e4", &["12", "1.5", "2e-3", "7bv32", "0x1.8e4"]);
    }
    #[test]
    fn a_strange_character_is_reported_with_its_place() {
        let (_, found) = lex(&Source::new("t.bpl", "x := @;"));
        assert_eq!((found[0].line, found[0].column, found[0].source_line.as_str()), (1, 6, "x := @;"));
    }
}
