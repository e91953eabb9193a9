//! Linear equations between variables that hold at loop heads, modulo 2^w: `a + b = 3*i`, `x - y = i - j`, `n` is even.
//!
//! The strongest ones there are, found by asking [RepsSagivYorsh-VMCAI'04, KingSondergaard-VMCAI'10]: each head has the
//! smallest affine space that holds the states met so far; a model of a block that starts in one space and leaves
//! the other at its end is one more state. Each answer makes a space larger, which happens only so often,
//! and when there is no answer left the equations of all spaces are inductive.
//!
//! Where blocks are large and questions hard we stop early; what is there then is a list of candidates.

use base::{Budget, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use program::{Program, Var};
use smt::{Answer, Query, Solver};
use term::sums::{Order, Products, Solved, solve};
use term::{SortKind, Substitution, Term, Terms, Value};

use super::span::Span;
use crate::context::Context;
use crate::tuning::Tuning;

/// The variables of one width at a cutpoint, and the affine space of their values; the last column is constant 1.
#[derive(Clone)]
struct Space {
    vars: Vec<Var>,
    span: Span,
    equations: Vec<Term>,
}

/// Equations by cutpoint, with the ticks spent at most, and whether all questions were answered: then they are inductive,
/// otherwise no more than candidates.
pub(crate) fn equations(
    cx: &mut Context<'_>,
    known: &IndexVec<Cut, Vec<Term>>,
    ticks: u64,
) -> Result<(IndexVec<Cut, Vec<Term>>, bool), Stopped> {
    let (program, blocks, budget) = (cx.program(), cx.blocks, cx.run.budget);
    let terms = &mut *cx.terms;
    let mut search = Search {
        program,
        blocks,
        known,
        spaces: blocks.cutpoints.iter().map(|cutpoint| spaces(program, terms, &cutpoint.state)).collect::<Vec<_>>(),
        solver: Solver::new(),
        order: Order::default(),
        is_certain: true,
        left: ticks,
    };
    for &axiom in &blocks.axioms {
        search.solver.assert(axiom);
    }
    search.run(terms, budget)?;
    let mut all = IndexVec::new();
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated() {
        let is_head = cutpoint.kind == CutKind::Head;
        let spaces = search.spaces[base::Id::index(cut)].iter().filter(|space| is_head && !space.span.is_empty());
        all.push(spaces.flat_map(|space| space.equations.iter().copied()).collect());
    }
    Ok((all, search.is_certain))
}

struct Search<'a> {
    program: &'a Program,
    blocks: &'a Blocks,
    known: &'a IndexVec<Cut, Vec<Term>>,
    /// By cutpoint and width.
    spaces: Vec<Vec<Space>>,
    solver: Solver,
    order: Order,
    is_certain: bool,
    left: u64,
}

impl Search<'_> {
    fn run(&mut self, terms: &mut Terms, budget: &Budget) -> Result<(), Stopped> {
        let mut reached: IndexVec<Cut, bool> = IndexVec::new();
        reached.grow_to(self.blocks.cutpoints.len(), false);
        reached[self.blocks.entry()] = true;
        let mut dirty = vec![self.blocks.entry()];
        while let Some(from) = dirty.pop() {
            for number in 0..self.blocks.blocks[from].exits.len() {
                let to = self.blocks.blocks[from].exits[number].to;
                if self.blocks.cutpoints[to].kind != CutKind::Head {
                    continue;
                }
                while let Some(state) = self.leaves(terms, from, number, reached[to], budget)? {
                    reached[to] = true;
                    for (space, values) in self.spaces[base::Id::index(to)].iter_mut().zip(state) {
                        space.grow(self.program, terms, values);
                    }
                    if !dirty.contains(&to) {
                        dirty.push(to);
                    }
                }
                if self.left == 0 {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
    /// What the equations at the cutpoint determine, unless its block is large.
    fn solved(&self, terms: &mut Terms, from: Cut, is_large: bool) -> Solved {
        let equations: Vec<Term> =
            self.spaces[base::Id::index(from)].iter().flat_map(|space| &space.equations).copied().collect();
        if is_large {
            Solved { values: Vec::new(), rest: equations }
        } else {
            solve(terms, &equations, Products::Whole)
        }
    }
    /// A state, by width, behind the exit that is in none of the spaces there.
    fn leaves(
        &mut self,
        terms: &mut Terms,
        from: Cut,
        exit: usize,
        is_reached: bool,
        budget: &Budget,
    ) -> Result<Option<Vec<Vec<u64>>>, Stopped> {
        let exit = &self.blocks.blocks[from].exits[exit];
        let pairs: Vec<(Term, Term)> =
            exit.values.iter().map(|&(var, value)| (self.program.vars[var].term, value)).collect();
        let mut put_in = Substitution::new(terms, &pairs);
        // What the equations at the start determine is put in: then most goals are seen to hold without a question.
        let roots: Vec<Term> = exit.values.iter().map(|&(_, value)| value).chain([exit.guard]).collect();
        let is_large = terms.subterms(&roots).len() > Tuning::DEFAULT.equations_block_terms;
        let solved = self.solved(terms, from, is_large);
        let mut determined = Substitution::new(terms, &solved.values);
        let order = &mut self.order;
        let mut read = |terms: &mut Terms, term: Term| {
            if is_large {
                return term;
            }
            let term = determined.apply(terms, term);
            order.apply(terms, term)
        };
        let mut assumptions = solved.rest;
        for &assumption in [exit.guard].iter().chain(&self.known[from]) {
            assumptions.push(read(terms, assumption));
        }
        let mut broken = Vec::new();
        let mut columns: Vec<Vec<Term>> = Vec::new();
        for space in &self.spaces[base::Id::index(exit.to)] {
            for &equation in &space.equations {
                let goal = put_in.apply(terms, equation);
                let goal = read(terms, goal);
                if goal != terms.truth(true) {
                    broken.push(terms.not(goal));
                }
            }
            let mut column = Vec::new();
            for &var in &space.vars {
                let value = put_in.apply(terms, self.program.vars[var].term);
                column.push(read(terms, value));
            }
            columns.push(column);
        }
        if is_reached && broken.is_empty() {
            return Ok(None);
        }
        let clause = is_reached.then_some(&broken[..]);
        let query = Query { assumptions: &assumptions, clause, domain: None };
        let limited = budget.part(Tuning::DEFAULT.equations_query_ticks.min(self.left));
        let answer = self.solver.check(terms, &query, &limited);
        let state = match answer {
            Ok(Answer::Sat(mut model)) => Some(
                columns.iter().map(|column| column.iter().map(|&term| number(model.value(term))).collect()).collect(),
            ),
            Ok(Answer::Unsat(_)) => None,
            Ok(Answer::Unknown(_)) => {
                self.is_certain = false;
                None
            }
            Err(Stopped::OutOfTicks) => {
                // A hard query: its result stays unknown, and the equations are only candidates.
                budget.spend(0)?;
                self.is_certain = false;
                None
            }
            Err(stopped) => return Err(stopped),
        };
        self.left = self.left.saturating_sub(limited.spent() + 1000);
        if self.left == 0 {
            self.is_certain = false;
            return Ok(None);
        }
        Ok(state)
    }
}

/// The value of a word.
pub(super) fn number(value: Value) -> u64 {
    match value {
        Value::Bits(bits) => bits.to_u64().expect("words of at most 64 bits"),
        _ => unreachable!("columns are words"),
    }
}

/// The state's words by width, each with an empty space.
fn spaces(program: &Program, terms: &Terms, state: &[Var]) -> Vec<Space> {
    let mut spaces: Vec<Space> = Vec::new();
    for &var in state {
        let SortKind::BitVec(width @ 2..=64) = *terms.sort_kind(program.vars[var].sort) else { continue };
        match spaces.iter_mut().find(|space| space.span.width == width) {
            Some(space) => space.vars.push(var),
            None => spaces.push(Space { vars: vec![var], span: Span::new(width, 1), equations: Vec::new() }),
        }
    }
    for space in &mut spaces {
        space.vars.truncate(Tuning::DEFAULT.equations_variables);
        space.span = Span::new(space.span.width, space.vars.len() + 1);
    }
    spaces
}

impl Space {
    fn grow(&mut self, program: &Program, terms: &mut Terms, mut state: Vec<u64>) {
        state.push(1);
        self.span.add(state);
        let words: Vec<Term> = self.vars.iter().map(|&var| program.vars[var].term).collect();
        let forms = self.span.orthogonal();
        self.equations = forms.iter().map(|form| equation(terms, self.span.width, &words, form)).collect();
    }
}

/// The form, with a constant in its last column, is zero.
fn equation(terms: &mut Terms, width: u32, words: &[Term], form: &[u64]) -> Term {
    // What all coefficients have in common only says how many low bits the equation speaks of.
    let common = form.iter().fold(width, |least, &entry| least.min(entry.trailing_zeros()));
    let form: Vec<u64> = form.iter().map(|&entry| entry >> common).collect();
    let (left, right) = sides(terms, width, words, &form);
    if common == 0 {
        return terms.eq(left, right);
    }
    let [left, right] = [left, right].map(|side| terms.extract(side, width - common - 1, 0));
    terms.eq(left, right)
}

/// The form as two sums that are equal when it is zero: what has a small negative coefficient is on the right.
pub(super) fn sides(terms: &mut Terms, width: u32, words: &[Term], form: &[u64]) -> (Term, Term) {
    let one = terms.bv(width, 1);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (&word, &entry) in words.iter().chain([&one]).zip(form).filter(|&(_, &entry)| entry != 0) {
        let negated = entry.wrapping_neg() & (u64::MAX >> (64 - width));
        let is_negative = entry > negated;
        let factor = terms.bv(width, entry.min(negated));
        let product = terms.bv_mul(word, factor);
        if is_negative { right.push(product) } else { left.push(product) }
    }
    (sum(terms, width, &left), sum(terms, width, &right))
}

fn sum(terms: &mut Terms, width: u32, parts: &[Term]) -> Term {
    let zero = terms.bv(width, 0);
    parts.iter().fold(zero, |sum, &part| terms.bv_add(sum, part))
}
