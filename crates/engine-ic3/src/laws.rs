//! Laws of the search, asked of the solver in debug builds: what must hold whatever the program.
//!
//! * A cube made from a model of a frame is not excluded by that frame (see `preimage`: without this law a step may stay
//!   possible for ever although its cube is blocked). It is not asked where there are arrays, since there it can fail:
//!   presumably a literal of the cube makes the solver put in an axiom of arrays that the model did not have to respect.
//! * A lemma speaks of the state of its cutpoint alone, and its level is one that questions see.
//! * Where cubes are the paper's, a lemma relates terms of the abstract relation and of learned lemmas, and no others.
//! * Lemmas of higher levels hold at lower ones; by construction, since one list serves all levels.
//!
//! That lemmas are kept by every step is asked of the checker, for every proof, in every build.

use base::Stopped;
use smt::{Answer, Query};
use term::{Op, Term};

use crate::cube::Cube;
use crate::lemmas::FOREVER;
use crate::query::Search;

impl Search<'_> {
    /// The frame of this level does not exclude the cube.
    pub fn assert_within(&mut self, cube: &Cube, level: u32) -> Result<(), Stopped> {
        if !cfg!(debug_assertions) || self.has_arrays || cube.at == self.system.entry {
            return Ok(());
        }
        let mut assumptions = self.frames.switches(&mut self.terms, cube.at, level);
        assumptions.extend(&cube.literals);
        for &literal in &cube.literals {
            self.raised.prepare(&self.terms, &mut self.solver, literal);
        }
        let answer = self.solver.check(&self.terms, &Query::assuming(&assumptions), self.run.budget)?;
        assert!(!matches!(answer, Answer::Unsat(_)), "a model of the frame is in the cube that is made from it");
        Ok(())
    }
    /// The lemma speaks of its cutpoint's state, at a level that there is.
    pub fn assert_well_formed(&self, lemma: &Cube, level: u32) {
        if !cfg!(debug_assertions) {
            return;
        }
        assert!(level == FOREVER || (1..=self.frames.top).contains(&level), "questions see the levels up to the top");
        let state = &self.blocks.cutpoints[lemma.at].state;
        let state: Vec<Term> = state.iter().map(|&var| self.task.program.vars[var].term).collect();
        let inputs = self.blocks.blocks[lemma.at].inputs.iter().map(|input| input.symbol);
        let inputs: Vec<Term> = inputs.filter(|input| !state.contains(input)).collect();
        if let Some(relation) = &self.relation {
            for &literal in &lemma.literals {
                assert!(relation.can_say(&self.terms, literal), "cubes consist of terms of the abstract relation");
            }
        }
        for part in self.terms.subterms(&lemma.literals) {
            let is_input = matches!(self.terms.op(part), Op::Symbol(_)) && inputs.contains(&part);
            assert!(!is_input, "a cube speaks of states, not of inputs");
        }
    }
}
