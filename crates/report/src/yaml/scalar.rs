//! Scalars that need more than the rest of their line: quoted ones and blocks of text.

use super::{Reader, Wrong, is_blank_or_end};

impl Reader<'_> {
    /// `"…"` or `'…'`, with lines folded.
    pub(super) fn quoted(&mut self) -> Result<String, Wrong> {
        let begin = self.line;
        let quote = self.peek();
        self.advance(1);
        let mut bytes: Vec<u8> = Vec::new();
        // What escapes made is not blank and stays when a line is folded.
        let mut kept = 0;
        loop {
            if self.is_at_end() {
                return Err(Wrong { line: begin, what: "a quotation mark is never closed".to_owned() });
            }
            match self.peek() {
                byte if byte == quote => {
                    if quote == b'\'' && self.ahead(1) == b'\'' {
                        bytes.push(b'\'');
                        self.advance(2);
                        continue;
                    }
                    self.advance(1);
                    return Ok(String::from_utf8_lossy(&bytes).into_owned());
                }
                b'\\' if quote == b'"' => {
                    self.advance(1);
                    self.escape(&mut bytes)?;
                    kept = bytes.len();
                }
                b'\n' => {
                    while bytes.len() > kept && matches!(bytes.last(), Some(b' ' | b'\t' | b'\r')) {
                        bytes.pop();
                    }
                    let mut breaks = 0;
                    while matches!(self.peek(), b'\n' | b' ' | b'\t' | b'\r') && !self.is_at_end() {
                        breaks += usize::from(self.peek() == b'\n');
                        self.advance(1);
                    }
                    match breaks {
                        1 => bytes.push(b' '),
                        more => bytes.extend(std::iter::repeat_n(b'\n', more - 1)),
                    }
                    kept = bytes.len();
                }
                byte => {
                    bytes.push(byte);
                    self.advance(1);
                }
            }
        }
    }
    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), Wrong> {
        let letter = self.peek();
        if letter == b'\n' || (letter == b'\r' && self.ahead(1) == b'\n') {
            // The line goes on; its indentation is not part of it.
            while matches!(self.peek(), b'\n' | b'\r') && !self.is_at_end() {
                self.advance(1);
                self.skip_spaces();
            }
            return Ok(());
        }
        self.advance(1);
        let digits = match letter {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        let character = if digits > 0 {
            let code = (0..digits).try_fold(0u32, |code, _| {
                let digit = char::from(self.peek()).to_digit(16)?;
                self.advance(1);
                Some(code << 4 | digit)
            });
            let code = code.ok_or_else(|| self.wrong("an escape needs more digits"))?;
            // Halves of a pair, as JSON writes them, stand for nothing that a C expression contains.
            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
        } else {
            match letter {
                b'0' => '\0',
                b'a' => '\x07',
                b'b' => '\x08',
                b't' | b'\t' => '\t',
                b'n' => '\n',
                b'v' => '\x0b',
                b'f' => '\x0c',
                b'r' => '\r',
                b'e' => '\x1b',
                b'N' => '\u{85}',
                b'_' => '\u{a0}',
                b' ' | b'"' | b'/' | b'\\' => char::from(letter),
                _ => return Err(self.wrong("this escape means nothing")),
            }
        };
        bytes.extend(character.encode_utf8(&mut [0; 4]).bytes());
        Ok(())
    }

    /// `|` keeps lines, `>` folds them.
    pub(super) fn block_scalar(&mut self, indent: usize) -> Result<String, Wrong> {
        let folds = self.peek() == b'>';
        self.advance(1);
        let (mut strip, mut keep) = (false, false);
        while !is_blank_or_end(self.peek()) {
            match self.peek() {
                b'-' => strip = true,
                b'+' => keep = true,
                b'1'..=b'9' => {}
                _ => return Err(self.wrong("`|` and `>` stand alone, or with `-` or `+`")),
            }
            self.advance(1);
        }
        self.skip_line();
        self.advance(1);
        let mut lines: Vec<String> = Vec::new();
        let mut own_indent = None;
        while !self.is_at_end() {
            let rest = &self.text[self.at..];
            let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            let line = String::from_utf8_lossy(&rest[..length]);
            let blanks = line.len() - line.trim_start_matches(' ').len();
            if line.trim().is_empty() {
                lines.push(String::new());
            } else {
                let own = *own_indent.get_or_insert(blanks);
                if blanks < own.max(indent) {
                    break;
                }
                lines.push(line[own..].trim_end_matches('\r').to_owned());
            }
            self.advance(length + 1);
        }
        let n_blank = lines.iter().rev().take_while(|line| line.is_empty()).count();
        lines.truncate(lines.len() - n_blank);
        let mut text = lines.join(if folds { " " } else { "\n" });
        if keep {
            text.push_str(&"\n".repeat(n_blank + 1));
        } else if !strip && !text.is_empty() {
            text.push('\n');
        }
        Ok(text)
    }
}
