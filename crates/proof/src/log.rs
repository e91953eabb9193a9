//! The log: clauses in the order in which they were derived, each with its reason.
//!
//! One flat vector of words; a step is `tag, id, n, literals…, m, hints…`. The hints of a derived
//! clause are LRAT's: assume the clause false, and each hint in turn becomes unit, the last one
//! empty ([CruzFilipeEtAl-CADE'17]). Theory lemmas are marked, and checked by other means.

use crate::lit::Lit;

/// The number of a clause in the log, from one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClauseId(pub u32);

/// One step of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'a> {
    /// A clause that was given.
    Input {
        /// Its number.
        id: ClauseId,
        /// Its literals.
        lits: &'a [u32],
    },
    /// A clause that follows from earlier ones by unit propagation in the order of the hints.
    Derived {
        /// Its number.
        id: ClauseId,
        /// Its literals.
        lits: &'a [u32],
        /// The clauses used, as numbers.
        hints: &'a [u32],
    },
    /// A clause that is valid in the theory, whatever was given.
    Lemma {
        /// Its number.
        id: ClauseId,
        /// Its literals.
        lits: &'a [u32],
    },
    /// The clause is used no more.
    Delete {
        /// Its number.
        id: ClauseId,
    },
}

/// A growing list of steps.
#[derive(Clone, Debug, Default)]
pub struct Log {
    words: Vec<u32>,
    last_id: u32,
}

// format: the code of a step.
const INPUT: u32 = 0;
const DERIVED: u32 = 1;
const LEMMA: u32 = 2;
const DELETE: u32 = 3;

impl Log {
    /// An empty log.
    pub fn new() -> Self {
        Log::default()
    }
    /// Records a clause that was given.
    pub fn input(&mut self, lits: &[Lit]) -> ClauseId {
        self.clause(INPUT, lits, &[])
    }
    /// Records a clause with the earlier ones it follows from.
    pub fn derived(&mut self, lits: &[Lit], hints: &[ClauseId]) -> ClauseId {
        self.clause(DERIVED, lits, hints)
    }
    /// Records a clause that the theory vouches for.
    pub fn lemma(&mut self, lits: &[Lit]) -> ClauseId {
        self.clause(LEMMA, lits, &[])
    }
    /// Records that a clause is used no more.
    pub fn delete(&mut self, id: ClauseId) {
        self.words.extend([DELETE, id.0]);
    }
    /// The steps in order.
    pub fn steps(&self) -> Steps<'_> {
        Steps { words: &self.words }
    }
    /// The number of the last clause.
    pub fn n_clauses(&self) -> u32 {
        self.last_id
    }
    /// How many words the log takes.
    pub fn len(&self) -> usize {
        self.words.len()
    }
    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn clause(&mut self, tag: u32, lits: &[Lit], hints: &[ClauseId]) -> ClauseId {
        self.last_id += 1;
        let id = ClauseId(self.last_id);
        self.words.extend([tag, id.0, lits.len() as u32]);
        self.words.extend(lits.iter().map(|lit| lit.code()));
        if tag == DERIVED {
            self.words.push(hints.len() as u32);
            self.words.extend(hints.iter().map(|hint| hint.0));
        }
        id
    }
    /// Copies a step unchanged; used when a log is filtered.
    pub(crate) fn copy(&mut self, step: Step<'_>) {
        let (tag, id, lits) = match step {
            Step::Input { id, lits } => (INPUT, id, lits),
            Step::Derived { id, lits, .. } => (DERIVED, id, lits),
            Step::Lemma { id, lits } => (LEMMA, id, lits),
            Step::Delete { id } => return self.delete(id),
        };
        self.last_id = self.last_id.max(id.0);
        self.words.extend([tag, id.0, lits.len() as u32]);
        self.words.extend(lits);
        if let Step::Derived { hints, .. } = step {
            self.words.push(hints.len() as u32);
            self.words.extend(hints);
        }
    }
}

/// The steps of a log, in order.
#[derive(Clone, Debug)]
pub struct Steps<'a> {
    words: &'a [u32],
}

impl<'a> Iterator for Steps<'a> {
    type Item = Step<'a>;
    fn next(&mut self) -> Option<Step<'a>> {
        let (&tag, rest) = self.words.split_first()?;
        let id = ClauseId(rest[0]);
        if tag == DELETE {
            self.words = &rest[1..];
            return Some(Step::Delete { id });
        }
        let n = rest[1] as usize;
        let (lits, rest) = rest[2..].split_at(n);
        if tag != DERIVED {
            self.words = rest;
            return Some(if tag == INPUT { Step::Input { id, lits } } else { Step::Lemma { id, lits } });
        }
        let (hints, rest) = rest[1..].split_at(rest[0] as usize);
        self.words = rest;
        Some(Step::Derived { id, lits, hints })
    }
}
