//! Contracts of recursive functions, guessed from runs and kept if they prove one another.
//!
//! Each function that can call itself is executed on small arguments (`samples`). What the results have in common, all of them or
//! those of a case, becomes candidates: linear and quadratic equations, parities, bounds, rows of a table (`candidates`). Then
//! Houdini over the program that is made of the contracts (`filter`): what a caller does not keep or a body does not
//! ensure is dropped until the rest holds. Nothing here is trusted: the checker makes that program again.

mod candidates;
mod filter;
mod samples;

use base::{Budget, Stopped};
use program::{Action, FunId, Program};
use term::{Term, Terms};
use verdict::{Contract, Effects, Slot};

pub use filter::Filtered;

/// Contracts with the store of their formulas.
#[derive(Clone)]
pub struct Contracts {
    /// The store.
    pub terms: Terms,
    /// One contract for each function.
    pub list: Vec<Contract>,
}

/// What a contract of the function may speak of.
pub(crate) struct Interface {
    pub function: FunId,
    /// Words that are known at a call: the symbol, what it is, its width.
    pub before: Vec<(Term, Slot, u32)>,
    /// Words that are known at a return only.
    pub after: Vec<(Term, Slot, u32)>,
}

/// Whether candidates are about what holds at calls, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requires {
    /// Contracts allow every call.
    Nothing,
    /// Bounds and conditions of the program.
    Bounds,
}

/// Candidates for the contracts of these functions; `None` if one of them does something that contracts do not cover.
pub fn candidates(
    program: &Program,
    terms: &Terms,
    functions: &[FunId],
    requires: Requires,
    seed: u64,
    budget: &Budget,
) -> Result<Option<Contracts>, Stopped> {
    let mut own = terms.clone();
    let mut list = Vec::new();
    for &function in functions {
        let Some(interface) = Interface::of(program, &mut own, function) else { return Ok(None) };
        let samples = samples::samples(program, terms, &interface, seed, budget)?;
        list.push(candidates::contract(program, &mut own, &interface, &samples, requires));
    }
    Ok(Some(Contracts { terms: own, list }))
}

impl Contracts {
    /// Drops candidates until all that is left holds on paths without loops; says what that proves.
    pub fn filter(&mut self, program: &Program, terms: &Terms, budget: &Budget) -> Result<Filtered, Stopped> {
        filter::filter(self, program, terms, budget)
    }
    /// How many formulas there are.
    pub fn len(&self) -> usize {
        self.list.iter().map(|contract| contract.requires.len() + contract.ensures.len()).sum()
    }
    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The functions that can call themselves, directly or not.
pub fn recursive(program: &Program) -> Vec<FunId> {
    let mut calls: Vec<(FunId, FunId)> = Vec::new();
    for edge in &program.edges {
        if let Action::Call { function, .. } = edge.action {
            let call = (program.locations[edge.from].function, function);
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
    }
    let reaches_itself = |&function: &FunId| {
        let mut seen: Vec<FunId> = Vec::new();
        let mut todo = vec![function];
        while let Some(from) = todo.pop() {
            for &(_, to) in calls.iter().filter(|(caller, _)| *caller == from) {
                if to == function {
                    return true;
                }
                if !seen.contains(&to) {
                    seen.push(to);
                    todo.push(to);
                }
            }
        }
        false
    };
    program.functions.ids().filter(reaches_itself).collect()
}

impl Interface {
    fn of(program: &Program, own: &mut Terms, function: FunId) -> Option<Interface> {
        let effects = Effects::of(program, own, function).ok()?;
        let info = &program.functions[function];
        let read = samples::globals_read(program, own, &effects);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let word = |own: &mut Terms, list: &mut Vec<(Term, Slot, u32)>, sort, slot: Slot| {
            if let term::SortKind::BitVec(width) = *own.sort_kind(sort)
                && width <= 64
            {
                let symbol = own.variable(&format!("contract of {}: {slot:?}", info.name), sort);
                list.push((symbol, slot, width));
            }
        };
        for (position, &param) in info.params.iter().enumerate() {
            word(own, &mut before, program.vars[param].sort, Slot::Argument(position));
        }
        for &var in read.iter() {
            word(own, &mut before, program.vars[var].sort, Slot::Before(var));
        }
        if let Some(result) = info.result {
            word(own, &mut after, program.vars[result].sort, Slot::Result);
        }
        for &var in &effects.globals {
            word(own, &mut after, program.vars[var].sort, Slot::After(var));
        }
        Some(Interface { function, before, after })
    }
}
