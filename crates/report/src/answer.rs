//! The answer of a check as a value: what every form of output is made from.

use verdict::Code;

/// Why there is no answer, or why one engine has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// Which reason it is.
    pub code: Code,
    /// The engine that gives it; none for the whole check.
    pub engine: Option<String>,
    /// The reason in words, with its place.
    pub text: String,
    /// `file:line`, if a place is known.
    pub place: Option<String>,
}

impl Reason {
    /// A reason of the whole check.
    pub fn new(code: Code, text: impl Into<String>) -> Reason {
        Reason { code, engine: None, text: text.into(), place: None }
    }
}
