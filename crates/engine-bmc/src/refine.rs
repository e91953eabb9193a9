//! Theory refinement [HyvarinenEtAl-SAT'17]: bounded model checking and k-induction with operators that are functions,
//! and bit-precise only where a counterexample shows that it matters.
//!
//! The loop is that of `kind`; the oracle is `refiner`. Unlike the paper, loops are proved by induction,
//! bugs are looked for by concrete runs too, and a proof names the statements that had to be bit-precise, so
//! that checking it costs no more than finding it.
//!
//! Statements are those of the source: the program is prepared once more, without joining assignments.

use base::Stopped;
use engine::{Context, Engine, Facts, Invariants, Run, Task};
use program::{EdgeId, pass};
use smt::is_site;
use verdict::{Method, Verdict, Why};

use crate::bmc::within;
use crate::concrete::Concrete;
use crate::exchange::Exchange;
use crate::heuristics::Heuristic;
use crate::kind::{Pair, Round, proof};
use crate::oracle::{Hints, InBits, Oracle, Which};
use crate::refiner::Refiner;
use crate::settings::{RefineSettings, Selection};
use crate::tuning::Tuning;

/// The engine.
pub(crate) struct Refine {
    settings: RefineSettings,
    heuristic: Heuristic,
    /// Whether the smallest set of statements is wanted that still proves the program.
    minimise: bool,
}

impl Refine {
    pub fn new(settings: RefineSettings) -> Self {
        Refine {
            heuristic: Heuristic::of(settings.selection),
            minimise: settings.selection == Selection::Min || settings.explain,
            settings,
        }
    }
}

impl Engine for Refine {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        run.observer.phase("concrete runs");
        let mut concrete = Concrete::new(task, run.seed, Tuning::DEFAULT.refine_runs);
        let for_size = task.program.edges.len() as u64 * Tuning::DEFAULT.refine_first_edges_per_edge;
        if let Some(found) = concrete
            .search(run, (Tuning::DEFAULT.refine_first_edges + for_size).min(Tuning::DEFAULT.refine_max_first_edges))?
        {
            return Ok(found);
        }
        run.observer.phase("encoding");
        let others = task;
        let separated = match has_operators(task).then(|| separated(task)).transpose() {
            Ok(separated) => separated,
            Err(why) => return Ok(Verdict::Unknown(why)),
        };
        let task = separated.as_ref().unwrap_or(task);
        let mut exchange = Exchange::new(others, task, run);
        // The locations of others are not ours.
        let facts = Facts::unshared();
        let mut run = Run { facts: &facts, ..*run };
        let is_chosen =
            |edge: &program::Edge| edge.place.is_some_and(|place| self.settings.lines.contains(&place.line));
        let chosen: Vec<EdgeId> =
            task.program.edges.iter_enumerated().filter(|(_, edge)| is_chosen(edge)).map(|(id, _)| id).collect();
        match self.heuristic {
            Heuristic::Flat => self.prove(task, &mut run, &mut concrete, exchange.as_mut(), InBits::plain),
            heuristic => {
                let oracle = || Refiner::new(heuristic, &chosen);
                self.prove(task, &mut run, &mut concrete, exchange.as_mut(), oracle)
            }
        }
    }
}

impl Refine {
    fn prove<J: Oracle>(
        &self,
        task: &Task,
        run: &mut Run<'_>,
        concrete: &mut Concrete,
        mut exchange: Option<&mut Exchange<'_>>,
        oracle: impl Fn() -> J,
    ) -> Result<Verdict, Stopped> {
        let (mut terms, blocks) = match task.encoded(run) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(Verdict::Unknown(why)),
        };
        let cx = &mut Context::new(task, &mut terms, blocks, run);
        let mut invariants = Invariants::none(blocks);
        let mut is_analysed = false;
        run.observer.phase("refinement");
        let mut pair = Pair::new(cx, oracle);
        let verdict = loop {
            let before = pair.searched;
            let steps = pair.base.unrolling.n_steps() as u32;
            if self.settings.unwind.is_some_and(|unwind| steps > unwind) {
                break Verdict::Unknown(pair.bounded(steps));
            }
            if let Some(exchange) = &mut exchange {
                for lemma in exchange.import_lemmas(cx.terms, run) {
                    pair.base.oracle.learn_lemma(cx.terms, lemma);
                    pair.induction.oracle.learn_lemma(cx.terms, lemma);
                }
            }
            let mut round = pair.search(cx)?;
            if let (Some(exchange), Round::Open) = (&mut exchange, &round) {
                let mut lemmas = pair.base.oracle.hints().lemmas;
                lemmas.extend(pair.induction.oracle.hints().lemmas);
                exchange.export_lemmas(cx.terms, &lemmas, run)?;
            }
            if matches!(round, Round::Open) && pair.proof_due() {
                if !std::mem::replace(&mut is_analysed, true) {
                    invariants = Invariants::new(cx)?;
                    run.observer.phase("refinement");
                }
                if let Some(exchange) = &mut exchange {
                    let news = exchange.import(cx, &mut invariants)?;
                    pair.induction.learn(cx, &news);
                    run.observer.phase("refinement");
                }
                round = pair.prove(cx, &mut invariants)?;
                if let (Some(exchange), Round::Open) = (&mut exchange, &round) {
                    exchange.export(cx, &invariants)?;
                }
            }
            match round {
                Round::Over(verdict) => break verdict,
                Round::Holds(method) => {
                    let hints = self.hints(&mut pair, method, cx)?;
                    break Verdict::Safe(Box::new(proof(cx, &invariants, method, &hints)?));
                }
                Round::Open => {
                    run.observer.progress(within(steps));
                    // Runs share with the search for errors; what proofs take is no reason to look longer.
                    let spent = pair.searched - before;
                    if let Some(found) = concrete.keep_up(
                        run,
                        spent,
                        Tuning::DEFAULT.refine_round_edges << steps.min(Tuning::DEFAULT.refine_round_doublings),
                    )? {
                        break found;
                    }
                }
            }
        };
        report(&pair, run);
        Ok(verdict)
    }
    /// What the answers of the oracles depend on.
    fn hints<J: Oracle>(&self, pair: &mut Pair<J>, method: Method, cx: &Context<'_>) -> Result<Hints, Stopped> {
        let mut hints = Hints::default();
        let oracles = [(&mut pair.base.oracle, Which::All), (&mut pair.induction.oracle, Which::LastStep)];
        let by_induction = matches!(method, Method::Induction { .. });
        for (oracle, which) in oracles.into_iter().take(if by_induction { 2 } else { 1 }) {
            let found = if self.minimise { oracle.fewest_hints(cx.terms, which, &cx.run)? } else { oracle.hints() };
            hints.precise.extend(found.precise);
            hints.lemmas.extend(found.lemmas);
        }
        Ok(hints)
    }
}

/// Whether there is anything to refine: an operator in some statement.
fn has_operators(task: &Task) -> bool {
    let mut roots = Vec::new();
    for edge in task.program.edges.iter() {
        edge.action.for_each_term(|term| roots.push(term));
    }
    task.terms.subterms(&roots).into_iter().any(|term| is_site(task.terms.op(term)))
}

/// The task with each statement of the source on an edge of its own.
fn separated(task: &Task) -> Result<Task, Why> {
    let mut terms = task.terms.clone();
    let options = pass::Options { separate_statements: true, ..pass::Options::default() };
    match pass::optimise(task.lowered.clone(), &mut terms, &options) {
        Ok(prepared) => Ok(Task::new(task.lowered.clone(), prepared.program, prepared.map, terms)),
        Err(refused) => Err(refused.into()),
    }
}

fn report<J: Oracle>(pair: &Pair<J>, run: &Run<'_>) {
    let figures = pair.base.oracle.figures().into_iter().zip(pair.induction.oracle.figures());
    for ((name, one), (_, other)) in figures {
        run.observer.count(name, one + other);
    }
}
