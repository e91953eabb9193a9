//! Source files are bytes, and our text is Unicode.
//!
//! A byte that is not part of a UTF-8 character stands in the text as a character of its own from the end of the
//! last private plane, so that a literal keeps the byte's value. The few characters used for that are split into
//! their bytes themselves: the way from bytes to text and back loses nothing.

use std::borrow::Cow;

/// The character that stands for byte zero; those from 0x80 on are used.
const FIRST: u32 = 0x10_ff00;

fn stands_for(character: char) -> Option<u8> {
    let offset = (character as u32).checked_sub(FIRST)?;
    u8::try_from(offset).ok().filter(|&byte| byte >= 0x80)
}

/// The byte that this character stands for, if it does.
pub(crate) fn raw_byte(character: char) -> Option<u8> {
    stands_for(character)
}

/// The text of a file; a byte-order mark of UTF-8 at the beginning is passed over.
pub fn text_of_bytes(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        if chunk.valid().contains(|character| stands_for(character).is_some()) {
            for character in chunk.valid().chars() {
                if stands_for(character).is_some() {
                    character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_raw(&mut text, byte));
                } else {
                    text.push(character);
                }
            }
        } else {
            text.push_str(chunk.valid());
        }
        chunk.invalid().iter().for_each(|&byte| push_raw(&mut text, byte));
    }
    text
}

fn push_raw(text: &mut String, byte: u8) {
    text.push(char::from_u32(FIRST + u32::from(byte)).expect("the plane has a character for every byte"));
}

/// The bytes that the text stands for.
pub fn bytes_of_text(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match stands_for(character) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// The text as people see it: what is no character is shown as the replacement character.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if text.chars().any(|character| stands_for(character).is_some()) {
        text.chars().map(|c| if stands_for(c).is_some() { char::REPLACEMENT_CHARACTER } else { c }).collect()
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_is_lost() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&all[..], b"caf\xe9 caf\xc3\xa9", "\u{10ff80}\u{10fffe}é".as_bytes(), b"\xf4\x8f\xbe"] {
            assert_eq!(bytes_of_text(&text_of_bytes(bytes)), bytes);
        }
    }
    #[test]
    fn plain_text_stays_as_it_is() {
        assert_eq!(text_of_bytes("int é;".as_bytes()), "int é;");
        assert_eq!(text_of_bytes(b"\xef\xbb\xbfint x;"), "int x;");
    }
    #[test]
    fn people_see_no_private_characters() {
        assert_eq!(shown(&text_of_bytes(b"a\xe9b")), "a\u{fffd}b");
    }
}
