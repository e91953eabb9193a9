//! Bounded model checking [ClarkeEtAl-FMSD'01]: unroll, ask for an error, unroll further.
//!
//! One solver is kept alive; what it learns at one depth helps at the next. When no run is longer than the
//! unrolling, having found no error proves that there is none.

use base::Stopped;
use engine::{Context, Engine, Invariants, Run, Task, evidence};
use verdict::{Code, Method, Verdict, Why};

use crate::concrete::{Concrete, writes_arrays};
use crate::oracle::InBits;
use crate::search::{Search, Step};
use crate::settings::BmcSettings;
use crate::tuning::Tuning;

/// The engine.
pub(crate) struct Bmc {
    settings: BmcSettings,
}

impl Bmc {
    pub fn new(settings: BmcSettings) -> Self {
        Bmc { settings }
    }
}

impl Engine for Bmc {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        run.observer.phase("concrete runs");
        let mut concrete = Concrete::new(task, run.seed, Tuning::DEFAULT.bmc_runs);
        if let Some(found) = concrete.search(run, Tuning::DEFAULT.bmc_first_edges)? {
            return Ok(found);
        }
        // Loops over whole arrays are too long for unrolling, and their runs end.
        if !concrete.has_ended_run
            && writes_arrays(task)
            && let Some(found) = concrete.search(run, Tuning::DEFAULT.bmc_array_edges)?
        {
            return Ok(found);
        }
        let (mut terms, blocks) = match task.encoded(run) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(Verdict::Unknown(why)),
        };
        run.observer.phase("unrolling");
        let cx = &mut Context::new(task, &mut terms, blocks, run);
        let mut search = Search::new(cx, InBits::new());
        let mut invariants = Invariants::none(blocks);
        loop {
            let spent = run.budget.spent();
            let steps = search.unrolling.n_steps() as u32;
            if self.settings.unwind.is_some_and(|unwind| steps > unwind) {
                let doubt = search.doubt.take();
                return Ok(Verdict::Unknown(doubt.unwrap_or_else(|| Why::new(Code::Bounded, within(steps - 1)))));
            }
            if run.is_settled(&task.program) {
                return Ok(Verdict::Unknown(Why::new(Code::GaveUp, "each assertion has its verdict")));
            }
            // What others have proved holds after every step, and helps the solver to see that errors are far.
            invariants.read(cx);
            search.learn(cx, &invariants);
            match search.step(cx)? {
                Step::Error(found) => return Ok(Verdict::Unsafe(found)),
                Step::Clean => {
                    run.observer.progress(within(steps));
                    // Bugs too deep for unrolling may still fall to a long run.
                    if let Some(found) =
                        concrete.keep_up(run, run.budget.spent() - spent, Tuning::DEFAULT.bmc_round_edges)?
                    {
                        return Ok(found);
                    }
                }
                Step::Exhausted => {
                    if let Some(doubt) = search.doubt {
                        return Ok(Verdict::Unknown(doubt));
                    }
                    let method = Method::Exhaustion { steps: search.unrolling.n_steps() as u32 };
                    let proof = evidence::proof(task, cx.terms, blocks, &[], method, &[]);
                    return Ok(Verdict::Safe(Box::new(proof)));
                }
            }
        }
    }
}

/// How far a search has come, in the user's terms. The first step leads from the start to the first loop.
pub(crate) fn within(steps: u32) -> String {
    match steps {
        0 => "no error before the first loop".to_owned(),
        1 => "no error within 1 iteration of the loops".to_owned(),
        n => format!("no error within {n} iterations of the loops"),
    }
}
