//! Slots: where the state of the expanded program keeps its values.
//!
//! Every variable has one slot for each activation of its function; what lives as long as the program
//! has one.

use base::{FastMap, Id, IndexVec};
use program::{FunId, Program, Var};
use term::{Sort, Term};

use crate::points::{FrameId, Points};

/// The places of a state.
pub(crate) struct Slots {
    /// By variable: its place among those of its function, or among the globals.
    within: IndexVec<Var, u32>,
    owner: IndexVec<Var, Option<FunId>>,
    /// By activation: the place of its first variable.
    first: IndexVec<FrameId, u32>,
    /// By slot: the activation and the variable that it holds.
    pub vars: Vec<(FrameId, Var)>,
    var_of: FastMap<Term, Var>,
}

impl Slots {
    /// One slot for each variable in each activation.
    pub fn new(program: &Program, points: &Points<'_>) -> Self {
        let root = FrameId::new(0);
        let mut within = IndexVec::new();
        let mut owner = IndexVec::new();
        let mut members: IndexVec<FunId, Vec<Var>> = program.functions.ids().map(|_| Vec::new()).collect();
        let mut vars = Vec::new();
        let mut var_of = FastMap::new();
        for (id, var) in program.vars.iter_enumerated() {
            let function = program.function_of(id);
            var_of.insert(var.term, id);
            owner.push(function);
            match function {
                Some(function) => {
                    within.push(members[function].len() as u32);
                    members[function].push(id);
                }
                None => {
                    within.push(vars.len() as u32);
                    vars.push((root, id));
                }
            }
        }
        let mut first = IndexVec::new();
        for (frame, activation) in points.frames.iter_enumerated() {
            first.push(vars.len() as u32);
            vars.extend(members[activation.function].iter().map(|&var| (frame, var)));
        }
        Slots { within, owner, first, vars, var_of }
    }
    /// The slot of the variable as a run in this activation sees it.
    pub fn slot(&self, frame: FrameId, var: Var) -> usize {
        let place = self.within[var] as usize;
        match self.owner[var] {
            Some(_) => self.first[frame] as usize + place,
            None => place,
        }
    }
    /// The variable that this symbol of the program stands for.
    pub fn var(&self, symbol: Term) -> Option<Var> {
        self.var_of.get(&symbol).copied()
    }
    /// The sort of the slot's variable, in the program's store.
    pub fn sort(&self, program: &Program, slot: usize) -> Sort {
        program.vars[self.vars[slot].1].sort
    }
}
