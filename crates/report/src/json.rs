//! JSON text by `serde_json`: one line with a blank behind each comma and colon, or many lines. Characters that a terminal must not get are escaped,
//! which keeps the value exact.

use std::io::{self, Write};

use base::shown::is_unsafe_to_show;
use serde::Serialize;
use serde_json::ser::Formatter;

/// The value on one line.
pub fn line(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, Spaced)).expect(LAWFUL);
    safe(&String::from_utf8(bytes).expect("serde_json writes UTF-8"))
}

/// The value over several lines, with the line end.
pub fn pretty(value: &impl Serialize) -> String {
    format!("{}\n", safe(&serde_json::to_string_pretty(value).expect(LAWFUL)))
}

const LAWFUL: &str = "keys are strings, and memory is never full";

/// Only strings hold such characters; line ends inside strings are escaped already.
fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && is_unsafe_to_show(c) {
            safe.extend(c.encode_utf16(&mut [0; 2]).iter().map(|half| format!("\\u{half:04x}")));
        } else {
            safe.push(c);
        }
    }
    safe
}

/// One line that people can read.
struct Spaced;

fn separate(to: &mut (impl ?Sized + Write), is_first: bool) -> io::Result<()> {
    if is_first { Ok(()) } else { to.write_all(b", ") }
}

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        separate(to, first)
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        separate(to, first)
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn characters_that_people_must_not_see_are_escaped_and_read_again() {
        let value = json!({ "a": [1, "\u{202e}\u{2028}\u{ffff}\u{e0001}\x1b\x7f\n"], "b": {} });
        let expected = "{\"a\": [1, \"\\u202e\\u2028\\uffff\\udb40\\udc01\\u001b\\u007f\\n\"], \"b\": {}}";
        assert_eq!(line(&value), expected);
        for text in [line(&value), pretty(&value)] {
            assert_eq!(serde_json::from_str::<Value>(&text).ok().as_ref(), Some(&value), "{text}");
        }
        assert_eq!(pretty(&json!({ "a": [] })), "{\n  \"a\": []\n}\n");
    }
}
