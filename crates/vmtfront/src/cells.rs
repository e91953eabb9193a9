//! Arrays of which only single cells matter become those cells.
//!
//! Memory in transition systems from programs is an array that is read and written at the addresses of variables, and
//! these addresses hardly change. If every read of a state array `a` is at an index that is a constant or a state
//! variable `i`, then the value of `a` at `i` is all that matters. It becomes a variable of its own, the
//! *cell* `a[i]`: after a step it is the new array read at the new index, with reads pushed through the
//! writes. If some read is at another index, the array stays an array.
//!
//! The array keeps its first value, from which the cells take theirs; afterwards it is not read.

use base::FastMap;
use term::{Op, SortKind, Term, Terms};

use crate::plan::{Branch, Plan};
use crate::system::{State, Symbol, System};
use crate::tuning::Tuning;

/// A cell: the array, the index, and the variable for its value.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub array: Term,
    pub index: Term,
    pub state: State,
}

/// Replaces arrays by cells in the plan and in the system. The cells take their first values from the arrays.
pub(crate) fn cells(terms: &mut Terms, system: &mut System, plan: &mut Plan) -> Vec<Cell> {
    let mut arrays: FastMap<Term, ()> = FastMap::new();
    let mut indices: FastMap<Term, usize> = FastMap::new();
    let mut left = Vec::new();
    let mut names = FastMap::new();
    for (number, state) in system.states.iter().enumerate() {
        match terms.sort_kind(terms.sort_of(state.now.term)) {
            SortKind::Array(..) => {
                arrays.insert(state.now.term, ());
                left.push(state.now.term);
            }
            SortKind::BitVec(_) => {
                indices.insert(state.now.term, number);
            }
            _ => {}
        }
    }
    // An array that cannot be replaced may need another one as a whole, so try until all that are left can be.
    while !left.is_empty() {
        let mut rewrite = Rewrite {
            arrays: &arrays,
            indices: &indices,
            names: &mut names,
            cells: Vec::new(),
            failed: Vec::new(),
            done: FastMap::new(),
        };
        let mut changed_system = system.clone();
        let mut changed_plan = plan.clone();
        rewrite.everything(terms, &mut changed_system, &mut changed_plan);
        if rewrite.cells.len() > Tuning::DEFAULT.max_cells {
            return Vec::new();
        }
        if rewrite.failed.is_empty() {
            let cells = rewrite.cells;
            *system = changed_system;
            *plan = changed_plan;
            return cells;
        }
        let failed = rewrite.failed;
        for array in failed {
            arrays.remove(&array);
            left.retain(|&one| one != array);
        }
    }
    Vec::new()
}

struct Rewrite<'a> {
    arrays: &'a FastMap<Term, ()>,
    /// State variables that may be an index, by their place in the system.
    indices: &'a FastMap<Term, usize>,
    /// The variables of cells, the same in every attempt.
    names: &'a mut FastMap<(Term, Term), State>,
    cells: Vec<Cell>,
    /// Arrays with a read at another index, or of which more than cells matters.
    failed: Vec<Term>,
    done: FastMap<Term, Term>,
}

impl Rewrite<'_> {
    fn everything(&mut self, terms: &mut Terms, system: &mut System, plan: &mut Plan) {
        let numbers: Vec<usize> = (0..system.states.len())
            .filter(|&number| !self.arrays.contains_key(&system.states[number].now.term))
            .collect();
        // The next value of an array is needed only where a cell is.
        let old: FastMap<Term, usize> = {
            let mut old = FastMap::new();
            for (number, state) in system.states.iter().enumerate() {
                old.insert(state.now.term, number);
            }
            old
        };
        for property in &mut system.properties {
            property.holds = self.term(terms, property.holds);
        }
        for constraint in &mut system.constraints {
            *constraint = self.term(terms, *constraint);
        }
        let mut leaves: Vec<(&mut Vec<Term>, Vec<Term>)> = Vec::new();
        for way in plan.nodes.iter_mut().flat_map(|node| &mut node.ways) {
            let mut open = vec![way];
            while let Some(branch) = open.pop() {
                match branch {
                    Branch::Dead => {}
                    Branch::Split { condition, yes, no } => {
                        *condition = self.term(terms, *condition);
                        open.extend([&mut **yes, &mut **no]);
                    }
                    Branch::Leaf { demands, next, .. } => {
                        for demand in demands.iter_mut() {
                            *demand = self.term(terms, *demand);
                        }
                        let before = next.clone();
                        *next = numbers.iter().map(|&number| self.term(terms, before[number])).collect();
                        leaves.push((next, before));
                    }
                }
            }
        }
        let mut known = 0;
        while known < self.cells.len() && known <= Tuning::DEFAULT.max_cells {
            let Cell { array, index, .. } = self.cells[known];
            known += 1;
            for (next, before) in &mut leaves {
                let new_array = before[old[&array]];
                let new_index = self.indices.get(&index).map_or(index, |&number| before[number]);
                let new_index = self.term(terms, new_index);
                let value = self.read(terms, new_array, new_index);
                next.push(value);
            }
        }
        let mut states: Vec<State> = numbers.iter().map(|&number| system.states[number].clone()).collect();
        states.extend(self.cells.iter().map(|cell| cell.state.clone()));
        system.states = states;
    }

    /// The term with cells in place of reads.
    fn term(&mut self, terms: &mut Terms, root: Term) -> Term {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.done.contains_key(&term) {
                continue;
            }
            let args = terms.args(term).to_vec();
            if terms.op(term) == Op::Select {
                // The array is looked at only as far as the read needs it.
                match self.done.get(&args[1]) {
                    Some(&index) => {
                        let value = self.read(terms, args[0], index);
                        self.done.insert(term, value);
                    }
                    None => stack.extend([(term, false), (args[1], false)]),
                }
            } else if ready || args.is_empty() {
                if self.arrays.contains_key(&term) {
                    self.failed.push(term); // The array as a whole.
                }
                let new: Vec<Term> = args.iter().map(|arg| self.done[arg]).collect();
                let new = terms.rebuild(term, &new);
                self.done.insert(term, new);
            } else {
                stack.push((term, true));
                stack.extend(args.into_iter().map(|arg| (arg, false)));
            }
        }
        self.done[&root]
    }
    /// A read of an array as the plan has it, at an index that is rewritten.
    fn read(&mut self, terms: &mut Terms, array: Term, index: Term) -> Term {
        let mut done: FastMap<Term, Term> = FastMap::new();
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            if done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let args = terms.args(top).to_vec();
            let below: &[Term] = match terms.op(top) {
                Op::Store => &args[..1],
                Op::Ite => &args[1..],
                _ => &[],
            };
            let missing: Vec<Term> = below.iter().copied().filter(|arg| !done.contains_key(arg)).collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let value = match terms.op(top) {
                Op::Store => {
                    let (at, element) = (self.term(terms, args[1]), self.term(terms, args[2]));
                    let same = terms.eq(at, index);
                    terms.ite(same, element, done[&args[0]])
                }
                Op::Ite => {
                    let condition = self.term(terms, args[0]);
                    terms.ite(condition, done[&args[1]], done[&args[2]])
                }
                Op::ConstArray => self.term(terms, args[0]),
                _ if self.arrays.contains_key(&top) => self.cell(terms, top, index),
                _ => {
                    let array = self.term(terms, top);
                    terms.select(array, index)
                }
            };
            done.insert(top, value);
        }
        done[&array]
    }
    fn cell(&mut self, terms: &mut Terms, array: Term, index: Term) -> Term {
        if let Some(cell) = self.cells.iter().find(|cell| cell.array == array && cell.index == index) {
            return cell.state.now.term;
        }
        if !self.indices.contains_key(&index) && !terms.is_value(index) {
            self.failed.push(array);
            return terms.select(array, index);
        }
        let state = match self.names.get(&(array, index)) {
            Some(state) => state.clone(),
            None => {
                let state = variable(terms, array, index);
                self.names.insert((array, index), state.clone());
                state
            }
        };
        let term = state.now.term;
        self.cells.push(Cell { array, index, state });
        term
    }
}

/// A variable for a cell.
fn variable(terms: &mut Terms, array: Term, index: Term) -> State {
    let plain = |terms: &Terms, term: Term| terms.to_smtlib(term).replace('|', "");
    let name = format!("{}[{}]", plain(terms, array), plain(terms, index));
    let sort = match *terms.sort_kind(terms.sort_of(array)) {
        SortKind::Array(_, element) => element,
        _ => unreachable!("only arrays have cells"),
    };
    let mut fresh = |base_name: &str| {
        let mut name = base_name.to_owned();
        while terms.lookup(&name).is_some() {
            name.push('!');
        }
        terms.variable(&name, sort)
    };
    let (term, next) = (fresh(&name), fresh(&format!("{name}.next")));
    State { now: Symbol { name, term, place: None }, next }
}
