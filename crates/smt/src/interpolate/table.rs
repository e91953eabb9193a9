//! The ways to interpolants, as a table.
//!
//! A way is a name, a help text and a function from parts that contradict each other to a sequence. A crate outside this one
//! adds a way by a value of this type: [`super::sequence`] checks what every way finds, so a mistake costs the answer and never
//! its truth. `docs/extending.md` builds one step by step.

use base::{Budget, Stopped};
use term::{Term, Terms};

use super::refute::{self, Means};
use super::{cores, models};

/// Finds interpolants for parts that contradict each other: one between each part and the next. Each part has only formulas that
/// take part in the contradiction, conjunctions taken apart. The number limits the different subterms of the result; `None` if the
/// way does not lead to interpolants here.
pub type Find = fn(&mut Terms, &[Vec<Term>], usize, &Budget) -> Result<Option<Vec<Term>>, Stopped>;

/// A way to interpolants.
#[derive(Clone, Copy)]
pub struct Interpolator {
    /// The name, for settings and statistics.
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// The way.
    pub find: Find,
}

impl Interpolator {
    /// One refutation in which operators on words are uninterpreted, read at each cut. Whole words; finds nothing
    /// where arithmetic matters.
    pub const EQUALITY: Interpolator = Interpolator {
        name: "equality",
        help: "one refutation with operators as functions",
        find: |terms, parts, _, budget| refute::sequence(terms, parts, Means::Equality, budget),
    };
    /// The same with inequalities between sums of words that do not wrap around. Whole words; finds nothing where
    /// wrapping around, products or single bits matter.
    pub const LINEAR: Interpolator = Interpolator {
        name: "linear",
        help: "one refutation with inequalities between sums that do not wrap around",
        find: |terms, parts, _, budget| refute::sequence(terms, parts, Means::Linear, budget),
    };
    /// The conjuncts that take part in the contradiction, carried forwards (strongest postcondition) or backwards (weakest
    /// precondition) with what is not shared eliminated by its definitions. Whole words, no proof; serves arrays.
    pub const CORES: Interpolator = Interpolator {
        name: "cores",
        help: "the unsatisfiable core, carried forwards or backwards",
        find: cores::sequence,
    };
    /// One refutation in bits, read at each cut, with bits lifted to words where they stand together.
    pub const BITS: Interpolator = Interpolator {
        name: "bits",
        help: "one refutation in bits, lifted to words",
        find: |terms, parts, _, budget| refute::sequence(terms, parts, Means::Bits, budget),
    };
    /// Models of the rest are ruled out one after the other, each generalised by a core. The last resort, for words
    /// and truth values.
    pub const MODELS: Interpolator = Interpolator {
        name: "models",
        help: "models of the rest, ruled out one after the other",
        find: |terms, parts, _, budget| models::sequence(terms, parts, budget),
    };
    /// All of them, in the order in which they are tried.
    pub const ALL: &'static [Interpolator] = &[Self::EQUALITY, Self::LINEAR, Self::CORES, Self::BITS, Self::MODELS];
}

impl PartialEq for Interpolator {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Interpolator {}

impl std::fmt::Debug for Interpolator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
