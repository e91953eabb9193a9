//! Diagnostics as people read them: the place, what is wrong, the line, and a mark under it.
//!
//! ```text
//! file.c:12:5: error: unknown name `y`
//!    |
//! 12 |     x = y;
//!    |         ^
//!    |
//!    = help: did you mean `x`?
//! ```
//!
//! The first line is ours, so that editors find the place; below it `annotate_snippets` draws the line. It trims long lines, and expands tabs.
//! Control and bidirectional characters are shown as a replacement character (`base::shown`): a hostile file must not control the terminal.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use base::{Diagnostic, Severity, shown};

/// All diagnostics, and a count at the end. `original` gives a line of the user's file, to show
/// what stood there before the preprocessor expanded macros.
pub fn render(found: &[Diagnostic], colours: bool, mut original: impl FnMut(&str, u32) -> Option<String>) -> String {
    let mut text = String::new();
    for diagnostic in found {
        let has_line = !diagnostic.source_line.trim().is_empty();
        let written = has_line.then(|| original(&diagnostic.file, diagnostic.line)).flatten();
        push(&mut text, diagnostic, colours, written);
    }
    text.push_str(&summary(found));
    text
}

fn push(text: &mut String, diagnostic: &Diagnostic, colours: bool, original: Option<String>) {
    let (word, colour, level) = match diagnostic.severity {
        Severity::Error => ("error", "31", Level::ERROR),
        Severity::Unsupported => ("unsupported", "35", Level::ERROR),
        Severity::Warning => ("warning", "33", Level::WARNING),
    };
    let place = match (diagnostic.line, diagnostic.column) {
        (0, _) => diagnostic.file.clone(),
        (line, 0) => format!("{}:{line}", diagnostic.file),
        (line, column) => format!("{}:{line}:{column}", diagnostic.file),
    };
    let place = format!("{}: {word}", shown(&place));
    let place = if colours { format!("\x1b[1;{colour}m{place}\x1b[0m") } else { place };
    text.push_str(&format!("{place}: {}\n", shown(&diagnostic.message)));
    let parsed = one_line(&diagnostic.source_line);
    let written = original.map(|line| one_line(&line));
    let written = written.filter(|line| !line.trim().is_empty() && *line != parsed);
    let number = diagnostic.line as usize;
    let mut parts = Vec::new();
    if let Some(written) = &written {
        let line = Snippet::<Annotation<'_>>::source(written.as_str()).line_start(number).fold(false);
        let note = Level::NOTE.no_name().message("after the preprocessor:");
        parts.push(Group::with_level(level.clone()).element(line).element(note));
    }
    let mut last = Group::with_level(level);
    if !parsed.trim().is_empty() {
        let line = Snippet::source(parsed.as_str()).line_start(number).fold(false);
        last = last.element(line.annotations(mark(diagnostic, &parsed).map(|span| AnnotationKind::Primary.span(span))));
    }
    let help = shown(&diagnostic.help).to_string();
    if !help.is_empty() {
        last = last.element(Level::HELP.message(help));
    }
    parts.push(last);
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    // Each part by itself: parts of one report would be joined by the names of their files.
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        text.push_str(&format!("{}\n", renderer.render(&[part])));
    }
}

/// The line without its end and without characters that a terminal obeys. Tabs are expanded when it is drawn.
fn one_line(line: &str) -> String {
    line.trim_end().chars().map(|c| if c == '\t' { c } else { shown::shown_char(c) }).collect()
}

/// The bytes of the line that are marked, if the column is known.
fn mark(diagnostic: &Diagnostic, line: &str) -> Option<Range<usize>> {
    let first = (diagnostic.column as usize).checked_sub(1)?;
    let byte = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte);
    Some(byte(first)..byte(first.saturating_add(diagnostic.length.max(1) as usize)))
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
            "a.c:12:9: error: unknown name `y`\n   |\n12 |     x = yy;\n   |         ^^\n   |\n   = help: did you mean `x`?\n",
        );
    }

    #[test]
    fn tabs_and_wide_characters_keep_the_mark_aligned() {
        check(
            diagnostic("\tx = y;", 6, 1),
            "a.c:12:6: error: unknown name `y`\n   |\n12 |     x = y;\n   |         ^\n",
        );
        check(
            diagnostic("s = \"漢字\"; y;", 11, 1),
            "a.c:12:11: error: unknown name `y`\n   |\n12 | s = \"漢字\"; y;\n   |             ^\n",
        );
    }

    #[test]
    fn positions_outside_the_line_do_no_harm() {
        check(diagnostic("x", 500, 7), "a.c:12:500: error: unknown name `y`\n   |\n12 | x\n   |  ^\n");
        check(diagnostic("x", 1, u32::MAX), "a.c:12:1: error: unknown name `y`\n   |\n12 | x\n   | ^\n");
        check(diagnostic("x", 0, 1), "a.c:12: error: unknown name `y`\n   |\n12 | x\n   |\n");
        check(diagnostic("", 3, 1), "a.c:12:3: error: unknown name `y`\n");
    }

    #[test]
    fn endless_lines_are_cut_around_the_mark() {
        let line = format!("{}Y{}", "a".repeat(100_000), "b".repeat(100_000));
        let text = render(&[diagnostic(&line, 100_001, 1)], false, |_, _| None);
        assert!(text.len() < 600);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2].find('Y'), lines[3].find('^'));
        let unmarked = render(&[diagnostic(&line, 0, 1)], false, |_, _| Some(line.replace('Y', "Z")));
        assert!(unmarked.len() < 600, "{}", unmarked.len());
    }

    #[test]
    fn a_hostile_line_cannot_talk_to_the_terminal() {
        let text = render(&[diagnostic("\x1b[2J evil \u{202e}/*", 1, 1)], false, |_, _| None);
        assert!(!text.contains(['\x1b', '\u{202e}']), "{text}");
        let mut hostile = diagnostic("x", 1, 1);
        hostile.file.push('\x1b');
        hostile.message.push('\x1b');
        hostile.help.push('\x1b');
        let text = render(&[hostile], false, |_, _| Some("\x1b y".to_owned()));
        assert!(!text.contains('\x1b'), "{text}");
    }

    #[test]
    fn the_line_before_macro_expansion_is_shown_too() {
        let text = render(&[diagnostic("x = ((a) + (b));", 5, 1)], false, |_, _| Some("x = ADD(a, b);".to_owned()));
        assert!(
            text.contains(
                "12 | x = ADD(a, b);\n   |\n   = after the preprocessor:\n   |\n12 | x = ((a) + (b));\n   |     ^\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn several_messages_are_counted_at_the_end() {
        let mut second = diagnostic("x", 1, 1);
        second.severity = Severity::Unsupported;
        let text = render(&[diagnostic("x", 1, 1), second, diagnostic("x", 1, 1)], false, |_, _| None);
        assert!(text.ends_with("2 errors, 1 unsupported construct\n"));
    }
}
