//! Formats of the scanf family: what their conversions write.
//!
//! Numbers have the size that the conversion names, texts the width that it gives. Without a width a text is as long as the
//! input, which for `sscanf` is at most the text that it reads. A format that is not a literal may write anything.

use program::AccessKind;

use super::Lowering;
use super::buffers::Call;
use super::types::Class;

/// The position of the format among the arguments.
fn format_of(name: &str) -> Option<usize> {
    match name {
        "scanf" | "vscanf" | "__isoc99_scanf" | "__isoc23_scanf" => Some(0),
        "sscanf" | "fscanf" | "vsscanf" | "vfscanf" | "__isoc99_sscanf" | "__isoc99_fscanf" | "__isoc23_sscanf"
        | "__isoc23_fscanf" => Some(1),
        _ => None,
    }
}

impl Lowering<'_> {
    /// What a call of the scanf family writes must have room.
    pub(super) fn check_scan(&mut self, call: &Call<'_>) {
        let &Call { name, args, types, span, .. } = call;
        let Some(format) = format_of(name).filter(|&format| format < args.len()) else { return };
        self.text_of_argument(call, format);
        let is_from_text = name.contains("sscanf");
        let length = if is_from_text { self.text_of_argument(call, 0) } else { None };
        let literal = call.expr(format).and_then(|format| self.literal_bytes(format));
        let rest = args.get(format + 1..).unwrap_or_default();
        if rest.is_empty() {
            return;
        }
        let has_list = types[format + 1..].iter().any(|&ty| self.is_list(ty));
        let Some(items) = literal.as_deref().and_then(scan_items).filter(|_| !has_list) else {
            return self.open_access(name, AccessKind::Write, span);
        };
        for (item, position) in items.into_iter().zip(format + 1..) {
            let (Some(&address), Some(&ty)) = (args.get(position), types.get(position)) else { return };
            if self.class(ty) != Class::Pointer || self.current.at.is_none() {
                return;
            }
            self.settle_before_branch();
            let limit = match item {
                Item::Bytes(bytes) => {
                    self.guard(address, bytes, AccessKind::Write, span);
                    continue;
                }
                Item::Word => {
                    self.guard(address, u64::from(self.pointer_width() / 8), AccessKind::Write, span);
                    continue;
                }
                Item::Other => {
                    self.open_access(name, AccessKind::Write, span);
                    continue;
                }
                Item::Text(width) => width.map(|width| self.byte_count(width.saturating_add(1))),
            };
            if !is_from_text {
                match limit {
                    Some(size) => self.guard_bytes(address, size, None, AccessKind::Write, span),
                    None => {
                        self.guard(address, 1, AccessKind::Write, span);
                        self.open_access(name, AccessKind::Write, span);
                    }
                }
                continue;
            }
            // With its zero the word is not longer than the text.
            let most = length.map(|length| {
                let one = self.byte_count(1);
                self.terms.bv_add(length, one)
            });
            let most = match (most, limit) {
                (Some(most), Some(limit)) => Some(self.least_of(most, limit)),
                (most, limit) => most.or(limit),
            };
            let none = self.byte_count(0);
            let size = self.any_between(name, none, most, span);
            self.guard_bytes(address, size, None, AccessKind::Write, span);
        }
    }
}

/// What one conversion of a format of the scanf family writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Bytes(u64),
    /// As many bytes as a pointer has.
    Word,
    /// A text of at most this many characters, if that is known.
    Text(Option<u64>),
    /// Not known.
    Other,
}

/// The conversions of the format that write. `None`: positions or something unknown.
fn scan_items(format: &[u8]) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            continue;
        }
        let (mut width, mut length, mut skipped) = (None, String::new(), false);
        let letter = loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            match byte {
                b'*' => skipped = true,
                b'0'..=b'9' => {
                    width = Some(width.unwrap_or(0_u64).checked_mul(10)?.checked_add(u64::from(byte - b'0'))?)
                }
                b'h' | b'l' | b'j' | b'z' | b't' | b'L' | b'q' => length.push(char::from(byte)),
                b'$' | b'm' | b'\'' => return None,
                letter => break letter,
            }
        };
        if letter == b'[' {
            // A bracket right behind the start, or behind `^`, is a member of the set.
            let start = 1 + usize::from(rest.first() == Some(&b'^'));
            let end = (start..rest.len()).find(|&at| rest[at] == b']')?;
            rest = &rest[end + 1..];
        }
        if letter == b'%' || skipped {
            continue;
        }
        items.push(match (letter, length.as_str()) {
            (b's' | b'[', "") => Item::Text(width),
            (b'c', "") => Item::Bytes(width.unwrap_or(1)),
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'n', length) => match length {
                "hh" => Item::Bytes(1),
                "h" => Item::Bytes(2),
                "" => Item::Bytes(4),
                "ll" | "j" | "q" => Item::Bytes(8),
                "l" | "z" | "t" => Item::Word,
                _ => Item::Other,
            },
            (b'p', "") => Item::Word,
            (b'f' | b'e' | b'g' | b'a' | b'E' | b'G', "") => Item::Bytes(4),
            (b'f' | b'e' | b'g' | b'a' | b'E' | b'G', "l") => Item::Bytes(8),
            (b'f' | b'e' | b'g' | b'a' | b'E' | b'G', "L") => Item::Bytes(10),
            _ => Item::Other,
        });
    }
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_of_scanf_say_how_much_they_write() {
        let items = |format: &str| scan_items(format.as_bytes());
        assert_eq!(items("%d %3s%*s%ld"), Some(vec![Item::Bytes(4), Item::Text(Some(3)), Item::Word]));
        assert_eq!(items("%[]a]%c%%%hhx"), Some(vec![Item::Text(None), Item::Bytes(1), Item::Bytes(1)]));
        assert_eq!(items("%1$d"), None);
        assert_eq!(items("%"), None);
    }
}
