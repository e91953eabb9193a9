//! When to restart, and in which mode to search.
//!
//! Focused mode restarts when recent glues are worse than the long-run average
//! ([AudemardSimon-CP'12], as exponential moving averages [BiereFroehlich-POS'15]); stable mode restarts
//! rarely, by Luby's sequence ([Oh-SAT'15]). The modes take turns, each turn longer than the last.

use crate::settings::Settings;
use crate::solver::Solver;
use crate::theory::Theory;

#[derive(Clone, Debug)]
pub(crate) struct Restarts {
    /// The mode: stable or focused.
    pub stable: bool,
    fast: f64,
    slow: f64,
    /// Corrects the averages while few values have come in.
    count: u64,
    since_restart: u64,
    /// Luby's sequence, as Knuth's reluctant doubling.
    luby: (u64, u64),
    luby_left: u64,
    conflicts_in_mode: u64,
    mode_length: u64,
}

impl Restarts {
    pub fn new(settings: &Settings) -> Self {
        Restarts {
            stable: false,
            fast: 0.0,
            slow: 0.0,
            count: 0,
            since_restart: 0,
            luby: (1, 1),
            luby_left: Settings::DEFAULT.luby_unit,
            conflicts_in_mode: 0,
            mode_length: settings.mode_interval,
        }
    }
    pub fn conflict(&mut self, glue: u32, _trail: usize) {
        let glue = f64::from(glue);
        self.count += 1;
        let smooth = |alpha: f64, count: u64| alpha.max(1.0 / (count as f64 + 1.0));
        self.fast += (glue - self.fast) * smooth(3e-2, self.count);
        self.slow += (glue - self.slow) * smooth(1e-5, self.count);
        self.since_restart += 1;
        self.conflicts_in_mode += 1;
        self.luby_left = self.luby_left.saturating_sub(1);
    }
    /// A new query starts in focused mode: short ones are answered faster from the queue.
    pub fn start_query(&mut self, settings: &Settings) {
        self.stable = false;
        self.conflicts_in_mode = 0;
        self.mode_length = settings.mode_interval;
    }
    fn due(&self) -> bool {
        if self.stable { self.luby_left == 0 } else { self.since_restart > 2 && self.fast > 1.10 * self.slow }
    }
    fn restarted(&mut self) {
        self.since_restart = 0;
        if self.stable && self.luby_left == 0 {
            let (u, v) = self.luby;
            self.luby = if u & u.wrapping_neg() == v { (u + 1, 1) } else { (u, 2 * v) };
            self.luby_left = self.luby.1 * Settings::DEFAULT.luby_unit;
        }
    }
    /// The turn of the present mode is over.
    pub fn mode_switch_due(&self) -> bool {
        self.conflicts_in_mode >= self.mode_length
    }
    pub fn switch_mode(&mut self) {
        self.stable = !self.stable;
        self.conflicts_in_mode = 0;
        if !self.stable {
            self.mode_length = self.mode_length * 3 / 2;
        }
        self.luby = (1, 1);
        self.luby_left = Settings::DEFAULT.luby_unit;
        self.since_restart = 0;
    }
}

impl Solver {
    pub(crate) fn restart_due(&self) -> bool {
        self.trail.level() > self.assumptions.len() as u32 && self.restarts.due()
    }
    /// Goes back to the assumptions.
    pub(crate) fn restart<T: Theory>(&mut self, theory: &mut T) {
        self.stats.restarts += 1;
        self.backtrack(theory, self.assumptions.len() as u32);
        self.restarts.restarted();
        if self.restarts.mode_switch_due() {
            self.restarts.switch_mode();
            self.phases.mode_switched();
        }
    }
}
