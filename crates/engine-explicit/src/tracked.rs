//! Which variables a state lists, by cutpoint.
//!
//! A variable that takes too many values (a counter, a copy of an input) is left out: states that differ in it alone
//! become one, in which it may have any value. If a counterexample is spurious, leaving out was a mistake, and
//! the variables that show it are *pinned*: listed from then on, whatever it costs.

use base::{FastMap, IndexVec};
use encode::{Blocks, Cut};
use program::{Program, Var};
use term::{Sort, SortKind, Terms};

/// The variables listed.
pub(crate) struct Tracked {
    /// By cutpoint, ascending.
    pub at: IndexVec<Cut, Vec<Var>>,
    /// Those that must not be left out (again).
    pinned: FastMap<Var, ()>,
    left_out: Vec<Var>,
}

impl Tracked {
    /// All words and truth values.
    pub fn new(program: &Program, terms: &Terms, blocks: &Blocks) -> Self {
        let is_small = |var: &Var| can_be_listed(terms, program.vars[*var].sort);
        let at = blocks.cutpoints.iter().map(|cutpoint| cutpoint.state.iter().copied().filter(is_small).collect());
        Tracked { at: at.collect(), pinned: FastMap::new(), left_out: Vec::new() }
    }
    /// Leaves a variable out; false if it is pinned.
    pub fn leave_out(&mut self, var: Var) -> bool {
        if self.pinned.contains_key(&var) {
            return false;
        }
        self.left_out.push(var);
        let cuts: Vec<Cut> = self.at.ids().collect();
        for cut in cuts {
            self.at[cut].retain(|&other| other != var);
        }
        true
    }
    pub fn is_pinned(&self, var: Var) -> bool {
        self.pinned.contains_key(&var)
    }
    /// Lists these again, for good; false if they are all listed.
    pub fn pin(&mut self, program: &Program, terms: &Terms, blocks: &Blocks, vars: &[Var]) -> bool {
        let before = self.left_out.len();
        self.left_out.retain(|var| !vars.contains(var));
        for &var in vars {
            self.pinned.insert(var, ());
        }
        self.at = Tracked::new(program, terms, blocks).at;
        let cuts: Vec<Cut> = self.at.ids().collect();
        for cut in cuts {
            self.at[cut].retain(|var| !self.left_out.contains(var));
        }
        self.left_out.len() < before
    }
    /// Whether states at some cutpoint have parts that cannot be listed: arrays, wide words.
    pub fn is_partial(program: &Program, terms: &Terms, blocks: &Blocks) -> bool {
        let all = Tracked::new(program, terms, blocks);
        blocks.cutpoints.iter_enumerated().any(|(cut, cutpoint)| all.at[cut].len() < cutpoint.state.len())
    }
}

/// Whether states can list values of this sort: truth values and words of at most 64 bits.
pub(crate) fn can_be_listed(terms: &Terms, sort: Sort) -> bool {
    matches!(terms.sort_kind(sort), SortKind::Bool | SortKind::BitVec(1..=64))
}
