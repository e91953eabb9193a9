//! Loop invariants that the source states: `//@ loop invariant E;`, `/*@ loop invariant E; … */` and `__CPROVER_loop_invariant(E)`.
//!
//! The preprocessor drops comments, so those are looked for in the file of the user. Calls of the second kind stand between the head
//! of a loop and its body, which is no C: they are taken out of the text that the front end reads. An annotation belongs to a loop by the place of
//! its keyword. The notation of ACSL that C does not have (`==>`, chains such as `0 <= i <= n`) is put into C.

use base::{Diagnostic, Severity};
use cfront::weave::Spot;

/// What the source states about a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The keyword of the loop.
    pub at: Spot,
    /// Where the annotation stands: its line.
    pub line: u32,
    /// As it stands there.
    pub text: String,
    /// The condition in C, or why there is none.
    pub condition: Result<String, String>,
}

/// Annotations of a text, and what is wrong with some.
#[derive(Default)]
pub struct Found {
    /// Those of loops.
    pub annotations: Vec<Annotation>,
    /// Warnings about others.
    pub warnings: Vec<Diagnostic>,
}

/// The calls that a compiler does not know, of which the first states an invariant.
const CALLS: &[&str] = &[
    "__CPROVER_loop_invariant",
    "__CPROVER_assigns",
    "__CPROVER_decreases",
    "__CPROVER_requires",
    "__CPROVER_ensures",
];

/// The annotations in comments of a file.
pub fn in_comments(file: &str, text: &str) -> Found {
    let mut found = Found::default();
    if !text.contains('@') {
        return found;
    }
    for (start, end, comment) in comments(text) {
        let Some(clauses) = comment.strip_prefix('@') else { continue };
        let line = line_of(text, start);
        for clause in clauses.trim_end_matches('@').split(';').map(str::trim).filter(|clause| !clause.is_empty()) {
            let clause = clause.replace(['\n', '\r', '\t'], " ").replace(" @ ", " ");
            let clause = clause.trim_start_matches(['@', ' ']);
            let Some(condition) = clause.strip_prefix("loop invariant ") else {
                // Other clauses are for other tools, and other comments begin so too.
                if clause.starts_with("loop ") && !OTHERS.iter().any(|other| clause.starts_with(other)) {
                    found.warnings.push(warning(
                        file,
                        text,
                        line,
                        "this annotation is not understood and is passed over",
                    ));
                }
                continue;
            };
            match keyword_behind(text, end) {
                Some(keyword) => found.annotations.push(Annotation {
                    at: Spot { file: file.to_owned(), line: line_of(text, keyword), column: None },
                    line,
                    text: condition.trim().to_owned(),
                    condition: in_c(condition),
                }),
                None => found.warnings.push(warning(file, text, line, "no loop follows this annotation")),
            }
        }
    }
    found
}

/// Clauses of loops that say nothing that is tried.
const OTHERS: &[&str] = &["loop assigns", "loop variant", "loop allocates", "loop pragma"];

/// The annotations that are calls, and the text without them.
pub fn in_calls(file: &str, text: &str) -> (Found, Option<String>) {
    let mut found = Found::default();
    if !CALLS.iter().any(|call| text.contains(call)) {
        return (found, None);
    }
    let mut bare = text.as_bytes().to_vec();
    let mut from = 0;
    while let Some((start, call)) = CALLS
        .iter()
        .filter_map(|call| text[from..].find(call).map(|at| (from + at, *call)))
        .min_by_key(|&(at, call)| (at, std::cmp::Reverse(call.len())))
    {
        from = start + call.len();
        let Some(open) = next_solid(text, from).filter(|&at| text.as_bytes()[at] == b'(') else { continue };
        let Some(close) = closing(text, open) else { continue };
        from = close + 1;
        let (_, line) = place_of(file, text, start);
        // Only between the head of a loop and its body, so that declarations of these names stay.
        let Some(keyword) = keyword_before(text, start, &bare) else { continue };
        for byte in &mut bare[start..=close] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        if call == CALLS[0] {
            let condition = text[open + 1..close].replace(['\n', '\r', '\t'], " ");
            let (of_loop, loop_line) = place_of(file, text, keyword);
            found.annotations.push(Annotation {
                at: Spot { file: of_loop, line: loop_line, column: None },
                line,
                text: condition.trim().to_owned(),
                condition: in_c(&condition),
            });
        }
    }
    (found, Some(String::from_utf8_lossy(&bare).into_owned()))
}

fn warning(file: &str, text: &str, line: u32, message: &str) -> Diagnostic {
    let source_line = text.lines().nth(line as usize - 1).unwrap_or_default().to_owned();
    let column = source_line.find(|c: char| !c.is_whitespace()).unwrap_or(0) as u32 + 1;
    Diagnostic {
        severity: Severity::Warning,
        file: file.to_owned(),
        line,
        column,
        length: (source_line.trim().chars().count() as u32).max(1),
        source_line,
        message: message.to_owned(),
        help: "`//@ loop invariant E;` in front of a loop is a candidate for its invariant".to_owned(),
    }
}

/// The comments of a text: where each begins and ends, and what is in it.
fn comments(text: &str) -> Vec<(usize, usize, &str)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'/' if bytes[at..].starts_with(b"//") => {
                let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
                found.push((at, end, text[at + 2..end].trim_end()));
                at = end;
            }
            b'/' if bytes[at..].starts_with(b"/*") => {
                let inside = at + 2;
                let end = text[inside..].find("*/").map_or(text.len(), |end| inside + end);
                found.push((at, (end + 2).min(text.len()), &text[inside..end]));
                at = end + 2;
            }
            _ => at += 1,
        }
    }
    found
}

/// The first byte that is neither blank nor in a comment.
fn next_solid(text: &str, mut from: usize) -> Option<usize> {
    loop {
        from += text[from..].find(|c: char| !c.is_whitespace())?;
        let rest = &text[from..];
        if rest.starts_with("//") {
            from += rest.find('\n')?;
        } else if rest.starts_with("/*") {
            from += rest.find("*/")? + 2;
        } else {
            return Some(from);
        }
    }
}

const KEYWORDS: &[&str] = &["while", "for", "do"];

fn is_keyword(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    KEYWORDS.iter().any(|keyword| {
        let behind = rest.strip_prefix(keyword).map(|rest| rest.chars().next());
        behind.is_some_and(|next| next.is_none_or(|c| !c.is_alphanumeric() && c != '_'))
    })
}

/// The keyword of the loop that follows, behind labels.
fn keyword_behind(text: &str, from: usize) -> Option<usize> {
    let mut at = next_solid(text, from)?;
    for _ in 0..4 {
        if is_keyword(text, at) {
            return Some(at);
        }
        let label = text[at..].find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let colon = next_solid(text, at + label)?;
        if label == 0 || text.as_bytes()[colon] != b':' {
            return None;
        }
        at = next_solid(text, colon + 1)?;
    }
    None
}

/// The keyword of the loop whose head ends before this byte; calls that were taken out are blanks.
fn keyword_before(text: &str, start: usize, bare: &[u8]) -> Option<usize> {
    let mut end = start;
    while end > 0 && bare[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    let begins = |end: usize| {
        let from = bare[..end].iter().rposition(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        from.map_or(0, |at| at + 1)
    };
    if end > 0 && bare[end - 1] == b')' {
        let mut depth = 0usize;
        let open = (0..end).rev().find(|&at| {
            match bare[at] {
                b')' => depth += 1,
                b'(' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        end = open;
        while end > 0 && bare[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
    }
    let keyword = begins(end);
    (text.is_char_boundary(keyword) && is_keyword(text, keyword)).then_some(keyword)
}

/// The parenthesis that closes this one.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    text[open..]
        .bytes()
        .position(|byte| {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            depth == 0
        })
        .map(|length| open + length)
}

fn line_of(text: &str, at: usize) -> u32 {
    text[..at].bytes().filter(|&byte| byte == b'\n').count() as u32 + 1
}

/// The file and line of a byte of preprocessed text, by its line markers.
fn place_of(file: &str, text: &str, at: usize) -> (String, u32) {
    let (mut name, mut line) = (file.to_owned(), 1);
    for one in text[..at].split_inclusive('\n') {
        if !one.ends_with('\n') {
            break;
        }
        let marker = one.strip_prefix("# ").or_else(|| one.strip_prefix("#line "));
        let marked = marker.and_then(|rest| {
            let (number, rest) = rest.split_once(' ').unwrap_or((rest.trim(), ""));
            Some((number.parse::<u32>().ok()?, rest.split('"').nth(1).map(str::to_owned)))
        });
        match marked {
            Some((number, named)) => {
                line = number;
                name = named.unwrap_or(name);
            }
            None => line += 1,
        }
    }
    (name, line)
}

/// A condition of ACSL as one of C.
fn in_c(condition: &str) -> Result<String, String> {
    let condition = condition.trim();
    if condition.contains('\\') {
        return Err("quantifiers and other words of logic are not supported".to_owned());
    }
    if condition.is_empty() {
        return Err("there is no expression".to_owned());
    }
    joined(condition, "==>", &|parts| {
        let (last, before) = parts.split_last().expect("there is a part");
        before.iter().rev().fold(last.clone(), |after, part| format!("(!({part}) || ({after}))"))
    })
}

/// Takes the condition apart at this operator, outside of parentheses, and puts the parts together.
fn joined(condition: &str, operator: &'static str, join: &dyn Fn(Vec<String>) -> String) -> Result<String, String> {
    let inner = |part: &str| match operator {
        "==>" => joined(part, "||", &|parts| parts.join(" || ")),
        "||" => joined(part, "&&", &|parts| parts.join(" && ")),
        _ => Ok(chain(part)),
    };
    let parts =
        split(condition, &[operator]).into_iter().map(|(_, part)| inner(part)).collect::<Result<Vec<_>, _>>()?;
    Ok(if parts.len() == 1 { parts.into_iter().next().unwrap_or_default() } else { join(parts) })
}

/// `a <= b < c` as `(a <= b && b < c)`.
fn chain(part: &str) -> String {
    let parts = split(part, &["<=", ">=", "==", "!=", "<", ">"]);
    if parts.len() < 3 || part.contains('?') {
        return part.trim().to_owned();
    }
    let pairs = parts.windows(2).map(|two| format!("({}) {} ({})", two[0].1.trim(), two[1].0, two[1].1.trim()));
    format!("({})", pairs.collect::<Vec<String>>().join(" && "))
}

/// Splits at operators outside of parentheses: each part with the operator before it.
fn split<'t>(text: &'t str, operators: &[&'static str]) -> Vec<(&'static str, &'t str)> {
    // What looks like an operator and is another one.
    const OTHER: &[&str] = &["<<", ">>", "->", "==>"];
    let mut parts = Vec::new();
    let (mut depth, mut start, mut at, mut before) = (0i32, 0, 0, "");
    while at < text.len() {
        let rest = &text[at..];
        depth += i32::from(rest.starts_with(['(', '['])) - i32::from(rest.starts_with([')', ']']));
        let other = OTHER.iter().find(|other| rest.starts_with(**other) && !operators.contains(other));
        let operator = operators.iter().find(|operator| rest.starts_with(**operator));
        match (other, operator) {
            (Some(other), _) => at += other.len(),
            (None, Some(operator)) if depth == 0 => {
                parts.push((before, &text[start..at]));
                at += operator.len();
                (start, before) = (at, *operator);
            }
            _ => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    parts.push((before, &text[start..]));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_of_acsl_becomes_c() {
        let c = |text: &str| in_c(text).expect("it has a form in C");
        assert_eq!(c("i <= n"), "i <= n");
        assert_eq!(c("0 <= i < n"), "((0) <= (i) && (i) < (n))");
        assert_eq!(c("a ==> b ==> x << 2 == y"), "(!(a) || ((!(b) || (x << 2 == y))))");
        assert_eq!(c("p->x == 1 && (a == b) == c || d"), "p->x == 1 && (a == b) == c || d");
        assert!(in_c("\\forall integer k; k > 0").is_err());
    }

    #[test]
    fn comments_belong_to_the_loop_that_follows() {
        let text = "int main(void) {\n  char *s = \"//@ loop invariant no;\"; //@ loop invariant x > 0;\n  //@ loop invariant y;\n  again: while (x) x--;\n  \
                    /*@ loop invariant a;\n    @ loop invariant b; loop assigns x; */\n  for (;;) ;\n  //@ loop invariant z;\n  x++;\n  //@ loop nonsense\n}\n";
        let found = in_comments("a.c", text);
        let all: Vec<_> = found.annotations.iter().map(|one| (one.at.line, one.text.as_str())).collect();
        assert_eq!(all, [(4, "x > 0"), (4, "y"), (7, "a"), (7, "b")]);
        let lines: Vec<u32> = found.warnings.iter().map(|one| one.line).collect();
        assert_eq!(lines, [8, 10]);
    }

    #[test]
    fn calls_are_taken_out_of_the_text() {
        let text = "# 7 \"b.c\"\nint f(int x) {\n  while (x > (1))\n    __CPROVER_loop_invariant(x >= (0))\n    __CPROVER_decreases(x)\n  { x--; }\n}\n";
        let (found, bare) = in_calls("a.c", text);
        let at = Spot { file: "b.c".to_owned(), line: 8, column: None };
        let condition = Ok("x >= (0)".to_owned());
        assert_eq!(found.annotations, [Annotation { at, line: 9, text: "x >= (0)".to_owned(), condition }]);
        let bare = bare.expect("the text has changed");
        assert_eq!((bare.contains("CPROVER"), bare.lines().count(), bare.len()), (false, 7, text.len()));
    }
}
