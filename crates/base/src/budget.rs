//! How much effort may be spent, counted in ticks, and the flag that ends it early.
//!
//! Algorithms hold no stopwatch: they spend ticks, and the driver watches the clock and sets the flag. A part of a budget
//! has a limit of its own and charges the budget it was taken from with every tick, so `spent` counts the parts too. Where
//! several algorithms share a core, a [`Pace`] is notified of every tick and may block until the caller's turn.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The computation must stop; propagated by `?`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The flag was set: by the clock, Ctrl-C, or an engine that was faster.
    Cancelled,
    /// The ticks are used up.
    OutOfTicks,
}

/// Is notified of work, and may take a while to return.
pub trait Pace: Send + Sync {
    /// This many ticks were spent.
    fn worked(&self, ticks: u64);
}

/// A number of ticks and a flag that other threads may set.
pub struct Budget {
    account: Rc<Account>,
    cancel: Arc<AtomicBool>,
    pace: Option<Arc<dyn Pace>>,
}

/// The ticks of a budget, and where else they are counted.
struct Account {
    given: Cell<u64>,
    left: Cell<u64>,
    /// Charged for all that is spent here.
    parent: Option<Rc<Account>>,
    /// This many ticks here are one tick of the parent.
    ratio: u64,
    /// Ticks that do not make a whole one of the parent yet.
    rest: Cell<u64>,
}

impl Account {
    fn new(limit: u64, parent: Option<&Rc<Account>>, ratio: u64) -> Rc<Self> {
        let (given, left) = (Cell::new(limit), Cell::new(limit));
        Rc::new(Account { given, left, parent: parent.map(Rc::clone), ratio, rest: Cell::new(0) })
    }
    /// Takes ticks from here and from all above; whether each of them had enough. One that had not is used up, and its
    /// parent is charged for what it had.
    fn charge(&self, ticks: u64) -> bool {
        let taken = ticks.min(self.left.get());
        self.left.set(self.left.get() - taken);
        let has_parent_enough = self.parent.as_ref().is_none_or(|parent| {
            let small = self.rest.get() + taken;
            self.rest.set(small % self.ratio);
            parent.charge(small / self.ratio)
        });
        taken == ticks && has_parent_enough
    }
}

impl Budget {
    /// No limit but the flag.
    pub fn unlimited(cancel: Arc<AtomicBool>) -> Self {
        Budget::ticks(u64::MAX, cancel)
    }
    /// No limit but the flag, at this pace.
    pub fn paced(cancel: Arc<AtomicBool>, pace: Arc<dyn Pace>) -> Self {
        Budget { account: Account::new(u64::MAX, None, 1), cancel, pace: Some(pace) }
    }
    /// At most this many ticks.
    pub fn ticks(limit: u64, cancel: Arc<AtomicBool>) -> Self {
        Budget { account: Account::new(limit, None, 1), cancel, pace: None }
    }
    /// A part of this budget with a limit of its own, charged here too; it shares the flag and the pace.
    pub fn part(&self, limit: u64) -> Self {
        let limit = limit.min(self.left());
        let account = Account::new(limit, Some(&self.account), 1);
        Budget { account, cancel: self.flag(), pace: self.pace.clone() }
    }
    /// A part with all ticks that are left, for work that must not be interrupted because other threads wait for it. The
    /// pace is notified afterwards, by [`Budget::report`].
    pub fn uninterrupted_part(&self) -> Self {
        Budget { pace: None, ..self.part(u64::MAX) }
    }
    /// A part for work that is counted in smaller ticks, `ratio` of which are one tick here. It has no limit of its own.
    pub fn part_in_small_ticks(&self, ratio: u64) -> Self {
        let pace = self.pace.as_ref().map(|pace| -> Arc<dyn Pace> {
            Arc::new(SmallTicks { pace: Arc::clone(pace), ratio, rest: AtomicU64::new(0) })
        });
        Budget { account: Account::new(u64::MAX, Some(&self.account), ratio), cancel: self.flag(), pace }
    }
    /// Notifies the pace of what an uninterrupted part has spent.
    pub fn report(&self, part: &Budget) {
        if let Some(pace) = &self.pace {
            pace.worked(part.spent());
        }
    }
    /// Spends ticks, or returns `Stopped`. A spend that exceeds the rest uses up the budget.
    pub fn spend(&self, ticks: u64) -> Result<(), Stopped> {
        if let Some(pace) = &self.pace {
            pace.worked(ticks);
        }
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        if self.account.charge(ticks) { Ok(()) } else { Err(Stopped::OutOfTicks) }
    }
    /// The flag that ends all work.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }
    /// How many ticks have been spent of it, by its parts too.
    pub fn spent(&self) -> u64 {
        self.account.given.get() - self.account.left.get()
    }
    /// Adds ticks to its limit: for work that is done in turns.
    pub fn grant(&self, ticks: u64) {
        let left = self.left().saturating_add(ticks);
        self.account.given.set(self.spent().saturating_add(left));
        self.account.left.set(left);
    }
    /// How many ticks are left of its own limit.
    pub fn left(&self) -> u64 {
        self.account.left.get()
    }
}

/// Is notified of small ticks and passes on large ones.
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
        f.debug_struct("Budget").field("left", &self.left()).field("cancel", &self.cancel).finish_non_exhaustive()
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
    }
    #[test]
    fn what_a_part_spends_is_spent_of_the_whole() {
        let whole = Budget::ticks(100, Arc::default());
        let part = whole.part(40);
        let inner = part.part(10);
        assert_eq!((whole.spend(1), part.spend(2), inner.spend(3)), (Ok(()), Ok(()), Ok(())));
        assert_eq!((whole.spent(), part.spent(), inner.spent()), (6, 5, 3));
        // A part that runs out has cost what it had.
        assert_eq!(inner.spend(50), Err(Stopped::OutOfTicks));
        assert_eq!((whole.spent(), part.spent(), inner.spent()), (13, 12, 10));
        drop(inner);
        assert_eq!(part.spend(28), Ok(()));
        assert_eq!((whole.left(), part.left()), (59, 0));
    }
    #[test]
    fn a_part_ends_with_the_whole_if_others_have_used_it_up() {
        let whole = Budget::ticks(10, Arc::default());
        let (one, other) = (whole.part(8), whole.part(8));
        assert_eq!((one.spend(8), other.spend(1)), (Ok(()), Ok(())));
        assert_eq!(other.spend(4), Err(Stopped::OutOfTicks));
        assert_eq!((whole.left(), whole.part(5).left()), (0, 0));
    }
    #[test]
    fn small_ticks_are_charged_when_they_make_a_whole_one() {
        let whole = Budget::ticks(10, Arc::default());
        let small = whole.part_in_small_ticks(10);
        assert_eq!((small.spend(9), whole.spent()), (Ok(()), 0));
        assert_eq!((small.spend(12), whole.spent(), small.spent()), (Ok(()), 2, 21));
        assert_eq!((small.spend(89), whole.spent()), (Err(Stopped::OutOfTicks), 10));
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
        let part = whole.part(5);
        assert_eq!((part.left(), part.part(9).left()), (5, 5));
        flag.store(true, Ordering::Relaxed);
        assert_eq!((whole.spend(1), part.spend(1)), (Err(Stopped::Cancelled), Err(Stopped::Cancelled)));
    }
    #[test]
    fn a_pace_is_notified_of_all_parts_once() {
        struct Recorded(AtomicU64);
        impl Pace for Recorded {
            fn worked(&self, ticks: u64) {
                self.0.fetch_add(ticks, Ordering::Relaxed);
            }
        }
        let recorded = Arc::new(Recorded(AtomicU64::new(0)));
        let count = || recorded.0.load(Ordering::Relaxed);
        let whole = Budget::paced(Arc::default(), Arc::clone(&recorded) as Arc<dyn Pace>);
        assert_eq!((whole.spend(1), whole.part(9).spend(2)), (Ok(()), Ok(())));
        let uninterrupted = whole.uninterrupted_part();
        assert_eq!((uninterrupted.part(5).spend(4), count(), whole.spent()), (Ok(()), 3, 7));
        whole.report(&uninterrupted);
        assert_eq!(count(), 7);
        let small = whole.part_in_small_ticks(10);
        assert_eq!((small.spend(25), small.spend(5)), (Ok(()), Ok(())));
        assert_eq!((count(), whole.spent()), (10, 10));
    }
    #[test]
    fn the_default_has_no_limit() {
        assert_eq!(Budget::default().spend(u64::MAX), Ok(()));
    }
}
