//! Which variables a term mentions, remembered for each term that was asked about.

use std::rc::Rc;

use base::FastMap;
use term::{Op, Term, Terms};

use crate::{Action, Program, Var};

/// A memory of the variables in terms.
pub(super) struct Reads {
    var_of: FastMap<Term, Var>,
    known: FastMap<Term, Rc<[Var]>>,
}

impl Reads {
    pub(super) fn new(program: &Program) -> Reads {
        let mut var_of = FastMap::new();
        for (var, variable) in program.vars.iter_enumerated() {
            var_of.insert(variable.term, var);
        }
        Reads { var_of, known: FastMap::new() }
    }
    /// The variable that this symbol stands for.
    pub(super) fn variable(&self, term: Term) -> Option<Var> {
        self.var_of.get(&term).copied()
    }
    /// The variables of the term, in the order of their symbols' terms.
    pub(super) fn of(&mut self, terms: &Terms, term: Term) -> Rc<[Var]> {
        if let Some(known) = self.known.get(&term) {
            return Rc::clone(known);
        }
        let subterms = terms.subterms(&[term]);
        let leaves = subterms.into_iter().filter(|&leaf| matches!(terms.op(leaf), Op::Symbol(_)));
        let vars: Rc<[Var]> = leaves.filter_map(|leaf| self.variable(leaf)).collect();
        self.known.insert(term, Rc::clone(&vars));
        vars
    }
    /// All variables that the action reads; one may come several times.
    pub(super) fn of_action(&mut self, terms: &Terms, action: &Action) -> Vec<Var> {
        let mut vars = Vec::new();
        action.for_each_term(|term| vars.extend_from_slice(&self.of(terms, term)));
        vars
    }
}

/// The action with other terms in the place of its own.
pub(super) fn rewrite(action: &Action, mut change: impl FnMut(Term) -> Term) -> Action {
    match action {
        Action::Assume(condition) => Action::Assume(change(*condition)),
        Action::Assign(pairs) => Action::Assign(pairs.iter().map(|&(var, value)| (var, change(value))).collect()),
        Action::Havoc { .. } => action.clone(),
        Action::Load { var, address } => Action::Load { var: *var, address: change(*address) },
        Action::Store { address, value } => Action::Store { address: change(*address), value: change(*value) },
        Action::Forget { address, size, input } => {
            Action::Forget { address: change(*address), size: size.map(&mut change), input: *input }
        }
        Action::Call { function, args, result } => {
            Action::Call { function: *function, args: args.iter().map(|&arg| change(arg)).collect(), result: *result }
        }
        Action::Alloc { var, size, lifetime, input, moved } => {
            let (size, moved) = (change(*size), moved.map(&mut change));
            Action::Alloc { var: *var, size, lifetime: *lifetime, input: *input, moved }
        }
        Action::Free { address, lifetime } => Action::Free { address: change(*address), lifetime: *lifetime },
        Action::Check { what, holds } => Action::Check { what: *what, holds: change(*holds) },
        Action::End { .. } | Action::Order(_) => action.clone(),
        Action::Probe { var, address, bytes, access } => {
            Action::Probe { var: *var, address: change(*address), bytes: *bytes, access: *access }
        }
    }
}

/// The action with other variables as targets.
pub(super) fn retarget(action: Action, mut change: impl FnMut(Var) -> Var) -> Action {
    match action {
        Action::Assign(pairs) => Action::Assign(pairs.into_iter().map(|(var, value)| (change(var), value)).collect()),
        Action::Havoc { var, input } => Action::Havoc { var: change(var), input },
        Action::Load { var, address } => Action::Load { var: change(var), address },
        Action::Call { function, args, result } => Action::Call { function, args, result: result.map(change) },
        Action::Alloc { var, size, lifetime, input, moved } => {
            Action::Alloc { var: change(var), size, lifetime, input, moved }
        }
        Action::Probe { var, address, bytes, access } => Action::Probe { var: change(var), address, bytes, access },
        other => other,
    }
}
