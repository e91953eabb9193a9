//! The solver's state and its outer face: variables, clauses, models, cores.

use proof::{ClauseId, Log};

use crate::clauses::{ClauseRef, Clauses};
use crate::hand_over::Backend;
use crate::order::{Heap, Queue};
use crate::rephase::Phases;
use crate::restart::Restarts;
use crate::settings::Settings;
use crate::theory::Theory;
use crate::trail::{Reason, Trail};
use crate::{Lit, SatVar};

base::stats! {
    /// What the solver did.
    pub struct Stats {
        queries: "queries answered",
        conflicts: "conflicts",
        decisions: "decisions",
        propagations: "literals propagated",
        restarts: "restarts",
        reductions: "reductions of learnt clauses",
        learnt_literals: "literals in learnt clauses",
        minimized_literals: "literals removed from learnt clauses",
        theory_clauses: "clauses given by the theory",
        theory_propagations: "literals implied by the theory",
        vivified: "clauses shortened by vivification",
        subsumed: "clauses removed by subsumption",
        failed_literals: "literals fixed by probing",
        handed_over: "hard queries handed over to another solver",
        collections: "compactions of the clause arena",
    }
}

/// How much is stored, to see that it does not grow without end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// Clauses of three or more literals that were given.
    pub n_given: usize,
    /// Clauses that were learnt.
    pub n_learnt: usize,
    /// Clauses of two literals, given and learnt.
    pub n_binary: usize,
    /// Words in the clause arena, deleted clauses included.
    pub arena_words: usize,
    /// Room in the watch lists.
    pub watches: usize,
}

/// A watcher of a long clause: if the blocker is true, the clause need not be looked at.
#[derive(Clone, Copy)]
pub(crate) struct Watch {
    pub clause: ClauseRef,
    pub blocker: Lit,
}

/// A conflict: a clause whose literals are all false.
pub(crate) type Conflict = ClauseRef;

/// An incremental SAT solver.
#[derive(Clone)]
pub struct Solver {
    pub(crate) settings: Settings,
    pub(crate) clauses: Clauses,
    /// Clauses that were given (or came from the theory), without binary ones kept apart.
    pub(crate) given: Vec<ClauseRef>,
    /// Clauses that were learnt, those of two literals too.
    pub(crate) learnt: Vec<ClauseRef>,
    /// Explanations of the theory, alive while they are reasons.
    pub(crate) explanations: Vec<ClauseRef>,
    /// By literal: long clauses that watch it.
    pub(crate) watches: Vec<Vec<Watch>>,
    /// By literal: binary clauses that contain it; the blocker is the other literal.
    pub(crate) binary: Vec<Vec<Watch>>,
    pub(crate) trail: Trail,
    pub(crate) heap: Heap,
    pub(crate) queue: Queue,
    pub(crate) phases: Phases,
    pub(crate) restarts: Restarts,
    /// The heap holds every open variable (not only those of a domain).
    pub(crate) heap_is_full: bool,
    /// By variable: the query whose domain it belongs to.
    pub(crate) domain: Vec<u32>,
    /// The running query's stamp, if it has a domain.
    pub(crate) domain_stamp: Option<u32>,
    pub(crate) stamps: u32,
    pub(crate) assumptions: Vec<Lit>,
    pub(crate) core: Vec<Lit>,
    /// The variable that switches the temporary clause on, made when first needed.
    pub(crate) switch: Option<SatVar>,
    /// Learnt clauses that depend on the temporary clause.
    pub(crate) temporary: Vec<ClauseRef>,
    /// False once the clauses alone are contradictory.
    pub(crate) consistent: bool,
    pub(crate) log: Option<Log>,
    /// By variable: proof number of the unit clause, for level-zero literals.
    pub(crate) unit_numbers: Vec<u32>,
    // Buffers of analysis, empty between conflicts.
    pub(crate) seen: Vec<u8>,
    pub(crate) to_clear: Vec<SatVar>,
    pub(crate) learning: Vec<Lit>,
    pub(crate) stack: Vec<Lit>,
    pub(crate) waiting: Vec<u32>,
    pub(crate) level_stamp: Vec<u64>,
    pub(crate) level_clock: u64,
    pub(crate) next_reduce: u64,
    pub(crate) reductions_in_query: u64,
    /// Literals at level zero when satisfied clauses were last deleted.
    pub(crate) n_fixed_before: usize,
    pub(crate) next_inprocess: u64,
    pub(crate) probe_next: usize,
    pub(crate) backend: Backend,
    pub(crate) conflicts_before_query: u64,
    /// Whether the running query was handed over.
    pub(crate) handed_over: bool,
    /// Work done since the budget was last charged.
    pub(crate) ticks: u64,
    /// What was counted.
    pub stats: Stats,
}

impl Solver {
    /// A solver without clauses.
    pub fn new() -> Self {
        Solver::with_settings(Settings::DEFAULT)
    }
    /// A solver with these settings.
    pub fn with_settings(settings: Settings) -> Self {
        Solver {
            restarts: Restarts::new(&settings),
            next_reduce: settings.reduce_interval,
            reductions_in_query: 0,
            n_fixed_before: 0,
            next_inprocess: settings.inprocess_interval,
            settings,
            clauses: Clauses::default(),
            given: Vec::new(),
            learnt: Vec::new(),
            explanations: Vec::new(),
            watches: Vec::new(),
            binary: Vec::new(),
            trail: Trail::default(),
            heap: Heap::new(),
            queue: Queue::new(),
            phases: Phases::default(),
            heap_is_full: true,
            domain: Vec::new(),
            domain_stamp: None,
            stamps: 0,
            assumptions: Vec::new(),
            core: Vec::new(),
            switch: None,
            temporary: Vec::new(),
            consistent: true,
            log: None,
            unit_numbers: Vec::new(),
            seen: Vec::new(),
            to_clear: Vec::new(),
            learning: Vec::new(),
            stack: Vec::new(),
            waiting: Vec::new(),
            level_stamp: vec![0],
            level_clock: 0,
            probe_next: 0,
            backend: Backend::BuiltIn,
            conflicts_before_query: 0,
            handed_over: false,
            ticks: 0,
            stats: Stats::default(),
        }
    }
    /// Logs every clause from now on; allowed only while the solver has no clause.
    pub fn enable_log(&mut self) {
        assert!(self.clauses.words() == 0 && self.trail.lits.is_empty(), "a log starts before the first clause");
        self.log = Some(Log::new());
    }
    /// The log, if there is one.
    pub fn log(&self) -> Option<&Log> {
        self.log.as_ref()
    }
    /// A variable that did not exist before.
    pub fn new_var(&mut self) -> SatVar {
        let var = SatVar(u32::try_from(self.trail.assigned.len()).expect("fewer than 2^31 variables"));
        assert!(var.0 < 1 << 30, "fewer than 2^30 variables");
        self.trail.grow();
        self.heap.grow();
        self.queue.grow();
        self.phases.grow(self.settings.first_phase);
        for _ in 0..2 {
            self.watches.push(Vec::new());
            self.binary.push(Vec::new());
        }
        self.domain.push(0);
        self.unit_numbers.push(0);
        self.seen.push(0);
        self.level_stamp.push(0);
        if self.heap_is_full {
            self.heap.insert(var);
        }
        var
    }
    /// How many variables there are.
    pub fn n_vars(&self) -> usize {
        self.trail.assigned.len()
    }
    /// How many words the clauses take, deleted ones included.
    pub fn arena_words(&self) -> usize {
        self.clauses.words()
    }
    /// What the clauses take at present.
    pub fn footprint(&self) -> Footprint {
        let capacity = |lists: &[Vec<Watch>]| lists.iter().map(Vec::capacity).sum::<usize>();
        let n_binary: usize = self.binary.iter().map(Vec::len).sum();
        Footprint {
            n_given: self.given.len(),
            n_learnt: self.learnt.len(),
            n_binary: n_binary / 2,
            arena_words: self.clauses.words(),
            watches: capacity(&self.watches) + capacity(&self.binary),
        }
    }
    /// Whether the clauses alone are known to be contradictory.
    pub fn is_contradictory(&self) -> bool {
        !self.consistent
    }
    /// The value of a literal in the model, after `Sat`. Outside the domain it may be open.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.trail.value(lit) {
            0 => None,
            value => Some(value > 0),
        }
    }
    /// Whether the literal holds whatever is assumed, as far as is known.
    pub fn fixed(&self, lit: Lit) -> Option<bool> {
        (self.trail.value(lit) != 0 && self.trail.level_of(lit.var()) == 0).then(|| self.trail.value(lit) > 0)
    }
    /// After `Unsat`: assumptions that suffice for the contradiction.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// This variable is decided before those that have not been in conflicts yet.
    pub fn favour(&mut self, var: SatVar) {
        self.heap.bump(var);
        self.queue.bump(var, self.trail.value(var.positive()) == 0);
    }

    /// Adds a clause for good. The theory must be the one the search runs with.
    pub fn add_clause_with<T: Theory>(&mut self, theory: &mut T, lits: &[Lit]) {
        self.backtrack(theory, 0);
        self.add_clause_at_root(lits);
    }
    /// Adds a clause that is valid in the theory, for good; the log says so.
    pub fn add_lemma_with<T: Theory>(&mut self, theory: &mut T, lits: &[Lit]) {
        self.backtrack(theory, 0);
        if self.consistent {
            let number = self.log.as_mut().map_or(0, |log| log.lemma(lits).0);
            self.simplify_and_attach(lits, number);
        }
    }
    /// Takes back all decisions and assumptions, so that clauses can be added without a theory at hand.
    pub fn backtrack_to_root<T: Theory>(&mut self, theory: &mut T) {
        self.backtrack(theory, 0);
    }
    /// The literal that was assumed to switch the last temporary clause on.
    pub fn switch(&self) -> Option<Lit> {
        self.switch.map(SatVar::positive)
    }
    /// Adds a clause for good, without a theory.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.add_clause_with(&mut crate::NoTheory, lits);
    }

    fn add_clause_at_root(&mut self, lits: &[Lit]) {
        if !self.consistent {
            return;
        }
        let number = self.log.as_mut().map_or(0, |log| log.input(lits).0);
        self.simplify_and_attach(lits, number);
    }

    /// Attaches a clause at level zero whose proof number is `number`, without its false literals.
    pub(crate) fn simplify_and_attach(&mut self, lits: &[Lit], number: u32) {
        debug_assert_eq!(self.trail.level(), 0, "clauses are simplified at level zero");
        let mut kept: Vec<Lit> = lits.to_vec();
        kept.sort_unstable();
        kept.dedup();
        if kept.windows(2).any(|pair| pair[0] == !pair[1]) || kept.iter().any(|&lit| self.trail.value(lit) > 0) {
            return;
        }
        let mut hints: Vec<ClauseId> = Vec::new();
        kept.retain(|&lit| {
            let keep = self.trail.value(lit) == 0;
            if !keep {
                hints.push(ClauseId(self.unit_numbers[lit.var().index()]));
            }
            keep
        });
        let number = match &mut self.log {
            Some(log) if !hints.is_empty() => {
                hints.push(ClauseId(number));
                log.derived(&kept, &hints).0
            }
            _ => number,
        };
        match kept[..] {
            [] => self.consistent = false,
            [unit] => self.assign_unit(unit, number),
            _ => {
                let clause = self.attach(&kept, None, number);
                if kept.len() > 2 {
                    self.given.push(clause);
                }
            }
        }
    }
    /// A literal holds at level zero.
    pub(crate) fn assign_unit(&mut self, unit: Lit, number: u32) {
        debug_assert_eq!(self.trail.level(), 0, "units hold at level zero");
        self.unit_numbers[unit.var().index()] = number;
        self.trail.push(unit, Reason::DECISION);
    }
    /// Puts a clause of two or more literals into the arena and watches its first two.
    pub(crate) fn attach(&mut self, lits: &[Lit], learnt: Option<u32>, number: u32) -> ClauseRef {
        let clause = self.clauses.add(lits, learnt, number);
        let lists = if lits.len() == 2 { &mut self.binary } else { &mut self.watches };
        lists[lits[0].index()].push(Watch { clause, blocker: lits[1] });
        lists[lits[1].index()].push(Watch { clause, blocker: lits[0] });
        clause
    }

    /// Undoes everything above this level.
    pub(crate) fn backtrack<T: Theory>(&mut self, theory: &mut T, level: u32) {
        if self.trail.level() <= level {
            return;
        }
        let keep = self.trail.limits[level as usize] as usize;
        for i in (keep..self.trail.lits.len()).rev() {
            let lit = self.trail.lits[i];
            self.trail.values[lit.index()] = 0;
            self.trail.values[(!lit).index()] = 0;
            self.phases.save(lit);
            let var = lit.var();
            self.queue.reopened(var);
            if self.domain_stamp.is_none_or(|stamp| self.domain[var.index()] == stamp) {
                self.heap.insert(var);
            }
        }
        self.trail.lits.truncate(keep);
        self.trail.limits.truncate(level as usize);
        self.trail.head = self.trail.head.min(keep);
        if T::ACTIVE && self.trail.theory_head > keep {
            theory.backtrack(keep);
        }
        self.trail.theory_head = self.trail.theory_head.min(keep);
    }
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}
