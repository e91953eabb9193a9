//! Rankings: why every run ends.
//!
//! A ranking gives a tuple of words at the head of a loop, or at the entry of a function that calls itself. Words are finite, so tuples of
//! words are well founded in lexicographic unsigned order: no bound has to be shown, and where arithmetic wraps around, the tuple
//! does not get smaller. What rankings claim is that one program, the *ranked program*, is safe. It is the program, and
//!
//! * at each ranked location of a loop it keeps the tuple. Where the run comes to a ranked location of the same strongly connected component
//!   again, it asserts that the tuple there is smaller than the one kept last;
//! * at the entry of each function that may call itself it keeps the tuple in the activation. Before each call of a function that leads
//!   back to it, it asserts that the tuple of the callee's entry is smaller.
//!
//! **If no run of the ranked program reaches an error, every run of the program ends.** Every cycle of a function must pass a ranked location,
//! and every component of locations is entered at one; every function on a cycle of calls must be ranked. Take a run without end. Assertions
//! that are added do not change it, and none fails. Either infinitely many of its activations stay open: then from some depth on each is called by the one before,
//! and functions on infinitely long stacks lie on cycles of calls, so their tuples get smaller for ever. Or some activation does not return while
//! all its calls do: it passes ranked locations of one component for ever, and tuples there get smaller for ever. Neither can be.
//!
//! The checker and the search for rankings share this file; it is part of what is trusted.

use base::{FastMap, Id, IndexVec, Place};
use program::{Action, AssertionId, EdgeId, FunId, Loc, Program, Var, VarKind};
use term::walk::Import;
use term::{Op, Sort, SortKind, Substitution, Term, Terms};

use crate::changing::Changing;
use crate::cycles::{Cycles, on_cycles};

/// A tuple of words that gets smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// Where.
    pub at: Ranked,
    /// What the symbols in the tuple stand for.
    pub slots: Vec<(Term, Var)>,
    /// The words, the most significant one first.
    pub tuple: Vec<Term>,
}

/// Where a tuple is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ranked {
    /// At this location of a loop.
    Head(Loc),
    /// At the entry of this function, whenever it is called.
    Entry(FunId),
}

/// Why rankings make no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoRanking {
    /// They do not belong to the program.
    Malformed(&'static str),
    /// A cycle has none.
    Unranked(Option<Place>),
}

/// What an assertion of the ranked program is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Falls {
    /// The assertion.
    pub assertion: AssertionId,
    /// Where the tuple must be smaller.
    pub at: Ranked,
}

/// Makes the ranked program. The tuples are terms of `from`; `terms` is the program's store, to which new terms are added.
pub fn ranked(
    program: &Program,
    terms: &mut Terms,
    rankings: &[Ranking],
    from: &Terms,
) -> Result<(Program, Vec<Falls>), NoRanking> {
    let mut of_place: FastMap<Ranked, usize> = FastMap::new();
    for (number, ranking) in rankings.iter().enumerate() {
        check(program, ranking, from)?;
        if of_place.insert(ranking.at, number).is_some() {
            return Err(NoRanking::Malformed("a place has two rankings"));
        }
    }
    let cycles = Cycles::of(program);
    are_all_ranked(program, &cycles, &of_place)?;
    let mut maker = Maker { new: Changing::new(program, terms), from, rankings, of_place, cycles, falls: Vec::new() };
    maker.new.answer_ends().ok_or(NoRanking::Malformed("the program does not ask whether runs end"))?;
    maker.loops(program)?;
    maker.calls(program)?;
    Ok((maker.new.program, maker.falls))
}

/// Whether the ranking belongs to the program, as far as that can be said without new terms.
fn check(program: &Program, ranking: &Ranking, from: &Terms) -> Result<(), NoRanking> {
    let function = match ranking.at {
        Ranked::Head(loc) => program.locations.get(loc).map(|location| location.function),
        Ranked::Entry(function) => program.functions.get(function).map(|_| function),
    };
    let Some(function) = function else { return Err(NoRanking::Malformed("a ranking has no place")) };
    let is_known = |var: Var| match program.vars.get(var).map(|variable| variable.kind) {
        Some(VarKind::Global) => true,
        Some(VarKind::Param(owner)) => owner == function,
        Some(VarKind::Local(owner) | VarKind::Temp(owner)) => {
            owner == function && matches!(ranking.at, Ranked::Head(_))
        }
        _ => false,
    };
    let is_symbol =
        |term: Term| term.index() < from.len() && matches!(from.op(term), Op::Symbol(_)) && from.args(term).is_empty();
    for (number, &(symbol, var)) in ranking.slots.iter().enumerate() {
        if !is_symbol(symbol) || !is_known(var) || ranking.slots[..number].iter().any(|&(other, _)| other == symbol) {
            return Err(NoRanking::Malformed("a ranking speaks of a value that there is not"));
        }
    }
    for &word in &ranking.tuple {
        if word.index() >= from.len() || !matches!(from.sort_kind(from.sort_of(word)), SortKind::BitVec(_)) {
            return Err(NoRanking::Malformed("a part of a ranking is no word"));
        }
    }
    let has_slot = |term: Term| ranking.slots.iter().any(|&(symbol, _)| symbol == term);
    let is_closed = |term: &Term| !matches!(from.op(*term), Op::Symbol(_)) || has_slot(*term);
    if !from.subterms(&ranking.tuple).iter().all(is_closed) {
        return Err(NoRanking::Malformed("a ranking mentions a symbol that stands for no value"));
    }
    Ok(())
}

/// Every cycle passes a ranked place, and every component of a loop is entered at one.
fn are_all_ranked(program: &Program, cycles: &Cycles, of_place: &FastMap<Ranked, usize>) -> Result<(), NoRanking> {
    let is_head = |loc: Loc| of_place.contains_key(&Ranked::Head(loc));
    let is_called = called(program);
    for (function, info) in program.functions.iter_enumerated().filter(|(function, _)| is_called[*function]) {
        if cycles.of_function[function].is_some() && !of_place.contains_key(&Ranked::Entry(function)) {
            return Err(NoRanking::Unranked(info.place));
        }
        if cycles.of_location[info.entry].is_some() && !is_head(info.entry) {
            return Err(NoRanking::Unranked(program.locations[info.entry].place));
        }
    }
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); program.locations.len()];
    for edge in program.edges.iter().filter(|edge| is_called[program.locations[edge.from].function]) {
        let is_inside = cycles.are_together(edge.from, edge.to);
        if !is_inside && cycles.of_location[edge.to].is_some() && !is_head(edge.to) {
            return Err(NoRanking::Unranked(program.locations[edge.to].place));
        }
        if !is_head(edge.to) {
            next[edge.from.index()].push(edge.to.index());
        }
    }
    match on_cycles(&next).iter().position(Option::is_some) {
        Some(loc) => Err(NoRanking::Unranked(program.locations[Loc::new(loc)].place)),
        None => Ok(()),
    }
}

/// Which functions runs may call.
pub fn called(program: &Program) -> IndexVec<FunId, bool> {
    let mut callees: Vec<Vec<FunId>> = vec![Vec::new(); program.functions.len()];
    for edge in &program.edges {
        if let Action::Call { function, .. } = edge.action {
            callees[program.locations[edge.from].function.index()].push(function);
        }
    }
    let mut is_called: IndexVec<FunId, bool> = program.functions.iter().map(|_| false).collect();
    let mut todo: Vec<FunId> = program.entry.into_iter().collect();
    while let Some(function) = todo.pop() {
        if !std::mem::replace(&mut is_called[function], true) {
            todo.extend(&callees[function.index()]);
        }
    }
    is_called
}

struct Maker<'a> {
    new: Changing<'a>,
    from: &'a Terms,
    rankings: &'a [Ranking],
    of_place: FastMap<Ranked, usize>,
    cycles: Cycles,
    falls: Vec<Falls>,
}

impl Maker<'_> {
    /// Tuples at entries, and before calls that lead back.
    fn calls(&mut self, program: &Program) -> Result<(), NoRanking> {
        let mut kept: FastMap<FunId, Vec<Var>> = FastMap::new();
        for (function, info) in program.functions.iter_enumerated() {
            let Some(&number) = self.of_place.get(&Ranked::Entry(function)) else { continue };
            let tuple = self.tuple(number, None)?;
            let vars = self.variables(function, &tuple);
            let entry = self.new.location(function, program.locations[info.entry].place);
            self.new.program.functions[function].entry = entry;
            let pairs = vars.iter().copied().zip(tuple).collect();
            self.new.edge(entry, info.entry, Action::Assign(pairs), info.place);
            kept.insert(function, vars);
        }
        for (id, edge) in program.edges.iter_enumerated() {
            let Action::Call { function: callee, args, .. } = &edge.action else { continue };
            let caller = program.locations[edge.from].function;
            if !self.cycles.call_together(caller, *callee) {
                continue;
            }
            let number = self.of_place.get(&Ranked::Entry(*callee)).copied();
            let (Some(number), Some(vars)) = (number, kept.get(&caller)) else {
                return Err(NoRanking::Unranked(edge.place));
            };
            let given: Vec<(Var, Term)> =
                program.functions[*callee].params.iter().copied().zip(args.iter().copied()).collect();
            let tuple = self.tuple(number, Some(&given))?;
            self.assert_before(id, Ranked::Entry(*callee), &tuple, &vars.clone(), edge.place)?;
        }
        Ok(())
    }
    /// The tuple is asserted to be smaller before the call.
    fn assert_before(
        &mut self,
        call: EdgeId,
        at: Ranked,
        tuple: &[Term],
        kept: &[Var],
        place: Option<Place>,
    ) -> Result<(), NoRanking> {
        let from = self.new.program.edges[call].from;
        let empty = self.new.terms.truth(true);
        let before = self.new.step(from, Action::Assume(empty), place);
        let is_smaller = self.is_smaller(tuple, kept)?;
        let after = self.new.location(self.new.program.locations[from].function, place);
        self.assert(before, after, is_smaller, at, place);
        self.new.program.edges[call].from = after;
        Ok(())
    }
    /// Tuples at locations of loops.
    fn loops(&mut self, program: &Program) -> Result<(), NoRanking> {
        let mut kept: FastMap<u32, Vec<Var>> = FastMap::new();
        // By location: where runs go that come from the same component.
        let mut arrivals: FastMap<Loc, Loc> = FastMap::new();
        let mut departures: FastMap<Loc, Loc> = FastMap::new();
        let heads: Vec<(Loc, usize)> = self
            .rankings
            .iter()
            .enumerate()
            .filter_map(|(number, ranking)| match ranking.at {
                Ranked::Head(loc) => Some((loc, number)),
                Ranked::Entry(_) => None,
            })
            .collect();
        for (head, number) in heads {
            let Some(component) = self.cycles.of_location[head] else {
                return Err(NoRanking::Malformed("a ranking stands on no cycle"));
            };
            let (function, place) = (program.locations[head].function, program.locations[head].place);
            let tuple = self.tuple(number, None)?;
            let vars = match kept.get(&component) {
                Some(vars) => vars.clone(),
                None => self.variables(function, &tuple),
            };
            kept.insert(component, vars.clone());
            let is_smaller = self.is_smaller(&tuple, &vars)?;
            let arrival = self.new.location(function, place);
            self.assert(arrival, head, is_smaller, Ranked::Head(head), place);
            let departure = self.new.step(head, Action::Assign(vars.into_iter().zip(tuple).collect()), place);
            arrivals.insert(head, arrival);
            departures.insert(head, departure);
        }
        for (id, edge) in program.edges.iter_enumerated() {
            if let Some(&arrival) = arrivals.get(&edge.to).filter(|_| self.cycles.are_together(edge.from, edge.to)) {
                self.new.program.edges[id].to = arrival;
            }
            if let Some(&departure) = departures.get(&edge.from) {
                self.new.program.edges[id].from = departure;
            }
        }
        Ok(())
    }
    /// The words of a ranking in the program's terms; with values in place of parameters, if there are any.
    fn tuple(&mut self, number: usize, given: Option<&[(Var, Term)]>) -> Result<Vec<Term>, NoRanking> {
        let taken = |_| NoRanking::Malformed("a symbol of a ranking has another sort in the program");
        let ranking = &self.rankings[number];
        let mut import = Import::new();
        let mut pairs = Vec::new();
        for &(symbol, var) in &ranking.slots {
            let symbol = import.term(self.from, self.new.terms, symbol).map_err(taken)?;
            let own = self.new.program.vars[var].term;
            let argument = given.and_then(|given| given.iter().find(|(param, _)| *param == var));
            let value = argument.map_or(own, |&(_, value)| value);
            if self.new.terms.sort_of(symbol) != self.new.terms.sort_of(value) {
                return Err(NoRanking::Malformed("a symbol of a ranking has another sort than its value"));
            }
            pairs.push((symbol, value));
        }
        let mut values = Substitution::new(self.new.terms, &pairs);
        let mut tuple = Vec::new();
        for &word in &ranking.tuple {
            let word = import.term(self.from, self.new.terms, word).map_err(taken)?;
            tuple.push(values.apply(self.new.terms, word));
        }
        Ok(tuple)
    }
    /// Variables that keep a tuple.
    fn variables(&mut self, function: FunId, tuple: &[Term]) -> Vec<Var> {
        let sorts: Vec<Sort> = tuple.iter().map(|&word| self.new.terms.sort_of(word)).collect();
        sorts.into_iter().map(|sort| self.new.temp(function, "rank", sort)).collect()
    }
    /// That the tuple is smaller than the one that was kept, in lexicographic order.
    fn is_smaller(&mut self, tuple: &[Term], kept: &[Var]) -> Result<Term, NoRanking> {
        let terms = &mut *self.new.terms;
        let kept: Vec<Term> = kept.iter().map(|&var| self.new.program.vars[var].term).collect();
        let sorts = |words: &[Term]| words.iter().map(|&word| terms.sort_of(word)).collect::<Vec<Sort>>();
        if sorts(tuple) != sorts(&kept) {
            return Err(NoRanking::Malformed("tuples of one component have different words"));
        }
        let mut smaller = terms.truth(false);
        for (&now, &before) in tuple.iter().zip(&kept).rev() {
            let falls = terms.bv_ult(now, before);
            let stays = terms.eq(now, before);
            let later = terms.and(&[stays, smaller]);
            smaller = terms.or(&[falls, later]);
        }
        Ok(smaller)
    }
    fn assert(&mut self, from: Loc, to: Loc, holds: Term, at: Ranked, place: Option<Place>) {
        let what = match at {
            Ranked::Head(_) => "the ranking of the loop gets smaller",
            Ranked::Entry(_) => "the ranking of the function gets smaller",
        };
        let assertion = self.new.assertion(what.to_owned(), place);
        self.falls.push(Falls { assertion, at });
        let fails = self.new.terms.not(holds);
        self.new.error(from, fails, assertion, place);
        self.new.passes(from, to, holds, place);
    }
}
