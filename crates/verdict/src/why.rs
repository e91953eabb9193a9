//! Why neither safety nor an error is shown, in words for the user.

use std::fmt;

use base::Place;

/// The reason of an `UNKNOWN`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// Something that we cannot do, and where it stands.
    Unsupported {
        /// What, as a noun: "recursion of f".
        what: String,
        /// Where in the source.
        at: Option<Place>,
    },
    /// The search was bounded and came to its end: how far it got, in the user's terms.
    Bounded(String),
    /// The error is reached only after an operation that C gives no meaning to.
    OnlyUndefined {
        /// What was undefined.
        what: String,
        /// Where in the source.
        at: Option<Place>,
    },
    /// The error is reached only with a value that we know nothing about: from a function without a body, a
    /// float, or memory that is not modelled.
    Unconfirmed {
        /// What stands in the way, as a noun.
        what: String,
        /// Where in the source.
        at: Option<Place>,
    },
    /// Time, memory or ticks ran out: which, and how far it got.
    Exhausted(String),
    /// Interrupted by a signal: how far it got.
    Interrupted(String),
    /// The checker refused the evidence: our own bug, with what the checker said.
    Rejected(String),
    /// The method gave up, for this reason.
    GaveUp(String),
}

impl fmt::Display for Why {
    /// Without the place: only the driver knows how to show files.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Unsupported { what, .. } => write!(out, "unsupported {what}"),
            Why::OnlyUndefined { what, .. } => write!(out, "only through undefined behaviour ({what})"),
            Why::Unconfirmed { what, .. } => write!(out, "an error that depends on {what}"),
            Why::Rejected(said) => write!(out, "evidence rejected, please report ({said})"),
            Why::Bounded(text) | Why::Exhausted(text) | Why::Interrupted(text) | Why::GaveUp(text) => {
                out.write_str(text)
            }
        }
    }
}

impl Why {
    /// The place it speaks of.
    pub fn place(&self) -> Option<Place> {
        match self {
            Why::Unsupported { at, .. } | Why::OnlyUndefined { at, .. } | Why::Unconfirmed { at, .. } => *at,
            _ => None,
        }
    }
}
