//! The ground that engines stand on: the blocks of a program, what the analysis says of it, and relations between its
//! variables. Each is made once for a task, by the first engine that wants it, and then shared.
//!
//! The second engine waits for the first. So that no engine waits for one that waits for its turn, the work is not interrupted
//! (see [`base::Budget::uninterrupted_part`]). An engine that is stopped in the middle leaves nothing behind, and the next one
//! begins again. Proved invariants are published in the store of facts once, before any engine uses them.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use base::{IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind, Memory};
use term::walk::Import;
use term::{Term, Terms};
use verdict::{Code, Why};

use crate::analysis::Analysis;
use crate::context::Context;
use crate::houdini::Houdini;
use crate::invariants::publish;
use crate::relations::{STAGES, relations};
use crate::task::{Run, Task};
use crate::tuning::Tuning;

/// What was made so far.
#[derive(Default)]
pub(crate) struct Ground {
    encoded: OnceLock<Result<(Terms, Blocks), Why>>,
    analysed: Made,
    related: [Made; STAGES],
}

type Made = Mutex<Option<Arc<Proved>>>;

/// Invariants by cutpoint, with the store of their terms, in which the blocks are at home too.
pub(crate) struct Proved {
    pub terms: Terms,
    pub at: IndexVec<Cut, Vec<Term>>,
    /// These and all that were proved before.
    all: IndexVec<Cut, Vec<Term>>,
}

impl Task {
    /// What every engine begins with: the program's blocks, and a store of its own in which they are at home. The
    /// error says why there are none.
    pub fn encoded(&self, run: &Run<'_>) -> Result<(Terms, &Blocks), Why> {
        run.observer.phase("encoding");
        let made = self.ground.encoded.get_or_init(|| {
            let mut terms = self.terms.clone();
            match Blocks::new(&self.program, &mut terms, Memory::Anything) {
                Ok(blocks) => Ok((terms, blocks)),
                Err(refused) => Err(Why::at(Code::Construct, refused.what, refused.place)),
            }
        });
        match made {
            Ok((terms, blocks)) => Ok((terms.clone(), blocks)),
            Err(why) => Err(why.clone()),
        }
    }
    /// What the analysis says, checked.
    pub(crate) fn analysed(&self, blocks: &Blocks, run: &Run<'_>) -> Result<Arc<Proved>, Stopped> {
        let mut place = self.ground.analysed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*place {
            return Ok(Arc::clone(made));
        }
        run.observer.phase("analysis");
        let budget = run.budget.uninterrupted_part();
        let mut terms = self.base();
        let analysis = Analysis::new(&self.program, &terms, &budget)?;
        let mut candidates = Houdini::new(blocks);
        for (cut, cutpoint) in blocks.cutpoints.iter_enumerated() {
            if cutpoint.kind != CutKind::Head {
                continue;
            }
            for fact in analysis.facts(&self.program, &mut terms, cutpoint.loc, &cutpoint.state) {
                candidates.add(cut, fact);
            }
        }
        let known = blocks.cutpoints.iter().map(|_| Vec::new()).collect();
        let mut cx = Context::new(self, &mut terms, blocks, run);
        let at = candidates.run(&mut cx.within(&budget), &known, Tuning::DEFAULT.analysis_query_ticks)?.invariants;
        publish(&cx, &at, "analysis");
        let made = Arc::new(Proved { terms, all: at.clone(), at });
        *place = Some(Arc::clone(&made));
        drop(place);
        // Here the turn may be given up: no thread waits for this one any more.
        run.budget.report(&budget);
        Ok(made)
    }
    /// Relations between variables from one producer, inductive together with what the analysis and the producers before
    /// it say.
    pub(crate) fn related(&self, stage: usize, blocks: &Blocks, run: &Run<'_>) -> Result<Arc<Proved>, Stopped> {
        let before = if stage == 0 { self.analysed(blocks, run)? } else { self.related(stage - 1, blocks, run)? };
        let mut place = self.ground.related[stage].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*place {
            return Ok(Arc::clone(made));
        }
        run.observer.phase("relations");
        let budget = run.budget.uninterrupted_part();
        let mut terms = before.terms.clone();
        let part = budget.part(Tuning::DEFAULT.relations_ticks);
        let mut cx = Context::new(self, &mut terms, blocks, run);
        let at = match relations(stage, &mut cx.within(&part), &before.all) {
            Err(Stopped::OutOfTicks) => blocks.cutpoints.iter().map(|_| Vec::new()).collect(),
            found => found?,
        };
        let mut all = before.all.clone();
        for (cut, invariants) in at.iter_enumerated() {
            all[cut].extend(invariants);
        }
        publish(&cx, &at, "relations");
        let made = Arc::new(Proved { terms, at, all });
        *place = Some(Arc::clone(&made));
        drop(place);
        // Here the turn may be given up: no thread waits for this one any more.
        run.budget.report(&budget);
        Ok(made)
    }
    /// The store of the blocks.
    fn base(&self) -> Terms {
        match self.ground.encoded.get() {
            Some(Ok((terms, _))) => terms.clone(),
            _ => self.terms.clone(),
        }
    }
}

impl Proved {
    /// The invariants as terms of another store. What cannot be imported there is left out.
    pub fn imported_into(&self, terms: &mut Terms) -> IndexVec<Cut, Vec<Term>> {
        let mut import = Import::new();
        let mut imported = IndexVec::new();
        for invariants in self.at.iter() {
            imported.push(invariants.iter().filter_map(|&term| import.term(&self.terms, terms, term).ok()).collect());
        }
        imported
    }
}
