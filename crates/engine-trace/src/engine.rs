//! The engine: search, decide, refine, until an error is real or none is left.

use base::Stopped;
use engine::{Engine, Run, Task, evidence};
use program::pass::BackMap;
use program::{Action, Program};
use term::Terms;
use verdict::{Code, Method, Verdict, Why};

use crate::automaton::{Automaton, StepId};
use crate::coherence::{self, Paths};
use crate::horn::Pool;
use crate::partition;
use crate::reach::{Found, Precision, Search};
use crate::refine::{Allowed, refine};
use crate::state::Keep;
use crate::tuning::Tuning;
use crate::{Mode, Settings, bits, evidence as cubes, trace};

/// The engine.
pub(crate) struct Trace {
    pub settings: Settings,
}

impl Engine for Trace {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        run.observer.phase("automaton");
        // A program without calls and memory is taken as it was lowered: passes would remove copies, and with them the
        // variables that remember terms.
        let identity;
        let (program, map) = if is_plain(&task.lowered) {
            identity = BackMap::identity(&task.lowered);
            (&task.lowered, &identity)
        } else {
            (&task.program, &task.map)
        };
        let mut terms = task.terms.clone();
        let mut automaton = match Automaton::new(program, &mut terms) {
            Ok(automaton) => automaton,
            Err(refused) => return Ok(Verdict::Unknown(Why::at(Code::Construct, refused.what, refused.place))),
        };
        let mut work = Work { task, program, map, terms, precision: first_precision(), counts: Counts::default() };
        match self.settings.mode {
            Mode::Search => {}
            Mode::Coherent => {
                run.observer.phase("coherence");
                if let Some(violation) = coherence::check(&automaton, Paths::Consistent, None, run.budget)? {
                    let what = violation.describe(&automaton, program);
                    return Ok(Verdict::Unknown(Why::new(
                        Code::NotCoherent,
                        format!("the program is not coherent: {what}"),
                    )));
                }
                // Coherent: what the variables hold decides, with nothing else kept.
                work.precision.keep = COHERENT;
            }
            Mode::PaperOrder => {
                run.observer.phase("partition");
                for part in partition::parts(&automaton) {
                    let coherent = coherence::check(&automaton, Paths::Consistent, Some(&part), run.budget)?.is_none();
                    *(if coherent { &mut work.counts.coherent_parts } else { &mut work.counts.other_parts }) += 1;
                    // A coherent part needs no refinement; what the others learn is shared.
                    let learnt = work.precision.clone();
                    if coherent {
                        work.precision = Precision { keep: COHERENT, ..first_precision() };
                    }
                    let verdict = work.decide(&mut automaton, Some(&part), run)?;
                    if coherent {
                        work.precision = learnt;
                    }
                    if let Some(verdict) = verdict {
                        work.report(run);
                        return Ok(verdict);
                    }
                }
                // The parts agree; one proof for all of them, with what each of them needed.
            }
        }
        run.observer.phase("search");
        let verdict = work.decide(&mut automaton, None, run)?;
        work.report(run);
        Ok(verdict.unwrap_or_else(|| Verdict::Unknown(Why::new(Code::GaveUp, "the search came to no end"))))
    }
}

/// What decides coherent programs: all that variables hold, and nothing else.
const COHERENT: Keep = Keep { depth: 0, only_live: false, lost: false };

fn first_precision() -> Precision {
    Precision { keep: Keep { depth: 0, only_live: true, lost: false }, splits: Vec::new(), pool: Pool::default() }
}

/// Whether a program has no calls and no memory.
fn is_plain(program: &Program) -> bool {
    program.edges.iter().all(|edge| matches!(edge.action, Action::Assume(_) | Action::Assign(_) | Action::Havoc { .. }))
}

struct Work<'a> {
    task: &'a Task,
    program: &'a Program,
    map: &'a BackMap,
    terms: Terms,
    precision: Precision,
    counts: Counts,
}

/// Counters, reported at the end.
#[derive(Clone, Copy, Default)]
struct Counts {
    searches: u64,
    states: u64,
    triples: u64,
    coherent_parts: u64,
    other_parts: u64,
}

impl Work<'_> {
    fn report(&self, run: &Run<'_>) {
        let Counts { searches, states, triples, coherent_parts, other_parts } = self.counts;
        let precision = &self.precision;
        for (name, value) in [
            ("searches", searches),
            ("states", states),
            ("triples", triples),
            ("depth", u64::from(precision.keep.depth)),
            ("splits", precision.splits.len() as u64),
            ("clauses", precision.pool.len() as u64),
            ("coherent parts", coherent_parts),
            ("other parts", other_parts),
        ] {
            run.observer.count(name, value);
        }
    }
    /// Searches and refines. For a part of the program there is a verdict only if it is not safe.
    fn decide(
        &mut self,
        automaton: &mut Automaton,
        part: Option<&base::IndexVec<StepId, bool>>,
        run: &mut Run<'_>,
    ) -> Result<Option<Verdict>, Stopped> {
        let allowed = Allowed { depth: true, splits: true, clauses: true };
        let mut why = "no refinement excludes a spurious path to the error";
        for round in 0..Tuning::DEFAULT.max_rounds {
            let mut search = Search::new(automaton, &self.precision);
            search.allowed = part;
            let found = search.run(Tuning::DEFAULT.max_search_states, run.budget)?;
            self.counts.searches += 1;
            self.counts.states += search.reached.len() as u64;
            self.counts.triples += search.triples;
            let spurious = match found {
                Found::Error(way) => return self.error(automaton, &way, run).map(Some),
                Found::Done { spurious } if spurious.is_empty() => {
                    if part.is_some() {
                        return Ok(None);
                    }
                    let said = cubes::invariants(automaton, &mut self.terms, &search);
                    let method = Method::Induction { depth: 1 };
                    let proof =
                        evidence::proof_at(self.task, self.program, self.map, &mut self.terms, &said, method, &[]);
                    return Ok(Some(Verdict::Safe(Box::new(proof))));
                }
                Found::Done { spurious } => spurious,
                Found::TooMany => {
                    why = "there are too many states";
                    break;
                }
            };
            run.observer.progress(format!("{} rounds of refinement", round + 1));
            if !refine(automaton, &mut self.terms, &mut self.precision, &spurious, allowed, run.budget)? {
                break;
            }
        }
        Ok(Some(Verdict::Unknown(Why::new(Code::GaveUp, why))))
    }

    /// A feasible way: a model of the functions if all of them are free, otherwise inputs that a solver finds.
    fn error(&mut self, automaton: &Automaton, way: &[StepId], run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        if automaton.is_free(&self.terms) {
            if let Some(mut found) = trace::model(automaton, &self.terms, way, run.budget)? {
                found.inputs.retain_mut(|given| {
                    let from = self.map.inputs[given.input];
                    given.offset = from.offset;
                    from.input.map(|input| given.input = input).is_some()
                });
                return Ok(match self.task.lowered.approximations.first() {
                    None => Verdict::Unsafe(found),
                    Some(loose) => Verdict::Unknown(Why::at(Code::Approximated, &loose.text, loose.place)),
                });
            }
            return Ok(Verdict::Unknown(Why::new(Code::GaveUp, "no truth values fit a way to the error")));
        }
        Ok(match bits::confirm(self.program, self.map, automaton, &mut self.terms, way, run)? {
            Ok(found) => Verdict::Unsafe(found),
            Err(why) => Verdict::Unknown(why),
        })
    }
}
