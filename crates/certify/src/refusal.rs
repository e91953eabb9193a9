//! Why evidence is not accepted.

use base::{Place, Stopped};
use program::interp::Outcome;
use program::{AssertionId, Point};
use verdict::{Code, Why};

/// Why evidence is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The check was not finished; nothing is known.
    Stopped(Stopped),
    /// Neither accepted nor wrong: something cannot be checked, or the error depends on what is left open.
    Unknown(Why),
    /// The evidence does not belong to this program.
    Malformed(String),
    /// A loop runs through no point with an invariant.
    Uncut {
        /// A point of the loop.
        point: Point,
    },
    /// An obligation that does not hold, or could not be shown to hold.
    Open {
        /// Where the runs in question start; the entry for those from the start of the program.
        from: Point,
        /// Where they come to.
        to: Point,
        /// The assertion that fails there, if it is an error; otherwise the invariant does not hold there.
        assertion: Option<AssertionId>,
        /// The number of steps between points.
        steps: u32,
        /// Values of symbols for which it does not hold, if known.
        model: Vec<(String, String)>,
    },
    /// The evidence claims that all runs end, and one does not.
    Endless {
        /// Where it comes to.
        to: Point,
        /// After how many steps between points.
        steps: u32,
    },
    /// A lemma that is not valid, by its place in the list.
    BadLemma(usize),
    /// The finder's proof did not survive the replay.
    BadProof(String),
    /// The run ends otherwise than claimed.
    NotReached(Outcome),
}

impl Refusal {
    pub(crate) fn malformed(what: impl Into<String>) -> Refusal {
        Refusal::Malformed(what.into())
    }
    pub(crate) fn unknown(code: Code, what: impl Into<String>, at: Option<Place>) -> Refusal {
        Refusal::Unknown(Why::at(code, what, at))
    }
    /// The verdict that is left, in words for the user.
    pub fn why(&self) -> Why {
        match self {
            Refusal::Stopped(Stopped::Cancelled) => Why::new(Code::Interrupted, "stopped while checking the evidence"),
            Refusal::Stopped(Stopped::OutOfTicks) => Why::new(Code::OutOfTicks, "ticks, while checking the evidence"),
            Refusal::Unknown(why) => why.clone(),
            other => Why::new(Code::Rejected, other.to_string()),
        }
    }
}

impl From<Stopped> for Refusal {
    fn from(stopped: Stopped) -> Self {
        Refusal::Stopped(stopped)
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let calls =
            |point: &Point| if point.frame.0.is_empty() { String::new() } else { format!(" in {:?}", point.frame.0) };
        match self {
            Refusal::Stopped(_) => out.write_str("the check was not finished"),
            Refusal::Unknown(why) => why.fmt(out),
            Refusal::Malformed(what) | Refusal::BadProof(what) => out.write_str(what),
            Refusal::Uncut { point } => write!(out, "no invariant cuts the loop at {:?}{}", point.loc, calls(point)),
            Refusal::Open { from, to, assertion, steps, model } => {
                match assertion {
                    Some(assertion) => write!(out, "{assertion:?} can fail")?,
                    None => write!(out, "the invariant at {:?}{} is not kept", to.loc, calls(to))?,
                }
                write!(out, " by {steps} step(s) from {:?}{}", from.loc, calls(from))?;
                for (i, (name, value)) in model.iter().take(20).enumerate() {
                    write!(out, "{} {name} = {value}", if i == 0 { ", for" } else { "," })?;
                }
                Ok(())
            }
            Refusal::Endless { to, steps } => {
                write!(out, "a run goes on at {:?}{} after {steps} step(s)", to.loc, calls(to))
            }
            Refusal::BadLemma(place) => write!(out, "lemma {place} is not valid"),
            Refusal::NotReached(outcome) => write!(out, "the inputs lead to {outcome:?} instead of the error"),
        }
    }
}

impl std::error::Error for Refusal {}
