//! Relations that hold in one phase of a loop: `while (x < 100) { x++; if (x > 50) y++; }` has `y = 50` at first and
//! `y = x` later, and neither for long.
//!
//! A comparison in the loop's own body distinguishes phases [SharmaDilligDilligAiken-CAV'11]. The loop head is
//! split in two, one for each outcome: a run enters the half whose outcome holds, and a step from there may assume it. The
//! other producers of relations then work on the split graph as if it were the program, and what they find for a half
//! holds at the head whenever its comparison does.

use base::{Id, IndexVec};
use encode::{Block, Blocks, Cut, CutKind, Exit};
use program::structure::{Digraph, WeakOrder};
use program::{Program, Var};
use term::{Op, Substitution, Term, Terms};

use super::templates::{is_comparison, speaks_of};
use crate::context::Context;
use crate::tuning::Tuning;

/// A graph whose loop heads may be split.
pub(super) struct Split {
    pub blocks: Blocks,
    /// For each head of the graph before, the comparison and the half where it does not hold; the half where it does
    /// keeps the number.
    halves: IndexVec<Cut, Option<(Term, Cut)>>,
}

/// The comparisons that distinguish the phases of each loop.
pub(super) fn conditions(cx: &mut Context<'_>) -> IndexVec<Cut, Vec<Term>> {
    let (program, blocks) = (cx.program(), cx.blocks);
    let terms = &mut *cx.terms;
    let mut all: IndexVec<Cut, Vec<Term>> = IndexVec::new();
    for (head, cutpoint) in blocks.cutpoints.iter_enumerated() {
        let mut found = Vec::new();
        let own = blocks.blocks[head].exits.iter().find(|exit| exit.to == head);
        let state: Vec<Term> = cutpoint.state.iter().map(|&var| program.vars[var].term).collect();
        if let (CutKind::Head, Some(exit)) = (cutpoint.kind, own) {
            let values: Vec<Term> = exit.values.iter().map(|&(_, value)| value).collect();
            let parts = terms.subterms(&values);
            if parts.len() <= Tuning::DEFAULT.phases_block_terms {
                let choices = parts.iter().filter(|&&part| terms.op(part) == Op::Ite).map(|&part| terms.arg(part, 0));
                let conditions: Vec<Term> = choices.collect();
                for part in terms.subterms(&conditions) {
                    let is_flag = terms.is_bool(part) && matches!(terms.op(part), Op::Symbol(_));
                    let is_candidate = is_flag || is_comparison(terms.op(part));
                    if is_candidate && speaks_of(terms, part, &state) && !found.contains(&part) {
                        found.push(part);
                    }
                }
            }
        }
        // Orders change their outcome once; equations come and go.
        found.sort_by_key(|&condition| terms.op(condition) == Op::Eq);
        found.truncate(Tuning::DEFAULT.phases_conditions);
        // What holds of a loop that is entered need not hold of one that never is.
        if let (CutKind::Head, Some(exit)) = (cutpoint.kind, own) {
            let entered = |&part: &Term| is_comparison(terms.op(part)) && terms.op(part) != Op::Eq;
            let guards: Vec<Term> = terms.subterms(&[exit.guard]).into_iter().filter(entered).collect();
            if let Some(&guard) = guards.iter().find(|&&guard| speaks_of(terms, guard, &state)) {
                found.extend(first_time(program, terms, blocks, head, guard));
                found.push(guard);
            }
        }
        all.push(found);
    }
    all
}

/// That a variable of the guard is what it is when the loop is met first.
fn first_time(program: &Program, terms: &mut Terms, blocks: &Blocks, head: Cut, guard: Term) -> Option<Term> {
    let parts = terms.subterms(&[guard]);
    let entry = blocks.blocks[blocks.entry()].exits.iter().find(|exit| exit.to == head)?;
    let is_counted = |&&(var, value): &&(Var, Term)| {
        terms.is_value(value) && !terms.is_bool(value) && parts.contains(&program.vars[var].term)
    };
    let &(var, value) = entry.values.iter().find(is_counted)?;
    Some(terms.eq(program.vars[var].term, value))
}

impl Split {
    /// Splits each head that has a condition.
    pub fn new(cx: &mut Context<'_>, conditions: &IndexVec<Cut, Option<Term>>) -> Split {
        let (program, blocks) = (cx.program(), cx.blocks);
        let terms = &mut *cx.terms;
        let mut halves: IndexVec<Cut, Option<(Term, Cut)>> = IndexVec::new();
        let mut cutpoints = blocks.cutpoints.clone();
        for (head, &condition) in conditions.iter_enumerated() {
            halves.push(condition.map(|condition| (condition, cutpoints.push(blocks.cutpoints[head].clone()))));
        }
        let mut split: IndexVec<Cut, Block> = IndexVec::new();
        for (from, block) in blocks.blocks.iter_enumerated() {
            let known = halves[from].map(|(condition, _)| (condition, true));
            split.push(half(program, terms, block, known, &halves));
        }
        for (from, block) in blocks.blocks.iter_enumerated() {
            if let Some((condition, _)) = halves[from] {
                split.push(half(program, terms, block, Some((condition, false)), &halves));
            }
        }
        let edges: Vec<(usize, usize)> = split
            .iter_enumerated()
            .flat_map(|(from, block)| block.exits.iter().map(move |exit| (from.index(), exit.to.index())))
            .collect();
        let order = WeakOrder::new(&Digraph::new(cutpoints.len(), edges.into_iter()), 0);
        let blocks =
            Blocks { cutpoints, blocks: split, axioms: blocks.axioms.clone(), order, unmodelled: blocks.unmodelled };
        Split { blocks, halves }
    }
    /// What holds at a head holds at both halves.
    pub fn known(&self, known: &IndexVec<Cut, Vec<Term>>) -> IndexVec<Cut, Vec<Term>> {
        let mut all = known.clone();
        for (head, half) in self.halves.iter_enumerated() {
            if half.is_some() {
                all.push(known[head].clone());
            }
        }
        all
    }
    /// What was found for the halves, said of the heads.
    pub fn joined(&self, terms: &mut Terms, found: &IndexVec<Cut, Vec<Term>>) -> IndexVec<Cut, Vec<Term>> {
        let mut all = IndexVec::new();
        for (head, half) in self.halves.iter_enumerated() {
            let Some((condition, other)) = *half else {
                all.push(found[head].clone());
                continue;
            };
            let denied = terms.not(condition);
            let mut joined = Vec::new();
            for &invariant in &found[head] {
                let is_everywhere = found[other].contains(&invariant);
                joined.push(if is_everywhere { invariant } else { terms.or(&[denied, invariant]) });
            }
            for &invariant in found[other].iter().filter(|invariant| !found[head].contains(invariant)) {
                joined.push(terms.or(&[condition, invariant]));
            }
            all.push(joined);
        }
        all
    }
}

/// The block when its start knows the outcome of a condition; its exits lead to the halves of heads.
fn half(
    program: &Program,
    terms: &mut Terms,
    block: &Block,
    known: Option<(Term, bool)>,
    halves: &IndexVec<Cut, Option<(Term, Cut)>>,
) -> Block {
    let pairs: Vec<(Term, Term)> =
        known.into_iter().map(|(condition, holds)| (condition, terms.truth(holds))).collect();
    let mut decided = Substitution::new(terms, &pairs);
    let literal = known.map(|(condition, holds)| if holds { condition } else { terms.not(condition) });
    let mut exits = Vec::new();
    for exit in &block.exits {
        let values: Vec<_> = exit.values.iter().map(|&(var, value)| (var, decided.apply(terms, value))).collect();
        let guard = decided.apply(terms, exit.guard);
        let guard = terms.and(&[guard].into_iter().chain(literal).collect::<Vec<Term>>());
        let Some((condition, other)) = halves[exit.to] else {
            exits.push(Exit { to: exit.to, guard, values });
            continue;
        };
        let after: Vec<(Term, Term)> = values.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
        let holds = terms.substitute(condition, &after);
        let fails = terms.not(holds);
        for (to, outcome) in [(exit.to, holds), (other, fails)] {
            let guard = terms.and(&[guard, outcome]);
            if guard != terms.truth(false) {
                exits.push(Exit { to, guard, values: values.clone() });
            }
        }
    }
    Block { exits, inputs: block.inputs.clone(), statements: block.statements.clone() }
}
