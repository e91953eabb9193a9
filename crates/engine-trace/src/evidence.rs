//! What was found, in the words of evidence: cubes and clauses as invariants at the loop heads.
//!
//! Every node of a state has a name: a variable that holds it, or a function of named nodes. So a state is a cube of
//! equalities and disequalities over variables, and what is known at a loop head is the disjunction of the states that
//! were reached there, each with its clauses.

use base::{FastMap, OrderedMap};
use program::Loc;
use term::{Op, Term, Terms};

use crate::automaton::Automaton;
use crate::graph::{LOST, NOTHING, Node};
use crate::reach::Search;
use crate::state::State;

/// The invariants at the heads of the automaton.
pub(crate) fn invariants(automaton: &Automaton, terms: &mut Terms, search: &Search<'_>) -> Vec<(Loc, Term)> {
    let mut cases: OrderedMap<Loc, Vec<Term>> = automaton.heads.iter().map(|&loc| (loc, Vec::new())).collect();
    for reached in &search.reached {
        let Some(known) = cases.get_mut(&reached.loc) else { continue };
        let mut parts = cube(automaton, terms, search.states.get(reached.state));
        for &clause in &reached.known {
            parts.push(clause_term(terms, search, clause));
        }
        known.push(terms.and(&parts));
    }
    cases
        .into_iter()
        // What cannot reach an error was not explored, and needs no invariant.
        .map(|(loc, known)| {
            let said = if automaton.matters[loc] { terms.or(&known) } else { terms.truth(true) };
            (loc, said)
        })
        .collect()
}

fn clause_term(terms: &mut Terms, search: &Search<'_>, clause: u32) -> Term {
    let clause = search.precision.pool.get(clause);
    let premises: Vec<Term> = clause.premises.iter().map(|&(a, b)| terms.make(Op::Eq, &[a, b])).collect();
    let premises = terms.and(&premises);
    let conclusion = match clause.conclusion {
        Some((a, b)) => terms.make(Op::Eq, &[a, b]),
        None => terms.truth(false),
    };
    terms.make(Op::Implies, &[premises, conclusion])
}

/// The state as a list of literals.
fn cube(automaton: &Automaton, terms: &mut Terms, state: &State) -> Vec<Term> {
    let mut parts = Vec::new();
    let mut name: FastMap<Node, Term> = FastMap::new();
    for (slot, &node) in state.held.iter().enumerate() {
        if node == NOTHING {
            continue;
        }
        let term = automaton.slots[slot].2;
        match name.get(&node) {
            Some(&other) => parts.push(terms.make(Op::Eq, &[other, term])),
            None => {
                name.insert(node, term);
            }
        }
    }
    // Rows name nodes that no slot holds; arguments may be named by later rows.
    let mut open: Vec<usize> = (0..state.rows.len()).collect();
    while !open.is_empty() {
        let before = open.len();
        let mut later = Vec::new();
        for at in open {
            let row = &state.rows[at];
            let args: Option<Vec<Term>> = row.args.iter().map(|arg| name.get(arg).copied()).collect();
            let Some(args) = args else {
                later.push(at);
                continue;
            };
            if row.result == LOST {
                continue;
            }
            let function = automaton.functions[row.fun as usize];
            let value = match function.op {
                Op::Fp(op) => terms.fp(op, &args, function.result),
                Op::ConstArray => terms.const_array(function.result, args[0]),
                op => terms.make(op, &args),
            };
            match name.get(&row.result) {
                Some(&other) => parts.push(terms.make(Op::Eq, &[value, other])),
                None => {
                    name.insert(row.result, value);
                }
            }
        }
        assert!(later.len() < before, "every node of a state has a name");
        open = later;
    }
    for &(a, b) in &state.apart {
        let (a, b) = (name[&a], name[&b]);
        parts.push(terms.ne(a, b));
    }
    parts
}
