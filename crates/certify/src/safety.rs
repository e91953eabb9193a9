//! Safety: points, obligations and refutations put together.

use base::{Budget, FastMap};
use program::{AssertionId, Point, Program};
use term::{Op, Term, Terms};
use verdict::{Code, Method, Proof};

use crate::Refusal;
use crate::block::Encoder;
use crate::endless;
use crate::evidence::Evidence;
use crate::execution;
use crate::layout::Memory;
use crate::lemmas;
use crate::obligations::{Bad, Obligation, obligations};
use crate::points::Points;
use crate::refute::{Outcome, Rung, refute};
use crate::slots::Slots;

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
pub(crate) fn check(program: &Program, terms: &Terms, proof: &Proof, budget: &Budget) -> Result<Safety, Refusal> {
    if proof.method.is_by_runs() {
        let method = execution::check(program, terms, proof.method, budget)?;
        return Ok(Safety { method, obligations: Vec::new(), lemmas: 0, points: 0 });
    }
    lemmas::prove(proof, budget)?;
    let plain = Method::Induction { depth: 1 };
    // What runs without end lose is asked nowhere. Refused early, since obligations take time.
    let is_bounded = matches!(proof.method, Method::Exhaustion { .. });
    let is_covered = endless::check(program, terms);
    if !is_bounded {
        is_covered.clone()?;
    }
    match check_by(proof.method, program, terms, proof, budget) {
        Err(refusal @ (Refusal::Open { .. } | Refusal::Endless { .. })) if proof.method != plain => {
            is_covered.and_then(|()| check_by(plain, program, terms, proof, budget)).map_err(|_| refusal)
        }
        answer => answer,
    }
}

fn check_by(
    method: Method,
    program: &Program,
    terms: &Terms,
    proof: &Proof,
    budget: &Budget,
) -> Result<Safety, Refusal> {
    let mut safety = Safety { method, obligations: Vec::new(), lemmas: proof.lemmas.len(), points: 0 };
    for_each_obligation(program, terms, proof, method, budget, &mut |encoder, obligation| {
        let lemmas = lemmas::instances(proof, &mut encoder.own, &obligation.formulas, budget)?;
        // Where the evidence names no edge, its invariants alone are no hint.
        let is_named = |term: Term| {
            let is_hint = |map: &FastMap<Term, ()>| map.contains_key(&term);
            !encoder.precise_terms.is_empty() && (is_hint(&encoder.precise_terms) || is_hint(&encoder.invariant_terms))
        };
        safety.points = encoder.points.hops.len();
        let (from, to, assertion) = ends(encoder.points, &obligation);
        match refute(&mut encoder.own, &obligation.formulas, &lemmas, &is_named, budget)? {
            Outcome::Refuted(refuted) => {
                let (rung, clauses, steps) = (refuted.rung, refuted.clauses, refuted.steps);
                safety.obligations.push(Checked { from, to, assertion, rung, clauses, steps });
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

/// Makes the obligations of the proof one by one.
pub(crate) fn for_each_obligation(
    program: &Program,
    terms: &Terms,
    proof: &Proof,
    method: Method,
    budget: &Budget,
    receive: &mut dyn FnMut(&mut Encoder<'_>, Obligation) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut points = Points::new(program)?;
    let evidence = Evidence::new(proof, &mut points)?;
    let cutpoints = evidence.invariants.keys().map(|&node| (node, ())).collect();
    points.explore(&cutpoints, &evidence.dead, budget)?;
    let slots = Slots::new(program, &points);
    let memory = Memory::new(program, terms, &points, &slots, evidence.storage());
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
