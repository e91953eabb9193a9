//! What a step does, worked out before any of it is written as a program: for each location, for each way
//! of the step, under which conditions which location is next, and with which values.

use base::FastMap;
use term::{Substitution, Term, Terms};

use crate::define::{Solved, prune, settle, solve};
use crate::flatten::Rank;
use crate::locations::{Locations, Node, Step, Tree, locations};
use crate::system::System;
use crate::ways::{Way, ways};

/// The plan of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// State variables that are part of the location.
    pub variables: Vec<Term>,
    /// The first is where runs start.
    pub nodes: Vec<PlanNode>,
    /// Symbols that a step draws, in a fixed order.
    pub free: Vec<Term>,
}

/// A location.
#[derive(Clone, Debug)]
pub(crate) struct PlanNode {
    /// The values of the variables that are part of the location.
    pub values: Vec<bool>,
    /// What a run may do from here; it chooses one.
    pub ways: Vec<Branch>,
}

/// What decides about the rest of a step.
#[derive(Clone, Debug)]
pub(crate) enum Branch {
    /// Nothing is possible.
    Dead,
    /// It depends on the condition.
    Split { condition: Term, yes: Box<Branch>, no: Box<Branch> },
    /// The step is done if the demands hold.
    Leaf {
        /// The number of the next location.
        target: usize,
        demands: Vec<Term>,
        /// The values of all state variables after the step, in the order of the system.
        next: Vec<Term>,
    },
}

/// Makes a plan for the steps of the system. `first` has the values with which the state starts if locations are to be
/// looked for; `unknowns` are next values and the inputs that the step alone draws.
pub(crate) fn plan(
    terms: &mut Terms,
    system: &System,
    first: Option<&FastMap<Term, Term>>,
    unknowns: &[(Term, Rank)],
    prefix: &str,
) -> Plan {
    let mut ranks = FastMap::new();
    for &(unknown, rank) in unknowns {
        ranks.insert(unknown, rank);
    }
    let all_ways = match first {
        Some(_) => ways(terms, &system.trans, &ranks),
        None => vec![Way { formulas: system.trans.clone(), demands: Vec::new() }],
    };
    let steps: Vec<WayStep> = all_ways
        .into_iter()
        .map(|way| {
            let solved = solve(terms, &way.formulas, &way.demands, unknowns, prefix);
            let mut next = FastMap::new();
            for state in &system.states {
                next.insert(state.now.term, solved.values[&state.next]);
            }
            let mut free = FastMap::new();
            solved.free.iter().for_each(|&symbol| {
                free.insert(symbol, ());
            });
            WayStep { solved, next, free }
        })
        .collect();
    let found = first.and_then(|first| find_locations(terms, system, first, &steps));
    let found = found.unwrap_or_else(|| Locations {
        variables: Vec::new(),
        nodes: vec![Node { values: Vec::new(), trees: steps.iter().map(|_| Tree::Leaf(0)).collect() }],
    });
    let mut nodes = Vec::new();
    for node in &found.nodes {
        let values = found.variables.iter().zip(&node.values);
        let pairs: Vec<(Term, Term)> = values.map(|(&symbol, &value)| (symbol, terms.truth(value))).collect();
        let mut here = Substitution::new(terms, &pairs);
        let mut ways = Vec::new();
        for (step, tree) in steps.iter().zip(&node.trees) {
            if matches!(tree, Tree::Dead) {
                continue;
            }
            let mut demands: Vec<Term> = step.solved.demands.iter().map(|&term| here.apply(terms, term)).collect();
            let mut next: Vec<Term> =
                system.states.iter().map(|state| here.apply(terms, step.next[&state.now.term])).collect();
            settle(terms, &step.free, &mut demands, &mut next);
            match branch(terms, &step.free, tree, demands, next, &mut Vec::new()) {
                Branch::Dead => {}
                branch => ways.push(branch),
            }
        }
        nodes.push(PlanNode { values: node.values.clone(), ways });
    }
    let mut plan = Plan { variables: found.variables, nodes, free: Vec::new() };
    plan.free = plan.drawn(terms, unknowns, &steps);
    plan
}

/// One way of the step, solved.
struct WayStep {
    solved: Solved,
    /// The value of each state variable after the step.
    next: FastMap<Term, Term>,
    free: FastMap<Term, ()>,
}

/// The locations that Boolean variables encode, if they do.
fn find_locations(
    terms: &mut Terms,
    system: &System,
    first: &FastMap<Term, Term>,
    steps: &[WayStep],
) -> Option<Locations> {
    let (yes, no) = (terms.truth(true), terms.truth(false));
    let states = system.states.iter().map(|state| state.now.term);
    let variables: Vec<(Term, bool)> = states
        .filter(|&symbol| terms.is_bool(symbol))
        .filter_map(|symbol| Some((symbol, first[&symbol])).filter(|(_, value)| *value == yes || *value == no))
        .map(|(symbol, value)| (symbol, value == yes))
        .collect();
    // Whether the variable, once true, stays true, and is not just constant.
    let mut is_sticky = |symbol: Term| {
        let stays = |terms: &mut Terms, step: &WayStep| terms.substitute(step.next[&symbol], &[(symbol, yes)]) == yes;
        steps.iter().any(|step| step.next[&symbol] != symbol) && steps.iter().all(|step| stays(terms, step))
    };
    if variables.iter().all(|&(symbol, _)| is_sticky(symbol)) {
        return None; // A set of facts that grows, as a solver of Horn clauses has it, and no location.
    }
    let parts: Vec<Step<'_>> =
        steps.iter().map(|step| Step { next: &step.next, demands: &step.solved.demands, free: &step.free }).collect();
    locations(terms, &variables, &parts)
}

fn branch(
    terms: &mut Terms,
    free: &FastMap<Term, ()>,
    tree: &Tree,
    mut demands: Vec<Term>,
    next: Vec<Term>,
    path: &mut Vec<Term>,
) -> Branch {
    if demands.contains(&terms.truth(false)) {
        return Branch::Dead;
    }
    match tree {
        Tree::Dead => Branch::Dead,
        Tree::Leaf(target) => {
            let others: Vec<Term> = path.iter().chain(&next).copied().collect();
            prune(terms, free, &mut demands, &others);
            Branch::Leaf { target: *target, demands, next }
        }
        Tree::Split { condition, yes, no } => {
            path.push(*condition);
            let mut side = |truth: bool, tree: &Tree| {
                let value = terms.truth(truth);
                let mut put_in = Substitution::new(terms, &[(*condition, value)]);
                let mut demands = demands.iter().map(|&term| put_in.apply(terms, term)).collect();
                let mut next: Vec<Term> = next.iter().map(|&term| put_in.apply(terms, term)).collect();
                settle(terms, free, &mut demands, &mut next);
                branch(terms, free, tree, demands, next, path)
            };
            let (yes, no) = (side(true, yes), side(false, no));
            path.pop();
            match (&yes, &no) {
                (Branch::Dead, Branch::Dead) => Branch::Dead,
                _ => Branch::Split { condition: *condition, yes: Box::new(yes), no: Box::new(no) },
            }
        }
    }
}

impl Plan {
    /// The symbols that occur and are drawn in the step.
    fn drawn(&self, terms: &Terms, unknowns: &[(Term, Rank)], steps: &[WayStep]) -> Vec<Term> {
        let mut roots = Vec::new();
        for way in self.nodes.iter().flat_map(|node| &node.ways) {
            way.for_each_term(&mut |term| roots.push(term));
        }
        let used = terms.subterms(&roots);
        let mut seen: FastMap<Term, ()> = FastMap::new();
        let declared = unknowns.iter().map(|&(unknown, _)| unknown);
        let all = declared.chain(steps.iter().flat_map(|step| step.solved.free.iter().copied()));
        all.filter(|symbol| used.binary_search(symbol).is_ok() && seen.insert(*symbol, ()).is_none()).collect()
    }
}

impl Branch {
    /// Calls `visit` with every term.
    pub fn for_each_term(&self, visit: &mut dyn FnMut(Term)) {
        match self {
            Branch::Dead => {}
            Branch::Split { condition, yes, no } => {
                visit(*condition);
                yes.for_each_term(visit);
                no.for_each_term(visit);
            }
            Branch::Leaf { demands, next, .. } => demands.iter().chain(next).for_each(|&term| visit(term)),
        }
    }
}
