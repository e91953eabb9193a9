//! Character constants and strings: the text between the quotes to the units of the target.

use crate::ast::Encoding;

/// The encoding that a prefix in front of a quote asks for.
pub(crate) fn prefix(word: &[u8]) -> Option<Encoding> {
    Some(match word {
        b"" => Encoding::Plain,
        b"L" => Encoding::Wide,
        b"u8" => Encoding::Utf8,
        b"u" => Encoding::Utf16,
        b"U" => Encoding::Utf32,
        _ => return None,
    })
}

/// The encoding of a token and what stands between its quotes.
fn unquoted(spelling: &str) -> (Encoding, &str) {
    let at = spelling.find(['"', '\'']).expect("a quoted token has a quote");
    let quote = spelling.as_bytes()[at];
    let inside = &spelling[at + 1..];
    let inside = if inside.as_bytes().last() == Some(&quote) { &inside[..inside.len() - 1] } else { inside };
    (prefix(&spelling.as_bytes()[..at]).unwrap_or(Encoding::Plain), inside)
}

/// The value of a character constant as an `int` or wide character.
pub(crate) fn decode_char(spelling: &str) -> Result<(i64, Encoding), String> {
    let (encoding, inside) = unquoted(spelling);
    let mut units = Vec::new();
    decode(inside, encoding, &mut units)?;
    let value = match (encoding, &units[..]) {
        (_, []) => return Err("this character constant is empty".to_owned()),
        // One `char` is signed on our targets; several are packed into an `int`, the last lowest, as GCC does.
        (Encoding::Plain, [unit]) => i64::from(*unit as u8 as i8),
        (Encoding::Plain, units) => i64::from(units.iter().fold(0u32, |value, unit| value << 8 | unit) as i32),
        // Of several wide units GCC takes the last.
        (Encoding::Wide, [.., last]) => i64::from(*last as i32),
        (Encoding::Utf16 | Encoding::Utf32, [.., last]) => i64::from(*last),
        (Encoding::Utf8, [unit]) => i64::from(*unit),
        (Encoding::Utf8, _) => return Err("this character does not fit into one byte".to_owned()),
    };
    Ok((value, encoding))
}

/// Joins adjacent strings. One prefix among them decides for all; two different ones contradict.
pub(crate) fn decode_string<'t>(
    spellings: impl Iterator<Item = &'t str> + Clone,
) -> Result<(Box<[u32]>, Encoding), String> {
    let mut encoding = Encoding::Plain;
    for spelling in spellings.clone() {
        let (own, _) = unquoted(spelling);
        if own != Encoding::Plain {
            if encoding != Encoding::Plain && encoding != own {
                return Err("strings with different prefixes cannot be joined".to_owned());
            }
            encoding = own;
        }
    }
    let mut units = Vec::new();
    for spelling in spellings {
        decode(unquoted(spelling).1, encoding, &mut units)?;
    }
    Ok((units.into(), encoding))
}

fn decode(inside: &str, encoding: Encoding, units: &mut Vec<u32>) -> Result<(), String> {
    let mut rest = inside;
    while let Some(character) = rest.chars().next() {
        if character != '\\' {
            push_character(character, encoding, units);
            rest = &rest[character.len_utf8()..];
        } else {
            let length = escape(rest.as_bytes(), encoding, units)?;
            // What follows the backslash can be a character of several bytes.
            rest = match length {
                0 => &rest[1..],
                _ => &rest[length..],
            };
        }
    }
    Ok(())
}

fn push_character(character: char, encoding: Encoding, units: &mut Vec<u32>) {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => {
            units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        Encoding::Utf16 => units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit))),
        Encoding::Wide | Encoding::Utf32 => units.push(character.into()),
    }
}

/// Decodes one escape; returns its length, or zero if the backslash stands before an ordinary character.
fn escape(bytes: &[u8], encoding: Encoding, units: &mut Vec<u32>) -> Result<usize, String> {
    let simple = match bytes.get(1) {
        Some(b'n') => b'\n',
        Some(b't') => b'\t',
        Some(b'r') => b'\r',
        Some(b'a') => 7,
        Some(b'b') => 8,
        Some(b'v') => 11,
        Some(b'f') => 12,
        Some(b'e' | b'E') => 27,
        Some(&byte @ (b'\\' | b'\'' | b'"' | b'?')) => byte,
        Some(b'\n') => return Ok(2),
        Some(b'\r') if bytes.get(2) == Some(&b'\n') => return Ok(3),
        Some(b'0'..=b'7') => {
            let n_digits = bytes[1..].iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            return numeric(&bytes[1..=n_digits], 8, encoding, units).map(|()| 1 + n_digits);
        }
        Some(b'x') => {
            let n_digits = bytes[2..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            if n_digits == 0 {
                return Err("`\\x` is not followed by a hexadecimal digit".to_owned());
            }
            return numeric(&bytes[2..2 + n_digits], 16, encoding, units).map(|()| 2 + n_digits);
        }
        Some(b'u' | b'U') => {
            let Some((character, length)) = universal_name(bytes) else {
                return Err("this universal character name is incomplete or names no character".to_owned());
            };
            push_character(character, encoding, units);
            return Ok(length);
        }
        _ => return Ok(0),
    };
    units.push(simple.into());
    Ok(2)
}

fn numeric(digits: &[u8], radix: u32, encoding: Encoding, units: &mut Vec<u32>) -> Result<(), String> {
    let largest: u64 = match encoding {
        Encoding::Plain | Encoding::Utf8 => 0xff,
        Encoding::Utf16 => 0xffff,
        Encoding::Wide | Encoding::Utf32 => 0xffff_ffff,
    };
    let mut value: u64 = 0;
    for &digit in digits {
        value = value * u64::from(radix) + u64::from((digit as char).to_digit(radix).expect("only digits are passed"));
        if value > largest {
            return Err("the value of this escape does not fit into one character".to_owned());
        }
    }
    units.push(value as u32);
    Ok(())
}

/// Reads `\u1234` or `\U00012345`; returns the character and the length.
pub(super) fn universal_name(bytes: &[u8]) -> Option<(char, usize)> {
    let length = match bytes {
        [b'\\', b'u', ..] => 6,
        [b'\\', b'U', ..] => 10,
        _ => return None,
    };
    let mut value: u32 = 0;
    for &byte in bytes.get(2..length)? {
        value = value << 4 | (byte as char).to_digit(16)?;
    }
    char::from_u32(value).map(|character| (character, length))
}
