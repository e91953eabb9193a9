//! One step asked of the solver: can a state of the frame before an edge take it into the cube behind?

use std::cmp::Reverse;

use base::{FastMap, Stopped};
use engine::{Context, Invariants, Run, Task};
use smt::{Answer, Query, Solver};
use term::{Term, Terms};

use encode::{Blocks, Cut};

use crate::cube::Cube;
use crate::distribute::Distribution;
use crate::frames::Frames;
use crate::lemmas::FOREVER;
use crate::next::Relation;
use crate::operators::Operators;
use crate::paper;
use crate::precision::{Growth, Raised, Stage};
use crate::predicates::Predicates;
use crate::preimage::{self, Preimage, Projected};
use crate::system::{EdgeNo, System};
use crate::tuning::Tuning;

/// The whole state of the search.
pub(crate) struct Search<'a> {
    pub task: &'a Task,
    pub blocks: &'a Blocks,
    pub run: &'a Run<'a>,
    pub terms: Terms,
    pub system: System,
    pub frames: Frames,
    pub solver: Solver,
    pub raised: Raised,
    /// Whether operators may come to be read in bits.
    pub may_rise: bool,
    /// Whether the program has products or quotients.
    pub has_products: bool,
    /// What the program computes.
    pub roots: Vec<Term>,
    /// What cubes speak of, if it is not what steps need.
    pub predicates: Option<Predicates>,
    /// Steps over next-state symbols with their lemmas, if cubes and refinement are the paper's.
    pub relation: Option<Relation>,
    pub background: Invariants,
    /// Whether relations are found and facts of other engines imported.
    pub has_background: bool,
    pub growth: Growth,
    /// Whether relations were found since errors were last held against what is known.
    pub has_news: bool,
    pub distribution: Distribution,
    /// Facts about operators learnt at this stage.
    pub n_lemmas: u32,
    /// What is known of operators beside that.
    pub operators: Operators,
    pub activity: preimage::Activity,
    /// What was asserted without a switch at this stage.
    pub everywhere: Vec<Term>,
    /// Whether the program has arrays.
    pub has_arrays: bool,
    /// Exported invariants and predicates.
    pub exported: FastMap<(Cut, Term), ()>,
    pub stats: Stats,
}

base::stats! {
    /// What the search did.
    pub(crate) struct Stats {
        steps: "steps asked of the solver",
        queries: "questions to the solver: steps, and whether a frame excludes a cube",
        obligations: "obligations",
        lemmas: "cubes blocked",
        literals_before: "literals of blocked cubes",
        literals_after: "literals of lemmas",
        ranges: "values of blocked cubes that became ranges",
        refinements: "spurious abstract counterexamples",
        one_step_lemmas: "facts about one step, learnt from its cubes",
        forward_lemmas: "facts about steps, learnt from paths",
        predicates: "predicates, where cubes speak of nothing else",
        operator_lemmas: "facts about operators that the simplifier gave",
        distributed_sums: "sums moved into the branches of what they add to",
    }
}

/// What to return for a step that is possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// The states from which it is.
    States,
    /// Nothing more: it is only tried whether a cube can be smaller.
    Answer,
}

/// Whether a cube can be entered over an edge.
pub(crate) enum Step {
    /// From these states it can, if they are wanted.
    Possible(Option<Preimage>),
    /// It cannot: the literals of the cube that are needed to see it, and the lowest level of lemmas that is.
    Impossible { needed: Vec<Term>, level: u32 },
}

/// The assumptions of a step.
struct Assumed {
    /// Switches of the frame, then the guard of the edge and the target.
    assumptions: Vec<Term>,
    /// Where the guard is.
    first_goal: usize,
    /// The literals of the target, each as it is assumed.
    back: Vec<(Term, Term)>,
    /// What has to be decided and justified beside that.
    relation: Vec<Term>,
}

impl Search<'_> {
    /// For the parts that are not a search of their own.
    pub fn cx(&mut self) -> Context<'_> {
        Context::new(self.task, &mut self.terms, self.blocks, self.run)
    }
    /// Goes on at this stage with a new solver; all that was learnt stays true, since steps only become fewer.
    pub fn restart(&mut self, stage: Stage) -> Result<(), Stopped> {
        if stage > Stage::Functions && self.predicates.is_none() && self.has_background {
            // Arithmetic matters.
            let cx = &mut Context::new(self.task, &mut self.terms, self.blocks, self.run);
            let news = self.background.relate(cx)?;
            self.has_news |= !news.is_empty();
            self.run.observer.phase("frames");
        }
        self.raised = Raised::new(stage);
        self.growth.reset();
        self.distribution = Distribution::default();
        self.solver = Solver::with_reading(stage.reading());
        self.solver.always_within_cone();
        self.everywhere = self.blocks.axioms.clone();
        if stage < Stage::Bits {
            self.everywhere.extend(self.operators.instances.iter().map(|instance| instance.formula));
        }
        let mut known = self.everywhere.clone();
        for (cut, fact) in self.background.all() {
            let switch = self.frames.switch(&mut self.terms, cut, FOREVER);
            known.push(self.terms.implies(switch, fact));
        }
        known.extend(self.frames.clauses(&mut self.terms));
        for formula in known {
            self.raised.prepare(&self.terms, &mut self.solver, formula);
            self.solver.assert(formula);
        }
        Ok(())
    }
    /// Asks whether a state of the frame `level` (0: any state, for the entry) can take the edge into the cube.
    /// `outside`: only from states outside the cube, which makes the question one of relative induction.
    pub fn step(
        &mut self,
        edge: EdgeNo,
        target: Option<&Cube>,
        level: u32,
        outside: bool,
        wanted: Wanted,
    ) -> Result<Step, Stopped> {
        loop {
            if let Some(step) = self.ask(edge, target, level, outside, wanted)? {
                return Ok(step);
            }
        }
    }
    /// None if something was learnt and the question should be asked again.
    fn ask(
        &mut self,
        edge: EdgeNo,
        target: Option<&Cube>,
        level: u32,
        outside: bool,
        wanted: Wanted,
    ) -> Result<Option<Step>, Stopped> {
        self.stats.steps += 1;
        self.stats.queries += 1;
        if self.stats.steps.is_multiple_of(Tuning::DEFAULT.steps_per_report) {
            self.report();
        }
        self.run.budget.spend(1)?;
        let from = self.system.edges[edge].from;
        let Assumed { assumptions, first_goal, back, relation } = self.assumed(edge, target, level);
        let clause = match target {
            Some(cube) if outside && cube.at == from => Some(cube.negation(&mut self.terms)),
            _ => None,
        };
        for &goal in &assumptions[first_goal..] {
            self.raised.prepare(&self.terms, &mut self.solver, goal);
        }
        for &literal in clause.iter().flatten() {
            self.raised.prepare(&self.terms, &mut self.solver, literal);
        }
        let mut domain = self.domain(from, level);
        domain.iter_mut().for_each(|domain| domain.extend(&relation));
        let query = Query { assumptions: &assumptions, clause: clause.as_deref(), domain: domain.as_deref() };
        match self.solver.check(&self.terms, &query, self.run.budget)? {
            Answer::Unsat(refutation) => {
                let core = refutation.core().to_vec();
                let needed =
                    back.iter().filter(|(_, before)| core.contains(before)).map(|&(literal, _)| literal).collect();
                let switches = core.iter().filter_map(|&switch| self.frames.level_of(switch, from, level));
                Ok(Some(Step::Impossible { needed, level: switches.min().unwrap_or(FOREVER) }))
            }
            // What functions do not know of operators is learnt from models, where that has been of use.
            Answer::Sat(_) if wanted == Wanted::Answer && self.stats.operator_lemmas == 0 => {
                Ok(Some(Step::Possible(None)))
            }
            Answer::Sat(_) if self.predicates.is_some() => {
                let predicates = self.predicates.as_ref().expect("just seen");
                let cube = predicates.cube(&mut self.terms, &self.solver, from);
                Ok(Some(Step::Possible(Some(cube))))
            }
            Answer::Sat(mut model) => {
                if self.relation.is_some() {
                    let guard = &assumptions[first_goal..=first_goal];
                    let goals = [guard, &relation].concat();
                    let justified = preimage::justify(&self.terms, &mut model, &goals, &self.activity);
                    drop(model);
                    return Ok(Some(Step::Possible(Some(self.arranged(edge, target, &justified)))));
                }
                let goals = &assumptions[first_goal..];
                let justified = preimage::justify(&self.terms, &mut model, goals, &self.activity);
                drop(model);
                let inputs = &self.blocks.blocks[from].inputs;
                let state = &self.blocks.cutpoints[from].state;
                let state: Vec<Term> = state.iter().map(|&var| self.task.program.vars[var].term).collect();
                let preimage = preimage::project(&mut self.terms, &self.solver, from, &justified, inputs, &state);
                match preimage {
                    Projected::States(preimage) => {
                        self.assert_within(&preimage.cube, level)?;
                        Ok(Some(Step::Possible(Some(preimage))))
                    }
                    Projected::Lemmas(lemmas) => {
                        self.learn(&lemmas)?;
                        Ok(None)
                    }
                }
            }
            Answer::Unknown(_) => Err(Stopped::OutOfTicks),
        }
    }
    /// The cube of the paper.
    fn arranged(&mut self, edge: EdgeNo, target: Option<&Cube>, justified: &preimage::Justified) -> Preimage {
        let from = self.system.edges[edge].from;
        let literals = target.map_or(Vec::new(), |cube| cube.literals.clone());
        let target: Vec<Term> =
            literals.iter().map(|&literal| self.system.back(&mut self.terms, edge, literal)).collect();
        let inputs = &self.blocks.blocks[from].inputs;
        let relation = self.relation.as_ref().expect("only where steps are over next-state symbols");
        paper::arrange(&mut self.terms, &self.solver, relation, from, justified, inputs, &target)
    }
    /// The frame before the edge, the edge, and the target behind it.
    fn assumed(&mut self, edge: EdgeNo, target: Option<&Cube>, level: u32) -> Assumed {
        let from = self.system.edges[edge].from;
        let guard = self.system.edges[edge].guard;
        let mut assumptions = Vec::new();
        if from != self.system.entry {
            assumptions = self.frames.switches(&mut self.terms, from, level);
        }
        let literals = target.map_or(Vec::new(), |cube| self.useful_first(cube));
        if self.relation.is_some() {
            let step = self.next_step(edge, &literals);
            assumptions.push(step.switch);
            let first_goal = assumptions.len();
            assumptions.push(guard);
            assumptions.extend(&step.target);
            let back = literals.into_iter().zip(step.target).collect();
            return Assumed { assumptions, first_goal, back, relation: step.relation };
        }
        let first_goal = assumptions.len();
        assumptions.push(guard);
        let mut back = Vec::new();
        for literal in literals {
            let before = self.system.back(&mut self.terms, edge, literal);
            back.push((literal, before));
            assumptions.push(before);
        }
        Assumed { assumptions, first_goal, back, relation: Vec::new() }
    }
    /// The literals, those first that have been useful most: what is left out next comes last, so that the question then begins as
    /// this one does.
    fn useful_first(&self, cube: &Cube) -> Vec<Term> {
        let mut literals = cube.literals.clone();
        literals.sort_by_cached_key(|literal| Reverse((self.activity.get(literal).copied().unwrap_or(0), *literal)));
        literals
    }
    /// Facts about operators that functions do not have.
    fn learn(&mut self, lemmas: &[Term]) -> Result<(), Stopped> {
        assert!(self.raised.stage < Stage::Bits, "a model in bits satisfies what the simplifier makes of it");
        self.stats.operator_lemmas += lemmas.len() as u64;
        self.n_lemmas += 1;
        self.operators.note(lemmas);
        if self.may_rise && self.n_lemmas > Tuning::DEFAULT.max_operator_lemmas {
            self.n_lemmas = 0;
            return self.restart(self.raised.stage.next());
        }
        let mut all = lemmas.to_vec();
        for &lemma in lemmas {
            all.extend(self.distribution.instances(&mut self.terms, lemma));
        }
        self.stats.distributed_sums += (all.len() - lemmas.len()) as u64;
        for lemma in all {
            self.raised.prepare(&self.terms, &mut self.solver, lemma);
            self.solver.assert(lemma);
            self.everywhere.push(lemma);
        }
        Ok(())
    }
    /// Whether no state of the frame is in the cube.
    pub fn is_blocked(&mut self, cube: &Cube, level: u32) -> Result<bool, Stopped> {
        if self.frames.lemmas[cube.at].cover(cube, level) {
            return Ok(true);
        }
        self.stats.queries += 1;
        let mut assumptions = self.frames.switches(&mut self.terms, cube.at, level);
        assumptions.extend(&cube.literals);
        for &literal in &cube.literals {
            self.raised.prepare(&self.terms, &mut self.solver, literal);
        }
        let domain = self.domain(cube.at, level);
        let query = Query { assumptions: &assumptions, clause: None, domain: domain.as_deref() };
        let answer = self.solver.check(&self.terms, &query, self.run.budget)?;
        Ok(matches!(answer, Answer::Unsat(_)))
    }
}
