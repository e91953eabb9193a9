//! Diagnostics as people read them: the place, what is wrong, the line, and a mark under it.
//!
//! ```text
//! file.c:12:5: error: unknown name `y`
//!    12 |     x = y;
//!       |         ^
//!       = help: did you mean `x`?
//! ```
//!
//! Tabs become spaces and wide characters count twice, so the mark stands where it should. Control
//! and bidirectional characters are shown as a replacement character (`base::shown`): a hostile file must not control the terminal.

use base::{Diagnostic, Severity, shown};

/// Tabs are shown as this many spaces at most.
const TAB: usize = 4;
/// Longer lines are cut to a window around the mark.
const WINDOW: usize = 160;

/// All diagnostics, and a count at the end. `original` gives a line of the user's file, to show
/// what stood there before the preprocessor expanded macros.
pub fn render(found: &[Diagnostic], colours: bool, mut original: impl FnMut(&str, u32) -> Option<String>) -> String {
    let mut text = String::new();
    for diagnostic in found {
        push(&mut text, diagnostic, colours, &mut original);
    }
    text.push_str(&summary(found));
    text
}

fn push(
    text: &mut String,
    diagnostic: &Diagnostic,
    colours: bool,
    original: &mut impl FnMut(&str, u32) -> Option<String>,
) {
    let (word, colour) = match diagnostic.severity {
        Severity::Error => ("error", "31"),
        Severity::Unsupported => ("unsupported", "35"),
        Severity::Warning => ("warning", "33"),
    };
    let paint = |code: &str, text: &str| if colours { format!("\x1b[1;{code}m{text}\x1b[0m") } else { text.to_owned() };
    let place = match (diagnostic.line, diagnostic.column) {
        (0, _) => diagnostic.file.clone(),
        (line, 0) => format!("{}:{line}", diagnostic.file),
        (line, column) => format!("{}:{line}:{column}", diagnostic.file),
    };
    let message = shown(&diagnostic.message);
    text.push_str(&format!("{}: {message}\n", paint(colour, &format!("{}: {word}", shown(&place)))));
    let number = diagnostic.line.to_string();
    let margin = " ".repeat(number.len().max(4));
    if !diagnostic.source_line.trim().is_empty() {
        let written = original(&diagnostic.file, diagnostic.line);
        let (line, mark) = line_and_mark(diagnostic);
        match written {
            Some(written) if written.trim_end() != diagnostic.source_line.trim_end() && !written.trim().is_empty() => {
                let written = cut(&expand(&written).0, 0).0;
                text.push_str(&format!(" {number:>4} | {written}\n {margin} = after the preprocessor:\n"));
                text.push_str(&format!(" {margin} | {line}\n"));
            }
            _ => text.push_str(&format!(" {number:>4} | {line}\n")),
        }
        if !mark.is_empty() {
            text.push_str(&format!(" {margin} | {}\n", paint(colour, &mark)));
        }
    }
    if !diagnostic.help.is_empty() {
        text.push_str(&format!(" {margin} = help: {}\n", shown(&diagnostic.help)));
    }
}

/// The line as shown, and the mark that goes under it.
fn line_and_mark(diagnostic: &Diagnostic) -> (String, String) {
    let (line, columns) = expand(&diagnostic.source_line);
    if diagnostic.column == 0 {
        return (cut(&line, 0).0, String::new());
    }
    let at = |column: usize| columns.get(column).copied().unwrap_or(*columns.last().expect("one column past the end"));
    let first = diagnostic.column as usize - 1;
    let (start, end) = (at(first), at(first.saturating_add(diagnostic.length.max(1) as usize)));
    let (line, dropped) = cut(&line, start);
    let start = start.saturating_sub(dropped);
    let length = end.saturating_sub(start + dropped).clamp(1, WINDOW);
    let mark = format!("{}^{}", " ".repeat(start), "~".repeat(length - 1));
    (line, mark)
}

/// The line with tabs as spaces, and the screen column of each of its characters and of its end.
fn expand(line: &str) -> (String, Vec<usize>) {
    let mut shown = String::new();
    let mut columns = Vec::new();
    let mut column = 0;
    for c in line.trim_end_matches(['\n', '\r']).chars() {
        columns.push(column);
        if c == '\t' {
            let stop = (column / TAB + 1) * TAB;
            shown.extend(std::iter::repeat_n(' ', stop - column));
            column = stop;
        } else {
            let c = shown::shown_char(c);
            shown.push(c);
            column += width(c);
        }
    }
    columns.push(column);
    (shown, columns)
}

/// A window of the line that shows the screen column `at`, and how many columns were cut off in front.
fn cut(line: &str, at: usize) -> (String, usize) {
    let total: usize = line.chars().map(width).sum();
    if total <= WINDOW {
        return (line.to_owned(), 0);
    }
    let from = at.saturating_sub(WINDOW / 2);
    let mut shown = String::new();
    let (mut column, mut dropped) = (0, 0);
    for c in line.chars() {
        if column < from {
            dropped = column + width(c);
        } else if column < from + WINDOW {
            shown.push(c);
        }
        column += width(c);
    }
    (shown.trim_end().to_owned(), dropped)
}

/// How many columns of a terminal a character takes: the ranges that matter of Unicode's table of East Asian widths.
fn width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1f64f | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

fn summary(found: &[Diagnostic]) -> String {
    let of = |severity| found.iter().filter(|one| one.severity == severity).count();
    let some = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {many}")),
    };
    let parts: Vec<String> = [
        some(of(Severity::Error), "error", "errors"),
        some(of(Severity::Unsupported), "unsupported construct", "unsupported constructs"),
        some(of(Severity::Warning), "warning", "warnings"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if found.len() > 1 { format!("{}\n", parts.join(", ")) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(line: &str, column: u32, length: u32) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            file: "a.c".to_owned(),
            line: 12,
            column,
            length,
            source_line: line.to_owned(),
            message: "unknown name `y`".to_owned(),
            help: String::new(),
        }
    }

    fn check(diagnostic: Diagnostic, expected: &str) {
        assert_eq!(render(&[diagnostic], false, |_, _| None), expected);
    }

    #[test]
    fn the_mark_stands_under_the_word() {
        let mut one = diagnostic("    x = yy;", 9, 2);
        one.help = "did you mean `x`?".to_owned();
        check(
            one,
            "a.c:12:9: error: unknown name `y`\n   12 |     x = yy;\n      |         ^~\n      = help: did you mean `x`?\n",
        );
    }

    #[test]
    fn tabs_and_wide_characters_keep_the_mark_aligned() {
        check(
            diagnostic("\tx = y;", 6, 1),
            "a.c:12:6: error: unknown name `y`\n   12 |     x = y;\n      |         ^\n",
        );
        check(
            diagnostic("s = \"漢字\"; y;", 11, 1),
            "a.c:12:11: error: unknown name `y`\n   12 | s = \"漢字\"; y;\n      |             ^\n",
        );
    }

    #[test]
    fn positions_outside_the_line_do_no_harm() {
        check(diagnostic("x", 500, 7), "a.c:12:500: error: unknown name `y`\n   12 | x\n      |  ^\n");
        check(diagnostic("x", 1, u32::MAX), "a.c:12:1: error: unknown name `y`\n   12 | x\n      | ^\n");
        check(diagnostic("x", 0, 1), "a.c:12: error: unknown name `y`\n   12 | x\n");
        check(diagnostic("", 3, 1), "a.c:12:3: error: unknown name `y`\n");
    }

    #[test]
    fn endless_lines_are_cut_around_the_mark() {
        let line = format!("{}Y{}", "a".repeat(100_000), "b".repeat(100_000));
        let text = render(&[diagnostic(&line, 100_001, 1)], false, |_, _| None);
        assert!(text.len() < 600);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1].find('Y'), lines[2].find('^'));
    }

    #[test]
    fn a_hostile_line_cannot_talk_to_the_terminal() {
        let text = render(&[diagnostic("\x1b[2J evil \u{202e}/*", 1, 1)], false, |_, _| None);
        assert!(!text.contains(['\x1b', '\u{202e}']), "{text}");
    }

    #[test]
    fn the_line_before_macro_expansion_is_shown_too() {
        let text = render(&[diagnostic("x = ((a) + (b));", 5, 1)], false, |_, _| Some("x = ADD(a, b);".to_owned()));
        assert!(text.contains("   12 | x = ADD(a, b);\n      = after the preprocessor:\n      | x = ((a) + (b));\n"));
    }

    #[test]
    fn several_messages_are_counted_at_the_end() {
        let mut second = diagnostic("x", 1, 1);
        second.severity = Severity::Unsupported;
        let text = render(&[diagnostic("x", 1, 1), second, diagnostic("x", 1, 1)], false, |_, _| None);
        assert!(text.ends_with("2 errors, 1 unsupported construct\n"));
    }
}
