//! From a model of one step to a cube of states that all take it.
//!
//! *Justify*: walk down from what had to hold and note only what made it so: of a true disjunction one
//! part, of an `ite` the condition and the branch taken. The atoms met are enough for the step, whatever
//! the uninterpreted operators mean. Where there is a choice we take the part that costs least.
//!
//! *Project*: atoms over inputs must go, since a cube speaks of states. An input may be chosen freely, as a
//! constant or as a copy of a state variable; we take the choice, among those the model allows, that leaves the
//! fewest literals. So every state in the cube takes the step with the inputs chosen: a *must* preimage
//! in the words of the notes, for any meaning of the operators. Unlike [BuenoSakallah-VMCAI'19] section 3.1, which
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

/// What became of a model of one step.
pub(crate) enum Projected {
    /// The model is among these states.
    States(Preimage),
    /// The simplifier knows better than functions do: facts about operators that the model breaks.
    Lemmas(Vec<Term>),
}

/// The cube over the state alone.
///
/// Law: the model satisfies every literal of the cube. Putting in branches and inputs also simplifies, and what the
/// simplifier knows of operators (`x + 1 + 2` is `x + 3`) the model, to which they are functions, may not; then that
/// very fact is handed back. Without this law a cube may be blocked and its step still possible, for ever.
pub(crate) fn project(
    terms: &mut Terms,
    solver: &Solver,
    at: Cut,
    justified: &Justified,
    inputs: &[BlockInput],
    state: &[Term],
) -> Projected {
    let mut literals = Vec::new();
    let mut resolve = Resolve { justified, done: FastMap::new() };
    // What was there before and what the simplifier made of it, where these differ.
    let mut changed: Vec<(Term, Term)> = Vec::new();
    for &(atom, value) in &justified.atoms {
        let resolved = resolve.resolved(terms, atom);
        let after = if value { resolved } else { terms.not(resolved) };
        if resolved != atom {
            changed.push((atom, after));
        }
        literals.push(after);
    }
    let wrong = broken(terms, solver, &changed);
    if !wrong.is_empty() {
        let lemmas = wrong.into_iter().map(|(atom, after)| justified.equivalence(terms, atom, after));
        return Projected::Lemmas(lemmas.collect());
    }
    let mut is_rough = false;
    let mut symbols: FastMap<Term, ()> = FastMap::new();
    for input in inputs {
        symbols.insert(input.symbol, ());
    }
    let with_inputs = |terms: &Terms, literal: Term| (literal, mentioned(terms, literal, &symbols));
    let mut open: Vec<(Term, Vec<Term>)> = literals.iter().map(|&literal| with_inputs(terms, literal)).collect();
    for input in inputs {
        if open.iter().all(|(_, mentions)| !mentions.contains(&input.symbol)) {
            continue;
        }
        let (with, without): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|(_, mentions)| mentions.contains(&input.symbol));
        open = without;
        let with: Vec<Term> = with.into_iter().map(|(literal, _)| literal).collect();
        match best_choice(terms, solver, input.symbol, &with, state) {
            Choice::Left(chosen) => open.extend(chosen.into_iter().map(|literal| with_inputs(terms, literal))),
            Choice::Lemmas(lemmas) => return Projected::Lemmas(lemmas),
            Choice::None => is_rough = true,
        }
    }
    let truth = terms.truth(true);
    let literals = open.into_iter().map(|(literal, _)| literal).filter(|&literal| literal != truth).collect();
    Projected::States(Preimage { cube: Cube::new(at, literals), is_rough })
}

impl Justified {
    /// The atoms as they were needed.
    pub fn signed_atoms(&self, terms: &mut Terms) -> Vec<Term> {
        self.atoms.iter().map(|&(atom, value)| if value { atom } else { terms.not(atom) }).collect()
    }
    /// The term with the branches that were taken put in.
    pub fn resolved(&self, terms: &mut Terms, term: Term) -> Term {
        Resolve { justified: self, done: FastMap::new() }.resolved(terms, term)
    }
    /// The branch of an `ite` on words that was taken.
    pub fn branch(&self, terms: &Terms, term: Term) -> Option<Term> {
        self.taken.get(&term).map(|&condition| terms.arg(term, if condition { 1 } else { 2 }))
    }
    /// The atom, in the sense in which it was needed, implies what became of it where these branches are taken.
    fn equivalence(&self, terms: &mut Terms, atom: Term, after: Term) -> Term {
        let value = self.atoms.contains(&(atom, true));
        let mut parts = vec![after, if value { terms.not(atom) } else { atom }];
        let mut seen: FastMap<Term, ()> = FastMap::new();
        let mut open: Vec<Term> = terms.args(atom).to_vec();
        while let Some(term) = open.pop() {
            if seen.insert(term, ()).is_some() {
                continue;
            }
            let (condition, truth) = if let Some(&truth) = self.truths.get(&term) {
                (term, truth)
            } else if let Some(&truth) = self.taken.get(&term) {
                open.push(terms.arg(term, if truth { 1 } else { 2 }));
                (terms.arg(term, 0), truth)
            } else {
                open.extend(terms.args(term));
                continue;
            };
            parts.push(if truth { terms.not(condition) } else { condition });
        }
        terms.or(&parts)
    }
}

/// Those of the pairs whose second part is false in the model.
fn broken(terms: &Terms, solver: &Solver, pairs: &[(Term, Term)]) -> Vec<(Term, Term)> {
    if pairs.is_empty() {
        return Vec::new();
    }
    let mut model = solver.model(terms).expect("the last query had a model");
    pairs.iter().copied().filter(|&(_, after)| !model.is_true(after)).collect()
}

/// How an input is chosen.
enum Choice {
    /// Such that these literals are left.
    Left(Vec<Term>),
    /// Not before these facts are known.
    Lemmas(Vec<Term>),
    /// It has no constant value.
    None,
}

/// The literals with the input chosen such that fewest of them are left.
fn best_choice(terms: &mut Terms, solver: &Solver, input: Term, with: &[Term], state: &[Term]) -> Choice {
    let mut choices = Vec::new();
    let mut constant = None;
    {
        let mut model = solver.model(terms).expect("the last query had a model");
        let value = model.value(input);
        let sort = terms.sort_of(input);
        for &variable in state {
            if terms.sort_of(variable) == sort && model.value(variable) == value {
                choices.push(variable);
            }
        }
        drop(model);
        match (value, terms.sort_kind(sort)) {
            (Value::Bool(truth), _) => constant = Some(terms.truth(truth)),
            (Value::Bits(bits), SortKind::BitVec(_)) => constant = Some(terms.bits(bits)),
            _ => {}
        }
    }
    choices.extend(constant);
    let truth = terms.truth(true);
    let mut all: Vec<(Term, Vec<(Term, Term)>)> = Vec::new();
    for choice in choices {
        let mut put_in = Substitution::new(terms, &[(input, choice)]);
        all.push((choice, with.iter().map(|&literal| (literal, put_in.apply(terms, literal))).collect()));
    }
    let mut best: Option<Vec<Term>> = None;
    let all_wrong: Vec<Vec<(Term, Term)>> = {
        let mut model = solver.model(terms).expect("the last query had a model");
        let mut broken = |pairs: &[(Term, Term)]| pairs.iter().copied().filter(|pair| !model.is_true(pair.1)).collect();
        all.iter().map(|(_, pairs)| broken(pairs)).collect()
    };
    // Constants come last, and win a draw: they say least about other variables.
    for ((choice, pairs), wrong) in all.into_iter().zip(all_wrong) {
        if wrong.is_empty() {
            let left: Vec<Term> = pairs.iter().map(|&(_, after)| after).filter(|&after| after != truth).collect();
            if best.as_ref().is_none_or(|best| left.len() <= best.len()) {
                best = Some(left);
            }
        } else if best.is_none() && Some(choice) == constant {
            let is_chosen = terms.eq(input, choice);
            let otherwise = terms.not(is_chosen);
            let lemmas = wrong.into_iter().map(|(before, after)| {
                let denied = terms.not(before);
                terms.or(&[otherwise, denied, after])
            });
            return Choice::Lemmas(lemmas.collect());
        }
    }
    best.map_or(Choice::None, Choice::Left)
}

/// Those of the symbols that occur in the term.
fn mentioned(terms: &Terms, term: Term, symbols: &FastMap<Term, ()>) -> Vec<Term> {
    if symbols.is_empty() {
        return Vec::new();
    }
    let mut found = terms.subterms(&[term]);
    found.retain(|part| symbols.contains_key(part));
    found
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
