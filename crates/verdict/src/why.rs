//! Why neither safety nor an error is shown: a stable code, the words for the user, and the place.

use std::fmt;

use base::Place;

use crate::{Code, Group};

/// The reason of an `UNKNOWN`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    /// Which reason it is.
    pub code: Code,
    /// The words that complete the sentence of the group: a noun ("recursion of f") for what is unsupported and for what an error
    /// depends on, otherwise the whole sentence.
    pub what: String,
    /// Where in the source.
    pub at: Option<Place>,
}

impl Why {
    /// A reason without a place.
    pub fn new(code: Code, what: impl Into<String>) -> Why {
        Why { code, what: what.into(), at: None }
    }
    /// A reason with its place, if that is known.
    pub fn at(code: Code, what: impl Into<String>, at: Option<Place>) -> Why {
        Why { code, what: what.into(), at }
    }
}

impl fmt::Display for Why {
    /// Without the place: only the driver knows how to show files.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = &self.what;
        match (self.code, self.code.group()) {
            (Code::OnlyUndefined, _) => write!(out, "only through undefined behaviour ({what})"),
            (_, Group::Unsupported) => write!(out, "unsupported {what}"),
            (_, Group::Open) => write!(out, "an error that depends on {what}"),
            (_, Group::Internal) => write!(out, "evidence rejected, please report ({what})"),
            _ => out.write_str(what),
        }
    }
}

impl From<program::pass::Unsupported> for Why {
    fn from(refused: program::pass::Unsupported) -> Why {
        use program::pass::Obstacle;
        let code = match refused.obstacle {
            Obstacle::Recursion => Code::Recursion,
            Obstacle::Size => Code::ProgramSize,
            Obstacle::Stack => Code::StackAddress,
        };
        Why::at(code, refused.what, refused.place)
    }
}
