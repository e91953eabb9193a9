//! Refutation: an untrusted solver searches for a proof that formulas contradict each other, and the checker replays it.
//!
//! The clauses are ours; a log whose given clauses are not among them is rejected, as is one with a step
//! that does not follow. The finder is asked on rungs of a ladder, the cheap ones first: a contradiction in a
//! weaker reading is a contradiction.

use std::collections::{HashMap, HashSet};

use base::{Bits, Budget, Stopped};
use proof::{Checker, Constant, Lit, Log, Rejection, Step, Vocabulary};
use smt::ground::{Found, Ground, Search};
use term::sums::{Products, contradict, is_product, solve};
use term::{Op, Term, Terms};

use crate::blast::{Problem, Reading, Trouble, blast, is_bit_operator, is_costly};
use crate::tuning::Tuning;

/// How much is read in bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rung {
    /// Nothing: equality, choice and truth values alone, with the lemmas.
    Equality,
    /// What the evidence named.
    Named,
    /// All but what is computed from the contents of arrays.
    Indices,
    /// All but products, quotients and remainders of two unknowns.
    Linear,
    /// Everything.
    Bits,
}

/// What became of formulas that should contradict each other.
pub(crate) enum Outcome {
    /// They do, as replayed.
    Refuted(Refuted),
    /// They do not, or the finder does not see it: values of symbols in a model of the last rung.
    Open(Vec<(Term, String)>),
    /// The formulas are too large.
    TooLarge,
    /// The finder's proof did not survive the replay.
    BadProof(Rejection),
}

/// How it was done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refuted {
    pub rung: Rung,
    pub clauses: usize,
    /// Steps of the proof that was replayed.
    pub steps: usize,
}

impl Refuted {
    /// Counts another refutation in.
    pub fn add(&mut self, other: Refuted) {
        self.rung = self.rung.max(other.rung);
        self.clauses += other.clauses;
        self.steps += other.steps;
    }
}

/// Which operators are read in bits on the rung named by the evidence.
pub(crate) type IsNamed<'a> = dyn Fn(Term) -> bool + 'a;

/// Ticks for each rung until the end of the round; the last rung may use up the budget in the end. Rungs that mix words
/// and rows can fall into trying value after value, so that they are left soon for one that may be quick.
const ROUNDS: [u64; 3] = [300_000, 1_500_000, 6_000_000];
/// The same for the two readings that most obligations need, nothing in bits and everything.
const EARLY_ROUNDS: [(u64, u64); 3] = [(100_000, 10_000), (300_000, 60_000), (1_000_000, 300_000)];

/// A limit in step with the size of what is asked: large formulas get as many ticks for each term as those of usual size.
pub(crate) fn in_step(ticks: u64, n_terms: usize) -> u64 {
    ticks.saturating_mul((n_terms as u64 / Tuning::DEFAULT.usual_terms).max(1))
}

/// Climbs the ladder. The last formula is the denied claim, if there is one. `lemmas` hold for all values; they are added on the rungs below the last. Long: the order of the
/// attempts is the whole of it.
pub(crate) fn refute(
    terms: &mut Terms,
    formulas: &[Term],
    lemmas: &[Term],
    is_named: &IsNamed<'_>,
    budget: &Budget,
) -> Result<Outcome, Stopped> {
    let mut with_lemmas = formulas.to_vec();
    with_lemmas.extend(lemmas);
    let parts = terms.subterms(formulas);
    let n_parts = parts.len();
    let has_arrays = parts.iter().any(|&part| matches!(terms.op(part), Op::Select | Op::Store));
    let sites: Vec<Term> = parts.into_iter().filter(|&t| is_bit_operator(terms.op(t))).collect();
    let hard = costly_between_unknowns(terms, &sites);
    // Circuits that are small one by one are small together; which of the two readings is quicker shows only when they are tried.
    let mut first = Attempt::new(Rung::Equality, &with_lemmas, &|_| false);
    let mut direct = (hard.is_empty() && !has_arrays).then(|| Attempt::new(Rung::Bits, formulas, &|_| true));
    let mut is_undecided = true;
    for (equality_ticks, bit_ticks) in EARLY_ROUNDS.map(|(a, b)| (in_step(a, n_parts), in_step(b, n_parts))) {
        if is_undecided {
            match first.go_on(terms, equality_ticks, budget)? {
                Some(outcome @ (Outcome::Refuted(_) | Outcome::BadProof(_))) => return Ok(outcome),
                outcome => is_undecided = outcome.is_none(), // If not, this reading is too weak.
            }
        }
        if let Some(attempt) = &mut direct
            && let Some(outcome) = attempt.go_on(terms, bit_ticks, budget)?
        {
            return Ok(outcome);
        }
    }
    let multiplies = sites.iter().any(|&site| is_product(terms, site));
    let is_for_polynomials = multiplies && sites.len() <= Tuning::DEFAULT.max_polynomial_sites;
    // Different conjuncts may be easy for different reasons.
    if is_for_polynomials && let Some(cases) = one_by_one(terms, formulas) {
        return refute_all(terms, &cases, lemmas, is_named, budget);
    }
    let expanded = multiplies.then(|| solve(terms, formulas, Products::Expanded).rest);
    if is_for_polynomials && let Some(expanded) = &expanded {
        // Once equations are put in, conditions say more.
        let mut with_exact = exact(terms, expanded, budget)?;
        with_exact.extend(expanded);
        if contradict(terms, &with_exact, &mut { Tuning::DEFAULT.max_polynomial_cases }) {
            return Ok(Outcome::Refuted(Refuted { rung: Rung::Equality, clauses: 0, steps: 0 }));
        }
    }
    let ordered = solve(terms, formulas, Products::Whole).rest;
    let is_hard = |site: Term| hard.contains(&site);
    let (n_named, n_hard) =
        (sites.iter().filter(|&&site| is_named(site)).count(), sites.iter().filter(|&&site| is_hard(site)).count());
    let mut attempts = Vec::new();
    if is_undecided {
        attempts.push(first);
    }
    if ordered != formulas {
        attempts.push(Attempt::new(Rung::Equality, &ordered, &|_| false));
    }
    if let Some(expanded) = expanded.as_ref().filter(|&expanded| *expanded != ordered) {
        attempts.push(Attempt::new(Rung::Equality, expanded, &|_| false));
    }
    // Rungs that read all or nothing in bits are others.
    let reads_named = (1..sites.len()).contains(&n_named);
    if reads_named && n_hard > 0 {
        attempts.push(Attempt::new(Rung::Named, &with_lemmas, is_named));
    }
    let from_contents = computed_from_contents(terms, formulas);
    let is_index = |site: Term| !from_contents.contains(&site);
    if (1..sites.len()).contains(&sites.iter().filter(|&&site| !is_index(site)).count()) {
        attempts.push(Attempt::new(Rung::Indices, formulas, &is_index));
    }
    let is_light = |site: Term| !is_hard(site);
    if (1..sites.len()).contains(&n_hard) {
        attempts.push(Attempt::new(Rung::Linear, &with_lemmas, &is_light));
    }
    // What is put in for what makes formulas few, and each of them large: either can be the quicker one.
    attempts.push(Attempt::new(Rung::Bits, &ordered, &|_| true));
    if ordered != formulas || direct.is_some() {
        attempts.push(direct.unwrap_or_else(|| Attempt::new(Rung::Bits, formulas, &|_| true)));
    }
    // Circuits of sums and comparisons are cheap; to spare some of them is worth less than to be rid of words.
    if reads_named && n_hard == 0 {
        attempts.push(Attempt::new(Rung::Named, &with_lemmas, is_named));
    }
    if let Some(outcome) = climb(terms, &mut attempts, n_parts, budget)? {
        return Ok(outcome);
    }
    // In bits conjuncts help one another where each of them is hard.
    if n_hard == 0
        && let Some(cases) = one_by_one(terms, formulas)
    {
        return refute_all(terms, &cases, lemmas, is_named, budget);
    }
    let in_bits = attempts.into_iter().find(|attempt| attempt.rung == Rung::Bits);
    in_bits.expect("this rung ends with an answer").finish(terms, budget)
}

/// Runs the attempts in rounds with growing limits, in their order. `None` if no attempt has answered; then those that
/// may still succeed are left.
fn climb(
    terms: &mut Terms,
    attempts: &mut Vec<Attempt>,
    n_parts: usize,
    budget: &Budget,
) -> Result<Option<Outcome>, Stopped> {
    for ticks in ROUNDS.map(|ticks| in_step(ticks, n_parts)) {
        let mut hopeful = Vec::new();
        for mut attempt in attempts.drain(..) {
            match attempt.go_on(terms, ticks, budget)? {
                Some(outcome @ (Outcome::Refuted(_) | Outcome::BadProof(_))) => return Ok(Some(outcome)),
                Some(outcome) if attempt.rung == Rung::Bits => return Ok(Some(outcome)),
                Some(_) => {} // This reading is too weak.
                None => hopeful.push(attempt),
            }
        }
        *attempts = hopeful;
    }
    Ok(None)
}

/// Operators with large circuits that have more than one argument without a known value.
fn costly_between_unknowns(terms: &Terms, sites: &[Term]) -> HashSet<Term> {
    let is_unknown = |&&arg: &&Term| !terms.is_value(arg);
    let is_hard = |&site: &Term| is_costly(terms.op(site)) && terms.args(site).iter().filter(is_unknown).count() > 1;
    sites.iter().copied().filter(is_hard).collect()
}

/// Subterms that depend on an element of an array.
fn computed_from_contents(terms: &Terms, formulas: &[Term]) -> HashSet<Term> {
    let mut found: HashSet<Term> = HashSet::new();
    for part in terms.subterms(formulas) {
        if terms.op(part) == Op::Select || terms.args(part).iter().any(|arg| found.contains(arg)) {
            found.insert(part);
        }
    }
    found
}

/// Equations that would hold for numbers and follow from the formulas: a proof in bits that they do is replayed for each.
fn exact(terms: &mut Terms, formulas: &[Term], budget: &Budget) -> Result<Vec<Term>, Stopped> {
    let candidates = term::sums::exact(terms, formulas);
    let mut premises = terms.conjuncts(formulas);
    premises.retain(|&premise| !terms.subterms(&[premise]).iter().any(|&part| is_product(terms, part)));
    let mut shown = Vec::new();
    for candidate in candidates {
        let denied = terms.not(candidate);
        premises.push(denied);
        let outcome = Attempt::new(Rung::Bits, &premises, &|_| true).go_on(terms, ROUNDS[2], budget)?;
        if let Some(Outcome::Refuted(_)) = outcome {
            shown.push(candidate);
        }
        premises.pop();
    }
    Ok(shown)
}

/// Refutes each of several lists of formulas.
fn refute_all(
    terms: &mut Terms,
    cases: &[Vec<Term>],
    lemmas: &[Term],
    is_named: &IsNamed<'_>,
    budget: &Budget,
) -> Result<Outcome, Stopped> {
    let mut all = Refuted { rung: Rung::Equality, clauses: 0, steps: 0 };
    for case in cases {
        match refute(terms, case, lemmas, is_named, budget)? {
            Outcome::Refuted(one) => all.add(one),
            open => return Ok(open),
        }
    }
    Ok(Outcome::Refuted(all))
}

/// If the last formula denies a conjunction: the formulas with one conjunct denied, for each. Premises that deny conjunctions stay as
/// they are: cases of several of them would multiply.
fn one_by_one(terms: &mut Terms, formulas: &[Term]) -> Option<Vec<Vec<Term>>> {
    let (&denied, premises) = formulas.split_last()?;
    if terms.op(denied) != Op::Not {
        return None;
    }
    let claim = terms.arg(denied, 0);
    let conjuncts = terms.conjuncts(&[claim]);
    if conjuncts.len() < 2 {
        return None;
    }
    let mut cases = Vec::new();
    for conjunct in conjuncts {
        let mut case = premises.to_vec();
        case.push(terms.make(Op::Not, &[conjunct]));
        cases.push(case);
    }
    Some(cases)
}

/// The last rung alone.
pub(crate) fn refute_in_bits(terms: &Terms, formulas: &[Term], budget: &Budget) -> Result<Outcome, Stopped> {
    Attempt::new(Rung::Bits, formulas, &|_| true).finish(terms, budget)
}

/// Formulas in one reading, with what the search has found out so far.
struct Attempt<'f> {
    rung: Rung,
    formulas: &'f [Term],
    in_bits: &'f IsNamed<'f>,
    begun: Option<(Problem, Search)>,
    spent: u64,
}

impl<'f> Attempt<'f> {
    fn new(rung: Rung, formulas: &'f [Term], in_bits: &'f IsNamed<'f>) -> Self {
        Attempt { rung, formulas, in_bits, begun: None, spent: 0 }
    }
    /// Continues until the search of this attempt has spent the given number of ticks in total; `None` if that does not suffice,
    /// or if the clauses alone are too many for this limit.
    fn go_on(&mut self, terms: &Terms, ticks: u64, budget: &Budget) -> Result<Option<Outcome>, Stopped> {
        if self.begun.is_none() {
            let begun =
                within(budget, ticks.saturating_mul(Tuning::DEFAULT.encoding_factor), |part| self.begin(terms, part))?;
            match begun.1 {
                Some(None) => {}
                other => return Ok(other.flatten()),
            }
        }
        let is_mixed = matches!(self.rung, Rung::Named | Rung::Indices | Rung::Linear);
        let wanted =
            (if is_mixed { ticks / Tuning::DEFAULT.mixed_tick_factor } else { ticks }).saturating_sub(self.spent);
        let (spent, outcome) = within(budget, wanted, |part| self.search(part))?;
        self.spent += spent;
        Ok(outcome)
    }
    fn finish(mut self, terms: &Terms, budget: &Budget) -> Result<Outcome, Stopped> {
        if self.begun.is_none()
            && let Some(outcome) = self.begin(terms, budget)?
        {
            return Ok(outcome);
        }
        self.search(budget)
    }
    /// Makes the clauses. An outcome if there is one without a search.
    fn begin(&mut self, terms: &Terms, budget: &Budget) -> Result<Option<Outcome>, Stopped> {
        let reading = Reading { in_bits: self.in_bits, by_words: self.rung >= Rung::Indices };
        let problem = match blast(terms, self.formulas, &reading, budget) {
            Ok(problem) => problem,
            Err(Trouble::Stopped(stopped)) => return Err(stopped),
            Err(Trouble::TooLarge) => return Ok(Some(Outcome::TooLarge)),
        };
        let search = Search::new(&ground(&problem), budget)?;
        self.begun = Some((problem, search));
        Ok(None)
    }
    fn search(&mut self, budget: &Budget) -> Result<Outcome, Stopped> {
        let (problem, search) = self.begun.as_mut().expect("the clauses are made before the search");
        Ok(match search.go_on(budget)? {
            Found::Model(values) => Outcome::Open(show_model(problem, &values)),
            Found::Refutation(log) => match replay(problem, &log) {
                Ok(steps) => Outcome::Refuted(Refuted { rung: self.rung, clauses: problem.clauses.len(), steps }),
                Err(why) => Outcome::BadProof(why),
            },
        })
    }
}

/// Does something within at most `ticks` ticks: what it spent, and its result, or `None` if the ticks did not suffice.
fn within<T>(
    budget: &Budget,
    ticks: u64,
    work: impl FnOnce(&Budget) -> Result<T, Stopped>,
) -> Result<(u64, Option<T>), Stopped> {
    let part = budget.part(ticks);
    let given = part.left();
    let result = work(&part);
    match result {
        Ok(result) => Ok((part.spent(), Some(result))),
        Err(Stopped::OutOfTicks) if given == ticks => Ok((part.spent(), None)),
        Err(stopped) => Err(stopped),
    }
}

fn ground(problem: &Problem) -> Ground<'_> {
    let Problem { n_vars, clauses, heads, ops, rows, .. } = problem;
    Ground { n_vars: *n_vars, clauses, heads, ops, rows }
}

/// Replays the log: what it takes as given must be our clauses, and the empty clause must follow. Returns the number
/// of steps.
pub(crate) fn replay(problem: &Problem, log: &Log) -> Result<usize, Rejection> {
    // What the end does not need is not looked at.
    let log = proof::trim(log, &[]).ok_or(Rejection::NotDerived)?;
    let sorted = |mut codes: Vec<u32>| {
        codes.sort_unstable();
        codes.dedup();
        codes
    };
    let mut given: HashMap<Vec<u32>, proof::ClauseId> = HashMap::new();
    let mut n_steps = 0;
    for step in log.steps() {
        n_steps += 1;
        if let Step::Input { id, lits } = step {
            given.insert(sorted(lits.to_vec()), id);
        }
    }
    // A proof takes few of our clauses, so those are looked for, by their smallest and largest literal: a literal may be repeated.
    let ends = |codes: &mut dyn Iterator<Item = u32>| {
        codes.fold((u32::MAX, 0), |(least, most), code| (least.min(code), most.max(code)))
    };
    let wanted: HashSet<(u32, u32)> = given.keys().map(|clause| ends(&mut clause.iter().copied())).collect();
    for clause in &problem.clauses {
        if wanted.contains(&ends(&mut clause.iter().map(|lit| lit.code()))) {
            given.remove(&sorted(clause.iter().map(|lit| lit.code()).collect()));
        }
    }
    if let Some(&clause) = given.values().next() {
        return Err(Rejection::BadNumber { clause });
    }
    let ops = problem.ops.clone();
    let vocabulary = Vocabulary::new(problem.heads.clone(), problem.rows.clone(), move |head, args: &[Constant]| {
        Problem::evaluate(ops[head as usize], args)
    });
    // Axioms of arrays are among our clauses; as lemmas they would have to be trusted about their witnesses.
    Checker::new(|clause: &[Lit]| vocabulary.is_lemma_of_equality(clause)).check(&log, &[])?;
    Ok(n_steps)
}

/// The values of symbols.
fn show_model(problem: &Problem, values: &[bool]) -> Vec<(Term, String)> {
    let value = |lit: &Lit| values[lit.var().index()] == lit.is_positive();
    let mut shown: Vec<(Term, String)> = Vec::new();
    for (term, word) in &problem.words {
        let mut words = vec![0u64; word.len().div_ceil(64)];
        for (i, lit) in word.iter().enumerate() {
            words[i / 64] |= u64::from(value(lit)) << (i % 64);
        }
        shown.push((*term, Bits::from_words(word.len() as u32, &words).to_decimal()));
    }
    shown.extend(problem.truths.iter().map(|(term, lit)| (*term, value(lit).to_string())));
    shown.sort_unstable();
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;
    use proof::SatVar;
    use term::SortKind;

    /// Formulas over a few words that contradict each other, in some reading.
    fn problem(rung: Rung) -> Problem {
        let mut terms = Terms::without_simplification();
        let sort = terms.bv_sort(3);
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, sort));
        let (sum, other) = (terms.bv_add(x, y), terms.bv_add(z, y));
        let (same, differ, less) = (terms.eq(x, z), terms.ne(sum, other), terms.bv_ult(x, y));
        let formulas = [less, same, differ];
        let in_bits = move |_: Term| rung == Rung::Bits;
        let reading = Reading { in_bits: &in_bits, by_words: rung == Rung::Bits };
        blast(&terms, &formulas, &reading, &Budget::default()).expect("it is small")
    }
    fn found(problem: &Problem) -> Found {
        let budget = Budget::default();
        Search::new(&ground(problem), &budget).and_then(|mut search| search.go_on(&budget)).expect("there is time")
    }

    #[test]
    fn a_proof_of_other_clauses_is_rejected() {
        for rung in [Rung::Equality, Rung::Bits] {
            let whole = problem(rung);
            let Found::Refutation(log) = found(&whole) else { panic!("they contradict each other") };
            assert!(replay(&whole, &log).is_ok());
            let mut rejected = 0;
            for place in 0..whole.clauses.len() {
                let mut less = problem(rung);
                less.clauses.remove(place);
                if let Found::Model(_) = found(&less) {
                    assert!(replay(&less, &log).is_err(), "clause {place} is missing");
                    rejected += 1;
                }
            }
            assert!(rejected >= 2, "{rejected} clauses are needed");
        }
    }
    #[test]
    fn clauses_may_repeat_literals() {
        let mut whole = problem(Rung::Bits);
        for clause in &mut whole.clauses {
            clause.extend_from_within(..);
        }
        let Found::Refutation(log) = found(&whole) else { panic!("they contradict each other") };
        assert!(replay(&whole, &log).is_ok());
    }
    #[test]
    fn an_altered_proof_never_refutes_what_has_a_model() {
        let mut random = Random::new(3);
        for rung in [Rung::Equality, Rung::Bits] {
            let whole = problem(rung);
            let Found::Refutation(log) = found(&whole) else { panic!("they contradict each other") };
            let mut weak = problem(rung);
            weak.clauses.pop();
            assert!(matches!(found(&weak), Found::Model(_)));
            for _ in 0..300 {
                // The same steps, a few of them with another literal, as another kind, or without a hint.
                let mut altered = Log::new();
                for step in log.steps() {
                    let lits = |codes: &[u32]| codes.iter().map(|&code| Lit::from_code(code)).collect::<Vec<Lit>>();
                    let mut change = |lits: &mut Vec<Lit>| {
                        if random.one_in(12) && !lits.is_empty() {
                            let place = random.below(lits.len() as u64) as usize;
                            match random.below(3) {
                                0 => lits[place] = !lits[place],
                                1 => lits[place] = SatVar(random.below(u64::from(whole.n_vars)) as u32).positive(),
                                _ => {
                                    lits.remove(place);
                                }
                            }
                        }
                    };
                    match step {
                        Step::Input { lits: codes, .. } => {
                            let mut clause = lits(codes);
                            change(&mut clause);
                            altered.input(&clause);
                        }
                        Step::Lemma { lits: codes, .. } => {
                            let mut clause = lits(codes);
                            change(&mut clause);
                            altered.lemma(&clause);
                        }
                        Step::Derived { lits: codes, hints, .. } => {
                            let mut clause = lits(codes);
                            change(&mut clause);
                            let hints: Vec<proof::ClauseId> = hints.iter().map(|&hint| proof::ClauseId(hint)).collect();
                            altered.derived(&clause, &hints);
                        }
                        Step::Delete { id } => altered.delete(id),
                    }
                }
                assert!(replay(&weak, &altered).is_err());
            }
        }
    }
    #[test]
    fn premises_that_deny_conjunctions_are_not_taken_apart_into_cases() {
        // Two to the power of 24 cases, none of which is refuted without bits: no square is 2 modulo 4.
        let mut terms = Terms::without_simplification();
        let (truth, pair) = (terms.bool_sort(), terms.bv_sort(2));
        let variable = |terms: &mut Terms, name: &str, i: usize, sort| terms.variable(&format!("{name}{i}"), sort);
        let mut formulas = Vec::new();
        for i in 0..24 {
            let (x, y) = (variable(&mut terms, "x", i, pair), variable(&mut terms, "y", i, pair));
            let (product, other) = (terms.bv_mul(x, y), variable(&mut terms, "z", i, pair));
            let (is_product, free) = (terms.eq(product, other), variable(&mut terms, "a", i, truth));
            let both = terms.and(&[is_product, free]);
            formulas.push(terms.not(both));
        }
        let (x, two) = (variable(&mut terms, "x", 0, pair), terms.bv(2, 2));
        let square = terms.bv_mul(x, x);
        formulas.push(terms.eq(square, two));
        let budget = Budget::ticks(1_000_000, std::sync::Arc::default());
        let outcome = refute(&mut terms, &formulas, &[], &|_| false, &budget);
        assert!(matches!(outcome, Ok(Outcome::Refuted(_))), "{} ticks", budget.spent());
    }
    #[test]
    fn words_of_different_widths_are_not_compared() {
        // Both reads have the same head, because their elements have the same sort; their places are words of 8 and 32 bits.
        let mut terms = Terms::without_simplification();
        let (byte, word) = (terms.bv_sort(8), terms.bv_sort(32));
        let (short, long) = (terms.sort(SortKind::Array(byte, byte)), terms.sort(SortKind::Array(word, byte)));
        let (a, b, z) = (terms.variable("a", short), terms.variable("b", long), terms.variable("z", word));
        let (five, one, wide_five) = (terms.bv(8, 5), terms.bv(32, 1), terms.bv(32, 5));
        let place = terms.bv_add(z, one);
        let (left, right) = (terms.select(a, five), terms.select(b, place));
        let formulas = [terms.eq(place, wide_five), terms.eq(left, right)];
        let outcome = refute_in_bits(&terms, &formulas, &Budget::default()).expect("there is time");
        assert!(matches!(outcome, Outcome::Open(_)), "z = 4 is a model");
    }
}
