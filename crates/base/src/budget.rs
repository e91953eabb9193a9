//! How much effort may be spent, counted in ticks, and the flag that ends it all early.
//!
//! Algorithms hold no stopwatch: they spend ticks, and whoever watches the clock pulls the flag. Where several
//! algorithms share a core, a [`Pace`] hears of every tick and may keep one waiting until it is its turn.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The wish to stop, carried out by `?`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// Somebody pulled the flag: the clock, Ctrl-C, or an engine that was faster.
    Cancelled,
    /// The ticks are used up.
    OutOfTicks,
}

/// Somebody who hears how much is done, and may take a while to return.
pub trait Pace: Send + Sync {
    /// So many ticks were spent.
    fn worked(&self, ticks: u64);
}

/// A number of ticks and a flag shared with whoever may cancel.
#[derive(Clone)]
pub struct Budget {
    given: Cell<u64>,
    left: Cell<u64>,
    cancel: Arc<AtomicBool>,
    pace: Option<Arc<dyn Pace>>,
}

impl Budget {
    /// No limit but the flag.
    pub fn unlimited(cancel: Arc<AtomicBool>) -> Self {
        Budget::ticks(u64::MAX, cancel)
    }
    /// No limit but the flag, at this pace.
    pub fn paced(cancel: Arc<AtomicBool>, pace: Arc<dyn Pace>) -> Self {
        Budget { given: Cell::new(u64::MAX), left: Cell::new(u64::MAX), cancel, pace: Some(pace) }
    }
    /// At most this many ticks.
    pub fn ticks(limit: u64, cancel: Arc<AtomicBool>) -> Self {
        Budget { given: Cell::new(limit), left: Cell::new(limit), cancel, pace: None }
    }
    /// A part of this budget with a limit of its own; it shares the flag.
    pub fn at_most(&self, limit: u64) -> Self {
        let given = limit.min(self.left.get());
        Budget {
            given: Cell::new(given),
            left: Cell::new(given),
            cancel: Arc::clone(&self.cancel),
            pace: self.pace.clone(),
        }
    }
    /// The same ticks and flag for work that nobody may interrupt, since others wait for it. What it spends is to be
    /// spent here afterwards.
    pub fn in_one_go(&self) -> Self {
        Budget { given: self.left.clone(), left: self.left.clone(), cancel: Arc::clone(&self.cancel), pace: None }
    }
    /// The same flag and pace for work that is counted in smaller ticks, so many of which are one tick here. It has no
    /// limit of its own; what it spends is to be spent here by [`Budget::settle`].
    pub fn in_small_ticks(&self, ratio: u64) -> Self {
        let pace = self.pace.as_ref().map(|pace| -> Arc<dyn Pace> {
            Arc::new(SmallTicks { pace: Arc::clone(pace), ratio, rest: AtomicU64::new(0) })
        });
        Budget { pace, ..Budget::unlimited(Arc::clone(&self.cancel)) }
    }
    /// Spends what work elsewhere has told the pace of already.
    pub fn settle(&self, ticks: u64) -> Result<(), Stopped> {
        let quiet = Budget { pace: None, ..self.clone() };
        let paid = quiet.spend(ticks);
        self.left.set(quiet.left());
        paid
    }
    /// Spends ticks, or says that it is time to stop. What was worth more than is left has used it up.
    pub fn spend(&self, ticks: u64) -> Result<(), Stopped> {
        if let Some(pace) = &self.pace {
            pace.worked(ticks);
        }
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        match self.left.get().checked_sub(ticks) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.left.set(0);
                Err(Stopped::OutOfTicks)
            }
        }
    }
    /// The flag that ends it all.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }
    /// How many ticks have been spent of it; not of what it is a part of, which is charged for it by hand.
    pub fn spent(&self) -> u64 {
        self.given.get() - self.left.get()
    }
    /// So many more ticks may be spent of it: for work that is done in turns.
    pub fn grant(&self, ticks: u64) {
        let left = self.left.get().saturating_add(ticks);
        self.given.set(self.spent().saturating_add(left));
        self.left.set(left);
    }
    /// How many ticks are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }
}

/// Hears small ticks and tells of large ones.
struct SmallTicks {
    pace: Arc<dyn Pace>,
    ratio: u64,
    /// Small ticks that do not make a large one yet.
    rest: AtomicU64,
}

impl Pace for SmallTicks {
    fn worked(&self, ticks: u64) {
        let small = self.rest.load(Ordering::Relaxed) + ticks;
        self.rest.store(small % self.ratio, Ordering::Relaxed);
        self.pace.worked(small / self.ratio);
    }
}

impl std::fmt::Debug for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Budget").field("left", &self.left).field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::unlimited(Arc::new(AtomicBool::new(false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_run_out_and_nothing_is_left_then() {
        let budget = Budget::ticks(3, Arc::default());
        assert_eq!(budget.spend(2), Ok(()));
        assert_eq!(budget.spend(2), Err(Stopped::OutOfTicks));
        assert_eq!((budget.left(), budget.spent()), (0, 3));
        assert_eq!(budget.spend(1), Err(Stopped::OutOfTicks));
        assert_eq!(budget.spend(0), Ok(()));
        let settled = Budget::ticks(3, Arc::default());
        assert_eq!((settled.settle(4), settled.left()), (Err(Stopped::OutOfTicks), 0));
    }
    #[test]
    fn a_grant_adds_ticks_and_what_was_spent_stays_spent() {
        let budget = Budget::ticks(3, Arc::default());
        assert_eq!(budget.spend(2), Ok(()));
        budget.grant(4);
        assert_eq!((budget.left(), budget.spent()), (5, 2));
        assert_eq!(budget.spend(5), Ok(()));
        assert_eq!((budget.left(), budget.spent()), (0, 7));
    }
    #[test]
    fn the_flag_stops_every_part_of_a_budget() {
        let flag = Arc::new(AtomicBool::new(false));
        let whole = Budget::unlimited(Arc::clone(&flag));
        let part = whole.at_most(5);
        assert_eq!((part.left(), part.at_most(9).left()), (5, 5));
        flag.store(true, Ordering::Relaxed);
        assert_eq!((whole.spend(1), part.spend(1)), (Err(Stopped::Cancelled), Err(Stopped::Cancelled)));
    }
    #[test]
    fn a_pace_hears_of_all_parts_but_those_in_one_go() {
        struct Heard(AtomicU64);
        impl Pace for Heard {
            fn worked(&self, ticks: u64) {
                self.0.fetch_add(ticks, Ordering::Relaxed);
            }
        }
        let heard = Arc::new(Heard(AtomicU64::new(0)));
        let whole = Budget::paced(Arc::default(), Arc::clone(&heard) as Arc<dyn Pace>);
        assert_eq!((whole.spend(1), whole.at_most(9).spend(2), whole.in_one_go().spend(4)), (Ok(()), Ok(()), Ok(())));
        assert_eq!(heard.0.load(Ordering::Relaxed), 3);
        let small = whole.in_small_ticks(10);
        assert_eq!((small.spend(25), small.spend(5), whole.settle(3)), (Ok(()), Ok(()), Ok(())));
        assert_eq!((heard.0.load(Ordering::Relaxed), whole.spent()), (6, 1 + 3));
    }
    #[test]
    fn the_default_has_no_limit() {
        assert_eq!(Budget::default().spend(u64::MAX), Ok(()));
    }
}
