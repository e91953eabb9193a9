//! Text that people see: no character of it controls the terminal or the order in which other characters appear.
//!
//! Source lines, assertion texts, names of files and of variables come from the input, and the input may be hostile. An escape character moves
//! the cursor or renames the window; a bidirectional override shows a line in another order than the compiler reads it (CVE-2021-42574).
//! Each such character is shown as U+FFFD, which takes one column, so marks under a line stay where they are.

use std::borrow::Cow;

/// The text as people may see it. Line breaks and tabs stay.
pub fn shown(text: &str) -> Cow<'_, str> {
    if text.chars().any(|c| c != '\n' && c != '\t' && is_unsafe_to_show(c)) {
        let safe = |c: char| if c != '\n' && c != '\t' { shown_char(c) } else { c };
        Cow::Owned(text.chars().map(safe).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The character, or U+FFFD in its place.
pub fn shown_char(c: char) -> char {
    if is_unsafe_to_show(c) { char::REPLACEMENT_CHARACTER } else { c }
}

/// Whether the character changes how others are shown: a control character, a format character or a line separator of Unicode, a tag,
/// or no character at all.
pub fn is_unsafe_to_show(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0xad | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x8e2 | 0x180e
            | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb
            | 0xfdd0..=0xfdef | 0x110bd | 0x110cd | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff)
        // The last two of each plane are no characters.
        || u32::from(c) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_the_terminal_or_the_order_is_replaced() {
        for c in [
            '\x1b', '\r', '\u{7f}', '\u{9b}', '\u{200e}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{2028}', '\u{feff}',
            '\u{ffff}',
        ] {
            assert_eq!(shown(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
        }
    }

    #[test]
    fn ordinary_text_is_not_copied() {
        for text in ["a\n\tb", "naïve 漢字 ∀x", ""] {
            assert!(matches!(shown(text), Cow::Borrowed(same) if same == text));
        }
    }
}
