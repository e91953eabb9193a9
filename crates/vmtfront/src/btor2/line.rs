//! Lines and their words.

use base::Severity;

use super::Wrong;

/// A word and where it begins, in characters from one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub column: u32,
}

/// A line that says something.
pub(super) struct Line<'a> {
    pub line: u32,
    /// At least one.
    pub words: Vec<Word<'a>>,
}

impl<'a> Line<'a> {
    /// The words in front of a comment; empty if the line has no words.
    pub fn split(text: &'a str, line: u32) -> Option<Line<'a>> {
        let text = text.split(';').next().unwrap_or_default();
        let mut words = Vec::new();
        let mut column = 1u32;
        let mut start: Option<(usize, u32)> = None;
        for (at, character) in text.char_indices() {
            match (character.is_whitespace(), start) {
                (false, None) => start = Some((at, column)),
                (true, Some((from, column))) => {
                    words.push(Word { text: &text[from..at], column });
                    start = None;
                }
                _ => {}
            }
            column = column.saturating_add(1);
        }
        if let Some((from, column)) = start {
            words.push(Word { text: &text[from..], column });
        }
        (!words.is_empty()).then_some(Line { line, words })
    }
    /// The word at this place.
    pub fn text(&self, at: usize) -> Result<&'a str, Wrong> {
        self.word(at).map(|word| word.text)
    }
    fn word(&self, at: usize) -> Result<Word<'a>, Wrong> {
        let last = self.words[self.words.len() - 1];
        let end = last.column.saturating_add(last.text.chars().count() as u32);
        self.words.get(at).copied().ok_or_else(|| (end, Severity::Error, "the line ends too early".to_owned()))
    }
    /// A number without a sign.
    pub fn number(&self, at: usize) -> Result<u64, Wrong> {
        let word = self.word(at)?;
        let digits = word.text.bytes().all(|byte| byte.is_ascii_digit());
        match word.text.parse() {
            Ok(number) if digits => Ok(number),
            _ => word.wrong(format!("`{}` is no number", word.text)),
        }
    }
    /// A number that may have a minus sign.
    pub fn signed(&self, at: usize) -> Result<(Word<'a>, bool, u64), Wrong> {
        let word = self.word(at)?;
        let (is_negative, digits) = match word.text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, word.text),
        };
        match digits.parse() {
            Ok(number) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok((word, is_negative, number)),
            _ => word.wrong(format!("`{}` is no number of a node", word.text)),
        }
    }
}
