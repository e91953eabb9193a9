//! From a model of one step to a cube of states that all take it.
//!
//! *Justify*: walk down from what had to hold and note only what made it so: of a true disjunction one
//! part, of an `ite` the condition and the branch taken. The atoms met are enough for the step, whatever
//! the uninterpreted operators mean. Where there is a choice we take the part that costs least.
//!
//! *Project*: atoms over inputs must go, since a cube speaks of states. An input may be chosen freely, as a
//! constant or as a copy of a state variable; we take the choice, among those the model allows, that leaves the
//! fewest literals. So every state in the cube takes the step with the inputs chosen: a *must* preimage
//! in the words of the notes, for any meaning of the operators. Unlike [BuenoSakallah-VMCAI'19] section 5.2, which
//! keeps the full partition of all terms in the cone, no literal is there that the step does not need.

use base::FastMap;
use encode::{BlockInput, Cut};
use smt::{Model, Solver};
use term::{Op, SortKind, Substitution, Term, Terms, Value};

use crate::cube::Cube;

/// How useful atoms have been.
pub(crate) type Activity = FastMap<Term, u32>;

/// The states, and the inputs with which they take the step.
pub(crate) struct Preimage {
    pub cube: Cube,
    /// Whether some atom was left out because its inputs could not be chosen: then some states of the cube may not take
    /// the step.
    pub is_rough: bool,
}

/// What made the goals true.
pub(crate) struct Justified {
    /// Atoms with their truth values.
    atoms: Vec<(Term, bool)>,
    /// The branch of each `ite` on terms that was taken.
    taken: FastMap<Term, bool>,
    /// Truth-valued arguments of functions.
    truths: FastMap<Term, bool>,
}

impl Justified {
    /// What made the goals true does not hold all at once.
    pub fn denial(&self, terms: &mut Terms) -> Term {
        let parts: Vec<Term> =
            self.atoms.iter().map(|&(atom, value)| if value { terms.not(atom) } else { atom }).collect();
        terms.or(&parts)
    }
}

pub(crate) fn justify(terms: &Terms, model: &mut Model<'_>, goals: &[Term], activity: &Activity) -> Justified {
    let mut justified = Justified { atoms: Vec::new(), taken: FastMap::new(), truths: FastMap::new() };
    let mut seen: FastMap<Term, ()> = FastMap::new();
    let mut sizes: FastMap<Term, u32> = FastMap::new();
    let mut open: Vec<(Term, bool)> = goals.iter().map(|&goal| (goal, true)).collect();
    while let Some((term, value)) = open.pop() {
        if terms.op(term) == Op::Not {
            open.push((terms.arg(term, 0), !value));
            continue;
        }
        if seen.insert(term, ()).is_some() {
            continue;
        }
        let args = terms.args(term);
        match (terms.op(term), value) {
            (Op::True | Op::False, _) => {}
            (Op::And, true) | (Op::Or, false) => open.extend(args.iter().map(|&arg| (arg, value))),
            (Op::And, false) | (Op::Or, true) => {
                let mut best: Option<((u32, u32), Term)> = None;
                for &arg in args.iter().filter(|&&arg| model.is_true(arg) == value) {
                    let atom = if terms.op(arg) == Op::Not { terms.arg(arg, 0) } else { arg };
                    let cost = if seen.contains_key(&atom) {
                        (0, 0)
                    } else {
                        let used = activity.get(&atom).copied().unwrap_or(0);
                        (1 + size(terms, &mut sizes, atom), u32::MAX - used)
                    };
                    if best.is_none_or(|(least, _)| cost < least) {
                        best = Some((cost, arg));
                    }
                }
                let (_, arg) = best.expect("a part has the value that decides");
                open.push((arg, value));
            }
            (Op::Implies, true) => {
                if model.is_true(args[1]) {
                    open.push((args[1], true))
                } else {
                    open.push((args[0], false))
                }
            }
            (Op::Implies, false) => open.extend([(args[0], true), (args[1], false)]),
            (Op::Xor, _) => open.extend(args.iter().map(|&arg| (arg, model.is_true(arg)))),
            (Op::Eq, _) if terms.is_bool(args[0]) => open.extend(args.iter().map(|&arg| (arg, model.is_true(arg)))),
            (Op::Ite, _) => {
                let condition = model.is_true(args[0]);
                open.push((args[0], condition));
                open.push((if condition { args[1] } else { args[2] }, value));
            }
            _ => {
                justified.atoms.push((term, value));
                descend(terms, model, term, &mut justified, &mut open);
            }
        }
    }
    justified
}

/// Looks for `ite` below an atom.
fn descend(terms: &Terms, model: &mut Model<'_>, atom: Term, justified: &mut Justified, open: &mut Vec<(Term, bool)>) {
    let mut seen: FastMap<Term, ()> = FastMap::new();
    let mut below: Vec<Term> = terms.args(atom).to_vec();
    while let Some(term) = below.pop() {
        if seen.insert(term, ()).is_some() {
            continue;
        }
        if terms.is_bool(term) {
            let value = model.is_true(term);
            justified.truths.insert(term, value);
            open.push((term, value));
        } else if terms.op(term) == Op::Ite {
            let args = terms.args(term);
            let condition = model.is_true(args[0]);
            justified.taken.insert(term, condition);
            open.push((args[0], condition));
            below.push(if condition { args[1] } else { args[2] });
        } else {
            below.extend(terms.args(term));
        }
    }
}

/// The size of a term as a tree, up to a limit.
fn size(terms: &Terms, sizes: &mut FastMap<Term, u32>, root: Term) -> u32 {
    if let Some(&size) = sizes.get(&root) {
        return size;
    }
    for term in terms.subterms_until(&[root], |term| sizes.contains_key(&term)) {
        let sum = terms.args(term).iter().fold(1u32, |sum, arg| sum.saturating_add(sizes[arg]));
        sizes.insert(term, sum.min(1 << 20));
    }
    sizes[&root]
}

/// The cube over the state alone; none if the simplifier sees that what made the goals true is impossible.
pub(crate) fn project(
    terms: &mut Terms,
    solver: &Solver,
    at: Cut,
    justified: &Justified,
    inputs: &[BlockInput],
    state: &[Term],
) -> Option<Preimage> {
    let mut literals = Vec::new();
    let mut resolve = Resolve { justified, done: FastMap::new() };
    for &(atom, value) in &justified.atoms {
        let atom = resolve.resolved(terms, atom);
        literals.push(if value { atom } else { terms.not(atom) });
    }
    if literals.contains(&terms.truth(false)) {
        return None;
    }
    let mut is_rough = false;
    for input in inputs {
        let (with, without): (Vec<Term>, Vec<Term>) =
            literals.into_iter().partition(|&literal| mentions(terms, literal, input.symbol));
        literals = without;
        if with.is_empty() {
            continue;
        }
        match best_choice(terms, solver, input.symbol, &with, state) {
            Some(chosen) => literals.extend(chosen),
            None => is_rough = true,
        }
    }
    let truth = terms.truth(true);
    literals.retain(|&literal| literal != truth);
    Some(Preimage { cube: Cube::new(at, literals), is_rough })
}

/// The literals with the input chosen such that fewest of them are left.
fn best_choice(terms: &mut Terms, solver: &Solver, input: Term, with: &[Term], state: &[Term]) -> Option<Vec<Term>> {
    let mut choices = Vec::new();
    {
        let mut model = solver.model(terms)?;
        let value = model.value(input);
        let sort = terms.sort_of(input);
        for &variable in state {
            if terms.sort_of(variable) == sort && model.value(variable) == value {
                choices.push(variable);
            }
        }
        drop(model);
        match (value, terms.sort_kind(sort)) {
            (Value::Bool(truth), _) => choices.push(terms.truth(truth)),
            (Value::Bits(bits), SortKind::BitVec(_)) => choices.push(terms.bits(bits)),
            _ => {}
        }
    }
    let truth = terms.truth(true);
    let mut best: Option<Vec<Term>> = None;
    // Constants come last, and win a draw: they say least about other variables.
    for choice in choices {
        let mut put_in = Substitution::new(terms, &[(input, choice)]);
        let mut left: Vec<Term> = with.iter().map(|&literal| put_in.apply(terms, literal)).collect();
        left.retain(|&literal| literal != truth);
        if left.contains(&terms.truth(false)) {
            continue; // Equal in the model by value, but the simplifier knows better about uninterpreted parts.
        }
        if best.as_ref().is_none_or(|best| left.len() <= best.len()) {
            best = Some(left);
        }
    }
    best
}

fn mentions(terms: &Terms, term: Term, symbol: Term) -> bool {
    terms.subterms(&[term]).contains(&symbol)
}

/// Puts in the branches that were taken.
struct Resolve<'a> {
    justified: &'a Justified,
    done: FastMap<Term, Term>,
}

impl Resolve<'_> {
    fn resolved(&mut self, terms: &mut Terms, root: Term) -> Term {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.done.contains_key(&term) {
                open.pop();
                continue;
            }
            if let (Some(&truth), true) = (self.justified.truths.get(&term), term != root) {
                let value = terms.truth(truth);
                self.done.insert(term, value);
                continue;
            }
            let needed: Vec<Term> = match self.justified.taken.get(&term) {
                Some(&condition) => vec![terms.arg(term, if condition { 1 } else { 2 })],
                None => terms.args(term).to_vec(),
            };
            let before = open.len();
            open.extend(needed.iter().filter(|arg| !self.done.contains_key(*arg)));
            if open.len() > before {
                continue;
            }
            let args: Vec<Term> = needed.iter().map(|arg| self.done[arg]).collect();
            let new = if self.justified.taken.contains_key(&term) { args[0] } else { terms.rebuild(term, &args) };
            self.done.insert(term, new);
        }
        self.done[&root]
    }
}
