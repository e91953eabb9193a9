//! Safety: points, obligations and refutations put together.

use base::{Budget, FastMap, Stopped};
use program::{AssertionId, Point, Program};
use term::float::{Nans, Words};
use term::{Op, Term, Terms};
use verdict::{Code, Method, Proof};

use crate::Refusal;
use crate::block::Encoder;
use crate::claim::Named;
use crate::contracts;
use crate::encodings;
use crate::endless;
use crate::evidence::Evidence;
use crate::execution;
use crate::guards::Guard;
use crate::layout::Memory;
use crate::lemmas;
use crate::obligations::{Bad, Obligation, obligations};
use crate::points::Points;
use crate::refute::{Outcome, Refuted, Rung, in_step, refute};
use crate::slices::{Premises, Slice};
use crate::slots::Slots;
use crate::totals;
use crate::tuning::Tuning;
use crate::unrolling;

// law: a claim about at most one in this number of symbols is asked by itself first.
const SMALL_PART: usize = 2;

/// What was checked for a `SAFE`.
#[derive(Clone, Debug)]
pub struct Safety {
    /// How the invariants prove the program safe. Plain induction may do where more was claimed.
    pub method: Method,
    /// The obligations in order.
    pub obligations: Vec<Checked>,
    /// Lemmas that were proved.
    pub lemmas: usize,
    /// Nodes of the expanded program.
    pub points: usize,
}

/// An obligation that was checked.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Where the runs in question start.
    pub from: Point,
    /// Where they come to.
    pub to: Point,
    /// The assertion that would fail there; otherwise it is about the invariant.
    pub assertion: Option<AssertionId>,
    /// How much had to be read in bits.
    pub rung: Rung,
    /// Clauses on that rung.
    pub clauses: usize,
    /// Steps of the proof that was replayed.
    pub steps: usize,
}

/// Checks the proof by its method. If that fails, the invariant may still be inductive: a proof whose steps were counted on another form
/// of the program can have a wrong number of steps here, and an inductive invariant needs no number.
pub(crate) fn check(
    program: &Program,
    terms: &Terms,
    proof: &Proof,
    budget: &Budget,
    watch: &dyn Fn(usize),
) -> Result<Safety, Refusal> {
    if proof.method.is_by_runs() {
        return by_runs(program, terms, proof, budget);
    }
    lemmas::prove(proof, budget)?;
    totals::prove(terms, proof, budget)?;
    let plain = Method::Induction { depth: 1 };
    // What runs without end lose is asked nowhere. Refused early, since obligations take time.
    // A program made of contracts ends where the recursion that they stand for may not.
    let is_bounded = matches!(proof.method, Method::Exhaustion { .. }) && proof.contracts.is_empty();
    let is_covered = endless::check(program, terms);
    if !is_bounded {
        is_covered.clone()?;
    }
    match check_by(proof.method, program, terms, proof, budget, watch) {
        Err(refusal @ (Refusal::Open { .. } | Refusal::Endless { .. })) if proof.method != plain => {
            // Induction says nothing about runs without end, so that this proof cannot be checked by it.
            is_covered?;
            check_by(plain, program, terms, proof, budget, watch).map_err(|_| refusal)
        }
        answer => answer,
    }
}

/// Executes the program, or the one that is made of contracts and rankings.
fn by_runs(program: &Program, terms: &Terms, proof: &Proof, budget: &Budget) -> Result<Safety, Refusal> {
    let is_changed = !proof.contracts.is_empty() || !proof.rankings.is_empty();
    let changed = if is_changed { contracts::subject(program, terms, proof)? } else { None };
    if changed.is_some() {
        // The runs that end here stand for runs whose recursion may not.
        endless::check(program, terms)?;
    }
    let (program, terms) = changed.as_ref().map_or((program, terms), |(program, terms)| (program, terms));
    let method = match proof.method {
        Method::Unrolling { .. } => unrolling::check(program, terms, proof, budget)?,
        method => execution::check(program, terms, method, budget)?,
    };
    Ok(Safety { method, obligations: Vec::new(), lemmas: 0, points: 0 })
}

fn check_by(
    method: Method,
    program: &Program,
    terms: &Terms,
    proof: &Proof,
    budget: &Budget,
    watch: &dyn Fn(usize),
) -> Result<Safety, Refusal> {
    let mut safety = Safety { method, obligations: Vec::new(), lemmas: proof.lemmas.len(), points: 0 };
    for_each_obligation(program, terms, proof, method, budget, &mut |encoder, obligation| {
        safety.points = encoder.points.hops.len();
        let (from, to, assertion) = ends(encoder.points, &obligation);
        match refute_by_slices(proof, encoder, &obligation, budget)? {
            Outcome::Refuted(refuted) => {
                let (rung, clauses, steps) = (refuted.rung, refuted.clauses, refuted.steps);
                safety.obligations.push(Checked { from, to, assertion, rung, clauses, steps });
                watch(safety.obligations.len());
                Ok(())
            }
            Outcome::Open(_) if matches!(obligation.bad, Bad::TooLong(_)) => {
                Err(Refusal::Endless { to, steps: obligation.steps })
            }
            // Passes take an older object of the same name for the one that lives.
            Outcome::Open(_) if !encoder.memory.stale.is_empty() => {
                let what = "a pointer to an object whose block or function may have ended";
                Err(Refusal::unknown(Code::StackAddress, what, None))
            }
            Outcome::Open(model) => {
                let model = model.into_iter().map(|(term, value)| (name(&encoder.own, term), value)).collect();
                Err(Refusal::Open { from, to, assertion, steps: obligation.steps, model })
            }
            Outcome::TooLarge => {
                Err(Refusal::unknown(Code::EvidenceSize, "an obligation that is too large to check", None))
            }
            Outcome::BadProof(why) => Err(Refusal::BadProof(format!("the proof of an obligation is wrong: {why:?}"))),
        }
    })?;
    Ok(safety)
}

/// Refutes an obligation by small questions if that works out, otherwise as a whole.
fn refute_by_slices(
    proof: &Proof,
    encoder: &mut Encoder<'_>,
    obligation: &Obligation,
    budget: &Budget,
) -> Result<Outcome, Refusal> {
    let mut all = Refuted { rung: Rung::Equality, clauses: 0, steps: 0 };
    let is_impossible = encoder.own.op(obligation.claim) == Op::False;
    let mut ways = obligation.ways.clone();
    if is_impossible && ways.len() > 1 {
        ways = open_ways(proof, encoder, obligation, &mut all, budget)?;
    }
    if ways.is_empty() {
        return Ok(Outcome::Refuted(all));
    }
    let (conjuncts, claims) = premises_and_claims(encoder, obligation, &ways);
    let premises = Premises::new(&encoder.own, &mut encoder.symbols, &conjuncts);
    match (Questions { proof, encoder, premises, all: &mut all }).ask_all(claims, budget)? {
        Some(outcome) => Ok(outcome),
        None => {
            let formulas = obligation.formulas(encoder);
            refute_with_lemmas(proof, encoder, &formulas, budget)
        }
    }
}

/// Ways that should not be taken are asked one by one where little is needed for each; returns the others. Ways have most
/// of their conditions in common, so the premises of all of them are sorted by symbol once.
fn open_ways(
    proof: &Proof,
    encoder: &mut Encoder<'_>,
    obligation: &Obligation,
    all: &mut Refuted,
    budget: &Budget,
) -> Result<Vec<Guard>, Refusal> {
    let Encoder { own, guards, symbols, .. } = &mut *encoder;
    let mut formulas = own.conjuncts(&obligation.assumed);
    // By premise: the guard that has it; none of what holds in all runs.
    let mut owners: Vec<Option<Guard>> = vec![None; formulas.len()];
    let mut seen: FastMap<Guard, ()> = FastMap::new();
    for &way in &obligation.ways {
        // What is above a guard that was seen was seen with it.
        for guard in guards.upwards(way).take_while(|&guard| seen.insert(guard, ()).is_none()) {
            formulas.extend(own.conjuncts(&[guards.condition(guard)]));
            owners.resize(formulas.len(), Some(guard));
        }
    }
    let premises = Premises::new(own, symbols, &formulas);
    // By guard: the last way that it was found on, counted from one.
    let mut marks = vec![0; guards.len()];
    let mut questions = Questions { proof, encoder, premises, all };
    let mut open = Vec::new();
    for (number, &way) in obligation.ways.iter().enumerate() {
        let Encoder { own, guards, .. } = &mut *questions.encoder;
        for guard in guards.upwards(way) {
            marks[guard.index()] = number + 1;
        }
        let last = own.conjuncts(&[guards.condition(way)]).pop();
        let claim = last.map(|last| own.not(last));
        let is_on_way = |premise: usize| owners[premise].is_none_or(|guard| marks[guard.index()] == number + 1);
        if !claim.map_or(Ok(false), |claim| questions.is_soon_shown(claim, &is_on_way, budget))? {
            open.push(way);
        }
    }
    Ok(open)
}

/// What holds in runs that take one of these ways, and what should follow.
fn premises_and_claims(encoder: &mut Encoder<'_>, obligation: &Obligation, ways: &[Guard]) -> (Vec<Term>, Vec<Term>) {
    let premises = obligation.premises(encoder, ways);
    let own = &mut encoder.own;
    let mut conjuncts = own.conjuncts(&premises);
    conjuncts.retain(|&conjunct| own.op(conjunct) != Op::True);
    let claims = match own.op(obligation.claim) {
        // That there is no such run is the claim that its last condition does not hold, if it has one.
        Op::False => vec![conjuncts.pop().map_or(obligation.claim, |last| own.not(last))],
        _ => own.conjuncts(&[obligation.claim]),
    };
    (conjuncts, claims)
}

/// The small questions of an obligation.
struct Questions<'q, 'e> {
    proof: &'q Proof,
    encoder: &'q mut Encoder<'e>,
    premises: Premises<'q>,
    /// What has been shown so far.
    all: &'q mut Refuted,
}

impl Questions<'_, '_> {
    /// Shows each claim, or that no run is there at all. `None` if neither works out.
    fn ask_all(&mut self, claims: Vec<Term>, budget: &Budget) -> Result<Option<Outcome>, Refusal> {
        // Where claims mention the same things, one question is smaller than the questions about each.
        if let Some(size) = self.size_if_smaller(&claims) {
            let everything = self.premises.everything();
            let question = self.question(&everything, &claims);
            if let Some(outcome) = self.ask(&question, Tuning::DEFAULT.claim_ticks * size as u64, budget)? {
                return Ok(Some(outcome)); // Nothing was left out: a model is one of the obligation.
            }
        }
        // Claims about little may need little.
        let mut rest = Vec::new();
        for claim in claims {
            if !self.is_soon_shown(claim, &|_| true, budget)? {
                rest.push(claim);
            }
        }
        if rest.is_empty() {
            return Ok(Some(Outcome::Refuted(*self.all)));
        }
        if let [claim] = rest[..] {
            return self.ask_one(claim, budget);
        }
        // Together they are one search, and each by itself is a smaller one: which is less shows only when it is tried.
        let everything = self.premises.everything();
        let question = self.question(&everything, &rest);
        let ticks = Tuning::DEFAULT.claim_ticks * rest.len() as u64 * self.encoder.own.size(&question) as u64;
        if let Some(outcome) = self.ask(&question, ticks, budget)? {
            return Ok(Some(outcome));
        }
        for claim in rest {
            match self.ask_one(claim, budget)? {
                Some(Outcome::Refuted(_)) => {}
                other => return Ok(other),
            }
        }
        Ok(Some(Outcome::Refuted(*self.all)))
    }
    /// The size of the question about all claims with all premises, if it is smaller than the first questions about each together.
    fn size_if_smaller(&mut self, claims: &[Term]) -> Option<usize> {
        let everything = self.premises.everything();
        let whole = self.premises.formulas(&everything);
        let own = &self.encoder.own;
        let size = own.size(&[&whole[..], claims].concat());
        let mut one_by_one = 0;
        for &claim in claims {
            let symbols = self.encoder.symbols.of(own, claim);
            let mut formulas = self.premises.formulas(&self.premises.around(symbols));
            formulas.push(claim);
            one_by_one += own.size(&formulas);
            if one_by_one > size {
                return Some(size);
            }
        }
        None
    }
    /// Shows a claim with more and more premises. `None` if that does not work out.
    fn ask_one(&mut self, claim: Term, budget: &Budget) -> Result<Option<Outcome>, Refusal> {
        let symbols = self.encoder.symbols.of(&self.encoder.own, claim).to_vec();
        let mut slice = self.premises.around(&symbols);
        let mut asked = slice.premises.len();
        let mut grows = true;
        while grows {
            grows = self.premises.grow(&mut slice);
            // Each question is at least twice as large as the one before.
            if grows && slice.premises.len() < 2 * asked {
                continue;
            }
            asked = slice.premises.len();
            if asked == self.premises.len() {
                return self.ask_whole(&slice, &[claim], budget).map(Some);
            }
            if self.is_shown(&slice, &[claim], Tuning::DEFAULT.slice_ticks, budget)? {
                return Ok(Some(Outcome::Refuted(*self.all)));
            }
        }
        // A run that cannot be is no run that breaks a claim.
        let others = self.premises.others(&slice);
        let is_dead = !others.is_empty() && self.is_contradiction(&others, Tuning::DEFAULT.slice_ticks, budget)?;
        Ok(is_dead.then_some(Outcome::Refuted(*self.all)))
    }
    /// Whether the claim is about little and follows from the premises that speak of nothing else, of those that may be used.
    fn is_soon_shown(
        &mut self,
        claim: Term,
        may_use: &dyn Fn(usize) -> bool,
        budget: &Budget,
    ) -> Result<bool, Refusal> {
        let symbols = self.encoder.symbols.of(&self.encoder.own, claim);
        let is_small = symbols.len() * SMALL_PART <= self.premises.n_symbols();
        let slice = self.premises.around_of(symbols, may_use);
        Ok(is_small && self.is_shown(&slice, &[claim], Tuning::DEFAULT.first_slice_ticks, budget)?)
    }
    /// Nothing is left out, so the answer is final.
    fn ask_whole(&mut self, slice: &Slice, claims: &[Term], budget: &Budget) -> Result<Outcome, Refusal> {
        let formulas = self.question(slice, claims);
        Ok(match refute_with_lemmas(self.proof, self.encoder, &formulas, budget)? {
            Outcome::Refuted(one) => {
                self.all.add(one);
                Outcome::Refuted(*self.all)
            }
            outcome => outcome,
        })
    }
    fn question(&mut self, slice: &Slice, claims: &[Term]) -> Vec<Term> {
        let mut formulas = self.premises.formulas(slice);
        let claim = self.encoder.own.and(claims);
        formulas.push(self.encoder.own.not(claim));
        formulas
    }
    fn is_shown(&mut self, slice: &Slice, claims: &[Term], ticks: u64, budget: &Budget) -> Result<bool, Refusal> {
        let formulas = self.question(slice, claims);
        self.is_contradiction(&formulas, ticks, budget)
    }
    fn is_contradiction(&mut self, formulas: &[Term], ticks: u64, budget: &Budget) -> Result<bool, Refusal> {
        Ok(matches!(self.ask(formulas, ticks, budget)?, Some(Outcome::Refuted(_))))
    }
    /// What becomes of the formulas within this number of ticks; `None` if that does not work out.
    fn ask(&mut self, formulas: &[Term], ticks: u64, budget: &Budget) -> Result<Option<Outcome>, Refusal> {
        let part = budget.part(ticks);
        match refute_with_lemmas(self.proof, self.encoder, formulas, &part) {
            Ok(Outcome::Refuted(one)) => {
                self.all.add(one);
                Ok(Some(Outcome::Refuted(*self.all)))
            }
            Ok(outcome @ Outcome::Open(_)) => Ok(Some(outcome)),
            Ok(Outcome::TooLarge | Outcome::BadProof(_)) => Ok(None),
            Err(Refusal::Stopped(Stopped::OutOfTicks)) if budget.left() > 0 => Ok(None),
            Err(refusal) => Err(refusal),
        }
    }
}

fn refute_with_lemmas(
    proof: &Proof,
    encoder: &mut Encoder<'_>,
    formulas: &[Term],
    budget: &Budget,
) -> Result<Outcome, Refusal> {
    let lemmas = lemmas::instances(proof, &mut encoder.own, formulas, budget)?;
    // The last formula stays the last: it is the denied claim.
    let mut with_laws = encodings::laws(&mut encoder.own, formulas);
    with_laws.extend(totals::laws(proof, &mut encoder.own, formulas)?);
    with_laws.extend(formulas);
    let Encoder { own, precise_terms, invariant_terms, .. } = encoder;
    // Where the evidence names no edge, its invariants alone are no hint.
    let is_named = |term: Term| {
        let is_hint = |map: &FastMap<Term, ()>| map.contains_key(&term);
        !precise_terms.is_empty() && (is_hint(precise_terms) || is_hint(invariant_terms))
    };
    if !Words::apply_to(own, formulas) {
        return Ok(refute(own, &with_laws, &lemmas, &is_named, budget)?);
    }
    // Floats as functions are enough where nothing is computed; otherwise their circuits decide.
    let part = budget.part(in_step(Tuning::DEFAULT.float_function_ticks, own.size(formulas)));
    match refute(own, &with_laws, &lemmas, &is_named, &part) {
        Ok(Outcome::Refuted(one)) => return Ok(Outcome::Refuted(one)),
        Err(Stopped::OutOfTicks) if budget.left() == 0 => return Err(Stopped::OutOfTicks.into()),
        Ok(_) | Err(Stopped::OutOfTicks) => {}
        Err(stopped) => return Err(stopped.into()),
    }
    let mut in_words = |nans: Nans| {
        let mut words = Words::new(nans);
        let formulas: Vec<Term> = formulas.iter().map(|&formula| words.term(own, formula)).collect();
        refute(own, &formulas, &[], &|_| false, budget)
    };
    let outcome = in_words(Nans::Open)?;
    if matches!(outcome, Outcome::Open(_)) && matches!(in_words(Nans::Canonical)?, Outcome::Refuted(_)) {
        return Err(Refusal::unknown(
            Code::Floats,
            "what C leaves open: the bits of a NaN, the sign of a zero, or a float that does not fit the integer",
            None,
        ));
    }
    Ok(outcome)
}

/// Makes the obligations of the proof one by one.
pub(crate) fn for_each_obligation(
    program: &Program,
    terms: &Terms,
    proof: &Proof,
    method: Method,
    budget: &Budget,
    receive: &mut dyn FnMut(&mut Encoder<'_>, Obligation) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let changed = contracts::subject(program, terms, proof)?;
    let (program, terms) = changed.as_ref().map_or((program, terms), |(program, terms)| (program, terms));
    let mut points = Points::new(program)?;
    let evidence = Evidence::new(proof, &mut points)?;
    let named = proof.layout.as_ref().map(|layout| Named::new(layout, &mut points)).transpose()?;
    let cutpoints = evidence.invariants.keys().map(|&node| (node, ())).collect();
    points.explore(&cutpoints, &evidence.dead, budget)?;
    let slots = Slots::new(program, &points);
    let memory = Memory::new(program, terms, &points, &slots, evidence.storage(), named.as_ref(), budget)?;
    let precise: FastMap<_, ()> = {
        let mut map = FastMap::new();
        for &edge in &proof.precise {
            map.insert(edge, ());
        }
        map
    };
    let encoder = || Encoder::new(program, terms, &points, &slots, &memory, &precise);
    obligations(&evidence, method, encoder, budget, receive)
}

/// Where the runs of an obligation start and end, in the words of evidence.
pub(crate) fn ends(points: &Points<'_>, obligation: &Obligation) -> (Point, Point, Option<AssertionId>) {
    let (Bad::Broken(to) | Bad::Error(to) | Bad::TooLong(to)) = obligation.bad;
    (points.point(obligation.from), points.point(to), points.error(to))
}

fn name(own: &Terms, symbol: Term) -> String {
    match own.op(symbol) {
        Op::Symbol(symbol) => own.symbol_name(symbol).to_owned(),
        _ => String::new(),
    }
}
