//! Between two frames: tell the others what is invariant, and hear what they have proved.
//!
//! Lemmas that hold for ever are put through Houdini before they are told, so that what others believe is inductive by
//! itself and does not rest on this engine alone. The literals of lemmas are told as predicates worth tracking. What others
//! have proved holds in every frame.

use base::Stopped;
use encode::CutKind;
use engine::{Context, Fact, FactKind, Houdini};
use term::{Op, Term};

use crate::lemmas::FOREVER;
use crate::query::Search;
use crate::tuning::Tuning;

impl Search<'_> {
    /// A safe point: nothing is half done.
    pub fn exchange(&mut self) -> Result<(), Stopped> {
        if !self.run.facts.is_shared() {
            return Ok(());
        }
        self.tell_invariants()?;
        self.tell_predicates();
        self.tell_lemmas()?;
        self.hear_lemmas();
        let cx = &mut Context::new(self.task, &mut self.terms, self.blocks, self.run);
        for (cut, fact) in self.background.read(cx) {
            let switch = self.frames.switch(&mut self.terms, cut, FOREVER);
            let known = self.terms.implies(switch, fact);
            self.raised.prepare(&self.terms, &mut self.solver, known);
            self.solver.assert(known);
        }
        Ok(())
    }
    fn tell_invariants(&mut self) -> Result<(), Stopped> {
        let mut houdini = Houdini::new(self.blocks);
        // What holds for functions holds in bits, and is cheaper to see.
        houdini.reading = self.raised.stage.reading();
        let mut n_new = 0;
        for cut in self.blocks.cutpoints.ids() {
            for clause in self.frames.invariant(&mut self.terms, cut, FOREVER) {
                if n_new < Tuning::DEFAULT.max_exported && self.told.insert((cut, clause), ()).is_none() {
                    houdini.add(cut, clause);
                    n_new += 1;
                }
            }
        }
        if n_new == 0 {
            return Ok(());
        }
        let cx = &mut Context::new(self.task, &mut self.terms, self.blocks, self.run);
        let survivors = houdini.run(cx, &self.background.at, Tuning::DEFAULT.exchange_query_ticks)?;
        self.background.learn(cx, &survivors.invariants, "euf");
        Ok(())
    }
    fn tell_predicates(&mut self) {
        let mut facts = Vec::new();
        for (cut, lemmas) in self.frames.lemmas.iter_enumerated() {
            let cutpoint = &self.blocks.cutpoints[cut];
            if cutpoint.kind != CutKind::Head {
                continue;
            }
            let literals = lemmas.iter().flat_map(|lemma| lemma.cube.literals.iter());
            for &term in literals {
                let term: Term = if self.terms.op(term) == Op::Not { self.terms.arg(term, 0) } else { term };
                if facts.len() < Tuning::DEFAULT.max_exported && self.told.insert((cut, term), ()).is_none() {
                    facts.push(Fact { at: Some(cutpoint.loc), term, kind: FactKind::Predicate, source: "euf" });
                }
            }
        }
        self.run.facts.publish(&self.terms, &facts);
    }
}
