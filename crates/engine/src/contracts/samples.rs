//! Samples: what a function gives for small arguments.
//!
//! The interpreter executes a program that calls the function and nothing else. Arguments and the global variables that it reads
//! are small numbers and constants of the program with their neighbours: all combinations while there are few, random
//! ones otherwise.

use base::{Budget, Id, Random, Stopped};
use program::interp::{Dictionary, Inputs, Limits, Machine, Origin, Outcome, Request};
use program::{
    Action, Edge, FunId, Function, Input, InputId, InputKind, Loc, Location, Mark, Program, Shown, Var, VarKind,
    Variable,
};
use term::{Sort, Term, Terms};
use verdict::{Effects, Slot};

use super::Interface;
use crate::tuning::Tuning;

/// Runs of a function that returned.
pub(crate) struct Samples {
    /// Values at the call and at the return, in the order of the interface; only the first ones at the return, if they are many.
    pub rows: Vec<(Vec<u64>, Vec<u64>)>,
    /// Constants of the program.
    pub constants: Vec<u64>,
}

/// Executes the function on small values.
pub(crate) fn samples(
    program: &Program,
    terms: &Terms,
    interface: &Interface,
    seed: u64,
    budget: &Budget,
) -> Result<Samples, Stopped> {
    let dictionary = Dictionary::of(program, terms);
    let mut constants: Vec<u64> = dictionary.all().iter().filter_map(|&value| u64::try_from(value).ok()).collect();
    constants.sort_unstable();
    constants.dedup();
    constants.truncate(Tuning::DEFAULT.contract_constants);
    let mut samples = Samples { rows: Vec::new(), constants };
    let mut own = terms.clone();
    let Some((caller, first, n_after)) = caller(program, &mut own, interface) else { return Ok(samples) };
    let Ok(mut machine) = Machine::new(&caller, &own) else { return Ok(samples) };
    let mut random = Random::new(seed);
    let limits = Limits { edges: Tuning::DEFAULT.contract_run_edges, ..Limits::default() };
    for before in choices(interface, &samples.constants, &mut random) {
        let mut inputs = Given { first, values: &before, random: &mut random };
        let in_edges = budget.part_in_small_ticks(Tuning::DEFAULT.contract_edges_per_tick);
        let run = machine.run(&mut inputs, &limits, &in_edges);
        budget.spend(1)?;
        if let Outcome::Returned(Some(mut packed)) = run.outcome {
            let mut after = Vec::new();
            for &(_, _, width) in &interface.after[..n_after] {
                after.push((packed & ((1u128 << width) - 1)) as u64);
                packed >>= width;
            }
            samples.rows.push((before, after));
        }
    }
    Ok(samples)
}

/// The global variables that a call may read or write.
pub(super) fn globals_read(program: &Program, terms: &Terms, effects: &Effects) -> Vec<Var> {
    let mut roots = Vec::new();
    for edge in &program.edges {
        if effects.functions.contains(&program.locations[edge.from].function) {
            edge.action.for_each_term(|term| roots.push(term));
        }
    }
    let mentioned = terms.subterms(&roots);
    let is_used = |var: &Var| {
        let variable = &program.vars[*var];
        variable.kind == VarKind::Global && (effects.globals.contains(var) || mentioned.contains(&variable.term))
    };
    program.vars.ids().filter(is_used).collect()
}

/// Values at calls that are tried.
fn choices(interface: &Interface, constants: &[u64], random: &mut Random) -> Vec<Vec<u64>> {
    let most = Tuning::DEFAULT.contract_samples;
    let n = interface.before.len();
    // As many small values for each word as combinations allow.
    let mut per_word = most;
    while n > 0 && per_word > 2 && (per_word as f64).powi(n as i32) > most as f64 {
        per_word -= 1;
    }
    let small = per_word.saturating_sub(3 * constants.len().min(per_word / 4)).max(4) as u64;
    let mut values: Vec<u64> = (0..small - small / 4).collect();
    values.extend((1..=small / 4).map(|value| value.wrapping_neg()));
    values.extend(constants.iter().flat_map(|&value| [value, value.wrapping_add(1), value.wrapping_sub(1)]));
    let of_width = |value: u64, width: u32| if width == 64 { value } else { value & ((1 << width) - 1) };
    let mut rows: Vec<Vec<u64>> = Vec::new();
    if n == 0 {
        return vec![Vec::new()];
    }
    let in_grid = values.len().min(per_word.max(4));
    let mut at = vec![0usize; n];
    'grid: while rows.len() < most {
        rows.push(at.iter().zip(&interface.before).map(|(&i, word)| of_width(values[i], word.2)).collect());
        let mut place = 0;
        loop {
            at[place] += 1;
            if at[place] < in_grid {
                break;
            }
            at[place] = 0;
            place += 1;
            if place == n {
                break 'grid;
            }
        }
    }
    for _ in 0..most / 4 {
        rows.push(interface.before.iter().map(|word| of_width(*random.pick(&values), word.2)).collect());
    }
    rows.sort();
    rows.dedup();
    rows
}

/// A program that calls the function on values of its own inputs and returns what is known at the return, packed into one
/// word; with its first input, and how many words that are.
fn caller(program: &Program, terms: &mut Terms, interface: &Interface) -> Option<(Program, InputId, usize)> {
    let mut new = program.clone();
    let function = new.functions[interface.function].clone();
    let start = new.functions.next_id();
    let first = new.inputs.next_id();
    let entry = new.locations.push(Location { function: start, place: None, mark: Mark::None });
    let exit = new.locations.push(Location { function: start, place: None, mark: Mark::None });
    let mut caller = Caller { new, terms, start, at: entry, names: 0 };
    // What is given comes first, in the order of the interface.
    let mut given: Vec<(Slot, Var)> = Vec::new();
    for &(_, slot, _) in &interface.before {
        let var = match slot {
            Slot::Before(var) => var,
            Slot::Argument(position) => caller.temp(program.vars[function.params[position]].sort),
            Slot::After(_) | Slot::Result => unreachable!("it is known at the call"),
        };
        caller.receive(var);
        given.push((slot, var));
    }
    let mut args: Vec<Term> = Vec::new();
    for (position, &param) in function.params.iter().enumerate() {
        let var = match given.iter().find(|(slot, _)| *slot == Slot::Argument(position)) {
            Some(&(_, var)) => var,
            None => {
                let var = caller.temp(program.vars[param].sort);
                caller.receive(var);
                var
            }
        };
        args.push(caller.new.vars[var].term);
    }
    let result = function.result.map(|own| caller.temp(program.vars[own].sort));
    caller.step(Action::Call { function: interface.function, args, result });
    let mut packed: Option<Term> = None;
    let mut n_after = 0;
    for &(_, slot, _) in &interface.after {
        let word = match slot {
            Slot::After(var) => caller.new.vars[var].term,
            _ => caller.new.vars[result?].term,
        };
        let all = packed.map_or(word, |packed| caller.terms.concat(word, packed));
        if caller.terms.width(all) > u128::BITS {
            break;
        }
        packed = Some(all);
        n_after += 1;
    }
    let packed = packed?;
    let sort = caller.terms.sort_of(packed);
    let all = caller.temp(sort);
    let Caller { mut new, at, .. } = caller;
    new.edges.push(Edge { from: at, to: exit, action: Action::Assign(vec![(all, packed)]), place: None });
    let (name, params, objects) = ("sample!".to_owned(), Vec::new(), Vec::new());
    new.functions.push(Function { name, params, result: Some(all), entry, exit, objects, address: None, place: None });
    new.entry = Some(start);
    Some((new, first, n_after))
}

/// A program that grows by one function.
struct Caller<'a> {
    new: Program,
    terms: &'a mut Terms,
    start: FunId,
    at: Loc,
    names: u32,
}

impl Caller<'_> {
    fn temp(&mut self, sort: Sort) -> Var {
        loop {
            self.names += 1;
            let name = format!("sample!{}", self.names);
            // The name may be taken, by a variable or with another sort.
            let Some(symbol) = self.terms.declare(&name, &[], sort) else { continue };
            let term = self.terms.apply(symbol, &[]);
            if self.new.vars.iter().all(|variable| variable.term != term) {
                let kind = VarKind::Temp(self.start);
                let variable = Variable { name, term, sort, kind, shown: Shown::Plain, place: None };
                return self.new.vars.push(variable);
            }
        }
    }
    fn receive(&mut self, var: Var) {
        let kind = InputKind::Nondet("sample".to_owned());
        let input = self.new.inputs.push(Input { kind, shown: Shown::Plain, place: None });
        self.step(Action::Havoc { var, input });
    }
    fn step(&mut self, action: Action) {
        let to = self.new.locations.push(Location { function: self.start, place: None, mark: Mark::None });
        self.new.edges.push(Edge { from: self.at, to, action, place: None });
        self.at = to;
    }
}

/// The values in question, and random small ones for all other inputs.
struct Given<'a> {
    first: InputId,
    values: &'a [u64],
    random: &'a mut Random,
}

impl Inputs for Given<'_> {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        if let Origin::Input(input) = request.origin
            && let Some(place) = input.index().checked_sub(self.first.index())
            && let Some(&value) = self.values.get(place)
        {
            return u128::from(value);
        }
        u128::from(self.random.below(8))
    }
    fn choose(&mut self, n: usize) -> usize {
        self.random.below(n as u64) as usize
    }
}
