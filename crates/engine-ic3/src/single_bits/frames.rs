//! What is known to be unreachable at one cutpoint, with a solver for the questions that start there.
//!
//! A lemma at level i is a clause under the switch of that level; a question about frame i turns on the switches from i upwards. A lemma
//! that moves up or is subsumed leaves its old clause behind; when there are too many of those, the solver is made anew.

use base::Stopped;
use sat::{Lit, Solver};

use super::{Cube, SingleBits};
use crate::lemmas::{FOREVER, Lemmas};
use crate::single_bits::generalize::Blocked;
use crate::tuning::Tuning;

/// The lemmas of a cutpoint.
pub(super) struct Frame {
    pub lemmas: Lemmas<Lit>,
    pub solver: Solver,
    /// Facts that always hold there.
    facts: Vec<Lit>,
    forever: Lit,
    /// By level.
    switches: Vec<Lit>,
    /// Clauses of lemmas in the solver.
    n_clauses: usize,
}

impl Frame {
    pub fn new(circuits: &Solver, facts: Vec<Lit>) -> Self {
        let mut solver = circuits.clone();
        let forever = solver.new_var().positive();
        let mut frame = Frame { lemmas: Lemmas::new(), solver, facts, forever, switches: Vec::new(), n_clauses: 0 };
        frame.assert_facts();
        frame
    }
    fn assert_facts(&mut self) {
        for &fact in &self.facts {
            self.solver.add_clause(&[!self.forever, fact]);
        }
    }
    fn switch(&mut self, level: u32) -> Lit {
        if level == FOREVER {
            return self.forever;
        }
        while self.switches.len() <= level as usize {
            self.switches.push(self.solver.new_var().positive());
        }
        self.switches[level as usize]
    }
    /// The switches that turn on the frame of this level.
    pub fn switches(&mut self, level: u32) -> Vec<Lit> {
        let mut on = vec![self.forever];
        on.extend(self.switches.get(level as usize..).unwrap_or(&[]));
        on
    }
    /// The lowest level among the switches that were turned on for this level and are in the core.
    pub fn lowest(&self, level: u32, in_core: impl Fn(Lit) -> bool) -> u32 {
        let from = level as usize;
        let on = self.switches.get(from..).unwrap_or(&[]);
        on.iter().position(|&switch| in_core(switch)).map_or(FOREVER, |at| (from + at) as u32)
    }
    /// Learns a lemma; those it makes needless go.
    pub fn add(&mut self, circuits: &Solver, cube: Cube, level: u32) {
        self.assert_lemma(&cube, level);
        self.lemmas.add(cube, level);
        if self.n_clauses > 2 * self.lemmas.len() + Tuning::DEFAULT.max_stale_clauses {
            self.renew(circuits);
        }
    }
    fn assert_lemma(&mut self, cube: &Cube, level: u32) {
        let mut clause = vec![!self.switch(level)];
        clause.extend(cube.literals.iter().map(|&lit| !lit));
        self.solver.add_clause(&clause);
        self.n_clauses += 1;
    }
    fn renew(&mut self, circuits: &Solver) {
        self.solver = circuits.clone();
        self.forever = self.solver.new_var().positive();
        self.switches.clear();
        self.n_clauses = 0;
        self.assert_facts();
        let lemmas = std::mem::replace(&mut self.lemmas, Lemmas::new());
        lemmas.iter().for_each(|lemma| self.assert_lemma(&lemma.cube, lemma.level));
        self.lemmas = lemmas;
    }
}

impl SingleBits {
    /// Moves lemmas up. If a level is empty, the one above it, from which on all is invariant.
    pub(super) fn propagate(&mut self, budget: &base::Budget) -> Result<Option<u32>, Stopped> {
        for level in 1..self.top {
            for cut in self.frames.ids() {
                for cube in self.frames[cut].lemmas.cubes_at(level) {
                    // It may have been subsumed in the meantime.
                    if !self.frames[cut].lemmas.has(&cube, level) {
                        continue;
                    }
                    if let Blocked::Yes { cube, level } = self.blocked(&cube, level + 1, budget)? {
                        self.frames[cut].add(&self.wires.solver, cube, level);
                    }
                }
            }
            if self.frames.iter().all(|frame| frame.lemmas.is_empty_at(level)) {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }
}
