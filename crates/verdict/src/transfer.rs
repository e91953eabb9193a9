//! Evidence about an older program in words of a newer one.
//!
//! What an alignment of the two programs has no words for is left out: a conjunct that mentions it, an invariant at a location that is
//! gone. So the result is a guess, to be checked like any evidence. A proof by contracts or rankings is about a program that is made of
//! them, so contracts and rankings are translated first, and then what is said about the two programs that are made.

use base::FastMap;
use program::align::{Alignment, Stored};
use program::{EdgeId, FunId, Instance, Layout, Point, Program, Storage, pass};
use term::{Op, Term, Terms};

use crate::contract::{Contract, Slot};
use crate::counterexample::{Counterexample, InputValue};
use crate::modular::modular;
use crate::proof::Proof;
use crate::ranking::{Ranked, Ranking, ranked};

/// Formulas about points of a program, of which nothing is known.
#[derive(Clone)]
pub struct Candidates {
    /// The store of the formulas.
    pub terms: Terms,
    /// What the symbols in them stand for.
    pub symbols: Vec<(Term, Instance)>,
    /// The formulas.
    pub list: Vec<(Point, Term)>,
    /// The columns that symbols stand for.
    pub layout: Option<Layout>,
}

impl Candidates {
    /// The conjuncts of the invariants of a proof, but for what speaks of every value of something.
    pub fn of(proof: &Proof) -> Candidates {
        let terms = proof.terms.clone();
        let mut list = Vec::new();
        for (point, invariant) in &proof.invariants {
            let parts = terms.conjuncts(&[*invariant]).into_iter();
            list.extend(parts.filter(|&part| !mentions(&terms, part, &proof.bound)).map(|part| (point.clone(), part)));
        }
        Candidates { terms, symbols: proof.symbols.clone(), list, layout: proof.layout.clone() }
    }
    /// Which of the formulas the newer program has words for, in order.
    pub fn transferred_each(&self, alignment: &Alignment) -> Vec<bool> {
        let layout = self.layout.as_ref().and_then(|layout| alignment.layout(layout));
        let known = known(&symbols(&self.symbols, alignment, layout.is_some()), &[]);
        let is_there =
            |(point, part): &(Point, Term)| is_said(&self.terms, *part, &known) && alignment.point(point).is_some();
        self.list.iter().map(is_there).collect()
    }
    /// The same about the newer program, without what it has no words for.
    pub fn transferred(&self, alignment: &Alignment) -> Candidates {
        let layout = self.layout.as_ref().and_then(|layout| alignment.layout(layout));
        let symbols = symbols(&self.symbols, alignment, layout.is_some());
        let known = known(&symbols, &[]);
        let list = self.list.iter().filter(|&&(_, part)| is_said(&self.terms, part, &known));
        let list = list.filter_map(|(point, part)| Some((alignment.point(point)?, *part))).collect();
        Candidates { terms: self.terms.clone(), symbols, list, layout }
    }
}

impl Proof {
    /// The same about the newer program; nothing if it cannot be said there.
    pub fn transferred(&self, old: Stored<'_>, new: Stored<'_>) -> Option<Proof> {
        if self.method.is_by_runs() {
            return Some(self.clone());
        }
        let alignment = Alignment::new(old, new);
        let contracts = self.contracts.iter().map(|contract| contract_of(contract, &alignment));
        let contracts = contracts.collect::<Option<Vec<Contract>>>()?;
        let rankings = self.rankings.iter().map(|ranking| ranking_of(ranking, &alignment));
        let rankings = rankings.collect::<Option<Vec<Ranking>>>()?;
        if contracts.is_empty() && rankings.is_empty() {
            return Some(self.about_points(&alignment));
        }
        let (old_made, old_terms) = subject(old, &self.contracts, &self.rankings, &self.terms)?;
        let (new_made, new_terms) = subject(new, &contracts, &rankings, &self.terms)?;
        let alignment = Alignment::new((&old_made, &old_terms), (&new_made, &new_terms));
        Some(Proof { contracts, rankings, ..self.about_points(&alignment) })
    }
    /// All that is said at points.
    fn about_points(&self, alignment: &Alignment) -> Proof {
        let mut terms = self.terms.clone();
        let layout = self.layout.as_ref().and_then(|layout| alignment.layout(layout));
        let symbols = symbols(&self.symbols, alignment, layout.is_some());
        let known = known(&symbols, &self.bound);
        let mut invariants = Vec::new();
        for (point, invariant) in &self.invariants {
            let Some(point) = alignment.point(point) else { continue };
            let mut parts = terms.conjuncts(&[*invariant]);
            parts.retain(|&part| is_said(&terms, part, &known));
            invariants.push((point, terms.and(&parts)));
        }
        let places = self.places.iter().filter(|&&(_, place)| is_said(&terms, place, &known));
        let places = places.filter_map(|(point, place)| Some((alignment.point(point)?, *place)));
        let places = places.filter(|(point, _)| invariants.iter().any(|(other, _)| other == point)).collect();
        let precise: Vec<EdgeId> = self.precise.iter().filter_map(|&edge| alignment.edge(edge)).collect();
        Proof { symbols, places, precise, layout, invariants, terms, ..self.clone() }
    }
}

impl Counterexample {
    /// The values for the newer program; which assertion fails there is seen in the run.
    pub fn transferred(&self, alignment: &Alignment) -> Counterexample {
        let inputs = self
            .inputs
            .iter()
            .filter_map(|value| Some(InputValue { input: alignment.input(value.input)?, ..value.clone() }));
        Counterexample { inputs: inputs.collect(), ..self.clone() }
    }
}

/// The program that contracts and rankings are claims about.
fn subject(
    (program, terms): Stored<'_>,
    contracts: &[Contract],
    rankings: &[Ranking],
    from: &Terms,
) -> Option<(Program, Terms)> {
    let (mut made, mut own) = (program.clone(), terms.clone());
    if program.ends_asked().is_some() {
        made = ranked(program, &mut own, rankings, from).ok()?.0;
    }
    if !contracts.is_empty() {
        let kept: Vec<FunId> = contracts.iter().map(|contract| contract.function).collect();
        pass::tail::tail(&mut made, &own, &kept);
        made = modular(&made, &mut own, contracts, from).ok()?.program;
    }
    Some((made, own))
}

fn contract_of(contract: &Contract, alignment: &Alignment) -> Option<Contract> {
    let slot = |&(symbol, slot): &(Term, Slot)| {
        let slot = match slot {
            Slot::Before(var) => Slot::Before(alignment.var(var)?),
            Slot::After(var) => Slot::After(alignment.var(var)?),
            Slot::Argument(_) | Slot::Result => slot,
        };
        Some((symbol, slot))
    };
    Some(Contract {
        function: alignment.function(contract.function)?,
        slots: contract.slots.iter().map(slot).collect::<Option<Vec<_>>>()?,
        ..contract.clone()
    })
}

fn ranking_of(ranking: &Ranking, alignment: &Alignment) -> Option<Ranking> {
    let at = match ranking.at {
        Ranked::Head(loc) => Ranked::Head(alignment.location(loc)?),
        Ranked::Entry(function) => Ranked::Entry(alignment.function(function)?),
    };
    let slots = ranking.slots.iter().map(|&(symbol, var)| Some((symbol, alignment.var(var)?)));
    Some(Ranking { at, slots: slots.collect::<Option<Vec<_>>>()?, tuple: ranking.tuple.clone() })
}

/// The symbols that still stand for something.
fn symbols(old: &[(Term, Instance)], alignment: &Alignment, has_layout: bool) -> Vec<(Term, Instance)> {
    let is_memory = |storage: Storage| {
        matches!(
            storage,
            Storage::Column { .. } | Storage::Used | Storage::Tags | Storage::Allocated { .. } | Storage::Heap { .. }
        )
    };
    let kept = old.iter().filter(|(_, instance)| has_layout || !is_memory(instance.storage));
    kept.filter_map(|(symbol, instance)| Some((*symbol, alignment.instance(instance)?))).collect()
}

/// The symbols that mean something.
fn known(symbols: &[(Term, Instance)], bound: &[Term]) -> FastMap<Term, ()> {
    let mut known = FastMap::new();
    for &symbol in symbols.iter().map(|(symbol, _)| symbol).chain(bound) {
        known.insert(symbol, ());
    }
    known
}

/// Whether each symbol in the term means something.
fn is_said(terms: &Terms, part: Term, known: &FastMap<Term, ()>) -> bool {
    let is_open = |term: Term| matches!(terms.op(term), Op::Symbol(_)) && terms.args(term).is_empty();
    terms.subterms(&[part]).into_iter().all(|term| !is_open(term) || known.contains_key(&term))
}

fn mentions(terms: &Terms, part: Term, bound: &[Term]) -> bool {
    !bound.is_empty() && terms.subterms(&[part]).iter().any(|term| bound.contains(term))
}
