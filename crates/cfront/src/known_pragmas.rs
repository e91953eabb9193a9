//! The list of pragmas that survive preprocessing: each is modelled, known to be harmless, or refused.
//!
//! A compiler passes over a pragma that it does not know. We cannot know which compiler the user has, so an
//! unknown pragma is refused with its place.

use crate::known_attributes::{harmless_option, harmless_target};

/// How a pragma is treated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pragma<'t> {
    /// `pack(…)` with what stands between the parentheses.
    Pack(&'t str),
    /// `weak name` (the name), or `weak name = target` (the whole, which is refused).
    Weak(&'t str),
    /// The program means the same without it.
    Harmless,
    /// Not treated.
    Refused,
}

/// Pragmas that speak of diagnostics, of the preprocessor, or of how code is generated and where it lies.
const HARMLESS: &[&str] = &[
    "GCC dependency",
    "GCC diagnostic",
    "GCC error",
    "GCC ivdep",
    "GCC nounroll",
    "GCC novector",
    "GCC pch_preprocess",
    "GCC poison",
    "GCC pop_options",
    "GCC push_options",
    "GCC system_header",
    "GCC unroll",
    "GCC visibility",
    "GCC warning",
    "STDC CX_LIMITED_RANGE",
    // Exception flags are any value, and the rounding mode never changes.
    "STDC FENV_ACCESS",
    // No contraction on our targets.
    "STDC FP_CONTRACT",
    "alloc_text",
    "clang diagnostic",
    "clang loop",
    "clang optimize",
    "clang system_header",
    "comment",
    "coverity",
    "endregion",
    "function",
    "ident",
    "intrinsic",
    "ivdep",
    "lint",
    "mark",
    "merger",
    "message",
    "nounroll",
    "once",
    "poison",
    "pop_macro",
    "push_macro",
    "region",
    "unroll",
    "warning",
];

/// What the text behind `#pragma` asks for.
pub(crate) fn pragma(text: &str) -> Pragma<'_> {
    let text = text.trim_ascii();
    if let Some(rest) = after_word(text, "pack") {
        return match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((arguments, _)) => Pragma::Pack(arguments),
            None => Pragma::Refused,
        };
    }
    if let Some(rest) = after_word(text, "weak") {
        return Pragma::Weak(rest);
    }
    if let Some(rest) = after_word(text, "scalar_storage_order") {
        // Our targets are little-endian.
        return if matches!(rest, "default" | "little-endian") { Pragma::Harmless } else { Pragma::Refused };
    }
    for (word, harmless) in [("optimize", harmless_option as fn(&str) -> bool), ("target", harmless_target)] {
        if let Some(rest) = after_word(text, "GCC").and_then(|rest| after_word(rest, word)) {
            let mut options = rest.split(',').map(|option| option.trim_matches(['(', ')', '"', ' ']));
            return if options.all(harmless) { Pragma::Harmless } else { Pragma::Refused };
        }
    }
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let spaced = words.join(" ");
    let known = HARMLESS.iter().any(|known| after_word(&spaced, known).is_some());
    if known || text.is_empty() { Pragma::Harmless } else { Pragma::Refused }
}

/// What follows this word, if the text begins with it.
fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(word)?;
    let ends = rest.chars().next().is_none_or(|next| !(next.is_ascii_alphanumeric() || next == '_'));
    ends.then(|| rest.trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_are_read_by_their_words() {
        assert_eq!(pragma("pack(push, 1)"), Pragma::Pack("push, 1"));
        assert_eq!(pragma("pack ( 2 ) "), Pragma::Pack(" 2 "));
        assert_eq!(pragma("weak f"), Pragma::Weak("f"));
        assert_eq!(pragma("GCC   diagnostic push"), Pragma::Harmless);
        assert_eq!(pragma("STDC FENV_ACCESS ON"), Pragma::Harmless);
        assert_eq!(pragma("GCC optimize (\"O2\")"), Pragma::Harmless);
        assert_eq!(pragma("scalar_storage_order default"), Pragma::Harmless);
    }
    #[test]
    fn pragmas_that_change_the_program_or_are_unknown_are_refused() {
        for text in [
            "redefine_extname f g",
            "scalar_storage_order big-endian",
            "GCC optimize (\"Ofast\")",
            "GCC optimize (\"O2\", \"fast-math\")",
            "omp parallel for",
            "packed",
            "ms_struct on",
            "init(f)",
            "GCC",
        ] {
            assert_eq!(pragma(text), Pragma::Refused, "{text}");
        }
    }
}
