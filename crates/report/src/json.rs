//! JSON, as much of it as answers and reports need: a value, its text, and the way back.
//!
//! Text from strangers comes in here (a file of results that somebody edited), so nesting is bounded and all that is wrong
//! ends in a message. Numbers that are read keep their text: nobody computes with them.

use std::borrow::Cow;

use base::shown::is_unsafe_to_show;

/// A JSON value.
#[derive(Clone, PartialEq, Debug)]
pub enum Json {
    /// A string.
    Text(String),
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(u64),
    /// A number as it was read, if it is not a natural number.
    Literal(String),
    /// A time, in seconds with milliseconds.
    Seconds(std::time::Duration),
    /// A list.
    List(Vec<Json>),
    /// An object; its members keep their order.
    Object(Vec<(Cow<'static, str>, Json)>),
}

// law: the stack holds this many levels.
/// No report nests deeper.
const MAX_DEPTH: usize = 64;

impl Json {
    /// A string.
    pub fn text(text: impl Into<String>) -> Self {
        Json::Text(text.into())
    }
    /// An object with these members.
    pub fn object(members: Vec<(&'static str, Json)>) -> Self {
        Json::Object(members.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect())
    }
    /// The member of this name, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }
    /// The text of a string.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }
    /// The items of a list.
    pub fn as_list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }
    /// A number, also one with a fraction.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Json::Number(number) => Some(*number as f64),
            Json::Literal(text) => text.parse().ok(),
            Json::Seconds(time) => Some(time.as_secs_f64()),
            _ => None,
        }
    }
    /// Reads one value; nothing may follow it.
    pub fn read(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let value = reader.value()?;
        reader.skip_blank();
        if reader.at == text.len() { Ok(value) } else { Err(reader.wrong("something stands behind the value")) }
    }
    /// The value over several lines, for people to read.
    pub fn pretty(&self) -> String {
        let mut text = String::new();
        self.push_pretty(&mut text, 0);
        text.push('\n');
        text
    }

    fn push_pretty(&self, text: &mut String, indent: usize) {
        let inner = "  ".repeat(indent + 1);
        let (open, close, n_items) = match self {
            Json::List(items) => ('[', ']', items.len()),
            Json::Object(members) => ('{', '}', members.len()),
            _ => (' ', ' ', 0),
        };
        if n_items == 0 {
            text.push_str(&self.to_string());
            return;
        }
        text.push(open);
        let mut separator = "\n";
        let mut push = |text: &mut String, name: Option<&str>, value: &Json| {
            text.push_str(separator);
            text.push_str(&inner);
            if let Some(name) = name {
                text.push_str(&format!("{}: ", Json::text(name)));
            }
            value.push_pretty(text, indent + 1);
            separator = ",\n";
        };
        match self {
            Json::List(items) => items.iter().for_each(|item| push(text, None, item)),
            Json::Object(members) => members.iter().for_each(|(name, value)| push(text, Some(name), value)),
            _ => {}
        }
        text.push_str(&format!("\n{}{close}", "  ".repeat(indent)));
    }
}

impl std::fmt::Display for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Json::Text(text) => quoted(f, text),
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Seconds(time) => write!(f, "{:.3}", time.as_secs_f64()),
            Json::Number(number) => write!(f, "{number}"),
            Json::Literal(text) => f.write_str(text),
            Json::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (index, (name, value)) in members.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    quoted(f, name)?;
                    write!(f, ": {value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

fn quoted(f: &mut std::fmt::Formatter<'_>, text: &str) -> std::fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            // Escapes keep the text exact and safe to show.
            c if is_unsafe_to_show(c) => {
                c.encode_utf16(&mut [0; 2]).iter().try_for_each(|half| write!(f, "\\u{half:04x}"))?
            }
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn wrong(&self, what: &str) -> String {
        format!("{what} at character {}", self.at + 1)
    }
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }
    fn skip_blank(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }
    /// Steps over this byte, if it comes next.
    fn eat(&mut self, byte: u8) -> bool {
        self.skip_blank();
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        is_next
    }
    fn value(&mut self) -> Result<Json, String> {
        self.skip_blank();
        if self.depth > MAX_DEPTH {
            return Err(self.wrong("nested too deeply"));
        }
        match self.peek() {
            b'"' => self.string().map(Json::Text),
            b'[' | b'{' => {
                self.depth += 1;
                let value = if self.eat(b'[') { self.list() } else { self.members() };
                self.depth -= 1;
                value
            }
            _ => self.word(),
        }
    }
    fn list(&mut self) -> Result<Json, String> {
        let mut items = Vec::new();
        if self.eat(b']') {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            if self.eat(b']') {
                return Ok(Json::List(items));
            }
            if !self.eat(b',') {
                return Err(self.wrong("`,` or `]` is expected"));
            }
        }
    }
    fn members(&mut self) -> Result<Json, String> {
        self.at += 1;
        let mut members = Vec::new();
        if self.eat(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_blank();
            let name = self.string()?;
            if !self.eat(b':') {
                return Err(self.wrong("`:` is expected"));
            }
            members.push((Cow::Owned(name), self.value()?));
            if self.eat(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.eat(b',') {
                return Err(self.wrong("`,` or `}` is expected"));
            }
        }
    }
    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Json, String> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        let value = match word {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            _ => match word.parse::<u64>() {
                Ok(number) if word == number.to_string() => Json::Number(number),
                _ if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') && word.parse::<f64>().is_ok() => {
                    Json::Literal(word.to_owned())
                }
                _ => return Err(self.wrong("a value is expected")),
            },
        };
        self.at += length;
        Ok(value)
    }
    fn string(&mut self) -> Result<String, String> {
        if self.peek() != b'"' {
            return Err(self.wrong("a string is expected"));
        }
        self.at += 1;
        let mut string = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else { return Err(self.wrong("a string is never closed")) };
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(string),
                '\\' => {
                    let escape = self.peek();
                    self.at += 1;
                    string.push(match escape {
                        b'"' | b'\\' | b'/' => char::from(escape),
                        b'n' => '\n',
                        b't' => '\t',
                        b'r' => '\r',
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'u' => self.unicode()?,
                        _ => return Err(self.wrong("an unknown escape")),
                    });
                }
                c if c.is_control() => return Err(self.wrong("a control character in a string")),
                c => string.push(c),
            }
        }
    }
    /// The character after `\u`, two of them for those beyond the first plane.
    fn unicode(&mut self) -> Result<char, String> {
        let first = self.hex()?;
        if (0xd800..0xdc00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            let second = self.hex()?;
            let low = second.checked_sub(0xdc00).filter(|&low| low < 0x400);
            let joined = low.map(|low| 0x10000 + ((first - 0xd800) << 10) + low);
            return joined.and_then(char::from_u32).ok_or_else(|| self.wrong("half a character"));
        }
        char::from_u32(first).ok_or_else(|| self.wrong("half a character"))
    }
    fn hex(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let digits = digits.ok_or_else(|| self.wrong("four hexadecimal digits are expected"))?;
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        let value = Json::object(vec![("a", Json::List(vec![Json::Number(1), Json::text("x\"\\\n\u{1}é")]))]);
        assert_eq!(value.to_string(), "{\"a\": [1, \"x\\\"\\\\\\n\\u0001é\"]}");
    }

    #[test]
    fn characters_that_people_must_not_see_are_escaped_and_read_again() {
        let value = Json::text("\u{202e}\u{2028}\u{ffff}\u{e0001}\x1b");
        assert_eq!(value.to_string(), "\"\\u202e\\u2028\\uffff\\udb40\\udc01\\u001b\"");
        assert_eq!(Json::read(&value.to_string()), Ok(value));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = "{\"a\": [1, -2.5, true, null, {}, []], \"b\": \"\\\"\\\\\\n\\u0001é\u{1f600}\"}";
        let value = Json::read(text).expect("it is JSON");
        assert_eq!(value.to_string(), text);
        assert_eq!(Json::read(&value.pretty()), Ok(value));
        assert_eq!(Json::read("\"\\ud83d\\ude00 \\/\""), Ok(Json::text("\u{1f600} /")));
    }

    #[test]
    fn what_is_no_json_is_refused_and_never_panics() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\" 1}",
            "\"a",
            "nul",
            "1 2",
            "\"\\u12\"",
            "\"\\ud800\"",
            "+1",
            "\"\\ud83d\\u0000\"",
            "é",
        ] {
            assert!(Json::read(text).is_err(), "{text}");
        }
        assert!(Json::read(&"[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn pretty_text_has_a_line_for_each_member() {
        let value = Json::object(vec![("a", Json::List(vec![Json::Number(1)])), ("b", Json::List(Vec::new()))]);
        assert_eq!(value.pretty(), "{\n  \"a\": [\n    1\n  ],\n  \"b\": []\n}\n");
    }
}
