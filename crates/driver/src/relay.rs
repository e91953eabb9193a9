//! Cores handed round: as many arms work at a time as there are cores, and the others wait for their turn.
//!
//! Each arm is a thread of its own. It gives up its turn at a point where it spends ticks (see [`base::Pace`]), after a short
//! slice, if an arm that has had less for its share is waiting. In the opening one arm works at a time, in the order
//! of the plan, each for as long as the plan says. An arm whose answer is checked works alone for as long as all arms have
//! worked so far: most likely the race is over then. After that the others work too, so that a check that does not end costs as
//! much as the race before it. Answers that others have meanwhile wait for a few times as long: often they are the same proof, and the
//! check of each would cost as much as the first.
//!
//! What an arm has had is its processor time; with one core it is ticks, so that the same run gives the same answer.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base::{Pace, Turns};

use crate::tuning::Tuning;

/// The arms that work and those that wait.
pub struct Relay {
    inner: Mutex<Inner>,
    changed: Condvar,
    epoch: Instant,
    /// The opening is over after this time, even if an arm of the opening is not done.
    longest_opening: Duration,
    /// Ticks are counted, not time.
    by_ticks: bool,
}

struct Inner {
    cores: usize,
    turns: Turns,
    states: Vec<ArmState>,
    /// The processor time of each arm so far.
    worked: Vec<Duration>,
    /// The arms whose answers are checked, in order.
    checks: VecDeque<Check>,
    /// The arms of the opening, in order, and for how much.
    opening: VecDeque<(usize, u64)>,
}

/// An answer that is checked.
#[derive(Clone, Copy, Debug)]
struct Check {
    arm: usize,
    /// Up to this account the arm works alone.
    alone: u64,
    /// Up to this account other checks wait.
    first: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ArmState {
    Waiting,
    Working,
    /// Free to run, since it is about to end.
    Dismissed,
    Ended,
}

/// An arm's place in the relay. When it goes, its core is free for the others.
pub struct Runner {
    relay: Arc<Relay>,
    arm: usize,
    pace: Arc<Stride>,
}

/// What an arm has done in this turn.
struct Stride {
    relay: Arc<Relay>,
    arm: usize,
    ticks: AtomicU64,
    calls: AtomicU64,
    /// Microseconds: when the turn began, by the clock and by the processor time of the thread.
    began: AtomicU64,
    began_cpu: AtomicU64,
    /// Only this part of what is done counts.
    discount: AtomicU64,
}

impl Relay {
    /// For this many cores; arms with their share and the milliseconds of their opening.
    pub fn new(cores: usize, arms: &[(u64, u64)]) -> Arc<Self> {
        let by_ticks = cores == 1;
        let mut inner = Inner {
            cores,
            turns: Turns::new(),
            states: vec![ArmState::Waiting; arms.len()],
            worked: vec![Duration::ZERO; arms.len()],
            checks: VecDeque::new(),
            opening: VecDeque::new(),
        };
        for &(share, opening) in arms {
            let arm = inner.turns.join(share);
            if opening > 0 {
                inner
                    .opening
                    .push_back((arm, opening * if by_ticks { Tuning::DEFAULT.ticks_per_millisecond } else { 1000 }));
            }
        }
        inner.fill();
        // Twice as long as planned, since the machine may have other things to do.
        let longest_opening = Duration::from_millis(2 * arms.iter().map(|arm| arm.1).sum::<u64>());
        let (inner, changed, epoch) = (Mutex::new(inner), Condvar::new(), Instant::now());
        Arc::new(Relay { inner, changed, epoch, longest_opening, by_ticks })
    }
    /// To be called now and then: ends an opening that takes too long, because an arm is in a part that cannot be
    /// interrupted. Where ticks count there is one core, and it is not free before that is done.
    pub fn look(&self) {
        let mut inner = self.lock();
        if !self.by_ticks && !inner.opening.is_empty() && self.epoch.elapsed() > self.longest_opening {
            inner.opening.clear();
            inner.fill();
            self.changed.notify_all();
        }
    }
    /// The place of an arm, for its thread.
    pub fn runner(self: &Arc<Self>, arm: usize) -> Runner {
        let pace = Stride {
            relay: Arc::clone(self),
            arm,
            ticks: AtomicU64::new(0),
            calls: AtomicU64::new(0),
            began: AtomicU64::new(0),
            began_cpu: AtomicU64::new(0),
            discount: AtomicU64::new(1),
        };
        Runner { relay: Arc::clone(self), arm, pace: Arc::new(pace) }
    }
    /// The arm need not wait any more: it is about to end.
    pub fn dismiss(&self, arm: usize) {
        let mut inner = self.lock();
        if inner.states[arm] != ArmState::Ended {
            inner.states[arm] = ArmState::Dismissed;
        }
        inner.fill();
        self.changed.notify_all();
    }
    /// Which arms work now.
    pub fn working(&self) -> Vec<bool> {
        self.lock().states.iter().map(|&state| matches!(state, ArmState::Working | ArmState::Dismissed)).collect()
    }
    /// The processor time of each arm, up to its last turn.
    pub fn worked(&self) -> Vec<Duration> {
        self.lock().worked.clone()
    }
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// The arm's slice is over: charges it, and gives the core to the next arm.
    fn slice_over(&self, arm: usize, amount: u64, worked: Duration) {
        let mut inner = self.lock();
        inner.worked[arm] += worked;
        inner.turns.spend(arm, amount);
        if inner.states[arm] != ArmState::Working {
            return;
        }
        inner.states[arm] = ArmState::Waiting;
        inner.fill();
        self.changed.notify_all();
        self.wait(inner, arm);
    }
    fn wait(&self, mut inner: MutexGuard<'_, Inner>, arm: usize) {
        while inner.states[arm] == ArmState::Waiting {
            inner = self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }
    fn leave(&self, arm: usize) {
        let mut inner = self.lock();
        inner.states[arm] = ArmState::Ended;
        inner.fill();
        self.changed.notify_all();
    }
}

impl Inner {
    /// Gives free cores to waiting arms.
    fn fill(&mut self) {
        let Inner { turns, states, checks, opening, .. } = self;
        let is_there = |state: ArmState| matches!(state, ArmState::Waiting | ArmState::Working);
        while let Some(&check) = checks.front() {
            if is_there(states[check.arm]) && turns.spent(check.arm) < check.alone {
                states[check.arm] = ArmState::Working;
                return;
            }
            if is_there(states[check.arm]) && turns.spent(check.arm) < check.first {
                break;
            }
            checks.pop_front();
        }
        while let Some(&(arm, amount)) = opening.front().filter(|_| checks.is_empty()) {
            if is_there(states[arm]) && turns.spent(arm) < amount {
                states[arm] = ArmState::Working;
                return;
            }
            opening.pop_front();
        }
        let held = |arm: usize| self.checks.iter().skip(1).any(|check| check.arm == arm);
        let mut free =
            self.cores.saturating_sub(self.states.iter().filter(|&&state| state == ArmState::Working).count());
        while free > 0 {
            let is_next = |arm: usize| self.states[arm] == ArmState::Waiting && !held(arm);
            let Some(next) = self.turns.next(is_next) else { return };
            self.states[next] = ArmState::Working;
            free -= 1;
        }
    }
}

impl Runner {
    /// Waits for the first turn.
    pub fn begin(&self) {
        self.relay.wait(self.relay.lock(), self.arm);
        self.pace.begin();
    }
    /// Puts on the account what the arm has worked so far; the turn goes on.
    pub fn account(&self) {
        let now = self.pace.cpu();
        let worked = now.saturating_sub(self.pace.began_cpu.swap(now, Ordering::Relaxed));
        self.relay.lock().worked[self.arm] += Duration::from_micros(worked);
    }
    /// The answer of the arm is checked from now on: the arm is alone for a while, and only one part in `discount` is
    /// charged, so that it has priority afterwards.
    pub fn check(&self, discount: u64) {
        let discount = discount.max(1);
        self.pace.discount.store(discount, Ordering::Relaxed);
        let unit = if self.relay.by_ticks { Tuning::DEFAULT.ticks_per_millisecond } else { 1000 };
        let mut inner = self.relay.lock();
        let so_far: u64 = (0..inner.states.len()).map(|arm| inner.turns.spent(arm)).sum();
        let long = so_far.saturating_mul(Tuning::DEFAULT.check_alone_factor);
        let alone = long.max(Tuning::DEFAULT.check_alone_milliseconds * unit);
        let spent = inner.turns.spent(self.arm);
        let first = spent + alone * Tuning::DEFAULT.first_check_factor / discount;
        inner.checks.push_back(Check { arm: self.arm, alone: spent + alone / discount, first });
    }
    /// The pace of the arm's budget.
    pub fn pace(&self) -> Arc<dyn Pace> {
        Arc::clone(&self.pace) as Arc<dyn Pace>
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.account();
        self.relay.leave(self.arm);
    }
}

impl Stride {
    fn begin(&self) {
        self.began.store(self.now(), Ordering::Relaxed);
        self.began_cpu.store(self.cpu(), Ordering::Relaxed);
    }
    fn now(&self) -> u64 {
        self.relay.epoch.elapsed().as_micros() as u64
    }
    /// Microseconds of processor time of this thread, or of the clock where the system does not report them.
    fn cpu(&self) -> u64 {
        thread_time().unwrap_or_else(|| self.now())
    }
}

impl Pace for Stride {
    fn worked(&self, ticks: u64) {
        let so_far = self.ticks.fetch_add(ticks.max(1), Ordering::Relaxed);
        if self.relay.by_ticks {
            if so_far < Tuning::DEFAULT.slice_ticks {
                return;
            }
        } else {
            let calls = self.calls.fetch_add(1, Ordering::Relaxed);
            let is_over = || {
                self.now().saturating_sub(self.began.load(Ordering::Relaxed))
                    >= Duration::from_millis(Tuning::DEFAULT.slice_milliseconds).as_micros() as u64
            };
            if !calls.is_multiple_of(Tuning::DEFAULT.calls_between_clock_reads) || !is_over() {
                return;
            }
        }
        let cpu = self.cpu().saturating_sub(self.began_cpu.load(Ordering::Relaxed));
        let ticks = self.ticks.swap(0, Ordering::Relaxed);
        let amount = if self.relay.by_ticks { ticks } else { cpu.max(1) };
        let amount = amount / self.discount.load(Ordering::Relaxed);
        self.relay.slice_over(self.arm, amount, Duration::from_micros(cpu));
        self.begin();
    }
}

/// Microseconds for which this thread has had a processor.
fn thread_time() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse::<u64>().ok().map(|nanoseconds| nanoseconds / 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arms that write down when they work; each does the given number of rounds of a slice's ticks.
    fn order(cores: usize, arms: &[(u64, u64)], rounds: usize) -> String {
        let relay = Relay::new(cores, arms);
        let written = Arc::new(Mutex::new(String::new()));
        std::thread::scope(|scope| {
            for (arm, letter) in (0..arms.len()).zip('a'..) {
                let runner = relay.runner(arm);
                let written = Arc::clone(&written);
                scope.spawn(move || {
                    runner.begin();
                    for _ in 0..rounds {
                        written.lock().expect("no test panics while writing").push(letter);
                        runner.pace().worked(Tuning::DEFAULT.slice_ticks);
                        runner.pace().worked(1);
                    }
                });
            }
        });
        written.lock().expect("no test panics while writing").clone()
    }

    #[test]
    fn on_one_core_turns_go_by_share_and_always_the_same_way() {
        let expected = order(1, &[(1, 0), (2, 0)], 6);
        assert_eq!(expected, "abbabbabbaaa");
        for _ in 0..20 {
            assert_eq!(order(1, &[(1, 0), (2, 0)], 6), expected);
        }
    }

    #[test]
    fn the_opening_goes_one_by_one() {
        let slices = 3 * Tuning::DEFAULT.slice_ticks / Tuning::DEFAULT.ticks_per_millisecond;
        let order = order(1, &[(1, 0), (1, slices), (1, slices)], 5);
        assert!(order.starts_with("bbbccc"), "{order}");
        assert_eq!(order.len(), 15);
    }

    #[test]
    fn an_opening_that_takes_too_long_is_over() {
        let relay = Relay::new(2, &[(1, 5), (1, 5)]);
        let (busy, other) = (relay.runner(0), relay.runner(1));
        busy.begin(); // And never says what it does.
        relay.look();
        assert_eq!(relay.working(), [true, false]);
        std::thread::sleep(Duration::from_millis(30));
        relay.look();
        other.begin(); // Would wait for ever.
        assert_eq!(relay.working(), [true, true]);
    }

    #[test]
    fn an_arm_whose_answer_is_checked_is_alone_for_a_while() {
        let slice = Tuning::DEFAULT.slice_ticks;
        let relay = Relay::new(1, &[(1, 0), (1, 0)]);
        let (first, second) = (relay.runner(0), relay.runner(1));
        first.begin();
        first.check(1);
        for _ in 0..Tuning::DEFAULT.check_alone_milliseconds * Tuning::DEFAULT.ticks_per_millisecond / slice {
            first.pace().worked(slice + 1);
            assert_eq!(relay.working(), [true, false]);
        }
        std::thread::scope(|scope| {
            // The time alone is over, and the other one has had less.
            scope.spawn(|| first.pace().worked(2 * slice));
            second.begin();
            assert_eq!(relay.working(), [false, true]);
            drop(second);
        });
        assert_eq!(relay.working(), [true, false]);
    }

    #[test]
    fn a_second_answer_waits_for_the_check_of_the_first() {
        let slice = Tuning::DEFAULT.slice_ticks;
        let alone = Tuning::DEFAULT.check_alone_milliseconds * Tuning::DEFAULT.ticks_per_millisecond / slice;
        let relay = Relay::new(2, &[(1, 0), (1, 0), (1, 0)]);
        let (first, second, third) = (relay.runner(0), relay.runner(1), relay.runner(2));
        first.begin();
        second.begin();
        first.check(1);
        second.check(1);
        relay.lock().turns.spend(0, alone * slice);
        std::thread::scope(|scope| {
            // Its slice is over and its check is the second: the third arm works, which has no answer yet.
            scope.spawn(|| {
                relay.slice_over(1, 1, Duration::ZERO);
                drop(second);
            });
            third.begin();
            assert_eq!(relay.working(), [true, false, true]);
            drop(third);
            assert_eq!(relay.working(), [true, false, false]);
            // The first check ends, so that the second may begin.
            drop(first);
        });
        assert_eq!(relay.working(), [false, false, false]);
    }

    #[test]
    fn one_who_is_dismissed_need_not_wait() {
        let relay = Relay::new(1, &[(1, 0), (1, 0)]);
        let (first, second) = (relay.runner(0), relay.runner(1));
        first.begin();
        relay.dismiss(1);
        second.begin(); // Would wait for ever.
        assert_eq!(relay.working(), [true, true]);
        drop(second);
        assert_eq!(relay.working(), [true, false]);
    }
}
