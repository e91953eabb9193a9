//! Values that never meet: clauses `x != c or y != d` that a machine with states keeps.
//!
//! Programs that are driven by a state variable are rarely inductive by themselves: from anywhere, every state goes with
//! every flag. What they keep, more often than not, is a list of pairs that never occur together. The constants
//! are those of the program: what a variable is compared with, and what is assigned to it. Every pair of values of every
//! pair of variables is a candidate, and `houdini` leaves those that are inductive together, with operators read as
//! functions, so that what is computed beside the control costs nothing.

use base::{FastMap, IndexVec, Stopped};
use encode::{Blocks, Cut, CutKind};
use program::Program;
use smt::Reading;
use term::{Op, Substitution, Term, Terms};

use super::Invariants;
use crate::context::Context;
use crate::houdini::Houdini;
use crate::tuning::Tuning;

/// Clauses that are inductive together with what is known, by cutpoint; `None` if there is no clause.
pub(super) fn exclusions(
    cx: &mut Context<'_>,
    invariants: &Invariants,
) -> Result<Option<IndexVec<Cut, Vec<Term>>>, Stopped> {
    let (program, blocks) = (cx.program(), cx.blocks);
    let values = values(program, cx.terms, blocks);
    let mut houdini = Houdini::new(blocks);
    houdini.reading = Reading::Uninterpreted;
    for (cut, cutpoint) in blocks.cutpoints.iter_enumerated() {
        if cutpoint.kind == CutKind::Head {
            houdini.candidates[cut] = candidates(program, cx.terms, blocks, cut, &values);
        }
    }
    inductive(cx, invariants, houdini, (Tuning::DEFAULT.exclusions_query_ticks, Tuning::DEFAULT.exclusions_ticks))
}

/// What is left of the candidates, without what follows from the rest; `None` if nothing is left. The effort: ticks for one query, and for all.
pub(super) fn inductive(
    cx: &mut Context<'_>,
    invariants: &Invariants,
    houdini: Houdini,
    (query_ticks, all_ticks): (u64, u64),
) -> Result<Option<IndexVec<Cut, Vec<Term>>>, Stopped> {
    if houdini.candidates.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let part = cx.run.budget.part(all_ticks);
    match houdini.run(&mut cx.within(&part), &invariants.at, query_ticks) {
        Err(Stopped::OutOfTicks) => Ok(None),
        Err(stopped) => Err(stopped),
        Ok(survivors) if survivors.invariants.iter().all(Vec::is_empty) => Ok(None),
        Ok(survivors) => {
            let mut found = survivors.invariants;
            found.iter_mut().for_each(|clauses| keep_strongest(cx.terms, clauses));
            Ok(Some(found))
        }
    }
}

/// Leaves out what another one says with fewer literals: evidence is checked again.
fn keep_strongest(terms: &mut Terms, clauses: &mut Vec<Term>) {
    let mut there: FastMap<Term, ()> = FastMap::new();
    for &clause in clauses.iter() {
        there.insert(clause, ());
    }
    clauses.retain(|&clause| {
        if terms.op(clause) != Op::Or {
            return true;
        }
        let literals = terms.args(clause).to_vec();
        let mut is_said = literals.iter().any(|literal| there.contains_key(literal));
        // Long clauses list the values of one variable; pairs matter for those of three literals only.
        if literals.len() == 3 {
            for left_out in 0..3 {
                let pair = terms.or(&[literals[(left_out + 1) % 3], literals[(left_out + 2) % 3]]);
                is_said |= there.contains_key(&pair);
            }
        }
        !is_said
    });
}

/// A variable of the state, and what can be said of it in a clause.
struct ClauseVariable {
    symbol: Term,
    /// Its constants.
    values: Vec<Term>,
    /// That it is not one of them; and that it is, if they are few.
    literals: Vec<Term>,
}

impl ClauseVariable {
    fn new(terms: &mut Terms, symbol: Term, values: &FastMap<Term, Vec<Term>>) -> Option<ClauseVariable> {
        if terms.is_bool(symbol) {
            let never = terms.not(symbol);
            return Some(ClauseVariable { symbol, values: Vec::new(), literals: vec![symbol, never] });
        }
        let values =
            values.get(&symbol).filter(|values| values.len() <= Tuning::DEFAULT.exclusions_max_values)?.clone();
        let mut literals: Vec<Term> = values.iter().map(|&value| terms.ne(symbol, value)).collect();
        if values.len() <= Tuning::DEFAULT.exclusions_equal_values {
            literals.extend(values.iter().map(|&value| terms.eq(symbol, value)));
        }
        Some(ClauseVariable { symbol, values, literals })
    }
    /// That it is one of these.
    fn is_among(&self, terms: &mut Terms, values: &[Term]) -> Term {
        let cases: Vec<Term> = values.iter().map(|&value| terms.eq(self.symbol, value)).collect();
        terms.or(&cases)
    }
}

/// Clauses about one loop head. The variable with the most constants is taken for the state of the machine: it comes with
/// every literal about another variable. Where it becomes a copy of another variable, that one plays its part in
/// clauses of three literals.
fn candidates(
    program: &Program,
    terms: &mut Terms,
    blocks: &Blocks,
    head: Cut,
    values: &FastMap<Term, Vec<Term>>,
) -> Vec<Term> {
    let state: Vec<Term> = blocks.cutpoints[head].state.iter().map(|&var| program.vars[var].term).collect();
    let mut variables: Vec<ClauseVariable> = Vec::new();
    for &symbol in &state {
        variables.extend(ClauseVariable::new(terms, symbol, values));
    }
    variables.sort_by_key(|variable| std::cmp::Reverse(variable.values.len()));
    let Some((machine, others)) = variables.split_first() else { return Vec::new() };
    if machine.values.len() < Tuning::DEFAULT.exclusions_least_states {
        return Vec::new();
    }
    let mut found = vec![machine.is_among(terms, &machine.values)];
    found.extend(&machine.literals);
    for other in others {
        found.extend(&other.literals);
        for &one in &machine.literals {
            found.extend(other.literals.iter().map(|&literal| terms.or(&[one, literal])));
        }
    }
    found.truncate(Tuning::DEFAULT.exclusions_candidates);
    for (value, copied) in copies(program, terms, blocks, head, machine) {
        let Some(source) = others.iter().find(|other| other.symbol == copied) else { continue };
        let mut constants: Vec<Term> = source.values.iter().chain(&machine.values).copied().collect();
        constants.sort_unstable();
        constants.dedup();
        let elsewhere = terms.ne(machine.symbol, value);
        let known = source.is_among(terms, &constants);
        found.extend([known, terms.or(&[elsewhere, known])]);
        for constant in constants {
            let differs = terms.ne(copied, constant);
            found.push(terms.or(&[elsewhere, differs]));
            for other in others.iter().filter(|other| other.symbol != copied) {
                found.extend(other.literals.iter().map(|&literal| terms.or(&[elsewhere, differs, literal])));
            }
        }
    }
    found.truncate(2 * Tuning::DEFAULT.exclusions_candidates);
    found.retain(|&clause| !terms.is_value(clause));
    found.sort_unstable();
    found.dedup();
    found
}

/// In which of its states the machine takes the next from another variable, and from which.
fn copies(
    program: &Program,
    terms: &mut Terms,
    blocks: &Blocks,
    head: Cut,
    machine: &ClauseVariable,
) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    for exit in &blocks.blocks[head].exits {
        let next = exit.values.iter().find(|&&(var, _)| program.vars[var].term == machine.symbol);
        let Some(&(_, next)) = next else { continue };
        for &value in &machine.values {
            let mut here = Substitution::new(terms, &[(machine.symbol, value)]);
            if here.apply(terms, exit.guard) == terms.truth(false) {
                continue;
            }
            let next = here.apply(terms, next);
            for leaf in leaves(terms, next) {
                if matches!(terms.op(leaf), Op::Symbol(_)) && !found.contains(&(value, leaf)) {
                    found.push((value, leaf));
                }
            }
        }
    }
    found
}

/// The constants that belong to each word of the state: what it is compared with, and what is assigned to it.
fn values(program: &Program, terms: &Terms, blocks: &Blocks) -> FastMap<Term, Vec<Term>> {
    let mut found: FastMap<Term, Vec<Term>> = FastMap::new();
    let mut add = |symbol: Term, value: Term| {
        let values = found.get_or_insert_with(symbol, Vec::new);
        if !values.contains(&value) {
            values.push(value);
        }
    };
    let mut roots = Vec::new();
    for exit in blocks.blocks.iter().flat_map(|block| &block.exits) {
        roots.push(exit.guard);
        for &(var, value) in &exit.values {
            roots.push(value);
            for leaf in leaves(terms, value).into_iter().filter(|&leaf| terms.is_value(leaf)) {
                add(program.vars[var].term, leaf);
            }
        }
    }
    for atom in terms.subterms(&roots) {
        if let (Op::Eq, &[left, right]) = (terms.op(atom), terms.args(atom)) {
            for (symbol, value) in [(left, right), (right, left)] {
                if matches!(terms.op(symbol), Op::Symbol(_)) && terms.is_value(value) {
                    add(symbol, value);
                }
            }
        }
    }
    found
}

/// What the term chooses among: the arms of its choices that are no choices.
fn leaves(terms: &Terms, term: Term) -> Vec<Term> {
    let choices = terms.subterms_until(&[term], |part| terms.op(part) != Op::Ite || terms.is_bool(part));
    let mut found: Vec<Term> = choices.iter().flat_map(|&choice| &terms.args(choice)[1..]).copied().collect();
    found.push(term);
    found.retain(|&part| terms.op(part) != Op::Ite && !terms.is_bool(part));
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leaves_of_nested_choices_are_their_arms_and_not_their_conditions() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
        let [one, two, three] = [1, 2, 3].map(|value| terms.bv(8, value));
        let (is_one, is_two) = (terms.eq(x, one), terms.eq(x, two));
        let sum = terms.bv_add(y, three);
        let inner = terms.ite(is_two, two, sum);
        let choice = terms.ite(is_one, one, inner);
        assert_eq!(leaves(&terms, choice), [one, two, sum]);
        assert_eq!(leaves(&terms, three), [three]);
    }
}
