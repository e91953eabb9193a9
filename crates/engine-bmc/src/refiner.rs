//! The oracle that refines: operators are functions at first, and only those that a spurious counterexample needs are read
//! in bits [HyvarinenEtAl-SAT'17].
//!
//! A model of the abstract formula is first tried as it is: its inputs are put through the real operators, and if
//! the question still has the answer yes, then it is yes, whatever the model thought on the way. Otherwise
//! the model gave some operator a wrong value; the heuristic chooses which to correct, and the same solver goes on,
//! with all it has learnt. Unlike the paper, that an operator is wrong is found by evaluating it, not by another
//! solver; and the terms of both readings are tied class by class inside the solver, not pair by pair. Where refinement takes
//! long, it takes turns with a solver that reads everything in bits (`plain`).

use base::{Budget, FastMap, Stopped};
use encode::Unrolling;
use engine::invariants::Source;
use engine::{Instance, Lemmas, Run};
use program::EdgeId;
use smt::{Answer, Evaluation, Model, Query, Reading, Solver, is_costly, is_site};
use term::{Op, Term, Terms, Value};

use crate::heuristics::{Heuristic, choose};
use crate::justify::justified;
use crate::minimal::minimal;
use crate::oracle::{Finding, Hints, Oracle, Values, Which, Worth};
use crate::plain::Plain;
use crate::schemas::Schemas;
use crate::sources::OVER_FUNCTIONS;
use crate::statements::Statements;
use crate::tuning::Tuning;

base::stats! {
    /// What refinement did.
    pub(crate) struct Stats {
        questions: "questions",
        rounds: "models looked at",
        confirmed: "models whose inputs did what the question asked",
        lemmas: "instances of lemma schemas",
        instances: "operators stated for one value",
    }
}

/// A solver with statements to refine.
pub(crate) struct Refiner {
    solver: Solver,
    pub statements: Statements,
    heuristic: Heuristic,
    /// Edges that are refined from the start.
    chosen: Vec<EdgeId>,
    /// What models must respect.
    pub assumed: Vec<Term>,
    /// What was found impossible, with the number of assumptions at the time.
    pub refuted: Vec<(usize, Term)>,
    /// How much had been found impossible when the last step began.
    pub before_last_step: usize,
    /// The one to take turns with; none for the paper's heuristics.
    plain: Option<Plain>,
    schemas: Schemas,
    /// Lemmas about operators that other engines exported, and those of them that were needed here.
    imported: (Lemmas, Vec<Term>),
    /// What was asserted of costly operators: valid, whatever the values.
    pub instances: Vec<Term>,
    /// How often a costly operator was stated for one value.
    stated: FastMap<Term, u32>,
    /// Terms of the assumptions, and how many of those were looked at.
    background: Vec<Term>,
    n_background: usize,
    /// How many refined statements are enough, if they were minimised.
    pub smallest: Option<usize>,
    pub stats: Stats,
}

/// An answer, with the values of the cone.
pub(crate) enum Outcome {
    Unsat,
    Sat(FastMap<Term, Value>),
    Unknown(&'static str),
}

/// What to do about a spurious model.
enum Correction {
    /// Read these operators in bits.
    Raise(Vec<Term>),
    /// This costly operator has a wrong value: its arguments' values, and its own.
    Costly(Term, [Value; 3]),
    /// Nothing is wrong with it.
    Nothing,
}

impl Refiner {
    pub fn new(heuristic: Heuristic, chosen: &[EdgeId]) -> Self {
        let mut solver = Solver::with_reading(Reading::Uninterpreted);
        solver.set_evaluation(match heuristic {
            Heuristic::Paper { .. } => Evaluation::Never,
            Heuristic::Justified | Heuristic::Flat => Evaluation::Sparingly,
        });
        Refiner {
            solver,
            statements: Statements::default(),
            heuristic,
            chosen: chosen.to_vec(),
            assumed: Vec::new(),
            refuted: Vec::new(),
            before_last_step: 0,
            plain: (heuristic == Heuristic::Justified).then(Plain::new),
            instances: Vec::new(),
            smallest: None,
            schemas: Schemas::default(),
            imported: (Lemmas::default(), Vec::new()),
            stated: FastMap::new(),
            background: Vec::new(),
            n_background: 0,
            stats: Stats::default(),
        }
    }
    /// Whether some operator of the statement is read in bits.
    pub fn is_refined(&self, statement: u32) -> bool {
        if self.plain.as_ref().is_some_and(|plain| plain.has_used(statement)) {
            return true;
        }
        let sites = &self.statements.list[statement as usize].sites;
        sites.iter().any(|&site| self.solver.precision().reading(site) == Reading::Bits)
    }
    /// The statements some operators of which are read in bits, in program order.
    pub fn refined(&self) -> Vec<u32> {
        (0..self.statements.list.len() as u32).filter(|&statement| self.is_refined(statement)).collect()
    }
    fn raise(&mut self, terms: &Terms, sites: &[Term]) {
        for &site in sites {
            self.solver.raise(terms, site);
        }
    }
    /// What the question is about: all terms below its roots.
    fn cone(&mut self, terms: &Terms, condition: Term) -> Vec<Term> {
        if self.n_background < self.assumed.len() {
            self.background = terms.subterms(&self.assumed);
            self.n_background = self.assumed.len();
        }
        let background = &self.background;
        let mut cone = terms.subterms_until(&[condition], |term| background.binary_search(&term).is_ok());
        cone.extend(background);
        cone.sort_unstable();
        cone
    }
    fn correction(&mut self, terms: &Terms, condition: Term, cone: &[Term], most: usize) -> Correction {
        let Refiner { solver, statements, heuristic, assumed, .. } = self;
        let mut model = solver.model(terms).expect("the last answer was a model");
        let is_open = |site: Term| solver.precision().reading(site) == Reading::Uninterpreted;
        if let Heuristic::Paper { backward, simultaneous, dependency } = *heuristic {
            let open = |&number: &u32| statements.list[number as usize].sites.iter().any(|&site| is_open(site));
            let open: Vec<u32> = statements.among(cone).into_iter().filter(open).collect();
            let in_cone = |term: Term| cone.binary_search(&term).is_ok();
            let taken = choose(statements, &open, (backward, simultaneous, dependency), |number| {
                statements.is_violated(terms, number, &mut model, in_cone)
            });
            if !taken.is_empty() {
                let sites = taken.iter().flat_map(|&number| &statements.list[number as usize].sites);
                return Correction::Raise(sites.copied().collect());
            }
        }
        // Ours; and what belongs to no statement, whichever heuristic it is.
        let roots: Vec<Term> = assumed.iter().copied().chain([condition]).collect();
        let mut cheap = Vec::new();
        let mut costly = None;
        for site in justified(terms, &mut model, &roots) {
            if !is_site(terms.op(site)) || !is_open(site) || cheap.len() == most {
                continue;
            }
            let is_costly = is_costly(terms, site);
            if is_costly && costly.is_some() {
                continue;
            }
            let args: Vec<Value> = terms.args(site).iter().map(|&arg| model.value(arg)).collect();
            let own = model.value(site);
            if term::eval::operate(terms, site, &args).is_ok_and(|right| right == own) {
                continue;
            }
            match <[Value; 2]>::try_from(args) {
                Ok([left, right]) if is_costly => costly = Some((site, [left, right, own])),
                _ => cheap.push(site),
            }
        }
        match (cheap.is_empty(), costly) {
            (false, _) => Correction::Raise(cheap),
            (true, Some((site, values))) => Correction::Costly(site, values),
            (true, None) => Correction::Nothing,
        }
    }
    /// A costly operator is refined first by a lemma schema, then by its value for these arguments, and
    /// only then bit by bit.
    fn correct(&mut self, terms: &mut Terms, site: Term, values: &[Value; 3]) {
        if let Some(instance) = self.schemas.broken(terms, site, values) {
            self.stats.lemmas += 1;
            self.instances.push(instance);
            // The orders in it are its own: as functions they would say nothing, and the same instance would be broken again.
            let args = terms.args(site).to_vec();
            let within = terms.subterms_until(&[instance], |term| term == site || args.contains(&term));
            let orders: Vec<Term> = within.into_iter().filter(|&term| is_site(terms.op(term))).collect();
            self.raise(terms, &orders);
            return self.solver.assert(instance);
        }
        let stated = self.stated.get_or_insert_with(site, || 0);
        if *stated < Tuning::DEFAULT.max_value_instances
            && let Some(instance) = value_instance(terms, site, values)
        {
            *stated += 1;
            self.stats.instances += 1;
            self.instances.push(instance);
            return self.solver.assert(instance);
        }
        self.raise(terms, &[site]);
    }
    /// The answer of the faster of the two solvers. Where there are no operators, there is nothing to refine, and bits come first.
    fn in_turns(
        &mut self,
        terms: &mut Terms,
        condition: Term,
        cone: &[Term],
        worth: Worth,
        budget: &Budget,
    ) -> Result<Outcome, Stopped> {
        let has_statements = !self.statements.list.is_empty();
        let Some(plain) = &mut self.plain else { return self.refine(terms, condition, cone, worth, budget) };
        let was_plain = plain.is_ahead.unwrap_or(!has_statements);
        let mut is_plain = was_plain;
        let mut ticks = Tuning::DEFAULT.first_turn_ticks;
        loop {
            // The solver that was slower the last time gets less.
            let share = if is_plain == was_plain { ticks } else { ticks / 4 };
            let is_last = share >= budget.left();
            let turn = budget.part(share);
            let outcome = match (&mut self.plain, is_plain) {
                (Some(plain), true) => plain.ask(terms, condition, cone, &turn),
                _ => self.refine(terms, condition, cone, worth, &turn),
            };
            if is_last || !matches!(outcome, Err(Stopped::OutOfTicks)) {
                if let (Some(plain), Ok(answer)) = (&mut self.plain, &outcome) {
                    plain.is_ahead = Some(is_plain);
                    if is_plain && matches!(answer, Outcome::Unsat) {
                        plain.use_all(self.statements.among(cone));
                    }
                }
                return outcome;
            }
            is_plain = !is_plain;
            if is_plain == was_plain {
                ticks = ticks.saturating_mul(2);
            }
        }
    }
    /// The answer after as many rounds as it takes.
    fn refine(
        &mut self,
        terms: &mut Terms,
        condition: Term,
        cone: &[Term],
        worth: Worth,
        budget: &Budget,
    ) -> Result<Outcome, Stopped> {
        let mut round = 0;
        loop {
            match self.solver.check(terms, &Query::assuming(&[condition]), budget)? {
                Answer::Unsat(_) => return Ok(Outcome::Unsat),
                Answer::Unknown(why) => return Ok(Outcome::Unknown(why)),
                Answer::Sat(_) => {}
            }
            self.stats.rounds += 1;
            round += 1;
            budget.spend(cone.len() as u64)?;
            let known = self.concretely(terms, cone);
            let holds = |root: &Term| known.get(root) == Some(&Value::Bool(true));
            if holds(&condition) && self.assumed.iter().all(holds) {
                self.stats.confirmed += 1;
                return Ok(Outcome::Sat(known));
            }
            if worth == Worth::Little && round > Tuning::DEFAULT.cheap_query_rounds {
                return Ok(Outcome::Unknown("not worth more refinement"));
            }
            match self.correction(terms, condition, cone, 1 << round.min(16)) {
                Correction::Raise(sites) => {
                    let sites = self.not_refuted_by_imports(terms, &sites);
                    self.raise(terms, &sites);
                }
                Correction::Costly(site, values) => {
                    if !self.not_refuted_by_imports(terms, &[site]).is_empty() {
                        self.correct(terms, site, &values);
                    }
                }
                Correction::Nothing => {
                    // Only functions without an evaluation are left: the model's values count.
                    let mut model = self.solver.model(terms).expect("the last answer was a model");
                    return Ok(Outcome::Sat(whole(&mut model, cone)));
                }
            }
        }
    }
    /// Those of the operators for which no imported lemma refutes the model; the lemmas that do are asserted.
    fn not_refuted_by_imports(&mut self, terms: &mut Terms, sites: &[Term]) -> Vec<Term> {
        if self.imported.0.is_empty() {
            return sites.to_vec();
        }
        let said: Vec<Vec<Instance>> = sites.iter().map(|&site| self.imported.0.instances(terms, site)).collect();
        let mut model = self.solver.model(terms).expect("the last answer was a model");
        let mut rules_out = |instance: &Instance| !model.is_true(instance.formula);
        let is_refuted: Vec<bool> = said.iter().map(|instances| instances.iter().any(&mut rules_out)).collect();
        for instance in
            said.into_iter().zip(&is_refuted).filter(|(_, is_refuted)| **is_refuted).flat_map(|(said, _)| said)
        {
            self.stats.lemmas += 1;
            self.instances.push(instance.formula);
            self.solver.assert(instance.formula);
            if !self.imported.1.contains(&instance.lemma) {
                self.imported.1.push(instance.lemma);
            }
        }
        sites.iter().zip(is_refuted).filter(|(_, is_refuted)| !is_refuted).map(|(&site, _)| site).collect()
    }
    /// The values that all terms of the cone really have if the symbols have the model's.
    fn concretely(&self, terms: &Terms, cone: &[Term]) -> FastMap<Term, Value> {
        let mut model = self.solver.model(terms).expect("the last answer was a model");
        let mut known: FastMap<Term, Value> = FastMap::new();
        let mut args = Vec::new();
        for &term in cone {
            args.clear();
            for arg in terms.args(term) {
                args.push(known.get(arg).expect("arguments come first").clone());
            }
            let is_symbol = matches!(terms.op(term), Op::Symbol(_));
            let value = if is_symbol { None } else { term::eval::operate(terms, term, &args).ok() };
            let value = value.unwrap_or_else(|| model.value(term));
            known.insert(term, value);
        }
        known
    }
}

impl Oracle for Refiner {
    const TRACKS_STATEMENTS: bool = true;
    const SOURCES: &'static [Source] = OVER_FUNCTIONS;
    fn fresh(&self) -> Self {
        let mut fresh = Refiner::new(self.heuristic, &self.chosen);
        fresh.imported.0 = self.imported.0.anew();
        fresh
    }
    fn track_step(&mut self, terms: &Terms, unrolling: &Unrolling) {
        self.before_last_step = self.refuted.len();
        let first = self.statements.list.len();
        self.statements.track_step(terms, unrolling);
        let sites: Vec<Term> = self.statements.list[first..]
            .iter()
            .filter(|statement| statement.edge.is_some_and(|edge| self.chosen.contains(&edge)))
            .flat_map(|statement| statement.sites.clone())
            .collect();
        self.raise(terms, &sites);
    }
    fn assume(&mut self, formula: Term) {
        self.note(formula);
        self.assumed.push(formula);
    }
    fn note(&mut self, formula: Term) {
        self.solver.assert(formula);
        if let Some(plain) = &mut self.plain {
            plain.assert(formula);
        }
    }
    fn ask<'s>(
        &'s mut self,
        terms: &'s mut Terms,
        condition: Term,
        worth: Worth,
        budget: &Budget,
    ) -> Result<Finding<'s>, Stopped> {
        self.stats.questions += 1;
        let cone = self.cone(terms, condition);
        Ok(match self.in_turns(terms, condition, &cone, worth, budget)? {
            Outcome::Unsat => {
                self.refuted.push((self.assumed.len(), condition));
                Finding::Unsat
            }
            Outcome::Sat(known) => Finding::Sat(Box::new(Known { terms, known })),
            Outcome::Unknown(why) => Finding::Unknown(why),
        })
    }
    fn hints(&self) -> Hints {
        let edges = self.refined().into_iter().filter_map(|number| self.statements.list[number as usize].edge);
        let mut precise: Vec<EdgeId> = edges.collect();
        precise.sort_unstable();
        precise.dedup();
        let lemmas = self.schemas.used.iter().chain(&self.imported.1).copied().collect();
        Hints { precise, lemmas }
    }
    fn n_refined(&self) -> usize {
        self.refined().len()
    }
    fn learn_lemma(&mut self, terms: &Terms, lemma: Term) {
        self.imported.0.add(terms, lemma);
    }
    fn fewest_hints(&mut self, terms: &Terms, which: Which, run: &Run<'_>) -> Result<Hints, Stopped> {
        minimal(terms, self, which, run)
    }
    fn figures(&self) -> Vec<(&'static str, u64)> {
        let refined = self.smallest.unwrap_or_else(|| self.refined().len());
        let mut figures =
            vec![("statements", self.statements.list.len() as u64), ("statements refined", refined as u64)];
        figures.extend(self.stats.entries().into_iter().map(|(name, _, value)| (name, value)));
        figures
    }
}

pub(crate) fn whole(model: &mut Model<'_>, cone: &[Term]) -> FastMap<Term, Value> {
    let mut known = FastMap::new();
    for &term in cone {
        known.insert(term, model.value(term));
    }
    known
}

/// For these values of the arguments, the operator has this value.
fn value_instance(terms: &mut Terms, site: Term, values: &[Value; 3]) -> Option<Term> {
    let [Value::Bits(left), Value::Bits(right), _] = values else { return None };
    let &[x, y] = terms.args(site) else { return None };
    let Ok(Value::Bits(result)) = term::eval::operate(terms, site, &values[..2]) else { return None };
    let [left, right, result] = [left, right, &result].map(|bits| terms.bits(bits.clone()));
    let (a, b, c) = (terms.eq(x, left), terms.eq(y, right), terms.eq(site, result));
    let premise = terms.and(&[a, b]);
    Some(terms.implies(premise, c))
}

/// Values of terms from those that are known; symbols that nothing is known of have some value.
struct Known<'a> {
    terms: &'a Terms,
    known: FastMap<Term, Value>,
}

impl Values for Known<'_> {
    fn value(&mut self, term: Term) -> Value {
        for sub in self.terms.subterms_until(&[term], |term| self.known.contains_key(&term)) {
            let args: Vec<Value> = self.terms.args(sub).iter().map(|arg| self.known[arg].clone()).collect();
            let value = match self.terms.op(sub) {
                Op::Symbol(_) => None,
                _ => term::eval::operate(self.terms, sub, &args).ok(),
            };
            let value = value.unwrap_or_else(|| Value::any(self.terms, self.terms.sort_of(sub)));
            self.known.insert(sub, value);
        }
        self.known[&term].clone()
    }
}
