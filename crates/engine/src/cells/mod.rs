//! Invariants about every cell of an array: `for every k: lo <= k < i implies a[k] = e(k)`.
//!
//! A loop that fills or changes an array is described by what holds of the cells that it has passed, and of those that it has not
//! come to yet. Candidates are put together from the program (`bodies`: what is stored and what is compared, with the
//! bound symbol in the place of the counter; `ranges`: below, between and above counters and what they are compared
//! with). [FlanaganQadeer-POPL'02] reduce such invariants to ones about a constant: a candidate is *proved* for a bound
//! symbol of which nothing is known, and *assumed* for it and for the few terms at which the block at hand reads and
//! writes (`places`). With this rule `houdini` does the rest; evidence contains the same terms for the checker, so that it proves
//! what was proved here and looks for nothing.
//!
//! If what is left, together with all that was known, excludes every error in one step, that is the proof.

mod bodies;
mod contents;
mod offsets;
mod passed;
mod places;
mod ranges;

use base::{FastMap, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use program::{Program, Storage, Var};
use smt::{Answer, Query, Solver};
use term::sums::{Order, Products};
use term::{Op, SortKind, Term, Terms};
use verdict::{Method, Proof};

pub(crate) use self::contents::Contents;
use self::offsets::Body;
pub(crate) use self::offsets::inverse;
use crate::context::Context;
use crate::evidence;
use crate::houdini::Houdini;
use crate::invariants::Invariants;
use crate::needed::needed_with;
use crate::task::Task;
use crate::tuning::Tuning;

/// By cutpoint and invariant: what it says of the places of the block that starts there.
pub(crate) type Instances = FastMap<(Cut, Term), Term>;

/// Whether a loop of the program writes an array of which an error depends, as far as a glance shows it.
pub(crate) fn writes_cells(task: &Task, terms: &Terms, blocks: &Blocks) -> bool {
    let is_error = |to: Cut| matches!(blocks.cutpoints[to].kind, CutKind::Error(_));
    let mentions = |roots: &[Term], op: Op| terms.subterms(roots).iter().any(|&part| terms.op(part) == op);
    let mut is_written = false;
    let mut is_asked = false;
    for (from, block) in blocks.blocks.iter_enumerated() {
        for exit in &block.exits {
            let values = exit.values.iter().filter(|(var, _)| is_memory(task, terms, *var));
            let values: Vec<Term> = values.map(|&(_, value)| value).collect();
            is_written |= blocks.cutpoints[from].kind == CutKind::Head && mentions(&values, Op::Store);
            is_asked |= is_error(exit.to) && mentions(&[exit.guard], Op::Select);
        }
    }
    is_written && is_asked
}

/// A proof by invariants about every cell, together with these; none if none is found.
pub(crate) fn by_cells(cx: &mut Context<'_>, invariants: &Invariants) -> Result<Option<Proof>, Stopped> {
    cx.run.observer.phase("cells");
    // What is computed from contents is rarely worth its circuits.
    for (style, by_functions) in
        [(Style::Counters, true), (Style::Passed, true), (Style::Counters, false), (Style::Passed, false)]
    {
        let part = cx.run.budget.part(Tuning::DEFAULT.cells_ticks);
        let mut order = Order::new(Products::Whole);
        let blocks = match style {
            Style::Counters => None,
            Style::Passed => Some(in_order(cx, &mut order)),
        };
        let mut cx = cx.within(&part);
        let blocks = blocks.as_ref().unwrap_or(cx.blocks);
        let mut cx = cx.with_blocks(blocks);
        match Cells::new(&mut cx).prove(&mut cx, &invariants.at, style, order, by_functions) {
            Ok(None) | Err(Stopped::OutOfTicks) => {}
            found => return found,
        }
    }
    Ok(None)
}

/// How candidates name cells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// By the counters of loops that lead to them.
    Counters,
    /// By their index alone.
    Passed,
}

/// The same blocks with all sums in one order.
fn in_order(cx: &mut Context<'_>, order: &mut Order) -> Blocks {
    let mut blocks = cx.blocks.clone();
    for exit in blocks.blocks.iter_mut().flat_map(|block| &mut block.exits) {
        exit.guard = order.apply(cx.terms, exit.guard);
        for (_, value) in &mut exit.values {
            *value = order.apply(cx.terms, *value);
        }
    }
    blocks
}

/// Whether the variable stands for an object of the program that is an array.
pub(crate) fn is_memory(task: &Task, terms: &Terms, var: Var) -> bool {
    matches!(task.map.instances[var].storage, Storage::Array { .. } | Storage::Column { .. })
        && matches!(terms.sort_kind(task.program.vars[var].sort), SortKind::Array(..))
}

/// What the search for candidates looks at.
struct Cells<'a> {
    program: &'a Program,
    blocks: &'a Blocks,
    /// One bound symbol for each sort of counters.
    bound: Vec<Term>,
    /// One bound symbol for each sort of indices.
    offsets: Vec<Term>,
    /// Words of the state that indices are made of.
    counters: Vec<Term>,
    /// By cutpoint: the terms that are put in for bound symbols there.
    places: IndexVec<Cut, Vec<Term>>,
}

impl<'a> Cells<'a> {
    fn new(cx: &mut Context<'a>) -> Self {
        let (program, blocks) = (cx.program(), cx.blocks);
        let terms = &mut *cx.terms;
        let mut cells = Cells {
            program,
            blocks,
            bound: Vec::new(),
            offsets: Vec::new(),
            counters: Vec::new(),
            places: IndexVec::new(),
        };
        cells.places.grow_to(blocks.cutpoints.len(), Vec::new());
        for cut in blocks.cutpoints.ids() {
            let state = cells.state(cut);
            for part in terms.subterms(&cells.indices(terms, cut)) {
                let is_word = matches!(*terms.sort_kind(terms.sort_of(part)), SortKind::BitVec(8..=64));
                if is_word && state.contains(&part) && !cells.counters.contains(&part) {
                    cells.counters.push(part);
                    if cells.bound_for(terms, part).is_none() {
                        let bound = unused(terms, program, "counter", terms.width(part));
                        cells.bound.push(bound);
                    }
                }
            }
        }
        cells
    }
    fn prove(
        mut self,
        cx: &mut Context<'_>,
        known: &IndexVec<Cut, Vec<Term>>,
        style: Style,
        mut order: Order,
        by_functions: bool,
    ) -> Result<Option<Proof>, Stopped> {
        let (blocks, budget) = (cx.blocks, cx.run.budget);
        let terms = &mut *cx.terms;
        let mut houdini = Houdini::new(blocks);
        let candidates = match style {
            Style::Counters => self.by_counters(terms),
            Style::Passed => self.passed(terms, &mut order),
        };
        if candidates.is_empty() {
            return Ok(None);
        }
        budget.spend(candidates.len() as u64)?;
        for (cut, constant) in self.first_values(terms) {
            houdini.add(cut, constant);
        }
        for (cut, candidate) in candidates {
            houdini.add(cut, candidate);
        }
        if style == Style::Passed {
            houdini.order = Some(order.clone());
        }
        let mut instances = Instances::new();
        for (cut, candidates) in houdini.candidates.iter_enumerated() {
            for &candidate in candidates {
                let instance = self.instance(terms, cut, candidate);
                let instance = if style == Style::Passed { order.apply(terms, instance) } else { instance };
                instances.insert((cut, candidate), instance);
            }
        }
        houdini.instances = instances;
        houdini.by_functions = by_functions;
        let instances = houdini.instances.clone();
        let survivors = houdini.run(cx, known, Tuning::DEFAULT.cells_query_ticks)?;
        if survivors.invariants.iter().all(Vec::is_empty) {
            return Ok(None);
        }
        let mut all: Vec<(Cut, Term)> = Vec::new();
        for (cut, found) in survivors.invariants.iter_enumerated() {
            all.extend(known[cut].iter().chain(found).map(|&term| (cut, term)));
        }
        if !excludes_errors(cx, &all, &instances, by_functions)? {
            return Ok(None);
        }
        let all = needed_with(cx, all, &instances)?;
        let proof = evidence::proof(cx.task, cx.terms, blocks, &all, Method::Induction { depth: 1 }, &[]);
        let mut places = Vec::new();
        for (cut, cutpoint) in blocks.cutpoints.iter_enumerated().filter(|(_, point)| point.kind == CutKind::Head) {
            places.extend(self.places[cut].iter().map(|&place| (cutpoint.loc, place)));
        }
        let bound = [self.bound, self.offsets].concat();
        Ok(Some(evidence::for_every(cx.task, cx.terms, proof, &bound, &places)))
    }
    /// Candidates with counters for the cells that they lead to, by cutpoint.
    fn by_counters(&mut self, terms: &mut Terms) -> Vec<(Cut, Term)> {
        let bodies = self.bodies(terms);
        let bodies: Vec<Body> = bodies.into_iter().map(|(bound, body)| self.by_offset(terms, bound, body)).collect();
        let moved = self.moved(terms, &bodies);
        let is_by_counter = bodies.iter().any(|body| body.offset.is_none());
        let maps = self.maps(terms, &bodies);
        self.find_places(terms, moved, &maps, is_by_counter);
        let mut found = Vec::new();
        for (cut, cutpoint) in self.blocks.cutpoints.iter_enumerated() {
            if cutpoint.kind != CutKind::Head {
                continue;
            }
            let state = self.state(cut);
            let speaks = |terms: &Terms, term: Term| {
                let is_here = |part: &Term| state.contains(part) || self.bound.contains(part);
                terms.subterms(&[term]).iter().all(|part| !is_variable(terms, *part) || is_here(part))
            };
            let mut count = 0;
            let bodies: Vec<&Body> = bodies.iter().filter(|body| speaks(terms, body.body)).collect();
            // The simple ranges come first, for all bodies.
            for (bound, range) in self.ranges(terms, cut) {
                if !speaks(terms, range) {
                    continue;
                }
                for body in bodies.iter().filter(|body| body.bound == bound) {
                    let outside = terms.not(range);
                    let candidate = terms.or(&[outside, body.body]);
                    let candidate = body.over_index(terms, candidate);
                    if count < Tuning::DEFAULT.cells_candidates && !matches!(terms.op(candidate), Op::True | Op::False)
                    {
                        found.push((cut, candidate));
                        count += 1;
                    }
                }
            }
        }
        found
    }
    /// That words are what they are when the loop begins, by loop head: a flag that no cell ever changes, the residue of a counter.
    fn first_values(&self, terms: &mut Terms) -> Vec<(Cut, Term)> {
        let mut found = Vec::new();
        for (head, cutpoint) in self.blocks.cutpoints.iter_enumerated() {
            if cutpoint.kind != CutKind::Head {
                continue;
            }
            for &var in &cutpoint.state {
                let word = self.program.vars[var].term;
                let mut values = Vec::new();
                for (from, block) in self.blocks.blocks.iter_enumerated().filter(|(from, _)| *from != head) {
                    for exit in block.exits.iter().filter(|exit| exit.to == head) {
                        let value = exit.values.iter().find(|(other, _)| *other == var).map_or(word, |pair| pair.1);
                        // What another loop leaves as it is was a candidate there.
                        if value != word || from == self.blocks.entry() {
                            values.push(value);
                        }
                    }
                }
                values.dedup();
                if self.counters.contains(&word)
                    && let Some((start, step)) = self.pace(terms, head, word)
                    && step.trailing_zeros() > 0
                    && step != 0
                {
                    let high = step.trailing_zeros().min(terms.width(word)) - 1;
                    let low = terms.extract(word, high, 0);
                    let same = terms.bv(high + 1, start & (u64::MAX >> (63 - high)));
                    found.push((head, terms.eq(low, same)));
                }
                if let [value] = values[..]
                    && terms.is_value(value)
                {
                    found.push((head, terms.eq(word, value)));
                }
            }
        }
        found
    }
    /// What the candidate says of the places of the block.
    fn instance(&self, terms: &mut Terms, cut: Cut, candidate: Term) -> Term {
        let mentioned = terms.subterms(&[candidate]);
        let mut parts = Vec::new();
        for &bound in self.bound.iter().chain(&self.offsets).filter(|bound| mentioned.contains(bound)) {
            for &place in &self.places[cut] {
                if terms.sort_of(place) == terms.sort_of(bound) {
                    parts.push(terms.substitute(candidate, &[(bound, place)]));
                }
            }
        }
        terms.and(&parts)
    }

    // ---- what the parts share

    fn state(&self, cut: Cut) -> Vec<Term> {
        self.blocks.cutpoints[cut].state.iter().map(|&var| self.program.vars[var].term).collect()
    }
    /// All that the block computes.
    fn roots(&self, cut: Cut) -> Vec<Term> {
        let exits = self.blocks.blocks[cut].exits.iter();
        exits.flat_map(|exit| exit.values.iter().map(|&(_, value)| value).chain([exit.guard])).collect()
    }
    /// Where the block reads and writes arrays.
    fn indices(&self, terms: &Terms, cut: Cut) -> Vec<Term> {
        indices_in(terms, &self.roots(cut))
    }
    /// The bound symbol for counters of the word's sort.
    fn bound_for(&self, terms: &Terms, word: Term) -> Option<Term> {
        self.bound.iter().copied().find(|&bound| terms.sort_of(bound) == terms.sort_of(word))
    }
    /// Where the counter starts in the loop of this head and what each round adds, if both are constants.
    fn pace(&self, terms: &mut Terms, head: Cut, counter: Term) -> Option<(u64, u64)> {
        let mut start = None;
        let mut step = None;
        for (from, block) in self.blocks.blocks.iter_enumerated() {
            for exit in block.exits.iter().filter(|exit| exit.to == head) {
                let value = exit.values.iter().find(|(var, _)| self.program.vars[*var].term == counter)?.1;
                let (known, found) = if from == head {
                    let difference = terms.bv_sub(value, counter);
                    (&mut step, terms.small_value(difference).or_else(|| added(terms, value, counter))?)
                } else {
                    (&mut start, terms.small_value(value)?)
                };
                if known.is_some_and(|known| known != found) {
                    return None;
                }
                *known = Some(found);
            }
        }
        Some((start?, step?))
    }
}

/// The constant that is added to the counter.
fn added(terms: &Terms, value: Term, counter: Term) -> Option<u64> {
    let args = terms.args(value);
    match (terms.op(value), args) {
        (Op::BvAdd, &[left, right]) if left == counter => terms.small_value(right),
        (Op::BvAdd, &[left, right]) if right == counter => terms.small_value(left),
        _ => None,
    }
}

/// Where arrays are read and written in these terms.
fn indices_in(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for part in terms.subterms(roots) {
        if matches!(terms.op(part), Op::Select | Op::Store) && !found.contains(&terms.arg(part, 1)) {
            found.push(terms.arg(part, 1));
        }
    }
    found
}

fn is_variable(terms: &Terms, term: Term) -> bool {
    matches!(terms.op(term), Op::Symbol(_)) && terms.args(term).is_empty()
}

/// A symbol of a name that no variable has.
pub(crate) fn unused(terms: &mut Terms, program: &Program, word: &str, width: u32) -> Term {
    let mut name = format!("{word}!{width}");
    while program.vars.iter().any(|variable| variable.name == name) {
        name.push('!');
    }
    let sort = terms.bv_sort(width);
    terms.variable(&name, sort)
}

/// Whether no error is left at the end of a block whose start satisfies the invariants.
pub(crate) fn excludes_errors(
    cx: &Context<'_>,
    all: &[(Cut, Term)],
    instances: &Instances,
    by_functions: bool,
) -> Result<bool, Stopped> {
    let (terms, blocks, budget) = (&*cx.terms, cx.blocks, cx.run.budget);
    let (mut contents, mut solver) = Contents::new();
    if !by_functions {
        solver = Solver::new();
    }
    blocks.axioms.iter().for_each(|&axiom| solver.assert(axiom));
    contents.read(&mut solver, terms, &blocks.axioms);
    for (from, block) in blocks.blocks.iter_enumerated() {
        for exit in block.exits.iter().filter(|exit| matches!(blocks.cutpoints[exit.to].kind, CutKind::Error(_))) {
            let mut assumptions = vec![exit.guard];
            for &(_, term) in all.iter().filter(|(cut, _)| *cut == from) {
                assumptions.push(term);
                assumptions.extend(instances.get(&(from, term)));
            }
            contents.read(&mut solver, terms, &assumptions);
            let limited = budget.part(Tuning::DEFAULT.cells_query_ticks);
            let answer = solver.check(terms, &Query::assuming(&assumptions), &limited);
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
