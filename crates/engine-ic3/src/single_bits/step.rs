//! One step asked of the SAT solver, and the predecessor lifted to the bits that the step needs.

use base::{Budget, Stopped};
use sat::{Lit, NoTheory, Outcome, Query};

use super::{Cube, SingleBits, in_model};
use crate::system::EdgeNo;

/// A state and inputs that take a step.
pub(super) struct Before {
    pub state: Vec<Lit>,
    pub inputs: Vec<Lit>,
}

/// Whether a cube can be entered over an edge.
pub(super) enum Step {
    /// From this state it can.
    Possible(Before),
    /// It cannot: the literals of the cube that are needed to see it, and the lowest level of lemmas that is.
    Impossible { needed: Vec<Lit>, level: u32 },
}

impl SingleBits {
    /// Asks whether a state of the frame `level`, outside the cube, can take the edge into the cube; without a cube, whether it
    /// can take the edge at all.
    pub(super) fn step(
        &mut self,
        edge: EdgeNo,
        target: Option<&Cube>,
        level: u32,
        budget: &Budget,
    ) -> Result<Step, Stopped> {
        budget.spend(20)?;
        self.stats.bit_queries += 1;
        let edge = &self.wires.edges[edge];
        let lits = target.map_or(&[][..], |cube| &cube.literals);
        let frame = &mut self.frames[edge.from];
        let mut assumptions = Vec::with_capacity(lits.len() + 8);
        if edge.from != self.wires.entry {
            assumptions = frame.switches(level);
        }
        assumptions.push(edge.guard);
        let back: Vec<Lit> = lits.iter().map(|&lit| self.wires.back(edge, lit)).collect();
        assumptions.extend(&back);
        let clause: Option<Vec<Lit>> = match target {
            Some(cube) if cube.at == edge.from => Some(cube.literals.iter().map(|&lit| !lit).collect()),
            _ => None,
        };
        let domain = self.wires.cone(edge, lits);
        let query = Query { assumptions: &assumptions, clause: clause.as_deref(), domain: Some(&domain) };
        match frame.solver.solve(&mut NoTheory, &query, budget)? {
            Outcome::Sat => {
                let solver = &frame.solver;
                let state = self.wires.state[edge.from].iter().filter_map(|&var| in_model(solver, var)).collect();
                let inputs = self.wires.inputs[edge.from].iter().flat_map(|(_, cells)| cells.iter().flatten());
                let inputs = inputs.filter_map(|lit| in_model(solver, lit.var())).collect();
                Ok(Step::Possible(Before { state, inputs }))
            }
            Outcome::Unsat => {
                for lit in frame.solver.core() {
                    if lit.index() >= self.in_core.len() {
                        self.in_core.resize(lit.index() + 1, false);
                    }
                    self.in_core[lit.index()] = true;
                }
                let is_in_core = |lit: Lit| self.in_core.get(lit.index()).copied().unwrap_or(false);
                let needed = lits.iter().zip(&back).filter(|&(_, &before)| is_in_core(before));
                let needed = needed.map(|(&lit, _)| lit).collect();
                let level = if edge.from == self.wires.entry {
                    crate::lemmas::FOREVER
                } else {
                    frame.lowest(level, is_in_core)
                };
                for lit in frame.solver.core() {
                    self.in_core[lit.index()] = false;
                }
                Ok(Step::Impossible { needed, level })
            }
            Outcome::Paused => unreachable!("only a theory asks for a pause"),
        }
    }
    /// States that all take the edge into the cube with the same inputs, the one found among them.
    pub(super) fn lifted(
        &mut self,
        edge: EdgeNo,
        target: Option<&Cube>,
        before: &Before,
        budget: &Budget,
    ) -> Result<Cube, Stopped> {
        let edge = &self.wires.edges[edge];
        let mut clause = vec![!edge.guard];
        clause.extend(target.map_or(&[][..], |cube| &cube.literals).iter().map(|&lit| !self.wires.back(edge, lit)));
        let mut state = before.state.clone();
        // What comes late is in the core only if what came before does not suffice.
        state.sort_by_key(|lit| std::cmp::Reverse(self.activity[lit.index()]));
        for _ in 0..2 {
            let mut assumptions = before.inputs.clone();
            assumptions.extend(&state);
            let query = Query { assumptions: &assumptions, clause: Some(&clause), domain: None };
            let outcome = self.lifter.solve(&mut NoTheory, &query, budget)?;
            assert!(outcome == Outcome::Unsat, "a state and its inputs determine the step");
            for lit in self.lifter.core() {
                if lit.index() >= self.in_core.len() {
                    self.in_core.resize(lit.index() + 1, false);
                }
                self.in_core[lit.index()] = true;
            }
            let n_before = state.len();
            state.retain(|lit| self.in_core[lit.index()]);
            for lit in self.lifter.core() {
                self.in_core[lit.index()] = false;
            }
            if state.len() == n_before {
                break;
            }
            // The other way round, some of what is left may turn out to be needless too.
            state.reverse();
        }
        Ok(Cube::new(edge.from, state))
    }
}
