//! State vectors: the variables whose values matter at a cutpoint.
//!
//! A variable matters where a guard or the value of one that matters at the next cutpoint mentions it. The
//! least solution is found backwards over the blocks, which knows more than liveness over single edges:
//! a variable that is overwritten by a term over others on every way is not mentioned.

use base::{FastMap, Id};
use program::{Program, Var};
use term::{Op, Term, Terms};

use crate::cutpoints::{Blocks, Cut, CutKind};

impl Blocks {
    /// Fills in the state vectors, with the variables that are kept at heads, and leaves out the values of all other variables.
    pub(crate) fn find_state(&mut self, program: &Program, terms: &Terms, kept: &[Var]) {
        let mut var_of: FastMap<Term, Var> = FastMap::new();
        for (var, variable) in program.vars.iter_enumerated() {
            var_of.insert(variable.term, var);
        }
        let mut preceding: Vec<Vec<Cut>> = vec![Vec::new(); self.cutpoints.len()];
        for (from, block) in self.blocks.iter_enumerated() {
            for exit in &block.exits {
                preceding[exit.to.index()].push(from);
            }
        }
        let mut mentioned = Mentioned { terms, var_of: &var_of, cache: FastMap::new() };
        let mut matters = vec![vec![false; program.vars.len()]; self.cutpoints.len()];
        for cut in self.cutpoints.ids().filter(|&cut| self.cutpoints[cut].kind == CutKind::Head) {
            kept.iter().for_each(|var| matters[cut.index()][var.index()] = true);
        }
        let mut open: Vec<Cut> = self.cutpoints.ids().collect();
        while let Some(cut) = open.pop() {
            let mut now = matters[cut.index()].clone();
            for exit in &self.blocks[cut].exits {
                mentioned.mark(exit.guard, &mut now);
                let there = &matters[exit.to.index()];
                let mut changed = exit.values.iter().peekable();
                for index in (0..there.len()).filter(|&index| there[index]) {
                    while changed.next_if(|pair| pair.0.index() < index).is_some() {}
                    match changed.peek() {
                        Some(pair) if pair.0.index() == index => mentioned.mark(pair.1, &mut now),
                        _ => now[index] = true,
                    }
                }
            }
            if now != matters[cut.index()] {
                matters[cut.index()] = now;
                open.extend(&preceding[cut.index()]);
            }
        }
        for cut in self.cutpoints.ids() {
            let there = &matters[cut.index()];
            self.cutpoints[cut].state = program.vars.ids().filter(|var| there[var.index()]).collect();
            for block in self.blocks.iter_mut() {
                for exit in block.exits.iter_mut().filter(|exit| exit.to == cut) {
                    exit.values.retain(|pair| there[pair.0.index()]);
                }
            }
        }
    }
}

/// The variables in a term, remembered for each term asked about.
struct Mentioned<'a> {
    terms: &'a Terms,
    var_of: &'a FastMap<Term, Var>,
    cache: FastMap<Term, Vec<Var>>,
}

impl Mentioned<'_> {
    fn mark(&mut self, term: Term, vars: &mut [bool]) {
        if !self.cache.contains_key(&term) {
            let symbols = self.terms.subterms(&[term]);
            let is_symbol = |term: &Term| matches!(self.terms.op(*term), Op::Symbol(_));
            let found = symbols.into_iter().filter(is_symbol).filter_map(|term| self.var_of.get(&term).copied());
            self.cache.insert(term, found.collect());
        }
        for var in &self.cache[&term] {
            vars[var.index()] = true;
        }
    }
}
