//! Sums and differences of two variables against their extreme values at the entry: in `while (k < n) { k++; if (…) l++; }`
//! that is `l - k`, which never grows, so that `l` is bounded because `k` is.
//!
//! The extreme values are found by asking a solver; `houdini` says which of them are kept.
//!
//! Where the counters can become so large that the sum or the difference overflows, those bounds are not kept. What is left then is that the sum of two
//! numbers is in range, in words that do not add them: `-l <= k` and `l <= MAX - k`.

use base::{Budget, Stopped};
use encode::{Blocks, Cut, CutKind, Exit};
use program::{Program, Var};
use smt::{Answer, Query, Solver};
use term::{SortKind, Term, Terms};

use crate::context::Context;
use crate::tuning::Tuning;

/// How far beyond the extreme values at the entry is tried, too.
const SLACK: [i64; 4] = [0, 1, 2, 16];

/// Candidates for all loop heads, in chains in which each implies the next one.
pub(super) fn candidates(cx: &mut Context<'_>) -> Result<Vec<(Cut, Vec<Term>)>, Stopped> {
    let (program, blocks, budget) = (cx.program(), cx.blocks, cx.run.budget);
    let terms = &mut *cx.terms;
    let mut solver = Solver::new();
    blocks.axioms.iter().for_each(|&axiom| solver.assert(axiom));
    let mut entry = Entry { program, solver, budget };
    let mut found = Vec::new();
    let mut extremes: Vec<i64> = Vec::new();
    let forms = forms(program, terms, blocks);
    let is_there = |form: &Form, cut: Cut| {
        let cutpoint = &blocks.cutpoints[cut];
        cutpoint.kind == CutKind::Head && form.vars.iter().all(|var| cutpoint.state.contains(var))
    };
    for form in forms.iter() {
        for exit in blocks.blocks[blocks.entry()].exits.iter().filter(|exit| is_there(form, exit.to)) {
            for is_upper in [true, false] {
                let Some(extreme) = entry.extreme(terms, exit, form.term, is_upper)? else { continue };
                extremes.extend([extreme, extreme.saturating_neg()]);
                let chain = chain(terms, form.term, &[extreme], is_upper);
                for cut in blocks.cutpoints.ids().filter(|&cut| is_there(form, cut)) {
                    found.push((cut, chain.clone()));
                }
            }
        }
    }
    // What bounds a sum may bound a variable in it: where sums can overflow they say little alone.
    extremes.sort_unstable();
    extremes.dedup();
    for form in forms.iter().filter(|form| form.vars.len() == 1) {
        for is_upper in [true, false] {
            let chain = chain(terms, form.term, &extremes, is_upper);
            for cut in blocks.cutpoints.ids().filter(|&cut| is_there(form, cut)) {
                found.push((cut, chain.clone()));
            }
        }
    }
    for claim in sums_in_range(program, terms, blocks) {
        for cut in blocks.cutpoints.ids().filter(|&cut| is_there(&claim, cut)) {
            found.push((cut, vec![claim.term]));
        }
    }
    Ok(found)
}

/// Claims about two variables: their sum is not negative, or not above the largest signed number.
fn sums_in_range(program: &Program, terms: &mut Terms, blocks: &Blocks) -> Vec<Form> {
    let words = changed(program, terms, blocks);
    let mut claims = Vec::new();
    for (number, &left) in words.iter().enumerate() {
        for &right in words[number + 1..].iter().filter(|&&right| program.vars[left].sort == program.vars[right].sort) {
            for (left, right) in [(left, right), (right, left)] {
                let (one, other) = (program.vars[left].term, program.vars[right].term);
                let width = terms.width(one);
                let negated = terms.bv_neg(one);
                let most = terms.bv(width, last(width, true) as u64);
                let rest = terms.bv_sub(most, other);
                for term in [terms.bv_sle(negated, other), terms.bv_ule(one, rest)] {
                    claims.push(Form { vars: vec![left, right], term });
                }
            }
        }
    }
    claims
}

/// The form is at most, or at least, one of the bounds, or little more than that.
fn chain(terms: &mut Terms, form: Term, bounds: &[i64], is_upper: bool) -> Vec<Term> {
    let width = terms.width(form);
    let (least, most) = (last(width, false), last(width, true));
    let sign = if is_upper { 1 } else { -1 };
    let mut all: Vec<i64> =
        bounds.iter().flat_map(|bound| SLACK.map(|slack| bound.saturating_add(sign * slack))).collect();
    all.retain(|&bound| least < bound && bound < most);
    // The strongest first.
    all.sort_unstable_by_key(|bound| i128::from(*bound) * i128::from(sign));
    all.dedup();
    let mut chain = Vec::new();
    for bound in all {
        let bound = terms.bv(width, bound as u64);
        chain.push(if is_upper { terms.bv_sle(form, bound) } else { terms.bv_sle(bound, form) });
    }
    chain
}

/// The largest or smallest signed value of that width.
fn last(width: u32, is_upper: bool) -> i64 {
    (if is_upper { i64::MAX } else { i64::MIN }) >> (64 - width)
}

/// A sum of variables, or a claim about them.
struct Form {
    vars: Vec<Var>,
    term: Term,
}

/// The words that loops change.
fn changed(program: &Program, terms: &Terms, blocks: &Blocks) -> Vec<Var> {
    let mut words: Vec<Var> = Vec::new();
    for (cut, block) in blocks.blocks.iter_enumerated() {
        for &(var, value) in block.exits.iter().filter(|_| cut != blocks.entry()).flat_map(|exit| &exit.values) {
            let is_word = matches!(*terms.sort_kind(program.vars[var].sort), SortKind::BitVec(8..=64));
            if is_word && value != program.vars[var].term && !words.contains(&var) {
                words.push(var);
            }
        }
    }
    words.truncate(Tuning::DEFAULT.rates_variables);
    words
}

fn forms(program: &Program, terms: &mut Terms, blocks: &Blocks) -> Vec<Form> {
    let words = changed(program, terms, blocks);
    let mut forms: Vec<Form> =
        words.iter().map(|&var| Form { vars: vec![var], term: program.vars[var].term }).collect();
    for (number, &left) in words.iter().enumerate() {
        for &right in &words[number + 1..] {
            if program.vars[left].sort == program.vars[right].sort {
                let (one, other) = (program.vars[left].term, program.vars[right].term);
                for term in [terms.bv_sub(one, other), terms.bv_add(one, other)] {
                    forms.push(Form { vars: vec![left, right], term });
                }
            }
        }
    }
    forms
}

/// The block that runs start with, and a solver for it.
struct Entry<'a> {
    program: &'a Program,
    solver: Solver,
    budget: &'a Budget,
}

impl Entry<'_> {
    /// The largest or smallest signed value of the form at the end of the block; none if it is not found soon, or any
    /// value is possible.
    fn extreme(&mut self, terms: &mut Terms, exit: &Exit, form: Term, is_upper: bool) -> Result<Option<i64>, Stopped> {
        let pairs: Vec<(Term, Term)> =
            exit.values.iter().map(|&(var, value)| (self.program.vars[var].term, value)).collect();
        let word = terms.substitute(form, &pairs);
        let width = terms.width(word);
        let (mut low, mut high) = (last(width, false), last(width, true));
        while low < high {
            // Has the half towards the extreme a value?
            let distance = high.wrapping_sub(low) as u64;
            let half = low.wrapping_add((distance / 2 + u64::from(is_upper && distance > 0)) as i64).min(high);
            let bound = terms.bv(width, half as u64);
            let is_there = if is_upper { terms.bv_sle(bound, word) } else { terms.bv_sle(word, bound) };
            let limited = self.budget.part(Tuning::DEFAULT.rates_query_ticks);
            let answer = self.solver.check(terms, &Query::assuming(&[exit.guard, is_there]), &limited);
            let has_value = match answer {
                Ok(Answer::Sat(_)) => true,
                Ok(Answer::Unsat(_)) => false,
                Ok(Answer::Unknown(_)) | Err(Stopped::OutOfTicks) => return Ok(None),
                Err(stopped) => return Err(stopped),
            };
            match (is_upper, has_value) {
                (true, true) => low = half,
                (true, false) => high = half - 1,
                (false, true) => high = half,
                (false, false) => low = half + 1,
            }
        }
        Ok((low != last(width, is_upper)).then_some(low))
    }
}
