//! An engine in sixty lines: no block ends in an error, under the invariants of its sources. A program without loops is one block.

#![forbid(unsafe_code)]

use base::{Stopped, Table};
use encode::{CutKind, Unrolling};
use engine::invariants::{Moment, Schedule, Source};
use engine::{Context, Engine, EngineInfo, Invariants, Run, Task, evidence};
use smt::{Answer, Query, Solver};
use verdict::{Code, Verdict, Why};

/// What the driver knows of it: one line in its table of engines.
pub const STRAIGHT: EngineInfo = EngineInfo {
    name: "straight",
    help: "proves programs without loops",
    settings: &Table { component: "straight", about: "The engine `straight`.", rows: &[], fixed: false },
    make: |_| Ok(Box::new(Straight { sources: &[] })),
};

/// The engine.
pub struct Straight {
    /// Where invariants come from.
    pub sources: &'static [Source],
}

impl Engine for Straight {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        let (mut terms, blocks) = match task.encoded(run) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(Verdict::Unknown(why)),
        };
        let cx = &mut Context::new(task, &mut terms, blocks, run);
        let (mut known, mut sources) = (Invariants::none(blocks), Schedule::new(self.sources));
        let start = Unrolling::from_entry(&task.program, cx.terms, blocks, "straight");
        while !no_block_fails(cx, &known)? {
            let now = Moment { steps: 1, is_late: true, is_sure: true, are_all_related: true };
            if sources.ask(&now, cx, &mut known, &start)?.is_none() {
                return Ok(Verdict::Unknown(Why::new(Code::Bounded, "an error that the invariants do not exclude")));
            }
        }
        Ok(Verdict::Safe(Box::new(evidence::inductive(cx, Vec::new(), &known)?)))
    }
}

/// Whether no block that starts in a state of the invariants ends in an error.
fn no_block_fails(cx: &mut Context<'_>, known: &Invariants) -> Result<bool, Stopped> {
    let mut solver = Solver::new();
    cx.blocks.axioms.iter().for_each(|&axiom| solver.assert(axiom));
    for (from, block) in cx.blocks.blocks.iter_enumerated() {
        let is_error = |to| matches!(cx.blocks.cutpoints[to].kind, CutKind::Error(_));
        for exit in block.exits.iter().filter(|exit| is_error(exit.to)) {
            let assumptions: Vec<_> = [exit.guard].iter().chain(&known.at[from]).copied().collect();
            if !matches!(solver.check(cx.terms, &Query::assuming(&assumptions), cx.run.budget)?, Answer::Unsat(_)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
