//! Between two frames: export invariants to other engines, and import the facts that they have proved.
//!
//! Lemmas that hold at every level are checked by Houdini before they are exported, so that exported facts are inductive by
//! themselves and do not depend on this engine alone. The literals of lemmas are exported as predicates worth tracking.
//! Imported facts hold in every frame.

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
        self.export_invariants()?;
        self.export_predicates();
        self.export_lemmas()?;
        if !self.has_background {
            return Ok(());
        }
        self.import_lemmas();
        let cx = &mut Context::new(self.task, &mut self.terms, self.blocks, self.run);
        for (cut, fact) in self.background.read(cx) {
            let switch = self.frames.switch(&mut self.terms, cut, FOREVER);
            let known = self.terms.implies(switch, fact);
            self.raised.prepare(&self.terms, &mut self.solver, known);
            self.solver.assert(known);
        }
        Ok(())
    }
    fn export_invariants(&mut self) -> Result<(), Stopped> {
        let mut houdini = Houdini::new(self.blocks);
        // What holds for functions holds in bits, and is cheaper to see.
        houdini.reading = self.raised.stage.reading();
        let mut n_new = 0;
        for cut in self.blocks.cutpoints.ids() {
            for clause in self.frames.invariant(&mut self.terms, cut, FOREVER) {
                if n_new < Tuning::DEFAULT.max_exported && self.exported.insert((cut, clause), ()).is_none() {
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
    fn export_predicates(&mut self) {
        let mut facts = Vec::new();
        for (cut, lemmas) in self.frames.lemmas.iter_enumerated() {
            let cutpoint = &self.blocks.cutpoints[cut];
            if cutpoint.kind != CutKind::Head {
                continue;
            }
            let literals = lemmas.iter().flat_map(|lemma| lemma.cube.literals.iter());
            for &term in literals {
                let term: Term = if self.terms.op(term) == Op::Not { self.terms.arg(term, 0) } else { term };
                if facts.len() < Tuning::DEFAULT.max_exported && self.exported.insert((cut, term), ()).is_none() {
                    facts.push(Fact { at: Some(cutpoint.loc), term, kind: FactKind::Predicate, source: "euf" });
                }
            }
        }
        self.run.facts.publish(&self.terms, &facts);
    }
}
