//! Variants of good programs: most are still programs, but not what their author had in mind.
//!
//! A variant has a few tokens changed: an operator for another of its kind, a constant for one at a border, a type for another, a name for another
//! name of the program, a statement left out, repeated or moved. Unlike the inputs of [`crate::fuzz`], which are meant for the parser, most variants
//! get through the front end, so engines and the checker of evidence see shapes that do not occur in hand-written programs ([DeMilloEtAl-IEEEC'78]).

use base::Random;
use std::ops::Range;

/// Operators that can stand for each other.
const OPERATORS: &[&[&str]] = &[
    &["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"],
    &["<", "<=", ">", ">=", "==", "!="],
    &["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="],
    &["++", "--"],
    &["&&", "||"],
    &["!", "~", "-", "*", "&"],
];

/// Words for types that can stand for each other.
const TYPES: &[&str] = &[
    "int",
    "char",
    "short",
    "long",
    "unsigned",
    "_Bool",
    "float",
    "double",
    "void",
    "signed char",
    "unsigned char",
    "unsigned short",
    "unsigned long",
    "long long",
    "unsigned long long",
    "char *",
    "int *",
    "void *",
];

/// Constants at borders.
const CONSTANTS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "8",
    "31",
    "32",
    "63",
    "64",
    "100",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "(-2147483647-1)",
    "4294967295u",
    "0x7fffffffffffffffLL",
    "0xffffffffffffffffULL",
    "0.5",
    "1e30",
];

/// One to three changes to the text; the same random numbers make the same variant.
pub fn variant(text: &str, random: &mut Random) -> String {
    let mut changed = text.to_owned();
    for _ in 0..1 + random.below(3) {
        // Some changes find nothing to work on.
        for _ in 0..10 {
            if let Some(next) = change(&changed, random) {
                changed = next;
                break;
            }
        }
    }
    changed
}

fn change(text: &str, random: &mut Random) -> Option<String> {
    let tokens = tokens(text);
    if tokens.len() < 4 {
        return None;
    }
    match random.below(12) {
        0..3 => operator(text, &tokens, random),
        3 | 4 => constant(text, &tokens, random),
        5 => kind(text, &tokens, random),
        6 | 7 => name(text, &tokens, random),
        8 => prefix(text, &tokens, random),
        _ => statement(text, &tokens, random),
    }
}

fn replaced(text: &str, at: Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &text[..at.start], &text[at.end..])
}

/// One of the tokens for which `choose` holds.
fn some(
    text: &str,
    tokens: &[Range<usize>],
    random: &mut Random,
    choose: impl Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let fitting: Vec<&Range<usize>> = tokens.iter().filter(|token| choose(&text[(*token).clone()])).collect();
    (!fitting.is_empty()).then(|| (*random.pick(&fitting)).clone())
}

fn operator(text: &str, tokens: &[Range<usize>], random: &mut Random) -> Option<String> {
    let group = *random.pick(OPERATORS);
    let at = some(text, tokens, random, |token| group.contains(&token))?;
    let by: &&str = random.pick(group);
    Some(replaced(text, at, by))
}

fn constant(text: &str, tokens: &[Range<usize>], random: &mut Random) -> Option<String> {
    let at = some(text, tokens, random, |token| token.starts_with(|c: char| c.is_ascii_digit()))?;
    let by: &&str = random.pick(CONSTANTS);
    Some(replaced(text, at, by))
}

fn kind(text: &str, tokens: &[Range<usize>], random: &mut Random) -> Option<String> {
    let at = some(text, tokens, random, |token| TYPES.contains(&token))?;
    let by: &&str = random.pick(TYPES);
    Some(replaced(text, at, by))
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn name(text: &str, tokens: &[Range<usize>], random: &mut Random) -> Option<String> {
    let at = some(text, tokens, random, is_name)?;
    let by = some(text, tokens, random, is_name)?;
    Some(replaced(text, at, &text[by]))
}

/// Puts a unary operator or a conversion before a name.
fn prefix(text: &str, tokens: &[Range<usize>], random: &mut Random) -> Option<String> {
    let at = some(text, tokens, random, is_name)?.start;
    let conversion = format!("({})", random.pick(TYPES));
    let words = ["*", "&", "-", "~", "!", "++", "--", "sizeof ", conversion.as_str()];
    let by: &&str = random.pick(&words);
    Some(replaced(text, at..at, by))
}

/// Leaves a statement out, repeats it, or puts it somewhere else.
fn statement(text: &str, tokens: &[Range<usize>], random: &mut Random) -> Option<String> {
    let ends = |token: &Range<usize>| matches!(&text[token.clone()], ";" | "{" | "}");
    let borders: Vec<usize> = tokens.iter().filter(|token| ends(token)).map(|token| token.end).collect();
    let statements: Vec<Range<usize>> = borders
        .windows(2)
        .map(|pair| pair[0]..pair[1])
        .filter(|range| text[range.clone()].ends_with(';') && range.len() > 1)
        .collect();
    if statements.is_empty() {
        return None;
    }
    let chosen = random.pick(&statements).clone();
    let piece = text[chosen.clone()].to_owned();
    match random.below(3) {
        0 => Some(replaced(text, chosen, "")),
        1 => Some(replaced(text, chosen.end..chosen.end, &piece)),
        _ => {
            let at = *random.pick(&borders);
            Some(replaced(text, at..at, &piece))
        }
    }
}

/// Words, numbers, literals and operators, without what stands in comments and directives.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let rest = &bytes[at..];
        let until =
            |end: &[u8]| rest.windows(end.len()).skip(1).position(|w| w == end).map_or(bytes.len(), |p| start + 1 + p);
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || b >= 0x80;
        if rest[0].is_ascii_whitespace() {
            at += 1;
            continue;
        } else if rest.starts_with(b"//") || rest[0] == b'#' {
            at = until(b"\n");
            continue;
        } else if rest.starts_with(b"/*") {
            at = (until(b"*/") + 2).min(bytes.len());
            continue;
        } else if is_word(rest[0]) {
            at += rest.iter().position(|&b| !is_word(b)).unwrap_or(rest.len());
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            at += 1;
            while at < bytes.len() && bytes[at] != rest[0] {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at = (at + 1).min(bytes.len());
            while !text.is_char_boundary(at) {
                at += 1;
            }
        } else {
            let long = ["<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"];
            let assigning = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ":="];
            let operator = long.iter().chain(&assigning).find(|op| rest.starts_with(op.as_bytes()));
            at += operator.map_or(1, |op| op.len());
        }
        tokens.push(start..at);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_leave_out_comments_and_directives() {
        let text = "# 1 \"x\"\nint a; // no\n/* no */ a <<= 0x1f + 'b' - \"c;\\\"\" // end";
        let words: Vec<&str> = tokens(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(words, ["int", "a", ";", "a", "<<=", "0x1f", "+", "'b'", "-", "\"c;\\\"\""]);
    }

    #[test]
    fn variants_are_reproducible_and_differ() {
        let text = "int main(void) { int a = 1; while (a < 10) { a = a + 2; } return a; }";
        let make = |seed| variant(text, &mut Random::new(seed));
        let changed = (0..200).filter(|&seed| make(seed) != text).count();
        assert!(changed > 180, "only {changed} of 200 differ");
        assert!((0..50).all(|seed| make(seed) == make(seed)));
    }

    #[test]
    fn any_text_has_variants_without_a_panic() {
        for text in ["", "é", "\"", "'é", "/*", "//", "# ", "a;b;c;d;é;"] {
            for seed in 0..100 {
                let _ = variant(text, &mut Random::new(seed));
            }
        }
    }
}
