//! Which value to try first: the last one, the best trail's, and from time to time something else.
//!
//! Phase saving ([PipatsrisawatDarwiche-SAT'07]); in stable mode target phases, the values of the longest
//! trail without conflict since the last reset ([BiereFleury-POS'20]).

use crate::settings::Settings;
use crate::trail::Trail;
use crate::{Lit, SatVar};

#[derive(Clone, Debug, Default)]
pub(crate) struct Phases {
    saved: Vec<bool>,
    target: Vec<i8>,
    best: Vec<bool>,
    first: bool,
    target_length: usize,
    best_length: usize,
    conflicts: u64,
    next_rephase: u64,
    rephases: u64,
}

impl Phases {
    pub fn grow(&mut self, first: bool) {
        self.first = first;
        self.saved.push(first);
        self.target.push(0);
        self.best.push(first);
        if self.next_rephase == 0 {
            self.next_rephase = Settings::DEFAULT.rephase_interval;
        }
    }
    #[inline]
    pub fn save(&mut self, lit: Lit) {
        self.saved[lit.var().index()] = lit.is_positive();
    }
    /// Takes these values for all variables from now on.
    #[cfg(feature = "cadical")]
    pub fn follow(&mut self, values: &[bool]) {
        self.saved.copy_from_slice(values);
        self.mode_switched();
    }
    pub fn choose(&self, var: SatVar, stable: bool) -> Lit {
        let target = self.target[var.index()];
        if stable && target != 0 {
            return var.lit(target > 0);
        }
        var.lit(self.saved[var.index()])
    }
    /// A conflict ends the present trail: is it the longest so far?
    pub fn conflict(&mut self, _length: usize, trail: &Trail, stable: bool) {
        self.conflicts += 1;
        // The literals below the current level are known to be free of conflict.
        let length = trail.limits.last().map_or(0, |&limit| limit as usize);
        if stable && length > self.target_length {
            self.target_length = length;
            for lit in &trail.lits[..length] {
                self.target[lit.var().index()] = if lit.is_positive() { 1 } else { -1 };
            }
        }
        if length > self.best_length {
            self.best_length = length;
            for lit in &trail.lits[..length] {
                self.best[lit.var().index()] = lit.is_positive();
            }
        }
    }
    pub fn mode_switched(&mut self) {
        self.target_length = 0;
        self.target.fill(0);
    }
    pub fn rephase_due(&self) -> bool {
        self.conflicts >= self.next_rephase
    }
    /// Best, original, best, inverted, best, flipped, in turn.
    pub fn rephase(&mut self) {
        match self.rephases % 6 {
            1 => self.saved.fill(self.first),
            3 => self.saved.fill(!self.first),
            5 => self.saved.iter_mut().for_each(|phase| *phase = !*phase),
            _ => self.saved.copy_from_slice(&self.best),
        }
        self.rephases += 1;
        self.best_length = 0;
        self.target_length = 0;
        self.target.fill(0);
        self.next_rephase = self.conflicts + Settings::DEFAULT.rephase_interval * (self.rephases + 1);
    }
}
