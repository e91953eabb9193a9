//! The constants of a program: good candidates for inputs.
//!
//! Programs compare what they read with constants, so values drawn from those constants get deeper
//! than random ones. For each input we also collect what *its* values are compared with: copies
//! from variable to variable, through parameters, results and variables in memory, put variables
//! into one class, and a comparison of any of them with a constant counts for all. This is blind
//! to the flow of control and only a heuristic; nothing depends on it but luck.

use base::{FastMap, Id, IndexVec};
use term::{Op, Term, Terms};

use crate::model::{Action, InputId, Program, Var};

/// Constants of a program, and those that matter for each input.
#[derive(Clone, Default, Debug)]
pub struct Dictionary {
    all: Vec<u128>,
    by_input: IndexVec<InputId, Vec<u128>>,
}

impl Dictionary {
    /// Collects the constants of a program.
    pub fn of(program: &Program, terms: &Terms) -> Dictionary {
        let mut classes = Classes::new(program);
        for edge in &program.edges {
            classes.copies(program, terms, &edge.action);
        }
        let mut all = Vec::new();
        let mut compared = vec![Vec::new(); classes.parent.len()];
        let mut seen = vec![false; terms.len() + 1];
        let mut stack = Vec::new();
        for edge in &program.edges {
            edge.action.for_each_term(|term| stack.push(term));
            while let Some(term) = stack.pop() {
                if std::mem::replace(&mut seen[term.index()], true) {
                    continue;
                }
                if let Some(value) = terms.value(term).and_then(|bits| bits.to_u128()) {
                    all.push(value);
                }
                if let Some((class, value, is_equality)) = classes.comparison(terms, term) {
                    compared[class].push(value);
                    if !is_equality {
                        compared[class].extend([value.wrapping_sub(1), value.wrapping_add(1)]);
                    }
                }
                stack.extend(terms.args(term));
            }
        }
        sort_and_thin(&mut all);
        let mut by_input: IndexVec<InputId, Vec<u128>> = program.inputs.iter().map(|_| Vec::new()).collect();
        for edge in &program.edges {
            if let Action::Havoc { var, input } = edge.action {
                let class = classes.find(var.index());
                by_input[input].extend(&compared[class]);
            }
        }
        by_input.iter_mut().for_each(sort_and_thin);
        Dictionary { all, by_input }
    }
    /// All constants, in ascending order.
    pub fn all(&self) -> &[u128] {
        &self.all
    }
    /// What values of this input are compared with, in ascending order.
    pub fn of_input(&self, input: InputId) -> &[u128] {
        self.by_input.get(input).map_or(&[], |values| values)
    }
}

fn sort_and_thin(values: &mut Vec<u128>) {
    values.sort_unstable();
    values.dedup();
}

/// Variables that may hold copies of one value, as a union-find.
struct Classes {
    parent: Vec<usize>,
    variable_of: FastMap<Term, Var>,
    /// Where the value at a constant address stands for a variable.
    cell_of: FastMap<Term, usize>,
}

impl Classes {
    fn new(program: &Program) -> Self {
        let mut variable_of = FastMap::new();
        for (var, variable) in program.vars.iter_enumerated() {
            variable_of.insert(variable.term, var);
        }
        Classes { parent: (0..program.vars.len()).collect(), variable_of, cell_of: FastMap::new() }
    }
    fn find(&mut self, mut node: usize) -> usize {
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }
    fn join(&mut self, left: usize, right: usize) {
        let (left, right) = (self.find(left), self.find(right));
        self.parent[left] = right;
    }
    fn cell(&mut self, address: Term) -> usize {
        let fresh = self.parent.len();
        let cell = *self.cell_of.get_or_insert_with(address, || fresh);
        if cell == fresh {
            self.parent.push(fresh);
        }
        cell
    }
    /// The variable that the term is a copy of, up to a change of width.
    fn copied(&self, terms: &Terms, mut term: Term) -> Option<usize> {
        while matches!(terms.op(term), Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Extract { low: 0, .. }) {
            term = terms.args(term)[0];
        }
        self.variable_of.get(&term).map(|var| var.index())
    }
    fn copies(&mut self, program: &Program, terms: &Terms, action: &Action) {
        let copy = |classes: &mut Classes, to: usize, term: Term| {
            if let Some(from) = classes.copied(terms, term) {
                classes.join(to, from);
            }
        };
        match action {
            Action::Assign(pairs) => pairs.iter().for_each(|&(var, term)| copy(self, var.index(), term)),
            Action::Call { function, args, result } => {
                let callee = &program.functions[*function];
                for (param, &arg) in callee.params.iter().zip(args) {
                    copy(self, param.index(), arg);
                }
                if let (Some(to), Some(from)) = (result, callee.result) {
                    self.join(to.index(), from.index());
                }
            }
            Action::Load { var, address } if self.variable_of.contains_key(address) => {
                let cell = self.cell(*address);
                self.join(var.index(), cell);
            }
            Action::Store { address, value } if self.variable_of.contains_key(address) => {
                let cell = self.cell(*address);
                copy(self, cell, *value);
            }
            _ => {}
        }
    }
    /// A comparison of a copied variable with a constant: class, constant, whether by equality.
    fn comparison(&mut self, terms: &Terms, term: Term) -> Option<(usize, u128, bool)> {
        let is_equality = match terms.op(term) {
            Op::Eq | Op::Distinct => true,
            Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge => false,
            Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge => false,
            _ => return None,
        };
        let &[left, right] = terms.args(term) else { return None };
        let constant = |term: Term| terms.value(term).and_then(|bits| bits.to_u128());
        let (variable, value) = match (constant(left), constant(right)) {
            (None, Some(value)) => (left, value),
            (Some(value), None) => (right, value),
            _ => return None,
        };
        let node = self.copied(terms, variable)?;
        Some((self.find(node), value, is_equality))
    }
}
