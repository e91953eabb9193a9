//! Attributes: `{:name value, ...}`.
//!
//! Boogie ignores attributes that it does not know, and so do we. Those that change what a program means or which parts of
//! it are checked are either treated or refused here, with their places.

use super::{Parsed, Parser};
use crate::ast::Checking;
use crate::lex::Kind;

/// An attribute with its first text and first other word.
pub(crate) struct Attribute {
    pub name: String,
    pub text: Option<String>,
    word: Option<String>,
}

/// Attributes that change the meaning and are not treated: of concurrent programs, of checking a part only, of Houdini and
/// optimisation.
const REFUSED: &[&str] = &[
    "async",
    "atomic",
    "both",
    "layer",
    "left",
    "linear",
    "linear_in",
    "linear_out",
    "only",
    "right",
    "selective_checking",
    "soft",
    "start_checking_here",
    "sync",
    "verified_under",
    "yield_invariant",
    "yield_loop",
    "yield_requires",
    "yield_ensures",
    "yield_preserves",
    "yields",
];

/// What the attributes of a procedure say about how it is checked.
pub(super) fn checking(attributes: &[Attribute]) -> Checking {
    let named = |name: &str| attributes.iter().find(|one| one.name == name);
    let is_off = |name: &str| named(name).is_some_and(|one| one.word.as_deref() == Some("false"));
    Checking {
        is_entry: named("entrypoint").is_some(),
        is_inline: named("inline").is_some_and(|one| !matches!(one.word.as_deref(), Some("false" | "0"))),
        is_skipped: is_off("verify"),
    }
}

impl Parser<'_> {
    /// Reads attributes, and refuses those that change the meaning in a way that is not treated.
    pub fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.take_mark("{:") {
            let token = self.next();
            let name = self.source.at(token.span).to_owned();
            if REFUSED.contains(&name.as_str()) {
                self.unsupported(token.span, &format!("the attribute `{{:{name}}}`"));
            }
            let (mut text, mut word) = (None, None);
            let mut open = 1;
            while open > 0 {
                let token = self.peek();
                match token.kind {
                    Kind::Mark("{" | "{:") => open += 1,
                    Kind::Mark("}") => open -= 1,
                    Kind::Text if text.is_none() => {
                        text = Some(self.source.at(token.span).trim_matches('"').to_owned());
                    }
                    Kind::Name | Kind::Number if word.is_none() => word = Some(self.peek_text().to_owned()),
                    Kind::End => return Err(self.expected("`}`", "at the end of an attribute")),
                    _ => {}
                }
                self.next();
            }
            attributes.push(Attribute { name, text, word });
        }
        Ok(attributes)
    }
}
