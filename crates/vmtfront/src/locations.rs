//! Control locations found again in a transition system that has them as truth values.
//!
//! Tools that make transition systems from programs encode the location in Boolean state variables, one for each or
//! in binary. We start from their first values and ask which values can follow: what a step makes of them
//! is, with the present values put in, a formula over conditions of the step. Splitting on these conditions gives a
//! decision tree whose leaves are locations. Where few values can be reached, each becomes a location of
//! the program, and what holds at one location is no longer mixed up with what holds at another. No state is
//! lost: a location that cannot really be reached does no harm. If the values are too many, some of the
//! variables are data, and we go on with fewer.

use base::FastMap;
use term::{Op, Substitution, Term, Terms};

use crate::define::settle;
use crate::tuning::Tuning;

/// Locations, and how a step leads from one to the next.
#[derive(Clone, Debug)]
pub(crate) struct Locations {
    /// The variables that locations are made of.
    pub variables: Vec<Term>,
    /// The first is where runs start.
    pub nodes: Vec<Node>,
}

/// One location.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The values of the variables here.
    pub values: Vec<bool>,
    /// One for each way of the step.
    pub trees: Vec<Tree>,
}

/// What decides about the next location.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    /// No step is possible this way.
    Dead,
    /// The step leads to this location.
    Leaf(usize),
    /// It depends on this condition.
    Split { condition: Term, yes: Box<Tree>, no: Box<Tree> },
}

/// One way of a step, as far as locations depend on it.
pub(crate) struct Step<'a> {
    /// The value of each state variable after the step.
    pub next: &'a FastMap<Term, Term>,
    pub demands: &'a [Term],
    /// Symbols that a run draws in the step.
    pub free: &'a FastMap<Term, ()>,
}

/// The locations made of these variables, which have these first values, or of some of them. None if that leads nowhere.
pub(crate) fn locations(terms: &mut Terms, variables: &[(Term, bool)], steps: &[Step<'_>]) -> Option<Locations> {
    let mut effort = Tuning::DEFAULT.max_examined_terms;
    if let Some(found) = explore(terms, variables, steps, &mut effort, Tuning::DEFAULT.max_locations) {
        return Some(found).filter(|found| found.nodes.len() > 1);
    }
    if variables.len() > Tuning::DEFAULT.max_control_variables {
        return None;
    }
    let mut chosen: Vec<(Term, bool)> = Vec::new();
    let mut best = None;
    for &variable in variables {
        chosen.push(variable);
        match explore(terms, &chosen, steps, &mut effort, Tuning::DEFAULT.max_locations / 2) {
            Some(found) => best = Some(found),
            None => {
                chosen.pop();
            }
        }
    }
    best.filter(|found: &Locations| found.nodes.len() > 1)
}

fn explore(
    terms: &mut Terms,
    variables: &[(Term, bool)],
    steps: &[Step<'_>],
    effort: &mut usize,
    most: usize,
) -> Option<Locations> {
    let symbols: Vec<Term> = variables.iter().map(|&(symbol, _)| symbol).collect();
    let first: Vec<bool> = variables.iter().map(|&(_, value)| value).collect();
    let mut known: FastMap<Vec<bool>, usize> = FastMap::new();
    known.insert(first.clone(), 0);
    let mut open = vec![first];
    let mut nodes = Vec::new();
    while nodes.len() < open.len() {
        let values = open[nodes.len()].clone();
        let pairs: Vec<(Term, Term)> =
            symbols.iter().zip(&values).map(|(&symbol, &value)| (symbol, terms.truth(value))).collect();
        let mut put_in = Substitution::new(terms, &pairs);
        let mut trees = Vec::new();
        let mut splits = Tuning::DEFAULT.max_splits;
        for step in steps {
            let mut demands: Vec<Term> = step.demands.iter().map(|&demand| put_in.apply(terms, demand)).collect();
            if demands.contains(&terms.truth(false)) {
                trees.push(Tree::Dead);
                continue;
            }
            let mut next: Vec<Term> = symbols.iter().map(|symbol| put_in.apply(terms, step.next[symbol])).collect();
            settle(terms, step.free, &mut demands, &mut next);
            let mut leaves = Vec::new();
            let tree =
                grow(terms, step, next, demands, effort, &mut splits, Tuning::DEFAULT.max_nested_splits, &mut leaves)?;
            for leaf in &leaves {
                if !known.contains_key(leaf) {
                    known.insert(leaf.clone(), open.len());
                    open.push(leaf.clone());
                }
            }
            let targets: Vec<usize> = leaves.iter().map(|leaf| known[leaf]).collect();
            trees.push(aimed(tree, &targets));
        }
        if open.len() > most {
            return None;
        }
        nodes.push(Node { values, trees });
    }
    Some(Locations { variables: symbols, nodes })
}

/// The tree; its leaves are numbers of entries in `leaves`. None if it gets too large.
#[allow(clippy::too_many_arguments)] // What is known, what is left, and what was found.
fn grow(
    terms: &mut Terms,
    step: &Step<'_>,
    next: Vec<Term>,
    demands: Vec<Term>,
    effort: &mut usize,
    splits: &mut usize,
    depth: usize,
    leaves: &mut Vec<Vec<bool>>,
) -> Option<Tree> {
    let (yes, no) = (terms.truth(true), terms.truth(false));
    if demands.contains(&no) {
        return Some(Tree::Dead);
    }
    let Some(condition) = next.iter().find(|&&term| term != yes && term != no).map(|&term| atom_in(terms, term)) else {
        leaves.push(next.iter().map(|&term| term == yes).collect());
        return Some(Tree::Leaf(leaves.len() - 1));
    };
    if *splits == 0 || depth == 0 {
        return None;
    }
    *splits -= 1;
    let mut sides = Vec::new();
    for truth in [yes, no] {
        let mut put_in = Substitution::new(terms, &[(condition, truth)]);
        let roots: Vec<Term> = next.iter().chain(&demands).copied().collect();
        *effort = effort.checked_sub(terms.size(&roots))?;
        let mut next: Vec<Term> = next.iter().map(|&term| put_in.apply(terms, term)).collect();
        let mut demands: Vec<Term> = demands.iter().map(|&term| put_in.apply(terms, term)).collect();
        settle(terms, step.free, &mut demands, &mut next);
        sides.push(grow(terms, step, next, demands, effort, splits, depth - 1, leaves)?);
    }
    let (no, yes) = (sides.pop()?, sides.pop()?);
    Some(Tree::Split { condition, yes: Box::new(yes), no: Box::new(no) })
}

/// An atom on which the formula depends.
fn atom_in(terms: &Terms, formula: Term) -> Term {
    let mut term = formula;
    loop {
        let is_constant = |arg: &&Term| matches!(terms.op(**arg), Op::True | Op::False);
        let is_connective = match terms.op(term) {
            Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor => true,
            Op::Ite => terms.is_bool(term),
            Op::Eq => terms.is_bool(terms.arg(term, 0)),
            _ => false,
        };
        match terms.args(term).iter().find(|arg| !is_constant(arg)) {
            Some(&arg) if is_connective => term = arg,
            _ => return term,
        }
    }
}

/// The tree with locations for leaves.
fn aimed(tree: Tree, targets: &[usize]) -> Tree {
    match tree {
        Tree::Dead => Tree::Dead,
        Tree::Leaf(number) => Tree::Leaf(targets[number]),
        Tree::Split { condition, yes, no } => {
            Tree::Split { condition, yes: Box::new(aimed(*yes, targets)), no: Box::new(aimed(*no, targets)) }
        }
    }
}
