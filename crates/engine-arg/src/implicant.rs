//! From a model of one step to a cube: conditions on the state before it under which the step is still possible.
//!
//! We walk down from what had to hold and note only what made it so: of a true disjunction one part, of a choice its
//! condition and the branch taken. The atoms met, with the branches put in and inputs fixed to their values, speak of
//! the state alone, in the program's own words; and every state that satisfies them takes the step with these inputs.

use base::FastMap;
use smt::Model;
use term::{Op, Substitution, Term, Terms, Value};

/// What made formulas true in a model.
pub(crate) struct Implicant {
    /// Atoms with their truth values.
    atoms: Vec<(Term, bool)>,
    /// The branch of each choice between words that was taken.
    taken: FastMap<Term, bool>,
    /// Truth values below atoms.
    truths: FastMap<Term, bool>,
    /// Inputs with their values.
    inputs: Vec<(Term, Value)>,
}

/// A conjunction of literals.
pub(crate) type Cube = Vec<Term>;

impl Implicant {
    /// Of the goals, all true in the model.
    pub fn new(terms: &Terms, model: &mut Model<'_>, goals: &[Term], inputs: &[Term]) -> Self {
        let mut found =
            Implicant { atoms: Vec::new(), taken: FastMap::new(), truths: FastMap::new(), inputs: Vec::new() };
        let mut seen: FastMap<Term, ()> = FastMap::new();
        let mut open: Vec<(Term, bool)> = goals.iter().map(|&goal| (goal, true)).collect();
        while let Some((term, value)) = open.pop() {
            let args = terms.args(term);
            if terms.op(term) == Op::Not {
                open.push((args[0], !value));
                continue;
            }
            if seen.insert(term, ()).is_some() {
                continue;
            }
            match (terms.op(term), value) {
                (Op::True | Op::False, _) => {}
                (Op::And, true) | (Op::Or, false) => open.extend(args.iter().map(|&arg| (arg, value))),
                (Op::And, false) | (Op::Or, true) => {
                    // What is noted already costs nothing; of the others the oldest term is the smallest, as a rule.
                    let is_noted = |arg: Term| {
                        let atom = if terms.op(arg) == Op::Not { terms.arg(arg, 0) } else { arg };
                        (!seen.contains_key(&atom), atom)
                    };
                    let deciding = args.iter().copied().filter(|&arg| model.is_true(arg) == value);
                    let arg = deciding.min_by_key(|&arg| is_noted(arg)).expect("a part has the value that decides");
                    open.push((arg, value));
                }
                (Op::Ite, _) => {
                    let condition = model.is_true(args[0]);
                    open.push((args[0], condition));
                    open.push((if condition { args[1] } else { args[2] }, value));
                }
                (Op::Implies, true) if model.is_true(args[1]) => open.push((args[1], true)),
                (Op::Implies, true) => open.push((args[0], false)),
                (Op::Implies, false) => open.extend([(args[0], true), (args[1], false)]),
                (Op::Xor, _) => open.extend(args.iter().map(|&arg| (arg, model.is_true(arg)))),
                (Op::Eq, _) if terms.is_bool(args[0]) => {
                    open.extend(args.iter().map(|&arg| (arg, model.is_true(arg))));
                }
                _ => {
                    found.atoms.push((term, value));
                    found.choices(terms, model, term, &mut open);
                }
            }
        }
        found.inputs = inputs.iter().map(|&input| (input, model.value(input))).collect();
        found
    }
    /// Looks for choices below an atom.
    fn choices(&mut self, terms: &Terms, model: &mut Model<'_>, atom: Term, open: &mut Vec<(Term, bool)>) {
        let mut seen: FastMap<Term, ()> = FastMap::new();
        let mut below: Vec<Term> = terms.args(atom).to_vec();
        while let Some(term) = below.pop() {
            if seen.insert(term, ()).is_some() {
                continue;
            }
            let args = terms.args(term);
            if terms.is_bool(term) {
                let value = model.is_true(term);
                self.truths.insert(term, value);
                open.push((term, value));
            } else if terms.op(term) == Op::Ite {
                let condition = model.is_true(args[0]);
                self.taken.insert(term, condition);
                open.push((args[0], condition));
                below.push(if condition { args[1] } else { args[2] });
            } else {
                below.extend(args);
            }
        }
    }
    /// The atoms with the branches that were taken put in, as literals.
    pub fn literals(&self, terms: &mut Terms) -> Cube {
        let mut done: FastMap<Term, Term> = FastMap::new();
        let mut literals = Vec::with_capacity(self.atoms.len());
        for &(atom, value) in &self.atoms {
            let atom = self.resolved(terms, atom, &mut done);
            literals.push(if value { atom } else { terms.not(atom) });
        }
        without_redundant(terms, &mut literals);
        literals
    }
    /// The cube over the state alone, its literals in order; some states of it may not take the step if a value could not
    /// be written down.
    pub fn cube(&self, terms: &mut Terms, state: &[Term]) -> Cube {
        let mut done: FastMap<Term, Term> = FastMap::new();
        let mut literals = Vec::with_capacity(self.atoms.len());
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        for (input, value) in &self.inputs {
            match value {
                Value::Bool(truth) => pairs.push((*input, terms.truth(*truth))),
                Value::Bits(bits) => pairs.push((*input, terms.bits(bits.clone()))),
                _ => {}
            }
        }
        let mut put_in = Substitution::new(terms, &pairs);
        for &(atom, value) in &self.atoms {
            let atom = self.resolved(terms, atom, &mut done);
            let atom = put_in.apply(terms, atom);
            literals.push(if value { atom } else { terms.not(atom) });
        }
        literals.retain(|&literal| {
            let is_over_state = |&term: &Term| !matches!(terms.op(term), Op::Symbol(_)) || state.contains(&term);
            terms.op(literal) != Op::True && terms.subterms(&[literal]).iter().all(is_over_state)
        });
        without_redundant(terms, &mut literals);
        literals.sort_unstable();
        literals.dedup();
        literals
    }
    /// The term with the branches that were taken.
    fn resolved(&self, terms: &mut Terms, root: Term, done: &mut FastMap<Term, Term>) -> Term {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if done.contains_key(&term) {
                open.pop();
                continue;
            }
            if let (Some(&truth), true) = (self.truths.get(&term), term != root) {
                done.insert(term, terms.truth(truth));
                continue;
            }
            let taken = self.taken.get(&term).copied();
            let needed: Vec<Term> = match taken {
                Some(condition) => vec![terms.arg(term, if condition { 1 } else { 2 })],
                None => terms.args(term).to_vec(),
            };
            let before = open.len();
            open.extend(needed.iter().filter(|arg| !done.contains_key(*arg)));
            if open.len() > before {
                continue;
            }
            let args: Vec<Term> = needed.iter().map(|arg| done[arg]).collect();
            let new = if taken.is_some() { args[0] } else { terms.rebuild(term, &args) };
            done.insert(term, new);
        }
        done[&root]
    }
}

/// Leaves out what follows from variables that have a fixed value in the cube.
fn without_redundant(terms: &mut Terms, literals: &mut Cube) {
    let fixed: Vec<(Term, Term)> = literals.iter().filter_map(|&literal| fixes(terms, literal)).collect();
    if fixed.is_empty() {
        return;
    }
    let mut put_in = Substitution::new(terms, &fixed);
    literals.retain(|&literal| {
        fixes(terms, literal).is_some() || {
            let left = put_in.apply(terms, literal);
            terms.op(left) != Op::True
        }
    });
}

/// The variable that a literal gives a value, with the value.
pub(crate) fn fixes(terms: &Terms, literal: Term) -> Option<(Term, Term)> {
    if terms.op(literal) != Op::Eq {
        return None;
    }
    let (left, right) = (terms.arg(literal, 0), terms.arg(literal, 1));
    let is_variable = |term: Term| matches!(terms.op(term), Op::Symbol(_)) && terms.args(term).is_empty();
    match (is_variable(left) && terms.is_value(right), is_variable(right) && terms.is_value(left)) {
        (true, _) => Some((left, right)),
        (_, true) => Some((right, left)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use base::Budget;
    use smt::{Answer, Query, Solver};

    use super::*;

    /// The cube of a model of the goal.
    fn cube(terms: &mut Terms, goal: Term, inputs: &[Term], state: &[Term]) -> String {
        let mut solver = Solver::new();
        let found = match solver.check(terms, &Query::assuming(&[goal]), &Budget::default()) {
            Ok(Answer::Sat(mut model)) => Implicant::new(terms, &mut model, &[goal], inputs),
            _ => panic!("the goal can be met"),
        };
        let cube = found.cube(terms, state);
        cube.into_iter().map(|literal| terms.to_smtlib(literal)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_choice_leaves_its_condition_and_the_branch_taken() {
        let mut terms = Terms::new();
        let (sort, bool_sort) = (terms.bv_sort(8), terms.bool_sort());
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, sort));
        let flag = terms.variable("flag", bool_sort);
        let chosen = terms.ite(flag, x, y);
        let three = terms.bv(8, 3);
        let is_three = terms.eq(chosen, three);
        let goal = terms.and(&[is_three, flag]);
        assert_eq!(cube(&mut terms, goal, &[], &[x, y, flag]), "flag (= x #x03)");
    }

    #[test]
    fn inputs_are_given_their_values() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let [x, input] = ["x", "input"].map(|name| terms.variable(name, sort));
        let (one, two) = (terms.bv(8, 1), terms.bv(8, 2));
        let is_one = terms.eq(input, one);
        let less = terms.bv_ult(x, input);
        let other = terms.eq(input, two);
        let goal = terms.and(&[is_one, less]);
        let goal = terms.or(&[goal, other]);
        let not_two = terms.not(other);
        let goal = terms.and(&[goal, not_two]);
        assert_eq!(cube(&mut terms, goal, &[input], &[x]), "(= x #x00)");
    }

    #[test]
    fn what_a_fixed_value_implies_is_left_out() {
        let mut terms = Terms::new();
        let sort = terms.bv_sort(8);
        let x = terms.variable("x", sort);
        let (four, seven) = (terms.bv(8, 4), terms.bv(8, 7));
        let is_four = terms.eq(x, four);
        let not_seven = terms.ne(x, seven);
        let mut literals = vec![is_four, not_seven];
        without_redundant(&mut terms, &mut literals);
        assert_eq!(literals, [is_four]);
    }
}
