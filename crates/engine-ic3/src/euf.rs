//! The engine's main loop: block all ways into an error at the top level, move lemmas up, go one level higher.

use base::{FastMap, Stopped};
use encode::CutKind;
use engine::{Context, Engine, Invariants, Run, Task, evidence};
use smt::{Answer, Query, Solver};
use term::Term;
use verdict::{Code, Verdict, Why};

use crate::ahead::Ahead;
use crate::block::Obligation;
use crate::distribute::Distribution;
use crate::domain;
use crate::frames::Frames;
use crate::operators::Operators;
use crate::precision::{self, Growth, Level, Raised, Shape, Stage, Style};
use crate::preimage::Activity;
use crate::query::{Search, Stats, Step, Wanted};
use crate::refine::Trial;
use crate::schema;
use crate::settings::{Helps, Settings};
use crate::system::System;
use crate::tuning::Tuning;
use crate::turns::Turns;

/// The engine.
pub(crate) struct Euf {
    level: Level,
    helps: Helps,
}

impl Euf {
    pub fn new(settings: Settings) -> Self {
        Euf { level: Level::of(settings.precision), helps: settings.helps() }
    }
}

impl Engine for Euf {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        let (mut terms, blocks) = match task.encoded(run) {
            Ok(encoded) => encoded,
            Err(why) => return Ok(Verdict::Unknown(why)),
        };
        run.observer.phase("looking ahead");
        let mut turns = Turns::new();
        let mut cx = Context::new(task, &mut terms, blocks, run);
        let mut ahead = Ahead::new(&cx, self.helps.lookahead);
        if let Some(found) = ahead.look(&cx)? {
            return Ok(Verdict::Unsafe(found));
        }
        if self.level.shape == Shape::Bits
            && let Some(verdict) = turns.bits_alone(&mut cx, &mut ahead)?
        {
            return Ok(verdict);
        }
        let background = if self.helps.analysis { Invariants::new(&mut cx)? } else { Invariants::none(blocks) };
        run.observer.phase("frames");
        let may_suffice = self.helps.background && matches!(self.level.style, Style::Needed);
        if may_suffice && suffice(&cx, &background)? {
            return by_background(&mut cx, &background);
        }
        // From here on what the search over words spends is limited by its turns, if it has to share.
        let limit = if self.level.shape == Shape::Both { Tuning::DEFAULT.first_turn_ticks } else { u64::MAX };
        let own_budget = run.budget.part(limit);
        let own_run = Run { budget: &own_budget, ..*run };
        let mut plain_terms = terms.clone();
        let system = System::new(&task.program, &terms, blocks);
        let conditions = blocks.blocks.iter().flat_map(|block| &block.exits);
        let roots: Vec<Term> =
            conditions.flat_map(|exit| exit.values.iter().map(|&(_, value)| value).chain([exit.guard])).collect();
        let has_products = precision::has_products(&terms, &roots);
        let growth = Growth::new(&terms, &roots);
        let has_arrays = domain::has_arrays(&terms, &roots);
        let mut search = Search {
            task,
            blocks,
            run: &own_run,
            terms,
            system,
            frames: Frames::new(blocks.cutpoints.len()),
            solver: Solver::new(),
            raised: Raised::new(self.level.first),
            may_rise: self.level.may_rise,
            has_background: self.helps.background,
            has_products,
            roots,
            predicates: None,
            relation: None,
            background,
            growth,
            has_news: false,
            distribution: Distribution::default(),
            n_lemmas: 0,
            operators: Operators::default(),
            activity: Activity::new(),
            everywhere: Vec::new(),
            has_arrays,
            exported: FastMap::new(),
            stats: Stats::default(),
        };
        match self.level.style {
            Style::Needed => {}
            Style::Predicates => search.predicates = Some(search.first_predicates()),
            Style::Arrangement => search.relation = Some(search.first_relation()),
        }
        search.restart(self.level.first)?;
        if self.helps.background {
            search.import_lemmas();
        }
        let verdict = match self.level.shape {
            Shape::Both => turns.take(&mut search, &mut ahead, &mut Context::new(task, &mut plain_terms, blocks, run)),
            Shape::Words | Shape::Bits => search.verdict(&mut ahead),
        };
        search.report();
        verdict
    }
}

/// Whether what is known before the search, asserted as it is, excludes every error. Under a switch, as in frames, equations cannot be put
/// in for variables, and what is easy may be hard.
fn suffice(cx: &Context<'_>, background: &Invariants) -> Result<bool, Stopped> {
    let blocks = cx.blocks;
    for (from, block) in blocks.blocks.iter_enumerated() {
        let is_error = |exit: &&encode::Exit| matches!(blocks.cutpoints[exit.to].kind, CutKind::Error(_));
        for exit in block.exits.iter().filter(is_error) {
            let mut solver = Solver::new();
            blocks.axioms.iter().chain(&background.at[from]).for_each(|&fact| solver.assert(fact));
            let part = cx.run.budget.part(Tuning::DEFAULT.background_query_ticks);
            let answer = solver.check(cx.terms, &Query::assuming(&[exit.guard]), &part);
            let is_excluded = matches!(answer, Ok(Answer::Unsat(_)));
            if let Err(Stopped::Cancelled) = answer {
                return Err(Stopped::Cancelled);
            }
            if !is_excluded {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn by_background(cx: &mut Context<'_>, background: &Invariants) -> Result<Verdict, Stopped> {
    Ok(Verdict::Safe(Box::new(evidence::inductive(cx, Vec::new(), background)?)))
}

impl Search<'_> {
    pub fn verdict(&mut self, ahead: &mut Ahead) -> Result<Verdict, Stopped> {
        loop {
            if let Some(verdict) = self.strengthen(ahead)? {
                return Ok(verdict);
            }
            self.frames.top += 1;
            self.run.observer.progress(format!("no error within {} steps", self.frames.top - 1));
            self.report();
            if let Some(invariants) = self.propagate()? {
                let cx = &mut Context::new(self.task, &mut self.terms, self.blocks, self.run);
                let mut proof = evidence::inductive(cx, invariants, &self.background)?;
                if self.raised.stage == Stage::Functions && self.stats.operator_lemmas > 0 {
                    schema::add_sums(&mut proof, &self.terms, &self.roots);
                }
                if self.raised.stage < Stage::Bits {
                    self.operators.name_in(&self.terms, &mut proof);
                }
                return Ok(Verdict::Safe(Box::new(proof)));
            }
            self.exchange()?;
        }
    }
    /// Blocks everything that leads into an error in one step from the top frame.
    fn strengthen(&mut self, ahead: &mut Ahead) -> Result<Option<Verdict>, Stopped> {
        for number in 0..self.system.errors.len() {
            let (edge, assertion) = self.system.errors[number];
            if let Some(found) = ahead.look(&self.cx())? {
                return Ok(Some(Verdict::Unsafe(found)));
            }
            loop {
                if std::mem::take(&mut self.has_news) {
                    let cx = &mut Context::new(self.task, &mut self.terms, self.blocks, self.run);
                    if suffice(cx, &self.background)? {
                        return by_background(cx, &self.background).map(Some);
                    }
                }
                let step = self.step(edge, None, self.frames.top, false, Wanted::States)?;
                let Step::Possible(preimage) = step else { break };
                let preimage = preimage.expect("wanted states are returned");
                let obligation = Obligation::new(preimage.cube, edge, preimage.is_rough);
                let blocked = self.block(obligation, assertion)?;
                if let Some(found) = ahead.look(&self.cx())? {
                    return Ok(Some(Verdict::Unsafe(found)));
                }
                let Some(path) = blocked else { continue };
                if self.relation.is_some() && self.learn_one_step(&path)? {
                    self.stats.refinements += 1;
                    continue;
                }
                let trial = self.try_out(&path)?;
                self.stats.refinements += u64::from(matches!(trial, Trial::Refined(_) | Trial::Stuck));
                match trial {
                    Trial::Real(found) => return Ok(Some(Verdict::Unsafe(found))),
                    Trial::Refined(_) | Trial::Stuck if self.relation.is_some() => {
                        if !self.learn_forward(&path)? {
                            let why = "no lemma about operators was found that is new";
                            return Ok(Some(Verdict::Unknown(Why::new(Code::NoProgress, why))));
                        }
                    }
                    Trial::Refined(_) if !self.may_rise => {
                        let why = "a counterexample that reading operators in bits would rule out";
                        return Ok(Some(Verdict::Unknown(Why::new(Code::NoProgress, why))));
                    }
                    Trial::Refined(stage) => self.restart(stage)?,
                    Trial::Unconfirmed(why) => return Ok(Some(Verdict::Unknown(why))),
                    Trial::Stuck if self.predicates.is_some() => {
                        if !self.learn_predicates(&path)? {
                            let why = "no interpolants bring a predicate that is new";
                            return Ok(Some(Verdict::Unknown(Why::new(Code::NoProgress, why))));
                        }
                    }
                    Trial::Stuck if self.may_rise && self.raised.stage < Stage::Bits => {
                        self.restart(self.raised.stage.next())?
                    }
                    Trial::Stuck => {
                        let why = if path.is_rough {
                            "a step could not be described exactly"
                        } else {
                            "an abstract counterexample could not be ruled out"
                        };
                        return Ok(Some(Verdict::Unknown(Why::new(Code::NoProgress, why))));
                    }
                }
            }
        }
        Ok(None)
    }
    /// Reports the counters.
    pub fn report(&self) {
        for (name, _, value) in self.stats.entries() {
            self.run.observer.count(name, value);
        }
        self.run.observer.count("levels", u64::from(self.frames.top));
    }
}
