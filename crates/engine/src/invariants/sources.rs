//! The sources of invariants as rows of a table: when each is due, and what it does.
//!
//! An engine that searches step by step has a table of sources, and asks its [`Schedule`] after each step which one is due. Sources that cost little
//! come first. One source a round is enough: with what it brings the proof is tried again before the next one is asked.
//! The tables are in the crates of the engines, so that a row can come from any crate; `docs/extending.md` shows how.

use base::{IndexVec, Stopped};
use encode::{Cut, Unrolling};
use term::Term;
use verdict::Proof;

use super::Invariants;
use super::equalities::equalities;
use super::exclusions::exclusions;
use super::guarded::guarded;
use super::sentinels::sentinels;
use crate::cells::{by_cells, writes_cells};
use crate::context::Context;
use crate::objects::{by_objects, has_objects};
use crate::totals::by_totals;
use crate::tuning::Tuning;

/// A row of the table.
pub struct Source {
    /// Whether it is worth its ticks now.
    pub due: fn(&Moment) -> bool,
    /// Looks for invariants and adds them to those that are known.
    pub find: Find,
    /// Whether it may find more when it is asked again.
    pub repeats: bool,
}

/// The action of a source. The unrolling starts at the entry.
pub type Find = fn(&mut Context<'_>, &mut Invariants, &Unrolling) -> Result<Brought, Stopped>;

/// How far the engine is that asks.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Steps of the search for errors.
    pub steps: usize,
    /// Whether the search has taken long, so that sources are worth more.
    pub is_late: bool,
    /// Whether every error that the search found was confirmed or excluded, so that a proof can be complete.
    pub is_sure: bool,
    /// Whether all producers of relations have been asked.
    pub are_all_related: bool,
}

/// What a source brought.
pub enum Brought {
    /// Nothing, and nothing is to be expected of it: the next one is asked.
    Nothing,
    /// Nothing for now: the proof is tried as it stands.
    NothingYet,
    /// These, for the proof as it stands; the same source is asked again.
    News(Vec<(Cut, Term)>),
    /// Invariants with which a proof of at most this many steps should begin again.
    More {
        /// The steps.
        steps: usize,
    },
    /// Invariants that may do alone: these others were known before.
    Instead(IndexVec<Cut, Vec<Term>>),
    /// Invariants that leave no error at the end of a block.
    Enough,
    /// The proof itself.
    Proof(Box<Proof>),
}

/// Invariants about every cell of an array.
pub const CELLS: Source = Source {
    due: |now| now.steps >= 1 && now.is_sure,
    find: |cx, invariants, _| {
        if !writes_cells(cx.task, cx.terms, cx.blocks) {
            return Ok(Brought::Nothing);
        }
        if let Some(proof) = by_cells(cx, invariants)? {
            return Ok(Brought::Proof(Box::new(proof)));
        }
        // With more relations between variables to lean on.
        let news = invariants.relate(cx)?;
        Ok(if news.is_empty() { Brought::Nothing } else { Brought::News(news) })
    },
    repeats: true,
};

/// What loops add up of the cells of arrays.
pub const TOTALS: Source = Source {
    due: |now| now.steps >= 1,
    find: |cx, invariants, _| {
        Ok(by_totals(cx, invariants)?.map_or(Brought::Nothing, |proof| Brought::Proof(Box::new(proof))))
    },
    repeats: false,
};

/// Cells with constants that end walks through arrays.
pub const SENTINELS: Source = Source {
    due: |now| now.steps >= 1,
    find: |cx, invariants, _| {
        cx.run.observer.phase("sentinels");
        let Some(found) = sentinels(cx, invariants)? else { return Ok(Brought::Nothing) };
        invariants.learn(cx, &found, "sentinels");
        Ok(Brought::More { steps: Tuning::DEFAULT.short_induction_steps })
    },
    repeats: false,
};

/// Invariants about every object of a list or a tree.
pub const OBJECTS: Source = Source {
    due: |now| now.steps >= 1 && now.is_sure,
    find: |cx, invariants, _| {
        if !has_objects(cx.task) {
            return Ok(Brought::Nothing);
        }
        Ok(by_objects(cx, invariants)?.map_or(Brought::NothingYet, |proof| Brought::Proof(Box::new(proof))))
    },
    repeats: false,
};

/// Equalities between variables.
pub const EQUALITIES: Source = Source {
    due: |now| now.steps >= 1,
    find: |cx, invariants, unrolling| {
        let Some(found) = equalities(cx, unrolling)? else { return Ok(Brought::NothingYet) };
        Ok(Brought::Instead(invariants.instead(cx, found, "kind")))
    },
    repeats: false,
};

/// Values that never meet.
pub const EXCLUSIONS: Source = Source {
    due: |now| now.steps >= 2 && now.is_late,
    find: |cx, invariants, _| {
        cx.run.observer.phase("exclusions");
        let Some(found) = exclusions(cx, invariants)? else { return Ok(Brought::NothingYet) };
        invariants.learn(cx, &found, "exclusions");
        Ok(Brought::More { steps: Tuning::DEFAULT.short_induction_steps })
    },
    repeats: false,
};

/// Orders under conditions.
pub const ORDERS: Source = Source {
    due: |now| now.steps >= 3 && now.is_late,
    find: |cx, invariants, _| {
        cx.run.observer.phase("orders");
        let Some(found) = guarded(cx, invariants)? else { return Ok(Brought::NothingYet) };
        invariants.learn(cx, &found, "orders");
        Ok(Brought::More { steps: Tuning::DEFAULT.short_induction_steps })
    },
    repeats: false,
};

/// Relations between variables, from one producer after the other.
pub const RELATIONS: Source = Source {
    due: |now| now.steps >= Tuning::DEFAULT.relations_after_steps && now.is_late,
    find: |cx, invariants, _| {
        let news = invariants.relate(cx)?;
        Ok(if news.is_empty() { Brought::Nothing } else { Brought::More { steps: usize::MAX } })
    },
    repeats: true,
};

/// The same, where everything is read in bits.
pub const RELATIONS_IN_BITS: Source =
    Source { due: |now| now.steps >= Tuning::DEFAULT.relations_after_steps_in_bits, ..RELATIONS };

/// Polynomial equations, when nothing else is left.
pub const POLYNOMIALS: Source = Source {
    due: |now| now.are_all_related,
    find: |cx, invariants, _| {
        if invariants.by_polynomials(cx)? {
            return Ok(Brought::Enough);
        }
        cx.run.observer.phase("induction");
        Ok(Brought::NothingYet)
    },
    repeats: false,
};

/// Which of the sources have been asked.
pub struct Schedule {
    sources: &'static [Source],
    is_over: Vec<bool>,
}

impl Schedule {
    /// None of them.
    pub fn new(sources: &'static [Source]) -> Self {
        Schedule { sources, is_over: vec![false; sources.len()] }
    }
    /// Asks the next source that is due; nothing if none is.
    pub fn ask(
        &mut self,
        now: &Moment,
        cx: &mut Context<'_>,
        invariants: &mut Invariants,
        unrolling: &Unrolling,
    ) -> Result<Option<Brought>, Stopped> {
        let is_next = |&at: &usize| !self.is_over[at] && (self.sources[at].due)(now);
        let Some(at) = (0..self.sources.len()).find(is_next) else { return Ok(None) };
        self.is_over[at] = !self.sources[at].repeats;
        let brought = (self.sources[at].find)(cx, invariants, unrolling)?;
        self.is_over[at] |= matches!(brought, Brought::Nothing);
        Ok(Some(brought))
    }
}
