//! Places in the text of the program: what stands there, where a call closes, what is visible.
//!
//! The front end's places are those of names and operators; witnesses want those of statements and brackets. All
//! questions here are answered from the text, and "no" is the answer whenever the text does not fit (macros, line
//! markers): then nothing is said at that place.

use base::Place;

/// The text of one file.
pub struct Source<'a> {
    text: &'a str,
    /// Where each line starts.
    lines: Vec<usize>,
    /// The text with comments and literals blanked, byte for byte as long.
    bare: Vec<u8>,
    /// By byte: the `}` and the `)` that close what is open there, the length of the text if nothing is.
    closing: [Vec<u32>; 2],
}

impl<'a> Source<'a> {
    /// The text, ready for questions.
    pub fn new(text: &'a str) -> Self {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        let bare = blanked(text);
        let closing = [(b'{', b'}'), (b'(', b')')].map(|(open, close)| closing(&bare, open, close));
        Source { text, lines: std::iter::once(0).chain(starts).collect(), bare, closing }
    }

    /// The byte at which the place lies.
    pub fn offset(&self, place: Place) -> Option<usize> {
        let start = *self.lines.get(place.line.checked_sub(1)? as usize)?;
        let line = self.text[start..].split('\n').next()?;
        let column = place.column.checked_sub(1)? as usize;
        line.char_indices().nth(column).map(|(at, _)| start + at)
    }

    /// Line and column of the byte, from one.
    pub fn position(&self, offset: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= offset);
        let column = self.text[self.lines[line - 1]..offset].chars().count() + 1;
        (line as u32, column as u32)
    }

    /// The text between these bytes.
    pub fn between(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Where words start between here and the end of the line, outside of comments and literals.
    pub fn words_of_line(&self, offset: usize) -> impl Iterator<Item = usize> + '_ {
        let is_word = |at: usize| self.bare[at].is_ascii_alphanumeric() || self.bare[at] == b'_';
        let end = self.bare[offset..].iter().position(|&byte| byte == b'\n').map_or(self.bare.len(), |at| offset + at);
        (offset..end).filter(move |&at| is_word(at) && (at == offset || !is_word(at - 1)))
    }

    /// The identifier or keyword that starts here, empty if none does.
    pub fn word(&self, offset: usize) -> &'a str {
        let rest = &self.text[offset..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    }

    /// The first byte from here on that is neither blank nor comment.
    pub fn skip_blank(&self, offset: usize) -> Option<usize> {
        (offset..self.bare.len()).find(|&at| !self.bare[at].is_ascii_whitespace())
    }

    /// The `)` that closes the first `(` after the word that starts here, if `(` follows at once.
    pub fn closing_bracket(&self, word: usize) -> Option<usize> {
        let open = self.skip_blank(word + self.word(word).len())?;
        if self.bare[open] != b'(' {
            return None;
        }
        let mut depth = 0usize;
        for at in open..self.bare.len() {
            match self.bare[at] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// Behind the `;` that ends the declaration around this byte, if no brace or statement comes in between.
    pub fn end_of_declaration(&self, offset: usize) -> Option<usize> {
        let end = offset + self.bare[offset..].iter().position(|byte| b";{}".contains(byte))?;
        (self.bare[end] == b';').then_some(end + 1)
    }

    /// The start of the statement or declaration around this byte, as far as its line shows it.
    pub fn statement(&self, offset: usize) -> Option<usize> {
        let start = self.bare[..offset].iter().rposition(|byte| b";{}\n".contains(byte)).map_or(0, |at| at + 1);
        self.skip_blank(start)
    }

    /// Whether what is declared at the first byte can be named at the second: its block is still open there.
    /// `bracketed`: whether it may be declared inside of round brackets, as parameters are.
    pub fn visible(&self, declared: usize, at: usize, bracketed: bool) -> bool {
        let [braces, brackets] = &self.closing;
        let is_open = |closing: &[u32]| closing.get(declared).is_some_and(|&close| close as usize >= at);
        declared < at && is_open(braces) && (bracketed || is_open(brackets))
    }
}

/// By byte: the closing bracket without a partner at or behind it.
fn closing(bare: &[u8], open: u8, close: u8) -> Vec<u32> {
    let mut found = vec![bare.len() as u32; bare.len()];
    let mut waiting: Vec<u32> = Vec::new();
    for at in (0..bare.len()).rev() {
        if bare[at] == close {
            waiting.push(at as u32);
        } else if bare[at] == open {
            waiting.pop();
        }
        if let Some(&close) = waiting.last() {
            found[at] = close;
        }
    }
    found
}

fn blanked(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut bare = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'*') => text[at + 2..].find("*/").map(|length| at + length + 4),
            b'/' if bytes.get(at + 1) == Some(&b'/') => text[at..].find('\n').map(|length| at + length),
            quote @ (b'"' | b'\'') => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != quote && bytes[end] != b'\n' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                Some(end + 1)
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let end = end.unwrap_or(bytes.len()).min(bytes.len());
        // A literal is not blank: something stands there.
        let fill = if bytes[at] == b'/' { b' ' } else { b'0' };
        bare[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = fill);
        at = end;
    }
    bare
}

#[cfg(test)]
mod tests {
    use base::{FileId, Id};

    use super::*;

    const TEXT: &str = "int g;\nint f(int p) { /* } */\n  { int inner; }\n  for (int i = 0; i < 3; i++) { }\n  int x = call(\")\", (1)), y;\n  while (x) x--;\n}\n";

    fn at(source: &Source<'_>, line: u32, column: u32) -> usize {
        source.offset(Place { file: FileId::new(0), line, column }).expect("the place is in the text")
    }

    #[test]
    fn a_call_closes_behind_its_last_argument() {
        let source = Source::new(TEXT);
        let call = at(&source, 5, 11);
        assert_eq!(source.word(call), "call");
        assert_eq!(source.closing_bracket(call).map(|offset| source.position(offset)), Some((5, 24)));
        assert_eq!(source.closing_bracket(at(&source, 1, 5)), None);
        assert_eq!(source.statement(call).map(|offset| source.position(offset)), Some((5, 3)));
    }

    #[test]
    fn what_is_declared_in_a_closed_block_is_not_visible() {
        let source = Source::new(TEXT);
        let head = at(&source, 6, 3);
        assert!(source.visible(at(&source, 1, 5), head, false), "a global");
        assert!(source.visible(at(&source, 2, 11), head, true), "a parameter");
        assert!(source.visible(at(&source, 5, 7), head, false), "a local");
        assert!(!source.visible(at(&source, 3, 9), head, false), "a local of a block that is closed");
        assert!(!source.visible(at(&source, 4, 12), head, false), "a variable of a loop that has ended");
        assert!(!source.visible(head, at(&source, 5, 7), false), "what comes later");
    }
}
